#pragma once
// Functions of doubles that are nearly always the double nearest to the exact value: sums and quotients carry what
// rounding lost into the last step. As isa_math_functions.h, without branches or calls. The polynomials are Chebyshev
// interpolations, of an error below a tenth of a unit in the last place.

#include "core/backend/cpu/isa/isa_math_functions.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

STRIDESCOPE_INLINE float rootOf(float x) {
    return __builtin_sqrtf(x);
}
STRIDESCOPE_INLINE double rootOf(double x) {
    return __builtin_sqrt(x);
}
/// The C library's.
STRIDESCOPE_INLINE float hypotOf(float x, float y) {
    return __builtin_hypotf(x, y);
}
STRIDESCOPE_INLINE double hypotOf(double x, double y) {
    return __builtin_hypot(x, y);
}

STRIDESCOPE_INLINE double withSignOf(double size, double sign) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) |
                                 (std::bit_cast<std::uint64_t>(sign) & 0x8000000000000000ULL));
}
/// 1 / (2 x) to the few digits that a correction needs. Precondition: x is a normal float.
STRIDESCOPE_INLINE double halfInverse(double x) {
    return static_cast<double>(0.5f / static_cast<float>(x));
}

/// What the root of `square + squareLow` has beyond `root`, which is that of `square`.
STRIDESCOPE_INLINE double lostInRoot(double root, double square, double squareLow) {
    const double back = root * root;
    return (((square - back) - lostInProduct(root, root, back)) + squareLow) * halfInverse(root);
}

/// The length of (x, y). Precondition: the longer one lies between 2^-100 and 2^100.
STRIDESCOPE_INLINE double lengthOf(double x, double y) {
    const double xx = x * x, yy = y * y;
    double square = 0;
    const double lost = lostOf(xx, yy, square) + (lostInProduct(x, x, xx) + lostInProduct(y, y, yy));
    const double root = __builtin_sqrt(square);
    return root + lostInRoot(root, square, lost);
}

/// `condition ? a : b`, both being computed: compilers move what only one of them needs behind a branch, and then do
/// not vectorise.
STRIDESCOPE_INLINE double picked(bool condition, double a, double b) {
    const std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(condition);
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & mask) | (std::bit_cast<std::uint64_t>(b) & ~mask));
}

/// The angle of (d + dLow, n + nLow), both at least 0, or of its mirror image to the left; by n / d from 0, pi/4 or
/// pi/2, so that the polynomial sees at most tan(pi/8).
STRIDESCOPE_INLINE double turnOf(double n, double nLow, double d, double dLow, bool left) {
    const bool small = n <= 0.41421356237309503 * d, large = n > 2.4142135623730951 * d;
    double sum = 0, difference = 0;
    const double sumLow = lostOf(n, d, sum) + (nLow + dLow);
    const double differenceLow = lostOf(n, -d, difference) + (nLow - dLow);
    const double over = picked(small, n, picked(large, -d, difference));
    const double overLow = picked(small, nLow, picked(large, -dLow, differenceLow));
    const double under = picked(small, d, picked(large, n, sum)),
                 underLow = picked(small, dLow, picked(large, nLow, sumLow));
    const double inverse = 1.0 / under, first = over * inverse, back = first * under;
    const double missing = ((over - back) - lostInProduct(first, under, back)) + (overLow - first * underLow);
    const double second = missing * inverse, sized = first + second, low = (first - sized) + second;
    const double t = left ? -sized : sized, tLow = left ? -low : low, z = t * t;
    double p = 0.016285755473349803;
    p = p * z - 0.03457056073451243;
    p = p * z + 0.04551593172142479;
    p = p * z - 0.05230454260021369;
    p = p * z + 0.058789289963916344;
    p = p * z - 0.06666424885612743;
    p = p * z + 0.07692296375025154;
    p = p * z - 0.09090908753500636;
    p = p * z + 0.11111111105155441;
    p = p * z - 0.14285714285659828;
    p = p * z + 0.19999999999999804;
    p = p * z - 0.3333333333333333;
    constexpr double kPi = 3.141592653589793, kPiLow = 1.2246467991473532e-16;
    const double quarters = small ? (left ? 4.0 : 0.0) : large ? 2.0 : (left ? 3.0 : 1.0);
    // Quarters of pi: products by 0, 1, 2 and 4 are exact, three of them are a number of their own.
    const double from = quarters == 3.0 ? 2.356194490192345 : quarters * (kPi / 4);
    const double fromLow = quarters == 3.0 ? 9.184850993605148e-17 : quarters * (kPiLow / 4);
    double angle = 0;
    const double lost = lostOf(from, t, angle);
    return angle + (lost + (p * z * t + (tLow + fromLow)));
}

STRIDESCOPE_INLINE double wideAtanOf(double x) {
    const double size = sizeOf(x), kept = size > 0x1p100 ? 0x1p100 : size; // NaN passes
    return withSignOf(turnOf(kept, 0.0, 1.0, 0.0, false), x);
}

/// Where angleOf may be used: no part of the way leaves the normal numbers.
STRIDESCOPE_INLINE bool isNearForAngle(double y, double x) {
    const double height = sizeOf(y), width = sizeOf(x);
    const bool high = (height > 0x1p-400) & (height < 0x1p400), wide = (width > 0x1p-400) & (width < 0x1p400);
    return (high | (height == 0.0)) & (wide | (width == 0.0)) & (high | wide);
}
STRIDESCOPE_INLINE double angleOf(double y, double x) {
    const bool left = (std::bit_cast<std::uint64_t>(x) >> 63) != 0;
    return withSignOf(turnOf(sizeOf(y), 0.0, sizeOf(x), 0.0, left), y);
}

/// The other side of a right triangle with the longest side 1: sqrt(1 - x^2), and what is lost in `low`.
STRIDESCOPE_INLINE double sideOf(double x, double& low) {
    double less = 0, more = 0;
    const double lessLow = lostOf(1.0, -x, less), moreLow = lostOf(1.0, x, more);
    const double square = less * more;
    const double squareLow = lostInProduct(less, more, square) + (less * moreLow + more * lessLow);
    const double root = __builtin_sqrt(square); // beyond 1: NaN
    low = square > 0.0 ? lostInRoot(root, square, squareLow) : 0.0;
    return root;
}
STRIDESCOPE_INLINE double asinOf(double x) {
    double low = 0;
    const double size = sizeOf(x), side = sideOf(size, low);
    return withSignOf(turnOf(size, 0.0, side, low, false), x);
}
STRIDESCOPE_INLINE double acosOf(double x) {
    double low = 0;
    const double size = sizeOf(x), side = sideOf(size, low);
    return turnOf(side, low, size, 0.0, x < 0.0);
}

/// e^x = 2^n (1 + high + low), the powers of two of n in two halves.
struct PowerParts {
    double high, low, n, half, rest;
};
STRIDESCOPE_INLINE PowerParts powerPartsOf(double x) {
    constexpr double kMagic = 6755399441055744.0;
    const double shifted = x * 1.4426950408889634074 + kMagic;
    const double n = shifted - kMagic;
    const double near = x - n * 6.93147180369123816490e-01, far = n * 1.90821492927058770002e-10;
    const double r = near - far, rLow = (near - r) - far, tail = expTail(r) * r * r;
    const double high = r + tail, low = ((r - high) + tail) + rLow * (1.0 + r);
    const std::uint64_t whole = std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(kMagic) + 4096;
    const std::uint64_t half = whole >> 1, rest = whole - half;
    return {high, low, n, std::bit_cast<double>((half - 1025) << 52), std::bit_cast<double>((rest - 1025) << 52)};
}

STRIDESCOPE_INLINE double wideExpm1Of(double x) {
    double kept = x < -40.0 ? -40.0 : x;
    kept = kept > 710.0 ? 710.0 : kept;
    const PowerParts e = powerPartsOf(kept);
    // 1 - 2^-n, and what that loses.
    const double inverse = 1.0 / (e.half * e.rest), less = 1.0 - inverse, lessLow = (1.0 - less) - inverse;
    double sum = 0;
    const double lost = lostOf(less, e.high, sum);
    const double result = (sum + (lost + (e.low + lessLow))) * e.half * e.rest;
    return x == 0.0 ? x : result; // -0.0 stays
}

/// e^x - Sign * e^-x over 2, for x of at least 0.
template <int Sign>
STRIDESCOPE_INLINE double halfSum(double x) {
    const double kept = x > 712.0 ? 712.0 : x; // infinite from 710.5 on; NaN passes
    const PowerParts e = powerPartsOf(kept);
    const double inverse = 1.0 / (e.half * e.rest);
    double sum = 0;
    const double lost = lostOf(1.0, e.high, sum) + e.low, other = (inverse * inverse) / sum;
    double both = 0;
    const double rest = lostOf(sum, Sign * other, both);
    return (both + (rest + lost)) * (0.5 * e.half) * e.rest;
}
STRIDESCOPE_INLINE double wideCoshOf(double x) {
    return halfSum<1>(sizeOf(x));
}
STRIDESCOPE_INLINE double wideSinhOf(double x) {
    const double size = sizeOf(x), z = x * x, large = halfSum<-1>(size);
    double p = 7.746188556142327e-13;
    p = p * z + 1.605767934982023e-10;
    p = p * z + 2.5052117698709824e-08;
    p = p * z + 2.755731919136874e-06;
    p = p * z + 0.00019841269841324225;
    p = p * z + 0.008333333333333299;
    p = p * z + 0.16666666666666666;
    const double small = size + (p * z) * size;
    return withSignOf(size < 1.0 ? small : large, x);
}

/// x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)), and log(1 + f) = high + low. Precondition: x > 0, finite; else
/// the numbers mean nothing.
struct LogParts {
    double k, f, high, low;
};
STRIDESCOPE_INLINE LogParts logPartsOf(double x) {
    const bool tiny = x < 2.2250738585072014e-308;
    const double scaled = tiny ? x * 18014398509481984.0 : x; // 2^54
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(scaled) - 0x3fe6a09e667f3bcdULL;
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
    const double high = f - half, low = ((f - high) - half) + s * (half + r);
    return {k, f, high, low};
}
/// `inside` where 0 < x < infinity, and what a logarithm is elsewhere.
STRIDESCOPE_INLINE double logOrSpecial(double x, double inside) {
    constexpr double kInfinity = __builtin_inf();
    const double finite = x < kInfinity ? inside : x; // infinity and NaN
    const double positive = x > 0.0 ? finite : -kInfinity;
    return x < 0.0 ? __builtin_nan("") : (x != x ? x : positive);
}
STRIDESCOPE_INLINE double wideLog2Of(double x) {
    const LogParts l = logPartsOf(x);
    constexpr double kScale = 1.4426950408889634, kScaleLow = 2.0355273740931033e-17;
    const double p = l.high * kScale, lost = lostInProduct(l.high, kScale, p) + (l.high * kScaleLow + l.low * kScale);
    double sum = 0;
    const double low = lostOf(l.k, p, sum);
    return logOrSpecial(x, sum + (low + lost));
}
STRIDESCOPE_INLINE double wideLog10Of(double x) {
    const LogParts l = logPartsOf(x);
    constexpr double kScale = 0.4342944819032518, kScaleLow = 1.098319650216765e-17;
    // Of 2, in two parts: the first product is exact.
    constexpr double kPerTwo = 0.301029995663157, kPerTwoLow = 8.241712586023572e-13;
    const double p = l.high * kScale, lost = lostInProduct(l.high, kScale, p) + (l.high * kScaleLow + l.low * kScale);
    double sum = 0;
    const double low = lostOf(l.k * kPerTwo, p, sum);
    return logOrSpecial(x, sum + (low + (lost + l.k * kPerTwoLow)));
}
STRIDESCOPE_INLINE double wideLog1pOf(double x) {
    double y = 0;
    const double lost = lostOf(1.0, x, y), correction = lost / y;
    const LogParts l = logPartsOf(y);
    double sum = 0;
    const double low = lostOf(l.k * 6.93147180369123816490e-01, l.high, sum);
    const double inside = sum + (low + (l.low + (l.k * 1.90821492927058770002e-10 + correction)));
    const double result = logOrSpecial(y, inside);
    return x == 0.0 ? x : result; // -0.0 stays
}

/// Sine over cosine with r = x - n pi / 2 as in sineOf. Precondition: |x| <= kMostTurned.
STRIDESCOPE_INLINE double wideTanOf(double x) {
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
    const double sineTail = (s * z) * r + (rest - 0.5 * z * rest), sine = r + sineTail, sineLow = (r - sine) + sineTail;
    double c = 1.0 / 20922789888000;
    c = c * z - 1.0 / 87178291200;
    c = c * z + 1.0 / 479001600;
    c = c * z - 1.0 / 3628800;
    c = c * z + 1.0 / 40320;
    c = c * z - 1.0 / 720;
    c = c * z + 1.0 / 24;
    const double half = 0.5 * z, near = 1.0 - half;
    const double cosineTail = ((1.0 - near) - half) + ((c * z * z - r * rest) - 0.5 * lostInProduct(r, r, z));
    const double cosine = near + cosineTail, cosineLow = (near - cosine) + cosineTail;
    const bool odd = (std::bit_cast<std::uint64_t>(shifted) & 1) != 0;
    const double over = odd ? -cosine : sine, overLow = odd ? -cosineLow : sineLow;
    const double under = odd ? sine : cosine, underLow = odd ? sineLow : cosineLow;
    const double inverse = 1.0 / under, quotient = over * inverse, back = quotient * under;
    const double missing = ((over - back) - lostInProduct(quotient, under, back)) + (overLow - quotient * underLow);
    return x == 0.0 ? x : quotient + missing * inverse; // -0.0 stays
}

/// erf = high + low, for |x| <= 1.
struct ErfParts {
    double high, low;
};
STRIDESCOPE_INLINE ErfParts erfPartsOf(double x) {
    const double z = x * x;
    double p = 6.17383902721109e-11;
    p = p * z - 1.1500221494162162e-09;
    p = p * z + 1.4692454144674924e-08;
    p = p * z - 1.6355114690825904e-07;
    p = p * z + 1.6461446347104607e-06;
    p = p * z - 1.4925622488807008e-05;
    p = p * z + 0.00012055332214208182;
    p = p * z - 0.0008548327010023105;
    p = p * z + 0.005223977625303399;
    p = p * z - 0.02686617064512383;
    p = p * z + 0.11283791670955111;
    p = p * z - 0.37612638903183754;
    constexpr double kScale = 1.1283791670955126, kScaleLow = 1.533545961316588e-17; // 2 / sqrt(pi)
    const double high = x * kScale, lost = sizeOf(x) > 0x1p-900 ? lostInProduct(x, kScale, high) : 0.0;
    return {high, lost + (p * z + kScaleLow) * x};
}
/// erfc for x >= 0.9: e^(-x^2) / (1 + 2x) times a polynomial in (x - 3.75) / (x + 3.75).
/// Source: Shepherd and Laframboise, "Chebyshev Approximation of (1+2x)exp(x^2)erfc(x)", 1981; coefficients fitted
/// here.
STRIDESCOPE_INLINE double erfcFarOut(double x) {
    const double kept = x > 28.0 ? 28.0 : x; // 0 from 27.3 on; NaN passes
    const double t = (kept - 3.75) / (kept + 3.75);
    double p = 1.7708105552174415e-08;
    p = p * t + 2.2472548966091498e-08;
    p = p * t - 2.2908589309590708e-07;
    p = p * t - 6.267124851975283e-08;
    p = p * t + 1.7305068780572e-06;
    p = p * t - 9.675557805726266e-07;
    p = p * t - 1.1435336810484027e-05;
    p = p * t + 2.2381288529441954e-05;
    p = p * t + 5.1646832715562364e-05;
    p = p * t - 0.00029015326356383116;
    p = p * t + 0.00029371402839129814;
    p = p * t + 0.0017556257182616746;
    p = p * t - 0.009746579593094825;
    p = p * t + 0.028362277432008812;
    p = p * t - 0.058693398587745714;
    p = p * t + 0.09230432115968336;
    p = p * t - 0.10880393014179714;
    p = p * t + 0.08227673849016236;
    p = p * t + 0.003585415485464829;
    p = p * t - 0.14024059858554708;
    p = p * t + 1.2375126308378275;
    const double square = kept * kept, lost = lostInProduct(kept, kept, square);
    const double power = expOf(-square), rest = p / (1.0 + 2.0 * kept);
    return power * (rest - rest * lost);
}
STRIDESCOPE_INLINE double erfOf(double x) {
    const ErfParts parts = erfPartsOf(x);
    const double size = sizeOf(x), near = parts.high + parts.low, far = withSignOf(1.0 - erfcFarOut(size), x);
    const double result = size < 1.0 ? near : far;
    return x == 0.0 ? x : result; // -0.0 stays
}
STRIDESCOPE_INLINE double erfcOf(double x) {
    const ErfParts parts = erfPartsOf(x);
    double less = 0;
    const double lost = lostOf(1.0, -parts.high, less), near = less + (lost - parts.low);
    const double size = sizeOf(x), far = erfcFarOut(size), outer = x < 0.0 ? 2.0 - far : far;
    return size < 0.9 ? near : outer;
}

} // namespace

} // namespace stridescope::cpu::STRIDESCOPE_ISA
