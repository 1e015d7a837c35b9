#pragma once
// A strip whose cells are too small for numbers, as images of its rows: cost by pixels, not by cells.

#include "widgets/scene/cell_values.h"
#include "widgets/scene/paint_context.h"

namespace stridescope {

/// Share of a row's height, from its top, that shows the colours of the values; the rest shows what the view reaches.
qreal stripHeatShare(const StripItem& strip, const CellValues& values);
/// The cells of one strip row into `target` (a scene rectangle): fills, or value colours above a band that shows what
/// the view reaches. Several cells in one pixel column show the highest value above the lowest, of samples with a
/// dotted line.
void paintStripImage(PaintContext& context, const StripItem& strip, const CellValues& values, Index row,
                     const QRectF& target, Index samplesPerColumn);

} // namespace stridescope
