#include "widgets/images/touched_facts.h"

#include "core/view/inverse.h"
#include "widgets/images/slot_walk.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

std::vector<double> coverageOf(const Tensor& t, std::size_t parts, Index most) {
    std::vector<double> coverage(parts, 0);
    const Index slots = t.storageNumel(), total = t.numel();
    if (slots == 0 || total == 0) return coverage;
    const Index step = samplingStep(total, most);
    const double scale = static_cast<double>(parts) / static_cast<double>(slots);
    eachSlot(t, step, [&](Index slot) {
        ++coverage[std::min(static_cast<std::size_t>(static_cast<double>(slot) * scale), parts - 1)];
    });
    const double whole = static_cast<double>(slots) / static_cast<double>(parts) / static_cast<double>(step);
    for (double& part : coverage) part = std::min(part / whole, 1.0);
    return coverage;
}

std::vector<std::optional<Index>> channelsAt(const Tensor& t, Index first, Index count) {
    std::vector<std::optional<Index>> found(static_cast<std::size_t>(std::max<Index>(count, 0)));
    const std::size_t dims = t.shape().size();
    for (Index i = 0; i < count; ++i) {
        const InverseHits hits = coordsAt(t.view(), first + i, 1);
        if (!hits.coords.empty())
            found[static_cast<std::size_t>(i)] = dims >= 3 ? hits.coords.front()[dims - 3] : Index{0};
    }
    return found;
}

SlotSet::SlotSet(const View& view) : m_view(view), m_lowest(view.offset), m_empty(false) {
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        m_empty = m_empty || view.shape[d] == 0;
        if (view.shape[d] <= 1 || view.stride[d] == 0) continue;
        if (view.stride[d] < 0) m_lowest += (view.shape[d] - 1) * view.stride[d];
        m_steps.push_back({std::abs(view.stride[d]), view.shape[d]});
    }
    std::sort(m_steps.begin(), m_steps.end(), [](const Step& a, const Step& b) { return a.stride > b.stride; });
    Index inner = 0; // how far the dims behind one reach
    for (std::size_t d = m_steps.size(); d-- > 0;) {
        m_divides = m_divides && m_steps[d].stride > inner;
        inner += (m_steps[d].size - 1) * m_steps[d].stride;
    }
}

bool SlotSet::holds(Index slot) const {
    if (m_empty || slot < m_lowest) return false;
    if (!m_divides) return reaches(m_view, slot);
    Index rest = slot - m_lowest;
    for (const Step& step : m_steps) {
        const Index times = rest / step.stride;
        if (times >= step.size) return false;
        rest -= times * step.stride;
    }
    return rest == 0;
}

TouchedRuns runsOf(const Tensor& t, Index most) {
    return runsOf(t.view(), static_cast<Index>(t.itemSize()), t.storageNumel(), most);
}

std::optional<CopiedRuns> runsIfCopied(const Tensor& whole, const Tensor& touched) {
    const View& v = whole.view();
    const std::size_t dims = v.shape.size();
    if (dims < 3 || whole.numel() == 0 || whole.isContiguous()) return std::nullopt;
    CopiedRuns found;
    found.channels = v.shape[dims - 3];
    found.plane = v.shape[dims - 2] * v.shape[dims - 1];
    // Two ends of a channel and as many values as that makes: it is touched as a whole.
    const SlotSet set(touched.view());
    const Index last = (v.shape[dims - 2] - 1) * v.stride[dims - 2] + (v.shape[dims - 1] - 1) * v.stride[dims - 1];
    for (Index c = 0; c < found.channels; ++c) {
        const Index slot = v.offset + c * v.stride[dims - 3];
        if (!set.holds(slot) || !set.holds(slot + last)) continue;
        if (found.count == 0) found.from = c;
        if (found.from + found.count != c) return std::nullopt;
        ++found.count;
    }
    if (found.count == 0 || touched.numel() != whole.numel() / found.channels * found.count) return std::nullopt;
    View copy = contiguousView(v.shape).valueOrThrow();
    copy.shape[dims - 3] = found.count;
    copy.offset = found.from * found.plane;
    found.runs = runsOf(copy, static_cast<Index>(whole.itemSize()), whole.numel());
    return found;
}

TouchedRuns runsOf(const View& t, Index item, Index slotCount, Index most) {
    TouchedRuns found;
    constexpr Index kLine = 64;
    found.linesInAll = (slotCount * item + kLine - 1) / kLine;
    if (t.numel() == 0) return found;
    // Dims by stride, the shortest first; those that go on where the one before ends are one run.
    std::vector<std::pair<Index, Index>> dims; // stride, size
    Index first = t.offset;
    for (std::size_t d = 0; d < t.shape.size(); ++d) {
        const Index size = t.shape[d], stride = t.stride[d];
        if (size == 1 || stride == 0) continue;
        if (stride < 0) first += (size - 1) * stride;
        dims.emplace_back(std::abs(stride), size);
    }
    std::sort(dims.begin(), dims.end());
    std::size_t inside = 0;
    found.length = 1;
    while (inside < dims.size() && dims[inside].first == found.length) found.length *= dims[inside++].second;
    found.runs = 1;
    for (std::size_t d = inside; d < dims.size(); ++d) found.runs *= dims[d].second;
    if (inside < dims.size()) found.every = dims[inside].first;
    found.counted = found.runs <= most;
    Index last = -1;
    for (Index run = 0; found.counted && run < found.runs; ++run) {
        Index slot = first, rest = run;
        for (std::size_t d = inside; d < dims.size(); ++d) {
            slot += rest % dims[d].second * dims[d].first;
            rest /= dims[d].second;
        }
        // Runs come in the order of their slots, so a line that was counted is the last one.
        const Index from = std::max(slot * item / kLine, last + 1), to = ((slot + found.length) * item - 1) / kLine;
        if (to < from) continue;
        found.lines += to - from + 1;
        last = to;
    }
    return found;
}

} // namespace stridescope
