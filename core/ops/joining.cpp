#include "core/ops/joining.h"

#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/indexing.h"
#include "core/ops/joining_call.h"
#include "core/ops/observed_call.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
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

std::string listText(const Dims& dims) {
    return toListString(std::span<const Index>(dims));
}

Inputs inputsOf(const std::vector<Tensor>& tensors) {
    Inputs inputs;
    for (const Tensor& t : tensors) inputs.push_back(&t);
    return inputs;
}

void requireSeveral(const std::vector<Tensor>& tensors, const char* name, const char* message) {
    if (tensors.empty()) refuse("JOIN-01", message, "Give at least one tensor.");
    for (const Tensor& t : tensors) requireDefined(t, name);
    for (const Tensor& t : tensors)
        if (t.device() != tensors[0].device())
            throwRefusal({ErrorKind::Device,
                          "DEV-03",
                          "Expected all tensors to be on the same device, but found at least two devices, " +
                              toString(tensors[0].device()) + " and " + toString(t.device()) + "!",
                          "Move one of them with to().",
                          {}});
}

DType commonDType(const std::vector<Tensor>& tensors) {
    const DType first = tensors[0].dtype();
    bool alike = true;
    for (const Tensor& t : tensors) alike &= t.dtype() == first;
    if (alike) return first;
    std::vector<PromotionOperand> operands;
    for (const Tensor& t : tensors) operands.push_back(promotionOperand(t));
    return resultType(operands);
}

/// PyTorch lets 1-d tensors without elements stand beside any others.
bool isSkipped(const Tensor& t) {
    return t.dim() == 1 && t.size(0) == 0;
}

struct CatPlan {
    Dims shape;
    std::size_t dim = 0;
};

CatPlan planCat(const std::vector<Tensor>& tensors, Index dim) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (tensors[i].dim() == 0)
            refuse("JOIN-02", "zero-dimensional tensor (at position " + std::to_string(i) + ") cannot be concatenated",
                   "stack gives each tensor a dim first.");
    const auto first = std::find_if_not(tensors.begin(), tensors.end(), isSkipped);
    if (first == tensors.end()) return {Dims{0}, 0};
    CatPlan plan{first->shape(), static_cast<std::size_t>(wrapDim(dim, first->dim()).valueOrThrow())};
    Index total = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Tensor& t = tensors[i];
        if (isSkipped(t)) continue;
        if (t.dim() != first->dim())
            refuse("JOIN-03",
                   "Tensors must have same number of dimensions: got " + std::to_string(first->dim()) + " and " +
                       std::to_string(t.dim()),
                   "Tensor number " + std::to_string(i) + " has another number of dims.");
        for (std::size_t d = 0; d < plan.shape.size(); ++d)
            if (d != plan.dim && t.shape()[d] != first->shape()[d])
                refuse("JOIN-04",
                       "Sizes of tensors must match except in dimension " + std::to_string(plan.dim) +
                           ". Expected size " + std::to_string(first->shape()[d]) + " but got size " +
                           std::to_string(t.shape()[d]) + " for tensor number " + std::to_string(i) + " in the list.",
                       "They differ in dim " + std::to_string(d) + ".");
        if (!addFits(total, t.shape()[plan.dim], total)) total = kIndexMax; // contiguousView refuses it
    }
    plan.shape[plan.dim] = total;
    return plan;
}

/// Precondition: `out` has the planned shape.
void copyPieces(const std::vector<Tensor>& tensors, const CatPlan& plan, const Tensor& out) {
    if (out.numel() == 0) return;
    View part = out.view();
    for (const Tensor& t : tensors) {
        if (t.numel() == 0) continue;
        part.shape[plan.dim] = t.shape()[plan.dim];
        copy_(out.withView(part), t);
        part.offset += part.stride[plan.dim] * t.shape()[plan.dim];
    }
}

Tensor catOf(const std::vector<Tensor>& tensors, Index dim) {
    const CatPlan plan = planCat(tensors, dim);
    const Tensor out = newContiguous(plan.shape, commonDType(tensors), tensors[0].device());
    copyPieces(tensors, plan, out);
    return out;
}

std::string dimText(Index dim) {
    return dim == 0 ? std::string() : std::to_string(dim);
}

/// cat of the tensors after `shape` (Tensor -> Tensor) has given them the dims they need.
template <class Shape>
Tensor stackAlong(const char* name, const std::vector<Tensor>& tensors, Index dim, Shape shape) {
    requireSeveral(tensors, name, (std::string(name) + " expects a non-empty TensorList").c_str());
    return observed::newTensors(
        name, [&] { return inputsOf(tensors); },
        [&] {
            std::vector<Tensor> shaped;
            shaped.reserve(tensors.size());
            for (const Tensor& t : tensors) shaped.push_back(shape(t));
            return catOf(shaped, dim < 0 ? (shaped[0].dim() == 1 ? 0 : 1) : dim);
        },
        [] { return std::string(); });
}

Tensor atLeast1d(const Tensor& t) {
    return t.dim() == 0 ? unsqueeze(t, 0) : t;
}
Tensor atLeast2d(const Tensor& t) {
    return t.dim() < 2 ? unsqueeze(atLeast1d(t), 0) : t;
}
Tensor atLeast3d(const Tensor& t) {
    return t.dim() < 3 ? unsqueeze(atLeast2d(t), -1) : t;
}

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
        refuse("JOIN-07", "Storage size calculation overflowed with repeats=" + listText(times),
               "More than 2^63-1 elements cannot be counted.");
    if (negative.size() != 0)
        refuse("JOIN-07",
               "Trying to create tensor with negative dimension " + std::to_string(negative[0]) + ": " +
                   listText(shape),
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

} // namespace

// --- Several tensors --------------------------------------------------------------------------------------------

Tensor cat(const std::vector<Tensor>& tensors, Index dim) {
    requireSeveral(tensors, "cat", "torch.cat(): expected a non-empty list of Tensors");
    return observed::newTensors(
        "cat", [&] { return inputsOf(tensors); }, [&] { return catOf(tensors, dim); }, [&] { return dimText(dim); });
}

const Tensor& catOut(const std::vector<Tensor>& tensors, Index dim, const Tensor& out) {
    requireSeveral(tensors, "cat", "torch.cat(): expected a non-empty list of Tensors");
    requireDefined(out, "cat");
    return observed::inPlace(
        "cat", out,
        [&] {
            Inputs inputs = inputsOf(tensors);
            inputs.push_back(&out);
            return inputs;
        },
        [&] {
            const CatPlan plan = planCat(tensors, dim);
            if (out.shape() != plan.shape) elementwise::throwOutputShape(out.shape(), plan.shape);
            const DType dtype = commonDType(tensors);
            if (!canCast(dtype, out.dtype()))
                refuse("CAST-01",
                       "torch.cat(): input types can't be cast to the desired output type " +
                           std::string(scalarTypeName(out.dtype())),
                       "The inputs promote to " + std::string(name(dtype)) + ".");
            elementwise::requireWritable(out, "cat");
            elementwise::requireNoSelfOverlap(out, nullptr);
            for (std::size_t i = 0; i < tensors.size(); ++i)
                if (elementwise::aliasOf(out, tensors[i]) != elementwise::Alias::Apart)
                    refuse("OVERLAP-03",
                           "unsupported operation: the input tensors cannot refer to any of the output memory "
                           "locations. Found overlap in input tensor " +
                               std::to_string(i),
                           "clone() that tensor first.");
            copyPieces(tensors, plan, out);
        },
        [&] { return dimText(dim); });
}

Tensor stack(const std::vector<Tensor>& tensors, Index dim) {
    requireSeveral(tensors, "stack", "stack expects a non-empty TensorList");
    return observed::newTensors(
        "stack", [&] { return inputsOf(tensors); },
        [&] {
            const Dims& shape = tensors[0].shape();
            const Index at = wrapDim(dim, tensors[0].dim() + 1).valueOrThrow();
            for (std::size_t i = 1; i < tensors.size(); ++i)
                if (tensors[i].shape() != shape)
                    refuse("JOIN-05",
                           "stack expects each tensor to be equal size, but got " + listText(shape) +
                               " at entry 0 and " + listText(tensors[i].shape()) + " at entry " + std::to_string(i),
                           "cat joins tensors of different sizes along a dim that they have.");
            std::vector<Tensor> raised;
            raised.reserve(tensors.size());
            for (const Tensor& t : tensors) raised.push_back(unsqueeze(t, at));
            // Not catOf: 1-d tensors without elements count here, and the dtype is that of the tensors as given.
            const CatPlan plan = planCat(raised, at);
            const Tensor out = newContiguous(plan.shape, commonDType(tensors), tensors[0].device());
            copyPieces(raised, plan, out);
            return out;
        },
        [&] { return dimText(dim); });
}

Tensor hstack(const std::vector<Tensor>& tensors) {
    return stackAlong("hstack", tensors, -1, atLeast1d);
}

Tensor vstack(const std::vector<Tensor>& tensors) {
    return stackAlong("vstack", tensors, 0, atLeast2d);
}

Tensor dstack(const std::vector<Tensor>& tensors) {
    return stackAlong("dstack", tensors, 2, atLeast3d);
}

Tensor columnStack(const std::vector<Tensor>& tensors) {
    return stackAlong("column_stack", tensors, 1,
                      [](const Tensor& t) { return t.dim() < 2 ? unsqueeze(atLeast1d(t), 1) : t; });
}

// --- One tensor many times ----------------------------------------------------------------------------------------

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
    if (!repeats.device().isCpu()) throwNoKernel("repeat_interleave", repeats.dtype(), repeats.device());
    if (repeats.dim() != 1) refuse("JOIN-08", "repeat_interleave only accept 1D vector as repeat", "Use flatten().");
    if (repeats.dtype() != DType::Int64 && repeats.dtype() != DType::Int32)
        refuse("JOIN-08",
               "\"repeat_interleave_cpu\" not implemented for '" + std::string(scalarTypeName(repeats.dtype())) + "'",
               "Numbers of repeats are int32 or int64.");
    return rearranged(
        "repeat_interleave", repeats,
        [&] {
            const Tensor counts = contiguous(to(repeats, DType::Int64));
            const Index* count = counts.data<Index>();
            const Index n = counts.numel();
            Index total = 0;
            for (Index i = 0; i < n; ++i) {
                if (count[i] < 0)
                    refuse("JOIN-07", "repeats can not be negative",
                           "Element " + std::to_string(i) + " is " + std::to_string(count[i]) + ".");
                if (!addFits(total, count[i], total))
                    refuse("JOIN-07", "Storage size calculation overflowed with the sum of repeats",
                           "More than 2^63-1 elements cannot be counted.");
            }
            Tensor out = newContiguous({total}, DType::Int64, Device{});
            Index* at = out.data<Index>();
            for (Index i = 0; i < n; ++i) at = std::fill_n(at, count[i], i);
            return to(out, repeats.dtype());
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
