#pragma once
// Functors of the orthogonal polynomials: of `a`, and of the degree that `b` truncates to. See math_ops.h.
//
// Negative degrees give 0. Between -1 and 1 Chebyshev's are cosines and sines from degree 7 on, so that the degree
// costs nothing; elsewhere all run through their recurrences. Source: Abramowitz and Stegun, "Handbook of Mathematical
// Functions", 22.7 (recurrences) and 22.3.15.

#include "core/ops/math_bessel_ops.h"

namespace stridescope {

namespace detail {

enum class Chebyshev : std::uint8_t { T, U, V, W };

/// By angles, or beyond x = 1 by hyperbolic ones: whatever the degree, it takes the same time. x is above -1.
STRIDESCOPE_HD double chebyshevByAngle(Chebyshev kind, double x, double n) {
    if (x == 1) return kind == Chebyshev::U ? n + 1 : kind == Chebyshev::W ? 2 * n + 1 : 1;
    const bool beyond = x > 1;
    const double angle = beyond ? std::acosh(x) : std::acos(x);
    const auto cosine = [beyond](double a) { return beyond ? std::cosh(a) : std::cos(a); };
    const auto sine = [beyond](double a) { return beyond ? std::sinh(a) : std::sin(a); };
    switch (kind) {
    case Chebyshev::T:
        return cosine(n * angle);
    case Chebyshev::U:
        return sine((n + 1) * angle) / sine(angle);
    case Chebyshev::V:
        return cosine((n + 0.5) * angle) / cosine(angle / 2);
    case Chebyshev::W:
        break;
    }
    return sine((n + 0.5) * angle) / sine(angle / 2);
}

/// T, U, V and W share the recurrence p' = 2 x p - q and differ in what they begin with.
STRIDESCOPE_HD double chebyshev(Chebyshev kind, double x, double degree) {
    if (!(degree > -1)) return 0;
    if (x != x) return x;
    const double n = std::trunc(degree);
    if (n > 6 && (std::fabs(x) <= 1 || n > 100)) {
        if (x > -0.5) return chebyshevByAngle(kind, x, n);
        // Of -x: V and W change places, odd degrees their sign.
        const Chebyshev other = kind == Chebyshev::V ? Chebyshev::W : kind == Chebyshev::W ? Chebyshev::V : kind;
        const double value = chebyshevByAngle(other, -x, n);
        return std::fmod(n, 2) == 0 ? value : -value;
    }
    double before = 1, here = x;
    if (kind == Chebyshev::U) here = 2 * x;
    if (kind == Chebyshev::V) here = 2 * x - 1;
    if (kind == Chebyshev::W) here = 2 * x + 1;
    if (n < 1) return before;
    for (double k = 1; k < n; k += 1) {
        const double next = 2 * x * here - before;
        before = here;
        here = next;
    }
    return here;
}

/// p(k + 1) = step(k, p(k), p(k - 1)) from p(0) = 1 and p(1) on. NaN for degrees beyond 2^20, which nobody would wait
/// for.
template <class Step>
STRIDESCOPE_HD double byRecurrence(double first, double degree, Step step) {
    if (!(degree > -1)) return 0;
    const double n = std::trunc(degree);
    if (n < 1) return 1;
    double before = 1, here = first;
    for (double k = 1; k < n && !isInfinite(here) && here == here; k += 1) {
        if (k >= 0x1p20) return std::numeric_limits<double>::quiet_NaN();
        const double next = step(k, here, before);
        before = here;
        here = next;
    }
    return here;
}

} // namespace detail

// NOLINTBEGIN(bugprone-macro-parentheses)
#define STRIDESCOPE_POLYNOMIAL(Functor, text, expression)                                                              \
    struct Functor {                                                                                                   \
        STRIDESCOPE_MATH(text, text "_cpu", 2, Float, Floats)                                                          \
        template <class T>                                                                                             \
        STRIDESCOPE_HD T operator()(T a, T b) const {                                                                  \
            const auto x = static_cast<double>(a), n = static_cast<double>(b);                                         \
            return static_cast<T>(expression);                                                                         \
        }                                                                                                              \
    };
// NOLINTEND(bugprone-macro-parentheses)
STRIDESCOPE_POLYNOMIAL(ChebyshevT, "chebyshev_polynomial_t", detail::chebyshev(detail::Chebyshev::T, x, n))
STRIDESCOPE_POLYNOMIAL(ChebyshevU, "chebyshev_polynomial_u", detail::chebyshev(detail::Chebyshev::U, x, n))
STRIDESCOPE_POLYNOMIAL(ChebyshevV, "chebyshev_polynomial_v", detail::chebyshev(detail::Chebyshev::V, x, n))
STRIDESCOPE_POLYNOMIAL(ChebyshevW, "chebyshev_polynomial_w", detail::chebyshev(detail::Chebyshev::W, x, n))
STRIDESCOPE_POLYNOMIAL(ShiftedChebyshevT, "shifted_chebyshev_polynomial_t",
                       detail::chebyshev(detail::Chebyshev::T, 2 * x - 1, n))
STRIDESCOPE_POLYNOMIAL(ShiftedChebyshevU, "shifted_chebyshev_polynomial_u",
                       detail::chebyshev(detail::Chebyshev::U, 2 * x - 1, n))
STRIDESCOPE_POLYNOMIAL(ShiftedChebyshevV, "shifted_chebyshev_polynomial_v",
                       detail::chebyshev(detail::Chebyshev::V, 2 * x - 1, n))
STRIDESCOPE_POLYNOMIAL(ShiftedChebyshevW, "shifted_chebyshev_polynomial_w",
                       detail::chebyshev(detail::Chebyshev::W, 2 * x - 1, n))
STRIDESCOPE_POLYNOMIAL(HermiteH, "hermite_polynomial_h",
                       detail::byRecurrence(2 * x, n,
                                            [x](double k, double p, double q) { return 2 * x * p - 2 * k * q; }))
STRIDESCOPE_POLYNOMIAL(HermiteHe, "hermite_polynomial_he",
                       detail::byRecurrence(x, n, [x](double k, double p, double q) { return x * p - k * q; }))
STRIDESCOPE_POLYNOMIAL(LaguerreL, "laguerre_polynomial_l",
                       detail::byRecurrence(1 - x, n, [x](double k, double p, double q) {
                           return ((2 * k + 1 - x) * p - k * q) / (k + 1);
                       }))
STRIDESCOPE_POLYNOMIAL(LegendreP, "legendre_polynomial_p",
                       detail::byRecurrence(x, n, [x](double k, double p, double q) {
                           return ((2 * k + 1) * x * p - k * q) / (k + 1);
                       }))
#undef STRIDESCOPE_POLYNOMIAL

using PolynomialOps = OpList<ChebyshevT, ChebyshevU, ChebyshevV, ChebyshevW, ShiftedChebyshevT, ShiftedChebyshevU,
                             ShiftedChebyshevV, ShiftedChebyshevW, HermiteH, HermiteHe, LaguerreL, LegendreP>;

} // namespace stridescope
