#include "core/random/generator.h"

#include "core/backend/cpu/isa_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

namespace stridescope {

namespace {

/// Where the parts of a saved state lie: a C structure of PyTorch's as a 64-bit compiler lays it out. The words of the
/// twister stand in 8 bytes each.
namespace layout {
constexpr std::size_t kSeed = 0, kLeft = 8, kSeeded = 12, kNext = 16, kWords = 24;
constexpr std::size_t kNormal = kWords + 8 * cpu::kTwisterWords + 8; // between two numbers that are always 0
constexpr std::size_t kHasNormal = kNormal + 16;
constexpr std::size_t kOldBytes = kHasNormal + 8;
constexpr std::size_t kFloatNormal = kOldBytes, kHasFloatNormal = kOldBytes + 4;
static_assert(kHasFloatNormal + 4 == Generator::kStateBytes);
static_assert(std::endian::native == std::endian::little);
} // namespace layout

template <class T>
T load(std::span<const std::byte> state, std::size_t at) {
    T value;
    std::memcpy(&value, state.data() + at, sizeof value);
    return value;
}

template <class T>
void store(Generator::State& state, std::size_t at, T value) {
    std::memcpy(state.data() + at, &value, sizeof value);
}

std::uint64_t unpredictable() {
    std::random_device device;
    const std::uint64_t high = device();
    return (high << 32) | device();
}

} // namespace

void Generator::restart(std::uint64_t seed) {
    // Source: the initialisation of 2002 of the Mersenne Twister's authors; the multiplier is Knuth's for 32 bits.
    constexpr std::uint32_t kMultiplier = 1812433253u;
    std::uint32_t word = static_cast<std::uint32_t>(seed);
    m_words[0] = word;
    for (std::uint32_t i = 1; i < m_words.size(); ++i) {
        word = kMultiplier * (word ^ (word >> 30)) + i;
        m_words[i] = word;
    }
    m_left = 1;
    m_next = 0;
    m_seed = seed;
    m_normal.reset();
    m_floatNormal.reset();
}

void Generator::manualSeed(std::uint64_t seed) {
    const std::scoped_lock lock(m_mutex);
    restart(seed);
}

std::uint64_t Generator::initialSeed() const {
    const std::scoped_lock lock(m_mutex);
    return m_seed;
}

std::uint64_t Generator::seed() {
    const std::uint64_t seed = unpredictable();
    manualSeed(seed);
    return seed;
}

void Generator::fill(std::span<std::uint32_t> out) {
    const cpu::RandomLoops& loops = cpu::isa().random;
    while (!out.empty()) {
        if (m_left == 1) {
            loops.twist(m_words.data());
            m_left = static_cast<std::int32_t>(m_words.size()) + 1;
            m_next = 0;
        }
        const std::size_t count = std::min(out.size(), static_cast<std::size_t>(m_left - 1));
        loops.temper(out.data(), m_words.data() + m_next, static_cast<Index>(count));
        m_left -= static_cast<std::int32_t>(count);
        m_next += static_cast<std::uint32_t>(count);
        out = out.subspan(count);
    }
}

Generator::State Generator::state() const {
    const std::scoped_lock lock(m_mutex);
    State state{};
    store(state, layout::kSeed, m_seed);
    store(state, layout::kLeft, m_left);
    store(state, layout::kSeeded, std::int32_t{1});
    store(state, layout::kNext, std::uint64_t{m_next});
    for (std::size_t i = 0; i < m_words.size(); ++i) store(state, layout::kWords + 8 * i, std::uint64_t{m_words[i]});
    store(state, layout::kNormal, m_normal.value_or(0.0));
    store(state, layout::kHasNormal, std::int32_t{m_normal.has_value()});
    store(state, layout::kFloatNormal, m_floatNormal.value_or(0.0f));
    store(state, layout::kHasFloatNormal, m_floatNormal.has_value());
    return state;
}

Result<bool> Generator::setState(std::span<const std::byte> state) {
    if (state.size() != kStateBytes && state.size() != layout::kOldBytes) {
        return Refusal{ErrorKind::Runtime, "RNG-23",
                       "Expected either a CPUGeneratorImplStateLegacy of size " + std::to_string(layout::kOldBytes) +
                           " or a CPUGeneratorImplState of size " + std::to_string(kStateBytes) +
                           "\nbut found the input RNG state size to be " + std::to_string(state.size()),
                       "Pass what get_rng_state() gave.",
                       NumelMismatch{static_cast<Index>(kStateBytes), static_cast<Index>(state.size())}};
    }
    const auto left = load<std::int32_t>(state, layout::kLeft);
    const auto next = load<std::uint64_t>(state, layout::kNext);
    const bool seeded = load<std::int32_t>(state, layout::kSeeded) == 1;
    // The words that are left must be there.
    const bool fits =
        left >= 1 && left <= cpu::kTwisterWords && next + static_cast<std::uint64_t>(left - 1) <= 624 && next <= 624;
    if (!seeded || !fits) {
        return Refusal{ErrorKind::Runtime,
                       "RNG-24",
                       "Invalid mt19937 state",
                       "It says " + std::to_string(left) + " left and " + std::to_string(next) +
                           " next of 624; pass what get_rng_state() gave.",
                       {}};
    }
    const std::scoped_lock lock(m_mutex);
    m_left = left;
    m_next = static_cast<std::uint32_t>(next);
    m_seed = load<std::uint64_t>(state, layout::kSeed);
    for (std::size_t i = 0; i < m_words.size(); ++i)
        m_words[i] = static_cast<std::uint32_t>(load<std::uint64_t>(state, layout::kWords + 8 * i));
    m_normal.reset();
    m_floatNormal.reset();
    if (load<std::int32_t>(state, layout::kHasNormal) != 0) m_normal = load<double>(state, layout::kNormal);
    if (state.size() == kStateBytes && load<std::uint8_t>(state, layout::kHasFloatNormal) != 0)
        m_floatNormal = load<float>(state, layout::kFloatNormal);
    return true;
}

Generator& defaultGenerator() {
    static Generator* const generator = new Generator(unpredictable()); // threads that outlive main() may still draw
    return *generator;
}

} // namespace stridescope
