#pragma once
// Room around a tensor, and elements that change places between channels and neighbours. Results are new and
// contiguous. Source: PyTorch documentation; refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, MemoryError, and ShapeError with PyTorch's
// words:
//   PAD-01  a number of pads that is odd, or more than two for each dim
//   PAD-02  a size that would become negative
//   PAD-03  channels or sizes that are no multiples, or too few dims

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

namespace stridescope {

/// `pad` names, from the last dim on, how much comes in front and behind; negative numbers cut off.
/// Example: {3,4} with {1, 2, 0, 1} -> {4,7}.
Tensor constantPad(const Tensor& t, const Dims& pad, Scalar value = 0);

/// {.., c * f^2, h, w} -> {.., c, h * f, w * f}, and back.
Tensor pixelShuffle(const Tensor& t, Index factor);
Tensor pixelUnshuffle(const Tensor& t, Index factor);
/// {n, c, ...}: the channels as `groups` rows, read by columns.
Tensor channelShuffle(const Tensor& t, Index groups);

} // namespace stridescope
