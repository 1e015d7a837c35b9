#include "widgets/figures/refusal_figure.h"

#include "widgets/card/text_metrics.h"
#include "widgets/figures/refusal_parts.h"
#include "widgets/figures/view_fails.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

using namespace refusal;

namespace {

/// Between the figure's edges and what it shows: that of the stage, whose place it takes.
constexpr qreal kMargin = 20;

/// Scrolls the card to the index that was refused, or to the one nearest to it.
void showIndex(CardInput& card, const IndexOutOfRange& d) {
    const auto rank = static_cast<Index>(card.entry->tensor.dim());
    if (d.dim < 0 || d.dim >= rank || d.size <= 0) return;
    const Index wanted = d.index < 0 ? d.index + d.size : d.index;
    const Index nearest = std::clamp<Index>(wanted, 0, d.size - 1);
    // With what is before it: a part of a dim begins there.
    const Index first = std::max<Index>(0, nearest - 1);
    switch (rank - d.dim) {
    case 1:
        card.firstCol = first;
        break;
    case 2:
        card.firstRow = first;
        break;
    case 3:
        card.firstPanelCol = first;
        break;
    case 4:
        card.firstPanelRow = first;
        break;
    default:
        card.outer = Dims(static_cast<std::size_t>(d.dim) + 1, 0);
        card.outer.back() = nearest;
    }
}

/// What card and strip may take beyond what they need, where the stage is higher.
struct Spare {
    qreal card = 0; ///< height
    Index rows = 1; ///< of the strip
};

/// The card of the tensor as it is: for refusals whose words say all. `slim`: as low as it can be, and `spare` higher.
/// Returns its corner at the right bottom.
QPointF appendSource(SceneBuilder& out, const RefusalFigureInput& in, QPointF at, bool slim, qreal spare) {
    if (!in.entry->tensor.defined()) return at;
    CardInput card;
    card.entry = in.entry;
    card.parent = in.parent;
    card.storageNumber = in.storageNumber;
    card.compact = true;
    card.slim = slim;
    card.note = !slim;
    card.maxSize = QSizeF(slim ? in.width / 2 : in.width, (slim ? 180 : 300) + spare);
    if (const auto* index = std::get_if<IndexOutOfRange>(&in.refusal.detail)) showIndex(card, *index);
    CardLayout layout = layoutCard(card);
    layout.pos = out.moved(at);
    appendCard(out.scene(), layout);
    return at + QPointF(layout.size.width(), layout.size.height());
}

/// The storage with what the tensor reaches of it. Returns the bottom.
qreal appendStorage(SceneBuilder& out, const RefusalFigureInput& in, qreal y, Index rows) {
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
    FigureStrip strip = layoutStrip(input, QPointF(0, y + 14), in.width);
    wrapStrip(strip, rows);
    // Wrapped rows have their indices inside the strip.
    const qreal below = strip.layout.rowCount() > 1 ? 4 : 24;
    return std::max(appendStrip(out, input, strip), strip.bottom() + below);
}

/// The picture that fits the refusal's detail, at `y`, which it moves below it.
Story tell(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    const Refusal& why = in.refusal;
    const auto withStorage = [](Story story) {
        story.showsStorage = true;
        return story;
    };
    switch (in.operands.empty() ? RefusedSizes::None : refusedSizes(why)) {
    case RefusedSizes::Product:
        return tellProduct(out, in, y);
    case RefusedSizes::Join:
        return tellJoin(out, in, y);
    case RefusedSizes::Write:
        return tellWrite(out, in, y);
    case RefusedSizes::None:
        break;
    }
    if (const auto* bounds = std::get_if<StorageOutOfBounds>(&why.detail))
        return withStorage(tellBounds(out, in, *bounds, y));
    if (const auto* index = std::get_if<IndexOutOfRange>(&why.detail))
        return why.id == "VIEW-12" ? tellLists(out, in, y) : tellIndex(out, in, *index, y);
    if (const auto* dims = std::get_if<DimOutOfRange>(&why.detail)) return tellDims(out, in, *dims, y);
    if (const auto* sizes = std::get_if<BroadcastConflict>(&why.detail)) return tellSizes(out, in, *sizes, y);
    if (const auto* count = std::get_if<NumelMismatch>(&why.detail)) return tellCount(out, in, *count, y);
    if (const auto* overlap = std::get_if<SelfOverlap>(&why.detail))
        return withStorage(tellOverlap(out, in, *overlap, y));
    if (why.id == "VIEW-23") return tellNegative(out, in, y);
    if (why.id == "VIEW-19" || why.id == "VIEW-21" || why.id == "VIEW-22") return tellLists(out, in, y);
    if (why.id == "VIEW-29" || why.id == "VIEW-05") return tellBackwards(out, in, y);
    const bool order = why.id == "VIEW-08" || why.id == "VIEW-09" || why.id == "VIEW-10";
    return order && in.entry->tensor.dim() > 0 ? tellOrder(out, in, y) : Story{};
}

/// The reason, and a button for each way out, whose lines are added to `codes`; on paper the lines alone. Returns the
/// bottom.
qreal appendWays(SceneBuilder& out, const RefusalFigureInput& in, const Story& story, QPointF at, qreal width,
                 std::vector<QString>& codes) {
    qreal y = appendWords(out, at + QPointF(0, 14), story.reason, FontRole::Heading, Tone::Ink, width);
    if (story.ways.empty()) return y;
    y += 16;
    out.text(QPointF(at.x(), y), waysTitle(story.ways.size()), FontRole::LabelStrong);
    y += 12;
    const bool pressed = !in.paper && !in.still;
    const qreal inset = pressed ? 14 : 0;
    constexpr qreal kCodeLine = 18;
    for (const RefusalWay& way : story.ways) {
        const QStringList lines = wrapCode(FontRole::Code, way.code, width - 2 * inset, 2);
        qreal wide = 0;
        for (const QString& line : lines) wide = std::max(wide, std::ceil(textWidth(FontRole::Code, line)));
        const QRectF rect(at.x(), y, wide + 2 * inset, 27 + kCodeLine * static_cast<qreal>(lines.size() - 1));
        BoxItem box;
        box.rect = rect;
        box.fill = Tone::Stage;
        box.outline = Tone::Control;
        box.radius = 6;
        if (pressed) out.box(box, PartKind::Button, static_cast<int>(codes.size()));
        codes.push_back(way.code);
        QPointF text(at.x() + inset, y + 18);
        for (const QString& line : lines) {
            out.text(text, line, FontRole::Code);
            text.ry() += kCodeLine;
        }
        y = rect.bottom() + 7;
        const QPointF beside(rect.right() + 14, rect.top() + 18);
        if (beside.x() - at.x() + textWidth(FontRole::Label, way.why) <= width)
            out.text(beside, way.why, FontRole::Label, Tone::Ink2);
        else
            y = appendWords(out, QPointF(at.x() + inset, y + 9), way.why, FontRole::Label, Tone::Ink2, width - inset) -
                4;
    }
    return y;
}

/// Where the tensor stands as it is, also where the picture shows its cells.
enum class Source {
    Above,  ///< over the picture, reason and ways out below that
    Beside, ///< as low as it can be, with reason and ways out beside it, and the picture below
    None
};

/// Words in a narrower column would be a tower.
constexpr qreal kLeastBeside = 260;

/// `in.width` is that between the margins.
Figure drawFigure(const RefusalFigureInput& in, Source source, const Spare& spare = {}) {
    const Refusal& why = in.refusal;
    const qreal width = in.width + 2 * kMargin;
    Figure figure;
    const quint64 storage = in.entry->tensor.defined() ? in.entry->tensor.storage()->id() : 0;
    SceneBuilder bar(figure.scene, {}, in.entry->id, storage);
    SceneBuilder out(figure.scene, QPointF(kMargin, 0), in.entry->id, storage);
    // The bar goes from edge to edge, everything below it keeps the stage's margin.
    const qreal top = appendMessageBar(bar, QRectF(0, 0, width, 0), in.code, why, !in.paper) + 18;
    const auto finish = [&in, &why](Story story) {
        if (story.ways.empty()) story.ways = in.ways;
        if (story.reason.isEmpty()) story.reason = QString::fromStdString(why.hint);
        // A way out does what the line would have done: its result gets the same name.
        for (RefusalWay& way : story.ways)
            if (!in.assigned.isEmpty()) way.code.prepend(in.assigned + QStringLiteral(" = "));
        return story;
    };

    // The picture of cells that overlap is the card.
    const bool overlap = std::holds_alternative<SelfOverlap>(why.detail);
    constexpr qreal kBetween = 28;
    qreal y = top;
    Story story;
    // What stands beside the card is known before the picture is drawn.
    Scene unused;
    SceneBuilder trial(unused, {}, in.entry->id, storage);
    if (source == Source::Beside && overlap) {
        story = finish(tell(out, in, y));
        const QRectF free = story.beside.adjusted(kBetween, 0, 0, 0);
        std::vector<QString> codes;
        const qreal ends = appendWays(trial, in, story, free.topLeft(), free.width(), codes);
        const bool fits = free.width() >= kLeastBeside && ends <= free.bottom();
        const qreal bottom = appendWays(out, in, story, fits ? free.topLeft() : QPointF(0, y),
                                        fits ? free.width() : in.width, figure.codes);
        y = fits ? y : bottom;
    } else if (source == Source::Beside) {
        qreal ignored = 0;
        story = finish(tell(trial, in, ignored));
        const QPointF corner = appendSource(out, in, QPointF(0, top), true, spare.card);
        const qreal left = corner.x() + kBetween;
        const qreal beside = appendWays(out, in, story, QPointF(left, top), in.width - left, figure.codes);
        y = std::max(corner.y(), beside) + 14;
        tell(out, in, y);
    } else {
        if (source == Source::Above && !overlap) y = appendSource(out, in, QPointF(0, top), false, spare.card).y() + 14;
        story = finish(tell(out, in, y));
        y = appendWays(out, in, story, QPointF(0, y), in.width, figure.codes);
    }
    // Where the picture was of the indices alone, the storage stands below it: it does not leave the stage.
    if (!story.showsStorage) y = appendStorage(out, in, y, spare.rows);
    figure.sentence = story.reason;
    figure.scene.title = PaintedText::tr("Why %1 is not possible. %2").arg(in.code, story.reason);
    figure.scene.size = QSizeF(width, std::ceil(y + 8));
    return figure;
}

/// What is left below is for what card and strip leave out: the card's, but for a few rows of the strip, which takes
/// what the card has no use for.
void fillRoom(Figure& figure, const RefusalFigureInput& in, Source source) {
    constexpr Index kFewRows = 3;
    constexpr qreal kRowPitch = 62;
    const auto left = [&] { return in.height - figure.scene.size.height(); };
    Spare spare;
    const auto takeIfItFits = [&](const Spare& tried) {
        Figure higher = drawFigure(in, source, tried);
        if (higher.scene.size.height() > in.height) return false;
        figure = std::move(higher);
        spare = tried;
        return true;
    };
    const qreal forCard = left() - kRowPitch * static_cast<qreal>(kFewRows - 1);
    if (forCard > 0) takeIfItFits({forCard, 1});
    // Words under the strip's handle may have taken the room of a further row already.
    for (Index rows = 2 + static_cast<Index>(left() / kRowPitch); rows > 1; --rows)
        if (takeIfItFits({spare.card, rows})) break;
    // Less than a row of the strip may still be one of the card.
    if (left() > 0) takeIfItFits({std::max(0.0, spare.card) + left(), spare.rows});
}

} // namespace

RefusedSizes refusedSizes(const Refusal& refusal) {
    const std::string& id = refusal.id;
    if (id == "MM-01" || id == "MM-02") return RefusedSizes::Product;
    if (id == "JOIN-02" || id == "JOIN-03" || id == "JOIN-04" || id == "JOIN-05") return RefusedSizes::Join;
    const bool grows = id == "SHAPE-OUT" || (id == "EXPR-23" && refusal.message.starts_with("output with shape"));
    return grows ? RefusedSizes::Write : RefusedSizes::None;
}

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
        fails.paper = input.paper;
        fails.still = input.still;
        fails.width = input.width;
        fails.height = input.height;
        return viewFailsFigure(fails);
    }
    RefusalFigureInput in = input;
    in.width = std::max<qreal>(in.width, 640) - 2 * kMargin;
    Figure figure;
    for (const Source source : {Source::Above, Source::Beside, Source::None}) {
        Figure drawn = drawFigure(in, source);
        // Where none fits, the lowest leaves the least to scroll for.
        if (figure.scene.nodes.empty() || drawn.scene.size.height() < figure.scene.size.height())
            figure = std::move(drawn);
        if (in.height <= 0) break;
        if (figure.scene.size.height() > in.height) continue;
        fillRoom(figure, in, source);
        break;
    }
    return figure;
}

} // namespace stridescope
