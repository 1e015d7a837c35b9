// The console's lines in Python: switched on and off, told while they run and when they end.

#include "app/window/console.h"
#include "app/window/first_run_cards.h"
#include "app/window/main_window.h"
#include "app/window/python_console.h"
#include "widgets/panels/message_bar.h"
#include "widgets/stage/explore_stage.h"

#include <QTimer>

namespace stridescope {

namespace {

/// Code that takes no longer than this, in milliseconds, is not announced.
constexpr int kUnannounced = 300;
constexpr qsizetype kShownCode = 120;

QString firstLineOf(const QString& text) {
    return text.trimmed().section(QLatin1Char('\n'), 0, 0).left(kShownCode);
}

} // namespace

void MainWindow::buildPython() {
    m_python = new PythonConsole(m_console, m_workspace, this);
    const bool on = m_settings->flag(QStringLiteral("pythonConsole"), false);
    m_console->setPython(on);
    m_python->setOn(on);
    connect(m_console, &Console::pythonToggled, this, [this](bool wanted) {
        m_settings->set(QStringLiteral("pythonConsole"), wanted);
        m_python->setOn(wanted);
        // So that the first line need not wait, and that a missing Python is told now.
        if (wanted) m_python->kernel()->start();
        m_console->focusPrompt();
    });
    connect(m_python, &PythonConsole::started, this, [this](const QString& code) {
        QTimer::singleShot(kUnannounced, this, [this, code] {
            if (!m_python->isRunning()) return;
            say(tr("Python is working on %1").arg(firstLineOf(code)));
            offer(tr("Stop"), [this] { m_python->stop(); });
            updateWork();
            showProgress(-1);
        });
    });
    connect(m_python, &PythonConsole::refused, this, [this](const QString& code) {
        complain(tr("%1 was not run.").arg(firstLineOf(code)),
                 tr("Another line is still being carried out, or a tensor is being saved: wait for its end."));
        m_console->propose(code);
    });
    connect(m_python, &PythonConsole::finished, this, &MainWindow::pythonFinished);
    connect(m_python, &PythonConsole::ended, this, [this](const KernelEnd& end) {
        complain(end.message, end.hint);
        if (end.why == KernelEnd::Why::Exited || end.why == KernelEnd::Why::Crashed)
            offer(tr("Start Python again"), [this] {
                m_message->clear();
                m_python->restart();
            });
    });
}

void MainWindow::runPython(const QString& line) {
    previewLine({});
    m_message->clear();
    m_stage->clearMessage();
    closeExplanation();
    m_shownBefore = shownCards();
    m_python->enter(line);
}

void MainWindow::pythonFinished(int echo, const QString& code, const RunOutcome& outcome, const KernelResult& result) {
    finishStart();
    linkEcho(static_cast<std::size_t>(outcome.steps), echo);
    updateWork();
    // The end of the process has its own words.
    if (result.status == KernelResult::Status::Lost || result.status == KernelResult::Status::NotStarted) {
        afterLine();
        return;
    }
    m_message->clear();
    if (result.status == KernelResult::Status::Interrupted)
        say(tr("%1 was stopped.").arg(firstLineOf(code)),
            outcome.steps > 0 ? tr("What it had done until then stands; it can be undone.") : QString());
    else if (outcome.refusal)
        tellPythonError(code, outcome);
    else
        tellPrinted(code, outcome);
    if (m_firstRun->isVisible() && outcome.steps > 0) endFirstRun();
    afterLine();
}

void MainWindow::tellPythonError(const QString& code, const RunOutcome& outcome) {
    complain(tr("%1 ended with an error.").arg(firstLineOf(code)),
             outcome.exception + QStringLiteral(": ") + firstLineOf(QString::fromStdString(outcome.refusal->message)),
             outcome.steps > 0 ? tr("What it had done until then stands; it can be undone.") : QString());
    // A line that the line language can read, too, has its reason drawn.
    const RunOutcome tried = m_workspace->tryOut(code);
    if (tried.refusal && m_model->snapshot()->tensor(tried.source))
        offer(tr("Show why"), [this, code] { explain(code.trimmed()); });
}

} // namespace stridescope
