#include "core/view/broadcast.h"

#include "core/view/checked.h"
#include "core/view/view_refusals.h"

namespace stridescope {

BroadcastPlan broadcastPlan(std::span<const Dims> shapes) {
    std::size_t ndim = 0;
    for (const Dims& shape : shapes) ndim = std::max(ndim, shape.size());
    BroadcastPlan plan;
    plan.shape = Dims(ndim, 1);
    plan.match.assign(shapes.size(), std::vector<DimMatch>(ndim, DimMatch::Missing));
    for (std::size_t d = 0; d < ndim; ++d) {
        const auto sizeOf = [&](const Dims& shape) {
            const std::size_t missing = ndim - shape.size();
            return d < missing ? Index{1} : shape[d - missing];
        };
        // The result takes the first size that is not 1.
        for (const Dims& shape : shapes) {
            if (const Index size = sizeOf(shape); size != 1) {
                plan.shape[d] = size;
                break;
            }
        }
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            if (d < ndim - shapes[i].size()) continue;
            const Index size = sizeOf(shapes[i]);
            DimMatch& match = plan.match[i][d];
            if (size == plan.shape[d]) {
                match = DimMatch::Equal;
            } else if (size == 1) {
                match = DimMatch::Repeated;
            } else {
                match = DimMatch::Conflict;
                plan.conflictDim = static_cast<Index>(d);
            }
        }
    }
    return plan;
}

Result<Dims> broadcastShapes(const Dims& a, const Dims& b) {
    const std::size_t ndim = std::max(a.size(), b.size());
    Dims shape(ndim, 1);
    Index product = 1;
    bool fits = true;
    for (std::size_t d = ndim; d-- > 0;) {
        const std::size_t fromRight = ndim - d;
        const Index sizeA = fromRight <= a.size() ? a[a.size() - fromRight] : 1;
        const Index sizeB = fromRight <= b.size() ? b[b.size() - fromRight] : 1;
        if (sizeA != sizeB && sizeA != 1 && sizeB != 1) return refuse::noBroadcast(static_cast<Index>(d), a, b);
        shape[d] = sizeA == 1 ? sizeB : sizeA;
        fits = fits && (shape[d] == 0 || mulFits(product, shape[d], product));
    }
    if (!fits) return refuse::tooManyElements(shape);
    return shape;
}

} // namespace stridescope
