#pragma once
// Where the parts of a TouchedStrip lie: all of the storage as a bar, a part of it as another one, and single slots as
// cells.

#include "core/index.h"

#include <QPointF>
#include <QRectF>

#include <algorithm>
#include <optional>

namespace stridescope {

struct TouchedLayout {
    double width = 0;
    Index slotCount = 0;              ///< of the storage
    Index first = 0;                  ///< slot of the first cell
    Index zoomFrom = 0, zoomUpTo = 0; ///< slots of the second bar

    static constexpr Index kMostCells = 24;
    static constexpr double kCellWidth = 30, kHeight = 192, kCopyHeight = 36;

    QRectF bar() const { return {0.5, 22.5, width - 1, 14}; }
    QRectF zoomBar() const { return {0.5, 46.5, width - 1, 14}; }
    double flagTop() const { return 66; }
    double archesBelow() const { return cell(first).bottom() + 28; } ///< of odd dims, below letters and slots
    double footTop() const { return kHeight - 28; }
    QRectF copyBar() const { return {0.5, kHeight - 3.5, width - 1, 14}; }
    Index cells() const {
        return std::clamp<Index>(static_cast<Index>(width / kCellWidth), 1,
                                 std::clamp<Index>(slotCount, 1, kMostCells));
    }
    bool isCell(Index slot) const { return slot >= first && slot < first + cells(); }
    QRectF cell(Index slot) const {
        const double cellWidth = (width - 1) / static_cast<double>(cells());
        return {0.5 + static_cast<double>(slot - first) * cellWidth, 94.5, cellWidth, 24};
    }
    /// The cells of a first slot, kept within the storage.
    Index firstWithin(Index slot) const { return std::clamp<Index>(slot, 0, std::max<Index>(slotCount - cells(), 0)); }
    /// A slot's place on a bar that shows those from `from` up to `upTo`.
    static double xOf(const QRectF& bar, Index from, Index upTo, Index slot) {
        return bar.left() +
               static_cast<double>(slot - from) / static_cast<double>(std::max<Index>(upTo - from, 1)) * bar.width();
    }
    static Index slotOn(const QRectF& bar, Index from, Index upTo, double x) {
        const double share = (x - bar.left()) / bar.width();
        return std::clamp<Index>(from + static_cast<Index>(share * static_cast<double>(upTo - from)), from,
                                 std::max(upTo - 1, from));
    }

    enum class Part : quint8 { None, Bar, Zoom, Cells };
    Part partAt(QPointF at) const {
        if (slotCount == 0) return Part::None;
        if (bar().adjusted(0, -2, 0, 2).contains(at)) return Part::Bar;
        if (zoomBar().adjusted(0, -2, 0, 2).contains(at)) return Part::Zoom;
        const QRectF row(0, cell(first).top(), width, cell(first).height() + 32);
        return row.contains(at) ? Part::Cells : Part::None;
    }
    /// slotAt(cell(s).center()) == s of every cell.
    std::optional<Index> slotAt(QPointF at) const { return slotAt(at, partAt(at)); }
    /// As if the point lay on that part: of a pointer that left it while it drags.
    std::optional<Index> slotAt(QPointF at, Part part) const {
        switch (part) {
        case Part::Bar:
            return slotOn(bar(), 0, slotCount, at.x());
        case Part::Zoom:
            return slotOn(zoomBar(), zoomFrom, zoomUpTo, at.x());
        case Part::Cells:
            return slotOn(QRectF(0.5, 0, width - 1, 1), first, first + cells(), at.x());
        case Part::None:
            break;
        }
        return std::nullopt;
    }
};

} // namespace stridescope
