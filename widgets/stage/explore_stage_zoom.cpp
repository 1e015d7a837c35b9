// Sizes of the strip's cells: by wheel, keys and commands, with a cell kept in its place.

#include "widgets/scene/zoom_levels.h"
#include "widgets/stage/explore_stage_p.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stridescope {

void ExploreStage::setCellSize(qreal size) {
    d->setCellSize(clampedCellSize(m_state, size));
}

void ExploreStage::zoom(Zoom step) {
    if (!d->plan.strip) return;
    switch (step) {
    case Zoom::In:
        d->zoomBy(kZoomStep);
        break;
    case Zoom::Out:
        d->zoomBy(1 / kZoomStep);
        break;
    case Zoom::Actual:
        d->setCellSize(0);
        break;
    case Zoom::Whole:
        d->setCellSize(wholeCellSize(m_state));
        break;
    }
}

void ExploreStage::Private::setCellSize(qreal size, std::optional<QPointF> anchor) {
    if (!plan.strip) {
        changeOptions([size](StageOptions& options) { options.cellSize = size; });
        return;
    }
    if (size == q->m_state.options.cellSize) return;
    // Where rows are filled the cell cannot stay under the pointer; zooming on at the same place is still about it.
    const quint64 storage = plan.strip->storageId;
    const StripLayout& layout = plan.strip->layout;
    const std::optional<Pick> pick = q->m_state.selection.pick;
    QPointF at = anchor.value_or(layout.area.center());
    const bool goesOn = zoomed && (at - zoomed->at).manhattanLength() <= 2 && zoomed->storageId == storage &&
                        zoomed->pick == pick && q->m_state.scroll.value(storage) == zoomed->scroll;
    Index slot = goesOn ? zoomed->slot : slotToKeep(*plan.strip, at);
    // Nearer without a pointer is nearer to the cell that was picked since, if that is in sight.
    const bool nearer = size == 0 || size > layout.cellWidth;
    if (nearer && !goesOn && !anchor && pick && pick->storageId == storage) {
        if (const QPointF place = layout.cellRect(pick->slot).center(); layout.area.contains(place)) {
            slot = pick->slot;
            at = place;
        }
    }
    const StripScroll scroll = zoomedAt(q->m_state, size, at, slot);
    q->m_state.options.cellSize = size;
    q->m_state.scroll.insert(storage, scroll);
    endEdit();
    refresh(); // cards mostly stay as they are
    // The middle is another point now: rows that came or went moved it.
    zoomed = ZoomedCell{storage, slot, anchor.value_or(plan.strip->layout.area.center()), scroll, pick};
    Q_EMIT q->optionsChanged();
}

bool ExploreStage::Private::takeCellSize() {
    const TensorEntry* selected = entry(q->m_state.selection.tensor);
    if (!plan.strip || !selected || !selected->tensor.defined()) return false;
    const quint64 before = plan.strip->storageId, now = selected->tensor.storage()->id();
    if (before == now) return false;
    qreal& size = q->m_state.options.cellSize;
    cellSizes.insert(before, size);
    const qreal own = clampedCellSize(q->m_state, cellSizes.value(now, 0));
    return std::exchange(size, own) != own;
}

void ExploreStage::Private::zoomBy(qreal factor, std::optional<QPointF> anchor) {
    if (!plan.strip) return;
    const qreal now = plan.strip->layout.cellWidth;
    const qreal from = zoomHeld > 0 && std::abs(zoomHeld - now) < 1e-6 ? zoomAsked : now;
    qreal asked = std::min(from * factor, kMaxCellSize);
    if (asked < kMinCellSize) asked = std::max(asked, std::min(now, leastCellSize(q->m_state)));
    qreal size = asked;
    for (const qreal level : {kHeatWidth, kNumberWidth, kAddressWidth}) {
        if (now < level && asked >= level && asked < level * kZoomStep) size = std::min(size, level - 0.01);
    }
    setCellSize(size, anchor);
    zoomAsked = asked;
    zoomHeld = size < asked ? size : 0;
}

} // namespace stridescope
