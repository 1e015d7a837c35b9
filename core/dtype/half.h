#pragma once
// Half: IEEE binary16 as a storage type. Arithmetic is done in float and rounded back after every operation.
// Not _Float16: that evaluates chains differently from compiler to compiler.

#include "core/host_device.h"

#include <bit>
#include <cstdint>

namespace stridescope {

struct Half {
    std::uint16_t bits = 0;

    Half() = default;
    /// Rounds to nearest, ties to even; overflow gives infinity, NaN stays NaN.
    STRIDESCOPE_HD explicit Half(float value) : bits(fromFloat(value)) {}
    STRIDESCOPE_HD operator float() const { return toFloat(bits); }

    STRIDESCOPE_HD static std::uint16_t fromFloat(float value) {
        const auto x = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t sign = (x >> 16) & 0x8000u;
        const std::uint32_t magnitude = x & 0x7fffffffu;
        if (magnitude >= 0x7f800000u) { // infinity or NaN (kept quiet, top payload bits survive)
            return static_cast<std::uint16_t>(sign | 0x7c00u |
                                              (magnitude > 0x7f800000u ? 0x200u | ((magnitude >> 13) & 0x3ffu) : 0u));
        }
        if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u); // rounds past 65504
        if (magnitude >= 0x38800000u) {                                                  // normal half
            const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
            return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
        }
        if (magnitude < 0x33000000u) return static_cast<std::uint16_t>(sign); // below half of the least subnormal
        const std::uint32_t exponent = magnitude >> 23;
        const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
        const std::uint32_t shift = 126u - exponent; // 14 … 24
        const std::uint32_t half = mantissa >> shift;
        const std::uint32_t rest = mantissa & ((1u << shift) - 1u);
        const std::uint32_t middle = 1u << (shift - 1u);
        return static_cast<std::uint16_t>(sign | (half + (rest > middle || (rest == middle && (half & 1u)) ? 1u : 0u)));
    }

    STRIDESCOPE_HD static float toFloat(std::uint16_t h) {
        const std::uint32_t sign = (static_cast<std::uint32_t>(h) & 0x8000u) << 16;
        const std::uint32_t exponent = (h >> 10) & 0x1fu;
        std::uint32_t mantissa = h & 0x3ffu;
        if (exponent == 0x1fu) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
        if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
        if (mantissa == 0) return std::bit_cast<float>(sign);
        std::uint32_t e = 113u;
        while (!(mantissa & 0x400u)) {
            mantissa <<= 1;
            --e;
        }
        return std::bit_cast<float>(sign | (e << 23) | ((mantissa & 0x3ffu) << 13));
    }
};

} // namespace stridescope
