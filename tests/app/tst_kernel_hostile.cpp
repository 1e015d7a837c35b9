// Code that does not mean well, or does not know what it does: the window lives, says what happened, and goes on.
// What takes minutes runs with STRIDESCOPE_LONG=1 only (see tests/README.md).

#include "tests/app/kernel_watch.h"

#include <QSignalSpy>
#include <unistd.h>

using namespace stridescope;
using test::KernelWatch;
using test::Turns;
using Status = KernelResult::Status;
using Why = KernelEnd::Why;

namespace {

constexpr int kStopLimit = 2000, kKillLimit = 4000;

bool isLong() {
    return qEnvironmentVariableIntValue("STRIDESCOPE_LONG") > 0;
}

qint64 residentMegabytes() {
    QFile status(QStringLiteral("/proc/self/statm"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    return status.readAll().split(' ').at(1).toLongLong() * sysconf(_SC_PAGESIZE) / 1'000'000;
}

} // namespace

class TestKernelHostile : public QObject {
    Q_OBJECT

public:
    static void initMain() {
        if (isLong()) qputenv("QTEST_FUNCTION_TIMEOUT", "3600000"); // Qt would end a function after five minutes
    }

private Q_SLOTS:
    void initTestCase() {
        if (!pythonPackage()) QSKIP("the Python module is not built; this test drives it");
    }

    // P1, P3: what Python can interrupt.
    void stops_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("loop") << QByteArray("while True: pass");
        QTest::newRow("sleep") << QByteArray("import time; time.sleep(1000)");
        QTest::newRow("deadlock") << QByteArray("import threading; l = threading.Lock(); l.acquire(); l.acquire()");
        QTest::newRow("socket") << QByteArray("import socket; a, b = socket.socketpair(); a.recv(1)");
        QTest::newRow("child") << QByteArray("import subprocess; subprocess.run(['sleep', '777'])");
        QTest::newRow("regex") << QByteArray("import re; re.match('(a+)+$', 'a' * 100 + 'b')");
        QTest::newRow("operations") << QByteArray("while True: x.add_(0)");
        QTest::newRow("large operation") << QByteArray(
            "big = torch.rand(30000000)\nfor i in range(1000): big.sin().cos().exp()");
        QTest::newRow("printing") << QByteArray("while True: print('line')");
        QTest::newRow("values") << QByteArray("while True: exec(compile('torch.ones(3)', 'c', 'single'))");
    }
    void stops() {
        QFETCH(QByteArray, code);
        KernelWatch watch;
        watch.run("import torch; x = torch.arange(3.)");
        const qint64 kernel = watch.client.hello()->process;
        const Turns turns(watch.client);
        const auto run = watch.runAndStop("print('ready')\n" + code);
        QVERIFY(!run.timedOut);
        QVERIFY2(run.milliseconds <= kStopLimit, qPrintable(QString::number(run.milliseconds)));
        QCOMPARE(run.status(), Status::Interrupted);
        QCOMPARE(run.error.type, QStringLiteral("KeyboardInterrupt"));
        QVERIFY(run.error.interrupted);
        QVERIFY2(turns.isBounded(), qPrintable(turns.words()));
        QCOMPARE(watch.run("x + 1").value, QStringLiteral("tensor([1., 2., 3.])"));
        QCOMPARE(watch.client.hello()->process, kernel);
        if (code.contains("777"))
            QVERIFY(QProcess::execute(QStringLiteral("pgrep"), {QStringLiteral("-f"), QStringLiteral("^sleep 777")}) !=
                    0);
    }

    // P2, P11: what it cannot.
    void stopsByForce_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("sum") << QByteArray("sum(range(10 ** 12))");
        QTest::newRow("deque") << QByteArray(
            "import collections, itertools; collections.deque(itertools.count(), maxlen=0)");
        QTest::newRow("deaf") << QByteArray(
            "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass");
        QTest::newRow("stubborn") << QByteArray(
            "while True:\n    try:\n        for i in range(10 ** 12): n = i\n    except BaseException: pass");
    }
    void stopsByForce() {
        QFETCH(QByteArray, code);
        KernelWatch watch;
        watch.run("import torch; x = torch.arange(3.); f = len");
        const Turns turns(watch.client);
        const auto run = watch.runAndStop("print('ready')\n" + code);
        QVERIFY2(run.milliseconds <= kKillLimit, qPrintable(QString::number(run.milliseconds)));
        QCOMPARE(run.status(), Status::Lost);
        QVERIFY(watch.waitForKernel());
        QCOMPARE(watch.ends.size(), 1);
        QCOMPARE(watch.ends[0].why, Why::Stopped);
        QCOMPARE(watch.ends[0].keptTensors, QStringList{QStringLiteral("x")});
        // Behind them stands what the code itself had made until then.
        QCOMPARE(watch.ends[0].lostNames.mid(0, 2), (QStringList{QStringLiteral("torch"), QStringLiteral("f")}));
        QVERIFY2(watch.ends[0].hint.contains(QLatin1String("Python names lost: torch, f")),
                 qPrintable(watch.ends[0].hint));
        QVERIFY2(turns.isBounded(), qPrintable(turns.words()));
        QCOMPARE(watch.run("x.tolist()").value, QStringLiteral("[0.0, 1.0, 2.0]"));
        if (code.contains("778"))
            QVERIFY(QProcess::execute(QStringLiteral("pgrep"), {QStringLiteral("-f"), QStringLiteral("^sleep 778")}) !=
                    0);
    }

    // P4, P6: it ends.
    void ends_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QString>("message");
        QTest::newRow("_exit") << QByteArray("import os; os._exit(7)") << QStringLiteral("Python ended (exit code 7).");
        QTest::newRow("abort") << QByteArray("import os; os.abort()")
                               << QStringLiteral("Python ended: signal 6 (Aborted).");
        QTest::newRow("segfault") << QByteArray("import ctypes; ctypes.string_at(0)")
                                  << QStringLiteral("Python ended: signal 11 (Segmentation fault).");
        QTest::newRow("kill -9") << QByteArray("import os; os.kill(os.getpid(), 9)")
                                 << QStringLiteral("Python ended: signal 9 (Killed).");
        QTest::newRow("terminate") << QByteArray("import os; os.kill(os.getpid(), 15)")
                                   << QStringLiteral("Python ended: signal 15 (Terminated).");
    }
    void ends() {
        QFETCH(QByteArray, code);
        QFETCH(QString, message);
        KernelWatch watch;
        watch.run("import torch; x = torch.arange(3.); n = 1");
        const Tensor x = *watch.client.variables().find(QStringLiteral("x"))->tensor;
        const auto run = watch.run("print('last words')\n" + code);
        QCOMPARE(run.status(), Status::Lost);
        QCOMPARE(run.out, QStringLiteral("last words\n"));
        QCOMPARE(watch.ends.size(), 1);
        QCOMPARE(watch.ends[0].message, message);
        // What the code had imported until then is gone with it.
        const QString imported = QString::fromUtf8(code).section(QLatin1Char(';'), 0, 0).section(QLatin1Char(' '), 1);
        QCOMPARE(watch.ends[0].hint, QStringLiteral("1 tensor kept; Python names lost: torch, n, %1.").arg(imported));
        QCOMPARE(watch.client.state(), KernelClient::State::Off);
        QCOMPARE(x.data<float>()[2], 2.0f);
        // Nothing is started until somebody wants it; then the tensors are there again.
        QCOMPARE(watch.run("x.sum().item()").value, QStringLiteral("3.0"));
    }

    void closedChannelsAndRubbishInThem() {
        KernelWatch watch;
        watch.run("import os, torch; x = torch.ones(2)");
        const QString channel =
            watch
                .run("[int(f) for f in os.listdir('/proc/self/fd') if 'socket' in "
                     "(os.readlink(f'/proc/self/fd/{f}') if os.path.exists(f'/proc/self/fd/{f}') else '')][0]")
                .value;
        QCOMPARE(watch.run(QStringLiteral("os.write(%1, b'rubbish' * 100)").arg(channel), 10'000).status(),
                 Status::Lost);
        QVERIFY(watch.waitForKernel());
        QCOMPARE(watch.run("x.tolist()").value, QStringLiteral("[1.0, 1.0]"));
        QCOMPARE(watch.run("import os; os.closerange(3, 100)", 10'000).status(), Status::Lost);
        QCOMPARE(watch.run("x.tolist()").value, QStringLiteral("[1.0, 1.0]"));
    }

    // P5, P15: memory.
    void memoryIsLimited() {
        KernelWatch watch;
        watch.client.setOptions({QStringLiteral(STRIDESCOPE_TEST_PYTHON), qint64{2'000'000'000}});
        watch.run("import torch; x = torch.arange(3.)");
        QCOMPARE(watch.client.hello()->memoryLimit, qint64{2'000'000'000});
        const Turns turns(watch.client);
        for (const char* code : {"y = [0] * 10 ** 10", "y = []\nwhile True: y.append(bytearray(16000000))",
                                 "y = torch.ones(10 ** 9)", "torch.zeros(1).expand(10 ** 9).tolist()",
                                 "list(torch.zeros(1).expand(10 ** 9))", "y = 'a' * 10 ** 11"}) {
            const auto run = watch.run(code, 60'000);
            QCOMPARE(run.status(), Status::Failed);
            QVERIFY2(run.error.type.contains(QLatin1String("Memory")), qPrintable(run.error.traceback));
            watch.run("y = None");
        }
        const auto told = watch.run("[0] * 10 ** 10");
        QVERIFY2(told.error.traceback.contains(QLatin1String("Python's memory limit here is 2.0 GB.")),
                 qPrintable(told.error.traceback));
        QVERIFY(watch.ends.isEmpty());
        QCOMPARE(watch.run("torch.zeros(1).expand(10 ** 9)").value,
                 QStringLiteral("tensor([0., 0., 0.,  ..., 0., 0., 0.])"));
        QCOMPARE(watch.run("x.tolist()").value, QStringLiteral("[0.0, 1.0, 2.0]"));
        QVERIFY2(turns.isBounded(), qPrintable(turns.words()));
    }

    // P6: what Python itself catches.
    void recursionIsToldShortly() {
        KernelWatch watch;
        const auto run = watch.run("def f(): return f()\nf()");
        QCOMPARE(run.error.type, QStringLiteral("RecursionError"));
        QVERIFY(run.error.traceback.size() < 10'000);
        const auto nested = watch.run("x = []\nfor i in range(10 ** 6): x = [x]\nx");
        QVERIFY(nested.status() == Status::Failed || nested.status() == Status::Lost);
        if (!isLong()) return;
        watch.client.setOptions({QStringLiteral(STRIDESCOPE_TEST_PYTHON), qint64{1'000'000'000}});
        watch.client.restart();
        const auto endless = watch.run("import sys; sys.setrecursionlimit(10 ** 9)\nf = lambda: f()\nf()", 60'000);
        QVERIFY(endless.status() == Status::Failed || endless.status() == Status::Lost);
        QCOMPARE(watch.run("1 + 1").value, QStringLiteral("2"));
    }

    // P7
    void exitEndsTheCodeOnly_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QString>("exitCode");
        QTest::newRow("sys.exit") << QByteArray("import sys; sys.exit(); n = 2") << QStringLiteral("0");
        QTest::newRow("quit") << QByteArray("quit()") << QStringLiteral("0");
        QTest::newRow("exit 3") << QByteArray("exit(3)") << QStringLiteral("3");
        QTest::newRow("raise") << QByteArray("raise SystemExit('sorry')") << QStringLiteral("sorry");
    }
    void exitEndsTheCodeOnly() {
        QFETCH(QByteArray, code);
        QFETCH(QString, exitCode);
        KernelWatch watch;
        watch.run("n = 1");
        const auto run = watch.run(code.constData());
        QCOMPARE(run.status(), Status::Exited);
        QCOMPARE(run.result.exitCode, exitCode);
        QCOMPARE(watch.run("n").value, QStringLiteral("1"));
        QVERIFY(watch.ends.isEmpty());
        QCOMPARE(watch.run("input()").error.type, QStringLiteral("EOFError")); // quit() closes the input of others
    }

    // P8
    void inputIsAskedFor() {
        KernelWatch watch;
        watch.inputs = {QStringLiteral("Ada ä"), QStringLiteral("one"), QStringLiteral("two")};
        const auto run = watch.run("input('name? ')\nimport sys; sys.stdin.readline()\nsys.stdin.read()");
        QCOMPARE(run.value, QStringLiteral("'Ada ä'\n'one\\n'\n'two\\n'"));
        QCOMPARE(run.out, QStringLiteral("name? "));
        QCOMPARE(watch.run("input()").error.type, QStringLiteral("EOFError"));
        QCOMPARE(watch.run("sys.stdin.read()").value, QStringLiteral("''"));
        // Stop while it waits.
        KernelWatch other;
        other.client.disconnect(&other);
        QSignalSpy wanted(&other.client, &KernelClient::inputWanted), finished(&other.client, &KernelClient::finished);
        other.client.execute(QStringLiteral("input()"));
        QVERIFY(wanted.wait(20'000));
        other.client.stop();
        QVERIFY(finished.wait(kStopLimit));
        QCOMPARE(finished[0][0].value<KernelResult>().status, Status::Interrupted);
        // The answer comes too late; nobody takes it for the next one.
        other.client.sendInput(QStringLiteral("late"));
        other.client.execute(QStringLiteral("print(1)"));
        QVERIFY(finished.wait(20'000));
        QCOMPARE(finished[1][0].value<KernelResult>().status, Status::Done);
    }

    // P9
    void floodsAreReadWithinLimits() {
        KernelWatch watch;
        watch.run("1");
        const qint64 before = residentMegabytes();
        const Turns turns(watch.client);
        const int lines = isLong() ? 10'000'000 : 300'000;
        const auto run =
            watch.run(QStringLiteral("for i in range(%1): print(i)").arg(lines), isLong() ? 1'800'000 : 300'000);
        QCOMPARE(run.status(), Status::Done);
        QCOMPARE(run.lines + run.dropped, qint64{lines});
        QVERIFY(run.dropped > 0);
        QVERIFY(run.out.endsWith(QStringLiteral("%1\n").arg(lines - 1)));
        const int megabytes = isLong() ? 1000 : 50;
        const auto longLine = watch.run(QStringLiteral("print('x' * %1)").arg(megabytes * 1'000'000), 300'000);
        QCOMPARE(longLine.out.count(QLatin1Char('x')), OutputBuffer::kLineLength);
        QVERIFY2(longLine.out.endsWith(QStringLiteral(" … %1 more characters\n")
                                           .arg(qint64{megabytes} * 1'000'000 - OutputBuffer::kLineLength)),
                 qPrintable(longLine.out.right(60)));
        const auto value = watch.run("'y' * 50000000");
        QVERIFY(value.value.size() < 100'000);
        const auto raw = watch.run("import os; os.system('yes | head -c 20000000'); None", 60'000);
        QVERIFY(raw.dropped > 0);
        QVERIFY2(turns.isBounded(), qPrintable(turns.words()));
        QVERIFY2(residentMegabytes() - before < 60, qPrintable(QString::number(residentMegabytes() - before)));
    }
    void oddCharactersComeAsTheyAre() {
        KernelWatch watch;
        const auto run =
            watch.run("print('\\x1b[2J\\0\\u202e\\ud800|'); import os; _ = os.write(1, b'\\xff\\xe2\\x82'); "
                      "_ = os.write(1, b'\\xac\\n'); '\\udc80'");
        QCOMPARE(run.out.left(9),
                 QStringLiteral("\x1b[2J") + QChar(0) + QChar(0x202e) + QStringLiteral("\\ud800|").left(3));
        QVERIFY2(run.out.contains(QStringLiteral("\ufffd€")), qPrintable(run.out));
        QCOMPARE(run.value, QStringLiteral("'\\udc80'"));
        QCOMPARE(watch.run("raise ValueError('\\ud800\\0')").status(), Status::Failed);
    }

    // P10
    void forksAndThreads() {
        KernelWatch watch;
        watch.run("import os, sys, time, threading, torch; x = torch.ones(5)");
        const auto fork = watch.run("pid = os.fork()\nif pid == 0: x.fill_(9); y = torch.zeros(3)\nprint('in', 'child' "
                                    "if pid == 0 else 'parent')");
        QCOMPARE(fork.status(), Status::Done);
        QCOMPARE(watch.run("os.waitpid(pid, 0)[1], x.sum().item()").value, QStringLiteral("(0, 5.0)"));
        const auto pool = watch.run("import multiprocessing\nwith multiprocessing.get_context('fork').Pool(2) as p: "
                                    "print(p.map(abs, [-1, -2]))");
        QVERIFY2(pool.out.contains(QLatin1String("[1, 2]")), qPrintable(pool.error.traceback));
        const auto threads = watch.run("def work():\n    while True: time.sleep(0.01)\nt = "
                                       "threading.Thread(target=work, name='worker'); t.start()");
        QCOMPARE(threads.result.threads.size(), std::size_t{1});
        QCOMPARE(threads.result.threads[0].name, QStringLiteral("worker"));
        watch.client.stopThread(threads.result.threads[0].ident);
        QVERIFY(watch.run("t.join(5); t.is_alive()").value == QLatin1String("False"));
        const auto late = watch.run("threading.Timer(0.2, lambda: print('late')).start()");
        QVERIFY(!watch.client.threads().empty());
        QVERIFY(watch.waitFor([&] { return watch.now.out.contains(QLatin1String("late")); }, 5000));
        QVERIFY(watch.waitFor([&] { return watch.client.threads().empty(); }, 5000)); // no code was run
    }
};

QTEST_GUILESS_MAIN(TestKernelHostile)
#include "tst_kernel_hostile.moc"
