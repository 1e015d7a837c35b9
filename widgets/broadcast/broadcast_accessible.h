#pragma once
// The picture of a broadcast for screen readers: the caption, the sizes and verdicts in words, each card as a table of
// cells, and the mends as buttons. All of it is what the picture shows at that moment.

#include "widgets/broadcast/broadcast_scene.h"

#include <QString>

#include <vector>

namespace stridescope {

/// One thing that is told.
struct BroadcastTold {
    enum class Kind : quint8 { Text, Card, Mend } kind = Kind::Text;
    QString name;
    QRectF rect;   ///< in the picture; empty: the whole of it
    int index = 0; ///< Card: operands first, then the result; Mend: which
    friend bool operator==(const BroadcastTold&, const BroadcastTold&) = default;
};

/// The caption, the operands, the cards, and then what comes with time: so a card keeps its place while time goes on.
std::vector<BroadcastTold> broadcastTold(const BroadcastModel& model, const BroadcastLook& look);
QString broadcastCaption(const BroadcastModel& model, const BroadcastLook& look);

/// The cells of a card as a table: its columns are the last dim, its rows all other indices in order.
struct BroadcastCells {
    std::size_t card = 0;
    Dims shape; ///< of what the card shows now
    Index rows() const;
    Index columns() const;
    Dims coord(Index row, Index column) const;
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
