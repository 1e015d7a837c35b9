#include "widgets/timing/timing_words.h"

#include "widgets/model/words.h"

#include <cmath>

namespace stridescope {

namespace {

struct Unit {
    double seconds;
    const char16_t* name;
};
constexpr Unit kUnits[] = {{1, u"s"}, {1e-3, u"ms"}, {1e-6, u"µs"}, {1e-9, u"ns"}};

/// The largest unit of which there is at least one, after rounding to three digits.
const Unit& unitOf(double seconds) {
    for (const Unit& unit : kUnits)
        if (seconds / unit.seconds >= 0.9995) return unit;
    return kUnits[3];
}

QString digits(double value) {
    if (value >= 999.5) return countText(std::llround(value));
    return QString::number(value, 'f', value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
}

const QString kNone = QStringLiteral("–");

} // namespace

QString secondsText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return kNone;
    const Unit& unit = unitOf(seconds);
    return digits(seconds / unit.seconds) + QLatin1Char(' ') + QString::fromUtf16(unit.name);
}

QString tickText(double seconds) {
    const Unit& unit = unitOf(seconds);
    return QString::number(seconds / unit.seconds, 'g', 3) + QLatin1Char(' ') + QString::fromUtf16(unit.name);
}

QString secondsRange(double low, double high) {
    if (!std::isfinite(low) || !std::isfinite(high)) return kNone;
    const Unit &a = unitOf(low), &b = unitOf(high);
    const QString end = secondsText(high);
    return &a == &b ? digits(low / a.seconds) + QStringLiteral(" – ") + end
                    : secondsText(low) + QStringLiteral(" – ") + end;
}

QString gigaText(double perSecond) {
    if (!std::isfinite(perSecond) || perSecond <= 0) return kNone;
    const double giga = perSecond / 1e9;
    return giga < 0.01 ? QStringLiteral("< 0.01") : digits(giga);
}

QString shareText(double share) {
    if (!std::isfinite(share) || share < 0) return kNone;
    if (share < 0.01) return QStringLiteral("< 1 %");
    return QStringLiteral("%1 %").arg(std::llround(share * 100));
}

QString factorText(double factor) {
    if (!std::isfinite(factor) || factor <= 0) return kNone;
    return QStringLiteral("×") + (factor < 9.995 ? QString::number(factor, 'g', 3) : digits(factor));
}

} // namespace stridescope
