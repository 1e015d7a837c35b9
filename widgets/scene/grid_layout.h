#pragma once
// Where the cells of a GridItem lie, and back. Painter and hit test both use it.

#include "widgets/scene/scene.h"

namespace stridescope {

struct GridCell {
    Index row = 0, col = 0;
    friend bool operator==(const GridCell&, const GridCell&) = default;
};

/// The visible part: `area`, or all drawn cells where the area is empty.
QRectF gridArea(const GridItem& grid);
QRectF gridCellRect(const GridItem& grid, Index row, Index col);
/// Inverse of gridCellRect, inside the area.
std::optional<GridCell> gridCellAt(const GridItem& grid, QPointF p);
/// Rows and columns that `exposed` touches (empty: the whole area).
SlotRange gridRows(const GridItem& grid, const QRectF& exposed);
SlotRange gridCols(const GridItem& grid, const QRectF& exposed);
inline Index gridSlot(const GridItem& grid, Index row, Index col) {
    return grid.base + row * grid.rowStride + col * grid.colStride;
}
/// True for a cell that shows the same element as an earlier cell because of a stride of 0.
bool gridRepeats(const GridItem& grid, Index row, Index col);
/// Coord in the tensor: the panel's coord with row and column put into their dims.
Dims gridCoord(const GridItem& grid, Index row, Index col);
/// Cells of the panel that show `slot`, at most `limit`.
std::vector<GridCell> gridCellsOfSlot(const GridItem& grid, Index slot, std::size_t limit);

} // namespace stridescope
