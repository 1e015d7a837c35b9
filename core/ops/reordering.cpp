// Elements in another order, and parts as views: declared in joining.h.

#include "core/ops/copy.h"
#include "core/ops/joining.h"
#include "core/ops/joining_call.h"
#include "core/ops/views.h"
#include "core/trace/code.h"

#include <algorithm>

namespace stridescope {

namespace {

using elementwise::requireDefined;
using joining::newContiguous;
using joining::rearranged;
using joining::refuse;
using joining::requireDims;
using observed::Inputs;

/// Copies `t` rolled by shifts[d] (0 … size-1) along each dim: every dim is cut in two, the parts change places.
void rollInto(View target, View source, const Tensor& out, const Tensor& t, const Dims& shifts, std::size_t dim) {
    while (dim < shifts.size() && shifts[dim] == 0) ++dim;
    if (dim == shifts.size()) {
        copy_(out.withView(target), t.withView(source));
        return;
    }
    const Index size = t.shape()[dim], shift = shifts[dim];
    View head = source, tail = source, first = target, second = target;
    head.shape[dim] = second.shape[dim] = size - shift;
    second.offset += shift * target.stride[dim];
    tail.shape[dim] = first.shape[dim] = shift;
    tail.offset += (size - shift) * source.stride[dim];
    rollInto(second, head, out, t, shifts, dim + 1);
    rollInto(first, tail, out, t, shifts, dim + 1);
}

Index wrapShift(Index shift, Index size) {
    const Index rest = shift % size;
    return rest < 0 ? rest + size : rest;
}

Tensor rollOf(const Tensor& t, const Dims& shifts, const Dims& dims) {
    const Tensor out = newContiguous(t.shape(), t.dtype(), t.device());
    if (out.numel() == 0) return out; // before the dims are looked at, as in PyTorch
    Dims by(t.shape().size(), 0);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        requireDims(t, dims[i]);
        const auto d = static_cast<std::size_t>(wrapDim(dims[i], t.dim()).valueOrThrow());
        by[d] = wrapShift(by[d] + wrapShift(shifts[i], t.shape()[d]), t.shape()[d]);
    }
    rollInto(out.view(), t.view(), out, t, by, 0);
    return out;
}

/// Rolled as if flat; what cannot be seen as flat is copied first.
Tensor rollFlat(const Tensor& t, Index shift) {
    const Tensor out = newContiguous(t.shape(), t.dtype(), t.device());
    const Index n = out.numel();
    if (n == 0) return out;
    const Tensor flatOut = out.withView(View{{n}, {1}, 0});
    const Index by = wrapShift(shift, n);
    if (const Result<ReshapeVerdict> flat = reshape(t.view(), Dims{n}); flat && flat->isView) {
        rollInto(flatOut.view(), flat->view, flatOut, t.withView(flat->view), Dims{by}, 0);
        return out;
    }
    const Tensor rows = contiguous(t);
    rollInto(flatOut.view(), View{{n}, {1}, 0}, flatOut, rows.withView(View{{n}, {1}, 0}), Dims{by}, 0);
    return out;
}

/// Wrapped and without doubles.
Dims wrappedDims(const Tensor& t, const Dims& dims) {
    Dims wrapped;
    for (const Index dim : dims) {
        const Index d = wrapDim(dim, t.dim()).valueOrThrow();
        if (std::find(wrapped.begin(), wrapped.end(), d) != wrapped.end())
            refuse("VIEW-10", "dim " + std::to_string(d) + " appears multiple times in the list of dims",
                   "Name each dim once.");
        wrapped.push_back(d);
    }
    return wrapped;
}

Tensor flipOf(const Tensor& t, const Dims& dims) {
    const Dims wrapped = wrappedDims(t, dims);
    const View layout = cloneLayout(t.view()).valueOrThrow();
    const Tensor out = elementwise::newResult(layout.shape, layout.stride, t.dtype(), t.device());
    if (out.numel() == 0) return out;
    View source = t.view();
    for (const Index dim : wrapped) {
        const auto d = static_cast<std::size_t>(dim);
        if (source.shape.size() == 0) break; // a 0-d tensor has a dim 0 as far as names go
        source.offset += (source.shape[d] - 1) * source.stride[d];
        source.stride[d] = -source.stride[d];
    }
    copy_(out, t.withView(std::move(source)));
    return out;
}

} // namespace

// --- Another order ------------------------------------------------------------------------------------------------

Tensor roll(const Tensor& t, const Dims& shifts, const Dims& dims) {
    requireDefined(t, "roll");
    if (shifts.size() == 0) refuse("JOIN-09", "`shifts` required", "Give one shift for each dim.");
    if (shifts.size() != dims.size() && !(dims.size() == 0 && shifts.size() == 1))
        refuse("JOIN-09",
               "shifts and dimensions must align. shifts: " + std::to_string(shifts.size()) +
                   ", dims:" + std::to_string(dims.size()),
               "Give one shift for each dim.");
    std::string text = shifts.size() == 1 ? std::to_string(shifts[0]) : code::tuple(shifts);
    if (dims.size() != 0) text += ", " + (dims.size() == 1 ? std::to_string(dims[0]) : code::tuple(dims));
    return rearranged(
        "roll", t, [&] { return dims.size() == 0 ? rollFlat(t, shifts[0]) : rollOf(t, shifts, dims); }, text);
}

Tensor flip(const Tensor& t, const Dims& dims) {
    return rearranged(
        "flip", t, [&] { return flipOf(t, dims); }, code::tuple(dims));
}

Tensor fliplr(const Tensor& t) {
    requireDefined(t, "fliplr");
    if (t.dim() < 2) refuse("JOIN-11", "Input must be >= 2-d.", "It has " + std::to_string(t.dim()) + " dims.");
    return rearranged(
        "fliplr", t, [&] { return flipOf(t, {1}); }, "");
}

Tensor flipud(const Tensor& t) {
    requireDefined(t, "flipud");
    if (t.dim() < 1) refuse("JOIN-11", "Input must be >= 1-d.", "It has no dims.");
    return rearranged(
        "flipud", t, [&] { return flipOf(t, {0}); }, "");
}

Tensor rot90(const Tensor& t, Index k, const Dims& dims) {
    requireDefined(t, "rot90");
    const Index rank = t.dim();
    const auto hint = "Give two different dims of a tensor of 2 dims at least.";
    if (dims.size() != 2)
        refuse("JOIN-10", "expected total rotation dims == 2, but got dims = " + std::to_string(dims.size()), hint);
    if (rank < 2) refuse("JOIN-10", "expected total dims >= 2, but got total dims = " + std::to_string(rank), hint);
    const Index a = dims[0], b = dims[1];
    if (a == b || a - b == rank || b - a == rank)
        refuse("JOIN-10",
               "expected rotation dims to be different, but got dim0 = " + std::to_string(a) +
                   " and dim1 = " + std::to_string(b),
               hint);
    for (std::size_t i = 0; i < 2; ++i)
        if (dims[i] >= rank || dims[i] < -rank)
            refuse("JOIN-10",
                   "Rotation dim" + std::to_string(i) + " out of range, dim" + std::to_string(i) + " = " +
                       std::to_string(dims[i]),
                   hint);
    const std::string text =
        std::to_string(k) + (a == 0 && b == 1 ? std::string() : ", " + code::tuple(std::span<const Index>(dims)));
    return rearranged(
        "rot90", t,
        [&] {
            switch (((k % 4) + 4) % 4) {
            case 1:
                return transpose(flipOf(t, {b}), a, b);
            case 2:
                return flipOf(t, dims);
            case 3:
                return transpose(flipOf(t, {a}), a, b);
            default: {
                const Tensor out = newContiguous(t.shape(), t.dtype(), t.device());
                copy_(out, t);
                return out;
            }
            }
        },
        text);
}

// --- Parts as views -----------------------------------------------------------------------------------------------

namespace {

template <class Cut>
std::vector<Tensor> tensorSplitOf(const Tensor& t, Index dim, Cut cut, const std::string& text) {
    requireDefined(t, "tensor_split");
    if (t.dim() == 0)
        refuse("JOIN-11", "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims",
               "unsqueeze(0) gives it a dim.");
    const Index along = wrapDim(dim, t.dim()).valueOrThrow();
    return observed::newTensors(
        "tensor_split", [&] { return Inputs{&t}; }, [&] { return cut(along); },
        [&] { return text + (dim == 0 ? std::string() : ", " + std::to_string(dim)); });
}

} // namespace

std::vector<Tensor> tensorSplit(const Tensor& t, Index sections, Index dim) {
    return tensorSplitOf(
        t, dim,
        [&](Index along) {
            if (sections <= 0)
                refuse("JOIN-12", "number of sections must be larger than 0, got " + std::to_string(sections),
                       "One section is the whole tensor.");
            constexpr Index kMostSections = 100'000'000; // tens of gigabytes of views, nearly all of them empty
            if (sections > kMostSections)
                refuse("JOIN-12",
                       "tensor_split makes at most " + std::to_string(kMostSections) + " sections, got " +
                           std::to_string(sections),
                       "Dim " + std::to_string(along) + " has " + std::to_string(t.size(along)) + " elements.");
            const Index size = t.size(along), each = size / sections, larger = size % sections;
            std::vector<Tensor> parts;
            Index start = 0;
            for (Index i = 0; i < sections; ++i) {
                const Index length = each + (i < larger ? 1 : 0);
                parts.push_back(narrow(t, along, start, length));
                start += length;
            }
            return parts;
        },
        std::to_string(sections));
}

std::vector<Tensor> tensorSplit(const Tensor& t, const Dims& indices, Index dim) {
    return tensorSplitOf(
        t, dim,
        [&](Index along) {
            std::vector<Tensor> parts;
            Index start = 0;
            for (const Index end : indices) {
                parts.push_back(slice(t, along, start, end));
                start = end;
            }
            parts.push_back(slice(t, along, start, std::nullopt));
            return parts;
        },
        code::tuple(indices));
}

} // namespace stridescope
