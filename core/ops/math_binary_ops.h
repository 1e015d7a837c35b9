#pragma once
// Functors of the mathematical operations of two and three inputs, and the one numbering of all mathematical
// operations. See math_ops.h.

#include "core/ops/math_ops.h"
#include "core/ops/math_special_ops.h"

#include <array>

namespace stridescope {

namespace detail {

/// base ^ exponent in wrapping arithmetic. Negative exponents: 0, but 1 and -1 keep their powers.
template <class T>
STRIDESCOPE_HD T integerPower(T base, T exponent) {
    if constexpr (std::is_signed_v<T>) {
        if (exponent < 0) return static_cast<T>(base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0);
    }
    WrapType<T> power = 1, factor = wrap(base);
    for (auto rest = wrap(exponent); rest != 0; rest >>= 1) {
        if (rest & 1) power *= factor;
        factor *= factor;
    }
    return static_cast<T>(power);
}

template <class T>
STRIDESCOPE_HD T greatestDivisor(T a, T b) {
    WrapType<T> x = wrap(Abs{}(a)), y = wrap(Abs{}(b));
    while (y != 0) {
        const WrapType<T> rest = x % y;
        x = y;
        y = rest;
    }
    return static_cast<T>(x);
}

/// The divisor -1 apart: the least integer by it overflows, which traps.
template <class T>
STRIDESCOPE_HD bool isMinusOne(T b) {
    if constexpr (std::is_signed_v<T>)
        return b == T(-1);
    else
        return false;
}

/// a / b, cut to a whole number for integers.
template <class T>
STRIDESCOPE_HD T quotientOf(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return a / b;
    else
        return isMinusOne(b) ? Neg{}(a) : static_cast<T>(a / b);
}
/// What a division of a by b leaves, with the sign of a.
template <class T>
STRIDESCOPE_HD T restOf(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return std::fmod(a, b);
    else
        return isMinusOne(b) ? T(0) : static_cast<T>(a % b);
}

/// How far a shift goes: the low bits of its count, as processors take them; narrow types are shifted as int32.
template <class T>
STRIDESCOPE_HD unsigned shiftCount(T count) {
    return static_cast<unsigned>(wrap(count)) & (sizeof(T) == 8 ? 63u : 31u);
}

} // namespace detail

struct Copysign {
    STRIDESCOPE_MATH("copysign", "copysign_cpu", 2, Float, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
        return std::bit_cast<T>((std::bit_cast<Bits>(a) & ~kSign) | (std::bit_cast<Bits>(b) & kSign));
    }
};
struct Pow {
    STRIDESCOPE_MATH("pow", "pow", 2, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>)
            return std::pow(a, b);
        else
            return detail::integerPower(a, b);
    }
};
// The four divisions. Their callers refuse integer divisors of 0. `of` makes the result from the quotient (of integers,
// cut) and the rest that a functor's caller has a quicker way to; the rest has the sign of the dividend and is exact.
struct FloorDivide {
    STRIDESCOPE_MATH("floor_divide", "div_floor_cpu", 2, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD static T of(T a, T b, T quotient, T rest) {
        const bool lower = (rest != 0) & ((b < 0) != (rest < 0));
        if constexpr (std::is_floating_point_v<T>) {
            // Not floor(a / b): the rounded quotient can reach the next whole number.
            const T ratio = a / b, whole = (a - rest) / b, down = lower ? whole - T(1) : whole;
            const T floored = std::floor(down), nearest = down - floored > T(0.5) ? floored + T(1) : floored;
            const T signedZero = Copysign{}(T(0), ratio);
            const T finite = down == 0 ? signedZero : nearest;
            return b == 0 ? ratio : finite;
        } else {
            return static_cast<T>(quotient - T(lower));
        }
    }
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return of(a, b, detail::quotientOf(a, b), detail::restOf(a, b));
    }
};
struct TruncDivide {
    STRIDESCOPE_MATH("div", "div_trunc_cpu", 2, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD static T of(T a, T b, T quotient, T) {
        if constexpr (std::is_floating_point_v<T>)
            return std::trunc(a / b);
        else
            return quotient;
    }
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return of(a, b, detail::quotientOf(a, b), T(0));
    }
};
struct Remainder { // the sign of the divisor
    STRIDESCOPE_MATH("remainder", "remainder_cpu", 2, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD static T of(T, T b, T, T rest) {
        const bool other = (rest != 0) & ((b < 0) != (rest < 0));
        return other ? static_cast<T>(rest + b) : rest;
    }
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return of(a, b, T(0), detail::restOf(a, b));
    }
};
struct Fmod { // the sign of the dividend
    STRIDESCOPE_MATH("fmod", "fmod_cpu", 2, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD static T of(T, T, T, T rest) {
        return rest;
    }
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return detail::restOf(a, b);
    }
};
struct Gcd {
    STRIDESCOPE_MATH("gcd", "gcd_cpu", 2, Same, Integers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return detail::greatestDivisor(a, b);
    }
};
struct Lcm {
    STRIDESCOPE_MATH("lcm", "lcm_cpu", 2, Same, Integers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        if (a == 0 || b == 0) return 0;
        // Narrow types are multiplied as int32, and keep the low bits.
        using Wide = std::conditional_t<(sizeof(T) < 4), std::int32_t, T>;
        const T divisor = detail::greatestDivisor(a, b);
        const T part = detail::isMinusOne(divisor) ? Neg{}(a) : static_cast<T>(a / divisor);
        return static_cast<T>(Abs{}(Mul{}(static_cast<Wide>(part), static_cast<Wide>(b))));
    }
};

using SlowBinaryOps = OpList<Pow, Gcd, Lcm>;
/// Every instruction set has loops of its own for them.
using DivisionOps = OpList<FloorDivide, TruncDivide, Remainder, Fmod>;

struct Atan2 {
    STRIDESCOPE_MATH("atan2", "atan2_cpu", 2, Float, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return std::atan2(a, b);
    }
};
struct Hypot {
    STRIDESCOPE_MATH("hypot", "hypot_cpu", 2, Same, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return std::hypot(a, b);
    }
};
struct Logaddexp { // log(e^a + e^b)
    STRIDESCOPE_MATH("logaddexp", "logaddexp_cpu", 2, Same, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        if (a == b && std::fabs(a) == std::numeric_limits<T>::infinity()) return a;
        return (a > b || a != a ? a : b) + std::log1p(std::exp(-std::fabs(a - b)));
    }
};
struct Logaddexp2 { // log2(2^a + 2^b)
    STRIDESCOPE_MATH("logaddexp2", "logaddexp2_cpu", 2, Same, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        if (a == b && std::fabs(a) == std::numeric_limits<T>::infinity()) return a;
        return (a > b || a != a ? a : b) + std::log1p(std::exp2(-std::fabs(a - b))) * T(1.4426950408889634074);
    }
};
struct Xlogy { // a * log(b), 0 for a = 0 unless b is NaN
    STRIDESCOPE_MATH("xlogy", "xlogy_cpu", 2, Float, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        if (b != b) return b;
        return a == 0 ? T(0) : a * std::log(b);
    }
};

using FloatBinaryOps = OpList<Atan2, Hypot, Logaddexp, Logaddexp2, Xlogy, Xlog1py, Zeta, Igamma, Igammac>;

// Cheap ones: every instruction set compiles them as vector loops.

// NOLINTBEGIN(bugprone-macro-parentheses)
#define STRIDESCOPE_LOGICAL(Functor, text, kernelText, symbol)                                                         \
    struct Functor {                                                                                                   \
        STRIDESCOPE_MATH(text, kernelText, 2, Comparison, All)                                                         \
        template <class T>                                                                                             \
        STRIDESCOPE_HD bool operator()(T a, T b) const {                                                               \
            return (a != T(0)) symbol(b != T(0));                                                                      \
        }                                                                                                              \
    };
#define STRIDESCOPE_BITWISE(Functor, text, kernelText, symbol)                                                         \
    struct Functor {                                                                                                   \
        STRIDESCOPE_MATH(text, kernelText, 2, Same, IntegersAndBool)                                                   \
        template <class T>                                                                                             \
        STRIDESCOPE_HD T operator()(T a, T b) const {                                                                  \
            return static_cast<T>(a symbol b);                                                                         \
        }                                                                                                              \
    };
// NOLINTEND(bugprone-macro-parentheses)
STRIDESCOPE_LOGICAL(LogicalAnd, "logical_and", "logical_and_cpu", &)
STRIDESCOPE_LOGICAL(LogicalOr, "logical_or", "logical_or_cpu", |)
STRIDESCOPE_LOGICAL(LogicalXor, "logical_xor", "logical_xor_cpu", !=)
STRIDESCOPE_BITWISE(BitwiseAnd, "bitwise_and", "bitwise_and_cpu", &)
STRIDESCOPE_BITWISE(BitwiseOr, "bitwise_or", "bitwise_or_cpu", |)
STRIDESCOPE_BITWISE(BitwiseXor, "bitwise_xor", "bitwise_xor_cpu", ^)
#undef STRIDESCOPE_LOGICAL
#undef STRIDESCOPE_BITWISE

struct LeftShift {
    STRIDESCOPE_MATH("bitwise_left_shift", "lshift_cpu", 2, Same, Integers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return static_cast<T>(detail::wrap(a) << detail::shiftCount(b));
    }
};
struct RightShift { // copies of the sign come in
    STRIDESCOPE_MATH("bitwise_right_shift", "rshift_cpu", 2, Same, Integers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return static_cast<T>(a >> detail::shiftCount(b));
    }
};
struct Fmax { // a number wins over NaN
    STRIDESCOPE_MATH("fmax", "fmax_cpu", 2, Same, All)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>)
            return ((b != b) | (a > b)) ? a : b;
        else
            return Maximum{}(a, b);
    }
};
struct Fmin {
    STRIDESCOPE_MATH("fmin", "fmin_cpu", 2, Same, All)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>)
            return ((b != b) | (a < b)) ? a : b;
        else
            return Minimum{}(a, b);
    }
};
struct Heaviside { // 0 below 0, b at 0, 1 above; of NaN: 0
    STRIDESCOPE_MATH("heaviside", "heaviside_cpu", 2, Same, All)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return a == T(0) ? b : static_cast<T>(a > T(0));
    }
};
struct Nextafter { // the neighbour of a towards b, by counting its bits
    STRIDESCOPE_MATH("nextafter", "nextafter_cpu", 2, Same, WideFloats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
        const Bits x = std::bit_cast<Bits>(a);
        const Bits grown = x + 1, shrunk = x - 1, least = (std::bit_cast<Bits>(b) & kSign) | 1;
        const Bits stepped = (a < b) == (a > 0) ? grown : shrunk;
        const T next = std::bit_cast<T>(a == 0 ? least : stepped), same = a == b ? b : next;
        return (a != a) | (b != b) ? a + b : same;
    }
};
struct AddScaled { // a + parameter * b
    STRIDESCOPE_MATH("add", "add_cpu", 2, Same, All)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b, const T* parameters) const {
        return Add{}(a, Mul{}(parameters[0], b));
    }
};
struct SubScaled {
    STRIDESCOPE_MATH("sub", "sub_cpu", 2, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b, const T* parameters) const {
        return Sub{}(a, Mul{}(parameters[0], b));
    }
};
/// Equal, both NaN where that counts as equal (parameter 2), or no further apart than atol + |rtol * b| (parameters 1
/// and 0, doubles whatever T is); infinities are close to themselves only.
struct IsClose {
    STRIDESCOPE_MATH("isclose", "isclose", 2, Comparison, All)
    template <class T>
    STRIDESCOPE_HD bool operator()(T a, T b, const double* parameters) const {
        if constexpr (std::is_floating_point_v<T>) {
            const T apart = Abs{}(a - b), allowed = T(parameters[1]) + Abs{}(T(parameters[0]) * b);
            const bool bothNan = (a != a) & (b != b) & (parameters[2] != 0);
            return (a == b) | bothNan | ((apart <= allowed) & (apart <= std::numeric_limits<T>::max()));
        } else {
            const float apart = Abs{}(static_cast<float>(a) - static_cast<float>(b));
            return (a == b) | (apart <= float(parameters[1]) + Abs{}(float(parameters[0]) * static_cast<float>(b)));
        }
    }
};

using CheapBinaryOps = OpList<LogicalAnd, LogicalOr, LogicalXor, BitwiseAnd, BitwiseOr, BitwiseXor, LeftShift,
                              RightShift, Fmax, Fmin, Copysign, Heaviside, Nextafter, AddScaled, SubScaled, IsClose>;

struct Clamp { // the upper limit wins; NaN anywhere gives NaN
    STRIDESCOPE_MATH("clamp", "clamp_scalar_cpu", 3, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T low, T high) const {
        if constexpr (std::is_floating_point_v<T>) {
            // Comparisons that are false for NaN keep a; what a limit that is NaN does comes last.
            const T raised = a < low ? low : a, lowered = high < raised ? high : raised;
            return (low != low) | (high != high) ? low + high : lowered;
        } else {
            return Minimum{}(Maximum{}(a, low), high);
        }
    }
};
struct Lerp { // from the nearer end, so that weight 1 gives b exactly
    STRIDESCOPE_MATH("lerp", "lerp_kernel_scalar", 3, Same, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b, T weight) const {
        const T fromA = a + weight * (b - a), fromB = b - (b - a) * (T(1) - weight);
        return weight < T(0.5) ? fromA : fromB;
    }
};
struct Addcmul { // a + parameter * b * c
    STRIDESCOPE_MATH("addcmul", "addcmul_cpu_out", 3, Same, Numbers)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b, T c, const T* parameters) const {
        return Add{}(a, Mul{}(Mul{}(parameters[0], b), c));
    }
};
struct Addcdiv { // a + parameter * b / c
    STRIDESCOPE_MATH("addcdiv", "addcdiv_cpu_out", 3, Same, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b, T c, const T* parameters) const {
        return a + parameters[0] * b / c;
    }
};

using TernaryOps = OpList<Clamp, Lerp, Addcmul, Addcdiv>;

namespace detail {
template <class... Lists>
struct Joined;
template <class... Ops>
struct Joined<OpList<Ops...>> {
    using type = OpList<Ops...>;
};
template <class... A, class... B, class... Rest>
struct Joined<OpList<A...>, OpList<B...>, Rest...> {
    using type = typename Joined<OpList<A..., B...>, Rest...>::type;
};
} // namespace detail

/// All of them; positions are their numbers in every table.
using MathOps =
    detail::Joined<FloatUnaryOps, SpecialUnaryOps, BesselOps, DistributionOps, CheapFloatOps, CheapUnaryOps,
                   SlowBinaryOps, DivisionOps, FloatBinaryOps, PolynomialOps, CheapBinaryOps, TernaryOps>::type;

/// What the operations' callers need to know of one, besides its arithmetic.
struct MathOpInfo {
    const char* name;
    const char* kernel; ///< PyTorch's name of its CPU kernel, which stands in refusals
    int arity;
    ResultKind result;
    MathTypes types;
};

namespace detail {
template <class... Ops>
constexpr std::array<MathOpInfo, sizeof...(Ops)> mathInfos(OpList<Ops...>) {
    return {MathOpInfo{Ops::name, Ops::kernel, Ops::arity, Ops::result, Ops::types}...};
}
} // namespace detail
inline constexpr auto kMathOps = detail::mathInfos(MathOps{});

enum class MathOp : std::uint8_t {};

template <class Op>
requires(MathOps::indexOf<Op>() <
         MathOps::size) inline constexpr MathOp mathOp = static_cast<MathOp>(MathOps::indexOf<Op>());

constexpr const MathOpInfo& info(MathOp op) {
    return kMathOps[static_cast<std::size_t>(op)];
}
constexpr const char* name(MathOp op) {
    return info(op).name;
}

} // namespace stridescope
