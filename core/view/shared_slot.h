#pragma once
// Do two views of one storage name a slot that is the same? Decided exactly wherever that can be done in bounded time.

#include "core/view/overlap.h"

namespace stridescope {

struct SharedSlotVerdict {
    OverlapAnswer answer = OverlapAnswer::Undecided;
    Dims first;     ///< for Overlaps: a coord of the first view
    Dims second;    ///< and one of the second view, in the same slot
    Index slot = 0; ///< that slot
};

/// Exact with a bounded solver (a bounded Diophantine form over the dims of both views), then by marking the slots of
/// the first view and looking up those of the second one, for at most 2^22 elements in each; Undecided otherwise.
/// Never wrong, at most 50 ms. Both views count in slots of one storage and one item size; empty views share nothing.
SharedSlotVerdict sharedSlot(const View& first, const View& second);

} // namespace stridescope
