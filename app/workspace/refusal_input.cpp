#include "app/workspace/refusal_input.h"

#include "app/workspace/refusal_ways.h"

#include "core/expr/parser.h"

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

QString assignedName(const QString& line) {
    const auto program = expr::parseProgram(line.toStdString());
    if (!program || program->statements.empty()) return {};
    const expr::Statement& last = program->statements.back();
    const bool one = last.kind == expr::StatementKind::Assign && !last.unpack && last.targets.size() == 1;
    return one && last.targets.front().kind == expr::NodeKind::Name ? QString::fromStdString(last.targets.front().text)
                                                                    : QString();
}

QString unnamedReceiver(const QString& line) {
    const std::string source = line.toStdString();
    const auto program = expr::parseProgram(source);
    if (!program || program->statements.empty()) return {};
    const expr::Node& call = program->statements.back().value;
    if (call.kind != expr::NodeKind::Call || call.children.empty()) return {};
    const expr::Node& method = call.children.front();
    if (method.kind != expr::NodeKind::Attribute || method.children.empty()) return {};
    const expr::Node& receiver = method.children.front();
    if (receiver.kind == expr::NodeKind::Name) return {};
    return QString::fromStdString(source.substr(static_cast<std::size_t>(receiver.begin),
                                                static_cast<std::size_t>(receiver.end - receiver.begin)));
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
    input.ways = waysOut(snapshot, *input.entry, line, *outcome.refusal);
    input.assigned = assignedName(line);
    input.width = width;
    input.height = height;
    return input;
}

} // namespace stridescope
