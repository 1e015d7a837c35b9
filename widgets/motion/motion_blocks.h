#pragma once
// The tensors before and after an operation as a block figure for slides.

#include "core/result.h"
#include "widgets/motion/motion_input.h"
#include "widgets/scene/scene.h"

namespace stridescope {

/// Refused as blocksFigureScene() does, and (FIG-02) where elements are not known.
Result<Scene> motionBlocks(const MotionInput& input, qreal maxWidth);

} // namespace stridescope
