#include "widgets/stage/stage_text.h"

#include "core/view/view.h"

namespace stridescope {

QString groupedNumber(Index n) {
    QString digits = QString::number(n);
    const int first = n < 0 ? 1 : 0;
    if (digits.size() - first < 5) return digits;
    for (qsizetype i = digits.size() - 3; i > first; i -= 3) digits.insert(i, QChar(0x202F));
    return digits;
}

QString byteCount(Index bytes) {
    if (bytes < 10'000) return QString::number(bytes) + QStringLiteral(" B");
    static const char* const kUnits[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    while (value >= 999.95 && unit + 1 < std::size(kUnits)) {
        value /= 1000;
        ++unit;
    }
    return QString::number(value, 'f', value < 100 ? 1 : 0) + QLatin1Char(' ') + QLatin1String(kUnits[unit]);
}

QString coordText(const Dims& coord) {
    return QString::fromStdString(toListString(coord));
}

} // namespace stridescope
