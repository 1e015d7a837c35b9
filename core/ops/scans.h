#pragma once
// Along one dim: running sums, products and extrema, and softmax. Results have the input's shape and are new and
// row-major.
//
// Float sums and products run in double and are rounded as each element is written, so that they do not depend on the
// instruction set or the number of threads.
// Source: PyTorch documentation; behaviour checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, NotImplementedError (DEV-02) off the CPU,
// IndexError (VIEW-01) for a dim out of range, ShapeError (RED-07) for dtypes that PyTorch has no kernel for,
// MemoryError.

#include "core/ops/reduction_types.h"

#include <optional>

namespace stridescope {

/// Integers and bool give int64; elements are converted to `dtype` first. Not float16.
Tensor cumsum(const Tensor& t, Index dim, std::optional<DType> dtype = std::nullopt);
Tensor cumprod(const Tensor& t, Index dim, std::optional<DType> dtype = std::nullopt);
/// The same written to `out`, in its dtype. @throws ShapeError also as copy_ and for another shape (SHAPE-OUT).
const Tensor& cumsumOut(const Tensor& t, Index dim, const Tensor& out);
const Tensor& cumprodOut(const Tensor& t, Index dim, const Tensor& out);
/// In place, in t's dtype; not bool. @throws ShapeError also as copy_ (WRITE-01, OVERLAP-01, OVERLAP-02).
const Tensor& cumsum_(const Tensor& t, Index dim);
const Tensor& cumprod_(const Tensor& t, Index dim);

/// The extremum up to each element, and where it is: of equals the last; NaN stays, each further one counts anew.
/// Not float16, not complex.
ValuesAndIndices cummax(const Tensor& t, Index dim);
ValuesAndIndices cummin(const Tensor& t, Index dim);

/// log of the running sum of exp(x). float32 and float64.
Tensor logcumsumexp(const Tensor& t, Index dim);

/// exp(x) over its sum along `dim`, without overflow; and its logarithm. float32 and float64, or `dtype`, to which
/// elements are converted first.
Tensor softmax(const Tensor& t, Index dim, std::optional<DType> dtype = std::nullopt);
Tensor logSoftmax(const Tensor& t, Index dim, std::optional<DType> dtype = std::nullopt);

} // namespace stridescope
