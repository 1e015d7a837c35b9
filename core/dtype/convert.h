#pragma once
// convertValue: one element from one storage type to another, defined for every input.

#include "core/dtype/half.h"
#include "core/host_device.h"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace stridescope {

/// The value of `from` as a `To`, as PyTorch's copy_ gives it on x86.
/// - To bool: anything but 0 is true (NaN too).
/// - Integer to narrower integer: the low bits.
/// - Float to integer: rounds toward 0. NaN and values outside the intermediate type (int32 for signed types up to 32
///   bits, else int64) give its least value, whose low bits are then kept: -1.f -> uint8 255, 300.f -> uint8 44,
///   NaN -> int64 -2^63. Plain C++ leaves these cases undefined.
/// - To Half: through float, rounding to nearest.
template <class To, class From>
STRIDESCOPE_HD constexpr To convertValue(From from) {
    if constexpr (std::is_same_v<To, From>) {
        return from;
    } else if constexpr (std::is_same_v<From, Half>) {
        return convertValue<To>(static_cast<float>(from));
    } else if constexpr (std::is_same_v<To, Half>) {
        return Half(static_cast<float>(from));
    } else if constexpr (std::is_same_v<To, bool>) {
        return from != From(0);
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        using Wide = std::conditional_t<(sizeof(To) <= 4 && std::is_signed_v<To>), std::int32_t, std::int64_t>;
        // -2^(n-1) and 2^(n-1) are exact in both float types; the comparison is false for NaN.
        constexpr From kLowest = static_cast<From>(std::numeric_limits<Wide>::min());
        const bool fits = from >= kLowest && from < -kLowest;
        return static_cast<To>(fits ? static_cast<Wide>(from) : std::numeric_limits<Wide>::min());
    } else {
        return static_cast<To>(from);
    }
}

} // namespace stridescope
