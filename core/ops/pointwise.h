#pragma once
// Element by element: arithmetic, comparisons, extrema, with broadcasting and PyTorch's type promotion.
//
// Shapes: operands broadcast to a common shape. Dtype: resultType() of the operands (promotion.h); `div` of integers
// gives float32, comparisons give bool. Integers wrap. A new result is dense; operands of one shape and layout pass
// that layout on, otherwise PyTorch's rule over their strides decides.
//
// x_ writes into `a` and returns it; xOut writes into `out`, which must have the result's shape. Both refuse results
// whose family does not fit the dtype that is written to.
//
// Every function here @throws
// - ValueError (TENSOR-02) for undefined tensors; MemoryError when the result does not fit;
// - ShapeError when shapes do not broadcast, when `a` or `out` has another shape (SHAPE-OUT), is read-only (WRITE-01),
//   names a slot twice (OVERLAP-01, OVERLAP-02) or overlaps an input in part (OVERLAP-03), when the result type cannot
//   be cast (CAST-01), for - on bool (BOOL-01, BOOL-02), and for neg and abs of bool (BOOL-03, BOOL-04);
// - DeviceError for operands on several devices (DEV-03; a 0-d CPU tensor may join any device) and for a device that
//   is not there (DEV-01), NotImplementedError for an operation that it lacks (DEV-02).
// Nothing changes on refusal.

#include "core/ops/elementwise.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

namespace stridescope {

Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b);
Tensor binary(BinaryOp op, const Tensor& a, Scalar b);
Tensor binary(BinaryOp op, Scalar a, const Tensor& b);
const Tensor& binary_(BinaryOp op, const Tensor& a, const Tensor& b);
const Tensor& binary_(BinaryOp op, const Tensor& a, Scalar b);
const Tensor& binaryOut(BinaryOp op, const Tensor& a, const Tensor& b, const Tensor& out);
const Tensor& binaryOut(BinaryOp op, const Tensor& a, Scalar b, const Tensor& out);

Tensor unary(UnaryOp op, const Tensor& a);
const Tensor& unary_(UnaryOp op, const Tensor& a);

// NOLINTBEGIN(bugprone-macro-parentheses): types and names are pasted, not values.
#define STRIDESCOPE_BINARY(function, Functor)                                                                          \
    inline Tensor function(const Tensor& a, const Tensor& b) {                                                         \
        return binary(binaryOp<Functor>, a, b);                                                                        \
    }                                                                                                                  \
    inline Tensor function(const Tensor& a, Scalar b) {                                                                \
        return binary(binaryOp<Functor>, a, b);                                                                        \
    }                                                                                                                  \
    inline Tensor function(Scalar a, const Tensor& b) {                                                                \
        return binary(binaryOp<Functor>, a, b);                                                                        \
    }                                                                                                                  \
    inline const Tensor& function##_(const Tensor& a, const Tensor& b) {                                               \
        return binary_(binaryOp<Functor>, a, b);                                                                       \
    }                                                                                                                  \
    inline const Tensor& function##_(const Tensor& a, Scalar b) {                                                      \
        return binary_(binaryOp<Functor>, a, b);                                                                       \
    }                                                                                                                  \
    inline const Tensor& function##Out(const Tensor& a, const Tensor& b, const Tensor& out) {                          \
        return binaryOut(binaryOp<Functor>, a, b, out);                                                                \
    }
// NOLINTEND(bugprone-macro-parentheses)

STRIDESCOPE_BINARY(add, Add)
STRIDESCOPE_BINARY(sub, Sub)
STRIDESCOPE_BINARY(mul, Mul)
STRIDESCOPE_BINARY(div, Div) // true division
STRIDESCOPE_BINARY(maximum, Maximum)
STRIDESCOPE_BINARY(minimum, Minimum)
STRIDESCOPE_BINARY(eq, Eq)
STRIDESCOPE_BINARY(ne, Ne)
STRIDESCOPE_BINARY(lt, Lt)
STRIDESCOPE_BINARY(le, Le)
STRIDESCOPE_BINARY(gt, Gt)
STRIDESCOPE_BINARY(ge, Ge)
#undef STRIDESCOPE_BINARY

inline Tensor neg(const Tensor& a) {
    return unary(unaryOp<Neg>, a);
}
inline const Tensor& neg_(const Tensor& a) {
    return unary_(unaryOp<Neg>, a);
}
inline Tensor abs(const Tensor& a) {
    return unary(unaryOp<Abs>, a);
}
inline const Tensor& abs_(const Tensor& a) {
    return unary_(unaryOp<Abs>, a);
}

} // namespace stridescope
