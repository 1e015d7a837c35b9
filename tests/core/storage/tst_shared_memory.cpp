// Shared memory segments: another process writes and reads the same bytes.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/storage/shared_memory.h"
#include "core/tensor/element.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace stridescope;

namespace {

/// Runs `body` (() -> bool) in a forked child; true when it returned true. The child leaves without cleaning up, so
/// that the storages it inherited are not given back twice.
template <class Body>
bool inChild(Body body) {
    const pid_t child = fork();
    if (child == 0) _exit(body() ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// While it lives, this process can open no descriptor. It ends before the exception is looked at: UBSan checks the
/// class of an object by reading its vtable through a pipe, and calls the object broken when it cannot have one.
class FewDescriptors {
public:
    FewDescriptors() {
        getrlimit(RLIMIT_NOFILE, &m_before);
        const rlimit few{3, m_before.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
    }
    ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &m_before); }
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;

private:
    rlimit m_before{};
};

} // namespace

class TestSharedMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startsZeroedAndAligned();
    void childSeesTheSameBytes();
    void otherProcessMapsByDescriptor();
    void bytesOutliveTheMaker();
    void readOnlyMappingRefusesWrites();
    void closesItsDescriptor();
    void refusesStrangers();
    void refusesWhenDescriptorsRunOut();
};

void TestSharedMemory::startsZeroedAndAligned() {
    const StoragePtr storage = Storage::allocate(5000, sharedMemoryAllocator());
    QCOMPARE(storage->kind(), std::string("shared memory"));
    QCOMPARE(reinterpret_cast<std::uintptr_t>(storage->data()) % 64, std::uintptr_t{0});
    for (std::size_t i = 0; i < storage->bytes(); ++i) QCOMPARE(storage->data()[i], std::byte{0});
    const StoragePtr none = Storage::allocate(0, sharedMemoryAllocator());
    QVERIFY(!sharedMemoryAllocator().segmentOf(*none));
}

void TestSharedMemory::childSeesTheSameBytes() {
    const Tensor t(Storage::allocate(24, sharedMemoryAllocator()), contiguousView(Dims{2, 3}).valueOrThrow(),
                   DType::Int32);
    writeElement(t, Dims{0, 1}, 41);
    QVERIFY(inChild([&] {
        const bool seen = readElement(t, Dims{0, 1}) == Scalar(41);
        writeElement(transpose(t, 0, 1), Dims{2, 1}, -7);
        return seen;
    }));
    QVERIFY(readElement(t, Dims{1, 2}) == Scalar(-7)); // written by the child, through another view
}

void TestSharedMemory::otherProcessMapsByDescriptor() {
    const StoragePtr storage = Storage::allocate(4096, sharedMemoryAllocator());
    const auto segment = sharedMemoryAllocator().segmentOf(*storage);
    QVERIFY(segment);
    QCOMPARE(segment->bytes, std::size_t{4096});
    storage->data()[100] = std::byte{0x5A};
    const std::string path = segment->path();
    QVERIFY(inChild([&] {
        const int descriptor = open(path.c_str(), O_RDWR);
        if (descriptor < 0) return false;
        auto mapped = mapSharedSegment(descriptor, 4096);
        close(descriptor);
        if (!mapped || (*mapped)->data() == storage->data()) return false;
        if ((*mapped)->data()[100] != std::byte{0x5A}) return false;
        (*mapped)->data()[101] = std::byte{0xA5};
        return true;
    }));
    QCOMPARE(storage->data()[101], std::byte{0xA5});
}

void TestSharedMemory::bytesOutliveTheMaker() {
    StoragePtr maker = Storage::allocate(64, sharedMemoryAllocator());
    maker->data()[0] = std::byte{9};
    StoragePtr other = mapSharedSegment(sharedMemoryAllocator().segmentOf(*maker)->descriptor, 64).valueOrThrow();
    maker = StoragePtr();
    QCOMPARE(other->data()[0], std::byte{9});
}

void TestSharedMemory::readOnlyMappingRefusesWrites() {
    const StoragePtr maker = Storage::allocate(64, sharedMemoryAllocator());
    const auto segment = sharedMemoryAllocator().segmentOf(*maker);
    const StoragePtr reader = mapSharedSegment(segment->descriptor, 64, false).valueOrThrow();
    const Tensor t(reader, contiguousView(Dims{16}).valueOrThrow(), DType::Float32);
    const auto refusal = refusalOf([&] { writeElement(t, Dims{3}, 1.0); });
    QVERIFY(refusal);
    QCOMPARE(refusal->id, std::string("ELEM-05"));
}

void TestSharedMemory::closesItsDescriptor() {
    int descriptor = -1;
    {
        const StoragePtr storage = Storage::allocate(64, sharedMemoryAllocator());
        descriptor = sharedMemoryAllocator().segmentOf(*storage)->descriptor;
        QVERIFY(fcntl(descriptor, F_GETFD) >= 0);
    }
    QCOMPARE(fcntl(descriptor, F_GETFD), -1);
}

void TestSharedMemory::refusesStrangers() {
    auto closed = mapSharedSegment(-1, 16);
    QVERIFY(!closed);
    QCOMPARE(closed.refusal().id, std::string("SHM-02"));

    int ends[2];
    QCOMPARE(pipe(ends), 0);
    auto notMemory = mapSharedSegment(ends[0], 0);
    QVERIFY(!notMemory);
    QCOMPARE(notMemory.refusal().id, std::string("SHM-02"));
    close(ends[0]);
    close(ends[1]);

    const StoragePtr storage = Storage::allocate(64, sharedMemoryAllocator());
    auto tooLong = mapSharedSegment(sharedMemoryAllocator().segmentOf(*storage)->descriptor, 1U << 20);
    QVERIFY(!tooLong);
    QCOMPARE(tooLong.refusal().id, std::string("SHM-03"));
    QVERIFY(tooLong.refusal().message.find("needs 1048576 B, has 64") != std::string::npos);

    const int unsealed = memfd_create("test", MFD_ALLOW_SEALING);
    QCOMPARE(ftruncate(unsealed, 100), 0);
    auto shrinkable = mapSharedSegment(unsealed, 100);
    QVERIFY(!shrinkable);
    QCOMPARE(shrinkable.refusal().id, std::string("SHM-04"));
    close(unsealed);
}

void TestSharedMemory::refusesWhenDescriptorsRunOut() {
    QVERIFY(inChild([] {
        (void)Storage::allocate(64, sharedMemoryAllocator()); // UBSan's check of the allocator's class needs a pipe
        const auto refusal = refusalOf([] {
            const FewDescriptors noneLeft;
            (void)Storage::allocate(64, sharedMemoryAllocator());
        });
        return refusal && refusal->id == "SHM-01" && refusal->kind == ErrorKind::Memory;
    }));
}

QTEST_GUILESS_MAIN(TestSharedMemory)
#include "tst_shared_memory.moc"
