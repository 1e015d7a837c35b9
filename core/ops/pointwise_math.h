#pragma once
// Mathematical operations, element by element: exponentials and trigonometry, rounding, tests of values, powers and
// divisions, logic and bits, clamp and lerp, closeness.
//
// Shapes: inputs broadcast to a common shape. Dtype: resultType() of the inputs (promotion.h); where a result cannot be
// whole (exp, sqrt, atan2 …) integers and bool become the default float dtype first; tests (isnan, logical_and …) give
// bool. Results are new and dense, laid out as in pointwise.h. Inputs are read as they lie; nothing is copied but
// complex ones. float16 is computed in float32 and rounded once, also where PyTorch's CPU kernels lack it.
//
// x_ writes into its first tensor and returns it; xOut writes into `out`, which must have the result's shape.
//
// Accuracy: exponentials, logarithms, trigonometry, hypot and erf err by at most 2 units in the last place, erfc by 4,
// sqrt, the four rounding functions, fmod and nextafter not at all; the others are the C library's.
// Source: PyTorch documentation (torch.exp and others); behaviour checked against version 1.13.
//
// Limits of clamp, exponents of integers, weights of lerp and the factors of add, addcmul and addcdiv must lie in the
// range of the type that is computed in (FILL-01); other numbers wrap or become infinite in it, as in PyTorch.
//
// Every function here refuses as those of pointwise.h do (TENSOR-02, SHAPE-OUT, WRITE-01, OVERLAP-01 to 03, CAST-01,
// DEV-02, DEV-03) and @throws ShapeError besides
// - MATH-01 for an element type that the operation is not for, MATH-02 for complex numbers where there is no such
//   function, MATH-03 for an output that must be bool;
// - POW-01 for integers to negative integer powers, DIV-01 for integers divided by 0, DIV-02 for an unknown
//   rounding_mode, ALPHA-01 for an alpha that does not suit the dtype, CLAMP-01 without limits, LERP-01 and CLOSE-01
//   for unlike dtypes, CLOSE-02 for negative tolerances.

#include "core/ops/math_binary_ops.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <string>

namespace stridescope {

/// An input of an operation: a tensor, which must outlive the call, or a number without one.
class MathInput {
public:
    MathInput(const Tensor& t) : m_tensor(&t) {}
    MathInput(Scalar number) : m_number(number) {}
    template <class T>
    requires std::is_arithmetic_v<T> MathInput(T number) : m_number(number) {}

    const Tensor* tensor() const { return m_tensor; }
    Scalar number() const { return m_number; }

private:
    const Tensor* m_tensor = nullptr;
    Scalar m_number;
};

Tensor math(MathOp op, const Tensor& a);
const Tensor& math_(MathOp op, const Tensor& a);
const Tensor& mathOut(MathOp op, const Tensor& a, const Tensor& out);
/// One of the two is a tensor.
Tensor math(MathOp op, const MathInput& a, const MathInput& b);
const Tensor& math_(MathOp op, const Tensor& a, const MathInput& b);
const Tensor& mathOut(MathOp op, const MathInput& a, const MathInput& b, const Tensor& out);

// NOLINTBEGIN(bugprone-macro-parentheses): types and names are pasted, not values.
#define STRIDESCOPE_UNARY_MATH(function, Functor)                                                                      \
    inline Tensor function(const Tensor& a) {                                                                          \
        return math(mathOp<Functor>, a);                                                                               \
    }                                                                                                                  \
    inline const Tensor& function##_(const Tensor& a) {                                                                \
        return math_(mathOp<Functor>, a);                                                                              \
    }                                                                                                                  \
    inline const Tensor& function##Out(const Tensor& a, const Tensor& out) {                                           \
        return mathOut(mathOp<Functor>, a, out);                                                                       \
    }
#define STRIDESCOPE_BINARY_MATH(function, Functor)                                                                     \
    inline Tensor function(const Tensor& a, const MathInput& b) {                                                      \
        return math(mathOp<Functor>, a, b);                                                                            \
    }                                                                                                                  \
    inline Tensor function(Scalar a, const Tensor& b) {                                                                \
        return math(mathOp<Functor>, a, b);                                                                            \
    }                                                                                                                  \
    inline const Tensor& function##_(const Tensor& a, const MathInput& b) {                                            \
        return math_(mathOp<Functor>, a, b);                                                                           \
    }                                                                                                                  \
    inline const Tensor& function##Out(const MathInput& a, const MathInput& b, const Tensor& out) {                    \
        return mathOut(mathOp<Functor>, a, b, out);                                                                    \
    }
// NOLINTEND(bugprone-macro-parentheses)

STRIDESCOPE_UNARY_MATH(exp, Exp)
STRIDESCOPE_UNARY_MATH(exp2, Exp2)
STRIDESCOPE_UNARY_MATH(expm1, Expm1)
STRIDESCOPE_UNARY_MATH(log, Log)
STRIDESCOPE_UNARY_MATH(log2, Log2)
STRIDESCOPE_UNARY_MATH(log10, Log10)
STRIDESCOPE_UNARY_MATH(log1p, Log1p)
STRIDESCOPE_UNARY_MATH(sqrt, Sqrt)
STRIDESCOPE_UNARY_MATH(rsqrt, Rsqrt)
STRIDESCOPE_UNARY_MATH(reciprocal, Reciprocal)
STRIDESCOPE_UNARY_MATH(sin, Sin)
STRIDESCOPE_UNARY_MATH(cos, Cos)
STRIDESCOPE_UNARY_MATH(tan, Tan)
STRIDESCOPE_UNARY_MATH(asin, Asin)
STRIDESCOPE_UNARY_MATH(acos, Acos)
STRIDESCOPE_UNARY_MATH(atan, Atan)
STRIDESCOPE_UNARY_MATH(sinh, Sinh)
STRIDESCOPE_UNARY_MATH(cosh, Cosh)
STRIDESCOPE_UNARY_MATH(tanh, Tanh)
STRIDESCOPE_UNARY_MATH(asinh, Asinh)
STRIDESCOPE_UNARY_MATH(acosh, Acosh)
STRIDESCOPE_UNARY_MATH(atanh, Atanh)
STRIDESCOPE_UNARY_MATH(sigmoid, Sigmoid)
STRIDESCOPE_UNARY_MATH(erf, Erf)
STRIDESCOPE_UNARY_MATH(erfc, Erfc)
STRIDESCOPE_UNARY_MATH(erfinv, Erfinv)
STRIDESCOPE_UNARY_MATH(lgamma, Lgamma)
STRIDESCOPE_UNARY_MATH(digamma, Digamma)
STRIDESCOPE_UNARY_MATH(sinc, Sinc)
STRIDESCOPE_UNARY_MATH(i0, I0)
STRIDESCOPE_UNARY_MATH(i0e, I0e)
STRIDESCOPE_UNARY_MATH(i1, I1)
STRIDESCOPE_UNARY_MATH(i1e, I1e)
STRIDESCOPE_UNARY_MATH(besselJ0, BesselJ0)
STRIDESCOPE_UNARY_MATH(besselJ1, BesselJ1)
STRIDESCOPE_UNARY_MATH(besselY0, BesselY0)
STRIDESCOPE_UNARY_MATH(besselY1, BesselY1)
STRIDESCOPE_UNARY_MATH(modifiedBesselI0, ModifiedBesselI0)
STRIDESCOPE_UNARY_MATH(modifiedBesselI1, ModifiedBesselI1)
STRIDESCOPE_UNARY_MATH(modifiedBesselK0, ModifiedBesselK0)
STRIDESCOPE_UNARY_MATH(modifiedBesselK1, ModifiedBesselK1)
STRIDESCOPE_UNARY_MATH(scaledModifiedBesselK0, ScaledModifiedBesselK0)
STRIDESCOPE_UNARY_MATH(scaledModifiedBesselK1, ScaledModifiedBesselK1)
STRIDESCOPE_UNARY_MATH(sphericalBesselJ0, SphericalBesselJ0)
STRIDESCOPE_UNARY_MATH(airyAi, AiryAi)
STRIDESCOPE_UNARY_MATH(ndtr, Ndtr)
STRIDESCOPE_UNARY_MATH(ndtri, Ndtri)
STRIDESCOPE_UNARY_MATH(logNdtr, LogNdtr)
STRIDESCOPE_UNARY_MATH(erfcx, Erfcx)
STRIDESCOPE_UNARY_MATH(entr, Entr)
STRIDESCOPE_UNARY_MATH(deg2rad, Deg2rad)
STRIDESCOPE_UNARY_MATH(rad2deg, Rad2deg)
STRIDESCOPE_UNARY_MATH(square, Square) // of bool: int64
STRIDESCOPE_UNARY_MATH(sign, Sign)
STRIDESCOPE_UNARY_MATH(floor, Floor)
STRIDESCOPE_UNARY_MATH(ceil, Ceil)
STRIDESCOPE_UNARY_MATH(trunc, Trunc)
STRIDESCOPE_UNARY_MATH(frac, Frac)
STRIDESCOPE_UNARY_MATH(relu, Relu)
STRIDESCOPE_UNARY_MATH(bitwiseNot, BitwiseNot)
STRIDESCOPE_UNARY_MATH(logicalNot, LogicalNot)
STRIDESCOPE_UNARY_MATH(isposinf, IsPosInf)
STRIDESCOPE_UNARY_MATH(isneginf, IsNegInf)
STRIDESCOPE_UNARY_MATH(signbit, Signbit)
inline Tensor isnan(const Tensor& a) {
    return math(mathOp<IsNan>, a);
}
inline Tensor isinf(const Tensor& a) {
    return math(mathOp<IsInf>, a);
}
inline Tensor isfinite(const Tensor& a) {
    return math(mathOp<IsFinite>, a);
}

STRIDESCOPE_BINARY_MATH(floorDivide, FloorDivide)
STRIDESCOPE_BINARY_MATH(remainder, Remainder) // sign of the divisor
STRIDESCOPE_BINARY_MATH(fmod, Fmod)           // sign of the dividend
STRIDESCOPE_BINARY_MATH(gcd, Gcd)
STRIDESCOPE_BINARY_MATH(lcm, Lcm)
STRIDESCOPE_BINARY_MATH(atan2, Atan2)
STRIDESCOPE_BINARY_MATH(hypot, Hypot)
STRIDESCOPE_BINARY_MATH(logaddexp, Logaddexp)
STRIDESCOPE_BINARY_MATH(logaddexp2, Logaddexp2)
STRIDESCOPE_BINARY_MATH(nextafter, Nextafter)
STRIDESCOPE_BINARY_MATH(xlogy, Xlogy)
STRIDESCOPE_BINARY_MATH(xlog1py, Xlog1py)
STRIDESCOPE_BINARY_MATH(zeta, Zeta)       // Hurwitz: the sum of (b + k)^-a
STRIDESCOPE_BINARY_MATH(igamma, Igamma)   // of a, below b
STRIDESCOPE_BINARY_MATH(igammac, Igammac) // of a, above b
// Orthogonal polynomials of `a`, of degree `b`.
STRIDESCOPE_BINARY_MATH(chebyshevT, ChebyshevT)
STRIDESCOPE_BINARY_MATH(chebyshevU, ChebyshevU)
STRIDESCOPE_BINARY_MATH(chebyshevV, ChebyshevV)
STRIDESCOPE_BINARY_MATH(chebyshevW, ChebyshevW)
STRIDESCOPE_BINARY_MATH(shiftedChebyshevT, ShiftedChebyshevT)
STRIDESCOPE_BINARY_MATH(shiftedChebyshevU, ShiftedChebyshevU)
STRIDESCOPE_BINARY_MATH(shiftedChebyshevV, ShiftedChebyshevV)
STRIDESCOPE_BINARY_MATH(shiftedChebyshevW, ShiftedChebyshevW)
STRIDESCOPE_BINARY_MATH(hermiteH, HermiteH)
STRIDESCOPE_BINARY_MATH(hermiteHe, HermiteHe)
STRIDESCOPE_BINARY_MATH(laguerreL, LaguerreL)
STRIDESCOPE_BINARY_MATH(legendreP, LegendreP)
STRIDESCOPE_BINARY_MATH(logicalAnd, LogicalAnd)
STRIDESCOPE_BINARY_MATH(logicalOr, LogicalOr)
STRIDESCOPE_BINARY_MATH(logicalXor, LogicalXor)
STRIDESCOPE_BINARY_MATH(bitwiseAnd, BitwiseAnd)
STRIDESCOPE_BINARY_MATH(bitwiseOr, BitwiseOr)
STRIDESCOPE_BINARY_MATH(bitwiseXor, BitwiseXor)
STRIDESCOPE_BINARY_MATH(leftShift, LeftShift)   // counts modulo 32, of int64 modulo 64
STRIDESCOPE_BINARY_MATH(rightShift, RightShift) // with copies of the sign
STRIDESCOPE_BINARY_MATH(fmax, Fmax)
STRIDESCOPE_BINARY_MATH(fmin, Fmin)
STRIDESCOPE_BINARY_MATH(copysign, Copysign)
STRIDESCOPE_BINARY_MATH(heaviside, Heaviside) // of one dtype
#undef STRIDESCOPE_UNARY_MATH
#undef STRIDESCOPE_BINARY_MATH

/// a ^ b; a tensor exponent of integers may be negative, and gives 0 unless the base is 1 or -1.
/// The exponents 2, 3, 1/2, -1/2 and -1 as numbers are products and roots.
Tensor pow(const Tensor& a, const MathInput& b);
/// Row-major whatever the strides of `b`.
Tensor pow(Scalar a, const Tensor& b);
const Tensor& pow_(const Tensor& a, const MathInput& b);
const Tensor& powOut(const MathInput& a, const MathInput& b, const Tensor& out);
/// As pow, in float64 (complex128 for complex inputs); of a number row-major.
Tensor floatPower(const MathInput& a, const MathInput& b);

/// The same into `a`, whose dtype must be the result's. @throws ShapeError (MATH-05) when it is not.
const Tensor& floatPower_(const Tensor& a, const MathInput& b);
/// Derivative of digamma of order n. @throws ShapeError (MATH-06) for n < 0.
Tensor polygamma(Index n, const Tensor& a);
const Tensor& polygamma_(const Tensor& a, Index n);
/// Logarithm of the multivariate gamma function of dimension p. @throws ShapeError (MATH-07) for p < 1 or above 10^6.
Tensor mvlgamma(const Tensor& a, Index p);
const Tensor& mvlgamma_(const Tensor& a, Index p);
/// a * 2^b.
Tensor ldexp(const Tensor& a, const Tensor& b);
const Tensor& ldexp_(const Tensor& a, const Tensor& b);
/// a = mantissa * 2^exponent with 1/2 <= |mantissa| < 1; of 0, infinities and NaN themselves and 0. Floats only.
struct MantissaAndExponent {
    Tensor mantissa, exponent; ///< of a's dtype; int32
};
MantissaAndExponent frexp(const Tensor& a);
/// Is the imaginary part 0? True for every real number.
Tensor isreal(const Tensor& a);

/// The sign; for complex numbers a / |a|, and 0 for 0.
Tensor sgn(const Tensor& a);
const Tensor& sgn_(const Tensor& a);
/// `a` itself. @throws ShapeError (MATH-01) for bool.
Tensor positive(const Tensor& a);
/// To the nearest number with that many decimals, halves to even; negative `decimals` round before the point.
Tensor round(const Tensor& a, Index decimals = 0);
const Tensor& round_(const Tensor& a, Index decimals = 0);
/// log(a / (1 - a)), with `a` brought into [eps, 1 - eps] first when eps is given.
Tensor logit(const Tensor& a, std::optional<double> eps = std::nullopt);
const Tensor& logit_(const Tensor& a, std::optional<double> eps = std::nullopt);
/// NaN becomes `nan`, infinities the numbers given, by default the greatest and least finite ones.
Tensor nanToNum(const Tensor& a, double nan = 0, std::optional<double> posinf = std::nullopt,
                std::optional<double> neginf = std::nullopt);
const Tensor& nanToNum_(const Tensor& a, double nan = 0, std::optional<double> posinf = std::nullopt,
                        std::optional<double> neginf = std::nullopt);

/// True division, or rounded: "floor" or "trunc".
Tensor div(const MathInput& a, const MathInput& b, const std::optional<std::string>& roundingMode);
const Tensor& div_(const Tensor& a, const MathInput& b, const std::optional<std::string>& roundingMode);

/// a + alpha * b.
Tensor add(const MathInput& a, const MathInput& b, Scalar alpha);
const Tensor& add_(const Tensor& a, const MathInput& b, Scalar alpha);
/// a - alpha * b.
Tensor sub(const MathInput& a, const MathInput& b, Scalar alpha);
const Tensor& sub_(const Tensor& a, const MathInput& b, Scalar alpha);
/// b - alpha * a.
Tensor rsub(const Tensor& a, const MathInput& b, Scalar alpha = 1);

/// min(max(a, low), high); one limit may be absent. Limits are both numbers or both tensors in PyTorch; here they may
/// also differ.
Tensor clamp(const Tensor& a, const std::optional<MathInput>& low, const std::optional<MathInput>& high);
const Tensor& clamp_(const Tensor& a, const std::optional<MathInput>& low, const std::optional<MathInput>& high);
/// a + weight * (b - a). Tensors have one dtype.
Tensor lerp(const Tensor& a, const Tensor& b, const MathInput& weight);
const Tensor& lerp_(const Tensor& a, const Tensor& b, const MathInput& weight);
/// a + value * b * c.
Tensor addcmul(const Tensor& a, const Tensor& b, const Tensor& c, Scalar value = 1);
const Tensor& addcmul_(const Tensor& a, const Tensor& b, const Tensor& c, Scalar value = 1);
/// a + value * b / c.
Tensor addcdiv(const Tensor& a, const Tensor& b, const Tensor& c, Scalar value = 1);
const Tensor& addcdiv_(const Tensor& a, const Tensor& b, const Tensor& c, Scalar value = 1);

/// |a - b| <= atol + rtol * |b|, or equal; two NaN are close when `equalNan`. Tensors have one dtype.
Tensor isclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equalNan = false);
/// isclose() for every element.
bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equalNan = false);
/// The same shape and the same values; NaN differs from itself.
bool equal(const Tensor& a, const Tensor& b);

namespace complexops {
/// A mathematical operation of one or two complex tensors that broadcast; contiguous.
/// @throws ShapeError (MATH-02) where PyTorch has none.
Tensor math(MathOp op, const char* shownName, const Tensor& a, const Tensor* b, DType compute);
} // namespace complexops

} // namespace stridescope
