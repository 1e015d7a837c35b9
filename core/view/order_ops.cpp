// Operations on the order and number of dims: transpose, permute, movedim, squeeze, unsqueeze, and flip's refusal.

#include "core/view/checked.h"
#include "core/view/view_ops.h"
#include "core/view/view_refusals.h"

#include <bitset>

namespace stridescope {

namespace {

using DimSet = std::bitset<static_cast<std::size_t>(kMaxDims)>;

/// Wraps every dim; a dim may come twice.
Result<Dims> wrapAll(std::span<const Index> dims, Index ndim) {
    Dims wrapped(dims);
    for (Index& dim : wrapped) {
        auto one = wrapDim(dim, ndim);
        if (!one) return one.takeRefusal();
        dim = *one;
    }
    return wrapped;
}

bool hasDuplicate(const Dims& wrapped) {
    DimSet seen;
    for (const Index dim : wrapped) {
        if (seen.test(static_cast<std::size_t>(dim))) return true;
        seen.set(static_cast<std::size_t>(dim));
    }
    return false;
}

Result<View> reordered(const View& v, const Dims& order) {
    Result<View> result(v);
    View& r = *result;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto from = static_cast<std::size_t>(order[i]);
        r.shape[i] = v.shape[from];
        r.stride[i] = v.stride[from];
    }
    return result;
}

Result<View> swapped(const View& v, std::size_t a, std::size_t b) {
    Result<View> result(v);
    View& r = *result;
    r.shape[a] = v.shape[b];
    r.shape[b] = v.shape[a];
    r.stride[a] = v.stride[b];
    r.stride[b] = v.stride[a];
    return result;
}

Result<View> squeezed(const View& v, std::size_t d) {
    Result<View> result(v);
    View& r = *result;
    if (r.shape[d] == 1) {
        r.shape.erase(d);
        r.stride.erase(d);
    }
    return result;
}

Result<View> withNewDim(const View& v, std::size_t at, Index stride) {
    Result<View> result(v);
    View& r = *result;
    r.shape.insert(at, 1);
    r.stride.insert(at, stride);
    return result;
}

} // namespace

Result<View> transpose(const View& v, Index dim0, Index dim1) {
    const Index ndim = v.dim();
    const Index count = std::max<Index>(ndim, 1);
    if (dim0 < -count || dim0 >= count) return refuse::dimOutOfRange(dim0, ndim);
    if (dim1 < -count || dim1 >= count) return refuse::dimOutOfRange(dim1, ndim);
    if (ndim == 0) return v;
    const auto a = static_cast<std::size_t>(dim0 < 0 ? dim0 + ndim : dim0);
    const auto b = static_cast<std::size_t>(dim1 < 0 ? dim1 + ndim : dim1);
    return swapped(v, a, b);
}

Result<View> t(const View& v) {
    if (v.dim() > 2) return refuse::tooManyForT(v.dim());
    return v.dim() < 2 ? Result<View>(v) : transpose(v, 0, 1);
}

Result<View> permute(const View& v, std::span<const Index> dims) {
    const Index ndim = v.dim();
    if (dims.size() != v.shape.size()) return refuse::permuteCount(ndim, static_cast<Index>(dims.size()));
    Dims order(dims);
    std::uint64_t seen = 0;
    static_assert(kMaxDims <= 64);
    bool twice = false;
    for (Index& dim : order) {
        if (dim < -ndim || dim >= ndim) return refuse::dimOutOfRange(dim, ndim);
        if (dim < 0) dim += ndim;
        const std::uint64_t bit = std::uint64_t{1} << dim;
        twice = twice || (seen & bit) != 0;
        seen |= bit;
    }
    if (twice) return refuse::duplicateDim("permute(): duplicate dims are not allowed.", dims);
    return reordered(v, order);
}

Result<View> movedim(const View& v, std::span<const Index> source, std::span<const Index> destination) {
    if (source.size() != destination.size()) return refuse::movedimCounts(source, destination);
    auto from = wrapAll(source, v.dim());
    if (!from) return from.takeRefusal();
    auto to = wrapAll(destination, v.dim());
    if (!to) return to.takeRefusal();
    if (hasDuplicate(*from)) return refuse::duplicateDim("movedim: repeated dim in `source`", source);
    if (hasDuplicate(*to)) return refuse::duplicateDim("movedim: repeated dim in `destination`", destination);
    if (v.dim() == 0) return v;
    // Named dims go where they are told, the others fill the free places in their old order.
    const auto ndim = static_cast<std::size_t>(v.dim());
    Dims order(ndim, -1);
    DimSet moved;
    for (std::size_t i = 0; i < from->size(); ++i) {
        order[static_cast<std::size_t>((*to)[i])] = (*from)[i];
        moved.set(static_cast<std::size_t>((*from)[i]));
    }
    std::size_t next = 0;
    for (std::size_t place = 0; place < ndim; ++place) {
        if (order[place] >= 0) continue;
        while (moved.test(next)) ++next;
        order[place] = static_cast<Index>(next++);
    }
    return reordered(v, order);
}

Result<View> swapaxes(const View& v, Index axis0, Index axis1) {
    return transpose(v, axis0, axis1);
}

Result<View> unsqueeze(const View& v, Index dim) {
    const Index places = v.dim() + 1;
    if (dim < -places || dim >= places) return refuse::dimOutOfRange(dim, places);
    if (places > kMaxDims) return refuse::tooManyDims(static_cast<std::size_t>(places));
    const auto at = static_cast<std::size_t>(dim < 0 ? dim + places : dim);
    Index stride = 1;
    if (at < v.shape.size() && !mulFits(v.shape[at], v.stride[at], stride))
        return refuse::strideOverflow("unsqueeze()", static_cast<Index>(at), v.stride[at], v.shape[at]);
    return withNewDim(v, at, stride);
}

Result<View> squeeze(const View& v) {
    View r;
    r.offset = v.offset;
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        if (v.shape[d] == 1) continue;
        r.shape.push_back(v.shape[d]);
        r.stride.push_back(v.stride[d]);
    }
    return r;
}

Result<View> squeeze(const View& v, Index dim) {
    const Index ndim = v.dim();
    const Index count = std::max<Index>(ndim, 1);
    if (dim < -count || dim >= count) return refuse::dimOutOfRange(dim, ndim);
    if (ndim == 0) return v;
    const auto d = static_cast<std::size_t>(dim < 0 ? dim + ndim : dim);
    return squeezed(v, d);
}

Result<View> flip(const View& v, std::span<const Index> dims) {
    auto wrapped = wrapAll(dims, v.dim());
    if (!wrapped) return wrapped.takeRefusal();
    if (hasDuplicate(*wrapped)) return refuse::duplicateDim("flip: a dim appears multiple times in the list", dims);
    return refuse::flipIsACopy(dims);
}

} // namespace stridescope
