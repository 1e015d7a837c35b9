#pragma once
// Complex: a storage type of two floats side by side, as in C, Fortran, NumPy and PyTorch.
// Arithmetic on tensors of it is done by core/ops/complex.h on the real and imaginary parts, which are strided views.

#include "core/host_device.h"

namespace stridescope {

template <class T>
struct Complex {
    using Part = T; ///< float or double
    T re = 0, im = 0;
};

template <class T>
STRIDESCOPE_HD constexpr bool operator==(Complex<T> a, Complex<T> b) {
    return a.re == b.re && a.im == b.im;
}

} // namespace stridescope
