#include "widgets/motion/motion_scene.h"

#include "core/view/walk.h"
#include "widgets/motion/motion_parts.h"

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

/// Cells of a card that stand still: all of an input, and those of an output that have no way of their own.
void appendStill(SceneBuilder& out, const Picture& p, int b) {
    const MotionBoard& board = p.board(b);
    const View& view = board.tensor.record.view;
    const Index count = view.numel();
    // Results come one by one; what is written in place stands there from the beginning.
    const bool comes = board.output >= 0 && std::any_of(p.plan.moves.begin(), p.plan.moves.end(),
                                                        [b](const auto& m) { return m.result && m.toBoard == b; });
    bool veiled = false;
    for (const MotionPlan::Veil& veil : p.plan.veils)
        veiled = veiled || (veil.board == b && p.t > veil.begin + kSameMoment && p.t <= veil.end + kSameMoment);
    Cells cells(p);
    if (comes || veiled) {
        std::vector<bool> there(static_cast<std::size_t>(count));
        for (const MotionCell& move : p.plan.moves)
            if (move.result && move.toBoard == b && move.isShown(p.t) && move.progress(p.t) >= 1)
                there[static_cast<std::size_t>(move.to)] = true;
        for (Index k = 0; k < count; ++k)
            if (veiled || !there[static_cast<std::size_t>(k)])
                cells.add(p.cellAt(b, k), -1, false, 0, Look::Place, board.tensor.colour);
        cells.append(out, PartKind::None, b, p.place(b).cell, false);
        return;
    }
    const std::vector<Index> slotsInOrder = visitedSlots(view, 0, count);
    const bool repeats = std::find(view.stride.begin(), view.stride.end(), 0) != view.stride.end();
    for (Index k = 0; k < count; ++k) {
        const Index slot = slotsInOrder[static_cast<std::size_t>(k)];
        Look look = Look::View;
        if (repeats) {
            const Dims coord = coordOfPosition(view, k);
            for (std::size_t d = 0; d < coord.size(); ++d)
                if (view.stride[d] == 0 && coord[d] > 0) look = Look::Ghost;
        }
        const bool after = p.plan.isAfter(board.storage, slot, p.t);
        if (after && p.plan.family == MotionFamily::Write && look == Look::View) look = Look::Written;
        cells.add(p.cellAt(b, k), board.storage, after, slot, look, board.tensor.colour);
    }
    cells.append(out, PartKind::CardCells, b, p.place(b).cell, false);
}

/// Which card a slot of the strip belongs to at t, and how far the scan is.
struct Shown {
    int before = -1, after = -1;
    Index until = 0; ///< slots below it show `after`
};

Shown shownOn(const Picture& p, int strip) {
    const MotionBoard& board = p.board(strip);
    Shown shown;
    for (int b = 0; b < p.boards() && shown.before < 0; ++b) {
        const bool card = p.board(b).kind == MotionBoard::Kind::Card;
        if (card && p.board(b).storage == board.storage) shown.before = b;
    }
    // What is written to is what the strip is about.
    if (p.plan.family == MotionFamily::Write)
        for (int b = 0; b < p.boards(); ++b)
            if (p.board(b).output >= 0 && p.board(b).storage == board.storage) shown.before = b;
    for (const MotionReach& reach : p.plan.reaches) {
        if (reach.strip != strip) continue;
        shown.before = reach.before;
        shown.after = reach.after;
        const qreal u = std::clamp((p.t - reach.begin) / (reach.end - reach.begin), 0.0, 1.0);
        shown.until = board.first + static_cast<Index>(std::llround(u * static_cast<qreal>(board.count)));
        if (p.t >= reach.end - kSameMoment) shown.until = board.first + board.count;
    }
    return shown;
}

/// What a view makes of each slot of a window: plain, skipped inside its span, or its own.
std::vector<Look> looksOf(const View& view, Index first, Index count) {
    std::vector<Look> looks(static_cast<std::size_t>(count), Look::Plain);
    const auto all = visitedSlots(view, 0, kMovingCells);
    if (all.empty()) return looks;
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    for (Index slot = std::max(*low, first); slot <= std::min(*high, first + count - 1); ++slot)
        looks[static_cast<std::size_t>(slot - first)] = Look::Skipped;
    for (const Index slot : all)
        if (slot >= first && slot < first + count) looks[static_cast<std::size_t>(slot - first)] = Look::View;
    return looks;
}

void appendStripCells(SceneBuilder& out, const Picture& p, int b) {
    const MotionBoard& board = p.board(b);
    const BoardPlace& place = p.place(b);
    const Shown shown = shownOn(p, b);
    std::vector<Look> before, after;
    std::vector<int> afterCard(static_cast<std::size_t>(board.count), shown.after);
    if (shown.before >= 0) before = looksOf(p.board(shown.before).tensor.record.view, board.first, board.count);
    if (shown.after >= 0) after = looksOf(p.board(shown.after).tensor.record.view, board.first, board.count);
    // Pieces of one tensor: each has its own part of the strip.
    for (int c = shown.after + 1; shown.after >= 0 && c < p.boards(); ++c) {
        if (p.board(c).output < 0 || p.board(c).storage != board.storage) continue;
        const auto looks = looksOf(p.board(c).tensor.record.view, board.first, board.count);
        for (std::size_t i = 0; i < looks.size(); ++i) {
            if (looks[i] != Look::View || after[i] == Look::View) continue;
            after[i] = Look::View;
            afterCard[i] = c;
        }
    }
    Cells cells(p);
    for (Index at = 0; at < board.count; ++at) {
        const Index slot = board.first + at;
        const bool scanned = shown.after >= 0 && slot < shown.until;
        const int card = scanned ? afterCard[static_cast<std::size_t>(at)] : shown.before;
        Look look = card < 0 ? Look::Plain : (scanned ? after : before)[static_cast<std::size_t>(at)];
        const bool isAfter = p.plan.isAfter(board.storage, slot, p.t);
        if (board.fresh && !isAfter) look = Look::Pending;
        if (!board.fresh && isAfter && look == Look::View) look = Look::Written;
        const int colour = card < 0 ? -1 : p.board(card).tensor.colour;
        cells.add(p.cellAt(b, at), board.storage, isAfter, slot, look, colour);
    }
    cells.append(out, PartKind::StripCells, b, place.cell, place.index);
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
    if (!at.fresh) return {};
    return place(b).from * (1 - easedInOut(std::min(1.0, plan.progress(MotionWhat::Storage, t) / 0.7)));
}

bool Picture::appeared(int b) const {
    return board(b).appears <= 0 || t > board(b).appears + kSameMoment;
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
    // New strips come out from under those above.
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
