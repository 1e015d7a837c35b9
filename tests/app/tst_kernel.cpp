// The kernel process: what is asked and told, shared storages, starting and ending.

#include "core/trace/code.h"
#include "tests/app/kernel_watch.h"

#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

using namespace stridescope;
using test::KernelWatch;
using Status = KernelResult::Status;

namespace {

bool isAlive(qint64 process) {
    QFile status(QStringLiteral("/proc/%1/stat").arg(process));
    if (!status.open(QIODevice::ReadOnly)) return false;
    return !status.readAll().contains(") Z ");
}

/// Memory files of kernels that this process has open or mapped.
int openMemoryFiles() {
    int count = 0;
    const QDir descriptors(QStringLiteral("/proc/self/fd"));
    for (const QFileInfo& file : descriptors.entryInfoList(QDir::System | QDir::Files))
        count += file.symLinkTarget().contains(QLatin1String("memfd:stridescope"));
    QFile maps(QStringLiteral("/proc/self/maps"));
    if (maps.open(QIODevice::ReadOnly)) count += static_cast<int>(maps.readAll().count("memfd:stridescope"));
    return count;
}

/// The program as a window that is killed: starts a kernel, says its process number, and waits.
int beWindow(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    KernelWatch watch;
    watch.run("import torch, os; x = torch.ones(1000000)");
    watch.client.execute(QStringLiteral("while True: pass"));
    std::cout << watch.client.hello()->process << std::endl;
    return QCoreApplication::exec();
}

} // namespace

class TestKernel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!pythonPackage()) QSKIP("the Python module is not built; this test drives it");
    }

    void runsCodeAsPythonsPromptDoes() {
        KernelWatch watch;
        const auto first = watch.run("import torch\nx = torch.arange(6.).view(2, 3); x.t()\nx.sum()\nNone");
        QCOMPARE(first.status(), Status::Done);
        QCOMPARE(first.value, QStringLiteral("tensor([[0., 3.],\n        [1., 4.],\n        [2., 5.]])\ntensor(15.)"));
        QCOMPARE(watch.run("_ + 1").value, QStringLiteral("tensor(16.)"));
        const auto second = watch.run("import sys\nprint('out'); print('err', file=sys.stderr); print('ä', end='')");
        QCOMPARE(second.out, QStringLiteral("out\nä"));
        QCOMPARE(second.err, QStringLiteral("err\n"));
        QCOMPARE(watch.run("def f(n):\n    return n + 1\n\nfor i in range(3): f(i)").value, QStringLiteral("1\n2\n3"));
        QCOMPARE(watch.run("from __main__ import f; f(9)").value, QStringLiteral("10"));
        QCOMPARE(watch.run("import torchvision.utils, torch.utils.benchmark; torch.__version__").value,
                 QStringLiteral("'1.13.1+stridescope'"));
        // A script tells nothing but what it prints.
        const auto script = watch.run(QStringLiteral("1 + 1\nprint(__name__)"), 20'000, KernelMode::Script);
        QCOMPARE(script.value, QString());
        QCOMPARE(script.out, QStringLiteral("__main__\n"));
        QCOMPARE(watch.client.hello()->process > 0, true);
        QVERIFY(watch.client.hello()->python.startsWith(QLatin1String("3.11.")));
    }

    void aScriptKnowsItself() {
        KernelWatch watch;
        QTemporaryDir folder;
        QFile beside(folder.filePath(QStringLiteral("beside.py")));
        QVERIFY(beside.open(QIODevice::WriteOnly) && beside.write("word = 'found'\n") > 0);
        beside.close();
        const QString path = folder.filePath(QStringLiteral("main.py"));
        const auto run = watch.run(QStringLiteral("import sys, beside\nprint(__file__, sys.argv, beside.word)"), 20'000,
                                   KernelMode::Script, path);
        QCOMPARE(run.out, QStringLiteral("%1 ['%1'] found\n").arg(path));
        QCOMPARE(watch.run("import sys; print(sys.argv, '__file__' in globals())").out, QStringLiteral("[''] False\n"));
        QVERIFY(!watch.run("import sys; print(sys.path[0])").out.startsWith(folder.path()));
    }

    void tracebacksPointAtTheirColumns_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("mark");
        QTest::newRow("one line") << QStringLiteral("xx = 1; xx.foo")
                                  << QStringLiteral("    xx = 1; xx.foo\n            ^^^^^^\n");
        QTest::newRow("last of several") << QStringLiteral("a = 1\nb = a + yy")
                                         << QStringLiteral("    b = a + yy\n            ^^\n");
        QTest::newRow("not the last") << QStringLiteral("b = 1 + yy\na = 1")
                                      << QStringLiteral("    b = 1 + yy\n            ^^\n");
    }
    void tracebacksPointAtTheirColumns() {
        QFETCH(QString, code);
        QFETCH(QString, mark);
        KernelWatch watch;
        const auto run = watch.run(code);
        QVERIFY2(run.error.traceback.contains(mark), qPrintable(run.error.traceback));
    }

    void aStopTellsNothingOfTheKernelsOwnFiles() {
        KernelWatch watch;
        const auto run = watch.runAndStop("print('ready', flush=True)\nwhile True: print('x' * 100)");
        QCOMPARE(run.status(), Status::Interrupted);
        QVERIFY2(!run.error.traceback.contains(QLatin1String("stridescope")), qPrintable(run.error.traceback));
        QVERIFY(run.error.traceback.contains(QLatin1String("line 2, in <module>")));
    }

    void whatChildrenWriteComesBeforeTheEnd() {
        KernelWatch watch;
        watch.run("import os, subprocess");
        for (int i = 0; i < 20; ++i) {
            const auto run =
                watch.run("os.write(1, b'raw\\n'); subprocess.run(['sh', '-c', 'echo out; echo err >&2']); None");
            QVERIFY2(run.out.contains(QLatin1String("raw\n")) && run.out.contains(QLatin1String("out\n")),
                     qPrintable(run.out));
            QCOMPARE(run.err, QStringLiteral("err\n"));
        }
    }

    void tracebacksPointAtTheLine() {
        KernelWatch watch;
        const auto run = watch.run("import torch\ndef f():\n    return torch.ones(2, 3) @ torch.ones(2, 3)\nf()");
        QCOMPARE(run.status(), Status::Failed);
        QCOMPARE(run.error.type, QStringLiteral("RuntimeError"));
        QCOMPARE(run.error.message, QStringLiteral("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"));
        QCOMPARE(run.error.line, 3);
        QVERIFY(!run.error.refusal.isEmpty());
        QVERIFY2(
            run.error.traceback.startsWith(QLatin1String("Traceback (most recent call last):\n  File \"<cell 1>\", "
                                                         "line 4, in <module>\n    f()\n  File \"<cell 1>\", line 3")),
            qPrintable(run.error.traceback));
        QVERIFY(!run.error.traceback.contains(QLatin1String("session.py")));
        const auto syntax = watch.run("x = 1\ny = (2,\n");
        QCOMPARE(syntax.error.type, QStringLiteral("SyntaxError"));
        QCOMPARE(syntax.error.line, 2);
        QCOMPARE(syntax.error.column, 5);
        // Nothing of it ran.
        QCOMPARE(watch.run("x").error.type, QStringLiteral("NameError"));
        const auto chained = watch.run("try:\n    1 / 0\nexcept Exception as e:\n    raise KeyError('k') from e");
        QVERIFY(chained.error.traceback.contains(QLatin1String("ZeroDivisionError")));
        QVERIFY(chained.error.traceback.endsWith(QLatin1String("KeyError: 'k'\n")));
    }

    void whatIsRefusedIsTold() {
        KernelWatch watch;
        watch.run("import torch; x = torch.arange(6).view(2, 3)");
        const auto run = watch.run("def f(y, n):\n    return y.t().view(n + 3).sum()\nf(x, 3)");
        QVERIFY(run.error.operation);
        const KernelRefused& refused = *run.error.operation;
        QCOMPARE(refused.line, QStringLiteral("_1.view(6)"));
        QVERIFY(refused.isElsewhere);
        QCOMPARE(refused.operands.size(), std::size_t{1});
        QCOMPARE(refused.operands[0].shown, QStringLiteral("y.t()"));
        const Tensor& tensor = refused.operands[0].tensor;
        QCOMPARE(tensor.shape(), (Dims{3, 2}));
        QCOMPARE(tensor.stride(), (Dims{1, 3}));
        QCOMPARE(tensor.data<std::int64_t>()[5], 5);
        // Nothing is kept alive for it, and what was caught before is forgotten.
        const auto caught = watch.run("import weakref\ny = torch.ones(5)\nw = weakref.ref(y)\ntry:\n    y.view(7)\n"
                                      "except RuntimeError:\n    pass\ndel y\nprint(w())\nraise ValueError('other')");
        QCOMPARE(caught.out, QStringLiteral("None\n"));
        QVERIFY(!caught.error.operation);
        // Of large tensors the bytes are those that are mapped already; of others there are none.
        watch.run("large = torch.zeros(1000, 1000)");
        const auto mapped = watch.run("z = large.t().view(-1)");
        QVERIFY(mapped.error.operation);
        QCOMPARE(mapped.error.operation->line, QStringLiteral("z = _1.view(-1)"));
        QVERIFY(!watch.run("torch.zeros(1000, 1000).t().view(-1)").error.operation);
        QVERIFY(!watch.run("1 / 0").error.operation);
    }

    void operationsAreTold() {
        KernelWatch watch;
        watch.run("import torch; x = torch.arange(6).view(2, 3)");
        const auto run = watch.run("y = x.t(); y[0] = 5");
        QCOMPARE(run.result.operations, quint64{2});
        QStringList lines;
        for (const RingRecord& record : run.records)
            lines << QString::fromStdString(code::expression(record.record, std::vector<std::string>{"x"}));
        QCOMPARE(lines.join(QLatin1Char('|')), QStringLiteral("x.t()|x[0] = 5"));
        QCOMPARE(run.records[0].record.inputs[0].storageId,
                 watch.client.variables().find(QStringLiteral("x"))->storage);
        // Single elements by numbers have a short way, which tells the same.
        lines.clear();
        watch.run("f = torch.zeros(2, 3)");
        for (const RingRecord& record : watch.run("f[1, -1] = 2.5; g = f[0]; h = f[()]; f[0, 1] = 3").records)
            lines << QString::fromStdString(code::expression(record.record, std::vector<std::string>{"x"}));
        QCOMPARE(lines.join(QLatin1Char('|')), QStringLiteral("x[1, -1] = 2.5|x[0]|x[()]|x[0, 1] = 3"));
        // The kernel's own copy of NumPy's memory is no operation.
        QCOMPARE(watch.run("import numpy; z = torch.from_numpy(numpy.arange(3))").records.size(), std::size_t{0});
    }

    /// Counted, not timed: what goes over the channel does not grow with the operations, and none of them is lost.
    void aThousandOperationsAreNoMoreMessagesThanFour() {
        KernelWatch watch;
        watch.run("import torch\n"
                  "def work(rounds):\n"
                  "    x, y = torch.ones(10), torch.zeros(10)\n"
                  "    for i in range(rounds):\n"
                  "        z = x + y\n"
                  "        v = z.view(2, 5)\n"
                  "        y[3] = i\n"
                  "        n = v.narrow(1, 1, 2)\n");
        const auto messages = [&watch](const QString& code, std::size_t records) {
            QSignalSpy lists(&watch.client, &KernelClient::variablesChanged);
            QSignalSpy parts(&watch.client, &KernelClient::partDone), prints(&watch.client, &KernelClient::printed);
            const auto run = watch.run(code, 20'000, KernelMode::Script);
            bool whole = run.records.size() == records && run.result.operations == records;
            for (std::size_t i = 1; whole && i < records; ++i)
                whole = run.records[i].number == run.records[i - 1].number + 1;
            return whole ? lists.size() + parts.size() + prints.size() : qsizetype{-1};
        };
        const qsizetype few = messages(QStringLiteral("work(1)"), 6);
        QVERIFY(few > 0);
        QCOMPARE(messages(QStringLiteral("work(250)"), 1002), few);
    }

    void variablesAreListed() {
        KernelWatch watch;
        watch.run("import torch, numpy; n = 5; s = 'a' * 200; l = [1, 2]; a = numpy.zeros((2, 3)); big = 7 ** 1000\n"
                  "x = torch.zeros(4, 6, dtype=torch.float64)[1:, ::2]; e = torch.empty(0, 3)");
        const KernelVariables& variables = watch.client.variables();
        QCOMPARE(variables.find(QStringLiteral("n"))->text, QStringLiteral("5"));
        QCOMPARE(variables.find(QStringLiteral("s"))->text.size(), 83);
        QCOMPARE(variables.find(QStringLiteral("l"))->text, QStringLiteral("2 elements"));
        QCOMPARE(variables.find(QStringLiteral("a"))->text, QStringLiteral("float64 (2, 3)"));
        QCOMPARE(variables.find(QStringLiteral("big"))->text, QStringLiteral("a number of 2808 bits"));
        const KernelVariable& x = *variables.find(QStringLiteral("x"));
        QVERIFY(x.isTensor && x.tensor);
        QCOMPARE(x.view, (View{{3, 3}, {6, 2}, 6}));
        QCOMPARE(x.dtype, DType::Float64);
        QCOMPARE(x.device, QStringLiteral("cpu"));
        QVERIFY(variables.find(QStringLiteral("e"))->tensor);
        QVERIFY(!variables.find(QStringLiteral("_")));
    }

    void storagesAreTheSameBytes() {
        KernelWatch watch;
        watch.run("import torch; x = torch.arange(6.); y = x.view(2, 3).t(); big = torch.zeros(3000000)");
        const auto tensor = [&watch](const char* name) {
            return *watch.client.variables().find(QString::fromLatin1(name))->tensor;
        };
        const Tensor x = tensor("x"), big = tensor("big");
        QCOMPARE(x.storage()->id(), tensor("y").storage()->id());
        QCOMPARE(x.data<float>()[5], 5.0f);
        // From here to there,
        x.data<float>()[5] = 50;
        big.data<float>()[2999999] = 1;
        QCOMPARE(watch.run("x[5].item(), big.sum().item()").value, QStringLiteral("(50.0, 1.0)"));
        // and from there to here; the storage is the same one, and known to be written to.
        const quint64 version = x.storage()->version();
        watch.run("big.fill_(3)");
        watch.run("y[0, 0] = -1");
        QCOMPARE(x.data<float>()[0], -1.0f);
        QCOMPARE(big.data<float>()[77], 3.0f);
        QCOMPARE(tensor("x").storage()->id(), x.storage()->id());
        QVERIFY(x.storage()->version() > version);
        const auto& changed = watch.client.variables().changedStorages;
        QVERIFY(std::find(changed.begin(), changed.end(), x.storage()->id()) != changed.end());
        watch.run("1 + 1");
        QVERIFY(watch.client.variables().changedStorages.empty());
    }

    void storagesLiveAsLongAsSomebodyNeedsThem() {
        KernelWatch watch;
        watch.run("import torch; x = torch.full((1000000,), 7.)");
        std::optional<Tensor> x = watch.client.variables().find(QStringLiteral("x"))->tensor;
        // Gone in Python, held here: nobody else gets its memory.
        watch.run("del x; y = torch.full((1000000,), 9.); z = torch.full((1000000,), 9.)");
        QVERIFY(!watch.client.variables().find(QStringLiteral("x")));
        QCOMPARE(x->data<float>()[999'999], 7.0f);
        QCOMPARE(watch.client.storages().all().size(), std::size_t{3});
        x.reset();
        watch.run("1");
        QCOMPARE(watch.client.storages().all().size(), std::size_t{2});
        // The kernel forgot it, too: its block is used again.
        watch.run("del y, z");
        watch.run("1");
        watch.run("before = torch.rand(10); import resource");
        QCOMPARE(watch.client.storages().all().size(), std::size_t{1});
        // A name that comes back is the same storage.
        watch.run("keep = torch.ones(5); hidden = [keep]");
        const Tensor keep = *watch.client.variables().find(QStringLiteral("keep"))->tensor;
        watch.run("del keep");
        watch.run("again = hidden[0]");
        QCOMPARE(watch.client.variables().find(QStringLiteral("again"))->tensor->storage()->id(), keep.storage()->id());
    }

    void memoryOfNumpyIsSeenAsACopy() {
        KernelWatch watch;
        watch.run("import torch, numpy; a = numpy.arange(4.); x = torch.from_numpy(a)");
        const KernelVariable first = *watch.client.variables().find(QStringLiteral("x"));
        QVERIFY(first.isCopy);
        QCOMPARE(first.tensor->data<double>()[3], 3.0);
        watch.run("a[3] = 30");
        const KernelVariable second = *watch.client.variables().find(QStringLiteral("x"));
        QCOMPARE(second.tensor->data<double>()[3], 30.0);
        QCOMPARE(second.tensor->storage()->id(), first.tensor->storage()->id());
    }

    void restartKeepsTensors() {
        KernelWatch watch;
        watch.run("import torch; x = torch.arange(6.); y = x.view(2, 3)[:, 1:]; n = 3; big = torch.ones(2000000)");
        const quint64 storage = watch.client.variables().find(QStringLiteral("x"))->tensor->storage()->id();
        const qint64 old = watch.client.hello()->process;
        watch.client.restart();
        QVERIFY(watch.waitFor([&] { return !watch.ends.isEmpty(); }));
        QVERIFY(watch.waitForKernel());
        QVERIFY(!isAlive(old));
        QCOMPARE(watch.ends[0].keptTensors,
                 (QStringList{QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("big")}));
        QCOMPARE(watch.ends[0].lostNames, (QStringList{QStringLiteral("torch"), QStringLiteral("n")}));
        QCOMPARE(watch.run("y[0, 0] = 10; x.tolist(), y.stride(), y.storage_offset(), int(big.sum())").value,
                 QStringLiteral("([0.0, 10.0, 2.0, 3.0, 4.0, 5.0], (3, 1), 1, 2000000)"));
        const KernelVariable* x = watch.client.variables().find(QStringLiteral("x"));
        QCOMPARE(x->tensor->storage()->id(), storage);
        QCOMPARE(x->tensor->data<float>()[1], 10.0f);
        QCOMPARE(watch.run("n").error.type, QStringLiteral("NameError"));
        // And once more, with tensors of both kernels.
        watch.run("import torch; z = x + 1");
        watch.client.restart();
        watch.client.restart(); // and while it is on its way
        QVERIFY(watch.waitFor([&] { return watch.client.state() == KernelClient::State::Starting; }));
        watch.client.restart();
        QVERIFY(watch.waitFor([&] { return watch.ends.size() == 2; }));
        QCOMPARE(watch.run("x.sum().item(), z.sum().item()").value, QStringLiteral("(24.0, 30.0)"));
    }

    void nothingIsLeftBehind() {
        QVERIFY(watchLeavesNothing([](KernelWatch&) {}));
        QVERIFY(watchLeavesNothing([](KernelWatch& watch) {
            ::kill(static_cast<pid_t>(watch.client.hello()->process), SIGKILL);
            watch.waitFor([&watch] { return !watch.ends.isEmpty(); });
            QCOMPARE(watch.ends[0].why, KernelEnd::Why::Crashed);
            // Only what the tensors need is kept of the kernel's memory.
            const auto& file = watch.client.storages().all().begin()->second.file;
            struct stat status {};
            fstat(file->descriptor(), &status);
            QVERIFY2(status.st_blocks * 512 < 4'100'000, qPrintable(QString::number(status.st_blocks * 512)));
            QCOMPARE(watch.client.variables().find(QStringLiteral("x"))->tensor->data<float>()[5], 1.0f);
        }));
    }

    void aWindowThatIsKilledTakesItsKernelAlong() {
        QProcess window;
        window.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--window")});
        QVERIFY(window.waitForReadyRead(20'000));
        const qint64 kernel = window.readLine().trimmed().toLongLong();
        QVERIFY(kernel > 0 && isAlive(kernel));
        window.kill();
        window.waitForFinished();
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(kernel), 5000);
    }

    void completesAndExplains() {
        KernelWatch watch;
        watch.run("import torch; value = torch.ones(2)");
        QSignalSpy completed(&watch.client, &KernelClient::completed),
            inspected(&watch.client, &KernelClient::inspected);
        watch.client.complete(QStringLiteral("y = value.narr"), 14);
        QVERIFY(completed.wait());
        auto found = completed[0][1].value<KernelCompletions>();
        QCOMPARE(found.start, 10);
        QVERIFY(!found.matches.empty());
        QCOMPARE(found.matches[0].text, QStringLiteral("narrow"));
        QCOMPARE(found.matches[0].kind, QStringLiteral("method"));
        QVERIFY2(found.matches[0].signature.startsWith(QLatin1String("(dim, start, length)")),
                 qPrintable(found.matches[0].signature));
        QVERIFY(found.call.name.isEmpty());
        // In a call, behind a letter that two units stand for: which argument, of what.
        const QString code = QStringLiteral("s = '\U0001F600'; value.narrow(0, st");
        watch.client.complete(code, static_cast<int>(code.size()));
        QVERIFY(completed.wait());
        found = completed[1][1].value<KernelCompletions>();
        QCOMPARE(found.call.name, QStringLiteral("narrow"));
        QCOMPARE(found.call.argument, 1);
        QVERIFY(found.call.signatures.contains(QStringLiteral("(int dim, int start, int length)")));
        QCOMPARE(found.matches[0].text, QStringLiteral("start="));
        watch.client.inspect(QStringLiteral("torch.narrow"));
        QVERIFY(inspected.wait());
        QVERIFY2(inspected[0][2].toString().contains(QLatin1String("narrow")), qPrintable(inspected[0][2].toString()));
    }

private:
    template <class Act>
    bool watchLeavesNothing(Act act) {
        const int before = openMemoryFiles();
        qint64 kernel = 0, child = 0;
        {
            KernelWatch watch;
            watch.run(
                "import torch, subprocess; x = torch.ones(1000000); waste = [torch.ones(1000000) for i in range(9)]");
            child = watch.run("subprocess.Popen(['sleep', '100']).pid").value.toLongLong();
            kernel = watch.client.hello()->process;
            if (child == 0 || openMemoryFiles() == before) return false;
            act(watch);
        }
        return QTest::qWaitFor([=] { return !isAlive(kernel) && !isAlive(child); }) && openMemoryFiles() == before;
    }
};

int main(int argc, char** argv) {
    if (argc > 1 && qstrcmp(argv[1], "--window") == 0) return beWindow(argc, argv);
    QCoreApplication application(argc, argv);
    TestKernel test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_kernel.moc"
