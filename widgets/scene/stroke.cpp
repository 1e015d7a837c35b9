#include "widgets/scene/stroke.h"

#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
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

namespace {

bool isWhole(qreal x) {
    return std::abs(x - std::round(x)) < 1e-3;
}

/// An outline on the pixel grid as filled pieces: straight lines, dashes and dots as rectangles, only the corners as
/// strokes. A dashed pen would flatten, join and anti-alias every dash, which for the outline of a large card takes
/// longer than all that is in it. False where that would look different from the pen: other devices, lines between
/// pixels, small boxes.
bool fillOutline(QPainter& painter, const QRectF& rect, qreal radius, const QColor& colour, qreal width,
                 LineStyle style) {
    const QPaintEngine* engine = painter.paintEngine();
    const QTransform& device = painter.deviceTransform();
    if (!engine || engine->type() != QPaintEngine::Raster || device.type() > QTransform::TxScale) return false;
    const qreal scale = device.m11();
    const QRectF onDevice = device.mapRect(rect);
    if (scale <= 0 || device.m22() != scale || !isWhole(width * scale) || !isWhole(onDevice.left()) ||
        !isWhole(onDevice.top()) || !isWhole(onDevice.right()) || !isWhole(onDevice.bottom()))
        return false;
    if (std::min(rect.width(), rect.height()) < std::max(4 * radius, 4 * width)) return false;
    qreal piece = 0, pitch = 0; // along the line; 0: one piece
    if (style == LineStyle::Dashed) {
        piece = 6, pitch = 10;
    } else if (style == LineStyle::Dotted) {
        piece = width, pitch = width >= 1.6 ? 2.5 * width : 3.6;
    } else if (radius > 0) {
        return false; // the pen is as quick
    }
    QVector<QRectF> pieces;
    const auto side = [&](QPointF from, QPointF along, QPointF in, qreal length) {
        const auto add = [&](qreal begin, qreal end) {
            pieces.append(QRectF(from + along * begin, from + along * end + in * width).normalized());
        };
        if (pitch <= 0) {
            add(0, length);
            return;
        }
        // As many pieces as fit, the same gap at both ends.
        const qreal count = std::floor((length - piece) / pitch) + 1;
        const qreal shift = (length - (count - 1) * pitch - piece) / 2;
        for (qreal at = shift; at + piece <= length + 1e-6; at += pitch) add(at, at + piece);
    };
    const qreal across = rect.width() - 2 * radius, down = rect.height() - 2 * radius;
    side(rect.topLeft() + QPointF(radius, 0), {1, 0}, {0, 1}, across);
    side(rect.bottomLeft() + QPointF(radius, 0), {1, 0}, {0, -1}, across);
    side(rect.topLeft() + QPointF(0, radius), {0, 1}, {1, 0}, down);
    side(rect.topRight() + QPointF(0, radius), {0, 1}, {-1, 0}, down);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRects(pieces);
    if (radius > 0) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(stylePen(colour, width, style == LineStyle::Dotted ? style : LineStyle::Solid));
        const QRectF middle = rect.adjusted(width / 2, width / 2, -width / 2, -width / 2);
        const qreal turn = 2 * (radius - width / 2);
        QPainterPath corners;
        const auto corner = [&](qreal x, qreal y, qreal start) {
            corners.arcMoveTo(QRectF(x, y, turn, turn), start);
            corners.arcTo(QRectF(x, y, turn, turn), start, 90);
        };
        corner(middle.left(), middle.top(), 90);
        corner(middle.right() - turn, middle.top(), 0);
        corner(middle.left(), middle.bottom() - turn, 180);
        corner(middle.right() - turn, middle.bottom() - turn, 270);
        painter.drawPath(corners);
    }
    painter.restore();
    return true;
}

} // namespace

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
    if (fillOutline(painter, rect, radius, colour, width, style)) return;
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
