// Every operation of the table on a simulated device whose memory the host may not read: it gives what the CPU gives,
// there, or it says that it cannot (see operations_on_device.h). Once with the CPU's kernels, and once with those that
// are written for GPUs (core/backend/grid), which the CPU runs thread by thread.

#include "core/backend/sim/sim.h"
#include "tests/support/host_grid/host_queue.h"
#include "tests/support/operations_on_device.h"

#include <QtTest>

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

QTEST_APPLESS_MAIN(TestOperationsOnSim)
#include "tst_operations_on_sim.moc"
