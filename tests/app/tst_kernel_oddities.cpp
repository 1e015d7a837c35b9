// A kernel in odd surroundings, odd code, names that come and go, and everything at once.

#include "tests/app/kernel_watch.h"

#include <QDir>
#include <QTemporaryDir>

#include <random>

using namespace stridescope;
using test::KernelWatch;
using test::Turns;
using Status = KernelResult::Status;

namespace {

constexpr int kKillLimit = 4000;

bool isLong() {
    return qEnvironmentVariableIntValue("STRIDESCOPE_LONG") > 0;
}

/// Sets a variable of the environment, or the folder, for as long as it lives.
class Environment {
public:
    Environment(const char* name, const QByteArray& value)
        : m_name(name), m_old(qgetenv(name)), m_had(qEnvironmentVariableIsSet(name)) {
        qputenv(name, value);
    }
    ~Environment() { m_had ? qputenv(m_name, m_old) : qunsetenv(m_name); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    const char* m_name;
    QByteArray m_old;
    bool m_had;
};

void writeFile(const QString& path, const QByteArray& text, bool program = false) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    if (program) file.setPermissions(file.permissions() | QFile::ExeOwner);
}

} // namespace

class TestKernelOddities : public QObject {
    Q_OBJECT

public:
    static void initMain() {
        if (isLong()) qputenv("QTEST_FUNCTION_TIMEOUT", "3600000"); // Qt would end a function after five minutes
    }

private Q_SLOTS:
    void initTestCase() {
        if (!pythonPackage()) QSKIP("the Python module is not built; this test drives it");
    }

    // P12
    void theFolderAndOthersTorchAreNotOnThePath() {
        QTemporaryDir folder;
        for (const char* name : {"torch.py", "random.py", "json.py", "stridescope.py", "ast.py"})
            writeFile(folder.filePath(QLatin1String(name)), "raise RuntimeError('planted')\n");
        const QString old = QDir::currentPath();
        QDir::setCurrent(folder.path());
        {
            KernelWatch watch;
            const auto run =
                watch.run("import random, json, torch, stridescope; torch is stridescope, torch.__version__");
            QCOMPARE(run.value, QStringLiteral("(True, '1.13.1+stridescope')"));
            QCOMPARE(watch.run("import os, sys; os.getcwd() in sys.path, '' in sys.path").value,
                     QStringLiteral("(False, False)"));
        }
        QDir::setCurrent(old);
    }

    // P13
    void theEnvironmentDoesNotMatter() {
        QTemporaryDir folder;
        writeFile(folder.filePath(QStringLiteral("startup.py")), "print('startup')\n");
        writeFile(folder.filePath(QStringLiteral("torch/__init__.py")), "print('planted')\n");
        writeFile(folder.filePath(QStringLiteral("usercustomize.py")), "print('custom')\n");
        const Environment path("PYTHONPATH", folder.path().toLocal8Bit()), home("PYTHONHOME", "/nonexistent"),
            startup("PYTHONSTARTUP", folder.filePath(QStringLiteral("startup.py")).toLocal8Bit()),
            encoding("PYTHONIOENCODING", "rubbish"), inspect("PYTHONINSPECT", "1"),
            user("PYTHONUSERBASE", "/nonexistent");
        KernelWatch watch;
        const auto run = watch.run("import torch; print('ä'); torch.ones(1)");
        QCOMPARE(run.out, QStringLiteral("ä\n"));
        QCOMPARE(run.value, QStringLiteral("tensor([1.])"));
    }

    // P14
    void oddSources() {
        KernelWatch watch;
        QCOMPARE(watch.run("x = 1\nif x:\n  y = 2\n   z = 3").error.line, 4);
        QCOMPARE(watch.run("if True:").error.type, QStringLiteral("IndentationError"));
        QCOMPARE(watch.run("if True:\n\tx = 1\n        y = 2").error.type, QStringLiteral("TabError"));
        QCOMPARE(watch.run("x = 5\r\nx\r\n").value, QStringLiteral("5"));
        QCOMPARE(watch.run(QStringLiteral("x = 'a") + QChar(0) + QStringLiteral("'")).status(), Status::Failed);
        QCOMPARE(watch.run(QStringLiteral("'") + QChar(0xd800) + QStringLiteral("'")).timedOut, false);
        QCOMPARE(watch.run("π = 3; größe = π; größe").value, QStringLiteral("3"));
        QCOMPARE(watch.run("😀 = 1").error.type, QStringLiteral("SyntaxError"));
        QString large;
        for (int i = 0; large.size() < 1'000'000; ++i) large += QStringLiteral("x%1 = %1\n").arg(i % 100);
        const Turns turns(watch.client);
        const auto run = watch.run(large + QStringLiteral("x99"), 60'000);
        QCOMPARE(run.value, QStringLiteral("99"));
        QVERIFY2(turns.isBounded(), qPrintable(turns.words()));
        QCOMPARE(watch.run("").status(), Status::Done);
        QCOMPARE(watch.run("from __future__ import annotations").status(), Status::Done);
        QCOMPARE(watch.run("def f(a: undefined): pass").status(), Status::Done);
    }

    // P16
    void namesComeAndGo() {
        KernelWatch watch;
        watch.run("import torch, weakref; x = torch.arange(4.); v = x[1:]");
        const KernelVariables& variables = watch.client.variables();
        const Tensor view = *variables.find(QStringLiteral("v"))->tensor;
        watch.run("r = weakref.ref(x); del x");
        QVERIFY(!variables.find(QStringLiteral("x")));
        QCOMPARE(variables.find(QStringLiteral("v"))->tensor->storage()->id(), view.storage()->id());
        watch.run("v = torch.zeros(2); v = 5");
        QVERIFY(!variables.find(QStringLiteral("v"))->isTensor);
        QCOMPARE(view.data<float>()[2], 3.0f);
        const auto run = watch.run("class D:\n    def __del__(self): raise ValueError('in del')\nd = D(); del d");
        QCOMPARE(run.status(), Status::Done);
        QVERIFY(run.err.contains(QLatin1String("ValueError: in del")));
        // Objects that do not want to be looked at.
        QCOMPARE(watch
                     .run("class B(int):\n    def __repr__(self): raise ValueError('no')\n    __class__ = "
                          "property(lambda s: 1 / 0)\nb = B(3); m = {b: b}; None")
                     .status(),
                 Status::Done);
        QVERIFY(variables.find(QStringLiteral("b")));
    }

    void pythonsOwnNamesMayGo_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("a function") << QByteArray("builtins.len = None");
        QTest::newRow("all that the kernel needs") << QByteArray(
            "for n in ('isinstance', 'len', 'range', 'repr', 'str', 'list', 'dict', 'getattr', 'Exception', "
            "'BaseException', 'MemoryError', 'memoryview', 'type', 'print'):\n    delattr(builtins, n)");
        QTest::newRow("streams") << QByteArray("del sys.stdout, sys.stderr");
        QTest::newRow("little recursion") << QByteArray("sys.setrecursionlimit(40)");
    }
    void pythonsOwnNamesMayGo() {
        QFETCH(QByteArray, code);
        KernelWatch watch;
        watch.run("import torch, builtins, sys; x = torch.arange(12.)");
        const QString process = watch.run("import os; os.getpid()").value;
        QCOMPARE(watch.run(code).status(), Status::Done);
        QCOMPARE(watch.run("x[3].item()").value, QStringLiteral("3.0"));
        QCOMPARE(watch.run("1 / 0").error.type, QStringLiteral("ZeroDivisionError"));
        QCOMPARE(watch.run("undefined").error.type, QStringLiteral("NameError"));
        QCOMPARE(watch.run("import os; os.getpid()").value, process);
        // What code did to its Python stays done.
        if (code.contains("len = None")) QCOMPARE(watch.run("len is None").value, QStringLiteral("True"));
        if (code.contains("limit")) QCOMPARE(watch.run("sys.getrecursionlimit()").value, QStringLiteral("40"));
    }

    void whatBreaksTheKernelLeavesTheTensors_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("its modules") << QByteArray(
            "import json.encoder as e; e.JSONEncoder.encode = None; e.c_make_encoder = "
            "None; e.JSONEncoder.iterencode = None");
        QTest::newRow("C's exit") << QByteArray("import ctypes; ctypes.CDLL(None).exit(3)");
    }
    void whatBreaksTheKernelLeavesTheTensors() {
        QFETCH(QByteArray, code);
        KernelWatch watch;
        watch.run("import torch; x = torch.arange(12.) + 1");
        const Tensor x = *watch.client.variables().find(QStringLiteral("x"))->tensor;
        // Python's own end would free the memory, and write into it, that the window shows.
        QCOMPARE(watch.run(code).status(), Status::Lost);
        for (int i = 0; i < 12; ++i) QCOMPARE(x.data<float>()[i], float(i + 1));
        QCOMPARE(watch.run("x.sum().item()").value, QStringLiteral("78.0"));
    }

    // P17
    void numpyViewsOutliveTheirTensors() {
        KernelWatch watch;
        watch.run("import torch, numpy, gc; x = torch.ones(1000000); a = x.numpy()");
        watch.run("del x; gc.collect(); junk = [torch.zeros(1000000) for i in range(20)]; a[:] = 4");
        QCOMPARE(watch.run("float(a.sum()), sum(float(j.sum()) for j in junk)").value,
                 QStringLiteral("(4000000.0, 0.0)"));
    }

    // P18
    void stopDropsWhatWaits() {
        KernelWatch watch;
        watch.run("n = 0");
        watch.now = {};
        const quint64 first =
            watch.client.execute(QStringLiteral("print('ready')\nwhile True: pass"), KernelMode::Script);
        const quint64 second = watch.client.execute(QStringLiteral("n = 1"), KernelMode::Script);
        QVERIFY(watch.waitFor([&] { return watch.now.out.contains(QLatin1String("ready")); }));
        watch.client.stop();
        QCOMPARE(watch.end(first).status(), Status::Interrupted);
        QCOMPARE(watch.end(second).status(), Status::NotStarted);
        QCOMPARE(watch.run("n").value, QStringLiteral("0"));
        // Stop at any moment, and one that comes when nothing runs: the next code is not hurt.
        for (int i = 0; i < 30; ++i) {
            const quint64 id = watch.client.execute(QStringLiteral("while True: pass"));
            QTest::qWait(i % 5);
            watch.client.stop();
            QCOMPARE(watch.end(id, 3000).status(), Status::Interrupted);
            watch.client.stop();
            QCOMPARE(watch.run("n + 1").value, QStringLiteral("1"));
        }
        QVERIFY(watch.ends.isEmpty());
    }

    // P19
    void withoutPython() {
        QTemporaryDir folder;
        writeFile(folder.filePath(QStringLiteral("old")), "#!/bin/sh\necho CPython 3.9\n", true);
        writeFile(folder.filePath(QStringLiteral("liar")), "#!/bin/sh\necho CPython 3.11\necho ok\nexit 0\n", true);
        const struct {
            QString python, refusal;
        } cases[] = {{QStringLiteral("/nonexistent"), QStringLiteral("PY-02")},
                     {folder.filePath(QStringLiteral("old")), QStringLiteral("PY-03")},
                     {folder.filePath(QStringLiteral("liar")), QStringLiteral("PY-07")}};
        for (const auto& [python, refusal] : cases) {
            KernelWatch watch;
            watch.client.setOptions({python, 0});
            const auto run = watch.run("1");
            QCOMPARE(run.status(), Status::NotStarted);
            QCOMPARE(watch.ends.size(), 1);
            QCOMPARE(watch.ends[0].refusal, refusal);
            QVERIFY(!watch.ends[0].message.isEmpty());
            QCOMPARE(watch.client.state(), KernelClient::State::Off);
            // Mended, it goes on.
            watch.client.setOptions({QStringLiteral(STRIDESCOPE_TEST_PYTHON), 0});
            QCOMPARE(watch.run("1").value, QStringLiteral("1"));
        }
    }

    // P20
    void randomSnippets() {
        const QByteArrayList pieces = {"x = torch.rand(100, 100)",
                                       "x = x @ x",
                                       "y = x.t()",
                                       "1 / 0",
                                       "raise SystemExit",
                                       "print('a' * 100000)",
                                       "import os; os._exit(3)",
                                       "import gc; gc.collect()",
                                       "del x",
                                       "while True: pass",
                                       "x = [0] * 10 ** 11",
                                       "import threading; threading.Thread(target=print, args=(1,)).start()",
                                       "input()",
                                       "sum(range(10 ** 8))",
                                       "import sys; sys.stdout = None",
                                       "import sys; sys.displayhook = None",
                                       "import builtins; builtins.print = None",
                                       "import ctypes; ctypes.string_at(0)",
                                       "f'{x}'",
                                       "y[0] = 1",
                                       "x.fill_(3)",
                                       "for i in range(10000): print(i)",
                                       "import os; os.fork()",
                                       "globals().clear()",
                                       "import sys; sys.modules.clear()",
                                       "import os; os.close(1)",
                                       "import sys; sys.exit(5)",
                                       "import warnings; warnings.warn('w')",
                                       "x.storage()[0] = 7",
                                       "import signal; signal.alarm(1)",
                                       "import sys; sys.settrace(lambda *a: 1 / 0)",
                                       "z = torch.zeros(10 ** 6); w = z[::2]",
                                       "def f(): f()\nf()",
                                       "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))",
                                       "__name__ = 5",
                                       "type(x).x = 1",
                                       "import sys; sys.setrecursionlimit(50)",
                                       "import os; os.chdir('/')",
                                       "import os; os.kill(os.getpid(), 2)"};
        const unsigned seed = isLong() ? std::random_device()() : 7;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        KernelWatch watch;
        const Turns turns(watch.client);
        const int count = isLong() ? 1000 : 60;
        for (int i = 0; i < count; ++i) {
            // Some pieces leave a Python in which nothing works any more: the next ones get a fresh one.
            if (i % 8 == 7) {
                watch.client.restart();
                QVERIFY(watch.waitForKernel());
            }
            QByteArray code = "import torch\n";
            const auto lines = 1 + static_cast<unsigned>(random() % 3);
            for (unsigned k = 0; k < lines; ++k)
                code +=
                    pieces[static_cast<qsizetype>(random() % static_cast<std::uint_fast32_t>(pieces.size()))] + "\n";
            watch.now = {};
            const quint64 id = watch.client.execute(QString::fromUtf8(code));
            if (watch.end(id, 500).timedOut) {
                watch.client.stop();
                QVERIFY2(!watch.end(id, kKillLimit).timedOut, code.constData());
            }
            QVERIFY(watch.waitFor([&] {
                return watch.client.state() == KernelClient::State::Idle ||
                       watch.client.state() == KernelClient::State::Off;
            }));
        }
        QVERIFY2(turns.isBounded(), qPrintable(turns.words()));
        watch.client.restart();
        QVERIFY(watch.waitForKernel());
        QCOMPARE(watch.run("1 + 1").value, QStringLiteral("2"));
    }
};

QTEST_GUILESS_MAIN(TestKernelOddities)
#include "tst_kernel_oddities.moc"
