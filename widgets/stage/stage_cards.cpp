#include "widgets/stage/stage_cards.h"

#include "widgets/card/text_metrics.h"
#include "widgets/scene/cell_values.h"
#include "widgets/stage/stage_scene_parts.h"

#include <QHash>

#include <algorithm>
#include <span>

namespace stridescope {

CardInput stageCardInput(const ExploreState& state, const TensorEntry& entry, QSizeF limit) {
    CardInput input;
    input.entry = &entry;
    input.parent = entry.parent ? state.snapshot->tensor(entry.parent) : nullptr;
    const StorageEntry* storage = state.snapshot->storage(entry.tensor.storage()->id());
    input.storageNumber = storage ? storage->number : 0;
    input.selected = entry.id == state.selection.tensor;
    const std::optional<Pick>& shown = state.selection.shown();
    if (shown && shown->storageId == entry.tensor.storage()->id()) input.shown = shown;
    // Of two numbers in a cell one would be too small for a class; the index stands under the strip's cells.
    const bool both = state.options.cellText == CellText::Both;
    input.text = both && state.options.presented ? CellText::Value : state.options.cellText;
    input.counted = &state.odd;
    input.switches = !state.options.paper;
    input.presented = state.options.presented;
    input.follow = !state.selection.hover || state.selection.hover->tensor != entry.id;
    input.unit = state.options.byteStrides ? StrideUnit::Bytes : StrideUnit::Elements;
    input.maxSize = limit;
    if (state.options.heat) input.detail = CardDetail::Picture;
    const auto found = state.cards.constFind(entry.id);
    if (found == state.cards.cend()) return input;
    input.mode = found->mode;
    // Blocks have small digits.
    if (input.presented) input.mode = CardMode::Nested;
    if (found->detail != CardDetail::Auto) input.detail = found->detail;
    input.outer = found->outer;
    input.firstRow = found->firstRow;
    input.firstCol = found->firstCol;
    input.firstPanelRow = found->firstPanelRow;
    input.firstPanelCol = found->firstPanelCol;
    return input;
}

namespace {

constexpr qreal kGoodPicture = 140;

/// More characters than a line of code has.
constexpr int kWholeCode = 512;

/// Cells get no wider for more characters than these.
constexpr std::size_t kMostDigits = 13;

/// How much is seen of the cells: their number, or the size of the pictures.
double seen(const CardLayout& card) {
    const auto panels = static_cast<double>(card.panels.size());
    if (card.picture && panels > 0)
        return panels * card.panels.front().area.width() * card.panels.front().area.height();
    return panels * static_cast<double>(card.shownRows) * static_cast<double>(card.shownCols);
}

} // namespace

CardLayout stageCard(const ExploreState& state, const TensorEntry& entry, QSizeF limit, int codeChars) {
    CardInput input = stageCardInput(state, entry, limit);
    input.codeChars = codeChars;
    CardLayout best = layoutCard(input);
    const auto fits = [&](const CardLayout& card) { return card.size.height() <= limit.height(); };
    // Few rows in sight are worth less than the note and than air; two of them are worth less than the formula.
    const auto good = [&](const CardLayout& card, Index rows) {
        if (!fits(card) || card.panels.empty()) return fits(card);
        // A picture is whole at any size, and worth less the smaller it is.
        if (card.picture && card.panels.front().area.height() < kGoodPicture) return false;
        return card.shownRows >= std::min(card.rows, rows);
    };
    struct Step {
        bool slim, wide, compact;
    };
    // With sliders above the cells, a card gets wide before it loses anything.
    static constexpr Step kDeep[] = {{false, false, false}, {false, true, false}, {true, true, false},
                                     {true, false, false},  {true, true, true},   {true, false, true}};
    static constexpr Step kFlat[] = {
        {false, false, false}, {true, false, false}, {true, true, false}, {true, false, true}, {true, true, true}};
    const Index rank = entry.tensor.dim();
    const std::span<const Step> steps = rank > 4 ? std::span<const Step>(kDeep) : std::span<const Step>(kFlat);
    if (input.mode == CardMode::Blocks && !best.block) {
        // What was asked for, before rows of cells: with the formula, and with the switch that leads back.
        for (const Step& step : steps) {
            if (step.compact) continue;
            CardInput blocks = input;
            blocks.note = false;
            blocks.slim = step.slim;
            blocks.wide = step.wide;
            CardLayout card = layoutCard(blocks);
            if (card.block && fits(card) && card.size.width() <= limit.width()) return card;
        }
    }
    if (good(best, 3)) return best;
    input.note = false;
    for (const Step& step : steps) {
        if (step.wide && rank < 2 && !best.picture) continue;
        input.slim = step.slim;
        input.wide = step.wide;
        input.compact = step.compact;
        CardLayout card = layoutCard(input);
        if (step.wide && card.size.width() > limit.width()) continue;
        if (good(card, step.slim ? 2 : 3)) return card;
        if (step.slim && !step.compact && card.codeLines.size() > 1) {
            // Lines of code are not worth the formula: the row of cards scrolls sideways.
            CardInput whole = input;
            whole.codeChars = kWholeCode;
            CardLayout broad = layoutCard(whole);
            if (broad.size.width() <= limit.width() && good(broad, 2)) return broad;
        }
        const bool better = fits(card)   ? !fits(best) || seen(card) > seen(best)
                            : fits(best) ? false
                                         : card.size.height() < best.size.height();
        if (better) best = std::move(card);
    }
    return best;
}

qreal valueCellWidth(const Tensor& source, qreal least, qreal padding) {
    if (!source.device().isCpu()) return least;
    // Scenes are made on every mouse move; the sample is read again only after a write.
    struct Known {
        quint64 version = 0;
        qsizetype longest = 0;
    };
    static QHash<quint64, Known> known;
    const Storage& storage = *source.storage();
    qsizetype longest = 1;
    const auto found = known.constFind(storage.id());
    if (found != known.cend() && found->version == storage.version()) {
        longest = found->longest;
    } else {
        const Index count = source.storageNumel();
        const Index step = std::max<Index>(1, count / 512);
        std::string text;
        const CellValues values(source);
        const auto look = [&](Index slot) {
            text.clear();
            values.appendText(text, slot, kMostDigits);
            longest = std::max(longest, static_cast<qsizetype>(text.size()));
        };
        if (values.readable()) {
            for (Index i = 0; i < count; i += step) look(i);
            // What counts upwards is longest at its end.
            if (count > 0) look(count - 1);
        }
        if (known.size() > 64) known.clear();
        known.insert(storage.id(), {storage.version(), longest});
    }
    const qreal wanted = textWidth(FontRole::Cell, QString(longest, QLatin1Char('0'))) + padding;
    return std::max(least, std::ceil(wanted));
}

} // namespace stridescope
