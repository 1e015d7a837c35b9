// Every operation of the table on a simulated device whose memory the host may not read: it gives what the CPU gives,
// there, or it says that it cannot (see operations_on_device.h). Once with the CPU's kernels, and once with those that
// are written for GPUs (core/backend/grid), which the CPU runs thread by thread.

#include "core/backend/sim/sim.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "tests/support/host_grid/host_queue.h"
#include "tests/support/operations_on_device.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// The device with the one or the other kernels, if it has not got them yet.
void switchOn(bool grid) {
    static std::optional<bool> now;
    if (now == grid) return;
    now = grid;
    SimOptions options;
    options.guard = true;
    options.memoryBytes = std::size_t{8} << 20;
    options.kernels = grid ? &hostGridKernels() : nullptr;
    enableSim(options);
}

} // namespace

class TestOperationsOnSim : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanupTestCase() {
        disableSim();
        QCOMPARE(HostGrid::overruns.load(), 0);
        QCOMPARE(HostGrid::alive.load(), 0);
        QVERIFY(HostGrid::launches.load() > 0);
    }
    void samples_data();
    void samples();
    void complexFunctions();
};

void TestOperationsOnSim::samples_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("grid");
    for (const bool grid : {false, true})
        for (const std::string& name : operationsWithSamples())
            QTest::newRow((name + (grid ? " (grid)" : "")).c_str()) << QString::fromStdString(name) << grid;
}

void TestOperationsOnSim::samples() {
    QFETCH(QString, name);
    QFETCH(bool, grid);
    switchOn(grid);
    const std::string words = compareOnDevice(name.toStdString(), {DeviceType::Sim, 0});
    QVERIFY2(words.empty(), words.c_str());
}

/// Functions of complex numbers, which devices put together from real ones: as the C++ library has them, on the axes
/// and on both sides of every cut, too.
void TestOperationsOnSim::complexFunctions() {
    switchOn(false);
    const double line[] = {-300, -3, -1.5, -1, -0.3, -1e-8, -0.0, 0.0, 1e-8, 0.25, 1, 2, 40};
    constexpr Index n = std::size(line);
    const Tensor z = empty({n, n}, {DType::Complex128, Device{}});
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) z.data<Complex<double>>()[i * n + j] = {line[i], line[j]};
    const Tensor there = to(z, Device{DeviceType::Sim, 0});
    using Number = std::complex<double>;
    const auto check = [&](const char* what, auto function, auto expected, double tolerance = 4e-15) {
        const Tensor got = to(function(there), Device{});
        for (Index i = 0; i < n * n; ++i) {
            const Number at(line[i / n], line[i % n]), right = expected(at);
            const Complex<double> value = got.data<Complex<double>>()[i];
            if (!std::isfinite(right.real()) || !std::isfinite(right.imag())) continue;
            const double off = std::abs(Number(value.re, value.im) - right);
            QVERIFY2(off <= tolerance * std::max(1.0, std::abs(right)),
                     qPrintable(QStringLiteral("%1 of %2 %3: %4 %5, wanted %6 %7")
                                    .arg(QLatin1String(what))
                                    .arg(at.real())
                                    .arg(at.imag())
                                    .arg(value.re)
                                    .arg(value.im)
                                    .arg(right.real())
                                    .arg(right.imag())));
        }
    };
    check(
        "exp", [](const Tensor& t) { return exp(t); }, [](Number x) { return std::exp(x); });
    check(
        "log", [](const Tensor& t) { return log(t); }, [](Number x) { return std::log(x); });
    check(
        "log2", [](const Tensor& t) { return log2(t); }, [](Number x) { return std::log(x) / std::log(2.0); });
    check(
        "log10", [](const Tensor& t) { return log10(t); }, [](Number x) { return std::log10(x); });
    check(
        "sqrt", [](const Tensor& t) { return sqrt(t); }, [](Number x) { return std::sqrt(x); });
    check(
        "rsqrt", [](const Tensor& t) { return rsqrt(t); }, [](Number x) { return 1.0 / std::sqrt(x); });
    check(
        "reciprocal", [](const Tensor& t) { return reciprocal(t); }, [](Number x) { return 1.0 / x; });
    check(
        "square", [](const Tensor& t) { return square(t); }, [](Number x) { return x * x; });
    check(
        "sin", [](const Tensor& t) { return sin(t); }, [](Number x) { return std::sin(x); });
    check(
        "cos", [](const Tensor& t) { return cos(t); }, [](Number x) { return std::cos(x); });
    check(
        "tan", [](const Tensor& t) { return tan(t); }, [](Number x) { return std::tan(x); }, 1e-13);
    check(
        "asin", [](const Tensor& t) { return asin(t); }, [](Number x) { return std::asin(x); });
    check(
        "acos", [](const Tensor& t) { return acos(t); }, [](Number x) { return std::acos(x); });
    check(
        "atan", [](const Tensor& t) { return atan(t); }, [](Number x) { return std::atan(x); });
    check(
        "sinh", [](const Tensor& t) { return sinh(t); }, [](Number x) { return std::sinh(x); });
    check(
        "cosh", [](const Tensor& t) { return cosh(t); }, [](Number x) { return std::cosh(x); });
    check(
        "tanh", [](const Tensor& t) { return tanh(t); }, [](Number x) { return std::tanh(x); }, 1e-13);
    check(
        "asinh", [](const Tensor& t) { return asinh(t); }, [](Number x) { return std::asinh(x); });
    check(
        "acosh", [](const Tensor& t) { return acosh(t); }, [](Number x) { return std::acosh(x); });
    check(
        "atanh", [](const Tensor& t) { return atanh(t); }, [](Number x) { return std::atanh(x); });
    check(
        "pow", [](const Tensor& t) { return pow(t, t); }, [](Number x) { return std::pow(x, x); }, 1e-12);
}

QTEST_APPLESS_MAIN(TestOperationsOnSim)
#include "tst_operations_on_sim.moc"
