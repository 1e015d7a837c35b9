#pragma once
// The steps of layoutCard, one after the other from top to bottom. Only card_layout.cpp calls them.

#include "widgets/card/card_layout.h"

#include <unordered_map>

namespace stridescope::card {

inline constexpr qreal kPadding = 14;
inline constexpr qreal kDefaultWidth = 760, kDefaultHeight = 620;
inline constexpr Index kNumberedCells = 4096;
/// Dims that grids show; sliders choose those before them.
inline constexpr std::size_t kInnerDims = 4;
/// With more than this many, headers and formulas leave some out.
inline constexpr std::size_t kNamedDims = 12;
inline std::size_t laidOutDims(const CardInput& input) {
    return input.still ? 2 : kInnerDims;
}

QSizeF maxSize(const CardInput& input);
/// Room for the lines of the head, the padding not counted: that of the card or, where its cells stand beside it and a
/// width was asked for, that.
qreal headRoom(const CardInput& input);

/// Which dim of the view holds colours, and which channel of a picture the tensor is: channelDim and channel.
void findColours(CardLayout& card);
/// The colour whose elements are meant by the cells of a picture, of those in channelDim: the one that was asked for.
Index wantedChannel(const CardLayout& card);
/// The dim of the colours of a picture with their names, which are a switch on the stage, from a baseline on.
void layoutColours(CardLayout& card, QPointF at, qreal& width);
/// Badge, code, pill, metadata, device line. Sets header, pill, codeLines, texts and the least width that they need;
/// returns the y below them.
qreal layoutHeader(CardLayout& card, qreal& width);
/// The head of a presented card: badge and code, then size, stride, offset and contiguity, on the same line where
/// `limit` leaves room, else below. Returns the y below them.
qreal layoutBriefHeader(CardLayout& card, qreal limit, qreal& width);
/// The formula, in as many rows as it needs. Returns the y below it.
qreal layoutFormula(CardLayout& card, qreal top, qreal& width);
/// Sliders for the dims before those that grids lay out, four at most, and the breadcrumb of the slice. Returns the y
/// below them.
qreal layoutSliders(CardLayout& card, qreal top, qreal& width);
/// Index shown for each dim before those that grids lay out or that holds colours, inside its range.
Dims outerCoord(const CardLayout& card);
/// Captions, axes and panels, or the block, right of and below `at`. `width` grows to what they need on the card.
/// Returns the y below them.
qreal layoutBody(CardLayout& card, QPointF at, qreal& width);
/// The note beside the cells, where there is room, else below them, on a card of that width. Returns the y below it.
qreal layoutNote(CardLayout& card, qreal bottom, qreal width);
/// On a card without its note: beside or under the cells that stride 0 repeats them, as far as there is room.
void addRepeatNote(CardLayout& card);
/// In a brief head the pill: a sign and the name of what the tensor came from, at the end of a line with room for it.
void addBriefPill(CardLayout& card);
/// Coords of the view that name the shown element: the pointed-at one first. At most 64.
std::vector<Dims> shownCoords(const CardInput& input, const View& view);

/// "dim 0 (H)": the number always, the name where there is one.
QString dimLabel(const CardInput& input, int dim);

/// Widest text that the view's cells hold, in the cell font; of a large view in a sample that is spread over it. The
/// same wherever the view is scrolled to and however much of it is in sight: cells must not breathe.
qreal widestCell(const Tensor& source, const View& view, CellText text);
/// Slots that several elements name, with how many; dims of stride 0 are not counted (those are ghosts). Empty for
/// views of more than 4096 elements.
std::unordered_map<Index, Index> overlapCounts(const View& view);
/// The card's view as a block; its parent's left-out cells become ghosts.
BlockInput blockInputOf(const CardLayout& card);

} // namespace stridescope::card
