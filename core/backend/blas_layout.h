#pragma once
// How a matrix lies, in BLAS's words: whether it must be transposed, and the distance of its runs.

#include "core/backend/product_args.h"

#include <algorithm>

namespace stridescope {

inline constexpr Index kMostOfBlas = 0x7fffffff; ///< it counts in 32 bits

/// `runs` runs of `length` neighbours each, `step` apart, without overlap. A run of one element has no neighbours.
inline bool areRuns(Index runs, Index length, Index step, Index within) {
    return (within == 1 || length <= 1) && (runs <= 1 || (step >= std::max<Index>(length, 1) && step <= kMostOfBlas));
}

struct BlasLayout {
    bool turned = false; ///< its columns are the runs, not its rows
    Index leading = 1;   ///< from run to run: at least the length of one
};

/// Precondition: rows or columns are runs.
inline BlasLayout blasLayout(const MatrixOperand& m, Index rows, Index cols) {
    const bool turned = !areRuns(rows, cols, m.rowStride, m.colStride);
    const Index runs = turned ? cols : rows, length = turned ? rows : cols;
    return {turned, runs <= 1 ? std::max<Index>(length, 1) : turned ? m.colStride : m.rowStride};
}

} // namespace stridescope
