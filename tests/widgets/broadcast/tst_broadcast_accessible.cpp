// The Broadcast picture for screen readers: what is told at which moment, cells, and what can be pressed.

#include "tests/widgets/broadcast/broadcast_fixture.h"
#include "widgets/broadcast/broadcast_accessible.h"
#include "widgets/broadcast/broadcast_view.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

class TestBroadcastAccessible : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsEachMoment() {
        const BroadcastModel model = modelOf("A + B");
        const BroadcastTimeline timeline(model);
        const auto words = [&](qreal t) {
            QStringList all;
            for (const PicturePart& told : broadcastTold(model, {QSizeF(1600, 745), t})) all << told.name;
            return all;
        };
        QCOMPARE(
            words(0),
            QStringList({QStringLiteral("Stage 1 of 4. Where do the shapes line up?"), QStringLiteral("A has (4, 1)"),
                         QStringLiteral("B has (1, 5)"), QStringLiteral("A, size (4, 1), float32, storage #1"),
                         QStringLiteral("B, size (1, 5), float32, storage #2"), QStringLiteral("C, the result")}));
        const QStringList end = words(1);
        for (const char* part :
             {"dim 1: 1 and 5 fit, the result has 5, repeated: A", "dim 0: 4 and 1 fit, the result has 4, repeated: B",
              "A, size (4, 1), float32, storage #1, stretched to (4, 5) with stride (1, 0)",
              "C, size (4, 5), 20 of 20 computed", "36 B stored, 0 B copied by stretching, 80 B new",
              "Larger than every input: (4, 1) + (1, 5) → (4, 5)"})
            QVERIFY2(end.contains(QString::fromUtf8(part)), qPrintable(end.join(QLatin1Char('\n'))));
        // While it is asked what comes out, nobody is told.
        BroadcastLook veiled{QSizeF(1600, 745), timeline.stageEnds()[1]};
        veiled.veiled = true;
        for (const PicturePart& told : broadcastTold(model, veiled)) {
            QVERIFY(!told.name.contains(QStringLiteral("4, 5")));
            QVERIFY(!told.name.contains(QStringLiteral("result")));
        }
    }

    void failuresHaveButtons() {
        BroadcastView view;
        view.resize(1600, 745);
        view.setModel(std::make_shared<const BroadcastModel>(modelOf("a + b")));
        view.setTime(1);
        QAccessibleInterface* picture = QAccessible::queryAccessibleInterface(&view);
        QSignalSpy pressed(&view, &BroadcastView::mendPressed);
        int buttons = 0;
        QStringList words;
        for (int i = 0; i < picture->childCount(); ++i) {
            QAccessibleInterface* part = picture->child(i);
            QCOMPARE(picture->indexOfChild(part), i);
            words << part->text(QAccessible::Name);
            if (part->role() != QAccessible::Button) continue;
            ++buttons;
            part->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
            QCOMPARE(part->rect().size(), view.buttonRect(buttons - 1).toAlignedRect().size());
        }
        QCOMPARE(buttons, static_cast<int>(view.model()->mends.size()));
        QCOMPARE(pressed.size(), buttons);
        QCOMPARE(pressed[0][0].toInt(), 0);
        QVERIFY(words.contains(QStringLiteral("dim 1: 4 and 3: they do not fit")));
        QVERIFY(words.filter(QStringLiteral("must match the size of tensor b")).size() > 0);
        QVERIFY(words.contains(QStringLiteral("b.unsqueeze(1): (3, 4) + (3, 1) → (3, 4)")));
    }

    void cardsAreTables_data() {
        QTest::addColumn<QByteArray>("line");
        for (const char* line : {"A + B", "torch.ones(2, 1, 3) + torch.ones(4, 1)", "b * 2", "torch.tensor(1) + 2",
                                 "torch.ones(0, 3) + b", "a += 1"})
            QTest::newRow(line) << QByteArray(line);
    }
    void cardsAreTables() {
        QFETCH(QByteArray, line);
        BroadcastView view;
        view.resize(1600, 745);
        view.setModel(std::make_shared<const BroadcastModel>(modelOf(line.constData())));
        const BroadcastModel& model = *view.model();
        const BroadcastTimeline timeline(model);
        QAccessibleInterface* picture = QAccessible::queryAccessibleInterface(&view);
        for (const qreal t : timeline.stops()) {
            view.setTime(t);
            for (int i = 0; i < picture->childCount(); ++i) {
                QAccessibleInterface* card = picture->child(i);
                QVERIFY(card->isValid() && !card->text(QAccessible::Name).isEmpty());
                QAccessibleTableInterface* table = card->tableInterface();
                QCOMPARE(table != nullptr, card->role() == QAccessible::Table);
                if (!table) continue;
                QCOMPARE(card->childCount(), table->rowCount() * table->columnCount());
                for (int k = 0; k < card->childCount(); ++k) {
                    QAccessibleInterface* cell = card->child(k);
                    QCOMPARE(card->indexOfChild(cell), k);
                    QVERIFY(!cell->text(QAccessible::Name).isEmpty());
                    QVERIFY(cell->rect().isEmpty() || card->rect().contains(cell->rect()));
                    if (!cell->rect().isEmpty())
                        QCOMPARE(card->childAt(cell->rect().center().x(), cell->rect().center().y()), cell);
                }
            }
        }
        // At the end the result's cells name what core computed.
        QAccessibleInterface* result = nullptr;
        for (int i = 0; i < picture->childCount(); ++i)
            if (picture->child(i)->role() == QAccessible::Table) result = picture->child(i);
        QCOMPARE(static_cast<Index>(result->childCount()), model.numel());
        for (Index element = 0; element < model.numel(); ++element)
            QVERIFY(
                result->child(static_cast<int>(element))->text(QAccessible::Name).endsWith(model.arithmetic(element)));
    }

    void cellsArePressed() {
        BroadcastView view;
        view.resize(1600, 745);
        view.setModel(std::make_shared<const BroadcastModel>(modelOf("A + B")));
        view.setTime(1);
        connect(&view, &BroadcastView::pickRequested, &view,
                [&](std::optional<Index> element) { view.setPicked(element); });
        QAccessibleInterface* picture = QAccessible::queryAccessibleInterface(&view);
        QAccessibleInterface* card = nullptr;
        for (int i = 0; i < picture->childCount() && !card; ++i)
            if (picture->child(i)->role() == QAccessible::Table) card = picture->child(i);
        QAccessibleInterface* cell = card->tableInterface()->cellAt(1, 3);
        QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("A[1, 3], value 2., storage #1 index 1"));
        cell->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(view.picked(), std::optional<Index>(8));
        QVERIFY(cell->state().selected);
        QCOMPARE(card->tableInterface()->selectedCells(), QList<QAccessibleInterface*>{cell});
        QStringList words;
        for (int i = 0; i < picture->childCount(); ++i) words << picture->child(i)->text(QAccessible::Name);
        QVERIFY(words.contains(QStringLiteral("C[1, 3]: 2.0 + -5.0 = -3.0")));
        // Before it is stretched, a card has its own cells, which are no elements of the result.
        view.setTime(0);
        QCOMPARE(card->tableInterface()->columnCount(), 1);
        QVERIFY(!cell->isValid());
        view.setPicked(std::nullopt);
        card->child(2)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(!view.picked());
    }

    void hugeTablesCostNothing() {
        BroadcastView view;
        view.resize(1600, 745);
        view.setModel(std::make_shared<const BroadcastModel>(modelOf("torch.zeros(100000, 1) + torch.zeros(100000)")));
        view.setTime(1);
        QAccessibleInterface* picture = QAccessible::queryAccessibleInterface(&view);
        for (int i = 0; i < picture->childCount(); ++i) {
            QAccessibleInterface* card = picture->child(i);
            if (!card->tableInterface()) continue;
            QVERIFY(card->childCount() <= 4096);
            QVERIFY(!card->tableInterface()->cellAt(99'999, 99'999)->text(QAccessible::Name).isEmpty());
        }
    }
};

QTEST_MAIN(TestBroadcastAccessible)
#include "tst_broadcast_accessible.moc"
