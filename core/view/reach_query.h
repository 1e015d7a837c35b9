#pragma once
// Questions about what views reach, answered by arithmetic so that they cost the same for 20 and for 10^9 elements.

#include "core/view/view.h"

#include <optional>

namespace stridescope {

/// How many different slots the view reaches; nothing when that cannot be decided in bounded work.
std::optional<Index> distinctSlots(const View& view);

/// False when no two coords can share a slot, told from the strides alone; true is only a "perhaps".
bool maySelfOverlap(const View& view);

} // namespace stridescope
