// Random numbers, the same ones on both sides, and linear algebra.

#include "core/ops/linalg.h"
#include "core/ops/pointwise.h"
#include "tests/benchmarks/workloads/workload.h"

namespace stridescope::bench {

namespace {

/// Well conditioned: random numbers and a heavy diagonal.
Tensor regular(Index n, DType dtype) {
    const Tensor a = rand({n, n}, {dtype, Device{}});
    for (Index i = 0; i < n; ++i)
        dtype == DType::Float32 ? a.data<float>()[i * n + i] += static_cast<float>(n)
                                : a.data<double>()[i * n + i] += static_cast<double>(n);
    return a;
}

} // namespace

std::vector<Workload> randomWorkloads() {
    Workloads w("2f");
    constexpr Index kMany = 10'000'000;
    w.add("uniform_ 1e7", 0.15, "x = r(10**7)", "x.uniform_()", [] { return [x = rand({kMany})] { uniform_(x); }; });
    w.add("normal_ 1e7", 0.3, "x = r(10**7)", "x.normal_()", [] { return [x = rand({kMany})] { normal_(x); }; });
    w.add("randperm 1e7", 0.25, "", "torch.randperm(10**7)", [] { return [] { use(randperm(kMany)); }; });
    w.add("randint 1e7", 0.2, "", "torch.randint(0, 100, (10**7,))",
          [] { return [] { use(randint(0, 100, {kMany})); }; });
    w.add("bernoulli_ 1e7", 0.2, "x = r(10**7)", "x.bernoulli_(0.5)",
          [] { return [x = rand({kMany})] { bernoulli_(x, 0.5); }; });

    /// One square matrix `a` and right-hand sides `b`.
    const auto matrix = [&](const char* name, double goal, const char* setup, const char* call, Index n, Index columns,
                            DType dtype, auto operation) {
        w.add(name, goal, setup, call, [=] {
            const Tensor a = regular(n, dtype), b = rand({n, columns}, {dtype, Device{}});
            return [=] { operation(a, b); };
        });
    };
    constexpr DType kSingle = DType::Float32, kDouble = DType::Float64;
    const char* const single = "a, b = r(500, 500) + 500 * torch.eye(500), r(500, 1)";
    const char* const both = "a, b = (r(500, 500) + 500 * torch.eye(500)).double(), r(500, 1).double()";
    const auto solving = [](const Tensor& a, const Tensor& b) { use(solve(a, b)); };
    const auto inverting = [](const Tensor& a, const Tensor&) { use(inv(a)); };
    matrix("solve 500, 1 column, float32", 1.0, single, "torch.linalg.solve(a, b)", 500, 1, kSingle, solving);
    matrix("solve 500, 1 column, float64", 1.0, both, "torch.linalg.solve(a, b)", 500, 1, kDouble, solving);
    matrix("solve 500, 500 columns, float32", 1.0, "a, b = r(500, 500) + 500 * torch.eye(500), r(500, 500)",
           "torch.linalg.solve(a, b)", 500, 500, kSingle, solving);
    matrix("inv 500, float32", 0.8, single, "torch.inverse(a)", 500, 1, kSingle, inverting);
    matrix("inv 500, float64", 0.8, both, "torch.inverse(a)", 500, 1, kDouble, inverting);
    const auto tall = [&](const char* name, const char* setup, DType dtype) {
        w.add(name, 1.0, setup, "torch.linalg.lstsq(a, b, driver='gels')", [dtype] {
            const Tensor a = rand({1000, 100}, {dtype, Device{}}), b = rand({1000, 1}, {dtype, Device{}});
            return [=] { use(lstsq(a, b, std::nullopt, "gels").solution); };
        });
    };
    tall("lstsq 1000 x 100 by gels, float32", "a, b = r(1000, 100), r(1000, 1)", kSingle);
    tall("lstsq 1000 x 100 by gels, float64", "a, b = r(1000, 100).double(), r(1000, 1).double()", kDouble);
    w.add("eig 200", 0.97, "a = r(200, 200)", "torch.linalg.eig(a)", [] {
        return [a = rand({200, 200})] { use(eig(a).values); };
    });
    w.add("svd 200", 1.0, "a = r(200, 200)", "torch.linalg.svd(a)", [] {
        return [a = rand({200, 200})] { use(svd(a).s); };
    });
    w.add("cholesky 500", 0.9, "a = r(500, 500); a = a @ a.t() + 500 * torch.eye(500)", "torch.linalg.cholesky(a)", [] {
        const Tensor half = regular(500, kSingle), a = add(half, stridescope::clone(half));
        const Tensor sym = empty({500, 500});
        for (Index i = 0; i < 500; ++i)
            for (Index j = 0; j < 500; ++j)
                sym.data<float>()[i * 500 + j] = a.data<float>()[std::max(i, j) * 500 + std::min(i, j)];
        return [=] { use(cholesky(sym)); };
    });
    matrix("det 500", 1.0, single, "torch.det(a)", 500, 1, kSingle,
           [](const Tensor& a, const Tensor&) { use(det(a)); });
    matrix("solve 4 x 4, float64", 0.2, "a, b = (r(4, 4) + 4 * torch.eye(4)).double(), r(4, 1).double()",
           "torch.linalg.solve(a, b)", 4, 1, kDouble, solving);
    matrix("inv 4 x 4, float64", 0.2, "a = (r(4, 4) + 4 * torch.eye(4)).double()", "torch.inverse(a)", 4, 1, kDouble,
           inverting);
    return w.take();
}

} // namespace stridescope::bench
