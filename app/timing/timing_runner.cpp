#include "app/timing/timing_runner.h"

#include "core/error.h"
#include "core/io/text.h"
#include "core/timing/run_file.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>

#include <exception>
#include <new>

namespace stridescope {

namespace {

using namespace timing;

QString words(const Refusal& refusal) {
    QString text = QString::fromStdString(sanitiseForDisplay(refusal.message));
    if (!refusal.hint.empty()) text += QStringLiteral(". ") + QString::fromStdString(sanitiseForDisplay(refusal.hint));
    return text;
}

/// What `work` refused, in words; empty where it did not.
template <class Work>
QString refusalOf(Work work) {
    try {
        work();
    } catch (const Error& error) {
        return words(error.refusal());
    } catch (const std::bad_alloc&) {
        return QCoreApplication::translate("TimingRunner", "there is not enough memory");
    } catch (const std::exception& error) {
        return QString::fromStdString(sanitiseForDisplay(error.what()));
    }
    return {};
}

} // namespace

TimingRunner::TimingRunner(QObject* parent) : QObject(parent), m_program(QCoreApplication::applicationFilePath()) {}

TimingRunner::~TimingRunner() {
    m_inbox.reset();
    if (!m_process) return;
    m_process->disconnect(this);
    m_process->kill();
    m_process->waitForFinished(2000);
}

bool TimingRunner::isBusy() const {
    return m_work.isBusy() || m_process;
}

/// Called by the measuring thread, between blocks. One message is on its way at a time, whatever comes meanwhile.
template <class Fill>
void TimingRunner::post(const std::shared_ptr<Inbox>& inbox, Fill fill) {
    const std::lock_guard lock(inbox->mutex);
    fill(*inbox);
    if (std::exchange(inbox->posted, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this, inbox] {
            if (m_inbox == inbox) take(*inbox);
        },
        Qt::QueuedConnection);
}

void TimingRunner::take(Inbox& inbox) {
    std::optional<SweepProgress> progress;
    bool changed = false;
    {
        const std::lock_guard lock(inbox.mutex);
        inbox.posted = false;
        progress = std::exchange(inbox.progress, std::nullopt);
        changed = inbox.conditions || !inbox.ceilings.empty() || !inbox.measurements.empty() || !inbox.refused.empty();
        if (changed) {
            auto next = std::make_shared<Run>(*m_run);
            if (inbox.conditions) next->conditions = *std::exchange(inbox.conditions, std::nullopt);
            if (!inbox.ceilings.empty()) next->ceilings = std::exchange(inbox.ceilings, {});
            const auto move = [](auto& from, auto& to) {
                to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
                from.clear();
            };
            move(inbox.measurements, next->measurements);
            move(inbox.comparisons, next->comparisons);
            move(inbox.refused, next->refused);
            m_run = std::move(next);
        }
    }
    if (progress) Q_EMIT progressed(progress->share, QString::fromStdString(sanitiseForDisplay(progress->label)));
    if (changed) Q_EMIT measured();
}

void TimingRunner::sweep(const SweepRequest& request) {
    Q_ASSERT(!isBusy());
    m_failure.clear();
    auto begun = std::make_shared<Run>();
    begun->command = commandOf(request);
    m_run = begun;
    const auto inbox = m_inbox = std::make_shared<Inbox>();
    const auto whole = std::make_shared<Run>();
    const auto failure = std::make_shared<QString>();
    m_work.start(
        [this, request, inbox, whole, failure](Job& job) {
            post(inbox, [](Inbox& in) { in.conditions = conditionsNow(); });
            SweepWatch watch;
            watch.progress = [&](const SweepProgress& at) { post(inbox, [&](Inbox& in) { in.progress = at; }); };
            watch.ceilings = [&](const std::vector<Ceiling>& found) {
                post(inbox, [&](Inbox& in) { in.ceilings = found; });
            };
            watch.measured = [&](const std::vector<Measurement>& found, const std::vector<Comparison>& compared) {
                post(inbox, [&](Inbox& in) {
                    in.measurements.insert(in.measurements.end(), found.begin(), found.end());
                    in.comparisons.insert(in.comparisons.end(), compared.begin(), compared.end());
                });
            };
            watch.refused = [&](const std::string& why) { post(inbox, [&](Inbox& in) { in.refused.push_back(why); }); };
            *failure = refusalOf([&] { *whole = runSweep(request, job, watch); });
        },
        [this, whole, failure] {
            m_inbox.reset();
            m_failure = *failure;
            // What came before a failure stays.
            if (m_failure.isEmpty()) m_run = whole;
            Q_EMIT measured();
            Q_EMIT ended();
        });
}

void TimingRunner::mistake(const MistakeCase& what) {
    Q_ASSERT(!isBusy());
    m_failure.clear();
    m_mistakeRecord.reset();
    if (what.needsPython) {
        m_mistake = &what;
        process({QStringLiteral("--mistake"), QString::fromStdString(std::string(what.id))});
        return;
    }
    const auto record = std::make_shared<MistakeRecord>();
    const auto failure = std::make_shared<QString>();
    m_work.start(
        [record, failure, id = what.id](Job& job) { *failure = refusalOf([&] { *record = runMistake(id, 0, job); }); },
        [this, record, failure] {
            m_failure = *failure;
            if (m_failure.isEmpty()) m_mistakeRecord = record;
            Q_EMIT ended();
        });
}

void TimingRunner::process(const QStringList& arguments) {
    m_failure.clear();
    m_folder = std::make_unique<QTemporaryDir>();
    m_process = std::make_unique<QProcess>();
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setStandardOutputFile(QProcess::nullDevice());
    connect(m_process.get(), &QProcess::finished, this, &TimingRunner::endProcess);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) endProcess();
    });
    QStringList all{QStringLiteral("bench")};
    all << arguments << QStringLiteral("--json") << m_folder->filePath(QStringLiteral("run.json"));
    Q_EMIT progressed(0, tr("in a Python of its own"));
    m_process->start(m_program, all);
}

void TimingRunner::endProcess() {
    // It may be asked for from inside a signal of its own.
    QProcess* process = m_process.release();
    process->disconnect(this);
    process->deleteLater();
    const MistakeCase* mistake = std::exchange(m_mistake, nullptr);
    const auto run = readRun(QFile::encodeName(m_folder->filePath(QStringLiteral("run.json"))).toStdString());
    m_folder.reset();
    if (run && mistake && run->measurements.size() >= 2) {
        auto record = std::make_shared<MistakeRecord>();
        record->id = mistake->id;
        record->device = "cpu";
        record->wrong = run->measurements[0];
        record->right = run->measurements[1];
        record->n = record->right.n;
        record->wrongAnswer = record->wrong.times().median;
        record->rightAnswer = record->right.times().median;
        if (!run->comparisons.empty()) record->verdict = run->comparisons.front().verdict;
        m_mistakeRecord = record;
    } else if (run && !mistake) {
        m_run = std::make_shared<const Run>(*run);
        Q_EMIT measured();
    } else {
        // The last line of what it said is the reason.
        const QString said = QString::fromUtf8(process->readAllStandardError().right(4000)).trimmed();
        m_failure = said.section(QLatin1Char('\n'), -1);
        if (m_failure.isEmpty()) m_failure = run ? tr("nothing was measured") : words(run.refusal());
        if (process->exitStatus() == QProcess::CrashExit) m_failure = tr("stopped");
    }
    Q_EMIT ended();
}

void TimingRunner::stop() {
    m_work.cancel();
    if (m_process) m_process->kill();
}

bool TimingRunner::waitFor(int milliseconds) {
    QElapsedTimer since;
    since.start();
    if (m_work.isBusy()) return m_work.waitFor(milliseconds);
    while (m_process && since.elapsed() < milliseconds) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    return !m_process;
}

} // namespace stridescope
