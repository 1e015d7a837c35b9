#pragma once
// From which size on a cell shows what: colour, then numbers, then numbers with index and address.

#include "core/index.h"

#include <QtGlobal>

namespace stridescope {

/// Cells at least this big carry numbers.
inline constexpr qreal kNumberWidth = 34, kNumberHeight = 22;
/// Narrower cells are colour only, without lines between them.
inline constexpr qreal kHeatWidth = 6;
/// From here on cells show index and address too.
inline constexpr qreal kAddressWidth = 90;
/// More cells than this in sight are one image.
inline constexpr Index kNumberedCells = 4096;

} // namespace stridescope
