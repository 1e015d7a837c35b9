#pragma once
// Operations of complex tensors made of operations on their real and imaginary parts: what devices run, which have
// kernels of real numbers alone. Internal to core/ops.
//
// Functions are computed in float64 and rounded once. Sources: W. Kahan, "Branch Cuts for Complex Elementary Functions"
// (1987), for the inverse functions; Abramowitz and Stegun, 3.7 and 4.3 to 4.6.

#include "core/ops/complex.h"
#include "core/ops/math_call.h"
#include "core/tensor/tensor.h"

namespace stridescope::complexparts {

/// As complexops::binary, unary and math, with results laid out as theirs. @throws ShapeError (MATH-02) from
/// `refuse` (a call that does not come back) where there is no such function of complex numbers.
Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b, DType compute);
Tensor unary(UnaryOp op, const Tensor& a);
Tensor math(MathOp op, const char* shownName, const Tensor& a, const Tensor* b, DType compute,
            void (*refuse)(MathOp, const char*, DType));
/// Of complex and of real numbers.
Tensor angle(const Tensor& a);
/// Of magnitudes and angles that broadcast.
Tensor polar(const Tensor& magnitude, const Tensor& angle);

} // namespace stridescope::complexparts
