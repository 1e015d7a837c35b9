#pragma once
// Where the things of a scene are drawn, for tests that ask which of them lie over one another.

#include "widgets/scene/grid_layout.h"
#include "widgets/scene/scene.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QTransform>

namespace stridescope::stage_test {

/// Where a text is drawn: cap height and descent rather than line height, which has air in it.
inline QRectF inkOf(const TextItem& item) {
    static const Theme theme;
    const QFontMetricsF metrics(theme.font(item.font));
    qreal width = metrics.horizontalAdvance(item.text);
    if (item.maxWidth > 0) width = std::min(width, item.maxWidth);
    const qreal cap = metrics.capHeight();
    QRectF rect(0, -cap, width, cap);
    if (item.anchor & Qt::AlignVCenter) rect.moveTop(-cap / 2);
    if (item.anchor & Qt::AlignTop) rect.moveTop(0);
    if (item.anchor & Qt::AlignHCenter) rect.moveLeft(-width / 2);
    if (item.anchor & Qt::AlignRight) rect.moveLeft(-width);
    QTransform turn;
    turn.translate(item.pos.x(), item.pos.y());
    turn.rotate(-item.angle);
    return turn.mapRect(rect);
}

inline QRectF badgeRect(const BadgeItem& badge) {
    QRectF rect(0, 0, badge.size, badge.size);
    rect.moveCenter(badge.centre);
    return rect;
}

/// Outer edges of the rings on the cells of grids and strips.
inline std::vector<QRectF> ringRects(const Scene& scene) {
    std::vector<QRectF> rings;
    const auto add = [&](const CellMark& mark, const QRectF& cell, const QRectF& area) {
        if (mark.kind != MarkKind::Ring && mark.kind != MarkKind::SoftRing) return;
        if (area.adjusted(-1, -1, 1, 1).contains(cell.center())) rings.push_back(cell.adjusted(-2, -2, 2, 2));
    };
    for (const SceneNode& node : scene.nodes) {
        if (const auto* grid = std::get_if<GridItem>(&node.item)) {
            for (const CellMark& mark : grid->marks)
                add(mark, gridCellRect(*grid, mark.position / grid->cols, mark.position % grid->cols), gridArea(*grid));
        }
        if (const auto* strip = std::get_if<StripItem>(&node.item)) {
            for (const CellMark& mark : strip->marks)
                add(mark, strip->layout.cellRect(mark.position), strip->layout.area);
        }
    }
    return rings;
}

/// Does the line of a path go through the rectangle?
inline bool crosses(const QPainterPath& path, const QRectF& rect) {
    for (const QPolygonF& line : path.toSubpathPolygons()) {
        for (qsizetype i = 1; i < line.size(); ++i) {
            const int pieces = 1 + static_cast<int>(QLineF(line[i - 1], line[i]).length() / 2);
            for (int k = 0; k <= pieces; ++k) {
                if (rect.contains(line[i - 1] + (line[i] - line[i - 1]) * k / pieces)) return true;
            }
        }
    }
    return false;
}

} // namespace stridescope::stage_test
