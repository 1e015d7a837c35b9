#pragma once
// What the benchmark programs share: blocks of repeated calls, timed, and the text of a time.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace stridescope::bench {

using Work = std::function<void()>;

/// Keeps the compiler from dropping or merging work on what it points to.
inline void touch(const void* p) {
    asm volatile("" : : "r"(p) : "memory");
}

/// The optimiser must take `value` as used.
template <class T>
void keep(const T& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

enum class Clock {
    Wall,      ///< for work of several threads
    Processor, ///< what this process computed: other programs' share of the machine does not count
};

inline double now(Clock clock) {
    timespec time{};
    clock_gettime(clock == Clock::Wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Seconds of one call, as the mean of a block of `calls`.
template <class Call>
double secondsOf(Call&& work, long calls, Clock clock = Clock::Wall) {
    const double start = now(clock);
    for (long i = 0; i < calls; ++i) work();
    return (now(clock) - start) / static_cast<double>(calls);
}

/// Calls that take at least `seconds` together. Runs the work, which warms it.
template <class Call>
long callsFor(Call&& work, double seconds, Clock clock = Clock::Wall) {
    long calls = 1;
    for (;;) {
        const double block = secondsOf(work, calls, clock) * static_cast<double>(calls);
        if (block >= seconds || calls > (1 << 26)) return calls;
        const double more = block <= 0 ? 16 : std::min(16.0, 1.2 * seconds / block);
        calls = std::max(calls + 1, static_cast<long>(static_cast<double>(calls) * more));
    }
}

/// The quickest block of each of several works, in turns: neighbours on the machine only ever add time.
inline std::vector<double> quickest(const std::vector<Work>& works, int rounds, double block = 0.002) {
    std::vector<long> calls;
    for (const Work& work : works) calls.push_back(callsFor(work, block));
    std::vector<double> best(works.size(), 1e9);
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < works.size(); ++i) best[i] = std::min(best[i], secondsOf(works[i], calls[i]));
    return best;
}

inline std::string timeText(double seconds) {
    char text[32];
    if (seconds < 1e-6)
        std::snprintf(text, sizeof text, "%.1f ns", seconds * 1e9);
    else if (seconds < 1e-3)
        std::snprintf(text, sizeof text, "%.2f us", seconds * 1e6);
    else
        std::snprintf(text, sizeof text, "%.3f ms", seconds * 1e3);
    return text;
}

/// Prints the median of nine runs of about 20 ms each, divided by `each`, in nanoseconds of processor time.
template <class Call>
void printNanoseconds(const char* name, long each, Call call) {
    const long count = callsFor(call, 0.02, Clock::Processor);
    std::vector<double> runs;
    for (int run = 0; run < 9; ++run)
        runs.push_back(secondsOf(call, count, Clock::Processor) / static_cast<double>(each) * 1e9);
    std::sort(runs.begin(), runs.end());
    std::printf("%-44s %12.1f ns   (%.1f to %.1f)\n", name, runs[4], runs.front(), runs.back());
    std::fflush(stdout);
}

} // namespace stridescope::bench
