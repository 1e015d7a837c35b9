#pragma once
// Products of matrices and vectors.
//
// All tensors of one product have one dtype (no promotion, as in PyTorch), all but float16 and bool, and one device.
// Transposed and sliced operands go to BLAS as they lie; only what has no run of neighbours is copied first. Float sums
// are taken in the dtype, integers wrap. A sum over nothing is 0. Results are new and contiguous.
// Source: PyTorch documentation (torch.matmul and others); refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, DeviceError (DEV-03, DEV-02) for tensors on
// several devices or on one without products, and ShapeError with PyTorch's words for
// - sizes that do not fit (MM-01), a wrong number of dims (MM-02), unlike dtypes (MM-03), float16 and bool (MM-04).

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <vector>

namespace stridescope {

/// {n} . {n} -> {}.
Tensor dot(const Tensor& a, const Tensor& b);
/// As dot, with the complex conjugate of `a`.
Tensor vdot(const Tensor& a, const Tensor& b);
/// {m, k} {k} -> {m}.
Tensor mv(const Tensor& matrix, const Tensor& vector);
/// {m, k} {k, n} -> {m, n}.
Tensor mm(const Tensor& a, const Tensor& b);
/// {b, m, k} {b, k, n} -> {b, m, n}.
Tensor bmm(const Tensor& a, const Tensor& b);
/// By the dims of both: 1 and 1 dot; 2 and 2 mm; 1 and 2, 2 and 1 the vector as a row or column that is dropped again;
/// more: a product for each index of the other dims, which broadcast.
Tensor matmul(const Tensor& a, const Tensor& b);

/// beta * input + alpha * (a @ b); `input` broadcasts to {m, n} and is not read when beta is 0.
Tensor addmm(const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta = 1, Scalar alpha = 1);
/// The same for matrix with vector, and for batches.
Tensor addmv(const Tensor& input, const Tensor& matrix, const Tensor& vector, Scalar beta = 1, Scalar alpha = 1);
Tensor baddbmm(const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta = 1, Scalar alpha = 1);

/// beta * input + alpha * (sum of the products of a batch): {b, m, k} {b, k, n} -> {m, n}.
Tensor addbmm(const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta = 1, Scalar alpha = 1);
/// beta * input + alpha * outer(a, b); dtypes promote, bool is and and or. `input` is not read when beta is 0.
/// @throws ShapeError (ALPHA-01) for fractions of integers.
Tensor addr(const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta = 1, Scalar alpha = 1);

/// {n} {m} -> {n, m}: every pair's product; dtypes promote.
Tensor outer(const Tensor& a, const Tensor& b);
/// Sum over the last dim of both: {..., k} {...', k} -> {..., ...'}; a 0-d operand scales.
Tensor inner(const Tensor& a, const Tensor& b);
/// Sum over the last `dims` dims of a and the first of b, or over pairs of dims.
Tensor tensordot(const Tensor& a, const Tensor& b, Index dims = 2);
Tensor tensordot(const Tensor& a, const Tensor& b, const Dims& dimsOfA, const Dims& dimsOfB);
/// Kronecker product: the tensor of lower dim gets dims of size 1 in front; sizes multiply; dtypes promote.
Tensor kron(const Tensor& a, const Tensor& b);
/// Sum of the diagonal of a matrix; integers give int64.
Tensor matrixTrace(const Tensor& matrix); // "trace" in PyTorch; here that is the namespace of records
/// Vector product along `dim` of size 3, by default the first such dim; operands broadcast.
Tensor cross(const Tensor& a, const Tensor& b, std::optional<Index> dim = std::nullopt);
/// Product of a chain of matrices (the first and last may be vectors), bracketed so that the fewest multiplications
/// are needed.
Tensor multiDot(const std::vector<Tensor>& chain);

} // namespace stridescope
