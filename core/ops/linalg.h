#pragma once
// Linear algebra on batches of matrices: torch.linalg and its older names, on LAPACK.
//
// Input {..., m, n} of float32, float64, complex64 or complex128; every dim before the last two is a batch. Results are
// new tensors; matrices among them are column-major, as PyTorch's are. Problems of order up to 64 are solved in the
// next wider precision and rounded, so that exact answers print as exact.
// Source: PyTorch documentation (torch.linalg), LAPACK Users' Guide; refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors; DeviceError (DEV-03) for tensors on several
// devices; NotImplementedError (DEV-02) where a device cannot; ShapeError for fewer than two dims (LINALG-01), for
// matrices that are not square (LINALG-02), for integers and bool (LINALG-03), for float16 (LINALG-04), for sizes
// (LINALG-05) or dtypes (LINALG-06) that do not fit, for NaN or infinities where LAPACK would not end (LINALG-10); and
// what stands at each function. Nothing changes on refusal.

#include "core/ops/pointwise_math.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <string_view>
#include <utility>

namespace stridescope {

// --- Systems ------------------------------------------------------------------------------------------------------
/// A X = B for square A {..., n, n}; B {..., n} (when its shape is A's without the last size, or 1-d) or {..., n, k}.
/// Batches broadcast. @throws ShapeError (LINALG-07) for a singular matrix, naming its place in the batch.
/// `left` false: X A = B.
Tensor solve(const Tensor& a, const Tensor& b, bool left = true);
/// A result with what LAPACK found, int32 of the batch: 0, or the place of what is wrong, counted from 1.
struct ResultAndInfo {
    Tensor result, info;
};
/// As solve, inv and cholesky, but without a refusal (unless `check`): what cannot be computed is NaN, and of a
/// Cholesky factor the part that could be.
ResultAndInfo solveEx(const Tensor& a, const Tensor& b, bool left = true, bool check = false);
ResultAndInfo invEx(const Tensor& a, bool check = false);
ResultAndInfo choleskyEx(const Tensor& a, bool upper = false, bool check = false);
/// The same with a triangular A, of which the other triangle is not read.
Tensor solveTriangular(const Tensor& a, const Tensor& b, bool upper, bool left = true, bool unitriangular = false);
/// @throws ShapeError (LINALG-07) for a singular matrix, with the number of the zero on the diagonal.
Tensor inv(const Tensor& a);

struct LeastSquares {
    Tensor solution;       ///< {..., n, k}, or {..., n} for a vector b
    Tensor residuals;      ///< {..., k}: sums of squares, where m > n and the rank is full; else empty
    Tensor rank;           ///< {...} int64; empty for driver "gels"
    Tensor singularValues; ///< {..., min(m, n)} for driver "gelsd"; else empty
};
/// The X that makes |A X - B| least, of all such the shortest. `driver`: "gelsy" (default; "gels" on a device that
/// does not have it), "gels" (full rank only), "gelsd" or "gelss" (by singular values).
/// @throws ShapeError (LINALG-08) for another driver, (LINALG-07) when gels finds A not of full rank.
LeastSquares lstsq(const Tensor& a, const Tensor& b, std::optional<double> rcond = std::nullopt,
                   std::optional<std::string_view> driver = std::nullopt);
/// The removed torch.gels(B, A): (solution {max(m, n), k} with the residual part below, QR factors of A).
std::pair<Tensor, Tensor> gels(const Tensor& b, const Tensor& a);

// --- Factors ------------------------------------------------------------------------------------------------------
struct Qr {
    Tensor q, r;
};
/// mode "reduced" (q {m, min}, r {min, n}), "complete" (q {m, m}, r {m, n}) or "r" (q empty).
/// @throws ShapeError (LINALG-08) for another mode.
Qr qr(const Tensor& a, std::string_view mode = "reduced");
/// Lower (or upper) factor of a positive definite matrix.
/// @throws ShapeError (LINALG-07) with the order of the leading minor that is not.
Tensor cholesky(const Tensor& a, bool upper = false);
struct Svd {
    Tensor u, s, vh;
};
/// a = u diag(s) vh, s descending and real.
Svd svd(const Tensor& a, bool fullMatrices = true);
Tensor svdvals(const Tensor& a);
struct LuFactor {
    Tensor lu, pivots; ///< pivots int32 {..., min(m, n)}, counted from 1
};
/// P A = L U packed in one tensor. @throws ShapeError (LINALG-13) for a zero on U's diagonal.
LuFactor luFactor(const Tensor& a);
struct LuFactorInfo {
    Tensor lu, pivots, info; ///< info int32 {...}: 0, or where the first zero on U's diagonal is, counted from 1
};
/// As luFactor without a refusal, unless `check`.
LuFactorInfo luFactorEx(const Tensor& a, bool check = false);
struct LuParts {
    Tensor p, l, u; ///< {..., m, m}, {..., m, min(m, n)}, {..., min(m, n), n}
};
/// a = p l u, for matrices of any shape and rank.
LuParts lu(const Tensor& a);
/// What luFactor gave as P, L and U: P L U = A. L and U (unless `data`), or P (unless `exchanges`), are empty then; of
/// every dtype. @throws also ShapeError (LINALG-11) for pivots that are not int32, not of A's sizes or out of range.
LuParts luUnpack(const Tensor& lu, const Tensor& pivots, bool data = true, bool exchanges = true);
/// A X = B (or X A = B unless `left`) with what luFactor gave for A. @throws also ShapeError (LINALG-11) for pivots
/// that are not int32, not of A's sizes or out of range. `adjoint`: with the conjugate transpose of A.
Tensor luSolve(const Tensor& lu, const Tensor& pivots, const Tensor& b, bool left = true, bool adjoint = false);
/// A X = B with the factor that cholesky gave for A; and the inverse of that A.
Tensor choleskySolve(const Tensor& b, const Tensor& factor, bool upper = false);
Tensor choleskyInverse(const Tensor& factor, bool upper = false);

struct Reflectors {
    Tensor a, tau; ///< R above, Householder's vectors below the diagonal; and their factors {..., min(m, n)}
};
/// A = Q R, packed as LAPACK leaves it.
Reflectors geqrf(const Tensor& a);
/// The first n columns of Q {..., m, n} from geqrf's result (m >= n): torch.orgqr.
Tensor householderProduct(const Tensor& a, const Tensor& tau);
/// Q times `other` (or `other` times Q unless `left`), Q being m by m; `transpose`: its conjugate transpose instead.
Tensor ormqr(const Tensor& a, const Tensor& tau, const Tensor& other, bool left = true, bool transpose = false);
struct LdlFactor {
    Tensor ld, pivots; ///< pivots int32 {..., n} as LAPACK counts them: a pair below 0 stands for a block of 2 by 2
};
struct LdlFactorInfo {
    Tensor ld, pivots, info; ///< info int32 {...}: 0, or where the first zero on D's diagonal is, counted from 1
};
/// A = L D L^T (or L D L^H where `hermitian`) for symmetric A, of which the lower triangle is read.
/// @throws ShapeError (LINALG-13) for a zero on D's diagonal.
LdlFactor ldlFactor(const Tensor& a, bool hermitian = false);
/// As ldlFactor without a refusal, unless `check`.
LdlFactorInfo ldlFactorEx(const Tensor& a, bool hermitian = false, bool check = false);
/// A X = B with what ldlFactor gave for A. @throws also ShapeError (LINALG-11) for pivots that no factorisation gives.
/// (PyTorch 1.13 gives other numbers where the factors are broadcast to the batch of B.)
Tensor ldlSolve(const Tensor& ld, const Tensor& pivots, const Tensor& b, bool hermitian = false);
struct TriangularSolution {
    Tensor solution, coefficient; ///< X, and a copy of A
};
/// The older torch.triangular_solve: A X = B, or A^T X = B where `transposed`.
TriangularSolution triangularSolve(const Tensor& b, const Tensor& a, bool upper = true, bool transposed = false,
                                   bool unitriangular = false);

// --- Eigenvalues --------------------------------------------------------------------------------------------------
struct Eigen {
    Tensor values, vectors; ///< {..., n}, and {..., n, n} with an eigenvector in each column
};
/// Of general matrices: always complex.
Eigen eig(const Tensor& a);
Tensor eigvals(const Tensor& a);
/// Of symmetric or Hermitian matrices, of which one triangle ("L" or "U", of any case) is read: real, ascending.
/// @throws ShapeError (LINALG-08) for another triangle.
Eigen eigh(const Tensor& a, std::string_view uplo = "L");
Tensor eigvalsh(const Tensor& a, std::string_view uplo = "L");
/// The removed torch.eig(A): values {n, 2} (real and imaginary part), vectors in columns ({0} unless asked for), where
/// a complex pair shares two columns. Matrices only.
Eigen oldEig(const Tensor& a, bool vectors = false);

// --- Numbers ------------------------------------------------------------------------------------------------------
Tensor det(const Tensor& a);
struct SignLogDet {
    Tensor sign, logabsdet;
};
SignLogDet slogdet(const Tensor& a);
/// Logarithm of the determinant: NaN where that is negative, -inf where it is 0.
Tensor logdet(const Tensor& a);
/// Which singular values count as 0: those up to max(atol, rtol * largest). Numbers, or real tensors whose shapes
/// broadcast with the batch. rtol is max(m, n) * eps where it is not given, 0 beside an atol above 0.
struct Tolerance {
    std::optional<MathInput> atol{}, rtol{};
    bool hermitian = false; ///< the magnitudes of eigenvalues are taken, of which eigh reads one triangle
};
/// How many singular values do not count as 0. @throws ShapeError (LINALG-12) for a complex tolerance.
Tensor matrixRank(const Tensor& a, const Tolerance& tolerance = {});

// --- Made of the others ----------------------------------------------------------------------------------------------
/// Moore-Penrose inverse {..., n, m}, by singular values; those within the tolerance count as 0.
/// @throws ShapeError (LINALG-12) for a complex tolerance.
Tensor pinv(const Tensor& a, const Tolerance& tolerance = {});
/// a @ a @ …, n times; 0 gives identities, negative n powers of the inverse.
Tensor matrixPower(const Tensor& a, Index n);
/// 1 + a + a @ a / 2 + …: e to the power of square matrices.
Tensor matrixExp(const Tensor& a);
/// Sum of conj(x) * y along a dim; shapes broadcast. @throws ShapeError (LINALG-06) for unlike dtypes.
Tensor vecdot(const Tensor& x, const Tensor& y, Index dim = -1);
/// The x with tensordot(a, x, x.dim()) == b; `dims` of a are moved to its end first.
Tensor tensorsolve(const Tensor& a, const Tensor& b, const Dims& dims = {});
/// The inverse for tensordot over the first `ind` dims. @throws ShapeError (LINALG-09) unless ind > 0.
Tensor tensorinv(const Tensor& a, Index ind = 2);

} // namespace stridescope
