#include "widgets/figures/refusal_figure.h"

#include "widgets/card/text_metrics.h"
#include "widgets/figures/refusal_parts.h"
#include "widgets/figures/view_fails.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

using namespace refusal;

namespace {

/// Between the figure's edges and what it shows: that of the stage, whose place it takes.
constexpr qreal kMargin = 20;

/// The card of the tensor as it is: for refusals whose words say all.
void appendSource(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    if (!in.entry->tensor.defined()) return;
    CardInput card;
    card.entry = in.entry;
    card.parent = in.parent;
    card.storageNumber = in.storageNumber;
    card.compact = true;
    card.maxSize = QSizeF(in.width, 300);
    CardLayout layout = layoutCard(card);
    layout.pos = out.moved(QPointF(0, y));
    appendCard(out.scene(), layout);
    y += layout.size.height() + 14;
}

/// The storage with what the tensor reaches of it. Returns the bottom.
qreal appendStorage(SceneBuilder& out, const RefusalFigureInput& in, qreal y) {
    const Tensor& tensor = in.entry->tensor;
    if (!tensor.defined() || tensor.storageNumel() == 0) return y;
    FigureStripInput input;
    input.source = tensor;
    input.storageNumber = in.storageNumber;
    input.sharedBy = in.sharers;
    input.lowest = input.highest = std::clamp<Index>(tensor.storageOffset(), 0, tensor.storageNumel() - 1);
    StripReach reach;
    reach.tensor = in.entry->id;
    reach.colour = in.entry->colour;
    reach.view = tensor.view();
    input.reach = reach;
    const FigureStrip strip = layoutStrip(input, QPointF(0, y + 14), in.width);
    return std::max(appendStrip(out, input, strip), strip.bottom() + 24);
}

/// `in.width` is that between the margins. `withCard`: the tensor as it is, also where the picture shows its cells.
Figure drawFigure(const RefusalFigureInput& in, bool withCard) {
    const Refusal& why = in.refusal;
    const qreal width = in.width + 2 * kMargin;
    Figure figure;
    const quint64 storage = in.entry->tensor.defined() ? in.entry->tensor.storage()->id() : 0;
    SceneBuilder bar(figure.scene, {}, in.entry->id, storage);
    SceneBuilder out(figure.scene, QPointF(kMargin, 0), in.entry->id, storage);
    // The bar goes from edge to edge, everything below it keeps the stage's margin.
    qreal y = appendMessageBar(bar, QRectF(0, 0, width, 0), in.code, why) + 18;

    Story story;
    if (const auto* bounds = std::get_if<StorageOutOfBounds>(&why.detail)) {
        if (withCard) appendSource(out, in, y);
        story = tellBounds(out, in, *bounds, y);
    } else if (const auto* index = std::get_if<IndexOutOfRange>(&why.detail)) {
        if (withCard) appendSource(out, in, y);
        story = why.id == "VIEW-12" ? tellLists(out, in, y) : tellIndex(out, in, *index, y);
    } else if (const auto* dims = std::get_if<DimOutOfRange>(&why.detail)) {
        if (withCard) appendSource(out, in, y);
        story = tellDims(out, in, *dims, y);
    } else if (const auto* sizes = std::get_if<BroadcastConflict>(&why.detail)) {
        if (withCard) appendSource(out, in, y);
        story = tellSizes(out, in, *sizes, y);
    } else if (const auto* count = std::get_if<NumelMismatch>(&why.detail)) {
        if (withCard) appendSource(out, in, y);
        story = tellCount(out, in, *count, y);
    } else if (const auto* overlap = std::get_if<SelfOverlap>(&why.detail)) {
        story = tellOverlap(out, in, *overlap, y);
    } else {
        if (withCard) appendSource(out, in, y);
        const bool backwards = why.id == "VIEW-29" || why.id == "VIEW-05";
        const bool lists = why.id == "VIEW-19" || why.id == "VIEW-21" || why.id == "VIEW-22";
        const bool order = why.id == "VIEW-08" || why.id == "VIEW-09" || why.id == "VIEW-10";
        if (why.id == "VIEW-23")
            story = tellNegative(out, in, y);
        else if (lists)
            story = tellLists(out, in, y);
        else if (backwards)
            story = tellBackwards(out, in, y);
        else if (order && in.entry->tensor.dim() > 0)
            story = tellOrder(out, in, y);
        else
            story.reason = QString::fromStdString(why.hint);
    }
    if (story.ways.empty()) story.ways = in.ways;
    if (story.reason.isEmpty()) story.reason = QString::fromStdString(why.hint);
    y = appendWords(out, QPointF(0, y + 14), story.reason, FontRole::Heading, Tone::Ink, in.width);
    if (!story.ways.empty()) {
        y += 16;
        out.text(QPointF(0, y), waysTitle(story.ways.size()), FontRole::LabelStrong);
        y += 12;
        for (std::size_t i = 0; i < story.ways.size(); ++i) {
            // A way out does what the line would have done: its result gets the same name.
            if (!in.assigned.isEmpty()) story.ways[i].code.prepend(in.assigned + QStringLiteral(" = "));
            const qreal wide = std::ceil(textWidth(FontRole::Code, story.ways[i].code)) + 28;
            const QRectF rect(0, y, std::min(wide, in.width), 27);
            BoxItem box;
            box.rect = rect;
            box.fill = Tone::Stage;
            box.outline = Tone::Control;
            box.radius = 6;
            out.box(box, PartKind::Button, static_cast<int>(i));
            out.text(QPointF(14, y + 18), story.ways[i].code, FontRole::Code);
            out.text(QPointF(rect.right() + 14, y + 18), story.ways[i].why, FontRole::Label, Tone::Ink2);
            figure.codes.push_back(story.ways[i].code);
            y += 34;
        }
    }
    // Where the picture was of the indices alone, the storage stands below it: it does not leave the stage.
    const bool drawn =
        std::holds_alternative<StorageOutOfBounds>(why.detail) || std::holds_alternative<SelfOverlap>(why.detail);
    if (!drawn) y = appendStorage(out, in, y);
    figure.sentence = story.reason;
    figure.scene.title = QStringLiteral("Why %1 is not possible. %2").arg(in.code, story.reason);
    figure.scene.size = QSizeF(width, std::ceil(y + 8));
    return figure;
}

} // namespace

Figure refusalFigure(const RefusalFigureInput& input) {
    const Refusal& why = input.refusal;
    if (std::holds_alternative<ViewMergeFailure>(why.detail) && !input.wanted.empty()) {
        ViewFailsInput fails;
        fails.entry = input.entry;
        fails.parent = input.parent;
        fails.storageNumber = input.storageNumber;
        fails.sharers = input.sharers;
        fails.nextStorageNumber = input.nextStorageNumber;
        fails.code = input.code;
        fails.wanted = input.wanted;
        fails.assigned = input.assigned;
        fails.refusal = why;
        fails.hovered = input.hovered;
        fails.width = input.width;
        fails.height = input.height;
        return viewFailsFigure(fails);
    }
    RefusalFigureInput in = input;
    in.width = std::max<qreal>(in.width, 640) - 2 * kMargin;
    Figure figure = drawFigure(in, true);
    if (in.height > 0 && figure.scene.size.height() > in.height) figure = drawFigure(in, false);
    return figure;
}

} // namespace stridescope
