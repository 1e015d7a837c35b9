#include "app/images/image_chain.h"

#include "core/expr/evaluator.h"
#include "core/expr/parser.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/view/view.h"

#include <QRegularExpression>

#include <algorithm>

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

/// The same view over a copy of the storage: strides and slots stay what they are. Not `whole`: what lies between the
/// lowest and the highest slot of `t` is copied, and the storage's beginning, which is shown. Nobody reads the rest;
/// pages of new memory that are not touched take no room.
Tensor onOwnStorage(const Tensor& t, bool whole) {
    const auto bytes = static_cast<Index>(t.storage()->bytes());
    const auto item = static_cast<Index>(t.itemSize());
    const Reach used = reach(t.view()).valueOrThrow();
    const Index from = whole || used.empty() ? 0 : used.lowest * item;
    const Index count = whole ? bytes : used.empty() ? 0 : (used.highest + 1) * item - from;
    constexpr Index kBeginning = 4096;
    const Tensor copy = empty({bytes}, {DType::UInt8, Device{}});
    for (const View& part : {View{{std::min(from, kBeginning)}, {1}, 0}, View{{count}, {1}, from}})
        if (part.shape[0] > 0) // on all processors
            copy_(Tensor(copy.storage(), part, DType::UInt8), Tensor(t.storage(), part, DType::UInt8));
    return Tensor(copy.storage(), t.view(), t.dtype());
}

/// Views that a step makes stay within its tensor's slots, but for these.
bool looksBeyond(const QString& code) {
    static const QRegularExpression pattern(QStringLiteral("as_strided|storage|set_|resize|\\.data\\b"));
    return code.contains(pattern);
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

ChainOutcome carryOut(const Tensor& before, const QString& code, bool whole = true) {
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
        environment.tensor = trial.written ? onOwnStorage(before, whole) : before;
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

ChainResult runChain(const Tensor& base, const std::vector<ChainStep>& steps, const ChainResult* known) {
    ChainResult result;
    result.last = result.base = base;
    result.ran = steps;
    const bool whole = result.whole =
        std::any_of(steps.begin(), steps.end(), [](const ChainStep& s) { return looksBeyond(s.code); });
    std::size_t same = 0;
    if (known && (!whole || known->whole) && known->base.defined() && known->base.storage() == base.storage() &&
        known->base.view() == base.view() && known->base.dtype() == base.dtype())
        while (same < steps.size() && same < known->steps.size() && steps[same] == known->ran[same]) ++same;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        ChainOutcome outcome;
        outcome.tensor = result.last;
        if (i < same) {
            outcome = known->steps[i];
        } else if (steps[i].on && result.refused >= 0) {
            outcome.cost = ChainOutcome::Cost::Refused;
        } else if (steps[i].on) {
            outcome = carryOut(result.last, steps[i].code, whole);
        }
        if (outcome.refusal && result.refused < 0) result.refused = static_cast<int>(i);
        result.last = outcome.tensor;
        result.steps.push_back(std::move(outcome));
    }
    return result;
}

namespace {

/// What `code` makes of {n, …} numbers, the first of each image; nothing where dim 0 is no longer the images.
std::optional<Tensor> numbersThrough(const Tensor& numbers, const Dims& shape, const QString& code) {
    Dims ones(shape.size(), 1);
    ones[0] = numbers.size(0);
    ChainOutcome outcome = carryOut(expand(view(numbers, ones), shape), code);
    if (outcome.refusal || outcome.tensor.dim() != static_cast<Index>(shape.size())) return std::nullopt;
    Tensor first = outcome.tensor;
    while (first.dim() > 1) first = select(first, first.dim() - 1, 0);
    return contiguous(first);
}

} // namespace

std::vector<Index> imagesAfter(const ChainResult& result) {
    if (!result.base.defined() || result.base.dim() != 4) return {};
    static const QRegularExpression moves(
        QStringLiteral("^(\\.(flip|index_select|roll)\\((0|-4)\\b|\\.roll\\([-\\d]+, 0\\))"));
    static const QRegularExpression turns(QStringLiteral("^\\.(permute|transpose|movedim|swapaxes)\\b"));
    Tensor numbers = arange(Scalar(result.base.size(0)), {DType::Int64, Device{}});
    Dims before = result.base.shape();
    for (std::size_t i = 0; i < result.steps.size(); ++i) {
        const ChainOutcome& outcome = result.steps[i];
        const QString& code = result.ran[i].code;
        if (outcome.cost == ChainOutcome::Cost::Off || outcome.cost == ChainOutcome::Cost::Refused) continue;
        if (outcome.tensor.dim() != 4) return {};
        std::optional<Tensor> moved = numbers;
        if (outcome.cost == ChainOutcome::Cost::View) {
            // A turn that leaves dim 0 in place leaves the images in place; any other makes other images.
            if (turns.match(code).hasMatch()) {
                if (outcome.tensor.stride()[0] != (i > 0 ? result.steps[i - 1].tensor : result.base).stride()[0])
                    return {};
            } else {
                moved = numbersThrough(numbers, before, code);
            }
        } else if (moves.match(code).hasMatch()) {
            moved = numbersThrough(numbers, Dims{before[0], 1, 1, 1}, code);
        }
        if (!moved || moved->size(0) != outcome.tensor.size(0)) return {};
        numbers = *moved;
        before = outcome.tensor.shape();
    }
    const Index* data = numbers.data<Index>();
    return {data, data + numbers.numel()};
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
