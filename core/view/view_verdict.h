#pragma once
// Why `view` to a shape works or not, in the numbers that a picture of it needs.

#include "core/view/view.h"

#include <vector>

namespace stridescope {

/// Can dims `dim` and `dim + 1` be walked by one step? They can when stride[dim] == stride[dim+1] * size[dim+1].
struct MergeRule {
    Index dim = 0;
    Index stride = 0;       ///< stride[dim]
    Index innerStride = 0;  ///< stride[dim + 1]
    Index innerSize = 0;    ///< size[dim + 1]
    Index wantedStride = 0; ///< innerStride * innerSize, clamped to 64 bits
    bool merges = false;
    /// One of the two has size 1 (or the view is empty): its stride is never used, so that it merges whatever it is.
    bool isFree = false;
    friend bool operator==(const MergeRule&, const MergeRule&) = default;
};
/// One rule for each pair of neighbours, from the left.
std::vector<MergeRule> mergeRules(const View& v);

/// Neighbouring dims that one step can walk, as one dim each: the shortest shape that `view` can give. Dims of size 1
/// are dropped. Example: shape {4, 3}, strides {1, 4} -> itself; {2, 3, 4} contiguous -> {24}.
View mergedRuns(const View& v);

/// A shape with as many elements as the view, and what `view` makes of it.
struct ShapeCandidate {
    Dims shape;
    bool isView = false;
    Dims stride; ///< of the view; empty when a copy is needed
};
/// Shapes worth trying, `wanted` first, then: one dim, pairs, the view's own shape, its refinements, size-1 dims put
/// in, triples. No shape twice, at most `limit`.
std::vector<ShapeCandidate> shapeCandidates(const View& v, const Dims& wanted, std::size_t limit = 10);

enum class WayOutKind : std::uint8_t {
    Reshape,        ///< reshape(wanted): copies, as strides cannot express it
    ContiguousView, ///< contiguous().view(wanted): copies once, then views
    OtherShape,     ///< view(shape) with a shape that these strides can express
};
struct WayOut {
    WayOutKind kind = WayOutKind::Reshape;
    Dims shape;
    Dims stride; ///< of the result
    Index copiedElements = 0;
    std::vector<Dims> alsoFit; ///< OtherShape: more shapes that would do, at most three
};
/// What to do when `view(wanted)` was refused as ViewMergeFailure; `wanted` without -1. Empty when it is no such
/// failure.
std::vector<WayOut> waysOut(const View& v, const Dims& wanted);

} // namespace stridescope
