#include "app/workspace/replay.h"

#include "core/expr/evaluator.h"
#include "core/expr/parser.h"
#include "core/ops/again.h"
#include "core/ops/creation.h"
#include "core/trace/code.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace stridescope {

namespace {

/// The inputs as names, and nothing that could be changed.
class Inputs : public expr::Environment {
public:
    std::vector<std::string> names;
    std::vector<Tensor> tensors;

    std::optional<expr::Value> lookup(const std::string& name) override {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == name) return expr::Value(expr::TensorValue{tensors[i], expr::Lineage::Alias, i + 1});
        }
        return std::nullopt;
    }
    void assign(const std::string&, expr::Value, const std::string&) override {}
    void remove(const std::string&) override {}
    void aboutToWrite(const Tensor&) override {}
};

Tensor tensorOf(const ReplayInput& input) {
    const Tensor tensor = empty(input.shape, {input.dtype, {}});
    const std::size_t size = tensor.itemSize();
    for (std::size_t i = 0; i < input.values.size(); ++i)
        std::memcpy(tensor.storage()->data() + i * size, input.values[i].bytes.data(), size);
    return tensor;
}

std::optional<PastValue> onlyElement(const Tensor& tensor, DType dtype) {
    if (tensor.numel() != 1 || tensor.dtype() != dtype) return std::nullopt;
    PastValue value{{}, dtype};
    const std::size_t size = tensor.itemSize();
    std::memcpy(value.bytes.data(), tensor.storage()->data() + static_cast<std::size_t>(tensor.storageOffset()) * size,
                size);
    return value;
}

} // namespace

std::optional<PastValue> replay(const OpRecord& record, const std::vector<ReplayInput>& given) {
    const trace::Nested silent;
    OpRecord again = record;
    if (again.name.ends_with('_')) again.name.pop_back(); // not into its input, but as a new tensor
    try {
        Inputs inputs;
        for (const ReplayInput& input : given) {
            inputs.names.push_back("x" + std::to_string(inputs.names.size()));
            inputs.tensors.push_back(tensorOf(input));
        }
        if (const auto made = carriedOutAgain(record, inputs.tensors))
            return onlyElement(made->front(), record.outputs[0].dtype);
        const std::string line = code::expression(again, inputs.names);
        const auto program = expr::parseProgram(line);
        if (!program || program->statements.size() != 1) return std::nullopt;
        expr::Evaluator evaluator(inputs);
        const expr::Value value = evaluator.execute(program->statements[0], line);
        const auto* made = value.as<expr::TensorValue>();
        return made ? onlyElement(made->tensor, record.outputs[0].dtype) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

namespace {

/// By the line language; nothing where it has no such operation. `assigns`: it is a statement, and has no results.
std::optional<std::vector<Tensor>> evaluated(const OpRecord& record, const std::vector<Tensor>& inputs,
                                             bool assigns = false) {
    Inputs given;
    for (const Tensor& input : inputs) {
        given.names.push_back("x" + std::to_string(given.names.size()));
        given.tensors.push_back(input);
    }
    const std::string line = code::expression(record, given.names);
    const auto program = expr::parseProgram(line);
    if (!program || program->statements.size() != 1) return std::nullopt;
    expr::Evaluator evaluator(given);
    const expr::Value value = evaluator.execute(program->statements[0], line);
    std::vector<Tensor> all;
    if (assigns) return all;
    const auto* several = value.as<expr::Sequence>();
    const std::size_t count = several ? several->items.size() : 1;
    for (std::size_t o = 0; o < count; ++o) {
        const auto* made = (several ? several->items[o] : value).as<expr::TensorValue>();
        if (!made) return std::nullopt;
        all.push_back(made->tensor);
    }
    return all;
}

} // namespace

std::optional<std::vector<Tensor>> madeAgain(const OpRecord& record, const std::vector<Tensor>& inputs) {
    static constexpr std::string_view kCreations[] = {"arange", "zeros",    "ones",     "full",
                                                      "eye",    "linspace", "logspace", "tensor"};
    static constexpr std::string_view kDraws[] = {"bernoulli", "normal",      "rand_like", "randn_like", "randint_like",
                                                  "poisson",   "multinomial", "binomial",  "empty_like", "new_empty"};
    const auto among = [&record](const auto& names) {
        return std::find(std::begin(names), std::end(names), record.name) != std::end(names);
    };
    if (inputs.size() != record.inputs.size() || record.outputs.empty() || record.effect != OpEffect::Alloc ||
        (inputs.empty() ? !among(kCreations) : among(kDraws)))
        return std::nullopt;
    const trace::Nested silent;
    try {
        auto all = carriedOutAgain(record, inputs);
        if (!all) all = evaluated(record, inputs);
        if (!all || all->size() != record.outputs.size()) return std::nullopt;
        for (std::size_t o = 0; o < all->size(); ++o) {
            const Tensor& made = (*all)[o];
            const TensorRecord& wanted = record.outputs[o];
            if (!made.device().isCpu() || made.shape() != wanted.view.shape || made.dtype() != wanted.dtype)
                return std::nullopt;
        }
        return all;
    } catch (const Error&) {
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

bool writtenAgain(const OpRecord& record, const std::vector<Tensor>& inputs) {
    static constexpr std::string_view kDraws[] = {"bernoulli_", "normal_",    "uniform_",    "random_",
                                                  "cauchy_",    "geometric_", "log_normal_", "exponential_"};
    if (inputs.empty() || inputs.size() != record.inputs.size() || record.effect != OpEffect::InPlace ||
        code::writesIntoOut(record) || std::find(std::begin(kDraws), std::end(kDraws), record.name) != std::end(kDraws))
        return false;
    const trace::Nested silent;
    try {
        return evaluated(record, inputs, record.name == "setitem").has_value();
    } catch (const Error&) {
        return false;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

} // namespace stridescope
