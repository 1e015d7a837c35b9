#include "widgets/scene/pixel_image.h"

#include <algorithm>

namespace stridescope {

DeviceRegion deviceRegion(const PaintContext& c, const QRectF& wanted) {
    DeviceRegion region;
    // Vector devices get twice the screen's resolution.
    const qreal scale = c.vector ? 2 : c.deviceScale();
    region.rect = c.vector ? wanted : c.snap(wanted);
    region.step = 1 / scale;
    region.width = static_cast<int>(std::lround(region.rect.width() * scale));
    region.height = static_cast<int>(std::lround(region.rect.height() * scale));
    return region;
}

QImage& scratchImage(int width, int height) {
    static thread_local QImage image;
    if (image.width() < width || image.height() < height) {
        image = QImage(std::max(width, image.width()), std::max(height, image.height()), QImage::Format_RGB32);
    }
    return image;
}

void drawScratch(PaintContext& c, const DeviceRegion& region, const QImage& image, int top, int rows) {
    const QRectF target(region.rect.left(), region.rect.top() + top * region.step, region.rect.width(),
                        rows * region.step);
    if (c.vector) {
        // SVG files would hold the whole memory instead of the part in use.
        c.painter.drawImage(target, image.copy(0, 0, region.width, rows));
    } else {
        c.painter.drawImage(target, image, QRectF(0, 0, region.width, rows));
    }
}

QRgb darker(QRgb colour) {
    const auto part = [colour](int shift, int ink) {
        return (static_cast<int>((colour >> shift) & 0xFF) * 55 + ink * 45) / 100;
    };
    return qRgb(part(16, 0x15), part(8, 0x18), part(0, 0x1D));
}

} // namespace stridescope
