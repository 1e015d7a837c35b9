#pragma once
// The plan of the stage in the making. Only stage_layout.cpp and stage_squeeze.cpp see it.

#include "widgets/stage/stage_cards.h"
#include "widgets/stage/stage_frame.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace stridescope {

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
inline constexpr qreal kOtherPitch = 62, kTightPitch = 44;
inline constexpr Squeeze kSqueezes[] = {
    {130, false, false, 8, kOtherPitch, 46, true, 42},     {118, false, false, 8, kOtherPitch, 46, true, 42},
    {106, false, false, 8, kOtherPitch, 46, true, 42},     {106, true, false, 8, kOtherPitch, 46, true, 42},
    {100, true, false, 8, kTightPitch, 46, true, 42},      {92, true, true, 8, kTightPitch, 46, true, 42},
    {84, true, true, 8, kTightPitch, 46, true, 34},        {84, true, true, 2, kTightPitch, 46, true, 34},
    {80, true, true, 1, kTightPitch, 46, true, 34},        {80, true, true, 1, kTightPitch, 46, false, 34},
    {80, true, true, 1, kTightPitch, 14, false, 34, true}, {64, true, true, 1, kTightPitch, 14, false, 28, true},
    {80, true, true, 0, kTightPitch, 46, false, 34},       {64, true, true, 0, kTightPitch, 46, false, 32},
    {80, true, true, 0, kTightPitch, 14, false, 34},       {64, true, true, 0, kTightPitch, 14, false, 32},
    {60, true, true, 0, kTightPitch, 14, false, 28},
};
/// Below this height a card has nothing left to leave out.
inline constexpr qreal kLeastCard = 140, kTooLow = kLeastCard - 0.5;
/// Code is broken after fewer characters where the row of cards would have to scroll.
inline constexpr int kUsualCode = 40, kNarrowCode = 24;
/// Height over a strip for its offset flag and hops.
inline constexpr qreal kFlagZone = 58;
/// The map shows heights where a stage is high enough; of every pixel more than kLowStage half is the cards' meanwhile.
inline constexpr qreal kMiniMap = 26, kLowMiniMap = 16, kLowStage = 410;
inline constexpr qreal kShelf = 30;
/// Strips of so many rows are shown whole where that is possible.
inline constexpr Index kWholeRows = 4;

/// Makes one plan, step by step; every step reads what the ones before it settled.
class StagePlanner {
public:
    explicit StagePlanner(const ExploreState& state)
        : m_state(state), m_frame(frameOf(state, kStageTop)), m_width(state.viewport.width()),
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
    void growForBlocks(qreal most);
    void chooseRows();
    void unfoldLanes();
    void settleOthers();
    void placeCards();
    void narrowCards();
    void placeStrips();

    CardLayout cardOf(const TensorEntry& entry, qreal height) const {
        return stageCard(m_state, entry, QSizeF(limitOf(entry), height), freedomOf(entry));
    }
    CardFreedom freedomOf(const TensorEntry& entry) const {
        CardFreedom freedom{m_codeChars};
        const auto isIn = [&entry](const std::vector<TensorId>& ids) {
            return std::find(ids.begin(), ids.end(), entry.id) != ids.end();
        };
        freedom.facts = m_facts;
        freedom.wide = m_allWide || isIn(m_wide);
        freedom.whole = m_allWhole || isIn(m_whole);
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
    bool asksForRows() const;
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
    bool m_allWide = true;        ///< every card may have its cells beside its formula …
    std::vector<TensorId> m_wide; ///< … else these
    bool m_allWhole = true;       ///< likewise, may have its code in one line
    std::vector<TensorId> m_whole;
    std::vector<std::pair<TensorId, qreal>> m_limits; ///< widths of the cards that leave room to the others
    bool m_facts = false;                             ///< narrow cards, with the facts alone
    qreal m_natural = 0;                              ///< height of the tallest card when nothing is left out
    struct Wished {
        double cells;
        std::size_t terms; ///< of the formula
        int head;
        bool told;   ///< it has only the facts, and words about what is out of sight
        qreal fault; ///< of its block; below 0 without one
    };
    std::vector<Wished> m_wished;                        ///< of each card, in its order
    qreal m_wish = 0;                                    ///< cards are never higher
    qreal m_enough = 0, m_tooLow = kTooLow;              ///< heights of cards that show that, and that do not
    qreal m_low = 0;                                     ///< of the lowest cards with their whole heads
    const Squeeze* m_tightest = std::end(kSqueezes) - 1; ///< the last one to be tried

    const Squeeze* m_chosen = nullptr;
    std::size_t m_otherCount = 0, m_laneCount = 0;
    qreal m_secondRow = 0;
    qreal m_rest = 0; ///< height of everything but the cards and further rows of the strip
    bool m_shelf = false;
    qreal m_cardHeight = 0;
    Index m_rows = 1; ///< of the strip, in sight
};

} // namespace stridescope
