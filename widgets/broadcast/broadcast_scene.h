#pragma once
// The picture of a broadcast at a moment: a pure function of the model and t.

#include "widgets/broadcast/broadcast_timeline.h"
#include "widgets/scene/scene.h"

namespace stridescope {

struct BroadcastLook {
    QSizeF size{1600, 745};
    qreal t = 1;
    std::optional<Index> picked; ///< element of the result that was clicked, or that the pointer is over
    bool preview = false;        ///< what a mend would give
};

/// Parts: CardCells (the coord of a hit is that of the result's element), Button i (mend i).
Scene broadcastScene(const BroadcastModel& model, const BroadcastLook& look);

/// The element of the result whose cell is at `at` on one of the cards, drawn or not; nothing beside the cells.
std::optional<Index> broadcastElementAt(const BroadcastModel& model, const BroadcastLook& look, QPointF at);

} // namespace stridescope
