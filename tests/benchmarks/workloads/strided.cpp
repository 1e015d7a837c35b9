// Copies and operations on views, and reading and writing by index and mask.

#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise.h"
#include "core/ops/subscript.h"
#include "core/ops/views.h"
#include "tests/benchmarks/workloads/workload.h"

namespace stridescope::bench {

std::vector<Workload> stridedWorkloads() {
    Workloads w("2d");
    const char* const square = "x, y = r(4096, 4096), r(4096, 4096)";
    const Dims squareShape{4096, 4096};
    constexpr Index kSquareBytes = Index{4096} * 4096 * 4;
    /// One tensor x of float32 and another, y, of its shape.
    const auto view = [&](std::string name, double goal, const char* setup, const char* call, const Dims& shape,
                          auto operation) -> Workload& {
        return w.add(std::move(name), goal, setup, call, [=] {
            const Tensor x = rand(shape), y = rand(shape);
            return [=] { operation(x, y); };
        });
    };
    view("x.t().contiguous() 4096^2", 0.2, square, "x.t().contiguous()", squareShape,
         [](const Tensor& x, const Tensor&) { use(contiguous(t(x))); })
        .against("memcpy", 1 / 0.42, [] { return memcpyOf(kSquareBytes); });
    view("y.copy_(x.t()) 4096^2", 0.5, square, "y.copy_(x.t())", squareShape,
         [](const Tensor& x, const Tensor& y) { copy_(y, t(x)); });
    w.add("float64 t().contiguous() 4096^2", 0.6, "x, y = r(4096, 4096).double(), r(4096, 4096).double()",
          "y.copy_(x.t())", [] {
              const Tensor x = rand({4096, 4096}, {DType::Float64, Device{}}), y = clone(x);
              return [=] { copy_(y, t(x)); };
          });
    w.add("uint8 t().contiguous() 4096^2", 0.25,
          "x = torch.randint(0, 255, (4096, 4096), dtype=torch.uint8); y = x.clone()", "y.copy_(x.t())", [] {
              const Tensor x = integers(255, {4096, 4096}, DType::UInt8), y = clone(x);
              return [=] { copy_(y, t(x)); };
          });
    view("transpose(0, 2) of 256^3", 0.1, "x = r(256, 256, 256)", "x.transpose(0, 2).contiguous()", {256, 256, 256},
         [](const Tensor& x, const Tensor&) { use(contiguous(transpose(x, 0, 2))); });
    view("x + x.t() 4096^2", 0.12, square, "x + x.t()", squareShape,
         [](const Tensor& x, const Tensor&) { use(add(x, t(x))); });
    const char* const images = "x = torch.randint(0, 255, (10000, 32, 32, 3), dtype=torch.uint8)";
    w.add("images to float, / 255, new order", 0.1, images,
          "x.transpose(1, 3).transpose(2, 3).float().div(255).contiguous()", [] {
              const Tensor x = integers(255, {10'000, 32, 32, 3}, DType::UInt8);
              return
                  [=] { use(contiguous(div(to(transpose(transpose(x, 1, 3), 2, 3), DType::Float32), Scalar(255)))); };
          });
    w.add("images, new order", 0.25, images, "x.transpose(1, 3).transpose(2, 3).contiguous()", [] {
        const Tensor x = integers(255, {10'000, 32, 32, 3}, DType::UInt8);
        return [=] { use(contiguous(transpose(transpose(x, 1, 3), 2, 3))); };
    });
    const char* const tall = "x, y = r(5000000, 4), r(5000000, 4)";
    view("narrow(1,1,2) copy 5e6 x 4", 0.65, tall, "y.narrow(1, 1, 2).copy_(x.narrow(1, 1, 2))", {5'000'000, 4},
         [](const Tensor& x, const Tensor& y) { copy_(narrow(y, 1, 1, 2), narrow(x, 1, 1, 2)); });
    view("narrow(1,1,2) contiguous 5e6 x 4", 0.65, tall, "x.narrow(1, 1, 2).contiguous()", {5'000'000, 4},
         [](const Tensor& x, const Tensor&) { use(contiguous(narrow(x, 1, 1, 2))); });
    view("narrow(1,1,2) fill 5e6 x 4", 0.65, tall, "x.narrow(1, 1, 2).fill_(2.5)", {5'000'000, 4},
         [](const Tensor& x, const Tensor&) { fill_(narrow(x, 1, 1, 2), Scalar(2.5)); });
    view("narrow(1,1024,2048) copy 4096^2", 0.85, square, "y.narrow(1, 1024, 2048).copy_(x.narrow(1, 1024, 2048))",
         squareShape,
         [](const Tensor& x, const Tensor& y) { copy_(narrow(y, 1, 1024, 2048), narrow(x, 1, 1024, 2048)); });
    view("narrow(1,1024,2048) fill 4096^2", 0.85, square, "x.narrow(1, 1024, 2048).fill_(2.5)", squareShape,
         [](const Tensor& x, const Tensor&) { fill_(narrow(x, 1, 1024, 2048), Scalar(2.5)); });
    view("one column fill 4096", 1.0, square, "x[:, 7].fill_(2.5)", squareShape,
         [](const Tensor& x, const Tensor&) { fill_(select(x, 1, 7), Scalar(2.5)); });
    w.add("expanded row + x, out given", 0.85, "x, y, v = r(4096, 4096), r(4096, 4096), r(4096)",
          "torch.add(x, v.expand(4096, 4096), out=y)", [] {
              const Tensor x = rand({4096, 4096}), y = rand({4096, 4096}), v = rand({4096});
              return [=] { addOut(x, expand(v, {4096, 4096}), y); };
          });
    w.add("expanded column + x, out given", 0.85, "x, y, v = r(4096, 4096), r(4096, 4096), r(4096, 1)",
          "torch.add(x, v.expand(4096, 4096), out=y)", [] {
              const Tensor x = rand({4096, 4096}), y = rand({4096, 4096}), v = rand({4096, 1});
              return [=] { addOut(x, expand(v, {4096, 4096}), y); };
          });
    const char* const parts = "p = [r(4096, 512) for _ in range(8)]; y = r(4096, 4096)";
    const auto eight = [] {
        std::vector<Tensor> list;
        for (int i = 0; i < 8; ++i) list.push_back(rand({4096, 512}));
        return list;
    };
    w.add("cat of 8 along dim 1, out given", 0.85, parts, "torch.cat(p, 1, out=y)", [=] {
        return [p = eight(), y = rand({4096, 4096})] { catOut(p, 1, y); };
    });
    w.add("cat of 8 along dim 1, new", 0.15, parts, "torch.cat(p, 1)",
          [=] { return [p = eight()] { use(cat(p, 1)); }; });
    const char* const rows = "x = r(4096, 4096); i = torch.randint(0, 4096, (4096,)); y = r(4096, 4096)";
    const auto select = [&](const char* name, Index dim, double goal, const char* call) {
        w.add(name, goal, rows, call, [dim] {
            const Tensor x = rand({4096, 4096}), i = integers(4096, {4096}, DType::Int64);
            return [=] { use(indexSelect(x, dim, i)); };
        });
    };
    select("index_select rows 4096^2", 0, 0.85, "torch.index_select(x, 0, i, out=y)");
    select("index_select columns 4096^2", 1, 0.95, "torch.index_select(x, 1, i, out=y)");
    w.add("x[i] random 1e7", 0.3, "x = r(10**7); i = torch.randint(0, 10**7, (10**7,))", "x[i]", [] {
        const Tensor x = rand({10'000'000}), i = integers(10'000'000, {10'000'000}, DType::Int64);
        return [=] { use(index(x, {i})); };
    });
    w.add("gather 1e7", 0, "x = r(10**7); i = torch.randint(0, 10**7, (10**7,))", "x.gather(0, i)", [] {
        const Tensor x = rand({10'000'000}), i = integers(10'000'000, {10'000'000}, DType::Int64);
        return [=] { use(gather(x, 0, i)); };
    });
    w.add("x[mask] 1e7", 0.1, "x = r(10**7); m = r(10**7) > 0.5", "x[m]", [] {
        const Tensor x = rand({10'000'000}), m = gt(rand({10'000'000}), Scalar(0.5));
        return [=] { use(index(x, {m})); };
    });
    w.add("where 1e7", 0.15, "x, y = r(10**7), r(10**7); m = r(10**7) > 0.5", "torch.where(m, x, y)", [] {
        const Tensor x = rand({10'000'000}), y = rand({10'000'000}), m = gt(rand({10'000'000}), Scalar(0.5));
        return [=] { use(where(m, x, y)); };
    });
    w.add("masked_fill_ 1e7", 0, "x = r(10**7); m = r(10**7) > 0.5", "x.masked_fill_(m, 2.0)", [] {
        const Tensor x = rand({10'000'000}), m = gt(rand({10'000'000}), Scalar(0.5));
        return [=] { maskedFill_(x, m, Scalar(2.0)); };
    });
    w.add("nonzero 1e7", 0, "m = r(10**7) > 0.5", "m.nonzero()", [] {
        const Tensor m = gt(rand({10'000'000}), Scalar(0.5));
        return [=] { use(nonzero(m)); };
    });
    view("flip 1e7", 0.8, "x = r(10**7)", "x.flip(0)", {10'000'000},
         [](const Tensor& x, const Tensor&) { use(flip(x, {0})); });
    view("x[::2] copy 1e7", 0.8, "x, y = r(10**7), r(5000000)", "y.copy_(x[::2])", {10'000'000},
         [](const Tensor& x, const Tensor& y) {
             copy_(narrow(y, 0, 0, 5'000'000), slice(x, 0, std::nullopt, std::nullopt, 2));
         });
    w.add("overlapping as_strided copy", 0.8, "x, y = r(3000003), r(3000000, 4)",
          "y.copy_(x.as_strided((3000000, 4), (1, 1)))", [] {
              const Tensor x = rand({3'000'003}), y = rand({3'000'000, 4});
              return [=] { copy_(y, asStrided(x, {3'000'000, 4}, {1, 1})); };
          });
    return w.take();
}

} // namespace stridescope::bench
