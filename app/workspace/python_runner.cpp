#include "app/workspace/python_runner.h"

#include "app/workspace/python_line.h"
#include "app/workspace/refused_operation.h"

#include <QTimer>

#include <algorithm>

namespace stridescope {

PythonRunner::PythonRunner(Workspace* workspace, KernelClient* kernel, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_kernel(kernel) {
    connect(kernel, &KernelClient::recorded, this, [this](const PackedRecords& records) {
        if (!m_running) return;
        m_records.add(records);
        // Enough to tell where tensors come from; a loop of millions tells no more by its first ones.
        constexpr std::size_t kMost = 20'000, kMostBytes = std::size_t{8} << 20;
        if (m_records.size() > kMost || m_records.bytes() > kMostBytes) {
            m_records.dropFirst(m_records.size() / 2);
            m_allRecords = false;
        }
        showWrites(records);
    });
    connect(kernel, &KernelClient::failed, this, [this](quint64 id, const KernelError& error) {
        if (id == m_running) m_error = error;
    });
    connect(kernel, &KernelClient::variablesChanged, this, [this] { m_listed = m_listed || m_running != 0; });
    connect(kernel, &KernelClient::paused, this, [this](quint64 id, int line, int end) {
        if (id == m_running) pause(line, end);
    });
    connect(kernel, &KernelClient::partDone, this, [this](quint64 id, const QString& code) {
        if (id == m_running) takePart(code);
    });
    connect(kernel, &KernelClient::finished, this, &PythonRunner::finish);
}

bool PythonRunner::run(const QString& code, KernelMode mode, const QString& name) {
    if (m_running) return false;
    const auto bindings = m_workspace->beginPython(code, [this] { stop(); });
    if (!bindings) return false;
    m_code = code;
    m_before = m_workspace->moment();
    m_script = name.section(QLatin1Char('/'), -1);
    m_toTheEnd = mode == KernelMode::Script;
    m_waitedAt = 0;
    m_paused = false;
    m_records = {};
    m_allRecords = true;
    m_error.reset();
    m_parts = {};
    m_listed = false;
    // The end may be told before execute() returns, when there is no Python at all.
    m_running = m_kernel->nextId();
    m_kernel->execute(code, mode, name, *bindings);
    return true;
}

StepRecords PythonRunner::operations(PackedRecords records) const {
    // Storages that the kernel never listed get numbers that nobody else has, one range for each kernel.
    const auto process = static_cast<quint64>(m_kernel->hello() ? m_kernel->hello()->process : 0);
    const quint64 unlisted = (quint64{1} << 63) | (process << 40);
    const bool complete = m_allRecords && records.isGapless(); // else the ring was full
    return {std::move(records), m_kernel->storages().numbersHere(), unlisted, complete};
}

RunOutcome PythonRunner::endLine(const KernelVariables* after, const QString& code, const QString& title) {
    // Most lines of a loop change nothing that the window shows: nobody asks for their operations then.
    PackedRecords records = std::exchange(m_records, {});
    const RunOutcome outcome = m_workspace->endPython(
        after, records, [&] { return operations(std::move(records)); }, code, title);
    m_allRecords = true;
    return outcome;
}

QString PythonRunner::titleOfScript(const KernelResult& result) const {
    if (m_script.isEmpty() || !m_toTheEnd || !result.rest.isEmpty()) return {};
    if (m_waitedAt > 0) return tr("%1, line %2 to the end").arg(m_script).arg(m_waitedAt);
    const qsizetype lines = m_code.trimmed().count(QLatin1Char('\n')) + 1;
    const QString operations = result.operations == 1 ? tr("1 operation") : tr("%1 operations").arg(result.operations);
    return lines == 1 ? QString() : tr("%1: %2 lines, %3").arg(m_script).arg(lines).arg(operations);
}

void PythonRunner::takePart(const QString& code) {
    const RunOutcome part = endLine(&m_kernel->variables(), code);
    m_parts.steps += part.steps;
    m_parts.made.insert(m_parts.made.end(), part.made.begin(), part.made.end());
    m_parts.notes << part.notes;
    m_listed = false;
    // The names are the kernel's own; nothing came between.
    if (!m_workspace->beginPython(m_code, [this] { stop(); })) stop();
}

void PythonRunner::pause(int line, int end) {
    RunOutcome outcome = endLine(&m_kernel->variables());
    outcome.notes << m_workspace->keptSince(std::exchange(m_before, m_workspace->moment()));
    m_next = QStringList(m_code.split(QLatin1Char('\n')).mid(line - 1, end - line + 1)).join(QLatin1Char('\n'));
    m_paused = true;
    m_waitedAt = line;
    Q_EMIT paused(line, outcome);
}

bool PythonRunner::goOn(GoOn how) {
    if (!m_paused) return false;
    const auto bindings =
        m_workspace->beginPython(how == GoOn::ToTheEnd ? m_code : m_next.trimmed(), [this] { stop(); });
    if (!bindings) return false;
    m_before = m_workspace->moment(); // the mouse may have done something meanwhile
    m_paused = m_listed = false;
    m_toTheEnd = how == GoOn::ToTheEnd;
    m_kernel->goOn(*bindings, how);
    return true;
}

void PythonRunner::showWrites(const PackedRecords& records) {
    std::vector<std::uint64_t> written;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records.effect(i) == OpEffect::InPlace) records.outputs(i, written);
    }
    // A loop writes to the same few ones.
    std::sort(written.begin(), written.end());
    written.erase(std::unique(written.begin(), written.end()), written.end());
    m_written.insert(written.begin(), written.end());
    if (m_written.empty() || (m_lastShown.isValid() && m_lastShown.elapsed() < m_betweenPictures)) return;
    std::set<quint64> here;
    for (const KernelVariable& variable : m_kernel->variables().names) {
        if (variable.tensor && m_written.count(variable.storage)) here.insert(variable.tensor->storage()->id());
    }
    m_written.clear();
    m_lastShown.start();
    m_workspace->showWrites(here);
    m_betweenPictures = kBetweenPictures;
    // When it is painted, it is known what it cost: the code shall have most of the processors' time.
    constexpr int kShareOfCode = 5;
    QTimer::singleShot(0, this, [this] {
        m_betweenPictures = std::max(kBetweenPictures, kShareOfCode * static_cast<int>(m_lastShown.elapsed()));
    });
}

std::shared_ptr<const RefusedOperation> PythonRunner::refusedOperation(const KernelRefused& refused) const {
    RefusedOperation operation;
    operation.line = refused.line;
    operation.isElsewhere = refused.isElsewhere;
    operation.isOfKernel = true;
    for (const KernelRefused::Operand& given : refused.operands) {
        operation.operands.push_back({given.name, given.shown, given.tensor});
        // Listed by now, it is a storage of the workspace.
        const StoragePtr storage = m_kernel->storages().of(given.storage);
        if (!storage) continue;
        auto tensor = Tensor::fromStorage(storage, given.tensor.view(), given.tensor.dtype());
        if (tensor) operation.operands.back().tensor = *std::move(tensor);
    }
    return std::make_shared<const RefusedOperation>(std::move(operation));
}

void PythonRunner::finish(const KernelResult& result) {
    if (result.id != m_running) return;
    m_running = 0;
    m_paused = false;
    m_written.clear();
    // A kernel that ended before it listed anything says nothing about the names.
    RunOutcome outcome = endLine(m_listed ? &m_kernel->variables() : nullptr, result.rest, titleOfScript(result));
    outcome.code = m_code.trimmed();
    outcome.steps += m_parts.steps;
    outcome.made.insert(outcome.made.begin(), m_parts.made.begin(), m_parts.made.end());
    outcome.notes = m_parts.notes + outcome.notes + m_workspace->keptSince(m_before);
    m_before.reset();
    if (m_error) {
        outcome.ok = false;
        outcome.exception = m_error->type;
        outcome.suggestion = m_error->suggestion;
        if (m_error->line > 0)
            outcome.failedLine = m_code.section(QLatin1Char('\n'), m_error->line - 1, m_error->line - 1).trimmed();
        const QString id = m_error->refusal.isEmpty() ? QStringLiteral("PY-10") : m_error->refusal;
        outcome.refusal = Refusal{ErrorKind::Runtime, id.toStdString(), m_error->message.toStdString(), {}, {}};
        if (m_error->operation) outcome.operation = refusedOperation(*m_error->operation);
    }
    Q_EMIT lineFinished(std::exchange(m_code, {}), outcome, result);
}

} // namespace stridescope
