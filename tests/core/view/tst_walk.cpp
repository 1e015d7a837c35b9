// The walk and the cache-line model against going through every element.

#include "core/view/view_ops.h"
#include "core/view/walk.h"
#include "tests/support/view_model.h"

#include <QTest>

#include <random>
#include <set>

using namespace stridescope;
using test::Sizes;
using test::ViewModel;

namespace {

Index linesOf(const ViewModel& model, Index perLine) {
    std::set<Index> lines;
    for (const Index slot : model.slotList) lines.insert(slot / perLine);
    return static_cast<Index>(lines.size());
}

/// Empty when steps and jumps are those of the list of slots.
QString walkFault(const View& v, const ViewModel& model) {
    const Walk walk = walkOf(v);
    const auto& reads = model.slotList;
    if (walk.numel != static_cast<Index>(reads.size())) return QStringLiteral("numel");
    Index smallest = 0;
    for (std::size_t i = 1; i < reads.size(); ++i) {
        const Index length = std::abs(reads[i] - reads[i - 1]);
        smallest = i == 1 ? length : std::min(smallest, length);
    }
    bool forward = false, ahead = smallest == 0;
    for (std::size_t i = 1; i < reads.size(); ++i) {
        const Index step = reads[i] - reads[i - 1];
        forward = forward || (step > 0 && step <= std::max<Index>(smallest, 1));
        ahead = ahead || step == smallest;
    }
    if (walk.smallestStep != (ahead ? smallest : -smallest)) return QStringLiteral("smallest step");
    Index jumps = 0;
    for (std::size_t i = 1; i < reads.size(); ++i) {
        const Index step = reads[i] - reads[i - 1];
        jumps += std::abs(step) > std::max<Index>(smallest, 1) || (step < 0 && forward);
        if (jumpsWithin(walk, v, static_cast<Index>(i)) != jumps) return QStringLiteral("jumps up to %1").arg(i);
    }
    if (walk.jumps != jumps) return QStringLiteral("jumps");
    Index steps = 0;
    for (const WalkStepKind& kind : walk.kinds) {
        Index count = 0;
        steps += kind.count;
        // Every step that advances this dim has the told length.
        for (std::size_t i = 1; i < reads.size(); ++i) {
            const Dims before = coordOfPosition(v, static_cast<Index>(i) - 1);
            const Dims after = coordOfPosition(v, static_cast<Index>(i));
            std::size_t advanced = 0;
            while (after[advanced] <= before[advanced]) ++advanced;
            if (static_cast<Index>(advanced) != kind.dim) continue;
            ++count;
            if (reads[i] - reads[i - 1] != kind.step) return QStringLiteral("step of dim %1").arg(kind.dim);
        }
        if (count != kind.count) return QStringLiteral("count of dim %1").arg(kind.dim);
    }
    if (steps != std::max<Index>(walk.numel - 1, 0)) return QStringLiteral("number of steps");
    const std::vector<Index> visited = visitedSlots(v, 0, walk.numel);
    if (visited != reads) return QStringLiteral("visited slots");
    if (reads.size() > 3 && visitedSlots(v, 2, 2) != std::vector<Index>{reads[2], reads[3]})
        return QStringLiteral("visited slots in the middle");
    return {};
}

} // namespace

class TestWalk : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void inspectorExample();
    void straightWalks();
    void everySmallView();
    void randomLines();
    void hugeViews();
    void emptyViews();
};

void TestWalk::inspectorExample() {
    const View b{{4, 2}, {5, 1}, 1};
    const Walk walk = walkOf(b);
    QCOMPARE(walk.numel, Index{8});
    QCOMPARE(walk.smallestStep, Index{1});
    QCOMPARE(walk.jumps, Index{3});
    QCOMPARE(walk.kinds.size(), std::size_t{2});
    QVERIFY(walk.kinds[0] == (WalkStepKind{1, 1, 4}));
    QVERIFY(walk.kinds[1] == (WalkStepKind{0, 4, 3}));
    QVERIFY(!walk.isStraight());
    const CacheLines lines = cacheLines(b, 20, 8);
    QCOMPARE(lines.touched, Index{3});
    QCOMPARE(lines.ofStorage, Index{3});
    QVERIFY(lines.exact);
}

void TestWalk::straightWalks() {
    QVERIFY(walkOf(*contiguousView(Dims{2, 3, 4})).kinds.size() == 3);
    QCOMPARE(walkOf(*contiguousView(Dims{2, 3, 4})).jumps, Index{0});
    QVERIFY(walkOf(View{{24}, {1}, 3}).isStraight());
    QVERIFY(!walkOf(View{{24}, {2}, 3}).isStraight());
    QCOMPARE(walkOf(View{{3, 4}, {1, 0}, 0}).jumps, Index{0}); // staying and going on by one are no jumps
    QCOMPARE(walkOf(View{{4, 3}, {1, 4}, 0}).jumps, Index{3});
    QCOMPARE(walkOf(View{{4, 3}, {1, 1}, 0}).jumps, Index{3}); // 0 1 2, back to 1 2 3: one step, but backwards
    QCOMPARE(walkOf(View{{4}, {-1}, 3}).jumps, Index{0});      // backwards all the way
    QCOMPARE(walkOf(View{{4}, {-1}, 3}).smallestStep, Index{-1});
    // The shortest step goes backwards: 12 × +12, 8 × -8, 3 × -19.
    const Walk turned = walkOf(View{{4, 3, 2}, {1, 4, 12}, 0});
    QCOMPARE(turned.smallestStep, Index{-8});
    QCOMPARE(turned.jumps, Index{15});
}

void TestWalk::everySmallView() {
    int checked = 0;
    for (Index n0 = 1; n0 <= 3; ++n0) {
        for (Index n1 = 1; n1 <= 3; ++n1) {
            for (Index n2 = 0; n2 <= 3; ++n2) {
                for (Index s0 = -1; s0 <= 9; s0 += 2) {
                    for (Index s1 = 0; s1 <= 4; ++s1) {
                        for (Index s2 = -1; s2 <= 2; ++s2) {
                            const View v{{n0, n1, n2}, {s0, s1, s2}, 8};
                            const auto model = ViewModel::strided({n0, n1, n2}, {s0, s1, s2}, 8, 100);
                            QVERIFY(model.has_value());
                            QString what = walkFault(v, *model);
                            const CacheLines lines = cacheLines(v, 64, 16);
                            if (!lines.exact || lines.touched != linesOf(*model, 4)) what += QStringLiteral(" lines");
                            std::set<Index> seen;
                            for (Index k = 0; k < v.numel(); ++k) {
                                seen.insert(visitedSlots(v, k, 1).front() / 4);
                                const CacheLines part = cacheLinesSoFar(v, k + 1, 64, 16);
                                if (!part.exact || part.touched != std::ssize(seen)) what += QStringLiteral(" so far");
                            }
                            if (!what.isEmpty())
                                QFAIL(what.toUtf8() + " " +
                                      QByteArray::fromStdString(toString(v.shape) + toString(v.stride)));
                            ++checked;
                        }
                    }
                }
            }
        }
    }
    QCOMPARE(checked, 3 * 3 * 4 * 6 * 5 * 4);
}

void TestWalk::randomLines() {
    std::mt19937_64 random(4);
    const auto between = [&](Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(random); };
    for (int i = 0; i < 4000; ++i) {
        Sizes shape;
        Sizes stride;
        for (Index d = between(1, 4); d > 0; --d) {
            shape.push_back(between(1, 6));
            stride.push_back(between(0, 3) == 0 ? between(0, 8) : between(0, 200));
        }
        const Index offset = between(0, 40);
        const View v{Dims(std::span<const Index>(shape)), Dims(std::span<const Index>(stride)), offset};
        const auto model = ViewModel::strided(shape, stride, offset, 100'000);
        QVERIFY(model.has_value());
        const Index itemsize = Index{1} << between(0, 3);
        const CacheLines lines = cacheLines(v, 100'000, itemsize);
        const Index expected = linesOf(*model, 64 / itemsize);
        if (!lines.exact || lines.touched != expected)
            QFAIL(QByteArray::fromStdString(toString(shape) + toString(stride)) + " " + QByteArray::number(expected) +
                  " not " + QByteArray::number(lines.touched));
    }
}

void TestWalk::hugeViews() {
    const View big = *contiguousView(Dims{1000, 1000, 1000});
    const CacheLines all = cacheLines(big, big.numel(), 4);
    QVERIFY(all.exact);
    QCOMPARE(all.touched, Index{62'500'000});
    const View column = *select(*contiguousView(Dims{4096, 4096}), 1, 7);
    QCOMPARE(cacheLines(column, 4096 * 4096, 4).touched, Index{4096});
    const View pairs = *narrow(*contiguousView(Dims{1'000'000, 1000}), 1, 15, 2);
    const CacheLines lines = cacheLines(pairs, 1'000'000'000, 4);
    QVERIFY(lines.exact);
    // Rows begin 1000 = 62 * 16 + 8 elements apart: places 15 and 7 in a line take turns.
    QCOMPARE(lines.touched, Index{1'500'000});
    const View repeated{{1'000'000'000'000'000, 3}, {0, 1}, 0};
    QCOMPARE(cacheLines(repeated, 3, 8).touched, Index{1});
    QCOMPARE(walkOf(repeated).numel, Index{3'000'000'000'000'000});
    // Interleaved and too many to mark: an upper bound that says so.
    const View tangled{{3'000'000, 3'000'000}, {1001, 999}, 0};
    const CacheLines bound = cacheLines(tangled, 7'000'000'000, 8);
    QVERIFY(!bound.exact);
    QVERIFY(bound.touched <= bound.ofStorage);
    const CacheLines part = cacheLinesSoFar(big, 1'000'000, big.numel(), 4);
    QVERIFY(!part.exact && part.touched == 1'000'000 && part.ofStorage == 62'500'000);
    const Walk walk = walkOf(*permute(big, Dims{2, 1, 0}));
    QCOMPARE(walk.smallestStep, Index{1'000'000});
    QCOMPARE(walk.kinds.back().step, 1 - 999 * Index{1000} - 999 * Index{1'000'000});
}

void TestWalk::emptyViews() {
    const View empty = *contiguousView(Dims{3, 0});
    QVERIFY(walkOf(empty).kinds.empty());
    QCOMPARE(walkOf(empty).numel, Index{0});
    QVERIFY(visitedSlots(empty, 0, 10).empty());
    QCOMPARE(cacheLines(empty, 0, 8).touched, Index{0});
    QCOMPARE(cacheLines(empty, 0, 8).ofStorage, Index{0});
    const View scalar = *contiguousView(Dims{});
    QVERIFY(walkOf(scalar).isStraight());
    QVERIFY(visitedSlots(scalar, 0, 10) == std::vector<Index>{0});
    QVERIFY(visitedSlots(scalar, 1, 10).empty());
}

QTEST_GUILESS_MAIN(TestWalk)
#include "tst_walk.moc"
