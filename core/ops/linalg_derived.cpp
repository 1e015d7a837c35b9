// What is made of factors and systems: rank, pseudo-inverse, powers, tensor equations.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
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

/// Which singular values count as 0: those up to this bound, one for each matrix.
double boundFor(const Tensor& a, double largest, std::optional<double> atol, std::optional<double> rtol) {
    const double epsilon = realPartDType(a.dtype()) == DType::Float64 ? 0x1p-52 : 0x1p-23;
    // A bound given in one way replaces the default of the other.
    const double relative = rtol.value_or(atol ? 0.0 : epsilon * static_cast<double>(std::max(a.size(-2), a.size(-1))));
    return std::max(atol.value_or(0.0), relative * largest);
}

void publish(const Observation& observation, const char* name, const Tensor& a, const Tensor& result,
             std::string arguments = {}) {
    if (observation)
        observation.publish(name, std::move(arguments), {&a}, result, OpEffect::Alloc,
                            {a.nbytes(), result.nbytes(), result.nbytes()});
}

} // namespace

Tensor matrixRank(const Tensor& a, std::optional<double> atol, std::optional<double> rtol) {
    linalg::requireMatrices("linalg.matrix_rank", a);
    const Observation observation;
    Tensor ranks = [&] {
        const trace::Nested nested;
        const Tensor s = to(svdvals(a), DType::Float64);
        Tensor out = zeros(linalg::batchOf(a), {DType::Int64, Device{}});
        const Index count = s.size(-1);
        for (Index i = 0; i < out.numel(); ++i) {
            const double* values = s.data<double>() + i * count;
            const double bound = count > 0 ? boundFor(a, values[0], atol, rtol) : 0;
            out.data<std::int64_t>()[i] = std::count_if(values, values + count, [&](double v) { return v > bound; });
        }
        out.storage()->bumpVersion();
        return out;
    }();
    publish(observation, "linalg.matrix_rank", a, ranks);
    return ranks;
}

Tensor pinv(const Tensor& a, std::optional<double> atol, std::optional<double> rtol) {
    linalg::requireMatrices("linalg.pinv", a);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        // In the wide precision to the end, and rounded once.
        const Svd parts = svd(to(a, isComplex(a.dtype()) ? DType::Complex128 : DType::Float64), false);
        const Tensor inverse = contiguous(parts.s);
        const Index count = inverse.size(-1);
        for (Index i = 0; count > 0 && i < inverse.numel() / count; ++i) {
            double* values = inverse.data<double>() + i * count;
            const double bound = boundFor(a, values[0], atol, rtol);
            for (Index k = 0; k < count; ++k) values[k] = values[k] > bound ? 1 / values[k] : 0;
        }
        inverse.storage()->bumpVersion();
        const Tensor v = conj(transpose(parts.vh, -1, -2)), uh = conj(transpose(parts.u, -1, -2));
        return to(matmul(mul(v, unsqueeze(to(inverse, v.dtype()), -2)), uh), a.dtype());
    }();
    publish(observation, "linalg.pinv", a, result);
    return result;
}

Tensor matrixPower(const Tensor& a, Index n) {
    linalg::requireSquare("linalg.matrix_power", a);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        if (n == 0) {
            Tensor out = zeros(a.shape(), {a.dtype(), Device{}});
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
        return power.storage() == a.storage() ? clone(power) : contiguous(power);
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
    linalg::requireFinite("linalg.matrix_exp", a);
    const Observation observation;
    Tensor result = [&]() -> Tensor {
        const trace::Nested nested;
        if (a.numel() == 0) return clone(a);
        // Scaled until its norm is at most 1/2, where twenty terms of the series are exact in double, then squared back
        // (Golub and Van Loan, "Matrix Computations", 9.3).
        const Tensor wide = to(a, isComplex(a.dtype()) ? DType::Complex128 : DType::Float64);
        const double norm = item(max(matrixNorm(wide, 1))).toDouble();
        const int halvings = norm > 0.5 ? static_cast<int>(std::ceil(std::log2(norm / 0.5))) : 0;
        const Tensor x = mul(wide, std::ldexp(1.0, -halvings));
        Tensor total = matrixPower(x, 0), term = total;
        for (int k = 1; k <= 20; ++k) {
            term = div(matmul(term, x), k);
            add_(total, term);
        }
        for (int k = 0; k < halvings; ++k) total = matmul(total, total);
        return to(total, a.dtype());
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

Tensor tensorsolve(const Tensor& a, const Tensor& b) {
    const Index rank = b.defined() ? b.dim() : 0;
    if (!a.defined() || !b.defined()) linalg::requireMatrices("linalg.tensorsolve", a.defined() ? b : a);
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
        observation.publish("linalg.tensorsolve", "", {&a, &b}, result, OpEffect::Alloc,
                            {a.nbytes() + b.nbytes(), result.nbytes(), result.nbytes()});
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
