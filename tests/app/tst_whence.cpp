// Where an element came from, through lines of the line language: words, numbers of that moment, what can be seen now.

#include "app/workspace/whence_tree.h"
#include "app/workspace/workspace.h"
#include "core/ops/creation.h"

#include <QTest>

using namespace stridescope;

namespace {

struct Fixture {
    WorkspaceModel model;
    Workspace workspace{&model};

    void run(const char* line) {
        const RunOutcome outcome = workspace.run(QString::fromUtf8(line));
        if (!outcome.ok) qFatal("%s: %s", line, outcome.refusal->message.c_str());
    }
    std::optional<Pick> at(const char* name, const Dims& coord) const {
        for (const TensorEntry& entry : model.snapshot()->tensors) {
            if (entry.name == QLatin1String(name))
                return Pick{entry.tensor.storage()->id(), entry.tensor.view().slot(coord), entry.id, coord};
        }
        return std::nullopt;
    }
    Whence whence(const char* name, const Dims& coord) const { return model.whence(*at(name, coord)).value(); }
};

/// "text | numbers | note", the sources indented.
QStringList lines(const Whence& whence, int depth = 0) {
    QStringList found{QString(depth, QLatin1Char(' ')) + whence.text + QStringLiteral(" | ") + whence.numbers +
                      QStringLiteral(" | ") + whence.note};
    for (const Whence& source : whence.sources) found += lines(source, depth + 1);
    if (whence.more > 0) found << QString(depth + 1, QLatin1Char(' ')) + QStringLiteral("+%1").arg(whence.more);
    return found;
}

} // namespace

class TestWhence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trees_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QList<Index>>("coord");
        QTest::addColumn<QString>("tree");
        const auto row = [](const char* title, const char* code, const char* name, const QList<Index>& coord,
                            const char* tree) {
            QTest::newRow(title) << QString::fromUtf8(code) << QString::fromUtf8(name) << coord
                                 << QString::fromUtf8(tree);
        };
        row("broadcast", "A = torch.arange(6).view(2, 3)\nB = torch.arange(3)\nC = A + B", "C", {1, 2},
            "C[1, 2] = A[1, 2] + B[2] | 7 = 5 + 2 | \n"
            " A[1, 2] = torch.arange(6) | 5 | \n"
            " B[2] = torch.arange(3) | 2 | ");
        row("what has no name", "A = torch.arange(4.)\nB = A * 2 + 1", "B", {3},
            "B[3] = (A * 2)[3] + 1 | 7.0 = 6.0 + 1 | \n"
            " (A * 2)[3] = A[3] * 2 | 6.0 = 3.0 * 2 | had no name\n"
            "  A[3] = torch.arange(4.0) | 3.0 | ");
        row("a sum of what has no name", "A = torch.arange(2.)\ns = (A * 2 + A).sum()", "s", {},
            "s = ((A * 2) + A)[0] + ((A * 2) + A)[1] | 3.0 = 0.0 + 3.0 | \n"
            " ((A * 2) + A)[0] = (A * 2)[0] + A[0] | 0.0 = 0.0 + 0.0 | had no name\n"
            "  (A * 2)[0] = A[0] * 2 | 0.0 = 0.0 * 2 | had no name\n"
            "   A[0] = torch.arange(2.0) | 0.0 | \n"
            "  A[0] = torch.arange(2.0) | 0.0 | \n"
            " ((A * 2) + A)[1] = (A * 2)[1] + A[1] | 3.0 = 2.0 + 1.0 | had no name\n"
            "  (A * 2)[1] = A[1] * 2 | 2.0 = 1.0 * 2 | had no name\n"
            "   A[1] = torch.arange(2.0) | 1.0 | \n"
            "  A[1] = torch.arange(2.0) | 1.0 | ");
        row("a value that was not kept", "A = torch.arange(2.)\nC = A * 0 + torch.rand(2) * 0", "C", {1},
            "C[1] = (A * 0)[1] + (torch.rand(2) * 0)[1] | 0.0 = 0.0 + (torch.rand(2) * 0)[1] | \n"
            " (A * 0)[1] = A[1] * 0 | 0.0 = 1.0 * 0 | had no name\n"
            "  A[1] = torch.arange(2.0) | 1.0 | \n"
            " (torch.rand(2) * 0)[1] = (torch.rand(2))[1] * 0 |  | its value was not kept · had no name\n"
            "  (torch.rand(2))[1] = torch.rand(2) |  | its value was not kept · had no name");
        row("views", "A = torch.arange(6).view(2, 3)\nB = A.t()\nC = B[1:]\nD = C.reshape(4)", "D", {1},
            "D[1] = C[0, 1] | 4 | C.reshape(4)\n"
            " C[0, 1] = B[1, 1] | 4 | the same cell: B[1:]\n"
            "  B[1, 1] = A[1, 1] | 4 | the same cell: A.t()\n"
            "   A[1, 1] = torch.arange(6) | 4 | ");
        row("then", "A = torch.arange(4)\nB = A + 1\nA[2] = 50\nC = A + B\nA[2] = 60", "C", {2},
            "C[2] = A[2] + B[2] | 53 = 50 + 3 | \n"
            " A[2] = 50 | 50 | A[2].fill_(50) · then; written to later\n"
            " B[2] = A[2] + 1 | 3 = 2 + 1 | \n"
            "  A[2] = torch.arange(4) | 2 | then; written to later");
        row("in place", "A = torch.arange(4)\nB = A[1:]\nA += 1\nC = torch.arange(3)\nB += C", "A", {2},
            "A[2] = B[1] + C[1] | 4 = 3 + 1 | \n"
            " B[1] = A[2] + 1 | 3 = 2 + 1 | then; written to later\n"
            "  A[2] = torch.arange(4) | 2 | then; written to later\n"
            " C[1] = torch.arange(3) | 1 | ");
        row("the old tensor of a name", "A = torch.arange(3)\nA = A - 1", "A", {2},
            "A[2] = A[2] - 1 | 1 = 2 - 1 | \n"
            " A[2] = torch.arange(3) | 2 | gone");
        row("copied into", "A = torch.zeros(3)\nB = torch.arange(2.)\nA[1:].copy_(B)", "A", {2},
            "A[2] = B[1] | 1.0 | A[1:].copy_(B)\n"
            " B[1] = torch.arange(2.0) | 1.0 | ");
        row("several indices",
            "A = torch.arange(12).view(3, 4)\nI = torch.tensor([2, 0])\nB = A[I, torch.tensor([-1, 1])]", "B", {0},
            "B[0] = A[2, 3] | 11 | chosen by I[0] = 2, (torch.tensor([-1, 1]))[0] = -1: A[I, torch.tensor([-1, 1])]\n"
            " A[2, 3] = torch.arange(12) | 11 | \n"
            " I[0] = torch.tensor([2, 0]) | 2 | \n"
            " (torch.tensor([-1, 1]))[0] = torch.tensor([-1, 1]) | -1 | had no name");
        row("storages of one line", "J = torch.zeros(2); K = J + 1; K[0] = 5; L = K * 2", "L", {0},
            "L[0] = K[0] * 2 | 10.0 = 5.0 * 2 | \n"
            " K[0] = 5 | 5.0 | K[0].fill_(5)");
        row("the end of a line", "K = torch.zeros(2); K[0] = 5", "K", {0}, "K[0] = 5 | 5.0 | K[0].fill_(5)");
    }
    void trees() {
        QFETCH(QString, code);
        QFETCH(QString, name);
        QFETCH(QList<Index>, coord);
        QFETCH(QString, tree);
        Fixture f;
        for (const QString& line : code.split(QLatin1Char('\n'))) f.run(qPrintable(line));
        Dims at;
        for (const Index i : coord) at.push_back(i);
        QCOMPARE(lines(f.whence(qPrintable(name), at)).join(QLatin1Char('\n')), tree);
    }

    void undoAndRedo() {
        Fixture f;
        for (const char* line : {"A = torch.arange(3)", "B = A * 10", "A[1] = 7", "B.add_(A)"}) f.run(line);
        const QStringList last = lines(f.whence("B", {1}));
        QCOMPARE(last[0], QStringLiteral("B[1] = B[1] + A[1] | 17 = 10 + 7 | "));
        QVERIFY(f.workspace.undo());
        const QStringList made{QStringLiteral("B[1] = A[1] * 10 | 10 = 1 * 10 | "),
                               QStringLiteral(" A[1] = torch.arange(3) | 1 | then; written to later")};
        QCOMPARE(lines(f.whence("B", {1})), made);
        QVERIFY(f.workspace.undo());
        QCOMPARE(lines(f.whence("B", {1}))[1], QStringLiteral(" A[1] = torch.arange(3) | 1 | "));
        QVERIFY(f.workspace.redo());
        QVERIFY(f.workspace.redo());
        QCOMPARE(lines(f.whence("B", {1})), last);
    }

    void depthAndBreadthAreBounded() {
        Fixture f;
        f.run("A = torch.zeros(3)");
        for (int i = 0; i < 40; ++i) f.run("A = A + A");
        const Whence whence = f.whence("A", {0});
        QVERIFY(lines(whence).size() < 3 * WhenceTree::kElements);
        const Whence* deepest = &whence;
        while (!deepest->sources.empty()) deepest = &deepest->sources[0];
        QCOMPARE(deepest->more, Index{2});
    }

    void knowsWhatItDoesNotKnow() {
        Fixture f;
        f.workspace.setMaxSteps(2);
        for (const char* line : {"A = torch.zeros(3)", "B = A + 1", "C = B + 1", "D = B + 2"}) f.run(line);
        QCOMPARE(lines(f.whence("C", {0})), (QStringList{QStringLiteral("C[0] = B[0] + 1 | 2.0 = 1.0 + 1 | "),
                                                         QStringLiteral(" B[0] | 1.0 | older than the history")}));
        NewTensor opened{QStringLiteral("E"), QStringLiteral("a file"), zeros({2}), false};
        f.workspace.add({opened}, QStringLiteral("Open e.npy"), {});
        QCOMPARE(lines(f.whence("E", {0})), QStringList{QStringLiteral("E[0] | 0.0 | came with \"# Open e.npy\"")});
    }

    void stripAnswersToo() {
        Fixture f;
        f.run("A = torch.arange(4)");
        f.run("B = A[1:3]");
        const Pick pick{f.at("A", {0})->storageId, 2, 0, {}};
        QCOMPARE(lines(*f.model.whence(pick)), QStringList{QStringLiteral("A[2] = torch.arange(4) | 2 | ")});
    }
};

QTEST_GUILESS_MAIN(TestWhence)
#include "tst_whence.moc"
