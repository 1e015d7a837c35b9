#include "app/kernel/kernel_client.h"

#include "app/kernel/frame_socket.h"

#include <QJsonDocument>
#include <QSet>

#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace stridescope {

namespace {

/// Between fork() and exec(): system calls only.
void prepareChild(int channel, rlim_t memory) {
    setsid(); // a group of its own: Ctrl+C in the window's terminal is not for it, and Stop reaches what it starts
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (memory != RLIM_INFINITY) {
        const rlimit most{memory, memory};
        setrlimit(RLIMIT_AS, &most);
    }
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    fcntl(channel, F_SETFD, 0);
}

rlim_t memoryLimitOf(qint64 wanted) {
    if (wanted < 0) return RLIM_INFINITY;
    if (wanted > 0) return static_cast<rlim_t>(wanted);
    return static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) / 2;
}

/// Milliseconds from the end of the channel to that of the process.
constexpr int kChannelGrace = 1000;

Refusal startRefusal(const std::string& message) {
    return {ErrorKind::Io, "PY-07", message, "Choose another Python with STRIDESCOPE_PYTHON.", {}};
}

} // namespace

QString KernelEnd::keptAndLost() const {
    QString words = keptTensors.size() == 1 ? KernelClient::tr("1 tensor kept")
                                            : KernelClient::tr("%1 tensors kept").arg(keptTensors.size());
    if (!lostNames.isEmpty())
        words += KernelClient::tr("; Python names lost: %1").arg(lostNames.join(QLatin1String(", ")));
    return words + QLatin1Char('.');
}

KernelClient::KernelClient(QObject* parent) : QObject(parent) {
    for (QTimer* timer : {&m_outputTimer, &m_recordsTimer, &m_threadsTimer, &m_patience, &m_startLimit})
        timer->setSingleShot(true);
    m_outputTimer.setInterval(kOutputInterval);
    m_recordsTimer.setInterval(kRecordsInterval);
    m_patience.setInterval(kPatience);
    m_startLimit.setInterval(PythonSearch::kAnswerMilliseconds);
    connect(&m_outputTimer, &QTimer::timeout, this, [this] {
        // As much as the window shows without a pause; the rest follows.
        if (!m_output.isEmpty()) Q_EMIT printed(m_output.take(kLinesAtOnce));
        if (!m_output.isEmpty()) m_outputTimer.start();
    });
    connect(&m_recordsTimer, &QTimer::timeout, this, [this] {
        // What a device tells before the kernel says that the code has begun would be taken for the code's before it.
        if (!m_running || m_hasStarted) readRecords();
        watchDevices();
    });
    connect(&m_threadsTimer, &QTimer::timeout, this, [this] {
        // Code that runs tells at its end.
        if (m_state != State::Idle) return;
        request({{QStringLiteral("request"), QStringLiteral("threads")}});
        readRecords(); // threads may use devices
        watchDevices();
    });
    connect(&m_patience, &QTimer::timeout, this, [this] { kill(KernelEnd::Why::Stopped); });
    connect(&m_startLimit, &QTimer::timeout, this, [this] { kill(KernelEnd::Why::NotStarted); });
}

KernelClient::~KernelClient() {
    if (!m_process) return;
    m_process->disconnect(this);
    if (m_pid > 0) ::kill(static_cast<pid_t>(-m_pid), SIGKILL);
    m_process->kill();
    m_process->waitForFinished();
}

void KernelClient::setState(State state) {
    if (m_state == state) return;
    m_state = state;
    Q_EMIT stateChanged();
}

// --- Starting ---

void KernelClient::start() {
    if (m_state == State::Off) begin();
}

void KernelClient::begin() {
    setState(State::Starting);
    auto package = pythonPackage();
    if (!package) {
        refuseStart(package.refusal());
        return;
    }
    m_package = *package;
    m_search = std::make_unique<PythonSearch>(*package, chosenPython(m_options.python.toStdString()));
    ask();
}

void KernelClient::ask() {
    const std::vector<std::string> question = m_search->question();
    if (question.empty()) {
        const auto python = m_search->result();
        m_search.reset();
        python ? launch(QString::fromStdString(python->program)) : refuseStart(python.refusal());
        return;
    }
    QStringList arguments;
    for (std::size_t i = 1; i < question.size(); ++i) arguments << QString::fromStdString(question[i]);
    m_process = std::make_unique<QProcess>();
    QProcess* process = m_process.get();
    process->setStandardInputFile(QProcess::nullDevice());
    process->setStandardErrorFile(QProcess::nullDevice());
    const auto answer = [this, process](const std::string& failure) {
        if (m_process.get() != process) return;
        m_startLimit.stop();
        m_search->answer(process->readAllStandardOutput().toStdString(), failure);
        m_process.release()->deleteLater();
        ask();
    };
    connect(process, &QProcess::finished, this, [answer] { answer({}); });
    connect(process, &QProcess::errorOccurred, this, [answer, process](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) answer(process->errorString().toStdString());
    });
    m_startLimit.start();
    process->start(QString::fromStdString(question[0]), arguments);
}

void KernelClient::launch(const QString& python) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        refuseStart(startRefusal(std::string("no channel to Python: ") + std::strerror(errno)));
        return;
    }
    m_killed.reset();
    m_lastWords.clear();
    m_hello.reset();
    m_socket = std::make_unique<FrameSocket>(ends[0]);
    connect(m_socket.get(), &FrameSocket::received, this, &KernelClient::take);
    connect(m_socket.get(), &FrameSocket::closed, m_socket.get(), [this] {
        // Mostly the process has ended, and its end tells why.
        QTimer::singleShot(kChannelGrace, m_socket.get(), [this] { kill(KernelEnd::Why::Broken); });
    });
    m_process = std::make_unique<QProcess>();
    QProcess* process = m_process.get();
    process->setStandardInputFile(QProcess::nullDevice());
    const int channel = ends[1];
    const rlim_t memory = memoryLimitOf(m_options.memoryLimit);
    process->setChildProcessModifier([channel, memory] { prepareChild(channel, memory); });
    connect(process, &QProcess::readyReadStandardOutput, this, [this] { readProcess(false); });
    connect(process, &QProcess::readyReadStandardError, this, [this] { readProcess(true); });
    connect(process, &QProcess::finished, this, &KernelClient::processEnded);
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart || m_process.get() != process) return;
        const std::string why = process->errorString().toStdString();
        m_socket.reset();
        m_process.release()->deleteLater();
        refuseStart(startRefusal("Python cannot be started: " + why));
    });
    m_startLimit.start();
    const QString program = QString::fromStdString(m_package->folder) + QStringLiteral("/stridescope/kernel/start.py");
    process->start(python, {QStringLiteral("-I"), program, QString::number(channel)});
    close(channel);
    m_pid = process->processId();
}

void KernelClient::refuseStart(const Refusal& refusal) {
    m_startLimit.stop();
    KernelEnd end;
    end.why = KernelEnd::Why::NotStarted;
    end.message = QString::fromStdString(refusal.message);
    end.hint = QString::fromStdString(refusal.hint);
    end.refusal = QString::fromStdString(refusal.id);
    dropQueue();
    setState(State::Off);
    Q_EMIT ended(end);
}

// --- Asking ---

quint64 KernelClient::execute(const QString& code, KernelMode mode, const QString& name,
                              const std::optional<KernelBindings>& bindings) {
    const quint64 id = ++m_lastId;
    m_queue.push_back({id, code, name, mode, bindings});
    if (m_state == State::Off)
        start();
    else
        next();
    return id;
}

void KernelClient::next() {
    if (m_running || !m_hello || m_killed) return;
    if (m_queue.empty()) {
        setState(State::Idle);
        return;
    }
    m_running = std::move(m_queue.front());
    m_queue.pop_front();
    m_hasStarted = m_stopWanted = false;
    if (m_running->bindings) bind(*m_running->bindings);
    QJsonObject wanted{{QStringLiteral("request"), QStringLiteral("execute")},
                       {QStringLiteral("id"), static_cast<qint64>(m_running->id)},
                       {QStringLiteral("code"), m_running->code}};
    if (!m_running->name.isEmpty()) wanted[QStringLiteral("name")] = m_running->name;
    if (m_running->mode == KernelMode::Script) wanted[QStringLiteral("mode")] = QStringLiteral("script");
    if (m_running->mode == KernelMode::Step) wanted[QStringLiteral("mode")] = QStringLiteral("step");
    request(wanted);
    m_recordsTimer.start(kRecordsInterval);
    setState(State::Busy);
}

void KernelClient::request(QJsonObject request, const std::vector<int>& descriptors) {
    if (m_socket) m_socket->send(QJsonDocument(request).toJson(QJsonDocument::Compact), descriptors);
}

void KernelClient::stop() {
    if (m_running && !m_patience.isActive() && !m_killed) {
        m_patience.start();
        m_hasStarted ? interrupt() : static_cast<void>(m_stopWanted = true);
    }
    dropQueue();
}

void KernelClient::dropQueue() {
    std::deque<Request> dropped;
    dropped.swap(m_queue);
    for (const Request& each : dropped) {
        KernelResult result;
        result.id = each.id;
        result.status = KernelResult::Status::NotStarted;
        Q_EMIT finished(result);
    }
}

void KernelClient::interrupt() {
    // To all processes of its group, as a terminal does it: what the code started stops, too.
    if (m_pid > 0) ::kill(static_cast<pid_t>(-m_pid), SIGINT);
}

void KernelClient::kill(KernelEnd::Why why) {
    if (!m_process || m_killed) return;
    if (m_search) { // an interpreter that does not answer
        m_process->kill();
        return;
    }
    m_killed = why;
    m_patience.stop();
    if (m_pid > 0) ::kill(static_cast<pid_t>(-m_pid), SIGKILL);
    m_process->kill();
}

void KernelClient::restart() {
    if (m_state == State::Off)
        start();
    else if (m_state != State::Starting && !m_killed) { // one that starts is fresh already
        kill(KernelEnd::Why::Restarted);
        setState(State::Starting);
        dropQueue();
    }
}

void KernelClient::sendInput(const std::optional<QString>& line) {
    request({{QStringLiteral("request"), QStringLiteral("input")},
             {QStringLiteral("text"), line ? QJsonValue(*line) : QJsonValue()}});
}

quint64 KernelClient::complete(const QString& code, int cursor) {
    const quint64 id = ++m_lastId;
    request({{QStringLiteral("request"), QStringLiteral("complete")},
             {QStringLiteral("id"), static_cast<qint64>(id)},
             {QStringLiteral("code"), code},
             {QStringLiteral("cursor"), code.left(cursor).toUcs4().size()}}); // Python counts characters
    return id;
}

quint64 KernelClient::inspect(const QString& name) {
    const quint64 id = ++m_lastId;
    request({{QStringLiteral("request"), QStringLiteral("inspect")},
             {QStringLiteral("id"), static_cast<qint64>(id)},
             {QStringLiteral("name"), name}});
    return id;
}

void KernelClient::stopThread(qint64 ident) {
    request({{QStringLiteral("request"), QStringLiteral("stop_thread")}, {QStringLiteral("ident"), ident}});
    constexpr int kSoon = 100; // milliseconds
    m_threadsTimer.start(kSoon);
}

void KernelClient::goOn(const KernelBindings& bindings, GoOn how) {
    bind(bindings);
    request({{QStringLiteral("request"), how == GoOn::ToTheEnd ? QStringLiteral("continue")
                                         : how == GoOn::Into   ? QStringLiteral("into")
                                                               : QStringLiteral("step")}});
}

// --- What it prints and does ---

void KernelClient::readProcess(bool isError) {
    m_process->setReadChannel(isError ? QProcess::StandardError : QProcess::StandardOutput);
    const QByteArray bytes = m_process->readAll();
    if (!m_hello && isError) m_lastWords = (m_lastWords + QString::fromUtf8(bytes)).right(2000);
    m_output.append(bytes.constData(), bytes.size(), isError);
    if (!m_outputTimer.isActive()) m_outputTimer.start();
}

void KernelClient::flushOutput() {
    if (!m_output.isEmpty()) Q_EMIT printed(m_output.take());
}

void KernelClient::readRecords() {
    if (!m_ring) return;
    PackedRecords records;
    std::vector<DeviceRecord> devices;
    if (m_ring->read(records, SIZE_MAX, &devices) > 0) Q_EMIT recorded(records);
    if (!devices.empty()) takeDevices(devices);
}

void KernelClient::takeDevices(const std::vector<DeviceRecord>& records) {
    for (const DeviceRecord& record : records) {
        const int device = static_cast<int>(record.device.type) * 256 + record.device.index;
        switch (record.what) {
        case DeviceHappening::Queued:
            m_deviceWork.insert({device, record.number});
            break;
        case DeviceHappening::Done:
        case DeviceHappening::Dropped:
            m_deviceWork.erase({device, record.number});
            break;
        case DeviceHappening::Appeared:
        case DeviceHappening::Gone:
            m_deviceWork.erase(m_deviceWork.lower_bound({device, 0}), m_deviceWork.lower_bound({device + 1, 0}));
            break;
        default:
            break;
        }
    }
    m_devicesHeard.start();
    Q_EMIT devicesTold(records);
}

/// Devices go on when the code has ended; nobody else would read what they tell.
void KernelClient::watchDevices() {
    if (m_running)
        m_recordsTimer.start(kRecordsInterval);
    else if (m_ring && !m_deviceWork.empty() && m_devicesHeard.elapsed() < kDevicesPatience)
        m_recordsTimer.start(kDevicesInterval);
}

// --- The end of a process ---

void KernelClient::finishRunning(KernelResult::Status status) {
    if (!m_running) return;
    KernelResult result;
    result.id = m_running->id;
    result.status = status;
    m_running.reset();
    m_patience.stop();
    Q_EMIT finished(result);
}

void KernelClient::processEnded() {
    if (!m_process) return;
    // What it said before it ended is still there.
    m_process->disconnect(this);
    if (m_socket) m_socket->drain();
    readProcess(false);
    readProcess(true);
    flushOutput();
    readRecords();
    if (m_pid > 0) ::kill(static_cast<pid_t>(-m_pid), SIGKILL); // what it had started
    const bool crashed = m_process->exitStatus() == QProcess::CrashExit;
    KernelEnd end;
    end.code = m_process->exitCode();
    end.why = m_killed.value_or(crashed ? KernelEnd::Why::Crashed : KernelEnd::Why::Exited);
    if (!m_hello) end.why = KernelEnd::Why::NotStarted;
    switch (end.why) {
    case KernelEnd::Why::NotStarted:
        end.refusal = QStringLiteral("PY-07");
        end.message = m_killed ? tr("Python did not come up within %1 s.").arg(m_startLimit.interval() / 1000)
                               : tr("Python ended before it was ready (exit code %1).").arg(end.code);
        end.hint = m_lastWords.trimmed().section(QLatin1Char('\n'), -1);
        break;
    case KernelEnd::Why::Exited:
        end.message = tr("Python ended (exit code %1).").arg(end.code);
        break;
    case KernelEnd::Why::Crashed:
        end.message =
            tr("Python ended: signal %1 (%2).").arg(end.code).arg(QString::fromLocal8Bit(strsignal(end.code)));
        break;
    case KernelEnd::Why::Stopped:
        end.message = tr("The code did not answer Stop; Python was ended and started again.");
        break;
    case KernelEnd::Why::Broken:
        end.message = tr("The code closed or damaged Python's channel to this window; Python was started again.");
        break;
    case KernelEnd::Why::Restarted:
        end.message = tr("Python was started again.");
        break;
    }
    if (end.why != KernelEnd::Why::NotStarted) {
        for (const KernelVariable& variable : m_variables.names)
            (variable.tensor ? end.keptTensors : end.lostNames) << variable.name;
        end.hint = end.keptAndLost();
    }
    m_startLimit.stop();
    m_patience.stop();
    m_process.release()->deleteLater();
    if (m_socket) m_socket.release()->deleteLater(); // it may be what told us
    m_ring.reset();
    m_deviceWork.clear();
    m_hello.reset();
    m_killed.reset();
    m_pid = 0;
    m_storages.end();
    setThreads({});
    const bool again = end.why >= KernelEnd::Why::Stopped;
    finishRunning(KernelResult::Status::Lost);
    if (!again) dropQueue();
    setState(again ? State::Starting : State::Off);
    Q_EMIT ended(end);
    if (again) begin();
}

} // namespace stridescope
