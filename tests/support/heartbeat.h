#pragma once
// How long a thread was held up, without what the machine held up: tests that promise milliseconds hold on a machine
// that others use, too.

#include "tests/support/instrumented.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace stridescope::test {

/// What a window promises, in milliseconds: with a sanitizer everything takes longer.
inline constexpr double kLongestBeat = kInstrumented ? 500 : 50;

/// Beats come from the watched thread, which makes this. It is not blamed for as long as it was ready and other threads
/// had the processors (the kernel counts that), nor for as long as nobody ran: a second thread asks for a millisecond's
/// sleep again and again, and wakes late then.
class Heartbeat {
public:
    Heartbeat();
    ~Heartbeat();
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    /// What came before this counts no more.
    void start();
    /// The watched thread is alive.
    void beat();
    /// Milliseconds between two beats, at most, less those in which the machine held up everybody.
    double longest() const { return m_longest; }

private:
    using Clock = std::chrono::steady_clock;
    struct Pause {
        Clock::time_point from, to;
    };
    void watch();
    double heldUp(Clock::time_point from, Clock::time_point to) const;
    double queued() const;

    std::atomic<bool> m_ends{false};
    mutable std::mutex m_lock;
    std::vector<Pause> m_pauses; ///< of the second thread, those that were late
    Clock::time_point m_last = Clock::now();
    double m_longest = 0;
    const int m_schedule; ///< file in which the kernel counts what the watched thread ran and waited; -1 without one
    double m_queued = 0;  ///< queued() at the last beat
    std::thread m_thread;
};

} // namespace stridescope::test
