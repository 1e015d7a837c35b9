#pragma once
// GifWriter: pictures one after the other as an animated GIF.

#include "widgets/scene/colour_palette.h"

#include <QByteArray>
#include <QImage>
#include <QRect>

namespace stridescope {

/// Where two pictures of Format_RGB32 and one size differ; empty where they do not.
QRect changedPart(const QImage& before, const QImage& after);

/// A GIF89a whose frames share one palette. A frame holds only the rectangle in which it differs from the one before.
/// The same frames give the same bytes.
/// Source: CompuServe, "Graphics Interchange Format, Version 89a" (1990).
class GifWriter {
public:
    static constexpr int kLongestSide = 65535;

    /// `loops`: 0 for ever, else how often it plays after the first time. The palette must outlive the writer.
    GifWriter(QSize size, const ColourPalette& palette, int loops = 0);
    /// A frame of that size in Format_RGB32, of colours that the palette knows. Viewers make less than 2 hundredths of
    /// a second 10.
    void add(const QImage& image, int hundredths);
    QByteArray finish();

private:
    const ColourPalette& m_palette;
    QByteArray m_out;
    QImage m_last;
};

} // namespace stridescope
