// The window's console in Python, driven by keys: cards, output, blocks, input, errors, Stop, undo, the end of Python.

#include "app/python/interpreter.h"
#include "app/settings/settings.h"
#include "app/window/console.h"
#include "app/window/main_window.h"
#include "app/workspace/workspace.h"
#include "core/backend/cpu/cpu_allocator.h"
#include "core/storage/shared_arena.h"
#include "widgets/panels/message_bar.h"

#include <QPushButton>
#include <QToolButton>
#include <QtTest>

using namespace stridescope;

class TestPythonConsole : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!pythonPackage()) QSKIP("the Python module is not built; this test drives it");
        qputenv("STRIDESCOPE_PYTHON", STRIDESCOPE_TEST_PYTHON);
        cpuAllocator().useArena(*SharedArena::instance());
    }
    void init() {
        m_settings = std::make_unique<Settings>(QString());
        m_window = std::make_unique<MainWindow>(m_settings.get());
        m_window->resize(1400, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY(m_window->findChild<Console*>());
        m_console = m_window->findChild<Console*>();
        m_workspace = m_window->findChild<Workspace*>();
        button()->click();
    }
    void cleanup() { m_window.reset(); }

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
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("42\n43")));
    }

    void inputIsAskedForAtThePrompt() {
        type("name = input('who? '); print('hello', name)");
        QTRY_COMPARE_WITH_TIMEOUT(m_console->promptText(), QStringLiteral("who? "), 20'000);
        type("Ada");
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("who? Ada\nhello Ada")));
        QCOMPARE(m_console->promptText(), QStringLiteral(">>>"));
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
        m_workspace->cancelLine();
        QTRY_VERIFY(message()->title().contains(QLatin1String("was stopped")));
        QVERIFY(!m_workspace->isBusy());
        type("import os; os._exit(7)");
        QTRY_VERIFY(message()->title().contains(QLatin1String("Python ended (exit code 7).")));
        QVERIFY(m_console->text().contains(QLatin1String("tensor(s) kept")));
        QVERIFY(entry("k"));
        type("print(k.sum().item())");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("\n3.0")), 20'000);
    }

    void whatIsPrintedIsSeenInALowWindow() {
        m_window->resize(1000, 500);
        type("print('many', 'words')");
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy() && m_console->text().endsWith(QLatin1String("many words")),
                                 20'000);
        QTRY_VERIFY(m_console->linesInSight() >= 2 || message()->detail().contains(QLatin1String("many words")));
        type("for i in range(100000): print(i)");
        type("");
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy() && m_console->text().endsWith(QLatin1String("99999")), 20'000);
        QVERIFY(m_console->text().contains(QLatin1String("lines dropped")));
    }

    void theChoiceIsRemembered() {
        QVERIFY(m_settings->flag(QStringLiteral("pythonConsole"), false));
        button()->click();
        QVERIFY(!m_settings->flag(QStringLiteral("pythonConsole"), true));
    }

    void withoutPythonTheMouseStillWorks() {
        qputenv("STRIDESCOPE_PYTHON", "/nonexistent/python");
        m_window = std::make_unique<MainWindow>(m_settings.get());
        m_window->show();
        QTRY_VERIFY(m_window->findChild<Console*>());
        m_console = m_window->findChild<Console*>();
        m_workspace = m_window->findChild<Workspace*>();
        QVERIFY(button()->isChecked());
        type("import torch");
        QTRY_VERIFY(message()->title().contains(QLatin1String("/nonexistent")));
        QVERIFY(message()->detail().contains(QLatin1String("STRIDESCOPE_PYTHON")));
        QVERIFY2(m_console->text().contains(QLatin1String("does not exist")), qPrintable(m_console->text()));
        QVERIFY(!m_workspace->isBusy());
        QVERIFY(m_workspace->run(QStringLiteral("A2 = torch.ones(2)")).ok);
        qputenv("STRIDESCOPE_PYTHON", STRIDESCOPE_TEST_PYTHON);
    }

    void switchedOffLinesAreTheOldOnes() {
        button()->click();
        type("Q = torch.arange(3)");
        QVERIFY(entry("Q")); // at once
    }

private:
    QToolButton* button() const { return m_console->findChild<QToolButton*>(QStringLiteral("pythonButton")); }
    MessageBar* message() const { return m_window->findChild<MessageBar*>(); }
    const TensorEntry* entry(const char* name) const {
        for (const TensorEntry& each : m_workspace->model()->snapshot()->tensors) {
            if (each.name == QLatin1String(name)) return &each;
        }
        return nullptr;
    }
    /// A line and Enter, when the line before has come to its end.
    void type(const QString& line) {
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy() || isAsked(), 20'000);
        m_console->prompt()->setText(line);
        QTest::keyClick(m_console->prompt(), Qt::Key_Return);
    }
    void type(const char* line) { type(QString::fromUtf8(line)); }
    bool isAsked() const { return m_console->promptText() == QLatin1String("who? "); }

    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    Console* m_console = nullptr;
    Workspace* m_workspace = nullptr;
};

QTEST_MAIN(TestPythonConsole)
#include "tst_python_console.moc"
