// Where strips and cards are scrolled to: moves, jumps and zooms that keep a cell in its place.

#include "widgets/scene/reach_marks.h"
#include "widgets/stage/stage_layout.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

StripScroll rewrapped(const StripPlan& strip, const StripScroll& scroll, const std::optional<Pick>& pick) {
    const StripLayout& layout = strip.layout;
    if (scroll.perRow <= 0 || scroll.perRow == layout.perRow) return scroll;
    const Index last = std::max<Index>(0, layout.cellCount - 1);
    // Rows of a storage that was replaced may have been any number: no product of them is taken for granted.
    Index first = 0, end = 0;
    if (__builtin_mul_overflow(scroll.firstRow, scroll.perRow, &first)) first = last;
    if (__builtin_mul_overflow(scroll.firstRow + scroll.rows, scroll.perRow, &end)) end = last + 1;
    const Index kept = std::clamp<Index>(first + scroll.firstColumn, 0, last);
    StripScroll next;
    next.firstRow = kept / layout.perRow;
    next.firstColumn = strip.scrollsColumns() ? kept % layout.perRow : 0;
    const bool picked = pick && pick->storageId == strip.storageId && pick->slot >= first && pick->slot < end;
    return picked ? scrolledTo(strip, next, pick->slot) : scrolledBy(strip, next, 0, 0);
}

StripScroll scrolledBy(const StripPlan& strip, const StripScroll& scroll, qreal dx, qreal dy) {
    StripScroll next = rewrapped(strip, scroll, std::nullopt);
    next.perRow = strip.layout.perRow;
    next.rows = strip.visibleRows;
    const auto move = [](Index& first, qreal& shift, qreal by, qreal pitch, Index last, qreal lastShift) {
        shift += by;
        const qreal steps = std::floor(shift / pitch);
        shift -= steps * pitch;
        // |steps| is at most pixels / pitch of one gesture or of a whole strip in doubles: clamp before converting.
        const Index whole = static_cast<Index>(std::clamp(steps, -4e18, 4e18));
        if (whole > 0 && first > last - whole) {
            first = last;
            shift = lastShift;
        } else if (whole < 0 && first < -whole) {
            first = 0;
            shift = 0;
        } else {
            first += whole;
        }
        if (first > last || (first == last && shift > lastShift)) {
            first = last;
            shift = lastShift;
        }
        if (first < 0) {
            first = 0;
            shift = 0;
        }
    };
    const StripLayout& layout = strip.layout;
    const Index lastRow = std::max<Index>(0, layout.rowCount() - strip.visibleRows);
    move(next.firstRow, next.rowShift, dy, layout.rowPitch, lastRow, 0);
    const qreal inView = layout.area.width() / layout.cellWidth;
    Index lastColumn = 0;
    qreal lastShift = 0;
    if (strip.scrollsColumns()) {
        const Index whole = static_cast<Index>(std::ceil(inView));
        lastColumn = std::max<Index>(0, layout.perRow - whole);
        lastShift = (static_cast<qreal>(whole) - inView) * layout.cellWidth;
    }
    move(next.firstColumn, next.columnShift, dx, layout.cellWidth, lastColumn, lastShift);
    return next;
}

StripScroll scrolledTo(const StripPlan& strip, const StripScroll& scroll, Index slot) {
    StripScroll next = rewrapped(strip, scroll, std::nullopt);
    const StripLayout& layout = strip.layout;
    const Index row = slot / layout.perRow, column = slot % layout.perRow;
    if (row < next.firstRow || (row == next.firstRow && next.rowShift > 0)) {
        next.firstRow = row;
        next.rowShift = 0;
    } else if (row >= next.firstRow + strip.visibleRows) {
        next.firstRow = row - strip.visibleRows + 1;
        next.rowShift = 0;
    }
    if (strip.scrollsColumns()) {
        const Index inView = std::max<Index>(1, static_cast<Index>(layout.area.width() / layout.cellWidth));
        // A cell that was out of sight comes to the middle: its neighbours are what one looks for next.
        if (column < next.firstColumn + (next.columnShift > 0 ? 1 : 0) || column >= next.firstColumn + inView) {
            next.firstColumn = std::max<Index>(0, column - inView / 2);
            next.columnShift = 0;
        }
    }
    return scrolledBy(strip, next, 0, 0);
}

bool showsPartOf(const StripPlan& strip, const View& view) {
    const StripLayout& layout = strip.layout;
    const ReachQuery query(view);
    const SlotRange rows = layout.visibleRows({});
    for (Index row = rows.first; row < rows.last; ++row) {
        if (query.any(layout.visibleCells(row, {}))) return true;
    }
    return false;
}

StripScroll scrolledToView(const StripPlan& strip, const StripScroll& scroll, const View& view) {
    if (view.numel() == 0 || showsPartOf(strip, view)) return scroll;
    const StripLayout& layout = strip.layout;
    StripScroll next = rewrapped(strip, scroll, std::nullopt);
    if (strip.scrollsRows()) {
        next.firstRow = view.offset / layout.perRow;
        next.rowShift = 0;
    }
    if (strip.scrollsColumns()) {
        // What follows the offset is what the view is made of.
        const Index inView = std::max<Index>(1, static_cast<Index>(layout.area.width() / layout.cellWidth));
        next.firstColumn = std::max<Index>(0, view.offset % layout.perRow - inView / 4);
        next.columnShift = 0;
    }
    return scrolledTo(strip, scrolledBy(strip, next, 0, 0), view.offset);
}

void scrollCardTo(ExploreState& state, const StagePlan& plan, TensorId id, const Dims& coord) {
    const CardLayout* card = plan.card(id);
    if (!card) return;
    // A colour is seen at any time; which one of them is meant follows the pick.
    const auto channel = static_cast<std::size_t>(std::max(card->channelDim, 0));
    const bool otherColour = card->channelDim >= 0 && card->panels.front().coord[channel] != coord[channel];
    if (card->cellRect(coord) && !otherColour) return;
    StageCard& view = state.cards[id];
    view.outer = coord;
    if (coord.empty()) return;
    const auto follow = [](Index& first, Index shown, Index at) {
        if (at < first) first = at;
        if (at >= first + shown) first = at - std::max<Index>(shown, 1) + 1;
    };
    view.firstRow = card->firstRow;
    view.firstCol = card->firstCol;
    const auto along = [&coord](int dim) { return dim < 0 ? Index{0} : coord[static_cast<std::size_t>(dim)]; };
    follow(view.firstRow, card->shownRows, along(card->rowDim));
    follow(view.firstCol, card->shownCols, along(card->colDim));
}

Index slotToKeep(const StripPlan& strip, QPointF anchor) {
    const StripLayout& layout = strip.layout;
    QPointF inside = anchor;
    inside.setX(std::clamp(anchor.x(), layout.area.left() + 0.5, layout.area.right() - 0.5));
    inside.setY(std::clamp(anchor.y(), layout.area.top() + 0.5, layout.area.bottom() - 0.5));
    const Index row = std::clamp<Index>(
        layout.firstRow +
            static_cast<Index>(std::floor((inside.y() - layout.area.top() + layout.rowShift) / layout.rowPitch)),
        0, std::max<Index>(0, layout.rowCount() - 1));
    return std::clamp<Index>(layout.cellAt(inside).value_or(row * layout.perRow + layout.firstColumn), 0,
                             std::max<Index>(0, layout.cellCount - 1));
}

namespace {

/// The next larger number of at most four binary digits and zeros behind them.
Index nextRound(Index n) {
    Index unit = 1;
    while (n / unit >= 16) unit *= 2;
    return (n / unit + 1) * unit;
}

} // namespace

namespace {

/// Tries sizes of cells on a state that is otherwise as it is.
class SizeTrial {
public:
    explicit SizeTrial(const ExploreState& state) : m_state(state) { m_state.scroll.clear(); }
    /// Is all of the storage in sight with cells of so many pixels?
    bool isWhole(qreal size) {
        m_state.options.cellSize = size;
        m_plan = planStage(m_state);
        return !m_plan.strip || (!m_plan.strip->scrollsRows() && !m_plan.strip->scrollsColumns());
    }
    /// Of the last trial.
    const StagePlan& plan() const { return m_plan; }

    /// The largest size below a pixel that shows all: one over a round number of cells.
    qreal lowRowsSize() {
        // How many rows there are in sight hardly depends on the size.
        if (isWhole(1)) return 1;
        const StripLayout& layout = m_plan.strip->layout;
        const Index count = layout.cellCount;
        const double pixels = layout.area.width() * static_cast<double>(m_plan.strip->visibleRows);
        Index share = std::max<Index>(2, nextRound(static_cast<Index>(0.4 * static_cast<double>(count) / pixels)));
        // Rows of the last dim or of n cells fill the width badly where they are long: at the latest one row holds all.
        while (!isWhole(1 / static_cast<qreal>(share)) && share < count) share = nextRound(share);
        return 1 / static_cast<qreal>(share);
    }

private:
    ExploreState m_state;
    StagePlan m_plan;
};

} // namespace

qreal wholeCellSize(const ExploreState& state) {
    SizeTrial trial(state);
    if (trial.isWhole(0)) return 0;
    qreal tooLarge = trial.plan().strip->layout.cellWidth;
    for (qreal size = std::min(tooLarge / 1.25, kStripCell); size >= 1; size /= 1.25) {
        if (!trial.isWhole(size)) {
            tooLarge = size;
            continue;
        }
        for (int k = 0; k < 6; ++k) {
            const qreal middle = (size + tooLarge) / 2;
            (trial.isWhole(middle) ? size : tooLarge) = middle;
        }
        return size;
    }
    return trial.lowRowsSize();
}

qreal leastCellSize(const ExploreState& state) {
    // Asked at every step of a zoom: most of what wholeCellSize() tries is above the answer.
    SizeTrial trial(state);
    return trial.isWhole(kMinCellSize) ? kMinCellSize : std::min(trial.lowRowsSize(), kMinCellSize);
}

qreal clampedCellSize(const ExploreState& state, qreal size) {
    if (!(size > 0)) return 0; // also NaN
    if (size >= kMinCellSize) return std::min(size, kMaxCellSize);
    return std::max(size, leastCellSize(state));
}

StripScroll zoomedAt(const ExploreState& state, qreal size, QPointF anchor, Index slot) {
    const StagePlan before = planStage(state);
    if (!before.strip) return {};
    const StripLayout& old = before.strip->layout;
    QPointF inside = anchor;
    inside.setX(std::clamp(anchor.x(), old.area.left() + 0.5, old.area.right() - 0.5));
    inside.setY(std::clamp(anchor.y(), old.area.top() + 0.5, old.area.bottom() - 0.5));
    ExploreState next = state;
    next.options.cellSize = size;
    next.scroll.remove(before.strip->storageId);
    const StagePlan after = planStage(next);
    const StripPlan& strip = *after.strip;
    StripScroll scroll;
    const qreal above = std::clamp(inside.y() - strip.layout.area.top(), 0.0, strip.layout.area.height());
    scroll.firstRow = slot / strip.layout.perRow;
    scroll = scrolledBy(strip, scroll, 0, -std::floor(above / strip.layout.rowPitch) * strip.layout.rowPitch);
    if (strip.scrollsColumns()) {
        scroll.firstColumn = slot % strip.layout.perRow;
        const qreal into = (inside.x() - old.cellRect(slot).left()) / old.cellWidth * strip.layout.cellWidth;
        scroll = scrolledBy(strip, scroll, into - (inside.x() - strip.layout.area.left()), 0);
    }
    // Rows that got longer may have left the cell outside of those that are shown now.
    next.scroll.insert(strip.storageId, scroll);
    const StagePlan placed = planStage(next);
    return scrolledTo(*placed.strip, scroll, slot);
}

} // namespace stridescope
