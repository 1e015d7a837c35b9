#pragma once
// What must be painted again when one scene follows another.

#include "widgets/scene/scene.h"

namespace stridescope {

/// Rectangles outside of which `before` and `after` look the same. Grids, strips and lanes that differ only in their
/// marks give the cells of those marks. At most `limit` rectangles; more are merged.
std::vector<QRectF> changedRects(const Scene& before, const Scene& after, std::size_t limit = 24);

/// Where an item draws, outlines and arrow heads included; long curves as several small rectangles.
std::vector<QRectF> dirtyRects(const SceneItem& item);

} // namespace stridescope
