#include "core/view/overlap.h"

#include "core/view/bounded_form.h"
#include "core/view/checked.h"

namespace stridescope {

namespace {

// Note [Self-overlap]
// Two coords share a slot exactly when their difference delta, not all zero, has  sum of delta[d] * stride[d] == 0 with
// |delta[d]| < size[d]. Shifted by size - 1 this is a bounded form with a known solution, the centre (delta 0); any
// other one is an overlap, and taking the positive part of delta for one coord and the negative part for the other is a
// witness. A solution and its mirror image come together, so the first delta that is not 0 may be taken as positive.

/// Values tried before the solver gives up, about 20 ms.
constexpr std::size_t kMaxWork = std::size_t{1} << 19;
/// Views up to this size are decided by marking slots.
constexpr Index kMaxMarked = Index{1} << 24;
/// Bits of the marking bitmap: 16 MiB.
constexpr std::uint64_t kMaxBits = std::uint64_t{1} << 27;
/// Views up to this size whose slots lie too far apart for a bitmap are decided by sorting them.
constexpr Index kMaxSorted = Index{1} << 18;

std::vector<Index> zeros(const View& v) {
    return std::vector<Index>(v.shape.size(), 0);
}

OverlapVerdict overlapping(const View& v, std::vector<Index> first, std::vector<Index> second) {
    OverlapVerdict verdict;
    verdict.answer = OverlapAnswer::Overlaps;
    verdict.witness.slot = v.slot(first);
    verdict.witness.first = std::move(first);
    verdict.witness.second = std::move(second);
    return verdict;
}

class DifferenceSearch {
public:
    explicit DifferenceSearch(std::vector<FormDim> dims) : m_dims(std::move(dims)) {
        for (FormDim& dim : m_dims) dim.maxCoord *= 2;
        prepareForm(m_dims);
        std::uint64_t centre = 0;
        for (const FormDim& dim : m_dims) centre += dim.stride * (dim.maxCoord / 2);
        m_coord.resize(m_dims.size());
        m_found = search(0, centre, true);
    }

    bool found() const { return m_found; }
    bool decided() const { return m_found || m_work < kMaxWork; }

    OverlapVerdict verdict(const View& v) const {
        std::vector<Index> first = zeros(v);
        std::vector<Index> second = zeros(v);
        for (std::size_t k = 0; k < m_dims.size(); ++k) {
            const std::uint64_t centre = m_dims[k].maxCoord / 2;
            const bool positive = (m_coord[k] >= centre) != m_dims[k].reversed;
            const std::uint64_t distance = m_coord[k] >= centre ? m_coord[k] - centre : centre - m_coord[k];
            (positive ? first : second)[m_dims[k].viewDim] = static_cast<Index>(distance);
        }
        return overlapping(v, std::move(first), std::move(second));
    }

private:
    bool search(std::size_t depth, std::uint64_t target, bool allCentre) {
        if (depth == m_dims.size()) return target == 0 && !allCentre;
        const FormDim& dim = m_dims[depth];
        FormCandidates found = candidates(dim, target);
        const std::uint64_t centre = dim.maxCoord / 2;
        if (allCentre && found.first < centre)
            found.first += (centre - found.first + found.step - 1) / found.step * found.step;
        if (found.last < found.first) return false;
        for (std::uint64_t coord = found.first;; coord += found.step) {
            if (++m_work >= kMaxWork) return false;
            m_coord[depth] = coord;
            if (search(depth + 1, target - coord * dim.stride, allCentre && coord == centre)) return true;
            if (m_work >= kMaxWork || found.last - coord < found.step) return false;
        }
    }

    std::vector<FormDim> m_dims;
    std::vector<std::uint64_t> m_coord;
    std::size_t m_work = 0;
    bool m_found = false;
};

/// Calls `visit(slot above the lowest, in units of the gcd)` for every element until it returns false.
template <class Visit>
void forEachSlot(const std::vector<FormDim>& dims, std::uint64_t unit, Visit visit) {
    std::vector<std::uint64_t> coord(dims.size(), 0);
    std::uint64_t at = 0;
    const FormDim& inner = dims.back();
    const std::uint64_t innerStep = inner.stride / unit;
    while (true) {
        for (std::uint64_t i = 0; i <= inner.maxCoord; ++i)
            if (!visit(at + i * innerStep)) return;
        std::size_t d = dims.size() - 1;
        while (d > 0 && coord[d - 1] == dims[d - 1].maxCoord) {
            at -= coord[d - 1] * (dims[d - 1].stride / unit);
            coord[d - 1] = 0;
            --d;
        }
        if (d == 0) return;
        ++coord[d - 1];
        at += dims[d - 1].stride / unit;
    }
}

/// The first two coords, in the order of `forEachSlot`, that land in `shared`.
OverlapVerdict witnessAt(const View& v, const std::vector<FormDim>& dims, std::uint64_t unit, std::uint64_t shared) {
    std::vector<std::uint64_t> places;
    std::uint64_t place = 0;
    forEachSlot(dims, unit, [&](std::uint64_t slot) {
        if (slot == shared) places.push_back(place);
        ++place;
        return places.size() < 2;
    });
    const auto coordAt = [&](std::uint64_t position) {
        std::vector<Index> coord = zeros(v);
        for (std::size_t k = dims.size(); k-- > 0;) {
            const std::uint64_t size = dims[k].maxCoord + 1;
            const std::uint64_t value = position % size;
            position /= size;
            coord[dims[k].viewDim] = static_cast<Index>(dims[k].reversed ? dims[k].maxCoord - value : value);
        }
        return coord;
    };
    return overlapping(v, coordAt(places[0]), coordAt(places[1]));
}

/// Marks or sorts the slots of all elements; Undecided when there are too many.
OverlapVerdict decideByMarking(const View& v, const std::vector<FormDim>& dims, std::uint64_t span) {
    const Index numel = v.numel();
    const std::uint64_t unit = dims.front().commonGcd;
    const std::uint64_t lastSlot = span / unit;
    OverlapVerdict none;
    none.answer = OverlapAnswer::None;
    if (numel <= kMaxMarked && lastSlot < kMaxBits) {
        std::vector<std::uint64_t> bits(static_cast<std::size_t>(lastSlot / 64 + 1), 0);
        std::uint64_t shared = 0;
        bool overlaps = false;
        forEachSlot(dims, unit, [&](std::uint64_t slot) {
            std::uint64_t& word = bits[static_cast<std::size_t>(slot / 64)];
            const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
            overlaps = (word & bit) != 0;
            word |= bit;
            shared = slot;
            return !overlaps;
        });
        return overlaps ? witnessAt(v, dims, unit, shared) : none;
    }
    if (numel <= kMaxSorted) {
        std::vector<std::uint64_t> slots;
        slots.reserve(static_cast<std::size_t>(numel));
        forEachSlot(dims, unit, [&](std::uint64_t slot) {
            slots.push_back(slot);
            return true;
        });
        std::sort(slots.begin(), slots.end());
        const auto twin = std::adjacent_find(slots.begin(), slots.end());
        return twin != slots.end() ? witnessAt(v, dims, unit, *twin) : none;
    }
    return {};
}

} // namespace

OverlapVerdict selfOverlap(const View& v) {
    OverlapVerdict verdict;
    verdict.answer = OverlapAnswer::None;
    std::vector<FormDim> dims;
    std::uint64_t span = 0;
    for (std::size_t d = 0; d < v.shape.size(); ++d)
        if (v.shape[d] == 0) return verdict;
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        if (v.shape[d] == 1) continue;
        if (v.stride[d] == 0) {
            std::vector<Index> second = zeros(v);
            second[d] = 1;
            return overlapping(v, zeros(v), std::move(second));
        }
        FormDim dim;
        const auto bits = static_cast<std::uint64_t>(v.stride[d]);
        dim.reversed = v.stride[d] < 0;
        dim.stride = dim.reversed ? 0 - bits : bits;
        dim.maxCoord = static_cast<std::uint64_t>(v.shape[d]) - 1;
        dim.viewDim = d;
        span += dim.stride * dim.maxCoord;
        dims.push_back(dim);
    }
    prepareForm(dims);
    // Ordinary views: every dim steps over all that the shorter steps can reach.
    const auto stepsOver = [](const FormDim& dim) { return dim.stride > dim.reachAfter; };
    if (std::all_of(dims.begin(), dims.end(), stepsOver)) return verdict;

    const bool fits = span <= static_cast<std::uint64_t>(kIndexMax); // twice the span has to fit 64 bits
    if (fits) {
        const DifferenceSearch search(dims);
        if (search.found()) return search.verdict(v);
        if (search.decided()) return verdict;
    }
    return decideByMarking(v, dims, span);
}

} // namespace stridescope
