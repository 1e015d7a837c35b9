#include "core/expr/ternary_calls.h"

#include "core/ops/cast_layout.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise_math.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "core/view/broadcast.h"

#include <algorithm>

namespace stridescope::expr {

namespace {

MathInput inputAt(const Bound& arguments, std::size_t i) {
    if (const auto* tensor = arguments.value(i).as<TensorValue>()) return tensor->tensor;
    return arguments.scalar(i);
}
std::optional<MathInput> inputIfAny(const Bound& arguments, std::size_t i) {
    return arguments.has(i) ? std::optional(inputAt(arguments, i)) : std::nullopt;
}
const Tensor& tensorAt(const Bound& arguments, std::size_t i) {
    return arguments.tensor(i).tensor;
}
/// addcmul's value=.
Scalar factorOf(const Bound& arguments) {
    return arguments.has(3) ? arguments.scalar(3) : Scalar(1);
}

Tensor whereOf(const Bound& in) {
    const MathInput a = inputAt(in, 1), b = inputAt(in, 2);
    const Tensor& condition = tensorAt(in, 0);
    if (a.tensor())
        return b.tensor() ? where(condition, *a.tensor(), *b.tensor()) : where(condition, *a.tensor(), b.number());
    return b.tensor() ? where(condition, a.number(), *b.tensor()) : where(condition, a.number(), b.number());
}

Tensor filledOf(const Bound& in) {
    const MathInput value = inputAt(in, 2);
    if (value.tensor() && value.tensor()->dim() != 0)
        refuse(ErrorKind::Runtime, "MASK-02",
               "masked_fill only supports a 0-dimensional value tensor, but got tensor with " +
                   std::to_string(value.tensor()->dim()) + " dimension(s).",
               "where takes one value for each element.");
    return maskedFill(tensorAt(in, 0), tensorAt(in, 1), value.tensor() ? item(*value.tensor()) : value.number());
}
void fill(const Tensor& target, const Bound& in) {
    const MathInput value = inputAt(in, 2);
    if (value.tensor())
        maskedFill_(target, tensorAt(in, 1), *value.tensor());
    else
        maskedFill_(target, tensorAt(in, 1), value.number());
}

const std::vector<TernaryCall>& table() {
    using B = const Bound&;
    using T = const Tensor&;
    constexpr auto kTensor = Accepts::TensorArg, kEither = Accepts::TensorOrNumber;
    const std::vector<Parameter> product{
        {"input", kTensor}, {"tensor1", kTensor}, {"tensor2", kTensor}, {"value", Accepts::Number, false, false, true}};
    static const std::vector<TernaryCall> kCalls{
        {"where", {{"condition", kTensor}, {"input", kEither}, {"other", kEither}}, 3, 1, false, whereOf, nullptr},
        {"clamp",
         {{"input", kTensor}, {"min", kEither, false}, {"max", kEither, false}},
         3,
         0,
         false,
         [](B in) { return clamp(tensorAt(in, 0), inputIfAny(in, 1), inputIfAny(in, 2)); },
         [](T t, B in) { clamp_(t, inputIfAny(in, 1), inputIfAny(in, 2)); }},
        {"clamp_min",
         {{"input", kTensor}, {"min", kEither}},
         2,
         0,
         false,
         [](B in) { return clamp(tensorAt(in, 0), inputAt(in, 1), std::nullopt); },
         [](T t, B in) { clamp_(t, inputAt(in, 1), std::nullopt); }},
        {"clamp_max",
         {{"input", kTensor}, {"max", kEither}},
         2,
         0,
         false,
         [](B in) { return clamp(tensorAt(in, 0), std::nullopt, inputAt(in, 1)); },
         [](T t, B in) { clamp_(t, std::nullopt, inputAt(in, 1)); }},
        {"lerp",
         {{"input", kTensor}, {"end", kTensor}, {"weight", kEither}},
         3,
         0,
         false,
         [](B in) { return lerp(tensorAt(in, 0), tensorAt(in, 1), inputAt(in, 2)); },
         [](T t, B in) { lerp_(t, tensorAt(in, 1), inputAt(in, 2)); }},
        {"masked_fill", {{"input", kTensor}, {"mask", kTensor}, {"value", kEither}}, 3, 0, true, filledOf, fill},
        {"addcmul", product, 3, 0, false,
         [](B in) { return addcmul(tensorAt(in, 0), tensorAt(in, 1), tensorAt(in, 2), factorOf(in)); },
         [](T t, B in) { addcmul_(t, tensorAt(in, 1), tensorAt(in, 2), factorOf(in)); }},
        {"addcdiv", product, 3, 0, false,
         [](B in) { return addcdiv(tensorAt(in, 0), tensorAt(in, 1), tensorAt(in, 2), factorOf(in)); },
         [](T t, B in) { addcdiv_(t, tensorAt(in, 1), tensorAt(in, 2), factorOf(in)); }}};
    return kCalls;
}

/// The arguments of a call in the order of the function, `self` among them.
Bound bind(const TernaryCall& call, const TensorValue* self, const Arguments& arguments) {
    const std::string name(call.name);
    const std::span<const Parameter> all = call.parameters;
    if (!self) return Bound(name, all, arguments);
    // Bound without self at first, so that refusals count as people do.
    if (call.self == 0) static_cast<void>(Bound(name, all.subspan(1), arguments));
    Arguments whole = arguments;
    if (call.self <= whole.positional.size())
        whole.positional.insert(whole.positional.begin() + static_cast<std::ptrdiff_t>(call.self), Value(*self));
    else // x.where(condition=c, other=y)
        whole.named.emplace_back(call.parameters[call.self].name, *self);
    return Bound(name, all, whole);
}

/// The inputs that are tensors, in the order in which their shapes meet.
std::vector<const Tensor*> tensorsOf(const TernaryCall& call, const Bound& bound) {
    if (call.masks) return {&tensorAt(bound, 1), &tensorAt(bound, 0)}; // its value is one element
    std::vector<const Tensor*> tensors;
    for (std::size_t i = 0; i < call.inputs; ++i)
        if (bound.has(i) && bound.value(i).is<TensorValue>()) tensors.push_back(&tensorAt(bound, i));
    return tensors;
}

Dims commonShape(std::span<const Tensor* const> tensors) {
    Dims shape = tensors.front()->shape();
    for (const Tensor* tensor : tensors)
        if (!(tensor->shape() == shape)) shape = broadcastShapes(shape, tensor->shape()).valueOrThrow();
    return shape;
}

/// The call on tensors that keep one element each; their sizes are 1, or with `whole` what they are: what is refused
/// of them is refused of the call, whatever its elements are.
Bound probesOf(const TernaryCall& call, const Bound& bound, bool whole) {
    Arguments probes;
    for (std::size_t i = 0; i < call.parameters.size(); ++i) {
        if (!bound.has(i)) continue;
        Value value = bound.value(i);
        if (auto* tensor = value.as<TensorValue>()) {
            const Dims shape = tensor->tensor.shape();
            const std::size_t rank = shape.size();
            const Tensor one = ones(Dims(rank, 1), {tensor->tensor.dtype(), tensor->tensor.device()});
            tensor->tensor = whole ? one.withView(View{shape, Dims(rank, 0), 0}) : one;
        }
        probes.named.emplace_back(call.parameters[i].name, std::move(value));
    }
    return Bound(std::string(call.name), call.parameters, probes);
}

Value layoutOf(Context& context, const TernaryCall& call, const Bound& bound) {
    const trace::Nested nested;
    const std::vector<const Tensor*> tensors = tensorsOf(call, bound);
    Dims shape;
    try {
        shape = commonShape(tensors);
    } catch (const Error&) {
        call.make(probesOf(call, bound, true)); // some refuse dtypes before sizes
        throw;
    }
    const Tensor probe = call.make(probesOf(call, bound, false));
    Dims strides = elementwise::rowMajorStrides(shape);
    if (!call.masks) {
        // where() converts what it has chosen, the others what goes in.
        std::vector<View> views;
        for (const Tensor* tensor : tensors)
            views.push_back(call.self == 0 ? elementwise::castView(*tensor, probe.dtype()) : tensor->view());
        std::vector<const View*> operands;
        for (const View& view : views) operands.push_back(&view);
        strides = elementwise::resultStrides(shape, operands);
    }
    return fresh(unmade(context, View{shape, strides, 0}, probe.dtype(), probe.device()));
}

} // namespace

const TernaryCall* findTernary(std::string_view name) {
    if (name == "clip") name = "clamp";
    for (const TernaryCall& call : table())
        if (call.name == name) return &call;
    return nullptr;
}

const TernaryCall* findTernaryInPlace(std::string_view name) {
    if (name.size() < 2 || name.back() != '_') return nullptr;
    const TernaryCall* call = findTernary(name.substr(0, name.size() - 1));
    return call && call->write ? call : nullptr;
}

std::vector<TernaryInput> ternaryInputs(const Node& node, const TernaryCall& call, bool method) {
    std::vector<TernaryInput> inputs;
    std::vector<bool> given(call.parameters.size(), false);
    const Node& owner = node.children[0].children[0];
    if (method) inputs.push_back({&owner, call.self, {}});
    if (method) given[call.self] = true;
    std::size_t next = 0;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
        const std::string& keyword = node.keywords[i - 1];
        std::size_t at = 0;
        if (keyword.empty()) {
            if (method && next == call.self) ++next;
            at = next++;
        } else {
            while (at < call.parameters.size() && keyword != call.parameters[at].name) ++at;
        }
        if (at >= (keyword.empty() ? call.inputs : call.parameters.size()) || given[at]) return {};
        const bool absent = node.children[i].kind == NodeKind::None && !call.parameters[at].required;
        given[at] = !absent;
        if (at < call.inputs && !absent) inputs.push_back({&node.children[i], at, keyword});
    }
    bool gap = false;
    for (std::size_t i = 0; i < call.inputs; ++i) {
        if (!given[i] && call.parameters[i].required) return {};
        for (TernaryInput& input : inputs)
            if (input.parameter == i && gap) input.keyword = call.parameters[i].name;
        gap = gap || !given[i];
    }
    if (inputs.size() < 2) inputs.clear();
    return inputs;
}

Value callTernary(Context& context, const TernaryCall& call, const TensorValue* self, const Arguments& arguments) {
    const Bound bound = bind(call, self, arguments);
    if (context.options.dryRun) return layoutOf(context, call, bound);
    return fresh(call.make(bound));
}

Value callTernaryInPlace(Context& context, const TernaryCall& call, const TensorValue& self,
                         const Arguments& arguments) {
    const Bound bound = bind(call, &self, arguments);
    const Tensor out = self.tensor;
    std::vector<const Tensor*> tensors = tensorsOf(call, bound);
    if (call.masks) std::swap(tensors[0], tensors[1]);
    const Dims shape = commonShape(tensors);
    if (!(shape == out.shape())) elementwise::throwOutputShape(out.shape(), shape);
    {
        // What no values are needed to refuse is refused before anybody is told that elements will change.
        const trace::Nested nested;
        const Bound probes = probesOf(call, bound, false);
        call.write(tensorAt(probes, 0), probes);
    }
    writeInto(context, out, [&] { call.write(out, bound); });
    return self;
}

} // namespace stridescope::expr
