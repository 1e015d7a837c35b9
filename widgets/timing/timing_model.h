#pragma once
// TimingModel: recorded runs as what the Timing screen shows. A pure function of the runs; the pictures, the table,
// hit tests and screen readers read the same value. Nothing in it is not measured.

#include "core/timing/crossover.h"
#include "core/timing/mistakes.h"
#include "core/timing/record.h"
#include "widgets/theme/theme.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace stridescope {

/// A run on the screen.
struct ShownRun {
    std::shared_ptr<const timing::Run> run; ///< not null
    bool recorded = false;                  ///< not measured in this window: carries its machine, date and version
};

/// Sign at each point of a curve: series are told apart without hue.
enum class SeriesSign : quint8 { Disc, Square, Triangle, Diamond, Nabla, Pentagon };

struct SeriesPoint {
    Index n = 0;
    const timing::Measurement* measurement = nullptr; ///< in the series' run
};

/// One curve: an operation on one device, over the sizes.
struct ShownSeries {
    std::size_t run = 0;
    QString label;  ///< "CPU, 2 threads", "GPU with transfers"
    QString origin; ///< "measured now", or machine, date and version
    bool gpu = false, recorded = false;
    timing::Part part = timing::Part::Compute;
    SeriesSign sign = SeriesSign::Disc;
    bool filled = true;
    int dash = 0;                    ///< 0 solid, 1 dashed, 2 dotted
    std::vector<SeriesPoint> points; ///< ascending by n
    Tone tone() const { return gpu ? Tone::Gpu : Tone::Cpu; }
    Tone tint() const { return gpu ? Tone::GpuTint : Tone::Selected; }
    const timing::Measurement* at(Index n) const;
};

struct ShownCrossover {
    std::size_t first = 0, second = 0; ///< series: from here on the second is faster
    timing::Crossover where;
    double seconds = 0; ///< of both, at the estimate
    QString what;       ///< "GPU with transfers wins from here"
    QString size;       ///< "n ≈ 190 (128 … 256)"
};

/// How much faster one is than another, at each size: verdicts over pairs of blocks; of two runs, whose blocks make no
/// pairs, from the intervals of both medians.
struct SpeedLine {
    std::size_t slow = 0, fast = 0; ///< series
    QString label;
    struct Point {
        Index n = 0;
        timing::Verdict verdict; ///< first: `fast`, second: `slow`, so that above 1 means faster
    };
    std::vector<Point> points;
};

/// Where the time of a call with transfers goes; seconds.
struct TransferBar {
    Index n = 0;
    std::size_t run = 0;
    double upload = 0, kernel = 0, download = 0, launch = 0, roundTrip = 0;
    QString uploadLabel, kernelLabel;
    double sum() const { return upload + kernel + download; }
};

/// A way to time wrongly, with what it gave where it was run.
struct ShownWay {
    const timing::MistakeCase* what = nullptr;
    QString missing; ///< why it cannot be run here; empty: it can
    bool running = false;
    std::shared_ptr<const timing::MistakeRecord> record;
};

/// What is said beside the measurements.
struct TimingNotes {
    QString stale;              ///< the settings are others than those of what is shown; empty: they are not
    QString gpuMissing, remedy; ///< why there is no GPU, and what to do; empty where there is one
    std::vector<ShownWay> ways;
};

struct TimingModel {
    std::vector<ShownRun> runs;
    std::vector<ShownSeries> series; ///< those of the first run first
    std::vector<ShownCrossover> crossovers;
    std::vector<SpeedLine> speedLines;
    std::vector<TransferBar> bars;
    std::vector<Index> sizes; ///< of all series, ascending
    TimingNotes notes;
    QString subject; ///< "A @ B, n × n", or "3 operations"
    QStringList refused;

    bool isEmpty() const { return series.empty(); }
    bool hasRecorded() const;
    /// The size of the sweep that is nearest to `n`, or the middle one.
    std::optional<Index> sizeNear(std::optional<Index> n) const;
};

TimingModel timingModel(std::vector<ShownRun> runs, TimingNotes notes);

/// "lab, AMD EPYC, 2026-10-12, version 0.9": from outside, so shown as plain text only.
QString runLabel(const timing::Run& run);

} // namespace stridescope
