#include "widgets/stage/stage_layout.h"

#include "widgets/card/draw.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/strip_ruler.h"
#include "widgets/stage/stage_cards.h"
#include "widgets/stage/stage_frame.h"
#include "widgets/stage/stage_scene_parts.h"
#include "widgets/stage/stage_text.h"
#include "widgets/stage/strip_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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
    {80, true, true, 1, kTightPitch, 14, false, 34, true}, {60, true, true, 1, kTightPitch, 14, false, 28, true},
    {80, true, true, 0, kTightPitch, 46, false, 34},       {64, true, true, 0, kTightPitch, 46, false, 32},
    {80, true, true, 0, kTightPitch, 14, false, 34},       {64, true, true, 0, kTightPitch, 14, false, 32},
    {60, true, true, 0, kTightPitch, 14, false, 28},
};
/// Below this height a card has nothing left to leave out.
constexpr qreal kLeastCard = 140, kUsualCard = 304;
/// A card of four rows with nothing left out but air, and what is below the cards at least.
constexpr qreal kSlimCard = 236, kLeastBelow = 164;
/// Of the stage's height, what cards may take to show all their cells.
constexpr qreal kCardsShare = 0.56;
/// Strips of so many rows are shown whole where that is possible; under the last row no arches need room.
constexpr Index kWholeRows = 4, kFewRows = 3;
constexpr qreal kLastGap = 14;
/// Code is broken after fewer characters where the row of cards would have to scroll.
constexpr int kUsualCode = 40, kNarrowCode = 24;
/// Of a row that is too short for its cards, what each of them may take in any case.
constexpr qreal kLeastShare = 0.5;
/// Height over a strip for its offset flag and hops.
constexpr qreal kFlagZone = 58;
constexpr qreal kSmallRuler = 18;
/// The map shows heights where a stage is high enough; of every pixel more than kLowStage half is the cards' meanwhile.
constexpr qreal kMiniMap = 26, kLowMiniMap = 16, kLowStage = 410;
constexpr qreal kShelf = 30, kTop = 10, kBottom = 6;

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
        chip.number = strip.number;
        chip.source = strip.source;
        const QString more = StageText::tr("and %1 more").arg(all - i);
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

/// Rows of cells when all panels stand below one another.
Index rowsOf(const View& view) {
    return view.dim() < 2 ? 1 : view.numel() / std::max<Index>(view.shape.back(), 1);
}

/// Makes one plan, step by step; every step reads what the ones before it settled.
class StagePlanner {
public:
    explicit StagePlanner(const ExploreState& state)
        : m_state(state), m_frame(frameOf(state, kTop)), m_width(state.viewport.width()),
          m_height(state.viewport.height()),
          m_map(std::clamp(kLowMiniMap + std::floor((m_height - kLowStage) / 2), kLowMiniMap, kMiniMap)) {}

    StagePlan plan() {
        if (m_visible.empty()) return {};
        collectStrips();
        shareWidth();
        measureCards();
        wishForCells();
        chooseSqueeze();
        chooseRows();
        unfoldLanes();
        settleOthers();
        placeCards();
        placeStrips();
        return std::move(m_plan);
    }

private:
    void collectStrips();
    void measureCards();
    void apply(const Squeeze& squeeze);
    void chooseSqueeze();
    void wishForCells();
    void chooseRows();
    void unfoldLanes();
    void settleOthers();
    void placeCards();
    void placeStrips();

    CardLayout cardOf(const TensorEntry& entry, qreal height) const {
        return stageCard(m_state, entry, QSizeF(limitOf(entry), height), freedomOf(entry));
    }
    CardFreedom freedomOf(const TensorEntry& entry) const {
        CardFreedom freedom{m_codeChars};
        freedom.wide = m_allWide || std::find(m_wide.begin(), m_wide.end(), entry.id) != m_wide.end();
        freedom.limited = std::any_of(m_limits.begin(), m_limits.end(),
                                      [&entry](const auto& limit) { return limit.first == entry.id; });
        return freedom;
    }
    qreal widestCard() const {
        const qreal widest = m_state.options.widestCard;
        return widest > 0 ? std::min(widest, m_plan.cardArea.width()) : m_plan.cardArea.width();
    }
    /// The widest that the card of `entry` may be beside the others.
    qreal limitOf(const TensorEntry& entry) const {
        const auto found = std::find_if(m_limits.begin(), m_limits.end(),
                                        [&entry](const auto& limit) { return limit.first == entry.id; });
        return found == m_limits.end() ? widestCard() : found->second;
    }
    qreal rowWidth() const {
        qreal total = -kCardGap;
        for (const CardLayout& card : m_plan.cards) total += card.size.width() + kCardGap;
        return total;
    }
    void shareWidth();
    void limitWidths(const std::vector<qreal>& widths);
    bool keepsCells(qreal height);

    const ExploreState& m_state;
    const StageFrame m_frame;
    const std::vector<const TensorEntry*>& m_visible = m_frame.visible;
    const TensorEntry* const m_selected = m_frame.selected;
    const qreal m_width, m_height, m_map;
    StagePlan m_plan;
    StripPlan m_strip;
    qreal m_cell = 0, m_pitch = 0; ///< height of the strip's cells and rows before they give way
    bool m_singleRow = true, m_overflows = false;
    bool m_copies = false; ///< the selected tensor is a copy or has one
    int m_codeChars = kUsualCode;
    bool m_allWide = true;                            ///< every card may have its cells beside its formula …
    std::vector<TensorId> m_wide;                     ///< … else these
    std::vector<std::pair<TensorId, qreal>> m_limits; ///< widths of the cards that leave room to the others
    qreal m_natural = 0;                              ///< height of the tallest card when nothing is left out
    struct Wished {
        double cells;
        std::size_t terms; ///< of the formula
    };
    std::vector<Wished> m_wished;                        ///< of each card, in its order
    qreal m_wish = 0;                                    ///< cards are never higher
    qreal m_enough = 0, m_tooLow = kLeastCard - 0.5;     ///< heights of cards that show that, and that do not
    const Squeeze* m_tightest = std::end(kSqueezes) - 1; ///< the last one to be tried

    const Squeeze* m_chosen = nullptr;
    std::size_t m_otherCount = 0, m_laneCount = 0;
    qreal m_secondRow = 0;
    qreal m_rest = 0; ///< height of everything but the cards and further rows of the strip
    bool m_shelf = false;
    qreal m_cardHeight = 0;
    Index m_rows = 1; ///< of the strip, in sight
};

void StagePlanner::collectStrips() {
    m_plan.cardArea = m_frame.cardArea;
    m_strip = m_frame.strip;
    for (const TensorEntry* entry : m_visible) {
        const quint64 id = entry->tensor.storage()->id();
        if (id == m_strip.storageId) {
            m_plan.lanes.push_back(entry);
            continue;
        }
        const auto same = [id](const StripPlan& p) { return p.storageId == id; };
        if (std::none_of(m_plan.others.begin(), m_plan.others.end(), same))
            m_plan.others.push_back(stripFor(m_state, *entry, *entry, false));
    }
    m_cell = m_strip.layout.cellHeight;
    m_pitch = m_strip.layout.rowPitch;
    m_singleRow = m_strip.layout.rowCount() <= 1;
    m_overflows = m_strip.scrollsColumns() || !m_singleRow;
    m_copies = sortByClaim(m_plan.others, m_state, *m_selected);
}

/// Cards beside one another, as long as lines of code and cells that are narrow enough make that possible. Only the
/// width counts, so that a higher stage never takes a form away in which a card shows more.
void StagePlanner::shareWidth() {
    if (m_visible.size() < 2) return;
    const auto widthOf = [&](const TensorEntry* entry, bool wide) {
        return stageCardWidth(m_state, *entry, widestCard(), {m_codeChars, wide});
    };
    const qreal room = m_plan.cardArea.width();
    std::vector<qreal> widths;
    qreal total = 0;
    for (const int chars : {kUsualCode, kNarrowCode}) {
        m_codeChars = chars;
        widths.clear();
        for (const TensorEntry* entry : m_visible) widths.push_back(widthOf(entry, false));
        total = std::accumulate(widths.begin(), widths.end(), kCardGap * static_cast<qreal>(widths.size() - 1));
        if (total <= room) break;
    }
    m_allWide = false;
    if (total > room) return limitWidths(widths);
    // The highest first.
    std::vector<std::size_t> order(m_visible.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return rowsOf(m_visible[a]->tensor.view()) > rowsOf(m_visible[b]->tensor.view());
    });
    for (const std::size_t i : order) {
        total += std::max(0.0, widthOf(m_visible[i], true) - widths[i]);
        if (total > room) break;
        m_wide.push_back(m_visible[i]->id);
    }
}

/// Where the row is too short for all cards, wide ones show fewer columns, so that the others stay in sight: all cards
/// that are wider than the others leave them share what is left equally. Each keeps half of the row, and in any case
/// its formula with a few columns beside it.
void StagePlanner::limitWidths(const std::vector<qreal>& widths) {
    const qreal room = widestCard();
    std::vector<qreal> sorted = widths;
    std::sort(sorted.begin(), sorted.end());
    qreal left = room - kCardGap * static_cast<qreal>(sorted.size() - 1), share = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        share = left / static_cast<qreal>(sorted.size() - i);
        if (sorted[i] > share) break;
        left -= sorted[i];
    }
    share = std::floor(std::max(share, (room - kCardGap) * kLeastShare));
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] <= share) continue;
        const qreal least = leastCardWidth(m_state, *m_visible[i], {m_codeChars});
        m_limits.emplace_back(m_visible[i]->id, std::min(widestCard(), std::max(share, least)));
    }
}

/// Cards as tall as they like.
void StagePlanner::measureCards() {
    m_wish = std::floor(std::max({180.0, m_height * kCardsShare, std::min(kSlimCard, m_height - kLeastBelow)}));
    for (const TensorEntry* entry : m_visible) m_plan.cards.push_back(cardOf(*entry, m_wish));
    for (const CardLayout& card : m_plan.cards) m_natural = std::max(m_natural, card.size.height());
}

/// Takes over what `squeeze` leaves of the things below the cards, and counts their height.
void StagePlanner::apply(const Squeeze& squeeze) {
    const Index dims = m_selected->tensor.dim();
    m_chosen = &squeeze;
    m_otherCount = std::min(m_plan.others.size(), squeeze.others);
    m_laneCount = squeeze.noLanes || !m_singleRow ? 0 : squeeze.foldLanes ? 1 : m_plan.lanes.size();
    m_plan.secondHopRow = dims > 2 && m_singleRow && squeeze.secondRow;
    m_secondRow = m_plan.secondHopRow ? kSecondHopRow : 0;
    m_plan.downZone = dims > 1 && m_singleRow ? squeeze.down + (dims > 3 ? m_secondRow : 0) : 14;
    // Rows have room for arches between them; below the last one it is air.
    if (!m_singleRow && m_strip.outside.empty() && &squeeze == std::end(kSqueezes) - 1) m_plan.downZone = 4;
    if (hasOverviewWords(m_strip)) m_plan.downZone = std::max(m_plan.downZone, kOverviewWords);
    m_plan.upZone = kFlagZone + m_secondRow;
    m_strip.layout.cellHeight = std::min(m_cell, squeeze.cell);
    m_strip.layout.rowPitch = m_pitch - m_cell + m_strip.layout.cellHeight;
    m_plan.laneCaption = m_laneCount > 1 || (m_laneCount == 1 && !squeeze.foldLanes);
    m_rest = kTop + squeeze.gap + m_secondRow + m_strip.layout.rowPitch + (m_overflows ? m_map : 0) + m_plan.downZone +
             (m_strip.rowIndex ? kRowIndexHeight : 0) + (m_laneCount > 0 ? (m_plan.laneCaption ? 22 : 4) : 0) +
             static_cast<qreal>(m_laneCount) * kLanePitch + static_cast<qreal>(m_otherCount) * squeeze.otherPitch +
             (m_otherCount < m_plan.others.size() ? kShelf : 0) + m_frame.barHeight + kBottom;
}

/// Which cells the cards show in any case: those for which there is room when all else has given way. What gives way is
/// chosen afterwards, and so a larger stage never shows fewer.
void StagePlanner::wishForCells() {
    const auto leftBy = [this](const Squeeze& squeeze) {
        apply(squeeze);
        return m_height - m_rest;
    };
    // A copy is worth less without the storage that it was copied from.
    m_tightest = std::end(kSqueezes) - 1;
    if (m_copies) {
        const Squeeze* withSource = m_tightest;
        while (withSource->others == 0) --withSource;
        if (leftBy(*withSource) >= kLeastCard)
            m_tightest = withSource;
        else
            m_wish = kLeastCard; // with the source there are no more cells on the next higher stage
    }
    qreal most = leftBy(*m_tightest);
    if (!m_singleRow) {
        // A few rows of the strip are worth more than tall cards.
        const Index rows = std::min<Index>(m_strip.layout.rowCount(), kFewRows);
        most = std::max(std::min(most, kUsualCard), most - static_cast<qreal>(rows - 1) * m_strip.layout.rowPitch);
    }
    m_wish = std::max(kLeastCard, std::min(m_wish, most));
    m_enough = std::min(m_wish, m_natural);
    for (const CardLayout& card : m_plan.cards) {
        const bool fits = card.size.height() <= m_wish;
        const CardLayout wished = fits ? card : cardOf(*card.input.entry, m_wish);
        m_wished.push_back({cellsInSight(wished), wished.formula.size()});
    }
}

/// Whether cards of that height show what they are wished to.
bool StagePlanner::keepsCells(qreal height) {
    if (height >= m_enough) return true;
    if (height <= m_tooLow) return false;
    for (std::size_t i = 0; i < m_plan.cards.size(); ++i) {
        const CardLayout card = cardOf(*m_plan.cards[i].input.entry, height);
        const Wished& wished = m_wished[i];
        if (card.size.height() > height || card.formula.size() < wished.terms ||
            cellsInSight(card) < wished.cells - 0.5) {
            m_tooLow = height;
            return false;
        }
    }
    m_enough = height;
    return true;
}

/// What is below the cards gives way in the order of the design for narrow windows.
void StagePlanner::chooseSqueeze() {
    const std::size_t others = m_plan.others.size();
    const auto choose = [&] {
        // Cards as high as they like, with every strip; else high enough for their cells and the formula.
        for (const bool whole : {true, false}) {
            for (const Squeeze* squeeze = std::begin(kSqueezes); squeeze <= m_tightest; ++squeeze) {
                if (squeeze->forCopies && !m_copies) continue;
                apply(*squeeze);
                const qreal left = m_height - m_rest;
                if (whole && m_otherCount < others) break;
                if (whole ? left >= m_natural : keepsCells(left)) return;
                // Before lanes fold, cards give what is only air in them.
                const bool folds = !squeeze->foldLanes && (squeeze + 1)->foldLanes && m_laneCount > 1;
                if (whole && folds && keepsCells(left)) return;
            }
        }
        apply(*m_tightest);
    };
    choose();
    // On the lowest stages the names of the other storages stand in the list alone.
    m_shelf = m_otherCount < others && m_height - m_rest >= kLeastCard;
    if (!m_shelf && m_otherCount < others) m_rest -= kShelf;
}

/// The height of the cards, and how many rows of the strip are in sight.
void StagePlanner::chooseRows() {
    const auto cardsIn = [this](qreal left) { return std::min({m_natural, m_wish, std::max(kLeastCard, left)}); };
    m_cardHeight = cardsIn(m_height - m_rest);
    if (m_singleRow) return;
    const Squeeze* const first = m_chosen;
    const std::size_t others = m_otherCount;
    const Index all = m_strip.layout.rowCount();
    const auto choose = [&] {
        // No last cells of a strip of few rows are hidden below, as long as air pays for it: then it has no map either.
        for (Index rows = all <= kWholeRows ? all : kFewRows; rows > 1; --rows) {
            for (const bool usual : {true, false}) {
                for (const Squeeze* next = first; next <= m_tightest; ++next) {
                    if (next->forCopies && !m_copies) continue;
                    if (std::min(m_plan.others.size(), next->others) < others) break;
                    apply(*next);
                    if (others < m_plan.others.size() && !m_shelf) m_rest -= kShelf;
                    const bool whole = rows == all;
                    const qreal map = whole && m_overflows && !m_strip.scrollsColumns() ? m_map : 0;
                    const qreal words = hasOverviewWords(m_strip) ? kOverviewWords : 0;
                    const qreal spare = whole ? std::min(m_plan.downZone - words, kLastGap) : 0;
                    const qreal left =
                        m_height - (m_rest - map - spare) - static_cast<qreal>(rows - 1) * m_strip.layout.rowPitch;
                    if ((usual && left < std::min(m_natural, kUsualCard)) || !keepsCells(left)) continue;
                    m_rows = rows;
                    m_cardHeight = cardsIn(left);
                    m_plan.downZone -= spare;
                    return true;
                }
            }
        }
        return false;
    };
    if (!choose()) {
        apply(*first);
        if (others < m_plan.others.size() && !m_shelf) m_rest -= kShelf;
    }
    if (m_rows < all) {
        const qreal air = m_height - m_rest - m_cardHeight;
        m_rows = std::clamp<Index>(1 + static_cast<Index>(std::floor(air / m_strip.layout.rowPitch)), m_rows, all);
    }
}

/// Lanes that were folded into one come back as far as air is left, the selected tensor's in any case.
void StagePlanner::unfoldLanes() {
    const std::size_t all = m_plan.lanes.size();
    if (m_laneCount == 0 || m_laneCount >= all) return;
    qreal spare = m_height - m_rest - m_cardHeight;
    const auto fit = static_cast<std::size_t>(std::max(0.0, std::floor(spare / kLanePitch)));
    m_laneCount = std::min(all, m_laneCount + fit);
    spare -= static_cast<qreal>(fit) * kLanePitch;
    if (m_laneCount == 1) return;
    constexpr qreal kCaption = 18;
    m_plan.laneCaption = spare >= kCaption;
    if (m_laneCount == all) return;
    const auto selected = std::find(m_plan.lanes.begin(), m_plan.lanes.end(), m_selected);
    const auto last = m_plan.lanes.begin() + static_cast<std::ptrdiff_t>(m_laneCount) - 1;
    if (selected > last) std::iter_swap(selected, last);
}

/// The strips and lanes that stay, and the names of those that do not.
void StagePlanner::settleOthers() {
    if (m_shelf) makeShelf(m_plan, m_state, m_visible, m_otherCount, m_height - m_frame.barHeight - kShelf, m_width);
    m_plan.others.resize(m_otherCount);
    std::sort(m_plan.others.begin(), m_plan.others.end(),
              [](const StripPlan& a, const StripPlan& b) { return a.number < b.number; });
    for (StripPlan& other : m_plan.others) {
        other.tight = m_chosen->otherPitch < kOtherPitch;
        if (!other.tight && other.layout.cellWidth >= kNumberWidth - 8) {
            // Numbered cells have their indices, as those of the large strip.
            other.indexBelow = kSmallRuler;
            other.layout.rowPitch = other.layout.cellHeight + kSmallRuler;
        }
        m_plan.above += other.number < m_strip.number;
    }
    if (m_laneCount < m_plan.lanes.size()) {
        if (m_laneCount == 1) m_plan.lanes.front() = m_selected;
        m_plan.lanes.resize(m_laneCount);
    }
}

/// The row of cards: spare width is shared.
void StagePlanner::placeCards() {
    for (CardLayout& card : m_plan.cards) {
        if (card.size.height() > m_cardHeight) card = cardOf(*card.input.entry, m_cardHeight);
    }
    const qreal spare = m_plan.cardArea.width() - rowWidth();
    const qreal extra = spare > 0 ? std::min(48.0, std::floor(spare / static_cast<qreal>(m_plan.cards.size()))) : 0;
    m_plan.cardArea.setHeight(m_cardHeight);
    qreal x = m_plan.cardArea.left();
    for (CardLayout& card : m_plan.cards) {
        card.size = QSizeF(card.size.width() + extra, m_cardHeight);
        if (!card.input.wide) card.pill.translate(extra, 0); // stays at the right edge
        card.pos = QPointF(x, m_plan.cardArea.top());
        x += card.size.width() + kCardGap;
    }
    m_plan.cardsWidth = x - kCardGap - m_plan.cardArea.left();
    scrollCards(m_plan, m_state, m_selected->id);
}

/// In order of number, whichever is selected: a copy stays below what it was copied from.
void StagePlanner::placeStrips() {
    const auto placeOther = [](StripPlan& other, qreal top) {
        place(other, top, 1);
        other.layout.area.setHeight(other.layout.cellHeight);
        other.layout.area.moveTop(top + (other.handle.height() - other.layout.cellHeight) / 2);
        showOutside(other);
    };
    qreal y = m_plan.cardArea.bottom() + m_chosen->gap - kFlagZone;
    for (std::size_t i = 0; i < m_plan.above; ++i) {
        placeOther(m_plan.others[i], y);
        y += m_chosen->otherPitch;
    }
    y += kFlagZone + m_secondRow;
    m_plan.busY = m_plan.cardArea.bottom() + std::clamp(m_chosen->gap + m_secondRow - m_plan.upZone - 24, 12.0, 22.0);
    place(m_strip, y, m_rows);
    applyScroll(m_state, m_strip);
    showOutside(m_strip);
    y = m_strip.layout.area.bottom();
    if (m_strip.rowIndex) y += kRowIndexHeight;
    if (m_strip.scrollsRows() || m_strip.scrollsColumns()) {
        m_strip.miniMap = QRectF(m_strip.layout.area.left(), y + 3, m_strip.layout.area.width(), m_map - 6);
        y += m_map;
    }
    m_plan.strip = std::move(m_strip);
    y += m_plan.downZone;
    if (!m_plan.lanes.empty()) {
        if (m_plan.laneCaption) y += 14;
        m_plan.lanesTop = y;
        y += m_plan.laneCaption ? 8 : 4;
        y += static_cast<qreal>(m_plan.lanes.size()) * kLanePitch;
    }
    y += 8;
    for (std::size_t i = m_plan.above; i < m_plan.others.size(); ++i) {
        placeOther(m_plan.others[i], y);
        y += m_chosen->otherPitch;
    }
    placeColourBar(m_plan, m_state, m_frame);
}

} // namespace

const CardLayout* StagePlan::card(TensorId id) const {
    const auto it =
        std::find_if(cards.begin(), cards.end(), [id](const CardLayout& card) { return card.input.entry->id == id; });
    return it == cards.end() ? nullptr : &*it;
}

StagePlan planStage(const ExploreState& state) {
    if (state.options.presented) return planPresented(state);
    StagePlan plan = StagePlanner(state).plan();
    if (!plan.strip) return plan;
    // The whole of a small storage is worth more than the last digits of its values.
    ExploreState narrower = state;
    for (const qreal width : narrowerCells(state, *plan.strip)) {
        narrower.options.cellSize = width;
        StagePlan whole = StagePlanner(narrower).plan();
        if (!whole.strip->scrollsRows() && !whole.strip->scrollsColumns()) return whole;
    }
    return plan;
}

} // namespace stridescope
