#pragma once
// Pieces that the explaining figures share: message bar, storage strip with its handle, mini cells, ways-out cards.

#include "widgets/card/card_layout.h"
#include "widgets/card/draw.h"
#include "widgets/figures/figure.h"
#include "widgets/scene/cell_values.h"

#include "core/error.h"

namespace stridescope {

/// "y.view(12) is not possible. Nothing was changed." over the exact error, and a cross that closes it if it
/// `closes`. Returns its height.
qreal appendMessageBar(SceneBuilder& out, QRectF room, const QString& code, const Refusal& refusal, bool closes);
/// "RuntimeError: …": the exception's Python name and the whole message.
QString errorText(const Refusal& refusal);

/// A window of the storage as numbered cells beside its handle.
struct FigureStrip {
    StripLayout layout; ///< in the figure's coordinates
    QRectF handle;
    Index first = 0, count = 0; ///< slots shown
    qreal numbersFrom = 0;      ///< width from which on cells have room for their values
    /// Cells too narrow for numbers show the colours of their values; a bar must say which.
    bool coloured() const;
    qreal top() const { return layout.area.top(); }
    qreal bottom() const { return layout.area.bottom(); }
    QRectF cell(Index slot) const { return layout.cellRect(slot); }
    bool shows(Index slot) const { return slot >= first && slot < first + count; }
};
struct FigureStripInput {
    Tensor source;
    int storageNumber = 0;
    QStringList sharedBy; ///< names of all tensors on it; one alone is not named
    std::optional<StripReach> reach;
    SlotRange outOfRange;          ///< hatched cells past the end
    std::optional<View> wanted;    ///< the view that names them, where known: those that it skips are not hatched
    Index lowest = 0, highest = 0; ///< slots that must be seen, if that is possible
    qreal before = 0;              ///< room that is kept between handle and cells
    std::vector<CellMark> marks;
};
/// Geometry in the given room: left edge, top of the cells, and the width for handle and cells.
FigureStrip layoutStrip(const FigureStripInput& input, QPointF at, qreal width);
/// More rows like that of `strip`, `rows` in all if the storage has so many: they are then those round its first slot.
void wrapStrip(FigureStrip& strip, Index rows);
/// Returns the bottom of the words under the handle.
qreal appendStrip(SceneBuilder& out, const FigureStripInput& input, const FigureStrip& strip);

/// Whether that is the text of NaN or of an infinity: bold in every cell.
bool isOdd(const QString& value);

/// Values as small cells with text: for result pictures inside a card.
struct MiniCells {
    qreal cellWidth = 24, cellHeight = 22;
    FontRole font = FontRole::Meta;
    qreal width(Index cells) const { return cellWidth * static_cast<qreal>(cells); }
};
/// Cells wide enough for these texts.
MiniCells miniCellsFor(const std::vector<QString>& texts);
void appendMiniCells(SceneBuilder& out, QPointF at, const MiniCells& cells, const std::vector<QString>& texts,
                     Tone fill);

/// A card that offers a way out: number, code, cost, sentence, footnote, button. The picture in the middle is the
/// caller's.
struct WayCard {
    QString code, button, sentence, footnote; ///< without words for it, no button
    Index copiedBytes = 0;                    ///< 0: a view
    QString refused; ///< why it cannot be had now, in words; then there is no button, and nothing to press
    bool primary = false;
};
inline bool hasButton(const WayCard& way) {
    return way.refused.isEmpty() && !way.button.isEmpty();
}
/// With a sentence of one line; every further line adds kWayLine, and moves the picture down by as much.
constexpr qreal kWayCardHeight = 170, kWayLine = 16, kBriefWayHeight = 75, kSketchedWayHeight = 92;
/// Lines that the sentence takes in a card of this width: 1 or 2.
int sentenceLines(const WayCard& way, qreal width);
/// `brief`: without the sentence, at least kBriefWayHeight high; what is higher leaves room over cost and button.
/// `number` is that of its button from 1.
void appendWayCard(SceneBuilder& out, const QRectF& rect, int number, const WayCard& way, bool brief = false);
/// "Not offered: one tensor may take 12.1 GB now." for a copy of so many of the tensor's elements; empty when there is
/// memory for it.
QString copyRefused(const Tensor& tensor, Index elements);
/// Bytes of so many elements, the largest Index where that overflows.
Index bytesOf(const Tensor& tensor, Index elements);
/// A plain button with the part Button.
void appendButton(SceneBuilder& out, const QRectF& rect, const QString& text, bool primary, int index);
qreal buttonWidth(const QString& text);

/// "One way out", "Two ways out" …
QString waysTitle(std::size_t count);

} // namespace stridescope
