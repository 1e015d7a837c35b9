// Systems of equations, inverses and Cholesky factors: refused where there is none, or told by a number (_ex).

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/linalg.h"
#include "core/ops/linalg_checks.h"
#include "core/ops/linalg_refine.h"
#include "core/ops/observation.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/broadcast.h"

#include <limits>

namespace stridescope {

namespace {

using linalg::batchText;
using linalg::LapackInfo;
using linalg::Matrices;
using linalg::publish;
using linalg::refuse;
using linalg::requireMatrices;
using linalg::requireSquare;
using linalg::warnOfCondition;

struct Outcome {
    Tensor result;
    LapackInfo info;
};

/// Matrices of which there is no result become NaN.
void spoil(const Matrices& m, const LapackInfo& info) {
    if (info.ok()) return;
    const Tensor list = view(transpose(m.tensor, -1, -2), {m.batch, m.cols * m.rows});
    for (Index i = 0; i < m.batch; ++i)
        if (info.each[static_cast<std::size_t>(i)] > 0)
            fill_(select(list, 0, i), std::numeric_limits<double>::quiet_NaN());
}

Outcome solved(const char* name, const Tensor& a, const Tensor& b, bool left) {
    requireSquare(name, a);
    if (b.defined() && b.dim() == 0)
        refuse("LINALG-01", std::string(name) + ": The input tensor B must have at least 2 dimensions.");
    if (!b.defined()) requireMatrices(name, b);
    linalg::requireSameDevice(a, b);
    linalg::requireSameDType(name, a, b);
    const trace::Nested nested;
    const bool vector = linalg::isVectorCase(a, b);
    if (vector && !left)
        refuse("LINALG-05",
               std::string(name) + ": Vector broadcasting of the left hand side is not supported for left=False. In "
                                   "this case linalg.solve is equivalent to B / A.squeeze(-1)",
               "unsqueeze() makes matrices of vectors.");
    const Tensor sides = vector ? unsqueeze(b, -1) : b;
    // X A = B is A^T X^T = B^T.
    const bool rowMajor = linalg::factorsTransposed(a), transposed = rowMajor == left;
    const Tensor matrix = left ? a : transpose(a, -1, -2), right = left ? sides : transpose(sides, -1, -2);
    if (right.size(-2) != a.size(-1)) linalg::refuseSystem(name, a, sides, left);
    const Dims batch = broadcastShapes(linalg::batchOf(matrix), linalg::batchOf(right)).valueOrThrow();
    const Tensor whole = linalg::withBatch(matrix, batch);
    Matrices lu = linalg::columnMajor(transposed ? transpose(whole, -1, -2) : whole),
             x = linalg::columnMajor(linalg::withBatch(right, batch));
    if (x.work() != lu.work()) { // many right sides and a small matrix, or the other way round
        const DType wide = itemSize(x.work()) > itemSize(lu.work()) ? x.work() : lu.work();
        for (Matrices* m : {&lu, &x})
            if (m->work() != wide) m->tensor = to(m->tensor, wide);
    }
    linalg::Pivots pivots;
    LapackInfo info = linalg::luFactor(lu, pivots);
    if (info.ok()) warnOfCondition(name, whole, lu);
    linalg::luSolve(lu, pivots, x, transposed);
    linalg::refineSystem(whole, linalg::withBatch(right, batch), lu, pivots, transposed, x);
    spoil(x, info);
    Tensor solution = x.result();
    if (!left) solution = transpose(solution, -1, -2);
    if (!vector) return {solution, std::move(info)};
    solution = squeeze(solution, -1);
    // PyTorch lays a batch of vectors out as if it were a matrix, by columns.
    if (solution.dim() > 1) solution = transpose(contiguous(transpose(solution, -1, -2)), -1, -2);
    return {solution, std::move(info)};
}

Outcome inverted(const char* name, const Tensor& a) {
    requireSquare(name, a);
    const trace::Nested nested;
    constexpr Index kLarge = 64;
    const bool isLarge = a.size(-1) > kLarge, transposed = !isLarge && linalg::factorsTransposed(a);
    Matrices m = linalg::columnMajor(transposed ? transpose(a, -1, -2) : a);
    linalg::Pivots pivots;
    LapackInfo info = linalg::luFactor(m, pivots);
    if (info.ok()) warnOfCondition(name, a, m);
    if (isLarge && info.ok() &&
        linalg::has(LinalgRoutine::LuInvert, a.device())) { // a third less to compute; adding 0 turns -0 into 0
        linalg::luInvert(m, pivots);
        if (isComplex(m.work()))
            add_(complexops::parts(m.tensor), Scalar(0.0));
        else
            add_(m.tensor, Scalar(0.0));
        return {m.result(), std::move(info)};
    }
    // The columns of the identity as right sides, as in PyTorch.
    Matrices inverse = linalg::sameBatch(m, m.rows, m.cols);
    fill_(diagonal(inverse.tensor, 0, -2, -1), 1);
    const Tensor identity = clone(inverse.tensor);
    linalg::luSolve(m, pivots, inverse, transposed);
    linalg::refineSystem(a, identity, m, pivots, transposed, inverse);
    spoil(inverse, info);
    return {inverse.result(), std::move(info)};
}

Outcome factored(const char* name, const Tensor& a, bool upper) {
    requireSquare(name, a);
    const trace::Nested nested;
    Matrices m = linalg::columnMajor(a);
    LapackInfo info = linalg::cholesky(m, upper);
    return {m.result(), std::move(info)};
}

void checkSolved(const std::string& name, const Tensor& a, const Tensor& b, const Tensor& result,
                 const LapackInfo& info) {
    if (info.ok()) return;
    const trace::Nested nested;
    // The result as matrices, whose number tells whether there is a batch.
    const Tensor sides = linalg::isVectorCase(a, b) ? unsqueeze(result, -1) : result;
    refuse("LINALG-07",
           name + ": " + batchText(sides, info) + "The solver failed because the input matrix is singular.",
           "Its rows depend on one another; lstsq gives the best approximation.");
}

void checkInverted(const std::string& name, const Tensor& a, const LapackInfo& info) {
    if (!info.ok())
        refuse("LINALG-07",
               name + ": " + batchText(a, info) + "The diagonal element " + std::to_string(info.info) +
                   " is zero, the inversion could not be completed because the input matrix is singular.",
               "Its rows depend on one another; pinv gives the pseudo-inverse.");
}

void checkFactored(const std::string& name, const Tensor& a, const LapackInfo& info) {
    if (!info.ok())
        refuse("LINALG-07",
               name + ": " + batchText(a, info) +
                   "The factorization could not be completed because the input is not positive-definite (the leading "
                   "minor of order " +
                   std::to_string(info.info) + " is not positive-definite).",
               "Every leading minor must be above 0.");
}

} // namespace

Tensor solve(const Tensor& a, const Tensor& b, bool left) {
    const Observation observation;
    const Outcome found = solved("linalg.solve", a, b, left);
    checkSolved("torch.linalg.solve", a, b, found.result, found.info);
    publish(observation, "linalg.solve", {&a, &b}, {&found.result}, left ? "" : "left=False");
    return found.result;
}

ResultAndInfo solveEx(const Tensor& a, const Tensor& b, bool left, bool check) {
    const Observation observation;
    const Outcome found = solved("linalg.solve", a, b, left);
    if (check) checkSolved("torch.linalg.solve_ex", a, b, found.result, found.info);
    Dims batch = found.result.shape();
    for (Index d = 0; d < (linalg::isVectorCase(a, b) ? 1 : 2); ++d) batch.erase(batch.size() - 1);
    ResultAndInfo both{found.result, linalg::infoTensor(found.info, batch, a.device())};
    publish(observation, "linalg.solve_ex", {&a, &b}, {&both.result, &both.info}, left ? "" : "left=False");
    return both;
}

Tensor inv(const Tensor& a) {
    const Observation observation;
    const Outcome found = inverted("linalg.inv", a);
    checkInverted("linalg.inv", a, found.info);
    publish(observation, "linalg.inv", {&a}, {&found.result});
    return found.result;
}

ResultAndInfo invEx(const Tensor& a, bool check) {
    const Observation observation;
    const Outcome found = inverted("linalg.inv", a);
    if (check) checkInverted("linalg.inv_ex", a, found.info);
    ResultAndInfo both{found.result, linalg::infoTensor(found.info, linalg::batchOf(a), a.device())};
    publish(observation, "linalg.inv_ex", {&a}, {&both.result, &both.info});
    return both;
}

Tensor cholesky(const Tensor& a, bool upper) {
    const Observation observation;
    const Outcome found = factored("linalg.cholesky", a, upper);
    checkFactored("linalg.cholesky", a, found.info);
    publish(observation, "linalg.cholesky", {&a}, {&found.result}, upper ? "upper=True" : "");
    return found.result;
}

ResultAndInfo choleskyEx(const Tensor& a, bool upper, bool check) {
    const Observation observation;
    const Outcome found = factored("linalg.cholesky", a, upper);
    if (check) checkFactored("linalg.cholesky_ex", a, found.info);
    ResultAndInfo both{found.result, linalg::infoTensor(found.info, linalg::batchOf(a), a.device())};
    publish(observation, "linalg.cholesky_ex", {&a}, {&both.result, &both.info}, upper ? "upper=True" : "");
    return both;
}

} // namespace stridescope
