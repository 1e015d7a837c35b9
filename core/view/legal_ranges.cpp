#include "core/view/legal_ranges.h"

#include "core/view/checked.h"

namespace stridescope {

namespace {

/// What the dims but one reach below and above the offset; `empty` when one of them has size 0.
struct Others {
    WideIndex below = 0, above = 0;
    Index product = 1; ///< of their sizes, 0 read as 1
    bool empty = false;
};

/// One span at most: far outside of what any storage has, so that sums of 64 of them cannot overflow.
WideIndex spanOf(const View& v, std::size_t d) {
    constexpr WideIndex kFar = WideIndex{1} << 100;
    return std::clamp(WideIndex{v.shape[d] - 1} * v.stride[d], -kFar, kFar);
}

Others othersThan(const View& v, std::size_t skipped) {
    Others others;
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        if (d == skipped) continue;
        if (v.shape[d] == 0) {
            others.empty = true;
            continue;
        }
        const WideIndex span = spanOf(v, d);
        (span < 0 ? others.below : others.above) += span;
        if (!mulFits(others.product, v.shape[d], others.product)) others.product = kIndexMax;
    }
    return others;
}

LegalRange range(WideIndex lowest, WideIndex highest) {
    if (highest < lowest) return {};
    return {clampToIndex(lowest), clampToIndex(highest)};
}

LegalRange sizeRange(const View& v, std::size_t d, Index storageNumel) {
    const Others others = othersThan(v, d);
    const Index mostElements = kIndexMax / others.product;
    if (others.empty) return {0, mostElements};
    const WideIndex roomAbove = WideIndex{storageNumel} - 1 - v.offset - others.above;
    const WideIndex roomBelow = WideIndex{v.offset} + others.below;
    if (roomAbove < 0 || roomBelow < 0 || v.offset < 0) return {0, 0};
    if (v.stride[d] == 0) return {0, mostElements};
    const WideIndex steps = v.stride[d] > 0 ? roomAbove / v.stride[d] : roomBelow / -WideIndex{v.stride[d]};
    return range(0, std::min<WideIndex>(steps + 1, mostElements));
}

LegalRange strideRange(const View& v, std::size_t d, Index storageNumel, bool allowNegative) {
    const Others others = othersThan(v, d);
    const WideIndex freeLowest = allowNegative ? kIndexMin : 0;
    if (others.empty || v.shape[d] == 0) return range(freeLowest, kIndexMax);
    const WideIndex roomAbove = WideIndex{storageNumel} - 1 - v.offset - others.above;
    const WideIndex roomBelow = WideIndex{v.offset} + others.below;
    if (roomAbove < 0 || roomBelow < 0 || v.offset < 0) return {};
    if (v.shape[d] == 1) return range(freeLowest, kIndexMax);
    const WideIndex steps = v.shape[d] - 1;
    return range(allowNegative ? -(roomBelow / steps) : 0, roomAbove / steps);
}

} // namespace

ViewRanges legalRanges(const View& v, Index storageNumel, bool allowNegativeStrides) {
    ViewRanges ranges;
    const std::size_t ndim = v.shape.size();
    const Others all = othersThan(v, ndim);
    ranges.offset = all.empty ? LegalRange{0, kIndexMax} : range(-all.below, WideIndex{storageNumel} - 1 - all.above);
    ranges.size.reserve(ndim);
    ranges.stride.reserve(ndim);
    for (std::size_t d = 0; d < ndim; ++d) {
        ranges.size.push_back(sizeRange(v, d, storageNumel));
        ranges.stride.push_back(strideRange(v, d, storageNumel, allowNegativeStrides));
    }
    return ranges;
}

} // namespace stridescope
