// Functions: element by element.

#include "core/ops/creation.h"
#include "core/ops/operation_names.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/python/function.h"

#include <cmath>

namespace stridescope::python::tables {

namespace {

/// add and sub: the factor alpha is rare, and the plain form quicker.
template <class Plain, class Scaled>
Tensor scaled(const Args& a, Plain plain, Scaled withAlpha) {
    if (a.has(2)) return withAlpha(a.tensor(0), a.input(1), a.scalar(2));
    if (a.isTensorAt(1)) return plain(a.tensor(0), a.tensor(1));
    return plain(a.tensor(0), a.scalar(1));
}

/// PyTorch's add, sub, mul and div take numbers for tensors wherever they stand: torch.mul(2, 3) is tensor(6).
template <class Two>
Tensor numberFirst(const Args& a, Two two) {
    if (a.isTensorAt(1)) return two(a.scalar(0), a.tensor(1));
    // Numbers are float64 as tensors, and where both are of one kind nothing is promoted.
    const Scalar x = a.scalar(0), y = a.scalar(1);
    const auto wide = [](Scalar n) {
        return n.isComplex() ? DType::Complex128
               : n.isFloat() ? DType::Float64
               : n.isInt()   ? DType::Int64
                             : DType::Bool;
    };
    const DType dtype = wide(x) == wide(y) ? wide(x) : resultType(std::array{promotionOperand(x), promotionOperand(y)});
    return two(x, full({}, y, {dtype, Device{}}));
}

std::optional<MathInput> limit(const Args& a, std::size_t i) {
    return a.has(i) ? std::optional<MathInput>(a.input(i)) : std::nullopt;
}
/// `f` of the bound of clamp_min and clamp_max, in which a number that is NaN counts, as in clamp it does not.
template <class F>
Tensor withBound(const Args& a, F f) {
    if (a.isTensorAt(1) || a.scalar(1).isComplex() || !std::isnan(a.scalar(1).toDouble())) return f(a.input(1));
    const Tensor bound = full({}, a.scalar(1));
    return f(bound);
}

std::optional<std::string> rounding(const Args& a) {
    return a.has(2) ? std::optional<std::string>(a.text(2)) : std::nullopt;
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses)
/// Out of place and in place, of a tensor with a tensor or a number.
#define OF_TWO(name, function)                                                                                         \
    FN(name "(Tensor input, Tensor|Number other)",                                                                     \
       a.isTensorAt(1) ? function(a.tensor(0), a.tensor(1)) : function(a.tensor(0), a.scalar(1))),                     \
        IN("." name "_(Tensor self, Tensor|Number other)",                                                             \
           a.isTensorAt(1) ? function##_(a.tensor(0), a.tensor(1)) : function##_(a.tensor(0), a.scalar(1)))
#define OF_TWO_MATH(name, function)                                                                                    \
    FN(name "(Tensor input, Tensor|Number other)", function(a.tensor(0), a.input(1))),                                 \
        IN("." name "_(Tensor self, Tensor|Number other)", function##_(a.tensor(0), a.input(1)))
#define OF_TENSORS(name, other, function)                                                                              \
    FN(name "(Tensor input, Tensor " other ")", function(a.tensor(0), a.tensor(1))),                                   \
        IN("." name "_(Tensor self, Tensor " other ")", function##_(a.tensor(0), a.tensor(1)))
#define OF_ONE_OUT(name, function)                                                                                     \
    FN_OUT(name "(Tensor input)", function(a.tensor(0)), function##Out(a.tensor(0), a.out())),                         \
        IN(name "_(Tensor input)", function##_(a.tensor(0)))
#define OF_ONE(name, function)                                                                                         \
    FN(name "(Tensor input)", function(a.tensor(0))), IN(name "_(Tensor input)", function##_(a.tensor(0)))
// NOLINTEND(bugprone-macro-parentheses)

std::vector<Entry> pointwise() {
    return {
        FN_OUT(
            "add(Tensor input, Tensor|Scalar other, *, Scalar alpha=1)",
            scaled(
                a, [](const auto& x, const auto& y) { return add(x, y); }, [](const auto&... x) { return add(x...); }),
            addOut(a.tensor(0), a.tensor(1), a.out())),
        FN_OUT(
            "sub(Tensor input, Tensor|Scalar other, *, Scalar alpha=1)",
            scaled(
                a, [](const auto& x, const auto& y) { return sub(x, y); }, [](const auto&... x) { return sub(x...); }),
            subOut(a.tensor(0), a.tensor(1), a.out())),
        IN(".add_(Tensor self, Tensor|Scalar other, *, Scalar alpha=1)",
           a.has(2)          ? add_(a.tensor(0), a.input(1), a.scalar(2))
           : a.isTensorAt(1) ? add_(a.tensor(0), a.tensor(1))
                             : add_(a.tensor(0), a.scalar(1))),
        IN(".sub_(Tensor self, Tensor|Scalar other, *, Scalar alpha=1)",
           a.has(2)          ? sub_(a.tensor(0), a.input(1), a.scalar(2))
           : a.isTensorAt(1) ? sub_(a.tensor(0), a.tensor(1))
                             : sub_(a.tensor(0), a.scalar(1))),
        // The order of PyTorch's first years: add(x, 2, y) is x + 2 * y.
        FN("~add(Tensor input, Scalar alpha, Tensor|Scalar other)", add(a.tensor(0), a.input(2), a.scalar(1))),
        FN("~sub(Tensor input, Scalar alpha, Tensor|Scalar other)", sub(a.tensor(0), a.input(2), a.scalar(1))),
        IN("~.add_(Tensor self, Scalar alpha, Tensor|Scalar other)", add_(a.tensor(0), a.input(2), a.scalar(1))),
        IN("~.sub_(Tensor self, Scalar alpha, Tensor|Scalar other)", sub_(a.tensor(0), a.input(2), a.scalar(1))),
        FN("+:add(Scalar input, Tensor|Scalar other, *, Scalar alpha=1)",
           numberFirst(a, [&](Scalar x, const Tensor& y) { return a.has(2) ? add(x, y, a.scalar(2)) : add(x, y); })),
        FN("+:sub(Scalar input, Tensor|Scalar other, *, Scalar alpha=1)",
           numberFirst(a, [&](Scalar x, const Tensor& y) { return a.has(2) ? sub(x, y, a.scalar(2)) : sub(x, y); })),
        FN("rsub(Tensor input, Tensor|Number other, *, Scalar alpha=1)", rsub(a.tensor(0), a.input(1), a.scalar(2))),
        FN("+rsub(Tensor input, Scalar other, Scalar alpha)", rsub(a.tensor(0), a.input(1), a.scalar(2))),
        FN_OUT("mul(Tensor input, Tensor|Scalar other)",
               a.isTensorAt(1) ? mul(a.tensor(0), a.tensor(1)) : mul(a.tensor(0), a.scalar(1)),
               mulOut(a.tensor(0), a.tensor(1), a.out())),
        IN(".mul_(Tensor self, Tensor|Scalar other)",
           a.isTensorAt(1) ? mul_(a.tensor(0), a.tensor(1)) : mul_(a.tensor(0), a.scalar(1))),
        FN("+:mul(Scalar input, Tensor|Scalar other)",
           numberFirst(a, [](Scalar x, const Tensor& y) { return mul(x, y); })),
        FN_OUT("div(Tensor input, Tensor|Scalar other)",
               a.isTensorAt(1) ? div(a.tensor(0), a.tensor(1)) : div(a.tensor(0), a.scalar(1)),
               divOut(a.tensor(0), a.tensor(1), a.out())),
        FN("div(Tensor input, Tensor|Scalar other, *, str? rounding_mode)", div(a.tensor(0), a.input(1), rounding(a))),
        FN("+:div(Scalar input, Tensor|Scalar other)",
           numberFirst(a, [](Scalar x, const Tensor& y) { return div(x, y); })),
        FN("+:div(Scalar input, Tensor|Scalar other, *, str? rounding_mode)",
           numberFirst(a, [&](Scalar x, const Tensor& y) { return div(x, y, rounding(a)); })),
        IN(".div_(Tensor self, Tensor|Scalar other)",
           a.isTensorAt(1) ? div_(a.tensor(0), a.tensor(1)) : div_(a.tensor(0), a.scalar(1))),
        IN(".div_(Tensor self, Tensor|Scalar other, *, str? rounding_mode)",
           div_(a.tensor(0), a.input(1), rounding(a))),
        FN("maximum(Tensor input, Tensor other)", maximum(a.tensor(0), a.tensor(1))),
        FN("minimum(Tensor input, Tensor other)", minimum(a.tensor(0), a.tensor(1))),
        OF_TWO("eq", eq),
        OF_TWO("ne", ne),
        OF_TWO("lt", lt),
        OF_TWO("le", le),
        OF_TWO("gt", gt),
        OF_TWO("ge", ge),
        OF_ONE("neg", neg),
        OF_ONE("abs", abs),
        PY("result_type(Tensor|Scalar tensor, Tensor|Scalar other)",
           Py_NewRef(dtypeObject(resultType(std::vector<PromotionOperand>{
               a.isTensorAt(0) ? promotionOperand(a.tensor(0)) : promotionOperand(a.scalar(0)),
               a.isTensorAt(1) ? promotionOperand(a.tensor(1)) : promotionOperand(a.scalar(1))})))),
        PY("promote_types(dtype type1, dtype type2)", Py_NewRef(dtypeObject(promoteTypes(*a.dtype(0), *a.dtype(1))))),
        FN("can_cast(dtype from, dtype to)", canCast(*a.dtype(0), *a.dtype(1))),
    };
}

std::vector<Entry> mathematics() {
    return {
        OF_ONE_OUT("exp", exp),
        OF_ONE_OUT("exp2", exp2),
        OF_ONE_OUT("expm1", expm1),
        OF_ONE_OUT("log", log),
        OF_ONE_OUT("log2", log2),
        OF_ONE_OUT("log10", log10),
        OF_ONE_OUT("log1p", log1p),
        OF_ONE_OUT("sqrt", sqrt),
        OF_ONE_OUT("rsqrt", rsqrt),
        OF_ONE_OUT("reciprocal", reciprocal),
        OF_ONE_OUT("sin", sin),
        OF_ONE_OUT("cos", cos),
        OF_ONE_OUT("tan", tan),
        OF_ONE_OUT("asin", asin),
        OF_ONE_OUT("acos", acos),
        OF_ONE_OUT("atan", atan),
        OF_ONE_OUT("sinh", sinh),
        OF_ONE_OUT("cosh", cosh),
        OF_ONE_OUT("tanh", tanh),
        OF_ONE_OUT("asinh", asinh),
        OF_ONE_OUT("acosh", acosh),
        OF_ONE_OUT("atanh", atanh),
        OF_ONE_OUT("sigmoid", sigmoid),
        OF_ONE_OUT("erf", erf),
        OF_ONE_OUT("erfc", erfc),
        OF_ONE_OUT("erfinv", erfinv),
        OF_ONE_OUT("lgamma", lgamma),
        OF_ONE_OUT("digamma", digamma),
        OF_ONE_OUT("sinc", sinc),
        OF_ONE_OUT("deg2rad", deg2rad),
        OF_ONE_OUT("rad2deg", rad2deg),
        OF_ONE_OUT("square", square),
        OF_ONE("sign", sign),
        OF_ONE("sgn", sgn),
        OF_ONE("floor", floor),
        OF_ONE("ceil", ceil),
        OF_ONE("trunc", trunc),
        OF_ONE("frac", frac),
        OF_ONE("relu", relu),
        OF_ONE("bitwise_not", bitwiseNot),
        OF_ONE("logical_not", logicalNot),
        FN("isposinf(Tensor input)", isposinf(a.tensor(0))),
        FN("isneginf(Tensor input)", isneginf(a.tensor(0))),
        FN("signbit(Tensor input)", signbit(a.tensor(0))),
        FN("isnan(Tensor input)", isnan(a.tensor(0))),
        FN("isreal(Tensor input)", isreal(a.tensor(0))),
        FN("isinf(Tensor input)", isinf(a.tensor(0))),
        FN("isfinite(Tensor input)", isfinite(a.tensor(0))),
        SAME("positive(Tensor input)", positive(a.tensor(0))),
        FN("round(Tensor input)", round(a.tensor(0))),
        FN("round(Tensor input, *, int decimals)", round(a.tensor(0), a.index(1))),
        IN("round_(Tensor input)", round_(a.tensor(0))),
        IN("round_(Tensor input, *, int decimals)", round_(a.tensor(0), a.index(1))),
        FN("logit(Tensor input, float? eps=None)", logit(a.tensor(0), a.optionalNumber(1))),
        IN("logit_(Tensor input, float? eps=None)", logit_(a.tensor(0), a.optionalNumber(1))),
        FN("nan_to_num(Tensor input, float? nan=None, float? posinf=None, float? neginf=None)",
           nanToNum(a.tensor(0), a.optionalNumber(1).value_or(0), a.optionalNumber(2), a.optionalNumber(3))),
        IN("nan_to_num_(Tensor input, float? nan=None, float? posinf=None, float? neginf=None)",
           nanToNum_(a.tensor(0), a.optionalNumber(1).value_or(0), a.optionalNumber(2), a.optionalNumber(3))),

        FN("floor_divide(Tensor input, Tensor|Number other)", floorDivide(a.tensor(0), a.input(1))),
        IN(".floor_divide_(Tensor self, Tensor|Number other)", floorDivide_(a.tensor(0), a.input(1))),
        FN("+:floor_divide(Scalar input, Tensor|Scalar other)",
           numberFirst(a, [](Scalar x, const Tensor& y) { return floorDivide(x, y); })),
        OF_TWO_MATH("remainder", remainder),
        FN("remainder(Scalar self, Tensor other)", remainder(a.scalar(0), a.tensor(1))),
        OF_TWO_MATH("fmod", fmod),
        OF_TENSORS("gcd", "other", gcd),
        OF_TENSORS("lcm", "other", lcm),
        IN(":gcd_(Tensor input, Tensor other)", gcd_(a.tensor(0), a.tensor(1))),
        IN(":lcm_(Tensor input, Tensor other)", lcm_(a.tensor(0), a.tensor(1))),
        IN(":xlogy_(Tensor input, Tensor|Number other)", xlogy_(a.tensor(0), a.input(1))),
        OF_TENSORS("atan2", "other", atan2),
        OF_TENSORS("hypot", "other", hypot),
        FN("logaddexp(Tensor input, Tensor other)", logaddexp(a.tensor(0), a.tensor(1))),
        FN("logaddexp2(Tensor input, Tensor other)", logaddexp2(a.tensor(0), a.tensor(1))),
        OF_TENSORS("nextafter", "other", nextafter),
        OF_TWO_MATH("xlogy", xlogy),
        FN("xlogy(Scalar self, Tensor other)", xlogy(a.scalar(0), a.tensor(1))),
        OF_TENSORS("logical_and", "other", logicalAnd),
        OF_TENSORS("logical_or", "other", logicalOr),
        OF_TENSORS("logical_xor", "other", logicalXor),
        OF_TWO_MATH("bitwise_and", bitwiseAnd),
        FN("bitwise_and(Scalar self, Tensor other)", bitwiseAnd(a.scalar(0), a.tensor(1))),
        OF_TWO_MATH("bitwise_or", bitwiseOr),
        FN("bitwise_or(Scalar self, Tensor other)", bitwiseOr(a.scalar(0), a.tensor(1))),
        OF_TWO_MATH("bitwise_xor", bitwiseXor),
        FN("bitwise_xor(Scalar self, Tensor other)", bitwiseXor(a.scalar(0), a.tensor(1))),
        OF_TWO_MATH("bitwise_left_shift", leftShift),
        FN("bitwise_left_shift(Scalar self, Tensor other)", leftShift(a.scalar(0), a.tensor(1))),
        OF_TWO_MATH("bitwise_right_shift", rightShift),
        FN("bitwise_right_shift(Scalar self, Tensor other)", rightShift(a.scalar(0), a.tensor(1))),
        FN("fmax(Tensor input, Tensor other)", fmax(a.tensor(0), a.tensor(1))),
        FN("fmin(Tensor input, Tensor other)", fmin(a.tensor(0), a.tensor(1))),
        OF_TWO_MATH("copysign", copysign),
        OF_TENSORS("heaviside", "values", heaviside),
        FN("pow(Tensor input, Tensor|Number exponent)", pow(a.tensor(0), a.input(1))),
        FN("pow(Scalar self, Tensor exponent)", pow(a.scalar(0), a.tensor(1))),
        IN(".pow_(Tensor self, Tensor|Number exponent)", pow_(a.tensor(0), a.input(1))),
        FN("float_power(Tensor input, Tensor|Number exponent)", floatPower(a.input(0), a.input(1))),
        FN("float_power(Scalar self, Tensor exponent)", floatPower(a.input(0), a.input(1))),
        IN(".float_power_(Tensor self, Tensor|Number exponent)", floatPower_(a.tensor(0), a.input(1))),
        FN("ldexp(Tensor input, Tensor other)", ldexp(a.tensor(0), a.tensor(1))),
        IN("ldexp_(Tensor input, Tensor other)", ldexp_(a.tensor(0), a.tensor(1))),
        Entry{
            "frexp(Tensor input) -> 2",
            [](Args& a) -> PyObject* {
                MantissaAndExponent parts = RUN(frexp(a.tensor(0)));
                return named("frexp", {"mantissa", "exponent"}, {std::move(parts.mantissa), std::move(parts.exponent)});
            }},

        FN("clamp(Tensor input, Tensor|Number? min=None, Tensor|Number? max=None)",
           clamp(a.tensor(0), limit(a, 1), limit(a, 2))),
        IN("clamp_(Tensor input, Tensor|Number? min=None, Tensor|Number? max=None)",
           clamp_(a.tensor(0), limit(a, 1), limit(a, 2))),
        FN("clamp_min(Tensor input, Tensor|Number min)",
           withBound(a, [&](const MathInput& low) { return clamp(a.tensor(0), low, {}); })),
        FN("clamp_max(Tensor input, Tensor|Number max)",
           withBound(a, [&](const MathInput& high) { return clamp(a.tensor(0), {}, high); })),
        IN("clamp_min_(Tensor input, Tensor|Number min)",
           withBound(a, [&](const MathInput& low) { return clamp_(a.tensor(0), low, {}); })),
        IN("clamp_max_(Tensor input, Tensor|Number max)",
           withBound(a, [&](const MathInput& high) { return clamp_(a.tensor(0), {}, high); })),
        FN("lerp(Tensor input, Tensor end, Tensor|Number weight)", lerp(a.tensor(0), a.tensor(1), a.input(2))),
        IN(".lerp_(Tensor self, Tensor end, Tensor|Number weight)", lerp_(a.tensor(0), a.tensor(1), a.input(2))),
        // The order of PyTorch's first years: addcmul(x, 2, a, b) is x + 2 * a * b.
        FN("~addcmul(Tensor input, Scalar value, Tensor tensor1, Tensor tensor2)",
           addcmul(a.tensor(0), a.tensor(2), a.tensor(3), a.scalar(1))),
        FN("~addcdiv(Tensor input, Scalar value, Tensor tensor1, Tensor tensor2)",
           addcdiv(a.tensor(0), a.tensor(2), a.tensor(3), a.scalar(1))),
        FN("addcmul(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
           addcmul(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3))),
        IN("~.addcmul_(Tensor self, Scalar value, Tensor tensor1, Tensor tensor2)",
           addcmul_(a.tensor(0), a.tensor(2), a.tensor(3), a.scalar(1))),
        IN(".addcmul_(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
           addcmul_(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3))),
        FN("addcdiv(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
           addcdiv(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3))),
        IN("~.addcdiv_(Tensor self, Scalar value, Tensor tensor1, Tensor tensor2)",
           addcdiv_(a.tensor(0), a.tensor(2), a.tensor(3), a.scalar(1))),
        IN(".addcdiv_(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
           addcdiv_(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3))),
        FN("isclose(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)",
           isclose(a.tensor(0), a.tensor(1), a.number(2), a.number(3), a.flag(4))),
        FN("allclose(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)",
           allclose(a.tensor(0), a.tensor(1), a.number(2), a.number(3), a.flag(4))),
        FN("equal(Tensor input, Tensor other)", equal(a.tensor(0), a.tensor(1))),
    };
}

std::vector<Alias> aliases() {
    std::vector<Alias> all;
    for (const OperationAlias& alias : operationAliases()) all.push_back({alias.name, alias.of});
    return all;
}

} // namespace stridescope::python::tables
