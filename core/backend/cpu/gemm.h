#pragma once
// Matrix products on the CPU: OpenBLAS for floats and complex numbers, loops of our own for small matrices and
// integers.

#include "core/dtype/dtype.h"
#include "core/index.h"

#include <cstddef>
#include <span>

namespace stridescope::cpu {

/// One side of a product: element (row, col) lies at data + row * rowStride + col * colStride, in elements.
struct MatrixOperand {
    const std::byte* data = nullptr;
    Index rowStride = 0, colStride = 0;
};

/// BLAS takes a matrix as it lies when its rows or its columns are runs that do not overlap.
bool fitsBlas(Index rows, Index cols, Index rowStride, Index colStride);

/// out (m x n, row-major, contiguous) = a (m x k) times b (k x n), for a batch of them that differ by offsets.
struct ProductArgs {
    DType dtype = DType::Float32;
    Index m = 0, n = 0, k = 0;
    MatrixOperand a, b;
    std::byte* out = nullptr;
    /// Offsets of each matrix in elements; the results follow one another. One 0 each for a single product.
    std::span<const Index> aOffsets, bOffsets;
};

/// Sums of floats are taken in their own precision, integers wrap; k = 0 gives zeros.
/// Precondition: dtype is not Half or bool; floats and complex numbers fit BLAS.
void products(const ProductArgs& args);

/// The name of the kernels that OpenBLAS chose for this processor, "Haswell": figures depend on it.
const char* blasKernels();

} // namespace stridescope::cpu
