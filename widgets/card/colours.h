#pragma once
// Tensors that are pictures: which dim holds the colours of their pixels, and what these are called.

#include "core/tensor/tensor.h"

#include <QString>

namespace stridescope {

/// A few pixels are numbers until colours are asked for.
inline constexpr Index kLeastPictureSide = 16;

/// The dim that holds the colours of a picture: three or four bytes, last or before height and width, both of them at
/// least `leastSide` pixels long. -1 for everything else.
int colourDim(const Tensor& tensor, const View& view, Index leastSide = kLeastPictureSide);

/// 0 is "red", then "green", "blue", "alpha".
QString colourName(Index channel);

} // namespace stridescope
