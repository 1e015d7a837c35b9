#pragma once
// Numbers as people read them.

#include "core/view/dims.h"

#include <QString>

namespace stridescope {

/// "[2, 1]", "[]".
QString coordText(const Dims& coord);

} // namespace stridescope
