#include "tests/support/heartbeat.h"

#include <algorithm>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace stridescope::test {

namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;
constexpr auto kSleep = std::chrono::milliseconds(1);
constexpr Milliseconds kLate(3); // an idle machine wakes a sleeper sooner

} // namespace

Heartbeat::Heartbeat()
    : m_schedule(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)), m_thread([this] { watch(); }) {
    m_queued = queued();
}

Heartbeat::~Heartbeat() {
    m_ends = true;
    m_thread.join();
    if (m_schedule >= 0) ::close(m_schedule);
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

/// Milliseconds that the watched thread has been ready without a processor, since it began.
double Heartbeat::queued() const {
    char line[96];
    const ssize_t size = m_schedule < 0 ? -1 : ::pread(m_schedule, line, sizeof line - 1, 0);
    if (size <= 0) return 0;
    line[size] = '\0';
    unsigned long long ran = 0, waited = 0; // nanoseconds
    return std::sscanf(line, "%llu %llu", &ran, &waited) == 2 ? static_cast<double>(waited) / 1e6 : 0;
}

void Heartbeat::start() {
    m_queued = queued();
    m_last = Clock::now();
}

void Heartbeat::beat() {
    const auto now = Clock::now(), last = m_last;
    m_last = now;
    const double gap = Milliseconds(now - last).count(), before = m_queued;
    m_queued = queued();
    if (gap <= m_longest) return;
    // A pause that has not ended yet is told a moment later.
    if (gap > kLate.count()) std::this_thread::sleep_for(2 * kSleep);
    m_longest = std::max(m_longest, gap - std::max(heldUp(last, now), m_queued - before));
    start();
}

} // namespace stridescope::test
