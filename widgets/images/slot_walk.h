#pragma once
// Reading elements of a tensor one after the other, fast enough for the window's thread.

#include "core/tensor/element.h"
#include "core/tensor/tensor.h"
#include "widgets/images/overwrites.h"

#include <cstddef>
#include <cstdint>

namespace stridescope {

/// Calls `use` with a reader of the dtype: slot -> double. What `overwrites` of bytes are, is read as if it were there.
template <class Use>
void withReader(const Tensor& t, const Overwrites* overwrites, Use use) {
    if (overwrites && t.dtype() == DType::UInt8)
        return use([data = t.storageData<std::uint8_t>(), overwrites](Index slot) {
            return static_cast<double>(overwrites->read(slot, data[slot]));
        });
    switch (t.dtype()) {
    case DType::UInt8:
        return use([data = t.storageData<std::uint8_t>()](Index slot) { return static_cast<double>(data[slot]); });
    case DType::Float32:
        return use([data = t.storageData<float>()](Index slot) { return static_cast<double>(data[slot]); });
    case DType::Float64:
        return use([data = t.storageData<double>()](Index slot) { return data[slot]; });
    default: {
        const std::byte* data = t.storage()->data();
        const std::size_t item = t.itemSize();
        const DType dtype = t.dtype();
        return use([data, item, dtype](Index slot) {
            return loadElement(data + static_cast<std::size_t>(slot) * item, dtype).toDouble();
        });
    }
    }
}

/// Every how many elements are looked at where there are more than `most`: an odd number, so that no channel or column
/// is left out.
inline Index samplingStep(Index total, Index most) {
    return total > most ? total / (most > 0 ? most : 1) | 1 : 1;
}

/// Calls `use` with the slot of every `step`-th element, in the order of their coordinates. How many it were.
///
/// Coordinates are counted on by the digits of `step`, with carries: dividing would cost ten times as much.
template <class Use>
Index eachSlot(const Tensor& t, Index step, Use use) {
    const Dims &shape = t.shape(), &stride = t.stride();
    const std::size_t n = shape.size();
    const Index total = t.numel();
    Dims at(n, 0), digits(n, 0);
    for (std::size_t d = n, rest = static_cast<std::size_t>(step); d-- > 0 && total > 0;) {
        const auto size = static_cast<std::size_t>(shape[d]);
        digits[d] = static_cast<Index>(rest % size);
        rest /= size;
    }
    Index slot = t.storageOffset(), counted = 0;
    for (Index i = 0; i < total; i += step, ++counted) {
        use(slot);
        Index carry = 0;
        for (std::size_t d = n; d-- > 0;) {
            const Index by = digits[d] + carry;
            at[d] += by;
            slot += by * stride[d];
            carry = at[d] >= shape[d] ? 1 : 0;
            if (carry == 0) continue;
            at[d] -= shape[d];
            slot -= shape[d] * stride[d];
        }
    }
    return counted;
}

} // namespace stridescope
