#include "core/view/reach_query.h"

#include <algorithm>
#include <vector>

namespace stridescope {

namespace {

/// A dim with its stride made positive; the lowest slot is moved into the offset.
struct Axis {
    Index size = 1, stride = 0, inner = 0; ///< inner: distance from lowest to highest slot of all smaller axes
};

std::vector<Axis> axesByStride(const View& view, Index& lowest) {
    std::vector<Axis> axes;
    lowest = view.offset;
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        Index stride = view.stride[d];
        if (view.shape[d] < 2 || stride == 0) continue;
        if (stride < 0) {
            lowest += (view.shape[d] - 1) * stride;
            stride = -stride;
        }
        axes.push_back({view.shape[d], stride, 0});
    }
    std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.stride > b.stride; });
    Index inner = 0;
    for (auto it = axes.rbegin(); it != axes.rend(); ++it) {
        it->inner = inner;
        inner += (it->size - 1) * it->stride;
    }
    return axes;
}

} // namespace

std::optional<Index> distinctSlots(const View& view) {
    if (view.numel() == 0) return 0;
    Index lowest = 0;
    const std::vector<Axis> axes = axesByStride(view, lowest);
    Index product = 1;
    bool nested = true;
    for (const Axis& a : axes) {
        product *= a.size;
        if (a.inner >= a.stride) nested = false;
    }
    if (nested) return product;
    View reduced;
    for (const Axis& a : axes) {
        reduced.shape.push_back(a.size);
        reduced.stride.push_back(a.stride);
    }
    const Index span = axes.front().inner + (axes.front().size - 1) * axes.front().stride + 1;
    constexpr Index kMarked = Index{1} << 16;
    if (product > kMarked || span > 4 * kMarked) return std::nullopt;
    std::vector<bool> seen(static_cast<std::size_t>(span));
    Dims coord(reduced.shape.size(), 0);
    Index count = 0;
    for (Index n = 0; n < product; ++n) {
        const std::size_t slot = static_cast<std::size_t>(reduced.slot(coord));
        if (!seen[slot]) {
            seen[slot] = true;
            ++count;
        }
        for (std::size_t d = coord.size(); d-- > 0;) {
            if (++coord[d] < reduced.shape[d]) break;
            coord[d] = 0;
        }
    }
    return count;
}

bool maySelfOverlap(const View& view) {
    if (view.numel() < 2) return false;
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        if (view.shape[d] > 1 && view.stride[d] == 0) return true;
    }
    Index lowest = 0;
    const std::vector<Axis> axes = axesByStride(view, lowest);
    return std::any_of(axes.begin(), axes.end(), [](const Axis& a) { return a.inner >= a.stride; });
}

} // namespace stridescope
