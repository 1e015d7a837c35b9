// The explaining figures: their numbers, their buttons, room for everything, and the pictures of the mock-ups.

#include "core/storage/memory_budget.h"
#include "core/view/overlap.h"
#include "core/view/view_ops.h"
#include "core/view/walk.h"
#include "tests/widgets/card/card_fixture.h"
#include "widgets/card/block_layout.h"
#include "widgets/card/draw.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/blocks_figure.h"
#include "widgets/figures/contiguity_walk.h"
#include "widgets/figures/refusal_figure.h"
#include "widgets/figures/view_fails.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/hit_test.h"

#include <QRegularExpression>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

QString s(const char* text) {
    return QString::fromUtf8(text);
}

QStringList wordsOf(const Scene& scene) {
    QStringList words;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* text = std::get_if<TextItem>(&node.item)) words << text->text;
    }
    return words;
}

/// Every text inside the scene, no two texts over each other.
QString crowded(const Scene& scene) {
    std::vector<std::pair<QRectF, QString>> texts;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* text = std::get_if<TextItem>(&node.item)) texts.emplace_back(textRect(*text), text->text);
    }
    const QRectF frame(QPointF(0, 0), scene.size);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!frame.adjusted(-1, -1, 1, 1).contains(texts[i].first)) {
            return s("outside: ") + texts[i].second + s(" at ") + rectText(texts[i].first);
        }
        for (std::size_t k = 0; k < i; ++k) {
            const QRectF common = texts[i].first.intersected(texts[k].first);
            if (common.width() >= 1 && common.height() >= 1) {
                return s("\"%1\" over \"%2\" at %3").arg(texts[i].second, texts[k].second, rectText(common));
            }
        }
    }
    return {};
}

struct Failing {
    const char* name;
    Tensor tensor;
    Dims wanted;
};

Tensor xt() {
    return t(view(arange(12), Dims{3, 4}));
}

std::vector<Failing> failing() {
    return {
        {"1-d of a transposed", xt(), Dims{12}},
        {"1-d with -1", xt(), Dims{-1}},
        {"2-d", xt(), Dims{2, 6}},
        {"2-d, narrow rows", xt(), Dims{6, 2}},
        {"3-d", xt(), Dims{2, 3, 2}},
        {"narrowed", narrow(view(arange(20), Dims{4, 5}), 1, 1, 2), Dims{8}},
        {"3-d source", permute(view(arange(120), Dims{4, 5, 6}), Dims{2, 0, 1}), Dims{24, 5}},
        {"4-d source", transpose(view(arange(120), Dims{2, 3, 4, 5}), 1, 3), Dims{120}},
        {"5-d source", transpose(view(arange(96), Dims{2, 2, 2, 3, 4}), 0, 4), Dims{96}},
        {"8-d source", transpose(view(arange(256), Dims{2, 2, 2, 2, 2, 2, 2, 2}), 0, 7), Dims{256}},
        {"square", t(view(arange(10000), Dims{100, 100})), Dims{10000}},
        {"expanded", expand(view(arange(3), Dims{3, 1}), Dims{3, 4}), Dims{12}},
        {"long run", t(view(arange(2000), Dims{1000, 2})), Dims{2000}},
        {"far apart", t(view(arange(100000), Dims{10, 10000})), Dims{100000}},
    };
}

Figure figureOf(Cast& cast, const Failing& f, qreal width, bool withParent, qreal height = 0) {
    const TensorEntry& parent =
        cast.add(s("x"), s("x"), f.tensor.withView(*contiguousView(Dims{f.tensor.storageNumel()})), Origin::Base, 0);
    const TensorEntry& entry = cast.add(s("y"), s("x.op()"), f.tensor, Origin::View, 1, parent.id);
    ViewFailsInput input;
    input.entry = &entry;
    input.parent = withParent ? &parent : nullptr;
    input.storageNumber = 1;
    input.nextStorageNumber = 2;
    input.wanted = f.wanted;
    input.code = s("y.view(…)");
    input.width = width;
    input.height = height;
    const Result<Dims> whole = inferShape(f.wanted, f.tensor.numel());
    const auto refused = viewAs(f.tensor.view(), *whole);
    if (refused.ok()) return {};
    input.refusal = refused.refusal();
    return viewFailsFigure(input);
}

RefusalFigureInput refusalInput(const TensorEntry& entry, const QString& code, const Refusal& refusal) {
    RefusalFigureInput input;
    input.entry = &entry;
    input.storageNumber = 1;
    input.code = code;
    input.refusal = refusal;
    return input;
}

} // namespace

class TestFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void viewFails_data();
    void viewFails();
    void viewFailsInShortWindows_data();
    void viewFailsInShortWindows();
    void viewFailsLeavesNoRoomUnused();
    void refusalsLeaveNoRoomUnused();
    void viewFailsNumbers();
    void viewFailsShowsNumbersInShortWindows();
    void viewFailsShowsWhatIsUnderThePointer();
    void copiesThatMemoryRefuses_data();
    void copiesThatMemoryRefuses();
    void stripNamesEverybodyAndHasColours();
    void shapeTable();
    void refusals_data();
    void refusals();
    void theStorageIsDrawnOnce();
    void refusalsShowTheIndexInQuestion_data();
    void refusalsShowTheIndexInQuestion();
    void refusalOfT();
    void boundsHatching();
    void walkOrder();
    void walkCountsVisits();
    void walkLabelsMakeUpTheCount();
    void walkWindows_data();
    void walkWindows();
    void blocks();
    void blockGhosts_data();
    void blockGhosts();
    void golden_data();
    void golden();
};

void TestFigures::viewFails_data() {
    QTest::addColumn<int>("which");
    const auto all = failing();
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << static_cast<int>(i);
}

void TestFigures::viewFails() {
    QFETCH(int, which);
    const Failing f = failing()[static_cast<std::size_t>(which)];
    for (const qreal width : {1292.0, 980.0, 1700.0, 800.0, 660.0, 560.0}) { // the last as beside an open script
        for (const bool withParent : {true, false}) {
            Cast cast;
            const Figure figure = figureOf(cast, f, width, withParent);
            QCOMPARE(figure.scene.size.width(), width);
            const QString problem = crowded(figure.scene);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            // Every button can be hit, stands for a line, and says where it leads.
            QVERIFY(figure.codes.size() >= 2);
            for (std::size_t i = 0; i < figure.codes.size(); ++i) {
                QVERIFY(figure.codes[i].startsWith(s("y.")));
                bool found = false;
                for (const SceneNode& node : figure.scene.nodes) {
                    if (node.part.kind != PartKind::Button || node.part.index != static_cast<int>(i)) continue;
                    found = true;
                    const QPointF centre = std::get<BoxItem>(node.item).rect.center();
                    QCOMPARE(hitTest(figure.scene, centre).part.kind, PartKind::Button);
                    QCOMPARE(hitTest(figure.scene, centre).part.index, static_cast<int>(i));
                }
                QVERIFY(found);
            }
            const QStringList words = wordsOf(figure.scene);
            QVERIFY(words.contains(s("y.view(…) is not possible. Nothing was changed.")));
            QVERIFY(figure.sentence.contains(s("and then")));
        }
    }
}

void TestFigures::viewFailsInShortWindows_data() {
    viewFails_data();
}

void TestFigures::viewFailsInShortWindows() {
    QFETCH(int, which);
    const Failing f = failing()[static_cast<std::size_t>(which)];
    // The room of the stage in windows of 1280×720, 1600×1000 and 1920×1080.
    for (const QSizeF room : {QSizeF(963, 464), QSizeF(1010, 636), QSizeF(1260, 700)}) {
        for (const bool withParent : {true, false}) {
            Cast cast;
            const Figure figure = figureOf(cast, f, room.width(), withParent, room.height());
            const QString problem = crowded(figure.scene);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            QVERIFY2(figure.scene.size.height() <= room.height(),
                     qPrintable(s("%1 of %2").arg(figure.scene.size.height()).arg(room.height())));
            // Walk, both steps and every way out are there.
            std::size_t buttons = 0;
            for (const SceneNode& node : figure.scene.nodes) {
                buttons += node.part.kind == PartKind::Button;
                const auto* box = std::get_if<BoxItem>(&node.item);
                if (box) QVERIFY(QRectF(QPointF(), figure.scene.size).contains(box->rect));
            }
            QVERIFY(figure.codes.size() >= 2 && buttons >= figure.codes.size());
            // The tensor itself is seen too, with the cell at which the walk stops.
            bool own = false;
            for (const SceneNode& node : figure.scene.nodes)
                own = own || (node.part.kind == PartKind::CardCells && std::holds_alternative<GridItem>(node.item));
            QVERIFY(own);
            const QString words = wordsOf(figure.scene).join(QLatin1Char('|'));
            QVERIFY(words.contains(s("what y needs next")) || words.contains(s(" needed next")));
            QVERIFY(words.contains(s("would read index")));
            QVERIFY(words.contains(s("Can dims")));
        }
    }
}

/// No card leaves rows out while there is room for them below the picture.
void TestFigures::viewFailsLeavesNoRoomUnused() {
    Cast cast;
    const TensorEntry& x = cast.add(s("x"), s("x"), view(arange(36), Dims{3, 12}), Origin::Base, 0);
    const TensorEntry& y = cast.add(s("y"), s("x.t()"), t(x.tensor), Origin::View, 1);
    RefusalFigureInput input = refusalInput(y, s("y.view(36)"), viewAs(y.tensor.view(), Dims{36}).refusal());
    input.parent = &x;
    input.wanted = Dims{36};
    int cut = 0, whole = 0;
    for (const qreal width : {963.0, 1310.0}) {
        for (qreal height = 470; height <= 900; height += 10) {
            input.width = width;
            input.height = height;
            const Figure figure = refusalFigure(input);
            if (figure.scene.size.height() > height) continue;
            for (const SceneNode& node : figure.scene.nodes) {
                const auto* grid = std::get_if<GridItem>(&node.item);
                if (!grid || node.part.kind != PartKind::CardCells || grid->tensor != y.id) continue;
                const bool all = grid->area.height() >= static_cast<qreal>(grid->rows) * grid->cell.height() - 1;
                ++(all ? whole : cut);
                // A row of cells, and the lane of what is under the pointer.
                constexpr qreal kRowAndLane = 34 + 25;
                QVERIFY2(all || height - figure.scene.size.height() < kRowAndLane,
                         qPrintable(s("%1 of %2").arg(figure.scene.size.height()).arg(height)));
            }
        }
    }
    QVERIFY(cut > 0 && whole > 0);
}

/// What a stage is higher than the picture needs goes to the card and to rows of the strip.
void TestFigures::refusalsLeaveNoRoomUnused() {
    Cast cast;
    const TensorEntry& x = cast.add(s("x"), s("x"), view(arange(1080), Dims{6, 9, 20}), Origin::Base, 0);
    const Refusal refusal = viewAs(x.tensor.view(), Dims{7, 9}).refusal();
    RefusalFigureInput input = refusalInput(x, s("x.view(7, 9)"), refusal);
    input.wanted = Dims{7, 9};
    Index fewest = 1080, most = 0;
    double mostCells = 0;
    for (const qreal width : {963.0, 1335.0}) {
        for (qreal height = 420; height <= 1400; height += 10) {
            input.width = width;
            input.height = height;
            const Figure figure = refusalFigure(input);
            if (figure.scene.size.height() > height) continue;
            const QByteArray at = s("%1 of %2").arg(figure.scene.size.height()).arg(height).toUtf8();
            double cells = 0;
            Index rows = 0, all = 0;
            for (const SceneNode& node : figure.scene.nodes) {
                if (const auto* grid = std::get_if<GridItem>(&node.item); grid && node.part.kind == PartKind::CardCells)
                    cells += grid->area.width() * grid->area.height() / (grid->cell.width() * grid->cell.height());
                const auto* strip = std::get_if<StripItem>(&node.item);
                if (!strip) continue;
                all = strip->layout.rowCount() > 1 ? strip->layout.rowCount() : 1080;
                rows = std::max<Index>(1, qRound(strip->layout.area.height() / strip->layout.rowPitch));
                // Everything that is named under the strip's handle is in it.
                QVERIFY2(strip->layout.area.bottom() <= figure.scene.size.height(), at);
            }
            QVERIFY2(rows == all || height - figure.scene.size.height() < 62, at);
            fewest = std::min(fewest, rows);
            most = std::max(most, rows);
            mostCells = std::max(mostCells, cells);
        }
    }
    QVERIFY(fewest == 1 && most > 3);
    QVERIFY2(mostCells > 100, qPrintable(s("%1").arg(mostCells)));
}

void TestFigures::viewFailsShowsNumbersInShortWindows() {
    // Twenty elements as they come from a file, in windows of 1280×720 and 1920×1080.
    Cast cast;
    const TensorEntry& x = cast.add(s("i64"), s("i64"), view(arange(20), Dims{4, 5}), Origin::Base, 0);
    const TensorEntry& y = cast.add(s("b"), s("i64.t()"), t(x.tensor), Origin::View, 1, x.id);
    RefusalFigureInput input = refusalInput(y, s("b.view(20)"), viewAs(y.tensor.view(), Dims{20}).refusal());
    input.parent = &x;
    input.wanted = Dims{20};
    for (const QSizeF room : {QSizeF(1011, 466), QSizeF(1335, 693)}) {
        input.width = room.width();
        input.height = room.height();
        const Figure figure = refusalFigure(input);
        QVERIFY(figure.scene.size.height() <= room.height());
        bool source = false;
        std::vector<std::pair<QRectF, QString>> texts;
        for (const SceneNode& node : figure.scene.nodes) {
            if (const auto* strip = std::get_if<StripItem>(&node.item)) {
                QVERIFY(strip->layout.cellWidth >= strip->numbersFrom);
                QVERIFY(textWidth(FontRole::Index, s("19")) + 4 <= strip->layout.cellWidth);
            }
            QVERIFY(!std::holds_alternative<ColourBarItem>(node.item)); // there are no colours
            if (const auto* lane = std::get_if<LaneItem>(&node.item)) source = source || lane->reach.tensor == x.id;
            if (const auto* grid = std::get_if<GridItem>(&node.item)) source = source || grid->tensor == x.id;
            const auto* text = std::get_if<TextItem>(&node.item);
            if (!text) continue;
            QVERIFY2(!text->text.contains(s("…")) || text->text.startsWith(s("…")) || text->text == s("…"),
                     qPrintable(text->text));
            static const QRegularExpression number(s("^[+−-]?\\d+$"));
            if (number.match(text->text).hasMatch()) texts.emplace_back(textRect(*text), text->text);
        }
        QVERIFY(texts.size() > 20);
        QVERIFY2(source, "the tensor that it is a view of is not in the picture");
        // Beside one another, not one number.
        for (const auto& [a, first] : texts) {
            for (const auto& [b, second] : texts) {
                if (std::abs(a.center().y() - b.center().y()) > 3 || b.left() <= a.left()) continue;
                QVERIFY2(b.left() - a.right() >= 3.5, qPrintable(s("%1 and %2").arg(first, second)));
            }
        }
    }
}

void TestFigures::viewFailsShowsWhatIsUnderThePointer() {
    Cast cast;
    const TensorEntry& x = cast.add(s("x"), s("x"), view(arange(12), Dims{3, 4}), Origin::Base, 0);
    const TensorEntry& y = cast.add(s("y"), s("x.t()"), t(x.tensor), Origin::View, 1);
    const auto refused = viewAs(y.tensor.view(), Dims{12});
    RefusalFigureInput input = refusalInput(y, s("y.view(12)"), refused.refusal());
    input.parent = &x;
    input.wanted = Dims{12};
    input.width = 1300;
    const auto lanes = [](const Figure& figure) {
        std::vector<View> views;
        for (const SceneNode& node : figure.scene.nodes)
            if (const auto* lane = std::get_if<LaneItem>(&node.item)) views.push_back(lane->reach.view);
        return views;
    };
    for (const qreal height : {0.0, 700.0}) {
        input.height = height;
        input.hovered.clear();
        const Figure still = refusalFigure(input);
        QCOMPARE(lanes(still).size(), std::size_t{2});
        for (const QString& code : still.codes) {
            input.hovered = code;
            const Figure hovered = refusalFigure(input);
            QCOMPARE(hovered.codes, still.codes); // the buttons stay where they are
            const std::vector<View> shown = lanes(hovered);
            const bool copies = !code.startsWith(s("y.view"));
            const View wanted = copies ? y.tensor.view() : viewAs(y.tensor.view(), Dims{2, 2, 3}).valueOrThrow();
            if (code == still.codes.back()) QCOMPARE(code, s("y.view(2, 2, 3)"));
            QVERIFY(shown.size() >= 2 && std::find(shown.begin(), shown.end(), wanted) != shown.end());
            const QString problem = crowded(hovered.scene);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
        }
    }
}

void TestFigures::viewFailsNumbers() {
    Cast cast;
    const Figure figure = figureOf(cast, failing().front(), 1292, true);
    const QString all = wordsOf(figure.scene).join(QLatin1Char('\n'));
    QCOMPARE(figure.sentence, s("No single stride does both: +4, +4 and then −7."));
    for (const char* words :
         {"+4 again would read index 12", "needs 13, has 12", "−7: what y needs next", "Can dims 0 and 1 of y merge?",
          "stride₁ · size₁", "4 · 3", "= 12", "Three ways out", "copies 96 B", "+0 B, a view", "y.view(2, 2, 3)",
          "A shape these strides can express: stride (2, 1, 4).", "x reads in order", "y reads in order"}) {
        QVERIFY2(all.contains(s(words)), words);
    }
    QCOMPARE(figure.codes,
             (std::vector<QString>{s("y.reshape(12)"), s("y.contiguous().view(12)"), s("y.view(2, 2, 3)")}));
}

void TestFigures::copiesThatMemoryRefuses_data() {
    QTest::addColumn<QSizeF>("room");
    QTest::newRow("whole") << QSizeF(1292, 0);
    QTest::newRow("beside each other") << QSizeF(1260, 700);
    QTest::newRow("brief") << QSizeF(963, 464);
}

void TestFigures::copiesThatMemoryRefuses() {
    QFETCH(QSizeF, room);
    // 64 GB as a copy, 32 bytes as it is.
    const Failing f{"huge", expand(arange(4), Dims{2'000'000'000, 4}), Dims{-1}};
    setMemoryLimit(Index{100} << 20);
    Cast cast;
    const Figure figure = figureOf(cast, f, room.width(), false, room.height());
    setMemoryLimit(std::nullopt);
    const QString words = wordsOf(figure.scene).join(QLatin1Char('|'));
    QCOMPARE(figure.codes.size(), std::size_t{1}); // the view alone
    QVERIFY(!figure.codes.front().contains(s("reshape")) && !figure.codes.front().contains(s("contiguous")));
    QVERIFY(words.contains(s("One way out")));
    QVERIFY(words.contains(s("needs 64.0 GB")));
    QVERIFY(words.contains(s("y.reshape(8000000000)")));
    for (const SceneNode& node : figure.scene.nodes) {
        if (node.part.kind == PartKind::Button) QCOMPARE(node.part.index, 0);
    }
    // With room for them they are offered again.
    setMemoryLimit(Index{100} << 30);
    Cast again;
    QCOMPARE(figureOf(again, f, room.width(), false, room.height()).codes.size(), std::size_t{3});
    setMemoryLimit(std::nullopt);
}

void TestFigures::stripNamesEverybodyAndHasColours() {
    Cast cast;
    const Tensor square = t(view(arange(10000), Dims{100, 100}));
    const TensorEntry& y = cast.add(s("y"), s("x.t()"), square, Origin::View, 1);
    ViewFailsInput input;
    input.entry = &y;
    input.storageNumber = 1;
    input.nextStorageNumber = 2;
    input.sharers = QStringList{s("A"), s("B"), s("C")};
    input.code = s("y.view(-1)");
    input.wanted = Dims{-1};
    input.refusal = viewAs(square.view(), Dims{10000}).refusal();
    const Figure figure = viewFailsFigure(input);
    const QString words = wordsOf(figure.scene).join(QLatin1Char(' '));
    QVERIFY2(words.contains(s("shared by A, B, C")), qPrintable(words));
    QVERIFY(words.contains(s("10000 × int64")));
    // One range of colours, and a bar that says which.
    int strips = 0, bars = 0;
    for (const SceneNode& node : figure.scene.nodes) {
        if (const auto* strip = std::get_if<StripItem>(&node.item)) {
            ++strips;
            QCOMPARE(std::pair(strip->heatLow, strip->heatHigh), heatRange(square));
            QVERIFY(strip->heatHigh >= 9999);
        } else if (const auto* bar = std::get_if<ColourBarItem>(&node.item)) {
            ++bars;
            QCOMPARE(std::pair(bar->low, bar->high), heatRange(square));
        }
    }
    QCOMPARE(strips, 1);
    QCOMPARE(bars, 1);
}

void TestFigures::shapeTable() {
    Cast cast;
    const TensorEntry& y = cast.add(s("y"), s("x.t()"), xt(), Origin::View, 1);
    const auto rows = shapeRows(y, Dims{12});
    QCOMPARE(rows.front().shapeText, s("(12,)"));
    QVERIFY(!rows.front().isView);
    QCOMPARE(rows.front().strideText, s("needs a copy"));
    QVERIFY(rows.size() >= 6);
    for (const ShapeRow& row : rows) {
        const auto result = viewAs(y.tensor.view(), row.shape);
        QCOMPARE(result.ok(), row.isView);
        if (result.ok()) QCOMPARE(row.strideText, QString::fromStdString(toString(result->stride)));
    }
    QCOMPARE(shapeRowsIntro(y), s("Shapes with 12 elements, tested against the strides of y, (1, 4)."));
}

void TestFigures::refusals_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<Dims>("wanted");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("way");
    const Dims none;
    QTest::newRow("narrow past the end") << s("A.narrow(1, 3, 4)") << none
                                         << s("From 3 on, 4 indices reach to 6; dim 1 ends at 4.")
                                         << s("A.narrow(1, 3, 2)");
    QTest::newRow("select past the end") << s("A.select(0, 7)") << none
                                         << s("Dim 0 has the indices 0 … 3 (or −4 … −1); 7 is not one of them.")
                                         << s("A.select(0, 3)");
    QTest::newRow("select before") << s("A.select(0, -9)") << none
                                   << s("Dim 0 has the indices 0 … 3 (or −4 … −1); -9 is not one of them.")
                                   << s("A.select(0, 0)");
    QTest::newRow("dim") << s("A.transpose(0, 2)") << none
                         << s("A has 2 dims, numbered 0 … 1 from the left or −2 … −1 from the right.")
                         << s("A.transpose(0, 1)");
    QTest::newRow("expand")
        << s("A.expand(3, 4, 6)") << Dims{3, 4, 6}
        << s("Dim 2 has size 5, not 1. Only a size of 1 can be repeated without a copy: its stride becomes 0.")
        << s("A.expand(3, 4, -1)");
    QTest::newRow("numel")
        << s("A.view(3, 6)") << Dims{3, 6}
        << s("A view keeps every element: the sizes must multiply to 20, and they give 18, 2 too few.")
        << s("A.view(20)");
    QTest::newRow("dims named twice") << s("A.permute(1, -1)") << none
                                      << s("Dim 1, which is also −1, is named 2 times; an order names every dim once.")
                                      << s("A.permute(1, 0)");
    QTest::newRow("a dim left out") << s("A.permute(1)") << none
                                    << s("An order names every dim once: A has 2, and 1 is named.")
                                    << s("A.permute(1, 0)");
    QTest::newRow("unfold") << s("A.unfold(0, 9, 1)") << none << s("A window of 9 does not fit: dim 0 has 4 elements.")
                            << s("A.unfold(0, 4, 1)");
    QTest::newRow("flip")
        << s("A.flip(1)") << none
        << s("Going backwards needs a negative stride, and PyTorch has none: a reversed tensor is a copy.")
        << QString();
}

void TestFigures::refusals() {
    QFETCH(QString, code);
    QFETCH(Dims, wanted);
    QFETCH(QString, reason);
    QFETCH(QString, way);
    Cast cast;
    const TensorEntry& a = cast.add(s("A"), s("q.view(4, 5)"), view(arange(20), Dims{4, 5}), Origin::View, 0);
    const View& v = a.tensor.view();
    const auto refused = code.contains(s("narrow"))      ? narrow(v, 1, 3, 4)
                         : code.contains(s("(0, 7)"))    ? select(v, 0, 7)
                         : code.contains(s("(0, -9)"))   ? select(v, 0, -9)
                         : code.contains(s("transpose")) ? transpose(v, 0, 2)
                         : code.contains(s("expand"))    ? expand(v, wanted)
                         : code.contains(s("unfold"))    ? unfold(v, 0, 9, 1)
                         : code.contains(s("-1)"))       ? permute(v, Dims{1, -1})
                         : code.contains(s("permute"))   ? permute(v, Dims{1})
                         : code.contains(s("flip"))      ? flip(v, Dims{1})
                                                         : viewAs(v, wanted);
    QVERIFY(!refused.ok());
    RefusalFigureInput input = refusalInput(a, code, refused.refusal());
    input.wanted = wanted;
    for (const qreal width : {1100.0, 640.0}) {
        input.width = width;
        const Figure figure = refusalFigure(input);
        QCOMPARE(figure.sentence, reason);
        if (way.isEmpty())
            QVERIFY(figure.codes.empty());
        else
            QCOMPARE(figure.codes.front(), way);
        const QString problem = crowded(figure.scene);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        const QStringList words = wordsOf(figure.scene);
        QVERIFY(words.contains(code + s(" is not possible. Nothing was changed.")));
        // Below the bar, which goes from edge to edge, everything keeps the stage's margin. (View fails has its own.)
        if (std::holds_alternative<ViewMergeFailure>(input.refusal.detail)) continue;
        for (const SceneNode& node : figure.scene.nodes) {
            const auto* text = std::get_if<TextItem>(&node.item);
            const auto* box = std::get_if<BoxItem>(&node.item);
            if (text && text->pos.y() > 80 && !(text->anchor & Qt::AlignRight)) QVERIFY(text->pos.x() >= 20);
            if (box && box->rect.top() > 80) QVERIFY(box->rect.left() >= 20 && box->rect.right() <= width - 20 + 0.5);
        }
    }
}

void TestFigures::theStorageIsDrawnOnce() {
    Cast cast;
    const TensorEntry& a = cast.add(s("A"), s("q.view(4, 5)"), view(arange(20), Dims{4, 5}), Origin::View, 0);
    const auto drawn = [](const RefusalFigureInput& input) {
        int strips = 0;
        for (const SceneNode& node : refusalFigure(input).scene.nodes)
            if (node.part.kind == PartKind::StripHandle && std::holds_alternative<BoxItem>(node.item)) ++strips;
        return strips;
    };
    RefusalFigureInput backwards = refusalInput(a, s("A.as_strided((3, 2), (4, -1), 2)"),
                                                asStrided(a.tensor.view(), Dims{3, 2}, Dims{4, -1}, 2, 20).refusal());
    backwards.attempted = View{{3, 2}, {4, -1}, 2};
    QCOMPARE(QString::fromStdString(backwards.refusal.id), s("VIEW-23"));
    QCOMPARE(drawn(backwards), 1);
    backwards.attempted.reset(); // nothing to draw of it: then the storage stands below
    QCOMPARE(drawn(backwards), 1);
    QCOMPARE(drawn(refusalInput(a, s("A.select(0, 7)"), select(a.tensor.view(), 0, 7).refusal())), 1);
}

void TestFigures::refusalsShowTheIndexInQuestion_data() {
    QTest::addColumn<qreal>("height");
    QTest::addColumn<Index>("rows");
    QTest::newRow("1280×720") << 466.0 << Index{5};
    QTest::newRow("1280×720, more rows") << 466.0 << Index{60};
    QTest::newRow("high") << 693.0 << Index{60};
}

void TestFigures::refusalsShowTheIndexInQuestion() {
    QFETCH(qreal, height);
    QFETCH(Index, rows);
    Cast cast;
    const TensorEntry& b = cast.add(s("B"), s("B"), view(arange(rows * 4), Dims{rows, 4}), Origin::Base, 1);
    const Index start = rows - 1;
    const auto refused = narrow(b.tensor.view(), 0, start, 3);
    QVERIFY(!refused.ok());
    RefusalFigureInput input = refusalInput(b, s("B.narrow(0, %1, 3)").arg(start), refused.refusal());
    input.width = 1011;
    input.height = height;
    const Figure figure = refusalFigure(input);
    QVERIFY(figure.scene.size.height() <= height);
    bool seen = false;
    for (const SceneNode& node : figure.scene.nodes) {
        const auto* grid = std::get_if<GridItem>(&node.item);
        if (!grid || node.part.kind != PartKind::CardCells) continue;
        const auto shown = static_cast<Index>(std::llround(grid->area.height() / grid->cell.height()));
        seen = grid->firstRow <= start && start < grid->firstRow + shown;
        // No row is left out while there is room for it below.
        const bool all = shown == rows;
        QVERIFY2(
            all || height - figure.scene.size.height() < grid->cell.height(),
            qPrintable(s("%1 of %2 rows, %3 px left").arg(shown).arg(rows).arg(height - figure.scene.size.height())));
    }
    QVERIFY2(seen, "the row in question is not in sight");
    const QString problem = crowded(figure.scene);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void TestFigures::refusalOfT() {
    Cast cast;
    const TensorEntry& x = cast.add(s("x"), s("x"), view(arange(24), Dims{2, 3, 4}), Origin::Base, 0);
    const auto refused = t(x.tensor.view());
    QVERIFY(!refused.ok());
    const Figure figure = refusalFigure(refusalInput(x, s("x.t()"), refused.refusal()));
    QCOMPARE(figure.sentence, s("t() swaps the two dims of a matrix; x has 3, and which two is not said."));
    QCOMPARE(figure.codes, (std::vector<QString>{s("x.transpose(1, 2)"), s("x.permute(2, 1, 0)")}));
    const QStringList words = wordsOf(figure.scene);
    for (const char* dim : {"dim 0 · 2", "dim 1 · 3", "dim 2 · 4"}) QVERIFY(words.contains(s(dim)));
    const QString problem = crowded(figure.scene);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void TestFigures::boundsHatching() {
    Cast cast;
    const TensorEntry& z = cast.add(s("z"), s("torch.arange(6)"), arange(6), Origin::Base, 0);
    const View wanted{Dims{2, 3}, Dims{3, 1}, 1};
    const auto refused = asStrided(z.tensor.view(), wanted.shape, wanted.stride, wanted.offset, 6);
    QVERIFY(!refused.ok());
    RefusalFigureInput input = refusalInput(z, s("z.as_strided((2, 3), (3, 1), 1)"), refused.refusal());
    input.attempted = wanted;
    const Figure figure = refusalFigure(input);
    bool hatched = false;
    for (const SceneNode& node : figure.scene.nodes) {
        if (const auto* strip = std::get_if<StripItem>(&node.item)) {
            hatched = true;
            QCOMPARE(strip->outOfRange.first, Index{6});
            QCOMPARE(strip->outOfRange.last, Index{7});
            QVERIFY(strip->wanted == wanted); // so that what it skips is not hatched
            // The hatched cell has room on the strip.
            QVERIFY(strip->layout.area.adjusted(-1, -1, 1, 1).contains(strip->layout.cellRect(6)));
        }
    }
    QVERIFY(hatched);
    QVERIFY(wordsOf(figure.scene).contains(s("needs 7, storage has 6")));
    QCOMPARE(figure.codes.front(), s("z.as_strided((2, 3), (3, 1), 0)"));

    // Two elements in one cell.
    const TensorEntry& u = cast.add(s("u"), s("z.unfold(0, 3, 1)"), unfold(arange(6), 0, 3, 1), Origin::View, 0);
    Refusal overlap;
    overlap.message = "in-place operation on elements that share storage";
    overlap.detail = selfOverlap(u.tensor.view()).witness;
    const Figure shared = refusalFigure(refusalInput(u, s("u.add_(1)"), overlap));
    const SelfOverlap witness = std::get<SelfOverlap>(overlap.detail);
    QVERIFY(shared.sentence.contains(s("index %1").arg(witness.slot)));
    QCOMPARE(shared.codes.front(), s("u.clone()"));
    // In a low window words and ways out stand beside the card, not below the fold.
    RefusalFigureInput low = refusalInput(u, s("u.add_(1)"), overlap);
    const qreal below = shared.scene.size.height();
    low.width = 1000;
    low.height = below - 60;
    const Figure beside = refusalFigure(low);
    QVERIFY(beside.scene.size.height() <= low.height);
    QRectF strip;
    for (const SceneNode& node : beside.scene.nodes)
        if (const auto* item = std::get_if<StripItem>(&node.item)) strip = item->layout.area;
    QCOMPARE(beside.codes, shared.codes);
    for (const SceneNode& node : beside.scene.nodes) {
        const auto* text = std::get_if<TextItem>(&node.item);
        if (text && text->text.contains(s("clone()"))) QVERIFY(text->pos.y() < strip.top());
    }
}

void TestFigures::walkOrder() {
    Cast cast;
    const TensorEntry& b =
        cast.add(s("B"), s("A.narrow(1, 1, 2)"), narrow(view(arange(20), Dims{4, 5}), 1, 1, 2), Origin::View, 1);
    WalkFigureInput input;
    input.entry = &b;
    Scene scene = contiguityWalkScene(input);
    QStringList words = wordsOf(scene);
    for (int i = 0; i < 8; ++i) QVERIFY(words.contains(QString::number(i)));
    QCOMPARE(words.count(s("+4")), 3);
    QVERIFY(words.contains(s("3 of 3")));
    QVERIFY(words.join(QString()).contains(s("(model)")));
    QVERIFY(words.join(QString()).contains(s("hits 5")));
    const auto lights = [](const Scene& picture) {
        std::vector<qreal> found;
        for (const SceneNode& node : picture.nodes) {
            const auto* box = std::get_if<BoxItem>(&node.item);
            if (box && box->outline == Tone::None && box->rect.height() == 5) found.push_back(box->opacity);
        }
        return found;
    };
    // The line that the walk has left last is brighter than those before it.
    const std::vector<qreal> faded = lights(scene);
    QCOMPARE(faded.size(), std::size_t{3});
    QVERIFY(faded[0] < faded[1] && faded[1] < faded[2]);
    QCOMPARE(faded[2], 1.0);
    // Played to position 3: one jump so far, later numbers not yet there.
    input.upTo = 3;
    scene = contiguityWalkScene(input);
    words = wordsOf(scene);
    QVERIFY(!words.contains(s("7")));
    QCOMPARE(words.count(s("+4")), 1);
    QVERIFY(words.contains(s("1")));
    QVERIFY(words.join(QString()).contains(s("hits 3")));
    QCOMPARE(lights(scene), std::vector<qreal>{1.0});
}

void TestFigures::walkCountsVisits() {
    Cast cast;
    const TensorEntry& rows =
        cast.add(s("B"), s("A.expand(3, 6)"), arange(6).withView(View{{3, 6}, {0, 1}, 0}), Origin::View, 1);
    WalkFigureInput input;
    input.entry = &rows;
    QVERIFY(wordsOf(contiguityWalkScene(input)).contains(s(" visits of 6 cells")));
    QVERIFY(wordsOf(contiguityWalkScene(input)).contains(s("18")));
    // Where each cell is visited once there is nothing to say.
    const TensorEntry& once = cast.add(s("C"), s("A"), arange(6), Origin::View, 1);
    input.entry = &once;
    QVERIFY(!wordsOf(contiguityWalkScene(input)).join(QLatin1Char(' ')).contains(s("visits")));
}

void TestFigures::walkWindows_data() {
    QTest::addColumn<Tensor>("tensor");
    QTest::newRow("contiguous") << arange(20);
    QTest::newRow("long") << arange(100000);
    QTest::newRow("transposed") << xt();
    QTest::newRow("far") << t(view(arange(100000), Dims{10, 10000}));
    QTest::newRow("expanded") << expand(view(arange(3), Dims{3, 1}), Dims{3, 4});
    QTest::newRow("0-d") << select(arange(5), 0, 3);
    QTest::newRow("empty") << narrow(arange(5), 0, 2, 0);
    QTest::newRow("bytes") << tensorOf(std::vector<std::uint8_t>(300, 1));
}

void TestFigures::walkLabelsMakeUpTheCount() {
    Cast cast;
    const Tensor views[] = {narrow(view(arange(20), Dims{4, 5}), 1, 1, 2),
                            narrow(view(arange(24), Dims{4, 6}), 1, 1, 2),
                            t(view(arange(12), Dims{3, 4})),
                            xt(),
                            permute(view(arange(24), Dims{2, 3, 4}), Dims{2, 0, 1}),
                            t(view(arange(100000), Dims{10, 10000})),
                            view(arange(12), Dims{3, 4}),
                            arange(1200).withView(View{{2, 2, 2}, {1000, 100, 10}, 0})}; // jumps out of sight
    // "3 × +4" and "+4" over the arcs, and what the words after the count name.
    const QRegularExpression label(QStringLiteral("^(?:(\\d+) × )?[+\u2212-]\\d+$"));
    int labels = 0;
    for (const Tensor& tensor : views) {
        const TensorEntry& entry = cast.add(s("x"), s("x"), tensor, Origin::Base, 2);
        for (const qreal width : {150.0, 200.0, 240.0, 284.0, 600.0}) {
            for (Index upTo : {Index{1}, Index{5}, tensor.numel() - 1}) {
                WalkFigureInput input;
                input.entry = &entry;
                input.width = width;
                if (upTo < tensor.numel() - 1) input.upTo = upTo;
                const Scene scene = contiguityWalkScene(input);
                // Two labels over arcs do not read as one.
                std::vector<QRectF> places;
                for (const SceneNode& node : scene.nodes) {
                    const auto* text = std::get_if<TextItem>(&node.item);
                    if (!text || !(text->anchor & Qt::AlignHCenter) || !label.match(text->text).hasMatch()) continue;
                    const qreal half = textWidth(text->font, text->text) / 2;
                    places.emplace_back(text->pos.x() - half - 6, text->pos.y() - 10, 2 * half + 12, 12);
                }
                for (std::size_t a = 0; a < places.size(); ++a) {
                    for (std::size_t b = a + 1; b < places.size(); ++b) QVERIFY(!places[a].intersects(places[b]));
                }
                QStringList words = wordsOf(scene);
                const qsizetype at = words.indexOf(QRegularExpression(s("^ ?jumps $")));
                QVERIFY(at >= 0);
                const Index told = words[at + 1].toLongLong();
                for (const QString& word : QStringList(words)) {
                    if (word.trimmed().startsWith(QLatin1Char('(')) && !word.contains(s("model")))
                        words << word.trimmed().mid(1).chopped(1).split(s(", "));
                }
                Index sum = 0;
                for (const QString& word : words) {
                    const QRegularExpressionMatch match = label.match(word);
                    if (!match.hasMatch()) continue;
                    sum += match.captured(1).isEmpty() ? 1 : match.captured(1).toLongLong();
                    ++labels;
                }
                QVERIFY2(sum == told, qPrintable(s("%1 px to %2: %3").arg(width).arg(upTo).arg(words.join(s("|")))));
            }
        }
    }
    QVERIFY(labels > 50);
}

void TestFigures::walkWindows() {
    QFETCH(Tensor, tensor);
    Cast cast;
    const TensorEntry& entry = cast.add(s("x"), s("x"), tensor, Origin::Base, 2);
    for (const qreal width : {200.0, 284.0, 600.0}) {
        WalkFigureInput input;
        input.entry = &entry;
        input.width = width;
        const Scene scene = contiguityWalkScene(input);
        QCOMPARE(scene.size.width(), width);
        const QString problem = crowded(scene);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        for (const SceneNode& node : scene.nodes) {
            if (const auto* box = std::get_if<BoxItem>(&node.item)) QVERIFY(box->rect.right() <= width + 0.5);
        }
    }
}

void TestFigures::blocks() {
    const Tensor x = view(arange(24), Dims{2, 3, 4});
    BlocksFigureInput input;
    const auto add = [&](const Tensor& tensor, const char* code, bool ghosts) {
        BlockFigureItem item;
        item.tensor = tensor;
        item.code = s(code);
        if (ghosts) item.parent = x.view();
        input.items.push_back(item);
    };
    add(x, "x", false);
    add(narrow(x, 1, 1, 2), "x.narrow(1, 1, 2)", true);
    add(transpose(x, 0, 2), "x.transpose(0, 2)", false);
    add(view(narrow(arange(6), 0, 0, 6), Dims{2, 3}), "y", false);
    input.ringStorage = x.storage()->id();
    input.ringSlots = {4, 5, 6, 7};
    input.ringCaption = s("x[0, 1, :]");
    for (const qreal width : {700.0, 1600.0}) {
        input.maxWidth = width;
        const auto scene = blocksFigureScene(input);
        QVERIFY(scene.ok());
        const QString problem = crowded(*scene);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QVERIFY(scene->size.width() <= width);
        int rings = 0;
        for (const SceneNode& node : scene->nodes) {
            const auto* box = std::get_if<BoxItem>(&node.item);
            rings += box && box->outline == Tone::OnView && box->width == 3;
        }
        // One round the row in x, one in the narrowed, four single cells in the transposed, one in the legend.
        QCOMPARE(rings, 1 + 1 + 4 + 1);
    }
    add(view(arange(120), Dims{4, 5, 6}), "big", false);
    const auto refused = blocksFigureScene(input);
    QVERIFY(!refused.ok());
    QCOMPARE(QString::fromStdString(refused.refusal().id), s("FIG-01"));
    QVERIFY(refused.refusal().message.find("(4, 5, 6)") != std::string::npos);
}

void TestFigures::blockGhosts_data() {
    QTest::addColumn<Dims>("steps");
    QTest::addColumn<Dims>("starts");
    QTest::newRow("whole") << Dims{1, 1, 1} << Dims{0, 0, 0};
    QTest::newRow("narrowed") << Dims{1, 1, 1} << Dims{1, 1, 2};
    QTest::newRow("every other slice") << Dims{2, 1, 1} << Dims{0, 0, 0};
    QTest::newRow("every other row") << Dims{1, 2, 1} << Dims{0, 1, 0};
    QTest::newRow("every other column") << Dims{1, 1, 2} << Dims{0, 0, 1};
    QTest::newRow("rows and columns") << Dims{1, 2, 3} << Dims{0, 0, 0};
    QTest::newRow("all three") << Dims{2, 2, 2} << Dims{1, 0, 1};
}

void TestFigures::blockGhosts() {
    // The cells of a stepped view stay where they are in the tensor that it was made from; the others are ghosts.
    QFETCH(Dims, steps);
    QFETCH(Dims, starts);
    const Tensor x = view(arange(72), Dims{3, 4, 6});
    Tensor y = x;
    for (Index d = 0; d < 3; ++d)
        y = slice(y, d, starts[static_cast<std::size_t>(d)], x.size(d), steps[static_cast<std::size_t>(d)]);
    BlockInput input;
    input.source = y;
    input.view = y.view();
    input.parent = x.view();
    BlockInput all;
    all.source = x;
    all.view = x.view();
    const BlockLayout whole = layoutBlock(all);
    BlockLayout layout = layoutBlock(input);
    QCOMPARE(layout.frame, x.shape());
    QCOMPARE(layout.first, starts);
    for (Index i = 0; i < y.size(0); ++i) {
        for (Index j = 0; j < y.size(1); ++j) {
            for (Index k = 0; k < y.size(2); ++k) {
                const Dims in{starts[0] + i * steps[0], starts[1] + j * steps[1], starts[2] + k * steps[2]};
                const QRectF rect = layout.cellRect({i, j, k});
                QCOMPARE(rect.topLeft(), whole.cellRect(in).topLeft());
                const auto back = layout.cellAt(rect.center());
                QVERIFY(back && (*back == Dims{i, j, k} || (*back)[0] < i));
            }
        }
    }
    Scene scene;
    SceneBuilder out(scene, QPointF(200, 400), 1, 1);
    appendBlock(out, input, layout);
    // Every cell once, in the grids; a ghost for every other one.
    Index cells = 0;
    int ghosts = 0;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* grid = std::get_if<GridItem>(&node.item)) {
            for (Index row = grid->firstRow; row < grid->rows; ++row) {
                for (Index col = grid->firstCol; col < grid->cols; ++col) {
                    const Index slot = grid->base + row * grid->rowStride + col * grid->colStride;
                    const Dims coord{grid->coord[0], row, col};
                    QCOMPARE(slot, y.view().slot(coord));
                    ++cells;
                }
            }
        }
        const auto* path = std::get_if<PathItem>(&node.item);
        if (path && path->style == LineStyle::Dotted) ghosts += static_cast<int>(path->path.toSubpathPolygons().size());
    }
    QCOMPARE(cells, y.numel());
    QCOMPARE(static_cast<Index>(ghosts), x.numel() - y.numel());
}

void TestFigures::golden_data() {
    QTest::addColumn<int>("state");
    QTest::newRow("figure_view_fails") << 0;
    QTest::newRow("figure_blocks") << 1;
    QTest::newRow("figure_walk") << 2;
}

void TestFigures::golden() {
    QFETCH(int, state);
    Cast cast;
    Scene scene;
    if (state == 0) {
        const Tensor x = view(arange(12), Dims{3, 4});
        const TensorEntry& parent = cast.add(s("x"), s("x"), x, Origin::Base, 0);
        const TensorEntry& y = cast.add(s("y"), s("x.t()"), t(x), Origin::View, 1, parent.id);
        ViewFailsInput input;
        input.entry = &y;
        input.parent = &parent;
        input.storageNumber = 1;
        input.nextStorageNumber = 2;
        input.code = s("y.view(12)");
        input.wanted = Dims{12};
        input.refusal = viewAs(y.tensor.view(), Dims{12}).refusal();
        scene = viewFailsFigure(input).scene;
    } else if (state == 1) {
        const Tensor x = view(arange(24), Dims{2, 3, 4});
        BlocksFigureInput input;
        for (const auto& [tensor, code] : {std::pair(x, "x"), std::pair(narrow(x, 1, 1, 2), "x.narrow(1, 1, 2)"),
                                           std::pair(transpose(x, 0, 1), "x.transpose(0, 1)")}) {
            BlockFigureItem item;
            item.tensor = tensor;
            item.code = s(code);
            item.parent = x.view();
            input.items.push_back(item);
        }
        input.ringStorage = x.storage()->id();
        input.ringSlots = {4, 5, 6, 7};
        input.ringCaption = s("x[0, 1, :], the same four cells everywhere");
        scene = *blocksFigureScene(input);
    } else {
        const TensorEntry& b = cast.add(s("B"), s("b"), narrow(view(arange(20), Dims{4, 5}), 1, 1, 2), Origin::View, 1);
        WalkFigureInput input;
        input.entry = &b;
        scene = contiguityWalkScene(input);
    }
    const QString difference = compareGolden(QString::fromUtf8(QTest::currentDataTag()), scene);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

QTEST_MAIN(TestFigures)
#include "tst_figures.moc"
