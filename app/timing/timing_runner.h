#pragma once
// TimingRunner: measures in a process of its own, which the window can end at any moment, and tells what it has found
// so far.

#include "app/timing/live_run.h"
#include "app/work/background.h"
#include "core/timing/mistakes.h"
#include "core/timing/sweep.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

namespace stridescope {

class TimingRunner : public QObject {
    Q_OBJECT

public:
    explicit TimingRunner(QObject* parent = nullptr);
    ~TimingRunner() override;

    /// Precondition of these three: not busy.
    void sweep(const timing::SweepRequest& request);
    /// `bench` with these arguments, in a process of its own: what it writes as JSON is the run.
    void process(const QStringList& arguments);
    void mistake(const timing::MistakeCase& what);

    bool isBusy() const;
    /// Asks it to stop; ended() comes as ever, with what was measured until then. Who is in one long call, of LAPACK
    /// for example, does not hear it and is ended.
    void stop();
    /// Waits for the end, at most so long.
    bool waitFor(int milliseconds);
    /// The program that sweep() and process() start, for tests.
    void setProgram(const QString& program) { m_program = program; }

    /// Of the process that measures; 0 without one.
    qint64 processId() const { return m_process ? m_process->processId() : 0; }

    /// What was measured so far by the last sweep or process.
    const std::shared_ptr<const timing::Run>& run() const { return m_run; }
    const std::shared_ptr<const timing::MistakeRecord>& mistakeRecord() const { return m_mistakeRecord; }
    /// Why the last one failed; empty where it did not.
    const QString& failure() const { return m_failure; }

Q_SIGNALS:
    /// At most ten times a second.
    void progressed(double share, const QString& words);
    /// run() is another one now.
    void measured();
    void ended();

private:
    void start(const QStringList& arguments);
    void takeLive();
    void endProcess();
    /// Why it ended without what was asked for.
    QString reasonOf(QProcess& process) const;

    Background m_work; ///< mistakes
    std::unique_ptr<QProcess> m_process;
    QTimer m_force;                                 ///< of stop()
    bool m_stopped = false;                         ///< by stop()
    LiveRun m_live;                                 ///< of a sweep
    std::unique_ptr<QTemporaryDir> m_folder;        ///< of process(); null: it is a sweep
    const timing::MistakeCase* m_mistake = nullptr; ///< that the process runs
    QString m_program;
    std::shared_ptr<const timing::Run> m_run;
    std::shared_ptr<const timing::MistakeRecord> m_mistakeRecord;
    QString m_failure;
};

} // namespace stridescope
