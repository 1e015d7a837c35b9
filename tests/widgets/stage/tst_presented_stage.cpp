// The Explore stage as a class sees it: letters of the room's size, and in sight what is talked about.

#include "core/view/inverse.h"
#include "tests/support/qt/text_recorder.h"
#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/presenter/room_size.h"
#include "widgets/scene/scene_painter.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/presented_room.h"

#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

/// Of the window's height, what the presenter's bar leaves.
constexpr qreal kStageShare = 0.9;

ExploreState presented(const SnapshotPtr& snapshot, TensorId selected, RoomSize room, QSize window) {
    ExploreState state;
    state.snapshot = snapshot;
    state.selection.tensor = selected;
    state.options.presented = true;
    const qreal scale = presenterScale(room, window.height());
    state.viewport = QSizeF(window.width() / scale, window.height() * kStageShare / scale);
    return state;
}

/// The same text as on the screen, but by strings: the recorder does not read single glyphs.
std::vector<test::RecordedText> recorded(const ExploreState& state, qreal scale, QSize window) {
    test::TextRecorder recorder(window);
    QPainter painter(&recorder);
    painter.scale(scale, scale);
    PaintOptions options;
    options.vector = true;
    paintScene(painter, exploreScene(state), Theme(ThemeKind::Light, true), options);
    painter.end();
    return recorder.texts();
}

} // namespace

class TstPresentedStage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rooms_data();
    void lettersHaveTheRoomsSize_data() { rooms_data(); }
    void lettersHaveTheRoomsSize();
    void pixelsAreAsHigh_data() { rooms_data(); }
    void pixelsAreAsHigh();
    void textsStandApart_data() { rooms_data(); }
    void textsStandApart();
    void everyPickIsInSight_data() { rooms_data(); }
    void everyPickIsInSight();
    void rowsLeftOutAreSaidBesideThem();
    void overviewsSayWhatTheyShow();
    void theMouseFindsWhatIsDrawn();
    void theSelectedViewHasAnArea();
    void largeViewsOfAnySizeHaveRoom();
};

void TstPresentedStage::rooms_data() {
    QTest::addColumn<RoomSize>("room");
    QTest::addColumn<QSize>("window");
    const std::pair<const char*, RoomSize> rooms[] = {
        {"small", RoomSize::Small}, {"lecture", RoomSize::Lecture}, {"hall", RoomSize::Hall}};
    for (const auto& [name, room] : rooms) {
        for (const QSize& size : {QSize(1280, 720), QSize(1920, 1080), QSize(1024, 768)})
            QTest::addRow("%s %dx%d", name, size.width(), size.height()) << room << size;
    }
}

namespace {

struct Shown {
    const char* name;
    SnapshotPtr snapshot;
    TensorId selected;
    Dims pick;
};

/// Tensors of every kind that a class sees. Each with a picked cell.
std::vector<Shown> shownKinds() {
    std::vector<Shown> kinds;
    const auto add = [&](const char* name, const Tensor& tensor, const Dims& pick) {
        Workspace workspace;
        const TensorId id = workspace.add(QStringLiteral("x"), QStringLiteral("torch.made(up)"), tensor, 0, 0);
        kinds.push_back({name, workspace.snapshot(), id, pick});
    };
    const MockUp mockUp(true);
    kinds.push_back({"views", mockUp.workspace.snapshot(), mockUp.A, {2, 1}});
    kinds.push_back({"transposed", mockUp.workspace.snapshot(), mockUp.C, {1, 3}});
    kinds.push_back({"copy", mockUp.workspace.snapshot(), mockUp.w, {1, 3}});
    add("3 x 4", counting(12).withView(View{{3, 4}, {4, 1}, 0}), {2, 1});
    add("6 x 8", counting(48).withView(View{{6, 8}, {8, 1}, 0}), {5, 7});
    add("long numbers", counting(12, DType::Float32, 1234567).withView(View{{3, 4}, {4, 1}, 0}), {2, 3});
    add("1-d", counting(40), {39});
    add("0-d", counting(1).withView(View{{}, {}, 0}), {});
    add("empty", counting(4).withView(View{{0, 4}, {4, 1}, 0}), {});
    add("3-d", counting(24).withView(View{{2, 3, 4}, {12, 4, 1}, 0}), {1, 2, 3});
    add("5-d", counting(96).withView(View{{2, 2, 2, 3, 4}, {48, 24, 12, 4, 1}, 0}), {1, 1, 1, 2, 3});
    add("repeated", counting(3).withView(View{{3, 4}, {1, 0}, 0}), {1, 2});
    add("overlapping", counting(12).withView(View{{5, 4}, {2, 1}, 0}), {3, 3});
    add("a picture", counting(96 * 96).withView(View{{96, 96}, {96, 1}, 0}), {40, 40});
    add("many", counting(200000), {123456});
    return kinds;
}

ExploreState stateOf(const Shown& shown, RoomSize room, QSize window, bool picked = true) {
    ExploreState state = presented(shown.snapshot, shown.selected, room, window);
    const TensorEntry& entry = *shown.snapshot->tensor(shown.selected);
    if (picked && entry.tensor.numel() > 0) state.selection.pick = pickOf(entry, shown.pick);
    return state;
}

} // namespace

void TstPresentedStage::lettersHaveTheRoomsSize() {
    QFETCH(RoomSize, room);
    QFETCH(QSize, window);
    const qreal scale = presenterScale(room, window.height());
    for (const Shown& shown : shownKinds()) {
        for (const CellText text : {CellText::Value, CellText::Index, CellText::Both}) {
            ExploreState state = stateOf(shown, room, window);
            state.options.cellText = text;
            const std::vector<test::RecordedText> texts = recorded(state, scale, window);
            QVERIFY(texts.size() > 5);
            const test::RecordedText smallest = test::smallestOf(texts);
            QVERIFY2(smallest.capHeight >= capShare(room) * window.height() - 1e-6,
                     qPrintable(QStringLiteral("%1: \"%2\" is %3 px high")
                                    .arg(QLatin1String(shown.name), smallest.text)
                                    .arg(smallest.capHeight)));
        }
    }
}

/// The digits of a cell, counted in rows of pixels.
void TstPresentedStage::pixelsAreAsHigh() {
    QFETCH(RoomSize, room);
    QFETCH(QSize, window);
    Workspace workspace;
    const TensorId id = workspace.add(QStringLiteral("x"), QStringLiteral("torch.full((3, 4), 11)"),
                                      counting(12, DType::Int64, 111).withView(View{{3, 4}, {4, 1}, 0}), 0, 0);
    const ExploreState state = presented(workspace.snapshot(), id, room, window);
    const qreal scale = presenterScale(room, window.height());
    QImage image(window, QImage::Format_RGB32);
    QPainter painter(&image);
    painter.scale(scale, scale);
    paintScene(painter, exploreScene(state), Theme(ThemeKind::Light, true), {});
    painter.end();
    const StagePlan plan = planStage(state);
    const QRectF cells[] = {*plan.card(id)->cellRect(plan.card(id)->firstRow ? Dims{1, 0} : Dims{0, 0}),
                            plan.strip->layout.cellRect(0)};
    for (const QRectF& cell : cells) {
        const QRect inside = QRectF(cell.topLeft() * scale, cell.size() * scale).toRect().adjusted(6, 6, -6, -6);
        int first = -1, last = -1;
        for (int y = inside.top(); y <= inside.bottom(); ++y) {
            int dark = 0;
            for (int x = inside.left(); x <= inside.right(); ++x) dark += qGray(image.pixel(x, y)) < 90;
            if (dark == 0) continue;
            if (first < 0) first = y;
            last = y;
        }
        QVERIFY(first >= 0);
        // The edges of the letters are grey: a row at each end may count as none.
        QVERIFY2(last - first + 1 + 2 >= capShare(room) * window.height(),
                 qPrintable(QStringLiteral("%1 rows").arg(last - first + 1)));
    }
}

void TstPresentedStage::textsStandApart() {
    QFETCH(RoomSize, room);
    QFETCH(QSize, window);
    const qreal scale = presenterScale(room, window.height());
    for (const Shown& shown : shownKinds()) {
        const ExploreState state = stateOf(shown, room, window);
        const StagePlan plan = planStage(state);
        const QRectF stage(QPointF(), state.viewport * scale);
        // Of cards that are scrolled to the side only what is in sight counts.
        std::vector<test::RecordedText> texts;
        for (const test::RecordedText& text : recorded(state, scale, window))
            if (stage.intersects(text.rect)) texts.push_back(text);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            QVERIFY2(texts[i].rect.bottom() <= stage.bottom() + 1 && texts[i].rect.top() >= -1,
                     qPrintable(QStringLiteral("%1: \"%2\" is cut").arg(QLatin1String(shown.name), texts[i].text)));
            for (std::size_t k = 0; k < i; ++k) {
                const QRectF a = texts[i].rect.adjusted(1, 1, -1, -1), b = texts[k].rect.adjusted(1, 1, -1, -1);
                QVERIFY2(!a.intersects(b),
                         qPrintable(QStringLiteral("%1: \"%2\" and \"%3\"")
                                        .arg(QLatin1String(shown.name), texts[i].text, texts[k].text)));
            }
        }
        if (qEnvironmentVariableIsSet("STRIDESCOPE_LOOK")) {
            QImage image((state.viewport * scale).toSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            painter.scale(scale, scale);
            paintScene(painter, exploreScene(state), Theme(ThemeKind::Light, true), {});
            painter.end();
            QString name =
                QStringLiteral("%1-%2").arg(QLatin1String(shown.name), QLatin1String(QTest::currentDataTag()));
            image.save(qEnvironmentVariable("STRIDESCOPE_LOOK") + QLatin1Char('/') +
                       name.replace(QLatin1Char(' '), QLatin1Char('_')) + QStringLiteral(".png"));
        }
    }
}

void TstPresentedStage::everyPickIsInSight() {
    QFETCH(RoomSize, room);
    QFETCH(QSize, window);
    for (const Shown& shown : shownKinds()) {
        const TensorEntry& entry = *shown.snapshot->tensor(shown.selected);
        if (entry.tensor.numel() == 0) continue;
        WorkspaceModel model;
        model.setSnapshot(shown.snapshot);
        ExploreStage stage(&model);
        StageOptions options;
        options.presented = true;
        stage.setOptions(options);
        const qreal scale = presenterScale(room, window.height());
        stage.resize(window.width(), static_cast<int>(window.height() * kStageShare));
        stage.setScale(scale);
        stage.show();
        model.select(shown.selected);
        model.setPick(pickOf(entry, shown.pick));
        const StagePlan plan = planStage(stage.state());
        const QRectF all(QPointF(), stage.state().viewport);
        const auto cell = plan.card(shown.selected)->cellRect(shown.pick);
        QVERIFY2(cell && all.contains(*cell), shown.name);
        const Index slot = entry.tensor.view().slot(shown.pick);
        QVERIFY2(plan.strip->inSight(slot), shown.name);
        QVERIFY2(all.contains(plan.strip->layout.cellRect(slot).center()), shown.name);
        QVERIFY2(plan.strip->handle.isEmpty() || all.contains(plan.strip->handle), shown.name);
        for (const FormulaTerm& term : plan.formula) QVERIFY2(all.contains(term.rect), shown.name);
    }
}

/// Beside answers the stage is narrow, and the head a column left of the cells.
void TstPresentedStage::rowsLeftOutAreSaidBesideThem() {
    Workspace workspace;
    const TensorId id = workspace.add(QStringLiteral("r"), QStringLiteral("x.expand(6, 3)"),
                                      counting(6).withView(View{{6, 3}, {1, 0}, 0}), 0, 0);
    ExploreState state = presented(workspace.snapshot(), id, RoomSize::Lecture, QSize(1920, 1080));
    state.viewport = {state.viewport.width() * 0.56, state.viewport.height() * 0.8};
    const StagePlan plan = planStage(state);
    const CardLayout& card = *plan.card(id);
    QVERIFY(card.shownRows < card.rows);
    QStringList words;
    for (const TextItem& text : card.texts) words << text.text;
    const QString wanted =
        QStringLiteral("… rows %1–%2 of 6").arg(card.firstRow).arg(card.firstRow + card.shownRows - 1);
    QVERIFY2(words.join(QLatin1Char(' ')).contains(wanted), qPrintable(words.join(QLatin1Char('|'))));
}

/// As on the plain stage: the map shows heights, and words tell what a pixel is; a low stage keeps its row of cells.
void TstPresentedStage::overviewsSayWhatTheyShow() {
    Workspace workspace;
    const TensorId id =
        workspace.add(QStringLiteral("x"), QStringLiteral("torch.arange(200000)"), counting(200000), 0, 0);
    const auto look = [&](qreal height, qreal cellSize) {
        ExploreState state = presented(workspace.snapshot(), id, RoomSize::Small, QSize(1920, 1080));
        state.viewport.setHeight(height);
        state.options.cellSize = cellSize;
        const StagePlan plan = planStage(state);
        bool heights = false, words = false;
        for (const SceneNode& node : exploreScene(state).nodes) {
            if (const auto* bars = std::get_if<BarsItem>(&node.item)) heights |= bars->bars.size() > 2;
            const auto* text = std::get_if<TextItem>(&node.item);
            if (!text || !text->text.contains(QStringLiteral("one pixel = 4 elements"))) continue;
            words = true;
            if (text->pos.y() > plan.strip->handle.top() || text->pos.y() - 12 < plan.strip->layout.area.bottom())
                return QStringLiteral("words at %1").arg(text->pos.y());
        }
        if (plan.strip->handle.bottom() > height) return QStringLiteral("the name leaves the stage");
        return QStringLiteral("%1 %2").arg(heights).arg(words);
    };
    for (qreal height = 300; height < 800; height += 7) {
        QCOMPARE(look(height, 0), QStringLiteral("1 0"));
        QCOMPARE(look(height, 0.25), QStringLiteral("1 1"));
    }
    QCOMPARE(look(220, 0.25), QStringLiteral("0 0"));
}

void TstPresentedStage::theMouseFindsWhatIsDrawn() {
    const MockUp mockUp;
    WorkspaceModel model;
    model.setSnapshot(mockUp.workspace.snapshot());
    model.select(mockUp.A);
    ExploreStage stage(&model);
    StageOptions options;
    options.presented = true;
    stage.setOptions(options);
    stage.resize(1280, 640);
    stage.setScale(presenterScale(RoomSize::Lecture, 720));
    stage.show();
    QVERIFY(QTest::qWaitForWindowExposed(&stage));
    const StagePlan plan = planStage(stage.state());
    const CardLayout& card = *plan.card(mockUp.A);
    const QRectF cell = *card.cellRect({card.firstRow + 1, 2});
    QTest::mouseClick(&stage, Qt::LeftButton, {}, (cell.center() * stage.scale()).toPoint());
    QVERIFY(model.selection().pick);
    QCOMPARE(model.selection().pick->coord, (Dims{card.firstRow + 1, 2}));
    // A box of cells is a view, as on the plain stage.
    QSignalSpy lines(&stage, &ExploreStage::runRequested);
    const StagePlan now = planStage(stage.state());
    const CardLayout& same = *now.card(mockUp.A);
    const auto at = [&](Index row, Index col) {
        return (same.cellRect({same.firstRow + row, col})->center() * stage.scale()).toPoint();
    };
    QTest::mousePress(&stage, Qt::LeftButton, {}, at(0, 1));
    QTest::mouseMove(&stage, at(1, 2));
    QTest::mouseRelease(&stage, Qt::LeftButton, {}, at(1, 2));
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines.front().front().toString().startsWith(QStringLiteral("A")),
             qPrintable(lines.front().front().toString()));
}

void TstPresentedStage::theSelectedViewHasAnArea() {
    const MockUp mockUp;
    WorkspaceModel model;
    model.setSnapshot(mockUp.workspace.snapshot());
    model.select(mockUp.B);
    ExploreStage stage(&model);
    StageOptions options;
    options.presented = true;
    stage.setOptions(options);
    stage.resize(1920, 1000);
    stage.setScale(presenterScale(RoomSize::Small, 1080));
    const StagePlan plan = planStage(stage.state());
    const QPainterPath area = stage.selectedArea();
    const auto middle = [&](const QRectF& r) { return r.center() * stage.scale(); };
    QVERIFY(area.contains(middle(plan.card(mockUp.B)->frame())));
    QVERIFY(!area.contains(middle(plan.card(mockUp.A)->frame())));
    const View& view = mockUp.workspace.entry(mockUp.B).tensor.view();
    for (Index slot = 0; slot < 20; ++slot)
        QCOMPARE(area.contains(middle(plan.strip->layout.cellRect(slot))), reaches(view, slot));
}

/// How large a picture of a view is does not depend on whether its sizes divide well.
void TstPresentedStage::largeViewsOfAnySizeHaveRoom() {
    QStringList none;
    for (Index n = 100; n <= 900; ++n) {
        Workspace workspace;
        const TensorId a = workspace.add(QStringLiteral("A"), QStringLiteral("torch.zeros(%1, 1)").arg(n),
                                         counting(n, DType::Float32).withView(View{{n, 1}, {1, 1}, 0}), 0, 0, false);
        const TensorId b = workspace.add(QStringLiteral("B"), QStringLiteral("torch.zeros(%1)").arg(n),
                                         counting(n, DType::Float32), 0, 1, false);
        workspace.add(QStringLiteral("a"), QStringLiteral("A.expand(%1, %1)").arg(n),
                      workspace.entry(a).tensor.withView(View{{n, n}, {1, 0}, 0}), a, 2);
        ExploreState state;
        state.selection.tensor = workspace.add(QStringLiteral("b"), QStringLiteral("B.expand(%1, %1)").arg(n),
                                               workspace.entry(b).tensor.withView(View{{n, n}, {0, 1}, 0}), b, 3);
        state.snapshot = workspace.snapshot();
        state.options.presented = true;
        state.viewport = {284.676, 192.075};
        if (presentedForm(state) == PresentedForm::None) none << QString::number(n);
    }
    QVERIFY2(none.isEmpty(), qPrintable(none.join(QLatin1Char(' '))));
}

QTEST_MAIN(TstPresentedStage)
#include "tst_presented_stage.moc"
