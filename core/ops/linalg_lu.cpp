// LU and Cholesky factors, and what is solved with them.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/linalg.h"
#include "core/ops/linalg_checks.h"
#include "core/ops/masking.h"
#include "core/ops/matmul.h"
#include "core/ops/observation.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/broadcast.h"
#include "core/view/view_ops.h"

#include <algorithm>

namespace stridescope {

namespace {

using linalg::LapackInfo;
using linalg::Matrices;
using linalg::Pivots;
using linalg::publish;
using linalg::refuse;
using linalg::requireMatrices;
using linalg::requireSquare;
using linalg::withBatch;

struct Factors {
    Matrices packed;
    Pivots pivots;
    LapackInfo info;
};

Factors factorsOf(const Tensor& a) {
    Factors f;
    f.packed = linalg::columnMajor(a);
    f.info = linalg::luFactor(f.packed, f.pivots);
    return f;
}

LuFactor publicFactors(const Tensor& a, const Factors& f) {
    Dims shape = linalg::batchOf(a);
    shape.push_back(std::min(f.packed.rows, f.packed.cols));
    const Tensor pivots = f.pivots.tensor(shape);
    return {f.packed.result(), pivots};
}

/// Where the first 0 stands on each diagonal, counted from 1; 0 where there is none.
Tensor firstZeros(const Matrices& packed, const Dims& batch) {
    const Tensor zero = eq(diagonal(packed.tensor, 0, -2, -1), 0);
    const Tensor info = zeros(batch, {DType::Int32, Device{}});
    const Tensor rows = contiguous(to(zero, Device{})); // waits, as all reading of info does
    const Index count = rows.dim() > 0 ? rows.size(-1) : 0;
    for (Index i = 0; count > 0 && i < info.numel(); ++i) {
        const bool* begin = rows.data<bool>() + i * count;
        const bool* found = std::find(begin, begin + count, true);
        if (found != begin + count) info.data<std::int32_t>()[i] = static_cast<std::int32_t>(found - begin) + 1;
    }
    info.storage()->bumpVersion();
    return linalg::placed(info, packed.device());
}

/// L and U of packed factors; ones on L's diagonal are not stored.
Tensor unitLower(const Tensor& packed) {
    Tensor l = tril(narrow(packed, -1, 0, std::min(packed.size(-2), packed.size(-1))), -1);
    fill_(diagonal(l, 0, -2, -1), 1);
    return l;
}
Tensor upper(const Tensor& packed) {
    return triu(narrow(packed, -2, 0, std::min(packed.size(-2), packed.size(-1))));
}

/// PyTorch's conditions on a factor and a right side.
void requireSystem(const char* name, const char* factorName, const Tensor& factor, const Tensor& b, bool left) {
    requireSquare(name, factor);
    if (b.defined() && b.dim() < 2)
        refuse("LINALG-01", std::string(name) + ": The input tensor B must have at least 2 dimensions.",
               "It has " + std::to_string(b.dim()) + ".");
    requireMatrices(name, b);
    linalg::requireSameDevice(factor, b);
    if (factor.dtype() != b.dtype())
        refuse("LINALG-06",
               std::string(name) + ": Expected " + factorName + " and B to have the same dtype, but found " +
                   factorName + " of type " + std::string(scalarTypeName(factor.dtype())) + " and B of type " +
                   std::string(scalarTypeName(b.dtype())) + " instead",
               "Convert one with to().");
    if (b.size(left ? -2 : -1) != factor.size(-1))
        refuse("LINALG-05",
               std::string(name) + ": Incompatible shapes of A and B for the equation " + (left ? "AX" : "XA") +
                   " = B (" + std::to_string(factor.size(-2)) + "x" + std::to_string(factor.size(-1)) + " and " +
                   std::to_string(b.size(-2)) + "x" + std::to_string(b.size(-1)) + ")",
               left ? "B needs as many rows as A." : "B needs as many columns as A.");
}

void requireNoZero(const char* name, const Tensor& a, const Factors& f) {
    if (f.info.ok()) return;
    const std::string place = std::to_string(f.info.info);
    refuse("LINALG-13",
           "torch." + std::string(name) + ": " + linalg::batchText(a, f.info) + "U[" + place + "," + place +
               "] is zero and using it on lu_solve would result in a division by zero. If you still want to perform "
               "the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)",
           "Its rows depend on one another.");
}

} // namespace

LuFactor luFactor(const Tensor& a) {
    requireMatrices("linalg.lu_factor", a);
    const Observation observation;
    LuFactor result = [&] {
        const trace::Nested nested;
        const Factors f = factorsOf(a);
        requireNoZero("linalg.lu_factor", a, f);
        return publicFactors(a, f);
    }();
    publish(observation, "linalg.lu_factor", {&a}, {&result.lu, &result.pivots});
    return result;
}

LuFactorInfo luFactorEx(const Tensor& a, bool check) {
    requireMatrices("linalg.lu_factor_ex", a);
    const Observation observation;
    LuFactorInfo result = [&] {
        const trace::Nested nested;
        const Factors f = factorsOf(a);
        if (check) requireNoZero("linalg.lu_factor_ex", a, f);
        const LuFactor factors = publicFactors(a, f);
        return LuFactorInfo{factors.lu, factors.pivots, firstZeros(f.packed, linalg::batchOf(a))};
    }();
    publish(observation, "linalg.lu_factor_ex", {&a}, {&result.lu, &result.pivots, &result.info});
    return result;
}

LuParts lu(const Tensor& a) {
    requireMatrices("linalg.lu", a);
    const Observation observation;
    LuParts result = [&] {
        const trace::Nested nested;
        const Factors f = factorsOf(a);
        const Index m = a.size(-2);
        const Tensor packed = f.packed.result();
        const Tensor l = unitLower(packed);
        const Tensor p = linalg::luExchanges(f.pivots, linalg::batchOf(a), m, a.device());
        return LuParts{to(p, a.dtype()), l, upper(packed)};
    }();
    publish(observation, "linalg.lu", {&a}, {&result.p, &result.l, &result.u});
    return result;
}

LuParts luUnpack(const Tensor& packed, const Tensor& pivots, bool data, bool exchanges) {
    elementwise::requireDefined(packed, "lu_unpack");
    if (exchanges) {
        elementwise::requireDefined(pivots, "lu_unpack");
        linalg::requireSameDevice(packed, pivots);
    }
    if (packed.dim() < 2)
        refuse("LINALG-01",
               "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: " +
                   toListString(std::span<const Index>(packed.shape())) + " instead",
               "LU comes from linalg.lu_factor.");
    if (exchanges && pivots.dtype() != DType::Int32)
        refuse("LINALG-11",
               "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\nNote: this "
               "function "
               "is intended to be used with the output produced by torch.linalg.lu_factor",
               "They come from linalg.lu_factor.");
    const Observation observation;
    LuParts result = [&] {
        const trace::Nested nested;
        const TensorOptions like{packed.dtype(), packed.device()};
        LuParts parts{empty({0}, like), empty({0}, like), empty({0}, like)};
        if (data) parts = {parts.p, unitLower(packed), upper(packed)};
        if (!exchanges) return parts;
        const Index m = packed.size(-2);
        Dims wanted = linalg::batchOf(packed);
        wanted.push_back(std::min(m, packed.size(-1)));
        const Result<View> spread = expand(pivots.view(), wanted);
        bool fits = spread.ok();
        Pivots rows;
        if (fits) {
            rows = Pivots(contiguous(pivots.withView(spread.value())), wanted.back());
            for (const int row : rows.read()) fits &= row >= 1 && row <= m;
        }
        if (!fits)
            refuse("LINALG-11",
                   "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the "
                   "result of lu_factor?",
                   "They are of shape " + toListString(std::span<const Index>(pivots.shape())) +
                       " for factors of shape " + toListString(std::span<const Index>(packed.shape())) + ".");
        parts.p = to(linalg::luExchanges(rows, linalg::batchOf(packed), m, packed.device()), packed.dtype());
        return parts;
    }();
    // Where the exchanges are left out there need be none.
    publish(observation, "lu_unpack", {&packed, pivots.defined() ? &pivots : &packed},
            {&result.p, &result.l, &result.u},
            std::string(data ? "" : "unpack_data=False") + (data || exchanges ? "" : ", ") +
                (exchanges ? "" : "unpack_pivots=False"));
    return result;
}

Tensor luSolve(const Tensor& factors, const Tensor& pivots, const Tensor& b, bool left, bool adjoint) {
    constexpr const char* kName = "linalg.lu_solve";
    requireSystem(kName, "LU", factors, b, left);
    const Index n = factors.size(-1);
    if (!pivots.defined() || pivots.dtype() != DType::Int32)
        refuse("LINALG-11", "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32",
               "They come from linalg.lu_factor.");
    linalg::requireSameDevice(factors, pivots);
    Dims wanted = linalg::batchOf(factors);
    wanted.push_back(n);
    if (!(pivots.shape() == wanted))
        refuse("LINALG-11",
               "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix, but they "
               "are of size " +
                   toListString(std::span<const Index>(pivots.shape())) + " for factors of size " +
                   toListString(std::span<const Index>(factors.shape())),
               "They come from linalg.lu_factor.");
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        // A^H X = B is X^H A = B^H.
        const auto turnedBack = [](const Tensor& m) { return conj(transpose(m, -1, -2)); };
        if (adjoint) return turnedBack(luSolve(factors, pivots, turnedBack(b), !left));
        const Tensor right = left ? b : transpose(b, -1, -2);
        const Dims batch = broadcastShapes(linalg::batchOf(factors), linalg::batchOf(right)).valueOrThrow();
        Dims pivotShape = batch;
        pivotShape.push_back(n);
        const Tensor exchanges = contiguous(expand(pivots, pivotShape));
        const Pivots rows(exchanges, n);
        for (const int row : rows.read())
            if (row < 1 || row > n)
                refuse("LINALG-11",
                       "linalg.lu_solve: Pivots given to lu_solve must all be greater or equal to 1 and at most " +
                           std::to_string(n) + ". Did you properly pass the result of lu_factor?",
                       "One of them is " + std::to_string(row) + ".");
        const Matrices packed = linalg::columnMajor(withBatch(factors, batch));
        Matrices x = linalg::columnMajor(withBatch(right, batch));
        if (x.work() != packed.work()) x.tensor = to(x.tensor, packed.work());
        if (x.cols > 0) linalg::luSolve(packed, rows, x, !left); // X A = B is A^T X^T = B^T
        return left ? x.result() : transpose(x.result(), -1, -2);
    }();
    publish(observation, kName, {&factors, &pivots, &b}, {&result},
            std::string(left ? "" : "left=False") + (left || !adjoint ? "" : ", ") + (adjoint ? "adjoint=True" : ""));
    return result;
}

namespace {

void requireNoZeroOnDiagonal(const char* name, const Tensor& factor) {
    const Index n = factor.size(-1);
    const Tensor zeros = reshape(eq(diagonal(factor, 0, -2, -1), Scalar(0)), {-1});
    const Tensor places = nonzero(zeros);
    if (n == 0 || places.numel() == 0) return;
    const Index first = item(select(flatten(places), 0, 0)).toInt();
    refuse("LINALG-07",
           std::string(name) + ": " +
               (factor.dim() > 2 ? "(Batch element " + std::to_string(first / n) + "): " : std::string()) +
               "The diagonal element " + std::to_string(first % n + 1) +
               " is zero, the inversion could not be completed because the input matrix is singular.",
           "A Cholesky factor has no 0 on its diagonal.");
}

} // namespace

Tensor choleskySolve(const Tensor& b, const Tensor& factor, bool upper) {
    requireSystem("cholesky_solve", "A", factor, b, true);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        const Tensor other = conj(transpose(factor, -1, -2));
        const Tensor half = solveTriangular(upper ? other : factor, b, false);
        return solveTriangular(upper ? factor : other, half, true);
    }();
    publish(observation, "cholesky_solve", {&b, &factor}, {&result}, upper ? "upper=True" : "");
    return result;
}

Tensor choleskyInverse(const Tensor& factor, bool upper) {
    requireSquare("cholesky_inverse", factor);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        requireNoZeroOnDiagonal("cholesky_inverse", factor);
        return choleskySolve(
            withBatch(eye(factor.size(-1), {factor.dtype(), factor.device()}), linalg::batchOf(factor)), factor, upper);
    }();
    publish(observation, "cholesky_inverse", {&factor}, {&result}, upper ? "upper=True" : "");
    return result;
}

} // namespace stridescope
