#include "core/backend/cpu/complex_loops.h"

#include <complex>

namespace stridescope::cpu {

Complex<float> libraryExp(Complex<float> z) {
    const std::complex<float> power = std::exp(std::complex<float>(z.re, z.im));
    return {power.real(), power.imag()};
}
Complex<double> libraryExp(Complex<double> z) {
    const std::complex<double> power = std::exp(std::complex<double>(z.re, z.im));
    return {power.real(), power.imag()};
}

} // namespace stridescope::cpu
