#pragma once
// Lines: the runs of elements along one dim, brought together one after the other. For scans, order statistics and
// whatever else needs a whole line at once.

#include "core/backend/cpu/block_loader.h"
#include "core/backend/cpu/reduce_space.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace stridescope::cpu {

/// Lines that lie side by side in memory are fetched so many at once.
inline constexpr Index kLinesAtOnce = 16;

/// Calls `body(line, n, out)` for each line of the space's one reduced level: n contiguous elements of T, and the
/// element of the result that belongs to the line (its first one, if the result has lines too). On several threads;
/// every range of lines has a `body` of its own, copied from the one given.
/// T is the storage type of the loader's work type.
template <class T, class Body>
void forEachLine(const ReduceSpace& space, const BlockLoader& loader, const Body& body) {
    const ReduceLevel &kept = space.keptLevel[0], &line = space.reducedLevel[0];
    const Index n = line.size, atOnce = std::min(kLinesAtOnce, kept.size);
    const Index groups = (kept.size + atOnce - 1) / atOnce, tasks = space.keptCount() / kept.size * groups;
    const bool direct = loader.isDirect() && line.in == static_cast<Index>(sizeof(T));
    const auto range = [&](Index begin, Index end) {
        Body mine = body;
        std::unique_ptr<T[]> lines; // not a vector: that of bool has no elements
        if (!direct) lines = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(atOnce * n));
        for (Index task = begin; task < end; ++task) {
            const LevelOffsets outer = offsetsAt(space.keptLevel, 1, space.kept, task / groups);
            const Index first = task % groups * atOnce, count = std::min(atOnce, kept.size - first);
            const std::byte* const in = space.in + outer.in + first * kept.in;
            if (!direct) {
                const Index cols = std::max<Index>(loader.most() / count, 1);
                Buffer buffer;
                for (Index i = 0; i < n; i += cols) {
                    const Index width = std::min(cols, n - i);
                    loader.load(buffer, in + i * line.in, kept.in, line.in, count, width);
                    for (Index l = 0; l < count; ++l)
                        std::memcpy(lines.get() + l * n + i, buffer.bytes + l * width * static_cast<Index>(sizeof(T)),
                                    static_cast<std::size_t>(width) * sizeof(T));
                }
            }
            for (Index l = 0; l < count; ++l) {
                const T* const at = direct ? reinterpret_cast<const T*>(in + l * kept.in) : lines.get() + l * n;
                mine(at, n, outer.out + (first + l) * kept.out);
            }
        }
    };
    const Index perTask = std::max<Index>(n * atOnce, 1);
    if (tasks * perTask < kParallelThreshold)
        range(0, tasks);
    else
        parallelFor(0, tasks, (kParallelThreshold / 2 + perTask - 1) / perTask, range);
}

} // namespace stridescope::cpu
