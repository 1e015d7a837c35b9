#include "widgets/shared/elided_code.h"

#include <QFontMetricsF>

#include <algorithm>

namespace stridescope {

namespace {

/// The first `letters` of the code, dots, and what closes the brackets and the string that are open there.
QString closedAfter(const QString& code, qsizetype letters) {
    QString closing;
    QChar quote;
    for (qsizetype i = 0; i < letters; ++i) {
        const QChar c = code.at(i);
        if (!quote.isNull()) {
            if (c == QLatin1Char('\\'))
                ++i;
            else if (c == quote)
                quote = QChar();
        } else if (c == QLatin1Char('\'') || c == QLatin1Char('"')) {
            quote = c;
        } else if (const auto open = QStringLiteral("([{").indexOf(c); open >= 0) {
            closing.prepend(QStringLiteral(")]}").at(open));
        } else if (!closing.isEmpty() && c == closing.front()) {
            closing.remove(0, 1);
        }
    }
    QString out = code.left(letters) + QChar(0x2026);
    if (!quote.isNull()) out += quote;
    return out + closing;
}

} // namespace

QString elidedCode(const QFontMetricsF& metrics, const QString& code, qreal width) {
    if (metrics.horizontalAdvance(code) <= width) return code;
    // Brackets make the width jump by a letter or two: from an estimate down to what fits.
    const qreal letter = std::max(1.0, metrics.horizontalAdvance(QLatin1Char('i')));
    auto letters = std::min(code.size() - 1, static_cast<qsizetype>(std::max(0.0, width) / letter));
    for (; letters > 0; --letters) {
        if (code.at(letters - 1).isHighSurrogate()) continue;
        const QString shown = closedAfter(code, letters);
        if (metrics.horizontalAdvance(shown) <= width) return shown;
    }
    return metrics.horizontalAdvance(QChar(0x2026)) <= width ? QString(QChar(0x2026)) : QString();
}

} // namespace stridescope
