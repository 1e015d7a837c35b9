#pragma once
// The picture of a broadcast at a moment: a pure function of the model and t.

#include "widgets/broadcast/broadcast_timeline.h"
#include "widgets/scene/scene.h"

namespace stridescope {

struct BroadcastLook {
    QSizeF size{1600, 745};
    qreal t = 1;
    std::optional<Index> picked{}; ///< element of the result that was clicked, or that the pointer is over
    bool preview = false;          ///< what a mend would give
    bool paper = false;            ///< taken away as a picture: nothing that only the mouse can use
    bool veiled = false;           ///< nothing tells whether the sizes fit, nor what comes out
    Index down = 0, right = 0;     ///< cells that were scrolled by, where a part of them is seen
};

/// Parts: CardCells (the coord of a hit is that of the result's element), Button i (mend i).
Scene broadcastScene(const BroadcastModel& model, const BroadcastLook& look);

/// The size from which on every cell of the cards has its number, for shapes that a class sees at all.
QSizeF broadcastNeeds(const BroadcastModel& model);
/// The upper left corner of the part of the picture to look at when only `room` of it is in sight: the table while
/// sizes are compared, then the cards that change.
QPointF broadcastCamera(const BroadcastModel& model, const BroadcastLook& look, QSizeF room);

/// The card at a point of the picture: its operand's number, or how many there are for the result.
std::optional<std::size_t> broadcastCardAt(const BroadcastModel& model, const BroadcastLook& look, QPointF at);
/// The look with as many cells more scrolled by as there are; the same where all of them are seen.
BroadcastLook broadcastScrolled(const BroadcastModel& model, BroadcastLook look, Index down, Index right);

/// A place on one of the cards, which has a cell there or would have one when it is stretched.
struct BroadcastPlace {
    std::size_t card = 0; ///< operands first, then the result
    Dims coord;           ///< in the dims of the result
};
std::optional<BroadcastPlace> broadcastPlaceAt(const BroadcastModel& model, const BroadcastLook& look, QPointF at);
/// The element of the result whose cell is at `at` on one of the cards, drawn or not; nothing beside the cells.
std::optional<Index> broadcastElementAt(const BroadcastModel& model, const BroadcastLook& look, QPointF at);

} // namespace stridescope
