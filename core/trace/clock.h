#pragma once
// The clock of records. Two readings must cost little beside a view operation, which the system's clock does not.

#include <atomic>
#include <chrono>
#include <cstdint>

namespace stridescope::trace {

/// Counts from where std::chrono::steady_clock does, with the processor's own counter where that runs evenly and is
/// cheaper to read, and with steady_clock itself elsewhere and before prepare().
class Clock {
public:
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock>;
    static constexpr bool is_steady = true;

    static time_point now() noexcept {
#if defined(__x86_64__)
        // The builtin of gcc and clang: <x86intrin.h>, for this one line, takes a third of the time of every file that
        // includes this one.
        if (const double rate = s_rate.load(std::memory_order_acquire); rate > 0) [[likely]]
            return time_point(duration(
                s_base + static_cast<std::int64_t>(static_cast<double>(__builtin_ia32_rdtsc() - s_firstTick) * rate)));
#endif
        return time_point(std::chrono::steady_clock::now().time_since_epoch());
    }

    /// Measures the counter, which takes 0.2 ms; later calls do nothing. Any thread.
    static void prepare();

private:
    static std::atomic<double> s_rate; ///< nanoseconds in a tick; 0: the counter is not used
    static std::uint64_t s_firstTick;
    static std::int64_t s_base; ///< nanoseconds at the first tick
};

/// How many who listen want to know how long operations take. Two readings cost as much as all else of a record.
extern std::atomic<int> g_timekeepers;

/// What begin() gives when nobody asks for the time; another moment than "not observed", which is zero.
inline constexpr Clock::time_point kUntimed{Clock::duration(1)};

/// The beginning of an operation that is observed.
inline Clock::time_point begin() noexcept {
    return g_timekeepers.load(std::memory_order_relaxed) != 0 ? Clock::now() : kUntimed;
}
/// How long it took until now; 0 when nobody asked.
inline Clock::duration since(Clock::time_point begun) noexcept {
    return begun == kUntimed ? Clock::duration(0) : Clock::now() - begun;
}

} // namespace stridescope::trace
