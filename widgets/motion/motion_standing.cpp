// What stands at the places of a board at a moment: what is drawn there, and what a screen reader is told.

#include "core/view/walk.h"
#include "widgets/motion/motion_parts.h"

#include <algorithm>
#include <cmath>

namespace stridescope::motion {

namespace {

using Look = CellsItem::Look;

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

std::vector<Standing> onStrip(const Picture& p, int b) {
    const MotionBoard& board = p.board(b);
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
    std::vector<Standing> all(static_cast<std::size_t>(board.count));
    for (std::size_t at = 0; at < all.size(); ++at) {
        Standing& each = all[at];
        each.there = true;
        each.storage = board.storage;
        each.slot = board.first + static_cast<Index>(at);
        const bool scanned = shown.after >= 0 && each.slot < shown.until;
        each.card = scanned ? afterCard[at] : shown.before;
        each.look = each.card < 0 ? Look::Plain : (scanned ? after : before)[at];
        each.after = p.plan.isAfter(board.storage, each.slot, p.t);
        if (board.fresh && !each.after) each.look = Look::Pending;
        if (!board.fresh && each.after && each.look == Look::View) each.look = Look::Written;
        each.colour = each.card < 0 ? -1 : p.board(each.card).tensor.colour;
    }
    return all;
}

std::vector<Standing> onCard(const Picture& p, int b) {
    const MotionBoard& board = p.board(b);
    const View& view = board.tensor.record.view;
    std::vector<Standing> all(static_cast<std::size_t>(view.numel()));
    for (Standing& each : all) {
        each.card = b;
        each.colour = board.tensor.colour;
    }
    for (const MotionPlan::Veil& veil : p.plan.veils)
        if (veil.board == b && p.t > veil.begin + kSameMoment && p.t <= veil.end + kSameMoment) return all;
    // Results come one by one; what is written in place stands there from the beginning.
    const bool comes = board.output >= 0 && std::any_of(p.plan.moves.begin(), p.plan.moves.end(),
                                                        [b](const auto& m) { return m.result && m.toBoard == b; });
    if (comes) {
        for (const MotionCell& move : p.plan.moves)
            if (move.result && move.toBoard == b && move.isShown(p.t) && move.progress(p.t) >= 1)
                all[static_cast<std::size_t>(move.to)] = {true,         true,      move.after, b,
                                                          move.storage, move.slot, move.look,  board.tensor.colour};
        return all;
    }
    const std::vector<Index> slotsInOrder = visitedSlots(view, 0, view.numel());
    const bool repeats = std::find(view.stride.begin(), view.stride.end(), 0) != view.stride.end();
    for (std::size_t k = 0; k < all.size(); ++k) {
        Standing& each = all[k];
        each.there = true;
        each.storage = board.storage;
        each.slot = slotsInOrder[k];
        each.look = Look::View;
        if (repeats) {
            const Dims coord = coordOfPosition(view, static_cast<Index>(k));
            for (std::size_t d = 0; d < coord.size(); ++d)
                if (view.stride[d] == 0 && coord[d] > 0) each.look = Look::Ghost;
        }
        each.after = p.plan.isAfter(board.storage, each.slot, p.t);
        if (each.after && p.plan.family == MotionFamily::Write && each.look == Look::View) each.look = Look::Written;
    }
    return all;
}

} // namespace

std::vector<Standing> standing(const Picture& p, int board) {
    return p.board(board).kind == MotionBoard::Kind::Strip ? onStrip(p, board) : onCard(p, board);
}

} // namespace stridescope::motion
