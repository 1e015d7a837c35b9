#include "widgets/images/overwrites.h"

#include <algorithm>

namespace stridescope {

OverwritesPtr Overwrites::with(const OverwritesPtr& before, const View& where, const Table& becomes) {
    const Result<Reach> reached = reach(where);
    if (!reached) return nullptr;
    Write write;
    write.where = where;
    write.lowest = reached->lowest;
    write.becomes = becomes;
    for (std::size_t d = 0; d < where.shape.size(); ++d)
        if (where.shape[d] != 1) write.steps.push_back({std::abs(where.stride[d]), where.shape[d], 0});
    if (reached->empty()) write.steps.assign(1, {1, 0, 0});
    std::stable_sort(write.steps.begin(), write.steps.end(),
                     [](const Step& a, const Step& b) { return a.stride > b.stride; });
    Index inner = 0;
    for (std::size_t d = write.steps.size(); d-- > 0;) {
        Step& step = write.steps[d];
        if (step.stride <= inner || step.stride == 0) return nullptr;
        inner += (step.size - 1) * step.stride;
        step.reach = inner;
        if (d + 1 == write.steps.size()) continue;
        const Step behind = write.steps[d + 1];
        if (step.stride != behind.stride * behind.size) continue;
        step = {behind.stride, behind.size * step.size, inner};
        write.steps.erase(write.steps.begin() + static_cast<std::ptrdiff_t>(d) + 1);
    }
    auto all = std::make_shared<Overwrites>();
    if (before) all->m_writes = before->m_writes;
    if (!all->m_writes.empty() && all->m_writes.back().where == where) {
        for (std::uint8_t& byte : all->m_writes.back().becomes) byte = becomes[byte];
    } else {
        all->m_writes.push_back(std::move(write));
    }
    return all;
}

void Overwrites::write(const Write& write, std::size_t dim, Index first, std::byte* data, Index from, Index to) {
    if (dim == write.steps.size()) {
        if (first >= from && first < to)
            data[first] = std::byte{write.becomes[std::to_integer<std::size_t>(data[first])]};
        return;
    }
    const Step& step = write.steps[dim];
    const bool last = dim + 1 == write.steps.size();
    const Index behind = last ? 0 : write.steps[dim + 1].reach;
    // Those turns that get to a slot between `from` and `to`.
    const Index begin = from - behind <= first ? 0 : (from - behind - first + step.stride - 1) / step.stride;
    const Index end = to <= first ? 0 : std::min(step.size, (to - first + step.stride - 1) / step.stride);
    if (!last) {
        for (Index i = begin; i < end; ++i) Overwrites::write(write, dim + 1, first + i * step.stride, data, from, to);
        return;
    }
    for (Index i = begin; i < end; ++i) {
        std::byte& byte = data[first + i * step.stride];
        byte = std::byte{write.becomes[std::to_integer<std::size_t>(byte)]};
    }
}

void Overwrites::writeTo(std::byte* data, Index from, Index to) const {
    for (const Write& each : m_writes) write(each, 0, each.lowest, data, from, to);
}

} // namespace stridescope
