// The timing engine beside raw loops: does `stridescope bench` tell the time that an independent measurement tells?
//
// Each row measures one call twice, in turns: by the engine (calibrated blocks, warm-up, noise gate), and by a plain
// loop over the raw library call or libc, timed with clock_gettime alone. The ratio of the two medians, pass by pass,
// is to be within 5 % of 1, or the difference is explained behind the row.

#include "core/backend/cpu/gemm.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/creation.h"
#include "core/timing/report.h"
#include "core/timing/timed_case.h"
#include "tests/benchmarks/timing.h"

#include <cblas.h>

#include <cstring>
#include <functional>
#include <memory>

using namespace stridescope;

namespace {

constexpr int kPasses = 15;

struct Row {
    const char* operation;
    Index n;
    int threads;
    /// The same work on the same operands by others, into memory of its own.
    std::function<void(const std::vector<Tensor>& operands, float* out)> raw;
};

double engineMedian(const std::shared_ptr<timing::TimedCase>& timed, int threads, timing::Calibration& known,
                    bool& busy) {
    timing::MeasureOptions options;
    options.maxSeconds = 0.25;
    const timing::Subject subject = timing::caseSubject("ours", timed, threads, timing::systemClock());
    const timing::MeasuredTogether m =
        timing::measureTogether(std::span(&subject, 1), options, timing::systemInstruments(), nullptr, {}, &known);
    busy = busy || m.busy;
    return timing::summaryOf(timing::keptTimes(m.subjects[0].samples)).median;
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
        const float *a = in[0].data<float>(), *b = in[1].data<float>();
        for (Index i = 0; i < in[0].numel(); ++i) out[i] = a[i] + b[i];
        bench::touch(out);
    };
    const auto sum = [](const std::vector<Tensor>& in, float* out) {
        const float* a = in[0].data<float>();
        float lanes[64] = {};
        for (Index i = 0; i + 64 <= in[0].numel(); i += 64)
            for (int k = 0; k < 64; ++k) lanes[k] += a[i + k];
        for (const float lane : lanes) out[0] += lane;
        bench::touch(out);
    };
    const std::vector<Row> rows{
        {"mm", 500, 1, product(500)},   {"mm", 1024, 1, product(1024)},  {"mm", 1024, 2, product(1024)},
        {"Tensor.copy_", 256, 1, copy}, {"Tensor.copy_", 4096, 1, copy}, {"add", 256, 1, add},
        {"add", 3000, 1, add},          {"sum", 1024, 1, sum},           {"sum", 4096, 1, sum}};
    std::printf("OpenBLAS kernels %s; float32, warm; median of %d passes, each in turns\n", cpu::blasKernels(),
                kPasses);
    std::printf("%-14s %6s %8s %12s %12s %8s   %s\n", "operation", "n", "threads", "engine", "raw loop", "ratio",
                "95 % of the ratio");
    timing::Calibration known;
    for (const Row& row : rows) {
        const auto timed =
            std::make_shared<timing::TimedCase>(*timing::findTimedOperation(row.operation), row.n, DType::Float32,
                                                timing::Layout::Contiguous, false, 0, 1, Device{});
        const Tensor out = empty({row.n, row.n});
        const std::function<void()> raw = [&] { row.raw(timed->operands(), out.data<float>()); };
        std::vector<double> ours, theirs;
        bool busy = false;
        for (int pass = 0; pass < kPasses; ++pass) {
            setNumThreads(row.threads);
            openblas_set_num_threads(row.threads);
            if (pass % 2) theirs.push_back(rawMedian(raw));
            ours.push_back(engineMedian(timed, row.threads, known, busy));
            openblas_set_num_threads(row.threads);
            if (pass % 2 == 0) theirs.push_back(rawMedian(raw));
        }
        const timing::Verdict verdict = timing::compare(theirs, ours);
        std::printf("%-14s %6lld %8d %12s %12s %8.3f   %.3f to %.3f%s\n", row.operation, static_cast<long long>(row.n),
                    row.threads, timing::timeText(timing::summaryOf(ours).median).c_str(),
                    timing::timeText(timing::summaryOf(theirs).median).c_str(), verdict.ratio, verdict.interval.low,
                    verdict.interval.high, busy ? "   (a pass was on a busy machine)" : "");
        std::fflush(stdout);
    }
    return 0;
}
