#include "widgets/figures/figure.h"

namespace stridescope {

QString callCode(const QString& name, const QString& method, const Dims& numbers) {
    QString code = name + QLatin1Char('.') + method + QLatin1Char('(');
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i > 0) code += QStringLiteral(", ");
        code += QString::number(numbers[i]);
    }
    return code + QLatin1Char(')');
}

QString stepText(Index step) {
    if (step == 0) return QStringLiteral("0");
    const QString digits = QString::number(step);
    return step > 0 ? QLatin1Char('+') + digits : QString(QChar(0x2212)) + digits.mid(1);
}

QString bytesText(Index bytes) {
    if (bytes < 10240) return QStringLiteral("%1 B").arg(bytes);
    static constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(units)) {
        value /= 1024;
        ++unit;
    }
    return QStringLiteral("%1 %2").arg(value, 0, 'f', 1).arg(QLatin1String(units[unit]));
}

} // namespace stridescope
