// Sums, spreads, extrema, scans and sorting.

#include "core/ops/reductions.h"
#include "core/ops/extrema.h"
#include "core/ops/order_statistics.h"
#include "core/ops/scans.h"
#include "core/ops/sorting.h"
#include "tests/benchmarks/workloads/workload.h"

namespace stridescope::bench {

std::vector<Workload> reductionWorkloads() {
    Workloads w("2c");
    const char *const line = "x = r(10**7)", *const cube = "x = r(100, 100, 1000)";
    const Dims lineShape{10'000'000}, cubeShape{100, 100, 1000};
    const auto one = [&](std::string name, double goal, const char* setup, const char* call, const Dims& shape,
                         auto operation) -> Workload& {
        return w.add(std::move(name), goal, setup, call, [=] {
            const Tensor x = randn(shape);
            return [=] { use(operation(x)); };
        });
    };
    one("sum 1e7", 0.85, line, "x.sum()", lineShape, [](const Tensor& x) { return sum(x); });
    one("mean 1e7", 0.85, line, "x.mean()", lineShape, [](const Tensor& x) { return mean(x); });
    one("sum dim 0", 0.95, cube, "x.sum(0)", cubeShape, [](const Tensor& x) { return sum(x, 0); });
    one("sum dim 1", 0.95, cube, "x.sum(1)", cubeShape, [](const Tensor& x) { return sum(x, 1); });
    one("sum dim 2", 0.6, cube, "x.sum(2)", cubeShape, [](const Tensor& x) { return sum(x, 2); });
    one("std 1e7", 0.2, line, "x.std()", lineShape, [](const Tensor& x) { return stddev(x); });
    one("std dim 0", 0.08, cube, "x.std(0)", cubeShape, [](const Tensor& x) { return stddev(x, 0); });
    one("std dim 1", 0.08, cube, "x.std(1)", cubeShape, [](const Tensor& x) { return stddev(x, 1); });
    one("std dim 2", 0.05, cube, "x.std(2)", cubeShape, [](const Tensor& x) { return stddev(x, 2); });
    one("std of (1e6,10) over dim 1", 0, "x = r(10**6, 10)", "x.std(1)", {1'000'000, 10},
        [](const Tensor& x) { return stddev(x, 1); });
    one("norm 1e7", 0.6, line, "x.norm()", lineShape, [](const Tensor& x) { return norm(x); });
    one("norm dim 0", 0.15, cube, "x.norm(dim=0)", cubeShape, [](const Tensor& x) { return norm(x, 2.0, 0); });
    one("norm dim 2", 0.7, cube, "x.norm(dim=2)", cubeShape, [](const Tensor& x) { return norm(x, 2.0, 2); });
    one("argmax 1e7", 0.2, line, "x.argmax()", lineShape, [](const Tensor& x) { return argmax(x); });
    one("argmax dim 0", 0.2, cube, "x.argmax(0)", cubeShape, [](const Tensor& x) { return argmax(x, 0); });
    one("argmax dim 1", 0.2, cube, "x.argmax(1)", cubeShape, [](const Tensor& x) { return argmax(x, 1); });
    one("argmax dim 2", 0.25, cube, "x.argmax(2)", cubeShape, [](const Tensor& x) { return argmax(x, 2); });
    one("max 1e7", 0.6, line, "x.max()", lineShape, [](const Tensor& x) { return max(x); });
    one("max dim 0", 0.35, cube, "x.max(0)", cubeShape, [](const Tensor& x) { return max(x, 0).values; });
    one("max dim 2", 0.6, cube, "x.max(2)", cubeShape, [](const Tensor& x) { return max(x, 2).values; });
    one("sum 1000", 0.3, "x = r(1000)", "x.sum()", {1000}, [](const Tensor& x) { return sum(x); });
    one("sum of (1e6,10) over dim 1", 0.4, "x = r(10**6, 10)", "x.sum(1)", {1'000'000, 10},
        [](const Tensor& x) { return sum(x, 1); });
    one("cumsum 1e7", 1.0, line, "x.cumsum(0)", lineShape, [](const Tensor& x) { return cumsum(x, 0); });
    one("sort 1e6", 1.0, "x = torch.randn(10**6)", "x.sort()", {1'000'000},
        [](const Tensor& x) { return sort(x).values; });
    const char* const square = "x = torch.randn(3000, 3000)";
    one("softmax 3000^2 dim 1", 0, square, "x.softmax(1)", {3000, 3000}, [](const Tensor& x) { return softmax(x, 1); });
    one("log_softmax 3000^2 dim 1", 0, square, "x.log_softmax(1)", {3000, 3000},
        [](const Tensor& x) { return logSoftmax(x, 1); });
    one("softmax 3000^2 dim 0", 0, square, "x.softmax(0)", {3000, 3000}, [](const Tensor& x) { return softmax(x, 0); });
    return w.take();
}

} // namespace stridescope::bench
