#include "tests/support/heartbeat.h"

#include <algorithm>

namespace stridescope::test {

namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;
constexpr auto kSleep = std::chrono::milliseconds(1);
constexpr Milliseconds kLate(3); // an idle machine wakes a sleeper sooner

} // namespace

Heartbeat::Heartbeat() : m_thread([this] { watch(); }) {}

Heartbeat::~Heartbeat() {
    m_ends = true;
    m_thread.join();
}

void Heartbeat::watch() {
    while (!m_ends) {
        const auto from = Clock::now();
        std::this_thread::sleep_for(kSleep);
        const auto to = Clock::now();
        if (to - from < kLate) continue;
        const std::lock_guard lock(m_lock);
        m_pauses.push_back({from, to});
    }
}

double Heartbeat::heldUp(Clock::time_point from, Clock::time_point to) const {
    const std::lock_guard lock(m_lock);
    Milliseconds sum{0};
    for (const Pause& pause : m_pauses)
        sum += std::max(Milliseconds{0}, Milliseconds(std::min(pause.to, to) - std::max(pause.from, from)));
    return sum.count();
}

void Heartbeat::start() {
    m_last = Clock::now();
}

void Heartbeat::beat() {
    const auto now = Clock::now(), last = m_last;
    m_last = now;
    const double gap = Milliseconds(now - last).count();
    if (gap <= m_longest) return;
    // A pause that has not ended yet is told a moment later.
    if (gap > kLate.count()) std::this_thread::sleep_for(2 * kSleep);
    m_longest = std::max(m_longest, gap - heldUp(last, now));
    m_last = Clock::now();
}

} // namespace stridescope::test
