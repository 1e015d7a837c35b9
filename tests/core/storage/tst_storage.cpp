// Storage: counting, identity, release, zeroing, the memory limit and the failing allocation.

#include "core/ops/creation.h"
#include "core/storage/memory_budget.h"
#include "core/storage/storage.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <cstring>
#include <set>
#include <thread>

using namespace stridescope;

namespace {

/// Counts what it gives and takes; fills with rubbish first, so that zeroing shows.
class CountingAllocator final : public Allocator {
public:
    Device device() const override { return {}; }
    void* allocate(std::size_t bytes) override {
        ++allocations;
        if (bytes == 0) return nullptr;
        void* data = ::operator new (bytes, std::align_val_t{64});
        std::memset(data, 0xAB, bytes);
        return data;
    }
    void deallocate(void* data, std::size_t bytes) noexcept override {
        ++deallocations;
        lastBytes = bytes;
        ::operator delete (data, std::align_val_t{64});
    }
    const char* kind() const override { return "counting"; }

    int allocations = 0, deallocations = 0;
    std::size_t lastBytes = 0;
};

} // namespace

class TestStorage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesBackOnceWhenTheLastReferenceGoes();
    void zeroesOnRequest();
    void wrapRunsRelease();
    void idsAreUnique();
    void versionGrows();
    void countsAcrossThreads();
    void dropsInOtherThreads();
    void formatsBytes();
    void refusesOverTheLimitBeforeAllocating();
    void refusesPetabytes();
    void failsTheNthAllocation();
};

void TestStorage::givesBackOnceWhenTheLastReferenceGoes() {
    CountingAllocator allocator;
    {
        StoragePtr first = Storage::allocate(100, allocator);
        QCOMPARE(first->useCount(), 1U);
        QCOMPARE(first->bytes(), std::size_t{100});
        QCOMPARE(first->kind(), std::string("counting"));
        QVERIFY(first->isWritable());
        StoragePtr second = first;
        QCOMPARE(first->useCount(), 2U);
        StoragePtr third = std::move(second);
        QVERIFY(!second); // NOLINT(bugprone-use-after-move): moved-from handles are empty
        QCOMPARE(third->useCount(), 2U);
        first = StoragePtr();
        QCOMPARE(allocator.deallocations, 0);
        const StoragePtr& same = third;
        third = same; // assigning to itself keeps it
        QCOMPARE(third->useCount(), 1U);
    }
    QCOMPARE(allocator.allocations, 1);
    QCOMPARE(allocator.deallocations, 1);
    QCOMPARE(allocator.lastBytes, std::size_t{100});
}

void TestStorage::zeroesOnRequest() {
    CountingAllocator allocator;
    const StoragePtr zeroed = Storage::allocate(1000, allocator, true);
    for (std::size_t i = 0; i < 1000; ++i) QCOMPARE(zeroed->data()[i], std::byte{0});
    const StoragePtr raw = Storage::allocate(1000, allocator, false);
    QCOMPARE(raw->data()[999], std::byte{0xAB});
    const StoragePtr none = Storage::allocate(0, allocator, true);
    QCOMPARE(none->bytes(), std::size_t{0});
}

void TestStorage::wrapRunsRelease() {
    int released = 0;
    std::byte memory[4] = {};
    {
        const StoragePtr storage = Storage::wrap(
            memory, 4, Device{}, [&] { ++released; }, "mapped file", false);
        QVERIFY(!storage->isWritable());
        QCOMPARE(storage->kind(), std::string("mapped file"));
        QVERIFY(storage->data() == memory);
        QCOMPARE(released, 0);
    }
    QCOMPARE(released, 1);
}

void TestStorage::idsAreUnique() {
    CountingAllocator allocator;
    std::set<std::uint64_t> ids;
    for (int i = 0; i < 100; ++i) ids.insert(Storage::allocate(1, allocator)->id());
    QCOMPARE(ids.size(), std::size_t{100});
    QVERIFY(!ids.contains(0));
}

void TestStorage::versionGrows() {
    CountingAllocator allocator;
    const StoragePtr storage = Storage::allocate(1, allocator);
    const std::uint64_t before = storage->version();
    storage->bumpVersion();
    QVERIFY(storage->version() > before);
}

/// A storage's own block may be given back by another thread than took it, and threads end with blocks kept.
void TestStorage::dropsInOtherThreads() {
    CountingAllocator allocator;
    for (int round = 0; round < 20; ++round) {
        std::vector<StoragePtr> storages;
        for (int i = 0; i < 100; ++i) storages.push_back(Storage::allocate(8, allocator));
        std::set<std::uint64_t> ids;
        for (const StoragePtr& storage : storages) ids.insert(storage->id());
        QCOMPARE(ids.size(), storages.size());
        std::vector<StoragePtr> made;
        std::thread other([&] {
            storages.clear();
            for (int i = 0; i < 100; ++i) made.push_back(Storage::allocate(8, allocator));
        });
        other.join();
        for (const StoragePtr& storage : made) QVERIFY(ids.insert(storage->id()).second);
        made.clear();
        QCOMPARE(allocator.deallocations, 200 * (round + 1));
    }
}

void TestStorage::countsAcrossThreads() {
    CountingAllocator allocator;
    {
        const StoragePtr storage = Storage::allocate(8, allocator);
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&storage] {
                for (int n = 0; n < 10000; ++n) {
                    const StoragePtr copy = storage;
                    if (copy->bytes() != 8) std::abort();
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
        QCOMPARE(storage->useCount(), 1U);
        QCOMPARE(allocator.deallocations, 0);
    }
    QCOMPARE(allocator.deallocations, 1);
}

void TestStorage::formatsBytes() {
    QCOMPARE(formatBytes(0), std::string("0 B"));
    QCOMPARE(formatBytes(999), std::string("999 B"));
    QCOMPARE(formatBytes(1000), std::string("1000 B"));
    QCOMPARE(formatBytes(100'000), std::string("100 kB"));
    QCOMPARE(formatBytes(999'600), std::string("1.00 MB"));
    QCOMPARE(formatBytes(21'430'000'000), std::string("21.4 GB"));
    QCOMPARE(formatBytes(4'000'000'000'000'000), std::string("4.00 PB"));
    QCOMPARE(formatBytes(INT64_MAX), std::string("9.22 EB"));
}

void TestStorage::refusesOverTheLimitBeforeAllocating() {
    CountingAllocator allocator;
    setMemoryLimit(Index{100} << 20);
    const auto refusal = refusalOf([&] { (void)Storage::allocate(std::size_t{101} << 20, allocator); });
    setMemoryLimit(std::nullopt);
    QVERIFY(refusal);
    QCOMPARE(refusal->id, std::string("MEM-01"));
    QCOMPARE(refusal->kind, ErrorKind::Memory);
    const auto* bytes = std::get_if<BytesExceeded>(&refusal->detail);
    QVERIFY(bytes);
    QCOMPARE(bytes->wanted, Index{101} << 20);
    QCOMPARE(bytes->limit, Index{100} << 20);
    QCOMPARE(allocator.allocations, 0);
    QVERIFY(!memoryLimit());
}

void TestStorage::refusesPetabytes() {
    const auto refusal = refusalOf([] { (void)zeros({1'000'000'000'000'000}); });
    QVERIFY(refusal);
    QCOMPARE(refusal->id, std::string("MEM-01"));
    QVERIFY(refusal->message.find("4.00 PB wanted") != std::string::npos);
    QVERIFY(refusal->message.find(" free") != std::string::npos);
    QVERIFY(refusal->message.size() <= 140);
    QVERIFY(availableMemory() > 0);
}

void TestStorage::failsTheNthAllocation() {
    CountingAllocator allocator;
    {
        const AllocationFailure failure(2);
        const StoragePtr first = Storage::allocate(10, allocator);
        QVERIFY(!failure.happened());
        const auto refusal = refusalOf([&] { (void)Storage::allocate(10, allocator); });
        QVERIFY(refusal);
        QCOMPARE(refusal->id, std::string("MEM-02"));
        QVERIFY(failure.happened());
        const StoragePtr third = Storage::allocate(10, allocator); // only the second failed
        QVERIFY(third);
    }
    {
        const AllocationFailure failure(1, true);
        for (int i = 0; i < 3; ++i) QVERIFY(refusalOf([&] { (void)Storage::allocate(10, allocator); }));
    }
    QVERIFY(Storage::allocate(10, allocator));
    QCOMPARE(allocator.allocations, allocator.deallocations);
}

QTEST_GUILESS_MAIN(TestStorage)
#include "tst_storage.moc"
