#pragma once
// How much room an item can take: for skipping what is not exposed.

#include "widgets/scene/scene.h"

namespace stridescope {

/// A rectangle that holds everything the painter draws for the item, marks and halos included. Never empty.
QRectF itemBounds(const SceneItem& item, const Theme& theme);

} // namespace stridescope
