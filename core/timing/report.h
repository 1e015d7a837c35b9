#pragma once
// Runs as text for a terminal.

#include "core/timing/record.h"

#include <string>

namespace stridescope::timing {

/// "5.21 us", "173 us", "1.25 ms": three significant digits.
std::string timeText(double seconds);
/// "2 753 GFLOP/s", "9.4 GB/s".
std::string rateText(double perSecond, const char* unit);

/// The first line of `text`, cut to so many bytes between two characters, with "..." where something is left out.
std::string shortened(const std::string& text, std::size_t bytes);

/// Names of the columns, and a rule.
std::string tableHead();
/// One line for one measurement.
std::string tableRow(const Run& run, const Measurement& m);
/// Machine, kernels, threads, clocks, date; and each ceiling.
std::string conditionsText(const Run& run);
/// Verdicts, crossovers, what was refused, what not to trust.
std::string conclusionsText(const Run& run);

} // namespace stridescope::timing
