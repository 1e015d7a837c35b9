// Lines of Python that run for long: typed ahead, stopped from the keyboard, told in a low window.

#include "app/workspace/workspace.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/panels/message_bar.h"
#include "widgets/panels/variables_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace stridescope;
using namespace stridescope::test;

class TestPythonWaiting : public QObject, private PythonWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!preparePython()) QSKIP("the Python module is not built; this test drives it");
    }
    void init() {
        openWindow({1400, 900});
        pythonButton()->click();
        enter("import torch; k = torch.arange(3)");
        QTRY_VERIFY_WITH_TIMEOUT(entry("k") && !workspace()->isBusy(), 20'000);
    }
    void cleanup() { closeWindow(); }

    void ctrlCStopsWhatRuns() {
        enter("exec('while True: pass')");
        QTRY_VERIFY(isWorking());
        QTest::keyClicks(prompt(), QStringLiteral("half a li"));
        QTest::keyClick(prompt(), Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY(!workspace()->isBusy());
        QVERIFY(message()->title().contains(QLatin1String("KeyboardInterrupt")));
        QVERIFY(console()->text().contains(QLatin1String("KeyboardInterrupt")));
        // As in a terminal the line that was begun is gone; Up has it.
        QVERIFY(prompt()->text().isEmpty() && prompt()->hasFocus());
        QTest::keyClick(prompt(), Qt::Key_Up);
        QCOMPARE(prompt()->text(), QStringLiteral("half a li"));
        QVERIFY(entry("k"));
    }

    void ctrlCCopiesWhatIsSelectedAndGivesUpABlock() {
        prompt()->setText(QStringLiteral("for i in range(3):\n    i"));
        prompt()->selectAll();
        QTest::keyClick(prompt(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(!prompt()->text().isEmpty());
        prompt()->moveCursor(QTextCursor::End);
        QTest::keyClick(prompt(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(prompt()->text().isEmpty());
        // From among the printed lines, too.
        enter("exec('while True: pass')");
        QTRY_VERIFY(isWorking());
        auto* output = console()->findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"));
        output->setFocus();
        QTest::keyClick(output, Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY(!workspace()->isBusy());
    }

    void whatIsTypedAheadRunsAfterwards() {
        enter("import time; time.sleep(0.6); a = torch.ones(2)");
        enter("b = a + 1");
        enter("c = b.nonsense");
        enter("d = b + 1");
        QTRY_VERIFY(message()->detail().contains(QLatin1String("b = a + 1")));
        QTRY_VERIFY_WITH_TIMEOUT(entry("d") && !workspace()->isBusy(), 20'000);
        QCOMPARE(entry("d")->tensor.data<float>()[1], 3.0f);
        // In the order of typing, each with its own lines below it.
        const QString text = console()->text();
        QVERIFY(text.indexOf(QLatin1String(">>> b = a + 1")) < text.indexOf(QLatin1String(">>> c = b.nonsense")));
        QVERIFY(text.indexOf(QLatin1String("AttributeError")) < text.indexOf(QLatin1String(">>> d = b + 1")));
        QVERIFY(workspace()->undo());
        QVERIFY(!entry("d") && entry("b"));
    }

    void stopTellsWhatWasNotRun() {
        enter("exec('while True: pass')");
        enter("e = k + 1");
        enter("f = k + 2");
        QTRY_VERIFY(isWorking());
        QTest::keyClick(prompt(), Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY(!workspace()->isBusy());
        QTRY_VERIFY2(message()->detail().contains(QLatin1String("e = k + 1 and 1 more")),
                     qPrintable(message()->detail()));
        QVERIFY(console()->text().contains(QLatin1String("What waited was not run: e = k + 1 and 1 more")));
        enter("g = k + 3");
        QTRY_VERIFY_WITH_TIMEOUT(entry("g"), 20'000);
        QVERIFY(!entry("e") && !entry("f"));
    }

    void stoppedBeforePythonIsThereNothingRuns() {
        enter("import os; os._exit(3)");
        QTRY_VERIFY_WITH_TIMEOUT(message()->title().contains(QLatin1String("Python ended")), 20'000);
        enter("e = k + 1"); // starts it again
        enter("f = k + 2");
        QTest::keyClick(prompt(), Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY(!workspace()->isBusy());
        QVERIFY(console()->text().contains(QLatin1String("What waited was not run: f = k + 2")));
        enter("g = k + 3");
        QTRY_VERIFY_WITH_TIMEOUT(entry("g") && !workspace()->isBusy(), 20'000);
        QTest::qWait(300);
        QVERIFY(!entry("f"));
    }

    void theEndOfPythonTellsWhatWasNotRun() {
        enter("import os, time; time.sleep(0.5); os._exit(3)");
        enter("e = k + 1");
        QTRY_VERIFY_WITH_TIMEOUT(message()->detail().contains(QLatin1String("What waited was not run: e = k + 1")),
                                 20'000);
        QVERIFY(!entry("e") && entry("k"));
    }

    void aLowWindowTellsWhatTheConsoleHasNoRoomFor() {
        m_window->resize(1000, 500);
        if (console()->linesInSight() > 0) QSKIP("this window has room for the console's lines");
        enter("exit()");
        QTRY_VERIFY_WITH_TIMEOUT(printed()->detail().contains(QLatin1String("exit() ends the code only")), 20'000);
        // What would turn the line round or steer a terminal is shown as what it is.
        enter("print('\\u202eabc\\x1b[2J')");
        QTRY_VERIFY(printed()->detail().contains(QLatin1String("\\u202eabc\\u001b[2J")));
        enter("import time\nfor i in range(8): print('line', i); time.sleep(0.2)");
        QTRY_VERIFY(isWorking() && message()->detail().startsWith(QLatin1String("line ")));
        QTRY_VERIFY(!workspace()->isBusy());
        QTRY_VERIFY(actionOf(printed(), QStringLiteral("Show all")));
        actionOf(printed(), QStringLiteral("Show all"))->click();
        QVERIFY(printed()->detail().contains(QLatin1String("line 0\nline 1")));
        QVERIFY(printed()->detail().endsWith(QLatin1String("line 7")));
        // Where in the person's own code it went wrong, and all that led there.
        enter("def f(a):\n    return a.view(5)");
        enter("print('before'); f(k)");
        QTRY_VERIFY(message()->title().contains(QLatin1String("ended with an error")));
        QTRY_VERIFY2(printed()->detail().contains(QLatin1String("in f\n  return a.view(5)")),
                     qPrintable(printed()->detail()));
        actionOf(printed(), QStringLiteral("Show all"))->click();
        QVERIFY(printed()->detail().startsWith(QLatin1String("before\nTraceback (most recent call last)")));
        // A single line's error is plain without.
        enter("k.view(5)");
        QTRY_VERIFY(!workspace()->isBusy() && message()->title().startsWith(QLatin1String("k.view(5)")));
        QVERIFY(!printed()->isVisible());
    }

    void threadsThatGoOnCanBeStopped() {
        enter("import threading, time\n"
              "def work():\n    while True: time.sleep(0.01)\n"
              "t = threading.Thread(target=work, name='bg', daemon=True); t.start()");
        QTRY_VERIFY_WITH_TIMEOUT(actionOf(message(), QStringLiteral("Stop the thread")), 20'000);
        QVERIFY(console()->text().contains(QLatin1String("The thread bg goes on in the background.")));
        // The pane of names shows it as long as it runs, whatever the bar says; it is told once.
        enter("k += 1");
        QTRY_VERIFY_WITH_TIMEOUT(entry("k")->tensor.data<qint64>()[0] == 1 && !workspace()->isBusy(), 20'000);
        auto* running = m_window->findChild<QWidget*>(QStringLiteral("runningThreads"));
        QTRY_VERIFY(!running->isHidden());
        QCOMPARE(running->findChild<QLabel*>()->text(), QStringLiteral("The thread bg goes on in the background."));
        QCOMPARE(console()->text().count(QLatin1String("The thread bg goes on")), 1);
        running->findChild<QPushButton*>()->click();
        QTRY_VERIFY(running->isHidden());
        enter("t.join(5); print('alive', t.is_alive())");
        QTRY_VERIFY_WITH_TIMEOUT(console()->text().contains(QLatin1String("\nalive False")), 20'000);
    }

    void threadsThatEndAreNoLongerShown() {
        enter("import threading, time\nfor i in range(5): threading.Thread(target=time.sleep, args=(1.5,)).start()");
        auto* running = m_window->findChild<QWidget*>(QStringLiteral("runningThreads"));
        QTRY_VERIFY_WITH_TIMEOUT(!running->isHidden(), 20'000);
        QVERIFY(running->findChild<QLabel*>()->text().startsWith(QLatin1String("5 threads go on in the background: ")));
        QVERIFY(running->findChild<QLabel*>()->text().endsWith(QLatin1String(" and 2 more.")));
        QTRY_VERIFY(running->isHidden()); // no line was entered
    }

    void thePaneOfNamesFollowsTheHistory() {
        auto* panel = m_window->findChild<VariablesPanel*>();
        const auto names = [panel] {
            QStringList all;
            for (const VariableRow& row : panel->rows()) all << row.name + row.value;
            return all.join(QLatin1Char(' '));
        };
        enter("n = 3; z = torch.ones(2)");
        enter("n = 4\ndef f(): pass");
        QTRY_VERIFY_WITH_TIMEOUT(names().startsWith(QLatin1String("f")) && !workspace()->isBusy(), 20'000);
        const QString last = names();
        QVERIFY(last.contains(QLatin1String("n4")) && last.endsWith(QLatin1String("z")));
        QVERIFY(workspace()->undo());
        QTRY_COMPARE(names(), QString(last).replace(QLatin1String("n4"), QLatin1String("n3")));
        // Python still has both names, and hears of it with its next line.
        while (workspace()->hasName(QStringLiteral("n"))) QVERIFY(workspace()->undo());
        QTRY_VERIFY(!names().contains(QLatin1Char('n')) && !names().endsWith(QLatin1Char('z')));
        QVERIFY(names().startsWith(QLatin1Char('f'))); // of no history
        while (workspace()->redo()) {
        }
        QTRY_COMPARE(names(), last);
    }

    void eachStatementIsAStep() {
        const std::size_t before = workspace()->steps().size();
        enter("a = torch.ones(2); b = a + 1  # two\nfor i in range(2):\n    b[i] = i\nb[1] = 9");
        QTRY_VERIFY_WITH_TIMEOUT(entry("b") && !workspace()->isBusy(), 20'000);
        QStringList codes;
        for (std::size_t i = before; i < workspace()->steps().size(); ++i) codes << workspace()->steps()[i].code;
        const QStringList expected{QStringLiteral("a = torch.ones(2)"), QStringLiteral("b = a + 1"),
                                   QStringLiteral("for i in range(2):\n    b[i] = i"), QStringLiteral("b[1] = 9")};
        QCOMPARE(codes, expected);
        const auto value = [this] { return entry("b")->tensor.data<float>()[1]; };
        QCOMPARE(value(), 9.0f);
        QVERIFY(workspace()->undo());
        QCOMPARE(value(), 1.0f);
        QVERIFY(workspace()->undo());
        QCOMPARE(value(), 2.0f);
        QVERIFY(workspace()->undo());
        QVERIFY(entry("a") && !entry("b"));
        // Of code that fails, what was carried out is there, each under its own code.
        enter("c = a + 1\nc += 1\nc.nonsense\nd = c + 1");
        QTRY_VERIFY_WITH_TIMEOUT(console()->text().contains(QLatin1String("nonsense'")), 20'000);
        QTRY_VERIFY(!workspace()->isBusy());
        QCOMPARE(workspace()->steps().back().code, QStringLiteral("c += 1"));
        QVERIFY(!entry("d"));
    }

    void whatWasMadeBeforeAForcedEndIsKept() {
        enter("q = torch.ones(5); sum(range(10**12))");
        QTRY_VERIFY(isWorking());
        QVERIFY(entry("q")); // and seen meanwhile
        QTest::keyClick(prompt(), Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace()->isBusy(), 20'000);
        QVERIFY(entry("q"));
        enter("print(q.sum())");
        QTRY_VERIFY_WITH_TIMEOUT(console()->text().contains(QLatin1String("tensor(5.)")), 20'000);
    }

    void oneOfSeveralResultsHasItsNumber() {
        enter("p = torch.arange(6).view(2, 3)\nfor r in p: pass");
        QTRY_VERIFY_WITH_TIMEOUT(entry("r") && !workspace()->isBusy(), 20'000);
        QCOMPARE(entry("r")->code, QStringLiteral("p.unbind()[1]"));
        QCOMPARE(entry("r")->parent, entry("p")->id);
    }

private:
    /// A text and Enter, whatever runs.
    void enter(const char* text) {
        prompt()->setText(QString::fromUtf8(text));
        prompt()->moveCursor(QTextCursor::End);
        QTest::keyClick(prompt(), Qt::Key_Return, Qt::ControlModifier);
    }
    PromptField* prompt() const { return console()->prompt(); }
    bool isWorking() const { return message()->title().contains(QLatin1String("Python is working")); }
};

QTEST_MAIN(TestPythonWaiting)
#include "tst_python_waiting.moc"
