#pragma once
// KernelClient: a Python in a process of its own, driven from the window's thread without ever blocking it.

#include "app/kernel/kernel_values.h"
#include "app/kernel/output_buffer.h"
#include "app/kernel/shared_storages.h"
#include "app/python/interpreter.h"
#include "core/trace/record_ring.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace stridescope {

class FrameSocket;
struct Frame;

/// docs/kernel.md tells what goes over the channel. Nothing is started before the first start() or execute().
class KernelClient : public QObject {
    Q_OBJECT

public:
    enum class State : quint8 { Off, Starting, Idle, Busy };
    struct Options {
        QString python;         ///< as of --python; empty: STRIDESCOPE_PYTHON, else looked for
        qint64 memoryLimit = 0; ///< bytes that Python may take; 0: half of the machine's, negative: no limit
    };
    /// After Stop a kernel has so long to answer before it is ended.
    static constexpr int kPatience = 2000;
    static constexpr std::size_t kLinesAtOnce = 500; ///< that are shown in one interval
    static constexpr int kOutputInterval = 30, kRecordsInterval = 16, kThreadsInterval = 1000; ///< milliseconds
    /// Devices at work, while no code runs: how often they are asked, and how long one may say nothing.
    static constexpr int kDevicesInterval = 30, kDevicesPatience = 20'000;

    explicit KernelClient(QObject* parent = nullptr);
    /// Ends the kernel and all processes that it started.
    ~KernelClient() override;

    void setOptions(const Options& options) { m_options = options; }
    State state() const { return m_state; }
    const std::optional<KernelHello>& hello() const { return m_hello; }
    const KernelVariables& variables() const { return m_variables; }
    /// Of what runs; empty: nothing does.
    QString runningCode() const { return m_running ? m_running->code : QString(); }
    const SharedStorages& storages() const { return m_storages; }
    /// What code has started and goes on in the background: as of the end of the last code, then of every second.
    const std::vector<KernelThread>& threads() const { return m_threads; }

    /// Does nothing unless Off.
    void start();
    /// Carries `code` out after all that was asked for before; `name` stands for it in tracebacks. Returns its number.
    /// With `bindings`, those are Python's tensors when it begins: names are bound where they differ, and names of
    /// other tensors are gone. A tensor that Python cannot see where it lies becomes a copy.
    quint64 execute(const QString& code, KernelMode mode = KernelMode::Console, const QString& name = {},
                    const std::optional<KernelBindings>& bindings = std::nullopt);
    /// The number that the next execute() will return.
    quint64 nextId() const { return m_lastId + 1; }
    /// Stops what runs and drops what waits. Code that does not listen loses its process: then a new one is started.
    void stop();
    /// A new kernel in place of this one; what waits is dropped. Tensors get their names back; all else is lost.
    void restart();
    /// The answer to inputWanted(); nothing is the end of the input.
    void sendInput(const std::optional<QString>& line);
    /// Answered when the kernel is idle, by completed() and inspected(). `cursor` counts as QString does.
    quint64 complete(const QString& code, int cursor);
    quint64 inspect(const QString& name);
    void stopThread(qint64 ident);
    /// While it waits before a line: these are Python's tensors and values from now on, and on it goes.
    void goOn(const KernelBindings& bindings, GoOn how);

Q_SIGNALS:
    void stateChanged();
    void ready(const stridescope::KernelHello& hello);
    void started(quint64 id);
    void printed(const stridescope::OutputBatch& batch);
    void resultShown(quint64 id, const QString& text);
    void failed(quint64 id, const stridescope::KernelError& error);
    void finished(const stridescope::KernelResult& result);
    void variablesChanged();
    void threadsChanged();
    /// As they came: many of them are read by nobody, and reading costs time of the window's.
    void recorded(const stridescope::PackedRecords& records);
    /// What devices of the kernel did; it goes on after the end of the code that gave them work.
    void devicesTold(const std::vector<stridescope::DeviceRecord>& records);
    void inputWanted(quint64 id);
    /// `code`, the statements since the last part, was carried out; the rest waits until the slots return.
    void partDone(quint64 id, const QString& code);
    /// Code of KernelMode::Step waits before its line `line`, which begins a statement that ends in `end`.
    void paused(quint64 id, int line, int end);
    void completed(quint64 id, const stridescope::KernelCompletions& found);
    void inspected(quint64 id, const QString& signature, const QString& text);
    void ended(const stridescope::KernelEnd& end);

private:
    struct Request {
        quint64 id = 0;
        QString code, name;
        KernelMode mode = KernelMode::Console;
        std::optional<KernelBindings> bindings;
    };

    void setState(State state);
    void begin();
    void ask();
    void launch(const QString& python);
    void refuseStart(const Refusal& refusal);
    void take(const Frame& frame);
    void takeEvent(const QJsonObject& event, const std::vector<int>& descriptors);
    void takeHello(const QJsonObject& event, const std::vector<int>& descriptors);
    void takeVariables(const QJsonObject& event);
    void takeError(const QJsonObject& event);
    void takeDone(const QJsonObject& event);
    void setThreads(std::vector<KernelThread> threads);
    void adoptKept();
    void bind(const KernelBindings& bindings);
    void adopt(const SharedStorage& shared, const QJsonArray& names);
    void readProcess(bool isError);
    void flushOutput();
    void readRecords();
    void takeDevices(const std::vector<DeviceRecord>& records);
    void watchDevices();
    void next();
    void interrupt();
    void kill(KernelEnd::Why why);
    void processEnded();
    void finishRunning(KernelResult::Status status);
    void dropQueue();
    void request(QJsonObject request, const std::vector<int>& descriptors = {});

    Options m_options;
    State m_state = State::Off;
    std::optional<KernelHello> m_hello;
    KernelVariables m_variables;
    std::vector<KernelThread> m_threads;
    SharedStorages m_storages;
    std::deque<Request> m_queue;
    std::optional<Request> m_running;
    bool m_hasStarted = false; ///< the kernel told that the running one began
    bool m_stopWanted = false; ///< before that
    quint64 m_lastId = 0;
    OutputBuffer m_output;
    QTimer m_outputTimer, m_recordsTimer, m_threadsTimer, m_patience, m_startLimit;

    std::optional<PythonPackage> m_package;
    std::unique_ptr<PythonSearch> m_search;
    std::unique_ptr<QProcess> m_process;
    std::unique_ptr<FrameSocket> m_socket;
    std::unique_ptr<RecordRing> m_ring;
    std::set<std::pair<int, quint64>> m_deviceWork; ///< given to a device and not done: device, number
    QElapsedTimer m_devicesHeard;
    qint64 m_pid = 0;
    std::optional<KernelEnd::Why> m_killed; ///< by this side
    QString m_lastWords;                    ///< what a process that did not come up wrote on its standard error
};

} // namespace stridescope
