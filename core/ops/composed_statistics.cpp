// Median, mode and quantiles from sorted lines.

#include "core/ops/composed.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/indexing.h"
#include "core/ops/indexing_call.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/views.h"

#include <limits>

namespace stridescope::composed {

namespace {

/// How many of each line are NaN; `dim` stays.
Tensor nansAlong(const Tensor& t, Index dim) {
    return sum(isnan(t), dim, true);
}

} // namespace

Tensor positions(Index n, Device device) {
    return sub(cumsum(ones({n}, {DType::Int64, device}), 0), 1);
}

Tensor runStarts(const Tensor& t, Index dim) {
    Tensor starts = ones(t.shape(), {DType::Bool, t.device()});
    const Index rest = t.size(dim) - 1;
    if (rest > 0) neOut(narrow(t, dim, 1, rest), narrow(t, dim, 0, rest), narrow(starts, dim, 1, rest));
    return starts;
}

Tensor inShape(const Tensor& made, const Dims& shape) {
    return made.withView(View{shape, elementwise::rowMajorStrides(shape), made.storageOffset()});
}

ValuesAndIndices median(const Tensor& t, Index dim, bool ignoreNan) {
    const ValuesAndIndices sorted = sort(indexing::withDim(t), dim);
    const Index n = sorted.values.size(dim);
    // NaN lie behind the numbers, the first one of them first.
    const Tensor nans = nansAlong(sorted.values, dim);
    const Tensor place = ignoreNan ? clamp(floorDivide(sub(Scalar(n - 1), nans), 2), 0, std::nullopt)
                                   : where(gt(nans, 0), sub(Scalar(n), nans), Scalar((n - 1) / 2));
    return {gather(sorted.values, dim, place), gather(sorted.indices, dim, place)};
}

ValuesAndIndices mode(const Tensor& t, Index dim) {
    const ValuesAndIndices sorted = sort(contiguous(movedim(indexing::withDim(t), {dim}, {-1})));
    const Tensor place = positions(sorted.values.size(-1), t.device());
    const Tensor start = cummax(where(runStarts(sorted.values, -1), place, 0), -1).values;
    // The first element with the most of its run before it ends the longest run, of several that of the least values.
    const Tensor longest = max(sub(place, start), -1, true).indices;
    return {gather(sorted.values, -1, longest), gather(sorted.indices, -1, longest)};
}

Tensor quantiles(const Tensor& t, const Tensor& qs, Interpolation interpolation, bool ignoreNan) {
    const Tensor sorted = sort(t).values;
    const Index n = t.size(-1);
    const Tensor nans = nansAlong(sorted, -1), last = clamp(sub(Scalar(n - 1), nans), 0, std::nullopt);
    const Tensor rank = mul(qs, to(last, t.dtype()));
    const auto at = [&](const Tensor& position) {
        return gather(sorted, -1, minimum(to(position, DType::Int64), last));
    };
    const Tensor found = [&] {
        switch (interpolation) {
        case Interpolation::Lower:
            return at(floor(rank));
        case Interpolation::Higher:
            return at(ceil(rank));
        case Interpolation::Nearest:
            return at(round(rank));
        case Interpolation::Midpoint:
            return lerp(at(floor(rank)), at(ceil(rank)), 0.5);
        case Interpolation::Linear:
            break;
        }
        return lerp(at(floor(rank)), at(ceil(rank)), frac(rank));
    }();
    const Tensor gone = ignoreNan ? eq(nans, n) : gt(nans, 0);
    return contiguous(where(gone, std::numeric_limits<double>::quiet_NaN(), found));
}

} // namespace stridescope::composed
