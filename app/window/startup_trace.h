#pragma once
// How long the start takes, for benchmarks: STRIDESCOPE_STARTUP_TRACE=1 prints a line at the first paint;
// STRIDESCOPE_STARTUP_TRACE=exit also ends the program then.

namespace stridescope::startup_trace {

/// Called at the beginning of main().
void begin();
/// Called when the first frame is on screen. Prints "first-paint <ms since main> ms, at <unix time in ns> ns,
/// resident <KiB> KiB" on stderr when asked to.
void firstPaint();

} // namespace stridescope::startup_trace
