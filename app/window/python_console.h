#pragma once
// PythonConsole: the console's lines in Python, joined to the workspace.

#include "app/workspace/python_runner.h"

#include <QObject>

namespace stridescope {

class CodeAssistant;
class Console;

/// Runs what is entered at the prompt, and writes into the console what that prints, gives and raises. No process is
/// started before it is switched on.
class PythonConsole : public QObject {
    Q_OBJECT

public:
    PythonConsole(Console* console, Workspace* workspace, QObject* parent);

    bool isOn() const { return m_on; }
    void setOn(bool on);
    /// What was entered at the prompt: an answer to input(), or code.
    void enter(const QString& line);
    /// The code that waits for an answer gets the end of its input: input() raises EOFError, sys.stdin.read() returns.
    void endInput();
    /// Code as a whole, or the statements of a transcript one after the other, whether or not one of them fails: slides
    /// show failures, too. While other code runs it waits for the end of that, as what is typed ahead in a terminal
    /// does; when that is stopped, it is not run.
    void run(const QString& code);
    /// A transcript whose code stands at the prompt: entered as it is, it runs as a transcript.
    void expectTranscript(const QString& text) { m_transcript = text; }
    /// Of what failed last.
    const QString& traceback() const { return m_traceback; }
    const QStringList& waiting() const { return m_waiting; }
    /// A script, as a whole or line by line; the console shows its name only. False when something else runs.
    bool runScript(const QString& code, const QString& name, KernelMode mode);
    /// A script that waits before a line goes on.
    bool goOn(GoOn how);
    /// The console's number of what runs or ran last.
    int echo() const { return m_echo; }
    bool isPaused() const { return m_runner.isPaused(); }
    bool isRunning() const { return m_runner.isRunning(); }
    void stop();
    void restart() { m_kernel.restart(); }
    KernelClient* kernel() { return &m_kernel; }

Q_SIGNALS:
    /// Code runs: the workspace is busy.
    void started(const QString& code);
    /// Code waits for the end of what runs.
    void queued();
    /// Another line is being carried out, or a tensor is being saved: `code` was not run.
    void refused(const QString& code);
    /// `echo` is the console's number of the code; of a script `code` is the name.
    void finished(int echo, const QString& code, const stridescope::RunOutcome& outcome,
                  const stridescope::KernelResult& result);
    void ended(const stridescope::KernelEnd& end);
    /// The code goes on and has printed this as its last line, which may grow still.
    void wrote(const QString& line);
    /// A script waits before its line `line`, from 1.
    void paused(int line, const stridescope::RunOutcome& outcome);
    /// An exception came from line `line` of the code that runs; 0: from elsewhere.
    void failedAt(int line, const QString& what);
    /// What runs came to its end, however it did.
    void stopped();

private:
    void write(const OutputBatch& batch);
    void print(const QString& text);
    /// Text that came without a line end.
    void writeRest();
    void start(const QString& code);
    void startNext();
    /// Those that were not told before.
    void tellThreads(const std::vector<KernelThread>& threads);
    /// What waits will not be run: says so, empty when nothing waits.
    QString dropWaiting();
    void setPrompt();

    Console* m_console;
    KernelClient m_kernel;
    PythonRunner m_runner;
    CodeAssistant* m_assistant;
    bool m_on = false, m_asked = false; ///< asked: the code waits for a line
    QString m_code;                     ///< that runs, or ran last, as echoed
    QString m_script;                   ///< its name, when it is a script
    QStringList m_waiting;              ///< code to run after it
    QString m_transcript;               ///< whose code stands at the prompt
    QString m_traceback;                ///< of the code that runs, or ran last
    QString m_rest;                     ///< printed, without a line end as yet
    QString m_printed;                  ///< by the code that runs, as much as may be shown beside the console
    std::vector<KernelThread> m_told;   ///< threads that go on
    int m_echo = -1;
};

} // namespace stridescope
