#include "core/view/inverse.h"

#include "core/view/bounded_form.h"
#include "core/view/checked.h"

namespace stridescope {

namespace {

/// Values tried before the search gives up: a few milliseconds. Ordinary views need one for each dim.
constexpr std::size_t kMaxWork = std::size_t{1} << 16;
/// Views up to this size are enumerated when the search gives up.
constexpr Index kMaxEnumerated = Index{1} << 22;

/// Solutions over the dims that decide the slot (size above 1, stride not 0); the other dims are free.
class SlotSearch {
public:
    SlotSearch(const View& v, Index slot, std::size_t maxSolutions) : m_view(v), m_maxSolutions(maxSolutions) {
        std::uint64_t fromLowest = static_cast<std::uint64_t>(slot) - static_cast<std::uint64_t>(v.offset);
        std::uint64_t span = 0;
        for (std::size_t d = 0; d < v.shape.size(); ++d) {
            if (v.shape[d] < 2 || v.stride[d] == 0) continue;
            FormDim dim;
            const auto bits = static_cast<std::uint64_t>(v.stride[d]);
            dim.reversed = v.stride[d] < 0;
            dim.stride = dim.reversed ? 0 - bits : bits;
            dim.maxCoord = static_cast<std::uint64_t>(v.shape[d]) - 1;
            dim.viewDim = d;
            if (dim.reversed) fromLowest += dim.stride * dim.maxCoord;
            span += dim.stride * dim.maxCoord;
            m_dims.push_back(dim);
        }
        prepareForm(m_dims);
        m_coord.resize(m_dims.size());
        if (fromLowest <= span) search(0, fromLowest);
    }

    /// False when the work bound or the number of solutions cut the search.
    bool complete() const { return m_work < kMaxWork && !m_full; }
    bool outOfWork() const { return m_work >= kMaxWork; }
    std::size_t count() const { return m_count; }

    /// The solutions as coords of the view (free dims 0), in row-major order.
    std::vector<Dims> sortedCoords() const {
        std::vector<Dims> result;
        result.reserve(m_count);
        for (std::size_t i = 0; i < m_count; ++i) {
            Dims coord(m_view.shape.size(), 0);
            for (std::size_t k = 0; k < m_dims.size(); ++k) {
                const std::uint64_t value = m_solutions[i * m_dims.size() + k];
                coord[m_dims[k].viewDim] = static_cast<Index>(m_dims[k].reversed ? m_dims[k].maxCoord - value : value);
            }
            result.push_back(std::move(coord));
        }
        std::sort(result.begin(), result.end(), [](const Dims& a, const Dims& b) {
            return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
        });
        return result;
    }

private:
    void search(std::size_t depth, std::uint64_t target) {
        if (depth == m_dims.size()) {
            if (target != 0) return;
            m_solutions.insert(m_solutions.end(), m_coord.begin(), m_coord.end());
            m_full = ++m_count == m_maxSolutions;
            return;
        }
        const FormDim& dim = m_dims[depth];
        const FormCandidates found = candidates(dim, target);
        if (found.last < found.first) return;
        for (std::uint64_t coord = found.first;; coord += found.step) {
            if (++m_work >= kMaxWork) return;
            m_coord[depth] = coord;
            search(depth + 1, target - coord * dim.stride);
            if (m_full || m_work >= kMaxWork || found.last - coord < found.step) return;
        }
    }

    const View& m_view;
    std::size_t m_maxSolutions;
    std::vector<FormDim> m_dims;
    std::vector<std::uint64_t> m_coord;
    std::vector<std::uint64_t> m_solutions;
    std::size_t m_count = 0;
    std::size_t m_work = 0;
    bool m_full = false;
};

/// Lists the coords of `sorted[begin, end)`, which agree before dim `d`, in row-major order and for every value of the
/// free dims. False when the limit was reached.
bool listWithFreeDims(const View& v, const std::vector<Dims>& sorted, std::size_t begin, std::size_t end, std::size_t d,
                      Dims& coord, std::size_t limit, std::vector<Dims>& out) {
    if (d == v.shape.size()) {
        if (out.size() == limit) return false;
        out.push_back(coord);
        return true;
    }
    if (v.stride[d] == 0) {
        for (Index i = 0; i < v.shape[d]; ++i) {
            coord[d] = i;
            if (!listWithFreeDims(v, sorted, begin, end, d + 1, coord, limit, out)) return false;
        }
        return true;
    }
    while (begin < end) {
        const Index value = sorted[begin][d];
        std::size_t next = begin + 1;
        while (next < end && sorted[next][d] == value) ++next;
        coord[d] = value;
        if (!listWithFreeDims(v, sorted, begin, next, d + 1, coord, limit, out)) return false;
        begin = next;
    }
    return true;
}

/// Goes through every element. False when the limit was reached.
bool listByEnumeration(const View& v, Index slot, std::size_t limit, std::vector<Dims>& out) {
    Dims coord(v.shape.size(), 0);
    Index at = v.offset;
    while (true) {
        if (at == slot) {
            if (out.size() == limit) return false;
            out.push_back(coord);
        }
        std::size_t d = v.shape.size();
        while (d > 0 && coord[d - 1] + 1 == v.shape[d - 1]) {
            at -= coord[d - 1] * v.stride[d - 1];
            coord[d - 1] = 0;
            --d;
        }
        if (d == 0) return true;
        ++coord[d - 1];
        at += v.stride[d - 1];
    }
}

bool touches(const View& v, Index slot) {
    const auto range = reach(v);
    return range && !range->empty() && slot >= range->lowest && slot <= range->highest;
}

} // namespace

InverseHits coordsAt(const View& v, Index slot, std::size_t limit) {
    InverseHits hits;
    if (!touches(v, slot)) return hits;
    if (limit == 0) {
        hits.complete = !reaches(v, slot);
        return hits;
    }
    // More solutions than asked for are wanted, so that the list can begin with the first ones in row-major order.
    const SlotSearch search(v, slot, kMaxWork);
    if (!search.complete() && v.numel() <= kMaxEnumerated) {
        hits.complete = listByEnumeration(v, slot, limit, hits.coords);
        return hits;
    }
    hits.complete = search.complete();
    if (search.count() == 0) return hits;
    const std::vector<Dims> sorted = search.sortedCoords();
    Dims coord(v.shape.size(), 0);
    if (!listWithFreeDims(v, sorted, 0, sorted.size(), 0, coord, limit, hits.coords)) hits.complete = false;
    return hits;
}

bool reaches(const View& v, Index slot) {
    if (!touches(v, slot)) return false;
    const SlotSearch search(v, slot, 1);
    if (search.count() > 0) return true;
    if (!search.outOfWork() || v.numel() > kMaxEnumerated) return false;
    std::vector<Dims> first;
    listByEnumeration(v, slot, 1, first);
    return !first.empty();
}

} // namespace stridescope
