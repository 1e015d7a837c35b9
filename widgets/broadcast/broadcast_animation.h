#pragma once
// A broadcast from its shapes to its last element, for files that move.

#include "widgets/broadcast/broadcast_scene.h"
#include "widgets/scene/animation.h"

#include <memory>

namespace stridescope {

/// Frames of `look` with t as they ask for; they rest where a stage ends.
Animation broadcastAnimation(std::shared_ptr<const BroadcastModel> model, const BroadcastLook& look);

} // namespace stridescope
