#include "widgets/broadcast/broadcast_scene.h"

#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"

#include <cmath>

namespace stridescope {

namespace broadcast {

namespace {

struct StageName {
    const char *whole, *brief;
};
constexpr StageName kStages[] = {
    {QT_TRANSLATE_NOOP("PaintedText", "Write the shapes, right-aligned"), QT_TRANSLATE_NOOP("PaintedText", "Shapes")},
    {QT_TRANSLATE_NOOP("PaintedText", "Prepend 1s where dims are missing"),
     QT_TRANSLATE_NOOP("PaintedText", "Prepend 1s")},
    {QT_TRANSLATE_NOOP("PaintedText", "Compare each column, stretch the 1s"),
     QT_TRANSLATE_NOOP("PaintedText", "Compare, stretch")},
    {QT_TRANSLATE_NOOP("PaintedText", "Compute, element by element"), QT_TRANSLATE_NOOP("PaintedText", "Compute")}};

void appendStageMark(SceneBuilder& out, QPointF centre, int number, bool done, bool failed, bool current) {
    BoxItem disc;
    disc.rect = QRectF(centre - QPointF(11, 11), QSizeF(22, 22));
    disc.radius = 11;
    disc.outline = failed ? Tone::Error : current ? Tone::Primary : Tone::Control;
    disc.width = 2;
    disc.fill = current && !done && !failed ? Tone::Primary : Tone::Stage;
    out.box(disc);
    if (failed)
        out.glyph(Glyph::Cross, centre, 12, Tone::Error);
    else if (done)
        out.glyph(Glyph::Check, centre, 13, Tone::Right);
    else
        out.text(centre + QPointF(0, 4.4), QString::number(number), FontRole::LabelStrong,
                 current ? Tone::PrimaryText : Tone::Ink2, kCentre);
}

} // namespace

qreal appendSentence(SceneBuilder& out, QPointF at, const QString& text, qreal width, Tone tone, FontRole font,
                     int most) {
    for (const QString& line : wrapText(font, text, width, most)) {
        out.text(at, line, font, tone);
        at.ry() += 16;
    }
    return at.y();
}

void appendBadge(SceneBuilder& out, QPointF centre, const BroadcastOperand& operand, qreal size) {
    out.item(BadgeItem{out.moved(centre), operand.colour, size, operand.letter});
}

bool stageIsOver(const Picture& p) {
    const auto& ends = p.timeline.stageEnds();
    const auto stage = static_cast<std::size_t>(p.frame.stage);
    return stage < ends.size() && p.look.t >= ends[stage] - 1e-9;
}

QString captionOf(const Picture& p) {
    const QString caption =
        stageIsOver(p) ? p.timeline.captionAfter(p.frame.stage) : p.timeline.captionBefore(p.frame.stage);
    return p.look.preview ? PaintedText::tr("Preview: ") + caption : caption;
}

void appendStages(SceneBuilder& out, const Picture& p) {
    const QRectF& room = p.places.stages;
    const auto& ends = p.timeline.stageEnds();
    const int current = static_cast<int>(p.frame.stage);
    qreal whole = 0;
    for (const StageName& stage : kStages) whole += textWidth(FontRole::LabelStrong, PaintedText::tr(stage.whole)) + 76;
    const bool brief = whole > room.width();
    qreal x = room.left();
    const qreal y = room.top() + 14;
    for (int i = 0; i < kBroadcastStages; ++i) {
        const auto stage = static_cast<std::size_t>(i);
        const QString text = PaintedText::tr(brief ? kStages[i].brief : kStages[i].whole);
        const bool there = stage < ends.size() || p.look.veiled;
        const bool done = stage < ends.size() && p.look.t >= ends[stage] - 1e-9;
        const bool failed = !p.model.ok() && stage + 1 == ends.size() && done;
        const bool on = i == current;
        const FontRole font = on ? FontRole::LabelStrong : FontRole::Label;
        const qreal width = textWidth(FontRole::LabelStrong, text);
        if (on) {
            BoxItem pill;
            pill.rect = QRectF(x - 4, y - 15, width + 50, 30);
            pill.radius = 15;
            pill.fill = Tone::Selected;
            pill.outline = Tone::Control;
            out.box(pill);
        }
        appendStageMark(out, QPointF(x + 11, y), i + 1, done, failed, on);
        out.text(QPointF(x + 30, y + 4.4), text, font, there ? Tone::Ink : Tone::Ink2);
        const qreal next = x + 30 + width + 46;
        if (i + 1 < kBroadcastStages)
            out.line(QPointF(x + 30 + width + (on ? 20 : 10), y), QPointF(next - 8, y),
                     done ? Tone::Ink : Tone::Control, 2, there ? LineStyle::Solid : LineStyle::Dotted);
        x = next;
    }
    TextItem caption;
    caption.pos = QPointF(room.left() + 2, room.top() + 47);
    caption.text = captionOf(p);
    caption.font = FontRole::Text;
    caption.tone = stageIsOver(p) ? Tone::Ink : Tone::Ink2;
    caption.maxWidth = room.width() - 2;
    out.item(caption);
}

Picture pictureFor(const BroadcastModel& model, const BroadcastTimeline& timeline, const BroadcastLook& look) {
    const bool ok = model.ok() && !look.veiled;
    Picture p{model, timeline, look, timeline.at(look.t), placesFor(model, look.size, ok), {}, {}};
    p.cells = cellsFor(model, p.places, ok);
    tighten(p.places, p.cells);
    // What is pointed at is in sight already; a page that followed it would run away from the pointer.
    const auto shown = model.numel() == 0 || (!p.frame.now && !look.paper) ? std::nullopt
                       : p.frame.now                                       ? p.frame.now
                                                                           : p.shown();
    showPart(p.cells, shown ? std::optional(model.coordOf(*shown)) : std::nullopt, look);
    const std::size_t rank = model.shape.size();
    if (rank > 4) {
        p.outer = Dims(rank - 4, 0);
        if (const auto element = p.shown(); element && model.numel() > 0) {
            const Dims coord = model.coordOf(*element);
            for (std::size_t d = 0; d < p.outer.size(); ++d) p.outer[d] = coord[d];
        }
    }
    return p;
}

} // namespace broadcast

std::optional<Index> broadcastElementAt(const BroadcastModel& model, const BroadcastLook& look, QPointF at) {
    if (!model.ok() || model.numel() == 0) return std::nullopt;
    const auto place = broadcastPlaceAt(model, look, at);
    return place ? std::optional(model.elementOf(place->coord)) : std::nullopt;
}

std::optional<BroadcastPlace> broadcastPlaceAt(const BroadcastModel& model, const BroadcastLook& look, QPointF at) {
    using namespace broadcast;
    const BroadcastTimeline timeline(model);
    const Picture p = pictureFor(model, timeline, look);
    const std::size_t rank = model.shape.size();
    const auto along = [](qreal distance, qreal step, Index count) {
        const auto index = static_cast<Index>(std::floor(distance / step));
        return distance >= 0 && index < count ? std::optional(index) : std::nullopt;
    };
    for (std::size_t index = 0; index < p.places.cards.size(); ++index) {
        const QRectF& card = p.places.cards[index];
        const QPointF inside = at - card.topLeft() - p.cells.inset;
        const QSizeF panel = p.cells.panel();
        const auto panelRow = along(inside.y(), panel.height() + p.cells.gap, p.cells.panelRows);
        const auto panelCol = along(inside.x(), panel.width() + p.cells.gap, p.cells.panelCols);
        if (!panelRow || !panelCol || !card.contains(at)) continue;
        const QPointF own = at - card.topLeft() - p.cells.panelAt(*panelRow, *panelCol);
        auto row = along(own.y(), p.cells.cell.height(), p.cells.rows);
        auto col = along(own.x(), p.cells.cell.width(), p.cells.cols);
        if (!row || !col) return std::nullopt;
        *row += p.cells.firstRow;
        *col += p.cells.firstCol;
        Dims coord(rank, 0);
        for (std::size_t d = 0; d < p.outer.size(); ++d) coord[d] = p.outer[d];
        if (p.cells.panelRowDim >= 0)
            coord[static_cast<std::size_t>(p.cells.panelRowDim)] = *panelRow + p.cells.firstPanelRow;
        if (p.cells.panelColDim >= 0)
            coord[static_cast<std::size_t>(p.cells.panelColDim)] = *panelCol + p.cells.firstPanelCol;
        if (rank >= 2) coord[rank - 2] = *row;
        if (rank >= 1) coord[rank - 1] = *col;
        return BroadcastPlace{index, std::move(coord)};
    }
    return std::nullopt;
}

std::optional<std::size_t> broadcastCardAt(const BroadcastModel& model, const BroadcastLook& look, QPointF at) {
    const BroadcastTimeline timeline(model);
    const std::vector<QRectF> cards = broadcast::pictureFor(model, timeline, look).places.cards;
    const auto found = std::find_if(cards.begin(), cards.end(), [at](const QRectF& card) { return card.contains(at); });
    if (found == cards.end()) return std::nullopt;
    return static_cast<std::size_t>(found - cards.begin());
}

BroadcastLook broadcastScrolled(const BroadcastModel& model, BroadcastLook look, Index down, Index right) {
    using namespace broadcast;
    const BroadcastTimeline timeline(model);
    const auto cellsAt = [&](const BroadcastLook& each) { return pictureFor(model, timeline, each).cells; };
    const Cells before = cellsAt(look);
    // Whole panels are turned one by one.
    const auto step = [](Index cells, bool ofPanels) { return ofPanels ? std::clamp<Index>(cells, -1, 1) : cells; };
    BroadcastLook moved = look;
    moved.down += step(down, before.rows == before.allRows);
    moved.right += step(right, before.cols == before.allCols);
    const Cells after = cellsAt(moved);
    look.down += after.down - before.down;
    look.right += after.right - before.right;
    return look;
}

Scene broadcastScene(const BroadcastModel& model, const BroadcastLook& look) {
    using namespace broadcast;
    const BroadcastTimeline timeline(model);
    const Picture p = pictureFor(model, timeline, look);
    Scene scene;
    scene.size = look.size;
    scene.title = look.veiled  ? model.shapesText()
                  : model.ok() ? PaintedText::tr("%1 → %2: stage %3 of 4")
                                     .arg(model.shapesText(), QString::fromStdString(toString(model.shape)))
                                     .arg(static_cast<int>(p.frame.stage) + 1)
                               : model.refusalText();
    SceneBuilder out(scene);
    appendStages(out, p);
    appendTable(out, p);
    for (std::size_t i = 0; i < model.operands.size(); ++i) {
        appendOperandCard(out, p, i);
        appendOperandStrip(out, p, i);
    }
    if (model.ok() && !look.veiled) {
        appendResultCard(out, p);
        appendNow(out, p);
        appendResultStrip(out, p);
        QRectF side = p.places.side;
        side.setTop(appendBytes(out, p, side) + 8);
        side.setTop(appendNotes(out, p, side));
        appendCounterexample(out, p, side);
    } else {
        appendFailure(out, p);
    }
    appendSigns(out, p);
    return scene;
}

} // namespace stridescope
