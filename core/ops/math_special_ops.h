#pragma once
// Functors of special functions: sinc, polygamma, the zeta function; and the lists of all special ones, whose others
// are in the files included here. See math_ops.h.

#include "core/ops/math_distribution_ops.h"
#include "core/ops/math_polynomial_ops.h"

namespace stridescope {

namespace detail {

/// The second derivative of lgamma: by reflection below 1/2, lifted by 6, then the asymptotic series. In T, as PyTorch.
template <class T>
STRIDESCOPE_HD T trigammaOf(T x) {
    T result = 0;
    const bool reflected = x < T(0.5);
    if (reflected) {
        const T sine = std::sin(T(kPi) * x);
        result = -(T(kPi) * T(kPi)) / (sine * sine);
        x = 1 - x;
    }
    for (int i = 0; i < 6; ++i) {
        result += 1 / (x * x);
        x += 1;
    }
    const T inverse = 1 / (x * x);
    const T series = T(1) / 6 - inverse * (T(1) / 30 - inverse * (T(1) / 42));
    result += (1 + 1 / (2 * x) + inverse * series) / x;
    return reflected ? -result : result;
}

/// Hurwitz's zeta function: the sum of (q + k)^-x over k >= 0, by Euler and Maclaurin's formula from q + k > 9 on.
STRIDESCOPE_HD double hurwitzZeta(double x, double q) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (x == 1) return kInfinity;
    if (x < 1) return std::numeric_limits<double>::quiet_NaN();
    if (q <= 0) {
        if (q == std::floor(q)) return kInfinity;
        if (x != std::floor(x)) return std::numeric_limits<double>::quiet_NaN(); // powers of negative numbers
    }
    double sum = std::pow(q, -x), power = sum, at = q;
    for (int k = 1; k < 10 || at <= 9; ++k) {
        at += 1;
        power = std::pow(at, -x);
        sum += power;
        if (std::fabs(power) < 1e-17 * std::fabs(sum)) return sum;
    }
    sum += power * at / (x - 1) - power / 2;
    // Bernoulli numbers over factorials: B(2k) / (2k)!.
    constexpr double kCoefficients[] = {1.0 / 12,          -1.0 / 720,
                                        1.0 / 30240,       -1.0 / 1209600,
                                        1.0 / 47900160,    -691.0 / 1307674368000,
                                        1.0 / 74724249600, -3617.0 / 10670622842880000};
    double factor = x, scale = power / at, step = x;
    for (const double coefficient : kCoefficients) {
        const double term = factor * scale * coefficient;
        sum += term;
        if (std::fabs(term) < 1e-17 * std::fabs(sum)) break;
        factor *= (step + 1) * (step + 2);
        step += 2;
        scale /= at * at;
    }
    return sum;
}

} // namespace detail

STRIDESCOPE_FLOAT_UNARY(Sinc, "sinc", "sinc_cpu", a == 0 ? T(1) : std::sin(T(detail::kPi) * a) / (T(detail::kPi) * a))

/// The derivative of digamma of that order (the parameter, at least 1; digamma itself is Digamma).
struct Polygamma {
    STRIDESCOPE_MATH("polygamma", "polygamma", 1, Float, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, const T* parameters) const {
        const auto order = static_cast<double>(parameters[0]);
        if (order == 1) return detail::trigammaOf(a);
        const double size =
            std::exp(detail::logGamma(order + 1)) * detail::hurwitzZeta(order + 1, static_cast<double>(a));
        return static_cast<T>(std::fmod(order, 2) == 1 ? size : -size);
    }
};

using SpecialUnaryOps = OpList<Sinc, Polygamma>;

struct Zeta {
    STRIDESCOPE_MATH("zeta", "zeta", 2, Float, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        return static_cast<T>(detail::hurwitzZeta(static_cast<double>(a), static_cast<double>(b)));
    }
};
struct Xlog1py { // a * log(1 + b), 0 for a = 0 unless b is NaN
    STRIDESCOPE_MATH("xlog1py", "xlog1py_cpu", 2, Float, Floats)
    template <class T>
    STRIDESCOPE_HD T operator()(T a, T b) const {
        if (b != b) return b;
        return a == 0 ? T(0) : a * std::log1p(b);
    }
};

} // namespace stridescope
