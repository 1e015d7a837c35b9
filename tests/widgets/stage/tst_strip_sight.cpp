// What of a strip is in sight, and that links, hops, signs and hatched cells never lie about the rest.

#include "stage_fixture.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/export.h"
#include "widgets/scene/hit_test.h"
#include "widgets/scene/paint_context.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/linking.h"
#include "widgets/stage/stage_help.h"
#include "widgets/stage/stage_layout.h"
#include "widgets/stage/stage_scene_parts.h"

#include <QTest>

#include <random>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

/// One tensor on a storage of its own, on a stage of the size.
struct Stage {
    Workspace workspace;
    TensorId id = 0;
    ExploreState state;
    Stage(Index count, View view, QSizeF viewport, DType dtype = DType::Int64) {
        id = workspace.add(QStringLiteral("A"), QStringLiteral("q.as_strided()"),
                           counting(count, dtype).withView(std::move(view)), 0, 0);
        state.snapshot = workspace.snapshot();
        state.viewport = viewport;
        state.selection.tensor = id;
    }
    void show(const Dims& coord) { state.selection.hover = pickOf(workspace.entry(id), coord); }
};

template <class Item>
std::vector<std::pair<Part, Item>> items(const Scene& scene) {
    std::vector<std::pair<Part, Item>> found;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* item = std::get_if<Item>(&node.item)) found.emplace_back(node.part, *item);
    }
    return found;
}

QStringList texts(const Scene& scene) {
    QStringList found;
    for (const auto& [part, text] : items<TextItem>(scene)) found << text.text;
    return found;
}

/// Curves and trunks from cards to the strip.
std::vector<QPainterPath> linkPaths(const Scene& scene) {
    std::vector<QPainterPath> found;
    for (const auto& [part, path] : items<PathItem>(scene)) {
        if (part.kind == PartKind::None && (part.index == 1 || part.index == 2) && path.casing)
            found.push_back(path.path);
    }
    return found;
}

std::vector<QPainterPath> hopPaths(const Scene& scene) {
    std::vector<QPainterPath> found;
    for (const auto& [part, path] : items<PathItem>(scene)) {
        if (part.kind == PartKind::None && part.index == -1 && part.tensor != 0 && part.storageId != 0 && path.arrow)
            found.push_back(path.path);
    }
    return found;
}

/// The first point of a path that lies on a cell of the strip, as words; empty if none does.
QString crossing(const QPainterPath& path, const StripLayout& layout) {
    for (int i = 0; i <= 150; ++i) {
        const QPointF p = path.pointAtPercent(i / 150.0);
        if (const std::optional<Index> slot = layout.cellAt(p))
            return QStringLiteral("(%1, %2) lies on cell %3").arg(p.x()).arg(p.y()).arg(*slot);
    }
    return {};
}

std::optional<std::pair<QRectF, QString>> signOf(const Scene& scene) {
    std::optional<QRectF> box;
    for (const auto& [part, item] : items<BoxItem>(scene)) {
        if (part.kind == PartKind::Button) box = item.rect;
    }
    for (const auto& [part, item] : items<TextItem>(scene)) {
        if (part.kind == PartKind::Button && box) return std::pair{*box, item.text};
    }
    return std::nullopt;
}

} // namespace

class TestStripSight : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void otherStripsAreWhole_data();
    void otherStripsAreWhole();
    void linksToHiddenCells_data();
    void linksToHiddenCells();
    void handlesTellTheCount();
    void hopsFromAfarAreArches_data();
    void hopsFromAfarAreArches();
    void linksPassNoCell_data();
    void linksPassNoCell();
    void linksGoStraightWhereFree();
    void rowsAreThoseOfTheMatrix_data();
    void rowsAreThoseOfTheMatrix();
    void rowsAskedForAreWhole();
    void rowsAskedForTakeOtherStrips();
    void headsStayBesideRows_data();
    void headsStayBesideRows();
    void smallStoragesAreWhole_data();
    void smallStoragesAreWhole();
    void hopsBesideAnotherPick();
    void wordsBetweenRowsHaveAKey();
    void everyHopIsNamed();
    void everyDimOfManyIsNamed();
    void leftOutIsExplained();
    void flagSparesTheAddress();
    void hopsInBytes();
    void cellsPastTheEnd_data();
    void cellsPastTheEnd();
    void draggedFlagHatchesNothing();
    void badgesSpareTheNumbers_data();
    void badgesSpareTheNumbers();
    void halfScrolledRowsEndAtTheArea();
    void nothingLiesOnTheMap_data();
    void nothingLiesOnTheMap();
    void otherRowsKeepThePlace();
    void nothingIsScrolledPastTheEnd();
    void hopsGoOnOverRowEnds_data();
    void hopsGoOnOverRowEnds();
};

void TestStripSight::otherStripsAreWhole_data() {
    QTest::addColumn<Index>("count");
    for (const Index count : {1, 12, 40, 5000, 10'000, 1'000'000})
        QTest::addRow("%lld", static_cast<long long>(count)) << Index{count};
}

void TestStripSight::otherStripsAreWhole() {
    QFETCH(Index, count);
    Stage stage(12, View{{3, 4}, {4, 1}, 0}, {1016, 642});
    // Only the last hundredth is reached: at the right end of what is drawn there must be colour.
    const Index tail = count / 100 + 1;
    const TensorId other =
        stage.workspace.add(QStringLiteral("b"), QStringLiteral("torch.arange()"),
                            counting(count, DType::UInt8).withView(View{{tail}, {1}, count - tail}), 0, 1);
    stage.state.snapshot = stage.workspace.snapshot();
    const StagePlan plan = planStage(stage.state);
    QCOMPARE(plan.others.size(), std::size_t{1});
    const StripPlan& strip = plan.others[0];
    QVERIFY(!strip.scrollsColumns());
    QVERIFY(!strip.scrollsRows());
    const QRectF last = strip.layout.cellRect(count - 1);
    QVERIFY(last.right() <= strip.layout.area.right() + 0.5);
    QVERIFY(strip.inSight(0) && strip.inSight(count - 1));
    const QImage image = renderImage(exploreScene(stage.state), Theme(ThemeKind::Light));
    const QColor fill = Theme(ThemeKind::Light).color(Theme::viewTone(stage.workspace.entry(other).colour));
    bool seen = false;
    for (int x = static_cast<int>(last.left()) - 3; x <= static_cast<int>(last.right()) + 1; ++x)
        seen = seen || image.pixelColor(x, static_cast<int>(last.bottom()) - 4) == fill;
    QVERIFY(seen);
}

void TestStripSight::linksToHiddenCells_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::addColumn<int>("wrap");
    QTest::addColumn<qreal>("cell");
    for (const QSizeF size : {QSizeF(884, 466), QSizeF(1016, 642), QSizeF(1400, 800)}) {
        for (const StripWrap wrap : {StripWrap::Fit, StripWrap::Row, StripWrap::Line64}) {
            for (const qreal cell : {0.0, 40.0, 90.0, 120.0}) {
                QTest::addRow("%gx%g wrap %d cell %g", size.width(), size.height(), static_cast<int>(wrap), cell)
                    << size << static_cast<int>(wrap) << cell;
            }
        }
    }
}

void TestStripSight::linksToHiddenCells() {
    QFETCH(QSizeF, viewport);
    QFETCH(int, wrap);
    QFETCH(qreal, cell);
    Stage stage(60, View{{3, 20}, {20, 1}, 0}, viewport);
    stage.state.options.wrap = static_cast<StripWrap>(wrap);
    stage.state.options.cellSize = cell;
    int signs = 0, linked = 0;
    const quint64 storage = stage.workspace.entry(stage.id).tensor.storage()->id();
    for (const StripScroll scroll : {StripScroll{}, StripScroll{2, 0, 3, 0}, StripScroll{1, 10, 5, 7}}) {
        stage.state.scroll.insert(storage, scroll);
        for (Index i = 0; i < 3; ++i) {
            for (Index j = 0; j < 20; j += 3) {
                stage.show({i, j});
                const StagePlan plan = planStage(stage.state);
                const StripPlan& strip = *plan.strip;
                const Scene scene = exploreScene(stage.state);
                const Index slot = i * 20 + j;
                const auto sign = signOf(scene);
                QCOMPARE(sign.has_value(), !strip.inSight(slot));
                for (const QPainterPath& hop : hopPaths(scene)) {
                    const QRectF bounds = hop.boundingRect();
                    QVERIFY2(bounds.left() > strip.layout.area.left() - 1 &&
                                 bounds.right() < strip.layout.area.right() + 1,
                             qPrintable(QStringLiteral("a hop to %1 leaves the strip").arg(slot)));
                }
                for (const QPainterPath& path : linkPaths(scene)) {
                    const QString crossed = crossing(path, strip.layout);
                    QVERIFY2(crossed.isEmpty(), qPrintable(QStringLiteral("link to %1: %2").arg(slot).arg(crossed)));
                }
                if (!sign) continue;
                QVERIFY(sign->second.contains(QString::number(slot)));
                const StripSide side = strip.sideOf(slot);
                const QString arrow = side == StripSide::Left    ? QStringLiteral("←")
                                      : side == StripSide::Right ? QStringLiteral("→")
                                      : side == StripSide::Above ? QStringLiteral("↑")
                                                                 : QStringLiteral("↓");
                QVERIFY(sign->second.contains(arrow));
                const std::vector<QPainterPath> links = linkPaths(scene);
                // Of a cell that its card has scrolled away nothing can be pointed at.
                ++signs;
                if (!plan.card(stage.id)->cellRect({i, j})) continue;
                ++linked;
                QVERIFY(!links.empty());
                for (const QPainterPath& path : links) {
                    const QPointF end = path.currentPosition();
                    QVERIFY(end.x() > sign->first.left() && end.x() < sign->first.right());
                    QVERIFY(std::abs(end.y() - sign->first.top()) < 4);
                }
                // A click on the sign means the sign.
                QCOMPARE(hitTest(scene, sign->first.center()).part.kind, PartKind::Button);
                const StageContext context{stage.state, plan, &stage.workspace.entry(stage.id),
                                           stage.state.selection.shown()};
                QVERIFY(!offsetFlagBox(context).intersects(sign->first));
            }
        }
    }
    QVERIFY(signs == 0 || linked > 0);
}

void TestStripSight::handlesTellTheCount() {
    // 100,000 elements of a type with a long name, and of one with a short one.
    for (const DType dtype : {DType::Float32, DType::Float64, DType::Int64, DType::UInt8}) {
        const Stage stage(100'000, View{{250, 400}, {400, 1}, 0}, {1010, 466}, dtype);
        const QStringList words = texts(exploreScene(stage.state)).filter(QStringLiteral("100\u202f000"));
        QVERIFY2(!words.isEmpty(), name(dtype).data());
        const QRectF handle = planStage(stage.state).strip->handle;
        for (const QString& line : words) QVERIFY(textWidth(FontRole::Label, line) + 10 <= handle.width() - 2);
    }
}

void TestStripSight::hopsFromAfarAreArches_data() {
    QTest::addColumn<View>("view");
    QTest::addColumn<std::size_t>("dim"); // along which neighbours lie beside one another
    QTest::newRow("dim 1") << View{{250, 400}, {400, 1}, 0} << std::size_t{1};
    QTest::newRow("dim 0") << View{{400, 250}, {1, 400}, 0} << std::size_t{0};
}

void TestStripSight::hopsFromAfarAreArches() {
    QFETCH(View, view);
    QFETCH(std::size_t, dim);
    // Cells as wide as those of a file, one row of them in sight, and the start of the hop some rows before it.
    Workspace workspace;
    const Tensor base = counting(100'000, DType::Float32, 0.123456);
    const TensorId id = workspace.add(QStringLiteral("e"), QStringLiteral("load()"), base.withView(view), 0, 0);
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.viewport = {1010, 466};
    state.selection.tensor = id;
    const Index perRow = planStage(state).strip->layout.perRow;
    QVERIFY(perRow > 4 && perRow < 80);
    const Index slot = 3 * perRow + perRow / 2;
    Dims coord{0, 0};
    coord[dim] = slot;
    state.scroll.insert(base.storage()->id(), StripScroll{3, 0, 0, 0});
    state.selection.hover = pickOf(workspace.entry(id), coord);
    const StagePlan plan = planStage(state);
    QVERIFY(plan.strip->inSight(slot) && !plan.strip->inSight(0));
    const Scene scene = exploreScene(state);
    const std::vector<QPainterPath> hops = hopPaths(scene), links = linkPaths(scene);
    QCOMPARE(hops.size(), std::size_t{1});
    QCOMPARE(links.size(), std::size_t{1});
    const QRectF cell = plan.strip->layout.cellRect(slot);
    QVERIFY(hops[0].boundingRect().width() > cell.width() / 2); // it comes from the side
    const QPointF tip = hops[0].pointAtPercent(1), end = links[0].pointAtPercent(1);
    QVERIFY2(QLineF(tip, end).length() > 8, "the arrow ends in the dot of the link");
    QVERIFY2(crossing(hops[0], plan.strip->layout).isEmpty(), qPrintable(crossing(hops[0], plan.strip->layout)));
    QVERIFY(texts(scene).filter(QStringLiteral("%1 × +1").arg(slot)).size() == 1);
}

void TestStripSight::linksPassNoCell_data() {
    QTest::addColumn<Index>("rows");
    QTest::addColumn<Index>("columns");
    QTest::addColumn<qreal>("cell");
    QTest::newRow("numbers") << Index{12} << Index{10} << 0.0;
    QTest::newRow("large numbers") << Index{6} << Index{10} << 80.0;
    QTest::newRow("colours") << Index{100} << Index{20} << 10.0;
    QTest::newRow("small colours") << Index{500} << Index{40} << 3.0;
}

void TestStripSight::linksPassNoCell() {
    QFETCH(Index, rows);
    QFETCH(Index, columns);
    QFETCH(qreal, cell);
    const Index count = rows * columns;
    Stage stage(count, View{{rows, columns}, {columns, 1}, 0}, {1300, 900});
    stage.state.options.cellSize = cell;
    const StripPlan strip = *planStage(stage.state).strip;
    QVERIFY(strip.layout.rowCount() > 1 && strip.visibleRows > 1);
    Index lower = 0;
    for (Index slot = 0; slot < std::min<Index>(count, 600); slot += 7) {
        if (!strip.inSight(slot)) continue;
        stage.show({slot / columns, slot % columns});
        const Scene scene = exploreScene(stage.state);
        const std::vector<QPainterPath> paths = linkPaths(scene);
        for (const QPainterPath& path : paths) {
            const QString crossed = crossing(path, strip.layout);
            QVERIFY2(crossed.isEmpty(), qPrintable(QStringLiteral("link to %1: %2").arg(slot).arg(crossed)));
            QVERIFY(path.boundingRect().right() <= stage.state.viewport.width());
        }
        const QRectF at = strip.layout.cellRect(slot);
        if (at.top() < strip.layout.area.top() + 1 || paths.empty()) continue;
        ++lower;
        // The last piece has its arrow at the cell; where rows have no gap it comes along the line between them.
        QPointF end;
        for (const auto& [part, path] : items<PathItem>(scene)) {
            if (part.kind != PartKind::None || part.index != 2 || !path.arrow) continue;
            end = path.path.currentPosition();
            if (!path.casing) QVERIFY(std::abs(path.path.boundingRect().center().y() - at.top()) < 1);
        }
        QVERIFY2(end.x() > at.left() - 1 && end.x() < at.right() + 8, qPrintable(QString::number(end.x() - at.left())));
        QVERIFY(end.y() > at.top() - 6 && end.y() < at.bottom());
    }
    QVERIFY(lower > 0);
}

void TestStripSight::linksGoStraightWhereFree() {
    // A short strip stands between the card and the cell: right of its last cell the way down is free.
    Stage stage(5, View{{5}, {1}, 0}, {1300, 900});
    const TensorId below =
        stage.workspace.add(QStringLiteral("B"), QStringLiteral("torch.arange(24)"), counting(24), 0, 1);
    stage.state.snapshot = stage.workspace.snapshot();
    for (const Index picked : {Index{2}, Index{12}, Index{20}}) {
        stage.state.selection.hover = pickOf(stage.workspace.entry(below), {picked});
        const StagePlan plan = planStage(stage.state);
        QCOMPARE(plan.others.size(), std::size_t{1});
        const qreal goal = plan.others[0].layout.cellRect(picked).center().x();
        const qreal free = plan.strip->layout.cellRect(4).right() + 12;
        const Scene scene = exploreScene(stage.state);
        const std::vector<QPainterPath> paths = linkPaths(scene);
        QCOMPARE(paths.size(), std::size_t{1});
        const qreal from = paths[0].pointAtPercent(0).x();
        const QRectF bounds = paths[0].boundingRect();
        QVERIFY(crossing(paths[0], plan.strip->layout).isEmpty());
        QVERIFY2(bounds.left() > std::min(from, goal) - 12, qPrintable(QString::number(bounds.left() - goal)));
        QVERIFY(bounds.right() < std::max({from, goal, free}) + 12);
    }
}

void TestStripSight::rowsAreThoseOfTheMatrix_data() {
    QTest::addColumn<Dims>("shape");
    QTest::addColumn<Dims>("stride");
    QTest::addColumn<Index>("perRow");
    QTest::newRow("A of 4 x 6") << Dims{4, 6} << Dims{6, 1} << Index{6};
    QTest::newRow("A.t()") << Dims{6, 4} << Dims{1, 6} << Index{6};
    QTest::newRow("A[:, 1:3]") << Dims{4, 2} << Dims{6, 1} << Index{6};
    QTest::newRow("A[:, ::2]") << Dims{4, 3} << Dims{6, 2} << Index{6};
    QTest::newRow("A[:, 2], upright") << Dims{4} << Dims{6} << Index{6};
    QTest::newRow("A[1]") << Dims{6} << Dims{1} << Index{6};
    QTest::newRow("A[1].expand(3, 6)") << Dims{3, 6} << Dims{0, 1} << Index{6};
    QTest::newRow("of 3 dims") << Dims{2, 2, 6} << Dims{12, 6, 1} << Index{6};
    QTest::newRow("its first dim last") << Dims{6, 2, 2} << Dims{1, 6, 12} << Index{6};
    QTest::newRow("one of size 1") << Dims{1, 6} << Dims{3, 1} << Index{6};
    QTest::newRow("0-d") << Dims{} << Dims{} << Index{1};
    QTest::newRow("a picture") << Dims{16, 16, 3} << Dims{48, 3, 1} << Index{48};
    QTest::newRow("its colours first") << Dims{3, 16, 16} << Dims{1, 48, 3} << Index{48};
    QTest::newRow("one colour of it") << Dims{16, 16} << Dims{48, 3} << Index{48};
    QTest::newRow("planes of colours") << Dims{3, 16, 16} << Dims{256, 16, 1} << Index{16};
}

void TestStripSight::rowsAreThoseOfTheMatrix() {
    QFETCH(Dims, shape);
    QFETCH(Dims, stride);
    QFETCH(Index, perRow);
    Workspace workspace;
    const View view{shape, stride, 0};
    const bool picture = view.numel() > 24;
    const Tensor cells = picture ? counting(768, DType::UInt8) : counting(24);
    const TensorId id =
        workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(24)"), cells.withView(view), 0, 0);
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    state.viewport = {1011, 466};
    state.options.wrap = StripWrap::Row;
    QCOMPARE(planStage(state).strip->layout.perRow, perRow);
}

void TestStripSight::rowsAskedForAreWhole() {
    // A stage of 1280×720 with its docks: three cache lines are in sight, with one card and with several.
    for (const int cards : {1, 2, 3}) {
        Workspace workspace;
        const Tensor base = counting(24);
        const TensorId a = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(24).view(4, 6)"),
                                         base.withView(View{{4, 6}, {6, 1}, 0}), 0, 0);
        if (cards > 1)
            workspace.add(QStringLiteral("B"), QStringLiteral("A.t()"), base.withView(View{{6, 4}, {1, 6}, 0}), a, 1);
        if (cards > 2)
            workspace.add(QStringLiteral("C"), QStringLiteral("A[1:]"), base.withView(View{{3, 6}, {6, 1}, 6}), a, 2);
        ExploreState state;
        state.snapshot = workspace.snapshot();
        state.selection.tensor = a;
        state.viewport = {1011, 466};
        state.options.wrap = StripWrap::Line64;
        const StagePlan plan = planStage(state);
        QCOMPARE(plan.strip->layout.rowCount(), Index{3});
        QVERIFY2(!plan.strip->scrollsRows(), qPrintable(QStringLiteral("%1 cards").arg(cards)));
        for (const CardLayout& card : plan.cards) QVERIFY(card.shownRows >= 2);
    }
}

/// Few rows that were asked for take the place of another storage's strip, which is named then; but of the heads of the
/// cards nothing: which rows those show stands there, and rows of the strip are scrolled to.
void TestStripSight::rowsAskedForTakeOtherStrips() {
    Workspace workspace;
    const Tensor base = counting(24);
    const TensorId a = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(24).view(4, 6)"),
                                     base.withView(View{{4, 6}, {6, 1}, 0}), 0, 0);
    const TensorId b =
        workspace.add(QStringLiteral("B"), QStringLiteral("A.t()"), base.withView(View{{6, 4}, {1, 6}, 0}), a, 1);
    const TensorId c =
        workspace.add(QStringLiteral("C"), QStringLiteral("A[1:]"), base.withView(View{{3, 6}, {6, 1}, 6}), a, 2);
    workspace.add(QStringLiteral("w"), QStringLiteral("torch.arange(8)"), counting(8), 0, 3);
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = c;
    state.viewport = {1011, 500};
    state.options.wrap = StripWrap::Line64;
    StagePlan plan = planStage(state);
    QVERIFY(!plan.strip->scrollsRows());
    QVERIFY(plan.others.empty());
    QCOMPARE(plan.shelf.size(), std::size_t{1});
    for (const CardLayout& card : plan.cards) QCOMPARE(card.formula.size(), card.view.shape.size() + 2);
    // Four rows leave the formula no room, two of them do.
    state.viewport = {1011, 466};
    state.options.wrap = StripWrap::Row;
    plan = planStage(state);
    QCOMPARE(plan.strip->visibleRows, Index{2});
    for (const TensorId id : {a, b, c}) {
        const CardLayout* card = plan.card(id);
        QVERIFY2(card && card->formula.size() > 0 && card->shownRows == 2, qPrintable(workspace.entry(id).name));
        QVERIFY(std::any_of(card->texts.begin(), card->texts.end(),
                            [](const TextItem& item) { return item.text.contains(QStringLiteral("rows 0–1 of")); }));
    }
    // The offset is the first of the second row: its flag stands beside that.
    const QStringList words = texts(exploreScene(state));
    QVERIFY(words.contains(QStringLiteral("offset 6")));
}

void TestStripSight::headsStayBesideRows_data() {
    QTest::addColumn<qreal>("height");
    QTest::addColumn<int>("perRow");
    QTest::addColumn<bool>("both");
    // Windows of 1280×720: alone, with a frame, with the first steps in a row or a message.
    for (const qreal height : {466.0, 434.0, 402.0}) {
        for (const int perRow : {0, 5}) {
            for (const bool both : {false, true})
                QTest::addRow("%g px, %d%s", height, perRow, both ? ", value and index" : "")
                    << height << perRow << both;
        }
    }
}

/// Rows of the strip can be scrolled to; what a card says of its tensor stays, with the formula and two rows of cells.
void TestStripSight::headsStayBesideRows() {
    QFETCH(qreal, height);
    QFETCH(int, perRow);
    QFETCH(bool, both);
    const FirstRun first;
    const Workspace& workspace = first.workspace;
    const TensorId c = first.C;
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.viewport = {1011, height};
    state.selection.tensor = c;
    state.selection.pick = pickOf(workspace.entry(c), {2, 1});
    state.options.wrap = perRow > 0 ? StripWrap::Number : StripWrap::Row;
    state.options.wrapNumber = perRow;
    if (both) state.options.cellText = CellText::Both;
    StagePlan plan = planStage(state);
    QCOMPARE(plan.strip->layout.rowCount(), Index{3});
    QVERIFY2(plan.cardsWidth <= plan.cardArea.width() + 0.5, qPrintable(QString::number(plan.cardsWidth)));
    for (const CardLayout& card : plan.cards) {
        QString head = card.pillText + QLatin1Char('|');
        for (const TextItem& text : card.texts) head += text.text + QLatin1Char('|');
        for (const char* word : {"int64", "size", "stride", "offset", "contiguous"})
            QVERIFY2(head.contains(QLatin1String(word)), qPrintable(head));
        QVERIFY(!card.pillText.isEmpty());
        QCOMPARE(card.formula.size(), std::size_t{4});
        QVERIFY(card.shownRows >= 2);
    }
    if (!both && height > 420) QVERIFY(plan.strip->visibleRows >= 2);
    // The map is no wider than such rows need, and the corner below the cards stays free.
    QVERIFY(plan.strip->miniMap.right() < 700);
    // The flag of a row that is out of sight says where that is.
    state.scroll[plan.strip->storageId] = scrolledTo(*plan.strip, {}, 10);
    plan = planStage(state);
    const Scene scene = exploreScene(state);
    const bool flagInSight = plan.strip->inSight(1);
    QVERIFY(texts(scene).contains(flagInSight ? QStringLiteral("offset 1") : QStringLiteral("offset 1 ↑")));
    QVERIFY(flagInSight || std::none_of(scene.nodes.begin(), scene.nodes.end(),
                                        [](const SceneNode& node) { return node.part.kind == PartKind::OffsetFlag; }));
}

void TestStripSight::smallStoragesAreWhole_data() {
    QTest::addColumn<Index>("count");
    QTest::addColumn<Dims>("shape");
    QTest::addColumn<QSizeF>("viewport");
    // Of windows of 1280x720 and larger ones.
    for (const QSizeF viewport : {QSizeF(1011, 466), QSizeF(1011, 640), QSizeF(1400, 700), QSizeF(1650, 826)}) {
        QTest::addRow("a cube, %g", viewport.width()) << Index{24} << Dims{2, 3, 4} << viewport;
        QTest::addRow("a column, %g", viewport.width()) << Index{24} << Dims{24, 1} << viewport;
        QTest::addRow("a matrix, %g", viewport.width()) << Index{20} << Dims{4, 5} << viewport;
    }
}

/// Values of many digits: the first picture shows all cells all the same, shortened as far as they must be.
void TestStripSight::smallStoragesAreWhole() {
    QFETCH(Index, count);
    QFETCH(Dims, shape);
    QFETCH(QSizeF, viewport);
    ExploreState state;
    Workspace workspace;
    const Tensor values = counting(count, DType::Float32, -3.14159);
    state.selection.tensor =
        workspace.add(QStringLiteral("A"), QStringLiteral("torch.randn(…)"),
                      values.withView(*contiguousView(std::span<const Index>(shape.data(), shape.size()))), 0, 0);
    state.snapshot = workspace.snapshot();
    state.viewport = viewport;
    const StripPlan strip = *planStage(state).strip;
    QVERIFY(!strip.scrollsRows() && !strip.scrollsColumns());
    QVERIFY(strip.layout.cellWidth >= kNumberWidth && strip.layout.cellHeight >= kNumberHeight);
    for (Index slot = 0; slot < count; ++slot) QVERIFY(strip.inSight(slot));
    // What was asked for stays.
    state.options.cellSize = 100;
    QCOMPARE(planStage(state).strip->layout.cellWidth, 100.0);
}

/// A cell that is picked in another storage does not hide how the selected tensor strides through its own.
void TestStripSight::hopsBesideAnotherPick() {
    Stage stage(12, View{{3, 4}, {4, 1}, 0}, {1016, 642});
    const TensorId other =
        stage.workspace.add(QStringLiteral("b"), QStringLiteral("torch.arange(6)"), counting(6), 0, 1);
    stage.state.snapshot = stage.workspace.snapshot();
    stage.state.selection.pick = pickOf(stage.workspace.entry(other), {2});
    const QStringList words = texts(exploreScene(stage.state));
    QVERIFY(words.contains(QStringLiteral("+4 (dim 0)")));
    QVERIFY(words.contains(QStringLiteral("+1 (dim 1)")));
}

/// Between the rows of a short strip every hop is named in full, and its words begin with a piece of its arch.
void TestStripSight::wordsBetweenRowsHaveAKey() {
    for (const bool cube : {false, true}) {
        Stage stage(cube ? 4608 : 12, cube ? View{{32, 48, 3}, {144, 3, 1}, 0} : View{{3, 4}, {4, 1}, 0}, {1016, 642});
        stage.state.options.wrap = StripWrap::Row;
        const Scene scene = exploreScene(stage.state);
        const Dims& strides = stage.workspace.entry(stage.id).tensor.view().stride;
        for (std::size_t d = 0; d < strides.size(); ++d) {
            const QString words = QStringLiteral("+%1 (dim %2)").arg(strides[d]).arg(d);
            bool found = false, keyed = false;
            const PathItem* before = nullptr;
            for (const SceneNode& node : scene.nodes) {
                const auto* text = std::get_if<TextItem>(&node.item);
                if (text && text->text.startsWith(words)) {
                    found = true;
                    keyed = before && before->stroke == Theme::dimTone(static_cast<Index>(d));
                }
                before = std::get_if<PathItem>(&node.item);
            }
            QVERIFY2(found, qPrintable(words));
            QVERIFY2(keyed, qPrintable(words));
        }
    }
}

void TestStripSight::everyHopIsNamed() {
    // 8 a row: dim 0 goes four rows down, dim 1 from one row to the next, dim 2 inside a row.
    Stage stage(128, View{{3, 4, 8}, {32, 8, 1}, 0}, {1300, 1100});
    stage.state.options.wrap = StripWrap::Number;
    stage.state.options.wrapNumber = 8;
    stage.show({1, 1, 3});
    const StripPlan strip = *planStage(stage.state).strip;
    QVERIFY(strip.inSight(43));
    const QStringList words = texts(exploreScene(stage.state));
    for (const char* label : {"+32 (dim 0) ↓", "+32 (dim 0)", "+8 (dim 1)", "3 × +1 (dim 2)"})
        QVERIFY2(words.contains(QString::fromUtf8(label)), label);
    // Where it ends out of sight, its start says so.
    stage.state.viewport.setHeight(600);
    stage.show({2, 0, 0});
    QVERIFY(!planStage(stage.state).strip->inSight(64));
    QVERIFY(texts(exploreScene(stage.state)).contains(QString::fromUtf8("+32 (dim 0) ↓")));
}

/// Where arches of many dims share the gap under a row, there is a place for the words of each of them.
void TestStripSight::everyDimOfManyIsNamed() {
    const auto missing = [](const Stage& stage) {
        const QStringList words = texts(exploreScene(stage.state));
        const View& view = stage.workspace.entry(stage.id).tensor.view();
        QStringList none;
        for (std::size_t d = 0; d < view.shape.size(); ++d) {
            const QString label = QStringLiteral("+%1 (dim %2)").arg(view.stride[d]).arg(d);
            if (words.filter(label).isEmpty()) none << label;
        }
        return none.join(QLatin1Char('|'));
    };
    const Stage eight(256, *contiguousView(Dims{2, 2, 2, 2, 2, 2, 2, 2}), {1335, 715});
    QVERIFY2(missing(eight).isEmpty(), qPrintable(missing(eight)));
    const Stage low(576, *contiguousView(Dims{2, 2, 2, 2, 2, 2, 3, 3}), {1012, 466});
    QVERIFY2(missing(low).isEmpty(), qPrintable(missing(low)));
    // On the smallest window, with strips of others and without.
    Stage five(144, *contiguousView(Dims{2, 3, 2, 3, 4}), {1012, 466});
    QVERIFY2(missing(five).isEmpty(), qPrintable(missing(five)));
    for (const char* name : {"p", "q", "r"})
        five.workspace.add(QString::fromLatin1(name), QStringLiteral("torch.arange(9)"), counting(9), 0, 1);
    five.state.snapshot = five.workspace.snapshot();
    QVERIFY2(missing(five).isEmpty(), qPrintable(missing(five)));
}

/// The flag of a later row stands beside the strip, where the address is.
void TestStripSight::flagSparesTheAddress() {
    Stage stage(12, View{{2, 4}, {4, 1}, 4}, {1012, 466});
    stage.state.options.wrap = StripWrap::Row;
    int addresses = 0;
    for (qreal height = 380; height < 720; height += 7) {
        stage.state.viewport.setHeight(height);
        QRectF flag, address;
        for (const SceneNode& node : exploreScene(stage.state).nodes) {
            if (node.part.kind == PartKind::OffsetFlag)
                if (const auto* path = std::get_if<PathItem>(&node.item)) flag |= path->path.boundingRect();
            const auto* text = std::get_if<TextItem>(&node.item);
            if (!text || !text->text.startsWith(QStringLiteral("0x"))) continue;
            address = QRectF(text->pos.x(), text->pos.y() - 9, textWidth(text->font, text->text), 9);
            ++addresses;
        }
        QVERIFY2(!flag.intersects(address), qPrintable(QString::number(height)));
    }
    QVERIFY(addresses > 10);
}

/// What a card leaves out is said in a line of its own, or in its head; over either the pointer tells how to go on.
void TestStripSight::leftOutIsExplained() {
    Stage stage(36, View{{12, 3}, {1, 12}, 0}, {1012, 466});
    int below = 0, inHead = 0;
    const auto look = [&] {
        for (qreal height = 400; height < 520; height += 4) {
            stage.state.viewport.setHeight(height);
            const CardLayout card = planStage(stage.state).cards.front();
            for (const TextItem& text : card.texts) {
                const qsizetype dots = text.text.indexOf(QChar(0x2026));
                if (dots < 0) continue;
                const qreal left = text.pos.x() + textWidth(text.font, text.text.left(dots));
                QVERIFY2(!leftOutHelp(card, {left + 10, text.pos.y() - 4}).isEmpty(), qPrintable(text.text));
                // Beside them nothing is explained.
                QVERIFY(leftOutHelp(card, {left - 10, text.pos.y() - 4}).isEmpty());
                ++(dots > 0 ? inHead : below);
            }
        }
    };
    look();
    stage.state.options.wrap = StripWrap::Row;
    const Tensor shared = stage.workspace.entry(stage.id).tensor;
    for (const char* name : {"B", "C", "D"})
        stage.workspace.add(QString::fromLatin1(name), QStringLiteral("A[:]"), shared, stage.id, 1);
    stage.state.snapshot = stage.workspace.snapshot();
    look();
    QVERIFY(below > 0);
    QVERIFY(inHead > 0);
}

void TestStripSight::hopsInBytes() {
    Stage stage(60, View{{3, 5}, {10, 2}, 0}, {1016, 642});
    stage.state.options.wrap = StripWrap::Number;
    stage.state.options.wrapNumber = 60;
    stage.show({1, 2});
    QStringList words = texts(exploreScene(stage.state));
    QVERIFY(words.contains(QStringLiteral("+10 (dim 0)")));
    stage.state.options.byteStrides = true;
    words = texts(exploreScene(stage.state));
    QVERIFY(words.contains(QStringLiteral("+80 B (dim 0)")));
    QVERIFY(!words.contains(QStringLiteral("+10 (dim 0)")));
    QVERIFY(words.contains(QStringLiteral("2 × +16 B (dim 1)")));
}

void TestStripSight::cellsPastTheEnd_data() {
    QTest::addColumn<Index>("count");
    QTest::addColumn<qreal>("cell");
    QTest::addColumn<Index>("lowest");
    QTest::addColumn<Index>("highest");
    QTest::newRow("room in the row") << Index{12} << 0.0 << Index{0} << Index{14};
    QTest::newRow("row just full") << Index{25} << 0.0 << Index{0} << Index{29};
    QTest::newRow("far before the start") << Index{20} << 0.0 << Index{-4000000000} << Index{10};
    QTest::newRow("far behind colours") << Index{3000} << 4.0 << Index{0} << Index{4000000000};
    QTest::newRow("far behind a wrapped end") << Index{60} << 42.0 << Index{0} << Index{100000};
    QTest::newRow("many") << Index{20} << 0.0 << Index{0} << Index{90};
    QTest::newRow("wrapped, last row full") << Index{60} << 42.0 << Index{0} << Index{63};
    QTest::newRow("wrapped, last row not full") << Index{50} << 42.0 << Index{0} << Index{52};
    QTest::newRow("zoomed") << Index{20} << 120.0 << Index{0} << Index{24};
    QTest::newRow("colours") << Index{3000} << 4.0 << Index{0} << Index{3010};
    QTest::newRow("tiny") << Index{3000} << 0.25 << Index{0} << Index{4000};
    QTest::newRow("before the start") << Index{20} << 42.0 << Index{-3} << Index{10};
    QTest::newRow("before a wrapped start") << Index{90} << 42.0 << Index{-3} << Index{10};
}

void TestStripSight::cellsPastTheEnd() {
    QFETCH(Index, count);
    QFETCH(qreal, cell);
    QFETCH(Index, lowest);
    QFETCH(Index, highest);
    Stage stage(count, View{{count}, {1}, 0}, {1016, 642});
    stage.state.options.cellSize = cell;
    Refusal refusal;
    refusal.id = "VIEW-01";
    refusal.message = "out of bounds";
    refusal.detail = StorageOutOfBounds{lowest, highest, highest + 1, count};
    stage.state.message = StageMessage{QStringLiteral("A.as_strided()"), refusal, stage.id};
    const StagePlan plan = planStage(stage.state);
    const StripPlan& strip = *plan.strip;
    const SlotRange wanted = lowest < 0 ? SlotRange{lowest, 0} : SlotRange{count, highest + 1};
    QCOMPARE(strip.outside, wanted);
    const Index nearest = lowest < 0 ? -1 : count;
    QVERIFY(strip.inSight(nearest));
    // The slot that fails the request is on the picture, if need be at the edge, where it hides nothing that exists.
    const Index failing = lowest < 0 ? lowest : highest;
    const QRectF far = strip.farCell();
    QCOMPARE(far.isEmpty(), strip.inSight(failing));
    const QStringList words = texts(exploreScene(stage.state));
    if (!far.isEmpty()) {
        QVERIFY(words.contains(QString::number(failing)));
        QVERIFY(QRectF(QPointF(), stage.state.viewport).contains(far));
        QVERIFY(!far.adjusted(-kFarGap, 0, kFarGap, 0).intersects(strip.layout.cellRect(lowest < 0 ? 0 : count - 1)));
    }
    // Where the nearest one stands there is hatching, and no existing cell.
    const QImage image = renderImage(exploreScene(stage.state), Theme(ThemeKind::Light));
    const QColor error = Theme(ThemeKind::Light).color(Tone::Error);
    const QRectF at = strip.layout.cellRect(nearest).intersected(strip.layout.area);
    bool hatched = false;
    for (int y = static_cast<int>(at.top()); y < static_cast<int>(at.bottom()); ++y) {
        for (int x = static_cast<int>(at.left()); x <= static_cast<int>(at.right()); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            hatched =
                hatched || (std::abs(pixel.red() - error.red()) < 40 && std::abs(pixel.blue() - error.blue()) < 60);
        }
    }
    QVERIFY(hatched);
    QVERIFY(!strip.layout.cellAt(strip.layout.cellRect(nearest).center()));
}

void TestStripSight::draggedFlagHatchesNothing() {
    const MockUp mock;
    ExploreState state;
    state.snapshot = mock.workspace.snapshot();
    state.viewport = {1016, 642};
    state.selection.tensor = mock.B;
    Preview preview;
    preview.code = QStringLiteral("B.as_strided((4, 2), (5, 1), 7)");
    preview.source = mock.B;
    preview.view = View{{4, 2}, {5, 1}, 7};
    state.preview = preview;
    StageDrag drag;
    drag.label = QStringLiteral("needs 24");
    drag.legal = false;
    drag.slot = 7;
    state.drag = drag;
    const StripLayout layout = planStage(state).strip->layout;
    bool outlined = false;
    for (const auto& [part, box] : items<BoxItem>(exploreScene(state))) {
        if (box.hatched) QVERIFY(!box.rect.intersects(layout.area));
        outlined = outlined || box.rect == layout.cellRect(7);
    }
    QVERIFY(outlined); // where the flag would stand, in the layout that made room for the cells past the end
}

void TestStripSight::badgesSpareTheNumbers_data() {
    QTest::addColumn<qreal>("width");
    QTest::addColumn<qreal>("height");
    for (const qreal width : {34.0, 42.0, 44.0, 60.0, 90.0, 120.0}) {
        for (const qreal height : {22.0, 28.0, 34.0, 42.0, 60.0, 120.0})
            QTest::addRow("%gx%g", width, height) << width << height;
    }
}

void TestStripSight::badgesSpareTheNumbers() {
    QFETCH(qreal, width);
    QFETCH(qreal, height);
    const QRectF cell(10, 20, width, height);
    int badges = 0;
    for (std::size_t chars = 1; chars <= 6; ++chars) {
        const CellFont font = cellFont(cell.size(), std::max<std::size_t>(chars, 2), Theme().leastPixels());
        const qreal text = 0.6 * font.pixels * static_cast<qreal>(std::min(chars, font.maxChars));
        for (const Index count : {2, 17, 1000}) {
            const CountBadge badge = countBadge(cell, count, false, text, false, Theme().leastPixels());
            QVERIFY(cell.contains(badge.text));
            if (badge.pill.isEmpty()) continue;
            ++badges;
            QVERIFY(cell.adjusted(0, -1, 0, 1).contains(badge.pill));
            QRectF number(0, 0, text, font.pixels * 0.73);
            number.moveCenter(badge.text.center());
            QVERIFY2(!badge.pill.intersects(number.adjusted(0, 0.5, 0, -0.5)),
                     qPrintable(QStringLiteral("%1 digits, ×%2").arg(chars).arg(count)));
            QVERIFY(badge.pixels >= 9);
        }
    }
    QVERIFY(badges > 0);
    // Beside value and index it stands on the upper edge, as far as a strip's clip reaches.
    if (width >= 40) {
        const CountBadge badge = countBadge(cell, 4, false, width - 4, true, Theme().leastPixels());
        QVERIFY(!badge.pill.isEmpty());
        QVERIFY(badge.pill.top() >= cell.top() - 6 && badge.pill.right() <= cell.right());
    }
}

void TestStripSight::halfScrolledRowsEndAtTheArea() {
    StripItem item;
    item.source = counting(200);
    item.layout.cellCount = 200;
    item.layout.perRow = 8;
    item.layout.cellWidth = 42;
    item.layout.cellHeight = 42;
    item.layout.rowPitch = 80;
    item.layout.area = QRectF(20, 40, 400, 160);
    item.layout.firstRow = 2;
    Scene scene;
    scene.size = {440, 300};
    for (const qreal shift : {0.0, 10.0, 41.0, 79.0}) {
        item.layout.rowShift = shift;
        scene.nodes = {{Part{}, item}};
        const QImage image = renderImage(scene, Theme(ThemeKind::Light));
        const QRgb stage = Theme(ThemeKind::Light).color(Tone::Stage).rgb();
        for (int y = 0; y < image.height(); ++y) {
            if (y >= 36 && y < 206) continue;
            for (int x = 0; x < image.width(); ++x)
                QVERIFY2(image.pixel(x, y) == stage, qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
        }
    }
}

void TestStripSight::nothingLiesOnTheMap_data() {
    linksToHiddenCells_data();
}

void TestStripSight::nothingLiesOnTheMap() {
    QFETCH(QSizeF, viewport);
    QFETCH(int, wrap);
    QFETCH(qreal, cell);
    for (int others = 0; others < 4; ++others) {
        Stage stage(60, View{{3, 20}, {20, 1}, 0}, viewport);
        for (int i = 0; i < others; ++i)
            stage.workspace.add(QStringLiteral("b%1").arg(i), QStringLiteral("torch.arange(9)"), counting(9), 0, 1);
        stage.state.snapshot = stage.workspace.snapshot();
        stage.state.options.wrap = static_cast<StripWrap>(wrap);
        stage.state.options.cellSize = cell;
        stage.state.scroll.insert(stage.workspace.entry(stage.id).tensor.storage()->id(), StripScroll{1, 30, 0, 0});
        const StagePlan plan = planStage(stage.state);
        const StripPlan& strip = *plan.strip;
        QVERIFY(strip.miniMap.isEmpty() || strip.miniMap.top() >= strip.layout.area.bottom());
        std::vector<QRectF> rects{strip.layout.area};
        if (!strip.miniMap.isEmpty()) rects.push_back(strip.miniMap);
        for (const StripPlan& other : plan.others) rects.push_back(other.layout.area.united(other.handle));
        for (std::size_t a = 0; a < rects.size(); ++a) {
            for (std::size_t b = a + 1; b < rects.size(); ++b) QVERIFY(!rects[a].intersects(rects[b]));
        }
    }
}

void TestStripSight::otherRowsKeepThePlace() {
    // A window becomes wider and narrower again and again: what was scrolled to stays in sight, and so does a pick.
    for (const Index count : {Index{900}, Index{28800}, Index{1} << 20}) {
        for (const bool picked : {false, true}) {
            Stage stage(count, View{{count}, {1}, 0}, {1016, 642});
            const quint64 id = stage.workspace.entry(stage.id).tensor.storage()->id();
            const Index middle = count / 2;
            {
                const StagePlan plan = planStage(stage.state);
                QVERIFY(plan.strip->scrollsRows());
                stage.state.scroll.insert(id, scrolledTo(*plan.strip, {}, middle));
            }
            if (picked) {
                Pick pick;
                pick.storageId = id;
                pick.slot = middle;
                pick.tensor = stage.id;
                pick.coord = Dims{middle};
                stage.state.selection.pick = pick;
            }
            for (const qreal width : {1500.0, 700.0, 1240.0, 960.0, 1016.0}) {
                const StagePlan before = planStage(stage.state);
                const StripLayout& was = before.strip->layout;
                const Index first = was.firstRow * was.perRow;
                stage.state.viewport.setWidth(width);
                const StagePlan plan = planStage(stage.state);
                const StripLayout& now = plan.strip->layout;
                QVERIFY(now.perRow != was.perRow || width == 1016);
                if (picked) {
                    QVERIFY(plan.strip->inSight(middle));
                } else {
                    // As the first cell, but for what does not fill the last rows.
                    const Index last = std::max<Index>(0, now.rowCount() - plan.strip->visibleRows);
                    QCOMPARE(now.firstRow, std::min(first / now.perRow, last));
                }
                stage.state.scroll[id] = rewrapped(*plan.strip, stage.state.scroll[id], stage.state.selection.pick);
            }
        }
    }
}

void TestStripSight::nothingIsScrolledPastTheEnd() {
    // Whatever was scrolled, zoomed and resized before: where a strip scrolls, its cells reach the end of their area.
    std::mt19937 random(5);
    const auto below = [&random](Index n) { return static_cast<Index>(random() % static_cast<unsigned>(n)); };
    for (int chain = 0; chain < 60; ++chain) {
        const Index count = 1 + below(chain % 3 ? 90 : 4000);
        Stage stage(count, View{{count}, {1}, 0}, {1016, 642}, chain % 2 ? DType::Float32 : DType::Int64);
        for (int step = 0; step < 12; ++step) {
            const StagePlan before = planStage(stage.state);
            const quint64 id = before.strip->storageId;
            const QPointF at(static_cast<qreal>(below(1280)), static_cast<qreal>(below(700)));
            switch (below(5)) {
            case 0: // of windows at 100, 125, 150 and 200 %
                stage.state.viewport = QSizeF(1280, 642) / (1 + static_cast<qreal>(below(5)) / 4);
                break;
            case 1: {
                const qreal size = kMinCellSize * std::pow(1.1, static_cast<qreal>(below(64)));
                const StripScroll scroll = zoomedAt(stage.state, size, at, slotToKeep(*before.strip, at));
                stage.state.options.cellSize = size;
                stage.state.scroll.insert(id, scroll);
                break;
            }
            case 2:
                stage.state.options.wrap = static_cast<StripWrap>(below(4));
                stage.state.options.wrapNumber = 1 + below(40);
                break;
            case 3:
                stage.state.scroll.insert(id, scrolledBy(*before.strip, stage.state.scroll.value(id),
                                                         static_cast<qreal>(below(9000)) - 2000,
                                                         static_cast<qreal>(below(9000)) - 2000));
                break;
            default:
                stage.state.scroll.insert(id, scrolledTo(*before.strip, stage.state.scroll.value(id), below(count)));
            }
            const StripPlan strip = *planStage(stage.state).strip;
            const StripLayout& layout = strip.layout;
            const QRectF lastColumn = layout.cellRect(layout.perRow - 1),
                         lastRow = layout.cellRect((layout.rowCount() - 1) * layout.perRow);
            const QString what =
                QStringLiteral("chain %1, step %2: %3 cells of %4 px, %5 a row, area %6 to %7, %8 rows")
                    .arg(chain)
                    .arg(step)
                    .arg(count)
                    .arg(layout.cellWidth)
                    .arg(layout.perRow)
                    .arg(layout.area.left())
                    .arg(layout.area.right())
                    .arg(strip.visibleRows);
            QVERIFY2(layout.cellRect(0).left() < layout.area.left() + 0.5, qPrintable(what));
            QVERIFY2(layout.firstRow >= 0 && layout.firstColumn >= 0, qPrintable(what));
            if (strip.scrollsColumns())
                QVERIFY2(lastColumn.right() > layout.area.right() - 0.5, qPrintable(what));
            else
                QVERIFY2(layout.firstColumn == 0 && layout.columnShift == 0, qPrintable(what));
            if (strip.scrollsRows())
                QVERIFY2(lastRow.top() + layout.rowPitch > layout.area.bottom() - 0.5, qPrintable(what));
            else
                QVERIFY2(layout.firstRow == 0 && layout.rowShift == 0, qPrintable(what));
        }
    }
}

void TestStripSight::hopsGoOnOverRowEnds_data() {
    QTest::addColumn<View>("view");
    QTest::addColumn<Dims>("coord");
    QTest::newRow("to the next row") << View{{6, 10}, {10, 1}, 0} << Dims{4, 7};
    QTest::newRow("under the rows") << View{{10, 6}, {1, 10}, 0} << Dims{7, 4};
    QTest::newRow("backwards") << View{{5, 3}, {-11, 1}, 55} << Dims{4, 1};
}

void TestStripSight::hopsGoOnOverRowEnds() {
    QFETCH(View, view);
    QFETCH(Dims, coord);
    Stage stage(60, view, {1016, 900});
    stage.state.options.wrap = StripWrap::Number;
    stage.state.options.wrapNumber = 21;
    stage.show(coord);
    const StripPlan strip = *planStage(stage.state).strip;
    const Scene scene = exploreScene(stage.state);
    // Each hop of a dim goes the way of its stride: forwards to the right, out at the end of its row, in at the start
    // of another one, and over no cell.
    int pieces = 0, heads = 0;
    for (const auto& [part, path] : items<PathItem>(scene)) {
        if (part.kind != PartKind::None || part.index != -1 || part.tensor == 0 || part.storageId == 0) continue;
        if (path.stroke != Tone::Dim0 && path.stroke != Tone::Dim1) continue;
        const std::size_t dim = path.stroke == Tone::Dim0 ? 0 : 1;
        if (!path.casing) continue; // the key before words
        const QPointF from = path.path.pointAtPercent(0), to = path.path.pointAtPercent(1);
        QCOMPARE(to.x() > from.x(), view.stride[dim] > 0);
        QVERIFY2(crossing(path.path, strip.layout).isEmpty(), qPrintable(crossing(path.path, strip.layout)));
        ++pieces;
        heads += path.arrow;
    }
    const std::vector<Hop> hops = hopsTo(view, coord);
    int over = 0;
    for (const Hop& hop : hops) over += hop.from / 21 != hop.to / 21;
    QVERIFY(over > 0);
    QCOMPARE(heads, static_cast<int>(hops.size()));
    QCOMPARE(pieces, static_cast<int>(hops.size()) + over);
    // Every stride is told, of each dim at least once.
    const QStringList words = texts(scene);
    for (const char* dim : {"(dim 0)", "(dim 1)"}) QVERIFY2(words.filter(QString::fromLatin1(dim)).size() >= 1, dim);
}

QTEST_MAIN(TestStripSight)
#include "tst_strip_sight.moc"
