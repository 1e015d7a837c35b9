#!/usr/bin/env bash
# How long the window takes from the start of the process to its first frame, and its resident memory then.
#   bash tests/benchmarks/bench_startup.sh [PROGRAM] [STARTS]
# Prints one line a start and the medians. Needs a display (or QT_QPA_PLATFORM=offscreen).
set -eu
program=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/release/bin/stridescope}
starts=${2:-7}
[ -x "$program" ] || { echo "bench_startup: $program is not built" >&2; exit 1; }

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
for _ in $(seq "$starts"); do
    begin=$(date +%s%N)
    HOME=$home STRIDESCOPE_STARTUP_TRACE=exit timeout 20 "$program" >/dev/null 2>"$home/trace"
    line=$(grep '^first-paint' "$home/trace")
    at=$(sed -E 's/.* at ([0-9]+) ns.*/\1/' <<<"$line")
    kib=$(sed -E 's/.*resident ([0-9]+) KiB.*/\1/' <<<"$line")
    echo "$(( (at - begin) / 1000 )) $kib" >>"$home/figures"
    awk 'END { printf "first frame after %.1f ms, resident %.1f MiB\n", $1 / 1000, $2 / 1024 }' "$home/figures"
done
sort -n "$home/figures" | awk '{ us[NR] = $1; kib[NR] = $2 } END { m = int((NR + 1) / 2);
    printf "median: first frame after %.1f ms, resident %.1f MiB (%d starts)\n", us[m] / 1000, kib[m] / 1024, NR }'
