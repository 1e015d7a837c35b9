#include "core/expr/pointwise_reader.h"

#include "core/expr/pointwise_calls.h"
#include "core/expr/ternary_calls.h"

#include <algorithm>
#include <span>

namespace stridescope::expr {

namespace {

class Reader {
public:
    Reader(std::string_view line, Environment& environment, bool dryRun)
        : m_line(line), m_evaluator(environment, {dryRun}) {
        m_program.code = std::string(line);
        m_program.computed = !dryRun;
    }

    PointwiseTree read(const Program& program) {
        for (std::size_t i = 0; i + 1 < program.statements.size(); ++i)
            m_evaluator.execute(program.statements[i], m_line);
        const Statement& last = program.statements.back();
        m_program.begin = last.begin;
        switch (last.kind) {
        case StatementKind::Expression:
            if (!addWritingCall(last.value)) addValue(last.value);
            break;
        case StatementKind::Assign:
            if (last.unpack) refuseUnpacking();
            if (last.targets[0].kind != NodeKind::Name) {
                addAssignment(last);
                break;
            }
            m_program.assigned = last.targets[0].text;
            if (!addWritingCall(last.value)) addValue(last.value);
            break;
        case StatementKind::Augment:
            addInPlace(last);
            break;
        case StatementKind::Delete:
        case StatementKind::Import:
            refuseKind();
        }
        if (m_program.operands.empty())
            refuse(ErrorKind::Type, "EXPR-23", "there is no tensor in this line", "Write one, as in A + 1.");
        return {std::move(m_program), m_out, m_evaluator.elementsMoved()};
    }

private:
    [[noreturn]] static void refuseKind() {
        refuse(ErrorKind::Type, "EXPR-23", "this line computes nothing element by element",
               "Write an expression, as in A + B.");
    }
    [[noreturn]] static void refuseUnpacking() {
        refuse(ErrorKind::Type, "EXPR-23", "several names on the left: a picture has one result",
               "Give the result one name, and take it apart in a line of its own.");
    }
    std::string textOf(const Node& node) const {
        return std::string(
            m_line.substr(static_cast<std::size_t>(node.begin), static_cast<std::size_t>(node.end - node.begin)));
    }
    Value evaluate(const Node& node) {
        Statement statement;
        statement.kind = StatementKind::Expression;
        statement.value = node;
        return m_evaluator.execute(statement, m_line);
    }
    std::size_t push(PointwiseNode node) {
        m_program.nodes.push_back(std::move(node));
        return m_program.nodes.size() - 1;
    }

    std::size_t addLeaf(const Node& node) {
        Value value = evaluate(node);
        PointwiseNode made;
        made.begin = node.begin;
        made.end = node.end;
        if (const auto* number = value.as<Scalar>()) {
            made.kind = PointwiseNode::Kind::Number;
            made.number = *number;
            return push(std::move(made));
        }
        auto* tensor = value.as<TensorValue>();
        if (!tensor)
            refuse(ErrorKind::Type, "EXPR-23", "'" + textOf(node).substr(0, 60) + "' is a " + typeName(value),
                   "Operands are tensors and numbers.", InputPosition{node.begin});
        made.value = tensor->tensor;
        made.operand = operandOf(node, *tensor);
        return push(std::move(made));
    }
    /// A tensor that stands in the line twice is one operand.
    std::size_t operandOf(const Node& node, const TensorValue& value) {
        const std::string code = textOf(node);
        auto& operands = m_program.operands;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const Tensor& other = operands[i].value.tensor;
            if (operands[i].code == code && other.storage() == value.tensor.storage() &&
                other.view() == value.tensor.view())
                return i;
        }
        operands.push_back({code, value, node.begin, node.end, node.kind == NodeKind::Name});
        return operands.size() - 1;
    }

    std::size_t addOperation(const Node& node, std::string name, std::string symbol,
                             const std::vector<const Node*>& parts) {
        PointwiseNode made;
        if (symbol.empty()) readOptions(node, made, *findPointwise(name));
        made.kind = PointwiseNode::Kind::Operation;
        made.begin = node.begin;
        made.end = node.end;
        made.name = std::move(name);
        made.symbol = std::move(symbol);
        for (const Node* part : parts) made.children.push_back(add(*part));
        return push(std::move(made));
    }
    bool isModule(const Node& node) { return node.kind == NodeKind::Name && node.text == "torch"; }
    /// What torch.add(a, b), a.add(b, alpha=2) or a.neg() is called with, the tensor first, without its options;
    /// nothing when there are others than `call` has: then the call is an operand as a whole.
    std::vector<const Node*> inputsOf(const Node& node, const PointwiseCall* call) {
        const Node& owner = node.children[0].children[0];
        // A number has no methods; the evaluator says so.
        if (!call || owner.kind == NodeKind::Integer || owner.kind == NodeKind::Float) return {};
        std::vector<const Node*> inputs;
        if (!isModule(owner)) inputs.push_back(&owner);
        const auto named = std::span(call->parameters).first(static_cast<std::size_t>(call->inputs));
        std::vector<const Node*> byName(named.size(), nullptr);
        for (std::size_t i = 1; i < node.children.size(); ++i) {
            const std::string& keyword = node.keywords[i - 1];
            if (keyword == "out") return {};
            if (keyword.empty()) inputs.push_back(&node.children[i]);
            for (std::size_t k = 0; k < named.size(); ++k)
                if (keyword == named[k].name) byName[k] = &node.children[i];
        }
        // A keyword stands for the input that no place has.
        for (std::size_t k = 0; k < byName.size(); ++k) {
            if (!byName[k]) continue;
            if (k < inputs.size())
                inputs.insert(inputs.begin() + static_cast<std::ptrdiff_t>(k), byName[k]);
            else
                inputs.push_back(byName[k]);
        }
        if (static_cast<int>(inputs.size()) != call->inputs) inputs.clear();
        return inputs;
    }
    std::vector<TernaryInput> inputsOf(const Node& node, const TernaryCall& call) {
        return expr::ternaryInputs(node, call, !isModule(node.children[0].children[0]));
    }
    std::vector<TernaryInput> ternaryInputs(const Node& node) {
        const TernaryCall* call = findTernary(node.children[0].text);
        return call ? inputsOf(node, *call) : std::vector<TernaryInput>{};
    }
    std::size_t addTernary(const Node& node, const TernaryCall& call, std::vector<TernaryInput> inputs,
                           bool writes = false) {
        PointwiseNode made;
        readOptions(node, made, std::span(call.parameters).first(call.inputs));
        made.kind = PointwiseNode::Kind::Operation;
        made.begin = node.begin;
        made.end = node.end;
        made.name = call.name;
        std::vector<std::pair<TernaryInput, std::size_t>> parts;
        for (TernaryInput& input : inputs) {
            const std::size_t part = writes && input.parameter == 0 ? addTarget(*input.node) : add(*input.node);
            parts.emplace_back(std::move(input), part);
        }
        std::stable_sort(parts.begin(), parts.end(),
                         [](const auto& a, const auto& b) { return a.first.parameter < b.first.parameter; });
        for (auto& [input, part] : parts) {
            made.children.push_back(part);
            made.keywords.push_back(std::move(input.keyword));
        }
        return push(std::move(made));
    }
    /// "alpha=2" of a call; keywords of its inputs are none.
    void readOptions(const Node& node, PointwiseNode& made, const PointwiseCall& call) {
        readOptions(node, made, std::span(call.parameters).first(static_cast<std::size_t>(call.inputs)));
    }
    void readOptions(const Node& node, PointwiseNode& made, std::span<const Parameter> named) {
        for (std::size_t i = 1; i < node.children.size(); ++i) {
            const std::string& keyword = node.keywords[i - 1];
            const auto isIt = [&keyword](const Parameter& parameter) { return keyword == parameter.name; };
            if (keyword.empty() || std::any_of(named.begin(), named.end(), isIt)) continue;
            made.options += (made.options.empty() ? "" : ", ") + keyword + "=" + textOf(node.children[i]);
            made.optionValues.emplace_back(keyword, evaluate(node.children[i]));
        }
    }
    static bool isNamedCall(const Node& node) {
        return node.kind == NodeKind::Call && node.children[0].kind == NodeKind::Attribute;
    }
    /// Signs but "@", which multiplies matrices.
    static bool isSign(const Node& node) {
        return (node.kind == NodeKind::Binary && node.text != "@") || node.kind == NodeKind::Unary;
    }
    bool isPointwise(const Node& node) {
        if (!isNamedCall(node)) return isSign(node);
        return !inputsOf(node, findPointwise(node.children[0].text)).empty() || !ternaryInputs(node).empty();
    }

    /// What the statement computes; where that is not done element by element, the first part of it that is.
    void addValue(const Node& node) {
        std::vector<const Node*> level{&node};
        while (!level.empty() && !isPointwise(node)) {
            std::vector<const Node*> below;
            for (const Node* part : level) {
                if (part != &node && isPointwise(*part)) {
                    const std::size_t nodes = m_program.nodes.size();
                    add(*part);
                    m_program.inner = !m_program.operands.empty();
                    if (m_program.inner) return;
                    m_program.nodes.resize(nodes); // of numbers alone: an index, a size
                    continue;
                }
                for (const Node& child : part->children) below.push_back(&child);
            }
            level = std::move(below);
        }
        const bool product = node.kind == NodeKind::Binary && node.text == "@";
        if (product)
            refuse(ErrorKind::Type, "EXPR-23", "'@' multiplies matrices: it computes nothing element by element",
                   kPlayInstead, InputPosition{node.begin});
        add(node);
    }

    std::size_t add(const Node& node) {
        if (isSign(node)) {
            std::vector<const Node*> parts;
            for (const Node& child : node.children) parts.push_back(&child);
            return addOperation(node, {}, node.text, parts);
        }
        if (isNamedCall(node)) {
            const std::string& name = node.children[0].text;
            const auto inputs = inputsOf(node, findPointwise(name));
            if (!inputs.empty()) return addOperation(node, name, {}, inputs);
            auto three = ternaryInputs(node);
            if (!three.empty()) return addTernary(node, *findTernary(name), std::move(three));
        }
        return addLeaf(node);
    }

    /// What is written to: any tensor is one operand as a whole, and must be a view, for a copy would be written in
    /// its place.
    std::size_t addTarget(const Node& node) {
        if (node.kind == NodeKind::Subscript) {
            const auto picks = [](const Value& item) {
                const auto* number = item.as<Scalar>();
                return item.is<TensorValue>() || (number && number->isBool()) ||
                       (item.is<Sequence>() && item.as<Sequence>()->kind == Sequence::Kind::List);
            };
            for (std::size_t i = 1; i < node.children.size(); ++i) {
                const Value item = evaluate(node.children[i]);
                const auto* several = item.as<Sequence>();
                if (picks(item) || (several && std::any_of(several->items.begin(), several->items.end(), picks)))
                    refuse(ErrorKind::NotImplemented, "EXPR-23",
                           "'" + textOf(node).substr(0, 60) +
                               "' is picked by a mask or by indices: the elements that "
                               "are written are no view, and views are what this picture shows",
                           kPlayInstead, InputPosition{node.begin});
            }
        }
        const std::size_t target = addLeaf(node);
        const PointwiseNode& made = m_program.nodes[target];
        if (made.kind != PointwiseNode::Kind::Operand)
            refuse(ErrorKind::Type, "EXPR-23", "'" + textOf(node).substr(0, 60) + "' is a number: it is not written to",
                   "Write to a tensor.", InputPosition{node.begin});
        m_program.target = made.operand;
        return target;
    }
    PointwiseNode operation(Index begin, Index end, std::string name, std::string symbol) {
        PointwiseNode made;
        made.kind = PointwiseNode::Kind::Operation;
        made.begin = begin;
        made.end = end;
        made.name = std::move(name);
        made.symbol = std::move(symbol);
        return made;
    }
    /// target op= value.
    void addInPlace(const Statement& statement) {
        PointwiseNode made = operation(statement.begin, statement.end, {}, statement.op);
        made.children.push_back(addTarget(statement.targets[0]));
        made.children.push_back(add(statement.value));
        push(std::move(made));
    }
    /// What is only written, whatever it holds.
    void addOverwriting(const Node& target, Index begin, Index end, const Node* value) {
        m_program.written = addTarget(target);
        PointwiseNode made = operation(begin, end, value ? "copy" : "zero", {});
        if (value) made.children.push_back(add(*value));
        const bool number = value && m_program.nodes[made.children[0]].kind == PointwiseNode::Kind::Number;
        if (number) made.name = "fill";
        push(std::move(made));
    }
    /// x[mask] = 0 with a mask of the sizes of x: what x.masked_fill_(mask, 0) does. Other values go to the elements
    /// that the mask lets through in order, and other indices to those that they name: no operation of sizes that meet.
    bool addMasked(const Statement& statement) {
        const Node& target = statement.targets[0];
        if (target.kind != NodeKind::Subscript || target.children.size() != 2) return false;
        const Value mask = evaluate(target.children[1]);
        const auto* chosen = mask.as<TensorValue>();
        if (!chosen || chosen->tensor.dtype() != DType::Bool) return false;
        const Value base = evaluate(target.children[0]), value = evaluate(statement.value);
        const auto* written = base.as<TensorValue>();
        const auto* number = value.as<Scalar>();
        if (!written || !number || !(written->tensor.shape() == chosen->tensor.shape())) return false;
        if (!fits(*number, written->tensor.dtype())) return false;
        PointwiseNode made = operation(statement.begin, statement.end, "masked_fill", {});
        made.children = {addTarget(target.children[0]), add(target.children[1]), add(statement.value)};
        made.keywords.resize(made.children.size());
        push(std::move(made));
        return true;
    }
    /// x[mask] = 0.5 cuts what integers cannot hold; masked_fill_ does not.
    static bool fits(const Scalar& number, DType dtype) {
        if (number.isBool() || isComplex(dtype)) return true;
        return !number.isComplex() && (isFloating(dtype) || (number.isInt() && dtype == DType::Int64));
    }
    /// x[0] = value.
    void addAssignment(const Statement& statement) {
        if (addMasked(statement)) return;
        addOverwriting(statement.targets[0], statement.begin, statement.end, &statement.value);
    }
    /// What a call writes to: x.add_(y), x.masked_fill_(mask, 0), x.copy_(y), torch.add(x, y, out=z).
    bool addWritingCall(const Node& node) {
        return isNamedCall(node) && (addOutCall(node) || addOverwritingCall(node) || addInPlaceCall(node));
    }
    bool addOverwritingCall(const Node& node) {
        const std::string& name = node.children[0].text;
        const Node& owner = node.children[0].children[0];
        const std::size_t given = node.children.size() - 1;
        const bool value = name == "copy_" || name == "fill_";
        if (isModule(owner) || !(value || name == "zero_") || given != (value ? 1 : 0)) return false;
        const std::string keyword = given > 0 ? node.keywords[0] : std::string();
        if (!keyword.empty() && keyword != (name == "copy_" ? "src" : "value")) return false;
        addOverwriting(owner, node.begin, node.end, value ? &node.children[1] : nullptr);
        m_program.nodes.back().name = name.substr(0, name.size() - 1);
        return true;
    }
    bool addInPlaceCall(const Node& node) {
        if (const TernaryCall* three = findTernaryInPlace(node.children[0].text)) {
            auto inputs = inputsOf(node, *three);
            if (inputs.empty() || isModule(node.children[0].children[0])) return false;
            const std::size_t made = addTernary(node, *three, std::move(inputs), true);
            m_program.target = m_program.nodes[m_program.nodes[made].children[0]].operand;
            return true;
        }
        const PointwiseCall* call = findPointwiseInPlace(node.children[0].text);
        const auto inputs = inputsOf(node, call);
        if (inputs.empty()) return false;
        PointwiseNode made = operation(node.begin, node.end, call->name, {});
        readOptions(node, made, *call);
        made.children.push_back(addTarget(*inputs.front()));
        if (inputs.size() > 1) made.children.push_back(add(*inputs[1]));
        push(std::move(made));
        return true;
    }
    /// torch.add(x, y, out=z): the call without it, and z beside its inputs.
    bool addOutCall(const Node& node) {
        const auto found = std::find(node.keywords.begin(), node.keywords.end(), "out");
        if (found == node.keywords.end() || !isModule(node.children[0].children[0])) return false;
        Node call = node;
        const auto at = found - node.keywords.begin();
        const Node out = call.children[static_cast<std::size_t>(at) + 1];
        call.children.erase(call.children.begin() + at + 1);
        call.keywords.erase(call.keywords.begin() + at);
        if (out.kind == NodeKind::None || !isPointwise(call)) return false;
        add(call);
        PointwiseNode made = std::move(m_program.nodes.back());
        m_program.nodes.pop_back();
        const std::size_t target = addTarget(out);
        const auto reads = [&](const PointwiseNode& each) {
            return each.kind == PointwiseNode::Kind::Operand && each.operand == *m_program.target;
        };
        const auto end = m_program.nodes.end() - 1;
        // torch.add(x, y, out=x) reads what it writes.
        if (std::none_of(m_program.nodes.begin(), end, reads)) m_program.written = target;
        m_out = true;
        push(std::move(made));
        return true;
    }

    std::string_view m_line;
    Evaluator m_evaluator;
    PointwiseProgram m_program;
    bool m_out = false; ///< the last operation has out=
};

} // namespace

PointwiseTree readPointwise(std::string_view line, const Program& program, Environment& environment, bool dryRun) {
    return Reader(line, environment, dryRun).read(program);
}

} // namespace stridescope::expr
