#include "core/expr/pointwise_program.h"

#include "core/expr/parser.h"
#include "core/expr/pointwise_calls.h"
#include "core/expr/pointwise_reader.h"
#include "core/expr/ternary_calls.h"
#include "core/ops/copy.h"

#include <algorithm>
#include <functional>
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

/// Carries the operations of a tree out, on copies.
class Computer {
public:
    Computer(PointwiseTree tree, Environment& environment, bool dryRun)
        : m_tree(std::move(tree)), m_environment(environment), m_context{environment, {dryRun}, {}, {}} {}

    PointwiseProgram compute() {
        computeNodes();
        return std::move(m_tree.program);
    }
    double elements() const { return m_tree.elements + m_context.elements; }

private:
    Value valueOf(std::size_t index) const {
        const PointwiseNode& node = m_tree.program.nodes[index];
        if (node.kind == PointwiseNode::Kind::Number) return node.number;
        return TensorValue{node.value, Lineage::Fresh, 0};
    }

    void computeNodes() {
        for (std::size_t i = 0; i < m_tree.program.nodes.size(); ++i) {
            PointwiseNode& node = m_tree.program.nodes[i];
            if (node.kind != PointwiseNode::Kind::Operation) continue;
            try {
                const Value value = result(node, i + 1 == m_tree.program.nodes.size());
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
                m_tree.program.failed = i;
                m_tree.program.refusal = std::move(refusal);
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
        if (last && m_tree.program.target) return written(m_tree.program.operands[*m_tree.program.target].value, node);
        if (node.symbol.empty()) return called(m_context, node, argumentsOf(node, 0));
        const Value left = valueOf(node.children[0]);
        if (node.children.size() == 1) return unary(m_context, node.symbol, left);
        return binary(m_context, node.symbol, left, valueOf(node.children[1]));
    }
    static Value called(Context& context, const PointwiseNode& node, const Arguments& arguments) {
        if (const TernaryCall* three = findTernary(node.name)) return callTernary(context, *three, nullptr, arguments);
        return callPointwise(context, *findPointwise(node.name), nullptr, arguments);
    }
    /// The last operation, writing to `out`; `on` gives the tensor that stands for one of the line.
    void write(Context& context, const TensorValue& out, const PointwiseNode& node,
               const std::function<Value(Value)>& on) const {
        const bool overwrites = m_tree.program.written && !m_tree.out;
        Arguments arguments = argumentsOf(node, overwrites || m_tree.out ? 0 : 1);
        for (Value& value : arguments.positional) value = on(value);
        for (auto& [keyword, value] : arguments.named) value = on(value);
        if (m_tree.out) {
            arguments.named.emplace_back("out", out);
            callTorchFunction(context, node.name, arguments);
        } else if (node.symbol.empty()) {
            callTensorMethod(context, out, node.name + '_', arguments);
        } else {
            writePointwise(context, *pointwiseOfSign(node.symbol), out, arguments.positional.front());
        }
    }
    /// What the target holds afterwards, on a copy of its storage: its view stays what it is, and what shares the
    /// storage with it is read there, so that what overlaps is refused as it would be.
    Value written(const TensorValue& target, const PointwiseNode& node) {
        Context dry{m_environment, {true}, {}, {}};
        write(dry, target, node, [](Value value) { return value; });
        requireSameDims(target, node);
        m_context.elements += dry.elements;
        if (!m_tree.program.computed) return target;
        requireValues(m_context, target.tensor);
        constexpr Index kMostCopied = 1 << 22;
        const Tensor& old = target.tensor;
        const Index slots = old.storageNumel();
        const bool whole = slots <= kMostCopied;
        const Tensor all = whole ? clone(old.withView(View{{slots}, {1}, 0})) : clone(old);
        const TensorValue copy{whole ? all.withView(old.view()) : all, Lineage::Fresh, 0};
        const auto on = [&](Value value) {
            auto* tensor = value.as<TensorValue>();
            if (whole && tensor && tensor->tensor.storage() == old.storage() && tensor->tensor.dtype() == old.dtype())
                tensor->tensor = all.withView(tensor->tensor.view());
            return value;
        };
        // Nothing of the workspace is touched, so nobody has to be told.
        Unasked unasked(m_environment);
        Context quiet{unasked, {}, {}, {}};
        write(quiet, copy, node, on);
        return copy;
    }
    /// Leading dims of size 1 of what is written are dropped first; cards of that would not stand under one another.
    void requireSameDims(const TensorValue& target, const PointwiseNode& node) const {
        for (const std::size_t child : node.children) {
            const Tensor& value = m_tree.program.nodes[child].value;
            if (value.defined() && value.dim() > target.tensor.dim())
                refuse(
                    ErrorKind::NotImplemented, "EXPR-23",
                    "the shape " + toString(value.shape()) + " has more dims than " + toString(target.tensor.shape()) +
                        ": leading ones of size 1 are dropped before it is written, which this picture does not show",
                    "Write squeeze(0).");
        }
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

    PointwiseTree m_tree;
    Environment& m_environment;
    Context m_context;
};

/// PyTorch may well have the name: only this picture does not.
void sayWhoDoesNotKnow(Refusal& refusal) {
    const std::size_t end = refusal.message.rfind('\''), begin = end > 0 ? refusal.message.rfind('\'', end - 1) : end;
    if (end == std::string::npos || begin == std::string::npos) return;
    refusal.message = "this picture does not know " + refusal.message.substr(begin, end + 1 - begin);
    refusal.hint = "It knows what is computed element by element, and what makes and views tensors. Run it in the "
                   "console, and play it as a motion.";
}

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
            Computer dry(readPointwise(line, *parsed, overlay, true), overlay, true);
            layouts = dry.compute();
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
        return Computer(readPointwise(line, *parsed, overlay, false), overlay, false).compute();
    } catch (const Error& error) {
        Refusal refusal = error.refusal();
        if (refusal.id == "EXPR-21") sayWhoDoesNotKnow(refusal);
        return refusal;
    }
}

} // namespace stridescope::expr
