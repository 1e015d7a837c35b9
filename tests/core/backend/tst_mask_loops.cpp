// The loops over masks on every instruction set, beside loops that take one element after the other. What lies around
// the room that a loop was given stays as it was.
#include "core/backend/cpu/isa_table.h"

#include <QTest>
#include <cstring>
#include <random>
#include <vector>

using namespace stridescope;

namespace {

constexpr std::uint8_t kGuard = 0xa5;
constexpr std::size_t kGuardBytes = 128;

/// Room for `bytes` bytes between guards.
struct Guarded {
    std::vector<std::uint8_t> all;
    std::size_t bytes;

    explicit Guarded(std::size_t n) : all(n + 2 * kGuardBytes, kGuard), bytes(n) {}
    std::uint8_t* data() { return all.data() + kGuardBytes; }
    bool untouchedAround() const {
        for (std::size_t i = 0; i < kGuardBytes; ++i)
            if (all[i] != kGuard || all[kGuardBytes + bytes + i] != kGuard) return false;
        return true;
    }
};

/// True bytes are any but 0. `share` of ten are true.
std::vector<std::uint8_t> maskOf(Index n, int share, std::mt19937& random) {
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(n));
    for (std::uint8_t& m : mask)
        m = static_cast<int>(random() % 10) < share ? static_cast<std::uint8_t>(random() % 255 + 1) : 0;
    return mask;
}

std::vector<std::uint8_t> bytesOf(std::size_t n, std::mt19937& random) {
    std::vector<std::uint8_t> bytes(n);
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random());
    return bytes;
}

} // namespace

class TestMaskLoops : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLoop_data() {
        QTest::addColumn<QString>("isa");
        for (const char* name : {"plain", "avx2", "avx512"})
            if (cpu::isaByName(name)) QTest::newRow(name) << QString::fromLatin1(name);
    }
    void everyLoop() {
        QFETCH(QString, isa);
        const cpu::MaskLoops& loops = cpu::isaByName(isa.toLatin1().constData())->mask;
        std::mt19937 random(7);
        for (const Index n : {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 257, 1000}) {
            for (const int share : {0, 1, 5, 9, 10}) {
                const std::vector<std::uint8_t> mask = maskOf(n, share, random);
                Index trues = 0;
                for (const std::uint8_t m : mask) trues += m != 0 ? 1 : 0;
                QCOMPARE(loops.count(mask.data(), n), trues);
                checkPositions(loops, mask, n, trues);
                for (int log2 = 0; log2 < 4; ++log2) {
                    const std::size_t size = std::size_t{1} << log2, bytes = static_cast<std::size_t>(n) * size;
                    const std::vector<std::uint8_t> a = bytesOf(bytes + size, random),
                                                    b = bytesOf(bytes + size, random);
                    checkSelect(loops, mask, a, n, trues, log2);
                    checkChoose(loops, mask, a, b, n, log2);
                    checkFill(loops, mask, a, b, n, log2);
                }
            }
        }
    }

private:
    static void checkPositions(const cpu::MaskLoops& loops, const std::vector<std::uint8_t>& mask, Index n,
                               Index trues) {
        std::vector<Index> expected;
        for (Index i = 0; i < n; ++i)
            if (mask[static_cast<std::size_t>(i)] != 0) expected.push_back(1000 + i);
        const std::size_t bytes = static_cast<std::size_t>(trues) * sizeof(Index);
        Guarded out(bytes); // not one item more than there are
        QCOMPARE(loops.positions(reinterpret_cast<Index*>(out.data()), trues, mask.data(), n, 1000), trues);
        QVERIFY(bytes == 0 || std::memcmp(out.data(), expected.data(), bytes) == 0);
        QVERIFY(out.untouchedAround());
    }

    static void checkSelect(const cpu::MaskLoops& loops, const std::vector<std::uint8_t>& mask,
                            const std::vector<std::uint8_t>& in, Index n, Index trues, int log2) {
        const std::size_t size = std::size_t{1} << log2, bytes = static_cast<std::size_t>(trues) * size;
        std::vector<std::uint8_t> expected;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
            for (std::size_t k = 0; mask[i] != 0 && k < size; ++k) expected.push_back(in[i * size + k]);
        Guarded out(bytes);
        QCOMPARE(loops.select[log2](out.data(), trues, in.data(), mask.data(), n), trues);
        QVERIFY(bytes == 0 || std::memcmp(out.data(), expected.data(), bytes) == 0);
        QVERIFY(out.untouchedAround());
    }

    static void checkChoose(const cpu::MaskLoops& loops, const std::vector<std::uint8_t>& mask,
                            const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b, Index n, int log2) {
        const std::size_t size = std::size_t{1} << log2;
        for (unsigned scalars = 0; scalars < 4; ++scalars) {
            Guarded out(static_cast<std::size_t>(n) * size);
            loops.choose[log2](out.data(), mask.data(), a.data(), b.data(), scalars, n);
            for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
                const bool first = mask[i] != 0;
                const bool one = (scalars & (first ? 1U : 2U)) != 0;
                const std::uint8_t* const from = (first ? a : b).data() + (one ? 0 : i * size);
                QVERIFY(std::memcmp(out.data() + i * size, from, size) == 0);
            }
            QVERIFY(out.untouchedAround());
        }
    }

    static void checkFill(const cpu::MaskLoops& loops, const std::vector<std::uint8_t>& mask,
                          const std::vector<std::uint8_t>& before, const std::vector<std::uint8_t>& value, Index n,
                          int log2) {
        const std::size_t size = std::size_t{1} << log2, bytes = static_cast<std::size_t>(n) * size;
        Guarded out(bytes);
        if (bytes != 0) std::memcpy(out.data(), before.data(), bytes);
        loops.fill[log2](out.data(), mask.data(), value.data(), n);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            const std::uint8_t* const from = mask[i] != 0 ? value.data() : before.data() + i * size;
            QVERIFY(std::memcmp(out.data() + i * size, from, size) == 0);
        }
        QVERIFY(out.untouchedAround());
    }
};

QTEST_GUILESS_MAIN(TestMaskLoops)
#include "tst_mask_loops.moc"
