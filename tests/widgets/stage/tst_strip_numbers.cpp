// The numbers of a strip: neighbours never look the same, labels of rows are whole, the last cells are not hidden.

#include "stage_fixture.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/export.h"
#include "widgets/scene/paint_context.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/scene_diff.h"
#include "widgets/stage/stage_layout.h"

#include <QRegion>
#include <QTest>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

/// The stage of a window of 1280 × 720, and of one of 1920 × 1080.
const QSizeF kSmallStage(963, 444), kLargeStage(1334, 693);

/// One tensor over a storage of its own, selected.
struct Stage {
    Workspace workspace;
    TensorId id = 0;
    ExploreState state;
    Stage(const Tensor& tensor, QSizeF viewport) {
        id = workspace.add(QStringLiteral("u"), QStringLiteral("torch.arange()"), tensor, 0, 0);
        state.snapshot = workspace.snapshot();
        state.viewport = viewport;
        state.selection.tensor = id;
    }
    /// All texts of the picture as a file of SVG.
    QString svg() const {
        const Result<QByteArray> bytes = exportScene(exploreScene(state), Theme(), ExportFormat::Svg);
        return bytes ? QString::fromUtf8(*bytes) : QString();
    }
};

std::string cellText(const Tensor& tensor, Index slot, std::size_t most) {
    std::string text;
    CellValues(tensor).appendText(text, slot, most);
    return text;
}

} // namespace

class TestStripNumbers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyDigitIsShown_data();
    void everyDigitIsShown();
    void cutIntegersSaySo();
    void oneSpellingAtEverySize();
    void largeFloats_data();
    void largeFloats();
    void fontsHoldTheirText();
    void rowLabelsAreRepaintedWhole();
    void lastCellsAreNotHidden_data();
    void lastCellsAreNotHidden();
    void sharedCellsSaySoInLowCells();
};

void TestStripNumbers::everyDigitIsShown_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::addColumn<double>("first");
    QTest::addColumn<Index>("count");
    QTest::addColumn<Index>("slot");
    for (const QSizeF& size : {kSmallStage, kLargeStage}) {
        const auto row = [&](const char* name, double first, Index count, Index slot) {
            QTest::addRow("%s, %d px", name, static_cast<int>(size.width())) << size << first << count << slot;
        };
        row("six digits of a million", 200'000, 700'000, 500'000);
        row("six digits of twenty", 123'450, 20, 10);
        row("nine digits", 123'456'000, 20, 7);
        row("negative ones", -999'990, 20, 7);
    }
}

void TestStripNumbers::everyDigitIsShown() {
    QFETCH(QSizeF, viewport);
    QFETCH(double, first);
    QFETCH(Index, count);
    QFETCH(Index, slot);
    Stage stage(counting(count, DType::Int64, first), viewport);
    const StagePlan plan = planStage(stage.state);
    const quint64 storage = plan.strip->storageId;
    stage.state.scroll.insert(storage, scrolledTo(*plan.strip, {}, slot));
    // The card has the same digits: only texts at the height of the strip count.
    const StripPlan strip = *planStage(stage.state).strip;
    QVERIFY(strip.inSight(slot) && strip.inSight(slot + 1));
    QVERIFY(strip.layout.cellWidth >= 34);
    const QString shown = QString::number(static_cast<Index>(first) + slot);
    const CellFont font = cellFont(QSizeF(strip.layout.cellWidth, strip.layout.cellHeight),
                                   static_cast<std::size_t>(shown.size()), Theme().leastPixels());
    QVERIFY2(font.maxChars >= static_cast<std::size_t>(shown.size()), "the cells are too narrow for their digits");
    QCOMPARE(QString::fromStdString(cellText(strip.source, slot, font.maxChars)), shown);
    // Without the card's cells the numbers are those of the strip.
    Scene scene = exploreScene(stage.state);
    std::erase_if(scene.nodes, [](const SceneNode& node) { return std::holds_alternative<GridItem>(node.item); });
    const QString svg = QString::fromUtf8(*exportScene(scene, Theme(), ExportFormat::Svg));
    for (const Index i : {slot, slot + 1}) {
        const QString number = QString::number(static_cast<Index>(first) + i);
        QVERIFY2(svg.contains(QLatin1Char('>') + number + QLatin1Char('<')),
                 qPrintable(number + QStringLiteral(" is not shown")));
    }
}

void TestStripNumbers::cutIntegersSaySo() {
    const Tensor tensor = counting(10, DType::Int64, 123'450);
    const std::string sign(1, kDigitsLeftOut);
    QCOMPARE(cellText(tensor, 3, 6), std::string("123453"));
    QCOMPARE(cellText(tensor, 3, 5), sign + "3453");
    QCOMPARE(cellText(tensor, 4, 4), sign + "454");
    const Tensor negative = counting(10, DType::Int32, -123'450);
    QCOMPARE(cellText(negative, 0, 7), std::string("-123450"));
    QCOMPARE(cellText(negative, 0, 5), "-" + sign + "450");
    // Cells of the user's own narrow size: the picture has the sign, and neighbours differ.
    Stage stage(tensor, kSmallStage);
    stage.state.options.cellSize = 34;
    const QString svg = stage.svg();
    QVERIFY(svg.contains(QStringLiteral(">…3453<")));
    QVERIFY(svg.contains(QStringLiteral(">…3454<")));
    QVERIFY(!svg.contains(QStringLiteral("e+05<")));
}

void TestStripNumbers::oneSpellingAtEverySize() {
    const Tensor tiny = counting(1, DType::Float64, 1e-40);
    for (const std::size_t most : {13U, 9U, 7U, 5U}) QCOMPARE(cellText(tiny, 0, most), std::string("1e-40"));
    const Tensor odd = counting(1, DType::Float64, 2.5e-40);
    QCOMPARE(cellText(odd, 0, 9), std::string("2.5e-40"));
    QCOMPARE(cellText(odd, 0, 6), std::string("2") + kDigitsLeftOut + "e-40");
}

void TestStripNumbers::largeFloats_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<std::size_t>("most");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* name, double value, std::size_t most, const char* shown) {
        QTest::newRow(name) << value << most << QString::fromUtf8(shown);
    };
    row("whole", 1234567, 8, "1234567.");
    row("negative", -1234567, 9, "-1234567.");
    row("whole, no room", 1234567, 7, "1.2…e6");
    row("more digits than are read", 123456789, 12, "1.2…e+08");
    row("fewer where they do not fit", 123456789, 7, "1.2…e8");
    row("no empty digits", 3e8, 12, "3e+08");
    row("a fraction", 1234567.5, 10, "1.2…e+06");
    row("small", 0.00123, 10, "0.00123");
    row("smaller", 0.000123456, 10, "1.2…e-04");
}

void TestStripNumbers::largeFloats() {
    QFETCH(double, value);
    QFETCH(std::size_t, most);
    QFETCH(QString, shown);
    QString text = QString::fromStdString(cellText(counting(1, DType::Float64, value), 0, most));
    QCOMPARE(text.replace(QLatin1Char(kDigitsLeftOut), QChar(0x2026)), shown);
}

void TestStripNumbers::fontsHoldTheirText() {
    for (int width = 34; width <= 120; ++width) {
        for (const int height : {22, 26, 34, 42}) {
            for (std::size_t longest = 1; longest <= 12; ++longest) {
                const CellFont font = cellFont(QSizeF(width, height), longest, Theme().leastPixels());
                // A size above the smallest was chosen for this text.
                if (font.pixels > 9)
                    QVERIFY2(font.maxChars >= longest,
                             qPrintable(QStringLiteral("%1 x %2, %3").arg(width).arg(height).arg(longest)));
            }
        }
    }
}

void TestStripNumbers::rowLabelsAreRepaintedWhole() {
    Stage stage(counting(60'000), kLargeStage);
    const Theme theme;
    Scene before = exploreScene(stage.state);
    QImage shown = renderImage(before, theme);
    for (const qreal size : {1.0, 8.0, 1.0, 42.0}) {
        stage.state.options.cellSize = size;
        const Scene after = exploreScene(stage.state);
        const QImage next = renderImage(after, theme);
        QRegion region;
        for (const QRectF& rect : changedRects(before, after)) region += rect.toAlignedRect();
        for (int y = 0; y < next.height(); ++y) {
            for (int x = 0; x < next.width(); ++x) {
                if (next.pixel(x, y) != shown.pixel(x, y) && !region.contains(QPoint(x, y)))
                    QFAIL(qPrintable(QStringLiteral("%1,%2 stays as it was at %3 px").arg(x).arg(y).arg(size)));
            }
        }
        before = after;
        shown = next;
    }
}

void TestStripNumbers::lastCellsAreNotHidden_data() {
    QTest::addColumn<QSizeF>("viewport");
    QTest::addColumn<Index>("count");
    QTest::newRow("24 cells, small") << kSmallStage << Index{24};
    QTest::newRow("25 cells, small") << kSmallStage << Index{25};
    QTest::newRow("40 cells, small") << kSmallStage << Index{40};
    QTest::newRow("40 cells, large") << kLargeStage << Index{40};
    QTest::newRow("72 cells, large") << kLargeStage << Index{72};
}

void TestStripNumbers::lastCellsAreNotHidden() {
    QFETCH(QSizeF, viewport);
    QFETCH(Index, count);
    const Stage stage(counting(count, DType::UInt8, 100), viewport);
    const StagePlan plan = planStage(stage.state);
    for (Index slot = 0; slot < count; ++slot) {
        QVERIFY2(plan.strip->inSight(slot), qPrintable(QStringLiteral("slot %1 is hidden").arg(slot)));
        QVERIFY(plan.strip->layout.cellRect(slot).right() <= viewport.width());
        QVERIFY(plan.strip->layout.cellRect(slot).bottom() <= viewport.height());
    }
    QVERIFY(plan.strip->miniMap.isEmpty());
    QVERIFY(plan.strip->layout.cellWidth >= kStripCellMin);
    QVERIFY2(!plan.cards.front().formula.empty(), "the card gave up its formula");
}

void TestStripNumbers::sharedCellsSaySoInLowCells() {
    // As high and wide as the cells of a strip in a small window, with two digits.
    for (const qreal height : {32.0, 34.0, 42.0}) {
        const CountBadge badge = countBadge(QRectF(0, 0, 34, height), 6, false, 15.5, false, Theme().leastPixels());
        QVERIFY2(!badge.pill.isEmpty(), qPrintable(QStringLiteral("no badge in %1 px").arg(height)));
        QVERIFY(QRectF(0, 0, 34, height).contains(badge.pill));
        QCOMPARE(badge.label, QStringLiteral("×6"));
        QVERIFY2(badge.text.height() >= 14, "no room left for the digits");
    }
}

QTEST_MAIN(TestStripNumbers)
#include "tst_strip_numbers.moc"
