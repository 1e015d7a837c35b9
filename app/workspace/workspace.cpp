#include "app/workspace/workspace.h"

#include "app/workspace/conversion_note.h"
#include "app/workspace/kept_note.h"
#include "app/workspace/line_session.h"
#include "app/workspace/line_task.h"
#include "app/workspace/python_line.h"
#include "app/workspace/refused_operation.h"
#include "core/expr/parser.h"
#include "core/io/save_atomically.h"
#include "core/storage/memory_budget.h"

#include <QPointer>

#include <algorithm>

namespace stridescope {

namespace {

/// Lines that move more elements than this (a few milliseconds of work) get a thread of their own.
constexpr double kManyElements = 1 << 20;

QString bytesOf(Index bytes) {
    return QString::fromStdString(formatBytes(bytes));
}

void refuse(RunOutcome& outcome, Refusal refusal) {
    outcome.exception = QString::fromStdString(expr::exceptionName(refusal));
    outcome.refusal = std::move(refusal);
}

} // namespace

Workspace::Workspace(WorkspaceModel* model, QObject* parent)
    : QObject(parent), m_model(model), m_state(std::make_shared<const WorkspaceState>()) {
    connect(&m_background, &Background::progress, this, &Workspace::lineProgress);
    m_model->setWhenceSource([self = QPointer<const Workspace>(this)](const Pick& pick) {
        return self ? self->whence(pick) : std::nullopt;
    });
}

Workspace::~Workspace() = default;

RunOutcome Workspace::tryOut(const QString& line, double* elements) const {
    RunOutcome outcome;
    outcome.code = line.trimmed();
    const std::string source = line.toStdString();
    const auto program = expr::parseProgram(source);
    if (!program) {
        refuse(outcome, program.refusal());
        return outcome;
    }
    LineSession trial(*m_state, m_nextId, true);
    double unknown = 0;
    std::size_t done = 0;
    try {
        for (; done < program->statements.size(); ++done)
            trial.execute(program->statements[done], source, Naming::Discard);
    } catch (const Error& error) {
        // What needs values can only be told when the line is carried out; it may go over any of the tensors.
        if (error.refusal().id != "EXPR-30") {
            refuse(outcome, error.refusal());
            outcome.wanted = trial.wanted();
            outcome.source = trial.lastSource();
            outcome.operation = refusedOperation(trial.refusedCall(), *program, done, source);
            if (elements) *elements = trial.elementsMoved();
            return outcome;
        }
        for (const auto& entry : m_state->tensors)
            unknown = std::max(unknown, static_cast<double>(entry->tensor.numel()));
    }
    outcome.unkept = trial.unkept();
    if (elements) *elements = std::max(unknown, trial.elementsMoved());
    outcome.ok = true;
    return outcome;
}

void Workspace::makeOperands(const QString& line, double elements, RunOutcome& outcome) const {
    if (!outcome.operation || elements > kManyElements) return;
    LineSession session(*m_state, m_nextId, false);
    // What would write to elements that there are is not carried out for a picture.
    std::set<quint64> all;
    for (const auto& entry : m_state->tensors) all.insert(entry->tensor.storage()->id());
    session.setLocked(all);
    outcome.operation = withMadeOperands(*outcome.operation, session, line);
}

RunOutcome Workspace::refuseBusy(const QString& line) const {
    RunOutcome outcome;
    outcome.code = line.trimmed();
    refuse(outcome, {ErrorKind::Runtime,
                     "LINE-01",
                     "another line is still being carried out",
                     "Wait for its end, or cancel it.",
                     {}});
    return outcome;
}

bool Workspace::refusesChange(const QString& act) {
    if (!isBusy()) return false;
    Q_EMIT changeRefused(act, tr("Another line is still being carried out: wait for its end, or cancel it."));
    return true;
}

RunOutcome Workspace::run(const QString& line, const RunAs& how) {
    if (isBusy()) return refuseBusy(line);
    double elements = 0;
    RunOutcome outcome = tryOut(line, &elements);
    if (!outcome.ok) {
        makeOperands(line, elements, outcome);
        return outcome;
    }
    LineTask task(*m_state, m_nextId, line, how, m_locked);
    task.carryOut();
    return take(task);
}

RunOutcome Workspace::runInBackground(const QString& line, const RunAs& how) {
    if (isBusy()) return refuseBusy(line);
    double elements = 0;
    RunOutcome outcome = tryOut(line, &elements);
    // A line that reads a file tells its size only while it runs.
    const bool readsFile = outcome.refusal && outcome.refusal->id == "EXPR-31";
    if (readsFile) {
        outcome = {};
        elements = kManyElements;
    }
    if (!outcome.ok && !readsFile) {
        makeOperands(line, elements, outcome);
        return outcome;
    }
    m_task = std::make_unique<LineTask>(*m_state, m_nextId, line, how, m_locked);
    if (elements < kManyElements) {
        const std::unique_ptr<LineTask> task = std::move(m_task);
        task->carryOut();
        return take(*task);
    }
    // While the caller waits, the end is its answer; later it is told by signal.
    const auto answer = std::make_shared<std::optional<RunOutcome>>();
    const std::weak_ptr<std::optional<RunOutcome>> waiting = answer;
    m_background.start([task = m_task.get()](Job&) { task->carryOut(); },
                       [this, waiting] {
                           const std::unique_ptr<LineTask> task = std::move(m_task);
                           const RunOutcome end = take(*task);
                           if (const auto wanted = waiting.lock())
                               *wanted = end;
                           else
                               Q_EMIT lineFinished(task->line, end);
                       });
    if (m_patience >= 0 && m_background.waitFor(m_patience)) return **answer;
    outcome.pending = true;
    return outcome;
}

RunOutcome Workspace::take(LineTask& task) {
    LineSession& session = task.session;
    RunOutcome outcome = std::move(task.outcome);
    if (!outcome.ok) {
        outcome.code = task.line.trimmed();
        publish(session.writtenStorages());
        return outcome;
    }
    m_nextId = session.nextId();
    const StatePtr before = m_state;
    std::vector<LineSession::Change> changes;
    if (task.how.title.isEmpty()) {
        changes = session.takeChanges();
    } else if (auto one = session.takeOneChange(task.how.title, task.how.alone)) {
        changes.push_back(std::move(*one));
    }
    for (LineSession::Change& change : changes) {
        ++outcome.steps;
        if (!change.writes.allKept())
            outcome.notes << tr("%1 of old values were too large to keep: this step cannot be undone.")
                                 .arg(bytesOf(change.writes.bytesNotKept()));
        push(std::move(change.after), change.code, change.title, std::move(change.writes),
             std::move(change.operations));
    }
    // Of all statements together: a later one may let go of what kept a storage after an earlier one.
    // Who asked for many lines as one step did not ask for each name that comes and goes.
    if (task.how.title.isEmpty()) outcome.notes << keptNotes(*before, *m_state);
    if (outcome.steps > 0) {
        publish(session.writtenStorages());
        if (!outcome.made.empty()) m_model->select(outcome.made.back());
    }
    return outcome;
}

void Workspace::cancelLine() {
    m_python ? m_cancelPython() : m_background.cancel();
}

std::optional<KernelBindings> Workspace::beginPython(const QString& code, std::function<void()> cancel) {
    if (isBusy() || !m_locked.empty()) return std::nullopt;
    m_python = std::make_unique<PythonLine>(m_state, m_nextId, code, m_sharedValues);
    m_cancelPython = std::move(cancel);
    return m_python->bindings();
}

void Workspace::showWrites(const std::set<quint64>& storages) {
    for (const quint64 storage : storages) {
        if (m_state->hasStorage(storage)) m_model->notifyValuesChanged(storage);
    }
}

RunOutcome Workspace::endPython(const KernelVariables* after, const PackedRecords& records,
                                const std::function<StepRecords()>& operations, const QString& code,
                                const QString& title) {
    const std::unique_ptr<PythonLine> line = std::move(m_python);
    RunOutcome outcome;
    outcome.ok = true;
    if (!line) return outcome; // the workspace was cleared meanwhile
    if (!code.isEmpty()) line->setCode(code);
    PythonLine::Outcome end = line->finish(after, records);
    outcome.code = line->code().trimmed();
    outcome.made = end.made;
    m_nextId = end.nextId;
    if (after) m_sharedValues = std::move(end.shared);
    if (!end.change) return outcome;
    if (operations) end.change->operations = operations();
    outcome.notes << conversionNotes(*end.change->after, end.change->operations);
    outcome.steps = 1;
    if (!end.change->writes.allKept())
        outcome.notes << tr("%1 of old values were too large to keep: this step cannot be undone.")
                             .arg(bytesOf(end.change->writes.bytesNotKept()));
    if (after) keepNumbers(*after, *end.change->after);
    push(std::move(end.change->after), end.change->code, title.isEmpty() ? end.change->title : title,
         std::move(end.change->writes), std::move(end.change->operations));
    publish(end.written);
    if (!outcome.made.empty()) m_model->select(outcome.made.back());
    return outcome;
}

QStringList Workspace::keptSince(const Moment& before) const {
    return keptNotes(*std::static_pointer_cast<const WorkspaceState>(before), *m_state);
}

void Workspace::keepNumbers(const KernelVariables& listing, const WorkspaceState& state) {
    for (const KernelVariable& variable : listing.names) {
        if (!variable.tensor) continue;
        const quint64 now = variable.tensor->storage()->id();
        for (const quint64 earlier : variable.earlier) {
            const auto known = m_storages.find(earlier);
            if (m_storages.count(now) > 0 || known == m_storages.end() || state.hasStorage(earlier)) continue;
            const StorageFacts facts = known->second;
            m_storages.emplace(now, facts);
        }
    }
}

std::vector<Workspace::NamedValue> Workspace::values() const {
    std::vector<NamedValue> values;
    for (const auto& [name, value] : m_state->variables)
        values.push_back({QString::fromStdString(name), QString::fromStdString(expr::typeName(value)),
                          QString::fromStdString(expr::repr(value))});
    return values;
}

std::optional<Preview> Workspace::preview(const QString& line) const {
    const std::string source = line.toStdString();
    const auto program = expr::parseProgram(source);
    if (!program || program->statements.empty()) return std::nullopt;
    Preview preview;
    preview.code = line.trimmed();
    LineSession trial(*m_state, m_nextId, true);
    try {
        for (const expr::Statement& statement : program->statements) trial.execute(statement, source, Naming::Discard);
    } catch (const Error& error) {
        if (error.refusal().id == "EXPR-30") return std::nullopt;
        preview.refusal = error.refusal();
        preview.source = trial.lastSource();
        if (const auto& wanted = trial.wanted()) preview.view = wanted->view;
        return preview;
    }
    const auto& value = trial.lastTensor();
    if (!value || value->lineage == expr::Lineage::Alias) return std::nullopt;
    preview.source = value->source;
    preview.view = value->tensor.view();
    preview.copies = value->lineage == expr::Lineage::Copy || value->lineage == expr::Lineage::Fresh;
    return preview;
}

std::vector<TensorId> Workspace::add(const std::vector<NewTensor>& tensors, const QString& title,
                                     const QString& originFile) {
    if (tensors.empty() || isBusy()) return {};
    auto next = std::make_shared<WorkspaceState>(*m_state);
    std::vector<TensorId> ids;
    QStringList lines;
    next->makeRoom(std::min(tensors.size(), WorkspaceState::kShownByItself));
    for (const NewTensor& tensor : tensors) {
        const expr::TensorValue value{tensor.tensor, expr::Lineage::Fresh, 0};
        const QString name = freeNameLike(*next, tensor.name);
        // The first one is selected: it is on stage, and the next ones as far as there are colours.
        const bool show = ids.size() < WorkspaceState::kShownByItself;
        ids.push_back(next->bind(name, value, tensor.code, m_nextId++, show));
        if (tensor.runnable) lines << name + QStringLiteral(" = ") + tensor.code;
    }
    registerStorages(*next, originFile);
    // What no code can make again (a picture from the clipboard) stands there as a comment.
    push(std::move(next), lines.isEmpty() ? QStringLiteral("# ") + title : lines.join(QStringLiteral("; ")), title, {});
    publish();
    m_model->select(ids.front());
    return ids;
}

void Workspace::pushAct(StatePtr after, const QString& title) {
    push(std::move(after), QStringLiteral("# ") + title, title, {});
    publish();
}

void Workspace::setOnStage(TensorId tensor, bool onStage) {
    const TensorEntry* entry = m_state->tensor(tensor);
    if (!entry || entry->onStage == onStage) return;
    const QString title = (onStage ? tr("Show %1") : tr("Hide %1")).arg(entry->name);
    if (refusesChange(title)) return;
    auto next = std::make_shared<WorkspaceState>(*m_state);
    next->setOnStage(tensor, onStage);
    pushAct(std::move(next), title);
}

bool Workspace::rename(TensorId tensor, const QString& name, QString* reason) {
    const TensorEntry* entry = m_state->tensor(tensor);
    QString why;
    if (isBusy())
        why = tr("Another line is still being carried out: wait for its end, or cancel it.");
    else if (!entry)
        why = tr("There is no such tensor.");
    else if (entry->name == name)
        return true;
    else if (!expr::isIdentifier(name.toStdString()))
        why = tr("\"%1\" is not a name: use letters, digits and _, not beginning with a digit.").arg(name.left(40));
    else if (m_state->hasName(name))
        why = tr("The name %1 is taken.").arg(name);
    if (!why.isEmpty()) {
        if (reason) *reason = why;
        return false;
    }
    const QString title = tr("Rename %1 to %2").arg(entry->name, name);
    auto next = std::make_shared<WorkspaceState>(*m_state);
    next->rename(tensor, name);
    pushAct(std::move(next), title);
    return true;
}

void Workspace::moveBefore(TensorId tensor, TensorId before) {
    const TensorEntry* entry = m_state->tensor(tensor);
    if (!entry) return;
    const QString title = tr("Move card %1").arg(entry->name);
    if (refusesChange(title)) return;
    auto next = std::make_shared<WorkspaceState>(*m_state);
    next->moveBefore(tensor, before);
    if (next->order == m_state->order) return;
    pushAct(std::move(next), title);
}

void Workspace::clear() {
    if (m_python) m_cancelPython();
    m_python.reset(); // what it leaves is nobody's
    m_background.cancel();
    m_background.waitFor(-1);
    m_steps.clear();
    m_titles.clear();
    m_looks.clear();
    m_position = m_savedPosition = 0;
    m_state = std::make_shared<const WorkspaceState>();
    m_storages.clear();
    m_nextStorageNumber = 1;
    publish();
}

// --- What others see ------------------------------------------------------------------------------------------------

void Workspace::registerStorages(const WorkspaceState& state, const QString& originFile) {
    for (const auto& entry : state.tensors) {
        const quint64 id = entry->tensor.storage()->id();
        if (m_storages.count(id) > 0) continue;
        m_storages[id] = {m_nextStorageNumber++, entry->tensor.dtype(), originFile};
    }
}

SnapshotPtr Workspace::makeSnapshot() const {
    auto snapshot = std::make_shared<WorkspaceSnapshot>();
    std::map<int, StorageEntry> byNumber;
    for (const auto& entry : m_state->tensors) {
        snapshot->tensors.push_back(*entry);
        const quint64 id = entry->tensor.storage()->id();
        const StorageFacts& facts = m_storages.at(id);
        byNumber.emplace(facts.number, StorageEntry{id, facts.number, facts.dtype, facts.origin});
    }
    snapshot->order = m_state->order;
    for (auto& [number, storage] : byNumber) snapshot->storages.push_back(std::move(storage));
    return snapshot;
}

void Workspace::publish(const std::set<quint64>& written) {
    m_model->setSnapshot(makeSnapshot());
    for (const quint64 storage : written) {
        if (m_state->hasStorage(storage)) m_model->notifyValuesChanged(storage);
    }
    Q_EMIT changed();
}

quint64 Workspace::stateHash() const {
    Fingerprint hash;
    const auto addText = [&hash](const std::string& text) {
        hash.add(std::as_bytes(std::span(text.data(), text.size())));
        hash.add(std::as_bytes(std::span("\x1f", 1)));
    };
    const auto addNumber = [&addText](Index number) { addText(std::to_string(number)); };
    std::map<int, const Storage*> storages;
    for (const auto& entry : m_state->tensors) {
        const TensorEntry* parent = m_state->tensor(entry->parent);
        const Tensor& tensor = entry->tensor;
        addText(entry->name.toStdString());
        addText(entry->code.toStdString());
        addText(parent ? parent->name.toStdString() : std::string());
        addNumber(static_cast<Index>(entry->origin));
        addNumber(entry->onStage ? 1 : 0);
        addNumber(entry->colour);
        addText(std::string(name(tensor.dtype())) + toString(tensor.shape()) + toString(tensor.stride()));
        addNumber(tensor.storageOffset());
        const int number = m_storages.at(tensor.storage()->id()).number;
        addNumber(number);
        storages.emplace(number, tensor.storage().get());
    }
    for (const TensorId id : m_state->order) addText(m_state->tensor(id)->name.toStdString());
    for (const auto& [name, value] : m_state->variables) {
        addText(name);
        addText(expr::repr(value));
    }
    for (const auto& [number, storage] : storages) {
        addNumber(number);
        addNumber(static_cast<Index>(storage->bytes()));
        if (storage->device().isCpu()) hash.add(std::span(storage->data(), storage->bytes()));
    }
    return hash.value();
}

} // namespace stridescope
