#include "core/timing/measure.h"

#include "core/error.h"

#include <algorithm>
#include <optional>
#include <random>

namespace stridescope::timing {

const char* name(Dropped reason) {
    switch (reason) {
    case Dropped::Probe:
        return "probe";
    case Dropped::Switched:
        return "switched";
    case Dropped::Processor:
        return "processor";
    case Dropped::No:
        break;
    }
    return "";
}

const char* name(Stop stop) {
    switch (stop) {
    case Stop::Precise:
        return "precise";
    case Stop::Time:
        return "time";
    case Stop::Cancelled:
        return "cancelled";
    case Stop::Rounds:
        break;
    }
    return "rounds";
}

Subject hostSubject(std::string label, std::function<void()> call, Clock& clock, int threads) {
    Subject subject;
    subject.label = std::move(label);
    subject.threads = threads;
    subject.block = [call = std::move(call), &clock](std::int64_t calls) {
        const double start = clock.now();
        for (std::int64_t i = 0; i < calls; ++i) call();
        return BlockTimes{clock.now() - start};
    };
    return subject;
}

void markNoise(std::vector<Sample>& samples, double bestProbe, const NoiseRules& rules, bool mayWait) {
    for (Sample& s : samples) {
        const double slowest = std::max(s.probeBefore, s.probeAfter);
        const double allowed = std::floor(s.times.host / rules.secondsPerSwitch);
        if (bestProbe > 0 && slowest > rules.probeFactor * bestProbe)
            s.dropped = Dropped::Probe;
        else if (static_cast<double>(s.switches) > allowed)
            s.dropped = Dropped::Switched;
        else if (!mayWait && s.processorShare < rules.processorShare)
            s.dropped = Dropped::Processor;
        else
            s.dropped = Dropped::No;
    }
}

namespace {

constexpr std::size_t kFewestKept = 5;

std::size_t keptCount(std::span<const Sample> samples) {
    return static_cast<std::size_t>(
        std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return s.dropped == Dropped::No; }));
}

} // namespace

std::vector<double> keptTimes(std::span<const Sample> samples, bool byDevice) {
    const bool all = keptCount(samples) < kFewestKept;
    std::vector<double> times;
    for (const Sample& s : samples)
        if (all || s.dropped == Dropped::No) times.push_back(s.perCall(byDevice));
    return times;
}

Verdict compareRounds(std::span<const Sample> first, std::span<const Sample> second, bool busy, bool byDevice) {
    std::vector<double> a, b, allOfA, allOfB;
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
        allOfA.push_back(first[i].perCall(byDevice));
        allOfB.push_back(second[i].perCall(byDevice));
        if (first[i].dropped != Dropped::No || second[i].dropped != Dropped::No) continue;
        a.push_back(allOfA.back());
        b.push_back(allOfB.back());
    }
    if (a.size() < kFewestKept && allOfA.size() > a.size()) return compare(allOfA, allOfB, true);
    return compare(a, b, busy);
}

std::optional<std::int64_t> blockSize(const std::function<std::optional<double>(std::int64_t calls)>& run,
                                      double target, bool powersOfTen) {
    constexpr std::int64_t kMostCalls = 100'000'000;
    for (std::int64_t calls = 1;;) {
        const std::optional<double> taken = run(calls);
        if (!taken) return std::nullopt;
        if (*taken >= target || calls >= kMostCalls) return calls;
        if (powersOfTen) {
            calls *= 10;
            continue;
        }
        const double grow = *taken > 0 ? std::min(1.2 * target / *taken, 10.0) : 10.0;
        calls = std::max(calls + 1, static_cast<std::int64_t>(static_cast<double>(calls) * grow));
    }
}

Measured measureBlocks(const Subject& subject, const BlockedOptions& options,
                       const std::function<void(const Sample&)>& taken) {
    Measured m;
    m.label = subject.label;
    if (subject.prepare) subject.prepare();
    std::vector<double> costs;
    for (int i = 0; i < 5; ++i) costs.push_back(subject.block(0).host);
    const double overhead = summaryOf(costs).median;
    const auto one = [&](std::int64_t calls) {
        Sample sample;
        sample.calls = calls;
        sample.times = subject.block(calls);
        return sample;
    };
    // torch.utils.benchmark: the clock's part is at most 1e-4 of a block.
    const auto size = blockSize(
        [&](std::int64_t calls) -> std::optional<double> {
            m.warmUp.push_back(one(calls));
            return m.warmUp.back().times.host;
        },
        std::min(std::max(options.blockSeconds, 1e4 * overhead), std::max(options.blockSeconds, options.minSeconds)),
        true);
    m.callsPerBlock = *size;
    m.firstCall = m.warmUp.front().times.host;
    std::vector<double> times;
    for (double spent = 0; m.samples.empty() || spent < options.maxSeconds;) {
        m.samples.push_back(one(m.callsPerBlock));
        spent += m.samples.back().times.host;
        if (taken) taken(m.samples.back());
        if (options.threshold <= 0) {
            if (spent >= options.minSeconds) break;
            continue;
        }
        times.push_back(m.samples.back().perCall());
        if (spent < options.minSeconds || times.size() < 4) continue;
        const Summary s = summaryOf(times);
        if (s.iqr() < options.threshold * s.median) break;
    }
    return m;
}

namespace {

/// What makes the calls of one measurement: subjects, their blocks so far, and how noisy it is.
class Session {
public:
    Session(std::span<const Subject> subjects, const MeasureOptions& options, const Instruments& instruments, Job* job,
            const MeasureWatch& watch, Calibration& known)
        : m_subjects(subjects), m_options(options), m_clock(instruments.clock), m_probe(instruments.probe), m_job(job),
          m_watch(watch), m_known(known), m_began(instruments.clock.now()) {
        m_result.subjects.resize(subjects.size());
        m_seconds.resize(subjects.size());
        for (std::size_t i = 0; i < subjects.size(); ++i) m_result.subjects[i].label = subjects[i].label;
        m_result.clockCost = known.clockCost;
    }

    MeasuredTogether run() {
        bool goesOn = true;
        for (std::size_t i = 0; goesOn && i < m_subjects.size(); ++i) goesOn = warmUp(i);
        if (goesOn) rounds();
        if (cancelled()) m_result.stop = Stop::Cancelled;
        finish();
        return std::move(m_result);
    }

private:
    bool cancelled() const { return m_job && m_job->isCancelled(); }

    /// One block between two probes. Nothing when it was stopped on the way.
    std::optional<Sample> block(std::size_t i, std::int64_t calls, bool probed) {
        if (cancelled()) return std::nullopt;
        const Subject& subject = m_subjects[i];
        const bool whole = subject.threads > 1;
        Sample sample;
        sample.calls = calls;
        try {
            if (subject.prepare) subject.prepare();
            if (probed) sample.probeBefore = probe(subject.threads);
            // The probe's helpers spin for a while before they sleep, which the block would feel.
            if (probed && whole) probe(1);
            sample.started = m_clock.now() - m_began;
            const std::int64_t switches = m_clock.involuntarySwitches(whole);
            const double processor = m_clock.processorSeconds(whole), start = m_clock.now();
            sample.times = subject.block(calls);
            m_wall = m_clock.now() - start;
            sample.processorShare = m_wall > 0 ? (m_clock.processorSeconds(whole) - processor) / m_wall : 1;
            sample.switches = m_clock.involuntarySwitches(whole) - switches;
            if (probed) sample.probeAfter = probe(subject.threads);
        } catch (const Error& error) {
            if (error.refusal().id == "JOB-01" && cancelled()) return std::nullopt;
            throw;
        }
        m_seconds[i] += m_wall;
        return sample;
    }

    double probe(int threads) {
        const double seconds = m_probe.seconds(threads);
        double& best = m_known.bestProbe[threads];
        best = best > 0 ? std::min(best, seconds) : seconds;
        return seconds;
    }

    /// The first call, the size of a block, and blocks until two agree. False when it was cancelled.
    bool warmUp(std::size_t i) {
        Measured& m = m_result.subjects[i];
        const Subject& subject = m_subjects[i];
        tell(i, 0, true);
        for (int k = 0; k < 5; ++k) probe(subject.threads); // so that "best" means something
        std::optional<Sample> first = block(i, 1, false);
        if (!first) return false;
        m.firstCall = first->times.host;
        m.warmUp.push_back(*first);
        const double target = std::max(m_options.blockSeconds, m_options.clockMultiple * m_result.clockCost);
        if (!findBlock(i, target)) return false;
        if (m_options.warmUp) {
            // A first call that is a block by itself is one of those that are compared.
            const bool single = m.callsPerBlock == 1;
            double last = single ? m.warmUp.back().perCall() : 0;
            int blocks = single ? static_cast<int>(std::min<std::size_t>(m.warmUp.size(), 2)) : 0;
            double spent = m_seconds[i];
            while (!m.warm && (blocks < 2 || spent < m_options.warmUpSeconds)) {
                const std::optional<Sample> next = block(i, m.callsPerBlock, true);
                if (!next) return false;
                m.warmUp.push_back(*next);
                spent = m_seconds[i];
                const double now = next->perCall();
                ++blocks;
                m.warm = blocks >= 3 && std::abs(now - last) <= m_options.agreement * std::max(now, last);
                last = now;
                tell(i, 0, true);
            }
            if (!m.warm && blocks == 2) { // two calls longer than a warm-up may take
                const double before = m.warmUp[m.warmUp.size() - 2].perCall();
                m.warm = std::abs(last - before) <= m_options.agreement * std::max(last, before);
            }
        }
        m_seconds[i] = 0;
        return true;
    }

    bool findBlock(std::size_t i, double target) {
        Measured& m = m_result.subjects[i];
        const auto size = blockSize(
            [&](std::int64_t calls) -> std::optional<double> {
                const std::optional<Sample> taken = block(i, calls, false);
                if (!taken) return std::nullopt;
                m.warmUp.push_back(*taken);
                // A subject may leave most of what it does out of its times, as the mistakes do.
                return m_wall > 20 * target ? m_wall : taken->times.host;
            },
            target);
        if (size) m.callsPerBlock = *size;
        return size.has_value();
    }

    void rounds() {
        std::mt19937_64 random(m_options.seed);
        std::vector<std::size_t> order(m_subjects.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        m_result.stop = Stop::Rounds;
        for (int round = 0; round < m_options.maxRounds; ++round) {
            for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
            std::vector<std::optional<Sample>> taken(m_subjects.size());
            for (const std::size_t i : order) {
                taken[i] = block(i, m_result.subjects[i].callsPerBlock, true);
                if (!taken[i]) return; // a round that is not whole belongs to no pair
                tell(i, round, false);
            }
            for (std::size_t i = 0; i < order.size(); ++i) m_result.subjects[i].samples.push_back(*taken[i]);
            if (const auto stop = shouldStop(round + 1)) {
                m_result.stop = *stop;
                return;
            }
        }
    }

    std::optional<Stop> shouldStop(int round) {
        double longest = 0, spent = 0;
        for (std::size_t i = 0; i < m_subjects.size(); ++i) {
            longest = std::max(longest, m_result.subjects[i].samples.back().times.host);
            spent = std::max(spent, m_seconds[i]);
        }
        const int least = longest > m_options.maxSeconds / 2 ? std::min(3, m_options.minRounds) : m_options.minRounds;
        if (round < least) return std::nullopt;
        const bool isLate = spent >= m_options.maxSeconds;
        if (spent >= m_options.minSeconds && (round < 64 || round % 8 == 0 || isLate) && isPrecise())
            return Stop::Precise;
        if (isLate) return Stop::Time;
        return std::nullopt;
    }

    static bool isNarrow(const Interval& interval, double around, double precision) {
        return (interval.high - interval.low) / 2 <= precision * around;
    }

    bool isPrecise() {
        mark();
        for (const Measured& m : m_result.subjects) {
            if (keptCount(m.samples) < kFewestKept) return false;
            const std::vector<double> times = keptTimes(m.samples, true);
            const auto interval = medianInterval(times);
            if (!interval || !isNarrow(*interval, summaryOf(times).median, m_options.precision)) return false;
        }
        for (std::size_t i = 1; i < m_result.subjects.size(); ++i) {
            const Verdict v = compareRounds(m_result.subjects[0].samples, m_result.subjects[i].samples, false, true);
            if (v.interval.low <= 0 || !isNarrow(v.interval, v.ratio, m_options.precision)) return false;
        }
        return true;
    }

    void mark() {
        for (std::size_t i = 0; i < m_subjects.size(); ++i) {
            const double best = m_known.bestProbe[m_subjects[i].threads];
            m_result.subjects[i].bestProbe = best;
            markNoise(m_result.subjects[i].samples, best, m_options.noise, m_subjects[i].mayWait);
        }
    }

    void finish() {
        mark();
        for (const Measured& m : m_result.subjects) {
            m_result.taken += m.samples.size();
            m_result.dropped += m.samples.size() - keptCount(m.samples);
        }
        m_result.busy =
            static_cast<double>(m_result.dropped) > m_options.noise.busyShare * static_cast<double>(m_result.taken);
    }

    void tell(std::size_t i, int round, bool warming) {
        if (!m_watch) return;
        const double now = m_clock.now();
        if (now - m_told < 0.1) return;
        m_told = now;
        double spent = 0;
        for (const double seconds : m_seconds) spent += seconds;
        const double most = m_options.maxSeconds * static_cast<double>(m_subjects.size());
        m_watch({warming ? 0 : std::min(1.0, spent / most), m_subjects[i].label, round, warming});
    }

    std::span<const Subject> m_subjects;
    const MeasureOptions& m_options;
    Clock& m_clock;
    Probe& m_probe;
    Job* m_job;
    const MeasureWatch& m_watch;
    Calibration& m_known;
    double m_began, m_told = -1;
    MeasuredTogether m_result;
    std::vector<double> m_seconds; ///< spent in blocks, by subject
    double m_wall = 0;             ///< of the last block, whatever its times say
};

} // namespace

MeasuredTogether measureTogether(std::span<const Subject> subjects, const MeasureOptions& options,
                                 const Instruments& instruments, Job* job, const MeasureWatch& watch,
                                 Calibration* carried) {
    Calibration own;
    Calibration& known = carried ? *carried : own;
    if (known.clockCost <= 0) known.clockCost = readingCost(instruments.clock);
    std::optional<JobScope> scope;
    if (job) scope.emplace(*job);
    return Session(subjects, options, instruments, job, watch, known).run();
}

} // namespace stridescope::timing
