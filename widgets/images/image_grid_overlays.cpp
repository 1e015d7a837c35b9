// What stands on the images: their labels, and signs where a colour does not tell the value.

#include "widgets/images/image_grid_view.h"
#include "widgets/presenter/room_size.h"

#include <QPainter>

#include <cmath>

namespace stridescope {

void ImageGridView::paintLabels(QPainter& painter) {
    const ImageSheet& shown = sheet();
    const double imageSize = static_cast<double>(shown.imageWidth()) * m_zoom;
    if (!m_labels || imageSize < 40) return;
    painter.setFont(presenterFont(m_theme, FontRole::Index, m_scale));
    const QFontMetricsF metrics(painter.font());
    const QPointF first = inPicture({0, 0}), last = inPicture({double(width()), double(height())});
    const double stepX = double(shown.imageWidth() + shown.padding()),
                 stepY = double(shown.imageHeight() + shown.padding());
    const auto left = [stepX](Index column) { return static_cast<double>(column) * stepX; };
    const auto top = [stepY](Index row) { return static_cast<double>(row) * stepY; };
    for (Index row = static_cast<Index>(first.y() / stepY); top(row) < last.y() && row < shown.down(); ++row) {
        for (Index column = static_cast<Index>(first.x() / stepX); left(column) < last.x() && column < shown.across();
             ++column) {
            const auto pixel = shown.pixelAt(static_cast<Index>(left(column)) + shown.padding(),
                                             static_cast<Index>(top(row)) + shown.padding());
            if (!pixel) continue;
            const QString whole = m_labels(pixel->image);
            if (whole.isEmpty()) continue;
            const QRectF image = onScreen(shown.imageRect(pixel->image));
            // A label must not cover what it names, nor lie on its neighbours where images are flat. Number and name
            // where both have room, else the number alone: never a part of a name.
            constexpr double kMostCovered = 0.35, kMostNamed = 0.22;
            if (metrics.height() > kMostCovered * image.height()) continue;
            const bool named =
                metrics.horizontalAdvance(whole) <= imageSize - 12 && metrics.height() <= kMostNamed * image.height();
            const QString text = named ? whole : whole.section(QLatin1Char(' '), 0, 0);
            const QRectF plate(image.left() + 2, image.bottom() - metrics.height() - 3,
                               metrics.horizontalAdvance(text) + 8, metrics.height() + 1);
            painter.fillRect(plate, QColor(0x15, 0x18, 0x1D, 220)); // numbers over colour sit on a dark plate
            painter.setPen(Qt::white);
            painter.drawText(plate, Qt::AlignCenter, text);
        }
    }
}

namespace {

/// The signs of ValueMark, side by side: X NaN, I and -I infinities, + and - clipped. White on a dark plate.
QPixmap markSigns(int side, qreal ratio) {
    constexpr int kSigns = 6;
    QPixmap signs(QSize(side * kSigns, side) * ratio);
    signs.setDevicePixelRatio(ratio);
    signs.fill(Qt::transparent);
    QPainter painter(&signs);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int sign = 1; sign < kSigns; ++sign) {
        const QRectF plate = QRectF(sign * side, 0, side, side).adjusted(0.5, 0.5, -0.5, -0.5);
        painter.setPen(QPen(Qt::white, 0.5));
        painter.setBrush(QColor(0x15, 0x18, 0x1D));
        painter.drawRoundedRect(plate, 2, 2);
        painter.setPen(QPen(Qt::white, 1.5));
        const QPointF m = plate.center();
        const double r = side * 0.26;
        const auto bar = [&](QPointF from, QPointF to) { painter.drawLine(m + from * r, m + to * r); };
        switch (static_cast<ValueMark>(sign)) {
        case ValueMark::Nan:
            bar({-1, -1}, {1, 1});
            bar({-1, 1}, {1, -1});
            break;
        case ValueMark::PlusInfinity:
            bar({0, -1}, {0, 1});
            break;
        case ValueMark::MinusInfinity:
            bar({-1.2, 0}, {-0.4, 0});
            bar({0.6, -1}, {0.6, 1});
            break;
        case ValueMark::Above:
            bar({0, -1}, {0, 1});
            bar({-1, 0}, {1, 0});
            break;
        case ValueMark::Below:
            bar({-1, 0}, {1, 0});
            break;
        case ValueMark::None:
            break;
        }
    }
    return signs;
}

} // namespace

/// Where a pixel is large enough, what its colour does not show: NaN, infinities, values outside of black and white.
void ImageGridView::paintMarks(QPainter& painter, const Layer& layer, const QRect& clip) {
    const ImageSheet& sheet = layer.sheet;
    const ImageLook& look = layer.look;
    constexpr double kLeastZoom = 10;
    if (m_zoom < kLeastZoom || clip.isEmpty()) return;
    const int side = static_cast<int>(std::clamp(m_zoom * 0.6, 8.0, 14.0));
    if (m_marks.isNull() || m_marks.deviceIndependentSize().height() != side) {
        m_marks = markSigns(side, devicePixelRatioF());
    }
    const QPointF from = inPicture(clip.topLeft()), to = inPicture(clip.bottomRight());
    const Index channels = std::min<Index>(sheet.channels(), 3);
    const qreal ratio = m_marks.devicePixelRatio();
    QVector<QPainter::PixmapFragment> found;
    for (auto py = static_cast<Index>(from.y()); py <= static_cast<Index>(to.y()); ++py) {
        for (auto px = static_cast<Index>(from.x()); px <= static_cast<Index>(to.x()); ++px) {
            const auto pixel = sheet.pixelAt(px, py);
            if (!pixel) continue;
            const auto [black, white] = sheet.rangeOf(pixel->image, look);
            ValueMark mark = ValueMark::None;
            for (Index c = 0; c < channels && mark == ValueMark::None; ++c)
                mark = markOf(sheet.drawn(*pixel, c), black, white);
            if (mark == ValueMark::None) continue;
            const QPointF centre = onScreen(QRectF(double(px), double(py), 1, 1)).center();
            found.push_back(QPainter::PixmapFragment::create(
                centre, QRectF(static_cast<int>(mark) * side * ratio, 0, side * ratio, side * ratio), 1 / ratio,
                1 / ratio));
        }
    }
    if (found.isEmpty()) return;
    painter.save();
    painter.setClipRect(clip);
    painter.drawPixmapFragments(found.constData(), static_cast<int>(found.size()), m_marks);
    painter.restore();
}

} // namespace stridescope
