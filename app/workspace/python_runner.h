#pragma once
// PythonRunner: lines that Python carries out on a workspace, through a kernel.

#include "app/kernel/kernel_client.h"
#include "app/workspace/workspace.h"

#include <QElapsedTimer>

namespace stridescope {

/// Joins a workspace and a kernel: before a line the kernel gets what of the workspace's tensors it does not have,
/// after it the workspace gets one step with all that changed. docs/decisions/0006-python-and-the-line-language.md.
class PythonRunner : public QObject {
    Q_OBJECT

public:
    PythonRunner(Workspace* workspace, KernelClient* kernel, QObject* parent = nullptr);

    /// Starts `code`; the workspace is busy until lineFinished(). False, and nothing happens, when it is busy already
    /// or a storage is being saved. `name` stands for it in tracebacks.
    bool run(const QString& code, KernelMode mode = KernelMode::Console, const QString& name = {});
    /// Code of KernelMode::Step waits before a line; the workspace is free meanwhile, and has all that was done so far.
    bool isPaused() const { return m_paused; }
    /// On it goes. False as of run().
    bool goOn(GoOn how);
    bool isRunning() const { return m_running != 0; }
    void stop() { m_kernel->stop(); }

Q_SIGNALS:
    /// What was done since the last pause is a step of the history; the line that comes next is `line`, from 1.
    void paused(int line, const stridescope::RunOutcome& outcome);
    /// `outcome` has the step, or why there is none; what the code printed was told by the kernel. Of code that failed
    /// or was stopped, what it did until then is a step, too.
    void lineFinished(const QString& code, const stridescope::RunOutcome& outcome,
                      const stridescope::KernelResult& result);

private:
    void pause(int line, int end);
    void finish(const KernelResult& result);
    /// The workspace takes in what the line, or a part of it, left; `code` is that part, empty for all of it.
    RunOutcome endLine(const KernelVariables* after, const QString& code = {}, const QString& title = {});
    /// What names a step that is a whole script, or what was left of one: its first line says little.
    QString titleOfScript(const KernelResult& result) const;
    /// Statements of code that goes on are a step of their own.
    void takePart(const QString& code);
    /// The records by the storages' numbers here.
    StepRecords operations(PackedRecords records) const;
    std::shared_ptr<const RefusedOperation> refusedOperation(const KernelRefused& refused) const;
    /// Pictures of the storages that these records wrote to.
    void showWrites(const PackedRecords& records);

    Workspace* m_workspace;
    KernelClient* m_kernel;
    quint64 m_running = 0;
    bool m_listed = false; ///< since the line began
    bool m_paused = false;
    QString m_script;           ///< the name of the script that runs; empty for lines
    bool m_toTheEnd = false;    ///< without waiting before lines
    int m_waitedAt = 0;         ///< the line that it waited before last; 0: none
    Workspace::Moment m_before; ///< the state when it began, or went on
    QString m_code, m_next;     ///< all of it; of code that waits, the statement that comes next
    RunOutcome m_parts;         ///< what the steps before the last one made
    PackedRecords m_records;
    bool m_allRecords = true;    ///< none was too many
    std::set<quint64> m_written; ///< shown next, by the kernel's numbers
    /// Milliseconds; more often nobody can read what changes.
    static constexpr int kBetweenPictures = 50;
    QElapsedTimer m_lastShown;
    int m_betweenPictures = kBetweenPictures; ///< longer where pictures are expensive
    std::optional<KernelError> m_error;
};

} // namespace stridescope
