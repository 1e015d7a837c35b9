#include "widgets/scene/odd_values.h"

#include "widgets/model/words.h"
#include "widgets/scene/paint_context.h"
#include "widgets/scene/painted_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stridescope {

namespace {

constexpr qreal kLettersFrom = 14; ///< side of a cell
constexpr qreal kSign = 14, kBeforeName = 4, kAfterEntry = 10, kBeforeLegend = 8;
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
    const qreal pixels = std::min(13.0, (side - 2) / (value < 0 ? 1.25 : 1.0));
    if (side < kLettersFrom || (c.theme.isPresenter() && pixels < c.theme.leastPixels())) {
        const qreal air = side > 9 ? 2 : 1;
        paintStrokes(c, room.adjusted(air, air, -air, -air), value, QColor(look.ink));
        return;
    }
    c.numbers.add(look.letter, cell.center(), static_cast<int>(pixels), QFont::Bold, look.ink);
}

namespace {

/// How much a legend says, from the widest to the narrowest.
enum class Words { Exact, Rounded, Names };

QString amount(Index count, Words words) {
    constexpr Index kWhole = 10'000;
    if (words == Words::Exact || count < kWhole) return countText(count);
    const QString text = QString::number(static_cast<double>(count), 'e', 1);
    const qsizetype at = text.indexOf(QLatin1Char('e'));
    return QStringLiteral("≈%1e%2").arg(text.left(at)).arg(text.mid(at + 1).toInt());
}

QString noteOf(const OddValues& odd, Words words) {
    if (odd.stale) return words == Words::Names ? QStringLiteral("…") : PaintedText::tr("counting again");
    if (odd.exact())
        return odd.none() || words == Words::Names ? QString() : PaintedText::tr("of %1").arg(amount(odd.total, words));
    if (words == Words::Names) return PaintedText::tr("not all seen");
    return PaintedText::tr("%1 of %2 seen").arg(amount(odd.seen, words), amount(odd.total, words));
}

qreal widthOf(const QString& words) {
    static thread_local const QFontMetricsF metrics(Theme().font(FontRole::Index)); // both themes share their fonts
    return metrics.horizontalAdvance(words);
}

OddLegend legendIn(const OddValues& odd, Words words) {
    OddLegend legend;
    const auto entry = [&](QString OddLegend::*member, Index count, const QString& name) {
        if (count == 0) return;
        legend.*member = words == Words::Names ? name : name + QLatin1Char(' ') + amount(count, words);
        legend.width += kSign + kBeforeName + widthOf(legend.*member) + kAfterEntry;
    };
    entry(&OddLegend::nan, odd.nan, QStringLiteral("NaN"));
    entry(&OddLegend::positive, odd.positive, QStringLiteral("+inf"));
    entry(&OddLegend::negative, odd.negative, QStringLiteral("−inf"));
    legend.note = noteOf(odd, words);
    if (!legend.note.isEmpty()) legend.width += widthOf(legend.note);
    if (legend.width > 0) legend.width = std::ceil(legend.width + kBeforeLegend);
    return legend;
}

} // namespace

OddLegend oddLegend(const OddValues& odd, qreal barWidth) {
    for (const Words words : {Words::Exact, Words::Rounded}) {
        OddLegend legend = legendIn(odd, words);
        if (legend.width + kLeastColours <= barWidth) return legend;
    }
    return legendIn(odd, Words::Names);
}

qreal colourBarWidth(const OddValues& odd, qreal usual) {
    const qreal legend = legendIn(odd, Words::Exact).width;
    return legend > 0 ? std::max(usual, kLeastColours + legend) : usual;
}

void paintOddLegend(PaintContext& c, const QRectF& rect, const OddLegend& legend) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    qreal x = rect.left() + kBeforeLegend;
    const auto entry = [&](double value, const QString& words) {
        if (words.isEmpty()) return;
        const QRectF sign(x, rect.center().y() - kSign / 2, kSign, kSign);
        paintOddValue(c, sign, value);
        c.flushNumbers();
        c.text(QPointF(sign.right() + kBeforeName, sign.center().y()), Qt::AlignLeft | Qt::AlignVCenter, words,
               c.theme.font(FontRole::Index), c.colour(Tone::Ink));
        x = sign.right() + kBeforeName + widthOf(words) + kAfterEntry;
    };
    entry(std::numeric_limits<double>::quiet_NaN(), legend.nan);
    entry(kInf, legend.positive);
    entry(-kInf, legend.negative);
    if (!legend.note.isEmpty())
        c.text(QPointF(x, rect.center().y()), Qt::AlignLeft | Qt::AlignVCenter, legend.note,
               c.theme.font(FontRole::Index), c.colour(Tone::Ink2));
}

} // namespace stridescope
