#pragma once
// Copies of a tensor in which a part was replaced: what writing to a view does, without changing the tensor.
//
// `src` has the shape of the part; it is converted to t's dtype. Results are new, dense and in the order of t's
// strides. Source: PyTorch documentation (torch.select_scatter and others); behaviour checked against version 1.13.
// Every function @throws what the view operation of its name throws; ValueError (TENSOR-02); ShapeError for a src of
// another shape (SCATTER-01), and as copy_() for parts that name a slot twice (OVERLAP-01, OVERLAP-02).

#include "core/tensor/tensor.h"

#include <optional>

namespace stridescope {

Tensor selectScatter(const Tensor& t, const Tensor& src, Index dim, Index index);
Tensor sliceScatter(const Tensor& t, const Tensor& src, Index dim = 0, std::optional<Index> start = {},
                    std::optional<Index> end = {}, Index step = 1);
Tensor diagonalScatter(const Tensor& t, const Tensor& src, Index offset = 0, Index dim1 = 0, Index dim2 = 1);
/// Slots count in the storage of the new tensor, which is dense.
Tensor asStridedScatter(const Tensor& t, const Tensor& src, const Dims& size, const Dims& stride,
                        std::optional<Index> offset = {});

} // namespace stridescope
