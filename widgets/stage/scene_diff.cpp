#include "widgets/stage/scene_diff.h"

#include "widgets/card/text_metrics.h"
#include "widgets/scene/cells_area.h"
#include "widgets/scene/strip_ruler.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

bool same(const Tensor& a, const Tensor& b) {
    return a.storage() == b.storage() && a.dtype() == b.dtype() && a.view() == b.view();
}
bool same(const CellMark& a, const CellMark& b) {
    return a.position == b.position && a.kind == b.kind && a.number == b.number;
}
bool same(const std::vector<CellMark>& a, const std::vector<CellMark>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const CellMark& x, const CellMark& y) { return same(x, y); });
}
bool same(const BoxItem& a, const BoxItem& b) {
    return a.rect == b.rect && a.fill == b.fill && a.outline == b.outline && a.style == b.style && a.width == b.width &&
           a.radius == b.radius && a.opacity == b.opacity && a.hatched == b.hatched && a.halo == b.halo;
}
bool same(const TextItem& a, const TextItem& b) {
    return a.pos == b.pos && a.anchor == b.anchor && a.text == b.text && a.font == b.font && a.tone == b.tone &&
           a.angle == b.angle && a.maxWidth == b.maxWidth && a.underline == b.underline;
}
bool same(const PathItem& a, const PathItem& b) {
    return a.stroke == b.stroke && a.fill == b.fill && a.style == b.style && a.width == b.width && a.arrow == b.arrow &&
           a.casing == b.casing && a.path == b.path;
}
bool same(const BarsItem& a, const BarsItem& b) {
    return a.fill == b.fill && a.bars == b.bars;
}
bool same(const BadgeItem& a, const BadgeItem& b) {
    return a.centre == b.centre && a.colour == b.colour && a.size == b.size && a.letter == b.letter;
}
bool sameButMarks(const GridItem& a, const GridItem& b) {
    return a.area == b.area && a.origin == b.origin && a.cell == b.cell && a.rows == b.rows && a.cols == b.cols &&
           a.firstRow == b.firstRow && a.firstCol == b.firstCol && a.base == b.base && a.rowStride == b.rowStride &&
           a.colStride == b.colStride && same(a.source, b.source) && a.colour == b.colour && a.text == b.text &&
           a.heat == b.heat && a.heatLow == b.heatLow && a.heatHigh == b.heatHigh && a.grey == b.grey &&
           a.ghost == b.ghost && a.channels == b.channels && a.channelStride == b.channelStride &&
           a.repeats == b.repeats && a.tensor == b.tensor && a.coord == b.coord && a.rowDim == b.rowDim &&
           a.colDim == b.colDim;
}
bool sameButMarks(const StripItem& a, const StripItem& b) {
    return a.layout == b.layout && same(a.source, b.source) && a.storageId == b.storageId && a.text == b.text &&
           a.reach == b.reach && a.outOfRange == b.outOfRange && a.wanted == b.wanted &&
           a.cacheLineCells == b.cacheLineCells && a.indexBelow == b.indexBelow && a.rowIndex == b.rowIndex &&
           a.heat == b.heat && a.ruler == b.ruler && a.baseAddress == b.baseAddress && a.heatLow == b.heatLow &&
           a.heatHigh == b.heatHigh && a.summary == b.summary;
}
bool sameButMarks(const LaneItem& a, const LaneItem& b) {
    return a.layout == b.layout && a.top == b.top && a.height == b.height && a.reach == b.reach;
}
bool same(const GridItem& a, const GridItem& b) {
    return sameButMarks(a, b) && same(a.marks, b.marks);
}
bool same(const StripItem& a, const StripItem& b) {
    return sameButMarks(a, b) && same(a.marks, b.marks);
}
bool same(const LaneItem& a, const LaneItem& b) {
    return sameButMarks(a, b) && same(a.marks, b.marks);
}
bool same(const CellsItem& a, const CellsItem& b) {
    return a.size == b.size && a.index == b.index && same(a.source, b.source) && a.cells == b.cells;
}
bool same(const QuadItem& a, const QuadItem& b) {
    return a.origin == b.origin && a.across == b.across && a.down == b.down && a.rows == b.rows && a.cols == b.cols &&
           a.fill == b.fill && a.shade == b.shade && a.outline == b.outline && a.style == b.style;
}
bool same(const ColourBarItem& a, const ColourBarItem& b) {
    return a.rect == b.rect && a.low == b.low && a.high == b.high && a.signedValues == b.signedValues &&
           a.grey == b.grey && a.below == b.below && a.above == b.above && a.odd == b.odd && a.only == b.only;
}

bool same(const SceneItem& a, const SceneItem& b) {
    if (a.index() != b.index()) return false;
    return std::visit([&b](const auto& item) { return same(item, std::get<std::decay_t<decltype(item)>>(b)); }, a);
}

/// Rings, halos and count badges reach a little over the cell.
constexpr qreal kMarkMargin = 8;

QRectF cellOf(const GridItem& grid, Index position) {
    const Index cols = std::max<Index>(grid.cols, 1);
    const Index row = position / cols, col = position % cols;
    return QRectF(grid.origin.x() + static_cast<qreal>(col - grid.firstCol) * grid.cell.width(),
                  grid.origin.y() + static_cast<qreal>(row - grid.firstRow) * grid.cell.height(), grid.cell.width(),
                  grid.cell.height());
}
QRectF cellOf(const StripItem& strip, Index slot) {
    // The index below is drawn strong under a ring.
    QRectF rect = strip.layout.cellRect(slot);
    if (strip.indexBelow) rect.setHeight(strip.layout.rowPitch + 2);
    return rect.adjusted(-rect.width() / 2, 0, rect.width() / 2, 0);
}
QRectF cellOf(const LaneItem& lane, Index slot) {
    const QRectF cell = lane.layout.cellRect(slot);
    return QRectF(cell.left(), lane.top, cell.width(), lane.height);
}

/// Labels of rows at the strip's left, and those of columns below it.
QRectF rowLabels(const StripItem& strip) {
    const QRectF& area = strip.layout.area;
    const qreal width = rowIndexWidth(strip);
    return QRectF(area.left() - width, area.top() - 8, width, area.height() + 16);
}
QRectF columnLabels(const StripItem& strip) {
    const QRectF& area = strip.layout.area;
    return QRectF(area.left() - 24, area.bottom(), area.width() + 48, kRowIndexHeight + 2);
}

template <class Item>
void addMarkDifference(std::vector<QRectF>& out, const Item& a, const Item& b) {
    const auto addMissing = [&out](const Item& from, const Item& in) {
        for (const CellMark& mark : from.marks) {
            const auto equal = [&mark](const CellMark& other) { return same(mark, other); };
            if (std::any_of(in.marks.begin(), in.marks.end(), equal)) continue;
            out.push_back(cellOf(from, mark.position).adjusted(-kMarkMargin, -kMarkMargin, kMarkMargin, kMarkMargin));
        }
    };
    addMissing(a, b);
    addMissing(b, a);
    if constexpr (std::is_same_v<Item, StripItem>) {
        // The labels of a marked cell's row and column are strong, and others give way to them.
        if (b.rowIndex && !same(a.marks, b.marks)) {
            out.push_back(rowLabels(b));
            out.push_back(columnLabels(b));
        }
    }
}

/// Handles pairs that differ only in their marks; false for anything else.
bool addIfOnlyMarks(std::vector<QRectF>& out, const SceneItem& a, const SceneItem& b) {
    if (a.index() != b.index()) return false;
    return std::visit(
        [&](const auto& item) {
            using Item = std::decay_t<decltype(item)>;
            if constexpr (std::is_same_v<Item, GridItem> || std::is_same_v<Item, StripItem> ||
                          std::is_same_v<Item, LaneItem>) {
                const Item& other = std::get<Item>(b);
                // A list of hundreds of marks is dearer to compare than to paint.
                if (item.marks.size() > 256 || other.marks.size() > 256 || !sameButMarks(item, other)) return false;
                addMarkDifference(out, item, other);
                return true;
            } else {
                return false;
            }
        },
        a);
}

QRectF grown(const QRectF& rect, qreal by) {
    return rect.adjusted(-by, -by, by, by);
}

std::vector<QRectF> bounds(const BoxItem& item) {
    return {grown(item.rect, item.width / 2 + (item.halo ? 4 : 1))};
}
std::vector<QRectF> bounds(const TextItem& item) {
    qreal width = textWidth(item.font, item.text);
    if (item.maxWidth > 0) width = std::min(width, item.maxWidth);
    const qreal size = width + 6;
    // Wherever the anchor is: the text lies within its own length of it.
    if (item.angle != 0) return {QRectF(item.pos.x() - size, item.pos.y() - size, 2 * size, 2 * size)};
    qreal left = item.pos.x() - 3;
    if (item.anchor & Qt::AlignHCenter) left -= width / 2;
    if (item.anchor & Qt::AlignRight) left -= width;
    return {QRectF(left, item.pos.y() - 22, size, 44)};
}
std::vector<QRectF> bounds(const PathItem& item) {
    const qreal margin = std::max(item.width, item.casing ? item.width + 4 : 0.0) / 2 + (item.arrow ? 9 : 1.5);
    const QRectF whole = item.path.controlPointRect();
    if (whole.width() * whole.height() < 16'000) return {grown(whole, margin)};
    std::vector<QRectF> pieces;
    for (const QPolygonF& polygon : item.path.toSubpathPolygons()) {
        for (qsizetype i = 1; i < polygon.size(); ++i) {
            const QPointF a = polygon[i - 1], b = polygon[i];
            QRectF piece(QPointF(std::min(a.x(), b.x()), std::min(a.y(), b.y())),
                         QPointF(std::max(a.x(), b.x()), std::max(a.y(), b.y())));
            piece = grown(piece, margin);
            if (!pieces.empty()) {
                const QRectF joined = pieces.back().united(piece);
                if (joined.width() * joined.height() < 9'000) {
                    pieces.back() = joined;
                    continue;
                }
            }
            pieces.push_back(piece);
        }
    }
    return pieces;
}
std::vector<QRectF> bounds(const BarsItem& item) {
    QRectF all;
    for (const QRectF& bar : item.bars) all |= bar;
    return {grown(all, 1)};
}
std::vector<QRectF> bounds(const BadgeItem& item) {
    const qreal half = item.size / 2 + 2;
    return {QRectF(item.centre.x() - half, item.centre.y() - half, 2 * half, 2 * half)};
}
std::vector<QRectF> bounds(const GridItem& item) {
    return {grown(item.area, kMarkMargin)};
}
std::vector<QRectF> bounds(const StripItem& item) {
    if (!item.rowIndex) return {grown(item.layout.area, 24)};
    return {grown(item.layout.area, 24).united(rowLabels(item)).united(columnLabels(item))};
}
std::vector<QRectF> bounds(const LaneItem& item) {
    return {QRectF(item.layout.area.left() - 4, item.top - 4, item.layout.area.width() + 8, item.height + 8)};
}
std::vector<QRectF> bounds(const CellsItem& item) {
    return {grown(cellsArea(item), 24)};
}
std::vector<QRectF> bounds(const QuadItem& item) {
    const QPointF across = item.across * static_cast<qreal>(item.cols),
                  down = item.down * static_cast<qreal>(item.rows);
    const QPolygonF face({item.origin, item.origin + across, item.origin + across + down, item.origin + down});
    return {grown(face.boundingRect(), 3)};
}
std::vector<QRectF> bounds(const ColourBarItem& item) {
    return {item.rect.adjusted(-40, -8, 40, 30)};
}

} // namespace

std::vector<QRectF> dirtyRects(const SceneItem& item) {
    return std::visit([](const auto& i) { return bounds(i); }, item);
}

void mergeRects(std::vector<QRectF>& rects, qreal cost) {
    const auto area = [](const QRectF& r) { return r.width() * r.height(); };
    for (std::size_t i = 0; i < rects.size();) {
        bool grown = false;
        for (std::size_t j = i + 1; j < rects.size();) {
            const QRectF joined = rects[i].united(rects[j]);
            if (area(joined) <= area(rects[i]) + area(rects[j]) + cost) {
                rects[i] = joined;
                rects.erase(rects.begin() + static_cast<std::ptrdiff_t>(j));
                grown = true;
            } else {
                ++j;
            }
        }
        // What has grown may now take in one that it was compared with before, also an earlier one.
        i = grown ? 0 : i + 1;
    }
}

std::vector<QRectF> changedRects(const Scene& before, const Scene& after, std::size_t limit) {
    if (before.size != after.size || before.ground != after.ground) return {QRectF(QPointF(), after.size)};
    // Nodes keep their order; most are where they were. Look for each one near its old place.
    constexpr std::size_t kWindow = 96;
    const std::size_t oldCount = before.nodes.size(), newCount = after.nodes.size();
    std::vector<bool> kept(oldCount), found(newCount);
    std::size_t next = 0;
    for (std::size_t i = 0; i < oldCount; ++i) {
        const std::size_t end = std::min(newCount, next + kWindow);
        for (std::size_t j = next; j < end; ++j) {
            if (found[j] || !(before.nodes[i].part == after.nodes[j].part) ||
                !same(before.nodes[i].item, after.nodes[j].item)) {
                continue;
            }
            kept[i] = found[j] = true;
            next = j + 1;
            break;
        }
    }
    std::vector<QRectF> rects;
    for (std::size_t i = 0; i < oldCount; ++i) {
        if (kept[i]) continue;
        bool marksOnly = false;
        for (std::size_t j = 0; j < newCount && !marksOnly; ++j) {
            if (found[j] || !(before.nodes[i].part == after.nodes[j].part)) continue;
            if (addIfOnlyMarks(rects, before.nodes[i].item, after.nodes[j].item)) marksOnly = found[j] = true;
        }
        if (marksOnly) continue;
        const std::vector<QRectF> pieces = dirtyRects(before.nodes[i].item);
        rects.insert(rects.end(), pieces.begin(), pieces.end());
    }
    for (std::size_t j = 0; j < newCount; ++j) {
        if (found[j]) continue;
        const std::vector<QRectF> pieces = dirtyRects(after.nodes[j].item);
        rects.insert(rects.end(), pieces.begin(), pieces.end());
    }
    for (qreal cost = kRectCost;; cost *= 4) {
        mergeRects(rects, cost);
        if (rects.size() <= limit || cost > 1e12) break;
    }
    return rects;
}

} // namespace stridescope
