// One storage as a strip: how many cells in a row, how wide, which of them are in sight.

#include "widgets/stage/strip_plan.h"

#include "widgets/card/colours.h"
#include "widgets/card/draw.h"
#include "widgets/scene/strip_ruler.h"
#include "widgets/scene/strip_summary.h"
#include "widgets/stage/stage_cards.h"
#include "widgets/stage/stage_scene_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace stridescope {

namespace {

/// Slots from one row of a view to the next: its second smallest step, whichever dim it belongs to. All views of a
/// matrix then stand on the same rows, its transpose and a narrowed one too, and a column stands upright. The colours
/// of a pixel are no row: of a picture that has them side by side it is the step after that.
Index rowOf(const Tensor& tensor) {
    const View& view = tensor.view();
    Dims steps; // of different length
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        const Index step = view.shape[d] > 1 ? std::abs(view.stride[d]) : 0;
        if (step != 0 && std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
    }
    std::sort(steps.begin(), steps.end());
    if (steps.empty()) return view.shape.empty() ? 1 : view.shape.back();
    const int colours = colourDim(tensor, view);
    const bool pixels = colours >= 0 && std::abs(view.stride[static_cast<std::size_t>(colours)]) == steps[0];
    const std::size_t row = pixels ? 2 : 1;
    if (row < steps.size()) return steps[row];
    return steps[0] > 1 ? steps[0] : view.shape.back();
}

} // namespace

Index cellsPerRow(const ExploreState& state, const TensorEntry& selected, Index cellCount, qreal cellWidth,
                  qreal width) {
    const Index all = std::max<Index>(cellCount, 1);
    Index wanted = all;
    switch (state.options.wrap) {
    case StripWrap::Fit:
        wanted = static_cast<Index>(std::floor(width / cellWidth + 1e-6));
        break;
    case StripWrap::Row:
        wanted = rowOf(selected.tensor);
        break;
    case StripWrap::Line64:
        wanted = 64 / static_cast<Index>(selected.tensor.itemSize());
        break;
    case StripWrap::Number:
        wanted = state.options.wrapNumber;
        break;
    }
    wanted = std::clamp<Index>(wanted, 1, all);
    if (state.options.wrap == StripWrap::Fit) {
        const Index block = cellWidth < kMinCellSize ? summaryBlock(cellWidth) : 1;
        return wanted >= block && wanted < all ? wanted - wanted % block : wanted;
    }
    const bool overview = state.options.cellSize > 0 && state.options.cellSize < kMinCellSize;
    if (!overview || cellWidth >= kNumberWidth) return wanted;
    // Of rows narrower than the stage as many as it has room for stand side by side: else no size would show them all.
    const Index fitting = std::clamp<Index>(static_cast<Index>(std::floor(width / cellWidth + 1e-6)), 1, all);
    return fitting >= all ? all : std::max(wanted, fitting - fitting % wanted);
}

namespace {

/// Of cells whose digits are three quarters as high as usual: still read from a chair before the screen.
qreal leastCellWidth(const Tensor& source, bool presented) {
    const qreal smaller = presented ? 0.8 : 0.75; // of 15 px: Theme::kPresenterPixels
    return std::max(kStripCellMin, std::ceil(valueCellWidth(source, 0, 0) * smaller) + 5);
}

qreal autoCellWidth(const ExploreState& state, const TensorEntry& selected, Index count, qreal width) {
    const qreal usual = valueCellWidth(selected.tensor, kStripCell, 12);
    const qreal least = valueCellWidth(selected.tensor, kStripCellMin, 7);
    const Index perRow =
        state.options.wrap == StripWrap::Fit ? count : cellsPerRow(state, selected, count, usual, width);
    const qreal share = std::floor(width / static_cast<qreal>(std::max<Index>(perRow, 1)));
    // Smaller digits are better than a second row, and both are better than rounding.
    if (share < least && share >= leastCellWidth(selected.tensor, state.options.presented)) return share;
    return std::clamp(share, least, usual);
}

/// The size that was asked for. Below kMinCellSize it is meant for a larger storage, if one row at more shows all.
qreal cellWidthFor(const ExploreState& state, const TensorEntry& wrapBy, Index count, Index room, qreal width) {
    const qreal asked = state.options.cellSize, usual = autoCellWidth(state, wrapBy, count + room, width);
    if (!(asked > 0)) return usual;
    if (asked >= kMinCellSize) return std::min(asked, kMaxCellSize);
    return std::max(asked, std::min(usual, width / static_cast<qreal>(std::max<Index>(count, 1))));
}

/// What a strip may take of the stage's right margin.
constexpr qreal kSpareMargin = kStageMargin - 3;
/// At most so many cells beyond an end are made room for.
constexpr Index kOutsideCells = 6;

qreal cellHeightFor(qreal cellWidth, Index rows) {
    if (cellWidth >= kHeatWidth) return std::clamp(std::round(cellWidth), 14.0, kStripCell);
    // High enough for the highest value, the lowest one and the view's band over one another.
    return rows <= 1 ? 28 : 10;
}

} // namespace

StripPlan stripFor(const ExploreState& state, const TensorEntry& entry, const TensorEntry& wrapBy, bool large) {
    StripPlan plan;
    plan.large = large;
    plan.storageId = entry.tensor.storage()->id();
    const StorageEntry* storage = state.snapshot->storage(plan.storageId);
    plan.number = storage ? storage->number : 0;
    const DType dtype = storage ? storage->dtype : entry.tensor.dtype();
    const Index count =
        static_cast<Index>(entry.tensor.storage()->bytes()) / static_cast<Index>(stridescope::itemSize(dtype));
    plan.source = Tensor(entry.tensor.storage(), View{{count}, {1}, 0}, dtype);
    StripLayout& layout = plan.layout;
    layout.cellCount = count;
    const bool presented = state.options.presented; // then its name stands below
    qreal left = kStageMargin + (presented ? 0 : kHandleWidth + kHandleGap);
    qreal width = std::max(60.0, state.viewport.width() - left - kStageMargin);
    // Cells that a refused view would need are drawn past the end: one row makes room for a few of them.
    plan.outside = wantedOutside(state, plan.storageId, count);
    const Index room = std::min(plan.outside.last - plan.outside.first, kOutsideCells);
    if (large) {
        // A last cell that is missing by a few pixels has them from the margin.
        if (state.options.wrap == StripWrap::Fit && state.options.cellSize <= 0) {
            const qreal least =
                static_cast<qreal>(std::max<Index>(count, 1)) * leastCellWidth(wrapBy.tensor, state.options.presented);
            if (least > width && least <= width + kSpareMargin) width = least;
        }
        layout.cellWidth = cellWidthFor(state, wrapBy, count, room, width);
        layout.perRow = cellsPerRow(state, wrapBy, count, layout.cellWidth, width);
        if (layout.rowCount() > 1 && layout.cellWidth < kNumberWidth - 8) {
            plan.rowIndex = true;
            const qreal labels = rowIndexWidth(stripItem(state, plan));
            left += labels;
            width = std::max(60.0, width - labels);
            layout.perRow = cellsPerRow(state, wrapBy, count, layout.cellWidth, width);
        }
    } else {
        layout.cellWidth = valueCellWidth(plan.source, kSmallStripCell, 8);
        layout.perRow = std::max<Index>(count, 1);
        const qreal all = static_cast<qreal>(std::max<Index>(count, 1) + room);
        // A small strip is a glance: everything in one row, however many cells share a pixel.
        layout.cellWidth = std::min(layout.cellWidth, width / all);
    }
    const Index rows = layout.rowCount();
    layout.cellHeight = large ? cellHeightFor(layout.cellWidth, rows) : kSmallStripHeight;
    if (presented && layout.cellWidth >= kHeatWidth)
        layout.cellHeight = std::min(layout.cellHeight, kPresentedStripCell);
    const bool numbered = layout.cellWidth >= kNumberWidth - 8 && layout.cellHeight >= kNumberHeight;
    plan.indexBelow = !large ? 0 : numbered ? 20 : rows <= 1 ? 20 : 0;
    // Rows of numbers leave room for hops between them; rows of colours form one picture.
    layout.rowPitch = layout.cellHeight + plan.indexBelow + (numbered && rows > 1 ? (presented ? 2 : kHopGap) : 0);
    layout.area = QRectF(left, 0, width, layout.rowPitch);
    return plan;
}

std::vector<qreal> narrowerCells(const ExploreState& state, const StripPlan& strip) {
    constexpr Index kMostRows = 4;
    const StripLayout& layout = strip.layout;
    std::vector<qreal> widths;
    if (state.options.wrap != StripWrap::Fit || state.options.cellSize > 0 || !strip.scrollsRows()) return widths;
    for (Index rows = kMostRows; rows >= 1; --rows) {
        const qreal perRow = std::ceil(static_cast<qreal>(layout.cellCount) / static_cast<qreal>(rows));
        const qreal width = std::floor(layout.area.width() / perRow);
        if (width < kStripCellMin) break;
        if (width < (widths.empty() ? layout.cellWidth : widths.back())) widths.push_back(width);
    }
    return widths;
}

void applyScroll(const ExploreState& state, StripPlan& strip) {
    const auto found = state.scroll.constFind(strip.storageId);
    if (found == state.scroll.cend()) return;
    const StripScroll scroll = scrolledBy(strip, rewrapped(strip, *found, state.selection.pick), 0, 0);
    strip.layout.firstRow = scroll.firstRow;
    strip.layout.rowShift = scroll.rowShift;
    strip.layout.firstColumn = scroll.firstColumn;
    strip.layout.columnShift = scroll.columnShift;
}

void showOutside(StripPlan& strip) {
    if (strip.outside.empty()) return;
    StripLayout& layout = strip.layout;
    const bool after = strip.outside.first >= layout.cellCount;
    if (layout.rowCount() <= 1) {
        // As many as were made room for, but so many that hatching can be told from a line, also beside the far cell.
        const qreal room = 40 + kFarGap + beyondCellWidth(strip.failingSlot());
        const Index least = static_cast<Index>(std::ceil(room / layout.cellWidth));
        const Index most = std::max<Index>(1, static_cast<Index>(layout.area.width() / layout.cellWidth));
        const Index shown = std::min({strip.outside.last - strip.outside.first, std::max(kOutsideCells, least), most});
        const qreal right = layout.cellRect(layout.cellCount + shown - 1).right() - layout.area.right();
        const qreal left = layout.cellRect(-shown).left() - layout.area.left();
        const qreal by = after ? std::max(0.0, right) : std::min(0.0, left);
        layout.columnShift += by;
        const qreal whole = std::floor(layout.columnShift / layout.cellWidth);
        layout.firstColumn += static_cast<Index>(whole);
        layout.columnShift -= whole * layout.cellWidth;
        return;
    }
    const auto [row, column] = layout.place(after ? layout.cellCount : -1);
    const bool far = strip.outside.last - strip.outside.first > layout.perRow;
    const Index lowest = far ? std::max(row, strip.farRow()) : row;
    const Index first = after ? std::max(layout.firstRow, lowest - strip.visibleRows + 1) : row;
    if (first != layout.firstRow) layout.rowShift = 0;
    layout.firstRow = first;
    if (strip.scrollsColumns() && !strip.inSight(after ? layout.cellCount : -1)) {
        const Index inView = static_cast<Index>(layout.area.width() / layout.cellWidth);
        layout.firstColumn = std::max<Index>(0, after ? column : column - inView + 1);
        layout.columnShift = 0;
    }
}

StripSide StripPlan::sideOf(Index slot) const {
    const QPointF middle = layout.cellRect(slot).center();
    // Rows first: in another row left and right mean nothing.
    if (middle.y() < layout.area.top()) return StripSide::Above;
    if (middle.y() > layout.area.bottom()) return StripSide::Below;
    if (middle.x() < layout.area.left() - 1) return StripSide::Left;
    if (middle.x() > layout.area.right() + 1) return StripSide::Right;
    return StripSide::InSight;
}

Index StripPlan::failingSlot() const {
    return outside.first < 0 ? outside.first : outside.last - 1;
}

QRectF StripPlan::farCell() const {
    if (outside.empty() || inSight(failingSlot())) return {};
    const qreal width = std::min(beyondCellWidth(failingSlot()), layout.area.width() / 2);
    const qreal top = layout.rowCount() <= 1 ? layout.area.top() : layout.cellRect(farRow() * layout.perRow).top();
    return QRectF(outside.first < 0 ? layout.area.left() : layout.area.right() - width, top, width, layout.cellHeight);
}

Index StripPlan::farRow() const {
    if (outside.first < 0) return -1;
    // In the row of the first cell beyond the end, or below it where that row has no room left.
    const auto [row, column] = layout.place(layout.cellCount);
    const qreal cells = beyondCellWidth(failingSlot()) + kFarGap + 2 * layout.cellWidth;
    const Index last = std::min(layout.perRow, static_cast<Index>(layout.area.width() / layout.cellWidth));
    return static_cast<qreal>(last - column) * layout.cellWidth < cells ? row + 1 : row;
}

} // namespace stridescope
