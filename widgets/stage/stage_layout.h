#pragma once
// Where things go on the Explore stage: one plan that the scene, the mouse and scrolling all read.

#include "widgets/card/formula.h"
#include "widgets/scene/zoom_levels.h"
#include "widgets/stage/explore_state.h"

namespace stridescope {

/// Where a slot lies that is scrolled out of a strip.
enum class StripSide : quint8 { InSight, Left, Right, Above, Below };

/// A storage strip with its owner handle.
struct StripPlan {
    quint64 storageId = 0;
    int number = 0;
    Tensor source; ///< 1-d over the whole storage
    StripLayout layout;
    QRectF handle;
    bool large = true;     ///< the selected tensor's storage; others are small
    bool tight = false;    ///< a small one without a line below its handle
    qreal indexBelow = 0;  ///< height kept for the ruler under each row of cells
    bool rowIndex = false; ///< rows too low for rulers: labels at their left and under the last one
    QRectF miniMap;        ///< empty when the whole strip is in sight
    Index visibleRows = 1; ///< whole rows in the area
    SlotRange outside;     ///< slots beyond an end that a preview or a refused line names; the strip is moved to them
    /// Which way the middle of a slot's cell is out of sight.
    StripSide sideOf(Index slot) const;
    bool inSight(Index slot) const { return sideOf(slot) == StripSide::InSight; }
    Index failingSlot() const; ///< the one of `outside` that is farthest from the storage
    /// Where the failing slot is drawn when it is out of sight; empty when it is in sight, or there is none.
    QRectF farCell() const;
    Index farRow() const; ///< in which it then stands
    bool scrollsRows() const { return layout.rowCount() > visibleRows; }
    bool scrollsColumns() const {
        return static_cast<qreal>(layout.perRow) * layout.cellWidth > layout.area.width() + 0.5;
    }
};

/// A storage that has no room for a strip: named, and shown when it is chosen.
struct ShelfChip {
    quint64 storageId = 0;
    TensorId tensor = 0; ///< its first one on stage
    QString text;        ///< "#3 · 12 × float32 · 48 B"
    int number = 0;      ///< of the storage
    Tensor source;       ///< 1-d over the whole storage
    QRectF rect;
};

/// Numbers of the buttons at the ends of a row of cards that goes on there.
inline constexpr int kCardsLeft = 101, kCardsRight = 102;

struct StagePlan {
    std::vector<CardLayout> cards;  ///< from the left; scrolled, so some may lie outside the viewport
    QRectF cardArea;                ///< the viewport of the row of cards
    qreal cardsWidth = 0;           ///< of the whole row
    qreal cardScroll = 0;           ///< as clamped, and with the selected card in sight
    QRectF moreLeft, moreRight;     ///< buttons in the margins of a row that goes on there; empty if it does not
    std::optional<StripPlan> strip; ///< of the selected tensor
    std::vector<StripPlan> others;  ///< by number: those before the selected tensor's storage stand above its strip
    std::size_t above = 0;          ///< how many of them
    std::vector<ShelfChip> shelf;   ///< storages of cards on stage that got no strip
    QPointF shelfWords;             ///< baseline of "not drawn:", with a shelf
    QString shelfMore;              ///< "and 3 more" after the last chip; may be empty
    qreal busY = 0;                 ///< of the tether's horizontal line
    qreal upZone = 0;               ///< height over the strip for flag and even hops
    qreal downZone = 0;             ///< height under the strip for odd hops
    bool secondHopRow = false;      ///< hops of dims 0 and 1 stand outside those of dims 2 and 3
    qreal lanesTop = 0;             ///< baseline of the lanes' caption
    bool laneCaption = false;
    std::vector<const TensorEntry*> lanes;
    QRectF colourBar;                 ///< empty unless values are coloured
    OddValues odd;                    ///< of its legend
    std::vector<FormulaTerm> formula; ///< of the selected tensor, when presenting: under the strip
    bool hops = true;                 ///< there is room for arches over and under the strip
    bool empty() const { return cards.empty(); }
    const CardLayout* card(TensorId id) const;
};

/// Under a strip whose cells share pixels it is said what a pixel shows.
inline bool hasOverviewWords(const StripPlan& strip) {
    return strip.large && strip.layout.cellWidth < 1;
}
inline constexpr qreal kOverviewWords = 16;

/// Over the cards.
inline constexpr qreal kStageTop = 10;
inline constexpr qreal kStageMargin = 20, kCardGap = 12, kHandleWidth = 118, kHandleGap = 6;
inline constexpr qreal kStripCell = 42, kStripCellMin = 34, kSmallStripCell = 34, kSmallStripHeight = 26;
inline constexpr qreal kPresentedStripCell = 28;
inline constexpr qreal kHopGap = 18, kSecondHopRow = 26;
/// Between the cells of a strip and a slot that lies farther out than they reach.
inline constexpr qreal kFarGap = 24;
/// Under the cards tethers of different storages are that far apart, from the feet and from the first strip. Between
/// the feet, with badges at them, and the first tether a link passes where there is room.
inline constexpr qreal kTetherLane = 6, kTetherFoot = 8, kTetherPass = 14, kTetherAir = 4;
/// More of them have no room beside the handles.
inline constexpr std::size_t kMostTethers = 4;
inline constexpr qreal kLanePitch = 24, kLaneHeight = 17;

StagePlan planStage(const ExploreState& state);
/// The plan of a stage that is presented: planStage() asks it where StageOptions::presented says so.
StagePlan planPresented(const ExploreState& state);

/// Cells per row under `wrap`; `width` is that of the strip's area.
Index cellsPerRow(const ExploreState& state, const TensorEntry& selected, Index cellCount, qreal cellWidth,
                  qreal width);

/// The same place where rows have got another length; with `pick` a picked cell that was in sight stays so.
StripScroll rewrapped(const StripPlan& strip, const StripScroll& scroll, const std::optional<Pick>& pick);
/// `scroll` moved by pixels to the right and down and kept inside the strip. Exact for any number of rows.
StripScroll scrolledBy(const StripPlan& strip, const StripScroll& scroll, qreal dx, qreal dy);
/// The nearest scroll position that shows `slot` whole.
StripScroll scrolledTo(const StripPlan& strip, const StripScroll& scroll, Index slot);
/// Whether any cell of the view is in sight.
bool showsPartOf(const StripPlan& strip, const View& view);
/// `scroll` where some cell of the view is in sight, else the scroll position that shows its offset. `strip` is as
/// planned with `scroll`.
StripScroll scrolledToView(const StripPlan& strip, const StripScroll& scroll, const View& view);
/// Lets the card of `id` show the cell at `coord`: its slice, and scrolled no farther than needed.
void scrollCardTo(ExploreState& state, const StagePlan& plan, TensorId id, const Dims& coord);
/// The size of cells at which the whole strip is in sight, and no smaller than needed for that; 0: the usual size. What
/// is below a pixel is 1 / n for a whole n of few binary digits: then columns of pixels have the same number of cells.
qreal wholeCellSize(const ExploreState& state);
/// The smallest size that zooming goes to: kMinCellSize, or less where only that shows the whole strip.
qreal leastCellSize(const ExploreState& state);
/// `size` from leastCellSize() to kMaxCellSize; 0, the usual one, for what is no size.
qreal clampedCellSize(const ExploreState& state, qreal size);
/// The slot under `anchor`, or the nearest one: that which a zoom there should keep.
Index slotToKeep(const StripPlan& strip, QPointF anchor);
/// The scroll position after the cell size changes to `size`, which keeps `slot` at `anchor` as far as the wrap allows,
/// and always in sight. `state` is the state before the change.
StripScroll zoomedAt(const ExploreState& state, qreal size, QPointF anchor, Index slot);

} // namespace stridescope
