// Products of matrices, linear systems and joining: torch.matmul(a, b), a @ b, torch.linalg.solve(A, b), torch.cat([a,
// b]).

#include "core/expr/context.h"

#include "core/ops/joining.h"
#include "core/ops/linalg.h"
#include "core/ops/matmul.h"
#include "core/ops/promotion.h"
#include "core/view/broadcast.h"

namespace stridescope::expr {

namespace {

/// The shape of a result from those of what goes in, as far as they fit; what does not fit is told when it is computed.
using ResultShape = Dims (*)(const std::vector<Tensor>& inputs, Index dim);
using Compute = Tensor (*)(const std::vector<Tensor>& inputs, Index dim);

struct AlgebraEntry {
    const char* module;
    const char* name;
    enum class Form : std::uint8_t { One, Two, Many } form; ///< tensors that go in; Many: a list of them and a dim
    Compute compute;
    ResultShape shape;
};

Dims firstShape(const std::vector<Tensor>& inputs, Index) {
    return inputs[0].shape();
}
Dims secondShape(const std::vector<Tensor>& inputs, Index) {
    return inputs[1].shape();
}

Dims productShape(const std::vector<Tensor>& inputs, Index) {
    const Dims &a = inputs[0].shape(), &b = inputs[1].shape();
    if (a.empty() || b.empty()) return {};
    const auto batch = [](const Dims& whole) {
        return Dims(std::span<const Index>(whole.begin(), whole.size() > 2 ? whole.size() - 2 : 0));
    };
    Dims shape;
    if (const auto batches = broadcastShapes(batch(a), batch(b))) shape = *batches;
    if (a.size() > 1) shape.push_back(a[a.size() - 2]);
    if (b.size() > 1) shape.push_back(b.back());
    return shape;
}

Dims outerShape(const std::vector<Tensor>& inputs, Index) {
    return {inputs[0].numel(), inputs[1].numel()};
}

Dims catShape(const std::vector<Tensor>& inputs, Index dim) {
    Dims shape = inputs[0].shape();
    const Index at = dim < 0 ? dim + static_cast<Index>(shape.size()) : dim;
    if (at < 0 || at >= static_cast<Index>(shape.size())) return shape;
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        if (inputs[i].dim() == inputs[0].dim()) shape[static_cast<std::size_t>(at)] += inputs[i].size(at);
    }
    return shape;
}

Dims stackShape(const std::vector<Tensor>& inputs, Index dim) {
    Dims shape = inputs[0].shape();
    const Index places = static_cast<Index>(shape.size()) + 1;
    const Index at = dim < 0 ? dim + places : dim;
    if (at >= 0 && at < places) shape.insert(static_cast<std::size_t>(at), static_cast<Index>(inputs.size()));
    return shape;
}

constexpr auto kOne = AlgebraEntry::Form::One;
constexpr auto kTwo = AlgebraEntry::Form::Two;
constexpr auto kMany = AlgebraEntry::Form::Many;

const AlgebraEntry kEntries[] = {
    {"torch", "matmul", kTwo, [](const std::vector<Tensor>& t, Index) { return matmul(t[0], t[1]); }, productShape},
    {"torch", "mm", kTwo, [](const std::vector<Tensor>& t, Index) { return mm(t[0], t[1]); }, productShape},
    {"torch", "mv", kTwo, [](const std::vector<Tensor>& t, Index) { return mv(t[0], t[1]); }, productShape},
    {"torch", "bmm", kTwo, [](const std::vector<Tensor>& t, Index) { return bmm(t[0], t[1]); }, productShape},
    {"torch", "dot", kTwo, [](const std::vector<Tensor>& t, Index) { return dot(t[0], t[1]); }, productShape},
    {"torch", "outer", kTwo, [](const std::vector<Tensor>& t, Index) { return outer(t[0], t[1]); }, outerShape},
    {"torch", "inverse", kOne, [](const std::vector<Tensor>& t, Index) { return inv(t[0]); }, firstShape},
    {"torch.linalg", "inv", kOne, [](const std::vector<Tensor>& t, Index) { return inv(t[0]); }, firstShape},
    {"torch.linalg", "solve", kTwo, [](const std::vector<Tensor>& t, Index) { return solve(t[0], t[1]); }, secondShape},
    {"torch", "cat", kMany, [](const std::vector<Tensor>& t, Index dim) { return cat(t, dim); }, catShape},
    {"torch", "stack", kMany, [](const std::vector<Tensor>& t, Index dim) { return stack(t, dim); }, stackShape},
};

const AlgebraEntry* findEntry(std::string_view module, std::string_view name) {
    for (const AlgebraEntry& entry : kEntries) {
        if (module == entry.module && name == entry.name) return &entry;
    }
    return nullptr;
}

DType resultDType(const std::vector<Tensor>& inputs) {
    DType dtype = inputs[0].dtype();
    for (const Tensor& input : inputs) dtype = promoteTypes(dtype, input.dtype());
    return dtype;
}

Value computed(Context& context, const AlgebraEntry& entry, const std::vector<Tensor>& inputs, Index dim) {
    if (context.options.dryRun)
        return fresh(unmade(context, contiguousView(entry.shape(inputs, dim)).valueOrThrow(), resultDType(inputs),
                            inputs[0].device()));
    for (const Tensor& input : inputs) requireValues(context, input);
    return fresh(entry.compute(inputs, dim));
}

std::vector<Tensor> tensorsOf(const std::string& name, const Value& value) {
    std::vector<Tensor> tensors;
    const auto* sequence = value.as<Sequence>();
    for (std::size_t i = 0; sequence && i < sequence->items.size(); ++i) {
        const auto* tensor = sequence->items[i].as<TensorValue>();
        if (!tensor)
            refuse(ErrorKind::Type, "EXPR-22",
                   "expected Tensor as element " + std::to_string(i) + " in argument 0, but got " +
                       typeName(sequence->items[i]));
        tensors.push_back(tensor->tensor);
    }
    if (!sequence)
        refuse(ErrorKind::Type, "EXPR-22",
               name + "(): argument 'tensors' (position 1) must be tuple of Tensors, not " + typeName(value));
    if (tensors.empty()) refuse(ErrorKind::Runtime, "EXPR-22", name + "(): expected a non-empty list of Tensors");
    return tensors;
}

} // namespace

bool hasAlgebra(const std::string& module, const std::string& name) {
    return findEntry(module, name) != nullptr;
}

bool hasAlgebraMethod(const std::string& name) {
    const AlgebraEntry* entry = findEntry("torch", name);
    return entry && entry->form != AlgebraEntry::Form::Many;
}

Value callAlgebra(Context& context, const std::string& module, const std::string& name, const Arguments& arguments) {
    static const std::vector<Parameter> kParametersOfOne{{"input", Accepts::TensorArg}},
        kParametersOfTwo{{"input", Accepts::TensorArg}, {"other", Accepts::TensorArg}},
        kParametersOfMany{{"tensors", Accepts::Any}, {"dim", Accepts::Int, false}};
    const AlgebraEntry& entry = *findEntry(module, name);
    if (entry.form == AlgebraEntry::Form::Many) {
        const Bound bound(name, kParametersOfMany, arguments);
        return computed(context, entry, tensorsOf(name, bound.value(0)), bound.index(1, 0));
    }
    const bool two = entry.form == AlgebraEntry::Form::Two;
    const Bound bound(name, two ? kParametersOfTwo : kParametersOfOne, arguments);
    std::vector<Tensor> inputs{bound.tensor(0).tensor};
    if (two) inputs.push_back(bound.tensor(1).tensor);
    return computed(context, entry, inputs, 0);
}

Value matrixProduct(Context& context, const TensorValue& left, const TensorValue& right) {
    return computed(context, *findEntry("torch", "matmul"), {left.tensor, right.tensor}, 0);
}

} // namespace stridescope::expr
