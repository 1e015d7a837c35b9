#include "widgets/card/text_metrics.h"

#include <QFontMetricsF>

#include <array>
#include <memory>

namespace stridescope {

qreal textWidth(FontRole font, const QString& text) {
    // Light and dark share their fonts, so that one set of metrics serves both.
    static std::array<std::unique_ptr<QFontMetricsF>, static_cast<std::size_t>(FontRole::Count)> cache;
    auto& metrics = cache[static_cast<std::size_t>(font)];
    if (!metrics) {
        const Theme theme;
        metrics = std::make_unique<QFontMetricsF>(theme.font(font));
    }
    return metrics->horizontalAdvance(text);
}

namespace {

bool breaksAfter(QChar c) {
    return c == QLatin1Char(' ') || c == QLatin1Char(',') || c == QLatin1Char('.') || c == QLatin1Char('(');
}

/// Length of the longest head of `text` that is no wider than `width`: at least one character.
qsizetype fittingHead(FontRole font, const QString& text, qreal width) {
    qsizetype low = 1;
    qsizetype high = text.size();
    while (low < high) {
        const qsizetype middle = (low + high + 1) / 2;
        if (textWidth(font, text.left(middle)) <= width)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

} // namespace

QStringList wrapText(FontRole font, const QString& text, qreal width, int maxLines) {
    QStringList lines;
    QString rest = text;
    while (textWidth(font, rest) > width && rest.size() > 1) {
        if (lines.size() + 1 == maxLines) {
            const QString dots(QChar(0x2026));
            lines << rest.left(fittingHead(font, rest, width - textWidth(font, dots))) + dots;
            return lines;
        }
        const qsizetype head = fittingHead(font, rest, width);
        qsizetype cut = head;
        // A blank at the cut itself is a good place too: it disappears.
        if (rest[head] != QLatin1Char(' ')) {
            while (cut > 0 && !breaksAfter(rest[cut - 1])) --cut;
            if (cut == 0) cut = head;
        }
        lines << rest.left(cut).trimmed();
        rest = rest.mid(cut).trimmed();
    }
    if (!rest.isEmpty() || lines.isEmpty()) lines << rest;
    return lines;
}

} // namespace stridescope
