#pragma once
// Which slots of a window on the storage a view reaches, how often, and in which visiting order.
// Cost: the window, not the view. (core/view/inverse.h answers for one slot and names the coords.)

#include "core/view/view.h"
#include "widgets/scene/strip_layout.h"

#include <cstdint>
#include <vector>

namespace stridescope {

struct ReachMarks {
    SlotRange range;
    std::vector<std::uint64_t> count; ///< for each slot of the range: coords that land there (saturating)
    std::vector<Index> order;         ///< place of the first of them in row-major order, -1 where there is none; may be
                                      ///< empty when not asked for
    Index repeats = 1;                ///< how often every slot is repeated by dims of stride 0 alone (part of `count`)
    bool complete = true;             ///< false when the work bound cut the counting: counts are lower bounds, but
                                      ///< whether a slot is reached at all is still right

    bool reached(Index slot) const { return count[static_cast<std::size_t>(slot - range.first)] > 0; }
    /// Coords that land in `slot`, dims of stride 0 not counted.
    std::uint64_t overlap(Index slot) const {
        return count[static_cast<std::size_t>(slot - range.first)] / static_cast<std::uint64_t>(repeats);
    }
};

/// A view prepared for many questions about windows on its storage.
class ReachQuery {
public:
    explicit ReachQuery(const View& view);

    /// Marks the slots of `range` (a visible window: a few thousand slots).
    ReachMarks mark(SlotRange range, bool wantOrder = false) const;
    /// True when the view reaches some slot of `range`. Says true without proof when a heavily overlapping view takes
    /// too many steps.
    bool any(SlotRange range) const;
    /// Lowest and one past the highest slot; empty for views without elements.
    SlotRange span() const { return m_span; }

private:
    struct Dim {
        Index size, stride;
        Index weight;    ///< steps in row-major order from one coord of this dim to the next
        Index low, high; ///< what the dims after this one add to the slot
    };
    template <class Wide>
    class Marker;
    static void suffixReach(std::vector<Dim>& dims);
    /// Calls visit(slot, order) for coords that land in the window; false when the work bound was reached.
    template <class Visit>
    bool visit(const std::vector<Dim>& dims, SlotRange window, Index budget, Visit&& visit) const;

    std::vector<Dim> m_dims;    ///< longest stride first: cuts most
    std::vector<Dim> m_merged;  ///< those, neighbours merged where they step as one; knows no visiting order
    std::vector<Dim> m_inOrder; ///< as in the view: finds the first in row-major order first
    Index m_offset = 0;
    Index m_repeats = 1;
    bool m_empty = false;
    bool m_narrow = false; ///< all sums fit 64 bits
    SlotRange m_span;
};

} // namespace stridescope
