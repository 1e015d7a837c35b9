// Mathematical functions of complex tensors, by loops of the instruction sets or by the C++ library.

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/complex.h"
#include "core/ops/complex_call.h"
#include "core/ops/complex_parts.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/math_call.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/view/broadcast.h"

#include <cmath>
#include <complex>

namespace stridescope {

namespace {

template <class T>
using C = std::complex<T>;

/// 1 / z with the divisor scaled by its larger part; of 0: NaN, as PyTorch gives.
template <class T>
C<T> inverse(C<T> z) {
    if (z == C<T>(0)) return {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::quiet_NaN()};
    const T scale = std::max(std::fabs(z.real()), std::fabs(z.imag()));
    const T re = z.real() / scale, im = z.imag() / scale, length = (re * re + im * im) * scale;
    return {re / length, (T(0) - im) / length}; // not -im: a real number's inverse has +0, as PyTorch divides
}

template <class T>
using Function = C<T> (*)(C<T>);

/// The function of one complex number by the C++ library; null where there is none.
template <class T>
Function<T> functionOf(MathOp op) {
    if (op == mathOp<Log>) return [](C<T> z) { return std::log(z); };
    if (op == mathOp<Log2>) return [](C<T> z) { return std::log(z) * T(1.4426950408889634074); };
    if (op == mathOp<Log10>) return [](C<T> z) { return std::log10(z); };
    if (op == mathOp<Sqrt>) return [](C<T> z) { return std::sqrt(z); };
    if (op == mathOp<Rsqrt>) return [](C<T> z) { return inverse(std::sqrt(z)); };
    if (op == mathOp<Sin>) return [](C<T> z) { return std::sin(z); };
    if (op == mathOp<Cos>) return [](C<T> z) { return std::cos(z); };
    if (op == mathOp<Tan>) return [](C<T> z) { return std::tan(z); };
    if (op == mathOp<Asin>) return [](C<T> z) { return std::asin(z); };
    if (op == mathOp<Acos>) return [](C<T> z) { return std::acos(z); };
    if (op == mathOp<Atan>) return [](C<T> z) { return std::atan(z); };
    if (op == mathOp<Sinh>) return [](C<T> z) { return std::sinh(z); };
    if (op == mathOp<Cosh>) return [](C<T> z) { return std::cosh(z); };
    if (op == mathOp<Tanh>) return [](C<T> z) { return std::tanh(z); };
    if (op == mathOp<Asinh>) return [](C<T> z) { return std::asinh(z); };
    if (op == mathOp<Acosh>) return [](C<T> z) { return std::acosh(z); };
    if (op == mathOp<Atanh>) return [](C<T> z) { return std::atanh(z); };
    if (op == mathOp<Sinc>)
        return [](C<T> z) {
            const C<T> turned = z * T(detail::kPi);
            return z == C<T>(0) ? C<T>(1) : std::sin(turned) / turned;
        };
    return nullptr;
}

[[noreturn]] void refuseComplex(MathOp op, const char* shownName, DType compute) {
    const std::string n = shownName;
    const std::string hint = "Take the real or the imaginary part, x.real or x.imag, or the magnitude, x.abs().";
    std::string text =
        "\"" + std::string(info(op).kernel) + "\" not implemented for '" + std::string(scalarTypeName(compute)) + "'";
    if (op == mathOp<Floor> || op == mathOp<Ceil> || op == mathOp<Trunc>)
        text = n + " is not supported for complex inputs";
    if (op == mathOp<Deg2rad> || op == mathOp<Rad2deg>) text = n + " is not supported for complex tensors.";
    if (op == mathOp<IsPosInf> || op == mathOp<IsNegInf>) text = n + " does not support complex inputs.";
    if (op == mathOp<Signbit>) text = "signbit is not implemented for complex tensors.";
    if (op == mathOp<Fmax> || op == mathOp<Fmin>) text = n + " not implemented for complex tensors.";
    if (op == mathOp<Heaviside>) text = "heaviside is not yet implemented for complex tensors.";
    if (op == mathOp<Relu> || op == mathOp<Clamp>) text = "clamp is not supported for complex types";
    if (op == mathOp<Sign>)
        text = "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.";
    mathcall::refuse("MATH-02", text, hint);
}

/// The loop of every instruction set; null where there is none.
cpu::ComplexLoop quickLoop(MathOp op, const char* shownName, DType compute) {
    const cpu::ComplexLoops& loops = *cpu::isa().complex;
    if (op == mathOp<Sign> && std::string_view(shownName) == "sgn") return complexops::loopOf(loops.sgn, compute);
    return complexops::loopOf(loops.math[static_cast<std::size_t>(op)], compute);
}

template <class T>
Tensor unaryAs(MathOp op, const char* shownName, const Tensor& a, DType compute) {
    const Function<T> function = functionOf<T>(op);
    if (!function) refuseComplex(op, shownName, compute);
    Tensor out = complexops::resultOf(a.shape(), {&a}, compute);
    const Tensor from = complexops::besideOf(out, a, compute);
    const auto* in = reinterpret_cast<const C<T>*>(from.data<Complex<T>>());
    auto* to = reinterpret_cast<C<T>*>(out.data<Complex<T>>());
    parallelFor(0, a.numel(), kParallelThreshold, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) to[i] = function(in[i]);
    });
    return out;
}

template <class T>
Tensor powAs(const Tensor& a, const Tensor& b, DType compute) {
    const Dims shape = broadcastShapes(a.shape(), b.shape()).valueOrThrow();
    Tensor out = complexops::resultOf(shape, {&a, &b}, compute);
    const Tensor x = complexops::besideOf(out, a, compute), y = complexops::besideOf(out, b, compute);
    const auto* p = reinterpret_cast<const C<T>*>(x.data<Complex<T>>());
    const auto* q = reinterpret_cast<const C<T>*>(y.data<Complex<T>>());
    auto* to = reinterpret_cast<C<T>*>(out.data<Complex<T>>());
    parallelFor(0, out.numel(), kParallelThreshold, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) to[i] = std::pow(p[i], q[i]);
    });
    return out;
}

} // namespace

Tensor complexops::math(MathOp op, const char* shownName, const Tensor& a, const Tensor* b, DType compute) {
    if (!a.device().isCpu() || (b && !b->device().isCpu()))
        return complexparts::math(op, shownName, a, b, compute, refuseComplex);
    if (const cpu::ComplexLoop loop = quickLoop(op, shownName, compute)) {
        const DType result = info(op).result == ResultKind::Comparison ? DType::Bool : compute;
        return b ? looped(loop, {&a, b}, compute, result) : looped(loop, {&a}, compute, result);
    }
    const bool wide = compute == DType::Complex128;
    if (!b) return wide ? unaryAs<double>(op, shownName, a, compute) : unaryAs<float>(op, shownName, a, compute);
    if (op != mathOp<Pow>) refuseComplex(op, shownName, compute);
    return wide ? powAs<double>(a, *b, compute) : powAs<float>(a, *b, compute);
}

} // namespace stridescope
