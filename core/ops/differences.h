#pragma once
// Differences between neighbours, areas under them, and how rows vary together.
//
// Strided inputs are read as they lie; results are new. Source: PyTorch documentation; behaviour checked against
// version 1.13. Every function @throws ValueError (TENSOR-02); IndexError (VIEW-01) for a dim out of range; ShapeError
// with PyTorch's words:
//   DIFF-01  a tensor of no dims                      DIFF-03  more dims than two; areas of bools
//   DIFF-02  a distance of integers, or of vectors    DIFF-04  distances of rows of different lengths
// and what the operations refuse that they are made of.

#include "core/tensor/tensor.h"

#include <optional>

namespace stridescope {

/// {.., k, ..} -> {.., k - n, ..}: x[i + 1] - x[i] along a dim, `n` times over; of bool: where neighbours differ.
/// Defined `prepend` and `append` are put in front and behind first.
Tensor diff(const Tensor& t, Index n = 1, Index dim = -1, const Tensor& prepend = {}, const Tensor& append = {});

/// {.., k, ..} -> {.., ..}: the area under straight lines through the points along a dim, `dx` apart; and the areas up
/// to each point {.., k - 1, ..}.
Tensor trapezoid(const Tensor& y, double dx = 1, Index dim = -1);
/// Over the places `x`, a vector or a tensor that broadcasts.
Tensor trapezoid(const Tensor& y, const Tensor& x, Index dim = -1);
Tensor cumulativeTrapezoid(const Tensor& y, double dx = 1, Index dim = -1);
Tensor cumulativeTrapezoid(const Tensor& y, const Tensor& x, Index dim = -1);

/// {v, n} -> {v, v}: covariances of `v` variables observed n times, over n - correction; a vector is one variable, and
/// one variable gives a 0-d tensor. Observations may count several times (`frequencies`, integers) or weigh more than
/// others (`weights`, floats), both {n}. @throws RuntimeError (DIFF-04) for weights that are none.
Tensor cov(const Tensor& t, Index correction = 1, const Tensor& frequencies = {}, const Tensor& weights = {});
/// The same divided by the standard deviations: from -1 to 1.
Tensor corrcoef(const Tensor& t);

/// {.., m, k} and {.., n, k} -> {.., m, n}: the p-norm of the difference of each two rows; floats only.
Tensor cdist(const Tensor& a, const Tensor& b, double p = 2);
/// {n, k} -> {n (n - 1) / 2}: the p-norm of the difference of rows i < j, in the order of pairs; floats only.
Tensor pdist(const Tensor& t, double p = 2);
/// norm(a - b + eps, p) along the last dim; shapes broadcast.
Tensor pairwiseDistance(const Tensor& a, const Tensor& b, double p = 2, double eps = 1e-6, bool keepdim = false);
/// The products of a and b, each divided by its norm along the dim (by eps at least), summed along it; shapes
/// broadcast, dtypes promote to a float one (DIFF-02 for others).
Tensor cosineSimilarity(const Tensor& a, const Tensor& b, Index dim = 1, double eps = 1e-8);

} // namespace stridescope
