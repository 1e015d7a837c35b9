// What is made of factors and systems: rank, pseudo-inverse, powers, tensor equations.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/extrema.h"
#include "core/ops/linalg.h"
#include "core/ops/linalg_checks.h"
#include "core/ops/masking.h"
#include "core/ops/matmul.h"
#include "core/ops/norms.h"
#include "core/ops/observation.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stridescope {

namespace {

using linalg::refuse;

Index product(std::span<const Index> sizes) {
    Index n = 1;
    for (const Index size : sizes) n *= size;
    return n;
}

std::span<const Index> sizesOf(const Tensor& t) {
    return t.shape();
}

/// What singular values {..., k} are compared with: {..., 1} in float64.
Tensor boundsFor(const char* name, const Tensor& a, const Tensor& values, const Tolerance& tolerance) {
    const TensorOptions wide{DType::Float64, a.device()};
    const auto asTensor = [&](const char* argument, const MathInput& given) {
        if (!given.tensor()) return full({}, given.number().toDouble(), wide);
        if (isComplex(given.tensor()->dtype()))
            refuse("LINALG-12",
                   "torch." + std::string(name) + ": " + argument + " tensor of complex type is not supported. Got " +
                       std::string(scalarTypeName(given.tensor()->dtype())),
                   "Give real numbers.");
        return to(*given.tensor(), DType::Float64);
    };
    const double epsilon = realPartDType(a.dtype()) == DType::Float64 ? 0x1p-52 : 0x1p-23;
    const double usual = epsilon * static_cast<double>(std::max(a.size(-2), a.size(-1)));
    const Tensor atol = tolerance.atol ? asTensor("atol", *tolerance.atol) : zeros({}, wide);
    const Tensor rtol =
        tolerance.rtol ? asTensor("rtol", *tolerance.rtol) : where(gt(atol, 0), zeros({}, wide), full({}, usual, wide));
    Dims batch = values.shape();
    batch.erase(batch.size() - 1);
    const Tensor largest = values.size(-1) == 0 ? zeros(batch, wide) : amax(values, -1);
    return unsqueeze(maximum(atol, mul(rtol, largest)), -1);
}

void publish(const Observation& observation, const char* name, const Tensor& a, const Tensor& result,
             std::string arguments = {}) {
    if (observation)
        observation.publish(name, std::move(arguments), {&a}, result, OpEffect::Alloc,
                            {a.nbytes(), result.nbytes(), result.nbytes()});
}

} // namespace

Tensor matrixRank(const Tensor& a, const Tolerance& tolerance) {
    constexpr const char* kName = "linalg.matrix_rank";
    linalg::requireMatrices(kName, a);
    if (tolerance.hermitian) linalg::requireSquare("linalg.eigh", a);
    const Observation observation;
    Tensor ranks = [&] {
        const trace::Nested nested;
        const Tensor values = to(tolerance.hermitian ? abs(eigvalsh(a)) : svdvals(a), DType::Float64);
        return sum(gt(values, boundsFor(kName, a, values, tolerance)), -1);
    }();
    publish(observation, kName, a, ranks);
    return ranks;
}

Tensor pinv(const Tensor& a, const Tolerance& tolerance) {
    constexpr const char* kName = "linalg.pinv";
    linalg::requireMatrices(kName, a);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        // In the wide precision to the end, and rounded once.
        const Tensor wide = to(a, isComplex(a.dtype()) ? DType::Complex128 : DType::Float64);
        const auto inverse = [&](const Tensor& values) {
            const Tensor sizes = abs(values);
            const Tensor kept =
                where(gt(sizes, boundsFor(kName, a, sizes, tolerance)), reciprocal(values), Scalar(0.0));
            return unsqueeze(to(kept, wide.dtype()), -2);
        };
        const auto adjoint = [](const Tensor& m) { return conj(transpose(m, -1, -2)); };
        if (tolerance.hermitian) {
            const Eigen parts = eigh(wide);
            return to(matmul(mul(parts.vectors, inverse(parts.values)), adjoint(parts.vectors)), a.dtype());
        }
        const Svd parts = svd(wide, false);
        return to(matmul(mul(adjoint(parts.vh), inverse(parts.s)), adjoint(parts.u)), a.dtype());
    }();
    publish(observation, kName, a, result);
    return result;
}

Tensor matrixPower(const Tensor& a, Index n) {
    linalg::requireSquareShape("linalg.matrix_power", a); // the elements: what matmul, and inv below 0, take
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        if (n == 0) {
            Tensor out = zeros(a.shape(), {a.dtype(), a.device()});
            fill_(diagonal(out, 0, -2, -1), 1);
            return out;
        }
        Tensor factor = n < 0 ? inv(a) : a;
        // As unsigned: the least Index has no positive twin.
        std::uint64_t rest = n < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
        Tensor power;
        for (;; factor = matmul(factor, factor)) {
            if (rest & 1) power = power.defined() ? matmul(power, factor) : factor;
            rest >>= 1;
            if (rest == 0) break;
        }
        if (n == -1) return power; // laid out as inverses are
        return power.storage() == a.storage() && power.isContiguous() ? clone(power) : contiguous(power);
    }();
    publish(observation, "linalg.matrix_power", a, result, std::to_string(n));
    return result;
}

Tensor logdet(const Tensor& a) {
    linalg::requireSquare("logdet", a);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        const SignLogDet parts = slogdet(a);
        if (isComplex(a.dtype())) return add(to(parts.logabsdet, a.dtype()), log(parts.sign));
        return where(lt(parts.sign, 0), Scalar(std::numeric_limits<double>::quiet_NaN()), parts.logabsdet);
    }();
    publish(observation, "logdet", a, result);
    return result;
}

Tensor matrixExp(const Tensor& a) {
    linalg::requireSquare("linalg.matrix_exp", a);
    const Observation observation;
    // Memory for all elements first: an expanded matrix may show more of them than anybody can go through.
    const Tensor wide = [&] {
        const trace::Nested nested;
        return contiguous(to(a, isComplex(a.dtype()) ? DType::Complex128 : DType::Float64));
    }();
    Tensor result = [&]() -> Tensor {
        const trace::Nested nested;
        if (a.numel() == 0) return clone(a);
        const auto laidOut = [&](const Tensor& total) { // as a clone of the input
            const View layout = cloneLayout(a.view()).valueOrThrow();
            Tensor out = elementwise::newResult(layout.shape, layout.stride, a.dtype(), a.device());
            copy_(out, total);
            return out;
        };
        if (a.size(-1) == 1) return laidOut(exp(wide));
        // A matrix with an infinity or a NaN comes out as NaN, and leaves the others of the batch alone.
        const Tensor whole = all(all(isfinite(wide), -1, true), -2, true);
        const Tensor finite = item(all(whole)).toBool() ? wide : where(whole, wide, zerosLike(wide));
        // Scaled until its norm is at most 1/2, where twenty terms of the series are exact in double, then squared back
        // (Golub and Van Loan, "Matrix Computations", 9.3).
        const double norm = item(max(matrixNorm(finite, 1))).toDouble();
        const int halvings = norm > 0.5 ? static_cast<int>(std::ceil(std::log2(norm / 0.5))) : 0;
        const Tensor x = mul(finite, std::ldexp(1.0, -halvings));
        Tensor total = matrixPower(x, 0), term = total;
        for (int k = 1; k <= 20; ++k) {
            term = div(matmul(term, x), k);
            add_(total, term);
        }
        for (int k = 0; k < halvings; ++k) total = matmul(total, total);
        if (finite.storage() != wide.storage())
            total =
                where(whole, total, full({}, std::numeric_limits<double>::quiet_NaN(), {total.dtype(), a.device()}));
        return laidOut(total);
    }();
    publish(observation, "linalg.matrix_exp", a, result);
    return result;
}

Tensor vecdot(const Tensor& x, const Tensor& y, Index dim) {
    const auto typeText = [](const Tensor& t) { return std::string(scalarTypeName(t.dtype())); };
    for (const Tensor* t : {&x, &y}) {
        if (!t->defined()) linalg::requireMatrices("linalg.vecdot", *t);
        if (!isFloating(t->dtype()) && !isComplex(t->dtype()))
            refuse("LINALG-03",
                   "linalg.vecdot: Expected a floating point or complex tensor as input. Got " + typeText(*t),
                   "Convert it first: x.float().");
    }
    if (x.dtype() != y.dtype())
        refuse("LINALG-06",
               "linalg.vecdot: Expected x and y to have the same dtype, but found x of type " + typeText(x) +
                   " and y of type " + typeText(y) + " instead",
               "Convert one with to().");
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        return sum(mul(conj(x), y), dim);
    }();
    if (observation)
        observation.publish("linalg.vecdot", dim == -1 ? "" : "dim=" + std::to_string(dim), {&x, &y}, result,
                            OpEffect::Alloc, {x.nbytes() + y.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

Tensor tensorsolve(const Tensor& given, const Tensor& b, const Dims& dims) {
    const Index rank = b.defined() ? b.dim() : 0;
    if (!given.defined() || !b.defined()) linalg::requireMatrices("linalg.tensorsolve", given.defined() ? b : given);
    const Tensor a = [&] {
        const trace::Nested nested;
        Dims last;
        for (std::size_t i = dims.size(); i > 0; --i) last.push_back(-static_cast<Index>(i));
        return dims.empty() ? given : movedim(given, dims, last);
    }();
    const std::span<const Index> sizes = sizesOf(a);
    const auto split = static_cast<std::size_t>(std::min<Index>(rank, a.dim()));
    const Index rows = product(sizes.first(split)), columns = product(sizes.subspan(split));
    if (rows != columns || rows != b.numel())
        refuse(
            "LINALG-05",
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), "
            "but got " +
                std::to_string(columns) + " != " + std::to_string(rows),
            "The first dims of A are those of B, the rest those of X, and both name as many elements.");
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        return reshape(solve(reshape(a, {rows, columns}), reshape(b, {rows})), Dims(sizes.subspan(split)));
    }();
    if (observation)
        observation.publish("linalg.tensorsolve", dims.empty() ? "" : "dims=" + code::tuple(dims), {&given, &b}, result,
                            OpEffect::Alloc, {a.nbytes() + b.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

Tensor tensorinv(const Tensor& a, Index ind) {
    if (ind <= 0) refuse("LINALG-09", "Expected a strictly positive integer for 'ind', but got " + std::to_string(ind));
    if (!a.defined()) linalg::requireMatrices("linalg.tensorinv", a);
    const std::span<const Index> sizes = sizesOf(a);
    const auto split = static_cast<std::size_t>(std::min<Index>(ind, a.dim()));
    const Index rows = product(sizes.first(split)), columns = product(sizes.subspan(split));
    if (rows != columns)
        refuse("LINALG-05",
               "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got " +
                   std::to_string(columns) + " != " + std::to_string(rows));
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        Dims shape(sizes.subspan(split));
        for (const Index size : sizes.first(split)) shape.push_back(size);
        return reshape(inv(reshape(a, {rows, columns})), shape);
    }();
    publish(observation, "linalg.tensorinv", a, result, ind == 2 ? "" : "ind=" + std::to_string(ind));
    return result;
}

} // namespace stridescope
