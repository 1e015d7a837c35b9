#pragma once
// `stridescope render`, where a line was refused: the picture that the window shows of that.

#include "app/cli/command_line.h"
#include "app/workspace/workspace.h"
#include "widgets/scene/scene.h"

namespace stridescope {

/// A line that was refused, and has a picture.
struct RefusedLook {
    QString line;
    RunOutcome outcome;
};

/// Whether there is one of `line`, which was refused in `workspace`, or by Python after it had made what is there.
std::optional<RefusedLook> refusedLook(const Workspace& workspace, const QString& line, const Refusal& refusal);
/// In the size that was asked for, else `width` wide and as high as it needs.
Scene refusedScene(const Workspace& workspace, const RefusedLook& look, const RenderRequest& request, qreal width);
/// Told where something that moves was asked for.
Refusal refusedStandsStill(const RefusedLook& look);

} // namespace stridescope
