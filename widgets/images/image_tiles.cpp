#include "widgets/images/image_tiles.h"

#include "core/dtype/dtype.h"
#include "core/tensor/element.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("stridescope::images", text);
}

/// Calls `use` with a reader of the dtype: slot -> double.
template <class Use>
void withReader(const Tensor& t, Use use) {
    switch (t.dtype()) {
    case DType::UInt8:
        return use([data = t.storageData<std::uint8_t>()](Index slot) { return static_cast<double>(data[slot]); });
    case DType::Float32:
        return use([data = t.storageData<float>()](Index slot) { return static_cast<double>(data[slot]); });
    case DType::Float64:
        return use([data = t.storageData<double>()](Index slot) { return data[slot]; });
    default: {
        const std::byte* data = t.storage()->data();
        const std::size_t item = t.itemSize();
        const DType dtype = t.dtype();
        return use([data, item, dtype](Index slot) {
            return loadElement(data + static_cast<std::size_t>(slot) * item, dtype).toDouble();
        });
    }
    }
}

int level(double value, const ImageLook& look) {
    const double scaled = (value - look.black) * 255 / (look.white - look.black) + 0.5;
    return scaled >= 255 ? 255 : scaled > 0 ? static_cast<int>(scaled) : 0; // NaN is drawn black and marked elsewhere
}

QRgb colourOf(const double* values, Index channels, const ImageLook& look) {
    int parts[3];
    const Index shown = std::min<Index>(channels, 3);
    for (Index c = 0; c < shown; ++c) parts[c] = level(values[c], look);
    if (look.solo >= 0 && look.solo < shown) {
        const int grey = parts[look.solo];
        if (look.show != ChannelLook::Tint) return qRgb(grey, grey, grey);
        return qRgb(look.solo == 0 ? grey : 0, look.solo == 1 ? grey : 0, look.solo == 2 ? grey : 0);
    }
    if (shown == 1) return qRgb(parts[0], parts[0], parts[0]);
    if (shown == 2) parts[2] = 0;
    if (look.show == ChannelLook::Grey) {
        const int grey = (parts[0] * 299 + parts[1] * 587 + parts[2] * 114 + 500) / 1000; // ITU-R BT.601
        return qRgb(grey, grey, grey);
    }
    return qRgb(parts[0], parts[1], parts[2]);
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

ImageSheet::ImageSheet(Tensor tensor, Index nrow, Index padding, std::vector<Index> order)
    : m_tensor(std::move(tensor)), m_padding(padding), m_order(std::move(order)) {
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
}

Index ImageSheet::positionOf(Index image) const {
    return m_positions.empty() ? image : m_positions[static_cast<std::size_t>(image)];
}

std::optional<ImageSheet::Pixel> ImageSheet::pixelAt(Index px, Index py) const {
    const Index stepX = m_width + m_padding, stepY = m_height + m_padding;
    if (px < m_padding || py < m_padding || isEmpty()) return std::nullopt;
    const Index column = (px - m_padding) / stepX, row = (py - m_padding) / stepY;
    const Index x = (px - m_padding) % stepX, y = (py - m_padding) % stepY;
    const Index position = row * m_shape.across + column;
    if (x >= m_width || y >= m_height || column >= m_shape.across || position >= m_count) return std::nullopt;
    return Pixel{m_order.empty() ? position : m_order[static_cast<std::size_t>(position)], y, x};
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
    withReader(m_tensor, [&](auto read) { found = read(slot(pixel, channel)); });
    return found;
}

QRgb ImageSheet::colour(const Pixel& pixel, const ImageLook& look) const {
    double values[3] = {0, 0, 0};
    for (Index c = 0; c < std::min<Index>(m_channels, 3); ++c) values[c] = value(pixel, c);
    return colourOf(values, m_channels, look);
}

QImage ImageSheet::tile(Index left, Index top, int side, Index step, const ImageLook& look, QRgb ground) const {
    QImage image(side, side, QImage::Format_RGB32);
    const Index shown = std::min<Index>(m_channels, 3);
    withReader(m_tensor, [&](auto read) {
        for (int y = 0; y < side; ++y) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
            for (int x = 0; x < side; ++x) {
                // The middle of what the pixel stands for; of four parts where it stands for many.
                int sum[3] = {0, 0, 0}, parts = step > 1 ? 4 : 1;
                for (int part = 0; part < parts; ++part) {
                    const Index px = left + x * step + (step > 1 ? step * (1 + 2 * (part % 2)) / 4 : 0);
                    const Index py = top + y * step + (step > 1 ? step * (1 + 2 * (part / 2)) / 4 : 0);
                    const std::optional<Pixel> pixel = pixelAt(px, py);
                    QRgb colour = ground;
                    if (pixel) {
                        double values[3] = {0, 0, 0};
                        for (Index c = 0; c < shown; ++c) values[c] = read(slot(*pixel, c));
                        colour = colourOf(values, m_channels, look);
                    }
                    sum[0] += qRed(colour), sum[1] += qGreen(colour), sum[2] += qBlue(colour);
                }
                line[x] = qRgb(sum[0] / parts, sum[1] / parts, sum[2] / parts);
            }
        }
    });
    return image;
}

ImageLook usualLook(DType dtype) {
    ImageLook look;
    if (isFloating(dtype) || dtype == DType::Bool) look.white = 1;
    return look;
}

} // namespace stridescope
