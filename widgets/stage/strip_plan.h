#pragma once
// Strips of the stage before they have a place on it. Only stage_layout.cpp puts them there.

#include "widgets/stage/stage_layout.h"

namespace stridescope {

/// The strip of the storage of `entry`, wrapped as the view of `wrapBy` asks for it; `large`: that of the selected one.
StripPlan stripFor(const ExploreState& state, const TensorEntry& entry, const TensorEntry& wrapBy, bool large);
void applyScroll(const ExploreState& state, StripPlan& strip);
/// Moves the strip so far that the first cells beyond its end are in sight, whatever it is scrolled to.
void showOutside(StripPlan& strip);

} // namespace stridescope
