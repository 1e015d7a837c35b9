#pragma once
// Code that is too long for its place: the end of what stands in its brackets is left out, and they are closed again.

#include <QString>

class QFontMetricsF;

namespace stridescope {

/// `code` in at most `width`: whole, or its beginning, dots, and a closing bracket for each that is still open
/// ("x.as_strided((4, 2), …)").
QString elidedCode(const QFontMetricsF& metrics, const QString& code, qreal width);

} // namespace stridescope
