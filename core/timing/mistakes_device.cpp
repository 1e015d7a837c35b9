// Mistakes of timing a device, and what a mistake's measurements become.

#include "core/backend/backend.h"
#include "core/ops/copy.h"
#include "core/timing/mistakes_run.h"
#include "core/timing/report.h"
#include "core/timing/timed_case.h"

#include <array>
#include <cstdio>

namespace stridescope::timing::mistakes {

Measurement measurementOf(const MeasuredTogether& together, std::size_t i, const Bench& bench, const char* operation,
                          std::string_view statement, Part part) {
    Measurement m;
    m.operation = operation;
    m.statement = statement;
    m.n = bench.n;
    m.device = toString(bench.device);
    m.threads = bench.device.isCpu() ? 1 : 0;
    m.part = part;
    m.measured = together.subjects[i];
    m.stop = together.stop;
    m.clockCost = together.clockCost;
    m.busy = together.busy;
    m.mayWait = !bench.device.isCpu();
    judge(m);
    return m;
}

std::string format(const char* pattern, const std::string& a, const std::string& b, const std::string& c) {
    char text[400];
    std::snprintf(text, sizeof text, pattern, a.c_str(), b.c_str(), c.c_str());
    return text;
}

void conclude(MistakeRecord& record, const MeasuredTogether& together) {
    record.verdict = compareRounds(together.subjects[0].samples, together.subjects[1].samples, together.busy);
    record.wrongAnswer = record.wrong.host.median;
    record.rightAnswer = record.right.host.median;
}

const TimedOperation& deviceOperation(Device device) {
    const bool product = backendFor(device).kernels(device).products != nullptr;
    return *findTimedOperation(product ? "mm" : "add");
}

namespace {

/// Stretches of one call with its copies, by events beside the host's clock; both begin when the queue is empty.
class LaneTimer {
public:
    LaneTimer(Device device, Clock& clock)
        : m_device(device), m_backend(backendFor(device)), m_clock(clock), m_zero(m_backend.newEvent(device)) {
        m_backend.synchronize(device);
        m_zero->record(m_backend.currentStream(device));
        m_zero->synchronize();
        m_start = clock.now();
    }
    double now() const { return m_clock.now() - m_start; }
    /// Runs `work` and remembers what host and device did meanwhile.
    template <class Work>
    void part(const char* onHost, const char* onDevice, Work work) {
        Marks marks{onDevice, m_backend.newEvent(m_device), m_backend.newEvent(m_device)};
        marks.begin->record(m_backend.currentStream(m_device));
        const double from = now();
        work();
        m_lanes.stretches.push_back({false, onHost, from, now()});
        marks.end->record(m_backend.currentStream(m_device));
        m_marks.push_back(std::move(marks));
    }
    void wait() {
        const double from = now();
        m_backend.synchronize(m_device);
        m_lanes.stretches.push_back({false, "wait", from, now()});
    }
    Lanes take(double clockStart, double clockStop) {
        m_backend.synchronize(m_device);
        for (const Marks& m : m_marks)
            m_lanes.stretches.push_back(
                {true, m.label, m_zero->millisecondsTo(*m.begin) * 1e-3, m_zero->millisecondsTo(*m.end) * 1e-3});
        m_lanes.clockStart = clockStart;
        m_lanes.clockStop = clockStop;
        return std::move(m_lanes);
    }

private:
    struct Marks {
        const char* label;
        std::unique_ptr<DeviceEvent> begin, end;
    };
    Device m_device;
    Backend& m_backend;
    Clock& m_clock;
    std::unique_ptr<DeviceEvent> m_zero;
    double m_start = 0;
    std::vector<Marks> m_marks;
    Lanes m_lanes;
};

} // namespace

void noSynchronise(const Bench& bench, MistakeRecord& record) {
    const TimedOperation& operation = deviceOperation(bench.device);
    const auto timed =
        std::make_shared<TimedCase>(operation, bench.n, DType::Float32, Layout::Contiguous, false, 0, 1, bench.device);
    Clock& clock = bench.instruments.clock;
    Backend& backend = backendFor(bench.device);
    const auto call = [timed] { timed->call(); };
    std::array<Subject, 2> subjects{deviceSubject("no synchronise", call, bench.device, clock),
                                    deviceSubject("synchronised", call, bench.device, clock)};
    // One call a block, as one times by hand; the queue is emptied after the clock was read.
    subjects[0].block = [call, &clock, &backend, device = bench.device](std::int64_t calls) {
        BlockTimes times;
        for (std::int64_t i = 0; i < calls; ++i) {
            const double start = clock.now();
            call();
            times.host += clock.now() - start;
            backend.synchronize(device);
        }
        return times;
    };
    const MeasuredTogether together = measured(bench, subjects);
    const char* name = operation.name == "mm" ? "mm" : "add";
    record.wrong = measurementOf(together, 0, bench, name, operation.statement);
    record.right = measurementOf(together, 1, bench, name, operation.statement);
    conclude(record, together);
    LaneTimer wrong(bench.device, clock);
    const double start = wrong.now();
    wrong.part("launch", name, call);
    const double stop = wrong.now();
    record.wrongLanes = wrong.take(start, stop);
    LaneTimer right(bench.device, clock);
    const double from = right.now();
    right.part("launch", name, call);
    right.wait();
    record.rightLanes = right.take(from, right.now());
    record.found = format("Without synchronising the clock saw %s; the work takes %s.", timeText(record.wrongAnswer),
                          timeText(record.rightAnswer));
}

void transfers(const Bench& bench, MistakeRecord& record, bool countedIn) {
    const TimedOperation& operation = deviceOperation(bench.device);
    const auto timed =
        std::make_shared<TimedCase>(operation, bench.n, DType::Float32, Layout::Contiguous, false, 0, 1, bench.device);
    Clock& clock = bench.instruments.clock;
    std::vector<Tensor> host;
    for (const Tensor& t : timed->operands()) host.push_back(to(t, Device{}));
    const auto there = [timed] { timed->call(); };
    const auto wholeWay = [&operation, host, device = bench.device] {
        std::vector<Tensor> operands;
        for (const Tensor& t : host) operands.push_back(to(t, device));
        for (const Tensor& t : operation.call(operands)) to(t, Device{});
    };
    std::array<Subject, 2> subjects{deviceSubject("with transfers", wholeWay, bench.device, clock),
                                    deviceSubject("alone", there, bench.device, clock)};
    if (!countedIn) std::swap(subjects[0], subjects[1]);
    const MeasuredTogether together = measured(bench, subjects);
    const char* name = operation.name == "mm" ? "mm" : "add";
    const auto part = [&](bool whole) { return whole ? Part::RoundTrip : Part::Compute; };
    record.wrong = measurementOf(together, 0, bench, name, operation.statement, part(countedIn));
    record.right = measurementOf(together, 1, bench, name, operation.statement, part(!countedIn));
    conclude(record, together);
    LaneTimer whole(bench.device, clock);
    const double start = whole.now();
    std::vector<Tensor> operands, results;
    whole.part("to the device", "H2D", [&] {
        for (const Tensor& t : host) operands.push_back(to(t, bench.device));
    });
    const double uploaded = whole.now();
    whole.part("launch", name, [&] { results = operation.call(operands); });
    whole.wait();
    const double computed = whole.now();
    whole.part("to the CPU", "D2H", [&] {
        for (const Tensor& t : results) to(t, Device{});
    });
    const double end = whole.now();
    const Lanes lanes = whole.take(start, end);
    record.wrongLanes = record.rightLanes = lanes;
    Lanes& alone = countedIn ? record.rightLanes : record.wrongLanes;
    alone.clockStart = uploaded;
    alone.clockStop = computed;
    record.found = format(countedIn ? "With its transfers it takes %s, of which %s are the work."
                                    : "The work alone takes %s; from the CPU and back it is %s.",
                          timeText(record.wrongAnswer), timeText(record.rightAnswer));
}

} // namespace stridescope::timing::mistakes
