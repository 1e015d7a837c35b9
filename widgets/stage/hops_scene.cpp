#include "widgets/card/text_metrics.h"
#include "widgets/stage/reach_query.h"
#include "widgets/stage/stage_scene_parts.h"
#include "widgets/stage/stage_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kArchLow = 20, kArchHigh = 34, kLabelHeight = 15, kArrow = 9;

/// Hops of one dim that follow one another, drawn with one label when single arches are too narrow for theirs.
struct Run {
    std::size_t first = 0, last = 0;
};

QString hopLabel(const View& view, const Hop& hop, Index repeats) {
    const Index stride = view.stride[static_cast<std::size_t>(hop.dim)];
    const Index times = hop.count * repeats;
    QString step = (stride < 0 ? QString() : QStringLiteral("+")) + QString::number(stride);
    if (times > 1) step = QStringLiteral("%1 × ").arg(times) + step;
    return QStringLiteral("%1 (dim %2)").arg(step).arg(hop.dim);
}

class HopPainter {
public:
    HopPainter(Scene& scene, const StageContext& context)
        : m_scene(scene), m_strip(*context.plan.strip),
          m_view(context.selected->tensor.view()), m_part{PartKind::None, context.selected->id, m_strip.storageId, -1},
          m_right(context.state.viewport.width()), m_bottom(context.state.viewport.height()),
          m_secondRow(context.plan.secondHopRow), m_wrapped(m_strip.layout.rowCount() > 1) {
        if (const QRectF note = notInSightBox(context); !note.isEmpty()) m_taken.push_back(note);
    }

    void append(const std::vector<Hop>& hops) {
        for (const Hop& hop : hops) appendArch(hop);
        // Labels last: arches and links pass behind them.
        for (std::size_t i = 0; i < hops.size();) {
            std::size_t end = i + 1;
            while (end < hops.size() && hops[end].dim == hops[i].dim) ++end;
            appendLabels(hops, {i, end});
            i = end;
        }
    }

private:
    qreal centre(Index slot) const { return m_strip.layout.cellRect(slot).center().x(); }
    static bool up(const Hop& hop) { return hop.dim % 2 == 0; }
    /// Arches of dim 0 are outside those of dim 2, and those of dim 1 outside those of dim 3, where there are such.
    qreal lift(const Hop& hop) const {
        return m_secondRow && hop.dim < 2 && m_view.dim() > hop.dim + 2 ? kSecondHopRow : 0;
    }
    qreal peak(const Hop& hop) const {
        if (m_wrapped) return kHopGap - 4;
        const qreal width = std::abs(centre(hop.to) - centre(hop.from));
        const qreal high = std::clamp(kArchLow + (width - 42) * 0.0834, kArchLow, kArchHigh) + lift(hop);
        // Under the last row a short stage leaves less.
        return up(hop) ? high : std::min(high, std::max(6.0, m_bottom - base(hop) - 4));
    }
    bool inSight(Index slot) const {
        const QRectF cell = m_strip.layout.cellRect(slot), &area = m_strip.layout.area;
        return cell.center().x() > area.left() - 1 && cell.center().x() < area.right() + 1 &&
               cell.top() > area.top() - 1 && cell.bottom() < area.bottom() + 1;
    }
    qreal base(const Hop& hop) const {
        const QRectF cell = m_strip.layout.cellRect(hop.from);
        return up(hop) ? cell.top() - 3 : cell.bottom() + (m_strip.indexBelow > 0 ? m_strip.indexBelow + 2 : 3);
    }

    void appendArch(const Hop& hop) {
        if (!inSight(hop.from) && !inSight(hop.to)) return;
        const QRectF from = m_strip.layout.cellRect(hop.from), to = m_strip.layout.cellRect(hop.to);
        PathItem arch;
        arch.stroke = Theme::dimTone(hop.dim);
        arch.width = 3;
        arch.style = hop.dim > 3 ? LineStyle::Dashed : LineStyle::Solid;
        arch.arrow = true;
        arch.casing = true;
        if (std::abs(from.top() - to.top()) > 1) {
            appendStubs(hop, arch, from, to);
            return;
        }
        const qreal sign = up(hop) ? -1 : 1, y = base(hop), aside = hop.from < hop.to ? 2 : -2;
        const qreal x0 = from.center().x() + aside, x1 = to.center().x() - aside;
        const qreal control = y + sign * peak(hop) * 4 / 3, dx = (x1 - x0) * 0.12;
        arch.path.moveTo(x0, y);
        arch.path.cubicTo(QPointF(x0 + dx, control), QPointF(x1 - dx, control), QPointF(x1, y));
        m_scene.nodes.push_back({m_part, arch});
    }

    /// To another row of a wrapped strip: through the gap between neighbouring rows, else a start and an arrival, so
    /// that nothing crosses the cells of the rows between.
    void appendStubs(const Hop& hop, PathItem arch, const QRectF& from, const QRectF& to) {
        const bool down = to.top() > from.top();
        const qreal index = m_strip.indexBelow;
        const QPointF start(from.center().x(), down ? from.bottom() + index : from.top() - 1);
        const QPointF stop(to.center().x(), down ? to.top() - 2 : to.bottom() + index + 1);
        const qreal way = down ? 1 : -1, bend = kHopGap * 0.7;
        arch.casing = false;
        if (std::abs(std::abs(to.top() - from.top()) - m_strip.layout.rowPitch) < 1) {
            arch.path.moveTo(start);
            arch.path.cubicTo(start + QPointF(0, way * bend), stop - QPointF(0, way * bend), stop);
            m_scene.nodes.push_back({m_part, arch});
            return;
        }
        if (inSight(hop.from)) {
            arch.path.moveTo(start);
            arch.path.lineTo(start + QPointF(0, way * (kHopGap - 3)));
            m_scene.nodes.push_back({m_part, arch});
            arch.path.clear();
        }
        if (inSight(hop.to)) {
            arch.path.moveTo(stop - QPointF(0, way * (kHopGap - 3)));
            arch.path.lineTo(stop);
            m_scene.nodes.push_back({m_part, arch});
        }
    }

    void appendLabels(const std::vector<Hop>& hops, const Run& run) {
        bool drawn = false, firstRow = true;
        for (std::size_t i = run.first; i < run.last; ++i) {
            drawn = drawn || inSight(hops[i].from) || inSight(hops[i].to);
            firstRow = firstRow && m_strip.layout.cellRect(hops[i].from).top() < m_strip.layout.area.top() + 1 &&
                       m_strip.layout.cellRect(hops[i].to).top() < m_strip.layout.area.top() + 1;
        }
        if (!drawn) return;
        if (m_wrapped && !(firstRow && up(hops[run.first]))) {
            labelBeside(hops, run);
            return;
        }
        const Hop& first = hops[run.first];
        const qreal width = std::abs(centre(first.to) - centre(first.from));
        const QString single = hopLabel(m_view, first, 1);
        const qreal wanted = textWidth(FontRole::LabelStrong, single) + 24;
        if (width >= wanted && !m_wrapped) {
            for (std::size_t i = run.first; i < run.last; ++i) label(hops[i], hops[i], single, true);
            return;
        }
        label(first, hops[run.last - 1], hopLabel(m_view, first, static_cast<Index>(run.last - run.first)), false);
    }

    /// Between rows there is room for arches, and for words only after the last of them.
    void labelBeside(const std::vector<Hop>& hops, const Run& run) {
        const QRectF& area = m_strip.layout.area;
        const QRectF row = m_strip.layout.cellRect(hops[run.first].from);
        qreal right = area.left();
        for (std::size_t i = run.first; i < run.last; ++i) {
            const QRectF to = m_strip.layout.cellRect(hops[i].to);
            if (std::abs(to.top() - row.top()) > 1 || !inSight(hops[i].from) || !inSight(hops[i].to)) return;
            right = std::max({right, centre(hops[i].from), centre(hops[i].to)});
        }
        const Hop& first = hops[run.first];
        const QString words = hopLabel(m_view, first, static_cast<Index>(run.last - run.first));
        const qreal width = textWidth(FontRole::LabelStrong, words) + 8;
        const qreal y = base(first) + (up(first) ? -1 : 1) * (kHopGap / 2 - 1);
        QRectF box(right + 10, y - kLabelHeight / 2, width, kLabelHeight);
        if (box.right() > m_right - 4) box.moveRight(std::min(centre(first.from), centre(hops[run.last - 1].to)) - 10);
        const bool taken =
            std::any_of(m_taken.begin(), m_taken.end(), [&](const QRectF& r) { return r.intersects(box); });
        if (box.left() < area.left() || box.bottom() > m_bottom || taken) return;
        put(box, words);
    }

    void label(const Hop& first, const Hop& last, const QString& words, bool inside) {
        const QRectF& area = m_strip.layout.area;
        const qreal a = std::clamp(centre(first.from), area.left(), area.right());
        const qreal b = std::clamp(centre(last.to), area.left(), area.right());
        const qreal width = textWidth(FontRole::LabelStrong, words);
        const qreal x = std::clamp((a + b) / 2, area.left() + width / 2 + 4, m_right - width / 2 - 8);
        const qreal sign = up(first) ? -1 : 1;
        const qreal distance = inside ? peak(first) - kLabelHeight / 2 - 7 : peak(first) + kLabelHeight / 2 + 7;
        const qreal y = base(first) + sign * distance;
        QRectF box(x - width / 2 - 4, y - kLabelHeight / 2, width + 8, kLabelHeight);
        // Two labels in the same height: the later one moves aside.
        for (const QRectF& taken : m_taken) {
            if (!taken.intersects(box)) continue;
            box.moveLeft(taken.right() + 2);
            if (box.right() > m_right - 4) return;
        }
        if (box.bottom() > m_bottom) return; // a stage too short for words: the arch and the formula remain
        put(box, words);
    }

    void put(const QRectF& box, const QString& words) {
        m_taken.push_back(box);
        m_scene.nodes.push_back({m_part, BoxItem{box, Tone::Stage, Tone::None, LineStyle::None, 0, 3}});
        TextItem text;
        text.pos = box.center();
        text.anchor = Qt::AlignHCenter | Qt::AlignVCenter;
        text.text = words;
        text.font = FontRole::LabelStrong;
        m_scene.nodes.push_back({m_part, text});
    }

    Scene& m_scene;
    const StripPlan& m_strip;
    const View& m_view;
    Part m_part;
    qreal m_right, m_bottom;
    bool m_secondRow, m_wrapped;
    std::vector<QRectF> m_taken;
};

} // namespace

void appendHops(Scene& scene, const StageContext& context) {
    if (!context.plan.strip || !context.selected) return;
    if (context.plan.strip->layout.cellWidth < kNumberWidth - 8) return; // arches between pixels say nothing
    const std::optional<Dims> coord = linkedCoord(*context.selected, context.pick);
    if (!coord) return;
    HopPainter(scene, context).append(hopsTo(context.selected->tensor.view(), *coord));
}

void appendLanes(Scene& scene, const StageContext& context) {
    const StagePlan& plan = context.plan;
    if (!plan.strip || plan.lanes.empty()) return;
    const StripPlan& strip = *plan.strip;
    qreal y = plan.lanesTop;
    if (plan.laneCaption) {
        TextItem caption;
        caption.pos = QPointF(kStageMargin, y);
        caption.text = QStringLiteral("Who reaches what, in visiting order");
        caption.tone = Tone::Ink2;
        scene.nodes.push_back({Part{}, caption});
    }
    y += plan.laneCaption ? 10 : 4;
    const qreal top = y;
    for (const TensorEntry* entry : plan.lanes) {
        const Part part{PartKind::LaneCells, entry->id, strip.storageId, -1};
        const qreal middle = y + kLaneHeight / 2;
        qreal x = kStageMargin;
        TextItem text;
        if (entry->colour >= 0) {
            scene.nodes.push_back({part, BadgeItem{QPointF(x + 8.5, middle), entry->colour, 17}});
        } else {
            text.text = entry->name;
            text.maxWidth = 20;
            text.font = FontRole::MetaStrong;
            text.anchor = Qt::AlignLeft | Qt::AlignVCenter;
            text.pos = QPointF(x, middle);
            scene.nodes.push_back({part, text});
        }
        x += 24;
        text = {};
        const std::optional<Index> reached = distinctSlots(entry->tensor.view());
        const QString count = reached ? groupedNumber(*reached) : QStringLiteral("some");
        text.text = QStringLiteral("%1 of %2 cells").arg(count, groupedNumber(strip.layout.cellCount));
        if (textWidth(FontRole::Label, text.text) > kHandleWidth - 24)
            text.text = QStringLiteral("%1 cells").arg(count);
        text.tone = Tone::Ink2;
        text.anchor = Qt::AlignLeft | Qt::AlignVCenter;
        text.pos = QPointF(x, middle);
        scene.nodes.push_back({part, text});
        LaneItem lane;
        lane.layout = strip.layout;
        lane.top = y;
        lane.height = kLaneHeight;
        lane.reach = StripReach{entry->id, entry->colour, entry->tensor.view()};
        scene.nodes.push_back({part, std::move(lane)});
        y += kLanePitch;
    }
    if (!context.pick || context.pick->storageId != strip.storageId) return;
    // One ring round the column of all lanes.
    const QRectF cell = strip.layout.cellRect(context.pick->slot);
    if (cell.left() < strip.layout.area.left() - 1 || cell.right() > strip.layout.area.right() + 1) return;
    if (cell.width() < kHeatWidth) return;
    BoxItem ring{QRectF(cell.left() - 1.5, top - 3.5, cell.width() + 3, y - top + 1), Tone::None, Tone::Ink};
    ring.width = 2;
    ring.radius = 4;
    scene.nodes.push_back({Part{}, ring});
}

} // namespace stridescope
