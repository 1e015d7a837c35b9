// What ExploreStage does where a class looks at it.

#include "widgets/scene/reach_marks.h"
#include "widgets/scene/zoom_levels.h"
#include "widgets/stage/explore_stage_p.h"

namespace stridescope {

void ExploreStage::setScale(qreal scale) {
    if (scale == m_scale || !(scale > 0)) return;
    m_scale = scale;
    d->endEdit();
    d->cancelDrag();
    d->refresh(true);
    d->keepPickInSight();
}

QPainterPath ExploreStage::selectedArea() const {
    QPainterPath path;
    const TensorEntry* selected = d->entry(m_state.selection.tensor);
    if (!selected || !selected->tensor.defined()) return path;
    path.setFillRule(Qt::WindingFill);
    constexpr qreal kRound = 4;
    const auto add = [&](const QRectF& r) { path.addRect(r.adjusted(-kRound, -kRound, kRound, kRound)); };
    if (const CardLayout* card = d->plan.card(selected->id)) add(card->frame());
    if (const std::optional<StripPlan>& strip = d->plan.strip;
        strip && strip->storageId == selected->tensor.storage()->id()) {
        // With the indices below, and the line that says what they add up to.
        const StripLayout& layout = strip->layout;
        const SlotRange rows = layout.visibleRows({});
        for (Index row = rows.first; row < rows.last; ++row) {
            const SlotRange slots = layout.visibleCells(row, {});
            if (slots.last - slots.first > kNumberedCells) {
                add(layout.area); // no single cells are told apart
                break;
            }
            const ReachMarks marks = ReachQuery(selected->tensor.view()).mark(slots);
            for (Index slot = slots.first; slot < slots.last; ++slot) {
                if (!marks.reached(slot)) continue;
                path.addRect(layout.cellRect(slot).adjusted(0, -kRound, 0, strip->indexBelow));
            }
        }
        if (m_state.options.presented) path.addRect(strip->handle.adjusted(0, 0, m_state.viewport.width(), 60));
    }
    return QTransform::fromScale(m_scale, m_scale).map(path);
}

void ExploreStage::Private::keepPickInSight() {
    // A class sees few cells, and must not lose the one that is talked about.
    const std::optional<Pick> pick = q->m_state.selection.pick;
    if (!q->m_state.options.presented || !pick || !plan.strip) return;
    showCell(*pick);
    refresh(true);
}

} // namespace stridescope
