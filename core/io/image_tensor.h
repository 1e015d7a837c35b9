#pragma once
// Decoded picture rows as a tensor. Decoding itself belongs to the window (Qt).

#include "core/io/budget.h"
#include "core/tensor/tensor.h"

#include <cstddef>
#include <span>

namespace stridescope {

/// Copies rows of 8-bit pixels, `bytesPerLine` apart (padding at the end of rows is left behind), into a contiguous
/// uint8 tensor: shape (height, width, channels), or (height, width) for one channel. `channels` is 1, 2, 3 or 4.
/// Refused: IO-19 (sizes not positive, rows longer than bytesPerLine, fewer bytes than the rows need), IO-18.
Result<Tensor> imageTensor(std::span<const std::byte> rows, Index width, Index height, Index channels,
                           Index bytesPerLine, const Budget& budget = {});

} // namespace stridescope
