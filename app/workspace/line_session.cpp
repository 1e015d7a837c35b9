#include "app/workspace/line_session.h"

#include "app/files/file_opener.h"
#include "app/workspace/conversion_note.h"
#include "core/io/cifar.h"
#include "core/io/file_kind.h"
#include "core/io/text.h"
#include "core/storage/memory_budget.h"

#include <algorithm>
#include <filesystem>
#include <thread>

namespace stridescope {

namespace {

/// More tensors than this from one act are kept under one name.
constexpr std::size_t kLargestUnpacking = 8;

QString sourceOf(Index begin, Index end, const std::string& source) {
    return QString::fromStdString(
        source.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
}

/// "narrow(1, 1, 2)" for "B = A.narrow(1, 1, 2)"; the whole code for what is not a call.
QString titleOf(const expr::Statement& statement, const QString& code, const std::string& source) {
    const bool call =
        statement.value.kind == expr::NodeKind::Call && statement.value.children[0].kind == expr::NodeKind::Attribute;
    const bool named =
        statement.kind == expr::StatementKind::Expression ||
        (statement.kind == expr::StatementKind::Assign && statement.targets[0].kind == expr::NodeKind::Name);
    if (!call || !named) return code;
    const expr::Node& callee = statement.value.children[0];
    const bool module = callee.children[0].kind == expr::NodeKind::Name && callee.children[0].text == "torch";
    const Index begin = module ? callee.begin : callee.end - static_cast<Index>(callee.text.size());
    return sourceOf(begin, statement.value.end, source);
}

bool isTensorTuple(const expr::Value& value) {
    const auto* sequence = value.as<expr::Sequence>();
    return sequence && !sequence->items.empty() &&
           std::all_of(sequence->items.begin(), sequence->items.end(),
                       [](const expr::Value& item) { return item.is<expr::TensorValue>(); });
}

/// The storages of all tensors inside `value`.
void collectStorages(const expr::Value& value, std::set<quint64>& storages) {
    if (const auto* tensor = value.as<expr::TensorValue>()) storages.insert(tensor->tensor.storage()->id());
    if (const auto* sequence = value.as<expr::Sequence>()) {
        for (const expr::Value& item : sequence->items) collectStorages(item, storages);
    }
}

} // namespace

LineSession::LineSession(const WorkspaceState& state, TensorId nextId, bool dryRun)
    : m_state(state), m_nextId(nextId), m_dryRun(dryRun), m_evaluator(*this, {dryRun, 100'000}) {
    for (const auto& entry : state.tensors) m_oldStorages.insert(entry->tensor.storage()->id());
    for (const auto& variable : state.variables) collectStorages(variable.second, m_oldStorages);
}

LineSession::~LineSession() = default;

std::optional<expr::Value> LineSession::lookup(const std::string& name) {
    if (const TensorEntry* entry = m_state.tensor(QString::fromStdString(name))) {
        if (m_lastSource == 0) m_lastSource = entry->id;
        expr::Value value(expr::TensorValue{entry->tensor, expr::Lineage::Alias, entry->id});
        noteFiles(value);
        return value;
    }
    const auto it = m_state.variables.find(name);
    if (it == m_state.variables.end()) return std::nullopt;
    noteFiles(it->second);
    return it->second;
}

void LineSession::noteFiles(const expr::Value& value) {
    if (const auto* sequence = value.as<expr::Sequence>()) {
        for (const expr::Value& item : sequence->items) noteFiles(item);
        return;
    }
    const auto* tensor = value.as<expr::TensorValue>();
    if (!tensor || tensor->tensor.storage()->kind() != "mapped file") return;
    if (auto file = mappedFileOf(*tensor->tensor.storage())) m_files.insert(std::move(file));
}

QString LineSession::warnings() const {
    QString text;
    for (const auto& file : m_files) {
        if (!file->fileChanged()) continue;
        std::error_code error;
        const auto now = static_cast<qulonglong>(std::filesystem::file_size(file->path(), error));
        const auto mapped = static_cast<qulonglong>(file->bytes().size());
        const QString name = QString::fromStdString(sanitiseForDisplay(file->path().filename().string(), 60));
        text += QObject::tr("Warning: %1 changed on disk while it was read: ").arg(name);
        text +=
            !error && now < mapped
                ? QObject::tr("it has %L1 bytes now and had %L2; values beyond its end read as 0.").arg(now).arg(mapped)
                : QObject::tr("values may be a mixture of old and new ones.");
        text += QObject::tr(" Open it again to see what it holds now.\n");
    }
    return text;
}

void LineSession::assign(const std::string& name, expr::Value value, const std::string& code) {
    m_changed = true;
    const QString shownName = QString::fromStdString(name);
    if (const auto* tensor = value.as<expr::TensorValue>()) {
        const TensorId before = m_nextId;
        const TensorId id = m_state.bind(shownName, *tensor, QString::fromStdString(code), m_nextId);
        if (id == before) ++m_nextId;
        m_made.push_back(id);
        m_lastTensor = *tensor;
        return;
    }
    if (const TensorEntry* entry = m_state.tensor(shownName)) m_state.remove(entry->id);
    m_state.variables[name] = std::move(value);
    m_state.giveLetters();
}

void LineSession::remove(const std::string& name) {
    m_changed = true;
    if (const TensorEntry* entry = m_state.tensor(QString::fromStdString(name)))
        m_state.remove(entry->id);
    else
        m_state.variables.erase(name);
}

namespace {

/// A mapped file is private to the program: every page that is written becomes memory of its own.
void refuseUnaffordable(const Tensor& target) {
    if (target.storage()->kind() != "mapped file") return;
    const auto refusal = allocationRefusal(static_cast<std::size_t>(target.nbytes()), target.device());
    if (!refusal) return;
    const auto* bytes = std::get_if<BytesExceeded>(&refusal->detail);
    throwRefusal({ErrorKind::Memory, "LINE-03",
                  "writing to a mapped file takes as much memory as is written: " + formatBytes(target.nbytes()) +
                      " wanted, the limit is " + formatBytes(bytes ? bytes->limit : 0),
                  "Write to a part of it, for example x[:1000].", refusal->detail});
}

} // namespace

void LineSession::aboutToWrite(const Tensor& target) {
    const quint64 id = target.storage()->id();
    // A storage that this line made holds nothing that an undo could miss.
    if (m_oldStorages.count(id) == 0) return;
    if (m_locked.count(id) > 0)
        throwRefusal({ErrorKind::Runtime,
                      "LINE-02",
                      "the storage is being saved and must not change until that is done",
                      "Wait for the end of saving, or cancel it.",
                      {}});
    refuseUnaffordable(target);
    m_writes.save(target, m_operations.size());
    m_writtenStorages.insert(id);
}

void LineSession::wouldWrite(const Tensor& target) {
    if (m_oldStorages.count(target.storage()->id()) == 0) return;
    refuseUnaffordable(target);
    m_unkept += WriteLog::bytesTooLargeToKeep(target);
}

void LineSession::aboutToConvert(const Tensor& source, DType dtype) {
    if (const QString note = conversionNote(source, dtype); !note.isEmpty()) m_notes << note;
}

expr::Value LineSession::load(expr::FileCall call, const std::string& path, bool dryRun) {
    const std::filesystem::path native(path);
    if (call == expr::FileCall::NumpyFromFile) return expr::TensorValue{fileBytes(native).valueOrThrow()};
    const FileKind kind = openableKindOf(native).valueOrThrow();
    const bool array = kind == FileKind::Npy || kind == FileKind::Npz, named = kind == FileKind::Safetensors;
    const expr::FileCall wanted = array   ? expr::FileCall::NumpyLoad
                                  : named ? expr::FileCall::SafetensorsLoad
                                          : expr::FileCall::PictureOpen;
    if (call != wanted) {
        const char* const asked = call == expr::FileCall::NumpyLoad         ? "an array file"
                                  : call == expr::FileCall::SafetensorsLoad ? "a safetensors file"
                                                                            : "a picture";
        throwRefusal({ErrorKind::Io,
                      "OPEN-03",
                      "this is " + describe(kind) + ", not " + asked,
                      array   ? "Read it with numpy.load()."
                      : named ? "Read it with safetensors.torch.load_file()."
                              : "Read it with numpy.array(PIL.Image.open()).",
                      {}});
    }
    // An .npy file is mapped, which costs nothing whatever its size; the others are unpacked.
    if (dryRun && kind != FileKind::Npy)
        throwRefusal({ErrorKind::Runtime, "EXPR-31", "the file is not read before the line is carried out", {}, {}});
    const OpenedFile file =
        openFile(QString::fromStdString(path), Budget::standard(), {.sessions = Sessions::AsTensors});
    if (file.refusal) throwRefusal(Refusal(*file.refusal));
    for (const QString& note : file.notes) m_notes << note;
    const auto valueOf = [](const OpenedTensor& opened) {
        return expr::Value(expr::TensorValue{opened.tensor, expr::Lineage::Fresh, 0});
    };
    if (kind != FileKind::Npz && !named) return valueOf(file.tensors.front());
    expr::Archive archive;
    if (named) archive.type = "dict";
    for (const OpenedTensor& opened : file.tensors) {
        archive.names.push_back(opened.name.toStdString());
        archive.arrays.push_back(valueOf(opened));
    }
    return archive;
}

expr::Value LineSession::dataSet(const expr::DataSetCall& call, bool dryRun) {
    if (dryRun)
        throwRefusal(
            {ErrorKind::Runtime, "EXPR-31", "the data set is not read before the line is carried out", {}, {}});
    const CifarSet set =
        (call.name == "SampleImages"
             ? sampleSet()
             : openCifar(call.root, call.name == "CIFAR100" ? CifarKind::Hundred : CifarKind::Ten, call.train))
            .valueOrThrow();
    for (const std::string& note : set.notes) m_notes << QString::fromStdString(note);
    expr::Sequence targets{expr::Sequence::Kind::List, {}}, classes{expr::Sequence::Kind::List, {}};
    for (const Index label : set.labels) targets.items.emplace_back(label);
    for (const std::string& name : set.classes) classes.items.emplace_back(name);
    return expr::Archive{
        call.name,
        {"data", "targets", "classes"},
        {expr::TensorValue{set.data, expr::Lineage::Fresh, 0}, std::move(targets), std::move(classes)}};
}

QString LineSession::nameResult(const expr::Value& value, const QString& code) {
    if (const auto* tensor = value.as<expr::TensorValue>()) {
        if (tensor->lineage == expr::Lineage::Alias) {
            const TensorEntry* entry = m_state.tensor(tensor->source);
            if (m_writes.empty() && entry && code != entry->name)
                m_notes << QObject::tr("%1 is %2 itself: nothing was made.").arg(code, entry->name);
            return code;
        }
        const QString name = freeName(m_state);
        assign(name.toStdString(), value, code.toStdString());
        return name + QStringLiteral(" = ") + code;
    }
    if (!isTensorTuple(value)) return code;
    const auto& items = value.as<expr::Sequence>()->items;
    if (items.size() > kLargestUnpacking) {
        const QString name = freeName(m_state);
        assign(name.toStdString(), value, code.toStdString());
        m_notes << QObject::tr("%1 has %2 tensors; take one by its number: %1[0].").arg(name).arg(items.size());
        return name + QStringLiteral(" = ") + code;
    }
    QStringList names;
    for (std::size_t i = 0; i < items.size(); ++i) {
        names << freeName(m_state);
        assign(names.back().toStdString(), items[i],
               (code + QStringLiteral("[%1]").arg(static_cast<qulonglong>(i))).toStdString());
    }
    if (names.size() == 1) names << QString();
    return names.join(QStringLiteral(", ")).trimmed() + QStringLiteral(" = ") + code;
}

expr::Value LineSession::evaluate(const expr::Statement& statement, const std::string& source) {
    if (m_dryRun) return m_evaluator.execute(statement, source);
    const OpSubscription recorder([this, mine = std::this_thread::get_id()](const OpRecord& record) {
        // Others may be at work in other threads.
        if (std::this_thread::get_id() == mine) m_operations.add(record);
    });
    return m_evaluator.execute(statement, source);
}

void LineSession::execute(const expr::Statement& statement, const std::string& source, Naming naming) {
    m_changed = false;
    m_lastTensor.reset();
    m_lastSource = 0;
    const expr::Value value = evaluate(statement, source);
    m_output += QString::fromStdString(m_evaluator.takeOutput());
    QString code = sourceOf(statement.begin, statement.end, source);
    if (statement.kind == expr::StatementKind::Expression) {
        if (const auto* tensor = value.as<expr::TensorValue>()) m_lastTensor = *tensor;
        const QString asWritten = code;
        if (naming == Naming::Auto) code = nameResult(value, code);
        const bool named = code != asWritten;
        if (!m_dryRun && !named && !value.isNone() && naming == Naming::Discard)
            m_output += QString::fromStdString(expr::repr(value)) + QLatin1Char('\n');
    }
    m_code << code;
    if (m_dryRun) return;
    if (!m_changed && m_writes.empty()) {
        // No step of its own: what it wrote into a storage of this line belongs to the step that made that.
        if (m_changes.empty()) return;
        m_changes.back().operations.append(std::exchange(m_operations, {}));
        return;
    }
    m_changes.push_back({std::make_shared<const WorkspaceState>(m_state), code, titleOf(statement, code, source),
                         std::exchange(m_writes, {}), std::exchange(m_operations, {})});
}

Index LineSession::rollBack() {
    // A line that was cancelled still brings back what it overwrote.
    const JobShield untilDone;
    Index lost = 0;
    const auto bringBack = [&lost](WriteLog& writes) {
        lost += writes.bytesNotKept();
        writes.undoKept();
    };
    bringBack(m_writes);
    for (auto it = m_changes.rbegin(); it != m_changes.rend(); ++it) bringBack(it->writes);
    m_changes.clear();
    return lost;
}

QString LineSession::output() const {
    QString text = m_output;
    if (text.endsWith(QLatin1Char('\n'))) text.chop(1);
    return text;
}

std::optional<LineSession::Change> LineSession::takeOneChange(const QString& title, const QStringList& alone) {
    std::vector<Change> changes = takeChanges();
    WorkspaceState stage = m_state;
    bool moved = false;
    for (const auto& entry : m_state.tensors) {
        const bool wanted = alone.contains(entry->name);
        if (entry->onStage == wanted) continue;
        stage.setOnStage(entry->id, wanted);
        moved = true;
    }
    if (changes.empty() && !moved) return std::nullopt;
    if (changes.empty()) changes.push_back({nullptr, QStringLiteral("# ") + title, {}, {}, {}});
    Change one = std::move(changes.front());
    for (auto next = changes.begin() + 1; next != changes.end(); ++next) {
        one.code += QLatin1Char('\n') + next->code;
        one.writes.append(std::move(next->writes), one.operations.size());
        one.operations.append(std::move(next->operations));
    }
    one.title = title;
    one.after = std::make_shared<const WorkspaceState>(std::move(stage));
    return one;
}

} // namespace stridescope
