#include "core/trace/clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace stridescope::trace {

std::atomic<double> Clock::s_rate{0};
std::uint64_t Clock::s_firstTick = 0;
std::int64_t Clock::s_base = 0;

#if defined(__x86_64__)

namespace {

using Steady = std::chrono::steady_clock;

struct Pair {
    std::uint64_t tick;
    Steady::time_point time;
};
/// Both clocks at one moment, as near as several tries come.
Pair readBoth() {
    Pair best{};
    std::uint64_t least = UINT64_MAX;
    for (int i = 0; i < 5; ++i) {
        const std::uint64_t before = __builtin_ia32_rdtsc();
        const Steady::time_point time = Steady::now();
        const std::uint64_t took = __builtin_ia32_rdtsc() - before;
        if (took >= least) continue;
        least = took;
        best = {before + took / 2, time};
    }
    return best;
}

/// Does the counter run at one rate, whatever the processor does? (Intel's and AMD's "invariant TSC".)
bool isEven() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1) != 0;
}

/// Some virtual machines carry out each reading themselves.
bool isCheap() {
    constexpr int kReadings = 100;
    const Steady::time_point start = Steady::now();
    for (int i = 0; i < kReadings; ++i) (void)__builtin_ia32_rdtsc();
    const Steady::time_point between = Steady::now();
    for (int i = 0; i < kReadings; ++i) (void)Steady::now();
    return between - start < Steady::now() - between;
}

} // namespace

void Clock::prepare() {
    static const double rate = [] {
        if (!isEven() || !isCheap()) return 0.0;
        const Pair first = readBoth();
        Pair last = first;
        while (last.time - first.time < std::chrono::microseconds(200)) last = readBoth();
        s_firstTick = first.tick;
        s_base = std::chrono::nanoseconds(first.time.time_since_epoch()).count();
        return static_cast<double>(std::chrono::nanoseconds(last.time - first.time).count()) /
               static_cast<double>(last.tick - first.tick);
    }();
    s_rate.store(rate, std::memory_order_release);
}

#else

void Clock::prepare() {}

#endif

} // namespace stridescope::trace
