// Arithmetic and mathematics, element by element, and broadcasts.

#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "tests/benchmarks/workloads/workload.h"

namespace stridescope::bench {

namespace {

constexpr Index kMany = 10'000'000;

} // namespace

std::vector<Workload> elementwiseWorkloads() {
    Workloads w("2b");
    const char* const twoMany = "a, b, c = r(10**7), r(10**7), r(10**7)";
    const char* const wide = "x = r(10**7) * 20 - 10";
    const auto withOut = [&](const char* name, Index n, double goal, const char* setup) -> Workload& {
        return w.add(name, goal, setup, "torch.add(a, b, out=c)", [n] {
            const Tensor a = rand({n}), b = rand({n}), c = rand({n});
            return [=] { addOut(a, b, c); };
        });
    };
    withOut("add 1000, out given", 1000, 0.15, "a, b, c = r(1000), r(1000), r(1000)");
    withOut("add 1e6, out given", 1'000'000, 0.9, "a, b, c = r(10**6), r(10**6), r(10**6)");
    withOut("add 1e7, out given", kMany, 0.8, twoMany).against("memcpy of 60 MB", 1.15, [] {
        return memcpyOf(60'000'000);
    });
    const auto two = [&](const char* name, double goal, const char* setup, const char* call, DType first, DType second,
                         auto operation) -> Workload& {
        return w.add(name, goal, setup, call, [=] {
            const auto make = [](DType t) {
                return isFloating(t) ? rand({kMany}, {t, Device{}}) : integers(100, {kMany}, t);
            };
            const Tensor a = make(first), b = make(second);
            return [=] { use(operation(a, b)); };
        });
    };
    const auto sum = [](const Tensor& a, const Tensor& b) { return add(a, b); };
    constexpr DType kFloat = DType::Float32;
    two("add 1e7, new", 0.25, twoMany, "a + b", kFloat, kFloat, sum).against("memcpy of 60 MB", 1.15, [] {
        return memcpyOf(60'000'000);
    });
    two("mul 1e7, new", 0.25, twoMany, "a * b", kFloat, kFloat,
        [](const Tensor& a, const Tensor& b) { return mul(a, b); });
    two("a * b + a 1e7, new", 0.25, twoMany, "a * b + a", kFloat, kFloat,
        [](const Tensor& a, const Tensor& b) { return add(mul(a, b), a); });
    two("uint8 add 1e7", 0.15, "a = torch.randint(0, 100, (10**7,), dtype=torch.uint8); b = a.clone()", "a + b",
        DType::UInt8, DType::UInt8, sum);
    two("a > b 1e7", 0.6, twoMany, "a > b", kFloat, kFloat, [](const Tensor& a, const Tensor& b) { return gt(a, b); });
    two("float32 + int64 1e7", 0.25, "a = r(10**7); b = torch.randint(0, 100, (10**7,))", "a + b", kFloat, DType::Int64,
        sum);
    two("float64 add 1e7", 0.85, "a, b = r(10**7).double(), r(10**7).double()", "a + b", DType::Float64, DType::Float64,
        sum);
    two("int64 add 1e7", 0.85, "a = torch.randint(0, 100, (10**7,)); b = a.clone()", "a + b", DType::Int64,
        DType::Int64, sum);
    w.add("zeros 1e7", 0.1, "", "torch.zeros(10**7)", [] { return [] { use(zeros({kMany})); }; });
    w.add("clone 1e7", 0.15, "a = r(10**7)", "a.clone()", [] { return [a = rand({kMany})] { use(clone(a)); }; });
    w.add("copy_ 1e7", 0.8, twoMany, "c.copy_(a)",
          [] { return [a = rand({kMany}), c = rand({kMany})] { copy_(c, a); }; });
    w.add("fill_ 1e7", 0.95, twoMany, "c.fill_(1.5)", [] { return [c = rand({kMany})] { fill_(c, Scalar(1.5)); }; });

    const auto function = [&](const char* name, double goal, const char* setup, const char* call, Index n,
                              bool positive, DType dtype, auto operation) {
        w.add(name, goal, setup, call, [=] {
            Tensor x = rand({n}, {dtype, Device{}});
            if (!positive) x = sub(mul(x, Scalar(20)), Scalar(10));
            return [=] { use(operation(x)); };
        });
    };
    const auto expOf = [](const Tensor& x) { return exp(x); };
    const auto logOf = [](const Tensor& x) { return log(x); };
    const auto sinOf = [](const Tensor& x) { return sin(x); };
    const auto cosOf = [](const Tensor& x) { return cos(x); };
    const auto tanhOf = [](const Tensor& x) { return tanh(x); };
    const auto sigmoidOf = [](const Tensor& x) { return sigmoid(x); };
    function("exp 1e6", 0.6, "x = r(10**6) * 20 - 10", "x.exp()", 1'000'000, false, kFloat, expOf);
    function("exp 1e7", 0.6, wide, "x.exp()", kMany, false, kFloat, expOf);
    function("sigmoid 1e7", 0.6, wide, "x.sigmoid()", kMany, false, kFloat, sigmoidOf);
    function("tanh 1e7", 0.2, wide, "x.tanh()", kMany, false, kFloat, tanhOf);
    function("cos 1e7", 0.3, wide, "x.cos()", kMany, false, kFloat, cosOf);
    function("sin 1e7", 0.3, wide, "x.sin()", kMany, false, kFloat, sinOf);
    function("log 1e7", 0.3, "x = r(10**7)", "x.log()", kMany, true, kFloat, logOf);
    function("sqrt 1e7", 0, "x = r(10**7)", "x.sqrt()", kMany, true, kFloat, [](const Tensor& x) { return sqrt(x); });
    const char* const wideDouble = "x = r(10**7).double() * 20 - 10";
    function("exp 1e7, float64", 0, wideDouble, "x.exp()", kMany, false, DType::Float64, expOf);
    function("log 1e7, float64", 0, "x = r(10**7).double()", "x.log()", kMany, true, DType::Float64, logOf);
    function("sin 1e7, float64", 0, wideDouble, "x.sin()", kMany, false, DType::Float64, sinOf);
    function("cos 1e7, float64", 0, wideDouble, "x.cos()", kMany, false, DType::Float64, cosOf);
    function("tanh 1e7, float64", 0, wideDouble, "x.tanh()", kMany, false, DType::Float64, tanhOf);
    function("clamp 1e7", 0, wide, "x.clamp(-1, 1)", kMany, false, kFloat,
             [](const Tensor& x) { return clamp(x, MathInput(-1), MathInput(1)); });
    function("pow(x, 2.5) 1e7", 0, "x = r(10**7)", "x ** 2.5", kMany, true, kFloat,
             [](const Tensor& x) { return pow(x, 2.5); });

    const auto broadcast = [&](const char* name, double goal, const char* setup, const char* call, const Dims& first,
                               const Dims& second, auto operation) -> Workload& {
        return w.add(name, goal, setup, call, [=] {
            const Tensor a = rand(first), b = rand(second);
            return [=] { use(operation(a, b)); };
        });
    };
    const auto product = [](const Tensor& a, const Tensor& b) { return mul(a, b); };
    broadcast("(200,1,500) x (1,100,500)", 1.0, "a, b = r(200, 1, 500), r(1, 100, 500)", "a * b", {200, 1, 500},
              {1, 100, 500}, product);
    broadcast("(2000,1,5) x (1,1000,5)", 0.35, "a, b = r(2000, 1, 5), r(1, 1000, 5)", "a * b", {2000, 1, 5},
              {1, 1000, 5}, product);
    broadcast("(3,1,5) x (1,4,5)", 0.25, "a, b = r(3, 1, 5), r(1, 4, 5)", "a * b", {3, 1, 5}, {1, 4, 5}, product)
        .within(120);
    broadcast("row + vector 3162^2", 0.95, "a, b = r(3162, 3162), r(3162)", "a + b", {3162, 3162}, {3162}, sum);
    broadcast("column + vector 3162^2", 0.95, "a, b = r(3162, 3162), r(3162, 1)", "a + b", {3162, 3162}, {3162, 1},
              sum);
    broadcast("outer product 3162^2", 0.95, "a, b = r(3162, 1), r(3162)", "a * b", {3162, 1}, {3162}, product);
    w.add("(x - m) / s on (10000,3,32,32)", 0.2, "x, m, s = r(10000, 3, 32, 32), r(3, 1, 1), r(3, 1, 1) + 1",
          "(x - m) / s", [] {
              const Tensor x = rand({10'000, 3, 32, 32}), m = rand({3, 1, 1}), s = add(rand({3, 1, 1}), Scalar(1));
              return [=] { use(div(sub(x, m), s)); };
          });
    return w.take();
}

} // namespace stridescope::bench
