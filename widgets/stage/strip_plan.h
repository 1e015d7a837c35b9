#pragma once
// Strips of the stage before they have a place on it. Only stage_layout.cpp puts them there.

#include "widgets/stage/stage_layout.h"

namespace stridescope {

/// The strip of the storage of `entry`, wrapped as the view of `wrapBy` asks for it; `large`: that of the selected one.
StripPlan stripFor(const ExploreState& state, const TensorEntry& entry, const TensorEntry& wrapBy, bool large);
void applyScroll(const ExploreState& state, StripPlan& strip);
/// Moves the strip so far that the first cells beyond its end are in sight, whatever it is scrolled to.
void showOutside(StripPlan& strip);
/// Of a storage that is not in sight as a whole, though one row or a few of numbers would show all of it: the widths of
/// cells with which they would, the widest first. Values are shortened there. Empty for large storages, and where the
/// size of cells or their number in a row was asked for.
std::vector<qreal> narrowerCells(const ExploreState& state, const StripPlan& strip);

} // namespace stridescope
