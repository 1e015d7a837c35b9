// Every failing broadcast of small shapes has fixes that work when they are carried out.

#include "core/view/broadcast.h"
#include "core/view/broadcast_fixes.h"
#include "core/view/view_ops.h"

#include <QTest>

#include <functional>

using namespace stridescope;

namespace {

std::vector<Dims> shapesUpTo(int ranks) {
    std::vector<Dims> all;
    const std::function<void(const Dims&)> grow = [&](const Dims& shape) {
        all.push_back(shape);
        if (shape.size() == static_cast<std::size_t>(ranks)) return;
        for (Index size = 0; size <= 4; ++size) {
            Dims longer = shape;
            longer.push_back(size);
            grow(longer);
        }
    };
    grow({});
    return all;
}

Dims shapeAfter(const BroadcastFix& fix, const View& v) {
    switch (fix.kind) {
    case BroadcastFixKind::Unsqueeze:
        return unsqueeze(v, fix.arguments[0]).valueOrThrow().shape;
    case BroadcastFixKind::Transpose:
        return t(v).valueOrThrow().shape;
    case BroadcastFixKind::Narrow:
        return narrow(v, fix.arguments[0], 0, fix.arguments[1]).valueOrThrow().shape;
    case BroadcastFixKind::View:
        break;
    }
    return fix.copies ? fix.arguments : viewAs(v, fix.arguments).valueOrThrow().shape;
}

View contiguous(const Dims& shape) {
    return contiguousView(shape).valueOrThrow();
}

} // namespace

class TestBroadcastFixes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySmallPair();
    void theLikeliestComesFirst();
    void stridesDecideBetweenViewAndReshape();
};

void TestBroadcastFixes::everySmallPair() {
    int failing = 0;
    const std::vector<Dims> shapes = shapesUpTo(3);
    for (const Dims& a : shapes) {
        for (const Dims& b : shapes) {
            const View views[2] = {contiguous(a), contiguous(b)};
            const auto fixes = broadcastFixes(views[0], views[1]);
            if (broadcastShapes(a, b)) {
                QVERIFY(fixes.empty());
                continue;
            }
            ++failing;
            const QByteArray pair = QByteArray::fromStdString(toString(a) + " and " + toString(b));
            QVERIFY2(!fixes.empty(), pair);
            for (const BroadcastFix& fix : fixes) {
                const Dims mended = shapeAfter(fix, views[fix.operand]);
                QVERIFY2(mended == fix.shape, pair);
                const auto result = fix.operand == 0 ? broadcastShapes(mended, b) : broadcastShapes(a, mended);
                QVERIFY2(result.ok() && *result == fix.result, pair);
            }
        }
    }
    QVERIFY(failing > 5000);
}

void TestBroadcastFixes::theLikeliestComesFirst() {
    const auto rows = broadcastFixes(contiguous({3, 4}), contiguous({3}));
    QCOMPARE(rows.front().operand, 1);
    QVERIFY(rows.front().kind == BroadcastFixKind::Unsqueeze);
    QCOMPARE(rows.front().arguments[0], Index{1});
    QVERIFY(rows.front().result == Dims({3, 4}));

    const auto turned = broadcastFixes(contiguous({3, 4}), contiguous({4, 3}));
    QVERIFY(turned.front().kind == BroadcastFixKind::Transpose);

    const auto cut = broadcastFixes(contiguous({3, 4}), contiguous({3, 5}));
    QVERIFY(cut.front().kind == BroadcastFixKind::Narrow);
    QCOMPARE(cut.front().operand, 1);
    QVERIFY(cut.front().result == Dims({3, 4}));
}

void TestBroadcastFixes::stridesDecideBetweenViewAndReshape() {
    const View columns = t(contiguous({4, 3})).valueOrThrow(); // (3, 4), not contiguous
    const auto fixes = broadcastFixes(contiguous({12}), columns, 10);
    bool found = false;
    for (const BroadcastFix& fix : fixes) {
        if (fix.operand != 1 || fix.kind != BroadcastFixKind::View || !(fix.shape == Dims({12}))) continue;
        found = true;
        QVERIFY(fix.copies);
    }
    QVERIFY(found);
    const auto whole = broadcastFixes(contiguous({12}), contiguous({3, 4}));
    QVERIFY(whole.front().kind == BroadcastFixKind::View);
    QVERIFY(!whole.front().copies);
}

QTEST_APPLESS_MAIN(TestBroadcastFixes)
#include "tst_broadcast_fixes.moc"
