#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"
#include "widgets/stage/link_ways.h"
#include "widgets/stage/stage_scene_parts.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kArchLow = 20, kArchHigh = 34, kLabelHeight = 15, kArrow = 9;
/// In which an arch that goes on beyond an edge gets to its height.
constexpr qreal kShoulder = 30;
/// A shoulder of less would be a kink.
constexpr qreal kNarrow = 14;
/// Between places for words beside an arch, when the nearest ones are taken.
constexpr qreal kFarther = 20;

/// Hops of one dim that follow one another, drawn with one label when single arches are too narrow for theirs.
struct Run {
    std::size_t first = 0, last = 0;
};

/// "+4", "3 × +4", or with `unit` bytes an element "+32 B".
QString hopStep(const View& view, const Hop& hop, Index repeats, Index unit) {
    const Index stride = view.stride[static_cast<std::size_t>(hop.dim)];
    const Index times = hop.count * repeats;
    QString step = (stride < 0 ? QString() : QStringLiteral("+")) + QString::number(unit > 0 ? stride * unit : stride);
    if (unit > 0) step += QStringLiteral(" B");
    return times > 1 ? QStringLiteral("%1 × ").arg(times) + step : step;
}

/// Arches under the strip and their words end over what stands below.
qreal bottomOf(const StageContext& context) {
    const StagePlan& plan = context.plan;
    qreal bottom = context.state.viewport.height();
    if (!plan.shelf.empty()) bottom = std::min(bottom, plan.shelf.front().rect.top() - 2);
    for (std::size_t i = plan.above; i < plan.others.size(); ++i)
        bottom = std::min(bottom, plan.others[i].handle.top() - 2);
    return bottom;
}

class HopPainter {
public:
    HopPainter(Scene& scene, const StageContext& context)
        : m_scene(scene), m_strip(*context.plan.strip),
          m_view(context.selected->tensor.view()), m_part{PartKind::None, context.selected->id, m_strip.storageId, -1},
          m_right(context.state.viewport.width()), m_bottom(bottomOf(context)), m_secondRow(context.plan.secondHopRow),
          m_wrapped(m_strip.layout.rowCount() > 1),
          m_unit(context.state.options.byteStrides ? static_cast<Index>(context.selected->tensor.itemSize()) : 0) {
        for (const QRectF& box : {notInSightBox(context), offsetFlagBox(context)})
            if (!box.isEmpty()) m_taken.push_back(box);
        // Links to lower rows go down beside the strip and arrive through the gap over their cell.
        const QRectF& area = m_strip.layout.area;
        if (m_wrapped && context.pick && m_strip.inSight(context.pick->slot) && !onFirstRow(context.pick->slot)) {
            const QRectF cell = m_strip.layout.cellRect(context.pick->slot);
            m_taken.emplace_back(cell.center().x() - 5, cell.top() - kHopGap, 10, kHopGap);
        }
        for (const SceneNode& node : scene.nodes) {
            if (const auto* badge = std::get_if<BadgeItem>(&node.item)) {
                const qreal half = badge->size / 2;
                m_taken.emplace_back(badge->centre - QPointF(half, half), QSizeF(badge->size, badge->size));
            }
            const auto* path = std::get_if<PathItem>(&node.item);
            if (!path || node.part.kind != PartKind::None) continue;
            if (node.part.index != kLinkPart && node.part.index != kTrunkPart) continue;
            // Between rows labels may lie over the way that links to a lower row share: it fills the gap.
            std::vector<QPolygonF>& lines = node.part.index == kLinkPart ? m_links : m_trunks;
            for (const QPolygonF& line : path->path.toSubpathPolygons()) lines.push_back(line);
        }
        m_rowEnd = m_wrapped ? std::min(m_strip.layout.cellRect(m_strip.layout.perRow - 1).right(), area.right()) + 4
                             : m_right - 4;
    }

    /// Returns how many labels lie over links.
    int append(const std::vector<Hop>& hops) {
        for (const Hop& hop : hops) appendArch(hop);
        // Labels last: arches and links pass behind them.
        for (std::size_t i = 0; i < hops.size();) {
            std::size_t end = i + 1;
            while (end < hops.size() && hops[end].dim == hops[i].dim) ++end;
            appendLabels(hops, {i, end});
            i = end;
        }
        return m_covered;
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
        return up(hop) ? high : std::min(high, std::max(6.0, m_bottom - base(hop) - 7));
    }
    bool inSight(Index slot) const {
        const QRectF cell = m_strip.layout.cellRect(slot), &area = m_strip.layout.area;
        return m_strip.inSight(slot) && cell.top() > area.top() - 1 && cell.bottom() < area.bottom() + 1;
    }
    bool sameRow(const Hop& hop) const {
        return std::abs(m_strip.layout.cellRect(hop.from).top() - m_strip.layout.cellRect(hop.to).top()) < 1;
    }
    bool onFirstRow(Index slot) const { return m_strip.layout.cellRect(slot).top() < m_strip.layout.area.top() + 1; }
    QString wordsOf(const Hop& hop, std::size_t repeats) const {
        return PaintedText::tr("%1 (dim %2)")
            .arg(hopStep(m_view, hop, static_cast<Index>(repeats), m_unit))
            .arg(hop.dim);
    }
    qreal base(const Hop& hop) const { return base(hop, hop.from); }
    qreal base(const Hop& hop, Index slot) const {
        const QRectF cell = m_strip.layout.cellRect(slot);
        return up(hop) ? cell.top() - 3 : cell.bottom() + (m_strip.indexBelow > 0 ? m_strip.indexBelow + 2 : 3);
    }

    void appendArch(const Hop& hop) {
        if (!inSight(hop.from) && !inSight(hop.to)) return;
        m_dim = hop.dim;
        const QRectF from = m_strip.layout.cellRect(hop.from), to = m_strip.layout.cellRect(hop.to);
        PathItem arch;
        arch.stroke = Theme::dimTone(hop.dim);
        arch.width = 3;
        arch.style = hop.dim > 3 ? LineStyle::Dashed : LineStyle::Solid;
        arch.arrow = true;
        arch.casing = true;
        if (!sameRow(hop)) {
            overRowEnd(hop) ? appendOverRowEnd(hop, arch) : appendStubs(hop, arch, from, to);
            return;
        }
        const qreal sign = up(hop) ? -1 : 1, y = base(hop), aside = hop.from < hop.to ? 2 : -2;
        const qreal x0 = from.center().x() + aside, x1 = to.center().x() - aside;
        const qreal control = y + sign * peak(hop) * 4 / 3, dx = (x1 - x0) * 0.12;
        const qreal way = x1 > x0 ? 1 : -1;
        const QRectF& area = m_strip.layout.area;
        // An end that is scrolled away: up to the strip's edge and on from there, over nothing beside it.
        if (!inSight(hop.to)) {
            leave(hop, arch, x0, (x1 > x0 ? area.right() : area.left()) - way);
            return;
        }
        if (!inSight(hop.from)) {
            arrive(hop, arch, (x1 > x0 ? area.left() : area.right()) + way, x1);
            return;
        }
        arch.path.moveTo(x0, y);
        arch.path.cubicTo(QPointF(x0 + dx, control), QPointF(x1 - dx, control), QPointF(x1, y));
        push(std::move(arch));
    }

    /// Height at which an arch over `slot` goes on beyond an edge; between rows it keeps clear of the next ones.
    qreal passing(const Hop& hop, Index slot) const {
        return base(hop, slot) + (up(hop) ? -1 : 1) * (m_wrapped ? peak(hop) - 2 : peak(hop));
    }
    /// From `x0` over `hop.from` up, or down, to the height of an arch, and on to `edge`.
    void leave(const Hop& hop, PathItem arch, qreal x0, qreal edge) {
        const qreal way = edge > x0 ? 1 : -1, y = base(hop, hop.from), high = passing(hop, hop.from);
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
        const qreal way = x1 > edge ? 1 : -1, y = base(hop, hop.to), high = passing(hop, hop.to);
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
        if (m_wrapped) m_arches.push_back({arch.path.boundingRect(), m_dim});
        m_scene.nodes.push_back({m_part, std::move(arch)});
    }

    /// To the next row or the one before, both in sight.
    bool neighbours(const Hop& hop) const {
        const qreal apart = m_strip.layout.cellRect(hop.to).top() - m_strip.layout.cellRect(hop.from).top();
        return std::abs(std::abs(apart) - m_strip.layout.rowPitch) < 1 && inSight(hop.from) && inSight(hop.to);
    }

    /// Does it end in the next row, or the one before, against the direction in which it goes: nearer to the start of a
    /// row for a stride forwards?
    bool overRowEnd(const Hop& hop) const {
        const Index perRow = m_strip.layout.perRow, rows = hop.to / perRow - hop.from / perRow;
        const Index columns = hop.to % perRow - hop.from % perRow;
        return (rows == 1 && columns < 0) || (rows == -1 && columns > 0);
    }

    /// From a row that is out of sight: along its own row, as from the row before it. Straight from above it would come
    /// down on the end of the link.
    bool fromAfar(const Hop& hop) const { return !inSight(hop.from) && inSight(hop.to) && !overRowEnd(hop); }

    /// As lines of text go on: out at the end of one row and in at the other end of the next, so that all arches of a
    /// stride point one way.
    void appendOverRowEnd(const Hop& hop, PathItem arch) {
        const QRectF& area = m_strip.layout.area;
        const bool forward = hop.to > hop.from;
        const qreal left = area.left() + 1, right = m_rowEnd - 5, aside = forward ? 2 : -2;
        if (inSight(hop.from)) {
            // The head of the arrow is where the hop ends.
            arch.arrow = !inSight(hop.to);
            leave(hop, arch, centre(hop.from) + aside, forward ? right : left);
        }
        arch.arrow = true;
        if (inSight(hop.to)) arrive(hop, arch, forward ? left : right, centre(hop.to) - aside);
    }

    /// To another row of a wrapped strip, in the direction of the stride: through the gap between neighbouring rows,
    /// else a start and an arrival, so that nothing crosses the cells of the rows between.
    void appendStubs(const Hop& hop, PathItem arch, const QRectF& from, const QRectF& to) {
        const bool down = to.top() > from.top();
        const qreal index = m_strip.indexBelow;
        const QPointF start(from.center().x(), down ? from.bottom() + index : from.top() - 1);
        const QPointF stop(to.center().x(), down ? to.top() - 2 : to.bottom() + index + 1);
        const qreal way = down ? 1 : -1, bend = kHopGap * 0.7;
        if (fromAfar(hop)) {
            const bool forward = hop.to > hop.from;
            const QRectF& area = m_strip.layout.area;
            arrive(hop, arch, forward ? area.left() + 1 : m_rowEnd - 5, centre(hop.to) - (forward ? 2 : -2));
            return;
        }
        arch.casing = false;
        if (neighbours(hop)) {
            arch.path.moveTo(start);
            arch.path.cubicTo(start + QPointF(0, way * bend), stop - QPointF(0, way * bend), stop);
            push(std::move(arch));
            return;
        }
        if (inSight(hop.from)) {
            arch.path.moveTo(start);
            arch.path.lineTo(start + QPointF(0, way * (kHopGap - 3)));
            m_scene.nodes.push_back({m_part, arch});
            arch.path.clear();
        }
        if (inSight(hop.to)) { // then both are
            arch.path.moveTo(stop - QPointF(0, way * (kHopGap - 3)));
            arch.path.lineTo(stop);
            m_scene.nodes.push_back({m_part, arch});
        }
    }

    void appendLabels(const std::vector<Hop>& hops, const Run& run) {
        if (m_wrapped) {
            labelRows(hops, run);
            return;
        }
        bool drawn = false, whole = true;
        for (std::size_t i = run.first; i < run.last; ++i) {
            const bool from = inSight(hops[i].from), to = inSight(hops[i].to);
            drawn = drawn || from || to;
            whole = whole && from && to;
        }
        if (!drawn) return;
        const Hop& first = hops[run.first];
        const qreal width = std::abs(centre(first.to) - centre(first.from));
        const QString single = wordsOf(first, 1);
        const qreal wanted = textWidth(FontRole::LabelStrong, single) + 24;
        if (width >= wanted) {
            for (std::size_t i = run.first; i < run.last; ++i) {
                const bool from = inSight(hops[i].from), to = inSight(hops[i].to);
                if (from || to) label(hops[i], hops[i], single, from && to);
            }
            return;
        }
        label(first, hops[run.last - 1], wordsOf(first, run.last - run.first), false);
    }

    /// Hops inside one row share a label; each one to another row has its own, or where that finds no place counts
    /// with those before it.
    void labelRows(const std::vector<Hop>& hops, const Run& run) {
        std::vector<bool> named(run.last, true);
        for (std::size_t i = run.first; i < run.last; ++i)
            if (!sameRow(hops[i])) named[i] = labelStep(hops[i], i == run.first || !sameRow(hops[i - 1]));
        for (std::size_t i = run.first; i < run.last;) {
            if (!sameRow(hops[i])) {
                ++i;
                continue;
            }
            std::size_t end = i + 1;
            while (end < run.last && sameRow(hops[end])) ++end;
            std::size_t count = end - i;
            for (std::size_t k = end; k < run.last && !sameRow(hops[k]) && !named[k]; ++k) ++count;
            if (onFirstRow(hops[i].from) && up(hops[i]) && inSight(hops[i].from) && inSight(hops[end - 1].to)) {
                label(hops[i], hops[end - 1], wordsOf(hops[i], count), false);
            } else {
                labelBeside(hops, {i, end}, count, i == run.first && end == run.last);
            }
            i = end;
        }
    }

    /// The first place between the rows at height `y`, right or left of what lies from `left` to `right`, that is
    /// free: beside it or a little farther; with less words when there is none.
    bool putBeside(qreal left, qreal right, qreal y, const QString& words, const QString& brief,
                   bool overArches = false) {
        const QRectF& area = m_strip.layout.area;
        for (const QString& text : {words, brief}) {
            const qreal width = textWidth(FontRole::LabelStrong, text) + 8;
            for (int farther = 0; farther < 6; ++farther) {
                const qreal gap = 8 + farther * kFarther;
                for (const qreal x : {right + gap, left - gap - width}) {
                    const QRectF box(x, y - kLabelHeight / 2, width, kLabelHeight);
                    if (box.left() < area.left() || box.right() > m_rowEnd || box.bottom() > m_bottom) continue;
                    if (isTaken(box) || (!overArches && (meetsArch(box, -1) || meetsAny(m_links, box)))) continue;
                    put(box, text);
                    return true;
                }
            }
        }
        return false;
    }

    /// On its own arch, from `a` to `b`, as near to the middle as others leave room: on an arch of another dim the
    /// words would name that.
    bool putOn(const Hop& hop, qreal a, qreal b, qreal y, const QString& words, const QString& brief) {
        constexpr qreal kStep = 4;
        const qreal low = std::min(a, b) + kArrow, high = std::min(std::max(a, b), m_rowEnd) - kArrow;
        for (const QString& text : {words, brief}) {
            const qreal width = textWidth(FontRole::LabelStrong, text) + 8, middle = (low + high - width) / 2;
            for (qreal shift = 0; shift <= (high - low - width) / 2; shift += kStep) {
                for (const qreal left : {middle - shift, middle + shift}) {
                    const QRectF box(left, y - kLabelHeight / 2, width, kLabelHeight);
                    if (box.bottom() > m_bottom || isTaken(box) || meetsArch(box, hop.dim) || meetsAny(m_links, box))
                        continue;
                    put(box, text);
                    return true;
                }
            }
        }
        return false;
    }

    /// A hop to another row: at its arrival, or where it leaves when that is out of sight; one that passes over rows
    /// says so at both ends.
    bool labelStep(const Hop& hop, bool alone) {
        if (overRowEnd(hop)) return labelOverRowEnd(hop, alone);
        const QRectF from = m_strip.layout.cellRect(hop.from), to = m_strip.layout.cellRect(hop.to);
        const bool down = to.top() > from.top();
        const qreal index = m_strip.indexBelow, middle = kHopGap / 2;
        const qreal leaves = down ? from.bottom() + index + middle : from.top() - middle;
        const qreal arrives = fromAfar(hop) ? base(hop, hop.to) + (up(hop) ? -1 : 1) * (middle - 2)
                              : down        ? to.top() - middle
                                            : to.bottom() + index + middle;
        const QString words = wordsOf(hop, 1), brief = hopStep(m_view, hop, 1, m_unit);
        const qreal x0 = from.center().x(), x1 = to.center().x();
        if (neighbours(hop)) {
            const qreal left = std::min(x0, x1), right = std::max(x0, x1);
            return putBeside(left, right, arrives, words, brief) || putOn(hop, left, right, arrives, words, brief) ||
                   (alone && putBeside(left, right, arrives, words, brief, true));
        }
        const QString way = down ? QStringLiteral(" ↓") : QStringLiteral(" ↑");
        const bool left = inSight(hop.from) && putBeside(x0, x0, leaves, words + way, brief + way);
        const bool arrived = inSight(hop.to) && putBeside(x1, x1, arrives, words, brief);
        return left || arrived || (!inSight(hop.from) && !inSight(hop.to));
    }

    /// Above the first row in the middle of the part there, else at its arrival, or where it leaves.
    bool labelOverRowEnd(const Hop& hop, bool alone) {
        const qreal middle = (up(hop) ? -1 : 1) * (kHopGap / 2 - 2);
        const QString words = wordsOf(hop, 1), brief = hopStep(m_view, hop, 1, m_unit);
        const qreal x0 = centre(hop.from), x1 = centre(hop.to);
        const auto leaving = [&] {
            if (!inSight(hop.from)) return false;
            if (!up(hop) || !onFirstRow(hop.from)) return putBeside(x0, x0, base(hop, hop.from) + middle, words, brief);
            const qreal edge = hop.to > hop.from ? m_rowEnd - 5 : m_strip.layout.area.left() + 1;
            return labelOver(x0, edge, base(hop) - peak(hop) - kLabelHeight / 2 - 7, words);
        };
        const auto arriving = [&](bool overArches) {
            return inSight(hop.to) && putBeside(x1, x1, base(hop, hop.to) + middle, words, brief, overArches);
        };
        if (!inSight(hop.from) && !inSight(hop.to)) return true;
        const auto onIt = [&] {
            const qreal edge = hop.to > hop.from ? m_rowEnd - 5 : m_strip.layout.area.left() + 1;
            return inSight(hop.from) && putOn(hop, x0, edge, base(hop, hop.from) + middle, words, brief);
        };
        return (onFirstRow(hop.from) && leaving()) || arriving(false) || leaving() || onIt() ||
               (alone && arriving(true));
    }

    /// Over the first row words have their usual place, in the middle between `a` and `b`, and move aside for others.
    bool labelOver(qreal a, qreal b, qreal y, const QString& words) {
        const qreal width = textWidth(FontRole::LabelStrong, words) + 8;
        QRectF box((a + b) / 2 - width / 2, y - kLabelHeight / 2, width, kLabelHeight);
        box.moveLeft(std::clamp(box.left(), m_strip.layout.area.left(), m_right - width - 4));
        const std::optional<qreal> left = freePlace(box, a, b, false);
        if (left) box.moveLeft(*left);
        if (isTaken(box)) return false;
        put(box, words);
        return true;
    }

    /// Between rows there is room for arches, and for words only beside them; the only ones of a dim may lie over
    /// arches of others.
    void labelBeside(const std::vector<Hop>& hops, const Run& run, std::size_t count, bool alone) {
        const QRectF& area = m_strip.layout.area;
        const Hop& first = hops[run.first];
        qreal left = area.right(), right = area.left();
        for (std::size_t i = run.first; i < run.last; ++i) {
            if (!inSight(hops[i].from) && !inSight(hops[i].to)) continue;
            for (const Index slot : {hops[i].from, hops[i].to}) {
                const qreal x = std::clamp(centre(slot), area.left(), area.right());
                left = std::min(left, x);
                right = std::max(right, x);
            }
        }
        if (left > right) return;
        const qreal y = base(first) + (up(first) ? -1 : 1) * (kHopGap / 2 - 1);
        const QString words = wordsOf(first, count), brief = hopStep(m_view, first, static_cast<Index>(count), m_unit);
        if (!putBeside(left, right + 2, y, words, brief) && alone) putBeside(left, right + 2, y, words, brief, true);
    }

    /// An arch between rows, but for those of `dim`.
    bool meetsArch(const QRectF& box, Index dim) const {
        return std::any_of(m_arches.begin(), m_arches.end(),
                           [&](const Arch& arch) { return arch.dim != dim && arch.rect.intersects(box); });
    }
    bool isTaken(const QRectF& box) const {
        return std::any_of(m_taken.begin(), m_taken.end(), [&box](const QRectF& r) { return r.intersects(box); });
    }
    static bool meetsAny(const std::vector<QPolygonF>& lines, const QRectF& box) {
        return std::any_of(lines.begin(), lines.end(), [&box](const QPolygonF& line) {
            for (qsizetype i = 1; i < line.size(); ++i) {
                if (meets(QLineF(line[i - 1], line[i]), box)) return true;
            }
            return false;
        });
    }
    bool meetsLink(const QRectF& box) const { return meetsAny(m_links, box) || meetsAny(m_trunks, box); }
    /// The place nearest to that of `box` in its height that other labels and, if possible, links leave free: `inside`
    /// the arch from `a` to `b`, clear of its arrow, else no farther from it than beside it.
    std::optional<qreal> freePlace(const QRectF& box, qreal a, qreal b, bool inside) const {
        constexpr qreal kStep = 2, kBeside = 30;
        const qreal before = inside ? -kArrow : kBeside + box.width(), after = inside ? -kArrow - box.width() : kBeside;
        const qreal low = std::max(m_strip.layout.area.left() + 3, std::min(a, b) - before);
        const qreal high = std::min(m_right - 4 - box.width(), std::max(a, b) + after);
        for (const bool clear : {true, false}) {
            for (qreal shift = 0; shift <= high - low + kStep; shift += kStep) {
                for (const qreal left : {box.left() - shift, box.left() + shift}) {
                    if (left < low || left > high) continue;
                    const QRectF at(left, box.top(), box.width(), box.height());
                    if (!isTaken(at) && !(clear && meetsLink(at))) return left;
                }
            }
        }
        return std::nullopt;
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
        if (const std::optional<qreal> left = freePlace(box, a, b, inside)) {
            box.moveLeft(*left);
        } else if (isTaken(box)) {
            return;
        }
        if (box.bottom() > m_bottom) {
            // No room below the arch: beside it, as long as nothing stands there.
            const qreal top = std::min(base(first) + 2, m_bottom - kLabelHeight);
            if (top < base(first) - 4) return; // a stage too short for words: the arch and the formula remain
            box.moveTopLeft(QPointF(std::max(a, b) + 8, top));
            if (box.right() > m_right - 4) box.moveRight(std::min(a, b) - 8);
            if (box.left() < area.left() || isTaken(box)) return;
        }
        put(box, words);
    }

    void put(const QRectF& box, const QString& words) {
        m_taken.push_back(box);
        m_covered += meetsLink(box);
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
    Index m_unit;       ///< bytes of an element where strides are told in bytes, else 0
    qreal m_rowEnd = 0; ///< labels between rows end here
    std::vector<QRectF> m_taken;
    int m_covered = 0;                        ///< labels over links
    std::vector<QPolygonF> m_links, m_trunks; ///< words keep clear of them where there is another place
    struct Arch {
        QRectF rect;
        Index dim;
    };
    std::vector<Arch> m_arches; ///< inside rows of a wrapped strip: words between the rows keep clear of them
    Index m_dim = 0;            ///< whose arches are being drawn
};

} // namespace

bool hasHops(const StageContext& context) {
    return context.plan.hops && context.plan.strip && context.plan.strip->layout.cellWidth >= kNumberWidth - 8;
}

int appendHops(Scene& scene, const StageContext& context) {
    if (!context.selected || !hasHops(context)) return 0;
    const View& view = context.selected->tensor.view();
    const std::optional<Dims> coord = linkedCoord(*context.selected, context.pick);
    // A cell that the view does not reach leaves its strides as they are.
    if (!coord && (!context.pick || context.pick->storageId != context.plan.strip->storageId)) return 0;
    return HopPainter(scene, context).append(coord ? hopsTo(view, *coord) : firstHops(view));
}

} // namespace stridescope
