#include "core/ops/linalg_refine.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/linalg_checks.h"
#include "core/ops/promotion.h"

namespace stridescope::linalg {

namespace {

MatrixBatch operandOf(const Tensor& t, Index rows, Index cols) {
    return {bytesOf(t), rows, cols};
}

} // namespace

Tensor refineLeastSquares(const Tensor& a, const Tensor& b, Matrices& x) {
    constexpr Index kSmall = 4096; // elements of A
    const Index m = a.size(-2), n = a.size(-1), sides = x.cols;
    if (isComplex(a.dtype()) || x.work() != DType::Float64 || m < n || n == 0 || m * n > kSmall) return {};
    const Tensor left = contiguous(to(a, DType::Float64)), right = contiguous(to(b, DType::Float64));
    Dims shape = batchOf(a);
    shape.push_back(sides);
    Tensor squares = zeros(shape, {DType::Float64, a.device()});
    LinalgArgs args;
    args.routine = LinalgRoutine::RefineLeastSquares;
    args.batch = x.batch;
    args.a = operandOf(left, m, n);
    args.b = operandOf(right, m, sides);
    args.c = x.operand();
    args.values = bytesOf(squares);
    return answered(args, a.device()).ok() ? squares : Tensor();
}

void refineSystem(const Tensor& a, const Tensor& b, const Matrices& lu, const Pivots& pivots, bool transposed,
                  Matrices& x) {
    constexpr Index kSmall = 1024; // multiplications of one correction
    const Index n = x.rows, sides = x.cols;
    if (isComplex(a.dtype()) || x.work() != DType::Float64 || lu.work() != DType::Float64) return;
    if (n == 0 || sides == 0 || n > kSmall || n * n > kSmall || n * n * sides > kSmall) return;
    const Tensor left = contiguous(to(a, DType::Float64)), right = contiguous(to(b, DType::Float64));
    LinalgArgs args;
    args.routine = LinalgRoutine::RefineSystem;
    args.batch = x.batch;
    args.a = operandOf(left, n, n);
    args.b = operandOf(right, n, sides);
    args.c = x.operand();
    args.values = lu.operand().data;
    args.pivots = pivots.data();
    args.transpose = transposed;
    run(args, a.device());
}

} // namespace stridescope::linalg
