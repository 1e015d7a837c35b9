#pragma once
// Operations that make a tensor a view of other slots: PyTorch's in-place view operations. They change the handle that
// they are given and no element; other handles on the storage stay as they are, though it may grow under them.
//
// Source: PyTorch documentation; behaviour checked against version 1.13. What each refuses is what the operation of the
// same name without "_" refuses (core/ops/views.h); nothing changes then.

#include "core/ops/memory_format.h"
#include "core/tensor/tensor.h"

#include <optional>

namespace stridescope {

/// Row-major, or in another format, in another shape, from the same slot on; in its own shape only a format other than
/// row-major changes anything. Where the storage has no room
/// it grows, under all tensors over it; what is new are zeros.
/// @throws ShapeError for negative sizes, MemoryError, ValueError (TENSOR-02), RuntimeError (STORAGE-01, FORMAT-01 and
///         FORMAT-02 as formattedView).
Tensor& resize_(Tensor& t, const Dims& shape, MemoryFormat format = MemoryFormat::Contiguous);
/// Makes the storage of `t` as long as `count` elements of its dtype; neither `t` nor any other tensor over it changes.
/// See Note [Storages that change their size]. @throws RuntimeError (STORAGE-01, STORAGE-02), MemoryError.
void resizeStorage(const Tensor& t, Index count);
/// Another storage, under a view of it. Where the view reaches beyond its end the storage grows.
/// @throws ShapeError for a view that begins before it, and as resize_.
Tensor& set_(Tensor& t, const StoragePtr& storage, const View& view);
/// The storage and the view of `source`, as they are.
Tensor& set_(Tensor& t, const Tensor& source);

Tensor& t_(Tensor& t);
Tensor& transpose_(Tensor& t, Index dim0, Index dim1);
Tensor& squeeze_(Tensor& t);
Tensor& squeeze_(Tensor& t, Index dim);
Tensor& unsqueeze_(Tensor& t, Index dim);
Tensor& asStrided_(Tensor& t, const Dims& size, const Dims& stride, std::optional<Index> offset = std::nullopt);

} // namespace stridescope
