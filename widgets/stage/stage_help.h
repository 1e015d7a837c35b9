#pragma once
// What F1 says on the stage.

#include "widgets/model/snapshot.h"

#include <QString>

namespace stridescope {

/// What the stage is, what is picked and how its storage index comes about, and which keys act on it. Plain text.
QString stageHelp(const WorkspaceSnapshot& snapshot, const Selection& selection);

} // namespace stridescope
