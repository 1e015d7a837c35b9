#include "core/backend/backend.h"
#include "core/backend/cpu/cpu_allocator.h"
#include "core/ops/copy.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "tests/support/view_zoo.h"

#include <QTest>
#include <cstring>
#include <sys/resource.h>
#include <thread>
#include <vector>

using namespace stridescope;
using namespace stridescope::test;

namespace {

Tensor floats(Index n) {
    return Tensor(zooStorage(DType::Float32, n), contiguousView(Dims{n}).valueOrThrow(), DType::Float32);
}

} // namespace

class TestCpuAllocator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksAreAlignedAndApart_data() {
        QTest::addColumn<qlonglong>("bytes");
        for (const qlonglong bytes :
             {1, 8, 63, 64, 65, 1000, 1024, 1025, 4096, 4097, 32768, 32769, 1 << 20, (1 << 20) + 1, 5 << 20})
            QTest::addRow("%lld bytes", bytes) << bytes;
    }
    void blocksAreAlignedAndApart() {
        QFETCH(qlonglong, bytes);
        CpuAllocator& a = cpuAllocator();
        const auto size = static_cast<std::size_t>(bytes);
        QVERIFY(CpuAllocator::capacityFor(size) >= size);
        QVERIFY(CpuAllocator::capacityFor(size) <= std::max<std::size_t>(64, size + size / 7 + 64));
        std::vector<unsigned char*> blocks;
        for (int i = 0; i < 5; ++i) {
            auto* block = static_cast<unsigned char*>(a.allocate(size));
            QCOMPARE(reinterpret_cast<std::uintptr_t>(block) % 64, std::uintptr_t{0});
            std::memset(block, i + 1, size);
            blocks.push_back(block);
        }
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            QCOMPARE(int{blocks[i][0]}, static_cast<int>(i) + 1);
            QCOMPARE(int{blocks[i][size - 1]}, static_cast<int>(i) + 1);
            a.deallocate(blocks[i], size);
        }
    }

    void nothingForZeroBytes() {
        CpuAllocator& a = cpuAllocator();
        a.resetCounters();
        QCOMPARE(a.allocate(0), nullptr);
        a.deallocate(nullptr, 0);
        QCOMPARE(a.statistics().allocations, std::uint64_t{0});
    }

    void countsAreExact() {
        CpuAllocator& a = cpuAllocator();
        a.resetCounters();
        const AllocatorStatistics before = a.statistics();
        void* p = a.allocate(100);
        void* q = a.allocate(3 << 20);
        AllocatorStatistics s = a.statistics();
        QCOMPARE(s.allocations, std::uint64_t{2});
        QCOMPARE(s.bytesInUse - before.bytesInUse,
                 std::uint64_t{CpuAllocator::capacityFor(100) + CpuAllocator::capacityFor(3 << 20)});
        a.deallocate(p, 100);
        a.deallocate(q, 3 << 20);
        s = a.statistics();
        QCOMPARE(s.deallocations, std::uint64_t{2});
        QCOMPARE(s.bytesInUse, before.bytesInUse);
        const std::uint64_t calls = s.systemCalls;
        a.deallocate(a.allocate(3 << 20), 3 << 20);
        a.deallocate(a.allocate(100), 100);
        s = a.statistics();
        QCOMPARE(s.systemCalls, calls);
        QVERIFY(s.cacheHits >= 2);
    }

    void steadyStateNeedsNoSystemCalls_data() {
        QTest::addColumn<qlonglong>("n");
        for (const qlonglong n : {1, 10, 1000, 100'000, 2'000'000}) QTest::addRow("%lld elements", n) << n;
    }
    void steadyStateNeedsNoSystemCalls() {
        QFETCH(qlonglong, n);
        const Tensor a = floats(n), b = floats(n);
        for (int i = 0; i < 3; ++i) add(a, b);
        cpuAllocator().resetCounters();
        for (int i = 0; i < 50; ++i) {
            const Tensor c = add(a, b);
            QCOMPARE(c.numel(), Index{n});
        }
        const AllocatorStatistics s = cpuAllocator().statistics();
        QCOMPARE(s.systemCalls, std::uint64_t{0});
        QCOMPARE(s.allocations, std::uint64_t{50}); // the result and nothing else
        QCOMPARE(s.cacheHits, std::uint64_t{50});
    }

    void viewsAndInPlaceAllocateNothing() {
        const Tensor a = floats(1000), b = floats(1000);
        cpuAllocator().resetCounters();
        const Tensor v = narrow(a, 0, 10, 100);
        add_(a, b);
        copy_(v, narrow(b, 0, 0, 100));
        fill_(v, Scalar(1));
        QCOMPARE(cpuAllocator().statistics().allocations, std::uint64_t{0});
    }

    void freshAndReusedBlocksAreZeroedWhenAsked() {
        CpuAllocator& a = cpuAllocator();
        for (const std::size_t bytes : {std::size_t{100}, std::size_t{50'000}, std::size_t{3} << 20}) {
            for (int round = 0; round < 2; ++round) {
                auto* block = static_cast<unsigned char*>(a.allocateZeroed(bytes));
                QVERIFY(std::all_of(block, block + bytes, [](unsigned char c) { return c == 0; }));
                std::memset(block, 0xab, bytes);
                a.deallocate(block, bytes);
            }
        }
    }

    void trimAndLimit() {
        CpuAllocator& a = cpuAllocator();
        a.trim();
        const std::uint64_t base = a.statistics().bytesCached; // small blocks stay
        std::vector<void*> blocks;
        for (int i = 0; i < 4; ++i) blocks.push_back(a.allocate(2 << 20));
        for (void* b : blocks) a.deallocate(b, 2 << 20);
        QCOMPARE(a.statistics().bytesCached - base, std::uint64_t{8} << 20);
        a.trim(std::size_t{4} << 20);
        QCOMPARE(a.statistics().bytesCached - base, std::uint64_t{4} << 20);
        const std::size_t limit = a.cacheLimit();
        a.setCacheLimit(std::size_t{2} << 20);
        QCOMPARE(a.statistics().bytesCached - base, std::uint64_t{2} << 20);
        blocks.clear();
        for (int i = 0; i < 4; ++i) blocks.push_back(a.allocate(2 << 20));
        for (void* b : blocks) a.deallocate(b, 2 << 20);
        QCOMPARE(a.statistics().bytesCached - base, std::uint64_t{2} << 20);
        a.setCacheLimit(limit);
        a.trim();
        QCOMPARE(a.statistics().bytesCached, base);
    }

    void refusesWhatTheSystemCannotGive() {
        try {
            cpuAllocator().allocate(std::size_t{1} << 62);
            QFAIL("not refused");
        } catch (const MemoryError& e) {
            QCOMPARE(e.refusal().id, std::string("MEM-03"));
            const auto* detail = std::get_if<BytesExceeded>(&e.refusal().detail);
            QVERIFY(detail);
            QCOMPARE(detail->wanted, Index{1} << 62);
        }
    }

    void threadsShareAndLeaveTheirBlocks() {
        CpuAllocator& a = cpuAllocator();
        const std::uint64_t before = a.statistics().bytesInUse;
        // Allocated on one thread, freed on another.
        std::vector<void*> blocks(500);
        std::thread([&] {
            for (void*& b : blocks) b = a.allocate(200);
        }).join();
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (std::size_t i = static_cast<std::size_t>(t); i < blocks.size(); i += 4)
                    a.deallocate(blocks[i], 200);
                for (int i = 0; i < 2000; ++i) {
                    void* p = a.allocate(static_cast<std::size_t>(64 + i % 3000));
                    std::memset(p, t, 64);
                    a.deallocate(p, static_cast<std::size_t>(64 + i % 3000));
                }
            });
        for (std::thread& t : threads) t.join();
        QCOMPARE(a.statistics().bytesInUse, before);
    }
};

QTEST_GUILESS_MAIN(TestCpuAllocator)
#include "tst_cpu_allocator.moc"
