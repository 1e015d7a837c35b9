// The Explore stage for a class: cards with brief heads, one strip, its name and the formula. No text gives way when
// room is short: fewer rows and cards are in sight, those round the picked cell.

#include "widgets/scene/strip_ruler.h"
#include "widgets/stage/presented_room.h"
#include "widgets/stage/stage_cards.h"
#include "widgets/stage/stage_frame.h"
#include "widgets/stage/stage_layout.h"
#include "widgets/stage/strip_plan.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kTop = 3, kLinks = 22, kLowLinks = 14, kNames = 24, kFormulaRow = 28;
/// The map shows heights where the stage is high enough.
constexpr qreal kMap = 14, kHighMap = 26;
/// Lower stages have no map of the strip: a row of cells is worth more.
constexpr qreal kRoomForMap = 230;
/// Over the strip for flag and even arches, under it for odd ones.
constexpr qreal kFlagRoom = 64, kArchRoom = 44;

class PresentedPlanner {
public:
    PresentedPlanner(const ExploreState& state, PresentedForm form, qreal links)
        : m_state(state), m_form(form), m_links(links), m_frame(frameOf(state, kTop)), m_width(state.viewport.width()),
          m_height(state.viewport.height()),
          m_map(m_height < kRoomForMap ? 0
                                       : std::clamp(kMap + std::floor((m_height - kRoomForMap) / 4), kMap, kHighMap)) {}

    StagePlan plan() {
        if (m_visible.empty()) return {};
        m_plan.cardArea = m_frame.cardArea;
        m_strip = m_frame.strip;
        shareHeight();
        placeCards();
        placeStrip();
        placeFormula();
        return std::move(m_plan);
    }
    /// Whether everything has room as it was planned.
    bool isWhole() const { return m_whole; }

private:
    void shareHeight();
    void placeCards();
    void placeStrip();
    void placeFormula();
    CardLayout cardOf(const TensorEntry& entry, qreal height) const;
    /// What the formula's terms read from: letters for indices where no cell is shown.
    std::vector<FormulaTerm> formulaAt(QPointF at, qreal room) const;
    qreal stripHeight(Index rows) const {
        const bool whole = rows >= m_strip.layout.rowCount() && !m_strip.scrollsColumns();
        return static_cast<qreal>(rows) * m_strip.layout.rowPitch + (m_strip.rowIndex ? kRowIndexHeight : 0) +
               (whole ? 0 : m_map);
    }

    const ExploreState& m_state;
    const PresentedForm m_form;
    const qreal m_links;
    const StageFrame m_frame;
    const std::vector<const TensorEntry*>& m_visible = m_frame.visible;
    const TensorEntry* const m_selected = m_frame.selected;
    const qreal m_width, m_height, m_map;
    StagePlan m_plan;
    StripPlan m_strip;
    /// What stands under the strip: its name and the formula in one line or in two, or one of them.
    enum class Line : quint8 { Shared, Both, Name, Formula, None } m_line = Line::Shared;
    qreal m_cardHeight = 0, m_names = kNames;
    Index m_rows = 1;
    bool m_whole = true;
};

/// The head over the cells while nothing is left out, else the one of all forms that shows most of them: the head over
/// or beside them, and of more than two dims panels or one slice.
CardLayout PresentedPlanner::cardOf(const TensorEntry& entry, qreal height) const {
    CardInput input = stageCardInput(m_state, entry, QSizeF(m_plan.cardArea.width(), height));
    const auto seen = [](const CardLayout& card) {
        return static_cast<double>(card.panels.size()) * static_cast<double>(card.shownRows) *
               static_cast<double>(card.shownCols);
    };
    const auto fits = [&](const CardLayout& card) {
        return card.size.height() <= height && card.size.width() <= m_plan.cardArea.width();
    };
    const auto excess = [&](const CardLayout& card) {
        return std::max(0.0, card.size.height() - height) + std::max(0.0, card.size.width() - m_plan.cardArea.width());
    };
    const auto isBetter = [&](const CardLayout& card, const CardLayout& than) {
        if (fits(card) != fits(than)) return fits(card);
        if (!fits(card)) return excess(card) < excess(than);
        if (card.picture && than.picture) // as large as its room, not as many cells
            return card.panels.front().area.height() > than.panels.front().area.height();
        return seen(card) > seen(than);
    };
    const auto rank = entry.tensor.dim();
    if (m_visible.size() > 1 && rank > 0 && rank < 4) {
        // Several cards stand beside one another as long as lines of the head cost no row.
        constexpr qreal kNarrow = 260;
        CardInput narrow = input;
        narrow.maxSize.setWidth(std::min(kNarrow, input.maxSize.width()));
        CardLayout card = layoutCard(narrow);
        if (card.size.height() <= height && card.shownRows >= card.rows && card.shownCols >= card.cols) return card;
    }
    std::optional<CardLayout> best;
    for (const bool slice : {false, true}) {
        if (slice && rank < 3) break;
        if (!slice && rank > 4) continue; // sliders are the mouse's
        for (const bool compact : {false, true}) {
            // One row in sight is worth more than what the formula says, too.
            if (compact && fits(*best) && best->shownRows >= std::min<Index>(best->rows, 2)) break;
            for (const bool beside : {false, true}) {
                if (beside && rank < 1) break;
                input.still = slice;
                input.wide = beside;
                input.compact = compact;
                CardLayout card = layoutCard(input);
                if (!best) {
                    best = std::move(card);
                    const bool whole = best->shownRows >= best->rows && best->shownCols >= best->cols;
                    if (fits(*best) && whole) return *best;
                } else if (isBetter(card, *best)) {
                    best = std::move(card);
                }
            }
        }
    }
    if (fits(*best) || m_form == PresentedForm::Whole) return *best;
    // The head beside the cells, and of the dims the numbers alone.
    for (const bool slice : {false, true}) {
        if (slice ? rank < 3 : rank > 4) continue;
        for (const qreal head : {84.0, 150.0}) {
            input.still = slice;
            input.wide = input.compact = input.brief = true;
            input.headWidth = head;
            CardLayout card = layoutCard(input);
            if (isBetter(card, *best)) best = std::move(card);
        }
    }
    return *best;
}

std::vector<FormulaTerm> PresentedPlanner::formulaAt(QPointF at, qreal room) const {
    const CardLayout* card = m_plan.card(m_selected->id);
    card::FormulaInput input;
    input.view = &m_selected->tensor.view();
    input.coord = card && !card->rings.empty() ? &card->rings.front() : nullptr;
    input.bytes = m_state.options.byteStrides;
    input.itemBytes = input.bytes ? static_cast<Index>(m_selected->tensor.itemSize()) : 1;
    input.symbols = false;
    return card::formulaTerms(input, at.x(), at.y(), room);
}

void PresentedPlanner::shareHeight() {
    const qreal room = m_width - 2 * kStageMargin;
    const std::vector<FormulaTerm> terms = formulaAt({}, room);
    const qreal rows = terms.back().rect.top() - terms.front().rect.top();
    // Beside it a few words at least: the storage's number.
    constexpr qreal kLeastWords = 40;
    const bool alone = rows > 0 || terms.back().rect.right() > room - kLeastWords;
    // On a low stage one line is all there is: the formula's, if that is enough for it.
    const bool low = m_height < kRoomForMap;
    m_line = !alone ? Line::Shared : !low ? Line::Both : rows > 0 ? Line::Name : Line::Formula;
    if (m_form == PresentedForm::Low && m_line == Line::Both) m_line = rows > 0 ? Line::Name : Line::Formula;
    if (m_form == PresentedForm::Least) m_line = Line::None;
    m_names = m_line == Line::None ? 0 : kNames + (m_line == Line::Both ? kFormulaRow + rows : 0);
    // Where cells share pixels it is said what these are, if the stage is high enough for a map.
    const qreal words = hasOverviewWords(m_strip) && m_map > 0 ? kOverviewWords : 0;
    const qreal fixed = kTop + m_links + m_names + m_frame.barHeight + words;
    const Index all = m_strip.layout.rowCount();
    // Cards end on whole pixels.
    const qreal cardRoom = std::floor(m_height - fixed - stripHeight(1));
    for (const TensorEntry* entry : m_visible) m_plan.cards.push_back(cardOf(*entry, cardRoom));
    qreal natural = 0;
    for (const CardLayout& card : m_plan.cards) natural = std::max(natural, card.size.height());
    m_cardHeight = std::min(natural, cardRoom);
    m_whole = natural <= m_cardHeight + 0.5;
    for (const CardLayout& card : m_plan.cards) m_whole = m_whole && card.size.width() <= m_plan.cardArea.width() + 0.5;
    while (m_rows < all && fixed + m_cardHeight + stripHeight(m_rows + 1) <= m_height) ++m_rows;
    const qreal spare = m_height - fixed - m_cardHeight - stripHeight(m_rows);
    const qreal under = m_selected->tensor.dim() > 1 ? kArchRoom : 0;
    m_plan.hops = all == 1 && m_strip.outside.empty() && spare >= kFlagRoom + under;
    m_plan.upZone = m_plan.hops ? kFlagRoom : 4;
    m_plan.downZone = words + (m_plan.hops ? under : 0);
    // What is left is air over the links, as far as that helps.
    constexpr qreal kMostAir = 24;
    m_plan.busY = m_plan.hops ? 0 : std::clamp(spare - 4, 0.0, kMostAir);
}

void PresentedPlanner::placeCards() {
    m_plan.cardArea.setHeight(m_cardHeight);
    const QRectF& area = m_plan.cardArea;
    qreal x = area.left();
    for (CardLayout& card : m_plan.cards) {
        if (card.size.height() > m_cardHeight) card = cardOf(*card.input.entry, m_cardHeight);
        card.size.setHeight(m_cardHeight);
        card.pos = QPointF(x, area.top());
        x += card.size.width() + kCardGap;
    }
    m_plan.cardsWidth = x - kCardGap - area.left();
    scrollCards(m_plan, m_state, m_selected->id);
}

void PresentedPlanner::placeStrip() {
    const qreal air = m_plan.busY;
    m_plan.busY = m_plan.cardArea.bottom() + 6;
    qreal y = m_plan.cardArea.bottom() + m_links + air + (m_plan.hops ? m_plan.upZone : 0);
    m_strip.visibleRows = m_rows;
    m_strip.layout.area.moveTop(y);
    m_strip.layout.area.setHeight(static_cast<qreal>(m_rows) * m_strip.layout.rowPitch);
    applyScroll(m_state, m_strip);
    showOutside(m_strip);
    y = m_strip.layout.area.bottom() + (m_strip.rowIndex ? kRowIndexHeight : 0);
    if (m_map > 0 && (m_strip.scrollsRows() || m_strip.scrollsColumns())) {
        m_strip.miniMap = QRectF(m_strip.layout.area.left(), y + 2, m_strip.layout.area.width(), m_map - 5);
        y += m_map;
    }
    y += m_plan.downZone;
    m_strip.handle = QRectF(kStageMargin, y, m_width - 2 * kStageMargin, kNames);
    m_plan.strip = std::move(m_strip);
    placeColourBar(m_plan, m_state, m_frame);
}

void PresentedPlanner::placeFormula() {
    QRectF& name = m_plan.strip->handle;
    const qreal room = name.width();
    if (m_line == Line::None) name = QRectF(name.topLeft(), QSizeF());
    if (m_line == Line::Name || m_line == Line::None) return;
    m_plan.formula = formulaAt({}, room);
    const qreal width = m_plan.formula.back().rect.right();
    const QPointF at = m_line == Line::Both ? QPointF(name.left(), name.top() + kNames + 16)
                                            : QPointF(name.right() - width - 2, name.top() + 16);
    for (FormulaTerm& term : m_plan.formula) term.rect.translate(at);
    if (m_line != Line::Both) name.setRight(std::max(name.left(), at.x() - 14));
}

struct FormedPlan {
    StagePlan plan;
    PresentedForm form; ///< None: not even the least one is whole
};

/// In the fullest form in which everything is whole, else in the least one.
FormedPlan fullestPlan(const ExploreState& state) {
    FormedPlan formed;
    for (const PresentedForm form : {PresentedForm::Whole, PresentedForm::Low, PresentedForm::Least}) {
        const auto draw = [&](qreal links) {
            PresentedPlanner planner(state, form, links);
            formed.plan = planner.plan();
            formed.form = planner.isWhole() ? form : PresentedForm::None;
        };
        draw(form == PresentedForm::Whole ? kLinks : kLowLinks);
        const std::optional<StripPlan>& strip = formed.plan.strip;
        const std::optional<Pick>& pick = state.selection.shown();
        // Over the strip stands where it is.
        if (form != PresentedForm::Whole && pick && strip && strip->storageId == pick->storageId &&
            !strip->inSight(pick->slot))
            draw(kLinks);
        if (formed.form != PresentedForm::None) break;
    }
    return formed;
}

} // namespace

StagePlan planPresented(const ExploreState& state) {
    return fullestPlan(state).plan;
}

PresentedForm presentedForm(const ExploreState& state) {
    return fullestPlan(state).form;
}

} // namespace stridescope
