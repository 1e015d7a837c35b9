// Mathematical operations with arguments of their own: powers, rounding, limits, weights, closeness.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/math_call.h"
#include "core/ops/observation.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/tensor/walk.h"

#include <algorithm>
#include <limits>

namespace stridescope {

using mathcall::Call;
using mathcall::commonDType;
using mathcall::refuse;

namespace {

std::string number(double value) {
    return toString(Scalar(value));
}

/// A call made anew, or written into its first tensor.
const Tensor& inPlace(const Call& call, const Tensor& a) {
    mathcall::into(call, a, true);
    return a;
}

/// `f(Call)` for a ^ b: numbers as exponents of floats become products and roots.
template <class F>
decltype(auto) withPower(const MathInput& a, const MathInput& b, F f, std::optional<DType> computed = std::nullopt) {
    if (a.tensor() && !b.tensor() && a.tensor()->defined()) {
        const DType common = computed ? *computed : resultType(*a.tensor(), b.number());
        const double exponent = b.number().toDouble();
        if ((isIntegral(common)) && exponent < 0)
            refuse("POW-01", "Integers to negative integer powers are not allowed.",
                   "Use a float exponent, as in x ** -1.0, or x.float().");
        if ((isFloating(common) || isComplex(common)) && b.number().imag() == 0) {
            // Of float16 PyTorch takes no roots here: -inf and -0 differ.
            const bool roots = common != DType::Float16;
            const std::optional<MathOp> op = exponent == 2               ? std::optional(mathOp<Square>)
                                             : exponent == 3             ? std::optional(mathOp<Cube>)
                                             : roots && exponent == 0.5  ? std::optional(mathOp<Sqrt>)
                                             : roots && exponent == -0.5 ? std::optional(mathOp<Rsqrt>)
                                             : exponent == -1            ? std::optional(mathOp<Reciprocal>)
                                                                         : std::nullopt;
            if (op) {
                Call call(*op, a);
                call.name = "pow";
                call.arguments = toString(b.number());
                call.compute = common;
                return f(call);
            }
        }
    }
    return f(Call(mathOp<Pow>, a, b));
}

Call roundCall(const MathInput& a, Index decimals) {
    Call call(mathOp<Round>, a);
    if (decimals == 0) return call;
    call.op = mathOp<RoundDecimals>;
    double power = 1;
    for (Index i = 0; i < std::min<Index>(decimals < 0 ? -decimals : decimals, 400); ++i) power *= 10;
    call.parameters = {Scalar(power), Scalar(decimals < 0 ? 1.0 : 0.0)};
    call.parameterCount = 2;
    call.arguments = "decimals=" + std::to_string(decimals);
    return call;
}

Call logitCall(const MathInput& a, std::optional<double> eps) {
    Call call(mathOp<Logit>, a);
    call.parameters = {Scalar(eps.value_or(-1.0))};
    call.parameterCount = 1;
    if (eps) call.arguments = number(*eps);
    return call;
}

Call nanToNumCall(const MathInput& a, double nan, std::optional<double> posinf, std::optional<double> neginf) {
    Call call(mathOp<NanToNum>, a);
    const DType dtype = a.tensor()->defined() ? a.tensor()->dtype() : DType::Float32;
    const double most = dtype == DType::Float16   ? 65504.0
                        : dtype == DType::Float64 ? std::numeric_limits<double>::max()
                                                  : static_cast<double>(std::numeric_limits<float>::max());
    call.parameters = {Scalar(nan), Scalar(posinf.value_or(most)), Scalar(neginf.value_or(-most))};
    call.parameterCount = isFloating(dtype) ? 3 : 0;
    if (nan != 0 || posinf || neginf) call.arguments = "nan=" + number(nan);
    if (posinf) call.arguments += ", posinf=" + number(*posinf);
    if (neginf) call.arguments += ", neginf=" + number(*neginf);
    return call;
}

MathOp roundedDivision(const std::string& mode) {
    if (mode == "floor") return mathOp<FloorDivide>;
    if (mode == "trunc") return mathOp<TruncDivide>;
    refuse("DIV-02", "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" + mode + "'");
}

Call divideCall(const MathInput& a, const MathInput& b, const std::string& mode) {
    Call call(roundedDivision(mode), a, b);
    call.name = "div";
    call.arguments = "rounding_mode='" + mode + "'";
    return call;
}

Call scaledCall(MathOp op, const MathInput& a, const MathInput& b, Scalar alpha) {
    Call call(op, a, b);
    call.parameters = {alpha};
    call.parameterCount = 1;
    call.arguments = "alpha=" + toString(alpha);
    const Tensor* tensors[] = {a.tensor(), b.tensor()};
    for (const Tensor* t : tensors)
        if (t && !t->defined()) return call; // refused when it is called
    for (const Tensor* t : tensors)
        if (op == mathOp<SubScaled> && t && t->dtype() == DType::Bool)
            elementwise::refuseBoolMinus(elementwise::BoolMinus::OneTensor);
    const DType common = commonDType(call.inputList());
    if (alpha.isBool() && common != DType::Bool)
        refuse("ALPHA-01", "Boolean alpha only supported for Boolean results.", "Use 1 for True.");
    if (alpha.isFloat() && !isFloating(common) && !isComplex(common))
        refuse("ALPHA-01", "For integral input tensors, argument alpha must not be a floating point number.",
               "Convert the tensor first: x.float().");
    if (alpha.isComplex() && !isComplex(common))
        refuse("ALPHA-01", "For non-complex input tensors, argument alpha must not be a complex number.");
    return call;
}

/// The greatest (or least) value of an integer type, for which bool stands in as 0 and 1.
Scalar extremeInteger(DType dtype, bool greatest) {
    if (dtype == DType::Bool) return Scalar(greatest);
    return visitDType(dtype, [greatest](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<T>)
            return Scalar(greatest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest());
        else
            return Scalar();
    });
}

/// `f(Call)` with one limit or two.
template <class F>
decltype(auto) withClamp(const Tensor& a, const std::optional<MathInput>& low, const std::optional<MathInput>& high,
                         F f) {
    elementwise::requireDefined(a, "clamp");
    if (!low && !high)
        refuse("CLAMP-01", "torch.clamp: At least one of 'min' or 'max' must not be None", "Give min, max or both.");
    if (isComplex(a.dtype())) refuse("MATH-02", "clamp is not supported for complex types");
    const MathInput in(a);
    // An absent limit is the other one's neutral partner: max(x, low) = min(max(x, low), inf). Integers get theirs in
    // the type of the result, which an infinity must not change.
    const MathInput& given = low ? *low : *high;
    if (given.tensor()) elementwise::requireDefined(*given.tensor(), "clamp");
    if (!(low && high) && !given.tensor() && std::isnan(given.number().toDouble())) {
        // PyTorch's comparisons with a single NaN are all false: nothing is clamped.
        const double none = std::numeric_limits<double>::infinity();
        const MathInput from(-none), to(none);
        Call call(mathOp<Clamp>, in, from, to);
        call.arguments = std::string(low ? "min" : "max") + "=float('nan')";
        call.absent = 1;
        return f(call);
    }
    const std::array<const MathInput*, 3> all{&in, &given, low && high ? &*high : &given};
    const DType common = commonDType(all);
    const MathInput none = isFloating(common) ? MathInput(low ? std::numeric_limits<double>::infinity()
                                                              : -std::numeric_limits<double>::infinity())
                                              : MathInput(extremeInteger(common, low.has_value()));
    if (common == DType::Bool) { // one tensor as the limit is taken before: see boolLimit
        const char* kernel = !high                             ? "clamp_min"
                             : !low                            ? "clamp_max_scalar"
                             : low->tensor() && high->tensor() ? "clamp"
                                                               : "clamp_scalar";
        refuse("MATH-01", "\"" + std::string(kernel) + "_cpu\" not implemented for 'Bool'",
               "Convert it first: x.float().");
    }
    Call call(mathOp<Clamp>, in, low ? *low : none, high ? *high : none);
    if (!low || !high) call.compute = common;
    call.absent = !low ? 1 : !high ? 2 : -1;
    if (!low && !given.tensor()) call.arguments = "max=" + toString(given.number());
    return f(call);
}

/// The tensor that is the only limit of a bool tensor, and a bool one itself. There PyTorch's clamp is maximum or
/// minimum, which know bools as clamp does not.
const Tensor* boolLimit(const Tensor& a, const std::optional<MathInput>& low, const std::optional<MathInput>& high) {
    if (low.has_value() == high.has_value()) return nullptr;
    const Tensor* limit = low ? low->tensor() : high->tensor();
    const auto isBool = [](const Tensor& t) { return t.defined() && t.dtype() == DType::Bool; };
    return limit && isBool(a) && isBool(*limit) ? limit : nullptr;
}

/// What PyTorch's refusals of lerp and clamp_ call a dtype.
const char* cppName(DType t) {
    constexpr std::array<const char*, kAllDTypes.size()> kNames{
        "unsigned char",       "signed char", "short int", "int",  "long int",
        "c10::Half",           "float",       "double",    "bool", "c10::complex<float>",
        "c10::complex<double>"};
    return kNames[static_cast<std::size_t>(t)];
}

void requireLikeEnds(const Tensor& a, const Tensor& b, const MathInput& weight) {
    elementwise::requireDefined(a, "lerp");
    elementwise::requireDefined(b, "lerp");
    const auto refuseType = [&](const char* what, DType got) {
        refuse("LERP-01",
               std::string("expected dtype ") + cppName(a.dtype()) + " for `" + what + "` but got dtype " +
                   cppName(got),
               "lerp does not promote: convert it with to().");
    };
    if (b.dtype() != a.dtype()) refuseType("end", b.dtype());
    if (const Tensor* w = weight.tensor(); w && w->defined() && w->dtype() != a.dtype())
        refuseType("weight", w->dtype());
}

Call lerpCall(const MathInput& a, const MathInput& b, const MathInput& weight) {
    requireLikeEnds(*a.tensor(), *b.tensor(), weight);
    Call call(mathOp<Lerp>, a, b, weight);
    call.compute = a.tensor()->dtype();
    return call;
}

Call scaledProduct(MathOp op, const MathInput& a, const MathInput& b, const MathInput& c, Scalar value) {
    Call call(op, a, b, c);
    call.parameters = {value};
    call.parameterCount = 1;
    if (!(value.isInt() && value.toInt() == 1)) call.arguments = "value=" + toString(value);
    const Tensor &x = *b.tensor(), &y = *c.tensor();
    if (op == mathOp<Addcdiv> && x.defined() && y.defined() && !isFloating(x.dtype()) && !isComplex(x.dtype()) &&
        !isFloating(y.dtype()) && !isComplex(y.dtype()))
        refuse("MATH-01",
               "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a "
               "true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + "
               "value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * "
               "tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: "
               "(input + value * tensor1 / tensor2), for all dtypes.",
               "Convert one of them first: x.float().");
    return call;
}

/// Are all bytes of a contiguous bool tensor 1 (or all 0)?
bool allBytes(const Tensor& flags, bool value) {
    const Tensor here = contiguous(flags.device().isCpu() ? flags : to(flags, Device{}));
    const auto* bytes = here.data<std::uint8_t>();
    return std::all_of(bytes, bytes + here.numel(), [value](std::uint8_t b) { return (b != 0) == value; });
}

Tensor closeness(const Tensor& a, const Tensor& b, double rtol, double atol, bool equalNan) {
    elementwise::requireDefined(a, "isclose");
    elementwise::requireDefined(b, "isclose");
    if (a.dtype() != b.dtype())
        refuse("CLOSE-01",
               std::string(scalarTypeName(a.dtype())) + " did not match " + std::string(scalarTypeName(b.dtype())),
               "isclose does not promote: convert one of them with to().");
    if (!(rtol >= 0)) refuse("CLOSE-02", "rtol must be greater than or equal to zero, but got " + number(rtol));
    if (!(atol >= 0)) refuse("CLOSE-02", "atol must be greater than or equal to zero, but got " + number(atol));
    if (isComplex(a.dtype())) { // as PyTorch: |a - b| <= atol + |rtol * b| of magnitudes
        const trace::Nested nested;
        const Tensor same = eq(a, b);
        const Tensor apart = abs(sub(a, b)), allowed = add(mul(abs(b), rtol), atol);
        const Tensor near = logicalOr(same, logicalAnd(isfinite(apart), le(apart, allowed)));
        return equalNan ? logicalOr(near, logicalAnd(isnan(a), isnan(b))) : near;
    }
    const MathInput x(a), y(b);
    Call call(mathOp<IsClose>, x, y);
    call.parameters = {Scalar(rtol), Scalar(atol), Scalar(equalNan ? 1.0 : 0.0)};
    call.parameterCount = 3;
    return mathcall::made(call);
}

} // namespace

Tensor pow(const Tensor& a, const MathInput& b) {
    const MathInput in(a);
    return withPower(in, b, [](const Call& call) { return mathcall::made(call); });
}
Tensor pow(Scalar a, const Tensor& b) {
    const MathInput base(a), exponent(b);
    Call call(mathOp<Pow>, base, exponent);
    call.rowMajor = true; // as PyTorch's; number ** tensor keeps the exponent's order
    return mathcall::made(call);
}
const Tensor& pow_(const Tensor& a, const MathInput& b) {
    const MathInput in(a);
    withPower(in, b, [&](const Call& call) { mathcall::into(call, a, true); });
    return a;
}
const Tensor& powOut(const MathInput& a, const MathInput& b, const Tensor& out) {
    withPower(a, b, [&](const Call& call) { mathcall::into(call, out, false); });
    return out;
}

Tensor floatPower(const MathInput& a, const MathInput& b) {
    for (const MathInput* in : {&a, &b})
        if (in->tensor()) elementwise::requireDefined(*in->tensor(), "float_power");
    const std::array<const MathInput*, 2> both{&a, &b};
    const DType computed = isComplex(commonDType(both)) ? DType::Complex128 : DType::Float64;
    const auto made = [&](Call call) {
        call.name = "float_power";
        call.compute = computed;
        call.rowMajor = !a.tensor();
        return mathcall::made(call);
    };
    return withPower(a, b, made, computed);
}

Tensor sgn(const Tensor& a) {
    const MathInput in(a);
    Call call(mathOp<Sign>, in);
    call.name = "sgn";
    return mathcall::made(call);
}
const Tensor& sgn_(const Tensor& a) {
    const MathInput in(a);
    Call call(mathOp<Sign>, in);
    call.name = "sgn";
    return inPlace(call, a);
}

Tensor positive(const Tensor& a) {
    elementwise::requireDefined(a, "positive");
    if (a.dtype() == DType::Bool)
        refuse("MATH-01", "The `+` operator, on a bool tensor is not supported.", "Convert it first: x.long().");
    const Observation observation;
    if (observation) observation.publish("positive", "", {&a}, a, OpEffect::Alias, {});
    return a;
}

/// 10 to this power is infinite already, and its negative fits 64 bits.
constexpr Index kMostDecimals = 400;

Tensor round(const Tensor& a, Index decimals) {
    const MathInput in(a);
    return mathcall::made(roundCall(in, std::clamp(decimals, -kMostDecimals, kMostDecimals)));
}
const Tensor& round_(const Tensor& a, Index decimals) {
    const MathInput in(a);
    return inPlace(roundCall(in, std::clamp(decimals, -kMostDecimals, kMostDecimals)), a);
}

Tensor logit(const Tensor& a, std::optional<double> eps) {
    const MathInput in(a);
    return mathcall::made(logitCall(in, eps));
}
const Tensor& logit_(const Tensor& a, std::optional<double> eps) {
    const MathInput in(a);
    return inPlace(logitCall(in, eps), a);
}

Tensor nanToNum(const Tensor& a, double nan, std::optional<double> posinf, std::optional<double> neginf) {
    const MathInput in(a);
    return mathcall::made(nanToNumCall(in, nan, posinf, neginf));
}
const Tensor& nanToNum_(const Tensor& a, double nan, std::optional<double> posinf, std::optional<double> neginf) {
    const MathInput in(a);
    return inPlace(nanToNumCall(in, nan, posinf, neginf), a);
}

Tensor div(const MathInput& a, const MathInput& b, const std::optional<std::string>& roundingMode) {
    if (roundingMode) return mathcall::made(divideCall(a, b, *roundingMode));
    if (!a.tensor() && b.tensor()) return div(a.number(), *b.tensor());
    return b.tensor() ? div(*a.tensor(), *b.tensor()) : div(*a.tensor(), b.number());
}
const Tensor& div_(const Tensor& a, const MathInput& b, const std::optional<std::string>& roundingMode) {
    if (!roundingMode) return b.tensor() ? div_(a, *b.tensor()) : div_(a, b.number());
    const MathInput in(a);
    return inPlace(divideCall(in, b, *roundingMode), a);
}

Tensor add(const MathInput& a, const MathInput& b, Scalar alpha) {
    return mathcall::made(scaledCall(mathOp<AddScaled>, a, b, alpha));
}
const Tensor& add_(const Tensor& a, const MathInput& b, Scalar alpha) {
    const MathInput in(a);
    return inPlace(scaledCall(mathOp<AddScaled>, in, b, alpha), a);
}
Tensor sub(const MathInput& a, const MathInput& b, Scalar alpha) {
    return mathcall::made(scaledCall(mathOp<SubScaled>, a, b, alpha));
}
const Tensor& sub_(const Tensor& a, const MathInput& b, Scalar alpha) {
    const MathInput in(a);
    return inPlace(scaledCall(mathOp<SubScaled>, in, b, alpha), a);
}
Tensor rsub(const Tensor& a, const MathInput& b, Scalar alpha) {
    const MathInput in(a);
    Call call = scaledCall(mathOp<SubScaled>, b, in, alpha);
    call.name = "rsub";
    return mathcall::made(call);
}

Tensor clamp(const Tensor& a, const std::optional<MathInput>& low, const std::optional<MathInput>& high) {
    if (const Tensor* limit = boolLimit(a, low, high)) return low ? maximum(a, *limit) : minimum(a, *limit);
    return withClamp(a, low, high, [](const Call& call) { return mathcall::made(call); });
}
const Tensor& clamp_(const Tensor& a, const std::optional<MathInput>& low, const std::optional<MathInput>& high) {
    if (a.defined() && (low || high) && !(low && low->tensor()) && !(high && high->tensor())) {
        const MathInput in(a);
        const std::array<const MathInput*, 3> all{&in, low ? &*low : &in, high ? &*high : &in};
        const DType common = commonDType(all);
        // Numbers as limits: PyTorch says this with the names of C++, and with its own where a limit is a tensor.
        if (!canCast(common, a.dtype()))
            refuse("CAST-01",
                   "result type " + std::string(scalarTypeName(common)) + " can't be cast to the desired output type " +
                       cppName(a.dtype()),
                   "Use the form that makes a new tensor, or convert this one first.");
    }
    if (const Tensor* limit = boolLimit(a, low, high)) return low ? maximumOut(a, *limit, a) : minimumOut(a, *limit, a);
    withClamp(a, low, high, [&](const Call& call) { mathcall::into(call, a, true); });
    return a;
}

Tensor lerp(const Tensor& a, const Tensor& b, const MathInput& weight) {
    const MathInput x(a), y(b);
    return mathcall::made(lerpCall(x, y, weight));
}
const Tensor& lerp_(const Tensor& a, const Tensor& b, const MathInput& weight) {
    const MathInput x(a), y(b);
    return inPlace(lerpCall(x, y, weight), a);
}

Tensor addcmul(const Tensor& a, const Tensor& b, const Tensor& c, Scalar value) {
    const MathInput x(a), y(b), z(c);
    return mathcall::made(scaledProduct(mathOp<Addcmul>, x, y, z, value));
}
const Tensor& addcmul_(const Tensor& a, const Tensor& b, const Tensor& c, Scalar value) {
    const MathInput x(a), y(b), z(c);
    return inPlace(scaledProduct(mathOp<Addcmul>, x, y, z, value), a);
}
Tensor addcdiv(const Tensor& a, const Tensor& b, const Tensor& c, Scalar value) {
    const MathInput x(a), y(b), z(c);
    return mathcall::made(scaledProduct(mathOp<Addcdiv>, x, y, z, value));
}
const Tensor& addcdiv_(const Tensor& a, const Tensor& b, const Tensor& c, Scalar value) {
    const MathInput x(a), y(b), z(c);
    return inPlace(scaledProduct(mathOp<Addcdiv>, x, y, z, value), a);
}

Tensor isclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equalNan) {
    return closeness(a, b, rtol, atol, equalNan);
}

bool allclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equalNan) {
    const trace::Nested nested;
    return allBytes(closeness(a, b, rtol, atol, equalNan), true);
}

bool equal(const Tensor& a, const Tensor& b) {
    elementwise::requireDefined(a, "equal");
    elementwise::requireDefined(b, "equal");
    if (a.shape() != b.shape()) return false;
    const trace::Nested nested;
    // Block by block where elements lie in a row: most tensors that differ do so early.
    constexpr Index kBlock = 1 << 15;
    const Index n = a.numel();
    if (n <= kBlock || !a.device().isCpu() || !a.isContiguous() || !b.isContiguous()) return allBytes(eq(a, b), true);
    const Tensor x = flatten(a), y = flatten(b);
    for (Index at = 0, size = kBlock / 32; at < n; at += size, size = std::max(size, kBlock)) {
        size = std::min(size, n - at);
        if (!allBytes(eq(narrow(x, 0, at, size), narrow(y, 0, at, size)), true)) return false;
    }
    return true;
}

} // namespace stridescope
