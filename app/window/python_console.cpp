#include "app/window/python_console.h"

#include "app/kernel/output_buffer.h"
#include "app/kernel/source_state.h"
#include "app/window/code_assistant.h"
#include "app/window/console.h"

#include <algorithm>

namespace stridescope {

namespace {

constexpr qsizetype kLongestQuestion = 60, kShownBeside = 20'000; ///< characters
constexpr qsizetype kMostWaiting = 100;                           ///< texts that were entered while another one runs
constexpr qsizetype kMostStatements = 2'000; ///< of one text that run one by one; more are run as one block

} // namespace

PythonConsole::PythonConsole(Console* console, Workspace* workspace, QObject* parent)
    : QObject(parent), m_console(console), m_runner(workspace, &m_kernel),
      m_assistant(new CodeAssistant(console->prompt(), &m_kernel, this)) {
    connect(&m_kernel, &KernelClient::printed, this, &PythonConsole::write);
    connect(&m_kernel, &KernelClient::resultShown, this, [this](quint64, const QString& text) {
        writeRest();
        print(text);
    });
    connect(&m_kernel, &KernelClient::failed, this, [this](quint64, const KernelError& error) {
        writeRest();
        QString text = error.traceback;
        while (text.endsWith(QLatin1Char('\n'))) text.chop(1);
        m_traceback = text;
        m_console->printTraceback(text);
        // A text of one line needs no finger to point at it.
        if (error.line > 0 && m_code.contains(QLatin1Char('\n'))) m_console->markWrong(m_echo, error.line, error.type);
        if (!error.interrupted) Q_EMIT failedAt(error.line, error.type + QStringLiteral(": ") + error.message);
    });
    connect(&m_kernel, &KernelClient::inputWanted, this, [this] {
        m_asked = true;
        setPrompt();
        m_console->focusPrompt();
    });
    connect(m_console, &Console::inputEnded, this, &PythonConsole::endInput);
    connect(&m_kernel, &KernelClient::ended, this, [this, workspace](KernelEnd end) {
        // Numbers and the like that the window knows, too, come back with the next line.
        const auto known = [workspace](const QString& name) { return workspace->hasName(name); };
        if (end.lostNames.removeIf(known) > 0) end.hint = end.keptAndLost();
        writeRest();
        m_asked = false;
        setPrompt();
        const QString dropped = dropWaiting();
        if (!dropped.isEmpty()) end.hint += (end.hint.isEmpty() ? QString() : QStringLiteral("\n")) + dropped;
        m_console->print(end.hint.isEmpty() ? end.message : end.message + QLatin1Char('\n') + end.hint);
        Q_EMIT ended(end);
    });
    connect(&m_runner, &PythonRunner::paused, this, [this](int line, const RunOutcome& outcome) {
        writeRest();
        Q_EMIT paused(line, outcome);
    });
    connect(&m_runner, &PythonRunner::lineFinished, this,
            [this](const QString& code, const RunOutcome& outcome, const KernelResult& result) {
                writeRest();
                m_asked = false;
                setPrompt();
                if (result.status == KernelResult::Status::Exited)
                    print(tr("exit() ends the code only; Python and its names are still there."));
                tellThreads(result.threads);
                RunOutcome told = outcome;
                told.printed = std::exchange(m_printed, {});
                // With its process lost, ended() tells what waited; what Stop kept from starting ends without it.
                using Status = KernelResult::Status;
                const bool lost = result.status == Status::Lost || result.status == Status::NotStarted;
                if (result.status == Status::Interrupted || result.status == Status::NotStarted) {
                    const QString dropped = dropWaiting();
                    m_console->print(dropped);
                    if (!dropped.isEmpty()) told.notes << dropped;
                }
                Q_EMIT finished(m_echo, m_script.isEmpty() ? code : m_script, told, result);
                Q_EMIT stopped();
                if (!lost && !m_waiting.isEmpty())
                    QMetaObject::invokeMethod(this, &PythonConsole::startNext, Qt::QueuedConnection);
            });
    setPrompt();
}

void PythonConsole::tellThreads(const std::vector<KernelThread>& threads) {
    for (const KernelThread& thread : threads) {
        if (std::find(m_told.begin(), m_told.end(), thread) == m_told.end())
            print(tr("The thread %1 goes on in the background.").arg(Console::escaped(thread.name)));
    }
    m_told = threads;
}

void PythonConsole::setOn(bool on) {
    if (m_on == on) return;
    m_on = on;
    m_assistant->setOn(on);
    setPrompt();
}

void PythonConsole::stop() {
    m_runner.stop();
}

void PythonConsole::setPrompt() {
    // What input() asks stands where the answer goes.
    m_console->setPrompt(m_asked ? overwritten(m_rest).left(kLongestQuestion) : QStringLiteral(">>>"));
    m_console->setAsking(m_asked);
    // Blocks are typed whole; an answer is one line, whatever it looks like.
    m_console->prompt()->setIncomplete(m_asked ? std::function<bool(const QString&)>()
                                       : m_on  ? isIncompletePython
                                               : isOpenPythonBlock);
}

void PythonConsole::enter(const QString& line) {
    if (m_asked) {
        m_asked = false;
        m_console->print(overwritten(std::exchange(m_rest, {})) + line); // as a terminal shows it
        setPrompt();
        m_kernel.sendInput(line);
        return;
    }
    run(line);
}

void PythonConsole::endInput() {
    if (!m_asked) return;
    m_asked = false;
    writeRest();
    setPrompt();
    m_kernel.sendInput(std::nullopt);
}

void PythonConsole::run(const QString& text) {
    const QString expected = std::exchange(m_transcript, {});
    const bool unchanged = !expected.isEmpty() && codeOfTranscript(expected).trimmed() == text.trimmed();
    QStringList statements = statementsOfTranscript(unchanged ? expected : text);
    statements.removeIf([](const QString& statement) { return statement.trimmed().isEmpty(); });
    if (statements.isEmpty()) return;
    if (statements.size() > kMostStatements) statements = {statements.join(QLatin1Char('\n'))};
    if (m_runner.isPaused()) { // a script, at one of its lines
        Q_EMIT refused(statements.join(QLatin1Char('\n')));
        return;
    }
    if (m_runner.isRunning()) {
        if (m_waiting.size() >= kMostWaiting) {
            Q_EMIT refused(statements.join(QLatin1Char('\n')));
            return;
        }
        m_waiting << statements;
        Q_EMIT queued();
        return;
    }
    const QString first = statements.takeFirst();
    m_waiting << statements; // before it starts: without any Python it ends at once, and they with it
    start(first);
}

void PythonConsole::startNext() {
    if (!m_waiting.isEmpty() && !m_runner.isRunning()) start(m_waiting.takeFirst());
}

QString PythonConsole::dropWaiting() {
    const QStringList dropped = std::exchange(m_waiting, {});
    if (dropped.isEmpty()) return {};
    constexpr qsizetype kShown = 80;
    const QString first = dropped.first().trimmed().section(QLatin1Char('\n'), 0, 0).left(kShown);
    return dropped.size() == 1 ? tr("What waited was not run: %1").arg(first)
                               : tr("What waited was not run: %1 and %2 more").arg(first).arg(dropped.size() - 1);
}

void PythonConsole::start(const QString& code) {
    m_code = code;
    m_script.clear();
    m_traceback.clear();
    m_echo = m_console->echo(code);
    m_printed.clear();
    if (m_runner.run(code)) {
        // Without any Python it is over already.
        if (m_runner.isRunning()) Q_EMIT started(code);
    } else {
        Q_EMIT refused((QStringList(code) + std::exchange(m_waiting, {})).join(QLatin1Char('\n')));
    }
}

bool PythonConsole::runScript(const QString& code, const QString& name, KernelMode mode) {
    // Its text stands in the editor.
    if (!m_runner.run(code, mode, name)) return false;
    m_code.clear();
    m_traceback.clear();
    m_script = name.section(QLatin1Char('/'), -1);
    m_printed.clear();
    m_echo = m_console->echo(
        QStringLiteral("# %1: %2").arg(mode == KernelMode::Step ? tr("line by line") : tr("run"), m_script));
    if (m_runner.isRunning()) Q_EMIT started(m_script);
    return true;
}

bool PythonConsole::goOn(GoOn how) {
    return m_runner.goOn(how);
}

void PythonConsole::print(const QString& text) {
    m_console->print(text);
    if (m_runner.isRunning()) Q_EMIT wrote(Console::escaped(text.section(QLatin1Char('\n'), -1)));
    if (m_printed.size() < kShownBeside) m_printed += (m_printed.isEmpty() ? QString() : QStringLiteral("\n")) + text;
}

void PythonConsole::write(const OutputBatch& batch) {
    if (batch.droppedLines > 0) {
        writeRest();
        print(tr("… %1 lines dropped").arg(batch.droppedLines));
    }
    for (const OutputPart& part : batch.parts) {
        m_rest += part.text;
        const qsizetype end = m_rest.lastIndexOf(QLatin1Char('\n'));
        if (end >= 0) {
            QStringList lines = m_rest.left(end).split(QLatin1Char('\n'));
            for (QString& line : lines) line = overwritten(line);
            print(lines.join(QLatin1Char('\n')));
            m_rest.remove(0, end + 1);
        }
        m_rest = withOneReturn(m_rest);
    }
    // A bar that grows has no line end before it is full.
    if (!m_rest.isEmpty() && m_runner.isRunning()) Q_EMIT wrote(Console::escaped(overwritten(m_rest)));
}

void PythonConsole::writeRest() {
    if (!m_rest.isEmpty()) print(overwritten(std::exchange(m_rest, {})));
}

} // namespace stridescope
