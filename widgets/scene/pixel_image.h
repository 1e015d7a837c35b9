#pragma once
// What pictures that are made pixel by pixel share: the part of the device they cover, its memory, and their colours.

#include "widgets/scene/colour_map.h"
#include "widgets/scene/odd_values.h"
#include "widgets/scene/paint_context.h"

#include <QImage>

#include <cmath>

namespace stridescope {

/// A part of the picture on the device.
struct DeviceRegion {
    QRectF rect; ///< scene coordinates, on the device's pixel grid
    int width = 0, height = 0;
    qreal step = 1; ///< scene pixels per device pixel
};

DeviceRegion deviceRegion(const PaintContext& context, const QRectF& wanted);

/// Memory for one band of a picture, kept from frame to frame: fresh pages cost more than painting into them, and a
/// band that stays in the second-level cache is copied to the device from there. The part in use is the top left one.
QImage& scratchImage(int width, int height);
/// The first `rows` scan lines of the scratch image as the region's lines from `top` on.
void drawScratch(PaintContext& context, const DeviceRegion& region, const QImage& image, int top, int rows);

/// Lines between cells, on a cell's own colour.
QRgb darker(QRgb colour);

/// Colours of small cells. NaN, -inf and slots outside the storage are checkered, so that they stay apart in greyscale;
/// values beyond the ends of the bar have none of its colours.
struct Inks {
    ColourMap map;
    QRgb stage, ink, error, fill, ghost, inset, control;

    Inks(const PaintContext& c, int colour, double low, double high, bool grey = false)
        : map(low, high, grey), stage(c.colour(Tone::Stage).rgb()), ink(c.colour(Tone::Ink).rgb()),
          error(c.colour(Tone::Error).rgb()), fill(c.colour(Theme::viewTone(colour)).rgb()),
          ghost(c.theme.ghostFill(colour).rgb()), inset(c.colour(Tone::Inset).rgb()),
          control(c.colour(Tone::Control).rgb()) {}

    static constexpr QRgb kLessInk = 0xFF7F7F7F; ///< checkers -inf, which would else be +inf where no letter fits

    bool onBar(double v) const { return v >= map.low() && v <= map.high(); }
    QRgb value(double v, bool checker) const {
        if (v != v) return checker ? oddLook(v).ink : oddLook(v).ground;
        if (std::isinf(v)) return checker && v < 0 ? kLessInk : oddLook(v).ground;
        if (!onBar(v)) return v > map.high() ? ink : control;
        return map.rgb(v);
    }
};

} // namespace stridescope
