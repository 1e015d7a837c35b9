#include "widgets/card/text_metrics.h"

#include <QFontMetricsF>
#include <QHash>

#include <array>
#include <memory>
#include <vector>

namespace stridescope {

namespace {

/// Labels remembered for each font: more than a window shows, and a bound for those that change all the time.
constexpr qsizetype kKnownWidths = 2048;

} // namespace

qreal textWidth(FontRole font, const QString& text) {
    // Light and dark share their fonts, so that one set of metrics serves both. Shaping a label takes microseconds and
    // layouts ask for the same hundred labels at every mouse move.
    struct Known {
        std::unique_ptr<QFontMetricsF> metrics;
        QHash<QString, qreal> widths;
    };
    // Files that move are laid out in a thread of their own.
    thread_local std::array<Known, static_cast<std::size_t>(FontRole::Count)> cache;
    Known& known = cache[static_cast<std::size_t>(font)];
    if (!known.metrics) {
        const Theme theme;
        known.metrics = std::make_unique<QFontMetricsF>(theme.font(font));
    }
    const auto found = known.widths.constFind(text);
    if (found != known.widths.cend()) return *found;
    if (known.widths.size() >= kKnownWidths) known.widths.clear();
    const qreal width = known.metrics->horizontalAdvance(text);
    known.widths.insert(text, width);
    return width;
}

namespace {

bool isCode(FontRole font) {
    return font != FontRole::Label && font != FontRole::LabelStrong && font != FontRole::Text &&
           font != FontRole::Heading;
}

/// Code may be broken inside an expression, sentences between words only: "Use .reshape(...)" stays whole.
bool breaksAfter(QChar c, bool code) {
    if (c == QLatin1Char(' ')) return true;
    return code && (c == QLatin1Char(',') || c == QLatin1Char('.') || c == QLatin1Char('('));
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

/// For each letter of code whether it stands in a string: names of files are broken between folders only.
std::vector<bool> insideStrings(const QString& text) {
    std::vector<bool> inside;
    QChar quote;
    for (const QChar c : text) {
        if (c == quote)
            quote = QChar();
        else if (quote.isNull() && (c == QLatin1Char('\'') || c == QLatin1Char('"')))
            quote = c;
        inside.push_back(!quote.isNull());
    }
    return inside;
}

} // namespace

QStringList wrapText(FontRole font, const QString& text, qreal width, int maxLines) {
    QStringList lines;
    QString rest = text;
    std::vector<bool> quoted;
    if (isCode(font) && textWidth(font, rest) > width) quoted = insideStrings(text);
    qsizetype at = 0; // where the rest begins
    while (textWidth(font, rest) > width && rest.size() > 1) {
        if (lines.size() + 1 == maxLines) {
            const QString dots(QChar(0x2026));
            lines << rest.left(fittingHead(font, rest, width - textWidth(font, dots))) + dots;
            return lines;
        }
        const qsizetype head = fittingHead(font, rest, width);
        qsizetype cut = head;
        // A word longer than the line is broken as code is.
        const bool code = isCode(font) || rest.lastIndexOf(QLatin1Char(' '), head - 1) < 0;
        // A blank at the cut itself is a good place too: it disappears.
        if (rest[head] != QLatin1Char(' ')) {
            const auto inString = [&](qsizetype i) {
                return !quoted.empty() && quoted[static_cast<std::size_t>(at + i)];
            };
            const auto breaks = [&](qsizetype i) {
                return inString(i) ? rest[i] == QLatin1Char('/') : breaksAfter(rest[i], code);
            };
            while (cut > 0 && !breaks(cut - 1)) --cut;
            for (qsizetype i = head; cut == 0 && i > 0; --i)
                if (breaksAfter(rest[i - 1], code)) cut = i;
            if (cut == 0) cut = head;
        }
        lines << rest.left(cut).trimmed();
        at += cut;
        while (at < text.size() && text[at].isSpace()) ++at;
        rest = text.mid(at).trimmed();
    }
    if (!rest.isEmpty() || lines.isEmpty()) lines << rest;
    return lines;
}

QStringList wrapCode(FontRole font, const QString& code, qreal width, int maxLines) {
    QStringList lines = wrapText(font, code, width, maxLines + 1);
    if (lines.size() <= maxLines) return lines;
    lines.removeLast();
    const QString dots(QChar(0x2026));
    qsizetype shown = fittingHead(font, code, width); // about as many at the end
    while (shown > 1 && textWidth(font, dots + code.right(shown)) > width) --shown;
    lines.back() = dots + code.right(shown);
    return lines;
}

} // namespace stridescope
