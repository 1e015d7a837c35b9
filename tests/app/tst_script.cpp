// Around Python in the window: scripts that are edited, run and gone through line by line; the pane of names; the
// choice of an interpreter.

#include "app/window/python_settings_dialog.h"
#include "app/window/script_dock.h"
#include "app/window/variables_dock.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/code/code_edit.h"
#include "widgets/panels/history_panel.h"
#include "widgets/panels/message_bar.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QFile>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>
#include <QTimer>
#include <QToolButton>

using namespace stridescope;
using namespace stridescope::test;

class TestScript : public QObject, private PythonWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!preparePython()) QSKIP("the Python module is not built; this test drives it");
    }
    void init() {
        openWindow({1600, 1000});
        m_script = m_window->findChild<ScriptDock*>();
        m_script->show();
        m_edit = m_script->edit();
    }
    void cleanup() {
        m_edit->document()->setModified(false); // or it asks
        closeWindow();
    }

    void runsWhole() {
        m_edit->setText(
            QStringLiteral("import torch\nx = torch.arange(4)\nfor i in range(3):\n    x += 1\nprint(x.sum())\n"));
        action("runScript")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(console()->text().endsWith(QLatin1String("tensor(18)")), 20'000);
        QTRY_VERIFY(!m_edit->isReadOnly());
        QCOMPARE(namesOf(*m_window), QStringList{QStringLiteral("x")});
        QVERIFY(m_edit->marks().empty());
    }

    void whatWasToldBeforeGoesWhenItStarts() {
        pythonButton()->click();
        console()->prompt()->setText(QStringLiteral("1 / 0"));
        console()->enter();
        QTRY_VERIFY_WITH_TIMEOUT(message()->title().contains(QLatin1String("ended with an error")), 20'000);
        QTRY_VERIFY(!m_window->workspace()->isBusy());
        m_edit->setText(QStringLiteral("a = 1\nb = 2\n"));
        action("stepScript")->trigger();
        QVERIFY2(!message()->isVisible(), qPrintable(message()->title()));
        QTRY_VERIFY_WITH_TIMEOUT(m_script->isEnabled() && !m_edit->marks().empty(), 20'000);
        action("runScript")->trigger();
        QTRY_VERIFY(!m_edit->isReadOnly());
    }

    void aLongCallIsLive() {
        m_edit->setText(QStringLiteral("import time, torch\nx = torch.zeros(3)\ndef main():\n    for i in range(100):\n"
                                       "        x[0] = i\n        print(i, 'of 100')\n        time.sleep(0.1)\n"
                                       "main()\ny = x + 1\n"));
        const auto steps = m_window->workspace()->steps().size();
        action("runScript")->trigger();
        // While the call goes on: what was made before it, what it prints, what it writes, and a way to stop it.
        QTRY_VERIFY_WITH_TIMEOUT(entry("x"), 20'000);
        QVERIFY(m_window->workspace()->isBusy() && m_edit->isReadOnly());
        QCOMPARE(m_window->workspace()->steps().size(), steps + 1);
        QTRY_VERIFY(console()->text().contains(QLatin1String("3 of 100")));
        QSignalSpy written(m_window->model(), &WorkspaceModel::valuesChanged);
        QTRY_VERIFY(written.count() > 1);
        QVERIFY(first32() > 2 && m_edit->isReadOnly());
        m_script->findChild<QToolButton*>(QStringLiteral("scriptStop"))->click();
        QElapsedTimer timer;
        timer.start();
        QTRY_VERIFY(!m_edit->isReadOnly());
        QVERIFY(timer.elapsed() < 2000);
        QCOMPARE(namesOf(*m_window), QStringList{QStringLiteral("x")});
        QVERIFY(console()->text().contains(QLatin1String("KeyboardInterrupt")));
        // What it had written until then is a step of its own; without it x is as the lines before made it, or nearly.
        QCOMPARE(m_window->workspace()->steps().size(), steps + 2);
        QVERIFY(m_window->workspace()->steps().back().code.contains(QLatin1String("main()")));
        const float stopped = first32();
        QVERIFY(m_window->workspace()->undo());
        QVERIFY(first32() < stopped);
        // And the same at the prompt, while a question is thought about.
        pythonButton()->click();
        console()->prompt()->setText(QStringLiteral("q = torch.ones(2); answer = input('which? ')"));
        QTest::keyClick(console()->prompt(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(entry("q"), 20'000);
        QTRY_COMPARE(console()->promptText(), QStringLiteral("which? "));
        console()->prompt()->setText(QStringLiteral("this"));
        QTest::keyClick(console()->prompt(), Qt::Key_Return);
        QTRY_VERIFY(!m_window->workspace()->isBusy());
    }

    void theHistoryNamesWhatRan() {
        // Of one statement, so that it is one step however slow the machine is.
        m_edit->setText(
            QStringLiteral("# what it is for\nif True:\n    import torch\n    x = torch.arange(4)\n    x += 1\n"));
        action("runScript")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(namesOf(*m_window).contains(QStringLiteral("x")), 20'000);
        QTRY_VERIFY(!m_edit->isReadOnly());
        QCOMPARE(lastLabel(), QStringLiteral("<script>: 5 lines, 2 operations"));
        QVERIFY(m_window->workspace()->steps().back().code.startsWith(QLatin1String("# what it is for\nif True:")));
        // A block at the prompt has the first line that does something.
        pythonButton()->click();
        console()->prompt()->setText(QStringLiteral("# twice\nfor i in range(2):\n    x += 1"));
        QTest::keyClick(console()->prompt(), Qt::Key_Return, Qt::ControlModifier); // a block goes on after Return
        QTRY_COMPARE(lastLabel(), QStringLiteral("for i in range(2): …"));
        m_edit->setText(QStringLiteral("n = 1\nn += 1\nif n:\n    n += 1\n    n *= 2\n"));
        step(1);
        step(2);
        action("runScript")->trigger();
        QTRY_VERIFY(!m_edit->isReadOnly());
        QCOMPARE(lastLabel(), QStringLiteral("<script>, line 2 to the end"));
    }

    void stepsLineByLine() {
        m_edit->setText(QStringLiteral(
            "import torch\n\nx = torch.tensor([1,\n    2])\nfor i in range(2):\n    x[0] += 10\ny = x.t()\n"));
        const auto steps = m_window->workspace()->steps().size();
        step(1);
        QVERIFY(m_edit->isReadOnly());
        QVERIFY(namesOf(*m_window).isEmpty());
        step(3);
        step(5);
        // The picture has what was done; the history has the statement, and no half of it.
        QCOMPARE(namesOf(*m_window), QStringList{QStringLiteral("x")});
        QCOMPARE(m_window->workspace()->steps().back().code, QStringLiteral("x = torch.tensor([1,\n    2])"));
        step(6);
        step(5);
        QCOMPARE(first(), 11);
        step(6);
        // Between two lines the mouse can act, and Python sees it.
        QVERIFY(!m_window->workspace()->isBusy());
        QVERIFY(m_window->workspace()->run(QStringLiteral("x[0] = 100")).ok);
        step(5);
        QCOMPARE(first(), 110);
        step(7);
        action("stepScript")->trigger();
        QTRY_VERIFY(!m_edit->isReadOnly());
        QVERIFY(m_edit->marks().empty());
        QCOMPARE(namesOf(*m_window), (QStringList{QStringLiteral("x"), QStringLiteral("y")}));
        QVERIFY(m_window->workspace()->steps().size() > steps + 3);
        // Each line is a step of its own.
        QVERIFY(m_window->workspace()->undo());
        QCOMPARE(namesOf(*m_window), QStringList{QStringLiteral("x")});
    }

    void theRestRunsAtOnce() {
        m_edit->setText(QStringLiteral("n = 1\nn += 1\nn += 1\nprint('n is', n)"));
        step(1);
        step(2);
        action("runScript")->trigger();
        QTRY_VERIFY(console()->text().endsWith(QLatin1String("n is 3")));
        QTRY_VERIFY(!m_edit->isReadOnly());
    }

    void stepsIntoFunctions() {
        m_edit->setText(QStringLiteral("import torch\ndef half(t):\n    u = t / 2\n    u[0] = 7\n    return u\n\n"
                                       "x = torch.ones(2)\ny = half(half(x))\nz = [half(x) for i in range(2)][1]\n"
                                       "del z\n"));
        for (const int line : {1, 2, 7, 8}) step(line);
        into(3);
        QCOMPARE(namesOf(*m_window), (QStringList{QStringLiteral("x"), QStringLiteral("t")}));
        step(4);
        // Its tensors are shown while it is gone through.
        QVERIFY(namesOf(*m_window).contains(QStringLiteral("u")));
        step(5);
        QCOMPARE(m_window->workspace()->steps().back().code, QStringLiteral("u[0] = 7"));
        // Back, and into the second call of the line, or over it.
        into(3);
        step(4);
        step(5);
        step(9);
        QCOMPARE(namesOf(*m_window), (QStringList{QStringLiteral("x"), QStringLiteral("y")}));
        step(10);
        action("stepScript")->trigger();
        QTRY_VERIFY(!m_edit->isReadOnly());
        QVERIFY(m_edit->marks().empty());
        // From a function to the end.
        step(1);
        step(2);
        step(7);
        step(8);
        into(3);
        action("runScript")->trigger();
        QTRY_VERIFY(!m_edit->isReadOnly());
        QCOMPARE(namesOf(*m_window), (QStringList{QStringLiteral("x"), QStringLiteral("y")}));
    }

    void errorsMarkTheirLine() {
        m_edit->setText(QStringLiteral("def f():\n    return 1 / 0\n\nf()\n"));
        action("runScript")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_edit->marks().count(2) == 1 && m_edit->marks().at(2) == CodeEdit::Mark::Wrong,
                                 20'000);
        QTRY_VERIFY(words().contains(QLatin1String("Line 2: ZeroDivisionError")));
        // What is mended has no mark.
        m_edit->insert(QStringLiteral("#"));
        QVERIFY(m_edit->marks().empty());
        m_edit->setText(QStringLiteral("x = 1\nif x = 2:\n    pass\n"));
        action("stepScript")->trigger();
        QTRY_VERIFY(m_edit->marks().count(2) == 1);
        QVERIFY(words().contains(QLatin1String("SyntaxError")));
    }

    void stopsWhileItWaits() {
        m_edit->setText(QStringLiteral("a = 1\nb = 2\n"));
        step(1);
        step(2);
        m_script->findChild<QToolButton*>(QStringLiteral("scriptStop"))->click();
        QTRY_VERIFY(!m_edit->isReadOnly());
        QVERIFY(m_edit->marks().empty());
        QVERIFY(m_window->workspace()->hasName(QStringLiteral("a")));
        QVERIFY(!m_window->workspace()->hasName(QStringLiteral("b")));
    }

    void files() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("größe.py"));
        m_edit->setText(QStringLiteral("x = 'ü'"));
        m_edit->document()->setModified(true);
        QVERIFY(m_script->isModified());
        QVERIFY(m_script->saveFile(path));
        QVERIFY(!m_script->isModified());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("x = 'ü'\n"));
        // A place that cannot be written says so, and the text is as it was.
        m_edit->document()->setModified(true);
        QVERIFY(!m_script->saveFile(folder.filePath(QStringLiteral("none/x.py"))));
        QVERIFY(message()->title().contains(QLatin1String("was not saved")));
        QCOMPARE(m_script->path(), path);
        QVERIFY(m_script->isModified());
        m_edit->document()->setModified(false);
        QVERIFY(m_script->openFile(path));
        QCOMPARE(m_edit->text(), QStringLiteral("x = 'ü'\n"));
        QVERIFY(!m_script->isModified());
        // What is no script is refused in words.
        const auto refused = [&](const char* name, const QByteArray& bytes) {
            QFile other(folder.filePath(QString::fromLatin1(name)));
            if (!other.open(QIODevice::WriteOnly)) return QString();
            other.write(bytes);
            other.close();
            return m_script->openFile(other.fileName()) ? QString() : message()->detail();
        };
        QVERIFY(refused("bytes.py", QByteArray("\xff\xfe\x00", 3)).contains(QLatin1String("UTF-8")));
        QVERIFY(refused("long.py", QByteArray(2 << 20, 'x')).contains(QLatin1String("at most")));
        QVERIFY(!m_script->openFile(folder.path()));
        QCOMPARE(m_script->path(), path);
    }

    void theKeyForSavingSavesTheScript() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("s.py"));
        m_edit->setText(QStringLiteral("x = 1"));
        QVERIFY(m_script->saveFile(path));
        m_edit->setText(QStringLiteral("x = 2"));
        m_edit->document()->setModified(true);
        m_window->activateWindow();
        m_script->raise();
        m_edit->setFocus();
        QSignalSpy tensor(actionOf(*m_window, "saveSession"), &QAction::triggered);
        QTest::keyClick(m_edit, Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(tensor.size(), 0);
        QVERIFY(!m_script->isModified());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("x = 2\n"));
    }

    void tooMuchIsNotPasted() {
        m_edit->setText(QString());
        m_edit->document()->setModified(false);
        QGuiApplication::clipboard()->setText(QString(2 << 20, QLatin1Char('x')));
        m_edit->paste();
        QVERIFY(m_edit->text().isEmpty());
        QCOMPARE(message()->title(), QStringLiteral("Nothing was pasted."));
        QVERIFY2(message()->detail().contains(QLatin1String("2.10 MB")) &&
                     message()->detail().contains(QLatin1String("1.05 MB")),
                 qPrintable(message()->detail()));
        QGuiApplication::clipboard()->setText(QStringLiteral("y = 1"));
        m_edit->paste();
        QCOMPARE(m_edit->text(), QStringLiteral("y = 1"));
        m_edit->setText(QString());
        m_edit->document()->setModified(false);
    }

    void scriptsAreOpenedLikeOtherFiles() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("hello.py")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("print('never by itself')\n");
        file.close();
        m_script->hide();
        m_window->openFiles({file.fileName()});
        QVERIFY(!m_script->isHidden());
        QCOMPARE(m_script->path(), file.fileName());
        QVERIFY(!m_window->workspace()->isBusy());
        QVERIFY(!console()->text().contains(QLatin1String("never")));
        m_window->openFiles({file.fileName(), QStringLiteral("/nowhere/other.py")});
        QVERIFY(message()->title().contains(QLatin1String("Of 2 scripts the first")));
        // Of several the others are in the lists of recent ones, in the pane and in the menu of files.
        QFile other(folder.filePath(QStringLiteral("other.py")));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.close();
        m_window->openFiles({file.fileName(), other.fileName()});
        QCOMPARE(m_script->path(), file.fileName());
        auto* recent = m_script->findChild<QMenu*>(QStringLiteral("recentScripts"));
        Q_EMIT recent->aboutToShow();
        QCOMPARE(recent->actions().size(), 2);
        QCOMPARE(recent->actions()[0]->text(), QStringLiteral("hello.py"));
        QCOMPARE(recent->actions()[1]->text(), QStringLiteral("other.py"));
        recent->actions()[1]->trigger();
        QCOMPARE(m_script->path(), other.fileName());
        auto* files = m_window->findChild<QMenu*>(QStringLiteral("recentMenu"));
        Q_EMIT files->aboutToShow();
        QCOMPARE(files->actions()[0]->text(), QStringLiteral("other.py"));
        // Not over one that runs.
        m_edit->setText(QStringLiteral("a = 1\nb = 2"));
        step(1);
        m_window->openFiles({file.fileName()});
        QVERIFY(message()->title().contains(QLatin1String("still runs")));
        QVERIFY(m_edit->text().startsWith(QLatin1String("a = 1")));
        action("stopPython")->trigger();
        QTRY_VERIFY(!m_edit->isReadOnly());
    }

    void changesThatAreNotSavedAreAskedAbout() {
        m_edit->setText(QStringLiteral("x = 1"));
        m_edit->document()->setModified(true);
        const auto answer = [](QMessageBox::ButtonRole role) {
            QTimer::singleShot(0, [role] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                QVERIFY(box && box->objectName() == QLatin1String("scriptQuestion"));
                for (QAbstractButton* button : box->buttons())
                    if (box->buttonRole(button) == role) button->click();
            });
        };
        answer(QMessageBox::RejectRole);
        QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
        answer(QMessageBox::DestructiveRole);
        QVERIFY(m_script->mayDiscard());
    }

    void findsInTheScript() {
        m_edit->setText(QStringLiteral("import torch\nx = torch.ones(2)\ny = x\nTorch = 1\n"));
        m_edit->setFocus();
        QTest::keyClick(m_edit, Qt::Key_F, Qt::ControlModifier);
        auto* field = m_script->findChild<QLineEdit*>(QStringLiteral("findField"));
        const auto* count = m_script->findChild<QLabel*>(QStringLiteral("findCount"));
        QTRY_VERIFY(field->isVisible() && field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("torch"));
        const auto line = [this] { return m_edit->textCursor().blockNumber() + 1; };
        QCOMPARE(count->text(), QStringLiteral("1 of 3"));
        QCOMPARE(line(), 1);
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(line(), 2);
        QTest::keyClick(field, Qt::Key_Return);
        QTest::keyClick(field, Qt::Key_Return); // round the end
        QCOMPARE(line(), 1);
        QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(line(), 4);
        QCOMPARE(m_edit->textCursor().selectedText(), QStringLiteral("Torch"));
        field->setText(QStringLiteral("nothing"));
        QCOMPARE(count->text(), QStringLiteral("not found"));
        QCOMPARE(line(), 4);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!field->isVisible() && m_edit->hasFocus());
        // What is selected is looked for.
        m_edit->moveCursor(QTextCursor::Start);
        m_edit->moveCursor(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
        QTest::keyClick(m_edit, Qt::Key_F, Qt::ControlModifier);
        QTRY_COMPARE(field->text(), QStringLiteral("import"));
        QCOMPARE(count->text(), QStringLiteral("1 of 1"));
    }

    void thePaneOfNames() {
        auto* dock = m_window->findChild<VariablesDock*>();
        QVERIFY(dock->isHidden());
        QToolButton* button = pythonButton();
        button->click(); // shows it, the first time
        QVERIFY(!dock->isHidden());
        QVERIFY(m_window->workspace()->run(QStringLiteral("A = torch.arange(6).view(2, 3); k = 4")).ok);
        enter("import torch, math; B = A.t(); f = lambda: 0; d = {1: 2}; C = A[0]; D = A[1]; E = A + 1");
        QTRY_VERIFY_WITH_TIMEOUT(row(dock, "E"), 20'000);
        QCOMPARE(row(dock, "A")->size, QStringLiteral("(2, 3)"));
        QCOMPARE(row(dock, "A")->stride, QStringLiteral("(3, 1)"));
        QCOMPARE(row(dock, "B")->storage, row(dock, "A")->storage);
        QVERIFY(row(dock, "E")->storage != row(dock, "A")->storage);
        QCOMPARE(row(dock, "k")->value, QStringLiteral("4"));
        QCOMPARE(row(dock, "d")->type, QStringLiteral("dict"));
        QCOMPARE(row(dock, "d")->value, QStringLiteral("1 element"));
        QCOMPARE(row(dock, "math")->type, QStringLiteral("module"));
        QCOMPARE(row(dock, "f")->type, QStringLiteral("function"));
        // The stage has room for four; a click brings the fifth back.
        QByteArray hidden;
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                for (const char* name : {"A", "B", "C", "D", "E"})
                    if (!row(dock, name)->onStage) hidden = name;
                return !hidden.isEmpty();
            }(),
            5000);
        Q_EMIT dock->panel()->cardRequested(row(dock, hidden.constData())->tensor);
        QTRY_VERIFY(row(dock, hidden.constData())->onStage);
        QCOMPARE(m_window->model()->selected()->name, QString::fromLatin1(hidden));
        enter("del d; B = 5");
        QTRY_VERIFY(!row(dock, "d") && row(dock, "B") && row(dock, "B")->value == QLatin1String("5"));
        // Names that only Python has are told so to who uses them without it.
        button->click();
        m_window->runLine(QStringLiteral("f(1)"), Naming::Discard);
        QVERIFY2(console()->text().contains(QLatin1String("f is known to Python only (function)")),
                 qPrintable(console()->text()));
    }

    void theInterpreterIsTriedBeforeItIsKept() {
        PythonSettingsDialog dialog(m_settings.get(), std::nullopt, m_window.get());
        QSignalSpy chosen(&dialog, &PythonSettingsDialog::chosen);
        dialog.show();
        auto* path = dialog.findChild<QLineEdit*>(QStringLiteral("pythonPath"));
        const auto refusal = [&dialog] {
            const auto* frame = dialog.findChild<QFrame*>(QStringLiteral("pythonRefusal"));
            return frame->isHidden() ? QString() : frame->findChild<QLabel*>()->text();
        };
        const auto refused = [&](const QString& python, const char* why) {
            path->setText(python);
            dialog.accept();
            return QTest::qWaitFor([&] { return refusal().contains(QLatin1String(why)); }, 10'000);
        };
        QVERIFY2(refused(QStringLiteral("/nonexistent/python"), "does not exist"), qPrintable(refusal()));
        QTemporaryFile plain;
        QVERIFY(plain.open());
        QVERIFY2(refused(plain.fileName(), "not a program"), qPrintable(refusal()));
        QVERIFY2(refused(QStringLiteral("/bin/echo"), "is not a Python"), qPrintable(refusal()));
        auto* kind = dialog.findChild<QComboBox*>(QStringLiteral("memoryKind"));
        auto* memory = dialog.findChild<QDoubleSpinBox*>(QStringLiteral("memoryLimit"));
        kind->setCurrentIndex(1);
        memory->setValue(1e6);
        QVERIFY2(refused(QStringLiteral(STRIDESCOPE_TEST_PYTHON), "this machine has"), qPrintable(refusal()));
        QVERIFY(chosen.isEmpty() && dialog.isVisible());
        QVERIFY(m_settings->text(QStringLiteral("python")).isEmpty());
        memory->setValue(2.0);
        dialog.accept();
        QVERIFY(chosen.wait(20'000));
        QVERIFY(!dialog.isVisible());
        QCOMPARE(kernelOptions(*m_settings).python, QStringLiteral(STRIDESCOPE_TEST_PYTHON));
        QCOMPARE(kernelOptions(*m_settings).memoryLimit, qint64{2'000'000'000});
        // The next window starts with it.
        MainWindow next(m_settings.get());
        next.finishStart();
        auto* button = next.console()->findChild<QToolButton*>(QStringLiteral("pythonButton"));
        button->click();
        next.console()->prompt()->setText(QStringLiteral("import resource; resource.getrlimit(resource.RLIMIT_AS)[0]"));
        QTest::keyClick(next.console()->prompt(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(next.console()->text().endsWith(QLatin1String("\n2000000000")), 20'000);
        QVERIFY(actionOf(next, "pythonSettings")); // in the menu, so in the palette
    }

    void pastesOfManyLinesAreShownFirst() {
        QToolButton* button = pythonButton();
        button->click();
        PromptField* prompt = console()->prompt();
        const auto paste = [&](const QString& text) {
            prompt->insertPasted(text);
            return message()->isVisible() ? message()->title() : QString();
        };
        // Six lines are shown; five run.
        QVERIFY(paste(QStringLiteral("a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6"))
                    .contains(QLatin1String("Pasted: 6 lines")));
        QCOMPARE(prompt->text(), QStringLiteral("a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6")); // all of them
        QTest::qWait(100);
        QVERIFY(!m_window->workspace()->isBusy() && !m_window->workspace()->hasName(QStringLiteral("a")));
        // They can be changed before they run.
        prompt->insert(QStringLiteral(" + 1"));
        for (QPushButton* each : message()->findChildren<QPushButton*>())
            if (each->text() == QLatin1String("Run them")) each->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->hasName(QStringLiteral("f")), 20'000);
        QVERIFY(console()->text().contains(QLatin1String("... f = 6 + 1")));
        QVERIFY(prompt->text().isEmpty());
        QTRY_VERIFY(!m_window->workspace()->isBusy());
        // Prompts of a transcript are taken off; Ctrl+Enter runs it, too.
        paste(QStringLiteral(">>> g = 1\n>>> h = 2\n>>> i = 3\n>>> for j in [4]:\n...     k = j\n... \n>>> l = 5\n"));
        QVERIFY2(prompt->text().startsWith(QLatin1String("g = 1\nh = 2")), qPrintable(prompt->text()));
        QTest::keyClick(prompt, Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->hasName(QStringLiteral("l")), 20'000);
        QTRY_VERIFY(!message()->isVisible());
        // As at Python's own prompt, what fails in a transcript does not keep the rest from running.
        QTRY_VERIFY(!m_window->workspace()->isBusy());
        const QString failing = QStringLiteral(
            ">>> f1 = 1\n>>> 1 / 0\nTraceback (most recent call last):\n  ...\nZeroDivisionError: division by zero\n"
            ">>> f2 = 2\n>>> f2\n2\n>>> for i in [1, 2]:\n...     f3 = i\n... \n");
        paste(failing);
        QCOMPARE(prompt->text().section(QLatin1Char('\n'), 0, 2), QStringLiteral("f1 = 1\n1 / 0\nf2 = 2"));
        QTest::keyClick(prompt, Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(m_window->workspace()->hasName(QStringLiteral("f3")), qPrintable(console()->text()),
                                  20'000);
        QTRY_VERIFY(!m_window->workspace()->isBusy());
        QVERIFY2(console()->text().contains(QLatin1String("division by zero\n>>> f2 = 2\n>>> f2\n2\n>>> for i in")),
                 qPrintable(console()->text()));
        // So, too, when it is short enough to run at once.
        paste(QStringLiteral(">>> 1 / 0\n>>> f4 = 4"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->hasName(QStringLiteral("f4")), 20'000);
        // Into a line that was begun, lines come where the cursor is.
        QTRY_VERIFY(!m_window->workspace()->isBusy());
        prompt->setText(QStringLiteral("m = []"));
        prompt->moveCursor(QTextCursor::End);
        prompt->moveCursor(QTextCursor::Left);
        prompt->insertPasted(QStringLiteral("1,\n2"));
        QCOMPARE(prompt->text(), QStringLiteral("m = [1,\n2]"));
        prompt->clear();
        // Windows' line ends, tabs, letters of any kind, a megabyte.
        QTRY_VERIFY(!m_window->workspace()->isBusy());
        paste(QStringLiteral("for i in [7]:\r\n\tj = i\r\n\r\nk = j\r\n"));
        QTRY_VERIFY(m_window->workspace()->hasName(QStringLiteral("k")));
        QTRY_VERIFY(!m_window->workspace()->isBusy());
        paste(QStringLiteral("größe = '\U0001F600'\nlen(größe)"));
        QTRY_VERIFY2(console()->text().endsWith(QLatin1String("\n1")), qPrintable(console()->text().right(300)));
        QTRY_VERIFY(!m_window->workspace()->isBusy());
        const QString lone = QStringLiteral("s = '") + QChar(0xD800) + QStringLiteral("'\n1 + 1");
        paste(lone);
        QTRY_VERIFY(!m_window->workspace()->isBusy());
        QElapsedTimer timer;
        timer.start();
        QVERIFY(paste(QString(QStringLiteral("x = 1  # %1\n")).repeated(80'000)).contains(QLatin1String("Pasted: 80")));
        QVERIFY(timer.elapsed() < 2000);
        prompt->insertPasted(QString(2'000'000, QLatin1Char('y')));
        QVERIFY(prompt->text().size() <= PromptField::kLongest);
    }

private:
    QAction* action(const char* name) const { return actionOf(*m_window, name); }
    QString words() const {
        QString all;
        for (const QLabel* label : m_script->widget()->findChildren<QLabel*>()) all += label->text();
        return all;
    }
    float first32() const { return entry("x")->tensor.data<float>()[0]; }
    int first() const {
        return static_cast<int>(m_window->model()->snapshot()->tensors.front().tensor.data<std::int64_t>()[0]);
    }
    static const VariableRow* row(const VariablesDock* dock, const char* name) {
        for (const VariableRow& each : dock->panel()->rows()) {
            if (each.name == QLatin1String(name)) return &each;
        }
        return nullptr;
    }
    /// What stands under the last node of the timeline.
    QString lastLabel() const {
        const auto labels = m_window->findChild<HistoryLine*>()->labels();
        return labels.empty() ? QString() : labels.back().text;
    }
    /// The next line, after which the script waits before `line`.
    void step(int line) { goOn("stepScript", line); }
    void into(int line) { goOn("stepIntoScript", line); }
    void goOn(const char* how, int line) {
        action(how)->trigger();
        const auto waits = [&] {
            return m_edit->marks().size() == 1 && m_edit->marks().count(line) == 1 &&
                   words().contains(tr("waits before line %1").arg(line));
        };
        QVERIFY2(QTest::qWaitFor(waits, 20'000), qPrintable(words() + console()->text()));
    }
    void enter(const char* line) {
        console()->prompt()->setText(QString::fromUtf8(line));
        QTest::keyClick(console()->prompt(), Qt::Key_Return);
    }

    ScriptDock* m_script = nullptr;
    CodeEdit* m_edit = nullptr;
};

QTEST_MAIN(TestScript)
#include "tst_script.moc"
