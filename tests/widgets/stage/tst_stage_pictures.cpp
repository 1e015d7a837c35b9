// Cards that show colours: three or four bytes are one pixel, whichever dim holds them. What the mouse and the keys do
// there is what is seen.

#include "core/ops/creation.h"
#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/stage_layout.h"

#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <array>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

QString s(const char* text) {
    return QString::fromLatin1(text);
}

/// A picture of 80 × 120 pixels whose dims lie as `order` says: {0, 1, 2} is height, width, channels.
Tensor picture(const Dims& order = {0, 1, 2}) {
    const Tensor base = zeros({80, 120, 3}, {.dtype = DType::UInt8, .device = {}});
    return base.withView(*permute(base.view(), order));
}

struct Bench {
    Workspace workspace;
    WorkspaceModel model;
    ExploreStage stage{&model};
    TensorId id;
    explicit Bench(const Tensor& tensor, QSize size = {1400, 760})
        : id(workspace.add(s("pic"), s("pic"), tensor, 0, 0)) {
        model.setSnapshot(workspace.snapshot());
        model.select(id);
        stage.resize(size);
        stage.show();
        (void)QTest::qWaitForWindowExposed(&stage);
    }
    StagePlan plan() const { return planStage(stage.state()); }
    QPoint cell(const Dims& coord) const { return plan().card(id)->cellRect(coord)->center().toPoint(); }
    Dims picked() const { return model.selection().pick ? model.selection().pick->coord : Dims(); }
    void move(QPoint p, Qt::MouseButtons buttons = Qt::NoButton, Qt::KeyboardModifiers modifiers = {}) {
        QMouseEvent event(QEvent::MouseMove, QPointF(p), QPointF(stage.mapToGlobal(p)), Qt::NoButton, buttons,
                          modifiers);
        QCoreApplication::sendEvent(&stage, &event);
    }
    /// The line that a drag runs; what it says instead where it is refused.
    QString drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {}) {
        QSignalSpy run(&stage, &ExploreStage::runRequested), explain(&stage, &ExploreStage::explainRequested);
        QTest::mousePress(&stage, Qt::LeftButton, modifiers, from);
        move(from + (to - from) / 2, Qt::LeftButton, modifiers);
        move(to, Qt::LeftButton, modifiers);
        QTest::mouseRelease(&stage, Qt::LeftButton, modifiers, to);
        if (!explain.isEmpty()) return s("refused: ") + explain.at(0).at(0).toString();
        return run.isEmpty() ? QString() : run.at(0).at(0).toString();
    }
};

} // namespace

class TestStagePictures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void boxesKeepTheColours_data();
    void boxesKeepTheColours();
    void edgesArePulledAsTheyLie_data();
    void edgesArePulledAsTheyLie();
    void arrowsMoveAsSeen_data();
    void arrowsMoveAsSeen();
    void wholePicturesAreNoSlices_data();
    void wholePicturesAreNoSlices();
    void everyColourCanBeHad_data();
    void everyColourCanBeHad();
};

void TestStagePictures::boxesKeepTheColours_data() {
    QTest::addColumn<Dims>("order");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<QString>("code");
    const Dims last{0, 1, 2}, first{2, 0, 1}, turned{1, 0, 2};
    QTest::newRow("channels last") << last << int(Qt::NoModifier) << s("pic[20:41, 30:91]");
    QTest::newRow("channels first") << first << int(Qt::NoModifier) << s("pic[:, 20:41, 30:91]");
    QTest::newRow("turned") << turned << int(Qt::NoModifier) << s("pic[30:91, 20:41]");
    // A step goes over pixels, not over their colours.
    QTest::newRow("step, channels last") << last << int(Qt::AltModifier) << s("pic[20:41:2, 30:91:2]");
    QTest::newRow("step, channels first") << first << int(Qt::AltModifier) << s("pic[:, 20:41:2, 30:91:2]");
    QTest::newRow("shift") << last << int(Qt::ShiftModifier) << s("pic[20:41, 30:91]");
}

void TestStagePictures::boxesKeepTheColours() {
    QFETCH(Dims, order);
    QFETCH(int, modifiers);
    QFETCH(QString, code);
    Bench bench(picture(order));
    QVERIFY(bench.plan().card(bench.id)->channelDim >= 0);
    // Height, width and channel of the storage, as the view has them.
    const auto coord = [&](Index y, Index x) {
        const Dims whole{y, x, 0};
        Dims c;
        for (const Index d : order) c.push_back(whole[static_cast<std::size_t>(d)]);
        return c;
    };
    const QString run =
        bench.drag(bench.cell(coord(20, 30)), bench.cell(coord(40, 90)), Qt::KeyboardModifiers(modifiers));
    QCOMPARE(run, code);
    // The box is drawn over what is dragged, from either end.
    QCOMPARE(bench.drag(bench.cell(coord(40, 90)), bench.cell(coord(20, 30)), Qt::KeyboardModifiers(modifiers)), code);
}

void TestStagePictures::edgesArePulledAsTheyLie_data() {
    QTest::addColumn<Dims>("order");
    QTest::addColumn<QString>("narrower");
    QTest::addColumn<QString>("lower");
    QTest::newRow("channels last") << Dims{0, 1, 2} << s("pic.narrow(1, 0, 100)") << s("pic.narrow(0, 0, 70)");
    QTest::newRow("channels first") << Dims{2, 0, 1} << s("pic.narrow(2, 0, 100)") << s("pic.narrow(1, 0, 70)");
}

void TestStagePictures::edgesArePulledAsTheyLie() {
    QFETCH(Dims, order);
    QFETCH(QString, narrower);
    QFETCH(QString, lower);
    Bench bench(picture(order));
    const StagePlan plan = bench.plan();
    const CardLayout& card = *plan.card(bench.id);
    const QRectF area = card.panels.front().area.translated(card.pos);
    const QPoint right(qRound(area.right()) + 2, qRound(area.center().y()));
    const QPoint bottom(qRound(area.center().x()), qRound(area.bottom()) + 2);
    bench.move(right);
    QCOMPARE(bench.stage.cursor().shape(), Qt::SizeHorCursor);
    bench.move(bottom);
    QCOMPARE(bench.stage.cursor().shape(), Qt::SizeVerCursor);
    // Some pixels across do not matter.
    const QPoint left(-qRound(20 * card.cell.width()), 2), up(2, -qRound(10 * card.cell.height()));
    QCOMPARE(bench.drag(right, right + left), narrower);
    QCOMPARE(bench.drag(bottom, bottom + up), lower);
}

void TestStagePictures::arrowsMoveAsSeen_data() {
    QTest::addColumn<Dims>("order");
    QTest::newRow("channels last") << Dims{0, 1, 2};
    QTest::newRow("channels first") << Dims{2, 0, 1};
    QTest::newRow("turned") << Dims{1, 0, 2};
}

void TestStagePictures::arrowsMoveAsSeen() {
    QFETCH(Dims, order);
    Bench bench(picture(order));
    const auto at = [&](const Dims& coord) { return bench.plan().card(bench.id)->cellRect(coord)->center(); };
    const auto channel = [&] {
        return bench.picked()[static_cast<std::size_t>(bench.plan().card(bench.id)->channelDim)];
    };
    const Dims centre = [&] {
        Dims c;
        for (const Index d : order) c.push_back(Dims{40, 60, 0}[static_cast<std::size_t>(d)]);
        return c;
    }();
    const struct {
        Qt::Key key;
        QPoint way;
    } moves[] = {{Qt::Key_Right, {1, 0}},    {Qt::Key_Left, {-1, 0}},  {Qt::Key_Down, {0, 1}},
                 {Qt::Key_Up, {0, -1}},      {Qt::Key_Home, {-1, 0}},  {Qt::Key_End, {1, 0}},
                 {Qt::Key_PageDown, {0, 1}}, {Qt::Key_PageUp, {0, -1}}};
    for (const auto& move : moves) {
        QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, at(centre).toPoint());
        QCOMPARE(bench.picked(), centre);
        QTest::keyClick(&bench.stage, move.key);
        const QPointF by = at(bench.picked()) - at(centre);
        QCOMPARE(QPoint(by.x() > 0 ? 1 : by.x() < 0 ? -1 : 0, by.y() > 0 ? 1 : by.y() < 0 ? -1 : 0), move.way);
        QCOMPARE(channel(), Index{0});
    }
    // The colour of the same pixel: with the keys that choose the slice of three dims elsewhere.
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, at(centre).toPoint());
    for (const Index expected : {1, 2, 2}) {
        QTest::keyClick(&bench.stage, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(channel(), expected);
        QCOMPARE(at(bench.picked()), at(centre));
    }
    QTest::keyClick(&bench.stage, Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(channel(), Index{1});
}

void TestStagePictures::wholePicturesAreNoSlices_data() {
    QTest::addColumn<Dims>("shape");
    QTest::addColumn<QString>("slice"); ///< what is said where room is short
    QTest::newRow("channels last") << Dims{80, 120, 3} << QString();
    QTest::newRow("channels first") << Dims{3, 80, 120} << QString();
    QTest::newRow("four, channels last") << Dims{4, 80, 120, 3} << s("slice [0], one of 4");
    QTest::newRow("four, channels first") << Dims{4, 3, 80, 120} << s("slice [0], one of 4");
    QTest::newRow("numbers") << Dims{80, 120, 5} << s("slice [0], one of 80");
}

/// A card that shows all of a picture does not say that it is one slice of many.
void TestStagePictures::wholePicturesAreNoSlices() {
    QFETCH(Dims, shape);
    QFETCH(QString, slice);
    Workspace workspace;
    const TensorId id = workspace.add(s("pic"), s("pic"), zeros(shape, {.dtype = DType::UInt8, .device = {}}), 0, 0);
    CardInput input;
    input.entry = &workspace.entry(id);
    input.slim = input.still = true;
    for (const bool presented : {false, true}) {
        input.presented = presented;
        const CardLayout card = layoutCard(input);
        QStringList said;
        for (const TextItem& text : card.texts)
            if (text.text.contains(s("slice"))) said << text.text;
        QCOMPARE(said.join(QLatin1Char(' ')), slice);
        if (slice.isEmpty()) QCOMPARE(card.panels.size(), std::size_t{1});
    }
}

void TestStagePictures::everyColourCanBeHad_data() {
    QTest::addColumn<Dims>("order");
    QTest::newRow("channels last") << Dims{0, 1, 2};
    QTest::newRow("channels first") << Dims{2, 0, 1};
}

/// A pixel has three cells in the storage: all are lit, and each can be pointed at through the card.
void TestStagePictures::everyColourCanBeHad() {
    QFETCH(Dims, order);
    const Tensor tensor = picture(order);
    for (Index i = 0; i < tensor.numel(); ++i)
        storeElement(tensor.storage()->data() + i, DType::UInt8, Scalar(i * 7 % 256));
    Bench bench(tensor);
    const auto coord = [&](Index y, Index x, Index channel) {
        const Dims whole{y, x, channel};
        Dims c;
        for (const Index d : order) c.push_back(whole[static_cast<std::size_t>(d)]);
        return c;
    };
    const auto lit = [&] {
        std::vector<Index> slots;
        for (const SceneNode& node : bench.stage.scene().nodes) {
            const auto* strip = std::get_if<StripItem>(&node.item);
            if (!strip || node.part.index != 0) continue;
            for (const CellMark& mark : strip->marks)
                if (mark.kind == MarkKind::Ring || mark.kind == MarkKind::SoftRing) slots.push_back(mark.position);
        }
        std::sort(slots.begin(), slots.end());
        return slots;
    };
    // Which switch is on, of those beside the dim of the colours.
    const auto on = [&] {
        QStringList names;
        const StagePlan plan = bench.plan(); // outlives the loop
        for (const CardChip& chip : plan.card(bench.id)->colours)
            if (chip.on) names << chip.text;
        return names.join(QLatin1Char(' '));
    };
    QSignalSpy status(&bench.stage, &ExploreStage::statusTextChanged);
    const QPoint pixel = bench.cell(coord(40, 43, 0)), other = bench.cell(coord(10, 20, 0));
    const Index slot = (40 * 120 + 43) * 3;
    const std::vector<Index> three{slot, slot + 1, slot + 2};
    const QString values = s("(%1, %2, %3)").arg(slot * 7 % 256).arg((slot + 1) * 7 % 256).arg((slot + 2) * 7 % 256);
    const std::array names{s("red"), s("green"), s("blue")};
    bench.move(pixel);
    QCOMPARE(lit(), three);
    QCOMPARE(on(), names[0]);
    QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, pixel);
    const QImage before = bench.stage.grab().toImage().copy(QRect(other - QPoint(20, 20), QSize(40, 40)));
    for (const Index k : {1, 2, 0, 1}) {
        const CardLayout card = *bench.plan().card(bench.id);
        QCOMPARE(card.colours.size(), std::size_t{3});
        const QRectF chip = card.colours[static_cast<std::size_t>(k)].rect.translated(card.pos);
        QVERIFY(card.frame().contains(chip));
        QTest::mouseClick(&bench.stage, Qt::LeftButton, {}, chip.center().toPoint());
        QCOMPARE(bench.picked(), coord(40, 43, k));
        QCOMPARE(on(), names[static_cast<std::size_t>(k)]);
        QCOMPARE(lit(), three);
        QVERIFY2(status.last().at(0).toString().contains(names[static_cast<std::size_t>(k)] + s(" of ") + values),
                 qPrintable(status.last().at(0).toString()));
        // What is pointed at next is that colour of it.
        bench.move(other);
        QCOMPARE(bench.model.selection().hover->coord, coord(10, 20, k));
        QCOMPARE(bench.model.selection().hover->slot, (10 * 120 + 20) * 3 + k);
        bench.model.setHover(std::nullopt);
        // The picture is the same, whichever colour is meant.
        QCOMPARE(bench.stage.grab().toImage().copy(QRect(other - QPoint(20, 20), QSize(40, 40))), before);
    }
    // The keys' colour is the mouse's, too.
    QTest::keyClick(&bench.stage, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(on(), names[2]);
    bench.move(other);
    QCOMPARE(bench.model.selection().hover->coord, coord(10, 20, 2));
    // A cell of the storage is one colour of one pixel.
    bench.model.setHover(Pick{tensor.storage()->id(), slot + 1, 0, {}});
    QCOMPARE(lit(), std::vector<Index>{slot + 1});
    QCOMPARE(on(), names[1]);
    // Switches are of no use on paper.
    for (const SceneNode& node : bench.stage.pictureOf(bench.id).nodes) QVERIFY(node.part.kind != PartKind::CardMode);
}

QTEST_MAIN(TestStagePictures)
#include "tst_stage_pictures.moc"
