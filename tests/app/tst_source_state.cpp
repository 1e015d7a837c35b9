// When the prompt goes on, and transcripts.

#include "app/kernel/source_state.h"

#include <QTest>

using namespace stridescope;

class TestSourceState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void incomplete_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<bool>("expected");
        const auto row = [](const char* source, bool expected) {
            QTest::newRow(source) << QString::fromUtf8(source) << expected;
        };
        row("", false);
        row("x = 1", false);
        row("x = (1,", true);
        row("x = (1,\n2)", false);
        row("f(a[1], {", true);
        row("x = ')'", false);
        row("x = '('", false);
        row("x = '", false); // Python's to refuse
        row("x = '''a", true);
        row("x = '''a\nb'''", false);
        row("x = \"\"\"a\n(", true);
        row("x = 1 + \\", true);
        row("x = 1 + \\\n2", false);
        row("# (", false);
        row("x = 1 # [", false);
        row("if x:", true);
        row("if x: y", true);
        row("if x:\n    y", true);
        row("if x:\n    y\n", false);
        row("for i in range(3): print(i)", true);
        row("for i in range(3): print(i)\n", false);
        row("def f():\n    return 1\n\n", false);
        row("with a as b:\n  pass", true);
        row("@decorated", true);
        row("x = {1: 2}", false);
        row("x[1:2]", false);
        row("lambda: 1", false);
        row("match = 3", false);
        row("match x:", true);
        row("iffy = 1", false);
        row("x: int = 3", false);
        row("print('a:')", false);
        row("x = 'it\\'s'", false);
        row("x = 1)", false);
    }
    void incomplete() {
        QFETCH(QString, source);
        QFETCH(bool, expected);
        QCOMPARE(isIncompletePython(source), expected);
    }

    void openBlocks() {
        for (const char* open : {"def f(x):", "for i in range(3):\n    a += i", "@decorated\ndef f():"})
            QVERIFY2(isOpenPythonBlock(QString::fromLatin1(open)), open);
        for (const char* whole :
             {"def f(): return 1", "for i in range(3):\n    a += i\n", "A[1:", "A = torch.ones(2)", ""})
            QVERIFY2(!isOpenPythonBlock(QString::fromLatin1(whole)), whole);
    }

    void transcripts() {
        QCOMPARE(codeOfTranscript(QStringLiteral("x = 1\ny = 2")), QStringLiteral("x = 1\ny = 2"));
        QCOMPARE(codeOfTranscript(QStringLiteral("\n>>> x = torch.ones(2)\n>>> x\ntensor([1., 1.])\n>>> for i in "
                                                 "x:\n...     print(i)\n... \ntensor(1.)\n>>> ")),
                 QStringLiteral("x = torch.ones(2)\nx\nfor i in x:\n    print(i)\n\n"));
        QCOMPARE(codeOfTranscript(QStringLiteral(">>>x")), QStringLiteral(">>>x"));
        QCOMPARE(statementsOfTranscript(QStringLiteral("x = 1\ny = 2")), QStringList{QStringLiteral("x = 1\ny = 2")});
        QCOMPARE(statementsOfTranscript(QStringLiteral("\n>>> x = [1,\n... 2]\n>>> x\n[1, 2]\n>>> ")),
                 (QStringList{QStringLiteral("x = [1,\n2]"), QStringLiteral("x"), QString()}));
    }
};

QTEST_GUILESS_MAIN(TestSourceState)
#include "tst_source_state.moc"
