#pragma once
// Recorded runs as files. The format is described in docs/timing.md.

#include "core/result.h"
#include "core/timing/record.h"

#include <string>
#include <string_view>

namespace stridescope::timing {

inline constexpr int kRunFormat = 1;
/// Limits of what is read; beyond them a file is refused with the number found.
inline constexpr std::size_t kMaxRunBytes = 256u << 20, kMaxMeasurements = 100'000, kMaxSamples = 10'000'000;

/// JSON, every sample in it.
std::string jsonOf(const Run& run);
/// Refused: BENCH-20 no JSON or not this format, BENCH-21 a version from the future, BENCH-22 a value out of range or
/// missing, BENCH-23 too large; each with the place in the file.
Result<Run> runFromJson(std::string_view text);

/// One line a sample, with a header line; conditions as comment lines ("# …") before it.
std::string csvOf(const Run& run);
/// What csvOf wrote. Refused: BENCH-24 with the line.
Result<Run> runFromCsv(std::string_view text);

/// By the ending, .json or .csv. @throws IoError: BENCH-25 for another ending; as saveAtomically.
void writeRun(const Run& run, const std::string& path);
/// Refused: BENCH-25, BENCH-26 when it cannot be read, and as above.
Result<Run> readRun(const std::string& path);

} // namespace stridescope::timing
