#pragma once
// New tensors with a pattern: evenly spaced numbers, the identity, triangles, diagonals, grids, choices.
//
// Results are new and contiguous except where said. Sizes and bytes are checked as in creation.h.
// Source: PyTorch documentation; values, layouts and refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, MemoryError, IndexError (VIEW-01) for a dim that
// is not there, and ShapeError with PyTorch's words:
//   PATTERN-01  a negative number of steps, rows or columns    PATTERN-05  meshgrid: dims, dtypes, or no tensors
//   PATTERN-02  a dtype that has no such pattern               PATTERN-06  not a 1-d tensor
//   PATTERN-03  diag of neither a vector nor a matrix          PATTERN-07  a negative number to choose, or of powers
//   PATTERN-04  diag_embed into one dim twice                  PATTERN-08  dims that have no diagonal, or no block

#include "core/ops/creation.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace stridescope {

// --- Evenly spaced ------------------------------------------------------------------------------------------------
/// {steps}: from start to end, both included. The first half is counted from the start, the second from the end.
/// Default dtype: float, or complex when a bound is. Bit for bit PyTorch's values on processors with AVX2.
/// @throws ShapeError (FILL-01) for a bound that the dtype cannot hold.
Tensor linspace(Scalar start, Scalar end, Index steps, TensorOptions options = {});
/// base to the powers linspace(start, end, steps), computed in double; the last bit of a float32 may differ from
/// PyTorch's.
Tensor logspace(Scalar start, Scalar end, Index steps, double base = 10, TensorOptions options = {});
/// start, start + step, … up to and with `end`: PyTorch's old form of arange. The default float unless `options` say
/// otherwise; integer dtypes cut the fractions of all three first.
/// @throws ShapeError as arange: step 0 (CREATE-04), wrong sign of step (CREATE-05), NaN or infinite bounds
/// (CREATE-06),
///         too many elements (CREATE-07), and a dtype that is not counted in: bool, float16, complex (CREATE-08).
Tensor range(Scalar start, Scalar end, Scalar step = 1, TensorOptions options = {});

// --- Matrices -----------------------------------------------------------------------------------------------------
/// {n, m}: 1 on the diagonal, 0 elsewhere; m absent: n.
Tensor eye(Index n, TensorOptions options = {});
Tensor eye(Index n, Index m, TensorOptions options = {});
/// The last two dims with 0 above (tril) or below (triu) the diagonal that is k places to the right of the main one.
Tensor tril(const Tensor& t, Index k = 0);
Tensor triu(const Tensor& t, Index k = 0);
/// The same in place. @throws ShapeError also as in-place operations: WRITE-01, OVERLAP-01, OVERLAP-02.
const Tensor& tril_(const Tensor& t, Index k = 0);
const Tensor& triu_(const Tensor& t, Index k = 0);
/// {n} -> {n + |k|, n + |k|} with `t` as its k-th diagonal; {n, m} -> its k-th diagonal, copied.
Tensor diag(const Tensor& t, Index k = 0);
/// diag of the flattened tensor.
Tensor diagflat(const Tensor& t, Index k = 0);
/// {.., n} -> two new dims of n + |offset|, at dim1 and dim2 of the result, whose diagonals are the last dim of `t`.
Tensor diagEmbed(const Tensor& t, Index offset = 0, Index dim1 = -2, Index dim2 = -1);
/// Writes one number on the diagonal t[i][i]...[i]; more than two dims must have one size (PATTERN-08). `wrap`: the
/// diagonal of a high matrix starts anew one row below its end.
const Tensor& fillDiagonal_(const Tensor& t, Scalar value, bool wrap = false);
/// {sum of rows, sum of columns}: the matrices along the diagonal, zeros elsewhere. Vectors count as rows.
Tensor blockDiag(const std::vector<Tensor>& tensors);
/// {2, count}: rows and columns of the elements that tril and triu keep, in row-major order. An integer dtype.
Tensor trilIndices(Index rows, Index columns, Index k = 0, TensorOptions options = {DType::Int64, Device{}});
Tensor triuIndices(Index rows, Index columns, Index k = 0, TensorOptions options = {DType::Int64, Device{}});
/// {n} -> {n, powers}: powers of each element, falling from powers - 1 to 0, or increasing. Integers give int64.
Tensor vander(const Tensor& t, std::optional<Index> powers = std::nullopt, bool increasing = false);
/// torch.linalg.vander: {..., n} -> {..., n, N}, ascending powers from 0 on; N is n unless given.
/// @throws ShapeError for bool and float16 (PATTERN-09), unless N > 1 (PATTERN-07).
Tensor linalgVander(const Tensor& t, std::optional<Index> powers = std::nullopt);

// --- Grids and choices --------------------------------------------------------------------------------------------
/// "ij": the first tensor runs along the first dim. "xy": the first two change places.
enum class GridIndexing { Ij, Xy };
/// Views: each of the 1-d (or 0-d) tensors spread over all dims.
std::vector<Tensor> meshgrid(const std::vector<Tensor>& tensors, GridIndexing indexing = GridIndexing::Ij);
/// {product of sizes, number of tensors}: every choice of one element of each; one tensor is given back as it is.
Tensor cartesianProd(const std::vector<Tensor>& tensors);
/// {count, r}: every choice of r elements of a 1-d tensor, in their order, each once or as often as wanted.
Tensor combinations(const Tensor& t, Index r = 2, bool withReplacement = false);

} // namespace stridescope
