// Why view works or not: merge rules, runs, shapes to try, ways out.

#include "core/view/view_ops.h"
#include "core/view/view_verdict.h"

#include <QTest>

using namespace stridescope;

namespace {

/// The table of the picture: "(2, 6) copy", "(4, 3) (1, 4)".
QByteArrayList table(const std::vector<ShapeCandidate>& candidates) {
    QByteArrayList rows;
    for (const ShapeCandidate& candidate : candidates)
        rows.append(QByteArray::fromStdString(toString(candidate.shape) + " " +
                                              (candidate.isView ? toString(candidate.stride) : std::string("copy"))));
    return rows;
}

const View kColumn{{4, 3}, {1, 4}, 0}; // arange(12).view(3, 4).t()

} // namespace

class TestViewVerdict : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mergeRulesOfPairs();
    void freePairsAlwaysMerge();
    void runs_data();
    void runs();
    void shapesToTry();
    void shapesAreAlwaysTrue();
    void waysOutOfTheColumn();
    void nearestShapeSplitsTheWantedOne();
    void noWaysOutOfWhatWorks();
};

void TestViewVerdict::mergeRulesOfPairs() {
    const std::vector<MergeRule> rules = mergeRules(kColumn);
    QCOMPARE(rules.size(), std::size_t{1});
    QCOMPARE(rules[0].stride, Index{1});
    QCOMPARE(rules[0].innerStride, Index{4});
    QCOMPARE(rules[0].innerSize, Index{3});
    QCOMPARE(rules[0].wantedStride, Index{12});
    QVERIFY(!rules[0].merges);
    QVERIFY(!rules[0].isFree);
    const std::vector<MergeRule> three = mergeRules(View{{3, 2, 4}, {4, 12, 1}, 0});
    QVERIFY(!three[0].merges);
    QCOMPARE(three[0].wantedStride, Index{24});
    QVERIFY(!three[1].merges);
    QVERIFY(mergeRules(*contiguousView(Dims{2, 3}))[0].merges);
    QVERIFY(mergeRules(*contiguousView(Dims{})).empty());
    QVERIFY(mergeRules(*contiguousView(Dims{5})).empty());
}

void TestViewVerdict::freePairsAlwaysMerge() {
    const std::vector<MergeRule> rules = mergeRules(View{{3, 1, 4}, {7, 99, 2}, 0});
    QVERIFY(rules[0].isFree && rules[0].merges);
    QVERIFY(rules[1].isFree && rules[1].merges);
    QVERIFY(mergeRules(View{{3, 0}, {7, 99}, 0})[0].isFree);
}

void TestViewVerdict::runs_data() {
    QTest::addColumn<QList<Index>>("shape");
    QTest::addColumn<QList<Index>>("stride");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("contiguous") << QList<Index>{2, 3, 4} << QList<Index>{12, 4, 1} << QByteArray("(24,) (1,)");
    QTest::newRow("column") << QList<Index>{4, 3} << QList<Index>{1, 4} << QByteArray("(4, 3) (1, 4)");
    QTest::newRow("narrowed rows") << QList<Index>{2, 3, 2} << QList<Index>{12, 4, 1} << QByteArray("(6, 2) (4, 1)");
    QTest::newRow("size 1 is dropped") << QList<Index>{3, 1, 4} << QList<Index>{4, 99, 1} << QByteArray("(12,) (1,)");
    QTest::newRow("scalar") << QList<Index>{1, 1} << QList<Index>{5, 5} << QByteArray("() ()");
    QTest::newRow("repeated") << QList<Index>{2, 3} << QList<Index>{0, 0} << QByteArray("(6,) (0,)");
    QTest::newRow("empty") << QList<Index>{2, 0} << QList<Index>{3, 1} << QByteArray("(0,) (1,)");
}

void TestViewVerdict::runs() {
    QFETCH(QList<Index>, shape);
    QFETCH(QList<Index>, stride);
    QFETCH(QByteArray, expected);
    View v;
    v.shape = Dims(std::span<const Index>(shape.constData(), static_cast<std::size_t>(shape.size())));
    v.stride = Dims(std::span<const Index>(stride.constData(), static_cast<std::size_t>(stride.size())));
    v.offset = 3;
    const View merged = mergedRuns(v);
    QCOMPARE(QByteArray::fromStdString(toString(merged.shape) + " " + toString(merged.stride)), expected);
    QCOMPARE(merged.offset, Index{3});
    const auto made = viewAs(v, merged.shape);
    QVERIFY(made.ok());
    QVERIFY(merged.shape.empty() || made->stride == merged.stride);
}

void TestViewVerdict::shapesToTry() {
    const QByteArrayList expected = {
        "(12,) copy",          "(2, 6) copy",         "(6, 2) copy",          "(3, 4) copy",         "(4, 3) (1, 4)",
        "(2, 2, 3) (2, 1, 4)", "(4, 3, 1) (1, 4, 4)", "(4, 1, 3) (1, 12, 4)", "(1, 4, 3) (4, 1, 4)", "(2, 3, 2) copy"};
    QCOMPARE(table(shapeCandidates(kColumn, Dims{12})), expected);
    QCOMPARE(shapeCandidates(kColumn, Dims{12}, 3).size(), std::size_t{3});
}

void TestViewVerdict::shapesAreAlwaysTrue() {
    const std::vector<View> views = {kColumn,
                                     View{{3, 2}, {4, 1}, 0},
                                     View{{0, 3}, {5, 1}, 0},
                                     View{{}, {}, 4},
                                     View{{7}, {3}, 0},
                                     View{{5, 3, 32, 32}, {3072, 1, 96, 3}, 0},
                                     View{{1'000'000'000'000'000, 3}, {0, 1}, 0}};
    for (const View& v : views) {
        const std::vector<ShapeCandidate> candidates = shapeCandidates(v, v.shape, 12);
        QVERIFY(!candidates.empty() && candidates.size() <= 12);
        QVERIFY(candidates.front().shape == v.shape);
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) QVERIFY(candidates[i].shape != candidates[k].shape);
            const auto made = viewAs(v, candidates[i].shape);
            QCOMPARE(made.ok(), candidates[i].isView);
            if (made) QVERIFY(made->stride == candidates[i].stride);
        }
    }
}

void TestViewVerdict::waysOutOfTheColumn() {
    const std::vector<WayOut> ways = waysOut(kColumn, Dims{12});
    QCOMPARE(ways.size(), std::size_t{3});
    QVERIFY(ways[0].kind == WayOutKind::Reshape);
    QVERIFY(ways[0].shape == Dims{12} && ways[0].stride == Dims{1});
    QCOMPARE(ways[0].copiedElements, Index{12});
    QVERIFY(ways[1].kind == WayOutKind::ContiguousView);
    QCOMPARE(ways[1].copiedElements, Index{12});
    QVERIFY(ways[2].kind == WayOutKind::OtherShape);
    QVERIFY(ways[2].shape == (Dims{2, 2, 3}) && ways[2].stride == (Dims{2, 1, 4}));
    QCOMPARE(ways[2].copiedElements, Index{0});
    const std::vector<Dims> more = {Dims{4, 3, 1}, Dims{4, 1, 3}, Dims{1, 4, 3}};
    QVERIFY(ways[2].alsoFit == more);
}

void TestViewVerdict::nearestShapeSplitsTheWantedOne() {
    // (6, 4) as (3, 8): the 8 would walk over the end of a run of 4, so it is split there.
    const View turned{{6, 4}, {1, 6}, 0};
    const std::vector<WayOut> ways = waysOut(turned, Dims{3, 8});
    QCOMPARE(ways.size(), std::size_t{3});
    QVERIFY(ways[2].shape == (Dims{3, 2, 4}));
    QVERIFY(ways[2].stride == (Dims{2, 1, 6}));
}

void TestViewVerdict::noWaysOutOfWhatWorks() {
    QVERIFY(waysOut(kColumn, Dims{2, 2, 3}).empty());
    QVERIFY(waysOut(kColumn, Dims{5}).empty());
    QVERIFY(waysOut(*contiguousView(Dims{3, 4}), Dims{12}).empty());
}

QTEST_GUILESS_MAIN(TestViewVerdict)
#include "tst_view_verdict.moc"
