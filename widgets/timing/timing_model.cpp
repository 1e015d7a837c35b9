#include "widgets/timing/timing_model.h"

#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/timing/timing_words.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace stridescope {

namespace {

using timing::Measurement;
using timing::Part;

bool isGpu(const Measurement& m) {
    return m.device != "cpu";
}

/// Whether two measurements are points of one curve.
bool sameCurve(const Measurement& a, const Measurement& b) {
    return a.operation == b.operation && a.statement == b.statement && a.dtype == b.dtype && a.layout == b.layout &&
           a.cache == b.cache && a.device == b.device && a.threads == b.threads && a.part == b.part;
}

QString partLabel(const Measurement& m, bool severalGpus) {
    const QString device =
        severalGpus ? QString::fromStdString(m.device) : PaintedText::tr("GPU", "the only device of its kind");
    switch (m.part) {
    case Part::Upload:
        return PaintedText::tr("copy in");
    case Part::Download:
        return PaintedText::tr("copy out");
    case Part::RoundTrip:
        return PaintedText::tr("%1 with transfers").arg(device);
    case Part::Compute:
        break;
    }
    if (isGpu(m)) return PaintedText::tr("%1, kernel only").arg(device);
    return m.threads == 1 ? PaintedText::tr("CPU, 1 thread") : PaintedText::tr("CPU, %1 threads").arg(m.threads);
}

/// What has to be told beside the device because the series differ in it.
struct Differing {
    bool operation = false, dtype = false, layout = false, cache = false, gpus = false;
};

Differing differing(const std::vector<ShownSeries>& series) {
    Differing d;
    std::set<std::string> gpus;
    const Measurement* first = nullptr;
    for (const ShownSeries& each : series) {
        const Measurement& m = *each.points.front().measurement;
        if (isGpu(m)) gpus.insert(m.device);
        if (!first) first = &m;
        d.operation |= m.operation != first->operation || m.statement != first->statement;
        d.dtype |= m.dtype != first->dtype;
        d.layout |= m.layout != first->layout;
        d.cache |= m.cache != first->cache;
    }
    d.gpus = gpus.size() > 1;
    return d;
}

QString seriesLabel(const Measurement& m, const Differing& d) {
    QStringList words{partLabel(m, d.gpus)};
    if (d.operation) words.prepend(plainName(QString::fromStdString(m.statement.empty() ? m.operation : m.statement)));
    if (d.dtype) words << QString::fromLatin1(name(m.dtype));
    if (d.layout) words << QString::fromLatin1(name(m.layout));
    if (d.cache) words << QString::fromLatin1(name(m.cache));
    return words.join(QStringLiteral(", "));
}

/// Signs as in the pictures: discs for a CPU, a square for all of a GPU's way, an open triangle for its kernel alone;
/// those that come after them take signs and dashes of their own.
void giveLooks(std::vector<ShownSeries>& series) {
    constexpr SeriesSign kCpu[] = {SeriesSign::Disc, SeriesSign::Diamond, SeriesSign::Nabla, SeriesSign::Pentagon};
    int cpus = 0, kernels = 0, trips = 0;
    for (ShownSeries& each : series) {
        int& count = !each.gpu ? cpus : each.part == Part::Compute ? kernels : trips;
        if (!each.gpu) {
            each.sign = kCpu[count % 4];
            each.dash = (count / 4 + (each.recorded ? 1 : 0)) % 3;
            each.filled = !each.recorded;
        } else {
            each.sign = each.part == Part::Compute ? (count % 2 ? SeriesSign::Nabla : SeriesSign::Triangle)
                                                   : (count % 2 ? SeriesSign::Diamond : SeriesSign::Square);
            each.dash = each.part == Part::Compute ? 2 : 1;
            each.filled = each.part != Part::Compute;
        }
        ++count;
    }
}

void addSeries(TimingModel& model) {
    for (std::size_t r = 0; r < model.runs.size(); ++r) {
        const std::size_t from = model.series.size();
        for (const Measurement& m : model.runs[r].run->measurements) {
            if (m.part == Part::Upload || m.part == Part::Download) continue; // their place is in the bars
            if (m.times().count == 0) continue;
            auto of = std::find_if(model.series.begin() + static_cast<std::ptrdiff_t>(from), model.series.end(),
                                   [&](const ShownSeries& s) { return sameCurve(*s.points.front().measurement, m); });
            if (of == model.series.end()) {
                ShownSeries made;
                made.run = r;
                made.gpu = isGpu(m);
                made.recorded = model.runs[r].recorded;
                made.part = m.part;
                made.origin =
                    made.recorded ? runLabel(*model.runs[r].run) : PaintedText::tr("measured on this machine");
                model.series.push_back(std::move(made));
                of = model.series.end() - 1;
            }
            of->points.push_back({m.n, &m});
        }
    }
    for (ShownSeries& each : model.series)
        std::stable_sort(each.points.begin(), each.points.end(),
                         [](const SeriesPoint& a, const SeriesPoint& b) { return a.n < b.n; });
    const Differing d = differing(model.series);
    for (ShownSeries& each : model.series) each.label = seriesLabel(*each.points.front().measurement, d);
    giveLooks(model.series);
    std::set<Index> sizes;
    for (const ShownSeries& each : model.series)
        for (const SeriesPoint& point : each.points) sizes.insert(point.n);
    model.sizes.assign(sizes.begin(), sizes.end());
    const auto first = model.series.empty() ? nullptr : model.series.front().points.front().measurement;
    if (d.operation) {
        model.subject = PaintedText::tr("several operations");
    } else if (first) {
        model.subject =
            plainName(QString::fromStdString(first->statement.empty() ? first->operation : first->statement));
    }
}

/// The same work, so that their times can be compared.
bool sameWork(const Measurement& a, const Measurement& b) {
    return a.operation == b.operation && a.statement == b.statement && a.dtype == b.dtype && a.layout == b.layout;
}

QString sizeWords(const timing::Crossover& at) {
    const auto about = static_cast<Index>(std::llround(at.estimate));
    return QStringLiteral("n ≈ %1 (%2 … %3)").arg(countText(about), countText(at.below), countText(at.above));
}

/// Seconds of a series at a size between two of its own, along a straight line of logarithms.
double between(const ShownSeries& series, double n) {
    const auto& points = series.points;
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (n > static_cast<double>(points[i].n)) continue;
        const double a = std::log(static_cast<double>(points[i - 1].n)), b = std::log(static_cast<double>(points[i].n));
        const double low = std::log(points[i - 1].measurement->times().median);
        const double high = std::log(points[i].measurement->times().median);
        return std::exp(low + (high - low) * (std::log(n) - a) / (b - a));
    }
    return points.empty() ? 0 : points.back().measurement->times().median;
}

std::vector<timing::CurvePoint> curve(const ShownSeries& series) {
    std::vector<timing::CurvePoint> points;
    for (const SeriesPoint& point : series.points) {
        const Measurement& m = *point.measurement;
        // What was measured while others were at work tells no crossover.
        if (m.busy) continue;
        const timing::Interval all{m.times().lowerQuartile, m.times().upperQuartile};
        points.push_back({point.n, m.times().median, m.interval.value_or(all)});
    }
    return points;
}

/// The CPU against each GPU, and one thread against the most.
void addCrossovers(TimingModel& model) {
    for (std::size_t i = 0; i < model.series.size(); ++i) {
        for (std::size_t k = 0; k < model.series.size(); ++k) {
            const ShownSeries &a = model.series[i], &b = model.series[k];
            const Measurement &ma = *a.points.front().measurement, &mb = *b.points.front().measurement;
            if (i == k || a.gpu || a.run != 0 || !sameWork(ma, mb)) continue;
            const auto mostThreads = [&](const ShownSeries& s) {
                return std::none_of(model.series.begin(), model.series.end(), [&](const ShownSeries& other) {
                    return !other.gpu && other.run == s.run &&
                           sameWork(*other.points.front().measurement, *s.points.front().measurement) &&
                           other.points.front().measurement->threads > s.points.front().measurement->threads;
                });
            };
            if (b.gpu ? !mostThreads(a) : b.run != a.run || ma.threads != 1 || !mostThreads(b)) continue;
            const auto found = timing::crossoverOf(curve(a), curve(b));
            if (!found) continue;
            model.crossovers.push_back({i, k, *found, between(a, found->estimate),
                                        PaintedText::tr("%1 wins from here").arg(b.label), sizeWords(*found)});
        }
    }
}

/// The verdict seen from the other side.
timing::Verdict turned(timing::Verdict v) {
    std::swap(v.interval.low, v.interval.high);
    v.interval = {v.interval.low > 0 ? 1 / v.interval.low : 0, v.interval.high > 0 ? 1 / v.interval.high : 0};
    if (v.ratio > 0) v.ratio = 1 / v.ratio;
    if (v.answer != timing::Answer::CannotTell)
        v.answer = v.answer == timing::Answer::FirstFaster ? timing::Answer::SecondFaster : timing::Answer::FirstFaster;
    return v;
}

/// Only runs whose blocks were taken in turns have verdicts: those of two runs cannot be paired.
void addSpeedLines(TimingModel& model) {
    const auto seriesOf = [&](std::size_t run, const Measurement& m) {
        for (std::size_t i = 0; i < model.series.size(); ++i)
            if (model.series[i].run == run && sameCurve(*model.series[i].points.front().measurement, m)) return i;
        return model.series.size();
    };
    for (std::size_t r = 0; r < model.runs.size(); ++r) {
        const timing::Run& run = *model.runs[r].run;
        for (const timing::Comparison& comparison : run.comparisons) {
            if (comparison.first >= run.measurements.size() || comparison.second >= run.measurements.size()) continue;
            const Measurement &a = run.measurements[comparison.first], &b = run.measurements[comparison.second];
            const std::size_t first = seriesOf(r, a), second = seriesOf(r, b);
            if (first >= model.series.size() || second >= model.series.size()) continue;
            // The slow one is the CPU, or fewer threads: whatever a person hopes to get away from.
            const bool swap = (isGpu(a) && !isGpu(b)) || (isGpu(a) == isGpu(b) && a.threads > b.threads);
            const std::size_t slow = swap ? second : first, fast = swap ? first : second;
            const timing::Verdict verdict = swap ? comparison.verdict : turned(comparison.verdict);
            auto line = std::find_if(model.speedLines.begin(), model.speedLines.end(),
                                     [&](const SpeedLine& l) { return l.slow == slow && l.fast == fast; });
            if (line == model.speedLines.end()) {
                model.speedLines.push_back(
                    {slow,
                     fast,
                     PaintedText::tr("%1 against %2").arg(model.series[fast].label, model.series[slow].label),
                     {}});
                line = model.speedLines.end() - 1;
            }
            line->points.push_back({a.n, verdict});
        }
    }
}

/// The widest ratio that two intervals allow; where it holds 1, nothing is told.
timing::Verdict apart(const Measurement& fast, const Measurement& slow) {
    timing::Verdict v;
    v.ratio = slow.times().median / fast.times().median;
    if (fast.busy || slow.busy) {
        v.why = "a machine was busy";
    } else if (!fast.interval || !slow.interval || fast.interval->low <= 0 || slow.interval->low <= 0) {
        v.why = "too few blocks";
    } else {
        v.interval = {slow.interval->low / fast.interval->high, slow.interval->high / fast.interval->low};
        if (v.interval.holds(1))
            v.why = "the intervals meet";
        else
            v.answer = v.interval.low > 1 ? timing::Answer::FirstFaster : timing::Answer::SecondFaster;
    }
    return v;
}

/// The same measured now and before, or elsewhere.
void addComparedRuns(TimingModel& model) {
    for (std::size_t s = 0; s < model.series.size(); ++s) {
        for (std::size_t r = s + 1; r < model.series.size(); ++r) {
            const ShownSeries &now = model.series[s], &recorded = model.series[r];
            if (now.run != 0 || recorded.run == 0 ||
                !sameCurve(*now.points.front().measurement, *recorded.points.front().measurement))
                continue;
            SpeedLine line{s, r, PaintedText::tr("recorded %1 against now, not in turns").arg(recorded.label), {}};
            for (const SeriesPoint& point : recorded.points)
                if (const Measurement* m = now.at(point.n))
                    line.points.push_back({point.n, apart(*point.measurement, *m)});
            if (!line.points.empty()) model.speedLines.push_back(std::move(line));
        }
    }
}

void addBars(TimingModel& model) {
    for (std::size_t r = 0; r < model.runs.size(); ++r) {
        const auto& all = model.runs[r].run->measurements;
        for (const Measurement& m : all) {
            if (!isGpu(m) || m.part != Part::Compute || m.times().count == 0) continue;
            TransferBar bar;
            bar.n = m.n;
            bar.run = r;
            bar.kernel = m.times().median;
            bar.kernelLabel = plainName(QString::fromStdString(m.operation));
            bar.launch = m.launch ? m.launch->median : 0;
            for (const Measurement& other : all) {
                if (other.n != m.n || other.device != m.device || !sameWork(other, m)) continue;
                if (other.part == Part::Upload) bar.upload = other.times().median;
                if (other.part == Part::Download) bar.download = other.times().median;
                if (other.part == Part::RoundTrip) bar.roundTrip = other.times().median;
            }
            if (bar.upload > 0 || bar.download > 0) model.bars.push_back(bar);
        }
    }
    std::stable_sort(model.bars.begin(), model.bars.end(),
                     [](const TransferBar& a, const TransferBar& b) { return a.n < b.n; });
}

} // namespace

const Measurement* ShownSeries::at(Index n) const {
    for (const SeriesPoint& point : points)
        if (point.n == n) return point.measurement;
    return nullptr;
}

bool TimingModel::hasRecorded() const {
    return std::any_of(series.begin(), series.end(), [](const ShownSeries& s) { return s.recorded; });
}

std::optional<Index> TimingModel::sizeNear(std::optional<Index> n) const {
    if (sizes.empty()) return std::nullopt;
    if (!n) return sizes[sizes.size() / 2];
    return *std::min_element(sizes.begin(), sizes.end(), [&](Index a, Index b) {
        const auto away = [&](Index size) { return size > *n ? size - *n : *n - size; };
        return away(a) < away(b);
    });
}

QString runLabel(const timing::Run& run) {
    return plainName(QString::fromStdString(run.label()));
}

TimingModel timingModel(std::vector<ShownRun> runs, TimingNotes notes) {
    TimingModel model;
    model.runs = std::move(runs);
    model.notes = std::move(notes);
    addSeries(model);
    addCrossovers(model);
    addSpeedLines(model);
    addComparedRuns(model);
    addBars(model);
    for (const ShownRun& shown : model.runs)
        for (const std::string& refused : shown.run->refused)
            model.refused << plainName(QString::fromStdString(refused));
    return model;
}

} // namespace stridescope
