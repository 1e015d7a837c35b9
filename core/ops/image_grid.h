#pragma once
// Many images as one, and an image as bytes to save: torchvision's make_grid and save_image.
// Source: torchvision 0.14's documentation of torchvision.utils.

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <utility>

namespace stridescope {

struct GridOptions {
    Index nrow = 8;    ///< images in a row
    Index padding = 2; ///< pixels around each
    bool normalize = false;
    std::optional<std::pair<double, double>> valueRange; ///< of normalize: what becomes 0 and 1; absent: min and max
    bool scaleEach = false;                              ///< of normalize: min and max of each image alone
    Scalar padValue = 0.0;
};

/// Where image `k` of a grid stands: its first row and column, without the padding.
struct GridPlace {
    Index y = 0, x = 0;
};
/// Columns, rows, and places of a grid of `count` images of `height` x `width`.
struct GridShape {
    GridShape(Index count, Index height, Index width, const GridOptions& options);
    Index across = 1, down = 1;
    Index height = 0, width = 0; ///< of the grid
    GridPlace place(Index k) const { return {k / across * m_stepY + m_padding, k % across * m_stepX + m_padding}; }

private:
    Index m_stepY, m_stepX, m_padding;
};

/// {n, c, h, w} -> {c, rows * (h + padding) + padding, columns * (w + padding) + padding}; {h, w} and {c, h, w} are one
/// image, which stays alone. One channel becomes three. The result is new except for one image that needs no change.
/// @throws ShapeError with PyTorch's words for other shapes, ValueError (GRID-01) for nrow below 1 or padding below 0,
///         and what the operations refuse (clamping integers to floats in place: CAST-01).
Tensor makeGrid(const Tensor& images, const GridOptions& options = {});

/// A grid {c, h, w} of values from 0 to 1 as uint8 {h, w, c}: times 255, rounded, what lies outside cut off.
/// @throws as the operations: a grid of integers cannot take the half that rounding adds (CAST-01).
Tensor imageBytes(const Tensor& grid);

} // namespace stridescope
