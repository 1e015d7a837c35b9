#pragma once
// Index arithmetic that tells when 64 bits are not enough.

#include "core/index.h"

#include <limits>

namespace stridescope {

inline constexpr Index kIndexMax = std::numeric_limits<Index>::max();
inline constexpr Index kIndexMin = std::numeric_limits<Index>::min();

/// 128 bits hold the product of any two Index and the sum of billions of Index.
__extension__ using WideIndex = __int128;

/// `out = a + b`; false when that does not fit, `out` is then of no use.
[[nodiscard]] inline bool addFits(Index a, Index b, Index& out) {
    return !__builtin_add_overflow(a, b, &out);
}
[[nodiscard]] inline bool subFits(Index a, Index b, Index& out) {
    return !__builtin_sub_overflow(a, b, &out);
}
[[nodiscard]] inline bool mulFits(Index a, Index b, Index& out) {
    return !__builtin_mul_overflow(a, b, &out);
}

/// The nearest Index.
inline Index clampToIndex(WideIndex value) {
    if (value > kIndexMax) return kIndexMax;
    if (value < kIndexMin) return kIndexMin;
    return static_cast<Index>(value);
}

} // namespace stridescope
