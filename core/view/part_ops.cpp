// Operations that take a part of a view: select, narrow, slice, diagonal, unfold.

#include "core/view/checked.h"
#include "core/view/view_ops.h"
#include "core/view/view_refusals.h"

namespace stridescope {

namespace {

// Functions of one return statement each, so that the result is made where the caller wants it and never moved.

Result<View> withDim(const View& v, std::size_t d, Index size, Index stride, Index offset) {
    Result<View> result(v);
    View& r = *result;
    r.shape[d] = size;
    r.stride[d] = stride;
    r.offset = offset;
    return result;
}

Result<View> withoutDim(const View& v, std::size_t d, Index offset) {
    Result<View> result(std::in_place);
    View& r = *result;
    r.shape.assignWithout(v.shape, d);
    r.stride.assignWithout(v.stride, d);
    r.offset = offset;
    return result;
}

} // namespace

Result<Index> wrapDim(Index dim, Index ndim) {
    const Index count = std::max<Index>(ndim, 1);
    if (dim < -count || dim >= count) return refuse::dimOutOfRange(dim, ndim);
    return dim < 0 ? dim + count : dim;
}

Result<View> select(const View& v, Index dim, Index index) {
    const Index ndim = v.dim();
    if (ndim == 0) return refuse::zeroDim("select", ErrorKind::Index);
    if (dim < -ndim || dim >= ndim) return refuse::dimOutOfRange(dim, ndim);
    const Index wrapped = dim < 0 ? dim + ndim : dim;
    const auto d = static_cast<std::size_t>(wrapped);
    const Index size = v.shape[d];
    if (index < -size || index >= size) return refuse::selectIndex(v, wrapped, index);
    const Index at = index < 0 ? index + size : index;
    Index shift = 0;
    Index offset = 0;
    if (!mulFits(at, v.stride[d], shift) || !addFits(v.offset, shift, offset))
        return refuse::strideOverflow("select()", wrapped, v.stride[d], at);
    return withoutDim(v, d, offset);
}

Result<View> narrow(const View& v, Index dim, Index start, Index length) {
    const Index ndim = v.dim();
    if (ndim == 0) return refuse::zeroDim("narrow", ErrorKind::Runtime);
    if (dim < -ndim || dim >= ndim) return refuse::dimOutOfRange(dim, ndim);
    const Index wrapped = dim < 0 ? dim + ndim : dim;
    const auto d = static_cast<std::size_t>(wrapped);
    const Index size = v.shape[d];
    // As PyTorch: a start of -1 is legal even for an empty dim, where it means 0.
    const Index count = std::max<Index>(size, 1);
    if (start != size && (start < -count || start >= count)) return refuse::narrowStart(wrapped, start, size);
    const Index first = start < 0 ? start + count : start;
    if (length < 0 || first > size - length) return refuse::narrowLength(wrapped, first, length, size);
    Index shift = 0;
    Index offset = 0;
    if (!mulFits(first, v.stride[d], shift) || !addFits(v.offset, shift, offset))
        return refuse::strideOverflow("narrow()", wrapped, v.stride[d], first);
    return withDim(v, d, length, v.stride[d], offset);
}

Result<View> slice(const View& v, Index dim, std::optional<Index> start, std::optional<Index> end, Index step) {
    const Index ndim = v.dim();
    if (ndim == 0) return refuse::zeroDim("slice", ErrorKind::Index);
    if (dim < -ndim || dim >= ndim) return refuse::dimOutOfRange(dim, ndim);
    if (step <= 0) return refuse::sliceStep(step);
    const Index wrapped = dim < 0 ? dim + ndim : dim;
    const auto d = static_cast<std::size_t>(wrapped);
    const Index size = v.shape[d];
    Index first = start.value_or(0);
    if (first < 0) first += size;
    first = std::clamp<Index>(first, 0, size);
    Index last = end.value_or(size);
    if (last < 0) last += size;
    last = std::clamp<Index>(last, first, size);
    Index shift = 0;
    Index offset = 0;
    Index stride = 0;
    if (!mulFits(first, v.stride[d], shift) || !addFits(v.offset, shift, offset))
        return refuse::strideOverflow("slice()", wrapped, v.stride[d], first);
    if (!mulFits(v.stride[d], step, stride)) return refuse::strideOverflow("slice()", wrapped, v.stride[d], step);
    const Index length = last == first ? 0 : step == 1 ? last - first : (last - first - 1) / step + 1;
    return withDim(v, d, length, stride, offset);
}

Result<View> diagonal(const View& v, Index offset, Index dim1, Index dim2) {
    const Index ndim = v.dim();
    const Index count = std::max<Index>(ndim, 1);
    if (dim1 < -count || dim1 >= count) return refuse::dimOutOfRange(dim1, ndim);
    if (dim2 < -count || dim2 >= count) return refuse::dimOutOfRange(dim2, ndim);
    const Index w1 = dim1 < 0 ? dim1 + count : dim1;
    const Index w2 = dim2 < 0 ? dim2 + count : dim2;
    if (w1 == w2) return refuse::diagonalDims(dim1, dim2);
    const auto d1 = static_cast<std::size_t>(w1);
    const auto d2 = static_cast<std::size_t>(w2);
    const WideIndex rows = v.shape[d1];
    const WideIndex columns = v.shape[d2];
    const WideIndex room = offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns);
    const Index length = static_cast<Index>(std::max<WideIndex>(room, 0));

    View r = v;
    if (length > 0) {
        const Index stride = offset >= 0 ? v.stride[d2] : v.stride[d1];
        const Index steps = offset >= 0 ? offset : -offset; // fits: a diagonal with elements starts inside the view
        Index shift = 0;
        if (!mulFits(steps, stride, shift) || !addFits(v.offset, shift, r.offset))
            return refuse::strideOverflow("diagonal()", offset >= 0 ? w2 : w1, stride, steps);
    }
    Index stride = 0;
    if (!addFits(v.stride[d1], v.stride[d2], stride))
        return refuse::strideOverflow("diagonal()", w1, v.stride[d1], v.stride[d2]);
    r.shape.erase(std::max(d1, d2));
    r.stride.erase(std::max(d1, d2));
    r.shape.erase(std::min(d1, d2));
    r.stride.erase(std::min(d1, d2));
    r.shape.push_back(length);
    r.stride.push_back(stride);
    return r;
}

Result<View> unfold(const View& v, Index dim, Index size, Index step) {
    const Index ndim = v.dim();
    const Index count = std::max<Index>(ndim, 1);
    if (dim < -count || dim >= count) return refuse::dimOutOfRange(dim, ndim);
    const Index wrapped = dim < 0 ? dim + count : dim;
    const auto d = static_cast<std::size_t>(wrapped);
    const Index full = ndim == 0 ? 1 : v.shape[d];
    if (size < 0 || size > full) return refuse::unfoldSize(wrapped, size, full);
    if (step <= 0) return refuse::unfoldStep(wrapped, step, full);
    if (ndim == 0) {
        View r = v;
        r.shape.push_back(size);
        r.stride.push_back(1);
        return r;
    }
    if (ndim == kMaxDims) return refuse::tooManyDims(static_cast<std::size_t>(ndim) + 1);
    Index stride = 0;
    if (!mulFits(v.stride[d], step, stride)) return refuse::strideOverflow("unfold()", wrapped, v.stride[d], step);
    View r = v;
    // size <= full, so this is at least 1 window. A window of 0 elements fits once more than there are elements.
    r.shape[d] = (full - size) / step + 1;
    r.stride[d] = stride;
    r.shape.push_back(size);
    r.stride.push_back(v.stride[d]);
    // Overlapping windows name more elements than there were.
    Index product = 1;
    for (const Index s : r.shape)
        if (s != 0 && !mulFits(product, s, product)) return refuse::tooManyElements(r.shape);
    return r;
}

} // namespace stridescope
