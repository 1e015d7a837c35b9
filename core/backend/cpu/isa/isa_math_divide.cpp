// floor_divide, div with rounding_mode="trunc", remainder and fmod: the rest of a division without the C library, which
// counts it bit by bit. The results are exact, so they are the same on all sets.

#include "core/backend/cpu/isa/isa_math_functions.h"

#include <cmath>

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

constexpr double kMagic = 6755399441055744.0; // 1.5 * 2^52: adding it rounds to a whole number

/// Can restOf compute it? Not where b is 0 or infinite, one of them NaN, or the quotient longer than a mantissa.
STRIDESCOPE_INLINE bool isNear(float a, float b) {
    const double x = sizeOf(static_cast<double>(a)), y = sizeOf(static_cast<double>(b));
    return (x < y * 0x1p28) & (y < __builtin_inf());
}
STRIDESCOPE_INLINE bool isNear(double a, double b) {
    const double x = sizeOf(a), y = sizeOf(b);
    return (x < y * 0x1p51) & (y > 0x1p-900) & (y < 0x1p900);
}

/// From the whole number n nearest to the quotient: x - n y, at most y / 2 from 0, has no more bits than y.
STRIDESCOPE_INLINE double restOfSizes(double x, double y, bool productIsExact) {
    const double n = (x / y + kMagic) - kMagic, product = n * y;
    const double rest = productIsExact ? x - product : (x - product) - lostInProduct(n, y, product);
    return rest < 0 ? rest + y : rest;
}
STRIDESCOPE_INLINE float restOf(float a, float b) { // 28 bits of n and 24 of y are exact
    const double rest = restOfSizes(sizeOf(static_cast<double>(a)), sizeOf(static_cast<double>(b)), true);
    return __builtin_copysignf(static_cast<float>(rest), a);
}
STRIDESCOPE_INLINE double restOf(double a, double b) {
    return __builtin_copysign(restOfSizes(sizeOf(a), sizeOf(b), false), a);
}

template <class Op, class T, int Step0, int Step1>
void divideFloats(T* o, const T* a, const T* b, Index n) {
    const T a0 = a[0], b0 = b[0]; // in a register while the output is written
    const auto x = [=](Index i) { return Step0 ? a[i] : a0; };
    const auto y = [=](Index i) { return Step1 ? b[i] : b0; };
    const auto one = [](T p, T q) { return Op::of(p, q, T(0), restOf(p, q)); };
    constexpr Index kPiece = 256;
    for (Index done = 0; done < n; done += kPiece) {
        const Index end = done + kPiece < n ? done + kPiece : n;
        int far = 0;
        for (Index i = done; i < end; ++i) far |= static_cast<int>(!isNear(x(i), y(i)));
        if (far == 0) {
            STRIDESCOPE_INDEPENDENT
            for (Index i = done; i < end; ++i) o[i] = one(x(i), y(i));
        } else {
            for (Index i = done; i < end; ++i) o[i] = isNear(x(i), y(i)) ? one(x(i), y(i)) : Op{}(x(i), y(i));
        }
    }
}

/// Narrow integers are divided as floats or doubles, whose quotients are never rounded up to a whole number: that is
/// further away than half a unit in the last place.
template <class T>
STRIDESCOPE_INLINE T quotientOf(T a, T b) {
    if constexpr (sizeof(T) == 8) {
        return static_cast<T>(a / b);
    } else {
        using F = std::conditional_t<sizeof(T) == 4, double, float>;
        return static_cast<T>(static_cast<std::int32_t>(static_cast<F>(a) / static_cast<F>(b)));
    }
}

template <class Op, class T, int Step0, int Step1>
void divideIntegers(T* o, const T* a, const T* b, Index n) {
    const T a0 = a[0], b0 = b[0];
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) {
        const T x = Step0 ? a[i] : a0, y = Step1 ? b[i] : b0;
        const T quotient = detail::isMinusOne(y) ? Neg{}(x) : quotientOf(x, y);
        o[i] = Op::of(x, y, quotient, Sub{}(x, Mul{}(quotient, y)));
    }
}

template <class Op, class T>
void divisionLoop(void* out, const void* const* in, unsigned scalars, Index n, const void*) {
    auto* const o = static_cast<T*>(out);
    auto *const a = static_cast<const T*>(in[0]), *const b = static_cast<const T*>(in[1]);
    const auto run = [&]<int Step0, int Step1>() {
        if constexpr (std::is_same_v<Op, TruncDivide> && std::is_floating_point_v<T>) {
            const T a0 = a[0], b0 = b[0];
            STRIDESCOPE_INDEPENDENT
            for (Index i = 0; i < n; ++i) o[i] = Op{}(Step0 ? a[i] : a0, Step1 ? b[i] : b0);
        } else if constexpr (std::is_floating_point_v<T>) {
            divideFloats<Op, T, Step0, Step1>(o, a, b, n);
        } else {
            divideIntegers<Op, T, Step0, Step1>(o, a, b, n);
        }
    };
    if (scalars == 0) return run.template operator()<1, 1>();
    if (scalars == 1) return run.template operator()<0, 1>();
    return run.template operator()<1, 0>();
}

template <class Op, class... Ts>
void bindDivision(IsaTable& table, TypeList<Ts...>) {
    ((table.math[MathOps::indexOf<Op>()][indexOf(DTypeOf<Ts>::value)] = divisionLoop<Op, Ts>), ...);
}
template <class... Ops>
void bindDivisions(IsaTable& table, OpList<Ops...>) {
    using Numbers = TypeList<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;
    (bindDivision<Ops>(table, Numbers{}), ...);
}

} // namespace

void fillMathDivide(IsaTable& table) {
    bindDivisions(table, DivisionOps{});
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
