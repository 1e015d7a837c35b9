#pragma once
// Index arithmetic for kernels that start anywhere in a LoopSpace: linear position -> byte offset of every operand.

#include "core/backend/loop/loop_space.h"
#include "core/host_device.h"

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

/// A LoopSpace prepared for random access with 32-bit arithmetic.
template <int Operands, int MaxLevels>
struct IndexMap32 {
    int levels = 0;
    FastDivider size[MaxLevels];
    std::int32_t stride[MaxLevels][Operands]; ///< bytes

    /// Precondition: fitsInt32(space), space.levels <= MaxLevels.
    explicit IndexMap32(const LoopSpace& space) : levels(space.levels) {
        for (int level = 0; level < levels; ++level) {
            size[level] = FastDivider(static_cast<std::uint32_t>(space.size[level]));
            for (int o = 0; o < Operands; ++o) stride[level][o] = static_cast<std::int32_t>(space.stride[level][o]);
        }
    }
    STRIDESCOPE_HD void offsets(std::uint32_t position, std::int32_t (&out)[Operands]) const {
        for (int o = 0; o < Operands; ++o) out[o] = 0;
        for (int level = 0; level < levels; ++level) {
            const std::uint32_t rest = size[level].quotient(position);
            const auto coord = static_cast<std::int32_t>(position - rest * size[level].divisor());
            for (int o = 0; o < Operands; ++o) out[o] += coord * stride[level][o];
            position = rest;
        }
    }
};

/// The same with 64-bit arithmetic, for spaces that are too large for the former.
template <int Operands>
STRIDESCOPE_HD void offsetsOf(const LoopSpace& space, Index position, Index (&out)[Operands]) {
    for (int o = 0; o < Operands; ++o) out[o] = 0;
    for (int level = 0; level < space.levels; ++level) {
        const Index rest = position / space.size[level];
        const Index coord = position - rest * space.size[level];
        for (int o = 0; o < Operands; ++o) out[o] += coord * space.stride[level][o];
        position = rest;
    }
}

} // namespace stridescope
