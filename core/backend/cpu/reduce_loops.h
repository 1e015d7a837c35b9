#pragma once
// The inner loops of reductions and scans, compiled once per instruction set (core/backend/cpu/isa/isa_reduce.cpp,
// isa_scan.cpp). They know runs and rows, no shapes.

#include "core/backend/reduce_args.h"

#include <cstdint>
#include <limits>

namespace stridescope::cpu {

using stridescope::FoldOp;
/// The folds of the table: the first ones of FoldOp. The other waits for the C library in each element anyway.
inline constexpr std::size_t kFoldOps = 14;

/// Accumulator of FoldOp::Moments.
struct Moments {
    double count = 0, mean = 0, squares = 0;

    /// Joins the moments of two parts. Source: Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for
    /// Computing Sample Variances", 1979.
    [[gnu::always_inline]] void join(const Moments& other) {
        if (other.count == 0) return;
        if (count == 0) {
            *this = other;
            return;
        }
        const double total = count + other.count, distance = other.mean - mean;
        mean += distance * (other.count / total);
        squares += other.squares + distance * distance * (count * (other.count / total));
        count = total;
    }
};

/// Accumulator of FoldOp::LogSumExp: the sum of exp(x - most), `most` being the greatest x so far.
struct ExpSum {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
};

/// One fold on one work type (Half arrives as float). Absent (null) where the fold has no meaning for the type.
struct FoldLoops {
    std::size_t accumulatorBytes = 0;
    /// Writes `n` neutral accumulators.
    void (*clear)(void* accumulators, Index n) = nullptr;
    /// Folds a contiguous run into one accumulator.
    void (*row)(void* accumulator, const void* in, Index n, double parameter) = nullptr;
    /// Folds in[r][c] into accumulators[c]; rows are contiguous, `rowStride` bytes apart.
    void (*columns)(void* accumulators, const void* in, Index rowStride, Index rows, Index cols,
                    double parameter) = nullptr;
    /// accumulators[i] joined with others[i].
    void (*join)(void* accumulators, const void* others, Index n) = nullptr;
};

/// Position of the extremum: NaN wins, then the first of equals.
struct ArgLoops {
    /// Position of the extremum of a run that is not empty; its value is written to `best`.
    Index (*row)(void* best, const void* in, Index n) = nullptr;
    /// best[c], position[c] against in[r][c], whose position is first + r. With first == 0 row 0 starts them.
    void (*columns)(void* best, std::int32_t* position, const void* in, Index rowStride, Index rows, Index cols,
                    std::int32_t first) = nullptr;
};

/// Running sums and products in the type itself, floats with a double in hand.
struct ScanLoops {
    std::size_t accumulatorBytes = 0;
    void (*clear)(void* accumulators, Index n) = nullptr;
    void (*row)(void* accumulator, void* out, const void* in, Index n) = nullptr;
    /// out[r][c] = accumulators[c] stepped by in[r][c]; rows of both are contiguous.
    void (*columns)(void* accumulators, void* out, Index outRow, const void* in, Index inRow, Index rows,
                    Index cols) = nullptr;
};

struct ReduceTable {
    FoldLoops fold[kFoldOps][kRealDTypes.size()];
    ArgLoops arg[2][kRealDTypes.size()];   ///< [maximum][work type]
    ScanLoops scan[2][kRealDTypes.size()]; ///< [product][work type]
};

} // namespace stridescope::cpu
