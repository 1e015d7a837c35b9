#include "core/timing/self_test.h"

#include "core/timing/measure.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace stridescope::timing {

namespace {

MeasureOptions shortly(double seconds) {
    MeasureOptions options;
    options.maxSeconds = seconds;
    options.warmUpSeconds = 0.1;
    options.minSeconds = 0;
    return options;
}

double medianOf(const Subject& subject, const MeasureOptions& options, const Instruments& instruments, Job& job) {
    const MeasuredTogether measured = measureTogether(std::span(&subject, 1), options, instruments, &job);
    return summaryOf(keptTimes(measured.subjects.front().samples)).median;
}

SelfTestResult result(const char* name, double found, double least, double most, const char* unit, double scale,
                      const char* wanted) {
    SelfTestResult r{name, found >= least && found <= most, found, wanted, {}};
    char text[160];
    std::snprintf(text, sizeof text, "%s: %.4g %s, wanted %s: %s", name, found * scale, unit, wanted,
                  r.passed ? "holds" : "does not hold");
    r.text = text;
    return r;
}

} // namespace

std::vector<SelfTestResult> selfTest(Job& job, int comparisons, const Instruments& instruments) {
    std::vector<SelfTestResult> results;
    Subject sleeping = hostSubject(
        "sleep",
        [] {
            constexpr timespec kTenMilliseconds{0, 10'000'000};
            nanosleep(&kTenMilliseconds, nullptr);
        },
        instruments.clock);
    sleeping.mayWait = true;
    results.push_back(result("sleep 10 ms", medianOf(sleeping, shortly(0.5), instruments, job), 9.8e-3, 10.2e-3, "ms",
                             1e3, "10 ± 0.2 ms"));
    const Subject empty = hostSubject(
        "empty", [] {}, instruments.clock);
    results.push_back(
        result("empty call", medianOf(empty, shortly(0.1), instruments, job), 0, 30e-9, "ns", 1e9, "less than 30 ns"));
    // Some arithmetic that takes about 20 microseconds, against itself.
    const auto work = [] {
        std::uint64_t x = 1;
        for (int i = 0; i < 20'000; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
        asm volatile("" : : "r"(x));
    };
    const std::array<Subject, 2> twice{hostSubject("A", work, instruments.clock),
                                       hostSubject("A again", work, instruments.clock)};
    int apart = 0, done = 0;
    MeasureOptions options = shortly(0.02);
    options.warmUpSeconds = 0.01;
    Calibration known;
    for (; done < comparisons && !job.isCancelled(); ++done) {
        options.seed = static_cast<std::uint64_t>(done + 1);
        const MeasuredTogether measured = measureTogether(twice, options, instruments, &job, {}, &known);
        const Verdict verdict =
            compareRounds(measured.subjects[0].samples, measured.subjects[1].samples, measured.busy);
        if (verdict.answer != Answer::CannotTell) ++apart;
    }
    if (done > 0)
        results.push_back(result("A against A", static_cast<double>(apart) / done, 0, 0.05, "% told apart", 100,
                                 "at most 5 % told apart"));
    return results;
}

} // namespace stridescope::timing
