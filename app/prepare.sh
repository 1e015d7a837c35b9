# Sourced by app/run and tests/run: installs what is missing, configures, builds. Not meant to be run by itself.
# After sourcing: `prepare PRESET [TARGET…]` leaves a build in build/PRESET.

STRIDESCOPE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Command-line tools and -dev packages of Debian 12 without which nothing builds.
BUILD_PACKAGES=(g++ cmake ninja-build pkg-config qt6-base-dev qt6-svg-dev zlib1g-dev libarchive-dev libstb-dev
                libwebp-dev libopenblas-dev liblapacke-dev libkissfft-dev python3-dev python3-numpy)
# Speeds up a second build, and makes the window's other languages; nice to have, never a reason to stop.
EXTRA_PACKAGES=(ccache qt6-l10n-tools)

installed() {
    dpkg-query -W -f='${Status}\n' "$1" 2>/dev/null | grep -q '^install ok installed$' && return 0
    case $1 in   # a newer compiler or build tool found on PATH serves as well as Debian's own
        g++|cmake|ccache|pkg-config) command -v "$1" >/dev/null ;;
        ninja-build) command -v ninja >/dev/null ;;
        *) return 1 ;;
    esac
}

install_missing() {   # install_missing NAME… : returns 1 when something is still missing afterwards
    local missing=() package
    for package in "$@"; do installed "$package" || missing+=("$package"); done
    [ ${#missing[@]} -eq 0 ] && return 0
    if ! command -v apt-get >/dev/null; then
        echo "Missing: ${missing[*]}. This script installs with apt-get, which is not here; install them by hand." >&2
        return 1
    fi
    local sudo=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "Missing: ${missing[*]}. Not root and no sudo: run as root  apt-get install ${missing[*]}" >&2
            return 1
        fi
        sudo=(sudo)
    fi
    echo "Installing with apt-get: ${missing[*]}" >&"${STRIDESCOPE_WORDS:-1}"
    local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600)
    if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >/tmp/stridescope-apt.$$ 2>&1; then
        # An empty or old package list is the usual reason: refresh it once.
        "${apt[@]}" update >/tmp/stridescope-apt.$$ 2>&1 || true
        if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >/tmp/stridescope-apt.$$ 2>&1; then
            tail -n 5 "/tmp/stridescope-apt.$$" >&2
            echo "Could not install: ${missing[*]} (is there a network?)" >&2
            rm -f "/tmp/stridescope-apt.$$"
            return 1
        fi
    fi
    rm -f "/tmp/stridescope-apt.$$"
}

prepare() {
    local preset=$1
    shift
    install_missing "${BUILD_PACKAGES[@]}" || return 1
    local package
    for package in "${EXTRA_PACKAGES[@]}"; do install_missing "$package" || echo "Going on without $package."; done
    export CCACHE_BASEDIR=$STRIDESCOPE_ROOT CCACHE_NOHASHDIR=1
    (
        cd "$STRIDESCOPE_ROOT" || exit 1
        [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" "${STRIDESCOPE_CMAKE_ARGS[@]}" || exit 1
        cmake --build --preset "$preset" ${1:+--target "$@"}
    )
}
