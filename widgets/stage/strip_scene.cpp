#include "widgets/stage/stage_scene_parts.h"

#include "core/view/inverse.h"
#include "core/view/reach_query.h"
#include "widgets/card/draw.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/reach_marks.h"
#include "widgets/scene/strip_ruler.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

SlotRange wantedOutside(const ExploreState& state, quint64 storageId, Index cellCount) {
    const auto beyond = [&](Index lowest, Index highest) -> SlotRange {
        if (lowest < 0) return {lowest, 0};
        if (highest >= cellCount) return {cellCount, highest + 1};
        return {};
    };
    const auto fromDetail = [&](const Refusal& refusal) -> SlotRange {
        const auto* bounds = std::get_if<StorageOutOfBounds>(&refusal.detail);
        return bounds ? beyond(bounds->lowest, bounds->highest) : SlotRange{};
    };
    const auto concerns = [&](TensorId id) {
        const TensorEntry* entry = state.snapshot->tensor(id);
        return entry && entry->tensor.defined() && entry->tensor.storage()->id() == storageId;
    };
    if (state.preview && concerns(state.preview->source)) {
        // A copy has a storage of its own: nothing is wanted of this one.
        if (state.preview->view && !state.preview->copies) {
            const Result<Reach> reached = reach(*state.preview->view);
            if (reached && !reached->empty()) {
                const SlotRange range = beyond(reached->lowest, reached->highest);
                if (!range.empty()) return range;
            }
        }
        if (state.preview->refusal) {
            const SlotRange range = fromDetail(*state.preview->refusal);
            if (!range.empty()) return range;
        }
    }
    if (state.message && concerns(state.message->tensor)) return fromDetail(state.message->refusal);
    return {};
}

namespace {

/// The slot that fails a request, at the edge of a strip that cannot reach so far.
void appendFarCell(Scene& scene, const StripPlan& strip) {
    const QRectF cell = strip.farCell();
    if (cell.isEmpty()) return;
    SceneBuilder out(scene, {}, 0, strip.storageId);
    const bool left = strip.outside.first < 0;
    BoxItem gap;
    gap.rect = QRectF(left ? cell.right() : cell.left() - kFarGap, cell.top() - 1, kFarGap, cell.height() + 2);
    gap.fill = Tone::Stage;
    out.box(gap);
    gap.rect = cell.adjusted(-1, -1, 1, 1);
    out.box(gap);
    out.text(QPointF(left ? cell.right() + kFarGap / 2 : cell.left() - kFarGap / 2, cell.center().y() + 3),
             QStringLiteral("…"), FontRole::Heading, Tone::Ink2, Qt::AlignHCenter | Qt::AlignBaseline);
    out.beyondCell(cell, strip.failingSlot());
}

/// What is wanted beyond an end, below everything that belongs to the strip.
void appendOutsideWords(Scene& scene, const StageContext& context, const StripPlan& strip) {
    const SlotRange& range = strip.outside;
    if (range.empty()) return;
    const ExploreState& state = context.state;
    const StripLayout& layout = strip.layout;
    TextItem text;
    text.text =
        range.first < 0
            ? PaintedText::tr("✗ needs slot %1, the storage begins at 0").arg(range.first)
            : PaintedText::tr("✗ needs %1, storage has %2").arg(countText(range.last), countText(layout.cellCount));
    text.font = FontRole::LabelStrong;
    // Under the hatched cells, with the request that names them where there is room.
    const QRectF& area = layout.area;
    const QRectF last = layout.cellRect(layout.cellCount - 1);
    const qreal from = range.first < 0 ? area.left() : std::min(last.right() + 4, area.right());
    const QString asked = state.preview && !state.preview->code.isEmpty() ? state.preview->code
                          : state.message                                 ? state.message->code
                                                                          : QString();
    const QString whole = asked.isEmpty() ? text.text : asked + QStringLiteral("  ") + text.text;
    if (textWidth(text.font, whole) <= area.width()) text.text = whole;
    const qreal width = textWidth(text.font, text.text);
    // Under the last of several rows the room for arches is free.
    const bool arches = layout.rowCount() > 1 && layout.rowPitch - layout.cellHeight - strip.indexBelow > kHopGap - 1;
    const qreal bottom = !strip.miniMap.isEmpty() ? strip.miniMap.bottom() - 1
                         : strip.rowIndex         ? area.bottom() + kRowIndexHeight
                                                  : area.bottom() - (arches ? kHopGap : 0);
    text.pos = QPointF(std::max(area.left(), std::min(from, area.right() - width)), bottom + 14);
    scene.nodes.push_back({Part{PartKind::Message, 0, strip.storageId, -1}, text});
}

/// Outlines of the cells that the previewed view would reach, while they can be told apart.
void appendPreviewCells(Scene& scene, const StageContext& context, const StripPlan& strip) {
    const std::optional<Preview>& preview = context.state.preview;
    if (!preview || !preview->view || preview->copies) return;
    const TensorEntry* source = context.state.snapshot->tensor(preview->source);
    if (!source || source->tensor.storage()->id() != strip.storageId) return;
    const StripLayout& layout = strip.layout;
    if (layout.cellWidth < kHeatWidth) return;
    // Beside the digits; in low cells, whose digits a count pushes to the upper edge, along the edges.
    constexpr qreal kRoomyCell = 40;
    const qreal inset = layout.cellHeight < kRoomyCell ? -1 : 2;
    QPainterPath cells;
    const SlotRange rows = layout.visibleRows(layout.area);
    for (Index row = rows.first; row < rows.last; ++row) {
        const SlotRange visible = layout.visibleCells(row, layout.area);
        for (Index slot = visible.first; slot < visible.last; ++slot) {
            if (reaches(*preview->view, slot)) cells.addRect(layout.cellRect(slot).adjusted(2, inset, -2, -inset));
        }
    }
    if (cells.isEmpty()) return;
    PathItem outline;
    outline.path = cells;
    outline.stroke = Tone::Ink;
    outline.style = LineStyle::Dashed;
    outline.width = 2;
    scene.nodes.push_back({Part{PartKind::None, 0, strip.storageId, -1}, outline});
}

} // namespace

StripItem stripItem(const ExploreState& state, const StripPlan& strip) {
    StripItem item;
    item.layout = strip.layout;
    item.source = strip.source;
    item.storageId = strip.storageId;
    item.text =
        state.options.presented && state.options.cellText == CellText::Both ? CellText::Value : state.options.cellText;
    if (state.options.hidesValues) item.text = CellText::None;
    item.ruler = state.options.ruler;
    item.indexBelow = strip.indexBelow > 0;
    item.rowIndex = strip.rowIndex;
    item.heat = state.options.heat;
    item.baseAddress = reinterpret_cast<quintptr>(strip.source.storage()->data());
    if (state.options.cacheLines && strip.large) {
        item.cacheLineCells = std::max<Index>(1, 64 / static_cast<Index>(strip.source.itemSize()));
    }
    std::tie(item.heatLow, item.heatHigh) = heatRange(strip.source);
    item.summary = state.summaries.of(strip.source);
    return item;
}

void appendStrip(Scene& scene, const StageContext& context, const StripPlan& strip) {
    const ExploreState& state = context.state;
    appendHandle(scene, context, strip);
    StripItem item = stripItem(state, strip);
    const TensorEntry* reaching = context.selected;
    if (!strip.large) {
        const std::vector<const TensorEntry*> tensors = state.snapshot->tensorsOn(strip.storageId);
        reaching = nullptr;
        for (const TensorEntry* entry : tensors) {
            if (entry->onStage && !reaching) reaching = entry;
        }
    }
    if (reaching) {
        item.reach = StripReach{reaching->id, reaching->colour, reaching->tensor.view()};
    }
    if (context.pick && context.pick->storageId == strip.storageId) {
        // A pixel is as many cells as it has colours; the one that the formula is about has the stronger ring.
        for (const Index slot : otherColours(context.plan, *context.pick))
            item.marks.push_back({slot, MarkKind::SoftRing, 0});
        item.marks.push_back({context.pick->slot, MarkKind::Ring, 0});
    }
    item.outOfRange = strip.outside;
    if (!strip.outside.empty() && state.preview) {
        const TensorEntry* asked = state.snapshot->tensor(state.preview->source);
        if (asked && asked->tensor.storage()->id() == strip.storageId) item.wanted = state.preview->view;
    }
    scene.nodes.push_back({Part{PartKind::StripCells, 0, strip.storageId, 0}, std::move(item)});
    if (strip.large) {
        appendFarCell(scene, strip);
        appendOutsideWords(scene, context, strip);
    }
    appendPreviewCells(scene, context, strip);
    if (strip.large) {
        appendMiniMap(scene, context, strip);
        if (context.state.options.presented) appendRowsLeftOut(scene, strip);
        appendOverviewWords(scene, context, strip);
    }
}

} // namespace stridescope
