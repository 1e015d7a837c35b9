// Drags as lines of code: exact, and refused with the reason when they leave the tensor.

#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/gestures.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::stage_test;

class TestGestures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void box_data();
    void box();
    void boxViewsAreWhatTheCodeSays();
    void dims_data();
    void dims();
    void edges_data();
    void edges();
    void offset_data();
    void offset();
    void assign();
    void theWordsKeepClearOfTheArrow();
};

namespace {

TensorEntry entryOf(const Dims& shape, const Dims& stride, Index storage, Index offset = 0) {
    TensorEntry entry;
    entry.id = 1;
    entry.name = QStringLiteral("A");
    entry.tensor = counting(storage).withView(View{shape, stride, offset});
    return entry;
}

std::vector<BoxRange> boxOf(std::initializer_list<std::pair<int, int>> ranges,
                            std::initializer_list<int> selected = {}) {
    std::vector<BoxRange> box;
    for (const auto& [first, last] : ranges) box.push_back({first, last, false});
    for (int d : selected) box[static_cast<std::size_t>(d)].select = true;
    return box;
}

} // namespace

using Ranges = std::vector<BoxRange>;
Q_DECLARE_METATYPE(Ranges)

void TestGestures::box_data() {
    QTest::addColumn<Ranges>("ranges");
    QTest::addColumn<int>("step");
    QTest::addColumn<QString>("code");
    QTest::addColumn<bool>("legal");
    // A has shape (4, 5).
    QTest::newRow("columns") << boxOf({{0, 3}, {1, 2}}) << 1 << QStringLiteral("A.narrow(1, 1, 2)") << true;
    QTest::newRow("rows") << boxOf({{1, 3}, {0, 4}}) << 1 << QStringLiteral("A.narrow(0, 1, 3)") << true;
    QTest::newRow("both") << boxOf({{1, 2}, {0, 1}}) << 1 << QStringLiteral("A[1:3, 0:2]") << true;
    QTest::newRow("backwards") << boxOf({{2, 1}, {1, 0}}) << 1 << QStringLiteral("A[1:3, 0:2]") << true;
    QTest::newRow("one cell") << boxOf({{2, 2}, {3, 3}}) << 1 << QStringLiteral("A[2:3, 3:4]") << true;
    QTest::newRow("everything") << boxOf({{0, 3}, {0, 4}}) << 1 << QString() << false;
    QTest::newRow("step of all") << boxOf({{0, 3}, {0, 4}}) << 2 << QStringLiteral("A[::2, ::2]") << true;
    QTest::newRow("step in columns") << boxOf({{0, 0}, {0, 4}}) << 2 << QStringLiteral("A[0:1, ::2]") << true;
    QTest::newRow("row selected") << boxOf({{2, 2}, {0, 4}}, {0}) << 1 << QStringLiteral("A[2]") << true;
    QTest::newRow("row selected, part") << boxOf({{2, 2}, {1, 3}}, {0}) << 1 << QStringLiteral("A[2, 1:4]") << true;
    QTest::newRow("column selected") << boxOf({{0, 3}, {2, 2}}, {1}) << 1 << QStringLiteral("A[:, 2]") << true;
    QTest::newRow("past the rows") << boxOf({{2, 5}, {0, 4}}) << 1 << QStringLiteral("A.narrow(0, 2, 4)") << false;
    QTest::newRow("past both") << boxOf({{2, 5}, {3, 6}}) << 1 << QStringLiteral("A.narrow(0, 2, 4)") << false;
    QTest::newRow("before the start") << boxOf({{-2, 1}, {0, 4}}) << 1 << QStringLiteral("A.narrow(0, 0, 2)") << true;
}

void TestGestures::box() {
    QFETCH(Ranges, ranges);
    QFETCH(int, step);
    QFETCH(QString, code);
    QFETCH(bool, legal);
    const GestureResult result = boxGesture(entryOf({4, 5}, {5, 1}, 20), ranges, step);
    QVERIFY2(result.code.startsWith(code), qPrintable(result.code));
    if (legal) QCOMPARE(result.code, code);
    QCOMPARE(result.legal(), legal);
    if (!legal && !code.isEmpty()) {
        QVERIFY(result.refusal.has_value());
        QVERIFY(!result.refusal->message.empty());
        QVERIFY(!result.refusal->id.empty());
    }
}

void TestGestures::boxViewsAreWhatTheCodeSays() {
    const TensorEntry entry = entryOf({3, 4, 5}, {20, 5, 1}, 60);
    for (Index r0 = 0; r0 < 4; ++r0) {
        for (Index r1 = 0; r1 < 4; ++r1) {
            for (Index c0 = 0; c0 < 5; ++c0) {
                const std::vector<BoxRange> box{{1, 1, true}, {r0, r1, false}, {c0, 4, false}};
                const GestureResult result = boxGesture(entry, box);
                QVERIFY(result.legal());
                const Index low = std::min(r0, r1), rows = std::max(r0, r1) - low + 1;
                const View wanted{{rows, 5 - c0}, {5, 1}, 20 + 5 * low + c0};
                QCOMPARE(*result.view, wanted);
            }
        }
    }
}

void TestGestures::dims_data() {
    QTest::addColumn<int>("rank");
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("to");
    QTest::addColumn<bool>("shift");
    QTest::addColumn<QString>("code");
    QTest::newRow("2-d") << 2 << 0 << 1 << false << QStringLiteral("A.t()");
    QTest::newRow("3-d") << 3 << 2 << 0 << false << QStringLiteral("A.transpose(0, 2)");
    QTest::newRow("3-d moved") << 3 << 2 << 0 << true << QStringLiteral("A.permute(2, 0, 1)");
    QTest::newRow("itself") << 3 << 1 << 1 << false << QString();
    QTest::newRow("no such dim") << 2 << 0 << 7 << false << QString();
}

void TestGestures::dims() {
    QFETCH(int, rank);
    QFETCH(int, from);
    QFETCH(int, to);
    QFETCH(bool, shift);
    QFETCH(QString, code);
    Dims shape;
    for (int d = 0; d < rank; ++d) shape.push_back(d + 2);
    const View view = *contiguousView(shape);
    const GestureResult result = dimGesture(entryOf(shape, view.stride, view.numel()), from, to, shift);
    QCOMPARE(result.code, code);
    QCOMPARE(result.legal(), !code.isEmpty());
    if (shift && result.view) {
        const Dims wanted{4, 2, 3};
        QCOMPARE(result.view->shape, wanted);
    }
}

void TestGestures::edges_data() {
    QTest::addColumn<bool>("far");
    QTest::addColumn<int>("dim");
    QTest::addColumn<int>("by");
    QTest::addColumn<QString>("code");
    QTest::addColumn<bool>("legal");
    // A has shape (3, 1).
    QTest::newRow("size 1 pulled") << true << 1 << 4 << QStringLiteral("A.expand(3, 4)") << true;
    QTest::newRow("size 3 pulled") << true << 0 << 5 << QStringLiteral("A.expand(5, 1)") << false;
    QTest::newRow("far pushed in") << true << 0 << 2 << QStringLiteral("A.narrow(0, 0, 2)") << true;
    QTest::newRow("unchanged") << true << 0 << 3 << QString() << false;
    QTest::newRow("near pushed in") << false << 0 << 1 << QStringLiteral("A.narrow(0, 1, 2)") << true;
    QTest::newRow("new leading dim") << false << 0 << -2 << QStringLiteral("A.expand(3, 3, 1)") << true;
    QTest::newRow("near of dim 1 outwards") << false << 1 << -2 << QString() << false;
    QTest::newRow("no such dim") << true << 5 << 2 << QString() << false;
}

void TestGestures::edges() {
    QFETCH(bool, far);
    QFETCH(int, dim);
    QFETCH(int, by);
    QFETCH(QString, code);
    QFETCH(bool, legal);
    const TensorEntry entry = entryOf({3, 1}, {1, 1}, 3);
    const GestureResult result = far ? farEdgeGesture(entry, dim, by) : nearEdgeGesture(entry, dim, by);
    QCOMPARE(result.code, code);
    QCOMPARE(result.legal(), legal);
    if (!legal && !code.isEmpty()) QVERIFY(result.refusal.has_value());
}

void TestGestures::offset_data() {
    QTest::addColumn<int>("slot");
    QTest::addColumn<bool>("legal");
    QTest::addColumn<bool>("drawn");
    QTest::newRow("fits") << 3 << true << true;
    QTest::newRow("last that fits") << 4 << true << true;
    QTest::newRow("one past") << 5 << false << true;
    QTest::newRow("negative") << -1 << false << false;
}

void TestGestures::offset() {
    QFETCH(int, slot);
    QFETCH(bool, legal);
    QFETCH(bool, drawn);
    // (4, 4) with strides (5, 1) in 23 elements: 15 + 3 + offset <= 22.
    const GestureResult result = offsetGesture(entryOf({4, 4}, {5, 1}, 23), slot);
    QCOMPARE(result.code, QStringLiteral("A.as_strided((4, 4), (5, 1), %1)").arg(slot));
    QCOMPARE(result.legal(), legal);
    QCOMPARE(result.view.has_value(), drawn);
    QVERIFY(legal == !result.refusal.has_value());
    QVERIFY(offsetGesture(entryOf({4, 4}, {5, 1}, 23), 0).code.isEmpty());
}

void TestGestures::assign() {
    QCOMPARE(assignCode(entryOf({4, 5}, {5, 1}, 20), {2, 1}, QStringLiteral("7")), QStringLiteral("A[2, 1] = 7"));
    QCOMPARE(assignCode(entryOf({}, {}, 1), {}, QStringLiteral("7")), QStringLiteral("A.fill_(7)"));
}

void TestGestures::theWordsKeepClearOfTheArrow() {
    const MockUp mock;
    const QPointF middle(500, 300);
    for (const QPointF from : {QPointF(-80, -60), QPointF(80, -60), QPointF(-80, 60), QPointF(80, 60), QPointF(0, 90),
                               QPointF(120, 20), QPointF(0, -90)}) {
        ExploreState state;
        state.snapshot = mock.workspace.snapshot();
        state.viewport = QSizeF(1016, 642);
        state.selection.tensor = mock.B;
        StageDrag drag;
        drag.from = middle + from;
        drag.at = drag.to = middle;
        drag.legal = true;
        drag.label = QStringLiteral("B.transpose(0, 1)");
        state.drag = drag;
        QRectF words;
        for (const SceneNode& node : exploreScene(state).nodes) {
            const auto* box = std::get_if<BoxItem>(&node.item);
            if (box && node.part.kind == PartKind::Message && box->fill == Tone::Stage) words = box->rect;
        }
        QVERIFY(words.width() > 100);
        QVERIFY(QRectF(QPointF(), state.viewport).contains(words));
        for (int i = 0; i <= 100; ++i)
            QVERIFY2(!words.contains(drag.from + (drag.to - drag.from) * i / 100),
                     qPrintable(QStringLiteral("from %1, %2").arg(from.x()).arg(from.y())));
    }
}

QTEST_MAIN(TestGestures)
#include "tst_gestures.moc"
