#pragma once
// Arrows with labels and ticks at the edges of a card's grids, and the sliders that choose a slice.

#include "widgets/card/card_parts.h"

namespace stridescope::card {

/// On the lowest stages of a class dims have their numbers alone: no arrow, no label.
inline bool isBare(const CardInput& input) {
    return input.presented && input.brief;
}
/// Room for an arrow with its label, and for the ticks below it.
inline qreal axisRoom(const CardInput& input) {
    constexpr qreal kUnderFrame = 3;
    return isBare(input) ? kUnderFrame : input.slim ? 18 : 20;
}
inline qreal tickRoom(const CardInput& input) {
    return input.slim ? 14 : 16;
}

/// "dim 0 (H) · 32", not placed yet.
CardAxis makeAxis(const CardInput& input, int dim, Index size, bool vertical);
/// "h" where dims have names, else the letter of the dim.
QString coordName(const CardInput& input, int dim);
/// Takes arrow and label away, and leaves the ticks.
void makeBare(CardAxis& axis);
/// Label, then the arrow in the direction of growth: at least a short one, however small the grid is.
void placeHorizontal(CardAxis& axis, QPointF start, qreal length);
/// As above, downwards. Where `length` is too short, it starts up to `above` higher before it ends lower; with `brief`
/// the label loses the size of the dim first.
void placeVertical(CardAxis& axis, QPointF start, qreal length, qreal above = 0, bool brief = false);
/// First, last and hovered index of the window, unless their labels would touch.
void addTicks(CardAxis& axis, Index first, Index shown, std::optional<Index> hovered, qreal cell, QPointF origin,
              bool alongX);

/// The coord of the shown element that lies in the slice `outer`, if one does.
const Dims* ringInSlice(const CardLayout& card, const Dims& outer);

/// Text in the small label font at a baseline.
TextItem caption(QPointF at, const QString& text);

} // namespace stridescope::card
