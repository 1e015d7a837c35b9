#pragma once
// Complex tensors: their real and imaginary parts as views, and arithmetic on them.
//
// complex64 and complex128 exist as far as eigenvalues, Fourier transforms and printing need them. They can be copied,
// converted, added, subtracted, multiplied, divided, compared for equality, negated and taken apart; a sum or a product
// of matrices of them is made of those of their parts. What needs an order (<, max, sort) is refused as PyTorch does.
// Source: PyTorch documentation, "Complex Numbers"; behaviour checked against the library. Unlike there, conj() is a
// copy, and a float16 tensor with a complex number gives complex64.

#include "core/ops/elementwise.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <initializer_list>

namespace stridescope {

/// View: shape {..., 2}, the last dim being the real and the imaginary part.
/// @throws ShapeError (CPLX-01) unless t is complex.
Tensor viewAsReal(const Tensor& t);
/// View: the inverse, without the last dim.
/// @throws ShapeError (CPLX-02) unless t is float32 or float64 with a last dim of size 2 and stride 1, and all other
///         strides and the offset are even.
Tensor viewAsComplex(const Tensor& t);
/// View of the real parts; `t` itself when it is real.
Tensor real(const Tensor& t);
/// View of the imaginary parts. @throws ShapeError (CPLX-03) unless t is complex.
Tensor imag(const Tensor& t);

/// A new tensor of two real ones of one dtype, float32 or float64, that broadcast.
/// @throws ShapeError (CPLX-04) for other dtypes.
Tensor complex(const Tensor& realPart, const Tensor& imagPart);
/// As complex() of absolute value and angle in radians.
Tensor polar(const Tensor& absolute, const Tensor& angle);
/// Copy with the sign of the imaginary part turned; `t` itself when it is real.
Tensor conj(const Tensor& t);
/// Angle in radians, in (-pi, pi]; of real tensors 0, pi for negative numbers and NaN for NaN, in a float dtype.
Tensor angle(const Tensor& t);

namespace complexops {
/// The parts of a complex tensor as viewAsReal gives them; nothing is published.
Tensor parts(const Tensor& t);
/// One part (0 real, 1 imaginary) as a view; nothing is published.
Tensor part(const Tensor& t, int which);

/// A new tensor for what is made of `operands`, laid out as the results of all element-wise operations are.
Tensor resultOf(const Dims& shape, std::initializer_list<const Tensor*> operands, DType dtype);
/// The elements of `t`, converted and broadcast, in the layout of `out`, which is dense: n-th slot beside n-th slot.
Tensor besideOf(const Tensor& out, const Tensor& t, DType dtype);

/// add, sub, mul, div, eq, ne of two tensors, one of them complex, that broadcast. `compute` is complex.
/// @throws ShapeError (CPLX-05) for all other operations.
Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b, DType compute);
/// The sum part by part, where binary() multiplies b by 1 first as PyTorch's add does: infinities stay.
Tensor sum(const Tensor& a, const Tensor& b, DType compute);
/// neg (complex) and abs (real).
Tensor unary(UnaryOp op, const Tensor& a);

/// PyTorch's refusal (CPLX-05): "lt_cpu" not implemented for 'ComplexFloat'.
[[noreturn]] void throwNotForComplex(const char* kernel, DType t);
} // namespace complexops

} // namespace stridescope
