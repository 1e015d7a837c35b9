#pragma once
// How a view is read in row-major order: the steps through storage, the jumps, and the cache lines that are touched.

#include "core/view/view.h"

#include <vector>

namespace stridescope {

/// All steps of the walk that advance the same dim (and bring every dim to its right back to 0) have one length.
struct WalkStepKind {
    Index dim = 0;
    Index step = 0;  ///< slots; negative: backwards
    Index count = 0; ///< how many such steps the whole walk has
    friend bool operator==(const WalkStepKind&, const WalkStepKind&) = default;
};

/// The walk of a view with n elements has n - 1 steps.
struct Walk {
    std::vector<WalkStepKind> kinds; ///< innermost dim first; dims that never advance are left out
    Index numel = 0;
    Index smallestStep = 0; ///< the shortest step; of two as short the one forwards; 0 when there are no steps
    bool forward = false;   ///< a step that is no longer than that and than 1 goes forwards
    Index jumps = 0;        ///< steps for which isJump()

    /// Longer than the shortest step and than 1, or backwards where steps as short go forwards.
    bool isJump(Index step) const;
    /// Straight through storage: every step is 1.
    bool isStraight() const { return jumps == 0 && (kinds.empty() || (kinds.size() == 1 && kinds[0].step == 1)); }
};

/// In a time that depends on the number of dims alone. Steps that do not fit 64 bits are clamped.
/// Example: shape {4, 2}, strides {5, 1}: four steps +1 and three steps +4; smallest 1, jumps 3. Shape {4, 3, 2},
/// strides {1, 4, 12}: 12 steps +12, 8 steps -8, 3 steps -19; smallest -8, jumps 15.
Walk walkOf(const View& v);
/// Jumps among the first `steps` steps, for a count that runs with the picture. Precondition: 0 <= steps < numel.
Index jumpsWithin(const Walk& walk, const View& v, Index steps);
/// Coord of the element that is visited at `position` (from 0). Precondition: position < numel.
Dims coordOfPosition(const View& v, Index position);
/// Slots in visiting order of the positions first … first + count - 1, as far as there are any.
std::vector<Index> visitedSlots(const View& v, Index first, Index count);

/// The model: lines of `lineBytes` bytes, the storage begins at the beginning of one, nothing else is in the cache.
struct CacheLines {
    Index touched = 0;   ///< lines with at least one element of the view
    Index ofStorage = 0; ///< lines of the whole storage
    /// False when counting would have taken too long: `touched` is then the most that it can be.
    bool exact = true;
};

/// Counts lines without going through the elements wherever the dims nest; views whose dims interleave are marked row
/// by row, at most about a million rows. Itemsize: bytes of an element, a divisor of lineBytes. Example: shape {4, 2},
/// strides {5, 1}, offset 1 of 20 elements of 8 bytes: 3 of 3 lines.
CacheLines cacheLines(const View& v, Index storageNumel, Index itemsize, Index lineBytes = 64);

/// The same of the first `visits` elements alone, in the order of the walk. Above some hundred thousand of them it is
/// not exact.
CacheLines cacheLinesSoFar(const View& v, Index visits, Index storageNumel, Index itemsize, Index lineBytes = 64);

} // namespace stridescope
