#pragma once
// What the explaining figure of a refused line needs to know.

#include "app/workspace/workspace.h"
#include "widgets/figures/refusal_figure.h"

namespace stridescope {

/// What has a picture of its own: layouts, indices and sizes. Types, names and memory are words.
bool isDrawnAtOnce(const Refusal& refusal);
/// That, or another refusal of a tensor of the snapshot that has ways out.
bool hasPicture(const WorkspaceSnapshot& snapshot, const QString& line, const RunOutcome& outcome);

/// What `line` was refused for by Python, as the workspace would have told it: with the tensor that was asked. It has
/// no refusal where the workspace would carry it out, or refuse it for something else.
RunOutcome refusedAgain(const Workspace& workspace, const QString& line, const Refusal& refusal);

/// The figure's input for `outcome` of `line`, drawn for `width` × `height` pixels (0: as high as it likes). The
/// entries point into `snapshot`. Precondition: outcome.refusal, and outcome.source names a tensor of the snapshot.
RefusalFigureInput refusalInput(const WorkspaceSnapshot& snapshot, const QString& line, const RunOutcome& outcome,
                                qreal width, qreal height = 0);

/// The name that a line gives its value to: "C" for "C = A.t()"; empty if it gives none, or several.
QString assignedName(const QString& line);

/// The expression whose method a line calls last, where it is no plain name: "x.t()" for "y = x.t().view(6)", else
/// empty. What was refused then is a tensor that has no entry.
QString unnamedReceiver(const QString& line);

/// What was refused of a tensor that no name leads to, as "torch.arange(12).view(3, 4).t().view(12)" does: the tensor
/// is made again, by its own code as its name, in a snapshot that holds it alone. Absent where it depends on names, is
/// of more than a million elements on the way, or has no picture.
struct RefusedUnnamed {
    SnapshotPtr snapshot;
    RunOutcome outcome;
};
std::optional<RefusedUnnamed> refusedUnnamed(const WorkspaceSnapshot& beside, const QString& line,
                                             const RunOutcome& outcome);

} // namespace stridescope
