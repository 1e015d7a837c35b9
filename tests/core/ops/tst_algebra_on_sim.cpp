// Linear algebra and Fourier transforms on a simulated device whose memory the host may not read, in more shapes than
// the operation table has: as on the CPU. Once with the CPU's routines, and once with what is made of a library's
// routines for GPUs (core/backend/grid/linalg.h, fourier.h), LAPACK and kissfft standing in for the libraries.

#include "core/backend/sim/sim.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/fft.h"
#include "core/ops/linalg.h"
#include "core/ops/matmul.h"
#include "core/ops/norms.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/stft.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/warning.h"
#include "tests/support/check_refusal.h"
#include "tests/support/host_grid/host_queue.h"
#include "tests/support/operation_samples.h"
#include "tests/support/view_zoo.h"

#include <QtTest>

#include <cmath>
#include <functional>

using namespace stridescope;
using namespace stridescope::test;

namespace {

const Device kSim{DeviceType::Sim, 0};
using Out = std::vector<Tensor>;

/// Numbers between -1 and 1 that look like noise.
Tensor noise(const Dims& shape, DType dtype, double seed) {
    const DType part = realPartDType(dtype);
    Dims whole = shape;
    if (isComplex(dtype)) whole.push_back(2);
    const Tensor wide = zeros(whole, {DType::Float64, Device{}});
    for (Index i = 0; i < wide.numel(); ++i) {
        const double turns = std::sin(12.9898 * static_cast<double>(i) + 78.233 * seed) * 43758.5453;
        wide.data<double>()[i] = 2 * (turns - std::floor(turns)) - 1;
    }
    const Tensor t = to(wide, part);
    return isComplex(dtype) ? viewAsComplex(t) : t;
}

Tensor adjoint(const Tensor& t) {
    return conj(transpose(t, -1, -2));
}

/// Symmetric or Hermitian, all eigenvalues above 0.
Tensor positive(Index n, DType dtype) {
    const Tensor a = noise({2, n, n}, dtype, 3);
    Tensor p = matmul(a, adjoint(a));
    return add(p, to(eye(n), dtype));
}

struct Case {
    std::string name;
    std::vector<Tensor> inputs;
    std::function<Out(const std::vector<Tensor>&)> run;
};

std::string difference(const Out& got, const Out& expected) {
    if (got.size() != expected.size()) return "another number of results";
    for (std::size_t i = 0; i < got.size(); ++i) {
        const std::string which = "result " + std::to_string(i);
        if (got[i].device() != kSim) return which + " is on " + toString(got[i].device());
        if (got[i].stride() != expected[i].stride()) return which + " lies otherwise";
        if (!near(to(got[i], Device{}), expected[i])) return which + " has other elements";
    }
    return {};
}

std::vector<Case> algebraCases(DType dtype) {
    std::vector<Case> cases;
    const auto add = [&](std::string name, std::vector<Tensor> inputs, auto run) {
        cases.push_back({std::move(name), std::move(inputs), run});
    };
    const auto pairOf = [](const auto& both) { return Out{both.first, both.second}; };
    for (const Dims& shape : {Dims{4, 4}, Dims{3, 5, 5}, Dims{70, 70}, Dims{0, 3, 3}, Dims{2, 0, 0}}) {
        const Index n = shape.back();
        const Tensor a = noise(shape, dtype, 1), turned = transpose(a, -1, -2);
        Dims sides = shape;
        sides.back() = 2;
        const Tensor b = noise(sides, dtype, 2);
        const std::string size = std::to_string(n) + " of " + std::to_string(shape.size() == 3 ? shape[0] : 1);
        add("solve " + size, {a, b}, [](const auto& in) { return Out{solve(in[0], in[1])}; });
        add("solve turned " + size, {turned, b}, [](const auto& in) { return Out{solve(in[0], in[1])}; });
        add("solve from the right " + size, {a, transpose(b, -1, -2)},
            [](const auto& in) { return Out{solve(in[0], in[1], false)}; });
        add("inv " + size, {a}, [](const auto& in) { return Out{inv(in[0])}; });
        add("inv_ex " + size, {a}, [](const auto& in) {
            const ResultAndInfo both = invEx(in[0]);
            return Out{both.result, both.info};
        });
        add("det " + size, {a}, [](const auto& in) {
            const SignLogDet log = slogdet(in[0]);
            return Out{det(in[0]), log.sign, log.logabsdet};
        });
        add("lu " + size, {a, b}, [](const auto& in) {
            const LuFactorInfo f = luFactorEx(in[0]);
            const LuParts parts = luUnpack(f.lu, f.pivots);
            return Out{f.lu,
                       f.pivots,
                       f.info,
                       parts.p,
                       parts.l,
                       parts.u,
                       luSolve(f.lu, f.pivots, in[1]),
                       luSolve(f.lu, f.pivots, in[1], true, true)};
        });
        add("eigenvalues " + size, {a}, [](const auto& in) { return Out{eigvals(in[0])}; });
        if (n > 0 && n < 70)
            add("eigenvectors " + size, {a}, [](const auto& in) {
                const Eigen e = eig(in[0]);
                return Out{e.values, e.vectors};
            });
        add("triangles " + size, {a, b}, [](const auto& in) {
            return Out{solveTriangular(in[0], in[1], true, true, true),
                       solveTriangular(in[0], in[1], false, true, true)};
        });
    }
    for (const Index n : {Index{5}, Index{66}}) {
        const Tensor p = positive(n, dtype), b = noise({2, n, 3}, dtype, 4);
        const std::string size = std::to_string(n);
        add("cholesky " + size, {p, b}, [](const auto& in) {
            const Tensor l = cholesky(in[0]);
            return Out{l, cholesky(in[0], true), choleskySolve(in[1], l), choleskyInverse(l)};
        });
        add("eigh " + size, {p}, [](const auto& in) {
            const Eigen e = eigh(in[0]), upper = eigh(in[0], "U");
            return Out{e.values, e.vectors, upper.values, eigvalsh(in[0])};
        });
        for (const bool hermitian : {false, true})
            add("ldl " + size, {p, b}, [hermitian](const auto& in) {
                const LdlFactorInfo f = ldlFactorEx(in[0], hermitian);
                return Out{f.ld, f.pivots, f.info, ldlSolve(f.ld, f.pivots, in[1], hermitian)};
            });
    }
    for (const Dims& shape : {Dims{6, 4}, Dims{4, 6}, Dims{2, 5, 3}, Dims{2, 3, 5}, Dims{90, 4}, Dims{4, 90}}) {
        const Tensor a = noise(shape, dtype, 5);
        Dims sides = shape;
        sides.back() = 2;
        const Tensor b = noise(sides, dtype, 6);
        const std::string size = std::to_string(shape[shape.size() - 2]) + " x " + std::to_string(shape.back());
        for (const bool full : {false, true})
            add("svd " + size, {a}, [full](const auto& in) {
                // Signs and phases of singular vectors are whatever the way leads to: their product is not.
                const Svd parts = svd(in[0], full);
                const Index least = parts.s.size(-1);
                const Tensor scaled = mul(narrow(parts.u, -1, 0, least), unsqueeze(parts.s, -2));
                return Out{matmul(scaled, narrow(parts.vh, -2, 0, least)), matmul(adjoint(parts.u), parts.u),
                           matmul(parts.vh, adjoint(parts.vh)), parts.s, svdvals(in[0])};
            });
        for (const char* mode : {"reduced", "complete", "r"})
            add("qr " + size, {a}, [mode](const auto& in) {
                const Qr parts = qr(in[0], mode);
                return Out{parts.q, parts.r};
            });
        add("reflectors " + size, {a, b}, [](const auto& in) {
            const Reflectors f = geqrf(in[0]);
            return Out{f.a, f.tau, ormqr(f.a, f.tau, in[1], true, true)};
        });
        for (const char* driver : {"gels", "gelsy", "gelsd"})
            add(std::string(driver) + " " + size, {a, b}, [driver](const auto& in) {
                const LeastSquares found = lstsq(in[0], in[1], std::nullopt, driver);
                return Out{found.solution, found.residuals, found.rank, found.singularValues};
            });
        if (shape.size() == 2)
            add("gels, older " + size, {b, a}, [=](const auto& in) { return pairOf(gels(in[0], in[1])); });
        add("pinv " + size, {a}, [](const auto& in) { return Out{pinv(in[0]), matrixRank(in[0])}; });
    }
    return cases;
}

std::vector<Case> fourierCases(DType dtype) {
    std::vector<Case> cases;
    for (const Index n : {Index{1}, Index{2}, Index{3}, Index{8}, Index{60}, Index{106}})
        for (const char* norm : {"backward", "ortho", "forward"}) {
            const Tensor t = noise({2, n, 3}, dtype, 7);
            const std::string size = std::to_string(n) + " " + norm;
            cases.push_back({"complex " + size, {t}, [norm](const auto& in) {
                                 return Out{fft::fft(in[0], {}, 1, norm), fft::ifft(in[0], {}, 1, norm)};
                             }});
            cases.push_back({"from half " + size, {t}, [norm, n](const auto& in) {
                                 return Out{fft::irfft(in[0], 2 * n, 1, norm), fft::hfft(in[0], 2 * n - 1, 1, norm)};
                             }});
            if (isComplex(dtype)) continue;
            cases.push_back({"to half " + size, {t}, [norm](const auto& in) {
                                 return Out{fft::rfft(in[0], {}, 1, norm), fft::ihfft(in[0], {}, 1, norm)};
                             }});
        }
    const Tensor t = noise({4, 6, 5}, dtype, 8);
    cases.push_back({"many", {t}, [](const auto& in) {
                         return Out{fft::fftn(in[0], {}, {}, "ortho"), fft::irfftn(in[0], {}, {}, "backward")};
                     }});
    cases.push_back(
        {"none", {noise({0, 4}, dtype, 8)}, [](const auto& in) { return Out{fft::fft(in[0], {}, 1, "ortho")}; }});
    if (!isComplex(dtype))
        cases.push_back({"stft", {noise({2, 64}, dtype, 9)}, [](const auto& in) {
                             StftOptions options;
                             options.complex = true;
                             const Tensor spectra = stft(in[0], 16, options);
                             options.complex = false;
                             return Out{spectra, istft(spectra, 16, options)};
                         }});
    return cases;
}

} // namespace

class TestAlgebraOnSim : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        disableSim();
        QCOMPARE(HostGrid::overruns.load(), 0);
        QCOMPARE(HostGrid::alive.load(), 0);
    }
    void asOnCpu_data();
    void asOnCpu();
    void toTheLastDigit();
    void refusals();
    void conditionIsTold();

private:
    static void switchOn(bool grid) {
        SimOptions options;
        options.guard = true;
        options.memoryBytes = std::size_t{16} << 20;
        options.kernels = grid ? &hostGridKernels() : nullptr;
        enableSim(options);
    }
};

void TestAlgebraOnSim::asOnCpu_data() {
    QTest::addColumn<bool>("grid");
    QTest::addColumn<int>("type");
    for (const bool grid : {false, true})
        for (const DType dtype : {DType::Float32, DType::Float64, DType::Complex64, DType::Complex128})
            QTest::newRow((std::string(name(dtype)) + (grid ? " (grid)" : "")).c_str())
                << grid << static_cast<int>(dtype);
}

void TestAlgebraOnSim::asOnCpu() {
    QFETCH(bool, grid);
    QFETCH(int, type);
    switchOn(grid);
    const auto dtype = static_cast<DType>(type);
    std::vector<Case> cases = algebraCases(dtype);
    for (Case& c : fourierCases(dtype)) cases.push_back(std::move(c));
    for (const Case& c : cases) {
        std::vector<Tensor> there;
        for (const Tensor& t : c.inputs) there.push_back(to(t, kSim));
        std::vector<Tensor> here;
        for (const Tensor& t : there) here.push_back(to(t, Device{})); // of the same strides
        std::string words;
        try {
            words = difference(c.run(there), c.run(here));
        } catch (const Error& error) {
            words = error.refusal().message;
        }
        QVERIFY2(words.empty(), (c.name + ": " + words).c_str());
    }
}

/// Small systems print as on the CPU, and so do lines through points.
void TestAlgebraOnSim::toTheLastDigit() {
    for (const bool grid : {false, true}) {
        switchOn(grid);
        const TensorOptions options{DType::Float32, Device{}};
        const Tensor a = to(tensorFrom({{2.0, 1.0, -1.0}, {-3.0, -1.0, 2.0}, {-2.0, 1.0, 2.0}}, options), kSim);
        const Tensor b = to(tensorFrom({8.0, -11.0, -3.0}, options), kSim);
        QCOMPARE(elementsOf(to(solve(a, b), Device{})), (std::vector<Scalar>{2.0, 3.0, -1.0}));
        const Tensor points = to(tensorFrom({{1.0, 1.0}, {2.0, 1.0}, {3.0, 1.0}}, options), kSim);
        const Tensor onLine = to(tensorFrom({{1.0, 2.0}, {2.0, 0.0}, {3.0, 4.0}}, options), kSim);
        for (const char* driver : {"gels", "gelsy", "gelsd"}) {
            const LeastSquares found = lstsq(points, onLine, std::nullopt, driver);
            QCOMPARE(elementsOf(to(found.solution, Device{})), (std::vector<Scalar>{1.0, 1.0, 0.0, 0.0}));
        }
    }
}

void TestAlgebraOnSim::refusals() {
    for (const bool grid : {false, true}) {
        switchOn(grid);
        const Tensor singular = tensorFrom({{1.0, 2.0}, {2.0, 4.0}}), side = tensorFrom({1.0, 2.0});
        const auto same = [&](auto run) {
            const std::optional<Refusal> here = refusalOf([&] { run(singular); });
            const std::optional<Refusal> there = refusalOf([&] { run(to(singular, kSim)); });
            QVERIFY(here.has_value() && there.has_value());
            QCOMPARE(QString::fromStdString(there->message), QString::fromStdString(here->message));
            QCOMPARE(there->id, here->id);
        };
        same([](const Tensor& t) { (void)inv(t); });
        same([](const Tensor& t) { (void)cholesky(neg(t)); });
        same([](const Tensor& t) { (void)luFactor(t); });
        same([](const Tensor& t) { (void)eig(div(t, 0.0)); });
        same([](const Tensor& t) { (void)svd(div(t, 0.0)); });
        // After a refusal the device goes on.
        QCOMPARE(item(det(to(eye(3), kSim))).toDouble(), 1.0);
        // A side, exchanges or reflectors of another device.
        const Tensor there = to(singular, kSim);
        const auto mixed = [&](auto run) { QCOMPARE(refusalOf(run).value_or(Refusal{}).id, std::string("DEV-03")); };
        mixed([&] { (void)solve(there, side); });
        mixed([&] { (void)solve(singular, to(side, kSim)); });
        mixed([&] { (void)lstsq(there, singular); });
        mixed([&] { (void)solveTriangular(there, singular, true); });
        mixed([&] { (void)ormqr(there, side, there); });
        const LuFactorInfo factors = luFactorEx(there);
        mixed([&] { (void)luSolve(factors.lu, to(factors.pivots, Device{}), there); });
        mixed([&] { (void)luUnpack(factors.lu, to(factors.pivots, Device{})); });
        // Exchanges that lead out of the matrix.
        const Tensor wrong = to(tensorFrom({1, 7}, {DType::Int32, Device{}}), kSim);
        QCOMPARE(refusalOf([&] { (void)luSolve(factors.lu, wrong, there); }).value_or(Refusal{}).id,
                 std::string("LINALG-11"));
    }
}

void TestAlgebraOnSim::conditionIsTold() {
    for (const bool grid : {false, true}) {
        switchOn(grid);
        std::vector<std::string> warnings;
        const WarningSubscription listening([&](const std::string& message) { warnings.push_back(message); });
        const Tensor nearly = tensorFrom({{1.0, 1.0}, {1.0, 1.0 + 1e-16 + 4e-16}}, {DType::Float64, Device{}});
        (void)inv(nearly);
        (void)inv(to(nearly, kSim));
        QCOMPARE(warnings.size(), std::size_t{2});
        QCOMPARE(warnings[0].substr(0, 60), warnings[1].substr(0, 60));
    }
}

QTEST_APPLESS_MAIN(TestAlgebraOnSim)
#include "tst_algebra_on_sim.moc"
