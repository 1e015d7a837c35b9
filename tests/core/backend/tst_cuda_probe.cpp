// What the program says of CUDA: each missing thing has its own words.

#include "core/backend/backend.h"
#include "core/backend/cuda/cuda_backend.h"
#include "core/backend/cuda/probe.h"
#include "tests/support/test_paths.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace stridescope;

class TestCudaProbe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup();
    void everyFailureHasItsWords_data();
    void everyFailureHasItsWords();
    void missingDriverIsToldFirst();
    void missingModuleIsTold();
    void versionsAreWorded();
    void deviceErrorsCarryNumbers();
    void absentDevicesAreRefusedWithTheReason();
};

namespace {
const char* const kVariables[] = {"STUB_CUDA_INIT",  "STUB_CUDA_VERSION",    "STUB_CUDA_VERSION_CODE",
                                  "STUB_CUDA_COUNT", "STUB_CUDA_COUNT_CODE", "CUDA_VISIBLE_DEVICES"};
const std::string kStub = test::buildPath("lib/libcuda_stub.so");
} // namespace

void TestCudaProbe::cleanup() {
    for (const char* name : kVariables) qunsetenv(name);
}

void TestCudaProbe::everyFailureHasItsWords_data() {
    QTest::addColumn<QString>("environment");
    QTest::addColumn<int>("state");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* title, const char* environment, CudaState state, const char* words) {
        QTest::newRow(title) << QString::fromLatin1(environment) << int(state) << QString::fromLatin1(words);
    };
    row("too old", "STUB_CUDA_VERSION=11000", CudaState::DriverTooOld, "too old: it serves CUDA 11.0, needs 13.0");
    row("no device", "STUB_CUDA_INIT=100", CudaState::NoDevice, "finds no device");
    row("count 0", "STUB_CUDA_COUNT=0", CudaState::NoDevice, "finds no device");
    row("hidden", "STUB_CUDA_INIT=100 CUDA_VISIBLE_DEVICES=", CudaState::NoDevice, "CUDA_VISIBLE_DEVICES is \"\"");
    row("unknown", "STUB_CUDA_INIT=999", CudaState::DriverFailed, "error 999 (stub words)");
    row("held by another", "STUB_CUDA_INIT=46", CudaState::DriverFailed, "error 46");
    row("mixed versions", "STUB_CUDA_INIT=803", CudaState::DriverFailed, "error 803");
    row("not permitted", "STUB_CUDA_COUNT_CODE=800", CudaState::DriverFailed, "error 800");
    row("no version", "STUB_CUDA_VERSION_CODE=1", CudaState::DriverFailed, "does not tell its version");
}

void TestCudaProbe::everyFailureHasItsWords() {
    QFETCH(QString, environment);
    QFETCH(int, state);
    QFETCH(QString, words);
    for (const QString& pair : environment.split(QLatin1Char(' '))) {
        const qsizetype at = pair.indexOf(QLatin1Char('='));
        qputenv(pair.left(at).toLatin1().constData(), pair.mid(at + 1).toLatin1());
    }
    CudaProbePaths paths;
    paths.driver = kStub;
    const CudaProbe probe = probeCuda(paths);
    QCOMPARE(int(probe.state), state);
    QVERIFY2(probe.reason.find(words.toStdString()) != std::string::npos, probe.reason.c_str());
    QVERIFY(!probe.remedy.empty());
    bool failedSeen = false;
    for (const CudaCheck& check : probe.checks) failedSeen |= !check.ok;
    QVERIFY(failedSeen);
}

void TestCudaProbe::missingDriverIsToldFirst() {
    CudaProbePaths paths;
    paths.driver = "/nowhere/libcuda.so.1";
    const CudaProbe probe = probeCuda(paths);
    QCOMPARE(int(probe.state), int(CudaState::NoDriver));
    QVERIFY(probe.reason.find("no NVIDIA driver") != std::string::npos);
    QVERIFY(!probe.checks.front().ok);
}

void TestCudaProbe::missingModuleIsTold() {
    qputenv("STUB_CUDA_COUNT", "2");
    CudaProbePaths paths;
    paths.driver = kStub;
    paths.modules = {"/nowhere/libstridescope_cuda.so"};
    const CudaProbe probe = probeCuda(paths);
    QCOMPARE(probe.deviceCount, 2);
    QVERIFY(probe.state == CudaState::ModuleMissing || probe.state == CudaState::NotBuilt);
    QVERIFY(!probe.remedy.empty());

    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("libstridescope_cuda.so")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    paths.modules = {file.fileName().toStdString()};
    const CudaProbe found = probeCuda(paths);
    QCOMPARE(int(found.state), int(CudaState::Ready));
    QCOMPARE(found.modulePath, file.fileName().toStdString());
}

void TestCudaProbe::versionsAreWorded() {
    QCOMPARE(cudaVersionText(13000), std::string("13.0"));
    QCOMPARE(cudaVersionText(12080), std::string("12.8"));
}

void TestCudaProbe::deviceErrorsCarryNumbers() {
    cuda::Failure failure;
    failure.code = 2;
    failure.call = "cudaMallocAsync";
    failure.text = "out of memory";
    failure.device = 1;
    failure.outOfMemory = true;
    failure.wanted = 8000;
    failure.free = 5200;
    failure.total = 6000;
    const Refusal refusal = cuda::refusalOf(failure);
    QCOMPARE(refusal.id, std::string("DEV-05"));
    QCOMPARE(int(refusal.kind), int(ErrorKind::Memory));
    QCOMPARE(refusal.message, std::string("CUDA out of memory on cuda:1: needs 8000 bytes, free 5200 of 6000"));
    QCOMPARE(std::get<BytesExceeded>(refusal.detail).limit, Index{5200});
    failure.outOfMemory = false;
    failure.code = 700;
    QCOMPARE(cuda::refusalOf(failure).id, std::string("DEV-04"));
}

void TestCudaProbe::absentDevicesAreRefusedWithTheReason() {
    if (cudaBackend()) QSKIP("this machine has a CUDA device");
    QVERIFY(!cudaUnavailableReason().empty());
    QVERIFY(kernelsFor(Device{DeviceType::Cuda, 0}) == nullptr);
    try {
        backendFor(Device{DeviceType::Cuda, 0});
        QFAIL("a missing device was given out");
    } catch (const DeviceError& error) {
        QCOMPARE(error.refusal().id, std::string("DEV-13"));
        QVERIFY(error.refusal().message.find(cudaUnavailableReason()) != std::string::npos);
        QCOMPARE_LE(error.refusal().message.size(), std::size_t{140});
    }
    // Not that the device lacks the operation.
    QVERIFY_THROWS_EXCEPTION(DeviceError, throwNoKernel("rand", DType::Float32, Device{DeviceType::Cuda, 0}));
}

QTEST_GUILESS_MAIN(TestCudaProbe)
#include "tst_cuda_probe.moc"
