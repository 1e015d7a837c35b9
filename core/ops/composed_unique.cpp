// Distinct values from runs of equal ones.

#include "core/ops/composed.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing.h"
#include "core/ops/indexing_call.h"
#include "core/ops/joining.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/views.h"

namespace stridescope::composed {

namespace {

/// `starts` says which slices begin a run; slice i is slices[order[i]], or (undefined) slices[i].
UniqueValues valuesOfRuns(const Tensor& slices, const Tensor& order, const Tensor& starts, UniqueOptions options,
                          const Dims& inverseShape) {
    const Index n = starts.numel();
    const Tensor first = nonzeroTuple(starts)[0];
    UniqueValues result;
    result.values = indexSelect(slices, 0, order.defined() ? indexSelect(order, 0, first) : first);
    if (options.counts) {
        const Tensor bounds = cat({first, full({1}, n, {DType::Int64, slices.device()})});
        result.counts = sub(narrow(bounds, 0, 1, first.numel()), first);
    }
    if (options.inverse) {
        result.inverse = indexing::newContiguous(inverseShape, DType::Int64, slices.device());
        const Tensor flat = view(result.inverse, {n}), run = sub(cumsum(starts, 0), 1);
        order.defined() ? scatter_(flat, 0, order, run) : copy_(flat, run);
    }
    return result;
}

/// For each column how many other values in it are smaller, counted once each. NaN are equal and come last.
Tensor ranksIn(const Tensor& columns) {
    const ValuesAndIndices sorted = sort(columns, 0);
    const Tensor starts = runStarts(sorted.values, 0);
    const Index rest = columns.size(0) - 1;
    if (isFloating(columns.dtype()) && rest > 0)
        logicalAnd_(narrow(starts, 0, 1, rest), logicalNot(isnan(narrow(sorted.values, 0, 0, rest))));
    Tensor ranks = indexing::newContiguous(columns.shape(), DType::Int64, columns.device());
    scatter_(ranks, 0, sorted.indices, sub(cumsum(starts, 0), 1));
    return ranks;
}

/// The same of whole rows, the first columns deciding first. Pairs of columns become one, so that rows of any length
/// take few rounds. Below 2^62: there are at most 2^31 rows of two elements.
Tensor ranksOfRows(const Tensor& rows) {
    Tensor ranks = ranksIn(rows);
    for (Index width = ranks.size(1); width > 1; width = ranks.size(1)) {
        const Index even = width / 2 * 2;
        const Tensor high = slice(ranks, 1, 0, even, 2), low = slice(ranks, 1, 1, even, 2);
        Tensor joined = ranksIn(add(mul(high, rows.size(0)), low));
        if (width > even) joined = cat({joined, narrow(ranks, 1, even, 1)}, 1);
        ranks = joined;
    }
    return flatten(ranks);
}

} // namespace

UniqueValues unique(const Tensor& t, UniqueOptions options) {
    const Tensor flat = contiguous(flatten(t));
    const ValuesAndIndices sorted = sort(flat, 0);
    return valuesOfRuns(flat, sorted.indices, runStarts(sorted.values, 0), options, t.shape());
}

UniqueValues uniqueConsecutive(const Tensor& t, UniqueOptions options) {
    const Tensor flat = contiguous(flatten(t));
    return valuesOfRuns(flat, {}, runStarts(flat, 0), options, t.shape());
}

UniqueValues uniqueSlices(const Tensor& slices, UniqueOptions options, bool sorts) {
    const Index n = slices.size(0);
    Tensor starts = ones({n}, {DType::Bool, slices.device()});
    if (n == 0) return valuesOfRuns(slices, {}, starts, options, {n});
    const Tensor rows = reshape(slices, {n, -1});
    if (!sorts) {
        if (n > 1) copy_(narrow(starts, 0, 1, n - 1), any(ne(narrow(rows, 0, 1, n - 1), narrow(rows, 0, 0, n - 1)), 1));
        return valuesOfRuns(slices, {}, starts, options, {n});
    }
    const ValuesAndIndices sorted = sort(ranksOfRows(rows), 0);
    starts = runStarts(sorted.values, 0);
    // A row with NaN equals none.
    logicalOr_(starts, indexSelect(any(isnan(rows), 1), 0, sorted.indices));
    return valuesOfRuns(slices, sorted.indices, starts, options, {n});
}

} // namespace stridescope::composed
