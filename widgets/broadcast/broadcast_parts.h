#pragma once
// What the parts of the broadcast picture share. Only the scene's own files include it.

#include "widgets/broadcast/broadcast_scene.h"
#include "widgets/card/formula.h"

namespace stridescope::broadcast {

inline constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;
inline constexpr Qt::Alignment kRight = Qt::AlignRight | Qt::AlignBaseline;

/// Of the bytes, one under the other.
inline constexpr qreal kBytesHead = 24, kBytesLine = 19;

/// Width of the table of sizes in a picture that is not wide.
inline constexpr qreal kLeastTable = 212;

/// Where everything stands. Made once for each frame, from the size and the model.
struct Places {
    QRectF stages, table, side; ///< `side`: bytes and notes, or what went wrong
    bool sideBelow = false;     ///< the bytes stand under the table: the window is narrow
    std::vector<QRectF> cards;  ///< of the operands, and last of the result where there is one
    std::vector<QRectF> strips; ///< of the operands, under their cards
    QRectF now;                 ///< under the result's card
    QRectF resultStrip;
    bool low = false; ///< every line counts
};

/// Cells of all cards: panels of equal size, so that one coord has one place on every card.
struct Cells {
    Dims shape; ///< largest size of each dim that any card shows
    Index rows = 1, cols = 1, panelRows = 1, panelCols = 1;
    /// Of how many rows, columns and panels these are, and the first of them: where all of them would leave no room for
    /// their numbers, a part of them is seen.
    Index allRows = 1, allCols = 1, firstRow = 0, firstCol = 0;
    Index allPanelRows = 1, allPanelCols = 1, firstPanelRow = 0, firstPanelCol = 0;
    /// How far the part is from the first one: rows, then panels.
    Index down = 0, right = 0;
    int panelRowDim = -1, panelColDim = -1;
    QSizeF cell{44, 32};
    qreal gap = 0;        ///< between panels
    qreal sliceLine = 0;  ///< height of the words below the cells, where dims are left out
    QPointF inset;        ///< of the first cell in the card
    bool formula = false; ///< there is room for the index formula above the cells
    QSizeF panel() const { return {cell.width() * static_cast<qreal>(cols), cell.height() * static_cast<qreal>(rows)}; }
    bool isPart() const { return rows < allRows || cols < allCols || arePanelsPart(); }
    bool arePanelsPart() const { return panelRows < allPanelRows || panelCols < allPanelCols; }
    /// The first of the rows and columns that a card of that many shows, and how many.
    std::pair<Index, Index> rowsOf(Index size) const { return partOf(size, firstRow, rows); }
    std::pair<Index, Index> colsOf(Index size) const { return partOf(size, firstCol, cols); }
    /// The same of panels.
    std::pair<Index, Index> panelRowsOf(Index size) const { return partOf(size, firstPanelRow, panelRows); }
    std::pair<Index, Index> panelColsOf(Index size) const { return partOf(size, firstPanelCol, panelCols); }
    /// Top left of a panel relative to the card, counted from the first that is seen.
    QPointF panelAt(Index row, Index col) const;

private:
    /// What is not stretched yet has one, which is seen wherever the others are.
    static std::pair<Index, Index> partOf(Index size, Index first, Index most) {
        const Index from = size > 1 ? std::min(first, size) : 0;
        return {from, std::min(size - from, most)};
    }
};

struct Picture {
    const BroadcastModel& model;
    const BroadcastTimeline& timeline;
    BroadcastLook look;
    BroadcastFrame frame;
    Places places;
    Cells cells;
    Dims outer; ///< indices of the dims before the last four
    /// The element whose sources are shown.
    std::optional<Index> shown() const { return look.picked && allJudged() ? look.picked : frame.now; }
    bool allJudged() const { return frame.judged >= static_cast<int>(model.shape.size()) && model.ok(); }
    bool stretched() const { return frame.stretch > 0 && model.ok(); }
};

/// Everything of a moment; `model` and `timeline` must outlive it.
Picture pictureFor(const BroadcastModel& model, const BroadcastTimeline& timeline, const BroadcastLook& look);
/// `ok`: there is a result to show.
Places placesFor(const BroadcastModel& model, QSizeF size, bool ok);
Cells cellsFor(const BroadcastModel& model, const Places& places, bool ok);
/// Where a part of the cells is seen: the one that `coord` is in, moved by what the user scrolled.
void showPart(Cells& cells, const std::optional<Dims>& coord, const BroadcastLook& look);
/// Cards no higher than their cells need: what stands below comes up.
void tighten(Places& places, const Cells& cells);

bool stageIsOver(const Picture& p);
/// What is said of the moment: before a stage what will come, after it what came.
QString captionOf(const Picture& p);
void appendStages(SceneBuilder& out, const Picture& p);
void appendTable(SceneBuilder& out, const Picture& p);
/// "Dtype: int64 and float32 → float32." in a table of this width; empty where all dtypes are the same.
QStringList promotionLines(const BroadcastModel& model, qreal width);
/// Height of the lowest table with all its rows.
qreal leastTable(const BroadcastModel& model, qreal width, bool ok);
/// Returns the y below.
qreal appendBytes(SceneBuilder& out, const Picture& p, const QRectF& room);
/// Returns the y below.
qreal appendNotes(SceneBuilder& out, const Picture& p, const QRectF& room);
/// What would not fit, where there is room for it.
void appendCounterexample(SceneBuilder& out, const Picture& p, const QRectF& room);
void appendFailure(SceneBuilder& out, const Picture& p);
void appendOperandCard(SceneBuilder& out, const Picture& p, std::size_t operand);
void appendResultCard(SceneBuilder& out, const Picture& p);
void appendOperandStrip(SceneBuilder& out, const Picture& p, std::size_t operand);
void appendResultStrip(SceneBuilder& out, const Picture& p);
void appendNow(SceneBuilder& out, const Picture& p);
/// What the line has before its first tensor, between two, and behind the last one; `ok`: with "=" before the result.
/// "2 *", "+", "- 1 =". Empty where there is nothing.
QStringList signsOf(const BroadcastModel& model, bool ok);
/// How wide a sign is drawn.
qreal signRoom(const QString& sign);
void appendSigns(SceneBuilder& out, const Picture& p);
/// Where the formula of the index stands in a card, its terms for `view`; `coord` null: letters for indices.
std::vector<FormulaTerm> cardFormula(const Places& places, const QRectF& card, const View& view, const Dims* coord);

/// Lines of a sentence under one another; returns the y below.
qreal appendSentence(SceneBuilder& out, QPointF at, const QString& text, qreal width, Tone tone = Tone::Ink2,
                     FontRole font = FontRole::Label, int most = 6);
/// A badge of a view without an entry.
void appendBadge(SceneBuilder& out, QPointF centre, const BroadcastOperand& operand, qreal size);
/// Rectangle of a cell on a card; nothing in another slice.
std::optional<QRectF> cellRect(const Picture& p, const QRectF& card, const Dims& coord);

} // namespace stridescope::broadcast
