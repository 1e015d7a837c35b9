#pragma once
// Many images as one picture: which pixel of which image stands where, and pieces of that picture as QImages, read
// straight from the tensor's strides.

#include "core/ops/image_grid.h"
#include "widgets/images/overwrites.h"

#include <QColor>
#include <QImage>
#include <QRect>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace stridescope {

enum class ChannelLook : quint8 { Colour, Grey, Tint };

/// How values become colours.
struct ImageLook {
    double black = 0, white = 255; ///< values drawn as 0 and 255; what lies outside is clipped
    ChannelLook show = ChannelLook::Colour;
    int single = -1;   ///< which of R, G and B a picture's only channel is: its tint
    bool each = false; ///< black and white are each image's own lowest and highest value, as make_grid's scale_each
    friend bool operator==(const ImageLook&, const ImageLook&) = default;
};

/// Images {n, c, h, w} (or {c, h, w}, {h, w}) and their place in a grid. A pure value.
class ImageSheet {
public:
    ImageSheet() = default;
    /// Precondition: isImages(tensor). `order` gives the image at each place; empty: as they come.
    /// Bytes are seen with `overwrites`.
    ImageSheet(Tensor tensor, Index nrow, Index padding, std::vector<Index> order = {}, OverwritesPtr overwrites = {});
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
    /// The image at a place of the grid; nothing where none stands.
    std::optional<Index> imageAt(Index row, Index column) const;
    /// Draws how far each value is from that of `other` at the same place instead. Values and slots stay this sheet's.
    /// Precondition: the same shape.
    void compareWith(const ImageSheet& other) { m_other = std::make_shared<const ImageSheet>(other); }
    bool isDifference() const { return m_other != nullptr; }

    /// Slot in the storage, and the value, of a channel of a pixel.
    Index slot(const Pixel& pixel, Index channel) const;
    double value(const Pixel& pixel, Index channel) const;
    /// What the pixel's place is drawn from: its value, or how far it is from that of the other sheet.
    double drawn(const Pixel& pixel, Index channel) const;
    /// The first pixel and channel that lie at a slot, if any do.
    std::optional<std::pair<Pixel, Index>> pixelOfSlot(Index slot) const;
    Dims coord(const Pixel& pixel, Index channel) const;
    QRgb colour(const Pixel& pixel, const ImageLook& look) const;
    /// The black and white points of one image: the look's, or its own.
    std::pair<double, double> rangeOf(Index image, const ImageLook& look) const;

    /// The part of the picture that begins at (left, top), `side` x `side` pixels, each standing for `step` x `step`
    /// of the picture. Padding is `ground`. NaN and infinities are a chequered black and white.
    QImage tile(Index left, Index top, int side, Index step, const ImageLook& look, QRgb ground) const;
    /// The same, `rows` rows of it from row `from` on, into an image of that side and of Format_RGB32.
    void drawRows(QImage& tile, Index left, Index top, int from, int rows, Index step, const ImageLook& look,
                  QRgb ground) const;

private:
    Tensor m_tensor;
    Index m_count = 0, m_channels = 0, m_height = 0, m_width = 0, m_padding = 2;
    Index m_imageStride = 0, m_channelStride = 0, m_rowStride = 0, m_columnStride = 0;
    GridShape m_shape{0, 0, 0, {}};
    std::vector<Index> m_order, m_positions;
    OverwritesPtr m_overwrites;
    std::shared_ptr<const ImageSheet> m_other;
    /// Lowest and highest value of images, as far as they were asked for.
    std::shared_ptr<std::vector<std::optional<std::pair<double, double>>>> m_ranges;
};

/// What a value has that no colour shows.
enum class ValueMark : quint8 { None, Nan, PlusInfinity, MinusInfinity, Above, Below };
ValueMark markOf(double value, double black, double white);

/// Range that values of this dtype are usually in: 0 … 255 of integers, 0 … 1 of floats.
ImageLook usualLook(DType dtype);

} // namespace stridescope
