#include "widgets/stage/stage_text.h"

#include "core/view/view.h"

#include <cmath>

namespace stridescope {

QString briefCountText(Index count) {
    if (count == 0) return QStringLiteral("0");
    const auto size = std::abs(static_cast<double>(count));
    int power = static_cast<int>(std::floor(std::log10(size)));
    // 9.96 is 10.0 in two digits.
    if (size / std::pow(10.0, power) >= 9.95) ++power;
    return QStringLiteral("%1e%2").arg(static_cast<double>(count) / std::pow(10.0, power), 0, 'f', 1).arg(power);
}

QString coordText(const Dims& coord) {
    return QString::fromStdString(toListString(coord));
}

} // namespace stridescope
