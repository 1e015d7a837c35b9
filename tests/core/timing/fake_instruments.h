#pragma once
// A clock that goes only when it is read or when work is done, and a probe that tells what a test wants: measuring
// without a quiet machine.

#include "core/timing/measure.h"

#include <functional>
#include <random>

namespace stridescope::timing::test {

class FakeClock : public Clock {
public:
    double now() override { return m_now += reading; }
    double processorSeconds(bool) override { return m_processor; }
    std::int64_t involuntarySwitches(bool) override { return m_switches; }

    void work(double seconds) {
        m_now += seconds;
        m_processor += seconds;
    }
    void wait(double seconds) { m_now += seconds; }
    void takeAway(double seconds) {
        m_now += seconds;
        ++m_switches;
    }

    double reading = 20e-9;

private:
    double m_now = 100, m_processor = 0;
    std::int64_t m_switches = 0;
};

/// Takes 40 microseconds, times what `factor` says.
class FakeProbe : public Probe {
public:
    double seconds(int) override { return 40e-6 * (factor ? factor() : 1.0); }
    std::function<double()> factor;
};

struct Fake {
    FakeClock clock;
    FakeProbe probe;
    std::mt19937 random{7};
    Instruments instruments() { return {clock, probe}; }
    double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
    /// Work of `seconds`, each call up to `spread` more, blocks up to `spread` more.
    Subject subject(const char* label, double seconds, double spread = 0.02, int threads = 1) {
        Subject s;
        s.label = label;
        s.threads = threads;
        s.block = [this, seconds, spread](std::int64_t calls) {
            const double start = clock.now();
            clock.work(static_cast<double>(calls) * seconds * uniform(1, 1 + spread));
            return BlockTimes{clock.now() - start};
        };
        return s;
    }
};

} // namespace stridescope::timing::test
