#pragma once
// Philox4x32-10: random numbers as a function of a key and a counter, so that every thread of a device has its own
// without asking the others.
//
// Source: Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", 2011. Key and counter are laid
// out as NVIDIA's cuRAND and PyTorch's CUDA generator have them: the key is the seed, the lower half of the counter
// counts calls, the upper half names the thread.

#include "core/host_device.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace stridescope {

struct PhiloxNumbers {
    std::uint32_t word[4];
};

STRIDESCOPE_HD PhiloxNumbers philox(std::uint64_t seed, std::uint64_t call, std::uint64_t thread) {
    std::uint32_t key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
    PhiloxNumbers c{{static_cast<std::uint32_t>(call), static_cast<std::uint32_t>(call >> 32),
                     static_cast<std::uint32_t>(thread), static_cast<std::uint32_t>(thread >> 32)}};
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xd2511f53u} * c.word[0], b = std::uint64_t{0xcd9e8d57u} * c.word[2];
        c = {{static_cast<std::uint32_t>(b >> 32) ^ c.word[1] ^ key0, static_cast<std::uint32_t>(b),
              static_cast<std::uint32_t>(a >> 32) ^ c.word[3] ^ key1, static_cast<std::uint32_t>(a)}};
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    return c;
}

// What cuRAND makes of words: uniform numbers in (0, 1], and pairs of normal ones (Box and Muller, 1958).

STRIDESCOPE_HD float philoxUniform(std::uint32_t word) {
    return static_cast<float>(word) * 0x1p-32f + 0x1p-33f;
}
STRIDESCOPE_HD double philoxUniform(std::uint32_t low, std::uint32_t high) {
    const std::uint64_t bits = low ^ (static_cast<std::uint64_t>(high) << 21);
    return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}

template <class T>
struct NormalPair {
    T first, second;
};
template <class T>
STRIDESCOPE_HD NormalPair<T> philoxNormal(T uniform, T angle) {
    const T size = std::sqrt(T(-2) * std::log(uniform));
    return {size * std::sin(angle), size * std::cos(angle)};
}
STRIDESCOPE_HD NormalPair<float> philoxNormalPair(std::uint32_t x, std::uint32_t y) {
    constexpr float kTurn = 6.2831855f * 0x1p-32f;
    return philoxNormal(philoxUniform(x), static_cast<float>(y) * kTurn + kTurn / 2);
}
STRIDESCOPE_HD NormalPair<double> philoxNormalPair(const PhiloxNumbers& n) {
    constexpr double kTurn = 6.283185307179586;
    return philoxNormal(philoxUniform(n.word[0], n.word[1]), philoxUniform(n.word[2], n.word[3]) * kTurn);
}

} // namespace stridescope
