#pragma once
// Functors of the mathematical operations of one input, written once for every device, and the lists of all functors.
//
// As in elementwise.h: a functor sees bool, the integer types, float and double; Half arrives as float. Numbers that
// are part of an operation ("decimals", "eps") come as parameters of the type that is computed in.

#include "core/dtype/dtype.h"
#include "core/ops/elementwise.h"

#include <cmath>
#include <limits>

namespace stridescope {

/// Which element types an operation computes in.
enum class MathTypes : std::uint8_t {
    Floats,          ///< float16, float32, float64
    WideFloats,      ///< float32, float64
    Integers,        ///< not bool
    IntegersAndBool, ///<
    Numbers,         ///< all but bool
    All,
};

constexpr bool accepts(MathTypes types, DType t) {
    switch (types) {
    case MathTypes::Floats:
        return isFloating(t);
    case MathTypes::WideFloats:
        return isFloating(t) && t != DType::Float16;
    case MathTypes::Integers:
        return isIntegral(t);
    case MathTypes::IntegersAndBool:
        return isIntegral(t) || t == DType::Bool;
    case MathTypes::Numbers:
        return t != DType::Bool && !isComplex(t);
    case MathTypes::All:
        break;
    }
    return !isComplex(t);
}

// NOLINTBEGIN(bugprone-macro-parentheses): names and types are pasted, not values.
/// What the tables know of a functor: its name, PyTorch's name of the kernel (in refusals), and its types.
#define STRIDESCOPE_MATH(text, kernelText, inputs, kind, allowed)                                                      \
    static constexpr const char* name = text;                                                                          \
    static constexpr const char* kernel = kernelText;                                                                  \
    static constexpr int arity = inputs;                                                                               \
    static constexpr ResultKind result = ResultKind::kind;                                                             \
    static constexpr MathTypes types = MathTypes::allowed;

#define STRIDESCOPE_FLOAT_UNARY(Functor, text, kernelText, expression)                                                 \
    struct Functor {                                                                                                   \
        STRIDESCOPE_MATH(text, kernelText, 1, Float, Floats)                                                           \
        template <class T>                                                                                             \
        STRIDESCOPE_HD T operator()(T a) const {                                                                       \
            return expression;                                                                                         \
        }                                                                                                              \
    };
// NOLINTEND(bugprone-macro-parentheses)

namespace detail {

/// The inverse of erf: an estimate from the logarithm of the tails (Winitzki), then Newton's and Halley's steps on
/// erf or, near 1, on erfc.
STRIDESCOPE_HD double erfInverse(double y) {
    if (!(y > -1 && y < 1)) {
        if (y == 1) return std::numeric_limits<double>::infinity();
        if (y == -1) return -std::numeric_limits<double>::infinity();
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (y == 0) return y;
    const double size = y < 0 ? -y : y;
    constexpr double kPi = 3.14159265358979323846, kA = 0.147;
    const double tail = std::log1p(-size * size), first = 2 / (kPi * kA) + tail / 2;
    double x = size < 1e-3 ? size * 0.88622692545275801 : std::sqrt(std::sqrt(first * first - tail / kA) - first);
    for (int step = 0; step < 3; ++step) {
        // erf(x) - size without cancellation: beyond 0.5 by what is missing to 1.
        const double error = size < 0.5 ? std::erf(x) - size : (1 - size) - std::erfc(x);
        const double slope = 1.1283791670955126 * std::exp(-x * x);
        const double newton = error / slope;
        x -= newton / (1 + x * newton);
    }
    return y < 0 ? -x : x;
}

/// The logarithmic derivative of the gamma function: lifted to at least 10, then the asymptotic series; negative
/// arguments by reflection.
STRIDESCOPE_HD double digammaOf(double x) {
    if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
    constexpr double kPi = 3.14159265358979323846;
    double result = 0;
    if (x < 0) {
        if (x == std::trunc(x)) return std::numeric_limits<double>::quiet_NaN(); // a pole, approached from both sides
        const double fraction = x - std::trunc(x);
        result = -kPi / std::tan(kPi * fraction);
        x = 1 - x;
    }
    while (x < 10) {
        result -= 1 / x;
        x += 1;
    }
    if (x == 10) return result + 2.25175258906672110764;
    double series = 0;
    if (x < 1e17) {
        const double z = 1 / (x * x);
        // Bernoulli numbers B(2k) / 2k.
        series = z * (1.0 / 12 -
                      z * (1.0 / 120 -
                           z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z * (1.0 / 12)))))));
    }
    return result + std::log(x) - 0.5 / x - series;
}

/// What erf, erfc and lgamma of float are computed in on the host: in double and rounded once they are what PyTorch's
/// vector loops give in all but a few cases, which the C library's functions of float are not. GPUs may be slow in
/// double.
#ifdef __CUDACC__
template <class T>
using Precise = T;
#else
template <class T>
using Precise = double;
#endif

/// log |gamma|, without the global variable for its sign that threads would share.
template <class T>
STRIDESCOPE_HD T logGamma(T a) {
#ifdef __CUDACC__
    return lgamma(a);
#else
    int sign = 0;
    if constexpr (std::is_same_v<T, float>)
        return ::lgammaf_r(a, &sign);
    else
        return ::lgamma_r(a, &sign);
#endif
}

} // namespace detail

STRIDESCOPE_FLOAT_UNARY(Exp, "exp", "exp_vml_cpu", std::exp(a))
STRIDESCOPE_FLOAT_UNARY(Exp2, "exp2", "exp2", std::exp2(a))
STRIDESCOPE_FLOAT_UNARY(Expm1, "expm1", "expm1_vml_cpu", std::expm1(a))
STRIDESCOPE_FLOAT_UNARY(Log, "log", "log_vml_cpu", std::log(a))
STRIDESCOPE_FLOAT_UNARY(Log2, "log2", "log2_vml_cpu", std::log2(a))
STRIDESCOPE_FLOAT_UNARY(Log10, "log10", "log10_vml_cpu", std::log10(a))
STRIDESCOPE_FLOAT_UNARY(Log1p, "log1p", "log1p_vml_cpu", std::log1p(a))
STRIDESCOPE_FLOAT_UNARY(Sin, "sin", "sin_vml_cpu", std::sin(a))
STRIDESCOPE_FLOAT_UNARY(Cos, "cos", "cos_vml_cpu", std::cos(a))
STRIDESCOPE_FLOAT_UNARY(Tan, "tan", "tan_vml_cpu", std::tan(a))
STRIDESCOPE_FLOAT_UNARY(Asin, "asin", "asin_vml_cpu", std::asin(a))
STRIDESCOPE_FLOAT_UNARY(Acos, "acos", "acos_vml_cpu", std::acos(a))
STRIDESCOPE_FLOAT_UNARY(Atan, "atan", "atan_vml_cpu", std::atan(a))
STRIDESCOPE_FLOAT_UNARY(Sinh, "sinh", "sinh_cpu", std::sinh(a))
STRIDESCOPE_FLOAT_UNARY(Cosh, "cosh", "cosh_cpu", std::cosh(a))
STRIDESCOPE_FLOAT_UNARY(Tanh, "tanh", "tanh_vml_cpu", std::tanh(a))
STRIDESCOPE_FLOAT_UNARY(Asinh, "asinh", "asinh_cpu", std::asinh(a))
STRIDESCOPE_FLOAT_UNARY(Acosh, "acosh", "acosh_cpu", std::acosh(a))
STRIDESCOPE_FLOAT_UNARY(Atanh, "atanh", "atanh_cpu", std::atanh(a))
STRIDESCOPE_FLOAT_UNARY(Sigmoid, "sigmoid", "sigmoid_cpu", T(1) / (T(1) + std::exp(-a)))
STRIDESCOPE_FLOAT_UNARY(Erf, "erf", "erf_vml_cpu", static_cast<T>(std::erf(detail::Precise<T>(a))))
STRIDESCOPE_FLOAT_UNARY(Erfc, "erfc", "erfc_vml_cpu", static_cast<T>(std::erfc(detail::Precise<T>(a))))
STRIDESCOPE_FLOAT_UNARY(Erfinv, "erfinv", "erfinv_vml_cpu", static_cast<T>(detail::erfInverse(static_cast<double>(a))))
STRIDESCOPE_FLOAT_UNARY(Lgamma, "lgamma", "lgamma_vml_cpu", static_cast<T>(detail::logGamma(detail::Precise<T>(a))))
STRIDESCOPE_FLOAT_UNARY(Digamma, "digamma", "digamma", static_cast<T>(detail::digammaOf(static_cast<double>(a))))

/// log(a / (1 - a)), `a` being brought into [eps, 1 - eps] first unless eps (the parameter) is negative.
struct Logit {
    STRIDESCOPE_MATH("logit", "logit_cpu", 1, Float, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, const T* parameters) const {
        const T low = parameters[0], high = T(1) - low;
        const T x = low < 0 ? a : a < low ? low : a > high ? high : a;
        return std::log(x / (T(1) - x));
    }
};

using FloatUnaryOps = OpList<Exp, Exp2, Expm1, Log, Log2, Log10, Log1p, Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh,
                             Tanh, Asinh, Acosh, Atanh, Sigmoid, Erf, Erfc, Erfinv, Lgamma, Digamma, Logit>;

// Cheap ones: every instruction set compiles them as vector loops.

STRIDESCOPE_FLOAT_UNARY(Sqrt, "sqrt", "sqrt_vml_cpu", std::sqrt(a))
STRIDESCOPE_FLOAT_UNARY(Rsqrt, "rsqrt", "rsqrt_cpu", T(1) / std::sqrt(a))
STRIDESCOPE_FLOAT_UNARY(Reciprocal, "reciprocal", "reciprocal_cpu", T(1) / a)
STRIDESCOPE_FLOAT_UNARY(Deg2rad, "deg2rad", "mul_cpu", a* T(0.017453292519943295769))
STRIDESCOPE_FLOAT_UNARY(Rad2deg, "rad2deg", "mul_cpu", a* T(57.295779513082320877))

struct Frac {
    STRIDESCOPE_MATH("frac", "frac_cpu", 1, Same, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a) const {
        return a - std::trunc(a);
    }
};
/// To a number of decimals: parameters are the power of ten (at least 1) and whether digits before the point go.
struct RoundDecimals {
    STRIDESCOPE_MATH("round", "round_cpu", 1, Same, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, const T* parameters) const {
        const T power = parameters[0];
        return parameters[1] != 0 ? std::nearbyint(a / power) * power : std::nearbyint(a * power) / power;
    }
};

using CheapFloatOps = OpList<Sqrt, Rsqrt, Reciprocal, Deg2rad, Rad2deg, Frac, RoundDecimals>;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define STRIDESCOPE_ROUNDING(Functor, text, kernelText, function)                                                      \
    struct Functor { /* integers are whole already */                                                                  \
        STRIDESCOPE_MATH(text, kernelText, 1, Same, Numbers)                                                           \
        template <class T>                                                                                             \
        STRIDESCOPE_HD T operator()(T a) const {                                                                       \
            if constexpr (std::is_floating_point_v<T>)                                                                 \
                return function(a);                                                                                    \
            else                                                                                                       \
                return a;                                                                                              \
        }                                                                                                              \
    };
// NOLINTEND(bugprone-macro-parentheses)
STRIDESCOPE_ROUNDING(Floor, "floor", "floor_vml_cpu", std::floor)
STRIDESCOPE_ROUNDING(Ceil, "ceil", "ceil_vml_cpu", std::ceil)
STRIDESCOPE_ROUNDING(Trunc, "trunc", "trunc_vml_cpu", std::trunc)
STRIDESCOPE_ROUNDING(Round, "round", "round_vml_cpu", std::nearbyint) // halves to even
#undef STRIDESCOPE_ROUNDING

struct Square {
    STRIDESCOPE_MATH("square", "pow", 1, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a) const {
        return Mul{}(a, a);
    }
};
struct Cube { // pow(a, 3)
    STRIDESCOPE_MATH("pow", "pow", 1, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a) const {
        return Mul{}(Mul{}(a, a), a);
    }
};
struct Sign { // of NaN: 0
    STRIDESCOPE_MATH("sign", "sign_cpu", 1, Same, All)
    template <class T>
    STRIDESCOPE_HD T operator()(T a) const {
        if constexpr (detail::kIsBool<T>)
            return a;
        else if constexpr (std::is_unsigned_v<T>)
            return a != 0;
        else
            return static_cast<T>((a > T(0)) - (a < T(0)));
    }
};
struct Relu { // NaN stays
    STRIDESCOPE_MATH("relu", "clamp_min_cpu", 1, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a) const {
        return a < T(0) ? T(0) : a;
    }
};
/// Parameters: what stands for NaN, infinity and minus infinity. Integers and bool stay.
struct NanToNum {
    STRIDESCOPE_MATH("nan_to_num", "nan_to_num", 1, Same, All)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, const T* parameters) const {
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T kGreatest = std::numeric_limits<T>::max();
            const T number = a == a ? a : parameters[0], below = a < -kGreatest ? parameters[2] : number;
            return a > kGreatest ? parameters[1] : below;
        } else {
            return a;
        }
    }
};
struct BitwiseNot {
    STRIDESCOPE_MATH("bitwise_not", "bitwise_not_cpu", 1, Same, IntegersAndBool)
    template <class T>
    STRIDESCOPE_HD T operator()(T a) const {
        if constexpr (detail::kIsBool<T>)
            return !a;
        else
            return static_cast<T>(~a);
    }
};

struct LogicalNot {
    STRIDESCOPE_MATH("logical_not", "logical_not_cpu", 1, Comparison, All)
    template <class T>
    STRIDESCOPE_HD bool operator()(T a) const {
        return a == T(0);
    }
};
struct IsNan {
    STRIDESCOPE_MATH("isnan", "isnan", 1, Comparison, All)
    template <class T>
    STRIDESCOPE_HD bool operator()(T a) const {
        return a != a;
    }
};
struct IsInf {
    STRIDESCOPE_MATH("isinf", "isinf", 1, Comparison, All)
    template <class T>
    STRIDESCOPE_HD bool operator()(T a) const {
        if constexpr (std::is_floating_point_v<T>)
            return (a == std::numeric_limits<T>::infinity()) | (a == -std::numeric_limits<T>::infinity());
        else
            return false;
    }
};
struct IsFinite {
    STRIDESCOPE_MATH("isfinite", "isfinite", 1, Comparison, All)
    template <class T>
    STRIDESCOPE_HD bool operator()(T a) const {
        if constexpr (std::is_floating_point_v<T>)
            return (a <= std::numeric_limits<T>::max()) & (a >= std::numeric_limits<T>::lowest());
        else
            return true;
    }
};
struct IsPosInf {
    STRIDESCOPE_MATH("isposinf", "isposinf", 1, Comparison, All)
    template <class T>
    STRIDESCOPE_HD bool operator()(T a) const {
        if constexpr (std::is_floating_point_v<T>)
            return a == std::numeric_limits<T>::infinity();
        else
            return false;
    }
};
struct IsNegInf {
    STRIDESCOPE_MATH("isneginf", "isneginf", 1, Comparison, All)
    template <class T>
    STRIDESCOPE_HD bool operator()(T a) const {
        if constexpr (std::is_floating_point_v<T>)
            return a == -std::numeric_limits<T>::infinity();
        else
            return false;
    }
};
struct Signbit { // -0.0 has one
    STRIDESCOPE_MATH("signbit", "signbit_cpu", 1, Comparison, All)
    template <class T>
    STRIDESCOPE_HD bool operator()(T a) const {
        if constexpr (std::is_same_v<T, float>)
            return (std::bit_cast<std::uint32_t>(a) >> 31) != 0;
        else if constexpr (std::is_same_v<T, double>)
            return (std::bit_cast<std::uint64_t>(a) >> 63) != 0;
        else if constexpr (std::is_signed_v<T>)
            return a < 0;
        else
            return false;
    }
};

using CheapUnaryOps = OpList<Floor, Ceil, Trunc, Round, Square, Cube, Sign, Relu, NanToNum, BitwiseNot, LogicalNot,
                             IsNan, IsInf, IsFinite, IsPosInf, IsNegInf, Signbit>;

} // namespace stridescope
