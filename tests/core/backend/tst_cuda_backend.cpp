// CudaBackend against a module that lives in host memory and fails when it is told to: what the program makes of each
// kind of failure, and what it asks the module for.

#include "core/backend/cuda/cuda_backend.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <cstring>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace stridescope;

namespace {

/// The module's state.
struct FakeModule {
    cuda::Failure failure; ///< what the next calls report when `failing`
    bool failing = false, sticky = false;
    std::size_t total = 1000, used = 0;
    std::map<void*, std::size_t> alive;
    std::uint32_t streams = 1, current = 0;
    std::vector<std::string> calls;
    int events = 0;
};
FakeModule g;

/// As the module does: reports, which throws. A failure that is not sticky is over with that.
void called(const char* name) {
    g.calls.emplace_back(name);
    if (!g.failing) return;
    if (!g.sticky) g.failing = false;
    cuda::throwFailure(g.failure);
}

void failOnce(int code, const char* text) {
    g.failure = {};
    g.failure.code = code;
    g.failure.call = "cudaStreamSynchronize";
    g.failure.text = text;
    g.failing = true;
}

cuda::Api fakeApi() {
    static const KernelTable table;
    cuda::Api api{};
    api.version = cuda::kApiVersion;
    api.properties = [](int, cuda::DeviceProperties* out) {
        std::strcpy(out->name, "Fake");
        out->major = 9;
        out->multiprocessors = 3;
        out->memoryBytes = 1000;
    };
    api.allocate = [](int device, std::size_t bytes) -> void* {
        called("allocate");
        if (bytes > g.total - g.used) {
            cuda::Failure failure;
            failure.code = 2;
            failure.device = device;
            failure.outOfMemory = true;
            failure.wanted = bytes;
            failure.free = g.total - g.used;
            failure.total = g.total;
            cuda::throwFailure(failure);
        }
        void* const data = std::malloc(bytes);
        g.alive[data] = bytes;
        g.used += bytes;
        return data;
    };
    api.deallocate = [](int, void* data, std::size_t bytes) {
        g.used -= bytes;
        g.alive.erase(data);
        std::free(data);
    };
    api.setZero = [](int, void* data, std::size_t bytes) { std::memset(data, 0, bytes); };
    api.memory = [](int, cuda::MemoryFigures* out) {
        called("memory");
        *out = {g.used, g.used, g.total - g.used, g.total, 7};
    };
    api.resetPeak = [](int) { called("resetPeak"); };
    api.allocatePinned = [](std::size_t bytes) { return std::malloc(bytes); };
    api.deallocatePinned = [](void* data) {
        called("deallocatePinned");
        std::free(data);
    };
    api.copyFromHost = [](int, void* to, const void* from, std::size_t bytes, bool early) {
        called(early ? "copyFromHost early" : "copyFromHost");
        std::memcpy(to, from, bytes);
    };
    api.copyToHost = [](int, void* to, const void* from, std::size_t bytes, bool early) {
        called(early ? "copyToHost early" : "copyToHost");
        std::memcpy(to, from, bytes);
    };
    api.copyPeer = [](int, void* to, int, const void* from, std::size_t bytes) {
        called("copyPeer");
        std::memcpy(to, from, bytes);
    };
    api.canAccessPeer = [](int, int) { return true; };
    api.synchronize = [](int) { called("synchronize"); };
    api.newStream = [](int) { return g.streams++; };
    api.currentStream = [](int) { return g.current; };
    api.setCurrentStream = [](int, std::uint32_t stream) { g.current = stream; };
    api.synchronizeStream = [](int, std::uint32_t) { called("synchronizeStream"); };
    api.isStreamDone = [](int, std::uint32_t) { return true; };
    api.newEvent = [](int) -> void* { return new int(++g.events); };
    api.deleteEvent = [](void* event) {
        --g.events;
        delete static_cast<int*>(event);
    };
    api.recordEvent = [](void*, std::uint32_t) { called("recordEvent"); };
    api.waitEvent = [](void*, std::uint32_t) { called("waitEvent"); };
    api.queryEvent = [](void*) { return false; };
    api.synchronizeEvent = [](void*) { called("synchronizeEvent"); };
    api.millisecondsBetween = [](void*, void*) { return 1.5; };
    api.useDevice = [](int) { called("useDevice"); };
    api.table = &table;
    return api;
}

constexpr Device kFirst{DeviceType::Cuda, 0}, kSecond{DeviceType::Cuda, 1};

} // namespace

class TestCudaBackend : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { g = {}; }
    void memoryEndsWithBothNumbers();
    void stickyErrorsStay_data();
    void stickyErrorsStay();
    void otherErrorsAreOver();
    void missingLibraryIsNamed();
    void copiesSayWhetherTheyMayReturnEarly();
    void streamsAndEventsAreTheModules();
    void figuresAndProperties();
    void childrenAreRefused();
};

void TestCudaBackend::memoryEndsWithBothNumbers() {
    const cuda::Api api = fakeApi();
    cuda::CudaBackend backend(api, 2);
    void* const kept = backend.allocator(kSecond).allocate(600);
    std::memset(kept, 7, 600);
    const std::optional<Refusal> refused = refusalOf([&] { backend.allocator(kSecond).allocate(500); });
    QVERIFY(refused);
    QCOMPARE(refused->id, std::string("DEV-05"));
    QVERIFY(refused->message.find("cuda:1: needs 500 bytes, free 400 of 1000") != std::string::npos);
    QCOMPARE(static_cast<const std::byte*>(kept)[599], std::byte{7});
    void* const next = backend.allocator(kSecond).allocate(400); // not sticky
    QVERIFY(next);
    backend.allocator(kSecond).deallocate(next, 400);
    backend.allocator(kSecond).deallocate(kept, 600);
    QVERIFY(g.alive.empty());
}

void TestCudaBackend::stickyErrorsStay_data() {
    QTest::addColumn<int>("code");
    for (const int code : {700, 702, 710, 719, 721}) QTest::addRow("%d", code) << code;
}

void TestCudaBackend::stickyErrorsStay() {
    QFETCH(int, code);
    const cuda::Api api = fakeApi();
    cuda::CudaBackend backend(api, 1);
    Storage* storage = nullptr;
    StoragePtr there = Storage::allocate(64, backend.allocator(kFirst));
    storage = there.get();
    QVERIFY(storage);
    std::byte here[64] = {};
    here[5] = std::byte{9};
    failOnce(code, "an illegal memory access was encountered");
    g.sticky = true;
    const auto refusedWith = [&](auto f) {
        const std::optional<Refusal> refused = refusalOf(f);
        return refused && refused->id == "DEV-04" &&
               refused->message.find("code " + std::to_string(code)) != std::string::npos &&
               refused->hint.find("restart Python") != std::string::npos &&
               refused->hint.find("Tensors of the cpu stay") != std::string::npos;
    };
    QVERIFY(refusedWith([&] { backend.synchronize(kFirst); }));
    QVERIFY(refusedWith([&] { backend.kernels(kFirst); }));
    QVERIFY(refusedWith([&] { backend.copyToHost(kFirst, here, there->data(), 64, false); }));
    QVERIFY(refusedWith([&] { backend.allocator(kFirst).allocate(8); }));
    QCOMPARE(here[5], std::byte{9});
    there = StoragePtr(); // letting go of a lost tensor does not fail
}

void TestCudaBackend::otherErrorsAreOver() {
    const cuda::Api api = fakeApi();
    cuda::CudaBackend backend(api, 1);
    failOnce(1, "invalid argument");
    const std::optional<Refusal> refused = refusalOf([&] { backend.synchronize(kFirst); });
    QVERIFY(refused);
    QVERIFY(refused->hint.find("If the next call fails as well") != std::string::npos);
    QVERIFY(!refusalOf([&] { backend.synchronize(kFirst); }));
}

void TestCudaBackend::missingLibraryIsNamed() {
    const cuda::Api api = fakeApi();
    cuda::CudaBackend backend(api, 1);
    failOnce(0, "cannot open shared object file");
    g.failure.missingLibrary = "libcublas.so.13";
    const std::optional<Refusal> refused = refusalOf([&] { backend.kernels(kFirst); });
    QVERIFY(refused);
    QCOMPARE(refused->id, std::string("DEV-14"));
    QVERIFY(refused->message.find("libcublas.so.13") != std::string::npos);
    QVERIFY(refused->kind == ErrorKind::NotImplemented);
}

void TestCudaBackend::copiesSayWhetherTheyMayReturnEarly() {
    const cuda::Api api = fakeApi();
    cuda::CudaBackend backend(api, 2);
    std::byte a[8] = {std::byte{1}}, b[8] = {}, c[8] = {};
    backend.copyFromHost(kFirst, b, a, 8, true);
    backend.copyToHost(kFirst, c, b, 8, false);
    backend.copyBetween(kSecond, a, kFirst, c, 8);
    backend.copyFromHost(kFirst, b, a, 0, false); // nothing to do
    QCOMPARE(g.calls, (std::vector<std::string>{"copyFromHost early", "copyToHost", "copyPeer"}));
    QCOMPARE(c[0], std::byte{1});
}

void TestCudaBackend::streamsAndEventsAreTheModules() {
    const cuda::Api api = fakeApi();
    cuda::CudaBackend backend(api, 1);
    const StreamId stream = backend.newStream(kFirst);
    QCOMPARE(stream, StreamId{1});
    backend.setCurrentStream(kFirst, stream);
    QCOMPARE(backend.currentStream(kFirst), stream);
    {
        const std::unique_ptr<DeviceEvent> event = backend.newEvent(kFirst);
        QVERIFY(event->query()); // not recorded yet
        event->wait(stream);
        event->synchronize();
        QVERIFY(g.calls.empty());
        event->record(stream);
        QVERIFY(event->isRecorded());
        QVERIFY(!event->query());
        event->wait(0);
        QCOMPARE(event->millisecondsTo(*event), 1.5);
        QCOMPARE(g.calls, (std::vector<std::string>{"recordEvent", "waitEvent"}));
    }
    QCOMPARE(g.events, 0);
    Allocator* const pinned = backend.pinnedAllocator();
    QCOMPARE(std::string(pinned->kind()), std::string("pinned"));
    pinned->deallocate(pinned->allocate(100), 100);
    QCOMPARE(g.calls.back(), std::string("deallocatePinned"));
}

void TestCudaBackend::figuresAndProperties() {
    const cuda::Api api = fakeApi();
    cuda::CudaBackend backend(api, 1);
    QCOMPARE(backend.memory(kFirst).free, std::size_t{1000});
    QCOMPARE(backend.memory(kFirst).allocations, std::uint64_t{7});
    QCOMPARE(backend.about(kFirst).name, std::string("Fake"));
    QVERIFY(!backend.about(kFirst).simulated);
    QVERIFY(!backend.canAccessPeer(kFirst, kFirst));
    QVERIFY(backend.canAccessPeer(kFirst, kSecond));
}

void TestCudaBackend::childrenAreRefused() {
    const cuda::Api api = fakeApi();
    cuda::CudaBackend backend(api, 1);
    const pid_t child = fork();
    if (child == 0) {
        const std::optional<Refusal> refused = refusalOf([&] { backend.synchronize(kFirst); });
        _exit(refused && refused->id == "DEV-08" && g.calls.empty() ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    QCOMPARE(WEXITSTATUS(status), 0);
}

QTEST_APPLESS_MAIN(TestCudaBackend)
#include "tst_cuda_backend.moc"
