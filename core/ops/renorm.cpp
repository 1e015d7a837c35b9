// Slices shrunk to a norm.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/masking.h"
#include "core/ops/norms.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/tensor/element.h"
#include "core/view/view_ops.h"

#include <limits>

namespace stridescope {

namespace {

Tensor renormed(const Tensor& t, Scalar p, Index dim, Scalar maxnorm) {
    const auto refuseRenorm = [](std::string message, std::string hint) {
        throwRefusal({ErrorKind::Runtime, "NORM-04", std::move(message), std::move(hint), {}});
    };
    if (p.isComplex()) refuseRenorm("renorm: p must be real-valued", "2 is the usual one.");
    if (!(p.toDouble() > 0)) refuseRenorm("renorm: non-positive-norm not supported", "p is " + toString(p) + ".");
    if (maxnorm.isComplex()) refuseRenorm("renorm: maxnorm must be real-valued", "It is " + toString(maxnorm) + ".");
    if (!(maxnorm.toDouble() >= 0))
        refuseRenorm("renorm: expected maxnorm to be >= 0 but got " + toString(maxnorm), "Norms are not negative.");
    if (t.dim() < 2)
        refuseRenorm("renorm: input needs at least 2 dimensions, got " + std::to_string(t.dim()) + " dimensions",
                     "unsqueeze() adds one.");
    const Index kept = wrapDim(dim, t.dim()).valueOrThrow();
    Dims others;
    for (Index d = 0; d < t.dim(); ++d)
        if (d != kept) others.push_back(d);
    const bool half = t.dtype() == DType::Float16;
    const Tensor norms = vectorNorm(t, p, {others}, true, half ? OptionalDType(DType::Float32) : std::nullopt);
    // The little more below keeps the shrunk norm from being above the limit by rounding.
    // A limit beyond the dtype is infinite in it, and shrinks nothing.
    const double widest = std::numeric_limits<float>::max();
    const Scalar limit = norms.dtype() == DType::Float32 && maxnorm.toDouble() > widest
                             ? Scalar(std::numeric_limits<double>::infinity())
                             : maxnorm;
    const Tensor factor =
        where(gt(norms, limit), div(full({}, limit, {norms.dtype(), Device{}}), add(norms, 1e-7)), Scalar(1));
    return contiguous(to(mul(half ? to(t, DType::Float32) : t, factor), t.dtype()));
}

std::string renormText(Scalar p, Index dim, Scalar maxnorm) {
    return toString(p) + ", " + std::to_string(dim) + ", " + toString(maxnorm);
}

} // namespace

Tensor renorm(const Tensor& t, Scalar p, Index dim, Scalar maxnorm) {
    elementwise::requireDefined(t, "renorm");
    return observed::newTensors(
        "renorm", [&] { return observed::Inputs{&t}; }, [&] { return renormed(t, p, dim, maxnorm); },
        [&] { return renormText(p, dim, maxnorm); });
}

const Tensor& renorm_(const Tensor& t, Scalar p, Index dim, Scalar maxnorm) {
    elementwise::requireDefined(t, "renorm_");
    return observed::inPlace(
        "renorm_", t, [&] { return observed::Inputs{&t}; }, [&] { copy_(t, renormed(t, p, dim, maxnorm)); },
        [&] { return renormText(p, dim, maxnorm); });
}

} // namespace stridescope
