// Lines and marks over cells, whose colours may be those of the line: a halo keeps them apart (3 : 1).

#include "stage_fixture.h"
#include "widgets/scene/colour_map.h"
#include "widgets/scene/export.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/stage_layout.h"
#include "widgets/stage/stage_scene_parts.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

constexpr double kLeast = 3;

/// Contrast of a line at `at` with the halo beside it: the better pixel of the few that lie there, on the worse side;
/// of the outline of a cell on its outer side.
double haloOf(const QImage& image, QPointF at, QPointF side, bool outerOnly = false) {
    const auto pixel = [&image](QPointF p) {
        return image.pixelColor(static_cast<int>(std::floor(p.x())), static_cast<int>(std::floor(p.y())));
    };
    const QColor line = pixel(at);
    double worst = 100;
    for (const double sign : {-1.0, 1.0}) {
        if (outerOnly && sign > 0) break;
        double best = 1;
        for (const double apart : {1.5, 2.0, 2.5})
            best = std::max(best, contrastRatio(line, pixel(at + sign * apart * side)));
        worst = std::min(worst, best);
    }
    return worst;
}

Tensor filled(Dims shape, double value) {
    Index count = 1;
    for (const Index size : shape) count *= size;
    Tensor tensor = counting(count, DType::Float32);
    for (Index i = 0; i < count; ++i)
        storeElement(tensor.storage()->data() + i * 4, DType::Float32, Scalar(i == 1 ? -value : value));
    return tensor.withView(*contiguousView(std::span<const Index>(shape.data(), shape.size())));
}

} // namespace

class TestHalo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linksInCards_data();
    void linksInCards();
    void crossesAndBoxes();
};

void TestHalo::linksInCards_data() {
    QTest::addColumn<int>("theme");
    QTest::addColumn<Dims>("shape");
    QTest::addColumn<double>("value");
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
        const char* name = kind == ThemeKind::Light ? "light" : "dark";
        // The darkest colour of viridis, the white middle of the signed colours, and the fill of a view.
        QTest::addRow("%s, zeros", name) << static_cast<int>(kind) << Dims{200, 200} << 0.0;
        QTest::addRow("%s, ends of the colours", name) << static_cast<int>(kind) << Dims{200, 200} << 1.0;
        QTest::addRow("%s, numbers", name) << static_cast<int>(kind) << Dims{4, 5} << 0.0;
    }
}

void TestHalo::linksInCards() {
    QFETCH(int, theme);
    QFETCH(Dims, shape);
    QFETCH(double, value);
    for (const double signedValue : {0.0, value}) {
        Workspace workspace;
        const TensorId id =
            workspace.add(QStringLiteral("z"), QStringLiteral("torch.zeros()"), filled(shape, signedValue), 0, 0);
        ExploreState state;
        state.snapshot = workspace.snapshot();
        state.viewport = {1010, 466};
        state.selection.tensor = id;
        state.selection.hover = pickOf(workspace.entry(id), {shape[0] / 2, shape[1] / 2});
        const StagePlan plan = planStage(state);
        const CardLayout* card = plan.card(id);
        QCOMPARE(card->picture, shape[0] > 100);
        const QImage image = renderImage(exploreScene(state), Theme(static_cast<ThemeKind>(theme)));
        const std::vector<QPointF> route = card->linkRoute(state.selection.hover->coord);
        QVERIFY(route.size() > 1);
        const QRectF cells = card->panels.front().area.translated(card->pos);
        int seen = 0;
        for (qreal y = route[0].y() + 12; y < cells.bottom() - 3; y += 3, ++seen) {
            const double contrast = haloOf(image, QPointF(route[0].x(), y), {1, 0});
            QVERIFY2(contrast >= kLeast, qPrintable(QStringLiteral("%1 at %2").arg(contrast).arg(y)));
        }
        QVERIFY(seen > 2);
        // The pole of the flag stands on the first cell of the strip.
        const QRectF first = plan.strip->layout.cellRect(0);
        for (const qreal share : {0.3, 0.6, 0.8}) {
            const QPointF at(first.left() + 1, first.top() + share * first.height());
            QVERIFY(haloOf(image, at, {1, 0}) >= kLeast);
        }
    }
}

void TestHalo::crossesAndBoxes() {
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
        for (const bool colours : {false, true}) {
            // Rows of colours that touch one another, boxes of 64 bytes, and the cell at which something fails.
            StripItem strip;
            strip.source = filled({64}, 0).withView(View{{64}, {1}, 0});
            strip.layout.area = QRectF(20, 20, 32 * 20, 60);
            strip.layout.cellCount = 64;
            strip.layout.perRow = 32;
            strip.layout.cellWidth = 20;
            strip.layout.cellHeight = strip.layout.rowPitch = 30;
            strip.heat = colours;
            strip.indexBelow = false;
            strip.cacheLineCells = 16;
            strip.reach = StripReach{1, 0, View{{64}, {1}, 0}};
            strip.marks = {{5, MarkKind::Cross, 0}};
            Scene scene;
            scene.size = {700, 100};
            scene.nodes.push_back({Part{}, strip});
            const QImage image = renderImage(scene, Theme(kind));
            const QRectF box = strip.layout.cellRect(16).united(strip.layout.cellRect(31));
            const QRectF cross = strip.layout.cellRect(5);
            QVERIFY(haloOf(image, QPointF(box.left() + 2, box.center().y()), {1, 0}) >= kLeast);
            QVERIFY(haloOf(image, QPointF(cross.left() + 1.5, cross.center().y()), {1, 0}, true) >= kLeast);
        }
    }
}

QTEST_MAIN(TestHalo)
#include "tst_halo.moc"
