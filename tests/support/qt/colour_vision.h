#pragma once
// Colours as people with other eyes see them, and how far apart two of them look.

#include <QColor>
#include <QImage>

namespace stridescope::test {

enum class Vision { Normal, Protan, Deutan, Tritan, Grey };

/// Machado, Oliveira and Fernandes 2009, severity 1, in linear light; Grey by luminance.
QColor seenAs(const QColor& colour, Vision vision);
QImage seenAs(const QImage& image, Vision vision);

/// CIEDE2000 for D65. 1 is about the least that is noticed side by side.
double colourDistance(const QColor& a, const QColor& b);

} // namespace stridescope::test
