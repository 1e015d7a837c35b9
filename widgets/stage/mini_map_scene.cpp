// The map below a strip that scrolls, and the words that say what its pixels are where cells share them.

#include "core/view/reach_query.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/reach_marks.h"
#include "widgets/scene/strip_summary.h"
#include "widgets/stage/stage_scene_parts.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// Lower maps have no room for heights.
constexpr qreal kLeastEnvelope = 12;
/// Of the map's height: what the selected view reaches.
constexpr qreal kReachBand = 4;

/// The cells under each pixel of the map.
std::vector<SlotRange> mapColumns(const QRectF& map, Index count) {
    const auto bins = static_cast<Index>(map.width());
    const auto slotAt = [&](Index bin) {
        return static_cast<Index>(static_cast<long double>(count) * static_cast<long double>(bin) /
                                  static_cast<long double>(bins));
    };
    std::vector<SlotRange> columns;
    columns.reserve(static_cast<std::size_t>(bins));
    for (Index bin = 0; bin < bins; ++bin) {
        const Index first = slotAt(bin);
        columns.push_back({first, std::min(count, std::max(first + 1, slotAt(bin + 1)))});
    }
    return columns;
}

/// Bars of the same height side by side are one.
void appendBar(std::vector<QRectF>& bars, const QRectF& bar) {
    if (!bars.empty() && bars.back().right() == bar.left() && bars.back().top() == bar.top() &&
        bars.back().bottom() == bar.bottom()) {
        bars.back().setRight(bar.right());
    } else {
        bars.push_back(bar);
    }
}

/// From the lowest to the highest value of each column, as heights in `area`; what samples tell is paler. Returns
/// whether there is any of that.
bool appendEnvelope(Scene& scene, const Part& part, const StripPlan& strip, const SummaryState& summary,
                    const std::vector<SlotRange>& columns, const QRectF& area) {
    const CellValues values(strip.source);
    if (!values.readable()) return false;
    constexpr Index kSamples = 4;
    const Extents found = readColumns(values, summary.table.get(),
                                      area.width() / static_cast<qreal>(strip.layout.cellCount), columns, kSamples);
    const auto [low, high] = heatRange(strip.source);
    const auto height = [&, least = low, most = high](double v) {
        return std::round(area.height() * (std::clamp(v, least, most) - least) / (most - least));
    };
    for (const Known known : {Known::Samples, Known::All}) {
        BarsItem envelope;
        envelope.fill = known == Known::All ? Tone::Ink2 : Tone::Control;
        for (std::size_t x = 0; x < columns.size(); ++x) {
            if (found.known[x] != known || found.high[x] != found.high[x]) continue; // NaN: nothing known of it
            // From under the lowest to over the highest value; a pixel at least.
            const qreal top = area.bottom() - std::max(height(found.high[x]), 1.0);
            const qreal bottom = std::max(area.bottom() - height(found.low[x]), top + 1);
            appendBar(envelope.bars, QRectF(area.left() + static_cast<qreal>(x), top, 1, bottom - top));
        }
        if (!envelope.bars.empty()) scene.nodes.push_back({part, std::move(envelope)});
    }
    return std::find(found.known.begin(), found.known.end(), Known::Samples) != found.known.end();
}

/// Says on the map that it shows samples, at the end of it where the frame round what is in sight is not.
void appendSampled(Scene& scene, const Part& part, const QRectF& area, const QRectF& frame) {
    TextItem text;
    text.text = PaintedText::tr("samples");
    text.font = FontRole::Index;
    text.tone = Tone::Ink2;
    const qreal width = textWidth(text.font, text.text) + 8;
    QRectF plate(area.right() - width - 2, area.center().y() - 6.5, width, 13);
    if (frame.right() > plate.left()) plate.moveLeft(area.left() + 2);
    if (plate.intersects(frame)) return; // all of it is in sight: what is above tells
    scene.nodes.push_back({part, BoxItem{plate, Tone::Stage, Tone::None, LineStyle::None, 0, 3}});
    text.pos = plate.center();
    text.anchor = Qt::AlignHCenter | Qt::AlignVCenter;
    scene.nodes.push_back({part, text});
}

/// What the selected view reaches; a line over what it reaches more than once.
void appendReached(Scene& scene, const Part& part, const TensorEntry& entry, const std::vector<SlotRange>& columns,
                   const QRectF& area) {
    const View& view = entry.tensor.view();
    const ReachQuery query(view);
    BarsItem touched, several;
    touched.fill = Theme::viewTone(entry.colour);
    several.fill = Tone::Ink;
    const bool shared = maySelfOverlap(view);
    for (std::size_t x = 0; x < columns.size();) {
        const std::size_t first = x;
        while (x < columns.size() && query.any(columns[x])) ++x;
        const QRectF run(area.left() + static_cast<qreal>(first), area.top(), static_cast<qreal>(x - first),
                         area.height());
        if (x > first) {
            touched.bars.push_back(run);
            if (shared)
                several.bars.push_back(QRectF(run.topLeft(), QSizeF(run.width(), std::min(2.0, run.height() / 2))));
        } else {
            ++x;
        }
    }
    scene.nodes.push_back({part, std::move(touched)});
    if (shared) scene.nodes.push_back({part, std::move(several)});
}

/// First and last cell in sight.
SlotRange inSight(const StripLayout& layout) {
    const SlotRange rows = layout.visibleRows({});
    if (rows.empty()) return {};
    return {layout.visibleCells(rows.first, {}).first, layout.visibleCells(rows.last - 1, {}).last};
}

QString knownText(const StripPlan& strip, const SummaryState& summary, SlotRange cells) {
    if (!CellValues(strip.source).readable()) return PaintedText::tr("no values to show");
    const int level = summaryLevel(strip.layout.cellWidth);
    if (level == 0) return PaintedText::tr("min/max");
    if (!isReadWhole(strip.source, cells)) return PaintedText::tr("min/max of samples: too large to be read whole");
    const double share = summary.table ? summary.table->exactShare(level, cells) : 0;
    if (share >= 1) return PaintedText::tr("min/max");
    return PaintedText::tr("min/max of samples (dotted), %1 % read").arg(static_cast<int>(100 * share));
}

} // namespace

void appendRowsLeftOut(Scene& scene, const StripPlan& strip) {
    if (!strip.miniMap.isEmpty() || strip.rowIndex || !strip.scrollsRows()) return;
    const StripLayout& layout = strip.layout;
    const auto mark = [&](qreal y, qreal way) {
        PathItem chevron;
        const QPointF tip(layout.area.left() - 10, y + way);
        chevron.path.moveTo(tip - QPointF(6, way * 2));
        chevron.path.lineTo(tip);
        chevron.path.lineTo(tip + QPointF(6, -way * 2));
        chevron.width = 3;
        scene.nodes.push_back({Part{PartKind::None, 0, strip.storageId, kRowsLeftOutPart}, chevron});
    };
    // Over one another beside the last row, as a class may see one only.
    const qreal middle =
        layout.area.top() + static_cast<qreal>(strip.visibleRows - 1) * layout.rowPitch + layout.cellHeight / 2;
    if (layout.firstRow > 0) mark(middle - 7, -3);
    if (layout.firstRow + strip.visibleRows < layout.rowCount()) mark(middle + 7, 3);
}

void appendMiniMap(Scene& scene, const StageContext& context, const StripPlan& strip) {
    if (strip.miniMap.isEmpty() || strip.layout.cellCount == 0) return;
    const Part part{PartKind::StripCells, 0, strip.storageId, 1};
    const QRectF& r = strip.miniMap;
    scene.nodes.push_back({part, BoxItem{r, Tone::Stage, Tone::Control, LineStyle::Solid, 1}});
    const Part inside{PartKind::None, 0, strip.storageId, 1}; // under the pointer is the map, not a line in it
    const std::vector<SlotRange> columns = mapColumns(r, strip.layout.cellCount);
    QRectF reached = r.adjusted(0, 1, 0, -1), heights;
    bool sampled = false;
    if (r.height() >= kLeastEnvelope + kReachBand) {
        reached.setTop(reached.bottom() - kReachBand);
        heights = QRectF(r.left(), r.top() + 1, r.width(), reached.top() - r.top() - 2);
        sampled = appendEnvelope(scene, inside, strip, context.state.summaries.of(strip.source), columns, heights);
    }
    if (context.selected && context.selected->tensor.storage()->id() == strip.storageId)
        appendReached(scene, inside, *context.selected, columns, reached);
    const StripLayout& layout = strip.layout;
    const long double perPixel = static_cast<long double>(r.width()) / static_cast<long double>(layout.cellCount);
    const Index firstSlot = layout.firstRow * layout.perRow + (strip.scrollsRows() ? 0 : layout.firstColumn);
    const long double shown =
        strip.scrollsRows() ? static_cast<long double>(strip.visibleRows) * static_cast<long double>(layout.perRow)
                            : static_cast<long double>(layout.area.width() / layout.cellWidth);
    const qreal shifted = strip.scrollsRows() ? layout.rowShift / layout.rowPitch * static_cast<qreal>(layout.perRow)
                                              : layout.columnShift / layout.cellWidth;
    const qreal left =
        r.left() +
        static_cast<qreal>((static_cast<long double>(firstSlot) + static_cast<long double>(shifted)) * perPixel);
    const qreal width = std::clamp(static_cast<qreal>(shown * perPixel), 6.0, r.width());
    BoxItem window{QRectF(std::clamp(left, r.left(), r.right() - width), r.top() - 1, width, r.height() + 2),
                   Tone::None, Tone::Ink};
    window.width = 2;
    window.radius = 3;
    // Where cells share pixels, words under the strip say it of both.
    if (sampled && !hasOverviewWords(strip)) appendSampled(scene, inside, heights, window.rect);
    scene.nodes.push_back({part, window});
}

void appendOverviewWords(Scene& scene, const StageContext& context, const StripPlan& strip) {
    const StripLayout& layout = strip.layout;
    if (!hasOverviewWords(strip) || context.plan.downZone < kOverviewWords || !strip.outside.empty()) return;
    const SlotRange cells = inSight(layout);
    if (cells.empty()) return;
    const double share = 1 / static_cast<double>(layout.cellWidth);
    const auto whole = static_cast<Index>(std::llround(share));
    const bool exact = std::abs(share - static_cast<double>(whole)) < 1e-6 * share;
    const QString count = !exact && share < 10 ? QString::number(share, 'f', 1) : countText(whole);
    const QString pixel =
        (exact ? PaintedText::tr("one pixel = %1 elements, ") : PaintedText::tr("one pixel ≈ %1 elements, "))
            .arg(count);
    const QString known = knownText(strip, context.state.summaries.of(strip.source), cells);
    const QString range = PaintedText::tr("elements %1..%2, ").arg(countText(cells.first), countText(cells.last - 1));
    TextItem text;
    text.font = FontRole::Label;
    text.tone = Tone::Ink2;
    for (const QString& words : {range + pixel + known, pixel + known, known}) {
        text.text = words;
        if (textWidth(text.font, words) <= layout.area.width()) break;
    }
    const qreal bottom = !strip.miniMap.isEmpty() ? strip.miniMap.bottom() + 1
                         : strip.rowIndex         ? layout.area.bottom() + 17
                                                  : layout.area.bottom();
    text.pos = QPointF(layout.area.left(), bottom + 13);
    scene.nodes.push_back({Part{PartKind::None, 0, strip.storageId, -1}, text});
}

} // namespace stridescope
