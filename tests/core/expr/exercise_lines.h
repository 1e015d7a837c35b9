#pragma once
// What the fuzzer does with lines of tensor code; a normal test does the same with its own lines.

#include "core/expr/evaluator.h"
#include "core/expr/parser.h"
#include "core/io/save_atomically.h"
#include "tests/core/io/exercise_readers.h"

#include <map>

namespace exercise {

/// Names in a map.
class LineNames : public stridescope::expr::Environment {
public:
    using Value = stridescope::expr::Value;

    std::optional<Value> lookup(const std::string& name) override {
        const auto it = values.find(name);
        if (it == values.end()) return std::nullopt;
        Value value = it->second;
        if (auto* tensor = value.as<stridescope::expr::TensorValue>()) {
            tensor->lineage = stridescope::expr::Lineage::Alias;
            tensor->source = 1 + static_cast<std::uint64_t>(std::distance(values.begin(), it));
        }
        return value;
    }
    void assign(const std::string& name, Value value, const std::string&) override {
        values.insert_or_assign(name, std::move(value));
    }
    void remove(const std::string& name) override { values.erase(name); }
    void aboutToWrite(const stridescope::Tensor&) override { ++writes; }

    /// Of the bytes of all tensors.
    std::uint64_t hash() const {
        stridescope::Fingerprint sum;
        for (const auto& [name, value] : values) {
            const auto* tensor = value.as<stridescope::expr::TensorValue>();
            if (!tensor || !tensor->tensor.storage()->data()) continue;
            sum.add(std::span(tensor->tensor.storage()->data(), tensor->tensor.storage()->bytes()));
        }
        return sum.value();
    }

    std::map<std::string, Value> values;
    int writes = 0;
};

struct LineLimits {
    std::size_t statements = 40;
    stridescope::Index items = 1000;
};

/// Carries out the statements; a refusal ends them and is checked. Returns its id, "" without one.
inline std::string evaluateLines(LineNames& names, const stridescope::expr::Program& program, std::string_view source,
                                 bool dryRun, const LineLimits& limits = {}) {
    using namespace stridescope::expr;
    Evaluator evaluator(names, {dryRun, limits.items});
    try {
        for (const Statement& statement : program.statements) {
            const Value value = evaluator.execute(statement, source);
            if (const auto* tensor = value.as<TensorValue>()) {
                const stridescope::Tensor& t = tensor->tensor;
                require(stridescope::Tensor::fromStorage(t.storage(), t.view(), t.dtype()).ok());
                if (!dryRun) require(!repr(value).empty());
            } else if (const auto* sequence = value.as<Sequence>()) {
                // Each tensor in it prints up to a thousand values: one is enough.
                if (!dryRun && !sequence->items.empty()) static_cast<void>(repr(sequence->items.back()));
            } else if (!dryRun) {
                static_cast<void>(repr(value));
            }
        }
    } catch (const stridescope::Error& error) {
        checkRefusal(error.refusal());
        return error.refusal().id;
    }
    return {};
}

/// Lines on a few small tensors, pretended and then carried out: pretending writes nothing, every tensor stays inside
/// its storage, and refusals are short. Returns the id of the refusal, "" without one.
inline std::string lines(std::string_view text, const LineLimits& limits = {}) {
    using namespace stridescope::expr;
    static const std::string kMakeNames =
        "x = torch.arange(12).view(3, 4); f = torch.tensor([[0.5, -1.5], [2.5, 3.5]]); b = torch.tensor([True, False]);"
        "h = torch.full((2, 3), 1.5, dtype=torch.float16); u = torch.arange(5, dtype=torch.uint8); e = torch.zeros(0, "
        "2);"
        "s = torch.tensor(7); w = torch.zeros(1, 3).expand(4, 3); n = 3; t = (1, 2.5, 'a')";
    const auto program = parseProgram(text);
    if (!program) return program.refusal().id;
    if (program->statements.size() > limits.statements) return "too many statements";
    const auto setup = parseProgram(kMakeNames);
    LineNames names;
    require(setup.ok() && evaluateLines(names, *setup, kMakeNames, false).empty());
    const std::uint64_t before = names.hash();
    LineNames pretended;
    pretended.values = names.values;
    evaluateLines(pretended, *program, text, true, limits);
    require(names.hash() == before && pretended.writes == 0);
    const std::string refused = evaluateLines(names, *program, text, false, limits);
    for (const auto& [name, value] : names.values) {
        const auto* tensor = value.as<TensorValue>();
        if (tensor && tensor->tensor.device().isCpu()) checkTensor(tensor->tensor);
    }
    return refused;
}

} // namespace exercise
