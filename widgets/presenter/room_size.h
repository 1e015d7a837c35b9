#pragma once
// How large a class's letters are: by how far away the last row sits, not by pixels.

#include "widgets/theme/theme.h"

namespace stridescope {

enum class RoomSize : quint8 { Small, Lecture, Hall };

/// Height of a capital letter as a share of the picture's height: 2, 3, 4 %. Readable from about 4, 6 and 8 picture
/// heights away.
qreal capShare(RoomSize room);

/// Pixels for each pixel of a scene, so that the smallest letters of the presenter's theme have capShare(room) of
/// `height` pixels.
qreal presenterScale(RoomSize room, qreal height);

/// The theme's font in `scale` times its size, rounded up.
QFont presenterFont(const Theme& theme, FontRole role, qreal scale);

} // namespace stridescope
