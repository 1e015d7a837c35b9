#include "core/timing/ceilings.h"

#include "core/timing/timed_case.h"

#include <algorithm>
#include <cmath>

namespace stridescope::timing {

namespace {

MeasureOptions shortly() {
    MeasureOptions options;
    options.maxSeconds = 0.6;
    options.warmUpSeconds = 0.3;
    options.minRounds = 5;
    return options;
}

} // namespace

std::vector<Ceiling> measureCeilings(Device device, int threads, DType dtype, Job& job, const Instruments& instruments,
                                     bool again) {
    std::vector<Ceiling> ceilings;
    const double cache = cacheBytesOf(device);
    const auto measure = [&](const char* what, const char* operation, Index n, double workOfCall) {
        if (job.isCancelled()) return;
        try {
            const JobScope scope(job);
            const TimedOperation& timed = *findTimedOperation(operation);
            const auto one = std::make_shared<TimedCase>(timed, n, dtype, Layout::Contiguous, false, cache, 1, device);
            const Subject subject = caseSubject(what, one, threads, instruments.clock);
            const MeasuredTogether measured = measureTogether(std::span(&subject, 1), shortly(), instruments, &job);
            const Summary seconds = summaryOf(keptTimes(measured.subjects.front().samples, true));
            // The quickest: a ceiling is what was reached, and neighbours only ever take away from it.
            if (measured.stop == Stop::Cancelled || seconds.least <= 0) return;
            const Ceiling found{toString(device), device.isCpu() ? threads : 0, what, dtype, workOfCall / seconds.least,
                                seconds.spread()};
            keepHigher(ceilings, {found});
        } catch (const Error&) {
        } // no kernel, or no memory for it: there is no such ceiling here
    };
    const double item = static_cast<double>(itemSize(dtype));
    const auto side = static_cast<Index>(std::sqrt(std::min(4 * cache, 256e6) / item));
    measure("copy", "Tensor.copy_", side, 2 * item * static_cast<double>(side) * static_cast<double>(side));
    if (dtype == DType::Float32 || dtype == DType::Float64) {
        const auto product = [&](Index n) { measure("gemm", "mm", n, 2 * std::pow(static_cast<double>(n), 3)); };
        product(device.isCpu() ? 1536 : 4096);
        if (again && device.isCpu()) product(512);
    }
    return ceilings;
}

void keepHigher(std::vector<Ceiling>& known, const std::vector<Ceiling>& found) {
    for (const Ceiling& c : found) {
        const auto same = std::find_if(known.begin(), known.end(), [&](const Ceiling& k) { return k.isOf(c); });
        if (same == known.end())
            known.push_back(c);
        else if (c.perSecond > same->perSecond)
            *same = c;
    }
}

} // namespace stridescope::timing
