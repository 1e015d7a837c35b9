#include "core/ops/joining.h"

#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/joining_call.h"
#include "core/ops/observed_call.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/view/view_ops.h"

#include <algorithm>

namespace stridescope {

namespace {

using elementwise::requireDefined;
using joining::newContiguous;
using joining::refuse;
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

} // namespace stridescope
