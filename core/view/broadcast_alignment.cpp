#include "core/view/broadcast_alignment.h"

#include "core/view/view_ops.h"

namespace stridescope {

namespace {

View withGhostDims(const View& v, std::size_t ndim) {
    const std::size_t missing = ndim - v.shape.size();
    View aligned;
    aligned.offset = v.offset;
    aligned.shape = Dims(missing, 1);
    // Of a dim that is stretched, and of one that was never there, no step is ever made.
    aligned.stride = Dims(missing, 0);
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        aligned.shape.push_back(v.shape[d]);
        aligned.stride.push_back(v.stride[d]);
    }
    return aligned;
}

Index storedSlots(const View& v) {
    Index stored = 1;
    for (std::size_t d = 0; d < v.shape.size(); ++d)
        if (v.stride[d] != 0 || v.shape[d] == 0) stored *= v.shape[d];
    return stored;
}

} // namespace

Index BroadcastAlignment::numel() const {
    Index product = 1;
    for (const Index size : plan.shape) product *= size;
    return product;
}

Result<BroadcastAlignment> alignViews(std::span<const View> views) {
    std::vector<Dims> shapes;
    for (const View& v : views) shapes.push_back(v.shape);
    BroadcastAlignment alignment;
    alignment.plan = broadcastPlan(shapes);
    // Of sizes that fit: their product is checked where the result's layout is made.
    if (alignment.ok()) {
        const auto layout = contiguousView(alignment.plan.shape);
        if (!layout) return layout.refusal();
    }
    Index largest = 0;
    for (const View& v : views) {
        AlignedView aligned;
        aligned.aligned = withGhostDims(v, alignment.plan.shape.size());
        aligned.stretched = aligned.aligned;
        aligned.stored = storedSlots(v);
        largest = std::max(largest, v.numel());
        if (alignment.ok()) {
            auto stretched = expand(v, alignment.plan.shape);
            if (!stretched) return stretched.refusal();
            aligned.stretched = *std::move(stretched);
        }
        alignment.views.push_back(std::move(aligned));
    }
    alignment.grows = alignment.ok() && alignment.numel() > largest;
    return alignment;
}

} // namespace stridescope
