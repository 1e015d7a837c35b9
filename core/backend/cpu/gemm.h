#pragma once
// Matrix products on the CPU: OpenBLAS for floats and complex numbers, loops of our own for small matrices and
// integers.

#include "core/backend/product_args.h"

namespace stridescope::cpu {

/// BLAS takes a matrix as it lies when its rows or its columns are runs that do not overlap.
bool fitsBlas(Index rows, Index cols, Index rowStride, Index colStride);

/// Sums of floats are taken in their own precision, integers wrap; k = 0 gives zeros.
/// Precondition: dtype is not Half or bool; floats and complex numbers fit BLAS.
void products(const ProductArgs& args);

/// The name of the kernels that OpenBLAS chose for this processor, "Haswell": figures depend on it.
const char* blasKernels();

} // namespace stridescope::cpu
