// What the kernel tells: KernelClient's reading of its events.

#include "app/kernel/frame_socket.h"
#include "app/kernel/kernel_client.h"
#include "core/backend/backend.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

#include <cstring>
#include <fcntl.h>
#include <map>
#include <unistd.h>

namespace stridescope {

namespace {

QString textOf(const QJsonObject& event, const char* key) {
    return event.value(QLatin1String(key)).toString();
}
qint64 numberOf(const QJsonObject& event, const char* key) {
    return event.value(QLatin1String(key)).toInteger(0);
}
Dims dimsOf(const QJsonObject& event, const char* key) {
    const QJsonArray list = event.value(QLatin1String(key)).toArray();
    Dims dims(static_cast<std::size_t>(list.size()), 0);
    for (qsizetype i = 0; i < list.size(); ++i) dims[static_cast<std::size_t>(i)] = list[i].toInteger(0);
    return dims;
}
QJsonArray arrayOf(const Dims& dims) {
    QJsonArray list;
    for (const Index value : dims) list.append(static_cast<qint64>(value));
    return list;
}

KernelCompletions completionsOf(const QJsonObject& event) {
    KernelCompletions found;
    found.start = static_cast<int>(numberOf(event, "start"));
    for (const QJsonValue& value : event.value(QLatin1String("matches")).toArray()) {
        const QJsonArray match = value.toArray();
        found.matches.push_back({match.at(0).toString(), match.at(1).toString(), match.at(2).toString()});
    }
    const QJsonObject call = event.value(QLatin1String("call")).toObject();
    found.call.name = textOf(call, "name");
    found.call.argument = static_cast<int>(numberOf(call, "argument"));
    found.call.keyword = textOf(call, "keyword");
    for (const QJsonValue& each : call.value(QLatin1String("signatures")).toArray())
        found.call.signatures << each.toString();
    return found;
}

/// A tensor as a request has it.
QJsonObject described(const QString& called, const Tensor& tensor) {
    const std::string_view dtype = name(tensor.dtype());
    return {{QStringLiteral("name"), called},
            {QStringLiteral("dtype"), QString::fromUtf8(dtype.data(), static_cast<qsizetype>(dtype.size()))},
            {QStringLiteral("size"), arrayOf(tensor.shape())},
            {QStringLiteral("stride"), arrayOf(tensor.stride())},
            {QStringLiteral("offset"), static_cast<qint64>(tensor.storageOffset())}};
}

/// What was refused; nothing where the elements of an operand cannot be seen from here.
std::optional<KernelRefused> refusedOf(const QJsonObject& event, const SharedStorages& mapped) {
    if (event.isEmpty()) return std::nullopt;
    KernelRefused refused;
    refused.line = textOf(event, "line");
    refused.isElsewhere = event.value(QLatin1String("elsewhere")).toBool();
    std::map<quint64, StoragePtr> copies;
    for (const QJsonValue& value : event.value(QLatin1String("operands")).toArray()) {
        const QJsonObject given = value.toObject();
        const auto number = static_cast<quint64>(numberOf(given, "storage"));
        StoragePtr& storage = copies[number];
        if (!storage && given.value(QLatin1String("data")).isString()) {
            const QByteArray bytes = QByteArray::fromBase64(textOf(given, "data").toLatin1());
            storage = Storage::allocate(static_cast<std::size_t>(bytes.size()), allocatorFor(Device{}));
            if (!bytes.isEmpty()) std::memcpy(storage->data(), bytes.constData(), storage->bytes());
        }
        if (!storage) storage = mapped.of(number);
        const auto dtype = dtypeFromName(textOf(given, "dtype").toStdString());
        auto view = makeView(dimsOf(given, "size"), dimsOf(given, "stride"), numberOf(given, "offset"));
        if (!storage || !dtype || !view) return std::nullopt;
        auto tensor = Tensor::fromStorage(storage, *view, *dtype);
        if (!tensor) return std::nullopt;
        refused.operands.push_back({textOf(given, "name"), textOf(given, "shown"), number, *std::move(tensor)});
    }
    return refused;
}

std::vector<KernelThread> threadsOf(const QJsonObject& event) {
    std::vector<KernelThread> threads;
    for (const QJsonValue& value : event.value(QLatin1String("threads")).toArray()) {
        const QJsonObject thread = value.toObject();
        threads.push_back({textOf(thread, "name"), numberOf(thread, "ident")});
    }
    return threads;
}

} // namespace

void KernelClient::take(const Frame& frame) {
    if (frame.kind == Frame::kOutput || frame.kind == Frame::kErrors) {
        m_output.append(frame.payload.constData(), frame.payload.size(), frame.kind == Frame::kErrors);
        if (!m_outputTimer.isActive()) m_outputTimer.start();
    } else {
        const QJsonObject event = QJsonDocument::fromJson(frame.payload).object();
        // An event that is none: code has written into the channel, and what follows means nothing.
        if (event.isEmpty())
            kill(KernelEnd::Why::Broken);
        else
            takeEvent(event, frame.descriptors);
    }
    for (const int descriptor : frame.descriptors) close(descriptor);
}

void KernelClient::takeEvent(const QJsonObject& event, const std::vector<int>& descriptors) {
    const QString kind = textOf(event, "event");
    const auto id = static_cast<quint64>(numberOf(event, "id"));
    if (kind == QLatin1String("hello")) {
        takeHello(event, descriptors);
    } else if (kind == QLatin1String("started")) {
        m_hasStarted = true;
        if (m_stopWanted) interrupt();
        Q_EMIT started(id);
    } else if (kind == QLatin1String("result")) {
        flushOutput();
        Q_EMIT resultShown(id, textOf(event, "text"));
    } else if (kind == QLatin1String("error")) {
        takeError(event);
    } else if (kind == QLatin1String("variables")) {
        takeVariables(event);
    } else if (kind == QLatin1String("done")) {
        takeDone(event);
    } else if (kind == QLatin1String("threads")) {
        setThreads(threadsOf(event));
    } else if (kind == QLatin1String("paused")) {
        flushOutput();
        readRecords();
        Q_EMIT paused(id, static_cast<int>(numberOf(event, "line")), static_cast<int>(numberOf(event, "end")));
    } else if (kind == QLatin1String("part")) {
        flushOutput();
        readRecords();
        Q_EMIT partDone(id, textOf(event, "code"));
        request({{QStringLiteral("request"), QStringLiteral("part_taken")}});
    } else if (kind == QLatin1String("input")) {
        flushOutput();
        Q_EMIT inputWanted(id);
    } else if (kind == QLatin1String("completions")) {
        Q_EMIT completed(id, completionsOf(event));
    } else if (kind == QLatin1String("inspected")) {
        Q_EMIT inspected(id, textOf(event, "signature"), textOf(event, "text"));
    }
}

void KernelClient::takeHello(const QJsonObject& event, const std::vector<int>& descriptors) {
    if (descriptors.size() != 2 || m_hello) {
        kill(KernelEnd::Why::NotStarted);
        return;
    }
    m_startLimit.stop();
    m_storages.begin(std::make_shared<MemoryFile>(fcntl(descriptors[0], F_DUPFD_CLOEXEC, 3)));
    if (auto ring = RecordRing::open(descriptors[1])) m_ring = std::move(*ring);
    m_hello = KernelHello{textOf(event, "python"), textOf(event, "program"), numberOf(event, "pid"),
                          numberOf(event, "memory_limit")};
    adoptKept();
    // All but tensors went with the kernel before this one.
    std::erase_if(m_variables.names, [](const KernelVariable& variable) { return !variable.isTensor; });
    Q_EMIT ready(*m_hello);
    next();
}

void KernelClient::adopt(const SharedStorage& shared, const QJsonArray& names) {
    request({{QStringLiteral("request"), QStringLiteral("adopt")},
             {QStringLiteral("handle"), static_cast<qint64>(shared.storage->id())},
             {QStringLiteral("offset"), static_cast<qint64>(shared.offset)},
             {QStringLiteral("bytes"), static_cast<qint64>(shared.storage->bytes())},
             {QStringLiteral("names"), names}},
            {shared.file->descriptor()});
}

void KernelClient::adoptKept() {
    for (const auto& [handle, shared] : m_storages.all()) {
        QJsonArray names;
        for (const KernelVariable& variable : m_variables.names) {
            if (variable.tensor && variable.tensor->storage()->id() == handle)
                names.append(described(variable.name, *variable.tensor));
        }
        if (!names.isEmpty()) adopt(shared, names);
    }
    request({{QStringLiteral("request"), QStringLiteral("list")}});
}

void KernelClient::bind(const KernelBindings& bindings) {
    QJsonArray names, gone;
    QSet<QString> wanted;
    std::map<quint64, QJsonArray> adopted; // by handle
    for (const KernelBinding& binding : bindings) {
        wanted.insert(binding.name);
        const KernelVariable* present = m_variables.find(binding.name);
        if (!binding.tensor.defined()) {
            if (binding.literal.isEmpty()) {
                if (present && !present->isTensor) gone.append(binding.name);
            } else if (!present || present->literal != binding.literal) {
                names.append(
                    QJsonObject{{QStringLiteral("name"), binding.name}, {QStringLiteral("literal"), binding.literal}});
            }
            continue;
        }
        if (present && present->tensor && present->tensor->storage()->id() == binding.tensor.storage()->id() &&
            present->view == binding.tensor.view() && present->dtype == binding.tensor.dtype())
            continue;
        const SharedStorage& shared = m_storages.share(binding.tensor.storage());
        QJsonObject name = described(binding.name, binding.tensor);
        if (shared.kernelId == 0) {
            adopted[shared.storage->id()].append(name);
        } else {
            name[QStringLiteral("storage")] = static_cast<qint64>(shared.kernelId);
            names.append(name);
        }
    }
    for (const KernelVariable& variable : m_variables.names) {
        if (variable.tensor && !wanted.contains(variable.name)) gone.append(variable.name);
    }
    for (const auto& [handle, list] : adopted) adopt(m_storages.all().at(handle), list);
    if (!names.isEmpty() || !gone.isEmpty())
        request({{QStringLiteral("request"), QStringLiteral("bind")},
                 {QStringLiteral("names"), names},
                 {QStringLiteral("gone"), gone}});
}

void KernelClient::takeVariables(const QJsonObject& event) {
    const auto update = m_storages.update(event.value(QLatin1String("storages")).toArray(),
                                          event.value(QLatin1String("moved")).toArray(), numberOf(event, "serial"));
    KernelVariables fresh;
    std::map<quint64, QJsonObject> storages;
    for (const QJsonValue& value : event.value(QLatin1String("storages")).toArray())
        storages.emplace(static_cast<quint64>(numberOf(value.toObject(), "storage")), value.toObject());
    for (const QJsonValue& value : event.value(QLatin1String("devices")).toArray()) {
        const QJsonObject device = value.toObject();
        fresh.devices.push_back(
            {textOf(device, "device"), textOf(device, "about"), device.value(QLatin1String("simulated")).toBool(),
             static_cast<quint64>(numberOf(device, "allocated")), static_cast<quint64>(numberOf(device, "total"))});
    }
    fresh.more = static_cast<int>(numberOf(event, "more"));
    fresh.changedStorages = update.changed;
    for (const QJsonValue& value : event.value(QLatin1String("names")).toArray()) {
        const QJsonObject entry = value.toObject();
        KernelVariable variable;
        variable.name = textOf(entry, "name");
        variable.type = textOf(entry, "type");
        variable.text = textOf(entry, "text");
        variable.literal = textOf(entry, "literal");
        const auto dtype = dtypeFromName(textOf(entry, "dtype").toStdString());
        auto view = makeView(dimsOf(entry, "size"), dimsOf(entry, "stride"), numberOf(entry, "offset"));
        if (entry.contains(QStringLiteral("storage")) && dtype && view) {
            variable.isTensor = true;
            variable.dtype = *dtype;
            variable.view = *view;
            variable.device = textOf(entry, "device");
            variable.storage = static_cast<quint64>(numberOf(entry, "storage"));
            const QJsonObject& place = storages[variable.storage];
            variable.storageBytes = static_cast<quint64>(numberOf(place, "bytes"));
            variable.isLost = place.value(QLatin1String("lost")).toBool();
            variable.isCopy = m_storages.isCopy(variable.storage);
            variable.earlier = m_storages.earlier(variable.storage);
            StoragePtr storage = m_storages.of(variable.storage);
            if (!storage && view->numel() == 0 && variable.device == QLatin1String("cpu"))
                storage = Storage::wrap(nullptr, 0, Device{}, {}, "shared memory");
            if (storage) {
                auto tensor = Tensor::fromStorage(storage, *view, *dtype);
                if (tensor) variable.tensor = std::move(*tensor);
            }
        }
        fresh.names.push_back(std::move(variable));
    }
    m_variables = std::move(fresh);
    Q_EMIT variablesChanged();
    const QJsonArray released = m_storages.sweep();
    if (!released.isEmpty())
        request({{QStringLiteral("request"), QStringLiteral("release")}, {QStringLiteral("storages"), released}});
}

void KernelClient::takeError(const QJsonObject& event) {
    flushOutput();
    KernelError error;
    error.type = textOf(event, "type");
    error.message = textOf(event, "message");
    error.traceback = textOf(event, "traceback");
    error.line = static_cast<int>(numberOf(event, "line"));
    error.column = static_cast<int>(numberOf(event, "column"));
    error.refusal = textOf(event, "refusal");
    error.suggestion = textOf(event, "suggestion");
    error.interrupted = textOf(event, "status") == QLatin1String("interrupted");
    error.operation = refusedOf(event.value(QLatin1String("operation")).toObject(), m_storages);
    Q_EMIT failed(static_cast<quint64>(numberOf(event, "id")), error);
}

void KernelClient::setThreads(std::vector<KernelThread> threads) {
    if (threads.empty())
        m_threadsTimer.stop();
    else
        m_threadsTimer.start(kThreadsInterval);
    if (threads == m_threads) return;
    m_threads = std::move(threads);
    Q_EMIT threadsChanged();
}

void KernelClient::takeDone(const QJsonObject& event) {
    if (!m_running || m_running->id != static_cast<quint64>(numberOf(event, "id"))) return;
    // What code and its processes wrote straight to the descriptors before the end is in the pipes now. Nothing is
    // waited for; the end of the process may be noticed here.
    for (const auto channel : {QProcess::StandardOutput, QProcess::StandardError}) {
        m_process->setReadChannel(channel);
        m_process->waitForReadyRead(0);
        if (!m_process || !m_running) return;
        readProcess(channel == QProcess::StandardError);
    }
    flushOutput();
    readRecords();
    KernelResult result;
    result.id = m_running->id;
    const QString status = textOf(event, "status");
    result.status = status == QLatin1String("ok")            ? KernelResult::Status::Done
                    : status == QLatin1String("interrupted") ? KernelResult::Status::Interrupted
                    : status == QLatin1String("exit")        ? KernelResult::Status::Exited
                                                             : KernelResult::Status::Failed;
    result.exitCode = textOf(event, "code");
    result.rest = textOf(event, "rest");
    result.seconds = event.value(QLatin1String("seconds")).toDouble();
    result.operations = static_cast<quint64>(numberOf(event, "operations"));
    result.threads = threadsOf(event);
    m_running.reset();
    m_patience.stop();
    setThreads(result.threads);
    Q_EMIT finished(result);
    next();
}

} // namespace stridescope
