#include "core/timing/clock.h"

#include "core/backend/cpu/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <limits>

#include <sys/resource.h>

namespace stridescope::timing {

namespace {

double secondsOf(clockid_t id) {
    timespec time{};
    clock_gettime(id, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class SystemClock : public Clock {
public:
    double now() override { return secondsOf(CLOCK_MONOTONIC); }
    double processorSeconds(bool wholeProcess) override {
        return secondsOf(wholeProcess ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID);
    }
    std::int64_t involuntarySwitches(bool wholeProcess) override {
        rusage usage{};
        getrusage(wholeProcess ? RUSAGE_SELF : RUSAGE_THREAD, &usage);
        return usage.ru_nivcsw;
    }
};

/// Each step needs the one before it, so that it takes the same on every core of one kind, whatever is in its caches.
double spin() {
    constexpr int kSteps = 40'000;
    const double start = secondsOf(CLOCK_MONOTONIC);
    std::uint64_t x = 88172645463325252u;
    for (int i = 0; i < kSteps; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : : "r"(x));
    return secondsOf(CLOCK_MONOTONIC) - start;
}

class SpinProbe : public Probe {
public:
    double seconds(int threads) override {
        if (threads <= 1) return spin();
        const int before = numThreads();
        if (before != threads) setNumThreads(threads);
        std::atomic<double> slowest{0};
        parallelFor(0, threads, 1, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                const double taken = spin();
                double seen = slowest.load();
                while (taken > seen && !slowest.compare_exchange_weak(seen, taken)) {
                }
            }
        });
        if (before != threads) setNumThreads(before);
        return slowest;
    }
};

} // namespace

Clock& systemClock() {
    static SystemClock clock;
    return clock;
}

double readingCost(Clock& clock) {
    double least = std::numeric_limits<double>::infinity();
    for (int run = 0; run < 7; ++run) {
        constexpr int kReadings = 200;
        const double start = clock.now();
        double last = start;
        for (int i = 0; i < kReadings; ++i) last = clock.now();
        least = std::min(least, (last - start) / kReadings);
    }
    return least;
}

Probe& spinProbe() {
    static SpinProbe probe;
    return probe;
}

Instruments systemInstruments() {
    return {systemClock(), spinProbe()};
}

} // namespace stridescope::timing
