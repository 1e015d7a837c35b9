#include "core/expr/evaluator.h"

#include "core/expr/context.h"
#include "core/expr/parser.h"
#include "core/view/checked.h"

namespace stridescope::expr {

struct Evaluator::Impl {
    Context context;
    std::optional<RefusedCall> refused;

    Value evaluate(const Node& node);
    Value evaluateNode(const Node& node);
    std::vector<Value> evaluateAll(const std::vector<Node>& nodes, std::size_t from);
    Value callNode(const Node& node);
    Value attributeNode(const Node& node);
    Value subscriptNode(const Node& node);
    Value nameNode(const Node& node);
    SliceValue sliceNode(const Node& node);
    std::vector<Value> indexItems(const Node& subscript);
    const TensorValue& tensorTarget(const Value& object, const Node& node);
    void assign(const Statement& statement, std::string_view source);
    void augmentStatement(const Statement& statement, std::string_view source);
    void remove(const Statement& statement);

    /// `f()`. Where it is refused, the source from `begin` to `end` is kept, and what it was `given`.
    template <class F>
    auto operation(Index begin, Index end, const std::vector<Given>& given, F f) {
        try {
            return f();
        } catch (const Error&) {
            refused = RefusedCall{begin, end, operandsOf(given)};
            throw;
        }
    }
    template <class F>
    Value operation(const Node& node, const std::vector<Given>& given, F f) {
        return operation(node.begin, node.end, given, f);
    }
};

Evaluator::Evaluator(Environment& environment, EvalOptions options)
    : m_impl(std::make_unique<Impl>(Impl{Context{environment, options, {}, {}}, {}})) {}

Evaluator::~Evaluator() = default;

std::string Evaluator::takeOutput() {
    return std::exchange(m_impl->context.output, {});
}

double Evaluator::elementsMoved() const {
    return m_impl->context.elements;
}

const std::optional<WantedView>& Evaluator::wanted() const {
    return m_impl->context.wanted;
}

const std::optional<RefusedCall>& Evaluator::refusedCall() const {
    return m_impl->refused;
}

Value Evaluator::execute(const Statement& statement, std::string_view source) {
    m_impl->refused.reset();
    switch (statement.kind) {
    case StatementKind::Expression:
        return m_impl->evaluate(statement.value);
    case StatementKind::Assign:
        m_impl->assign(statement, source);
        break;
    case StatementKind::Augment:
        m_impl->augmentStatement(statement, source);
        break;
    case StatementKind::Delete:
        m_impl->remove(statement);
        break;
    case StatementKind::Import:
        break;
    }
    return {};
}

namespace {

/// Items of a sequence and of the sequences in it, or more than `most`. @throws MemoryError EXPR-26 when they lie
/// deeper than an expression can be written.
Index countItems(const Sequence& sequence, Index most, int depth = 1) {
    static const int kDeepest = ParseLimits{}.depth;
    if (depth > kDeepest)
        refuse(ErrorKind::Memory, "EXPR-26", "lists nested more than " + std::to_string(kDeepest) + " deep");
    auto count = static_cast<Index>(sequence.items.size());
    for (const Value& item : sequence.items) {
        if (count > most) break;
        if (const auto* inner = item.as<Sequence>()) count += countItems(*inner, most - count, depth + 1);
    }
    return count;
}

/// Lists are copied when they are used: a = (a, a) doubles them, and a few such lines would fill any memory.
void checkExtent(const Context& context, const Sequence& sequence) {
    const Index most = context.options.maxListItems;
    if (countItems(sequence, most) > most)
        refuse(ErrorKind::Memory, "EXPR-26", "a list of more than " + std::to_string(most) + " items in all",
               "Take a part of it first.", BytesExceeded{most + 1, most});
}

/// torch.Size.numel(), whose numbers anyone may have written.
Value sizeNumel(const Sequence& sizes) {
    Index count = 1;
    for (const Value& item : sizes.items) {
        if (!mulFits(count, *asIndex(item), count))
            refuse(ErrorKind::Value, "EXPR-23", "numel(): the product of the sizes does not fit 64 bits");
    }
    return count;
}

/// `f()`, whose refusals get the place in the line unless they tell something else in figures.
template <class F>
Value atNode(const Node& node, F f) {
    try {
        return f();
    } catch (const Error& error) {
        Refusal refusal = error.refusal();
        if (!std::holds_alternative<std::monostate>(refusal.detail)) throw;
        refusal.detail = InputPosition{node.begin};
        throwRefusal(std::move(refusal));
    }
}

} // namespace

std::vector<Value> Evaluator::Impl::evaluateAll(const std::vector<Node>& nodes, std::size_t from) {
    std::vector<Value> values;
    values.reserve(nodes.size() - from);
    for (std::size_t i = from; i < nodes.size(); ++i) values.push_back(evaluate(nodes[i]));
    return values;
}

Value Evaluator::Impl::evaluate(const Node& node) {
    Value value = evaluateNode(node);
    if (const auto* sequence = value.as<Sequence>()) checkExtent(context, *sequence);
    return value;
}

Value Evaluator::Impl::evaluateNode(const Node& node) {
    switch (node.kind) {
    case NodeKind::Name:
        return nameNode(node);
    case NodeKind::Integer:
        return node.integer;
    case NodeKind::Float:
        return node.number;
    case NodeKind::Bool:
        return node.integer != 0;
    case NodeKind::None:
    case NodeKind::Missing:
        return {};
    case NodeKind::Text:
        return node.text;
    case NodeKind::Ellipsis:
        return EllipsisValue{};
    case NodeKind::Tuple:
        return Sequence{Sequence::Kind::Tuple, evaluateAll(node.children, 0)};
    case NodeKind::List:
        return Sequence{Sequence::Kind::List, evaluateAll(node.children, 0)};
    case NodeKind::Slice:
        return sliceNode(node);
    case NodeKind::Attribute:
        return attributeNode(node);
    case NodeKind::Call:
        return callNode(node);
    case NodeKind::Subscript:
        return subscriptNode(node);
    case NodeKind::Unary: {
        const Value operand = evaluate(node.children[0]);
        return operation(node, {{&node.children[0], operand}},
                         [&] { return atNode(node, [&] { return unary(context, node.text, operand); }); });
    }
    case NodeKind::Binary: {
        const Value left = evaluate(node.children[0]), right = evaluate(node.children[1]);
        return operation(node, {{&node.children[0], left}, {&node.children[1], right}},
                         [&] { return atNode(node, [&] { return binary(context, node.text, left, right); }); });
    }
    }
    return {};
}

Value Evaluator::Impl::nameNode(const Node& node) {
    if (node.text == "torch") return Value::Module{"torch"};
    if (auto value = context.environment.lookup(node.text)) return *std::move(value);
    if (node.text == "numpy" || node.text == "np") return Value::Module{"numpy"};
    if (node.text == "PIL" || node.text == "torchvision" || node.text == "safetensors") return Value::Module{node.text};
    const std::string shown = node.text.substr(0, 60);
    if (isBuiltin(node.text))
        refuse(ErrorKind::Type, "EXPR-25", "'" + shown + "' is a function", "Call it: " + shown + "(...).");
    refuse(ErrorKind::Value, "EXPR-20", "name '" + shown + "' is not defined",
           hasTorchFunction(node.text) ? "Write torch." + shown + "(...)."
                                       : "Check the spelling, or give it a value first: " + shown + " = ...",
           InputPosition{node.begin});
}

SliceValue Evaluator::Impl::sliceNode(const Node& node) {
    std::optional<Index> bounds[3];
    for (std::size_t i = 0; i < 3; ++i) {
        const Value bound = evaluate(node.children[i]);
        if (bound.isNone()) continue;
        bounds[i] = asIndex(bound);
        if (!bounds[i])
            refuse(ErrorKind::Type, "EXPR-24", "slice indices must be integers or None, not " + typeName(bound));
    }
    return {bounds[0], bounds[1], bounds[2]};
}

Value Evaluator::Impl::attributeNode(const Node& node) {
    const Value object = evaluate(node.children[0]);
    if (const auto* module = object.as<Value::Module>()) return moduleAttribute(module->name, node.text);
    if (const auto* tensor = object.as<TensorValue>()) return tensorAttribute(context, *tensor, node.text);
    if (const auto* archive = object.as<Archive>()) return archivePart(*archive, node.text);
    refuse(ErrorKind::Type, "EXPR-21",
           "'" + typeName(object) + "' object has no attribute '" + node.text.substr(0, 60) + "'",
           "Only tensors, torch and the modules for files have attributes here.");
}

Value Evaluator::Impl::callNode(const Node& node) {
    const Node& callee = node.children[0];
    Arguments arguments;
    std::vector<Given> given;
    const auto readArguments = [&] {
        for (std::size_t i = 1; i < node.children.size(); ++i) {
            Value value = evaluate(node.children[i]);
            given.emplace_back(&node.children[i], value);
            const std::string& keyword = node.keywords[i - 1];
            if (keyword.empty())
                arguments.positional.push_back(std::move(value));
            else
                arguments.named.emplace_back(keyword, std::move(value));
        }
    };
    if (callee.kind == NodeKind::Attribute) {
        const Value object = evaluate(callee.children[0]);
        const std::string& name = callee.text;
        const auto* module = object.as<Value::Module>();
        if (module && module->name == "torch" && hasTorchFunction(name)) {
            readArguments();
            return operation(node, given,
                             [&] { return atNode(node, [&] { return callTorchFunction(context, name, arguments); }); });
        }
        if (module && module->name != "torch" && hasAlgebra(module->name, name)) {
            readArguments();
            return operation(node, given, [&] {
                return atNode(node, [&] { return callAlgebra(context, module->name, name, arguments); });
            });
        }
        if (module && hasFileFunction(module->name, name)) {
            readArguments();
            return callFileFunction(context, module->name, name, arguments);
        }
        const auto* tensor = object.as<TensorValue>();
        if (tensor && name == "convert" && opensPicture(callee.children[0])) {
            readArguments();
            return atNode(node, [&] { return convertPicture(*tensor, arguments); });
        }
        if (tensor && hasTensorMethod(name)) {
            given.emplace_back(&callee.children[0], object);
            readArguments();
            return operation(node, given, [&] {
                return atNode(node, [&] { return callTensorMethod(context, *tensor, name, arguments); });
            });
        }
        const auto* sequence = object.as<Sequence>();
        if (sequence && sequence->kind == Sequence::Kind::Size && name == "numel" && node.children.size() == 1) {
            return sizeNumel(*sequence);
        }
        // Not a function: an attribute of that name cannot be called, a missing one is refused as such.
        const Value attribute = module   ? moduleAttribute(module->name, name)
                                : tensor ? tensorAttribute(context, *tensor, name)
                                         : attributeNode(callee);
        refuse(ErrorKind::Type, "EXPR-25", "'" + typeName(attribute) + "' object is not callable",
               "Write ." + name.substr(0, 40) + " without brackets.");
    }
    if (callee.kind == NodeKind::Name && !context.environment.lookup(callee.text) && isBuiltin(callee.text)) {
        readArguments();
        return *callBuiltin(context, callee.text, arguments);
    }
    const Value value = evaluate(callee);
    refuse(ErrorKind::Type, "EXPR-25", "'" + typeName(value) + "' object is not callable");
}

std::vector<Value> Evaluator::Impl::indexItems(const Node& subscript) {
    std::vector<Value> items = evaluateAll(subscript.children, 1);
    // x[(1, 2)] is x[1, 2].
    if (items.size() == 1) {
        if (auto* tuple = items[0].as<Sequence>(); tuple && tuple->kind == Sequence::Kind::Tuple)
            return std::vector<Value>(std::move(tuple->items));
    }
    return items;
}

Value Evaluator::Impl::subscriptNode(const Node& node) {
    const Value object = evaluate(node.children[0]);
    const std::vector<Value> items = indexItems(node);
    if (const auto* tensor = object.as<TensorValue>())
        return operation(node, givenItems(node, object, items), [&] { return elementsAt(context, *tensor, items); });
    if (const auto* archive = object.as<Archive>()) return archiveItem(*archive, items);
    const auto* sequence = object.as<Sequence>();
    if (!sequence) refuse(ErrorKind::Type, "EXPR-24", "'" + typeName(object) + "' object is not subscriptable");
    const auto index = items.size() == 1 ? asIndex(items[0]) : std::nullopt;
    if (!index)
        refuse(ErrorKind::Type, "EXPR-24", typeName(object) + " indices must be integers here", "Take one item: x[0].");
    const auto size = static_cast<Index>(sequence->items.size());
    if (*index < -size || *index >= size)
        refuse(ErrorKind::Index, "EXPR-24", typeName(object) + " index out of range",
               "It has " + std::to_string(size) + " items.", IndexOutOfRange{0, *index, size});
    return sequence->items[static_cast<std::size_t>(*index < 0 ? *index + size : *index)];
}

const TensorValue& Evaluator::Impl::tensorTarget(const Value& object, const Node& node) {
    const auto* tensor = object.as<TensorValue>();
    if (!tensor)
        refuse(ErrorKind::Type, "EXPR-23", "'" + typeName(object) + "' object does not support item assignment", "",
               InputPosition{node.begin});
    return *tensor;
}

namespace {

std::string sourceOf(const Node& node, std::string_view source) {
    return std::string(
        source.substr(static_cast<std::size_t>(node.begin), static_cast<std::size_t>(node.end - node.begin)));
}

} // namespace

void Evaluator::Impl::assign(const Statement& statement, std::string_view source) {
    Value value = evaluate(statement.value);
    const std::string code = sourceOf(statement.value, source);
    if (!statement.unpack) {
        const Node& target = statement.targets[0];
        if (target.kind == NodeKind::Name) {
            if (value.is<Value::Module>() || value.is<EllipsisValue>() || value.is<Archive>())
                refuse(ErrorKind::Type, "EXPR-23", "a " + typeName(value) + " is not given a name here");
            context.environment.assign(target.text, std::move(value), code);
            return;
        }
        const Value object = evaluate(target.children[0]);
        const TensorValue& into = tensorTarget(object, target);
        const std::vector<Value> items = indexItems(target);
        std::vector<Given> given = givenItems(target, object, items);
        given.emplace_back(&statement.value, value);
        operation(statement.begin, statement.end, given, [&] { assignElements(context, into, items, value); });
        return;
    }
    Sequence pieces;
    if (const auto* sequence = value.as<Sequence>()) {
        pieces = *sequence;
    } else if (const auto* tensor = value.as<TensorValue>(); tensor && tensor->tensor.dim() > 0) {
        const ViewOp& unbind = *findViewOp("unbind");
        pieces = *applyTableOp(context, unbind, *tensor, OpArgs{}).as<Sequence>();
    } else {
        refuse(ErrorKind::Type, "EXPR-28", "cannot unpack non-iterable " + typeName(value) + " object");
    }
    const std::size_t wanted = statement.targets.size(), found = pieces.items.size();
    if (wanted != found)
        refuse(ErrorKind::Value, "EXPR-28",
               found > wanted ? "too many values to unpack (expected " + std::to_string(wanted) + ", got " +
                                    std::to_string(found) + ")"
                              : "not enough values to unpack (expected " + std::to_string(wanted) + ", got " +
                                    std::to_string(found) + ")",
               "Write " + std::to_string(found) + (found == 1 ? " name" : " names") + " before the '='.");
    const bool atomic = statement.value.kind == NodeKind::Call || statement.value.kind == NodeKind::Name ||
                        statement.value.kind == NodeKind::Subscript || statement.value.kind == NodeKind::Attribute;
    const std::string whole = atomic ? code : "(" + code + ")";
    for (std::size_t i = 0; i < wanted; ++i)
        context.environment.assign(statement.targets[i].text, std::move(pieces.items[i]),
                                   whole + "[" + std::to_string(i) + "]");
}

void Evaluator::Impl::augmentStatement(const Statement& statement, std::string_view source) {
    const Node& target = statement.targets[0];
    if (target.kind == NodeKind::Name) {
        const Value old = nameNode(target);
        const Value value = evaluate(statement.value);
        if (const auto* tensor = old.as<TensorValue>()) {
            operation(statement.begin, statement.end, {{&target, old}, {&statement.value, value}},
                      [&] { augment(context, *tensor, statement.op, value); });
            return;
        }
        const std::string right = sourceOf(statement.value, source);
        const NodeKind kind = statement.value.kind;
        const bool atomic = kind != NodeKind::Binary && kind != NodeKind::Unary && kind != NodeKind::Tuple;
        context.environment.assign(target.text, binary(context, statement.op, old, value),
                                   sourceOf(target, source) + " " + statement.op + " " +
                                       (atomic ? right : "(" + right + ")"));
        return;
    }
    const Value object = evaluate(target.children[0]);
    const Value part = indexTensor(context, tensorTarget(object, target), indexItems(target));
    const Value value = evaluate(statement.value);
    operation(statement.begin, statement.end, {{&target, part}, {&statement.value, value}},
              [&] { augment(context, *part.as<TensorValue>(), statement.op, value); });
}

void Evaluator::Impl::remove(const Statement& statement) {
    for (const Node& target : statement.targets) nameNode(target);
    for (const Node& target : statement.targets) {
        // "del A, A" names it a second time when it is gone.
        nameNode(target);
        context.environment.remove(target.text);
    }
}

} // namespace stridescope::expr
