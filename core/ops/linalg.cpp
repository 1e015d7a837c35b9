// Least squares, triangles, factors and numbers. Systems and inverses: linalg_solve.cpp; eigenvalues: linalg_eigen.cpp;
// what is made of these: linalg_derived.cpp.

#include "core/ops/linalg.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/linalg_checks.h"
#include "core/ops/linalg_refine.h"
#include "core/ops/masking.h"
#include "core/ops/observation.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/broadcast.h"

#include <charconv>
#include <cmath>

namespace stridescope {

namespace {

using linalg::batchText;
using linalg::LapackInfo;
using linalg::Matrices;
using linalg::publish;
using linalg::refuse;
using linalg::refuseSystem;
using linalg::requireMatrices;
using linalg::requireSameDType;
using linalg::requireSquare;
using linalg::withBatch;

} // namespace

Tensor solveTriangular(const Tensor& a, const Tensor& b, bool upper, bool left, bool unitriangular) {
    constexpr const char* kName = "linalg.solve_triangular";
    requireSquare(kName, a);
    if (b.defined() && b.dim() < 2)
        refuse("LINALG-01", "linalg.solve_triangular: The input tensor B must have at least 2 dimensions.");
    requireMatrices(kName, b, linalg::Elements::Any);
    linalg::requireSameDevice(a, b);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        // X A = B is A^T X^T = B^T, and the transpose of an upper triangle is a lower one.
        // PyTorch brings B to A's dtype, whatever it is.
        const Tensor sides = to(b, a.dtype());
        const Tensor matrix = left ? a : transpose(a, -1, -2), right = left ? sides : transpose(sides, -1, -2);
        const bool isUpper = left ? upper : !upper;
        if (right.size(-2) != matrix.size(-1)) refuseSystem(kName, a, b, left);
        const Dims batch = broadcastShapes(linalg::batchOf(matrix), linalg::batchOf(right)).valueOrThrow();
        const Matrices factor = linalg::columnMajor(withBatch(matrix, batch));
        Matrices x = linalg::columnMajor(withBatch(right, batch));
        if (x.work() != factor.work()) x.tensor = to(x.tensor, factor.work());
        linalg::triangularSolve(factor, x, isUpper, false, unitriangular);
        const Tensor solution = x.result();
        // Column-major from either side, as in PyTorch.
        return left ? solution : transpose(contiguous(solution), -1, -2);
    }();
    publish(observation, kName, {&a, &b}, {&result},
            std::string(upper ? "upper=True" : "upper=False") + (left ? "" : ", left=False") +
                (unitriangular ? ", unitriangular=True" : ""));
    return result;
}

namespace {

/// What was asked for beside the tensors, as code.
std::string leastSquaresText(std::optional<double> rcond, std::optional<std::string_view> driver) {
    std::string text;
    if (rcond) {
        char number[32]; // as many digits as it takes to be read back
        text = std::string(number, std::to_chars(number, number + sizeof number, *rcond).ptr);
    }
    if (driver) text += (text.empty() ? "driver='" : ", driver='") + std::string(*driver) + "'";
    return text;
}

} // namespace

LeastSquares lstsq(const Tensor& a, const Tensor& b, std::optional<double> rcond,
                   std::optional<std::string_view> asked) {
    constexpr const char* kName = "torch.linalg.lstsq";
    requireMatrices(kName, a);
    if (b.defined() && b.dim() == 0) refuse("LINALG-01", "torch.linalg.lstsq: other must have at least 1 dimension.");
    requireMatrices(kName, b.defined() && b.dim() == 1 ? unsqueeze(b, -1) : b);
    linalg::requireSameDevice(a, b);
    const bool hasPivoted = linalg::has(LinalgRoutine::LeastSquaresPivoted, a.device());
    const std::string_view driver = asked.value_or(hasPivoted ? "gelsy" : "gels");
    if (driver != "gels" && driver != "gelsy" && driver != "gelsd" && driver != "gelss")
        refuse("LINALG-08", "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)",
               "It is \"" + std::string(driver) + "\".");
    if (a.dtype() != b.dtype())
        refuse("LINALG-06", "torch.linalg.lstsq: input.dtype must be the same as other.dtype",
               "They are " + std::string(name(a.dtype())) + " and " + std::string(name(b.dtype())) + ".");
    const bool vector = a.dim() - b.dim() == 1;
    if (!vector && a.dim() != b.dim())
        refuse("LINALG-05",
               "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and "
               "(input.dim() - other.dim()) <= 1",
               "They have " + std::to_string(a.dim()) + " and " + std::to_string(b.dim()) +
                   " dims: expand() gives the smaller one those of the batch.");
    const Observation observation;
    LeastSquares result;
    {
        const trace::Nested nested;
        const Tensor right = vector ? unsqueeze(b, -1) : b;
        const Index m = a.size(-2), n = a.size(-1);
        if (right.size(-2) != m)
            refuse("LINALG-05",
                   "torch.linalg.lstsq: input.size(-2) should match other.size(" + std::string(vector ? "-1)" : "-2)"),
                   "They are " + std::to_string(m) + " and " + std::to_string(right.size(-2)) + ".");
        const Dims batch = broadcastShapes(linalg::batchOf(a), linalg::batchOf(right)).valueOrThrow();
        Matrices left = linalg::columnMajor(withBatch(a, batch)), x = linalg::columnMajor(withBatch(right, batch), n);
        if (x.work() != left.work()) x.tensor = to(x.tensor, left.work());
        const double epsilon = realPartDType(a.dtype()) == DType::Float64 ? 0x1p-52 : 0x1p-23;
        const double limit = rcond.value_or(epsilon * static_cast<double>(std::max(m, n)));
        std::vector<Index> ranks;
        Tensor singular;
        bool fullRank = true;
        if (driver == "gels") {
            if (const LapackInfo info = linalg::leastSquaresFull(left, x); !info.ok())
                refuse("LINALG-07",
                       "torch.linalg.lstsq: " + batchText(left.tensor, info) +
                           "The least squares solution could not be computed because the input matrix does not have "
                           "full rank (error code: " +
                           std::to_string(info.info) + ").",
                       "The driver gelsd takes any rank.");
            linalg::warnOfCondition("torch.linalg.lstsq", withBatch(a, batch), left);
        } else {
            const bool bySingular = driver != "gelsy";
            if (const LapackInfo info = linalg::leastSquares(left, x, bySingular, limit, ranks, singular); !info.ok())
                refuse("LINALG-07",
                       "torch.linalg.lstsq: " + batchText(left.tensor, info) + "The singular values did not converge.");
            result.rank = zeros(batch, {DType::Int64, Device{}});
            for (std::size_t i = 0; i < ranks.size(); ++i) {
                result.rank.data<std::int64_t>()[i] = ranks[i];
                fullRank = fullRank && ranks[i] == n;
            }
            result.rank.storage()->bumpVersion();
            result.rank = linalg::placed(result.rank, a.device());
            if (bySingular) result.singularValues = to(singular, realPartDType(a.dtype()));
        }
        Tensor squares;
        if (fullRank) squares = linalg::refineLeastSquares(withBatch(a, batch), withBatch(right, batch), x);
        const Tensor whole = x.result();
        if (squares.defined()) add_(whole, Scalar(0.0)); // what has come down to 0 from below is -0
        const Tensor solution = narrow(whole, -2, 0, n);
        result.solution = vector ? squeeze(solution, -1) : solution;
        // gelsy leaves no residuals behind, as in PyTorch.
        if (m > n && fullRank && driver != "gelsy" && squares.defined()) {
            result.residuals = to(squares, realPartDType(a.dtype()));
        } else if (m > n && fullRank && driver != "gelsy") {
            const Tensor rest = abs(narrow(x.tensor, -2, n, m - n));
            result.residuals = to(sum(mul(rest, rest), -2), realPartDType(a.dtype()));
        }
        const Tensor none = zeros({0}, {realPartDType(a.dtype()), a.device()});
        if (!result.residuals.defined()) result.residuals = none;
        if (!result.singularValues.defined()) result.singularValues = none;
        if (!result.rank.defined()) result.rank = zeros({0}, {DType::Int64, a.device()});
    }
    publish(observation, "linalg.lstsq", {&a, &b},
            {&result.solution, &result.residuals, &result.rank, &result.singularValues},
            leastSquaresText(rcond, asked));
    return result;
}

namespace {

/// The rows below the solution hold what is left of the right side. What is rounding noise beside that side becomes 0:
/// a system that has an exact answer then prints as one that has.
void dropResidualNoise(const Matrices& x, const Tensor& b, Index n) {
    const Index m = b.size(0);
    if (m <= n || b.size(1) == 0) return;
    const double epsilon = realPartDType(x.work()) == DType::Float64 ? 0x1p-52 : 0x1p-23;
    const Tensor rest = narrow(x.tensor, -2, n, m - n);
    const Tensor noise = mul(norm(to(b, x.work()), 2.0, Index{0}, true), Scalar(epsilon * static_cast<double>(m)));
    maskedFill_(rest, le(abs(rest), noise), Scalar(0.0));
}

} // namespace

std::pair<Tensor, Tensor> gels(const Tensor& b, const Tensor& a) {
    requireMatrices("gels", a);
    if (!b.defined()) requireMatrices("gels", b);
    linalg::requireSameDevice(b, a);
    requireSameDType("gels", a, b);
    if (a.dim() != 2 || b.dim() != 2 || a.size(0) != b.size(0))
        refuse("LINALG-05",
               "gels: expected two matrices of as many rows, but got sizes " +
                   toListString(std::span<const Index>(b.shape())) + " and " +
                   toListString(std::span<const Index>(a.shape())),
               "The right side comes first: gels(B, A).");
    const Observation observation;
    std::pair<Tensor, Tensor> result;
    {
        const trace::Nested nested;
        Matrices factors = linalg::columnMajor(a), x = linalg::columnMajor(b, a.size(1));
        if (x.work() != factors.work()) x.tensor = to(x.tensor, factors.work());
        if (const LapackInfo info = linalg::leastSquaresFull(factors, x); !info.ok())
            refuse("LINALG-07",
                   "gels: the " + std::to_string(info.info) +
                       "-th diagonal element of the triangular factor of A is "
                       "zero: A does not have full rank",
                   "linalg.lstsq(A, B, driver=\"gelsd\") takes any rank.");
        linalg::warnOfCondition("gels", a, factors);
        const bool refined = linalg::refineLeastSquares(a, b, x).defined();
        dropResidualNoise(x, b, a.size(1));
        result = {x.result(), factors.result()};
        if (refined) add_(narrow(result.first, -2, 0, a.size(1)), Scalar(0.0));
    }
    publish(observation, "gels", {&b, &a}, {&result.first, &result.second});
    return result;
}

Qr qr(const Tensor& a, std::string_view mode) {
    requireMatrices("linalg.qr", a);
    if (mode != "reduced" && mode != "complete" && mode != "r")
        refuse("LINALG-08", "qr received unrecognized mode '" + std::string(mode) +
                                "' but expected one of 'reduced' (default), 'r', or 'complete'");
    const Observation observation;
    Qr result;
    {
        const trace::Nested nested;
        const Index m = a.size(-2), n = a.size(-1), least = std::min(m, n);
        Matrices factors = linalg::columnMajor(a);
        Tensor tau;
        linalg::qrFactor(factors, tau);
        const Index rows = mode == "complete" ? m : least;
        Matrices r = linalg::sameBatch(factors, rows, n);
        const Index shared = std::min(rows, m);
        // The upper triangle is R; below it lie the reflectors.
        for (Index col = 0; col < n; ++col) {
            const Index count = std::min(col + 1, shared);
            copy_(narrow(select(r.tensor, -1, col), -1, 0, count),
                  narrow(select(factors.tensor, -1, col), -1, 0, count));
        }
        result.r = r.result();
        if (mode == "r") {
            result.q = zeros({0}, {a.dtype(), a.device()});
        } else {
            Matrices q = linalg::sameBatch(factors, m, rows);
            copy_(narrow(q.tensor, -1, 0, least), narrow(factors.tensor, -1, 0, least));
            linalg::qrMultiply(q, tau, least);
            result.q = q.result();
        }
    }
    publish(observation, "linalg.qr", {&a}, {&result.q, &result.r},
            mode == "reduced" ? "" : "mode='" + std::string(mode) + "'");
    return result;
}

Tensor det(const Tensor& a) {
    requireSquare("linalg.det", a);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        Matrices m = linalg::columnMajor(linalg::factorsTransposed(a) ? transpose(a, -1, -2) : a);
        linalg::Pivots pivots;
        (void)linalg::luFactor(m, pivots);
        return to(linalg::luDeterminant(m, pivots, linalg::batchOf(a)), a.dtype());
    }();
    publish(observation, "linalg.det", {&a}, {&result});
    return result;
}

SignLogDet slogdet(const Tensor& a) {
    requireSquare("linalg.slogdet", a);
    const Observation observation;
    SignLogDet result;
    {
        const trace::Nested nested;
        // In the widest precision: the logarithms of many small factors are summed.
        const Tensor wide = to(a, isComplex(a.dtype()) ? DType::Complex128 : DType::Float64);
        Matrices m = linalg::columnMajor(linalg::factorsTransposed(a) ? transpose(wide, -1, -2) : wide);
        linalg::Pivots pivots;
        (void)linalg::luFactor(m, pivots);
        const Dims shape = linalg::batchOf(a);
        const Tensor sign = zeros(shape, {m.work(), a.device()}),
                     logarithm = zeros(shape, {DType::Float64, a.device()});
        linalg::luLogDeterminant(m, pivots, sign, logarithm);
        result = {to(sign, a.dtype()), to(logarithm, realPartDType(a.dtype()))};
    }
    publish(observation, "linalg.slogdet", {&a}, {&result.sign, &result.logabsdet});
    return result;
}

} // namespace stridescope
