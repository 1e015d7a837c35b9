// Mathematical functions of complex tensors, by the C++ library.

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/complex.h"
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

/// The function of one complex number; null where PyTorch has none.
template <class T>
Function<T> functionOf(MathOp op, const char* shownName) {
    if (op == mathOp<Exp>) return [](C<T> z) { return std::exp(z); };
    if (op == mathOp<Log>) return [](C<T> z) { return std::log(z); };
    if (op == mathOp<Log2>) return [](C<T> z) { return std::log(z) * T(1.4426950408889634074); };
    if (op == mathOp<Log10>) return [](C<T> z) { return std::log10(z); };
    if (op == mathOp<Sqrt>) return [](C<T> z) { return std::sqrt(z); };
    if (op == mathOp<Rsqrt>) return [](C<T> z) { return inverse(std::sqrt(z)); };
    if (op == mathOp<Reciprocal>) return inverse<T>;
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
    if (op == mathOp<Sigmoid>) return [](C<T> z) { return inverse(T(1) + std::exp(-z)); };
    if (op == mathOp<Sinc>)
        return [](C<T> z) {
            const C<T> turned = z * T(detail::kPi);
            return z == C<T>(0) ? C<T>(1) : std::sin(turned) / turned;
        };
    if (op == mathOp<Square>) return [](C<T> z) { return z * z; };
    if (op == mathOp<Cube>) return [](C<T> z) { return z * z * z; };
    if (op == mathOp<Sign> && std::string_view(shownName) == "sgn")
        return [](C<T> z) {
            const T size = std::abs(z);
            return size == 0 ? C<T>(0) : z / size;
        };
    return nullptr;
}

template <class T>
using Test = bool (*)(C<T>);
template <class T>
Test<T> testOf(MathOp op) {
    if (op == mathOp<IsNan>) return [](C<T> z) { return std::isnan(z.real()) || std::isnan(z.imag()); };
    if (op == mathOp<IsInf>) return [](C<T> z) { return std::isinf(z.real()) || std::isinf(z.imag()); };
    if (op == mathOp<IsFinite>) return [](C<T> z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); };
    if (op == mathOp<LogicalNot>) return [](C<T> z) { return z == C<T>(0); };
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

template <class T>
Tensor unaryAs(MathOp op, const char* shownName, const Tensor& a, DType compute) {
    const Function<T> function = functionOf<T>(op, shownName);
    const Test<T> test = function ? nullptr : testOf<T>(op);
    if (!function && !test) refuseComplex(op, shownName, compute);
    elementwise::requireHost(shownName, a);
    Tensor out = complexops::resultOf(a.shape(), {&a}, test ? DType::Bool : compute);
    const Tensor from = complexops::besideOf(out, a, compute);
    const auto* in = reinterpret_cast<const C<T>*>(from.data<Complex<T>>());
    parallelFor(0, a.numel(), kParallelThreshold, [&](Index begin, Index end) {
        if (test) {
            bool* to = out.data<bool>();
            for (Index i = begin; i < end; ++i) to[i] = test(in[i]);
        } else {
            auto* to = reinterpret_cast<C<T>*>(out.data<Complex<T>>());
            for (Index i = begin; i < end; ++i) to[i] = function(in[i]);
        }
    });
    return out;
}

template <class T>
Tensor binaryAs(MathOp op, const char* shownName, const Tensor& a, const Tensor& b, DType compute) {
    const bool logical = op == mathOp<LogicalAnd> || op == mathOp<LogicalOr> || op == mathOp<LogicalXor>;
    if (op != mathOp<Pow> && !logical) refuseComplex(op, shownName, compute);
    elementwise::requireHost(shownName, a);
    elementwise::requireHost(shownName, b);
    const Dims shape = broadcastShapes(a.shape(), b.shape()).valueOrThrow();
    Tensor out = complexops::resultOf(shape, {&a, &b}, logical ? DType::Bool : compute);
    const Tensor x = complexops::besideOf(out, a, compute), y = complexops::besideOf(out, b, compute);
    const auto* p = reinterpret_cast<const C<T>*>(x.data<Complex<T>>());
    const auto* q = reinterpret_cast<const C<T>*>(y.data<Complex<T>>());
    const C<T> zero(0);
    parallelFor(0, out.numel(), kParallelThreshold, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            if (op == mathOp<LogicalAnd>)
                out.data<bool>()[i] = p[i] != zero && q[i] != zero;
            else if (op == mathOp<LogicalOr>)
                out.data<bool>()[i] = p[i] != zero || q[i] != zero;
            else if (op == mathOp<LogicalXor>)
                out.data<bool>()[i] = (p[i] != zero) != (q[i] != zero);
            else
                reinterpret_cast<C<T>*>(out.data<Complex<T>>())[i] = std::pow(p[i], q[i]);
        }
    });
    return out;
}

} // namespace

Tensor complexops::math(MathOp op, const char* shownName, const Tensor& a, const Tensor* b, DType compute) {
    if (compute == DType::Complex64)
        return b ? binaryAs<float>(op, shownName, a, *b, compute) : unaryAs<float>(op, shownName, a, compute);
    return b ? binaryAs<double>(op, shownName, a, *b, compute) : unaryAs<double>(op, shownName, a, compute);
}

} // namespace stridescope
