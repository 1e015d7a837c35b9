// Drags of ExploreStage: each one ends as a line of code, or as the reason why there is none.

#include "widgets/scene/painted_text.h"
#include "widgets/stage/explore_stage_p.h"

#include <QMouseEvent>
#include <QScopeGuard>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kDragStart = 5;

/// How far beyond the outermost cell a drag still means that cell: aiming at an edge must not be an error.
constexpr qreal kSlack = 0.6;

Index cellsFrom(qreal distance, qreal cell) {
    return static_cast<Index>(std::floor(distance / cell));
}

Index tolerant(Index value, qreal exact, Index size) {
    if (value < 0 && exact > -kSlack) return 0;
    if (value >= size && exact < static_cast<qreal>(size) + kSlack) return size - 1;
    return value;
}

/// The cells between two of a card, drawn: a box in each panel that has some. Beyond the edge the box goes on to the
/// pointer.
std::vector<QRectF> boxesBetween(const CardLayout& card, const Dims& from, const Dims& to, const QRectF& pressed,
                                 QPointF pointer) {
    const QRectF underPointer(pointer, QSizeF(1, 1));
    if (card.block) return {card.cellRect(from).value_or(pressed).united(card.cellRect(to).value_or(underPointer))};
    std::vector<QRectF> boxes;
    const Dims& shape = card.view.shape;
    bool beyond = false;
    for (std::size_t d = 0; d < shape.size(); ++d) beyond = beyond || to[d] < 0 || to[d] >= shape[d];
    for (const CardPanel& panel : card.panels) {
        Dims first = panel.coord, last = panel.coord;
        bool some = true, same = true;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const int dim = static_cast<int>(d);
            Index low = std::min(from[d], to[d]), high = std::max(from[d], to[d]);
            if (!card.isInPanel(dim)) {
                some = some && panel.coord[d] >= low && panel.coord[d] <= high;
                same = same && panel.coord[d] == from[d];
                continue;
            }
            if (dim == card.channelDim) continue; // colours of one cell
            const Index begin = dim == card.rowDim ? card.firstRow : card.firstCol;
            const Index shown = dim == card.rowDim ? card.shownRows : card.shownCols;
            low = std::max(low, begin);
            high = std::min(high, begin + shown - 1);
            some = some && low <= high;
            first[d] = low;
            last[d] = high;
        }
        if (!some) continue;
        const auto one = card.cellRect(first), other = card.cellRect(last);
        if (!one || !other) continue;
        boxes.push_back(one->united(*other));
        if (beyond && same) boxes.back() = boxes.back().united(underPointer);
    }
    if (boxes.empty()) boxes.push_back(pressed.united(underPointer));
    return boxes;
}

} // namespace

void ExploreStage::Private::beginDrag(QMouseEvent* event) {
    pressAt = lastAt = inScene(event->position());
    pressed = hitTest(scene, pressAt);
    pressCoord = pressed.coord.value_or(Dims());
    pressStrip = plan.strip ? plan.strip->layout : StripLayout();
    holdCards = true;
    dragging = false;
    gesture = {};
    const bool middle = event->button() == Qt::MiddleButton;
    switch (pressed.part.kind) {
    case PartKind::CardCells:
        drag = middle || !pressed.coord ? DragKind::None : DragKind::Box;
        if (const Hit grip = gripAt(pressAt); grip.part.kind == PartKind::CardEdge) {
            drag = DragKind::Edge; // without a drag it is a click on the cell
            pressed.part.index = grip.part.index;
        }
        break;
    case PartKind::CardDim:
        drag = DragKind::Dim;
        break;
    case PartKind::CardEdge:
        drag = DragKind::Edge;
        break;
    case PartKind::OffsetFlag:
        drag = DragKind::Flag;
        break;
    case PartKind::CardHeader:
    case PartKind::CardBadge:
    case PartKind::CardFrame:
        drag = DragKind::Header;
        orderBefore = q->m_state.order;
        break;
    case PartKind::CardSlider:
        drag = DragKind::Slider;
        moveDrag(pressAt, event->modifiers());
        break;
    case PartKind::StripCells:
        drag = pressed.part.index == 1 ? DragKind::MiniMap : DragKind::Scroll;
        if (drag == DragKind::MiniMap) scrollMapTo(pressAt);
        break;
    default:
        drag = DragKind::Scroll;
        break;
    }
    if (middle) drag = DragKind::Scroll;
}

void ExploreStage::Private::showGesture(const GestureResult& next, QPointF at, const std::vector<QRectF>& boxes,
                                        std::optional<Index> slot) {
    gesture = next;
    StageDrag shown;
    shown.at = at;
    shown.boxes = boxes;
    shown.slot = slot;
    shown.legal = !next.refusal;
    shown.label = next.code;
    if (next.refusal) shown.label = QString::fromStdString(next.refusal->message).section(QLatin1Char('\n'), 0, 0);
    if (drag == DragKind::Dim) {
        shown.from = pressAt;
        shown.to = at;
        if (next.code.isEmpty()) shown.label = PaintedText::tr("drop on another dim to swap them");
    }
    q->m_state.drag = shown;
    // The reach of what a release would make, at once and without asking anyone.
    q->m_state.preview.reset();
    if (!next.code.isEmpty()) {
        Preview preview;
        preview.code = next.code;
        preview.source = pressed.part.tensor;
        preview.view = next.view;
        preview.refusal = next.refusal;
        q->m_state.preview = preview;
    }
    if (next.code != previewedCode) {
        previewedCode = next.code;
        Q_EMIT q->previewRequested(previewedCode);
    }
    refresh();
}

GestureResult ExploreStage::Private::boxAt(QPointF p, Qt::KeyboardModifiers modifiers,
                                           std::vector<QRectF>& boxes) const {
    const TensorEntry* tensor = entry(pressed.part.tensor);
    const CardLayout* card = tensor ? plan.card(tensor->id) : nullptr;
    if (!card) return {};
    const Dims& shape = tensor->tensor.shape();
    const std::size_t dims = shape.size();
    if (dims == 0) return {};
    std::vector<BoxRange> ranges(dims);
    Dims end = pressCoord;
    const std::optional<Dims> under = card->cellAt(p);
    const std::vector<int> fromInside = card->dimsFromInside();
    const auto otherPanel = [&](const Dims& coord) {
        for (std::size_t dim = 0; dim < dims; ++dim)
            if (!card->isInPanel(static_cast<int>(dim)) && coord[dim] != pressCoord[dim]) return true;
        return false;
    };
    if (under && !card->block && otherPanel(*under)) {
        end = *under; // the box goes over panels: their dims are part of it
    } else if (card->block) {
        // A block has no plane to leave: the cell under the pointer, as long as there is one.
        if (under) end = *under;
    } else {
        const auto column = static_cast<std::size_t>(fromInside[0]);
        const qreal exactCol =
            (p.x() - pressed.rect.left()) / pressed.rect.width() + static_cast<qreal>(pressCoord[column]);
        end[column] = tolerant(cellsFrom(exactCol, 1), exactCol, shape[column]);
        if (dims > 1) {
            const auto row = static_cast<std::size_t>(fromInside[1]);
            const qreal exactRow =
                (p.y() - pressed.rect.top()) / pressed.rect.height() + static_cast<qreal>(pressCoord[row]);
            end[row] = tolerant(cellsFrom(exactRow, 1), exactRow, shape[row]);
        }
    }
    for (std::size_t dim = 0; dim < dims; ++dim) {
        ranges[dim] = {pressCoord[dim], end[dim], false};
        // A part of a picture has colours, too.
        ranges[dim].whole = static_cast<int>(dim) == card->channelDim;
        // Outer dims that stay at one index: the result is that slice.
        if (!card->block && !card->isInPanel(static_cast<int>(dim))) ranges[dim].select = pressCoord[dim] == end[dim];
    }
    // Shift: a box of one row or column loses that dim.
    if (modifiers & Qt::ShiftModifier) {
        for (BoxRange& range : ranges) range.select = range.select || (range.first == range.last && !range.whole);
    }
    boxes = boxesBetween(*card, pressCoord, end, pressed.rect, p);
    const Index step = modifiers & Qt::AltModifier ? 2 : 1;
    return boxGesture(*tensor, ranges, step);
}

GestureResult ExploreStage::Private::edgeAt(QPointF p, QRectF* box) const {
    const TensorEntry* tensor = entry(pressed.part.tensor);
    const CardLayout* card = tensor ? plan.card(tensor->id) : nullptr;
    if (!card) return {};
    const int dim = pressed.part.index / 2;
    const bool far = pressed.part.index % 2 == 1;
    if (dim < 0 || dim >= tensor->tensor.dim()) return {};
    const bool horizontal = dim == card->colDim;
    const qreal moved = horizontal ? p.x() - pressAt.x() : p.y() - pressAt.y();
    const qreal cell = horizontal ? card->cell.width() : card->cell.height();
    const Index cells = static_cast<Index>(std::round(moved / cell));
    if (box && !card->panels.empty()) {
        *box = card->panels.front().area.translated(card->pos);
        const qreal by = static_cast<qreal>(cells) * cell;
        if (horizontal) {
            far ? box->setRight(box->right() + by) : box->setLeft(box->left() + by);
        } else {
            far ? box->setBottom(box->bottom() + by) : box->setTop(box->top() + by);
        }
        *box = box->normalized();
    }
    if (far) return farEdgeGesture(*tensor, dim, tensor->tensor.shape()[static_cast<std::size_t>(dim)] + cells);
    return nearEdgeGesture(*tensor, dim, cells);
}

void ExploreStage::Private::scrollMapTo(QPointF p) {
    if (!plan.strip || plan.strip->miniMap.isEmpty()) return;
    const StripPlan& strip = *plan.strip;
    const qreal share = std::clamp((p.x() - strip.miniMap.left()) / strip.miniMap.width(), 0.0, 1.0);
    const Index slot = std::min<Index>(
        std::max<Index>(0, strip.layout.cellCount - 1),
        static_cast<Index>(static_cast<long double>(share) * static_cast<long double>(strip.layout.cellCount)));
    StripScroll scroll;
    scroll.firstRow = std::max<Index>(0, slot / strip.layout.perRow - strip.visibleRows / 2);
    if (strip.scrollsColumns()) {
        const Index inView = static_cast<Index>(strip.layout.area.width() / strip.layout.cellWidth);
        scroll.firstColumn = std::max<Index>(0, slot % strip.layout.perRow - inView / 2);
    }
    setScroll(scrolledBy(strip, scroll, 0, 0));
}

void ExploreStage::Private::moveDrag(QPointF p, Qt::KeyboardModifiers modifiers) {
    if (!dragging && drag != DragKind::Slider && drag != DragKind::MiniMap) {
        if ((p - pressAt).manhattanLength() < kDragStart) return;
        dragging = true;
        q->clearMessage();
        q->m_model->setHover(std::nullopt);
        if (pressed.part.tensor && drag != DragKind::Scroll) q->m_model->select(pressed.part.tensor);
    }
    const QPointF by = p - lastAt;
    lastAt = p;
    switch (drag) {
    case DragKind::Box: {
        std::vector<QRectF> boxes;
        const GestureResult next = boxAt(p, modifiers, boxes);
        showGesture(next, p, boxes);
        break;
    }
    case DragKind::Edge: {
        QRectF box;
        const GestureResult next = edgeAt(p, &box);
        showGesture(next, p, {box});
        break;
    }
    case DragKind::Dim: {
        const Hit under = hitTest(scene, p);
        GestureResult next;
        const TensorEntry* tensor = entry(pressed.part.tensor);
        const CardLayout* card = tensor ? plan.card(tensor->id) : nullptr;
        int target = -1;
        if (card) {
            for (const CardAxis& axis : card->axes) {
                if (axis.hot.translated(card->pos).contains(p)) target = axis.dim;
            }
        }
        if (target < 0 && under.part.kind == PartKind::CardDim && under.part.tensor == pressed.part.tensor) {
            target = under.part.index;
        }
        if (tensor && target >= 0) {
            next = dimGesture(*tensor, pressed.part.index, target, modifiers & Qt::ShiftModifier);
        }
        showGesture(next, p, {});
        break;
    }
    case DragKind::Flag: {
        const TensorEntry* tensor = entry(pressed.part.tensor);
        if (!tensor || !plan.strip) break;
        const StripLayout& layout = pressStrip;
        // The flag stands at its cell's left edge: it is dragged by that edge, also past the end of the strip.
        const Index columns = cellsFrom(p.x() - pressAt.x() + layout.cellWidth / 2, layout.cellWidth);
        const Index rows = static_cast<Index>(std::round((p.y() - pressAt.y()) / layout.rowPitch));
        const Index slot =
            tensor->tensor.storageOffset() + columns + (layout.rowCount() > 1 ? rows * layout.perRow : 0);
        showGesture(offsetGesture(*tensor, slot), p, {}, slot);
        break;
    }
    case DragKind::Header: {
        // The card follows by taking the place of the one under the pointer.
        std::vector<TensorId> ids;
        int from = -1, to = -1;
        for (std::size_t i = 0; i < plan.cards.size(); ++i) {
            ids.push_back(plan.cards[i].input.entry->id);
            if (ids.back() == pressed.part.tensor) from = static_cast<int>(i);
            const QRectF frame = plan.cards[i].frame();
            if (p.x() >= frame.left() && p.x() < frame.right()) to = static_cast<int>(i);
        }
        if (from < 0 || to < 0 || from == to) break;
        // Only past the middle of the neighbour: else unequal widths would swap back and forth.
        const qreal middle = plan.cards[static_cast<std::size_t>(to)].frame().center().x();
        if ((to > from && p.x() < middle) || (to < from && p.x() > middle)) break;
        const TensorId moved = ids[static_cast<std::size_t>(from)];
        ids.erase(ids.begin() + from);
        ids.insert(ids.begin() + to, moved);
        q->m_state.order = ids;
        focus = to;
        refresh();
        break;
    }
    case DragKind::Slider: {
        const CardLayout* card = plan.card(pressed.part.tensor);
        if (!card) break;
        const int dim = pressed.part.index;
        for (std::size_t i = 0; i < card->sliders.size(); ++i) {
            if (card->sliders[i].dim != dim) continue;
            StageCard& view = q->m_state.cards[pressed.part.tensor];
            if (view.outer.size() <= static_cast<std::size_t>(dim))
                view.outer.resize(static_cast<std::size_t>(dim) + 1);
            const Index value = card->sliderValue(static_cast<int>(i), p.x());
            if (view.outer[static_cast<std::size_t>(dim)] == value) break;
            view.outer[static_cast<std::size_t>(dim)] = value;
            refresh();
            break;
        }
        break;
    }
    case DragKind::Scroll:
        scrollBy(-by.x(), plan.strip && plan.strip->scrollsRows() ? -by.y() : 0);
        break;
    case DragKind::MiniMap:
        scrollMapTo(p);
        break;
    case DragKind::None:
        break;
    }
}

void ExploreStage::Private::cancelDrag() {
    holdCards = false;
    if (drag == DragKind::None) return;
    if (drag == DragKind::Header && dragging) q->m_state.order = orderBefore;
    drag = DragKind::None;
    dragging = false;
    gesture = {};
    q->m_state.drag.reset();
    q->m_state.preview = q->m_model->preview();
    if (!previewedCode.isEmpty()) {
        previewedCode.clear();
        Q_EMIT q->previewRequested(QString());
    }
    refresh();
}

void ExploreStage::Private::endDrag(QPointF p, Qt::KeyboardModifiers modifiers) {
    const DragKind kind = drag;
    const bool moved = dragging;
    const GestureResult result = gesture;
    const Hit hit = pressed;
    const std::vector<TensorId> ids = cardIds();
    cancelDrag();
    // What is clicked is in sight; what a drag makes may have to be brought there.
    holdCards = !moved;
    const auto letGo = qScopeGuard([this] { holdCards = false; });
    if (moved && kind == DragKind::Header) {
        requestOrder(ids, hit.part.tensor);
        return;
    }
    if (moved) {
        if (result.code.isEmpty()) return;
        if (result.refusal) {
            // Nothing changes; the reason stays on the picture.
            q->m_state.message = StageMessage{result.code, *result.refusal, hit.part.tensor};
            refresh();
            Q_EMIT q->explainRequested(result.code);
            return;
        }
        Q_EMIT q->runRequested(result.code);
        return;
    }
    Q_UNUSED(modifiers)
    switch (hit.part.kind) {
    case PartKind::CardCells:
    case PartKind::StripCells:
    case PartKind::LaneCells:
        if (kind != DragKind::MiniMap) {
            q->clearMessage();
            pin(pickAt(p));
        }
        break;
    case PartKind::StripHandle: {
        // The strip of a storage is large while one of its tensors is selected.
        const TensorId first = firstOn(hit.part.storageId);
        const TensorEntry* selected = entry(q->m_state.selection.tensor);
        if (first && (!selected || selected->tensor.storage()->id() != hit.part.storageId)) q->m_model->select(first);
        break;
    }
    case PartKind::CardFrame:
    case PartKind::CardHeader:
    case PartKind::CardBadge:
    case PartKind::CardDim:
    case PartKind::CardEdge:
    case PartKind::OffsetFlag:
        q->m_model->select(hit.part.tensor);
        break;
    case PartKind::CardMode: {
        StageCard& view = q->m_state.cards[hit.part.tensor];
        switch (hit.part.index) {
        case kChipNested:
            view.mode = CardMode::Nested;
            break;
        case kChipBlocks:
            view.mode = CardMode::Blocks;
            break;
        case kChipNumbers:
            view.detail = CardDetail::Numbers;
            break;
        case kChipPicture:
            view.detail = CardDetail::Picture;
            break;
        case kChipStrideUnit:
            q->setByteStrides(!q->m_state.options.byteStrides);
            break;
        default:
            if (hit.part.index >= kChipColour) chooseColour(hit.part.tensor, hit.part.index - kChipColour);
            break;
        }
        refresh();
        break;
    }
    case PartKind::Message:
        q->clearMessage();
        break;
    case PartKind::Button:
        if (hit.part.index == kCardsLeft || hit.part.index == kCardsRight) {
            scrollCards((hit.part.index == kCardsLeft ? -0.7 : 0.7) * plan.cardArea.width());
            break;
        }
        // The sign for a cell that is scrolled away.
        if (const std::optional<Pick> shown = q->m_state.selection.shown()) {
            showCell(*shown);
            refresh();
        }
        break;
    case PartKind::None:
        q->m_model->setPick(std::nullopt);
        break;
    default:
        break;
    }
}

} // namespace stridescope
