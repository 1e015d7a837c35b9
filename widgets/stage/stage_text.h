#pragma once
// Numbers as people read them.

#include "core/view/dims.h"

#include <QString>

namespace stridescope {

/// "1 000 000 000": digits in groups of three with narrow no-break spaces from five digits on.
QString groupedNumber(Index n);
/// "160 B", "64 KiB", "8.0 GB": exact below 10 000 bytes.
QString byteCount(Index bytes);
/// "[2, 1]", "[]".
QString coordText(const Dims& coord);

} // namespace stridescope
