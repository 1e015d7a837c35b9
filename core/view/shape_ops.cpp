// Operations that keep the elements and change the shape: view, reshape, flatten, unflatten, expand, as_strided.

#include "core/view/check_layout.h"
#include "core/view/checked.h"
#include "core/view/view_ops.h"
#include "core/view/view_refusals.h"

namespace stridescope {

namespace {

/// Product with every 0 read as 1; false when it does not fit 64 bits.
bool sizesFit(std::span<const Index> shape) {
    Index product = 1;
    for (const Index size : shape)
        if (size != 0 && !mulFits(product, size, product)) return false;
    return true;
}

enum class StrideAnswer : std::uint8_t { Found, MustCopy, BeyondAddresses };

// Note [View strides]
// Read from the right, the old dims fall into runs: a run is a group of neighbours that one step can walk, because
// each dim's stride is the one to its right times its size (dims of size 1 are walked by any step). A new shape is
// expressible without a copy exactly when its sizes, from the right, multiply up to each run in turn: every new dim
// lies inside one run, and its stride is the run's step times the new sizes to its right in that run. Where a new dim
// is larger than what is left of its run it would have to walk over the end of the run, where the step changes: that
// place is what `failure` tells.
StrideAnswer viewStrides(const View& v, Index numel, const Dims& shape, Dims& stride, ViewMergeFailure& failure) {
    stride.resize(shape.size(), 1);
    if (v.shape.empty()) {
        std::fill(stride.begin(), stride.end(), Index{1});
        return StrideAnswer::Found;
    }
    if (numel == 0) {
        // Nothing is walked, so any strides would do; these are PyTorch's.
        if (v.shape == shape) {
            stride = v.stride;
        } else {
            Index step = 1;
            for (std::size_t n = shape.size(); n-- > 0;) {
                stride[n] = step;
                step *= std::max<Index>(shape[n], 1);
            }
        }
        return StrideAnswer::Found;
    }
    std::size_t left = shape.size(); // new dims without a stride
    Index step = v.stride.back();
    Index runNumel = 1;      // elements of the run so far
    Index elementsRight = 1; // elements of all runs to the right
    Index spanRight = 0;     // slots from their first to their last element
    for (std::size_t d = v.shape.size(); d-- > 0;) {
        runNumel *= v.shape[d];
        const WideIndex runStep = WideIndex{runNumel} * step;
        if (d > 0 && (v.shape[d - 1] == 1 || v.stride[d - 1] == runStep)) continue;
        Index placed = 1;
        while (left > 0 && (placed < runNumel || shape[left - 1] == 1)) {
            --left;
            if (!mulFits(placed, step, stride[left])) return StrideAnswer::BeyondAddresses;
            placed *= shape[left];
        }
        if (placed != runNumel) {
            const WideIndex lastOfRun = WideIndex{runNumel - 1} * step + spanRight;
            failure.dim = static_cast<Index>(d) - 1;
            failure.stride = v.stride[d - 1];
            failure.wantedStride = clampToIndex(runStep);
            failure.position = runNumel * elementsRight;
            failure.stepSoFar = clampToIndex(runStep - lastOfRun);
            failure.stepNeeded = clampToIndex(v.stride[d - 1] - lastOfRun);
            return StrideAnswer::MustCopy;
        }
        if (d > 0) {
            spanRight = clampToIndex(WideIndex{spanRight} + WideIndex{runNumel - 1} * step);
            elementsRight *= runNumel;
            step = v.stride[d - 1];
            runNumel = 1;
        }
    }
    return StrideAnswer::Found;
}

/// `shape` with its -1 replaced, or why not.
refuse::RefusalPtr inferInto(std::span<const Index> shape, Index numel, Dims& out) {
    if (shape.size() > static_cast<std::size_t>(kMaxDims)) return refuse::tooManyDims(shape.size());
    out.assign(shape);
    std::size_t inferred = shape.size();
    bool hasZero = false;
    bool fits = true;
    Index product = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] > 0) {
            fits = fits && mulFits(product, shape[d], product);
        } else if (shape[d] == 0) {
            hasZero = true;
        } else if (shape[d] == -1) {
            if (inferred != shape.size()) return refuse::secondInferred(shape);
            inferred = d;
        } else {
            return refuse::negativeSize(static_cast<Index>(d), shape[d]);
        }
    }
    if (!fits) return refuse::tooManyElements(shape);
    if (hasZero) product = 0;
    const bool infers = inferred != shape.size();
    if (product != numel && !(infers && product > 0 && numel % product == 0))
        return refuse::numelMismatch(shape, product, numel);
    if (infers) {
        if (product == 0) return refuse::ambiguousInferred(shape);
        out[inferred] = numel / product;
    }
    return nullptr;
}

/// Makes `r` the view of `v` in `shape`, or says why not. `mustCopy` tells the one reason that a reshape has a way
/// round; then `r.shape` is the inferred shape.
refuse::RefusalPtr viewInto(const View& v, std::span<const Index> shape, View& r, bool* mustCopy) {
    const Index numel = v.numel();
    if (auto refusal = inferInto(shape, numel, r.shape)) return refusal;
    r.offset = v.offset;
    ViewMergeFailure failure;
    switch (viewStrides(v, numel, r.shape, r.stride, failure)) {
    case StrideAnswer::MustCopy:
        if (mustCopy == nullptr) return refuse::cannotView(v, r.shape, failure);
        *mustCopy = true;
        return nullptr;
    case StrideAnswer::BeyondAddresses:
        return refuse::beyondAddresses(r.shape, v.stride);
    case StrideAnswer::Found:
        break;
    }
    return nullptr;
}

refuse::RefusalPtr expandInto(const View& v, std::span<const Index> sizes, View& r) {
    if (sizes.size() < v.shape.size()) return refuse::expandCount(v, sizes);
    if (sizes.size() > static_cast<std::size_t>(kMaxDims)) return refuse::tooManyDims(sizes.size());
    const std::size_t added = sizes.size() - v.shape.size();
    r.offset = v.offset;
    r.shape.assign(sizes);
    r.stride.resize(sizes.size());
    Index product = 1;
    bool fits = true;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        const bool exists = i >= added;
        const Index size = exists ? v.shape[i - added] : 1;
        const Index target = sizes[i];
        if (target == -1) {
            if (!exists) return refuse::expandLeading(static_cast<Index>(i));
            r.shape[i] = size;
            r.stride[i] = v.stride[i - added];
        } else if (target == size) {
            // A new dim of size 1 gets the stride that PyTorch gives it: the step over the dim to its right.
            if (exists) {
                r.stride[i] = v.stride[i - added];
            } else if (!v.shape.empty() && !mulFits(r.shape[i + 1], r.stride[i + 1], r.stride[i])) {
                return refuse::strideOverflow("expand()", static_cast<Index>(i), r.stride[i + 1], r.shape[i + 1]);
            }
        } else if (size != 1) {
            return refuse::expandSize(v, sizes, static_cast<Index>(i), size);
        } else if (target < 0) {
            return refuse::negativeSize(static_cast<Index>(i), target);
        }
        fits = fits && (r.shape[i] == 0 || mulFits(product, r.shape[i], product));
    }
    if (!fits) return refuse::tooManyElements(r.shape);
    return nullptr;
}

/// Should the dim of stride `a` and size `sizeA` be walked outside the one of `b` and `sizeB`? 1 yes, -1 no, 0 either
/// way: a stride of 0 tells nothing.
int comparesOutside(Index a, Index sizeA, Index b, Index sizeB) {
    if (a == 0 || b == 0) return 0;
    const auto length = [](Index stride) {
        const auto bits = static_cast<std::uint64_t>(stride);
        return stride < 0 ? 0 - bits : bits;
    };
    if (length(a) != length(b)) return length(a) < length(b) ? -1 : 1;
    return sizeA > sizeB ? 1 : 0;
}

} // namespace

Result<Dims> inferShape(std::span<const Index> shape, Index numel) {
    Result<Dims> result(std::in_place);
    if (auto refusal = inferInto(shape, numel, *result)) result = std::move(refusal);
    return result;
}

Result<View> viewAs(const View& v, std::span<const Index> shape) {
    Result<View> result(std::in_place);
    if (auto refusal = viewInto(v, shape, *result, nullptr)) result = std::move(refusal);
    return result;
}

Result<ReshapeVerdict> reshape(const View& v, std::span<const Index> shape) {
    Result<ReshapeVerdict> result(std::in_place);
    bool mustCopy = false;
    if (auto refusal = viewInto(v, shape, result->view, &mustCopy)) {
        result = std::move(refusal);
        return result;
    }
    result->isView = !mustCopy;
    if (mustCopy) {
        auto copy = contiguousView(result->view.shape);
        if (!copy) return copy.takeRefusal();
        result->view = std::move(copy).value();
    }
    return result;
}

Result<ReshapeVerdict> flatten(const View& v, Index startDim, Index endDim) {
    auto start = wrapDim(startDim, v.dim());
    if (!start) return start.takeRefusal();
    auto end = wrapDim(endDim, v.dim());
    if (!end) return end.takeRefusal();
    if (*start > *end) return refuse::flattenOrder(*start, *end);
    if (v.dim() == 0) return reshape(v, Dims{1});
    if (*start == *end) return ReshapeVerdict{true, v};
    Dims shape;
    Index merged = 1;
    for (Index d = 0; d < v.dim(); ++d) {
        const Index size = v.shape[static_cast<std::size_t>(d)];
        if (d >= *start && d <= *end) {
            merged *= size;
            if (d == *end) shape.push_back(merged);
        } else {
            shape.push_back(size);
        }
    }
    return reshape(v, shape);
}

Result<View> unflatten(const View& v, Index dim, std::span<const Index> sizes) {
    auto wrapped = wrapDim(dim, v.dim());
    if (!wrapped) return wrapped.takeRefusal();
    if (sizes.empty()) return refuse::unflattenEmpty();
    if (v.dim() == 0) return refuse::dimOfZeroDim(dim);
    const auto d = static_cast<std::size_t>(*wrapped);
    auto parts = inferShape(sizes, v.shape[d]);
    if (!parts) {
        if (std::holds_alternative<NumelMismatch>(parts.refusal().detail))
            return refuse::unflattenSizes(sizes, *wrapped, v.shape[d]);
        return parts.takeRefusal();
    }
    Dims shape;
    for (std::size_t i = 0; i < v.shape.size(); ++i) {
        if (i != d) {
            shape.push_back(v.shape[i]);
        } else {
            for (const Index size : *parts) shape.push_back(size);
        }
    }
    if (!sizesFit(shape)) return refuse::tooManyElements(shape);
    return viewAs(v, shape);
}

Result<View> expand(const View& v, std::span<const Index> sizes) {
    Result<View> result(std::in_place);
    if (auto refusal = expandInto(v, sizes, *result)) result = std::move(refusal);
    return result;
}

Result<View> asStrided(const View& v, std::span<const Index> size, std::span<const Index> stride,
                       std::optional<Index> offset, Index storageNumel) {
    Result<View> result(std::in_place);
    View& r = *result;
    const Index first = offset.value_or(v.offset);
    Reach touched;
    if (size.size() == stride.size() && std::any_of(stride.begin(), stride.end(), [](Index s) { return s < 0; })) {
        result = refuse::negativeStride(stride);
        return result;
    }
    if (auto refusal = checkLayout(size, stride, first, touched)) {
        // A negative offset is drawn like any other that leaves the storage.
        if (refusal->id == "VIEW-24" && first < 0) {
            const Result<Reach> missed = reach(View{Dims(size), Dims(stride), first});
            if (missed && !missed->empty())
                refusal->detail = StorageOutOfBounds{missed->lowest, missed->highest,
                                                     std::max<Index>(missed->highest, 0) + 1, storageNumel};
        }
        result = std::move(refusal);
        return result;
    }
    r.shape.assign(size);
    r.stride.assign(stride);
    r.offset = first;
    if (!touched.empty() && touched.highest >= storageNumel) result = refuse::outOfStorage(r, touched, storageNumel);
    return result;
}

Result<View> cloneLayout(const View& v) {
    const bool turned = std::any_of(v.stride.begin(), v.stride.end(), [](Index s) { return s < 0; });
    View r = v;
    r.offset = 0;
    if (!turned && v.isDense()) return r;
    const std::size_t ndim = v.shape.size();
    // Innermost first. An insertion sort whose "either way" keeps looking further out, as PyTorch's: with strides of 0
    // the comparison is no order, and the result depends on the way of sorting.
    Dims order(ndim, 0);
    for (std::size_t i = 0; i < ndim; ++i) order[i] = static_cast<Index>(ndim - 1 - i);
    for (std::size_t i = 1; i < ndim; ++i) {
        std::size_t moving = i;
        for (std::size_t j = i; j-- > 0;) {
            const auto a = static_cast<std::size_t>(order[j]);
            const auto b = static_cast<std::size_t>(order[moving]);
            const int outside = comparesOutside(v.stride[a], v.shape[a], v.stride[b], v.shape[b]);
            if (outside < 0) break;
            if (outside == 0) continue;
            std::swap(order[j], order[moving]);
            moving = j;
        }
    }
    Index step = 1;
    for (const Index dim : order) {
        const auto d = static_cast<std::size_t>(dim);
        r.stride[d] = step;
        step *= std::max<Index>(v.shape[d], 1);
    }
    return r;
}

} // namespace stridescope
