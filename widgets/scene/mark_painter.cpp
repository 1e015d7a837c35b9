// Rings, tags and badges on single cells.

#include "widgets/scene/glyphs.h"
#include "widgets/scene/paint_context.h"
#include "widgets/scene/stroke.h"
#include "widgets/scene/zoom_levels.h"

namespace stridescope {

namespace {

/// 3 px ring with a halo in the stage's colour; on dark stages a black line inside keeps it apart from light fills.
void paintRing(PaintContext& c, const QRectF& cell, qreal width) {
    const QColor ink = c.colour(Tone::Ink), stage = c.colour(Tone::Stage);
    strokeRect(c.painter, cell.adjusted(-2.5, -2.5, 2.5, 2.5), 5, stage, 2, LineStyle::Solid);
    strokeRect(c.painter, cell.adjusted(-0.5, -0.5, 0.5, 0.5), 3.5, ink, width, LineStyle::Solid);
    if (c.theme.kind() == ThemeKind::Dark) {
        const qreal inset = width - 0.5;
        strokeRect(c.painter, cell.adjusted(inset, inset, -inset, -inset), 2, QColor(Qt::black), 1.5, LineStyle::Solid);
    }
}

/// Cells so high have room for a badge under their digits.
constexpr qreal kHighCell = 40;
/// Such cells have it for the smallest one.
constexpr qreal kLowCell = 30;

qreal tagWidth(const QString& text, int pixels) {
    const QFont font = Theme::sansFont(pixels, QFont::DemiBold);
    return std::max<qreal>(pixels + 5, QFontMetricsF(font).horizontalAdvance(text) + 8);
}

/// 1000000000000000 as "1e15": exact while it is short, three digits beyond.
QString shortCount(Index count) {
    if (count < 100'000) return QString::number(count);
    QString text = QString::number(static_cast<double>(count), 'g', 3);
    const qsizetype exponent = text.indexOf(QLatin1String("e+"));
    if (exponent < 0) return text;
    return text.left(exponent + 1) + QString::number(text.mid(exponent + 2).toInt());
}

/// Pill with a short text, ink on stage reversed.
void paintTag(PaintContext& c, QPointF centre, const QString& text, int pixels) {
    const QFont font = Theme::sansFont(pixels, QFont::DemiBold);
    QRectF pill(0, 0, tagWidth(text, pixels), pixels + 5);
    const qreal height = pill.height();
    pill.moveCenter(centre);
    c.painter.setPen(QPen(c.colour(Tone::Stage), 1));
    c.painter.setBrush(c.colour(Tone::Ink));
    c.painter.drawRoundedRect(pill, height / 2, height / 2);
    c.text(centre, Qt::AlignHCenter | Qt::AlignVCenter, text, font, c.colour(Tone::Stage));
}

} // namespace

void paintChain(PaintContext& c, QPointF centre, qreal size) {
    Smooth smooth(c.painter);
    c.painter.setPen(Qt::NoPen);
    c.painter.setBrush(c.colour(Tone::Stage));
    c.painter.drawEllipse(centre, size * 0.58, size * 0.58);
    c.painter.setPen(QPen(c.colour(Tone::Ink), size / 8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    c.painter.setBrush(Qt::NoBrush);
    c.painter.drawPath(glyphPath(Glyph::Chain, centre, size));
}

/// As far as a strip's clip leaves room over its cells.
constexpr qreal kOverEdge = 6;

CountBadge countBadge(const QRectF& cell, Index count, bool atLeast, qreal textWidth, bool twoLines, int least) {
    CountBadge badge;
    badge.pixels = std::max(badge.pixels, least);
    badge.text = cell;
    badge.label = (atLeast ? QStringLiteral("≥") : QStringLiteral("×")) + shortCount(count);
    const auto put = [&](qreal centreY) {
        QRectF pill(0, 0, tagWidth(badge.label, badge.pixels), badge.pixels + 5);
        pill.moveRight(cell.right() - 1);
        pill.moveTop(std::max(cell.top() + 1, centreY - pill.height() / 2));
        badge.pill = pill;
    };
    const qreal wide = tagWidth(badge.label, badge.pixels) + 3;
    // Beside a number in the middle of the cell there may be room as it is.
    const bool beside = (cell.width() - textWidth) / 2 >= wide;
    const bool high = cell.height() >= kHighCell;
    if (high && cell.width() >= kAddressWidth && (beside || cell.height() >= 56)) {
        put(cell.top() + 10); // the bytes of the cell stand in its lower corner
    } else if (high && !twoLines && wide + 1 <= cell.width()) {
        put(cell.bottom() - 9);
        if (!beside) badge.text.setBottom(cell.bottom() - 10);
    } else {
        for (const int size : {10, 9}) {
            const int pixels = badge.pixels = std::max(size, least);
            const qreal taken = tagWidth(badge.label, pixels) + 2;
            if (!beside && textWidth + taken + 3 > cell.width()) continue;
            put(cell.center().y());
            if (!beside) badge.text.setRight(cell.right() - taken);
            break;
        }
        // No room beside the digits: under them, in the smallest size.
        if (badge.pill.isEmpty() && cell.height() >= kLowCell && !twoLines &&
            tagWidth(badge.label, badge.pixels) + 2 <= cell.width()) {
            put(cell.bottom() - 8);
            badge.text.setBottom(badge.pill.top() + 1);
        }
        // Two lines of digits fill the cell: on its upper edge.
        if (badge.pill.isEmpty() && twoLines && wide <= cell.width()) {
            put(cell.center().y());
            badge.pill.moveTop(cell.top() - kOverEdge);
            badge.text.setTop(badge.pill.bottom() - 5);
        }
    }
    return badge;
}

void paintCountBadge(PaintContext& c, const CountBadge& badge) {
    if (badge.pill.isEmpty()) return;
    Smooth smooth(c.painter);
    paintTag(c, badge.pill.center(), badge.label, badge.pixels);
}

void paintMark(PaintContext& c, const CellMark& mark, const QRectF& cell) {
    Smooth smooth(c.painter);
    const bool tiny = std::min(cell.width(), cell.height()) < 10;
    switch (mark.kind) {
    case MarkKind::Ring:
        paintRing(c, tiny ? cell.adjusted(-4, -4, 4, 4) : cell, 3);
        break;
    case MarkKind::SoftRing:
        paintRing(c, tiny ? cell.adjusted(-3, -3, 3, 3) : cell, 2);
        break;
    case MarkKind::Changed: {
        // A folded corner: seen on every fill and in greyscale.
        const qreal side = std::min({cell.width() / 2, cell.height() / 2, 11.0});
        c.painter.setPen(QPen(c.colour(Tone::Stage), 1));
        c.painter.setBrush(c.colour(Tone::Ink));
        c.painter.drawPolygon(
            QPolygonF{cell.topRight(), cell.topRight() - QPointF(side, 0), cell.topRight() + QPointF(0, side)});
        break;
    }
    case MarkKind::OrderTag:
        if (!tiny) paintTag(c, cell.topLeft() + QPointF(7, 3), QString::number(mark.number), c.theme.leastPixels());
        break;
    case MarkKind::Count:
        if (!tiny) paintCountBadge(c, countBadge(cell, mark.number, false, 0, false, c.theme.leastPixels()));
        break;
    case MarkKind::Cross: {
        const QColor error = c.colour(Tone::Error);
        strokeRect(c.painter, cell.adjusted(-2, -2, 2, 2), 4, c.colour(Tone::Stage), 2, LineStyle::Solid);
        strokeRect(c.painter, cell, 2, error, 3, LineStyle::Solid);
        if (tiny) break;
        const QPointF centre(cell.right() - 8, cell.top() + 8);
        c.painter.setPen(Qt::NoPen);
        c.painter.setBrush(c.colour(Tone::Stage));
        c.painter.drawEllipse(centre, 6.5, 6.5);
        c.painter.setPen(QPen(error, 2, Qt::SolidLine, Qt::RoundCap));
        c.painter.setBrush(Qt::NoBrush);
        c.painter.drawPath(glyphPath(Glyph::Cross, centre, 12));
        break;
    }
    case MarkKind::Hazard: {
        if (tiny) break;
        const QPointF centre(cell.right() - 9, cell.bottom() - 9);
        c.painter.setPen(QPen(c.colour(Tone::Stage), 4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        c.painter.setBrush(c.colour(Tone::Stage));
        const QPainterPath sign = glyphPath(Glyph::Hazard, centre, 16);
        c.painter.drawPath(sign);
        c.painter.setPen(QPen(c.colour(Tone::Ink), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        c.painter.setBrush(Qt::NoBrush);
        c.painter.drawPath(sign);
        break;
    }
    }
}

} // namespace stridescope
