// The text of cells, judged by pixels: nothing covers it, and it stands out of its ground.

#include "core/tensor/element.h"
#include "widgets/scene/colour_map.h"
#include "widgets/scene/export.h"
#include "widgets/scene/paint_context.h"

#include <QTest>

#include <cmath>

using namespace stridescope;

namespace {

Tensor numbers(Index count, Index first) {
    auto* bytes = new std::vector<std::byte>(static_cast<std::size_t>(count) * 8);
    StoragePtr storage = Storage::wrap(
        bytes->data(), bytes->size(), Device{}, [bytes] { delete bytes; }, "heap");
    for (Index i = 0; i < count; ++i) storeElement(storage->data() + i * 8, DType::Int64, Scalar(first + i));
    return Tensor(storage, View{{count}, {1}, 0}, DType::Int64);
}

/// `cols` cells in a row, of which with a stride of 0 all but the first are repeats.
GridItem rowOf(const Tensor& source, Index rows, Index cols, QSizeF cell) {
    GridItem grid;
    grid.origin = QPointF(20, 20);
    grid.cell = cell;
    grid.rows = rows;
    grid.cols = cols;
    grid.area =
        QRectF(grid.origin, QSizeF(cell.width() * static_cast<qreal>(cols), cell.height() * static_cast<qreal>(rows)));
    grid.source = source;
    grid.rowStride = 1;
    grid.colStride = 1;
    grid.colour = 0;
    return grid;
}

QImage picture(const GridItem& grid, const Theme& theme) {
    Scene scene;
    scene.size = QSizeF(grid.area.right() + 20, grid.area.bottom() + 20);
    SceneNode node;
    node.item = grid;
    scene.nodes.push_back(node);
    return renderImage(scene, theme);
}

/// Pixels of digits in a cell: those that are not its ground. The cell's own lines are left out.
std::vector<QPoint> inkIn(const QImage& image, const QRectF& cell, QRgb ground) {
    std::vector<QPoint> ink;
    const QRect inner = cell.adjusted(2, 2, -2, -2).toAlignedRect();
    for (int y = inner.top(); y <= inner.bottom(); ++y) {
        for (int x = inner.left(); x <= inner.right(); ++x) {
            if (contrastRatio(image.pixelColor(x, y), QColor(ground)) > 3) ink.emplace_back(x, y);
        }
    }
    return ink;
}

} // namespace

class TestCellText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shortTextsHaveAir();
    void sizes_data();
    void ringsLeaveTextWhole_data() { sizes_data(); }
    void ringsLeaveTextWhole();
    void ringsLeaveLongTextWhole_data();
    void ringsLeaveLongTextWhole();
    void chainsLeaveTextWhole_data() { sizes_data(); }
    void chainsLeaveTextWhole();
    void ghostsAreRead_data();
    void ghostsAreRead();
    void oddValuesLeaveSmallLinesWhole_data();
    void oddValuesLeaveSmallLinesWhole();
    void bytesAreNamed();
    void digitsStandOnOneGround_data();
    void digitsStandOnOneGround();
};

void TestCellText::shortTextsHaveAir() {
    for (const qreal width : {34.0, 38.0, 42.0, 50.0, 58.0}) {
        for (std::size_t chars = 2; chars <= 6; ++chars) {
            const CellFont font = cellFont(QSizeF(width, 34), chars, Theme().leastPixels());
            if (font.pixels < 10) continue; // then every pixel is needed
            const qreal text = 0.6 * font.pixels * static_cast<qreal>(std::min(chars, font.maxChars));
            if (chars <= 4) QVERIFY2((width - text) / 2 >= 3.5, qPrintable(QString::number(width)));
        }
        // A long one is worth more than the air.
        QVERIFY(cellFont(QSizeF(width, 34), 5, Theme().leastPixels()).maxChars >= 5);
    }
}

void TestCellText::sizes_data() {
    QTest::addColumn<int>("text");
    QTest::addColumn<Index>("first");
    QTest::addColumn<QSizeF>("cell");
    QTest::addColumn<bool>("dark");
    for (const bool dark : {false, true}) {
        for (const QSizeF cell :
             {QSizeF(44, 44), QSizeF(44, 38), QSizeF(36, 38), QSizeF(44, 32), QSizeF(36, 22), QSizeF(60, 30)}) {
            for (const Index first : {Index{3}, Index{127}, Index{1234}}) {
                // As cards have them: four pixels at least on both sides of the longest number.
                if (cell.width() < 9 * static_cast<qreal>(std::to_string(first + 6).size()) + 8) continue;
                for (const CellText text : {CellText::Value, CellText::Both}) {
                    QTest::addRow("%g x %g, %d%s%s", cell.width(), cell.height(), static_cast<int>(first),
                                  text == CellText::Both ? ", both" : "", dark ? ", dark" : "")
                        << static_cast<int>(text) << first << cell << dark;
                }
            }
        }
    }
}

void TestCellText::ringsLeaveTextWhole() {
    QFETCH(int, text);
    QFETCH(Index, first);
    QFETCH(QSizeF, cell);
    QFETCH(bool, dark);
    const Theme theme(dark ? ThemeKind::Dark : ThemeKind::Light);
    GridItem grid = rowOf(numbers(6, first), 1, 3, cell);
    grid.text = static_cast<CellText>(text);
    const QImage before = picture(grid, theme);
    grid.marks.push_back({1, MarkKind::Ring, 0});
    const QImage after = picture(grid, theme);
    const QRectF ringed(grid.origin + QPointF(cell.width(), 0), cell);
    const std::vector<QPoint> ink = inkIn(before, ringed, theme.color(Tone::ViewA).rgb());
    QVERIFY(ink.size() > 8);
    for (const QPoint& p : ink) QVERIFY2(after.pixel(p) == before.pixel(p), "the ring cuts a digit");
}

void TestCellText::ringsLeaveLongTextWhole_data() {
    QTest::addColumn<qreal>("width");
    for (const qreal width : {60.0, 63.0, 66.0, 70.0, 73.0, 78.0, 84.0}) QTest::addRow("%g", width) << width;
}

/// Numbers that are shortened fill their cells, and stay between the sides of a ring all the same.
void TestCellText::ringsLeaveLongTextWhole() {
    QFETCH(qreal, width);
    const Theme theme;
    auto* bytes = new std::vector<std::byte>(12);
    StoragePtr storage = Storage::wrap(
        bytes->data(), bytes->size(), Device{}, [bytes] { delete bytes; }, "heap");
    for (int i = 0; i < 3; ++i) storeElement(storage->data() + i * 4, DType::Float32, Scalar(-1.2881234));
    GridItem grid = rowOf(Tensor(storage, View{{3}, {1}, 0}, DType::Float32), 1, 3, QSizeF(width, 42));
    const QImage before = picture(grid, theme);
    grid.marks.push_back({1, MarkKind::Ring, 0});
    const QImage after = picture(grid, theme);
    const QRectF ringed(grid.origin + QPointF(width, 0), grid.cell);
    const std::vector<QPoint> ink = inkIn(before, ringed, theme.color(Tone::ViewA).rgb());
    QVERIFY(ink.size() > 30);
    for (const QPoint& p : ink) QVERIFY2(after.pixel(p) == before.pixel(p), "the ring cuts a digit");
}

void TestCellText::chainsLeaveTextWhole() {
    QFETCH(int, text);
    QFETCH(Index, first);
    QFETCH(QSizeF, cell);
    QFETCH(bool, dark);
    const Theme theme(dark ? ThemeKind::Dark : ThemeKind::Light);
    for (const bool across : {true, false}) {
        GridItem grid = rowOf(numbers(6, first), 2, 2, cell);
        grid.text = static_cast<CellText>(text);
        grid.repeats = true; // those have no chain in the grid
        (across ? grid.colStride : grid.rowStride) = 0;
        const QImage before = picture(grid, theme);
        grid.repeats = false;
        const QImage after = picture(grid, theme);
        QVERIFY(before != after);
        // The real cell has another ground then: its digits are where they were, in other pixels.
        const QRectF real(grid.origin, cell);
        GridItem alone = grid;
        alone.rows = across ? 2 : 1;
        alone.cols = across ? 1 : 2;
        alone.area.setSize(
            QSizeF(cell.width() * static_cast<qreal>(alone.cols), cell.height() * static_cast<qreal>(alone.rows)));
        const QImage plain = picture(alone, theme);
        const std::vector<QPoint> ink = inkIn(plain, real, theme.color(Tone::ViewA).rgb());
        QVERIFY(ink.size() > 8);
        for (const QPoint& p : ink) QVERIFY2(after.pixel(p) == plain.pixel(p), "the chain lies on a digit");
        const QRectF ghost = real.translated(across ? cell.width() : 0, across ? 0 : cell.height());
        for (const QPoint& p : inkIn(before, ghost, theme.ghostFill(0).rgb())) {
            if (contrastRatio(before.pixelColor(p), theme.ghostFill(0)) < 6) continue; // the dotted line
            QVERIFY2(after.pixel(p) == before.pixel(p), "the chain lies on a ghost's digit");
        }
    }
}

void TestCellText::ghostsAreRead_data() {
    QTest::addColumn<int>("colour");
    QTest::addColumn<bool>("dark");
    for (int colour = -1; colour < 4; ++colour) {
        for (const bool dark : {false, true})
            QTest::addRow("view %d%s", colour, dark ? ", dark" : "") << colour << dark;
    }
}

/// The darkest pixels of thin digits, against the ground round them.
void TestCellText::ghostsAreRead() {
    QFETCH(int, colour);
    QFETCH(bool, dark);
    const Theme theme(dark ? ThemeKind::Dark : ThemeKind::Light);
    for (const QSizeF cell : {QSizeF(34, 22), QSizeF(44, 32)}) {
        GridItem grid = rowOf(numbers(10, 0), 1, 10, cell);
        grid.colour = colour;
        grid.repeats = true;
        const QImage image = picture(grid, theme);
        for (int i = 0; i < 10; ++i) {
            const QRectF inner = QRectF(grid.origin + QPointF(cell.width() * i, 0), cell).adjusted(5, 5, -5, -5);
            double best = 0;
            for (int y = qCeil(inner.top()); y < inner.bottom(); ++y) {
                for (int x = qCeil(inner.left()); x < inner.right(); ++x)
                    best = std::max(best, contrastRatio(image.pixelColor(x, y), theme.ghostFill(colour)));
            }
            QVERIFY2(best >= theme.textContrast(),
                     qPrintable(QStringLiteral("%1 in %2 px: %3").arg(i).arg(cell.height()).arg(best)));
        }
    }
}

void TestCellText::oddValuesLeaveSmallLinesWhole_data() {
    QTest::addColumn<int>("text");
    QTest::addColumn<QSizeF>("cell");
    QTest::addColumn<bool>("truth");
    for (const bool truth : {false, true}) {
        for (const QSizeF cell : {QSizeF(120, 42), QSizeF(92, 34), QSizeF(120, 60), QSizeF(60, 42)}) {
            for (const CellText text : {CellText::Value, CellText::Both}) {
                if (cell.width() < 90 && text == CellText::Value) continue; // no line below
                QTest::addRow("%s, %g x %g%s", truth ? "truth" : "nan", cell.width(), cell.height(),
                              text == CellText::Both ? ", both" : "")
                    << static_cast<int>(text) << cell << truth;
            }
        }
    }
}

/// The bytes and the index of a cell are written as in a cell of a usual value: below nan, inf and truth values too.
void TestCellText::oddValuesLeaveSmallLinesWhole() {
    QFETCH(int, text);
    QFETCH(QSizeF, cell);
    QFETCH(bool, truth);
    const Theme theme;
    const auto drawn = [&](std::initializer_list<double> values) {
        auto* bytes = new std::vector<std::byte>(values.size() * 4);
        StoragePtr storage = Storage::wrap(
            bytes->data(), bytes->size(), Device{}, [bytes] { delete bytes; }, "heap");
        const DType dtype = truth ? DType::Bool : DType::Float32;
        Index i = 0;
        for (const double value : values)
            storeElement(storage->data() + i++ * static_cast<Index>(itemSize(dtype)), dtype, Scalar(value));
        const auto count = static_cast<Index>(values.size());
        GridItem grid = rowOf(Tensor(storage, View{{count}, {1}, 0}, dtype), 1, count, cell);
        grid.text = static_cast<CellText>(text);
        return picture(grid, theme);
    };
    const QImage odd = truth ? drawn({1, 0}) : drawn({std::nan(""), INFINITY});
    // Where the small lines stand: a strip of pixels at the bottom, in high cells also one at the top.
    const QRgb ground = theme.color(Tone::ViewA).rgb();
    for (int i = 0; i < 2; ++i) {
        const QRectF whole(QPointF(20 + cell.width() * i, 20), cell);
        std::vector<QRectF> lines{QRectF(whole.left() + 4, whole.bottom() - 13, whole.width() - 8, 9)};
        if (cell.height() >= 56) lines.emplace_back(whole.left() + 4, whole.top() + 5, whole.width() - 8, 9);
        for (const QRectF& line : lines) {
            int written = 0;
            for (int y = qCeil(line.top()); y < line.bottom(); ++y) {
                for (int x = qCeil(line.left()); x < line.right(); ++x) {
                    const QColor pixel = odd.pixelColor(x, y);
                    written += contrastRatio(pixel, QColor(ground)) > 3;
                    // Ink or the view's fill, and what smooth edges mix of them: never a ground of its own.
                    QVERIFY2(pixel.lightnessF() <= QColor(ground).lightnessF() + 0.02,
                             qPrintable(QStringLiteral("a plate in the line at %1,%2").arg(x).arg(y)));
                }
            }
            QVERIFY2(written > 8, "the line is missing");
            QVERIFY2(written < static_cast<int>(line.width() * line.height() / 2), "the line is covered");
        }
    }
}

/// What stands below a value names itself: "+0..7" reads like something to add.
void TestCellText::bytesAreNamed() {
    Scene scene;
    GridItem grid = rowOf(numbers(6, 123456789012), 1, 3, QSizeF(122, 32));
    scene.size = QSizeF(grid.area.right() + 20, grid.area.bottom() + 20);
    scene.nodes.push_back({Part{}, grid});
    const auto tikz = exportScene(scene, Theme(), ExportFormat::Tikz);
    QVERIFY(tikz.ok());
    QVERIFY2(tikz->contains("bytes\\ 0{-}7") && tikz->contains("bytes\\ 8{-}15"), tikz->constData());
}

void TestCellText::digitsStandOnOneGround_data() {
    QTest::addColumn<QSizeF>("cell");
    QTest::addColumn<Index>("first");
    QTest::addColumn<Index>("times");
    for (const QSizeF cell : {QSizeF(42, 42), QSizeF(42, 32), QSizeF(34, 28), QSizeF(120, 42), QSizeF(60, 42)}) {
        for (const Index first : {Index{1}, Index{123}}) {
            for (const Index times : {Index{2}, Index{3}, Index{5}})
                QTest::addRow("%g x %g, %d, %d times", cell.width(), cell.height(), static_cast<int>(first),
                              static_cast<int>(times))
                    << cell << first << times;
        }
    }
}

/// Cells that several coords share: stripes tell it, and no digit has the edge of one behind it.
void TestCellText::digitsStandOnOneGround() {
    QFETCH(QSizeF, cell);
    QFETCH(Index, first);
    QFETCH(Index, times);
    const Theme theme;
    const auto drawn = [&](Index value) {
        StripItem strip;
        strip.layout.cellCount = strip.layout.perRow = 6;
        strip.layout.area = QRectF(20, 20, 6 * cell.width(), cell.height() + 20);
        strip.layout.cellWidth = cell.width();
        strip.layout.cellHeight = cell.height();
        strip.layout.rowPitch = cell.height() + 20;
        strip.source = numbers(6, value);
        // The middle cells are reached `times` times, each time as another element of the overlapping windows.
        strip.reach = StripReach{1, 0, View{{times, 6 - times + 1}, {1, 1}, 0}};
        Scene scene;
        scene.size = QSizeF(strip.layout.area.right() + 20, strip.layout.area.bottom() + 20);
        scene.nodes.push_back({Part{}, strip});
        return renderImage(scene, theme);
    };
    // Digits are the pixels that differ between two pictures of other numbers.
    const QImage one = drawn(first), other = drawn(first + 3);
    const QRectF middle(QPointF(20 + cell.width() * 2, 20), cell);
    QRect digits;
    for (int y = qCeil(middle.top()) + 1; y < middle.bottom() - 1; ++y) {
        for (int x = qCeil(middle.left()) + 1; x < middle.right() - 1; ++x)
            if (one.pixel(x, y) != other.pixel(x, y)) digits |= QRect(x, y, 1, 1);
    }
    QVERIFY(!digits.isEmpty());
    QRgb ground = 0;
    for (int y = digits.top() - 1; y <= digits.bottom() + 1; ++y) {
        for (int x = digits.left() - 1; x <= digits.right() + 1; ++x) {
            const QRgb pixel = one.pixel(x, y);
            if (qGray(pixel) > qGray(ground)) ground = pixel;
        }
    }
    QCOMPARE(ground, theme.color(Tone::ViewA).rgb());
    // Beside them the stripes are seen: the paler hue, and more than a line of it.
    int pale = 0;
    const int fill = qGray(theme.color(Tone::ViewA).rgb());
    for (int y = qCeil(middle.top()) + 1; y < middle.bottom() - 1; ++y) {
        for (int x = qCeil(middle.left()) + 1; x < middle.right() - 1; ++x) pale += qGray(one.pixel(x, y)) > fill + 10;
    }
    QVERIFY2(pale > 60, qPrintable(QString::number(pale)));
}

QTEST_MAIN(TestCellText)
#include "tst_cell_text.moc"
