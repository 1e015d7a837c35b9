#pragma once
// What the plan of the stage and that of a stage that is presented have in common: how they begin, and the ends of a
// row of cards and of the stage.

#include "widgets/stage/stage_layout.h"

namespace stridescope {

/// Where a plan begins: nothing is selected on a stage without cards.
struct StageFrame {
    std::vector<const TensorEntry*> visible;
    const TensorEntry* selected = nullptr; ///< with a card: the selected tensor, else the first one
    QRectF cardArea;                       ///< without a height yet
    StripPlan strip;                       ///< of the selected tensor, not placed yet
    qreal barHeight = 0;                   ///< of the colour bar; 0: no colours
};
/// `top`: of the cards.
StageFrame frameOf(const ExploreState& state, qreal top);

/// Scrolls the row of cards, which begins at the left of its area, with the selected card in sight, and places the
/// buttons at its ends.
void scrollCards(StagePlan& plan, const ExploreState& state, TensorId selected);

/// The legend of colours at the foot of the stage; the strip has its place.
void placeColourBar(StagePlan& plan, const ExploreState& state, const StageFrame& frame);

} // namespace stridescope
