#include "widgets/model/words.h"

#include <array>

namespace stridescope {

QString shapeText(const Dims& dims) {
    return QString::fromStdString(toString(dims));
}

QString dtypeText(DType dtype) {
    const std::string_view text = name(dtype);
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

QString bytesText(quint64 bytes) {
    if (bytes < 1024) return QStringLiteral("%1 B").arg(bytes);
    constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    QString number = QString::number(value, 'f', decimals);
    while (number.contains(QLatin1Char('.')) && number.endsWith(QLatin1Char('0'))) number.chop(1);
    if (number.endsWith(QLatin1Char('.'))) number.chop(1);
    return number + QLatin1Char(' ') + QLatin1String(units[unit]);
}

QString countText(Index count) {
    QString digits = QString::number(count);
    const qsizetype start = digits.startsWith(QLatin1Char('-')) ? 1 : 0;
    if (digits.size() - start < 5) return digits;
    for (qsizetype i = digits.size() - 3; i > start; i -= 3) digits.insert(i, QChar(0x202f));
    return digits;
}

QString storageText(const StorageEntry& entry, const Storage& storage) {
    const auto count = static_cast<Index>(storage.bytes() / itemSize(entry.dtype));
    return QStringLiteral("%1 × %2 · %3 · %4")
        .arg(countText(count), dtypeText(entry.dtype), bytesText(storage.bytes()),
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
