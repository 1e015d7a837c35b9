// Distinct values: unique, unique_consecutive.

#include "core/backend/cpu/sort_kernels.h"
#include "core/ops/composed.h"
#include "core/ops/copy.h"
#include "core/ops/indexing.h"
#include "core/ops/indexing_call.h"
#include "core/ops/observed_call.h"
#include "core/ops/promotion.h"
#include "core/ops/sorting.h"
#include "core/ops/views.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <numeric>

namespace stridescope {

namespace {

using indexing::firstElement;
using indexing::newContiguous;
using indexing::refuse;
using observed::Inputs;

void requireOrder(const Tensor& t, const char* kernel) {
    if (isComplex(t.dtype()))
        refuse(ErrorKind::Runtime, "SORT-01",
               "\"" + std::string(kernel) + "\" not implemented for '" + std::string(scalarTypeName(t.dtype())) + "'",
               "Complex numbers have no order.");
    if (t.numel() >= Index{1} << 32)
        refuse(ErrorKind::Runtime, "SORT-01", "unique: more than 2^32 - 1 elements", "Take it in parts.");
}

/// The key of NaN, which equals nothing; absent for other dtypes.
bool isNaNKey(std::uint64_t key, DType dtype) {
    if (!isFloating(dtype)) return false;
    return key == (itemSize(dtype) == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * itemSize(dtype))) - 1);
}

/// Groups of neighbours among n elements: element i is `order(i)`, `same(i)` says whether it joins the one before it.
template <class Order, class Same>
UniqueValues grouped(const Tensor& slices, std::size_t n, Order order, UniqueOptions options, const Dims& inverseShape,
                     Same same) {
    const auto starts = [&](std::size_t i) { return i == 0 || !same(i); };
    Index groups = 0;
    for (std::size_t i = 0; i < n; ++i) groups += starts(i);
    const auto numbers = [](const Dims& shape) { return newContiguous(shape, DType::Int64, Device{}); };
    const Tensor firsts = numbers({groups});
    UniqueValues result;
    if (options.inverse) result.inverse = numbers(inverseShape);
    if (options.counts) result.counts = numbers({groups});
    Index* const first = firsts.data<Index>();
    Index* const group = options.inverse ? result.inverse.data<Index>() : nullptr;
    Index* const count = options.counts ? result.counts.data<Index>() : nullptr;
    Index at = -1;
    for (std::size_t i = 0; i < n; ++i) {
        if (starts(i)) {
            first[++at] = static_cast<Index>(order(i));
            if (count) count[at] = 0;
        }
        if (count) ++count[at];
        if (group) group[order(i)] = at;
    }
    result.values = indexSelect(slices, 0, firsts);
    return result;
}

/// Runs of equal neighbours of a contiguous tensor; `same(i)` says whether element i joins the one before it.
template <class T, class Same>
UniqueValues runsOf(const Tensor& flat, UniqueOptions options, const Dims& inverseShape, Same same) {
    const Index n = flat.numel();
    Index groups = n > 0;
    for (Index i = 1; i < n; ++i) groups += !same(i);
    const auto numbers = [](const Dims& shape) { return newContiguous(shape, DType::Int64, Device{}); };
    UniqueValues result;
    result.values = newContiguous({groups}, flat.dtype(), Device{});
    const T* const from = flat.data<T>();
    T* const to = result.values.data<T>();
    if (options.counts) result.counts = numbers({groups});
    Index* const first = options.counts ? result.counts.data<Index>() : nullptr;
    // Backwards and without a branch: the last to be written is the first of each run (-0 and 0 are equal).
    for (Index i = n - 1, at = groups - 1; i >= 0; --i) {
        to[at] = from[i];
        if (first) first[at] = i;
        at -= i > 0 && !same(i);
    }
    for (Index g = 0; first && g < groups; ++g) first[g] = (g + 1 < groups ? first[g + 1] : n) - first[g];
    if (options.inverse) {
        result.inverse = numbers(inverseShape);
        Index* const group = result.inverse.data<Index>();
        for (Index i = 0, at = 0; i < n; ++i) group[i] = at += i > 0 && !same(i);
    }
    return result;
}

/// Distinct whole numbers whose range is not much longer than there are elements: marked in a table, one place for
/// each number of the range, without sorting. Nothing when the range is too long. T may be the bytes of bools.
template <class T>
std::optional<UniqueValues> uniqueOfShortRange(const Tensor& flat, UniqueOptions options, const Dims& inverseShape) {
    using Wide = std::uint64_t;
    constexpr Wide kAlways = 1 << 8, kAtMost = 1 << 22;
    const Index n = flat.numel();
    if (n == 0) return std::nullopt;
    const bool areBools = flat.dtype() == DType::Bool; // any byte but 0 is true
    const T* const element = static_cast<const T*>(static_cast<const void*>(firstElement(flat)));
    T low = element[0], high = element[0];
    for (Index i = 0; i < n; ++i) {
        if (areBools && low != high && i > 0) break; // there are no others
        const T value = areBools ? static_cast<T>(element[i] != 0) : element[i];
        low = i == 0 ? value : std::min(low, value);
        high = i == 0 ? value : std::max(high, value);
    }
    const auto base = static_cast<Wide>(low);
    const Wide last = static_cast<Wide>(high) - base;
    if (last >= std::min(kAtMost, std::max(kAlways, static_cast<Wide>(n)))) return std::nullopt;
    const auto placeOf = [&](Index i) {
        const T value = areBools ? static_cast<T>(element[i] != 0) : element[i];
        return static_cast<std::size_t>(static_cast<Wide>(value) - base);
    };
    const std::size_t places = static_cast<std::size_t>(last) + 1;
    Scratch<Index> count;
    Scratch<std::uint8_t> marked(places);
    if (options.counts) {
        count.resize(places);
        for (Index i = 0; i < n; ++i) ++count[placeOf(i)];
        for (std::size_t p = 0; p < places; ++p) marked[p] = count[p] != 0;
    } else if (areBools) { // the least and the greatest are all
        marked.front() = marked.back() = 1;
    } else {
        for (Index i = 0; i < n; ++i) marked[placeOf(i)] = 1;
    }
    const auto groups = static_cast<Index>(std::count(marked.begin(), marked.end(), std::uint8_t{1}));
    UniqueValues result;
    result.values = newContiguous({groups}, flat.dtype(), Device{});
    if (options.counts) result.counts = newContiguous({groups}, DType::Int64, Device{});
    T* const values = static_cast<T*>(static_cast<void*>(firstElement(result.values)));
    Scratch<Index> rank(options.inverse ? places : 0);
    Index at = 0;
    for (std::size_t p = 0; p < places; ++p) {
        if (!marked[p]) continue;
        values[at] = static_cast<T>(base + p);
        if (options.counts) result.counts.data<Index>()[at] = count[p];
        if (options.inverse) rank[p] = at;
        ++at;
    }
    if (options.inverse) {
        result.inverse = newContiguous(inverseShape, DType::Int64, Device{});
        Index* const group = result.inverse.data<Index>();
        for (Index i = 0; i < n; ++i) group[i] = rank[placeOf(i)];
    }
    return result;
}

/// Few distinct whole numbers, however far apart: numbered in a hash table as they come up, and only they are sorted.
/// Nothing when there are many, for which a table would not be quicker.
template <class T>
std::optional<UniqueValues> uniqueOfFew(const Tensor& flat, UniqueOptions options, const Dims& inverseShape) {
    constexpr std::size_t kBits = 15, kSlots = std::size_t{1} << kBits, kMost = kSlots / 4;
    constexpr Index kFrom = 1 << 12; // fewer are sorted in no time
    constexpr std::uint32_t kFree = ~std::uint32_t{0};
    const Index n = flat.numel();
    if (n < kFrom) return std::nullopt;
    const T* const element = flat.data<T>();
    Scratch<std::uint32_t> table(kSlots, kFree); // which of `values` lies there
    Scratch<T> values;
    Scratch<Index> count;
    UniqueValues result;
    if (options.inverse) result.inverse = newContiguous(inverseShape, DType::Int64, Device{});
    Index* const group = options.inverse ? result.inverse.data<Index>() : nullptr;
    Index collisions = 0;
    for (Index i = 0; i < n; ++i) {
        // Knuth's multiplicative hashing: the highest bits of the product with 2^64 / golden ratio.
        std::size_t at = static_cast<std::uint64_t>(element[i]) * 0x9e3779b97f4a7c15u >> (64 - kBits);
        for (; table[at] != kFree && values[table[at]] != element[i]; at = (at + 1) % kSlots)
            if (++collisions > n) return std::nullopt; // values that this hashing suits badly
        if (table[at] == kFree) {
            if (values.size() == kMost) return std::nullopt;
            table[at] = static_cast<std::uint32_t>(values.size());
            values.push_back(element[i]);
            count.push_back(0);
        }
        ++count[table[at]];
        if (group) group[i] = table[at];
    }
    Scratch<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
    const auto groups = static_cast<Index>(values.size());
    result.values = newContiguous({groups}, flat.dtype(), Device{});
    if (options.counts) result.counts = newContiguous({groups}, DType::Int64, Device{});
    Scratch<Index> rank(values.size());
    for (Index g = 0; g < groups; ++g) {
        const std::uint32_t value = order[static_cast<std::size_t>(g)];
        result.values.data<T>()[g] = values[value];
        if (options.counts) result.counts.data<Index>()[g] = count[value];
        rank[value] = g;
    }
    for (Index i = 0; group && i < n; ++i) group[i] = rank[static_cast<std::size_t>(group[i])];
    return result;
}

/// Ways without sorting, where there is one.
std::optional<UniqueValues> uniqueUnsorted(const Tensor& t, UniqueOptions options) {
    if (isFloating(t.dtype())) return std::nullopt;
    const Tensor flat = contiguous(flatten(t));
    return visitDType(t.dtype(), [&](auto tag) -> std::optional<UniqueValues> {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>)
            return uniqueOfShortRange<std::uint8_t>(flat, options, t.shape());
        else if constexpr (std::is_integral_v<T>) {
            std::optional<UniqueValues> marked = uniqueOfShortRange<T>(flat, options, t.shape());
            return marked ? std::move(marked) : uniqueOfFew<T>(flat, options, t.shape());
        } else
            return std::nullopt;
    });
}

/// As == has it: NaN joins none, -0 joins 0.
UniqueValues consecutiveOf(const Tensor& t, UniqueOptions options) {
    requireOrder(t, "unique");
    if (!t.device().isCpu()) return composed::uniqueConsecutive(t, options);
    const Tensor flat = contiguous(flatten(t));
    return visitDType(t.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T* const element = flat.data<T>();
        return runsOf<T>(flat, options, t.shape(), [&](Index i) {
            if constexpr (std::is_same_v<T, Half>)
                return static_cast<float>(element[i]) == static_cast<float>(element[i - 1]);
            else if constexpr (std::is_same_v<T, bool>) // any byte but 0 is true
                return (flat.data<std::uint8_t>()[i] != 0) == (flat.data<std::uint8_t>()[i - 1] != 0);
            else
                return element[i] == element[i - 1];
        });
    });
}

UniqueValues uniqueOf(const Tensor& t, UniqueOptions options) {
    requireOrder(t, "unique");
    if (!t.device().isCpu()) return composed::unique(t, options);
    if (std::optional<UniqueValues> found = uniqueUnsorted(t, options)) return *std::move(found);
    const Tensor flat = flatten(t);
    cpu::SortLane lane;
    cpu::loadKeys(lane, firstElement(flat), flat.stride()[0] * static_cast<Index>(flat.itemSize()), flat.numel(),
                  t.dtype(), false);
    if (flat.numel() > 0) cpu::sortLane(lane, t.dtype());
    return grouped(
        flat, lane.order.size(), [&](std::size_t i) { return lane.order[i]; }, options, t.shape(),
        [&](std::size_t i) { return lane.keys[i] == lane.keys[i - 1] && !isNaNKey(lane.keys[i], t.dtype()); });
}

/// Equal slices anywhere, or (not `sorts`) those that follow one another.
UniqueValues uniqueAlongOf(const Tensor& t, Index dim, UniqueOptions options, bool sorts) {
    const Tensor& self = t;
    requireOrder(t, "unique_dim");
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    if (t.dim() == 0)
        throwRefusal({ErrorKind::Index, "VIEW-02",
                      "Dimension specified as " + std::to_string(dim) + " but tensor has no dimensions",
                      "Leave dim out.", DimOutOfRange{dim, 0}});
    const auto zeros = std::count(self.shape().begin(), self.shape().end(), 0);
    const Index size = self.size(d);
    if (size == 0 ? zeros > 1 : zeros > 0)
        refuse(ErrorKind::Runtime, "SORT-07",
               size == 0 ? "Number of zero sized dimensions is more than one, so unique cannot be applied "
                         : "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied",
               "A slice needs an element to be told from others.");
    const Tensor slices = contiguous(transpose(self, d, 0));
    if (!t.device().isCpu()) {
        UniqueValues result = composed::uniqueSlices(slices, options, sorts);
        result.values = transpose(result.values, 0, d);
        return result;
    }
    const Index n = slices.size(0), width = n == 0 ? 0 : slices.numel() / n;
    cpu::SortLane lane;
    cpu::loadKeys(lane, firstElement(slices), static_cast<Index>(t.itemSize()), slices.numel(), t.dtype(), false);
    const auto row = [&](std::uint32_t i) { return lane.keys.begin() + static_cast<std::ptrdiff_t>(i) * width; };
    Scratch<std::uint32_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    if (sorts)
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::lexicographical_compare(row(a), row(a) + width, row(b), row(b) + width);
        });
    UniqueValues result = grouped(
        slices, order.size(), [&](std::size_t i) { return order[i]; }, options, {n},
        [&](std::size_t i) {
            const auto a = row(order[i]), b = row(order[i - 1]);
            return std::equal(a, a + width, b) &&
                   std::none_of(a, a + width, [&](std::uint64_t key) { return isNaNKey(key, t.dtype()); });
        });
    result.values = transpose(result.values, 0, d);
    return result;
}

template <class Make>
UniqueValues observedUnique(const char* name, const Tensor& t, UniqueOptions options, std::string arguments,
                            Make make) {
    elementwise::requireDefined(t, name);
    UniqueValues result;
    observed::newTensors(
        name, [&] { return Inputs{&t}; },
        [&] {
            result = make();
            std::vector<Tensor> made{result.values};
            if (options.inverse) made.push_back(result.inverse);
            if (options.counts) made.push_back(result.counts);
            return made;
        },
        [&] {
            if (options.inverse) arguments += (arguments.empty() ? "" : ", ") + std::string("return_inverse=True");
            if (options.counts) arguments += (arguments.empty() ? "" : ", ") + std::string("return_counts=True");
            return arguments;
        });
    return result;
}

} // namespace

UniqueValues unique(const Tensor& t, UniqueOptions options) {
    return observedUnique("unique", t, options, "", [&] { return uniqueOf(t, options); });
}

UniqueValues uniqueAlong(const Tensor& t, Index dim, UniqueOptions options) {
    return observedUnique("unique", t, options, "dim=" + std::to_string(dim),
                          [&] { return uniqueAlongOf(t, dim, options, true); });
}

UniqueValues uniqueConsecutive(const Tensor& t, UniqueOptions options, std::optional<Index> dim) {
    return observedUnique("unique_consecutive", t, options, dim ? "dim=" + std::to_string(*dim) : std::string(),
                          [&] { return dim ? uniqueAlongOf(t, *dim, options, false) : consecutiveOf(t, options); });
}

} // namespace stridescope
