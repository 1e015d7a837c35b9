// Table entries: reductions, extrema, order statistics, scans.

#include "core/ops/differences.h"
#include "core/ops/extrema.h"
#include "core/ops/gradient.h"
#include "core/ops/joining.h"
#include "core/ops/operation_table.h"
#include "core/ops/order_statistics.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"

#include <cmath>

namespace stridescope::operation_table {

namespace {

using dtypes::complexes;
using dtypes::floats;
using dtypes::integers;
using dtypes::reals;
using dtypes::wideFloats;

using In = std::span<const Tensor>;
using Out = std::vector<Tensor>;

constexpr DTypeSet kMeans = floats | complexes;
constexpr DTypeSet kNoHalf = dtypes::all.without(DType::Float16);
constexpr DTypeSet kOrdered = integers | wideFloats;
constexpr std::string_view kShape = "{...} -> {} or without the dims";

Out both(const ValuesAndIndices& found) {
    return {found.values, found.indices};
}

} // namespace

std::span<const Operation> reductions() {
    static const Operation kTable[] = {
        {"sum", "(input, dim=None, keepdim=False, dtype=None)", "Sum; integers give int64.", kShape, dtypes::all,
         OpGives::New, "RED-01", SampleInputs::Line,
         [](In in) {
             return Out{sum(in[0]), sum(in[0], -1), sum(in[0], 0, true)};
         }},
        {"Tensor.sum_to_size", "(*size)", "What expanding from that size repeated, added up again.", "{...} -> size",
         dtypes::all, OpGives::SameOrNew, "RED-09", SampleInputs::Line,
         [](In in) {
             return Out{sumToSize(in[0], Dims{1}), sumToSize(in[0], in[0].shape()), sumToSize(in[0], Dims())};
         }},
        {"nansum", "(input, dim=None, keepdim=False, dtype=None)", "Sum where NaN counts as 0.", kShape, reals,
         OpGives::New, "RED-01, RED-06, RED-07", SampleInputs::Line,
         [](In in) {
             return Out{nansum(in[0]), nansum(in[0], 0)};
         }},
        {"mean", "(input, dim=None, keepdim=False, dtype=None)", "Arithmetic mean.", kShape, kMeans, OpGives::New,
         "RED-01, RED-02", SampleInputs::Line,
         [](In in) {
             return Out{mean(in[0]), mean(in[0], 0)};
         }},
        {"nanmean", "(input, dim=None, keepdim=False, dtype=None)", "Mean of what is not NaN.", kShape, floats,
         OpGives::New, "RED-01, RED-02, RED-07", SampleInputs::Line,
         [](In in) {
             return Out{nanmean(in[0]), nanmean(in[0], 0)};
         }},
        {"prod", "(input, dim=None, keepdim=False, dtype=None)", "Product; integers give int64.", kShape, kNoHalf,
         OpGives::New, "RED-01, RED-07", SampleInputs::Line,
         [](In in) {
             return Out{prod(in[0]), prod(in[0], -1)};
         }},
        {"var", "(input, dim=None, correction=1, keepdim=False)", "Variance.", kShape, kMeans, OpGives::New,
         "RED-01, RED-02", SampleInputs::Line,
         [](In in) {
             return Out{var(in[0], {}, 0), var(in[0], 0, 0)};
         }},
        {"std", "(input, dim=None, correction=1, keepdim=False)", "Standard deviation.", kShape, kMeans, OpGives::New,
         "RED-01, RED-02", SampleInputs::Line,
         [](In in) {
             return Out{stddev(in[0], {}, 0), stddev(in[0], -1, 0)};
         }},
        {"norm", "(input, p='fro', dim=None, keepdim=False, dtype=None)", "p-norm of all elements or along dims.",
         kShape, kMeans, OpGives::New, "RED-01, RED-02, RED-05", SampleInputs::Line,
         [](In in) {
             return Out{norm(in[0]), norm(in[0], 1.0, 0), norm(in[0], HUGE_VAL)};
         }},
        {"dist", "(input, other, p=2)", "Norm of the difference.", "broadcast -> {}", kMeans, OpGives::New,
         "BOOL-01, BOOL-02, RED-02", SampleInputs::Two, [](In in) { return Out{dist(in[0], in[1])}; }},
        {"all", "(input, dim=None, keepdim=False)", "Is every element true?", kShape, dtypes::all, OpGives::New,
         "RED-01", SampleInputs::Line,
         [](In in) {
             return Out{all(in[0]), all(in[0], 0)};
         }},
        {"any", "(input, dim=None, keepdim=False)", "Is any element true?", kShape, dtypes::all, OpGives::New, "RED-01",
         SampleInputs::Line,
         [](In in) {
             return Out{any(in[0]), any(in[0], 0)};
         }},
        {"count_nonzero", "(input, dim=None)", "How many elements are not 0.", kShape, dtypes::all, OpGives::New,
         "RED-01", SampleInputs::Line,
         [](In in) {
             return Out{countNonzero(in[0]), countNonzero(in[0], 0)};
         }},
        {"logsumexp", "(input, dim, keepdim=False)", "Logarithm of the sum of exponentials.",
         "{...} -> without the dims", reals.without(DType::Float16), OpGives::New, "RED-01, RED-02, RED-07",
         SampleInputs::Line, [](In in) { return Out{logsumexp(in[0], 0)}; }},
        {"max", "(input, dim=None, keepdim=False)", "Largest element; along a dim with its position.", kShape, reals,
         OpGives::New, "CPLX-05, RED-03, RED-04, RED-07", SampleInputs::Line,
         [](In in) { return both(max(in[0], -1)); }},
        {"min", "(input, dim=None, keepdim=False)", "Smallest element; along a dim with its position.", kShape, reals,
         OpGives::New, "CPLX-05, RED-03, RED-04, RED-07", SampleInputs::Line,
         [](In in) { return both(min(in[0], -1)); }},
        {"amax", "(input, dim=(), keepdim=False)", "Largest element over any dims.", kShape, reals, OpGives::New,
         "RED-01, RED-03, RED-04, RED-07", SampleInputs::Line,
         [](In in) {
             return Out{amax(in[0]), amax(in[0], 0)};
         }},
        {"amin", "(input, dim=(), keepdim=False)", "Smallest element over any dims.", kShape, reals, OpGives::New,
         "RED-01, RED-03, RED-04, RED-07", SampleInputs::Line,
         [](In in) {
             return Out{amin(in[0]), amin(in[0], 0)};
         }},
        {"aminmax", "(input, *, dim=None, keepdim=False)", "Both at once.", kShape, reals.without(DType::Float16),
         OpGives::New, "RED-03, RED-04, RED-07", SampleInputs::Line,
         [](In in) {
             const MinAndMax found = aminmax(in[0]);
             return Out{found.min, found.max};
         }},
        {"argmax", "(input, dim=None, keepdim=False)", "Where the largest element is.", kShape,
         reals.without(DType::Bool), OpGives::New, "RED-03, RED-04, RED-07", SampleInputs::Line,
         [](In in) {
             return Out{argmax(in[0]), argmax(in[0], 0)};
         }},
        {"argmin", "(input, dim=None, keepdim=False)", "Where the smallest element is.", kShape,
         reals.without(DType::Bool), OpGives::New, "RED-03, RED-04, RED-07", SampleInputs::Line,
         [](In in) {
             return Out{argmin(in[0]), argmin(in[0], 0)};
         }},
        {"median", "(input, dim=None, keepdim=False)", "The lower of the two middle elements.", kShape, kOrdered,
         OpGives::New, "RED-04, RED-07", SampleInputs::Line,
         [](In in) {
             return Out{median(in[0]), median(in[0], -1).values};
         }},
        {"nanmedian", "(input, dim=None, keepdim=False)", "The same of what is not NaN.", kShape, kOrdered,
         OpGives::New, "RED-04, RED-07", SampleInputs::Line, [](In in) { return Out{nanmedian(in[0])}; }},
        {"mode", "(input, dim=-1, keepdim=False)", "The most frequent element.", "{..., n} -> {...} {...}", reals,
         OpGives::New, "RED-04, RED-07", SampleInputs::Line, [](In in) { return Out{mode(in[0]).values}; }},
        {"std_mean", "(input, dim=None, correction=1, keepdim=False)", "std and mean at once.", kShape, kMeans,
         OpGives::New, "RED-01, RED-02", SampleInputs::Line,
         [](In in) {
             const SpreadAndMean found = stddevMean(in[0], 0, 0);
             return Out{found.spread, found.mean};
         }},
        {"var_mean", "(input, dim=None, correction=1, keepdim=False)", "var and mean at once.", kShape, kMeans,
         OpGives::New, "RED-01, RED-02", SampleInputs::Line,
         [](In in) {
             const SpreadAndMean found = varMean(in[0], {}, 0);
             return Out{found.spread, found.mean};
         }},
        {"nanquantile", "(input, q, dim=None, keepdim=False, *, interpolation='linear')", "quantile without NaN.",
         kShape, wideFloats, OpGives::New, "RED-08", SampleInputs::Line,
         [](In in) {
             return Out{nanquantile(in[0], 0.3), nanquantile(in[0], 0.5, 0)};
         }},
        {"quantile", "(input, q, dim=None, keepdim=False, *, interpolation='linear')",
         "The element at q of the sorted line.", kShape, wideFloats, OpGives::New, "RED-08", SampleInputs::Line,
         [](In in) {
             return Out{quantile(in[0], 0.3), quantile(in[0], 0.5, 0)};
         }},
        {"cumsum", "(input, dim, *, dtype=None)", "Running sum.", "{...} -> {...}", kNoHalf, OpGives::New, "RED-07",
         SampleInputs::Line,
         [](In in) {
             return Out{cumsum(in[0], 0), cumsum(in[0], -1)};
         }},
        {"cumprod", "(input, dim, *, dtype=None)", "Running product.", "{...} -> {...}", kNoHalf, OpGives::New,
         "RED-07", SampleInputs::Line, [](In in) { return Out{cumprod(in[0], 0)}; }},
        {"cummax", "(input, dim)", "Running maximum and where it is.", "{...} -> {...} {...}",
         reals.without(DType::Float16), OpGives::New, "RED-07", SampleInputs::Line,
         [](In in) { return both(cummax(in[0], 0)); }},
        {"cummin", "(input, dim)", "Running minimum and where it is.", "{...} -> {...} {...}",
         reals.without(DType::Float16), OpGives::New, "RED-07", SampleInputs::Line,
         [](In in) { return both(cummin(in[0], -1)); }},
        {"logcumsumexp", "(input, dim)", "Logarithm of the running sum of exponentials.", "{...} -> {...}", wideFloats,
         OpGives::New, "RED-07", SampleInputs::Line, [](In in) { return Out{logcumsumexp(in[0], 0)}; }},
        {"diff", "(input, n=1, dim=-1, prepend=None, append=None)", "Differences of neighbours.",
         "{.., k, ..} -> {.., k - n, ..}", dtypes::all, OpGives::New, "DIFF-01, DIFF-04", SampleInputs::Line,
         [](In in) {
             return Out{diff(in[0]), diff(in[0], 2, 0)};
         }},
        {"gradient", "(input, *, spacing=1, dim=None, edge_order=1)", "Slopes by differences, along each dim.",
         "{...} -> {...} for each dim", dtypes::all.without(DTypeSet(DType::UInt8) | DType::Bool), OpGives::New,
         "BOOL-01, GRAD-01 … GRAD-06", SampleInputs::Line,
         [](In in) { return gradient(cat({in[0], in[0], in[0]}, 0), {Scalar(2)}, Dims{0}, 2); }},
        {"trapezoid", "(y, x=None, *, dx=None, dim=-1)", "Area under straight lines through the points.",
         "{..} -> without the dim", dtypes::all.without(DType::Bool), OpGives::New, "DIFF-03, DIFF-04",
         SampleInputs::Line, [](In in) { return Out{trapezoid(in[0], 0.5, 0)}; }},
        {"cumulative_trapezoid", "(y, x=None, *, dx=None, dim=-1)", "The areas up to each point.",
         "{.., k, ..} -> {.., k - 1, ..}", kNoHalf.without(DType::Bool), OpGives::New, "DIFF-03, DIFF-04, RED-07",
         SampleInputs::Line, [](In in) { return Out{cumulativeTrapezoid(cat(Out(2, in[0]), -1))}; }},
        {"cov", "(input, *, correction=1, fweights=None, aweights=None)", "Covariances of rows.", "{v, n} -> {v, v}",
         integers | wideFloats | complexes, OpGives::New, "DIFF-02 … DIFF-04, MM-04", SampleInputs::TwoMatrices,
         [](In in) { return Out{cov(in[0], 0)}; }},
        {"corrcoef", "(input)", "Correlations of rows, -1 to 1.", "{v, n} -> {v, v}", integers | wideFloats | complexes,
         OpGives::New, "DIFF-02, DIFF-03, MM-04", SampleInputs::TwoMatrices,
         [](In in) { return Out{corrcoef(in[0])}; }},
        {"cdist", "(x1, x2, p=2.0)", "Distances between rows.", "{.., m, k} {.., n, k} -> {.., m, n}", floats,
         OpGives::New, "DIFF-02, DIFF-04", SampleInputs::Matrices, [](In in) { return Out{cdist(in[0], in[0], 3)}; }},
        {"pdist", "(input, p=2.0)", "Distances between rows i < j, pair by pair.", "{n, k} -> {n (n - 1) / 2}", floats,
         OpGives::New, "DIFF-02, DIFF-04", SampleInputs::TwoMatrices,
         [](In in) { return Out{pdist(in[0]), pdist(in[0], 1)}; }},
        {"pairwise_distance", "(x1, x2, p=2.0, eps=1e-6, keepdim=False)", "norm(x1 - x2 + eps, p) along the last dim.",
         "broadcast, without the last dim", dtypes::all.without(DType::Bool), OpGives::New, "BOOL-01, BOOL-02, RED-05",
         SampleInputs::Lines, [](In in) { return Out{pairwiseDistance(in[0], in[1])}; }},
        {"cosine_similarity", "(x1, x2, dim=1, eps=1e-8)", "The cosine of the angle between lines along a dim.",
         "broadcast, without the dim", floats, OpGives::New, "DIFF-02", SampleInputs::Lines,
         [](In in) { return Out{cosineSimilarity(in[0], in[1], 0)}; }},
        {"softmax", "(input, dim, dtype=None)", "Exponentials over their sum.", "{...} -> {...}", wideFloats,
         OpGives::New, "RED-07", SampleInputs::Line, [](In in) { return Out{softmax(in[0], 0), softmax(in[0], -1)}; }},
        {"log_softmax", "(input, dim, dtype=None)", "Its logarithm.", "{...} -> {...}", wideFloats, OpGives::New,
         "RED-07", SampleInputs::Line, [](In in) { return Out{logSoftmax(in[0], 0)}; }},
    };
    return kTable;
}

} // namespace stridescope::operation_table
