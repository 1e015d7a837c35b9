// Cells of strips and panels: where they lie, and back.

#include "tests/support/qt/scene_gallery.h"
#include "widgets/scene/grid_layout.h"
#include "widgets/scene/strip_layout.h"

#include <QTest>

using namespace stridescope;

class TstStripLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void centresGoThereAndBack_data();
    void centresGoThereAndBack();
    void neighboursTouch();
    void nothingBetweenRows();
    void outsideTheEnds();
    void emptyStrips();
    void panelCentresGoThereAndBack_data();
    void panelCentresGoThereAndBack();
    void panelSlotsAreFound();
};

void TstStripLayout::centresGoThereAndBack_data() {
    QTest::addColumn<qint64>("cells");
    QTest::addColumn<qint64>("perRow");
    QTest::addColumn<qint64>("firstRow");
    QTest::addColumn<qint64>("firstColumn");
    QTest::addColumn<qreal>("cellWidth");
    QTest::addColumn<qreal>("rowShift");
    QTest::addColumn<qreal>("columnShift");
    const qint64 huge = qint64{1} << 40;
    QTest::newRow("one row") << qint64{20} << qint64{20} << qint64{0} << qint64{0} << 42.0 << 0.0 << 0.0;
    QTest::newRow("one cell") << qint64{1} << qint64{1} << qint64{0} << qint64{0} << 42.0 << 0.0 << 0.0;
    QTest::newRow("wrapped") << qint64{61} << qint64{16} << qint64{0} << qint64{0} << 34.0 << 0.0 << 0.0;
    QTest::newRow("scrolled") << qint64{1000} << qint64{16} << qint64{9} << qint64{3} << 34.5 << 17.25 << 20.75;
    QTest::newRow("narrow cells") << qint64{100000} << qint64{5000} << qint64{2} << qint64{100} << 1.5 << 3.0 << 0.5;
    QTest::newRow("several cells a pixel")
        << qint64{100000000} << qint64{100000000} << qint64{0} << qint64{77777777} << 0.01 << 0.0 << 0.0;
    QTest::newRow("far right, 2^40") << huge << huge << qint64{0} << huge - 40 << 42.0 << 0.0 << 11.5;
    QTest::newRow("far down, 2^40") << huge << qint64{16} << huge / 16 - 5 << qint64{2} << 42.0 << 30.0 << 0.25;
    QTest::newRow("2^60") << (qint64{1} << 60) << (qint64{1} << 59) << qint64{0} << (qint64{1} << 59) - 9 << 120.0
                          << 0.0 << 0.0;
}

void TstStripLayout::centresGoThereAndBack() {
    QFETCH(qint64, cells);
    QFETCH(qint64, perRow);
    StripLayout layout;
    layout.cellCount = cells;
    layout.perRow = perRow;
    layout.area = QRectF(13.5, 7, 900, 200);
    QFETCH(qint64, firstRow);
    layout.firstRow = firstRow;
    QFETCH(qint64, firstColumn);
    layout.firstColumn = firstColumn;
    QFETCH(qreal, cellWidth);
    layout.cellWidth = cellWidth;
    QFETCH(qreal, rowShift);
    layout.rowShift = rowShift;
    QFETCH(qreal, columnShift);
    layout.columnShift = columnShift;
    int seen = 0;
    const SlotRange rows = layout.visibleRows({});
    QVERIFY(!rows.empty());
    for (Index row = rows.first; row < rows.last; ++row) {
        const SlotRange slots = layout.visibleCells(row, {});
        const Index step = std::max<Index>(1, (slots.last - slots.first) / 500);
        for (Index slot = slots.first; slot < slots.last; slot += step) {
            const QPointF centre = layout.cellRect(slot).center();
            if (!layout.area.adjusted(0, 0, -0.01, -0.01).contains(centre)) continue; // half-open
            const std::optional<Index> found = layout.cellAt(centre);
            QVERIFY2(found.has_value(), qPrintable(QString::number(slot)));
            QCOMPARE(*found, slot);
            ++seen;
        }
    }
    QVERIFY(seen > 0);
}

void TstStripLayout::neighboursTouch() {
    StripLayout layout;
    layout.cellCount = layout.perRow = qint64{1} << 40;
    layout.firstColumn = layout.cellCount - 30;
    layout.columnShift = 7;
    layout.area = QRectF(0, 0, 900, 60);
    for (Index slot = layout.firstColumn; slot + 1 < layout.cellCount; ++slot) {
        QCOMPARE(layout.cellRect(slot).right(), layout.cellRect(slot + 1).left());
    }
    QCOMPARE(layout.cellRect(layout.firstColumn).left(), -7.0);
}

void TstStripLayout::nothingBetweenRows() {
    StripLayout layout;
    layout.cellCount = 64;
    layout.perRow = 16;
    layout.area = QRectF(0, 0, 900, 300);
    QCOMPARE(layout.cellAt(QPointF(10, layout.cellHeight + 3)), std::optional<Index>());
    QCOMPARE(layout.cellAt(QPointF(10, layout.rowPitch + 3)), std::optional<Index>(16));
    QCOMPARE(layout.cellAt(QPointF(16 * 42 + 3, 3)), std::optional<Index>());
    QCOMPARE(layout.cellAt(QPointF(-1, 3)), std::optional<Index>());
    QCOMPARE(layout.cellAt(QPointF(10, 301)), std::optional<Index>());
}

void TstStripLayout::outsideTheEnds() {
    StripLayout layout;
    layout.cellCount = layout.perRow = 12;
    layout.area = QRectF(100, 0, 900, 60);
    // One row goes on to both sides: 12 stands right of 11, -1 left of 0.
    QCOMPARE(layout.cellRect(12).left(), layout.cellRect(11).right());
    QCOMPARE(layout.cellRect(-1).right(), layout.cellRect(0).left());
    QCOMPARE(layout.cellAt(layout.cellRect(12).center()), std::optional<Index>());
    layout.perRow = 4;
    QCOMPARE(layout.place(-1), std::pair(Index{-1}, Index{3}));
    QCOMPARE(layout.place(12), std::pair(Index{3}, Index{0}));
}

void TstStripLayout::emptyStrips() {
    StripLayout layout;
    layout.area = QRectF(0, 0, 500, 60);
    QCOMPARE(layout.rowCount(), Index{0});
    QVERIFY(layout.visibleRows({}).empty());
    QVERIFY(layout.visibleCells(0, {}).empty());
    QCOMPARE(layout.cellAt(QPointF(5, 5)), std::optional<Index>());
    layout.perRow = 0;
    QCOMPARE(layout.cellAt(QPointF(5, 5)), std::optional<Index>());
    layout.cellCount = 4;
    layout.perRow = 4;
    layout.area = QRectF();
    QVERIFY(layout.visibleRows({}).empty());
}

void TstStripLayout::panelCentresGoThereAndBack_data() {
    QTest::addColumn<qint64>("firstRow");
    QTest::addColumn<qint64>("firstCol");
    QTest::addColumn<QSizeF>("cell");
    QTest::newRow("at the start") << qint64{0} << qint64{0} << QSizeF(44, 32);
    QTest::newRow("scrolled") << qint64{3000000} << qint64{1234567} << QSizeF(44.5, 32.25);
    QTest::newRow("small cells") << qint64{3} << qint64{5} << QSizeF(1.5, 0.75);
}

void TstStripLayout::panelCentresGoThereAndBack() {
    QFETCH(qint64, firstRow);
    QFETCH(qint64, firstCol);
    QFETCH(QSizeF, cell);
    GridItem grid;
    grid.area = QRectF(30, 40, 400, 300);
    grid.origin = QPointF(21.5, 33.25);
    grid.cell = cell;
    grid.rows = grid.cols = 5000000;
    grid.firstRow = firstRow;
    grid.firstCol = firstCol;
    const SlotRange rows = gridRows(grid, {}), cols = gridCols(grid, {});
    const Index step = std::max<Index>(1, (cols.last - cols.first) / 40);
    int seen = 0;
    for (Index row = rows.first; row < rows.last; ++row) {
        for (Index col = cols.first; col < cols.last; col += step) {
            const QPointF centre = gridCellRect(grid, row, col).center();
            if (!grid.area.adjusted(0, 0, -0.01, -0.01).contains(centre)) continue;
            const std::optional<GridCell> found = gridCellAt(grid, centre);
            QVERIFY(found.has_value());
            QCOMPARE(found->row, row);
            QCOMPARE(found->col, col);
            ++seen;
        }
    }
    QVERIFY(seen > 20);
}

void TstStripLayout::panelSlotsAreFound() {
    const Tensor q = test::arange(40);
    for (const View& view : {test::makeViewOf({4, 5}, {5, 1}, 0), test::makeViewOf({4, 5}, {1, 4}, 3),
                             test::makeViewOf({4, 5}, {0, 1}, 2), test::makeViewOf({4, 5}, {2, 0}, 2),
                             test::makeViewOf({4, 5}, {1, 1}, 6), test::makeViewOf({4, 5}, {-5, 1}, 20)}) {
        const GridItem grid = test::gridOf(q, view, QPointF(0, 0), 0);
        for (Index slot = 0; slot < 40; ++slot) {
            std::vector<GridCell> expected;
            for (Index row = 0; row < 4; ++row) {
                for (Index col = 0; col < 5; ++col) {
                    if (view.offset + row * view.stride[0] + col * view.stride[1] == slot)
                        expected.push_back({row, col});
                }
            }
            QVERIFY(gridCellsOfSlot(grid, slot, 100) == expected);
        }
    }
}

QTEST_GUILESS_MAIN(TstStripLayout)
#include "tst_strip_layout.moc"
