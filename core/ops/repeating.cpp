// One tensor many times, declared in joining.h.

#include "core/ops/joining.h"

#include "core/ops/composed.h"
#include "core/ops/copy.h"
#include "core/ops/indexing.h"
#include "core/ops/joining_call.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"

#include <algorithm>

namespace stridescope {

namespace {

using elementwise::requireDefined;
using joining::newContiguous;
using joining::rearranged;
using joining::refuse;
using joining::requireDims;
using observed::Inputs;

/// Elements of `t` `times` times along each dim.
Tensor repeatOf(const Tensor& t, const Dims& times) {
    const auto rank = times.size(), missing = rank - t.shape().size();
    Dims shape(rank, 0), negative;
    bool overflow = false;
    for (std::size_t d = 0; d < rank; ++d) {
        const Index size = d < missing ? 1 : t.shape()[d - missing];
        overflow |= !mulFits(size, times[d], shape[d]);
        if (!overflow && shape[d] < 0) negative.push_back(shape[d]);
    }
    if (overflow)
        refuse("JOIN-07",
               "Storage size calculation overflowed with repeats=" + toListString(std::span<const Index>(times)),
               "More than 2^63-1 elements cannot be counted.");
    if (negative.size() != 0)
        refuse("JOIN-07",
               "Trying to create tensor with negative dimension " + std::to_string(negative[0]) + ": " +
                   toListString(std::span<const Index>(shape)),
               "Repeats count from 0.");
    const Tensor out = newContiguous(shape, t.dtype(), t.device());
    if (out.numel() == 0) return out;
    // Each dim of the result as (times, size) of which `t` is repeated along the first; pairs with a 1 need one dim.
    View target{{}, {}, 0}, source{{}, {}, t.storageOffset()};
    const auto add = [&](Index size, Index targetStride, Index sourceStride) {
        if (size == 1) return;
        target.shape.push_back(size);
        target.stride.push_back(targetStride);
        source.shape.push_back(size);
        source.stride.push_back(sourceStride);
    };
    for (std::size_t d = 0; d < rank; ++d) {
        const Index size = d < missing ? 1 : t.shape()[d - missing];
        add(times[d], out.stride()[d] * size, 0);
        add(size, out.stride()[d], d < missing ? 0 : t.stride()[d - missing]);
    }
    copy_(out.withView(std::move(target)), t.withView(std::move(source)));
    return out;
}

Tensor repeatedElements(const Tensor& t, Index repeats, Index dim) {
    if (repeats < 0) refuse("JOIN-07", "repeats can not be negative", "Got " + std::to_string(repeats) + ".");
    Dims wide = t.shape();
    const auto d = static_cast<std::size_t>(dim);
    Dims result = wide;
    if (!mulFits(result[d], repeats, result[d]))
        refuse("JOIN-07", "Storage size calculation overflowed with repeats=" + std::to_string(repeats),
               "More than 2^63-1 elements cannot be counted.");
    const Tensor out = newContiguous(result, t.dtype(), t.device());
    if (out.numel() == 0) return out;
    View target = out.view(), source = t.view();
    target.shape[d] = t.shape()[d];
    target.stride[d] *= repeats;
    target.shape.insert(d + 1, repeats);
    target.stride.insert(d + 1, out.stride()[d]);
    source.shape.insert(d + 1, repeats);
    source.stride.insert(d + 1, 0);
    copy_(out.withView(std::move(target)), t.withView(std::move(source)));
    return out;
}

std::string repeatText(const std::string& repeats, std::optional<Index> dim) {
    std::string text = repeats;
    if (dim) text += (text.empty() ? "dim=" : ", dim=") + std::to_string(*dim);
    return text;
}

[[noreturn]] void refuseNegative(Index place, Index count) {
    refuse("JOIN-07", "repeats can not be negative",
           "Element " + std::to_string(place) + " is " + std::to_string(count) + ".");
}
[[noreturn]] void refuseSum() {
    refuse("JOIN-07", "Storage size calculation overflowed with the sum of repeats",
           "More than 2^63-1 elements cannot be counted.");
}

/// i as many times as counts[i] says.
Tensor repeatedPlaces(const Tensor& counts) {
    const Index* count = counts.data<Index>();
    const Index n = counts.numel();
    Index total = 0;
    for (Index i = 0; i < n; ++i) {
        if (count[i] < 0) refuseNegative(i, count[i]);
        if (!addFits(total, count[i], total)) refuseSum();
    }
    Tensor out = newContiguous({total}, DType::Int64, Device{});
    Index* at = out.data<Index>();
    for (Index i = 0; i < n; ++i) at = std::fill_n(at, count[i], i);
    return out;
}

/// The same on a device: each place of the result is looked up in the running sums.
Tensor repeatedPlacesComposed(const Tensor& counts) {
    if (counts.numel() == 0) return newContiguous({0}, DType::Int64, counts.device());
    const Tensor negative = nonzeroTuple(lt(counts, 0))[0];
    if (negative.numel() > 0) {
        const Index place = item(select(negative, 0, 0)).toInt();
        refuseNegative(place, item(select(counts, 0, place)).toInt());
    }
    if (item(sum(counts, {}, false, DType::Float64)).toDouble() >= 0x1p63) refuseSum();
    const Tensor ends = cumsum(counts, 0);
    const Index total = item(select(ends, 0, -1)).toInt();
    const Tensor places = composed::positions(total, counts.device());
    return flatten(composed::search(unsqueeze(ends, 0), unsqueeze(places, 0), {}, true));
}

} // namespace

Tensor repeat(const Tensor& t, const Dims& repeats) {
    requireDefined(t, "repeat");
    if (repeats.size() < t.shape().size())
        refuse("JOIN-06", "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
               "The tensor has " + std::to_string(t.dim()) + " dims, there are " + std::to_string(repeats.size()) +
                   " repeats; tile fills up with 1.");
    return rearranged(
        "repeat", t, [&] { return repeatOf(t, repeats); }, code::arguments(repeats));
}

Tensor tile(const Tensor& t, const Dims& repeats) {
    requireDefined(t, "tile");
    Dims full(repeats);
    while (full.size() < t.shape().size()) full.insert(0, 1);
    return rearranged(
        "tile", t, [&] { return repeatOf(t, full); }, code::tuple(repeats));
}

Tensor repeatInterleave(const Tensor& t, Index repeats, std::optional<Index> dim) {
    requireDefined(t, "repeat_interleave");
    return rearranged(
        "repeat_interleave", t,
        [&] {
            if (dim) {
                requireDims(t, *dim);
                return repeatedElements(t, repeats, wrapDim(*dim, t.dim()).valueOrThrow());
            }
            if (t.dim() == 0) return repeatedElements(unsqueeze(t, 0), repeats, 0);
            // As a new last dim of `repeats`, then flat: no copy of the input is needed.
            const Tensor wide = unsqueeze(t, -1);
            return flatten(repeatedElements(wide, repeats, wide.dim() - 1));
        },
        repeatText(std::to_string(repeats), dim));
}

Tensor repeatInterleave(const Tensor& repeats) {
    requireDefined(repeats, "repeat_interleave");
    if (repeats.dim() != 1) refuse("JOIN-08", "repeat_interleave only accept 1D vector as repeat", "Use flatten().");
    if (repeats.dtype() != DType::Int64 && repeats.dtype() != DType::Int32)
        refuse("JOIN-08",
               "\"repeat_interleave_cpu\" not implemented for '" + std::string(scalarTypeName(repeats.dtype())) + "'",
               "Numbers of repeats are int32 or int64.");
    return rearranged(
        "repeat_interleave", repeats,
        [&] {
            const Tensor counts = contiguous(to(repeats, DType::Int64));
            return to(counts.device().isCpu() ? repeatedPlaces(counts) : repeatedPlacesComposed(counts),
                      repeats.dtype());
        },
        "");
}

Tensor repeatInterleave(const Tensor& t, const Tensor& repeats, std::optional<Index> dim) {
    requireDefined(t, "repeat_interleave");
    requireDefined(repeats, "repeat_interleave");
    return observed::newTensors(
        "repeat_interleave",
        [&] {
            return Inputs{&t, &repeats};
        },
        [&] {
            const Tensor input = dim ? t : flatten(t);
            if (dim) requireDims(t, *dim);
            const Index along = wrapDim(dim.value_or(0), input.dim()).valueOrThrow();
            if (repeats.dim() > 1)
                refuse("JOIN-08", "repeats must be 0-dim or 1-dim tensor",
                       "It has " + std::to_string(repeats.dim()) + " dims.");
            const bool one = repeats.numel() == 1;
            if (!one && repeats.numel() != input.size(along))
                refuse("JOIN-08", "repeats must have the same size as input along dim",
                       "There are " + std::to_string(repeats.numel()) + " repeats for " +
                           std::to_string(input.size(along)) + " elements.");
            const Tensor counts = one ? expand(flatten(repeats), {input.size(along)}) : repeats;
            return indexSelect(input, along, repeatInterleave(counts));
        },
        [&] { return repeatText("", dim); });
}

} // namespace stridescope
