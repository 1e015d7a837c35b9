#pragma once
// For pictures that have to be the same bytes each time.

#include "widgets/scene/scene.h"

namespace stridescope {

/// Addresses are another matter at every start; without them the same request gives the same bytes.
Scene withoutAddresses(Scene scene);

} // namespace stridescope
