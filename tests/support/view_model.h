#pragma once
// A slow model of views that is right by inspection: every view is the plain list of the slots that it reads.
//
// Nothing here knows strides or shares code with core/view; operations move whole lists, element by element.

#include <cstdint>
#include <optional>
#include <vector>

namespace stridescope::test {

using Slot = std::int64_t;
using Sizes = std::vector<std::int64_t>;

/// Calls `visit(coord)` for every coord of `shape` in row-major order.
template <class Visit>
void forEachCoord(const Sizes& shape, Visit visit) {
    for (const auto size : shape)
        if (size == 0) return;
    Sizes coord(shape.size(), 0);
    while (true) {
        visit(coord);
        std::size_t d = shape.size();
        while (d > 0 && ++coord[d - 1] == shape[d - 1]) coord[--d] = 0;
        if (d == 0) return;
    }
}

/// Sizes, and the slot of every element in row-major order. All operations return nullopt where PyTorch refuses.
struct ViewModel {
    Sizes shape;
    std::vector<Slot> slotList;

    using Maybe = std::optional<ViewModel>;
    using MaybeMany = std::optional<std::vector<ViewModel>>;

    /// The slots 0, 1, 2, ... in `shape`.
    static ViewModel counting(const Sizes& shape);
    /// Slot by slot from the definition; nullopt when one lies outside of 0 … storageNumel - 1.
    static Maybe strided(const Sizes& shape, const Sizes& stride, Slot offset, Slot storageNumel);

    std::int64_t dim() const { return static_cast<std::int64_t>(shape.size()); }
    Slot at(const Sizes& coord) const;
    /// Do the slots count up by one, without a gap?
    bool isConsecutive() const;
    /// Does any slot come twice?
    bool repeats() const;

    Maybe select(std::int64_t dim, std::int64_t index) const;
    Maybe narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
    Maybe slice(std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                std::int64_t step) const;
    Maybe diagonal(std::int64_t offset, std::int64_t dim1, std::int64_t dim2) const;
    Maybe unfold(std::int64_t dim, std::int64_t size, std::int64_t step) const;
    Maybe transpose(std::int64_t dim0, std::int64_t dim1) const;
    Maybe t() const;
    Maybe permute(const Sizes& dims) const;
    Maybe movedim(const Sizes& source, const Sizes& destination) const;
    Maybe unsqueeze(std::int64_t dim) const;
    Maybe squeeze() const;
    Maybe squeeze(std::int64_t dim) const;
    Maybe expand(const Sizes& sizes) const;

    /// The shape with its -1 found by trying; nullopt when the number of elements does not fit.
    std::optional<Sizes> inferred(const Sizes& wanted) const;
    /// Can one offset and one stride for each dim of `wanted` name the same slots? Tried on every element.
    bool isStrided(const Sizes& wanted) const;
    Maybe view(const Sizes& wanted) const;
    /// A view where that is possible, else the copy's slots.
    Maybe reshape(const Sizes& wanted) const;
    Maybe flatten(std::int64_t startDim, std::int64_t endDim) const;
    Maybe unflatten(std::int64_t dim, const Sizes& sizes) const;

    MaybeMany split(std::int64_t size, std::int64_t dim) const;
    MaybeMany split(const Sizes& sizes, std::int64_t dim) const;
    MaybeMany chunk(std::int64_t chunks, std::int64_t dim) const;
    MaybeMany unbind(std::int64_t dim) const;
};

} // namespace stridescope::test
