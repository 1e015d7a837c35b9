#pragma once
// A sweep: operations over sizes, dtypes, layouts, devices and threads. The value, its text forms, and running it.

#include "core/device/device.h"
#include "core/job.h"
#include "core/result.h"
#include "core/timing/record.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope::timing {

struct SweepRequest {
    std::vector<std::string> operations{"mm"};
    std::vector<Index> sizes{64, 128, 256, 512, 1024};
    std::vector<DType> dtypes{DType::Float32};
    std::vector<Layout> layouts{Layout::Contiguous};
    std::vector<Device> devices{Device{}};
    std::vector<int> threads{1}; ///< of the CPU
    Cache cache = Cache::ByOperation;
    bool transfers = true;       ///< upload, download and the round trip of devices, too
    bool ceilings = true;        ///< measures the peaks of this machine first (about a second for each)
    bool allowSimulated = false; ///< for tests alone: the times of `sim` say nothing
    MeasureOptions measure{};

    /// As many at most; fewer than are usually the least are allowed, too.
    void setRounds(int most) {
        measure.maxRounds = most;
        measure.minRounds = std::min(MeasureOptions().minRounds, most);
    }
    /// At most so long; 0: none.
    void setWarmUp(double seconds) {
        measure.warmUpSeconds = seconds;
        measure.warmUp = seconds > 0;
    }
};

/// At most this many points (operation, size, dtype, layout).
inline constexpr std::size_t kMaxPoints = 10'000;

// Text forms. Refused with the text found, its place and what is understood.
/// "64:8192:x2" (times 2), "64:512:+64" (steps), "64,100,500": ascending, 1 to 2^40, at most 1000. BENCH-01.
Result<std::vector<Index>> sizesFromText(std::string_view text);
/// "mm,add". BENCH-02, with names that are near.
Result<std::vector<std::string>> operationsFromText(std::string_view text);
/// "float32,float64". BENCH-03.
Result<std::vector<DType>> dtypesFromText(std::string_view text);
/// "contiguous,transposed,stepped,expanded". BENCH-04.
Result<std::vector<Layout>> layoutsFromText(std::string_view text);
/// "cpu,cuda:0". Not `sim`: BENCH-06. BENCH-05.
Result<std::vector<Device>> devicesFromText(std::string_view text);
/// "1,2", each 1 to 1024. BENCH-07.
Result<std::vector<int>> threadsFromText(std::string_view text);
/// The sizes in their shortest form: "64:8192:x2".
std::string textOfSizes(const std::vector<Index>& sizes);
/// The command line that measures the same: "stridescope bench --op mm …".
std::string commandOf(const SweepRequest& request);

/// Whether it can be run at all: known operations, devices that are there, dtypes that operations take, enough memory.
/// Nothing where it can. BENCH-02 … BENCH-12.
std::optional<Refusal> problemOf(const SweepRequest& request);

struct SweepProgress {
    std::size_t point = 0, points = 0; ///< the one under way, from 0
    double share = 0;                  ///< of the whole, 0 to 1
    std::string label;                 ///< "mm, n = 512, float32: CPU, 2 threads"
    double seconds = 0;                ///< since it began
};

/// All called on the thread that runs the sweep, between blocks: what they do disturbs no sample, and delays the next.
struct SweepWatch {
    std::function<void(const SweepProgress&)> progress = {}; ///< at most ten times a second
    std::function<void(const std::vector<Ceiling>&)> ceilings =
        {}; ///< before the first point, and when one was too low
    std::function<void(const std::vector<Measurement>&, const std::vector<Comparison>&)> measured = {};
    ///< ^ the measurements of one point, judged. Places in the comparisons are those in the run so far.
    std::function<void(const std::string&)> refused = {}; ///< a point that could not be measured, and why
};

/// Runs it on the calling thread, which keeps the number of threads that it had. A cancelled `job` ends it (within
/// 200 ms, except inside a single call of LAPACK that takes longer): what was measured comes back.
/// @throws Error where problemOf() says so. What fails later (no memory for one size) is in Run::refused.
Run runSweep(const SweepRequest& request, Job& job, const SweepWatch& watch = {},
             const Instruments& instruments = systemInstruments());

} // namespace stridescope::timing
