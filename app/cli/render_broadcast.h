#pragma once
// `stridescope render --figure broadcast`: which line it is about, and how it is looked at.

#include "app/cli/command_line.h"
#include "app/workspace/workspace.h"
#include "widgets/broadcast/broadcast_animation.h"

namespace stridescope {

/// Of a Python script that was run.
struct ScriptText {
    QString text, failedCode; ///< the line of it that failed; empty for none
};

/// The line that was asked for; of a script the one that failed, else the last that computes element by element and
/// still can.
Result<BroadcastModel> broadcastOf(const Workspace& workspace, const ScriptText& script, const RenderRequest& request);
/// Refused (ELEM-02) is a pick outside the result.
Result<BroadcastLook> broadcastLook(const BroadcastModel& model, const RenderRequest& request);

} // namespace stridescope
