// The window driven as a person would: lines, undo, palette, files, drops, settings.

#include "app/window/console.h"
#include "app/window/explanation.h"
#include "app/window/main_window.h"
#include "core/io/npy.h"
#include "core/ops/creation.h"
#include "core/tensor/element.h"
#include "tests/core/io/npy_corpus.h"
#include "widgets/panels/command_palette.h"
#include "widgets/panels/message_bar.h"
#include "widgets/stage/explore_stage.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeView>
#include <QtTest>

using namespace stridescope;

namespace {

QStringList namesOf(const MainWindow& window) {
    QStringList names;
    for (const TensorEntry& entry : window.model()->snapshot()->tensors) names << entry.name;
    return names;
}

QAction* actionOf(const MainWindow& window, const char* name) {
    return window.findChild<QAction*>(QString::fromLatin1(name));
}

void drop(MainWindow& window, const QList<QUrl>& urls) {
    QMimeData data;
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStringLiteral("Fusion"));
        QVERIFY(m_folder.isValid());
        m_array = m_folder.filePath(QStringLiteral("data.npy"));
        QVERIFY(writeNpy(arange(Scalar(12)), m_array.toStdString()).ok());
        m_picture = m_folder.filePath(QStringLiteral("tiny.png"));
        QImage image(4, 3, QImage::Format_RGB32);
        image.fill(qRgb(1, 2, 3));
        QVERIFY(image.save(m_picture));
        m_text = m_folder.filePath(QStringLiteral("notes.md"));
        QFile text(m_text);
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("# not an array\n");
    }

    void showsTheFirstPicture() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.showFirstPicture();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_VERIFY(window.console() != nullptr);
        QCOMPARE(namesOf(window), (QStringList{QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("C")}));
        QVERIFY(!window.workspace()->isModified());
        QVERIFY(window.model()->selection().pick.has_value());
        QVERIFY(window.findChild<QWidget*>(QStringLiteral("firstRun"))->isVisible());
        QVERIFY(!window.findChild<QLabel*>(QStringLiteral("statusCpu"))->text().isEmpty());
        // Values are no index of theirs.
        const Tensor& tensor = window.model()->snapshot()->tensors[0].tensor;
        for (Index i = 0; i < tensor.numel(); ++i) QVERIFY(readSlot(tensor, i).toInt() != i);
    }

    void firstStepsAreCards() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.json"));
        const auto cards = [](const MainWindow& window) {
            return window.findChild<QWidget*>(QStringLiteral("firstRun"));
        };
        const auto click = [](const MainWindow& window, const char* name) {
            auto* button = window.findChild<QAbstractButton*>(QString::fromLatin1(name));
            QVERIFY2(button, name);
            button->click();
        };
        {
            Settings settings{path};
            MainWindow window(&settings);
            window.showFirstPicture();
            window.resize(1600, 1000);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            window.finishStart();
            QVERIFY(cards(window)->isVisible());
            // "Type": a line of the first tensor stands at the prompt, not yet run.
            click(window, "firstRunType");
            QCOMPARE(window.console()->prompt()->text(), QStringLiteral("A[1:, 1:3]"));
            QVERIFY(cards(window)->isVisible());
            // "Try a view": an operation is chosen, previewed, and one Enter away.
            click(window, "firstRunView");
            auto* list = window.findChild<QListWidget*>(QStringLiteral("operationsList"));
            QVERIFY(list->currentItem());
            QVERIFY(list->currentItem()->text().startsWith(QStringLiteral("A.narrow(")));
            QVERIFY(window.model()->preview().has_value());
            QVERIFY(window.model()->preview()->view.has_value());
            // In a low window the same cards stand in the picture's corner and leave it its height.
            window.resize(1280, 720);
            QCoreApplication::processEvents();
            QVERIFY(window.stage()->isAncestorOf(cards(window)));
            QVERIFY(window.stage()->rect().contains(cards(window)->geometry()));
            QVERIFY(!window.stage()->shows(cards(window)->geometry()));
            // The strip grows into that corner: they make room above the picture and stay there.
            window.stage()->setCellSize(120);
            QTRY_VERIFY(!window.stage()->isAncestorOf(cards(window)));
            QVERIFY(cards(window)->isVisible());
            window.stage()->fit();
            QCoreApplication::processEvents();
            QVERIFY(!window.stage()->isAncestorOf(cards(window)));
            window.resize(1600, 1000);
            QCoreApplication::processEvents();
            QVERIFY(!window.stage()->isAncestorOf(cards(window)));
            click(window, "firstRunClose");
            QVERIFY(!cards(window)->isVisible());
            actionOf(window, "firstSteps")->trigger();
            QVERIFY(cards(window)->isVisible());
        }
        // Closed once they never come back, even if the program ended badly.
        Settings settings{path};
        MainWindow window(&settings);
        window.show();
        QVERIFY(!cards(window)->isVisible());
        window.finishStart();
        window.runLine(QStringLiteral("A = torch.zeros(2)"), Naming::Discard);
        actionOf(window, "firstSteps")->trigger();
        QVERIFY(cards(window)->isVisible());
        window.runLine(QStringLiteral("B = A[1:]"), Naming::Discard); // the first thing is done
        QVERIFY(!cards(window)->isVisible());
    }

    void emptyPlacesCarryTheirButtons() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.finishStart();
        const auto buttons = [&](const char* name) {
            int visible = 0;
            for (const QPushButton* button : window.findChildren<QPushButton*>(QString::fromLatin1(name)))
                visible += button->isVisible() ? 1 : 0;
            return visible;
        };
        // Tree, operations, inspector and stage: each makes or opens a first tensor.
        QCOMPARE(buttons("emptyMake"), 4);
        QCOMPARE(buttons("emptyOpen"), 4);
        window.stage()->findChild<QPushButton*>(QStringLiteral("emptyMake"))->click();
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("A")});
        QCOMPARE(buttons("emptyMake"), 0);
        // Hidden tensors and filters that match nothing have theirs, too.
        window.model()->select(0);
        QCOMPARE(buttons("emptySelect"), 2);
        window.workspace()->setOnStage(window.model()->snapshot()->tensors[0].id, false);
        window.model()->select(0); // a hidden tensor is on stage as long as it is selected
        QCOMPARE(buttons("emptyShow"), 1);
        window.stage()->findChild<QPushButton*>(QStringLiteral("emptyShow"))->click();
        QVERIFY(window.model()->snapshot()->tensors[0].onStage);
        QCOMPARE(buttons("emptyShow"), 0);
        auto* filter = window.findChild<QLineEdit*>(QStringLiteral("tensorFilter"));
        filter->setText(QStringLiteral("nosuchname"));
        QCOMPARE(buttons("emptyClearFilter"), 1);
        window.findChild<QPushButton*>(QStringLiteral("emptyClearFilter"))->click();
        QVERIFY(filter->text().isEmpty());
        QCOMPARE(buttons("emptyClearFilter"), 0);
        window.runLine(QStringLiteral("del A"), Naming::Discard);
        QCOMPARE(buttons("emptyMake"), 4);
    }

    void cardsMoveAndComeBack() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.showFirstPicture();
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.finishStart();
        const auto order = [&window] {
            QString names;
            for (const TensorEntry* entry : window.stage()->state().visible()) names += entry->name;
            return names;
        };
        QCOMPARE(order(), QStringLiteral("ABC"));
        actionOf(window, "moveLeft")->trigger(); // C is selected
        QCOMPARE(order(), QStringLiteral("ACB"));
        actionOf(window, "moveLeft")->trigger();
        QCOMPARE(order(), QStringLiteral("CAB"));
        QCOMPARE(actionOf(window, "undo")->text().remove(QLatin1Char('&')), QStringLiteral("Undo Move card C"));
        actionOf(window, "undo")->trigger();
        QCOMPARE(order(), QStringLiteral("ACB"));
        actionOf(window, "undo")->trigger();
        QCOMPARE(order(), QStringLiteral("ABC"));
        actionOf(window, "redo")->trigger();
        QCOMPARE(order(), QStringLiteral("ACB"));
    }

    void startsDark() {
        Settings settings{QString()};
        settings.set(QStringLiteral("theme"), QStringLiteral("dark"));
        MainWindow window(&settings);
        window.showFirstPicture();
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        // Every segment's text is light on its dark ground, the chosen one and the others.
        QWidget* header = window.findChild<QWidget*>(QStringLiteral("stageHeader"));
        int seen = 0;
        for (QAbstractButton* button : header->findChildren<QAbstractButton*>()) {
            if (!button->isVisible()) continue;
            const QImage image = button->grab().toImage();
            int bright = 0, ground = image.pixelColor(image.width() / 2, 3).lightness();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 4; x < image.width() - 4; ++x) bright += image.pixelColor(x, y).lightness() > 180;
            const int pixels = image.width() * image.height();
            QVERIFY2(bright > 10 && bright < pixels / 3 && ground < 90, qPrintable(button->text()));
            ++seen;
        }
        QVERIFY(seen >= 11);
    }

    void startsWithoutWarnings() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("QWidget|QLayout|Dock")));
        Settings settings{QString()};
        MainWindow window(&settings);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.finishStart();
        window.resize(1280, 720);
        window.resetLayout();
        QCoreApplication::processEvents();
    }

    void runsTypedLines() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        QTest::keyClicks(window.console()->prompt(), QStringLiteral("x = torch.arange(6).view(2, 3)"));
        QTest::keyClick(window.console()->prompt(), Qt::Key_Return);
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("x")});
        QTest::keyClicks(window.console()->prompt(), QStringLiteral("x"));
        QTest::keyClick(window.console()->prompt(), Qt::Key_Return);
        QVERIFY(window.console()->text().contains(QStringLiteral("tensor([[0, 1, 2],\n        [3, 4, 5]])")));
        QTest::keyClick(window.console()->prompt(), Qt::Key_Up);
        QTest::keyClick(window.console()->prompt(), Qt::Key_Up);
        QCOMPARE(window.console()->prompt()->text(), QStringLiteral("x = torch.arange(6).view(2, 3)"));
        window.console()->prompt()->clear();
        const quint64 before = window.workspace()->stateHash();
        const RunOutcome refused = window.runLine(QStringLiteral("x.t().view(6)"), Naming::Discard);
        QVERIFY(!refused.ok);
        QCOMPARE(window.workspace()->stateHash(), before);
        QVERIFY(window.console()->text().contains(QStringLiteral("RuntimeError: view size is not compatible")));
        const auto* view = window.findChild<FigureView*>(QStringLiteral("figureView"));
        QVERIFY(view && view->figure().scene.title.contains(QStringLiteral("x.t().view(6)")));
    }

    void undoesByName() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        QVERIFY(!actionOf(window, "undo")->isEnabled());
        window.runLine(QStringLiteral("A = torch.arange(20).view(4, 5)"), Naming::Discard);
        window.runLine(QStringLiteral("A.narrow(1, 1, 2)"), Naming::Auto);
        QCOMPARE(actionOf(window, "undo")->text().remove(QLatin1Char('&')), QStringLiteral("Undo narrow(1, 1, 2)"));
        actionOf(window, "undo")->trigger();
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("A")});
        QVERIFY(window.console()->text().contains(QStringLiteral("undone: press Ctrl+Y")));
        QCOMPARE(actionOf(window, "redo")->text().remove(QLatin1Char('&')), QStringLiteral("Redo narrow(1, 1, 2)"));
        actionOf(window, "redo")->trigger();
        QCOMPARE(namesOf(window).size(), 2);
        QVERIFY(!window.console()->text().contains(QStringLiteral("undone: press Ctrl+Y")));
    }

    void marksTheRightLineWhenOldStepsAreForgotten() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.workspace()->setMaxSteps(3);
        for (const char* line : {"A = torch.zeros(1)", "A = torch.zeros(2)", "A = torch.zeros(3)", "A = torch.zeros(4)",
                                 "A = torch.zeros(5)"})
            window.runLine(QString::fromLatin1(line), Naming::Discard);
        QCOMPARE(window.workspace()->steps().size(), std::size_t{3});
        actionOf(window, "undo")->trigger();
        const QStringList lines = window.console()->text().split(QLatin1Char('\n'));
        const QStringList marked = lines.filter(QStringLiteral("undone: press Ctrl+Y"));
        QCOMPARE(marked.size(), 1);
        QVERIFY2(marked.first().contains(QStringLiteral("torch.zeros(5)")), qPrintable(marked.first()));
    }

    void stageRequestsRun() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.runLine(QStringLiteral("A = torch.arange(12).view(3, 4)"), Naming::Discard);
        Q_EMIT window.stage()->previewRequested(QStringLiteral("A.t()"));
        QVERIFY(window.model()->preview().has_value());
        Q_EMIT window.stage()->previewRequested(QString());
        QVERIFY(!window.model()->preview().has_value());
        Q_EMIT window.stage()->runRequested(QStringLiteral("A.t()"));
        QCOMPARE(namesOf(window).size(), 2);
        Q_EMIT window.stage()->explainRequested(QStringLiteral("B.view(12)"));
        QWidget* explanation = window.findChild<QWidget*>(QStringLiteral("explanation"));
        QVERIFY(explanation != nullptr);
        QVERIFY(!explanation->isHidden());
        QTest::keyClick(window.findChild<QWidget*>(QStringLiteral("figureView")), Qt::Key_Escape);
        QVERIFY(explanation->isHidden());
        QCOMPARE(namesOf(window).size(), 2);
        // It is about a state, and goes with it: its buttons would name tensors that are gone.
        Q_EMIT window.stage()->explainRequested(QStringLiteral("B.view(12)"));
        QVERIFY(!explanation->isHidden());
        window.workspace()->jump(1);
        QCOMPARE(namesOf(window).size(), 1);
        QVERIFY(explanation->isHidden());
    }

    void dockButtonsCanBeHit() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1280, 720);
        window.show();
        window.finishStart();
        QCoreApplication::processEvents();
        int seen = 0;
        for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
            if (!button->objectName().startsWith(QStringLiteral("qt_dockwidget_")) || !button->isVisible()) continue;
            ++seen;
            QVERIFY2(button->width() >= 24 && button->height() >= 24, qPrintable(QStringLiteral("%1: %2 × %3")
                                                                                     .arg(button->objectName())
                                                                                     .arg(button->width())
                                                                                     .arg(button->height())));
        }
        QVERIFY(seen >= 4);
    }

    void illegalRequestsAreDrawnAtOnce_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("shapes");
        QTest::newRow("number of elements") << QStringLiteral("A.view(5,5)") << QStringLiteral("13 too many") << true;
        QTest::newRow("beyond the storage")
            << QStringLiteral("A.as_strided((4,4),(5,1),3)") << QStringLiteral("the last slot is 11") << false;
        QTest::newRow("of a view without a name")
            << QStringLiteral("z = A.t().view(12)") << QStringLiteral("+4, +4 and then −7") << true;
    }

    void illegalRequestsAreDrawnAtOnce() {
        QFETCH(QString, line);
        QFETCH(QString, words);
        QFETCH(bool, shapes);
        Settings settings{QString()};
        MainWindow window(&settings);
        window.show();
        window.finishStart();
        window.runLine(QStringLiteral("A = torch.arange(12).view(3, 4)"), Naming::Discard);
        const quint64 before = window.workspace()->stateHash();
        window.runLine(line, Naming::Discard);
        const auto* view = window.findChild<FigureView*>(QStringLiteral("figureView"));
        QVERIFY(view && view->isVisible());
        QVERIFY2(view->figure().sentence.contains(words), qPrintable(view->figure().sentence));
        QVERIFY(!view->figure().codes.empty());
        QCOMPARE(window.workspace()->stateHash(), before);
        // Below A the tree says what was not made; where another shape would do, the shapes stand beside the picture.
        const auto* tree = window.findChild<QTreeView*>(QStringLiteral("tensorTree"));
        const QModelIndex a = tree->model()->index(0, 0, tree->model()->index(0, 0));
        QCOMPARE(tree->model()->rowCount(a), 1);
        QCOMPARE(tree->model()->index(0, 0, a).data().toString(), line);
        auto* table = window.findChild<QWidget*>(QStringLiteral("shapeTable"));
        QCOMPARE(table->isVisible(), shapes);
        // A press on a shape that is a view makes it, and all is as before.
        if (shapes) {
            for (QAbstractButton* button : table->findChildren<QAbstractButton*>()) {
                if (!button->accessibleName().startsWith(QStringLiteral("(4, 3),"))) continue;
                button->click();
                break;
            }
            QCOMPARE(window.model()->snapshot()->tensors.back().code.contains(QStringLiteral(".view(4, 3)")), true);
        } else {
            QTest::keyClick(window.findChild<QWidget*>(QStringLiteral("figureView")), Qt::Key_Escape);
        }
        QVERIFY(!view->isVisible() && !table->isVisible());
        QCOMPARE(tree->model()->rowCount(tree->model()->index(0, 0, tree->model()->index(0, 0))), shapes ? 1 : 0);
    }

    void failingViewIsDrawnAtOnce() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1280, 720);
        window.show();
        window.finishStart();
        window.runLine(QStringLiteral("A = torch.arange(12).view(3, 4)"), Naming::Discard);
        window.runLine(QStringLiteral("B = A.t()"), Naming::Discard);
        window.runLine(QStringLiteral("B.view(12)"), Naming::Discard);
        const auto* view = window.findChild<FigureView*>(QStringLiteral("figureView"));
        QVERIFY(view && view->isVisible());
        // All three ways out are seen without scrolling.
        QCOMPARE(view->figure().codes.size(), std::size_t{3});
        const auto* area = window.findChild<Explanation*>(QStringLiteral("explanation"));
        QCoreApplication::processEvents();
        QVERIFY2(view->height() <= area->viewport()->height(),
                 qPrintable(QStringLiteral("%1 of %2").arg(view->height()).arg(area->viewport()->height())));
        QVERIFY(view->figure().scene.title.contains(QStringLiteral("B.view(12)")));
        // The next line takes the stage back.
        window.runLine(QStringLiteral("B.reshape(12)"), Naming::Auto);
        QVERIFY(!view->isVisible());
        QCOMPARE(namesOf(window).size(), 3);
    }

    void explanationsFitNarrowStages() {
        // 1920 x 1080 at twice the size.
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(960, 540);
        window.show();
        window.finishStart();
        for (const char* line : {"A = torch.arange(12).view(3, 4)", "B = A.t()"})
            window.runLine(QString::fromLatin1(line), Naming::Discard);
        window.runLine(QStringLiteral("B.view(12)"), Naming::Discard);
        auto* area = window.findChild<Explanation*>(QStringLiteral("explanation"));
        QVERIFY(area && area->isVisible());
        QCoreApplication::processEvents();
        QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
        // The mouse finds what is drawn smaller.
        FigureView* view = area->view();
        const Scene& scene = view->figure().scene;
        const qreal scale = view->width() / scene.size.width();
        QVERIFY(scale < 1);
        QRectF button;
        for (const SceneNode& node : scene.nodes) {
            const auto* box = std::get_if<BoxItem>(&node.item);
            if (box && node.part.kind == PartKind::Button && node.part.index == 0) button = button.united(box->rect);
        }
        QSignalSpy pressed(area, &Explanation::codePressed);
        QTest::mouseClick(view, Qt::LeftButton, {}, (button.center() * scale).toPoint());
        QCOMPARE(pressed.size(), 1);
        QCOMPARE(pressed.first().first().toString(), QStringLiteral("B.reshape(12)"));
    }

    void refusedEditsKeepTheirPlace() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.show();
        window.finishStart();
        for (const char* line : {"A = torch.arange(12).view(3, 4)", "B = A.t()", "C = A.narrow(1, 1, 2)"})
            window.runLine(QString::fromLatin1(line), Naming::Discard);
        const TensorId c = window.model()->snapshot()->tensors.back().id;
        window.model()->select(c);
        // What the inspector asks for when 9 is typed as the offset.
        window.runLine(QStringLiteral("C = A.as_strided((3, 2), (4, 1), 9)"), Naming::Auto);
        const auto* view = window.findChild<FigureView*>(QStringLiteral("figureView"));
        QVERIFY(view && view->isVisible());
        QCOMPARE(window.model()->selection().tensor, c);
        const auto* status = window.findChild<QLabel*>(QStringLiteral("statusText"));
        QVERIFY(status->text().contains(QStringLiteral("the last slot is 11")));
        QCOMPARE(view->figure().codes.front(), QStringLiteral("C = A.as_strided((3, 2), (4, 1), 2)"));
        Q_EMIT const_cast<FigureView*>(view)->codePressed(view->figure().codes.front());
        QCOMPARE(namesOf(window), (QStringList{QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("C")}));
        const TensorEntry* made = window.model()->selected();
        QCOMPARE(made->name, QStringLiteral("C"));
        QCOMPARE(made->tensor.storageOffset(), Index{2});
        // The reason goes with its picture.
        QVERIFY(!status->text().contains(QStringLiteral("the last slot is 11")));
        window.runLine(QStringLiteral("A.view(5, 5)"), Naming::Discard);
        QVERIFY(status->text().contains(QStringLiteral("13 too many")));
        QTest::keyClick(window.findChild<QWidget*>(QStringLiteral("figureView")), Qt::Key_Escape);
        QVERIFY2(!status->text().contains(QStringLiteral("too many")), qPrintable(status->text()));
        // A name that is new is no place to go to; its ways out make it, here by a shape from the table.
        window.runLine(QStringLiteral("z = B.view(12)"), Naming::Discard);
        QCOMPARE(window.model()->selected()->name, QStringLiteral("B"));
        QCOMPARE(view->figure().codes.front(), QStringLiteral("z = B.reshape(12)"));
        Q_EMIT const_cast<FigureView*>(view)->codePressed(view->figure().codes.front());
        QCOMPARE(namesOf(window).last(), QStringLiteral("z"));
    }

    void printedTextIsSeen_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("inTheBar");
        QTest::newRow("low") << QSize(1280, 720) << true;
        QTest::newRow("high") << QSize(1600, 1060) << false;
    }

    void printedTextIsSeen() {
        QFETCH(QSize, size);
        QFETCH(bool, inTheBar);
        Settings settings{QString()};
        settings.set(QStringLiteral("firstRunDone"), true);
        MainWindow window(&settings);
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.finishStart();
        window.resetLayout(); // at first the docks were sized for the screen
        QCoreApplication::processEvents();
        window.runLine(QStringLiteral("A = torch.arange(12).view(3, 4)"), Naming::Discard);
        QVERIFY(!window.messageBar()->isVisible());
        window.runLine(QStringLiteral("A"), Naming::Discard);
        QCOMPARE(window.messageBar()->isVisible(), inTheBar);
        const QString last = QStringLiteral("[ 8,  9, 10, 11]])");
        QCOMPARE(window.messageBar()->detail().contains(last), inTheBar);
        QVERIFY(window.console()->text().contains(last));
        if (!inTheBar) QVERIFY(window.console()->linesInSight() >= 4);
        // What is too long for the bar is counted there, and is in the console.
        window.runLine(QStringLiteral("torch.zeros(40, 2)"), Naming::Discard);
        QCOMPARE(window.messageBar()->detail().contains(QStringLiteral("and 35 more lines in the console")), inTheBar);
        // The next line that prints nothing takes it away.
        window.runLine(QStringLiteral("A[0, 0] = 5"), Naming::Discard);
        QVERIFY(!window.messageBar()->isVisible());
    }

    void fifthCardIsTold() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.show();
        window.finishStart();
        for (const char* line : {"A = torch.arange(12)", "B = A[1:]", "C = A[2:]", "D = A[3:]"}) {
            window.runLine(QString::fromLatin1(line), Naming::Discard);
            QVERIFY(!window.messageBar()->isVisible());
        }
        window.runLine(QStringLiteral("E = A[4:]"), Naming::Discard);
        QVERIFY(window.messageBar()->isVisible());
        QVERIFY2(window.messageBar()->title().startsWith(QStringLiteral("B was taken off the stage")),
                 qPrintable(window.messageBar()->title()));
        // The button brings it back beside the others, as the eye in the list does.
        auto* show = window.messageBar()->findChild<QPushButton*>(QStringLiteral("messageAction"));
        QVERIFY(show);
        QCOMPARE(show->text(), QStringLiteral("Show B"));
        show->click();
        for (const TensorEntry& entry : window.model()->snapshot()->tensors) QVERIFY(entry.onStage);
        QVERIFY(!window.messageBar()->isVisible());
    }

    void allRefusalsCanBeRead() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1280, 720);
        window.show();
        window.finishStart();
        QStringList files;
        for (int i = 0; i < 12; ++i) {
            files << m_folder.filePath(QStringLiteral("e%1.npy").arg(i));
            QFile empty(files.last());
            QVERIFY(empty.open(QIODevice::WriteOnly));
            if (i % 2) empty.write("nothing of the kind");
        }
        window.openFiles(files);
        QTRY_VERIFY(!window.isOpening() && window.messageBar()->isVisible());
        QTRY_COMPARE(window.messageBar()->title(), QStringLiteral("0 opened, 12 refused."));
        QVERIFY(window.messageBar()->detail().contains(QStringLiteral("and 8 more.")));
        // The button of the message before ("Cancel") goes with the next turn of the event loop.
        for (QPushButton* button : window.messageBar()->findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Show all")) button->click();
        }
        const auto* all = window.messageBar()->findChild<QPlainTextEdit*>(QStringLiteral("messageLongDetail"));
        QVERIFY(all && all->isVisible());
        // A maximised window of a small screen has no room to grow into.
        QVERIFY2(window.minimumSizeHint().height() <= 690,
                 qPrintable(QString::number(window.minimumSizeHint().height())));
        const QStringList lines = all->toPlainText().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 12);
        for (int i = 0; i < 12; ++i) {
            const QString name = QStringLiteral("e%1.npy").arg(i);
            QCOMPARE(std::count_if(lines.begin(), lines.end(),
                                   [&](const QString& line) { return line.count(name + QLatin1Char(':')) == 1; }),
                     std::ptrdiff_t{1});
            QVERIFY2(lines[i].endsWith(QLatin1Char('.')), qPrintable(lines[i]));
        }
        // The next message is a short one again.
        window.runLine(QStringLiteral("A = torch.arange(3)"), Naming::Discard);
        QVERIFY(!window.messageBar()->findChild<QPlainTextEdit*>(QStringLiteral("messageLongDetail")));
    }

    void paletteHasEveryMenuCommand() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.showFirstPicture();
        window.show();
        window.openPalette();
        CommandPalette* palette = window.commandPalette();
        QVERIFY(palette->isVisible());
        QStringList titles;
        for (const PaletteEntry* entry : palette->shown()) titles << entry->title;
        int commands = 0;
        const std::function<void(const QMenu*)> check = [&](const QMenu* menu) {
            if (menu->objectName() == QStringLiteral("recentMenu")) return;
            for (QAction* action : menu->actions()) {
                if (action->isSeparator()) continue;
                if (action->menu()) {
                    check(action->menu());
                    continue;
                }
                ++commands;
                QVERIFY2(!action->objectName().isEmpty(), qPrintable(action->text()));
                QVERIFY2(titles.contains(action->text().remove(QLatin1Char('&'))), qPrintable(action->text()));
            }
        };
        for (const QAction* top : window.menuBar()->actions()) check(top->menu());
        QVERIFY(commands > 40);
        QVERIFY(titles.contains(QStringLiteral("C.t()")));
        QVERIFY(titles.contains(QStringLiteral("C.as_strided(…)")));
        // Fuzzy: the first letters of words find a command; Enter runs it.
        palette->setFilter(QStringLiteral("C.clone"));
        QVERIFY(!palette->shown().empty());
        QCOMPARE(palette->shown().front()->title, QStringLiteral("C.clone()"));
        QTest::keyClick(palette->findChild<QWidget*>(QStringLiteral("paletteField")), Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QCOMPARE(namesOf(window).size(), 4);
        window.openPalette();
        palette->setFilter(QStringLiteral("no such thing at all"));
        QVERIFY(palette->shown().empty());
        QTest::keyClick(palette->findChild<QWidget*>(QStringLiteral("paletteField")), Qt::Key_Escape);
        QVERIFY(!palette->isVisible());
    }

    void opensFiles() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.openFiles({m_array, m_picture, m_text, m_folder.filePath(QStringLiteral("gone.npy")), m_folder.path()});
        QTRY_VERIFY(!window.isOpening());
        QTRY_COMPARE(namesOf(window), (QStringList{QStringLiteral("data"), QStringLiteral("tiny")}));
        QCOMPARE(toString(window.model()->snapshot()->tensors[1].tensor.shape()), std::string("(3, 4, 3)"));
        QTRY_VERIFY(window.messageBar()->title().contains(QStringLiteral("2 opened, 3 refused")));
        QCOMPARE(window.recentFiles(), (QStringList{m_picture, m_array}));
        QCOMPARE(window.workspace()->undoTitle(), QStringLiteral("Open tiny.png"));
        QVERIFY(!window.workspace()->isModified());
    }

    void refusalsStandBeforeNotes() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        QStringList files;
        for (int i = 0; i < 6; ++i) {
            files << m_folder.filePath(QStringLiteral("swapped%1.npy").arg(i));
            QFile swapped(files.last());
            QVERIFY(swapped.open(QIODevice::WriteOnly));
            swapped.write(QByteArray::fromStdString(corpus::npy(corpus::dict(">i4", "(2,)"), std::string(8, '\1'))));
        }
        files << m_text;
        window.openFiles(files);
        QTRY_VERIFY(!window.isOpening());
        QTRY_COMPARE(window.messageBar()->title(), QStringLiteral("6 opened, 1 refused."));
        QVERIFY2(window.messageBar()->detail().startsWith(QStringLiteral("notes.md")),
                 qPrintable(window.messageBar()->detail()));
    }

    void openingIsALine() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.openFiles({m_array, m_picture});
        QTRY_COMPARE(namesOf(window).size(), 2);
        QTRY_VERIFY(!window.isOpening());
        QStringList lines;
        for (const HistoryStep& step : window.workspace()->steps()) lines << step.code;
        QVERIFY2(lines[0].startsWith(QStringLiteral("data = torch.from_numpy(numpy.load(\"")), qPrintable(lines[0]));
        QVERIFY2(lines[1].startsWith(QStringLiteral("tiny = torch.from_numpy(numpy.array(PIL.Image.open(\"")),
                 qPrintable(lines[1]));
        const QString shown = window.console()->findChild<QPlainTextEdit*>()->toPlainText();
        for (const QString& line : lines) QVERIFY2(shown.contains(QStringLiteral(">>> ") + line), qPrintable(shown));
        // Carried out somewhere else, the lines give the same tensors.
        Settings other{QString()};
        MainWindow second(&other);
        second.finishStart();
        for (const QString& line : lines) {
            second.runLine(line, Naming::Discard);
            QTRY_VERIFY(!second.workspace()->isBusy());
        }
        QCOMPARE(namesOf(second), namesOf(window));
        QCOMPARE(second.workspace()->stateHash(), window.workspace()->stateHash());
        const RunOutcome wrong = second.runLine(QStringLiteral("numpy.load(\"%1\")").arg(m_picture), Naming::Discard);
        QTRY_VERIFY(!second.workspace()->isBusy());
        QVERIFY(!wrong.ok);
    }

    void tellsOfChangedFiles() {
        const QString path = m_folder.filePath(QStringLiteral("shrinks.npy"));
        QVERIFY(QFile::copy(m_array, path));
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.openFiles({path});
        QTRY_COMPARE(namesOf(window).size(), 1);
        QTRY_VERIFY(!window.isOpening());
        QFile file(path);
        const qint64 whole = file.size();
        QTest::qWait(20); // another time stamp
        QVERIFY(file.resize(whole - 8));
        QTRY_VERIFY(window.messageBar()->title().contains(QStringLiteral("shrinks.npy changed on disk")));
        // Another message takes the bar; the mark stays, and brings the first one back.
        auto* mark = window.findChild<QAbstractButton*>(QStringLiteral("changedFiles"));
        window.runLine(QStringLiteral("A = torch.zeros(2)"), Naming::Auto);
        QVERIFY(!window.messageBar()->title().contains(QStringLiteral("changed on disk")));
        QVERIFY(!mark->isHidden());
        QCOMPARE(mark->text(), QStringLiteral("✗ shrinks.npy changed on disk"));
        mark->click();
        QVERIFY(window.messageBar()->title().contains(QStringLiteral("shrinks.npy changed on disk")));
        // Gone with the last tensor that shows the file.
        window.runLine(QStringLiteral("del shrinks"), Naming::Auto);
        QVERIFY(mark->isHidden());
        QVERIFY(QFile::remove(path));
    }

    void promptLeavesUndoToTheWindow() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        PromptField* prompt = window.console()->prompt();
        prompt->setFocus();
        QTest::keyClicks(prompt, QStringLiteral("A = torch.zeros(3)"));
        QTest::keyClick(prompt, Qt::Key_Return);
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("A")});
        QTest::keyClick(prompt, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(namesOf(window), QStringList());
        QVERIFY(prompt->text().isEmpty());
        // While something is typed the keys are the field's.
        window.redo();
        QTest::keyClicks(prompt, QStringLiteral("B"));
        QTest::keyClick(prompt, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("A")});
    }

    void paletteGivesTheKeysBack() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.stage()->setFocus();
        window.openPalette();
        auto* field = window.commandPalette()->findChild<QWidget*>(QStringLiteral("paletteField"));
        QCOMPARE(QApplication::focusWidget(), field);
        // Tab stays inside, and goes through the list.
        auto* list = window.commandPalette()->findChild<QListView*>(QStringLiteral("paletteList"));
        QTest::keyClick(field, Qt::Key_Tab);
        QVERIFY(window.commandPalette()->isVisible());
        QCOMPARE(QApplication::focusWidget(), field);
        QCOMPARE(list->currentIndex().row(), 1);
        QTest::keyClick(field, Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(list->currentIndex().row(), 0);
        QCOMPARE(QApplication::focusWidget(), field);
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(window.stage()));
    }

    void typingOverTheConsoleGoesToThePrompt() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(window.stage()));
        auto* output = window.console()->findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"));
        output->setFocus();
        QTest::keyClicks(output, QStringLiteral("A"));
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(window.console()->prompt()));
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral(" = 3"));
        QCOMPARE(window.console()->prompt()->text(), QStringLiteral("A = 3"));
    }

    void takesDrops() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        drop(window, {QUrl(QStringLiteral("https://example.org/data.npy"))});
        QVERIFY(window.messageBar()->title().contains(QStringLiteral("not fetched")));
        QVERIFY(!window.isOpening());
        drop(window, {QUrl::fromLocalFile(m_array), QUrl::fromLocalFile(m_text)});
        QTRY_COMPARE(namesOf(window), QStringList{QStringLiteral("data")});
        QTRY_VERIFY(!window.isOpening());
        QList<QUrl> many;
        for (int i = 0; i < 1000; ++i) many << QUrl::fromLocalFile(m_array);
        drop(window, many);
        QTRY_VERIFY(!window.isOpening());
        QTRY_COMPARE(namesOf(window).size(), 65);
    }

    void greysVanishedFiles() {
        Settings settings{QString()};
        settings.setList(QStringLiteral("recentFiles"), {m_array, QStringLiteral("/gone/forever.npy")});
        MainWindow window(&settings);
        auto* menu = window.findChild<QMenu*>(QStringLiteral("recentMenu"));
        Q_EMIT menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        QVERIFY(menu->actions()[0]->isEnabled());
        QVERIFY(!menu->actions()[1]->isEnabled());
        QVERIFY(menu->actions()[1]->text().contains(QStringLiteral("gone")));
    }

    void pastesNumbers() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        QGuiApplication::clipboard()->setText(QStringLiteral("1\t2\n3\t4\n"));
        actionOf(window, "paste")->trigger();
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("A")});
        QGuiApplication::clipboard()->setText(QStringLiteral("Dear all,\nwhat a text"));
        actionOf(window, "paste")->trigger();
        QCOMPARE(namesOf(window).size(), 1);
        QVERIFY(!window.messageBar()->title().isEmpty());
        auto* picture = new QMimeData;
        picture->setImageData(QImage(m_picture));
        QGuiApplication::clipboard()->setMimeData(picture);
        actionOf(window, "paste")->trigger();
        QCOMPARE(namesOf(window), (QStringList{QStringLiteral("A"), QStringLiteral("picture")}));
    }

    void copiesTextAndCode() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.runLine(QStringLiteral("A = torch.arange(3)"), Naming::Discard);
        actionOf(window, "copyText")->trigger();
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("0\t1\t2"));
        actionOf(window, "copyCode")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("A = torch.arange(3)"));
        actionOf(window, "copySvg")->trigger();
        const auto svg = [] { return QGuiApplication::clipboard()->mimeData()->data(QStringLiteral("image/svg+xml")); };
        QTRY_VERIFY(svg().contains("<svg"));
        const auto text = [] { return QGuiApplication::clipboard()->text(); };
        actionOf(window, "copyTikz")->trigger();
        QTRY_VERIFY(text().contains(QStringLiteral("\\begin{tikzpicture}")));
        QVERIFY(!text().contains(QStringLiteral("\\documentclass")));
        const QSize stage = window.stage()->scene().size.toSize();
        actionOf(window, "copyPng")->trigger();
        QTRY_VERIFY(QGuiApplication::clipboard()->mimeData()->hasImage());
        QCOMPARE(QGuiApplication::clipboard()->image().size(), 2 * stage);
        // A card alone is smaller than the stage.
        Q_EMIT window.stage()->exportRequested(window.model()->selection().tensor, QStringLiteral("png"));
        QTRY_VERIFY(QGuiApplication::clipboard()->image().width() < 2 * stage.width());
        Q_EMIT window.stage()->exportRequested(window.model()->selection().tensor, QStringLiteral("tikz"));
        QTRY_VERIFY(text().contains(QStringLiteral("A = torch.arange(3)")));
    }

    void savesInTheBackground() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.runLine(QStringLiteral("A = torch.arange(6).view(2, 3); B = A.t()"), Naming::Discard);
        QVERIFY(window.workspace()->isModified());
        const QString path = m_folder.filePath(QStringLiteral("saved.npz"));
        bool then = false;
        window.saveAllTo(path, [&] { then = true; });
        QTRY_VERIFY(then);
        QVERIFY(QFile::exists(path));
        QVERIFY(!window.workspace()->isModified());
        QCOMPARE(window.messageBar()->title(), QStringLiteral("Saved saved.npz."));
        QCOMPARE(window.messageBar()->kind(), MessageBar::Kind::Done);
        // Refused: said with the reason and another way, and still not saved.
        window.runLine(QStringLiteral("A += 1"), Naming::Discard);
        window.saveAllTo(m_folder.filePath(QStringLiteral("none/x.npz")));
        QTRY_VERIFY(window.messageBar()->title().contains(QStringLiteral("x.npz was not saved")));
        QVERIFY(window.messageBar()->detail().contains(QStringLiteral("No such folder")));
        bool elsewhere = false;
        for (const QPushButton* button : window.messageBar()->findChildren<QPushButton*>())
            elsewhere = elsewhere || button->text().startsWith(QStringLiteral("Save elsewhere"));
        QVERIFY(elsewhere);
        QVERIFY(window.workspace()->isModified());
        for (const char* name : {"p.svg", "p.pdf", "p.png", "p.tex", "p.tikz"}) {
            const QString to = m_folder.filePath(QString::fromLatin1(name));
            window.exportPictureTo(to);
            QTRY_VERIFY2(!window.isSaving() && QFileInfo(to).size() > 1000, name);
        }
    }

    void cancelsSavingAndLongLines() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        window.workspace()->setPatience(-1);
        QVERIFY(window.runLine(QStringLiteral("A = torch.zeros(6000, 6000)"), Naming::Discard).pending);
        auto* cancel = window.findChild<QAbstractButton*>(QStringLiteral("cancelWork"));
        QVERIFY(cancel->isVisible());
        QVERIFY(actionOf(window, "cancelWork")->isEnabled());
        QTRY_VERIFY(!window.workspace()->isBusy());
        QVERIFY(!cancel->isVisible());
        QVERIFY(window.runLine(QStringLiteral("B = A.t().contiguous()"), Naming::Discard).pending);
        QVERIFY(!actionOf(window, "undo")->isEnabled());
        cancel->click();
        QTRY_VERIFY(!window.workspace()->isBusy());
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("A")});
        QVERIFY(window.messageBar()->title().contains(QStringLiteral("cancelled")));
        QVERIFY(window.console()->text().contains(QStringLiteral("KeyboardInterrupt")));
        QVERIFY(actionOf(window, "undo")->isEnabled());
        // Saving: 144 MB twice over the disk are not done in the time of two events.
        const QString path = m_folder.filePath(QStringLiteral("large.npy"));
        window.saveTensorTo(path, window.model()->snapshot()->tensors[0].tensor);
        if (window.isSaving()) {
            // What is being saved must not change, and the window does not go away under it.
            const RunOutcome write = window.runLine(QStringLiteral("A[0, 0] = 1"), Naming::Discard);
            QVERIFY(!write.ok || !window.isSaving());
            QVERIFY(!window.close() || !window.isSaving());
            actionOf(window, "cancelWork")->trigger();
            QTRY_VERIFY(!window.isSaving());
            QVERIFY(!QFile::exists(path));
            QVERIFY(window.messageBar()->title().contains(QStringLiteral("cancelled")));
        }
        QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("*.part")}, QDir::Hidden | QDir::Files).size(), 0);
    }

    void survivesDamagedSettings_data() {
        QTest::addColumn<QByteArray>("geometry");
        QTest::addColumn<QByteArray>("layout");
        QByteArray giant;
        {
            // A geometry as saveGeometry() writes it, for a rectangle that no screen has.
            QDataStream stream(&giant, QIODevice::WriteOnly);
            const QRect far(900'000, 900'000, 1'000'000, 1'000'000);
            stream << quint32(0x1D9D0CB) << quint16(3) << quint16(0) << far << far << qint32(7) << quint8(0)
                   << quint8(0) << qint32(1920) << far;
        }
        QTest::newRow("garbage") << QByteArray("garbage") << QByteArray("garbage");
        QTest::newRow("giant, far away") << giant << QByteArray();
        QTest::newRow("zeros") << QByteArray(100, '\0') << QByteArray(100, '\0');
    }
    void survivesDamagedSettings() {
        QFETCH(QByteArray, geometry);
        QFETCH(QByteArray, layout);
        Settings settings{QString()};
        settings.setBytes(QStringLiteral("geometry"), geometry);
        settings.setBytes(QStringLiteral("layout"), layout);
        settings.set(QStringLiteral("theme"), QStringLiteral("pink"));
        MainWindow window(&settings);
        window.show();
        const QRect area = window.screen()->availableGeometry();
        QVERIFY((window.geometry() & area).width() >= 200);
        QVERIFY(window.width() <= std::max(area.width() + 32, window.minimumSizeHint().width()));
        QVERIFY(window.themeChoice() == ThemeChoice::System);
        for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) QVERIFY(!dock->isHidden());
    }

    void keepsLayoutAndTheme() {
        Settings settings{QString()};
        {
            MainWindow window(&settings);
            window.resize(1500, 900);
            window.show();
            window.finishStart();
            window.findChild<QDockWidget*>(QStringLiteral("treeDock"))->hide();
            window.setThemeChoice(ThemeChoice::Dark);
            QVERIFY(window.close());
        }
        MainWindow again(&settings);
        again.show();
        QVERIFY(again.findChild<QDockWidget*>(QStringLiteral("treeDock"))->isHidden());
        QVERIFY(again.theme().kind() == ThemeKind::Dark);
        again.resetLayout();
        QVERIFY(!again.findChild<QDockWidget*>(QStringLiteral("treeDock"))->isHidden());
        again.setThemeChoice(ThemeChoice::Light);
        QVERIFY(again.theme().kind() == ThemeKind::Light);
    }

    void narrowWindowsTabTheInspector() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1600, 950);
        window.show();
        window.finishStart();
        auto* inspector = window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
        window.resize(1280, 720);
        QTRY_COMPARE(window.dockWidgetArea(inspector), Qt::LeftDockWidgetArea);
        QVERIFY(window.stage()->width() > 700);
        QCOMPARE(window.size(), QSize(1280, 720));
        window.resize(1600, 950);
        QTRY_COMPARE(window.dockWidgetArea(inspector), Qt::RightDockWidgetArea);
    }

    void asksOnceBeforeWorkIsLost() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.show();
        window.runLine(QStringLiteral("A = torch.arange(3)"), Naming::Discard);
        int asked = 0;
        bool discard = false;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box) return;
            ++asked;
            QVERIFY(box->text().contains(QStringLiteral("A")));
            for (QAbstractButton* button : box->buttons()) {
                const bool wanted =
                    box->buttonRole(button) == (discard ? QMessageBox::DestructiveRole : QMessageBox::RejectRole);
                if (wanted) button->click();
            }
        });
        timer.start(10);
        QVERIFY(!window.close());
        QCOMPARE(asked, 1);
        discard = true;
        QVERIFY(window.close());
        QCOMPARE(asked, 2);
        window.workspace()->setSaved();
        QVERIFY(window.close());
        QCOMPARE(asked, 2);
    }

private:
    QTemporaryDir m_folder;
    QString m_array, m_picture, m_text;
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
