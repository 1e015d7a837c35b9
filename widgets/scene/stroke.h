#pragma once
// Pens and outlines in the line styles of the pictures.

#include "widgets/scene/scene.h"

class QPainter;

namespace stridescope {

/// Style of the outline of view 0 … 3 (solid, dashed, dotted, double); solid for others.
LineStyle viewLineStyle(int colour);

/// A pen of one line of the style. Double has no pen of its own: it is two solid outlines (strokeRect draws both).
QPen stylePen(const QColor& colour, qreal width, LineStyle style);

/// Outline inside `rect`.
void strokeRect(QPainter& painter, const QRectF& rect, qreal radius, const QColor& colour, qreal width,
                LineStyle style);

/// Solid triangle whose tip is the end of the path; returns how far the line must stop before it.
void fillArrowHead(QPainter& painter, const QPainterPath& path, const QColor& colour, qreal width);
/// The path without its last `length` pixels, so that the line does not stick out of the arrow head.
QPainterPath shortened(const QPainterPath& path, qreal length);
qreal arrowLength(qreal width);

/// 45-degree lines, `pitch` apart, clipped to `rect`.
void hatchRect(QPainter& painter, const QRectF& rect, const QColor& colour, qreal pitch = 6, qreal width = 1.4);

} // namespace stridescope
