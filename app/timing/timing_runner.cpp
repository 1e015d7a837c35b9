#include "app/timing/timing_runner.h"

#include "core/error.h"
#include "core/io/text.h"
#include "core/timing/run_file.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>

#include <csignal>
#include <exception>
#include <new>

#include <sys/prctl.h>

namespace stridescope {

namespace {

using namespace timing;

/// Milliseconds that a sweep has to come to its end by itself.
constexpr int kPatience = 120;

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

TimingRunner::TimingRunner(QObject* parent) : QObject(parent), m_program(QCoreApplication::applicationFilePath()) {
    m_force.setSingleShot(true);
    m_force.setInterval(kPatience);
    connect(&m_force, &QTimer::timeout, this, [this] {
        if (m_process) m_process->kill();
    });
}

TimingRunner::~TimingRunner() {
    if (!m_process) return;
    m_process->disconnect(this);
    m_process->kill();
    m_process->waitForFinished(2000);
}

bool TimingRunner::isBusy() const {
    return m_work.isBusy() || m_process;
}

void TimingRunner::start(const QStringList& arguments) {
    m_failure.clear();
    m_stopped = false;
    m_process = std::make_unique<QProcess>();
    m_process->setStandardInputFile(QProcess::nullDevice());
    // It does not outlive the window, however that ends.
    m_process->setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
    connect(m_process.get(), &QProcess::finished, this, &TimingRunner::endProcess);
    // Queued: it may be told before start() has returned.
    connect(
        m_process.get(), &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart && m_process) endProcess();
        },
        Qt::QueuedConnection);
    if (m_folder)
        m_process->setStandardOutputFile(QProcess::nullDevice());
    else
        connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &TimingRunner::takeLive);
    m_process->start(m_program, QStringList{QStringLiteral("bench")} + arguments);
}

void TimingRunner::sweep(const SweepRequest& request) {
    Q_ASSERT(!isBusy());
    const std::string command = commandOf(request);
    m_live.begin(command);
    m_run = m_live.run();
    m_folder.reset();
    // The line that a person would type; it has no words with blanks in them.
    QStringList arguments = QString::fromStdString(command).split(QLatin1Char(' ')).mid(2);
    start(arguments << QStringLiteral("--live"));
}

void TimingRunner::takeLive() {
    const bool changed = m_live.take(m_process->readAllStandardOutput());
    if (m_live.isBroken()) return m_process->kill();
    if (const auto progress = m_live.takeProgress()) Q_EMIT progressed(progress->share, progress->label);
    if (!changed) return;
    m_run = m_live.run();
    Q_EMIT measured();
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
    m_folder = std::make_unique<QTemporaryDir>();
    Q_EMIT progressed(0, tr("in a Python of its own"));
    start(arguments + QStringList{QStringLiteral("--json"), m_folder->filePath(QStringLiteral("run.json"))});
}

QString TimingRunner::reasonOf(QProcess& process) const {
    if (m_stopped) return {};
    const QString said = QString::fromUtf8(process.readAllStandardError().right(4000)).trimmed();
    const QString own = QStringLiteral("stridescope bench: ");
    // Our own words are whole; of Python's the last line is the reason.
    if (said.startsWith(own)) return said.mid(own.size()).replace(QLatin1Char('\n'), QStringLiteral(". "));
    if (!said.isEmpty()) return said.section(QLatin1Char('\n'), -1);
    if (process.error() == QProcess::FailedToStart) return tr("%1 could not be started").arg(m_program);
    return process.exitStatus() == QProcess::CrashExit ? tr("the process that measures was ended")
                                                       : tr("nothing was measured");
}

void TimingRunner::endProcess() {
    m_force.stop();
    // It may be asked for from inside a signal of its own.
    QProcess* process = m_process.release();
    process->disconnect(this);
    process->deleteLater();
    if (!m_folder) {
        m_live.take(process->readAllStandardOutput());
        m_run = m_live.run();
        const bool whole = process->exitStatus() == QProcess::NormalExit && process->exitCode() == 0;
        // What came before a failure stays.
        if (!whole || m_live.isBroken()) m_failure = reasonOf(*process);
        Q_EMIT measured();
        Q_EMIT ended();
        return;
    }
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
        m_failure = m_stopped ? tr("stopped") : reasonOf(*process);
    }
    Q_EMIT ended();
}

void TimingRunner::stop() {
    m_work.cancel();
    if (!m_process) return;
    m_stopped = true;
    // A sweep tells what it has of the point under way; Python may not hear it.
    if (m_folder || m_process->processId() <= 0) return m_process->kill();
    ::kill(static_cast<pid_t>(m_process->processId()), SIGINT);
    m_force.start();
}

bool TimingRunner::waitFor(int milliseconds) {
    QElapsedTimer since;
    since.start();
    if (m_work.isBusy()) return m_work.waitFor(milliseconds);
    while (m_process && since.elapsed() < milliseconds) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    return !m_process;
}

} // namespace stridescope
