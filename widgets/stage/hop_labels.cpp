// The words of hops: each is put where neither another word nor a badge stands, if possible off links and arches.

#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"
#include "widgets/stage/hop_geometry.h"
#include "widgets/stage/link_ways.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace stridescope {

namespace {

constexpr qreal kLabelHeight = 15, kArrow = 9;
/// Between places for words beside an arch, when the nearest ones are taken.
constexpr qreal kFarther = 20;
constexpr int kFarthest = 64;
/// A piece of the arch before words between rows, where they may stand beside another one.
constexpr qreal kKey = 10, kAfterKey = 4;

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

class HopLabels {
public:
    HopLabels(Scene& scene, const StageContext& context, const HopGeometry& on, const std::vector<HopArch>& arches)
        : m_scene(scene), m_on(on), m_arches(arches),
          m_unit(context.state.options.byteStrides ? static_cast<Index>(context.selected->tensor.itemSize()) : 0),
          m_sparesLinks(context.pick && context.pick->storageId != on.strip.storageId) {
        for (const QRectF& box : {notInSightBox(context), offsetFlagBox(context)})
            if (!box.isEmpty()) m_taken.push_back(box);
        // Links to lower rows go down beside the strip and arrive through the gap over their cell.
        if (m_on.wrapped && context.pick && m_on.strip.inSight(context.pick->slot) &&
            !m_on.onFirstRow(context.pick->slot)) {
            const QRectF cell = m_on.strip.layout.cellRect(context.pick->slot);
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
    }

    int append(const std::vector<Hop>& hops) {
        for (std::size_t i = 0; i < hops.size();) {
            std::size_t end = i + 1;
            while (end < hops.size() && hops[end].dim == hops[i].dim) ++end;
            m_dim = hops[i].dim;
            appendLabels(hops, {i, end});
            i = end;
        }
        return m_covered;
    }

private:
    QString wordsOf(const Hop& hop, std::size_t repeats) const {
        if (hop.from == hop.to) return PaintedText::tr("stride 0 (dim %1): the same cell").arg(hop.dim);
        return PaintedText::tr("%1 (dim %2)")
            .arg(hopStep(m_on.view, hop, static_cast<Index>(repeats), m_unit))
            .arg(hop.dim);
    }
    void appendLabels(const std::vector<Hop>& hops, const Run& run) {
        if (m_on.wrapped) {
            labelRows(hops, run);
            return;
        }
        bool drawn = false, whole = true;
        for (std::size_t i = run.first; i < run.last; ++i) {
            const bool from = m_on.inSight(hops[i].from), to = m_on.inSight(hops[i].to);
            drawn = drawn || from || to;
            whole = whole && from && to;
        }
        if (!drawn) return;
        const Hop& first = hops[run.first];
        const qreal width = std::abs(m_on.centre(first.to) - m_on.centre(first.from));
        const QString single = wordsOf(first, 1);
        const qreal wanted = textWidth(FontRole::LabelStrong, single) + 24;
        if (width >= wanted) {
            for (std::size_t i = run.first; i < run.last; ++i) {
                const bool from = m_on.inSight(hops[i].from), to = m_on.inSight(hops[i].to);
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
            if (!m_on.sameRow(hops[i])) named[i] = labelStep(hops[i], i == run.first || !m_on.sameRow(hops[i - 1]));
        for (std::size_t i = run.first; i < run.last;) {
            if (!m_on.sameRow(hops[i])) {
                ++i;
                continue;
            }
            std::size_t end = i + 1;
            while (end < run.last && m_on.sameRow(hops[end])) ++end;
            std::size_t count = end - i;
            for (std::size_t k = end; k < run.last && !m_on.sameRow(hops[k]) && !named[k]; ++k) ++count;
            if (m_on.onFirstRow(hops[i].from) && HopGeometry::up(hops[i]) && m_on.inSight(hops[i].from) &&
                m_on.inSight(hops[end - 1].to)) {
                label(hops[i], hops[end - 1], wordsOf(hops[i], count), false);
            } else {
                labelBeside(hops, {i, end}, count, i == run.first && end == run.last);
            }
            i = end;
        }
    }

    /// The first place between the rows at height `y`, right or left of what lies from `left` to `right`, that is
    /// free: beside it or a little farther; with less words when there is none. With `overArches` the first one that
    /// covers the fewest of them.
    bool putBeside(qreal left, qreal right, qreal y, const QString& words, const QString& brief,
                   bool overArches = false) {
        const QRectF& area = m_on.strip.layout.area;
        for (const QString& text : {words, brief}) {
            const qreal width = widthOf(text);
            std::optional<QRectF> best;
            std::ptrdiff_t fewest = std::numeric_limits<std::ptrdiff_t>::max();
            for (int farther = 0; farther < kFarthest && fewest > 0; ++farther) {
                const qreal gap = 8 + farther * kFarther;
                for (const qreal x : {right + gap, left - gap - width}) {
                    const QRectF box(x, y - kLabelHeight / 2, width, kLabelHeight);
                    if (box.left() < area.left() || box.right() > m_on.right - 4 || box.bottom() > m_on.bottom)
                        continue;
                    // Right of short rows there is nothing but the ways that links go down.
                    if (box.right() > m_on.rowEnd && meetsAny(m_trunks, box)) continue;
                    if (isTaken(box) || (!overArches && meetsAny(m_links, box))) continue;
                    const std::ptrdiff_t covered = archesMet(box, -1);
                    if (covered >= fewest || (!overArches && covered > 0)) continue;
                    best = box;
                    fewest = covered;
                }
            }
            if (!best) continue;
            put(*best, text);
            return true;
        }
        return false;
    }

    /// On its own arch, from `a` to `b`, as near to the middle as others leave room: on an arch of another dim the
    /// words would name that.
    bool putOn(const Hop& hop, qreal a, qreal b, qreal y, const QString& words, const QString& brief) {
        constexpr qreal kStep = 4;
        const qreal low = std::min(a, b) + kArrow, high = std::min(std::max(a, b), m_on.rowEnd) - kArrow;
        for (const QString& text : {words, brief}) {
            const qreal width = widthOf(text), middle = (low + high - width) / 2;
            for (qreal shift = 0; shift <= (high - low - width) / 2; shift += kStep) {
                for (const qreal left : {middle - shift, middle + shift}) {
                    const QRectF box(left, y - kLabelHeight / 2, width, kLabelHeight);
                    if (box.bottom() > m_on.bottom || isTaken(box) || archesMet(box, hop.dim) > 0 ||
                        meetsAny(m_links, box))
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
        if (m_on.overRowEnd(hop)) return labelOverRowEnd(hop, alone);
        const QRectF from = m_on.strip.layout.cellRect(hop.from), to = m_on.strip.layout.cellRect(hop.to);
        const bool down = to.top() > from.top();
        const qreal index = m_on.strip.indexBelow, middle = kHopGap / 2;
        const qreal leaves = down ? from.bottom() + index + middle : from.top() - middle;
        const qreal arrives = m_on.fromAfar(hop)
                                  ? m_on.base(hop, hop.to) + (HopGeometry::up(hop) ? -1 : 1) * (middle - 2)
                              : down ? to.top() - middle
                                     : to.bottom() + index + middle;
        const QString words = wordsOf(hop, 1), brief = hopStep(m_on.view, hop, 1, m_unit);
        const qreal x0 = from.center().x(), x1 = to.center().x();
        if (m_on.neighbours(hop)) {
            const qreal left = std::min(x0, x1), right = std::max(x0, x1);
            return putBeside(left, right, arrives, words, brief) || putOn(hop, left, right, arrives, words, brief) ||
                   (alone && putBeside(left, right, arrives, words, brief, true));
        }
        const QString way = down ? QStringLiteral(" ↓") : QStringLiteral(" ↑");
        const bool left = m_on.inSight(hop.from) && putBeside(x0, x0, leaves, words + way, brief + way);
        const bool arrived = m_on.inSight(hop.to) && putBeside(x1, x1, arrives, words, brief);
        if (left || arrived || (!m_on.inSight(hop.from) && !m_on.inSight(hop.to))) return true;
        return alone && (m_on.inSight(hop.from) ? putBeside(x0, x0, leaves, words + way, brief + way, true)
                                                : putBeside(x1, x1, arrives, words, brief, true));
    }

    /// Above the first row in the middle of the part there, else at its arrival, or where it leaves.
    bool labelOverRowEnd(const Hop& hop, bool alone) {
        const qreal middle = (HopGeometry::up(hop) ? -1 : 1) * (kHopGap / 2 - 2);
        const QString words = wordsOf(hop, 1), brief = hopStep(m_on.view, hop, 1, m_unit);
        const qreal x0 = m_on.centre(hop.from), x1 = m_on.centre(hop.to);
        const auto leaving = [&] {
            if (!m_on.inSight(hop.from)) return false;
            if (!HopGeometry::up(hop) || !m_on.onFirstRow(hop.from))
                return putBeside(x0, x0, m_on.base(hop, hop.from) + middle, words, brief);
            const qreal edge = hop.to > hop.from ? m_on.rowEnd - 5 : m_on.strip.layout.area.left() + 1;
            return labelOver(x0, edge, m_on.base(hop) - m_on.peak(hop) - kLabelHeight / 2 - 7, words);
        };
        const auto arriving = [&](bool overArches) {
            return m_on.inSight(hop.to) && putBeside(x1, x1, m_on.base(hop, hop.to) + middle, words, brief, overArches);
        };
        if (!m_on.inSight(hop.from) && !m_on.inSight(hop.to)) return true;
        const auto onIt = [&] {
            const qreal edge = hop.to > hop.from ? m_on.rowEnd - 5 : m_on.strip.layout.area.left() + 1;
            return m_on.inSight(hop.from) && putOn(hop, x0, edge, m_on.base(hop, hop.from) + middle, words, brief);
        };
        return (m_on.onFirstRow(hop.from) && leaving()) || arriving(false) || leaving() || onIt() ||
               (alone && arriving(true));
    }

    /// Over the first row words have their usual place, in the middle between `a` and `b`, and move aside for others.
    bool labelOver(qreal a, qreal b, qreal y, const QString& words) {
        const qreal width = widthOf(words);
        QRectF box((a + b) / 2 - width / 2, y - kLabelHeight / 2, width, kLabelHeight);
        box.moveLeft(std::clamp(box.left(), m_on.strip.layout.area.left(), m_on.right - width - 4));
        const std::optional<qreal> left = freePlace(box, a, b, false);
        if (left) box.moveLeft(*left);
        if (isTaken(box)) return false;
        put(box, words);
        return true;
    }

    /// Between rows there is room for arches, and for words only beside them; the only ones of a dim may lie over
    /// arches of others.
    void labelBeside(const std::vector<Hop>& hops, const Run& run, std::size_t count, bool alone) {
        const QRectF& area = m_on.strip.layout.area;
        const Hop& first = hops[run.first];
        qreal left = area.right(), right = area.left();
        for (std::size_t i = run.first; i < run.last; ++i) {
            if (!m_on.inSight(hops[i].from) && !m_on.inSight(hops[i].to)) continue;
            for (const Index slot : {hops[i].from, hops[i].to}) {
                const qreal x = std::clamp(m_on.centre(slot), area.left(), area.right());
                left = std::min(left, x);
                right = std::max(right, x);
            }
        }
        if (left > right) return;
        const qreal y = m_on.base(first) + (HopGeometry::up(first) ? -1 : 1) * (kHopGap / 2 - 1);
        const QString words = wordsOf(first, count),
                      brief = hopStep(m_on.view, first, static_cast<Index>(count), m_unit);
        // On its arch, or over a piece of another one, the whole words say more than fewer of them beside it.
        if (putBeside(left, right + 2, y, words, words)) return;
        if (alone && putOn(first, left, right, y, words, words)) return;
        if (alone && putBeside(left, right + 2, y, words, brief, true)) return;
        putBeside(left, right + 2, y, brief, brief);
    }

    /// Arches between rows, but for those of `dim`.
    std::ptrdiff_t archesMet(const QRectF& box, Index dim) const {
        return std::count_if(m_arches.begin(), m_arches.end(),
                             [&](const HopArch& arch) { return arch.dim != dim && arch.rect.intersects(box); });
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
    /// A line of an arch of another dim than that whose words are being put.
    bool meetsArch(const QRectF& box) const {
        return std::any_of(m_arches.begin(), m_arches.end(), [&](const HopArch& arch) {
            return arch.dim != m_dim && arch.rect.intersects(box) && meetsAny({arch.line}, box);
        });
    }
    bool meetsLink(const QRectF& box) const { return meetsAny(m_links, box) || meetsAny(m_trunks, box); }
    /// The place nearest to that of `box` in its height that other labels and, if possible, arches of other dims and
    /// links leave free: `inside` the arch from `a` to `b`, clear of its arrow, else no farther from it than beside it.
    std::optional<qreal> freePlace(const QRectF& box, qreal a, qreal b, bool inside) const {
        constexpr qreal kStep = 2, kBeside = 30;
        const qreal before = inside ? -kArrow : kBeside + box.width(), after = inside ? -kArrow - box.width() : kBeside;
        const qreal low = std::max(m_on.strip.layout.area.left() + 3, std::min(a, b) - before);
        const qreal high = std::min(m_on.right - 4 - box.width(), std::max(a, b) + after);
        enum class Clear { Nothing, Arches, All };
        for (const Clear clear : {Clear::All, Clear::Arches, Clear::Nothing}) {
            for (qreal shift = 0; shift <= high - low + kStep; shift += kStep) {
                for (const qreal left : {box.left() - shift, box.left() + shift}) {
                    if (left < low || left > high) continue;
                    const QRectF at(left, box.top(), box.width(), box.height());
                    if (isTaken(at) || (clear == Clear::All && meetsLink(at))) continue;
                    if (clear == Clear::Nothing || !meetsArch(at)) return left;
                }
            }
        }
        return std::nullopt;
    }

    void label(const Hop& first, const Hop& last, const QString& words, bool inside) {
        const QRectF& area = m_on.strip.layout.area;
        const qreal a = std::clamp(m_on.centre(first.from), area.left(), area.right());
        const qreal b = std::clamp(m_on.centre(last.to), area.left(), area.right());
        const qreal width = widthOf(words);
        const qreal x = std::clamp((a + b) / 2, area.left() + width / 2, m_on.right - width / 2 - 4);
        const qreal sign = HopGeometry::up(first) ? -1 : 1;
        const qreal distance =
            inside ? m_on.peak(first) - kLabelHeight / 2 - 7 : m_on.peak(first) + kLabelHeight / 2 + 7;
        const qreal y = m_on.base(first) + sign * distance;
        QRectF box(x - width / 2, y - kLabelHeight / 2, width, kLabelHeight);
        if (const std::optional<qreal> left = freePlace(box, a, b, inside)) {
            box.moveLeft(*left);
        } else if (isTaken(box)) {
            return;
        }
        constexpr qreal kIndexAir = 4; // under the numbers of a row's cells
        if (box.bottom() > m_on.bottom || (sign > 0 && box.top() < m_on.base(first) - kIndexAir)) {
            // No room below the arch, or in it: beside it, as long as nothing stands there.
            const qreal top = std::min(m_on.base(first) + 2, m_on.bottom - kLabelHeight);
            if (top < m_on.base(first) - 4) return; // a stage too short for words: the arch and the formula remain
            const qreal aside = first.from == first.to ? kLoopHalf + 8 : 8;
            box.moveTopLeft(QPointF(std::max(a, b) + aside, top));
            if (box.right() > m_on.right - 4) box.moveRight(std::min(a, b) - aside);
            if (box.left() < area.left() || isTaken(box)) return;
        }
        put(box, words);
    }

    /// Of the box round words, with the key before them.
    qreal widthOf(const QString& words) const {
        return textWidth(FontRole::LabelStrong, words) + 8 + (m_on.wrapped ? kKey + kAfterKey : 0);
    }

    void put(const QRectF& box, const QString& words) {
        if (m_sparesLinks && meetsLink(box)) return; // the arch and the formula remain
        m_taken.push_back(box);
        m_covered += meetsLink(box);
        m_scene.nodes.push_back({m_on.part, BoxItem{box, Tone::Stage, Tone::None, LineStyle::None, 0, 3}});
        qreal left = box.left();
        if (m_on.wrapped) {
            PathItem key;
            key.path.moveTo(left + 4, box.center().y());
            key.path.lineTo(left + 4 + kKey, box.center().y());
            key.stroke = Theme::dimTone(m_dim);
            key.width = 3;
            key.style = m_dim > 3 ? LineStyle::Dashed : LineStyle::Solid;
            m_scene.nodes.push_back({m_on.part, std::move(key)});
            left += kKey + kAfterKey;
        }
        TextItem text;
        text.pos = QPointF((left + box.right()) / 2, box.center().y());
        text.anchor = Qt::AlignHCenter | Qt::AlignVCenter;
        text.text = words;
        text.font = FontRole::LabelStrong;
        m_scene.nodes.push_back({m_on.part, text});
    }

    Scene& m_scene;
    const HopGeometry& m_on;
    const std::vector<HopArch>& m_arches;
    Index m_unit;    ///< bytes of an element where strides are told in bytes, else 0
    Index m_dim = 0; ///< whose words are being put
    std::vector<QRectF> m_taken;
    const bool m_sparesLinks;                 ///< of a cell of another storage, which only pass by
    int m_covered = 0;                        ///< labels over links
    std::vector<QPolygonF> m_links, m_trunks; ///< words keep clear of them where there is another place
};

} // namespace

int appendHopLabels(Scene& scene, const StageContext& context, const HopGeometry& on,
                    const std::vector<HopArch>& arches, const std::vector<Hop>& hops) {
    return HopLabels(scene, context, on, arches).append(hops);
}

} // namespace stridescope
