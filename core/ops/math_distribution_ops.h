#pragma once
// Functors around the normal and the gamma distribution: ndtr and its inverse, the scaled erfc, incomplete gamma
// functions, entropy. See math_ops.h.
//
// All are computed in double and rounded once; ndtr keeps its digits in the lower tail, where PyTorch 1.13, which adds
// 1 to erf, has zeros.
// Sources: Abramowitz and Stegun, "Handbook of Mathematical Functions", chapters 6, 7 and 26; NIST Digital Library of
// Mathematical Functions, 8.7, 8.9 and 8.12 (Temme's expansion).

#include "core/ops/math_bessel_ops.h"

namespace stridescope {

namespace detail {

/// e^(x^2) erfc(x). The square is taken in two parts, because its rounding would grow by x^2; from 10 on the asymptotic
/// series (7.1.23).
STRIDESCOPE_HD double scaledErfc(double x) {
    if (x != x) return x;
    if (x < 10) {
        const double square = x * x, rest = std::fma(x, x, -square);
        const double power = std::exp(square) * (1 + rest);
        return square > 709 ? std::numeric_limits<double>::infinity() : power * std::erfc(x);
    }
    const double step = 1 / (2 * x * x);
    double term = 1, sum = 1;
    for (int k = 1; k < 40; ++k) {
        term *= -(2.0 * k - 1) * step;
        sum += term;
        if (std::fabs(term) < 1e-17) break;
    }
    return sum / (x * 1.77245385090551602730); // sqrt(pi)
}

/// log of the normal distribution below x.
STRIDESCOPE_HD double logNormalBelow(double x) {
    if (x < -1) return std::log(scaledErfc(-x * kSqrtHalf) / 2) - x * x / 2;
    return std::log1p(-std::erfc(x * kSqrtHalf) / 2);
}

/// The x below which the normal distribution has p: an estimate (26.2.22), and Halley's steps on erfc.
STRIDESCOPE_HD double normalQuantile(double p) {
    if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
    if (p == 0) return -std::numeric_limits<double>::infinity();
    if (p == 1) return std::numeric_limits<double>::infinity();
    if (p == 0.5) return 0;
    const double tail = p < 0.5 ? p : 1 - p, t = std::sqrt(-2 * std::log(tail));
    double x = (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t) - t;
    for (int step = 0; step < 4; ++step) {
        const double error = std::erfc(-x * kSqrtHalf) / 2 - tail;
        const double newton = error * 2.50662827463100050242 * std::exp(x * x / 2);
        x -= newton / (1 + x * newton / 2);
    }
    return p < 0.5 ? x : -x;
}

/// -x log(x); 0 at 0, minus infinity below.
STRIDESCOPE_HD double entropyOf(double x) {
    if (x != x || x > 0) return -x * std::log(x);
    return x == 0 ? 0 : -std::numeric_limits<double>::infinity();
}

/// log(1 + m) - m without cancellation, for |m| up to 0.4.
STRIDESCOPE_HD double log1pLess(double m) {
    // log(1 + m) = 2 artanh(z)
    const double z = m / (2 + m), square = z * z;
    double power = z * square, sum = 0;
    for (int k = 3; k < 60; k += 2) {
        const double term = power / k;
        sum += term;
        if (std::fabs(term) < 1e-18 * std::fabs(sum)) break;
        power *= square;
    }
    return 2 * sum - m * z;
}

/// log gamma(1 + a), exact near 0 as well.
STRIDESCOPE_HD double logGammaOnePlus(double a) {
    if (std::fabs(a) > 1e-3) return logGamma(1 + a);
    constexpr double kEuler = 0.57721566490153286061, kZeta2 = 1.64493406684822643647, kZeta3 = 1.20205690315959428540,
                     kZeta4 = 1.08232323371113819152, kZeta5 = 1.03692775514336992633;
    return a * (-kEuler + a * (kZeta2 / 2 - a * (kZeta3 / 3 - a * (kZeta4 / 4 - a * kZeta5 / 5))));
}

/// x^a e^-x / gamma(a + 1). From 10 on by Stirling's series, whose large parts cancel on paper.
STRIDESCOPE_HD double gammaWeight(double a, double x) {
    if (a < 10) return std::exp(a * std::log(x) - x - logGammaOnePlus(a));
    const double z = 1 / (a * a);
    const double series =
        (1.0 / 12 -
         z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z * (1.0 / 1188 - z * (691.0 / 360360 - z / 156)))))) /
        a;
    const double m = (x - a) / a;
    const double exponent = std::fabs(m) > 0.4 ? a * std::log(x / a) - (x - a) : a * log1pLess(m);
    return std::exp(exponent - series) / std::sqrt(2 * kPi * a);
}

/// P(a, x) by its series (8.7.1), for x not much larger than a.
STRIDESCOPE_HD double gammaBelowSeries(double a, double x) {
    const double weight = gammaWeight(a, x);
    if (weight == 0) return 0;
    double term = 1, sum = 1;
    for (double n = a + 1; term > sum * 1e-17; n += 1) {
        term *= x / n;
        sum += term;
    }
    return weight * sum;
}

/// Q(a, x) for x > a by its continued fraction (8.9.2), evaluated from the front (Lentz).
STRIDESCOPE_HD double gammaAboveFraction(double a, double x) {
    const double weight = gammaWeight(a, x) * a;
    if (weight == 0) return 0;
    double b = x + 1 - a, c = 1e300, d = 1 / b, value = d;
    for (double i = 1; i < 1e5; i += 1) {
        const double factor = -i * (i - a);
        b += 2;
        d = factor * d + b;
        c = b + factor / c;
        if (d == 0) d = 1e-300;
        if (c == 0) c = 1e-300;
        d = 1 / d;
        value *= c * d;
        if (std::fabs(c * d - 1) < 1e-16) break;
    }
    return weight * value;
}

/// Q(a, x) for small x and a, where 1 - P would cancel (8.7.3).
STRIDESCOPE_HD double gammaAboveSeries(double a, double x) {
    double term = 1, sum = 0;
    for (int n = 1; n < 100; ++n) {
        term *= -x / n;
        const double next = term / (a + n);
        sum += next;
        if (std::fabs(next) < 1e-17 * std::fabs(sum)) break;
    }
    const double exponent = a * std::log(x) - logGammaOnePlus(a);
    return -std::expm1(exponent) - std::exp(exponent) * a * sum;
}

/// Both for a > 1e5 and x within a tenth of it, where series would be long: Temme's expansion (8.12.3), whose first
/// terms suffice there.
STRIDESCOPE_HD double gammaLarge(double a, double x, bool above) {
    const double m = (x - a) / a, square = -2 * log1pLess(m);
    const double eta = std::copysign(std::sqrt(square), m);
    const double c0 =
        -1.0 / 3 + eta * (1.0 / 12 - eta * (2.0 / 135 - eta * (1.0 / 864 + eta * (1.0 / 2835 - eta * 139 / 777600))));
    const double c1 = -1.0 / 540 - eta * (1.0 / 288 - eta / 378);
    const double rest = std::exp(-a * square / 2) / std::sqrt(2 * kPi * a) * (c0 + c1 / a);
    const double edge = eta * std::sqrt(a / 2);
    return above ? std::erfc(edge) / 2 + rest : std::erfc(-edge) / 2 - rest;
}

STRIDESCOPE_HD bool isLargeGamma(double a, double x) {
    return a > 1e5 && std::fabs(x - a) < a / 10;
}

/// Q(a, x) of finite positive numbers.
STRIDESCOPE_HD double gammaAbove(double a, double x) {
    if (x <= 1.1) {
        const bool below = x <= 0.5 ? -0.4 / std::log(x) < a : 0.75 * x < a;
        return below ? 1 - gammaBelowSeries(a, x) : gammaAboveSeries(a, x);
    }
    return x < a ? 1 - gammaBelowSeries(a, x) : gammaAboveFraction(a, x);
}

/// The regularised incomplete gamma function: below x (P), or above (Q).
STRIDESCOPE_HD double incompleteGamma(double a, double x, bool above) {
    if (!(a >= 0 && x >= 0) || (a == 0 && x == 0) || (isInfinite(a) && isInfinite(x)))
        return std::numeric_limits<double>::quiet_NaN();
    if (a == 0 || isInfinite(x)) return above ? 0 : 1;
    if (x == 0 || isInfinite(a)) return above ? 1 : 0;
    if (isLargeGamma(a, x)) return gammaLarge(a, x, above);
    if (above) return gammaAbove(a, x);
    return x > 1 && x > a ? 1 - gammaAbove(a, x) : gammaBelowSeries(a, x);
}

} // namespace detail

STRIDESCOPE_DOUBLE_UNARY(Ndtr, "ndtr", "erf_vml_cpu", std::erfc(-x* detail::kSqrtHalf) / 2)
STRIDESCOPE_DOUBLE_UNARY(Ndtri, "ndtri", "ndtri_cpu", detail::normalQuantile(x))
STRIDESCOPE_DOUBLE_UNARY(LogNdtr, "log_ndtr", "log_ndtr_cpu", detail::logNormalBelow(x))
STRIDESCOPE_DOUBLE_UNARY(Erfcx, "erfcx", "erfcx_cpu", detail::scaledErfc(x))
STRIDESCOPE_DOUBLE_UNARY(Entr, "entr", "entr_cpu", detail::entropyOf(x))
/// The logarithm of the multivariate gamma function of dimension p (the parameter): a sum of lgamma.
struct Mvlgamma {
    STRIDESCOPE_MATH("mvlgamma", "lgamma_vml_cpu", 1, Float, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, const T* parameters) const {
        const auto p = static_cast<double>(parameters[0]);
        double sum = p * (p - 1) / 4 * 1.14472988584940017414; // log(pi)
        for (double i = 0; i < p; i += 1) sum += detail::logGamma(static_cast<double>(a) - i / 2);
        return static_cast<T>(sum);
    }
};

using DistributionOps = OpList<Ndtr, Ndtri, LogNdtr, Erfcx, Entr, Mvlgamma>;

struct Igamma {
    STRIDESCOPE_MATH("igamma", "igamma_cpu", 2, Same, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return static_cast<T>(detail::incompleteGamma(static_cast<double>(a), static_cast<double>(b), false));
    }
};
struct Igammac {
    STRIDESCOPE_MATH("igammac", "igammac_cpu", 2, Same, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return static_cast<T>(detail::incompleteGamma(static_cast<double>(a), static_cast<double>(b), true));
    }
};

} // namespace stridescope
