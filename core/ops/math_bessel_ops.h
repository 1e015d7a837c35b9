#pragma once
// Functors of Bessel's functions of orders 0 and 1 and of Airy's function. See math_ops.h.
//
// All are computed in double and rounded once. At infinity J, Y, I0, I1 and Ai are NaN, as PyTorch has it. (PyTorch
// 1.13's J, Y and Ai themselves err by up to 5e-7 and 3e-6 in places, near x = 5 for one.)
// Sources: Abramowitz and Stegun, "Handbook of Mathematical Functions", chapters 9 and 10; Trefethen and Weideman, "The
// exponentially convergent trapezoidal rule" (2014), for K.

#include "core/ops/math_ops.h"

namespace stridescope {

namespace detail {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kSqrtHalf = 0.70710678118654752440;

STRIDESCOPE_HD bool isInfinite(double x) {
    return std::fabs(x) > std::numeric_limits<double>::max();
}

/// Bessel's I of x >= 0, or e^-x times it: the power series, whose terms are all positive, and from 25 on the
/// asymptotic one (9.6.10, 9.7.1). Order 0 or 1.
STRIDESCOPE_HD double besselI(int order, double x, bool scaled) {
    if (!(x <= std::numeric_limits<double>::max()))
        return x != x || !scaled ? std::numeric_limits<double>::quiet_NaN() : 0;
    double term = 1, sum = 1;
    if (x < 25) {
        const double square = x * x / 4;
        for (int k = 1; term > sum * 1e-17; ++k) {
            term *= square / (static_cast<double>(k) * (k + order));
            sum += term;
        }
        if (order == 1) sum *= x / 2;
        return scaled ? sum * std::exp(-x) : sum;
    }
    for (int k = 1; k < 40; ++k) {
        const double odd = 2.0 * k - 1, next = term * (odd * odd - 4 * order) / (8 * x * k);
        if (std::fabs(next) < sum * 1e-17 || std::fabs(next) > std::fabs(term)) break;
        term = next;
        sum += term;
    }
    if (scaled) return sum / std::sqrt(2 * kPi * x);
    const double half = std::exp(x / 2); // e^x may overflow where the result does not
    return half * (half / std::sqrt(2 * kPi * x)) * sum;
}

/// e^x K of x > 0 and any order, from the integral of exp(-x (cosh t - 1)) cosh(order t) over t > 0 (9.6.24). The
/// trapezoidal rule doubles its digits when its step is halved; this step gives all of them from x = 1 on.
STRIDESCOPE_HD double scaledBesselK(double order, double x) {
    const double step = x < 4 ? 0.25 : 0.5 / std::sqrt(x);
    double sum = 0.5, term = 1;
    for (int i = 1; term > sum * 1e-17; ++i) {
        const double t = i * step, half = std::sinh(t / 2);
        term = std::exp(-2 * x * half * half) * std::cosh(order * t);
        sum += term;
    }
    return step * sum;
}

/// Bessel's K of order 0 or 1, or e^x times it; up to 1 from the power series (9.6.11).
STRIDESCOPE_HD double besselK(int order, double x, bool scaled) {
    if (!(x >= 0)) return std::numeric_limits<double>::quiet_NaN();
    if (x == 0) return std::numeric_limits<double>::infinity();
    if (isInfinite(x)) return 0;
    if (x > 1) {
        const double value = scaledBesselK(order, x);
        return scaled ? value : value * std::exp(-x);
    }
    constexpr double kEuler = 0.57721566490153286061;
    const double square = x * x / 4, logarithm = std::log(x / 2) + kEuler;
    double term = 1, sum = 0, harmonic = 0;
    for (int k = 0; term > 1e-18; ++k) {
        if (k > 0) {
            term *= square / (static_cast<double>(k) * (k + order));
            harmonic += 1.0 / k;
        }
        sum += term * (harmonic + (order == 1 ? 0.5 / (k + 1) : 0) - logarithm);
    }
    const double value = order == 0 ? sum : 1 / x - x / 2 * sum;
    return scaled ? value * std::exp(x) : value;
}

/// Airy's Ai. Near 0 and down to -10 by Taylor series of y'' = x y in steps of at most 1, below by the asymptotic
/// series (10.4.60), above by K of order 1/3 (10.4.14).
STRIDESCOPE_HD double airyAi(double x) {
    if (x != x || isInfinite(x)) return std::numeric_limits<double>::quiet_NaN();
    const double size = std::fabs(x), zeta = 2.0 / 3 * size * std::sqrt(size);
    if (x > 1.5) return std::exp(-zeta) * std::sqrt(x / 3) / kPi * scaledBesselK(1.0 / 3, zeta);
    if (x < -10) {
        double term = 1, cosines = 1, sines = 0;
        for (int k = 1; k < 30; ++k) {
            const double next = term * (6.0 * k - 5) * (6.0 * k - 3) * (6.0 * k - 1) / ((2.0 * k - 1) * 216 * k * zeta);
            if (next > term || next < 1e-18) break;
            term = next;
            (k % 2 == 0 ? cosines : sines) += k % 4 < 2 ? term : -term;
        }
        const double angle = zeta + kPi / 4;
        return (std::sin(angle) * cosines - std::cos(angle) * sines) / std::sqrt(kPi * std::sqrt(size));
    }
    double at = 0, value = 0.355028053887817239260, slope = -0.258819403792806798405;
    while (at != x) {
        const double step = x - at < -1 ? -1 : x - at;
        // Coefficients: (n + 2) (n + 1) c[n + 2] = at c[n] + c[n - 1].
        double before = 0, here = value, next = slope, power = 1, y = value, dy = slope;
        for (int n = 0; n < 36; ++n) {
            const double after = (at * here + before) / ((n + 2.0) * (n + 1.0));
            power *= step;
            y += next * power;
            dy += (n + 2) * after * power;
            before = here;
            here = next;
            next = after;
        }
        at += step;
        value = y;
        slope = dy;
    }
    return value;
}

/// `value`, but NaN where x is infinite.
STRIDESCOPE_HD double unlessInfinite(double x, double value) {
    return isInfinite(x) ? std::numeric_limits<double>::quiet_NaN() : value;
}
/// Bessel's Y, `f` for positive x.
template <class F>
STRIDESCOPE_HD double besselY(double x, F f) {
    if (x == 0) return -std::numeric_limits<double>::infinity();
    if (!(x > 0) || isInfinite(x)) return std::numeric_limits<double>::quiet_NaN();
    return f(x);
}

} // namespace detail

// NOLINTBEGIN(bugprone-macro-parentheses)
/// A function of a double `x`, rounded to the type asked for.
#define STRIDESCOPE_DOUBLE_UNARY(Functor, text, kernelText, expression)                                                \
    struct Functor {                                                                                                   \
        STRIDESCOPE_MATH(text, kernelText, 1, Float, Floats)                                                           \
        template <class T>                                                                                             \
        STRIDESCOPE_HD T operator()(T a) const {                                                                       \
            const auto x = static_cast<double>(a);                                                                     \
            return static_cast<T>(expression);                                                                         \
        }                                                                                                              \
    };
// NOLINTEND(bugprone-macro-parentheses)

STRIDESCOPE_DOUBLE_UNARY(I0, "i0", "i0_vml_cpu", detail::besselI(0, std::fabs(x), false))
STRIDESCOPE_DOUBLE_UNARY(I0e, "i0e", "i0e_cpu", detail::besselI(0, std::fabs(x), true))
STRIDESCOPE_DOUBLE_UNARY(I1, "i1", "i1_cpu", std::copysign(detail::besselI(1, std::fabs(x), false), x))
STRIDESCOPE_DOUBLE_UNARY(I1e, "i1e", "i1e_cpu", std::copysign(detail::besselI(1, std::fabs(x), true), x))
STRIDESCOPE_DOUBLE_UNARY(BesselJ0, "bessel_j0", "bessel_j0_cpu", detail::unlessInfinite(x, ::j0(x)))
STRIDESCOPE_DOUBLE_UNARY(BesselJ1, "bessel_j1", "bessel_j1_cpu", detail::unlessInfinite(x, ::j1(x)))
STRIDESCOPE_DOUBLE_UNARY(BesselY0, "bessel_y0", "bessel_y0_cpu", detail::besselY(x, [](double v) { return ::y0(v); }))
STRIDESCOPE_DOUBLE_UNARY(BesselY1, "bessel_y1", "bessel_y1_cpu", detail::besselY(x, [](double v) { return ::y1(v); }))
STRIDESCOPE_DOUBLE_UNARY(ModifiedBesselI0, "modified_bessel_i0", "modified_bessel_i0_cpu",
                         detail::besselI(0, std::fabs(x), false))
STRIDESCOPE_DOUBLE_UNARY(ModifiedBesselI1, "modified_bessel_i1", "modified_bessel_i1_cpu",
                         std::copysign(detail::besselI(1, std::fabs(x), false), x))
STRIDESCOPE_DOUBLE_UNARY(ModifiedBesselK0, "modified_bessel_k0", "modified_bessel_k0_cpu", detail::besselK(0, x, false))
STRIDESCOPE_DOUBLE_UNARY(ModifiedBesselK1, "modified_bessel_k1", "modified_bessel_k1_cpu", detail::besselK(1, x, false))
STRIDESCOPE_DOUBLE_UNARY(ScaledModifiedBesselK0, "scaled_modified_bessel_k0", "scaled_modified_bessel_k0_cpu",
                         detail::besselK(0, x, true))
STRIDESCOPE_DOUBLE_UNARY(ScaledModifiedBesselK1, "scaled_modified_bessel_k1", "scaled_modified_bessel_k1_cpu",
                         detail::besselK(1, x, true))
STRIDESCOPE_DOUBLE_UNARY(SphericalBesselJ0, "spherical_bessel_j0", "spherical_bessel_j0_cpu",
                         x == 0                  ? 1
                         : detail::isInfinite(x) ? 0
                                                 : std::sin(x) / x)
STRIDESCOPE_DOUBLE_UNARY(AiryAi, "airy_ai", "airy_ai_cpu", detail::airyAi(x))

using BesselOps = OpList<I0, I0e, I1, I1e, BesselJ0, BesselJ1, BesselY0, BesselY1, ModifiedBesselI0, ModifiedBesselI1,
                         ModifiedBesselK0, ModifiedBesselK1, ScaledModifiedBesselK0, ScaledModifiedBesselK1,
                         SphericalBesselJ0, AiryAi>;

} // namespace stridescope
