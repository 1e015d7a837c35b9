// Explore and the screens beside it: the switch in the tool bar, and a layout of the docks for each.

#include "app/lessons/lessons_screen.h"
#include "app/window/console.h"
#include "app/window/first_run_cards.h"
#include "app/window/main_window.h"
#include "app/window/python_console.h"
#include "app/window/screens.h"
#include "app/workspace/motion_again.h"
#include "app/workspace/refused_picture.h"
#include "app/workspace/workspace.h"
#include "widgets/broadcast/broadcast_screen.h"
#include "widgets/motion/motion_screen.h"
#include "widgets/panels/message_bar.h"
#include "widgets/shared/scroll_room.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/stage_header.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QMenu>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

namespace stridescope {

static const QString kKeptByScreen = QStringLiteral("screen:");

void MainWindow::rememberScreens() {
    for (const ScreenPage& page : m_screens) {
        if (!page.widget) continue;
        const QJsonObject values = page.widget->kept();
        if (!values.isEmpty()) m_settings->set(kKeptByScreen + page.name, values);
    }
}

void MainWindow::buildScreens(QMenu* menu) {
    m_screenMenu = menu;
    m_screenGroup = new QActionGroup(this);
    m_screenSwitch = new QFrame(this);
    m_screenSwitch->setObjectName(QStringLiteral("screenSwitch"));
    m_screenSwitch->setProperty("kind", QStringLiteral("segments"));
    m_screenSwitch->setAccessibleName(tr("Screens"));
    auto* row = new QHBoxLayout(m_screenSwitch);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_screenList = new QToolButton(m_screenSwitch);
    m_screenList->setObjectName(QStringLiteral("screenList"));
    m_screenList->setAccessibleName(tr("Screens"));
    m_screenList->setPopupMode(QToolButton::InstantPopup);
    m_screenList->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_screenList->setFocusPolicy(Qt::TabFocus);
    m_screenList->setMenu(new QMenu(m_screenList));
    m_screenList->hide();
    row->addWidget(m_screenList);
    for (const ScreenKind& kind : screenKinds()) addScreen(kind);
}

void MainWindow::foldScreens(bool on) {
    for (const ScreenPage& page : m_screens) {
        if (auto* button = m_screenSwitch->findChild<QToolButton*>(QStringLiteral("screenButton:") + page.name))
            button->setVisible(!on);
    }
    m_screenList->setVisible(on);
    const QString shown = m_screens[m_screen].action->iconText();
    m_screenList->setText(shown + QStringLiteral(" ▼"));
    m_screenList->setToolTip(tr("Screen: %1. Choose another one.").arg(shown));
    m_screenSwitch->adjustSize();
}

void MainWindow::addScreen(const ScreenKind& kind) {
    const QString name = kind.name;
    QAction* action = addCommand(
        m_screenMenu, QStringLiteral("screen:") + name, tr("Screen: %1").arg(kind.title), kind.keys,
        [this, name] { showScreen(name); }, kind.what);
    action->setIconText(kind.title);
    action->setToolTip(QStringLiteral("%1 (%2)").arg(kind.what, kind.keys.toString(QKeySequence::NativeText)));
    action->setCheckable(true);
    m_screenGroup->addAction(action);
    m_screens.push_back({name, action, kind.make, nullptr, nullptr, {}});
    if (m_screens.size() == 1) action->setChecked(true);
    if (!kind.onSwitch) return;
    auto* button = new QToolButton(m_screenSwitch);
    button->setObjectName(QStringLiteral("screenButton:") + name);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setAccessibleName(kind.title);
    button->setFocusPolicy(Qt::TabFocus);
    m_screenSwitch->layout()->addWidget(button);
    m_screenList->menu()->addAction(action);
    // One screen alone is nothing to switch.
    if (m_screenSwitchAction) m_screenSwitchAction->setVisible(m_screens.size() > 1);
}

void MainWindow::buildZoom(QMenu* menu) {
    struct Command {
        const char* name;
        QString text;
        QList<QKeySequence> keys;
        Zoom step;
        QString what;
    };
    const auto keys = [](auto... key) { return QList<QKeySequence>{QKeySequence(Qt::CTRL | key)...}; };
    const Command commands[] = {
        {"zoomIn", tr("Zoom &in"), keys(Qt::Key_Plus, Qt::Key_Equal), Zoom::In, tr("About the middle of the picture.")},
        {"zoomOut", tr("Zoom &out"), keys(Qt::Key_Minus), Zoom::Out,
         tr("Until the whole storage, or all images, are in sight.")},
        {"zoomActual", tr("&Actual size"), keys(Qt::Key_0), Zoom::Actual,
         tr("Cells at their usual size; of images one pixel of the screen for each.")},
        {"zoomWhole", tr("&Fit whole storage"), keys(Qt::Key_9), Zoom::Whole,
         tr("Everything in sight: where several elements share a pixel it shows the highest and the lowest of them.")},
    };
    for (const Command& each : commands) {
        QAction* action = addCommand(
            menu, QString::fromLatin1(each.name), each.text, each.keys.front(),
            [this, step = each.step] { currentScreen() ? currentScreen()->zoom(step) : m_stage->zoom(step); },
            each.what);
        action->setShortcuts(each.keys);
    }
}

bool MainWindow::canZoom() const {
    return currentScreen() ? currentScreen()->canZoom() : !m_model->snapshot()->tensors.empty();
}

QString MainWindow::screenName() const {
    return m_screens[m_screen].name;
}

/// Where all docks of a side are hidden Qt leaves their tab bar standing, and where they come back it lays them out
/// over its upper half.
static void settleTabs(QMainWindow& window) {
    static constexpr char kPutAway[] = "putAwayWithItsDocks";
    const QList<QDockWidget*> docks = window.findChildren<QDockWidget*>();
    const bool any = std::any_of(docks.begin(), docks.end(), [](const QDockWidget* dock) { return !dock->isHidden(); });
    for (QTabBar* bar : window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        if (!any && !bar->isHidden()) {
            bar->hide();
            bar->setProperty(kPutAway, true);
        } else if (any && bar->property(kPutAway).toBool()) {
            bar->setProperty(kPutAway, false);
            bar->show();
        }
    }
    window.layout()->invalidate();
    window.layout()->activate();
}

Screen* MainWindow::currentScreen() const {
    return m_screens[m_screen].widget;
}

void MainWindow::buildScreen(ScreenPage& page) {
    finishStart();
    page.widget = page.make({m_workspace, m_python->kernel()}, m_screenStack);
    page.widget->setObjectName(page.name + QStringLiteral("Screen"));
    page.widget->setTheme(m_theme);
    page.widget->setReducedMotion(m_stage->options().reducedMotion);
    connect(page.widget, &Screen::runRequested, this, [this](const QString& code) { runLine(code, Naming::Auto); });
    connect(page.widget, &Screen::pythonRequested, this, [this](const QString& code) { m_python->run(code); });
    connect(page.widget, &Screen::runTogether, this,
            [this](const QString& code, const QString& title, const QStringList& alone) {
                runLine(code, RunAs::together(Naming::Auto, title, alone));
            });
    connect(page.widget, &Screen::messagePlaceChanged, this, &MainWindow::placeMessage);
    connect(page.widget, &Screen::messagesRead, this, &MainWindow::endMessages);
    connect(page.widget, &Screen::lineTold, this, [this](const QString& command) {
        // As a terminal has it: it can be copied and run there.
        m_console->print(QStringLiteral("$ ") + command);
    });
    connect(page.widget, &Screen::keptChanged, this, [this] {
        rememberScreens();
        m_settings->saveLater();
    });
    page.widget->keep(m_settings->value(kKeptByScreen + page.name).toObject());
    connect(page.widget, &Screen::statusTextChanged, this,
            [this](const QString& text) { m_statusText->setText(text); });
    connect(page.widget, &Screen::shownDTypeChanged, this, [this] { updateActions(); });
    connect(page.widget, &Screen::historyChanged, this, [this] { updateActions(); });
    connect(page.widget, &Screen::filesWanted, this,
            [this](const QStringList& paths) { paths.isEmpty() ? askToOpen() : openFiles(paths); });
    if (auto* broadcast = qobject_cast<BroadcastScreen*>(page.widget)) {
        connect(broadcast, &BroadcastScreen::exportRequested, this, [this](TensorId tensor, const QString& format) {
            format == QStringLiteral("file") ? exportPicture() : exportFrom(tensor, format);
        });
        connect(broadcast, &BroadcastScreen::tensorRequested, this, [this](TensorId tensor) {
            m_model->select(tensor);
            showScreen(QString::fromUtf16(kExplore));
        });
        connect(broadcast, &BroadcastScreen::playRequested, this, [this](const QString& line) {
            if (m_workspace->isBusy()) return;
            MotionAgain tried = motionAgain(m_workspace->session(), line);
            if (tried.operations.empty())
                say(tried.whyNot);
            else if (MotionScreen* screen = motionScreen()) // the last one is what was asked for
                screen->playTried(std::move(tried.operations.back()), line);
        });
    }
    // Some take the focus themselves.
    if (page.widget->accessibleName().isEmpty()) page.widget->setAccessibleName(page.action->iconText());
    page.room = new ScrollRoom(page.widget, m_screenStack);
    m_screenStack->addWidget(page.room);
}

MainWindow::ShownDocks MainWindow::shownDocks() const {
    ShownDocks shown;
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        if (dock->isHidden()) continue;
        shown.docks += dock;
        shown.sizes += dock->size();
        // Of tabs all are shown, but those behind the one in front have no place in the window.
        if (!dock->isFloating() && rect().intersects(dock->geometry())) shown.front += dock;
    }
    return shown;
}

/// Not by restoreState(): Qt takes the layout to pieces there and puts it together again, and where the window has had
/// other sizes since saveState() it has crashed over a piece that was gone already (Qt 6.4, see tst_monkey).
void MainWindow::showDocks(const ShownDocks& shown) {
    const QScopedValueRollback placing(m_placesDocks, true);
    for (QDockWidget* dock : findChildren<QDockWidget*>())
        if (!shown.docks.contains(dock)) dock->hide();
    QList<QDockWidget*> placed;
    QList<int> widths, heights;
    for (qsizetype i = 0; i < shown.docks.size(); ++i) {
        QDockWidget* dock = shown.docks[i];
        dock->show();
        if (dock->isFloating() || !shown.front.contains(dock)) continue;
        placed += dock;
        widths += shown.sizes[i].width();
        heights += shown.sizes[i].height();
    }
    if (placed.isEmpty()) return;
    resizeDocks(placed, widths, Qt::Horizontal);
    resizeDocks(placed, heights, Qt::Vertical);
    for (QDockWidget* dock : placed) dock->raise();
}

void MainWindow::showScreen(const QString& name) {
    const auto wanted =
        std::find_if(m_screens.begin(), m_screens.end(), [&](const ScreenPage& page) { return page.name == name; });
    if (wanted == m_screens.end()) return;
    const auto to = static_cast<std::size_t>(wanted - m_screens.begin());
    wanted->action->setChecked(true);
    if (to == m_screen) return;
    if (wanted->make && !wanted->widget) buildScreen(*wanted);
    setUpdatesEnabled(false);
    ScreenPage& from = m_screens[m_screen];
    from.docks = shownDocks();
    if (from.make == nullptr) m_exploreLayout = dockLayout();
    const bool leavesExplore = from.make == nullptr, explore = wanted->make == nullptr;
    if (leavesExplore) m_firstRunWaits = !m_firstRun->isHidden() && m_firstRun->parentWidget() == centralWidget();
    m_screen = to;
    m_stageHeader->setVisible(explore);
    if (m_firstRun->parentWidget() == centralWidget()) m_firstRun->setVisible(explore && m_firstRunWaits);
    m_screenStack->setCurrentWidget(explore ? static_cast<QWidget*>(m_centreStack) : wanted->room);
    showDocks(wanted->docks);
    if (explore) { // the window may have another size than when it was left
        fitDocks();
        fitTiny();
    }
    settleTabs(*this);
    setUpdatesEnabled(true);
    m_statusText->clear();
    (explore ? static_cast<QWidget*>(m_stage) : wanted->widget)->setFocus(Qt::OtherFocusReason);
    fitToolBar(); // a folded switch names the screen
    updateActions();
    presentPage();
}

MotionScreen* MainWindow::motionScreen() {
    showScreen(QString::fromUtf16(kMotion));
    return qobject_cast<MotionScreen*>(currentScreen());
}

void MainWindow::openLesson(const QString& link) {
    showScreen(QString::fromUtf16(kLessons));
    if (auto* lessons = qobject_cast<LessonsScreen*>(currentScreen())) lessons->openLink(link);
}

void MainWindow::playLastStep() {
    if (m_refused && !m_refusedMotion && m_refused->position == m_workspace->position()) {
        tellNothingRan(*m_refused);
        return;
    }
    MotionScreen* screen = motionScreen();
    if (!screen) return;
    m_refusedMotion ? screen->playRefused(*m_refusedMotion) : screen->playLast();
}

void MainWindow::tellNothingRan(const RefusedAct& act) {
    const RefusedAct refused = act;
    // What was refused has its own picture; the step before it is another matter.
    const auto picture = refusedPicture(m_model->snapshot(), refused.line, refused.outcome);
    if (picture && hasPicture(*picture)) showExplanation(refused.line, refused.outcome);
    say(tr("%1 was refused: no cell moved, so nothing can be played.").arg(refused.line.left(120)));
    if (m_workspace->position() == 0) return;
    offer(tr("Play the step before it"), [this] {
        m_refused.reset();
        m_message->clear();
        closeExplanation();
        playLastStep();
    });
}

Scene MainWindow::currentPicture(TensorId tensor) const {
    if (tensor == 0 && currentScreen()) {
        if (const std::optional<Scene> picture = currentScreen()->picture()) return *picture;
    }
    return m_stage->pictureOf(tensor);
}

} // namespace stridescope
