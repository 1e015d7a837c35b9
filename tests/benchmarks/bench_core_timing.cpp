// The timing engine beside raw loops: does `stridescope bench` tell the time that an independent measurement tells?
//
// Each row times one call by the engine, and in turns with it two others by a loop of their own around clock_gettime,
// which knows nothing of the engine: the same call, and the same work by other code (raw OpenBLAS, memcpy, a plain
// loop). The ratios are medians over pairs of neighbouring blocks in which no neighbour was noticed. That to the same
// call is to be within 5 % of 1; what is left to the other code is the difference of the two pieces of code, not of the
// clocks. The last column is what the other's loop alone told in the same second, without a gate: what the neighbours
// on the machine do to it.

#include "core/backend/cpu/gemm.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/creation.h"
#include "core/timing/report.h"
#include "core/timing/timed_case.h"
#include "tests/benchmarks/timing.h"

#include <cblas.h>

#include <array>
#include <cstring>
#include <functional>
#include <memory>

using namespace stridescope;

namespace {

struct Row {
    const char* operation;
    Index n;
    int threads;
    /// The same work on the same operands by others, into memory of its own.
    std::function<void(const std::vector<Tensor>& operands, float* out)> raw;
};

// As a compiler makes them for this processor.
#define FOR_THIS_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))

FOR_THIS_PROCESSOR void addLoop(const float* __restrict a, const float* __restrict b, float* __restrict out, Index n) {
    for (Index i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

FOR_THIS_PROCESSOR float sumLoop(const float* a, Index n) {
    float lanes[64] = {};
    for (Index i = 0; i + 64 <= n; i += 64)
        for (int k = 0; k < 64; ++k) lanes[k] += a[i + k];
    float sum = 0;
    for (const float lane : lanes) sum += lane;
    return sum;
}

double rawMedian(const std::function<void()>& call) {
    const long calls = bench::callsFor(call, 0.002);
    std::vector<double> times;
    for (double spent = 0; spent < 0.1 || times.size() < 7; spent += times.back() * static_cast<double>(calls))
        times.push_back(bench::secondsOf(call, calls));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

} // namespace

int main() {
    const auto product = [](Index n) {
        return [n](const std::vector<Tensor>& in, float* out) {
            const auto size = static_cast<blasint>(n);
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, in[0].data<float>(), size,
                        in[1].data<float>(), size, 0, out, size);
        };
    };
    const auto copy = [](const std::vector<Tensor>& in, float*) {
        std::memcpy(in[0].data<float>(), in[1].data<float>(), static_cast<std::size_t>(in[0].nbytes()));
    };
    const auto add = [](const std::vector<Tensor>& in, float* out) {
        addLoop(in[0].data<float>(), in[1].data<float>(), out, in[0].numel());
        bench::touch(out);
    };
    const auto sum = [](const std::vector<Tensor>& in, float* out) {
        out[0] = sumLoop(in[0].data<float>(), in[0].numel());
        bench::touch(out);
    };
    const std::vector<Row> rows{
        {"mm", 500, 1, product(500)},   {"mm", 1024, 1, product(1024)},  {"mm", 1024, 2, product(1024)},
        {"Tensor.copy_", 256, 1, copy}, {"Tensor.copy_", 4096, 1, copy}, {"add", 256, 1, add},
        {"add", 3000, 1, add},          {"sum", 1024, 1, sum},           {"sum", 4096, 1, sum}};
    std::printf("OpenBLAS kernels %s; float32, warm\n", cpu::blasKernels());
    std::printf("%-14s %6s %8s %12s %12s %8s  %-18s %12s %8s  %-18s %7s %8s %14s\n", "operation", "n", "threads",
                "engine", "same call", "ratio", "95 % of the ratio", "raw", "ratio", "95 % of the ratio", "pairs",
                "dropped", "raw, no gate");
    timing::Calibration known;
    for (const Row& row : rows) {
        const auto timed =
            std::make_shared<timing::TimedCase>(*timing::findTimedOperation(row.operation), row.n, DType::Float32,
                                                timing::Layout::Contiguous, false, 0, 1, Device{});
        const Tensor out = empty({row.n, row.n});
        const std::function<void()> raw = [&] { row.raw(timed->operands(), out.data<float>()); };
        const std::function<void()> same = [call = timing::findTimedOperation(row.operation)->call, &timed] {
            static_cast<void>(call(timed->operands()));
        };
        const auto byStopwatch = [&row](const char* label, const std::function<void()>& call,
                                        std::function<void()> prepare) {
            timing::Subject subject;
            subject.label = label;
            subject.threads = row.threads;
            subject.prepare = std::move(prepare);
            subject.block = [&call](std::int64_t calls) {
                timespec start{}, stop{};
                clock_gettime(CLOCK_MONOTONIC, &start);
                for (std::int64_t i = 0; i < calls; ++i) call();
                clock_gettime(CLOCK_MONOTONIC, &stop);
                return timing::BlockTimes{static_cast<double>(stop.tv_sec - start.tv_sec) +
                                          static_cast<double>(stop.tv_nsec - start.tv_nsec) * 1e-9};
            };
            return subject;
        };
        const std::array<timing::Subject, 3> all{
            byStopwatch("raw", raw, [&] { openblas_set_num_threads(row.threads); }),
            byStopwatch("same call", same, [&] { setNumThreads(row.threads); }),
            timing::caseSubject("engine", timed, row.threads, timing::systemClock())};
        timing::MeasureOptions options;
        options.precision = 0.01;
        options.maxSeconds = 4;
        const timing::MeasuredTogether m =
            timing::measureTogether(all, options, timing::systemInstruments(), nullptr, {}, &known);
        const auto median = [&](int i) {
            return timing::summaryOf(timing::keptTimes(m.subjects[static_cast<std::size_t>(i)].samples)).median;
        };
        const auto against = [&](std::size_t i) {
            return timing::compareRounds(m.subjects[i].samples, m.subjects[2].samples, m.busy);
        };
        const timing::Verdict itself = against(1), other = against(0);
        std::printf("%-14s %6lld %8d %12s %12s %8.3f  %.3f to %-10.3f %12s %8.3f  %.3f to %-10.3f %7zu %7.0f%% %14s\n",
                    row.operation, static_cast<long long>(row.n), row.threads, timing::timeText(median(2)).c_str(),
                    timing::timeText(median(1)).c_str(), itself.ratio, itself.interval.low, itself.interval.high,
                    timing::timeText(median(0)).c_str(), other.ratio, other.interval.low, other.interval.high,
                    itself.pairs, 100.0 * static_cast<double>(m.dropped) / static_cast<double>(m.taken),
                    timing::timeText(rawMedian(raw)).c_str());
        std::fflush(stdout);
    }
    return 0;
}
