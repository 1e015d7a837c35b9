#pragma once
// What must be painted again when one scene follows another.

#include "widgets/scene/scene.h"

namespace stridescope {

/// Rectangles outside of which `before` and `after` look the same. Grids, strips and lanes that differ only in their
/// marks give the cells of those marks. At most `limit` rectangles; more are merged.
std::vector<QRectF> changedRects(const Scene& before, const Scene& after, std::size_t limit = 24);

/// Painting one rectangle more costs about as much as painting so many pixels: every item that reaches into it has
/// its fonts, paths and images prepared again.
inline constexpr qreal kRectCost = 200'000;

/// Joins rectangles wherever painting the one around both costs no more than painting each of them.
void mergeRects(std::vector<QRectF>& rects, qreal cost = kRectCost);

/// Where an item draws, outlines and arrow heads included; long curves as several small rectangles.
std::vector<QRectF> dirtyRects(const SceneItem& item);

} // namespace stridescope
