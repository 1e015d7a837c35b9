#include "widgets/scene/odd_values.h"

#include "widgets/scene/paint_context.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stridescope {

namespace {

constexpr qreal kLettersFrom = 14; ///< side of a cell
constexpr qreal kEntry = 50, kSign = 14, kBeforeName = 4, kSampled = 54;
constexpr qreal kLeastColours = 184;

void paintStrokes(PaintContext& c, const QRectF& room, double value, const QColor& ink) {
    const qreal thick = std::max(1.0, std::floor(std::min(room.width(), room.height()) / 6));
    if (std::isnan(value)) {
        const Smooth smooth(c.painter);
        c.painter.setPen(QPen(ink, thick + 0.2, Qt::SolidLine, Qt::FlatCap));
        c.painter.drawLine(room.topLeft(), room.bottomRight());
        c.painter.drawLine(room.bottomLeft(), room.topRight());
        return;
    }
    // I: a bar; -I: a dash before it.
    const bool negative = value < 0;
    const qreal left = negative ? room.right() - thick : room.center().x() - thick / 2;
    c.painter.fillRect(c.snap(QRectF(left, room.top(), thick, room.height())), ink);
    if (negative) {
        const qreal dash = std::max(1.0, room.width() - 2 * thick);
        c.painter.fillRect(c.snap(QRectF(room.left(), room.center().y() - thick / 2, dash, thick)), ink);
    }
}

} // namespace

OddLook oddLook(double value) {
    if (std::isnan(value)) return {"X", 0xFFFFFFFF, 0xFF000000};
    return {value > 0 ? "I" : "-I", 0xFF000000, 0xFFFFFFFF};
}

void paintOddValue(PaintContext& c, const QRectF& cell, double value) {
    const OddLook look = oddLook(value);
    const qreal side = std::min(cell.width(), cell.height());
    const QRectF room = c.snap(side > 6 ? cell.adjusted(1, 1, -1, -1) : cell);
    c.painter.fillRect(room, QColor(look.ground));
    // White is near the middle of a signed map.
    if (std::isnan(value) && side > 6) c.frame(room, QColor(look.ink));
    if (side < kLettersFrom) {
        const qreal air = side > 9 ? 2 : 1;
        paintStrokes(c, room.adjusted(air, air, -air, -air), value, QColor(look.ink));
        return;
    }
    const qreal pixels = std::min(13.0, (side - 2) / (value < 0 ? 1.25 : 1.0));
    c.numbers.add(look.letter, cell.center(), static_cast<int>(pixels), QFont::Bold, look.ink);
}

qreal oddLegendWidth(const OddValues& odd) {
    return odd.count() * kEntry + (odd.sampled ? kSampled : 0);
}

qreal colourBarWidth(const OddValues& odd, qreal usual) {
    return std::max(usual, kLeastColours + oddLegendWidth(odd));
}

void paintOddLegend(PaintContext& c, const QRectF& rect, const OddValues& odd) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    qreal x = rect.left() + 8;
    const auto entry = [&](bool held, double value, const QString& name) {
        if (!held) return;
        const QRectF sign(x, rect.center().y() - kSign / 2, kSign, kSign);
        paintOddValue(c, sign, value);
        c.flushNumbers();
        c.text(QPointF(sign.right() + kBeforeName, sign.center().y()), Qt::AlignLeft | Qt::AlignVCenter, name,
               c.theme.font(FontRole::Index), c.colour(Tone::Ink));
        x += kEntry;
    };
    entry(odd.nan, std::numeric_limits<double>::quiet_NaN(), QStringLiteral("NaN"));
    entry(odd.positive, kInf, QStringLiteral("+inf"));
    entry(odd.negative, -kInf, QStringLiteral("−inf"));
    if (odd.sampled)
        c.text(QPointF(x, rect.center().y()), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("sampled"),
               c.theme.font(FontRole::Index), c.colour(Tone::Ink2));
}

} // namespace stridescope
