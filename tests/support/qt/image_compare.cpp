#include "tests/support/qt/image_compare.h"

#include <QDir>

#include <algorithm>
#include <cstdlib>

namespace stridescope::test {

ImageDifference compareImages(const QImage& actual, const QImage& expected, int far) {
    ImageDifference d;
    if (actual.size() != expected.size() || actual.isNull()) {
        d.sameSize = false;
        d.largest = 255;
        d.mean = 255;
        d.farShare = 1;
        return d;
    }
    const QImage a = actual.convertToFormat(QImage::Format_RGB32), b = expected.convertToFormat(QImage::Format_RGB32);
    qint64 sum = 0, beyond = 0;
    for (int y = 0; y < a.height(); ++y) {
        const auto* left = reinterpret_cast<const QRgb*>(a.constScanLine(y));
        const auto* right = reinterpret_cast<const QRgb*>(b.constScanLine(y));
        for (int x = 0; x < a.width(); ++x) {
            const int red = std::abs(qRed(left[x]) - qRed(right[x])),
                      green = std::abs(qGreen(left[x]) - qGreen(right[x]));
            const int blue = std::abs(qBlue(left[x]) - qBlue(right[x]));
            const int most = std::max({red, green, blue});
            d.largest = std::max(d.largest, most);
            sum += red + green + blue;
            beyond += most > far ? 1 : 0;
        }
    }
    const qreal pixels = static_cast<qreal>(a.width()) * a.height();
    d.mean = static_cast<qreal>(sum) / (3 * pixels);
    d.farShare = static_cast<qreal>(beyond) / pixels;
    return d;
}

QString keepImages(const QString& name, const QImage& actual, const QImage& expected) {
    const QString folder = QDir::tempPath() + QStringLiteral("/stridescope-test-images");
    QDir().mkpath(folder);
    const QString base = folder + QLatin1Char('/') + name;
    actual.save(base + QStringLiteral("-actual.png"));
    expected.save(base + QStringLiteral("-expected.png"));
    if (actual.size() == expected.size() && !actual.isNull()) {
        const QImage a = actual.convertToFormat(QImage::Format_RGB32),
                     b = expected.convertToFormat(QImage::Format_RGB32);
        QImage difference(a.size(), QImage::Format_RGB32);
        for (int y = 0; y < a.height(); ++y) {
            for (int x = 0; x < a.width(); ++x) {
                const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
                difference.setPixel(
                    x, y,
                    qRgb(std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)), std::abs(qBlue(p) - qBlue(q))));
            }
        }
        difference.save(base + QStringLiteral("-difference.png"));
    }
    return base;
}

qreal greyOf(const QImage& image, const QRect& rect) {
    qint64 sum = 0, count = 0;
    const QRect r = rect.intersected(image.rect());
    for (int y = r.top(); y <= r.bottom(); ++y) {
        for (int x = r.left(); x <= r.right(); ++x, ++count) sum += qGray(image.pixel(x, y));
    }
    return count > 0 ? static_cast<qreal>(sum) / static_cast<qreal>(count) : 0;
}

} // namespace stridescope::test
