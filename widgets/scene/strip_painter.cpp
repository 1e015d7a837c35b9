#include "widgets/scene/cell_text.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/odd_values.h"
#include "widgets/scene/paint_context.h"
#include "widgets/scene/reach_marks.h"
#include "widgets/scene/strip_image.h"
#include "widgets/scene/strip_ruler.h"
#include "widgets/scene/stroke.h"
#include "widgets/scene/tiles.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// Samples of a whole strip in one frame when several cells share a pixel column.
constexpr Index kStripSamples = 16384;

/// One row of numbered cells.
void paintNumberedRow(PaintContext& c, const StripItem& strip, const CellValues& values, SlotRange slots,
                      const ReachQuery* query, CellTextPainter& text, std::vector<CountBadge>& badges) {
    const StripLayout& layout = strip.layout;
    ReachMarks marks;
    if (query) marks = query->mark(slots);
    const int colour = strip.reach ? strip.reach->colour : -1;
    const QColor fill = c.colour(Theme::viewTone(colour)), stage = c.colour(Tone::Stage);
    const QColor line = Theme::mix(QColor(0x15, 0x18, 0x1D), fill, 0.45), control = c.colour(Tone::Control);
    for (Index slot = slots.first; slot < slots.last; ++slot) {
        QRectF cell = c.snap(layout.cellRect(slot));
        if (c.vector && (cell.left() < layout.area.left() || cell.right() > layout.area.right())) {
            // SVG files know no clipping: cut cells at the edge, and leave out those that would be slivers.
            const QRectF part = cell.intersected(layout.area);
            if (part.width() < 0.5 * cell.width()) continue;
            cell = part;
        }
        QRectF room = cell;
        const auto shared = [&](Index count, const QRectF& free) {
            badges.push_back(
                countBadge(free, count, !marks.complete, text.widest(), text.twoLines(), c.theme.leastPixels()));
            room = badges.back().text;
        };
        if (!values.holds(slot)) {
            paintTile(c, Tile::Beyond, cell, {});
        } else if (strip.heat && values.readable()) {
            const QColor ground = text.heatColour(slot);
            c.cell(cell, Theme::mix(QColor(0x15, 0x18, 0x1D), ground, 0.6), ground);
            QRectF band = cell.adjusted(1, 0, -1, -1);
            band.setTop(c.snapY(cell.bottom() - std::max(5.0, cell.height() * 0.16)));
            if (query && marks.reached(slot)) {
                const auto count = static_cast<Index>(marks.count[static_cast<std::size_t>(slot - slots.first)]);
                const auto overlap = static_cast<int>(std::min<std::uint64_t>(marks.overlap(slot), 6));
                c.painter.fillRect(band.adjusted(0, -1, 0, 0), line);
                if (overlap > 1) {
                    paintTile(c, Tile::Overlap, band, fill, overlap);
                } else {
                    c.painter.fillRect(band, fill);
                }
                if (count > 1) shared(count, QRectF(cell.topLeft(), QPointF(cell.right(), band.top())));
            } else {
                c.painter.fillRect(band, stage);
            }
            text.add(room, slot, ground, CellTextPainter::Ground::Heat);
        } else if (query && marks.reached(slot)) {
            const std::uint64_t overlap = marks.overlap(slot);
            const auto count = static_cast<Index>(marks.count[static_cast<std::size_t>(slot - slots.first)]);
            if (count > 1) shared(count, cell);
            if (overlap > 1) {
                const auto parts = static_cast<int>(std::min<std::uint64_t>(overlap, 6));
                paintTile(c, Tile::Overlap, cell, fill, parts);
                text.addStriped(room, slot, fill, cell);
            } else {
                c.cell(cell, line, fill);
                text.add(room, slot, fill, CellTextPainter::Ground::View);
            }
        } else if (query && slot >= query->span().first && slot < query->span().last) {
            paintTile(c, Tile::Skipped, cell, stage);
            text.add(cell, slot, stage, CellTextPainter::Ground::Skipped);
        } else {
            c.cell(cell, control, stage);
            text.add(cell, slot, stage, CellTextPainter::Ground::Plain);
        }
    }
    text.paint();
}

/// What is not finite among the colours of a row of cells too small for numbers, where a sign has room in them.
void paintOddCells(PaintContext& c, const StripItem& strip, const CellValues& values, Index row) {
    constexpr qreal kLeast = 4;
    const StripLayout& layout = strip.layout;
    const qreal height = layout.cellHeight * stripHeatShare(strip, values);
    if (std::min(layout.cellWidth, height) < kLeast) return;
    if (!isFloating(values.dtype()) && !isComplex(values.dtype())) return;
    const SlotRange slots = layout.visibleCells(row, c.exposed);
    for (Index slot = slots.first; slot < slots.last; ++slot) {
        const double value = values.at(slot);
        if (std::isfinite(value)) continue;
        QRectF cell = layout.cellRect(slot);
        cell.setHeight(height);
        // Square, as in grids: a sign is known by its shape.
        const qreal side = std::min(cell.width(), height);
        const QPointF middle = cell.center();
        paintOddValue(c, QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side), value);
    }
    c.flushNumbers();
}

/// Where a row goes on in the next one: a small notch in its ends, never a gap.
void paintWrapNotches(PaintContext& c, const StripLayout& layout, Index row) {
    if (layout.rowCount() <= 1) return;
    Smooth smooth(c.painter);
    c.painter.setPen(QPen(c.colour(Tone::Control), 1));
    c.painter.setBrush(c.colour(Tone::Stage));
    const qreal depth = 5, half = std::min(6.0, layout.cellHeight / 4);
    const QRectF first = layout.cellRect(row * layout.perRow);
    const QRectF last = layout.cellRect(std::min((row + 1) * layout.perRow, layout.cellCount) - 1);
    const qreal y = first.center().y();
    if (y < layout.area.top() || y > layout.area.bottom()) return; // scrolled half away
    if (row + 1 < layout.rowCount() && last.right() <= layout.area.right() + 1) {
        const qreal x = c.snapX(last.right());
        c.painter.drawPolyline(
            QPolygonF{QPointF(x + 1, y - half), QPointF(x + 1 + depth, y), QPointF(x + 1, y + half)});
    }
    if (row > 0 && first.left() >= layout.area.left() - 1) {
        const qreal x = c.snapX(first.left());
        c.painter.drawPolyline(
            QPolygonF{QPointF(x - 1 - depth, y - half), QPointF(x - 1, y), QPointF(x - 1 - depth, y + half)});
    }
}

/// 64-byte boxes round the cells of each cache line, those that the view touches strong and with a bar over them.
void paintCacheLines(PaintContext& c, const StripItem& strip, SlotRange slots, const ReachQuery* query) {
    const Index cells = strip.cacheLineCells;
    if (cells <= 0 || static_cast<qreal>(cells) * strip.layout.cellWidth < 8 || slots.empty()) return;
    Smooth smooth(c.painter);
    // Rows that touch one another leave no room round them: there the boxes are drawn on the lines between them.
    const StripLayout& layout = strip.layout;
    const bool apart = layout.rowCount() <= 1 || layout.rowPitch - layout.cellHeight >= 8;
    const qreal out = apart ? 4 : -1;
    for (Index line = slots.first / cells; line * cells < slots.last; ++line) {
        const QRectF first = strip.layout.cellRect(std::max(line * cells, slots.first));
        const QRectF last = strip.layout.cellRect(std::min((line + 1) * cells, slots.last) - 1);
        const QRectF box(QPointF(first.left() + 1, first.top() - out), QPointF(last.right() - 1, last.bottom() + out));
        const SlotRange cellsOfLine{line * cells, std::min((line + 1) * cells, strip.layout.cellCount)};
        const bool touched = query && query->any(cellsOfLine);
        // The sides lie on cells, which may have the colour of the line.
        const qreal halo = touched ? 4 : 3.4;
        for (const qreal x : {box.left() - 1, box.right() + 1 - halo})
            c.painter.fillRect(QRectF(x, box.top() + 3, halo, box.height() - 6), c.colour(Tone::Stage));
        strokeRect(c.painter, box, 4, c.colour(touched ? Tone::Ink : Tone::Ghost), touched ? 2 : 1.4,
                   touched ? LineStyle::Solid : LineStyle::Dotted);
        if (touched && apart)
            c.painter.fillRect(c.snap(QRectF(box.left() + 3, box.top(), box.width() - 6, 4)), c.colour(Tone::Ink));
    }
}

/// Cells that a wanted view names outside the storage: hatched, with the index they would have, never read.
void paintBeyond(PaintContext& c, const StripItem& strip, const CellValues& values) {
    const StripLayout& layout = strip.layout;
    if (strip.outOfRange.empty() || layout.cellWidth <= 0) return;
    CellTextPainter text(c, values, QSizeF(layout.cellWidth, layout.cellHeight), CellText::Index, std::nullopt);
    const bool numbers = layout.cellWidth >= 24 && layout.cellHeight >= kNumberHeight;
    std::optional<ReachQuery> query;
    if (strip.wanted) query.emplace(*strip.wanted);
    const Index columns = static_cast<Index>(std::ceil(layout.area.width() / layout.cellWidth)) + 1;
    const auto paintRow = [&](SlotRange slots) {
        if (slots.empty()) return;
        // The clip has room for boxes round the cells: a row that is scrolled out must not look in there.
        const QRectF first = layout.cellRect(slots.first);
        if (first.top() >= layout.area.bottom() - 0.5 || first.bottom() <= layout.area.top() + 0.5) return;
        if (!numbers) {
            const QRectF all = layout.cellRect(slots.first).united(layout.cellRect(slots.last - 1));
            paintTile(c, Tile::Beyond, c.snap(all.intersected(layout.area)), {});
            return;
        }
        ReachMarks marks;
        if (query) marks = query->mark(slots);
        for (Index slot = slots.first; slot < slots.last; ++slot) {
            const QRectF cell = c.snap(layout.cellRect(slot));
            const bool skipped = query && !marks.reached(slot);
            paintTile(c, skipped ? Tile::BeyondSkipped : Tile::Beyond, cell, {});
            text.addBeyond(cell, slot, skipped);
        }
    };
    const auto clip = [&strip](Index first, Index last) {
        return SlotRange{std::max(first, strip.outOfRange.first), std::min(last, strip.outOfRange.last)};
    };
    if (layout.rowCount() <= 1) {
        paintRow(clip(layout.firstColumn, layout.firstColumn + columns));
    } else {
        // Outside its ends a wrapped strip wraps on: only rows that could be on screen.
        const Index rows =
            static_cast<Index>(std::ceil(layout.area.height() / std::max<qreal>(layout.rowPitch, 1))) + 1;
        for (Index row = layout.firstRow - 1; row < layout.firstRow + rows; ++row) {
            const Index first = row * layout.perRow + layout.firstColumn;
            paintRow(clip(first, std::min(first + columns, (row + 1) * layout.perRow)));
        }
    }
    text.paint();
}

} // namespace

void paintStrip(PaintContext& c, const StripItem& strip) {
    const StripLayout& layout = strip.layout;
    const CellValues values(strip.source);
    std::optional<ReachQuery> query;
    if (strip.reach) query.emplace(strip.reach->view);
    c.painter.save();
    // Boxes of cache lines stand out above and below the cells, so only the sides are clipped hard; a row that is
    // scrolled half out of the area must not come back above it or under what stands below.
    c.painter.setClipRect(layout.area.adjusted(0, layout.rowShift > 0 ? 0 : -6, 0, layout.rowShift > 0 ? 0 : 6),
                          Qt::IntersectClip);
    // Sizes and modes follow from everything that is visible, so that repainting a part gives the same pixels.
    const SlotRange all = layout.visibleRows({}), rows = layout.visibleRows(c.exposed);
    const Index across =
        all.empty() ? 0 : layout.visibleCells(all.first, {}).last - layout.visibleCells(all.first, {}).first;
    const Index seen = across > kNumberedCells ? across : across * (all.last - all.first);
    // For a class digits are too large for narrow cells.
    const qreal narrowest = c.theme.isPresenter() ? kNumberWidth : strip.numbersFrom;
    const bool numbers = layout.cellWidth >= narrowest && layout.cellHeight >= kNumberHeight && seen <= kNumberedCells;
    CellTextPainter text(c, values, QSizeF(layout.cellWidth, layout.cellHeight), strip.text,
                         strip.heat ? std::optional(ColourMap(strip.heatLow, strip.heatHigh)) : std::nullopt);
    if (numbers) {
        text.fit(seen, [&](Index k) {
            const SlotRange slots = layout.visibleCells(all.first + k / across, {});
            return std::min(slots.first + k % across, layout.cellCount - 1);
        });
    }
    std::vector<CountBadge> badges;
    for (Index row = rows.first; row < rows.last; ++row) {
        const SlotRange slots = layout.visibleCells(row, {});
        if (slots.empty()) continue;
        if (numbers) {
            const SlotRange exposed = layout.visibleCells(row, c.exposed);
            if (!exposed.empty()) paintNumberedRow(c, strip, values, exposed, query ? &*query : nullptr, text, badges);
        } else {
            const QRectF target =
                layout.cellRect(slots.first).united(layout.cellRect(slots.last - 1)).intersected(layout.area);
            const qreal columns =
                std::max<qreal>(1, target.width() * c.deviceScale() * static_cast<qreal>(all.last - all.first));
            const Index samples =
                std::clamp<Index>(static_cast<Index>(static_cast<qreal>(kStripSamples) / columns), 2, 16);
            paintStripImage(c, strip, values, row, target, samples);
            paintOddCells(c, strip, values, row);
            const QRectF frame = c.snap(target);
            if (layout.cellHeight >= 14 || layout.rowCount() <= 1) {
                c.frame(frame, c.colour(Tone::Control));
            } else {
                // Low rows would be covered by their frames: one line parts them.
                c.painter.fillRect(QRectF(frame.left(), frame.bottom() - 1, frame.width(), 1), c.colour(Tone::Control));
            }
        }
        paintCacheLines(c, strip, slots, query ? &*query : nullptr);
    }
    paintBeyond(c, strip, values);
    c.flushNumbers();
    c.painter.restore();
    if (strip.rowIndex) paintRowIndex(c, strip);
    for (Index row = rows.first; row < rows.last; ++row) {
        if (!strip.rowIndex) paintWrapNotches(c, layout, row);
        const SlotRange slots = layout.visibleCells(row, {});
        if (strip.indexBelow && !slots.empty()) paintRuler(c, strip, row, slots);
    }
    for (const CellMark& mark : strip.marks) {
        const QRectF cell = layout.cellRect(mark.position);
        if (layout.area.adjusted(-1, -1, 1, 1).contains(cell.center())) paintMark(c, mark, c.snap(cell));
    }
    for (const CountBadge& badge : badges) paintCountBadge(c, badge);
}

void paintLane(PaintContext& c, const LaneItem& lane) {
    const StripLayout& layout = lane.layout;
    const QRectF bar(layout.area.left(), lane.top, layout.area.width(), lane.height);
    if (!bar.intersects(c.exposed)) return;
    const ReachQuery query(lane.reach.view);
    const QColor fill = c.colour(Theme::viewTone(lane.reach.colour));
    const Index row = layout.firstRow;
    const bool runs = layout.cellWidth < kHeatWidth;
    // The lane stands under its row; the exposed rectangle need not touch the row itself.
    const qreal from = std::max(c.exposed.left(), layout.area.left());
    const qreal to = std::min(c.exposed.right(), layout.area.right());
    const SlotRange slots =
        layout.visibleCells(row, runs ? QRectF() : QRectF(from, layout.area.top(), to - from, layout.area.height()));
    if (slots.empty()) return;
    const auto cellBar = [&](Index slot) {
        const QRectF cell = layout.cellRect(slot);
        return QRectF(cell.left(), lane.top, cell.width(), lane.height);
    };
    c.painter.save();
    c.painter.setClipRect(bar.adjusted(0, -3, 0, 3), Qt::IntersectClip);
    if (runs) {
        // Runs of reached pixels.
        const qreal step = c.vector ? 1 : 1 / c.deviceScale();
        const qreal left = c.snapX(
            layout.cellRect(slots.first).left() < bar.left() ? bar.left() : layout.cellRect(slots.first).left());
        const qreal right = std::min(layout.cellRect(slots.last - 1).right(), bar.right());
        const Index begin = row * layout.perRow;
        std::optional<ReachMarks> marks;
        if (layout.cellWidth >= step) marks = query.mark(slots);
        qreal runStart = -1;
        for (qreal x = left; x <= right + step; x += step) {
            bool reached = false;
            if (x < right) {
                const auto column = [&](qreal at) {
                    return begin + layout.firstColumn +
                           static_cast<Index>(
                               std::floor((at - layout.area.left() + layout.columnShift) / layout.cellWidth));
                };
                const Index first = std::clamp(column(marks ? x + step / 2 : x), slots.first, slots.last - 1);
                const Index last = marks ? first + 1 : std::clamp(column(x + step), first + 1, slots.last);
                reached = marks ? marks->reached(first) : query.any({first, last});
            }
            if (reached && runStart < 0) runStart = x;
            if (!reached && runStart >= 0) {
                c.painter.fillRect(QRectF(runStart, c.snapY(lane.top), x - runStart, lane.height), fill);
                runStart = -1;
            }
        }
        const QRectF frame(left, c.snapY(lane.top), right - left, lane.height);
        c.frame(frame, c.colour(Tone::Control));
    } else {
        const ReachMarks marks = query.mark(slots, true);
        const bool numbers = layout.cellWidth >= 16 && lane.height >= 13;
        const int pixels = std::max(layout.cellWidth >= 34 ? 11 : 9, c.theme.leastPixels());
        std::string text;
        std::vector<CountBadge> badges;
        const QColor dark(0x15, 0x18, 0x1D);
        for (Index slot = slots.first; slot < slots.last; ++slot) {
            const QRectF cell = c.snap(cellBar(slot).adjusted(1, 0, -1, 0));
            if (marks.reached(slot)) {
                c.painter.fillRect(cell, dark);
                c.painter.fillRect(cell.adjusted(1, 1, -1, -1), fill);
                // The first visit alone would hide the others.
                const auto count = static_cast<Index>(marks.count[static_cast<std::size_t>(slot - slots.first)]);
                text.clear();
                if (numbers) appendIndex(text, marks.order[static_cast<std::size_t>(slot - slots.first)]);
                const qreal width = 0.6 * pixels * static_cast<qreal>(text.size());
                QRectF room = cell;
                if (count > 1) {
                    CountBadge badge;
                    if (numbers) badge = countBadge(cell, count, !marks.complete, width, false, c.theme.leastPixels());
                    if (badge.pill.isEmpty()) {
                        const QRectF inner = cell.adjusted(1, 1, -1, -1);
                        paintTile(c, Tile::Overlap, inner, fill, static_cast<int>(std::min<Index>(count, 6)));
                        // Digits are read on the fill itself; the stripes stand at their sides, however narrow the
                        // cell.
                        constexpr qreal kStripes = 3;
                        QRectF ground(0, 0, std::min(width + 6, inner.width() - 2 * kStripes), inner.height());
                        ground.moveCenter(inner.center());
                        if (numbers) c.painter.fillRect(ground, fill);
                    } else {
                        room = badge.text;
                        badges.push_back(std::move(badge));
                    }
                }
                if (!numbers) continue;
                if (width <= room.width() - 2) c.numbers.add(text, room.center(), pixels, QFont::Medium, qRgb(0, 0, 0));
            } else if (slot >= query.span().first && slot < query.span().last && layout.cellWidth >= 12) {
                paintTile(c, Tile::Line, cell, fill);
            }
        }
        c.flushNumbers();
        for (const CountBadge& badge : badges) paintCountBadge(c, badge);
    }
    c.painter.restore();
    for (const CellMark& mark : lane.marks) {
        const QRectF cell = cellBar(mark.position);
        if (bar.adjusted(-1, -1, 1, 1).contains(cell.center())) paintMark(c, mark, c.snap(cell));
    }
}

} // namespace stridescope
