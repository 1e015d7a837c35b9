#pragma once
// The tensors before and after an operation as a block figure for slides.

#include "core/result.h"
#include "widgets/motion/motion_input.h"
#include "widgets/scene/scene.h"

namespace stridescope {

/// `element` of the first result gets a ring, and so do those that it comes from; without one the first row, wherever a
/// view has it. Refused as blocksFigureScene() does, and (FIG-02) where elements are not known.
Result<Scene> motionBlocks(const MotionInput& input, qreal maxWidth, const std::optional<Dims>& element = {});

} // namespace stridescope
