#include "widgets/scene/colour_bar.h"

#include "widgets/scene/colour_map.h"
#include "widgets/scene/odd_values.h"
#include "widgets/scene/paint_context.h"
#include "widgets/scene/painted_text.h"

#include <QLinearGradient>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// From and below these the numbers of a bar are told as powers of ten.
constexpr double kLargest = 1e6, kSmallest = 1e-3;
/// What a number may be off by, as a share of the distance to the next one.
constexpr double kOff = 0.001;

/// The fewest decimals that tell all `values` apart from their neighbours at `step` and are true of them.
int decimalsFor(const std::vector<double>& values, double step) {
    constexpr int kMost = 6;
    for (int decimals = 0; decimals < kMost; ++decimals) {
        const double scale = std::pow(10, decimals);
        if (std::all_of(values.begin(), values.end(),
                        [&](double v) { return std::abs(std::round(v * scale) / scale - v) <= kOff * step; }))
            return decimals;
    }
    return kMost;
}

/// 2.5e+06 as "2.5e6".
QString powerText(double value, int decimals) {
    if (value == 0) return QStringLiteral("0");
    const QString text = QString::number(value, 'e', decimals);
    const qsizetype at = text.indexOf(QLatin1Char('e'));
    return text.left(at + 1) + QString::number(text.mid(at + 1).toInt());
}

} // namespace

QStringList barNumbers(double low, double high, int ticks) {
    std::vector<double> values;
    for (int i = 0; i <= ticks; ++i) {
        const double share = static_cast<double>(i) / ticks;
        const double value = i == ticks ? high : low + share * (high - low);
        values.push_back(std::abs(value) < 1e-12 * (high - low) ? 0 : value);
    }
    const double step = (high - low) / ticks;
    const double largest = std::max(std::abs(low), std::abs(high));
    QStringList texts;
    if (largest == 0 || (largest < kLargest && largest >= kSmallest)) {
        const int decimals = decimalsFor(values, step);
        for (const double value : values) texts << QString::number(value, 'f', decimals);
        return texts;
    }
    const double unit = std::pow(10, std::floor(std::log10(largest)));
    std::vector<double> mantissas;
    for (const double value : values) {
        const double own = value == 0 ? unit : std::pow(10, std::floor(std::log10(std::abs(value))));
        mantissas.push_back(value / own);
    }
    const int decimals = std::min(decimalsFor(mantissas, step / unit), 3);
    for (const double value : values) texts << powerText(value, decimals);
    return texts;
}

QString onlyText(const OnlyValue& only) {
    const double size = std::abs(only.value);
    const bool plain = size == 0 || (size < kLargest && size >= kSmallest);
    QString text = QString::number(only.value, 'g', 6);
    if (!plain && text.contains(QLatin1Char('e'))) {
        const qsizetype at = text.indexOf(QLatin1Char('e'));
        text = text.left(at + 1) + QString::number(text.mid(at + 1).toInt());
    }
    return only.sampled ? PaintedText::tr("%1 (in a sample)").arg(text) : text;
}

void paintColourBar(PaintContext& c, const ColourBarItem& bar) {
    const ColourMap map(bar.signedValues ? std::min(bar.low, -std::abs(bar.high)) : bar.low, bar.high, bar.grey);
    // The legend is part of the bar: the colours leave it room.
    const OddLegend legend = oddLegend(bar.odd, bar.rect.width());
    const QRectF rect = c.snap(bar.rect.adjusted(0, 0, -legend.width, 0));
    paintOddLegend(c, QRectF(rect.topRight(), bar.rect.bottomRight()), legend);
    const QFont font = c.theme.font(FontRole::Index);
    if (bar.only) {
        const double value = bar.only->value;
        c.painter.fillRect(rect, QColor(map.rgb(value)));
        // What the sample missed has the colours of the map's ends.
        const auto paintEnd = [&](double beyond, const QRectF& end, Qt::Alignment side, QLatin1Char sign) {
            if (!bar.only->sampled || map.rgb(beyond) == map.rgb(value)) return;
            c.painter.fillRect(c.snap(end), QColor(map.rgb(beyond)));
            const QFontMetricsF metrics(font);
            const QString text = QString(sign) + QLatin1Char(' ') + onlyText({value, false});
            const qreal free = (rect.width() - metrics.horizontalAdvance(onlyText(*bar.only))) / 2 - 4;
            if (metrics.horizontalAdvance(text) > free) return;
            c.text(QPointF(side == Qt::AlignLeft ? rect.left() : rect.right(), rect.bottom() + 12),
                   side | Qt::AlignVCenter, text, font, c.colour(Tone::Ink));
        };
        const qreal part = std::min<qreal>(16, rect.width() / 6);
        paintEnd(map.low() - 1 - std::abs(map.low()), QRectF(rect.left(), rect.top(), part, rect.height()),
                 Qt::AlignLeft, QLatin1Char('<'));
        paintEnd(map.high() + 1 + std::abs(map.high()), QRectF(rect.right() - part, rect.top(), part, rect.height()),
                 Qt::AlignRight, QLatin1Char('>'));
        c.frame(rect, c.colour(Tone::Ink));
        const QPointF middle(rect.center().x(), rect.bottom());
        c.painter.fillRect(c.snap(QRectF(middle, QSizeF(1, 5))), c.colour(Tone::Ink));
        c.text(middle + QPointF(0, 12), Qt::AlignHCenter | Qt::AlignVCenter, onlyText(*bar.only), font,
               c.colour(Tone::Ink));
        return;
    }
    QLinearGradient gradient(rect.topLeft(), rect.topRight());
    for (int i = 0; i <= 20; ++i) gradient.setColorAt(i / 20.0, QColor(map.at(i / 20.0)));
    c.painter.fillRect(rect, gradient);
    c.frame(rect, c.colour(Tone::Ink));
    const auto labelsOf = [&map, &bar](int ticks) {
        QStringList labels = barNumbers(map.low(), map.high(), ticks);
        if (bar.below) labels.first().prepend(QStringLiteral("≤ "));
        if (bar.above) labels.last().prepend(QStringLiteral("≥ "));
        return labels;
    };
    // As many numbers as stand apart; the outer two lie inside the bar, so their neighbours are nearest.
    const QFontMetricsF metrics(font);
    const auto standApart = [&](int ticks) {
        const QStringList labels = labelsOf(ticks);
        for (int i = 0; i < ticks; ++i) {
            const auto half = [&](int k) {
                const qreal width = metrics.horizontalAdvance(labels[k]);
                return k == 0 || k == ticks ? width : width / 2;
            };
            if (half(i) + half(i + 1) + 6 > rect.width() / ticks) return false;
        }
        return true;
    };
    const int ticks = rect.width() >= 220 && standApart(4) ? 4 : standApart(2) ? 2 : 1;
    const QStringList labels = labelsOf(ticks);
    for (int i = 0; i <= ticks; ++i) {
        const qreal x = rect.left() + static_cast<qreal>(i) / ticks * rect.width();
        c.painter.fillRect(c.snap(QRectF(std::min(x, rect.right() - 1), rect.bottom(), 1, 5)), c.colour(Tone::Ink));
        const Qt::Alignment align = i == 0 ? Qt::AlignLeft : i == ticks ? Qt::AlignRight : Qt::AlignHCenter;
        c.text(QPointF(x, rect.bottom() + 12), align | Qt::AlignVCenter, labels[i], font, c.colour(Tone::Ink));
    }
}

} // namespace stridescope
