#pragma once
// Where one curve of a sweep crosses another.

#include "core/timing/record.h"

#include <optional>
#include <vector>

namespace stridescope::timing {

/// From here on `second` is faster. The sizes between which the verdict changes, and where straight lines through the
/// medians (both axes logarithmic) meet between them.
struct Crossover {
    Index below = 0;     ///< the greatest size at which the first is surely faster
    Index above = 0;     ///< the least from which on the second is surely faster at every size
    double estimate = 0; ///< between them
};

/// One measurement of a curve.
struct CurvePoint {
    Index n = 0;
    double median = 0;
    Interval interval{}; ///< of the median
};
/// The points of one device, part, dtype, layout and number of threads, ascending by n.
std::vector<CurvePoint> curveOf(const Run& run, const Measurement& like);

/// Nothing when they do not cross at a size measured in both, or when intervals never part on both sides.
/// Curves of two runs may be given: their intervals are all there is to compare.
std::optional<Crossover> crossoverOf(const std::vector<CurvePoint>& first, const std::vector<CurvePoint>& second);

} // namespace stridescope::timing
