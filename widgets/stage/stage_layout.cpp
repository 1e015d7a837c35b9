#include "widgets/stage/stage_layout.h"

#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/strip_ruler.h"
#include "widgets/stage/stage_planner.h"
#include "widgets/stage/stage_scene_parts.h"
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

/// Of a row that is too short for its cards, what each of them may take in any case.
constexpr qreal kLeastShare = 0.5;
constexpr qreal kSmallRuler = 18;

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
        const QString more = PaintedText::tr("and %1 more").arg(all - i);
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

/// The map of few short rows needs no more width than they have: what is beside them stays free.
qreal mapWidth(const StripPlan& strip) {
    constexpr qreal kLeast = 240;
    const StripLayout& layout = strip.layout;
    const qreal row = layout.cellWidth * static_cast<qreal>(layout.perRow);
    return layout.rowCount() <= kWholeRows ? std::min(std::max(row, kLeast), layout.area.width()) : layout.area.width();
}

/// Rows of cells when all panels stand below one another.
Index rowsOf(const View& view) {
    return view.dim() < 2 ? 1 : view.numel() / std::max<Index>(view.shape.back(), 1);
}

} // namespace

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
    const auto widthOf = [&](const TensorEntry* entry, bool wide, bool whole = false) {
        return stageCardWidth(m_state, *entry, widestCard(), {m_codeChars, wide, whole});
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
    m_allWide = m_allWhole = false;
    if (total > room) return limitWidths(widths);
    // The highest first, and for each its code in one line before cells beside that; a wider stage gives no less.
    std::vector<std::size_t> order(m_visible.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return rowsOf(m_visible[a]->tensor.view()) > rowsOf(m_visible[b]->tensor.view());
    });
    for (const std::size_t i : order) {
        const qreal whole = std::max(widths[i], widthOf(m_visible[i], false, true));
        total += whole - widths[i];
        if (total > room) break;
        m_whole.push_back(m_visible[i]->id);
        total += std::max(0.0, widthOf(m_visible[i], true) - whole);
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

/// Low cards that have the facts alone are so narrow, where that brings all of them into sight and takes no cells. What
/// cannot be as narrow as its share leaves the others less.
void StagePlanner::narrowCards() {
    const qreal room = m_plan.cardArea.width();
    const std::size_t count = m_plan.cards.size();
    std::vector<CardLayout> wide;
    qreal total = kCardGap * static_cast<qreal>(count - 1);
    const qreal gaps = total;
    for (const CardLayout& card : m_plan.cards) {
        wide.push_back(card.size.height() <= m_wish ? card : cardOf(*card.input.entry, m_wish));
        if (headOf(wide.back()) > 1) return;
        total += wide.back().size.width();
    }
    if (total <= room) return;
    const auto before = m_limits;
    std::vector<qreal> least(count, 0);
    m_facts = true;
    constexpr int kTries = 8;
    constexpr qreal kStep = 8;
    for (int i = 0; i < kTries; ++i) {
        const auto free = static_cast<qreal>(std::count(least.begin(), least.end(), 0.0));
        const qreal rest = room - std::accumulate(least.begin(), least.end(), gaps);
        if (rest < 0) break;
        const qreal share = std::floor(rest / std::max(free, 1.0));
        m_limits.clear();
        for (std::size_t k = 0; k < count; ++k)
            m_limits.emplace_back(m_visible[k]->id, least[k] > 0 ? least[k] : share);
        std::vector<CardLayout> narrow;
        total = gaps;
        bool whole = true;
        for (std::size_t k = 0; k < count; ++k) {
            narrow.push_back(cardOf(*m_visible[k], m_wish));
            const QSizeF size = narrow.back().size;
            const qreal limit = m_limits[k].second;
            const bool shows = size.height() <= m_wish && cellsInSight(narrow.back()) >= cellsInSight(wide[k]) - 0.5;
            whole &= shows;
            if (!shows || size.width() > limit) least[k] = std::max(size.width(), shows ? 0 : limit + kStep);
            total += size.width();
        }
        if (!whole || total > room) continue;
        m_plan.cards = std::move(narrow);
        m_natural = 0;
        for (const CardLayout& card : m_plan.cards) m_natural = std::max(m_natural, card.size.height());
        return;
    }
    m_facts = false;
    m_limits = before;
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
        fillSpareRoom(card);
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
    // Tethers and links pass between the cards and the first handle: low strips give them of the air below what they
    // lack above, and so does the air over the offset flag.
    constexpr qreal kHandleHeight = 36, kAirBelow = 2, kAirOverFlag = 6;
    const std::size_t tethers = std::min(m_plan.others.size() + 1, kMostTethers);
    const qreal pass = kTetherPass + kTetherLane * static_cast<qreal>(tethers - 1) + kTetherAir;
    const qreal spare =
        m_chosen->otherPitch == kTightPitch ? kTightPitch - kHandleHeight + kAirOverFlag - kAirBelow : 0;
    const qreal lower = std::clamp(pass - (m_chosen->gap - kFlagZone), 0.0, spare);
    for (std::size_t i = 0; i < m_plan.above; ++i) {
        placeOther(m_plan.others[i], y + lower);
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
        m_strip.miniMap = QRectF(m_strip.layout.area.left(), y + 3, mapWidth(m_strip), m_map - 6);
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
