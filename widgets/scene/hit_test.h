#pragma once
// What lies under a point of a scene. Reads the same layouts as the painter.

#include "widgets/scene/scene.h"

namespace stridescope {

struct Hit {
    Part part;
    std::optional<Index> slot; ///< strip, lane and grid cells
    std::optional<Dims> coord; ///< grid cells: coord in the tensor
    QRectF rect;               ///< of the cell or item, in scene coordinates
};

/// The topmost part at `p`; Part::kind None where there is nothing.
Hit hitTest(const Scene& scene, QPointF p);

/// Rectangles in which a slot of the storage is drawn (strip, grid and lane cells): for partial updates, links, tests.
std::vector<Hit> cellsOfSlot(const Scene& scene, quint64 storageId, Index slot, std::size_t limit = 256);

} // namespace stridescope
