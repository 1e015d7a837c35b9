#pragma once
// The grid of images for screen readers: the images as a table as they stand, and the pixels of the picked one as
// another, each with its values and where they lie. Both are made cell by cell, when one is asked for.

#include <QString>

namespace stridescope {

class ImageGridView;

/// "image 21, class 3 cat, row 1, column 9"; "no image" behind the last one.
QString imageCellName(const ImageGridView& view, int row, int column);
/// Of the picked image: "image 21 row 16 column 12, R 80 storage index 65036, G 81 storage index 66060, …".
QString pixelCellName(const ImageGridView& view, int row, int column);

/// Registers the factory for ImageGridView.
void installImagesAccessibility();

} // namespace stridescope
