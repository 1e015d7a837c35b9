// Timed calls: views, copies, joining, indexing.

#include "core/ops/copy.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/masking.h"
#include "core/ops/padding.h"
#include "core/ops/view_scatter.h"
#include "core/ops/views.h"
#include "core/timing/timed_calls.h"

namespace stridescope::timing::calls {

std::span<const TimedOperation> shaping() {
    static const TimedOperation kTable[] = {
        {"select", "A.select(0, 0)", Operands::Matrix, [](In in) { return one(select(in[0], 0, 0)); }, nullptr},
        {"narrow", "A.narrow(0, 0, n // 2)", Operands::Matrix,
         [](In in) { return one(narrow(in[0], 0, 0, in[0].size(0) / 2)); }, nullptr},
        {"slice", "A[:, ::2]", Operands::Matrix, [](In in) { return one(slice(in[0], 1, 0, std::nullopt, 2)); },
         nullptr},
        {"diagonal", "A.diagonal()", Operands::Matrix, [](In in) { return one(diagonal(in[0])); }, nullptr},
        {"unfold", "A.unfold(0, 1, 1)", Operands::Matrix, [](In in) { return one(unfold(in[0], 0, 1, 1)); }, nullptr},
        {"t", "A.t()", Operands::Matrix, [](In in) { return one(t(in[0])); }, nullptr},
        {"transpose", "A.transpose(0, 1)", Operands::Matrix, [](In in) { return one(transpose(in[0], 0, 1)); },
         nullptr},
        {"swapaxes", "A.swapaxes(0, 1)", Operands::Matrix, [](In in) { return one(swapaxes(in[0], 0, 1)); }, nullptr},
        {"swapdims", "A.swapdims(0, 1)", Operands::Matrix, [](In in) { return one(swapaxes(in[0], 0, 1)); }, nullptr},
        {"unflatten", "A.unflatten(1, (1, n))", Operands::Matrix,
         [](In in) {
             return one(unflatten(in[0], 1, {1, in[0].size(1)}));
         },
         nullptr},
        {"permute", "A.permute(1, 0)", Operands::Matrix,
         [](In in) {
             return one(permute(in[0], {1, 0}));
         },
         nullptr},
        {"movedim", "A.movedim(0, 1)", Operands::Matrix, [](In in) { return one(movedim(in[0], {0}, {1})); }, nullptr},
        {"unsqueeze", "A.unsqueeze(0)", Operands::Matrix, [](In in) { return one(unsqueeze(in[0], 0)); }, nullptr},
        {"squeeze", "A.squeeze()", Operands::Matrix, [](In in) { return one(squeeze(in[0])); }, nullptr},
        {"view", "A.view(n * n)", Operands::Matrix, [](In in) { return one(view(in[0], {in[0].numel()})); }, nullptr},
        {"reshape", "A.reshape(n * n)", Operands::Matrix, [](In in) { return one(reshape(in[0], {in[0].numel()})); },
         nullptr},
        {"flatten", "A.flatten()", Operands::Matrix, [](In in) { return one(flatten(in[0])); }, nullptr},
        {"expand", "A.expand(2, n, n)", Operands::Matrix,
         [](In in) {
             return one(expand(in[0], {2, in[0].size(0), in[0].size(1)}));
         },
         nullptr},
        {"as_strided", "A.as_strided((n,), (1,))", Operands::Matrix,
         [](In in) { return one(asStrided(in[0], {in[0].size(0)}, {1})); }, nullptr},
        {"split", "A.split(n // 2)", Operands::Matrix,
         [](In in) { return many(split(in[0], std::max<Index>(1, in[0].size(0) / 2))); }, nullptr},
        {"chunk", "A.chunk(2)", Operands::Matrix, [](In in) { return many(chunk(in[0], 2)); }, nullptr},
        {"unbind", "A.unbind()", Operands::Matrix, [](In in) { return many(unbind(in[0])); }, nullptr},
        {"contiguous", "A.t().contiguous()", Operands::Matrix,
         [](In in) { return one(contiguous(transpose(in[0], 0, 1))); }, nullptr, true},
        {"clone", "A.clone()", Operands::Matrix, [](In in) { return one(clone(in[0])); }, nullptr, true},
        {"flip", "A.flip(0)", Operands::Matrix, [](In in) { return one(flip(in[0], {0})); }, nullptr, true},
        {"Tensor.to", "A.to(torch.float64)", Operands::Matrix, [](In in) { return one(to(in[0], DType::Float64)); },
         nullptr, true},
        {"Tensor.copy_", "A.copy_(B)", Operands::TwoMatrices, [](In in) { return one(copy_(in[0], in[1])); }, nullptr,
         true},
        {"Tensor.fill_", "A.fill_(3)", Operands::Matrix, [](In in) { return one(fill_(in[0], Scalar(3))); }, nullptr,
         true},
        {"Tensor.zero_", "A.zero_()", Operands::Matrix, [](In in) { return one(zero_(in[0])); }, nullptr, true},
        {"cat", "torch.cat([A, B])", Operands::TwoMatrices,
         [](In in) {
             return one(cat({in[0], in[1]}));
         },
         nullptr, true},
        {"stack", "torch.stack([A, B])", Operands::TwoMatrices,
         [](In in) {
             return one(stack({in[0], in[1]}));
         },
         nullptr, true},
        {"hstack", "torch.hstack([A, B])", Operands::TwoMatrices,
         [](In in) {
             return one(hstack({in[0], in[1]}));
         },
         nullptr, true},
        {"vstack", "torch.vstack([A, B])", Operands::TwoMatrices,
         [](In in) {
             return one(vstack({in[0], in[1]}));
         },
         nullptr, true},
        {"dstack", "torch.dstack([A, B])", Operands::TwoMatrices,
         [](In in) {
             return one(dstack({in[0], in[1]}));
         },
         nullptr, true},
        {"column_stack", "torch.column_stack([A, B])", Operands::TwoMatrices,
         [](In in) {
             return one(columnStack({in[0], in[1]}));
         },
         nullptr, true},
        {"Tensor.repeat", "A.repeat(2, 2)", Operands::Matrix,
         [](In in) {
             return one(repeat(in[0], {2, 2}));
         },
         nullptr, true},
        {"tile", "torch.tile(A, (2, 2))", Operands::Matrix,
         [](In in) {
             return one(tile(in[0], {2, 2}));
         },
         nullptr, true},
        {"repeat_interleave", "torch.repeat_interleave(A, 2, 0)", Operands::Matrix,
         [](In in) { return one(repeatInterleave(in[0], 2, 0)); }, nullptr, true},
        {"roll", "torch.roll(A, 1)", Operands::Matrix, [](In in) { return one(roll(in[0], {1})); }, nullptr, true},
        {"fliplr", "torch.fliplr(A)", Operands::Matrix, [](In in) { return one(fliplr(in[0])); }, nullptr, true},
        {"flipud", "torch.flipud(A)", Operands::Matrix, [](In in) { return one(flipud(in[0])); }, nullptr, true},
        {"rot90", "torch.rot90(A)", Operands::Matrix, [](In in) { return one(rot90(in[0])); }, nullptr, true},
        {"constant_pad_nd", "torch.constant_pad_nd(A, (1, 1))", Operands::Matrix,
         [](In in) {
             return one(constantPad(in[0], {1, 1}));
         },
         nullptr, true},
        {"pixel_shuffle", "torch.pixel_shuffle(A, 2)", Operands::Image,
         [](In in) { return one(pixelShuffle(in[0], 2)); }, nullptr, true},
        {"channel_shuffle", "torch.channel_shuffle(A, 2)", Operands::Image,
         [](In in) { return one(channelShuffle(in[0], 2)); }, nullptr, true},
        {"index_select", "torch.index_select(A, 0, B)", Operands::MatrixIndex,
         [](In in) { return one(indexSelect(in[0], 0, in[1])); }, nullptr, true},
        {"gather", "torch.gather(A, 1, B)", Operands::MatrixIndexMatrix,
         [](In in) { return one(gather(in[0], 1, in[1])); }, nullptr, true},
        {"take_along_dim", "torch.take_along_dim(A, B, 1)", Operands::MatrixIndexMatrix,
         [](In in) { return one(takeAlongDim(in[0], in[1], 1)); }, nullptr, true},
        {"take", "torch.take(A, B)", Operands::MatrixIndexMatrix, [](In in) { return one(take(in[0], in[1])); },
         nullptr, true},
        {"scatter", "torch.scatter(A, 1, B, C)", Operands::MatrixIndexSource,
         [](In in) { return one(scatter(in[0], 1, in[1], in[2])); }, nullptr, true},
        {"scatter_add", "torch.scatter_add(A, 1, B, C)", Operands::MatrixIndexSource,
         [](In in) { return one(scatterAdd(in[0], 1, in[1], in[2])); }, nullptr, true},
        {"scatter_reduce", "torch.scatter_reduce(A, 1, B, C, 'amax')", Operands::MatrixIndexSource,
         [](In in) { return one(scatterReduce(in[0], 1, in[1], in[2], ReduceBy::Amax)); }, nullptr, true},
        {"Tensor.index_fill_", "A.index_fill_(0, B, 3)", Operands::MatrixIndex,
         [](In in) { return one(indexFill_(in[0], 0, in[1], Scalar(3))); }, nullptr, true},
        {"masked_fill", "A.masked_fill(B, 3)", Operands::MatrixMask,
         [](In in) { return one(maskedFill(in[0], in[1], Scalar(3))); }, nullptr, true},
        {"masked_select", "A[B]", Operands::MatrixMask, [](In in) { return one(maskedSelect(in[0], in[1])); }, nullptr,
         true},
        {"Tensor.masked_fill_", "A.masked_fill_(B, 3)", Operands::MatrixMask,
         [](In in) { return one(maskedFill_(in[0], in[1], Scalar(3))); }, nullptr, true},
        {"where", "torch.where(C, A, B)", Operands::TwoMatricesMask,
         [](In in) { return one(where(in[2], in[0], in[1])); }, nullptr, true},
        {"nonzero", "torch.nonzero(B)", Operands::MatrixMask, [](In in) { return one(nonzero(in[1])); }, nullptr, true},
        {"argwhere", "torch.argwhere(B)", Operands::MatrixMask, [](In in) { return one(argwhere(in[1])); }, nullptr,
         true},
        {"select_scatter", "torch.select_scatter(A, A[0], 0, 0)", Operands::Matrix,
         [](In in) { return one(selectScatter(in[0], select(in[0], 0, 0), 0, 0)); }, nullptr, true},
        {"diagonal_scatter", "torch.diagonal_scatter(A, A.diagonal())", Operands::Matrix,
         [](In in) { return one(diagonalScatter(in[0], diagonal(in[0]))); }, nullptr, true},
    };
    return kTable;
}

} // namespace stridescope::timing::calls
