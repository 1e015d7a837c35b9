// A card whose three dims are drawn as a block.

#include "widgets/card/card_body_parts.h"

#include <algorithm>

namespace stridescope::card {

std::optional<qreal> layoutBlocks(CardLayout& card, QPointF at, qreal& width) {
    BlockInput block = blockInputOf(card);
    // Below it the card's own rim.
    const QSizeF limit = maxSize(card.input);
    block.room = QSizeF(limit.width() - at.x() - kPadding, std::max(1.0, limit.height() - at.y() - 10));
    BlockLayout layout = layoutBlock(block);
    if (!blockFits(block, layout)) return std::nullopt;
    card.block = layout;
    const QMarginsF room = blockMargins(block, *card.block);
    const QRectF bounds = card.block->bounds();
    card.block->origin += at + QPointF(room.left(), room.top()) - bounds.topLeft();
    const QRectF placed = card.block->bounds();
    width = std::max(width, placed.right() + room.right() + kPadding);
    card.rowDim = 1;
    card.colDim = 2;
    return placed.bottom() + room.bottom();
}

BlockInput blockInputOf(const CardLayout& card) {
    BlockInput block;
    block.source = card.input.entry->tensor;
    block.view = card.view;
    if (card.input.parent && card.input.entry->origin == Origin::View && card.input.parent->tensor.dim() == 3 &&
        fitsBlocks(card.input.parent->tensor.view())) {
        block.parent = card.input.parent->tensor.view();
    }
    block.tensor = card.input.entry->id;
    block.colour = card.input.entry->colour;
    block.text = card.input.text == CellText::Both ? CellText::Value : card.input.text;
    block.rings = card.rings;
    block.ticks = true;
    for (const QString& name : card.input.dimNames) block.names.push_back(name);
    return block;
}

} // namespace stridescope::card
