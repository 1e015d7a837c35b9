#pragma once
// Numbers in cells that are smaller than those which always carry them (zoom_levels.h): where every one is whole in the
// smallest letters.

#include <QtGlobal>

namespace stridescope {

inline constexpr qreal kSmallNumberWidth = 20, kSmallNumberHeight = 17;
/// How wide a cell must be for that many letters.
inline constexpr qreal smallNumberWidth(std::size_t letters) {
    constexpr qreal kAdvance = 5.42, kSides = 3; // of a digit 9 px high
    return kAdvance * static_cast<qreal>(letters) + kSides;
}

} // namespace stridescope
