#!/usr/bin/env bash
# Builds the .deb of build/PRESET (release unless named) and checks what is in it. With --install as root the package is
# installed into a bare Debian 12 made by debootstrap (network), and the program does its main job there.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=0 preset=release
for argument; do
    case $argument in --install) install=1 ;; *) preset=$argument ;; esac
done
build=$root/build/$preset
[ -f "$build/CPackConfig.cmake" ] || { echo "Build first: cmake --preset $preset && cmake --build --preset $preset --target stridescope" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work/out" >"$work/log" 2>&1) || { cat "$work/log"; exit 1; }
deb=$(echo "$work"/out/stridescope_*.deb)
passed=0 failed=0
check() { # check WHAT COMMAND…
    local what=$1
    shift
    if "$@" >"$work/said" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; head -5 "$work/said"; fi
}
dpkg-deb -c "$deb" >"$work/list"
dpkg-deb -x "$deb" "$work/tree"
for file in bin/stridescope share/applications/stridescope.desktop share/icons/hicolor/scalable/apps/stridescope.svg \
    share/metainfo/stridescope.metainfo.xml share/mime/packages/stridescope.xml share/man/man1/stridescope.1.gz \
    share/bash-completion/completions/stridescope share/doc/stridescope/OFL.txt; do
    check "holds /usr/$file" grep -q " \./usr/$file\$" "$work/list"
done
check "nothing outside /usr" bash -c "! grep -v ' \./usr/' '$work/list' | grep -qv ' \./\$'"
check "nothing of this machine in its text files" bash -c "! grep -rIl '$root' '$work/tree'"
dpkg-deb -f "$deb" Depends >"$work/depends"
for library in libqt6widgets6 libqt6svg6 libopenblas0 liblapacke libwebpmux3 libc6; do
    check "depends on $library" grep -q "$library" "$work/depends"
done
check "does not depend on Python" bash -c "! grep -q python '$work/depends'"
check "says its version" test "$(dpkg-deb -f "$deb" Version | cut -d- -f1)" = "$("$work/tree/usr/bin/stridescope" --version | sed -n '1s/.* //p')"
if [ -d "$build/python" ]; then
    check "holds the Python module" grep -q " \./usr/lib/stridescope/python/stridescope/_core.so\$" "$work/list"
    check "Debian's Python finds it" grep -q " \./usr/lib/python3/dist-packages/stridescope.pth\$" "$work/list"
fi
check "completion is bash" bash -n "$work/tree/usr/share/bash-completion/completions/stridescope"
! command -v xmllint >/dev/null || check "MIME types and AppStream are XML" xmllint --noout "$work/tree/usr/share/mime/packages/stridescope.xml" "$work/tree/usr/share/metainfo/stridescope.metainfo.xml"
! command -v desktop-file-validate >/dev/null || check "desktop file" desktop-file-validate "$work/tree/usr/share/applications/stridescope.desktop"
# The project has no domain whose name, turned round, could be its identifier.
! command -v appstreamcli >/dev/null || check "AppStream data" appstreamcli validate --no-net --override=cid-desktopapp-is-not-rdns=info "$work/tree/usr/share/metainfo/stridescope.metainfo.xml"
check "draws without HOME, Python and display" env -i PATH=/nowhere "$work/tree/usr/bin/stridescope" render --demo view-fails -o "$work/a.svg"
echo "$(basename "$deb"): $(du -k "$deb" | cut -f1) kB; $(tr -d '\n' <"$work/depends")"
if [ "$install" -eq 1 ]; then
    bare=$work/bare
    debootstrap --variant=minbase bookworm "$bare" "${STRIDESCOPE_MIRROR:-http://deb.debian.org/debian}" >"$work/log" 2>&1 || { tail -5 "$work/log"; exit 1; }
    cp "$deb" "$bare/tmp/"
    check "installs on a bare Debian 12" chroot "$bare" sh -c "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /tmp/$(basename "$deb")"
    check "no compiler there" bash -c "! chroot '$bare' sh -c 'command -v gcc || command -v python3'"
    check "draws there" chroot "$bare" env -i stridescope render --demo view-fails -o /tmp/a.png
    check "the picture is one" grep -q PNG "$bare/tmp/a.png"
    check "its window opens there" bash -c "timeout 10 chroot '$bare' env -i QT_QPA_PLATFORM=offscreen stridescope; test \$? -eq 124"
    # With a real X server where there is one; its socket has no place in the file system that a chroot could hide.
    if command -v Xvfb >/dev/null; then
        Xvfb -displayfd 3 -screen 0 1280x720x24 3>"$work/display" 2>/dev/null &
        server=$!
        for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$work/display" ] || sleep 0.5; done
        display=:$(cat "$work/display")
        timeout 15 chroot "$bare" env -i "DISPLAY=$display" stridescope >"$work/said" 2>&1 &
        window=$!
        sleep 8
        ! command -v import >/dev/null || import -display "$display" -window root "$build/package/window.png"
        check "it stands on an X server" kill -0 "$window"
        wait "$window" || true
        kill "$server"
    fi
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
