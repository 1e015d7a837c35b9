#include "widgets/scene/reach_marks.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace stridescope {

namespace {

/// Steps that looking for one slot or one pixel column may take.
constexpr Index kSlotBudget = 512;

/// Round down and up. Precondition: b > 0.
template <class Int>
Int floorDiv(Int a, Int b) {
    const Int q = a / b;
    return q * b > a ? q - 1 : q;
}
template <class Int>
Int ceilDiv(Int a, Int b) {
    const Int q = a / b;
    return q * b < a ? q + 1 : q;
}

/// Sums of four numbers up to here fit 64 bits; real storages are far smaller, only views that somebody wishes for
/// and cannot have are not.
constexpr Index kNarrow = Index{1} << 60;

} // namespace

/// Visits the coords whose slots lie in the window, cutting whole branches that cannot reach it. `Wide` is the type of
/// intermediate sums: 128-bit divisions take ten times as long as those of 64 bits.
template <class Wide>
class ReachQuery::Marker {
public:
    Marker(const std::vector<Dim>& dims, SlotRange window, Index budget)
        : m_dims(dims), m_window(window), m_budget(budget) {}

    /// Calls visit(slot, order) until it returns false. Returns false when the work bound was reached.
    template <class Visit>
    bool run(Index offset, Visit&& visit) {
        step(0, offset, 0, visit);
        return m_budget > 0;
    }

private:
    template <class Visit>
    void step(std::size_t k, Index base, Index order, Visit& visit) {
        if (m_stopped || --m_budget <= 0) return;
        if (k == m_dims.size()) {
            if (base >= m_window.first && base < m_window.last && !visit(base, order)) m_stopped = true;
            return;
        }
        const Dim& dim = m_dims[k];
        // base + c*stride + [low, high] must meet [first, last - 1].
        const Wide lowest = Wide{m_window.first} - base - dim.high;
        const Wide highest = Wide{m_window.last} - 1 - base - dim.low;
        const Wide stride = dim.stride;
        Wide from = stride > 0 ? ceilDiv(lowest, stride) : ceilDiv(Wide(-highest), Wide(-stride));
        Wide to = stride > 0 ? floorDiv(highest, stride) : floorDiv(Wide(-lowest), Wide(-stride));
        from = std::max<Wide>(from, 0);
        to = std::min<Wide>(to, dim.size - 1);
        for (Wide c = from; c <= to && !m_stopped && m_budget > 0; ++c) {
            const Index coord = static_cast<Index>(c);
            step(k + 1, base + coord * dim.stride, order + coord * dim.weight, visit);
        }
    }

    const std::vector<Dim>& m_dims;
    SlotRange m_window;
    Index m_budget;
    bool m_stopped = false;
};

void ReachQuery::suffixReach(std::vector<Dim>& dims) {
    Index low = 0, high = 0;
    for (std::size_t k = dims.size(); k-- > 0;) {
        dims[k].low = low;
        dims[k].high = high;
        const Index span = dims[k].stride * (dims[k].size - 1);
        (span < 0 ? low : high) += span;
    }
}

ReachQuery::ReachQuery(const View& view) : m_offset(view.offset) {
    Index weight = 1;
    for (std::size_t d = view.shape.size(); d-- > 0;) {
        const Index size = view.shape[d];
        if (size == 0) m_empty = true;
        if (size > 1 && view.stride[d] == 0) {
            constexpr Index most = std::numeric_limits<Index>::max();
            m_repeats = m_repeats > most / size ? most : m_repeats * size;
        } else if (size > 1) {
            m_inOrder.push_back({size, view.stride[d], weight, 0, 0});
        }
        weight *= size;
    }
    if (m_empty) return;
    std::reverse(m_inOrder.begin(), m_inOrder.end());
    m_dims = m_inOrder;
    std::stable_sort(m_dims.begin(), m_dims.end(),
                     [](const Dim& a, const Dim& b) { return std::abs(a.stride) > std::abs(b.stride); });
    for (const Dim& dim : m_dims) {
        // Two dims that step through the storage as one are one for everything but the visiting order.
        if (!m_merged.empty() && m_merged.back().stride == __int128{dim.stride} * dim.size) {
            m_merged.back().size *= dim.size;
            m_merged.back().stride = dim.stride;
        } else {
            m_merged.push_back(dim);
        }
    }
    for (std::vector<Dim>* dims : {&m_inOrder, &m_dims, &m_merged}) suffixReach(*dims);
    Index low = m_offset, high = m_offset;
    for (const Dim& dim : m_dims) (dim.stride < 0 ? low : high) += dim.stride * (dim.size - 1);
    m_span = {low, high + 1};
    m_narrow = low > -kNarrow && high < kNarrow;
    for (const Dim& dim : m_dims) m_narrow = m_narrow && std::abs(dim.stride) < kNarrow;
}

template <class Visit>
bool ReachQuery::visit(const std::vector<Dim>& dims, SlotRange window, Index budget, Visit&& visit) const {
    const auto small = [](Index n) { return n > -kNarrow && n < kNarrow; };
    if (m_narrow && small(window.first) && small(window.last))
        return Marker<Index>(dims, window, budget).run(m_offset, visit);
    return Marker<__int128>(dims, window, budget).run(m_offset, visit);
}

ReachMarks ReachQuery::mark(SlotRange range, bool wantOrder) const {
    ReachMarks marks;
    marks.range = range;
    marks.repeats = m_repeats;
    if (range.empty()) return marks;
    const std::size_t size = static_cast<std::size_t>(range.last - range.first);
    marks.count.assign(size, 0);
    if (wantOrder) marks.order.assign(size, -1);
    if (m_empty) return marks;
    const auto note = [&](Index slot, Index order) {
        const auto at = static_cast<std::size_t>(slot - range.first);
        // Saturates where painters and lists, which count in Index, would.
        constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
        const auto repeats = static_cast<std::uint64_t>(m_repeats);
        marks.count[at] = marks.count[at] > kMost - repeats ? kMost : marks.count[at] + repeats;
        if (wantOrder && (marks.order[at] < 0 || order < marks.order[at])) marks.order[at] = order;
        return true;
    };
    const Index budget = 16 * static_cast<Index>(size) + 4096;
    marks.complete = visit(wantOrder ? m_dims : m_merged, range, budget, note);
    if (marks.complete) return marks;
    // Heavy overlap: the count stays a lower bound, but no reached slot may look unreached, and orders stay right.
    for (std::size_t at = 0; at < size; ++at) {
        if (marks.count[at] > 0 && !wantOrder) continue;
        const auto first = [&](Index slot, Index order) {
            if (marks.count[at] == 0) note(slot, order);
            if (wantOrder) marks.order[at] = order;
            return false;
        };
        const Index slot = range.first + static_cast<Index>(at);
        visit(m_inOrder, {slot, slot + 1}, kSlotBudget, first);
    }
    return marks;
}

bool ReachQuery::any(SlotRange range) const {
    if (range.empty() || m_empty) return false;
    if (m_merged.size() == 1 && m_narrow) {
        // Most views step through the storage as one dim: the first of its slots from the window's start on.
        const Index low = std::max(range.first, m_span.first), high = std::min(range.last, m_span.last);
        const Index step = std::abs(m_merged[0].stride);
        return low < high && m_span.first + ceilDiv(low - m_span.first, step) * step < high;
    }
    bool found = false;
    const auto note = [&found](Index, Index) {
        found = true;
        return false;
    };
    const bool finished = visit(m_merged, range, kSlotBudget, note);
    return found || !finished;
}

} // namespace stridescope
