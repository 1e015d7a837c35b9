// What is refused says what to do instead, and that can be done.

#include "app/workspace/refused_operation.h"
#include "app/workspace/refused_picture.h"
#include "app/workspace/workspace.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/print/format_element.h"
#include "core/random/generator.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/reach_marks.h"

#include <QTest>

using namespace stridescope;

class TestRefusalWays : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyWayIsPossible_data();
    void everyWayIsPossible();
    void forwardsFromElsewhere();
    void sizesHaveWaysOut_data();
    void sizesHaveWaysOut();
    void expandIsNamedByItsCall();
    void boundsHaveWaysOut();
    void wordsStayOnTheStage();
    void paperHasNothingToPress();
    void bothOperandsAreShown();
    void whatWasRefusedIsDrawn_data();
    void whatWasRefusedIsDrawn();
    void namesOfFunctionsAreTheirOwn();
};

void TestRefusalWays::everyWayIsPossible_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("first"); // the first way out
    const auto row = [](const char* line, const char* first) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(first);
    };
    row("A[::-1]", "A.flip(0)");
    row("A[:, ::-1]", "A.flip(1)");
    row("A[0, 0, 0]", "A[0, 0]");
    row("r[1, 2]", "r[1]");
    row("A.diagonal(0, 1, 1)", "A.diagonal(0, 0, 1)");
    row("A.unfold(1, 2, 0)", "A.unfold(1, 2, 1)");
    row("A.unfold(1, 9, 1)", "A.unfold(1, 4, 1)");
    row("A.movedim((0, 1), (1,))", "A.movedim((0,), (1,))");
    row("A.as_strided((-5, 2), (4, 1), 0)", "A.as_strided((3, 2), (4, 1), 0)");
    row("A.view(-3, 4)", "A.view(-1, 4)");
    row("A.view(-1, -1)", nullptr);
    row("A.flatten(1, 0)", "A.flatten(0, 1)");
    row("A.unflatten(1, (3, 2))", "A.unflatten(1, (2, 2))");
    row("A.unflatten(0, (5,))", "A.unflatten(0, (3, 1))");
    row("A.expand(2)", "A.expand(2, -1, -1)");
    row("A.expand(-1, 3, 4)", "A.expand(1, 3, 4)");
    row("A.as_strided((2,), (1, 1))", "A.as_strided((2,), (1,), 0)");
    row("A.as_strided((2, 3), (1,))", "A.as_strided((2,), (1,), 0)");
    row("A.as_strided((3, 2), (-1, 1), 1)", "A.as_strided((3, 2), (1, 1), 0).flip(0)");
    row("A.as_strided((2, 2), (-1, 1), 3)", "A.as_strided((2, 2), (1, 1), 2).flip(0)");
    // Forwards, too, there is no room for so many.
    row("A.as_strided((3, 4), (6, -1), 3)", "A.as_strided((2, 4), (6, 1), 0).flip(1)");
    row("A.as_strided((20, 2), (20, -7), 2)", "A.as_strided((1, 2), (20, 7), 0).flip(1)");
    row("A.as_strided((2, 2), (9223372036854775807, -1), 1)",
        "A.as_strided((1, 2), (9223372036854775807, 1), 0).flip(1)");
    row("A.as_strided((3, 2), (-9223372036854775807, 1), 1)",
        "A.as_strided((1, 2), (9223372036854775807, 1), 0).flip(0)");
    row("A.as_strided((2, 2), (4, 1), -1)", "A.as_strided((2, 2), (4, 1), 0)");
    row("A.as_strided((2, 2), (4, 1), 100)", "A.as_strided((2, 2), (4, 1), 6)");
    row("A.split(0)", "A.split(2)");
    row("A.split(0, 1)", "A.split(2, 1)");
    row("A.split([2, 5], 0)", "A.split([2, 1], 0)");
    row("A.chunk(0)", "A.chunk(2)");
    row("A.narrow(1, 3, 4)", "A.narrow(1, 3, 1)");
    row("A.select(0, 7)", "A.select(0, 2)");
    row("A.transpose(0, 2)", "A.transpose(0, 1)");
    row("A.permute(1)", "A.permute(1, 0)");
    row("A.view(5)", nullptr);
    row("C.t()", "C.transpose(1, 2)");
    row("A + B", nullptr);
    row("A + r", "A + r.unsqueeze(1)");
    row("A.t() + r4", "A.t() + r4.unsqueeze(1)");
    row("D = A * B.t()", nullptr);
    row("A += r", "A += r.unsqueeze(1)");
    row("torch.add(A, r)", "torch.add(A, r.unsqueeze(1))");
    row("A.mul(r)", "A.mul(r.unsqueeze(1))");
    row("A.expand(3, 5)", "A.expand(3, -1)");
    row("r.expand(3, 4)", nullptr);
    row("r.expand_as(A)", "r.unsqueeze(1).expand_as(A)");
    row("A + (r * 2)", "A + (r * 2).unsqueeze(1)");
}

void TestRefusalWays::everyWayIsPossible() {
    QFETCH(QString, line);
    QFETCH(QString, first);
    WorkspaceModel model;
    Workspace workspace(&model);
    for (const char* made : {"A = torch.arange(12).view(3, 4)", "B = torch.arange(6).view(2, 3)", "r = torch.arange(3)",
                             "r4 = torch.arange(4)", "C = torch.arange(24).view(2, 3, 4)"})
        QVERIFY(workspace.run(QString::fromUtf8(made), Naming::Discard).ok);
    const RunOutcome outcome = workspace.tryOut(line);
    QVERIFY(outcome.refusal);
    for (const qreal width : {1100.0, 700.0}) {
        const Figure figure = refusalFigure(refusalInput(*model.snapshot(), line, outcome, width));
        QVERIFY2(!figure.codes.empty(), outcome.refusal->id.c_str());
        if (!first.isEmpty()) QCOMPARE(figure.codes.front(), first);
        for (const QString& way : figure.codes) {
            const RunOutcome tried = workspace.tryOut(way);
            QVERIFY2(!tried.refusal, qPrintable(way));
        }
        QVERIFY(!figure.sentence.isEmpty());
    }
}

/// Read forwards, a view that did not fit is at most as large as the one that was wanted.
void TestRefusalWays::forwardsFromElsewhere() {
    WorkspaceModel model;
    Workspace workspace(&model);
    QVERIFY(workspace.run(QStringLiteral("t = torch.arange(24).view(2, 3, 4)"), Naming::Discard).ok);
    const auto says = [&](const QString& line, const QString& words) {
        const Figure figure = refusalFigure(refusalInput(*model.snapshot(), line, workspace.tryOut(line), 1100));
        return std::any_of(figure.scene.nodes.begin(), figure.scene.nodes.end(), [&words](const SceneNode& node) {
            const auto* text = std::get_if<TextItem>(&node.item);
            return text && text->text.contains(words);
        });
    };
    QVERIFY(says(QStringLiteral("t.as_strided((2, 2), (4, -1), 6)"), QStringLiteral("the same cells")));
    const QString outside = QStringLiteral("t.as_strided((2, 2), (20, -1), 6)");
    QVERIFY(!says(outside, QStringLiteral("the same cells")));
    QVERIFY(says(outside, QStringLiteral("as many cells")));
}

/// Products, joins and writes: some are refused only when they are carried out.
void TestRefusalWays::sizesHaveWaysOut_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("first"); // the first way out
    QTest::addColumn<QString>("words"); // of the reason
    const auto row = [](const char* line, const char* first, const char* words) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(first) << QString::fromUtf8(words);
    };
    row("A.mm(B)", "B.mm(A)", "A has 4 columns, B has 2 rows");
    row("X = A @ A", "X = A @ A.t()", "A has 4 columns, A has 3 rows");
    row("(A @ r).sum()", "(A.t() @ r).sum()", "A has 4 columns, r has 3 elements");
    row("torch.dot(r, r4)", "torch.dot(r, r4.narrow(0, 0, 3))", "r has 3 elements, r4 has 4 elements");
    row("A.mm(r4)", "A.mm(r4.unsqueeze(1))", "");
    row("torch.bmm(C, C)", "torch.bmm(C, C.transpose(-2, -1))", "C has 4 columns, C has 3 rows");
    row("torch.cat([A, B])", "torch.cat([A.t(), B])", "At dim 1 A has 4 and B has 3");
    row("torch.cat((A, B.t()), 0)", "torch.cat((A, B.t()), 1)", "only along dim 0");
    row("torch.cat([A, r4])", "torch.cat([A, r4.unsqueeze(0)])", "A has 2 dims, r4 has 1");
    row("torch.stack([A, B])", "torch.stack([A.narrow(0, 0, 2).narrow(1, 0, 3), B])", "equal sizes");
    row("r4.add_(A, alpha=2)", "r4.add(A, alpha=2)", "cannot grow");
    row("r4 += A * 2", "r4 + (A * 2)", "cannot grow");
    row("r4.copy_(A)", "r4.copy_(A[0])", "cannot grow");
    row("A.t()[:1].copy_(A.t())", nullptr, "cannot grow");
    row("A[0] = A", "A[0] = A[0]", "cannot grow");
    row("A.copy_(B)", "A[:2, :3].copy_(B)", "At dim 1 the sizes are 4 and 3");
    row("A += B", "A[:2, :3] += B", "At dim 1 the sizes are 4 and 3");
    row("A.add_(r, alpha=2)", "A.add_(r.unsqueeze(1), alpha=2)", "At dim 1 the sizes are 4 and 3");
}

void TestRefusalWays::sizesHaveWaysOut() {
    QFETCH(QString, line);
    QFETCH(QString, first);
    QFETCH(QString, words);
    WorkspaceModel model;
    Workspace workspace(&model);
    for (const char* made : {"A = torch.arange(12).view(3, 4)", "B = torch.arange(6).view(2, 3)", "r = torch.arange(3)",
                             "r4 = torch.arange(4)", "C = torch.arange(24).view(2, 3, 4)"})
        QVERIFY(workspace.run(QString::fromUtf8(made), Naming::Discard).ok);
    const RunOutcome outcome = workspace.run(line, Naming::Discard);
    QVERIFY(outcome.refusal);
    QVERIFY(hasPicture(*model.snapshot(), line, outcome));
    // As Python would have told it.
    const RunOutcome again = refusedAgain(workspace, line, *outcome.refusal);
    QVERIFY(again.refusal && again.source == outcome.source);
    for (const qreal width : {1100.0, 700.0}) {
        const Figure figure = refusalFigure(refusalInput(*model.snapshot(), line, outcome, width));
        QVERIFY2(!figure.codes.empty(), outcome.refusal->id.c_str());
        if (!first.isEmpty()) QCOMPARE(figure.codes.front(), first);
        QVERIFY2(figure.sentence.contains(words), qPrintable(figure.sentence));
        for (const QString& way : figure.codes) {
            const RunOutcome tried = workspace.run(way, Naming::Discard);
            QVERIFY2(tried.ok, qPrintable(way));
            QString reason;
            while (tried.steps > 0 && workspace.position() > 5)
                QVERIFY(workspace.jump(workspace.position() - 1, &reason));
        }
    }
}

void TestRefusalWays::whatWasRefusedIsDrawn_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("asked");  // empty: no picture
    QTest::addColumn<QString>("figure"); // its code
    QTest::addColumn<QString>("first");  // the first element of what was asked
    const auto row = [](const char* line, const char* asked, const char* figure, const char* first) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(asked) << QString::fromUtf8(figure)
                            << QString::fromUtf8(first);
    };
    row("A.view(5)", "A", "A.view(5)", "0");
    row("torch.arange(3, 15).view(3, 4).t().view(12)", "torch.arange(3, 15).view(3, 4).t()",
        "torch.arange(3, 15).view(3, 4).t().view(12)", "3");
    row("x = torch.rand(3, 4).t().view(2, 6)", "torch.rand(3, 4).t()", "x = torch.rand(3, 4).t().view(2, 6)", nullptr);
    row("torch.arange(10.).as_strided((5,), (3,), 0)", "torch.arange(10.)",
        "torch.arange(10.).as_strided((5,), (3,), 0)", "0.0");
    row("torch.zeros(1).expand(3).add_(1)", "torch.zeros(1).expand(3)", "torch.zeros(1).expand(3).add_(1)", "0.0");
    row("A.t().view(12)", "A.t()", "A.t().view(12)", "0");
    row("(A + 7).t().view(n * 4)", "(A + 7).t()", "(A + 7).t().view(12)", "7");
    row("(A + 7).view(n, 5)", "(A + 7)", "(A + 7).view(3, 5)", "7");
    row("torch.zeros(n, n).t().view(-1)", "torch.zeros(n, n).t()", "torch.zeros(n, n).t().view(-1)", "0.0");
    // Of several statements in one line, and in the middle of one.
    row("a = torch.arange(2, 8); a.view(4)", "a", "a.view(4)", "2");
    row("A = torch.arange(6) + 1; A.view(4)", "A", "A.view(4)", "1");
    row("b = A + 1; c = 2; b.t().view(2, 6) + A", "b.t()", "b.t().view(2, 6)", "1");
    row("torch.cat([A, torch.zeros(2, 3)])", "A", "torch.cat([A, torch.zeros(2, 3)])", "0");
    row("A[:1] + torch.arange(n)", "A[:1]", "A[:1] + torch.arange(n)", "0");
    row("torch.zeros(3000, 3000).t().view(-1)", "", "", nullptr);    // nine million elements for a picture
    row("A.add_(1).view(5)", "A.add_(1)", "A.add_(1).view(5)", "0"); // and nothing is written for one
}

void TestRefusalWays::whatWasRefusedIsDrawn() {
    QFETCH(QString, line);
    QFETCH(QString, asked);
    QFETCH(QString, figure);
    QFETCH(QString, first);
    WorkspaceModel model;
    Workspace workspace(&model);
    QVERIFY(workspace.run(QStringLiteral("A = torch.arange(12).view(3, 4); n = 3"), Naming::Discard).ok);
    const quint64 before = workspace.stateHash();
    const Generator::State numbers = defaultGenerator().state();
    const RunOutcome outcome = workspace.run(line, Naming::Discard);
    QVERIFY(outcome.refusal);
    QCOMPARE(workspace.stateHash(), before);
    QVERIFY(defaultGenerator().state() == numbers);
    const auto found = refusedPicture(model.snapshot(), line, outcome);
    QCOMPARE(found.has_value(), !asked.isEmpty());
    if (!found) return;
    QVERIFY(hasPicture(*found));
    const RefusalFigureInput input = refusalInput(*found, 1000);
    QCOMPARE(input.entry->name, asked);
    QCOMPARE(input.code, figure);
    // Of the storage are told those that have a name.
    if (asked.startsWith(QLatin1String("A.")) || asked.startsWith(QLatin1String("A[")))
        QCOMPARE(input.sharers, QStringList{QStringLiteral("A")});
    else if (asked != QLatin1String("A"))
        QCOMPARE(input.storageNumber, 2); // A's is 1
    const Tensor& tensor = input.entry->tensor;
    const std::byte* element =
        tensor.storage()->data() + tensor.storageOffset() * static_cast<Index>(itemSize(tensor.dtype()));
    if (!first.isEmpty()) QCOMPARE(QString::fromStdString(elementText(element, tensor.dtype())), first);
    // Names that the line itself gave are gone with it.
    QCOMPARE(input.still, line.contains(QLatin1Char(';')));
    const Figure drawn = refusalFigure(input);
    QVERIFY(!drawn.codes.empty());
    for (const QString& way : drawn.codes) {
        QVERIFY2(!way.contains(QLatin1String("_1")), qPrintable(way));
        if (!line.contains(QLatin1Char(';'))) QVERIFY2(workspace.tryOut(way).ok, qPrintable(way));
    }
}

void TestRefusalWays::namesOfFunctionsAreTheirOwn() {
    WorkspaceModel model;
    Workspace workspace(&model);
    QVERIFY(workspace.run(QStringLiteral("x = torch.arange(4); y = torch.arange(5, 17).view(3, 4)")).ok);
    const TensorEntry& y = model.snapshot()->tensors[1];
    RunOutcome outcome;
    outcome.refusal = Refusal{ErrorKind::Runtime, "VIEW-16", "view size is not compatible", {}, {}};
    RefusedOperation operation;
    operation.line = QStringLiteral("x.view(12)");
    operation.operands = {{QStringLiteral("x"), QStringLiteral("x"), transpose(y.tensor, 0, 1)}};
    operation.isElsewhere = operation.isOfKernel = true;
    const auto drawn = [&] {
        outcome.operation = std::make_shared<const RefusedOperation>(operation);
        return refusedPicture(model.snapshot(), QStringLiteral("return x.view(12)"), outcome);
    };
    const auto found = drawn();
    QVERIFY(found);
    const RefusalFigureInput input = refusalInput(*found, 1000);
    QCOMPARE(input.code, QStringLiteral("x.view(12)"));
    QCOMPARE(input.entry->name, QStringLiteral("x"));
    QCOMPARE(input.entry->tensor.shape(), (Dims{4, 3}));
    QCOMPARE(input.parent->name, QStringLiteral("y"));
    QVERIFY(std::holds_alternative<ViewMergeFailure>(input.refusal.detail)); // Python told words only
    // Its ways out are lines of the function.
    QVERIFY(input.still);
    for (const SceneNode& node : refusalFigure(input).scene.nodes) QVERIFY(node.part.kind != PartKind::Button);
    // A line that has to do with nothing of the workspace, too.
    operation.operands[0].tensor = zeros({3, 5});
    operation.line = QStringLiteral("x.view(12)");
    const auto alone = drawn();
    QVERIFY(alone);
    QCOMPARE(refusalInput(*alone, 1000).sharers, QStringList{QStringLiteral("x")});
    QCOMPARE(alone->ofWorkspace, TensorId{0});
}

void TestRefusalWays::expandIsNamedByItsCall() {
    WorkspaceModel model;
    Workspace workspace(&model);
    QVERIFY(workspace.run(QStringLiteral("C = torch.zeros(2, 4)"), Naming::Discard).ok);
    const auto titles = [&](const QString& line) {
        const RunOutcome outcome = workspace.tryOut(line);
        QStringList words;
        for (const SceneNode& node : refusalFigure(refusalInput(*model.snapshot(), line, outcome, 1000)).scene.nodes)
            if (const auto* text = std::get_if<TextItem>(&node.item)) words << text->text;
        return words;
    };
    QVERIFY(titles(QStringLiteral("C.expand(2, 7)")).contains(QStringLiteral("expand(2, 7)")));
    QVERIFY(titles(QStringLiteral("y = C.t().expand(-1, 3)")).contains(QStringLiteral("expand(-1, 3)")));
    QVERIFY(titles(QStringLiteral("C.expand((5, 2, 7))")).contains(QStringLiteral("expand((5, 2, 7))")));
    QVERIFY(titles(QStringLiteral("C.expand(1, 1, 1, 1, 5, 2, 7)")).contains(QStringLiteral("wanted")));
    const QStringList other = titles(QStringLiteral("C.expand_as(torch.zeros(2, 7))"));
    QVERIFY2(other.contains(QStringLiteral("torch.zeros(2, 7)")) || other.contains(QStringLiteral("wanted")),
             qPrintable(other.join(QLatin1Char('|'))));
}

void TestRefusalWays::boundsHaveWaysOut() {
    WorkspaceModel model;
    Workspace workspace(&model);
    QVERIFY(workspace.run(QStringLiteral("E = torch.zeros(2, 2)"), Naming::Discard).ok);
    QVERIFY(workspace.run(QStringLiteral("k = torch.zeros(1)"), Naming::Discard).ok);
    const struct {
        const char *line, *way;
        Index hatched; ///< how many of the cells beyond the end are not skipped
    } cases[] = {
        // No single number mends these.
        {"E.as_strided((5, 5), (2, 1), 0)", "E.as_strided((2, 2), (2, 1), 0)", 8},
        {"k.as_strided((5,), (2,), 8170450533120000000)", "k.as_strided((1,), (2,), 0)", 8},
        {"E.as_strided((3,), (1,), 90)", "E.as_strided((3,), (1,), 1)", 8},
        {"E.as_strided((3,), (3,), 0)", "E.as_strided((2,), (3,), 0)", 1},
        // Backwards, and past an end besides.
        {"E.as_strided((2, 2), (4, -1), 1)", "E.as_strided((1, 2), (4, 1), 0).flip(1)", 2},
        {"E.as_strided((2, 2), (90, -1), 1)", "E.as_strided((1, 2), (90, 1), 0).flip(1)", 8},
        {"E.as_strided((3,), (-1,), 1)", "E.as_strided((3,), (1,), 0).flip(0)", 1},
    };
    for (const auto& c : cases) {
        const QString line = QString::fromLatin1(c.line);
        const RunOutcome outcome = workspace.tryOut(line);
        QVERIFY(outcome.refusal);
        // The stage of a window of 1280×720.
        const RefusalFigureInput input = refusalInput(*model.snapshot(), line, outcome, 1008, 441);
        const Figure figure = refusalFigure(input);
        QVERIFY2(!figure.codes.empty(), c.line);
        QCOMPARE(figure.codes.front(), QString::fromLatin1(c.way));
        for (const QString& way : figure.codes) QVERIFY2(!workspace.tryOut(way).refusal, qPrintable(way));
        QVERIFY2(figure.scene.size.height() <= 441, qPrintable(QString::number(figure.scene.size.height())));
        bool card = false;
        for (const SceneNode& node : figure.scene.nodes) {
            card = card || node.part.kind == PartKind::CardCells;
            const auto* strip = std::get_if<StripItem>(&node.item);
            if (!strip) continue;
            Index hatched = 0;
            std::optional<ReachQuery> query;
            if (strip->wanted) query.emplace(*strip->wanted);
            for (Index slot = strip->outOfRange.first; slot < strip->outOfRange.last; ++slot)
                hatched += !query || query->any({slot, slot + 1});
            QCOMPARE(hatched, c.hatched);
        }
        QVERIFY2(card, c.line);
    }
}

/// Beside a low stage's card there is little room: what does not fit beside a way out stands below it.
void TestRefusalWays::wordsStayOnTheStage() {
    WorkspaceModel model;
    Workspace workspace(&model);
    QVERIFY(workspace.run(QStringLiteral("a = torch.arange(24).view(2, 3, 4)"), Naming::Discard).ok);
    for (const char* code : {"a.as_strided((2, 2), (4, -1), 1)", "a.as_strided((2, 2), (4, 1), -2)",
                             "a_long_name_for_a_tensor = a.as_strided((2, 2), (40, -1), 1)"}) {
        const QString line = QString::fromLatin1(code);
        const Figure figure = refusalFigure(refusalInput(*model.snapshot(), line, workspace.tryOut(line), 1008, 441));
        QVERIFY2(figure.scene.size.height() <= 441, code);
        QVERIFY2(!figure.codes.empty(), code);
        for (const SceneNode& node : figure.scene.nodes) {
            const auto* text = std::get_if<TextItem>(&node.item);
            if (!text || text->angle != 0 || (text->anchor & Qt::AlignHCenter)) continue;
            const qreal right = text->pos.x() + textWidth(text->font, text->text);
            QVERIFY2(right <= figure.scene.size.width(), qPrintable(text->text));
        }
    }
}

void TestRefusalWays::paperHasNothingToPress() {
    WorkspaceModel model;
    Workspace workspace(&model);
    QVERIFY(workspace.run(QStringLiteral("x = torch.arange(12).view(3, 4); y = x.t()"), Naming::Discard).ok);
    for (const char* code : {"y.view(12)", "y.narrow(0, 3, 4)"}) {
        const QString line = QString::fromLatin1(code);
        const RunOutcome outcome = workspace.tryOut(line);
        RefusalFigureInput input = refusalInput(*model.snapshot(), line, outcome, 1200);
        const Figure screen = refusalFigure(input);
        input.paper = true;
        const Figure paper = refusalFigure(input);
        const auto parts = [](const Figure& figure) {
            int count = 0;
            for (const SceneNode& node : figure.scene.nodes)
                count += node.part.kind == PartKind::Button || node.part.kind == PartKind::Message;
            return count;
        };
        QVERIFY(parts(screen) > 1);
        QCOMPARE(parts(paper), 0);
        QStringList words;
        for (const SceneNode& node : paper.scene.nodes)
            if (const auto* text = std::get_if<TextItem>(&node.item)) words << text->text;
        for (const char* screenOnly : {"Reshape", "Use view", "Copy, then view"})
            QVERIFY(!words.contains(QString::fromLatin1(screenOnly)));
        QVERIFY(words.filter(QStringLiteral("button")).isEmpty());
        // The ways out themselves are worth reading.
        for (const QString& way : screen.codes) QVERIFY2(words.contains(way), qPrintable(way));
    }
}

void TestRefusalWays::bothOperandsAreShown() {
    WorkspaceModel model;
    Workspace workspace(&model);
    QVERIFY(workspace.run(QStringLiteral("A = torch.zeros(3, 4)"), Naming::Discard).ok);
    QVERIFY(workspace.run(QStringLiteral("B = torch.zeros(2, 3)"), Naming::Discard).ok);
    const QString line = QStringLiteral("A + B");
    const RunOutcome outcome = workspace.tryOut(line);
    const RefusalFigureInput input = refusalInput(*model.snapshot(), line, outcome, 1000);
    QCOMPARE(input.operands.size(), std::size_t{2});
    QCOMPARE(input.operands[0].name, QStringLiteral("A"));
    QCOMPARE(input.operands[1].name, QStringLiteral("B"));
    QVERIFY(input.operands[1].shape == Dims({2, 3}));
    QStringList words;
    for (const SceneNode& node : refusalFigure(input).scene.nodes)
        if (const auto* text = std::get_if<TextItem>(&node.item)) words << text->text;
    for (const char* word : {"A", "B", "dim 0", "dim 1"}) QVERIFY2(words.contains(QString::fromUtf8(word)), word);
}

QTEST_MAIN(TestRefusalWays)
#include "tst_refusal_ways.moc"
