// Table entries: joining and repeating, indexing, sorting.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/histogram.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/masking.h"
#include "core/ops/operation_table.h"
#include "core/ops/padding.h"
#include "core/ops/sorting.h"
#include "core/ops/subscript.h"
#include "core/ops/view_scatter.h"
#include "core/ops/views.h"

namespace stridescope::operation_table {

namespace {

using dtypes::all;
using dtypes::reals;

using In = std::span<const Tensor>;
using Out = std::vector<Tensor>;

/// The last and the first place of a dim of size n >= 1.
Tensor ends(Index n, Device device) {
    return to(tensorFrom(NestedList::list({NestedList(Scalar(n - 1)), NestedList(Scalar(Index{0}))})), device);
}

} // namespace

std::span<const Operation> handles() {
    static const Operation kTable[] = {
        {"broadcast_to", "(input, size)", "expand, as a function.", "{.., 1 or n, ..} -> {.., n, ..}", all,
         OpGives::View, "VIEW-19 … VIEW-21"},
        {"split_with_sizes", "(input, split_sizes, dim=0)", "Pieces of given sizes.", "{.., n, ..} -> {.., k, ..} each",
         all, OpGives::View, "VIEW-31"},
        {"Tensor.resize_", "(*sizes)",
         "Row-major in another shape; a storage without room is changed for a larger one.", "{...} -> sizes", all,
         OpGives::View},
        {"Tensor.set_", "(storage, storage_offset, size, stride)", "A view of another storage.", "{...} -> size", all,
         OpGives::View, "DTYPE-07"},
        {"Tensor.t_", "()", "t, of the tensor itself.", "{m, n} -> {n, m}", all, OpGives::View, "VIEW-08"},
        {"Tensor.transpose_", "(dim0, dim1)", "transpose, of the tensor itself.", "two sizes swapped", all,
         OpGives::View},
        {"Tensor.squeeze_", "(dim=None)", "squeeze, of the tensor itself.", "without sizes of 1", all, OpGives::View},
        {"Tensor.unsqueeze_", "(dim)", "unsqueeze, of the tensor itself.", "one size of 1 more", all, OpGives::View},
        {"Tensor.as_strided_", "(size, stride, storage_offset=None)", "as_strided, of the tensor itself.",
         "{...} -> size", all, OpGives::View, "VIEW-22, VIEW-23, VIEW-25"},
    };
    return kTable;
}

std::span<const Operation> joining() {
    static const Operation kTable[] = {
        {"cat", "(tensors, dim=0)", "One behind the other along a dim.", "{.., n_i, ..} -> {.., sum n_i, ..}", all,
         OpGives::New, "JOIN-01 … JOIN-04", SampleInputs::Line,
         [](In in) {
             return Out{cat({in[0], in[0]}), cat({in[0], in[0]}, -1)};
         }},
        {"stack", "(tensors, dim=0)", "Together along a new dim.", "k times {...} -> {k, ...}", all, OpGives::New,
         "JOIN-01, JOIN-05", SampleInputs::Two,
         [](In in) {
             return Out{stack({in[0], in[1]})};
         }},
        {"hstack", "(tensors)", "Side by side.", "along dim 1, of vectors 0", all, OpGives::New,
         "JOIN-01, JOIN-03, JOIN-04", SampleInputs::Line,
         [](In in) {
             return Out{hstack({in[0], in[0]})};
         }},
        {"vstack", "(tensors)", "One below the other.", "along dim 0", all, OpGives::New, "JOIN-01, JOIN-03, JOIN-04",
         SampleInputs::Line,
         [](In in) {
             return Out{vstack({in[0], in[0]})};
         }},
        {"dstack", "(tensors)", "One behind the other.", "along dim 2", all, OpGives::New, "JOIN-01, JOIN-03, JOIN-04",
         SampleInputs::Line,
         [](In in) {
             return Out{dstack({in[0], in[0]})};
         }},
        {"column_stack", "(tensors)", "Vectors as columns.", "{n} … -> {n, k}", all, OpGives::New,
         "JOIN-01, JOIN-03, JOIN-04", SampleInputs::Line,
         [](In in) {
             return Out{columnStack({in[0], in[0]})};
         }},
        {"Tensor.repeat", "(*sizes)", "The whole tensor several times along each dim.", "sizes multiply", all,
         OpGives::New, "JOIN-06, JOIN-07", SampleInputs::Line,
         [](In in) { return Out{repeat(in[0], Dims(in[0].shape().size() + 1, 2))}; }},
        {"tile", "(input, dims)", "As repeat; missing leading repeats count as 1.", "sizes multiply", all, OpGives::New,
         "JOIN-07", SampleInputs::One, [](In in) { return Out{tile(in[0], {2})}; }},
        {"repeat_interleave", "(input, repeats, dim=None)", "Each element several times.",
         "{.., n, ..} -> {.., n r, ..}", all, OpGives::New, "JOIN-07, JOIN-08", SampleInputs::Line,
         [](In in) { return Out{repeatInterleave(in[0], 2, -1)}; }},
        {"roll", "(input, shifts, dims=None)", "Shifted; what falls out comes in at the front.", "{...} -> {...}", all,
         OpGives::New, "JOIN-09", SampleInputs::Line,
         [](In in) {
             return Out{roll(in[0], {1}, {0}), roll(in[0], {2})};
         }},
        {"fliplr", "(input)", "Reversed along dim 1.", "{a, b, ...} -> {a, b, ...}", all, OpGives::New, "JOIN-11",
         SampleInputs::Matrices, [](In in) { return Out{fliplr(in[0])}; }},
        {"flipud", "(input)", "Reversed along dim 0.", "{a, ...} -> {a, ...}", all, OpGives::New, "JOIN-11",
         SampleInputs::Line, [](In in) { return Out{flipud(in[0])}; }},
        {"rot90", "(input, k=1, dims=(0, 1))", "Turned by quarters.", "{a, b, ...} -> {b, a, ...}", all, OpGives::New,
         "JOIN-10", SampleInputs::Factors,
         [](In in) {
             return Out{rot90(in[0]), rot90(in[1], 2)};
         }},
        {"constant_pad_nd", "(input, pad, value=0)", "Room in front and behind, from the last dim on; negative: less.",
         "sizes grow", all, OpGives::New, "PAD-01, PAD-02, VIEW-04", SampleInputs::Line,
         [](In in) {
             return Out{constantPad(in[0], {1, 2}), constantPad(in[0], {-1, 3})};
         }},
        {"pixel_shuffle", "(input, upscale_factor)", "Channels become neighbours.",
         "{.., c f^2, h, w} -> {.., c, h f, w f}", all, OpGives::New, "PAD-03"},
        {"pixel_unshuffle", "(input, downscale_factor)", "Neighbours become channels.",
         "{.., c, h f, w f} -> {.., c f^2, h, w}", all, OpGives::New, "PAD-03"},
        {"channel_shuffle", "(input, groups)", "Channels as rows of groups, read by columns.", "{n, c, ...}", all,
         OpGives::New, "PAD-03"},
        {"tensor_split", "(input, indices_or_sections, dim=0)", "Views of nearly equal size, or cut at indices.",
         "several views", all, OpGives::View, "JOIN-11, JOIN-12", SampleInputs::Line,
         [](In in) { return Out{tensorSplit(in[0], 2).front()}; }},
        {"hsplit", "(input, indices_or_sections)", "Cut along dim 1; 1-d tensors along dim 0.", "several views", all,
         OpGives::View, "JOIN-11 … JOIN-13", SampleInputs::Matrices,
         [](In in) { return Out{hsplit(in[0], Dims{1}).back()}; }},
        {"vsplit", "(input, indices_or_sections)", "Cut along dim 0.", "several views", all, OpGives::View,
         "JOIN-11 … JOIN-13", SampleInputs::Matrices, [](In in) { return Out{vsplit(in[0], in[0].size(0)).back()}; }},
        {"dsplit", "(input, indices_or_sections)", "Cut along dim 2.", "several views", all, OpGives::View,
         "JOIN-11 … JOIN-13"},
        {"atleast_1d", "(*tensors)", "A tensor without dims gets one.", "{} -> {1}", all, OpGives::View, "",
         SampleInputs::One, [](In in) { return Out{atleast1d(in[0])}; }},
        {"atleast_2d", "(*tensors)", "Dims of size 1 in front, up to two dims.", "{n} -> {1, n}", all, OpGives::View,
         "", SampleInputs::One, [](In in) { return Out{atleast2d(in[0])}; }},
        {"atleast_3d", "(*tensors)", "Dims of size 1 in front and at the end, up to three dims.", "{n} -> {1, n, 1}",
         all, OpGives::View, "", SampleInputs::One, [](In in) { return Out{atleast3d(in[0])}; }},
        {"broadcast_tensors", "(*tensors)", "All in one shape, repeated without copying.", "broadcast, each", all,
         OpGives::View, "VIEW-20", SampleInputs::Two,
         [](In in) {
             return Out{broadcastTensors({in[0], in[1]})[0]};
         }},
    };
    return kTable;
}

std::span<const Operation> indexing() {
    static const Operation kTable[] = {
        {"Tensor.__getitem__", "(items)",
         "x[...]: numbers, slices, None and Ellipsis give a view, masks and index tensors a copy.", "{...}", all,
         OpGives::ViewOrCopy, "INDEX-01, INDEX-10 … INDEX-13", SampleInputs::Line,
         [](In in) {
             return Out{index(in[0], {IndexItem(ends(in[0].size(0), in[0].device()))}), index(in[0], {IndexItem(0)})};
         }},
        {"Tensor.__setitem__", "(items, value)", "x[...] = value; the value broadcasts.", "{...}", all,
         OpGives::InPlace, "INDEX-01, INDEX-05, INDEX-10 … INDEX-15, MASK-01, VIEW-19, VIEW-20"},
        {"index_select", "(input, dim, index)", "The slices that the index names.", "{.., n, ..} {k} -> {.., k, ..}",
         all, OpGives::New, "INDEX-01 … INDEX-04", SampleInputs::Line,
         [](In in) { return Out{indexSelect(in[0], -1, ends(in[0].size(-1), in[0].device()))}; }},
        {"gather", "(input, dim, index)", "out[i][j] = input[index[i][j]][j].", "{...} {...'} -> {...'}", all,
         OpGives::New, "INDEX-01 … INDEX-04", SampleInputs::Line,
         [](In in) {
             return Out{gather(in[0], 0, zeros(in[0].shape(), {DType::Int64, in[0].device()}))};
         }},
        {"take_along_dim", "(input, indices, dim=None)", "gather whose other sizes broadcast; without dim flattened.",
         "broadcast but for dim", all, OpGives::New, "INDEX-01 … INDEX-03", SampleInputs::Line,
         [](In in) {
             return Out{takeAlongDim(in[0], zeros(Dims(in[0].shape().size(), 1), {DType::Int64, in[0].device()}), 0)};
         }},
        {"take", "(input, index)", "Elements by their place in the flat order.", "{...} {...'} -> {...'}", all,
         OpGives::New, "INDEX-01, INDEX-02, INDEX-08", SampleInputs::Line,
         [](In in) { return Out{take(in[0], ends(in[0].numel(), in[0].device()))}; }},
        {"scatter", "(input, dim, index, src, *, reduce=None)", "Tensor.scatter_ on a copy.", "{...} -> {...}", all,
         OpGives::New, "INDEX-01 … INDEX-05"},
        {"scatter_add", "(input, dim, index, src)", "Tensor.scatter_add_ on a copy.", "{...} -> {...}", all,
         OpGives::New, "INDEX-01 … INDEX-05"},
        {"index_fill", "(input, dim, index, value)", "Tensor.index_fill_ on a copy.", "{...} -> {...}", all,
         OpGives::New, "INDEX-01 … INDEX-03, INDEX-05, INDEX-07"},
        {"index_copy", "(input, dim, index, source)", "Tensor.index_copy_ on a copy.", "{...} -> {...}", all,
         OpGives::New, "INDEX-01 … INDEX-05"},
        {"index_add", "(input, dim, index, source, *, alpha=1)", "Tensor.index_add_ on a copy.", "{...} -> {...}", all,
         OpGives::New, "INDEX-01 … INDEX-05"},
        {"put", "(input, index, source, accumulate=False)", "Tensor.put_ on a copy.", "{...} -> {...}", all,
         OpGives::New, "INDEX-01, INDEX-02, INDEX-05, INDEX-06, INDEX-08"},
        {"masked_fill", "(input, mask, value)", "Tensor.masked_fill_ on a copy.", "broadcast", all, OpGives::New,
         "MASK-01, MASK-02"},
        {"Tensor.scatter_", "(dim, index, src, reduce=None)", "input[index[i][j]][j] = src[i][j].", "{...}", all,
         OpGives::InPlace, "INDEX-01 … INDEX-05"},
        {"Tensor.scatter_add_", "(dim, index, src)", "The same, adding.", "{...}", all, OpGives::InPlace,
         "INDEX-01 … INDEX-05"},
        {"scatter_reduce", "(input, dim, index, src, reduce, *, include_self=True)",
         "Each element the sum, prod, mean, amax or amin of itself and what src has for it.", "{...} -> {...}", all,
         OpGives::New, "INDEX-01 … INDEX-05, INDEX-16", SampleInputs::Two,
         [](In in) {
             // Lines, as index and src of a tensor without dims are other ones.
             const Tensor x = flatten(in[0]), y = flatten(in[1]);
             return Out{scatterReduce(x, 0, zeros(x.shape(), {DType::Int64, x.device()}), y, ReduceBy::Prod),
                        scatterReduce(x, 0, zeros(x.shape(), {DType::Int64, x.device()}), y, ReduceBy::Sum, false)};
         }},
        {"Tensor.scatter_reduce_", "(dim, index, src, reduce, *, include_self=True)", "The same in place.", "{...}",
         all, OpGives::InPlace, "INDEX-01 … INDEX-05, INDEX-16"},
        {"index_reduce", "(input, dim, index, source, reduce, *, include_self=True)",
         "Each slice the prod, mean, amax or amin of itself and those that source has for it.", "{...} -> {...}", all,
         OpGives::New, "INDEX-01 … INDEX-05, INDEX-16"},
        {"Tensor.index_reduce_", "(dim, index, source, reduce, *, include_self=True)", "The same in place.", "{...}",
         all, OpGives::InPlace, "INDEX-01 … INDEX-05, INDEX-16"},
        {"index_put_", "(indices, values, accumulate=False)", "x[indices] = values, or += values.", "{...}", all,
         OpGives::InPlace, "INDEX-01, INDEX-05, INDEX-10 … INDEX-15"},
        {"index_put", "(indices, values, accumulate=False)", "The same on a copy.", "{...} -> {...}", all, OpGives::New,
         "INDEX-01, INDEX-05, INDEX-10 … INDEX-15"},
        {"Tensor.put_", "(index, source, accumulate=False)", "Elements by their place in the flat order.", "{...}", all,
         OpGives::InPlace, "INDEX-01, INDEX-02, INDEX-05, INDEX-06, INDEX-08"},
        {"Tensor.index_fill_", "(dim, index, value)", "The slices named become one number.", "{...}", all,
         OpGives::InPlace, "INDEX-01 … INDEX-03, INDEX-05, INDEX-07"},
        {"Tensor.index_copy_", "(dim, index, source)", "Slice index[i] becomes slice i of source.", "{...}", all,
         OpGives::InPlace, "INDEX-01 … INDEX-05"},
        {"Tensor.index_add_", "(dim, index, source, *, alpha=1)", "Slice index[i] grows by slice i of source.", "{...}",
         all, OpGives::InPlace, "INDEX-01 … INDEX-05"},
        {"select_scatter", "(input, src, dim, index)", "A copy in which one slice is src.", "{...} {...'} -> {...}",
         all, OpGives::New, "SCATTER-01, VIEW-03", SampleInputs::Line,
         [](In in) { return Out{selectScatter(in[0], zerosLike(select(in[0], 0, 0)), 0, -1)}; }},
        {"slice_scatter", "(input, src, dim=0, start=None, end=None, step=1)", "A copy in which a stretch is src.",
         "{...} {...'} -> {...}", all, OpGives::New, "SCATTER-01", SampleInputs::Line,
         [](In in) { return Out{sliceScatter(in[0], zerosLike(narrow(in[0], -1, 0, 1)), -1, 0, 1)}; }},
        {"diagonal_scatter", "(input, src, offset=0, dim1=0, dim2=1)", "A copy in which a diagonal is src.",
         "{...} {...'} -> {...}", all, OpGives::New, "SCATTER-01, VIEW-06", SampleInputs::Matrices,
         [](In in) { return Out{diagonalScatter(in[0], zerosLike(diagonal(in[0], 0, -2, -1)), 0, -2, -1)}; }},
        {"as_strided_scatter", "(input, src, size, stride, storage_offset=None)",
         "A copy in which the slots of a view are src.", "{...} size -> {...}", all, OpGives::New,
         "SCATTER-01, VIEW-22, VIEW-23", SampleInputs::Line,
         [](In in) {
             return Out{asStridedScatter(in[0], zeros({1}, {in[0].dtype(), in[0].device()}), {1}, {1})};
         }},
        {"masked_select", "(input, mask)", "The elements where the mask is true.", "broadcast -> {n}", all,
         OpGives::New, "MASK-01", SampleInputs::Two,
         [](In in) {
             return Out{maskedSelect(in[0], ones(in[1].shape(), {DType::Bool, in[0].device()}))};
         }},
        {"Tensor.masked_fill_", "(mask, value)", "Elements where the mask is true become one number.", "{...}", all,
         OpGives::InPlace, "MASK-01, MASK-02"},
        {"Tensor.masked_scatter_", "(mask, source)", "They become source's elements in order.", "{...}", all,
         OpGives::InPlace, "MASK-01, MASK-03, MASK-04, VIEW-19, VIEW-20"},
        {"masked_scatter", "(input, mask, source)", "The same on a copy.", "broadcast", all, OpGives::New,
         "MASK-01, MASK-03, MASK-04", SampleInputs::Two,
         [](In in) {
             return Out{maskedScatter(in[0], ones(in[1].shape(), {DType::Bool, in[0].device()}), in[1])};
         }},
        {"where", "(condition, input, other)", "input where the condition holds, else other.", "broadcast", all,
         OpGives::New, "MASK-01", SampleInputs::Two,
         [](In in) {
             return Out{where(zeros(in[0].shape(), {DType::Bool, in[0].device()}), in[0], in[1])};
         }},
        {"nonzero", "(input, *, as_tuple=False)", "Coords of the elements that are not 0.", "{...} -> {n, dims}", all,
         OpGives::New, "", SampleInputs::One, [](In in) { return Out{nonzero(in[0])}; }},
        {"argwhere", "(input)", "The same.", "{...} -> {n, dims}", all, OpGives::New, "", SampleInputs::One,
         [](In in) { return Out{argwhere(in[0])}; }},
    };
    return kTable;
}

std::span<const Operation> sorting() {
    static const Operation kTable[] = {
        {"sort", "(input, dim=-1, descending=False, stable=False)",
         "In order, with where the elements came from; stable.", "{...} -> {...} {...}", dtypes::reals, OpGives::New,
         "SORT-01", SampleInputs::Line,
         [](In in) {
             const ValuesAndIndices found = sort(in[0]);
             return Out{found.values, found.indices, sort(in[0], 0, true).values};
         }},
        {"argsort", "(input, dim=-1, descending=False)", "Where the elements in order came from.", "{...} -> {...}",
         dtypes::reals, OpGives::New, "SORT-01", SampleInputs::Line, [](In in) { return Out{argsort(in[0], 0)}; }},
        {"topk", "(input, k, dim=-1, largest=True, sorted=True)",
         "The k largest along a dim; of equal ones those, and in the order, that PyTorch's algorithm leaves.",
         "{.., n} -> {.., k} {.., k}", dtypes::reals.without(DType::Bool), OpGives::New, "SORT-01, SORT-02",
         SampleInputs::Line, [](In in) { return Out{topk(in[0], 1).values}; }},
        {"kthvalue", "(input, k, dim=-1, keepdim=False)", "The k-th smallest along a dim.", "{.., n} -> {..} {..}",
         dtypes::reals.without(DType::Bool), OpGives::New, "SORT-01 … SORT-03", SampleInputs::Line,
         [](In in) { return Out{kthvalue(in[0], 1).values}; }},
        {"unique", "(input, return_inverse=False, return_counts=False, dim=None)", "The distinct values in order.",
         "{...} -> {n}", dtypes::reals, OpGives::New, "SORT-01, SORT-07", SampleInputs::One,
         [](In in) {
             const UniqueValues found = unique(in[0], {true, true});
             return Out{found.values, found.inverse, found.counts};
         }},
        {"unique_consecutive", "(input, return_inverse=False, return_counts=False, dim=None)",
         "Without elements equal to the one before.", "{...} -> {n}", dtypes::reals, OpGives::New, "SORT-01",
         SampleInputs::One, [](In in) { return Out{uniqueConsecutive(in[0]).values}; }},
        {"msort", "(input)", "sort along dim 0, the values alone.", "{n, ..} -> {n, ..}", reals, OpGives::New,
         "SORT-01", SampleInputs::Line, [](In in) { return Out{sort(in[0], 0).values}; }},
        {"isin", "(elements, test_elements, *, assume_unique=False, invert=False)",
         "Is each element one of the others?", "{...} {...'} -> {...}, bool", reals.without(DType::Bool), OpGives::New,
         "SORT-01", SampleInputs::Two, [](In in) { return Out{isin(in[0], in[1])}; }},
        {"searchsorted", "(sorted_sequence, input, *, right=False)", "The places before which values belong.",
         "{n} {...} -> {...}", dtypes::reals.without(DType::Bool), OpGives::New, "SORT-01, SORT-04"},
        {"bucketize", "(input, boundaries, *, right=False)", "The same with 1-d boundaries.", "{...} {n} -> {...}",
         dtypes::reals.without(DType::Bool), OpGives::New, "SORT-01, SORT-04"},
        {"bincount", "(input, weights=None, minlength=0)", "How often each number comes.", "{n} -> {max + 1}",
         dtypes::integers, OpGives::New, "SORT-01, SORT-05"},
        {"histc", "(input, bins=100, min=0, max=0)", "Counts in intervals of equal width.", "{...} -> {bins}",
         dtypes::wideFloats, OpGives::New, "SORT-01, SORT-06", SampleInputs::One,
         [](In in) { return Out{histc(in[0], 4, -2, 4)}; }},
        {"histogram", "(input, bins, *, range=None, weight=None, density=False)",
         "Counts, or sums of weights, between edges; and the edges.", "{...} -> {bins} {bins + 1}", dtypes::wideFloats,
         OpGives::New, "HIST-01 … HIST-04", SampleInputs::One,
         [](In in) {
             Histogram h = histogram(in[0], 4, std::vector<double>{-2, 4}, {in[0], true});
             return Out{std::move(h.counts), std::move(h.edges)};
         }},
        {"histogramdd", "(input, bins, range=None, weight=None, density=False)", "The same of points, in boxes.",
         "{..., d} -> {bins, ...} {bins + 1} …", dtypes::wideFloats, OpGives::New, "ELEM-04, HIST-01 … HIST-05",
         SampleInputs::Matrices,
         [](In in) {
             const auto dims = static_cast<std::size_t>(in[0].size(-1));
             std::vector<double> range;
             for (std::size_t d = 0; d < dims; ++d) range.insert(range.end(), {-2.0, 4.0});
             HistogramOfPoints h = histogramOfPoints(in[0], Dims(dims, 2), range);
             h.edges.push_back(std::move(h.counts));
             return std::move(h.edges);
         }},
    };
    return kTable;
}

} // namespace stridescope::operation_table
