#pragma once
// What kernels are asked for that factor matrices and solve with the factors, and that transform rows.

#include "core/dtype/dtype.h"
#include "core/index.h"

#include <cstddef>
#include <cstdint>

namespace stridescope {

/// As LAPACK's routines; those that answer the host (`info`) wait for the device.
enum class LinalgRoutine : std::uint8_t {
    LuFactor,           ///< a = P L U in place, pivots out. Answers: U[info, info] is exactly 0
    LuSolve,            ///< a X = b with a, pivots from LuFactor (`transpose`: a^T X = b); b becomes X
    LuInvert,           ///< the inverse in place of the factors a, pivots
    LuDeterminant,      ///< values: the product of the diagonal of a, with the sign of the exchanges
    LuLogDeterminant,   ///< values: its sign or direction; more: the logarithm of its size. Of the wide dtypes
    LuExchanges,        ///< values: P for `a.cols` exchanges of `a.rows` rows each, row-major, float64
    RefineSystem,       ///< see linalg_refine.h. a, b, c: A, B, X row-major, row-major, column-major; values: the LU
    RefineLeastSquares, ///< the same; values: sums of squares. Answers: 1 where not all was done
    Cholesky,           ///< the factor (`upper`) in place of a, 0 beside it. Answers: the minor that is not positive
    TriangularSolve,    ///< a X = b (`upper`, `transpose`, `unit`); b becomes X; a 0 on the diagonal gives infinities.
                        ///< The triangle and X are what stands at the top left of a and at the top of b
    EigenSymmetric,     ///< a: from the one triangle (`upper`); its eigenvectors in place if `vectors`. values. Answers
    EigenGeneral,       ///< values and, if `vectors`, b: both complex; c: room like b. a is lost. Answers
    Singular,           ///< values; b, c: U and V^H if `vectors`, square if `full`. a is lost. Answers
    QrFactor,           ///< reflectors in place of a; values: tau
    QrMultiply,         ///< Q's a.cols columns in place of `reflectors` reflectors a, values: tau
    QrApply,            ///< Q (`transpose`: Q^H) times b, or b times it unless `left`, in place of b
    LdlFactor,          ///< a = L D L^T from the lower triangle, 0 above; pivots. Answers: D[info, info] is exactly 0
    LdlSolve,           ///< b becomes X
    HermitianFactor,    ///< the same for L D L^H of complex matrices
    HermitianSolve,     ///< likewise: b becomes X
    LeastSquaresFull,   ///< b's first a.cols rows become X; a: Q R or L Q. Answers: a has not full rank
    LeastSquaresPivoted,  ///< the X of least norm, by complete orthogonal factors ("gelsy"); `rcond`; ranks. Answers
    LeastSquaresSingular, ///< the same by singular values ("gelsd"), which are values
};
inline constexpr std::size_t kLinalgRoutines = 23;

/// In the words of the operations.
constexpr const char* name(LinalgRoutine routine) {
    constexpr const char* kNames[kLinalgRoutines] = {"lu_factor",
                                                     "lu_solve",
                                                     "lu_invert",
                                                     "det",
                                                     "slogdet",
                                                     "lu_unpack",
                                                     "refine solution",
                                                     "refine lstsq",
                                                     "cholesky",
                                                     "solve_triangular",
                                                     "eigh",
                                                     "eig",
                                                     "svd",
                                                     "geqrf",
                                                     "householder_product",
                                                     "ormqr",
                                                     "ldl_factor",
                                                     "ldl_solve",
                                                     "ldl_factor",
                                                     "ldl_solve",
                                                     "gels",
                                                     "gelsy",
                                                     "gelsd"};
    return kNames[static_cast<std::size_t>(routine)];
}

/// Matrices that follow one another, column-major, from column to column max(rows, 1) elements.
struct MatrixBatch {
    std::byte* data = nullptr;
    Index rows = 0, cols = 0;
};

/// Memory is the device's where nothing else is said, dense, matrix after matrix.
struct LinalgArgs {
    LinalgRoutine routine = LinalgRoutine::LuFactor;
    DType dtype = DType::Float64; ///< of a, b, c; values and more are of it or of its real part
    Index batch = 1;
    MatrixBatch a, b, c;
    std::byte* values = nullptr;
    std::byte* more = nullptr;
    std::int32_t* pivots = nullptr; ///< counted from 1, min(rows, cols) for a matrix
    bool upper = false, transpose = false, unit = false, vectors = false, full = false, left = true;
    Index reflectors = 0;
    double rcond = 0;
    /// Host memory, one number for each matrix, 0 before; null where nothing is answered.
    int* info = nullptr;
    Index* ranks = nullptr;
};

enum class FourierKind : std::uint8_t {
    Complex, ///< in: `count` rows of n complex numbers, in place
    Real,    ///< in: rows of n real ones; half: the first n/2 + 1 results; out: `width` of them, the rest conjugates
    Half,    ///< in: rows of n/2 + 1, the first half of spectra, written to; out: n real numbers each
};

/// Discrete Fourier transforms of dense rows in float64, n >= 1: sums of x[j] * exp(∓2πi jk/n), minus unless `inverse`.
struct FourierArgs {
    FourierKind kind = FourierKind::Complex;
    std::byte* in = nullptr;
    std::byte* half = nullptr; ///< of kind Real; may be `out`
    std::byte* out = nullptr;
    Index count = 0, n = 1, width = 0;
    bool inverse = false;
    bool rounded = false; ///< the result goes to float32: what is only float64's noise becomes 0
    double by = 1;        ///< what the results are multiplied with
};

} // namespace stridescope
