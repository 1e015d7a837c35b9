// What lies under a point, and where a slot is drawn.

#include "tests/support/qt/scene_gallery.h"
#include "widgets/scene/grid_layout.h"
#include "widgets/scene/hit_test.h"

#include <QTest>

using namespace stridescope;

class TstHitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCellIsFound();
    void everyCellOfASlot();
    void topmostWins();
    void partsWithoutAKindAreTransparent();
    void linesAreHitNearTheLine();
    void nothingIsNothing();
    void limitIsKept();
};

void TstHitTest::everyCellIsFound() {
    const Scene scene = test::exploreGallery();
    int seen = 0;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* grid = std::get_if<GridItem>(&node.item)) {
            for (Index row = 0; row < grid->rows; ++row) {
                for (Index col = 0; col < grid->cols; ++col, ++seen) {
                    const Hit hit = hitTest(scene, gridCellRect(*grid, row, col).center());
                    QCOMPARE(hit.part, node.part);
                    QCOMPARE(*hit.slot, grid->base + row * grid->rowStride + col * grid->colStride);
                    QVERIFY((*hit.coord == Dims{row, col}));
                    QCOMPARE(hit.rect, gridCellRect(*grid, row, col));
                }
            }
        } else if (const auto* strip = std::get_if<StripItem>(&node.item)) {
            for (Index slot = 0; slot < 20; ++slot, ++seen) {
                const Hit hit = hitTest(scene, strip->layout.cellRect(slot).center());
                QCOMPARE(hit.part.kind, PartKind::StripCells);
                QCOMPARE(*hit.slot, slot);
                QVERIFY(!hit.coord);
            }
        } else if (const auto* lane = std::get_if<LaneItem>(&node.item)) {
            for (Index slot = 0; slot < 20; ++slot, ++seen) {
                const Hit hit = hitTest(scene, QPointF(lane->layout.cellRect(slot).center().x(), lane->top + 8));
                QCOMPARE(hit.part, node.part);
                QCOMPARE(*hit.slot, slot);
            }
        }
    }
    QCOMPARE(seen, 20 + 8 + 8 + 20 + 60);
}

void TstHitTest::everyCellOfASlot() {
    const Scene scene = test::exploreGallery();
    const quint64 id = std::get<GridItem>(scene.nodes[4].item).source.storage()->id();
    for (Index slot = 0; slot < 20; ++slot) {
        const std::vector<Hit> hits = cellsOfSlot(scene, id, slot);
        // Strip and three lanes always; A always; B and C where they reach.
        const bool reached = slot % 5 == 1 || slot % 5 == 2;
        QCOMPARE(hits.size(), static_cast<std::size_t>(reached ? 7 : 5));
        for (const Hit& hit : hits) {
            const Hit back = hitTest(scene, hit.rect.center());
            QCOMPARE(back.part, hit.part);
            QCOMPARE(back.slot, std::optional<Index>(slot));
            QCOMPARE(back.coord.has_value(), hit.coord.has_value());
            if (hit.coord) QVERIFY(*back.coord == *hit.coord);
            QCOMPARE(back.rect, hit.rect);
        }
    }
    QVERIFY(cellsOfSlot(scene, id + 1000, 3).empty());
}

void TstHitTest::topmostWins() {
    Scene scene;
    scene.size = QSizeF(100, 100);
    BoxItem box;
    box.rect = QRectF(0, 0, 60, 60);
    scene.nodes.push_back({Part{PartKind::CardFrame, 1, 0, -1}, box});
    box.rect = QRectF(30, 30, 60, 60);
    scene.nodes.push_back({Part{PartKind::Button, 2, 0, 4}, box});
    QCOMPARE(hitTest(scene, QPointF(40, 40)).part.kind, PartKind::Button);
    QCOMPARE(hitTest(scene, QPointF(40, 40)).part.index, 4);
    QCOMPARE(hitTest(scene, QPointF(10, 10)).part.kind, PartKind::CardFrame);
    QCOMPARE(hitTest(scene, QPointF(10, 80)).part.kind, PartKind::None);
}

void TstHitTest::partsWithoutAKindAreTransparent() {
    Scene scene;
    scene.size = QSizeF(100, 100);
    BoxItem box;
    box.rect = QRectF(0, 0, 60, 60);
    scene.nodes.push_back({Part{PartKind::Button, 0, 0, 1}, box});
    scene.nodes.push_back({{}, box}); // decoration on top
    QCOMPARE(hitTest(scene, QPointF(20, 20)).part.index, 1);
}

void TstHitTest::linesAreHitNearTheLine() {
    Scene scene;
    scene.size = QSizeF(200, 100);
    PathItem line;
    line.path.moveTo(10, 50);
    line.path.lineTo(190, 50);
    scene.nodes.push_back({Part{PartKind::CardDim, 3, 0, 1}, line});
    QCOMPARE(hitTest(scene, QPointF(100, 53)).part.tensor, TensorId{3});
    QCOMPARE(hitTest(scene, QPointF(100, 60)).part.kind, PartKind::None);
}

void TstHitTest::nothingIsNothing() {
    const Hit hit = hitTest(Scene(), QPointF(5, 5));
    QCOMPARE(hit.part, Part());
    QVERIFY(!hit.slot);
    QVERIFY(hit.rect.isEmpty());
}

void TstHitTest::limitIsKept() {
    Scene scene;
    scene.size = QSizeF(3000, 3000);
    const Tensor q = test::arange(4);
    scene.nodes.push_back(
        {Part{PartKind::CardCells, 1, 0, -1}, test::gridOf(q, test::makeViewOf({60, 60}, {0, 0}, 2), QPointF(), 0)});
    QCOMPARE(cellsOfSlot(scene, q.storage()->id(), 2).size(), std::size_t{256});
    QCOMPARE(cellsOfSlot(scene, q.storage()->id(), 2, 10).size(), std::size_t{10});
    QVERIFY(cellsOfSlot(scene, q.storage()->id(), 1).empty());
}

QTEST_GUILESS_MAIN(TstHitTest)
#include "tst_hit_test.moc"
