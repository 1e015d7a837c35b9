#pragma once
// The one integer type for sizes, strides, offsets, slots and element counts.

#include <cstdint>

namespace stridescope {

/// Signed 64-bit, as PyTorch's int64_t: strides can be negative, differences must not wrap.
using Index = std::int64_t;

} // namespace stridescope
