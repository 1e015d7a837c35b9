#pragma once
// Numbers as people read them.

#include "core/view/dims.h"

#include <QString>

namespace stridescope {

/// "1 000 000 000": digits in groups of three with narrow no-break spaces from five digits on.
QString groupedNumber(Index n);
/// "160 B", "65 536 B", "8.00 GB": as core words them.
QString byteCount(Index bytes);
/// "[2, 1]", "[]".
QString coordText(const Dims& coord);

} // namespace stridescope
