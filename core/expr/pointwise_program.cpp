#include "core/expr/pointwise_program.h"

#include "core/expr/parser.h"
#include "core/expr/pointwise_calls.h"
#include "core/expr/ternary_calls.h"
#include "core/ops/copy.h"

#include <algorithm>
#include <map>

namespace stridescope::expr {

namespace {

/// Names of the line itself over those of the workspace, of which nothing is overwritten.
class Overlay : public Environment {
public:
    explicit Overlay(Environment& below) : m_below(below) {}
    std::optional<Value> lookup(const std::string& name) override {
        const auto own = m_own.find(name);
        return own != m_own.end() ? own->second : m_below.lookup(name);
    }
    void assign(const std::string& name, Value value, const std::string&) override { m_own[name] = std::move(value); }
    void remove(const std::string&) override { refuseWriting(); }
    void aboutToWrite(const Tensor&) override { refuseWriting(); }
    Value load(FileCall call, const std::string& path, bool dryRun) override {
        return m_below.load(call, path, dryRun);
    }

private:
    [[noreturn]] static void refuseWriting() {
        refuse(ErrorKind::Runtime, "EXPR-23", "only the last operation of a line can write here",
               "Run the other lines first.");
    }

    Environment& m_below;
    std::map<std::string, Value> m_own;
};

/// Sizes that do not fit: the picture of it is what was asked for, every other refusal is not.
bool isAboutSizes(const Refusal& refusal) {
    return std::holds_alternative<BroadcastConflict>(refusal.detail) ||
           refusal.message.rfind("output with shape", 0) == 0;
}

class Builder {
public:
    Builder(std::string_view line, Environment& environment, bool dryRun)
        : m_line(line), m_environment(environment), m_context{environment, {dryRun}, {}, {}},
          m_evaluator(environment, {dryRun}) {
        m_program.code = std::string(line);
        m_program.computed = !dryRun;
    }

    PointwiseProgram build(const Program& program) {
        for (std::size_t i = 0; i + 1 < program.statements.size(); ++i)
            m_evaluator.execute(program.statements[i], m_line);
        const Statement& last = program.statements.back();
        m_program.begin = last.begin;
        switch (last.kind) {
        case StatementKind::Expression:
            if (!addInPlaceCall(last.value)) addValue(last.value);
            break;
        case StatementKind::Assign:
            if (last.unpack || last.targets[0].kind != NodeKind::Name) refuseKind();
            m_program.assigned = last.targets[0].text;
            addValue(last.value);
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
        compute();
        return std::move(m_program);
    }
    double elements() const { return m_evaluator.elementsMoved() + m_context.elements; }

private:
    [[noreturn]] static void refuseKind() {
        refuse(ErrorKind::Type, "EXPR-23", "this line computes nothing element by element",
               "Write an expression, as in A + B.");
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
        if (symbol.empty()) readOptions(node, made);
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
    /// nothing when inputs have keywords, or others than `call` has: then the call is an operand as a whole.
    std::vector<const Node*> inputsOf(const Node& node, const PointwiseCall* call) {
        const Node& owner = node.children[0].children[0];
        const auto isInput = [call](const std::string& keyword) {
            for (int i = 0; i < call->inputs; ++i)
                if (call->parameters[static_cast<std::size_t>(i)].name == keyword) return true;
            return keyword == "out";
        };
        for (const std::string& keyword : node.keywords)
            if (!keyword.empty() && (!call || isInput(keyword))) return {};
        std::vector<const Node*> inputs;
        // A number has no methods; the evaluator says so.
        if (owner.kind == NodeKind::Integer || owner.kind == NodeKind::Float) return {};
        if (!isModule(owner)) inputs.push_back(&owner);
        for (std::size_t i = 1; i < node.children.size(); ++i)
            if (node.keywords[i - 1].empty()) inputs.push_back(&node.children[i]);
        if (!call || static_cast<int>(inputs.size()) != call->inputs) inputs.clear();
        return inputs;
    }
    std::vector<TernaryInput> inputsOf(const Node& node, const TernaryCall& call) {
        return expr::ternaryInputs(node, call, !isModule(node.children[0].children[0]));
    }
    std::vector<TernaryInput> ternaryInputs(const Node& node) {
        const TernaryCall* call = findTernary(node.children[0].text);
        return call ? inputsOf(node, *call) : std::vector<TernaryInput>{};
    }
    std::size_t addTernary(const Node& node, const TernaryCall& call, std::vector<TernaryInput> inputs) {
        PointwiseNode made;
        readOptions(node, made, call.inputs, call.parameters);
        made.kind = PointwiseNode::Kind::Operation;
        made.begin = node.begin;
        made.end = node.end;
        made.name = call.name;
        std::vector<std::pair<TernaryInput, std::size_t>> parts;
        for (TernaryInput& input : inputs) {
            const std::size_t part = add(*input.node);
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
    void readOptions(const Node& node, PointwiseNode& made, std::size_t inputs = 0,
                     std::span<const Parameter> parameters = {}) {
        for (std::size_t i = 1; i < node.children.size(); ++i) {
            const std::string& keyword = node.keywords[i - 1];
            const auto isIt = [&keyword](const Parameter& parameter) { return keyword == parameter.name; };
            const auto named = parameters.first(inputs);
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
                   "Run the line, and play it as a motion.", InputPosition{node.begin});
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

    /// `target` op= the other parts, as the last operation.
    void addWriting(const Node& target, Index begin, Index end, std::string name, std::string symbol,
                    const std::vector<const Node*>& others) {
        PointwiseNode made;
        made.kind = PointwiseNode::Kind::Operation;
        made.begin = begin;
        made.end = end;
        made.name = std::move(name);
        made.symbol = std::move(symbol);
        made.children.push_back(add(target));
        setTarget(made.children[0]);
        for (const Node* other : others) made.children.push_back(add(*other));
        push(std::move(made));
    }
    void setTarget(std::size_t node) {
        const PointwiseNode& written = m_program.nodes[node];
        if (written.kind != PointwiseNode::Kind::Operand) refuseKind();
        m_program.target = written.operand;
    }
    void addInPlace(const Statement& statement) {
        addWriting(statement.targets[0], statement.begin, statement.end, {}, statement.op, {&statement.value});
    }
    /// x.exp_(), x.add_(y), x.masked_fill_(mask, 0).
    bool addInPlaceCall(const Node& node) {
        if (!isNamedCall(node)) return false;
        if (const TernaryCall* three = findTernaryInPlace(node.children[0].text)) {
            auto inputs = inputsOf(node, *three);
            if (inputs.empty() || isModule(node.children[0].children[0])) return false;
            const std::size_t made = addTernary(node, *three, std::move(inputs));
            setTarget(m_program.nodes[made].children[0]);
            return true;
        }
        const PointwiseCall* call = findPointwiseInPlace(node.children[0].text);
        auto inputs = inputsOf(node, call);
        const auto named = [](const std::string& keyword) { return !keyword.empty(); };
        if (inputs.empty() || std::any_of(node.keywords.begin(), node.keywords.end(), named)) return false;
        const Node* target = inputs.front();
        inputs.erase(inputs.begin());
        addWriting(*target, node.begin, node.end, call->name, {}, inputs);
        return true;
    }

    Value valueOf(std::size_t index) const {
        const PointwiseNode& node = m_program.nodes[index];
        if (node.kind == PointwiseNode::Kind::Number) return node.number;
        return TensorValue{node.value, Lineage::Fresh, 0};
    }

    void compute() {
        for (std::size_t i = 0; i < m_program.nodes.size(); ++i) {
            PointwiseNode& node = m_program.nodes[i];
            if (node.kind != PointwiseNode::Kind::Operation) continue;
            try {
                const Value value = result(node, i + 1 == m_program.nodes.size());
                if (const auto* number = value.as<Scalar>()) {
                    node.kind = PointwiseNode::Kind::Number;
                    node.number = *number;
                } else {
                    node.value = value.as<TensorValue>()->tensor;
                }
            } catch (const Error& error) {
                Refusal refusal = error.refusal();
                if (!isAboutSizes(refusal)) {
                    if (std::holds_alternative<std::monostate>(refusal.detail))
                        refusal.detail = InputPosition{node.begin};
                    throwRefusal(refusal);
                }
                m_program.failed = i;
                m_program.refusal = std::move(refusal);
                return;
            }
        }
    }
    /// From the child `first` on.
    Arguments argumentsOf(const PointwiseNode& node, std::size_t first) const {
        Arguments arguments;
        arguments.named = node.optionValues;
        for (std::size_t i = first; i < node.children.size(); ++i) {
            if (node.keywords.empty() || node.keywords[i].empty())
                arguments.positional.push_back(valueOf(node.children[i]));
            else
                arguments.named.emplace_back(node.keywords[i], valueOf(node.children[i]));
        }
        return arguments;
    }
    Value result(const PointwiseNode& node, bool last) {
        const Value left = valueOf(node.children[0]);
        if (last && m_program.target) return written(*left.as<TensorValue>(), node);
        if (node.symbol.empty()) {
            if (const TernaryCall* three = findTernary(node.name))
                return callTernary(m_context, *three, nullptr, argumentsOf(node, 0));
            return callPointwise(m_context, *findPointwise(node.name), nullptr, argumentsOf(node, 0));
        }
        if (node.children.size() == 1) return unary(m_context, node.symbol, left);
        return binary(m_context, node.symbol, left, valueOf(node.children[1]));
    }
    /// What the target holds afterwards, on a copy of it.
    Value written(const TensorValue& target, const PointwiseNode& node) {
        const auto write = [&](Context& context, const TensorValue& out) {
            if (const TernaryCall* three = findTernary(node.name)) {
                callTernaryInPlace(context, *three, out, argumentsOf(node, 1));
                return;
            }
            const PointwiseCall* call = node.symbol.empty() ? findPointwise(node.name) : pointwiseOfSign(node.symbol);
            writePointwise(context, *call, out, node.children.size() > 1 ? valueOf(node.children[1]) : Value());
        };
        Context dry{m_environment, {true}, {}, {}};
        write(dry, target);
        m_context.elements += dry.elements;
        if (!m_program.computed) return target;
        requireValues(m_context, target.tensor);
        const TensorValue copy{clone(target.tensor), Lineage::Fresh, 0};
        // Nothing of the workspace is touched, so nobody has to be told.
        Unasked unasked(m_environment);
        Context quiet{unasked, {}, {}, {}};
        write(quiet, copy);
        return copy;
    }
    /// For writing into what is nobody's.
    class Unasked : public Environment {
    public:
        explicit Unasked(Environment& below) : m_below(below) {}
        std::optional<Value> lookup(const std::string& name) override { return m_below.lookup(name); }
        void assign(const std::string&, Value, const std::string&) override {}
        void remove(const std::string&) override {}
        void aboutToWrite(const Tensor&) override {}

    private:
        Environment& m_below;
    };

    std::string_view m_line;
    Environment& m_environment;
    Context m_context;
    Evaluator m_evaluator;
    PointwiseProgram m_program;
};

} // namespace

Result<PointwiseProgram> pointwiseProgram(std::string_view line, Environment& environment, double mostElements) {
    const auto parsed = parseProgram(line);
    if (!parsed) return parsed.refusal();
    if (parsed->statements.empty())
        return Refusal{ErrorKind::Value, "EXPR-05", "nothing is written here", "Write an expression, as in A + B.", {}};
    try {
        bool small = false;
        std::optional<PointwiseProgram> layouts;
        try {
            Overlay overlay(environment);
            Builder dry(line, overlay, true);
            layouts = dry.build(*parsed);
            double computed = dry.elements();
            for (const PointwiseNode& node : layouts->nodes)
                if (node.value.defined()) computed = std::max(computed, static_cast<double>(node.value.numel()));
            small = computed <= mostElements;
        } catch (const Error& error) {
            // What needs elements to tell its layout is computed at once.
            if (error.refusal().id != "EXPR-30") throw;
            small = true;
        }
        if (!small) return *std::move(layouts);
        Overlay overlay(environment);
        return Builder(line, overlay, false).build(*parsed);
    } catch (const Error& error) {
        return error.refusal();
    }
}

} // namespace stridescope::expr
