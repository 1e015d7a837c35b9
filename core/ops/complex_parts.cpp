#include "core/ops/complex_parts.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"

#include <numbers>
#include <vector>

namespace stridescope::complexparts {

namespace {

/// One complex number for each element.
struct Parts {
    Tensor re, im;
};

Parts partsOf(const Tensor& t) {
    return {complexops::part(t, 0), complexops::part(t, 1)};
}
/// In float64.
Parts wideParts(const Tensor& t) {
    return {to(complexops::part(t, 0), DType::Float64), to(complexops::part(t, 1), DType::Float64)};
}

Parts operator+(const Parts& a, const Parts& b) {
    return {add(a.re, b.re), add(a.im, b.im)};
}
Parts operator-(const Parts& a, const Parts& b) {
    return {sub(a.re, b.re), sub(a.im, b.im)};
}
Parts operator*(const Parts& a, const Parts& b) {
    return {sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re))};
}
/// The divisor scaled by its larger part first; by 0: NaN.
Parts operator/(const Parts& a, const Parts& b) {
    const Tensor scale = maximum(abs(b.re), abs(b.im));
    const Parts small{div(b.re, scale), div(b.im, scale)};
    const Tensor length = mul(add(square(small.re), square(small.im)), scale);
    const Parts turned{small.re, neg(small.im)}, product = a * turned;
    return {div(product.re, length), div(product.im, length)};
}

Parts times(const Parts& z, double factor) {
    return {mul(z.re, Scalar(factor)), mul(z.im, Scalar(factor))};
}
Parts number(double re, const Parts& like) {
    return {fullLike(like.re, re), fullLike(like.im, 0.0)};
}
/// 1 - z and 1 + z with the signs of zeros that decide on which side of a cut a number lies.
Parts oneMinus(const Parts& z) {
    return {rsub(z.re, Scalar(1.0)), neg(z.im)};
}
Parts onePlus(const Parts& z) {
    return {add(z.re, Scalar(1.0)), z.im};
}
/// i z and -i z.
Parts turnedLeft(const Parts& z) {
    return {neg(z.im), z.re};
}
Parts turnedRight(const Parts& z) {
    return {z.im, neg(z.re)};
}

Tensor isZero(const Parts& z) {
    return logicalAnd(eq(z.re, Scalar(0)), eq(z.im, Scalar(0)));
}

Parts exponential(const Parts& z) {
    const Tensor length = exp(z.re), none = eq(length, Scalar(0)), beyond = isinf(length);
    // As the C library: 0 in every direction is 0, and infinity in no direction is infinite (C11, G.6.3.1).
    const Tensor re = where(logicalAnd(beyond, logicalNot(isfinite(z.im))), length, mul(length, cos(z.im)));
    const Tensor im = where(logicalAnd(beyond, eq(z.im, Scalar(0))), z.im, mul(length, sin(z.im)));
    return {where(none, Scalar(0.0), re), where(none, Scalar(0.0), im)};
}
Parts logarithm(const Parts& z) {
    return {log(hypot(z.re, z.im)), atan2(z.im, z.re)};
}
Parts root(const Parts& z) {
    const Tensor large = sqrt(mul(add(hypot(z.re, z.im), abs(z.re)), Scalar(0.5)));
    const Tensor small = where(eq(large, Scalar(0)), Scalar(0.0), div(mul(abs(z.im), Scalar(0.5)), large));
    const Tensor right = ge(z.re, Scalar(0));
    return {where(right, large, small), copysign(where(right, small, large), z.im)};
}
Parts sine(const Parts& z) {
    return {mul(sin(z.re), cosh(z.im)), mul(cos(z.re), sinh(z.im))};
}
Parts cosine(const Parts& z) {
    return {mul(cos(z.re), cosh(z.im)), neg(mul(sin(z.re), sinh(z.im)))};
}
Parts tangent(const Parts& z) {
    // Beyond 300 both sides of the quotient are the same to the last digit.
    const Tensor x = mul(z.re, Scalar(2)), y = clamp(mul(z.im, Scalar(2)), Scalar(-600.0), Scalar(600.0));
    const Tensor below = add(cos(x), cosh(y));
    return {div(sin(x), below), div(sinh(y), below)};
}
Parts arcSine(const Parts& z) {
    const Parts below = root(oneMinus(z)), above = root(onePlus(z));
    return {atan2(z.re, sub(mul(below.re, above.re), mul(below.im, above.im))),
            asinh(sub(mul(below.re, above.im), mul(below.im, above.re)))};
}
Parts arcCosine(const Parts& z) {
    const Parts below = root(oneMinus(z)), above = root(onePlus(z));
    return {mul(atan2(below.re, above.re), Scalar(2)), asinh(sub(mul(above.re, below.im), mul(above.im, below.re)))};
}
Parts arcHyperbolicCosine(const Parts& z) {
    const Parts below = root({sub(z.re, Scalar(1.0)), z.im}), above = root(onePlus(z));
    return {asinh(add(mul(below.re, above.re), mul(below.im, above.im))), mul(atan2(below.im, above.re), Scalar(2))};
}
Parts arcHyperbolicTangent(const Parts& z) {
    const Tensor right = rsub(z.re, Scalar(1.0)), left = add(z.re, Scalar(1.0)), high = square(z.im);
    const Tensor length = log(div(add(square(left), high), add(square(right), high)));
    return {mul(length, Scalar(0.25)), mul(atan2(mul(z.im, Scalar(2)), sub(mul(right, left), high)), Scalar(0.5))};
}

using Function = Parts (*)(const Parts&);

/// Null where there is none.
Function functionOf(MathOp op, std::string_view shownName) {
    if (op == mathOp<Square>) return [](const Parts& z) { return z * z; };
    if (op == mathOp<Cube>) return [](const Parts& z) { return z * z * z; };
    if (op == mathOp<Reciprocal>) return [](const Parts& z) { return number(1, z) / z; };
    if (op == mathOp<Exp>) return exponential;
    if (op == mathOp<Sigmoid>)
        return [](const Parts& z) { return number(1, z) / (number(1, z) + exponential(times(z, -1))); };
    if (op == mathOp<Log>) return logarithm;
    if (op == mathOp<Log2>) return [](const Parts& z) { return times(logarithm(z), std::numbers::log2e); };
    if (op == mathOp<Log10>) return [](const Parts& z) { return times(logarithm(z), std::numbers::log10e); };
    if (op == mathOp<Sqrt>) return root;
    if (op == mathOp<Rsqrt>) return [](const Parts& z) { return number(1, z) / root(z); };
    if (op == mathOp<Sin>) return sine;
    if (op == mathOp<Cos>) return cosine;
    if (op == mathOp<Tan>) return tangent;
    if (op == mathOp<Asin>) return arcSine;
    if (op == mathOp<Acos>) return arcCosine;
    if (op == mathOp<Atan>) return [](const Parts& z) { return turnedRight(arcHyperbolicTangent(turnedLeft(z))); };
    if (op == mathOp<Sinh>) return [](const Parts& z) { return turnedRight(sine(turnedLeft(z))); };
    if (op == mathOp<Cosh>) return [](const Parts& z) { return cosine(turnedLeft(z)); };
    if (op == mathOp<Tanh>) return [](const Parts& z) { return turnedRight(tangent(turnedLeft(z))); };
    if (op == mathOp<Asinh>) return [](const Parts& z) { return turnedRight(arcSine(turnedLeft(z))); };
    if (op == mathOp<Acosh>) return arcHyperbolicCosine;
    if (op == mathOp<Atanh>) return arcHyperbolicTangent;
    if (op == mathOp<Sinc>)
        return [](const Parts& z) {
            const Parts turned = times(z, std::numbers::pi), quotient = sine(turned) / turned;
            const Tensor zero = isZero(z);
            return Parts{where(zero, Scalar(1.0), quotient.re), where(zero, Scalar(0.0), quotient.im)};
        };
    if (op == mathOp<Sign> && shownName == "sgn")
        return [](const Parts& z) {
            const Tensor length = hypot(z.re, z.im), zero = eq(length, Scalar(0));
            return Parts{where(zero, Scalar(0.0), div(z.re, length)), where(zero, Scalar(0.0), div(z.im, length))};
        };
    return nullptr;
}

/// A test of each number; undefined where there is none.
Tensor verdictOf(MathOp op, const Parts& z) {
    if (op == mathOp<IsNan>) return logicalOr(isnan(z.re), isnan(z.im));
    if (op == mathOp<IsInf>) return logicalOr(isinf(z.re), isinf(z.im));
    if (op == mathOp<IsFinite>) return logicalAnd(isfinite(z.re), isfinite(z.im));
    if (op == mathOp<LogicalNot>) return isZero(z);
    return {};
}

/// A new tensor laid out as the result of an operation on `operands`, on the device of `like`.
Tensor resultLike(const Tensor& like, std::initializer_list<const Tensor*> operands, DType dtype) {
    std::vector<const View*> views;
    for (const Tensor* t : operands) views.push_back(&t->view());
    return elementwise::newResult(like.shape(), elementwise::resultStrides(like.shape(), views), dtype, like.device());
}
/// The parts as one tensor.
Tensor joined(const Parts& z, std::initializer_list<const Tensor*> operands, DType compute) {
    Tensor out = resultLike(z.re, operands, compute);
    copy_(complexops::part(out, 0), z.re);
    copy_(complexops::part(out, 1), z.im);
    return out;
}
Tensor laidOut(const Tensor& value, std::initializer_list<const Tensor*> operands, DType dtype) {
    Tensor out = resultLike(value, operands, dtype);
    copy_(out, value);
    return out;
}

} // namespace

Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b, DType compute) {
    const Tensor left = to(a, compute), right = to(b, compute);
    const Parts x = partsOf(left), y = partsOf(right);
    if (op == binaryOp<Eq> || op == binaryOp<Ne>) {
        const bool same = op == binaryOp<Eq>;
        return laidOut(same ? logicalAnd(eq(x.re, y.re), eq(x.im, y.im)) : logicalOr(ne(x.re, y.re), ne(x.im, y.im)),
                       {&left, &right}, DType::Bool);
    }
    const Parts z = op == binaryOp<Add> ? x + y : op == binaryOp<Sub> ? x - y : op == binaryOp<Mul> ? x * y : x / y;
    return joined(z, {&left, &right}, compute);
}

Tensor unary(UnaryOp op, const Tensor& a) {
    const Parts z = partsOf(a);
    if (op == unaryOp<Abs>) return laidOut(hypot(z.re, z.im), {&a}, realPartDType(a.dtype()));
    return joined({neg(z.re), neg(z.im)}, {&a}, a.dtype());
}

Tensor math(MathOp op, const char* shownName, const Tensor& a, const Tensor* b, DType compute,
            void (*refuse)(MathOp, const char*, DType)) {
    const Tensor left = to(a, compute);
    if (b) {
        const Tensor right = to(*b, compute);
        const bool both = op == mathOp<LogicalAnd>, one = op == mathOp<LogicalOr>;
        if (both || one || op == mathOp<LogicalXor>) {
            const Tensor x = logicalNot(isZero(partsOf(left))), y = logicalNot(isZero(partsOf(right)));
            return laidOut(both  ? logicalAnd(x, y)
                           : one ? logicalOr(x, y)
                                 : logicalXor(x, y),
                           {&left, &right}, DType::Bool);
        }
        if (op != mathOp<Pow>) refuse(op, shownName, compute);
        return joined(exponential(wideParts(right) * logarithm(wideParts(left))), {&left, &right}, compute);
    }
    if (const Tensor verdict = verdictOf(op, partsOf(left)); verdict.defined())
        return laidOut(verdict, {&left}, DType::Bool);
    const Function function = functionOf(op, shownName);
    if (!function) refuse(op, shownName, compute);
    return joined(function(wideParts(left)), {&left}, compute);
}

Tensor angle(const Tensor& a) {
    if (isComplex(a.dtype())) return contiguous(atan2(complexops::part(a, 1), complexops::part(a, 0)));
    const Tensor x = isFloating(a.dtype()) ? a : to(a, defaultDType());
    return laidOut(where(lt(x, Scalar(0)), Scalar(std::numbers::pi), where(isnan(x), x, Scalar(0.0))), {&a}, x.dtype());
}

Tensor polar(const Tensor& magnitude, const Tensor& angle) {
    const Tensor re = mul(magnitude, cos(angle));
    const View* const views[] = {&magnitude.view(), &angle.view()};
    Tensor out = elementwise::newResult(re.shape(), elementwise::resultStrides(re.shape(), views),
                                        complexDType(re.dtype()), re.device());
    copy_(complexops::part(out, 0), re);
    copy_(complexops::part(out, 1), mul(magnitude, sin(angle)));
    return out;
}

} // namespace stridescope::complexparts
