#include "widgets/scene/stroke.h"

#include <QPainter>

#include <cmath>

namespace stridescope {

LineStyle viewLineStyle(int colour) {
    switch (colour) {
    case 1:
        return LineStyle::Dashed;
    case 2:
        return LineStyle::Dotted;
    case 3:
        return LineStyle::Double;
    default:
        return LineStyle::Solid;
    }
}

QPen stylePen(const QColor& colour, qreal width, LineStyle style) {
    if (style == LineStyle::None) return QPen(Qt::NoPen);
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    // Dash lengths are in units of the width.
    if (style == LineStyle::Dashed) {
        pen.setDashPattern({6 / width, 4 / width});
    } else if (style == LineStyle::Dotted) {
        const qreal dot = width * 1.2, pitch = width >= 1.6 ? 2.5 * width : 3.6;
        pen.setWidthF(dot);
        pen.setDashPattern({0.05, pitch / dot - 0.05});
        pen.setCapStyle(Qt::RoundCap);
    }
    return pen;
}

void strokeRect(QPainter& painter, const QRectF& rect, qreal radius, const QColor& colour, qreal width,
                LineStyle style) {
    if (style == LineStyle::None || width <= 0) return;
    const auto outline = [&painter](const QRectF& r, qreal corner) {
        if (corner > 0) {
            painter.drawRoundedRect(r, corner, corner);
        } else {
            painter.drawRect(r);
        }
    };
    painter.setBrush(Qt::NoBrush);
    if (style == LineStyle::Double) {
        // Two thin lines, so far apart that the gap is seen: 1.2 px each, 3.5 px from line to line at width 2.
        const qreal thin = width * 0.6, apart = width * 1.75;
        painter.setPen(stylePen(colour, thin, LineStyle::Solid));
        outline(rect.adjusted(thin / 2, thin / 2, -thin / 2, -thin / 2), radius);
        const qreal inner = thin / 2 + apart;
        outline(rect.adjusted(inner, inner, -inner, -inner), std::max<qreal>(radius - apart, 0));
        return;
    }
    const QPen pen = stylePen(colour, width, style);
    painter.setPen(pen);
    const qreal half = pen.widthF() / 2;
    outline(rect.adjusted(half, half, -half, -half), std::max<qreal>(radius - half, 0));
}

qreal arrowLength(qreal width) {
    return 3 + 2 * width;
}

void fillArrowHead(QPainter& painter, const QPainterPath& path, const QColor& colour, qreal width) {
    const QPointF tip = path.pointAtPercent(1);
    const qreal length = arrowLength(width), total = path.length();
    if (total <= 0) return;
    const QPointF back = path.pointAtPercent(std::max<qreal>(0, 1 - length / total));
    QPointF along = tip - back;
    const qreal norm = std::hypot(along.x(), along.y());
    if (norm <= 0) return;
    along /= norm;
    const QPointF side(-along.y(), along.x());
    const qreal half = length * 0.62;
    const QPointF base = tip - along * length;
    const QPolygonF head{tip, base + side * half, base - side * half};
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(head);
}

QPainterPath shortened(const QPainterPath& path, qreal length) {
    const qreal total = path.length();
    const int last = path.elementCount() - 1;
    if (total <= length || last < 1) return path;
    const QPainterPath::Element end = path.elementAt(last);
    const QPointF stop = path.pointAtPercent(1 - length / total);
    QPainterPath cut(path);
    cut.setElementPositionAt(last, stop.x(), stop.y());
    if (end.type == QPainterPath::CurveToDataElement) {
        // The handle moves along, so that the curve keeps its direction at the end.
        const QPainterPath::Element handle = path.elementAt(last - 1);
        cut.setElementPositionAt(last - 1, handle.x + stop.x() - end.x, handle.y + stop.y() - end.y);
    }
    return cut;
}

void hatchRect(QPainter& painter, const QRectF& rect, const QColor& colour, qreal pitch, qreal width) {
    QVector<QLineF> lines;
    const qreal step = pitch * std::sqrt(2.0), height = rect.height();
    for (qreal x = rect.left() - height + step / 2; x < rect.right(); x += step) {
        // From the bottom edge up to the right, clipped to the rectangle by arithmetic.
        const qreal x0 = std::max(x, rect.left()), x1 = std::min(x + height, rect.right());
        if (x1 <= x0) continue;
        lines.append(QLineF(x0, rect.bottom() - (x0 - x), x1, rect.bottom() - (x1 - x)));
    }
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines);
}

} // namespace stridescope
