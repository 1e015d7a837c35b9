// Which part of the picture is looked at when a class's letters leave no room for all of it.

#include "widgets/broadcast/broadcast_parts.h"

#include <algorithm>

namespace stridescope {

namespace {

using namespace broadcast;

/// Cells with numbers of Theme::kPresenterPixels.
constexpr qreal kCellWidth = 36, kCellHeight = 28;
/// More cells than these in a row or a column are looked at in parts by nobody.
constexpr Index kMostCells = 10;
/// Beside the cells of a card, and beside, above and under the cards.
constexpr qreal kCardWidth = 44, kBetween = 26, kTable = 300, kSides = 48, kAbove = 150, kBelow = 230;
constexpr qreal kAir = 10;

/// `wanted` as far as there is room for it, else its beginning; the left over room is shared.
qreal startOf(qreal from, qreal to, qreal room) {
    return to - from <= room ? (from + to - room) / 2 : from - kAir;
}

} // namespace

QSizeF broadcastNeeds(const BroadcastModel& model) {
    Dims shape = model.shape;
    for (const BroadcastOperand& operand : model.operands) {
        for (std::size_t d = 0; d < std::min(shape.size(), operand.aligned.shape.size()); ++d)
            shape[d] = std::max(shape[d], operand.aligned.shape[d]);
    }
    const std::size_t rank = shape.size();
    const auto cells = [&](std::size_t fromRight) {
        return rank >= fromRight ? static_cast<qreal>(std::clamp<Index>(shape[rank - fromRight], 1, kMostCells)) : 1.0;
    };
    const qreal cards = static_cast<qreal>(model.operands.size() + 1);
    const qreal width =
        kTable + kSides + cards * (kCardWidth + cells(1) * cells(4) * kCellWidth) + (cards - 1) * kBetween;
    return {width, kAbove + kBelow + cells(2) * cells(3) * kCellHeight};
}

QPointF broadcastCamera(const BroadcastModel& model, const BroadcastLook& look, QSizeF room) {
    const BroadcastTimeline timeline(model);
    const Picture p = pictureFor(model, timeline, look);
    QRectF wanted;
    const bool comparing = p.frame.stretch <= 0 && p.frame.computed == 0;
    if (comparing || look.veiled) {
        wanted = p.places.table;
    } else if (!model.ok()) {
        wanted = p.places.side;
    } else {
        for (const QRectF& card : p.places.cards) wanted |= card;
        // All of them, else those that change: operands that stretch, then the result with what is computed now.
        if (wanted.width() > room.width()) {
            const bool computing = p.frame.computed > 0;
            wanted = computing ? p.places.cards.back() : p.places.cards.front();
            const std::size_t last = p.places.cards.size() - 1;
            // As many neighbours as there is room for, those nearest to what changes.
            for (std::size_t i = 1; i <= last; ++i) {
                const QRectF more = wanted | p.places.cards[computing ? last - i : i];
                if (more.width() > room.width() - 2 * kAir) break;
                wanted = more;
            }
        }
        if (p.frame.computed > 0) {
            // The cell that comes now, and the sum under the card.
            QRectF now = p.places.now;
            if (const auto element = p.shown()) {
                const QRectF& card = p.places.cards.back();
                if (const auto cell = cellRect(p, card, model.coordOf(*element)))
                    wanted = QRectF(QPointF(wanted.left(), std::max(wanted.top(), cell->top() - 40)),
                                    QPointF(wanted.right(), cell->bottom()));
                if (wanted.width() > room.width()) {
                    if (const auto cell = cellRect(p, card, model.coordOf(*element)))
                        return {cell->center().x() - room.width() / 2, cell->center().y() - room.height() / 2};
                }
            }
            if (now.bottom() - wanted.top() <= room.height())
                wanted |= QRectF(wanted.left(), now.top(), 1, now.height());
        }
    }
    // Of what is too high the lower end counts: cells and verdicts stand under their heads.
    const bool tooHigh = wanted.height() > room.height();
    return {startOf(wanted.left(), wanted.right(), room.width()),
            tooHigh ? wanted.bottom() + kAir - room.height() : startOf(wanted.top(), wanted.bottom(), room.height())};
}

} // namespace stridescope
