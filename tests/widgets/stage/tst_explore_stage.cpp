// The stage as a widget: hover, picks, drags, keys, edits; nothing is run, lines of code come out.

#include "core/ops/creation.h"
#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/scene/hit_test.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/scene_diff.h"
#include "widgets/stage/stage_header.h"
#include "widgets/stage/stage_layout.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

#include <sys/mman.h>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

/// A stage over the mock-up's workspace, B selected, big enough that nothing scrolls.
struct Bench {
    MockUp mock;
    WorkspaceModel model;
    ExploreStage stage{&model};
    explicit Bench(bool copy = false, QSize size = {1400, 760}) : mock(copy) {
        model.setSnapshot(mock.workspace.snapshot());
        model.select(mock.B);
        stage.resize(size);
        stage.show();
        (void)QTest::qWaitForWindowExposed(&stage);
    }
    StagePlan plan() const { return planStage(stage.state()); }
    QPoint cell(TensorId id, const Dims& coord) const { return plan().card(id)->cellRect(coord)->center().toPoint(); }
    QPoint stripCell(Index slot) const { return plan().strip->layout.cellRect(slot).center().toPoint(); }
    void move(QPoint p, Qt::MouseButtons buttons = Qt::NoButton, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QMouseEvent event(QEvent::MouseMove, QPointF(p), QPointF(stage.mapToGlobal(p)), Qt::NoButton, buttons,
                          modifiers);
        QCoreApplication::sendEvent(&stage, &event);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mousePress(&stage, Qt::LeftButton, modifiers, from);
        move(from + (to - from) / 2, Qt::LeftButton, modifiers);
        move(to, Qt::LeftButton, modifiers);
        QTest::mouseRelease(&stage, Qt::LeftButton, modifiers, to);
    }
    quint64 storage() const { return mock.workspace.entry(mock.q).tensor.storage()->id(); }
};

} // namespace

class TestExploreStage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hoverLinksBothWays();
    void clickPinsAndKeysMoveLikeTheMouse();
    void dragBox_data();
    void dragBox();
    void dragBoxOverPanels();
    void dragOutOfRangeExplains();
    void edgesAreGrippedFromInside();
    void dragDim();
    void dragOffsetFlag();
    void flagFollowsThePointer();
    void signBringsTheCell();
    void escapeCancelsADrag();
    void headerReorders();
    void editValue();
    void enterBringsTheCellBack();
    void rowOfCardsScrolls();
    void cardsStayUnderThePointer();
    void boxesAreOnEveryPanel();
    void exportsAreWhole();
    void picksBringTheirSlice();
    void keysReachEverySlice();
    void anotherShapeBeginsAtItsFirstSlice();
    void editNotFinite_data();
    void editNotFinite();
    void helpFollowsTheClick();
    void jumpToIndex();
    void zoomKeepsTheCell();
    void eachStorageKeepsItsZoom();
    void zoomDoesNotFlicker();
    void hugeStorage();
    void tabOrder();
    void stripRingCutsNothing();
    void hoverRepaintsLittle();
    void changedRectsCoverEveryChange();
    void zoomingRepaintsWhatChanges();
    void otherWrapKeepsTheView();
    void wheelMovesTheHover();
    void lanesTellAllDigits();
    void captionsTellHowToGoOn();
    void rectanglesAreJoined();
    void whatALineMadeMovesIntoItsPlace();
    void writtenCellsLightUp();
    void header();
    void wrapAsksForItsNumber();
    void accessible();
    void resizeStorm();
};

void TestExploreStage::whatALineMadeMovesIntoItsPlace() {
    Bench bench;
    QCOMPARE(bench.stage.state().fresh, TensorId{0});
    // An expanded view and a copy: the snapshot comes first, the selection after it, as lines do it.
    const Tensor row = bench.mock.workspace.entry(bench.mock.q).tensor;
    for (const bool copies : {false, true}) {
        const TensorId made =
            bench.mock.workspace.add(copies ? QStringLiteral("K") : QStringLiteral("E"), QStringLiteral("q"),
                                     copies ? counting(20) : row.withView(View{{3, 5}, {0, 1}, 0}), bench.mock.q, -1,
                                     true, copies ? Origin::Copy : Origin::View);
        bench.model.setSnapshot(bench.mock.workspace.snapshot());
        bench.model.select(made);
        QCOMPARE(bench.stage.state().fresh, made);
        // On its way it is somewhere else than in the end.
        const std::vector<QRectF> onItsWay =
            changedRects(bench.stage.scene(), exploreScene(bench.stage.state(), bench.plan(), 1));
        QVERIFY(!onItsWay.empty());
        QTRY_VERIFY(changedRects(bench.stage.scene(), exploreScene(bench.stage.state(), bench.plan(), 1)).empty());
    }
    // What only changes its place does not move once more.
    bench.model.setSnapshot(bench.mock.workspace.snapshot());
    QCOMPARE(bench.stage.state().fresh, TensorId{0});
}

void TestExploreStage::writtenCellsLightUp() {
    Bench bench;
    const QRect cell = bench.plan().card(bench.mock.B)->cellRect({0, 0})->toAlignedRect();
    const Tensor& B = bench.mock.workspace.entry(bench.mock.B).tensor;
    const auto ring = [&] { return bench.stage.grab(cell).toImage().pixelColor(cell.width() / 2, 1); };
    const QColor before = ring();
    storeElement(B.storage()->data() + B.storageOffset() * static_cast<Index>(B.itemSize()), B.dtype(),
                 Scalar(Index{99}));
    bench.model.notifyValuesChanged(bench.storage());
    QVERIFY(ring() != before);
    QTRY_COMPARE(ring(), before);
    // Nothing was written: nothing lights up.
    bench.model.notifyValuesChanged(bench.storage());
    QCOMPARE(ring(), before);
}

void TestExploreStage::hoverLinksBothWays() {
    Bench bench;
    QSignalSpy status(&bench.stage, &ExploreStage::statusTextChanged);
    bench.move(bench.cell(bench.mock.B, {2, 1}));
    QVERIFY(bench.model.selection().hover.has_value());
    QCOMPARE(bench.model.selection().hover->slot, Index{12});
    QCOMPARE(bench.model.selection().hover->tensor, bench.mock.B);
    QVERIFY(status.last().at(0).toString().startsWith(QStringLiteral("B[2, 1] = 12")));
    for (Index slot = 0; slot < 20; ++slot) {
        bench.move(bench.stripCell(slot));
        QCOMPARE(bench.model.selection().hover->slot, slot);
        QCOMPARE(bench.model.selection().hover->tensor, TensorId{0});
        // Every cell of every card that lands there is found again under the mouse, and says the same slot.
        for (const Hit& hit : cellsOfSlot(bench.stage.scene(), bench.storage(), slot)) {
            if (hit.part.kind != PartKind::CardCells) continue;
            bench.move(hit.rect.center().toPoint());
            QCOMPARE(bench.model.selection().hover->slot, slot);
            QCOMPARE(bench.model.selection().hover->tensor, hit.part.tensor);
        }
    }
    // Somebody else's hover is drawn here.
    bench.model.setHover(Pick{bench.storage(), 7, 0, {}});
    QCOMPARE(bench.stage.state().selection.hover->slot, Index{7});
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&bench.stage, &leave);
    QVERIFY(!bench.model.selection().hover.has_value());
}

void TestExploreStage::clickPinsAndKeysMoveLikeTheMouse() {
    Bench bench;
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, bench.cell(bench.mock.A, {1, 1}));
    QVERIFY(bench.model.selection().pick.has_value());
    QCOMPARE(bench.model.selection().tensor, bench.mock.A);
    const auto pickByMouse = [&](const Dims& coord) {
        QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, bench.cell(bench.mock.A, coord));
        return *bench.model.selection().pick;
    };
    const struct {
        Qt::Key key;
        Dims to;
    } moves[] = {{Qt::Key_Right, {1, 2}}, {Qt::Key_Left, {1, 0}}, {Qt::Key_Down, {2, 1}},
                 {Qt::Key_Up, {0, 1}},    {Qt::Key_Home, {1, 0}}, {Qt::Key_End, {1, 4}}};
    for (const auto& move : moves) {
        const Pick byMouse = pickByMouse(move.to);
        pickByMouse({1, 1});
        QTest::keyClick(&bench.stage, move.key);
        QCOMPARE(*bench.model.selection().pick, byMouse);
    }
    // At an edge the pick stays.
    pickByMouse({0, 0});
    QTest::keyClick(&bench.stage, Qt::Key_Up);
    const Dims corner{0, 0};
    QCOMPARE(bench.model.selection().pick->coord, corner);
    // Escape leaves.
    QTest::keyClick(&bench.stage, Qt::Key_Escape);
    QTest::keyClick(&bench.stage, Qt::Key_Escape);
    QVERIFY(!bench.model.selection().pick.has_value());
}

void TestExploreStage::dragBox_data() {
    QTest::addColumn<int>("r0");
    QTest::addColumn<int>("c0");
    QTest::addColumn<int>("r1");
    QTest::addColumn<int>("c1");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<QString>("code");
    QTest::newRow("columns") << 0 << 1 << 3 << 2 << int(Qt::NoModifier) << QStringLiteral("A.narrow(1, 1, 2)");
    QTest::newRow("box") << 1 << 0 << 2 << 1 << int(Qt::NoModifier) << QStringLiteral("A[1:3, 0:2]");
    QTest::newRow("backwards") << 2 << 1 << 1 << 0 << int(Qt::NoModifier) << QStringLiteral("A[1:3, 0:2]");
    QTest::newRow("step") << 0 << 0 << 3 << 4 << int(Qt::AltModifier) << QStringLiteral("A[::2, ::2]");
    QTest::newRow("select") << 2 << 0 << 2 << 4 << int(Qt::ShiftModifier) << QStringLiteral("A[2]");
}

void TestExploreStage::dragBox() {
    QFETCH(int, r0);
    QFETCH(int, c0);
    QFETCH(int, r1);
    QFETCH(int, c1);
    QFETCH(int, modifiers);
    QFETCH(QString, code);
    Bench bench;
    QSignalSpy run(&bench.stage, &ExploreStage::runRequested);
    QSignalSpy preview(&bench.stage, &ExploreStage::previewRequested);
    QSignalSpy explain(&bench.stage, &ExploreStage::explainRequested);
    bench.drag(bench.cell(bench.mock.A, {r0, c0}), bench.cell(bench.mock.A, {r1, c1}),
               Qt::KeyboardModifiers(modifiers));
    QCOMPARE(run.count(), 1);
    QCOMPARE(run.at(0).at(0).toString(), code);
    QCOMPARE(explain.count(), 0);
    // Previewed while dragging, cleared at the end.
    QVERIFY(preview.count() >= 2);
    QVERIFY(preview.last().at(0).toString().isEmpty());
    QVERIFY(!bench.stage.state().drag.has_value());
    QVERIFY(!bench.stage.state().preview.has_value());
}

void TestExploreStage::dragBoxOverPanels() {
    WorkspaceModel model;
    Workspace workspace;
    const TensorId id = workspace.add(QStringLiteral("x"), QStringLiteral("x"),
                                      counting(36).withView(View{{3, 3, 4}, {12, 4, 1}, 0}), 0, 0);
    model.setSnapshot(workspace.snapshot());
    model.select(id);
    ExploreStage stage(&model);
    stage.resize(1400, 800);
    stage.show();
    const auto dragged = [&](const Dims& a, const Dims& b) {
        QSignalSpy run(&stage, &ExploreStage::runRequested);
        const auto at = [&](const Dims& coord) {
            return planStage(stage.state()).card(id)->cellRect(coord)->center().toPoint();
        };
        const QPoint from = at(a), to = at(b);
        QTest::mousePress(&stage, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, QPointF(to), QPointF(stage.mapToGlobal(to)), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(&stage, &move);
        QTest::mouseRelease(&stage, Qt::LeftButton, {}, to);
        return run.isEmpty() ? QString() : run.at(0).at(0).toString();
    };
    if (!planStage(stage.state()).card(id)->cellRect(Dims{1, 2, 3})) QSKIP("drawn as a block");
    QCOMPARE(dragged({0, 0, 1}, {1, 2, 2}), QStringLiteral("x[0:2, :, 1:3]"));
    QCOMPARE(dragged({1, 0, 0}, {0, 1, 3}), QStringLiteral("x[0:2, 0:2]"));
    QCOMPARE(dragged({1, 0, 1}, {1, 1, 2}), QStringLiteral("x[1, 0:2, 1:3]"));
}

void TestExploreStage::dragOutOfRangeExplains() {
    Bench bench;
    QSignalSpy run(&bench.stage, &ExploreStage::runRequested);
    QSignalSpy explain(&bench.stage, &ExploreStage::explainRequested);
    const QRectF last = *bench.plan().card(bench.mock.A)->cellRect({3, 4});
    const QPoint from = bench.cell(bench.mock.A, {2, 0});
    const QPoint to = (last.center() + QPointF(0, 2.2 * last.height())).toPoint();
    QTest::mousePress(&bench.stage, Qt::LeftButton, {}, from);
    bench.move(to, Qt::LeftButton);
    QVERIFY(bench.stage.state().drag.has_value());
    QVERIFY(!bench.stage.state().drag->legal);
    QVERIFY(!bench.stage.state().drag->label.isEmpty());
    QTest::mouseRelease(&bench.stage, Qt::LeftButton, {}, to);
    QCOMPARE(run.count(), 0);
    QCOMPARE(explain.count(), 1);
    QVERIFY(explain.at(0).at(0).toString().startsWith(QStringLiteral("A.narrow(0, 2, ")));
    QVERIFY(bench.stage.state().message.has_value());
    // The next act clears it.
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, bench.cell(bench.mock.A, {0, 0}));
    QVERIFY(!bench.stage.state().message.has_value());
}

void TestExploreStage::edgesAreGrippedFromInside() {
    Bench bench;
    const QRectF cell = *bench.plan().card(bench.mock.B)->cellRect({1, 1}),
                 corner = *bench.plan().card(bench.mock.B)->cellRect({3, 0});
    QVERIFY(cell.width() >= 16 && cell.height() >= 16);
    QSignalSpy run(&bench.stage, &ExploreStage::runRequested);
    const auto left = [&](QPoint from) { return from - QPoint(static_cast<int>(cell.width()), 0); };
    for (const int inside : {1, 2}) {
        const QPoint edge(static_cast<int>(std::floor(cell.right())) - inside, static_cast<int>(cell.center().y()));
        bench.move(edge);
        QCOMPARE(bench.stage.cursor().shape(), Qt::SizeHorCursor);
        QVERIFY(bench.model.selection().hover.has_value()); // the cell is pointed at all the same
        run.clear();
        bench.drag(edge, left(edge));
        QCOMPARE(run.count(), 1);
        QCOMPARE(run.front().front().toString(), QStringLiteral("B.narrow(1, 0, 1)"));
        QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, edge);
        QCOMPARE(bench.model.selection().pick->coord, (Dims{1, 1}));
        bench.model.setPick(std::nullopt);
    }
    // The lower edge, and not further inside.
    const QPoint low(static_cast<int>(corner.center().x()), static_cast<int>(std::floor(corner.bottom())) - 1);
    bench.move(low);
    QCOMPARE(bench.stage.cursor().shape(), Qt::SizeVerCursor);
    bench.move(corner.center().toPoint());
    QCOMPARE(bench.stage.cursor().shape(), Qt::CrossCursor);
    // Between two cells there is no edge.
    bench.move(QPoint(static_cast<int>(std::ceil(cell.left())) + 1, static_cast<int>(cell.center().y())));
    QCOMPARE(bench.stage.cursor().shape(), Qt::CrossCursor);
}

void TestExploreStage::dragDim() {
    Bench bench;
    QSignalSpy run(&bench.stage, &ExploreStage::runRequested);
    const StagePlan plan = bench.plan();
    const CardLayout& layout = *plan.card(bench.mock.A);
    QVERIFY(layout.axes.size() >= 2);
    bench.drag(layout.axes[0].hot.translated(layout.pos).center().toPoint(),
               layout.axes[1].hot.translated(layout.pos).center().toPoint());
    QCOMPARE(run.count(), 1);
    QCOMPARE(run.at(0).at(0).toString(), QStringLiteral("A.t()"));
}

void TestExploreStage::dragOffsetFlag() {
    Bench bench;
    QSignalSpy run(&bench.stage, &ExploreStage::runRequested);
    QSignalSpy explain(&bench.stage, &ExploreStage::explainRequested);
    const QRectF cell = bench.plan().strip->layout.cellRect(1);
    const QPoint flag(static_cast<int>(cell.left()) - 20, static_cast<int>(cell.top()) - 40);
    QCOMPARE(hitTest(bench.stage.scene(), flag).part.kind, PartKind::OffsetFlag);
    bench.drag(flag, flag + QPoint(static_cast<int>(2 * cell.width()), 0));
    QCOMPARE(run.count(), 1);
    QCOMPARE(run.at(0).at(0).toString(), QStringLiteral("B.as_strided((4, 2), (5, 1), 3)"));
    // B reaches 16 slots from its offset: 4 is past the end.
    bench.drag(flag, flag + QPoint(static_cast<int>(3 * cell.width()), 0));
    QCOMPARE(run.count(), 1);
    QCOMPARE(explain.count(), 1);
    QCOMPARE(explain.at(0).at(0).toString(), QStringLiteral("B.as_strided((4, 2), (5, 1), 4)"));
}

void TestExploreStage::flagFollowsThePointer() {
    // Cells past the end make the others narrower while the flag is on its way.
    Bench bench(false, {1016, 642});
    QSignalSpy explain(&bench.stage, &ExploreStage::explainRequested);
    const QRectF cell = bench.plan().strip->layout.cellRect(1);
    const QPoint flag(static_cast<int>(cell.left()) - 20, static_cast<int>(cell.top()) - 40);
    const auto at = [&](int cells) { return flag + QPoint(static_cast<int>(cells * cell.width()), 0); };
    QTest::mousePress(&bench.stage, Qt::LeftButton, {}, flag);
    for (int cells = 1; cells <= 12; ++cells) bench.move(at(cells), Qt::LeftButton);
    QVERIFY(bench.plan().strip->layout.cellWidth < cell.width());
    QCOMPARE(bench.stage.state().drag->slot, std::optional<Index>(13));
    QVERIFY(bench.stage.state().drag->boxes.empty());
    QTest::mouseRelease(&bench.stage, Qt::LeftButton, {}, at(12));
    QCOMPARE(explain.count(), 1);
    QCOMPARE(explain.at(0).at(0).toString(), QStringLiteral("B.as_strided((4, 2), (5, 1), 13)"));
}

void TestExploreStage::signBringsTheCell() {
    Bench bench;
    bench.stage.setWrap(StripWrap::Number, 20);
    bench.stage.setCellSize(120);
    bench.model.setPick(pickOf(bench.mock.workspace.entry(bench.mock.A), {3, 4}));
    QVERIFY(bench.plan().strip->inSight(19));
    const QPointF over = bench.plan().strip->layout.area.center();
    QWheelEvent wheel(over, bench.stage.mapToGlobal(over), QPoint(), QPoint(0, 120 * 60), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&bench.stage, &wheel);
    bench.model.setHover(std::nullopt);
    QVERIFY(!bench.plan().strip->inSight(19));
    // Scrolled away, the sign says where it is; a click brings it back.
    QPointF sign;
    for (const SceneNode& node : bench.stage.scene().nodes) {
        const auto* box = std::get_if<BoxItem>(&node.item);
        if (box && node.part.kind == PartKind::Button) sign = box->rect.center();
    }
    QVERIFY(!sign.isNull());
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, sign.toPoint());
    QVERIFY(bench.plan().strip->inSight(19));
    QVERIFY(bench.model.selection().pick.has_value());
}

void TestExploreStage::escapeCancelsADrag() {
    Bench bench;
    QSignalSpy run(&bench.stage, &ExploreStage::runRequested);
    QTest::mousePress(&bench.stage, Qt::LeftButton, {}, bench.cell(bench.mock.A, {0, 0}));
    bench.move(bench.cell(bench.mock.A, {1, 1}), Qt::LeftButton);
    QVERIFY(bench.stage.state().drag.has_value());
    QTest::keyClick(&bench.stage, Qt::Key_Escape);
    QVERIFY(!bench.stage.state().drag.has_value());
    QTest::mouseRelease(&bench.stage, Qt::LeftButton, {}, bench.cell(bench.mock.A, {1, 1}));
    QCOMPARE(run.count(), 0);
}

void TestExploreStage::headerReorders() {
    Bench bench;
    const auto names = [&] {
        QString order;
        for (const CardLayout& card : bench.plan().cards) order += card.input.entry->name;
        return order;
    };
    QCOMPARE(names(), QStringLiteral("ABC"));
    QSignalSpy moves(&bench.stage, &ExploreStage::moveRequested);
    const StagePlan plan = bench.plan();
    const QPoint from = (plan.card(bench.mock.A)->frame().topLeft() + QPointF(150, 8)).toPoint();
    bench.drag(from, (plan.card(bench.mock.C)->frame().center() + QPointF(20, 0)).toPoint());
    QCOMPARE(names(), QStringLiteral("BCA"));
    const auto last = [&moves] {
        return std::pair(moves.last()[0].value<TensorId>(), moves.last()[1].value<TensorId>());
    };
    QCOMPARE(moves.count(), 1);
    QCOMPARE(last(), (std::pair<TensorId, TensorId>(bench.mock.A, 0)));
    // The typed twin.
    QTest::keyClick(&bench.stage, Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(names(), QStringLiteral("BAC"));
    QCOMPARE(last(), (std::pair<TensorId, TensorId>(bench.mock.A, bench.mock.C)));
    // At the end of the row there is nowhere to go, and nothing is asked for.
    bench.stage.moveCard(bench.mock.B, -1);
    QCOMPARE(moves.count(), 2);
    // Escape puts the card back.
    const StagePlan now = bench.plan();
    QTest::mousePress(&bench.stage, Qt::LeftButton, {},
                      (now.card(bench.mock.B)->frame().topLeft() + QPointF(150, 8)).toPoint());
    for (const int step : {20, 60}) {
        Q_UNUSED(step)
        QTest::mouseMove(&bench.stage, (now.card(bench.mock.C)->frame().center() + QPointF(step, 0)).toPoint());
    }
    QTest::keyClick(&bench.stage, Qt::Key_Escape);
    QTest::mouseRelease(&bench.stage, Qt::LeftButton, {}, QPoint(5, 5));
    QCOMPARE(names(), QStringLiteral("BAC"));
    QCOMPARE(moves.count(), 2);
    // The workspace's order is the one that counts.
    auto snapshot = std::make_shared<WorkspaceSnapshot>(*bench.mock.workspace.snapshot());
    snapshot->order = {bench.mock.C, bench.mock.A, bench.mock.B};
    bench.model.setSnapshot(snapshot);
    QCOMPARE(names(), QStringLiteral("CAB"));
}

void TestExploreStage::editValue() {
    Bench bench;
    QSignalSpy run(&bench.stage, &ExploreStage::runRequested);
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, bench.cell(bench.mock.B, {2, 1}));
    QTest::keyClick(&bench.stage, Qt::Key_Return);
    auto* editor = bench.stage.findChild<QLineEdit*>(QStringLiteral("cellEditor"));
    QVERIFY(editor);
    QCOMPARE(editor->text(), QStringLiteral("12"));
    editor->setText(QStringLiteral("7.5"));
    auto* note = bench.stage.findChild<QLabel*>(QStringLiteral("cellEditorNote"));
    QVERIFY(note && note->isVisible());
    QVERIFY(note->text().startsWith(QStringLiteral("✗ ")));
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(run.count(), 0);
    editor->setText(QStringLiteral(" 7 "));
    QVERIFY(!note->isVisible());
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(run.count(), 1);
    QCOMPARE(run.at(0).at(0).toString(), QStringLiteral("B[2, 1] = 7"));
    QTest::mouseDClick(&bench.stage, Qt::LeftButton, {}, bench.stripCell(3));
    // No selected view reaches cell 3, but A does: its line is the one that writes.
    editor = bench.stage.findChild<QLineEdit*>(QStringLiteral("cellEditor"), Qt::FindDirectChildrenOnly);
    QVERIFY(editor);
    const auto editors = bench.stage.findChildren<QLineEdit*>(QStringLiteral("cellEditor"));
    QLineEdit* last = editors.last();
    last->setText(QStringLiteral("-1"));
    QTest::keyClick(last, Qt::Key_Return);
    QCOMPARE(run.count(), 2);
    QVERIFY(run.at(1).at(0).toString() == QStringLiteral("q[3] = -1") ||
            run.at(1).at(0).toString() == QStringLiteral("A[0, 3] = -1"));
    // Escape leaves without a line.
    QTest::mouseDClick(&bench.stage, Qt::LeftButton, {}, bench.cell(bench.mock.A, {0, 0}));
    QTest::keyClick(bench.stage.findChildren<QLineEdit*>(QStringLiteral("cellEditor")).last(), Qt::Key_Escape);
    QCOMPARE(run.count(), 2);
}

void TestExploreStage::enterBringsTheCellBack() {
    Bench bench;
    bench.stage.resize(700, 420); // a strip of 20 such cells does not fit
    bench.stage.setCellSize(120);
    QApplication::processEvents();
    const StripLayout shown = planStage(bench.stage.state()).strip->layout;
    const Index slot = shown.firstRow * shown.perRow; // in sight
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, bench.stripCell(slot));
    const quint64 storage = bench.storage();
    QTest::keyClick(&bench.stage, Qt::Key_End);
    const auto onStrip = [&] {
        const StagePlan plan = planStage(bench.stage.state());
        const QRectF cell = plan.strip->layout.cellRect(slot);
        return plan.strip->storageId == storage && plan.strip->layout.area.intersects(cell.adjusted(2, 2, -2, -2));
    };
    QVERIFY(bench.stage.state().selection.pick && bench.stage.state().selection.pick->slot == slot);
    QVERIFY(!onStrip());
    QTest::keyClick(&bench.stage, Qt::Key_Return);
    QVERIFY(onStrip());
    QVERIFY(bench.stage.findChild<QLineEdit*>(QStringLiteral("cellEditor")));
}

void TestExploreStage::rowOfCardsScrolls() {
    Bench bench;
    bench.stage.resize(700, 500); // three cards do not fit
    QApplication::processEvents();
    const auto plan = [&] { return planStage(bench.stage.state()); };
    bench.model.select(bench.mock.C);
    const qreal before = plan().cardScroll;
    QVERIFY(before > 1);
    QVERIFY(!plan().moreLeft.isEmpty());
    // The button over the left end, and back again: the selection alone does not hold the row.
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, plan().moreLeft.center().toPoint());
    QVERIFY(plan().cardScroll < before);
    QVERIFY(!plan().moreRight.isEmpty());
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, plan().moreRight.center().toPoint());
    QVERIFY(plan().cardScroll > before - 1);
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, plan().moreLeft.center().toPoint());
    // Another selection comes into sight.
    bench.model.select(bench.mock.A);
    bench.model.select(bench.mock.C);
    const CardLayout* card = plan().card(bench.mock.C);
    QVERIFY(card);
    QVERIFY(plan().cardScroll > before - 1);
}

void TestExploreStage::cardsStayUnderThePointer() {
    Bench bench;
    bench.stage.resize(700, 500); // three cards do not fit
    QApplication::processEvents();
    bench.model.select(bench.mock.C);
    const qreal scrolled = bench.plan().cardScroll;
    QVERIFY(scrolled > 1);
    QSignalSpy run(&bench.stage, &ExploreStage::runRequested);
    // A card in sight is clicked, then dragged from: the row stays as it is.
    const QPoint from = bench.cell(bench.mock.B, {0, 1}), to = bench.cell(bench.mock.B, {1, 1});
    QVERIFY(bench.stage.rect().contains(from) && bench.stage.rect().contains(to));
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, from);
    QCOMPARE(bench.model.selection().tensor, bench.mock.B);
    QCOMPARE(bench.plan().cardScroll, scrolled);
    bench.model.select(bench.mock.C);
    QCOMPARE(bench.plan().cardScroll, scrolled);
    bench.drag(from, to);
    QCOMPARE(run.count(), 1);
    QCOMPARE(run.at(0).at(0).toString(), QStringLiteral("B[0:2, 1:2]"));
    QCOMPARE(bench.plan().cardScroll, scrolled);
    // One whose left part is out of sight, too, by a cell that is not.
    const CardLayout* first = bench.plan().card(bench.mock.A);
    const StagePlan plan = bench.plan();
    first = plan.card(bench.mock.A);
    const auto cell = first->cellRect({1, 4});
    if (first->frame().left() < 0 && cell && cell->left() > 20) {
        QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, cell->center().toPoint());
        QCOMPARE(bench.model.selection().tensor, bench.mock.A);
        QCOMPARE(bench.plan().cardScroll, scrolled);
    }
    // Chosen elsewhere it comes into sight as a whole.
    bench.model.select(bench.mock.C);
    bench.model.select(bench.mock.A);
    QVERIFY(bench.plan().card(bench.mock.A)->frame().left() >= 0);
}

void TestExploreStage::boxesAreOnEveryPanel() {
    WorkspaceModel model;
    Workspace workspace;
    const TensorId id = workspace.add(QStringLiteral("T"), QStringLiteral("T"),
                                      counting(24).withView(View{{2, 3, 4}, {12, 4, 1}, 0}), 0, 0);
    model.setSnapshot(workspace.snapshot());
    model.select(id);
    ExploreStage stage(&model);
    stage.resize(1400, 800);
    stage.show();
    const auto rect = [&](const Dims& at) { return *planStage(stage.state()).card(id)->cellRect(at); };
    // From the right to the left: the box that is taken is columns 1 and 2 in both panels.
    const QPoint from = rect({0, 1, 2}).center().toPoint(), to = rect({1, 2, 1}).center().toPoint();
    QTest::mousePress(&stage, Qt::LeftButton, {}, from);
    for (const QPoint at : {from + QPoint(8, 0), to}) {
        QMouseEvent event(QEvent::MouseMove, QPointF(at), QPointF(stage.mapToGlobal(at)), Qt::NoButton, Qt::LeftButton,
                          {});
        QCoreApplication::sendEvent(&stage, &event);
    }
    QVERIFY(stage.state().drag);
    QCOMPARE(stage.state().drag->label, QStringLiteral("T[:, 1:3, 1:3]"));
    const auto& boxes = stage.state().drag->boxes;
    QCOMPARE(boxes.size(), std::size_t{2});
    for (Index panel = 0; panel < 2; ++panel)
        QCOMPARE(boxes[static_cast<std::size_t>(panel)], rect({panel, 1, 1}).united(rect({panel, 2, 2})));
    QTest::mouseRelease(&stage, Qt::LeftButton, {}, to);
}

void TestExploreStage::exportsAreWhole() {
    Bench bench;
    bench.stage.resize(700, 500);
    bench.model.select(bench.mock.C);
    QApplication::processEvents();
    QVERIFY(planStage(bench.stage.state()).cardScroll > 1);
    const Scene scene = bench.stage.pictureOf(0);
    int frames = 0;
    for (const SceneNode& node : scene.nodes) {
        const auto* box = std::get_if<BoxItem>(&node.item);
        if (!box || node.part.kind != PartKind::CardFrame) continue;
        ++frames;
        QVERIFY(box->rect.left() >= 0 && box->rect.right() <= scene.size.width());
    }
    QVERIFY(frames >= 3);
}

void TestExploreStage::picksBringTheirSlice() {
    Workspace workspace;
    WorkspaceModel model;
    const TensorId id =
        workspace.add(QStringLiteral("E"), QStringLiteral("torch.arange(256).view(2, 2, 2, 2, 2, 2, 2, 2)"),
                      arange(256).withView(*contiguousView(Dims{2, 2, 2, 2, 2, 2, 2, 2})), 0, 0);
    model.setSnapshot(workspace.snapshot());
    model.select(id);
    ExploreStage stage(&model);
    stage.resize(1000, 640);
    stage.show();
    stage.jumpTo(170); // 10101010 in twos
    const StagePlan plan = planStage(stage.state());
    QVERIFY(plan.card(id)->cellRect(Dims{1, 0, 1, 0, 1, 0, 1, 0}).has_value());
    // Also while another storage's tensor is selected: a cell of the thin strip is lit on every card that reaches it.
    const TensorId other = workspace.add(QStringLiteral("w"), QStringLiteral("torch.arange(9)"), counting(9), 0, 1);
    model.setSnapshot(workspace.snapshot());
    model.select(other);
    Pick pick;
    pick.storageId = workspace.entry(id).tensor.storage()->id();
    pick.slot = 85; // 01010101 in twos
    model.setPick(pick);
    const StagePlan later = planStage(stage.state());
    QVERIFY(later.card(id) && later.card(id)->cellRect(Dims{0, 1, 0, 1, 0, 1, 0, 1}).has_value());
}

void TestExploreStage::keysReachEverySlice() {
    Workspace workspace;
    WorkspaceModel model;
    const Dims sizes{2, 1, 2, 1, 3, 2, 2};
    const TensorId id = workspace.add(QStringLiteral("E"), QStringLiteral("torch.arange(48)"),
                                      arange(48).withView(*contiguousView(sizes)), 0, 0);
    const TensorId other = workspace.add(QStringLiteral("u"), QStringLiteral("torch.arange(6)"), arange(6), 0, 0);
    model.setSnapshot(workspace.snapshot());
    model.select(id);
    ExploreStage stage(&model);
    stage.resize(600, 330); // no room for sliders
    stage.show();
    QVERIFY(planStage(stage.state()).card(id)->sliders.empty());
    model.setPick(pickOf(workspace.entry(id), Dims{0, 0, 0, 0, 0, 1, 0}));
    for (Index slice = 1; slice < 12; ++slice) {
        QTest::keyClick(&stage, Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(model.selection().pick->slot, 4 * slice + 2);
        QVERIFY(planStage(stage.state()).card(id)->cellRect(model.selection().pick->coord));
    }
    QTest::keyClick(&stage, Qt::Key_PageDown, Qt::ControlModifier); // that was the last one
    QCOMPARE(model.selection().pick->slot, Index{46});
    QTest::keyClick(&stage, Qt::Key_PageUp, Qt::ControlModifier);
    QCOMPARE(model.selection().pick->slot, Index{42});
    // What has one slice only goes on as without Ctrl.
    model.select(other);
    model.setPick(pickOf(workspace.entry(other), Dims{3}));
    QTest::keyClick(&stage, Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(model.selection().pick->slot, Index{3});
}

/// A name that is given to a tensor of other sizes shows none of the old one's places.
void TestExploreStage::anotherShapeBeginsAtItsFirstSlice() {
    const auto snapshotOf = [](const Tensor& tensor) {
        Workspace workspace;
        workspace.add(QStringLiteral("C"), QStringLiteral("y"), tensor, 0, 0);
        return workspace.snapshot();
    };
    const TensorId id = 1;
    WorkspaceModel model;
    ExploreStage stage(&model);
    stage.resize(1400, 760);
    stage.show();
    const Tensor many = counting(24);
    const SnapshotPtr first = snapshotOf(many.withView(View{{3, 2, 1, 1, 4}, {8, 4, 4, 4, 1}, 0}));
    model.setSnapshot(first);
    model.setPick(pickOf(first->tensors.front(), {2, 1, 0, 0, 3}));
    QCOMPARE(stage.state().cards.value(id).outer[0], Index{2});
    // The same sizes again: what was looked at stays.
    model.setSnapshot(snapshotOf(counting(24).withView(View{{3, 2, 1, 1, 4}, {8, 4, 4, 4, 1}, 0})));
    QCOMPARE(stage.state().cards.value(id).outer[0], Index{2});
    model.setSnapshot(snapshotOf(counting(24).withView(View{{3, 2, 1, 2, 1, 2}, {8, 4, 4, 2, 2, 1}, 0})));
    QVERIFY(planStage(stage.state()).card(id)->cellRect({0, 0, 0, 0, 0, 0}));
}

void TestExploreStage::editNotFinite_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("line");
    const auto row = [](const char* typed, const char* line) {
        QTest::newRow(typed) << QString::fromLatin1(typed) << QString::fromLatin1(line);
    };
    row("nan", "f[1] = float('nan')");
    row("NaN", "f[1] = float('nan')");
    row("inf", "f[1] = float('inf')");
    row("-inf", "f[1] = float('-inf')");
    row("float('nan')", "f[1] = float('nan')");
    row(" float(\"-inf\") ", "f[1] = float('-inf')");
    row("1e-3", "f[1] = 0.001");
    row("float('x')", "");
    row("float('nan", "");
}

void TestExploreStage::editNotFinite() {
    QFETCH(QString, typed);
    QFETCH(QString, line);
    for (const DType dtype : {DType::Float64, DType::Int32}) {
        Workspace workspace;
        const TensorId f =
            workspace.add(QStringLiteral("f"), QStringLiteral("torch.zeros(3)"), counting(3, dtype), 0, 0);
        WorkspaceModel model;
        model.setSnapshot(workspace.snapshot());
        model.select(f);
        ExploreStage stage(&model);
        stage.resize(900, 600);
        stage.show();
        QSignalSpy run(&stage, &ExploreStage::runRequested);
        model.setPick(pickOf(workspace.entry(f), {1}));
        QTest::keyClick(&stage, Qt::Key_Return);
        auto* editor = stage.findChild<QLineEdit*>(QStringLiteral("cellEditor"));
        QVERIFY(editor);
        editor->setText(typed);
        QTest::keyClick(editor, Qt::Key_Return);
        const bool taken = dtype == DType::Float64 && !line.isEmpty();
        QCOMPARE(run.count(), taken ? 1 : 0);
        if (taken) QCOMPARE(run.at(0).at(0).toString(), line);
    }
}

void TestExploreStage::helpFollowsTheClick() {
    Bench bench;
    // A click on what the pointer is over changes the pick, not the words below.
    for (const Dims& coord : {Dims{2, 1}, Dims{0, 1}}) {
        bench.move(bench.cell(bench.mock.B, coord));
        QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, bench.cell(bench.mock.B, coord));
        const QString named = QStringLiteral("Picked: B[%1, %2] = ").arg(coord[0]).arg(coord[1]);
        QVERIFY2(bench.stage.whatsThis().contains(named), qPrintable(bench.stage.whatsThis()));
    }
    QTest::keyClick(&bench.stage, Qt::Key_Escape);
    if (!bench.model.selection().pick) QVERIFY(bench.stage.whatsThis().contains(QStringLiteral("No cell is picked")));
}

void TestExploreStage::jumpToIndex() {
    Bench bench;
    QTest::keyClick(&bench.stage, Qt::Key_G, Qt::ControlModifier);
    auto* field = bench.stage.findChild<QLineEdit*>(QStringLiteral("indexField"));
    QVERIFY(field);
    field->setText(QStringLiteral("20"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(!bench.model.selection().pick.has_value());
    QVERIFY(bench.stage.findChild<QLabel*>(QStringLiteral("cellEditorNote"))->text().contains(QStringLiteral("20")));
    field->setText(QStringLiteral("13"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(bench.model.selection().pick->slot, Index{13});
    bench.stage.jumpTo(99);
    QVERIFY(bench.stage.state().message.has_value());
    QCOMPARE(QString::fromStdString(bench.stage.state().message->refusal.id), QStringLiteral("STAGE-01"));
    QCOMPARE(bench.model.selection().pick->slot, Index{13});
}

void TestExploreStage::zoomKeepsTheCell() {
    WorkspaceModel model;
    Workspace workspace;
    const TensorId id = workspace.add(QStringLiteral("x"), QStringLiteral("torch.arange(5000)"), counting(5000), 0, 0);
    model.setSnapshot(workspace.snapshot());
    model.select(id);
    ExploreStage stage(&model);
    stage.resize(1200, 700);
    stage.show();
    stage.jumpTo(3000);
    const auto layout = [&] { return planStage(stage.state()).strip->layout; };
    const QPointF at = layout().cellRect(3000).center();
    QVERIFY(layout().area.contains(at));
    for (int i = 0; i < 24; ++i) {
        const std::optional<Index> under = layout().cellAt(at);
        QWheelEvent wheel(at, stage.mapToGlobal(at), {}, {0, i < 12 ? -120 : 120}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&stage, &wheel);
        if (under) QVERIFY2(layout().area.intersects(layout().cellRect(*under)), qPrintable(QString::number(i)));
        // Without a move of the pointer all of them are about the cell that was there first.
        QVERIFY2(layout().area.intersects(layout().cellRect(3000)), qPrintable(QString::number(i)));
        const auto& hover = model.selection().hover;
        const std::optional<Index> now = layout().cellAt(at);
        QCOMPARE(hover ? std::optional(hover->slot) : std::nullopt, now);
    }
    QTest::keyClick(&stage, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(stage.options().cellSize, 0.0);
    // Out of range sizes are clamped.
    stage.setCellSize(1000);
    QCOMPARE(stage.options().cellSize, kMaxCellSize);
    stage.setCellSize(0.001);
    QCOMPARE(stage.options().cellSize, kMinCellSize);
}

void TestExploreStage::eachStorageKeepsItsZoom() {
    WorkspaceModel model;
    Workspace workspace;
    const TensorId large =
        workspace.add(QStringLiteral("x"), QStringLiteral("torch.arange(5000)"), counting(5000), 0, 0);
    const TensorId view = workspace.add(QStringLiteral("y"), QStringLiteral("x[10:]"),
                                        workspace.entry(large).tensor.withView(View{{4990}, {1}, 10}), large, 1);
    const TensorId small = workspace.add(QStringLiteral("z"), QStringLiteral("torch.arange(12)"), counting(12), 0, 2);
    model.setSnapshot(workspace.snapshot());
    model.select(large);
    ExploreStage stage(&model);
    stage.resize(1200, 700);
    stage.show();
    stage.setCellSize(2);
    QSignalSpy said(&stage, &ExploreStage::optionsChanged);
    model.select(view); // the same storage
    QCOMPARE(stage.options().cellSize, 2.0);
    QCOMPARE(said.size(), 0);
    model.select(small);
    QCOMPARE(stage.options().cellSize, 0.0);
    QCOMPARE(said.size(), 1);
    QVERIFY(planStage(stage.state()).strip->layout.cellWidth >= 34);
    model.select(large);
    QCOMPARE(stage.options().cellSize, 2.0);
}

void TestExploreStage::zoomDoesNotFlicker() {
    WorkspaceModel model;
    Workspace workspace;
    const TensorId id = workspace.add(QStringLiteral("x"), QStringLiteral("torch.arange(5000)"), counting(5000), 0, 0);
    model.setSnapshot(workspace.snapshot());
    model.select(id);
    ExploreStage stage(&model);
    stage.resize(1200, 700);
    stage.show();
    const auto width = [&] { return planStage(stage.state()).strip->layout.cellWidth; };
    const auto look = [&] { return (width() >= 6) + (width() >= 34) + (width() >= 90); };
    const auto turn = [&](int notches) {
        const QPointF at = planStage(stage.state()).strip->layout.area.center();
        QWheelEvent wheel(at, stage.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&stage, &wheel);
    };
    // From every size between texture and address, one step to and fro shows the same look twice.
    for (qreal size = 3; size < 110; size *= 1.07) {
        stage.setCellSize(size);
        turn(1);
        const int in = look();
        turn(-1);
        const int out = look();
        turn(1);
        QCOMPARE(look(), in);
        turn(-1);
        QCOMPARE(look(), out);
    }
    // Held back, not stuck: zooming on gets through every level, and back.
    stage.setCellSize(3);
    for (int i = 0; i < 20; ++i) turn(1);
    QCOMPARE(width(), kMaxCellSize);
    stage.setCellSize(30);
    turn(1);
    QCOMPARE(look(), 1); // 37.5 asked for: numbers wait for the next step
    turn(-1);
    QVERIFY(std::abs(width() - 30) < 0.1);
    turn(1);
    turn(1);
    QCOMPARE(look(), 2);
    turn(-1);
    QCOMPARE(look(), 2); // and stay for one step back
}

void TestExploreStage::hugeStorage() {
    // 10^9 bytes that the system backs with pages only where they are touched.
    constexpr Index kCount = 1'000'000'000;
    void* memory = mmap(nullptr, kCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    QVERIFY(memory != MAP_FAILED);
    StoragePtr storage = Storage::wrap(
        memory, kCount, Device{}, [memory] { munmap(memory, kCount); }, "mapped file");
    Workspace workspace;
    const Tensor base(storage, View{{kCount}, {1}, 0}, DType::UInt8);
    const TensorId x = workspace.add(QStringLiteral("x"), QStringLiteral("torch.load()"), base, 0, 0);
    const TensorId y = workspace.add(QStringLiteral("y"), QStringLiteral("x.view(1000, 1000000)"),
                                     base.withView(View{{1000, 1000000}, {1000000, 1}, 0}), x, 1);
    WorkspaceModel model;
    model.setSnapshot(workspace.snapshot());
    model.select(y);
    ExploreStage stage(&model);
    stage.resize(1200, 700);
    stage.show();
    for (const qreal size : {0.0, 42.0, 6.0, 1.0, 0.25}) {
        stage.setCellSize(size);
        for (const Index slot : {Index{0}, Index{123'456'789}, kCount - 1}) {
            stage.jumpTo(slot);
            const StripLayout layout = planStage(stage.state()).strip->layout;
            const QRectF cell = layout.cellRect(slot);
            QVERIFY2(layout.area.adjusted(-1, -1, 1, 1).contains(cell.center()),
                     qPrintable(QStringLiteral("size %1 slot %2").arg(size).arg(slot)));
            if (size < 1 && size > 0) continue; // several cells share a pixel: the pointer cannot name one
            const Hit hit = hitTest(stage.scene(), cell.center());
            QCOMPARE(hit.part.kind, PartKind::StripCells);
            QCOMPARE(hit.slot.value_or(-1), slot);
        }
    }
    stage.zoom(Zoom::Actual);
    stage.jumpTo(999'999'999);
    QVERIFY(stage.grab().width() > 0);
    const Pick last{storage->id(), kCount - 1, y, {999, 999999}};
    model.setPick(last);
    QCOMPARE(model.selection().pick, std::optional<Pick>(last));
    const StagePlan plan = planStage(stage.state());
    QVERIFY2(plan.card(y)->cellRect({999, 999999}).has_value(), "the card follows the pick");
}

void TestExploreStage::stripRingCutsNothing() {
    // With a picked cell, so that links, arches and labels stand over the strip; in a small stage also a map.
    for (const QSize size : {QSize(1400, 760), QSize(884, 466)}) {
        Bench bench(false, size);
        bench.stage.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&bench.stage));
        bench.model.setPick(pickOf(bench.mock.workspace.entry(bench.mock.C), {1, 2}));
        bench.stage.setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(bench.stage.hasFocus());
        for (int i = 0; i < 2; ++i) QTest::keyClick(&bench.stage, Qt::Key_Tab);
        const StagePlan plan = bench.plan();
        const QImage before = bench.stage.grab().toImage();
        QTest::keyClick(&bench.stage, Qt::Key_Tab);
        const QImage after = bench.stage.grab().toImage();
        const QRectF handle = plan.strip->handle.adjusted(-6, -6, 6, 6);
        int ring = 0;
        for (int y = static_cast<int>(plan.cardArea.bottom()) + 8; y < after.height(); ++y) {
            for (int x = 0; x < after.width(); ++x) {
                if (after.pixel(x, y) == before.pixel(x, y)) continue;
                ++ring;
                QVERIFY2(handle.contains(QPointF(x, y)), qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
            }
        }
        QVERIFY(ring > 300);
    }
}

void TestExploreStage::tabOrder() {
    Bench bench;
    bench.stage.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bench.stage));
    bench.stage.clearFocus();
    bench.stage.setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(bench.stage.hasFocus());
    QCOMPARE(bench.model.selection().tensor, bench.mock.A);
    QTest::keyClick(&bench.stage, Qt::Key_Tab);
    QCOMPARE(bench.model.selection().tensor, bench.mock.B);
    QTest::keyClick(&bench.stage, Qt::Key_Tab);
    QCOMPARE(bench.model.selection().tensor, bench.mock.C);
    QTest::keyClick(&bench.stage, Qt::Key_Tab);
    // On the strip now: arrows move along the storage.
    QTest::keyClick(&bench.stage, Qt::Key_Right);
    QTest::keyClick(&bench.stage, Qt::Key_Right);
    QVERIFY(bench.model.selection().pick.has_value());
    QCOMPARE(bench.model.selection().pick->tensor, TensorId{0});
    QCOMPARE(bench.model.selection().pick->slot, Index{1});
    QTest::keyClick(&bench.stage, Qt::Key_Backtab);
    QCOMPARE(bench.model.selection().tensor, bench.mock.C);
}

void TestExploreStage::hoverRepaintsLittle() {
    Bench bench;
    ExploreState before = bench.stage.state();
    before.selection.hover.reset();
    ExploreState after = before;
    after.selection.hover = Pick{bench.storage(), 0, bench.mock.A, {0, 0}};
    qreal area = 0;
    for (const QRectF& rect : changedRects(exploreScene(before), exploreScene(after)))
        area += rect.width() * rect.height();
    QVERIFY(area > 0);
    QVERIFY2(area < 0.35 * before.viewport.width() * before.viewport.height(), qPrintable(QString::number(area)));
    QVERIFY(changedRects(exploreScene(before), exploreScene(before)).empty());
}

void TestExploreStage::changedRectsCoverEveryChange() {
    // Painting only the changed rectangles over the old picture must give the new picture, pixel by pixel.
    Bench bench(true);
    bench.stage.setReducedMotion(true);
    QImage shown = bench.stage.grab().toImage();
    const std::vector<QPoint> path{bench.cell(bench.mock.B, {2, 1}),
                                   bench.cell(bench.mock.A, {0, 4}),
                                   bench.stripCell(0),
                                   bench.stripCell(13),
                                   bench.cell(bench.mock.C, {1, 3}),
                                   QPoint(5, 5)};
    for (const QPoint& p : path) {
        const Scene before = bench.stage.scene();
        bench.move(p);
        const QImage next = bench.stage.grab().toImage();
        QRegion region;
        for (const QRectF& rect : changedRects(before, bench.stage.scene())) region += rect.toAlignedRect();
        int outside = 0;
        QPoint first;
        for (int y = 0; y < next.height(); ++y) {
            for (int x = 0; x < next.width(); ++x) {
                if (next.pixel(x, y) != shown.pixel(x, y) && !region.contains(QPoint(x, y))) {
                    if (outside++ == 0) first = QPoint(x, y);
                }
            }
        }
        QVERIFY2(outside == 0, qPrintable(QStringLiteral("%1 pixels, first %2,%3 after hovering %4,%5")
                                              .arg(outside)
                                              .arg(first.x())
                                              .arg(first.y())
                                              .arg(p.x())
                                              .arg(p.y())));
        shown = next;
    }
}

void TestExploreStage::zoomingRepaintsWhatChanges() {
    // From one size of cells to the next only the changed rectangles are painted: outside of them nothing differs.
    Bench bench(true);
    bench.stage.setReducedMotion(true);
    QImage shown = bench.stage.grab().toImage();
    for (const qreal size : {60.0, 90.0, 120.0, 75.0, 34.0, 33.0, 20.0, 8.0, 5.0, 0.5, 42.0}) {
        const Scene before = bench.stage.scene();
        bench.stage.setCellSize(size);
        const QImage next = bench.stage.grab().toImage();
        QVERIFY(next != shown);
        QRegion region;
        for (const QRectF& rect : changedRects(before, bench.stage.scene())) region += rect.toAlignedRect();
        for (int y = 0; y < next.height(); ++y) {
            for (int x = 0; x < next.width(); ++x) {
                if (next.pixel(x, y) != shown.pixel(x, y) && !region.contains(QPoint(x, y)))
                    QFAIL(qPrintable(QStringLiteral("%1,%2 differs at %3 px a cell").arg(x).arg(y).arg(size)));
            }
        }
        shown = next;
    }
}

void TestExploreStage::otherWrapKeepsTheView() {
    // The last row of a matrix is in sight in one row of cells; in rows of two it still is, though far below.
    Workspace workspace;
    const Tensor base = counting(24);
    const TensorId a = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(24).view(4, 6)"),
                                     base.withView(View{{4, 6}, {6, 1}, 0}), 0, 0);
    const TensorId last =
        workspace.add(QStringLiteral("B"), QStringLiteral("A[3:]"), base.withView(View{{1, 6}, {6, 1}, 18}), a, 1);
    WorkspaceModel model;
    ExploreStage stage(&model);
    stage.resize(1011, 466);
    model.setSnapshot(workspace.snapshot());
    model.select(last);
    stage.show();
    QVERIFY(QTest::qWaitForWindowExposed(&stage));
    QVERIFY(planStage(stage.state()).strip->inSight(18));
    stage.setWrap(StripWrap::Number, 2);
    const StagePlan plan = planStage(stage.state());
    QVERIFY(plan.strip->scrollsRows());
    QVERIFY(showsPartOf(*plan.strip, workspace.entry(last).tensor.view()));
    // A picked cell goes before both.
    model.setPick(pickOf(workspace.entry(last), {0, 5}));
    stage.setWrap(StripWrap::Fit);
    QVERIFY(planStage(stage.state()).strip->inSight(23));
    stage.setWrap(StripWrap::Number, 1);
    QVERIFY(planStage(stage.state()).strip->scrollsRows());
    QVERIFY(planStage(stage.state()).strip->inSight(23));
}

void TestExploreStage::wheelMovesTheHover() {
    // The mouse stays where it is and the cells move: what is linked is the one that came under it.
    Workspace workspace;
    const TensorId tall = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(120).view(40, 3)"),
                                        counting(120).withView(View{{40, 3}, {3, 1}, 0}), 0, 0);
    WorkspaceModel model;
    ExploreStage stage(&model);
    stage.resize(1011, 466);
    model.setSnapshot(workspace.snapshot());
    model.select(tall);
    stage.show();
    QVERIFY(QTest::qWaitForWindowExposed(&stage));
    const QPointF at = planStage(stage.state()).card(tall)->cellRect({1, 1})->center();
    const QPointF global = stage.mapToGlobal(at);
    QMouseEvent over(QEvent::MouseMove, at, global, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&stage, &over);
    QVERIFY(model.selection().hover.has_value());
    QCOMPARE(model.selection().hover->coord, (Dims{1, 1}));
    QWheelEvent wheel(at, global, {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&stage, &wheel);
    const Index first = planStage(stage.state()).card(tall)->firstRow;
    QVERIFY(first > 0);
    QCOMPARE(model.selection().hover->coord, (Dims{first + 1, 1}));
}

void TestExploreStage::lanesTellAllDigits() {
    // Beside a lane there may be room for a short form only; the tool tip has the numbers.
    Bench bench;
    const StagePlan plan = planStage(bench.stage.state());
    const auto tipAt = [&bench](QPointF p) {
        QHelpEvent help(QEvent::ToolTip, p.toPoint(), bench.stage.mapToGlobal(p.toPoint()));
        QCoreApplication::sendEvent(&bench.stage, &help);
        return QToolTip::text();
    };
    const qreal y = plan.lanesTop + 18;
    QCOMPARE(tipAt(QPointF(60, y)), QStringLiteral("20 of 20 cells"));
    QCOMPARE(tipAt(QPointF(60, y + kLanePitch)), QStringLiteral("8 of 20 cells"));
    tipAt(QPointF(plan.strip->layout.area.left() + 10, y));
    QTRY_VERIFY(!QToolTip::isVisible());
}

void TestExploreStage::captionsTellHowToGoOn() {
    Workspace workspace;
    const Tensor many = counting(240).withView(View{{2, 3, 2, 4, 5}, {120, 40, 20, 5, 1}, 0});
    const TensorId id = workspace.add(QStringLiteral("V"), QStringLiteral("v"), many, 0, 0);
    WorkspaceModel model;
    model.setSnapshot(workspace.snapshot());
    model.select(id);
    ExploreStage stage(&model);
    stage.resize(700, 560);
    stage.show();
    const StagePlan plan = planStage(stage.state());
    const CardLayout& card = *plan.card(id);
    const auto line = std::find_if(card.texts.begin(), card.texts.end(), [](const TextItem& text) {
        return text.text.contains(QStringLiteral("dim 1: at 0 of 0–2"));
    });
    QVERIFY(line != card.texts.end());
    const auto tipAt = [&](QPointF p) {
        QHelpEvent help(QEvent::ToolTip, p.toPoint(), stage.mapToGlobal(p.toPoint()));
        QCoreApplication::sendEvent(&stage, &help);
        return QToolTip::text();
    };
    const QPointF at = card.pos + line->pos + QPointF(12, -4);
    QVERIFY2(tipAt(at).contains(QStringLiteral("Ctrl+PgDown")), qPrintable(tipAt(at)));
    tipAt(card.pos + QPointF(20, 20));
    QTRY_VERIFY(!QToolTip::isVisible());
    // And the wheel does so.
    QWheelEvent wheel(at, stage.mapToGlobal(at), {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&stage, &wheel);
    QVERIFY(planStage(stage.state()).card(id)->cellRect({0, 1, 0, 0, 0}));
}

void TestExploreStage::rectanglesAreJoined() {
    // Many near one another are one; one far away stays; nothing that was covered is lost.
    std::vector<QRectF> rects;
    for (int i = 0; i < 40; ++i) rects.emplace_back(20 * i, 10 * (i % 7), 15, 12);
    rects.emplace_back(1500, 1000, 20, 20);
    const std::vector<QRectF> before = rects;
    mergeRects(rects);
    QCOMPARE(rects.size(), std::size_t{2});
    for (const QRectF& rect : before) {
        QVERIFY(std::any_of(rects.begin(), rects.end(), [&](const QRectF& r) { return r.contains(rect); }));
    }
    // Without a price for a rectangle only what overlaps or touches is joined.
    rects = {QRectF(0, 0, 10, 10), QRectF(10, 0, 10, 10), QRectF(40, 0, 10, 10)};
    mergeRects(rects, 0);
    QCOMPARE(rects, (std::vector<QRectF>{QRectF(0, 0, 20, 10), QRectF(40, 0, 10, 10)}));
    // A chain that only joins once its parts have grown.
    rects = {QRectF(0, 0, 10, 10), QRectF(20, 0, 10, 10), QRectF(10, 0, 10, 10)};
    mergeRects(rects, 0);
    QCOMPARE(rects, std::vector<QRectF>{QRectF(0, 0, 30, 10)});
}

void TestExploreStage::header() {
    Bench bench;
    StageHeader header;
    header.attach(&bench.stage);
    auto* wrap = header.findChild<SegmentedControl*>(QStringLiteral("wrap"));
    auto* ruler = header.findChild<SegmentedControl*>(QStringLiteral("ruler"));
    QVERIFY(wrap && ruler);
    QSignalSpy changed(&bench.stage, &ExploreStage::optionsChanged);
    wrap->setCurrent(2);
    QCOMPARE(bench.stage.options().wrap, StripWrap::Line64);
    QCOMPARE(planStage(bench.stage.state()).strip->layout.perRow, Index{8});
    bench.stage.setRuler(StripItem::Ruler::Hex);
    QCOMPARE(ruler->current(), 2);
    QCOMPARE(changed.count(), 2);
    bench.stage.setRuler(StripItem::Ruler::Hex);
    QCOMPARE(changed.count(), 2);
    QSignalSpy exported(&header, &StageHeader::exportRequested);
    header.findChild<QPushButton*>(QStringLiteral("exportButton"))->click();
    QCOMPARE(exported.count(), 1);
}

void TestExploreStage::wrapAsksForItsNumber() {
    Bench bench;
    StageHeader header;
    header.attach(&bench.stage);
    header.resize(header.sizeHint());
    header.show();
    header.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&header));
    auto* wrap = header.findChild<SegmentedControl*>(QStringLiteral("wrap"));
    auto* number = header.findChild<QSpinBox*>(QStringLiteral("wrapNumber"));
    QTest::mouseClick(wrap->button(3), Qt::LeftButton);
    QTRY_VERIFY(number->isVisible() && number->hasFocus());
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("12"));
    QCOMPARE(bench.stage.options().wrap, StripWrap::Number);
    QCOMPARE(bench.stage.options().wrapNumber, Index{12});
    // Keys that move over the segments stay with them.
    wrap->setCurrent(2);
    wrap->button(2)->setFocus();
    QTest::keyClick(wrap->button(2), Qt::Key_Right);
    QCoreApplication::processEvents();
    QCOMPARE(wrap->current(), 3);
    QVERIFY(!number->hasFocus());
}

void TestExploreStage::accessible() {
    Bench bench;
    QAccessibleInterface* root = QAccessible::queryAccessibleInterface(&bench.stage);
    QVERIFY(root);
    QCOMPARE(root->childCount(), 4);
    QAccessibleInterface* card = root->child(1);
    QCOMPARE(card->role(), QAccessible::Table);
    QVERIFY(card->text(QAccessible::Name).startsWith(QStringLiteral("B = A.narrow(1, 1, 2), int64, size (4, 2)")));
    auto* table = card->tableInterface();
    QVERIFY(table);
    QCOMPARE(table->rowCount(), 4);
    QCOMPARE(table->columnCount(), 2);
    QAccessibleInterface* cell = table->cellAt(2, 1);
    QVERIFY(cell);
    QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("B row 2 column 1, value 12, storage index 12"));
    QCOMPARE(table->cellAt(2, 1), cell);
    QVERIFY(!table->cellAt(4, 0));
    const QRect rect = cell->rect();
    const QPoint shift = rect.center() - bench.stage.mapToGlobal(bench.cell(bench.mock.B, {2, 1}));
    QVERIFY(shift.manhattanLength() <= 2);
    QAccessibleInterface* strip = root->child(3);
    QCOMPARE(strip->tableInterface()->columnCount(), 20);
    QVERIFY(
        strip->tableInterface()->cellAt(0, 12)->text(QAccessible::Name).contains(QStringLiteral("storage index 12")));
    bench.model.setPick(stage_test::pickOf(bench.mock.workspace.entry(bench.mock.B), {2, 1}));
    QVERIFY(cell->state().selected);
    QCOMPARE(table->selectedCellCount(), 1);
}

void TestExploreStage::resizeStorm() {
    Bench bench(true);
    for (int i = 0; i < 60; ++i) {
        bench.stage.resize(420 + (i * 137) % 1500, 320 + (i * 91) % 700);
        bench.move(QPoint((i * 53) % bench.stage.width(), (i * 71) % bench.stage.height()));
        const StagePlan plan = planStage(bench.stage.state());
        QVERIFY(plan.strip.has_value());
        QVERIFY(plan.strip->layout.area.bottom() <= bench.stage.height());
    }
    QVERIFY(!bench.stage.grab().isNull());
}

QTEST_MAIN(TestExploreStage)
#include "tst_explore_stage.moc"
