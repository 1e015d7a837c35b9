// Random numbers beside the loop that one would write by hand with the standard library's Mersenne Twister, which is
// the same stream. Both run in turns in one process: ratios are what counts.
//
// bench_core_random [elements] : 10^7 unless told otherwise. STRIDESCOPE_ISA and STRIDESCOPE_NUM_THREADS apply.

#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "tests/benchmarks/timing.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>

using namespace stridescope;
using namespace stridescope::bench;

namespace {

void row(const char* name, const Work& ours, const Work& byHand) {
    const std::vector<double> best = quickest({ours, byHand}, 5);
    const double a = best[0], b = best[1];
    std::printf("%-28s %9.2f ms   by hand %9.2f ms   ratio %.2f\n", name, a * 1e3, b * 1e3, a / b);
    std::fflush(stdout);
}

/// out[i] = make(twister) for every element of a contiguous tensor.
template <class T, class Make>
Work byHand(const Tensor& t, Make make) {
    return [t, make] {
        std::mt19937 twister(0);
        T* const out = t.data<T>();
        for (Index i = 0; i < t.numel(); ++i) out[i] = make(twister);
    };
}

constexpr double k2Pi = 6.283185307179586;

} // namespace

int main(int argc, char** argv) {
    const Index n = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
    std::printf("instruction set %s, %d thread(s), %lld elements\n", cpu::isa().name, numThreads(),
                static_cast<long long>(n));
    const Tensor f = zeros({n}), d = zeros({n}, {DType::Float64, Device{}}), i = zeros({n}, {DType::Int64, Device{}});
    const Tensor every2 = slice(zeros({2 * n}), 0, std::nullopt, std::nullopt, 2);
    const auto uniform = [](std::mt19937& g) { return static_cast<float>(g() & 0xffffffu) * 0x1p-24f; };
    const auto uniform53 = [](std::mt19937& g) {
        const std::uint64_t high = g();
        return static_cast<double>(((high << 32) | g()) & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53;
    };
    row(
        "uniform_ float32", [&] { uniform_(f); }, byHand<float>(f, uniform));
    row(
        "uniform_ float32, every 2nd", [&] { uniform_(every2); }, byHand<float>(f, uniform));
    row(
        "uniform_ float64", [&] { uniform_(d); }, byHand<double>(d, uniform53));
    row(
        "normal_ float32", [&] { normal_(f); },
        [&] {
            std::mt19937 twister(0);
            float* const out = f.data<float>();
            for (Index k = 0; k + 1 < n; k += 2) {
                const float radius = std::sqrt(-2 * std::log(1 - uniform(twister)));
                const float angle = static_cast<float>(k2Pi) * uniform(twister);
                out[k] = radius * std::cos(angle);
                out[k + 1] = radius * std::sin(angle);
            }
        });
    row(
        "normal_ float64", [&] { normal_(d); },
        [&] {
            std::mt19937 twister(0);
            double* const out = d.data<double>();
            for (Index k = 0; k + 1 < n; k += 2) {
                const double radius = std::sqrt(-2 * std::log(1 - uniform53(twister)));
                const double angle = k2Pi * uniform53(twister);
                out[k] = radius * std::cos(angle);
                out[k + 1] = radius * std::sin(angle);
            }
        });
    row(
        "random_(0, 100) int64", [&] { random_(i, 100); },
        byHand<std::int64_t>(i, [](std::mt19937& g) { return static_cast<std::int64_t>(g() % 100); }));
    row(
        "bernoulli_ float32", [&] { bernoulli_(f, 0.5); },
        byHand<float>(f, [=](std::mt19937& g) { return uniform53(g) < 0.5 ? 1.0f : 0.0f; }));
    row(
        "exponential_ float32", [&] { exponential_(f); },
        byHand<float>(f, [=](std::mt19937& g) { return static_cast<float>(-std::log(1 - uniform53(g))); }));
    row(
        "randperm", [&] { (void)randperm(n); },
        [&] {
            std::mt19937 twister(0);
            auto* const out = i.data<std::int64_t>();
            std::iota(out, out + n, 0);
            for (Index k = 0; k + 1 < n; ++k) std::swap(out[k], out[k + twister() % static_cast<std::uint64_t>(n - k)]);
        });
    const Tensor one = zeros({1});
    std::mt19937 twister(0);
    row(
        "uniform_ of 1 element, 10^5 x",
        [&] {
            for (int k = 0; k < 100'000; ++k) uniform_(one);
        },
        [&] {
            for (int k = 0; k < 100'000; ++k) *one.data<float>() = uniform(twister);
        });
}
