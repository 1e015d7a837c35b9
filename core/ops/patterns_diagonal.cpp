// Diagonals that are written, and matrices along one.

#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/observed_call.h"
#include "core/ops/patterns.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"

#include <algorithm>

namespace stridescope {

using observed::Inputs;

namespace {

[[noreturn]] void refuse(std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, "PATTERN-08", std::move(message), std::move(hint), {}});
}

/// The slots of the diagonal as a view of one dim.
Tensor diagonalOf(const Tensor& t) {
    View v;
    v.offset = t.storageOffset();
    v.shape = {*std::min_element(t.shape().begin(), t.shape().end())};
    Index step = 0;
    for (const Index stride : t.stride()) step += stride;
    v.stride = {step};
    return t.withView(std::move(v));
}

} // namespace

const Tensor& fillDiagonal_(const Tensor& t, Scalar value, bool wrap) {
    elementwise::requireDefined(t, "fill_diagonal_");
    if (t.dim() < 2) refuse("dimensions must larger than 1", "This tensor has " + std::to_string(t.dim()) + ".");
    if (t.dim() > 2 && std::adjacent_find(t.shape().begin(), t.shape().end(), std::not_equal_to<>()) != t.shape().end())
        refuse("all dimensions of input must be of equal length",
               "Its sizes are " + toListString(std::span<const Index>(t.shape())) + ".");
    const auto fill = [&](const Tensor& target, Scalar with) {
        fill_(diagonalOf(target), with);
        const Index rows = t.size(0), columns = t.size(1);
        if (!wrap || t.dim() != 2) return;
        for (Index row = columns + 1; row < rows && columns > 0; row += columns + 1)
            fill_(diagonalOf(narrow(target, 0, row, rows - row)), with);
    };
    return observed::chosenInPlace(
        "fill_diagonal_", t, [&] { return Inputs{&t}; }, [&] { fill(t, value); },
        [&](const Tensor& marks) { fill(marks, true); }, [&] { return toString(value) + (wrap ? ", wrap=True" : ""); });
}

Tensor blockDiag(const std::vector<Tensor>& tensors) {
    std::vector<PromotionOperand> types;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        elementwise::requireDefined(tensors[i], "block_diag");
        if (tensors[i].dim() > 2)
            refuse("torch.block_diag: Input tensors must have 2 or fewer dimensions. Input " + std::to_string(i) +
                       " has " + std::to_string(tensors[i].dim()) + " dimensions",
                   "flatten() and view() change the number of dims.");
        if (tensors[i].device() != tensors[0].device())
            throwRefusal({ErrorKind::Device,
                          "DEV-03",
                          "torch.block_diag: input tensors must all be on the same device. Input 0 is on device " +
                              toString(tensors[0].device()) + " and input " + std::to_string(i) + " is on device " +
                              toString(tensors[i].device()),
                          "Move one of them with to().",
                          {}});
        types.push_back(promotionOperand(tensors[i]));
    }
    if (tensors.empty()) return empty({1, 0});
    return observed::newTensors(
        "block_diag",
        [&] {
            Inputs inputs;
            for (const Tensor& t : tensors) inputs.push_back(&t);
            return inputs;
        },
        [&] {
            std::vector<Tensor> blocks;
            Index rows = 0, columns = 0;
            for (const Tensor& t : tensors) {
                Tensor block = t;
                while (block.dim() < 2) block = unsqueeze(block, 0);
                rows += block.size(0);
                columns += block.size(1);
                blocks.push_back(std::move(block));
            }
            Tensor out = zeros({rows, columns}, {resultType(types), tensors[0].device()});
            Index row = 0, column = 0;
            for (const Tensor& block : blocks) {
                copy_(narrow(narrow(out, 0, row, block.size(0)), 1, column, block.size(1)), block);
                row += block.size(0);
                column += block.size(1);
            }
            return out;
        },
        [] { return std::string(); });
}

} // namespace stridescope
