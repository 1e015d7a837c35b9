// Which slots of a window a view reaches, against plain enumeration.

#include "tests/support/qt/scene_gallery.h"
#include "widgets/scene/reach_marks.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

#include <map>

using namespace stridescope;

class TstReachMarks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hugeCounts();
    void agreesWithEnumeration();
    void hugeViews_data();
    void hugeViews();
    void heavyOverlapStaysTrue();
    void emptyViewsReachNothing();
};

void TstReachMarks::agreesWithEnumeration() {
    QRandomGenerator random(20240607);
    for (int round = 0; round < 3000; ++round) {
        View view;
        const int dims = random.bounded(5);
        Index numel = 1;
        for (int d = 0; d < dims; ++d) {
            view.shape.push_back(random.bounded(5));
            view.stride.push_back(random.bounded(-6, 9));
            numel *= view.shape.back();
        }
        view.offset = random.bounded(60);
        struct Hit {
            std::uint32_t count = 0;
            Index order = -1;
        };
        std::map<Index, Hit> expected;
        for (Index k = 0; k < numel; ++k) {
            Index rest = k, slot = view.offset;
            for (std::size_t d = view.shape.size(); d-- > 0;) {
                slot += rest % view.shape[d] * view.stride[d];
                rest /= view.shape[d];
            }
            Hit& hit = expected[slot];
            ++hit.count;
            if (hit.order < 0) hit.order = k;
        }
        const Index first = random.bounded(-20, 60);
        const SlotRange window{first, first + random.bounded(1, 40)};
        const ReachQuery query(view);
        const ReachMarks marks = query.mark(window, true);
        QVERIFY(marks.complete);
        bool any = false;
        for (Index slot = window.first; slot < window.last; ++slot) {
            const auto at = static_cast<std::size_t>(slot - window.first);
            const auto it = expected.find(slot);
            const Hit hit = it == expected.end() ? Hit() : it->second;
            const QString where = QStringLiteral("round %1 slot %2").arg(round).arg(slot);
            QVERIFY2(marks.count[at] == hit.count, qPrintable(where));
            QVERIFY2(marks.order[at] == hit.order, qPrintable(where));
            any = any || hit.count > 0;
        }
        QCOMPARE(query.any(window), any);
        if (!expected.empty()) {
            QCOMPARE(query.span().first, expected.begin()->first);
            QCOMPARE(query.span().last, expected.rbegin()->first + 1);
        } else {
            QVERIFY(query.span().empty());
        }
    }
}

void TstReachMarks::hugeViews_data() {
    QTest::addColumn<qint64>("rows");
    QTest::addColumn<qint64>("cols");
    QTest::addColumn<qint64>("rowStride");
    QTest::addColumn<qint64>("colStride");
    const qint64 m = 1000000;
    QTest::newRow("contiguous") << m << m << m << qint64{1};
    QTest::newRow("transposed") << m << m << qint64{1} << m;
    QTest::newRow("every other") << m << m << 2 * m << qint64{2};
    QTest::newRow("expanded") << m << m << qint64{0} << qint64{1};
}

void TstReachMarks::hugeViews() {
    QFETCH(qint64, rows);
    QFETCH(qint64, cols);
    QFETCH(qint64, rowStride);
    QFETCH(qint64, colStride);
    const View view = test::makeViewOf({rows, cols}, {rowStride, colStride}, 5);
    const Index middle = rowStride == 0 ? 500000 : Index{400000123456};
    const ReachMarks marks = ReachQuery(view).mark({middle, middle + 2000}, true);
    QVERIFY(marks.complete);
    for (std::size_t i = 0; i < marks.count.size(); ++i) {
        const Index slot = middle + static_cast<Index>(i) - 5;
        Index row = 0, col = 0;
        bool hit = true;
        if (rowStride == 0) {
            col = slot;
        } else if (rowStride > colStride) {
            row = slot / rowStride;
            hit = slot % rowStride % colStride == 0 && slot % rowStride / colStride < cols;
            col = slot % rowStride / colStride;
        } else {
            col = slot / colStride;
            row = slot % colStride;
        }
        QCOMPARE(marks.count[i] > 0, hit);
        if (hit) QCOMPARE(marks.order[i], row * cols + col);
    }
    if (rowStride == 0) QCOMPARE(marks.overlap(middle), 1u);
}

void TstReachMarks::heavyOverlapStaysTrue() {
    // Every slot of the middle is named a million times: counting is cut, truth is not.
    const View view = test::makeViewOf({1000000, 1000000}, {1, 1}, 0);
    const SlotRange window{1000000, 1000400};
    const ReachMarks marks = ReachQuery(view).mark(window, true);
    QVERIFY(!marks.complete);
    for (Index slot = window.first; slot < window.last; ++slot) {
        QVERIFY(marks.reached(slot));
        // The first coord in row-major order that lands there: (slot - 999999, 999999).
        QCOMPARE(marks.order[static_cast<std::size_t>(slot - window.first)], (slot - 999999) * 1000000 + 999999);
    }
    QVERIFY(ReachQuery(view).any({1999998, 2000010}));
    QVERIFY(!ReachQuery(view).any({1999999, 2000010}));
}

void TstReachMarks::emptyViewsReachNothing() {
    const ReachQuery query(test::makeViewOf({3, 0}, {4, 1}, 2));
    QVERIFY(!query.any({0, 100}));
    const ReachMarks marks = query.mark({0, 10}, true);
    for (Index slot = 0; slot < 10; ++slot) QVERIFY(!marks.reached(slot));
    // A 0-d view reaches its one cell.
    const ReachMarks one = ReachQuery(test::makeViewOf({}, {}, 7)).mark({5, 9}, true);
    QVERIFY(one.reached(7));
    QVERIFY(!one.reached(6));
    QCOMPARE(one.order[2], Index{0});
}

void TstReachMarks::hugeCounts() {
    // A count is told as it is, however large.
    const Index many = 1'000'000'000'000'000;
    const ReachMarks all = ReachQuery(View{{many}, {0}, 0}).mark({0, 3});
    QCOMPARE(static_cast<Index>(all.count[0]), many);
    QCOMPARE(static_cast<Index>(all.overlap(0)), Index{1});
    QVERIFY(!all.reached(1));
    const ReachMarks twice = ReachQuery(View{{2, many}, {0, 0}, 1}).mark({0, 3});
    QCOMPARE(static_cast<Index>(twice.count[1]), 2 * many);
}

QTEST_GUILESS_MAIN(TstReachMarks)
#include "tst_reach_marks.moc"
