// What a refused operation was given, for RefusedCall.

#include "core/expr/context.h"

namespace stridescope::expr {

namespace {

bool isLiteral(const Node& node) {
    switch (node.kind) {
    case NodeKind::Integer:
    case NodeKind::Float:
    case NodeKind::Bool:
    case NodeKind::None:
    case NodeKind::Text:
    case NodeKind::Ellipsis:
    case NodeKind::Missing:
        return true;
    case NodeKind::Unary:
        return isLiteral(node.children[0]);
    default:
        return false;
    }
}

void collect(std::vector<RefusedCall::Operand>& operands, const Node& node, const Value& value) {
    const auto* sequence = value.as<Sequence>();
    const bool isList = node.kind == NodeKind::Tuple || node.kind == NodeKind::List;
    if (sequence && isList && sequence->items.size() == node.children.size()) {
        for (std::size_t i = 0; i < node.children.size(); ++i) collect(operands, node.children[i], sequence->items[i]);
        return;
    }
    if (const auto* slice = value.as<SliceValue>(); slice && node.kind == NodeKind::Slice) {
        const std::optional<Index> bounds[] = {slice->start, slice->end, slice->step};
        for (std::size_t i = 0; i < 3; ++i)
            if (bounds[i]) collect(operands, node.children[i], Value(*bounds[i]));
        return;
    }
    if (isLiteral(node)) return;
    operands.push_back({node.begin, node.end, node.kind == NodeKind::Name,
                        node.kind == NodeKind::Unary || node.kind == NodeKind::Binary, value});
}

} // namespace

std::vector<RefusedCall::Operand> operandsOf(const std::vector<Given>& given) {
    std::vector<RefusedCall::Operand> operands;
    for (const auto& [node, value] : given) collect(operands, *node, value);
    return operands;
}

std::vector<Given> givenItems(const Node& subscript, const Value& object, const std::vector<Value>& items) {
    std::vector<Given> given{{&subscript.children[0], object}};
    for (std::size_t i = 0; i < items.size() && items.size() + 1 == subscript.children.size(); ++i)
        given.emplace_back(&subscript.children[i + 1], items[i]);
    return given;
}

} // namespace stridescope::expr
