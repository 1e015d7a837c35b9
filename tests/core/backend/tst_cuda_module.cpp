// The built CUDA module, as far as it can be looked at without a GPU: it can be loaded, brings nothing else of CUDA
// along, has every kernel that the CPU has, and reports instead of ending the program.

#include "core/backend/cuda/cuda_backend.h"
#include "core/backend/cuda/loader.h"
#include "tests/support/check_refusal.h"
#include "tests/support/test_paths.h"

#include <QFile>
#include <QTest>

#include <dlfcn.h>

using namespace stridescope;

class TestCudaModule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void librariesWait();
    void otherVersionsAreRefused();
    void hasEveryKernel();
    void withoutDeviceItReports();

private:
    const cuda::Api* m_api = nullptr;
    cuda::EntryPoint m_entry = nullptr;
};

void TestCudaModule::initTestCase() {
    const std::string path = test::buildPath("lib/libstridescope_cuda.so");
    if (!QFile::exists(QString::fromStdString(path))) QSKIP("this build has no CUDA module");
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    QVERIFY2(library, library ? "" : dlerror());
    m_entry = reinterpret_cast<cuda::EntryPoint>(dlsym(library, cuda::kEntryPoint));
    QVERIFY(m_entry);
    static const cuda::HostCallbacks callbacks{cuda::throwFailure};
    m_api = m_entry(cuda::kApiVersion, &callbacks);
    QVERIFY(m_api);
}

/// cuBLAS and its like are for those who multiply.
void TestCudaModule::librariesWait() {
    for (const char* file : {"libcublas.so.13", "libcudart.so.13", "libcusolver.so.12", "libcufft.so.12"})
        QVERIFY2(!dlopen(file, RTLD_NOW | RTLD_NOLOAD), file);
}

void TestCudaModule::otherVersionsAreRefused() {
    static const cuda::HostCallbacks callbacks{cuda::throwFailure};
    QVERIFY(!m_entry(cuda::kApiVersion + 1, &callbacks));
    QVERIFY(!m_entry(cuda::kApiVersion, nullptr));
    QCOMPARE(m_api->version, cuda::kApiVersion);
    QVERIFY(m_api->runtimeVersion >= 13000);
}

void TestCudaModule::hasEveryKernel() {
    const KernelTable &cpu = cpuKernels(), &cuda = *m_api->table;
    for (std::size_t i = 0; i < BinaryOps::size; ++i) QVERIFY2(!cpu.binary[i] == !cuda.binary[i], BinaryOps::names[i]);
    for (std::size_t i = 0; i < UnaryOps::size; ++i) QVERIFY2(!cpu.unary[i] == !cuda.unary[i], UnaryOps::names[i]);
    for (std::size_t i = 0; i < MathOps::size; ++i) QVERIFY2(!cpu.math[i] == !cuda.math[i], MathOps::names[i]);
    QVERIFY(cuda.copy && cuda.fill && cuda.fold && cuda.extremum && cuda.scan && cuda.indexed && cuda.order);
    QVERIFY(cuda.place && cuda.products && cuda.random);
    const MaskKernels& mask = cuda.mask;
    QVERIFY(mask.count && mask.select && mask.scatter && mask.fill && mask.choose && mask.countNonzero);
    QVERIFY(mask.findNonzero && mask.holdsOnlyBits);
}

void TestCudaModule::withoutDeviceItReports() {
    const char* why = nullptr;
    if (m_api->deviceCount(&why) > 0) QSKIP("this machine has a CUDA device");
    QVERIFY(why && *why);
    for (int call = 0; call < 4; ++call) {
        const std::optional<Refusal> refused = refusalOf([&] {
            if (call == 0) m_api->useDevice(0);
            if (call == 1) m_api->allocate(0, 64);
            if (call == 2) m_api->synchronize(0);
            if (call == 3) m_api->newEvent(0);
        });
        QVERIFY(refused);
        QCOMPARE(refused->id, std::string("DEV-04"));
        QVERIFY2(refused->message.find("cudaSetDevice") != std::string::npos, refused->message.c_str());
    }
}

QTEST_APPLESS_MAIN(TestCudaModule)
#include "tst_cuda_module.moc"
