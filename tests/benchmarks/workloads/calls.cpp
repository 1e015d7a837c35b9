// What one call costs when there is next to nothing to compute.

#include "core/ops/extrema.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/reductions.h"
#include "core/ops/subscript.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/benchmarks/workloads/workload.h"

namespace stridescope::bench {

std::vector<Workload> callWorkloads() {
    Workloads w("2e");
    // Goals are nanoseconds, set where PyTorch took `then`: their ratio holds on any machine.
    const auto call = [&](const char* name, double nanoseconds, double then, const char* setup, const char* python,
                          const Dims& shape, auto operation) {
        w.add(name, nanoseconds / then, setup, python, [=] {
             const Tensor x = rand(shape);
             return [=] { operation(x); };
         }).within(nanoseconds);
    };
    const char *const cube = "x = r(4, 5, 6)", *const square = "x = r(4, 6)", *const ten = "x = r(10)";
    const Dims c{4, 5, 6}, s{4, 6}, v{10};
    call("narrow", 25, 898, cube, "x.narrow(1, 1, 2)", c, [](const Tensor& x) { keep(narrow(x, 1, 1, 2)); });
    call("transpose", 25, 610, cube, "x.transpose(0, 2)", c, [](const Tensor& x) { keep(transpose(x, 0, 2)); });
    call("two transposes", 45, 1230, cube, "x.transpose(0, 2).transpose(1, 2)", c,
         [](const Tensor& x) { keep(transpose(transpose(x, 0, 2), 1, 2)); });
    call("t", 30, 535, square, "x.t()", s, [](const Tensor& x) { keep(t(x)); });
    call("permute", 30, 859, cube, "x.permute(2, 0, 1)", c, [](const Tensor& x) { keep(permute(x, {2, 0, 1})); });
    call("view", 30, 724, cube, "x.view(20, 6)", c, [](const Tensor& x) { keep(view(x, {20, 6})); });
    call("expand", 30, 821, "x = r(1, 6)", "x.expand(4, 6)", {1, 6}, [](const Tensor& x) { keep(expand(x, {4, 6})); });
    call("x[1]", 25, 503, cube, "x[1]", c, [](const Tensor& x) { keep(select(x, 0, 1)); });
    call("x[1, 2, 3]", 0, 1300, cube, "x[1, 2, 3]", c, [](const Tensor& x) { keep(index(x, {1, 2, 3})); });
    call("item()", 20, 1540, "x = r(1)", "x.item()", {1}, [](const Tensor& x) { keep(item(x)); });
    call("x[1, 2, 3] = v", 20, 1940, cube, "x[1, 2, 3] = 0.5", c, [](const Tensor& x) {
        constexpr Index kAt[] = {1, 2, 3};
        writeElement(x, kAt, Scalar(0.5));
    });
    w.add("add 10, new", 60.0 / 807, "a, b, c = r(10), r(10), r(10)", "a + b", [] {
         return [a = rand({10}), b = rand({10})] { use(add(a, b)); };
     }).within(60);
    w.add("add 10, out given", 60.0 / 609, "a, b, c = r(10), r(10), r(10)", "torch.add(a, b, out=c)", [] {
         return [a = rand({10}), b = rand({10}), c = rand({10})] { addOut(a, b, c); };
     }).within(60);
    w.add("add_ 10", 60.0 / 467, "a, b, c = r(10), r(10), r(10)", "a.add_(b)", [] {
         return [a = rand({10}), b = zeros({10})] { add_(a, b); };
     }).within(60);
    call("mul 10 by a number", 60, 2030, ten, "x * 1.5", v, [](const Tensor& x) { use(mul(x, Scalar(1.5))); });
    call("empty 10", 30, 721, ten, "torch.empty(10)", v, [](const Tensor&) { keep(empty({10})); });
    call("zeros 10", 30, 820, ten, "torch.zeros(10)", v, [](const Tensor&) { use(zeros({10})); });
    call("sum 10", 60, 1030, ten, "x.sum()", v, [](const Tensor& x) { use(sum(x)); });
    call("exp 10", 60, 697, ten, "x.exp()", v, [](const Tensor& x) { use(exp(x)); });
    call("argmax 10", 60, 1280, ten, "x.argmax()", v, [](const Tensor& x) { use(argmax(x)); });
    call("fill_ through a narrow view", 80, 1620, square, "x.narrow(1, 1, 2).fill_(3)", s,
         [](const Tensor& x) { fill_(narrow(x, 1, 1, 2), Scalar(3)); });
    return w.take();
}

} // namespace stridescope::bench
