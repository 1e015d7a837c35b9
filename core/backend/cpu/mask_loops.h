#pragma once
// The inner loops of masks, compiled once per instruction set (core/backend/cpu/isa/isa_mask.cpp). A mask is a run of
// bytes, of which all but 0 are true. Items are moved, not looked at: [log2 of their size], 1 to 8 bytes.

#include "core/index.h"

#include <cstdint>

namespace stridescope::cpu {

struct MaskLoops {
    /// The items of `in` where the mask is true go to `out`, one behind the other; returns how many. Up to `room` items
    /// from `out` on may be overwritten; precondition: the result fits.
    Index (*select[4])(void* out, Index room, const void* in, const std::uint8_t* mask, Index n);
    /// out[i] = mask[i] ? a[i] : b[i]; bit 0 of `scalars`: a is one item for all, bit 1: b is.
    void (*choose[4])(void* out, const std::uint8_t* mask, const void* a, const void* b, unsigned scalars, Index n);
    /// out[i] = *value where the mask is true.
    void (*fill[4])(void* out, const std::uint8_t* mask, const void* value, Index n);
    /// first + i for each i where the mask is true, as `select` writes.
    Index (*positions)(Index* out, Index room, const std::uint8_t* mask, Index n, Index first);
    Index (*count)(const std::uint8_t* mask, Index n);
};

} // namespace stridescope::cpu
