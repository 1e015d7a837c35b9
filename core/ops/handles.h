#pragma once
// Operations that make a tensor a view of other slots: PyTorch's in-place view operations. They change the handle that
// they are given and no element; other handles on the storage stay as they are.
//
// Source: PyTorch documentation; behaviour checked against version 1.13. What each refuses is what the operation of the
// same name without "_" refuses (core/ops/views.h); nothing changes then.

#include "core/tensor/tensor.h"

#include <optional>

namespace stridescope {

/// Row-major in another shape, from the same slot on. Where the storage has no room, `t` gets another one that begins
/// with its bytes; other tensors keep the old one (PyTorch's storages grow instead). What is new is not initialised.
/// @throws ShapeError for negative sizes, MemoryError, ValueError (TENSOR-02).
Tensor& resize_(Tensor& t, const Dims& shape);
/// Another storage, under a view of it that must lie inside (ShapeError).
Tensor& set_(Tensor& t, const StoragePtr& storage, const View& view);
Tensor& set_(Tensor& t, const Tensor& source);

Tensor& t_(Tensor& t);
Tensor& transpose_(Tensor& t, Index dim0, Index dim1);
Tensor& squeeze_(Tensor& t);
Tensor& squeeze_(Tensor& t, Index dim);
Tensor& unsqueeze_(Tensor& t, Index dim);
Tensor& asStrided_(Tensor& t, const Dims& size, const Dims& stride, std::optional<Index> offset = std::nullopt);

} // namespace stridescope
