#include "core/timing/mistakes.h"

#include "core/backend/backend.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/extrema.h"
#include "core/ops/linalg.h"
#include "core/ops/matmul.h"
#include "core/ops/pointwise.h"
#include "core/timing/mistakes_run.h"
#include "core/timing/report.h"
#include "core/timing/timed_case.h"

#include <array>
#include <cstdio>
#include <fstream>

namespace stridescope::timing {

using namespace mistakes;

namespace {

constexpr std::array<MistakeCase, 8> kCases{{
    {"no-synchronise", "No synchronise", "start = time()\nC = A @ B\nstop = time()",
     "start = time()\nC = A @ B\ntorch.cuda.synchronize()\nstop = time()",
     "Stops the clock when the work is queued, so it sees the launch and not the product.", true, false},
    {"no-warm-up", "No warm-up", "time the first call", "call it until times agree, then time",
     "The first call also makes what is made once: memory pages, handles, on a GPU code that is loaded.", false, false},
    {"transfer-in", "Transfer counted in", "C = (A.cuda() @ B.cuda()).cpu()", "C = A @ B  # already there",
     "Right if the data start and end on the CPU: that is the time you wait. Wrong as the time of the product.", true,
     false},
    {"transfer-out", "Transfer left out", "C = A @ B  # already there", "C = (A.cuda() @ B.cuda()).cpu()",
     "Right only if the data already live on the GPU; say so beside the number.", true, false},
    {"too-few-runs", "Too few runs", "time one call", "median of many blocks of calls",
     "One call is shorter than what disturbs it: the clock, an interrupt, a neighbour. Single runs tell anything.",
     false, false},
    {"python-loop", "Python loop", "s = 0.0\nfor v in a: s += v", "s = A.sum()",
     "The loop pays the interpreter for each element; the operation pays it once.", false, true},
    {"inverse", "Inverse instead of solve", "x = torch.linalg.inv(A) @ b", "x = torch.linalg.solve(A, b)",
     "The inverse takes about three times the arithmetic, and the answer is less exact.", false, false},
    {"columns", "Column by column", "for j: for i: s += A[i, j]", "for i: for j: s += A[i, j]",
     "The same additions in another order: each step down a column asks for another cache line.", false, false},
}};

void noWarmUp(const Bench& bench, MistakeRecord& record) {
    const TimedOperation& operation = bench.device.isCpu() ? *findTimedOperation("mm") : deviceOperation(bench.device);
    const auto timed =
        std::make_shared<TimedCase>(operation, bench.n, DType::Float32, Layout::Contiguous, false, 0, 1, bench.device);
    const Subject subject = caseSubject("warm", timed, 1, bench.instruments.clock);
    const MeasuredTogether together = measured(bench, std::span(&subject, 1));
    const char* name = operation.name == "mm" ? "mm" : "add";
    record.right = measurementOf(together, 0, bench, name, operation.statement);
    record.wrong = record.right;
    record.wrong.measured.samples.assign(record.right.measured.warmUp.begin(),
                                         record.right.measured.warmUp.begin() + 1);
    record.wrong.measured.warmUp.clear();
    judge(record.wrong);
    record.wrongAnswer = record.right.measured.firstCall;
    record.rightAnswer = record.right.host.median;
    record.verdict.why = "one call is no sample";
    record.found = format("The first call took %s; after warming up it takes %s.", timeText(record.wrongAnswer),
                          timeText(record.rightAnswer));
    record.wrongLanes.stretches = {{false, "first call", 0, record.wrongAnswer}};
    record.wrongLanes.clockStop = record.wrongAnswer;
    record.rightLanes.stretches = {{false, name, 0, record.rightAnswer}};
    record.rightLanes.clockStop = record.rightAnswer;
}

void tooFewRuns(const Bench& bench, MistakeRecord& record) {
    const TimedOperation& operation = *findTimedOperation("add");
    const auto timed =
        std::make_shared<TimedCase>(operation, bench.n, DType::Float32, Layout::Contiguous, false, 0, 1, Device{});
    Clock& clock = bench.instruments.clock;
    // What people do: one reading before, one behind, five times.
    MeasuredTogether single;
    single.subjects.resize(1);
    single.clockCost = readingCost(clock);
    for (int i = 0; i < 5; ++i) {
        Sample sample;
        sample.calls = 1;
        const double start = clock.now();
        timed->call();
        sample.times.host = clock.now() - start;
        single.subjects[0].samples.push_back(sample);
    }
    const Subject subject = caseSubject("blocks", timed, 1, clock);
    const MeasuredTogether together = measured(bench, std::span(&subject, 1));
    record.wrong = measurementOf(single, 0, bench, "add", operation.statement);
    record.right = measurementOf(together, 0, bench, "add", operation.statement);
    record.wrongAnswer = single.subjects[0].samples[0].times.host;
    record.rightAnswer = record.right.host.median;
    record.verdict.why = "single calls are no blocks";
    record.found = format("Five single runs told %s to %s; blocks of calls tell %s.", timeText(record.wrong.host.least),
                          timeText(record.wrong.host.greatest), timeText(record.rightAnswer));
}

void inverse(const Bench& bench, MistakeRecord& record) {
    const TimedOperation& operation = *findTimedOperation("linalg.solve");
    const std::vector<Tensor> in = operandsFor(operation, bench.n, DType::Float32, Layout::Contiguous, 1);
    Clock& clock = bench.instruments.clock;
    const auto byInverse = [in] { return matmul(inv(in[0]), in[1]); };
    const auto bySolve = [in] { return solve(in[0], in[1]); };
    std::array<Subject, 2> subjects{hostSubject(
                                        "inverse", [byInverse] { byInverse(); }, clock),
                                    hostSubject(
                                        "solve", [bySolve] { bySolve(); }, clock)};
    for (Subject& subject : subjects) subject.prepare = [] { setNumThreads(1); };
    const MeasuredTogether together = measured(bench, subjects);
    record.wrong = measurementOf(together, 0, bench, "linalg.inv", findMistake("inverse")->wrong);
    record.right = measurementOf(together, 1, bench, "linalg.solve", findMistake("inverse")->right);
    conclude(record, together);
    const auto residual = [&](const Tensor& x) { return *max(abs(sub(matmul(in[0], x), in[1]))).data<float>(); };
    char text[240];
    std::snprintf(text, sizeof text, "By the inverse %s, by solve %s. Greatest |A x - b|: %.2g and %.2g.",
                  timeText(record.wrongAnswer).c_str(), timeText(record.rightAnswer).c_str(), residual(byInverse()),
                  residual(bySolve()));
    record.found = text;
}

/// Of the nearest data cache; 32 KiB where the system does not say.
std::size_t nearestCacheBytes() {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index0/size");
    std::size_t kilobytes = 0;
    return file >> kilobytes && kilobytes > 0 && kilobytes < 4096 ? kilobytes << 10 : std::size_t{32} << 10;
}

void columns(const Bench& bench, MistakeRecord& record) {
    const std::vector<Tensor> in =
        operandsFor(*findTimedOperation("sum"), bench.n, DType::Float32, Layout::Contiguous, 1);
    Clock& clock = bench.instruments.clock;
    const auto walk = [in, n = bench.n](bool byColumns) {
        const float* data = in[0].data<float>();
        const Index outer = byColumns ? 1 : n, inner = byColumns ? n : 1;
        // The sum stays in order, as the loops say: only memory differs between the two.
        float sum = 0;
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) sum += data[i * outer + j * inner];
        asm volatile("" : : "x"(sum));
    };
    const std::array<Subject, 2> subjects{hostSubject(
                                              "columns", [walk] { walk(true); }, clock),
                                          hostSubject(
                                              "rows", [walk] { walk(false); }, clock)};
    const MeasuredTogether together = measured(bench, subjects);
    record.wrong = measurementOf(together, 0, bench, "sum", findMistake("columns")->wrong);
    record.right = measurementOf(together, 1, bench, "sum", findMistake("columns")->right);
    conclude(record, together);
    constexpr std::size_t kLine = 64;
    record.wrongLines = lineTally(bench.n, sizeof(float), true, kLine, nearestCacheBytes());
    record.rightLines = lineTally(bench.n, sizeof(float), false, kLine, nearestCacheBytes());
    char text[240];
    std::snprintf(text, sizeof text,
                  "Column by column %s, row by row %s. Through a cache of %zu KiB with lines of 64 bytes: %.3g lines "
                  "fetched against %.3g.",
                  timeText(record.wrongAnswer).c_str(), timeText(record.rightAnswer).c_str(), nearestCacheBytes() >> 10,
                  record.wrongLines.linesFetched, record.rightLines.linesFetched);
    record.found = text;
}

Index ownSize(std::string_view id, Device device) {
    if (id == "columns") return 4096;
    if (id == "inverse") return 500;
    if (id == "too-few-runs") return 32;
    if (id == "no-warm-up" && device.isCpu()) return 512;
    return 1024;
}

} // namespace

std::span<const MistakeCase> mistakeCases() {
    return kCases;
}

const MistakeCase* findMistake(std::string_view id) {
    for (const MistakeCase& one : kCases)
        if (one.id == id) return &one;
    return nullptr;
}

LineTally lineTally(Index n, std::size_t itemBytes, bool byColumns, std::size_t lineBytes, std::size_t cacheBytes) {
    const auto side = static_cast<double>(n), line = static_cast<double>(lineBytes);
    LineTally tally;
    tally.loads = side * side;
    tally.linesNeeded = std::ceil(tally.loads * static_cast<double>(itemBytes) / line);
    tally.linesFetched = tally.linesNeeded;
    // Down a column every step is in another line, once a row is a line long or longer. When the walk comes back to a
    // line in the next column, n others were used since: in a cache of fewer lines it is gone.
    const bool rowIsLonger = side * static_cast<double>(itemBytes) >= line;
    if (byColumns && rowIsLonger && side > static_cast<double>(cacheBytes / lineBytes))
        tally.linesFetched = tally.loads;
    return tally;
}

Run runOf(const MistakeRecord& record) {
    Run run;
    const MistakeCase* one = findMistake(record.id);
    run.title = one ? std::string(one->title) + ": the mistake, and the right way" : record.id;
    run.command = "stridescope bench --mistake " + record.id;
    run.conditions = conditionsNow();
    if (!record.missing.empty()) {
        run.refused.push_back(record.missing);
        return run;
    }
    run.measurements = {record.wrong, record.right};
    run.measurements[0].notes.insert(run.measurements[0].notes.begin(), "the mistake");
    run.measurements[1].notes.insert(run.measurements[1].notes.begin(), "the right way");
    if (record.verdict.pairs > 0) run.comparisons.push_back({0, 1, record.verdict});
    return run;
}

MistakeRecord runMistake(std::string_view id, Index n, Job& job, const Instruments& instruments, bool allowSimulated) {
    const MistakeCase* one = findMistake(id);
    if (!one || one->needsPython) {
        std::string known;
        for (const MistakeCase& c : kCases) known += (known.empty() ? "" : ", ") + std::string(c.id);
        throwRefusal({ErrorKind::Value,
                      "BENCH-30",
                      one ? std::string(id) + " runs in a Python of its own"
                          : "there is no mistake '" + std::string(id.substr(0, 40)) + "'",
                      one ? "stridescope bench --mistake " + std::string(id) : "Known: " + known + ".",
                      {}});
    }
    MistakeRecord record;
    record.id = id;
    const auto usable = [&](DeviceType type) {
        Backend* backend = backendOf(type);
        return backend && backend->deviceCount() > 0 && (allowSimulated || !backend->about(Device{type, 0}).simulated);
    };
    Device device;
    if (id == "no-warm-up" || one->needsDevice) {
        if (usable(DeviceType::Cuda))
            device = {DeviceType::Cuda, 0};
        else if (allowSimulated && usable(DeviceType::Sim))
            device = {DeviceType::Sim, 0};
    }
    if (one->needsDevice && device.isCpu()) {
        const std::string why = cudaUnavailableReason();
        record.missing = "needs a GPU: " + (why.empty() ? std::string("there is none") : why);
        return record;
    }
    record.device = toString(device);
    record.n = n > 0 ? n : ownSize(id, device);
    Bench bench{record.n, job, instruments, device};
    bench.options.maxSeconds = 1.5;
    const int threads = numThreads();
    try {
        const JobScope scope(job);
        setNumThreads(1);
        if (id == "no-synchronise")
            noSynchronise(bench, record);
        else if (id == "transfer-in" || id == "transfer-out")
            transfers(bench, record, id == "transfer-in");
        else if (id == "no-warm-up")
            noWarmUp(bench, record);
        else if (id == "too-few-runs")
            tooFewRuns(bench, record);
        else if (id == "inverse")
            inverse(bench, record);
        else
            columns(bench, record);
    } catch (...) {
        setNumThreads(threads);
        throw;
    }
    setNumThreads(threads);
    return record;
}

} // namespace stridescope::timing
