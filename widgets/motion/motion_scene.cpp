#include "widgets/motion/motion_scene.h"

#include "widgets/motion/motion_parts.h"
#include "widgets/scene/small_numbers.h"
#include "widgets/scene/zoom_levels.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stridescope {

namespace motion {

namespace {

using Look = CellsItem::Look;

/// Cells by the elements that they show: one item for each source.
class Cells {
public:
    explicit Cells(const Picture& p) : m_p(p) {}
    void add(QPointF at, int storage, bool after, Index slot, Look look, int colour) {
        const auto& storages = m_p.plan.input.storages;
        if (storage >= 0 && !storages[static_cast<std::size_t>(storage)].knows(after, slot)) storage = -1;
        item(storage, after).cells.push_back({at, slot, look, static_cast<qint8>(colour)});
    }
    void append(SceneBuilder& out, PartKind kind, int board, QSizeF size, bool index) {
        for (auto& [key, item] : m_items) {
            item.size = size;
            item.index = index;
            out.item(std::move(item), kind, board);
        }
        m_items.clear();
    }

private:
    CellsItem& item(int storage, bool after) {
        CellsItem& item = m_items[{storage, after}];
        if (item.cells.empty() && storage >= 0) {
            const MotionStorage& from = m_p.plan.input.storages[static_cast<std::size_t>(storage)];
            item.source = after ? from.after : from.before;
        }
        return item;
    }
    const Picture& m_p;
    std::map<std::pair<int, bool>, CellsItem> m_items;
};

/// In place of cells where there are none: an empty frame that says so.
void appendNoCells(SceneBuilder& out, const Picture& p, int b) {
    GridItem none;
    none.area = QRectF(p.place(b).origin + p.shift(b), p.place(b).extent);
    none.origin = none.area.topLeft();
    none.cell = p.place(b).cell;
    out.item(none);
}

/// Cells of a card that stand still: all of an input, and those of an output that have no way of their own.
void appendStill(SceneBuilder& out, const Picture& p, int b) {
    const std::vector<Standing> all = standing(p, b);
    if (all.empty()) appendNoCells(out, p, b);
    Cells places(p), cells(p);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Standing& each = all[k];
        const QPointF at = p.cellAt(b, static_cast<Index>(k));
        if (!each.there)
            places.add(at, -1, false, 0, Look::Place, each.colour);
        else if (!each.arrived)
            cells.add(at, each.storage, each.after, each.slot, each.look, each.colour);
    }
    places.append(out, PartKind::None, b, p.place(b).cell, false);
    cells.append(out, PartKind::CardCells, b, p.place(b).cell, false);
}

void appendStripCells(SceneBuilder& out, const Picture& p, int b) {
    const BoardPlace& place = p.place(b);
    const std::vector<Standing> all = standing(p, b);
    if (all.empty()) appendNoCells(out, p, b);
    Cells cells(p);
    const Index shown = p.slotsOut(b);
    for (std::size_t at = 0; at < static_cast<std::size_t>(shown); ++at) {
        const Standing& each = all[at];
        cells.add(p.cellAt(b, static_cast<Index>(at)), each.storage, each.after, each.slot, each.look, each.colour);
    }
    cells.append(out, PartKind::StripCells, b, place.cell, place.index);
    appendShared(out, p, b, all);
}

void appendMoving(SceneBuilder& out, const Picture& p) {
    // Those that have arrived lie below those on their way. One item a board: a card's cells have its size.
    for (int b = 0; b < p.boards(); ++b) {
        Cells arrived(p);
        for (const MotionCell& move : p.plan.moves) {
            if (move.toBoard != b || !move.result || !move.isShown(p.t) || move.progress(p.t) < 1) continue;
            arrived.add(p.cellAt(b, move.to), move.storage, move.after, move.slot, move.look, move.colour);
        }
        arrived.append(out, PartKind::CardCells, b, p.place(b).cell, false);
    }
    for (int b = 0; b < p.boards(); ++b) {
        Cells passing(p);
        for (const MotionCell& move : p.plan.moves) {
            if (move.toBoard != b || !move.isShown(p.t)) continue;
            const qreal u = move.progress(p.t);
            if (move.result && u >= 1) continue;
            const QPointF from = p.cellAt(move.fromBoard, move.from), to = p.cellAt(b, move.to);
            passing.add(from + (to - from) * easedInOut(u), move.storage, move.after, move.slot, move.look,
                        move.colour);
        }
        passing.append(out, PartKind::None, b, p.place(b).cell, false);
    }
}

} // namespace

QPointF Picture::shift(int b) const {
    const MotionBoard& at = board(b);
    if (at.role == MotionBoard::Role::Above)
        return place(b).from * (1 - easedInOut(std::min(1.0, plan.progress(MotionWhat::Corner, t) / 0.7)));
    return {};
}

Index Picture::slotsOut(int b) const {
    const MotionBoard& at = board(b);
    if (!at.fresh) return at.count;
    const qreal u = easedInOut(std::min(1.0, plan.progress(MotionWhat::Storage, t) / 0.7));
    return static_cast<Index>(std::ceil(u * static_cast<qreal>(at.count)));
}

bool Picture::appeared(int b) const {
    // At the beginning there is what there was, and nothing else.
    return (board(b).appears <= 0 && !board(b).fresh) || t > board(b).appears + kSameMoment;
}

} // namespace motion

Scene motionScene(const MotionPlan& plan, const MotionLayout& layout, qreal t) {
    using namespace motion;
    const Picture p{plan, layout, std::clamp(t, 0.0, 1.0)};
    Scene scene;
    scene.size = layout.size;
    scene.title = plan.title();
    SceneBuilder out(scene);
    appendBand(out, p);
    appendHeaders(out, p);
    for (int b = p.boards(); b-- > 0 && plan.cells;)
        if (p.board(b).kind == MotionBoard::Kind::Strip && p.appeared(b)) appendStripCells(out, p, b);
    appendStripFrames(out, p);
    if (plan.cells) {
        appendFlags(out, p);
        appendAxes(out, p);
        for (int b = 0; b < p.boards(); ++b)
            if (p.board(b).kind == MotionBoard::Kind::Card && p.appeared(b)) appendStill(out, p, b);
        appendMoving(out, p);
        appendRings(out, p);
    } else {
        appendSummary(out, p);
    }
    return scene;
}

QSizeF motionNaturalSize(const MotionPlan& plan) {
    // Small pictures need no wide page; large ones have the size of a small window.
    const QSizeF least(760, 460), most(1280, 800);
    for (const qreal share : {0.0, 0.25, 0.5, 0.75}) {
        const QSizeF size = least + (most - least) * share;
        const MotionLayout layout = motionLayout(plan, QSizeF(std::round(size.width()), std::round(size.height())));
        const bool whole = std::all_of(layout.boards.begin(), layout.boards.end(),
                                       [](const BoardPlace& place) { return place.cell.width() >= 38; });
        if (whole) return layout.size;
    }
    return most;
}

namespace {

/// A cell as wide as this has room for four digits.
constexpr qreal kDigits = kNumberWidth;

/// Of the cells on cards the narrowest.
qreal narrowestCell(const MotionPlan& plan, const MotionLayout& places) {
    qreal least = places.size.width();
    for (std::size_t b = 0; b < plan.boards.size(); ++b)
        if (plan.boards[b].kind == MotionBoard::Kind::Card) least = std::min(least, places.boards[b].cell.width());
    return least;
}

/// Do cards reach into the strips below them?
bool cardsReachStrips(const MotionPlan& plan, const MotionLayout& layout) {
    for (std::size_t b = 0; b < plan.boards.size(); ++b) {
        if (plan.boards[b].kind != MotionBoard::Kind::Card) continue;
        const qreal end = std::max(layout.boardRect(static_cast<int>(b)).bottom(),
                                   layout.boards[b].header.y() + MotionLayout::kHeader - 14);
        if (end > layout.strips.top()) return true;
    }
    return false;
}

} // namespace

QSizeF motionRoomySize(const MotionPlan& plan) {
    const QSizeF natural = motionNaturalSize(plan);
    const auto fits = [&plan](QSizeF size) {
        const MotionLayout layout = motionLayout(plan, size);
        return narrowestCell(plan, layout) >= kDigits && !cardsReachStrips(plan, layout);
    };
    if (!plan.cells || fits(natural)) return natural;
    constexpr qreal kMore = 1.15, kWidest = 300'000;
    QSizeF size = natural;
    while (!fits(size)) {
        size *= kMore;
        if (size.width() > kWidest) return natural;
    }
    // No higher and no wider than it takes.
    for (qreal height = size.height() / kMore; height >= natural.height() && fits({size.width(), height});
         height /= kMore)
        size.setHeight(height);
    for (qreal width = size.width() / kMore; width >= natural.width() && fits({width, size.height()}); width /= kMore)
        size.setWidth(width);
    return {std::ceil(size.width()), std::ceil(size.height())};
}

bool motionIsCramped(const MotionPlan& plan, QSizeF size) {
    constexpr qreal kLegible = 30;
    const MotionLayout layout = motionLayout(plan, size);
    if (cardsReachStrips(plan, layout)) return true;
    const qreal cell = narrowestCell(plan, layout);
    if (std::min(cell, kLegible) < std::min(narrowestCell(plan, motionLayout(plan, motionNaturalSize(plan))), kLegible))
        return true;
    return cell < kSmallNumberWidth && narrowestCell(plan, motionLayout(plan, motionRoomySize(plan))) >= kDigits;
}

Animation motionAnimation(std::shared_ptr<const MotionPlan> plan, QSizeF size) {
    Animation animation;
    animation.title = plan->title();
    animation.seconds = plan->times.seconds;
    animation.stops = plan->times.stops;
    animation.rests = plan->times.stops;
    const auto layout = std::make_shared<const MotionLayout>(motionLayout(*plan, size));
    animation.at = [plan, layout](qreal t) { return motionScene(*plan, *layout, t); };
    animation.caption = [plan](qreal t) { return plan->caption(t); };
    return animation;
}

} // namespace stridescope
