#include "app/workspace/refusal_ways.h"

#include "app/workspace/refused_line.h"
#include "app/workspace/view_ways.h"
#include "core/view/broadcast_fixes.h"
#include "widgets/card/draw.h"

#include <algorithm>

namespace stridescope {

namespace {

using expr::Node;
using expr::NodeKind;
using refused::asReceiver;
using refused::isList;
using refused::joined;
using refused::RefusedLine;

QString fixCode(const QString& operand, const BroadcastFix& fix) {
    switch (fix.kind) {
    case BroadcastFixKind::Unsqueeze:
        return QStringLiteral("%1.unsqueeze(%2)").arg(operand).arg(fix.arguments[0]);
    case BroadcastFixKind::Transpose:
        return operand + QStringLiteral(".t()");
    case BroadcastFixKind::Narrow:
        return QStringLiteral("%1.narrow(%2, 0, %3)").arg(operand).arg(fix.arguments[0]).arg(fix.arguments[1]);
    case BroadcastFixKind::View:
        break;
    }
    return QStringLiteral("%1.%2(%3)")
        .arg(operand, fix.copies ? QStringLiteral("reshape") : QStringLiteral("view"), joined(fix.arguments));
}

QString fixWhy(const BroadcastFix& fix, std::size_t dims) {
    const QString sizes = QStringLiteral("%1 → result %2").arg(tupleText(fix.shape), tupleText(fix.result));
    if (fix.kind == BroadcastFixKind::Narrow) return sizes + QStringLiteral("; the rest is left out");
    if (fix.copies) return sizes + QStringLiteral("; a copy");
    return fix.result.size() > dims ? sizes + QStringLiteral("; larger than either") : sizes;
}

/// Where the two operands stand in a line. Null where it is not sure which they are.
struct OperandNodes {
    const Node* first = nullptr;
    const Node* second = nullptr;
};

OperandNodes operandNodes(const RefusedLine& line) {
    if (!line.value()) return {};
    const Node& value = *line.value();
    if (line.stores()) return {&line.statement().targets.front(), &value};
    if (value.kind == NodeKind::Binary) return {&value.children[0], &value.children[1]};
    if (value.kind != NodeKind::Call || value.children.empty()) return {};
    // The sizes that expand() is given are no operand.
    const auto operand = [&value](std::size_t i) {
        const bool is = i < value.children.size() && value.children[i].kind != NodeKind::Integer &&
                        value.children[i].kind != NodeKind::Unary && !isList(value.children[i]);
        return is ? &value.children[i] : nullptr;
    };
    const Node& callee = value.children.front();
    const bool ofTorch = callee.kind == NodeKind::Attribute && callee.children.front().kind == NodeKind::Name &&
                         callee.children.front().text == "torch";
    if (ofTorch) return value.children.size() > 2 ? OperandNodes{operand(1), operand(2)} : OperandNodes{};
    if (callee.kind != NodeKind::Attribute) return {};
    return {&callee.children.front(), operand(1)};
}

const TensorEntry* named(const WorkspaceSnapshot& snapshot, const Node* node) {
    if (!node || node->kind != NodeKind::Name) return nullptr;
    const QString name = QString::fromStdString(node->text);
    for (const TensorEntry& entry : snapshot.tensors)
        if (entry.name == name) return &entry;
    return nullptr;
}

/// "[:2, :3]"; empty where all of each dim is meant.
QString sliceText(const Dims& shape, const Dims& kept) {
    QStringList parts;
    qsizetype used = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const bool cut = kept[d] != shape[d];
        parts << (cut ? QStringLiteral(":%1").arg(kept[d]) : QStringLiteral(":"));
        if (cut) used = parts.size();
    }
    return used == 0 ? QString() : QStringLiteral("[%1]").arg(parts.mid(0, used).join(QStringLiteral(", ")));
}

/// Of a write whose sizes differ in several dims: as much of the target as the value has, and of the value as there is
/// room for.
std::optional<RefusalWay> partWritten(const RefusedLine& line, const OperandNodes& nodes, const Dims& target,
                                      const Dims& value) {
    if (!nodes.first || !nodes.second || value.size() > target.size()) return std::nullopt;
    Dims into = target, from = value;
    for (std::size_t d = 0; d < value.size(); ++d) {
        const std::size_t at = target.size() - value.size() + d;
        if (value[d] == 1) continue;
        into[at] = from[d] = std::min(value[d], target[at]);
    }
    const QString texts[2] = {asReceiver(*nodes.first, line.text(*nodes.first)) + sliceText(target, into),
                              asReceiver(*nodes.second, line.text(*nodes.second)) + sliceText(value, from)};
    return RefusalWay{line.replaced({{nodes.first, texts[0]}, {nodes.second, texts[1]}}),
                      QStringLiteral("%1 into %2; the rest is left out").arg(tupleText(from), tupleText(into))};
}

bool hasShape(const TensorEntry* entry, const std::vector<Index>& shape) {
    return entry && std::equal(shape.begin(), shape.end(), entry->tensor.shape().begin(), entry->tensor.shape().end());
}

} // namespace

std::vector<RefusedOperand> refusedOperands(const WorkspaceSnapshot& snapshot, const QString& line,
                                            const BroadcastConflict& conflict) {
    const RefusedLine refused(line);
    const OperandNodes nodes = operandNodes(refused);
    std::vector<RefusedOperand> operands;
    for (const auto& [node, shape] :
         {std::pair(nodes.first, &conflict.first), std::pair(nodes.second, &conflict.second)}) {
        RefusedOperand operand;
        operand.shape = Dims(std::span<const Index>(*shape));
        const TensorEntry* entry = named(snapshot, node);
        if (hasShape(entry, *shape))
            operand.name = entry->name;
        else if (node && !entry)
            operand.name = refused.text(*node);
        else if (!node && node == nodes.second)
            operand.name = refused.call(); // the sizes are its arguments
        operands.push_back(std::move(operand));
    }
    return operands;
}

std::vector<RefusalWay> waysOut(const WorkspaceSnapshot& snapshot, const TensorEntry& asked, const QString& line,
                                const Refusal& refusal) {
    const auto* conflict = std::get_if<BroadcastConflict>(&refusal.detail);
    if (!conflict) return viewWays(asked, line, refusal);
    const RefusedLine refused(line);
    const OperandNodes nodes = operandNodes(refused);
    const TensorEntry* first = named(snapshot, nodes.first);
    const TensorEntry* second = named(snapshot, nodes.second);
    const bool expands = refusal.id == "VIEW-20";
    // An operand without a name may have any strides: it is taken to be packed, and what would need more is left out.
    const auto viewOf = [](const TensorEntry* entry, const std::vector<Index>& shape) -> Result<View> {
        if (hasShape(entry, shape)) return entry->tensor.view();
        return contiguousView(shape);
    };
    const Result<View> known[2] = {viewOf(first, conflict->first), viewOf(second, conflict->second)};
    if (!known[0] || !known[1]) return {}; // a wanted size below 0
    const View views[2] = {*known[0], *known[1]};
    std::vector<RefusalWay> ways;
    for (const BroadcastFix& fix : broadcastFixes(views[0], views[1], 24)) {
        const Node* node = fix.operand == 0 ? nodes.first : nodes.second;
        const TensorEntry* entry = fix.operand == 0 ? first : second;
        if (!node || ways.size() == kMostWays) continue;
        if (!entry && fix.kind == BroadcastFixKind::View) continue;
        // What is expanded, or written to in place, gets the wanted sizes and no others.
        if (expands && (fix.operand != 0 || !(fix.result == views[1].shape))) continue;
        const bool part = fix.operand == 0 && fix.kind == BroadcastFixKind::Narrow && !refused.stores() &&
                          fix.result == fix.shape; // what is written to is a part of the target
        if (refused.writes() && !part && (fix.operand != 1 || !(fix.result == views[0].shape))) continue;
        ways.push_back({refused.replaced(*node, fixCode(asReceiver(*node, refused.text(*node)), fix)),
                        fixWhy(fix, std::max(views[0].shape.size(), views[1].shape.size()))});
    }
    if (ways.empty() && refused.writes() && !expands)
        if (auto part = partWritten(refused, nodes, views[0].shape, views[1].shape)) ways.push_back(*std::move(part));
    return ways;
}

} // namespace stridescope
