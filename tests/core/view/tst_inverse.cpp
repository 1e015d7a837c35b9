// From slots back to coords, against the plain list of slots.

#include "core/view/inverse.h"
#include "core/view/view_ops.h"
#include "tests/support/view_model.h"

#include <QTest>

#include <map>
#include <random>

using namespace stridescope;
using test::Sizes;
using test::ViewModel;

namespace {

/// Empty when the hits for every slot near the view's reach are the model's, in row-major order.
QString fault(const View& v, const ViewModel& model) {
    std::map<Index, std::vector<Sizes>> expected;
    std::size_t position = 0;
    test::forEachCoord(model.shape, [&](const Sizes& coord) { expected[model.slotList[position++]].push_back(coord); });
    const Index lowest = expected.empty() ? v.offset : expected.begin()->first;
    const Index highest = expected.empty() ? v.offset : expected.rbegin()->first;
    for (Index slot = lowest - 2; slot <= highest + 2; ++slot) {
        const InverseHits hits = coordsAt(v, slot);
        const auto found = expected.find(slot);
        const std::vector<Sizes> none;
        const std::vector<Sizes>& wanted = found == expected.end() ? none : found->second;
        if (!hits.complete) return QStringLiteral("not complete at slot %1").arg(slot);
        if (hits.coords.size() != wanted.size()) return QStringLiteral("count at slot %1").arg(slot);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (Sizes(hits.coords[i].begin(), hits.coords[i].end()) != wanted[i])
                return QStringLiteral("hit %1 at slot %2").arg(i).arg(slot);
        if (reaches(v, slot) != !wanted.empty()) return QStringLiteral("reaches at slot %1").arg(slot);
    }
    return {};
}

} // namespace

class TestInverse : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySmallView();
    void randomViews();
    void billionElements_data();
    void billionElements();
    void limitCutsTheList();
    void slotsOutsideAreNotHit();
};

void TestInverse::everySmallView() {
    int checked = 0;
    for (Index n0 = 0; n0 <= 4; ++n0) {
        for (Index n1 = 1; n1 <= 3; ++n1) {
            for (Index s0 = -3; s0 <= 7; ++s0) {
                for (Index s1 = -2; s1 <= 4; ++s1) {
                    const View v{Dims{n0, n1}, Dims{s0, s1}, 30};
                    const auto model = ViewModel::strided({n0, n1}, {s0, s1}, 30, 100);
                    QVERIFY(model.has_value());
                    const QString what = fault(v, *model);
                    if (!what.isEmpty())
                        QFAIL((what + QStringLiteral(" sizes %1 %2 strides %3 %4").arg(n0).arg(n1).arg(s0).arg(s1))
                                  .toUtf8());
                    ++checked;
                }
            }
        }
    }
    QCOMPARE(checked, 5 * 3 * 11 * 7);
    QVERIFY(fault(View{{}, {}, 3}, *ViewModel::strided({}, {}, 3, 10)).isEmpty());
}

void TestInverse::randomViews() {
    std::mt19937_64 random(3);
    const auto between = [&](Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(random); };
    for (int i = 0; i < 2000; ++i) {
        Sizes shape;
        Sizes stride;
        for (Index d = between(1, 6); d > 0; --d) {
            shape.push_back(between(1, 3));
            stride.push_back(between(-4, 12));
        }
        const auto model = ViewModel::strided(shape, stride, 60, 300);
        QVERIFY(model.has_value());
        const View v{Dims(std::span<const Index>(shape)), Dims(std::span<const Index>(stride)), 60};
        const QString what = fault(v, *model);
        if (!what.isEmpty()) QFAIL((what + QString::fromStdString(toString(shape) + toString(stride))).toUtf8());
    }
}

void TestInverse::billionElements_data() {
    QTest::addColumn<QList<Index>>("order");
    QTest::addColumn<Index>("step");
    QTest::newRow("row-major") << QList<Index>{0, 1, 2} << Index{1};
    QTest::newRow("turned") << QList<Index>{2, 0, 1} << Index{1};
    QTest::newRow("turned round") << QList<Index>{2, 1, 0} << Index{1};
    QTest::newRow("every third") << QList<Index>{1, 2, 0} << Index{3};
}

void TestInverse::billionElements() {
    QFETCH(QList<Index>, order);
    QFETCH(Index, step);
    const View big = *contiguousView(Dims{1000, 1000, 1000});
    const auto turned = permute(big, std::span<const Index>(order.constData(), 3));
    QVERIFY(turned.ok());
    const auto v = slice(*turned, 0, std::nullopt, std::nullopt, step);
    QVERIFY(v.ok());
    std::mt19937_64 random(5);
    for (int i = 0; i < 2000; ++i) {
        Dims coord;
        for (const Index size : v->shape) coord.push_back(std::uniform_int_distribution<Index>(0, size - 1)(random));
        const InverseHits hits = coordsAt(*v, v->slot(coord));
        QVERIFY(hits.complete);
        QCOMPARE(hits.coords.size(), std::size_t{1});
        QVERIFY(hits.coords.front() == coord);
    }
}

void TestInverse::limitCutsTheList() {
    const View windows{Dims{1'000'000, 1000}, Dims{1, 1}, 0};
    const InverseHits some = coordsAt(windows, 500'000, 10);
    QCOMPARE(some.coords.size(), std::size_t{10});
    QVERIFY(!some.complete);
    QVERIFY(some.coords.front() == (Dims{499'001, 999}));
    QVERIFY(some.coords.back() == (Dims{499'010, 990}));
    const InverseHits all = coordsAt(windows, 500'000);
    QCOMPARE(all.coords.size(), std::size_t{1000});
    QVERIFY(all.complete);

    const View repeated{Dims{1'000'000'000'000'000, 3}, Dims{0, 1}, 0};
    const InverseHits first = coordsAt(repeated, 2, 5);
    QCOMPARE(first.coords.size(), std::size_t{5});
    QVERIFY(!first.complete);
    QVERIFY(first.coords.back() == (Dims{4, 2}));
    QVERIFY(coordsAt(repeated, 3).coords.empty());
    QVERIFY(reaches(repeated, 2));
    const InverseHits none = coordsAt(repeated, 2, 0);
    QVERIFY(none.coords.empty() && !none.complete);
}

void TestInverse::slotsOutsideAreNotHit() {
    const View v{Dims{4, 2}, Dims{5, 1}, 1};
    for (const Index slot : {Index{-1}, Index{0}, Index{3}, Index{18}, std::numeric_limits<Index>::max(),
                             std::numeric_limits<Index>::min()}) {
        QVERIFY(coordsAt(v, slot).coords.empty());
        QVERIFY(coordsAt(v, slot).complete);
        QVERIFY(!reaches(v, slot));
    }
    QVERIFY(coordsAt(View{Dims{0, 3}, Dims{3, 1}, 0}, 0).coords.empty());
    QVERIFY(coordsAt(v, 12).coords.front() == (Dims{2, 1}));
}

QTEST_GUILESS_MAIN(TestInverse)
#include "tst_inverse.moc"
