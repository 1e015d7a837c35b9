#pragma once
// What is read off LU factors, one matrix after the other: on the CPU in a loop, on a GPU a thread for each.
// Factors are column-major and square; exchanges count from 1.

#include "core/dtype/dtype.h"
#include "core/host_device.h"
#include "core/index.h"

#include <cmath>
#include <cstdint>

namespace stridescope::luwalk {

template <class T>
STRIDESCOPE_HD Complex<T> times(Complex<T> a, Complex<T> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// Do the exchanges turn the sign?
STRIDESCOPE_HD bool isOdd(const std::int32_t* pivots, Index n) {
    bool odd = false;
    for (Index k = 0; k < n; ++k) odd ^= pivots[k] != k + 1;
    return odd;
}

template <class T>
STRIDESCOPE_HD T determinant(const T* lu, const std::int32_t* pivots, Index n) {
    const bool odd = isOdd(pivots, n);
    if constexpr (kIsComplex<T>) {
        using P = typename T::Part;
        T product{odd ? P{-1} : P{1}, 0};
        for (Index k = 0; k < n; ++k) product = times(product, lu[k * n + k]);
        return product;
    } else {
        T product = odd ? T{-1} : T{1};
        for (Index k = 0; k < n; ++k) product *= lu[k * n + k];
        return product;
    }
}

/// Its sign, or direction, and the logarithm of its size.
template <class T>
STRIDESCOPE_HD void logDeterminant(const T* lu, const std::int32_t* pivots, Index n, T& sign, double& logarithm) {
    Complex<double> unit{isOdd(pivots, n) ? -1.0 : 1.0, 0};
    double sum = 0;
    for (Index k = 0; k < n; ++k) {
        const T factor = lu[k * n + k];
        if constexpr (kIsComplex<T>) {
            const double length = std::hypot(factor.re, factor.im);
            unit = length == 0 ? Complex<double>{} : times(unit, T{factor.re / length, factor.im / length});
            sum += std::log(length);
        } else {
            unit.re *= factor > 0 ? 1 : factor < 0 ? -1 : factor; // 0 stays 0, NaN stays NaN
            sum += std::log(std::fabs(factor));
        }
    }
    if constexpr (kIsComplex<T>)
        sign = unit;
    else
        sign = unit.re;
    logarithm = sum;
}

/// P {rows, rows}, row-major and 0 before: `count` exchanges, one after the other, of the rows of an identity, whose
/// columns are those of P. `order` is room for `rows` numbers.
STRIDESCOPE_HD void exchange(const std::int32_t* pivots, Index count, Index rows, Index* order, double* p) {
    for (Index r = 0; r < rows; ++r) order[r] = r;
    for (Index r = 0; r < count; ++r) {
        const Index other = pivots[r] - 1, kept = order[r];
        order[r] = order[other];
        order[other] = kept;
    }
    for (Index r = 0; r < rows; ++r) p[order[r] * rows + r] = 1;
}

} // namespace stridescope::luwalk
