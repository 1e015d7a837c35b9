#pragma once
// Several tensors as one, and one tensor many times or in another order: everything here copies into a new tensor.
//
// Results are contiguous except where said. Several inputs promote to one dtype (promotion.h), each is converted as it
// is copied. Strided inputs are read as they lie. All dtypes, all devices that can copy.
// Source: PyTorch documentation; layouts and refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, DeviceError (DEV-03) for tensors on several
// devices, MemoryError when the result does not fit, IndexError (VIEW-01, VIEW-02) for a dim that is not there, and
// ShapeError with PyTorch's words:
//   JOIN-01  no tensors                              JOIN-07  a negative number of repeats, or more than 2^63 elements
//   JOIN-02  cat of a tensor without dims            JOIN-08  repeats of another number, dtype or dim
//   JOIN-03  tensors of different numbers of dims    JOIN-09  roll: shifts and dims do not pair up
//   JOIN-04  sizes differ in another dim than dim    JOIN-10  rot90: not two different dims
//   JOIN-05  stack of unequal shapes                 JOIN-11  too few dims to flip or split
//   JOIN-06  fewer repeats than dims                 JOIN-12  tensor_split: number of sections not above 0
//                                                            or above 10^8
//   JOIN-13  hsplit and its like: sections that do not divide the size

#include "core/tensor/tensor.h"

#include <optional>
#include <vector>

namespace stridescope {

// --- Several tensors --------------------------------------------------------------------------------------------
/// {.., n_i, ..} -> {.., sum of n_i, ..}. As in PyTorch, 1-d tensors without elements fit any others and are skipped,
/// but for their dtype.
Tensor cat(const std::vector<Tensor>& tensors, Index dim = 0);
/// Into `out`, which must have the result's shape (SHAPE-OUT) and a dtype that holds the result's (CAST-01).
/// @throws ShapeError as in-place operations: WRITE-01, OVERLAP-01, OVERLAP-02, OVERLAP-03.
const Tensor& catOut(const std::vector<Tensor>& tensors, Index dim, const Tensor& out);
/// A new dim: k times {a, b} -> {k, a, b} for dim 0.
Tensor stack(const std::vector<Tensor>& tensors, Index dim = 0);
/// Along dim 1 (dim 0 for 1-d), the first, and the third, dims being added as NumPy adds them.
Tensor hstack(const std::vector<Tensor>& tensors);
Tensor vstack(const std::vector<Tensor>& tensors);
Tensor dstack(const std::vector<Tensor>& tensors);
/// 1-d tensors become columns.
Tensor columnStack(const std::vector<Tensor>& tensors);

// --- One tensor many times ----------------------------------------------------------------------------------------
/// The whole tensor repeats[d] times along each dim; repeats may be longer than the shape (new leading dims).
Tensor repeat(const Tensor& t, const Dims& repeats);
/// As repeat; missing leading repeats count as 1.
Tensor tile(const Tensor& t, const Dims& repeats);
/// Each element `repeats` times, along `dim` or of the flattened tensor.
Tensor repeatInterleave(const Tensor& t, Index repeats, std::optional<Index> dim = std::nullopt);
/// Element i repeats[i] times; repeats is int32 or int64, of one element or of the size of the dim.
Tensor repeatInterleave(const Tensor& t, const Tensor& repeats, std::optional<Index> dim = std::nullopt);
/// {n} -> {sum}: i comes repeats[i] times, in the dtype of repeats. Example: (2, 0, 1) -> (0, 0, 2).
Tensor repeatInterleave(const Tensor& repeats);

// --- Another order ------------------------------------------------------------------------------------------------
/// Elements move `shift` places towards the end; those that fall out come in at the front. Without dims the tensor is
/// rolled as if it were flat. A dim named twice adds its shifts.
Tensor roll(const Tensor& t, const Dims& shifts, const Dims& dims = {});
/// Reversed along the dims: a copy, because PyTorch has no negative strides. Strides are kept as clone() keeps them.
Tensor flip(const Tensor& t, const Dims& dims);
Tensor fliplr(const Tensor& t);
Tensor flipud(const Tensor& t);
/// Turned k times by 90 degrees from dims[0] towards dims[1]. A copy; odd k gives transposed strides, as in PyTorch.
Tensor rot90(const Tensor& t, Index k = 1, const Dims& dims = {0, 1});

// --- Parts as views -----------------------------------------------------------------------------------------------
/// `sections` views of nearly equal size, the larger ones first; also when there are more sections than elements.
std::vector<Tensor> tensorSplit(const Tensor& t, Index sections, Index dim = 0);
/// Views cut at `indices`, with Python's clamping.
std::vector<Tensor> tensorSplit(const Tensor& t, const Dims& indices, Index dim = 0);
/// The same along dim 1 (dim 0 of 1-d tensors), dim 0 and dim 2; the number of sections must divide the size (JOIN-13).
std::vector<Tensor> hsplit(const Tensor& t, Index sections);
std::vector<Tensor> hsplit(const Tensor& t, const Dims& indices);
std::vector<Tensor> vsplit(const Tensor& t, Index sections);
std::vector<Tensor> vsplit(const Tensor& t, const Dims& indices);
std::vector<Tensor> dsplit(const Tensor& t, Index sections);
std::vector<Tensor> dsplit(const Tensor& t, const Dims& indices);

// --- More dims as views -------------------------------------------------------------------------------------------
/// Itself, or with dims of size 1: {} -> {1}.
Tensor atleast1d(const Tensor& t);
/// {} -> {1, 1}, {n} -> {1, n}.
Tensor atleast2d(const Tensor& t);
/// {} -> {1, 1, 1}, {n} -> {1, n, 1}, {m, n} -> {m, n, 1}.
Tensor atleast3d(const Tensor& t);
/// All of one shape, repeating dims of size 1 without copying.
std::vector<Tensor> broadcastTensors(const std::vector<Tensor>& tensors);

} // namespace stridescope
