#pragma once
// Which elements a reduction brings together, by counting coordinates: the obvious way, and all that the tests of
// reductions share.

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace stridescope::test {

/// For each result (row-major over the kept dims) its elements, row-major over the reduced ones.
std::vector<std::vector<Scalar>> groupsOf(const Tensor& t, const std::vector<Index>& reducedDims);
/// Sizes of the result.
Dims reducedShape(const Tensor& t, const std::vector<Index>& reducedDims, bool keepdim);
/// Sets of dims to try: all, each alone, the first two, first and last. The empty set stands for "all".
std::vector<std::vector<Index>> dimChoices(Index ndim);
/// `dims`, or all of them if there are none.
std::vector<Index> namedDims(const Tensor& t, const std::vector<Index>& dims);

/// a and b are equal, both NaN, or differ by at most `tolerance` times the larger of 1 and |b|.
bool near(double a, double b, double tolerance);
/// Rounding errors of a few operations in `dtype`; 0 for integers.
double toleranceOf(DType dtype);

} // namespace stridescope::test
