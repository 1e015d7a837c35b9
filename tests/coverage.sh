#!/bin/bash
# Which lines of core/ the tests of core run: builds without optimisation, runs the tests, prints each file's share.
# Needs what the build needs, and gcov, which comes with gcc. Files, worst first; the last line is the sum.
#   bash tests/coverage.sh            build, run, print
#   bash tests/coverage.sh --print    print what the last run left
#   bash tests/coverage.sh --lines core/ops/out.cpp    the lines of one file that were not run
set -eu
cd "$(dirname "$0")/.."
build=build/coverage

if [[ ${1:-} != --* ]]; then
    cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O0 -g1 --coverage" \
        -DSTRIDESCOPE_CUDA=OFF -DSTRIDESCOPE_GUI=OFF -DPython_ROOT_DIR=/usr
    tests=$(ctest --test-dir $build -N 2>/dev/null)
    targets=$(sed -n 's/.*: \(tst_.*\)/\1/p' <<< "$tests")
    # Python's tests run the module, where it is built.
    if grep -q ': py_' <<< "$tests"; then targets+=" stridescope_python"; fi
    cmake --build $build --target $targets
    find $build -name '*.gcda' -delete
    QT_QPA_PLATFORM=offscreen ctest --test-dir $build --output-on-failure -j "$(nproc)"
fi

# A header is part of many objects, a template of many types: a line counts as run when any of them ran it.
cd $build # as the compiler was: its paths are relative
find . -name '*.gcda' -print0 | xargs -0 gcov --stdout --relative-only 2>/dev/null |
    awk -v only="${2:-}" '
        {
            n = split($0, field, ":")
            count = field[1]
            line = field[2] + 0
            gsub(/[ *]/, "", count)
            if (n >= 4 && line == 0 && field[3] == "Source") {
                file = field[4]
                sub(/^(\.\.\/)+/, "", file)
                next
            }
            if (n < 3 || line == 0 || count == "-" || file !~ /^core\//) next
            ran = count !~ /^[#=]/
            if (!((file, line) in seen)) {
                seen[file, line] = 0
                lines[file]++
            }
            if (ran && !seen[file, line]) {
                seen[file, line] = 1
                hits[file]++
            }
        }
        END {
            if (only != "") {
                for (key in seen) {
                    split(key, part, SUBSEP)
                    if (part[1] == only && !seen[key]) print part[2] | "sort -n"
                }
                exit
            }
            for (file in lines) {
                printf "%6.1f %%  %5d of %5d  %s\n", 100 * hits[file] / lines[file], hits[file], lines[file], file | "sort -n"
                all += lines[file]
                run += hits[file]
            }
            close("sort -n")
            printf "%6.1f %%  %5d of %5d  all of core\n", 100 * run / all, run, all
        }'
