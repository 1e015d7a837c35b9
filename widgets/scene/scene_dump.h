#pragma once
// A Scene as text, one line an item: golden tests and bug reports. The same scene gives the same text everywhere.

#include "widgets/scene/scene.h"

namespace stridescope {

/// Coordinates with at most two decimals; storages as #1, #2 … in order of appearance, so that ids do not show.
QString dumpScene(const Scene& scene);

} // namespace stridescope
