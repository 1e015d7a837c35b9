#pragma once
// One element, byte by byte and bit by bit: what lies in the storage where a cell points.

#include "widgets/scene/scene.h"

namespace stridescope {

/// Value, index, byte range and one box per byte in address order (little-endian). With `bits`, below them the bits
/// from the highest to the lowest, grouped and labelled: sign, exponent, mantissa, or sign and value. Of a complex
/// element first the real part, then the imaginary one.
/// Empty scene when the pick's storage holds no such slot or lives on a device whose bytes cannot be read here.
Scene cellBytesScene(const WorkspaceSnapshot& snapshot, const Pick& pick, bool bits, qreal width);

} // namespace stridescope
