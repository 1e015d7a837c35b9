#pragma once
// Discrete Fourier transforms of rows, by kissfft.

#include "core/dtype/complex.h"
#include "core/index.h"

namespace stridescope::cpu {

/// Transforms `count` contiguous rows of `n` numbers in place: sum of x[j] * exp(∓2πi jk/n), minus for forward; no
/// scaling. Any n >= 1 works; those whose prime factors are small are fast. In double precision whatever comes of it.
void fftRows(Complex<double>* rows, Index count, Index n, bool inverse);

} // namespace stridescope::cpu
