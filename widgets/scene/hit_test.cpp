#include "widgets/scene/hit_test.h"

#include "widgets/scene/grid_layout.h"
#include "widgets/scene/scene_bounds.h"

#include <cmath>

namespace stridescope {

namespace {

/// How far from a line still counts as on it.
constexpr qreal kReachOfPointer = 4;

QRectF laneCell(const LaneItem& lane, Index slot) {
    const QRectF cell = lane.layout.cellRect(slot);
    return QRectF(cell.left(), lane.top, cell.width(), lane.height);
}

struct Tester {
    const Part& part;
    QPointF p;

    std::optional<Hit> plain(const QRectF& rect) const {
        if (part.kind == PartKind::None || !rect.contains(p)) return {};
        return Hit{part, {}, {}, rect};
    }

    std::optional<Hit> operator()(const BoxItem& box) const { return plain(box.rect); }
    std::optional<Hit> operator()(const TextItem& text) const {
        if (part.kind == PartKind::None || text.text.isEmpty()) return {};
        // Without fonts in the scene the box of the text is estimated from its length; generous by half a letter.
        const qreal height = 18, width = text.maxWidth > 0 ? text.maxWidth : 7.4 * static_cast<qreal>(text.text.size());
        QRectF box(0, -height * 0.75, width, height);
        if (text.anchor & Qt::AlignHCenter) box.moveLeft(-width / 2);
        if (text.anchor & Qt::AlignRight) box.moveLeft(-width);
        if (text.anchor & Qt::AlignVCenter) box.moveTop(-height / 2);
        QTransform turn;
        turn.translate(text.pos.x(), text.pos.y());
        turn.rotate(-text.angle);
        return plain(turn.mapRect(box));
    }
    std::optional<Hit> operator()(const PathItem& path) const {
        if (part.kind == PartKind::None) return {};
        const QRectF bounds =
            path.path.boundingRect().adjusted(-kReachOfPointer, -kReachOfPointer, kReachOfPointer, kReachOfPointer);
        if (!bounds.contains(p)) return {};
        if (path.fill != Tone::None && path.path.contains(p)) return Hit{part, {}, {}, bounds};
        QPainterPathStroker stroker;
        stroker.setWidth(std::max(path.width, 2 * kReachOfPointer));
        if (!stroker.createStroke(path.path).contains(p)) return {};
        return Hit{part, {}, {}, bounds};
    }
    std::optional<Hit> operator()(const BarsItem& item) const {
        if (part.kind == PartKind::None) return {};
        for (const QRectF& bar : item.bars) {
            if (bar.contains(p)) return Hit{part, {}, {}, bar};
        }
        return {};
    }
    std::optional<Hit> operator()(const BadgeItem& badge) const {
        QRectF rect(0, 0, badge.size, badge.size);
        rect.moveCenter(badge.centre);
        return plain(rect);
    }
    std::optional<Hit> operator()(const GridItem& grid) const {
        if (grid.rows <= 0 || grid.cols <= 0) return plain(grid.area);
        const std::optional<GridCell> cell = gridCellAt(grid, p);
        if (!cell) return {};
        return Hit{part, gridSlot(grid, cell->row, cell->col), gridCoord(grid, cell->row, cell->col),
                   gridCellRect(grid, cell->row, cell->col)};
    }
    std::optional<Hit> operator()(const StripItem& strip) const {
        const std::optional<Index> slot = strip.layout.cellAt(p);
        if (!slot) return {};
        return Hit{part, *slot, {}, strip.layout.cellRect(*slot)};
    }
    std::optional<Hit> operator()(const LaneItem& lane) const {
        if (p.y() < lane.top || p.y() >= lane.top + lane.height) return {};
        // The lane's own row, looked at through the row of the strip above it.
        const StripLayout& layout = lane.layout;
        const std::optional<Index> slot =
            layout.cellAt(QPointF(p.x(), layout.area.top() - layout.rowShift + layout.cellHeight / 2));
        if (!slot) return {};
        return Hit{part, *slot, {}, laneCell(lane, *slot)};
    }
    std::optional<Hit> operator()(const CellsItem& item) const {
        // What is drawn last lies on top.
        for (auto cell = item.cells.rbegin(); cell != item.cells.rend(); ++cell) {
            const QRectF rect(cell->at, item.size);
            if (rect.contains(p)) return Hit{part, cell->slot, {}, rect};
        }
        return {};
    }
    std::optional<Hit> operator()(const QuadItem& quad) const {
        if (part.kind == PartKind::None) return {};
        const QPointF right = quad.across * static_cast<qreal>(quad.cols),
                      down = quad.down * static_cast<qreal>(quad.rows);
        const QPolygonF face{quad.origin, quad.origin + right, quad.origin + right + down, quad.origin + down};
        if (!face.containsPoint(p, Qt::OddEvenFill)) return {};
        return Hit{part, {}, {}, face.boundingRect()};
    }
    std::optional<Hit> operator()(const ColourBarItem& bar) const { return plain(bar.rect); }
};

} // namespace

Hit hitTest(const Scene& scene, QPointF p) {
    for (auto node = scene.nodes.rbegin(); node != scene.nodes.rend(); ++node) {
        if (std::optional<Hit> hit = std::visit(Tester{node->part, p}, node->item)) return *std::move(hit);
    }
    return {};
}

std::vector<Hit> cellsOfSlot(const Scene& scene, quint64 storageId, Index slot, std::size_t limit) {
    std::vector<Hit> hits;
    for (const SceneNode& node : scene.nodes) {
        if (hits.size() >= limit) break;
        if (const auto* grid = std::get_if<GridItem>(&node.item)) {
            if (!grid->source.defined() || grid->source.storage()->id() != storageId) continue;
            for (const GridCell& cell : gridCellsOfSlot(*grid, slot, limit - hits.size())) {
                hits.push_back(
                    {node.part, slot, gridCoord(*grid, cell.row, cell.col), gridCellRect(*grid, cell.row, cell.col)});
            }
        } else if (const auto* strip = std::get_if<StripItem>(&node.item)) {
            if (strip->storageId != storageId) continue;
            const QRectF cell = strip->layout.cellRect(slot);
            if (cell.intersects(strip->layout.area)) hits.push_back({node.part, slot, {}, cell});
        } else if (const auto* lane = std::get_if<LaneItem>(&node.item)) {
            if (node.part.storageId != storageId) continue;
            const auto [row, column] = lane->layout.place(slot);
            const QRectF cell = laneCell(*lane, slot);
            if (row == lane->layout.firstRow && cell.right() > lane->layout.area.left() &&
                cell.left() < lane->layout.area.right()) {
                hits.push_back({node.part, slot, {}, cell});
            }
        }
    }
    return hits;
}

} // namespace stridescope
