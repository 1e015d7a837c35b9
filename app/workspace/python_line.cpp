#include "app/workspace/python_line.h"

#include "app/workspace/python_values.h"
#include "core/ops/copy.h"
#include "core/ops/provenance.h"
#include "core/trace/code.h"

#include <QRegularExpression>

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

namespace stridescope {

namespace {

/// All bytes of a storage.
Tensor wholeOf(const Tensor& tensor) {
    const auto bytes = static_cast<Index>(tensor.storage()->bytes());
    return {tensor.storage(), contiguousView(Dims{bytes}).value(), DType::UInt8};
}

bool sameTensor(const Tensor& a, const Tensor& b) {
    return a.storage()->id() == b.storage()->id() && a.view() == b.view() && a.dtype() == b.dtype();
}

/// Does `entry` show what it showed, of a storage that was resized or copied meanwhile?
bool sameOfMoved(const TensorEntry& entry, const KernelVariable& variable) {
    const auto& earlier = variable.earlier;
    return entry.tensor.view() == variable.view && entry.tensor.dtype() == variable.dtype &&
           std::find(earlier.begin(), earlier.end(), entry.tensor.storage()->id()) != earlier.end();
}

/// Where the tensors of a listing come from, as far as the records of the line tell.
class Descent {
public:
    Descent(const WorkspaceState& state, const KernelVariables& listing, const PackedRecords& records)
        : m_state(state), m_records(records) {
        for (const KernelVariable& variable : listing.names) {
            if (!variable.tensor) continue;
            m_numbers[variable.tensor->storage()->id()] = variable.storage;
            for (const quint64 handle : variable.earlier) m_numbers[handle] = variable.storage;
        }
    }

    struct Answer {
        expr::TensorValue value;
        QString code;
    };
    Answer of(const KernelVariable& variable) const {
        Answer answer{{*variable.tensor, expr::Lineage::Fresh, 0}, {}};
        TensorRecord wanted{variable.storage, variable.view, variable.dtype, {}};
        std::size_t end = m_records.size();
        bool itself = true; // changed in place, not seen by another view
        while (const auto made = makerOf(wanted, end)) {
            if (answer.code.isEmpty()) answer.code = QString::fromStdString(expressionOf(wanted, m_records.size(), 0));
            if (made->record.inputs.empty()) return answer;
            if (!movesElements(made->record)) return answer;
            wanted = made->record.inputs.front();
            itself = itself && made->record.name.ends_with('_');
            if (const TensorEntry* entry = entryOf(wanted)) {
                const bool same = m_numbers.at(entry->tensor.storage()->id()) == variable.storage;
                answer.value.lineage = same ? expr::Lineage::View : expr::Lineage::Copy;
                answer.value.source = entry->id;
                // It was resized with its storage: it came from where it came from.
                const bool resized = entry->tensor.storage()->id() != variable.tensor->storage()->id();
                if (same && resized && itself && entry->name == variable.name)
                    answer.value = asBefore(*entry, *variable.tensor);
                return answer;
            }
        }
        // Nobody told how, but it shares its storage with a tensor that is there.
        for (const auto& entry : m_state.tensors) {
            if (entry->tensor.storage()->id() != variable.tensor->storage()->id() || entry->name == variable.name)
                continue;
            answer.value.lineage = expr::Lineage::View;
            answer.value.source = entry->id;
            break;
        }
        return answer;
    }

private:
    static constexpr int kDeepest = 6;
    /// For a tensor that no record tells of, such as one of a function that has ended: no name, which might be
    /// another's.
    static constexpr const char* kUnknown = "…";

    static expr::TensorValue asBefore(const TensorEntry& entry, const Tensor& tensor) {
        const expr::Lineage lineage = entry.origin == Origin::Base   ? expr::Lineage::Fresh
                                      : entry.origin == Origin::Copy ? expr::Lineage::Copy
                                                                     : expr::Lineage::View;
        return {tensor, lineage, entry.parent};
    }

    static bool same(const TensorRecord& a, const TensorRecord& b) {
        return a.storageId == b.storageId && a.view == b.view && a.dtype == b.dtype;
    }
    /// The last record before `end` that made it; `end` becomes its place.
    std::optional<RingRecord> makerOf(const TensorRecord& wanted, std::size_t& end) const {
        if (!std::exchange(m_looked, true)) findMakers();
        if (const auto makers = m_makers.find(wanted.storageId); makers != m_makers.end()) {
            const std::vector<std::size_t>& places = makers->second;
            for (auto at = std::lower_bound(places.begin(), places.end(), end); at != places.begin();) {
                end = *--at;
                if (!m_records.gives(end, wanted)) continue;
                if (auto record = m_records.read(end)) return record;
            }
        }
        end = 0;
        return std::nullopt;
    }
    /// One look at all records: there may be thousands of them, and of names.
    void findMakers() const {
        std::vector<std::uint64_t> made;
        for (std::size_t i = 0; i < m_records.size(); ++i) {
            const auto effect = m_records.effect(i);
            if (effect != OpEffect::View && effect != OpEffect::Alloc) continue;
            made.clear();
            m_records.outputs(i, made);
            for (const std::uint64_t storage : made) {
                std::vector<std::size_t>& places = m_makers[storage];
                if (places.empty() || places.back() != i) places.push_back(i);
            }
        }
    }
    const TensorEntry* entryOf(const TensorRecord& record) const {
        for (const auto& entry : m_state.tensors) {
            const auto number = m_numbers.find(entry->tensor.storage()->id());
            if (number != m_numbers.end() && number->second == record.storageId &&
                entry->tensor.view() == record.view && entry->tensor.dtype() == record.dtype)
                return entry.get();
        }
        return nullptr;
    }
    std::string expressionOf(const TensorRecord& wanted, std::size_t end, int depth) const {
        const auto made = depth < kDeepest ? makerOf(wanted, end) : std::nullopt;
        if (!made) return kUnknown;
        std::vector<std::string> names;
        for (const TensorRecord& input : made->record.inputs) {
            const TensorEntry* entry = entryOf(input);
            const std::string part = entry ? entry->name.toStdString() : expressionOf(input, end, depth + 1);
            names.push_back(entry || part == kUnknown ? part : code::operand(part));
        }
        const std::string text = code::expression(made->record, names);
        const auto& outputs = made->record.outputs;
        if (outputs.size() == 1) return text;
        // unbind(), max(0) and the like give several.
        const auto which = std::find_if(outputs.begin(), outputs.end(),
                                        [&](const TensorRecord& output) { return same(output, wanted); });
        return text + "[" + std::to_string(which - outputs.begin()) + "]";
    }

    const WorkspaceState& m_state;
    const PackedRecords& m_records;
    mutable bool m_looked = false;
    mutable std::unordered_map<quint64, std::vector<std::size_t>> m_makers; ///< records that made views of a storage
    std::map<quint64, quint64> m_numbers; ///< the kernel's number of a storage, by the one here
};

/// What stands behind the last "name =" of the code; empty when there is none on a line of its own.
QString assignedTo(const QString& name, const QString& code) {
    static const QRegularExpression separators(QStringLiteral("[\\n;]"));
    QString found;
    for (const QString& line : code.split(separators)) {
        const qsizetype equals = line.indexOf(QLatin1Char('='));
        if (equals < 0 || line.mid(equals, 2) == QLatin1String("==") || line.left(equals).trimmed() != name) continue;
        // Inside a block it may be one of many that were made.
        found = line.at(0).isSpace() ? QString() : line.mid(equals + 1).section(QLatin1Char('#'), 0, 0).trimmed();
        // It goes on in the next line: a part of an expression says less than what it did.
        const auto count = [&found](const char* letters) {
            return std::count_if(found.begin(), found.end(),
                                 [letters](QChar c) { return QLatin1String(letters).contains(c); });
        };
        if (count("([{") != count(")]}")) found.clear();
    }
    return found;
}

/// Did the code give a name to several tensors that one operation made, r = x.max(1)? Python alone has that name, and
/// yet the operation can be looked at.
bool namesSeveral(const KernelVariables& after, const PackedRecords& records, const QString& code) {
    std::vector<std::uint64_t> outputs;
    bool several = false;
    for (std::size_t i = 0; i < records.size() && !several; ++i) {
        outputs.clear();
        records.outputs(i, outputs);
        several = outputs.size() > 1;
    }
    return several && std::any_of(after.names.begin(), after.names.end(), [&code](const KernelVariable& variable) {
               return !variable.isTensor && variable.literal.isEmpty() && !assignedTo(variable.name, code).isEmpty();
           });
}

/// The first line that does something, and a sign that more come behind it.
QString titleOf(const QString& code) {
    QStringList lines = code.split(QLatin1Char('\n'));
    lines.removeIf([](const QString& line) { return line.trimmed().isEmpty() || line.trimmed().startsWith(u'#'); });
    if (lines.isEmpty()) return code.section(QLatin1Char('\n'), 0, 0);
    return lines.size() > 1 ? lines.first().trimmed() + QStringLiteral(" …") : lines.first().trimmed();
}

} // namespace

PythonLine::PythonLine(std::shared_ptr<const WorkspaceState> before, TensorId nextId, const QString& code,
                       const std::set<QString>& shared)
    : m_before(std::move(before)), m_nextId(nextId), m_code(code), m_shared(shared) {
    const trace::Nested silent;
    std::map<quint64, Tensor> storages;
    for (const auto& entry : m_before->tensors) {
        if (entry->tensor.device().isCpu() && entry->tensor.storage()->isWritable())
            storages.emplace(entry->tensor.storage()->id(), wholeOf(entry->tensor));
    }
    Index bytes = 0;
    for (auto& [id, whole] : storages) {
        Kept kept{whole, {}, whole.storage()->version()};
        if (bytes + whole.numel() <= kKeptBytes) {
            bytes += whole.numel();
            kept.copy = clone(whole);
        }
        m_kept.push_back(std::move(kept));
    }
}

KernelBindings PythonLine::bindings() const {
    KernelBindings bindings;
    for (const auto& entry : m_before->tensors) bindings.push_back({entry->name, entry->tensor, {}});
    for (const auto& [name, value] : m_before->variables) {
        const QString literal = literalOf(value);
        if (!literal.isEmpty()) bindings.push_back({QString::fromStdString(name), {}, literal});
    }
    for (const QString& name : m_shared) {
        if (!m_before->hasName(name)) bindings.push_back({name, {}, {}});
    }
    return bindings;
}

bool PythonLine::takeValues(const KernelVariables& after, WorkspaceState& state, std::set<QString>& shared) const {
    bool changed = false;
    for (const KernelVariable& variable : after.names) {
        const auto value = variable.literal.isEmpty() ? std::nullopt : valueOfLiteral(variable.literal);
        if (!value) continue;
        shared.insert(variable.name);
        const auto old = state.variables.find(variable.name.toStdString());
        if (old != state.variables.end() && literalOf(old->second) == literalOf(*value)) continue;
        state.variables[variable.name.toStdString()] = *value;
        changed = true;
    }
    // A name that is gone there, or stands for something that only Python has, is none here.
    for (auto it = state.variables.begin(); it != state.variables.end();) {
        const bool lost =
            after.more == 0 && shared.count(QString::fromStdString(it->first)) == 0 && !literalOf(it->second).isEmpty();
        changed = changed || lost;
        it = lost ? state.variables.erase(it) : std::next(it);
    }
    return changed;
}

bool PythonLine::takeNames(const KernelVariables& after, const PackedRecords& records, WorkspaceState& state,
                           Outcome& outcome) {
    bool changed = false;
    for (const auto& entry : m_before->tensors) {
        const KernelVariable* variable = after.find(entry->name);
        if (variable && variable->tensor) continue;
        state.remove(entry->id);
        changed = true;
    }
    for (const KernelVariable& variable : after.names) {
        const TensorEntry* old = state.tensor(variable.name);
        if (!variable.tensor || !old || !sameOfMoved(*old, variable)) continue;
        state.moveTo(old->id, *variable.tensor);
        changed = true;
    }
    const Descent descent(state, after, records);
    for (const KernelVariable& variable : after.names) {
        if (!variable.tensor) continue;
        const TensorEntry* old = state.tensor(variable.name);
        if (old && sameTensor(old->tensor, *variable.tensor)) continue;
        Descent::Answer answer = descent.of(variable);
        const QString written = assignedTo(variable.name, m_code);
        if (!written.isEmpty()) answer.code = written;
        if (answer.code.isEmpty()) answer.code = variable.name;
        const TensorId id = state.bind(variable.name, answer.value, answer.code, m_nextId);
        if (id == m_nextId) ++m_nextId;
        outcome.made.push_back(id);
        changed = true;
    }
    const bool others = takeValues(after, state, outcome.shared);
    if (others) state.giveLetters();
    return others || changed;
}

PythonLine::Outcome PythonLine::finish(const KernelVariables* after, const PackedRecords& records) {
    Outcome outcome;
    WriteLog writes;
    for (const Kept& kept : m_kept) {
        const bool small = kept.copy.defined();
        // The bytes themselves are compared: NumPy writes without telling anybody.
        // Storages of no bytes have no address either.
        const auto bytes = static_cast<std::size_t>(kept.elements.numel());
        const bool written =
            small ? bytes > 0 && std::memcmp(kept.copy.storage()->data(), kept.elements.storage()->data(), bytes) != 0
                  : kept.version != kept.elements.storage()->version();
        if (!written) continue;
        outcome.written.insert(kept.elements.storage()->id());
        writes.add(kept.elements, kept.copy);
    }
    WorkspaceState state = *m_before;
    const bool changed = after && takeNames(*after, records, state, outcome);
    outcome.nextId = m_nextId;
    if (!changed && writes.empty() && !(after && namesSeveral(*after, records, m_code))) return outcome;
    const QString code = m_code.trimmed();
    outcome.change = LineSession::Change{std::make_shared<const WorkspaceState>(std::move(state)), code, titleOf(code),
                                         std::move(writes)};
    return outcome;
}

} // namespace stridescope
