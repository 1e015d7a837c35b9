#include "core/timing/sweep.h"

#include "core/backend/backend.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/timing/ceilings.h"
#include "core/timing/timed_case.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

namespace stridescope::timing {

namespace {

/// The number of threads that was set comes back.
class ThreadsAsBefore {
public:
    ThreadsAsBefore() : m_before(numThreads()) {}
    ~ThreadsAsBefore() { setNumThreads(m_before); }
    ThreadsAsBefore(const ThreadsAsBefore&) = delete;
    ThreadsAsBefore& operator=(const ThreadsAsBefore&) = delete;

private:
    int m_before;
};

/// Where one operation is computed.
struct Place {
    Device device;
    int threads = 1; ///< of the CPU; on a device those of the host, which give it work
    std::shared_ptr<TimedCase> timed = {};
    double firstCall = 0; ///< of a device, synchronised
};

struct Point {
    const TimedOperation* operation = nullptr;
    Index n = 0;
    DType dtype = DType::Float32;
    Layout layout = Layout::Contiguous;
};

std::string textOf(const Point& point) {
    return std::string(point.operation->name) + ", n = " + std::to_string(point.n) + ", " +
           std::string(name(point.dtype)) +
           (point.layout == Layout::Contiguous ? "" : std::string(", ") + name(point.layout));
}

class Sweep {
public:
    Sweep(const SweepRequest& request, Job& job, const SweepWatch& watch, const Instruments& instruments)
        : m_request(request), m_job(job), m_watch(watch), m_instruments(instruments), m_began(instruments.clock.now()) {
        for (const std::string& name : request.operations)
            for (const DType dtype : request.dtypes)
                for (const Layout layout : request.layouts)
                    for (const Index n : request.sizes)
                        m_points.push_back({findTimedOperation(name), n, dtype, layout});
        for (const Device device : request.devices) {
            if (!device.isCpu())
                m_places.push_back({device, 1});
            else
                for (const int threads : request.threads) m_places.push_back({device, threads});
        }
        m_run.command = commandOf(request);
        m_run.conditions = conditionsNow();
    }

    Run run() {
        const ThreadsAsBefore threads;
        if (m_request.ceilings) measurePeaks();
        for (m_at = 0; m_at < m_points.size() && !m_job.isCancelled(); ++m_at) {
            try {
                const JobScope scope(m_job);
                measurePoint(m_points[m_at]);
            } catch (const Error& error) {
                if (error.refusal().id == "JOB-01") break;
                refuse(textOf(m_points[m_at]) + ": " + error.what());
            }
        }
        m_run.conditions.megahertzAfter = megahertzNow();
        return std::move(m_run);
    }

private:
    void refuse(const std::string& line) {
        m_run.refused.push_back(line);
        if (m_watch.refused) m_watch.refused(line);
    }

    void tell(double shareOfPoint, const std::string& label) {
        if (!m_watch.progress) return;
        SweepProgress progress;
        progress.point = m_at;
        progress.points = m_points.size();
        progress.share = (static_cast<double>(m_at) + shareOfPoint) / static_cast<double>(m_points.size());
        progress.label = label;
        progress.seconds = m_instruments.clock.now() - m_began;
        m_watch.progress(progress);
    }

    void measurePeaks() {
        for (const Place& place : m_places)
            for (const DType dtype : m_request.dtypes) {
                if (m_job.isCancelled()) return;
                tell(0, "peaks of " + toString(place.device) + ", " + std::string(name(dtype)));
                keepHigher(m_run.ceilings, measureCeilings(place.device, place.threads, dtype, m_job, m_instruments));
            }
        tellPeaks();
    }

    void tellPeaks() {
        if (m_watch.ceilings && !m_job.isCancelled()) m_watch.ceilings(m_run.ceilings);
    }

    /// A row that beats the peak shows that the machine was busy when that was measured: it is measured once more, next
    /// to the row, and the higher one stays. A few times for each; what is beaten still is not to be trusted.
    void correctPeaks(const std::vector<Measurement>& measurements) {
        constexpr int kMostTimes = 4;
        for (const Measurement& m : measurements) {
            const auto share = shareOfPeak(m_run, m);
            if (!share || share->isTrusted()) continue;
            int& times = m_peaksAgain[{m.device, m.threads, m.dtype}];
            if (times++ >= kMostTimes || m_job.isCancelled()) continue;
            for (const Place& place : m_places) {
                if (toString(place.device) != m.device || (place.device.isCpu() && place.threads != m.threads))
                    continue;
                tell(1, "peaks of " + m.device + " once more");
                keepHigher(m_run.ceilings,
                           measureCeilings(place.device, place.threads, m.dtype, m_job, m_instruments, true));
                tellPeaks();
            }
        }
    }

    bool isCold(const TimedOperation& operation) const {
        return m_request.cache == Cache::Cold || (m_request.cache == Cache::ByOperation && operation.movesMemory);
    }

    /// A measurement with all that is known of it beforehand.
    Measurement measurementOf(const Point& point, const Place& place, Part part, bool cold) const {
        const TimedOperation& operation = *point.operation;
        Measurement m;
        m.operation = operation.name;
        m.statement = operation.statement;
        m.n = point.n;
        m.shapes = shapesText(place.timed->operands());
        m.dtype = point.dtype;
        m.layout = point.layout;
        m.cache = cold ? Cache::Cold : Cache::Warm;
        m.device = toString(place.device);
        m.threads = place.device.isCpu() ? place.threads : 0;
        m.part = part;
        m.group = m_at;
        if (part == Part::Compute || part == Part::RoundTrip)
            m.flops = operation.flops ? operation.flops(static_cast<double>(point.n)) : 0;
        return m;
    }

    struct Planned {
        Measurement measurement;
        Subject subject;
        const Place* place;
        std::function<double()> bytes; ///< asked for afterwards: the first call must not be made before it is timed
    };

    /// Copies of the operands to the device, of the result back, and both with the work between them.
    void planTransfers(const Point& point, const Place& place, bool cold, std::vector<Planned>& plan) {
        const TimedOperation& operation = *point.operation;
        const Device device = place.device;
        std::vector<Tensor> host;
        for (const Tensor& t : place.timed->operands()) host.push_back(to(t, Device{}));
        const auto upload = [host, device] {
            std::vector<Tensor> there;
            for (const Tensor& t : host) there.push_back(to(t, device));
            return there;
        };
        const auto download = [](const std::vector<Tensor>& results) {
            for (const Tensor& t : results)
                if (t.defined()) to(t, Device{});
        };
        const auto result = std::make_shared<std::vector<Tensor>>();
        const auto add = [&](Part part, std::function<void()> call, std::function<double()> bytes) {
            Measurement m = measurementOf(point, place, part, cold);
            Subject subject = deviceSubject(m.label(), std::move(call), device, m_instruments.clock);
            subject.prepare = [threads = place.threads, result, timed = place.timed] {
                setNumThreads(threads);
                if (result->empty()) *result = timed->result();
            };
            if (part == Part::RoundTrip) { // what the host waits for; events would not see the copies' host side
                subject.block = [block = subject.block](std::int64_t calls) { return BlockTimes{block(calls).host}; };
            }
            plan.push_back({std::move(m), std::move(subject), &place, std::move(bytes)});
        };
        add(
            Part::Upload, [upload] { upload(); }, [host] { return bytesOf(host, {}); });
        add(
            Part::Download, [download, result] { download(*result); }, [result] { return bytesOf(*result, {}); });
        add(
            Part::RoundTrip, [&operation, upload, download] { download(operation.call(upload())); },
            [host, result] { return bytesOf(host, *result); });
    }

    void measurePoint(const Point& point) {
        const TimedOperation& operation = *point.operation;
        const bool cold = isCold(operation);
        std::vector<Place> places;
        for (const Place& place : m_places) {
            const double began = m_instruments.clock.now();
            Place filled = place;
            const auto same =
                std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.device == place.device; });
            try {
                filled.timed =
                    same != places.end()
                        ? same->timed
                        : std::make_shared<TimedCase>(operation, point.n, point.dtype, point.layout, cold,
                                                      cacheBytes(place.device), m_request.measure.seed, place.device);
                if (!place.device.isCpu()) {
                    Backend& backend = backendFor(place.device);
                    backend.synchronize(place.device);
                    // Made here, so that an operation that the device lacks costs the others nothing.
                    const double start = m_instruments.clock.now();
                    filled.timed->call();
                    backend.synchronize(place.device);
                    filled.firstCall = m_instruments.clock.now() - start;
                }
            } catch (const Error& error) { // the others can still be timed
                if (error.refusal().id == "JOB-01") throw;
                refuse(textOf(point) + ", " + toString(place.device) + ": " + error.what());
                continue;
            }
            places.push_back(filled);
            if (!place.device.isCpu() && m_firstUse.empty()) {
                char text[96];
                std::snprintf(text, sizeof text, "first use of %s, with the operands: %.3g s",
                              toString(place.device).c_str(), m_instruments.clock.now() - began);
                m_firstUse = text;
            }
        }
        if (places.empty()) return;
        std::vector<Planned> plan;
        for (const Place& place : places) {
            Measurement m = measurementOf(point, place, Part::Compute, cold);
            Subject subject = caseSubject(m.label(), place.timed, place.threads, m_instruments.clock);
            plan.push_back({std::move(m), std::move(subject), &place,
                            [timed = place.timed] { return bytesOf(timed->operands(), timed->result()); }});
            if (!place.device.isCpu() && m_request.transfers) planTransfers(point, place, cold, plan);
        }
        measure(point, plan);
    }

    void measure(const Point& point, std::vector<Planned>& plan) {
        std::vector<Subject> subjects;
        for (const Planned& planned : plan) subjects.push_back(planned.subject);
        const double clockBefore = megahertzNow();
        const MeasuredTogether together = measureTogether(
            subjects, m_request.measure, m_instruments, &m_job,
            [&](const MeasureProgress& p) { tell(p.share, textOf(point) + ": " + p.label); }, &m_known);
        if (together.stop == Stop::Cancelled && together.taken < 5 * subjects.size()) return; // too little to show
        const double clockAfter = megahertzNow();
        std::vector<Measurement> measurements;
        for (std::size_t i = 0; i < plan.size(); ++i) {
            Measurement m = std::move(plan[i].measurement);
            m.measured = together.subjects[i];
            if (m.part == Part::Compute && plan[i].place->firstCall > 0)
                m.measured.firstCall = plan[i].place->firstCall;
            m.stop = together.stop;
            m.clockCost = together.clockCost;
            m.busy = together.busy;
            m.mayWait = subjects[i].mayWait;
            if (together.stop != Stop::Cancelled) m.bytes = plan[i].bytes();
            judge(m);
            addNotes(m, clockBefore, clockAfter);
            measurements.push_back(std::move(m));
        }
        if (together.stop != Stop::Cancelled) proveSameWork(*point.operation, plan, measurements);
        const std::vector<Comparison> comparisons = comparisonsOf(measurements, m_run.measurements.size());
        m_run.measurements.insert(m_run.measurements.end(), measurements.begin(), measurements.end());
        m_run.comparisons.insert(m_run.comparisons.end(), comparisons.begin(), comparisons.end());
        if (m_request.ceilings) correctPeaks(measurements);
        if (m_watch.measured) m_watch.measured(measurements, comparisons);
    }

    void addNotes(Measurement& m, double clockBefore, double clockAfter) {
        char text[96];
        if (m.stop == Stop::Time) m.notes.emplace_back("stopped by time");
        if (m.stop == Stop::Cancelled) m.notes.emplace_back("cancelled");
        if (!m.measured.warm) m.notes.emplace_back("no two blocks agreed before it was measured");
        if (m.busy) m.notes.emplace_back("this machine is busy");
        if (clockBefore > 0 && clockAfter < 0.9 * clockBefore) {
            std::snprintf(text, sizeof text, "clock fell by %.0f %%", 100 * (1 - clockAfter / clockBefore));
            m.notes.emplace_back(text);
        }
        if (m.device != "cpu" && !m_firstUse.empty() && m_firstUse != "told") {
            m.notes.push_back(m_firstUse);
            m_firstUse = "told";
        }
    }

    /// Every place computes the first set once more, and the results are compared with those of the first.
    void proveSameWork(const TimedOperation& operation, const std::vector<Planned>& plan,
                       std::vector<Measurement>& measurements) {
        if (!operation.repeatable) return;
        std::vector<Tensor> wanted;
        for (std::size_t i = 0; i < plan.size(); ++i) {
            if (measurements[i].part != Part::Compute) continue;
            setNumThreads(plan[i].place->threads);
            const std::vector<Tensor> found = plan[i].place->timed->result();
            if (wanted.empty()) {
                for (const Tensor& t : found) wanted.push_back(t.defined() ? to(t, Device{}) : t);
                continue;
            }
            Measurement& m = measurements[i];
            m.comparedWith = measurements.front().label();
            m.relativeError = relativeError(wanted, found);
            const double allowed = point16(m.dtype) ? 1e-2 : realPartDType(m.dtype) == DType::Float64 ? 1e-9 : 1e-3;
            if (m.relativeError <= allowed) continue;
            char text[96];
            std::snprintf(text, sizeof text, "not the same work: results differ by %.2g", m.relativeError);
            m.notes.emplace_back(text);
        }
    }

    static bool point16(DType t) { return t == DType::Float16; }

    double cacheBytes(Device device) {
        double& bytes = device.isCpu() ? m_cpuCache : m_deviceCache;
        if (bytes <= 0) bytes = cacheBytesOf(device);
        return bytes;
    }

    const SweepRequest& m_request;
    Job& m_job;
    const SweepWatch& m_watch;
    Instruments m_instruments;
    double m_began, m_cpuCache = 0, m_deviceCache = 0;
    std::vector<Point> m_points;
    std::vector<Place> m_places;
    std::size_t m_at = 0;
    std::string m_firstUse; ///< of a device, until it is told
    Calibration m_known;
    std::map<std::tuple<std::string, int, DType>, int> m_peaksAgain; ///< how often, by device, threads and dtype
    Run m_run;
};

} // namespace

Run runSweep(const SweepRequest& request, Job& job, const SweepWatch& watch, const Instruments& instruments) {
    if (const auto problem = problemOf(request)) throwRefusal(*problem);
    return Sweep(request, job, watch, instruments).run();
}

} // namespace stridescope::timing
