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
constexpr qreal kCardWidth = 42, kBetween = 22, kSides = 40, kAbove = 150, kBelow = 230;
constexpr qreal kAir = 10;

/// `wanted` as far as there is room for it, else its beginning; the left over room is shared.
qreal startOf(qreal from, qreal to, qreal room) {
    return to - from <= room ? (from + to - room) / 2 : from - kAir;
}

/// Where the camera stands for it. Of what is too high the lower end counts: cells stand under their heads.
QPointF cornerFor(const QRectF& wanted, QSizeF room) {
    const bool tooHigh = wanted.height() > room.height();
    return {startOf(wanted.left(), wanted.right(), room.width()),
            tooHigh ? wanted.bottom() + kAir - room.height() : startOf(wanted.top(), wanted.bottom(), room.height())};
}

/// The cards from `first` on, in the direction of `step`, as many as there is room for.
QRectF cardsFrom(const Picture& p, std::size_t first, int step, std::size_t count, qreal room) {
    QRectF wanted = p.places.cards[first];
    for (std::size_t i = 1; i < count; ++i) {
        const auto at = static_cast<std::ptrdiff_t>(first) + step * static_cast<std::ptrdiff_t>(i);
        const QRectF more = wanted | p.places.cards[static_cast<std::size_t>(at)];
        if (more.width() > room - 2 * kAir) break;
        wanted = more;
    }
    return wanted;
}

/// The sizes, and beside them as many operands as there is room for.
QPointF comparing(const Picture& p, QSizeF room) {
    QRectF wanted = p.places.table;
    for (std::size_t i = 0; i < p.model.operands.size() && !p.look.veiled; ++i) {
        const QRectF more = wanted | p.places.cards[i];
        if (more.width() > room.width() || more.height() > room.height()) break;
        wanted = more;
    }
    return cornerFor(wanted, room);
}

/// The operands, which stretch.
QPointF stretching(const Picture& p, QSizeF room) {
    return cornerFor(cardsFrom(p, 0, 1, p.places.cards.size(), room.width()), room);
}

/// The result with what is computed now, and as many operands as there is room for, those nearest to it.
QPointF computing(const Picture& p, QSizeF room) {
    const QRectF& card = p.places.cards.back();
    QRectF wanted = cardsFrom(p, p.places.cards.size() - 1, -1, p.places.cards.size(), room.width());
    // The cell that comes now, and the sum under the card.
    if (const auto element = p.shown()) {
        if (const auto cell = cellRect(p, card, p.model.coordOf(*element))) {
            if (wanted.width() > room.width())
                return {cell->center().x() - room.width() / 2, cell->center().y() - room.height() / 2};
            wanted.setTop(std::max(wanted.top(), cell->top() - 40));
            wanted.setBottom(cell->bottom());
        }
    }
    const QRectF& now = p.places.now;
    if (now.bottom() - wanted.top() <= room.height()) wanted |= QRectF(wanted.left(), now.top(), 1, now.height());
    return cornerFor(wanted, room);
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
        kLeastTable + kSides + cards * (kCardWidth + cells(1) * cells(4) * kCellWidth) + (cards - 1) * kBetween;
    return {width, kAbove + kBelow + cells(2) * cells(3) * kCellHeight};
}

QPointF broadcastCamera(const BroadcastModel& model, const BroadcastLook& look, QSizeF room) {
    const BroadcastTimeline timeline(model);
    const Picture p = pictureFor(model, timeline, look);
    if (look.veiled) return comparing(p, room);
    const auto& ends = timeline.stageEnds();
    const auto between = [](QPointF from, QPointF to, qreal u) {
        return from + (to - from) * easedInOut(std::clamp(u, 0.0, 1.0));
    };
    // At first the operands, then their sizes.
    if (p.frame.stretch <= 0 && p.frame.computed == 0)
        return between(stretching(p, room), comparing(p, room), 2 * look.t / ends[0]);
    if (!model.ok()) return cornerFor(p.places.side, room);
    if (p.frame.computed == 0) return between(comparing(p, room), stretching(p, room), 3 * p.frame.stretch);
    return computing(p, room);
}

} // namespace stridescope
