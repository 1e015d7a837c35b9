// What the stage is told from outside: how to draw, where to go, and what to say.

#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/zoom_levels.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/explore_stage_p.h"

#include <algorithm>

namespace stridescope {

void ExploreStage::setTheme(const Theme& theme) {
    if (theme == m_theme) return;
    m_theme = theme;
    d->refresh(true);
}

void ExploreStage::setOptions(const StageOptions& options) {
    StageOptions next = options;
    next.cellSize = clampedCellSize(m_state, next.cellSize);
    next.wrapNumber = std::max<Index>(1, next.wrapNumber);
    if (next == m_state.options) return;
    const bool otherRows = next.wrap != m_state.options.wrap || next.wrapNumber != m_state.options.wrapNumber;
    // Another wrap keeps what is seen in sight: the picked cell, else the first one and a part of the selected view.
    std::optional<Index> first;
    const TensorEntry* selected = d->entry(m_state.selection.tensor);
    const bool seen = otherRows && d->plan.strip && selected && selected->tensor.defined() &&
                      selected->tensor.storage()->id() == d->plan.strip->storageId &&
                      showsPartOf(*d->plan.strip, selected->tensor.view());
    const std::optional<Pick>& pick = m_state.selection.pick;
    const bool picked =
        d->plan.strip && pick && pick->storageId == d->plan.strip->storageId && d->plan.strip->inSight(pick->slot);
    if (otherRows && d->plan.strip) {
        const StripLayout& layout = d->plan.strip->layout;
        const Index top = layout.firstRow * layout.perRow + layout.firstColumn;
        first = picked ? pick->slot : std::min(top, std::max<Index>(0, layout.cellCount - 1));
    }
    m_state.options = next;
    if (first) {
        m_state.scroll.remove(d->plan.strip->storageId);
        StagePlan plan = planStage(m_state);
        // Short rows of cells that a long row needed so narrow would be a few pixels beside an empty stage.
        constexpr qreal kLeastRow = 120;
        const StripLayout& rows = plan.strip->layout;
        if (rows.rowCount() > 1 && static_cast<qreal>(rows.perRow) * rows.cellWidth < kLeastRow) {
            m_state.options.cellSize = 0;
            plan = planStage(m_state);
        }
        m_state.scroll.insert(plan.strip->storageId, scrolledTo(*plan.strip, {}, *first));
    }
    d->endEdit();
    d->refresh(true);
    if (seen && !picked) d->bringSelectedIntoSight(false);
    Q_EMIT optionsChanged();
}

void ExploreStage::setCellText(CellText text) {
    d->changeOptions([text](StageOptions& options) { options.cellText = text; });
}
void ExploreStage::setRuler(StripItem::Ruler ruler) {
    d->changeOptions([ruler](StageOptions& options) { options.ruler = ruler; });
}
void ExploreStage::setByteStrides(bool on) {
    d->changeOptions([on](StageOptions& options) { options.byteStrides = on; });
}
void ExploreStage::setCacheLines(bool on) {
    d->changeOptions([on](StageOptions& options) { options.cacheLines = on; });
}
void ExploreStage::setHeat(bool on) {
    d->changeOptions([on](StageOptions& options) { options.heat = on; });
}
void ExploreStage::setReducedMotion(bool on) {
    d->changeOptions([on](StageOptions& options) { options.reducedMotion = on; });
}

void ExploreStage::setWrap(StripWrap wrap, qint64 number) {
    d->changeOptions([wrap, number](StageOptions& options) {
        options.wrap = wrap;
        if (wrap == StripWrap::Number) options.wrapNumber = number;
    });
}

void ExploreStage::jumpTo(qint64 slot) {
    if (!d->plan.strip) return;
    const StripPlan& strip = *d->plan.strip;
    if (slot < 0 || slot >= strip.layout.cellCount) {
        Refusal refusal;
        refusal.kind = ErrorKind::Index;
        refusal.id = "STAGE-01";
        refusal.message = PaintedText::tr("index %1 is outside storage #%2, which has %3")
                              .arg(slot)
                              .arg(strip.number)
                              .arg(elementsText(strip.layout.cellCount))
                              .toStdString();
        refusal.hint = PaintedText::tr("Type an index from 0 to %1.")
                           .arg(std::max<Index>(0, strip.layout.cellCount - 1))
                           .toStdString();
        showRefusal(PaintedText::tr("go to %1").arg(slot), refusal);
        return;
    }
    clearMessage();
    Pick pick{strip.storageId, slot, 0, {}};
    d->showCell(pick);
    m_model->setHover(std::nullopt);
    m_model->setPick(pick);
}

void ExploreStage::showRefusal(const QString& code, const Refusal& refusal) {
    m_state.message = StageMessage{code, refusal, m_state.selection.tensor};
    d->refresh();
}

void ExploreStage::clearMessage() {
    if (!m_state.message) return;
    m_state.message.reset();
    d->refresh();
}

} // namespace stridescope
