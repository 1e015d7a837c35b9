#pragma once
// The other direction: which coords of a view land in a given slot?

#include "core/view/view.h"

#include <vector>

namespace stridescope {

struct InverseHits {
    std::vector<Dims> coords; ///< in row-major order, at most `limit` of them
    bool complete = true;     ///< false when the limit or the work bound cut the list
};

/// All coords with slot(coord) == slot, by arithmetic and not by search for ordinary views: microseconds whatever the
/// size, many hits only where dims have stride 0 or overlap.
InverseHits coordsAt(const View& v, Index slot, std::size_t limit = 4096);
/// True when some coord lands in `slot`.
bool reaches(const View& v, Index slot);

} // namespace stridescope
