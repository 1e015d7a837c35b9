#pragma once
// Figures of one operation, without a window: as motion, and as blocks.

#include "app/cli/command_line.h"
#include "app/workspace/workspace.h"
#include "widgets/motion/motion_scene.h"

namespace stridescope {

/// The operation that `request` is about: the last one of its line, else the last of the history. The line is carried
/// out in `workspace`; a write to elements that share cells may be refused.
/// What else is refused of it stands in `refused`, too.
Result<MotionInput> operationFor(Workspace& workspace, const RenderRequest& request, RunOutcome& refused);
/// The motion in the size that was asked for.
Animation operationAnimation(MotionInput input, const RenderRequest& request);
/// A tensor's card alone.
Scene gridFigure(const TensorEntry& entry, const WorkspaceModel& model, const RenderRequest& request);

} // namespace stridescope
