#pragma once
// Discrete Fourier transforms of rows, by kissfft.
//
// Sums of x[j] * exp(∓2πi jk/n), minus for forward, in double precision whatever comes of it; no scaling. Any n >= 1.
// Rows are contiguous. Sizes whose prime factors are small are fast; one with a large factor costs about six times as
// much as its neighbours (Bluestein's convolution), not the square of the factor.

#include "core/dtype/complex.h"
#include "core/index.h"

namespace stridescope::cpu {

/// `count` rows of `n` numbers, in place.
void fftRows(Complex<double>* rows, Index count, Index n, bool inverse);

/// Rows of `n` real numbers, forward: the first n/2 + 1 results of each. The imaginary part of the first is 0, and of
/// the last, too, when n is even.
void fftRealRows(const double* rows, Complex<double>* half, Index count, Index n);

/// Rows of n/2 + 1 numbers, the first half of spectra that the conjugates complete: n real results each. What the
/// imaginary parts of the first number is, and of the last of an even n, does not matter. `half` is written to.
void fftHalfRows(Complex<double>* half, double* rows, Index count, Index n, bool inverse);

} // namespace stridescope::cpu
