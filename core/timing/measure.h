#pragma once
// The engine: blocks of calls of one or several subjects, in turns, until enough is known. It knows nothing of tensors.
//
// Note [Method] Each subject is called once (the first call's cost), then a block of calls is made so long that the
// clock's own cost is below a thousandth, then blocks are thrown away until two agree. What is thrown away stays in the
// result. Then rounds: in each round every subject runs one block, in random order, with a noise probe before and
// after. Round i of all subjects belongs together, so ratios are taken pair by pair. It ends when the interval of every
// median (and of every ratio) is narrow, or by time. docs/timing.md tells why.

#include "core/job.h"
#include "core/timing/clock.h"
#include "core/timing/statistics.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stridescope::timing {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// What a block of calls took, in seconds for the whole block.
struct BlockTimes {
    double host = 0;              ///< by the host's clock, synchronised before and after
    double device = kNotMeasured; ///< between two events on the device's queue
    double launch = kNotMeasured; ///< by the host's clock until the last call had returned, not waited for
};

/// One of the things that are measured in turns.
struct Subject {
    std::string label;
    /// Runs so many calls and tells what they took.
    std::function<BlockTimes(std::int64_t calls)> block;
    /// Before each block, outside its time (number of threads, current device); may be empty.
    std::function<void()> prepare = {};
    int threads = 1;      ///< that it computes on: what the probe uses, and whose processor time is looked at
    bool mayWait = false; ///< waits for something else than this processor (a device, a timer): its processor time is
                          ///< then no sign of noise
};

/// A subject that calls `call` again and again, read by `clock`.
Subject hostSubject(std::string label, std::function<void()> call, Clock& clock, int threads = 1);

/// Why a sample does not count.
enum class Dropped : std::uint8_t {
    No,
    Probe,     ///< the probe before or after it took more than 1.2 times its best
    Switched,  ///< the system took the processor away, more than once in 50 ms
    Processor, ///< less processor time than 97 % of the wall time
};
/// "", "probe", "switched", "processor".
const char* name(Dropped reason);

/// One block. Times are seconds of the whole block.
struct Sample {
    std::int64_t calls = 0;
    BlockTimes times;
    double started = 0;                     ///< since the measurement began
    double probeBefore = 0, probeAfter = 0; ///< seconds
    double processorShare = 1;              ///< processor time / wall time
    std::int64_t switches = 0;
    Dropped dropped = Dropped::No;
    /// Seconds of one call: device time where `byDevice` and it was taken, else host time.
    double perCall(bool byDevice = false) const {
        const double whole = byDevice && !std::isnan(times.device) ? times.device : times.host;
        return calls > 0 ? whole / static_cast<double>(calls) : 0;
    }
};

struct NoiseRules {
    double probeFactor = 1.2; ///< of the best probe of the run
    double processorShare = 0.97;
    double secondsPerSwitch = 0.05; ///< one involuntary switch is allowed for each such span of a block
    double busyShare = 0.3;         ///< more dropped than this: the machine is busy
};

struct MeasureOptions {
    double blockSeconds = 1e-3;  ///< least length of a block
    double clockMultiple = 1000; ///< and at least so many readings of the clock
    double warmUpSeconds = 1;    ///< at most, for each subject
    double agreement = 0.05;     ///< of two blocks in a row that end the warm-up
    double precision = 0.02;     ///< half-width of the interval, relative, that ends the measurement
    double maxSeconds = 3;       ///< for each subject
    double minSeconds = 0.05;    ///< for each subject, however narrow the interval is
    int minRounds = 7;           ///< even when time is over; fewer only for single calls above maxSeconds / 2
    int maxRounds = 1000;
    bool warmUp = true;     ///< false for the mistake of leaving it out
    std::uint64_t seed = 1; ///< of the order of turns
    NoiseRules noise{};
};

enum class Stop : std::uint8_t {
    Precise, ///< the interval is narrow enough
    Time,    ///< "stopped by time"
    Rounds,  ///< as many as were allowed
    Cancelled,
};
/// "precise", "time", "rounds", "cancelled".
const char* name(Stop stop);

/// What is known of one subject.
struct Measured {
    std::string label;
    std::int64_t callsPerBlock = 1;
    double bestProbe = 0;        ///< seconds, with this subject's number of threads
    double firstCall = 0;        ///< seconds of the very first call, with all that is made once
    bool warm = false;           ///< two blocks agreed
    std::vector<Sample> warmUp;  ///< thrown away: finding the block's size, and until blocks agreed
    std::vector<Sample> samples; ///< one a round, dropped ones among them
};

struct MeasuredTogether {
    std::vector<Measured> subjects;
    Stop stop = Stop::Rounds;
    double clockCost = 0;
    bool busy = false; ///< more than NoiseRules::busyShare of the samples were dropped
    std::size_t dropped = 0, taken = 0;
};

/// What is known of the machine from earlier measurements of one run, and is improved by each.
struct Calibration {
    double clockCost = 0;            ///< 0: not measured yet
    std::map<int, double> bestProbe; ///< by number of threads
};

/// Told between blocks, at most ten times a second.
struct MeasureProgress {
    double share = 0;  ///< of the most that it can take, 0 to 1
    std::string label; ///< of the subject that was just measured
    int rounds = 0;
    bool warmingUp = false;
};
using MeasureWatch = std::function<void(const MeasureProgress&)>;

/// Measures all subjects together. A cancelled `job` ends it after the block under way (and that block, where the work
/// asks its job): what was measured until then comes back with Stop::Cancelled. Other exceptions of a block pass.
MeasuredTogether measureTogether(std::span<const Subject> subjects, const MeasureOptions& options,
                                 const Instruments& instruments, Job* job = nullptr, const MeasureWatch& watch = {},
                                 Calibration* carried = nullptr);

/// Marks what the rules drop. A pure function of the samples and the best probe; marks from before are forgotten.
void markNoise(std::vector<Sample>& samples, double bestProbe, const NoiseRules& rules, bool mayWait);

/// Seconds of one call, of the samples that count; of all where fewer than five do.
std::vector<double> keptTimes(std::span<const Sample> samples, bool byDevice = false);
/// The verdict over the rounds that count for both.
Verdict compareRounds(std::span<const Sample> first, std::span<const Sample> second, bool busy, bool byDevice = false);

/// Calls in a block that takes at least `target` seconds, by growing blocks: at most tenfold each time, to a whole
/// power of ten where `powersOfTen`. `run` runs so many calls and tells their seconds; nothing from it stops the
/// search, and nothing comes back.
std::optional<std::int64_t> blockSize(const std::function<std::optional<double>(std::int64_t calls)>& run,
                                      double target, bool powersOfTen = false);

/// Blocks of one subject one after the other, as torch.utils.benchmark wants them: nothing is dropped, no probe runs.
struct BlockedOptions {
    double minSeconds = 0.2, maxSeconds = 0.2; ///< of all blocks together
    double blockSeconds = 2e-4;                ///< least length of one
    double threshold = 0; ///< of iqr / median, which ends it between the two; 0: minSeconds ends it
};
Measured measureBlocks(const Subject& subject, const BlockedOptions& options,
                       const std::function<void(const Sample&)>& taken = {});

} // namespace stridescope::timing
