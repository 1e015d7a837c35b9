// Special functions, parts of floats, and what is made of powers.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/masking.h"
#include "core/ops/math_call.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"

#include <cmath>

namespace stridescope {

using mathcall::Call;
using mathcall::commonDType;
using mathcall::refuse;

namespace {

/// Of order 1 or more.
Call polygammaCall(const MathInput& in, Index order) {
    if (order < 0)
        refuse("MATH-06", "polygamma(n, x) does not support negative n.", "Got " + std::to_string(order) + ".");
    if (order == 0) return Call(mathOp<Digamma>, in);
    Call call(mathOp<Polygamma>, in);
    call.arguments = std::to_string(order);
    call.parameters = {Scalar(order)};
    call.parameterCount = 1;
    return call;
}

Call mvlgammaCall(const MathInput& in, Index p) {
    if (p < 1) refuse("MATH-07", "p has to be greater than or equal to 1", "Got " + std::to_string(p) + ".");
    if (p > 1'000'000)
        refuse("MATH-07", "mvlgamma: p is too large",
               "It is a sum of p numbers for each element; p is " + std::to_string(p) + ".");
    if (in.tensor() && in.tensor()->defined() && in.tensor()->dtype() == DType::Bool)
        refuse("MATH-02", "The input tensor may not be a boolean tensor.", "Convert it with to().");
    Call call(mathOp<Mvlgamma>, in);
    call.rowMajor = true; // the last of p numbers side by side, summed
    call.arguments = std::to_string(p);
    call.parameters = {Scalar(p)};
    call.parameterCount = 1;
    return call;
}

/// Splits what `mantissa` holds. Precondition: both are dense, of one layout, from slot 0 on.
template <class T>
void split(const Tensor& mantissa, const Tensor& exponent) {
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    T* const parts = mantissa.storageData<T>();
    auto* const powers = exponent.storageData<std::int32_t>();
    for (Index i = 0; i < mantissa.numel(); ++i) {
        int power = 0;
        const auto x = static_cast<Wide>(parts[i]);
        parts[i] = static_cast<T>(std::frexp(x, &power));
        powers[i] = std::isfinite(x) ? power : 0; // the C library leaves it open
    }
}

/// The same on a device, from the bits of a float32 or float64: its exponent is taken out, and that of 1/2 put in.
void splitBits(const Tensor& mantissa, const Tensor& exponent) {
    const bool isDouble = mantissa.dtype() == DType::Float64;
    const Index digits = isDouble ? 52 : 23, all = isDouble ? 0x7ff : 0xff, half = all / 2 - 1;
    const Tensor whole = logicalOr(eq(mantissa, 0), logicalNot(isfinite(mantissa))); // is its own mantissa
    // Numbers below the normal ones have their exponent among the digits; multiplied, they are normal.
    const Index up = digits + 1;
    const Tensor tiny = lt(abs(mantissa), isDouble ? 0x1p-1022 : 0x1p-126);
    const Tensor normal = where(tiny, mul(mantissa, std::ldexp(1.0, static_cast<int>(up))), mantissa);
    const Tensor bits = viewDType(normal, isDouble ? DType::Int64 : DType::Int32);
    const Tensor power = sub(bitwiseAnd(rightShift(bits, digits), all), half);
    const Tensor parts = bitwiseOr(bitwiseAnd(bits, ~(all << digits)), half << digits);
    copy_(exponent, where(whole, 0, where(tiny, sub(power, up), power)));
    copy_(mantissa, where(whole, mantissa, viewDType(parts, mantissa.dtype())));
}

} // namespace

Tensor polygamma(Index n, const Tensor& a) {
    const MathInput in(a);
    return mathcall::made(polygammaCall(in, n));
}
const Tensor& polygamma_(const Tensor& a, Index n) {
    const MathInput in(a);
    mathcall::into(polygammaCall(in, n), a, true);
    return a;
}

Tensor mvlgamma(const Tensor& a, Index p) {
    const MathInput in(a);
    return mathcall::made(mvlgammaCall(in, p));
}
const Tensor& mvlgamma_(const Tensor& a, Index p) {
    const MathInput in(a);
    mathcall::into(mvlgammaCall(in, p), a, true);
    return a;
}

const Tensor& floatPower_(const Tensor& a, const MathInput& b) {
    elementwise::requireDefined(a, "float_power_");
    if (b.tensor()) elementwise::requireDefined(*b.tensor(), "float_power_");
    const MathInput in(a);
    const std::array<const MathInput*, 2> both{&in, &b};
    const DType wide = isComplex(commonDType(both)) ? DType::Complex128 : DType::Float64;
    if (a.dtype() != wide)
        refuse("MATH-05",
               "the base given to float_power_ has dtype " + std::string(scalarTypeName(a.dtype())) +
                   " but the operation's result requires dtype " + std::string(scalarTypeName(wide)),
               "Use float_power, which makes a new tensor.");
    return pow_(a, b);
}

Tensor ldexp(const Tensor& a, const Tensor& b) {
    elementwise::requireDefined(a, "ldexp");
    elementwise::requireDefined(b, "ldexp");
    return observed::newTensors(
        "ldexp",
        [&] {
            return observed::Inputs{&a, &b};
        },
        [&] { return mul(a, pow(Scalar(2.0), b)); }, [] { return std::string(); });
}

const Tensor& ldexp_(const Tensor& a, const Tensor& b) {
    elementwise::requireDefined(a, "ldexp_");
    elementwise::requireDefined(b, "ldexp_");
    return observed::inPlace(
        "ldexp_", a,
        [&] {
            return observed::Inputs{&a, &b};
        },
        [&] { mul_(a, pow(Scalar(2.0), b)); }, [] { return std::string(); });
}

MantissaAndExponent frexp(const Tensor& a) {
    elementwise::requireDefined(a, "frexp");
    if (!isFloating(a.dtype()))
        refuse("MATH-01", "torch.frexp() only supports floating-point dtypes", "Convert it first: x.float().");
    std::vector<Tensor> both = observed::newTensors(
        "frexp", [&] { return observed::Inputs{&a}; },
        [&] {
            // Both are dense in one order, that of a.
            std::vector<Tensor> parts{clone(a), emptyLike(a, {DType::Int32, std::nullopt})};
            if (!a.device().isCpu()) {
                const Tensor wide = a.dtype() == DType::Float16 ? to(parts[0], DType::Float32) : parts[0];
                splitBits(wide, parts[1]);
                if (a.dtype() == DType::Float16) copy_(parts[0], wide);
                return parts;
            }
            if (a.dtype() == DType::Float64)
                split<double>(parts[0], parts[1]);
            else if (a.dtype() == DType::Float32)
                split<float>(parts[0], parts[1]);
            else
                split<Half>(parts[0], parts[1]);
            for (const Tensor& part : parts) part.storage()->bumpVersion();
            return parts;
        },
        [] { return std::string(); });
    return {std::move(both[0]), std::move(both[1])};
}

Tensor isreal(const Tensor& a) {
    elementwise::requireDefined(a, "isreal");
    return observed::newTensors(
        "isreal", [&] { return observed::Inputs{&a}; },
        [&] {
            return isComplex(a.dtype()) ? eq(complexops::part(a, 1), Scalar(0))
                                        : onesLike(a, {DType::Bool, std::nullopt});
        },
        [] { return std::string(); });
}

} // namespace stridescope
