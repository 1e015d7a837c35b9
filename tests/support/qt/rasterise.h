#pragma once
// Exported pictures as other programs draw them: rsvg-convert, pdftoppm, and pdflatex with pdftoppm.

#include "widgets/scene/export.h"

#include <QImage>
#include <QTemporaryDir>

namespace stridescope::test {

struct Rasterised {
    QImage image;    ///< one pixel for each of the scene
    QString missing; ///< a program or package that is not installed; then there is no image
    QString failure; ///< what the program said when it did not come to its end
    QString words;   ///< of a PDF, where pdftotext is installed
};

/// `format`: Svg, Pdf or Tex.
Rasterised rasterised(const Scene& scene, ExportFormat format);

/// Empty where the file shows what the screen shows: other rasterisers smooth edges differently, and a reader may not
/// have our faces; boxes and digits stay put. Else the numbers, and where the pictures are kept.
QString differenceFromScreen(const QImage& shown, const Scene& scene, const QString& name, double farShare = 0.05);

} // namespace stridescope::test
