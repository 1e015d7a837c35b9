#include "core/view/view.h"

#include "core/view/check_layout.h"
#include "core/view/checked.h"
#include "core/view/view_refusals.h"

#include <array>

namespace stridescope {

namespace {

/// Sizes >= 0, at most kMaxDims, and a product that fits 64 bits even with every 0 read as 1: then the product of any
/// part of the sizes fits too, which the operations rely on.
std::unique_ptr<Refusal> checkSizes(std::span<const Index> shape) {
    if (shape.size() > static_cast<std::size_t>(kMaxDims)) return refuse::tooManyDims(shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] < 0) return refuse::negativeSize(static_cast<Index>(d), shape[d]);
    Index product = 1;
    for (const Index size : shape)
        if (size != 0 && !mulFits(product, size, product)) return refuse::tooManyElements(shape);
    return nullptr;
}

/// False when an address does not fit. Empty views touch nothing.
bool computeReach(std::span<const Index> shape, std::span<const Index> stride, Index offset, Reach& out) {
    Index lowest = offset;
    Index highest = offset;
    bool fits = true;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 0) {
            out = Reach{};
            return true;
        }
        Index span = 0;
        fits = mulFits(shape[d] - 1, stride[d], span) && fits;
        Index& end = span < 0 ? lowest : highest;
        fits = addFits(end, span, end) && fits;
    }
    out = Reach{lowest, highest};
    return fits;
}

bool computeReach(const View& v, Reach& out) {
    return computeReach(v.shape, v.stride, v.offset, out);
}

std::string joined(std::span<const Index> dims, char open, char close, bool tuple) {
    std::string text(1, open);
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (d > 0) text += ", ";
        text += std::to_string(dims[d]);
    }
    if (tuple && dims.size() == 1) text += ',';
    text += close;
    return text;
}

} // namespace

Index View::slot(std::span<const Index> coord) const {
    assert(coord.size() == shape.size());
    Index result = offset;
    for (std::size_t d = 0; d < coord.size(); ++d) {
        assert(coord[d] >= 0 && coord[d] < shape[d]);
        result += coord[d] * stride[d];
    }
    return result;
}

bool View::isContiguous() const {
    bool expected = true;
    Index step = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (shape[d] == 0) return true;
        if (shape[d] == 1 || !expected) continue;
        expected = stride[d] == step;
        step *= shape[d];
    }
    return expected;
}

bool View::isDense() const {
    // Dims of two or more elements, sorted by the length of their step: each must step over all of the one before.
    std::array<std::size_t, static_cast<std::size_t>(kMaxDims)> order;
    std::size_t count = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 0) return true;
        if (shape[d] > 1) order[count++] = d;
    }
    // Unsigned, so that the lowest Index has a magnitude too.
    const auto length = [this](std::size_t d) {
        const auto bits = static_cast<std::uint64_t>(stride[d]);
        return stride[d] < 0 ? 0 - bits : bits;
    };
    std::sort(order.begin(), order.begin() + count,
              [&](std::size_t a, std::size_t b) { return length(a) < length(b); });
    std::uint64_t step = 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (length(order[i]) != step) return false;
        step *= static_cast<std::uint64_t>(shape[order[i]]);
    }
    return true;
}

Result<View> contiguousView(std::span<const Index> shape, Index offset) {
    if (auto refusal = checkSizes(shape)) return refusal;
    if (offset < 0) return refuse::negativeOffset(offset);
    Result<View> result(std::in_place); // filled in where it lies: a View is large enough that copies cost
    View& v = *result;
    v.shape.assign(shape);
    v.stride.assign(shape);
    v.offset = offset;
    Index step = 1;
    Index* const stride = v.stride.data();
    for (std::size_t d = shape.size(); d-- > 0;) {
        stride[d] = step;
        step *= std::max<Index>(shape[d], 1);
    }
    // The last slot is offset + product - 1, unless a size is 0.
    Index last = 0;
    if (!addFits(offset, step - 1, last)) {
        Reach ignored;
        if (!computeReach(v, ignored)) return refuse::beyondAddresses(v.shape, v.stride);
    }
    return result;
}

std::unique_ptr<Refusal> checkLayout(std::span<const Index> shape, std::span<const Index> stride, Index offset,
                                     Reach& touched) {
    if (shape.size() != stride.size()) return refuse::ranksDiffer(shape.size(), stride.size());
    if (auto refusal = checkSizes(shape)) return refusal;
    if (offset < 0) return refuse::negativeOffset(offset);
    if (!computeReach(shape, stride, offset, touched)) return refuse::beyondAddresses(shape, stride);
    return nullptr;
}

Result<View> makeView(std::span<const Index> shape, std::span<const Index> stride, Index offset) {
    Result<View> result(std::in_place);
    Reach ignored;
    if (auto refusal = checkLayout(shape, stride, offset, ignored)) {
        result = std::move(refusal);
    } else {
        result->shape.assign(shape);
        result->stride.assign(stride);
        result->offset = offset;
    }
    return result;
}

Result<Reach> reach(const View& v) {
    Reach result;
    if (!computeReach(v, result)) return refuse::beyondAddresses(v.shape, v.stride);
    return result;
}

Result<View> checkInBounds(const View& v, Index storageNumel) {
    Reach touched;
    if (!computeReach(v, touched)) return refuse::beyondAddresses(v.shape, v.stride);
    if (!touched.empty() && (touched.lowest < 0 || touched.highest >= storageNumel))
        return refuse::outOfStorage(v, touched, storageNumel);
    return v;
}

std::string toString(std::span<const Index> dims) {
    return joined(dims, '(', ')', true);
}

std::string toListString(std::span<const Index> dims) {
    return joined(dims, '[', ']', false);
}

} // namespace stridescope
