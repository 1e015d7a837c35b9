#pragma once
// View: where the elements of a tensor lie in its storage. A pure value; knows no dtype, no memory, no device.

#include "core/result.h"
#include "core/view/dims.h"

#include <optional>
#include <span>
#include <string>

namespace stridescope {

/// The largest rank that the library handles, as PyTorch's.
inline constexpr Index kMaxDims = 64;

/// Element at `coord` lies in slot  offset + sum over d of coord[d] * stride[d]  of the storage.
/// Units: everything in elements. Strides may be zero or negative; nothing is ever tidied.
struct View {
    Dims shape;
    Dims stride;
    Index offset = 0;

    /// Number of dims.
    Index dim() const { return static_cast<Index>(shape.size()); }
    /// Number of elements: the product of the sizes, 1 for no dims.
    /// Precondition: the view was made by a function below, all of which refuse products beyond 64 bits.
    Index numel() const {
        Index product = 1;
        for (const Index size : shape) product *= size;
        return product;
    }
    /// Slot of `coord`. Precondition: coord is inside the shape.
    Index slot(std::span<const Index> coord) const;

    /// Dropping dims of size 1, the last stride is 1 and stride[i] == shape[i+1]*stride[i+1] for the others;
    /// a view with no elements is contiguous.
    bool isContiguous() const;
    /// The elements fill their reach without gap or overlap, in whatever order of dims (PyTorch's
    /// "non-overlapping and dense").
    bool isDense() const;

    friend bool operator==(const View&, const View&) = default;
};

/// The slots that a view can touch. Empty views touch none.
struct Reach {
    Index lowest = 0, highest = -1;
    bool empty() const { return highest < lowest; }
    friend bool operator==(const Reach&, const Reach&) = default;
};

/// The number of elements of most shapes; nothing where it needs a closer look: a size of 0 or below, very many dims, a
/// product beyond 64 bits.
inline std::optional<Index> simpleNumel(std::span<const Index> shape) {
    Index product = 1;
    bool simple = shape.size() <= static_cast<std::size_t>(kMaxDims);
    for (const Index size : shape) simple = simple && size > 0 && !__builtin_mul_overflow(product, size, &product);
    return simple ? std::optional<Index>(product) : std::nullopt;
}

/// Row-major strides of `shape`. As PyTorch: a size of 0 counts as 1 when strides are multiplied.
/// Example: {2,3,4} -> {12,4,1}; {0,3} -> {3,1}.
Result<View> contiguousView(std::span<const Index> shape, Index offset = 0);

/// Checks sizes (>= 0), their product and every address for 64-bit overflow and that the ranks agree. Any sign of
/// stride is legal here; the offset must be >= 0.
Result<View> makeView(std::span<const Index> shape, std::span<const Index> stride, Index offset);

/// Lowest and highest slot. Overflow-checked. Refused when an address does not fit 64 bits.
Result<Reach> reach(const View& v);

/// Refuses a view that reaches outside a storage of `storageNumel` elements (StorageOutOfBounds with the numbers).
Result<View> checkInBounds(const View& v, Index storageNumel);

/// "(2, 3)", "(2,)", "()", as Python prints a tuple.
std::string toString(std::span<const Index> dims);
/// "[2, 3]", as PyTorch's messages print a shape.
std::string toListString(std::span<const Index> dims);

} // namespace stridescope
