// "Predict first": what is asked, which answers can be read, and which of them are right.

#include "tests/widgets/broadcast/broadcast_fixture.h"
#include "widgets/broadcast/broadcast_counterexample.h"
#include "widgets/broadcast/broadcast_prediction.h"

#include "core/view/broadcast.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

class TestBroadcastPrediction : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void judgesShapes_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("said");
        QTest::addColumn<int>("verdict"); // 1 right, 0 wrong, -1 not readable
        const auto row = [](const char* line, const char* said, int verdict) {
            QTest::addRow("%s: %s", line, said) << QByteArray(line) << QString::fromUtf8(said) << verdict;
        };
        row("A + B", "(4, 5)", 1);
        row("A + B", "4, 5", 1);
        row("A + B", " [4,5] ", 1);
        row("A + B", "4 x 5", 1);
        row("A + B", "4×5", 1);
        row("A + B", "(5, 4)", 0);
        row("A + B", "(4, 5, 1)", 0);
        row("A + B", "20", 0);
        row("A + B", "refused", 0);
        row("A + B", "", -1);
        row("A + B", "four by five", -1);
        row("A + B", "(-4, 5)", -1);
        row("A + B", "(4, 99999999999999999999)", -1);
        row("a + b", "refused", 1);
        row("a + b", "Error", 1);
        row("a + b", "(3, 4)", 0);
        row("b += n", "refused", 1);
        row("b * 2", "3", 1);
        row("b * 2", "(3,)", 1);
        row("torch.tensor(1) + 2", "()", 1);
        row("torch.tensor(1) + 2", "1", 0);
        row("torch.ones(0, 3) + b", "0, 3", 1);
    }
    void judgesShapes() {
        QFETCH(QByteArray, line);
        QFETCH(QString, said);
        QFETCH(int, verdict);
        const auto judged = judgeShape(modelOf(line.constData()), said);
        QCOMPARE(judged ? static_cast<int>(judged->right) : -1, verdict);
        if (judged) QVERIFY(judged->reason.endsWith(QLatin1Char('.')));
    }

    void tellsWhy() {
        QCOMPARE(shapeQuestion(modelOf("A + B")), QStringLiteral("What shape has (4, 1) + (1, 5)?"));
        QCOMPARE(judgeShape(modelOf("A + B"), QStringLiteral("1"))->reason,
                 QStringLiteral("It is (4, 5): dim 1: 1 and 5, so A is repeated; dim 0: 4 and 1, so B is repeated."));
        QCOMPARE(judgeShape(modelOf("a + b"), QStringLiteral("1"))->reason,
                 QStringLiteral("Refused: dim 1: 4 and 3 differ and none is 1."));
        QCOMPARE(judgeShape(modelOf("a + torch.ones(4)"), QStringLiteral("1"))->reason,
                 QStringLiteral("It is (3, 4): dim 1: 4 and 4; dim 0: 3 and nothing, so torch.ones(4) is repeated."));
        QCOMPARE(judgeShape(modelOf("b += n"), QStringLiteral("refused"))->reason,
                 QStringLiteral("Refused: the result would be larger than b, which is written to."));
    }

    void asksForTheCellThatIsRead() {
        const BroadcastModel model = modelOf("A + B");
        const auto question = cellQuestion(model);
        QVERIFY(question.has_value());
        QCOMPARE(question->words, QStringLiteral("Which element of A is read for C[2, 4]?"));
        const auto verdict = [&](const char* said) {
            const auto judged = judgeCell(model, *question, QString::fromLatin1(said));
            return judged ? static_cast<int>(judged->right) : -1;
        };
        QCOMPARE(verdict("2, 0"), 1);
        QCOMPARE(verdict("A[2, 0]"), 1);
        QCOMPARE(verdict("(2, 0)"), 1);
        QCOMPARE(verdict("0, 0"), 0);
        QCOMPARE(verdict("2, 4"), -1); // no index of A
        QCOMPARE(verdict("2"), -1);
        QCOMPARE(verdict("there"), -1);
        QCOMPARE(judgeCell(model, *question, Dims{0, 0}).reason,
                 QStringLiteral("It is A[2, 0]: stride 0 in dim 1, so the index there moves nothing."));
        // The dims that are missing do not count.
        const BroadcastModel row = modelOf("a + torch.ones(4)");
        QVERIFY(judgeCell(row, *cellQuestion(row), Dims{0, 2}).right);
        QVERIFY(judgeCell(row, *cellQuestion(row), Dims{2}).right);
        QVERIFY(!judgeCell(row, *cellQuestion(row), Dims{0, 3}).right);
        for (const char* line : {"a + b", "a + a", "torch.ones(0, 3) + b", "b += n"})
            QVERIFY2(!cellQuestion(modelOf(line)), line);
    }

    void theRightCellIsTheOneThatIsRead() {
        for (const char* line : {"A + B", "a / a.sum(1, keepdim=True)", "torch.ones(2, 1, 3) + torch.ones(4, 1)",
                                 "torch.ones(2, 1, 3, 1) * torch.ones(2, 1, 4)", "A * B + A"}) {
            const BroadcastModel model = modelOf(line);
            const auto question = cellQuestion(model);
            QVERIFY2(question || QByteArray(line).contains("ones"), line);
            if (!question) continue;
            const BroadcastOperand& operand = model.operands[question->operand];
            const Index slot = model.slotOf(operand, question->element);
            int right = 0;
            for (Index i = 0; i < operand.tensor.numel(); ++i) {
                Dims coord(operand.tensor.shape().size(), 0);
                Index rest = i;
                for (std::size_t d = coord.size(); d-- > 0;) {
                    coord[d] = rest % operand.tensor.shape()[d];
                    rest /= operand.tensor.shape()[d];
                }
                const bool judged = judgeCell(model, *question, coord).right;
                QCOMPARE(judged, operand.tensor.view().slot(coord) == slot);
                right += judged;
            }
            QCOMPARE(right, 1);
        }
    }

    /// Every small pair that fits has a neighbour that does not, told in core's words, and what mends that works.
    void counterexamplesFail() {
        QVERIFY(!broadcastCounterexample(Dims{}, Dims{3}));
        QVERIFY(!broadcastCounterexample(Dims{1, 0}, Dims{1, 1}));
        const auto usual = broadcastCounterexample(Dims{3, 4}, Dims{4});
        QVERIFY(usual && usual->shapes[0] == Dims({3, 4}) && usual->shapes[1] == Dims({3}));
        QCOMPARE(usual->dim, Index{1});
        QCOMPARE(usual->mend, QStringLiteral("b.unsqueeze(1)"));
        QCOMPARE(usual->outcome, QStringLiteral("(3, 4) and (3, 1) → (3, 4)"));
        QVERIFY(!usual->size(1, 0) && *usual->size(1, 1) == 3);
        int told = 0;
        const auto shapes = [] {
            std::vector<Dims> all{Dims{}};
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (all[i].size() == 3) continue;
                for (Index size = 0; size < 4; ++size) {
                    Dims longer = all[i];
                    longer.push_back(size);
                    all.push_back(std::move(longer));
                }
            }
            return all;
        }();
        for (const Dims& a : shapes) {
            for (const Dims& b : shapes) {
                if (!broadcastShapes(a, b)) continue;
                const auto example = broadcastCounterexample(a, b);
                if (!example) continue;
                ++told;
                const auto refused = broadcastShapes(example->shapes[0], example->shapes[1]);
                QVERIFY(!refused);
                QCOMPARE(example->refusal, QString::fromStdString(refused.refusal().message));
                QVERIFY(!example->mend.isEmpty());
                int changed = 0;
                for (std::size_t d = 0; d < a.size(); ++d) changed += a[d] != example->shapes[0][d];
                for (std::size_t d = 0; d < b.size(); ++d) changed += b[d] != example->shapes[1][d];
                QCOMPARE(changed, 1);
            }
        }
        QVERIFY(told > 100);
    }
};

QTEST_APPLESS_MAIN(TestBroadcastPrediction)
#include "tst_broadcast_prediction.moc"
