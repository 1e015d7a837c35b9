#include "core/ops/order_statistics.h"

#include "core/backend/cpu/line_walk.h"
#include "core/ops/composed.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing_call.h"
#include "core/ops/reduce_call.h"
#include "core/ops/views.h"
#include "core/storage/scratch.h"
#include "core/tensor/element.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace stridescope {

using namespace reduction;

namespace {

template <class T>
bool isNan(T x) {
    return x != x;
}

/// Numbers in their order, then NaN.
template <class T>
bool before(T a, T b) {
    return a < b || (!isNan(a) && isNan(b));
}

/// All elements of a tensor as one line.
Tensor flat(const Tensor& t) {
    const Tensor together = contiguous(t);
    View view;
    view.shape = {t.numel()};
    view.stride = {1};
    view.offset = together.storageOffset();
    return together.withView(std::move(view));
}

/// Calls `body(line, n, out)` for the lines along `dim`, in the storage type of t's dtype (Half: in float).
template <class T, class Body>
void linesAlong(const Tensor& t, DimMask mask, const Body& body) {
    if (t.numel() == 0) return;
    const cpu::ReduceSpace space =
        cpu::reduceSpace(t.view(), t.storage()->data(), t.itemSize(), mask, cpu::ReduceOrder::RowMajor);
    cpu::forEachLine<T>(space, cpu::BlockLoader(t.dtype(), t.dtype()), body);
}

/// What was composed, in the shape of the results.
std::array<Tensor, 2> bothOf(const ValuesAndIndices& made, const Tensor& t, DimMask mask, bool keepdim) {
    const Dims shape = resultShape(t.shape(), mask, keepdim);
    return {composed::inShape(made.values, shape), composed::inShape(made.indices, shape)};
}

// --- Median -------------------------------------------------------------------------------------------------------
/// Position of the median of a line. Of equal elements the earlier one comes first.
template <class T>
class MedianOfLine {
public:
    explicit MedianOfLine(bool ignoreNan) : m_ignoreNan(ignoreNan) {}

    Index operator()(const T* line, Index n) {
        const Index nans = static_cast<Index>(std::count_if(line, line + n, isNan<T>));
        if (!m_ignoreNan && nans > 0) return std::find_if(line, line + n, isNan<T>) - line;
        m_order.resize(static_cast<std::size_t>(n));
        std::iota(m_order.begin(), m_order.end(), Index{0});
        const Index counted = n - nans;
        const Index middle = counted == 0 ? 0 : (counted - 1) / 2;
        std::nth_element(m_order.begin(), m_order.begin() + middle, m_order.end(), [line](Index a, Index b) {
            return before(line[a], line[b]) || (!before(line[b], line[a]) && a < b);
        });
        return m_order[static_cast<std::size_t>(middle)];
    }

private:
    bool m_ignoreNan;
    Scratch<Index> m_order;
};

void requireMedianDType(const char* kernel, const Tensor& t) {
    if (isComplex(t.dtype()) || t.dtype() == DType::Float16 || t.dtype() == DType::Bool) refuseDType(kernel, t.dtype());
}

Tensor medianOfAll(const char* name, const Tensor& t, bool ignoreNan) {
    requireInput(name, t);
    if (t.numel() != 0) requireMedianDType("median_cpu", t);
    return observed(
        name, t, [] { return std::string(); },
        [&] {
            const trace::Nested nested;
            if (!t.device().isCpu()) {
                if (t.numel() > 0) return composed::inShape(composed::median(flat(t), 0, ignoreNan).values, {});
                return to(full({}, std::numeric_limits<double>::quiet_NaN(), {DType::Float64, t.device()}), t.dtype());
            }
            Tensor out = newResult(t, maskOf(t, {}), false, t.dtype());
            if (t.numel() == 0 && !isIntegral(t.dtype())) {
                fill_(out, Scalar(std::numeric_limits<double>::quiet_NaN()));
                return out;
            }
            visitDType(t.dtype(), [&](auto tag) {
                using T = typename decltype(tag)::type;
                if constexpr (!std::is_same_v<T, Half>) {
                    T& result = *out.data<T>();
                    const Tensor all = flat(t);
                    Scratch<T> line(all.data<T>(), all.data<T>() + all.numel());
                    const auto end = ignoreNan ? std::remove_if(line.begin(), line.end(), isNan<T>) : line.end();
                    const bool isNone = line.begin() == end, hasNan = std::any_of(line.begin(), end, isNan<T>);
                    if (isNone || hasNan) {
                        result = convertValue<T>(std::numeric_limits<double>::quiet_NaN());
                        return;
                    }
                    const auto middle = line.begin() + (end - line.begin() - 1) / 2;
                    std::nth_element(line.begin(), middle, end);
                    result = *middle;
                }
            });
            return out;
        });
}

ValuesAndIndices medianAlong(const char* name, const Tensor& t, Index dim, bool keepdim, bool ignoreNan) {
    requireInput(name, t);
    const DimMask mask = maskOf(t, dim);
    requireNonEmptyDims("median()", t, mask);
    requireMedianDType("median_out", t);
    std::array<Tensor, 2> results = observed(
        name, t, [&] { return argumentsText(dim, keepdim); },
        [&] {
            return computeOnce(t, mask, keepdim, [&](const Tensor& x) {
                if (!x.device().isCpu()) return bothOf(composed::median(x, dim, ignoreNan), x, mask, keepdim);
                std::array<Tensor, 2> both{newResult(x, mask, keepdim, x.dtype()),
                                           newResult(x, mask, keepdim, DType::Int64)};
                visitDType(x.dtype(), [&](auto tag) {
                    using T = typename decltype(tag)::type;
                    if constexpr (!std::is_same_v<T, Half>) {
                        T* const values = both[0].template data<T>();
                        Index* const positions = both[1].template data<Index>();
                        linesAlong<T>(
                            x, mask,
                            [=, median = MedianOfLine<T>(ignoreNan)](const T* line, Index n, Index out) mutable {
                                positions[out] = median(line, n);
                                values[out] = line[positions[out]];
                            });
                    }
                });
                return both;
            });
        });
    return {std::move(results[0]), std::move(results[1])};
}

} // namespace

Tensor median(const Tensor& t) {
    return medianOfAll("median", t, false);
}
ValuesAndIndices median(const Tensor& t, Index dim, bool keepdim) {
    return medianAlong("median", t, dim, keepdim, false);
}
Tensor nanmedian(const Tensor& t) {
    return medianOfAll("nanmedian", t, true);
}
ValuesAndIndices nanmedian(const Tensor& t, Index dim, bool keepdim) {
    return medianAlong("nanmedian", t, dim, keepdim, true);
}

// --- Mode ---------------------------------------------------------------------------------------------------------
namespace {

/// Sorts a line with its positions and takes the longest run of equal elements.
template <class T>
struct ModeOfLine {
    Scratch<std::pair<T, Index>> sorted;

    std::pair<T, Index> operator()(const T* line, Index n) {
        sorted.resize(static_cast<std::size_t>(n));
        for (Index i = 0; i < n; ++i) sorted[static_cast<std::size_t>(i)] = {line[i], i};
        // PyTorch sorts with "<", to which NaN is equal to everything. Short lines, which the library sorts by
        // insertion, follow it; longer ones get an order that is one.
        constexpr Index kInsertion = 16;
        const auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
        const auto nanLast = [](const auto& a, const auto& b) { return before(a.first, b.first); };
        n <= kInsertion ? std::sort(sorted.begin(), sorted.end(), less)
                        : std::sort(sorted.begin(), sorted.end(), nanLast);
        std::pair<T, Index> best{};
        Index run = 0, longest = 0;
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            ++run;
            if (i + 1 < sorted.size() && sorted[i].first == sorted[i + 1].first) continue;
            if (run > longest) {
                best = sorted[i];
                longest = run;
            }
            run = 0;
        }
        return best;
    }
};

} // namespace

ValuesAndIndices mode(const Tensor& t, Index dim, bool keepdim) {
    requireInput("mode", t);
    const DimMask mask = maskOf(t, dim);
    requireNonEmptyDims("mode()", t, mask);
    const bool ordered = t.numel() != 0 && t.dim() != 0; // else there is nothing to compare
    if (ordered && isComplex(t.dtype())) refuseDType("mode_cpu", t.dtype());
    std::array<Tensor, 2> results = observed(
        "mode", t, [&] { return argumentsText(dim, keepdim); },
        [&] {
            return computeOnce(t, mask, keepdim, [&](const Tensor& x) {
                if (!x.device().isCpu()) return bothOf(composed::mode(x, dim), x, mask, keepdim);
                std::array<Tensor, 2> both{newResult(x, mask, keepdim, x.dtype()),
                                           newResult(x, mask, keepdim, DType::Int64)};
                if (isComplex(x.dtype())) {
                    if (x.numel() != 0) copy_(both[0], x);
                    fill_(both[1], Scalar(Index{0}));
                    return both;
                }
                visitDType(x.dtype(), [&](auto tag) {
                    using T = typename decltype(tag)::type;
                    using Work = std::conditional_t<std::is_same_v<T, Half>, float, T>;
                    T* const values = both[0].template data<T>();
                    Index* const positions = both[1].template data<Index>();
                    // std::vector<bool> has no elements; a bool is sorted as the byte that it is.
                    using Sorted = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, Work>;
                    linesAlong<Sorted>(x, mask,
                                       [=, of = ModeOfLine<Sorted>()](const Sorted* line, Index n, Index out) mutable {
                                           const std::pair<Sorted, Index> found = of(line, n);
                                           values[out] = static_cast<T>(found.first);
                                           positions[out] = found.second;
                                       });
                });
                return both;
            });
        });
    return {std::move(results[0]), std::move(results[1])};
}

// --- Quantiles ----------------------------------------------------------------------------------------------------
namespace {

[[noreturn]] void refuseQuantile(std::string message, std::string hint) {
    refuse(ErrorKind::Runtime, "RED-08", std::move(message), std::move(hint));
}

/// The element at q of n sorted numbers, in their type as PyTorch computes it.
template <class T>
T quantileOf(const T* sorted, Index n, T q, Interpolation interpolation) {
    const T rank = q * static_cast<T>(n - 1);
    const auto at = [&](T position) { return sorted[std::clamp<Index>(static_cast<Index>(position), 0, n - 1)]; };
    if (interpolation == Interpolation::Lower) return at(std::floor(rank));
    if (interpolation == Interpolation::Higher) return at(std::ceil(rank));
    if (interpolation == Interpolation::Nearest) return at(std::nearbyint(rank));
    const T low = at(std::floor(rank)), high = at(std::ceil(rank));
    const T weight = interpolation == Interpolation::Midpoint ? T(0.5) : rank - std::floor(rank);
    return weight < T(0.5) ? low + weight * (high - low) : high - (high - low) * (1 - weight);
}

/// `q` holds the same as `qs`, or is undefined where there is one number.
Tensor quantilesOf(const char* name, const Tensor& t, const std::vector<double>& qs, const Tensor& q,
                   std::optional<Index> dim, bool keepdim, Interpolation interpolation, bool ignoreNan,
                   const std::string& qText) {
    const bool severalQs = q.defined() && q.dim() == 1;
    const ReduceDims dims = dim ? ReduceDims(*dim) : ReduceDims();
    const DimMask mask = maskOf(t, dims);
    const auto arguments = [&] {
        std::string text = joined(qText, dim ? "dim=" + std::to_string(*dim) : std::string());
        return joined(std::move(text), keepdim ? "keepdim=True" : "");
    };
    const auto make = [&] {
        const trace::Nested nested;
        // Every line's quantiles lie together; the dim that counts them is moved to the front afterwards.
        Dims shape = resultShape(t.shape(), mask, keepdim);
        const auto count = static_cast<Index>(qs.size());
        if (severalQs) shape.push_back(count);
        const Tensor from = dim ? t : flat(t);
        const auto counted = [&](const Tensor& out) {
            return severalQs && out.dim() > 1 ? movedim(out, {-1}, {0}) : out;
        };
        if (!t.device().isCpu()) {
            const Tensor wanted = q.defined() ? flatten(q) : full({1}, qs[0], {t.dtype(), t.device()});
            const Tensor lines = contiguous(movedim(indexing::withDim(from), {dim.value_or(0)}, {-1}));
            return counted(composed::inShape(composed::quantiles(lines, wanted, interpolation, ignoreNan), shape));
        }
        const Tensor out = elementwise::newResult(shape, elementwise::rowMajorStrides(shape), t.dtype(), t.device());
        const DimMask line = dim ? mask : DimMask{1};
        const auto as = [&]<class T>(TypeTag<T>) {
            T* const results = out.data<T>();
            linesAlong<T>(from, line, [&, sorted = Scratch<T>()](const T* x, Index n, Index at) mutable {
                sorted.assign(x, x + n);
                const auto end = std::remove_if(sorted.begin(), sorted.end(), isNan<T>);
                const Index numbers = end - sorted.begin();
                const bool gone = numbers == 0 || (!ignoreNan && numbers != n);
                if (!gone) std::sort(sorted.begin(), end);
                for (Index i = 0; i < count; ++i)
                    results[at * count + i] =
                        gone ? std::numeric_limits<T>::quiet_NaN()
                             : quantileOf(sorted.data(), numbers, static_cast<T>(qs[static_cast<std::size_t>(i)]),
                                          interpolation);
            });
        };
        t.dtype() == DType::Float64 ? as(TypeTag<double>{}) : as(TypeTag<float>{});
        return counted(out);
    };
    return observed(name, t, arguments, make);
}

void requireQuantileInput(const char* name, const Tensor& t) {
    requireInput(name, t);
    if (t.numel() == 0) refuseQuantile("quantile() input tensor must be non-empty", "Nothing has no quantiles.");
    if (t.dtype() != DType::Float32 && t.dtype() != DType::Float64)
        refuseQuantile("quantile() input tensor must be either float or double dtype", "Convert it first: x.float().");
}

Tensor quantileOfNumber(const char* name, const Tensor& t, double q, std::optional<Index> dim, bool keepdim,
                        Interpolation interpolation, bool ignoreNan) {
    requireInput(name, t);
    if (!(q >= 0 && q <= 1))
        refuseQuantile("quantile() q must be in the range [0, 1] but got " + toString(Scalar(q)),
                       "0.5 is the median, 1 the largest.");
    requireQuantileInput(name, t);
    return quantilesOf(name, t, {q}, {}, dim, keepdim, interpolation, ignoreNan, toString(Scalar(q)));
}

Tensor quantileOfTensor(const char* name, const Tensor& t, const Tensor& q, std::optional<Index> dim, bool keepdim,
                        Interpolation interpolation, bool ignoreNan) {
    requireQuantileInput(name, t);
    indexing::requireOneDevice(name, {&t, &q});
    if (q.dim() > 1) refuseQuantile("quantile() q must be a scalar or 1D tensor", "flatten() gives one dim.");
    if (q.dtype() != t.dtype())
        refuseQuantile("quantile() q tensor must be same dtype as the input tensor", "Convert q with to().");
    const Tensor here = [&] { // numbers are checked before anything is done with them
        const trace::Nested nested;
        return to(q, Device{});
    }();
    std::vector<double> qs;
    for (Index i = 0; i < q.numel(); ++i) {
        const Index coord[] = {i};
        qs.push_back(
            readElement(here, q.dim() == 0 ? std::span<const Index>() : std::span<const Index>(coord)).toDouble());
        if (!(qs.back() >= 0 && qs.back() <= 1))
            refuseQuantile("quantile() q values must be in the range [0, 1]",
                           "Number " + std::to_string(i) + " is " + toString(Scalar(qs.back())) + ".");
    }
    return quantilesOf(name, t, qs, q, dim, keepdim, interpolation, ignoreNan, "q");
}

} // namespace

Interpolation interpolationFromName(std::string_view name) {
    constexpr std::array<std::string_view, 5> names{"linear", "lower", "higher", "midpoint", "nearest"};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<Interpolation>(i);
    refuseQuantile("quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got " +
                       std::string(name.substr(0, 40)),
                   "linear is the usual one.");
}

Tensor quantile(const Tensor& t, double q, std::optional<Index> dim, bool keepdim, Interpolation interpolation) {
    return quantileOfNumber("quantile", t, q, dim, keepdim, interpolation, false);
}
Tensor quantile(const Tensor& t, const Tensor& q, std::optional<Index> dim, bool keepdim, Interpolation interpolation) {
    return quantileOfTensor("quantile", t, q, dim, keepdim, interpolation, false);
}
Tensor nanquantile(const Tensor& t, double q, std::optional<Index> dim, bool keepdim, Interpolation interpolation) {
    return quantileOfNumber("nanquantile", t, q, dim, keepdim, interpolation, true);
}
Tensor nanquantile(const Tensor& t, const Tensor& q, std::optional<Index> dim, bool keepdim,
                   Interpolation interpolation) {
    return quantileOfTensor("nanquantile", t, q, dim, keepdim, interpolation, true);
}

} // namespace stridescope
