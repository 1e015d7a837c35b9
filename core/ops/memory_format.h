#pragma once
// Memory formats: PyTorch's names for the orders in which the dims of a new tensor lie in memory.

#include "core/view/view.h"

#include <cstdint>

namespace stridescope {

enum class MemoryFormat : std::uint8_t {
    Contiguous,     ///< row-major
    Preserve,       ///< as the tensor that it is made from: denseLike (core/ops/creation.h)
    ChannelsLast,   ///< of N, C, H, W the channels innermost
    ChannelsLast3d, ///< of N, C, D, H, W the channels innermost
};

/// "torch.channels_last", as code names it.
const char* codeText(MemoryFormat format);

/// The layout of a new tensor of `shape`; the offset is `offset`.
/// Example: {2,3,4,5} ChannelsLast -> strides {60,1,15,3}.
/// Refused: what contiguousView refuses; another rank than 4 or 5 (FORMAT-01); Preserve, which needs a tensor to
/// preserve (FORMAT-02).
Result<View> formattedView(const Dims& shape, MemoryFormat format, Index offset = 0);

/// Do the elements of `v` lie as a new tensor of that format has them? Strides of dims of size 1 do not matter.
/// Preserve asks for row-major, and another rank than that of the format is none of it.
bool isContiguous(const View& v, MemoryFormat format);

/// The format that the order of v's strides suggests, with or without gaps: channels last, or else Contiguous.
MemoryFormat suggestedFormat(const View& v);

} // namespace stridescope
