#include "widgets/figures/figure.h"

#include "core/storage/memory_budget.h"

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
    return QString::fromStdString(formatBytes(bytes));
}

} // namespace stridescope
