#pragma once
// OffsetMap: linear position -> byte offset of several operands, for kernels that start anywhere in a set of loops.

#include "core/backend/grid/grid.h"
#include "core/backend/loop/index_math.h"
#include "core/view/view.h"

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace stridescope::grid {

template <int N>
struct MapLevel {
    Index size = 1;
    Index stride[N] = {};
    FastDivider divider;
    FastDivider64 wideDivider;
};

/// Levels count from the inside. The first few lie in the arguments of a launch, the rest (rare) in device memory.
template <int N>
struct OffsetMap {
    static constexpr int kInline = 6;
    int levels = 0;
    bool narrow = false; ///< positions fit 31 bits
    MapLevel<N> level[kInline];
    const MapLevel<N>* more = nullptr;

    STRIDESCOPE_HD void operator()(Index position, Index (&out)[N]) const {
        for (int o = 0; o < N; ++o) out[o] = 0;
        for (int i = 0; i < levels; ++i) {
            const MapLevel<N>& at = i < kInline ? level[i] : more[i - kInline];
            Index coord = position, rest = 0;
            if (i + 1 < levels) { // of the outermost level all that is left is the coord
                rest = narrow ? static_cast<Index>(at.divider.quotient(static_cast<std::uint32_t>(position)))
                              : at.wideDivider.quotient(position);
                coord = position - rest * at.size;
            }
            for (int o = 0; o < N; ++o) out[o] += coord * at.stride[o];
            position = rest;
        }
    }
};

/// Loops from which a map is made, innermost first. Sizes of 1 are left out and neighbours that are one run merged.
template <int N>
class Loops {
public:
    void add(Index size, const std::array<Index, N>& stride) {
        if (size == 1) return;
        if (!m_levels.empty()) {
            MapLevel<N>& inner = m_levels.back();
            bool merges = true;
            for (int o = 0; o < N; ++o) merges &= stride[static_cast<std::size_t>(o)] == inner.stride[o] * inner.size;
            if (merges) {
                inner.size *= size;
                return;
            }
        }
        MapLevel<N> level;
        level.size = size;
        for (int o = 0; o < N; ++o) level.stride[o] = stride[static_cast<std::size_t>(o)];
        m_levels.push_back(level);
    }
    std::vector<MapLevel<N>>& levels() { return m_levels; }
    const std::vector<MapLevel<N>>& levels() const { return m_levels; }
    Index count() const {
        Index n = 1;
        for (const MapLevel<N>& level : m_levels) n *= level.size;
        return n;
    }
    /// Is operand o one run of elements of so many bytes?
    bool isRun(int o, Index bytes) const {
        return m_levels.empty() || (m_levels.size() == 1 && m_levels[0].stride[o] == bytes);
    }

private:
    std::vector<MapLevel<N>> m_levels;
};

/// A map and, where it has very many levels, the device memory of the rest of them.
template <class Queue, int N>
class HeldMap {
public:
    HeldMap(Queue& queue, const Loops<N>& loops) : m_room(queue, extraBytes(loops)) {
        std::vector<MapLevel<N>> levels = loops.levels();
        map.levels = static_cast<int>(levels.size());
        map.narrow = loops.count() <= std::numeric_limits<std::int32_t>::max();
        for (MapLevel<N>& level : levels)
            if (level.size > 0) {
                if (map.narrow) level.divider = FastDivider(static_cast<std::uint32_t>(level.size));
                level.wideDivider = FastDivider64(level.size);
            }
        for (std::size_t i = 0; i < levels.size() && i < OffsetMap<N>::kInline; ++i) map.level[i] = levels[i];
        if (!m_room.data()) return;
        queue.upload(m_room.data(), levels.data() + OffsetMap<N>::kInline, extraBytes(loops));
        map.more = m_room.template as<MapLevel<N>>();
    }
    OffsetMap<N> map;

private:
    static std::size_t extraBytes(const Loops<N>& loops) {
        const std::size_t levels = loops.levels().size();
        return levels > OffsetMap<N>::kInline ? (levels - OffsetMap<N>::kInline) * sizeof(MapLevel<N>) : 0;
    }
    Room<Queue> m_room;
};

/// The loops of a shape in row-major order, operands given by their strides.
template <int N>
Loops<N> rowMajorLoops(std::span<const Index> shape, const std::array<const Dims*, N>& strides) {
    Loops<N> loops;
    for (std::size_t d = shape.size(); d-- > 0;) {
        std::array<Index, N> stride{};
        for (std::size_t o = 0; o < N; ++o) stride[o] = (*strides[o])[d];
        loops.add(shape[d], stride);
    }
    return loops;
}

/// How many bytes an element may have for all of a loop's operands `moved` to be read and written as one: the innermost
/// level is a run of `item` bytes in them, everything else a multiple. Halves of 16 are taken until it fits; the
/// innermost level is made that much shorter.
template <int N>
Index widen(Loops<N>& loops, Index item, std::span<const int> moved, std::span<const Index> multiples) {
    auto& levels = loops.levels();
    if (levels.empty()) return item;
    MapLevel<N>& inner = levels[0];
    for (int o = 0; o < N; ++o) {
        const bool moves = std::find(moved.begin(), moved.end(), o) != moved.end();
        if (inner.stride[o] != (moves ? item : 0)) return item;
    }
    for (Index wide = 16; wide > item; wide /= 2) {
        bool fits = inner.size * item % wide == 0;
        for (const Index multiple : multiples) fits &= multiple % wide == 0;
        for (std::size_t i = 1; i < levels.size(); ++i)
            for (const int o : moved) fits &= levels[i].stride[o] % wide == 0;
        if (!fits) continue;
        inner.size = inner.size * item / wide;
        for (const int o : moved) inner.stride[o] = wide;
        if (inner.size == 1) levels.erase(levels.begin());
        return wide;
    }
    return item;
}

} // namespace stridescope::grid
