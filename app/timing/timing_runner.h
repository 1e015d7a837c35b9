#pragma once
// TimingRunner: measures in a thread of its own, or in a process for Python, and tells what it has found so far.

#include "app/work/background.h"
#include "core/timing/mistakes.h"
#include "core/timing/sweep.h"

#include <QProcess>
#include <QTemporaryDir>

#include <mutex>

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
    /// Asks it to stop; ended() comes as ever, with what was measured until then.
    void stop();
    /// Waits for the end, at most so long.
    bool waitFor(int milliseconds);
    /// The program that process() starts, for tests.
    void setProgram(const QString& program) { m_program = program; }

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
    /// What the measuring thread leaves for this one.
    struct Inbox {
        std::mutex mutex;
        bool posted = false;
        std::optional<timing::SweepProgress> progress;
        std::optional<timing::Conditions> conditions;
        std::vector<timing::Ceiling> ceilings;
        std::vector<timing::Measurement> measurements;
        std::vector<timing::Comparison> comparisons;
        std::vector<std::string> refused;
    };
    template <class Fill>
    void post(const std::shared_ptr<Inbox>& inbox, Fill fill);
    void take(Inbox& inbox);
    void endProcess();

    Background m_work;
    std::shared_ptr<Inbox> m_inbox;
    std::unique_ptr<QProcess> m_process;
    std::unique_ptr<QTemporaryDir> m_folder;
    const timing::MistakeCase* m_mistake = nullptr; ///< that the process runs
    QString m_program;
    std::shared_ptr<const timing::Run> m_run;
    std::shared_ptr<const timing::MistakeRecord> m_mistakeRecord;
    QString m_failure;
};

} // namespace stridescope
