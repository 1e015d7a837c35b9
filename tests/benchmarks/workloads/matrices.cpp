// Matrix products. The peer is the raw call of OpenBLAS.

#include "core/ops/matmul.h"
#include "core/ops/views.h"
#include "tests/benchmarks/workloads/workload.h"

#include <cblas.h>

namespace stridescope::bench {

namespace {

template <class T>
auto rawProduct(Index n, bool ta = false, bool tb = false) {
    const DType dtype = DTypeOf<T>::value;
    const Tensor a = rand({n, n}, {dtype, Device{}}), b = rand({n, n}, {dtype, Device{}}),
                 c = empty({n, n}, {dtype, Device{}});
    return [=] {
        const auto s = static_cast<int>(n);
        const auto one = ta ? CblasTrans : CblasNoTrans, two = tb ? CblasTrans : CblasNoTrans;
        if constexpr (std::is_same_v<T, float>)
            cblas_sgemm(CblasRowMajor, one, two, s, s, s, 1, a.data<T>(), s, b.data<T>(), s, 0, c.data<T>(), s);
        else
            cblas_dgemm(CblasRowMajor, one, two, s, s, s, 1, a.data<T>(), s, b.data<T>(), s, 0, c.data<T>(), s);
    };
}

} // namespace

std::vector<Workload> matrixWorkloads() {
    Workloads w("2a");
    const auto square = [&](const char* name, Index n, const char* setup, DType dtype, double goal) -> Workload& {
        return w.add(name, goal, setup, "a @ b", [n, dtype] {
            const Tensor a = rand({n, n}, {dtype, Device{}}), b = rand({n, n}, {dtype, Device{}});
            return [=] { use(mm(a, b)); };
        });
    };
    constexpr double kRaw = 1 / 0.98;
    square("mm 4 x 4", 4, "a, b = r(4, 4), r(4, 4)", DType::Float32, 0.25);
    square("mm 64, float32", 64, "a, b = r(64, 64), r(64, 64)", DType::Float32, 0.85).against("sgemm", 1 / 0.93, [] {
        return rawProduct<float>(64);
    });
    square("mm 500, float32", 500, "a, b = r(500, 500), r(500, 500)", DType::Float32, 1.02).against("sgemm", kRaw, [] {
        return rawProduct<float>(500);
    });
    square("mm 1024, float32", 1024, "a, b = r(1024, 1024), r(1024, 1024)", DType::Float32, 1.02)
        .against("sgemm", kRaw, [] { return rawProduct<float>(1024); });
    square("mm 2048, float32", 2048, "a, b = r(2048, 2048), r(2048, 2048)", DType::Float32, 1.02)
        .against("sgemm", kRaw, [] { return rawProduct<float>(2048); });
    square("mm 500, float64", 500, "a, b = r(500, 500).double(), r(500, 500).double()", DType::Float64, 1.02)
        .against("dgemm", kRaw, [] { return rawProduct<double>(500); });
    square("mm 1024, float64", 1024, "a, b = r(1024, 1024).double(), r(1024, 1024).double()", DType::Float64, 1.02)
        .against("dgemm", kRaw, [] { return rawProduct<double>(1024); });
    const auto turned = [&](const char* name, bool ta, bool tb, const char* call) {
        w.add(name, 1.02, "a, b = r(1024, 1024), r(1024, 1024)", call, [=] {
             Tensor a = rand({1024, 1024}), b = rand({1024, 1024});
             if (ta) a = t(a);
             if (tb) b = t(b);
             return [=] { use(mm(a, b)); };
         }).against("sgemm", 1.02, [=] { return rawProduct<float>(1024, ta, tb); });
    };
    turned("mm 1024, a.t() @ b", true, false, "a.t() @ b");
    turned("mm 1024, a @ b.t()", false, true, "a @ b.t()");
    turned("mm 1024, a.t() @ b.t()", true, true, "a.t() @ b.t()");
    w.add("mm 1024, x[:, ::2] @ b", 1.0, "x, b = r(1024, 2048), r(1024, 1024)", "x[:, ::2] @ b", [] {
         const Tensor x = slice(rand({1024, 2048}), 1, std::nullopt, std::nullopt, 2), b = rand({1024, 1024});
         return [=] { use(mm(x, b)); };
     }).against("sgemm", 1.05, [] { return rawProduct<float>(1024); });
    const auto batch = [&](const char* name, Index count, Index n, double goal, const char* setup) {
        w.add(name, goal, setup, "torch.bmm(a, b)", [=] {
            const Tensor a = rand({count, n, n}), b = rand({count, n, n});
            return [=] { use(bmm(a, b)); };
        });
    };
    batch("bmm 64 of 128 x 128", 64, 128, 0.92, "a, b = r(64, 128, 128), r(64, 128, 128)");
    batch("bmm 1000 of 16 x 16", 1000, 16, 0.15, "a, b = r(1000, 16, 16), r(1000, 16, 16)");
    w.add("mv 4096", 1.0, "a, b = r(4096, 4096), r(4096)", "torch.mv(a, b)", [] {
         const Tensor a = rand({4096, 4096}), b = rand({4096});
         return [=] { use(mv(a, b)); };
     }).against("sgemv", 1 / 0.9, [] {
        const Tensor a = rand({4096, 4096}), b = rand({4096}), c = rand({4096});
        return [=] {
            cblas_sgemv(CblasRowMajor, CblasNoTrans, 4096, 4096, 1, a.data<float>(), 4096, b.data<float>(), 1, 0,
                        c.data<float>(), 1);
        };
    });
    w.add("dot 1e7", 1.0, "a, b = r(10**7), r(10**7)", "torch.dot(a, b)", [] {
         const Tensor a = rand({10'000'000}), b = rand({10'000'000});
         return [=] { use(dot(a, b)); };
     }).against("sdot", 1 / 0.9, [] {
        const Tensor a = rand({10'000'000}), b = rand({10'000'000});
        return [=] {
            const float result = cblas_sdot(10'000'000, a.data<float>(), 1, b.data<float>(), 1);
            keep(result);
        };
    });
    return w.take();
}

} // namespace stridescope::bench
