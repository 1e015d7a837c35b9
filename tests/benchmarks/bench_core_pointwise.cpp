// Element-wise operations and copies beside references in the same process: memcpy of as many bytes as the operation
// moves, or the loop that one would write by hand. Ratios are what counts; times tell about the machine of the day.
//
// bench_core_pointwise [filter] : rows whose name contains the filter. STRIDESCOPE_ISA and STRIDESCOPE_NUM_THREADS
// apply.

#include "core/backend/backend.h"
#include "core/backend/cpu/cpu_allocator.h"
#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "tests/benchmarks/timing.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace stridescope;
using namespace stridescope::bench;

namespace {

const char* g_filter = "";

bool wanted(const char* name) {
    return std::strstr(name, g_filter) != nullptr;
}

void row(const char* name, const char* against, const Work& ours, const Work& reference) {
    if (!wanted(name)) return;
    const std::vector<double> best = quickest({ours, reference}, 40, 0.001);
    std::printf("%-44s %12s   %-22s %12s   ratio %.2f\n", name, timeText(best[0]).c_str(), against,
                timeText(best[1]).c_str(), best[0] / best[1]);
    std::fflush(stdout);
}

Tensor make(const Dims& shape, DType dtype) {
    const View v = contiguousView(shape).valueOrThrow();
    Tensor t(Storage::allocate(static_cast<std::size_t>(v.numel()) * itemSize(dtype), allocatorFor({})), v, dtype);
    fill_(t, Scalar(1));
    return t;
}

/// A reference that copies `bytes` with memcpy between warm buffers of its own.
Work memcpyOf(std::size_t bytes) {
    struct Buffers {
        Tensor from, to;
    };
    const auto n = static_cast<Index>(bytes);
    const Buffers buffers{make({n}, DType::UInt8), make({n}, DType::UInt8)};
    return [buffers, bytes] {
        std::memcpy(buffers.to.storage()->data(), buffers.from.storage()->data(), bytes);
        touch(buffers.to.storage()->data());
    };
}

/// The loop that one would write by hand, for floats.
Work naiveAdd(Index n) {
    const Tensor a = make({n}, DType::Float32), b = make({n}, DType::Float32), c = make({n}, DType::Float32);
    return [a, b, c, n] {
        const float *x = a.data<float>(), *y = b.data<float>();
        float* z = c.data<float>();
        for (Index i = 0; i < n; ++i) z[i] = x[i] + y[i];
        touch(z);
    };
}

void smallRows() {
    for (const Index n : {Index{10}, Index{1000}}) {
        const Tensor a = make({n}, DType::Float32), b = make({n}, DType::Float32), c = make({n}, DType::Float32);
        const std::string size = std::to_string(n);
        row(("add " + size + " new").c_str(), "naive loop", [=] { touch(add(a, b).storage()->data()); }, naiveAdd(n));
        row(("add " + size + " out").c_str(), "naive loop", [=] { addOut(a, b, c); }, naiveAdd(n));
        row(("add " + size + " in place").c_str(), "naive loop", [=] { add_(c, b); }, naiveAdd(n));
        row(("mul " + size + " by a number").c_str(), "naive loop",
            [=] { touch(mul(a, Scalar(1.5)).storage()->data()); }, naiveAdd(n));
    }
    const Tensor a = make({3, 1, 5}, DType::Float32), b = make({1, 4, 5}, DType::Float32);
    row(
        "(3,1,5) x (1,4,5)", "naive loop", [=] { touch(mul(a, b).storage()->data()); }, naiveAdd(60));
    const Tensor wide = make({4, 10}, DType::Float32);
    row(
        "fill through a narrow view, 4x2", "naive loop", [=] { fill_(narrow(wide, 1, 2, 2), Scalar(3)); }, naiveAdd(8));
    row(
        "clone 10", "memcpy", [t = make({10}, DType::Float32)] { touch(clone(t).storage()->data()); }, memcpyOf(40));
}

void flatRows() {
    for (const Index n : {Index{1'000'000}, Index{10'000'000}}) {
        const Tensor a = make({n}, DType::Float32), b = make({n}, DType::Float32), c = make({n}, DType::Float32);
        const std::string size = n == 10'000'000 ? "1e7" : "1e6";
        const auto bytes = static_cast<std::size_t>(n) * 4;
        row(("add " + size + " out").c_str(), "naive loop", [=] { addOut(a, b, c); }, naiveAdd(n));
        row(("add " + size + " new").c_str(), "naive loop", [=] { touch(add(a, b).storage()->data()); }, naiveAdd(n));
        row(("copy_ " + size).c_str(), "memcpy", [=] { copy_(c, a); }, memcpyOf(bytes));
        row(("clone " + size).c_str(), "memcpy", [=] { touch(clone(a).storage()->data()); }, memcpyOf(bytes));
        row(("fill_ 1.5 " + size).c_str(), "memcpy", [=] { fill_(c, Scalar(1.5)); }, memcpyOf(bytes));
        row(("fill_ 0 " + size).c_str(), "memcpy", [=] { fill_(c, Scalar(0)); }, memcpyOf(bytes));
    }
    const Index n = 10'000'000;
    const auto bytes = static_cast<std::size_t>(n);
    const Tensor u = make({n}, DType::UInt8), w = make({n}, DType::UInt8), o = make({n}, DType::UInt8);
    row(
        "uint8 add 1e7 out", "memcpy of 10 MB", [=] { addOut(u, w, o); }, memcpyOf(bytes));
    const Tensor f = make({n}, DType::Float32), g = make({n}, DType::Float32), l = make({n}, DType::Int64);
    row(
        "float + int64 1e7 new", "memcpy of 80 MB", [=] { touch(add(f, l).storage()->data()); }, memcpyOf(8 * bytes));
    row(
        "a > b 1e7 new", "naive add", [=] { touch(gt(f, g).storage()->data()); }, naiveAdd(n));
    row(
        "half + half 1e7 new", "memcpy of 20 MB",
        [h = make({n}, DType::Float16)] { touch(add(h, h).storage()->data()); }, memcpyOf(2 * bytes));
    row(
        "uint8 -> float32 1e7", "memcpy of 40 MB", [=] { touch(to(u, DType::Float32).storage()->data()); },
        memcpyOf(4 * bytes));
    const Tensor d = make({n}, DType::Float64), e = make({n}, DType::Float64), k = make({n}, DType::Float64);
    row(
        "float64 add 1e7 out", "memcpy of 80 MB", [=] { addOut(d, e, k); }, memcpyOf(8 * bytes));
}

void stridedRows() {
    const Index n = 4096;
    const Tensor x = make({n, n}, DType::Float32), y = make({n, n}, DType::Float32);
    const Work reference = memcpyOf(static_cast<std::size_t>(n * n) * 4);
    row(
        "x.t().contiguous() 4096^2", "memcpy", [=] { touch(contiguous(t(x)).storage()->data()); }, reference);
    row(
        "y.copy_(x.t()) 4096^2", "memcpy", [=] { copy_(y, t(x)); }, reference);
    row(
        "x + x.t() 4096^2", "memcpy", [=] { touch(add(x, t(x)).storage()->data()); }, reference);
    row(
        "x + row 4096^2", "memcpy", [=, r = make({n}, DType::Float32)] { touch(add(x, r).storage()->data()); },
        reference);
    row(
        "x + column 4096^2", "memcpy", [=, c = make({n, 1}, DType::Float32)] { touch(add(x, c).storage()->data()); },
        reference);
    row(
        "narrow(1,1024,2048) copy 4096^2", "memcpy (half the bytes)",
        [=] { touch(contiguous(narrow(x, 1, 1024, 2048)).storage()->data()); },
        memcpyOf(static_cast<std::size_t>(n * n) * 2));
    row(
        "narrow(1,1024,2048) fill 4096^2", "memcpy (half the bytes)",
        [=] { fill_(narrow(y, 1, 1024, 2048), Scalar(2.5)); }, memcpyOf(static_cast<std::size_t>(n * n) * 2));
    row(
        "float64 t().contiguous() 4096^2", "memcpy",
        [d = make({n, n}, DType::Float64)] { touch(contiguous(t(d)).storage()->data()); },
        memcpyOf(static_cast<std::size_t>(n * n) * 8));
    row(
        "uint8 t().contiguous() 4096^2", "memcpy",
        [u = make({n, n}, DType::UInt8)] { touch(contiguous(t(u)).storage()->data()); },
        memcpyOf(static_cast<std::size_t>(n * n)));
    const Tensor cube = make({256, 256, 256}, DType::Float32);
    row(
        "transpose(0,2).contiguous() 256^3", "memcpy",
        [=] { touch(contiguous(transpose(cube, 0, 2)).storage()->data()); }, reference);
    const Tensor a = make({2000, 1, 5}, DType::Float32), b = make({1, 1000, 5}, DType::Float32);
    row(
        "(2000,1,5) x (1,1000,5)", "naive add 1e7", [=] { touch(mul(a, b).storage()->data()); }, naiveAdd(10'000'000));
    const Tensor p = make({200, 1, 500}, DType::Float32), q = make({1, 100, 500}, DType::Float32);
    row(
        "(200,1,500) x (1,100,500)", "naive add 1e7", [=] { touch(mul(p, q).storage()->data()); },
        naiveAdd(10'000'000));
    const Tensor tall = make({5'000'000, 4}, DType::Float32);
    row(
        "narrow(1,1,2) copy 5e6x4", "memcpy of 40 MB",
        [=] { touch(contiguous(narrow(tall, 1, 1, 2)).storage()->data()); }, memcpyOf(40'000'000));
    row(
        "narrow(1,1,2) fill 5e6x4", "memcpy of 40 MB", [=] { fill_(narrow(tall, 1, 1, 2), Scalar(2.5)); },
        memcpyOf(40'000'000));
    const Tensor images = make({10'000, 32, 32, 3}, DType::UInt8);
    row(
        "u8 (N,32,32,3) -> (N,3,32,32) 1e4", "memcpy",
        [=] {
            touch(contiguous(permute(images, {0, 3, 1, 2})).storage()->data());
        },
        memcpyOf(30'720'000));
    row(
        "the same, then / 255", "memcpy of 123 MB",
        [=] {
            touch(div(permute(images, {0, 3, 1, 2}), Scalar(255)).storage()->data());
        },
        memcpyOf(122'880'000));
    row(
        "x[::2] 1e7 contiguous", "memcpy of 20 MB",
        [v = make({10'000'000}, DType::Float32)] { touch(contiguous(slice(v, 0, {}, {}, 2)).storage()->data()); },
        memcpyOf(20'000'000));
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1) g_filter = argv[1];
    std::printf("instruction set %s, %d thread(s)\n", cpu::isa().name, numThreads());
    smallRows();
    flatRows();
    stridedRows();
    const AllocatorStatistics before = cpuAllocator().statistics();
    const Tensor a = make({10'000'000}, DType::Float32);
    for (int i = 0; i < 3; ++i) touch(add(a, a).storage()->data());
    const AllocatorStatistics warm = cpuAllocator().statistics();
    for (int i = 0; i < 100; ++i) touch(add(a, a).storage()->data());
    std::printf("system calls of 100 warm a + b of 1e7: %llu (the first four made %llu)\n",
                static_cast<unsigned long long>(cpuAllocator().statistics().systemCalls - warm.systemCalls),
                static_cast<unsigned long long>(warm.systemCalls - before.systemCalls));
}
