#include "widgets/figures/view_fails.h"

#include "core/view/view_ops.h"
#include "core/view/walk.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/view_fails_parts.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace stridescope {

using namespace fails;

namespace {

/// The rule that dims `dim` and `dim + 1` break, with its numbers. Returns the bottom.
qreal appendMergeRule(SceneBuilder& out, const Facts& f, QPointF at, qreal width, bool brief) {
    const std::vector<MergeRule> rules = mergeRules(f.view);
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const MergeRule& r) { return r.dim == f.why.dim; });
    if (rule == rules.end()) return at.y();
    const Index outer = rule->dim;
    qreal y = at.y();
    for (const QString& line :
         wrapText(FontRole::LabelStrong,
                  PaintedText::tr("Can dims %1 and %2 of %3 merge?").arg(outer).arg(outer + 1).arg(f.name()), width)) {
        out.text(QPointF(at.x(), y), line, FontRole::LabelStrong);
        y += 17;
    }
    y += 6;
    const auto row = [&](const QString& left, const QString& sign, const QString& right, const QString& tail,
                         FontRole font, bool fails) {
        QPointF pen(at.x(), y);
        const qreal leftWidth = out.text(pen, left, font);
        out.line(QPointF(pen.x() - 1, y + 6.5), QPointF(pen.x() + leftWidth + 1, y + 6.5), Theme::dimTone(outer), 3);
        pen.rx() += leftWidth + 8;
        pen.rx() += out.text(pen, sign, font) + 8;
        const qreal rightWidth = out.text(pen, right, font);
        out.line(QPointF(pen.x() - 1, y + 6.5), QPointF(pen.x() + rightWidth + 1, y + 6.5), Theme::dimTone(outer + 1),
                 3);
        pen.rx() += rightWidth + 8;
        pen.rx() += out.text(pen, tail, font) + 16;
        if (fails) out.glyph(Glyph::Cross, QPointF(pen.x(), y - 5), 17, Tone::Error);
    };
    row(QStringLiteral("stride") + subscript(outer), QStringLiteral("="),
        PaintedText::tr("stride%1 · size%1").arg(subscript(outer + 1)), QStringLiteral("?"), FontRole::Meta, false);
    y += 32;
    row(QString::number(rule->stride), QStringLiteral("≠"),
        QStringLiteral("%1 · %2").arg(rule->innerStride).arg(rule->innerSize),
        QStringLiteral("= %1").arg(rule->wantedStride), FontRole::CodeStrong, true);
    if (brief) return y + 12;
    y += 30;
    for (const QString& line :
         wrapText(FontRole::Label,
                  PaintedText::tr("They are two separate contiguous subspaces: that is what the error text means."),
                  width)) {
        out.text(QPointF(at.x(), y), line, FontRole::Label, Tone::Ink2);
        y += 17;
    }
    return y;
}

/// The strip with both steps from the cell where the walk stands. Returns the bottom.
qreal appendStripPart(SceneBuilder& out, const Facts& f, QPointF at, qreal width, FigureStrip& strip,
                      qreal& beyondRight) {
    const ViewFailsInput& in = f.input;
    FigureStripInput input;
    input.source = f.tensor;
    input.storageNumber = in.storageNumber;
    input.sharedBy = in.sharers;
    const Index run = std::min<Index>(runLength(f), 5);
    const Index from = f.before - (run - 1) * f.why.stepSoFar;
    input.lowest = std::min({from, f.before, f.needed, f.beyond() ? f.before : f.expected});
    input.highest = std::max({from, f.before, f.needed, f.beyond() ? f.before : f.expected});
    StripReach reach;
    reach.tensor = in.entry->id;
    reach.colour = in.entry->colour;
    reach.view = View{Dims{run}, Dims{f.why.stepSoFar}, from};
    input.reach = reach;
    input.marks.push_back({f.needed, MarkKind::Cross, 0});

    QPointF stripAt(at.x(), at.y() + (f.slim ? 46 : 60));
    const QString words = f.expected < 0 ? PaintedText::tr("before the storage")
                                         : PaintedText::tr("needs %1, has %2").arg(f.expected + 1).arg(f.storageNumel);
    const qreal landingWidth = std::max<qreal>(70, beyondCellWidth(f.expected));
    const qreal beyondRoom = f.beyond() ? std::max(landingWidth, textWidth(FontRole::Label, words)) + 16 : 0;
    strip = layoutStrip(input, stripAt, width - beyondRoom);
    const QString again =
        (runLength(f) > 1 ? PaintedText::tr("%1 again would read index %2") : PaintedText::tr("%1 would read index %2"))
            .arg(stepText(f.why.stepSoFar))
            .arg(f.expected);
    const auto landingX = [&] {
        return f.beyond() ? strip.layout.area.right() + 8 + landingWidth / 2 : strip.cell(f.expected).center().x();
    };
    // Arcs rise with their span.
    const qreal mostRise = f.slim ? 28 : 38;
    const auto riseOver = [mostRise](qreal span) { return std::clamp(10 + std::abs(span) * 0.13, 14.0, mostRise); };
    /// Words inside only where they clear the arch: a low one has flat shoulders.
    const auto fitsInside = [&](qreal span, qreal half) {
        return std::abs(span) > 2 * half + (riseOver(span) < 32 ? 76 : 24);
    };
    const auto halfOf = [](FontRole font, const QString& text) { return textWidth(font, text) / 2 + 4; };
    if (!fitsInside(landingX() - strip.cell(f.before).center().x(), halfOf(FontRole::LabelStrong, again))) {
        // Words above their arch keep clear of the cards.
        constexpr qreal kClear = 10;
        stripAt.ry() += kClear;
        strip = layoutStrip(input, stripAt, width - beyondRoom);
    }
    const qreal handleBottom = appendStrip(out, input, strip);

    // Where one more of the same step would land outside the storage.
    QRectF landing;
    beyondRight = strip.layout.area.right();
    if (f.beyond()) {
        landing = QRectF(strip.layout.area.right() + 8, stripAt.y(), landingWidth, 42);
        out.beyondCell(landing, f.expected);
        out.text(QPointF(landing.left() + 2, landing.bottom() + 15), words, FontRole::Label, Tone::Ink2);
        beyondRight = landing.left() + std::max(landingWidth, textWidth(FontRole::Label, words));
    } else {
        landing = strip.cell(f.expected);
    }

    // A label stands inside where the arch is wide enough, else above it.
    const qreal top = strip.top() - 3;
    const auto riseOf = [&](QPointF a, QPointF b) { return riseOver(b.x() - a.x()); };
    std::vector<QRectF> taken;
    // Arches of a few pixels are a blot of arrow heads: the last step alone then stands for all of them.
    constexpr qreal kLeastArch = 14;
    const qreal pitch = std::abs(static_cast<qreal>(f.why.stepSoFar)) * strip.layout.cellWidth;
    const bool arches = pitch >= kLeastArch;
    // A label beside its arch stands above the higher ones next to it too.
    const qreal highest = arches && run > 1 ? riseOver(pitch) : 0;
    const auto label = [&](QPointF a, QPointF b, const QString& text, FontRole font, bool always) {
        const qreal half = halfOf(font, text);
        const bool inside = fitsInside(b.x() - a.x(), half);
        QPointF centre((a.x() + b.x()) / 2, inside ? top - 10 : top - std::max(riseOf(a, b), highest) - 7);
        if (!inside)
            centre.setX(std::min(std::max(centre.x(), strip.layout.area.left() + half), at.x() + width - half));
        const QRectF room(centre.x() - half, centre.y() - 12, 2 * half, 15);
        const bool clear =
            std::none_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(room); });
        if (!clear && !always) return;
        taken.push_back(room);
        out.text(centre, text, font, Tone::Ink, kCentre);
    };
    const bool forward = landing.center().x() > strip.cell(f.before).center().x();
    const QPointF here(strip.cell(f.before).center().x() + (forward ? 3 : -3), top);
    const QPointF there(landing.center().x(), top);
    // This label is the point of the picture: it takes its room first.
    label(here, there, again, FontRole::LabelStrong, true);
    for (Index i = 0; arches && i + 1 < run; ++i) {
        const Index slot = from + i * f.why.stepSoFar;
        if (!strip.shows(slot) || !strip.shows(slot + f.why.stepSoFar)) continue;
        const qreal sign = f.why.stepSoFar > 0 ? 3 : -3;
        const QPointF a(strip.cell(slot).center().x() + sign, top);
        const QPointF b(strip.cell(slot + f.why.stepSoFar).center().x() - sign, top);
        out.arc(a, b, riseOf(a, b), Tone::Dim0, 3);
        label(a, b, stepText(f.why.stepSoFar), FontRole::Heading, false);
    }
    out.arc(here, there, riseOf(here, there), Tone::Dim0, 3, LineStyle::Dashed);

    const qreal below = strip.bottom() + 22;
    const QPointF a(strip.cell(f.before).center().x(), below);
    const QPointF b(strip.cell(f.needed).center().x(), below);
    out.arc(a, b, f.slim ? -21 : -30, Tone::Error, 3.5);
    const QString step = stepText(f.why.stepNeeded);
    const QString longer = step + PaintedText::tr(": what %1 needs next").arg(f.name());
    QString needs;
    qreal x = 0;
    bool roomy = false;
    for (const QString& next : {longer, step + PaintedText::tr(" needed next"), longer}) {
        needs = next;
        const qreal wide = textWidth(FontRole::Heading, needs) + 24;
        const qreal leftmost = at.x() + 125;
        x = std::clamp((a.x() + b.x()) / 2 - wide / 2, leftmost, std::max(leftmost, at.x() + width - wide));
        // Inside the arch, where its sixths at both ends, which are higher than the words, leave room for them.
        const qreal sixth = std::abs(a.x() - b.x()) / 6;
        roomy = x > std::min(a.x(), b.x()) + sixth && x + wide < std::max(a.x(), b.x()) - sixth;
        if (roomy) break;
    }
    const qreal needsY = roomy ? below + (f.slim ? 14 : 17) : below + 44;
    out.glyph(Glyph::Cross, QPointF(x + 8, needsY - 5), 15, Tone::Error);
    out.text(QPointF(x + 24, needsY), needs, FontRole::Heading);
    return std::max(roomy ? below + (f.slim ? 27 : 38) : below + 48, handleBottom - 12);
}

/// Colours say nothing without their numbers. Returns the bottom; `at` where the strip shows no colours.
qreal appendValueBar(SceneBuilder& out, const Facts& f, const FigureStrip& strip, QPointF at, qreal width) {
    if (!strip.coloured()) return at.y();
    const auto [low, high] = heatRange(f.tensor);
    const OddValues odd = oddValues(f.tensor);
    const QRectF bar(at.x(), at.y() + 6, std::min<qreal>(colourBarWidth(odd, 240), width - 60), 12);
    const auto [below, above] = beyondHeat(f.tensor);
    out.item(ColourBarItem{out.moved(bar), low, high, low < 0, false, below, above, odd, onlyValue(f.tensor)},
             PartKind::None);
    out.text(QPointF(bar.right() + 16, bar.bottom() - 1), PaintedText::tr("value"), FontRole::Label, Tone::Ink2);
    return at.y() + 36;
}

constexpr qreal kLanePitch = 25, kLaneHeight = 18;

/// Reading order of one view along the strip; the words before it, the first of them that fit, stand where the strip
/// has its handle.
void appendLane(SceneBuilder& out, const FigureStrip& strip, qreal y, const QStringList& words, qreal indent,
                TensorId tensor, int colour, const View& view) {
    const qreal room = strip.handle.width() - indent - 2;
    const auto fitting = std::find_if(words.begin(), words.end(),
                                      [room](const QString& text) { return textWidth(FontRole::Label, text) <= room; });
    const QString line = fitting != words.end() ? *fitting : wrapText(FontRole::Label, words.last(), room, 1).first();
    out.text(QPointF(strip.handle.left() + indent, y + 13.5), line, FontRole::Label, Tone::Ink2);
    LaneItem lane;
    lane.layout = strip.layout;
    lane.layout.area = out.moved(strip.layout.area);
    lane.top = out.moved(QPointF(0, y)).y();
    lane.height = kLaneHeight;
    lane.reach.tensor = tensor;
    lane.reach.colour = colour;
    lane.reach.view = view;
    out.item(lane, PartKind::LaneCells);
}

/// The order in which the way out under the pointer reads the storage: of a copy, the order in which it is copied.
/// False where none is under it.
bool appendHoveredLane(SceneBuilder& out, const Facts& f, qreal y, const FigureStrip& strip) {
    if (f.input.hovered.isEmpty()) return false;
    const std::vector<ListedWay> ways = listedWays(f);
    const auto way =
        std::find_if(ways.begin(), ways.end(), [&](const ListedWay& listed) { return listed.code == f.input.hovered; });
    if (way == ways.end()) return false;
    const bool copies = way->way.kind != WayOutKind::OtherShape;
    const Result<View> view = copies ? Result<View>(f.view) : viewAs(f.view, way->way.shape);
    if (!view) return false;
    const QString words = copies ? PaintedText::tr("%1 copies so") : PaintedText::tr("%1 reads so");
    appendLane(out, strip, y, {words.arg(way - ways.begin() + 1)}, 24, f.input.entry->id,
               copies ? -1 : f.input.entry->colour, *view);
    return true;
}

/// Whose reading order stands under the strip.
enum class Lanes : quint8 {
    None,
    Source, ///< of the tensor that it is a view of, which is nowhere else in the picture
    Both
};

/// Reading orders under the strip. Returns the bottom.
qreal appendLanes(SceneBuilder& out, const Facts& f, Lanes lanes, qreal bottom, const FigureStrip& strip) {
    const ViewFailsInput& in = f.input;
    if (lanes == Lanes::None) return bottom;
    const bool both = lanes == Lanes::Both;
    qreal y = bottom + (both ? 8 : 3);
    for (const TensorEntry* entry : {in.parent, both ? in.entry : nullptr}) {
        if (!entry || !entry->tensor.defined() || !(entry->tensor.storage() == f.tensor.storage())) continue;
        if (entry->tensor.dtype() != f.tensor.dtype()) continue;
        // Where there is no room for one more lane, the way out takes the parent's.
        const bool taken = entry == in.parent && f.hoverInstead && appendHoveredLane(out, f, y, strip);
        if (!taken) {
            out.badge(QPointF(strip.handle.left() + 9, y + 9), *entry, 18);
            const QStringList words{entry->name + PaintedText::tr(" reads in order"),
                                    entry->name + PaintedText::tr(" in order"), entry->name};
            appendLane(out, strip, y, words, 24, entry->id, entry->colour, entry->tensor.view());
        }
        y += both ? kLanePitch : kLaneHeight;
    }
    if (!f.hoverInstead && appendHoveredLane(out, f, y, strip)) y += kLanePitch;
    return y;
}

/// How much of the explanation is drawn, and where.
struct Look {
    bool side; ///< rule and ways out stand beside cards and strip
    bool parent;
    Lanes lanes;
    bool slim;
    Ways ways;
    bool ruleBelow = false; ///< the rule stands under the strip although the ways out stand beside it
    bool stacked = false;   ///< everything one under another: the picture may scroll, but not sideways
};
constexpr Look kLooks[] = {
    {false, true, Lanes::Both, false, Ways::Row},     {false, true, Lanes::Both, true, Ways::Row},
    {true, true, Lanes::Both, false, Ways::Column},   {true, true, Lanes::Both, false, Ways::Column, true},
    {true, true, Lanes::Both, false, Ways::Sketch},   {true, true, Lanes::Both, false, Ways::Brief},
    {true, true, Lanes::None, false, Ways::Sketch},   {true, true, Lanes::None, false, Ways::Brief},
    {true, false, Lanes::Both, true, Ways::Sketch},   {true, false, Lanes::Both, true, Ways::Brief},
    {true, false, Lanes::Source, true, Ways::Sketch}, {true, false, Lanes::Source, true, Ways::Brief},
    {true, false, Lanes::None, true, Ways::Sketch},   {true, false, Lanes::None, true, Ways::Brief},
};
/// In a narrow room, beside an open script for example.
constexpr Look kNarrowLooks[] = {
    {false, false, Lanes::Both, true, Ways::Sketch, false, true},
    {false, false, Lanes::None, true, Ways::Sketch, false, true},
    {false, false, Lanes::None, true, Ways::Brief, false, true},
};
constexpr qreal kNarrow = 900, kNarrowest = 560;
/// Nothing touches the edges of what the figure is shown in.
constexpr qreal kMarginX = 16, kMarginY = 8, kSlimMarginY = 4, kRuleWidth = 214, kBesideGap = 20, kBothCards = 1150;

Figure drawFigure(const ViewFailsInput& in, Facts f, const Look& look) {
    const qreal width = in.width - 2 * kMarginX;
    const qreal side = std::clamp(width * 0.31, 300.0, 420.0);
    f.width = look.side ? width - side - kBesideGap : width;
    f.parentCard = look.parent;
    f.slim = look.slim;
    Figure figure;
    figure.sentence =
        PaintedText::tr("No single stride does both: %1 and then %2.").arg(stepsSoFar(f), stepText(f.why.stepNeeded));
    figure.scene.title = PaintedText::tr("Why %1 is not possible. %2").arg(in.code, figure.sentence);
    const qreal margin = look.slim ? kSlimMarginY : kMarginY;
    SceneBuilder out(figure.scene, QPointF(kMarginX, margin), in.entry->id, f.tensor.storage()->id());

    const qreal gap = look.slim ? 8 : 14;
    const qreal top = appendMessageBar(out, QRectF(0, 0, width, 0), in.code, in.refusal, !in.paper) + gap;
    qreal y = top;
    qreal rowHeight = look.slim ? kSlimRow : kRow;
    const QPointF cards = appendCards(out, f, QPointF(0, y), rowHeight);
    appendWanted(out, f, QRectF(cards.x(), y, f.width - cards.x(), rowHeight));
    y += rowHeight + gap;

    FigureStrip strip;
    qreal right = 0;
    if (look.side) {
        y = appendStripPart(out, f, QPointF(0, y), f.width, strip, right);
        y = appendLanes(out, f, look.lanes, y, strip);
        if (look.ruleBelow) y = appendMergeRule(out, f, QPointF(0, y + 18), f.width, true);
        const qreal x = f.width + kBesideGap;
        qreal beside = appendWays(out, f, QPointF(x, top - 8), side, look.ways, figure.codes);
        if (!look.ruleBelow) beside = appendMergeRule(out, f, QPointF(x, beside + 18), side, look.ways >= Ways::Sketch);
        beside = appendValueBar(out, f, strip, QPointF(x + 8, beside + 4), side - 8);
        y = std::max(y, beside);
    } else if (look.stacked) {
        y = appendStripPart(out, f, QPointF(0, y), width, strip, right);
        y = appendValueBar(out, f, strip, QPointF(strip.layout.area.left(), y), strip.layout.area.width());
        y = appendLanes(out, f, look.lanes, y, strip);
        y = appendWays(out, f, QPointF(0, y), width, look.ways, figure.codes);
        y = appendMergeRule(out, f, QPointF(0, y + 24), width, true);
    } else {
        const qreal bottom = appendStripPart(out, f, QPointF(0, y), width - kRuleWidth - 24, strip, right);
        const qreal rule = appendMergeRule(out, f, QPointF(width - kRuleWidth, y + 14), kRuleWidth, false);
        y = appendValueBar(out, f, strip, QPointF(strip.layout.area.left(), bottom), strip.layout.area.width());
        y = std::max(y, rule - 30) + 8;
        y = std::max(appendLanes(out, f, look.lanes, y - 8, strip), rule) + 8;
        y = appendWays(out, f, QPointF(0, y), width, look.ways, figure.codes);
    }
    figure.scene.size = QSizeF(in.width, y + 2 + 2 * margin);
    return figure;
}

} // namespace

Figure viewFailsFigure(const ViewFailsInput& input) {
    ViewFailsInput in = input;
    in.width = std::max(in.width, kNarrowest);
    // The pointer changes nothing but the lanes.
    in.hovered.clear();
    Facts f = factsOf(in);
    Figure figure;
    const Look* chosen = nullptr;
    const std::span<const Look> looks = in.width < kNarrow ? std::span<const Look>(kNarrowLooks) : kLooks;
    for (const Look& look : looks) {
        // Two cards and the walk beside each other need room.
        if (look.side && look.parent && in.parent && in.width < kBothCards) continue;
        chosen = &look;
        figure = drawFigure(in, f, look);
        if (in.height <= 0 || figure.scene.size.height() <= in.height) break;
    }
    // What is left below is the cards': rows that they leave out. The lane of what is under the pointer keeps its room.
    if (const qreal spare = in.height - figure.scene.size.height() - kLanePitch; in.height > 0 && spare > 0) {
        f.spare = spare;
        Figure higher = drawFigure(in, f, *chosen);
        if (higher.scene.size.height() <= in.height)
            figure = std::move(higher);
        else
            f.spare = 0;
    }
    if (input.hovered.isEmpty() || !chosen) return figure;
    in.hovered = input.hovered;
    const qreal height = figure.scene.size.height();
    f.hoverInstead = in.height > 0 && height + kLanePitch > in.height;
    figure = drawFigure(in, f, *chosen);
    return figure;
}

std::vector<ShapeRow> shapeRows(const TensorEntry& entry, const Dims& wanted, std::size_t limit) {
    std::vector<ShapeRow> rows;
    const View& view = entry.tensor.view();
    const Result<Dims> whole = inferShape(std::span<const Index>(wanted.data(), wanted.size()), view.numel());
    for (const ShapeCandidate& candidate : shapeCandidates(view, whole.ok() ? *whole : view.shape, limit)) {
        ShapeRow row;
        row.shape = candidate.shape;
        row.isView = candidate.isView;
        row.shapeText = tupleText(candidate.shape);
        row.strideText = candidate.isView ? tupleText(candidate.stride) : PaintedText::tr("needs a copy");
        row.code = callCode(entry.name, QStringLiteral("view"), candidate.shape);
        rows.push_back(row);
    }
    return rows;
}

QString shapeRowsIntro(const TensorEntry& entry) {
    return PaintedText::tr("Shapes with %1 elements, tested against the strides of %2, %3.")
        .arg(entry.tensor.numel())
        .arg(entry.name, tupleText(entry.tensor.stride()));
}

} // namespace stridescope
