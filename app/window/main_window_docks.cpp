// The panels round the stage: what they hold, where they stand, how that is kept.

#include "app/files/paste_text.h"
#include "app/window/console.h"
#include "app/window/main_window.h"
#include "app/window/python_console.h"
#include "app/window/screens.h"
#include "app/window/script_dock.h"
#include "app/window/variables_dock.h"
#include "widgets/panels/history_panel.h"
#include "widgets/panels/inspector.h"
#include "widgets/panels/message_bar.h"
#include "widgets/panels/operations_panel.h"
#include "widgets/panels/shape_table.h"
#include "widgets/panels/tensor_tree.h"
#include "widgets/shared/scroll_room.h"
#include "widgets/stage/explore_stage.h"

#include <QDockWidget>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QScopedValueRollback>
#include <QScreen>
#include <QStackedWidget>
#include <QStyle>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace stridescope {

namespace {

constexpr QSize kDefaultSize{1600, 1000};
constexpr int kLayoutVersion = 1;
constexpr int kFrameHeight = 32;
constexpr int kBottomHeight = 222, kLowBottomHeight = 112, kLeastBottomHeight = 84;
constexpr int kLeftWidth = 268, kRightWidth = 316;
/// Below this width the right dock becomes a tab of the left one; below this height the bottom dock gets lower.
constexpr int kNarrowWidth = 1400, kLowHeight = 840;
/// Below this height all docks of the left side are tabs of one another.
constexpr int kTabsHeight = 600;
/// Below this size the stage gets what it can of both: only the prompt stays below it, tabs stand close together, and
/// the picture, which scrolls, is high enough for the facts on its cards.
constexpr QSize kTinyWindow{720, 420};
constexpr int kTinyStage = 314, kPromptHeight = 43;
/// The stage's least width, with its scroll bar and the edge of the docks.
constexpr int kTinyStageWidth = 436, kTinyDocks = 190;
constexpr int kRoomForFacts = 1000; ///< on the processor and the GPU, in the status bar

/// When docks move from one group of tabs into another in one step, Qt lets a bar without tabs stand where it was, over
/// what comes there. Where it gets tabs again Qt shows it again.
void hideEmptyTabBars(QMainWindow& window) {
    window.layout()->activate(); // takes the tabs from the bars that are no longer needed
    for (QTabBar* bar : window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
        if (bar->count() == 0) bar->hide();
}

} // namespace

void MainWindow::buildDocks() {
    setAnimated(false); // a dock that still slides when a layout comes back makes Qt crash more often (see tst_monkey)
    // Empty until finishStart(): the first frame has the right shape without their cost.
    const auto dock = [this](const QString& name, const QString& title, Qt::DockWidgetArea area, int width) {
        auto* made = new QDockWidget(title, this);
        made->setObjectName(name);
        auto* empty = new QWidget(made);
        empty->setMinimumWidth(width);
        made->setWidget(empty);
        addDockWidget(area, made);
        return made;
    };
    m_treeDock = dock(QStringLiteral("treeDock"), tr("Storages & tensors"), Qt::LeftDockWidgetArea, kLeftWidth);
    m_operationsDock = dock(QStringLiteral("operationsDock"), tr("Operations"), Qt::LeftDockWidgetArea, kLeftWidth);
    m_inspectorDock = dock(QStringLiteral("inspectorDock"), tr("Inspector"), Qt::RightDockWidgetArea, kRightWidth);
    m_bottomDock = dock(QStringLiteral("consoleDock"), tr("History and console"), Qt::BottomDockWidgetArea, 0);
    buildPythonDocks();
    m_treeDock->setAccessibleName(tr("Storages and tensors")); // of a title it would read the & as a mnemonic
    nameTreeDock();
    // The history's own caption is title enough.
    auto* noTitle = new QWidget(m_bottomDock);
    noTitle->setObjectName(QStringLiteral("consoleDockTitle"));
    noTitle->setFixedHeight(1);
    // Docks add the title's size hint to their minimum, and a plain widget's is negative.
    auto* noHeight = new QHBoxLayout(noTitle);
    noHeight->setContentsMargins(0, 0, 0, 0);
    m_bottomDock->setTitleBarWidget(noTitle);
    m_treeDock->setWhatsThis(tr("Every storage with the tensors that are views of it. The eye shows or hides a tensor "
                                "on the stage; Del removes the name."));
    m_operationsDock->setWhatsThis(tr("What the selected tensor can do, by cost: views move nothing, copies need new "
                                      "memory, and what is not possible says why."));
    m_inspectorDock->setWhatsThis(tr("Offset, size and stride of the selected tensor, to be changed by hand; the order "
                                     "in which it visits its storage; and what it costs in bytes."));
    m_bottomDock->setWhatsThis(
        tr("The steps so far, and a prompt for lines of PyTorch code. Up and Down recall lines."));
}

void MainWindow::nameTreeDock() {
    // Of three tabs each has room for one word. A single & is a letter in a title and a mnemonic in tabs and menus.
    m_treeDock->setWindowTitle(m_tabbed ? tr("Tensors") : tr("Storages & tensors"));
    m_treeDock->toggleViewAction()->setText(tr("Storages and tensors")); // the title has just become its text
}

void MainWindow::fillDocks() {
    const auto fill = [](QDockWidget* dock, QWidget* content) {
        QWidget* empty = dock->widget();
        dock->setWidget(content);
        delete empty;
    };
    const auto run = [this](const QString& code) { runLine(code, Naming::Auto); };
    m_tree = new TensorTree(m_model, m_treeDock);
    fill(m_treeDock, m_tree);
    connect(m_tree, &TensorTree::runRequested, this, run);
    connect(m_tree, &TensorTree::stageRequested, this, &MainWindow::showOnStage);
    connect(m_tree, &TensorTree::renameRequested, this, &MainWindow::renameTo);
    m_operationsStack = new QStackedWidget(m_operationsDock);
    m_operationsStack->setObjectName(QStringLiteral("operationsStack"));
    m_operations = new OperationsPanel(m_model, m_operationsStack);
    m_shapes = new ShapeTable(m_operationsStack);
    m_operationsStack->addWidget(m_operations);
    m_operationsStack->addWidget(new ScrollRoom(m_shapes, m_operationsStack));
    fill(m_operationsDock, m_operationsStack);
    connect(m_shapes, &ShapeTable::runRequested, this, run);
    connect(m_shapes, &ShapeTable::previewRequested, this, &MainWindow::previewLine);
    m_inspector = new Inspector(m_model, m_inspectorDock);
    fill(m_inspectorDock, m_inspector);
    const auto follow = [&](auto* panel) {
        using Panel = std::remove_pointer_t<decltype(panel)>;
        connect(panel, &Panel::runRequested, this, run);
        connect(panel, &Panel::previewRequested, this, &MainWindow::previewLine);
        connect(panel, &Panel::explainRequested, this, &MainWindow::explain);
    };
    connect(m_inspector, &Inspector::pickRequested, m_model, &WorkspaceModel::setPick);
    follow(m_operations);
    follow(m_inspector);
    connect(m_inspector, &Inspector::previewRequested, this, [this](const QString& code) {
        // Another number is tried: what was said of the last one is over.
        if (code.isEmpty() || m_message->kind() != MessageBar::Kind::Error) return;
        m_message->clear();
        m_stage->clearMessage();
    });
    connect(m_tree, &TensorTree::openRequested, this, &MainWindow::askToOpen);
    connect(m_operations, &OperationsPanel::openRequested, this, &MainWindow::askToOpen);
    connect(m_inspector, &Inspector::openRequested, this, &MainWindow::askToOpen);

    auto* bottom = new QWidget(m_bottomDock);
    m_history = new HistoryPanel(bottom);
    m_console = new Console(bottom);
    auto* layout = new QVBoxLayout(bottom);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_history);
    layout->addWidget(m_console, 1);
    fill(m_bottomDock, bottom);
    for (QWidget* beside : {static_cast<QWidget*>(m_bottomDock), static_cast<QWidget*>(m_history),
                            static_cast<QWidget*>(m_console->prompt())})
        beside->installEventFilter(this); // messages stand by them
    connect(m_bottomDock, &QDockWidget::visibilityChanged, this, [this] {
        if (m_workspace->isBusy()) updateWork(); // Cancel takes the place of Stop
    });
    connect(m_history, &HistoryPanel::jumpRequested, this, [this](int count) {
        QString reason;
        if (!m_workspace->jump(count, &reason)) say(reason);
    });
    connect(m_history, &HistoryPanel::playRequested, this, &MainWindow::playLastStep);
    connect(m_console, &Console::lineEntered, this, [this](const QString& line) {
        m_python->isOn() ? runPython(line) : static_cast<void>(runLine(line, Naming::Discard));
    });
    connect(m_console, &Console::linesPasted, this, &MainWindow::runLines);
    connect(m_console->prompt(), &PromptField::rowsChanged, this, &MainWindow::fitConsole);
    connect(m_console->prompt(), &PromptField::textChanged, this, [this] {
        // Of lines that were cleared away again there is nothing to run.
        if (m_pasteTold.isEmpty() || !m_console->prompt()->text().isEmpty()) return;
        if (m_message->title() == std::exchange(m_pasteTold, {})) m_message->clear();
    });
    buildPython();
    connect(m_console->prompt(), &PromptField::pasteRequested, this, [this] {
        m_clipboard->read([this](const ClipboardContents& contents) {
            if (contents.timedOut || contents.textBytes > static_cast<qint64>(kLargestPaste))
                takePasted(contents); // says why not
            else
                m_console->prompt()->insertPasted(contents.text);
        });
    });
    m_console->prompt()->setRecalled(m_settings->list(QStringLiteral("recalledLines")));
    for (const HistoryStep& step : m_workspace->steps()) m_stepEchoes.push_back(m_console->echo(step.code));
    m_forgottenSteps = m_workspace->forgottenSteps();
}

void MainWindow::fitConsole() {
    // A block needs room while it is typed; afterwards the dock is as high as before.
    const int rows = m_console->prompt()->rows();
    if (rows == 1) {
        if (const int before = std::exchange(m_consoleHeight, 0); before > 0)
            resizeDocks({m_bottomDock}, {before}, Qt::Vertical);
        return;
    }
    const int missing = m_console->missingHeight();
    if (missing <= 0) return;
    if (m_consoleHeight == 0) m_consoleHeight = m_bottomDock->height();
    resizeDocks({m_bottomDock}, {m_bottomDock->height() + missing}, Qt::Vertical);
}

bool MainWindow::isLow() const {
    return height() < kLowHeight;
}

void MainWindow::restoreLayout() {
    // Room for the frame and title that the window manager adds.
    resize(kDefaultSize.boundedTo(screen()->availableSize() - QSize(0, kFrameHeight)));
    sizeDocks();
    m_defaultLayout = dockLayout();
    const QByteArray geometry = m_settings->bytes(QStringLiteral("geometry"));
    if (!geometry.isEmpty()) restoreGeometry(geometry);
    const QByteArray layout = m_settings->bytes(QStringLiteral("layout"));
    if (!layout.isEmpty()) setDockLayout(layout);
    keepInSight();
}

void MainWindow::keepInSight() {
    // A screen may be gone, or the file may say a million pixels.
    const QRect frame = geometry();
    for (const QScreen* candidate : QGuiApplication::screens()) {
        const QRect area = candidate->availableGeometry();
        const QRect visible = area & frame;
        const bool fits = frame.width() <= area.width() + 32 && frame.height() <= area.height() + 32;
        if (fits && visible.width() >= 200 && visible.height() >= 100) return;
    }
    const QRect area = QGuiApplication::primaryScreen()->availableGeometry();
    const QSize size = kDefaultSize.boundedTo(area.size());
    setWindowState(windowState() & ~(Qt::WindowMaximized | Qt::WindowFullScreen | Qt::WindowMinimized));
    setGeometry(QRect(area.center() - QPoint(size.width() / 2, size.height() / 2), size));
}

QByteArray MainWindow::dockLayout() const {
    return saveState(kLayoutVersion);
}

void MainWindow::setDockLayout(const QByteArray& layout) {
    // A dock that is shown may ask for a larger window while Qt still puts the layout together: no dock is moved then.
    const QScopedValueRollback restoring(m_placesDocks, true);
    restoreState(layout, kLayoutVersion);
}

void MainWindow::resetLayout() {
    if (currentScreen()) {
        // The other screens begin without docks.
        for (QDockWidget* dock : findChildren<QDockWidget*>()) dock->hide();
        return;
    }
    setDockLayout(m_defaultLayout);
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        dock->setFloating(false);
        dock->setVisible(dock != m_variablesDock && dock != m_scriptDock);
    }
    m_narrow = m_tabbed = false;
    nameTreeDock();
    sizeDocks();
    fitDocks();
    fitTiny();
}

void MainWindow::sizeDocks() {
    const int bottom = m_tiny     ? kPromptHeight
                       : m_tabbed ? kLeastBottomHeight
                       : isLow()  ? kLowBottomHeight
                                  : kBottomHeight;
    resizeDocks({m_bottomDock}, {bottom}, Qt::Vertical);
    // The stage keeps two thirds of a window that is narrower than all would like. Of tabs the one in front has a size.
    const int third = std::min(kLeftWidth, width() / 3);
    const int left = m_tiny ? std::max(kTinyDocks, std::min(third, width() - kTinyStageWidth)) : third;
    resizeDocks({m_tabbed ? m_operationsDock : m_treeDock}, {left}, Qt::Horizontal);
    if (dockWidgetArea(m_inspectorDock) == Qt::RightDockWidgetArea)
        resizeDocks({m_inspectorDock}, {kRightWidth}, Qt::Horizontal);
    resizeDocks({m_treeDock, m_operationsDock}, {height() * 2 / 5, height() * 3 / 5}, Qt::Vertical);
}

void MainWindow::fitDocks() {
    const bool narrow = width() < kNarrowWidth, tabbed = height() < kTabsHeight;
    if (!m_started || m_placesDocks || currentScreen() || (narrow == m_narrow && tabbed == m_tabbed)) return;
    const QScopedValueRollback placing(m_placesDocks, true);
    const bool moved = narrow != m_narrow, wasTabbed = m_tabbed;
    m_narrow = narrow;
    m_tabbed = tabbed;
    nameTreeDock();
    // A dock that the user floats or closes is left alone.
    const auto stands = [](const QDockWidget* dock) { return !dock->isFloating() && !dock->isHidden(); };
    bool changed = false;
    if (tabbed != wasTabbed && stands(m_treeDock) && stands(m_operationsDock)) {
        // One above the other each would have room for its title and little else.
        if (tabbed)
            tabifyDockWidget(m_treeDock, m_operationsDock);
        else
            addDockWidget(dockWidgetArea(m_treeDock), m_operationsDock);
        changed = true;
    }
    if ((moved || (narrow && changed)) && stands(m_inspectorDock)) {
        if (narrow) {
            tabifyDockWidget(m_operationsDock, m_inspectorDock);
        } else {
            addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
            if (!m_scriptDock->isHidden() && !m_scriptDock->isFloating())
                tabifyDockWidget(m_inspectorDock, m_scriptDock);
        }
        changed = true;
    }
    if (!changed) return;
    m_operationsDock->raise();
    sizeDocks();
    hideEmptyTabBars(*this);
}

void MainWindow::fitTiny() {
    const bool tiny = width() < kTinyWindow.width() && height() < kTinyWindow.height();
    if (!m_started || m_placesDocks || currentScreen() || tiny == std::exchange(m_tiny, tiny)) return;
    m_history->setVisible(!tiny); // Undo and Redo stay in the tool bar, and their keys
    m_stage->setMinimumHeight(tiny ? kTinyStage : 0);
    for (QTabBar* bar : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        bar->setProperty("tight", tiny);
        style()->unpolish(bar);
        style()->polish(bar);
    }
    sizeDocks();
    // The picture's new size is only known when all have theirs.
    QTimer::singleShot(0, this, [this] {
        m_pickInSight.reset();
        bringPickIntoSight();
    });
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    placeFirstRun(false);
    fitDocks();
    fitTiny();
    fitToolBar();
    // What is under the pointer counts more than what the computer has, which the About box tells, too.
    for (QLabel* label : {m_statusCpu, m_statusGpu}) label->setVisible(width() >= kRoomForFacts);
}

void MainWindow::rememberLayout() {
    m_settings->setBytes(QStringLiteral("geometry"), saveGeometry());
    m_settings->setBytes(QStringLiteral("layout"), currentScreen() ? m_exploreLayout : dockLayout());
    if (m_console) m_settings->setList(QStringLiteral("recalledLines"), m_console->prompt()->recalled());
    m_settings->save();
}

} // namespace stridescope
