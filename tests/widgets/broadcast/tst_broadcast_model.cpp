// What the broadcast picture says, beside what core computes.

#include "core/tensor/element.h"
#include "core/view/view_ops.h"
#include "tests/widgets/broadcast/broadcast_fixture.h"
#include "widgets/broadcast/broadcast_scene.h"
#include "widgets/broadcast/broadcast_timeline.h"

#include <QRandomGenerator>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

QString shapeCode(const std::vector<int>& shape) {
    if (shape.empty()) return QStringLiteral("torch.tensor(7)");
    int numel = 1;
    QStringList sizes;
    for (const int size : shape) {
        numel *= size;
        sizes << QString::number(size);
    }
    return QStringLiteral("torch.arange(%1).view(%2)").arg(numel).arg(sizes.join(QLatin1Char(',')));
}

/// A line of up to four operands whose shapes fit.
QString randomLine(QRandomGenerator& random) {
    const int rank = random.bounded(5), operands = 1 + random.bounded(4);
    std::vector<int> whole;
    for (int d = 0; d < rank; ++d) whole.push_back(random.bounded(1, 5));
    QString line;
    static const char* const signs[] = {" + ", " - ", " * ", " > ", " / "};
    for (int i = 0; i < operands; ++i) {
        std::vector<int> shape(whole.begin() + random.bounded(rank + 1), whole.end());
        for (int& size : shape)
            if (random.bounded(3) == 0) size = 1;
        // One comparison at most, and it is the last: comparisons do not chain.
        const int kinds = i == 1 ? 5 : 3;
        if (i > 0 && line.contains(QLatin1Char('>'))) line = QLatin1Char('(') + line + QLatin1Char(')');
        if (i > 0) line += QString::fromLatin1(signs[line.contains(QLatin1Char('>')) ? 2 : random.bounded(kinds)]);
        line += shapeCode(shape);
        if (shape.size() > 1 && random.bounded(4) == 0) line += QStringLiteral(".sum(0, keepdim=True)");
    }
    return line;
}

} // namespace

class TestBroadcastModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Two views of one storage keep its elements once, and results in between are memory, too.
    void countsMemory() {
        QCOMPARE(modelOf("A + A.t()").storedBytes, Index{16});
        QCOMPARE(modelOf("A[1:] - A[:-1]").storedBytes, Index{16});
        const BroadcastModel chain = modelOf("A * B + A");
        QCOMPARE(chain.betweenBytes, Index{80});
        QCOMPARE(chain.resultBytes(), Index{80});
    }
    /// What is computed element by element is seen where it stands inside something else; a product of matrices is not.
    void findsTheInnerPart() {
        const BroadcastModel inside = modelOf("((A - B) ** 2).mean()");
        QVERIFY(inside.ok() && inside.program.inner);
        QVERIFY(inside.shape == Dims({4, 5}));
        QCOMPARE(inside.operands.size(), std::size_t{2});
        QCOMPARE(inside.resultName, QStringLiteral("(A - B) ** 2"));
        QVERIFY(!modelOf("(A + B[:, :3].t()).sum()").ok()); // (4, 1) and (3, 1)
        QVERIFY(!broadcastModel(*usualSnapshot(), QStringLiteral("a @ A"), QStringLiteral("C")));
        const BroadcastModel scaled = modelOf("torch.add(A, B, alpha=2)");
        QVERIFY(scaled.shape == Dims({4, 5}));
        QCOMPARE(scaled.expandedCode(), QStringLiteral("torch.add(A.expand(4, 5), B.expand(4, 5), alpha=2)"));
    }
    /// In place, the dims of the output that would grow are what it is refused for.
    void namesTheDimsThatWouldGrow() {
        const BroadcastModel model = modelOf("A += B");
        QVERIFY(model.outputGrows());
        QVERIFY(!model.failsAt(0) && model.failsAt(1));
    }
    void tellsTheUsualCase() {
        const BroadcastModel model = modelOf("A + B");
        QVERIFY(model.ok());
        QVERIFY(model.shape == Dims({4, 5}));
        QCOMPARE(model.storedBytes, Index{36}); // 4 and 5 elements
        QCOMPARE(model.betweenBytes, Index{0});
        QCOMPARE(model.copiedBytes(model.operands[0]), Index{80});
        QCOMPARE(model.resultBytes(), Index{80});
        QVERIFY(model.operands[0].stretched.stride == Dims({1, 0}));
        QVERIFY(model.alignment.grows);
        QCOMPARE(model.expandedCode(), QStringLiteral("A.expand(4, 5) + B.expand(4, 5)"));
        QCOMPARE(model.shapesText(), QStringLiteral("(4, 1) + (1, 5)"));
        QCOMPARE(model.arithmetic(3), QStringLiteral("1.0 + -5.0 = -4.0"));
        QCOMPARE(model.operands[1].colour, 1);
        QCOMPARE(model.result.colour, 2);
        QVERIFY(model.promotion().isEmpty());
    }

    void tellsChainsAndPromotion() {
        const BroadcastModel chain = modelOf("(b * n) - b / 2");
        QCOMPARE(chain.arithmetic(5), QStringLiteral("(30 * 1.0) - 30 / 2 = 15.0"));
        QCOMPARE(chain.promotion(), QStringLiteral("int64 and float32 and an int → float32"));
        QCOMPARE(modelOf("a * 2.5").promotion(), QStringLiteral("int64 and a float → float32"));
        const BroadcastModel reduced = modelOf("a / a.sum(1, keepdim=True)");
        QCOMPARE(reduced.operands[1].code, QStringLiteral("a.sum(1, keepdim=True)"));
        QCOMPARE(reduced.operands[1].storageNumber, 0);
        QVERIFY(reduced.operands[1].stretched.stride == Dims({1, 0}));
    }

    void tellsPowersAndFunctions() {
        QCOMPARE(modelOf("a ** 2").arithmetic(3), QStringLiteral("3 ** 2 = 9"));
        QCOMPARE(modelOf("(a - 5) ** 2").arithmetic(3), QStringLiteral("(3 - 5) ** 2 = 4"));
        QCOMPARE(modelOf("(-a) ** 2").arithmetic(3), QStringLiteral("(-3) ** 2 = 9"));
        QCOMPARE(modelOf("c = a - 5; c ** 2").arithmetic(3), QStringLiteral("(-2) ** 2 = 4"));
        QCOMPARE(modelOf("~a & 3 << b.view(3, 1)").shapesText(), QStringLiteral("~(3, 4) & 3 << (3, 1)"));
        QCOMPARE(modelOf("torch.maximum(a, n.long()).sqrt()").arithmetic(9),
                 QStringLiteral("sqrt(maximum(9, 2)) = 3.0"));
        QCOMPARE(modelOf("torch.maximum(a, n.long())").expandedCode(),
                 QStringLiteral("torch.maximum(a, n.long().expand(3, 4))"));
        const BroadcastModel method = modelOf("a.add_(n.long())");
        QVERIFY(method.ok() && method.inPlace);
        QCOMPARE(method.arithmetic(5), QStringLiteral("add(5, 1) = 6"));
        const BroadcastModel grows = modelOf("b.add_(n)");
        QVERIFY(grows.outputGrows());
        QCOMPARE(grows.mends.front().line, QStringLiteral("b = b.add(n)"));
    }

    /// What only writes says what it writes and what was there; where it lies is the target's view.
    void tellsWhatIsOnlyWritten_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("arithmetic");
        QTest::addColumn<QString>("expanded");
        QTest::addColumn<QString>("shapes");
        const auto row = [](const char* line, const char* arithmetic, const char* expanded, const char* shapes) {
            QTest::newRow(line) << QByteArray(line) << QString::fromUtf8(arithmetic) << QString::fromUtf8(expanded)
                                << QString::fromUtf8(shapes);
        };
        // Element 1: a has 1 there.
        row("a.copy_(n)", "copy(0.0) = 0", "a.copy_(n.expand(3, 4))", "(3, 4) ← (3, 1)");
        row("a.copy_(n * 2 + 1)", "copy(0.0 * 2 + 1) = 1", "a.copy_(n.expand(3, 4) * 2 + 1)",
            "(3, 4) ← (3, 1) * 2 + 1");
        row("a.fill_(3)", "fill(3) = 3", "", "(3, 4) ← 3");
        row("a.zero_()", "zero() = 0", "", "(3, 4).zero_()");
        row("a[0] = n[1]", "copy(1.0) = 1", "a[0].copy_(n[1].expand(4))", "(4,) ← (1,)");
        row("a[:, 1] = b * 2", "copy(20 * 2) = 40", "", "(3,) ← (3,) * 2");
        row("torch.add(a, n, out=A[:3].expand(3, 4).clone())", "add(1, 0.0) = 1.0",
            "torch.add(a, n.expand(3, 4), out=A[:3].expand(3, 4).clone())", "add((3, 4), (3, 1))");
    }
    void tellsWhatIsOnlyWritten() {
        QFETCH(QByteArray, line);
        const BroadcastModel model = modelOf(line.constData());
        QVERIFY(model.ok() && model.inPlace);
        QTEST(model.arithmetic(1), "arithmetic");
        QTEST(model.expandedCode(), "expanded");
        QTEST(model.shapesText(), "shapes");
        QVERIFY(model.reason(1).startsWith(QStringLiteral("it was ")));
        QVERIFY(model.result.tensor.view() == model.operands[*model.program.target].tensor.view());
    }
    void whatIsOnlyWrittenIsMended() {
        const BroadcastModel model = modelOf("a.copy_(b)");
        QVERIFY(!model.ok() && model.conflictDim);
        QCOMPARE(model.mends.front().line, QStringLiteral("a.copy_(b.unsqueeze(1))"));
        QCOMPARE(model.mends.front().outcome, QStringLiteral("(3, 4) ← (3, 1) → (3, 4)"));
        QVERIFY(modelOf("b.copy_(n)").outputGrows());
        const BroadcastModel out = modelOf("torch.add(a, b, out=A)");
        QVERIFY(!out.ok());
    }

    /// Functions of three tensors are one operation of all of them, and say in words what they do to a cell.
    void tellsCallsOfThree_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("arithmetic");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* line, const char* arithmetic, const char* reason) {
            QTest::newRow(line) << QByteArray(line) << QString::fromUtf8(arithmetic) << QString::fromUtf8(reason);
        };
        // Element [1, 1] of (3, 4): a has 5 there, n has 1.0, b.view(3, 1) has 20.
        row("torch.where(a > n, a, b.view(3, 1))", "where(5 > 1.0, 5, 20) = 5", "the condition holds, so it is 5");
        row("a.where(a < n, b.view(3, 1))", "where(5 < 1.0, 5, 20) = 20", "the condition does not hold, so it is 20");
        row("a.clamp(n, b.view(3, 1))", "clamp(5, 1.0, 20) = 5.0", "between the limits, so it stays 5");
        row("a.clamp(b.view(3, 1), None)", "clamp(5, 20) = 20", "below the lowest, so it is 20");
        row("torch.clamp(a, max=n)", "clamp(5, max=1.0) = 1.0", "above the highest, so it is 1.0");
        row("torch.lerp(a.float(), n, 0.25)", "lerp(5.0, 1.0, 0.25) = 4.0", "5.0 + 0.25 * (1.0 - 5.0)");
        row("a.masked_fill(n > 0, -1)", "masked_fill(5, 1.0 > 0, -1) = -1", "the mask is true, so it becomes -1");
        row("a.masked_fill_(n > 1, -1)", "masked_fill(5, 1.0 > 1, -1) = 5", "the mask is false, so it stays 5");
        row("torch.addcmul(n, n, a, value=2)", "addcmul(1.0, 1.0, 5, value=2) = 11.0", "1.0 + 2 * 1.0 * 5");
        row("n.addcdiv(n, a)", "addcdiv(1.0, 1.0, 5) = 1.2", "1.0 + 1.0 / 5");
        row("a + n", "5 + 1.0 = 6.0", "");
    }
    void tellsCallsOfThree() {
        QFETCH(QByteArray, line);
        const BroadcastModel model = modelOf(line.constData());
        QVERIFY(model.ok());
        QVERIFY(model.shape == Dims({3, 4}));
        QTEST(model.arithmetic(5), "arithmetic");
        QTEST(model.reason(5), "reason");
    }

    void callsOfThreeAreMended() {
        const BroadcastModel model = modelOf("torch.where(n > 1, a, b)");
        QVERIFY(!model.ok());
        QCOMPARE(*model.conflictDim, Index{1});
        QCOMPARE(model.mends.front().line, QStringLiteral("torch.where(n > 1, a, b.unsqueeze(1))"));
        QCOMPARE(model.mends.front().outcome, QStringLiteral("(3, 1), (3, 4), (3, 1) → (3, 4)"));
        QCOMPARE(modelOf("a.clamp(0, b)").mends.front().line, QStringLiteral("a.clamp(0, b.unsqueeze(1))"));
        const BroadcastModel grows = modelOf("b.clamp_(0, a[:, :3])");
        QVERIFY(grows.outputGrows());
        QCOMPARE(grows.mends.front().line, QStringLiteral("b = b.clamp(0, a[:, :3])"));
        // The condition has no part in the dtype.
        QVERIFY(modelOf("torch.where(a > 1, b.view(3, 1), a)").promotion().isEmpty());
        QCOMPARE(modelOf("torch.where(a > 1, n, a)").promotion(), QStringLiteral("float32 and int64 → float32"));
    }

    /// Where two operands have to change, both do.
    void mendsInSteps() {
        const BroadcastModel model = modelOf("a + b + torch.ones(2, 1, 1).view(2)");
        QVERIFY(!model.ok());
        QVERIFY(!model.mends.empty());
        QVERIFY(modelOf(model.mends.front().line.toUtf8()).ok());
        const BroadcastModel three = modelOf("torch.where(b > 1, a, A)");
        QVERIFY(!three.ok() && !three.mends.empty());
        QVERIFY(modelOf(three.mends.front().line.toUtf8()).ok());
    }

    /// More dims than anybody meant are offered where nothing else is.
    void theLastResortComesAlone() {
        const BroadcastModel model = modelOf("torch.ones(2, 3, 4, 2, 3) + torch.ones(2, 3, 4, 2, 2)");
        QVERIFY(!model.mends.empty());
        for (const BroadcastMend& mend : model.mends) QVERIFY2(mend.label.size() < 60, qPrintable(mend.label));
        QCOMPARE(model.mends.front().method, QStringLiteral(".narrow(4, 0, 2)"));
    }

    void failuresAreMended() {
        const BroadcastModel model = modelOf("a + b");
        QVERIFY(!model.ok());
        QCOMPARE(*model.conflictDim, Index{1});
        QCOMPARE(model.refusalText(), QStringLiteral("RuntimeError: The size of tensor a (4) must match the size of "
                                                     "tensor b (3) at non-singleton dimension 1"));
        QCOMPARE(model.mends.front().label, QStringLiteral("b.unsqueeze(1)"));
        QCOMPARE(model.mends.front().line, QStringLiteral("a + b.unsqueeze(1)"));
        QCOMPARE(model.mends.front().outcome, QStringLiteral("(3, 4) + (3, 1) → (3, 4)"));
        // Of a chain the two that met are counted from the right of all dims.
        const BroadcastModel chain = modelOf("torch.ones(2, 1, 1) + (b + torch.ones(2))");
        QCOMPARE(*chain.conflictDim, Index{2});
    }

    void outputsDoNotGrow() {
        const BroadcastModel grows = modelOf("b += n");
        QVERIFY(grows.outputGrows());
        QCOMPARE(grows.mends.front().line, QStringLiteral("b = b + n"));
        const BroadcastModel fits = modelOf("a += n.long()");
        QVERIFY(fits.ok() && fits.inPlace);
        QCOMPARE(fits.result.storageNumber, 3);
        QCOMPARE(fits.arithmetic(5), QStringLiteral("5 + 1 = 6"));
        // No view of two rows fits into three, and what is written to cannot be another view.
        const BroadcastModel none = modelOf("a += n[:2].long()");
        QVERIFY(!none.ok() && !none.outputGrows() && none.mends.empty());
    }

    /// Every two shapes of ranks 0 to 4 with sizes 0 to 4, 609,961 pairs, with STRIDESCOPE_LONG=1; else each shape with
    /// some others, another choice for each.
    void everyPairIsTold() {
        const bool all = qEnvironmentVariableIntValue("STRIDESCOPE_LONG") != 0;
        constexpr std::size_t kStride = 61;
        std::vector<TensorEntry> tensors;
        std::vector<std::vector<int>> shapes{{}};
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            for (int size = 0; size <= 4 && shapes[i].size() < 4; ++size) {
                shapes.push_back(shapes[i]);
                shapes.back().push_back(size);
            }
        }
        QCOMPARE(shapes.size(), std::size_t{781});
        for (const std::vector<int>& shape : shapes)
            tensors.push_back(snapshotOf({{QStringLiteral("a"), shapeCode(shape)}})->tensors.front());
        std::size_t refused = 0, pictures = 0;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            for (std::size_t j = 0; j < tensors.size(); ++j) {
                if (!all && (i * 7 + j) % kStride != 0) continue;
                WorkspaceSnapshot snapshot;
                snapshot.tensors = {tensors[i], tensors[j]};
                snapshot.tensors[1].name = QStringLiteral("b");
                snapshot.tensors[1].id = 2;
                const Dims &a = tensors[i].tensor.shape(), &b = tensors[j].tensor.shape();
                const QByteArray which = QByteArray::fromStdString(toString(a) + " and " + toString(b));
                const auto model = broadcastModel(snapshot, QStringLiteral("a + b"), QStringLiteral("C"));
                QVERIFY2(model, which);
                const auto core = broadcastShapes(a, b);
                QVERIFY2(model->ok() == core.ok(), which);
                if (core) {
                    QVERIFY2(model->shape == *core && model->result.tensor.shape() == *core, which);
                    continue;
                }
                ++refused;
                QVERIFY2(model->refusalText().endsWith(QString::fromStdString(core.refusal().message)), which);
                // A way out that works, or words that there is none.
                for (const BroadcastMend& mend : model->mends)
                    QVERIFY2(broadcastModel(snapshot, mend.line, QStringLiteral("C"))->ok(), which);
                if (!model->mends.empty() && refused % 40 != 0) continue;
                ++pictures;
                QString words;
                BroadcastLook look;
                look.size = QSizeF(1600, 745);
                look.t = 1;
                for (const SceneNode& node : broadcastScene(*model, look).nodes)
                    if (const auto* text = std::get_if<TextItem>(&node.item)) words += text->text + QLatin1Char(' ');
                QVERIFY2(words.contains(QStringLiteral("must match the size of tensor b")), which);
                QVERIFY2(words.contains(QStringLiteral("Works instead:")) != model->mends.empty(), which);
                QVERIFY2(words.contains(QStringLiteral("Nothing mends this line")) == model->mends.empty(), which);
            }
        }
        QVERIFY2(refused > 3000 && pictures > 70, qPrintable(QString::number(refused)));
    }

    void theLastFrameNamesCoresCells() {
        QRandomGenerator random(11);
        const SnapshotPtr snapshot = usualSnapshot();
        for (int n = 0; n < 1500; ++n) {
            const QString line = randomLine(random);
            auto made = broadcastModel(*snapshot, line, QStringLiteral("C"));
            QVERIFY2(made.ok(), qPrintable(line + QLatin1String(": ") +
                                           QString::fromStdString(made ? "" : made.refusal().message)));
            const BroadcastModel& model = *made;
            const BroadcastTimeline timeline(model);
            const BroadcastFrame last = timeline.at(1);
            QCOMPARE(last.computed, model.result.tensor.numel());
            QVERIFY(!last.now);
            for (const BroadcastOperand& operand : model.operands) {
                const View core = expand(operand.tensor.view(), model.shape).valueOrThrow();
                for (Index i = 0; i < last.computed; ++i)
                    QCOMPARE(model.slotOf(operand, i), core.slot(model.coordOf(i)));
            }
        }
    }

    void timeGoesBothWays() {
        for (const char* line : {"A + B", "a + b", "b += n", "a * 2", "torch.ones(0, 3) + b", "torch.tensor(1) + 1"}) {
            const BroadcastModel model = modelOf(line);
            const BroadcastTimeline timeline(model);
            QCOMPARE(timeline.stops().front(), 0.0);
            QCOMPARE(timeline.stops().back(), 1.0);
            QCOMPARE(static_cast<int>(timeline.stageEnds().size()), model.ok() ? 4 : 3);
            qreal t = 0;
            std::vector<qreal> forward{0}, back{1};
            while (t < 1) forward.push_back(t = timeline.next(t));
            while (t > 0) back.push_back(t = timeline.previous(t));
            std::reverse(back.begin(), back.end());
            QCOMPARE(forward, back);
            QCOMPARE(forward, timeline.stops());
            // Nothing that was said is taken back while time goes on.
            BroadcastFrame before = timeline.at(0);
            for (int i = 1; i <= 200; ++i) {
                const BroadcastFrame frame = timeline.at(i / 200.0);
                QVERIFY(frame.computed >= before.computed && frame.judged >= before.judged);
                QVERIFY(frame.stretch >= before.stretch && frame.stage >= before.stage);
                QVERIFY(!(frame.computed > 0 && frame.stretch < 1));
                before = frame;
            }
            QCOMPARE(before.computed, model.ok() ? model.numel() : 0);
            for (int stage = 0; stage < kBroadcastStages; ++stage)
                QVERIFY(!timeline.captionBefore(static_cast<BroadcastStage>(stage)).isEmpty());
        }
    }

    void theFirstRowComesCellByCell() {
        const BroadcastModel model = modelOf("A + B");
        const BroadcastTimeline timeline(model);
        std::vector<Index> counts;
        for (const qreal stop : timeline.stops())
            if (const Index computed = timeline.at(stop).computed; computed > 0) counts.push_back(computed);
        QCOMPARE(counts, (std::vector<Index>{1, 2, 3, 4, 5, 10, 20}));
    }
};

QTEST_MAIN(TestBroadcastModel)
#include "tst_broadcast_model.moc"
