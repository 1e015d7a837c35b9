#pragma once
// Mathematical functions of one number without branches or calls, so that loops over them are vectorised. Each source
// that is compiled once per instruction set has copies of its own.
//
// Note [Same on all sets] No fused multiply-add and no order of operations that depends on the width: the same argument
// gives the same result on every instruction set and at every place in a run. Greatest error, as tst_pointwise_math
// checks: 2 units in the last place.

#include "core/backend/cpu/isa/isa_common.h"

#include <bit>

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

STRIDESCOPE_INLINE float sizeOf(float x) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7fffffffu);
}
STRIDESCOPE_INLINE double sizeOf(double x) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7fffffffffffffffULL);
}

/// `sum` = a + b, rounded; returns what rounding lost.
STRIDESCOPE_INLINE double lostOf(double a, double b, double& sum) {
    sum = a + b;
    const double second = sum - a;
    return (a - (sum - second)) + (b - second);
}

/// What a * b lost to rounding. Precondition: neither overflows nor is subnormal on the way.
STRIDESCOPE_INLINE double lostInProduct(double a, double b, double product) {
#ifdef __FMA__
    return __builtin_fma(a, b, -product);
#else // Dekker's halves, which give the same
    constexpr double kSplit = 134217729.0;
    const double p = a * kSplit, q = b * kSplit;
    const double high = p - (p - a), low = a - high, top = q - (q - b), bottom = b - top;
    return ((high * top - product) + high * bottom + low * top) + low * bottom;
#endif
}

/// a * b + c rounded once. Without the instruction in double, where the product of two floats is exact; that the sum
/// is then rounded twice changes no result of expOf, tanhOf and expm1Of, as all floats were tried.
STRIDESCOPE_INLINE float fused(float a, float b, float c) {
#ifdef __FMA__
    return __builtin_fmaf(a, b, c);
#else
    return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
#endif
}

/// e^x = 2^n * e^r with r = x - n ln 2, |r| <= ln 2 / 2, and the series of e^r up to r^7. The power of two is applied
/// in two halves, which gives subnormal results and infinity without special cases.
STRIDESCOPE_INLINE float expOf(float x) {
    constexpr float kMagic = 12582912.f; // 1.5 * 2^23: adding it rounds to a whole number in the low bits
    x = x < -104.f ? -104.f : x;         // NaN passes both
    x = x > 89.f ? 89.f : x;
    const float shifted = fused(x, 1.44269504088896341f, kMagic);
    const float n = shifted - kMagic;
    const float r = fused(n, 2.12194440e-4f, fused(n, -0.693359375f, x)); // ln 2 in two parts
    float p = 1.f / 5040;
    p = fused(p, r, 1.f / 720);
    p = fused(p, r, 1.f / 120);
    p = fused(p, r, 1.f / 24);
    p = fused(p, r, 1.f / 6);
    p = fused(p, r, 0.5f);
    p = fused(p * r, r, r);
    p = p + 1.f;
    // Unsigned: of NaN and infinities the difference leaves int32.
    const auto whole =
        static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(kMagic));
    const std::int32_t half = whole >> 1, rest = whole - half;
    const float s = std::bit_cast<float>((half + 127) << 23), t = std::bit_cast<float>((rest + 127) << 23);
    return p * s * t;
}

/// (e^r - 1 - r) / r^2 for |r| <= ln(2)/2, by the series of e^r up to r^13.
STRIDESCOPE_INLINE double expTail(double r) {
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    return p;
}

/// As expOf(float), with the longer series.
STRIDESCOPE_INLINE double expOf(double x) {
    constexpr double kMagic = 6755399441055744.0; // 1.5 * 2^52
    x = x < -746.0 ? -746.0 : x;
    x = x > 710.0 ? 710.0 : x;
    const double shifted = x * 1.4426950408889634074 + kMagic;
    const double n = shifted - kMagic;
    const double r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    double p = expTail(r);
    p = (p * r) * r + r;
    p = p + 1.0;
    // Shifts of unsigned numbers, which every instruction set has: n + 2048 is positive.
    const std::uint64_t whole = std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(kMagic) + 2048;
    const std::uint64_t half = whole >> 1, rest = whole - half;
    const double s = std::bit_cast<double>((half - 1) << 52), t = std::bit_cast<double>((rest - 1) << 52);
    return p * s * t;
}

/// A float in two parts: what `high` lost to rounding is `low`.
struct Pair {
    float high, low;
};

STRIDESCOPE_INLINE Pair plus(Pair a, Pair b) {
    const float sum = a.high + b.high, second = sum - a.high;
    return {sum, ((a.high - (sum - second)) + (b.high - second)) + (a.low + b.low)};
}

STRIDESCOPE_INLINE Pair times(Pair a, float b) {
    const float product = a.high * b;
    return {product, fused(a.low, b, fused(a.high, b, -product))};
}

STRIDESCOPE_INLINE Pair times(Pair a, Pair b) {
    const float product = a.high * b.high;
    return {product, fused(a.high, b.low, fused(a.low, b.high, fused(a.high, b.high, -product)))};
}

/// e^x - 1 bit for bit as PyTorch's vector loops have it: x reduced as in expOf, and the series of e^r in pairs, with
/// the steps and coefficients of the library that they call (Sleef, its function of 1.0 ulp for processors with fused
/// multiply-add). All floats were compared. Greatest error: 0.52 units in the
/// last place.
STRIDESCOPE_INLINE float expm1Of(float x) {
    constexpr float kMagic = 12582912.f;
    // Beyond these ends the result is -1 and infinity; NaN passes both.
    const float least = x < -16.635532f ? -16.635532f : x, kept = least > 88.722832f ? 88.722832f : least;
    const float shifted = kept * 1.442695041f + kMagic;
    const float n = shifted - kMagic;
    const Pair r = plus(plus({kept, 0.f}, {n * -0.693145751953125f, 0.f}), {n * -1.428606765330187e-06f, 0.f});
    float u = 0.1980960224e-3f;
    u = fused(u, r.high, 0.1394256484e-2f);
    u = fused(u, r.high, 0.8333456703e-2f);
    u = fused(u, r.high, 0.4166637361e-1f);
    Pair t = plus(times(r, u), {0.166666659414234244790680580464f, 0.f});
    t = plus(times(r, t), {0.5f, 0.f});
    const float squared = r.high * r.high;
    const Pair square{squared, fused(r.high + r.high, r.low, fused(r.high, r.high, -squared))};
    t = plus(r, times(square, t));
    const float sum = 1.f + t.high, low = ((1.f - sum) + t.high) + t.low;
    const auto whole =
        static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(kMagic));
    // In two halves as in expOf: 2^128 is none of the floats.
    const std::int32_t half = whole >> 1, rest = whole - half;
    const float a = std::bit_cast<float>((half + 127) << 23), b = std::bit_cast<float>((rest + 127) << 23);
    const Pair less = plus({sum * a * b, low * a * b}, {-1.f, 0.f});
    const float inside = x > 88.722832f ? __builtin_inff() : x < -16.635532f ? -1.f : less.high + less.low;
    return x == 0.f ? x : inside; // -0.0 stays
}

template <class T>
STRIDESCOPE_INLINE T sigmoidOf(T x) {
    return T(1) / (T(1) + expOf(-x));
}

constexpr float kTanh0 = -0.333333313f, kTanh1 = 0.133331954f, kTanh2 = -0.0539454594f, kTanh3 = 0.0216934830f,
                kTanh4 = -0.00815927237f, kTanh5 = 0.00212609279f;

/// Near 0 by an odd polynomial (fitted to tanh(x) / x, relative error 2e-10), else from e^2|x|.
STRIDESCOPE_INLINE float tanhOf(float x) {
    const float size = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7fffffffu), z = x * x;
    float p = kTanh5;
    p = fused(p, z, kTanh4);
    p = fused(p, z, kTanh3);
    p = fused(p, z, kTanh2);
    p = fused(p, z, kTanh1);
    p = fused(p, z, kTanh0);
    const float small = fused(p * z, size, size);
    const float large = 1.f - 2.f / (expOf(size + size) + 1.f);
    const float result = size < 0.625f ? small : large;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(result) | (std::bit_cast<std::uint32_t>(x) & 0x80000000u));
}

/// x = 2^k * (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); log(1 + f) from the series in s = f / (2 + f).
STRIDESCOPE_INLINE float logOf(float x) {
    const bool tiny = x < 1.17549435e-38f; // subnormal numbers are scaled up first
    const float scaled = tiny ? x * 8388608.f : x;
    const auto bits = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(scaled) - 0x3f3504f3U);
    const float k = static_cast<float>(bits >> 23) - (tiny ? 23.f : 0.f);
    const float f = std::bit_cast<float>((bits & 0x007fffff) + 0x3f3504f3) - 1.f;
    const float s = f / (2.f + f), z = s * s, half = 0.5f * f * f;
    float r = 2.f / 9;
    r = r * z + 2.f / 7;
    r = r * z + 2.f / 5;
    r = r * z + 2.f / 3;
    r = r * z;
    const float sum = k * 0.693145752f - ((half - (s * (half + r) + k * 1.42860677e-6f)) - f);
    constexpr float kInfinity = __builtin_inff();
    const float finite = x < kInfinity ? sum : x; // infinity and NaN
    const float positive = x > 0.f ? finite : -kInfinity;
    return x < 0.f ? __builtin_nanf("") : (x != x ? x : positive);
}

/// As above, with the series up to s^21.
STRIDESCOPE_INLINE double logOf(double x) {
    const bool tiny = x < 2.2250738585072014e-308;
    const double scaled = tiny ? x * 18014398509481984.0 : x; // 2^54
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(scaled) - 0x3fe6a09e667f3bcdULL;
    // The exponent, from a shift of unsigned bits that every instruction set has: as a number of 1.5 * 2^52 + k.
    constexpr double kMagic = 6755399441055744.0;
    const std::uint64_t biased = (bits + (std::uint64_t{2048} << 52)) >> 52; // k + 2048, modulo 4096
    const double k =
        std::bit_cast<double>(std::bit_cast<std::uint64_t>(kMagic) + biased) - (kMagic + 2048.0) - (tiny ? 54.0 : 0.0);
    const double f = std::bit_cast<double>((bits & 0x000fffffffffffffULL) + 0x3fe6a09e667f3bcdULL) - 1.0;
    const double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double r = 2.0 / 21;
    r = r * z + 2.0 / 19;
    r = r * z + 2.0 / 17;
    r = r * z + 2.0 / 15;
    r = r * z + 2.0 / 13;
    r = r * z + 2.0 / 11;
    r = r * z + 2.0 / 9;
    r = r * z + 2.0 / 7;
    r = r * z + 2.0 / 5;
    r = r * z + 2.0 / 3;
    r = r * z;
    const double sum =
        k * 6.93147180369123816490e-01 - ((half - (s * (half + r) + k * 1.90821492927058770002e-10)) - f);
    constexpr double kInfinity = __builtin_inf();
    const double finite = x < kInfinity ? sum : x;
    const double positive = x > 0.0 ? finite : -kInfinity;
    return x < 0.0 ? __builtin_nan("") : (x != x ? x : positive);
}

/// e^2|x| - 1 over e^2|x| + 1, with e^2|x| - 1 = 2^n * (e^r - 1) + (2^n - 1) and the series of e^r - 1.
STRIDESCOPE_INLINE double tanhOf(double x) {
    constexpr double kMagic = 6755399441055744.0;
    double twice = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7fffffffffffffffULL) * 2.0;
    twice = twice > 40.0 ? 40.0 : twice; // from there on it is 1; NaN passes
    const double shifted = twice * 1.4426950408889634074 + kMagic;
    const double n = shifted - kMagic;
    const double r = (twice - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    const double p = expTail(r);
    // Three roundings in a row would be too many: what the sums lose goes on beside them.
    const double tail = (p * r) * r, high = r + tail, low = (r - high) + tail;
    const std::uint64_t whole = std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(kMagic);
    const double power = std::bit_cast<double>((whole + 1023) << 52);
    double less = 0, sum = 0;
    const double lessLost = lostOf(high * power, power - 1.0, less) + low * power;
    const double sumLost = lostOf(less, 2.0, sum) + lessLost;
    const double quotient = less / sum;
    const double result = quotient + (lessLost - quotient * sumLost) / sum;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(result) |
                                 (std::bit_cast<std::uint64_t>(x) & 0x8000000000000000ULL));
}

/// In double: r = x - n pi / 2, |r| <= pi / 4, and a polynomial for sine or cosine. `quarter` 1 gives the cosine.
STRIDESCOPE_INLINE float sineOf(float value, std::int64_t quarter) {
    constexpr double kMagic = 6755399441055744.0;
    const auto x = static_cast<double>(value);
    const double shifted = x * 0.63661977236758134308 + kMagic;
    const double n = shifted - kMagic;
    const double r = (x - n * 1.5707963267341256142) - n * 6.0771005065061922e-11;
    const double z = r * r;
    // Fitted for |r| <= pi / 4: relative errors 4e-9 and 7e-11.
    double s = -1.9515205849674814e-4;
    s = s * z + 8.3321602037102000e-3;
    s = s * z - 0.16666654600919670;
    s = z == 0 ? r : (s * z) * r + r; // -0.0 stays
    double c = 2.4383473026431423e-5;
    c = c * z - 1.3886680647537807e-3;
    c = c * z + 4.1666620325513790e-2;
    c = c * z - 0.49999999694196473;
    c = c * z + 1.0;
    const auto turn = std::bit_cast<std::uint64_t>(shifted) + static_cast<std::uint64_t>(quarter);
    const double part = (turn & 1) != 0 ? c : s;
    return static_cast<float>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(part) ^ ((turn & 2) << 62)));
}

/// pi / 2 in three parts of 33, 33 and 53 bits: the first two products are exact. What rounding r loses goes on as
/// `rest`, for sines near their zeros.
STRIDESCOPE_INLINE double sineOf(double x, std::int64_t quarter) {
    constexpr double kMagic = 6755399441055744.0;
    const double shifted = x * 0.63661977236758134308 + kMagic;
    const double n = shifted - kMagic;
    const double first = x - n * 1.57079632673412561417e+00, second = n * 6.07710050630396597660e-11;
    const double upper = first - second;
    const double lower = ((first - upper) - second) - n * 2.02226624879595063154e-21;
    const double r = upper + lower, rest = (upper - r) + lower;
    const double z = r * r;
    double s = 1.0 / 355687428096000;
    s = s * z - 1.0 / 1307674368000;
    s = s * z + 1.0 / 6227020800;
    s = s * z - 1.0 / 39916800;
    s = s * z + 1.0 / 362880;
    s = s * z - 1.0 / 5040;
    s = s * z + 1.0 / 120;
    s = s * z - 1.0 / 6;
    s = z == 0 ? x : r + ((s * z) * r + (rest - 0.5 * z * rest)); // -0.0 stays
    double c = 1.0 / 20922789888000;
    c = c * z - 1.0 / 87178291200;
    c = c * z + 1.0 / 479001600;
    c = c * z - 1.0 / 3628800;
    c = c * z + 1.0 / 40320;
    c = c * z - 1.0 / 720;
    c = c * z + 1.0 / 24;
    const double half = 0.5 * z, near = 1.0 - half;
    c = near + (((1.0 - near) - half) + (c * z * z - r * rest));
    const std::uint64_t turn = std::bit_cast<std::uint64_t>(shifted) + static_cast<std::uint64_t>(quarter);
    const double part = (turn & 1) != 0 ? c : s;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(part) ^ ((turn & 2) << 62));
}

} // namespace

} // namespace stridescope::cpu::STRIDESCOPE_ISA
