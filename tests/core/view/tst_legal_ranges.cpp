// Legal ranges of offset, sizes and strides against trying every number.

#include "core/view/legal_ranges.h"

#include <QTest>

#include <limits>

using namespace stridescope;

namespace {

constexpr Index kMax = std::numeric_limits<Index>::max();

bool isLegal(const View& v, Index storageNumel) {
    const auto made = makeView(v.shape, v.stride, v.offset);
    return made.ok() && checkInBounds(*made, storageNumel).ok();
}

/// Tries values from -3 to 12; empty when the range holds exactly the legal ones.
template <class Change>
QString fault(const View& v, Index storageNumel, const LegalRange& range, Index lowestTried, Change change) {
    for (Index value = lowestTried; value <= 12; ++value) {
        View changed = v;
        change(changed) = value;
        if (range.contains(value) != isLegal(changed, storageNumel)) return QStringLiteral("value %1").arg(value);
    }
    return {};
}

} // namespace

class TestLegalRanges : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void inspectorExample();
    void everySmallView();
    void negativeStrides();
    void viewsOutsideTellWhatWouldMend();
    void unboundedNumbers();
    void hugeNumbersDoNotOverflow();
};

void TestLegalRanges::inspectorExample() {
    const ViewRanges ranges = legalRanges(View{{4, 2}, {5, 1}, 1}, 20);
    QVERIFY(ranges.offset == (LegalRange{0, 3}));
    QVERIFY(ranges.size[0] == (LegalRange{0, 4}));
    QVERIFY(ranges.size[1] == (LegalRange{0, 4}));
    QVERIFY(ranges.stride[0] == (LegalRange{0, 5}));
    QVERIFY(ranges.stride[1] == (LegalRange{0, 3}));
}

void TestLegalRanges::everySmallView() {
    constexpr Index kStorage = 8;
    int checked = 0;
    for (Index n0 = 0; n0 <= 3; ++n0) {
        for (Index n1 = 0; n1 <= 3; ++n1) {
            for (Index s0 = 0; s0 <= 5; ++s0) {
                for (Index s1 = 0; s1 <= 3; ++s1) {
                    for (Index offset = 0; offset <= 9; ++offset) {
                        const View v{{n0, n1}, {s0, s1}, offset};
                        const ViewRanges ranges = legalRanges(v, kStorage);
                        QString what =
                            fault(v, kStorage, ranges.offset, -3, [](View& w) -> Index& { return w.offset; });
                        for (std::size_t d = 0; d < 2 && what.isEmpty(); ++d) {
                            what =
                                fault(v, kStorage, ranges.size[d], -3, [d](View& w) -> Index& { return w.shape[d]; });
                            if (what.isEmpty())
                                what = fault(v, kStorage, ranges.stride[d], 0,
                                             [d](View& w) -> Index& { return w.stride[d]; });
                        }
                        if (!what.isEmpty())
                            QFAIL(what.toUtf8() + " of " +
                                  QByteArray::fromStdString(toString(v.shape) + toString(v.stride)) + " + " +
                                  QByteArray::number(offset));
                        ++checked;
                    }
                }
            }
        }
    }
    QCOMPARE(checked, 4 * 4 * 6 * 4 * 10);
}

void TestLegalRanges::negativeStrides() {
    const View v{{3, 2}, {-2, 1}, 5};
    const ViewRanges ranges = legalRanges(v, 8, true);
    QVERIFY(ranges.offset == (LegalRange{4, 6}));
    QVERIFY(ranges.size[0] == (LegalRange{0, 3}));
    QVERIFY(ranges.stride[0] == (LegalRange{-2, 0}));
    QVERIFY(ranges.stride[1] == (LegalRange{-1, 2}));
    for (std::size_t d = 0; d < 2; ++d)
        QVERIFY(fault(v, 8, ranges.stride[d], -9, [d](View& w) -> Index& { return w.stride[d]; }).isEmpty());
}

void TestLegalRanges::viewsOutsideTellWhatWouldMend() {
    const ViewRanges tooLong = legalRanges(View{{30}, {1}, 2}, 20);
    QVERIFY(tooLong.offset.empty());
    QVERIFY(tooLong.size[0] == (LegalRange{0, 18}));
    QVERIFY(tooLong.stride[0] == (LegalRange{0, 0}));
    const ViewRanges tooFar = legalRanges(View{{3}, {1}, 50}, 20);
    QVERIFY(tooFar.offset == (LegalRange{0, 17}));
    QVERIFY(tooFar.size[0] == (LegalRange{0, 0}));
    QVERIFY(tooFar.stride[0].empty());
    const ViewRanges noStorage = legalRanges(View{{1}, {1}, 0}, 0);
    QVERIFY(noStorage.offset.empty());
    QVERIFY(noStorage.size[0] == (LegalRange{0, 0}));
}

void TestLegalRanges::unboundedNumbers() {
    const ViewRanges one = legalRanges(View{{1, 3}, {7, 0}, 0}, 4);
    QVERIFY(one.stride[0] == (LegalRange{0, kMax}));
    QVERIFY(one.size[1] == (LegalRange{0, kMax}));
    const ViewRanges repeated = legalRanges(View{{4, 3}, {0, 1}, 0}, 4);
    QVERIFY(repeated.size[0] == (LegalRange{0, kMax / 3}));
    const ViewRanges empty = legalRanges(View{{0, 5}, {1, 1}, 9}, 4);
    QVERIFY(empty.offset == (LegalRange{0, kMax}));
    QVERIFY(empty.size[1] == (LegalRange{0, kMax}));
    QVERIFY(empty.stride[0] == (LegalRange{0, kMax}));
    QVERIFY(empty.size[0] == (LegalRange{0, 0})); // offset 9 is outside of 4 elements
    const ViewRanges scalar = legalRanges(View{{}, {}, 0}, 4);
    QVERIFY(scalar.offset == (LegalRange{0, 3}));
    QVERIFY(scalar.size.empty());
}

void TestLegalRanges::hugeNumbersDoNotOverflow() {
    const View v{{kMax, kMax}, {kMax, std::numeric_limits<Index>::min()}, kMax};
    const ViewRanges ranges = legalRanges(v, kMax, true);
    QVERIFY(ranges.offset.empty());
    QVERIFY(ranges.size[0].contains(0));
    View many;
    for (int d = 0; d < 64; ++d) {
        many.shape.push_back(kMax);
        many.stride.push_back(kMax);
    }
    QVERIFY(legalRanges(many, kMax).offset.empty());
    QCOMPARE(legalRanges(View{{kMax}, {1}, 0}, kMax).size[0].highest, kMax);
}

QTEST_GUILESS_MAIN(TestLegalRanges)
#include "tst_legal_ranges.moc"
