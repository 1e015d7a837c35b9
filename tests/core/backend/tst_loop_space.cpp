#include "core/backend/loop/index_math.h"
#include "core/backend/loop/loop_space.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <vector>

using namespace stridescope;

namespace {

using Offsets = std::array<Index, 3>;

/// Offsets of one position of the loops.
void offsetsOf(const LoopSpace& space, Index position, Index (&out)[3]) {
    for (Index& offset : out) offset = 0;
    for (int level = 0; level < space.levels; ++level) {
        for (int o = 0; o < space.operands; ++o) out[o] += position % space.size[level] * space.stride[level][o];
        position /= space.size[level];
    }
}

/// Byte offsets of every step of the loops, sorted: order is the loops' own business.
std::vector<Offsets> visited(const LoopSpace& space, std::byte* base) {
    std::vector<Offsets> result;
    for (Index p = 0; p < space.numel(); ++p) {
        Index offsets[3];
        offsetsOf(space, p, offsets);
        Offsets o{};
        for (int k = 0; k < space.operands; ++k) o[static_cast<std::size_t>(k)] = space.data[k] - base + offsets[k];
        result.push_back(o);
    }
    std::sort(result.begin(), result.end());
    return result;
}

/// The same by enumerating coords.
std::vector<Offsets> enumerated(const Dims& shape, const std::vector<View>& views, const std::vector<Index>& sizes) {
    std::vector<Offsets> result;
    Index count = 1;
    for (const Index n : shape) count *= n;
    for (Index p = 0; p < count; ++p) {
        Offsets o{};
        for (std::size_t k = 0; k < views.size(); ++k) {
            Index rest = p, slot = views[k].offset;
            const std::size_t missing = shape.size() - views[k].shape.size();
            for (std::size_t d = shape.size(); d-- > 0;) {
                const Index coord = rest % shape[d];
                rest /= shape[d];
                if (d >= missing && views[k].shape[d - missing] != 1) slot += coord * views[k].stride[d - missing];
            }
            o[k] = slot * sizes[k];
        }
        result.push_back(o);
    }
    std::sort(result.begin(), result.end());
    return result;
}

View viewOf(const Dims& shape, const Dims& stride, Index offset = 0) {
    View v;
    v.shape = shape;
    v.stride = stride;
    v.offset = offset;
    return v;
}

LoopSpace build(const Dims& shape, const std::vector<View>& views, const std::vector<Index>& sizes, std::byte* base) {
    std::vector<LoopOperand> operands;
    for (std::size_t k = 0; k < views.size(); ++k)
        operands.push_back({&views[k], base, static_cast<std::size_t>(sizes[k])});
    LoopSpace space;
    buildLoopSpace(space, shape, operands);
    return space;
}

std::byte g_base[1];

} // namespace

class TestLoopSpace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void merging_data() {
        QTest::addColumn<QList<qlonglong>>("shape");
        QTest::addColumn<QList<QList<qlonglong>>>("strides");
        QTest::addColumn<QList<qlonglong>>("sizes"); // innermost first
        using L = QList<qlonglong>;
        using LL = QList<L>;
        QTest::newRow("contiguous") << L{2, 3, 4} << LL{{12, 4, 1}, {12, 4, 1}} << L{24};
        QTest::newRow("row broadcast") << L{3, 4} << LL{{4, 1}, {0, 1}} << L{4, 3};
        QTest::newRow("column broadcast") << L{3, 4} << LL{{4, 1}, {1, 0}} << L{4, 3};
        QTest::newRow("all transposed") << L{3, 4} << LL{{1, 3}, {1, 3}} << L{12};
        QTest::newRow("one transposed") << L{3, 4} << LL{{4, 1}, {1, 3}} << L{4, 3};
        QTest::newRow("size-1 dims with odd strides") << L{1, 3, 1, 4} << LL{{99, 4, 7, 1}, {5, 4, 3, 1}} << L{12};
        QTest::newRow("inner two merge") << L{2, 3, 4} << LL{{12, 4, 1}, {24, 4, 1}} << L{12, 2};
        QTest::newRow("one element") << L{1, 1} << LL{{1, 1}, {1, 1}} << L{1};
        QTest::newRow("no dims") << L{} << LL{{}, {}} << L{1};
        QTest::newRow("one value") << L{3, 4} << LL{{4, 1}, {0, 0}} << L{12};
    }
    void merging() {
        QFETCH(QList<qlonglong>, shape);
        QFETCH(QList<QList<qlonglong>>, strides);
        QFETCH(QList<qlonglong>, sizes);
        Dims dims;
        for (const qlonglong n : shape) dims.push_back(n);
        std::vector<View> views;
        for (const auto& list : strides) {
            Dims stride;
            for (const qlonglong s : list) stride.push_back(s);
            views.push_back(viewOf(dims, stride));
        }
        const LoopSpace space = build(dims, views, {4, 4}, g_base);
        QList<qlonglong> got;
        for (int level = 0; level < space.levels; ++level) got.push_back(space.size[level]);
        QCOMPARE(got, sizes);
    }

    void visitsTheSameOffsets() {
        std::mt19937 random(7);
        const auto pick = [&](int low, int high) {
            return static_cast<Index>(std::uniform_int_distribution(low, high)(random));
        };
        for (int round = 0; round < 4000; ++round) {
            const auto rank = static_cast<std::size_t>(pick(0, 5));
            Dims shape;
            for (std::size_t d = 0; d < rank; ++d) shape.push_back(pick(1, 4));
            std::vector<View> views;
            for (int k = 0; k < 3; ++k) {
                const auto own = k == 0 ? rank : static_cast<std::size_t>(pick(0, static_cast<int>(rank)));
                Dims ownShape, stride;
                for (std::size_t d = rank - own; d < rank; ++d) {
                    ownShape.push_back(k > 0 && pick(0, 3) == 0 ? 1 : shape[d]);
                    stride.push_back(pick(-6, 12));
                }
                views.push_back(viewOf(ownShape, stride, pick(0, 50)));
            }
            const std::vector<Index> sizes{4, 1, 8};
            const LoopSpace space = build(shape, views, sizes, g_base);
            const bool same = visited(space, g_base) == enumerated(shape, views, sizes);
            QVERIFY2(same, qPrintable(QStringLiteral("seed 7, round %1").arg(round)));
        }
    }

    void levelsAreSortedByTheOutput() {
        const Dims shape{5, 6, 7};
        // The input's rows have a gap, so that no two dims merge.
        const LoopSpace space = build(shape, {viewOf(shape, {1, 35, 5}), viewOf(shape, {48, 8, 1})}, {4, 4}, g_base);
        QCOMPARE(space.levels, 3);
        QCOMPARE(space.stride[0][0], Index{4});
        QVERIFY(space.stride[1][0] < space.stride[2][0]);
    }

    void backwardsIsTurnedRound() {
        const Dims shape{6};
        const LoopSpace space = build(shape, {viewOf(shape, {-1}, 5), viewOf(shape, {-1}, 5)}, {4, 4}, g_base);
        QCOMPARE(space.stride[0][0], Index{4});
        QCOMPARE(space.data[0] - g_base, std::ptrdiff_t{0});
        const LoopSpace mixed = build(shape, {viewOf(shape, {1}), viewOf(shape, {-1}, 5)}, {4, 4}, g_base);
        QCOMPARE(mixed.stride[0][1], Index{-4});
    }

    void uniqueProof() {
        const Dims shape{3, 4};
        const auto proven = [&](const Dims& stride) {
            return outputProvenUnique(build(shape, {viewOf(shape, stride)}, {4}, g_base));
        };
        QVERIFY(proven({4, 1}));
        QVERIFY(proven({1, 3}));
        QVERIFY(proven({100, 2}));
        QVERIFY(!proven({3, 1})); // rows share a slot
        QVERIFY(!proven({0, 1}));
        QVERIFY(!proven({1, 1}));
    }

    void fastDivision() {
        std::mt19937 random(3);
        for (std::uint32_t divisor : {1u, 2u, 3u, 5u, 7u, 10u, 64u, 641u, 65535u, 65537u, 1000003u, 0x7fffffffu}) {
            const FastDivider fast(divisor);
            for (std::uint32_t n : {0u, 1u, divisor - 1, divisor, 0x7ffffffeu, 0x7fffffffu})
                QCOMPARE(fast.quotient(n), n / divisor);
            for (int i = 0; i < 2000; ++i) {
                const auto n = static_cast<std::uint32_t>(random() >> 1);
                QCOMPARE(fast.quotient(n), n / divisor);
            }
        }
    }

    void fastDivisionOf64Bits() {
        std::mt19937_64 random(4);
        const Index most = std::numeric_limits<Index>::max();
        for (const Index divisor : {Index{1}, Index{2}, Index{3}, Index{7}, Index{10}, Index{641}, Index{65537},
                                    Index{1} << 32, (Index{1} << 40) + 1, (Index{1} << 62) + 3, most}) {
            const FastDivider64 fast(divisor);
            for (const Index n : {Index{0}, Index{1}, divisor - 1, divisor, most - 1, most})
                QCOMPARE(fast.quotient(n), n / divisor);
            for (int i = 0; i < 2000; ++i) {
                const auto n = static_cast<Index>(random() >> 1);
                QCOMPARE(fast.quotient(n), n / divisor);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestLoopSpace)
#include "tst_loop_space.moc"
