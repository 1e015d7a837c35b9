#pragma once
// How much of a stage for a class has room, for a page that shares its height between the stage and words.

#include "widgets/stage/explore_state.h"

namespace stridescope {

/// Whole: all that belongs to a stage for a class. Low: of the dims the numbers alone, and the strip has one line of
/// name and formula. Least: cards and strip without that line. None: not even these have room.
enum class PresentedForm : quint8 { Whole, Low, Least, None };

/// The form in which `state` is planned for its viewport, where a picked cell is in sight.
PresentedForm presentedForm(const ExploreState& state);

} // namespace stridescope
