#include "core/ops/activations.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/masking.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"

namespace stridescope {

namespace {

using observed::Inputs;

[[noreturn]] void refuse(const char* id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

void refuseDType(const char* kernel, DType dtype) {
    refuse("MATH-01",
           "\"" + std::string(kernel) + "\" not implemented for '" + std::string(scalarTypeName(dtype)) + "'",
           "Convert it first: x.float().");
}

void requireWideFloats(const char* operation, const char* kernel, const Tensor& t) {
    elementwise::requireDefined(t, operation);
    if (!isFloating(t.dtype()) || t.dtype() == DType::Float16) refuseDType(kernel, t.dtype());
}

/// positive * x above 0, negative * (e^(inner * x) - 1) below.
Tensor bent(const Tensor& t, double negative, double positive, double inner) {
    const Tensor below = mul(sub(exp(inner == 1 ? t : mul(t, Scalar(inner))), Scalar(1)), Scalar(negative));
    return where(gt(t, Scalar(0)), positive == 1 ? t : mul(t, Scalar(positive)), below);
}

Tensor seluOf(const Tensor& t) {
    constexpr double kAlpha = 1.6732632423543772848170429916717, kScale = 1.0507009873554804934193349852946;
    // The product of both is rounded to the dtype, as each of them is.
    const double both =
        t.dtype() == DType::Float32 ? static_cast<float>(kAlpha) * static_cast<float>(kScale) : kAlpha * kScale;
    return bent(t, both, kScale, 1);
}

void requireCelu(const char* operation, const Tensor& t, double alpha) {
    if (alpha == 0) refuse("ACT-01", "ZeroDivisionError: alpha cannot be 0 for CELU", "It divides: e^(x / alpha).");
    requireWideFloats(operation, "elu_cpu", t);
    for (const double factor : {alpha, 1 / alpha}) elementwise::requireFits(Scalar(factor), t.dtype());
}

Tensor thresholdOf(const Tensor& t, Scalar limit, Scalar value) {
    // The limit is a number of the dtype, too: of integers -1.5 is -1.
    const Tensor bound = full({}, limit, {t.dtype(), t.device()}), instead = full({}, value, {t.dtype(), t.device()});
    return where(le(t, bound), instead, t);
}

void requireThreshold(const char* operation, const Tensor& t) {
    elementwise::requireDefined(t, operation);
    if (t.dtype() == DType::Bool || t.dtype() == DType::Float16 || isComplex(t.dtype()))
        refuseDType("threshold_cpu", t.dtype());
}

/// One observed operation of `t` alone, as a new tensor and in place.
template <class Make, class Arguments>
Tensor made(const char* name, const Tensor& t, Make make, Arguments arguments) {
    return observed::newTensors(
        name, [&] { return Inputs{&t}; }, make, arguments);
}
template <class Make, class Arguments>
const Tensor& written(const char* name, const Tensor& t, Make make, Arguments arguments) {
    return observed::inPlace(
        name, t, [&] { return Inputs{&t}; }, [&] { copy_(t, make()); }, arguments);
}

std::string nothing() {
    return {};
}

} // namespace

Tensor selu(const Tensor& t) {
    requireWideFloats("selu", "elu_cpu", t);
    return made(
        "selu", t, [&] { return seluOf(t); }, nothing);
}

const Tensor& selu_(const Tensor& t) {
    requireWideFloats("selu_", "elu_cpu", t);
    return written(
        "selu_", t, [&] { return seluOf(t); }, nothing);
}

Tensor celu(const Tensor& t, double alpha) {
    requireCelu("celu", t, alpha);
    return made(
        "celu", t, [&] { return bent(t, alpha, 1, 1 / alpha); },
        [=] { return alpha == 1 ? std::string() : toString(Scalar(alpha)); });
}

const Tensor& celu_(const Tensor& t, double alpha) {
    requireCelu("celu_", t, alpha);
    return written(
        "celu_", t, [&] { return bent(t, alpha, 1, 1 / alpha); },
        [=] { return alpha == 1 ? std::string() : toString(Scalar(alpha)); });
}

Tensor hardshrink(const Tensor& t, double lambda) {
    requireWideFloats("hardshrink", "hardshrink_cpu", t);
    elementwise::requireFits(Scalar(lambda), t.dtype());
    return made(
        "hardshrink", t,
        [&] {
            const Tensor inside = logicalAnd(ge(t, Scalar(-lambda)), le(t, Scalar(lambda)));
            return where(inside, full({}, 0, {t.dtype(), t.device()}), t);
        },
        [=] { return lambda == 0.5 ? std::string() : toString(Scalar(lambda)); });
}

Tensor threshold(const Tensor& t, Scalar limit, Scalar value) {
    requireThreshold("threshold", t);
    return made(
        "threshold", t, [&] { return thresholdOf(t, limit, value); },
        [=] { return toString(limit) + ", " + toString(value); });
}

const Tensor& threshold_(const Tensor& t, Scalar limit, Scalar value) {
    requireThreshold("threshold_", t);
    return written(
        "threshold_", t, [&] { return thresholdOf(t, limit, value); },
        [=] { return toString(limit) + ", " + toString(value); });
}

Tensor prelu(const Tensor& t, const Tensor& weight) {
    elementwise::requireDefined(weight, "prelu");
    requireWideFloats("prelu", "prelu_cpu", t);
    if (weight.dtype() != t.dtype())
        refuse("ACT-03",
               "Found dtype " + std::string(scalarTypeName(weight.dtype())) + " but expected " +
                   std::string(scalarTypeName(t.dtype())),
               "Input and weights have one dtype: weight.to(x.dtype).");
    if (weight.dim() > 1)
        refuse("ACT-02",
               "prelu: Expected `weight` to be a scalar or 1D tensor, but got ndim = " + std::to_string(weight.dim()),
               "One weight for all, or one for each index of dim 1.");
    const Index channels = t.dim() > 1 ? t.size(1) : 1;
    if (weight.numel() != 1 && weight.numel() != channels)
        refuse("ACT-02",
               "Mismatch of parameter numbers and input channel size. Found parameter numbers = " +
                   std::to_string(weight.numel()) + " and channel size = " + std::to_string(channels) + ".",
               "One weight for all, or one for each index of dim 1.");
    Dims shape(t.shape().size(), 1);
    if (weight.numel() != 1) shape[1] = channels;
    Tensor each; // the weights as they broadcast
    return observed::newTensors(
        "prelu",
        [&] {
            return Inputs{&t, &each};
        },
        [&] {
            each = reshape(weight, shape);
            return where(gt(t, Scalar(0)), t, mul(t, each));
        },
        nothing);
}

} // namespace stridescope
