// What views reach, by arithmetic, against going through every element.

#include "core/view/reach_query.h"
#include "tests/support/view_model.h"

#include <QTest>

#include <random>
#include <set>

using namespace stridescope;
using test::Sizes;
using test::ViewModel;

class TestReachQuery : public QObject {
    Q_OBJECT

private slots:
    void randomViews();
    void hugeViews();
};

void TestReachQuery::randomViews() {
    std::mt19937 random(5);
    for (int round = 0; round < 4000; ++round) {
        Sizes shape, stride;
        for (int d = static_cast<int>(random() % 5); d > 0; --d) {
            shape.push_back(static_cast<Index>(random() % 5));
            stride.push_back(static_cast<Index>(random() % 9) - 2);
        }
        const auto model = ViewModel::strided(shape, stride, 60, 1000);
        QVERIFY(model.has_value());
        const View view{Dims(std::span<const Index>(shape)), Dims(std::span<const Index>(stride)), 60};
        const std::set<test::Slot> reached(model->slotList.begin(), model->slotList.end());
        QVERIFY(distinctSlots(view).has_value());
        QCOMPARE(*distinctSlots(view), static_cast<Index>(reached.size()));
        if (model->repeats()) QVERIFY(maySelfOverlap(view));
    }
}

void TestReachQuery::hugeViews() {
    // Repetition by stride 0 names no new slot, at no cost.
    QCOMPARE(distinctSlots(View{{1'000'000'000'000, 3}, {0, 1}, 0}), std::optional<Index>(3));
    QCOMPARE(distinctSlots(*contiguousView(Dims{1000, 1000, 1000})), std::optional<Index>(1'000'000'000));
    // Interleaved and too many to mark.
    QVERIFY(!distinctSlots(View{{3'000'000, 3'000'000}, {1001, 999}, 0}).has_value());
}

QTEST_GUILESS_MAIN(TestReachQuery)
#include "tst_reach_query.moc"
