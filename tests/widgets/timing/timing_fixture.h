#pragma once
// Runs made up for tests of geometry: their numbers are round, so that places can be told beforehand.

#include "core/timing/record.h"
#include "widgets/timing/timing_model.h"

namespace stridescope::test {

/// Blocks of ten calls: the median of a call is `seconds`, its quartiles lie a tenth below and above.
inline timing::Measurement timed(Index n, double seconds, const char* device = "cpu", int threads = 1,
                                 timing::Part part = timing::Part::Compute, std::size_t group = 0) {
    timing::Measurement m;
    m.operation = "mm";
    m.statement = "A @ B";
    m.n = n;
    m.device = device;
    m.threads = threads;
    m.part = part;
    m.cache = timing::Cache::Warm;
    m.group = group;
    m.flops = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    m.measured.callsPerBlock = 10;
    m.measured.firstCall = seconds * 5;
    const bool gpu = m.device != "cpu";
    double at = 0;
    const auto block = [&](double perCall) {
        timing::Sample sample;
        sample.calls = 10;
        sample.times.host = perCall * 10;
        if (gpu && part == timing::Part::Compute) {
            sample.times.device = perCall * 10;
            sample.times.launch = perCall;
        }
        sample.started = at;
        at += perCall * 20;
        return sample;
    };
    for (int i = 0; i < 3; ++i) m.measured.warmUp.push_back(block(seconds * (2 - 0.3 * i)));
    // 21 blocks from 0.8 to 1.2 of the median, in steps: the quartiles are 0.9 and 1.1.
    for (int i = 0; i < 21; ++i) m.measured.samples.push_back(block(seconds * (0.8 + 0.02 * i)));
    timing::judge(m);
    return m;
}

/// CPU with one and two threads; with `gpu` its kernel, its way and its transfers, too. The second thread pays from
/// n = 128 on, the GPU with transfers from n = 512 on.
inline std::shared_ptr<timing::Run> madeUpRun(bool gpu = false,
                                              std::vector<Index> sizes = {32, 64, 128, 256, 512, 1024}) {
    auto run = std::make_shared<timing::Run>();
    run->conditions.machine = "made up";
    run->conditions.processor = "no processor";
    run->conditions.date = "2026-01-02T03:04:05Z";
    run->conditions.version = "0";
    run->command = "stridescope bench --op mm";
    run->ceilings = {{"cpu", 1, "gemm", DType::Float32, 1e11, 0.01}, {"cpu", 2, "gemm", DType::Float32, 2e11, 0.01}};
    std::size_t group = 1;
    for (const Index n : sizes) {
        const std::size_t before = run->measurements.size();
        const auto size = static_cast<double>(n);
        const double one = 1e-6 + 2e-11 * size * size * size;
        std::vector<timing::Measurement> point{timed(n, one, "cpu", 1, timing::Part::Compute, group),
                                               timed(n, 8e-6 + one / 2, "cpu", 2, timing::Part::Compute, group)};
        if (gpu) {
            const double kernel = 1e-5 + 2e-13 * size * size * size, copy = 2e-5 + 1e-9 * size * size;
            point.push_back(timed(n, kernel, "cuda:0", 0, timing::Part::Compute, group));
            point.push_back(timed(n, copy, "cuda:0", 0, timing::Part::Upload, group));
            point.push_back(timed(n, copy / 2, "cuda:0", 0, timing::Part::Download, group));
            point.push_back(timed(n, kernel + copy * 1.5, "cuda:0", 0, timing::Part::RoundTrip, group));
        }
        for (const timing::Comparison& each : timing::comparisonsOf(point, before)) run->comparisons.push_back(each);
        run->measurements.insert(run->measurements.end(), point.begin(), point.end());
        ++group;
    }
    return run;
}

/// Every case of the mistakes; the first three with a record, the last one not to be run here.
inline std::vector<ShownWay> madeUpWays() {
    std::vector<ShownWay> ways;
    for (const timing::MistakeCase& each : timing::mistakeCases()) ways.push_back({&each, {}, false, nullptr});
    const auto record = [&](std::size_t at, double wrong, double right) {
        auto made = std::make_shared<timing::MistakeRecord>();
        made->id = std::string(ways[at].what->id);
        made->device = "cuda:0";
        made->n = 512;
        made->wrongAnswer = wrong;
        made->rightAnswer = right;
        made->wrongLanes = {{{false, "launch", 0, 1e-5}, {true, "mm", 1e-5, 2e-4}}, 0, 1e-5};
        made->rightLanes = {
            {{false, "launch", 0, 1e-5}, {false, "wait", 1e-5, 2e-4}, {true, "mm", 1e-5, 2e-4}}, 0, 2e-4};
        made->found = "The clock saw the launch, a twentieth of what the product takes.";
        ways[at].record = made;
    };
    record(0, 1e-5, 2e-4);
    record(2, 1e-3, 2e-4);
    ways[3].missing = QStringLiteral("Needs a GPU: the driver's library libcuda.so.1 was not found on this machine");
    ways[1].running = true;
    auto columns = std::make_shared<timing::MistakeRecord>();
    columns->id = "columns";
    columns->device = "cpu";
    columns->wrongAnswer = 4e-3;
    columns->rightAnswer = 1e-3;
    columns->wrongLines = {1e6, 1e6, 62500};
    columns->rightLines = {1e6, 62500, 62500};
    columns->found = "Column by column 4.00 ms, row by row 1.00 ms.";
    ways.back().record = columns;
    return ways;
}

} // namespace stridescope::test
