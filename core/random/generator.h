#pragma once
// Generator: where random numbers come from. The same stream as PyTorch's CPU generator, bit for bit.

#include "core/backend/cpu/random_loops.h"
#include "core/result.h"

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>

namespace stridescope {

/// The Mersenne Twister MT19937 seeded with the low 32 bits of its seed, and the second number of a pair of normal ones
/// that waits for whoever asks next.
/// Operations hold `mutex()` while they draw, so that the numbers of one operation stay together.
class Generator {
public:
    /// The seed of a torch.Generator() that nobody has seeded.
    static constexpr std::uint64_t kFirstSeed = 67280421310721;

    explicit Generator(std::uint64_t seed = kFirstSeed) { restart(seed); }
    Generator(const Generator&) = delete;
    Generator& operator=(const Generator&) = delete;

    /// Starts the stream of `seed`; a kept normal number is forgotten.
    void manualSeed(std::uint64_t seed);
    /// The seed that the stream was started with.
    std::uint64_t initialSeed() const;
    /// Starts a stream that nobody can know beforehand, and returns its seed.
    std::uint64_t seed();

    /// Bytes of a saved state: those of torch.get_rng_state().
    static constexpr std::size_t kStateBytes = 5056;
    using State = std::array<std::byte, kStateBytes>;
    /// Everything, in the layout of PyTorch 1.13 on 64-bit little-endian machines.
    State state() const;
    /// Goes on where a state was taken, here or by PyTorch; 5048 bytes (PyTorch's older layout) will do.
    /// Refused, nothing changed: another number of bytes (RNG-23), numbers that no generator can have (RNG-24).
    Result<bool> setState(std::span<const std::byte> state);

    // --- For those who hold the mutex ---------------------------------------------------------------------------
    std::mutex& mutex() const { return m_mutex; }
    /// The next out.size() numbers of 32 bits.
    void fill(std::span<std::uint32_t> out);
    /// The kept second normal number, which is no longer kept then.
    std::optional<double> takeNormal() { return std::exchange(m_normal, std::nullopt); }
    bool keepsNormal() const { return m_normal.has_value(); }
    void keepNormal(double value) { m_normal = value; }

private:
    void restart(std::uint64_t seed);

    mutable std::mutex m_mutex;
    alignas(64) std::array<std::uint32_t, cpu::kTwisterWords> m_words{};
    /// Words not handed out yet, counted as PyTorch does: 1 means none, 624 all but the first.
    std::int32_t m_left = 1;
    std::uint32_t m_next = 0; ///< index of the next word
    std::uint64_t m_seed = 0;
    std::optional<double> m_normal;
    std::optional<float> m_floatNormal; ///< PyTorch's states can hold one; no operation on the CPU uses it
};

/// The one that operations use unless told otherwise. Seeded anew in every process.
Generator& defaultGenerator();

} // namespace stridescope
