#pragma once
// The labels under the cells of a strip: element numbers, bytes or addresses, as many as fit.

#include "widgets/scene/paint_context.h"

namespace stridescope {

/// Every how many slots a label stands when each takes `width` pixels: 1, 2, 5, 10 … for elements, powers of two for
/// bytes and addresses.
Index rulerStep(qreal cellWidth, qreal width, bool powersOfTwo);
/// Label of a slot: "12", "96", "0x5660".
std::string rulerLabel(const StripItem& strip, Index slot);

void paintRuler(PaintContext& context, const StripItem& strip, Index row, SlotRange slots);
/// For rows that have no ruler of their own: the label of each row's first slot at its left, as many as fit, and under
/// the last row how far the columns are from there.
void paintRowIndex(PaintContext& context, const StripItem& strip);
/// Room that those labels need.
qreal rowIndexWidth(const StripItem& strip);
inline constexpr qreal kRowIndexHeight = 18;

} // namespace stridescope
