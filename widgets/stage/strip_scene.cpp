#include "widgets/stage/stage_scene_parts.h"

#include "core/view/inverse.h"
#include "core/view/reach_query.h"
#include "core/view/walk.h"
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

QString dtypeText(const StripPlan& strip) {
    const std::string_view text = name(strip.source.dtype());
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

QString deviceText(const StripPlan& strip) {
    return QString::fromStdString(toString(strip.source.device()));
}

bool fitsHandle(const QString& text, FontRole font = FontRole::Label) {
    return textWidth(font, text) <= kHandleWidth - 16;
}

/// "12 × float32", however many there are.
QString contentText(const StripPlan& strip) {
    const Index count = strip.layout.cellCount;
    const QString text = QStringLiteral("%1 × %2").arg(countText(count), dtypeText(strip));
    if (fitsHandle(text)) return text;
    // The count itself is worth a little of the margin.
    const QString closer = QStringLiteral("%1\u2009×\u2009%2").arg(countText(count), dtypeText(strip));
    if (textWidth(FontRole::Label, closer) <= kHandleWidth - 13) return closer;
    return QStringLiteral("%1 × %2").arg(briefCountText(count), dtypeText(strip));
}

/// "48 B", or what a copy cost: "+48 B".
QString priceText(const StripPlan& strip, const ExploreState& state) {
    const std::vector<const TensorEntry*> tensors = state.snapshot->tensorsOn(strip.storageId);
    const bool copy = !tensors.empty() && tensors.front()->origin == Origin::Copy;
    const QString bytes = bytesText(quint64{strip.source.storage()->bytes()});
    return copy ? QStringLiteral("+") + bytes : bytes;
}

/// " · copy of C", or nothing.
QString sourceText(const StripPlan& strip, const ExploreState& state) {
    const std::vector<const TensorEntry*> tensors = state.snapshot->tensorsOn(strip.storageId);
    if (tensors.empty() || tensors.front()->origin != Origin::Copy) return {};
    const TensorEntry* parent = state.snapshot->tensor(tensors.front()->parent);
    return parent ? PaintedText::tr(" · copy of ") + parent->name : PaintedText::tr(" · a copy");
}

/// The storage's name and the formula below its cells. Of the name as much is said as the line has room for.
void appendPresentedName(Scene& scene, const StageContext& context, const StripPlan& strip) {
    const StagePlan& plan = context.plan;
    SceneBuilder out(scene, {}, 0, strip.storageId);
    out.hot(strip.handle, PartKind::StripHandle);
    const QString title = PaintedText::tr("storage #%1").arg(strip.number), dot = QStringLiteral(" · ");
    const QString brief = QStringLiteral("#%1").arg(strip.number), content = contentText(strip);
    const QString price = priceText(strip, context.state), device = deviceText(strip);
    const std::pair<QString, QString> choices[] = {
        {title, content + dot + price + sourceText(strip, context.state) + dot + device},
        {title, content + dot + price + dot + device},
        {brief, content + dot + price + dot + device},
        {brief, content + dot + device},
        {brief, content},
        {brief, {}}};
    const qreal gap = 8, y = strip.handle.top() + 16;
    for (const auto& [name, facts] : choices) {
        const qreal first = textWidth(FontRole::LabelStrong, name);
        const qreal whole = first + (facts.isEmpty() ? 0 : gap + textWidth(FontRole::Label, facts));
        if (whole > strip.handle.width()) continue;
        out.text(QPointF(strip.handle.left(), y), name, FontRole::LabelStrong);
        out.text(QPointF(strip.handle.left() + first + gap, y), facts, FontRole::Label, Tone::Ink2);
        break;
    }
    const CardLayout* card = context.selected ? plan.card(context.selected->id) : nullptr;
    card::appendFormula(out, plan.formula, card && !card->rings.empty());
}

/// Number × dtype · device in the handle, bytes below it; what has no room in the handle moves down a line.
void appendHandle(Scene& scene, const StageContext& context, const StripPlan& strip) {
    if (context.state.options.presented) {
        appendPresentedName(scene, context, strip);
        return;
    }
    const Part part{PartKind::StripHandle, 0, strip.storageId, -1};
    const QRectF& r = strip.handle;
    scene.nodes.push_back({part, BoxItem{r, Tone::Inset, Tone::Control, LineStyle::Solid, 1.5, 6}});
    const auto text = [&](qreal x, qreal y, const QString& words, FontRole font, Tone tone) {
        TextItem item;
        item.pos = QPointF(x, y);
        item.text = words;
        item.font = font;
        item.tone = tone;
        scene.nodes.push_back({part, item});
    };
    const qreal left = r.left() + 10, middle = r.center().y();
    const QString dot = QStringLiteral(" · ");
    const QString price = priceText(strip, context.state), source = sourceText(strip, context.state);
    QString title = PaintedText::tr("storage #%1").arg(strip.number);
    QString second = contentText(strip) + dot + deviceText(strip), device;
    if (strip.tight) {
        // Everything in two lines: there is none below.
        const QString whole = QStringLiteral("#%1 · %2").arg(strip.number).arg(contentText(strip));
        const bool named = fitsHandle(whole, FontRole::LabelStrong);
        if (named) title = whole;
        second = !named && !strip.large
                     ? contentText(strip)
                     : price + (fitsHandle(price + source) && !source.isEmpty() ? source : dot + deviceText(strip));
    } else if (!fitsHandle(second)) {
        second = contentText(strip);
        device = deviceText(strip);
    }
    text(left, middle - 4, title, FontRole::LabelStrong, Tone::Ink);
    text(left, middle + 12, second, FontRole::Label, Tone::Ink2);
    if (strip.tight) return;
    if (strip.large) {
        const Storage& storage = *strip.source.storage();
        // Bytes, then as much of source and device as there is room for, the device first.
        QString line = price;
        if (!device.isEmpty()) line += dot + device;
        for (const QString& from : {source, source.isEmpty() ? source : dot + PaintedText::tr("a copy")}) {
            if (textWidth(FontRole::Label, line + from) > kHandleWidth - 10) continue;
            line += from;
            break;
        }
        // On a short stage what comes next may stand close below a strip of low rows.
        const StagePlan& plan = context.plan;
        qreal below = context.state.viewport.height();
        if (!plan.shelf.empty()) below = std::min(below, plan.shelf.front().rect.top());
        if (plan.above < plan.others.size()) below = std::min(below, plan.others[plan.above].handle.top());
        if (plan.laneCaption) below = std::min(below, plan.lanesTop - 12);
        if (r.bottom() + 18 > below) return;
        text(left, r.bottom() + 15, line, FontRole::Label, Tone::Ink2);
        if (r.bottom() + 33 > below) return;
        const TensorEntry* selected = context.selected;
        if (context.state.options.cacheLines && selected && selected->tensor.storage() == strip.source.storage()) {
            // In the place of the address: how many of the boxes the selected view touches.
            const auto itemsize = static_cast<Index>(selected->tensor.itemSize());
            const CacheLines lines = cacheLines(selected->tensor.view(), selected->tensor.storageNumel(), itemsize);
            const auto words = [&lines](const auto& count) {
                return PaintedText::tr("%1%2 of %3 lines")
                    .arg(lines.exact ? QString() : QStringLiteral("≤ "), count(lines.touched), count(lines.ofStorage));
            };
            const QString choices[] = {words(countText) + PaintedText::tr(" (model)"), words(countText),
                                       words(briefCountText)};
            const auto fits = [](const QString& choice) {
                return textWidth(FontRole::LabelStrong, choice) <= kHandleWidth + 4;
            };
            text(r.left(), r.bottom() + 30, *std::find_if(std::begin(choices), std::end(choices) - 1, fits),
                 FontRole::LabelStrong, Tone::Ink);
            return;
        }
        // The flag of a later row may stand close below, or in its place.
        const QRectF flag = offsetFlagBox(context);
        const bool low = !flag.isEmpty() && flag.top() > r.bottom() && flag.top() < r.bottom() + 34;
        const qreal baseline = low ? flag.top() - 2 : r.bottom() + 30;
        if (baseline < r.bottom() + 25) return;
        text(left, baseline, QStringLiteral("0x%1").arg(reinterpret_cast<quintptr>(storage.data()), 0, 16),
             FontRole::Index, Tone::Ink2);
        return;
    }
    text(left, r.bottom() + 15, price + source + (device.isEmpty() ? device : dot + device), FontRole::Label,
         Tone::Ink2);
}

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

QString storageText(const StripPlan& strip, const ExploreState& state) {
    return QStringLiteral("#%1 · %2 · %3%4")
        .arg(strip.number)
        .arg(contentText(strip), priceText(strip, state), sourceText(strip, state));
}

QString shelfTitle() {
    return PaintedText::tr("More storages:");
}

QRectF shelfCell(const StageContext& context, const ShelfChip& chip) {
    if (!context.pick || context.pick->storageId != chip.storageId || context.pick->slot >= chip.source.numel())
        return {};
    const qreal width = std::max<qreal>(30, textWidth(FontRole::Meta, valueText(chip.source, context.pick->slot)) + 10);
    return {chip.rect.right() - width - 2, chip.rect.top() + 2, width, chip.rect.height() - 4};
}

void appendShelf(Scene& scene, const StageContext& context) {
    const StagePlan& plan = context.plan;
    if (plan.shelf.empty()) return;
    const auto text = [&scene](const Part& part, QPointF at, const QString& words) {
        TextItem item;
        item.pos = at;
        item.text = words;
        item.font = FontRole::Label;
        item.tone = Tone::Ink2;
        scene.nodes.push_back({part, item});
    };
    text(Part{}, plan.shelfWords, shelfTitle());
    for (const ShelfChip& chip : plan.shelf) {
        const Part part{PartKind::StripHandle, chip.tensor, chip.storageId, -1};
        scene.nodes.push_back({part, BoxItem{chip.rect, Tone::Inset, Tone::Control, LineStyle::Solid, 1.5, 6}});
        const QRectF cell = shelfCell(context, chip);
        if (cell.isEmpty()) {
            text(part, QPointF(chip.rect.left() + 9, plan.shelfWords.y()), chip.text);
            continue;
        }
        // The shown cell is in here: the one cell stands for the storage.
        const auto shortened = [&](const QString& words) {
            return wrapText(FontRole::Label, words, cell.left() - chip.rect.left() - 14, 1).front();
        };
        text(part, QPointF(chip.rect.left() + 9, plan.shelfWords.y()),
             shortened(PaintedText::tr("#%1 · index %2").arg(chip.number).arg(context.pick->slot)));
        scene.nodes.push_back({part, BoxItem{cell, Tone::Stage, Tone::Ink, LineStyle::Solid, 3, 3}});
        TextItem value;
        value.pos = cell.center();
        value.text = valueText(chip.source, context.pick->slot);
        value.font = FontRole::Meta;
        value.anchor = Qt::AlignHCenter | Qt::AlignVCenter;
        scene.nodes.push_back({part, value});
    }
    if (!plan.shelfMore.isEmpty())
        text(Part{}, QPointF(plan.shelf.back().rect.right() + 12, plan.shelfWords.y()), plan.shelfMore);
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

namespace {

constexpr qreal kClothHeight = 24, kClothRise = 52, kLeastClothRise = 40;
/// Between the cards and the cloth: links pass there.
constexpr qreal kOverCloth = 22;

/// Where the flag of the selected tensor stands.
struct FlagPlace {
    QRectF cell;
    QString words;
    qreal top = 0, width = 0, textLeft = 0;
    QRectF cloth; ///< empty where the cells of the row above leave no room for it
    bool left = true;
    bool away = false; ///< its row is not in sight: it stands over the others, without a pole
};
/// Of more rows than these it would be on its way most of the time.
constexpr Index kFewRows = 4;

std::optional<FlagPlace> flagPlace(const StageContext& context) {
    if (!context.plan.hops || !context.plan.strip || !context.selected || context.selected->tensor.numel() == 0)
        return std::nullopt;
    const StripPlan& strip = *context.plan.strip;
    const TensorEntry& entry = *context.selected;
    const Index offset = entry.tensor.storageOffset();
    FlagPlace flag;
    QRectF& cell = flag.cell;
    cell = strip.layout.cellRect(offset);
    const TensorEntry* parent = context.state.snapshot->tensor(entry.parent);
    if (context.remaining > 0 && entry.id == context.state.fresh && parent &&
        parent->tensor.storage() == entry.tensor.storage()) {
        const QRectF from = strip.layout.cellRect(parent->tensor.storageOffset());
        if (from.top() == cell.top()) cell.moveLeft(cell.left() + (from.left() - cell.left()) * context.remaining);
    }
    const QRectF& area = strip.layout.area;
    if (cell.left() < area.left() - 1 || cell.left() > area.right()) return std::nullopt;
    const bool above = cell.top() < area.top() - 1;
    flag.away = above || cell.bottom() > area.bottom() + 1;
    if (flag.away && (strip.layout.rowCount() > kFewRows || !strip.outside.empty())) return std::nullopt;
    flag.words = PaintedText::tr("offset %1").arg(countText(offset));
    if (flag.away) flag.words += above ? QStringLiteral(" ↑") : QStringLiteral(" ↓");
    flag.textLeft = entry.colour >= 0 ? 31 : 14;
    flag.width = flag.textLeft + textWidth(FontRole::LabelStrong, flag.words) + 10;
    const qreal pole = cell.left() + 1;
    const bool firstRow = flag.away || cell.top() < area.top() + strip.layout.rowPitch - 1;
    const qreal rise = context.plan.above > 0 ? kClothRise
                                              : std::clamp(area.top() - context.plan.cardArea.bottom() - kOverCloth,
                                                           kLeastClothRise, kClothRise);
    flag.top = firstRow ? area.top() - rise : cell.top() - 4;
    flag.left = pole + 1 - flag.width >= kStageMargin;
    if (firstRow)
        flag.cloth = QRectF(flag.left ? pole + 1 - flag.width : pole - 1, flag.top, flag.width, kClothHeight);
    else if (flag.left && cell.left() <= area.left() + 1) // beside the row that begins with it
        flag.cloth = QRectF(pole + 1 - flag.width, cell.bottom() - kClothHeight, flag.width, kClothHeight);
    return flag;
}

} // namespace

QRectF offsetFlagBox(const StageContext& context) {
    const std::optional<FlagPlace> flag = flagPlace(context);
    return flag ? flag->cloth : QRectF();
}

void appendOffsetFlag(Scene& scene, const StageContext& context) {
    const std::optional<FlagPlace> flag = flagPlace(context);
    if (!flag) return;
    const StripPlan& strip = *context.plan.strip;
    const TensorEntry& entry = *context.selected;
    // One that stands elsewhere than its cell cannot be dragged by it.
    const Part part = flag->away ? Part{} : Part{PartKind::OffsetFlag, entry.id, strip.storageId, -1};
    const qreal pole = flag->cell.left() + 1, top = flag->top;
    PathItem stick;
    stick.path.moveTo(pole, flag->cell.top() + strip.layout.cellHeight);
    stick.path.lineTo(pole, top);
    stick.width = 2.5;
    // Over cells of any colour.
    PathItem ground = stick;
    ground.path = QPainterPath(QPointF(pole, flag->cell.top() + strip.layout.cellHeight));
    ground.path.lineTo(pole, flag->cell.top());
    ground.stroke = Tone::Stage;
    ground.width = 5;
    if (!flag->away) {
        scene.nodes.push_back({Part{}, ground});
        scene.nodes.push_back({Part{}, stick}); // the cells behind the pole stay under the pointer
    }
    if (flag->cloth.isEmpty()) return;
    const QRectF& r = flag->cloth;
    PathItem cloth;
    QPolygonF shape;
    if (flag->left) {
        shape << r.topRight() << r.topLeft() << QPointF(r.left() + 7, r.center().y()) << r.bottomLeft()
              << r.bottomRight();
    } else {
        shape << r.topLeft() << r.topRight() << QPointF(r.right() - 7, r.center().y()) << r.bottomRight()
              << r.bottomLeft();
    }
    cloth.path.addPolygon(shape);
    cloth.path.closeSubpath();
    cloth.stroke = Tone::None;
    cloth.fill = Tone::Ink;
    scene.nodes.push_back({part, cloth});
    const qreal shift = flag->left ? 0 : -6;
    if (entry.colour >= 0) {
        scene.nodes.push_back(
            {part, BadgeItem{QPointF(r.left() + 18 + shift, r.center().y()), entry.colour, 16, entry.letter}});
    }
    TextItem text;
    text.pos = QPointF(r.left() + flag->textLeft + shift, r.center().y());
    text.anchor = Qt::AlignLeft | Qt::AlignVCenter;
    text.text = flag->words;
    text.font = FontRole::LabelStrong;
    text.tone = Tone::Stage; // on ink ground
    scene.nodes.push_back({part, text});
}

} // namespace stridescope
