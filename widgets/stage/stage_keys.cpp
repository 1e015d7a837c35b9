// The keyboard of ExploreStage: everything that the mouse does.

#include "widgets/stage/explore_stage_p.h"
#include "widgets/stage/linking.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace stridescope {

std::optional<Pick> ExploreStage::Private::keyPick() const {
    const Selection& selection = q->m_state.selection;
    if (stripFocused() && focusShown && plan.strip) {
        if (selection.pick && selection.pick->storageId == plan.strip->storageId) {
            return Pick{selection.pick->storageId, selection.pick->slot, 0, {}};
        }
        return std::nullopt;
    }
    if (!selection.pick || !focusShown || plan.empty()) return selection.pick;
    // On a focused card: the same storage cell as that card shows it.
    const TensorEntry& focused = *plan.cards[static_cast<std::size_t>(focus)].input.entry;
    if (selection.pick->tensor == focused.id) return selection.pick;
    if (const std::optional<Dims> coord = linkedCoord(focused, selection.pick)) return pickOf(focused, *coord);
    return std::nullopt;
}

void ExploreStage::Private::movePickTo(const Pick& pick) {
    q->m_model->setHover(std::nullopt);
    if (pick.tensor) q->m_model->select(pick.tensor);
    q->m_model->setPick(pick);
}

int ExploreStage::Private::dimOf(const Pick& pick, std::size_t fromInside) const {
    if (fromInside >= pick.coord.size()) return -1;
    // A card that is not on the stage is not seen in any other way either.
    const CardLayout* card = plan.card(pick.tensor);
    const bool seen = card && card->view.shape.size() == pick.coord.size();
    return seen ? card->dimsFromInside()[fromInside] : static_cast<int>(pick.coord.size() - 1 - fromInside);
}

void ExploreStage::Private::movePick(std::size_t fromInside, Index by) {
    if (plan.empty() || !plan.strip) return;
    std::optional<Pick> pick = keyPick();
    const bool onStrip = focusShown && stripFocused();
    if (!pick) {
        // The first arrow shows where one is; the next ones move.
        if (onStrip) {
            const StripLayout& layout = plan.strip->layout;
            if (layout.cellCount > 0) {
                movePickTo(Pick{plan.strip->storageId, layout.firstRow * layout.perRow + layout.firstColumn, 0, {}});
            }
            return;
        }
        const std::size_t at = std::min(static_cast<std::size_t>(focus), plan.cards.size() - 1);
        const TensorEntry& tensor = *plan.cards[at].input.entry;
        if (tensor.tensor.numel() > 0) movePickTo(pickOf(tensor, Dims(tensor.tensor.shape().size(), 0)));
        return;
    }
    const TensorEntry* tensor = entry(pick->tensor);
    if (const int dim = dimOf(*pick, fromInside); tensor && dim >= 0) {
        const auto d = static_cast<std::size_t>(dim);
        Dims coord = pick->coord;
        coord[d] = std::clamp<Index>(coord[d] + by, 0, tensor->tensor.shape()[d] - 1);
        movePickTo(pickOf(*tensor, coord));
        return;
    }
    if (tensor && fromInside < 2) return; // no such dim: a 1-d card has no up and down
    const StripPlan& strip = *plan.strip;
    if (pick->storageId != strip.storageId) return;
    const bool vertical = fromInside % 2 == 1;
    const Index step = vertical ? strip.layout.perRow : 1;
    const Index slot = pick->slot + by * step;
    if (slot >= 0 && slot < strip.layout.cellCount) movePickTo(Pick{strip.storageId, slot, 0, {}});
}

bool ExploreStage::Private::moveToSlice(Index by) {
    const std::optional<Pick> pick = keyPick();
    const TensorEntry* tensor = pick ? entry(pick->tensor) : nullptr;
    if (!tensor || pick->coord.size() <= 2) return false;
    // As a counter counts: the third dim from inside is its last digit.
    Dims coord = pick->coord;
    for (std::size_t fromInside = 2; fromInside < coord.size(); ++fromInside) {
        const auto d = static_cast<std::size_t>(dimOf(*pick, fromInside));
        const Index size = tensor->tensor.shape()[d], next = coord[d] + by;
        if (next >= 0 && next < size) {
            coord[d] = next;
            movePickTo(pickOf(*tensor, coord));
            return true;
        }
        coord[d] = by > 0 ? 0 : size - 1;
    }
    return true; // the last slice, or the first one, is where it ends
}

bool ExploreStage::Private::handleKey(QKeyEvent* event) {
    const bool ctrl = event->modifiers() & Qt::ControlModifier;
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const auto moveTo = [&](std::size_t fromInside, bool toEnd) {
        const std::optional<Pick> pick = keyPick();
        if (!pick) return;
        if (const TensorEntry* tensor = entry(pick->tensor)) {
            Dims coord = pick->coord;
            const int found = dimOf(*pick, fromInside);
            if (found < 0) return;
            const auto dim = static_cast<std::size_t>(found);
            coord[dim] = toEnd ? tensor->tensor.shape()[dim] - 1 : 0;
            movePickTo(pickOf(*tensor, coord));
        }
    };
    const bool onStrip = focusShown && stripFocused();
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const Index by = event->key() == Qt::Key_Right ? 1 : -1;
        if (ctrl && shift) {
            // The keyboard's twin of dragging a header.
            if (plan.empty() || onStrip) return true;
            q->moveCard(cardIds()[static_cast<std::size_t>(focus)], static_cast<int>(by));
            return true;
        }
        movePick(ctrl ? 2 : 0, by);
        return true;
    }
    case Qt::Key_Up:
    case Qt::Key_Down:
        movePick(ctrl ? 3 : 1, event->key() == Qt::Key_Down ? 1 : -1);
        return true;
    case Qt::Key_Home:
    case Qt::Key_End: {
        const bool end = event->key() == Qt::Key_End;
        if (!onStrip && keyPick() && keyPick()->tensor) {
            moveTo(0, end);
            if (ctrl) moveTo(1, end);
            return true;
        }
        if (!plan.strip) return true;
        const qreal far = 9e18;
        setScroll(scrolledBy(*plan.strip, q->m_state.scroll.value(plan.strip->storageId), end ? far : -far,
                             end ? far : -far));
        return true;
    }
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: {
        const qreal by = event->key() == Qt::Key_PageDown ? 1 : -1;
        if (!onStrip && keyPick() && keyPick()->tensor) {
            // Where a card has no room for sliders, too, every slice can be reached.
            if (ctrl && moveToSlice(static_cast<Index>(by))) return true;
            if (const CardLayout* card = plan.card(keyPick()->tensor)) {
                movePick(1, static_cast<Index>(by) * std::max<Index>(1, card->shownRows - 1));
            }
            return true;
        }
        if (!plan.strip) return true;
        const QRectF& area = plan.strip->layout.area;
        if (plan.strip->scrollsRows()) {
            scrollBy(0, by * std::max(plan.strip->layout.rowPitch, area.height() - plan.strip->layout.rowPitch));
        } else {
            scrollBy(by * area.width() * 0.9, 0);
        }
        return true;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F2:
        if (const std::optional<Pick> pick = q->m_state.selection.pick) {
            // Scrolled away, it comes back: a cell is written where it can be seen.
            showCell(*pick);
            refresh();
            startEdit(*pick);
        }
        return true;
    case Qt::Key_Escape:
        leaveMode();
        return true;
    case Qt::Key_G:
        if (!ctrl) return false;
        q->askForIndex();
        return true;
    case Qt::Key_0:
        if (!ctrl) return false;
        q->zoom(Zoom::Actual);
        return true;
    case Qt::Key_9:
        if (!ctrl) return false;
        q->zoom(Zoom::Whole);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus:
        if (!ctrl || !plan.strip) return false;
        q->zoom(event->key() == Qt::Key_Minus ? Zoom::Out : Zoom::In);
        return true;
    case Qt::Key_Delete:
        if (plan.empty() || onStrip) return false;
        Q_EMIT q->deleteRequested(q->m_state.selection.tensor);
        return true;
    default:
        return false;
    }
}

QRectF ExploreStage::pickedRect() const {
    const std::optional<Pick> pick = d->keyPick() ? d->keyPick() : m_state.selection.pick;
    if (!pick) return {};
    if (const CardLayout* card = d->plan.card(pick->tensor)) return card->cellRect(pick->coord).value_or(QRectF());
    if (!d->plan.strip || d->plan.strip->storageId != pick->storageId) return {};
    const QRectF cell = d->plan.strip->layout.cellRect(pick->slot);
    return cell & d->plan.strip->layout.area;
}

QRectF ExploreStage::pickedCard() const {
    const std::optional<Pick> pick = d->keyPick() ? d->keyPick() : m_state.selection.pick;
    const CardLayout* card = pick ? d->plan.card(pick->tensor) : nullptr;
    return card ? card->frame() : QRectF();
}

void ExploreStage::Private::leaveMode() {
    if (editor) {
        endEdit();
    } else if (drag != DragKind::None) {
        cancelDrag();
    } else if (q->m_state.message) {
        q->clearMessage();
    } else if (q->m_state.selection.hover) {
        q->m_model->setHover(std::nullopt);
    } else {
        q->m_model->setPick(std::nullopt);
    }
}

void ExploreStage::keyPressEvent(QKeyEvent* event) {
    if (!d->focusShown && event->key() != Qt::Key_Escape) {
        d->focusShown = true;
        update(d->onWidget(d->focusRect()));
    }
    if (d->handleKey(event)) {
        event->accept();
        return;
    }
    // Typing a number over a picked cell edits it, as in a table.
    const QString text = event->text();
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (plain && m_state.selection.pick && text.size() == 1 &&
        (text.at(0).isDigit() || text.at(0) == QLatin1Char('-') || text.at(0) == QLatin1Char('.'))) {
        d->startEdit(*m_state.selection.pick, text);
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

bool ExploreStage::focusNextPrevChild(bool next) {
    if (d->editor || d->focusCount() == 0) return QWidget::focusNextPrevChild(next);
    if (!d->focusShown) {
        d->setFocusItem(d->focus);
        if (hasFocus()) return true;
    }
    const int index = d->focus + (next ? 1 : -1);
    if (index < 0 || index >= d->focusCount()) return QWidget::focusNextPrevChild(next);
    d->setFocusItem(index);
    return true;
}

} // namespace stridescope
