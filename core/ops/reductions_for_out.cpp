#include "core/ops/reductions_for_out.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/reduce_call.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"

namespace stridescope {

using namespace reduction;

namespace {

Index resultCount(const Tensor& t, DimMask mask) {
    Index count = 1;
    for (const Index size : resultShape(t.shape(), mask, false)) count *= size;
    return count;
}

/// Of floats. PyTorch has a loop of its own for a result of one number, which takes float32 and float64 as they are;
/// an `out` of float16 keeps it from that.
Tensor realSpread(DType dtype, const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim, bool root) {
    const auto spread = root ? stddev : var;
    if (t.numel() != 0 && dtype != DType::Float16 && resultCount(t, maskOf(t, dims)) == 1) {
        if (t.dtype() == DType::Float16)
            refuse(ErrorKind::Runtime, "RED-07", "std_var_all: Unsupported dtype Half", "Convert it first: x.float().");
        return to(spread(t, dims, correction, keepdim), dtype);
    }
    if (!isFloating(dtype) && t.numel() != 0) refuseDType("std_cpu", dtype);
    return isFloating(dtype) ? spread(to(t, dtype), dims, correction, keepdim)
                             : to(spread(t, dims, correction, keepdim), dtype);
}

/// The sum of the parts' variances.
Tensor complexSpread(DType dtype, const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim, bool root) {
    const DType part = realPartDType(dtype);
    const Tensor both = to(add(realSpread(part, real(t), dims, correction, keepdim, false),
                               realSpread(part, imag(t), dims, correction, keepdim, false)),
                           dtype);
    if (!root) return both;
    if (dtype == DType::Float16) refuseDType("sqrt_vml_cpu", dtype);
    if (!isFloating(dtype) && !isComplex(dtype)) elementwise::requireCast(defaultDType(), dtype);
    return sqrt(both);
}

Tensor spreadFor(const char* name, DType dtype, const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim,
                 bool root) {
    requireInput(name, t);
    const bool complex = isComplex(t.dtype());
    // Of the result's own dtype, and of what has none, there is nothing to convert.
    if (dtype == realPartDType(t.dtype()) || (!complex && !isFloating(t.dtype())))
        return (root ? stddev : var)(t, dims, correction, keepdim);
    return observed(
        name, t, [&] { return argumentsText(dims, keepdim); },
        [&] {
            const trace::Nested nested;
            return (complex ? complexSpread : realSpread)(dtype, t, dims, correction, keepdim, root);
        });
}

} // namespace

Tensor varFor(DType dtype, const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim) {
    return spreadFor("var", dtype, t, dims, correction, keepdim, false);
}
Tensor stddevFor(DType dtype, const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim) {
    return spreadFor("std", dtype, t, dims, correction, keepdim, true);
}

Tensor logsumexpFor(DType dtype, const Tensor& t, const ReduceDims& dims, bool keepdim) {
    requireInput("logsumexp", t);
    if (!isFloating(dtype))
        refuse(ErrorKind::Runtime, "RED-02",
               "logsumexp(): Expected floating point type for result tensor, but got: " +
                   std::string(scalarTypeName(dtype)),
               "Make it with dtype=torch.float32.");
    if (isComplex(t.dtype())) refuseDType("max_values_cpu", t.dtype());
    const DType own = isFloating(t.dtype()) ? t.dtype() : defaultDType();
    if (dtype == own || t.dtype() == DType::Float16) return logsumexp(t, dims, keepdim);
    if (dtype == DType::Float16) refuseDType("log_vml_cpu", dtype);
    return observed(
        "logsumexp", t, [&] { return argumentsText(dims, keepdim); },
        [&] {
            const trace::Nested nested;
            if (t.numel() == 0) return to(logsumexp(t, dims, keepdim), dtype);
            const Tensor x = to(t, own), greatest = amax(x, dims, true);
            const Tensor most = maskedFill(greatest, isinf(greatest), 0.0); // infinities are not subtracted
            const Tensor powers = sum(exp(sub(x, most)), dims, keepdim, dtype);
            return to(add(log(powers), reshape(most, powers.shape())), dtype);
        });
}

} // namespace stridescope
