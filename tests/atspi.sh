#!/usr/bin/env bash
# Walks every screen of the window as a screen reader does: over AT-SPI, from another process, on an X server of its own.
#   bash tests/atspi.sh [PROGRAM]
# Wants xvfb, xdotool, dbus, at-spi2-core, gir1.2-atspi-2.0 and python3-gi (Debian); says so where one is missing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${1:-$root/build/release/bin/stridescope}
[ -x "$program" ] || { echo "Build first: bash app/run --version" >&2; exit 2; }
for tool in Xvfb xdotool dbus-run-session; do
    command -v $tool >/dev/null || { echo "$tool is missing" >&2; exit 2; }
done
/usr/bin/python3 -c "import gi; gi.require_version('Atspi', '2.0')" 2>/dev/null || { echo "gir1.2-atspi-2.0 is missing" >&2; exit 2; }
home=$(mktemp -d)
Xvfb -displayfd 3 -screen 0 1600x1000x24 3>"$home/display" 2>/dev/null &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$home"' EXIT
for _ in $(seq 40); do [ -s "$home/display" ] && break; sleep 0.25; done
export DISPLAY=:$(cat "$home/display") HOME=$home XDG_CONFIG_HOME=$home/.config XDG_RUNTIME_DIR=$home LANG=C.UTF-8
export QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1
unset QT_QPA_PLATFORM WAYLAND_DISPLAY
chmod 700 "$home"
cd "$home"
dbus-run-session -- bash -c '
    /usr/libexec/at-spi-bus-launcher --launch-immediately 2>/dev/null & bus=$!
    sleep 1
    "$0" 2>/dev/null & window=$!
    /usr/bin/python3 "$1"; code=$?
    kill $window $bus
    exit $code' "$program" "$root/tests/atspi_walk.py"
