#!/usr/bin/env bash
# Everything that needs a GPU, in one go: builds the module for all architectures, runs the operator suite on cuda against
# the CPU, the same under compute-sanitizer, and the benchmarks, beside PyTorch where a Python with it is named.
#   bash tests/gpu.sh [--torch PYTHON] [--quick]
# --quick leaves compute-sanitizer's slower tools out. Ends with 0 only when all of it passed. Reports lie in build/cuda/gpu.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.."
torch="" quick=0
while [ $# -gt 0 ]; do
    case $1 in
        --torch) torch=${2:?--torch needs a Python}; shift 2 ;;
        --quick) quick=1; shift ;;
        *) sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
done
. app/prepare.sh
prepare cuda || exit 1
build=build/cuda out=build/cuda/gpu failed=0
mkdir -p "$out"
export STRIDESCOPE_REQUIRE_CUDA=1 QT_QPA_PLATFORM=offscreen
step() { # words, file, command…
    local words=$1 file=$out/$2
    shift 2
    if "$@" >"$file" 2>&1; then echo "passed: $words"; else echo "FAILED: $words, see $file"; failed=1; fi
}
nvidia-smi >"$out/nvidia-smi.txt" 2>&1 || { echo "nvidia-smi finds no GPU"; exit 1; }
step "the module is whole" module.txt "$build/bin/tests/tst_cuda_module"
step "every operation on cuda against the CPU" operations.txt "$build/bin/tests/tst_operations_on_cuda"
step "the same with every launch waited for" blocking.txt env CUDA_LAUNCH_BLOCKING=1 "$build/bin/tests/tst_operations_on_cuda"
tools="memcheck"
[ "$quick" = 1 ] || tools="memcheck racecheck initcheck synccheck"
for tool in $tools; do
    step "compute-sanitizer $tool" "$tool.txt" compute-sanitizer --tool "$tool" --error-exitcode 1 \
        "$build/bin/tests/tst_operations_on_cuda"
done
step "kernels: registers, spills, vector loads" review.txt bash tests/cuda_review.sh
if [ -n "$torch" ]; then
    step "times beside PyTorch" times.txt env PYTHONPATH="$build/python" python3 tests/benchmarks/compare_cuda.py --torch "$torch"
else
    step "times" times.txt env PYTHONPATH="$build/python" python3 tests/benchmarks/compare_cuda.py
fi
used=$(nvidia-smi --query-compute-apps=pid --format=csv,noheader | wc -l)
echo "processes left on the GPU: $used"
exit "$failed"
