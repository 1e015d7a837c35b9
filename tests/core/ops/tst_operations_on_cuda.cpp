// Every operation of the table on the first GPU: it gives what the CPU gives, there, or it says that it cannot (see
// operations_on_device.h). Without a GPU nothing can be said; STRIDESCOPE_REQUIRE_CUDA=1 makes that a failure.

#include "core/backend/backend.h"
#include "tests/support/operations_on_device.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

class TestOperationsOnCuda : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (cudaBackend()) return;
        const QByteArray why = QByteArray::fromStdString(cudaUnavailableReason());
        if (qEnvironmentVariableIntValue("STRIDESCOPE_REQUIRE_CUDA")) QFAIL(why);
        QSKIP(why);
    }
    void samples_data();
    void samples();
    void memoryIsGivenBack();
};

void TestOperationsOnCuda::samples_data() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : operationsWithSamples()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestOperationsOnCuda::samples() {
    QFETCH(QString, name);
    const std::string words = compareOnDevice(name.toStdString(), {DeviceType::Cuda, 0});
    QVERIFY2(words.empty(), words.c_str());
}

/// Of all the operations nothing stays behind, room that kernels took for themselves included.
void TestOperationsOnCuda::memoryIsGivenBack() {
    QCOMPARE(cudaBackend()->memory({DeviceType::Cuda, 0}).allocated, std::size_t{0});
}

QTEST_APPLESS_MAIN(TestOperationsOnCuda)
#include "tst_operations_on_cuda.moc"
