#include "widgets/stage/hop_geometry.h"

namespace stridescope {

namespace {

/// In which an arch that goes on beyond an edge gets to its height.
constexpr qreal kShoulder = 30;
/// A shoulder of less would be a kink.
constexpr qreal kNarrow = 14;

/// Arches under the strip and their words end over what stands below.
qreal bottomOf(const StageContext& context) {
    const StagePlan& plan = context.plan;
    qreal bottom = context.state.viewport.height();
    if (!plan.shelf.empty()) bottom = std::min(bottom, plan.shelf.front().rect.top() - 2);
    for (std::size_t i = plan.above; i < plan.others.size(); ++i)
        bottom = std::min(bottom, plan.others[i].handle.top() - 2);
    return bottom;
}

class ArchPainter {
public:
    ArchPainter(Scene& scene, const HopGeometry& on) : m_scene(scene), m_on(on) {}

    void append(const Hop& hop) {
        if (!m_on.inSight(hop.from) && !m_on.inSight(hop.to)) return;
        m_dim = hop.dim;
        const QRectF from = m_on.strip.layout.cellRect(hop.from), to = m_on.strip.layout.cellRect(hop.to);
        PathItem arch;
        arch.stroke = Theme::dimTone(hop.dim);
        arch.width = 3;
        arch.style = hop.dim > 3 ? LineStyle::Dashed : LineStyle::Solid;
        arch.arrow = true;
        arch.casing = true;
        if (hop.from == hop.to) {
            appendLoop(hop, arch);
            return;
        }
        if (!m_on.sameRow(hop)) {
            m_on.overRowEnd(hop) ? appendOverRowEnd(hop, arch) : appendStubs(hop, arch, from, to);
            return;
        }
        const qreal sign = HopGeometry::up(hop) ? -1 : 1, y = m_on.base(hop), aside = hop.from < hop.to ? 2 : -2;
        const qreal x0 = from.center().x() + aside, x1 = to.center().x() - aside;
        const qreal control = y + sign * m_on.peak(hop) * 4 / 3, dx = (x1 - x0) * 0.12;
        const qreal way = x1 > x0 ? 1 : -1;
        const QRectF& area = m_on.strip.layout.area;
        // An end that is scrolled away: up to the strip's edge and on from there, over nothing beside it.
        if (!m_on.inSight(hop.to)) {
            leave(hop, arch, x0, (x1 > x0 ? area.right() : area.left()) - way);
            return;
        }
        if (!m_on.inSight(hop.from)) {
            arrive(hop, arch, (x1 > x0 ? area.left() : area.right()) + way, x1);
            return;
        }
        arch.path.moveTo(x0, y);
        arch.path.cubicTo(QPointF(x0 + dx, control), QPointF(x1 - dx, control), QPointF(x1, y));
        push(std::move(arch));
    }

    /// Those that lie in one row, or between neighbouring ones.
    const std::vector<HopArch>& drawn() const { return m_arches; }

private:
    /// A step of stride 0 comes back to the cell that it left.
    void appendLoop(const Hop& hop, PathItem arch) {
        const qreal x = m_on.centre(hop.from), y = m_on.base(hop);
        const qreal control = y + (HopGeometry::up(hop) ? -1 : 1) * m_on.peak(hop) * 4 / 3;
        arch.path.moveTo(x - kLoopHalf, y);
        arch.path.cubicTo(QPointF(x - 2 * kLoopHalf, control), QPointF(x + 2 * kLoopHalf, control),
                          QPointF(x + kLoopHalf, y));
        push(std::move(arch));
    }
    /// Height at which an arch over `slot` goes on beyond an edge; between rows it keeps clear of the next ones.
    qreal passing(const Hop& hop, Index slot) const {
        return m_on.base(hop, slot) +
               (HopGeometry::up(hop) ? -1 : 1) * (m_on.wrapped ? m_on.peak(hop) - 2 : m_on.peak(hop));
    }
    /// From `x0` over `hop.from` up, or down, to the height of an arch, and on to `edge`.
    void leave(const Hop& hop, PathItem arch, qreal x0, qreal edge) {
        const qreal way = edge > x0 ? 1 : -1, y = m_on.base(hop, hop.from), high = passing(hop, hop.from);
        const qreal run = std::min(std::abs(edge - x0) / 2, kShoulder);
        arch.path.moveTo(x0, y);
        if (run < kNarrow) {
            arch.path.quadTo(QPointF(x0, high), QPointF(edge, high));
        } else {
            arch.path.cubicTo(QPointF(x0 + way * run * 0.2, high), QPointF(x0 + way * run * 0.5, high),
                              QPointF(x0 + way * run, high));
            arch.path.lineTo(edge, high);
        }
        push(std::move(arch));
    }
    /// From `edge` on to `x1` over `hop.to`.
    void arrive(const Hop& hop, PathItem arch, qreal edge, qreal x1) {
        const qreal way = x1 > edge ? 1 : -1, y = m_on.base(hop, hop.to), high = passing(hop, hop.to);
        const qreal run = std::min(std::abs(x1 - edge) / 2, kShoulder);
        arch.path.moveTo(edge, high);
        if (run < kNarrow) {
            arch.path.quadTo(QPointF(x1, high), QPointF(x1, y));
        } else {
            arch.path.lineTo(x1 - way * run, high);
            arch.path.cubicTo(QPointF(x1 - way * run * 0.5, high), QPointF(x1 - way * run * 0.2, high), QPointF(x1, y));
        }
        push(std::move(arch));
    }
    void push(PathItem arch) {
        const QList<QPolygonF> lines = arch.path.toSubpathPolygons();
        m_arches.push_back({arch.path.boundingRect(), lines.empty() ? QPolygonF() : lines.front(), m_dim});
        m_scene.nodes.push_back({m_on.part, std::move(arch)});
    }

    /// As lines of text go on: out at the end of one row and in at the other end of the next, so that all arches of a
    /// stride point one way.
    void appendOverRowEnd(const Hop& hop, PathItem arch) {
        const QRectF& area = m_on.strip.layout.area;
        const bool forward = hop.to > hop.from;
        const qreal left = area.left() + 1, right = m_on.rowEnd - 5, aside = forward ? 2 : -2;
        if (m_on.inSight(hop.from)) {
            // The head of the arrow is where the hop ends.
            arch.arrow = !m_on.inSight(hop.to);
            leave(hop, arch, m_on.centre(hop.from) + aside, forward ? right : left);
        }
        arch.arrow = true;
        if (m_on.inSight(hop.to)) arrive(hop, arch, forward ? left : right, m_on.centre(hop.to) - aside);
    }

    /// To another row of a wrapped strip, in the direction of the stride: through the gap between neighbouring rows,
    /// else a start and an arrival, so that nothing crosses the cells of the rows between.
    void appendStubs(const Hop& hop, PathItem arch, const QRectF& from, const QRectF& to) {
        const bool down = to.top() > from.top();
        const qreal index = m_on.strip.indexBelow;
        const QPointF start(from.center().x(), down ? from.bottom() + index : from.top() - 1);
        const QPointF stop(to.center().x(), down ? to.top() - 2 : to.bottom() + index + 1);
        const qreal way = down ? 1 : -1, bend = kHopGap * 0.7;
        if (m_on.fromAfar(hop)) {
            const bool forward = hop.to > hop.from;
            const QRectF& area = m_on.strip.layout.area;
            arrive(hop, arch, forward ? area.left() + 1 : m_on.rowEnd - 5, m_on.centre(hop.to) - (forward ? 2 : -2));
            return;
        }
        arch.casing = false;
        if (m_on.neighbours(hop)) {
            arch.path.moveTo(start);
            arch.path.cubicTo(start + QPointF(0, way * bend), stop - QPointF(0, way * bend), stop);
            push(std::move(arch));
            return;
        }
        if (m_on.inSight(hop.from)) {
            arch.path.moveTo(start);
            arch.path.lineTo(start + QPointF(0, way * (kHopGap - 3)));
            m_scene.nodes.push_back({m_on.part, arch});
            arch.path.clear();
        }
        if (m_on.inSight(hop.to)) { // then both are
            arch.path.moveTo(stop - QPointF(0, way * (kHopGap - 3)));
            arch.path.lineTo(stop);
            m_scene.nodes.push_back({m_on.part, arch});
        }
    }

    Scene& m_scene;
    const HopGeometry& m_on;
    Index m_dim = 0; ///< whose arches are being drawn
    std::vector<HopArch> m_arches;
};

} // namespace

HopGeometry::HopGeometry(const StageContext& context)
    : strip(*context.plan.strip),
      view(context.selected->tensor.view()), part{PartKind::None, context.selected->id, strip.storageId, -1},
      right(context.state.viewport.width()), bottom(bottomOf(context)), secondRow(context.plan.secondHopRow),
      wrapped(strip.layout.rowCount() > 1) {
    const QRectF& area = strip.layout.area;
    rowEnd = wrapped ? std::min(strip.layout.cellRect(strip.layout.perRow - 1).right(), area.right()) + 4 : right - 4;
}

bool hasHops(const StageContext& context) {
    return context.plan.hops && context.plan.strip && context.plan.strip->layout.cellWidth >= kNumberWidth - 8;
}

int appendHops(Scene& scene, const StageContext& context) {
    if (!context.selected || !hasHops(context)) return 0;
    const View& view = context.selected->tensor.view();
    const std::optional<Dims> coord = linkedCoord(*context.selected, context.pick);
    // Without a picked element, and by a cell that the view does not reach, its strides are told from its first one.
    const HopGeometry on(context);
    std::vector<Hop> hops = coord ? hopsTo(view, *coord) : firstHops(view);
    // Between the rows of a wrapped strip there is room for arches that lead somewhere alone.
    if (!on.wrapped)
        for (const Hop& hop : restingHops(view, coord)) hops.push_back(hop);
    // Wide arches first: they would hide where narrow ones that begin in the same cell leave it.
    std::vector<Hop> byWidth = hops;
    const auto width = [](const Hop& hop) { return std::abs(hop.to - hop.from); };
    std::stable_sort(byWidth.begin(), byWidth.end(), [&](const Hop& a, const Hop& b) { return width(a) > width(b); });
    ArchPainter arches(scene, on);
    for (const Hop& hop : byWidth) arches.append(hop);
    // Words last: arches and links pass behind them.
    return appendHopLabels(scene, context, on, arches.drawn(), hops);
}

} // namespace stridescope
