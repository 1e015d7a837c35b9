// Menus, tool bar, palette: every command has one QAction, made by addCommand().

#include "app/window/about_dialog.h"
#include "app/window/console.h"
#include "app/window/first_run_cards.h"
#include "app/window/main_window.h"
#include "app/window/screens.h"
#include "core/io/text.h"
#include "widgets/model/words.h"
#include "widgets/panels/inspector.h"
#include "widgets/panels/operation_suggestions.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/stage_header.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QLayout>
#include <QMenu>
#include <QMenuBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QWhatsThis>

namespace stridescope {

namespace {

/// Lines that make a tensor, offered by "New tensor".
struct Recipe {
    const char* text;
    const char* code;
};
constexpr Recipe kRecipes[] = {
    {QT_TRANSLATE_NOOP("stridescope::MainWindow", "Counted, 3 × 4"), "torch.arange(12).view(3, 4)"},
    {QT_TRANSLATE_NOOP("stridescope::MainWindow", "Counted, 2 × 3 × 4"), "torch.arange(24).view(2, 3, 4)"},
    {QT_TRANSLATE_NOOP("stridescope::MainWindow", "Counted, 2 × 2 × 3 × 4"), "torch.arange(48).view(2, 2, 3, 4)"},
    {QT_TRANSLATE_NOOP("stridescope::MainWindow", "Counted, 20 in one row"), "torch.arange(20)"},
    {QT_TRANSLATE_NOOP("stridescope::MainWindow", "Zeros, 3 × 4"), "torch.zeros(3, 4)"},
    {QT_TRANSLATE_NOOP("stridescope::MainWindow", "Ones, 2 × 3, int64"), "torch.ones(2, 3, dtype=torch.int64)"},
    {QT_TRANSLATE_NOOP("stridescope::MainWindow", "A column, 4 × 1"), "torch.arange(4).view(4, 1)"},
    {QT_TRANSLATE_NOOP("stridescope::MainWindow", "By hand, 2 × 2"), "torch.tensor([[1, 2], [3, 4]])"},
};

/// The name of a file without what is invisible in it.
QString shownName(const QString& path) {
    return QString::fromStdString(sanitiseForDisplay(QFileInfo(path).fileName().toStdString()));
}

} // namespace

QString MainWindow::plainText(const QAction* action) {
    QString text = action->text();
    text.remove(QLatin1Char('&'));
    return text;
}

QAction* MainWindow::command(const QString& name) const {
    for (QAction* action : m_commands) {
        if (action->objectName() == name) return action;
    }
    return nullptr;
}

QAction* MainWindow::addCommand(QMenu* menu, const QString& name, const QString& text, const QKeySequence& keys,
                                const std::function<void()>& run, const QString& what) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(keys);
    if (!what.isEmpty()) {
        action->setWhatsThis(what);
        action->setStatusTip(what);
    }
    connect(action, &QAction::triggered, this, run);
    menu->addAction(action);
    addAction(action);
    m_commands.push_back(action);
    return action;
}

void MainWindow::buildActions() {
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildTensorMenu();
    buildPythonMenu();
    buildWindowAndHelpMenus();
    buildToolBar();
}

void MainWindow::buildFileMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    QMenu* make = menu->addMenu(tr("&New tensor"));
    make->setObjectName(QStringLiteral("newTensorMenu"));
    for (const Recipe& recipe : kRecipes) {
        const QString code = QString::fromLatin1(recipe.code);
        addCommand(
            make, QStringLiteral("new:") + code, tr(recipe.text), {}, [this, code] { runLine(code, Naming::Auto); },
            code);
    }
    make->addSeparator();
    addCommand(make, QStringLiteral("newTyped"), tr("Type a new tensor…"), QKeySequence::New, [this] {
        finishStart();
        m_bottomDock->show();
        m_console->propose(QStringLiteral("%1 = torch.arange(12).view(3, 4)").arg(m_workspace->nextName()));
    });
    addCommand(
        menu, QStringLiteral("open"), tr("&Open…"), QKeySequence::Open, [this] { askToOpen(); },
        tr("Opens sessions, .npy, .npz, .safetensors and pictures. Large arrays are mapped, not read."));
    m_recentMenu = menu->addMenu(tr("Open &recent"));
    m_recentMenu->setObjectName(QStringLiteral("recentMenu"));
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    menu->addSeparator();
    addCommand(
        menu, QStringLiteral("saveSession"), tr("&Save session"), QKeySequence::Save, [this] { saveSession(); },
        tr("All tensors with their views, how they are shown, and the lines of the history, in one file."));
    addCommand(menu, QStringLiteral("saveSessionAs"), tr("Save session &as…"),
               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { saveSessionAs(); });
    addCommand(menu, QStringLiteral("saveTensor"), tr("Save &tensor as .npy…"), {}, [this] { saveTensor(); });
    addCommand(menu, QStringLiteral("saveAll"), tr("Save all tensors as .np&z…"), {}, [this] { saveAll(); });
    addCommand(
        menu, QStringLiteral("exportPicture"), tr("&Export picture…"), QKeySequence(Qt::CTRL | Qt::Key_E),
        [this] { exportPicture(); },
        tr("The picture as SVG, PDF, PNG or LaTeX; what moves as GIF, page or pictures, too."));
    menu->addSeparator();
    addCommand(
        menu, QStringLiteral("cancelWork"), tr("Cancel the work under way"), QKeySequence(Qt::CTRL | Qt::Key_Period),
        [this] { cancelWork(); }, tr("Stops what is being opened, saved or computed; what was there stays."));
    addCommand(menu, QStringLiteral("startOver"), tr("Start o&ver"), {}, [this] {
        const auto restart = [this] {
            m_workspace->clear();
            setSessionPath({});
            showFirstPicture();
        };
        if (mayLose(tr("Start over without saving"), restart)) restart();
    });
    addCommand(menu, QStringLiteral("quit"), tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
}

void MainWindow::buildEditMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    // What was done last on the screen that is seen comes first; the history's own steps are the workspace's.
    addCommand(menu, QStringLiteral("undo"), tr("&Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z), [this] {
        Screen* screen = currentScreen();
        screen && !screen->undoTitle().isEmpty() ? screen->undo() : undo();
    });
    QAction* redoAction =
        addCommand(menu, QStringLiteral("redo"), tr("&Redo"), QKeySequence(Qt::CTRL | Qt::Key_Y), [this] {
            Screen* screen = currentScreen();
            screen && !screen->redoTitle().isEmpty() ? screen->redo() : redo();
        });
    redoAction->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Y), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)});
    addCommand(menu, QStringLiteral("stepBack"), tr("History: step &back"), QKeySequence(Qt::ALT | Qt::Key_Left),
               [this] { undo(); });
    addCommand(menu, QStringLiteral("stepForward"), tr("History: step &forward"), QKeySequence(Qt::ALT | Qt::Key_Right),
               [this] { redo(); });
    menu->addSeparator();
    addCommand(menu, QStringLiteral("copyPng"), tr("Copy picture as &PNG"), {},
               [this] { exportFrom(0, QStringLiteral("png")); });
    addCommand(menu, QStringLiteral("copySvg"), tr("Copy picture as S&VG"), {},
               [this] { exportFrom(0, QStringLiteral("svg")); });
    addCommand(
        menu, QStringLiteral("copyTikz"), tr("Copy picture as &LaTeX (TikZ)"), {},
        [this] { exportFrom(0, QStringLiteral("tikz")); }, tr("For a LaTeX document with \\usepackage{tikz}."));
    addCommand(menu, QStringLiteral("copyText"), tr("Copy selected tensor as a &table"), {},
               [this] { exportFrom(m_model->selection().tensor, QStringLiteral("text")); });
    addCommand(menu, QStringLiteral("copyCode"), tr("Copy selected tensor's &code"), {},
               [this] { exportFrom(m_model->selection().tensor, QStringLiteral("code")); });
    addCommand(menu, QStringLiteral("copySession"), tr("Copy all lines of the &history"), {}, [this] {
        QStringList lines;
        for (int i = 0; i < m_workspace->position(); ++i)
            lines << m_workspace->steps()[static_cast<std::size_t>(i)].code;
        copyText(lines.join(QLatin1Char('\n')), tr("The lines of the history"));
    });
    addCommand(
        menu, QStringLiteral("copyState"), tr("Copy state as te&xt"), {}, [this] { copyState(); },
        tr("A small session as one line for a message or a link; pasted, it is the same state again."));
    addCommand(
        menu, QStringLiteral("paste"), tr("P&aste table, list, picture or state"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V), [this] { paste(); },
        tr("Makes a tensor of a text table, a Python list, a printed array or a picture."));
    menu->addSeparator();
    addCommand(menu, QStringLiteral("palette"), tr("Search co&mmands"), {}, [this] {
        openPalette();
    })->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), QKeySequence(Qt::CTRL | Qt::Key_K)});
}

void MainWindow::buildViewMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    buildScreens(menu->addMenu(tr("&Screen")));
    addCommand(
        menu, QStringLiteral("playStep"), tr("Pla&y the last step"), QKeySequence(Qt::Key_F6),
        [this] { playLastStep(); }, tr("Shows as motion which cells the last operation moved."));
    buildZoom(menu);
    addCommand(menu, QStringLiteral("jump"), tr("&Go to index…"), QKeySequence(Qt::CTRL | Qt::Key_G),
               [this] { m_stage->askForIndex(); });
    menu->addSeparator();
    const auto choice = [this](QMenu* sub, const QString& group, const QString& name, const QString& text,
                               const std::function<void()>& run, const std::function<bool()>& isOn) {
        QAction* action = addCommand(sub, group + QLatin1Char(':') + name, text, {}, run);
        action->setCheckable(true);
        action->setChecked(isOn());
        const auto follow = [action, isOn] { action->setChecked(isOn()); };
        connect(m_stage, &ExploreStage::optionsChanged, action, follow);
        connect(action, &QAction::triggered, action, follow);
        return action;
    };
    const QString cell = QStringLiteral("cellText"), rulerGroup = QStringLiteral("ruler"),
                  wrap = QStringLiteral("wrap");
    QMenu* text = menu->addMenu(tr("Cell &text"));
    const std::pair<const char*, CellText> texts[] = {{QT_TR_NOOP("value"), CellText::Value},
                                                      {QT_TR_NOOP("index"), CellText::Index},
                                                      {QT_TR_NOOP("both"), CellText::Both}};
    for (const auto& [word, value] : texts)
        choice(
            text, cell, QString::fromLatin1(word), tr("Cells show: %1").arg(tr(word)),
            [this, v = value] { m_stage->setCellText(v); },
            [this, v = value] { return m_stage->options().cellText == v; });
    QMenu* ruler = menu->addMenu(tr("&Ruler"));
    using Ruler = StripItem::Ruler;
    const std::pair<const char*, Ruler> rulers[] = {{QT_TR_NOOP("elements"), Ruler::Elements},
                                                    {QT_TR_NOOP("bytes"), Ruler::Bytes},
                                                    {QT_TR_NOOP("hex"), Ruler::Hex}};
    for (const auto& [word, value] : rulers)
        choice(
            ruler, rulerGroup, QString::fromLatin1(word), tr("Ruler: %1").arg(tr(word)),
            [this, v = value] { m_stage->setRuler(v); }, [this, v = value] { return m_stage->options().ruler == v; });
    QMenu* wraps = menu->addMenu(tr("&Wrap"));
    const std::pair<const char*, StripWrap> kinds[] = {{QT_TR_NOOP("fit"), StripWrap::Fit},
                                                       {QT_TR_NOOP("row"), StripWrap::Row},
                                                       {QT_TR_NOOP("64 B line"), StripWrap::Line64},
                                                       {QT_TR_NOOP("n"), StripWrap::Number}};
    for (const auto& [word, value] : kinds)
        choice(
            wraps, wrap, QString::fromLatin1(word), tr("Wrap the strip: %1").arg(tr(word)),
            [this, v = value] {
                m_stage->setWrap(v, m_stage->options().wrapNumber);
                if (v == StripWrap::Number) m_stageHeader->editWrapNumber();
            },
            [this, v = value] { return m_stage->options().wrap == v; });
    const QString show = QStringLiteral("show");
    choice(
        menu, show, QStringLiteral("byteStrides"), tr("Strides in &bytes"),
        [this] { m_stage->setByteStrides(!m_stage->options().byteStrides); },
        [this] { return m_stage->options().byteStrides; });
    choice(
        menu, show, QStringLiteral("cacheLines"), tr("&Cache lines on the strip"),
        [this] { m_stage->setCacheLines(!m_stage->options().cacheLines); },
        [this] { return m_stage->options().cacheLines; });
    choice(
        menu, show, QStringLiteral("heat"), tr("&Heat map"), [this] { m_stage->setHeat(!m_stage->options().heat); },
        [this] { return m_stage->options().heat; });
    choice(
        menu, show, QStringLiteral("reducedMotion"), tr("Reduce &motion"),
        [this] {
            const bool on = !m_stage->options().reducedMotion;
            setReducedMotion(on);
            m_settings->set(QStringLiteral("reducedMotion"), on);
        },
        [this] { return m_stage->options().reducedMotion; });
    menu->addSeparator();
    QMenu* themes = menu->addMenu(tr("Th&eme"));
    m_themeGroup = new QActionGroup(this);
    const std::pair<const char*, ThemeChoice> choices[] = {{QT_TR_NOOP("system"), ThemeChoice::System},
                                                           {QT_TR_NOOP("light"), ThemeChoice::Light},
                                                           {QT_TR_NOOP("dark"), ThemeChoice::Dark}};
    for (const auto& [word, value] : choices) {
        QAction* action = addCommand(themes, QStringLiteral("theme:") + QString::fromLatin1(word),
                                     tr("Theme: %1").arg(tr(word)), {}, [this, v = value] { setThemeChoice(v); });
        action->setCheckable(true);
        action->setData(static_cast<int>(value));
        m_themeGroup->addAction(action);
    }
    buildLanguageMenu(menu);
    menu->addSeparator();
    addCommand(menu, QStringLiteral("resetLayout"), tr("Reset layo&ut"), {}, [this] { resetLayout(); });
}

void MainWindow::buildTensorMenu() {
    m_tensorMenu = menuBar()->addMenu(tr("&Tensor"));
    m_tensorMenu->setObjectName(QStringLiteral("tensorMenu"));
    const auto withSelected = [this](const std::function<void(TensorId)>& act) {
        return [this, act] {
            if (m_model->selected()) act(m_model->selection().tensor);
        };
    };
    addCommand(m_tensorMenu, QStringLiteral("renameTensor"), tr("&Rename…"), QKeySequence(Qt::Key_F2),
               withSelected([this](TensorId id) { renameTensor(id); }));
    addCommand(m_tensorMenu, QStringLiteral("toggleStage"), tr("&Hide from stage"), QKeySequence(Qt::CTRL | Qt::Key_H),
               withSelected([this](TensorId id) { showOnStage(id, !m_model->snapshot()->tensor(id)->onStage); }));
    addCommand(m_tensorMenu, QStringLiteral("deleteTensor"), tr("&Delete name"),
               QKeySequence(Qt::CTRL | Qt::Key_Backspace), withSelected([this](TensorId id) { deleteTensor(id); }));
    addCommand(m_tensorMenu, QStringLiteral("moveLeft"), tr("Move card &left"),
               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Left),
               withSelected([this](TensorId id) { m_stage->moveCard(id, -1); }));
    addCommand(m_tensorMenu, QStringLiteral("moveRight"), tr("Move card ri&ght"),
               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Right),
               withSelected([this](TensorId id) { m_stage->moveCard(id, 1); }));
    addCommand(m_tensorMenu, QStringLiteral("printTensor"), tr("&Print in the console"), {},
               withSelected([this](TensorId id) { runLine(m_model->snapshot()->tensor(id)->name, Naming::Discard); }));
    addCommand(m_tensorMenu, QStringLiteral("operationForm"), tr("Any operation by &form…"), {},
               withSelected([this](TensorId) { openForm(QStringLiteral("as_strided")); }));
    const auto part = [this](Inspector::Part shown) {
        return [this, shown] {
            finishStart();
            m_inspectorDock->show();
            m_inspectorDock->raise();
            // A dock that was hidden has its height only then.
            QTimer::singleShot(0, m_inspector, [this, shown] { m_inspector->showPart(shown); });
        };
    };
    addCommand(m_tensorMenu, QStringLiteral("showWalk"), tr("Contiguity &walk"), {}, part(Inspector::Part::Walk));
    addCommand(m_tensorMenu, QStringLiteral("showBytes"), tr("&Bytes of view and copy"), {},
               part(Inspector::Part::Bytes));
    addCommand(m_tensorMenu, QStringLiteral("showWhereFrom"), tr("Where a value comes fr&om"), {},
               part(Inspector::Part::WhereFrom));
    m_tensorMenu->addSeparator();
    connect(m_tensorMenu, &QMenu::aboutToShow, this, &MainWindow::fillTensorMenu);
}

void MainWindow::buildWindowAndHelpMenus() {
    QMenu* window = menuBar()->addMenu(tr("&Window"));
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        QAction* toggle = dock->toggleViewAction();
        toggle->setObjectName(QStringLiteral("dock:") + dock->objectName());
        window->addAction(toggle);
        m_commands.push_back(toggle);
    }
    window->addSeparator();
    addCommand(window, QStringLiteral("focusConsole"), tr("Go to the &prompt"), QKeySequence(Qt::CTRL | Qt::Key_L),
               [this] {
                   finishStart();
                   m_bottomDock->show();
                   m_console->focusPrompt();
               });
    addCommand(
        window, QStringLiteral("focusStage"), tr("Go to the p&icture"), QKeySequence(Qt::CTRL | Qt::Key_J), [this] {
            (currentScreen() ? static_cast<QWidget*>(currentScreen()) : m_stage)->setFocus(Qt::ShortcutFocusReason);
        });
    addCommand(window, QStringLiteral("fullScreen"), tr("&Full screen"), QKeySequence(Qt::Key_F11),
               [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    buildPresenting(window);
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    addCommand(
        help, QStringLiteral("whatIsThis"), tr("&What is this?"), QKeySequence(Qt::Key_F1), [this] { whatIsThis(); },
        tr("Explains the part of the window that has the focus."));
    addCommand(
        help, QStringLiteral("firstSteps"), tr("&First steps"), {},
        [this] {
            showScreen(QString::fromUtf16(kExplore));
            m_firstRun->show();
        },
        tr("The three cards of the first start."));
    addCommand(help, QStringLiteral("about"), tr("&About Stridescope"), {}, [this] { showAbout(); });
}

void MainWindow::buildToolBar() {
    auto* bar = addToolBar(tr("Tool bar"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    m_newButton = new QToolButton(bar);
    m_newButton->setObjectName(QStringLiteral("newTensorButton"));
    m_newButton->setText(tr("New tensor"));
    m_newButton->setToolTip(tr("Make a new tensor"));
    m_newButton->setPopupMode(QToolButton::InstantPopup);
    m_newButton->setMenu(findChild<QMenu*>(QStringLiteral("newTensorMenu")));
    bar->addWidget(m_newButton);
    bar->addAction(command(QStringLiteral("open")));
    bar->addSeparator();
    bar->addAction(command(QStringLiteral("undo")));
    bar->addAction(command(QStringLiteral("redo")));
    const auto spring = [bar] {
        auto* room = new QWidget(bar);
        room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        bar->addWidget(room);
    };
    spring();
    m_screenSwitchAction = bar->addWidget(m_screenSwitch);
    m_screenSwitchAction->setVisible(m_screens.size() > 1);
    spring();
    m_searchButton = new QToolButton(bar);
    m_searchButton->setObjectName(QStringLiteral("searchButton"));
    m_searchButton->setText(tr("Search commands    Ctrl+Shift+P"));
    m_searchButton->setAccessibleName(tr("Search commands"));
    m_searchButton->setToolTip(tr("Every command and operation (Ctrl+Shift+P, Ctrl+K)"));
    connect(m_searchButton, &QToolButton::clicked, this, &MainWindow::openPalette);
    bar->addWidget(m_searchButton);
    m_themeButton = new QToolButton(bar);
    m_themeButton->setObjectName(QStringLiteral("themeButton"));
    connect(m_themeButton, &QToolButton::clicked, this,
            [this] { setThemeChoice(m_theme.kind() == ThemeKind::Dark ? ThemeChoice::Light : ThemeChoice::Dark); });
    bar->addWidget(m_themeButton);
    // Tool bars give their buttons no focus of their own accord.
    for (QToolButton* button : bar->findChildren<QToolButton*>()) {
        if (!button->text().isEmpty() || button->defaultAction()) button->setFocusPolicy(Qt::TabFocus);
    }
}

void MainWindow::fitToolBar() {
    // Nothing leaves the bar when it gets narrow: what is to be read goes first, icons and their tool tips stay.
    auto* bar = findChild<QToolBar*>(QStringLiteral("toolBar"));
    const auto words = [](bool on) { return on ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly; };
    constexpr int kSteps = 4;
    for (int step = 0; step <= kSteps; ++step) {
        m_searchButton->setText(step == 0 ? tr("Search commands    Ctrl+Shift+P") : tr("Search"));
        m_searchButton->setToolButtonStyle(words(step < 2));
        m_themeButton->setToolButtonStyle(words(step < 2));
        m_newButton->setToolButtonStyle(words(step < 3));
        foldScreens(step == kSteps);
        for (const char* name : {"open", "undo", "redo"}) {
            if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(command(QString::fromLatin1(name)))))
                button->setToolButtonStyle(words(step < 3));
        }
        bar->layout()->invalidate(); // buttons that are not shown yet would tell it only later
        if (bar->sizeHint().width() <= width()) return;
    }
}

void MainWindow::updateActions() {
    const auto setNamed = [this](const QString& name, const QString& verb, const QString& what, bool can) {
        QAction* action = command(name);
        action->setText(what.isEmpty() ? verb : verb + QLatin1Char(' ') + what);
        action->setEnabled(can);
        // The tool bar has room for the verb alone.
        action->setIconText(plainText(action).section(QLatin1Char(' '), 0, 0));
        action->setToolTip(plainText(action) + QStringLiteral(" (") +
                           action->shortcut().toString(QKeySequence::NativeText) + QLatin1Char(')'));
    };
    const bool busy = m_workspace->isBusy();
    if (m_console) m_console->setBusy(busy);
    const QString undone = currentScreen() ? currentScreen()->undoTitle() : QString(),
                  redone = currentScreen() ? currentScreen()->redoTitle() : QString();
    setNamed(QStringLiteral("undo"), tr("&Undo"), undone.isEmpty() ? m_workspace->undoTitle() : undone,
             !undone.isEmpty() || (m_workspace->position() > 0 && !busy));
    setNamed(QStringLiteral("redo"), tr("&Redo"), redone.isEmpty() ? m_workspace->redoTitle() : redone,
             !redone.isEmpty() || (m_workspace->canRedo() && !busy));
    command(QStringLiteral("stepBack"))->setEnabled(m_workspace->position() > 0 && !busy);
    command(QStringLiteral("stepForward"))->setEnabled(m_workspace->canRedo() && !busy);
    command(QStringLiteral("playStep"))->setEnabled(m_workspace->position() > 0 && !busy);
    command(QStringLiteral("cancelWork"))->setEnabled(busy || m_saving.isBusy() || m_opener->isBusy());
    const TensorEntry* selected = m_model->selected();
    for (const char* name :
         {"saveTensor", "copyText", "copyCode", "renameTensor", "toggleStage", "deleteTensor", "printTensor",
          "operationForm", "moveLeft", "moveRight", "showWalk", "showBytes", "showWhereFrom"})
        command(QString::fromLatin1(name))->setEnabled(selected != nullptr);
    for (const char* name : {"zoomIn", "zoomOut", "zoomActual", "zoomWhole"})
        command(QString::fromLatin1(name))->setEnabled(canZoom());
    const bool tensors = !m_model->snapshot()->tensors.empty();
    command(QStringLiteral("saveAll"))->setEnabled(tensors);
    for (const char* name : {"exportPicture", "copyPng", "copySvg", "copyTikz"})
        command(QString::fromLatin1(name))->setEnabled(tensors || (currentScreen() && currentScreen()->hasPicture()));
    command(QStringLiteral("toggleStage"))
        ->setText(selected && !selected->onStage ? tr("&Show on stage") : tr("&Hide from stage"));
    const auto shown = currentScreen() ? currentScreen()->shownDType() : std::nullopt;
    m_statusDType->setText(shown ? *shown : selected ? dtypeText(selected->tensor.dtype()) : QString());
    for (QAction* action : m_themeGroup->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(m_themeChoice));
    const bool dark = m_theme.kind() == ThemeKind::Dark;
    m_themeButton->setText(dark ? tr("Light") : tr("Dark"));
    m_themeButton->setToolTip(dark ? tr("Switch to the light theme") : tr("Switch to the dark theme"));
}

void MainWindow::fillRecentMenu() {
    m_recentMenu->clear();
    for (const QString& path : recentFiles()) {
        QAction* action = m_recentMenu->addAction(shownName(path).replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setToolTip(QString::fromStdString(sanitiseForDisplay(path.toStdString())));
        const bool there = QFileInfo::exists(path);
        action->setEnabled(there);
        if (!there) action->setText(action->text() + tr(" (gone)"));
        connect(action, &QAction::triggered, this, [this, path] { openFiles({path}); });
    }
    if (m_recentMenu->isEmpty()) m_recentMenu->addAction(tr("No file was opened yet"))->setEnabled(false);
}

void MainWindow::fillTensorMenu() {
    // Everything behind the separator belongs to the selected tensor.
    const QList<QAction*> actions = m_tensorMenu->actions();
    bool behind = false;
    for (QAction* action : actions) {
        if (behind) {
            m_tensorMenu->removeAction(action);
            action->deleteLater();
            if (QMenu* inner = action->menu()) inner->deleteLater();
        }
        behind = behind || action->isSeparator();
    }
    const TensorEntry* selected = m_model->selected();
    if (!selected) {
        m_tensorMenu->addAction(tr("Select a tensor to see its operations"))->setEnabled(false);
        return;
    }
    QMenu* dtypes = nullptr;
    for (const OperationSuggestion& suggestion : operationSuggestions(*selected)) {
        const bool possible = suggestion.group != SuggestionGroup::NotPossible;
        const QString code = suggestion.code;
        if (suggestion.group == SuggestionGroup::OtherDType && !dtypes) {
            dtypes = m_tensorMenu->addMenu(tr("Other dtype"));
            dtypes->setToolTipsVisible(true);
        }
        QMenu* menu = suggestion.group == SuggestionGroup::OtherDType ? dtypes : m_tensorMenu;
        QAction* action = menu->addAction(possible ? code : tr("%1: show why").arg(code));
        action->setToolTip(suggestion.reason);
        connect(action, &QAction::triggered, this,
                [this, code, possible] { possible ? void(runLine(code, Naming::Auto)) : explain(code); });
    }
}

void MainWindow::whatIsThis() {
    // The innermost thing in focus that has an explanation; without one, the pointer asks for a thing.
    for (QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget()) {
        if (widget->whatsThis().isEmpty()) continue;
        QWhatsThis::showText(widget->mapToGlobal(widget->rect().center()), widget->whatsThis(), widget);
        return;
    }
    QWhatsThis::enterWhatsThisMode();
}

void MainWindow::showAbout() {
    auto* dialog = new AboutDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

} // namespace stridescope
