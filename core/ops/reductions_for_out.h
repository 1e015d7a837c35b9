#pragma once
// Reductions that compute in another way when their result is to lie in a tensor that exists: torch.var, torch.std and
// torch.logsumexp with `out=`. Source: PyTorch 1.13.

#include "core/ops/reduction_types.h"
#include "core/tensor/tensor.h"

namespace stridescope {

/// What var(t, …) writes to an `out` of `dtype`. Elements are converted to `dtype` first, so that float32 into float64
/// is the variance of the float64 numbers; only a result of one number is computed in the dtype of `t`, and converted.
/// @throws ShapeError (RED-07) where PyTorch has no loop: for a `dtype` that is no float unless the result is one
/// number, and for one number of float16 elements that is to have another dtype; and what var throws.
Tensor varFor(DType dtype, const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim);
Tensor stddevFor(DType dtype, const Tensor& t, const ReduceDims& dims, Index correction, bool keepdim);

/// What logsumexp(t, …) writes to an `out` of `dtype`: the exponentials are computed in the dtype of `t` (integers: in
/// the default one), their sum and its logarithm in `dtype`.
/// @throws ShapeError (RED-02) for a `dtype` that is no float, (RED-07) for float16 and for complex elements.
Tensor logsumexpFor(DType dtype, const Tensor& t, const ReduceDims& dims, bool keepdim);

} // namespace stridescope
