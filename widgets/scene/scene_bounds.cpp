#include "widgets/scene/scene_bounds.h"

#include "widgets/scene/cells_area.h"
#include "widgets/scene/grid_layout.h"

#include <QFontMetricsF>

namespace stridescope {

namespace {

/// Rings and badges stand out of their cells by less than this.
constexpr qreal kMargin = 24;

QRectF padded(const QRectF& r, qreal by) {
    return r.normalized().adjusted(-by, -by, by, by);
}

struct Bounds {
    const Theme& theme;

    QRectF operator()(const BoxItem& box) const { return padded(box.rect, box.width + 5); }
    QRectF operator()(const TextItem& text) const {
        // Cheap and generous: exact widths cost more than painting a label too much.
        const int pixels = theme.font(text.font).pixelSize();
        const qreal width =
            text.maxWidth > 0 ? text.maxWidth + pixels : pixels * 1.1 * static_cast<qreal>(text.text.size() + 1);
        const qreal reach = text.angle != 0 ? std::max<qreal>(width, 2 * pixels) : width;
        return QRectF(text.pos.x() - reach, text.pos.y() - (text.angle != 0 ? reach : 2 * pixels), 2 * reach,
                      text.angle != 0 ? 2 * reach : 4 * pixels);
    }
    QRectF operator()(const PathItem& path) const { return padded(path.path.controlPointRect(), path.width * 4 + 6); }
    QRectF operator()(const BarsItem& item) const {
        QRectF all;
        for (const QRectF& bar : item.bars) all |= bar;
        return padded(all, 1);
    }
    QRectF operator()(const BadgeItem& badge) const {
        QRectF r(0, 0, badge.size + 4, badge.size + 4);
        r.moveCenter(badge.centre);
        return r;
    }
    QRectF operator()(const GridItem& grid) const {
        QRectF r = gridArea(grid);
        if (r.isEmpty()) r = QRectF(grid.origin, grid.cell.expandedTo(QSizeF(120, 40)));
        return padded(r, kMargin);
    }
    QRectF operator()(const StripItem& strip) const {
        // The index of a row stands at its left: the longest is a hexadecimal address.
        return padded(strip.layout.area.adjusted(strip.rowIndex ? -140 : 0, 0, 0, strip.layout.rowPitch), kMargin);
    }
    QRectF operator()(const LaneItem& lane) const {
        return padded(QRectF(lane.layout.area.left(), lane.top, lane.layout.area.width(), lane.height), kMargin);
    }
    QRectF operator()(const CellsItem& item) const { return padded(cellsArea(item), kMargin); }
    QRectF operator()(const QuadItem& quad) const {
        const QPointF right = quad.across * static_cast<qreal>(quad.cols),
                      down = quad.down * static_cast<qreal>(quad.rows);
        return padded(
            QPolygonF{quad.origin, quad.origin + right, quad.origin + right + down, quad.origin + down}.boundingRect(),
            3);
    }
    QRectF operator()(const ColourBarItem& bar) const { return padded(bar.rect, kMargin); }
};

} // namespace

QRectF itemBounds(const SceneItem& item, const Theme& theme) {
    return std::visit(Bounds{theme}, item);
}

} // namespace stridescope
