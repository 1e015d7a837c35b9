#pragma once
// Slopes by differences.

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <vector>

namespace stridescope {

/// The slopes of `t` along each of `dims` (absent: all): {...} -> one {...} for each. Inside, from the neighbours on
/// both sides; at the ends from one neighbour (edgeOrder 1) or by a parabola through three points (edgeOrder 2).
/// Neighbours are `spacing` apart: one number for all dims, or one for each. Integers give floats.
/// Example: {1, 4, 9, 16} -> {3, 4, 6, 7}; with edgeOrder 2 {2, 4, 6, 8}.
/// Source: PyTorch documentation (torch.gradient); behaviour checked against version 1.13.
/// @throws ValueError (TENSOR-02); IndexError (VIEW-01) for a dim out of range; ShapeError with PyTorch's words for
///   GRAD-01  another edgeOrder                       GRAD-04  a dim that is there twice
///   GRAD-02  uint8, which has no negative slopes     GRAD-05  spacings that are not one for each dim
///   GRAD-03  fewer than edgeOrder + 1 elements       GRAD-06  coordinates that are not one for each index
/// and BOOL-01 for bool.
std::vector<Tensor> gradient(const Tensor& t, const std::vector<Scalar>& spacing = {},
                             const std::optional<Dims>& dims = {}, Index edgeOrder = 1);
/// At the places `coordinates`, a vector for each dim.
std::vector<Tensor> gradientAt(const Tensor& t, const std::vector<Tensor>& coordinates,
                               const std::optional<Dims>& dims = {}, Index edgeOrder = 1);

} // namespace stridescope
