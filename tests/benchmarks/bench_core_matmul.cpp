// Matrix products beside raw OpenBLAS on the same operands in the same process. The ratio is ours over raw.
//
//   build/release/bin/benchmarks/bench_core_matmul [rounds]

#include "core/backend/cpu/gemm.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/creation.h"
#include "core/ops/matmul.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "tests/benchmarks/timing.h"

#include <algorithm>
#include <cblas.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace stridescope;
using namespace stridescope::bench;

namespace {

void compare(const char* name, int rounds, const Work& ours, const Work& raw) {
    const std::vector<double> best = quickest({ours, raw}, rounds, 0.003);
    std::printf("%-28s ours %12.2f us   raw %12.2f us   ratio %.2f\n", name, best[0] * 1e6, best[1] * 1e6,
                best[0] / best[1]);
}

void sgemm(const Tensor& a, const Tensor& b, float* out, bool ta = false, bool tb = false) {
    const auto m = static_cast<int>(ta ? a.size(1) : a.size(0)), k = static_cast<int>(ta ? a.size(0) : a.size(1));
    const auto n = static_cast<int>(tb ? b.size(0) : b.size(1));
    cblas_sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1,
                a.data<float>(), static_cast<int>(a.stride()[0]), b.data<float>(), static_cast<int>(b.stride()[0]), 0,
                out, n);
}

} // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
    std::printf("OpenBLAS kernels: %s, threads: %d\n", cpu::blasKernels(), numThreads());
    for (const Index n : {4, 16, 64, 256, 500, 1024, 2048}) {
        const Tensor a = rand({n, n}), b = rand({n, n});
        std::vector<float> out(static_cast<std::size_t>(n * n));
        char name[40];
        std::snprintf(name, sizeof name, "mm %lld", static_cast<long long>(n));
        openblas_set_num_threads(numThreads());
        compare(
            name, n > 1000 ? std::min(rounds, 5) : rounds, [&] { (void)mm(a, b); }, [&] { sgemm(a, b, out.data()); });
    }
    const Tensor a = rand({1024, 1024}), b = rand({1024, 1024});
    std::vector<float> out(1024 * 1024);
    compare(
        "mm 1024, a.t() @ b", rounds, [&] { (void)mm(t(a), b); }, [&] { sgemm(a, b, out.data(), true); });
    compare(
        "mm 1024, a @ b.t()", rounds, [&] { (void)mm(a, t(b)); }, [&] { sgemm(a, b, out.data(), false, true); });
    const Tensor wide = rand({1024, 2048});
    compare(
        "mm 1024, x[:, ::2] @ b", rounds, [&] { (void)mm(slice(wide, 1, std::nullopt, std::nullopt, 2), b); },
        [&] { sgemm(a, b, out.data()); });
    for (const auto& [count, n] : {std::pair<Index, Index>{64, 128}, {1000, 16}}) {
        const Tensor x = rand({count, n, n}), y = rand({count, n, n});
        std::vector<float> result(static_cast<std::size_t>(count * n * n));
        char name[40];
        std::snprintf(name, sizeof name, "bmm %lld x %lld", static_cast<long long>(count), static_cast<long long>(n));
        compare(
            name, rounds, [&] { (void)bmm(x, y); },
            [&] {
                openblas_set_num_threads(1);
                for (Index i = 0; i < count; ++i) sgemm(select(x, 0, i), select(y, 0, i), result.data() + i * n * n);
            });
    }
    return 0;
}
