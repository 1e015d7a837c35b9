#pragma once
// The picture of a broadcast for screen readers: the caption, the sizes and verdicts in words, each card as a table of
// cells, and the mends as buttons. All of it is what the picture shows at that moment.

#include "widgets/broadcast/broadcast_scene.h"
#include "widgets/shared/cells_table.h"
#include "widgets/shared/picture_accessible.h"

#include <QString>

#include <vector>

namespace stridescope {

/// The caption, the operands, the cards, and then what comes with time: so a card keeps its place while time goes on.
/// Rectangles are the picture's; a table's index is its card, operands first, a button's its mend, which has none.
std::vector<PicturePart> broadcastTold(const BroadcastModel& model, const BroadcastLook& look);
QString broadcastCaption(const BroadcastModel& model, const BroadcastLook& look);

/// The cells of a card, of the shape that it shows now.
struct BroadcastCells : CellsTable {
    std::size_t card = 0;
};
BroadcastCells broadcastCells(const BroadcastModel& model, const BroadcastLook& look, std::size_t card);
/// "A[2, 3], value 3.0, storage #1 index 2"; of the result "C[2, 3], 3.0 + 5.0 = 8.0" or "C[2, 3], not computed yet".
QString broadcastCellName(const BroadcastModel& model, const BroadcastLook& look, const BroadcastCells& cells,
                          const Dims& coord);
QRectF broadcastCellRect(const BroadcastModel& model, const BroadcastLook& look, const BroadcastCells& cells,
                         const Dims& coord);

/// Registers the factory for BroadcastView.
void installBroadcastAccessibility();

} // namespace stridescope
