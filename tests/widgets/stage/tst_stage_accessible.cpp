// The stage as a screen reader meets it.

#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/stage_layout.h"

#include <QAccessible>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

/// A reader that asks for the stage's interface while the stage is still being made, as Qt itself does at the first
/// setAccessibleName() when a screen reader runs.
class EarlyReader : public QObject {
public:
    int asked = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::MouseTrackingChange && qobject_cast<ExploreStage*>(watched)) {
            ++asked;
            QAccessible::queryAccessibleInterface(watched);
        }
        return false;
    }
};

struct Bench {
    WorkspaceModel model;
    ExploreStage stage{&model};
    explicit Bench(const SnapshotPtr& snapshot, TensorId selected, QSize size = {1400, 760}) {
        model.setSnapshot(snapshot);
        model.select(selected);
        stage.resize(size);
        stage.show();
        (void)QTest::qWaitForWindowExposed(&stage);
    }
    QAccessibleInterface* root() { return QAccessible::queryAccessibleInterface(&stage); }
};

QString nameOf(QAccessibleInterface* interface) {
    return interface ? interface->text(QAccessible::Name) : QStringLiteral("(none)");
}

/// Walks everything below `node` and checks that parents, indexes and rectangles hold; counts the cells.
int walk(QAccessibleInterface* node, QStringList& problems) {
    int cells = node->role() == QAccessible::Cell ? 1 : 0;
    if (!node->isValid()) problems << nameOf(node) + QStringLiteral(" is not valid");
    if (nameOf(node).isEmpty()) problems << QStringLiteral("a node without a name");
    for (int i = 0; i < node->childCount(); ++i) {
        QAccessibleInterface* child = node->child(i);
        if (!child) {
            problems << QStringLiteral("%1 has no child %2").arg(nameOf(node)).arg(i);
            continue;
        }
        if (child->parent() != node) problems << nameOf(child) + QStringLiteral(" has another parent");
        if (node->indexOfChild(child) != i) problems << nameOf(child) + QStringLiteral(" has another index");
        if (!node->rect().contains(child->rect()))
            problems << nameOf(child) + QStringLiteral(" lies outside its parent");
        if (child->rect().isEmpty()) problems << nameOf(child) + QStringLiteral(" has no rectangle");
        const QPoint middle = child->rect().center();
        if (child->role() == QAccessible::Cell && node->childAt(middle.x(), middle.y()) != child) {
            problems << nameOf(child) + QStringLiteral(" is not found at its middle");
        }
        cells += walk(child, problems);
    }
    return cells;
}

} // namespace

class TestStageAccessible : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void askedForWhileBeingMade(); // first: it needs a process in which no stage was made before
    void everyVisibleCell_data();
    void everyVisibleCell();
    void namesSayWhatLinksShow();
    void panelsOfACard();
    void hugeStripsStayCheap();
    void otherStrips();
    void followsTheKeyboard();
    void actionsPick();
    void snapshotsComeAndGo();
    void fieldsOverThePicture();
    void helpNamesThePick();
    void keysGoOnAfterEditing_data();
    void keysGoOnAfterEditing();
};

void TestStageAccessible::askedForWhileBeingMade() {
    EarlyReader reader;
    qApp->installEventFilter(&reader);
    MockUp mock;
    Bench bench(mock.workspace.snapshot(), mock.B);
    qApp->removeEventFilter(&reader);
    QVERIFY(reader.asked > 0);
    QCOMPARE(bench.root()->childCount(), 4);
    QCOMPARE(bench.root()->child(0)->role(), QAccessible::Table);
}

void TestStageAccessible::everyVisibleCell_data() {
    QTest::addColumn<Dims>("shape");
    QTest::addColumn<int>("cells"); // on cards and strip
    QTest::newRow("0-d") << Dims{} << 2;
    QTest::newRow("1-d") << Dims{6} << 12;
    QTest::newRow("2-d") << Dims{3, 4} << 24;
    QTest::newRow("3-d") << Dims{2, 3, 4} << 48;
    QTest::newRow("no elements") << Dims{0, 3} << 0;
}

void TestStageAccessible::everyVisibleCell() {
    QFETCH(Dims, shape);
    QFETCH(int, cells);
    Workspace workspace;
    Index count = 1;
    for (Index size : shape) count *= size;
    const Tensor base = counting(count);
    const TensorId id =
        workspace.add(QStringLiteral("A"), QStringLiteral("a"), base.withView(*contiguousView(shape)), 0, 0);
    Bench bench(workspace.snapshot(), id);
    QStringList problems;
    const int found = walk(bench.root(), problems);
    if (count > 0) QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
    QCOMPARE(found, cells);
    QVERIFY(nameOf(bench.root()->child(0)).contains(QStringLiteral("A = a, int64")));
}

void TestStageAccessible::namesSayWhatLinksShow() {
    MockUp mock;
    Bench bench(mock.workspace.snapshot(), mock.B);
    QAccessibleInterface* strip = bench.root()->child(3);
    QVERIFY(nameOf(strip).startsWith(QStringLiteral("storage #1, 20 elements of int64, 160 B")));
    QCOMPARE(nameOf(strip->tableInterface()->cellAt(0, 12)),
             QStringLiteral("storage index 12, value 12, seen as q[12], A[2, 2], B[2, 1], C[1, 2]"));
    QCOMPARE(nameOf(strip->tableInterface()->cellAt(0, 0)),
             QStringLiteral("storage index 0, value 0, seen as q[0], A[0, 0]"));
    QCOMPARE(nameOf(bench.root()->child(0)->tableInterface()->cellAt(2, 1)),
             QStringLiteral("A row 2 column 1, value 11, storage index 11"));
    QCOMPARE(bench.root()->child(0)->tableInterface()->cellAt(2, 1)->text(QAccessible::Value), QStringLiteral("11"));
}

void TestStageAccessible::panelsOfACard() {
    Workspace workspace;
    const TensorId id = workspace.add(QStringLiteral("A"), QStringLiteral("a"),
                                      counting(24).withView(*contiguousView(Dims{2, 3, 4})), 0, 0);
    Bench bench(workspace.snapshot(), id);
    QCOMPARE(bench.root()->childCount(), 3); // two panels and the strip
    QVERIFY(nameOf(bench.root()->child(1)).startsWith(QStringLiteral("A[1, :, :] of A = a")));
    QCOMPARE(nameOf(bench.root()->child(1)->tableInterface()->cellAt(2, 3)),
             QStringLiteral("A dim 0 index 1 row 2 column 3, value 23, storage index 23"));
    // The pick is found in its own panel.
    bench.model.setPick(stage_test::pickOf(workspace.entry(id), {1, 0, 2}));
    QCOMPARE(bench.root()->child(0)->tableInterface()->selectedCellCount(), 0);
    QCOMPARE(bench.root()->child(1)->tableInterface()->selectedCellCount(), 1);
    QCOMPARE(nameOf(bench.root()->child(1)->tableInterface()->selectedCells().value(0)),
             QStringLiteral("A dim 0 index 1 row 0 column 2, value 14, storage index 14"));
}

void TestStageAccessible::hugeStripsStayCheap() {
    Workspace workspace;
    const TensorId id = workspace.add(QStringLiteral("A"), QStringLiteral("a"),
                                      counting(400'000, DType::UInt8).withView(*contiguousView(Dims{400, 1000})), 0, 0);
    Bench bench(workspace.snapshot(), id);
    bench.stage.setCellSize(1);
    QAccessibleInterface* strip = bench.root()->child(bench.root()->childCount() - 1);
    // More cells in sight than anybody walks: none are listed, every one is there for the asking.
    QCOMPARE(strip->childCount(), 0);
    const int columns = strip->tableInterface()->columnCount();
    QVERIFY(nameOf(strip->tableInterface()->cellAt(399'999 / columns, 399'999 % columns))
                .startsWith(QStringLiteral("storage index 399999, ")));
    bench.model.setPick(Pick{workspace.snapshot()->storages[0].storageId, 1234, 0, {}});
    QCOMPARE(strip->childCount(), 1);
    QVERIFY(nameOf(strip->child(0)).startsWith(QStringLiteral("storage index 1234, ")));
    QCOMPARE(strip->indexOfChild(strip->child(0)), 0);
}

void TestStageAccessible::otherStrips() {
    MockUp mock(true);
    Bench bench(mock.workspace.snapshot(), mock.B);
    QStringList problems;
    walk(bench.root(), problems);
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
    QStringList names;
    for (int i = 0; i < bench.root()->childCount(); ++i)
        names << nameOf(bench.root()->child(i)).section(QLatin1Char(','), 0, 0);
    QVERIFY2(names.contains(QStringLiteral("storage #2")), qPrintable(names.join(QLatin1Char('|'))));
    const qsizetype at = names.indexOf(QStringLiteral("storage #2"));
    QVERIFY(nameOf(bench.root()->child(static_cast<int>(at))->tableInterface()->cellAt(0, 3))
                .startsWith(QStringLiteral("storage index 3, value 3, seen as w[0, 3]")));
}

void TestStageAccessible::followsTheKeyboard() {
    MockUp mock;
    Bench bench(mock.workspace.snapshot(), mock.B);
    bench.stage.activateWindow();
    bench.stage.setFocus(Qt::OtherFocusReason);
    QTRY_VERIFY(bench.stage.hasFocus());
    QVERIFY(nameOf(bench.root()->focusChild()).startsWith(QStringLiteral("B = "))); // no cell yet: the card
    bench.model.setPick(stage_test::pickOf(mock.workspace.entry(mock.B), {2, 0}));
    QCOMPARE(nameOf(bench.root()->focusChild()), QStringLiteral("B row 2 column 0, value 11, storage index 11"));
    QTest::keyClick(&bench.stage, Qt::Key_Right);
    QAccessibleInterface* at = bench.root()->focusChild();
    QCOMPARE(nameOf(at), QStringLiteral("B row 2 column 1, value 12, storage index 12"));
    QVERIFY(at->state().focused && at->state().selected);
    // Tab to C: the same storage cell as C shows it.
    QTest::keyClick(&bench.stage, Qt::Key_Tab);
    QCOMPARE(nameOf(bench.root()->focusChild()), QStringLiteral("C row 1 column 2, value 12, storage index 12"));
}

void TestStageAccessible::actionsPick() {
    MockUp mock;
    Bench bench(mock.workspace.snapshot(), mock.B);
    QAccessibleInterface* cell = bench.root()->child(0)->tableInterface()->cellAt(3, 4);
    QVERIFY(cell->actionInterface());
    QVERIFY(cell->actionInterface()->actionNames().contains(QAccessibleActionInterface::setFocusAction()));
    cell->actionInterface()->doAction(QAccessibleActionInterface::setFocusAction());
    QVERIFY(bench.model.selection().pick.has_value());
    QCOMPARE(bench.model.selection().pick->tensor, mock.A);
    QCOMPARE(bench.model.selection().pick->slot, Index{19});
    QCOMPARE(bench.model.selection().tensor, mock.A);
    QAccessibleInterface* slot = bench.root()->child(3)->tableInterface()->cellAt(0, 7);
    slot->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(bench.model.selection().pick->tensor, TensorId{0});
    QCOMPARE(bench.model.selection().pick->slot, Index{7});
}

void TestStageAccessible::snapshotsComeAndGo() {
    MockUp mock;
    Bench bench(mock.workspace.snapshot(), mock.B);
    QCOMPARE(bench.root()->childCount(), 4);
    QAccessibleInterface* card = bench.root()->child(1);
    QAccessibleInterface* cell = card->tableInterface()->cellAt(1, 1);
    QVERIFY(cell->isValid());
    Workspace other;
    const TensorId z = other.add(QStringLiteral("z"), QStringLiteral("torch.zeros(2)"), counting(2), 0, 0);
    bench.model.setSnapshot(other.snapshot());
    bench.model.select(z);
    // What a reader still holds says that it is gone, and nothing else.
    QVERIFY(!card->isValid());
    QVERIFY(!cell->isValid());
    QCOMPARE(nameOf(cell), QString());
    QCOMPARE(card->childCount(), 0);
    QCOMPARE(bench.root()->childCount(), 2);
    QVERIFY(nameOf(bench.root()->child(0)).startsWith(QStringLiteral("z = torch.zeros(2)")));
}

void TestStageAccessible::fieldsOverThePicture() {
    MockUp mock;
    Bench bench(mock.workspace.snapshot(), mock.B);
    bench.stage.activateWindow();
    bench.stage.setFocus(Qt::OtherFocusReason);
    bench.model.setPick(stage_test::pickOf(mock.workspace.entry(mock.B), {2, 1}));
    QTest::keyClick(&bench.stage, Qt::Key_Return);
    auto* field = bench.stage.findChild<QLineEdit*>(QStringLiteral("cellEditor"));
    QVERIFY(field);
    QAccessibleInterface* shown = QAccessible::queryAccessibleInterface(field);
    const int index = bench.root()->indexOfChild(shown);
    QVERIFY(index >= 4); // after the grids
    QCOMPARE(bench.root()->child(index), shown);
    QVERIFY(nameOf(shown).startsWith(QStringLiteral("New value of B[2, 1]")));
    const QPoint middle = shown->rect().center();
    QCOMPARE(bench.root()->childAt(middle.x(), middle.y()), shown);
}

void TestStageAccessible::helpNamesThePick() {
    MockUp mock;
    Bench bench(mock.workspace.snapshot(), mock.B);
    QVERIFY(bench.stage.whatsThis().contains(QStringLiteral("No cell is picked")));
    bench.model.setPick(stage_test::pickOf(mock.workspace.entry(mock.B), {2, 1}));
    const QString help = bench.stage.whatsThis();
    QVERIFY2(help.contains(QStringLiteral("B[2, 1] = 12")), qPrintable(help));
    QVERIFY2(help.contains(QStringLiteral("storage index = offset 1 + 2·5 + 1·1 = 12")), qPrintable(help));
    QVERIFY(help.contains(QStringLiteral("Enter: edit")));
}

void TestStageAccessible::keysGoOnAfterEditing_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("lines");
    QTest::newRow("Enter") << static_cast<int>(Qt::Key_Return) << 1;
    QTest::newRow("Esc") << static_cast<int>(Qt::Key_Escape) << 0;
}

void TestStageAccessible::keysGoOnAfterEditing() {
    QFETCH(int, key);
    QFETCH(int, lines);
    MockUp mock;
    Bench bench(mock.workspace.snapshot(), mock.C);
    QSignalSpy run(&bench.stage, &ExploreStage::runRequested);
    bench.stage.activateWindow();
    bench.stage.setFocus(Qt::OtherFocusReason);
    QTRY_VERIFY(bench.stage.hasFocus());
    bench.model.setPick(stage_test::pickOf(mock.workspace.entry(mock.C), {0, 1}));
    QTest::keyClick(&bench.stage, Qt::Key_Return);
    auto* field = bench.stage.findChild<QLineEdit*>(QStringLiteral("cellEditor"));
    QVERIFY(field && field->hasFocus());
    QTest::keyClicks(field, QStringLiteral("55"));
    QTest::keyClick(field, static_cast<Qt::Key>(key));
    QCOMPARE(run.count(), lines);
    QTRY_VERIFY(bench.stage.hasFocus());
    // The next arrow moves on from the edited cell of the same card.
    QTest::keyClick(&bench.stage, Qt::Key_Right);
    QVERIFY(bench.model.selection().pick.has_value());
    QCOMPARE(bench.model.selection().pick->tensor, mock.C);
    QCOMPARE(bench.model.selection().pick->coord, (Dims{0, 2}));
}

QTEST_MAIN(TestStageAccessible)
#include "tst_stage_accessible.moc"
