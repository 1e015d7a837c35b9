// Names that are not there, and imports, in the window: what is offered, and that it helps.

#include "app/window/missing_name.h"
#include "app/window/python_imports.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/panels/message_bar.h"

#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace stridescope;
using namespace stridescope::test;

class TestPythonNames : public QObject, private PythonWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!preparePython()) QSKIP("the Python module is not built; this test drives it");
    }
    void init() {
        openWindow({1400, 900});
        m_console = console();
        m_workspace = workspace();
    }
    void cleanup() { closeWindow(); }

    void nearNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("nearest");
        QTest::newRow("a letter less") << "value"
                                       << "values";
        QTest::newRow("swapped") << "vlaues"
                                 << "values";
        QTest::newRow("case") << "X"
                              << "x";
        QTest::newRow("one letter is not another") << "y"
                                                   << "";
        QTest::newRow("twice") << "xx"
                               << "x";
        QTest::newRow("far") << "points"
                             << "";
        QTest::newRow("nearer one") << "data2"
                                    << "data1";
        QTest::newRow("itself") << "x"
                                << "";
    }
    void nearNames() {
        QFETCH(QString, name);
        QFETCH(QString, nearest);
        QCOMPARE(nearestName(name, {QStringLiteral("x"), QStringLiteral("values"), QStringLiteral("data1"),
                                    QStringLiteral("database")}),
                 nearest);
    }

    void misspelt() {
        pythonButton()->click();
        type("import torch; values = torch.ones(3)");
        type("w = valeus + values");
        QTRY_VERIFY_WITH_TIMEOUT(offered(QStringLiteral("Write values")), 20'000);
        QVERIFY(m_console->text().endsWith(
            QLatin1String("NameError: name 'valeus' is not defined. Did you mean: 'values'?")));
        QVERIFY(message()->detail().contains(QLatin1String("Did you mean values?")));
        actionOf(message(), QStringLiteral("Write values"))->click();
        QCOMPARE(m_console->prompt()->text(), QStringLiteral("w = values + values"));
        QTest::keyClick(m_console->prompt(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(entry("w"), 20'000);
        // A function of torch, and one of a tensor.
        type("torch.arrange(3)");
        QTRY_VERIFY(offered(QStringLiteral("Write arange")));
        QVERIFY(m_console->text().endsWith(
            QLatin1String("AttributeError: module 'torch' has no attribute 'arrange'. Did you mean: 'arange'?")));
        actionOf(message(), QStringLiteral("Write arange"))->click();
        QCOMPARE(m_console->prompt()->text(), QStringLiteral("torch.arange(3)"));
        m_console->prompt()->clear();
        type("w.transposs(0, 0)");
        QTRY_VERIFY(offered(QStringLiteral("Write transpose")));
    }

    void misspeltInTheWindowsOwnLines() {
        type("values = torch.ones(3)");
        type("w = valeus + 1");
        QVERIFY(offered(QStringLiteral("Write values")));
        actionOf(message(), QStringLiteral("Write values"))->click();
        QTest::keyClick(m_console->prompt(), Qt::Key_Return);
        QVERIFY(entry("w"));
    }

    void deletedAndUndone_data() {
        QTest::addColumn<bool>("python");
        QTest::newRow("own lines") << false;
        QTest::newRow("Python") << true;
    }
    void deletedAndUndone() {
        QFETCH(bool, python);
        if (python) {
            pythonButton()->click();
            type("import torch");
        }
        type("values = torch.ones(3)");
        QTRY_VERIFY_WITH_TIMEOUT(entry("values"), 20'000);
        type("del values");
        QTRY_VERIFY(!entry("values"));
        type("values");
        QTRY_VERIFY(offered(QStringLiteral("Undo that")));
        QVERIFY(message()->detail().contains(QLatin1String("values was there until step")));
        actionOf(message(), QStringLiteral("Undo that"))->click();
        QVERIFY(entry("values"));
        QCOMPARE(m_console->prompt()->text(), QStringLiteral("values"));
        m_console->prompt()->clear();
        // Now the step that made it is undone, too.
        QVERIFY(m_workspace->undo());
        type("values");
        QTRY_VERIFY(offered(QStringLiteral("Redo it")));
        actionOf(message(), QStringLiteral("Redo it"))->click();
        QVERIFY(entry("values"));
        QTest::keyClick(m_console->prompt(), Qt::Key_Return);
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("tensor([1., 1., 1.])")));
    }

    void goneLongAgo() {
        type("values = torch.ones(3)");
        type("del values");
        type("k = 1");
        type("values");
        QVERIFY(offered(QStringLiteral("Go back to before that")));
        actionOf(message(), QStringLiteral("Go back to before that"))->click();
        QVERIFY(entry("values") && !m_workspace->hasName(QStringLiteral("k")));
        QVERIFY(m_workspace->redo() && m_workspace->redo() && m_workspace->hasName(QStringLiteral("k")));
    }

    void theImportCountsWhenPythonComes() {
        type("import torch");
        type("a = torch.ones(2)");
        QVERIFY(entry("a"));
        pythonButton()->click();
        QTRY_COMPARE_WITH_TIMEOUT(m_console->text().count(QLatin1String(">>> import torch")), 2, 20'000);
        type("b = torch.zeros(2)");
        QTRY_VERIFY_WITH_TIMEOUT(entry("b"), 20'000);
        // Once is enough.
        pythonButton()->click();
        pythonButton()->click();
        type("c = torch.zeros(2)");
        QTRY_VERIFY(entry("c"));
        QCOMPARE(m_console->text().count(QLatin1String(">>> import torch")), 2);
    }

    void withoutATypedImportNothingIsRun() {
        pythonButton()->click();
        type("print('here')");
        QTRY_VERIFY_WITH_TIMEOUT(m_console->text().endsWith(QLatin1String("\nhere")), 20'000);
        QVERIFY(!m_console->text().contains(QLatin1String("import torch")));
    }

    void aLineThatGoesOnToPythonHasTheImport() {
        type("import torch; a = torch.arange(3)");
        type("squares = [torch.square(v) for v in a]");
        actionOf(message(), QStringLiteral("Run it in Python"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            !m_workspace->isBusy() && m_console->text().contains(QLatin1String("import torch\n...")), 20'000);
        type("squares[2]");
        QTRY_VERIFY(m_console->text().endsWith(QLatin1String("tensor(4)")));
        // Typed, and brought along by the line: no third one.
        QCOMPARE(m_console->text().count(QLatin1String("import torch")), 2);
        // One that names no module has what was typed before.
        pythonButton()->click();
        QVERIFY(importsTorch(QStringLiteral("x = 1; import torch")) && !importsTorch(QStringLiteral("important = 1")));
        QVERIFY(!importsTorch(QStringLiteral("'import torch'")));
    }

private:
    void type(const char* line) {
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isBusy(), 20'000);
        m_console->prompt()->setText(QString::fromUtf8(line));
        m_console->prompt()->moveCursor(QTextCursor::End);
        QTest::keyClick(m_console->prompt(), Qt::Key_Return);
    }
    bool offered(const QString& label) const { return actionOf(message(), label) != nullptr; }

    Console* m_console = nullptr;
    Workspace* m_workspace = nullptr;
};

QTEST_MAIN(TestPythonNames)
#include "tst_python_names.moc"
