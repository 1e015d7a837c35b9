#include "app/workspace/refusal_input.h"

#include "app/workspace/refusal_ways.h"
#include "app/workspace/refused_group.h"
#include "core/expr/evaluator.h"
#include "core/expr/parser.h"

#include <QRegularExpression>

#include <algorithm>

namespace stridescope {

namespace {

/// The numbers in the last call of a line: {2, 6} for "y.t().view(2, 6)" and for "y.view((2, 6))".
Dims shapeArgument(const QString& code) {
    const auto program = expr::parseProgram(code.toStdString());
    if (!program || program->statements.empty()) return {};
    const expr::Node& call = program->statements.back().value;
    if (call.kind != expr::NodeKind::Call || call.children.size() < 2) return {};
    const auto first = call.children.begin() + 1;
    const bool list = first->kind == expr::NodeKind::Tuple || first->kind == expr::NodeKind::List;
    Dims shape;
    const auto add = [&shape](const expr::Node& node) {
        if (node.kind == expr::NodeKind::Integer) shape.push_back(node.integer);
    };
    if (list)
        std::for_each(first->children.begin(), first->children.end(), add);
    else
        std::for_each(first, call.children.end(), add);
    return shape;
}

} // namespace

bool isDrawnAtOnce(const Refusal& refusal) {
    if (refusal.id.starts_with("VIEW-"))
        return true; // of views: where the words say all, the tensor stands beside them
    if (refusedSizes(refusal) != RefusedSizes::None) return true;
    return std::visit(
        [](const auto& detail) {
            using Detail = std::decay_t<decltype(detail)>;
            return std::is_same_v<Detail, ViewMergeFailure> || std::is_same_v<Detail, NumelMismatch> ||
                   std::is_same_v<Detail, StorageOutOfBounds> || std::is_same_v<Detail, IndexOutOfRange> ||
                   std::is_same_v<Detail, DimOutOfRange> || std::is_same_v<Detail, BroadcastConflict> ||
                   std::is_same_v<Detail, SelfOverlap>;
        },
        refusal.detail);
}

QString assignedName(const QString& line) {
    const auto program = expr::parseProgram(line.toStdString());
    if (!program || program->statements.empty()) return {};
    const expr::Statement& last = program->statements.back();
    const bool one = last.kind == expr::StatementKind::Assign && !last.unpack && last.targets.size() == 1;
    return one && last.targets.front().kind == expr::NodeKind::Name ? QString::fromStdString(last.targets.front().text)
                                                                    : QString();
}

bool hasPicture(const WorkspaceSnapshot& snapshot, const QString& line, const RunOutcome& outcome) {
    const TensorEntry* asked = snapshot.tensor(outcome.source);
    if (!asked || !outcome.refusal) return false;
    return isDrawnAtOnce(*outcome.refusal) || !waysOut(snapshot, *asked, line, *outcome.refusal).empty();
}

RunOutcome refusedAgain(const Workspace& workspace, const QString& line, const Refusal& refusal) {
    // Python says the message in one line, and some refusals under another id.
    const auto firstLine = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    RunOutcome again = workspace.tryOut(line);
    if (again.refusal &&
        (again.refusal->id == refusal.id || refusal.message.starts_with(firstLine(again.refusal->message))))
        return again;
    const bool carriedOut = again.ok;
    again = {};
    again.code = line.trimmed();
    // Sizes that only carrying it out compares; a try takes them to fit.
    if (!carriedOut || refusedSizes(refusal) == RefusedSizes::None) return again;
    const SnapshotPtr snapshot = workspace.model()->snapshot();
    static const QRegularExpression kName(QStringLiteral("[A-Za-z_]\\w*"));
    for (auto match = kName.globalMatch(line); match.hasNext() && again.source == 0;) {
        const QString name = match.next().captured();
        for (const TensorEntry& entry : snapshot->tensors)
            if (entry.name == name) again.source = entry.id;
    }
    again.refusal = refusal;
    again.exception = QString::fromStdString(expr::exceptionName(refusal));
    return again;
}

RefusalFigureInput refusalInput(const WorkspaceSnapshot& snapshot, const QString& line, const RunOutcome& outcome,
                                qreal width, qreal height) {
    RefusalFigureInput input;
    input.entry = snapshot.tensor(outcome.source);
    input.parent = snapshot.tensor(input.entry->parent);
    input.storageNumber = snapshot.storage(input.entry->tensor.storage()->id())->number;
    for (const TensorEntry* sharer : snapshot.tensorsOn(input.entry->tensor.storage()->id()))
        input.sharers << sharer->name;
    input.nextStorageNumber = 1;
    for (const StorageEntry& storage : snapshot.storages)
        input.nextStorageNumber = std::max(input.nextStorageNumber, storage.number + 1);
    input.code = line;
    input.refusal = *outcome.refusal;
    if (outcome.wanted) input.attempted = outcome.wanted->view;
    input.wanted = shapeArgument(line);
    if (const auto* conflict = std::get_if<BroadcastConflict>(&outcome.refusal->detail))
        input.operands = refusedOperands(snapshot, line, *conflict);
    RefusedGroup group = refusedGroup(snapshot, line, *outcome.refusal);
    if (!group.operands.empty()) {
        input.operands = std::move(group.operands);
        input.joinedDim = group.dim;
    }
    input.ways = !group.ways.empty() ? std::move(group.ways) : waysOut(snapshot, *input.entry, line, *outcome.refusal);
    input.assigned = assignedName(line);
    input.width = width;
    input.height = height;
    return input;
}

} // namespace stridescope
