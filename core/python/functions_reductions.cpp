// Functions: reductions, scans, extrema, order statistics, sorting and counting.

#include "core/ops/differences.h"
#include "core/ops/extrema.h"
#include "core/ops/gradient.h"
#include "core/ops/histogram.h"
#include "core/ops/norms.h"
#include "core/ops/order_statistics.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/reductions_for_out.h"
#include "core/ops/scans.h"
#include "core/ops/sorting.h"
#include "core/python/function.h"

#include <algorithm>

namespace stridescope::python::tables {

namespace {

/// norm(p, dim, keepdim, dtype) with p a number or the name of a norm of matrices.
Tensor normBy(const Args& a) {
    if (!a.has(1) || a.isText(1)) {
        const std::string name = a.has(1) ? a.text(1) : "fro";
        return normByName(a.tensor(0), name, a.reduceDims(2), a.flag(3), a.dtype(4));
    }
    return norm(a.tensor(0), a.scalar(1), a.reduceDims(2), a.flag(3), a.dtype(4));
}

Tensor nuclearNorm(const Tensor& t, bool keepdim) {
    if (t.defined() && t.dim() != 2)
        raise(PyExc_RuntimeError, "Expected a tensor with 2 dimensions, but got a tensor with " +
                                      std::to_string(t.dim()) + " dimension" + (t.dim() == 1 ? "" : "s") + " instead.");
    return matrixNorm(t, "nuc", Dims{-2, -1}, keepdim, {});
}

/// The first argument, whose dtype a given one must be.
Tensor& ofDType(const Args& a, std::size_t dtype) {
    Tensor& t = a.tensor(0);
    if (a.has(dtype) && *a.dtype(dtype) != t.dtype())
        raise(PyExc_RuntimeError, "Bad in-place call: input tensor dtype " + std::string(elementTypeName(t.dtype())) +
                                      " and output tensor dtype " + std::string(elementTypeName(*a.dtype(dtype))) +
                                      " should match");
    return t;
}

Tensor varBy(const Args& a, const ReduceDims& dims, Index correction, bool keepdim) {
    const std::optional<DType> out = a.outDType();
    return out ? varFor(*out, a.tensor(0), dims, correction, keepdim) : var(a.tensor(0), dims, correction, keepdim);
}
Tensor stddevBy(const Args& a, const ReduceDims& dims, Index correction, bool keepdim) {
    const std::optional<DType> out = a.outDType();
    return out ? stddevFor(*out, a.tensor(0), dims, correction, keepdim)
               : stddev(a.tensor(0), dims, correction, keepdim);
}
SpreadAndMean varMeanBy(const Args& a, const ReduceDims& dims, Index correction, bool keepdim) {
    return varMean(a.tensor(0), dims, correction, keepdim);
}
SpreadAndMean stddevMeanBy(const Args& a, const ReduceDims& dims, Index correction, bool keepdim) {
    return stddevMean(a.tensor(0), dims, correction, keepdim);
}
Tensor logsumexpBy(const Args& a) {
    const std::optional<DType> out = a.outDType();
    return out ? logsumexpFor(*out, a.tensor(0), a.reduceDims(1), a.flag(2))
               : logsumexp(a.tensor(0), a.reduceDims(1), a.flag(2));
}

PyObject* both(SpreadAndMean result) {
    return wrap(std::vector<Tensor>{std::move(result.spread), std::move(result.mean)});
}

PyObject* uniqueResult(UniqueValues result, bool inverse, bool counts) {
    if (!inverse && !counts) return wrap(std::move(result.values));
    std::vector<Tensor> all{std::move(result.values)};
    if (inverse) all.push_back(std::move(result.inverse));
    if (counts) all.push_back(std::move(result.counts));
    return wrap(std::move(all));
}
PyObject* uniqueOf(const Args& a) {
    const UniqueOptions options{a.flag(2), a.flag(3)};
    return uniqueResult(RUN(a.has(4) ? uniqueAlong(a.tensor(0), a.index(4), options) : unique(a.tensor(0), options)),
                        options.inverse, options.counts);
}

Index correction(bool unbiased) {
    return unbiased ? 1 : 0;
}

Tensor quantileBy(const Args& a, bool skipNan) {
    const Interpolation between = interpolationFromName(a.text(4));
    if (a.isTensorAt(1))
        return skipNan ? nanquantile(a.tensor(0), a.tensor(1), a.optionalIndex(2), a.flag(3), between)
                       : quantile(a.tensor(0), a.tensor(1), a.optionalIndex(2), a.flag(3), between);
    return skipNan ? nanquantile(a.tensor(0), a.number(1), a.optionalIndex(2), a.flag(3), between)
                   : quantile(a.tensor(0), a.number(1), a.optionalIndex(2), a.flag(3), between);
}

SearchOptions searchOptions(const Args& a, std::size_t int32, std::size_t right) {
    return {a.flag(right), a.flag(int32)};
}
/// The same with side='left' or 'right' behind `right`.
SearchOptions sidedOptions(const Args& a, std::size_t int32, std::size_t right) {
    SearchOptions options = searchOptions(a, int32, right);
    if (!a.has(right + 1)) return options;
    const std::string side = a.text(right + 1);
    if (side != "left" && side != "right")
        raise(PyExc_RuntimeError, "torch.searchsorted(): side can only be 'left' or 'right' but got " + side);
    if (options.right && side == "left")
        raise(PyExc_RuntimeError, "torch.searchsorted(): side and right can't be set to opposites, got side of left "
                                  "while right was True");
    options.right = side == "right";
    return options;
}

/// The ways to compute distances differ in PyTorch's rounding only; here there is one.
Tensor cdistBy(const Args& a) {
    if (a.object(3)) {
        static constexpr std::string_view kWays[] = {"use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist",
                                                     "donot_use_mm_for_euclid_dist"};
        Ref text = Ref::take(PyObject_Str(a.object(3)));
        const std::string_view way = textOf(text.get());
        if (std::find(std::begin(kWays), std::end(kWays), way) == std::end(kWays))
            raise(PyExc_ValueError, std::string(way) + " is not a valid value for compute_mode");
    }
    return cdist(a.tensor(0), a.tensor(1), a.number(2));
}

/// Numbers and tensors stand for the distances of neighbours and for their places.
std::vector<Tensor> gradientBy(const Args& a) {
    PyObject* spacing = a.object(1);
    const std::optional<Dims> dims = a.optionalDims(2);
    const Index order = a.index(3);
    if (!spacing || spacing == Py_None) return gradient(a.tensor(0), {}, dims, order);
    if (isNumber(spacing)) return gradient(a.tensor(0), {toScalar(spacing)}, dims, order);
    const Ref items = isTensor(spacing) ? Ref() : Ref::take(PySequence_Fast(spacing, ""));
    std::vector<Scalar> steps;
    std::vector<Tensor> places;
    for (Py_ssize_t i = 0; items.get() && i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
        PyObject* item = PySequence_Fast_GET_ITEM(items.get(), i);
        if (isTensor(item))
            places.push_back(tensorOf(item));
        else if (isNumber(item))
            steps.push_back(toScalar(item));
    }
    const auto count = items.get() ? static_cast<std::size_t>(PySequence_Fast_GET_SIZE(items.get())) : 0;
    if (count == 0 || (steps.size() != count && places.size() != count))
        raise(PyExc_TypeError, "gradient(): argument 'spacing' must be a number, or a sequence of numbers or of "
                               "tensors, not " +
                                   typeName(spacing));
    return steps.empty() ? gradientAt(a.tensor(0), places, dims, order) : gradient(a.tensor(0), steps, dims, order);
}

HistogramOptions histogramOptions(const Args& a, std::size_t weight) {
    return {a.optionalTensor(weight).value_or(Tensor()), a.flag(weight + 1)};
}
std::optional<std::vector<double>> rangeOf(const Args& a, std::size_t i) {
    if (!a.object(i) || a.object(i) == Py_None) return std::nullopt;
    const Ref items =
        Ref::take(PySequence_Fast(a.object(i), "histogram(): argument 'range' must be a tuple of floats"));
    std::vector<double> range;
    for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(items.get()); ++k) {
        PyObject* item = PySequence_Fast_GET_ITEM(items.get(), k);
        if (!isRealNumber(item))
            raise(PyExc_TypeError, "histogram(): argument 'range' must be tuple of floats, but found element of type " +
                                       typeName(item) + " at pos " + std::to_string(k));
        range.push_back(toDouble(item));
    }
    return range;
}
PyObject* histogramResult(Histogram h) {
    return named("histogram", {"hist", "bin_edges"}, {std::move(h.counts), std::move(h.edges)});
}
/// [counts, edges, edges, ...]
std::vector<Tensor> pointHistogram(const Args& a) {
    const std::optional<std::vector<double>> range = rangeOf(a, 2);
    HistogramOfPoints h;
    if (a.isTensorAt(1) || isIntLike(a.object(1))) {
        const Tensor& t = a.tensor(0);
        h = histogramOfPoints(t, Dims(t.dim() > 0 ? static_cast<std::size_t>(t.size(-1)) : 0, a.index(1)), range,
                              histogramOptions(a, 3));
    } else {
        const Ref items = Ref::take(PySequence_Fast(a.object(1), "histogramdd(): argument 'bins' must be a sequence"));
        std::vector<Tensor> edges;
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
            if (PyObject* item = PySequence_Fast_GET_ITEM(items.get(), i); isTensor(item) && tensorOf(item).dim() > 0)
                edges.push_back(tensorOf(item));
        h = edges.empty() ? histogramOfPoints(a.tensor(0), toDims(items.get()), range, histogramOptions(a, 3))
                          : histogramOfPoints(a.tensor(0), edges, histogramOptions(a, 3));
    }
    h.edges.insert(h.edges.begin(), std::move(h.counts));
    return std::move(h.edges);
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses)
#define SUM_LIKE(name, function)                                                                                       \
    FN(name "(Tensor input, *, dtype? dtype=None) -> 0", function(a.tensor(0), {}, false, a.dtype(1))),                \
        FN(name "(Tensor input, int[1]? dim, bool keepdim=False, *, dtype? dtype=None)",                               \
           function(a.tensor(0), a.reduceDims(1), a.flag(2), a.dtype(3)))
#define SPREAD(name, function, wrapped)                                                                                \
    PY(name "(Tensor input, int[1]? dim, *, int? correction=None, bool keepdim=False)",                                \
       wrapped(RUN(function(a, a.reduceDims(1), a.optionalIndex(2).value_or(1), a.flag(3))))),                         \
        PY(name "(Tensor input, int[1]? dim, bool unbiased=True, bool keepdim=False)",                                 \
           wrapped(RUN(function(a, a.reduceDims(1), correction(a.flag(2)), a.flag(3))))),                              \
        PY(name "(Tensor input, bool unbiased=True) -> 0",                                                             \
           wrapped(RUN(function(a, {}, correction(a.flag(1)), false))))
#define TRUTH(name, function)                                                                                          \
    FN(name "(Tensor input)", function(a.tensor(0))),                                                                  \
        FN(name "(Tensor input, int[1] dim, bool keepdim=False)", function(a.tensor(0), a.reduceDims(1), a.flag(2)))
#define EXTREMUM(name, function, ofTwo)                                                                                \
    FN(name "(Tensor input) -> 0", function(a.tensor(0))),                                                             \
        FN(name "(Tensor input, Tensor other)", ofTwo(a.tensor(0), a.tensor(1))),                                      \
        PY(name "(Tensor input, int dim, bool keepdim=False) -> 2",                                                    \
           named(name, RUN(function(a.tensor(0), a.index(1), a.flag(2)))))
#define MIDDLE(name, function)                                                                                         \
    FN(name "(Tensor input) -> 0", function(a.tensor(0))),                                                             \
        PY(name "(Tensor input, int dim, bool keepdim=False) -> 2",                                                    \
           named(name, RUN(function(a.tensor(0), a.index(1), a.flag(2)))))
// NOLINTEND(bugprone-macro-parentheses)

std::vector<Entry> reductions() {
    return {
        SUM_LIKE("sum", sum),
        SAME(".sum_to_size(Tensor self, int[] size)", sumToSize(a.tensor(0), a.dims(1))),
        FN("nansum(Tensor input, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None)",
           nansum(a.tensor(0), a.reduceDims(1), a.flag(2), a.dtype(3))),
        SUM_LIKE("mean", mean),
        FN("nanmean(Tensor input, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None)",
           nanmean(a.tensor(0), a.reduceDims(1), a.flag(2), a.dtype(3))),
        FN("prod(Tensor input, *, dtype? dtype=None) -> 0", prod(a.tensor(0), {}, false, a.dtype(1))),
        FN("prod(Tensor input, int dim, bool keepdim=False, *, dtype? dtype=None)",
           prod(a.tensor(0), a.reduceDims(1), a.flag(2), a.dtype(3))),
        SPREAD("var", varBy, wrap),
        SPREAD("std", stddevBy, wrap),
        SPREAD(":var_mean", varMeanBy, both),
        SPREAD(":std_mean", stddevMeanBy, both),
        FN("norm(Tensor input, Scalar|str? p='fro', int[1]? dim=None, bool keepdim=False, dtype? dtype=None)",
           normBy(a)),
        FN(":frobenius_norm(Tensor input) -> 0", normByName(a.tensor(0), "fro", {}, false, {})),
        FN(":frobenius_norm(Tensor input, int[1] dim, bool keepdim=False)",
           normByName(a.tensor(0), "fro", a.reduceDims(1), a.flag(2), {})),
        FN(":nuclear_norm(Tensor input, bool keepdim=False)", nuclearNorm(a.tensor(0), a.flag(1))),
        FN(":nuclear_norm(Tensor input, int[] dim, bool keepdim=False)",
           matrixNorm(a.tensor(0), "nuc", a.dims(1), a.flag(2), {})),
        FN("dist(Tensor input, Tensor other, Scalar p=2)", dist(a.tensor(0), a.tensor(1), a.scalar(2))),
        TRUTH("all", all),
        TRUTH("any", any),
        FN("count_nonzero(Tensor input, int[1]? dim=None)", countNonzero(a.tensor(0), a.reduceDims(1))),
        FN("logsumexp(Tensor input, int[1] dim, bool keepdim=False)", logsumexpBy(a)),
        EXTREMUM("max", max, maximum),
        EXTREMUM("min", min, minimum),
        FN("amax(Tensor input, int[1]? dim=(), bool keepdim=False)", amax(a.tensor(0), a.reduceDims(1), a.flag(2))),
        FN("amin(Tensor input, int[1]? dim=(), bool keepdim=False)", amin(a.tensor(0), a.reduceDims(1), a.flag(2))),
        Entry{"aminmax(Tensor input, *, int? dim=None, bool keepdim=False) -> 2",
              [](Args& a) -> PyObject* {
                  MinAndMax both = RUN(aminmax(a.tensor(0), a.optionalIndex(1), a.flag(2)));
                  return named("aminmax", {"min", "max"}, {std::move(both.min), std::move(both.max)});
              }},
        FN("argmax(Tensor input, int? dim=None, bool keepdim=False)",
           argmax(a.tensor(0), a.optionalIndex(1), a.flag(2))),
        FN("argmin(Tensor input, int? dim=None, bool keepdim=False)",
           argmin(a.tensor(0), a.optionalIndex(1), a.flag(2))),
        MIDDLE("median", median),
        MIDDLE("nanmedian", nanmedian),
        PY("mode(Tensor input, int dim=-1, bool keepdim=False) -> 2",
           named("mode", RUN(mode(a.tensor(0), a.index(1), a.flag(2))))),
        FN("quantile(Tensor input, Tensor|Number q, int? dim=None, bool keepdim=False, *, str interpolation='linear')",
           quantileBy(a, false)),
        FN("nanquantile(Tensor input, Tensor|Number q, int? dim=None, bool keepdim=False, *, str "
           "interpolation='linear')",
           quantileBy(a, true)),
        FN("cumsum(Tensor input, int dim, *, dtype? dtype=None)", cumsum(a.tensor(0), a.index(1), a.dtype(2))),
        FN("cumprod(Tensor input, int dim, *, dtype? dtype=None)", cumprod(a.tensor(0), a.index(1), a.dtype(2))),
        IN(".cumsum_(Tensor self, int dim, *, dtype? dtype=None)", cumsum_(ofDType(a, 2), a.index(1))),
        IN(".cumprod_(Tensor self, int dim, *, dtype? dtype=None)", cumprod_(ofDType(a, 2), a.index(1))),
        PY("cummax(Tensor input, int dim) -> 2", named("cummax", RUN(cummax(a.tensor(0), a.index(1))))),
        PY("cummin(Tensor input, int dim) -> 2", named("cummin", RUN(cummin(a.tensor(0), a.index(1))))),
        FN("logcumsumexp(Tensor input, int dim)", logcumsumexp(a.tensor(0), a.index(1))),
        FN("diff(Tensor input, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None)",
           diff(a.tensor(0), a.index(1), a.index(2), a.optionalTensor(3).value_or(Tensor()),
                a.optionalTensor(4).value_or(Tensor()))),
        FN(":gradient(Tensor input, *, object? spacing=None, int[1]? dim=None, int edge_order=1)", gradientBy(a)),
        FN(":trapezoid(Tensor y, Tensor x, *, int dim=-1)", trapezoid(a.tensor(0), a.tensor(1), a.index(2))),
        FN(":trapezoid(Tensor y, *, float dx=1, int dim=-1)", trapezoid(a.tensor(0), a.number(1), a.index(2))),
        FN(":cumulative_trapezoid(Tensor y, Tensor x, *, int dim=-1)",
           cumulativeTrapezoid(a.tensor(0), a.tensor(1), a.index(2))),
        FN(":cumulative_trapezoid(Tensor y, *, float dx=1, int dim=-1)",
           cumulativeTrapezoid(a.tensor(0), a.number(1), a.index(2))),
        FN("cov(Tensor input, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None)",
           cov(a.tensor(0), a.index(1), a.optionalTensor(2).value_or(Tensor()),
               a.optionalTensor(3).value_or(Tensor()))),
        FN("corrcoef(Tensor input)", corrcoef(a.tensor(0))),
        FN(":cdist(Tensor x1, Tensor x2, float p=2.0, object compute_mode='use_mm_for_euclid_dist_if_necessary')",
           cdistBy(a)),
        FN("softmax(Tensor input, int dim, dtype? dtype=None)", softmax(a.tensor(0), a.index(1), a.dtype(2))),
        FN("log_softmax(Tensor input, int dim, dtype? dtype=None)", logSoftmax(a.tensor(0), a.index(1), a.dtype(2))),
    };
}

std::vector<Entry> sorting() {
    return {
        PY("sort(Tensor input, int dim=-1, bool descending=False) -> 2",
           named("sort", RUN(sort(a.tensor(0), a.index(1), a.flag(2))))),
        PY("sort(Tensor input, *, bool? stable, int dim=-1, bool descending=False) -> 2",
           named("sort", RUN(sort(a.tensor(0), a.index(2), a.flag(3))))),
        FN("argsort(Tensor input, int dim=-1, bool descending=False, bool stable=False)",
           argsort(a.tensor(0), a.index(1), a.flag(2))),
        FN("msort(Tensor input)", sort(a.tensor(0), 0).values),
        PY("topk(Tensor input, int k, int dim=-1, bool largest=True, bool sorted=True) -> 2",
           named("topk", RUN(topk(a.tensor(0), a.index(1), a.index(2), a.flag(3), a.flag(4))))),
        PY("kthvalue(Tensor input, int k, int dim=-1, bool keepdim=False) -> 2",
           named("kthvalue", RUN(kthvalue(a.tensor(0), a.index(1), a.index(2), a.flag(3))))),
        PY("unique(Tensor input, bool sorted=True, bool return_inverse=False, bool return_counts=False, int? dim=None)",
           uniqueOf(a)),
        PY("unique_consecutive(Tensor input, bool return_inverse=False, bool return_counts=False, int? dim=None)",
           uniqueResult(RUN(uniqueConsecutive(a.tensor(0), {a.flag(1), a.flag(2)}, a.optionalIndex(3))), a.flag(1),
                        a.flag(2))),
        FN(":searchsorted(Tensor sorted_sequence, Tensor input, *, bool out_int32=False, bool right=False, str? "
           "side=None, Tensor? sorter=None)",
           searchsorted(a.tensor(0), a.tensor(1), sidedOptions(a, 2, 3), a.optionalTensor(5).value_or(Tensor()))),
        FN(":searchsorted(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? "
           "side=None, Tensor? sorter=None)",
           searchsorted(a.tensor(0), full({}, a.scalar(1)), sidedOptions(a, 2, 3),
                        a.optionalTensor(5).value_or(Tensor()))),
        FN(":bucketize(Tensor input, Tensor boundaries, *, bool out_int32=False, bool right=False)",
           bucketize(a.tensor(0), a.tensor(1), searchOptions(a, 2, 3))),
        FN(":bucketize(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False)",
           bucketize(full({}, a.scalar(0)), a.tensor(1), searchOptions(a, 2, 3))),
        FN("bincount(Tensor input, Tensor? weights=None, int minlength=0)",
           a.has(1) ? bincount(a.tensor(0), a.tensor(1), a.index(2)) : bincount(a.tensor(0), a.index(2))),
        PY("histogram(Tensor input, Tensor bins, *, Tensor? weight=None, bool density=False) -> 2",
           histogramResult(RUN(histogram(a.tensor(0), a.tensor(1), histogramOptions(a, 2))))),
        PY("histogram(Tensor input, int bins=100, *, object? range=None, Tensor? weight=None, bool density=False) -> 2",
           histogramResult(histogram(a.tensor(0), a.has(1) ? a.index(1) : 100, rangeOf(a, 2), histogramOptions(a, 3)))),
        FN(":_histogramdd(Tensor input, object bins, object? range=None, Tensor? weight=None, bool density=False)",
           pointHistogram(a)),
        FN("histc(Tensor input, int bins=100, Scalar min=0, Scalar max=0)",
           histc(a.tensor(0), a.index(1), a.scalar(2), a.scalar(3))),
    };
}

} // namespace stridescope::python::tables
