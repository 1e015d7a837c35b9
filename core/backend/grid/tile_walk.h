#pragma once
// TileWalk: how a block goes through a run of positions in order when each needs to know what is before it: tile by
// tile, each thread with kEach neighbouring positions. A tile takes kSteps phases: fold one's own, join those of the
// threads before (Hillis and Steele, "Data Parallel Algorithms", 1986), use it.

#include "core/backend/grid/grid.h"

namespace stridescope::grid {

template <class Acc>
struct TileWalk {
    static constexpr int kEach = 8;
    static constexpr Index kTile = static_cast<Index>(kThreads) * kEach;
    static constexpr int kSteps = kLogThreads + 2;

    struct Shared {
        Acc own[2][kThreads]; ///< the two take turns
        Acc carry[2];         ///< of all tiles before; the two take turns
    };

    STRIDESCOPE_HD static int phases(Index positions) {
        return static_cast<int>((positions + kTile - 1) / kTile) * kSteps;
    }

    /// One phase over `positions`. `fold(first, last)` gives the accumulator of a thread's own positions,
    /// `use(first, last, before)` is told what is before them. Precondition: shared.carry[0] holds what is before all.
    template <class Join, class FoldOwn, class Use>
    STRIDESCOPE_HD static void phase(int phase, int thread, Index positions, Shared& shared, const Join& join,
                                     const FoldOwn& fold, const Use& use) {
        const int tile = phase / kSteps, step = phase % kSteps;
        const Index begin = tile * kTile + static_cast<Index>(thread) * kEach;
        const Index first = begin < positions ? begin : positions;
        const Index last = first + kEach < positions ? first + kEach : positions;
        if (step == 0) {
            shared.own[0][thread] = fold(first, last);
            return;
        }
        if (step <= kLogThreads) {
            const int distance = 1 << (step - 1);
            const Acc* const from = shared.own[(step - 1) & 1];
            Acc acc = from[thread];
            if (thread >= distance) {
                acc = from[thread - distance];
                join(acc, from[thread]);
            }
            shared.own[step & 1][thread] = acc;
            return;
        }
        const Acc* const sums = shared.own[kLogThreads & 1];
        Acc before = shared.carry[tile & 1];
        if (thread > 0) join(before, sums[thread - 1]);
        use(first, last, before);
        if (thread == kThreads - 1) {
            Acc all = shared.carry[tile & 1];
            join(all, sums[thread]);
            shared.carry[(tile + 1) & 1] = all;
        }
    }
};

} // namespace stridescope::grid
