#include "widgets/scene/glyphs.h"

#include <QTransform>

namespace stridescope {

QPainterPath glyphPath(Glyph glyph, QPointF centre, qreal size) {
    QPainterPath p; // drawn on a 16 x 16 grid, as the icons
    const auto line = [&p](std::initializer_list<QPointF> points, bool closed = false) {
        bool first = true;
        for (const QPointF& point : points) {
            first ? p.moveTo(point) : p.lineTo(point);
            first = false;
        }
        if (closed) p.closeSubpath();
    };
    switch (glyph) {
    case Glyph::Chain:
        p.addRoundedRect(QRectF(1.4, 5.4, 7, 5.2), 2.6, 2.6);
        p.addRoundedRect(QRectF(7.6, 5.4, 7, 5.2), 2.6, 2.6);
        break;
    case Glyph::Check:
        line({{3, 8.5}, {6.5, 12}, {13, 4.5}});
        break;
    case Glyph::Cross:
        line({{4, 4}, {12, 12}});
        line({{12, 4}, {4, 12}});
        break;
    case Glyph::Hazard:
        line({{8, 2.2}, {14.6, 13.4}, {1.4, 13.4}}, true);
        line({{8, 6.4}, {8, 9.6}});
        line({{8, 11.3}, {8, 11.7}});
        break;
    case Glyph::Dots:
        for (const qreal x : {2.5, 8.0, 13.5}) p.addEllipse(QPointF(x, 8), 1.6, 1.6);
        break;
    case Glyph::Plus:
        line({{8, 3}, {8, 13}});
        line({{3, 8}, {13, 8}});
        break;
    case Glyph::Copy:
        p.addRoundedRect(QRectF(5.5, 5.5, 8, 8), 1.2, 1.2);
        line({{10.5, 3.5}, {10.5, 2.5}, {2.5, 2.5}, {2.5, 10.5}, {3.5, 10.5}});
        break;
    case Glyph::Play:
        line({{4.5, 3}, {13, 8}, {4.5, 13}}, true);
        break;
    }
    const qreal scale = size / 16;
    return QTransform(scale, 0, 0, scale, centre.x() - size / 2, centre.y() - size / 2).map(p);
}

} // namespace stridescope
