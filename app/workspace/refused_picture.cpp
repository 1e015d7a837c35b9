#include "app/workspace/refused_picture.h"

#include "app/workspace/refused_operation.h"
#include "core/expr/parser.h"
#include "widgets/broadcast/snapshot_environment.h"

#include <QRegularExpression>

#include <algorithm>
#include <limits>

namespace stridescope {

namespace {

const TensorEntry* called(const WorkspaceSnapshot& snapshot, const QString& name) {
    const auto& all = snapshot.tensors;
    const auto found = std::find_if(all.begin(), all.end(), [&name](const TensorEntry& e) { return e.name == name; });
    return found == all.end() ? nullptr : &*found;
}

/// The tensor that an operand without a name was made from, as far as its storage tells.
const TensorEntry* originOf(const WorkspaceSnapshot& snapshot, const RefusedOperation::Operand& operand) {
    static const QRegularExpression kFirst(QStringLiteral("[A-Za-z_]\\w*"));
    const auto sharers = snapshot.tensorsOn(operand.tensor.storage()->id());
    const QString first = kFirst.match(operand.shown).captured();
    for (const TensorEntry* entry : sharers)
        if (entry->name == first) return entry;
    return sharers.empty() ? nullptr : sharers.front();
}

/// Python tells a refusal in words: what the line language says of the same operation has its numbers, too.
void addDetail(const WorkspaceSnapshot& snapshot, const QString& line, RunOutcome& outcome) {
    if (!std::holds_alternative<std::monostate>(outcome.refusal->detail)) return;
    const std::string source = line.toStdString();
    const auto program = expr::parseProgram(source);
    if (!program) return;
    SnapshotEnvironment environment(snapshot);
    expr::Evaluator evaluator(environment, {.dryRun = true});
    try {
        for (const expr::Statement& statement : program->statements) evaluator.execute(statement, source);
    } catch (const Error& error) {
        const Refusal& found = error.refusal();
        const std::string words = found.message.substr(0, found.message.find('\n'));
        if (found.id != outcome.refusal->id && !outcome.refusal->message.starts_with(words)) return;
        outcome.refusal = found;
        outcome.exception = QString::fromStdString(expr::exceptionName(found));
        outcome.wanted = evaluator.wanted();
    }
}

/// The picture's snapshot, from the workspace's and the operands.
class Builder {
public:
    Builder(const SnapshotPtr& now, const RefusedOperation& operation)
        : m_operation(operation), m_snapshot(std::make_shared<WorkspaceSnapshot>(*now)) {
        m_picture.line = operation.line;
        m_picture.isElsewhere = operation.isElsewhere;
        for (const TensorEntry& entry : now->tensors) m_nextId = std::max(m_nextId, entry.id + 1);
    }

    std::optional<RefusedPicture> build(const RunOutcome& outcome) {
        TensorId asked = 0;
        for (const RefusedOperation::Operand& operand : m_operation.operands) {
            const TensorEntry* entry = called(*m_snapshot, operand.name);
            if (entry && !isMeant(*entry, operand)) entry = nullptr;
            if (!entry && !hasElements(operand.tensor)) return std::nullopt;
            // What earlier statements of the line bound went with it.
            if (!entry && m_operation.statement > 0) m_picture.isElsewhere = true;
            const TensorId id = entry ? entry->id : add(operand);
            if (asked == 0) asked = id;
        }
        if (asked == 0) return std::nullopt;
        m_picture.snapshot = m_snapshot;
        auto shown = std::make_shared<WorkspaceSnapshot>(*m_snapshot);
        for (TensorEntry& entry : shown->tensors) entry.name = m_picture.asCode(entry.name);
        m_picture.shown = std::move(shown);
        m_picture.outcome = outcome;
        m_picture.outcome.source = asked;
        const TensorEntry* entry = m_snapshot->tensor(asked);
        m_picture.ofWorkspace = asked < m_firstAdded ? asked : entry->parent;
        addDetail(*m_snapshot, m_picture.line, m_picture.outcome);
        return std::move(m_picture);
    }

private:
    bool isMeant(const TensorEntry& entry, const RefusedOperation::Operand& operand) const {
        const Tensor &there = entry.tensor, &given = operand.tensor;
        if (!given.defined()) return false;
        const bool alike = there.view() == given.view() && there.dtype() == given.dtype();
        const bool isNamed = m_operation.isOfKernel && !m_operation.isElsewhere;
        return alike && (there.storage() == given.storage() || isNamed);
    }
    TensorId add(const RefusedOperation::Operand& operand) {
        TensorEntry made;
        made.id = m_nextId++;
        m_firstAdded = std::min(m_firstAdded, made.id);
        made.name = operand.name;
        // Another tensor of that name is the workspace's.
        for (std::size_t i = m_operation.operands.size() + 1; called(*m_snapshot, made.name); ++i)
            made.name = QStringLiteral("_%1").arg(static_cast<qulonglong>(i));
        m_picture.line = renamed(m_picture.line, operand.name, made.name);
        if (made.name != operand.shown) m_picture.names.emplace_back(made.name, operand.shown);
        made.code = operand.shown;
        made.tensor = operand.tensor;
        if (const TensorEntry* origin = originOf(*m_snapshot, operand); origin && origin->id < m_firstAdded) {
            made.parent = origin->id;
            made.origin = Origin::View;
        }
        const quint64 storage = made.tensor.storage()->id();
        if (!m_snapshot->storage(storage)) {
            int number = 1;
            for (const StorageEntry& other : m_snapshot->storages) number = std::max(number, other.number + 1);
            m_snapshot->storages.push_back({storage, number, made.tensor.dtype(), {}});
        }
        m_snapshot->tensors.push_back(made);
        return made.id;
    }

    const RefusedOperation& m_operation;
    std::shared_ptr<WorkspaceSnapshot> m_snapshot;
    RefusedPicture m_picture;
    TensorId m_nextId = 1, m_firstAdded = std::numeric_limits<TensorId>::max();
};

} // namespace

QString RefusedPicture::asCode(QString text) const {
    for (const auto& [name, shown] : names) text = renamed(text, name, shown);
    return text;
}

std::optional<RefusedPicture> refusedPicture(const SnapshotPtr& now, const QString& line, const RunOutcome& outcome) {
    if (!outcome.refusal) return std::nullopt;
    // Another tensor of the line would be a wrong picture of it.
    if (outcome.operation && !outcome.operation->operands.empty())
        return Builder(now, *outcome.operation).build(outcome);
    if (!now->tensor(outcome.source)) return std::nullopt;
    return RefusedPicture{now, now, line.trimmed(), outcome, {}, outcome.source, false};
}

bool hasPicture(const RefusedPicture& picture) {
    return hasPicture(*picture.snapshot, picture.line, picture.outcome);
}

RefusalFigureInput refusalInput(const RefusedPicture& picture, qreal width, qreal height) {
    RefusalFigureInput input = refusalInput(*picture.snapshot, picture.line, picture.outcome, width, height);
    input.entry = picture.shown->tensor(picture.outcome.source);
    input.parent = picture.shown->tensor(input.entry->parent);
    const auto isStandIn = [&picture](const QString& name) {
        return std::any_of(picture.names.begin(), picture.names.end(),
                           [&name](const auto& each) { return each.first == name; });
    };
    // Who shares a storage are those that have a name, if there are any.
    if (std::any_of(input.sharers.begin(), input.sharers.end(), [&](const QString& name) { return !isStandIn(name); }))
        input.sharers.removeIf(isStandIn);
    for (QString& name : input.sharers) name = picture.asCode(name);
    input.code = picture.asCode(input.code);
    for (RefusedOperand& operand : input.operands) operand.name = picture.asCode(operand.name);
    for (RefusalWay& way : input.ways) way = {picture.asCode(way.code), picture.asCode(way.why)};
    input.still = picture.isElsewhere;
    return input;
}

} // namespace stridescope
