// The Explore picture: what is in the scene, and where.

#include "tests/support/test_paths.h"
#include "tests/widgets/stage/scene_dump.h"
#include "tests/widgets/stage/scene_geometry.h"
#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/export.h"
#include "widgets/scene/hit_test.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/linking.h"
#include "widgets/stage/stage_layout.h"
#include "widgets/stage/stage_scene_parts.h"

#include "core/view/inverse.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include <random>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

ExploreState mockUpState(const MockUp& mock, QSizeF viewport = {1016, 642}) {
    ExploreState state;
    state.snapshot = mock.workspace.snapshot();
    state.viewport = viewport;
    state.selection.tensor = mock.B;
    state.selection.hover = pickOf(mock.workspace.entry(mock.B), {2, 1});
    return state;
}

/// The widget's minimum height.
constexpr qreal kLeastHeight = 400;

/// Pictures to look at, only where someone asks for them.
void keepPicture(const ExploreState& state, const QString& name) {
    const QString folder = qEnvironmentVariable("STRIDESCOPE_PICTURES");
    if (folder.isEmpty()) return;
    for (ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
        const QString suffix = kind == ThemeKind::Light ? QStringLiteral("-light.png") : QStringLiteral("-dark.png");
        renderImage(exploreScene(state), Theme(kind)).save(QDir(folder).filePath(name + suffix));
    }
}

QStringList texts(const Scene& scene) {
    QStringList found;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* text = std::get_if<TextItem>(&node.item)) found << text->text;
    }
    return found;
}

template <class Item>
std::vector<const Item*> items(const Scene& scene) {
    std::vector<const Item*> found;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* item = std::get_if<Item>(&node.item)) found.push_back(item);
    }
    return found;
}

/// Words about the first two texts that overlap or the first that leaves the stage; empty if there are none.
QString textProblem(const Scene& scene) {
    std::vector<std::pair<QRectF, QString>> seen;
    const QRectF stage(QPointF(), scene.size);
    const auto describe = [](const QRectF& r, const QString& t) {
        return QStringLiteral("\"%1\" at %2,%3 %4×%5").arg(t).arg(r.x()).arg(r.y()).arg(r.width()).arg(r.height());
    };
    for (const SceneNode& node : scene.nodes) {
        // Handles and the chips of the shelf cover what was there before them.
        if (const auto* box = std::get_if<BoxItem>(&node.item); box && node.part.kind == PartKind::StripHandle) {
            for (const auto& [other, words] : seen) {
                if (other.intersects(box->rect)) return QStringLiteral("covered: ") + describe(other, words);
            }
        }
        const auto* text = std::get_if<TextItem>(&node.item);
        if (!text || text->text.trimmed().isEmpty()) continue;
        // Notes and refusals lie over the picture on purpose, on a ground of their own.
        if (node.part.kind == PartKind::Message) continue;
        const QRectF ink = inkOf(*text).adjusted(0.5, 0.5, -0.5, -0.5);
        // Cards may be scrolled out at the sides; nothing may leave above or below.
        if (ink.top() < 0 || ink.bottom() > stage.bottom())
            return QStringLiteral("outside: ") + describe(ink, text->text);
        for (const auto& [other, words] : seen) {
            if (other.intersects(ink)) {
                return QStringLiteral("overlap: %1 and %2").arg(describe(ink, text->text), describe(other, words));
            }
        }
        seen.emplace_back(ink, text->text);
    }
    return {};
}

/// The words of a hop that lie over an arch of another dim, if any; counts those that were looked at in `seen`.
QString wordsOverOtherDims(const Scene& scene, int& seen) {
    static const QRegularExpression named(QStringLiteral("\\(dim (\\d)\\)$"));
    for (const SceneNode& node : scene.nodes) {
        const auto* text = std::get_if<TextItem>(&node.item);
        const auto match = text ? named.match(text->text) : QRegularExpressionMatch();
        if (!match.hasMatch()) continue;
        const Index dim = match.captured(1).toLongLong();
        const qreal width = textWidth(text->font, text->text);
        const QRectF box(text->pos - QPointF(width / 2, 5), QSizeF(width, 10));
        ++seen;
        for (const SceneNode& other : scene.nodes) {
            const auto* path = std::get_if<PathItem>(&other.item);
            if (!path || other.part.kind != PartKind::None || other.part.index != -1 || other.part.tensor == 0)
                continue;
            const bool own = path->stroke == Theme::dimTone(dim) && (path->style == LineStyle::Dashed) == (dim > 3);
            for (int i = 0; !own && i <= 200; ++i)
                if (box.contains(path->path.pointAtPercent(i / 200.0))) return text->text;
        }
    }
    return {};
}

} // namespace

class TestExploreScene : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mockUp();
    void emptyStage();
    void linkingIsExact();
    void hopsReachTheSlot();
    void stridesStayWithoutTheCell();
    void hopsOfWrappedStripsAreNamed();
    void hopLabelsNameTheirOwnArch();
    void linksPassBesideHopLabels();
    void hopLabelsStandInTheirArch();
    void formulaAddsUp();
    void linksAndLanes();
    void copyGetsItsOwnStrip();
    void stripsKeepTheirOrder_data();
    void stripsKeepTheirOrder();
    void everyStorageIsNamed_data();
    void everyStorageIsNamed();
    void outOfBoundsIsDrawn();
    void textsNeverOverlap_data();
    void textsNeverOverlap();
    void everyRankFits_data();
    void everyRankFits();
    void shortStage_data();
    void shortStage();
    void stripAndCardInSight_data();
    void stripAndCardInSight();
    void zoomedOutStripsExplainThemselves();
    void heatMapsColourEveryStrip();
    void laneWordsAreNeverCut();
    void noButtonsOnPaper();
    void manyDimsKeepTheirFormula();
    void laneWithoutBadgeHasAName();
    void viewsWithoutALaneAreNamed_data();
    void viewsWithoutALaneAreNamed();
    void hugeStorageCostsNothing();
    void golden_data();
    void golden();
    void statusCountsEveryElement();
    void blocksStayInTheirCard_data();
    void blocksStayInTheirCard();
    void blocksGetTheRoomTheyNeed_data();
    void blocksGetTheRoomTheyNeed();
    void manyDimsStayInTheirCard();
    void paperHoldsLongCards();
    void paperOfOneSizeHoldsAllCards();
    void statusText_data();
    void statusText();
    void formulasAreAlwaysSeen();
};

void TestExploreScene::mockUp() {
    const MockUp mock;
    const ExploreState state = mockUpState(mock);
    const Scene scene = exploreScene(state);
    keepPicture(state, QStringLiteral("explore"));
    const QStringList words = texts(scene);
    for (const char* wanted : {"storage #1", "20 × int64 · cpu", "offset 1", "+5 (dim 0)", "+1 (dim 1)",
                               "Who reaches what, in visiting order", "20 of 20 cells", "8 of 20 cells"}) {
        QVERIFY2(words.contains(QString::fromUtf8(wanted)), wanted);
    }
    QCOMPARE(words.count(QStringLiteral("8 of 20 cells")), 2);
    const auto strips = items<StripItem>(scene);
    QCOMPARE(strips.size(), std::size_t{1});
    // 20 cells of 42 px from x = 144, as drawn in the mock-up.
    QCOMPARE(strips[0]->layout.cellRect(0), QRectF(144, strips[0]->layout.area.top(), 42, 42));
    QCOMPARE(items<LaneItem>(scene).size(), std::size_t{3});
    // Three cards are tied to the handle; the hovered cell is marked once on the strip.
    QCOMPARE(strips[0]->marks.size(), std::size_t{1});
    QCOMPARE(strips[0]->marks[0].position, Index{12});
}

void TestExploreScene::emptyStage() {
    ExploreState state;
    Scene scene = exploreScene(state);
    QVERIFY(texts(scene).contains(QStringLiteral("No tensor yet")));
    keepPicture(state, QStringLiteral("empty"));
    const MockUp mock;
    state.snapshot = mock.workspace.snapshot();
    // Nothing on stage and nothing selected: words about hidden tensors.
    auto hidden = std::make_shared<WorkspaceSnapshot>(*mock.workspace.snapshot());
    for (TensorEntry& entry : hidden->tensors) entry.onStage = false;
    state.snapshot = hidden;
    scene = exploreScene(state);
    QVERIFY(texts(scene).contains(QStringLiteral("Every tensor is hidden")));
}

void TestExploreScene::linkingIsExact() {
    std::mt19937 random(7);
    const auto below = [&random](Index n) { return static_cast<Index>(random() % static_cast<unsigned>(n)); };
    int checked = 0;
    for (int round = 0; round < 120; ++round) {
        Workspace workspace;
        const Tensor base = counting(24);
        const TensorId root = workspace.add(QStringLiteral("q"), QStringLiteral("torch.arange(24)"), base);
        std::vector<TensorId> ids{root};
        for (int n = 0; n < 3; ++n) {
            Dims shape, stride;
            Index highest = 0;
            const Index dims = 1 + below(3);
            for (Index d = 0; d < dims; ++d) {
                shape.push_back(1 + below(3));
                stride.push_back(below(5));
                highest += (shape.back() - 1) * stride.back();
            }
            const Tensor view = base.withView(View{shape, stride, below(24 - highest)});
            ids.push_back(workspace.add(QStringLiteral("v%1").arg(n), QStringLiteral("q.as_strided()"), view, root, n));
        }
        ExploreState state;
        state.snapshot = workspace.snapshot();
        state.viewport = {1500, 900};
        state.selection.tensor = ids[1 + static_cast<std::size_t>(below(3))];
        const Index slot = below(24);
        state.selection.hover = Pick{base.storage()->id(), slot, 0, {}};
        const Scene scene = exploreScene(state);
        for (const SceneNode& node : scene.nodes) {
            if (const auto* grid = std::get_if<GridItem>(&node.item)) {
                for (Index row = 0; row < grid->rows; ++row) {
                    for (Index col = 0; col < grid->cols; ++col) {
                        const bool shows = grid->base + row * grid->rowStride + col * grid->colStride == slot;
                        const Index position = row * grid->cols + col;
                        const bool marked = std::any_of(grid->marks.begin(), grid->marks.end(), [&](const CellMark& m) {
                            return m.position == position && (m.kind == MarkKind::Ring || m.kind == MarkKind::SoftRing);
                        });
                        QVERIFY2(shows == marked, qPrintable(QStringLiteral("round %1 row %2 col %3 slot %4")
                                                                 .arg(round)
                                                                 .arg(row)
                                                                 .arg(col)
                                                                 .arg(slot)));
                        ++checked;
                    }
                }
            }
            if (const auto* strip = std::get_if<StripItem>(&node.item)) {
                QCOMPARE(std::count_if(strip->marks.begin(), strip->marks.end(),
                                       [](const CellMark& m) { return m.kind == MarkKind::Ring; }),
                         1);
                for (const CellMark& mark : strip->marks) {
                    if (mark.kind == MarkKind::Ring) QCOMPARE(mark.position, slot);
                }
            }
        }
        // And the other way: hovering any of those cells is the same pick of the same slot.
        for (const Hit& hit : cellsOfSlot(scene, base.storage()->id(), slot)) {
            if (hit.part.kind != PartKind::CardCells) continue;
            const Hit back = hitTest(scene, hit.rect.center());
            if (back.part.kind == PartKind::Button) {
                // Scrolled out under an end of the row of cards, where nothing else is hidden.
                const qreal x = hit.rect.center().x();
                QVERIFY(x < kStageMargin || x > state.viewport.width() - kStageMargin);
                continue;
            }
            QVERIFY(back.slot.has_value());
            QCOMPARE(*back.slot, slot);
        }
    }
    QVERIFY(checked > 1000);
}

void TestExploreScene::hopsReachTheSlot() {
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) {
        View view;
        Dims coord;
        const int dims = static_cast<int>(random() % 5);
        for (int d = 0; d < dims; ++d) {
            view.shape.push_back(1 + static_cast<Index>(random() % 12));
            view.stride.push_back(static_cast<Index>(random() % 9) - 4);
            coord.push_back(static_cast<Index>(random() % static_cast<unsigned>(view.shape.back())));
        }
        view.offset = 500;
        Index at = view.offset;
        for (const Hop& hop : hopsTo(view, coord)) {
            QCOMPARE(hop.from, at);
            QCOMPARE(hop.to - hop.from, hop.count * view.stride[static_cast<std::size_t>(hop.dim)]);
            QVERIFY(hop.to != hop.from);
            at = hop.to;
        }
        QCOMPARE(at, view.slot(coord));
    }
    // Many steps become one arch; a dim of stride 0 goes nowhere.
    const std::vector<Hop> hops = hopsTo(View{{100, 3}, {3, 0}, 2}, {50, 2});
    QCOMPARE(hops.size(), std::size_t{1});
    QCOMPARE(hops[0].count, Index{50});
}

void TestExploreScene::stridesStayWithoutTheCell() {
    // The picked cell is not one of the selected view: its strides are told from its own first element.
    Workspace workspace;
    const Tensor base = counting(12);
    const TensorId a = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(12).view(3, 4)"),
                                     base.withView(View{{3, 4}, {4, 1}, 0}), 0, 0);
    const TensorId d = workspace.add(QStringLiteral("D"), QStringLiteral("A[:2, :2].t()"),
                                     base.withView(View{{2, 2}, {1, 4}, 0}), a, 1);
    ExploreState state;
    state.viewport = {1280, 800};
    state.snapshot = workspace.snapshot();
    state.selection.tensor = d;
    state.selection.pick = pickOf(workspace.entry(a), {2, 3});
    for (const char* label : {"+1 (dim 0)", "+4 (dim 1)"})
        QVERIFY2(texts(exploreScene(state)).contains(QString::fromUtf8(label)), label);
    const QString problem = textProblem(exploreScene(state));
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    // Nor does it take a picked cell to see how the dims step.
    state.selection.pick.reset();
    for (const char* label : {"+1 (dim 0)", "+4 (dim 1)"})
        QVERIFY2(texts(exploreScene(state)).contains(QString::fromUtf8(label)), label);
    // A dim that goes nowhere has no arch.
    QCOMPARE(firstHops(View{{1, 3, 2}, {7, 0, 5}, 2}), (std::vector<Hop>{{2, 7, 2, 1}}));
    QVERIFY(firstHops(View{{0, 3}, {3, 1}, 0}).empty());
    // A stride of 0 stays where the walk stands then, and says so.
    const View expanded{{3, 2, 4}, {1, 0, 5}, 2};
    QCOMPARE(restingHops(expanded, std::nullopt), (std::vector<Hop>{{2, 2, 1, 1}}));
    QCOMPARE(restingHops(expanded, Dims{2, 1, 3}), (std::vector<Hop>{{4, 4, 1, 1}}));
    QVERIFY(restingHops(expanded, Dims{2, 0, 3}).empty());
    QVERIFY(restingHops(View{{0, 3}, {1, 0}, 0}, std::nullopt).empty());
    Workspace repeated;
    ExploreState low;
    low.selection.tensor = repeated.add(QStringLiteral("B"), QStringLiteral("A.expand(3, 3)"),
                                        counting(3).withView(View{{3, 3}, {1, 0}, 0}), 0, 1);
    low.snapshot = repeated.snapshot();
    low.viewport = {1012, 434};
    QVERIFY(texts(exploreScene(low)).contains(QStringLiteral("stride 0 (dim 1): the same cell")));
}

void TestExploreScene::hopsOfWrappedStripsAreNamed() {
    // Every step of the walk says its stride, between the rows of a wrapped strip as well.
    Workspace workspace;
    const Tensor base = counting(48);
    const TensorId id = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(48).view(2, 2, 3, 4)"),
                                      base.withView(View{{2, 2, 3, 4}, {24, 12, 4, 1}, 0}), 0, 0);
    ExploreState state;
    state.viewport = {1280, 800};
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    state.selection.pick = pickOf(workspace.entry(id), {1, 0, 1, 2});
    QVERIFY(planStage(state).strip->layout.rowCount() > 1);
    const Scene scene = exploreScene(state);
    for (const char* label : {"+24 (dim 0)", "+4 (dim 2)", "2 × +1 (dim 3)"})
        QVERIFY2(texts(scene).contains(QString::fromUtf8(label)), label);
    const QString problem = textProblem(scene);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void TestExploreScene::hopLabelsNameTheirOwnArch() {
    // Words on the arch of another dim would be read as its stride.
    Workspace workspace;
    const Tensor base = counting(576);
    const std::vector<Index> sizes{2, 2, 2, 2, 2, 2, 3, 3};
    const TensorId id = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(576)"),
                                      base.withView(*contiguousView(Dims(sizes))), 0, 0);
    ExploreState state;
    state.viewport = {1340, 720};
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    int seen = 0;
    for (const Index cell : {59, 44, 75, 80, 53, 35}) {
        std::vector<Index> coord(sizes.size());
        Index rest = cell;
        for (std::size_t d = sizes.size(); d-- > 0; rest /= sizes[d]) coord[d] = rest % sizes[d];
        state.selection.pick = pickOf(workspace.entry(id), Dims(coord));
        QVERIFY(planStage(state).strip->layout.rowCount() > 1);
        const QString problem = wordsOverOtherDims(exploreScene(state), seen);
        QVERIFY2(problem.isEmpty(), qPrintable(QStringLiteral("%1 at cell %2").arg(problem).arg(cell)));
    }
    QVERIFY(seen > 12);
    // Of dims whose arches rise on the same side of one row, the nearer one's words are as high as the farther arch.
    for (const View& view :
         {View{{2, 2, 3}, {2, 1, 4}, 0}, View{{3, 2, 2}, {4, 1, 6}, 0}, View{{2, 3, 2}, {1, 4, 2}, 0}}) {
        Workspace one;
        const TensorId x = one.add(QStringLiteral("x"), QStringLiteral("x"), counting(16).withView(view), 0, 0);
        ExploreState row;
        row.snapshot = one.snapshot();
        row.selection.tensor = x;
        for (const qreal width : {900.0, 1012.0, 1340.0}) {
            row.viewport = {width, 600};
            QCOMPARE(planStage(row).strip->layout.rowCount(), Index{1});
            seen = 0;
            const QString problem = wordsOverOtherDims(exploreScene(row), seen);
            QVERIFY2(problem.isEmpty(), qPrintable(QStringLiteral("%1 at width %2").arg(problem).arg(width)));
            QCOMPARE(seen, 3);
        }
    }
}

void TestExploreScene::hopLabelsStandInTheirArch() {
    // Links that cross every arch must not push a label over the arrow of the arch before.
    for (const qreal width : {620.0, 660.0, 700.0, 760.0}) {
        Workspace workspace;
        const Tensor base = counting(12);
        const TensorId a =
            workspace.add(QStringLiteral("A"), QStringLiteral("a"), base.withView(View{{3, 4}, {4, 1}, 0}), 0, 0);
        workspace.add(QStringLiteral("B"), QStringLiteral("A.t()"), base.withView(View{{4, 3}, {1, 4}, 0}), a, 1);
        const TensorId c = workspace.add(QStringLiteral("C"), QStringLiteral("A.narrow(1, 1, 2)"),
                                         base.withView(View{{3, 2}, {4, 1}, 1}), a, 2);
        ExploreState state;
        state.viewport = {width, 300};
        state.snapshot = workspace.snapshot();
        state.selection.tensor = c;
        state.selection.pick = pickOf(workspace.entry(c), {2, 1});
        const Scene scene = exploreScene(state);
        std::vector<QRectF> words;
        std::vector<QPointF> arrows;
        for (const SceneNode& node : scene.nodes) {
            if (const auto* text = std::get_if<TextItem>(&node.item);
                text && text->text.contains(QStringLiteral("(dim 0)"))) {
                const qreal half = textWidth(FontRole::LabelStrong, text->text) / 2;
                words.emplace_back(text->pos.x() - half, text->pos.y() - 6, 2 * half, 12);
            }
            if (const auto* arch = std::get_if<PathItem>(&node.item);
                arch && arch->arrow && arch->stroke == Theme::dimTone(0) && arch->path.elementCount() == 4)
                arrows.push_back(arch->path.currentPosition());
        }
        QVERIFY(!arrows.empty());
        for (const QPointF& tip : arrows) {
            const QRectF head(tip.x() - 7, tip.y() - 9, 14, 9);
            for (const QRectF& box : words) QVERIFY2(!box.intersects(head), qPrintable(QString::number(width)));
        }
    }
}

void TestExploreScene::linksPassBesideHopLabels() {
    struct Pair {
        View first, second;
        Index numel;
    };
    const Pair pairs[] = {{View{{3, 1}, {1, 1}, 0}, View{{3, 4}, {1, 0}, 0}, 3},
                          {View{{2, 3, 4}, {12, 4, 1}, 0}, View{{3, 4}, {4, 1}, 12}, 24}};
    for (const Pair& pair : pairs) {
        Workspace workspace;
        const Tensor base = counting(pair.numel);
        const TensorId id = workspace.add(QStringLiteral("A"), QStringLiteral("a"), base.withView(pair.first), 0, 0);
        workspace.add(QStringLiteral("B"), QStringLiteral("A.expand(3, 4)"), base.withView(pair.second), id, 1);
        ExploreState state;
        state.viewport = {1280, 800};
        state.snapshot = workspace.snapshot();
        state.selection.tensor = id;
        const TensorEntry& entry = workspace.entry(id);
        Dims last;
        for (const Index size : entry.tensor.shape()) last.push_back(size - 1);
        for (const Index slot : {Index{1}, pair.numel / 2, pair.numel - 1}) {
            const InverseHits hits = coordsAt(entry.tensor.view(), slot);
            state.selection.pick = pickOf(entry, hits.coords.front());
            const Scene scene = exploreScene(state);
            for (const SceneNode& node : scene.nodes) {
                const auto* text = std::get_if<TextItem>(&node.item);
                if (!text || !text->text.contains(QStringLiteral("(dim "))) continue;
                const qreal half = textWidth(FontRole::LabelStrong, text->text) / 2;
                QPainterPath words;
                words.addRect(QRectF(text->pos.x() - half, text->pos.y() - 6, 2 * half, 12));
                for (const SceneNode& other : scene.nodes) {
                    const auto* link = std::get_if<PathItem>(&other.item);
                    if (!link || other.part.kind != PartKind::None || other.part.index != kLinkPart) continue;
                    QPainterPathStroker stroker;
                    stroker.setWidth(2);
                    QVERIFY2(!stroker.createStroke(link->path).intersects(words), qPrintable(text->text));
                }
            }
        }
    }
}

void TestExploreScene::formulaAddsUp() {
    const MockUp mock;
    ExploreState state = mockUpState(mock);
    for (Index i = 0; i < 4; ++i) {
        for (Index j = 0; j < 2; ++j) {
            state.selection.hover = pickOf(mock.workspace.entry(mock.B), {i, j});
            const StagePlan plan = planStage(state);
            for (const CardLayout& card : plan.cards) {
                Index sum = 0, result = -1;
                for (const FormulaTerm& term : card.formula) {
                    if (term.kind == FormulaTerm::Kind::Result) {
                        result = term.number;
                    } else {
                        sum += term.number;
                    }
                }
                QCOMPARE(sum, state.selection.hover->slot);
                QCOMPARE(result, state.selection.hover->slot);
            }
        }
    }
}

void TestExploreScene::linksAndLanes() {
    const MockUp mock;
    ExploreState state = mockUpState(mock);
    const Scene scene = exploreScene(state);
    int curves = 0;
    const StripLayout layout = items<StripItem>(scene)[0]->layout;
    const QRectF cell = layout.cellRect(12);
    for (const SceneNode& node : scene.nodes) {
        if (node.part.kind != PartKind::None || node.part.index != 1) continue;
        const auto* path = std::get_if<PathItem>(&node.item);
        if (!path || !path->casing) continue;
        ++curves;
        const QPointF end = path->path.currentPosition();
        QVERIFY(end.x() > cell.left() && end.x() < cell.right());
        QVERIFY(std::abs(end.y() - (cell.top() - 4)) < 0.01);
    }
    QCOMPARE(curves, 3);
    // A cell outside B: no link from B and C, and the strides of B from its own first element.
    state.selection.hover = pickOf(mock.workspace.entry(mock.A), {0, 0});
    const Scene other = exploreScene(state);
    QVERIFY(texts(other).contains(QStringLiteral("+5 (dim 0)")));
    // Thousands of ghosts of one cell are one link.
    Workspace workspace;
    const Tensor base = counting(1);
    const TensorId id = workspace.add(QStringLiteral("e"), QStringLiteral("x.expand(40, 40)"),
                                      base.withView(View{{40, 40}, {0, 0}, 0}), 0, 0);
    ExploreState repeated;
    repeated.snapshot = workspace.snapshot();
    repeated.selection.tensor = id;
    repeated.selection.hover = Pick{base.storage()->id(), 0, 0, {}};
    int links = 0;
    for (const SceneNode& node : exploreScene(repeated).nodes) {
        const auto* path = std::get_if<PathItem>(&node.item);
        if (path && node.part.kind == PartKind::None && node.part.index == 1 && path->casing) ++links;
    }
    QVERIFY(links >= 1 && links <= 64);
}

void TestExploreScene::copyGetsItsOwnStrip() {
    const MockUp mock(true);
    ExploreState state = mockUpState(mock, {1500, 820});
    const Scene scene = exploreScene(state);
    keepPicture(state, QStringLiteral("copy"));
    QCOMPARE(items<StripItem>(scene).size(), std::size_t{2});
    QVERIFY(texts(scene).contains(QStringLiteral("storage #2")));
    QVERIFY(texts(scene).contains(QStringLiteral("+64 B · copy of C")));
}

void TestExploreScene::stripsKeepTheirOrder_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::newRow("1280x720") << QSizeF(963, 466);
    QTest::newRow("lower") << QSizeF(963, 440);
    QTest::newRow("1920x1080") << QSizeF(1256, 700);
}

void TestExploreScene::stripsKeepTheirOrder() {
    QFETCH(QSizeF, viewport);
    Workspace workspace;
    const Tensor base = counting(12);
    const TensorId a = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(12).view(3, 4)"),
                                     base.withView(View{{3, 4}, {4, 1}, 0}), 0, 0);
    const TensorId c = workspace.add(QStringLiteral("C"), QStringLiteral("A.narrow(1, 1, 2)"),
                                     base.withView(View{{3, 2}, {4, 1}, 1}), a, 1);
    const TensorId d = workspace.add(QStringLiteral("D"), QStringLiteral("C.contiguous()"),
                                     counting(6).withView(View{{3, 2}, {2, 1}, 0}), c, 2, true, Origin::Copy);
    ExploreState state;
    state.viewport = viewport;
    state.snapshot = workspace.snapshot();
    for (const TensorId selected : {a, c, d}) {
        state.selection.tensor = selected;
        state.selection.pick = pickOf(workspace.entry(selected), {2, 1});
        const StagePlan plan = planStage(state);
        // Both strips are drawn, the copy's below, with what it cost.
        QCOMPARE(plan.others.size(), std::size_t{1});
        const StripPlan& first = plan.strip->number == 1 ? *plan.strip : plan.others.front();
        const StripPlan& second = plan.strip->number == 2 ? *plan.strip : plan.others.front();
        QVERIFY(first.layout.area.bottom() < second.layout.area.top());
        QVERIFY(first.handle.bottom() < second.handle.top());
        QVERIFY(second.handle.bottom() < viewport.height());
        const Scene scene = exploreScene(state);
        QVERIFY(texts(scene).join(QLatin1Char('|')).contains(QStringLiteral("+48 B")));
        const QString problem = textProblem(scene);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        // No link runs over the cells or the handle of a strip that it does not end at.
        const StripPlan& other = plan.others.front();
        const QRectF forbidden = other.layout.area.intersected(
            QRectF(0, 0, other.layout.cellRect(other.layout.cellCount - 1).right() + 2, viewport.height()));
        for (const SceneNode& node : scene.nodes) {
            const auto* path = std::get_if<PathItem>(&node.item);
            if (!path || node.part.index != 1 || node.part.kind != PartKind::None || !path->casing) continue;
            QVERIFY(!path->path.intersects(forbidden) || path->path.boundingRect().height() < 20);
        }
    }
}

void TestExploreScene::everyStorageIsNamed_data() {
    stripsKeepTheirOrder_data();
}

void TestExploreScene::everyStorageIsNamed() {
    QFETCH(QSizeF, viewport);
    Workspace workspace;
    std::vector<TensorId> ids;
    for (int i = 0; i < 6; ++i) {
        const Tensor tensor = counting(12, DType::Float32);
        ids.push_back(workspace.add(QStringLiteral("t%1").arg(i), QStringLiteral("torch.rand(3, 4)"),
                                    tensor.withView(View{{3, 4}, {4, 1}, 0}), 0, i < 4 ? i : -1));
    }
    ExploreState state;
    state.viewport = viewport;
    state.snapshot = workspace.snapshot();
    for (const TensorId selected : ids) {
        state.selection.tensor = selected;
        const StagePlan plan = planStage(state);
        QCOMPARE(plan.strip->storageId, workspace.entry(selected).tensor.storage()->id());
        const Scene scene = exploreScene(state);
        const QString problem = textProblem(scene);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        // Every storage has a strip, or a chip that brings it.
        std::size_t named = 1 + plan.others.size() + plan.shelf.size();
        if (!plan.shelfMore.isEmpty()) {
            QVERIFY(texts(scene).contains(plan.shelfMore));
            named = ids.size();
        }
        QCOMPARE(named, ids.size());
        for (const ShelfChip& chip : plan.shelf) {
            QVERIFY(QRectF(QPointF(), viewport).contains(chip.rect));
            const Hit hit = hitTest(scene, chip.rect.center());
            QCOMPARE(hit.part.kind, PartKind::StripHandle);
            QCOMPARE(hit.part.storageId, chip.storageId);
            QCOMPARE(workspace.entry(chip.tensor).tensor.storage()->id(), chip.storageId);
            // A cell of such a storage lights, too, and its card is linked to it.
            state.selection.hover = Pick{chip.storageId, 7, chip.tensor, Dims{1, 3}};
            const Scene lit = exploreScene(state);
            const QString words = QStringLiteral("#%1 · index 7").arg(chip.number);
            QVERIFY2(texts(lit).contains(words), qPrintable(words));
            const QPointF above(chip.rect.center().x(), chip.rect.top() - 4);
            const StagePlan litPlan = planStage(state);
            const CardLayout* card = litPlan.card(chip.tensor);
            const bool seen = card && card->pos.x() >= 0 && card->pos.x() + card->size.width() <= viewport.width();
            QVERIFY(!seen || std::any_of(lit.nodes.begin(), lit.nodes.end(), [&](const SceneNode& node) {
                const auto* path = std::get_if<PathItem>(&node.item);
                return path && node.part.storageId == chip.storageId && node.part.kind == PartKind::None &&
                       std::abs(path->path.currentPosition().y() - above.y()) < 1 &&
                       chip.rect.adjusted(0, -6, 0, 0).contains(path->path.currentPosition());
            }));
            state.selection.hover.reset();
        }
    }
}

void TestExploreScene::outOfBoundsIsDrawn() {
    const MockUp mock;
    ExploreState state = mockUpState(mock);
    Preview preview;
    preview.code = QStringLiteral("B.as_strided((4, 2), (5, 1), 7)");
    preview.source = mock.B;
    preview.view = View{{4, 2}, {5, 1}, 7};
    state.preview = preview;
    const Scene scene = exploreScene(state);
    keepPicture(state, QStringLiteral("outside"));
    const SlotRange wanted{20, 24};
    QCOMPARE(items<StripItem>(scene)[0]->outOfRange, wanted);
    // Beside the hatched cells, with the line that asks for them.
    const auto drawn = items<TextItem>(scene);
    const auto needs = std::find_if(drawn.begin(), drawn.end(), [](const TextItem* text) {
        return text->text == QStringLiteral("B.as_strided((4, 2), (5, 1), 7)  ✗ needs 24, storage has 20");
    });
    QVERIFY(needs != drawn.end());
    const QRectF hatched = items<StripItem>(scene)[0]->layout.cellRect(20);
    QVERIFY(inkOf(**needs).left() - hatched.left() < 60 && inkOf(**needs).right() > hatched.left());
    // The hatched cells have room on the stage.
    QVERIFY(items<StripItem>(scene)[0]->layout.cellRect(23).right() <= state.viewport.width());
    state.preview.reset();
    Refusal refusal;
    refusal.id = "VIEW-01";
    refusal.message = "needs 24";
    refusal.detail = StorageOutOfBounds{7, 23, 24, 20};
    state.message = StageMessage{preview.code, refusal, mock.B};
    QCOMPARE(items<StripItem>(exploreScene(state))[0]->outOfRange, wanted);
}

void TestExploreScene::textsNeverOverlap_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::addColumn<int>("variant");
    for (const QSizeF size : {QSizeF(1016, 642), QSizeF(1400, 800), QSizeF(1600, 560), QSizeF(900, 480),
                              QSizeF(740, 430), QSizeF(560, 700), QSizeF(964, 410)}) {
        for (int variant = 0; variant < 10; ++variant) {
            QTest::addRow("%gx%g variant %d", size.width(), size.height(), variant) << size << variant;
        }
    }
}

/// States of all kinds: dtypes, ranks, overlap, stride 0, empties, large storages, options.
ExploreState variantState(int variant, QSizeF viewport, Workspace& workspace) {
    ExploreState state;
    state.viewport = viewport;
    const auto single = [&](const QString& code, Tensor tensor) {
        const TensorId root = workspace.add(QStringLiteral("q"), QStringLiteral("torch.arange()"),
                                            tensor.withView(View{{tensor.storageNumel()}, {1}, 0}), 0, -1, false);
        return workspace.add(QStringLiteral("A"), code, std::move(tensor), root, 0);
    };
    TensorId id = 0;
    switch (variant) {
    case 0:
        id = single(QStringLiteral("q.view(4, 5)"), counting(20).withView(View{{4, 5}, {5, 1}, 0}));
        break;
    case 1:
        id = single(QStringLiteral("q.view(2, 3, 4)"),
                    counting(24, DType::Float32).withView(View{{2, 3, 4}, {12, 4, 1}, 0}));
        break;
    case 2:
        id = single(QStringLiteral("q.expand(3, 4)"), counting(4).withView(View{{3, 4}, {0, 1}, 0}));
        break;
    case 3:
        id = single(QStringLiteral("q.as_strided((5, 3), (2, 1), 1)"), counting(14).withView(View{{5, 3}, {2, 1}, 1}));
        break;
    case 4:
        id = single(QStringLiteral("q[3]"), counting(9, DType::Float64).withView(View{{}, {}, 3}));
        break;
    case 5:
        id = single(QStringLiteral("q.view(0, 3)"), counting(6).withView(View{{0, 3}, {3, 1}, 0}));
        break;
    case 6:
        id = single(QStringLiteral("q.view(100, 100)"),
                    counting(10000, DType::Float32).withView(View{{100, 100}, {100, 1}, 0}));
        state.options.heat = true;
        break;
    case 7:
        id = single(QStringLiteral("q.view(2, 2, 2, 3)"), counting(24).withView(View{{2, 2, 2, 3}, {12, 6, 3, 1}, 0}));
        state.options.cellText = CellText::Both;
        break;
    case 8: {
        // A wrapped strip of colours, another storage, and cells that are wanted past the end.
        const Tensor base = counting(3000);
        workspace.add(QStringLiteral("b"), QStringLiteral("torch.arange(12)"), counting(12), 0, 1);
        const TensorId q = workspace.add(QStringLiteral("q"), QStringLiteral("torch.arange(3000)"), base, 0, 2);
        id = workspace.add(QStringLiteral("A"), QStringLiteral("q.view(60, 50)"),
                           base.withView(View{{60, 50}, {50, 1}, 0}), q, 0);
        state.options.cellSize = 10;
        Refusal refusal;
        refusal.id = "VIEW-01";
        refusal.message = "needs 3040";
        refusal.detail = StorageOutOfBounds{40, 3039, 3040, 3000};
        state.preview = Preview{};
        state.preview->code = QStringLiteral("A.as_strided((60, 50), (50, 1), 40)");
        state.preview->source = id;
        state.preview->refusal = refusal;
        break;
    }
    default: {
        const Tensor base = counting(60, DType::Float32, -30);
        id = single(QStringLiteral("q.view(6, 10)"), base.withView(View{{6, 10}, {10, 1}, 0}));
        workspace.add(QStringLiteral("B"), QStringLiteral("A.t()"), base.withView(View{{10, 6}, {1, 10}, 0}), id, 1);
        workspace.add(QStringLiteral("C"), QStringLiteral("A.narrow(0, 1, 3)"),
                      base.withView(View{{3, 10}, {10, 1}, 10}), id, 2);
        workspace.add(QStringLiteral("w"), QStringLiteral("B.contiguous()"), counting(60, DType::Float32), id + 1, 3,
                      true, Origin::Copy);
        break;
    }
    }
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    const TensorEntry& entry = workspace.entry(id);
    if (entry.tensor.numel() > 0) {
        Dims coord;
        for (Index size : entry.tensor.shape()) coord.push_back(size - 1);
        state.selection.hover = pickOf(entry, coord);
    }
    return state;
}

void TestExploreScene::textsNeverOverlap() {
    QFETCH(QSizeF, viewport);
    QFETCH(int, variant);
    Workspace workspace;
    ExploreState state = variantState(variant, viewport, workspace);
    keepPicture(state, QStringLiteral("variant%1-%2").arg(variant).arg(viewport.width()));
    QString problem = textProblem(exploreScene(state));
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    // Storms of sizes: no step between two sizes may break either.
    for (int step = 0; step < 12; ++step) {
        state.viewport = QSizeF(viewport.width() + 37 * step, std::max(kLeastHeight, viewport.height() - 11 * step));
        problem = textProblem(exploreScene(state));
        QVERIFY2(
            problem.isEmpty(),
            qPrintable(
                QStringLiteral("%1×%2: %3").arg(state.viewport.width()).arg(state.viewport.height()).arg(problem)));
    }
}

void TestExploreScene::everyRankFits_data() {
    QTest::addColumn<int>("rank");
    QTest::addColumn<QSizeF>("viewport");
    // Stages of windows of 1280×720 (alone, with a message bar) and of 1920×1080.
    for (const QSizeF size : {QSizeF(963, 466), QSizeF(963, 400), QSizeF(1256, 700)}) {
        for (int rank = 0; rank <= 8; ++rank) {
            QTest::addRow("%d dims, %gx%g", rank, size.width(), size.height()) << rank << size;
        }
    }
}

void TestExploreScene::everyRankFits() {
    QFETCH(int, rank);
    QFETCH(QSizeF, viewport);
    Dims shape(static_cast<std::size_t>(rank), 2);
    if (rank > 0) shape.back() = 3;
    Workspace workspace;
    Index count = 1;
    for (const Index size : shape) count *= size;
    const Tensor base = counting(count, DType::Float32);
    const auto view = contiguousView(std::span<const Index>(shape.data(), shape.size()));
    QVERIFY(view);
    const TensorId id = workspace.add(QStringLiteral("d8"), QStringLiteral("torch.from_numpy(numpy.load(\"d8.npy\"))"),
                                      base.withView(*view), 0, 0);
    ExploreState state;
    state.viewport = viewport;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    for (const bool picked : {false, true}) {
        if (picked) state.selection.pick = pickOf(workspace.entry(id), Dims(static_cast<std::size_t>(rank), 1));
        const StagePlan plan = planStage(state);
        const CardLayout& card = plan.cards.front();
        // Every part of the card lies inside its frame, the numbers of the formula are there, and cells can be seen.
        const QRectF inside = card.frame().adjusted(2, 2, -2, -2);
        // Eight dims on the least stage: the inspector names the numbers.
        if (rank < 8 || viewport.height() > 420) QCOMPARE(static_cast<int>(card.formula.size()), rank + 2);
        QCOMPARE(static_cast<int>(card.sliders.size()), std::max(0, rank - 4));
        QVERIFY(!card.panels.empty());
        for (const CardPanel& panel : card.panels) {
            QVERIFY2(inside.contains(panel.area.translated(card.pos)), "a grid leaves the card");
        }
        Scene scene;
        appendCard(scene, card);
        for (const TextItem* text : items<TextItem>(scene)) {
            QVERIFY2(inside.contains(inkOf(*text)), qPrintable(text->text));
        }
        for (const CardSlider& slider : card.sliders) {
            QVERIFY(inside.contains(slider.track.translated(card.pos)));
            for (const CardPanel& panel : card.panels) QVERIFY(!panel.area.intersects(slider.track));
        }
        // Of a slice of 2 × 2 panels at least two, each whole.
        QVERIFY(card.shownRows == card.rows && card.shownCols == card.cols);
        QVERIFY(rank < 3 || card.panels.size() >= 2);
        QVERIFY(card.frame().bottom() < plan.strip->layout.area.top());
        QVERIFY(plan.strip->layout.area.bottom() < viewport.height());
        const QString problem = textProblem(exploreScene(state));
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
}

void TestExploreScene::shortStage_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::addColumn<bool>("whole");
    QTest::newRow("first start at 1280x720") << QSizeF(963, 427) << true;
    QTest::newRow("1280x720") << QSizeF(963, 466) << true;
    QTest::newRow("1280x720 with a message") << QSizeF(963, 396) << false;
}

void TestExploreScene::shortStage() {
    QFETCH(QSizeF, viewport);
    QFETCH(bool, whole);
    const FirstRun first;
    const Workspace& workspace = first.workspace;
    const TensorId c = first.C;
    ExploreState state;
    state.viewport = viewport;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = c;
    state.selection.pick = pickOf(workspace.entry(c), {2, 1});
    const StagePlan plan = planStage(state);
    QCOMPARE(plan.cards.size(), std::size_t{3});
    for (const CardLayout& card : plan.cards) {
        // Beside each other, none half out of sight; each with the live formula and with the linked cell.
        QVERIFY(plan.cardArea.adjusted(-0.5, -0.5, 0.5, 0.5).contains(card.frame()));
        QVERIFY(!card.rings.empty() && card.cellRect(card.rings.front()));
        QVERIFY(card.frame().contains(*card.cellRect(card.rings.front())));
        QCOMPARE(card.formula.size(), std::size_t{4});
        QCOMPARE(card.formula.back().value, QStringLiteral("10"));
        QVERIFY(card.shownRows >= 2);
        if (whole) QCOMPARE(card.shownRows, card.rows);
        for (const CardAxis& axis : card.axes) QVERIFY(axis.to.y() < card.size.height() - 4);
    }
    const Scene scene = exploreScene(state);
    QVERIFY(texts(scene).contains(QStringLiteral("+1 (dim 1)")));
    QVERIFY(texts(scene).join(QLatin1Char('|')).contains(QStringLiteral("+4 (dim 0)")));
}

void TestExploreScene::stripAndCardInSight_data() {
    textsNeverOverlap_data();
}

void TestExploreScene::stripAndCardInSight() {
    QFETCH(QSizeF, viewport);
    QFETCH(int, variant);
    Workspace workspace;
    const ExploreState state = variantState(variant, viewport, workspace);
    const StagePlan plan = planStage(state);
    QVERIFY(plan.strip.has_value());
    QVERIFY2(plan.strip->layout.area.bottom() <= viewport.height(), "the strip leaves the stage");
    const CardLayout* card = plan.card(state.selection.tensor);
    QVERIFY(card);
    QVERIFY(card->frame().left() >= plan.cardArea.left() - 0.5);
    QVERIFY2(card->frame().right() <= plan.cardArea.right() + 0.5, "the selected card leaves the stage");
    QVERIFY(card->frame().bottom() < plan.strip->layout.area.top());
}

void TestExploreScene::zoomedOutStripsExplainThemselves() {
    Workspace workspace;
    const Tensor base = counting(5000);
    const TensorId id =
        workspace.add(QStringLiteral("x"), QStringLiteral("torch.arange(5000)"), base.withView(base.view()), 0, 0);
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    state.viewport = QSizeF(1200, 700);
    for (const qreal size : {20.0, 3.0, 1.0}) {
        state.options.cellSize = size;
        const StagePlan plan = planStage(state);
        QVERIFY(plan.strip && plan.strip->layout.rowCount() > 1);
        QVERIFY(plan.strip->rowIndex);
        QVERIFY(plan.strip->layout.rowPitch >= 10);
        QVERIFY2(plan.strip->layout.area.left() - plan.strip->handle.right() >= 30, "no room for the rows' labels");
        QVERIFY(plan.colourBar.width() > 0);
        QVERIFY(plan.colourBar.bottom() < state.viewport.height());
    }
    state.options.cellSize = 42;
    const StagePlan plan = planStage(state);
    QVERIFY(!plan.strip->rowIndex);
    QVERIFY(plan.colourBar.isEmpty());
}

void TestExploreScene::heatMapsColourEveryStrip() {
    const MockUp mock(true);
    ExploreState state = mockUpState(mock);
    state.viewport = QSizeF(1600, 1000);
    for (const bool heat : {false, true}) {
        state.options.heat = heat;
        const Scene scene = exploreScene(state);
        const auto strips = items<StripItem>(scene);
        QCOMPARE(strips.size(), std::size_t{2});
        for (const StripItem* strip : strips) QCOMPARE(strip->heat, heat);
    }
}

void TestExploreScene::viewsWithoutALaneAreNamed_data() {
    QTest::addColumn<Index>("count");
    QTest::newRow("short strip") << Index{12};
    QTest::newRow("strip as wide as the stage") << Index{24};
}

/// Every view on the stage has a lane, or its name stands beside the lanes.
void TestExploreScene::viewsWithoutALaneAreNamed() {
    QFETCH(Index, count);
    int leftOut = 0;
    for (qreal height = 380; height <= 760; height += 20) {
        Workspace workspace;
        const Tensor line = counting(count);
        const TensorId a = workspace.add(QStringLiteral("a"), QStringLiteral("a"), line, 0, 0);
        workspace.add(QStringLiteral("b"), QStringLiteral("b"), line.withView({{5, 4}, {1, 1}, 0}), a, 1);
        workspace.add(QStringLiteral("c"), QStringLiteral("c"), line.withView({{3, count}, {0, 1}, 0}), a, 2);
        const TensorId f =
            workspace.add(QStringLiteral("F"), QStringLiteral("F"), line.withView({{1000, count}, {0, 1}, 0}), a, 3);
        ExploreState state;
        state.viewport = QSizeF(1014, height);
        state.snapshot = workspace.snapshot();
        state.selection.tensor = f;
        const StagePlan plan = planStage(state);
        if (plan.lanes.empty()) continue;
        const Scene scene = exploreScene(state);
        QStringList names;
        int more = 0;
        for (const SceneNode& node : scene.nodes) {
            const auto* text = std::get_if<TextItem>(&node.item);
            if (!text) continue;
            if (text->text.contains(QStringLiteral("more: ")))
                names = text->text.section(QStringLiteral("more: "), 1).split(QStringLiteral(", "));
            // Where there is no line for names, their number.
            if (node.part.kind == PartKind::LaneCells && text->text.contains(QStringLiteral(" +")))
                more = text->text.section(QStringLiteral(" +"), 1).toInt();
        }
        leftOut += names.empty() && more == 0 ? 0 : 1;
        if (more > 0) {
            QVERIFY(names.empty());
            QCOMPARE(static_cast<int>(plan.lanes.size()) + more, 4);
            continue;
        }
        for (const TensorEntry* lane : plan.lanes) names << lane->name;
        names.sort();
        QCOMPARE(names,
                 QStringList({QStringLiteral("F"), QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}));
        QVERIFY(plan.lanesTop <= height);
    }
    QVERIFY(leftOut > 0);
}

/// Where no colour is left for a tensor, its lane says its name, as much as has room.
void TestExploreScene::laneWithoutBadgeHasAName() {
    for (const char* name : {"w", "weight", "running_mean"}) {
        Workspace workspace;
        const TensorId id = workspace.add(QString::fromLatin1(name), QStringLiteral("y"), counting(12));
        ExploreState state;
        state.snapshot = workspace.snapshot();
        state.selection.tensor = id;
        const Scene scene = exploreScene(state);
        std::vector<const TextItem*> words;
        for (const SceneNode& node : scene.nodes) {
            const auto* text = std::get_if<TextItem>(&node.item);
            if (text && node.part.kind == PartKind::LaneCells) words.push_back(text);
        }
        QCOMPARE(words.size(), std::size_t{2});
        const qreal wide = textWidth(words[0]->font, words[0]->text);
        QVERIFY(words[0]->maxWidth >= std::min(wide, 44.0));
        QVERIFY(words[0]->pos.x() + std::min(wide, words[0]->maxWidth) + 4 <= words[1]->pos.x());
        QVERIFY(words[1]->pos.x() + textWidth(words[1]->font, words[1]->text) <= kStageMargin + kHandleWidth + 1);
    }
}

/// Where a card of many dims has the height for its formula, it is not given for a column or two more.
void TestExploreScene::manyDimsKeepTheirFormula() {
    Workspace workspace;
    const Tensor many = counting(64);
    const View view = *contiguousView(Dims{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 64});
    workspace.add(QStringLiteral("A"), QStringLiteral("a"), counting(12).withView(*contiguousView(Dims{3, 4})), 0, 0);
    const TensorId id = workspace.add(QStringLiteral("x"), QStringLiteral("y"), many.withView(view), 0, 1);
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    for (const QSizeF size : {QSizeF(1280, 800), QSizeF(1600, 900), QSizeF(1880, 1000)}) {
        state.viewport = size;
        const StagePlan plan = planStage(state);
        const CardLayout* card = plan.card(id);
        QVERIFY(!card->formula.empty());
        const bool stride = std::any_of(card->texts.begin(), card->texts.end(), [](const TextItem& text) {
            return text.text.contains(QStringLiteral("stride"));
        });
        QVERIFY(stride);
    }
}

/// What scrolls a row of cards has no use on paper, however small the page is.
void TestExploreScene::noButtonsOnPaper() {
    MockUp mock;
    ExploreState state;
    state.snapshot = mock.workspace.snapshot();
    state.selection.tensor = mock.B;
    state.viewport = QSizeF(320, 240);
    const auto buttons = [](const Scene& scene) {
        return std::count_if(scene.nodes.begin(), scene.nodes.end(), [](const SceneNode& node) {
            return node.part.kind == PartKind::Button &&
                   (node.part.index == kCardsLeft || node.part.index == kCardsRight);
        });
    };
    QVERIFY(buttons(exploreScene(state)) > 0);
    QCOMPARE(buttons(exploreScene(onPaper(state, false))), 0);
}

void TestExploreScene::laneWordsAreNeverCut() {
    // Beside the lanes stands as much of the number as there is room for, whole words at the least.
    const qreal room = kHandleWidth - 24;
    std::byte none{};
    for (Index count = 1; count <= 1'000'000'000'000; count = count * 10 - count / 4) {
        Workspace workspace;
        const Tensor tensor(Storage::wrap(
                                &none, static_cast<std::size_t>(count), Device{DeviceType::Sim}, [] {}, "none"),
                            View{{count}, {1}, 0}, DType::UInt8);
        const TensorId id = workspace.add(QStringLiteral("x"), QStringLiteral("y"), tensor);
        const QString words = laneWords(workspace.entry(id), count, room);
        QVERIFY2(textWidth(FontRole::Label, words) <= room, qPrintable(words));
        const QString unit = count == 1 ? QStringLiteral(" cell") : QStringLiteral(" cells");
        QVERIFY2(words.endsWith(unit), qPrintable(words));
        QCOMPARE(laneWords(workspace.entry(id), count, 1e9), QStringLiteral("%1 of %1").arg(countText(count)) + unit);
    }
    QCOMPARE(briefCountText(7'500'000'000), QStringLiteral("7.5e9"));
    QCOMPARE(briefCountText(9'990'000), QStringLiteral("1.0e7"));
    QCOMPARE(briefCountText(1000), QStringLiteral("1.0e3"));
    QCOMPARE(briefCountText(0), QStringLiteral("0"));
}

void TestExploreScene::hugeStorageCostsNothing() {
    // 2^40 bytes that are never read: only visible cells may be touched, and none here.
    Workspace workspace;
    std::byte one{};
    const Index count = Index{1} << 40;
    StoragePtr storage = Storage::wrap(
        &one, 0, Device{DeviceType::Cuda, 0}, [] {}, "heap");
    Q_UNUSED(storage)
    const StripPlan strip = [count] {
        StripPlan plan;
        plan.layout.cellCount = count;
        plan.layout.perRow = 1000;
        plan.layout.cellWidth = 1;
        plan.layout.rowPitch = 2;
        plan.layout.area = QRectF(144, 100, 1000, 200);
        plan.visibleRows = 100;
        return plan;
    }();
    StripScroll scroll = scrolledTo(strip, {}, count - 1);
    QCOMPARE(scroll.firstRow, strip.layout.rowCount() - 100);
    scroll = scrolledBy(strip, scroll, 0, -2);
    QCOMPARE(scroll.firstRow, strip.layout.rowCount() - 101);
    scroll = scrolledBy(strip, scroll, 0, 9e18);
    QCOMPARE(scroll.firstRow, strip.layout.rowCount() - 100);
    scroll = scrolledBy(strip, scroll, 0, -9e18);
    QCOMPARE(scroll.firstRow, Index{0});
    // A pixel at a time is exact far away.
    scroll = scrolledTo(strip, {}, count / 2);
    const Index before = scroll.firstRow;
    for (int i = 0; i < 8; ++i) scroll = scrolledBy(strip, scroll, 0, 0.25);
    QCOMPARE(scroll.firstRow, before + 1);
}

void TestExploreScene::golden_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"mock_up", "copy", "outside", "three_dims", "wrapped", "overlap", "scalar", "no_elements"}) {
        QTest::newRow(name) << QString::fromLatin1(name);
    }
}

void TestExploreScene::golden() {
    QFETCH(QString, name);
    const MockUp mock(name == QLatin1String("copy"));
    Workspace workspace;
    ExploreState state = mockUpState(mock);
    const QSizeF usual(1016, 642);
    if (name == QLatin1String("copy")) state.viewport = {1500, 820};
    if (name == QLatin1String("outside")) {
        Preview preview;
        preview.source = mock.B;
        preview.view = View{{4, 2}, {5, 1}, 7};
        state.preview = preview;
    }
    if (name == QLatin1String("wrapped")) state.options.wrap = StripWrap::Line64;
    if (name == QLatin1String("three_dims")) state = variantState(1, usual, workspace);
    if (name == QLatin1String("overlap")) state = variantState(3, usual, workspace);
    if (name == QLatin1String("scalar")) state = variantState(4, usual, workspace);
    if (name == QLatin1String("no_elements")) state = variantState(5, usual, workspace);
    const QString dump = dumpScene(exploreScene(state));
    QVERIFY(dump.count(QLatin1Char('\n')) > 3);
    const QString path =
        QString::fromStdString(test::sourcePath("tests/golden/stage/")) + name + QStringLiteral(".txt");
    QFile file(path);
    if (qEnvironmentVariableIsSet("STRIDESCOPE_UPDATE_GOLDEN")) {
        QDir().mkpath(QFileInfo(path).path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(dump.toUtf8());
        return;
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
    const QStringList wanted = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
    const QStringList found = dump.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < std::max(wanted.size(), found.size()); ++i) QCOMPARE(found.value(i), wanted.value(i));
}

void TestExploreScene::blocksStayInTheirCard_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::newRow("1280x720") << QSizeF(960, 447);
    QTest::newRow("1280x720 with a message") << QSizeF(960, 380);
    QTest::newRow("1600x1000") << QSizeF(1014, 640);
    QTest::newRow("1920x1080") << QSizeF(1334, 698);
}

void TestExploreScene::blocksStayInTheirCard() {
    QFETCH(QSizeF, viewport);
    int blocks = 0;
    for (const Dims& shape : {Dims{2, 3, 4}, Dims{4, 4, 6}, Dims{1, 1, 1}, Dims{4, 1, 6}}) {
        Workspace workspace;
        const View view = contiguousView(shape).valueOrThrow();
        const TensorId id =
            workspace.add(QStringLiteral("A"), QStringLiteral("a"), counting(view.numel()).withView(view), 0, 0);
        ExploreState state;
        state.viewport = viewport;
        state.snapshot = workspace.snapshot();
        state.selection.tensor = id;
        state.cards[id].mode = CardMode::Blocks;
        const CardLayout card = planStage(state).cards.front();
        blocks += card.block ? 1 : 0;
        // There is always a formula, and a way back.
        QVERIFY(!card.formula.empty());
        QVERIFY(!card.chips.empty());
        if (!card.block) continue;
        const QRectF inside = QRectF(QPointF(), card.size);
        QVERIFY(inside.contains(card.block->bounds()));
        QVERIFY(card.block->cellRect({0, shape[1] - 1, 0}).bottom() + 30 <= card.size.height());
        QVERIFY(card.block->cell.width() >= 34 && card.block->cell.height() >= 22);
        // Their indices have room as soon as a card is no lower than in a small window.
        if (shape[0] == 2 && viewport.height() > 400) QVERIFY(card.block->ticks);
    }
    QVERIFY(blocks >= 2);
}

void TestExploreScene::blocksGetTheRoomTheyNeed_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::addColumn<Dims>("shape");
    QTest::addColumn<bool>("beside");
    QTest::newRow("1600x1000, alone") << QSizeF(1014, 636) << Dims{4, 4, 6} << false;
    QTest::newRow("1920x1050, alone") << QSizeF(1334, 690) << Dims{4, 4, 6} << false;
    QTest::newRow("1920x1080, beside a card") << QSizeF(1334, 698) << Dims{2, 3, 4} << true;
    QTest::newRow("1600x1000, beside a card") << QSizeF(1014, 636) << Dims{2, 3, 4} << true;
    QTest::newRow("1280x720, beside a card") << QSizeF(752, 420) << Dims{2, 3, 4} << true;
}

/// A block that was asked for is one oblique block, not boxes in a row, and what is under it stays in sight.
void TestExploreScene::blocksGetTheRoomTheyNeed() {
    QFETCH(QSizeF, viewport);
    QFETCH(Dims, shape);
    QFETCH(bool, beside);
    Workspace workspace;
    const View view = contiguousView(shape).valueOrThrow();
    const Tensor values = counting(view.numel()).withView(view);
    const TensorId id = workspace.add(QStringLiteral("T"), QStringLiteral("T"), values, 0, 0);
    if (beside)
        workspace.add(QStringLiteral("U"), QStringLiteral("T[0]"), values.withView(select(view, 0, 0).valueOrThrow()),
                      id, 1);
    ExploreState state;
    state.viewport = viewport;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    state.cards[id].mode = CardMode::Blocks;
    const StagePlan plan = planStage(state);
    const CardLayout& card = plan.cards.front();
    QVERIFY(card.block);
    QVERIFY2(card.block->slant() >= 38 && card.block->slant() <= 52, qPrintable(QString::number(card.block->slant())));
    QVERIFY(QRectF(QPointF(), card.size).contains(card.block->bounds()));
    QVERIFY(!card.formula.empty());
    QVERIFY(plan.strip && plan.strip->layout.area.bottom() <= viewport.height());
}

void TestExploreScene::manyDimsStayInTheirCard() {
    for (const std::size_t rank : {13u, 32u, 64u}) {
        Workspace workspace;
        Dims shape(rank, 1);
        shape.back() = 3;
        const View view = contiguousView(shape).valueOrThrow();
        const TensorId id = workspace.add(QStringLiteral("A"), QStringLiteral("a"), counting(3).withView(view), 0, 0);
        ExploreState state;
        state.viewport = {960, 447};
        state.snapshot = workspace.snapshot();
        state.selection.tensor = id;
        const StagePlan plan = planStage(state);
        for (const CardPanel& panel : plan.cards.front().panels)
            QVERIFY2(panel.area.bottom() <= plan.cards.front().size.height(), std::to_string(rank).c_str());
        const QString problem = textProblem(exploreScene(state));
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
}

void TestExploreScene::paperHoldsLongCards() {
    // A card that would take any width must not widen the picture without end.
    Workspace workspace;
    const Tensor base = counting(1000);
    const TensorId a = workspace.add(QStringLiteral("A"), QStringLiteral("a"), base, 0, 0);
    const TensorId b =
        workspace.add(QStringLiteral("B"), QStringLiteral("A[::2]"), base.withView(View{{500}, {2}, 0}), a, 1);
    ExploreState state;
    state.viewport = {1280, 800};
    state.snapshot = workspace.snapshot();
    state.selection.tensor = b;
    const ExploreState paper = onPaper(state);
    const StagePlan plan = planStage(paper);
    QVERIFY(paper.viewport.width() < 3 * 1280);
    QVERIFY(plan.moreLeft.isEmpty() && plan.moreRight.isEmpty());
    for (const CardLayout& card : plan.cards)
        QVERIFY(card.frame().left() >= 0 && card.frame().right() <= paper.viewport.width());
}

void TestExploreScene::paperOfOneSizeHoldsAllCards() {
    Workspace workspace;
    const Tensor base = counting(120);
    TensorId parent = 0;
    for (int i = 0; i < 4; ++i)
        parent = workspace.add(QString(QLatin1Char(static_cast<char>('A' + i))), QStringLiteral("a"),
                               base.withView(View{{10, 12}, {12, 1}, 0}), parent, i);
    ExploreState state;
    state.viewport = {1280, 720};
    state.snapshot = workspace.snapshot();
    state.selection.tensor = parent;
    QVERIFY(!planStage(state).moreLeft.isEmpty()); // a window shows the last ones
    const ExploreState paper = onPaper(state, false);
    QCOMPARE(paper.viewport, state.viewport);
    const StagePlan plan = planStage(paper);
    QCOMPARE(plan.cards.size(), std::size_t{4});
    for (const CardLayout& card : plan.cards)
        QVERIFY(card.frame().left() >= 0 && card.frame().right() <= paper.viewport.width());
}

void TestExploreScene::statusCountsEveryElement() {
    Workspace workspace;
    const Tensor base = counting(3);
    const TensorId a = workspace.add(QStringLiteral("A"), QStringLiteral("a"), base, 0, 0);
    const TensorId e = workspace.add(QStringLiteral("E"), QStringLiteral("A.expand(20, 3)"),
                                     base.withView(View{{20, 3}, {0, 1}, 0}), a, 1);
    Selection selection;
    selection.tensor = e;
    selection.hover = pickOf(workspace.entry(e), {0, 2});
    const QString text = stridescope::statusText(*workspace.snapshot(), selection);
    // A[2] and nineteen of E; seven are named.
    QVERIFY2(text.contains(QStringLiteral("the same cell: A[2], E[1, 2], ")), qPrintable(text));
    QVERIFY2(text.endsWith(QStringLiteral("E[6, 2], 13 more")), qPrintable(text));
    // Few ones are all named.
    Workspace small;
    const TensorId b = small.add(QStringLiteral("A"), QStringLiteral("a"), base, 0, 0);
    const TensorId f =
        small.add(QStringLiteral("F"), QStringLiteral("A.expand(5, 3)"), base.withView(View{{5, 3}, {0, 1}, 0}), b, 1);
    selection.tensor = f;
    selection.hover = pickOf(small.entry(f), {0, 2});
    QVERIFY(stridescope::statusText(*small.snapshot(), selection)
                .endsWith(QStringLiteral("the same cell: A[2], F[1, 2], F[2, 2], F[3, 2], F[4, 2]")));
}

void TestExploreScene::statusText_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("text");
    QTest::newRow("cell of B") << 0
                               << QStringLiteral(
                                      "B[2, 1] = 12   storage #1, index 12, bytes 96–103   ·   the same cell: "
                                      "q[12], A[2, 2], C[1, 2]");
    QTest::newRow("strip cell that B does not reach")
        << 1 << QStringLiteral("storage #1[0] = 0   storage #1, index 0, bytes 0–7   ·   the same cell: q[0], A[0, 0]");
    QTest::newRow("none") << 2 << QString();
    QTest::newRow("cell of a storage that is not on the stage") << 3 << QString();
}

void TestExploreScene::statusText() {
    QFETCH(int, kind);
    QFETCH(QString, text);
    const MockUp mock;
    Selection selection;
    selection.tensor = mock.B;
    if (kind == 3) selection.pick = pickOf(mock.workspace.entry(mock.w), {1, 1});
    if (kind == 0) selection.hover = pickOf(mock.workspace.entry(mock.B), {2, 1});
    if (kind == 1) selection.hover = Pick{mock.workspace.entry(mock.q).tensor.storage()->id(), 0, 0, {}};
    QCOMPARE(stridescope::statusText(*mock.workspace.snapshot(), selection), text);
}

void TestExploreScene::formulasAreAlwaysSeen() {
    // Wherever a cell is lit the numbers that make up its index are on its card, or in the status line.
    Workspace workspace;
    const View view = *contiguousView(Dims(8, 2));
    const TensorId a = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(256).view(2,2,2,2,2,2,2,2)"),
                                     counting(256).withView(view), 0, 0);
    workspace.add(QStringLiteral("B"), QStringLiteral("A.transpose(0, 7)"),
                  workspace.entry(a).tensor.withView(*transpose(view, 0, 7)), a, 1);
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = a;
    state.selection.pick = pickOf(workspace.entry(a), {1, 0, 1, 0, 0, 0, 1, 1});
    int told = 0;
    for (const QSizeF size : {QSizeF(1011, 466), QSizeF(1011, 380), QSizeF(731, 466), QSizeF(731, 300)}) {
        state.viewport = size;
        const StagePlan plan = planStage(state);
        const bool status = formulaInStatus(plan, state.selection);
        QCOMPARE(status, plan.card(a)->formula.empty());
        told += status;
        const QString text = stridescope::statusText(*state.snapshot, state.selection, status);
        QCOMPARE(
            text.contains(QStringLiteral("index 0 + 1·128 (dim 0) + 1·32 (dim 2) + 1·2 (dim 6) + 1·1 (dim 7) = 163,")),
            status);
    }
    QVERIFY(told > 0);
}

QTEST_MAIN(TestExploreScene)
#include "tst_explore_scene.moc"
