#pragma once
// What the linear algebra operations ask of a device: batches of matrices in LAPACK's column-major order, which live
// beside the tensors that they were copied from, and the routines of the kernel table that work on them.
// Internal to core/ops.
//
// Row and column order are handled here and nowhere else: a Matrices holds copies in column-major order (a transposed
// view for everybody outside), which the routines overwrite. Small float32 problems are solved in float64 and rounded,
// so that what is exact on paper prints exactly; `Matrices::work` says in which dtype. `info` is always read, which
// waits for the device. @throws NotImplementedError (DEV-02) where the device does not have a routine.

#include "core/backend/kernel_table.h"
#include "core/tensor/tensor.h"

#include <span>
#include <vector>

namespace stridescope::linalg {

/// A batch of column-major matrices to be worked on, float or complex.
struct Matrices {
    Tensor tensor; ///< {batch..., rows, cols} with strides 1 and rows in the last two dims
    Index rows = 0, cols = 0, batch = 1;
    DType dtype = DType::Float32; ///< of what went in, and of what result() gives

    DType work() const { return tensor.dtype(); }
    Device device() const { return tensor.device(); }
    /// The tensor in the dtype of the input.
    Tensor result() const;
    MatrixBatch operand() const;
};

/// Column-major copies of t's last two dims, extended below to `minRows` rows (the new ones 0).
/// Small ones are widened: float32 to float64, complex64 to complex128.
Matrices columnMajor(const Tensor& t, Index minRows = 0);
/// Zeros of the same batch and dtypes.
Matrices sameBatch(const Matrices& like, Index rows, Index cols);

/// What a routine found wrong in one matrix of the batch. The others are done all the same.
struct LapackInfo {
    Index batch = -1; ///< the first matrix with info > 0, or -1
    Index info = 0;
    std::vector<int> each; ///< of every matrix; empty when all are 0
    bool ok() const { return batch < 0; }
};

/// LAPACK's row exchanges, counted from 1, `each` of them for a matrix. They live where the matrices do: on the CPU as
/// plain numbers, on a device as a tensor there.
class Pivots {
public:
    Pivots() = default;
    /// Of a tensor that a caller gave: dense, int32, {batch..., each}.
    Pivots(const Tensor& given, Index each);
    /// Room for those of `batch` matrices, all 0.
    void make(Index batch, Index each, Device device);
    Index each() const { return m_each; }
    std::int32_t* data() const;
    /// In host memory; waits for the device.
    std::vector<int> read() const;
    /// As a tensor of `shape` beside the matrices.
    Tensor tensor(const Dims& shape) const;

private:
    Device m_device;
    Index m_each = 0;
    mutable std::vector<int> m_host;
    Tensor m_tensor;
};

/// A tensor that was made on the host, on `device`.
Tensor placed(const Tensor& host, Device device);
/// Those of `info` as a tensor, 0 where nothing is wrong.
Tensor infoTensor(const LapackInfo& info, const Dims& batch, Device device);
/// Does the device have the routine?
bool has(LinalgRoutine routine, Device device);

/// A = P L U in place. info > 0: U[info, info] is exactly 0.
LapackInfo luFactor(Matrices& a, Pivots& pivots);
/// Solves A X = B, or A^T X = B, with the factors from luFactor; B becomes X.
void luSolve(const Matrices& lu, const Pivots& pivots, Matrices& b, bool transpose = false);
/// The inverse in place of the factors; zeros may be negative.
void luInvert(Matrices& lu, const Pivots& pivots);
/// {batch}: the determinants, in the dtype that is worked in.
Tensor luDeterminant(const Matrices& lu, const Pivots& pivots, const Dims& batch);
/// {batch} each: sign (or direction), and the logarithm of the size. Precondition: the widest dtype.
void luLogDeterminant(const Matrices& lu, const Pivots& pivots, const Tensor& sign, const Tensor& logarithm);
/// What exchanging rows does, {batch, m, m} in float64: the exchanges, one after the other, of the rows of an identity,
/// whose columns are those of P.
Tensor luExchanges(const Pivots& pivots, const Dims& batch, Index m, Device device);
/// Lower (or upper) Cholesky factor in place, the other triangle 0. info > 0: the leading minor of that order.
LapackInfo cholesky(Matrices& a, bool upper);
/// Solves with a triangular matrix; B becomes X, infinite or NaN where there is a zero on the diagonal.
void triangularSolve(const Matrices& a, Matrices& b, bool upper, bool transpose, bool unitDiagonal);
/// Eigenvalues (ascending) and, in place, eigenvectors of symmetric or Hermitian matrices.
LapackInfo eigenSymmetric(Matrices& a, Tensor& values, bool vectors, bool upper);
/// Eigenvalues {batch, n} and right eigenvectors of general matrices, complex. `a` is overwritten.
LapackInfo eigenGeneral(Matrices& a, Tensor& values, Tensor* vectors);
/// Singular values {batch, min} (descending) and the factors; null pointers: only the values. `a` is overwritten.
LapackInfo singular(Matrices& a, Tensor& values, Matrices* u, Matrices* vh, bool full);
/// Householder QR in place; `tau` {batch, min}.
void qrFactor(Matrices& a, Tensor& tau);
/// Q with `columns` columns from qrFactor's result, in place in `a` (which has that many columns).
void qrMultiply(Matrices& a, const Tensor& tau, Index reflectors);
/// Q (or its conjugate transpose) times C, or C times it unless `left`; C in place.
void qrApply(const Matrices& a, const Tensor& tau, Index reflectors, Matrices& c, bool left, bool transpose);
/// A = L D L^T (L D L^H) in place, from the lower triangle, the upper one 0; pivots as LAPACK counts them, {batch, n}.
/// info > 0: D[info, info] is exactly 0.
LapackInfo ldlFactor(Matrices& a, Pivots& pivots, bool hermitian);
/// Solves with the factors from ldlFactor; B becomes X.
void ldlSolve(const Matrices& ld, const Pivots& pivots, Matrices& b, bool hermitian);
/// Least squares by QR (full rank): B's first `cols` rows become X. info > 0: A has not full rank.
LapackInfo leastSquaresFull(Matrices& a, Matrices& b);
/// Least squares of least norm: by complete orthogonal factorisation ("gelsy") or singular values ("gelsd").
LapackInfo leastSquares(Matrices& a, Matrices& b, bool bySingularValues, double rcond, std::vector<Index>& ranks,
                        Tensor& singularValues);

/// Address of the first element on the tensor's device.
std::byte* bytesOf(const Tensor& t);
/// Has the device do what `args` say. @throws (DEV-02) where it has no such routine.
void run(const LinalgArgs& args, Device device);
/// The same for a routine that answers.
LapackInfo answered(LinalgArgs args, Device device);

} // namespace stridescope::linalg
