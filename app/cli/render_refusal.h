#pragma once
// `stridescope render`, where a line was refused: the picture that the window shows of that.

#include "app/cli/command_line.h"
#include "app/workspace/refused_picture.h"
#include "widgets/scene/animation.h"

namespace stridescope {

/// The picture of `line`, if it has one: it was refused in `workspace`, or by Python after it had made what is there.
std::optional<RefusedPicture> drawnRefusal(const Workspace& workspace, const QString& line, const RunOutcome& outcome);
/// In the size that was asked for, else `width` wide and as high as it needs.
Scene refusedScene(const RefusedPicture& picture, const RenderRequest& request, qreal width);
/// The tensors as they are, one after the other, and last what was refused of them.
Animation refusedAnimation(const RefusedPicture& picture, const RenderRequest& request, qreal width);

} // namespace stridescope
