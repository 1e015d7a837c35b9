#pragma once
// The numbered bar of a heat map's colours.

#include "widgets/scene/odd_values.h"

#include <QString>
#include <QStringList>

namespace stridescope {

/// The texts of `ticks` + 1 numbers from `low` to `high` at equal distances: all with the same number of decimals, or
/// all as powers of ten. Precondition: ticks >= 1.
QStringList barNumbers(double low, double high, int ticks);
/// "7", or "7 (in a sample)": what a bar says instead.
QString onlyText(const OnlyValue& only);

} // namespace stridescope
