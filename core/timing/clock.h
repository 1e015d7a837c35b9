#pragma once
// What times are read from: a clock, and a probe of how much of the machine is ours. Tests give their own.

#include <cstdint>

namespace stridescope::timing {

/// Seconds and counters that only ever grow. The system's is systemClock().
class Clock {
public:
    virtual ~Clock() = default;
    /// Seconds since some moment, monotonic.
    virtual double now() = 0;
    /// Seconds that the calling thread computed; of the whole process with `wholeProcess`.
    virtual double processorSeconds(bool wholeProcess) = 0;
    /// How often the system took the processor away from the calling thread (of any thread with `wholeProcess`).
    virtual std::int64_t involuntarySwitches(bool wholeProcess) = 0;
};
Clock& systemClock();

/// Seconds that one reading of the clock costs: the least mean of several runs of readings.
double readingCost(Clock& clock);

/// A fixed piece of arithmetic on `threads` threads at once, timed by itself. What it takes beyond its best is what
/// others took of the machine.
class Probe {
public:
    virtual ~Probe() = default;
    /// Seconds of the slowest thread.
    virtual double seconds(int threads) = 0;
};
/// About 40 microseconds a thread, on the pool's threads.
Probe& spinProbe();

/// What measuring needs from outside.
struct Instruments {
    Clock& clock;
    Probe& probe;
};
Instruments systemInstruments();

} // namespace stridescope::timing
