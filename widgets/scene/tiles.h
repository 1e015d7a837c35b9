#pragma once
// Cells whose outline is not a plain rectangle (ghosts, hatching, stripes), drawn once for each size and then copied.

#include "widgets/scene/paint_context.h"

namespace stridescope {

enum class Tile : quint8 {
    Skipped,       ///< dotted outline, no fill
    Repeat,        ///< dotted outline, faded fill
    Beyond,        ///< hatched, error outline: outside the storage
    BeyondSkipped, ///< hatched in grey, dotted: outside the storage, and the wanted view steps over it
    Overlap,       ///< slanted stripes: several coords land here
    Line,          ///< dotted outline of a lane cell
};

/// Draws the tile into an already snapped rectangle. `fill` is the view's colour; `parts` the number of stripes.
void paintTile(PaintContext& context, Tile tile, const QRectF& rect, const QColor& fill, int parts = 1);

} // namespace stridescope
