// What stands of a storage in words: in the handle of its strip, or on the shelf of those that have none.

#include "core/view/walk.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"
#include "widgets/stage/stage_scene_parts.h"

#include <algorithm>
#include <utility>

namespace stridescope {

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

} // namespace

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
            // In the place of the address: how many of the boxes the selected view touches, and under it what that
            // makes of a walk over all its elements.
            const auto itemsize = static_cast<Index>(selected->tensor.itemSize());
            const View& view = selected->tensor.view();
            const CacheLines lines = cacheLines(view, selected->tensor.storageNumel(), itemsize);
            const QString most = lines.exact ? QString() : QStringLiteral("≤ ");
            const auto tell = [&](qreal baseline, const std::vector<QString>& choices) {
                const auto fits = [](const QString& choice) {
                    return textWidth(FontRole::LabelStrong, choice) <= kHandleWidth + 4;
                };
                text(r.left(), baseline, *std::find_if(choices.begin(), choices.end() - 1, fits), FontRole::LabelStrong,
                     Tone::Ink);
            };
            const auto boxes = [&](const QString& words, const auto& count) {
                return words.arg(most, count(lines.touched), count(lines.ofStorage));
            };
            const QString brief = PaintedText::tr("model: %1%2/%3 lines");
            tell(r.bottom() + 30, {boxes(PaintedText::tr("%1%2 of %3 lines (model)"), countText),
                                   boxes(PaintedText::tr("model: %1%2 of %3 lines"), countText),
                                   boxes(brief, countText), boxes(brief, briefCountText)});
            if (r.bottom() + 48 > below) return;
            const auto visits = [&](const auto& count) {
                return PaintedText::tr("%1%2 misses, %3 hits")
                    .arg(most, count(lines.touched), count(view.numel() - lines.touched));
            };
            tell(r.bottom() + 45, {visits(countText), visits(briefCountText)});
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

} // namespace stridescope
