// What gives way where the stage is short: the order in which strips, lanes, hops and rows are left out.

#include "widgets/scene/strip_ruler.h"
#include "widgets/stage/stage_planner.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace stridescope {

namespace {

/// Cards are usually no higher; beside rows that were asked for they may be so low that two rows of cells are left.
constexpr qreal kUsualCard = 304;
/// A card of four rows with nothing left out but air, and what is below the cards at least.
constexpr qreal kSlimCard = 236, kLeastBelow = 164;
/// Of the stage's height, what cards may take to show all their cells.
constexpr qreal kCardsShare = 0.56;
/// Of more rows than kWholeRows so many are worth more than tall cards; under the last row no arches need room.
constexpr Index kFewRows = 3;
constexpr qreal kLastGap = 14;
constexpr qreal kBottom = 6;

} // namespace

/// Cards as tall as they like.
void StagePlanner::measureCards() {
    m_wish = std::floor(std::max({180.0, m_height * kCardsShare, std::min(kSlimCard, m_height - kLeastBelow)}));
    for (const TensorEntry* entry : m_visible) m_plan.cards.push_back(cardOf(*entry, m_wish));
    for (const CardLayout& card : m_plan.cards) {
        const TensorEntry& entry = *card.input.entry;
        m_natural = std::max(m_natural, card.size.height());
        m_low = std::max(m_low, lowCardHeight(m_state, entry, limitOf(entry), freedomOf(entry)));
    }
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
    m_rest = kStageTop + squeeze.gap + m_secondRow + m_strip.layout.rowPitch + (m_overflows ? m_map : 0) +
             m_plan.downZone + (m_strip.rowIndex ? kRowIndexHeight : 0) +
             (m_laneCount > 0 ? (m_plan.laneCaption ? 22 : 4) : 0) + static_cast<qreal>(m_laneCount) * kLanePitch +
             static_cast<qreal>(m_otherCount) * squeeze.otherPitch +
             (m_otherCount < m_plan.others.size() ? kShelf : 0) + m_frame.barHeight + kBottom;
}

/// Whether rows have a length that was asked for and that is in sight.
bool StagePlanner::asksForRows() const {
    const StripWrap wrap = m_state.options.wrap;
    const bool inSight = wrap != StripWrap::Row || !m_strip.scrollsColumns();
    return wrap != StripWrap::Fit && inSight;
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
    const qreal all = m_singleRow ? most : most - m_strip.layout.rowPitch;
    if (!m_singleRow) {
        // A few rows of the strip are worth more than tall cards. Rows of a length that was asked for are what is
        // looked at: where they are few they are whole, and cards, which can scroll, show fewer of theirs.
        const Index all = m_strip.layout.rowCount();
        const bool few = asksForRows() && all <= kWholeRows;
        const Index rows = few ? all : std::min<Index>(all, kFewRows);
        most = std::max(std::min(most, asksForRows() ? std::min(m_low, kUsualCard) : kUsualCard),
                        most - static_cast<qreal>(rows - 1) * m_strip.layout.rowPitch);
    }
    m_wish = std::max(kLeastCard, std::min(m_wish, most));
    narrowCards();
    growForBlocks(all);
    m_enough = std::min(m_wish, m_natural);
    for (const CardLayout& card : m_plan.cards) {
        const bool fits = card.size.height() <= m_wish;
        const CardLayout wished = fits ? card : cardOf(*card.input.entry, m_wish);
        m_wished.push_back({cellsInSight(wished), wished.formula.size(), headOf(wished),
                            headOf(wished) == 1 && tellsLeftOut(wished), wished.block ? wished.block->fault() : -1});
    }
}

/// A block that was asked for is high: cards may take what the strip does not need for two rows, no more than makes the
/// block stand well.
void StagePlanner::growForBlocks(qreal most) {
    constexpr qreal kWell = 8, kStep = 8, kWorth = 2;
    qreal wanted = m_wish;
    for (const CardLayout& card : m_plan.cards) {
        const TensorEntry& entry = *card.input.entry;
        if (card.input.mode != CardMode::Blocks || !fitsBlocks(card.view)) continue;
        std::optional<qreal> least;
        for (qreal height = m_wish; height <= std::max(most, m_wish); height += kStep) {
            const CardLayout grown = cardOf(entry, height);
            if (!grown.block || (least && grown.block->fault() > *least - kWorth)) continue;
            least = grown.block->fault();
            wanted = std::max(wanted, height);
            if (*least <= kWell) break;
        }
    }
    if (wanted <= m_wish) return;
    m_wish = wanted;
    m_natural = 0;
    for (CardLayout& card : m_plan.cards) {
        card = cardOf(*card.input.entry, m_wish);
        m_natural = std::max(m_natural, card.size.height());
    }
}

/// Whether cards of that height show what they are wished to.
bool StagePlanner::keepsCells(qreal height) {
    if (height >= m_enough) return true;
    if (height <= m_tooLow) return false;
    for (std::size_t i = 0; i < m_plan.cards.size(); ++i) {
        const CardLayout card = cardOf(*m_plan.cards[i].input.entry, height);
        const Wished& wished = m_wished[i];
        if (card.size.height() > height || card.formula.size() < wished.terms || headOf(card) < wished.head ||
            (wished.told && !tellsLeftOut(card)) || cellsInSight(card) < wished.cells - 0.5 ||
            (wished.fault >= 0 && (!card.block || card.block->fault() > wished.fault))) {
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
    // Few rows of a length that was asked for are what is looked at: before them other storages' strips give way. The
    // heads of the cards do not: rows that are left out can be scrolled to.
    const bool asked = asksForRows() && all <= kWholeRows;
    enum class Cards { Usual, Low };
    const auto choose = [&] {
        // No last cells of a strip of few rows are hidden below, as long as air pays for it: then it has no map either.
        for (Index rows = all <= kWholeRows ? all : kFewRows; rows > 1; --rows) {
            for (const Cards cards : {Cards::Usual, Cards::Low}) {
                for (const Squeeze* next = first; next <= m_tightest; ++next) {
                    if (next->forCopies && !m_copies) continue;
                    const bool fewer = std::min(m_plan.others.size(), next->others) < others;
                    if (fewer && !asked) break;
                    apply(*next);
                    if (!fewer && others < m_plan.others.size() && !m_shelf) m_rest -= kShelf;
                    const bool whole = rows == all;
                    const qreal map = whole && m_overflows && !m_strip.scrollsColumns() ? m_map : 0;
                    const qreal words = hasOverviewWords(m_strip) ? kOverviewWords : 0;
                    const qreal spare = whole ? std::min(m_plan.downZone - words, kLastGap) : 0;
                    const qreal left =
                        m_height - (m_rest - map - spare) - static_cast<qreal>(rows - 1) * m_strip.layout.rowPitch;
                    if ((cards == Cards::Usual && left < std::min(m_natural, kUsualCard)) || !keepsCells(left))
                        continue;
                    m_shelf |= fewer;
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
    constexpr qreal kCaption = 18, kMoreWords = 160;
    if (m_laneCount < all && spare < kCaption) {
        // Which views have no lane is said beside a short strip, else in the caption.
        const StripLayout& layout = m_strip.layout;
        const qreal beside = layout.area.width() - layout.cellWidth * static_cast<qreal>(layout.cellCount);
        if (beside < kMoreWords && keepsCells(m_cardHeight - kCaption)) {
            m_cardHeight -= kCaption;
            spare += kCaption;
        } else if (beside < kMoreWords && m_laneCount > 1) {
            --m_laneCount;
            spare += kLanePitch;
        }
    }
    m_plan.laneCaption = spare >= kCaption && (m_laneCount > 1 || m_laneCount < all);
    if (m_laneCount == all || m_laneCount == 1) return;
    const auto selected = std::find(m_plan.lanes.begin(), m_plan.lanes.end(), m_selected);
    const auto last = m_plan.lanes.begin() + static_cast<std::ptrdiff_t>(m_laneCount) - 1;
    if (selected > last) std::iter_swap(selected, last);
}

} // namespace stridescope
