#include "widgets/scene/strip_layout.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

Index floorDiv(Index a, Index b) {
    const Index q = a / b;
    return a % b < 0 ? q - 1 : q;
}

/// Cells of `size` pixels that lie wholly before `distance`: the index of the cell there.
Index cellsBefore(qreal distance, qreal size) {
    return static_cast<Index>(std::floor(distance / size));
}

} // namespace

std::pair<Index, Index> StripLayout::place(Index slot) const {
    // A strip of one row goes on to both sides; a wrapped one wraps outside its ends too.
    if (perRow <= 0 || rowCount() <= 1) return {0, slot};
    const Index row = floorDiv(slot, perRow);
    return {row, slot - row * perRow};
}

QRectF StripLayout::cellRect(Index i) const {
    const auto [row, column] = place(i);
    return QRectF(area.left() + static_cast<qreal>(column - firstColumn) * cellWidth - columnShift,
                  area.top() + static_cast<qreal>(row - firstRow) * rowPitch - rowShift, cellWidth, cellHeight);
}

std::optional<Index> StripLayout::cellAt(QPointF p) const {
    if (perRow <= 0 || cellWidth <= 0 || rowPitch <= 0) return std::nullopt;
    // Half-open, so that neighbouring strips never both claim a point.
    if (p.x() < area.left() || p.x() >= area.right() || p.y() < area.top() || p.y() >= area.bottom()) {
        return std::nullopt;
    }
    const qreal y = p.y() - area.top() + rowShift;
    const Index rowsDown = cellsBefore(y, rowPitch);
    if (y - static_cast<qreal>(rowsDown) * rowPitch >= cellHeight) return std::nullopt;
    const Index row = firstRow + rowsDown;
    const Index column = firstColumn + cellsBefore(p.x() - area.left() + columnShift, cellWidth);
    if (row < 0 || row >= rowCount() || column < 0 || column >= perRow) return std::nullopt;
    const Index slot = row * perRow + column;
    return slot < cellCount ? std::optional<Index>(slot) : std::nullopt;
}

SlotRange StripLayout::visibleRows(const QRectF& exposed) const {
    const QRectF shown = exposed.isEmpty() ? area : exposed.intersected(area);
    if (shown.isEmpty() || rowPitch <= 0) return {};
    const Index first = firstRow + cellsBefore(shown.top() - area.top() + rowShift, rowPitch);
    const Index last = firstRow + static_cast<Index>(std::ceil((shown.bottom() - area.top() + rowShift) / rowPitch));
    const SlotRange rows{std::max<Index>(first, 0), std::min(last, rowCount())};
    return rows.empty() ? SlotRange{} : rows;
}

SlotRange StripLayout::visibleCells(Index row, const QRectF& exposed) const {
    const QRectF shown = exposed.isEmpty() ? area : exposed.intersected(area);
    if (shown.isEmpty() || cellWidth <= 0 || row < 0 || row >= rowCount()) return {};
    Index first = firstColumn + cellsBefore(shown.left() - area.left() + columnShift, cellWidth);
    Index last = firstColumn + static_cast<Index>(std::ceil((shown.right() - area.left() + columnShift) / cellWidth));
    first = std::clamp<Index>(first, 0, perRow);
    last = std::clamp<Index>(last, 0, perRow);
    const SlotRange cells{std::min(row * perRow + first, cellCount), std::min(row * perRow + last, cellCount)};
    return cells.empty() ? SlotRange{} : cells;
}

} // namespace stridescope
