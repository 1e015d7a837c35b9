#pragma once
// From bits to numbers: what PyTorch's CPU generator does with its draws, one number at a time.
//
// Note [Fused] PyTorch's builds for processors with AVX2 fuse a product and the sum after it into one rounding. The
// last bit of a number depends on it, so std::fma stands wherever that happens; the compiler fuses nothing here by
// itself. Logarithms, sines and the like are those of the C library, as there.

#include "core/dtype/half.h"
#include "core/random/generator.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace stridescope::random {

/// Hands out exactly as many draws as it was told that it would, fetched from the generator a few hundred at a time.
/// Whoever makes one holds the generator's mutex.
class Draws {
public:
    Draws(Generator& generator, Index count) : m_generator(generator), m_left(count) {}

    std::uint32_t next32() {
        if (m_at == m_end) refill();
        return m_buffer[m_at++];
    }
    /// The first of two draws is the upper half.
    std::uint64_t next64() {
        const std::uint64_t high = next32();
        return (high << 32) | next32();
    }
    Generator& generator() { return m_generator; }

private:
    void refill() {
        m_end = static_cast<std::size_t>(std::min<Index>(m_left, static_cast<Index>(m_buffer.size())));
        m_at = 0;
        m_left -= static_cast<Index>(m_end);
        m_generator.fill(std::span(m_buffer).first(m_end));
    }

    Generator& m_generator;
    Index m_left;
    std::size_t m_at = 0, m_end = 0;
    std::array<std::uint32_t, 512> m_buffer;
};

/// The significant bits of a float type: those that a uniform number in [0, 1) has.
template <class T>
inline constexpr int kDigits = 0;
template <>
inline constexpr int kDigits<Half> = 11;
template <>
inline constexpr int kDigits<float> = 24;
template <>
inline constexpr int kDigits<double> = 53;

/// Draws that one uniform number of type T takes.
template <class T>
inline constexpr Index kUniformDraws = std::is_same_v<T, double> ? 2 : 1;

/// In [0, 1): the low bits of a draw as a fraction. Half numbers are given as float.
template <class T>
auto uniform(Draws& draws) {
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    constexpr std::uint64_t kCount = std::uint64_t{1} << kDigits<T>;
    std::uint64_t bits;
    if constexpr (std::is_same_v<T, double>)
        bits = draws.next64();
    else
        bits = draws.next32();
    return static_cast<Wide>(bits & (kCount - 1)) * (Wide(1) / static_cast<Wide>(kCount));
}

/// Box and Muller's pair, in double: the cosine's number now, the sine's is kept in the generator for the next call.
/// A new pair takes two uniform doubles, that is four draws.
inline double standardNormal(Draws& draws) {
    if (const auto kept = draws.generator().takeNormal()) return *kept;
    const double u = uniform<double>(draws), v = uniform<double>(draws);
    const double radius = std::sqrt(-2.0 * std::log(1.0 - v));
    const double angle = 2.0 * std::numbers::pi * u;
    draws.generator().keepNormal(radius * std::sin(angle));
    return radius * std::cos(angle);
}
inline double normal(Draws& draws, double mean, double std) {
    return std::fma(standardNormal(draws), std, mean);
}
/// Draws that `count` calls of standardNormal() take.
inline Index normalDraws(const Generator& generator, Index count) {
    const Index fresh = count - (generator.keepsNormal() ? 1 : 0);
    return (fresh + 1) / 2 * 4;
}

inline double exponential(Draws& draws, double lambda) {
    return -1.0 / lambda * std::log(1.0 - uniform<double>(draws));
}
inline double geometric(Draws& draws, double p) {
    return std::ceil(std::log(uniform<double>(draws)) / std::log(1.0 - p));
}
inline double cauchy(Draws& draws, double median, double sigma) {
    return std::fma(sigma, std::tan(std::numbers::pi * (uniform<double>(draws) - 0.5)), median);
}

/// The block method of Note [Block method] (isa_random.cpp) for 16 numbers of type double, by the C library.
inline void normalBlock(double* data, double mean, double std) {
    for (int i = 0; i < 8; ++i) {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - data[i]));
        const double angle = 2.0 * std::numbers::pi * data[i + 8];
        data[i] = std::fma(radius * std::cos(angle), std, mean);
        data[i + 8] = std::fma(radius * std::sin(angle), std, mean);
    }
}
/// The same for Half, where each of the named values is rounded to Half.
inline void normalBlock(Half* data, Half mean, Half std) {
    for (int i = 0; i < 8; ++i) {
        const Half u(1.0f - data[i]);
        const Half radius(std::sqrt(-2.0f * std::log(static_cast<float>(u))));
        const Half angle(
            static_cast<float>(2.0 * std::numbers::pi * static_cast<double>(static_cast<float>(data[i + 8]))));
        data[i] = Half(std::fma(radius * std::cos(static_cast<float>(angle)), static_cast<float>(std), mean));
        data[i + 8] = Half(std::fma(radius * std::sin(static_cast<float>(angle)), static_cast<float>(std), mean));
    }
}

} // namespace stridescope::random
