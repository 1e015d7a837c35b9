#pragma once
// The view operations on tensors: the pure functions of core/view/view_ops.h, applied to a storage and observed.
//
// The result shares the storage of `t`; no element moves and nothing but the new Tensor value is made. Arguments,
// shapes and refusals are those of the function of the same name there. Every function here
// @throws ShapeError, IndexError or ValueError as that refusal says (ValueError, TENSOR-02, for an undefined tensor).

#include "core/tensor/tensor.h"

#include <optional>
#include <vector>

namespace stridescope {

// --- Part of a tensor -----------------------------------------------------------------------------------------
Tensor select(const Tensor& t, Index dim, Index index);
Tensor narrow(const Tensor& t, Index dim, Index start, Index length);
Tensor slice(const Tensor& t, Index dim, std::optional<Index> start, std::optional<Index> end, Index step = 1);
Tensor diagonal(const Tensor& t, Index offset = 0, Index dim1 = 0, Index dim2 = 1);
Tensor unfold(const Tensor& t, Index dim, Index size, Index step);

// --- Order of dims --------------------------------------------------------------------------------------------
Tensor transpose(const Tensor& t, Index dim0, Index dim1);
Tensor t(const Tensor& tensor);
Tensor permute(const Tensor& t, const Dims& dims);
Tensor movedim(const Tensor& t, const Dims& source, const Dims& destination);
Tensor swapaxes(const Tensor& t, Index axis0, Index axis1);

// --- Number of dims -------------------------------------------------------------------------------------------
Tensor unsqueeze(const Tensor& t, Index dim);
Tensor squeeze(const Tensor& t);
Tensor squeeze(const Tensor& t, Index dim);

// --- Other shape, same elements -------------------------------------------------------------------------------
Tensor view(const Tensor& t, const Dims& shape);
/// view(t, other.shape()).
Tensor viewAs(const Tensor& t, const Tensor& other);
Tensor unflatten(const Tensor& t, Index dim, const Dims& sizes);
/// A view where that is possible, else a contiguous copy in a new storage.
Tensor reshape(const Tensor& t, const Dims& shape);
/// As reshape.
Tensor flatten(const Tensor& t, Index startDim = 0, Index endDim = -1);

// --- Repetition without copying -------------------------------------------------------------------------------
Tensor expand(const Tensor& t, const Dims& sizes);
/// expand(t, other.shape()).
Tensor expandAs(const Tensor& t, const Tensor& other);

// --- Anything ---------------------------------------------------------------------------------------------------
/// Slots count from the start of the storage, not from t's first element; an absent offset keeps t's.
Tensor asStrided(const Tensor& t, const Dims& size, const Dims& stride, std::optional<Index> offset = std::nullopt);

/// Same bytes under another dtype, as PyTorch's view(dtype): an equal item size keeps size, stride and offset; a
/// smaller one makes the last dim longer, a larger one makes it shorter. Bytes read as bool count as true when not 0.
/// Refused as viewAsDType.
Tensor viewDType(const Tensor& t, DType dtype);
/// The pure half of viewDType: the layout that a view of items of `from` has when they are read as `to`.
/// Refused with PyTorch's conditions, in its order: another item size needs a dim (DTYPE-01) and a last stride of 1
/// (DTYPE-02); a larger item needs the last size (DTYPE-03), the offset (DTYPE-04) and all other strides (DTYPE-05) to
/// be multiples of the ratio; a smaller one, numbers that stay within 64 bits (DTYPE-06).
/// Example: int16 {4,6} {6,1} as int32 -> {4,3} {3,1}; as int8 -> {4,12} {12,1}.
Result<View> viewAsDType(const View& v, DType from, DType to);

// --- Several views ----------------------------------------------------------------------------------------------
std::vector<Tensor> split(const Tensor& t, Index splitSize, Index dim = 0);
std::vector<Tensor> split(const Tensor& t, const Dims& sizes, Index dim = 0);
std::vector<Tensor> chunk(const Tensor& t, Index chunks, Index dim = 0);
std::vector<Tensor> unbind(const Tensor& t, Index dim = 0);

} // namespace stridescope
