#pragma once
// Division for kernels that start anywhere in a set of loops (core/backend/grid/offset_map.h).

#include "core/host_device.h"
#include "core/index.h"

#include <cstdint>

namespace stridescope {

/// Division of 32-bit numbers by one that is known beforehand, by multiplication and shift (exact for n < 2^31).
/// Source: Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994.
class FastDivider {
public:
    FastDivider() = default;
    /// Precondition: 1 <= divisor < 2^31.
    explicit FastDivider(std::uint32_t divisor) : m_divisor(divisor) {
        while ((std::uint64_t{1} << m_shift) < divisor) ++m_shift;
        const std::uint64_t power = (std::uint64_t{1} << m_shift) - divisor;
        m_magic = static_cast<std::uint32_t>((power << 32) / divisor + 1);
    }
    STRIDESCOPE_HD std::uint32_t quotient(std::uint32_t n) const {
        const auto high = static_cast<std::uint32_t>((static_cast<std::uint64_t>(n) * m_magic) >> 32);
        return (high + n) >> m_shift;
    }
    STRIDESCOPE_HD std::uint32_t divisor() const { return m_divisor; }

private:
    std::uint32_t m_divisor = 1, m_magic = 1, m_shift = 0;
};

/// The same for 64-bit numbers (exact for n < 2^63): GPUs divide them by a call that takes a hundred instructions.
class FastDivider64 {
public:
    FastDivider64() = default;
    /// Precondition: 1 <= divisor.
    explicit FastDivider64(Index divisor) : m_divisor(divisor) {
        __extension__ using Wide = unsigned __int128;
        while (m_shift < 63 && (std::uint64_t{1} << m_shift) < static_cast<std::uint64_t>(divisor)) ++m_shift;
        const Wide power = (std::uint64_t{1} << m_shift) - static_cast<std::uint64_t>(divisor);
        m_magic = static_cast<std::uint64_t>((power << 64) / static_cast<std::uint64_t>(divisor) + 1);
    }
    STRIDESCOPE_HD Index quotient(Index n) const {
        return static_cast<Index>((high(static_cast<std::uint64_t>(n), m_magic) + static_cast<std::uint64_t>(n)) >>
                                  m_shift);
    }
    STRIDESCOPE_HD Index divisor() const { return m_divisor; }

private:
    /// The upper half of a product.
    STRIDESCOPE_HD static std::uint64_t high(std::uint64_t a, std::uint64_t b) {
#ifdef __CUDA_ARCH__
        return __umul64hi(a, b);
#else
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
#endif
    }

    Index m_divisor = 1;
    std::uint64_t m_magic = 1;
    std::uint32_t m_shift = 0;
};

} // namespace stridescope
