#pragma once
// Elements where a mask is true, and where a tensor is not 0.
//
// Masks are bool, or uint8 (0 and others) as PyTorch still allows; they broadcast against the tensor. All dtypes; all
// inputs are read as they lie. The CPU only.
// Source: PyTorch documentation; refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, DeviceError (DEV-03) and NotImplementedError
// (DEV-02) off the CPU, MemoryError, ShapeError (VIEW-34, VIEW-20, SHAPE-OUT) when shapes do not broadcast; what writes
// also WRITE-01 and OVERLAP-01 … OVERLAP-03. And ShapeError with PyTorch's words:
//   MASK-01  a mask of another dtype             MASK-03  fewer values than true elements
//   MASK-02  a value that is not 0-d             MASK-04  dtypes of tensor and source that differ
// Nothing changes on refusal.

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace stridescope {

/// {n}: the elements where `mask` is true, in row-major order of the common shape.
Tensor maskedSelect(const Tensor& t, const Tensor& mask);
/// Elements where `mask` is true become `value`, which must fit the dtype (FILL-01).
const Tensor& maskedFill_(const Tensor& t, const Tensor& mask, Scalar value);
/// The value as a 0-d tensor (MASK-02 for others).
const Tensor& maskedFill_(const Tensor& t, const Tensor& mask, const Tensor& value);
/// The same in a contiguous copy, of the common shape of `t` and `mask`.
Tensor maskedFill(const Tensor& t, const Tensor& mask, Scalar value);
/// Elements where `mask` is true become the elements of `source`, one after the other, in row-major order.
/// (PyTorch 1.13 takes them in the order of memory when `t` is not contiguous.)
const Tensor& maskedScatter_(const Tensor& t, const Tensor& mask, const Tensor& source);
/// The same in a contiguous copy, of the common shape of `t` and `mask`.
Tensor maskedScatter(const Tensor& t, const Tensor& mask, const Tensor& source);

/// a where `condition` is true, else b. Shapes broadcast, dtypes promote; laid out as an element-wise result.
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor where(const Tensor& condition, const Tensor& a, Scalar b);
Tensor where(const Tensor& condition, Scalar a, const Tensor& b);
Tensor where(const Tensor& condition, Scalar a, Scalar b);

/// {count, dims} int64: the coords of the elements that are not 0, in row-major order; strides {1, count}. A 0-d
/// tensor gives {1, 0} or {0, 0}.
Tensor nonzero(const Tensor& t);
Tensor argwhere(const Tensor& t);
/// One {count} tensor for each dim, views of one storage; a 0-d tensor counts as one of one dim. This is
/// nonzero(as_tuple=True) and where(condition).
std::vector<Tensor> nonzeroTuple(const Tensor& t);
std::vector<Tensor> where(const Tensor& condition);

} // namespace stridescope
