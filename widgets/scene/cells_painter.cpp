#include "widgets/scene/cell_text.h"
#include "widgets/scene/paint_context.h"
#include "widgets/scene/stroke.h"
#include "widgets/scene/tiles.h"

#include <cmath>
#include <unordered_map>

namespace stridescope {

namespace {

using Look = CellsItem::Look;

/// Numbers in cells this wide and high at least, where all of them fit.
constexpr qreal kLeastWidth = 14, kLeastHeight = 13;

/// The cells that were painted since their numbers were: a cell over one of them must not lie under its number.
class Covered {
public:
    explicit Covered(QSizeF cell) : m_cell(cell) {}
    /// Whether one lies under this cell; then those so far are forgotten. This one is remembered.
    bool add(QPointF at) {
        const auto column = static_cast<std::int64_t>(std::floor(at.x() / m_cell.width()));
        const auto row = static_cast<std::int64_t>(std::floor(at.y() / m_cell.height()));
        bool over = false;
        for (std::int64_t r = row - 1; r <= row + 1 && !over; ++r) {
            for (std::int64_t c = column - 1; c <= column + 1 && !over; ++c) {
                const auto [first, last] = m_bins.equal_range(key(r, c));
                for (auto i = first; i != last && !over; ++i) {
                    const QPointF gap = i->second - at;
                    over = std::abs(gap.x()) < m_cell.width() - 1 && std::abs(gap.y()) < m_cell.height() - 1;
                }
            }
        }
        if (over) m_bins.clear();
        m_bins.emplace(key(row, column), at);
        return over;
    }

private:
    static std::int64_t key(std::int64_t row, std::int64_t column) { return row * 1'000'003 + column; }
    QSizeF m_cell;
    std::unordered_multimap<std::int64_t, QPointF> m_bins;
};

void paintDots(PaintContext& c, const QRectF& cell) {
    const qreal size = std::min(cell.width(), cell.height()) * 0.4;
    if (size < 4) return;
    Smooth smooth(c.painter);
    c.painter.setPen(Qt::NoPen);
    c.painter.setBrush(c.colour(Tone::Ink2));
    for (const int i : {-1, 0, 1})
        c.painter.drawEllipse(cell.center() + QPointF(i * size * 0.5, 0), size / 9, size / 9);
}

/// The edge of a cell that was just written: seen in grey, too.
void paintWrittenEdge(PaintContext& c, const QRectF& cell) {
    c.frame(cell, c.colour(Tone::Ink), cell.width() >= kLeastWidth ? 3 : 2);
}

} // namespace

void paintCells(PaintContext& c, const CellsItem& item) {
    const CellValues values(item.source);
    CellTextPainter text(c, values, item.size, item.source.defined() ? CellText::Value : CellText::Index, std::nullopt);
    // By the whole source: the same font in all pictures of a motion.
    text.fit(values.count(), [](Index slot) { return slot; });
    const bool numbers = item.size.width() >= kLeastWidth && item.size.height() >= kLeastHeight &&
                         item.source.defined() && values.readable();
    const bool tiles = item.size.width() >= kHeatWidth && item.size.height() >= kHeatWidth;
    const QColor stage = c.colour(Tone::Stage), control = c.colour(Tone::Control), dark(0x15, 0x18, 0x1D);
    const auto paintNumbers = [&] {
        if (numbers) text.paint();
    };
    Covered covered(item.size);
    std::vector<QRectF> written;
    for (const CellsItem::Cell& each : item.cells) {
        const QRectF rect = c.snap(QRectF(each.at, item.size));
        if (!rect.intersects(c.exposed)) continue;
        if (covered.add(each.at)) paintNumbers();
        const QColor fill = c.colour(Theme::viewTone(each.colour));
        auto ground = CellTextPainter::Ground::View;
        QColor under = fill;
        switch (each.look) {
        case Look::Plain:
            under = stage;
            ground = CellTextPainter::Ground::Plain;
            c.cell(rect, control, stage);
            break;
        case Look::View:
        case Look::Written:
            if (tiles)
                c.cell(rect, Theme::mix(dark, fill, 0.45), fill);
            else
                c.painter.fillRect(rect, fill);
            if (each.look == Look::Written) written.push_back(rect);
            break;
        case Look::Ghost:
            under = c.theme.ghostFill(each.colour);
            ground = CellTextPainter::Ground::Ghost;
            if (tiles)
                paintTile(c, Tile::Repeat, rect, fill);
            else
                c.painter.fillRect(rect, under);
            break;
        case Look::Skipped:
        case Look::Place:
            under = stage;
            ground = CellTextPainter::Ground::Skipped;
            if (tiles) paintTile(c, Tile::Skipped, rect, stage);
            break;
        case Look::Pending:
            c.cell(rect, control, stage);
            paintDots(c, rect);
            break;
        }
        const bool valued = each.look != Look::Place && each.look != Look::Pending;
        if (numbers && valued && values.holds(each.slot)) text.add(rect, each.slot, under, ground);
    }
    paintNumbers();
    for (const QRectF& rect : written) paintWrittenEdge(c, rect);
    if (!item.index) return;
    const int pixels = std::max(c.theme.leastPixels(), 11);
    std::string slot;
    for (const CellsItem::Cell& each : item.cells) {
        slot.clear();
        appendIndex(slot, each.slot);
        c.numbers.add(slot, each.at + QPointF(item.size.width() / 2, item.size.height() + 9), pixels, QFont::Normal,
                      c.colour(Tone::Ink2).rgb());
    }
    c.flushNumbers();
}

} // namespace stridescope
