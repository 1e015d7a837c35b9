#pragma once
// A line of the history whose operations were not kept, carried out once more on copies: so that it can be played.

#include "core/session/session.h"
#include "widgets/motion/motion_input.h"

namespace stridescope {

/// What `line` does to what there is now. Nothing of `now` is changed or written to, and no random number is used up.
/// Refused are lines that only Python reads, that name what is gone, and that move very much.
MotionAgain motionAgain(const Session& now, const QString& line);

} // namespace stridescope
