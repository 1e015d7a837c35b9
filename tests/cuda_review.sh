#!/usr/bin/env bash
# Looks at the compiled CUDA kernels without a GPU: registers, spills, shared memory, and loads of several elements.
#   bash tests/cuda_review.sh [ARCH]     ARCH: 80 by default; needs nvcc on the PATH
# For each source: CPU seconds of nvcc, kernels, the most registers, bytes spilled, accesses to global memory in PTX by
# width. Where cuobjdump is installed the same is counted in SASS. Kernels that spill are named.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
arch=${1:-80}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nvcc --version | tail -n 2 | head -n 1
echo "nvcc -std=c++20 -I. --expt-relaxed-constexpr -arch=compute_$arch -ptx FILE; ptxas -arch=sm_$arch -v"
printf '%-14s %8s %8s %9s %6s %7s %7s %7s %7s\n' source 'CPU s' kernels registers spills '16 B ld' '8 B ld' '16 B st' '8 B st'
for source in core/backend/cuda/module/*.cu; do
    name=$(basename "$source" .cu)
    TIMEFORMAT='%U'
    seconds=$({ time nvcc -std=c++20 -I. --expt-relaxed-constexpr -arch="compute_$arch" -ptx -o "$folder/$name.ptx" "$source"; } 2>&1 | tail -n 1)
    more=$({ time ptxas -arch="sm_$arch" -v -o "$folder/$name.cubin" "$folder/$name.ptx" >"$folder/$name.txt" 2>&1; } 2>&1 | tail -n 1)
    awk -v name="$name" -v a="$seconds" -v b="$more" -v ptx="$folder/$name.ptx" -v list="$folder/spilling" '
        /Compiling entry function/ { kernels++; split($0, q, "\x27"); kernel = q[2] }
        /bytes spill stores/ { for (i = 1; i <= NF; ++i) if ($i == "bytes" && $(i + 1) == "spill") { spills += $(i - 1)
                               if ($(i - 1) > 0) { print kernel >> list } break } }
        /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); r = substr($0, RSTART + 5, RLENGTH - 5) + 0; if (r > most) most = r }
        END {
            while ((getline line < ptx) > 0) {
                if (line !~ /(ld|st)\.(global|param)?/) continue
                store = line ~ /st\.global/; if (line !~ /(ld|st)\.global/) continue
                wide = 0
                if (line ~ /v2\.(f64|u64|b64|s64)/ || line ~ /v4\.(f32|u32|b32|s32)/) wide = 16
                else if (line ~ /v2\.(f32|u32|b32|s32)/ || line ~ /v4\.(u16|b16|s16)/ || line ~ /\.(f64|u64|b64|s64)/) wide = 8
                if (wide) count[store, wide]++
            }
            printf "%-14s %8.1f %8d %9d %6d %7d %7d %7d %7d\n", name, a + b, kernels, most, spills,
                   count[0, 16], count[0, 8], count[1, 16], count[1, 8]
        }' "$folder/$name.txt"
    if command -v cuobjdump >/dev/null; then
        cuobjdump --dump-sass "$folder/$name.cubin" |
            awk -v name="$name" '/LDG\.E\.128/ { l++ } /STG\.E\.128/ { s++ } END { printf "%-14s SASS: %d LDG.E.128, %d STG.E.128\n", name, l, s }'
    fi
done
if [ -s "$folder/spilling" ]; then
    echo "These spill:"
    sort -u "$folder/spilling" | { c++filt 2>/dev/null || cat; } | sed 's/^/  /'
else
    echo "No kernel spills."
fi
command -v cuobjdump >/dev/null || echo "cuobjdump is not installed: SASS was not looked at."
