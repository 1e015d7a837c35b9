#pragma once
// For an editor of offset, sizes and strides: how far can one number go while the others stay?

#include "core/view/view.h"

#include <vector>

namespace stridescope {

/// The closed interval [lowest, highest]; nothing is legal when highest < lowest.
struct LegalRange {
    Index lowest = 0, highest = -1;
    bool empty() const { return highest < lowest; }
    bool contains(Index value) const { return value >= lowest && value <= highest; }
    /// Ends where arithmetic does, not a storage: none has so many elements.
    bool endless() const { return highest > (Index{1} << 48); }
    friend bool operator==(const LegalRange&, const LegalRange&) = default;
};

/// Every range is "with the others as they are". A range ends at the largest Index where the storage sets no end: the
/// stride of a dim of size 1, the size of a dim of stride 0 (up to 2^63 - 1 elements), everything of an empty view.
struct ViewRanges {
    LegalRange offset;
    std::vector<LegalRange> size;   ///< one for each dim; 0 is always in it
    std::vector<LegalRange> stride; ///< one for each dim; from 0 on, below only where negative strides are asked for
};

/// Which values keep the view inside a storage of `storageNumel` elements. `v` may itself reach outside: then the
/// ranges tell what would mend it, and are empty where that number alone cannot. Example: shape {4, 2}, stride {5, 1},
/// offset 1 of 20 elements: offset 0 … 3, sizes 0 … 4 and 0 … 4, strides 0 … 5 and 0 … 3.
ViewRanges legalRanges(const View& v, Index storageNumel, bool allowNegativeStrides = false);

} // namespace stridescope
