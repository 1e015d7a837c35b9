#pragma once
// Pictures against pictures, with room for small differences of rasterisers.

#include <QImage>
#include <QString>

namespace stridescope::test {

struct ImageDifference {
    bool sameSize = true;
    int largest = 0;    ///< largest difference of a channel, 0 … 255
    qreal mean = 0;     ///< mean difference of the channels
    qreal farShare = 0; ///< share of pixels that differ by more than `far`
};

/// `far`: a channel difference above it counts into farShare.
ImageDifference compareImages(const QImage& actual, const QImage& expected, int far = 48);

/// Writes both pictures and their difference under the build directory and says where.
QString keepImages(const QString& name, const QImage& actual, const QImage& expected);

/// Mean lightness of the rectangle, 0 … 255, as a grey copy of the picture would show it.
qreal greyOf(const QImage& image, const QRect& rect);

} // namespace stridescope::test
