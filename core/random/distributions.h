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

/// The draws of `count` numbers that take K draws each, fetched from the generator some hundred at a time and never
/// more than these. Whoever makes one holds the generator's mutex.
template <Index K>
class Draws {
public:
    Draws(Generator& generator, Index count) : m_generator(generator), m_left(count) {}

    /// K draws.
    const std::uint32_t* next() { return run(1).draws; }
    struct Run {
        const std::uint32_t* draws;
        Index count; ///< numbers, K draws each
    };
    /// The draws of at least one and at most `most` numbers.
    Run run(Index most) {
        if (m_at == m_end) refill();
        const Run run{m_buffer.data() + m_at * K, std::min(most, m_end - m_at)};
        m_at += run.count;
        return run;
    }
    Generator& generator() { return m_generator; }

    static constexpr Index kBuffered = 1024 / K; ///< the most that run() gives

private:
    void refill() {
        m_end = std::min(m_left, kBuffered);
        m_at = 0;
        m_left -= m_end;
        m_generator.fill(std::span(m_buffer).first(static_cast<std::size_t>(m_end * K)));
    }

    Generator& m_generator;
    Index m_left;
    Index m_at = 0, m_end = 0;
    std::array<std::uint32_t, kBuffered * K> m_buffer;
};

/// Two draws as one number; the first is the upper half.
inline std::uint64_t wide(const std::uint32_t* draws) {
    return (std::uint64_t{draws[0]} << 32) | draws[1];
}

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
auto uniform(const std::uint32_t* draws) {
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    constexpr std::uint64_t kCount = std::uint64_t{1} << kDigits<T>;
    std::uint64_t bits;
    if constexpr (std::is_same_v<T, double>)
        bits = wide(draws);
    else
        bits = *draws;
    // Signed: processors without AVX-512 convert nothing else.
    return static_cast<Wide>(static_cast<Index>(bits & (kCount - 1))) * (Wide(1) / static_cast<Wide>(kCount));
}

/// A pair of normal numbers takes two uniform doubles.
inline constexpr Index kPairDraws = 2 * kUniformDraws<double>;

/// Box and Muller's pair, in double: the cosine's number now, the sine's is kept in the generator for the next call.
inline double standardNormal(Draws<kPairDraws>& draws) {
    if (const auto kept = draws.generator().takeNormal()) return *kept;
    const std::uint32_t* bits = draws.next();
    const double u = uniform<double>(bits), v = uniform<double>(bits + kUniformDraws<double>);
    const double radius = std::sqrt(-2.0 * std::log(1.0 - v));
    const double angle = 2.0 * std::numbers::pi * u;
    draws.generator().keepNormal(radius * std::sin(angle));
    return radius * std::cos(angle);
}
inline double normal(Draws<kPairDraws>& draws, double mean, double std) {
    return std::fma(standardNormal(draws), std, mean);
}
/// Pairs that `count` calls of standardNormal() draw.
inline Index normalPairs(const Generator& generator, Index count) {
    return (count - (generator.keepsNormal() ? 1 : 0) + 1) / 2;
}

// The inverses of distribution functions, at u uniform in [0, 1).
inline double exponential(double u, double lambda) {
    return -1.0 / lambda * std::log(1.0 - u);
}
inline double geometric(double u, double p) {
    return std::ceil(std::log(u) / std::log(1.0 - p));
}
inline double cauchy(double u, double median, double sigma) {
    return std::fma(sigma, std::tan(std::numbers::pi * (u - 0.5)), median);
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
