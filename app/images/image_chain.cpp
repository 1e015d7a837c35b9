#include "app/images/image_chain.h"

#include "core/expr/evaluator.h"
#include "core/expr/parser.h"
#include "core/ops/creation.h"

#include <cstring>

namespace stridescope {

namespace {

constexpr char kName[] = "x";

/// One name and nothing else; remembers what was overwritten.
class ChainEnvironment : public expr::Environment {
public:
    Tensor tensor, touched;
    bool written = false;

    std::optional<expr::Value> lookup(const std::string& name) override {
        if (name != kName) return std::nullopt;
        return expr::Value(expr::TensorValue{tensor, expr::Lineage::Alias, 1});
    }
    void assign(const std::string&, expr::Value, const std::string&) override {
        throwRefusal({ErrorKind::Value, "CHAIN-01", "a step gives no names", "Write what stands behind the name.", {}});
    }
    void remove(const std::string&) override {}
    void aboutToWrite(const Tensor& target) override {
        if (target.storage() != tensor.storage()) return;
        written = true;
        touched = target;
    }
};

/// The same view over a copy of the whole storage: strides and slots stay what they are.
Tensor onOwnStorage(const Tensor& t) {
    const auto bytes = static_cast<Index>(t.storage()->bytes());
    const Tensor copy = empty({bytes}, {DType::UInt8, Device{}});
    if (bytes > 0) std::memcpy(copy.storage()->data(), t.storage()->data(), t.storage()->bytes());
    return Tensor(copy.storage(), t.view(), t.dtype());
}

/// Would the step write into the storage of its tensor? Told by a dry run, which writes nothing.
class DryEnvironment : public ChainEnvironment {
public:
    void wouldWrite(const Tensor& target) override { aboutToWrite(target); }
};

Tensor valueOf(const expr::Value& value) {
    const auto* result = value.as<expr::TensorValue>();
    if (!result)
        throwRefusal({ErrorKind::Type,
                      "CHAIN-02",
                      "the step gives a " + typeName(value) + ", not a tensor",
                      "Only what gives or writes a tensor can be a step.",
                      {}});
    return result->tensor;
}

ChainOutcome carryOut(const Tensor& before, const QString& code) {
    ChainOutcome outcome;
    outcome.tensor = before;
    try {
        const std::string source = kName + code.toStdString();
        const expr::Program program = expr::parseProgram(source).valueOrThrow();
        if (program.statements.size() != 1)
            throwRefusal({ErrorKind::Value, "CHAIN-03", "a step is one operation", {}, {}});
        DryEnvironment trial;
        trial.tensor = before;
        try {
            expr::Evaluator(trial, {true}).execute(program.statements.front(), source);
        } catch (const Error& error) {
            // What needs values is told by carrying it out, on a copy to be safe.
            if (error.refusal().id != "EXPR-30") throw;
            trial.written = true;
        }
        ChainEnvironment environment;
        environment.tensor = trial.written ? onOwnStorage(before) : before;
        expr::Evaluator evaluator(environment);
        const expr::Value value = evaluator.execute(program.statements.front(), source);
        if (environment.written) {
            outcome.cost = ChainOutcome::Cost::Write;
            outcome.tensor = environment.tensor;
            outcome.touched = environment.touched;
            outcome.written = environment.touched.numel();
            outcome.bytes = environment.touched.nbytes();
            return outcome;
        }
        const Tensor result = valueOf(value);
        const bool view = result.storage() == environment.tensor.storage();
        outcome.tensor = view ? Tensor(before.storage(), result.view(), result.dtype()) : result;
        outcome.cost = view ? ChainOutcome::Cost::View : ChainOutcome::Cost::Copy;
        outcome.bytes = view ? 0 : static_cast<Index>(result.storage()->bytes());
    } catch (const Error& error) {
        outcome.cost = ChainOutcome::Cost::Refused;
        outcome.refusal = error.refusal();
    } catch (const std::bad_alloc&) {
        outcome.cost = ChainOutcome::Cost::Refused;
        outcome.refusal = Refusal{ErrorKind::Memory, "MEM-03", "not enough memory for this step", {}, {}};
    }
    return outcome;
}

} // namespace

ChainResult runChain(const Tensor& base, const std::vector<ChainStep>& steps) {
    ChainResult result;
    result.last = base;
    for (const ChainStep& step : steps) {
        ChainOutcome outcome;
        outcome.tensor = result.last;
        if (step.on && result.refused >= 0) {
            outcome.cost = ChainOutcome::Cost::Refused;
        } else if (step.on) {
            outcome = carryOut(result.last, step.code);
            if (outcome.refusal) result.refused = static_cast<int>(result.steps.size());
        }
        result.last = outcome.tensor;
        result.steps.push_back(std::move(outcome));
    }
    return result;
}

QStringList chainLines(const QString& source, const QString& name, const std::vector<ChainStep>& steps,
                       const ChainResult& result) {
    QStringList lines;
    QString expression = source;
    const auto flush = [&] {
        if (expression != name) lines << name + QStringLiteral(" = ") + expression;
        expression = name;
    };
    bool own = false; // the tensor's elements are no longer those of `source`
    for (std::size_t i = 0; i < steps.size() && i < result.steps.size(); ++i) {
        const ChainOutcome& outcome = result.steps[i];
        if (!steps[i].on || outcome.cost == ChainOutcome::Cost::Refused) continue;
        if (outcome.cost == ChainOutcome::Cost::Write) {
            // In the list a step writes into a copy; so it does in the lines.
            if (!own) expression += QStringLiteral(".clone()");
            flush();
            lines << name + steps[i].code;
            own = true;
            continue;
        }
        expression += steps[i].code;
        own = own || outcome.cost == ChainOutcome::Cost::Copy;
    }
    flush();
    return lines;
}

} // namespace stridescope
