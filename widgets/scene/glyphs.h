#pragma once
// Small line signs as paths: drawn with PathItem, so that they follow the theme and are exported as outlines.

#include <QPainterPath>

namespace stridescope {

enum class Glyph : quint8 { Chain, Check, Cross, Hazard, Dots, Plus, Copy, Play };

/// The sign in a square of `size` round `centre`, to be stroked (about size / 8 wide). Dots and Play are to be filled.
QPainterPath glyphPath(Glyph glyph, QPointF centre, qreal size);

} // namespace stridescope
