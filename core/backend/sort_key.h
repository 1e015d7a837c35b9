#pragma once
// Sort keys: numbers without sign whose order is that of the elements, for every device.
//
// Note [Sort keys] Signed integers: the sign bit turned. Floats: positive ones get the sign bit, negative ones all
// bits turned; that puts their bit patterns in order. -0 is made 0 first, every NaN the greatest pattern.

#include "core/dtype/half.h"
#include "core/host_device.h"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace stridescope {

template <class Float, class Bits>
STRIDESCOPE_HD Bits floatSortKey(Float value) {
    constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
    if (value != value) return static_cast<Bits>(~Bits{0});
    if (value == 0) return kSign;
    const auto bits = std::bit_cast<Bits>(value);
    return bits & kSign ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kSign);
}

template <class T>
STRIDESCOPE_HD std::uint64_t sortKey(T value) {
    if constexpr (std::is_same_v<T, Half>) {
        const std::uint16_t bits = value.bits, size = bits & 0x7fffu;
        if (size > 0x7c00u) return 0xffffu;
        if (size == 0) return 0x8000u;
        return bits & 0x8000u ? static_cast<std::uint16_t>(~bits) : static_cast<std::uint16_t>(bits | 0x8000u);
    } else if constexpr (std::is_same_v<T, float>) {
        return floatSortKey<float, std::uint32_t>(value);
    } else if constexpr (std::is_same_v<T, double>) {
        return floatSortKey<double, std::uint64_t>(value);
    } else if constexpr (std::is_same_v<T, bool> || std::is_unsigned_v<T>) {
        return static_cast<std::uint64_t>(value);
    } else {
        using Bits = std::make_unsigned_t<T>;
        return static_cast<Bits>(static_cast<Bits>(value) ^ (Bits{1} << (8 * sizeof(Bits) - 1)));
    }
}

/// The key for descending order: all bits of the key of a T turned.
template <class T>
STRIDESCOPE_HD std::uint64_t sortKey(T value, bool descending) {
    constexpr std::uint64_t kAll = sizeof(T) == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * sizeof(T) % 64)) - 1;
    return sortKey(value) ^ (descending ? kAll : 0);
}

} // namespace stridescope
