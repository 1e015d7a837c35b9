#include "core/ops/complex.h"
#include "core/ops/cast_layout.h"

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/complex_call.h"
#include "core/ops/complex_parts.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/observation.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/view/broadcast.h"

#include <array>
#include <cmath>
#include <vector>

namespace stridescope {

namespace {

using elementwise::requireDefined;

/// The layout of one part of each element: everything doubled, for a slot is a part now.
View partView(const View& v, Index which) {
    View view = v;
    view.offset = 2 * v.offset + which;
    for (Index& stride : view.stride) stride *= 2;
    return view;
}

/// `f(in, out, n)` on ranges of elements side by side, in parallel.
template <class In, class Out, class F>
Tensor mapped(const Tensor& t, DType result, F f) {
    elementwise::requireHost("operation on complex numbers", t);
    Tensor out = complexops::resultOf(t.shape(), {&t}, result);
    const Tensor from = complexops::besideOf(out, t, t.dtype());
    const In* in = from.data<In>();
    Out* to = out.data<Out>();
    parallelFor(0, t.numel(), kParallelThreshold,
                [&](Index begin, Index end) { f(in + begin, to + begin, end - begin); });
    out.storage()->bumpVersion();
    return out;
}

/// Publishes what is a view of `t`.
Tensor publishedView(const char* name, const Tensor& t, const Observation& observation, Tensor view) {
    if (observation) observation.publish(name, "", {&t}, view, OpEffect::View, {});
    return view;
}

Tensor joined(const char* name, const Tensor& a, const Tensor& b, bool polarForm) {
    requireDefined(a, name);
    requireDefined(b, name);
    const std::string typeA(scalarTypeName(a.dtype())), typeB(scalarTypeName(b.dtype()));
    if (!isFloating(a.dtype()) || !isFloating(b.dtype()) || a.dtype() == DType::Float16)
        throwRefusal({ErrorKind::Runtime,
                      "CPLX-04",
                      "Expected both inputs to be Half, Float or Double tensors but got " + typeA + " and " + typeB,
                      "Convert them first: x.float().",
                      {}});
    if (a.dtype() != b.dtype())
        throwRefusal(
            {ErrorKind::Runtime,
             "CPLX-04",
             "Expected object of scalar type " + typeA + " but got scalar type " + typeB + " for second argument",
             "Both parts need one dtype: convert one with to().",
             {}});
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        const Dims shape = broadcastShapes(a.shape(), b.shape()).valueOrThrow();
        if (polarForm && !a.device().isCpu()) return complexparts::polar(a, b);
        const View* const views[] = {&a.view(), &b.view()};
        Tensor out = elementwise::newResult(shape, elementwise::resultStrides(shape, views), complexDType(a.dtype()),
                                            a.device());
        copy_(complexops::part(out, 0), a);
        copy_(complexops::part(out, 1), b);
        if (!polarForm) return out;
        return visitDType(a.dtype(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            if constexpr (std::is_floating_point_v<T>)
                return mapped<Complex<T>, Complex<T>>(
                    out, out.dtype(), [](const Complex<T>* in, Complex<T>* to, Index n) {
                        for (Index i = 0; i < n; ++i)
                            to[i] = {in[i].re * std::cos(in[i].im), in[i].re * std::sin(in[i].im)};
                    });
            else
                return out;
        });
    }();
    if (observation)
        observation.publish(name, "", {&a, &b}, result, OpEffect::Alloc,
                            {a.nbytes() + b.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

} // namespace

namespace complexops {

Tensor parts(const Tensor& t) {
    View view = partView(t.view(), 0);
    view.shape.push_back(2);
    view.stride.push_back(1);
    return Tensor(t.storage(), std::move(view), realPartDType(t.dtype()));
}

Tensor part(const Tensor& t, int which) {
    return Tensor(t.storage(), partView(t.view(), which), realPartDType(t.dtype()));
}

Tensor resultOf(const Dims& shape, std::initializer_list<const Tensor*> operands, DType dtype) {
    std::vector<const View*> views;
    for (const Tensor* t : operands) views.push_back(&t->view());
    return elementwise::newResult(shape, elementwise::resultStrides(shape, views), dtype,
                                  (*operands.begin())->device());
}

Tensor besideOf(const Tensor& out, const Tensor& t, DType dtype) {
    if (t.dtype() == dtype && t.shape() == out.shape() && t.stride() == out.stride()) return t;
    Tensor copy = elementwise::newResult(out.shape(), out.stride(), dtype, out.device());
    return copy_(copy, t);
}

Tensor looped(cpu::ComplexLoop loop, std::initializer_list<const Tensor*> inputs, DType compute, DType result) {
    Dims shape;
    std::array<View, 2> cast;
    std::vector<const View*> views;
    for (const Tensor* t : inputs) {
        shape = views.empty() ? t->shape() : broadcastShapes(shape, t->shape()).valueOrThrow();
        cast[views.size()] = elementwise::castView(*t, compute);
        views.push_back(&cast[views.size()]);
    }
    Tensor out =
        elementwise::newResult(shape, elementwise::resultStrides(shape, views), result, (*inputs.begin())->device());
    // One element for all is not spread out, unless nothing else is left to go along.
    std::array<Tensor, 2> sources;
    std::array<const std::byte*, 2> from{};
    std::array<Index, 2> step{};
    unsigned scalars = 0;
    std::size_t count = 0;
    for (const Tensor* t : inputs) {
        const bool single = t->numel() == 1 && out.numel() != 1;
        sources[count] = single ? (t->dtype() == compute ? *t : to(*t, compute)) : besideOf(out, *t, compute);
        const Tensor& source = sources[count];
        const auto size = static_cast<Index>(source.itemSize());
        from[count] = source.storage()->data() + source.storageOffset() * size;
        step[count] = single ? 0 : size;
        scalars |= static_cast<unsigned>(single) << count;
        ++count;
    }
    std::byte* const target = out.storage()->data();
    const auto outSize = static_cast<Index>(out.itemSize());
    parallelFor(0, out.numel(), kParallelThreshold, [&](Index begin, Index end) {
        const void* in[2] = {from[0] + begin * step[0], count == 2 ? from[1] + begin * step[1] : nullptr};
        loop(target + begin * outSize, in, scalars, end - begin);
    });
    out.storage()->bumpVersion();
    return out;
}

namespace {

/// PyTorch looks at shapes before it looks for a kernel, except in maximum and minimum.
[[noreturn]] void refuseBinary(BinaryOp op, const Tensor& a, const Tensor& b, DType compute) {
    if (op == binaryOp<Maximum> || op == binaryOp<Minimum>)
        throwRefusal({ErrorKind::Runtime,
                      "CPLX-05",
                      std::string(name(op)) + " not implemented for complex tensors.",
                      "Complex numbers have no order: compare the magnitudes, x.abs().",
                      {}});
    (void)broadcastShapes(a.shape(), b.shape()).valueOrThrow();
    throwNotForComplex(name(op), compute);
}

} // namespace

Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b, DType compute) {
    if (op != binaryOp<Add> && op != binaryOp<Sub> && op != binaryOp<Mul> && op != binaryOp<Div> &&
        op != binaryOp<Eq> && op != binaryOp<Ne>)
        refuseBinary(op, a, b, compute);
    const trace::Nested nested;
    if (!a.device().isCpu() || !b.device().isCpu()) return complexparts::binary(op, a, b, compute);
    const cpu::ComplexLoop loop = loopOf(cpu::isa().complex->binary[static_cast<std::size_t>(op)], compute);
    return looped(loop, {&a, &b}, compute, resultKind(op) == ResultKind::Comparison ? DType::Bool : compute);
}

Tensor sum(const Tensor& a, const Tensor& b, DType compute) {
    const trace::Nested nested;
    const Dims shape = broadcastShapes(a.shape(), b.shape()).valueOrThrow();
    Tensor out = resultOf(shape, {&a, &b}, compute);
    copy_(parts(out), add(parts(besideOf(out, a, compute)), parts(besideOf(out, b, compute))));
    return out;
}

Tensor unary(UnaryOp op, const Tensor& a) {
    const trace::Nested nested;
    if (!a.device().isCpu()) return complexparts::unary(op, a);
    const cpu::ComplexLoop loop = loopOf(cpu::isa().complex->unary[static_cast<std::size_t>(op)], a.dtype());
    return looped(loop, {&a}, a.dtype(), op == unaryOp<Abs> ? realPartDType(a.dtype()) : a.dtype());
}

void throwNotForComplex(const char* kernel, DType t) {
    throwRefusal({ErrorKind::Runtime,
                  "CPLX-05",
                  "\"" + std::string(kernel) + "_cpu\" not implemented for '" + std::string(scalarTypeName(t)) + "'",
                  "Take the real or the imaginary part, x.real or x.imag, or the magnitude, x.abs().",
                  {}});
}

} // namespace complexops

Tensor viewAsReal(const Tensor& t) {
    requireDefined(t, "view_as_real");
    if (!isComplex(t.dtype()))
        throwRefusal({ErrorKind::Runtime,
                      "CPLX-01",
                      "view_as_real is only supported for complex tensors",
                      "This one is " + std::string(name(t.dtype())) + ".",
                      {}});
    const Observation observation;
    return publishedView("view_as_real", t, observation, complexops::parts(t));
}

Tensor viewAsComplex(const Tensor& t) {
    requireDefined(t, "view_as_complex");
    const auto refuse = [](std::string why, std::string hint) {
        throwRefusal({ErrorKind::Runtime, "CPLX-02", std::move(why), std::move(hint), {}});
    };
    if (t.dtype() != DType::Float32 && t.dtype() != DType::Float64)
        refuse("view_as_complex is only supported for floating point tensors, but got a tensor of scalar type: " +
                   std::string(scalarTypeName(t.dtype())),
               "Convert it first: x.float().");
    if (t.dim() == 0) refuse("Input tensor must have one or more dimensions", "");
    View view = t.view();
    if (view.shape.back() != 2)
        refuse("Tensor must have a last dimension of size 2",
               "The last size is " + std::to_string(view.shape.back()) + ".");
    if (view.stride.back() != 1)
        refuse("Tensor must have a last dimension with stride 1",
               "The last stride is " + std::to_string(view.stride.back()) + "; contiguous() makes it 1.");
    if (view.offset % 2 != 0)
        refuse("Tensor must have a storage_offset divisible by 2",
               "The offset is " + std::to_string(view.offset) + "; clone() makes it 0.");
    view.shape.erase(view.shape.size() - 1);
    view.stride.erase(view.stride.size() - 1);
    view.offset /= 2;
    for (std::size_t d = 0; d < view.stride.size(); ++d) {
        if (view.stride[d] % 2 != 0)
            refuse("Tensor must have a stride divisible by 2 for all but last dimension",
                   "The stride of dim " + std::to_string(d) + " is " + std::to_string(view.stride[d]) + ".");
        view.stride[d] /= 2;
    }
    const Observation observation;
    return publishedView("view_as_complex", t, observation,
                         Tensor(t.storage(), std::move(view), complexDType(t.dtype())));
}

Tensor real(const Tensor& t) {
    requireDefined(t, "real");
    const Observation observation;
    if (isComplex(t.dtype())) return publishedView("real", t, observation, complexops::part(t, 0));
    if (observation) observation.publish("real", "", {&t}, t, OpEffect::Alias, {});
    return t;
}

Tensor imag(const Tensor& t) {
    requireDefined(t, "imag");
    if (!isComplex(t.dtype()))
        throwRefusal({ErrorKind::Runtime,
                      "CPLX-03",
                      "imag is not implemented for tensors with non-complex dtypes.",
                      "This one is " + std::string(name(t.dtype())) + ": its imaginary part is 0 everywhere.",
                      {}});
    const Observation observation;
    return publishedView("imag", t, observation, complexops::part(t, 1));
}

Tensor complex(const Tensor& realPart, const Tensor& imagPart) {
    return joined("complex", realPart, imagPart, false);
}

Tensor polar(const Tensor& absolute, const Tensor& angle) {
    return joined("polar", absolute, angle, true);
}

Tensor conj(const Tensor& t) {
    requireDefined(t, "conj");
    const Observation observation;
    if (!isComplex(t.dtype())) {
        if (observation) observation.publish("conj", "", {&t}, t, OpEffect::Alias, {});
        return t;
    }
    Tensor result = [&] {
        const trace::Nested nested;
        Tensor out = clone(t);
        neg_(complexops::part(out, 1));
        return out;
    }();
    if (observation)
        observation.publish("conj", "", {&t}, result, OpEffect::Alloc, {t.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

Tensor angle(const Tensor& t) {
    requireDefined(t, "angle");
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        const DType part = isComplex(t.dtype())    ? realPartDType(t.dtype())
                           : isFloating(t.dtype()) ? t.dtype()
                                                   : defaultDType();
        if (!t.device().isCpu()) return complexparts::angle(t);
        if (isComplex(t.dtype())) {
            // Row-major whatever the input, as PyTorch makes it.
            return contiguous(
                complexops::looped(complexops::loopOf(cpu::isa().complex->angle, t.dtype()), {&t}, t.dtype(), part));
        }
        // Of real numbers: pi, rounded once, for negative ones; the negative zero is none.
        const auto turned = [&]<class T>(TypeTag<T>) {
            const Tensor values = to(t, DTypeOf<T>::value);
            return mapped<T, T>(values, values.dtype(), [](const T* in, T* out, Index n) {
                for (Index i = 0; i < n; ++i) {
                    const T number = in[i] == in[i] ? T(0) : in[i];
                    out[i] = in[i] < T(0) ? T(3.14159265358979323846) : number;
                }
            });
        };
        return part == DType::Float64 ? turned(TypeTag<double>{}) : to(turned(TypeTag<float>{}), part);
    }();
    if (observation)
        observation.publish("angle", "", {&t}, result, OpEffect::Alloc, {t.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

} // namespace stridescope
