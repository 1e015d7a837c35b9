#pragma once
// A Scene as a file: SVG, PDF, PNG, LaTeX, plain text. The same painter as the screen.

#include "core/result.h"
#include "widgets/scene/scene.h"

#include <QByteArray>
#include <QImage>

namespace stridescope {

enum class ExportFormat : quint8 {
    Png,
    Svg,
    Pdf,
    Tex,  ///< a LaTeX document of one page, the size of the picture
    Tikz, ///< the tikzpicture alone, for a document with \usepackage{tikz}
    Text, ///< words and numbers alone, UTF-8
};

struct ExportOptions {
    qreal scale = 1;          ///< PNG only: pixels per logical pixel
    bool transparent = false; ///< no ground
};

QImage renderImage(const Scene& scene, const Theme& theme, const ExportOptions& options = {});
/// The bytes of the file. Deterministic: the same scene and theme give the same bytes.
Result<QByteArray> exportScene(const Scene& scene, const Theme& theme, ExportFormat format,
                               const ExportOptions& options = {});
/// By file name extension; refuses unknown ones with the list of known ones.
Result<ExportFormat> exportFormatFor(const QString& fileName);

} // namespace stridescope
