#include "core/ops/reductions.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/reduce_call.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"

#include <cmath>
#include <limits>

namespace stridescope {

using namespace reduction;

namespace {

DType summedDType(DType t) {
    return isFloating(t) || isComplex(t) ? t : DType::Int64;
}

/// Sum and mean: real tensors as they are, complex ones by parts. `divisor` of each sum.
Tensor summed(const Tensor& t, DimMask mask, bool keepdim, DType dtype, FoldOp op, double divisor) {
    if (isComplex(t.dtype()) || isComplex(dtype)) {
        const Tensor from = to(t, dtype);
        if (!isComplex(dtype)) return summed(from, mask, keepdim, dtype, op, divisor);
        Tensor out = newResult(t, mask, keepdim, dtype);
        const DType part = realPartDType(dtype);
        const Tensor parts = complexops::parts(from);
        const Tensor outParts = complexops::parts(out);
        foldInto(parts, mask, {op, part, 0, Finish::Divide, divisor}, outParts);
        return out;
    }
    Tensor out = newResult(t, mask, keepdim, dtype);
    if (divisor == 1.0)
        foldInto(t, mask, {op, dtype}, out);
    else
        foldInto(t, mask, {op, dtype, 0, Finish::Divide, divisor}, out);
    return out;
}

/// One result of a fold, observed.
template <class Make>
Tensor reduced(const char* name, const Tensor& t, const ReduceDims& dims, bool keepdim, OptionalDType dtype,
               Make make) {
    const DimMask mask = maskOf(t, dims);
    return observed(
        name, t, [&] { return argumentsText(dims, keepdim, dtype); },
        [&] { return computeOnce(t, mask, keepdim, [&](const Tensor& x) { return make(x, mask); }); });
}

} // namespace

Tensor sum(const Tensor& t, const ReduceDims& dims, bool keepdim, OptionalDType dtype) {
    requireInput("sum", t);
    const DType result = dtype.value_or(summedDType(t.dtype()));
    return reduced("sum", t, dims, keepdim, dtype,
                   [&](const Tensor& x, DimMask mask) { return summed(x, mask, keepdim, result, FoldOp::Sum, 1.0); });
}

Tensor sumToSize(const Tensor& t, const Dims& shape) {
    requireInput("sum_to_size", t);
    const std::size_t leading = t.shape().size() - std::min(t.shape().size(), shape.size());
    bool fits = shape.size() <= t.shape().size();
    Dims dims;
    for (std::size_t d = 0; fits && d < t.shape().size(); ++d) {
        const Index have = t.shape()[d], want = d < leading ? 1 : shape[d - leading];
        fits = d < leading || want == 1 || want == have;
        if (d < leading || (want == 1 && have != 1)) dims.push_back(static_cast<Index>(d));
    }
    if (!fits)
        refuse(ErrorKind::Runtime, "RED-09",
               "size {" + toListString(std::span<const Index>(shape)) + "} is not expandable to size {" +
                   toListString(std::span<const Index>(t.shape())) + "}.",
               "From the last dim on, each size is 1 or the tensor's own.");
    if (shape.empty()) return sum(t);
    if (dims.empty()) return t;
    const Tensor kept = sum(t, dims, true);
    return leading == 0 ? kept : view(kept, shape);
}

Tensor nansum(const Tensor& t, const ReduceDims& dims, bool keepdim, OptionalDType dtype) {
    requireInput("nansum", t);
    if (isComplex(t.dtype()))
        refuse(ErrorKind::Runtime, "RED-06", "nansum does not support complex inputs",
               "Sum the parts: x.real and x.imag.");
    const DType result = dtype.value_or(summedDType(t.dtype()));
    const bool whole = !isFloating(t.dtype());
    const bool plain = whole || t.numel() == 0; // of nothing there is nothing to skip, whatever the result's dtype
    if (!plain && !isFloating(result)) refuseDType("nansum_cpu", result);
    return reduced("nansum", t, dims, keepdim, dtype, [&](const Tensor& x, DimMask mask) {
        return summed(x, mask, keepdim, result, plain ? FoldOp::Sum : FoldOp::NanSum, 1.0);
    });
}

Tensor mean(const Tensor& t, const ReduceDims& dims, bool keepdim, OptionalDType dtype) {
    requireInput("mean", t);
    const DType result = dtype.value_or(t.dtype());
    if (!isFloating(result) && !isComplex(result))
        refuse(
            ErrorKind::Runtime, "RED-02",
            std::string("mean(): could not infer output dtype. ") + (dtype ? "Optional" : "Input") +
                " dtype must be either a floating point or complex dtype. Got: " + std::string(scalarTypeName(result)),
            "Convert it first, x.float().mean(), or say dtype=torch.float32.");
    return reduced("mean", t, dims, keepdim, dtype, [&](const Tensor& x, DimMask mask) {
        return summed(x, mask, keepdim, result, FoldOp::Sum, static_cast<double>(reducedCount(x, mask)));
    });
}

Tensor nanmean(const Tensor& t, const ReduceDims& dims, bool keepdim, OptionalDType dtype) {
    requireInput("nanmean", t);
    if (!isFloating(t.dtype()))
        refuse(ErrorKind::Runtime, "RED-02",
               "nanmean(): expected input to have floating point dtype but got " +
                   std::string(scalarTypeName(t.dtype())),
               "Only floats hold NaN; take mean.");
    const DType result = dtype.value_or(t.dtype());
    if (!isFloating(result)) refuseDType("nansum_cpu", result);
    return reduced("nanmean", t, dims, keepdim, dtype, [&](const Tensor& x, DimMask mask) {
        Tensor total = newResult(x, mask, keepdim, DType::Float64);
        foldInto(x, mask, {FoldOp::NanSum, result}, total);
        return to(div(total, sum(eq(x, x), dims, keepdim)), result); // NaN is what differs from itself
    });
}

Tensor prod(const Tensor& t, const ReduceDims& dims, bool keepdim, OptionalDType dtype) {
    requireInput("prod", t);
    const DType result = dtype.value_or(summedDType(t.dtype()));
    if (result == DType::Float16 && t.numel() != 0) refuseDType("prod_cpu", result);
    return reduced("prod", t, dims, keepdim, dtype, [&](const Tensor& x, DimMask mask) {
        Tensor out = newResult(x, mask, keepdim, result);
        if (x.numel() == 0) { // of any dtype, as there is nothing to multiply
            fill_(out, Scalar(Index{1}));
            return out;
        }
        foldInto(isComplex(x.dtype()) || isComplex(result) ? to(x, result) : x, mask, {FoldOp::Prod, result}, out);
        return out;
    });
}

const Tensor& sumOut(const Tensor& t, const ReduceDims& dims, bool keepdim, const Tensor& out) {
    return observedOut(
        "sum", t, out, [&] { return argumentsText(dims, keepdim); },
        [&] { return sum(t, dims, keepdim, out.dtype()); });
}
const Tensor& meanOut(const Tensor& t, const ReduceDims& dims, bool keepdim, const Tensor& out) {
    return observedOut(
        "mean", t, out, [&] { return argumentsText(dims, keepdim); },
        [&] { return mean(t, dims, keepdim, out.dtype()); });
}
const Tensor& prodOut(const Tensor& t, const ReduceDims& dims, bool keepdim, const Tensor& out) {
    return observedOut(
        "prod", t, out, [&] { return argumentsText(dims, keepdim); },
        [&] { return prod(t, dims, keepdim, out.dtype()); });
}

// --- Spreads ------------------------------------------------------------------------------------------------------
namespace {

/// Variance (or its root) into `spread`, the mean into `mean` when that is defined. Real input.
void spreadInto(const Tensor& t, DimMask mask, Index correction, bool root, const Tensor& spread, const Tensor& mean) {
    const Finish finish = root ? Finish::Deviation : Finish::Variance;
    foldInto(t, mask, {FoldOp::Moments, t.dtype(), 0, finish, static_cast<double>(correction)}, spread, mean);
}

/// The mean as Welford's running one has it, which is PyTorch's: after an infinity the next element makes it NaN.
/// `average` is that of `t` over the dims of `mask`, both real.
void settleInfinities(const Tensor& t, DimMask mask, const Tensor& average) {
    const Tensor infinite = isinf(average);
    if (!item(any(infinite)).toBool()) return;
    Dims dims;
    Tensor last = t;
    for (Index d = 0; d < t.dim(); ++d) {
        if (!(mask >> d & 1)) continue;
        dims.push_back(d);
        last = narrow(last, d, t.size(d) - 1, 1);
    }
    const Tensor alone = dims.empty() ? isinf(t) : eq(sum(isinf(t), dims, true), 1);
    const Tensor stays = reshape(logicalAnd(isinf(last), alone), average.shape());
    maskedFill_(average, logicalAnd(infinite, logicalNot(stays)), std::numeric_limits<double>::quiet_NaN());
}

SpreadAndMean spreadOf(const char* name, const char* refusal, const Tensor& t, const ReduceDims& dims, Index correction,
                       bool keepdim, bool root, bool withMean) {
    requireInput(name, t);
    if (!isFloating(t.dtype()) && !isComplex(t.dtype()))
        refuse(ErrorKind::Runtime, "RED-02", std::string(refusal) + " only support floating point and complex dtypes",
               "Convert it first: x.float().");
    const DimMask mask = maskOf(t, dims);
    const auto arguments = [&] {
        std::string text = argumentsText(dims, false);
        if (correction == 0)
            text = joined(std::move(text), "unbiased=False");
        else if (correction != 1)
            text = joined(std::move(text), "correction=" + std::to_string(correction));
        return joined(std::move(text), keepdim ? "keepdim=True" : "");
    };
    const auto compute = [&](const Tensor& x) -> std::array<Tensor, 2> {
        if (isComplex(x.dtype())) {
            const Tensor parts = complexops::parts(x);
            const Tensor both = newResult(parts, mask, keepdim, DType::Float64);
            spreadInto(parts, mask, correction, false, both, Tensor());
            Tensor out = newResult(x, mask, keepdim, realPartDType(x.dtype()));
            foldInto(both, DimMask{1} << (both.dim() - 1),
                     {FoldOp::Sum, DType::Float64, 0, root ? Finish::Root : Finish::Convert}, out);
            const Tensor average = withMean ? mean(x, dims, keepdim) : Tensor();
            if (withMean) settleInfinities(parts, mask, complexops::parts(average));
            return {out, average};
        }
        Tensor out = newResult(x, mask, keepdim, x.dtype());
        Tensor average = withMean ? newResult(x, mask, keepdim, x.dtype()) : Tensor();
        spreadInto(x, mask, correction, root, out, average);
        if (withMean) settleInfinities(x, mask, average);
        return {out, average};
    };
    std::array<Tensor, 2> results =
        observed(name, t, arguments, [&] { return computeOnce(t, mask, keepdim, compute); });
    return {std::move(results[0]), std::move(results[1])};
}

} // namespace

Tensor var(const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim) {
    return spreadOf("var", "std and var", t, dims, correction, keepdim, false, false).spread;
}
Tensor stddev(const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim) {
    return spreadOf("std", "std and var", t, dims, correction, keepdim, true, false).spread;
}
SpreadAndMean varMean(const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim) {
    return spreadOf("var_mean", "var_mean", t, dims, correction, keepdim, false, true);
}
SpreadAndMean stddevMean(const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim) {
    return spreadOf("std_mean", "std_mean", t, dims, correction, keepdim, true, true);
}

// --- Truths and counts --------------------------------------------------------------------------------------------
namespace {

/// Complex numbers as bool: not 0.
Tensor asReal(const Tensor& t) {
    return isComplex(t.dtype()) ? ne(t, Scalar(0)) : t;
}

Tensor truth(const char* name, FoldOp op, const Tensor& t, const ReduceDims& dims, bool keepdim) {
    requireInput(name, t);
    return reduced(name, t, dims, keepdim, {}, [&](const Tensor& x, DimMask mask) {
        Tensor out = newResult(x, mask, keepdim, x.dtype() == DType::UInt8 ? DType::UInt8 : DType::Bool);
        // Truth as PyTorch 1.13 takes it of complex numbers, and as to(torch.bool) does: that of the real part.
        const Tensor from = isComplex(x.dtype()) ? real(x) : x;
        foldInto(from, mask, {op, from.dtype()}, out);
        return out;
    });
}

} // namespace

Tensor all(const Tensor& t, const ReduceDims& dims, bool keepdim) {
    return truth("all", FoldOp::All, t, dims, keepdim);
}
Tensor any(const Tensor& t, const ReduceDims& dims, bool keepdim) {
    return truth("any", FoldOp::Any, t, dims, keepdim);
}

Tensor countNonzero(const Tensor& t, const ReduceDims& dims) {
    requireInput("count_nonzero", t);
    return reduced("count_nonzero", t, dims, false, {}, [&](const Tensor& x, DimMask mask) {
        Tensor out = newResult(x, mask, false, DType::Int64);
        const Tensor from = asReal(x);
        foldInto(from, mask, {FoldOp::NonZero, from.dtype()}, out);
        return out;
    });
}

// --- Logarithm of a sum of exponentials ---------------------------------------------------------------------------
Tensor logsumexp(const Tensor& t, const ReduceDims& dims, bool keepdim) {
    requireInput("logsumexp", t);
    if (isComplex(t.dtype()))
        refuse(ErrorKind::Runtime, "RED-02",
               "logsumexp(): Expected floating point type for result tensor, but got: " +
                   std::string(scalarTypeName(t.dtype())),
               "Complex numbers have no largest one.");
    if (t.dtype() == DType::Float16) refuseDType("exp_vml_cpu", t.dtype());
    const DType result = isFloating(t.dtype()) ? t.dtype() : defaultDType();
    return reduced("logsumexp", t, dims, keepdim, {}, [&](const Tensor& x, DimMask mask) {
        Tensor out = newResult(x, mask, keepdim, result);
        foldInto(x, mask, {FoldOp::LogSumExp, result}, out);
        return out;
    });
}

} // namespace stridescope
