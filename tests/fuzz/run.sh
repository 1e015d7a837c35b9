# Sourced by tests/run (--fuzz SECONDS): builds the fuzz targets with clang and runs each. Needs STRIDESCOPE_ROOT.

# run_fuzzers SECONDS [NAME…]: every target (or those named) so many seconds; 0 when none found anything.
run_fuzzers() {
    local seconds=$1 build=$STRIDESCOPE_ROOT/build/fuzz targets=() target source
    shift
    if [ $# -gt 0 ]; then
        targets=("$@")
    else
        for source in "$STRIDESCOPE_ROOT"/tests/fuzz/fuzz_*.cpp; do targets+=("$(basename "$source" .cpp)"); done
    fi
    if ! command -v clang++ >/dev/null; then
        echo "Fuzzing needs clang++ (Debian package clang)." >&2
        return 1
    fi
    export CCACHE_BASEDIR=$STRIDESCOPE_ROOT CCACHE_NOHASHDIR=1
    # fuzzer-no-link: the library is instrumented for coverage, the targets alone get libFuzzer's main.
    if [ ! -f "$build/build.ninja" ]; then
        mkdir -p "$build"
        cmake -S "$STRIDESCOPE_ROOT" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
            -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1 -fno-omit-frame-pointer" -DSTRIDESCOPE_FUZZ=ON -DSTRIDESCOPE_GUI=OFF -DSTRIDESCOPE_TESTS=ON -DSTRIDESCOPE_CUDA=OFF \
            -DSTRIDESCOPE_SANITIZE=address,undefined,fuzzer-no-link >"$build/configure.log" 2>&1 ||
            { tail -n 20 "$build/configure.log" >&2; rm -f "$build/build.ninja"; return 1; }
    fi
    cmake --build "$build" --target "${targets[@]}" || return 1

    # As many at once as there are processors; each is one thread.
    local at_once failed=0 index=0
    at_once=$(nproc)
    for target in "${targets[@]}"; do
        fuzz_one "$target" "$seconds" "$build" &
        index=$((index + 1))
        if [ "$index" -ge "$at_once" ]; then wait -n || failed=1; fi
    done
    while [ -n "$(jobs -rp)" ]; do wait -n || failed=1; done
    for target in "${targets[@]}"; do cat "$build/work/$target/verdict"; done
    for target in "${targets[@]}"; do grep -q 'no findings$' "$build/work/$target/verdict" || failed=1; done
    return "$failed"
}

# fuzz_one TARGET SECONDS BUILD: leaves one line in BUILD/work/TARGET/verdict. What it learns stays in …/corpus.
fuzz_one() {
    local target=$1 seconds=$2 build=$3 work=$3/work/$1 options=() own=() runs status covered
    mkdir -p "$work/corpus" "$work/seeds" "$work/findings"
    rm -f "$work/findings"/*
    grep -q writeSeedsIfAsked "$STRIDESCOPE_ROOT/tests/fuzz/$target.cpp" &&
        STRIDESCOPE_WRITE_SEEDS=$work/seeds "$build/bin/tests/$target" >/dev/null 2>&1
    [ -d "$STRIDESCOPE_ROOT/tests/fuzz/seeds/$target" ] && cp "$STRIDESCOPE_ROOT/tests/fuzz/seeds/$target"/* "$work/seeds/"
    # Flags for this target alone, one line; they win over the ones below.
    [ -f "$STRIDESCOPE_ROOT/tests/fuzz/$target.options" ] && read -ra own <"$STRIDESCOPE_ROOT/tests/fuzz/$target.options"
    [ -f "$STRIDESCOPE_ROOT/tests/fuzz/$target.dict" ] && options+=("-dict=$STRIDESCOPE_ROOT/tests/fuzz/$target.dict")
    ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1} \
        "$build/bin/tests/$target" -max_total_time="$seconds" -malloc_limit_mb=64 -rss_limit_mb=2048 -timeout=10 \
        -max_len=65536 -print_final_stats=1 -artifact_prefix="$work/findings/" "${options[@]}" \
        "${own[@]}" \
        "$work/corpus" "$work/seeds" >"$work/log" 2>&1
    status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
    if [ "$status" -eq 0 ] && [ -n "$runs" ] && [ "$runs" -gt 0 ]; then
        # Edges (and edges told apart by how often they were taken) that the start and all that was learned reach.
        covered=$(sed -n 's/^#[0-9]*[\t ]*\(INITED\|DONE\) *cov: \([0-9]*\) ft: \([0-9]*\) .*/\2 (\3)/p' "$work/log" |
            tr '\n' ' ' | sed 's/ $//; s/) /) to /')
        echo "$target: $runs runs, covered $covered, no findings" >"$work/verdict"
        return 0
    fi
    {
        grep -m 3 -E 'ERROR: |runtime error|SUMMARY' "$work/log"
        echo "$target: FOUND SOMETHING (exit code $status): $(ls "$work/findings" | head -n 3 | tr '\n' ' ') log: $work/log"
    } >"$work/verdict"
    return 1
}
