// The window's console in Python, driven by keys: cards, output, blocks, input, errors, Stop, undo, the end of Python.

#include "app/workspace/workspace.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/motion/motion_screen.h"
#include "widgets/panels/message_bar.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>

using namespace stridescope;
using namespace stridescope::test;

class TestPythonConsole : public QObject, private PythonWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!preparePython()) QSKIP("the Python module is not built; this test drives it");
    }
    void init() {
        openWindow({1400, 900});
        m_console = console();
        m_workspace = workspace();
        pythonButton()->click();
    }
    void cleanup() { closeWindow(); }

    void linesMakeCards() {
        type("import torch");
        type("x = torch.arange(6.).view(2, 3)");
        type("y = x.t()");
        QTRY_VERIFY_WITH_TIMEOUT(entry("y"), 20'000);
        QCOMPARE(entry("y")->parent, entry("x")->id);
        QVERIFY(entry("y")->onStage);
        type("y");
        QTRY_VERIFY(
            m_console->text().contains(QLatin1String("tensor([[0., 3.],\n        [1., 4.],\n        [2., 5.]])")));
        // An act of the mouse is a line of the other language, on the same tensors.
        QVERIFY(m_workspace->run(QStringLiteral("z = y[0]")).ok);
        type("_ = z.fill_(9); print(x[1, 0].item())");
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("\n9.0")));
        const auto steps = m_workspace->steps().size();
        QVERIFY(m_workspace->undo());
        QCOMPARE(m_workspace->steps().size(), steps);
        QCOMPARE(entry("x")->tensor.data<float>()[3], 3.0f);
        type("x[1, 0].item()");
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("\n3.0")));
    }

    void elementsTellWhereTheyCameFrom() {
        type("import torch");
        type("A = torch.arange(6.).view(2, 3)");
        type("S = (A * 2).sum(1)");
        type("M = A @ A.t(); A[0, 1] = 7");
        type("A.numpy()[1, 1] = 50");
        type("B = A + 1");
        QTRY_VERIFY_WITH_TIMEOUT(entry("B"), 20'000);
        QTRY_VERIFY(!m_workspace->isBusy());
        const auto whence = [this](const char* name, const Dims& coord) {
            const Tensor& tensor = entry(name)->tensor;
            const Pick pick{tensor.storage()->id(), tensor.view().slot(coord), entry(name)->id, coord};
            return m_workspace->model()->whence(pick).value_or(Whence{});
        };
        const Whence sum = whence("S", {1});
        QCOMPARE(sum.text, QStringLiteral("S[1] = (A * 2)[1, 0] + (A * 2)[1, 1] + (A * 2)[1, 2]"));
        QCOMPARE(sum.numbers, QStringLiteral("24.0 = 6.0 + 8.0 + 10.0"));
        QCOMPARE(sum.sources[1].text, QStringLiteral("(A * 2)[1, 1] = A[1, 1] * 2"));
        QVERIFY(!sum.sources[1].pick && sum.sources[1].sources[0].pick);
        QCOMPARE(sum.sources[1].sources[0].numbers, QStringLiteral("4.0"));
        QVERIFY(sum.sources[1].sources[0].note.contains(QLatin1String("then")));
        const Whence product = whence("M", {0, 1});
        QCOMPARE(product.numbers, QStringLiteral("14.0 = 0.0 · 3.0 + 1.0 · 4.0 + 2.0 · 5.0"));
        QCOMPARE(product.sources.size(), std::size_t{6});
        // An assignment to an index writes that, and nothing else.
        QCOMPARE(whence("A", {0, 1}).numbers, QStringLiteral("7.0"));
        QVERIFY(whence("A", {0, 1}).text.contains(QLatin1String("[0, 1] = 7")));
        QCOMPARE(whence("A", {0, 2}).text, QStringLiteral("A[0, 2] = torch.arange(6.0)"));
        // NumPy records nothing, and it is told so.
        const Whence after = whence("B", {1, 1});
        QCOMPARE(after.numbers, QStringLiteral("51.0 = 50.0 + 1"));
        QVERIFY(after.sources[0].note.contains(QLatin1String("NumPy")));
    }

    void aCutLineIsNotShown() {
        Console console;
        console.print(QStringLiteral("one\ntwo\nthree"));
        console.resize(500, 200);
        console.show();
        const QWidget* lines = console.findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"))->viewport();
        QVERIFY(lines->isVisible());
        console.resize(500, console.minimumSizeHint().height() + 12);
        QTRY_VERIFY(!lines->isVisible());
        console.resize(500, 200);
        QTRY_VERIFY(lines->isVisible());
    }

    void longOutputIsKeptAndItsEndIsSeen() {
        auto* output = m_console->findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"));
        const QScrollBar* bar = output->verticalScrollBar();
        // A pasted block makes the prompt high, and the output low as long as it stands there.
        QString block = QStringLiteral("for i in range(1500):\n");
        for (int i = 0; i < 12; ++i) block += QStringLiteral("    a = %1\n").arg(i);
        block += QStringLiteral("    print('w', i)");
        Q_EMIT m_console->linesPasted(block);
        actionOf(message(), QStringLiteral("Run them"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("\nw 1499")), 20'000);
        QTRY_COMPARE(bar->value(), bar->maximum());
        QVERIFY(m_console->text().contains(QLatin1String("\nw 0\nw 1\n")));
        QVERIFY(!m_console->text().contains(QLatin1String("dropped")));
        type("print('\\n'.join(str(i) for i in range(5000)))");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("\n4999")), 20'000);
        QVERIFY(m_console->text().contains(QLatin1String("\n0\n1\n2\n")));
        QTRY_COMPARE(bar->value(), bar->maximum());
        // Of what was copied nothing is wanted any more.
        output->selectAll();
        type("for i in range(700): print('x', i)");
        type("");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("\nx 699")), 20'000);
        QTRY_COMPARE(bar->value(), bar->maximum());
        // And while it goes on, and when it is stopped.
        type("while True: print('again')");
        type("");
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("\nagain")));
        QTRY_COMPARE(bar->value(), bar->maximum());
        QTest::keyClick(m_console->prompt(), Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("KeyboardInterrupt")), 20'000);
        QTRY_COMPARE(bar->value(), bar->maximum());
    }

    void whatIsSelectedStaysWhileOutputComes() {
        auto* output = m_console->findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"));
        QScrollBar* bar = output->verticalScrollBar();
        type("for i in range(200): print('line', i)");
        type("");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("line 199")), 20'000);
        QTRY_COMPARE(bar->value(), bar->maximum());
        // By the keyboard, over several lines, up to the very end.
        output->setFocus();
        QTest::keyClick(output, Qt::Key_End, Qt::ControlModifier);
        for (int i = 0; i < 2; ++i) QTest::keyClick(output, Qt::Key_Up, Qt::ShiftModifier);
        QTest::keyClick(output, Qt::Key_Home, Qt::ShiftModifier);
        const QString selected = QStringLiteral("line 197\u2029line 198\u2029line 199");
        QCOMPARE(output->textCursor().selectedText(), selected);
        bar->setValue(40);
        m_console->print(QStringLiteral("more\nand more"));
        QCOMPARE(output->textCursor().selectedText(), selected);
        QCOMPARE(bar->value(), 40);
        QTest::keyClick(output, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("line 197\nline 198\nline 199"));
        // The other way round, and with lines that go at the top.
        QTextCursor cursor = output->textCursor();
        cursor.movePosition(QTextCursor::End);
        cursor.movePosition(QTextCursor::StartOfBlock, QTextCursor::KeepAnchor);
        output->setTextCursor(cursor);
        QCOMPARE(cursor.selectedText(), QStringLiteral("and more"));
        bar->setValue(50);
        const QString top = output->cursorForPosition({0, 0}).block().text();
        for (int i = 0; i < 10; ++i)
            m_console->print(QString(QStringLiteral("flood\n")).repeated(982) + QString::number(i));
        QCOMPARE(output->blockCount(), Console::kMaxLines);
        QCOMPARE(output->textCursor().selectedText(), QStringLiteral("and more"));
        QCOMPARE(output->cursorForPosition({0, 0}).block().text(), top);
        // Who runs a line wants to see it.
        type("1 + 1");
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("\n2")));
        QTRY_VERIFY(bar->value() > bar->maximum() - 3);
    }

    void blocksAreGathered() {
        type("def f(n):");
        type("    return n + 1");
        type("");
        type("for i in range(3): f(i)");
        type("");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("1\n2\n3")), 20'000);
        QVERIFY(m_console->text().contains(QLatin1String(">>> def f(n):\n...     return n + 1")));
        // A transcript from a slide.
        Q_EMIT m_console->linesPasted(QStringLiteral(">>> a = f(41)\n>>> a\n42\n>>> a + 1"));
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String(">>> a\n42\n>>> a + 1\n43")));
    }

    void blocksAreEditedAsAWhole() {
        PromptField* prompt = m_console->prompt();
        prompt->setFocus();
        QTest::keyClicks(prompt, QStringLiteral("for i in range(2):"));
        const int low = prompt->height();
        QTest::keyClick(prompt, Qt::Key_Return);
        QTest::keyClicks(prompt, QStringLiteral("print('i', j)"));
        QCOMPARE(prompt->text(), QStringLiteral("for i in range(2):\n    print('i', j)"));
        QTRY_VERIFY(prompt->height() > low);
        QTRY_COMPARE(prompt->verticalScrollBar()->maximum(), 0); // all of it is seen
        // Up leads through the block, and what was wrong in it is mended before it runs.
        QTest::keyClick(prompt, Qt::Key_Up);
        QTest::keyClick(prompt, Qt::Key_Home);
        QTest::keyClicks(prompt, QStringLiteral("j = 7"));
        QTest::keyClick(prompt, Qt::Key_Return);
        QTest::keyClick(prompt, Qt::Key_End, Qt::ControlModifier);
        QTest::keyClick(prompt, Qt::Key_Return);
        QTest::keyClick(prompt, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("i 7\ni 7")), 20'000);
        QVERIFY2(
            m_console->text().contains(QLatin1String(">>> j = 7\n... for i in range(2):\n...     print('i', j)\n")),
            qPrintable(m_console->text()));
        QVERIFY(prompt->text().isEmpty());
        QTRY_COMPARE(prompt->height(), prompt->heightOf(1));
        // It comes back whole.
        QTest::keyClick(prompt, Qt::Key_Up);
        QCOMPARE(prompt->text(), QStringLiteral("j = 7\nfor i in range(2):\n    print('i', j)"));
        prompt->clear();
    }

    void completes() {
        type("import torch; x = torch.arange(6.).view(2, 3)");
        QTRY_VERIFY_WITH_TIMEOUT(entry("x") && !m_workspace->isBusy(), 20'000);
        PromptField* prompt = m_console->prompt();
        prompt->setFocus();
        QTest::keyClicks(prompt, QStringLiteral("y = x.nar"));
        QTest::keyClick(prompt, Qt::Key_Tab);
        // Who types on before the answer gets the list all the same.
        QTest::keyClicks(prompt, QStringLiteral("r"));
        QTRY_VERIFY(prompt->isCompleting());
        const Completion first = prompt->completionList()->shown().front();
        QCOMPARE(first.text, QStringLiteral("narrow"));
        QCOMPARE(first.kind, QStringLiteral("method"));
        QVERIFY(first.detail.startsWith(QLatin1String("(dim, start, length)")));
        QTest::keyClick(prompt, Qt::Key_Tab);
        QCOMPARE(prompt->text(), QStringLiteral("y = x.narrow"));
        QTest::keyClicks(prompt, QStringLiteral("(0, "));
        QTRY_VERIFY(prompt->callTip() && prompt->callTip()->isVisible() && prompt->callTip()->hint().argument == 1);
        QCOMPARE(prompt->callTip()->hint().name, QStringLiteral("narrow"));
        // Escape closes the tip and leaves the line; it comes back with the next key, and goes with the call's end.
        QTest::keyClick(prompt, Qt::Key_Escape);
        QVERIFY(!prompt->callTip()->isVisible());
        QTest::keyClicks(prompt, QStringLiteral("1"));
        QTRY_VERIFY(prompt->callTip()->isVisible());
        QTest::keyClicks(prompt, QStringLiteral(", 1)"));
        QTRY_VERIFY(!prompt->callTip()->isVisible());
        QTest::keyClick(prompt, Qt::Key_Return);
        QTRY_VERIFY(entry("y"));
        // Where nothing is known, that is said; it goes with the next key.
        QTRY_VERIFY(!m_workspace->isBusy());
        QTest::keyClicks(prompt, QStringLiteral("f(unknown.na")); // and no question on the call overtakes it
        QTest::keyClick(prompt, Qt::Key_Tab);
        QTRY_VERIFY(prompt->isCompleting() && prompt->completionList()->isEmpty());
        QTest::keyClick(prompt, Qt::Key_Backspace);
        QVERIFY(!prompt->isCompleting());
        prompt->clear();
    }

    void completionNeverWaitsForPython() {
        type("import time; value = 3; x = 1");
        type("while True: time.sleep(0.01)");
        type("");
        QTRY_VERIFY(m_workspace->isBusy());
        PromptField* prompt = m_console->prompt();
        prompt->setFocus();
        QTest::keyClicks(prompt, QStringLiteral("val"));
        QElapsedTimer timer;
        timer.start();
        QTest::keyClick(prompt, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(timer.elapsed() < 500);
        // Names of the last listing, at once; of attributes only that they are not known now.
        QVERIFY(prompt->isCompleting());
        QCOMPARE(prompt->completionList()->current(), QStringLiteral("value"));
        prompt->setText(QStringLiteral("value."));
        prompt->moveCursor(QTextCursor::End);
        QTest::keyClick(prompt, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(prompt->isCompleting());
        QVERIFY(prompt->completionList()->isEmpty());
        QTest::keyClick(prompt, Qt::Key_Return, Qt::ControlModifier); // enters all the same
        m_workspace->cancelLine();
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy(), 20'000);
    }

    void withoutPythonTabLeadsOn() {
        pythonButton()->click();
        PromptField* prompt = m_console->prompt();
        prompt->setFocus();
        QTest::keyClicks(prompt, QStringLiteral("x.na"));
        QTest::keyClick(prompt, Qt::Key_Tab);
        QVERIFY(QApplication::focusWidget() != prompt);
        QVERIFY(!prompt->isCompleting());
    }

    void errorsPointAtTheirLine() {
        Q_EMIT m_console->linesPasted(QStringLiteral("a = 1\nb = a / 0\nc = 2"));
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().contains(QLatin1String("ZeroDivisionError: division")), 20'000);
        QVERIFY2(m_console->text().contains(QLatin1String("\n... b = a / 0   # ZeroDivisionError\n")),
                 qPrintable(m_console->text()));
        Q_EMIT m_console->linesPasted(QStringLiteral("a = 1\nb = = 2"));
        QTRY_VERIFY(m_console->text().contains(QLatin1String("\n... b = = 2   # SyntaxError\n")));
        // A line of its own needs no finger; the traceback names it.
        type("1 / 0");
        QTRY_VERIFY(m_console->text().contains(QLatin1String("\n>>> 1 / 0\nTraceback")));
    }

    void torchIsImportedAndTheLineRunAgain() {
        type("x = torch.arange(4.)");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().contains(QLatin1String("NameError: name 'torch'")), 20'000);
        QTRY_VERIFY(actionOf(message(), QStringLiteral("Import torch and run it again")));
        actionOf(message(), QStringLiteral("Import torch and run it again"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(entry("x"), 20'000);
    }

    void aPasteThatIsClearedIsToldNoMore() {
        const QString paste = QStringLiteral("a = 1\n").repeated(12);
        Q_EMIT m_console->linesPasted(paste);
        QVERIFY(message()->isVisible() && message()->title().contains(QLatin1String("12 lines")));
        QTest::keyClick(m_console->prompt(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(m_console->prompt()->text().isEmpty());
        QVERIFY(!message()->isVisible());
        // What is told since stays.
        Q_EMIT m_console->linesPasted(paste);
        m_window->runLine(QStringLiteral("nothing.t()"), Naming::Discard);
        QVERIFY(message()->title().contains(QLatin1String("nothing.t()")));
        m_console->prompt()->setText({});
        QVERIFY(message()->isVisible());
    }

    void hundredsOfPastedLinesAreLinesEach() {
        QString paste;
        for (int i = 0; i < 250; ++i) paste += QStringLiteral("%1\n").arg(1000 + i);
        Q_EMIT m_console->linesPasted(paste);
        actionOf(message(), QStringLiteral("Run them"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("\n1249")), 20'000);
        QVERIFY(m_console->text().contains(QLatin1String("\n1000\n")));
    }

    void whatIsPrintedIsOnlyText() {
        type("print('\\x1b[2J\\x1b[31mred', '\\x00', '\\u202e')");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("\\u001b[2J\\u001b[31mred \\u0000 \\u202e")),
                                 20'000);
        type("print('x' * 5000)");
        QTRY_VERIFY(m_console->text().endsWith(QStringLiteral("x … 3000 more characters")));
        type("'y' * 100000");
        QTRY_VERIFY(m_console->text().contains(QLatin1String("more characters")) &&
                    m_console->text().contains(QLatin1String("yyyy")));
        QVERIFY(m_console->text().size() < 60'000);
    }

    void echoedLinesHaveColours() {
        type("def f(): return 'text'  # note");
        type("");
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy(), 20'000);
        const auto* output = m_console->findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"));
        const QTextBlock line = output->document()->lastBlock();
        QCOMPARE(line.text(), QStringLiteral(">>> def f(): return 'text'  # note"));
        const auto colourAt = [&line](int place) {
            for (const QTextLayout::FormatRange& range : line.layout()->formats()) {
                if (place >= range.start && place < range.start + range.length)
                    return range.format.foreground().color();
            }
            return QColor();
        };
        const Theme& theme = m_window->theme();
        QCOMPARE(colourAt(4), theme.color(Tone::CodeKeyword));
        QCOMPARE(colourAt(8), theme.color(Tone::CodeName));
        QCOMPARE(colourAt(20), theme.color(Tone::CodeText));
        QCOMPARE(colourAt(31), theme.color(Tone::CodeNote));
    }

    void inputIsAskedForAtThePrompt() {
        type("name = input('who? '); print('hello', name)");
        QTRY_COMPARE_WITH_TIMEOUT(m_console->promptText(), QStringLiteral("who? "), 20'000);
        type("Ada");
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("who? Ada\nhello Ada")));
        QCOMPARE(m_console->promptText(), QStringLiteral(">>>"));
    }

    void ctrlDEndsTheInput() {
        type("import sys; got = sys.stdin.read(); print('got', repr(got))");
        QTRY_COMPARE_WITH_TIMEOUT(m_console->promptText(), QString(), 20'000);
        type("one");
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("\none")));
        QTRY_COMPARE(m_console->promptText(), QString());
        QTest::keyClick(m_console->prompt(), Qt::Key_D, Qt::ControlModifier);
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("got 'one\\n'")));
        QCOMPARE(m_console->promptText(), QStringLiteral(">>>"));
        // Nobody asks: nothing ends.
        QTest::keyClick(m_console->prompt(), Qt::Key_D, Qt::ControlModifier);
        type("name = input('who? ')");
        QTRY_COMPARE(m_console->promptText(), QStringLiteral("who? "));
        QTest::keyClick(m_console->prompt(), Qt::Key_D, Qt::ControlModifier);
        QTRY_VERIFY(m_console->text().contains(QLatin1String("EOFError")));
    }

    void aLineThatIsWrittenAnewIsSeenWhileItGrows() {
        type("import time");
        type("for k in range(40): print(f'\\rstep {k}', end='', flush=True); time.sleep(0.05)");
        type("");
        QTRY_VERIFY_WITH_TIMEOUT(message()->detail().contains(QLatin1String("step 1")) ||
                                     message()->title().contains(QLatin1String("step 1")),
                                 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("\nstep 39")), 20'000);
        QVERIFY(!m_console->text().contains(QLatin1String("step 38")));
    }

    void refusedWritesArePlayed() {
        type("import torch; z = torch.arange(5).as_strided((2, 3), (2, 1))");
        type("z.add_(1)");
        QTRY_VERIFY_WITH_TIMEOUT(message()->title().contains(QLatin1String("z.add_(1)")), 20'000);
        QPushButton* play = nullptr;
        for (QPushButton* each : message()->findChildren<QPushButton*>())
            if (each->text() == QLatin1String("Play it")) play = each;
        QVERIFY(play);
        play->click();
        auto* screen = qobject_cast<MotionScreen*>(m_window->currentScreen());
        QVERIFY(screen && screen->view()->plan());
        QCOMPARE(screen->view()->plan()->hits, (std::vector<Index>{0, 1, 2, 2}));
        QVERIFY(screen->view()->plan()->caption(1).contains(QLatin1String("more than one element")));
        // Of code of several lines the one that failed; what it had done until then stands.
        type("for i in range(2):");
        type("    w = torch.zeros(3).expand(2, 3)");
        type("    w.add_(i)");
        type("");
        QTRY_VERIFY_WITH_TIMEOUT(message()->detail().contains(QLatin1String("more than one element")) &&
                                     message()->title().contains(QLatin1String("for i")),
                                 20'000);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(screen->view()->plan()->title(), QStringLiteral("w.add_(i)"));
    }

    void refusalsInFunctionsAreDrawn() {
        type("import torch; x = torch.ones(2)");
        type("def f(x): return x.t().view(12)");
        type("");
        type("f(torch.arange(12).view(3, 4))");
        const auto offered = [this] {
            for (QPushButton* each : message()->findChildren<QPushButton*>())
                if (each->text() == QLatin1String("Show why") && each->isVisible()) return each;
            return static_cast<QPushButton*>(nullptr);
        };
        QTRY_VERIFY_WITH_TIMEOUT(offered(), 20'000);
        offered()->click();
        const auto* view = m_window->findChild<FigureView*>();
        QVERIFY(view && view->isVisible());
        QVERIFY2(view->figure().scene.title.contains(QLatin1String("x.t().view(12)")),
                 qPrintable(view->figure().scene.title));
        QVERIFY(view->figure().sentence.contains(QStringLiteral("+4, +4 and then −7")));
        // Outside of the function nobody has its tensor: what would work there is not offered here.
        for (const SceneNode& node : view->figure().scene.nodes) QVERIFY(node.part.kind != PartKind::Button);
    }

    void errorsStopsAndEnds() {
        type("import torch; k = torch.ones(3)");
        type("def g():");
        type("    return k[5]");
        type("");
        type("g()");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().contains(QLatin1String("IndexError")), 20'000);
        QTRY_VERIFY(message()->detail().contains(QLatin1String("IndexError")));
        type("k.view(7)");
        QTRY_VERIFY(message()->title().contains(QLatin1String("k.view(7)")));
        bool offered = false;
        for (const QPushButton* each : message()->findChildren<QPushButton*>())
            offered = offered || each->text() == QLatin1String("Show why");
        QVERIFY(offered);
        type("while True: pass");
        type("");
        QTRY_VERIFY(message()->title().contains(QLatin1String("Python is working")));
        QVERIFY(m_workspace->isBusy());
        // Beside the prompt stands whose lines they are, and Stop as long as there is something to be stopped.
        auto* stop = m_console->findChild<QToolButton*>(QStringLiteral("stopLine"));
        QVERIFY(stop->isVisible());
        QVERIFY(QRegularExpression(QStringLiteral("^Python 3\\.\\d+$")).match(pythonButton()->text()).hasMatch());
        stop->setFocus();
        stop->click();
        QTRY_VERIFY(message()->title().contains(QLatin1String("was stopped")));
        QTRY_VERIFY(!stop->isVisible());
        QVERIFY(m_console->prompt()->hasFocus());
        QVERIFY(!m_workspace->isBusy());
        type("import os; os._exit(7)");
        QTRY_VERIFY(message()->title().contains(QLatin1String("Python ended (exit code 7).")));
        QVERIFY(m_console->text().contains(QLatin1String("kept; Python names lost")));
        QVERIFY(entry("k") && actionOf(message(), QStringLiteral("Start Python again")));
        // The line that starts it again has no use for being asked whether it should be.
        type("print(k.sum().item())");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("\n3.0")), 20'000);
        QVERIFY(!actionOf(message(), QStringLiteral("Start Python again")));
    }

    void whatIsPrintedIsSeenInALowWindow() {
        m_window->resize(1000, 500);
        type("print('many', 'words')");
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy() && m_console->text().endsWith(QLatin1String("many words")),
                                 20'000);
        QTRY_VERIFY(m_console->linesInSight() >= 2 || printed()->detail().contains(QLatin1String("many words")));
        type("for i in range(100000): print(i)");
        type("");
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy() && m_console->text().endsWith(QLatin1String("99999")), 20'000);
        // How many are dropped depends on the machine; where some are, a line says so.
        int before = -1, numbers = 0;
        const QStringList lines = m_console->text().split(QLatin1Char('\n'));
        for (const QString& line : lines) {
            bool isNumber = false;
            const int number = line.toInt(&isNumber);
            if (isNumber && before >= 0) QCOMPARE(number, before + 1);
            numbers += isNumber;
            before = isNumber ? number : -1;
            QVERIFY(numbers < 2 || isNumber || line.contains(QLatin1String("lines dropped")));
        }
        QVERIFY(numbers > 5000);
        QVERIFY(lines.size() <= Console::kMaxLines);
    }

    void theChoiceIsRemembered() {
        QVERIFY(m_settings->flag(QStringLiteral("pythonConsole"), false));
        pythonButton()->click();
        QVERIFY(!m_settings->flag(QStringLiteral("pythonConsole"), true));
    }

    void withoutPythonTheMouseStillWorks() {
        qputenv("STRIDESCOPE_PYTHON", "/nonexistent/python");
        m_window = std::make_unique<MainWindow>(m_settings.get());
        m_window->show();
        QTRY_VERIFY(m_window->findChild<Console*>());
        m_console = m_window->findChild<Console*>();
        m_workspace = m_window->findChild<Workspace*>();
        QVERIFY(pythonButton()->isChecked());
        type("import torch");
        QTRY_VERIFY(message()->title().contains(QLatin1String("/nonexistent")));
        QVERIFY(message()->detail().contains(QLatin1String("STRIDESCOPE_PYTHON")));
        QVERIFY2(m_console->text().contains(QLatin1String("does not exist")), qPrintable(m_console->text()));
        QVERIFY(!m_workspace->isBusy());
        QVERIFY(m_workspace->run(QStringLiteral("A2 = torch.ones(2)")).ok);
        // A statement that would switch Python on leaves the lines to the language that works without it.
        pythonButton()->click();
        QVERIFY(!pythonButton()->isChecked());
        type("def f(): return 1");
        QTRY_VERIFY(message()->title().contains(QLatin1String("/nonexistent")));
        QTRY_VERIFY(!pythonButton()->isChecked());
        type("A3 = torch.ones(3)");
        QTRY_VERIFY(entry("A3"));
        pythonButton()->click();
        qputenv("STRIDESCOPE_PYTHON", STRIDESCOPE_TEST_PYTHON);
    }

    void switchedOffLinesAreTheOldOnes() {
        pythonButton()->click();
        type("Q = torch.arange(3)");
        QVERIFY(entry("Q")); // at once
    }

    void whatOnlyPythonReadsIsOfferedToIt() {
        pythonButton()->click(); // off
        const auto offered = [this] {
            for (const QPushButton* each : message()->findChildren<QPushButton*>())
                if (each->objectName() == QLatin1String("messageAction")) return each->text();
            return QString();
        };
        type("P = torch.arange(4.).view(2, 2)");
        for (const char* line : {"torch.kron(P, P)", "P.frexp()", "sorted(P)"}) {
            type(line);
            QVERIFY2(offered() == QLatin1String("Run it in Python"), line);
        }
        // Statements of Python are run there at once: as one text, whose lines do not run one by one.
        const auto isPython = [&] { return pythonButton()->isChecked() && !m_workspace->isBusy(); };
        for (const char* line : {"import math", "def f(): return 1"}) {
            QVERIFY(!pythonButton()->isChecked());
            type(line);
            QTRY_VERIFY2_WITH_TIMEOUT(isPython(), line, 20'000);
            QCOMPARE(m_console->text().count(QLatin1String(line)), 1);
            pythonButton()->click();
        }
        m_console->prompt()->setFocus();
        for (const char* line : {"def g(x):", "    r = 7", "    return r", ""}) type(line);
        QTRY_VERIFY_WITH_TIMEOUT(isPython(), 20'000);
        QVERIFY(!m_workspace->hasName(QStringLiteral("r")));
        type("print(g(1))");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("\n7")), 20'000);
        QTRY_VERIFY(!m_workspace->isBusy());
        pythonButton()->click();
        type("P.view(7)"); // means the same in Python
        QTRY_VERIFY(offered() != QLatin1String("Run it in Python"));
        type("unknown");
        QTRY_VERIFY(offered() != QLatin1String("Run it in Python"));
        // Pasted, as slides have it: with prompts and what was printed.
        Q_EMIT m_console->linesPasted(QStringLiteral(
            ">>> W = torch.ones(2)\n>>> for i in range(2):\n...     W = W + W\n...\n>>> W.storage()\n 4.0\n"
            "[torch.FloatStorage of size 2]\n>>> def f(x):\n...     return x\n"));
        QCOMPARE(offered(), QStringLiteral("Run them in Python"));
        actionOf(message(), QStringLiteral("Run them in Python"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(entry("W") && entry("W")->tensor.data<float>()[0] == 4.0f, 20'000);
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("... return x")) ||
                    m_console->text().endsWith(QLatin1String("...     return x")));
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy(), 20'000);
        pythonButton()->click();
        // Without outputs, and nothing of Python in it.
        Q_EMIT m_console->linesPasted(QStringLiteral(">>> V = torch.ones(2)\n>>> V.t()\ntensor([1., 1.])"));
        QTRY_VERIFY_WITH_TIMEOUT(entry("V"), 20'000);
        type("R = torch.linalg.matrix_power(P, 2)"); // Python has no torch before it is imported
        actionOf(message(), QStringLiteral("Run it in Python"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(entry("R"), 20'000);
        QVERIFY(pythonButton()->isChecked());
        QCOMPARE(entry("R")->tensor.data<float>()[3], 11.0f);
    }

private:
    /// A line and Enter, when the line before has come to its end.
    void type(const QString& line) {
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy() || isAsked(), 20'000);
        PromptField* prompt = m_console->prompt();
        if (prompt->blockCount() > 1) {
            // The next line of a block: without the indent that it got by itself.
            prompt->moveCursor(QTextCursor::End);
            prompt->moveCursor(QTextCursor::StartOfBlock, QTextCursor::KeepAnchor);
            prompt->insert(line);
        } else {
            prompt->setText(line);
            prompt->moveCursor(QTextCursor::End);
        }
        QTest::keyClick(prompt, Qt::Key_Return);
    }
    void type(const char* line) { type(QString::fromUtf8(line)); }
    bool isAsked() const { return m_console->promptText() != QLatin1String(">>>"); }

    Console* m_console = nullptr;
    Workspace* m_workspace = nullptr;
};

QTEST_MAIN(TestPythonConsole)
#include "tst_python_console.moc"
