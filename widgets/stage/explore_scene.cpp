#include "widgets/stage/explore_scene.h"

#include "widgets/card/text_metrics.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"
#include "widgets/stage/link_ways.h"
#include "widgets/stage/stage_scene_parts.h"

#include <algorithm>
#include <iterator>

namespace stridescope {

namespace {

void appendText(Scene& scene, const Part& part, QPointF pos, const QString& words, FontRole font, Tone tone,
                Qt::Alignment anchor = Qt::AlignLeft | Qt::AlignBaseline) {
    TextItem item;
    item.pos = pos;
    item.text = words;
    item.font = font;
    item.tone = tone;
    item.anchor = anchor;
    scene.nodes.push_back({part, item});
}

/// How far below its place a new card starts.
constexpr qreal kRise = 18;

/// An empty stage says what goes here and what to do.
void appendEmpty(Scene& scene, const ExploreState& state) {
    const bool hidden = state.snapshot && !state.snapshot->tensors.empty();
    const QPointF middle(state.viewport.width() / 2, state.viewport.height() / 2);
    const Qt::Alignment centred = Qt::AlignHCenter | Qt::AlignVCenter;
    const QStringList lines =
        hidden ? QStringList{PaintedText::tr("Every tensor is hidden"),
                             PaintedText::tr("Select one in the tree, or click an eye to bring it back.")}
               : QStringList{PaintedText::tr("No tensor yet"),
                             PaintedText::tr("Type  %1  in the command line,")
                                 .arg(QStringLiteral("A = torch.arange(12).view(3, 4)")),
                             PaintedText::tr("or open a .npy file or a picture: Ctrl+O, or drop it here.")};
    qreal y = middle.y() - 16 * static_cast<qreal>(lines.size()) / 2;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        appendText(scene, Part{PartKind::Message, 0, 0, -1}, QPointF(middle.x(), y), lines[i],
                   i == 0 ? FontRole::Heading : FontRole::Text, i == 0 ? Tone::Ink : Tone::Ink2, centred);
        y += i == 0 ? 30 : 24;
    }
}

/// Why the last line was refused: at the foot of the cards, over nothing that is needed to mend it.
void appendMessage(Scene& scene, const StageContext& context) {
    const std::optional<StageMessage>& message = context.state.message;
    if (!message) return;
    const QRectF area = context.plan.cardArea;
    const qreal width = std::min(560.0, context.state.viewport.width() - 2 * kStageMargin);
    const QString why = QString::fromStdString(message->refusal.message);
    const QString hint = QString::fromStdString(message->refusal.hint);
    QStringList lines = wrapText(FontRole::Label, why.section(QLatin1Char('\n'), 0, 0), width - 44, 3);
    const qsizetype whyLines = lines.size();
    if (!hint.isEmpty()) lines << wrapText(FontRole::Label, hint, width - 44, 2);
    const qreal height = 30 + 17 * static_cast<qreal>(lines.size());
    const QRectF box(area.center().x() - width / 2, std::max(area.top() + 4, area.bottom() - height - 8), width,
                     height);
    const Part part{PartKind::Message, message->tensor, 0, 0};
    scene.nodes.push_back({part, BoxItem{box, Tone::ErrorTint, Tone::Error, LineStyle::Solid, 1.5, 6}});
    appendText(scene, part, box.topLeft() + QPointF(14, 20), QStringLiteral("✗"), FontRole::LabelStrong, Tone::Ink);
    appendText(scene, part, box.topLeft() + QPointF(32, 20),
               message->code + PaintedText::tr("  was refused; nothing changed"), FontRole::LabelStrong, Tone::Ink);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        appendText(scene, part, box.topLeft() + QPointF(32, 38 + 17 * static_cast<qreal>(i)), lines[i], FontRole::Label,
                   i < whyLines ? Tone::Ink : Tone::Ink2);
    }
}

bool crosses(const QRectF& box, QPointF from, QPointF to) {
    constexpr int kSteps = 64;
    for (int i = 0; i <= kSteps; ++i) {
        if (box.contains(from + (to - from) * i / kSteps)) return true;
    }
    return false;
}

/// Beside the pointer, on the stage, and not over the arrow that leads there.
QRectF dragLabel(const StageDrag& drag, QSizeF viewport, QSizeF size) {
    const qreal right = drag.at.x() + 14, left = drag.at.x() - 14 - size.width();
    const qreal below = drag.at.y() + 16, above = drag.at.y() - 12 - size.height();
    const auto onStage = [&](qreal x, qreal y) {
        return QRectF(QPointF(std::clamp(x, 4.0, std::max(4.0, viewport.width() - size.width() - 4)), y), size);
    };
    for (const QPointF& at :
         {QPointF(right, below), QPointF(right, above), QPointF(left, below), QPointF(left, above)}) {
        const QRectF box = onStage(at.x(), at.y());
        if (box.bottom() > viewport.height() - 4 || box.top() < 4) continue;
        // The flag is dragged over the strip: words below the pointer would cover its cells.
        if (drag.slot && at.y() == below) continue;
        if (drag.from != drag.to && crosses(box.adjusted(-4, -4, 4, 4), drag.from, drag.to)) continue;
        return box;
    }
    return onStage(right, above);
}

void appendDrag(Scene& scene, const StageContext& context) {
    const ExploreState& state = context.state;
    if (!state.drag) return;
    const StageDrag& drag = *state.drag;
    const Part part{PartKind::Message, 0, 0, 1};
    for (const QRectF& rect : drag.boxes) {
        if (rect.isEmpty()) continue;
        BoxItem box{rect, Tone::None, drag.legal ? Tone::Ink : Tone::Error, LineStyle::Dashed, 2, 3};
        box.halo = true;
        box.hatched = !drag.legal;
        scene.nodes.push_back({part, box});
    }
    if (const std::optional<StripPlan>& strip = context.plan.strip; drag.slot && strip && strip->inSight(*drag.slot)) {
        // Only an outline: the cell exists, hatched are those beyond the end.
        BoxItem box{strip->layout.cellRect(*drag.slot),
                    Tone::None,
                    drag.legal ? Tone::Ink : Tone::Error,
                    LineStyle::Dashed,
                    2,
                    3};
        box.halo = true;
        scene.nodes.push_back({part, box});
    }
    if (drag.from != drag.to) {
        PathItem arrow;
        arrow.path.moveTo(drag.from);
        arrow.path.lineTo(drag.to);
        arrow.stroke = drag.legal ? Tone::Ink : Tone::Error;
        arrow.arrow = true;
        arrow.casing = true;
        scene.nodes.push_back({part, arrow});
    }
    if (drag.label.isEmpty()) return;
    const QString words = (drag.legal ? QString() : QStringLiteral("✗ ")) + drag.label;
    const FontRole font = drag.legal ? FontRole::CodeStrong : FontRole::LabelStrong;
    const qreal width = textWidth(font, words) + 20;
    const QRectF box = dragLabel(drag, state.viewport, QSizeF(width, 26));
    scene.nodes.push_back({part, BoxItem{box, drag.legal ? Tone::Stage : Tone::ErrorTint,
                                         drag.legal ? Tone::Ink : Tone::Error, LineStyle::Solid, 1.5, 6}});
    appendText(scene, part, QPointF(box.left() + 10, box.center().y()), words, font, Tone::Ink,
               Qt::AlignLeft | Qt::AlignVCenter);
}

/// Flag, hops and their labels stand before the links. Where a label has no place beside curves, lanes leave it one; at
/// last links go round the labels, too. Returns what of the links lies over the strip.
std::vector<SceneNode> appendLinksAndHops(Scene& links, Scene& hops, StageContext& context) {
    std::vector<SceneNode> overStrip;
    int covered = 0;
    LinkWay chosen = LinkWay::Curves;
    for (const LinkWay way : {LinkWay::Curves, LinkWay::Lanes}) {
        Scene tried;
        std::vector<SceneNode> last = appendLinks(tried, context, way);
        Scene over = tried;
        const int now = appendHops(over, context);
        if (way == LinkWay::Lanes && now >= covered) break;
        over.nodes.erase(over.nodes.begin(), over.nodes.begin() + std::ssize(tried.nodes));
        links = std::move(tried);
        hops = std::move(over);
        overStrip = std::move(last);
        covered = now;
        chosen = way;
        if (covered == 0) break;
    }
    if (covered == 0) return overStrip;
    addObstacles(context.obstacles, hops.nodes);
    links.nodes.clear();
    return appendLinks(links, context, chosen);
}

} // namespace

ExploreState onPaper(ExploreState state, bool widen) {
    state.options.paper = true;
    state.cardScroll = 0;
    if (!widen) {
        // Nobody can scroll a page: the widest cards show less of theirs until all have room.
        constexpr qreal kStep = 20, kLeast = 200;
        StagePlan plan = planStage(state);
        const auto fits = [&plan] { return plan.cardsWidth < plan.cardArea.width() + 0.5; };
        for (qreal widest = plan.cardArea.width(); !fits() && widest >= kLeast; widest -= kStep) {
            state.options.widestCard = widest;
            plan = planStage(state);
        }
        return state;
    }
    // A wider stage may lay its cards out anew, a little wider still; those that would take any width keep theirs.
    state.options.widestCard = planStage(state).cardArea.width();
    for (int round = 0; round < 4; ++round) {
        const StagePlan plan = planStage(state);
        const qreal missing = plan.cardsWidth - plan.cardArea.width();
        if (missing < 0.5) break;
        state.viewport.rwidth() += std::ceil(missing);
    }
    return state;
}

Scene exploreScene(const ExploreState& state, qreal t) {
    return exploreScene(state, planStage(state), t);
}

Scene exploreScene(const ExploreState& state, StagePlan plan, qreal t) {
    Scene scene;
    scene.size = state.viewport;
    if (plan.cards.empty()) {
        scene.title = PaintedText::tr("Empty stage");
        appendEmpty(scene, state);
        return scene;
    }
    StageContext context{state, plan, state.snapshot->tensor(state.selection.tensor), state.selection.shown()};
    if (!context.selected || !context.selected->tensor.defined()) context.selected = plan.cards.front().input.entry;

    const qreal left = 1 - std::clamp(t, 0.0, 1.0);
    context.remaining = left * left * left; // ease out
    for (CardLayout& card : plan.cards) {
        if (card.input.entry->id == state.fresh) card.pos.ry() += kRise * context.remaining;
        if (card.frame().right() > 0 && card.frame().left() < state.viewport.width()) appendCard(scene, card);
    }
    context.tethers = appendTethers(scene, context);
    const auto append = [&scene](Scene& part) {
        scene.nodes.insert(scene.nodes.end(), std::make_move_iterator(part.nodes.begin()),
                           std::make_move_iterator(part.nodes.end()));
    };
    Scene strips, shelf, links, hops;
    appendLanes(strips, context);
    for (const StripPlan& other : plan.others) appendStrip(strips, context, other);
    if (plan.strip) appendStrip(strips, context, *plan.strip);
    appendShelf(shelf, context);
    if (context.pick) {
        addObstacles(context.obstacles, strips.nodes);
        addObstacles(context.obstacles, shelf.nodes);
    }
    std::vector<SceneNode> overStrip = appendLinksAndHops(links, hops, context);
    append(links);
    append(strips);
    for (SceneNode& node : overStrip) scene.nodes.push_back(std::move(node));
    append(shelf);
    appendOffsetFlag(scene, context);
    append(hops);
    appendNotInSight(scene, context);
    if (!plan.colourBar.isEmpty() && plan.strip) {
        const auto [low, high] = heatRange(plan.strip->source);
        const auto [below, above] = beyondHeat(plan.strip->source);
        scene.nodes.push_back({Part{}, ColourBarItem{plan.colourBar, low, high, low < 0, false, below, above, plan.odd,
                                                     onlyValue(plan.strip->source)}});
    }
    for (const int end : {kCardsLeft, kCardsRight}) {
        const QRectF& box = end == kCardsLeft ? plan.moreLeft : plan.moreRight;
        if (box.isEmpty()) continue;
        const bool paper = state.options.paper; // nothing can be scrolled there
        const Part part = paper ? Part{} : Part{PartKind::Button, 0, 0, end};
        // Cards end where the column begins: no text is half covered by a button on it.
        scene.nodes.push_back({part, BoxItem{box, Tone::Stage, Tone::None, LineStyle::None}});
        if (paper) continue;
        QRectF plate(0, 0, box.width() - 2, 52);
        plate.moveCenter(box.center());
        scene.nodes.push_back({part, BoxItem{plate, Tone::Stage, Tone::Control, LineStyle::Solid, 1.5, 6}});
        const qreal way = end == kCardsLeft ? -3.5 : 3.5;
        PathItem chevron;
        chevron.path.moveTo(box.center() + QPointF(-way, -8));
        chevron.path.lineTo(box.center() + QPointF(way, 0));
        chevron.path.lineTo(box.center() + QPointF(-way, 8));
        chevron.width = 2.5;
        scene.nodes.push_back({part, chevron});
    }
    appendMessage(scene, context);
    appendDrag(scene, context);
    QStringList names;
    for (const CardLayout& card : plan.cards) names << card.input.entry->name;
    scene.title =
        PaintedText::tr("%1 over %2")
            .arg(names.join(QStringLiteral(", ")),
                 plan.strip ? PaintedText::tr("storage #%1").arg(plan.strip->number) : PaintedText::tr("no storage"));
    return scene;
}

} // namespace stridescope
