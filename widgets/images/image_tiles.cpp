#include "widgets/images/image_tiles.h"

#include "core/dtype/dtype.h"
#include "core/view/inverse.h"
#include "widgets/images/slot_walk.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stridescope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("stridescope::ImageSheet", text);
}

/// Values to 0 … 255, between black and white.
struct Levels {
    double black, scale;
    Levels(double low, double high) : black(low), scale(255 / (high > low ? high - low : 1)) {}
    int operator()(double value) const {
        const double scaled = (value - black) * scale + 0.5;
        return scaled >= 255 ? 255 : scaled > 0 ? static_cast<int>(scaled) : 0;
    }
};

/// `odd`: which colour of the chequer what has no colour gets.
QRgb colourOf(const double* values, Index channels, const ImageLook& look, const Levels& levels, bool odd) {
    int parts[3];
    const Index shown = std::min<Index>(channels, 3);
    for (Index c = 0; c < shown; ++c) {
        if (!std::isfinite(values[c])) return odd ? qRgb(255, 255, 255) : qRgb(0, 0, 0);
        parts[c] = levels(values[c]);
    }
    if (shown == 1) {
        const int grey = parts[0], single = look.single;
        if (look.show != ChannelLook::Tint || single < 0) return qRgb(grey, grey, grey);
        return qRgb(single == 0 ? grey : 0, single == 1 ? grey : 0, single == 2 ? grey : 0);
    }
    if (shown == 2) parts[2] = 0;
    if (look.show == ChannelLook::Grey) {
        const int grey = (parts[0] * 299 + parts[1] * 587 + parts[2] * 114 + 500) / 1000; // ITU-R BT.601
        return qRgb(grey, grey, grey);
    }
    return qRgb(parts[0], parts[1], parts[2]);
}

/// Where a column (or row) of the picture falls: in which of the images across (or down), and where in it.
struct Fall {
    Index image = -1, at = 0; ///< -1: on the padding or outside
};
/// Those that `side` pixels of a tile stand for, `parts` each, spread evenly.
std::vector<Fall> fallsOf(Index begin, int side, Index step, int parts, Index padding, Index size, Index images) {
    std::vector<Fall> falls(static_cast<std::size_t>(side * parts));
    for (std::size_t i = 0; i < falls.size(); ++i) {
        const auto pixel = static_cast<Index>(i) / parts, part = static_cast<Index>(i) % parts;
        const Index at = begin + pixel * step + (parts > 1 ? step * (1 + 2 * part) / (2 * parts) : 0) - padding;
        if (at < 0) continue;
        const Index image = at / (size + padding), inside = at % (size + padding);
        if (image < images && inside < size) falls[i] = {image, inside};
    }
    return falls;
}

} // namespace

QString ImageSheet::whyNot(const Tensor& t) {
    if (!t.defined()) return tr("There is no tensor.");
    if (!t.device().isCpu()) return tr("The tensor is on another device; copy it first: .cpu()");
    if (isComplex(t.dtype())) return tr("Complex numbers have no grey.");
    if (t.dim() < 2 || t.dim() > 4) return tr("Images are (n, c, h, w), (c, h, w) or (h, w).");
    if (t.numel() == 0) return tr("The tensor has no elements.");
    const Index most = Index{1} << 26;
    for (const Index size : t.shape())
        if (size > most) return tr("A side of more than %1 pixels is not drawn.").arg(most);
    if (!Tensor::fromStorage(t.storage(), t.view(), t.dtype())) return tr("The view reaches beyond its storage.");
    return {};
}

ImageSheet::ImageSheet(Tensor tensor, Index nrow, Index padding, std::vector<Index> order, OverwritesPtr overwrites)
    : m_tensor(std::move(tensor)), m_padding(padding), m_order(std::move(order)), m_overwrites(std::move(overwrites)) {
    const Dims &shape = m_tensor.shape(), &stride = m_tensor.stride();
    const std::size_t n = shape.size();
    m_width = shape[n - 1];
    m_columnStride = stride[n - 1];
    m_height = shape[n - 2];
    m_rowStride = stride[n - 2];
    m_channels = n > 2 ? shape[n - 3] : 1;
    m_channelStride = n > 2 ? stride[n - 3] : 0;
    m_count = n > 3 ? shape[n - 4] : 1;
    m_imageStride = n > 3 ? stride[n - 4] : 0;
    GridOptions options;
    options.nrow = std::max<Index>(nrow, 1);
    m_padding = m_count == 1 ? 0 : padding; // one image stays alone
    options.padding = m_padding;
    m_shape = GridShape(m_count, m_height, m_width, options);
    if (static_cast<Index>(m_order.size()) != m_count) m_order.clear();
    m_positions.resize(m_order.size());
    for (std::size_t i = 0; i < m_order.size(); ++i)
        m_positions[static_cast<std::size_t>(m_order[i])] = static_cast<Index>(i);
    m_ranges =
        std::make_shared<std::vector<std::optional<std::pair<double, double>>>>(static_cast<std::size_t>(m_count));
}

Index ImageSheet::positionOf(Index image) const {
    return m_positions.empty() ? image : m_positions[static_cast<std::size_t>(image)];
}

std::optional<Index> ImageSheet::imageAt(Index row, Index column) const {
    const Index position = row * m_shape.across + column;
    if (row < 0 || column < 0 || column >= m_shape.across || position >= m_count) return std::nullopt;
    return m_order.empty() ? position : m_order[static_cast<std::size_t>(position)];
}

std::optional<ImageSheet::Pixel> ImageSheet::pixelAt(Index px, Index py) const {
    const Index stepX = m_width + m_padding, stepY = m_height + m_padding;
    if (px < m_padding || py < m_padding || isEmpty()) return std::nullopt;
    const Index column = (px - m_padding) / stepX, row = (py - m_padding) / stepY;
    const Index x = (px - m_padding) % stepX, y = (py - m_padding) % stepY;
    if (x >= m_width || y >= m_height) return std::nullopt;
    const auto image = imageAt(row, column);
    return image ? std::optional(Pixel{*image, y, x}) : std::nullopt;
}

QRect ImageSheet::imageRect(Index image) const {
    const GridPlace place = m_shape.place(positionOf(image));
    return {static_cast<int>(place.x), static_cast<int>(place.y), static_cast<int>(m_width),
            static_cast<int>(m_height)};
}

QPoint ImageSheet::placeOf(const Pixel& pixel) const {
    return imageRect(pixel.image).topLeft() + QPoint(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
}

Index ImageSheet::slot(const Pixel& p, Index channel) const {
    return m_tensor.storageOffset() + p.image * m_imageStride + channel * m_channelStride + p.y * m_rowStride +
           p.x * m_columnStride;
}

Dims ImageSheet::coord(const Pixel& p, Index channel) const {
    const Dims all{p.image, channel, p.y, p.x};
    Dims coord;
    for (std::size_t d = 4 - static_cast<std::size_t>(m_tensor.dim()); d < 4; ++d) coord.push_back(all[d]);
    return coord;
}

double ImageSheet::value(const Pixel& pixel, Index channel) const {
    double found = 0;
    withReader(m_tensor, m_overwrites.get(), [&](auto read) { found = read(slot(pixel, channel)); });
    return found;
}

double ImageSheet::drawn(const Pixel& pixel, Index channel) const {
    return m_other ? std::abs(value(pixel, channel) - m_other->value(pixel, channel)) : value(pixel, channel);
}

std::optional<std::pair<ImageSheet::Pixel, Index>> ImageSheet::pixelOfSlot(Index slot) const {
    if (isEmpty() || slot < 0 || slot >= m_tensor.storageNumel()) return std::nullopt;
    const InverseHits hits = coordsAt(m_tensor.view(), slot, 1);
    if (hits.coords.empty()) return std::nullopt;
    Dims all{0, 0, 0, 0};
    const Dims& found = hits.coords.front();
    for (std::size_t d = 0; d < found.size(); ++d) all[4 - found.size() + d] = found[d];
    return std::pair(Pixel{all[0], all[2], all[3]}, all[1]);
}

std::pair<double, double> ImageSheet::rangeOf(Index image, const ImageLook& look) const {
    if (m_other) return {0, look.white - look.black};
    if (!look.each) return {look.black, look.white};
    auto& known = (*m_ranges)[static_cast<std::size_t>(image)];
    if (known) return *known;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    withReader(m_tensor, m_overwrites.get(), [&](auto read) {
        for (Index c = 0; c < m_channels; ++c)
            for (Index y = 0; y < m_height; ++y)
                for (Index x = 0; x < m_width; ++x) {
                    const double value = read(slot({image, y, x}, c));
                    if (!std::isfinite(value)) continue;
                    low = std::min(low, value);
                    high = std::max(high, value);
                }
    });
    known = low <= high ? std::pair(low, std::max(high, low + 1e-5)) : std::pair(0.0, 1.0);
    return *known;
}

QRgb ImageSheet::colour(const Pixel& pixel, const ImageLook& look) const {
    double values[3] = {0, 0, 0};
    for (Index c = 0; c < std::min<Index>(m_channels, 3); ++c) values[c] = drawn(pixel, c);
    const auto [black, white] = rangeOf(pixel.image, look);
    return colourOf(values, m_channels, look, Levels(black, white), (pixel.x + pixel.y) % 2 != 0);
}

QImage ImageSheet::tile(Index left, Index top, int side, Index step, const ImageLook& look, QRgb ground) const {
    QImage image(side, side, QImage::Format_RGB32);
    drawRows(image, left, top, 0, side, step, look, ground);
    return image;
}

void ImageSheet::drawRows(QImage& image, Index left, Index top, int from, int count, Index step, const ImageLook& look,
                          QRgb ground) const {
    const int side = image.width();
    const Index shown = std::min<Index>(m_channels, 3);
    // The middle of what a pixel stands for; of four parts where it stands for many.
    const int parts = step > 1 ? 2 : 1;
    const std::vector<Fall> columns = fallsOf(left, side, step, parts, m_padding, m_width, m_shape.across);
    const std::vector<Fall> rows = fallsOf(top + from * step, count, step, parts, m_padding, m_height, m_shape.down);
    Index known = -1; // the image whose range is in `levels`
    Levels levels(look.black, look.white);
    const auto draw = [&](auto read) {
        for (int y = 0; y < count; ++y) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(from + y));
            for (int x = 0; x < side; ++x) {
                int sum[3] = {0, 0, 0};
                for (int part = 0; part < parts * parts; ++part) {
                    const Fall& column = columns[static_cast<std::size_t>(x * parts + part % parts)];
                    const Fall& row = rows[static_cast<std::size_t>(y * parts + part / parts)];
                    const Index position = row.image * m_shape.across + column.image;
                    QRgb colour = ground;
                    if (row.image >= 0 && column.image >= 0 && position < m_count) {
                        const Pixel pixel{m_order.empty() ? position : m_order[static_cast<std::size_t>(position)],
                                          row.at, column.at};
                        if (pixel.image != known) {
                            known = pixel.image;
                            const auto [black, white] = rangeOf(known, look);
                            levels = Levels(black, white);
                        }
                        double values[3] = {0, 0, 0};
                        for (Index c = 0; c < shown; ++c) values[c] = read(pixel, c);
                        colour = colourOf(values, m_channels, look, levels, (pixel.x + pixel.y) % 2 != 0);
                    }
                    sum[0] += qRed(colour), sum[1] += qGreen(colour), sum[2] += qBlue(colour);
                }
                constexpr int kShift[] = {0, 0, 2};
                line[x] = qRgb(sum[0] >> kShift[parts], sum[1] >> kShift[parts], sum[2] >> kShift[parts]);
            }
        }
    };
    if (m_other)
        draw([this](const Pixel& pixel, Index c) { return drawn(pixel, c); });
    else
        withReader(m_tensor, m_overwrites.get(),
                   [&](auto read) { draw([&](const Pixel& pixel, Index c) { return read(slot(pixel, c)); }); });
}

ValueMark markOf(double value, double black, double white) {
    if (std::isnan(value)) return ValueMark::Nan;
    if (std::isinf(value)) return value > 0 ? ValueMark::PlusInfinity : ValueMark::MinusInfinity;
    if (value > white) return ValueMark::Above;
    return value < black ? ValueMark::Below : ValueMark::None;
}

ImageLook usualLook(DType dtype) {
    ImageLook look;
    if (isFloating(dtype) || dtype == DType::Bool) look.white = 1;
    return look;
}

} // namespace stridescope
