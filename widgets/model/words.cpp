#include "widgets/model/words.h"

#include "core/io/text.h"

#include <QCoreApplication>

#include <cmath>

namespace stridescope {

QString shapeText(const Dims& dims) {
    return QString::fromStdString(toString(dims));
}

QString dtypeText(DType dtype) {
    const std::string_view text = name(dtype);
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

QString bytesText(quint64 bytes) {
    return QString::fromStdString(bytesText(static_cast<std::uint64_t>(bytes)));
}

QString countText(Index count) {
    QString digits = QString::number(count);
    const qsizetype start = digits.startsWith(QLatin1Char('-')) ? 1 : 0;
    if (digits.size() - start < 5) return digits;
    for (qsizetype i = digits.size() - 3; i > start; i -= 3) digits.insert(i, QChar(0x202f));
    return digits;
}

QString briefCountText(Index count) {
    if (count == 0) return QStringLiteral("0");
    const auto size = std::abs(static_cast<double>(count));
    int power = static_cast<int>(std::floor(std::log10(size)));
    // 9.96 is 10.0 in two digits.
    if (size / std::pow(10.0, power) >= 9.95) ++power;
    return QStringLiteral("%1e%2").arg(static_cast<double>(count) / std::pow(10.0, power), 0, 'f', 1).arg(power);
}

QString coordText(const Dims& coord) {
    return coord.empty() ? QString() : QString::fromStdString(toListString(coord));
}

QString elementsText(Index count) {
    return count == 1 ? QCoreApplication::translate("Words", "1 element")
                      : QCoreApplication::translate("Words", "%1 elements").arg(countText(count));
}

QString storageText(const StorageEntry& entry, const Storage& storage) {
    const auto count = static_cast<Index>(storage.bytes() / itemSize(entry.dtype));
    return QStringLiteral("%1 × %2 · %3 · %4")
        .arg(countText(count), dtypeText(entry.dtype), bytesText(static_cast<quint64>(storage.bytes())),
             QString::fromStdString(toString(storage.device())));
}

QString plainName(const QString& text) {
    QString out;
    for (const QChar c : text) {
        const bool breaks = c.category() == QChar::Other_Control || c.category() == QChar::Other_Format ||
                            c.category() == QChar::Separator_Line || c.category() == QChar::Separator_Paragraph;
        if (breaks) {
            out += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
        } else {
            out += c;
        }
        if (out.size() > 200) {
            out.truncate(199);
            out += QChar(0x2026);
            break;
        }
    }
    return out;
}

} // namespace stridescope
