#pragma once
// NaN and the infinities among colours. Letter and ground are the same in both themes: a picture means the same in
// both.

#include "core/index.h"

#include <QColor>
#include <QRectF>

namespace stridescope {

class PaintContext;

/// How a value that is not finite is drawn: "X", "I" or "-I" on a ground of its own.
struct OddLook {
    const char* letter;
    QRgb ground, ink;
};
OddLook oddLook(double value);

/// How many of them there are; a colour bar's legend tells it.
struct OddValues {
    Index nan = 0, positive = 0, negative = 0; ///< NaN, +inf, -inf among the elements that were looked at
    Index seen = 0, total = 0;                 ///< elements that were looked at, and elements that there are
    bool stale = false;                        ///< written to since: they are being counted again
    bool operator==(const OddValues&) const = default;
    bool none() const { return nan == 0 && positive == 0 && negative == 0; }
    /// They are true of every element.
    bool exact() const { return seen == total && !stale; }
};

/// The one value that all finite elements have, where they have one.
struct OnlyValue {
    double value = 0;
    bool sampled = false; ///< not all elements were looked at
    bool operator==(const OnlyValue&) const = default;
};

/// The value's sign on its ground, as strokes where the cell has no room for letters. Letters wait for flushNumbers().
void paintOddValue(PaintContext& context, const QRectF& cell, double value);

/// What the legend of a colour bar says: for each kind its sign, its name and how many there are, then of how many
/// elements, or how many of them were looked at. In a bar too narrow for that counts are rounded, or left out.
struct OddLegend {
    QString nan, positive, negative; ///< words beside the signs; empty for those that do not occur
    QString note;
    qreal width = 0; ///< px; 0: there is nothing to say
};
OddLegend oddLegend(const OddValues& odd, qreal barWidth);
/// Width of a bar with the whole legend, at least `usual`: the colours keep enough to be told apart and to be numbered.
qreal colourBarWidth(const OddValues& odd, qreal usual);
/// The legend from the top left of `rect` on.
void paintOddLegend(PaintContext& context, const QRectF& rect, const OddLegend& legend);

} // namespace stridescope
