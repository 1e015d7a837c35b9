#pragma once
// The inner loops behind the random numbers, compiled once per instruction set (core/backend/cpu/isa/isa_random.cpp).
// All sets give the same bits: fused multiply-adds stand in the source, nothing else is fused.

#include "core/index.h"

#include <cstdint>

namespace stridescope::cpu {

/// Words of the Mersenne Twister's state.
inline constexpr Index kTwisterWords = 624;

struct RandomLoops {
    /// The next 624 words from the last 624, in place.
    void (*twist)(std::uint32_t* state);
    /// What the generator hands out for `n` words of its state.
    void (*temper)(std::uint32_t* out, const std::uint32_t* state, Index n);
    /// out[i] = fma(x, range, from), where x is the low 24 bits of draws[i] as a fraction.
    void (*uniformFloat)(float* out, const std::uint32_t* draws, Index n, float range, float from);
    /// The same with 53 bits of two draws each, the first one the upper half.
    void (*uniformDouble)(double* out, const std::uint32_t* draws, Index n, double range, double from);
    /// Blocks of 16 uniform numbers in [0, 1) become 16 normal ones: number i and i + 8 are a pair (Box and Muller).
    void (*normalBlocks)(float* data, Index blocks, float mean, float std);
};

} // namespace stridescope::cpu
