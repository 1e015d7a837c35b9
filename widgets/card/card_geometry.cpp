// Where a card's cells and sliders lie, and what lies at a point.

#include "widgets/card/card_layout.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

Index CardSlider::valueAtX(qreal x) const {
    if (size <= 1) return 0;
    const qreal t = std::clamp((x - track.left()) / track.width(), 0.0, 1.0);
    return std::clamp<Index>(static_cast<Index>(std::llround(t * static_cast<qreal>(size - 1))), 0, size - 1);
}

std::vector<int> CardLayout::dimsFromInside() const {
    std::vector<int> dims;
    for (const int dim : {colDim, rowDim, channelDim})
        if (dim >= 0) dims.push_back(dim);
    for (int dim = static_cast<int>(view.dim()) - 1; dim >= 0; --dim)
        if (!isInPanel(dim)) dims.push_back(dim);
    return dims;
}

std::optional<QRectF> CardLayout::cellRect(const Dims& coord) const {
    if (coord.size() != view.shape.size() || view.numel() == 0) return {};
    for (std::size_t d = 0; d < coord.size(); ++d) {
        if (coord[d] < 0 || coord[d] >= view.shape[d]) return {};
    }
    if (block) return block->cellRect(coord).translated(pos);
    const Index row = rowDim < 0 ? 0 : coord[static_cast<std::size_t>(rowDim)];
    const Index col = colDim < 0 ? 0 : coord[static_cast<std::size_t>(colDim)];
    if (row < firstRow || row >= firstRow + shownRows || col < firstCol || col >= firstCol + shownCols) return {};
    for (const CardPanel& panel : panels) {
        bool same = true;
        for (std::size_t d = 0; d < coord.size(); ++d) {
            same = same && (isInPanel(static_cast<int>(d)) || coord[d] == panel.coord[d]);
        }
        if (!same) continue;
        return QRectF(panel.area.left() + static_cast<qreal>(col - firstCol) * cell.width(),
                      panel.area.top() + static_cast<qreal>(row - firstRow) * cell.height(), cell.width(),
                      cell.height())
            .translated(pos);
    }
    return {};
}

std::optional<Dims> CardLayout::cellAt(QPointF p) const {
    if (view.numel() == 0) return {};
    const QPointF local = p - pos;
    if (block) return block->cellAt(local);
    for (const CardPanel& panel : panels) {
        const QPointF in = local - panel.area.topLeft();
        if (in.x() < 0 || in.y() < 0 || in.x() >= panel.area.width() || in.y() >= panel.area.height()) continue;
        Dims coord = panel.coord;
        const Index row = std::min(firstRow + static_cast<Index>(in.y() / cell.height()), rows - 1);
        const Index col = std::min(firstCol + static_cast<Index>(in.x() / cell.width()), cols - 1);
        if (rowDim >= 0) coord[static_cast<std::size_t>(rowDim)] = row;
        if (colDim >= 0) coord[static_cast<std::size_t>(colDim)] = col;
        return coord;
    }
    return {};
}

std::optional<QPointF> CardLayout::port(const Dims& coord) const {
    const std::vector<QPointF> route = linkRoute(coord);
    if (route.empty()) return {};
    return route.back();
}

std::vector<QPointF> CardLayout::linkRoute(const Dims& coord) const {
    const auto rect = cellRect(coord);
    if (!rect) return {};
    const qreal bottom = pos.y() + size.height();
    const QPointF corner = rect->bottomRight();
    // A line would cut through the digits of the slices in front.
    if (block) return {QPointF(corner.x(), bottom)};
    const CardPanel* own = nullptr;
    qreal lowest = 0;
    for (const CardPanel& panel : panels) {
        if (panel.area.translated(pos).contains(rect->center())) own = &panel;
        lowest = std::max(lowest, panel.area.bottom());
    }
    std::vector<QPointF> route{corner};
    if (own && own->area.bottom() < lowest - 1) {
        // Down the grid line, then between the panels: their labels and cells stay free.
        const qreal gapY = pos.y() + own->area.bottom() + 4;
        const qreal gapX = pos.x() + own->area.right() + 10;
        route.insert(route.end(), {QPointF(corner.x(), gapY), QPointF(gapX, gapY)});
    }
    const qreal x = route.back().x();
    const QRectF note = noteArea.translated(pos);
    if (!noteArea.isEmpty() && x > note.left() - 4 && x < note.right() + 4) {
        const qreal gapY = pos.y() + lowest + 5;
        route.insert(route.end(), {QPointF(x, gapY), QPointF(note.right() + 8, gapY)});
    }
    route.push_back(QPointF(route.back().x(), bottom));
    return route;
}

std::optional<int> CardLayout::sliderAt(QPointF p) const {
    for (std::size_t i = 0; i < sliders.size(); ++i) {
        if (sliders[i].track.adjusted(-8, -4, 8, 4).contains(p - pos)) return static_cast<int>(i);
    }
    return {};
}

Index CardLayout::sliderValue(int slider, qreal sceneX) const {
    return sliders[static_cast<std::size_t>(slider)].valueAtX(sceneX - pos.x());
}

} // namespace stridescope
