// Places and counts: searchsorted, bincount, histc.

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/composed.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/indexing.h"
#include "core/ops/indexing_call.h"
#include "core/ops/masking.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/sorting.h"
#include "core/ops/views.h"
#include "core/storage/scratch.h"
#include "core/tensor/element.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

using indexing::listText;
using indexing::newContiguous;
using indexing::refuse;
using indexing::requireOneDevice;
using observed::Inputs;

[[noreturn]] void refuseDType(const char* kernel, DType dtype) {
    refuse(ErrorKind::Runtime, "SORT-01",
           "\"" + std::string(kernel) + "\" not implemented for '" + std::string(scalarTypeName(dtype)) + "'",
           "Convert it with to().");
}

// --- searchsorted -------------------------------------------------------------------------------------------------

/// The first place in a row whose element is not before `value`; NaN is before nothing and behind everything.
template <class T>
Index placeOf(const T* row, const Index* sorter, Index n, T value, bool right) {
    Index first = 0, last = n;
    while (first < last) {
        const Index middle = first + (last - first) / 2;
        const T element = row[sorter ? sorter[middle] : middle];
        const bool behind = right ? element > value : element >= value;
        if (behind)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

void requireSearchable(const Tensor& sorted, const Tensor& values, const Tensor& sorter) {
    const std::string name = "torch.searchsorted(): ";
    if (values.dim() == 0 && values.numel() == 1 && sorted.dim() != 1)
        refuse(ErrorKind::Runtime, "SORT-04",
               name +
                   "input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries "
                   "tensor dim(" +
                   std::to_string(sorted.dim()) + ") and input value's dim(0) numel(1)");
    if (sorted.dim() == 0)
        refuse(ErrorKind::Runtime, "SORT-04",
               name + "boundaries tensor should have positive dimension, but got 0 dimension");
    bool fits = sorted.dim() == 1 || sorted.dim() == values.dim();
    for (Index d = 0; fits && sorted.dim() != 1 && d + 1 < sorted.dim(); ++d) fits = sorted.size(d) == values.size(d);
    if (!fits)
        refuse(ErrorKind::Runtime, "SORT-04",
               name +
                   "boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and "
                   "input value tensor must match, but we got boundaries tensor " +
                   listText(sorted.shape()) + " and input value tensor " + listText(values.shape()));
    if (!sorter.defined()) return;
    if (sorter.shape() != sorted.shape())
        refuse(ErrorKind::Runtime, "SORT-04",
               name + "boundary and sorter must have the same size, but got boundary tensor " +
                   listText(sorted.shape()) + "and got sorter tensor " + listText(sorter.shape()));
    if (sorter.dtype() != DType::Int64)
        refuse(ErrorKind::Runtime, "SORT-04",
               name + "sorter must be a tensor of long dtype but got dtype " +
                   std::string(scalarTypeName(sorter.dtype())));
}

Tensor searchOf(const Tensor& sorted, const Tensor& values, SearchOptions options, const Tensor& sorter) {
    requireSearchable(sorted, values, sorter);
    const DType common = resultType(sorted, values);
    if (values.numel() == 0)
        return newContiguous(values.shape(), options.int32 ? DType::Int32 : DType::Int64, values.device());
    if (isComplex(common) || common == DType::Bool) refuseDType("searchsorted_out_cpu", common);
    const Tensor rows = contiguous(to(sorted, common)), wanted = contiguous(to(values, common));
    const Tensor order = sorter.defined() ? contiguous(sorter) : Tensor();
    const Index n = sorted.shape().back();
    if (order.defined() && n > 0) {
        const MinAndMax range = aminmax(order);
        if (item(range.min).toInt() < 0 || item(range.max).toInt() >= n)
            refuse(ErrorKind::Runtime, "SORT-04", "torch.searchsorted(): sorter index out of range",
                   "A sorter holds every position once.");
    }
    const Index perRow = values.dim() == 0 ? 1 : values.shape().back();
    if (!values.device().isCpu()) {
        const Index count = sorted.dim() == 1 ? 1 : values.numel() / perRow;
        const auto inRows = [&](const Tensor& t) { return view(t, {count, t.numel() / count}); };
        const Tensor place = view(
            composed::search(inRows(rows), inRows(wanted), order.defined() ? inRows(order) : Tensor(), options.right),
            values.shape());
        return options.int32 ? to(place, DType::Int32) : place;
    }
    const Tensor out = newContiguous(values.shape(), DType::Int64, Device{});
    visitDType(common, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T *data = rows.data<T>(), *value = wanted.data<T>();
        const Index* sorters = order.defined() ? order.data<Index>() : nullptr;
        Index* place = out.data<Index>();
        parallelFor(0, out.numel(), kParallelThreshold / 16, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                const Index row = sorted.dim() == 1 ? 0 : i / perRow;
                place[i] =
                    placeOf<T>(data + row * n, sorters ? sorters + row * n : nullptr, n, value[i], options.right);
            }
        });
    });
    return options.int32 ? to(out, DType::Int32) : out;
}

std::string searchText(SearchOptions options) {
    std::string text;
    if (options.int32) text = "out_int32=True";
    if (options.right) text += text.empty() ? "right=True" : ", right=True";
    return text;
}

// --- bincount -----------------------------------------------------------------------------------------------------

Tensor bincountOf(const Tensor& t, const Tensor& weights, Index minLength) {
    if (!isIntegral(t.dtype())) refuseDType("bincount_cpu", t.dtype());
    if (minLength < 0)
        refuse(ErrorKind::Runtime, "SORT-05", "minlength should be >= 0", "Got " + std::to_string(minLength) + ".");
    if (t.dim() == 1 && t.numel() == 0) return zeros({minLength}, {DType::Int64, t.device()});
    const char* message = "bincount only supports 1-d non-negative integral inputs.";
    if (t.dim() != 1)
        refuse(ErrorKind::Runtime, "SORT-05", message, "It has " + std::to_string(t.dim()) + " dims; flatten() helps.");
    const Tensor numbers = contiguous(to(t, DType::Int64));
    const MinAndMax range = aminmax(t);
    const Index least = item(range.min).toInt(), greatest = item(range.max).toInt();
    if (least < 0) refuse(ErrorKind::Runtime, "SORT-05", message, "It holds " + std::to_string(least) + ".");
    if (weights.defined() && (weights.dim() != 1 || weights.numel() != t.numel()))
        refuse(ErrorKind::Runtime, "SORT-05", "weights should be 1-d and have the same length as input",
               "There are " + std::to_string(t.numel()) + " numbers.");
    Index size = 0;
    if (!addFits(greatest, 1, size))
        refuse(ErrorKind::Runtime, "SORT-05", message, "It holds " + std::to_string(greatest) + ".");
    size = std::max(minLength, size);
    if (!t.device().isCpu()) {
        const DType counted = !weights.defined()                  ? DType::Int64
                              : weights.dtype() == DType::Float32 ? DType::Float32
                                                                  : DType::Float64;
        const Tensor each = weights.defined() ? to(weights, counted) : ones({t.numel()}, {counted, t.device()});
        return scatterAdd_(zeros({size}, {counted, t.device()}), 0, numbers, each);
    }
    const Index* number = numbers.data<Index>();
    const auto count = [&](const Tensor& out, auto* total, auto weightOf) {
        for (Index i = 0; i < numbers.numel(); ++i) total[number[i]] += weightOf(i);
        out.storage()->bumpVersion();
        return out;
    };
    if (!weights.defined()) {
        const Tensor out = zeros({size}, {DType::Int64, Device{}});
        return count(out, out.data<Index>(), [](Index) { return Index{1}; });
    }
    const DType dtype = weights.dtype() == DType::Float32 ? DType::Float32 : DType::Float64;
    const Tensor weight = contiguous(to(weights, dtype)), out = zeros({size}, {dtype, Device{}});
    if (dtype == DType::Float32) return count(out, out.data<float>(), [&](Index i) { return weight.data<float>()[i]; });
    return count(out, out.data<double>(), [&](Index i) { return weight.data<double>()[i]; });
}

// --- histc --------------------------------------------------------------------------------------------------------

template <class T>
Tensor histcOf(const Tensor& t, Index bins, double low, double high) {
    const Tensor flat = contiguous(t);
    const bool onCpu = t.device().isCpu();
    const T* value = onCpu ? flat.data<T>() : nullptr;
    const Index n = flat.numel();
    T first = static_cast<T>(low), last = static_cast<T>(high);
    if (first == last && n > 0 && !onCpu) {
        const MinAndMax range = aminmax(flat);
        first = item(range.min).to<T>();
        last = item(range.max).to<T>();
    } else if (first == last && n > 0) {
        // Any NaN makes the range NaN, as in PyTorch.
        first = last = value[0];
        for (Index i = 0; i < n && first == first; ++i) {
            if (!(value[i] >= first)) first = value[i];
            if (!(value[i] <= last)) last = value[i];
        }
    }
    if (first == last) {
        first -= 1;
        last += 1;
    }
    if (!std::isfinite(first) || !std::isfinite(last))
        refuse(ErrorKind::Runtime, "SORT-06",
               "torch.histc: range of [" + toString(Scalar(static_cast<double>(first))) + ", " +
                   toString(Scalar(static_cast<double>(last))) + "] is not finite",
               "Give min and max.");
    if (!onCpu) {
        const Tensor inside = maskedSelect(flat, logicalAnd(ge(flat, first), le(flat, last)));
        const Tensor scaled = div(mul(sub(inside, first), bins), last - first);
        const Tensor bin = clamp(to(scaled, DType::Int64), 0, bins - 1);
        const Tensor counts = zeros({bins}, {DType::Int64, t.device()});
        return to(scatterAdd_(counts, 0, bin, onesLike(bin)), t.dtype());
    }
    const Tensor out = zeros({bins}, {t.dtype(), Device{}});
    Scratch<Index> counts(static_cast<std::size_t>(bins), 0);
    for (Index i = 0; i < n; ++i) {
        if (!(value[i] >= first && value[i] <= last)) continue;
        // Of a range beyond what T holds it is NaN, which the first bin takes.
        const auto bin = convertValue<Index>((value[i] - first) * static_cast<T>(bins) / (last - first));
        ++counts[static_cast<std::size_t>(std::clamp<Index>(bin, 0, bins - 1))];
    }
    std::transform(counts.begin(), counts.end(), out.data<T>(), [](Index c) { return static_cast<T>(c); });
    out.storage()->bumpVersion();
    return out;
}

} // namespace

Tensor searchsorted(const Tensor& sorted, const Tensor& values, SearchOptions options, const Tensor& sorter) {
    requireOneDevice("searchsorted", {&sorted, &values});
    if (sorter.defined()) requireOneDevice("searchsorted", {&sorted, &sorter});
    return observed::newTensors(
        "searchsorted",
        [&] {
            Inputs inputs{&sorted, &values};
            if (sorter.defined()) inputs.push_back(&sorter);
            return inputs;
        },
        [&] { return searchOf(sorted, values, options, sorter); },
        [&] {
            const std::string text = searchText(options);
            if (!sorter.defined()) return text;
            return "{0}, {1}, " + text + (text.empty() ? "" : ", ") + "sorter={2}";
        });
}

Tensor searchsorted(const Tensor& sorted, Scalar value, SearchOptions options) {
    requireOneDevice("searchsorted", {&sorted});
    return observed::newTensors(
        "searchsorted", [&] { return Inputs{&sorted}; },
        [&] {
            return searchOf(sorted, full({}, value, {{}, sorted.device()}), options, {});
        },
        [&] {
            const std::string text = searchText(options);
            return toString(value) + (text.empty() ? "" : ", ") + text;
        });
}

Tensor bucketize(const Tensor& values, const Tensor& boundaries, SearchOptions options) {
    requireOneDevice("bucketize", {&values, &boundaries});
    return observed::newTensors(
        "bucketize",
        [&] {
            return Inputs{&values, &boundaries};
        },
        [&] {
            if (boundaries.dim() != 1)
                refuse(ErrorKind::Runtime, "SORT-04",
                       "boundaries tensor must be 1 dimension, but got dim(" + std::to_string(boundaries.dim()) + ")");
            return searchOf(boundaries, values, options, {});
        },
        [&] { return searchText(options); });
}

Tensor bincount(const Tensor& t, Index minLength) {
    requireOneDevice("bincount", {&t});
    return observed::newTensors(
        "bincount", [&] { return Inputs{&t}; }, [&] { return bincountOf(t, {}, minLength); },
        [&] { return minLength == 0 ? std::string() : "minlength=" + std::to_string(minLength); });
}

Tensor bincount(const Tensor& t, const Tensor& weights, Index minLength) {
    requireOneDevice("bincount", {&t, &weights});
    return observed::newTensors(
        "bincount",
        [&] {
            return Inputs{&t, &weights};
        },
        [&] { return bincountOf(t, weights, minLength); },
        [&] { return minLength == 0 ? std::string() : "minlength=" + std::to_string(minLength); });
}

Tensor histc(const Tensor& t, Index bins, Scalar min, Scalar max) {
    requireOneDevice("histc", {&t});
    if (t.dtype() != DType::Float32 && t.dtype() != DType::Float64) refuseDType("histogram_cpu", t.dtype());
    if (bins <= 0)
        refuse(ErrorKind::Runtime, "SORT-06",
               "torch.histogram(): bins must be > 0, but got " + std::to_string(bins) + " for dimension 0");
    if (max.toDouble() < min.toDouble())
        refuse(ErrorKind::Runtime, "SORT-06", "torch.histc: max must be larger than min",
               "They are " + toString(max) + " and " + toString(min) + ".");
    return observed::newTensors(
        "histc", [&] { return Inputs{&t}; },
        [&] {
            return t.dtype() == DType::Float32 ? histcOf<float>(t, bins, min.toDouble(), max.toDouble())
                                               : histcOf<double>(t, bins, min.toDouble(), max.toDouble());
        },
        [&] { return std::to_string(bins) + ", " + toString(min) + ", " + toString(max); });
}

} // namespace stridescope
