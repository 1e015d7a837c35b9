#include "widgets/stage/stage_frame.h"

#include "widgets/scene/cell_values.h"
#include "widgets/stage/strip_plan.h"

#include <algorithm>

namespace stridescope {

StageFrame frameOf(const ExploreState& state, qreal top) {
    constexpr qreal kBarHeight = 34;
    StageFrame frame;
    frame.visible = state.visible();
    if (frame.visible.empty()) return frame;
    frame.selected = state.snapshot->tensor(state.selection.tensor);
    if (!frame.selected || !frame.selected->tensor.defined()) frame.selected = frame.visible.front();
    frame.cardArea = QRectF(kStageMargin, top, state.viewport.width() - 2 * kStageMargin, 0);
    frame.strip = stripFor(state, *frame.selected, *frame.selected, true);
    frame.barHeight = state.options.heat || frame.strip.layout.cellWidth < kNumberWidth ? kBarHeight : 0;
    return frame;
}

void scrollCards(StagePlan& plan, const ExploreState& state, TensorId selected) {
    const QRectF& area = plan.cardArea;
    qreal scroll = std::clamp(state.cardScroll, 0.0, std::max(0.0, plan.cardsWidth - area.width()));
    if (const CardLayout* card = plan.card(selected); card && !state.cardsByHand) {
        const qreal left = card->pos.x() - area.left();
        scroll = std::min(std::max(scroll, left + card->size.width() - area.width()), left);
    }
    plan.cardScroll = scroll;
    for (CardLayout& card : plan.cards) card.pos.rx() -= scroll;
    // In the margins, where no card stands that is in sight as a whole.
    const QRectF column(0, area.top() - 4, kStageMargin - 2, area.height() + 8);
    if (scroll > 1) plan.moreLeft = column;
    if (plan.cardsWidth - scroll > area.width() + 1)
        plan.moreRight = column.translated(state.viewport.width() - column.width(), 0);
}

void placeColourBar(StagePlan& plan, const ExploreState& state, const StageFrame& frame) {
    if (frame.barHeight <= 0) return;
    plan.odd = oddValues(plan.strip->source, &state.odd);
    const QSizeF stage = state.viewport;
    const qreal width = std::min(colourBarWidth(plan.odd, 260), stage.width() - 2 * kStageMargin);
    plan.colourBar = QRectF(stage.width() - kStageMargin - width, stage.height() - frame.barHeight, width, 12);
}

} // namespace stridescope
