#pragma once
// The arrows beside a block, one for each dim, with "dim 0 · 2" and the indices along them.

#include "widgets/card/block_layout.h"

namespace stridescope {

void appendBlockAxes(SceneBuilder& out, const BlockInput& input, const BlockLayout& layout);

} // namespace stridescope
