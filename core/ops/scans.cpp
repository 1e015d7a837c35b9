#include "core/ops/scans.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/extrema.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/reduce_call.h"
#include "core/ops/reductions.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"

#include <cmath>
#include <limits>
#include <vector>

namespace stridescope {

using namespace reduction;

namespace {

/// A row-major result of t's shape.
Tensor resultLike(const Tensor& t, DType dtype) {
    return elementwise::newResult(t.shape(), elementwise::rowMajorStrides(t.shape()), dtype, t.device());
}

std::string argumentsOf(Index dim, std::optional<DType> dtype = std::nullopt) {
    return argumentsText(dim, false, dtype);
}

/// `positions` are those of running extrema, else undefined.
void scanInto(ScanOp op, const char* name, const Tensor& t, Index dim, const Tensor& out,
              const Tensor& positions = Tensor()) {
    if (t.numel() == 0) return;
    elementwise::require(kernelTable(t.device()).scan, name,
                         t)({elementwise::stridedOf(t), dim, op, elementwise::stridedOf(out).first(), out.dtype(),
                             positions.defined() ? reinterpret_cast<Index*>(positions.storage()->data()) : nullptr});
}

/// Publishes nothing.
Tensor scanned(const Tensor& t, Index dim, bool product, DType dtype) {
    const trace::Nested nested;
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    Tensor out = resultLike(t, dtype);
    if (dtype == DType::Float16 || dtype == DType::Bool) {
        if (t.numel() != 0 && t.dim() != 0) refuseDType(product ? "cumprod_out_cpu" : "cumsum_out_cpu", dtype);
        copy_(out, t); // nothing, or one element: what a scan of it is, too
        return out;
    }
    if (isComplex(dtype)) {
        const Tensor from = to(t, dtype);
        if (!product) // of no dims: no dim of the parts either
            scanInto(ScanOp::Sum, "cumsum", complexops::parts(from), t.dim() == 0 ? -1 : d, complexops::parts(out));
        else
            scanInto(ScanOp::Prod, "cumprod", from, d, out);
        return out;
    }
    scanInto(product ? ScanOp::Prod : ScanOp::Sum, product ? "cumprod" : "cumsum",
             isComplex(t.dtype()) ? to(t, dtype) : t, d, out);
    return out;
}

Tensor scan(const char* name, const Tensor& t, Index dim, bool product, std::optional<DType> dtype) {
    requireInput(name, t);
    const bool keeps = isFloating(t.dtype()) || isComplex(t.dtype());
    const DType result = dtype.value_or(keeps ? t.dtype() : DType::Int64);
    return observed(
        name, t, [&] { return argumentsOf(dim, dtype); },
        [&] {
            return std::array<Tensor, 2>{scanned(t, dim, product, result), Tensor()};
        })[0];
}

const Tensor& scanInPlace(const char* name, const Tensor& t, Index dim, bool product) {
    requireInput(name, t);
    const Observation observation;
    elementwise::requireWritable(t, name);
    elementwise::requireNoSelfOverlap(t, nullptr);
    {
        const trace::Nested nested;
        copy_(t, scanned(t, dim, product, t.dtype()));
    }
    if (observation)
        observation.publish(name, argumentsOf(dim), {&t}, t, OpEffect::InPlace, {t.nbytes(), t.nbytes(), 0});
    return t;
}

ValuesAndIndices runningExtremum(const char* name, const char* kernel, const Tensor& t, Index dim, bool maximum) {
    requireInput(name, t);
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    const bool compares = t.numel() != 0 && t.dim() != 0;
    const bool hasNoKernel = isComplex(t.dtype()) || t.dtype() == DType::Float16;
    if (compares && hasNoKernel) refuseDType(kernel, t.dtype());
    std::array<Tensor, 2> results = observed(
        name, t, [&] { return argumentsOf(dim); },
        [&] {
            std::array<Tensor, 2> both{resultLike(t, t.dtype()), resultLike(t, DType::Int64)};
            if (hasNoKernel) { // nothing, or one element
                const trace::Nested nested;
                copy_(both[0], t);
                fill_(both[1], Scalar(Index{0}));
                return both;
            }
            scanInto(maximum ? ScanOp::Max : ScanOp::Min, name, t, d, both[0], both[1]);
            return both;
        });
    return {std::move(results[0]), std::move(results[1])};
}

bool isSingleOrDouble(DType t) {
    return t == DType::Float32 || t == DType::Float64;
}

/// Are the elements along `dim` apart in memory, and those of another dim neighbours?
bool liesAcross(const Tensor& t, Index dim) {
    bool neighbours = false;
    for (Index d = 0; d < t.dim(); ++d)
        neighbours |= d != dim && t.stride()[static_cast<std::size_t>(d)] == 1 && t.size(d) >= 16;
    return t.numel() != 0 && t.dim() > 1 && t.size(dim) > 1 && neighbours &&
           t.stride()[static_cast<std::size_t>(dim)] != 1;
}

/// By operations that go along memory, instead of line by line across it.
void softmaxColumns(const Tensor& t, Index dim, bool logarithm, const Tensor& out) {
    subOut(t, amax(t, dim, true), out);
    if (logarithm) {
        sub_(out, log(sum(exp(out), dim, true)));
        return;
    }
    exp_(out);
    div_(out, sum(out, dim, true));
}

Tensor softmaxOf(const char* name, const Tensor& t, Index dim, std::optional<DType> dtype, bool logarithm) {
    requireInput(name, t);
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    const DType result = dtype.value_or(t.dtype());
    if (!isSingleOrDouble(result) && t.numel() != 0) {
        const bool last = d == std::max<Index>(t.dim(), 1) - 1;
        const char* const kernel = !last       ? "softmax_kernel_impl"
                                   : logarithm ? "log_softmax_lastdim_kernel_impl"
                                               : "softmax_lastdim_kernel_impl";
        refuseDType(kernel, result);
    }
    return observed(
        name, t, [&] { return argumentsOf(dim, dtype); },
        [&] {
            const trace::Nested nested;
            Tensor out = resultLike(t, result);
            if (t.numel() == 0) return std::array<Tensor, 2>{out, Tensor()};
            const Tensor from = isComplex(t.dtype()) ? to(t, result) : t;
            if (liesAcross(from, d)) {
                softmaxColumns(from.dtype() == result ? from : to(from, result), d, logarithm, out);
                return std::array<Tensor, 2>{out, Tensor()};
            }
            scanInto(logarithm ? ScanOp::LogSoftmax : ScanOp::Softmax, name, from, d, out);
            return std::array<Tensor, 2>{out, Tensor()};
        })[0];
}

} // namespace

Tensor cumsum(const Tensor& t, Index dim, std::optional<DType> dtype) {
    return scan("cumsum", t, dim, false, dtype);
}
Tensor cumprod(const Tensor& t, Index dim, std::optional<DType> dtype) {
    return scan("cumprod", t, dim, true, dtype);
}
const Tensor& cumsumOut(const Tensor& t, Index dim, const Tensor& out) {
    return observedOut(
        "cumsum", t, out, [&] { return argumentsOf(dim); }, [&] { return cumsum(t, dim, out.dtype()); });
}
const Tensor& cumprodOut(const Tensor& t, Index dim, const Tensor& out) {
    return observedOut(
        "cumprod", t, out, [&] { return argumentsOf(dim); }, [&] { return cumprod(t, dim, out.dtype()); });
}
const Tensor& cumsum_(const Tensor& t, Index dim) {
    return scanInPlace("cumsum_", t, dim, false);
}
const Tensor& cumprod_(const Tensor& t, Index dim) {
    return scanInPlace("cumprod_", t, dim, true);
}
ValuesAndIndices cummax(const Tensor& t, Index dim) {
    return runningExtremum("cummax", "cummax_cpu", t, dim, true);
}
ValuesAndIndices cummin(const Tensor& t, Index dim) {
    return runningExtremum("cummin", "cummin_cpu", t, dim, false);
}

Tensor logcumsumexp(const Tensor& t, Index dim) {
    requireInput("logcumsumexp", t);
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    if (!isSingleOrDouble(t.dtype())) refuseDType("logcumsumexp_out_cpu", t.dtype());
    return observed(
        "logcumsumexp", t, [&] { return argumentsOf(dim); },
        [&] {
            Tensor out = resultLike(t, t.dtype());
            scanInto(ScanOp::LogSumExp, "logcumsumexp", t, d, out);
            return std::array<Tensor, 2>{out, Tensor()};
        })[0];
}

Tensor softmax(const Tensor& t, Index dim, std::optional<DType> dtype) {
    return softmaxOf("softmax", t, dim, dtype, false);
}
Tensor logSoftmax(const Tensor& t, Index dim, std::optional<DType> dtype) {
    return softmaxOf("log_softmax", t, dim, dtype, true);
}

} // namespace stridescope
