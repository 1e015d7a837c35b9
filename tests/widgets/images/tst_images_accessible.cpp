// The grid of images for screen readers: images and pixels as cells, what keys act on, and that 60,000 cost nothing.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/images/images_accessible.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

using namespace stridescope;

namespace {

Tensor numbered(Index n, Index c, Index h, Index w) {
    return view(arange(Scalar(static_cast<double>(n * c * h * w)), {DType::Float32, Device{}}), {n, c, h, w});
}

QString nameOf(QAccessibleInterface* node) {
    return node ? node->text(QAccessible::Name) : QStringLiteral("nothing there");
}

} // namespace

class TestImagesAccessible : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void imagesAndPixelsAreCells() {
        ImageGridView view;
        view.resize(600, 300);
        view.setSheets(ImageSheet(numbered(7, 3, 4, 6), 5, 2, {6, 5, 4, 3, 2, 1, 0}));
        view.setLabels([](Index image) { return QStringLiteral("%1 cat").arg(image % 3); });
        QAccessibleInterface* grid = QAccessible::queryAccessibleInterface(&view);
        QCOMPARE(grid->childCount(), 1); // nothing is picked yet
        view.pick({5, 1, 2});
        QCOMPARE(grid->childCount(), 2);
        QCOMPARE(nameOf(grid->child(0)), QStringLiteral("7 images of 4 × 6 pixels, 3 channels, 2 rows of 5"));
        QAccessibleTableInterface* images = grid->child(0)->tableInterface();
        QCOMPARE(images->rowCount(), 2);
        QCOMPARE(images->columnCount(), 5);
        QCOMPARE(nameOf(images->cellAt(0, 1)), QStringLiteral("image 5, class 2 cat, row 0, column 1"));
        QCOMPARE(nameOf(images->cellAt(1, 1)), QStringLiteral("image 0, class 0 cat, row 1, column 1"));
        QCOMPARE(nameOf(images->cellAt(1, 4)), QStringLiteral("no image"));
        QVERIFY(images->cellAt(1, 4)->rect().isEmpty());
        QVERIFY(images->cellAt(0, 1)->tableCellInterface()->isSelected());
        QCOMPARE(nameOf(grid->child(1)), QStringLiteral("Pixels of image 5, class 2 cat"));
        QAccessibleTableInterface* pixels = grid->child(1)->tableInterface();
        QCOMPARE(pixels->rowCount(), 4);
        QCOMPARE(pixels->columnCount(), 6);
        // Slot 5 * 72 + c * 24 + 1 * 6 + 2, which is the value, too.
        QCOMPARE(nameOf(pixels->cellAt(1, 2)), QStringLiteral("image 5 row 1 column 2, R 368 storage index 368, "
                                                              "G 392 storage index 392, B 416 storage index 416"));
        // Where a cell says it lies, it is found.
        for (QAccessibleInterface* cell : {images->cellAt(0, 3), images->cellAt(1, 0)})
            QCOMPARE(grid->child(0)->childAt(cell->rect().center().x(), cell->rect().center().y()), cell);
        QAccessibleInterface* pixel = pixels->cellAt(3, 5);
        QCOMPARE(grid->child(1)->childAt(pixel->rect().center().x(), pixel->rect().center().y()), pixel);
        // A press picks.
        pixel->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(view.picked(), std::optional(ImageSheet::Pixel{5, 3, 5}));
        images->cellAt(1, 1)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(view.picked(), std::optional(ImageSheet::Pixel{0, 3, 5}));
        QCOMPARE(nameOf(grid->child(1)), QStringLiteral("Pixels of image 0, class 0 cat"));
    }

    void oneChannelAndMany() {
        ImageGridView view;
        view.setSheets(ImageSheet(numbered(1, 1, 2, 2), 1, 0));
        view.pick({0, 1, 1});
        QCOMPARE(pixelCellName(view, 1, 1), QStringLiteral("image 0 row 1 column 1, value 3 storage index 3"));
        view.setSheets(ImageSheet(numbered(1, 20, 2, 2), 1, 0));
        QVERIFY(pixelCellName(view, 0, 0).endsWith(QStringLiteral("c=7 28 storage index 28, 12 more channels")));
        ImageSheet differs(numbered(1, 1, 2, 2), 1, 0);
        differs.compareWith(ImageSheet(zeros({1, 1, 2, 2}, {DType::Float32, Device{}}), 1, 0));
        view.setSheets(differs);
        QVERIFY(pixelCellName(view, 1, 0).endsWith(QStringLiteral("value 2 storage index 2, differs by 2")));
    }

    void theKeysAreOnACell() {
        ImageGridView view;
        view.resize(600, 300);
        view.setSheets(ImageSheet(numbered(30, 1, 4, 6), 8, 2));
        view.show();
        view.activateWindow();
        view.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.pick({0, 0, 0});
        QString followed;
        const auto key = [&](Qt::Key which, Qt::KeyboardModifiers with = {}) {
            QTest::keyClick(&view, which, with);
            QAccessibleInterface* at = QAccessible::queryAccessibleInterface(&view)->focusChild();
            QVERIFY(at && at->role() == QAccessible::Cell && at->state().focused && at->state().focusable);
            followed = nameOf(at);
        };
        key(Qt::Key_Right);
        QCOMPARE(followed, QStringLiteral("image 0 row 0 column 1, value 1 storage index 1"));
        key(Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(followed, QStringLiteral("image 1, row 0, column 1"));
        key(Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(view.picked(), std::optional(ImageSheet::Pixel{9, 0, 1}));
        key(Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(view.picked()->image, 29);
        key(Qt::Key_Up, Qt::ControlModifier);
        key(Qt::Key_End);
        QCOMPARE(view.picked()->image, 23);
        key(Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(view.picked()->image, 29); // the last row is short
        key(Qt::Key_Home);
        QCOMPARE(view.picked()->image, 24);
        key(Qt::Key_PageUp);
        key(Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(view.picked()->image, 0);
        key(Qt::Key_Left);
        QCOMPARE(followed, QStringLiteral("image 0 row 0 column 0, value 0 storage index 0"));
    }

    /// A walk over all of them leaves a few thousand cells, not one for each.
    void sixtyThousandCostNothing() {
        const Tensor images = expand(zeros({1, 3, 32, 32}, {DType::UInt8, Device{}}), {60'000, 3, 32, 32});
        ImageGridView view;
        view.resize(600, 300);
        view.setSheets(ImageSheet(images, 327, 2));
        view.pick({0, 0, 0});
        QAccessibleInterface* grid = QAccessible::queryAccessibleInterface(&view);
        QAccessibleTableInterface* table = grid->child(0)->tableInterface();
        QCOMPARE(table->rowCount() * table->columnCount(), 184 * 327);
        QCOMPARE(nameOf(table->cellAt(183, 158)), QStringLiteral("image 59999, row 183, column 158"));
        QList<QAccessible::Id> made;
        for (int row = 0; row < table->rowCount(); ++row)
            for (int column = 0; column < table->columnCount(); ++column)
                made << QAccessible::uniqueId(table->cellAt(row, column));
        qsizetype kept = 0;
        for (const QAccessible::Id id : std::as_const(made)) kept += QAccessible::accessibleInterface(id) ? 1 : 0;
        QVERIFY2(kept < 10'000, qPrintable(QString::number(kept)));
    }
};

QTEST_MAIN(TestImagesAccessible)
#include "tst_images_accessible.moc"
