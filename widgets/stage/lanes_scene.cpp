#include "core/view/inverse.h"
#include "core/view/reach_query.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/stage/stage_scene_parts.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

QString laneWords(const TensorEntry& entry, Index cellCount, qreal width) {
    const std::optional<Index> reached = distinctSlots(entry.tensor.view());
    const QString all = reached ? countText(*reached) : PaintedText::tr("some");
    const QString brief = reached ? briefCountText(*reached) : all;
    const auto cells = [](const QString& count) {
        return count == QStringLiteral("1") ? PaintedText::tr("1 cell") : PaintedText::tr("%1 cells").arg(count);
    };
    const QString choices[] = {PaintedText::tr("%1 of %2").arg(all, cells(countText(cellCount))), cells(all),
                               cells(brief)};
    const auto fits = [width](const QString& words) { return textWidth(FontRole::Label, words) <= width; };
    return *std::find_if(std::begin(choices), std::end(choices) - 1, fits);
}

namespace {

/// Names of the views of the strip's storage on the stage that have no lane.
QStringList lanesLeftOut(const StageContext& context) {
    const StagePlan& plan = context.plan;
    QStringList names;
    for (const TensorEntry* entry : context.state.visible()) {
        const bool here = entry->tensor.storage()->id() == plan.strip->storageId;
        if (here && std::find(plan.lanes.begin(), plan.lanes.end(), entry) == plan.lanes.end()) names << entry->name;
    }
    return names;
}

} // namespace

void appendLanes(Scene& scene, const StageContext& context) {
    const StagePlan& plan = context.plan;
    if (!plan.strip || plan.lanes.empty()) return;
    const StripPlan& strip = *plan.strip;
    qreal y = plan.lanesTop;
    const QStringList leftOut = lanesLeftOut(context);
    const QString more =
        leftOut.empty()
            ? QString()
            : PaintedText::tr("and %1 more: %2").arg(leftOut.size()).arg(leftOut.join(QStringLiteral(", ")));
    // Without a caption they stand beside the last lane, where the strip ends before the stage does; else their number
    // stands in the lane's words.
    constexpr qreal kMoreGap = 16, kLeastMore = 60;
    const StripLayout& cells = strip.layout;
    const qreal moreLeft = cells.cellRect(cells.cellCount - 1).right() + kMoreGap;
    const bool beside = cells.area.right() - moreLeft >= kLeastMore;
    const QString brief =
        more.isEmpty() || plan.laneCaption || beside ? QString() : QStringLiteral(" +%1").arg(leftOut.size());
    if (plan.laneCaption) {
        TextItem caption;
        caption.pos = QPointF(kStageMargin, y);
        caption.text = PaintedText::tr("Who reaches what, in visiting order");
        caption.tone = Tone::Ink2;
        if (!more.isEmpty()) {
            caption.text += QStringLiteral("  ·  ") + more;
            caption.maxWidth = strip.layout.area.right() - caption.pos.x();
        }
        scene.nodes.push_back({Part{}, caption});
    }
    y += plan.laneCaption ? 10 : 4;
    const qreal top = y;
    for (const TensorEntry* entry : plan.lanes) {
        const Part part{PartKind::LaneCells, entry->id, strip.storageId, -1};
        const qreal middle = y + kLaneHeight / 2;
        qreal x = kStageMargin, label = 24;
        TextItem text;
        if (entry->colour >= 0) {
            scene.nodes.push_back({part, BadgeItem{QPointF(x + 8.5, middle), entry->colour, 17, entry->letter}});
        } else {
            // A name may take what the briefest words leave.
            constexpr qreal kGap = 6;
            const QString briefest = laneWords(*entry, strip.layout.cellCount, 0);
            const qreal room = kHandleWidth - textWidth(FontRole::Label, briefest) - kGap;
            text.text = entry->name;
            text.maxWidth = std::max(label - 4, std::floor(room));
            label = std::max(label, std::min(text.maxWidth, textWidth(FontRole::MetaStrong, entry->name)) + kGap);
            text.font = FontRole::MetaStrong;
            text.anchor = Qt::AlignLeft | Qt::AlignVCenter;
            text.pos = QPointF(x, middle);
            scene.nodes.push_back({part, text});
        }
        x += label;
        text = {};
        const QString ending = entry == plan.lanes.back() ? brief : QString();
        const qreal taken = ending.isEmpty() ? 0 : textWidth(FontRole::Label, ending);
        text.text = laneWords(*entry, strip.layout.cellCount, kHandleWidth - label - taken) + ending;
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
    if (!more.isEmpty() && !plan.laneCaption && beside) {
        TextItem words;
        words.pos = QPointF(moreLeft, y - kLanePitch + kLaneHeight / 2);
        words.maxWidth = cells.area.right() - moreLeft;
        words.text = more;
        words.tone = Tone::Ink2;
        words.anchor = Qt::AlignLeft | Qt::AlignVCenter;
        scene.nodes.push_back({Part{}, words});
    }
    if (!context.pick || context.pick->storageId != strip.storageId) return;
    // One ring round the column of all lanes, unless there is nothing in it.
    const Index slot = context.pick->slot;
    if (std::none_of(plan.lanes.begin(), plan.lanes.end(),
                     [slot](const TensorEntry* entry) { return reaches(entry->tensor.view(), slot); }))
        return;
    const QRectF cell = strip.layout.cellRect(context.pick->slot);
    if (cell.left() < strip.layout.area.left() - 1 || cell.right() > strip.layout.area.right() + 1) return;
    if (cell.width() < kHeatWidth) return;
    BoxItem ring{QRectF(cell.left() - 1.5, top - 3.5, cell.width() + 3, y - top + 1), Tone::None, Tone::Ink};
    ring.width = 2;
    ring.radius = 4;
    scene.nodes.push_back({Part{}, ring});
}

} // namespace stridescope
