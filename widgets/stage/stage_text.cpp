#include "widgets/stage/stage_text.h"

#include "core/storage/memory_budget.h"
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
    return QString::fromStdString(formatBytes(bytes));
}

QString coordText(const Dims& coord) {
    return QString::fromStdString(toListString(coord));
}

} // namespace stridescope
