#pragma once
// ExploreState: everything that decides what the Explore stage looks like, as one value. The scene is a pure function
// of it, so that the screen, an export and a test can never disagree.

#include "widgets/card/card_layout.h"
#include "widgets/model/snapshot.h"
#include "widgets/scene/odd_count.h"
#include "widgets/scene/scene.h"

#include <QHash>
#include <QPointF>
#include <QSizeF>

namespace stridescope {

/// How many cells of a storage share a row of the strip.
enum class StripWrap : quint8 {
    Fit,    ///< as many as the stage is wide
    Row,    ///< from one row of the selected tensor to its next, in slots
    Line64, ///< one 64-byte cache line
    Number, ///< StageOptions::wrapNumber
};

/// Cells get smaller than kMinCellSize only where the whole storage is not in sight before: leastCellSize().
inline constexpr qreal kMinCellSize = 0.25, kMaxCellSize = 120;

struct StageOptions {
    CellText cellText = CellText::Value;
    StripItem::Ruler ruler = StripItem::Ruler::Elements;
    StripWrap wrap = StripWrap::Fit;
    Index wrapNumber = 16;
    /// Width of a strip cell in px, at most kMaxCellSize; 0: chosen to fit (42, down to 34, then wrapped). A storage
    /// that needs no cells smaller than kMinCellSize to be in sight has none.
    qreal cellSize = 0;
    bool byteStrides = false;   ///< headers name strides in bytes
    bool cacheLines = false;    ///< 64-byte boxes round the strip
    bool heat = false;          ///< value colours instead of view fills
    bool reducedMotion = false; ///< transitions are cuts
    qreal widestCard = 0;       ///< px; 0: as wide as the stage
    bool paper = false;         ///< taken away as a picture: nothing that only the mouse can use
    /// For a class to read: no text is smaller than Theme::kPresenterPixels, and so few things share the stage that
    /// this holds however small it is.
    bool presented = false;
    bool hidesValues = false; ///< before a question is answered: cells without what is in them, for no sense
    friend bool operator==(const StageOptions&, const StageOptions&) = default;
};

/// Where a strip is scrolled to. Whole rows and columns are 64-bit; only the rest is in pixels.
struct StripScroll {
    Index firstRow = 0;
    qreal rowShift = 0; ///< pixels of the first row that are already above, 0 … row pitch
    Index firstColumn = 0;
    qreal columnShift = 0;
    /// Of the strip that it was scrolled on: cells in a row and whole rows in sight. 0: as they are now. Where rows
    /// have become longer or shorter, the first cell in sight stays there, and so does a picked one.
    Index perRow = 0, rows = 0;
    friend bool operator==(const StripScroll&, const StripScroll&) = default;
};

/// How one card shows its tensor.
struct StageCard {
    CardMode mode = CardMode::Auto;
    CardDetail detail = CardDetail::Auto;
    Dims outer;                                 ///< indices of the dims that sliders choose; missing ones count as 0
    Index firstRow = 0, firstCol = 0;           ///< scroll position inside every panel …
    Index firstPanelRow = 0, firstPanelCol = 0; ///< … and over the panels
    friend bool operator==(const StageCard&, const StageCard&) = default;
};

/// What was refused last, drawn beside the card that it concerns until the next act.
struct StageMessage {
    QString code; ///< the line that was refused
    Refusal refusal;
    TensorId tensor = 0;
};

/// A mouse drag in progress, drawn over the picture.
struct StageDrag {
    QString label;             ///< the code that a release would run, or why nothing would
    QPointF at;                ///< of the label
    std::vector<QRectF> boxes; ///< dragged cells: a rectangle in each panel; or none
    QPointF from, to;          ///< dragged dim: from its label to the pointer; equal points: none
    std::optional<Index> slot; ///< that the offset flag is dragged to; may lie beyond the storage's ends
    bool legal = true;
    friend bool operator==(const StageDrag&, const StageDrag&) = default;
};

struct ExploreState {
    SnapshotPtr snapshot; ///< null counts as empty
    Selection selection;
    std::optional<Preview> preview;
    StageOptions options;
    QSizeF viewport{1016, 642};         ///< logical pixels
    QHash<quint64, StripScroll> scroll; ///< by storage id
    QHash<TensorId, StageCard> cards;
    std::vector<TensorId> order; ///< of cards from the left; tensors that are not named follow in order of creation
    qreal cardScroll = 0;        ///< pixels that the row of cards is scrolled to the left
    bool cardsByHand = false;    ///< scrolled since the last selection: the selected card need not be in sight
    std::optional<StageMessage> message;
    std::optional<StageDrag> drag;
    Summaries summaries; ///< of large storages, as far as they were read
    OddCounts odd;       ///< NaN and infinities of large storages, as far as they were counted
    TensorId fresh = 0;  ///< the view that the last act made: it moves into its place while t runs from 0 to 1

    /// Tensors whose cards are on stage, from the left. The selected one is always among them.
    std::vector<const TensorEntry*> visible() const;
};

} // namespace stridescope
