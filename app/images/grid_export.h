#pragma once
// What of a screen full of images goes into a file, as make_grid and save_image have it, and the line that does the
// same.

#include "core/ops/image_grid.h"
#include "core/result.h"

#include <QString>

#include <vector>

namespace stridescope {

/// What becomes of values that are no 0 … 1 (0 … 255 of integers).
enum class GridScaling : quint8 {
    CutOff, ///< as save_image: cut off
    Range,  ///< normalize=True, value_range=(black, white)
    Each    ///< normalize=True, scale_each=True
};

struct GridExport {
    Index columns = 12, padding = 2;
    double padValue = 0;
    GridScaling scaling = GridScaling::CutOff;
    double black = 0, white = 1;
    std::vector<Index> order; ///< the image at each place; empty: as they come
    Index seed = 0;           ///< of that order
};

/// The grid as bytes {h, w, c}. Refused: what make_grid and its operations refuse, GRID-03 for no images.
Result<Tensor> exportedGrid(const Tensor& images, const GridExport& how);

/// 'torchvision.utils.save_image(x, "images.png", nrow=12)', after lines that it needs.
QString saveLine(const Tensor& images, const GridExport& how, const QString& name, const QString& file);

/// How many values a file of pictures cannot hold.
struct OutsideCounts {
    Index below = 0, above = 0, nans = 0, infinities = 0;
    bool sampled = false; ///< of a part of the values, and scaled up
    double low = 0, high = 1;
    bool any() const { return below + above + nans > 0; }
};
OutsideCounts countOutside(const Tensor& images);

/// The order that torch.manual_seed(seed); torch.randperm(count) gives.
std::vector<Index> shuffledOrder(Index count, Index seed);

} // namespace stridescope
