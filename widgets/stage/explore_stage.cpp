#include "widgets/stage/explore_stage.h"

#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/scene_painter.h"
#include "widgets/scene/zoom_levels.h"
#include "widgets/stage/explore_stage_p.h"
#include "widgets/stage/linking.h"
#include "widgets/stage/scene_diff.h"
#include "widgets/stage/stage_accessible.h"
#include "widgets/stage/stage_help.h"

#include <QPaintEvent>
#include <QPainter>
#include <QStyle>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// From the middle of an empty stage, whose words stand there, down to its buttons.
constexpr int kEmptyButtonsBelow = 40;

/// A name that means a tensor of other sizes now: the slice and the rows that its card showed were the old one's.
void forgetPlaces(QHash<TensorId, StageCard>& cards, const WorkspaceSnapshot& before, const WorkspaceSnapshot& now) {
    for (auto card = cards.begin(); card != cards.end(); ++card) {
        const TensorEntry* old = before.tensor(card.key());
        const TensorEntry* entry = now.tensor(card.key());
        if (!old || !entry || old->tensor.shape() == entry->tensor.shape()) continue;
        StageCard fresh;
        fresh.mode = card->mode;
        fresh.detail = card->detail;
        *card = fresh;
    }
}

} // namespace

ExploreStage::ExploreStage(WorkspaceModel* model, QWidget* parent)
    : QWidget(parent), m_model(model), d(std::make_unique<Private>(this)) {
    // First of all: naming a widget makes its accessible interface, and Qt keeps the one it makes first.
    installStageAccessibility();
    setObjectName(QStringLiteral("exploreStage"));
    setAccessibleName(PaintedText::tr("Storage and views"));
    setAccessibleDescription(PaintedText::tr("Cards of views above, the storage strip below. Tab moves between them, "
                                             "arrows move the picked cell, Enter edits its value."));
    setWhatsThis(stageHelp(*model->snapshot(), model->selection()));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true); // round the card or the strip that the keys act on
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_state.snapshot = model->snapshot();
    m_state.selection = model->selection();
    m_state.preview = model->preview();
    m_state.order = model->snapshot()->order;
    connect(model, &WorkspaceModel::snapshotChanged, this, [this] {
        const SnapshotPtr before = m_state.snapshot;
        d->endEdit();
        d->cancelDrag();
        m_state.order = m_model->snapshot()->order;
        m_state.message.reset();
        forgetPlaces(m_state.cards, *before, *m_model->snapshot());
        d->syncFromModel();
        d->startTransition(*before);
        d->refresh(true);
        d->startFlash();
        // Lists that follow the workspace have just told of a row of theirs, focused or not.
        if (QAccessible::isActive()) QTimer::singleShot(0, this, [this] { d->announce(false); });
    });
    connect(model, &WorkspaceModel::selectionChanged, this, [this] { d->syncFromModel(); });
    connect(model, &WorkspaceModel::previewChanged, this, [this] { d->syncFromModel(); });
    connect(model, &WorkspaceModel::valuesChanged, this, [this] {
        d->refresh(true);
        d->startFlash();
        d->lastStatus.clear();
        d->say();
        d->announce(true);
    });
    d->refresh(true);
    d->written.take(*m_state.snapshot);
}

ExploreStage::~ExploreStage() = default;

ExploreStage::Private::Private(ExploreStage* stage) : q(stage) {
    QObject::connect(&counter, &OddCounter::counted, q, [this] {
        q->m_state.odd = counter.counts();
        refresh();
    });
    QObject::connect(&maker, &SummaryMaker::grown, q, [this] { refresh(); });
    constexpr int kMove = 350;
    transition.setStartValue(0.0);
    transition.setEndValue(1.0);
    transition.setDuration(kMove);
    QObject::connect(&transition, &QVariantAnimation::valueChanged, q, [this](const QVariant& value) {
        progress = value.toReal();
        refresh();
    });
    constexpr int kFlash = 600;
    flash.setStartValue(1.0);
    flash.setEndValue(0.0);
    flash.setDuration(kFlash);
    QObject::connect(&flash, &QVariantAnimation::valueChanged, q, [this] {
        for (const QRectF& cell : written.cells(plan)) q->update(onWidget(cell.adjusted(-2, -2, 2, 2)));
    });
}

void ExploreStage::Private::startFlash() {
    if (!written.take(*q->m_state.snapshot) || !q->isVisible()) return;
    flash.stop();
    flash.start();
}

void ExploreStage::Private::startTransition(const WorkspaceSnapshot& before) {
    transition.stop();
    progress = 1;
    q->m_state.fresh = 0;
    // A first picture and a reset appear at once; so does everything where motion is not wanted.
    const bool motion = !q->m_state.options.reducedMotion && q->isVisible() &&
                        q->style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, q) > 0;
    // What a line made is selected after it is there.
    const TensorEntry* newest = nullptr;
    for (const TensorEntry& each : q->m_state.snapshot->tensors) {
        if (each.onStage && !before.tensor(each.id) && (!newest || each.id > newest->id)) newest = &each;
    }
    if (!motion || before.tensors.empty() || !newest) return;
    q->m_state.fresh = newest->id;
    progress = 0;
    transition.start();
}

const Scene& ExploreStage::scene() const {
    return d->scene;
}

Scene ExploreStage::pictureOf(TensorId tensor) const {
    const CardLayout* shown = d->plan.card(tensor);
    if (!shown) return exploreScene(onPaper(m_state));
    constexpr qreal kRoom = 8;
    CardInput input = shown->input;
    input.colourSwitch = false; // switches are of no use on paper
    CardLayout card = layoutCard(input);
    card.size = shown->size;
    card.pos = QPointF(kRoom, kRoom);
    card.chips.clear();
    fillSpareRoom(card);
    Scene scene;
    scene.size = card.size + QSizeF(2 * kRoom, 2 * kRoom);
    scene.title = QStringLiteral("%1 = %2").arg(card.input.entry->name, card.input.entry->code);
    appendCard(scene, card);
    return scene;
}

bool ExploreStage::shows(const QRect& rect) const {
    const StagePlan& plan = d->plan;
    const auto taken = [&rect](const StripPlan& strip, qreal below) {
        const StripLayout& layout = strip.layout;
        const qreal right = std::min(layout.area.right(), layout.cellRect(layout.perRow - 1).right());
        const QRectF cells(layout.area.topLeft(), QPointF(right, layout.area.bottom() + below));
        return !strip.outside.empty() || cells.united(strip.handle).intersects(rect) || strip.miniMap.intersects(rect);
    };
    for (const CardLayout& card : plan.cards) {
        if (card.frame().intersects(rect)) return true;
    }
    const qreal lanes = static_cast<qreal>(plan.lanes.size()) * kLanePitch;
    if (plan.strip && taken(*plan.strip, plan.lanes.empty() ? 0 : plan.downZone + lanes)) return true;
    const auto& others = plan.others;
    if (std::any_of(others.begin(), others.end(), [&](const StripPlan& other) { return taken(other, 0); })) return true;
    return !plan.shelf.empty() || plan.colourBar.intersects(rect);
}

QSize ExploreStage::minimumSizeHint() const {
    // A screen of 1080 lines at 200 % leaves the stage this much; cards scroll, the strip stays.
    return {420, 304};
}
QSize ExploreStage::sizeHint() const {
    return {1016, 642};
}

void ExploreStage::Private::syncFromModel() {
    const TensorId selectedBefore = q->m_state.selection.tensor;
    const std::optional<Pick> pickBefore = q->m_state.selection.pick;
    bool resized = false;
    q->m_state.snapshot = q->m_model->snapshot();
    q->m_state.selection = q->m_model->selection();
    if (!dragging) q->m_state.preview = q->m_model->preview();
    if (q->m_state.selection.tensor != selectedBefore) {
        // From where the row stands now: what is in sight need not move. Nor may it under the pointer.
        q->m_state.cardScroll = plan.cardScroll;
        q->m_state.cardsByHand = holdCards;
        resized = takeCellSize();
    }
    if (q->m_state.selection.pick != pickBefore && q->m_state.selection.pick) showCell(*q->m_state.selection.pick);
    refresh();
    if (q->m_state.selection.tensor != selectedBefore) {
        bringSelectedIntoSight(q->m_state.selection.pick != pickBefore);
        for (std::size_t i = 0; i < plan.cards.size(); ++i) {
            if (plan.cards[i].input.entry->id == q->m_state.selection.tensor && !(focusShown && stripFocused())) {
                focus = static_cast<int>(i);
            }
        }
        q->update(onWidget(focusRect()));
    }
    say();
    if (q->m_state.selection.pick != pickBefore) announce(false);
    if (resized) Q_EMIT q->optionsChanged();
}

void ExploreStage::Private::setScroll(const StripScroll& scroll) {
    if (!plan.strip || q->m_state.scroll.value(plan.strip->storageId) == scroll) return;
    q->m_state.scroll.insert(plan.strip->storageId, scroll);
    refresh();
}

void ExploreStage::Private::bringSelectedIntoSight(bool picked) {
    const TensorEntry* selected = entry(q->m_state.selection.tensor);
    if (!plan.strip || !selected || !selected->tensor.defined()) return;
    if (selected->tensor.storage()->id() != plan.strip->storageId) return;
    const StripScroll now = q->m_state.scroll.value(plan.strip->storageId);
    const std::optional<Pick>& pick = q->m_state.selection.pick;
    if (picked && pick && pick->storageId == plan.strip->storageId)
        setScroll(scrolledTo(*plan.strip, now, pick->slot));
    else
        setScroll(scrolledToView(*plan.strip, now, selected->tensor.view()));
}

void ExploreStage::Private::announce(bool valueChanged) {
    if (!QAccessible::isActive()) return;
    const auto* stage = dynamic_cast<StageAccessible*>(QAccessible::queryAccessibleInterface(q));
    if (!stage) return;
    if (valueChanged) {
        // The cell that was written, and the one that keys act on where that is another card's or the strip's.
        QAccessibleInterface* const picked = stage->pickedCell();
        QAccessibleInterface* const focused = stage->cellOf(keyPick());
        for (QAccessibleInterface* cell : {picked, focused == picked ? nullptr : focused}) {
            if (!cell) continue;
            QAccessibleValueChangeEvent value(cell, cell->text(QAccessible::Value));
            QAccessible::updateAccessibility(&value);
            // The name holds the value: readers that speak only names hear it too.
            QAccessibleEvent name(cell, QAccessible::NameChanged);
            QAccessible::updateAccessibility(&name);
        }
    } else if (q->hasFocus()) {
        QAccessibleInterface* at = stage->focusChild();
        if (!at) return;
        QAccessibleEvent event(at, QAccessible::Focus);
        QAccessible::updateAccessibility(&event);
    }
}

TensorId ExploreStage::Private::firstOn(quint64 storageId) const {
    for (const CardLayout& card : plan.cards) {
        const TensorEntry& found = *card.input.entry;
        if (found.tensor.storage()->id() == storageId) return found.id;
    }
    return 0;
}

QString ExploreStage::statusText() const {
    return d->lastStatus;
}

void ExploreStage::Private::say() {
    // A click on a hovered cell leaves the status as it is, but it makes that cell the one that the help names.
    q->setWhatsThis(stageHelp(*q->m_state.snapshot, q->m_state.selection));
    const QString text = stridescope::statusText(*q->m_state.snapshot, q->m_state.selection,
                                                 formulaInStatus(plan, q->m_state.selection));
    if (text == lastStatus) return;
    lastStatus = text;
    Q_EMIT q->statusTextChanged(text);
}

void ExploreStage::Private::refresh(bool everything) {
    const QRectF ringBefore = focusRect();
    q->m_state.viewport = QSizeF(q->size()) / q->m_scale;
    plan = planStage(q->m_state);
    // Rows of another length: what is scrolled next starts from what is seen now.
    if (const auto scroll = plan.strip ? q->m_state.scroll.find(plan.strip->storageId) : q->m_state.scroll.end();
        scroll != q->m_state.scroll.end())
        *scroll = rewrapped(*plan.strip, *scroll, q->m_state.selection.pick);
    counter.follow(colouredStorages(plan));
    maker.follow(wantedSummaries(plan, q->m_state.options.heat));
    q->m_state.summaries = maker.summaries();
    Scene next = exploreScene(q->m_state, plan, progress);
    focus = std::clamp(focus, 0, std::max(0, focusCount() - 1));
    showEmptiness();
    if (QAccessible::isActive()) {
        if (auto* stage = dynamic_cast<StageAccessible*>(QAccessible::queryAccessibleInterface(q))) stage->sync();
    }
    if (everything || !fresh) {
        scene = std::move(next);
        fresh = true;
        q->update();
        return;
    }
    const std::vector<QRectF> rects = changedRects(scene, next);
    scene = std::move(next);
    for (const QRectF& rect : rects) dirty += onWidget(rect);
    if (focusShown && ringBefore != focusRect()) {
        dirty += onWidget(ringBefore);
        dirty += onWidget(focusRect());
    }
    // A window that asks for more than one rectangle clips every line and letter to all of them, which takes twice as
    // long: one around them is quicker, unless it is mostly what did not change.
    constexpr double kMost = 0.3;
    constexpr int kManyRects = 24;
    const auto area = [](const QRect& r) { return static_cast<double>(r.width()) * r.height(); };
    double covered = 0;
    for (const QRect& rect : dirty) covered += area(rect);
    const QRect around = dirty.boundingRect();
    if (covered > kMost * area(around) || dirty.rectCount() > kManyRects) dirty = around;
    q->update(dirty);
}

void ExploreStage::Private::showEmptiness() {
    // Buttons have the window's size, not a class's.
    if (!plan.empty() || q->m_state.options.presented) {
        if (emptyState) emptyState->hide();
        return;
    }
    const auto& tensors = q->m_state.snapshot->tensors;
    const bool firstTime = !emptyState;
    if (firstTime) {
        emptyState = new EmptyState(q);
        QObject::connect(emptyState, &EmptyState::chosen, q, [this](const QString& choice) {
            const auto& now = q->m_state.snapshot->tensors;
            if (choice == QString::fromUtf16(kMakeChoice))
                Q_EMIT q->runRequested(firstTensorLine());
            else if (choice == QString::fromUtf16(kOpenChoice))
                Q_EMIT q->openRequested();
            else if (!now.empty())
                Q_EMIT q->showRequested(now.front().id);
        });
    }
    if (firstTime || emptyState->isHidden()) {
        if (tensors.empty())
            emptyState->setContents({}, {}, firstTensorChoices());
        else
            emptyState->setContents(
                {}, {}, {{QStringLiteral("emptyShow"), PaintedText::tr("Show %1").arg(tensors.front().name)}});
    }
    emptyState->adjustSize();
    emptyState->move((q->width() - emptyState->width()) / 2, q->height() / 2 + kEmptyButtonsBelow);
    emptyState->show();
}

void ExploreStage::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    d->dirty = QRegion();
    // Rectangle by rectangle: the scene draws only what each one exposes.
    std::vector<QRectF> rects;
    for (const QRect& rect : event->region()) rects.emplace_back(rect);
    mergeRects(rects);
    for (const QRectF& rect : rects) {
        painter.save();
        painter.setClipRect(rect);
        painter.scale(m_scale, m_scale);
        PaintOptions options;
        options.exposed = QRectF(rect.topLeft() / m_scale, rect.size() / m_scale);
        paintScene(painter, d->scene, m_theme, options);
        painter.restore();
    }
    painter.scale(m_scale, m_scale);
    if (const qreal strength = d->flash.currentValue().toReal();
        strength > 0 && d->flash.state() == QAbstractAnimation::Running) {
        QColor colour = m_theme.color(Tone::Primary);
        // Without motion it stands for as long, and does not fade.
        if (!m_state.options.reducedMotion) colour.setAlphaF(static_cast<float>(strength));
        painter.setPen(QPen(colour, 3));
        painter.setBrush(Qt::NoBrush);
        for (const QRectF& cell : d->written.cells(d->plan)) painter.drawRect(cell.adjusted(1.5, 1.5, -1.5, -1.5));
    }
    if (hasFocus() && d->focusShown && d->focusCount() > 0) {
        const QRectF ring = d->focusRect().adjusted(2, 2, -2, -2);
        painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
        painter.setBrush(Qt::NoBrush);
        const qreal radius = d->stripFocused() ? 8 : 10;
        painter.drawRoundedRect(ring, radius, radius);
    }
}

void ExploreStage::resizeEvent(QResizeEvent*) {
    d->cancelDrag();
    d->endEdit();
    d->refresh(true);
    d->keepPickInSight();
}

QRectF ExploreStage::Private::focusRect() const {
    if (focusCount() == 0) return {};
    const bool presented = q->m_state.options.presented;
    // The strip's is round its name: links, arches, the flag, labels and the map lie so close to the cells that a ring
    // round them would cut some of these.
    if (stripFocused()) return plan.strip->handle.adjusted(-5, presented ? -2 : -5, 5, presented ? 2 : 5);
    const qreal gap = presented ? 5 : 6; // what is presented stands closer together
    return plan.cards[static_cast<std::size_t>(focus)].frame().adjusted(-gap, -gap, gap, gap);
}

void ExploreStage::Private::setFocusItem(int index) {
    if (focusCount() == 0) return;
    const QRectF before = focusRect();
    focus = std::clamp(index, 0, focusCount() - 1);
    focusShown = true;
    if (!stripFocused()) q->m_model->select(plan.cards[static_cast<std::size_t>(focus)].input.entry->id);
    q->update(onWidget(before));
    q->update(onWidget(focusRect()));
    announce(false);
}

} // namespace stridescope
