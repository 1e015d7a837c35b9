// The window driven by lines: typed, chosen, refused, undone, explained.

#include "app/lessons/lesson_library.h"
#include "app/lessons/lessons_screen.h"
#include "core/io/npy.h"
#include "core/ops/creation.h"
#include "core/tensor/element.h"
#include "tests/app/main_window_fixture.h"
#include "tests/core/io/npy_corpus.h"
#include "widgets/panels/command_palette.h"
#include "widgets/panels/inspector.h"
#include "widgets/panels/message_bar.h"
#include "widgets/panels/tensor_tree.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/stage_layout.h"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace stridescope;
using namespace stridescope::test;

class TestMainWindowLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }

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
        QVERIFY(!window.console()->text().contains(QStringLiteral("undone")));
        // What is done instead of it leaves nothing to redo: the line stays grey, but promises no key.
        actionOf(window, "undo")->trigger();
        window.runLine(QStringLiteral("A.t()"), Naming::Auto);
        QVERIFY(!actionOf(window, "redo")->isEnabled());
        QVERIFY(!window.console()->text().contains(QStringLiteral("Ctrl+Y")));
        QVERIFY(window.console()->text().contains(QStringLiteral("A.narrow(1, 1, 2)   # undone\n")));
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

    void everyActStandsInTheConsole() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1280, 720);
        window.show();
        window.finishStart();
        window.runLine(QStringLiteral("A = torch.arange(12).view(3, 4)"), Naming::Discard);
        const auto* output = window.console()->findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"));
        const auto lastLines = [output](qsizetype count) {
            const QStringList all = output->toPlainText().split(QLatin1Char('\n'));
            return all.mid(std::max<qsizetype>(0, all.size() - count));
        };
        const auto steps = [&window] { return window.workspace()->steps().size(); };
        // Refused drags and forms.
        Q_EMIT window.stage()->explainRequested(QStringLiteral("A.narrow(1, 2, 9)"));
        QVERIFY2(lastLines(3).first() == QStringLiteral(">>> A.narrow(1, 2, 9)"),
                 qPrintable(lastLines(4).join(QLatin1Char('|'))));
        QVERIFY(lastLines(3)[1].startsWith(QStringLiteral("RuntimeError: ")));
        QCOMPARE(steps(), std::size_t{1});
        // What no code says: carried out and refused.
        const TensorId a = window.model()->snapshot()->tensors.front().id;
        Q_EMIT window.stage()->hideRequested(a);
        QCOMPARE(lastLines(1).first(), QStringLiteral(">>> # Hide A"));
        QCOMPARE(steps(), std::size_t{2});
        Q_EMIT window.stage()->showRequested(a);
        QCOMPARE(lastLines(1).first(), QStringLiteral(">>> # Show A"));
        auto* tree = window.findChild<TensorTree*>();
        Q_EMIT tree->renameRequested(a, QStringLiteral("2a"));
        QCOMPARE(lastLines(2).first(), QStringLiteral(">>> # Rename A to 2a"));
        QVERIFY(lastLines(1).first().startsWith(QStringLiteral("ValueError: ")));
        QCOMPARE(steps(), std::size_t{3});
        Q_EMIT tree->renameRequested(a, QStringLiteral("first"));
        QCOMPARE(lastLines(1).first(), QStringLiteral(">>> # Rename A to first"));
        // Undone as every line is.
        window.undo();
        QVERIFY(lastLines(1).first().contains(QStringLiteral("undone")));
        // The lines of the history are lines that can be run.
        actionOf(window, "copySession")->trigger();
        MainWindow again(&settings);
        again.finishStart();
        const QString lines = QGuiApplication::clipboard()->text();
        QVERIFY2(again.runLine(lines, Naming::Discard).ok, qPrintable(lines));
        QCOMPARE(namesOf(again), QStringList{QStringLiteral("A")});
    }

    void hiddenTensorsAreNotSpokenOf() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1280, 720);
        window.show();
        window.finishStart();
        window.runLine(QStringLiteral("A = torch.arange(12).view(3, 4)"), Naming::Discard);
        window.runLine(QStringLiteral("B = A.t()"), Naming::Discard);
        const TensorEntry b = window.model()->snapshot()->tensors[1];
        Pick pick;
        pick.tensor = b.id;
        pick.storageId = b.tensor.storage()->id();
        pick.coord = Dims{2, 1};
        pick.slot = 6;
        window.model()->setPick(pick);
        const auto* status = window.findChild<QLabel*>(QStringLiteral("statusText"));
        QVERIFY2(status->text().startsWith(QStringLiteral("B[2, 1] = 6")), qPrintable(status->text()));
        actionOf(window, "toggleStage")->trigger();
        QVERIFY(!window.model()->snapshot()->tensor(b.id)->onStage);
        // The selected tensor has a card whatever its eye says, so another is selected.
        QCOMPARE(window.model()->selection().tensor, window.model()->snapshot()->tensors[0].id);
        QVERIFY2(status->text().startsWith(QStringLiteral("A[1, 2] = 6")), qPrintable(status->text()));
        // With nothing of the storage in sight there is nothing to be said.
        Q_EMIT window.stage()->hideRequested(window.model()->snapshot()->tensors[0].id);
        QVERIFY2(status->text().startsWith(QStringLiteral("storage #1[6] = 6")), qPrintable(status->text()));
        window.undo();
        window.undo();
        QVERIFY2(status->text().startsWith(QStringLiteral("B[2, 1] = 6")), qPrintable(status->text()));
    }

    void valuesThatDoNotFitAreTold() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.show();
        window.finishStart();
        window.runLine(QStringLiteral("A = torch.arange(250, 262)"), Naming::Discard);
        QVERIFY(window.messageBar()->isHidden());
        window.runLine(QStringLiteral("B = A.to(torch.uint8)"), Naming::Discard);
        QVERIFY2(window.messageBar()->title().startsWith(QStringLiteral("6 of 12 values do not fit into uint8")),
                 qPrintable(window.messageBar()->title()));
        window.runLine(QStringLiteral("C = A.to(torch.int16)"), Naming::Discard);
        QVERIFY(window.messageBar()->isHidden());
        window.runLine(QStringLiteral("D = (A * 1.0 - 250).to(torch.uint8)"), Naming::Discard);
        QVERIFY(window.messageBar()->isHidden());
        window.runLine(QStringLiteral("E = (A * 1e6).to(torch.float16)"), Naming::Discard);
        QVERIFY(window.messageBar()->title().startsWith(QStringLiteral("12 of 12 values do not fit into float16")));
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
        // Of a tensor without a name, too; the workspace stays as it is.
        const TensorId selected = window.model()->selection().tensor;
        window.runLine(QStringLiteral("torch.arange(6).view(2, 3).t().view(6)"), Naming::Discard);
        QVERIFY(view->isVisible());
        QVERIFY(view->figure().scene.title.contains(QStringLiteral(".view(6)")));
        QCOMPARE(namesOf(window).size(), 3);
        QCOMPARE(window.model()->selection().tensor, selected);
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

    void escapeDropsTheRefusedNumber() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.show();
        window.finishStart();
        window.runLine(QStringLiteral("A = torch.arange(12).view(3, 4)"), Naming::Discard);
        auto* offset = window.findChild<QWidget*>(QStringLiteral("range_offset"));
        QVERIFY(offset);
        auto* field = offset->findChild<QLineEdit*>();
        QVERIFY(field);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("9"));
        QTest::keyClick(field, Qt::Key_Return);
        const auto* view = window.findChild<FigureView*>(QStringLiteral("figureView"));
        QVERIFY(view && view->isVisible());
        QCOMPARE(field->text(), QStringLiteral("9")); // to be mended
        QTest::keyClick(window.findChild<QWidget*>(QStringLiteral("figureView")), Qt::Key_Escape);
        QVERIFY(!view->isVisible());
        QCOMPARE(field->text(), QStringLiteral("0"));
        QVERIFY(!field->property("wrong").toBool());
    }

    void linesThatComeTooEarlyAreOfferedAgain() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        window.workspace()->setPatience(-1);
        QVERIFY(window.runLine(QStringLiteral("A = torch.zeros(6000, 6000)"), Naming::Discard).pending);
        QVERIFY(!window.runLine(QStringLiteral("B = torch.ones(2)"), Naming::Discard).ok);
        const auto button = [&window] { return actionOf(window.messageBar()); };
        QVERIFY(window.messageBar()->title().contains(QStringLiteral("B = torch.ones(2) was not run")));
        QVERIFY(button());
        QTRY_VERIFY(!window.workspace()->isBusy());
        QTRY_COMPARE(namesOf(window), QStringList{QStringLiteral("A")});
        // The end of the first line does not wipe that out.
        QVERIFY(window.messageBar()->isVisible());
        QVERIFY(window.messageBar()->title().contains(QStringLiteral("B = torch.ones(2) was not run")));
        QCOMPARE(button()->text(), QStringLiteral("Run it now"));
        button()->click();
        QTRY_COMPARE(namesOf(window), (QStringList{QStringLiteral("A"), QStringLiteral("B")}));
        QVERIFY(!window.messageBar()->title().contains(QStringLiteral("was not run")));
    }

    void asksBeforeWhatCannotBeUndone() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        QVERIFY(!window.runLine(QStringLiteral("A = torch.zeros(20000000)"), Naming::Discard).refusal); // 80 MB
        QTRY_VERIFY(!window.workspace()->isBusy());
        const auto first = [&window] { return readSlot(window.model()->snapshot()->tensors[0].tensor, 0).toDouble(); };
        const int steps = window.workspace()->position();
        QVERIFY(!window.runLine(QStringLiteral("A.fill_(3)"), Naming::Discard).ok);
        QVERIFY(window.messageBar()->title().contains(QStringLiteral("80.0 MB: too much to keep")));
        QCOMPARE(first(), 0.0);
        QCOMPARE(window.workspace()->position(), steps);
        actionOf(window.messageBar(), QStringLiteral("Do it"))->click();
        QTRY_VERIFY(!window.workspace()->isBusy());
        QCOMPARE(first(), 3.0);
        QVERIFY(window.workspace()->position() > steps);
        // A small write is not asked about, nor one to what the line itself makes.
        QVERIFY(window.runLine(QStringLiteral("A[:10] = 4"), Naming::Discard).ok);
        QCOMPARE(first(), 4.0);
        window.runLine(QStringLiteral("B = torch.zeros(20000000).fill_(1)"), Naming::Discard);
        QTRY_VERIFY(!window.workspace()->isBusy());
        QVERIFY(namesOf(window).contains(QStringLiteral("B")));
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
        const MessageBar* bar = window.printedBar();
        QVERIFY(!window.messageBar()->isVisible()); // it is no warning
        QCOMPARE(bar->isVisible(), inTheBar);
        const QString last = QStringLiteral("[ 8,  9, 10, 11]])");
        QCOMPARE(bar->detail().contains(last), inTheBar);
        QVERIFY(window.console()->text().contains(last));
        if (!inTheBar) QVERIFY(window.console()->linesInSight() >= 4);
        // What is too long for the bar is counted there, and can be seen there, too, in the font of code.
        window.runLine(QStringLiteral("torch.zeros(40, 2)"), Naming::Discard);
        QCOMPARE(bar->detail().contains(QStringLiteral("and 38 more lines")), inTheBar);
        if (inTheBar) {
            // Beside the prompt, in the place of the history: the picture is not covered, and no line is cut.
            const QWidget* prompt = window.console()->prompt();
            QCOMPARE(bar->geometry().bottom() + 1, prompt->mapTo(&window, QPoint()).y());
            QCOMPARE(bar->geometry().top(),
                     window.findChild<QDockWidget*>(QStringLiteral("consoleDock"))->geometry().top());
            QCoreApplication::processEvents();
            const auto* shown = bar->findChild<QLabel*>(QStringLiteral("messageDetail"));
            QVERIFY2(
                shown->height() >= shown->heightForWidth(shown->width()),
                qPrintable(QStringLiteral("%1 of %2").arg(shown->height()).arg(shown->heightForWidth(shown->width()))));
            QVERIFY(bar->kind() == MessageBar::Kind::Plain);
            actionOf(bar, QStringLiteral("Show all"))->click();
            QCOMPARE(bar->detail().count(QStringLiteral("[0., 0.]")), 40);
            const auto* all = bar->findChild<QPlainTextEdit*>(QStringLiteral("messageLongDetail"));
            QVERIFY(all);
            QCOMPARE(all->fontMetrics().horizontalAdvance(QStringLiteral("iiii")),
                     all->fontMetrics().horizontalAdvance(QStringLiteral("MMMM")));
            QVERIFY(window.rect().contains(bar->geometry()));
            QCoreApplication::processEvents();
            QVERIFY2(all->height() >= 8 * all->fontMetrics().lineSpacing(), qPrintable(QString::number(all->height())));
            QCOMPARE(bar->geometry().bottom() + 1, prompt->mapTo(&window, QPoint()).y());
        }
        // The next line that prints nothing takes it away.
        window.runLine(QStringLiteral("A[0, 0] = 5"), Naming::Discard);
        QVERIFY(!bar->isVisible());
        QVERIFY(!window.messageBar()->isVisible());
    }

    void messagesDoNotMoveThePicture() {
        for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
            Settings settings{QString()};
            settings.set(QStringLiteral("firstRunDone"), true);
            MainWindow window(&settings);
            window.showFirstPicture();
            window.resize(size);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            window.finishStart();
            QCoreApplication::processEvents();
            const QSize stage = window.stage()->size();
            window.runLine(QStringLiteral("nothere + 1"), Naming::Discard);
            QCoreApplication::processEvents();
            QVERIFY(window.messageBar()->isVisible());
            const auto* detail = window.messageBar()->findChild<QLabel*>(QStringLiteral("messageDetail"));
            QVERIFY2(detail->isVisible() && detail->height() <= 2 * detail->fontMetrics().lineSpacing(),
                     qPrintable(detail->text()));
            QCOMPARE(window.stage()->size(), stage);
            // Its options stay at hand, and the bar covers neither them nor the prompt.
            auto* header = window.findChild<QWidget*>(QStringLiteral("stageHeader"));
            QVERIFY(header->isVisible());
            const auto seen = [&window](const QWidget* widget) {
                return QRect(widget->mapTo(&window, QPoint()), widget->size());
            };
            QVERIFY(!window.messageBar()->geometry().intersects(seen(header)));
            QVERIFY(!window.messageBar()->geometry().intersects(seen(window.stage())));
            QVERIFY(!window.messageBar()->geometry().intersects(seen(window.console()->prompt())));
            window.messageBar()->findChild<QPushButton*>(QStringLiteral("messageClose"))->click();
            QVERIFY(header->isVisible());
            QCoreApplication::processEvents();
            QCOMPARE(window.stage()->size(), stage);
            // Escape closes it as well.
            window.runLine(QStringLiteral("nothere + 1"), Naming::Discard);
            QVERIFY(window.messageBar()->isVisible());
            QTest::keyClick(window.stage(), Qt::Key_Escape);
            QVERIFY(!window.messageBar()->isVisible());
            // However many lines it has it covers no cell of a card; all lines are there on demand.
            const QPoint place = window.stage()->mapTo(&window, QPoint());
            const StagePlan plan = planStage(window.stage()->state());
            auto* unfold = window.messageBar()->findChild<QPushButton*>(QStringLiteral("messageFold"));
            for (const int lines : {3, 6}) {
                window.messageBar()->showMessage(MessageBar::Kind::Error, QStringLiteral("no"),
                                                 QStringLiteral("why not\n").repeated(lines), QStringLiteral("how"));
                QCoreApplication::processEvents();
                const int top = window.messageBar()->y() - place.y();
                QVERIFY2(top >= plan.cardArea.bottom(), qPrintable(QString::number(top)));
                QVERIFY(unfold->isVisible());
                unfold->click();
                QCoreApplication::processEvents();
                QVERIFY(window.messageBar()->height() > lines * detail->fontMetrics().lineSpacing());
                QVERIFY(!window.messageBar()->geometry().intersects(seen(header)));
                QCOMPARE(window.stage()->size(), stage);
                QCOMPARE(window.stage()->mapTo(&window, QPoint()), place);
            }
        }
    }

    void fifthCardIsTold_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1600x1000") << QSize(1600, 1000);
        QTest::newRow("1280x720") << QSize(1280, 720);
    }
    void fifthCardIsTold() {
        QFETCH(QSize, size);
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(size);
        window.show();
        window.finishStart();
        for (const char* line : {"A = torch.arange(12)", "B = A[1:]", "C = A[2:]", "D = A[3:]"}) {
            window.runLine(QString::fromLatin1(line), Naming::Discard);
            QVERIFY(!window.messageBar()->isVisible());
        }
        window.runLine(QStringLiteral("E = A[4:]"), Naming::Discard);
        if (size.height() < 800) {
            // A bar would take the room of the strip.
            QVERIFY(!window.messageBar()->isVisible());
            const auto* status = window.findChild<QLabel*>(QStringLiteral("statusText"));
            QVERIFY2(status && status->text().startsWith(QStringLiteral("B was taken off the stage")),
                     status ? qPrintable(status->text()) : "none");
            window.undo();
            QVERIFY2(!status->text().contains(QStringLiteral("taken off")), qPrintable(status->text()));
            return;
        }
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
        // The next one is no news any more: a line below is enough.
        window.runLine(QStringLiteral("F = A[5:]"), Naming::Discard);
        QVERIFY(!window.messageBar()->isVisible());
        const auto* status = window.findChild<QLabel*>(QStringLiteral("statusText"));
        QVERIFY2(status->text().contains(QStringLiteral("taken off the stage")), qPrintable(status->text()));
    }

    /// In a short window the inspector's lower parts are out of sight: a command leads to each.
    void menuLeadsToTheInspectorsParts() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1280, 720);
        window.showFirstPicture();
        window.show();
        for (const auto& [command, part] :
             {std::pair("showWalk", "contiguityWalk"), std::pair("showBytes", "bytesLedger")}) {
            window.findChild<QAction*>(QString::fromLatin1(command))->trigger();
            const auto* const inspector = window.findChild<Inspector*>();
            const auto* const shown = inspector->findChild<QWidget*>(QString::fromLatin1(part));
            QTRY_VERIFY2(inspector->isVisible() && inspector->viewport()->rect().contains(shown->mapTo(
                                                       inspector->viewport(), QPoint(shown->width() / 2, 10))),
                         part);
        }
    }

    void wrapByNumberAsksForIt() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.showFirstPicture();
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* command = window.findChild<QAction*>(QStringLiteral("wrap:n"));
        QVERIFY(command && !command->isChecked());
        command->trigger();
        QVERIFY(command->isChecked());
        QCOMPARE(window.stage()->options().wrap, StripWrap::Number);
        const auto* number = window.findChild<QWidget*>(QStringLiteral("wrapNumber"));
        QTRY_VERIFY(number->isVisible() && number->hasFocus());
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
        // What only the form knows is found as well.
        palette->setFilter(QStringLiteral("expand_as"));
        QVERIFY(!palette->shown().empty());
        QVERIFY(palette->shown().front()->title.endsWith(QStringLiteral(".expand_as(…)")));
        // By what people call it, too, where the menu has other words.
        palette->setFilter(QStringLiteral("jump"));
        QVERIFY(!palette->shown().empty());
        QCOMPARE(palette->shown().front()->title, QStringLiteral("Go to index…"));
        // What would come is shown as long as it is the current entry.
        palette->setFilter(QStringLiteral("D.t()"));
        QVERIFY(window.stage()->state().preview.has_value());
        palette->setFilter(QStringLiteral("theme"));
        QVERIFY(!palette->shown().empty() && !palette->shown().front()->preview);
        QVERIFY(!window.stage()->state().preview.has_value());
        palette->setFilter(QStringLiteral("D.t()"));
        palette->setFilter(QStringLiteral("no such thing at all"));
        QVERIFY(palette->shown().empty());
        QVERIFY(!window.stage()->state().preview.has_value());
        QTest::keyClick(palette->findChild<QWidget*>(QStringLiteral("paletteField")), Qt::Key_Escape);
        QVERIFY(!palette->isVisible());
    }

    void paletteFindsLessons() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.showFirstPicture();
        window.show();
        window.openPalette(); // made when it is opened first
        CommandPalette* palette = window.commandPalette();
        const auto first = [&](const QString& typed) {
            window.openPalette();
            palette->setFilter(typed);
            return palette->shown().empty() ? QString() : palette->shown().front()->title;
        };
        int number = 0;
        for (const Lesson& lesson : lessonLibrary()) {
            const QString title = QStringLiteral("Start lesson %1: %2").arg(++number).arg(lesson.title);
            QCOMPARE(first(QStringLiteral("start lesson %1").arg(number)), title);
            QCOMPARE(first(QStringLiteral("lesson %1").arg(number)), title);
            QCOMPARE(first(lesson.title), title);
            // Its longer words, from the last one to the first.
            QStringList words;
            for (const QString& word : lesson.title.split(QLatin1Char(' '))) {
                if (word.size() > 3) words.prepend(word);
            }
            (void)first(words.join(QLatin1Char(' ')));
            const auto shown = palette->shown();
            QVERIFY2(std::any_of(shown.begin(), shown.end(), [&](const auto* entry) { return entry->title == title; }),
                     qPrintable(words.join(QLatin1Char(' '))));
        }
        first(QStringLiteral("lesson 3"));
        QTest::keyClick(palette->findChild<QWidget*>(QStringLiteral("paletteField")), Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        const auto* lessons = qobject_cast<const LessonsScreen*>(window.currentScreen());
        QVERIFY(lessons && lessons->lesson());
        QCOMPARE(lessons->lesson()->id, lessonLibrary()[2].id);
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

    void promptKeepsTheKeysOverRefusals() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        PromptField* prompt = window.console()->prompt();
        prompt->setFocus();
        const auto type = [&](const char* line) {
            QTest::keyClicks(QApplication::focusWidget(), QString::fromUtf8(line));
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        };
        type("A = torch.zeros(6)");
        // Drawn; the next line takes the picture away.
        for (const char* line : {"A.as_strided((5,), (2,), 100)", "A[0]", "A.as_strided((5,), (2,), 100)", "77", "5"}) {
            type(line);
            QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(prompt));
        }
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("A")});
        QCOMPARE(window.workspace()->position(), std::size_t{1});
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
};

QTEST_MAIN(TestMainWindowLines)
#include "tst_main_window_lines.moc"
