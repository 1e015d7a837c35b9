#pragma once
// A grid whose cells are too small for numbers, as one image at the device's resolution: cost by pixels, not by cells.

#include "widgets/scene/cell_values.h"
#include "widgets/scene/paint_context.h"

namespace stridescope {

/// Fills the visible part of the grid: values as colours when the grid wants them or its cells are very small, else
/// the view's fill with lines between cells.
void paintGridImage(PaintContext& context, const GridItem& grid, const CellValues& values);

} // namespace stridescope
