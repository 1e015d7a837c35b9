#include "widgets/scene/scene_painter.h"

#include "widgets/scene/paint_context.h"
#include "widgets/scene/scene_bounds.h"
#include "widgets/scene/stroke.h"
#include "widgets/shared/reading_direction.h"

#include <QFontMetricsF>
#include <QVarLengthArray>

#include <cmath>

namespace stridescope {

namespace {

void paintItem(PaintContext& c, const BoxItem& box) {
    const bool outlined = box.outline != Tone::None && box.style != LineStyle::None;
    // Plain rectangles need no anti-aliasing: fills on the pixel grid are crisp and cheap.
    if (box.radius <= 0 && !box.hatched && !box.halo && (!outlined || box.style == LineStyle::Solid)) {
        const QRectF rect = c.snap(box.rect);
        if (box.fill != Tone::None) {
            QColor fill = c.colour(box.fill);
            fill.setAlphaF(static_cast<float>(box.opacity));
            c.painter.fillRect(rect, fill);
        }
        if (outlined) c.frame(rect, c.colour(box.outline), box.width);
        return;
    }
    Smooth smooth(c.painter);
    if (box.halo && outlined) {
        strokeRect(c.painter, box.rect.adjusted(-2, -2, 2, 2), box.radius + 2, c.colour(Tone::Stage), 2.5,
                   LineStyle::Solid);
    }
    if (box.fill != Tone::None) {
        QColor fill = c.colour(box.fill);
        fill.setAlphaF(static_cast<float>(box.opacity));
        c.painter.setPen(Qt::NoPen);
        c.painter.setBrush(fill);
        // A filled box with a line stays under the middle of its line.
        const qreal inset = outlined && box.style == LineStyle::Solid ? box.width / 2 : 0;
        c.painter.drawRoundedRect(box.rect.adjusted(inset, inset, -inset, -inset), box.radius, box.radius);
    }
    if (box.hatched) {
        c.painter.save();
        c.painter.setClipRect(box.rect, Qt::IntersectClip);
        hatchRect(c.painter, box.rect, c.colour(box.outline == Tone::None ? Tone::Error : box.outline));
        c.painter.restore();
    }
    // Repainting what is inside a card needs no new outline.
    const qreal edge = box.width + box.radius + 2;
    if (outlined && box.rect.adjusted(edge, edge, -edge, -edge).contains(c.exposed)) return;
    if (outlined) strokeRect(c.painter, box.rect, box.radius, c.colour(box.outline), box.width, box.style);
}

void paintItem(PaintContext& c, const TextItem& item) {
    if (item.text.isEmpty()) return;
    const QFont& font = c.theme.font(item.font);
    QString text = item.text;
    if (item.maxWidth > 0) text = QFontMetricsF(font).elidedText(text, Qt::ElideRight, item.maxWidth);
    const bool turned = item.angle != 0;
    if (turned) {
        c.painter.save();
        c.painter.translate(item.pos);
        c.painter.rotate(-item.angle);
    }
    const QPointF pos = turned ? QPointF() : item.pos;
    c.text(pos, item.anchor, text, font, c.colour(item.tone));
    if (item.underline != Tone::None) {
        const qreal width = QFontMetricsF(font).horizontalAdvance(text);
        qreal left = pos.x();
        if (item.anchor & Qt::AlignHCenter) left -= width / 2;
        if (item.anchor & Qt::AlignRight) left -= width;
        const qreal base = item.anchor & Qt::AlignVCenter ? pos.y() + QFontMetricsF(font).capHeight() / 2 : pos.y();
        const QRectF line(left, base + 5, width, 3);
        c.painter.fillRect(turned ? line : c.snap(line), c.colour(item.underline));
    }
    if (turned) c.painter.restore();
}

/// Strokes the path with the pen. On a screen long level lines that curves lead into are drawn by themselves: as a part
/// of an outline they would cost as much as the rest of a frame. They begin and end between pixels, where no seam
/// shows.
void strokeCurves(const PaintContext& c, const QPainterPath& path, QPen pen) {
    constexpr qreal kLong = 64;
    QPainterPath rest;
    QVarLengthArray<QLineF, 4> lines;
    bool curved = false;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element to = path.elementAt(i);
        if (to.isMoveTo()) {
            rest.moveTo(to);
        } else if (to.isLineTo()) {
            const QPointF from = rest.currentPosition();
            if (std::abs(to.x - from.x()) >= kLong && to.y == from.y()) {
                const qreal way = to.x > from.x() ? 1 : -1;
                const QLineF line(c.snapX(from.x() + way), to.y, c.snapX(to.x - way), to.y);
                rest.lineTo(line.p1());
                rest.moveTo(line.p2());
                lines.append(line);
            }
            rest.lineTo(to);
        } else if (to.isCurveTo()) { // with its two other points
            curved = true;
            rest.cubicTo(to, path.elementAt(i + 1), path.elementAt(i + 2));
            i += 2;
        }
    }
    const bool split = !c.vector && curved && !lines.isEmpty(); // corners need the joins of the whole
    if (split) pen.setCapStyle(Qt::FlatCap);
    c.painter.setPen(pen);
    c.painter.drawPath(split ? rest : path);
    if (split) c.painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}

void paintItem(PaintContext& c, const PathItem& item) {
    Smooth smooth(c.painter);
    const QColor stroke = c.colour(item.stroke);
    const bool line = item.stroke != Tone::None && item.style != LineStyle::None;
    const QPainterPath path = item.arrow ? shortened(item.path, arrowLength(item.width) * 0.8) : item.path;
    if (item.casing) {
        c.painter.setBrush(Qt::NoBrush);
        strokeCurves(c, path, QPen(c.colour(Tone::Stage), item.width + 4, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    }
    if (item.fill != Tone::None || line) {
        c.painter.setBrush(item.fill == Tone::None ? QBrush(Qt::NoBrush) : QBrush(c.colour(item.fill)));
        QPen pen = line ? stylePen(stroke, item.width, item.style) : QPen(Qt::NoPen);
        pen.setJoinStyle(Qt::RoundJoin);
        if (item.style == LineStyle::Solid && !item.arrow) pen.setCapStyle(Qt::RoundCap);
        if (item.fill == Tone::None && item.style == LineStyle::Solid) {
            strokeCurves(c, path, pen);
        } else {
            c.painter.setPen(pen);
            c.painter.drawPath(path);
        }
    }
    if (item.arrow) fillArrowHead(c.painter, item.path, stroke, item.width);
}

void paintItem(PaintContext& c, const BarsItem& item) {
    const QColor colour = c.colour(item.fill);
    if (c.vector) { // one path instead of an element for each bar
        QPainterPath path;
        for (const QRectF& bar : item.bars) path.addRect(bar);
        c.painter.fillPath(path, colour);
        return;
    }
    for (const QRectF& bar : item.bars) {
        if (bar.intersects(c.exposed)) c.painter.fillRect(c.snap(bar), colour);
    }
}

void paintItem(PaintContext& c, const BadgeItem& badge) {
    Smooth smooth(c.painter);
    QRectF rect(0, 0, badge.size, badge.size);
    rect.moveCenter(badge.centre);
    const qreal radius = badge.size * 0.2;
    const QColor dark(0x15, 0x18, 0x1D);
    if (badge.colour < 0 || badge.colour > 3) {
        // Neutral views have a ring and no letter.
        const QRectF ring = rect.adjusted(badge.size * 0.2, badge.size * 0.2, -badge.size * 0.2, -badge.size * 0.2);
        c.painter.setBrush(Qt::NoBrush);
        c.painter.setPen(QPen(c.colour(Tone::Control), std::max(1.4, badge.size * 0.08)));
        c.painter.drawEllipse(ring);
        return;
    }
    c.painter.setPen(Qt::NoPen);
    c.painter.setBrush(c.colour(Theme::viewTone(badge.colour)));
    c.painter.drawRoundedRect(rect, radius, radius);
    const qreal width = badge.size * 0.08, inner = radius * 0.8;
    QPen pen(dark, width);
    c.painter.setBrush(Qt::NoBrush);
    if (badge.colour == 1) {
        pen.setDashPattern({2.33, 1.55});
    } else if (badge.colour == 2) {
        pen = QPen(dark, badge.size * 0.1, Qt::SolidLine, Qt::RoundCap);
        pen.setDashPattern({0.035, 1.5});
    } else if (badge.colour == 3) {
        pen.setWidthF(badge.size * 0.055);
        const qreal in = badge.size * 0.155;
        c.painter.setPen(pen);
        c.painter.drawRoundedRect(rect.adjusted(in, in, -in, -in), radius * 0.5, radius * 0.5);
    }
    c.painter.setPen(pen);
    const qreal edge = std::max(pen.widthF() / 2, badge.size * 0.04);
    c.painter.drawRoundedRect(rect.adjusted(edge, edge, -edge, -edge), inner, inner);
    const int pixels =
        std::max(c.theme.leastPixels(), static_cast<int>(std::lround(badge.size * (badge.colour == 3 ? 0.54 : 0.6))));
    const QFont font = Theme::sansFont(pixels, QFont::Bold);
    const QString letter = Theme::viewLetter(badge.colour, badge.letter);
    // Small letters hang below the middle of the line, some of them into the outline: their ink stands where a capital's
    // does.
    QPointF middle = badge.centre;
    if (badge.letter.isLower()) {
        const QFontMetricsF metrics(font);
        const auto inkOf = [&metrics](const QString& text) { return metrics.tightBoundingRect(text).center().y(); };
        middle.ry() += inkOf(QStringLiteral("A")) - inkOf(letter);
    }
    c.text(middle, Qt::AlignHCenter | Qt::AlignVCenter, letter, font, c.colour(Tone::OnView));
}

void paintItem(PaintContext& c, const QuadItem& quad) {
    if (quad.rows <= 0 || quad.cols <= 0) return;
    Smooth smooth(c.painter);
    const QPointF right = quad.across * static_cast<qreal>(quad.cols), down = quad.down * static_cast<qreal>(quad.rows);
    const QPolygonF face{quad.origin, quad.origin + right, quad.origin + right + down, quad.origin + down};
    if (quad.fill != Tone::None) {
        QColor fill = c.colour(quad.fill);
        if (quad.shade > 0) fill = Theme::mix(QColor(Qt::white), fill, std::min<qreal>(quad.shade, 1));
        if (quad.shade < 0) fill = Theme::mix(QColor(Qt::black), fill, std::min<qreal>(-quad.shade, 1));
        c.painter.setPen(Qt::NoPen);
        c.painter.setBrush(fill);
        c.painter.drawPolygon(face);
    }
    if (quad.outline == Tone::None || quad.style == LineStyle::None) return;
    // Lines between cells, at most as many as can be told apart.
    QColor colour = c.colour(quad.outline);
    if (quad.fill != Tone::None && quad.outline == Tone::Ink) colour = QColor(0x15, 0x18, 0x1D);
    c.painter.setPen(stylePen(colour, 1.2, quad.style));
    c.painter.setBrush(Qt::NoBrush);
    c.painter.drawPolygon(face);
    const auto length = [](QPointF v) { return std::hypot(v.x(), v.y()); };
    QVector<QLineF> lines;
    if (length(quad.across) >= 3) {
        for (Index i = 1; i < quad.cols; ++i) {
            const QPointF from = quad.origin + quad.across * static_cast<qreal>(i);
            lines.append(QLineF(from, from + down));
        }
    }
    if (length(quad.down) >= 3) {
        for (Index i = 1; i < quad.rows; ++i) {
            const QPointF from = quad.origin + quad.down * static_cast<qreal>(i);
            lines.append(QLineF(from, from + right));
        }
    }
    c.painter.drawLines(lines);
}

void paintItem(PaintContext& c, const ColourBarItem& bar) {
    paintColourBar(c, bar);
}
void paintItem(PaintContext& c, const GridItem& grid) {
    paintGrid(c, grid);
}
void paintItem(PaintContext& c, const StripItem& strip) {
    paintStrip(c, strip);
}
void paintItem(PaintContext& c, const CellsItem& cells) {
    paintCells(c, cells);
}
void paintItem(PaintContext& c, const LaneItem& lane) {
    paintLane(c, lane);
}

} // namespace

void paintScene(QPainter& painter, const Scene& scene, const Theme& theme, const PaintOptions& options) {
    const QRectF all(QPointF(), scene.size);
    const QRectF exposed = options.exposed.isEmpty() ? all : options.exposed;
    painter.save();
    // Code, shapes and sums are read from the left in every language.
    readFromLeft(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setRenderHint(QPainter::TextAntialiasing, true);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    PaintContext context(painter, theme, options, exposed);
    if (options.ground && scene.ground != Tone::None) painter.fillRect(exposed, theme.color(scene.ground));
    for (const SceneNode& node : scene.nodes) {
        if (!itemBounds(node.item, theme).intersects(exposed)) continue;
        std::visit([&context](const auto& item) { paintItem(context, item); }, node.item);
    }
    painter.restore();
}

void paintScenePart(QPainter& painter, QPointF at, const QRectF& of, const Scene& scene, const Theme& theme) {
    painter.save();
    painter.setClipRect(QRectF(at, of.size()));
    painter.translate(at - of.topLeft());
    PaintOptions options;
    options.exposed = of;
    paintScene(painter, scene, theme, options);
    painter.restore();
}

} // namespace stridescope
