#include "core/view/shared_slot.h"

#include "core/view/bounded_form.h"

#include <optional>

namespace stridescope {

namespace {

// Note [Shared slots]
// Coords a of one view and b of the other share a slot exactly when
//     lowest + sum of a[d] * s[d]  ==  highest' - sum of b'[d] * t[d],    b'[d] = size - 1 - b[d],
// with all strides made positive: a bounded form over the dims of both views whose target is highest' - lowest. Two
// dims with one stride are one unknown, the sum of theirs: views cut from one tensor have most strides in common, and
// then the search has no more unknowns than one of them has dims.

/// Values tried before the solver gives up, about 20 ms.
constexpr std::size_t kMaxWork = std::size_t{1} << 19;
/// Views up to this size are decided by marking slots.
constexpr Index kMaxMarked = Index{1} << 22;
/// Bits of the marking bitmap: 16 MiB.
constexpr std::uint64_t kMaxBits = std::uint64_t{1} << 27;

/// A dim of one of the views, as a part of an unknown.
struct Part {
    std::uint64_t stride = 0, maxCoord = 0;
    std::size_t viewDim = 0;
    bool reversed = false; ///< the unknown counts down in the view's coord
    bool ofSecond = false;
};

/// The lowest and the highest slot that a view reaches.
struct SlotRange {
    Index lowest = 0, highest = 0;
};

bool isEmpty(const View& v) {
    return std::find(v.shape.begin(), v.shape.end(), 0) != v.shape.end();
}

/// Adds the dims that decide the slot. Nothing when slots are too far apart for the arithmetic here.
std::optional<SlotRange> addParts(const View& v, bool ofSecond, std::vector<Part>& parts) {
    constexpr Index kFarthest = Index{1} << 61;
    if (v.offset > kFarthest || v.offset < -kFarthest) return std::nullopt;
    SlotRange range{v.offset, v.offset};
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        if (v.shape[d] < 2 || v.stride[d] == 0) continue;
        Index span = 0;
        if (__builtin_mul_overflow(v.shape[d] - 1, v.stride[d], &span)) return std::nullopt;
        Index& end = span < 0 ? range.lowest : range.highest;
        if (__builtin_add_overflow(end, span, &end)) return std::nullopt;
        const bool negative = v.stride[d] < 0;
        parts.push_back({static_cast<std::uint64_t>(negative ? -v.stride[d] : v.stride[d]),
                         static_cast<std::uint64_t>(v.shape[d]) - 1, d, negative != ofSecond, ofSecond});
    }
    if (range.lowest < -kFarthest || range.highest > kFarthest) return std::nullopt;
    return range;
}

class CommonSlotSearch {
public:
    CommonSlotSearch(const std::vector<Part>& parts, std::uint64_t target) {
        for (const Part& part : parts) {
            const auto alike =
                std::find_if(m_dims.begin(), m_dims.end(), [&](const FormDim& d) { return d.stride == part.stride; });
            if (alike != m_dims.end()) {
                alike->maxCoord += part.maxCoord;
                continue;
            }
            FormDim dim;
            dim.stride = part.stride;
            dim.maxCoord = part.maxCoord;
            m_dims.push_back(dim);
        }
        prepareForm(m_dims);
        m_coord.resize(m_dims.size());
        m_found = search(0, target);
    }

    bool found() const { return m_found; }
    bool decided() const { return m_found || m_work < kMaxWork; }

    /// The coords of the two views, given as 0 everywhere.
    void coordsInto(const std::vector<Part>& parts, SharedSlotVerdict& verdict) const {
        std::vector<std::uint64_t> left = m_coord;
        for (const Part& part : parts) {
            std::size_t k = 0;
            while (m_dims[k].stride != part.stride) ++k;
            const std::uint64_t value = std::min(left[k], part.maxCoord);
            left[k] -= value;
            (part.ofSecond ? verdict.second : verdict.first)[part.viewDim] =
                static_cast<Index>(part.reversed ? part.maxCoord - value : value);
        }
    }

private:
    bool search(std::size_t depth, std::uint64_t target) {
        if (depth == m_dims.size()) return target == 0;
        const FormDim& dim = m_dims[depth];
        const FormCandidates found = candidates(dim, target);
        if (found.last < found.first) return false;
        for (std::uint64_t coord = found.first;; coord += found.step) {
            if (++m_work >= kMaxWork) return false;
            m_coord[depth] = coord;
            if (search(depth + 1, target - coord * dim.stride)) return true;
            if (m_work >= kMaxWork || found.last - coord < found.step) return false;
        }
    }

    std::vector<FormDim> m_dims;
    std::vector<std::uint64_t> m_coord;
    std::size_t m_work = 0;
    bool m_found = false;
};

/// Calls `visit(slot, coord)` for every element until it returns false.
template <class Visit>
void forEachElement(const View& v, Visit visit) {
    Dims coord(v.shape.size(), 0);
    Index slot = v.offset;
    while (true) {
        if (!visit(slot, coord)) return;
        std::size_t d = coord.size();
        while (d > 0 && coord[d - 1] == v.shape[d - 1] - 1) {
            --d;
            slot -= coord[d] * v.stride[d];
            coord[d] = 0;
        }
        if (d == 0) return;
        ++coord[d - 1];
        slot += v.stride[d - 1];
    }
}

SharedSlotVerdict decideByMarking(const View& first, const View& second, Index lowest, Index highest) {
    SharedSlotVerdict verdict;
    const auto span = static_cast<std::uint64_t>(highest - lowest);
    if (first.numel() > kMaxMarked || second.numel() > kMaxMarked || span >= kMaxBits) return verdict;
    std::vector<bool> marked(static_cast<std::size_t>(span + 1));
    const auto isInside = [&](Index slot) { return slot >= lowest && slot <= highest; };
    forEachElement(first, [&](Index slot, const Dims&) {
        if (isInside(slot)) marked[static_cast<std::size_t>(slot - lowest)] = true;
        return true;
    });
    verdict.answer = OverlapAnswer::None;
    forEachElement(second, [&](Index slot, const Dims& coord) {
        if (!isInside(slot) || !marked[static_cast<std::size_t>(slot - lowest)]) return true;
        verdict.answer = OverlapAnswer::Overlaps;
        verdict.second = coord;
        verdict.slot = slot;
        return false;
    });
    if (verdict.answer == OverlapAnswer::None) return verdict;
    forEachElement(first, [&](Index slot, const Dims& coord) {
        if (slot != verdict.slot) return true;
        verdict.first = coord;
        return false;
    });
    return verdict;
}

} // namespace

SharedSlotVerdict sharedSlot(const View& first, const View& second) {
    SharedSlotVerdict verdict;
    verdict.answer = OverlapAnswer::None;
    if (isEmpty(first) || isEmpty(second)) return verdict;
    std::vector<Part> parts;
    const std::optional<SlotRange> a = addParts(first, false, parts), b = addParts(second, true, parts);
    if (!a || !b) return {};
    if (a->highest < b->lowest || b->highest < a->lowest) return verdict;

    const CommonSlotSearch search(parts, static_cast<std::uint64_t>(b->highest - a->lowest));
    if (search.found()) {
        verdict.answer = OverlapAnswer::Overlaps;
        verdict.first = Dims(first.shape.size(), 0);
        verdict.second = Dims(second.shape.size(), 0);
        search.coordsInto(parts, verdict);
        verdict.slot = first.slot(std::span<const Index>(verdict.first));
        return verdict;
    }
    if (search.decided()) return verdict;
    return decideByMarking(first, second, std::max(a->lowest, b->lowest), std::min(a->highest, b->highest));
}

} // namespace stridescope
