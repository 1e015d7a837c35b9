#pragma once
// Many images as one picture: which pixel of which image stands where, and pieces of that picture as QImages, read
// straight from the tensor's strides.

#include "core/ops/image_grid.h"

#include <QColor>
#include <QImage>
#include <QRect>

#include <optional>
#include <vector>

namespace stridescope {

enum class ChannelLook : quint8 { Colour, Grey, Tint };

/// How values become colours.
struct ImageLook {
    double black = 0, white = 255; ///< values drawn as 0 and 255; what lies outside is clipped
    ChannelLook show = ChannelLook::Colour;
    int solo = -1; ///< only this channel is looked at
    friend bool operator==(const ImageLook&, const ImageLook&) = default;
};

/// Images {n, c, h, w} (or {c, h, w}, {h, w}) and their place in a grid. A pure value.
class ImageSheet {
public:
    ImageSheet() = default;
    /// Precondition: isImages(tensor). `order` gives the image at each place; empty: as they come.
    ImageSheet(Tensor tensor, Index nrow, Index padding, std::vector<Index> order = {});
    /// Why the tensor cannot be drawn as images; empty: it can.
    static QString whyNot(const Tensor& tensor);

    bool isEmpty() const { return m_count == 0; }
    const Tensor& tensor() const { return m_tensor; }
    Index count() const { return m_count; }
    Index channels() const { return m_channels; }
    Index imageHeight() const { return m_height; }
    Index imageWidth() const { return m_width; }
    QSize size() const { return {static_cast<int>(m_shape.width), static_cast<int>(m_shape.height)}; }
    Index across() const { return m_shape.across; }
    Index down() const { return m_shape.down; }
    Index padding() const { return m_padding; }

    struct Pixel {
        Index image = 0, y = 0, x = 0;
        friend bool operator==(const Pixel&, const Pixel&) = default;
    };
    /// The pixel at a place of the picture; nothing on the padding. pixelAt(placeOf(p)) == p.
    std::optional<Pixel> pixelAt(Index px, Index py) const;
    QPoint placeOf(const Pixel& pixel) const;
    QRect imageRect(Index image) const;
    /// The place in the grid of image `image`.
    Index positionOf(Index image) const;

    /// Slot in the storage, and the value, of a channel of a pixel.
    Index slot(const Pixel& pixel, Index channel) const;
    double value(const Pixel& pixel, Index channel) const;
    Dims coord(const Pixel& pixel, Index channel) const;
    QRgb colour(const Pixel& pixel, const ImageLook& look) const;

    /// The part of the picture that begins at (left, top), `side` x `side` pixels, each standing for `step` x `step`
    /// of the picture. Padding is `ground`.
    QImage tile(Index left, Index top, int side, Index step, const ImageLook& look, QRgb ground) const;

private:
    Tensor m_tensor;
    Index m_count = 0, m_channels = 0, m_height = 0, m_width = 0, m_padding = 2;
    Index m_imageStride = 0, m_channelStride = 0, m_rowStride = 0, m_columnStride = 0;
    GridShape m_shape{0, 0, 0, {}};
    std::vector<Index> m_order, m_positions;
};

/// Range that values of this dtype are usually in: 0 … 255 of integers, 0 … 1 of floats.
ImageLook usualLook(DType dtype);

} // namespace stridescope
