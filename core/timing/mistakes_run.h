#pragma once
// What the runnable mistakes share.

#include "core/timing/mistakes.h"
#include "core/timing/timed_operation.h"

#include <string>

namespace stridescope::timing::mistakes {

/// What a case is run with.
struct Bench {
    Index n = 0;
    Job& job;
    Instruments instruments;
    Device device;
    MeasureOptions options{};
};

inline MeasuredTogether measured(const Bench& bench, std::span<const Subject> subjects) {
    return measureTogether(subjects, bench.options, bench.instruments, &bench.job);
}

/// One of the subjects as a measurement, judged.
Measurement measurementOf(const MeasuredTogether& together, std::size_t i, const Bench& bench, const char* operation,
                          std::string_view statement, Part part = Part::Compute);
/// The pattern with two texts.
std::string format(const char* pattern, const std::string& a, const std::string& b, const std::string& c = {});
/// Verdict and answers, where the first subject is the mistake.
void conclude(MistakeRecord& record, const MeasuredTogether& together);

/// The product where the device has one, else the sum of two matrices.
const TimedOperation& deviceOperation(Device device);
void noSynchronise(const Bench& bench, MistakeRecord& record);
void transfers(const Bench& bench, MistakeRecord& record, bool countedIn);

} // namespace stridescope::timing::mistakes
