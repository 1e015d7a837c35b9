#pragma once
// What a change of dtype would lose, before it is done.

#include "core/tensor/tensor.h"

#include <cstddef>
#include <limits>

namespace stridescope {

/// What happens to one element when copy_ converts it.
enum class Loss : std::uint8_t {
    None,       ///< the same value (NaN stays NaN)
    Rounded,    ///< the nearest value of the new dtype, or a fraction cut off, or any number other than 0 and 1 to bool
    Imaginary,  ///< the imaginary part, which is not 0, is left out
    OutOfRange, ///< another number altogether: wrapped, infinite, or NaN in a dtype that has none
};

struct LossCount {
    Index elements = 0; ///< looked at: every element that the view names, as often as it names it
    Index rounded = 0, imaginary = 0, outOfRange = 0;
    Index first = -1; ///< the first element that loses something, counted in row-major order; -1 for none
    Index lossy() const { return rounded + imaginary + outOfRange; }
};

/// Loss of the element at `address` (any alignment) when converted from `from` to `to`; of several the last that Loss
/// names.
Loss conversionLoss(const std::byte* address, DType from, DType to);

/// Counts over the first `limit` elements of t in row-major order, or all; reads each once.
/// @throws ValueError for an undefined tensor, DeviceError (ELEM-03) off the CPU.
LossCount countLossy(const Tensor& t, DType to, Index limit = std::numeric_limits<Index>::max());

} // namespace stridescope
