#include "core/ops/image_grid.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/joining.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"

#include <algorithm>

namespace stridescope {
namespace {

double numberOf(const Tensor& one) {
    return to(to(one, Device{}), DType::Float64).data<double>()[0];
}

void stretch(const Tensor& image, const GridOptions& options) {
    const auto [low, high] =
        options.valueRange ? *options.valueRange : std::pair(numberOf(min(image)), numberOf(max(image)));
    clamp_(image, Scalar(low), Scalar(high));
    sub_(image, Scalar(low));
    div_(image, Scalar(std::max(high - low, 1e-5)));
}

} // namespace

GridShape::GridShape(Index count, Index imageHeight, Index imageWidth, const GridOptions& options)
    : across(std::max<Index>(std::min(options.nrow, count), 1)), down((count + across - 1) / across),
      m_stepY(imageHeight + options.padding), m_stepX(imageWidth + options.padding), m_padding(options.padding) {
    height = m_stepY * down + m_padding;
    width = m_stepX * across + m_padding;
}

Tensor makeGrid(const Tensor& given, const GridOptions& options) {
    if (options.nrow < 1 || options.padding < 0)
        throwRefusal({ErrorKind::Value,
                      "GRID-01",
                      "make_grid: nrow is " + std::to_string(options.nrow) + " and padding " +
                          std::to_string(options.padding) + "; they are at least 1 and 0",
                      {},
                      {}});
    Tensor images = given;
    if (images.dim() == 2) images = unsqueeze(images, 0);
    if (images.dim() == 3) images = unsqueeze(images.size(0) == 1 ? cat({images, images, images}, 0) : images, 0);
    if (images.dim() != 4)
        throwRefusal({ErrorKind::Runtime,
                      "GRID-02",
                      "make_grid: images are (n, c, h, w), (c, h, w) or (h, w), but the tensor has " +
                          std::to_string(given.dim()) + " dims",
                      {},
                      {}});
    if (images.size(1) == 1) images = cat({images, images, images}, 1);
    if (options.normalize) {
        images = clone(images);
        if (!options.scaleEach) stretch(images, options);
        for (Index k = 0; options.scaleEach && k < images.size(0); ++k) stretch(select(images, 0, k), options);
    }
    const Index count = images.size(0);
    if (count == 1) return squeeze(images, 0);
    const GridShape shape(count, images.size(2), images.size(3), options);
    Tensor grid = newFull(images, {images.size(1), shape.height, shape.width}, options.padValue);
    for (Index k = 0; k < count; ++k) {
        const GridPlace place = shape.place(k);
        const Tensor rows = narrow(grid, 1, place.y, images.size(2));
        copy_(narrow(rows, 2, place.x, images.size(3)), select(images, 0, k));
    }
    return grid;
}

Tensor imageBytes(const Tensor& grid) {
    Tensor scaled = mul(grid, Scalar(Index{255}));
    add_(scaled, Scalar(0.5));
    clamp_(scaled, Scalar(Index{0}), Scalar(Index{255}));
    return contiguous(to(permute(scaled, {1, 2, 0}), Device{}, DType::UInt8));
}

} // namespace stridescope
