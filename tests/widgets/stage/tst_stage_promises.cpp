// What the stage keeps on a small screen and after every act: the formula, the new view in sight, marks of repetition.

#include "stage_fixture.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/paint_context.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/linking.h"
#include "widgets/stage/stage_layout.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

/// A selected tensor on one of several storages, each with a card.
struct Crowd {
    Workspace workspace;
    TensorId id = 0;
    ExploreState state;
    Crowd(int storages, const QString& code, View view, QSizeF viewport) {
        for (int i = 1; i < storages; ++i) {
            const Tensor other = counting(12, DType::Int64, 10);
            workspace.add(QStringLiteral("x%1").arg(i), QStringLiteral("torch.arange(10, 22)"),
                          other.withView(View{{3, 4}, {4, 1}, 0}), 0, i - 1);
        }
        const Tensor base = counting(view.shape.size() > 2 ? 24 : 16, DType::Int64, 123'450);
        id = workspace.add(QStringLiteral("v"), code, base.withView(std::move(view)), 0, 3);
        state.snapshot = workspace.snapshot();
        state.viewport = viewport;
        state.selection.tensor = id;
    }
};

/// A widget that shows b, a long vector, selected.
struct Live {
    Workspace workspace;
    WorkspaceModel model;
    ExploreStage stage{&model};
    Tensor base = counting(100'000);
    TensorId b = 0;
    Live() {
        stage.setReducedMotion(true);
        b = workspace.add(QStringLiteral("b"), QStringLiteral("torch.arange(100000)"), base, 0, 0);
        model.setSnapshot(workspace.snapshot());
        model.select(b);
        stage.resize(1334, 693);
        stage.show();
        (void)QTest::qWaitForWindowExposed(&stage);
    }
    TensorId add(const QString& name, View view) {
        const TensorId id = workspace.add(name, name, base.withView(std::move(view)), b, 1);
        model.setSnapshot(workspace.snapshot());
        model.select(id);
        return id;
    }
    bool inSight(Index slot) const { return planStage(stage.state()).strip->inSight(slot); }
};

std::size_t chains(const Scene& scene, const CardLayout& card) {
    // A chain is a path of ink; on the card there are no others that are so small.
    std::size_t found = 0;
    for (const SceneNode& node : scene.nodes) {
        const auto* path = std::get_if<PathItem>(&node.item);
        if (!path || !card.frame().contains(path->path.boundingRect()) || path->arrow) continue;
        const QRectF r = path->path.boundingRect();
        if (path->stroke == Tone::Ink && r.width() > 7 && r.width() < 16 && r.height() < 8) ++found;
    }
    return found;
}

} // namespace

class TestStagePromises : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFormulaStays_data();
    void theFormulaStays();
    void formulasWhereThereIsRoom_data();
    void formulasWhereThereIsRoom();
    void gridsDoNotTakeTheFormula_data();
    void gridsDoNotTakeTheFormula();
    void repetitionIsNamed_data();
    void repetitionIsNamed();
    void previewsLeaveTheNumbersFree_data();
    void previewsLeaveTheNumbersFree();
    void bothTextsKeepTheRow();
    void lowCardsKeepTheirFacts_data();
    void lowCardsKeepTheirFacts();
    void longPathsKeepTheFormula_data();
    void longPathsKeepTheFormula();
    void longPathsKeepThePanels_data() { longPathsKeepTheFormula_data(); }
    void longPathsKeepThePanels();
    void lanesStayWhileCardsHaveAir();
    void newViewsComeIntoSight();
    void viewsInSightDoNotScroll();
    void slicesOfStrideZeroAreGhosts();
    void wordsOfHopsSpareTheRuler();
};

/// Under the strip first the numbers of its cells stand, then arches and their words, however low the stage.
void TestStagePromises::wordsOfHopsSpareTheRuler() {
    int told = 0;
    for (int height = 360; height < 700; height += 5) {
        for (int storages = 1; storages <= 3; ++storages) {
            Crowd crowd(storages, QStringLiteral("x.t()"), View{{4, 3}, {1, 4}, 0}, QSizeF(963, height));
            const StagePlan plan = planStage(crowd.state);
            QVERIFY(plan.strip);
            if (plan.strip->visibleRows > 1 || plan.strip->indexBelow == 0) continue;
            const qreal ruler = plan.strip->layout.cellRect(0).bottom() + plan.strip->indexBelow - 4;
            for (const SceneNode& node : exploreScene(crowd.state).nodes) {
                const auto* text = std::get_if<TextItem>(&node.item);
                if (!text || !text->text.contains(QStringLiteral("(dim 1)"))) continue;
                ++told;
                QVERIFY2(text->pos.y() - 7 >= ruler,
                         qPrintable(QStringLiteral("%1 px, %2 storages: %3 at %4, numbers end at %5")
                                        .arg(height)
                                        .arg(storages)
                                        .arg(text->text)
                                        .arg(text->pos.y())
                                        .arg(ruler)));
            }
        }
    }
    QVERIFY(told > 20);
}

void TestStagePromises::theFormulaStays_data() {
    QTest::addColumn<int>("storages");
    QTest::addColumn<QString>("code");
    QTest::addColumn<Dims>("shape");
    QTest::addColumn<QSizeF>("viewport");
    const QString brief = QStringLiteral("x.view()"), usual = QStringLiteral("torch.arange(123450, 123462).view(3,4)");
    const QString file = QStringLiteral("torch.from_numpy(numpy.load(\"data/m34.npy\"))");
    const std::vector<Dims> shapes{{16}, {3, 1}, {3, 4}, {4, 3}, {2, 3, 4}};
    // Windows of 1280 × 720: as they are, with a message bar of one line, with one of three.
    for (const qreal height : {466.0, 444.0, 408.0, 387.0}) {
        for (int storages = 1; storages <= 3; ++storages) {
            for (const QString& code : {brief, usual, file}) {
                for (const Dims& shape : shapes) {
                    QTest::addRow("%g px, %d storages, %d letters, %d dims of %d", height, storages,
                                  static_cast<int>(code.size()), static_cast<int>(shape.size()),
                                  static_cast<int>(shape[0]))
                        << storages << code << shape << QSizeF(963, height);
                }
            }
        }
    }
}

void TestStagePromises::theFormulaStays() {
    QFETCH(int, storages);
    QFETCH(QString, code);
    QFETCH(Dims, shape);
    QFETCH(QSizeF, viewport);
    const auto view = contiguousView(std::span<const Index>(shape.data(), shape.size()));
    QVERIFY(view);
    Crowd crowd(storages, code, *view, viewport);
    for (const bool picked : {false, true}) {
        const Dims last = [&] {
            Dims coord = shape;
            for (Index& i : coord) --i;
            return coord;
        }();
        const Pick pick = pickOf(crowd.workspace.entry(crowd.id), last);
        if (picked) crowd.state.selection.hover = pick;
        const StagePlan plan = planStage(crowd.state);
        const CardLayout* card = plan.card(crowd.id);
        QVERIFY(card);
        QVERIFY2(card->formula.size() == shape.size() + 2, "the selected card has no formula");
        QCOMPARE(card->formula.back().value, picked ? QString::number(pick.slot) : QStringLiteral("?"));
        QVERIFY2(card->shownRows >= std::min<Index>(card->rows, 2), "the formula took the cells");
        for (const FormulaTerm& term : card->formula) QVERIFY(card->frame().contains(term.rect.translated(card->pos)));
        // The others keep theirs too, for their cells can be pointed at; a strip of two rows below a message bar of
        // three lines leaves them no room.
        if (plan.strip->layout.rowCount() == 1 || viewport.height() >= 400) {
            for (const CardLayout& other : plan.cards) QVERIFY(!other.formula.empty());
        }
        QVERIFY(plan.strip->layout.area.bottom() <= viewport.height());
    }
}

void TestStagePromises::formulasWhereThereIsRoom_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QSizeF>("viewport");
    const QSizeF small(1011, 466), large(1335, 715);
    QTest::newRow("8-d and a view of it, 1920x1080") << QStringLiteral("view") << large;
    QTest::newRow("8-d beside a grid, 1920x1080") << QStringLiteral("grid") << large;
    QTest::newRow("8-d beside a grid, 1280x720") << QStringLiteral("grid") << small;
    QTest::newRow("a picture and a channel, 1280x720") << QStringLiteral("channel") << small;
    QTest::newRow("a picture beside a grid, 1280x720") << QStringLiteral("picture") << small;
    QTest::newRow("a picture and a channel, 1920x1080") << QStringLiteral("channel") << large;
}

/// Beside another card a head may be narrow, and its lines broken, before the formula goes.
void TestStagePromises::formulasWhereThereIsRoom() {
    QFETCH(QString, what);
    QFETCH(QSizeF, viewport);
    Workspace workspace;
    TensorId id = 0;
    if (what == QLatin1String("view") || what == QLatin1String("grid")) {
        const View view = *contiguousView(Dims(8, 2));
        id = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(256).view(2,2,2,2,2,2,2,2)"),
                           counting(256).withView(view), 0, 0);
        if (what == QLatin1String("view"))
            workspace.add(QStringLiteral("B"), QStringLiteral("A.transpose(0, 7)"),
                          workspace.entry(id).tensor.withView(*transpose(view, 0, 7)), id, 1);
    } else {
        const Tensor base = counting(48 * 64 * 3, DType::UInt8).withView(*contiguousView(Dims{48, 64, 3}));
        id = workspace.add(QStringLiteral("pic"),
                           QStringLiteral("torch.from_numpy(numpy.array(PIL.Image.open(\"pic.png\")))"), base, 0, 0);
        if (what == QLatin1String("channel"))
            workspace.add(QStringLiteral("r"), QStringLiteral("pic[:, :, 0]"),
                          base.withView(*select(base.view(), 2, 0)), id, 1);
    }
    if (what == QLatin1String("grid") || what == QLatin1String("picture"))
        workspace.add(QStringLiteral("B"), QStringLiteral("torch.arange(12).view(3, 4)"),
                      counting(12).withView(*contiguousView(Dims{3, 4})), 0, 1);
    ExploreState state;
    state.viewport = viewport;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    const StagePlan plan = planStage(state);
    const CardLayout* card = plan.card(id);
    QCOMPARE(card->formula.size(), card->view.shape.size() + 2);
    QVERIFY(card->panels.size() == (card->picture ? 1u : 4u) || viewport.height() < 500);
    if (card->picture) QVERIFY(card->panels.front().area.height() >= 100);
    // No card is half out of sight, and the others have their formulas, too.
    QVERIFY2(plan.cardsWidth <= plan.cardArea.width() + 0.5, qPrintable(QString::number(plan.cardsWidth)));
    for (const CardLayout& other : plan.cards) {
        QCOMPARE(other.formula.size(), other.view.shape.size() + 2);
        if (other.picture) QVERIFY(other.panels.front().area.height() >= 48);
    }
}

void TestStagePromises::gridsDoNotTakeTheFormula_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::addColumn<QString>("folder");
    QTest::addColumn<int>("storages");
    for (const QSizeF size : {QSizeF(1011, 466), QSizeF(963, 444), QSizeF(1335, 715), QSizeF(1335, 693)}) {
        for (const char* folder : {"", "data/", "/home/somebody/numbers/"}) {
            for (int storages = 2; storages <= 4; ++storages)
                QTest::addRow("%g px, %d storages, in '%s'", size.height(), storages, folder)
                    << size << QString::fromLatin1(folder) << storages;
        }
    }
}

/// Four grids under the sliders of an 8-d card are not worth its formula: two say as much.
void TestStagePromises::gridsDoNotTakeTheFormula() {
    QFETCH(QSizeF, viewport);
    QFETCH(QString, folder);
    QFETCH(int, storages);
    Workspace workspace;
    const std::vector<Dims> shapes{{2, 2, 2, 2, 2, 2, 3, 3}, {3, 4}, {10}, {2, 3, 4}};
    std::vector<TensorId> ids;
    for (int i = 0; i < storages; ++i) {
        const View view = *contiguousView(shapes[static_cast<std::size_t>(i)]);
        const QString name(QLatin1Char(static_cast<char>('a' + i)));
        const QString code = QStringLiteral("torch.from_numpy(numpy.load(\"%1%2.npy\"))").arg(folder, name);
        ids.push_back(workspace.add(name, code, counting(view.numel(), DType::Float32).withView(view), 0, i));
    }
    ExploreState state;
    state.viewport = viewport;
    state.snapshot = workspace.snapshot();
    for (const TensorId id : ids) {
        state.selection.tensor = id;
        const Dims last = [&] {
            Dims coord = workspace.entry(id).tensor.view().shape;
            for (Index& i : coord) --i;
            return coord;
        }();
        state.selection.pick = pickOf(workspace.entry(id), last);
        const StagePlan plan = planStage(state);
        for (const CardLayout& card : plan.cards) {
            QCOMPARE(card.formula.size(), card.view.shape.size() + 2);
            QVERIFY(card.shownRows >= std::min<Index>(card.rows, 2));
            for (const FormulaTerm& term : card.formula) QVERIFY(card.frame().contains(term.rect.translated(card.pos)));
        }
        QCOMPARE(plan.card(id)->formula.back().number, state.selection.pick->slot);
    }
}

void TestStagePromises::repetitionIsNamed_data() {
    QTest::addColumn<View>("view");
    QTest::addColumn<QString>("least");
    QTest::newRow("cells") << View{{3, 5}, {4, 0}, 1} << QStringLiteral("stride 0: the same 3 cells");
    QTest::newRow("one cell") << View{{3, 5}, {0, 0}, 1} << QStringLiteral("stride 0: the same cell");
    QTest::newRow("rows") << View{{3, 4}, {0, 1}, 0} << QStringLiteral("stride 0: the same 4 cells");
    QTest::newRow("more than fit") << View{{12, 6}, {0, 1}, 0} << QStringLiteral("stride 0: the same 6 cells");
}

/// In a window of 1280 × 720 cards are laid out without their notes; what stride 0 means is said in the air beside the
/// cells.
void TestStagePromises::repetitionIsNamed() {
    QFETCH(View, view);
    QFETCH(QString, least);
    Workspace workspace;
    const Tensor base = counting(12, DType::Float32);
    const TensorId a = workspace.add(QStringLiteral("b"), QStringLiteral("torch.from_numpy(numpy.load(\"q2/b.npy\"))"),
                                     base.withView(View{{3, 4}, {4, 1}, 0}), 0, 0);
    const TensorId id =
        workspace.add(QStringLiteral("e"), QStringLiteral("b[:, 1:2].expand(3, 5)"), base.withView(view), a, 1);
    ExploreState state;
    state.viewport = QSizeF(1011, 466);
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    const StagePlan plan = planStage(state);
    const CardLayout& card = *plan.card(id);
    QVERIFY(!card.input.note);
    QStringList words;
    for (const TextItem& text : card.texts) {
        const QRectF ink(text.pos - QPointF(0, 10), QSizeF(textWidth(text.font, text.text) - 1, 12));
        QVERIFY(QRectF(QPointF(), card.size).contains(ink));
        for (const CardPanel& panel : card.panels) QVERIFY2(!panel.area.intersects(ink), qPrintable(text.text));
        for (const TextItem& other : card.texts) {
            const QRectF its(other.pos - QPointF(0, 10), QSizeF(textWidth(other.font, other.text) - 1, 12));
            QVERIFY2(&other == &text || !its.intersects(ink), qPrintable(text.text + other.text));
        }
        words << text.text;
    }
    QVERIFY2(words.join(QLatin1Char(' ')).contains(least), qPrintable(words.join(QLatin1Char('|'))));
}

void TestStagePromises::previewsLeaveTheNumbersFree_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::newRow("1280x720") << QSizeF(1011, 466);
    QTest::newRow("200 %") << QSizeF(691, 314);
    QTest::newRow("1920x1080") << QSizeF(1335, 715);
}

/// A count pushes the digits of low cells to their upper edge: the outline of a preview keeps out of there.
void TestStagePromises::previewsLeaveTheNumbersFree() {
    QFETCH(QSizeF, viewport);
    Workspace workspace;
    const Tensor base = counting(12, DType::Float32);
    const View expanded{{3, 5}, {4, 0}, 1};
    const TensorId id = workspace.add(QStringLiteral("e"), QStringLiteral("e"), base.withView(expanded), 0, 0);
    ExploreState state;
    state.viewport = viewport;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    state.preview = Preview{};
    state.preview->source = id;
    state.preview->view = View{{2, 5}, {4, 0}, 5};
    const StripLayout layout = planStage(state).strip->layout;
    const Scene scene = exploreScene(state);
    int outlines = 0;
    for (const SceneNode& node : scene.nodes) {
        const auto* path = std::get_if<PathItem>(&node.item);
        if (!path || path->style != LineStyle::Dashed || path->stroke != Tone::Ink) continue;
        const QRectF cell = layout.cellRect(5);
        const QRectF bounds = path->path.boundingRect();
        if (bounds.top() > cell.bottom() || bounds.bottom() < cell.top()) continue;
        ++outlines;
        const QRectF digits = countBadge(cell, 5, false, 24, false, 0).text;
        constexpr qreal kDigits = 11, kPen = 1;
        QVERIFY(digits.center().y() - kDigits / 2 >= bounds.top() + kPen);
    }
    QCOMPARE(outlines, 1);
}

/// Higher cells must not make a card wider, for the sake of a line of code, than the row of cards is.
void TestStagePromises::bothTextsKeepTheRow() {
    const FirstRun first;
    const Workspace& workspace = first.workspace;
    const TensorId c = first.C;
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = c;
    state.options.cellText = CellText::Both;
    for (const QSizeF size : {QSizeF(1011, 466), QSizeF(1011, 520), QSizeF(963, 466)}) {
        state.viewport = size;
        const StagePlan plan = planStage(state);
        QVERIFY2(plan.cardsWidth <= plan.cardArea.width() + 0.5, qPrintable(QString::number(plan.cardsWidth)));
        for (const CardLayout& card : plan.cards) {
            QVERIFY(!card.formula.empty());
            QVERIFY(card.shownRows >= 2);
        }
    }
}

void TestStagePromises::lowCardsKeepTheirFacts_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::newRow("the whole screen") << QSizeF(691, 314);
    QTest::newRow("less a frame") << QSizeF(678, 304);
}

/// A window of 1920×1080 at 200 %: no room for the formula, but for what the tensors are, all of them.
void TestStagePromises::lowCardsKeepTheirFacts() {
    QFETCH(QSizeF, viewport);
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
    QVERIFY2(plan.cardsWidth <= plan.cardArea.width() + 0.5, qPrintable(QString::number(plan.cardsWidth)));
    for (const CardLayout& card : plan.cards) {
        QString head;
        for (const TextItem& text : card.texts) head += text.text + QLatin1Char('|');
        for (const char* word : {"int64", "cpu", "size", "stride", "offset", "contiguous"})
            QVERIFY2(head.contains(QLatin1String(word)), qPrintable(head));
        QCOMPARE(card.shownRows, Index{2});
        // Where it came from stands at the end of a line.
        QVERIFY(!card.pill.isEmpty());
        QCOMPARE(card.pillText, card.input.parent ? card.input.parent->name : QStringLiteral("base"));
        QVERIFY(card.pill.right() <= card.size.width() - 10);
        for (const TextItem& text : card.texts) {
            const QRectF ink(text.pos - QPointF(0, 10), QSizeF(textWidth(text.font, text.text), 12));
            QVERIFY2(!ink.intersects(card.pill), qPrintable(text.text));
        }
    }
    QVERIFY(formulaInStatus(plan, state.selection));
}

void TestStagePromises::longPathsKeepTheFormula_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<qreal>("height");
    for (const qreal height : {466.0, 434.0}) {
        for (int letters = 0; letters <= 80; letters += 10) {
            const QString path = QStringLiteral("/home/somebody/data sets/of the course/numbers/").repeated(2);
            QTest::addRow("%d letters, %g px", letters, height) << path.left(letters) << height;
        }
    }
}

/// Eight dims beside a grid: of long code the end is left out before the formula is.
void TestStagePromises::longPathsKeepTheFormula() {
    QFETCH(QString, path);
    QFETCH(qreal, height);
    const auto code = [&path](const char* file) {
        return QStringLiteral("torch.from_numpy(numpy.load(\"%1%2\"))").arg(path, QLatin1String(file));
    };
    Workspace workspace;
    const View deep = *contiguousView(Dims{2, 2, 2, 2, 2, 2, 3, 3});
    const TensorId d8 =
        workspace.add(QStringLiteral("d8"), code("d8.npy"), counting(576, DType::Float32).withView(deep), 0, 0);
    workspace.add(QStringLiteral("m34"), code("m34.npy"),
                  counting(12, DType::Float32).withView(*contiguousView(Dims{3, 4})), 0, 1);
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.viewport = {1011, height};
    state.selection.tensor = d8;
    for (const bool picked : {false, true}) {
        if (picked) state.selection.pick = pickOf(workspace.entry(d8), {0, 0, 0, 0, 1, 1, 2, 1});
        const StagePlan plan = planStage(state);
        const CardLayout* card = plan.card(d8);
        QCOMPARE(card->formula.size(), std::size_t{10});
        QCOMPARE(card->sliders.size(), std::size_t{4});
        QVERIFY(card->panels.front().area.isValid());
        for (const CardPanel& panel : card->panels) QVERIFY(card->frame().contains(panel.area.translated(card->pos)));
    }
}

/// A block beside a grid: both of its panels are in sight where there is room for them.
void TestStagePromises::longPathsKeepThePanels() {
    QFETCH(QString, path);
    QFETCH(qreal, height);
    const auto code = [&path](const char* file) {
        return QStringLiteral("torch.from_numpy(numpy.load(\"%1%2\"))").arg(path, QLatin1String(file));
    };
    Workspace workspace;
    const TensorId m34 = workspace.add(QStringLiteral("m34"), code("m34.npy"),
                                       counting(12, DType::Float32).withView(*contiguousView(Dims{3, 4})), 0, 0);
    const TensorId c234 = workspace.add(QStringLiteral("c234"), code("c234.npy"),
                                        counting(24, DType::Float32).withView(*contiguousView(Dims{2, 3, 4})), 0, 1);
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.viewport = {1011, height};
    for (const TensorId selected : {c234, m34}) {
        state.selection.tensor = selected;
        const StagePlan plan = planStage(state);
        QCOMPARE(plan.card(c234)->panels.size(), std::size_t{2});
        QCOMPARE(plan.card(c234)->shownRows, Index{3});
        QCOMPARE(plan.card(c234)->formula.size(), std::size_t{5});
        QCOMPARE(plan.card(m34)->formula.size(), std::size_t{4});
        QVERIFY2(plan.cardsWidth <= plan.cardArea.width() + 0.5, qPrintable(QString::number(plan.cardsWidth)));
    }
}

void TestStagePromises::lanesStayWhileCardsHaveAir() {
    // A stage of a window of 1920×1080 with a message over it: no lane folds for air in the cards.
    const MockUp mock;
    ExploreState state;
    state.snapshot = mock.workspace.snapshot();
    state.selection.tensor = mock.B;
    int full = 0;
    for (int height = 590; height <= 700; height += 5) {
        state.viewport = {1335, static_cast<qreal>(height)};
        const StagePlan plan = planStage(state);
        for (const CardLayout& card : plan.cards) {
            QCOMPARE(card.shownRows, card.rows);
            QVERIFY(!card.formula.empty());
        }
        if (plan.lanes.size() < 3) continue;
        ++full;
        QVERIFY2(plan.laneCaption, qPrintable(QString::number(height)));
    }
    QVERIFY2(full >= 19, qPrintable(QString::number(full)));
}

void TestStagePromises::newViewsComeIntoSight() {
    Live live;
    QVERIFY(live.inSight(0) && !live.inSight(50'000));
    const TensorId t = live.add(QStringLiteral("t"), View{{10}, {1}, 50'000});
    for (Index slot = 50'000; slot < 50'010; ++slot) QVERIFY(live.inSight(slot));
    // One that walks backwards is found at its offset, one in the middle of rows as well.
    live.add(QStringLiteral("s"), View{{3}, {-1}, 99'999});
    QVERIFY(live.inSight(99'999));
    live.model.select(t);
    QVERIFY(live.inSight(50'000));
    live.stage.setWrap(StripWrap::Number, 5000); // rows wider than the stage
    live.model.select(live.b);
    live.model.select(live.workspace.snapshot()->tensors.back().id);
    QVERIFY(live.inSight(99'999));
}

void TestStagePromises::viewsInSightDoNotScroll() {
    Live live;
    live.stage.jumpTo(50'000);
    QVERIFY(live.inSight(50'000));
    const StripScroll before = live.stage.state().scroll.value(live.base.storage()->id());
    // b itself and a view on all of it are in sight wherever the strip is; one without elements is nowhere.
    live.add(QStringLiteral("w"), View{{100, 1000}, {1000, 1}, 0});
    QCOMPARE(live.stage.state().scroll.value(live.base.storage()->id()), before);
    live.model.select(live.b);
    QCOMPARE(live.stage.state().scroll.value(live.base.storage()->id()), before);
    live.add(QStringLiteral("e"), View{{0}, {1}, 7});
    QCOMPARE(live.stage.state().scroll.value(live.base.storage()->id()), before);
}

void TestStagePromises::slicesOfStrideZeroAreGhosts() {
    Crowd crowd(1, QStringLiteral("torch.arange(24).view(2,3,4).expand(3,2,2,3,4)"),
                View{{3, 2, 2, 3, 4}, {0, 0, 12, 4, 1}, 0}, QSizeF(1334, 693));
    const auto shownState = [&](Index i) {
        ExploreState state = crowd.state;
        state.cards[crowd.id].outer = {i};
        return state;
    };
    const StagePlan first = planStage(shownState(0)), second = planStage(shownState(1));
    const CardLayout *real = first.card(crowd.id), *repeat = second.card(crowd.id);
    // Panels of j = 1 repeat those of j = 0; in the slice of i = 1 all of them do.
    for (const CardPanel& panel : real->panels) QCOMPARE(panel.repeats, panel.coord[1] == 1);
    for (const CardPanel& panel : repeat->panels) QVERIFY(panel.repeats);
    // Chains: at the slider, at the dim of panels, and at every panel that repeats.
    const auto repeated =
        std::count_if(real->panels.begin(), real->panels.end(), [](const CardPanel& panel) { return panel.repeats; });
    QCOMPARE(chains(exploreScene(shownState(0)), *real), std::size_t{2} + static_cast<std::size_t>(repeated));
    QCOMPARE(chains(exploreScene(shownState(1)), *repeat), std::size_t{2} + repeat->panels.size());
    // Without a stride of 0 there is none.
    Crowd plain(1, QStringLiteral("torch.arange(24)"), View{{2, 3, 4}, {12, 4, 1}, 0}, QSizeF(1334, 693));
    const StagePlan plan = planStage(plain.state);
    QCOMPARE(chains(exploreScene(plain.state), *plan.card(plain.id)), std::size_t{0});
}

QTEST_MAIN(TestStagePromises)
#include "tst_stage_promises.moc"
