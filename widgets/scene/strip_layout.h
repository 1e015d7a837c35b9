#pragma once
// StripLayout: where the cells of a storage strip lie. A small value with an inverse; painter and mouse both use it.

#include "core/index.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <utility>

namespace stridescope {

/// Half-open range of slots, rows or columns.
struct SlotRange {
    Index first = 0, last = 0;
    bool empty() const { return last <= first; }
    friend bool operator==(const SlotRange&, const SlotRange&) = default;
};

/// Cells in rows of `perRow`, in address order. Exact for any count: positions are computed relative to the first
/// visible row and column, never as count * width in floating point.
struct StripLayout {
    Index cellCount = 0;
    Index perRow = 1;     ///< cells in one row; the wrap width
    QRectF area;          ///< viewport of the strip in scene coordinates; cells are clipped to it
    qreal cellWidth = 42; ///< may be below 1: then several cells share a pixel
    qreal cellHeight = 42;
    qreal rowPitch = 62;   ///< distance of rows: cell height and what is drawn over and under it
    Index firstRow = 0;    ///< scroll position: topmost row …
    qreal rowShift = 0;    ///< … and how many of its pixels are already above the area, 0 … rowPitch
    Index firstColumn = 0; ///< leftmost column …
    qreal columnShift = 0; ///< … and how many of its pixels are already left of the area, 0 … cellWidth

    Index rowCount() const { return perRow > 0 ? (cellCount + perRow - 1) / perRow : 0; }
    /// Row and column of a slot. A strip of one row goes on to both sides (negative columns, columns from perRow on).
    std::pair<Index, Index> place(Index slot) const;
    /// Where slot i is drawn; slots outside [0, cellCount) are where they would be (hatched cells use this).
    QRectF cellRect(Index i) const;
    /// cellAt(cellRect(i).center()) == i for every visible i.
    std::optional<Index> cellAt(QPointF p) const;
    /// Rows that `exposed` touches, and for one of them the visible cells. An empty `exposed` means the whole area.
    SlotRange visibleRows(const QRectF& exposed) const;
    SlotRange visibleCells(Index row, const QRectF& exposed) const;

    friend bool operator==(const StripLayout&, const StripLayout&) = default;
};

} // namespace stridescope
