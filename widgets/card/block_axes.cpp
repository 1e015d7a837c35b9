#include "widgets/card/block_axes.h"

#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// From the cells, or the indices beside them, to an arrow, and from that to its words.
constexpr qreal kAxisGap = 13, kLabelGap = 9;
/// Indices below the cells and left of them.
constexpr qreal kTickRow = 15, kTickGap = 5;

QString axisText(const BlockInput& input, int dim) {
    const std::size_t at = static_cast<std::size_t>(dim);
    const bool named = at < input.names.size() && !input.names[at].isEmpty();
    return PaintedText::tr("dim %1%2 · %3")
        .arg(dim)
        .arg(named ? QStringLiteral(" (%1)").arg(input.names[at]) : QString())
        .arg(input.view.shape[at]);
}

/// Room for the indices of a dim beside each other or the cells; as wide whichever is picked.
qreal tickWidth(const BlockInput& input, const BlockLayout& layout, std::size_t dim) {
    if (!layout.ticks) return 0;
    return std::ceil(textWidth(FontRole::IndexStrong, QString::number(input.view.shape[dim] - 1)));
}

/// The arrow of dim 0, along the front left corners of the slices and clear of their top faces.
QLineF depthArrow(const BlockLayout& layout) {
    constexpr qreal kAside = kAxisGap - 4, kClear = 5, kLeast = 30;
    const QPointF pull = layout.pull();
    const qreal d = layout.depth(), slope = pull.x() / -pull.y();
    const qreal whole = -pull.y() * static_cast<qreal>((layout.shape[0] - 1) * layout.step[0]);
    // Slices side by side lie so flat that the arrow ends with them; else it may rise over the only one.
    const bool beside = layout.apart.height() <= 0;
    const qreal rise = beside ? std::max(kLeast / slope, whole) : std::max(kLeast, whole - layout.cell.height() * 0.3);
    const QPointF from =
        layout.cellRect({0, 0, 0}).topLeft() - QPointF(kAside, std::max(kAside, d + kClear - (d + kAside) / slope));
    return {from, from + QPointF(slope, -1) * rise};
}
/// From a slice on the arrow to the end of its index, which stands on the far side: of a flat arrow above it.
QPointF depthTickAside(const BlockLayout& layout) {
    return layout.apart.height() <= 0 ? QPointF(-2, -7) : QPointF(-11, 3);
}
/// Where its label ends: right of the text on the baseline. Left of the index of a slice in the middle.
QPointF depthLabel(const BlockLayout& layout, const QLineF& arrow, qreal ticks) {
    constexpr qreal kGap = 4;
    return arrow.center() - QPointF(ticks > 0 ? ticks - depthTickAside(layout).x() + kGap : 8, 5);
}
/// The baseline's end of the index of slice `i`.
QPointF depthTick(const BlockLayout& layout, const QLineF& arrow, Index i) {
    return arrow.p1() + layout.pull() * static_cast<qreal>(i * layout.step[0]) + depthTickAside(layout);
}

struct AxisIndex {
    Index index;
    bool strong; ///< the picked one
};

/// The first, the last and the picked index of a dim.
std::vector<AxisIndex> indicesOf(const BlockInput& input, std::size_t dim) {
    const Index last = input.view.shape[dim] - 1;
    std::vector<AxisIndex> found;
    const auto add = [&](Index i, bool strong) {
        const bool known =
            std::any_of(found.begin(), found.end(), [i](const AxisIndex& each) { return each.index == i; });
        if (!known) found.push_back({i, strong});
    };
    if (!input.rings.empty()) add(input.rings.front()[dim], true);
    add(0, false);
    add(last, false);
    return found;
}

} // namespace

QMarginsF blockMargins(const BlockInput& input, const BlockLayout& layout) {
    const QRectF bounds = layout.bounds();
    const QRectF corner = layout.cellRect({0, 0, 0});
    // Left: the label of dim 1 beside its arrow, and that of dim 0 beside the diagonal.
    const qreal rowTicks = layout.ticks ? tickWidth(input, layout, 1) + kTickGap : 0;
    const qreal rows = rowTicks + kAxisGap + kLabelGap + textWidth(FontRole::LabelStrong, axisText(input, 1));
    const QLineF arrow = depthArrow(layout);
    const qreal depthTicks = tickWidth(input, layout, 0);
    const qreal beside = layout.ticks ? depthTicks - depthTickAside(layout).x() : 0;
    const qreal middle = std::min(arrow.center().x(), arrow.x1() + std::abs(arrow.dy()) / 2) - beside;
    const qreal words = textWidth(FontRole::LabelStrong, axisText(input, 0));
    const qreal left = std::max({bounds.left() - (corner.left() - rows), bounds.left() - (middle - 16 - words),
                                 bounds.left() - (arrow.x1() - beside)});
    const qreal columnLabel = textWidth(FontRole::LabelStrong, axisText(input, 2));
    const qreal columns = layout.cellRect({0, 0, layout.shape[2] - 1}).right() - corner.left();
    const qreal right = std::max<qreal>(4, corner.left() + columns / 2 + columnLabel / 2 - bounds.right());
    constexpr qreal kLabelHeight = 12;
    qreal highest = std::min(arrow.y2() - 6, depthLabel(layout, arrow, depthTicks).y() - kLabelHeight);
    if (layout.ticks) highest = std::min(highest, depthTick(layout, arrow, layout.shape[0] - 1).y() - kLabelHeight);
    const qreal top = std::max<qreal>(6, bounds.top() - highest);
    const qreal lowest = layout.cellRect({0, layout.shape[1] - 1, 0}).bottom() + (layout.ticks ? kTickRow : 0);
    return QMarginsF(std::max<qreal>(left, 0), top, right, std::max<qreal>(4, lowest + 36 - bounds.bottom()));
}

/// At the front corner of the view itself.
void appendBlockAxes(SceneBuilder& out, const BlockInput& input, const BlockLayout& layout) {
    const Index rows = layout.shape[1], cols = layout.shape[2];
    const QRectF corner = layout.cellRect({0, 0, 0});
    const QPointF bottomLeft = layout.cellRect({0, rows - 1, 0}).bottomLeft();
    const QLineF depth = depthArrow(layout);
    const auto axis = [&](int dim, QPointF from, QPointF to) {
        PathItem item;
        item.path.moveTo(from);
        item.path.lineTo(to);
        item.stroke = Theme::dimTone(dim);
        item.width = 3;
        item.arrow = true;
        out.path(item, PartKind::CardDim, dim);
    };
    const auto ticks = [&](std::size_t dim, Qt::Alignment anchor, const auto& place) {
        if (!layout.ticks) return;
        for (const AxisIndex& each : indicesOf(input, dim))
            out.text(place(each.index), QString::number(each.index),
                     each.strong ? FontRole::IndexStrong : FontRole::Index, each.strong ? Tone::Ink : Tone::Ink2,
                     anchor);
    };
    axis(0, depth.p1(), depth.p2());
    out.text(depthLabel(layout, depth, tickWidth(input, layout, 0)), axisText(input, 0), FontRole::LabelStrong,
             Tone::Ink, Qt::AlignRight | Qt::AlignBaseline);
    ticks(0, Qt::AlignRight | Qt::AlignBaseline, [&](Index i) { return depthTick(layout, depth, i); });

    const qreal rowTicks = layout.ticks ? tickWidth(input, layout, 1) + kTickGap : 0;
    const qreal rowAxis = corner.left() - rowTicks - kAxisGap;
    axis(1, QPointF(rowAxis, corner.top()), QPointF(rowAxis, bottomLeft.y()));
    out.text(QPointF(rowAxis - kLabelGap, (corner.top() + bottomLeft.y()) / 2), axisText(input, 1),
             FontRole::LabelStrong, Tone::Ink, Qt::AlignRight | Qt::AlignVCenter);
    ticks(1, Qt::AlignRight | Qt::AlignVCenter, [&](Index i) {
        return QPointF(corner.left() - kTickGap, layout.cellRect({0, i, 0}).center().y());
    });

    const qreal colAxis = bottomLeft.y() + (layout.ticks ? kTickRow : 0) + kAxisGap;
    const qreal columns = layout.cellRect({0, 0, cols - 1}).right() - corner.left();
    axis(2, QPointF(corner.left(), colAxis), QPointF(corner.left() + columns, colAxis));
    out.text(QPointF(corner.left() + columns / 2, colAxis + 19), axisText(input, 2), FontRole::LabelStrong, Tone::Ink,
             Qt::AlignHCenter | Qt::AlignBaseline);
    ticks(2, Qt::AlignHCenter | Qt::AlignBaseline, [&](Index i) {
        return QPointF(layout.cellRect({0, 0, i}).center().x(), bottomLeft.y() + kTickRow);
    });
}

} // namespace stridescope
