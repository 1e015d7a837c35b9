#include "core/ops/gradient.h"

#include "core/ops/elementwise_call.h"
#include "core/ops/joining.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/view_ops.h"

#include <algorithm>

namespace stridescope {

namespace {

using observed::Inputs;

[[noreturn]] void refuse(const char* id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

/// The dims to go along, counted from 0.
Dims wanted(const Tensor& t, const std::optional<Dims>& dims, Index edgeOrder) {
    elementwise::requireDefined(t, "gradient");
    if (t.dtype() == DType::UInt8)
        refuse("GRAD-02", "torch.gradient does not support uint8 input.", "Convert it first: x.float().");
    if (edgeOrder != 1 && edgeOrder != 2)
        refuse("GRAD-01", "torch.gradient only supports edge_order=1 and edge_order=2.",
               "Got " + std::to_string(edgeOrder) + ".");
    Dims along;
    if (dims)
        for (const Index d : *dims) along.push_back(wrapDim(d, t.dim()).valueOrThrow());
    else
        for (Index d = 0; d < t.dim(); ++d) along.push_back(d);
    for (std::size_t i = 0; i < along.size(); ++i) {
        if (std::find(along.begin(), along.begin() + static_cast<std::ptrdiff_t>(i), along[i]) !=
            along.begin() + static_cast<std::ptrdiff_t>(i))
            refuse("GRAD-04", "dim " + std::to_string(along[i]) + " appears multiple times in the list of dims",
                   "Name each dim once.");
        if (t.dim() > 0 && t.size(along[i]) <= edgeOrder)
            refuse("GRAD-03", "torch.gradient expected each dimension size to be at least edge_order+1",
                   "Dim " + std::to_string(along[i]) + " has size " + std::to_string(t.size(along[i])) + ".");
    }
    return t.dim() == 0 ? Dims{} : along;
}

void requireOneForEach(std::size_t given, const Dims& along, bool dimsGiven) {
    if (given == along.size()) return;
    const std::string count = std::to_string(given);
    refuse("GRAD-05",
           dimsGiven ? "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments "
                       "to have the same length, but got a spacing argument of length " +
                           count + " and a dim argument of length " + std::to_string(along.size()) + "."
                     : "torch.gradient expected spacing to be unspecified, a scalar or a list of length " +
                           std::to_string(along.size()) + " but got a list of length " + count,
           "Give one number, or one for each dim.");
}

/// The slices from `start` on, without the last `cut` ones.
Tensor part(const Tensor& t, Index dim, Index start, Index cut) {
    return narrow(t, dim, start, t.size(dim) - start - cut);
}

/// Along one dim of evenly spaced points.
Tensor evenly(const Tensor& t, Index dim, Scalar step, Index edgeOrder) {
    const Index n = t.size(dim);
    // Differences first and in t's dtype, as PyTorch does: integers are divided once.
    const auto slope = [&](Index from, Index to) {
        return div(sub(narrow(t, dim, to, 1), narrow(t, dim, from, 1)), step);
    };
    Tensor first = slope(0, 1), last = slope(n - 2, n - 1);
    std::vector<Tensor> parts{first};
    if (n > 2) parts.push_back(div(div(sub(part(t, dim, 2, 0), part(t, dim, 0, 2)), step), 2));
    if (edgeOrder == 2) {
        // The parabola's slope at an end is twice that to the neighbour less the one at the neighbour.
        parts[0] = sub(mul(first, 2), narrow(parts[1], dim, 0, 1));
        last = sub(mul(last, 2), narrow(parts[1], dim, n - 3, 1));
    }
    parts.push_back(last);
    return cat(parts, dim);
}

/// Along one dim of points at the places `x`.
Tensor unevenly(const Tensor& t, Index dim, const Tensor& x, Index edgeOrder) {
    const Index n = t.size(dim);
    if (x.dim() != 1)
        refuse("GRAD-06",
               "torch.gradient expected each element of spacing to have one dimension, but got an element with " +
                   std::to_string(x.dim()) + " dimensions!",
               "Give the place of each index of the dim.");
    if (x.numel() != n)
        refuse("GRAD-06",
               "torch.gradient expected " + std::to_string(n) + " coordinates along dim " + std::to_string(dim) +
                   ", but got " + std::to_string(x.numel()),
               "Give the place of each index of the dim.");
    Dims along(static_cast<std::size_t>(t.dim()), 1);
    along[static_cast<std::size_t>(dim)] = n;
    const Tensor places = reshape(x, along), steps = sub(part(places, dim, 1, 0), part(places, dim, 0, 1));
    const Tensor slopes = div(sub(part(t, dim, 1, 0), part(t, dim, 0, 1)), steps);
    std::vector<Tensor> parts{narrow(slopes, dim, 0, 1)};
    Tensor last = narrow(slopes, dim, n - 2, 1);
    if (n > 2) {
        // Of the parabola through three points: each side's slope weighs as much as the other side is wide.
        const Tensor left = part(steps, dim, 0, 1), right = part(steps, dim, 1, 0), both = add(left, right);
        const Tensor before = part(slopes, dim, 0, 1), after = part(slopes, dim, 1, 0);
        parts.push_back(add(mul(before, div(right, both)), mul(after, div(left, both))));
        if (edgeOrder == 2) {
            // Its slope changes evenly, and is a step's own in the middle of that step.
            const Tensor bend = div(sub(after, before), both);
            parts[0] = sub(parts[0], mul(narrow(bend, dim, 0, 1), narrow(steps, dim, 0, 1)));
            last = add(last, mul(narrow(bend, dim, n - 3, 1), narrow(steps, dim, n - 2, 1)));
        }
    }
    parts.push_back(last);
    return cat(parts, dim);
}

std::string dimsText(const std::optional<Dims>& dims) {
    return dims ? "dim=" + toString(std::span<const Index>(*dims)) : "";
}
std::string orderText(Index edgeOrder, std::string before) {
    if (edgeOrder == 1) return before;
    return before + (before.empty() ? "" : ", ") + "edge_order=" + std::to_string(edgeOrder);
}

} // namespace

std::vector<Tensor> gradient(const Tensor& t, const std::vector<Scalar>& spacing, const std::optional<Dims>& dims,
                             Index edgeOrder) {
    const Dims along = wanted(t, dims, edgeOrder);
    if (spacing.size() > 1) requireOneForEach(spacing.size(), along, dims.has_value());
    return observed::newTensors(
        "gradient", [&] { return Inputs{&t}; },
        [&] {
            std::vector<Tensor> slopes;
            for (std::size_t i = 0; i < along.size(); ++i) {
                const Scalar step = spacing.empty() ? Scalar(1) : spacing[spacing.size() == 1 ? 0 : i];
                slopes.push_back(evenly(t, along[i], step, edgeOrder));
            }
            return slopes;
        },
        [&] {
            std::string text;
            for (const Scalar step : spacing) text += (text.empty() ? "" : ", ") + toString(step);
            if (!text.empty()) text = "spacing=" + (spacing.size() == 1 ? text : "[" + text + "]");
            const std::string names = dimsText(dims);
            return orderText(edgeOrder, text + (text.empty() || names.empty() ? "" : ", ") + names);
        });
}

std::vector<Tensor> gradientAt(const Tensor& t, const std::vector<Tensor>& coordinates, const std::optional<Dims>& dims,
                               Index edgeOrder) {
    const Dims along = wanted(t, dims, edgeOrder);
    for (const Tensor& x : coordinates) elementwise::requireDefined(x, "gradient");
    requireOneForEach(coordinates.size(), along, dims.has_value());
    return observed::newTensors(
        "gradient",
        [&] {
            Inputs inputs{&t};
            for (const Tensor& x : coordinates) inputs.push_back(&x);
            return inputs;
        },
        [&] {
            std::vector<Tensor> slopes;
            for (std::size_t i = 0; i < along.size(); ++i)
                slopes.push_back(unevenly(t, along[i], coordinates[i], edgeOrder));
            return slopes;
        },
        [&] {
            std::string text = "{0}, spacing=(";
            for (std::size_t i = 0; i < coordinates.size(); ++i) text += "{" + std::to_string(i + 1) + "}, ";
            text += ")";
            const std::string names = dimsText(dims);
            return orderText(edgeOrder, text + (names.empty() ? "" : ", ") + names);
        });
}

} // namespace stridescope
