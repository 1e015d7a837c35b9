// Distinct values: unique, unique_consecutive.

#include "core/backend/cpu/sort_kernels.h"
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

/// Groups of neighbours in `order`, of which `same(i)` says whether element i joins the one before it.
template <class Same>
UniqueValues grouped(const Tensor& slices, const std::vector<std::uint32_t>& order, UniqueOptions options,
                     const Dims& inverseShape, Same same) {
    const std::size_t n = order.size();
    std::vector<Index> firsts, counts;
    Tensor inverse;
    if (options.inverse) inverse = newContiguous(inverseShape, DType::Int64, Device{});
    for (std::size_t i = 0; i < n; ++i) {
        if (i == 0 || !same(i)) {
            firsts.push_back(order[i]);
            counts.push_back(0);
        }
        ++counts.back();
        if (options.inverse) inverse.data<Index>()[order[i]] = static_cast<Index>(firsts.size()) - 1;
    }
    const auto tensorOf = [](const std::vector<Index>& numbers) {
        const Tensor t = newContiguous({static_cast<Index>(numbers.size())}, DType::Int64, Device{});
        std::copy(numbers.begin(), numbers.end(), t.data<Index>());
        return t;
    };
    UniqueValues result{indexSelect(slices, 0, tensorOf(firsts)), std::move(inverse), {}};
    if (options.counts) result.counts = tensorOf(counts);
    return result;
}

UniqueValues uniqueOf(const Tensor& t, UniqueOptions options, bool sorts) {
    requireOrder(t, "unique");
    const Tensor flat = flatten(t);
    cpu::SortLane lane;
    cpu::loadKeys(lane, firstElement(flat), flat.stride()[0] * static_cast<Index>(flat.itemSize()), flat.numel(),
                  t.dtype(), false);
    if (sorts && flat.numel() > 0) cpu::sortLane(lane, t.dtype());
    return grouped(flat, lane.order, options, t.shape(), [&](std::size_t i) {
        return lane.keys[i] == lane.keys[i - 1] && !isNaNKey(lane.keys[i], t.dtype());
    });
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
    const Index n = slices.size(0), width = n == 0 ? 0 : slices.numel() / n;
    cpu::SortLane lane;
    cpu::loadKeys(lane, firstElement(slices), static_cast<Index>(t.itemSize()), slices.numel(), t.dtype(), false);
    const auto row = [&](std::uint32_t i) { return lane.keys.begin() + static_cast<std::ptrdiff_t>(i) * width; };
    std::vector<std::uint32_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    if (sorts)
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::lexicographical_compare(row(a), row(a) + width, row(b), row(b) + width);
        });
    UniqueValues result = grouped(slices, order, options, {n}, [&](std::size_t i) {
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
    indexing::requireOnCpu(name, {&t});
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
    return observedUnique("unique", t, options, "", [&] { return uniqueOf(t, options, true); });
}

UniqueValues uniqueAlong(const Tensor& t, Index dim, UniqueOptions options) {
    return observedUnique("unique", t, options, "dim=" + std::to_string(dim),
                          [&] { return uniqueAlongOf(t, dim, options, true); });
}

UniqueValues uniqueConsecutive(const Tensor& t, UniqueOptions options, std::optional<Index> dim) {
    return observedUnique("unique_consecutive", t, options, dim ? "dim=" + std::to_string(*dim) : std::string(),
                          [&] { return dim ? uniqueAlongOf(t, *dim, options, false) : uniqueOf(t, options, false); });
}

} // namespace stridescope
