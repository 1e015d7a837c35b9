#include "widgets/scene/grid_layout.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

SlotRange visible(qreal from, qreal to, qreal origin, qreal size, Index first, Index count) {
    if (size <= 0 || to <= from) return {};
    const Index a = first + static_cast<Index>(std::floor((from - origin) / size));
    const Index b = first + static_cast<Index>(std::ceil((to - origin) / size));
    const SlotRange range{std::max<Index>(a, 0), std::min(b, count)};
    return range.empty() ? SlotRange{} : range;
}

} // namespace

QRectF gridArea(const GridItem& grid) {
    if (!grid.area.isEmpty()) return grid.area;
    return QRectF(grid.origin, QSizeF(static_cast<qreal>(grid.cols - grid.firstCol) * grid.cell.width(),
                                      static_cast<qreal>(grid.rows - grid.firstRow) * grid.cell.height()));
}

QRectF gridCellRect(const GridItem& grid, Index row, Index col) {
    return QRectF(grid.origin.x() + static_cast<qreal>(col - grid.firstCol) * grid.cell.width(),
                  grid.origin.y() + static_cast<qreal>(row - grid.firstRow) * grid.cell.height(), grid.cell.width(),
                  grid.cell.height());
}

std::optional<GridCell> gridCellAt(const GridItem& grid, QPointF p) {
    const QRectF area = gridArea(grid);
    if (p.x() < area.left() || p.x() >= area.right() || p.y() < area.top() || p.y() >= area.bottom()) return {};
    if (grid.cell.width() <= 0 || grid.cell.height() <= 0) return {};
    const Index row = grid.firstRow + static_cast<Index>(std::floor((p.y() - grid.origin.y()) / grid.cell.height()));
    const Index col = grid.firstCol + static_cast<Index>(std::floor((p.x() - grid.origin.x()) / grid.cell.width()));
    if (row < 0 || row >= grid.rows || col < 0 || col >= grid.cols) return {};
    return GridCell{row, col};
}

SlotRange gridRows(const GridItem& grid, const QRectF& exposed) {
    const QRectF shown = exposed.isEmpty() ? gridArea(grid) : exposed.intersected(gridArea(grid));
    return visible(shown.top(), shown.bottom(), grid.origin.y(), grid.cell.height(), grid.firstRow, grid.rows);
}

SlotRange gridCols(const GridItem& grid, const QRectF& exposed) {
    const QRectF shown = exposed.isEmpty() ? gridArea(grid) : exposed.intersected(gridArea(grid));
    return visible(shown.left(), shown.right(), grid.origin.x(), grid.cell.width(), grid.firstCol, grid.cols);
}

bool gridRepeats(const GridItem& grid, Index row, Index col) {
    return grid.repeats || (grid.rowStride == 0 && row > 0) || (grid.colStride == 0 && col > 0);
}

Dims gridCoord(const GridItem& grid, Index row, Index col) {
    Dims coord = grid.coord;
    const auto put = [&coord](int dim, Index value) {
        if (dim >= 0 && static_cast<std::size_t>(dim) < coord.size()) coord[static_cast<std::size_t>(dim)] += value;
    };
    put(grid.rowDim, row);
    put(grid.colDim, col);
    return coord;
}

std::vector<GridCell> gridCellsOfSlot(const GridItem& grid, Index slot, std::size_t limit) {
    std::vector<GridCell> cells;
    if (grid.rows <= 0 || grid.cols <= 0) return cells;
    // Only cells on screen: rows of the area, and in each the columns by arithmetic.
    const SlotRange rows = gridRows(grid, {}), cols = gridCols(grid, {});
    for (Index row = rows.first; row < rows.last && cells.size() < limit; ++row) {
        const Index rest = slot - grid.base - row * grid.rowStride;
        if (grid.colStride == 0) {
            for (Index col = cols.first; rest == 0 && col < cols.last && cells.size() < limit; ++col) {
                cells.push_back({row, col});
            }
        } else if (rest % grid.colStride == 0) {
            const Index col = rest / grid.colStride;
            if (col >= cols.first && col < cols.last) cells.push_back({row, col});
        }
    }
    return cells;
}

} // namespace stridescope
