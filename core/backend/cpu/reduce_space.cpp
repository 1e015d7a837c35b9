#include "core/backend/cpu/reduce_space.h"

#include <utility>

namespace stridescope::cpu {

namespace {

Index magnitude(Index v) {
    return v < 0 ? -v : v;
}

/// Innermost first; levels of one stride keep their order. By insertion: there are few, and nothing is allocated.
void sortByStride(ReduceLevel* level, int count) {
    for (int i = 1; i < count; ++i)
        for (int j = i; j > 0 && magnitude(level[j].in) < magnitude(level[j - 1].in); --j)
            std::swap(level[j], level[j - 1]);
}

/// Merges neighbours that are one run in input and result. Returns how many levels are left, at least one.
int merge(ReduceLevel* level, int count) {
    if (count == 0) {
        level[0] = {1, 0, 0};
        return 1;
    }
    int last = 0;
    for (int i = 1; i < count; ++i) {
        ReduceLevel& inner = level[last];
        if (level[i].in == inner.in * inner.size && level[i].out == inner.out * inner.size)
            inner.size *= level[i].size;
        else
            level[++last] = level[i];
    }
    return last + 1;
}

} // namespace

ReduceSpace reduceSpace(const View& view, const std::byte* base, std::size_t itemSize, DimMask reduced,
                        ReduceOrder order) {
    ReduceSpace space;
    const auto bytes = static_cast<Index>(itemSize);
    space.in = base + view.offset * bytes;
    Index out = 1;
    for (std::size_t d = view.shape.size(); d-- > 0;) {
        const Index size = view.shape[d];
        if (size == 1) continue;
        ReduceLevel level{size, view.stride[d] * bytes, 0};
        if ((reduced >> d & 1) != 0) {
            if (order == ReduceOrder::Any && level.in < 0) {
                space.in += level.in * (size - 1);
                level.in = -level.in;
            }
            space.reducedLevel[space.reduced++] = level;
        } else {
            level.out = out;
            out *= size;
            space.keptLevel[space.kept++] = level;
        }
    }
    sortByStride(space.keptLevel, space.kept);
    if (order == ReduceOrder::Any) sortByStride(space.reducedLevel, space.reduced);
    space.kept = merge(space.keptLevel, space.kept);
    space.reduced = merge(space.reducedLevel, space.reduced);
    return space;
}

ReduceSpace lineSpace(const View& view, const std::byte* base, std::size_t itemSize, Index dim) {
    ReduceSpace space;
    const auto bytes = static_cast<Index>(itemSize);
    space.in = base + view.offset * bytes;
    Index out = 1;
    for (std::size_t d = view.shape.size(); d-- > 0;) {
        const ReduceLevel level{view.shape[d], view.stride[d] * bytes, out};
        out *= level.size;
        if (static_cast<Index>(d) == dim)
            space.reducedLevel[space.reduced++] = level;
        else if (level.size != 1)
            space.keptLevel[space.kept++] = level;
    }
    sortByStride(space.keptLevel, space.kept);
    space.kept = merge(space.keptLevel, space.kept);
    space.reduced = merge(space.reducedLevel, space.reduced);
    return space;
}

LevelOffsets offsetsAt(const ReduceLevel* level, int first, int count, Index position) {
    LevelOffsets offsets;
    for (int i = first; i < count; ++i) {
        const Index at = position % level[i].size;
        position /= level[i].size;
        offsets.in += at * level[i].in;
        offsets.out += at * level[i].out;
    }
    return offsets;
}

} // namespace stridescope::cpu
