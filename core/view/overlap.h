#pragma once
// Does a view name one storage slot twice? Decided exactly wherever that can be done in bounded time.

#include "core/view/view.h"

namespace stridescope {

enum class OverlapAnswer : std::uint8_t { None, Overlaps, Undecided };

struct OverlapVerdict {
    OverlapAnswer answer = OverlapAnswer::Undecided;
    SelfOverlap witness; ///< for Overlaps: two different coords and the slot that they share
};

/// Exact up to 8 dims with a bounded solver (internal overlap of a bounded Diophantine form), then by marking slots
/// for at most 2^24 elements; Undecided otherwise. Never wrong, at most 50 ms.
/// Source: the problem statement in NumPy's mem_overlap; the solver is our own.
OverlapVerdict selfOverlap(const View& v);

} // namespace stridescope
