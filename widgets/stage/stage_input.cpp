// Mouse, wheel and menus of ExploreStage.

#include "core/view/inverse.h"
#include "widgets/scene/painted_text.h"
#include "widgets/stage/explore_stage_p.h"
#include "widgets/stage/linking.h"
#include "widgets/stage/stage_help.h"
#include "widgets/stage/stage_scene_parts.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace stridescope {

namespace {

/// Rows of numbers are higher than that, rows of colours lower.
constexpr qreal kNumberedRow = 40;

} // namespace

Pick pickOfElement(const TensorEntry& tensor, const Dims& coord) {
    return Pick{tensor.tensor.storage()->id(), tensor.tensor.view().slot(coord), tensor.id, coord};
}

Pick ExploreStage::Private::pickOf(const TensorEntry& tensor, const Dims& coord) const {
    return pickOfElement(tensor, coord);
}

std::optional<Pick> ExploreStage::Private::pickAt(QPointF p) const {
    const Hit hit = hitTest(scene, p);
    switch (hit.part.kind) {
    case PartKind::CardCells:
        if (const TensorEntry* tensor = entry(hit.part.tensor); tensor && hit.coord) return pickOf(*tensor, *hit.coord);
        return std::nullopt;
    case PartKind::StripCells:
        if (hit.slot) return Pick{hit.part.storageId, *hit.slot, 0, {}};
        return std::nullopt;
    case PartKind::LaneCells:
        if (const TensorEntry* tensor = entry(hit.part.tensor); tensor && hit.slot) {
            const InverseHits hits = coordsAt(tensor->tensor.view(), *hit.slot, 1);
            if (!hits.coords.empty()) return pickOf(*tensor, hits.coords.front());
        }
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

Hit ExploreStage::Private::gripAt(QPointF p) const {
    // An edge can be gripped from inside, too, where its cell is large enough to be pointed at beside that.
    constexpr qreal kReach = 3, kLeastCell = 16;
    const Hit hit = hitTest(scene, p);
    if (hit.part.kind != PartKind::CardCells || !hit.coord) return hit;
    const QRectF& cell = hit.rect;
    for (const auto& [by, distance, size] : {std::tuple(QPointF(kReach, 0), cell.right() - p.x(), cell.width()),
                                             std::tuple(QPointF(-kReach, 0), p.x() - cell.left(), cell.width()),
                                             std::tuple(QPointF(0, kReach), cell.bottom() - p.y(), cell.height()),
                                             std::tuple(QPointF(0, -kReach), p.y() - cell.top(), cell.height())}) {
        if (distance > kReach || size < kLeastCell) continue;
        Hit beside = hitTest(scene, p + by);
        if (beside.part.kind == PartKind::CardEdge && beside.part.tensor == hit.part.tensor) return beside;
    }
    return hit;
}

void ExploreStage::Private::hoverAt(QPointF p) {
    updateCursor(gripAt(p));
    q->m_model->setHover(pickAt(p));
}

void ExploreStage::Private::updateCursor(const Hit& hit) {
    Qt::CursorShape shape = Qt::ArrowCursor;
    switch (hit.part.kind) {
    case PartKind::OffsetFlag:
    case PartKind::CardDim:
        shape = Qt::OpenHandCursor;
        break;
    case PartKind::CardEdge: {
        const CardLayout* card = plan.card(hit.part.tensor);
        const bool column = card && hit.part.index / 2 == card->colDim;
        shape = column ? Qt::SizeHorCursor : Qt::SizeVerCursor;
        break;
    }
    case PartKind::CardCells:
        shape = Qt::CrossCursor;
        break;
    case PartKind::CardSlider:
    case PartKind::CardMode:
    case PartKind::Button:
        shape = Qt::PointingHandCursor;
        break;
    default:
        break;
    }
    if (q->cursor().shape() != shape) q->setCursor(shape);
}

void ExploreStage::Private::pin(const std::optional<Pick>& pick) {
    if (pick) {
        if (pick->tensor) q->m_model->select(pick->tensor);
        // Keys go on from where the mouse was.
        focus = static_cast<int>(plan.cards.size());
        for (std::size_t i = 0; i < plan.cards.size(); ++i) {
            if (plan.cards[i].input.entry->id == pick->tensor) focus = static_cast<int>(i);
        }
    }
    q->m_model->setPick(pick);
}

void ExploreStage::Private::showCell(const Pick& pick) {
    ExploreState& state = q->m_state;
    // Picked on a strip or on another card: every card that reaches the cell shows it, by its formula and lit.
    for (const CardLayout& card : plan.cards) {
        const TensorEntry& tensor = *card.input.entry;
        if (tensor.tensor.storage()->id() != pick.storageId) continue;
        const std::optional<Dims> coord = tensor.id == pick.tensor ? pick.coord : linkedCoord(tensor, pick);
        if (coord) scrollCardTo(state, plan, tensor.id, *coord);
    }
    if (plan.strip && plan.strip->storageId == pick.storageId) {
        state.scroll.insert(pick.storageId, scrolledTo(*plan.strip, state.scroll.value(pick.storageId), pick.slot));
    }
}

void ExploreStage::Private::chooseColour(TensorId id, Index channel) {
    const CardLayout* card = plan.card(id);
    const TensorEntry* tensor = entry(id);
    if (!card || !tensor || card->channelDim < 0) return;
    const auto dim = static_cast<std::size_t>(card->channelDim);
    Dims& outer = q->m_state.cards[id].outer;
    if (outer.size() <= dim) outer.resize(dim + 1);
    outer[dim] = channel;
    const std::optional<Pick>& pick = q->m_state.selection.pick;
    const std::optional<Dims> coord = linkedCoord(*tensor, pick);
    if (!coord) return;
    Dims other = *coord;
    other[dim] = channel;
    movePickTo(pickOf(*tensor, other));
}

std::vector<TensorId> ExploreStage::Private::cardIds() const {
    std::vector<TensorId> ids;
    for (const CardLayout& card : plan.cards) ids.push_back(card.input.entry->id);
    return ids;
}

void ExploreStage::Private::requestOrder(const std::vector<TensorId>& ids, TensorId moved) {
    const auto at = std::find(ids.begin(), ids.end(), moved);
    if (at == ids.end() || ids == cardIds()) return;
    q->m_state.order = ids;
    focus = static_cast<int>(at - ids.begin());
    refresh();
    Q_EMIT q->moveRequested(moved, at + 1 == ids.end() ? 0 : *(at + 1));
}

void ExploreStage::followOrder() {
    m_state.order = m_model->snapshot()->order;
    d->refresh();
}

void ExploreStage::moveCard(TensorId tensor, int by) {
    std::vector<TensorId> ids = d->cardIds();
    const auto at = std::find(ids.begin(), ids.end(), tensor);
    if (at == ids.end()) return;
    const auto from = static_cast<int>(at - ids.begin());
    const int to = std::clamp(from + by, 0, static_cast<int>(ids.size()) - 1);
    ids.erase(at);
    ids.insert(ids.begin() + to, tensor);
    d->requestOrder(ids, tensor);
}

void ExploreStage::Private::scrollBy(qreal dx, qreal dy) {
    if (!plan.strip) return;
    setScroll(scrolledBy(*plan.strip, q->m_state.scroll.value(plan.strip->storageId), dx, dy));
}

void ExploreStage::Private::scrollCards(qreal by) {
    q->m_state.cardScroll =
        std::clamp(plan.cardScroll + by, 0.0, std::max(0.0, plan.cardsWidth - plan.cardArea.width()));
    q->m_state.cardsByHand = true;
    refresh();
}

void ExploreStage::Private::scrollCard(TensorId id, Index rows, Index cols) {
    const CardLayout* card = plan.card(id);
    if (!card) return;
    StageCard& view = q->m_state.cards[id];
    // Where the rows of a panel end the next panel begins.
    const auto move = [](Index by, Index first, Index last, Index& cell, Index firstPanel, Index lastPanel,
                         Index& panel) {
        const bool ends = by > 0 ? first >= last : first <= 0;
        cell = std::clamp<Index>(first + by, 0, last);
        panel = firstPanel;
        if (by == 0 || !ends || (by > 0 ? firstPanel >= lastPanel : firstPanel <= 0)) return;
        panel += by > 0 ? 1 : -1;
        cell = by > 0 ? 0 : last;
    };
    move(rows, card->firstRow, card->lastFirstRow(), view.firstRow, card->firstPanelRow, card->lastFirstPanelRow,
         view.firstPanelRow);
    move(cols, card->firstCol, card->lastFirstCol(), view.firstCol, card->firstPanelCol, card->lastFirstPanelCol,
         view.firstPanelCol);
    refresh();
}

void ExploreStage::Private::contextMenu(QPoint globalPos, QPointF at) {
    const Hit hit = hitTest(scene, at);
    TensorId id = hit.part.tensor;
    for (const CardLayout& card : plan.cards) {
        if (card.frame().contains(at)) id = card.input.entry->id;
    }
    const TensorEntry* tensor = entry(id);
    const std::optional<Pick> pick = pickAt(at);
    QMenu menu(q);
    menu.setObjectName(QStringLiteral("stageMenu"));
    const auto add = [&menu](const QString& text, const char* name, auto slot) {
        QAction* action = menu.addAction(text);
        action->setObjectName(QLatin1String(name));
        QObject::connect(action, &QAction::triggered, &menu, slot);
        return action;
    };
    if (pick) {
        add(PaintedText::tr("Edit value…"), "editValue", [this, pick] {
            pin(pick);
            startEdit(*pick);
        });
        menu.addSeparator();
    }
    if (tensor && plan.card(id)) {
        for (const auto& [text, format] :
             {std::pair{"Copy as PNG", "png"}, std::pair{"Copy as SVG", "svg"}, std::pair{"Copy as TikZ", "tikz"},
              std::pair{"Copy as table", "text"}, std::pair{"Copy as code", "code"}}) {
            const QString kind = QLatin1String(format);
            add(QLatin1String(text), format, [this, id, kind] { Q_EMIT q->exportRequested(id, kind); });
        }
        menu.addSeparator();
        const std::vector<TensorId> ids = cardIds();
        add(PaintedText::tr("Move left"), "moveLeft", [this, id] {
            q->moveCard(id, -1);
        })->setEnabled(ids.front() != id);
        add(PaintedText::tr("Move right"), "moveRight", [this, id] {
            q->moveCard(id, 1);
        })->setEnabled(ids.back() != id);
        add(PaintedText::tr("Hide card"), "hideCard", [this, id] { Q_EMIT q->hideRequested(id); });
        add(PaintedText::tr("Rename…"), "renameTensor", [this, id] { Q_EMIT q->renameRequested(id); });
        add(PaintedText::tr("Delete name"), "deleteTensor", [this, id] { Q_EMIT q->deleteRequested(id); });
    } else {
        add(PaintedText::tr("Go to index…"), "goToIndex", [this] { q->askForIndex(); });
        add(PaintedText::tr("Actual size"), "actualSize", [this] { q->zoom(Zoom::Actual); });
        add(PaintedText::tr("Fit whole storage"), "fitWhole", [this] { q->zoom(Zoom::Whole); });
        QAction* lines = add(PaintedText::tr("64-byte cache lines"), "cacheLines",
                             [this] { q->setCacheLines(!q->m_state.options.cacheLines); });
        lines->setCheckable(true);
        lines->setChecked(q->m_state.options.cacheLines);
        menu.addSeparator();
        add(PaintedText::tr("Copy picture as PNG"), "png",
            [this] { Q_EMIT q->exportRequested(0, QStringLiteral("png")); });
        add(PaintedText::tr("Copy picture as SVG"), "svg",
            [this] { Q_EMIT q->exportRequested(0, QStringLiteral("svg")); });
        add(PaintedText::tr("Copy picture as TikZ"), "tikz",
            [this] { Q_EMIT q->exportRequested(0, QStringLiteral("tikz")); });
    }
    menu.exec(globalPos);
}

// --- Events -------------------------------------------------------------------------------------------------------

void ExploreStage::mouseMoveEvent(QMouseEvent* event) {
    if (d->drag != DragKind::None) {
        d->moveDrag(d->inScene(event->position()), event->modifiers());
        return;
    }
    d->hoverAt(d->inScene(event->position()));
}

void ExploreStage::mousePressEvent(QMouseEvent* event) {
    if (d->focusShown) {
        d->focusShown = false;
        update(d->onWidget(d->focusRect()));
    }
    d->endEdit();
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) d->beginDrag(event);
}

void ExploreStage::mouseReleaseEvent(QMouseEvent* event) {
    if (d->drag == DragKind::None) return;
    d->endDrag(d->inScene(event->position()), event->modifiers());
    d->hoverAt(d->inScene(event->position()));
}

void ExploreStage::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const std::optional<Pick> pick = d->pickAt(d->inScene(event->position()))) {
        d->pin(pick);
        d->startEdit(*pick);
    }
}

void ExploreStage::leaveEvent(QEvent*) {
    if (d->drag == DragKind::None) m_model->setHover(std::nullopt);
}

namespace {

/// Where everything stands that a wheel may scroll.
std::vector<qreal> placesOf(const StagePlan& plan) {
    std::vector<qreal> places{plan.cardScroll};
    for (const CardLayout& card : plan.cards) {
        for (const Index first : {card.firstRow, card.firstCol, card.firstPanelRow, card.firstPanelCol})
            places.push_back(static_cast<qreal>(first));
    }
    if (plan.strip) {
        const StripLayout& layout = plan.strip->layout;
        places.insert(places.end(), {static_cast<qreal>(layout.firstRow), layout.rowShift,
                                     static_cast<qreal>(layout.firstColumn), layout.columnShift});
    }
    return places;
}

} // namespace

void ExploreStage::wheelEvent(QWheelEvent* event) {
    const QPointF p = d->inScene(event->position());
    QPointF pixels = event->pixelDelta();
    if (pixels.isNull()) pixels = QPointF(event->angleDelta()) * (60.0 / 120);
    if (event->modifiers() & Qt::ControlModifier) {
        if (d->plan.strip) {
            const qreal notches = event->angleDelta().y() / 120.0;
            d->zoomBy(std::pow(kZoomStep, notches), p);
            if (d->drag == DragKind::None) d->hoverAt(p); // over another cell, where rows are filled
        }
        event->accept();
        return;
    }
    if ((event->modifiers() & Qt::ShiftModifier) && pixels.x() == 0) pixels = QPointF(pixels.y(), 0);
    // What moves nothing here is for the window that the stage is too large for.
    const std::vector<qreal> before = placesOf(d->plan);
    const auto finish = [&] { event->setAccepted(placesOf(d->plan) != before); };
    for (const CardLayout& card : d->plan.cards) {
        if (!card.frame().contains(p)) continue;
        const bool down = card.lastFirstRow() > 0 || card.lastFirstPanelRow > 0;
        const bool across = card.lastFirstCol() > 0 || card.lastFirstPanelCol > 0;
        if (down || across) {
            // A plain wheel moves what there is to move.
            if (!down && pixels.x() == 0) pixels = QPointF(pixels.y(), 0);
            const auto cells = [](qreal delta) { return static_cast<Index>(std::round(-delta / 20)); };
            d->scrollCard(card.input.entry->id, cells(pixels.y()), cells(pixels.x()));
            finish();
            if (d->drag == DragKind::None) d->hoverAt(p); // another cell came under the pointer
            return;
        }
    }
    const bool overCards = p.y() < d->plan.cardArea.bottom();
    if (overCards && d->plan.cardsWidth > d->plan.cardArea.width()) {
        d->scrollCards(-pixels.x() - pixels.y());
    } else if (d->plan.strip && d->plan.strip->scrollsRows()) {
        // A notch of a wheel is a row: half a row of numbers would stand without its indices.
        const qreal pitch = d->plan.strip->layout.rowPitch;
        const bool notches = event->pixelDelta().isNull() && pitch >= kNumberedRow;
        d->scrollBy(-pixels.x(), notches ? -event->angleDelta().y() / 120.0 * pitch : -pixels.y());
    } else {
        d->scrollBy(-pixels.x() - pixels.y(), 0);
    }
    finish();
    // The pointer now lies over another cell.
    d->hoverAt(p);
}

void ExploreStage::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) {
        d->contextMenu(event->globalPos(), d->inScene(event->pos()));
        return;
    }
    // Of the strip it is the cells' menu; the ring is round its name.
    const bool cells = d->stripFocused() && d->plan.strip;
    const QPointF at = (cells ? d->plan.strip->layout.area : d->focusRect()).center();
    d->contextMenu(mapToGlobal((at * m_scale).toPoint()), at);
}

bool ExploreStage::event(QEvent* event) {
    switch (event->type()) {
    case QEvent::FocusIn: {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason == Qt::TabFocusReason) d->setFocusItem(0);
        if (reason == Qt::BacktabFocusReason) d->setFocusItem(d->focusCount() - 1);
        update(d->onWidget(d->focusRect()));
        const bool done = QWidget::event(event);
        d->announce(false); // after Qt has named the stage as a whole
        return done;
    }
    case QEvent::FocusOut:
        update(d->onWidget(d->focusRect()));
        break;
    case QEvent::ToolTip: {
        // Beside a lane there may be no room for the digits of all.
        const auto* help = static_cast<QHelpEvent*>(event);
        const QPointF p = d->inScene(help->pos());
        const Part part = hitTest(d->scene, p).part;
        for (const CardLayout& card : d->plan.cards) {
            const QString more = card.frame().contains(p) ? leftOutHelp(card, p - card.pos) : QString();
            if (more.isEmpty()) continue;
            QToolTip::showText(help->globalPos(), more, this);
            return true;
        }
        const TensorEntry* tensor = part.kind == PartKind::LaneCells ? d->entry(part.tensor) : nullptr;
        if (!tensor || !d->plan.strip || p.x() >= d->plan.strip->layout.area.left()) {
            QToolTip::hideText();
            event->ignore();
            return true;
        }
        QToolTip::showText(help->globalPos(),
                           laneWords(*tensor, d->plan.strip->layout.cellCount, std::numeric_limits<qreal>::max()),
                           this);
        return true;
    }
    case QEvent::ShortcutOverride: {
        // Keys that edit or leave something here must not become shortcuts of the window first.
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && (d->editor || d->drag != DragKind::None || m_state.message)) {
            event->accept();
            return true;
        }
        break;
    }
    default:
        break;
    }
    return QWidget::event(event);
}

} // namespace stridescope
