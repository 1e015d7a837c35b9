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

/// As == has it: NaN joins none, -0 joins 0.
UniqueValues consecutiveOf(const Tensor& t, UniqueOptions options) {
    requireOrder(t, "unique");
    if (!t.device().isCpu()) return composed::uniqueConsecutive(t, options);
    const Tensor flat = contiguous(flatten(t));
    return visitDType(t.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T* const element = flat.data<T>();
        return grouped(
            flat, static_cast<std::size_t>(flat.numel()), [](std::size_t i) { return i; }, options, t.shape(),
            [&](std::size_t i) {
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
