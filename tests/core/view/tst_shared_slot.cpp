// The verdict on places that two views share, against a plain list of the places of each.

#include "core/view/checked.h"
#include "core/view/shared_slot.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <vector>

using namespace stridescope;

namespace {

/// Every slot that the view names, by counting through its coords; the model that the arithmetic is held against.
std::vector<Index> slotsOf(const View& v) {
    std::vector<Index> places{v.offset};
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        std::vector<Index> next;
        for (const Index base : places)
            for (Index i = 0; i < v.shape[d]; ++i) next.push_back(base + i * v.stride[d]);
        places = std::move(next);
    }
    return places;
}

bool sharesSlot(const View& a, const View& b) {
    std::vector<bool> bitmap(1 << 16);
    constexpr Index kOrigin = 1 << 15;
    for (const Index slot : slotsOf(a)) bitmap.at(static_cast<std::size_t>(slot + kOrigin)) = true;
    const std::vector<Index> places = slotsOf(b);
    return std::any_of(places.begin(), places.end(),
                       [&](Index slot) { return bitmap.at(static_cast<std::size_t>(slot + kOrigin)); });
}

bool isCoordOf(const View& v, const Dims& coord) {
    if (coord.size() != v.shape.size()) return false;
    for (std::size_t d = 0; d < coord.size(); ++d)
        if (coord[d] < 0 || coord[d] >= v.shape[d]) return false;
    return true;
}

/// Empty when the verdict is right and decided, else what is wrong with it.
QByteArray fault(const View& a, const View& b, bool shares) {
    const SharedSlotVerdict verdict = sharedSlot(a, b);
    const std::string views = toString(a.shape) + toString(a.stride) + std::to_string(a.offset) + " and " +
                              toString(b.shape) + toString(b.stride) + std::to_string(b.offset);
    const char* what = nullptr;
    if (verdict.answer == OverlapAnswer::Undecided) {
        what = "undecided: ";
    } else if ((verdict.answer == OverlapAnswer::Overlaps) != shares) {
        what = "wrong: ";
    } else if (shares && (!isCoordOf(a, verdict.first) || !isCoordOf(b, verdict.second))) {
        what = "no coords: ";
    } else if (shares && (a.slot(std::span<const Index>(verdict.first)) != verdict.slot ||
                          b.slot(std::span<const Index>(verdict.second)) != verdict.slot)) {
        what = "another slot: ";
    }
    return what ? QByteArray(what) + QByteArray::fromStdString(views) : QByteArray();
}

View viewOf(Dims shape, Dims stride, Index offset) {
    return View{std::move(shape), std::move(stride), offset};
}

} // namespace

class TestSharedSlot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void randomPairs() {
        std::mt19937_64 random(31);
        const auto between = [&](Index low, Index high) {
            return std::uniform_int_distribution<Index>(low, high)(random);
        };
        const auto randomView = [&] {
            View v;
            v.offset = between(0, 40);
            for (Index rank = between(0, 4); rank > 0; --rank) {
                v.shape.push_back(between(0, 19) == 0 ? 0 : between(1, 5));
                v.stride.push_back(between(-6, 24));
            }
            return v;
        };
        int shared = 0, apart = 0;
        for (int i = 0; i < 20000; ++i) {
            const View a = randomView(), b = randomView();
            const bool expected = sharesSlot(a, b);
            (expected ? shared : apart) += 1;
            const QByteArray wrong = fault(a, b, expected);
            QVERIFY2(wrong.isEmpty(), wrong.constData());
        }
        QVERIFY2(shared > 2000 && apart > 2000, QByteArray::number(shared).constData());
    }

    void piecesOfOneMatrix() {
        // Every pair of stepped rectangles of a 6 x 6 matrix, the second one also transposed.
        std::vector<View> pieces;
        for (Index row = 0; row < 3; ++row)
            for (Index column = 0; column < 3; ++column)
                for (const Index rowStep : {1, 2})
                    for (const Index columnStep : {1, 2})
                        pieces.push_back(viewOf({2, 2}, {6 * rowStep, columnStep}, row * 6 + column));
        int apart = 0;
        for (const View& a : pieces) {
            for (const View& b : pieces) {
                const View turned = viewOf({2, 2}, {b.stride[1], b.stride[0]}, b.offset);
                for (const View* other : {&b, &turned}) {
                    const bool expected = sharesSlot(a, *other);
                    apart += !expected;
                    const QByteArray wrong = fault(a, *other, expected);
                    QVERIFY2(wrong.isEmpty(), wrong.constData());
                }
            }
        }
        QVERIFY(apart > 100);
    }

    void hugeViewsOfOrdinaryKind() {
        constexpr Index n = Index{1} << 25;
        // Left and right half of a huge matrix, as they lie and transposed; neighbours meet in one column.
        const View left = viewOf({n, n / 2}, {n, 1}, 0), right = viewOf({n / 2, n}, {1, n}, n / 2);
        QVERIFY(sharedSlot(left, right).answer == OverlapAnswer::None);
        const View wider = viewOf({n, n / 2 + 1}, {n, 1}, 0);
        const SharedSlotVerdict meet = sharedSlot(wider, right);
        QVERIFY(meet.answer == OverlapAnswer::Overlaps);
        QCOMPARE(wider.slot(std::span<const Index>(meet.first)), meet.slot);
        QCOMPARE(right.slot(std::span<const Index>(meet.second)), meet.slot);
        QCOMPARE(meet.first[1], n / 2);
    }

    void entangledStrides() {
        // Many strides without a common measure, more combinations than can be tried: then the places themselves are
        // marked, and beyond that nothing is claimed.
        View a, b;
        for (const Index stride : {30011, 30013, 30029, 30047, 30059, 30071, 30089, 30091, 30097, 30103}) {
            a.shape.push_back(3);
            a.stride.push_back(2 * stride);
            b.shape.push_back(3);
            b.stride.push_back(2 * stride + 4);
        }
        b.offset = 1;
        const SharedSlotVerdict odd = sharedSlot(a, b); // even places and odd ones
        QVERIFY(odd.answer == OverlapAnswer::None);
        b.offset = 2;
        std::vector<Index> first = slotsOf(a), second = slotsOf(b), both;
        std::sort(first.begin(), first.end());
        std::sort(second.begin(), second.end());
        std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
        const SharedSlotVerdict even = sharedSlot(a, b);
        QVERIFY(even.answer != OverlapAnswer::Undecided);
        QCOMPARE(even.answer == OverlapAnswer::Overlaps, !both.empty());
        if (!both.empty()) {
            QVERIFY(std::binary_search(both.begin(), both.end(), even.slot));
            QCOMPARE(a.slot(std::span<const Index>(even.first)), even.slot);
            QCOMPARE(b.slot(std::span<const Index>(even.second)), even.slot);
        }
        const View far = viewOf({3, 3}, {kIndexMax / 2, kIndexMax / 3}, 5), near = viewOf({3}, {1}, 0);
        QVERIFY(sharedSlot(far, near).answer == OverlapAnswer::Undecided); // beyond the arithmetic
    }
};

QTEST_APPLESS_MAIN(TestSharedSlot)
#include "tst_shared_slot.moc"
