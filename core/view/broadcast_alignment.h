#pragma once
// What broadcasting makes of the views that go in: each with the ghost dims in front, then stretched by strides of 0.

#include "core/view/broadcast.h"

namespace stridescope {

struct AlignedView {
    View aligned;     ///< with dims of size 1 in front, as many dims as the result
    View stretched;   ///< of the result's shape, on the same slots; as `aligned` where the shapes do not fit
    Index stored = 0; ///< slots that are read: each counted once, however often it is repeated
};

struct BroadcastAlignment {
    BroadcastPlan plan;
    std::vector<AlignedView> views;
    bool ok() const { return plan.ok(); }
    /// The result has more elements than every view that goes in: legal, and often not meant, as (3,) with (3, 1).
    bool grows = false;
    Index numel() const; ///< of the result
};

/// Never refuses sizes: a conflict is part of the answer. Refused: more than 2^63 - 1 elements.
Result<BroadcastAlignment> alignViews(std::span<const View> views);

} // namespace stridescope
