#pragma once
// What of a pick is in sight: a cell is named through a tensor that is on stage.

#include "widgets/model/snapshot.h"

#include <optional>

namespace stridescope {

/// The coord through which `entry` shows the picked storage cell: the picked one itself, else the first in visiting
/// order; nothing when the tensor does not reach it or there is no pick.
std::optional<Dims> linkedCoord(const TensorEntry& entry, const std::optional<Pick>& pick);

/// The shown pick as it is seen. Of a tensor that was hidden since, and of one made on the strip, it is the same cell
/// through the selected tensor if that reaches it, else through another one on stage, or of the storage alone. Nothing
/// where no tensor of its storage is on stage or selected, or there is no pick.
std::optional<Pick> seenPick(const WorkspaceSnapshot& snapshot, const Selection& selection);

} // namespace stridescope
