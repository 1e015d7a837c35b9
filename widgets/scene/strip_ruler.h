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

} // namespace stridescope
