#include "core/ops/pointwise_math.h"
#include "core/ops/cast_layout.h"

#include "core/backend/backend.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/math_call.h"
#include "core/ops/observation.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/tensor/element.h"
#include "core/view/broadcast.h"

#include <algorithm>
#include <cstring>

namespace stridescope {

namespace mathcall {

namespace {

using Inputs = std::span<const MathInput* const>;
using elementwise::Alias;

constexpr DType outDType(ResultKind kind, DType compute) {
    return kind == ResultKind::Comparison ? DType::Bool : compute;
}

std::string named(DType t) {
    return "'" + std::string(scalarTypeName(t)) + "'";
}

bool anyBool(const Call& call) {
    return std::any_of(call.in.begin(), call.in.begin() + call.inputs, [](const MathInput* in) {
        return in->tensor() ? in->tensor()->dtype() == DType::Bool : in->number().isBool();
    });
}

/// Refuses what the operation is not defined for.
void requireTypes(const Call& call, DType compute) {
    const MathOp op = call.op;
    const MathOpInfo& known = info(op);
    if (op == mathOp<Heaviside> && !isComplex(compute) && call.in[0]->tensor() && call.in[1]->tensor() &&
        call.in[0]->tensor()->dtype() != call.in[1]->tensor()->dtype())
        refuse("MATH-01", "heaviside is not yet implemented for tensors with different dtypes.",
               "Convert one of them with to().");
    if (isComplex(compute)) return; // decided by complexops::math
    if (op == mathOp<Relu> && compute == DType::Bool)
        refuse("MATH-01", "Boolean inputs not supported for relu", "Convert it first: x.float().");
    if (op == mathOp<SubScaled> && anyBool(call)) elementwise::refuseBoolMinus(elementwise::BoolMinus::OneTensor);
    if (!accepts(known.types, compute))
        refuse("MATH-01", "\"" + std::string(known.kernel) + "\" not implemented for " + named(compute),
               known.types == MathTypes::Integers || known.types == MathTypes::IntegersAndBool
                   ? "It is for whole numbers: x.long()."
                   : "Convert it first: x.float().");
}

/// Refuses numbers outside the range of the type that is computed in, where PyTorch does: limits, exponents, weights
/// and factors. The others become elements of that type as a tensor would, and wrap.
void requireNumbersFit(const Call& call, DType compute) {
    const auto require = [&](int i) {
        const MathInput& in = *call.in[static_cast<std::size_t>(i)];
        if (!in.tensor()) elementwise::requireFits(in.number(), compute);
    };
    const MathOp op = call.op;
    if (op == mathOp<Clamp>) {
        require(1);
        require(2);
    } else if (op == mathOp<Pow>) {
        if (isIntegral(compute) || compute == DType::Float16) require(1);
    } else if (op == mathOp<Lerp>) {
        require(2);
    } else if (op == mathOp<SubScaled>) { // to PyTorch an addition of -alpha times the tensor
        const Scalar alpha = call.parameters[0];
        const bool turns = alpha.isInt() && alpha.toInt() != kIndexMin;
        elementwise::requireFits(turns ? Scalar(-alpha.toInt()) : alpha, compute);
    } else if (op == mathOp<AddScaled> || op == mathOp<Addcmul> || op == mathOp<Addcdiv>) {
        elementwise::requireFits(call.parameters[0], compute);
    }
}

DType computeDType(const Call& call) {
    if (call.compute) return *call.compute;
    const DType common = commonDType(call.inputList());
    // pow(x, 2), which square is, has an integer exponent.
    if (common == DType::Bool && (call.op == mathOp<Square> || call.op == mathOp<Cube>)) return DType::Int64;
    const bool needsFloat = info(call.op).result == ResultKind::Float && !isFloating(common) && !isComplex(common);
    return needsFloat ? defaultDType() : common;
}

/// One device for all; a 0-d CPU tensor joins any.
Device commonDevice(const Call& call) {
    const Tensor* first = nullptr;
    for (const MathInput* in : call.inputList()) {
        const Tensor* t = in->tensor();
        if (!t) continue;
        const auto joinsAny = [](const Tensor& x) { return x.device().isCpu() && x.dim() == 0; };
        if (!first || (joinsAny(*first) && first->device() != t->device())) {
            first = t;
        } else if (t->device() != first->device() && !joinsAny(*t)) {
            throwRefusal({ErrorKind::Device,
                          "DEV-03",
                          "Expected all tensors to be on the same device, but found at least two devices, " +
                              toString(first->device()) + " and " + toString(t->device()) + "!",
                          "Move one of them with to().",
                          {}});
        }
    }
    return first->device();
}

Dims commonShape(const Call& call) {
    const Tensor* first = nullptr;
    Dims shape;
    for (const MathInput* in : call.inputList()) {
        const Tensor* t = in->tensor();
        if (!t) continue;
        if (!first)
            shape = t->shape();
        else if (shape != t->shape())
            shape = broadcastShapes(shape, t->shape()).valueOrThrow();
        first = t;
    }
    return shape;
}

/// Parameters as numbers of the type that is computed in; those of isclose stay doubles.
struct Parameters {
    alignas(8) std::byte bytes[kParameterBytes];

    Parameters(const Call& call, DType compute) {
        const DType work = call.op == mathOp<IsClose>  ? DType::Float64
                           : compute == DType::Float16 ? DType::Float32
                                                       : compute;
        for (int i = 0; i < call.parameterCount; ++i)
            storeElement(bytes + static_cast<std::size_t>(i) * itemSize(work), work,
                         call.parameters[static_cast<std::size_t>(i)]);
    }
};

void run(const Call& call, const Tensor& out, DType compute, bool newOut) {
    ElementwiseArgs args;
    args.compute = compute;
    args.dtype[0] = out.dtype();
    elementwise::Number numbers[3];
    LoopOperand operands[kMaxOperands] = {elementwise::operandOf(out), {}, {}, {}};
    bool flat = out.isContiguous();
    for (std::size_t i = 0; i < static_cast<std::size_t>(call.inputs); ++i) {
        if (const Tensor* t = call.in[i]->tensor()) {
            operands[i + 1] = elementwise::operandOf(*t);
            args.dtype[i + 1] = t->dtype();
            args.isHostScalar[i + 1] = t->device() != out.device();
            flat = flat && t->shape() == out.shape() && t->isContiguous();
        } else {
            numbers[i].set(call.in[i]->number(), compute);
            operands[i + 1] = {&numbers[i].view, numbers[i].bytes, itemSize(compute)};
            args.dtype[i + 1] = compute;
            args.isHostScalar[i + 1] = true;
        }
    }
    const std::span<const LoopOperand> used(operands, static_cast<std::size_t>(call.inputs) + 1);
    if (flat) {
        buildFlatLoopSpace(args.space, out.numel(), used);
        for (int i = 0; i < call.inputs; ++i)
            if (!call.in[static_cast<std::size_t>(i)]->tensor()) args.space.stride[0][i + 1] = 0;
    } else {
        buildLoopSpace(args.space, out.shape(), used);
        if (!newOut) elementwise::requireNoSelfOverlap(out, &args.space);
    }
    const Parameters parameters(call, compute);
    args.parameters = parameters.bytes;
    elementwise::call(kernelTable(out.device())[call.op], args, call.name, out.device());
}

bool divides(MathOp op) {
    return op == mathOp<FloorDivide> || op == mathOp<TruncDivide> || op == mathOp<Remainder> || op == mathOp<Fmod>;
}

/// Refuses integers divided by 0, before anything is written.
void requireNoZeroDivisor(const Call& call, DType compute) {
    if (!divides(call.op) || isFloating(compute) || isComplex(compute)) return;
    for (const MathInput* in : call.in)
        if (in && in->tensor() && in->tensor()->numel() == 0) return; // nothing is divided
    const MathInput& divisor = *call.in[1];
    bool zero = false;
    if (const Tensor* t = divisor.tensor()) {
        if (!t->device().isCpu()) return;
        const trace::Nested nested;
        const Tensor converted = to(*t, compute); // a 0-d one can become 0 on the way
        zero = converted.numel() != 0 && !item(all(converted)).toBool();
    } else {
        zero = elementwise::Number(divisor.number(), compute).bytes[0] == std::byte{0} &&
               loadElement(elementwise::Number(divisor.number(), compute).bytes, compute).toInt() == 0;
    }
    if (zero) refuse("DIV-01", "ZeroDivisionError", "Integers have no infinity; divide floats, or use where() first.");
}

/// The inputs as tensors, for complex arithmetic.
Tensor complexResult(const Call& call, DType compute, Device device) {
    const trace::Nested nested;
    const auto tensorOf = [&](const MathInput& in) {
        return in.tensor() ? to(*in.tensor(), compute) : full({}, in.number(), {compute, device});
    };
    const auto plus = [&](const Tensor& a, const Tensor& b) { return complexops::sum(a, b, compute); };
    if (call.op == mathOp<Addcmul> || call.op == mathOp<Addcdiv>) {
        const Tensor scaled = mul(tensorOf(*call.in[1]), call.parameters[0]);
        return plus(tensorOf(*call.in[0]), call.op == mathOp<Addcmul> ? mul(scaled, tensorOf(*call.in[2]))
                                                                      : div(scaled, tensorOf(*call.in[2])));
    }
    if (call.op == mathOp<AddScaled>)
        return plus(tensorOf(*call.in[0]), mul(tensorOf(*call.in[1]), call.parameters[0]));
    if (call.op == mathOp<SubScaled>)
        return plus(tensorOf(*call.in[0]), neg(mul(tensorOf(*call.in[1]), call.parameters[0])));
    if (call.op == mathOp<Lerp>) {
        const Tensor a = tensorOf(*call.in[0]);
        return plus(a, mul(tensorOf(*call.in[2]), plus(tensorOf(*call.in[1]), neg(a))));
    }
    if (call.op == mathOp<Pow> && !call.in[0]->tensor() &&
        call.in[0]->number().to<Complex<double>>() == Complex<double>{1})
        return full(call.in[1]->tensor()->shape(), Scalar(1), {compute, device});
    const Tensor a = tensorOf(*call.in[0]);
    if (call.op == mathOp<Pow> && !call.in[1]->tensor() && call.in[1]->number().imag() == 0) {
        const double exponent = call.in[1]->number().toDouble();
        if (exponent == 0) return full(a.shape(), Scalar(1), {compute, device});
        if (exponent == 1) return clone(a);
        if (exponent == -2) return reciprocal(square(a));
    }
    if (call.inputs == 1) return complexops::math(call.op, call.name, a, nullptr, compute);
    const Tensor b = tensorOf(*call.in[1]);
    return complexops::math(call.op, call.name, a, &b, compute);
}

void requireDefined(const Call& call) {
    for (const MathInput* in : call.inputList())
        if (in->tensor()) elementwise::requireDefined(*in->tensor(), call.name);
    if (call.inputs == 2 && !call.in[0]->tensor() && !call.in[1]->tensor())
        refuse("MATH-04", std::string(call.name) + "(): one argument at least must be Tensor",
               "Numbers alone are Python's.");
}

/// One plain row-major tensor of floats on the CPU, and nothing else: see Note [Short way] in pointwise.cpp.
bool takesShortWay(const Call& call) {
    if (call.inputs != 1 || call.parameterCount != 0 || call.compute) return false;
    const Tensor& a = *call.in[0]->tensor();
    return isFloating(a.dtype()) && accepts(info(call.op).types, a.dtype()) && a.device().isCpu() &&
           elementwise::isPlain(a.view());
}

Tensor madePlain(const Call& call, const Tensor& a) {
    const Index n = a.numel();
    const DType dtype = outDType(info(call.op).result, a.dtype());
    StoragePtr storage = Storage::allocate(static_cast<std::size_t>(n) * itemSize(dtype), allocatorFor(Device{}));
    View view = a.view();
    view.offset = 0;
    Tensor out(std::move(storage), std::move(view), dtype);
    if (n == 0) return out;
    ElementwiseArgs args;
    args.compute = a.dtype();
    args.dtype[0] = dtype;
    args.dtype[1] = a.dtype();
    const LoopOperand operands[] = {elementwise::operandOf(out), elementwise::operandOf(a)};
    buildFlatLoopSpace(args.space, n, operands);
    elementwise::call(cpuKernels()[call.op], args, call.name, out.device());
    return out;
}

void publish(const Observation& observation, const Call& call, const Tensor& out, bool inPlace, OpEffect effect) {
    std::string text, name = call.name;
    const Tensor* tensors[3] = {};
    int count = 0;
    Observation::Bytes bytes{0, out.nbytes(), effect == OpEffect::Alloc ? out.nbytes() : 0};
    for (int i = 0; i < call.inputs; ++i) {
        const MathInput& in = *call.in[static_cast<std::size_t>(i)];
        if (in.tensor()) {
            tensors[count++] = in.tensor();
            bytes.read += in.tensor()->nbytes();
        } else if (i != call.absent && !(call.absent == 1 && i == 2)) {
            text += (text.empty() ? "" : ", ") + toString(in.number());
            if (i != 0) continue;
            // As Python calls it when the number stands on the left; where it has no such method, the function.
            const char* reflected = !call.arguments.empty()          ? nullptr
                                    : call.op == mathOp<Pow>         ? "__rpow__"
                                    : call.op == mathOp<FloorDivide> ? "__rfloordiv__"
                                    : call.op == mathOp<Remainder>   ? "__rmod__"
                                    : call.op == mathOp<LeftShift>   ? "__rlshift__"
                                    : call.op == mathOp<RightShift>  ? "__rrshift__"
                                                                     : nullptr;
            if (reflected)
                name = reflected;
            else if (std::string_view(call.name) != "rsub")
                text += ", {0}";
        }
    }
    if (!call.arguments.empty()) text += (text.empty() ? "" : ", ") + call.arguments;
    if (inPlace) name += "_";
    if (count == 1)
        observation.publish(name.c_str(), text, {tensors[0]}, out, effect, bytes);
    else if (count == 2)
        observation.publish(name.c_str(), text, {tensors[0], tensors[1]}, out, effect, bytes);
    else
        observation.publish(name.c_str(), text, {tensors[0], tensors[1], tensors[2]}, out, effect, bytes);
}

} // namespace

void refuse(std::string id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, std::move(id), std::move(message), std::move(hint), {}});
}

DType commonDType(Inputs inputs) {
    std::array<PromotionOperand, 3> operands;
    std::size_t count = 0;
    for (const MathInput* in : inputs)
        operands[count++] = in->tensor() ? promotionOperand(*in->tensor()) : promotionOperand(in->number());
    return count == 1 ? operands[0].dtype : resultType(std::span(operands.data(), count));
}

Tensor made(const Call& call) {
    requireDefined(call);
    const Observation observation;
    if (takesShortWay(call)) {
        Tensor out = madePlain(call, *call.in[0]->tensor());
        if (observation) publish(observation, call, out, false, OpEffect::Alloc);
        return out;
    }
    const DType compute = computeDType(call);
    const Device device = commonDevice(call);
    // PyTorch looks at shapes before it looks for a kernel; heaviside has no kernel for two dtypes.
    if (call.op == mathOp<Heaviside>) requireTypes(call, compute);
    const Dims shape = commonShape(call);
    requireTypes(call, compute);
    requireNumbersFit(call, compute);
    Tensor out;
    if (isComplex(compute)) {
        out = complexResult(call, compute, device);
        if (call.rowMajor) {
            const trace::Nested nested;
            out = contiguous(out);
        }
    } else {
        static const View number{};
        const View* views[3];
        std::array<View, 3> cast;
        for (std::size_t i = 0; i < static_cast<std::size_t>(call.inputs); ++i) {
            const Tensor* const t = call.in[i]->tensor();
            views[i] = t ? &t->view() : &number;
            if (t && t->dtype() != compute && !t->view().isDense())
                views[i] = &(cast[i] = elementwise::castView(*t, compute));
        }
        const std::span<const View* const> used(views, static_cast<std::size_t>(call.inputs));
        requireNoZeroDivisor(call, compute);
        out = elementwise::newResult(
            shape, call.rowMajor ? elementwise::rowMajorStrides(shape) : elementwise::resultStrides(shape, used),
            outDType(info(call.op).result, compute), device);
        if (out.numel() != 0) run(call, out, compute, true);
    }
    if (observation) publish(observation, call, out, false, OpEffect::Alloc);
    return out;
}

const Tensor& into(const Call& call, const Tensor& out, bool inPlace) {
    requireDefined(call);
    elementwise::requireDefined(out, call.name);
    const Observation observation;
    const DType compute = computeDType(call);
    const Dims shape = commonShape(call); // PyTorch looks at shapes before it looks for a kernel
    requireTypes(call, compute);
    const Device device = commonDevice(call);
    if (device != out.device())
        throwRefusal({ErrorKind::Device,
                      "DEV-03",
                      "Expected all tensors to be on the same device, but found at least two devices, " +
                          toString(device) + " and " + toString(out.device()) + "!",
                      "Move one of them with to().",
                      {}});
    if (call.op == mathOp<Heaviside> && !isComplex(compute) && out.dtype() != compute)
        refuse("MATH-01", "heaviside is not yet implemented for tensors with different dtypes.",
               "Give an output of dtype " + std::string(name(compute)) + ".");
    const DType result = outDType(info(call.op).result, compute);
    if (out.dtype() != DType::Bool &&
        (call.op == mathOp<IsPosInf> || call.op == mathOp<IsNegInf> || call.op == mathOp<Signbit>))
        refuse("MATH-03", std::string(call.name) + " does not support non-boolean outputs.",
               "Give an output of dtype bool.");
    elementwise::requireCast(result, out.dtype());
    if (shape != out.shape()) elementwise::throwOutputShape(out.shape(), shape);
    elementwise::requireWritable(out, call.name);
    requireNumbersFit(call, compute);
    requireNoZeroDivisor(call, compute);
    if (isComplex(compute)) { // without elements too: only this says whether there is such a function
        const Tensor value = complexResult(call, compute, device);
        const trace::Nested nested;
        if (out.numel() != 0) copy_(out, value);
    } else if (out.numel() != 0) {
        for (const MathInput* in : call.inputList()) {
            if (!in->tensor() || in->tensor()->storage() != out.storage()) continue;
            if (elementwise::aliasOf(out, *in->tensor()) != Alias::Partial) continue;
            elementwise::requireNoSelfOverlap(out, nullptr);
            elementwise::throwPartialOverlap(call.name, out, *in->tensor());
        }
        run(call, out, compute, false);
        out.storage()->bumpVersion();
    }
    if (observation) publish(observation, call, out, inPlace, OpEffect::InPlace);
    return out;
}

} // namespace mathcall

using mathcall::Call;

Tensor math(MathOp op, const Tensor& a) {
    const MathInput in(a);
    return mathcall::made(Call(op, in));
}
const Tensor& math_(MathOp op, const Tensor& a) {
    const MathInput in(a);
    mathcall::into(Call(op, in), a, true);
    return a;
}
const Tensor& mathOut(MathOp op, const Tensor& a, const Tensor& out) {
    const MathInput in(a);
    mathcall::into(Call(op, in), out, false);
    return out;
}
Tensor math(MathOp op, const MathInput& a, const MathInput& b) {
    return mathcall::made(Call(op, a, b));
}
const Tensor& math_(MathOp op, const Tensor& a, const MathInput& b) {
    const MathInput in(a);
    mathcall::into(Call(op, in, b), a, true);
    return a;
}
const Tensor& mathOut(MathOp op, const MathInput& a, const MathInput& b, const Tensor& out) {
    mathcall::into(Call(op, a, b), out, false);
    return out;
}

} // namespace stridescope
