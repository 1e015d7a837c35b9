#pragma once
// What is told of names that are gone while their storages stay.

#include "app/workspace/workspace_state.h"

#include <QStringList>

namespace stridescope {

/// Of each name that `before` had and `after` has not, while other tensors lie on its storage: the memory is not free.
QStringList keptNotes(const WorkspaceState& before, const WorkspaceState& after);

} // namespace stridescope
