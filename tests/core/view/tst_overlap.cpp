// The self-overlap verdict against the plain list of slots.

#include "core/view/overlap.h"
#include "core/view/view_ops.h"
#include "tests/support/view_model.h"

#include <QTest>

#include <random>

using namespace stridescope;
using test::Sizes;
using test::ViewModel;

namespace {

/// Empty when the verdict is right, else what is wrong with it.
QString fault(const View& v, bool overlaps) {
    const OverlapVerdict verdict = selfOverlap(v);
    if (verdict.answer == OverlapAnswer::Undecided) return {}; // never wrong; what must be decided is tested by name
    if ((verdict.answer == OverlapAnswer::Overlaps) != overlaps) return QStringLiteral("wrong verdict");
    if (!overlaps) return {};
    const auto& [first, second, slot] = verdict.witness;
    if (first == second || first.size() != v.shape.size() || second.size() != v.shape.size())
        return QStringLiteral("no two coords");
    for (std::size_t d = 0; d < v.shape.size(); ++d)
        if (first[d] < 0 || first[d] >= v.shape[d] || second[d] < 0 || second[d] >= v.shape[d])
            return QStringLiteral("coord outside");
    if (v.slot(first) != slot || v.slot(second) != slot) return QStringLiteral("coords do not share the slot");
    return {};
}

QByteArray words(const QString& what, const View& v) {
    return what.toUtf8() + " " + QByteArray::fromStdString(toString(v.shape) + " " + toString(v.stride));
}

} // namespace

class TestOverlap : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySmallView();
    void randomEightDims();
    void namedCases_data();
    void namedCases();
    void farApartSlotsAreDecided();
    void hugeViewsOfOrdinaryKind();
};

void TestOverlap::everySmallView() {
    // Ranks 0 to 3, sizes 0 to 4, strides -2 to 7.
    std::vector<std::pair<Sizes, Sizes>> cases = {{{}, {}}};
    qint64 decided = 0;
    qint64 overlapping = 0;
    for (std::size_t begin = 0, rank = 0; rank <= 3; ++rank) {
        const std::size_t end = cases.size();
        for (std::size_t i = begin; i < end; ++i) {
            const auto [shape, stride] = cases[i];
            const View v{Dims(std::span<const Index>(shape)), Dims(std::span<const Index>(stride)), 100};
            const auto model = ViewModel::strided(shape, stride, 100, 1000);
            QVERIFY(model.has_value());
            const bool expected = model->repeats();
            const QString what = fault(v, expected);
            if (!what.isEmpty()) QFAIL(words(what, v));
            decided += selfOverlap(v).answer != OverlapAnswer::Undecided;
            overlapping += expected;
            if (rank == 3) continue;
            for (std::int64_t size = rank == 2 ? 2 : 0; size <= 4; ++size) {
                for (std::int64_t step = rank == 2 ? 0 : -2; step <= 7; ++step) {
                    cases.push_back({shape, stride});
                    cases.back().first.push_back(size);
                    cases.back().second.push_back(step);
                }
            }
        }
        begin = end;
    }
    QCOMPARE(decided, static_cast<qint64>(cases.size()));
    QVERIFY(overlapping > 1000);
}

void TestOverlap::randomEightDims() {
    std::mt19937_64 random(8);
    const auto between = [&](Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(random); };
    qint64 overlapping = 0;
    qint64 free = 0;
    constexpr int kCases = 3000;
    for (int i = 0; i < kCases; ++i) {
        Sizes shape;
        Sizes stride;
        // Strides near the smallest that could be free of overlap: the verdict hangs on single numbers.
        Index span = 0;
        for (int d = 0; d < 8; ++d) {
            shape.push_back(between(1, 3));
            stride.push_back(std::max<Index>(1, span + between(-2, 2)));
            if (between(0, 9) == 0) stride.back() = -stride.back();
            span += (shape.back() - 1) * std::abs(stride.back());
        }
        std::vector<std::size_t> order(8);
        for (std::size_t d = 0; d < 8; ++d) order[d] = d;
        std::shuffle(order.begin(), order.end(), random);
        View v;
        v.offset = span;
        Sizes sizes;
        Sizes strides;
        for (const auto d : order) {
            v.shape.push_back(shape[d]);
            v.stride.push_back(stride[d]);
            sizes.push_back(shape[d]);
            strides.push_back(stride[d]);
        }
        const auto model = ViewModel::strided(sizes, strides, span, 2 * span + 1);
        QVERIFY(model.has_value());
        const bool expected = model->repeats();
        (expected ? overlapping : free) += 1;
        const QString what = fault(v, expected);
        if (!what.isEmpty()) QFAIL(words(what, v));
        QVERIFY2(selfOverlap(v).answer != OverlapAnswer::Undecided, words(QString(), v).constData());
    }
    QVERIFY(overlapping > kCases / 20);
    QVERIFY(free > kCases / 20);
}

void TestOverlap::namedCases_data() {
    QTest::addColumn<QList<Index>>("shape");
    QTest::addColumn<QList<Index>>("stride");
    QTest::addColumn<bool>("overlaps");
    QTest::newRow("windows") << QList<Index>{3, 2} << QList<Index>{1, 1} << true;
    QTest::newRow("expanded") << QList<Index>{3, 4} << QList<Index>{1, 0} << true;
    QTest::newRow("expanded huge") << QList<Index>{1'000'000'000'000'000} << QList<Index>{0} << true;
    QTest::newRow("stride 0 of one element") << QList<Index>{1, 4} << QList<Index>{0, 1} << false;
    QTest::newRow("empty") << QList<Index>{0, 4} << QList<Index>{0, 0} << false;
    QTest::newRow("scalar") << QList<Index>{} << QList<Index>{} << false;
    QTest::newRow("interleaved, free") << QList<Index>{3, 2} << QList<Index>{2, 3} << false;
    QTest::newRow("interleaved, shared") << QList<Index>{4, 3} << QList<Index>{2, 3} << true;
    QTest::newRow("one back, one on") << QList<Index>{2, 2} << QList<Index>{5, -5} << true;
    QTest::newRow("coprime, free") << QList<Index>{1000, 999} << QList<Index>{999, 1000} << false;
    QTest::newRow("coprime, shared") << QList<Index>{1001, 1000} << QList<Index>{999, 1000} << true;
    QTest::newRow("images in windows") << QList<Index>{100, 3, 31, 31, 2, 2} << QList<Index>{3072, 1024, 32, 1, 32, 1}
                                       << true;
    QTest::newRow("10^9 windows") << QList<Index>{999'999'998, 3} << QList<Index>{1, 1} << true;
}

void TestOverlap::namedCases() {
    QFETCH(QList<Index>, shape);
    QFETCH(QList<Index>, stride);
    QFETCH(bool, overlaps);
    View v;
    for (const Index size : shape) v.shape.push_back(size);
    for (const Index step : stride) v.stride.push_back(step);
    v.offset = 10;
    const QString what = fault(v, overlaps);
    QVERIFY2(what.isEmpty(), what.toUtf8().constData());
    QVERIFY(selfOverlap(v).answer != OverlapAnswer::Undecided);
}

void TestOverlap::farApartSlotsAreDecided() {
    // Powers of 3 shifted by a little: no bitmap could hold the reach.
    View v;
    Index stride = Index{1} << 50;
    for (int d = 0; d < 8; ++d) {
        v.shape.push_back(3);
        v.stride.push_back(stride);
        stride /= 7;
    }
    QVERIFY(selfOverlap(v).answer == OverlapAnswer::None);
    v.stride[7] = v.stride[0] - v.stride[1];
    QVERIFY2(fault(v, true).isEmpty(), "overlap of three far steps");
    QVERIFY(selfOverlap(v).answer == OverlapAnswer::Overlaps);
}

void TestOverlap::hugeViewsOfOrdinaryKind() {
    const View big = *contiguousView(Dims{1000, 1000, 1000});
    QVERIFY(selfOverlap(big).answer == OverlapAnswer::None);
    QVERIFY(selfOverlap(*permute(big, Dims{2, 0, 1})).answer == OverlapAnswer::None);
    QVERIFY(selfOverlap(*diagonal(big)).answer == OverlapAnswer::None);
    QVERIFY(selfOverlap(*slice(big, 1, 3, std::nullopt, 7)).answer == OverlapAnswer::None);
    QVERIFY(selfOverlap(*unfold(big, 2, 5, 5)).answer == OverlapAnswer::None);
    QVERIFY(selfOverlap(*unfold(big, 2, 5, 4)).answer == OverlapAnswer::Overlaps);
}

QTEST_GUILESS_MAIN(TestOverlap)
#include "tst_overlap.moc"
