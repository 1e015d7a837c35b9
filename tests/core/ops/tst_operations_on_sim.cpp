// Every operation of the table on a simulated device whose memory the host may not read: it gives what the CPU gives,
// there, or it says that it cannot. What says so is counted, so that nothing falls silently back. Once with the CPU's
// kernels, and once with those that are written for GPUs (core/backend/grid), which the CPU runs thread by thread.

#include "core/backend/sim/sim.h"
#include "core/ops/copy.h"
#include "core/ops/operation_table.h"
#include "tests/support/check_refusal.h"
#include "tests/support/host_grid/host_queue.h"
#include "tests/support/operation_samples.h"

#include <QtTest>

#include <set>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr Device kSim{DeviceType::Sim, 0};

/// The same view on a copy of the whole storage.
Tensor moved(const Tensor& t) {
    const std::size_t bytes = t.storage()->bytes();
    StoragePtr storage = Storage::allocate(bytes, allocatorFor(kSim));
    backendFor(kSim).copyFromHost(kSim, storage->data(), t.storage()->data(), bytes, false);
    return Tensor(std::move(storage), t.view(), t.dtype());
}

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

/// Operations that no device has yet.
const std::set<std::string_view> kCannot{
    // clang-format off
    "angle", "polar", "take", "frexp", "median", "nanmedian", "mode", "quantile", "unique", "unique_consecutive", "isin", "histc",
    "histogram", "histogramdd", "lu_unpack", "stft", "istft",
    "linalg.solve", "linalg.solve_ex", "linalg.solve_triangular", "linalg.inv", "linalg.inv_ex", "linalg.lstsq",
    "linalg.qr", "linalg.cholesky", "linalg.cholesky_ex", "linalg.svd", "linalg.svdvals", "linalg.lu_factor",
    "linalg.lu_factor_ex", "linalg.lu", "linalg.lu_solve", "lu_solve", "cholesky_solve", "cholesky_inverse", "linalg.eig",
    "linalg.eigvals", "linalg.eigh", "linalg.eigvalsh", "linalg.det", "linalg.slogdet", "logdet",
    "linalg.matrix_exp", "linalg.matrix_rank", "linalg.pinv", "linalg.matrix_power", "linalg.matrix_norm",
    "linalg.cond", "triangular_solve", "geqrf", "linalg.householder_product", "ormqr",
    "linalg.ldl_factor", "linalg.ldl_factor_ex", "linalg.ldl_solve", "fft.fft", "fft.ifft", "fft.rfft", "fft.irfft", "fft.hfft", "fft.ihfft", "fft.fftn", "fft.ifftn",
    "fft.rfftn", "fft.irfftn", "fft.hfftn", "fft.ihfftn", "fft.hfft2", "fft.ihfft2", "fft.fft2", "fft.ifft2", "fft.rfft2", "fft.irfft2",
    // clang-format on
};

/// Operations that no device has for complex numbers yet.
const std::set<std::string_view> kCannotComplex{
    // clang-format off
    "linalg.vander",
    "add", "sub", "mul", "div", "eq", "ne", "neg", "abs", "exp", "log", "log2", "log10", "sqrt", "rsqrt",
    "reciprocal", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "sigmoid", "sinc", "ldexp", "square", "sgn", "logical_not", "isnan", "isinf", "isfinite", "pow", "float_power",
    "logical_and", "logical_or", "logical_xor", "rsub", "lerp", "addcmul", "addcdiv", "isclose", "norm", "dist",
    "all", "any", "count_nonzero", "diff", "gradient", "trapezoid", "cumulative_trapezoid", "kron", "linalg.vecdot",
    "linalg.norm", "linalg.vector_norm", "renorm",
    // clang-format on
};

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
};

void TestOperationsOnSim::samples_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("grid");
    for (const bool grid : {false, true})
        for (const Operation& op : operations())
            if (op.sample)
                QTest::newRow((std::string(op.name) + (grid ? " (grid)" : "")).c_str())
                    << QString::fromStdString(std::string(op.name)) << grid;
}

void TestOperationsOnSim::samples() {
    QFETCH(QString, name);
    QFETCH(bool, grid);
    switchOn(grid);
    const std::string called = name.toStdString();
    const Operation* op = findOperation(called);
    QVERIFY(op);
    Index done = 0;
    for (const DType dtype : kAllDTypes) {
        for (const std::vector<Tensor>& inputs : operationSamples(op->inputs, dtype)) {
            const std::string where(stridescope::name(dtype));
            std::vector<Tensor> expected, got, there;
            const std::optional<Refusal> onCpu = refusalOf([&] { expected = op->sample(inputs); });
            for (const Tensor& t : inputs) there.push_back(moved(t));
            const std::optional<Refusal> onSim = refusalOf([&] { got = op->sample(there); });
            if (onSim && onSim->id == "DEV-02") {
                const bool known = kCannot.contains(called) || (isComplex(dtype) && kCannotComplex.contains(called));
                QVERIFY2(known, ("cannot: " + onSim->message).c_str());
                continue;
            }
            const std::string words = where + (onSim ? ": " + onSim->message : "");
            QVERIFY2(onSim.has_value() == onCpu.has_value(), words.c_str());
            if (onSim) {
                QCOMPARE(onSim->id, onCpu->id);
                continue;
            }
            ++done;
            QCOMPARE(got.size(), expected.size());
            for (std::size_t i = 0; i < got.size(); ++i) {
                QVERIFY2(got[i].device() == kSim, words.c_str());
                QVERIFY2(got[i].dtype() == expected[i].dtype(), words.c_str());
                QVERIFY2(got[i].stride() == expected[i].stride(), words.c_str());
                QVERIFY2(near(to(got[i], Device{}), expected[i]), words.c_str());
            }
        }
    }
    QVERIFY2((done == 0) == kCannot.contains(called), done ? "it can by now" : "it cannot");
}

QTEST_APPLESS_MAIN(TestOperationsOnSim)
#include "tst_operations_on_sim.moc"
