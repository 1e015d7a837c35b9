#include "widgets/stage/stage_layout.h"

#include "widgets/card/draw.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/strip_ruler.h"
#include "widgets/stage/stage_cards.h"
#include "widgets/stage/stage_scene_parts.h"
#include "widgets/stage/strip_plan.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

std::vector<const TensorEntry*> ExploreState::visible() const {
    std::vector<const TensorEntry*> found;
    if (!snapshot) return found;
    const auto wanted = [this](const TensorEntry& e) {
        return e.tensor.defined() && (e.onStage || e.id == selection.tensor);
    };
    for (TensorId id : order) {
        const TensorEntry* entry = snapshot->tensor(id);
        if (entry && wanted(*entry)) found.push_back(entry);
    }
    for (const TensorEntry& entry : snapshot->tensors) {
        if (wanted(entry) && std::find(order.begin(), order.end(), entry.id) == order.end()) found.push_back(&entry);
    }
    return found;
}

namespace {

/// How much is left out when the stage is short, from the first to the last resort.
struct Squeeze {
    qreal gap;
    bool foldLanes, noLanes;
    std::size_t others; ///< small strips at most; storages without one are named on a shelf
    qreal otherPitch;
    qreal down;
    bool secondRow;         ///< of hops, when there are more than two dims
    qreal cell;             ///< the strip's cells are no higher
    bool forCopies = false; ///< only where the selected tensor is a copy or has one: both storages stay in sight
};
constexpr qreal kOtherPitch = 62, kTightPitch = 44;
constexpr Squeeze kSqueezes[] = {
    {130, false, false, 8, kOtherPitch, 46, true, 42},     {118, false, false, 8, kOtherPitch, 46, true, 42},
    {106, false, false, 8, kOtherPitch, 46, true, 42},     {106, true, false, 8, kOtherPitch, 46, true, 42},
    {100, true, false, 8, kTightPitch, 46, true, 42},      {92, true, true, 8, kTightPitch, 46, true, 42},
    {84, true, true, 8, kTightPitch, 46, true, 34},        {84, true, true, 2, kTightPitch, 46, true, 34},
    {80, true, true, 1, kTightPitch, 46, true, 34},        {80, true, true, 1, kTightPitch, 46, false, 34},
    {80, true, true, 1, kTightPitch, 14, false, 34, true}, {80, true, true, 0, kTightPitch, 46, false, 34},
    {64, true, true, 0, kTightPitch, 46, false, 32},       {80, true, true, 0, kTightPitch, 14, false, 34},
    {64, true, true, 0, kTightPitch, 14, false, 32},       {60, true, true, 0, kTightPitch, 14, false, 28},
};
/// Below this height a card has nothing left to leave out.
constexpr qreal kLeastCard = 140, kUsualCard = 304;
/// A card of four rows with nothing left out but air, and what is below the cards at least.
constexpr qreal kSlimCard = 236, kRowsAndFormula = 216, kLeastBelow = 164;
/// Strips of so many rows are shown whole where that is possible; under the last row no arches need room.
constexpr Index kWholeRows = 4;
constexpr qreal kLastGap = 14, kLowCard = 196;
/// Code is broken after fewer characters where the row of cards would have to scroll.
constexpr int kUsualCode = 40, kNarrowCode = 24;
/// Height over a strip for its offset flag and hops.
constexpr qreal kFlagZone = 58;
constexpr qreal kShelf = 30, kTop = 10, kBottom = 6, kMiniMap = 16, kBarHeight = 34;

void place(StripPlan& strip, qreal top, Index rows) {
    strip.visibleRows = rows;
    strip.layout.area.moveTop(top);
    strip.layout.area.setHeight(static_cast<qreal>(rows) * strip.layout.rowPitch);
    strip.handle = QRectF(kStageMargin, top, kHandleWidth, strip.large ? kStripCell : 36);
}

/// Storages with a claim to a strip come first: where the selected one was copied from, then its copies. True if there
/// are any.
bool sortByClaim(std::vector<StripPlan>& strips, const ExploreState& state, const TensorEntry& selected) {
    const auto storageOf = [&state](TensorId id) -> quint64 {
        const TensorEntry* entry = state.snapshot->tensor(id);
        return entry && entry->tensor.defined() ? entry->tensor.storage()->id() : 0;
    };
    const quint64 own = selected.tensor.storage()->id();
    quint64 source = 0;
    std::vector<quint64> copies;
    for (const TensorEntry& entry : state.snapshot->tensors) {
        if (entry.origin != Origin::Copy || !entry.tensor.defined()) continue;
        if (entry.tensor.storage()->id() == own && source == 0) source = storageOf(entry.parent);
        if (storageOf(entry.parent) == own) copies.push_back(entry.tensor.storage()->id());
    }
    const auto claim = [&](const StripPlan& strip) {
        if (strip.storageId == source) return 0;
        return std::find(copies.begin(), copies.end(), strip.storageId) != copies.end() ? 1 : 2;
    };
    std::stable_sort(strips.begin(), strips.end(), [&](const StripPlan& a, const StripPlan& b) {
        return claim(a) != claim(b) ? claim(a) < claim(b) : a.number < b.number;
    });
    return !strips.empty() && claim(strips.front()) < 2;
}

/// Names the storages from `first` on in one row that starts at `y`.
void makeShelf(StagePlan& plan, const ExploreState& state, const std::vector<const TensorEntry*>& visible,
               std::size_t first, qreal y, qreal width) {
    plan.shelfWords = QPointF(kStageMargin, y + 16);
    qreal x = kStageMargin + textWidth(FontRole::Label, shelfTitle()) + 10;
    const std::size_t all = plan.others.size();
    for (std::size_t i = first; i < all; ++i) {
        const StripPlan& strip = plan.others[i];
        ShelfChip chip;
        chip.storageId = strip.storageId;
        for (const TensorEntry* entry : visible) {
            if (entry->tensor.storage()->id() == strip.storageId && chip.tensor == 0) chip.tensor = entry->id;
        }
        chip.text = storageText(strip, state);
        const QString more = QStringLiteral("and %1 more").arg(all - i);
        const qreal rest = i + 1 < all ? textWidth(FontRole::Label, more) + 16 : 0;
        const qreal wide = std::ceil(textWidth(FontRole::Label, chip.text)) + 18;
        if (x + wide + rest > width - kStageMargin && !plan.shelf.empty()) {
            plan.shelfMore = more;
            break;
        }
        chip.rect = QRectF(x, y, wide, 24);
        x += wide + 6;
        plan.shelf.push_back(std::move(chip));
    }
}

} // namespace

const CardLayout* StagePlan::card(TensorId id) const {
    const auto it =
        std::find_if(cards.begin(), cards.end(), [id](const CardLayout& card) { return card.input.entry->id == id; });
    return it == cards.end() ? nullptr : &*it;
}

StagePlan planStage(const ExploreState& state) {
    StagePlan plan;
    const std::vector<const TensorEntry*> visible = state.visible();
    if (visible.empty()) return plan;
    const TensorEntry* selected = state.snapshot->tensor(state.selection.tensor);
    if (!selected || !selected->tensor.defined()) selected = visible.front();

    const qreal width = state.viewport.width(), height = state.viewport.height();
    plan.cardArea = QRectF(kStageMargin, kTop, width - 2 * kStageMargin, 0);
    StripPlan strip = stripFor(state, *selected, *selected, true);
    for (const TensorEntry* entry : visible) {
        if (entry->tensor.storage()->id() == strip.storageId) {
            plan.lanes.push_back(entry);
            continue;
        }
        const quint64 id = entry->tensor.storage()->id();
        const auto same = [id](const StripPlan& p) { return p.storageId == id; };
        if (std::none_of(plan.others.begin(), plan.others.end(), same)) {
            plan.others.push_back(stripFor(state, *entry, *entry, false));
        }
    }

    // Heights: cards as tall as they need, then what is below gives way in the order of the design for narrow windows.
    const qreal cardLimit = std::max({180.0, height * 0.56, std::min(kSlimCard, height - kLeastBelow)});
    int codeChars = kUsualCode;
    const auto rowWidth = [&plan] {
        qreal total = -kCardGap;
        for (const CardLayout& card : plan.cards) total += card.size.width() + kCardGap;
        return total;
    };
    for (const int chars : {kUsualCode, kNarrowCode}) {
        codeChars = chars;
        plan.cards.clear();
        for (const TensorEntry* entry : visible) {
            plan.cards.push_back(stageCard(state, *entry, QSizeF(plan.cardArea.width(), cardLimit), codeChars));
        }
        if (visible.size() < 2 || rowWidth() <= plan.cardArea.width()) break;
    }
    qreal natural = 0;
    for (const CardLayout& card : plan.cards) natural = std::max(natural, card.size.height());
    const Index dims = selected->tensor.dim();
    const bool singleRow = strip.layout.rowCount() <= 1;
    const bool coloured = state.options.heat || strip.layout.cellWidth < kNumberWidth;
    const qreal bar = coloured ? kBarHeight : 0;
    const bool overflows = strip.scrollsColumns() || !singleRow;
    const qreal cellHeight = strip.layout.cellHeight, rowPitch = strip.layout.rowPitch;
    qreal rest = 0, secondRow = 0;
    const Squeeze* chosen = nullptr;
    const bool copies = sortByClaim(plan.others, state, *selected);
    std::size_t otherCount = 0, laneCount = 0;
    const auto apply = [&](const Squeeze& squeeze) {
        chosen = &squeeze;
        otherCount = std::min(plan.others.size(), squeeze.others);
        laneCount = squeeze.noLanes || !singleRow ? 0 : squeeze.foldLanes ? 1 : plan.lanes.size();
        plan.secondHopRow = dims > 2 && singleRow && squeeze.secondRow;
        secondRow = plan.secondHopRow ? kSecondHopRow : 0;
        plan.downZone = dims > 1 && singleRow ? squeeze.down + (dims > 3 ? secondRow : 0) : 14;
        // Rows have room for arches between them; below the last one it is air.
        if (!singleRow && strip.outside.empty() && &squeeze == std::end(kSqueezes) - 1) plan.downZone = 4;
        plan.upZone = kFlagZone + secondRow;
        strip.layout.cellHeight = std::min(cellHeight, squeeze.cell);
        strip.layout.rowPitch = rowPitch - cellHeight + strip.layout.cellHeight;
        plan.laneCaption = laneCount > 1 || (laneCount == 1 && !squeeze.foldLanes);
        rest = kTop + squeeze.gap + secondRow + strip.layout.rowPitch + (overflows ? kMiniMap : 0) + plan.downZone +
               (strip.rowIndex ? kRowIndexHeight : 0) + (laneCount > 0 ? (plan.laneCaption ? 22 : 4) : 0) +
               static_cast<qreal>(laneCount) * kLanePitch + static_cast<qreal>(otherCount) * squeeze.otherPitch +
               (otherCount < plan.others.size() ? kShelf : 0) + bar + kBottom;
    };
    // Cards as high as they like, with every strip; else high enough for three rows and the formula; else what is left.
    bool found = false;
    for (const bool whole : {true, false}) {
        for (const Squeeze& squeeze : kSqueezes) {
            if (found) break;
            if (squeeze.forCopies && !copies) continue;
            apply(squeeze);
            found = height - rest >= (whole ? natural : std::min(natural, kRowsAndFormula)) &&
                    (!whole || otherCount == plan.others.size());
        }
    }
    // One row of cells more on the cards, if nothing but air below them pays for it.
    for (const Squeeze* next = chosen + 1; height - rest < std::min(natural, kSlimCard) && next != std::end(kSqueezes);
         ++next) {
        if (next->down < chosen->down || std::min(plan.others.size(), next->others) < otherCount) continue;
        if ((next->noLanes && !chosen->noLanes) || (next->forCopies && !copies)) continue;
        apply(*next);
    }
    // On the lowest stages the names of the other storages stand in the list alone.
    const bool shelf = otherCount < plan.others.size() && height - rest >= kLeastCard;
    if (!shelf && otherCount < plan.others.size()) rest -= kShelf;
    qreal cardHeight = std::min(natural, std::max(kLeastCard, height - rest));
    Index rows = 1;
    // Cards of that height have every row that they have as it is, and the formula.
    const auto stillWhole = [&](qreal limit) {
        return limit >= kLowCard && std::all_of(plan.cards.begin(), plan.cards.end(), [&](const CardLayout& card) {
                   const auto at = [&](qreal high) {
                       return stageCard(state, *card.input.entry, QSizeF(plan.cardArea.width(), high), codeChars);
                   };
                   const CardLayout now = at(cardHeight), less = at(limit);
                   return less.size.height() <= limit && less.formula.size() >= now.formula.size() &&
                          less.shownRows >= now.shownRows && less.shownCols >= now.shownCols &&
                          less.panels.size() >= now.panels.size();
               });
    };
    if (!singleRow) {
        // A few rows of the strip are worth more than tall cards.
        const qreal pitch = strip.layout.rowPitch;
        const qreal wanted = static_cast<qreal>(std::min<Index>(strip.layout.rowCount(), 3) - 1) * pitch;
        cardHeight = std::max(std::min(cardHeight, kUsualCard), std::min(cardHeight, height - rest - wanted));
        rows = std::clamp<Index>(1 + static_cast<Index>(std::floor((height - rest - cardHeight) / pitch)), 1,
                                 strip.layout.rowCount());
        // Of a strip of few rows no last cells are hidden below, as long as air pays for it: then it has no map either.
        const Index all = strip.layout.rowCount();
        const Squeeze* const usual = chosen;
        for (const Squeeze* next = usual; rows < all && all <= kWholeRows && next != std::end(kSqueezes); ++next) {
            if (std::min(plan.others.size(), next->others) < otherCount) break;
            apply(*next);
            const qreal map = overflows && !strip.scrollsColumns() ? kMiniMap : 0;
            const qreal spare = std::min(plan.downZone, kLastGap);
            const qreal needed = rest - map - spare + static_cast<qreal>(all - 1) * strip.layout.rowPitch;
            const qreal left = std::min(natural, height - needed);
            if (left < std::min(natural, kRowsAndFormula) && !stillWhole(left)) continue;
            rows = all;
            cardHeight = left;
            plan.downZone -= spare;
        }
        if (rows < all) apply(*usual);
    }
    for (CardLayout& card : plan.cards) {
        if (card.size.height() <= cardHeight) continue;
        card = stageCard(state, *card.input.entry, QSizeF(plan.cardArea.width(), cardHeight), codeChars);
    }
    const qreal shelfTop = height - bar - kShelf;
    if (shelf) makeShelf(plan, state, visible, otherCount, shelfTop, width);
    plan.others.resize(otherCount);
    std::sort(plan.others.begin(), plan.others.end(),
              [](const StripPlan& a, const StripPlan& b) { return a.number < b.number; });
    for (StripPlan& other : plan.others) {
        other.tight = chosen->otherPitch < kOtherPitch;
        plan.above += other.number < strip.number;
    }
    if (laneCount < plan.lanes.size()) {
        plan.lanes.clear();
        if (laneCount == 1) plan.lanes.push_back(selected);
    }

    // The row of cards: spare width is shared; a long row scrolls sideways with the selected card in sight.
    const qreal spareWidth = plan.cardArea.width() - rowWidth();
    const qreal extra =
        spareWidth > 0 ? std::min(48.0, std::floor(spareWidth / static_cast<qreal>(plan.cards.size()))) : 0;
    plan.cardArea.setHeight(cardHeight);
    qreal x = plan.cardArea.left();
    for (CardLayout& card : plan.cards) {
        card.size = QSizeF(card.size.width() + extra, cardHeight);
        if (!card.input.wide) card.pill.translate(extra, 0); // stays at the right edge
        card.pos = QPointF(x, plan.cardArea.top());
        x += card.size.width() + kCardGap;
    }
    plan.cardsWidth = x - kCardGap - plan.cardArea.left();
    qreal scroll = std::clamp(state.cardScroll, 0.0, std::max(0.0, plan.cardsWidth - plan.cardArea.width()));
    if (const CardLayout* card = plan.card(selected->id); card && !state.cardsByHand) {
        const qreal left = card->pos.x() - plan.cardArea.left();
        scroll = std::min(scroll, left);
        scroll = std::max(scroll, left + card->size.width() - plan.cardArea.width());
    }
    plan.cardScroll = scroll;
    for (CardLayout& card : plan.cards) card.pos.rx() -= scroll;
    const QRectF& area = plan.cardArea;
    const QRectF button(0, area.center().y() - 26, 22, 52);
    if (scroll > 1) plan.moreLeft = button.translated(2, 0);
    if (plan.cardsWidth - scroll > area.width() + 1) plan.moreRight = button.translated(width - 24, 0);

    const auto placeOther = [](StripPlan& other, qreal top) {
        place(other, top, 1);
        other.layout.area.setHeight(other.layout.cellHeight);
        other.layout.area.moveTop(top + (other.handle.height() - other.layout.cellHeight) / 2);
        showOutside(other);
    };
    // In order of number, whichever is selected: a copy stays below what it was copied from.
    qreal y = plan.cardArea.bottom() + chosen->gap - kFlagZone;
    for (std::size_t i = 0; i < plan.above; ++i) {
        placeOther(plan.others[i], y);
        y += chosen->otherPitch;
    }
    y += kFlagZone + secondRow;
    plan.busY = plan.cardArea.bottom() + std::clamp(chosen->gap + secondRow - plan.upZone - 24, 12.0, 22.0);
    place(strip, y, rows);
    applyScroll(state, strip);
    showOutside(strip);
    y = strip.layout.area.bottom();
    if (strip.rowIndex) y += kRowIndexHeight;
    if (strip.scrollsRows() || strip.scrollsColumns()) {
        strip.miniMap = QRectF(strip.layout.area.left(), y + 3, strip.layout.area.width(), kMiniMap - 6);
    }
    if (!strip.miniMap.isEmpty()) y += kMiniMap;
    plan.strip = std::move(strip);
    y += plan.downZone;
    if (!plan.lanes.empty()) {
        if (plan.laneCaption) y += 14;
        plan.lanesTop = y;
        y += plan.laneCaption ? 8 : 4;
        y += static_cast<qreal>(plan.lanes.size()) * kLanePitch;
    }
    y += 8;
    for (std::size_t i = plan.above; i < plan.others.size(); ++i) {
        placeOther(plan.others[i], y);
        y += chosen->otherPitch;
    }
    if (bar > 0) plan.colourBar = QRectF(width - kStageMargin - 260, height - kBarHeight, 260, 12);
    return plan;
}

} // namespace stridescope
