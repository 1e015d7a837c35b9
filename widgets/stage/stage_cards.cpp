#include "widgets/stage/stage_cards.h"

#include "widgets/card/text_metrics.h"
#include "widgets/scene/cell_values.h"
#include "widgets/stage/stage_scene_parts.h"

#include <QHash>

#include <algorithm>
#include <cmath>
#include <optional>
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
    if (state.options.hidesValues) input.text = CellText::None;
    input.counted = &state.odd;
    input.switches = input.colourSwitch = !state.options.paper;
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

/// More characters than a line of code has.
constexpr int kWholeCode = 512;

/// Cells get no wider for more characters than these.
constexpr std::size_t kMostDigits = 13;

/// Whether nothing of the slice that the card shows is left out.
bool showsAll(const CardLayout& card) {
    return !card.picture && card.shownRows >= card.rows && card.shownCols >= card.cols && card.lastFirstPanelRow == 0 &&
           card.lastFirstPanelCol == 0;
}

/// Whether `card` shows nothing more than `other` but the columns that the axes of further dims take there: of many
/// columns these few are not worth strides, offset and formula.
bool onlyColumnsMore(const CardLayout& card, const CardLayout& other) {
    const Index few = other.shownCols / 8;
    const bool cells = !card.picture && !other.picture && !card.block && !other.block;
    return cells && card.shownRows <= other.shownRows && card.panels.size() <= other.panels.size() &&
           card.shownCols <= other.shownCols + few;
}

/// Of a head beside few cells, or cells in a narrow place; one with sliders gets high there.
constexpr qreal kNarrowHead = 320, kMiddleHead = 460;
/// Of a head that leaves grids over few cells the room to stand side by side.
constexpr qreal kSlimHead = 264;

/// What may give way on a card, in the order in which it does where as many cells are seen.
struct Form {
    bool note = false, slim = true, wide = false, wholeCode = false;
    qreal head = 0;                      ///< wide with a head of that width, whose lines are broken; 0: of its own
    bool compact = false, brief = false; ///< without the formula, and with one line over the cells
    bool facts = false;                  ///< a second line with dtype, device, strides, offset and contiguity
    bool window = false;                 ///< which rows are in sight stands in the head's last line
    bool plain = false;                  ///< values alone: no indices below them and no colours, which want a legend
    bool cutCode = false;                ///< its code in one line, cut where that has no room
};
constexpr Form kFlat[] = {{.note = true, .slim = false},
                          {.slim = false},
                          {},
                          {.wholeCode = true},
                          {.wide = true},
                          {.wide = true, .head = kNarrowHead},
                          {.wide = true, .head = kSlimHead},
                          {.window = true},
                          {.wholeCode = true, .window = true},
                          {.compact = true},
                          {.wide = true, .compact = true},
                          {.compact = true, .brief = true, .facts = true},
                          {.compact = true, .brief = true},
                          {.compact = true, .brief = true, .plain = true}};
/// With sliders above the cells, a card gets wide before it loses anything.
constexpr Form kDeep[] = {{.note = true, .slim = false},
                          {.slim = false},
                          {.slim = false, .wide = true},
                          {.wide = true},
                          {.wide = true, .head = kMiddleHead},
                          {},
                          {.wholeCode = true},
                          {.wide = true, .head = kNarrowHead},
                          {.wide = true, .head = kMiddleHead, .cutCode = true},
                          {.wide = true, .compact = true},
                          {.compact = true},
                          {.compact = true, .brief = true, .facts = true},
                          {.compact = true, .brief = true},
                          {.compact = true, .brief = true, .plain = true}};
/// With more dims than a grid has, cells may stand beside the formula in any case: grids over grids need the height.
constexpr Index kGridDims = 2;
/// The formula is worth more than a third row of cells, and than a second grid of them: without it there are no more.
constexpr Index kRowsWithoutFormula = 2;
/// A picture as high as that is seen.
constexpr qreal kSeenPicture = 40;
/// A card that leaves room to others has so many in any case, as far as its stage is wide enough.
constexpr Index kLeastColumns = 3, kCompactColumns = 4;
/// Of a card of many rows: where all cards of a row stand beside each other must not depend on its height.
constexpr qreal kHighCard = 420;

bool hasSliders(const TensorEntry& entry) {
    return entry.tensor.dim() > 4;
}

CardInput inputOf(CardInput input, const Form& form) {
    input.note = form.note;
    input.slim = form.slim;
    input.wide = form.wide;
    input.headWidth = form.head;
    input.compact = form.compact;
    input.brief = form.brief;
    input.facts = form.facts;
    input.windowInHead = form.window;
    if (form.plain) {
        if (input.text != CellText::None) input.text = CellText::Value;
        input.detail = CardDetail::Numbers;
    }
    if (form.window) input.mostRows = kRowsWithoutFormula;
    if (form.compact) {
        input.mostRows = kRowsWithoutFormula;
        input.onePanel = true;
    }
    if (form.brief || (form.compact && !hasSliders(*input.entry))) {
        input.still = input.entry->tensor.dim() > 2;
    } else {
        input.mostCols = 0;
    }
    // A head of a width of its own breaks its code there, however narrow the others of the row are.
    if (form.wholeCode || form.head > 0) input.codeChars = kWholeCode;
    input.cutsCode = form.cutCode;
    return input;
}

} // namespace

double cellsInSight(const CardLayout& card) {
    // Of a picture more pixels show more, up to where it is seen well: what is above that belongs to the head, which
    // says what is looked at. So one that leaves no room to the formula, or to what is said of the tensor, is worth no
    // more than one that is just seen.
    constexpr qreal kEnough = 150, kWithoutFormula = 56;
    const auto panels = static_cast<double>(card.panels.size());
    if (card.block) return static_cast<double>(card.view.numel());
    if (card.picture && panels > 0) {
        const qreal enough = card.input.brief ? kSeenPicture : card.formula.empty() ? kWithoutFormula : kEnough;
        const QSizeF size = card.panels.front().area.size().boundedTo({enough, enough});
        return panels * size.width() * size.height();
    }
    return panels * static_cast<double>(card.shownRows) * static_cast<double>(card.shownCols);
}

CardLayout stageCard(const ExploreState& state, const TensorEntry& entry, QSizeF limit, const CardFreedom& freedom) {
    CardInput input = stageCardInput(state, entry, limit);
    input.codeChars = freedom.codeChars;
    const auto excess = [&](const CardLayout& card) { return std::max(0.0, card.size.height() - limit.height()); };
    const bool flat = !hasSliders(entry);
    const std::span<const Form> forms = flat ? std::span<const Form>(kFlat) : std::span<const Form>(kDeep);
    if (input.mode == CardMode::Blocks) {
        // What was asked for, before rows of cells: with the formula, and with the switch that leads back. For what is
        // seen at once, slices at 45° and indices along the edges, a card gives its note and the breaks of its lines.
        constexpr qreal kSeenFault = 3;
        std::optional<CardLayout> best;
        for (const Form& form : forms) {
            if (form.compact) continue;
            CardLayout card = layoutCard(inputOf(input, form));
            if (!card.block || excess(card) > 0 || card.size.width() > limit.width()) continue;
            if (!best || card.block->fault() < best->block->fault() - kSeenFault) best = std::move(card);
        }
        if (best) return *std::move(best);
    }
    if (freedom.limited && entry.tensor.dim() > kGridDims && flat) {
        Index most = kCompactColumns;
        for (const qreal head : {0.0, kNarrowHead}) {
            const Index columns = layoutCard(inputOf(input, {.wide = true, .head = head})).shownCols;
            most = std::max(most, columns);
        }
        input.mostCols = most;
    }
    std::optional<CardLayout> best;
    for (const Form& form : forms) {
        if (freedom.facts && !form.facts) continue;
        if (form.wide && !freedom.wide && entry.tensor.dim() <= kGridDims) continue;
        if (form.wide && entry.tensor.dim() < 2 && !best->picture) continue;
        if (form.wholeCode && !form.window && best->codeLines.size() < 2) continue;
        if (form.plain && excess(*best) == 0) continue;
        if (form.head == kSlimHead && entry.tensor.dim() <= kGridDims) continue;
        // Where a caption is all that gives way, two rows are left: more of them had room for it.
        if (form.window && entry.tensor.dim() > kGridDims) continue;
        // As long as something is seen of a picture, it is less than what its head says of the tensor.
        if (form.brief && best && best->picture && excess(*best) == 0 &&
            best->panels.front().area.height() >= kSeenPicture)
            continue;
        CardInput with = inputOf(input, form);
        // For the formula and for cells code may stand in one line, but not make a row of cards too wide.
        if ((form.wholeCode && !freedom.whole) || freedom.facts) {
            with.codeChars = freedom.codeChars;
            with.cutsCode = true;
        }
        CardLayout card = layoutCard(with);
        if (best && form.wholeCode && !freedom.whole && card.size.width() > best->size.width()) {
            constexpr int kLeastChars = 8;
            const qreal letter = textWidth(FontRole::CodeStrong, QStringLiteral("0"));
            const qreal more = std::ceil((card.size.width() - best->size.width()) / letter);
            with.codeChars = std::max(with.codeChars - static_cast<int>(more), kLeastChars);
            card = layoutCard(with);
        }
        // A thread of a picture beside what is said of it is no picture.
        if ((form.head > 0 || form.facts) && card.picture) {
            const QSizeF seen = card.panels.front().area.size();
            if (std::min(seen.width(), seen.height()) < kSeenPicture) continue;
        }
        if (best && (form.wide || form.wholeCode) && card.size.width() > limit.width()) continue;
        // Words that would make the card wider would scroll the row of cards.
        if (form.window && (card.picture || (!form.wholeCode && card.size.width() > best->size.width()))) continue;
        if (!flat && best && form.brief && excess(*best) == 0 && onlyColumnsMore(card, *best)) continue;
        const bool better = !best                           ? true
                            : excess(card) != excess(*best) ? excess(card) < excess(*best)
                            : excess(card) > 0              ? false
                                                            : cellsInSight(card) > cellsInSight(*best) + 0.5;
        if (better) best = std::move(card);
        if (excess(*best) == 0 && showsAll(*best)) break;
    }
    if (!best) {
        // Of a picture that is nothing but its facts nothing would be seen.
        CardFreedom more = freedom;
        more.facts = false;
        return stageCard(state, entry, limit, more);
    }
    // Where the cells make the card wide, its title is not broken or cut as if it were narrow.
    const bool cut = best->input.cutsCode;
    if (cut || best->codeLines.size() > 1) {
        CardInput whole = best->input;
        whole.codeChars = kWholeCode;
        whole.cutsCode = false;
        CardLayout card = layoutCard(whole);
        const qsizetype most = cut ? 1 : best->codeLines.size() - 1;
        if (card.codeLines.size() <= most && card.size.width() <= best->size.width() &&
            card.size.height() <= std::max(best->size.height(), limit.height()) &&
            cellsInSight(card) >= cellsInSight(*best))
            best = std::move(card);
    }
    return *best;
}

int headOf(const CardLayout& card) {
    const CardInput& input = card.input;
    return !input.compact ? 3 : !input.brief ? 2 : input.facts ? 1 : 0;
}

bool tellsLeftOut(const CardLayout& card) {
    return std::any_of(card.texts.begin(), card.texts.end(),
                       [](const TextItem& item) { return item.text.startsWith(QChar(0x2026)); });
}

qreal lowCardHeight(const ExploreState& state, const TensorEntry& entry, qreal width, const CardFreedom& freedom) {
    // With no height at all one row of cells is left, as low as it can be.
    CardInput input = stageCardInput(state, entry, QSizeF(width, 1));
    input.codeChars = freedom.codeChars;
    const CardLayout card = layoutCard(inputOf(input, {.window = true}));
    const bool grows = !card.picture && !card.block && card.rows > card.shownRows;
    return card.size.height() + (grows ? card.cell.height() : 0);
}

qreal leastCardWidth(const ExploreState& state, const TensorEntry& entry, const CardFreedom& freedom) {
    // What a card has on the smallest stage, where nothing is beside it; many take less.
    constexpr qreal kNarrow = 380;
    constexpr qreal kLeastPicture = 160, kRight = 24;
    // With as much room as it likes its cells have their usual size, on every stage the same.
    constexpr qreal kRoomy = 4000;
    CardInput input = stageCardInput(state, entry, QSizeF(kRoomy, kHighCard));
    input.codeChars = freedom.codeChars;
    const bool wide = entry.tensor.dim() > kGridDims;
    constexpr qreal kHighStage = 570;
    const bool high = !hasSliders(entry) || state.viewport.height() >= kHighStage;
    const qreal head = !wide ? 0 : high ? kNarrowHead : kMiddleHead;
    const CardLayout card = layoutCard(inputOf(input, {.wide = wide, .head = head}));
    if (card.panels.empty()) return std::max(kNarrow, card.size.width());
    const QRectF& area = card.panels.front().area;
    const auto columns = static_cast<qreal>(std::min(card.shownCols, kLeastColumns));
    const qreal cells = card.picture ? std::min(area.width(), kLeastPicture) : columns * card.cell.width();
    return std::max(kNarrow, std::min(card.size.width(), std::ceil(area.left() + cells + kRight)));
}

qreal stageCardWidth(const ExploreState& state, const TensorEntry& entry, qreal limit, const CardFreedom& freedom) {
    CardInput input = stageCardInput(state, entry, QSizeF(limit, kHighCard));
    input.codeChars = freedom.whole ? kWholeCode : freedom.codeChars;
    qreal width = layoutCard(inputOf(input, {.wide = entry.tensor.dim() > kGridDims})).size.width();
    if (freedom.wide && entry.tensor.dim() > 1)
        width = std::max(width, layoutCard(inputOf(input, {.wide = true})).size.width());
    return width;
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
