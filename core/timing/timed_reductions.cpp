// Timed calls: reductions, scans, sorting and counting.

#include "core/ops/differences.h"
#include "core/ops/extrema.h"
#include "core/ops/gradient.h"
#include "core/ops/histogram.h"
#include "core/ops/matmul.h"
#include "core/ops/order_statistics.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/sorting.h"
#include "core/timing/timed_calls.h"

namespace stridescope::timing::calls {

std::span<const TimedOperation> reductions() {
    static const TimedOperation kTable[] = {
        {"sum", "A.sum()", Operands::Matrix, [](In in) { return one(sum(in[0])); }, flops::each, true},
        {"nansum", "torch.nansum(A)", Operands::Matrix, [](In in) { return one(nansum(in[0])); }, nullptr, true},
        {"mean", "A.mean()", Operands::Matrix, [](In in) { return one(mean(in[0])); }, flops::each, true},
        {"nanmean", "torch.nanmean(A)", Operands::Matrix, [](In in) { return one(nanmean(in[0])); }, nullptr, true},
        {"prod", "torch.prod(A)", Operands::Matrix, [](In in) { return one(prod(in[0])); }, flops::each, true},
        {"var", "torch.var(A)", Operands::Matrix, [](In in) { return one(var(in[0])); }, nullptr, true},
        {"std", "torch.std(A)", Operands::Matrix, [](In in) { return one(stddev(in[0])); }, nullptr, true},
        {"norm", "torch.norm(A)", Operands::Matrix, [](In in) { return one(norm(in[0])); }, flops::eachTwice, true},
        {"all", "torch.all(A)", Operands::Matrix, [](In in) { return one(all(in[0])); }, nullptr, true},
        {"any", "torch.any(A)", Operands::Matrix, [](In in) { return one(any(in[0])); }, nullptr, true},
        {"count_nonzero", "torch.count_nonzero(A)", Operands::Matrix, [](In in) { return one(countNonzero(in[0])); },
         nullptr, true},
        {"max", "torch.max(A)", Operands::Matrix, [](In in) { return one(max(in[0])); }, flops::each, true},
        {"min", "torch.min(A)", Operands::Matrix, [](In in) { return one(min(in[0])); }, flops::each, true},
        {"amax", "torch.amax(A)", Operands::Matrix, [](In in) { return one(amax(in[0])); }, flops::each, true},
        {"amin", "torch.amin(A)", Operands::Matrix, [](In in) { return one(amin(in[0])); }, flops::each, true},
        {"argmax", "torch.argmax(A)", Operands::Matrix, [](In in) { return one(argmax(in[0])); }, nullptr, true},
        {"argmin", "torch.argmin(A)", Operands::Matrix, [](In in) { return one(argmin(in[0])); }, nullptr, true},
        {"median", "torch.median(A)", Operands::Matrix, [](In in) { return one(median(in[0])); }, nullptr, true},
        {"nanmedian", "torch.nanmedian(A)", Operands::Matrix, [](In in) { return one(nanmedian(in[0])); }, nullptr,
         true},
        {"Tensor.sum_to_size", "A.sum_to_size(1, n)", Operands::Matrix,
         [](In in) {
             return one(sumToSize(in[0], {1, in[0].size(1)}));
         },
         flops::each, true},
        {"logsumexp", "torch.logsumexp(A, 1)", Operands::Matrix,
         [](In in) { return one(logsumexp(in[0], ReduceDims(1))); }, nullptr, true},
        {"aminmax", "torch.aminmax(A)", Operands::Matrix, [](In in) { return one(aminmax(in[0]).max); }, nullptr, true},
        {"mode", "torch.mode(A)", Operands::Matrix, [](In in) { return one(mode(in[0]).values); }, nullptr},
        {"dist", "torch.dist(A, B)", Operands::TwoMatrices, [](In in) { return one(dist(in[0], in[1])); },
         flops::eachThrice, true},
        {"std_mean", "torch.std_mean(A)", Operands::Matrix, [](In in) { return one(stddevMean(in[0]).spread); },
         nullptr, true},
        {"var_mean", "torch.var_mean(A)", Operands::Matrix, [](In in) { return one(varMean(in[0]).spread); }, nullptr,
         true},
        {"quantile", "torch.quantile(A, 0.25, 1)", Operands::Matrix,
         [](In in) { return one(quantile(in[0], 0.25, 1)); }, nullptr},
        {"nanquantile", "torch.nanquantile(A, 0.25, 1)", Operands::Matrix,
         [](In in) { return one(nanquantile(in[0], 0.25, 1)); }, nullptr},
        {"cumsum", "torch.cumsum(A, 1)", Operands::Matrix, [](In in) { return one(cumsum(in[0], 1)); }, flops::each,
         true},
        {"cumprod", "torch.cumprod(A, 1)", Operands::Matrix, [](In in) { return one(cumprod(in[0], 1)); }, flops::each,
         true},
        {"cummax", "torch.cummax(A, 1)", Operands::Matrix, [](In in) { return one(cummax(in[0], 1).values); }, nullptr,
         true},
        {"cummin", "torch.cummin(A, 1)", Operands::Matrix, [](In in) { return one(cummin(in[0], 1).values); }, nullptr,
         true},
        {"logcumsumexp", "torch.logcumsumexp(A, 1)", Operands::Matrix,
         [](In in) { return one(logcumsumexp(in[0], 1)); }, nullptr, true},
        {"diff", "torch.diff(A)", Operands::Matrix, [](In in) { return one(diff(in[0])); }, nullptr, true},
        {"trapezoid", "torch.trapezoid(A)", Operands::Matrix, [](In in) { return one(trapezoid(in[0])); }, nullptr,
         true},
        {"cumulative_trapezoid", "torch.cumulative_trapezoid(A)", Operands::Matrix,
         [](In in) { return one(cumulativeTrapezoid(in[0])); }, nullptr, true},
        {"softmax", "torch.softmax(A, 1)", Operands::Matrix, [](In in) { return one(softmax(in[0], 1)); }, nullptr,
         true},
        {"log_softmax", "torch.log_softmax(A, 1)", Operands::Matrix, [](In in) { return one(logSoftmax(in[0], 1)); },
         nullptr, true},
        {"gradient", "torch.gradient(A)", Operands::Matrix, [](In in) { return one(gradient(in[0]).front()); }, nullptr,
         true},
        {"cov", "torch.cov(A)", Operands::Matrix, [](In in) { return one(cov(in[0])); }, flops::product},
        {"corrcoef", "torch.corrcoef(A)", Operands::Matrix, [](In in) { return one(corrcoef(in[0])); }, flops::product},
        {"cdist", "torch.cdist(A, B)", Operands::TwoMatrices, [](In in) { return one(cdist(in[0], in[1])); },
         flops::product},
        {"pdist", "torch.pdist(A)", Operands::Matrix, [](In in) { return one(pdist(in[0])); }, nullptr},
        {"pairwise_distance", "torch.pairwise_distance(A, B)", Operands::TwoMatrices,
         [](In in) { return one(pairwiseDistance(in[0], in[1])); }, nullptr, true},
        {"cosine_similarity", "torch.cosine_similarity(A, B)", Operands::TwoMatrices,
         [](In in) { return one(cosineSimilarity(in[0], in[1])); }, nullptr, true},
        {"sort", "torch.sort(A)", Operands::Matrix, [](In in) { return one(sort(in[0]).values); }, nullptr},
        {"argsort", "torch.argsort(A)", Operands::Matrix, [](In in) { return one(argsort(in[0])); }, nullptr},
        {"topk", "torch.topk(A, 1)", Operands::Matrix, [](In in) { return one(topk(in[0], 1).values); }, nullptr},
        {"kthvalue", "torch.kthvalue(A, 1)", Operands::Matrix, [](In in) { return one(kthvalue(in[0], 1).values); },
         nullptr},
        {"unique", "torch.unique(A)", Operands::Matrix, [](In in) { return one(unique(in[0]).values); }, nullptr},
        {"unique_consecutive", "torch.unique_consecutive(A)", Operands::Matrix,
         [](In in) { return one(uniqueConsecutive(in[0]).values); }, nullptr},
        {"msort", "torch.msort(A)", Operands::Matrix, [](In in) { return one(sort(in[0], 0).values); }, nullptr},
        {"isin", "torch.isin(A, B)", Operands::TwoMatrices, [](In in) { return one(isin(in[0], in[1])); }, nullptr},
        {"searchsorted", "torch.searchsorted(A, B)", Operands::SortedAndMatrix,
         [](In in) { return one(searchsorted(in[0], in[1])); }, nullptr},
        {"bucketize", "torch.bucketize(B, A)", Operands::SortedAndMatrix,
         [](In in) { return one(bucketize(in[1], in[0])); }, nullptr},
        {"bincount", "torch.bincount(A)", Operands::Counts, [](In in) { return one(bincount(in[0])); }, nullptr, true},
        {"histc", "torch.histc(A)", Operands::Matrix, [](In in) { return one(histc(in[0])); }, nullptr, true},
        {"histogram", "torch.histogram(A, 100)", Operands::Matrix,
         [](In in) { return one(histogram(in[0], 100).counts); }, nullptr, true},
    };
    return kTable;
}

} // namespace stridescope::timing::calls
