#pragma once
// Zoom: what the commands of the View menu ask of whatever is on screen.

#include <QtGlobal>

namespace stridescope {

enum class Zoom : quint8 {
    In,
    Out,
    Actual, ///< the usual size
    Whole,  ///< as much smaller as needed for everything to be in sight
};

/// One step of the wheel, of the keys and of the commands.
inline constexpr qreal kZoomStep = 1.25;

} // namespace stridescope
