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

} // namespace stridescope
