#pragma once
// What kernels are asked for that multiply matrices.

#include "core/dtype/dtype.h"
#include "core/index.h"

#include <cstddef>
#include <span>

namespace stridescope {

/// One side of a product: element (row, col) lies at data + row * rowStride + col * colStride, in elements.
struct MatrixOperand {
    const std::byte* data = nullptr;
    Index rowStride = 0, colStride = 0;
};

/// out (m x n, row-major, contiguous) = a (m x k) times b (k x n), for a batch of them that differ by offsets.
struct ProductArgs {
    DType dtype = DType::Float32;
    Index m = 0, n = 0, k = 0;
    MatrixOperand a, b;
    std::byte* out = nullptr;
    /// Offsets of each matrix in elements, in host memory; the results follow one another. One 0 each for a single
    /// product.
    std::span<const Index> aOffsets, bOffsets;
};

} // namespace stridescope
