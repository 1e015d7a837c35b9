#include "app/window/main_window.h"

#include "app/files/paste_text.h"
#include "app/lessons/lesson_library.h"
#include "app/window/console.h"
#include "app/window/explanation.h"
#include "app/window/first_run_cards.h"
#include "app/window/presenter_window.h"
#include "app/window/screens.h"
#include "app/window/script_dock.h"
#include "app/window/startup_trace.h"
#include "app/window/variables_dock.h"
#include "core/expr/value.h"
#include "widgets/panels/command_palette.h"
#include "widgets/panels/history_panel.h"
#include "widgets/panels/inspector.h"
#include "widgets/panels/message_bar.h"
#include "widgets/panels/operations_panel.h"
#include "widgets/panels/shape_table.h"
#include "widgets/panels/tensor_tree.h"
#include "widgets/shared/elided_label.h"
#include "widgets/shared/empty_state.h"
#include "widgets/shared/focus_ring.h"
#include "widgets/shared/scroll_room.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/stage_header.h"

#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QScreen>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <thread>

namespace stridescope {

namespace {

QLabel* statusLabel(const QString& name) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setContentsMargins(8, 0, 8, 0);
    return label;
}

/// Told without loading anything: a driver leaves this file.
QString gpuText() {
    const bool driver = QFile::exists(QStringLiteral("/proc/driver/nvidia/version"));
    return driver ? QObject::tr("GPU not used yet") : QObject::tr("no GPU found");
}

} // namespace

MainWindow::MainWindow(Settings* settings, QWidget* parent)
    : QMainWindow(parent), m_settings(settings), m_model(new WorkspaceModel(this)),
      m_workspace(new Workspace(m_model, this)), m_opener(new FileOpener(this)), m_fileWatch(new FileWatch(this)),
      m_clipboard(new ClipboardReader(this)), m_look(new SystemLook(this)), m_rings(new FocusRings(this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Stridescope"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    // What the desktop said last time, until it has been asked: the first frame waits for nobody.
    const QJsonValue said = settings->value(QStringLiteral("systemDark"));
    m_paletteDark = systemIsDark();
    m_systemDark = said.isBool() ? said.toBool() : m_paletteDark;
    const QString choice = settings->text(QStringLiteral("theme"));
    if (choice == QStringLiteral("light")) m_themeChoice = ThemeChoice::Light;
    if (choice == QStringLiteral("dark")) m_themeChoice = ThemeChoice::Dark;

    buildCentre();
    buildDocks();
    buildStatusBar();
    buildActions();
    applyTheme();
    restoreLayout();
    updateActions();

    connect(m_fileWatch, &FileWatch::changed, this, &MainWindow::tellFileChanged);
    connect(m_fileWatch, &FileWatch::bytesChanged, this, [this](quint64 storageId) {
        // Colour ranges, counts and summaries are kept by version.
        const std::vector<const TensorEntry*> tensors = m_model->snapshot()->tensorsOn(storageId);
        if (tensors.empty()) return;
        tensors.front()->tensor.storage()->bumpVersion();
        m_model->notifyValuesChanged(storageId);
    });
    connect(m_workspace, &Workspace::changed, this, [this] {
        m_fileWatch->follow(*m_model->snapshot());
        markChangedFiles();
        updateActions();
        syncConsole();
        nameWindow();
        if (m_journal) tellJournal();
    });
    connect(m_model, &WorkspaceModel::selectionChanged, this, &MainWindow::updateActions);
    connect(m_model, &WorkspaceModel::selectionChanged, this, &MainWindow::bringPickIntoSight);
    connect(m_opener, &FileOpener::opened, this, &MainWindow::takeOpened);
    connect(m_opener, &FileOpener::finished, this, &MainWindow::openingFinished);
    connect(m_opener, &FileOpener::progress, this, &MainWindow::showProgress);
    connect(&m_saving, &Background::progress, this, &MainWindow::showProgress);
    connect(m_workspace, &Workspace::lineProgress, this, &MainWindow::showProgress);
    connect(m_workspace, &Workspace::lineFinished, this, &MainWindow::lineFinished);
    connect(m_workspace, &Workspace::changeRefused, this, [this](const QString& act, const QString& why) {
        m_stage->followOrder();
        complain(tr("Nothing was changed."), why);
        echoRefused(QStringLiteral("# ") + act, QStringLiteral("RuntimeError"), why);
    });
    m_stage->installEventFilter(this);
    // The picture has the keys at first: arrows move the pick at once.
    m_stage->setFocus(Qt::OtherFocusReason);
    // Desktops without a portal say by their style that nothing shall move.
    const bool still = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0;
    setReducedMotion(settings->flag(QStringLiteral("reducedMotion"), still));
    connect(m_look, &SystemLook::darkChanged, this, &MainWindow::followSystem);
    connect(m_look, &SystemLook::reducedMotionChanged, this, [this](bool reduced) {
        // What the user has chosen here counts more.
        if (!m_settings->value(QStringLiteral("reducedMotion")).isBool()) setReducedMotion(reduced);
    });
}

MainWindow::~MainWindow() {
    // Widgets that lose the focus tell this window; later, in ~QWidget, it would be none any more.
    hide();
}

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    centre->setObjectName(QStringLiteral("centre"));
    m_stageHeader = new StageHeader(centre);
    m_stageHeader->setObjectName(QStringLiteral("stageHeader"));
    m_stage = new ExploreStage(m_model, centre);
    m_stage->setObjectName(QStringLiteral("stage"));
    m_firstRun = new FirstRunCards(centre);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_stageHeader);
    buildMessages();
    layout->addWidget(m_firstRun);
    m_centreStack = new QStackedWidget(centre);
    m_stageRoom = new ScrollRoom(m_stage, m_centreStack);
    m_stageRoom->setObjectName(QStringLiteral("stageRoom"));
    m_centreStack->addWidget(m_stageRoom);
    m_screenStack = new QStackedWidget(centre);
    m_screenStack->addWidget(m_centreStack);
    layout->addWidget(m_screenStack, 1);
    setCentralWidget(centre);
    centre->installEventFilter(this);

    m_stageHeader->attach(m_stage);
    connect(m_stageHeader, &StageHeader::exportRequested, this, &MainWindow::exportPicture);
    connect(m_stage, &ExploreStage::runRequested, this, [this](const QString& code) { runLine(code, Naming::Auto); });
    connect(m_stage, &ExploreStage::previewRequested, this, &MainWindow::previewLine);
    connect(m_stage, &ExploreStage::explainRequested, this, &MainWindow::explain);
    connect(m_stage, &ExploreStage::statusTextChanged, this,
            [this](const QString& text) { m_statusText->setText(text); });
    connect(m_stage, &ExploreStage::exportRequested, this, &MainWindow::exportFrom);
    connect(m_stage, &ExploreStage::moveRequested, this,
            [this](TensorId tensor, TensorId before) { echoAct([&] { m_workspace->moveBefore(tensor, before); }); });
    connect(m_stage, &ExploreStage::hideRequested, this, [this](TensorId tensor) { showOnStage(tensor, false); });
    connect(m_stage, &ExploreStage::actRefused, this, [this](const QString& act, const Refusal& refusal) {
        echoRefused(QStringLiteral("# ") + act, QString::fromStdString(expr::exceptionName(refusal)),
                    QString::fromStdString(refusal.message), QString::fromStdString(refusal.hint));
    });
    connect(m_stage, &ExploreStage::renameRequested, this, &MainWindow::renameTensor);
    connect(m_stage, &ExploreStage::deleteRequested, this, &MainWindow::deleteTensor);
    connect(m_stage, &ExploreStage::showRequested, this, [this](TensorId tensor) { showOnStage(tensor, true); });
    connect(m_stage, &ExploreStage::openRequested, this, &MainWindow::askToOpen);
    connect(m_firstRun, &FirstRunCards::openRequested, this, &MainWindow::askToOpen);
    connect(m_firstRun, &FirstRunCards::typeRequested, this, [this] {
        finishStart();
        m_bottomDock->show();
        const auto& tensors = m_model->snapshot()->tensors;
        m_console->propose(tensors.empty() ? firstTensorLine()
                                           : QStringLiteral("%1[1:, 1:3]").arg(tensors.front().name));
    });
    connect(m_firstRun, &FirstRunCards::lessonRequested, this, [this] { openLesson(lessonLibrary().front().id); });
    // After the stage, which was told first.
    connect(m_stage, &ExploreStage::optionsChanged, this, [this] { placeFirstRun(true); });
    connect(m_model, &WorkspaceModel::selectionChanged, this, [this] { placeFirstRun(true); });
    connect(m_firstRun, &FirstRunCards::dismissed, this, &MainWindow::endFirstRun);
    m_firstRun->setVisible(!m_settings->flag(QStringLiteral("firstRunDone"), false));
}

void MainWindow::bringPickIntoSight() {
    // In a small window a part of the stage is out of sight, and the keys lead there. Before the window stands nobody
    // knows which part: it begins at its top.
    if (!m_started) return;
    const std::optional<Pick>& pick = m_model->selection().pick;
    if (pick == std::exchange(m_pickInSight, pick) || !pick || !m_stageRoom->scrolls()) return;
    const QRect cell = m_stage->pickedRect().toAlignedRect();
    if (cell.isEmpty()) return;
    constexpr int kRound = 24, kEdge = 10; // above the cards is no more
    m_stageRoom->ensureVisible(cell.center().x(), cell.center().y(), cell.width() / 2 + kRound,
                               cell.height() / 2 + kRound);
    // And as much of the head of its card, which says what it is an element of, as the cell leaves room for.
    const QRect card = m_stage->pickedCard().toAlignedRect();
    if (card.isEmpty()) return;
    const int lowest = cell.bottom() + kEdge - m_stageRoom->viewport()->height();
    m_stageRoom->verticalScrollBar()->setValue(std::max(card.top() - kEdge, lowest));
}

void MainWindow::setReducedMotion(bool on) {
    m_stage->setReducedMotion(on);
    setAnimated(!on); // docks that make room for another one
    for (const ScreenPage& page : m_screens) {
        if (page.widget) page.widget->setReducedMotion(on);
    }
}

void MainWindow::placeFirstRun(bool laidOut) {
    // In a low window the picture needs every line: there the cards stand in its corner while that is empty. Once the
    // picture has grown into it they stay above, until the window has another size.
    constexpr int kWidth = 236, kMargin = 12;
    const bool low = isLow();
    if (m_firstRunPlacedFor != size()) {
        m_firstRunPlacedFor = size();
        m_cornerTaken = false;
    }
    using Place = FirstRunCards::Place;
    // Before all docks are there the picture is as large as it will not be.
    if (laidOut && m_started && m_firstRun->place() == Place::Corner && !m_firstRun->isHidden() &&
        m_stage->shows(m_firstRun->geometry()))
        m_cornerTaken = true;
    // A row of theirs must not keep a still smaller window from being so small.
    constexpr int kRoomForRow = 600;
    if (m_cornerTaken && height() < kRoomForRow) {
        m_firstRun->hide();
        return;
    }
    const Place place = !low ? Place::Row : m_cornerTaken ? Place::LowRow : Place::Corner;
    if (place != m_firstRun->place()) {
        // Above the other screens they do not stand; they wait there until Explore is back.
        const bool corner = place == Place::Corner, explore = m_screens.empty() || !m_screens[m_screen].make;
        const bool waits = !explore && m_firstRun->parentWidget() == centralWidget();
        const bool shown = waits ? m_firstRunWaits : !m_firstRun->isHidden();
        auto* column = static_cast<QVBoxLayout*>(centralWidget()->layout());
        column->removeWidget(m_firstRun);
        m_firstRun->setPlace(place);
        m_firstRun->setParent(corner ? static_cast<QWidget*>(m_stage) : centralWidget());
        if (!corner) column->insertWidget(column->indexOf(m_screenStack), m_firstRun);
        if (!explore) m_firstRunWaits = shown;
        m_firstRun->setVisible(shown && (corner || explore));
        // The picture may already be where the corner is.
        if (corner) QTimer::singleShot(0, this, [this] { placeFirstRun(true); });
    }
    if (place != Place::Corner) return;
    m_firstRun->resize(kWidth, m_firstRun->sizeHint().height());
    m_firstRun->move(m_stage->width() - kWidth - kMargin, m_stage->height() - m_firstRun->height() - kMargin);
}

void MainWindow::endFirstRun() {
    m_firstRun->hide();
    m_settings->set(QStringLiteral("firstRunDone"), true);
    // At once: it must not come back after a crash either.
    m_settings->saveLater();
}

void MainWindow::finishStart() {
    if (m_started) return;
    m_started = true;
    fillDocks();
    m_palette = new CommandPalette(this);
    for (const auto over : {&CommandPalette::closed, &CommandPalette::previewEnded})
        connect(m_palette, over, this, [this] { previewLine({}); });
    applyThemeToParts();
    updateActions();
    syncConsole();
    fitDocks();
    fitTiny();
    QTimer::singleShot(0, this, [this] { // when all have their sizes
        placeFirstRun(true);
        bringPickIntoSight();
    });
    // Docks that were floating came before this window was one: shown again, they stay above it.
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        if (!dock->isFloating() || !dock->isVisible()) continue;
        dock->hide();
        dock->show();
    }
    m_look->start();
    const QStringList notes = m_settings->notes();
    if (!notes.isEmpty()) say(notes.first(), notes.mid(1).join(QLatin1Char(' ')));
}

void MainWindow::buildStatusBar() {
    m_statusText = new ElidedLabel;
    m_statusText->setObjectName(QStringLiteral("statusText"));
    m_statusText->setContentsMargins(8, 0, 8, 0);
    m_statusDType = statusLabel(QStringLiteral("statusDType"));
    m_statusCpu = statusLabel(QStringLiteral("statusCpu"));
    m_statusGpu = statusLabel(QStringLiteral("statusGpu"));
    m_statusCpu->setText(tr("cpu · %1 threads").arg(std::thread::hardware_concurrency()));
    m_statusGpu->setText(gpuText());
    statusBar()->addWidget(m_statusText, 1);
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progress->setAccessibleName(tr("Progress of the work under way"));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(160, 8);
    m_progress->hide();
    statusBar()->addPermanentWidget(m_progress);
    m_changedFiles = new QToolButton;
    m_changedFiles->setObjectName(QStringLiteral("changedFiles"));
    m_changedFiles->setToolTip(tr("What is shown is not what the file holds; click for more"));
    m_changedFiles->setProperty("kind", QStringLiteral("status"));
    m_changedFiles->hide();
    connect(m_changedFiles, &QToolButton::clicked, this, [this] {
        const auto files = m_fileWatch->changedFiles();
        if (!files.empty()) tellFileChanged(files.front().path, files.front().bytesNow, files.front().bytesMapped);
    });
    statusBar()->addPermanentWidget(m_changedFiles);
    m_cancelWork = new QToolButton;
    m_cancelWork->setObjectName(QStringLiteral("cancelWork"));
    m_cancelWork->setText(tr("Cancel"));
    m_cancelWork->setAccessibleName(tr("Cancel the work under way"));
    m_cancelWork->setToolTip(tr("Stop what is being opened, saved or computed; what was there stays"));
    m_cancelWork->setProperty("kind", QStringLiteral("status"));
    m_cancelWork->hide();
    connect(m_cancelWork, &QToolButton::clicked, this, &MainWindow::cancelWork);
    statusBar()->addPermanentWidget(m_cancelWork);
    for (QLabel* label : {m_statusDType, m_statusCpu, m_statusGpu}) statusBar()->addPermanentWidget(label);
    statusBar()->setSizeGripEnabled(false);
}

// --- Theme ----------------------------------------------------------------------------------------------------------

bool MainWindow::systemIsDark() const {
    // Qt 6.4 has no colorScheme(): a dark platform theme shows in the palette that it gives.
    const QPalette palette = QGuiApplication::palette();
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

void MainWindow::followSystem(std::optional<bool> dark) {
    m_settings->set(QStringLiteral("systemDark"), dark ? QJsonValue(*dark) : QJsonValue());
    const bool now = dark.value_or(m_paletteDark);
    if (now == m_systemDark) return;
    m_systemDark = now;
    if (m_themeChoice != ThemeChoice::System) return;
    applyTheme();
    updateActions();
}

void MainWindow::setThemeChoice(ThemeChoice choice) {
    m_themeChoice = choice;
    const char* names[] = {"system", "light", "dark"};
    m_settings->set(QStringLiteral("theme"), QString::fromLatin1(names[static_cast<int>(choice)]));
    applyTheme();
    updateActions();
    saveSettings();
}

void MainWindow::applyTheme() {
    const bool dark = m_themeChoice == ThemeChoice::Dark || (m_themeChoice == ThemeChoice::System && m_systemDark);
    m_theme = Theme(dark ? ThemeKind::Dark : ThemeKind::Light);
    qApp->setPalette(m_theme.palette());
    qApp->setFont(m_theme.font(FontRole::Text));
    qApp->setStyleSheet(m_theme.styleSheet());
    m_rings->setColour(m_theme.color(Tone::Ink));
    m_stage->setTheme(m_theme);
    m_stageHeader->setTheme(m_theme);
    m_firstRun->setTheme(m_theme);
    applyThemeToParts();
}

void MainWindow::applyThemeToParts() {
    const std::pair<const char*, const char*> icons[] = {
        {"open", "open"}, {"undo", "undo"}, {"redo", "redo"}, {"newTyped", "edit"}, {"exportPicture", "export"}};
    for (const auto& [name, icon] : icons)
        command(QString::fromLatin1(name))->setIcon(m_theme.icon(QString::fromLatin1(icon)));
    m_newButton->setIcon(m_theme.icon(QStringLiteral("plus")));
    m_searchButton->setIcon(m_theme.icon(QStringLiteral("search")));
    // Their icons come with the style sheet: docks set them anew whenever they float or come back.
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        for (const char* name : {"qt_dockwidget_closebutton", "qt_dockwidget_floatbutton"}) {
            // A title's layout leaves them the height of its text.
            if (auto* button = dock->findChild<QAbstractButton*>(QString::fromLatin1(name)))
                button->setMinimumSize(24, 24);
        }
    }
    const bool dark = m_theme.kind() == ThemeKind::Dark;
    m_themeButton->setIcon(m_theme.icon(dark ? QStringLiteral("sun") : QStringLiteral("moon")));
    fitToolBar();
    if (m_explanation) m_explanation->setTheme(m_theme);
    for (const ScreenPage& page : m_screens) {
        if (page.widget) page.widget->setTheme(m_theme);
    }
    if (!m_started) return;
    m_tree->setTheme(m_theme);
    m_operations->setTheme(m_theme);
    m_shapes->setTheme(m_theme);
    m_inspector->setTheme(m_theme);
    m_history->setTheme(m_theme);
    m_console->setTheme(m_theme);
    m_variablesDock->setTheme(m_theme);
    m_scriptDock->setTheme(m_theme);
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::ThemeChange && m_themeChoice == ThemeChoice::System) {
        // Without ours for a moment, the application has the palette of the platform.
        qApp->setPalette(QPalette());
        const QJsonValue said = m_settings->value(QStringLiteral("systemDark"));
        m_paletteDark = systemIsDark();
        m_systemDark = said.isBool() ? said.toBool() : m_paletteDark;
        applyTheme();
    }
    QMainWindow::changeEvent(event);
}

// --- Layout ---------------------------------------------------------------------------------------------------------

void MainWindow::saveSettings() {
    m_settings->saveLater();
    // What went wrong is told when the disk has had its time.
    QTimer::singleShot(1000, this, [this] {
        const auto before = m_settings->notes().size();
        m_settings->save();
        const QStringList notes = m_settings->notes();
        if (notes.size() > before) say(notes.last());
    });
}

/// What nothing in the window has taken.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !m_message->isHidden() && m_message->state() == 0) return m_message->clear();
    QMainWindow::keyPressEvent(event);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == centralWidget() && (event->type() == QEvent::Resize || event->type() == QEvent::Move))
        placeMessage();
    if (m_console && (watched == m_bottomDock || watched == m_history || watched == m_console->prompt()) &&
        (event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show ||
         event->type() == QEvent::Hide)) {
        placePrinted();
        placeMessage();
    }
    // Docks that come to stand behind tabs make Qt put the centre on top.
    if ((watched == centralWidget() || watched == m_bottomDock) && event->type() == QEvent::ZOrderChange) {
        for (MessageBar* bar : {m_printed, m_message}) bar->raise();
    }
    if (watched == m_stage && event->type() == QEvent::Resize) {
        placeFirstRun(false);
        QTimer::singleShot(0, this, [this] { placeFirstRun(true); });
    }
    // What is told is left first: it is on top.
    if (watched == m_stage && event->type() == QEvent::KeyPress && !m_message->isHidden() && m_message->state() == 0 &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && QApplication::mouseButtons() == Qt::NoButton) {
        m_message->clear();
        if (m_message->isHidden()) return true;
    }
    if (watched == m_stage && event->type() == QEvent::Paint && !m_started) {
        // After this frame is on screen, not before.
        QTimer::singleShot(0, this, [this] {
            startup_trace::firstPaint();
            finishStart();
        });
    }
    return QMainWindow::eventFilter(watched, event);
}

} // namespace stridescope
