// The console's lines in Python: switched on and off, told while they run and when they end.

#include "app/window/console.h"
#include "app/window/first_run_cards.h"
#include "app/window/main_window.h"
#include "app/window/missing_name.h"
#include "app/window/python_console.h"
#include "app/window/python_settings_dialog.h"
#include "app/window/script_dock.h"
#include "app/window/variables_dock.h"
#include "app/workspace/refused_picture.h"
#include "widgets/model/words.h"
#include "widgets/panels/message_bar.h"
#include "widgets/stage/explore_stage.h"

#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTimer>

#include <algorithm>
#include <string_view>
#include <utility>

namespace stridescope {

namespace {

/// Code that takes no longer than this, in milliseconds, is not announced.
constexpr int kUnannounced = 300;
constexpr qsizetype kShownCode = 120;

/// What is cut says so.
QString shortened(const QString& line) {
    return line.size() <= kShownCode ? line : line.left(kShownCode - 1) + QChar(0x2026);
}

QString firstLineOf(const QString& text) {
    const QString all = text.trimmed(), first = all.section(QLatin1Char('\n'), 0, 0);
    return first.size() < all.size() && first.size() <= kShownCode ? first + QStringLiteral(" …") : shortened(first);
}

} // namespace

void MainWindow::buildPythonMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Python"));
    // Docks are filled after the first frame.
    const auto started = [this](const std::function<void()>& act) {
        return [this, act] {
            finishStart();
            act();
        };
    };
    const auto script = [this, started](void (ScriptDock::*act)()) {
        return started([this, act] {
            if (m_scriptDock->isHidden()) placeScript();
            (m_scriptDock->*act)();
        });
    };
    QAction* lines = addCommand(menu, QStringLiteral("togglePython"), tr("&Lines at the prompt are Python's"), {},
                                started([this] { setPython(!m_python->isOn()); }),
                                tr("Loops, functions, imports. Tensors stay the same ones."));
    lines->setCheckable(true);
    connect(menu, &QMenu::aboutToShow, lines, [this, lines] { lines->setChecked(m_python && m_python->isOn()); });
    menu->addSeparator();
    addCommand(menu, QStringLiteral("newScript"), tr("&New script"), {}, script(&ScriptDock::newScript));
    addCommand(menu, QStringLiteral("openScript"), tr("&Open script…"), {}, script(&ScriptDock::open));
    addCommand(menu, QStringLiteral("saveScript"), tr("&Save script"), {}, started([this] { m_scriptDock->save(); }));
    addCommand(menu, QStringLiteral("saveScriptAs"), tr("Save script &as…"), {},
               started([this] { m_scriptDock->saveAs(); }));
    addCommand(menu, QStringLiteral("runScript"), tr("&Run script"), QKeySequence(Qt::Key_F5), script(&ScriptDock::run),
               tr("The whole script, or the rest of one that waits before a line."));
    addCommand(menu, QStringLiteral("stepScript"), tr("Run the ne&xt line of the script"), QKeySequence(Qt::Key_F10),
               script(&ScriptDock::step),
               tr("The line that comes next is marked; the pictures show what was done so far."));
    addCommand(menu, QStringLiteral("stepIntoScript"), tr("Run the next line, &into functions"),
               QKeySequence(Qt::CTRL | Qt::Key_F10), script(&ScriptDock::stepInto),
               tr("A function of the script that the line calls is gone through line by line; its tensors are shown."));
    menu->addSeparator();
    addCommand(menu, QStringLiteral("stopPython"), tr("S&top Python"), QKeySequence(Qt::SHIFT | Qt::Key_F5),
               started([this] { m_python->stop(); }),
               tr("What it had done until then stands. Ctrl+C at the prompt does the same."));
    addCommand(menu, QStringLiteral("restartPython"), tr("Start Python a&gain"), {},
               started([this] { m_python->restart(); }),
               tr("Tensors stay; functions, modules and all else that only Python has is lost."));
    addCommand(menu, QStringLiteral("pythonSettings"), tr("Python s&ettings…"), {}, started([this] { askForPython(); }),
               tr("Which Python is used, and how much memory it may take."));
}

void MainWindow::buildPythonDocks() {
    // Both are hidden until they are asked for.
    m_variablesDock = new VariablesDock(m_workspace, this);
    m_scriptDock = new ScriptDock(m_settings, this);
    addDockWidget(Qt::BottomDockWidgetArea, m_variablesDock);
    splitDockWidget(m_bottomDock, m_variablesDock, Qt::Horizontal);
    addDockWidget(Qt::RightDockWidgetArea, m_scriptDock);
    tabifyDockWidget(m_inspectorDock, m_scriptDock);
    m_variablesDock->hide();
    m_scriptDock->hide();
    const auto placed = [this](QDockWidget* dock, void (MainWindow::*place)()) {
        connect(dock->toggleViewAction(), &QAction::triggered, this, [this, place](bool shown) {
            if (shown) (this->*place)();
        });
    };
    placed(m_variablesDock, &MainWindow::placeVariables);
    placed(m_scriptDock, &MainWindow::placeScript);
    connect(m_scriptDock, &ScriptDock::opened, this, &MainWindow::rememberRecent);
    connect(m_scriptDock, &ScriptDock::refused, this, &MainWindow::complain);
    connect(m_scriptDock, &ScriptDock::starting, this, &MainWindow::clearForPython);
    connect(m_scriptDock, &ScriptDock::stopRequested, this, [this] { m_python->stop(); });
}

void MainWindow::placeVariables() {
    // Below a low picture there is no room for a table.
    m_variablesDock->show();
    if (m_variablesDock->isFloating()) return;
    if (isLow()) {
        tabifyDockWidget(m_operationsDock, m_variablesDock);
    } else {
        splitDockWidget(m_bottomDock, m_variablesDock, Qt::Horizontal);
        const int all = m_bottomDock->width() + m_variablesDock->width();
        const int wanted = std::min(460, all / 2);
        resizeDocks({m_bottomDock, m_variablesDock}, {all - wanted, wanted}, Qt::Horizontal);
    }
    m_variablesDock->raise();
}

void MainWindow::placeScript() {
    m_scriptDock->show();
    m_scriptDock->raise();
    constexpr int kWidth = 440;
    if (!m_scriptDock->isFloating() && m_scriptDock->width() < kWidth)
        resizeDocks({m_scriptDock}, {std::min(kWidth, width() / 3)}, Qt::Horizontal);
}

void MainWindow::setPython(bool on) {
    m_settings->set(QStringLiteral("pythonConsole"), on);
    m_console->setPython(on);
    m_python->setOn(on);
    // So that the first line need not wait, and that a missing Python is told now.
    if (on) m_python->kernel()->start();
    // What was imported in vain while lines were not Python's is imported now, for all to see.
    if (on && std::exchange(m_torchTyped, false)) runPython(QStringLiteral("import torch"));
    // Once, so that it is known that there is such a pane; where there is room for it.
    if (on && !isLow() && !m_settings->flag(QStringLiteral("variablesShown"), false)) {
        m_settings->set(QStringLiteral("variablesShown"), true);
        placeVariables();
    }
    m_console->focusPrompt();
}

void MainWindow::askForPython() {
    auto* dialog = new PythonSettingsDialog(m_settings, m_python->kernel()->hello(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PythonSettingsDialog::chosen, this, [this](const KernelClient::Options& options) {
        m_python->kernel()->setOptions(options);
        if (m_python->kernel()->state() != KernelClient::State::Off) m_python->restart();
        confirm(options.python.isEmpty() ? tr("Python is found by itself from now on.")
                                         : tr("%1 is the Python from now on.").arg(plainName(options.python)));
    });
    dialog->open();
}

void MainWindow::buildPython() {
    m_python = new PythonConsole(m_console, m_workspace, this);
    m_python->kernel()->setOptions(kernelOptions(*m_settings));
    m_variablesDock->fill(m_python->kernel());
    m_scriptDock->fill(m_python);
    const bool on = m_settings->flag(QStringLiteral("pythonConsole"), false);
    m_console->setPython(on);
    m_python->setOn(on);
    connect(m_console, &Console::pythonToggled, this, &MainWindow::setPython);
    connect(m_console, &Console::stopRequested, this, [this] {
        // The workspace does not wait for a script that waits itself.
        m_python->isPaused() ? m_python->stop() : m_workspace->cancelLine();
    });
    connect(m_python->kernel(), &KernelClient::stateChanged, this, [this] {
        const auto& hello = m_python->kernel()->hello();
        m_console->setPythonVersion(hello ? hello->python : QString());
    });
    connect(m_python->kernel(), &KernelClient::ready, m_console, [this](const KernelHello& hello) {
        m_onByItself = false;
        m_console->setPythonVersion(hello.python);
    });
    connect(m_python, &PythonConsole::paused, this, [this](int, const RunOutcome& outcome) {
        linkEcho(static_cast<std::size_t>(outcome.steps), m_python->echo());
        m_message->endState(Python);
        updateWork();
        tellPrinted(outcome);
        m_shownBefore = shownCards();
    });
    connect(m_python, &PythonConsole::started, this, [this](const QString& code) {
        m_shownBefore = shownCards();
        // It is started again by this line.
        if (!m_endTold.isEmpty()) m_message->withdrawActions(std::exchange(m_endTold, {}));
        QTimer::singleShot(kUnannounced, this, [this, code, echo = m_python->echo()] {
            // Another line may be running by now.
            if (!m_python->isRunning() || m_python->echo() != echo) return;
            sayState(Python, tr("Python is working on %1").arg(firstLineOf(code)));
            offer(tr("Stop"), [this] { m_python->stop(); });
            tellWaiting();
            updateWork();
            showProgress(-1);
        });
    });
    connect(m_python, &PythonConsole::queued, this, &MainWindow::tellWaiting);
    connect(m_python, &PythonConsole::wrote, this, [this](const QString& line) {
        // A low window has no room for the console's output: the newest line shows that it goes on.
        if (m_console->linesInSight() == 0) m_message->setStateDetail(Python, shortened(line));
    });
    connect(m_python, &PythonConsole::refused, this, [this](const QString& code) {
        complain(tr("%1 was not run.").arg(firstLineOf(code)),
                 m_python->isPaused()
                     ? tr("The script waits at one of its lines: Step or Run goes on with it, Stop ends it.")
                     : tr("Another line is still being carried out, or a tensor is being saved: wait for its end."));
        m_console->propose(code);
    });
    connect(m_python, &PythonConsole::finished, this, &MainWindow::pythonFinished);
    connect(m_python, &PythonConsole::ended, this, [this](const KernelEnd& end) {
        m_message->endState(Python);
        // Where there is no Python the lines stay those of the line language, which works without.
        if (std::exchange(m_onByItself, false) && end.why == KernelEnd::Why::NotStarted) setPython(false);
        complain(end.message, end.hint);
        m_message->keepUntilRead();
        m_endTold = m_message->title();
        if (end.why == KernelEnd::Why::Exited || end.why == KernelEnd::Why::Crashed)
            offer(tr("Start Python again"), [this] {
                m_message->clear();
                m_python->restart();
            });
        else if (end.why == KernelEnd::Why::NotStarted)
            offer(tr("Python settings…"), [this] { askForPython(); });
    });
}

void MainWindow::tellWaiting() {
    const QStringList lines = m_python->waiting();
    if (lines.isEmpty()) return;
    m_message->setStateDetail(
        Python, lines.size() == 1
                    ? tr("%1 comes next.").arg(firstLineOf(lines.first()))
                    : tr("%1 comes next; %2 wait in all.").arg(firstLineOf(lines.first())).arg(lines.size()));
}

void MainWindow::clearForPython() {
    previewLine({});
    endMessages();
    closeExplanation();
}

void MainWindow::runPython(const QString& line) {
    clearForPython();
    m_python->enter(line);
}

void MainWindow::pythonFinished(int echo, const QString& code, const RunOutcome& outcome, const KernelResult& result) {
    finishStart();
    linkEcho(static_cast<std::size_t>(outcome.steps), echo);
    m_refusedMotion.reset();
    m_refused.reset();
    m_message->endState(Python);
    updateWork();
    // The end of the process has its own words.
    if (result.status == KernelResult::Status::Lost || result.status == KernelResult::Status::NotStarted) {
        afterLine();
        return;
    }
    if (result.status == KernelResult::Status::Interrupted)
        say(tr("%1 was stopped: KeyboardInterrupt.").arg(firstLineOf(code)),
            outcome.steps > 0 ? tr("What it had done until then stands; it can be undone.") : QString(),
            outcome.notes.join(QLatin1Char(' ')));
    else if (outcome.refusal)
        tellPythonError(code, outcome);
    else
        tellPrinted(outcome);
    tellThreads(result);
    if (m_firstRun->isVisible() && outcome.steps > 0) endFirstRun();
    afterLine();
}

void MainWindow::tellThreads(const KernelResult& result) {
    if (result.threads.empty()) return;
    constexpr std::size_t kNamed = 3;
    QStringList names;
    for (const KernelThread& thread : result.threads) {
        if (names.size() < static_cast<qsizetype>(kNamed)) names << plainName(thread.name);
    }
    QString list = names.join(QStringLiteral(", "));
    if (result.threads.size() > kNamed) list += tr(" and %1 more").arg(result.threads.size() - kNamed);
    // What was printed or went wrong has the bar already; the offer stands beside it.
    if (m_message->title().isEmpty() || !m_message->isVisible())
        say(result.threads.size() == 1 ? tr("The thread %1 goes on in the background.").arg(list)
                                       : tr("The threads %1 go on in the background.").arg(list));
    offer(result.threads.size() == 1 ? tr("Stop the thread") : tr("Stop the threads"), [this, result] {
        for (const KernelThread& thread : result.threads) m_python->kernel()->stopThread(thread.ident);
        m_message->clear();
    });
}

void MainWindow::tellPythonError(const QString& code, const RunOutcome& outcome) {
    const QString words = firstLineOf(QString::fromStdString(outcome.refusal->message));
    // The line language knows torch of its own; Python has to be told.
    const bool isName = outcome.exception == QLatin1String("NameError") ||
                        outcome.exception == QLatin1String("UnboundLocalError") ||
                        outcome.exception == QLatin1String("AttributeError");
    const bool wantsTorch = isName && missingName(*outcome.refusal) == QLatin1String("torch");
    const auto aid = isName && !wantsTorch ? aidForMissingName(*m_workspace, code, outcome) : std::nullopt;
    QStringList hints;
    if (aid) hints << aid->words;
    if (outcome.steps > 0) hints << tr("What it had done until then stands; it can be undone.");
    complain(tr("%1 ended with an error.").arg(firstLineOf(code)),
             words.isEmpty() ? outcome.exception : outcome.exception + QStringLiteral(": ") + words,
             hints.join(QLatin1Char('\n')));
    // Where it went wrong is plain in a single line that calls nothing of the person's own.
    const QString& traceback = m_python->traceback();
    const bool plain = !code.contains(QLatin1Char('\n')) && traceback.count(QLatin1String("\n  File ")) < 2;
    showPrinted(outcome.printed, plain ? QString() : traceback);
    if (wantsTorch) {
        if (outcome.steps > 0) {
            offer(tr("Run import torch"), [this] { runPython(QStringLiteral("import torch")); });
        } else { // nothing of it was done: it can be run from its beginning
            offer(tr("Import torch and run it again"), [this, code] {
                clearForPython();
                m_python->run(QStringLiteral("import torch\n") + code);
            });
        }
        return;
    }
    if (aid) {
        offerAid(*aid);
        return;
    }
    const QString line = outcome.failedLine.isEmpty() ? code.trimmed() : outcome.failedLine;
    m_refusedMotion = m_workspace->refusedMotion(line, *outcome.refusal, outcome.operation.get());
    if (m_refusedMotion) offer(tr("Play it"), [this] { playLastStep(); });
    // The operation that was refused has its reason drawn, wherever in the code it stands; without its operands a line
    // that the line language can read, too.
    RunOutcome why = outcome;
    if (!why.operation) {
        why = m_workspace->tryOut(line);
        if (!why.refusal) why = refusedAgain(*m_workspace, line, *outcome.refusal);
    }
    m_refused = RefusedAct{line, why.refusal ? why : outcome, m_workspace->position()};
    const auto picture = refusedPicture(m_model->snapshot(), line, why);
    if (picture && hasPicture(*picture)) offer(tr("Show why"), [this, line, why] { showExplanation(line, why); });
}

void MainWindow::offerAid(const MissingNameAid& aid) {
    if (aid.label.isEmpty()) return;
    offer(aid.label, [this, aid] {
        endMessages();
        QString reason;
        if (aid.position >= 0 && !m_workspace->jump(aid.position, &reason)) {
            say(reason);
            return;
        }
        m_console->offerBlock(aid.code);
    });
}

bool MainWindow::isForPython(const Refusal& refusal, const QString& line) const {
    if (m_python->isOn()) return false;
    // What the line language does not read: its signs, statements, attributes, arguments and operands.
    constexpr std::string_view kNotRead[] = {"EXPR-02", "EXPR-05", "EXPR-06", "EXPR-09",
                                             "EXPR-21", "EXPR-22", "EXPR-23"};
    if (std::find(std::begin(kNotRead), std::end(kNotRead), refusal.id) != std::end(kNotRead)) return true;
    // A name that is called is a function; another that is missing is missing in Python too.
    const QString name = missingName(refusal);
    return !name.isEmpty() && line.contains(name + QLatin1Char('('));
}

bool MainWindow::isStatement(const QString& line) {
    static const QRegularExpression keyword(
        QStringLiteral("^\\s*(import|from|def|class|for|while|if|with|try|async|@\\w+)\\b"));
    return keyword.match(line).hasMatch();
}

QString MainWindow::onlyInPython(const Refusal& refusal) const {
    const QString name = missingName(refusal);
    const KernelVariable* variable = name.isEmpty() ? nullptr : m_python->kernel()->variables().find(name);
    if (!variable || !m_python->kernel()->hello()) return {};
    return tr("%1 is known to Python only (%2). Switch Python on beside the prompt to use it.")
        .arg(name, variable->type);
}

} // namespace stridescope
