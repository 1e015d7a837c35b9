#include "app/images/image_chain.h"

#include "core/expr/evaluator.h"
#include "core/expr/parser.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/view/view.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

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

/// What is copied of a tensor's storage for writing: the bytes from `first` up to `last`, without it.
std::pair<Index, Index> copiedFor(const Tensor& t, bool whole) {
    const auto item = static_cast<Index>(t.itemSize());
    const Reach used = reach(t.view()).valueOrThrow();
    if (whole) return {0, static_cast<Index>(t.storage()->bytes())};
    return used.empty() ? std::pair<Index, Index>() : std::pair(used.lowest * item, (used.highest + 1) * item);
}

/// The same view over a copy of the storage: strides and slots stay what they are. Not `whole`: what lies between the
/// lowest and the highest slot of `t` is copied, and the storage's beginning, which is shown. Nobody reads the rest;
/// pages of new memory that are not touched take no room. `overwrites` are carried out on what is copied.
Tensor onOwnStorage(const Tensor& t, const OverwritesPtr& overwrites, bool whole) {
    const auto [from, to] = copiedFor(t, whole);
    constexpr Index kBeginning = 4096;
    const Tensor copy = empty({static_cast<Index>(t.storage()->bytes())}, {DType::UInt8, Device{}});
    for (const View& part : {View{{std::min(from, kBeginning)}, {1}, 0}, View{{to - from}, {1}, from}}) {
        if (part.shape[0] == 0) continue;
        // On all processors.
        copy_(Tensor(copy.storage(), part, DType::UInt8), Tensor(t.storage(), part, DType::UInt8));
        if (overwrites) overwrites->writeTo(copy.storage()->data(), part.offset, part.offset + part.shape[0]);
    }
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

expr::Program parsed(const std::string& source) {
    expr::Program program = expr::parseProgram(source).valueOrThrow();
    if (program.statements.size() != 1) throwRefusal({ErrorKind::Value, "CHAIN-03", "a step is one operation", {}, {}});
    return program;
}

/// What a dry run says of a step.
struct Trial {
    bool needsValues = false, writes = false;
    Tensor touched;
    std::optional<View> view; ///< of bytes, if the step gives a view on the storage of its tensor as such
};

Trial tried(const Tensor& before, const std::string& source) {
    const expr::Program program = parsed(source);
    Trial trial;
    DryEnvironment environment;
    environment.tensor = before;
    try {
        const expr::Value value = expr::Evaluator(environment, {true}).execute(program.statements.front(), source);
        const auto* result = value.as<expr::TensorValue>();
        if (result && result->tensor.storage() == before.storage() && result->tensor.dtype() == DType::UInt8)
            trial.view = result->tensor.view();
    } catch (const Error& error) {
        if (error.refusal().id != "EXPR-30") throw;
        trial.needsValues = true;
    }
    trial.writes = environment.written;
    trial.touched = environment.touched;
    return trial;
}

/// The place that a step writes to, and what it makes of what stands there, as the code of each.
struct ByteWrite {
    QString place, operation;
};

/// Operations with nothing but numbers, each of which makes of a value another one.
std::optional<ByteWrite> byteWriteOf(const QString& code) {
    static const QString number = QStringLiteral("(?:\\w+ ?= ?)?-?(?:\\d+\\.?\\d*|\\.\\d+)(?:e-?\\d+)?");
    static const QRegularExpression method(
        QStringLiteral("^(.*)(\\.(?:(?:fill|add|sub|mul|floor_divide|remainder|clamp|clamp_min|clamp_max|bitwise_and|"
                       "bitwise_or|bitwise_xor)_\\(%1(?:, ?%1)*\\)|(?:zero|neg|bitwise_not)_\\(\\)))$")
            .arg(number));
    static const QRegularExpression assignment(
        QStringLiteral("^(.*\\]) ?((?:\\+|-|\\*|//|%|&|\\||\\^)?= ?%1)$").arg(number));
    if (const auto match = method.match(code); match.hasMatch()) return ByteWrite{match.captured(1), match.captured(2)};
    if (const auto match = assignment.match(code); match.hasMatch())
        return ByteWrite{match.captured(1), QStringLiteral("[:] ") + match.captured(2)};
    return std::nullopt;
}

/// The write as a table: what the operation makes of each of the 256 bytes. Null where it is no such write.
OverwritesPtr asOverwrites(const Tensor& before, const OverwritesPtr& overwrites, const QString& code,
                           const Tensor& touched) {
    const std::optional<ByteWrite> write = byteWriteOf(code);
    if (!write || before.dtype() != DType::UInt8 || touched.dtype() != DType::UInt8) return nullptr;
    const Trial place = tried(before, kName + write->place.toStdString());
    if (place.writes || place.needsValues || place.view != touched.view()) return nullptr;
    ChainEnvironment environment;
    environment.tensor = arange(Scalar(Index{256}), {DType::UInt8, Device{}});
    const std::string source = kName + write->operation.toStdString();
    try {
        expr::Evaluator(environment).execute(parsed(source).statements.front(), source);
    } catch (const Error&) {
        return nullptr; // the step itself says why, if it is refused
    }
    Overwrites::Table table;
    std::copy_n(environment.tensor.data<std::uint8_t>(), table.size(), table.begin());
    return Overwrites::with(overwrites, touched.view(), table);
}

ChainOutcome written(const Tensor& tensor, const OverwritesPtr& overwrites, const Tensor& touched) {
    ChainOutcome outcome;
    outcome.cost = ChainOutcome::Cost::Write;
    outcome.tensor = tensor;
    outcome.overwrites = overwrites;
    outcome.touched = touched;
    outcome.written = touched.numel();
    outcome.bytes = touched.nbytes();
    return outcome;
}

ChainOutcome carryOut(const Tensor& before, const OverwritesPtr& overwrites, const QString& code, bool whole) {
    ChainOutcome outcome;
    outcome.tensor = before;
    outcome.overwrites = overwrites;
    try {
        const std::string source = kName + code.toStdString();
        const expr::Program program = parsed(source);
        const Trial trial = tried(before, source);
        const auto [from, to] = copiedFor(before, whole);
        if (trial.writes && !trial.needsValues && !whole && to - from >= kKeptAsOverwrites)
            if (const OverwritesPtr all = asOverwrites(before, overwrites, code, trial.touched))
                return written(before, all, trial.touched);
        ChainEnvironment environment;
        environment.tensor = before;
        // What needs values is told by carrying it out, on a copy to be safe; what only looks needs no values.
        if (trial.writes || trial.needsValues || (overwrites && !trial.view))
            environment.tensor = onOwnStorage(before, overwrites, whole);
        expr::Evaluator evaluator(environment);
        const expr::Value value = evaluator.execute(program.statements.front(), source);
        if (environment.written) return written(environment.tensor, nullptr, environment.touched);
        const Tensor result = valueOf(value);
        const bool view = result.storage() == environment.tensor.storage();
        // Overwrites are of bytes: as another dtype they are seen where they are carried out.
        const bool seen = view && (!overwrites || result.dtype() == DType::UInt8);
        outcome.tensor = seen ? Tensor(before.storage(), result.view(), result.dtype()) : result;
        outcome.overwrites = seen ? overwrites : nullptr;
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

Tensor carriedOut(const Tensor& tensor, const OverwritesPtr& overwrites) {
    return overwrites ? onOwnStorage(tensor, overwrites, false) : tensor;
}

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
        outcome.overwrites = result.overwrites();
        if (i < same) {
            outcome = known->steps[i];
        } else if (steps[i].on && result.refused >= 0) {
            outcome.cost = ChainOutcome::Cost::Refused;
        } else if (steps[i].on) {
            outcome = carryOut(result.last, result.overwrites(), steps[i].code, whole);
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
    ChainOutcome outcome = carryOut(expand(view(numbers, ones), shape), nullptr, code, true);
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
        // Where a step says x it is what the steps before it made.
        static const QRegularExpression itself(QStringLiteral("(?<![\\w.])x(?!\\w)"));
        const bool namesItself = steps[i].code.contains(itself);
        if (namesItself) flush();
        const QString code = QString(steps[i].code).replace(itself, name);
        if (outcome.cost == ChainOutcome::Cost::Write) {
            // In the list a step writes into a copy; so it does in the lines.
            if (!own) expression += QStringLiteral(".clone()");
            flush();
            lines << name + code;
            own = true;
            continue;
        }
        expression += code;
        own = own || outcome.cost == ChainOutcome::Cost::Copy;
    }
    flush();
    return lines;
}

} // namespace stridescope
