// The workspace: names, parents, colours, undo and redo of everything, previews that change nothing.

#include "app/workspace/workspace.h"
#include "core/io/npy.h"
#include "core/ops/creation.h"
#include "core/tensor/element.h"
#include "core/view/op_table.h"

#include <QFile>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace stridescope;

namespace {

const TensorEntry& entry(const WorkspaceModel& model, const char* name) {
    for (const TensorEntry& found : model.snapshot()->tensors) {
        if (found.name == QLatin1String(name)) return found;
    }
    qFatal("no tensor %s", name);
}

bool has(const WorkspaceModel& model, const char* name) {
    for (const TensorEntry& found : model.snapshot()->tensors) {
        if (found.name == QLatin1String(name)) return true;
    }
    return false;
}

double valueAt(const WorkspaceModel& model, const char* name, Index slot) {
    return readSlot(entry(model, name).tensor, slot).toDouble();
}

struct Fixture {
    WorkspaceModel model;
    Workspace workspace{&model};

    RunOutcome run(const char* line, Naming naming = Naming::Discard) {
        return workspace.run(QString::fromUtf8(line), naming);
    }
};

/// A line that is likely to be possible, for names of which some exist.
QString randomLine(QRandomGenerator& random, const WorkspaceSnapshot& snapshot) {
    const auto pick = [&random](int n) { return random.bounded(n); };
    if (snapshot.tensors.empty() || pick(12) == 0)
        return QStringLiteral("%1 = torch.arange(%2).view(%3, %4)")
            .arg(QChar(QLatin1Char(static_cast<char>('A' + pick(8)))))
            .arg(12)
            .arg(pick(2) ? 3 : 4)
            .arg(-1);
    const TensorEntry& source =
        snapshot.tensors[static_cast<std::size_t>(pick(static_cast<int>(snapshot.tensors.size())))];
    const QString name = source.name;
    const QString to = QChar(QLatin1Char(static_cast<char>('A' + pick(8))));
    switch (pick(16)) {
    case 0:
        return to + QStringLiteral(" = ") + name + QStringLiteral(".t()");
    case 1:
        return to + QStringLiteral(" = ") + name + QStringLiteral(".narrow(0, %1, %2)").arg(pick(3)).arg(pick(4));
    case 2:
        return to + QStringLiteral(" = ") + name + QStringLiteral("[%1]").arg(pick(6) - 3);
    case 3:
        return to + QStringLiteral(" = ") + name + QStringLiteral(".clone()");
    case 4:
        return to + QStringLiteral(" = ") + name + QStringLiteral(".contiguous()");
    case 5:
        return name + QStringLiteral(".fill_(%1)").arg(pick(100));
    case 6:
        return name + QStringLiteral("[%1] = %2").arg(pick(5)).arg(pick(100));
    case 7:
        return name + QStringLiteral(" += %1").arg(pick(9));
    case 8:
        return QStringLiteral("del ") + name;
    case 9:
        return to + QStringLiteral(" = ") + name + QStringLiteral(".view(-1)");
    case 10:
        return to + QStringLiteral(" = ") + name + QStringLiteral(".unsqueeze(%1)").arg(pick(3));
    case 11:
        return to + QStringLiteral(" = ") + name +
               QStringLiteral(".as_strided((%1, %2), (%3, 1), %4)").arg(pick(4)).arg(pick(4)).arg(pick(5)).arg(pick(6));
    case 12:
        return QStringLiteral("n = %1").arg(pick(100));
    case 13:
        return to + QStringLiteral(" = ") + name + QStringLiteral(" * 2; ") + name + QStringLiteral(".zero_()");
    case 14:
        return to + QStringLiteral(" = ") + name + QStringLiteral(".expand(2, -1, -1)");
    default:
        return name + QStringLiteral(".view(%1, 2)").arg(pick(7));
    }
}

/// Invariants of every snapshot that is shown.
void checkSnapshot(const WorkspaceModel& model) {
    const WorkspaceSnapshot& snapshot = *model.snapshot();
    QSet<QString> names;
    QSet<int> colours;
    int neutral = 0;
    for (std::size_t i = 0; i < snapshot.tensors.size(); ++i) {
        const TensorEntry& tensor = snapshot.tensors[i];
        QVERIFY(tensor.tensor.defined());
        QVERIFY(!names.contains(tensor.name));
        names.insert(tensor.name);
        QVERIFY(checkInBounds(tensor.tensor.view(), tensor.tensor.storageNumel()).ok());
        QVERIFY(snapshot.storage(tensor.tensor.storage()->id()) != nullptr);
        // No card wears the name of another tensor.
        if (tensor.colour >= 0) {
            for (const TensorEntry& other : model.snapshot()->tensors) {
                const bool named = other.name == tensor.letter;
                QVERIFY(!named || other.id == tensor.id);
                QVERIFY(other.letter != tensor.letter || other.id == tensor.id);
            }
        }
        QCOMPARE(tensor.letter.isNull(), tensor.colour < 0);
        neutral += tensor.onStage && tensor.colour < 0 ? 1 : 0;
        if (tensor.colour >= 0) {
            QVERIFY(tensor.onStage);
            QVERIFY(tensor.colour < 4);
            QVERIFY(!colours.contains(tensor.colour));
            colours.insert(tensor.colour);
        }
        if (tensor.parent == 0) continue;
        bool before = false;
        for (std::size_t j = 0; j < i; ++j) before = before || snapshot.tensors[j].id == tensor.parent;
        QVERIFY2(before, qPrintable(tensor.name + QStringLiteral(" = ") + tensor.code));
    }
    QVERIFY(neutral == 0 || colours.size() == 4);
    for (const StorageEntry& storage : snapshot.storages) QVERIFY(!snapshot.tensorsOn(storage.storageId).empty());
}

} // namespace

class TestWorkspace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Many statements, names that go, elements that are written and cards that are hidden: one step, back and forth.
    void togetherIsOneStep() {
        Fixture f;
        f.run("A = torch.arange(6); B = torch.zeros(2); n = 1");
        const quint64 before = f.workspace.stateHash();
        const RunOutcome done =
            f.workspace.run(QStringLiteral("A[0] = 5\nC = A.view(2, 3)\nC[1, 1] = 9\nC.mul_(2)\ndel B\nn = 3"),
                            RunAs::together(Naming::Auto, QStringLiteral("a lesson"), {QStringLiteral("C")}));
        QVERIFY(done.ok);
        QCOMPARE(done.steps, 1);
        QVERIFY(done.notes.isEmpty());
        QCOMPARE(f.workspace.position(), 4);
        QCOMPARE(f.workspace.undoTitle(), QStringLiteral("a lesson"));
        QVERIFY(!entry(f.model, "A").onStage && entry(f.model, "C").onStage);
        QCOMPARE(valueAt(f.model, "A", 4), 18.0);
        const quint64 after = f.workspace.stateHash();
        QVERIFY(f.workspace.operationsOf(3).size() >= 3);
        QVERIFY(f.workspace.undo());
        QCOMPARE(f.workspace.stateHash(), before);
        QVERIFY(f.workspace.redo());
        QCOMPARE(f.workspace.stateHash(), after);
        // The same lines again make the same elements: they stand in the history as they were.
        QCOMPARE(f.workspace.steps()[3].code.count(QLatin1Char('\n')), 5);
        // Refused anywhere, nothing of it is left.
        const RunOutcome refused = f.workspace.run(QStringLiteral("A[0] = 7\nD = A.view(4)"),
                                                   RunAs::together(Naming::Auto, QStringLiteral("no"), {}));
        QVERIFY(!refused.ok);
        QCOMPARE(f.workspace.stateHash(), after);
        // Where nothing changes but what is shown, that is the step; where that neither, there is none.
        QCOMPARE(f.workspace
                     .run(QStringLiteral("1 + 1"),
                          RunAs::together(Naming::Discard, QStringLiteral("s"), {QStringLiteral("A")}))
                     .steps,
                 1);
        QVERIFY(entry(f.model, "A").onStage && !entry(f.model, "C").onStage);
        QCOMPARE(f.workspace
                     .run(QStringLiteral("1 + 1"),
                          RunAs::together(Naming::Discard, QStringLiteral("s"), {QStringLiteral("A")}))
                     .steps,
                 0);
        QVERIFY(f.workspace.undo() && f.workspace.undo());
        QCOMPARE(f.workspace.stateHash(), before);
    }

    void runsALine() {
        Fixture f;
        const RunOutcome made = f.run("q = torch.arange(20); A = q.view(4, 5); B = A.narrow(1, 1, 2); C = B.t(); C");
        QVERIFY(made.ok);
        QCOMPARE(made.steps, 4);
        QCOMPARE(made.printed, QStringLiteral("tensor([[ 1,  6, 11, 16],\n        [ 2,  7, 12, 17]])"));
        QCOMPARE(f.model.snapshot()->tensors.size(), std::size_t{4});
        QCOMPARE(f.model.snapshot()->storages.size(), std::size_t{1});
        QCOMPARE(f.model.snapshot()->storages[0].number, 1);
        QCOMPARE(entry(f.model, "q").origin, Origin::Base);
        QCOMPARE(entry(f.model, "B").origin, Origin::View);
        QCOMPARE(entry(f.model, "B").parent, entry(f.model, "A").id);
        QCOMPARE(entry(f.model, "B").code, QStringLiteral("A.narrow(1, 1, 2)"));
        QCOMPARE(f.workspace.steps()[2].title, QStringLiteral("narrow(1, 1, 2)"));
        QCOMPARE(f.workspace.steps()[0].title, QStringLiteral("torch.arange(20)"));
        QCOMPARE(f.model.selection().tensor, entry(f.model, "C").id);
        QVERIFY(f.run("w = C.contiguous()").ok);
        QCOMPARE(entry(f.model, "w").origin, Origin::Copy);
        QCOMPARE(entry(f.model, "w").parent, entry(f.model, "C").id);
        QCOMPARE(f.model.snapshot()->storages.size(), std::size_t{2});
        checkSnapshot(f.model);
    }

    void namesWhatTheMouseMakes() {
        Fixture f;
        QCOMPARE(f.run("torch.arange(6).view(2, 3)", Naming::Auto).code,
                 QStringLiteral("A = torch.arange(6).view(2, 3)"));
        const RunOutcome view = f.run("A.t()", Naming::Auto);
        QCOMPARE(view.code, QStringLiteral("B = A.t()"));
        QCOMPARE(view.made.size(), std::size_t{1});
        QVERIFY(view.printed.isEmpty());
        QCOMPARE(f.run("A.split(1)", Naming::Auto).code, QStringLiteral("C, D = A.split(1)"));
        QCOMPARE(entry(f.model, "D").code, QStringLiteral("A.split(1)[1]"));
        const RunOutcome itself = f.run("A.contiguous()", Naming::Auto);
        QVERIFY(itself.ok);
        QCOMPARE(itself.steps, 0);
        QCOMPARE(itself.notes.size(), 1);
        const RunOutcome write = f.run("A.fill_(3)", Naming::Auto);
        QCOMPARE(write.steps, 1);
        QCOMPARE(write.code, QStringLiteral("A.fill_(3)"));
        QCOMPARE(f.run("torch.arange(20).split(1)", Naming::Auto).notes.size(), 1);
        // Typed at the prompt, a result is only printed.
        const RunOutcome typed = f.run("A.t()");
        QCOMPARE(typed.steps, 0);
        QVERIFY(typed.printed.startsWith(QStringLiteral("tensor(")));
    }

    void refusalsChangeNothing_data() {
        QTest::addColumn<QString>("line");
        for (const char* line :
             {"A = ", "A = q", "A.view(5)", "A = torch.zeros(3); B = q", "A.fill_(9); A.view(7)", "A[0, 0] = 5; A[9]",
              "del A; A", "A.t().view(12)", "A += torch.zeros(7)", "A[0] = 300; A.item()",
              "A.fill_(1); B.fill_(2); A.item()", "n = A.item()", "torch.zeros(10000000000000)"})
            QTest::newRow(line) << QString::fromUtf8(line);
    }
    void refusalsChangeNothing() {
        QFETCH(QString, line);
        Fixture f;
        QVERIFY(f.run("A = torch.arange(12).view(3, 4); B = A.clone()").ok);
        const quint64 before = f.workspace.stateHash();
        const SnapshotPtr snapshot = f.model.snapshot();
        const RunOutcome refused = f.workspace.run(line, Naming::Auto);
        QVERIFY(!refused.ok);
        QVERIFY(refused.refusal.has_value());
        QVERIFY(!refused.exception.isEmpty());
        QCOMPARE(f.workspace.stateHash(), before);
        QCOMPARE(f.workspace.position(), 2);
        QCOMPARE(f.model.snapshot()->tensors.size(), snapshot->tensors.size());
        // The numbers and the storages of what comes next are as if nothing had been tried.
        QVERIFY(f.run("D = torch.zeros(2)").ok);
        QCOMPARE(f.model.snapshot()->storages.back().number, 3);
    }

    void previewsWithoutAChange() {
        Fixture f;
        QVERIFY(f.run("A = torch.arange(12).view(3, 4)").ok);
        const quint64 before = f.workspace.stateHash();
        QSignalSpy changes(&f.workspace, &Workspace::changed);
        const auto view = f.workspace.preview(QStringLiteral("A.narrow(1, 1, 2)"));
        QVERIFY(view.has_value());
        QCOMPARE(view->source, entry(f.model, "A").id);
        QCOMPARE(toString(view->view->shape), std::string("(3, 2)"));
        QVERIFY(!view->copies);
        const auto copy = f.workspace.preview(QStringLiteral("B = A.t().contiguous()"));
        QVERIFY(copy && copy->copies && copy->view);
        const auto refused = f.workspace.preview(QStringLiteral("A.as_strided((4, 4), (4, 1), 1)"));
        QVERIFY(refused && refused->refusal && refused->view);
        QCOMPARE(refused->source, entry(f.model, "A").id);
        QCOMPARE(refused->view->offset, Index{1});
        const auto failing = f.workspace.preview(QStringLiteral("A.t().view(12)"));
        QVERIFY(failing && failing->refusal);
        QVERIFY(std::holds_alternative<ViewMergeFailure>(failing->refusal->detail));
        QVERIFY(!f.workspace.preview(QStringLiteral("A.numel()")));
        QVERIFY(!f.workspace.preview(QStringLiteral("A")));
        QVERIFY(!f.workspace.preview(QStringLiteral("A.view(")));
        (void)f.workspace.preview(QStringLiteral("A.fill_(7)"));
        (void)f.workspace.preview(QStringLiteral("torch.zeros(1000000, 1000000)"));
        QCOMPARE(f.workspace.stateHash(), before);
        QCOMPARE(changes.count(), 0);
    }

    void comesBackToTheSamePicture() {
        Fixture f;
        QVERIFY(f.run("A = torch.arange(12).view(3, 4)").ok);
        QVERIFY(f.run("B = A.t()").ok);
        const auto pickOf = [&f](const TensorEntry* entry, const Dims& coord) {
            Pick pick;
            pick.tensor = entry->id;
            pick.storageId = entry->tensor.storage()->id();
            pick.coord = coord;
            pick.slot = entry->tensor.view().slot(coord);
            f.model.setPick(pick);
            return pick;
        };
        const TensorEntry* b = &f.model.snapshot()->tensors.back();
        f.model.select(b->id);
        const Pick inB = pickOf(b, Dims{2, 1});
        QVERIFY(f.workspace.undo());
        const TensorEntry* a = &f.model.snapshot()->tensors.front();
        QVERIFY(f.model.selection().tensor == a->id);
        f.model.select(a->id);
        const Pick inA = pickOf(a, Dims{0, 3});
        QVERIFY(f.workspace.redo());
        QCOMPARE(f.model.selection().tensor, inB.tensor);
        QVERIFY(f.model.selection().pick == std::optional<Pick>(inB));
        QVERIFY(f.workspace.undo());
        QVERIFY(f.model.selection().pick == std::optional<Pick>(inA));
    }

    void undoesValues() {
        Fixture f;
        QVERIFY(f.run("A = torch.arange(12).view(3, 4); B = A.t()").ok);
        QSignalSpy values(&f.model, &WorkspaceModel::valuesChanged);
        QVERIFY(f.run("B[1, 2] = 70").ok);
        QCOMPARE(values.count(), 1);
        QCOMPARE(valueAt(f.model, "A", 9), 70.0);
        QCOMPARE(f.workspace.undoTitle(), QStringLiteral("B[1, 2] = 70"));
        QVERIFY(f.workspace.undo());
        QCOMPARE(valueAt(f.model, "A", 9), 9.0);
        QCOMPARE(values.count(), 2);
        QVERIFY(f.workspace.redo());
        QCOMPARE(valueAt(f.model, "A", 9), 70.0);
        QVERIFY(f.run("A.expand(2, 3, 4).fill_(1)").ok);
        QVERIFY(f.run("A.as_strided((3, 2), (1, 1)).fill_(2)").ok);
        QVERIFY(f.workspace.jump(3));
        QCOMPARE(valueAt(f.model, "A", 9), 70.0);
        QCOMPARE(valueAt(f.model, "A", 2), 2.0);
        QVERIFY(f.workspace.jump(0));
        QVERIFY(f.model.snapshot()->tensors.empty());
        QVERIFY(!f.workspace.undo());
        QVERIFY(!f.workspace.jump(99));
        QVERIFY(f.workspace.jump(5));
        QCOMPARE(valueAt(f.model, "A", 3), 2.0);
        // Values of a tuple's tensors are brought back, too.
        QVERIFY(f.run("parts = A.clone().split(2); parts[0][0, 0].item()").ok);
        QVERIFY(f.run("parts[0].fill_(50)").ok);
        QVERIFY(f.workspace.undo());
        QCOMPARE(f.run("parts[0][0, 0].item()").printed, QStringLiteral("2"));
    }

    void forgetsTheUndoneBranch() {
        Fixture f;
        QVERIFY(f.run("A = torch.zeros(3)").ok);
        QVERIFY(f.run("B = A[1:]").ok);
        QVERIFY(f.workspace.undo());
        QVERIFY(f.workspace.canRedo());
        QVERIFY(f.run("C = A[:1]").ok);
        QVERIFY(!f.workspace.canRedo());
        QCOMPARE(f.workspace.steps().size(), std::size_t{2});
    }

    void tellsWhatCannotBeUndone() {
        Fixture f;
        // 72 MB of float64: above what is kept of one write.
        QVERIFY(f.run("A = torch.zeros(9000000, dtype=torch.float64)").ok);
        const RunOutcome write = f.run("A.fill_(1)");
        QVERIFY(write.ok);
        QCOMPARE(write.notes.size(), 1);
        QVERIFY(!f.workspace.canUndo());
        QString reason;
        QVERIFY(!f.workspace.jump(0, &reason));
        QVERIFY2(reason.contains(QStringLiteral("72.0 MB")), qPrintable(reason));
        QCOMPARE(f.workspace.position(), 2);
    }

    void followsNames() {
        Fixture f;
        QVERIFY(f.run("A = torch.arange(12).view(3, 4); B = A.t(); C = B[1]").ok);
        const TensorId b = entry(f.model, "B").id;
        // Bound anew, a name keeps its identity, and what came from the old one hangs on that one's parent.
        QVERIFY(f.run("B = B[:2]").ok);
        QCOMPARE(entry(f.model, "B").id, b);
        QCOMPARE(entry(f.model, "B").parent, entry(f.model, "A").id);
        QCOMPARE(entry(f.model, "C").parent, entry(f.model, "A").id);
        QVERIFY(f.run("del A").ok);
        QVERIFY(!has(f.model, "A"));
        QCOMPARE(entry(f.model, "B").parent, TensorId{0});
        QCOMPARE(f.model.snapshot()->storages.size(), std::size_t{1});
        QVERIFY(f.workspace.undo());
        QCOMPARE(entry(f.model, "B").parent, entry(f.model, "A").id);
        QVERIFY(f.run("A = C.t()").ok);
        checkSnapshot(f.model);
        QVERIFY(f.run("A = 3").ok);
        QVERIFY(!has(f.model, "A"));
        QCOMPARE(f.run("A + 1").printed, QStringLiteral("4"));
        QVERIFY(f.run("A = torch.zeros(A)").ok);
        QVERIFY(has(f.model, "A"));
    }

    void renamesHidesAndMoves() {
        Fixture f;
        QVERIFY(f.run("A = torch.zeros(2); B = A[:1]; C = torch.ones(2)").ok);
        const quint64 before = f.workspace.stateHash();
        const int steps = f.workspace.position();
        QString reason;
        QVERIFY(!f.workspace.rename(entry(f.model, "B").id, QStringLiteral("A"), &reason));
        QVERIFY(!reason.isEmpty());
        QVERIFY(!f.workspace.rename(entry(f.model, "B").id, QStringLiteral("1x")));
        QVERIFY(!f.workspace.rename(entry(f.model, "B").id, QStringLiteral("for")));
        QCOMPARE(f.workspace.stateHash(), before);
        QVERIFY(f.workspace.rename(entry(f.model, "B").id, QStringLiteral("part")));
        QVERIFY(has(f.model, "part"));
        f.workspace.setOnStage(entry(f.model, "A").id, false);
        QVERIFY(!entry(f.model, "A").onStage);
        QCOMPARE(entry(f.model, "A").colour, -1);
        const auto order = [&f] {
            QStringList names;
            for (const TensorId id : f.model.snapshot()->order) names << f.model.snapshot()->tensor(id)->name;
            return names.join(QLatin1Char(' '));
        };
        QCOMPARE(order(), QString());
        f.workspace.moveBefore(entry(f.model, "C").id, entry(f.model, "A").id);
        QCOMPARE(order(), QStringLiteral("C A part"));
        // A view may stand before what it is a view of; the tree keeps parents first.
        f.workspace.moveBefore(entry(f.model, "part").id, entry(f.model, "C").id);
        QCOMPARE(order(), QStringLiteral("part C A"));
        checkSnapshot(f.model);
        QCOMPARE(f.workspace.undoTitle(), QStringLiteral("Move card part"));
        const int moved = f.workspace.position();
        f.workspace.moveBefore(entry(f.model, "part").id, entry(f.model, "C").id); // it stands there already
        QCOMPARE(f.workspace.position(), moved);
        QVERIFY(f.run("D = A[1:]").ok);
        QCOMPARE(order(), QStringLiteral("part C A")); // new ones follow
        QVERIFY(f.run("del C").ok);
        QCOMPARE(order(), QStringLiteral("part A D"));
        f.workspace.moveBefore(entry(f.model, "part").id, entry(f.model, "D").id);
        QCOMPARE(order(), QString()); // that of creation again
        QVERIFY(f.workspace.jump(moved));
        QCOMPARE(order(), QStringLiteral("part C A"));
        QVERIFY(f.workspace.jump(steps));
        QCOMPARE(f.workspace.stateHash(), before);
        QVERIFY(f.workspace.jump(static_cast<int>(f.workspace.steps().size())));
        QVERIFY(has(f.model, "part"));
    }

    void newNamesTakeNobodysBadge() {
        Fixture f;
        f.run("grades = torch.arange(12).view(3, 4)");
        QCOMPARE(entry(f.model, "grades").colour, 0);
        // "A" is free as a name, but grades wears it: it must keep its hue.
        f.run("grades.t()", Naming::Auto);
        QCOMPARE(entry(f.model, "grades").colour, 0);
        QCOMPARE(entry(f.model, "B").colour, 1);
        // Who asks for the name gets it, with its letter; hues do not change.
        f.run("A = grades[0]");
        QCOMPARE(entry(f.model, "A").letter, QChar(u'A'));
        QCOMPARE(entry(f.model, "A").colour, 2);
        QCOMPARE(entry(f.model, "grades").colour, 0);
        QCOMPARE(entry(f.model, "grades").letter, QChar(u'G'));
    }

    /// A letter on a card reads as a name: it is the card's own, or nobody's.
    void lettersAreNobodyElsesName() {
        const auto letters = [](Fixture& f) {
            QStringList worn;
            for (const TensorEntry& each : f.model.snapshot()->tensors)
                if (each.colour >= 0) worn << each.name + QLatin1Char(' ') + each.letter;
            return worn.join(QStringLiteral(", "));
        };
        Fixture f;
        QVERIFY(f.run("x = torch.zeros(4); weight = x[1:]; wide = x[2:]").ok);
        QCOMPARE(letters(f), QStringLiteral("x x, weight W, wide C"));
        // A value's name counts, too, and so does the other case.
        QVERIFY(f.run("c = 3").ok);
        QCOMPARE(letters(f), QStringLiteral("x x, weight W, wide A"));
        QVERIFY(f.run("w = torch.zeros(2)").ok);
        QCOMPARE(letters(f), QStringLiteral("x x, weight B, wide A, w w"));
        QVERIFY(f.workspace.undo());
        QCOMPARE(letters(f), QStringLiteral("x x, weight W, wide A"));
        // Another name has another letter.
        QVERIFY(f.workspace.rename(entry(f.model, "weight").id, QStringLiteral("bias")));
        QCOMPARE(letters(f), QStringLiteral("x x, bias B, wide A"));
        // An act of the mouse gives no name that could be taken for a card's letter.
        for (int i = 0; i < 30; ++i) QVERIFY(f.run("torch.zeros(2)", Naming::Auto).ok);
        QVERIFY(!has(f.model, "X") && !has(f.model, "C"));
    }

    void coloursFourOnStage() {
        Fixture f;
        for (int i = 0; i < 7; ++i) QVERIFY(f.run("torch.zeros(2)", Naming::Auto).ok);
        int shown = 0;
        for (const TensorEntry& tensor : f.model.snapshot()->tensors) shown += tensor.onStage ? 1 : 0;
        QCOMPARE(shown, 4);
        const auto coloured = [&f] {
            QString worn;
            for (const TensorEntry& tensor : f.model.snapshot()->tensors) {
                if (tensor.colour >= 0) worn += tensor.letter + QString::number(tensor.colour);
            }
            return worn;
        };
        // A, B and C are hidden: their hues are free, their letters are not.
        QCOMPARE(coloured(), QStringLiteral("D3E0F1G2"));
        checkSnapshot(f.model);
        // A comes back, and is one too many until a hue is free.
        f.workspace.setOnStage(entry(f.model, "A").id, true);
        QCOMPARE(coloured(), QStringLiteral("D3E0F1G2"));
        QVERIFY(entry(f.model, "A").onStage);
        f.workspace.setOnStage(entry(f.model, "F").id, false);
        QCOMPARE(coloured(), QStringLiteral("A1D3E0G2"));
        checkSnapshot(f.model);
        // The letter of a name of one's own goes to whom it names; the hue stays.
        QVERIFY(f.run("del D; del G; del C; x = A[1:]").ok);
        QCOMPARE(coloured(), QStringLiteral("A1E0x2"));
        QVERIFY(f.run("M = torch.zeros(2); C = M[:1]").ok);
        checkSnapshot(f.model);
    }

    void newValuesOfOldNamesAreSeen() {
        Fixture f;
        QVERIFY(f.run("A = torch.zeros(3)").ok);
        for (const char* line :
             {"B = torch.zeros(2)", "C = torch.zeros(2)", "D = torch.zeros(2)", "E = torch.zeros(2)"})
            QVERIFY(f.run(line).ok);
        QVERIFY(!entry(f.model, "A").onStage); // gave way
        QVERIFY(f.run("A = torch.arange(20)").ok);
        QVERIFY(entry(f.model, "A").onStage);
        QVERIFY(!entry(f.model, "B").onStage); // the oldest of the others
        for (const char* name : {"C", "D", "E"}) QVERIFY(entry(f.model, name).onStage);
        checkSnapshot(f.model);
        // What was written in place is no new value, and stays hidden.
        f.workspace.setOnStage(entry(f.model, "A").id, false);
        QVERIFY(f.run("A.add_(1)").ok);
        QVERIFY(!entry(f.model, "A").onStage);
    }

    void badgesAgreeWithNames() {
        const auto badge = [](Fixture& f, const char* name) {
            const TensorEntry& tensor = entry(f.model, name);
            return tensor.letter + QString::number(tensor.colour);
        };
        Fixture f;
        // Names of one's own leave the letters to those who are called so, and keep their hues.
        QVERIFY(f.run("base = torch.zeros(4); x = base[1:]").ok);
        QCOMPARE(badge(f, "base"), QStringLiteral("B0"));
        QCOMPARE(badge(f, "x"), QStringLiteral("x1"));
        QVERIFY(f.run("B = x[1:]").ok);
        QCOMPARE(badge(f, "B"), QStringLiteral("B2"));
        QCOMPARE(badge(f, "base"), QStringLiteral("A0"));
        QVERIFY(f.run("A = base[:2]").ok);
        QCOMPARE(badge(f, "A"), QStringLiteral("A3"));
        QCOMPARE(badge(f, "base"), QStringLiteral("C0"));
        // A name bound anew, deleted and made again.
        QVERIFY(f.run("C = base[2:]").ok);
        checkSnapshot(f.model);
        QCOMPARE(badge(f, "C").left(1), QStringLiteral("C"));
        const QString before = badge(f, "C");
        QVERIFY(f.run("C = A.clone()").ok);
        QCOMPARE(badge(f, "C"), before);
        QVERIFY(f.run("del C; C = base[:1]").ok);
        QCOMPARE(badge(f, "C"), before);
        // Alone, names and hues agree.
        Fixture g;
        QVERIFY(g.run("B = torch.zeros(2); A = torch.zeros(2)").ok);
        QCOMPARE(badge(g, "B"), QStringLiteral("B1"));
        QCOMPARE(badge(g, "A"), QStringLiteral("A0"));
        // Renaming is no way round it.
        Fixture h;
        QVERIFY(h.run("unit = torch.zeros(2); value = torch.zeros(2)").ok);
        QVERIFY(h.workspace.rename(entry(h.model, "value").id, QStringLiteral("A")));
        QCOMPARE(badge(h, "A"), QStringLiteral("A1"));
        QCOMPARE(badge(h, "unit"), QStringLiteral("U0"));
        QVERIFY(h.workspace.undo());
        QCOMPARE(badge(h, "unit"), QStringLiteral("U0"));
        QCOMPARE(badge(h, "value"), QStringLiteral("V1"));
    }

    /// What keeps a storage is told of the line as a whole: what comes later in it counts.
    void keptStoragesAreToldOfWholeLines() {
        Fixture f;
        QVERIFY(f.run("y = torch.zeros(4); x = y[1:]").ok);
        QVERIFY(f.run("del y; x = torch.ones(2)").notes.isEmpty()); // nothing of y's is left
        QVERIFY(f.workspace.jump(2));
        QVERIFY(f.run("del y; del x").notes.isEmpty());
        QVERIFY(f.workspace.jump(2));
        QCOMPARE(f.run("del y").notes, QStringList{QStringLiteral("y is gone; its storage is kept by x.")});
        QVERIFY(f.workspace.jump(2));
        // The x that was there before does not keep it: it lay elsewhere.
        QVERIFY(f.run("x = torch.ones(2)").notes.isEmpty());
        QCOMPARE(f.run("x = y.view(2, 2); z = x[0]; del y").notes,
                 QStringList{QStringLiteral("y is gone; its storage is kept by the new x, z.")});
    }

    void codesNameWhatTheyWereMadeOf() {
        Fixture f;
        QVERIFY(f.run("A = torch.arange(12).view(3, 4); C = A.narrow(1, 1, 2); D = C[0]").ok);
        QCOMPARE(entry(f.model, "C").code, QStringLiteral("A.narrow(1, 1, 2)"));
        QVERIFY(f.run("A = torch.zeros(2)").ok);
        QCOMPARE(entry(f.model, "C").code, QStringLiteral("(old A).narrow(1, 1, 2)"));
        QCOMPARE(entry(f.model, "D").code, QStringLiteral("C[0]")); // C is still what it was
        QVERIFY(f.run("A = torch.ones(3)").ok);
        QCOMPARE(entry(f.model, "C").code, QStringLiteral("(old A).narrow(1, 1, 2)"));
        QVERIFY(f.workspace.undo() && f.workspace.undo());
        QCOMPARE(entry(f.model, "C").code, QStringLiteral("A.narrow(1, 1, 2)"));
        // Deleted and made again is another tensor too.
        QVERIFY(f.run("del A; A = torch.zeros(2); B = A[:1]").ok);
        QCOMPARE(entry(f.model, "C").code, QStringLiteral("(old A).narrow(1, 1, 2)"));
        // A new name is the name of the same tensor.
        QVERIFY(f.workspace.rename(entry(f.model, "A").id, QStringLiteral("first")));
        QCOMPARE(entry(f.model, "B").code, QStringLiteral("first[:1]"));
        QCOMPARE(entry(f.model, "C").code, QStringLiteral("(old A).narrow(1, 1, 2)"));
    }

    void takesTensorsIn() {
        Fixture f;
        const Tensor tensor = entry(
                                  [&]() -> WorkspaceModel& {
                                      f.run("A = torch.zeros(3)");
                                      return f.model;
                                  }(),
                                  "A")
                                  .tensor;
        const auto ids = f.workspace.add({{QStringLiteral("data-1.x"), QStringLiteral("load()"), tensor},
                                          {QStringLiteral("data-1.x"), QStringLiteral("load()"), tensor},
                                          {QStringLiteral("3d"), QStringLiteral("load()"), tensor},
                                          {QStringLiteral("для"), QStringLiteral("load()"), tensor},
                                          {QStringLiteral("for"), QStringLiteral("load()"), tensor}},
                                         QStringLiteral("Open data"), QStringLiteral("data.npz"));
        QCOMPARE(ids.size(), std::size_t{5});
        for (const char* name : {"data_1_x", "data_1_x_2", "x3d", "x", "for_"}) QVERIFY2(has(f.model, name), name);
        QCOMPARE(f.workspace.undoTitle(), QStringLiteral("Open data"));
        QVERIFY(f.workspace.undo());
        QVERIFY(!has(f.model, "x3d"));
    }

    /// Of a file with more arrays than there are colours the first ones are on stage, in their order, and the first is
    /// selected.
    void firstOfManyAreOnStage() {
        Fixture f;
        QVERIFY(f.run("q = torch.zeros(3)").ok);
        std::vector<NewTensor> many;
        for (const char* name : {"weight", "bias", "mean", "var", "count", "gamma"})
            many.push_back({QString::fromLatin1(name), QStringLiteral("load()"), entry(f.model, "q").tensor});
        const auto ids = f.workspace.add(many, QStringLiteral("Open data"), QStringLiteral("data.npz"));
        QCOMPARE(f.model.selection().tensor, ids.front());
        QStringList shown;
        for (const TensorEntry& each : f.model.snapshot()->tensors)
            if (each.onStage) shown << each.name + QLatin1Char(' ') + each.letter;
        QCOMPARE(shown.join(QLatin1Char(',')), QStringLiteral("weight W,bias B,mean M,var V"));
    }

    void knowsWhatIsSaved() {
        Fixture f;
        QVERIFY(!f.workspace.isModified());
        QVERIFY(f.run("A = torch.zeros(3)").ok);
        QVERIFY(f.workspace.isModified());
        f.workspace.setSaved();
        QVERIFY(!f.workspace.isModified());
        QVERIFY(f.workspace.undo());
        QVERIFY(f.workspace.isModified());
        QVERIFY(f.workspace.redo());
        QVERIFY(!f.workspace.isModified());
        QVERIFY(f.workspace.undo());
        QVERIFY(f.run("B = torch.zeros(3)").ok);
        QVERIFY(f.workspace.isModified());
    }

    /// S16 and undo: seeded random acts; every state shown is valid; undoing all returns to the first state, redoing
    /// all to the last.
    void tellsWhenAMappedFileWasCut() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("long.npy"));
        const Tensor ones = full(Dims{3000}, Scalar(1.0), {DType::Float64, {}});
        QVERIFY(writeNpy(ones, std::filesystem::path(path.toStdString())));
        Fixture f;
        const QString load = QStringLiteral("x = torch.from_numpy(numpy.load('%1')); x[2999]").arg(path);
        const RunOutcome whole = f.workspace.run(load, Naming::Discard);
        QVERIFY2(whole.ok, qPrintable(whole.exception));
        QVERIFY(!whole.printed.contains(QStringLiteral("changed on disk")));
        QVERIFY(QFile::resize(path, 9000));
        for (const char* line : {"x[2999]", "y = x.clone()", "z = (x + 1)[0]"}) {
            const QString printed = f.run(line).printed;
            QVERIFY2(printed.contains(QStringLiteral("changed on disk")) &&
                         QString(printed).remove(QLatin1Char(',')).contains(QStringLiteral("9000")),
                     qPrintable(printed));
        }
        // Lines that read nothing of it say nothing.
        QVERIFY(!f.run("torch.arange(3)").printed.contains(QStringLiteral("changed on disk")));
    }

    void survivesRandomEdits_data() {
        QTest::addColumn<quint32>("seed");
        QTest::addColumn<int>("edits");
        for (quint32 seed = 1; seed <= 10; ++seed) QTest::newRow(qPrintable(QString::number(seed))) << seed << 100;
        QTest::newRow("long") << quint32{77} << 10'000;
    }
    void survivesRandomEdits() {
        QFETCH(quint32, seed);
        QFETCH(int, edits);
        Fixture f;
        QRandomGenerator random(seed);
        const quint64 first = f.workspace.stateHash();
        std::vector<quint64> hashes{first};
        int accepted = 0, refused = 0;
        for (int i = 0; i < edits; ++i) {
            const QString line = randomLine(random, *f.model.snapshot());
            const quint64 before = edits <= 100 ? f.workspace.stateHash() : 0;
            const RunOutcome outcome = f.workspace.run(line, random.bounded(2) ? Naming::Auto : Naming::Discard);
            outcome.ok ? ++accepted : ++refused;
            checkSnapshot(f.model);
            if (QTest::currentTestFailed()) return;
            if (edits > 100) continue;
            if (!outcome.ok || outcome.steps == 0)
                QCOMPARE(f.workspace.stateHash(), before);
            else if (outcome.steps == 1)
                hashes.push_back(f.workspace.stateHash());
            else
                hashes.insert(hashes.end(), {0, f.workspace.stateHash()}); // the state between is not seen
        }
        QVERIFY(accepted > edits / 3);
        QVERIFY(refused > 0);
        const quint64 last = f.workspace.stateHash();
        const int end = f.workspace.position();
        // Step by step, where the hash of every step is known.
        if (edits <= 100) {
            for (int at = end; at > 0; --at) {
                QVERIFY(f.workspace.undo());
                const quint64 wanted = hashes[static_cast<std::size_t>(at) - 1];
                if (wanted != 0) QCOMPARE(f.workspace.stateHash(), wanted);
            }
        }
        QVERIFY(f.workspace.jump(0));
        if (f.workspace.steps().size() < Workspace::kMaxSteps) QCOMPARE(f.workspace.stateHash(), first);
        QVERIFY(f.workspace.jump(end));
        QCOMPARE(f.workspace.stateHash(), last);
    }

    /// V12: an act of the mouse, its line typed, and the history replayed give the same state.
    void mouseTypedAndReplayedAgree_data() {
        QTest::addColumn<QString>("line");
        QStringList lines;
        for (const char* line : {"A.narrow(1, 1, 2)",
                                 "A.select(0, 1)",
                                 "A[::2]",
                                 "A[1]",
                                 "A.diagonal()",
                                 "A.unfold(1, 2, 1)",
                                 "A.t()",
                                 "A.transpose(0, 1)",
                                 "A.swapaxes(0, 1)",
                                 "A.swapdims(0, 1)",
                                 "A.permute(1, 0)",
                                 "A.movedim(0, 1)",
                                 "A.unsqueeze(0)",
                                 "A.squeeze()",
                                 "A.view(2, 6)",
                                 "A.reshape(12)",
                                 "A.t().reshape(12)",
                                 "A.flatten()",
                                 "A.unflatten(1, (2, 2))",
                                 "A.expand(2, 3, 4)",
                                 "A.as_strided((2, 2), (3, 1), 1)",
                                 "A.split(2)",
                                 "A.chunk(2)",
                                 "A.unbind(0)",
                                 "A.contiguous()",
                                 "A.t().contiguous()",
                                 "A.clone()",
                                 "A.flip((0,))",
                                 "A.to(torch.float64)",
                                 "A.fill_(3)",
                                 "A[1, 2] = 7",
                                 "A += 1",
                                 "A * 2",
                                 "del A",
                                 "torch.zeros(2, 2)"}) {
            lines += QString::fromUtf8(line);
            QTest::newRow(line) << lines.back();
        }
        for (const ViewOp& op : viewOps()) { // each one that forms offer is among them
            const QString name = QString::fromUtf8(op.name);
            const QString start = name == u"slice" ? QStringLiteral("A[::") : QStringLiteral("A.%1(").arg(name);
            QVERIFY2(std::any_of(lines.begin(), lines.end(), [&](const QString& l) { return l.startsWith(start); }),
                     op.name);
        }
    }
    void mouseTypedAndReplayedAgree() {
        QFETCH(QString, line);
        const char* start = "A = torch.arange(12).view(3, 4)";
        Fixture mouse, typed, replayed;
        QVERIFY(mouse.run(start).ok);
        QVERIFY(typed.run(start).ok);
        const RunOutcome act = mouse.workspace.run(line, Naming::Auto);
        QVERIFY2(act.ok, act.refusal ? act.refusal->message.c_str() : "");
        QVERIFY(typed.workspace.run(act.code, Naming::Discard).ok);
        for (const HistoryStep& step : mouse.workspace.steps()) QVERIFY(replayed.workspace.run(step.code).ok);
        QCOMPARE(typed.workspace.stateHash(), mouse.workspace.stateHash());
        QCOMPARE(replayed.workspace.stateHash(), mouse.workspace.stateHash());
    }
};

QTEST_GUILESS_MAIN(TestWorkspace)
#include "tst_workspace.moc"
