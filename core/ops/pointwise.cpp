#include "core/ops/pointwise.h"
#include "core/ops/cast_layout.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/observation.h"
#include "core/ops/promotion.h"
#include "core/tensor/element.h"
#include "core/view/broadcast.h"

namespace stridescope {

namespace {

using elementwise::Alias;
using elementwise::requireCast;
using elementwise::requireDefined;

constexpr DType outDType(ResultKind kind, DType compute) {
    return kind == ResultKind::Comparison ? DType::Bool : compute;
}

DType computeDType(ResultKind kind, DType common) {
    return kind == ResultKind::Float && !isFloating(common) && !isComplex(common) ? defaultDType() : common;
}

/// One input: a tensor, or a number without one.
struct Operand {
    const Tensor* tensor = nullptr;
    Scalar number;

    Operand(const Tensor& t) : tensor(&t) {}
    Operand(Scalar n) : number(n) {}
    bool isBool() const { return tensor ? tensor->dtype() == DType::Bool : number.isBool(); }
    PromotionOperand promotion() const { return tensor ? promotionOperand(*tensor) : promotionOperand(number); }
    Index nbytes() const { return tensor ? tensor->nbytes() : 0; }
};

void refuseBool(BinaryOp op, const Operand& a, const Operand& b) {
    if (op != binaryOp<Sub> || (!a.isBool() && !b.isBool())) return;
    elementwise::refuseBoolMinus(a.isBool() && b.isBool() ? elementwise::BoolMinus::TwoTensors
                                                          : elementwise::BoolMinus::OneTensor);
}

void refuseBool(UnaryOp op, const Tensor& a) {
    if (a.dtype() != DType::Bool) return;
    if (op == unaryOp<Neg>) elementwise::refuseBoolMinus(elementwise::BoolMinus::Negation);
    throwRefusal({ErrorKind::Runtime,
                  "BOOL-04",
                  "\"abs_cpu\" not implemented for 'Bool'",
                  "Convert it first: x.to(torch.int64).",
                  {}});
}

/// A 0-d CPU tensor joins the others as a number; besides that, all must be on one device.
Device commonDevice(const Operand& a, const Operand& b) {
    const auto joinsAny = [](const Operand& o) {
        return !o.tensor || (o.tensor->device().isCpu() && o.tensor->shape().empty());
    };
    if (!a.tensor || !b.tensor) return (a.tensor ? a.tensor : b.tensor)->device();
    const Device da = a.tensor->device(), db = b.tensor->device();
    if (da == db || joinsAny(b)) return da;
    if (joinsAny(a)) return db;
    throwRefusal({ErrorKind::Device,
                  "DEV-03",
                  "Expected all tensors to be on the same device, but found at least two devices, " + toString(da) +
                      " and " + toString(db) + "!",
                  "Move one of them with to().",
                  {}});
}

/// Runs `op` over views that broadcast to out's shape. `out` is new, or checked but for self-overlap.
void runBinary(BinaryOp op, const Operand& a, const Operand& b, const Tensor& out, DType compute, bool newOut) {
    ElementwiseArgs args;
    args.compute = compute;
    args.dtype[0] = out.dtype();
    // A number takes the place of a tensor: one element of the compute type, stride 0 everywhere.
    elementwise::Number numbers[2];
    LoopOperand operands[3] = {elementwise::operandOf(out), {}, {}};
    const Operand* inputs[2] = {&a, &b};
    bool flat = out.isContiguous();
    for (std::size_t i = 0; i < 2; ++i) {
        if (const Tensor* t = inputs[i]->tensor) {
            operands[i + 1] = elementwise::operandOf(*t);
            args.dtype[i + 1] = t->dtype();
            args.isHostScalar[i + 1] = t->device() != out.device();
            flat = flat && t->shape() == out.shape() && t->isContiguous();
        } else {
            numbers[i].set(inputs[i]->number, compute);
            operands[i + 1] = {&numbers[i].view, numbers[i].bytes, itemSize(compute)};
            args.dtype[i + 1] = compute;
            args.isHostScalar[i + 1] = true;
        }
    }
    if (flat && a.tensor && b.tensor) {
        buildFlatLoopSpace(args.space, out.numel(), operands);
    } else if (flat) {
        buildFlatLoopSpace(args.space, out.numel(), operands);
        args.space.stride[0][a.tensor ? 2 : 1] = 0;
    } else {
        buildLoopSpace(args.space, out.shape(), operands);
        if (!newOut) elementwise::requireNoSelfOverlap(out, &args.space);
    }
    elementwise::call(kernelTable(out.device())[op], args, name(op), out.device());
}

DType commonDType(BinaryOp op, const Operand& a, const Operand& b) {
    const DType common = a.tensor && b.tensor && a.tensor->dtype() == b.tensor->dtype()
                             ? a.tensor->dtype()
                             : resultType(std::array{a.promotion(), b.promotion()});
    return computeDType(resultKind(op), common);
}

Dims commonShape(const Operand& a, const Operand& b) {
    if (!b.tensor) return a.tensor->shape();
    if (!a.tensor) return b.tensor->shape();
    if (elementwise::sameShape(a.tensor->view(), b.tensor->view())) return a.tensor->shape();
    return broadcastShapes(a.tensor->shape(), b.tensor->shape()).valueOrThrow();
}

/// Note [Short way] Most calls, and all that must be fast, have plain row-major operands of one shape and dtype on the
/// CPU (or one such operand and a number). They need none of the analysis; whatever is unusual takes the long way.
bool takesShortWay(BinaryOp op, const Tensor& a, const Tensor& b) {
    return a.dtype() == b.dtype() && (resultKind(op) != ResultKind::Float || isFloating(a.dtype())) &&
           a.dtype() < DType::Bool && elementwise::sameShape(a.view(), b.view()) && elementwise::isPlain(a.view()) &&
           elementwise::isPlain(b.view()) && a.device().isCpu() && b.device().isCpu();
}

/// The number becomes an element of the tensor's dtype without a change of the result type.
bool takesShortWay(BinaryOp op, const Tensor& a, Scalar b) {
    const DType t = a.dtype();
    return t < DType::Bool && !b.isComplex() &&
           !(b.isBool() && op == binaryOp<Sub>)&&(isFloating(t) ||
                                                  (resultKind(op) != ResultKind::Float && !b.isFloat())) &&
           elementwise::isPlain(a.view()) && a.device().isCpu();
}

const std::byte* firstElement(const Tensor& t) {
    return t.storageData<std::byte>() + t.storageOffset() * static_cast<Index>(t.itemSize());
}

void callPlain(BinaryOp op, const Tensor& a, const void* b, Index stepB, const Tensor& out, Index n) {
    ElementwiseArgs args;
    args.compute = a.dtype();
    args.dtype = {out.dtype(), a.dtype(), a.dtype()};
    args.isHostScalar[2] = stepB == 0;
    const auto item = static_cast<Index>(a.itemSize());
    LoopSpace& space = args.space;
    space.levels = 1;
    space.operands = 3;
    space.size[0] = n;
    space.data[0] = const_cast<std::byte*>(firstElement(out));
    space.data[1] = const_cast<std::byte*>(firstElement(a));
    space.data[2] = static_cast<std::byte*>(const_cast<void*>(b));
    space.stride[0][0] = static_cast<Index>(out.itemSize());
    space.stride[0][1] = item;
    space.stride[0][2] = stepB;
    elementwise::call(cpuKernels()[op], args, name(op), out.device());
}

Tensor plainResult(const Tensor& like, DType dtype, Index n) {
    StoragePtr storage = Storage::allocate(static_cast<std::size_t>(n) * itemSize(dtype), allocatorFor(Device{}));
    View v = like.view();
    v.offset = 0;
    return Tensor(std::move(storage), std::move(v), dtype);
}

/// 0-d view that stands for a number where layouts are decided.
const View& numberView() {
    static const View view{};
    return view;
}

/// A number becomes a 0-d tensor.
Tensor tensorOf(const Operand& o, DType dtype, Device device) {
    if (o.tensor) return *o.tensor;
    const trace::Nested nested;
    // By way of the widest type: a number too great for `dtype` becomes infinite, as an element would.
    return to(full({}, o.number, {DType::Complex128, device}), dtype);
}

Tensor newBinary(BinaryOp op, const Operand& a, const Operand& b) {
    if (a.tensor && b.tensor && takesShortWay(op, *a.tensor, *b.tensor)) {
        const Index n = a.tensor->numel();
        Tensor out = plainResult(*a.tensor, outDType(resultKind(op), a.tensor->dtype()), n);
        if (n != 0) callPlain(op, *a.tensor, firstElement(*b.tensor), static_cast<Index>(b.tensor->itemSize()), out, n);
        return out;
    }
    if (a.tensor && !b.tensor && takesShortWay(op, *a.tensor, b.number)) {
        const Index n = a.tensor->numel();
        Tensor out = plainResult(*a.tensor, outDType(resultKind(op), a.tensor->dtype()), n);
        const elementwise::Number number(b.number, a.tensor->dtype());
        if (n != 0) callPlain(op, *a.tensor, number.bytes, 0, out, n);
        return out;
    }
    refuseBool(op, a, b);
    const Device device = commonDevice(a, b);
    const DType compute = commonDType(op, a, b);
    if (isComplex(compute))
        return complexops::binary(op, tensorOf(a, compute, device), tensorOf(b, compute, device), compute);
    const DType dtype = outDType(resultKind(op), compute);
    const Dims shape = commonShape(a, b);
    const View* views[] = {a.tensor ? &a.tensor->view() : &numberView(), b.tensor ? &b.tensor->view() : &numberView()};
    std::array<View, 2> cast;
    if (a.tensor && b.tensor && (a.tensor->dtype() != compute || b.tensor->dtype() != compute)) {
        cast = {elementwise::castView(*a.tensor, compute), elementwise::castView(*b.tensor, compute)};
        views[0] = &cast[0], views[1] = &cast[1];
    }
    Tensor out = elementwise::newResult(shape, elementwise::resultStrides(shape, views), dtype, device);
    if (out.numel() != 0) runBinary(op, a, b, out, compute, true);
    return out;
}

/// Everything that may be refused, then the kernel.
void intoBinary(BinaryOp op, const char* fullName, const Operand& a, const Operand& b, const Tensor& out) {
    // A plain output that is none of its inputs' storages, or the first input itself, needs no checks of overlap.
    if (out.dtype() == outDType(resultKind(op), a.tensor->dtype()) && out.storage()->isWritable() &&
        out.device().isCpu() && elementwise::sameShape(out.view(), a.tensor->view()) &&
        elementwise::isPlain(out.view()) &&
        (out.storage() != a.tensor->storage() ||
         (out.storageOffset() == a.tensor->storageOffset() && out.dtype() == a.tensor->dtype())) &&
        (b.tensor ? b.tensor->storage() != out.storage() && takesShortWay(op, *a.tensor, *b.tensor)
                  : takesShortWay(op, *a.tensor, b.number))) {
        const Index n = out.numel();
        if (n == 0) return;
        if (b.tensor) {
            callPlain(op, *a.tensor, firstElement(*b.tensor), static_cast<Index>(b.tensor->itemSize()), out, n);
        } else {
            const elementwise::Number number(b.number, a.tensor->dtype());
            callPlain(op, *a.tensor, number.bytes, 0, out, n);
        }
        out.storage()->bumpVersion();
        return;
    }
    refuseBool(op, a, b);
    if (commonDevice(a, b) != out.device()) commonDevice(a.tensor ? a : b, out);
    const DType compute = commonDType(op, a, b);
    const bool sameShapes =
        (!a.tensor || a.tensor->shape() == out.shape()) && (!b.tensor || b.tensor->shape() == out.shape());
    const Dims shape = sameShapes ? out.shape() : commonShape(a, b); // first that they broadcast, as PyTorch
    requireCast(outDType(resultKind(op), compute), out.dtype());
    if (!sameShapes && shape != out.shape()) elementwise::throwOutputShape(out.shape(), shape);
    elementwise::requireWritable(out, fullName);
    if (isComplex(compute)) { // without elements too: only this says whether there is such a function
        const trace::Nested nested;
        const Tensor value =
            complexops::binary(op, tensorOf(a, compute, out.device()), tensorOf(b, compute, out.device()), compute);
        if (out.numel() != 0) copy_(out, value);
        return;
    }
    if (out.numel() == 0) return;
    const Operand* inputs[] = {&a, &b};
    for (const Operand* input : inputs) {
        if (!input->tensor || input->tensor->storage() != out.storage()) continue;
        if (elementwise::aliasOf(out, *input->tensor) != Alias::Partial) continue;
        elementwise::requireNoSelfOverlap(out, nullptr); // the more fundamental reason first, as in PyTorch
        elementwise::throwPartialOverlap(fullName, out, *input->tensor);
    }
    runBinary(op, a, b, out, compute, false);
    out.storage()->bumpVersion();
}

/// "add_", for refusals and records; built only then.
std::string inPlaceName(const char* base) {
    return std::string(base) + "_";
}

void publishBinary(const Observation& observation, std::string_view fullName, const Operand& a, const Operand& b,
                   const Tensor& out, OpEffect effect) {
    const Observation::Bytes bytes{a.nbytes() + b.nbytes(), out.nbytes(), effect == OpEffect::Alloc ? out.nbytes() : 0};
    if (!a.tensor)
        observation.publish(fullName, toString(a.number), {b.tensor}, out, effect, bytes);
    else if (!b.tensor)
        observation.publish(fullName, toString(b.number), {a.tensor}, out, effect, bytes);
    else
        observation.publish(fullName, "", {a.tensor, b.tensor}, out, effect, bytes);
}

} // namespace

Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b) {
    requireDefined(a, name(op));
    requireDefined(b, name(op));
    const Observation observation;
    Tensor out = newBinary(op, a, b);
    if (observation) publishBinary(observation, name(op), a, b, out, OpEffect::Alloc);
    return out;
}

Tensor binary(BinaryOp op, const Tensor& a, Scalar b) {
    requireDefined(a, name(op));
    const Observation observation;
    Tensor out = newBinary(op, a, b);
    if (observation) publishBinary(observation, name(op), a, b, out, OpEffect::Alloc);
    return out;
}

Tensor binary(BinaryOp op, Scalar a, const Tensor& b) {
    requireDefined(b, name(op));
    const Observation observation;
    Tensor out = newBinary(op, a, b);
    if (observation) {
        // As Python calls it when the number stands on the left: 2 - x is x.__rsub__(2), 2 < x is x > 2.
        const char* reflected = op == binaryOp<Sub>   ? "__rsub__"
                                : op == binaryOp<Div> ? "__rtruediv__"
                                : op == binaryOp<Lt>  ? "gt"
                                : op == binaryOp<Le>  ? "ge"
                                : op == binaryOp<Gt>  ? "lt"
                                : op == binaryOp<Ge>  ? "le"
                                                      : name(op);
        publishBinary(observation, reflected, a, b, out, OpEffect::Alloc);
    }
    return out;
}

const Tensor& binary_(BinaryOp op, const Tensor& a, const Tensor& b) {
    requireDefined(a, name(op));
    requireDefined(b, name(op));
    const Observation observation;
    intoBinary(op, name(op), a, b, a);
    if (observation) publishBinary(observation, inPlaceName(name(op)), a, b, a, OpEffect::InPlace);
    return a;
}

const Tensor& binary_(BinaryOp op, const Tensor& a, Scalar b) {
    requireDefined(a, name(op));
    const Observation observation;
    intoBinary(op, name(op), a, b, a);
    if (observation) publishBinary(observation, inPlaceName(name(op)), a, b, a, OpEffect::InPlace);
    return a;
}

const Tensor& binaryOut(BinaryOp op, const Tensor& a, const Tensor& b, const Tensor& out) {
    requireDefined(a, name(op));
    requireDefined(b, name(op));
    requireDefined(out, name(op));
    const Observation observation;
    intoBinary(op, name(op), a, b, out);
    if (observation) publishBinary(observation, name(op), a, b, out, OpEffect::InPlace);
    return out;
}

const Tensor& binaryOut(BinaryOp op, const Tensor& a, Scalar b, const Tensor& out) {
    requireDefined(a, name(op));
    requireDefined(out, name(op));
    const Observation observation;
    intoBinary(op, name(op), a, b, out);
    if (observation) publishBinary(observation, name(op), a, b, out, OpEffect::InPlace);
    return out;
}

namespace {

void runUnary(UnaryOp op, const Tensor& a, const Tensor& out, bool newOut) {
    ElementwiseArgs args;
    args.compute = a.dtype();
    args.dtype = {out.dtype(), a.dtype()};
    const LoopOperand operands[] = {elementwise::operandOf(out), elementwise::operandOf(a)};
    if (out.isContiguous() && a.isContiguous()) {
        buildFlatLoopSpace(args.space, out.numel(), operands);
    } else {
        buildLoopSpace(args.space, out.shape(), operands);
        if (!newOut) elementwise::requireNoSelfOverlap(out, &args.space);
    }
    elementwise::call(kernelTable(out.device())[op], args, name(op), out.device());
}

} // namespace

Tensor unary(UnaryOp op, const Tensor& a) {
    requireDefined(a, name(op));
    const Observation observation;
    refuseBool(op, a);
    if (isComplex(a.dtype())) {
        Tensor out = complexops::unary(op, a);
        if (observation)
            observation.publish(name(op), "", {&a}, out, OpEffect::Alloc, {a.nbytes(), out.nbytes(), out.nbytes()});
        return out;
    }
    const View* views[] = {&a.view()};
    Tensor out = elementwise::newResult(a.shape(), elementwise::resultStrides(a.shape(), views), a.dtype(), a.device());
    if (out.numel() != 0) runUnary(op, a, out, true);
    if (observation)
        observation.publish(name(op), "", {&a}, out, OpEffect::Alloc, {a.nbytes(), out.nbytes(), out.nbytes()});
    return out;
}

const Tensor& unary_(UnaryOp op, const Tensor& a) {
    requireDefined(a, name(op));
    const Observation observation;
    refuseBool(op, a);
    elementwise::requireWritable(a, name(op));
    if (isComplex(a.dtype()) && op == unaryOp<Abs>)
        throwRefusal({ErrorKind::Runtime,
                      "CPLX-06",
                      "In-place abs is not supported for complex tensors.",
                      "Its result is real: use abs().",
                      {}});
    if (a.numel() != 0) {
        if (isComplex(a.dtype()))
            runUnary(op, complexops::parts(a), complexops::parts(a), false);
        else
            runUnary(op, a, a, false);
        a.storage()->bumpVersion();
    }
    if (observation)
        observation.publish(inPlaceName(name(op)), "", {&a}, a, OpEffect::InPlace, {a.nbytes(), a.nbytes(), 0});
    return a;
}

} // namespace stridescope
