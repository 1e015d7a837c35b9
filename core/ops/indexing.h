#pragma once
// Elements at places that a tensor of numbers names, along one dim or in the flat order of elements.
//
// Index tensors are int64 where not said otherwise; their numbers count along a dim. Results are new and contiguous.
// All dtypes; inputs are read as they lie. What writes (x_) returns its first argument; where an index comes twice the
// last one written stays, in row-major order of the index. All devices.
// Source: PyTorch documentation; refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, DeviceError (DEV-03) and NotImplementedError
// (DEV-02) for a device that cannot, IndexError (VIEW-01) for a dim that is not there, MemoryError; what writes
// @throws ShapeError as in-place operations do: WRITE-01, OVERLAP-01 … OVERLAP-03. And with PyTorch's kind and words:
//   INDEX-01  an index outside of its dim: "index 5 is out of bounds for dimension 0 with size 3"
//   INDEX-02  an index of another dtype            INDEX-05  dtypes of tensor and source that differ
//   INDEX-03  an index of a wrong number of dims   INDEX-06  a number of values that fits neither index nor mask
//   INDEX-04  sizes of index, tensor and source    INDEX-07  a value that is not 0-d
//             that do not fit                      INDEX-08  taking from, or putting into, an empty tensor
//   INDEX-16  a dtype without that reduction
// Nothing changes on refusal.

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <optional>

namespace stridescope {

// --- Reading ------------------------------------------------------------------------------------------------------
/// {.., n, ..} and {k} -> {.., k, ..}: the slices that `index` (int64 or int32, no negative numbers) names.
Tensor indexSelect(const Tensor& t, Index dim, const Tensor& index);
/// out[i][j][k] = t[index[i][j][k]][j][k] for dim 0. The shape is that of `index`, no larger than t's in other dims.
Tensor gather(const Tensor& t, Index dim, const Tensor& index);
/// gather where the sizes of other dims broadcast; without `dim` of both flattened.
Tensor takeAlongDim(const Tensor& t, const Tensor& index, std::optional<Index> dim = std::nullopt);
/// Elements of `t` as if it were flat, in the shape of `index`; negative numbers count from the end.
Tensor take(const Tensor& t, const Tensor& index);

// --- Writing ------------------------------------------------------------------------------------------------------
enum class ScatterReduce { None, Add, Multiply };
/// t[index[i][j]][j] = src[i][j] for dim 0; with a reduction, what was there is added to or multiplied.
const Tensor& scatter_(const Tensor& t, Index dim, const Tensor& index, const Tensor& src,
                       ScatterReduce reduce = ScatterReduce::None);
const Tensor& scatter_(const Tensor& t, Index dim, const Tensor& index, Scalar value,
                       ScatterReduce reduce = ScatterReduce::None);
const Tensor& scatterAdd_(const Tensor& t, Index dim, const Tensor& index, const Tensor& src);
/// The same into a copy of `t`.
Tensor scatter(const Tensor& t, Index dim, const Tensor& index, const Tensor& src);
Tensor scatter(const Tensor& t, Index dim, const Tensor& index, Scalar value);
Tensor scatterAdd(const Tensor& t, Index dim, const Tensor& index, const Tensor& src);
enum class ReduceBy : std::uint8_t { Sum, Prod, Mean, Amax, Amin };
/// Each element of `t` that `index` names becomes the sum (or so) of itself and of all elements of `src` that are meant
/// for it; without `includeSelf` of those alone. Means of whole numbers are rounded down. For amax and amin no complex
/// numbers, for means no bool (INDEX-16).
const Tensor& scatterReduce_(const Tensor& t, Index dim, const Tensor& index, const Tensor& src, ReduceBy reduce,
                             bool includeSelf = true);
Tensor scatterReduce(const Tensor& t, Index dim, const Tensor& index, const Tensor& src, ReduceBy reduce,
                     bool includeSelf = true);
/// Slice index[i] of `t` becomes the product (or so) of itself and of all slices of `source` that are meant for it; not
/// the sum, which is indexAdd_. `index` is int64 or int32, without negative numbers.
const Tensor& indexReduce_(const Tensor& t, Index dim, const Tensor& index, const Tensor& source, ReduceBy reduce,
                           bool includeSelf = true);
/// Element index[i] of `t` as if it were flat becomes source[i], or grows by it.
const Tensor& put_(const Tensor& t, const Tensor& index, const Tensor& source, bool accumulate = false);
/// Slices that `index` (negative numbers count from the end) names become `value`.
const Tensor& indexFill_(const Tensor& t, Index dim, const Tensor& index, Scalar value);
const Tensor& indexFill_(const Tensor& t, Index dim, const Tensor& index, const Tensor& value);
/// Slice index[i] becomes slice i of `source`.
const Tensor& indexCopy_(const Tensor& t, Index dim, const Tensor& index, const Tensor& source);
/// Slice index[i] grows by alpha times slice i of `source`; `index` is int64 or int32.
const Tensor& indexAdd_(const Tensor& t, Index dim, const Tensor& index, const Tensor& source, Scalar alpha = 1);

} // namespace stridescope
