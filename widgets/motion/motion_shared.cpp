// Cells that several coords of one view share: slanted stripes, and how many coords they are.

#include "core/view/reach_query.h"
#include "core/view/walk.h"
#include "widgets/motion/motion_parts.h"
#include "widgets/scene/zoom_levels.h"

#include <map>

namespace stridescope::motion {

namespace {

/// Without the dims of stride 0, whose repeats are ghosts on the card and no other elements.
View withoutRepeats(const View& view) {
    View kept;
    kept.offset = view.offset;
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        if (view.stride[d] == 0) continue;
        kept.shape.push_back(view.shape[d]);
        kept.stride.push_back(view.stride[d]);
    }
    return kept;
}

/// Slots that more than one coord lands on.
std::vector<bool> sharedSlots(const View& view, Index count) {
    std::vector<bool> once(static_cast<std::size_t>(count)), shared = once;
    for (const Index slot : visitedSlots(view, 0, kMovingCells)) {
        if (slot < 0 || slot >= count) continue;
        shared[static_cast<std::size_t>(slot)] = once[static_cast<std::size_t>(slot)];
        once[static_cast<std::size_t>(slot)] = true;
    }
    return shared;
}

} // namespace

void appendShared(SceneBuilder& out, const Picture& p, int b, const std::vector<Standing>& all) {
    constexpr int kMostRuns = 64;
    const MotionBoard& board = p.board(b);
    const MotionStorage* storage = p.storage(b);
    const BoardPlace& place = p.place(b);
    // Narrower cells have no room for number and badge; of a large storage a part is seen alone.
    if (!storage || board.first != 0 || place.cell.width() < kNumberWidth || place.cell.height() < kNumberHeight)
        return;
    std::map<int, std::vector<bool>> sharedBy; // by card; empty where each slot has one coord at most
    const auto sharedOf = [&](int card) -> const std::vector<bool>& {
        const auto [found, isNew] = sharedBy.try_emplace(card);
        if (isNew) {
            const View view = withoutRepeats(p.board(card).tensor.record.view);
            if (maySelfOverlap(view)) found->second = sharedSlots(view, board.count);
        }
        return found->second;
    };
    // A view that reaches all that its source does leaves the strip to that one; its stripes come at the end.
    int made = -1;
    for (int c = 0; c < p.boards() && p.t >= 1 && made < 0; ++c)
        if (p.board(c).kind == MotionBoard::Kind::Card && p.board(c).output >= 0 &&
            p.board(c).storage == board.storage && !sharedOf(c).empty())
            made = c;
    const auto cardOf = [&](std::size_t at) {
        const Standing& each = all[at];
        if (each.card < 0 || each.look != CellsItem::Look::View) return -1;
        for (const int card : {each.card, made})
            if (card >= 0 && !sharedOf(card).empty() && sharedOf(card)[at]) return card;
        return -1;
    };
    int runs = 0;
    const auto shown = static_cast<std::size_t>(p.slotsOut(b));
    for (std::size_t at = 0; at < shown && runs < kMostRuns; ++at) {
        const int card = cardOf(at);
        if (card < 0) continue;
        // As far as they lie in one row, belong to one card and are of one moment.
        std::size_t end = at + 1;
        while (end < shown && end % static_cast<std::size_t>(place.perRow) != 0 && cardOf(end) == card &&
               all[end].after == all[at].after)
            ++end;
        const View& view = p.board(card).tensor.record.view;
        StripItem run;
        run.layout.cellCount = run.layout.perRow = board.count;
        run.layout.firstColumn = static_cast<Index>(at);
        run.layout.cellWidth = place.cell.width();
        run.layout.cellHeight = place.cell.height();
        run.layout.rowPitch = place.rowPitch;
        run.layout.area = QRectF(p.cellAt(b, static_cast<Index>(at)),
                                 QSizeF(place.cell.width() * static_cast<qreal>(end - at), place.cell.height()));
        run.source = all[at].after ? storage->after : storage->before;
        run.storageId = storage->id;
        run.reach = StripReach{0, all[at].colour, view};
        run.indexBelow = false;
        out.item(run, PartKind::StripCells, b);
        ++runs;
        at = end - 1;
    }
}

} // namespace stridescope::motion
