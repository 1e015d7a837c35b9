// The arena: tensors in one memory file, seen by another process, kept by it, and not hurt by fork().

#include "core/backend/cpu/cpu_allocator.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise_math.h"
#include "core/storage/shared_arena.h"
#include "core/storage/shared_memory.h"
#include "core/tensor/element.h"

#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace stridescope;

namespace {

std::size_t heldBytes() {
    struct stat status {};
    fstat(SharedArena::instance()->descriptor(), &status);
    return static_cast<std::size_t>(status.st_blocks) * 512;
}

} // namespace

class TestSharedArena : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksAreSeenThroughTheFile() {
        SharedArena& arena = *SharedArena::instance();
        for (const std::size_t bytes : {std::size_t{64}, std::size_t{300'000}, std::size_t{3'000'000}}) {
            bool fresh = false;
            auto* block = static_cast<unsigned char*>(arena.take(bytes, fresh));
            QVERIFY(block && fresh);
            QVERIFY(std::all_of(block, block + bytes, [](unsigned char b) { return b == 0; }));
            QVERIFY(arena.contains(block) && arena.contains(block + bytes - 1));
            const auto offset = arena.offsetOf(block + 8);
            QVERIFY(offset);
            auto seen = mapSharedSegment(arena.descriptor(), bytes - 8, true, *offset).valueOrThrow();
            block[8] = 17;
            QCOMPARE(std::to_integer<int>(seen->data()[0]), 17);
            seen->data()[bytes - 9] = std::byte{9};
            QCOMPARE(int(block[bytes - 1]), 9);
            arena.give(block, bytes);
        }
        int local = 0;
        QVERIFY(!arena.contains(&local) && !arena.offsetOf(&local));
    }

    void largeBlocksGoBackToTheSystem() {
        SharedArena& arena = *SharedArena::instance();
        bool fresh = false;
        constexpr std::size_t kBytes = std::size_t{20} << 20;
        const std::size_t before = heldBytes();
        void* block = arena.take(kBytes, fresh);
        const std::uint64_t offset = arena.offsetOf(block).value();
        QVERIFY(heldBytes() >= before + kBytes); // reserved: writing cannot fail
        arena.give(block, kBytes);
        QCOMPARE(heldBytes(), before);
        QVERIFY(!arena.contains(block));
        // Who comes late sees zeros, and never another block.
        void* next = arena.take(kBytes, fresh);
        QVERIFY(arena.offsetOf(next).value() > offset);
        std::memset(next, 255, kBytes);
        QCOMPARE(std::to_integer<int>(mapSharedSegment(arena.descriptor(), 1, false, offset).value()->data()[0]), 0);
        arena.give(next, kBytes);
    }

    void smallBlocksAreUsedAgain() {
        SharedArena& arena = *SharedArena::instance();
        bool fresh = false;
        void* first = arena.take(262'144, fresh);
        arena.give(first, 262'144);
        QCOMPARE(arena.take(262'144, fresh), first);
        QVERIFY(!fresh);
        arena.give(first, 262'144);
    }

    void moreThanThereIsGivesNothing() {
        bool fresh = false;
        const std::size_t before = heldBytes();
        QVERIFY(!SharedArena::instance()->take(std::size_t{1} << 46, fresh));
        QCOMPARE(heldBytes(), before);
    }

    void aPartOutsideIsRefused() {
        const int descriptor = SharedArena::instance()->descriptor();
        struct stat status {};
        fstat(descriptor, &status);
        const auto size = static_cast<std::uint64_t>(status.st_size);
        QVERIFY(mapSharedSegment(descriptor, 1, false, size - 1).ok());
        QCOMPARE(mapSharedSegment(descriptor, 2, false, size - 1).refusal().id, std::string("SHM-03"));
        QCOMPARE(mapSharedSegment(descriptor, 1, false, ~std::uint64_t{0}).refusal().id, std::string("SHM-03"));
        QVERIFY(ftruncate(descriptor, 0) != 0); // sealed
    }

    void tensorsLieInIt() {
        const Tensor old = ones(Dims{100}, {DType::Float32, {}});
        cpuAllocator().useArena(*SharedArena::instance());
        // Small ones, kept ones, medium and large ones; blocks from before go back to where they came from.
        for (const Index n : {3, 3, 5000, 20'000, 200'000, 1'000'000, 1'000'000}) {
            const Tensor x = full(Dims{n}, 2.5, {DType::Float32, {}});
            const auto offset = SharedArena::instance()->offsetOf(x.storage()->data());
            QVERIFY2(offset, qPrintable(QString::number(n)));
            const auto seen =
                mapSharedSegment(SharedArena::instance()->descriptor(), x.storage()->bytes(), false, *offset);
            QCOMPARE(std::memcmp((*seen)->data(), x.storage()->data(), x.storage()->bytes()), 0);
            const Tensor zero = zeros(Dims{n}, {DType::Float32, {}});
            QVERIFY(allclose(zero, full(Dims{n}, 0, {DType::Float32, {}})));
        }
        cpuAllocator().trim();
        QVERIFY(!SharedArena::instance()->contains(old.storage()->data()));
    }

    void aForkedChildHasItsOwn() {
        Tensor x = full(Dims{1'000'000}, 1, {DType::Float32, {}});
        Tensor y = full(Dims{10}, 1, {DType::Float32, {}});
        const pid_t child = fork();
        if (child == 0) {
            setNumThreads(1); // ThreadSanitizer lets no child start threads
            x.data<float>()[5] = 7;
            y.data<float>()[5] = 7;
            const Tensor mine = full(Dims{2'000'000}, 3, {DType::Float32, {}}),
                         small = full(Dims{10}, 3, {DType::Float32, {}});
            const bool shared = SharedArena::instance()->offsetOf(mine.storage()->data()).has_value();
            _exit(!shared && x.data<float>()[5] == 7 && x.data<float>()[6] == 1 && small.data<float>()[9] == 3 ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        QCOMPARE(x.data<float>()[5], 1.0f);
        QCOMPARE(y.data<float>()[5], 1.0f);
        const Tensor next = full(Dims{10}, 4, {DType::Float32, {}});
        QCOMPARE(next.data<float>()[9], 4.0f);
    }
};

QTEST_GUILESS_MAIN(TestSharedArena)
#include "tst_shared_arena.moc"
