#pragma once
// The Explore picture: cards above, the storage strips that they are views of below, and what ties them together.

#include "widgets/stage/stage_layout.h"

namespace stridescope {

/// The whole picture for `state`. Pure: the same state and t give the same scene. `t` in [0, 1] is the progress of the
/// change that led to `state`: the card of `state.fresh` rises into its place and its offset flag slides from its
/// parent's offset to its own; numbers are right at every t. 1 is the exact end state.
Scene exploreScene(const ExploreState& state, qreal t = 1);
/// The same when the plan of `state` is at hand.
Scene exploreScene(const ExploreState& state, StagePlan plan, qreal t);

/// The state as it is taken away: without switches and, if it may `widen`, on a stage with room for every card, so that
/// the picture does not depend on what happens to be scrolled into sight.
ExploreState onPaper(ExploreState state, bool widen = true);

} // namespace stridescope
