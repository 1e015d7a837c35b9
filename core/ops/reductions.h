#pragma once
// Sums, products, means, spreads, norms and truths over all dims, one dim or several.
//
// Results are new and row-major. A reduced dim disappears, or stays with size 1 (`keepdim`). Where `dtype` can be
// given, elements are converted to it before anything is added. Floats are added in double, pairwise over long runs,
// whatever their dtype, and rounded once; integers wrap in 64 bits. Results do not depend on the number of threads.
// Over no elements: sum 0, prod 1, mean and std NaN, norm 0, all True, any False, logsumexp -inf.
// Source: PyTorch documentation; behaviour checked against version 1.13. Where that overflows on the way (a mean of
// large float16 numbers, a float32 sum past its range and back), here the result is right.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, NotImplementedError (DEV-02) off the CPU,
// IndexError (VIEW-01) for a dim out of range, ShapeError (RED-01) for a dim named twice, MemoryError.

#include "core/ops/reduction_types.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <string_view>

namespace stridescope {

using OptionalDType = std::optional<DType>;

/// Integers and bool give int64. Complex numbers are added by parts.
Tensor sum(const Tensor& t, const ReduceDims& dims = {}, bool keepdim = false, OptionalDType dtype = {});
/// What expanding from `shape` repeated, added up again; the tensor itself where nothing is to be added.
/// @throws ShapeError (RED-09) when `shape` does not expand to that of `t`.
Tensor sumToSize(const Tensor& t, const Dims& shape);
/// As sum, NaN counting as 0. @throws ShapeError (RED-06) for complex input, (RED-07) for an integer `dtype` of floats.
Tensor nansum(const Tensor& t, const ReduceDims& dims = {}, bool keepdim = false, OptionalDType dtype = {});
/// @throws ShapeError (RED-02) unless the dtype (or `dtype`) is floating or complex.
Tensor mean(const Tensor& t, const ReduceDims& dims = {}, bool keepdim = false, OptionalDType dtype = {});
/// Mean of what is not NaN. @throws ShapeError (RED-02) for integers and complex numbers.
Tensor nanmean(const Tensor& t, const ReduceDims& dims = {}, bool keepdim = false, OptionalDType dtype = {});
/// Integers and bool give int64. @throws ShapeError (RED-07) for float16.
Tensor prod(const Tensor& t, const ReduceDims& dims = {}, bool keepdim = false, OptionalDType dtype = {});

/// The same written to `out`, in its dtype, to which elements are converted first.
/// @throws ShapeError also for an `out` of another shape (SHAPE-OUT), read-only (WRITE-01) or overlapping itself
///         (OVERLAP-01, OVERLAP-02).
const Tensor& sumOut(const Tensor& t, const ReduceDims& dims, bool keepdim, const Tensor& out);
const Tensor& meanOut(const Tensor& t, const ReduceDims& dims, bool keepdim, const Tensor& out);
const Tensor& prodOut(const Tensor& t, const ReduceDims& dims, bool keepdim, const Tensor& out);

/// Sum of squared distances from the mean over (n - correction): 1 is the unbiased estimate, 0 the plain one. Complex
/// numbers give the real sum of both parts' variances. @throws ShapeError (RED-02) for integers and bool.
Tensor var(const Tensor& t, const ReduceDims& dims = {}, Index correction = 1, bool keepdim = false);
/// Its square root: PyTorch's std, a name that C++ needs for itself.
Tensor stddev(const Tensor& t, const ReduceDims& dims = {}, Index correction = 1, bool keepdim = false);
struct SpreadAndMean {
    Tensor spread, mean;
};
/// PyTorch's var_mean and std_mean, in one pass.
SpreadAndMean varMean(const Tensor& t, const ReduceDims& dims = {}, Index correction = 1, bool keepdim = false);
SpreadAndMean stddevMean(const Tensor& t, const ReduceDims& dims = {}, Index correction = 1, bool keepdim = false);

/// (sum of |x|^p)^(1/p); p infinite: the largest (or least) |x|; p 0: how many are not 0. The dtype is real.
/// @throws ShapeError (RED-02) for integers and bool unless `dtype` says otherwise, and for a `dtype` of those.
Tensor norm(const Tensor& t, Scalar p = 2.0, const ReduceDims& dims = {}, bool keepdim = false,
            OptionalDType dtype = {});
/// norm("fro"): p = 2 over at most two dims. @throws ShapeError (RED-05) for other names and more dims.
Tensor normByName(const Tensor& t, std::string_view name, const ReduceDims& dims = {}, bool keepdim = false,
                  OptionalDType dtype = {});
/// norm(a - b, p) over everything; operands broadcast and promote. @throws as norm and sub.
Tensor dist(const Tensor& a, const Tensor& b, Scalar p = 2.0);

/// Is every element, is any, not 0? NaN is not. Of complex numbers the real part tells, as in PyTorch 1.13. Gives bool,
/// or uint8 for uint8.
Tensor all(const Tensor& t, const ReduceDims& dims = {}, bool keepdim = false);
Tensor any(const Tensor& t, const ReduceDims& dims = {}, bool keepdim = false);
/// int64.
Tensor countNonzero(const Tensor& t, const ReduceDims& dims = {});

/// log(sum(exp(x))) that does not overflow. Integers and bool give the default float.
/// @throws ShapeError (RED-07) for float16, (RED-02) for complex numbers.
Tensor logsumexp(const Tensor& t, const ReduceDims& dims = {}, bool keepdim = false);

} // namespace stridescope
