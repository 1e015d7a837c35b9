#pragma once
// Where the cells of a CellsItem lie.

#include "widgets/scene/scene.h"

#include <algorithm>

namespace stridescope {

/// Rectangle round all of them; empty without cells.
inline QRectF cellsArea(const CellsItem& item) {
    if (item.cells.empty()) return {};
    QPointF low = item.cells.front().at, high = low;
    for (const CellsItem::Cell& cell : item.cells) {
        low = QPointF(std::min(low.x(), cell.at.x()), std::min(low.y(), cell.at.y()));
        high = QPointF(std::max(high.x(), cell.at.x()), std::max(high.y(), cell.at.y()));
    }
    return QRectF(low, high + QPointF(item.size.width(), item.size.height()));
}

} // namespace stridescope
