#pragma once
// ReduceSpace: the loops of a reduction, over the elements that stay and over those that are folded into each of them.

#include "core/backend/reduce_args.h"

#include <cstddef>
#include <cstdint>

namespace stridescope::cpu {

using stridescope::DimMask;

/// Not initialised: a space holds 128 of them and mostly needs two.
struct ReduceLevel {
    Index size;
    Index in;  ///< bytes that one step moves the input
    Index out; ///< elements that one step moves the result; 0 in reduced levels, but see lineSpace
};

/// Levels are counted from the inside; there is at least one of each kind.
struct ReduceSpace {
    const std::byte* in = nullptr;
    int kept = 0, reduced = 0;
    ReduceLevel keptLevel[kMaxDims];
    ReduceLevel reducedLevel[kMaxDims];

    Index keptCount() const { return count(keptLevel, kept); }
    Index reducedCount() const { return count(reducedLevel, reduced); }

private:
    static Index count(const ReduceLevel* level, int levels) {
        Index n = 1;
        for (int i = 0; i < levels; ++i) n *= level[i].size;
        return n;
    }
};

enum class ReduceOrder : std::uint8_t {
    Any,     ///< the order of the reduced elements does not matter: levels are sorted by stride and turned forwards
    RowMajor ///< reduced levels stay in row-major order
};

/// The loops over `view`, whose slot 0 is at `base`. The result is dense and row-major over the dims that are kept.
/// Sizes of 1 are gone, neighbours that are one run are merged, kept levels are sorted by the input's stride.
/// Precondition: the view has elements.
ReduceSpace reduceSpace(const View& view, const std::byte* base, std::size_t itemSize, DimMask reduced,
                        ReduceOrder order);

/// The loops of an operation along `dim` whose result has the shape of `view`, row-major: the reduced level is that dim
/// (absent in a 0-d view: one step), and its `out` says how far apart the results of a line are.
ReduceSpace lineSpace(const View& view, const std::byte* base, std::size_t itemSize, Index dim);

/// Counts through the levels [first, count) of `level`: position -> offset in bytes of the input (and in elements of
/// the result).
struct LevelOffsets {
    Index in = 0, out = 0;
};
LevelOffsets offsetsAt(const ReduceLevel* level, int first, int count, Index position);

} // namespace stridescope::cpu
