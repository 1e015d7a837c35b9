#pragma once
// NaN and the infinities among colours. Letter and ground are the same in both themes: a picture means the same in
// both.

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

/// Which of them a tensor holds; a colour bar's legend names those.
struct OddValues {
    bool nan = false, positive = false, negative = false; ///< NaN, +inf, -inf
    bool sampled = false; ///< only some of the elements were looked at: the legend says so
    bool operator==(const OddValues&) const = default;
    int count() const { return int{nan} + int{positive} + int{negative}; }
};

/// The value's sign on its ground, as strokes where the cell has no room for letters. Letters wait for flushNumbers().
void paintOddValue(PaintContext& context, const QRectF& cell, double value);

/// Room that the legend of `odd` takes right of a colour bar's colours.
qreal oddLegendWidth(const OddValues& odd);
/// Width of a bar with that legend, at least `usual`: the colours keep enough to be told apart and to be numbered.
qreal colourBarWidth(const OddValues& odd, qreal usual);
/// The legend from the top left of `rect` on: for each kind its sign and its name, and whether that is from a sample.
void paintOddLegend(PaintContext& context, const QRectF& rect, const OddValues& odd);

} // namespace stridescope
