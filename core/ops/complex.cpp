#include "core/ops/complex.h"

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/observation.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/view/broadcast.h"

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

/// Complex division that neither overflows nor loses small numbers on the way: both sides are scaled by the larger
/// part of the divisor.
template <class T>
Complex<T> quotient(Complex<T> a, Complex<T> b) {
    // Squares of float32 neither overflow nor round in float64.
    if constexpr (std::is_same_v<T, float>) {
        const double re = static_cast<double>(b.re), im = static_cast<double>(b.im), length = re * re + im * im;
        const double x = static_cast<double>(a.re), y = static_cast<double>(a.im);
        if (std::isfinite(length))
            return {static_cast<float>((x * re + y * im) / length), static_cast<float>((y * re - x * im) / length)};
    }
    const T scale = std::max(std::fabs(b.re), std::fabs(b.im));
    const T re = b.re / scale, im = b.im / scale;
    const T length = (re * re + im * im) * scale;
    return {(a.re * re + a.im * im) / length, (a.im * re - a.re * im) / length};
}

template <class T>
Tensor binaryAs(BinaryOp op, const Tensor& a, const Tensor& b, DType compute) {
    using C = Complex<T>;
    elementwise::requireHost(name(op), a);
    elementwise::requireHost(name(op), b);
    const bool comparison = resultKind(op) == ResultKind::Comparison;
    const Dims shape = broadcastShapes(a.shape(), b.shape()).valueOrThrow();
    Tensor out = complexops::resultOf(shape, {&a, &b}, comparison ? DType::Bool : compute);
    const Tensor left = complexops::besideOf(out, a, compute), right = complexops::besideOf(out, b, compute);
    const C *x = left.data<C>(), *y = right.data<C>();
    const auto run = [&](auto f) {
        using Result = decltype(f(C{}, C{}));
        Result* to = out.data<Result>();
        parallelFor(0, out.numel(), kParallelThreshold, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) to[i] = f(x[i], y[i]);
        });
    };
    if (op == binaryOp<Add>)
        // p + 1 * q, with 1 as a complex number: infinities become NaN as PyTorch's do.
        run([](C p, C q) { return C{p.re + (q.re - T(0) * q.im), p.im + (q.im + T(0) * q.re)}; });
    else if (op == binaryOp<Sub>)
        run([](C p, C q) { return C{p.re - (q.re - T(0) * q.im), p.im - (q.im + T(0) * q.re)}; });
    else if (op == binaryOp<Mul>)
        run([](C p, C q) { return C{p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re}; });
    else if (op == binaryOp<Div>)
        run([](C p, C q) { return quotient(p, q); });
    else if (op == binaryOp<Eq>)
        run([](C p, C q) { return p == q; });
    else
        run([](C p, C q) { return !(p == q); });
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
        Tensor out = empty(shape, {complexDType(a.dtype()), a.device()});
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
    return compute == DType::Complex64 ? binaryAs<float>(op, a, b, compute) : binaryAs<double>(op, a, b, compute);
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
    const auto as = [&]<class T>(TypeTag<T>) {
        using C = Complex<T>;
        if (op == unaryOp<Abs>)
            return mapped<C, T>(a, realPartDType(a.dtype()), [](const C* in, T* to, Index n) {
                for (Index i = 0; i < n; ++i) to[i] = std::hypot(in[i].re, in[i].im);
            });
        return mapped<C, C>(a, a.dtype(), [](const C* in, C* to, Index n) {
            for (Index i = 0; i < n; ++i) to[i] = {-in[i].re, -in[i].im};
        });
    };
    return a.dtype() == DType::Complex64 ? as(TypeTag<float>{}) : as(TypeTag<double>{});
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
        const bool isReal = !isComplex(t.dtype());
        // Through float64 for real numbers: 0, pi and NaN are rounded once.
        const Tensor pairs = to(t, isComplex(t.dtype()) ? t.dtype() : DType::Complex128);
        const auto as = [&]<class T>(TypeTag<T>) {
            return mapped<Complex<T>, T>(pairs, realPartDType(pairs.dtype()),
                                         [isReal](const Complex<T>* in, T* to, Index n) {
                                             // + 0: the negative zero of a real number is no negative number.
                                             for (Index i = 0; i < n; ++i)
                                                 to[i] = std::atan2(in[i].im, isReal ? in[i].re + 0 : in[i].re);
                                         });
        };
        return stridescope::to(pairs.dtype() == DType::Complex64 ? as(TypeTag<float>{}) : as(TypeTag<double>{}), part);
    }();
    if (observation)
        observation.publish("angle", "", {&t}, result, OpEffect::Alloc, {t.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

} // namespace stridescope
