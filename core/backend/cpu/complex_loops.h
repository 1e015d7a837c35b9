#pragma once
// The inner loops of complex numbers, compiled once per instruction set (core/backend/cpu/isa/isa_complex*.cpp). They
// know runs of Complex<float> or Complex<double>, no shapes.

#include "core/backend/cpu/isa_table.h"
#include "core/dtype/complex.h"

namespace stridescope::cpu {

/// As MathLoop: out[i] = op(in[0][i], in[1][i]); where bit k of `scalars` is set, in[k] is one value for all, not all
/// of them. `out` may equal an input.
using ComplexLoop = void (*)(void* out, const void* const* in, unsigned scalars, Index n);

/// [operation][complex128]. Null where the C++ library computes each element, or where there is no such operation.
struct ComplexLoops {
    ComplexLoop binary[BinaryOps::size][2];
    ComplexLoop unary[UnaryOps::size][2];
    ComplexLoop math[MathOps::size][2];
    ComplexLoop sgn[2];   ///< z / |z|
    ComplexLoop angle[2]; ///< real
    /// `total` times the product of a run.
    void (*product[2])(Complex<double>& total, const void* in, Index n);
};

/// The C++ library's, with all its special cases.
Complex<float> libraryExp(Complex<float> z);
Complex<double> libraryExp(Complex<double> z);

} // namespace stridescope::cpu
