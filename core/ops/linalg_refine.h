#pragma once
// Systems of equations and least squares to the last digit. Internal to core/ops.

#include "core/ops/linalg_matrices.h"

namespace stridescope::linalg {

/// Improves what LAPACK found to be the X that makes |A X - B| least, so that what is exact on paper comes out exact:
/// the intercept of a line through points that lie on it is 0 and not 1e-15. A {batch..., m, n} has full rank and
/// m >= n, B {batch..., m, k}; the first n rows of `x` are X. Returns the sums of squares of A X - B, {batch..., k} in
/// float64; undefined where nothing was done: for large matrices, complex ones, those wider than high and those that
/// are so ill-conditioned that the corrections do not shrink.
/// Source: A. Bjorck, "Numerical Methods for Least Squares Problems", 1996, section 2.9 (seminormal equations with
/// residuals in twice the precision).
Tensor refineLeastSquares(const Tensor& a, const Tensor& b, Matrices& x);

/// The same for square systems: improves the X of A X = B that luSolve found with `lu` and `pivots` (of A^T if
/// `transposed`), so that whole answers come out whole. A {batch..., n, n}, B {batch..., n, k}. Large matrices, complex
/// ones and ill-conditioned ones stay as they are, and so do those that luFactor did not like (NaN or infinite).
/// Source: J. H. Wilkinson, "Rounding Errors in Algebraic Processes", 1963 (residuals in twice the precision).
void refineSystem(const Tensor& a, const Tensor& b, const Matrices& lu, const Pivots& pivots, bool transposed,
                  Matrices& x);

} // namespace stridescope::linalg
