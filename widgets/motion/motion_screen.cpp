#include "widgets/motion/motion_screen.h"

#include "widgets/motion/motion_page.h"
#include "widgets/shared/accessible_role.h"
#include "widgets/shared/elided_label.h"
#include "widgets/shared/empty_state.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace stridescope {

MotionScreen::MotionScreen(WorkspaceModel* workspace, MotionHistory history, QWidget* parent)
    : Screen(parent), m_workspace(workspace), m_history(std::move(history)), m_earlier(new QToolButton(this)),
      m_later(new QToolButton(this)), m_title(new ElidedLabel(this)), m_operations(new QComboBox(this)),
      m_view(new MotionView(this)), m_empty(new EmptyState(this)), m_transport(new TransportBar(this)),
      m_player(new TimePlayer(m_transport, this)) {
    setAccessibleRole(this, QAccessible::Pane);
    setAccessibleName(tr("Motion"));
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setWhatsThis(tr("What an operation moves, from the record of it. Space plays, Left and Right step, Home and End go "
                    "to the ends, Escape ends the motion; Up and Down choose another step."));
    auto* bar = new QWidget(this);
    buildBar(bar);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_view, 1);
    column->addWidget(m_empty, 1);
    column->addWidget(m_transport);
    showNothing();
    connect(m_player, &TimePlayer::timeChanged, m_view, &MotionView::setTime);
    connect(m_view, &MotionView::hovered, this, &MotionScreen::statusTextChanged);
    connect(m_transport, &TransportBar::requested, m_player, &TimePlayer::act);
    for (QWidget* child : m_transport->findChildren<QWidget*>()) child->installEventFilter(this);
    connect(m_workspace, &WorkspaceModel::snapshotChanged, this, &MotionScreen::follow, Qt::QueuedConnection);
    connect(m_workspace, &WorkspaceModel::valuesChanged, this, &MotionScreen::follow, Qt::QueuedConnection);
}

void MotionScreen::buildBar(QWidget* bar) {
    bar->setObjectName(QStringLiteral("motionBar"));
    bar->setProperty("role", QStringLiteral("header"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(20, 6, 20, 6);
    row->setSpacing(8);
    const auto button = [&](QToolButton* each, const char* name, const QString& text, const QString& tip, int by) {
        each->setParent(bar);
        each->setObjectName(QString::fromLatin1(name));
        each->setText(text);
        each->setToolTip(tip);
        each->setProperty("kind", QStringLiteral("button"));
        each->setFocusPolicy(Qt::TabFocus);
        row->addWidget(each);
        connect(each, &QToolButton::clicked, this, [this, by] { showStep(by); });
    };
    button(m_earlier, "motionEarlier", tr("Earlier step"), tr("The step of the history before this one (Up)"), -1);
    button(m_later, "motionLater", tr("Later step"), tr("The step of the history after this one (Down)"), 1);
    m_title->setObjectName(QStringLiteral("motionTitle"));
    m_title->setTextFormat(Qt::PlainText);
    row->addWidget(m_title, 1);
    m_operations->setObjectName(QStringLiteral("motionOperations"));
    m_operations->setAccessibleName(tr("Operations of this step"));
    m_operations->setToolTip(tr("A step may be made of several operations"));
    row->addWidget(m_operations);
    connect(m_operations, &QComboBox::activated, this, [this](int at) {
        if (at >= 0) show(m_step, static_cast<std::size_t>(at));
    });
}

void MotionScreen::setTheme(const Theme& theme) {
    m_view->setTheme(theme);
    m_transport->setTheme(theme);
    m_title->setFont(theme.font(FontRole::Code));
    m_operations->setFont(theme.font(FontRole::Code));
}

void MotionScreen::setReducedMotion(bool on) {
    m_reducedMotion = on;
    m_player->setReducedMotion(on);
}

std::optional<Scene> MotionScreen::picture() const {
    if (!m_view->plan()) return std::nullopt;
    return m_view->scene();
}

std::optional<Animation> MotionScreen::animation() const {
    if (!m_view->plan()) return std::nullopt;
    return motionAnimation(m_view->plan(), m_view->sceneSize());
}

PresentedPage* MotionScreen::presentedPage(QWidget* parent) {
    return new MotionPage(this, parent);
}

QStringList MotionScreen::operationsOf(int step) const {
    QStringList names = m_history.operations(step);
    if (names.isEmpty())
        for (const MotionInput& each : m_history.again(step).operations)
            names << QString::fromStdString(each.record.name);
    return names;
}

int MotionScreen::stepWithOperations(int from, int by) const {
    const int steps = m_history.steps();
    int tried = 0;
    constexpr int kMostTried = 50; // of lines that would be carried out again
    for (int step = from; step >= 0 && step < steps; step += by) {
        if (!m_history.operations(step).isEmpty()) return step;
        if (++tried <= kMostTried && !m_history.again(step).operations.empty()) return step;
    }
    return -1;
}

bool MotionScreen::isSeen() const {
    const int steps = m_history.steps();
    return steps == m_seen && (steps == 0 || m_history.title(steps - 1) == m_seenLast);
}

void MotionScreen::showNothing() {
    m_player->pause();
    m_step = -1;
    const int steps = m_seen = m_history.steps();
    m_seenLast = steps > 0 ? m_history.title(steps - 1) : QString();
    const QString why = steps > 0 ? m_history.again(steps - 1).whyNot : QString();
    QString title = tr("Nothing to play yet");
    QString words = tr("Each operation that you type, drag or run can be played here, step by step.");
    if (!why.isEmpty()) {
        title = tr("None of these steps can be played again");
        words = tr("What an operation moved is kept while the program runs, and these steps were done before. Their "
                   "lines are carried out again on what there is now, on copies; the last one, %1, cannot be: %2 "
                   "Type it anew where its tensors are, or any other line, and it is played here.")
                    .arg(m_seenLast.section(QLatin1Char('\n'), 0, 0).left(120), why);
    }
    m_empty->setContents(title, words, {});
    m_view->setPlan(nullptr);
    m_view->setWords(title, words);
    m_view->hide();
    m_transport->hide();
    m_empty->show();
    fillOperations();
    showTitle({});
}

void MotionScreen::showLast() {
    const int step = stepWithOperations(m_history.steps() - 1, -1);
    // The last operation is the one that was asked for; the others made what it needs.
    if (step < 0 || !show(step, static_cast<std::size_t>(operationsOf(step).size() - 1))) showNothing();
}

void MotionScreen::take(MotionInput input) {
    m_player->pause();
    const auto plan = std::make_shared<const MotionPlan>(motionPlan(std::move(input)));
    QStringList names;
    for (const MotionStage& stage : plan->stages) names << stage.name;
    m_view->setPlan(plan);
    m_player->setTimes(plan->times, names);
    m_player->seek(0);
    m_empty->hide();
    m_view->show();
    m_transport->show();
}

void MotionScreen::showTitle(const QString& title) {
    m_title->setText(title);
    m_earlier->setEnabled(m_step >= 0 && stepWithOperations(m_step - 1, -1) >= 0);
    m_later->setEnabled(m_step >= 0 && stepWithOperations(m_step + 1, 1) >= 0);
}

void MotionScreen::fillOperations() {
    const QSignalBlocker blocker(m_operations);
    m_operations->clear();
    const QStringList names = m_step >= 0 ? operationsOf(m_step) : QStringList();
    constexpr qsizetype kMost = 500;
    for (qsizetype i = 0; i < std::min(names.size(), kMost); ++i)
        m_operations->addItem(QStringLiteral("%1  %2").arg(i + 1).arg(names[i]));
    m_operations->setCurrentIndex(static_cast<int>(m_operation));
    m_operations->setVisible(names.size() > 1);
}

bool MotionScreen::show(int step, std::size_t operation) {
    auto input = m_history.motion(step, operation);
    const bool again = !input;
    if (again) {
        const MotionAgain& done = m_history.again(step);
        if (operation >= done.operations.size()) return false;
        input = done.operations[operation];
    }
    m_step = step;
    m_operation = operation;
    m_seen = m_history.steps();
    m_seenLast = m_history.title(m_seen - 1);
    take(*std::move(input));
    fillOperations();
    const QString title = again ? tr("Step %1 of %2, again on what there is now: %3") : tr("Step %1 of %2: %3");
    showTitle(title.arg(step + 1).arg(m_history.steps()).arg(m_history.title(step)));
    return true;
}

void MotionScreen::playLast() {
    showLast();
    if (m_view->plan()) m_player->play();
}

void MotionScreen::playRefused(MotionInput input) {
    const QString title = tr("Refused: %1").arg(input.code);
    playAlone(std::move(input), title);
}

void MotionScreen::playTried(MotionInput input, const QString& line) {
    playAlone(std::move(input), tr("Tried on copies: %1").arg(line));
}

void MotionScreen::playAlone(MotionInput input, const QString& title) {
    m_step = -1;
    m_operation = 0;
    m_seen = m_history.steps();
    m_seenLast = m_seen > 0 ? m_history.title(m_seen - 1) : QString();
    take(std::move(input));
    fillOperations();
    showTitle(title);
    m_player->play();
}

void MotionScreen::showStep(int by) {
    const int from = m_step >= 0 ? m_step + by : m_history.steps() - 1;
    const int step = stepWithOperations(from, m_step >= 0 ? by : -1);
    if (step >= 0) show(step, static_cast<std::size_t>(operationsOf(step).size() - 1));
}

void MotionScreen::follow() {
    // What comes while it is looked at is played; undone steps are left.
    if (!isVisible() || isSeen()) return;
    const bool grew = m_history.steps() > m_seen;
    showLast();
    if (m_view->plan()) grew ? m_player->play() : m_player->seek(1);
}

bool MotionScreen::takesKey(QKeyEvent* event) {
    if (const auto act = TimePlayer::actOf(*event)) {
        m_player->act(*act);
        return true;
    }
    switch (event->key()) {
    case Qt::Key_Up:
        showStep(-1);
        return true;
    case Qt::Key_Down:
        showStep(1);
        return true;
    case Qt::Key_Escape:
        // Never left half way.
        m_player->act(TransportBar::Act::ToEnd);
        return true;
    default:
        return false;
    }
}

void MotionScreen::keyPressEvent(QKeyEvent* event) {
    if (!takesKey(event)) Screen::keyPressEvent(event);
}

bool MotionScreen::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        // The transport has a use of its own for Space and Enter on its buttons.
        if (key->key() != Qt::Key_Space && key->key() != Qt::Key_Return && takesKey(key)) return true;
    }
    return Screen::eventFilter(watched, event);
}

void MotionScreen::showEvent(QShowEvent* event) {
    Screen::showEvent(event);
    if (!isSeen() || !m_view->plan()) showLast();
}

void MotionScreen::hideEvent(QHideEvent* event) {
    // Not when the desktop hides the window: it may be covered by the one that presents this screen.
    if (!event->spontaneous() && m_player->isPlaying()) m_player->act(TransportBar::Act::ToEnd);
    Screen::hideEvent(event);
}

} // namespace stridescope
