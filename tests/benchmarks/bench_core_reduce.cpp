// Reductions and scans in GB/s of input, beside two references in the same process: the plain loop that one would write
// by hand, and a memcpy that reads as many bytes. Ratios are what counts; times tell about the machine of the day.
//
// bench_core_reduce [filter] : rows whose name contains the filter. STRIDESCOPE_ISA and STRIDESCOPE_NUM_THREADS apply.

#include "core/backend/backend.h"
#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/order_statistics.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/views.h"
#include "tests/benchmarks/timing.h"

#include <cstdio>
#include <cstring>
#include <string>

using namespace stridescope;
using namespace stridescope::bench;

namespace {

const char* g_filter = "";

void row(const char* name, Index bytes, const Work& ours, const Work& loop, const Work& copy) {
    if (!std::strstr(name, g_filter)) return;
    const std::vector<double> best = quickest({ours, loop, copy}, 15);
    const auto rate = [bytes](double seconds) { return static_cast<double>(bytes) / seconds / 1e9; };
    std::printf("%-34s %10.2f us %7.1f GB/s   loop %7.1f   memcpy %7.1f   time / loop %.3f\n", name, best[0] * 1e6,
                rate(best[0]), rate(best[1]), rate(best[2]), best[0] / best[1]);
    std::fflush(stdout);
}

template <class T>
Tensor filled(const Dims& shape) {
    const Tensor t = empty(shape, {DTypeOf<T>::value, Device{}});
    T* p = t.data<T>();
    for (Index i = 0; i < t.numel(); ++i) p[i] = static_cast<T>((i * 7919) % 251);
    return t;
}

Work memcpyOf(Index bytes) {
    const Tensor from = filled<std::uint8_t>({bytes}), to = filled<std::uint8_t>({bytes});
    return [=] {
        std::memcpy(to.storage()->data(), from.storage()->data(), static_cast<std::size_t>(bytes));
        touch(to.storage()->data());
    };
}

/// for each result, for each element in memory order of `t`'s dims (outer, reduced, inner): one accumulator.
template <class T, class A, class Step>
Work loopOver(const Tensor& t, Index outer, Index reduced, Index inner, A start, Step step) {
    const Tensor out = empty({outer * inner}, {DTypeOf<A>::value, Device{}});
    return [=] {
        const T* p = t.data<T>();
        A* o = out.data<A>();
        for (Index i = 0; i < outer; ++i) {
            for (Index j = 0; j < inner; ++j) {
                A a = start;
                for (Index k = 0; k < reduced; ++k) a = step(a, p[(i * reduced + k) * inner + j]);
                o[i * inner + j] = a;
            }
        }
        touch(o);
    };
}

template <class T>
void operations(const char* what, const Tensor& t, const ReduceDims& dims, Index outer, Index reduced, Index inner) {
    const Index bytes = t.nbytes();
    const auto rowOf = [&](const char* op, const Work& ours, const Work& loop) {
        const std::string name = std::string(op) + " " + what;
        if (std::strstr(name.c_str(), g_filter)) row(name.c_str(), bytes, ours, loop, memcpyOf(bytes));
    };
    const auto plus = [](float a, T x) { return a + static_cast<float>(x); };
    const auto larger = [](T a, T x) { return x > a ? x : a; };
    const Work add = loopOver<T, float>(t, outer, reduced, inner, 0.0f, plus);
    const Work top = loopOver<T, T>(t, outer, reduced, inner, T{}, larger);
    rowOf(
        "sum", [=] { touch(sum(t, dims).storage()->data()); }, add);
    if constexpr (std::is_floating_point_v<T>) {
        rowOf(
            "std", [=] { touch(stddev(t, dims).storage()->data()); }, add);
        rowOf(
            "norm", [=] { touch(norm(t, 2, dims).storage()->data()); }, add);
    }
    rowOf(
        "amax", [=] { touch(amax(t, dims).storage()->data()); }, top);
    if (dims.all())
        rowOf(
            "argmax", [=] { touch(argmax(t).storage()->data()); }, top);
    else
        rowOf(
            "max", [=, d = dims.dims()[0]] { touch(max(t, d).values.storage()->data()); }, top);
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1) g_filter = argv[1];
    std::printf("instruction set %s, %d thread(s)\n", cpu::isa().name, numThreads());
    operations<float>("10", filled<float>({10}), {}, 1, 10, 1);
    operations<float>("1000", filled<float>({1000}), {}, 1, 1000, 1);
    operations<float>("1e7", filled<float>({10'000'000}), {}, 1, 10'000'000, 1);
    const Tensor cube = filled<float>({100, 100, 1000});
    operations<float>("(100,100,1000) dim 0", cube, 0, 1, 100, 100'000);
    operations<float>("(100,100,1000) dim 1", cube, 1, 100, 100, 1000);
    operations<float>("(100,100,1000) dim 2", cube, 2, 10'000, 1000, 1);
    operations<float>("(1e6,10) dim 1", filled<float>({1'000'000, 10}), 1, 1'000'000, 10, 1);
    operations<float>("(1e6,10) dim 0", filled<float>({1'000'000, 10}), 0, 1, 1'000'000, 10);
    operations<double>("float64 1e7", filled<double>({10'000'000}), {}, 1, 10'000'000, 1);
    operations<std::uint8_t>("uint8 1e7", filled<std::uint8_t>({10'000'000}), {}, 1, 10'000'000, 1);
    operations<std::int64_t>("int64 1e7", filled<std::int64_t>({10'000'000}), {}, 1, 10'000'000, 1);
    const Tensor square = filled<float>({3000, 3000});
    const Index bytes = square.nbytes();
    const auto plus = [](float a, float x) { return a + x; };
    const Work rows = loopOver<float, float>(square, 3000, 3000, 1, 0.0f, plus);
    row(
        "sum of x.t() 3000^2 dim 0", bytes, [=] { touch(sum(t(square), 0).storage()->data()); }, rows, memcpyOf(bytes));
    row(
        "sum of x[:, ::2] 3000^2 dim 1", bytes / 2,
        [=] { touch(sum(slice(square, 1, {}, {}, 2), 1).storage()->data()); }, rows, memcpyOf(bytes));
    const Tensor line = filled<float>({10'000'000});
    const auto running = [=] {
        const Tensor out = empty(line.shape());
        float total = 0;
        for (Index i = 0; i < line.numel(); ++i) out.data<float>()[i] = total += line.data<float>()[i];
        touch(out.storage()->data());
    };
    row(
        "cumsum 1e7", line.nbytes(), [=] { touch(cumsum(line, 0).storage()->data()); }, running,
        memcpyOf(line.nbytes()));
    row(
        "cumsum 3000^2 dim 0", bytes, [=] { touch(cumsum(square, 0).storage()->data()); }, running, memcpyOf(bytes));
    row(
        "softmax 3000^2 dim 1", bytes, [=] { touch(softmax(square, 1).storage()->data()); }, running, memcpyOf(bytes));
    row(
        "median 1e7", line.nbytes(), [=] { touch(median(line).storage()->data()); }, running, memcpyOf(line.nbytes()));
}
