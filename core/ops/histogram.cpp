#include "core/ops/histogram.h"

#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/extrema.h"
#include "core/ops/indexing.h"
#include "core/ops/indexing_call.h"
#include "core/ops/masking.h"
#include "core/ops/observed_call.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/sorting.h"
#include "core/ops/views.h"
#include "core/storage/scratch.h"
#include "core/tensor/element.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace stridescope {

namespace {

using observed::Inputs;

[[noreturn]] void refuse(const char* id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

std::string shapeText(const Tensor& t) {
    return toListString(std::span<const Index>(t.shape()));
}
const char* typeText(const Tensor& t) {
    return elementTypeName(t.dtype());
}

/// Points {n, d} and weights {n}, row by row in memory.
struct Points {
    Tensor at, weights;
    Index count = 0, dims = 0;
};

/// Checks what all forms share. `t` has a dim for the coordinates.
Points pointsOf(const Tensor& t, const HistogramOptions& options) {
    if (t.dim() < 2)
        refuse("HIST-05", "torch.histogramdd: input tensor should have at least 2 dimensions",
               "Its shape is " + shapeText(t) + ": the last dim holds the coordinates of each point.");
    if (t.dtype() != DType::Float32 && t.dtype() != DType::Float64)
        refuse("HIST-01", "\"histogramdd\" not implemented for '" + std::string(scalarTypeName(t.dtype())) + "'",
               "Convert it first: x.float().");
    Points points{contiguous(t), {}, 1, t.size(-1)};
    for (Index d = 0; d + 1 < t.dim(); ++d) points.count *= t.size(d);
    if (!options.weights.defined()) return points;
    const Tensor& w = options.weights;
    Dims wanted;
    for (Index d = 0; d + 1 < t.dim(); ++d) wanted.push_back(t.size(d));
    if (w.shape() != wanted)
        refuse("HIST-04",
               "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor "
               "excluding its innermost dimension, but got input with shape " +
                   shapeText(t) + " and weight with shape " + shapeText(w),
               "Give a weight for each element.");
    if (w.dtype() != t.dtype())
        refuse("HIST-04",
               std::string("torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should "
                           "have the same dtype, but got input(") +
                   typeText(t) + "), and weight(" + typeText(w) + ")",
               "Convert one of them with to().");
    points.weights = contiguous(w);
    return points;
}

void requireOneForEach(std::size_t given, Index dims) {
    if (static_cast<Index>(given) == dims) return;
    refuse("HIST-05",
           "torch.histogramdd: expected " + std::to_string(dims) + " sequences of bin edges for a " +
               std::to_string(dims) + "-dimensional histogram but got " + std::to_string(given),
           "The last dim holds the coordinates of each point.");
}

[[noreturn]] void refuseBins(Index bins, std::size_t dim) {
    refuse("HIST-02",
           "torch.histogram(): bins must be > 0, but got " + std::to_string(bins) + " for dimension " +
               std::to_string(dim),
           "One bin has two edges.");
}

/// {n}: one coordinate of all points.
Tensor coordinate(const Points& points, Index dim) {
    return select(view(points.at, {points.count, points.dims}), 1, dim);
}

/// Edges of one width, over the range or from the least to the greatest coordinate.
template <class T>
Tensor evenEdges(const Points& points, Index dim, Index bins, const std::vector<double>* range) {
    T first = 0, last = 1;
    if (range) {
        first = static_cast<T>((*range)[static_cast<std::size_t>(2 * dim)]);
        last = static_cast<T>((*range)[static_cast<std::size_t>(2 * dim + 1)]);
    } else if (points.count > 0 && !points.at.device().isCpu()) {
        const MinAndMax least = aminmax(coordinate(points, dim));
        first = item(least.min).to<T>();
        last = item(least.max).to<T>();
    } else if (points.count > 0) {
        const T* values = points.at.data<T>() + dim;
        first = last = values[0];
        for (Index i = 1; i < points.count && first == first; ++i) { // a NaN stays, and is refused
            const T value = values[i * points.dims];
            if (!(value >= first)) first = value;
            if (!(value <= last)) last = value;
        }
    }
    const auto text = [](T value) { // as PyTorch's messages have it: 3, not 3.0
        std::ostringstream out;
        out << value;
        return out.str();
    };
    const std::string name = std::to_string(dim);
    if (!std::isfinite(first) || !std::isfinite(last))
        refuse("HIST-03",
               "torch.histogramdd: dimension " + name + "'s range [" + text(first) + ", " + text(last) +
                   "] is not finite",
               "Give range=(least, greatest).");
    if (first > last)
        refuse("HIST-03",
               "torch.histogramdd: min should not exceed max, but got min " + text(first) + " max " + text(last) +
                   " for dimension " + name,
               "Give range=(least, greatest).");
    if (first == last) {
        first -= T(0.5);
        last += T(0.5);
    }
    return linspace(static_cast<double>(first), static_cast<double>(last), bins + 1,
                    {points.at.dtype(), points.at.device()});
}

std::vector<Tensor> evenEdges(const Points& points, const Dims& bins, const std::optional<std::vector<double>>& range) {
    requireOneForEach(bins.size(), points.dims);
    for (std::size_t d = 0; d < bins.size(); ++d)
        if (bins[d] <= 0) refuseBins(bins[d], d);
    if (range && range->size() != 2 * bins.size())
        refuse("HIST-03",
               "torch.histogramdd: for a " + std::to_string(points.dims) + "-dimensional histogram range should have " +
                   std::to_string(2 * points.dims) + " elements, but got " + std::to_string(range->size()),
               "Give least and greatest number of each dimension.");
    std::vector<Tensor> edges;
    for (std::size_t d = 0; d < bins.size(); ++d) {
        const std::vector<double>* own = range ? &*range : nullptr;
        const auto dim = static_cast<Index>(d);
        edges.push_back(points.at.dtype() == DType::Float32 ? evenEdges<float>(points, dim, bins[d], own)
                                                            : evenEdges<double>(points, dim, bins[d], own));
    }
    return edges;
}

/// Copies of given edges.
std::vector<Tensor> ownEdges(const Points& points, const std::vector<Tensor>& given) {
    requireOneForEach(given.size(), points.dims);
    std::vector<Tensor> edges;
    for (std::size_t d = 0; d < given.size(); ++d) {
        const Tensor& one = given[d];
        const std::string name = std::to_string(d);
        if (one.dtype() != points.at.dtype())
            refuse("HIST-02",
                   "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with "
                   "dtype " +
                       std::string(typeText(points.at)) + " and bins for dimension " + name + " with dtype " +
                       typeText(one),
                   "Convert one of them with to().");
        if (one.dim() != 1)
            refuse("HIST-02",
                   "torch.histogramdd: bins tensor should have one dimension, but got " + std::to_string(one.dim()) +
                       " dimensions in the bins tensor for dimension " + name,
                   "Give the edges as a vector.");
        if (one.numel() < 2) refuseBins(one.numel() - 1, d);
        edges.push_back(contiguous(clone(one)));
    }
    return edges;
}

template <class T>
void count(const Points& points, const std::vector<Tensor>& edges, const Tensor& counts) {
    Scratch<double> sums(static_cast<std::size_t>(counts.numel()), 0.0); // float would stop at 2^24
    const T* value = points.at.data<T>();
    const T* weight = points.weights.defined() ? points.weights.data<T>() : nullptr;
    for (Index i = 0; i < points.count; ++i, value += points.dims) {
        Index slot = 0;
        bool inside = true;
        for (Index d = 0; d < points.dims && inside; ++d) {
            const Tensor& own = edges[static_cast<std::size_t>(d)];
            const T* first = own.data<T>();
            const T* last = first + own.numel() - 1;
            inside = !(value[d] < *first || value[d] > *last);
            const Index at = std::min<Index>(std::upper_bound(first, last + 1, value[d]) - first - 1, last - first - 1);
            slot = slot * (last - first) + std::max<Index>(at, 0);
        }
        if (inside) sums[static_cast<std::size_t>(slot)] += weight ? static_cast<double>(weight[i]) : 1.0;
    }
    std::transform(sums.begin(), sums.end(), counts.data<T>(), [](double s) { return static_cast<T>(s); });
    counts.storage()->bumpVersion();
}

/// The same from other operations, on a device.
void countComposed(const Points& points, const std::vector<Tensor>& edges, const Tensor& counts) {
    const Device device = points.at.device();
    Tensor slot = zeros({points.count}, {DType::Int64, device}), inside = ones({points.count}, {DType::Bool, device});
    for (Index d = 0; d < points.dims; ++d) {
        const Tensor &own = edges[static_cast<std::size_t>(d)], value = coordinate(points, d);
        const Index bins = own.numel() - 1;
        const Tensor at = clamp(sub(searchsorted(own, value, {true, false}), 1), 0, bins - 1);
        slot = add(mul(slot, bins), at);
        const Tensor outside = logicalOr(lt(value, select(own, 0, 0)), gt(value, select(own, 0, bins)));
        inside = logicalAnd(inside, logicalNot(outside)); // NaN is
    }
    const Tensor weight = points.weights.defined() ? where(inside, to(flatten(points.weights), DType::Float64), 0.0)
                                                   : to(inside, DType::Float64);
    const Tensor sums = scatterAdd_(zeros({counts.numel()}, {DType::Float64, device}), 0, slot, weight);
    copy_(counts, view(sums, counts.shape()));
}

HistogramOfPoints counted(const Points& points, std::vector<Tensor> edges, bool density) {
    Dims bins;
    for (const Tensor& one : edges) bins.push_back(one.numel() - 1);
    const Tensor counts = zeros(bins, {points.at.dtype(), points.at.device()});
    if (!counts.device().isCpu())
        countComposed(points, edges, counts);
    else if (points.at.dtype() == DType::Float32)
        count<float>(points, edges, counts);
    else
        count<double>(points, edges, counts);
    if (density) {
        div_(counts, sum(counts));
        for (std::size_t d = 0; d < edges.size(); ++d) {
            Dims along(edges.size(), 1);
            along[d] = bins[d];
            div_(counts, reshape(sub(narrow(edges[d], 0, 1, bins[d]), narrow(edges[d], 0, 0, bins[d])), along));
        }
    }
    return {counts, std::move(edges)};
}

/// Observes what `make` (() -> HistogramOfPoints) makes.
template <class Make>
HistogramOfPoints observedAs(const char* name, const Tensor& t, const std::vector<Tensor>& edges,
                             const HistogramOptions& options, std::string arguments, Make make) {
    elementwise::requireDefined(t, name);
    for (const Tensor& one : edges) indexing::requireOneDevice(name, {&t, &one});
    if (options.weights.defined()) indexing::requireOneDevice(name, {&t, &options.weights});
    std::vector<Tensor> all = observed::newTensors(
        name,
        [&] {
            Inputs inputs{&t};
            for (const Tensor& one : edges) inputs.push_back(&one);
            if (options.weights.defined()) inputs.push_back(&options.weights);
            return inputs;
        },
        [&] {
            HistogramOfPoints result = make();
            result.edges.insert(result.edges.begin(), std::move(result.counts));
            return std::move(result.edges);
        },
        [&] {
            std::string text = "{0}, ";
            std::size_t next = 1;
            for (std::size_t i = 0; i < edges.size(); ++i) text += "{" + std::to_string(next++) + "}, ";
            text += arguments;
            if (options.weights.defined()) text += "weight={" + std::to_string(next) + "}, ";
            if (options.density) text += "density=True, ";
            return text.substr(0, text.size() - 2);
        });
    Tensor counts = std::move(all.front());
    all.erase(all.begin());
    return {std::move(counts), std::move(all)};
}

std::string rangeText(const std::optional<std::vector<double>>& range) {
    if (!range) return "";
    std::string text = "range=(";
    for (const double bound : *range) text += toString(Scalar(bound)) + ", ";
    return text + "), ";
}

/// Numbers as points of one coordinate.
Tensor asPoints(const Tensor& t) {
    return reshape(t, {-1, 1});
}
HistogramOptions ofPoints(const HistogramOptions& options) {
    HistogramOptions flat = options;
    if (flat.weights.defined()) flat.weights = reshape(flat.weights, {-1});
    return flat;
}

} // namespace

Histogram histogram(const Tensor& t, Index bins, const std::optional<std::vector<double>>& range,
                    const HistogramOptions& options) {
    HistogramOfPoints result =
        observedAs("histogram", t, {}, options, std::to_string(bins) + ", " + rangeText(range), [&] {
            const Points points = pointsOf(asPoints(t), ofPoints(options));
            return counted(points, evenEdges(points, Dims{bins}, range), options.density);
        });
    return {std::move(result.counts), std::move(result.edges[0])};
}

Histogram histogram(const Tensor& t, const Tensor& edges, const HistogramOptions& options) {
    HistogramOfPoints result = observedAs("histogram", t, {edges}, options, "", [&] {
        const Points points = pointsOf(asPoints(t), ofPoints(options));
        return counted(points, ownEdges(points, {edges}), options.density);
    });
    return {std::move(result.counts), std::move(result.edges[0])};
}

HistogramOfPoints histogramOfPoints(const Tensor& t, const Dims& bins, const std::optional<std::vector<double>>& range,
                                    const HistogramOptions& options) {
    const std::string text = toListString(std::span<const Index>(bins)) + ", " + rangeText(range);
    return observedAs("histogramdd", t, {}, options, text, [&] {
        const Points points = pointsOf(t, options);
        return counted(points, evenEdges(points, bins, range), options.density);
    });
}

HistogramOfPoints histogramOfPoints(const Tensor& t, const std::vector<Tensor>& edges,
                                    const HistogramOptions& options) {
    return observedAs("histogramdd", t, edges, options, "", [&] {
        const Points points = pointsOf(t, options);
        return counted(points, ownEdges(points, edges), options.density);
    });
}

} // namespace stridescope
