// log2, log10, log1p, atan, atan2, asin, acos, tan, sinh, cosh, pow, logaddexp and logaddexp2 of float, computed in
// double and rounded once: as loops without branches or calls, which compilers vectorise. No fused multiply-add; see
// Note [Same on all sets] in isa_math_functions.h.
//
// The polynomials are Chebyshev fits of degree 5 to 9, most in the square of the argument; their relative errors, 1e-12
// and less, leave all but a few floats the ones nearest to the exact values.

#include "core/backend/cpu/isa/isa_common.h"
#include "core/backend/cpu/isa/isa_pieces.h"
#include "core/backend/cpu/math_loops.h"

#include <bit>
#include <cmath>

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

constexpr double kMagic = 6755399441055744.0; // 1.5 * 2^52: adding it rounds to a whole number
constexpr double kInfinity = __builtin_inf(), kHalfPi = 1.5707963267948966, kQuarterPi = 0.78539816339744828;

/// log(x) / scale + k * part for x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)): the series in s = f / (2 + f).
/// Precondition: a normal number; what else there is goes through chosen().
STRIDESCOPE_INLINE double logOfNormal(double x, double perTwo, double scale) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) - 0x3fe6a09e667f3bcdULL;
    const std::uint64_t biased = (bits + (std::uint64_t{2048} << 52)) >> 52; // k + 2048, modulo 4096
    const double k = std::bit_cast<double>(std::bit_cast<std::uint64_t>(kMagic) + biased) - (kMagic + 2048.0);
    const double f = std::bit_cast<double>((bits & 0x000fffffffffffffULL) + 0x3fe6a09e667f3bcdULL) - 1.0;
    const double s = f / (2.0 + f), z = s * s;
    double p = 0.196090583340888;
    p = p * z + 0.22174180294763413;
    p = p * z + 0.28572167906248996;
    p = p * z + 0.3999999487368803;
    p = p * z + 0.6666666667964455;
    p = p * z + 1.999999999999947;
    return k * perTwo + s * p * scale;
}

/// `inside` where 0 < x < infinity, and what a logarithm is elsewhere.
STRIDESCOPE_INLINE double chosen(double x, double inside) {
    const double finite = x < kInfinity ? inside : x; // infinity and NaN
    const double positive = x > 0.0 ? finite : -kInfinity;
    return x < 0.0 ? __builtin_nan("") : (x != x ? x : positive);
}

struct WideLog2 {
    STRIDESCOPE_INLINE double operator()(double x) const { return chosen(x, logOfNormal(x, 1.0, 1.4426950408889634)); }
};
struct WideLog10 {
    STRIDESCOPE_INLINE double operator()(double x) const {
        return chosen(x, logOfNormal(x, 0.30102999566398120, 0.43429448190325183));
    }
};
struct WideLog1p {
    STRIDESCOPE_INLINE double operator()(double x) const {
        const double y = 1.0 + x, lost = (x - (y - 1.0)) / y;
        const double result = chosen(y, logOfNormal(y, 0.69314718055994531, 1.0) + lost);
        return x == 0.0 ? x : result; // -0.0 stays
    }
};

STRIDESCOPE_INLINE double sizeOf(double x) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7fffffffffffffffULL);
}

/// By |x| from 0, pi/4 or pi/2, so that the polynomial sees at most tan(pi/8).
STRIDESCOPE_INLINE double atanOf(double x) {
    const double size = sizeOf(x);
    const bool small = size <= 0.41421356237309503, large = size > 2.4142135623730951;
    const double over = small ? size : large ? -1.0 : size - 1.0;
    const double under = small ? 1.0 : large ? size : size + 1.0;
    const double from = small ? 0.0 : large ? kHalfPi : kQuarterPi;
    const double t = over / under, z = t * t;
    double p = -0.037701757688156555;
    p = p * z + 0.0697700619847538;
    p = p * z - 0.08993217451985472;
    p = p * z + 0.11103534929298349;
    p = p * z - 0.1428539125976331;
    p = p * z + 0.19999993188884896;
    p = p * z - 0.333333332783845;
    p = p * z + 0.9999999999992701;
    const double result = from + t * p;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(result) |
                                 (std::bit_cast<std::uint64_t>(x) & 0x8000000000000000ULL));
}

struct WideAtan {
    STRIDESCOPE_INLINE double operator()(double x) const { return atanOf(x); }
};
/// The angle of (x, y), from the smaller side over the larger one.
struct WideAtan2 {
    static constexpr int arity = 2;
    static constexpr ResultKind result = ResultKind::Float;
    STRIDESCOPE_INLINE float operator()(float b, float a) const {
        const auto y = static_cast<double>(b), x = static_cast<double>(a);
        const double height = sizeOf(y), width = sizeOf(x);
        const bool steep = height > width;
        const double over = steep ? width : height, under = steep ? height : width;
        // Two zeros and two infinities have an angle too; NaN goes on.
        const double ratio = over == under ? (over == 0.0 ? 0.0 : 1.0) : over / under;
        const double near = atanOf(ratio), right = steep ? kHalfPi - near : near;
        const bool left = (std::bit_cast<std::uint64_t>(x) >> 63) != 0;
        const double angle = left ? 2.0 * kHalfPi - right : right;
        return static_cast<float>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(angle) |
                                                        (std::bit_cast<std::uint64_t>(y) & 0x8000000000000000ULL)));
    }
};
struct WideAsin {
    STRIDESCOPE_INLINE double operator()(double x) const {
        return atanOf(x / __builtin_sqrt((1.0 - x) * (1.0 + x))); // of 1: of infinity; beyond 1: NaN
    }
};
struct WideAcos {
    STRIDESCOPE_INLINE double operator()(double x) const { // near 1 pi/2 - asin would cancel
        return 2.0 * atanOf(__builtin_sqrt((1.0 - x) / (1.0 + x)));
    }
};

STRIDESCOPE_INLINE double tanOf(double x) {
    const double shifted = x * 0.63661977236758134308 + kMagic;
    const double n = shifted - kMagic;
    const double r = (x - n * 1.5707963267341256142) - n * 6.0771005065061922e-11;
    const double z = r * r;
    double s = -2.4756463821996052e-08;
    s = s * z + 2.7555269893903946e-06;
    s = s * z - 0.00019841263283007385;
    s = s * z + 0.008333333323828953;
    s = s * z - 0.16666666666616184;
    s = s * z + 0.9999999999999958;
    s = s * r;
    double c = -2.717341898896374e-07;
    c = c * z + 2.4798928547136962e-05;
    c = c * z - 0.0013888880392437873;
    c = c * z + 0.04166666654387884;
    c = c * z - 0.4999999999935089;
    c = c * z + 0.9999999999999445;
    const bool odd = (std::bit_cast<std::uint64_t>(shifted) & 1) != 0;
    return (odd ? -c : s) / (odd ? s : c);
}

/// e^r * 2^n, n being the whole number that `shifted` is beyond kMagic; |r| <= ln(2) / 2.
STRIDESCOPE_INLINE double powerOf(double r, double shifted) {
    double p = 2.7638265899882866e-06;
    p = p * r + 2.4884485246199878e-05;
    p = p * r + 0.00019841176020206065;
    p = p * r + 0.0013888801676917226;
    p = p * r + 0.008333333379654884;
    p = p * r + 0.041666667041232945;
    p = p * r + 0.1666666666658001;
    p = p * r + 0.4999999999943633;
    p = p * r + 1.0000000000000029;
    p = p * r + 1.000000000000014;
    const std::uint64_t whole = std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(kMagic);
    return p * std::bit_cast<double>((whole + 1023) << 52);
}

/// e^x for |x| <= 200; above it stays there, which is infinite for a float. NaN passes.
STRIDESCOPE_INLINE double expOf(double x) {
    const double kept = x > 200.0 ? 200.0 : x;
    const double shifted = kept * 1.4426950408889634074 + kMagic;
    const double n = shifted - kMagic;
    return powerOf((kept - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10, shifted);
}

/// 2^(y log2 x); of what is no positive normal number, by the C library.
struct QuickPow {
    STRIDESCOPE_INLINE static bool isQuick(float x, float y) {
        return (x >= 1.17549435e-38f) & (x < __builtin_inff()) & IsFinite{}(y);
    }
    STRIDESCOPE_INLINE static float quick(float x, float y) {
        const double exponent = static_cast<double>(y) * logOfNormal(static_cast<double>(x), 1.0, 1.4426950408889634);
        double kept = exponent < -300.0 ? -300.0 : exponent; // 0 and infinity for a float from far inside on
        kept = kept > 300.0 ? 300.0 : kept;
        const double shifted = kept + kMagic;
        return static_cast<float>(powerOf((kept - (shifted - kMagic)) * 0.69314718055994531, shifted));
    }
    STRIDESCOPE_INLINE static float slow(float x, float y) { return __builtin_powf(x, y); }
};

struct WideSinh {
    static float few(float x) { return __builtin_sinhf(x); }
    STRIDESCOPE_INLINE double operator()(double x) const {
        const double size = sizeOf(x), z = x * x, e = expOf(size);
        double p = 2.5538256047798194e-08;
        p = p * z + 2.755183355841532e-06;
        p = p * z + 0.00019841298328639564;
        p = p * z + 0.008333333266504612;
        p = p * z + 0.1666666666723983;
        p = p * z + 0.9999999999999205;
        const double result = size < 1.0 ? p * size : 0.5 * (e - 1.0 / e);
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(result) |
                                     (std::bit_cast<std::uint64_t>(x) & 0x8000000000000000ULL));
    }
};
struct WideCosh {
    static float few(float x) { return __builtin_coshf(x); }
    STRIDESCOPE_INLINE double operator()(double x) const {
        const double e = expOf(sizeOf(x));
        return 0.5 * (e + 1.0 / e);
    }
};

/// log(base^a + base^b) for bases e and 2, from the larger one on.
template <int Base>
struct WideLogOfSum {
    static constexpr int arity = 2;
    static constexpr ResultKind result = ResultKind::Same;
    STRIDESCOPE_INLINE float operator()(float a, float b) const {
        constexpr double kUnit = Base == 2 ? 0.69314718055994531 : 1.0, kScale = Base == 2 ? 1.4426950408889634 : 1.0;
        const double p = a, q = b, apart = sizeOf(p - q) * kUnit, kept = apart > 200.0 ? 200.0 : apart;
        // 1 and what it is added to, which is at most 1; NaN is in the larger one.
        const double power = expOf(-kept), y = 1.0 + power, lost = power - (y - 1.0);
        const double more = logOfNormal(y, 0.69314718055994531, 1.0) + lost;
        const auto sum = static_cast<float>(((p > q) | (p != p) ? p : q) + more * kScale);
        return (a == b) & (sizeOf(p) == kInfinity) ? a : sum;
    }
};

template <class Op>
void wideLoop(void* out, const void* const* in, unsigned, Index n, const void*) {
    auto* const o = static_cast<float*>(out);
    auto* const a = static_cast<const float*>(in[0]);
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) o[i] = static_cast<float>(Op{}(static_cast<double>(a[i])));
}

STRIDESCOPE_INLINE bool isFar(float x) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7fffffffu) > kMostTurned;
}

/// PyTorch computes fewer than 16 by the C library, whose sinh and cosh of float are not the nearest ones in a quarter
/// of all cases: what is printed of a few numbers is the same.
template <class Op>
void wideFromSixteen(void* out, const void* const* in, unsigned scalars, Index n, const void* parameters) {
    if (n >= 16) return wideLoop<Op>(out, in, scalars, n, parameters);
    auto* const o = static_cast<float*>(out);
    auto* const a = static_cast<const float*>(in[0]);
    for (Index i = 0; i < n; ++i) o[i] = Op::few(a[i]);
}

void tanLoop(void* out, const void* const* in, unsigned, Index n, const void*) {
    auto* const o = static_cast<float*>(out);
    auto* const a = static_cast<const float*>(in[0]);
    constexpr Index kPiece = 256;
    for (Index done = 0; done < n; done += kPiece) {
        const Index end = done + kPiece < n ? done + kPiece : n;
        int far = 0;
        for (Index i = done; i < end; ++i) far |= static_cast<int>(isFar(a[i]));
        if (far == 0) {
            STRIDESCOPE_INDEPENDENT
            for (Index i = done; i < end; ++i) o[i] = static_cast<float>(tanOf(static_cast<double>(a[i])));
        } else {
            for (Index i = done; i < end; ++i)
                o[i] = isFar(a[i]) ? __builtin_tanf(a[i]) : static_cast<float>(tanOf(static_cast<double>(a[i])));
        }
    }
}

void powLoop(void* out, const void* const* in, unsigned scalars, Index n, const void*) {
    runPieces<QuickPow>(static_cast<float*>(out), static_cast<const float*>(in[0]), static_cast<const float*>(in[1]),
                        scalars, n);
}

template <class Op>
void set(IsaTable& table, MathLoop loop) {
    table.math[MathOps::indexOf<Op>()][indexOf(DType::Float32)] = loop;
}

} // namespace

void fillMathWide(IsaTable& table) {
    set<Log2>(table, wideLoop<WideLog2>);
    set<Log10>(table, wideLoop<WideLog10>);
    set<Log1p>(table, wideLoop<WideLog1p>);
    set<Atan>(table, wideLoop<WideAtan>);
    set<Atan2>(table, mathLoop<WideAtan2, float>);
    set<Asin>(table, wideLoop<WideAsin>);
    set<Acos>(table, wideLoop<WideAcos>);
    set<Tan>(table, tanLoop);
    set<Pow>(table, powLoop);
    set<Logaddexp>(table, mathLoop<WideLogOfSum<0>, float>);
    set<Logaddexp2>(table, mathLoop<WideLogOfSum<2>, float>);
    set<Sinh>(table, wideFromSixteen<WideSinh>);
    set<Cosh>(table, wideFromSixteen<WideCosh>);
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
