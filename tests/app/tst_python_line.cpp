// Lines that Python carries out on the workspace: one history with those of the mouse, one identity of each storage.

#include "app/workspace/python_runner.h"
#include "app/workspace/workspace.h"
#include "core/backend/cpu/cpu_allocator.h"
#include "core/ops/creation.h"
#include "core/storage/shared_arena.h"
#include "tests/app/kernel_watch.h"

#include <QSignalSpy>

using namespace stridescope;
using test::KernelWatch;

namespace {

/// A workspace, a kernel, and the end of the last line.
struct Bench {
    WorkspaceModel model;
    Workspace workspace{&model};
    KernelWatch watch;
    PythonRunner runner{&workspace, &watch.client};
    RunOutcome outcome;
    KernelResult result;
    bool ended = false;

    Bench() {
        QObject::connect(&runner, &PythonRunner::lineFinished, &runner,
                         [this](const QString&, const RunOutcome& end, const KernelResult& how) {
                             outcome = end;
                             result = how;
                             ended = true;
                         });
    }
    bool python(const char* code, int milliseconds = 20'000) {
        ended = false;
        watch.now = {};
        return runner.run(QString::fromUtf8(code)) && watch.waitFor([this] { return ended; }, milliseconds);
    }
    /// All that the last code did; each of its statements is a step.
    bool undoCode() { return workspace.jump(static_cast<int>(workspace.steps().size()) - outcome.steps); }
    bool redoCode() { return workspace.jump(static_cast<int>(workspace.steps().size())); }
    const TensorEntry& entry(const char* name) const {
        static const TensorEntry none;
        for (const TensorEntry& each : model.snapshot()->tensors) {
            if (each.name == QLatin1String(name)) return each;
        }
        return none;
    }
    QStringList names() const {
        QStringList list;
        for (const TensorEntry& each : model.snapshot()->tensors) list << each.name;
        return list;
    }
    int storageNumber(const char* name) const {
        return model.snapshot()->storage(entry(name).tensor.storage()->id())->number;
    }
};

QString valuesOf(const Bench& bench) {
    QStringList list;
    for (const Workspace::NamedValue& each : bench.workspace.values()) list << each.name + QLatin1Char('=') + each.text;
    return list.join(QLatin1Char(' '));
}

/// What can be seen of a workspace but for the code that made it.
QString picture(const Bench& bench) {
    QString text;
    for (const TensorEntry& each : bench.model.snapshot()->tensors) {
        const TensorEntry* parent = bench.model.snapshot()->tensor(each.parent);
        text += QStringLiteral("%1 of %2 kind %3 #%4 %5 offset %6:")
                    .arg(each.name, parent ? parent->name : QString())
                    .arg(static_cast<int>(each.origin))
                    .arg(bench.storageNumber(each.name.toLatin1().constData()))
                    .arg(QString::fromStdString(toString(each.tensor.shape()) + toString(each.tensor.stride())))
                    .arg(each.tensor.storageOffset());
        const Storage& storage = *each.tensor.storage();
        text += QString::fromLatin1(
            QByteArray(reinterpret_cast<const char*>(storage.data()), static_cast<qsizetype>(storage.bytes())).toHex());
        text += QLatin1Char('\n');
    }
    return text;
}

} // namespace

class TestPythonLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!pythonPackage()) QSKIP("the Python module is not built; this test drives it");
        cpuAllocator().useArena(*SharedArena::instance());
    }

    void anEmptyTensorStaysTheSame() {
        Bench bench;
        QVERIFY(bench.python("import torch\ne = torch.empty(0)\nv = e.view(0, 3)\nz = torch.zeros(2, 0)"));
        QCOMPARE(bench.outcome.steps, 3);
        const TensorId e = bench.entry("e").id, z = bench.entry("z").id;
        QCOMPARE(bench.entry("v").parent, e);
        QVERIFY(bench.entry("z").tensor.storage()->id() != bench.entry("e").tensor.storage()->id());
        // Lines that have nothing to do with them make none of them anew.
        QVERIFY(bench.python("n = 3\nx = torch.ones(2)"));
        QCOMPARE(bench.outcome.made.size(), std::size_t{1});
        QVERIFY(bench.python("print(e.numel(), z.shape)"));
        QCOMPARE(bench.outcome.steps, 0);
        QCOMPARE(bench.entry("e").id, e);
        QCOMPARE(bench.entry("z").id, z);
        QVERIFY(bench.python("e = torch.empty(0)")); // another one
        QCOMPARE(bench.outcome.made.size(), std::size_t{1});
        QVERIFY(bench.workspace.undo());
        QVERIFY(bench.python("print(e.data_ptr(), v.shape, e.storage().size())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("0 torch.Size([0, 3]) 0\n"));
        QCOMPARE(bench.entry("e").id, e);
        // With elements it has a place.
        QVERIFY(bench.python("_ = z.resize_(3).fill_(2)"));
        QCOMPARE(bench.entry("z").tensor.data<float>()[2], 2.0f);
    }

    /// Python alone has the name, and yet what was made is a step that can be played.
    void aTupleOfTensorsIsAStep() {
        Bench bench;
        QVERIFY(bench.python("import torch\nt = torch.tensor([[3., 1., 2.], [9., 7., 8.]])"));
        for (const char* line : {"r = t.max(1)", "p = t.sort(1, descending=True)", "k = t.topk(2)", "q = t.aminmax()",
                                 "parts = t.split(1)", "g = torch.linalg.qr(t)", "l = torch.linalg.lu_factor(t)"}) {
            const int before = bench.workspace.position();
            QVERIFY(bench.python(line));
            QCOMPARE(bench.workspace.position(), before + 1);
            QCOMPARE(bench.workspace.steps().back().code, QString::fromLatin1(line));
            const auto motion = bench.workspace.motion(before, 0);
            QVERIFY2(motion && motion->outputs.size() == 2, line);
            for (const MotionStorage& storage : motion->storages) QVERIFY2(storage.after.defined(), line);
        }
        QVERIFY(bench.workspace.undo());
        QCOMPARE(bench.names(), QStringList{QStringLiteral("t")});
        // What is only printed, and what takes the results apart, is as it was.
        QVERIFY(bench.python("t.max(1)"));
        QCOMPARE(bench.outcome.steps, 0);
        QVERIFY(bench.python("v, i = t.max(1)"));
        QCOMPARE(bench.outcome.steps, 1);
    }

    void tensorsOfPythonAreInTheWorkspace() {
        Bench bench;
        QVERIFY(bench.python("import torch\nx = torch.arange(12.).view(3, 4)\ny = x.t()\nn = 3"));
        QVERIFY(bench.outcome.ok);
        QCOMPARE(bench.outcome.steps, 3);
        QCOMPARE(bench.outcome.made.size(), std::size_t{2});
        QCOMPARE(bench.names(), (QStringList{QStringLiteral("x"), QStringLiteral("y")}));
        QCOMPARE(bench.entry("y").origin, Origin::View);
        QCOMPARE(bench.entry("y").parent, bench.entry("x").id);
        QCOMPARE(bench.entry("y").code, QStringLiteral("x.t()"));
        QCOMPARE(bench.entry("x").code, QStringLiteral("torch.arange(12.).view(3, 4)"));
        QCOMPARE(bench.model.snapshot()->storages.size(), std::size_t{1});
        QCOMPARE(bench.workspace.steps().size(), std::size_t{3});
        // Nothing changed, nothing to undo.
        QVERIFY(bench.python("print(x.sum())"));
        QCOMPARE(bench.outcome.steps, 0);
        QCOMPARE(bench.watch.now.out, QStringLiteral("tensor(66.)\n"));
        QVERIFY(bench.python("del y"));
        QCOMPARE(bench.names(), QStringList{QStringLiteral("x")});
    }

    void valuesThatDoNotFitAreTold() {
        Bench bench;
        QVERIFY(
            bench.python("import torch\nx = torch.arange(250, 262)\nfor i in range(9):\n    y = x.to(torch.uint8)"));
        QVERIFY(bench.outcome.ok);
        QCOMPARE(bench.outcome.notes.size(), 1);
        QVERIFY2(bench.outcome.notes.first().startsWith(QStringLiteral("6 of 12 values do not fit into uint8")),
                 qPrintable(bench.outcome.notes.first()));
        QVERIFY(bench.python("z = x.to(torch.int16)"));
        QVERIFY(bench.outcome.notes.isEmpty());
    }

    void codeOfBlocksIsToldByWhatItDid() {
        Bench bench;
        QVERIFY(bench.python("import torch\nx = torch.zeros(4, 6)\ndef f(a):\n    return a.narrow(0, 1, 2).t()\nfor i "
                             "in range(2):\n    v = f(x)\nc = x.clone()"));
        QCOMPARE(bench.entry("v").code, QStringLiteral("x.narrow(0, 1, 2).t()"));
        QCOMPARE(bench.entry("v").parent, bench.entry("x").id);
        QCOMPARE(bench.entry("c").origin, Origin::Copy);
        QCOMPARE(bench.entry("c").parent, bench.entry("x").id);
        // Of a tensor that nobody here has seen no record tells; "x" would be another one.
        QVERIFY(bench.python("kept = [x * 2]"));
        QVERIFY(bench.python("for i in range(2):\n    w = kept[0].sum()"));
        QCOMPARE(bench.entry("w").code, QStringLiteral("….sum()"));
    }

    void mouseAndPythonShareStorages() {
        Bench bench;
        bench.workspace.run(QStringLiteral("A = torch.arange(12).view(3, 4)"));
        bench.workspace.run(QStringLiteral("B = A.t()"));
        const quint64 storage = bench.entry("A").tensor.storage()->id();
        QVERIFY(bench.python("C = B[1:]; A[0, 0] = 100; print(B[0, 0].item(), B.stride())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("100 (1, 4)\n"));
        QCOMPARE(bench.entry("C").tensor.storage()->id(), storage);
        QCOMPARE(bench.entry("C").parent, bench.entry("B").id);
        QCOMPARE(bench.entry("A").tensor.storage()->id(), storage);
        QCOMPARE(bench.entry("A").tensor.data<Index>()[0], Index{100});
        // The mouse goes on with what Python made, and Python with what the mouse made.
        QVERIFY(bench.workspace.run(QStringLiteral("D = C.narrow(1, 0, 2)")).ok);
        QVERIFY(bench.workspace.run(QStringLiteral("D.fill_(7)")).ok);
        QVERIFY(bench.python("print(A[0, 1].item(), D.tolist())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("7 [[7, 7], [7, 7], [7, 7]]\n"));
        QCOMPARE(bench.model.snapshot()->storages.size(), std::size_t{1});
        QVERIFY(bench.workspace.run(QStringLiteral("del B")).ok);
        QVERIFY(bench.python("print('B' in globals(), 'D' in globals())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("False True\n"));
    }

    void undoAndRedo() {
        Bench bench;
        bench.workspace.run(QStringLiteral("A = torch.zeros(3)"));
        QVERIFY(bench.python("import torch; A += 1; E = A[1:]; k = [A]"));
        const quint64 after = bench.workspace.stateHash();
        QVERIFY(bench.undoCode());
        QCOMPARE(bench.entry("A").tensor.data<float>()[2], 0.0f);
        QCOMPARE(bench.names(), QStringList{QStringLiteral("A")});
        QVERIFY(bench.python("print(A.tolist(), 'E' in globals(), k[0].tolist())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("[0.0, 0.0, 0.0] False [0.0, 0.0, 0.0]\n"));
        QVERIFY(bench.redoCode());
        QCOMPARE(bench.workspace.stateHash(), after);
        QVERIFY(bench.python("print(A.tolist(), E.storage_offset())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("[1.0, 1.0, 1.0] 1\n"));
        // A name that was bound anew.
        QVERIFY(bench.python("A = torch.ones(2, 2) * 5"));
        QVERIFY(bench.workspace.undo());
        QVERIFY(bench.python("print(A.tolist())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("[1.0, 1.0, 1.0]\n"));
        // What NumPy writes without telling is undone, too.
        QVERIFY(bench.python("A.numpy()[:] = 9"));
        QCOMPARE(bench.outcome.steps, 1);
        QCOMPARE(bench.entry("A").tensor.data<float>()[0], 9.0f);
        QVERIFY(bench.workspace.undo());
        QCOMPARE(bench.entry("A").tensor.data<float>()[0], 1.0f);
    }

    void undoGivesTheSameObjectsBack() {
        Bench bench;
        QVERIFY(bench.python("import torch; p = torch.arange(6).view(2, 3); q = p; k = [p]; e = p[:]"));
        // A name bound anew: it stands for the old object again, which others have, too.
        QVERIFY(bench.python("p = p + 1"));
        QVERIFY(bench.undoCode());
        QVERIFY(bench.python("print(p is q, p is k[0], p is e)"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("True True False\n"));
        // An object that was given other strides gets its own back, also where only a list has it.
        QVERIFY(bench.python("p.t_(); m = p"));
        QVERIFY(bench.undoCode());
        QVERIFY(bench.python("print(p is q, tuple(k[0].shape), tuple(q.shape), tuple(e.shape))"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("True (2, 3) (2, 3) (2, 3)\n"));
        QVERIFY(bench.python("p = None"));
        QVERIFY(bench.undoCode());
        QVERIFY(bench.python("print(p is q)"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("True\n"));
    }

    void numbersAreKnownToBoth() {
        Bench bench;
        QVERIFY(
            bench.workspace.run(QStringLiteral("n = 3; sizes = (2, n); word = 'it\\'s'; f = 0.1; kind = torch.int8"))
                .ok);
        QVERIFY(bench.python("import torch; x = torch.zeros(sizes, dtype=kind); m = n + 1; q = [m, (f, None)]; n = 7"));
        QVERIFY2(
            bench.outcome.ok,
            qPrintable(bench.outcome.exception +
                       QString::fromStdString(bench.outcome.refusal ? bench.outcome.refusal->message : std::string())));
        QCOMPARE(bench.entry("x").tensor.shape(), (Dims{2, 3}));
        QCOMPARE(valuesOf(bench), QStringLiteral("f=0.1 kind=torch.int8 m=4 n=7 q=[4, (0.1, None)] sizes=(2, 3) "
                                                 "word=\"it's\""));
        // What a line of Python did to numbers is undone with it, and Python hears of that.
        QVERIFY(bench.undoCode());
        QCOMPARE(valuesOf(bench), QStringLiteral("f=0.1 kind=torch.int8 n=3 sizes=(2, 3) word=\"it's\""));
        QVERIFY(bench.python("n, word, 'm' in globals()"));
        QCOMPARE(bench.watch.now.value, QStringLiteral("(3, \"it's\", False)"));
        QVERIFY(bench.python("del n"));
        QVERIFY(!bench.workspace.hasName(QStringLiteral("n")));
        // A name can change sides between tensors and numbers.
        QVERIFY(bench.python("f = torch.ones(2); x = 5"));
        QVERIFY(bench.entry("f").tensor.defined() && !bench.entry("x").tensor.defined());
        QVERIFY(bench.workspace.run(QStringLiteral("y = f * x")).ok);
        QCOMPARE(bench.entry("y").tensor.data<float>()[1], 5.0f);
        // What only Python has is left alone, and numbers survive a kernel that does not.
        QVERIFY(bench.python("z = 1j; d = {1: 2}; big = 1 << 70; inf = float('inf')"));
        QVERIFY(bench.python("z, d, big > 0, inf"));
        QCOMPARE(bench.watch.now.value, QStringLiteral("(1j, {1: 2}, True, inf)"));
        QVERIFY(bench.python("import os; os._exit(1)"));
        QVERIFY(bench.python("x + 1"));
        QCOMPARE(bench.watch.now.value, QStringLiteral("6"));
    }

    void anEndBeforeAnyListingTakesNothing() {
        Bench bench;
        QVERIFY(bench.python("import torch; a = torch.zeros(3)"));
        QVERIFY(bench.workspace.run(QStringLiteral("b = torch.ones(4); k = 2")).ok);
        QVERIFY(bench.python("a.fill_(5); import os; os._exit(3)"));
        QCOMPARE(bench.names(), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
        QVERIFY(bench.workspace.hasName(QStringLiteral("k")));
        // What it had written stands, and can be undone.
        QCOMPARE(bench.entry("a").tensor.data<float>()[0], 5.0f);
        QVERIFY(bench.workspace.undo());
        QCOMPARE(bench.entry("a").tensor.data<float>()[0], 0.0f);
    }

    void withoutPythonNothingIsLost() {
        WorkspaceModel model;
        Workspace workspace(&model);
        KernelClient client;
        client.setOptions({QStringLiteral("/nonexistent/python"), 0});
        PythonRunner runner(&workspace, &client);
        QVERIFY(workspace.run(QStringLiteral("a = torch.ones(4); k = 2")).ok);
        const quint64 before = workspace.stateHash();
        QSignalSpy finished(&runner, &PythonRunner::lineFinished);
        runner.run(QStringLiteral("import torch"));
        if (finished.isEmpty()) QVERIFY(finished.wait());
        QCOMPARE(workspace.stateHash(), before);
    }

    void resizedStorages() {
        Bench bench;
        QVERIFY(bench.python("import torch; x = torch.arange(6.); y = x.view(2, 3); z = y[1]"));
        QVERIFY(bench.python("y[0, 1] = 8; x.resize_(10); y[0, 0] = 9; z[0] = 7"));
        QVERIFY(bench.outcome.ok);
        QCOMPARE(bench.model.snapshot()->storages.size(), std::size_t{1});
        QCOMPARE(bench.storageNumber("x"), 1); // the same storage, and so it is when undone and done again
        QCOMPARE(bench.entry("x").tensor.numel(), Index{10});
        QVERIFY(bench.entry("x").origin == Origin::Base); // grown, not copied
        QCOMPARE(bench.entry("x").parent, TensorId{0});
        QCOMPARE(bench.entry("y").tensor.storage()->bytes(), std::size_t{40});
        QCOMPARE(bench.entry("x").tensor.data<float>()[3], 7.0f);
        QCOMPARE(bench.entry("y").tensor.data<float>()[0], 9.0f);
        QCOMPARE(bench.entry("y").code, QStringLiteral("(old x).view(2, 3)"));
        QCOMPARE(bench.entry("z").parent, bench.entry("y").id); // what it shows is what it showed
        const quint64 after = bench.workspace.stateHash();
        QVERIFY(bench.undoCode());
        QCOMPARE(bench.entry("x").tensor.storage()->bytes(), std::size_t{24});
        QCOMPARE(bench.storageNumber("x"), 1);
        QCOMPARE(bench.entry("x").tensor.data<float>()[1], 1.0f);
        QVERIFY(bench.python("print(x.tolist(), y.tolist(), z.storage().size())"));
        QCOMPARE(bench.watch.now.out,
                 QStringLiteral("[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] 6\n"));
        QVERIFY(bench.redoCode());
        QCOMPARE(bench.workspace.stateHash(), after);
        QCOMPARE(bench.storageNumber("x"), 1);
        QVERIFY(bench.python("x[9] = 3; print(y.tolist(), z.storage().tolist())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("[[9.0, 8.0, 2.0], [7.0, 4.0, 5.0]] "
                                                     "[9.0, 8.0, 2.0, 7.0, 4.0, 5.0, 0.0, 0.0, 0.0, 3.0]\n"));
        // Listed between two resizes of one line, and shrunk: what reaches beyond the end is shown no more.
        QVERIFY(bench.python("import time\nx.resize_(20)\ntime.sleep(0.2)\nx.resize_(30)\ntime.sleep(0.2)\n"
                             "x.resize_(3)\nx.storage().resize_(4)"));
        QCOMPARE(bench.entry("x").tensor.storage()->bytes(), std::size_t{16});
        QCOMPARE(bench.names(), QStringList{QStringLiteral("x")});
        QVERIFY(bench.undoCode());
        QCOMPARE(bench.names().size(), 3);
        QCOMPARE(bench.entry("x").tensor.data<float>()[9], 3.0f);
        QVERIFY(bench.python("print(x.tolist() == z.storage().tolist(), x[9].item(), len(x))"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("True 3.0 10\n"));
        // Memory of the window's own, and what is left when Python ends.
        bench.workspace.run(QStringLiteral("A = torch.arange(4.)"));
        bench.workspace.run(QStringLiteral("V = A.narrow(0, 1, 2)"));
        QVERIFY(bench.python("A.resize_(8); A[7] = 1; x.resize_(12)"));
        QCOMPARE(bench.entry("V").code, QStringLiteral("(old A).narrow(0, 1, 2)"));
        QCOMPARE(bench.entry("V").tensor.storage()->id(), bench.entry("A").tensor.storage()->id());
        QCOMPARE(bench.entry("A").tensor.data<float>()[7], 1.0f);
        QCOMPARE(bench.entry("A").tensor.data<float>()[3], 3.0f);
        QVERIFY(bench.python("import os; os._exit(3)"));
        QCOMPARE(bench.entry("A").tensor.data<float>()[7], 1.0f);
        QVERIFY(bench.workspace.run(QStringLiteral("B = A.narrow(0, 4, 4)")).ok);
        QVERIFY(bench.python("print(B.tolist(), x.numel(), y.tolist())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("[0.0, 0.0, 0.0, 1.0] 12 [[9.0, 8.0, 2.0], [7.0, 4.0, 5.0]]\n"));
        constexpr int kStatements = 4; // B, and the three on A and x before
        QVERIFY(bench.workspace.jump(static_cast<int>(bench.workspace.steps().size()) - kStatements));
        QCOMPARE(bench.entry("A").tensor.numel(), Index{4});
        QVERIFY(bench.python("print(A.tolist(), A.storage().size(), x.numel())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("[0.0, 1.0, 2.0, 3.0] 4 10\n"));
    }

    void originsAreToldByStorages() {
        Bench bench;
        QVERIFY(bench.python("import torch; x = torch.arange(6.)"));
        QVERIFY(bench.python("c = x.clone().view(2, 3); v = x.view(2, 3).t()"));
        QVERIFY(bench.entry("c").origin == Origin::Copy && bench.entry("c").parent == bench.entry("x").id);
        QVERIFY(bench.entry("v").origin == Origin::View && bench.entry("v").parent == bench.entry("x").id);
        QVERIFY(bench.python("globals()['t'] = (x * 2).sum(0)"));
        QCOMPARE(bench.entry("t").code, QStringLiteral("(x * 2).sum((0,))"));
        // What was computed is no copy, and both languages say the same.
        QVERIFY(bench.python("e = x + 1; s = x.sum(); z = x.nonzero(); g = x[[0, 2]]; h = x.flip(0); k = x.double()"));
        QVERIFY(bench.workspace.run(QStringLiteral("e1 = x + 1")).ok &&
                bench.workspace.run(QStringLiteral("h1 = x.flip(0)")).ok);
        for (const char* name : {"e", "s", "z", "e1"}) QVERIFY2(bench.entry(name).origin == Origin::Base, name);
        for (const char* name : {"g", "h", "k", "h1"}) {
            QVERIFY2(bench.entry(name).origin == Origin::Copy, name);
            QCOMPARE(bench.entry(name).parent, bench.entry("x").id);
        }
        QVERIFY(bench.python("c.resize_(9)"));
        QVERIFY(bench.entry("c").origin == Origin::Copy && bench.entry("c").parent == bench.entry("x").id);
        // A name that was given to a view of what was resized is a view, whatever the storage's first tensor was.
        QVERIFY(bench.python("c.resize_(30); c = c[1:]"));
        QVERIFY(bench.entry("c").origin == Origin::View);
        QVERIFY(bench.python("x.resize_(20); n = x[3:]"));
        QVERIFY(bench.entry("x").origin == Origin::Base);
        QVERIFY(bench.entry("n").origin == Origin::View && bench.entry("n").parent == bench.entry("x").id);
    }

    void namesThatAreGoneTellWhatKeepsTheirStorage() {
        Bench bench;
        QVERIFY(bench.python("import torch; x = torch.zeros(4); v = x[1:]; w = x.t(); y = torch.ones(2)"));
        QVERIFY(bench.python("del x"));
        QCOMPARE(bench.outcome.notes, QStringList{QStringLiteral("x is gone; its storage is kept by v, w.")});
        QVERIFY(bench.python("del y"));
        QVERIFY(bench.outcome.notes.isEmpty());
        QVERIFY(bench.python("a = torch.zeros(3); b = a[1:]"));
        QVERIFY(bench.python("del a; b = torch.ones(2)")); // each statement is a step; the line lets go of both
        QVERIFY(bench.outcome.notes.isEmpty());
        QVERIFY(bench.python("v = torch.ones(1)")); // w keeps it, and v is a name still
        QVERIFY(bench.outcome.notes.isEmpty());
        bench.workspace.run(QStringLiteral("a = v[:]"));
        QCOMPARE(bench.workspace.run(QStringLiteral("del v")).notes,
                 QStringList{QStringLiteral("v is gone; its storage is kept by a.")});
    }

    void largeStoragesAreNotKept() {
        Bench bench;
        QVERIFY(bench.python("import torch; x = torch.zeros(5000000); y = torch.zeros(5)"));
        QVERIFY(bench.python("y += 1"));
        QVERIFY(bench.workspace.canUndo());
        QVERIFY(bench.python("x += 1"));
        QVERIFY(!bench.workspace.canUndo());
        QCOMPARE(bench.outcome.notes.size(), 1);
        QVERIFY2(bench.outcome.notes[0].startsWith(QLatin1String("20 MB")) ||
                     bench.outcome.notes[0].startsWith(QLatin1String("20.0 MB")),
                 qPrintable(bench.outcome.notes[0]));
    }

    void failuresAndStops() {
        Bench bench;
        QVERIFY(bench.python("import torch; x = torch.zeros(3); x[0] = 1; x[7]"));
        QVERIFY(!bench.outcome.ok);
        QCOMPARE(bench.outcome.exception, QStringLiteral("IndexError"));
        QCOMPARE(bench.outcome.steps, 2); // what came before stands, as in any Python
        QCOMPARE(bench.entry("x").tensor.data<float>()[0], 1.0f);
        // While it runs nothing else changes the state; Stop comes through the workspace.
        bench.ended = false;
        QVERIFY(bench.runner.run(QStringLiteral("x[1] = 5\nwhile True: pass")));
        QVERIFY(bench.workspace.isBusy());
        QCOMPARE(bench.workspace.run(QStringLiteral("z = torch.ones(1)")).refusal->id, std::string("LINE-01"));
        QVERIFY(!bench.runner.run(QStringLiteral("1")));
        QTest::qWait(300);
        bench.workspace.cancelLine();
        QVERIFY(bench.watch.waitFor([&] { return bench.ended; }));
        QCOMPARE(bench.result.status, KernelResult::Status::Interrupted);
        QCOMPARE(bench.entry("x").tensor.data<float>()[1], 5.0f);
        QVERIFY(bench.workspace.undo());
        QCOMPARE(bench.entry("x").tensor.data<float>()[1], 0.0f);
        // The end of Python costs no tensor.
        QVERIFY(bench.python("x[2] = 8; import os; os._exit(3)"));
        QCOMPARE(bench.result.status, KernelResult::Status::Lost);
        QVERIFY(!bench.workspace.isBusy());
        QCOMPARE(bench.entry("x").tensor.data<float>()[2], 8.0f);
        QVERIFY(bench.python("print(x.tolist())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("[1.0, 0.0, 8.0]\n"));
    }

    void writesAreSeenWhileCodeRuns() {
        Bench bench;
        bench.workspace.run(QStringLiteral("A = torch.zeros(3)"));
        QVERIFY(bench.python("import time"));
        QSignalSpy seen(&bench.model, &WorkspaceModel::valuesChanged);
        std::vector<float> values;
        connect(&bench.model, &WorkspaceModel::valuesChanged, &bench.runner,
                [&] { values.push_back(bench.entry("A").tensor.data<float>()[0]); });
        QVERIFY(bench.python("for i in range(40):\n    A[0] = i\n    time.sleep(0.01)"));
        QVERIFY2(seen.size() >= 3, qPrintable(QString::number(seen.size())));
        QVERIFY(values.front() < values.back());
    }

    void expensivePicturesAreRarer() {
        Bench bench;
        QVERIFY(bench.python("import torch, time; x = torch.zeros(4)"));
        int pictures = 0;
        const auto slow = QObject::connect(&bench.model, &WorkspaceModel::valuesChanged, [&pictures] {
            ++pictures;
            QThread::msleep(60); // a picture of many elements
        });
        QVERIFY(
            bench.python("end = time.monotonic() + 1.5\nwhile time.monotonic() < end: x.add_(1); time.sleep(0.001)\n"));
        QObject::disconnect(slow);
        // One in 60 + 50 ms would be 13; with five times as long between them it is five.
        QVERIFY2(pictures >= 1 && pictures <= 7, qPrintable(QString::number(pictures)));
    }

    void lockedStoragesWait() {
        Bench bench;
        bench.workspace.run(QStringLiteral("A = torch.zeros(3)"));
        bench.workspace.lockStorages({bench.entry("A").tensor.storage()->id()});
        QVERIFY(!bench.runner.run(QStringLiteral("A += 1")));
        bench.workspace.unlockStorages();
        QVERIFY(bench.python("A += 1"));
    }

    void whatCannotBeSharedIsCopied() {
        Bench bench;
        static float numbers[4] = {1, 2, 3, 4};
        const StoragePtr foreign = Storage::wrap(numbers, sizeof numbers, Device{}, {}, "mapped file");
        const Tensor whole(foreign, contiguousView(Dims{2, 2}).value(), DType::Float32);
        bench.workspace.add({{QStringLiteral("F"), QStringLiteral("a file"), whole, false}}, QStringLiteral("Open"),
                            {});
        bench.workspace.run(QStringLiteral("G = F.t()"));
        QVERIFY(bench.python("F[0, 0] = 10; print(G.tolist())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("[[10.0, 3.0], [2.0, 4.0]]\n"));
        // The tensors go on with the copy, together; the file is as it was.
        QCOMPARE(bench.entry("F").tensor.storage()->id(), bench.entry("G").tensor.storage()->id());
        QCOMPARE(numbers[0], 1.0f);
        // For whoever looks at them nothing has changed but the value.
        QCOMPARE(bench.entry("F").code, QStringLiteral("a file"));
        QCOMPARE(bench.entry("G").code, QStringLiteral("F.t()"));
        QCOMPARE(bench.entry("G").parent, bench.entry("F").id);
        QCOMPARE(bench.storageNumber("F"), 1);
        QVERIFY(bench.workspace.undo());
        QCOMPARE(bench.storageNumber("F"), 1);
        QCOMPARE(bench.entry("F").tensor.data<float>()[0], 1.0f);
        QVERIFY(bench.workspace.redo());
        QCOMPARE(bench.storageNumber("F"), 1);
        QCOMPARE(bench.entry("F").tensor.data<float>()[0], 10.0f);
        QVERIFY(bench.workspace.undo());
        QVERIFY(bench.python("print(F[0, 0].item())"));
        QCOMPARE(bench.watch.now.out, QStringLiteral("1.0\n"));
    }

    void bothExecutorsAgree() {
        Bench mouse, python;
        QVERIFY(python.python("import torch"));
        for (const char* line :
             {"A = torch.arange(12.).view(3, 4)", "B = A.t()", "C = B[1:, ::2]", "C.fill_(5)", "D = A.clone()",
              "A[0] = 7", "E = A.view(-1)", "F = D.narrow(1, 1, 2)", "A = A.t()", "del B", "F.zero_()",
              "G = torch.zeros(2, 3, dtype=torch.int64)", "H = G.expand(4, 2, 3)", "D = H[0]", "K = E.unsqueeze(0)"}) {
            QVERIFY2(mouse.workspace.run(QString::fromUtf8(line)).ok, line);
            QVERIFY2(python.python(line), line);
            QVERIFY2(python.outcome.ok, line);
            QCOMPARE(picture(python), picture(mouse));
        }
    }
};

QTEST_MAIN(TestPythonLine)
#include "tst_python_line.moc"
