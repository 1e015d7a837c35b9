#include "widgets/scene/cell_text.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/colour_map.h"
#include "widgets/scene/grid_image.h"
#include "widgets/scene/grid_layout.h"
#include "widgets/scene/odd_values.h"
#include "widgets/scene/paint_context.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/small_numbers.h"
#include "widgets/scene/stroke.h"
#include "widgets/scene/tiles.h"

#include <cmath>
#include <unordered_map>

namespace stridescope {

namespace {

void paintEmpty(PaintContext& c, const GridItem& grid) {
    QRectF frame = grid.area;
    if (frame.isEmpty()) frame = QRectF(grid.origin, grid.cell.expandedTo(QSizeF(88, 32)));
    {
        Smooth smooth(c.painter);
        strokeRect(c.painter, frame, 2, c.colour(Tone::Ghost), 1.4, LineStyle::Dotted);
    }
    c.text(frame.center(), Qt::AlignHCenter | Qt::AlignVCenter, PaintedText::tr("0 elements"),
           c.theme.font(FontRole::Label), c.colour(Tone::Ink2));
}

/// What stands over numbered cells and their rings.
struct OverNumbers {
    std::vector<CountBadge> badges;
    qreal widest = 0;      ///< of the texts
    bool twoLines = false; ///< something stands below each
};

/// Cells with numbers: at most a few thousand. Returns what goes over them.
OverNumbers paintNumbered(PaintContext& c, const GridItem& grid, const CellValues& values, SlotRange rows,
                          SlotRange cols) {
    OverNumbers over;
    std::vector<CountBadge>& badges = over.badges;
    std::unordered_map<Index, Index> counts;
    for (const CellMark& mark : grid.marks) {
        if (mark.kind == MarkKind::Count) counts.emplace(mark.position, mark.number);
    }
    CellTextPainter text(c, values, grid.cell, grid.text,
                         grid.heat ? std::optional(ColourMap(grid.heatLow, grid.heatHigh, grid.grey)) : std::nullopt);
    const QRectF visible = gridArea(grid);
    const SlotRange allRows = gridRows(grid, {}), allCols = gridCols(grid, {});
    const Index across = allCols.last - allCols.first;
    text.fit((allRows.last - allRows.first) * across,
             [&](Index k) { return gridSlot(grid, allRows.first + k / across, allCols.first + k % across); });
    const QColor fill = c.colour(Theme::viewTone(grid.colour));
    const QColor ghostFill = c.theme.ghostFill(grid.colour);
    const QColor line = Theme::mix(QColor(0x15, 0x18, 0x1D), fill, 0.45);
    for (Index row = rows.first; row < rows.last; ++row) {
        for (Index col = cols.first; col < cols.last; ++col) {
            QRectF cell = c.snap(gridCellRect(grid, row, col));
            if (c.vector && !visible.contains(cell)) {
                // SVG files know no clipping: cut cells at the edge, and leave out those that would be slivers.
                const QRectF part = cell.intersected(visible);
                if (part.width() * part.height() < 0.5 * cell.width() * cell.height()) continue;
                cell = part;
            }
            const Index slot = gridSlot(grid, row, col);
            QRectF room = cell;
            if (const auto shared = counts.find(row * grid.cols + col); shared != counts.end()) {
                badges.push_back(
                    countBadge(cell, shared->second, false, text.widest(), text.twoLines(), c.theme.leastPixels()));
                room = badges.back().text;
            }
            if (!values.holds(slot)) {
                paintTile(c, Tile::Beyond, cell, {});
                text.addBeyond(cell, slot);
            } else if (grid.ghost || gridRepeats(grid, row, col)) {
                paintTile(c, Tile::Repeat, cell, fill);
                text.add(room, slot, ghostFill, CellTextPainter::Ground::Ghost);
            } else if (grid.heat && values.readable()) {
                const QColor ground = text.heatColour(slot);
                c.cell(cell, Theme::mix(QColor(0x15, 0x18, 0x1D), ground, 0.6), ground);
                text.add(room, slot, ground, CellTextPainter::Ground::Heat);
            } else {
                c.cell(cell, line, fill);
                text.add(room, slot, fill, CellTextPainter::Ground::View);
            }
        }
    }
    over.widest = text.widest();
    over.twoLines = text.twoLines();
    text.paint();
    return over;
}

/// Between two cells, clear of their digits.
void paintChains(PaintContext& c, const GridItem& grid, const OverNumbers& over, SlotRange rows, SlotRange cols) {
    constexpr qreal kSize = 12, kSmall = 9;
    // Between low cells, and those with two lines, there is no room above or below the digits for more than a small
    // mark; wide digits leave none beside them.
    const bool low = grid.cell.height() < 30 || over.twoLines;
    const bool narrow = low || (grid.cell.width() - over.widest) / 2 < kSize * 0.6;
    if (grid.colStride == 0 && grid.cols > 1 && cols.first <= 1) {
        for (Index row = rows.first; row < rows.last; ++row) {
            if (grid.rowStride == 0 && row > 0) break; // those are copies themselves
            const QRectF cell = gridCellRect(grid, row, 0);
            // The small line is at the bottom: then over the value.
            const qreal y = !narrow ? cell.center().y() : over.twoLines ? cell.top() + 5 : cell.bottom() - 6;
            paintChain(c, QPointF(cell.right(), y), narrow ? kSmall : kSize);
        }
    }
    if (grid.rowStride == 0 && grid.rows > 1 && rows.first <= 1) {
        for (Index col = cols.first; col < cols.last; ++col) {
            if (grid.colStride == 0 && col > 0) break;
            const QRectF cell = gridCellRect(grid, 0, col);
            paintChain(c, QPointF(low ? cell.right() - 8 : cell.center().x(), cell.bottom()), low ? kSmall : kSize);
        }
    }
}

/// A finite value beyond the ends of the bar: a sign.
void paintClipped(PaintContext& c, const QRectF& cell, double v, bool high, int pixels) {
    const QColor ground = c.colour(high ? Tone::Ink : Tone::Control);
    c.painter.fillRect(c.snap(cell.adjusted(1, 1, -1, -1)), ground);
    const QColor ink = contrastRatio(ground, Qt::white) > contrastRatio(ground, Qt::black) ? Qt::white : Qt::black;
    c.numbers.add(v > 0 ? "+" : "-", cell.center(), pixels, QFont::Bold, ink.rgb());
}

/// Colour cells too small for numbers: a letter for what is not finite, as in numbered heat cells, and a sign for what
/// lies beyond the ends of the bar.
void paintOddValues(PaintContext& c, const GridItem& grid, const CellValues& values, SlotRange rows, SlotRange cols) {
    constexpr qreal kLeast = 4, kLeastSign = 10;
    constexpr Index kMost = 8192;
    const qreal side = std::min(grid.cell.width(), grid.cell.height());
    if (side < kLeast || grid.channels >= 3 || grid.grey || !values.readable()) return;
    if ((rows.last - rows.first) * (cols.last - cols.first) > kMost) return;
    const ColourMap map(grid.heatLow, grid.heatHigh);
    const int pixels = static_cast<int>(std::min(side - 2, 13.0));
    const qreal leastSign = c.theme.isPresenter() ? c.theme.leastPixels() + 2 : kLeastSign;
    for (Index row = rows.first; row < rows.last; ++row) {
        for (Index col = cols.first; col < cols.last; ++col) {
            const Index slot = grid.base + row * grid.rowStride + col * grid.colStride;
            if (!values.holds(slot)) continue;
            const double v = values.at(slot);
            if (v >= map.low() && v <= map.high()) continue;
            const QRectF cell = gridCellRect(grid, row, col);
            if (!std::isfinite(v))
                paintOddValue(c, cell, v);
            else if (side >= leastSign)
                paintClipped(c, cell, v, v > map.high(), pixels);
        }
    }
    c.flushNumbers();
}

/// Whether values have the fill.
bool colourOnly(const GridItem& grid) {
    return grid.heat || grid.cell.width() < kHeatWidth || grid.cell.height() < kHeatWidth;
}

/// Where values have the fill the view is told by its outline: round the cells, so that each keeps its colour.
void paintViewOutline(PaintContext& c, const GridItem& grid, const QRectF& area) {
    if (grid.colour < 0) return;
    constexpr qreal kWidth = 2;
    const QRectF first = gridCellRect(grid, 0, 0), last = gridCellRect(grid, grid.rows - 1, grid.cols - 1);
    const LineStyle style = viewLineStyle(grid.colour);
    const qreal out = style == LineStyle::Double ? std::ceil(kWidth * 2.35) : kWidth; // both lines and their gap
    const QRectF cells = c.snap(first.united(last).intersected(area));
    const Smooth smooth(c.painter);
    strokeRect(c.painter, cells.adjusted(-out, -out, out, out), 0, c.colour(Tone::Ink), kWidth, style);
}

/// Whether the numbers of cells that are smaller than usual are whole in the smallest letters.
bool smallNumbersFit(const PaintContext& c, const GridItem& grid, const CellValues& values, SlotRange rows,
                     SlotRange cols) {
    constexpr Index kSample = 512;
    constexpr std::size_t kAny = 100;
    const bool small = grid.cell.width() >= kSmallNumberWidth && grid.cell.height() >= kSmallNumberHeight;
    if (!small || grid.heat || grid.channels > 0 || grid.grey || c.theme.isPresenter() || !values.readable())
        return false;
    if (grid.text != CellText::Value || rows.empty() || cols.empty()) return false;
    const Index across = cols.last - cols.first, all = (rows.last - rows.first) * across;
    std::string text;
    for (Index k = 0; k < all; k += std::max<Index>(1, all / kSample)) {
        const Index slot = gridSlot(grid, rows.first + k / across, cols.first + k % across);
        text.clear();
        if (values.holds(slot)) values.appendText(text, slot, kAny);
        if (smallNumberWidth(text.size()) > grid.cell.width()) return false;
    }
    return true;
}

} // namespace

void paintGrid(PaintContext& c, const GridItem& grid) {
    if (grid.rows <= 0 || grid.cols <= 0) {
        paintEmpty(c, grid);
        return;
    }
    const bool numbers = grid.cell.width() >= kNumberWidth && grid.cell.height() >= kNumberHeight;
    // By all that is visible, so that repainting a part gives the same pixels.
    const SlotRange allRows = gridRows(grid, {}), allCols = gridCols(grid, {});
    const auto cells = static_cast<__int128>(allRows.last - allRows.first) * (allCols.last - allCols.first);
    const bool numbered =
        cells <= kNumberedCells && (numbers || smallNumbersFit(c, grid, CellValues(grid.source), allRows, allCols));
    const QRectF area = gridArea(grid);
    if (!numbered && colourOnly(grid)) paintViewOutline(c, grid, area);
    const SlotRange rows = gridRows(grid, c.exposed), cols = gridCols(grid, c.exposed);
    if (rows.empty() || cols.empty()) return;
    const CellValues values(grid.source);
    c.painter.save();
    c.painter.setClipRect(area, Qt::IntersectClip);
    OverNumbers over;
    if (numbered) {
        over = paintNumbered(c, grid, values, rows, cols);
    } else {
        paintGridImage(c, grid, values);
        if (colourOnly(grid)) paintOddValues(c, grid, values, rows, cols);
    }
    c.painter.restore();
    // Counts and chains stand over the rings: a ring is seen on three sides still, half a number is not.
    std::vector<CellMark> marks = grid.marks;
    std::stable_partition(marks.begin(), marks.end(), [](const CellMark& m) { return m.kind != MarkKind::Count; });
    bool chains = numbered && !grid.repeats && !grid.ghost;
    for (const CellMark& mark : marks) {
        if (chains && mark.kind == MarkKind::Count) {
            paintChains(c, grid, over, rows, cols);
            chains = false;
        }
        if (numbered && mark.kind == MarkKind::Count) continue;
        if (mark.position < 0 || mark.position / grid.cols >= grid.rows) continue;
        const QRectF cell = gridCellRect(grid, mark.position / grid.cols, mark.position % grid.cols);
        if (area.adjusted(-1, -1, 1, 1).contains(cell.center())) paintMark(c, mark, c.snap(cell));
    }
    if (chains) paintChains(c, grid, over, rows, cols);
    for (const CountBadge& badge : over.badges) paintCountBadge(c, badge);
}

} // namespace stridescope
