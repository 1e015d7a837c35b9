// Lines as trees of pointwise operations, beside what the evaluator makes of the same lines.

#include "core/expr/parser.h"
#include "core/expr/pointwise_program.h"
#include "core/ops/creation.h"
#include "core/tensor/element.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace stridescope;
using namespace stridescope::expr;

namespace {

class Names : public Environment {
public:
    std::optional<Value> lookup(const std::string& name) override {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    }
    void assign(const std::string& name, Value value, const std::string&) override {
        if (auto* tensor = value.as<TensorValue>()) tensor->source = values.size() + 1;
        values[name] = std::move(value);
    }
    void remove(const std::string& name) override { values.erase(name); }
    void aboutToWrite(const Tensor&) override { ++writes; }

    std::map<std::string, Value> values;
    int writes = 0;
};

void run(Names& names, std::string_view code) {
    const Program program = parseProgram(code).valueOrThrow();
    Evaluator evaluator(names);
    for (const Statement& statement : program.statements) evaluator.execute(statement, code);
}

Names someNames() {
    Names names;
    run(names, "a = torch.arange(4).view(4, 1); b = torch.tensor([5., -5., 5., -5., 5.]).view(1, 5)\n"
               "x = torch.arange(6.).view(2, 3); v = torch.tensor([1, 2, 3])");
    return names;
}

Tensor evaluated(Names& names, std::string_view code) {
    const Program program = parseProgram(code).valueOrThrow();
    Evaluator evaluator(names);
    Value value;
    for (const Statement& statement : program.statements) value = evaluator.execute(statement, code);
    return value.as<TensorValue>()->tensor;
}

} // namespace

class TestPointwiseProgram : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void computesWhatTheEvaluatorDoes_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<int>("operands");
        const auto row = [](const char* code, int operands) { QTest::newRow(code) << QByteArray(code) << operands; };
        row("a + b", 2);
        row("a * b + a", 2);
        row("(a + b) * x[0, 0] - 2.5", 3);
        row("x / x.sum(1, keepdim=True)", 2);
        row("x - x.mean(0)", 2);
        row("torch.maximum(a, b) >= a.neg()", 2);
        row("-x + torch.add(v, v)", 2);
        row("2 * 3 + v", 1);
        row("x == x.amax(1, keepdim=True)", 2);
        row("v.view(3, 1) + v", 2);
        row("torch.arange(3).view(3, 1) * torch.tensor([1.5, 2])", 2);
        row("c = torch.ones(3, 1); c + v", 2);
        row("a.add(b).abs()", 2);
        row("abs(v) + v", 2);
        row("a ** 2 + b", 2);
        row("-v ** 2", 1);
        row("2 ** v % 3", 1);
        row("v // v.view(3, 1)", 2);
        row("~v & 6 | a << v >> 1", 2);
        row("(v > 1) ^ (a > 2)", 2);
        row("torch.exp(x) * v.sqrt()", 2);
        row("torch.atan2(a.float(), b)", 2);
        row("x.logaddexp(v.float()).floor()", 2);
        row("torch.add(x, v, alpha=2) + v", 2);
        row("torch.round(x / 7, decimals=1) - v", 2);
        row("torch.pow(2, v) + a", 2);
        row("torch.where(a > 1, a, v)", 2);
        row("torch.where(v > 1, 0, b[:, :3])", 2);
        row("x.where(x > 2, v)", 2);
        row("x.clamp(v - 1, v)", 2);
        row("torch.clamp(x, min=1, max=3) + v", 2);
        row("x.clamp(max=v)", 2);
        row("torch.clamp(x, None, v)", 2);
        row("v.clip(a, 2)", 2);
        row("x.clamp_min(v)", 2);
        row("torch.lerp(a.float(), b, 0.5)", 2);
        row("b.lerp(a.float(), torch.arange(5.) / 4)", 3);
        row("x.masked_fill(v > 1, -1)", 2);
        row("torch.masked_fill(a, v > 1, 0)", 2);
        row("torch.addcmul(x, v.float(), x[:1], value=3)", 3);
        row("x.addcdiv(v.float(), x[:, :1] + 1)", 3);
        row("torch.where(x > 1, x.clamp(0, 4), v * 2)", 2);
        row("torch.add(x, other=v, alpha=2)", 2);
        row("torch.sub(other=v, input=x)", 2);
        row("x.mul(other=v)", 2);
    }
    void computesWhatTheEvaluatorDoes() {
        QFETCH(QByteArray, code);
        QFETCH(int, operands);
        Names names = someNames();
        const auto program = pointwiseProgram(code.constData(), names);
        QVERIFY2(program.ok(), program ? "" : program.refusal().message.c_str());
        QVERIFY(program->ok() && program->computed);
        QCOMPARE(static_cast<int>(program->operands.size()), operands);
        QCOMPARE(names.values.count("c"), std::size_t{0});
        const Tensor expected = evaluated(names, code.constData());
        const Tensor found = program->root().value;
        QVERIFY(found.shape() == expected.shape());
        QVERIFY(found.dtype() == expected.dtype());
        for (Index i = 0; i < expected.numel(); ++i) QVERIFY(readSlot(found, i) == readSlot(expected, i));
    }

    /// With no elements at hand the layout is the same, and so are the refusals.
    void callsOfThreeHaveTheirLayout_data() {
        QTest::addColumn<QByteArray>("code");
        for (const char* code : {"torch.where(a > 1, x[:1].t(), v)",
                                 "torch.where(x.t() > 1, x.t(), 7)",
                                 "torch.where(v > 1, v, 2.5)",
                                 "x.t().clamp(v.view(3, 1), 4)",
                                 "v.clamp(x, 3)",
                                 "x.expand(4, 2, 3).double().clamp(min=v)",
                                 "x.t().lerp(x.t(), 0.5)",
                                 "x.t().masked_fill(v.view(3, 1) > 1, 0)",
                                 "x.masked_fill(a > 1, 2)",
                                 "v.addcmul(x, x)",
                                 "x.t().addcdiv(x.t(), 2)",
                                 "torch.where(v, v, v)",
                                 "v.lerp(x, 0.5)",
                                 "v.addcdiv(v, v)",
                                 "x.masked_fill(v > 1, v)",

                                 "(x > 1).clamp(0, 1)",
                                 "torch.where(x[0, 0], x, x)",
                                 "x.clamp()",
                                 "torch.lerp(x, v)",
                                 "x.where(v > 1)"})
            QTest::newRow(code) << QByteArray(code);
    }
    void callsOfThreeHaveTheirLayout() {
        QFETCH(QByteArray, code);
        const auto textOf = [&](bool dryRun) {
            Names names = someNames();
            const Program program = parseProgram(code.constData()).valueOrThrow();
            try {
                const Value value = Evaluator(names, {dryRun}).execute(program.statements.front(), code.constData());
                const Tensor& tensor = value.as<TensorValue>()->tensor;
                return toString(tensor.shape()) + toString(tensor.stride()) + std::string(name(tensor.dtype()));
            } catch (const Error& error) {
                return error.refusal().id + error.refusal().message;
            }
        };
        QCOMPARE(QString::fromStdString(textOf(true)), QString::fromStdString(textOf(false)));
    }

    void aThirdInputFails() {
        Names names = someNames();
        for (const char* code : {"torch.where(x > 1, x, b)", "x.clamp(v, b)", "torch.lerp(x, v.float(), b)"}) {
            const auto program = pointwiseProgram(code, names);
            QVERIFY2(program.ok() && !program->ok(), code);
            QCOMPARE(QString::fromStdString(program->refusal->message),
                     QStringLiteral("The size of tensor a (3) must match the size of tensor b (5) at non-singleton "
                                    "dimension 1"));
        }
        const auto grows = pointwiseProgram("v.clamp_(0, a)", names);
        QVERIFY(grows.ok() && !grows->ok());
        QCOMPARE(QString::fromStdString(grows->refusal->message),
                 QStringLiteral("output with shape [3] doesn't match the broadcast shape [4, 3]"));
    }

    void namesTheOperationThatFails() {
        Names names = someNames();
        const auto program = pointwiseProgram("x * 2 + a * v", names);
        QVERIFY(program.ok() && !program->ok());
        QCOMPARE(program->operands.size(), std::size_t{3});
        QCOMPARE(QString::fromStdString(program->refusal->message),
                 QStringLiteral("The size of tensor a (2) must match the size of tensor b (4) at non-singleton "
                                "dimension 0"));
        QCOMPARE(program->nodes[*program->failed].symbol, std::string("+"));
    }

    void writesNothing() {
        Names names = someNames();
        const auto program = pointwiseProgram("x += v", names);
        QVERIFY(program.ok() && program->ok());
        QCOMPARE(*program->target, std::size_t{0});
        QCOMPARE(readSlot(program->root().value, 5).toDouble(), 8.0);
        QCOMPARE(readSlot(program->operands[0].value.tensor, 5).toDouble(), 5.0);
        QCOMPARE(names.writes, 0);
        // Statements before the last one are not let write either.
        const auto before = pointwiseProgram("x[0] = 7; x + v", names);
        QVERIFY(!before.ok());
        QCOMPARE(readSlot(program->operands[0].value.tensor, 0).toDouble(), 0.0);
    }

    void methodsWriteNothing_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<double>("last");
        QTest::newRow("x.exp_()") << QByteArray("x.exp_()") << std::exp(5.0);
        QTest::newRow("x.add_(v)") << QByteArray("x.add_(v)") << 8.0;
        QTest::newRow("x.pow_(2)") << QByteArray("x.pow_(2)") << 25.0;
        QTest::newRow("torch.sqrt_(x)") << QByteArray("torch.sqrt_(x)") << std::sqrt(5.0);
        QTest::newRow("x.clamp_(0, 3)") << QByteArray("x.clamp_(0, 3)") << 3.0;
        QTest::newRow("x.clamp_(max=v)") << QByteArray("x.clamp_(max=v)") << 3.0;
        QTest::newRow("x.masked_fill_(v > 2, 9)") << QByteArray("x.masked_fill_(v > 2, 9)") << 9.0;
        QTest::newRow("x.addcmul_(v, v, value=2)") << QByteArray("x.addcmul_(v, v, value=2)") << 23.0;
        QTest::newRow("x **= v") << QByteArray("x **= v") << 125.0;
        QTest::newRow("x %= 2 ** v - 5") << QByteArray("x %= 2 ** v - 5") << 2.0;
    }
    void methodsWriteNothing() {
        QFETCH(QByteArray, code);
        QFETCH(double, last);
        Names names = someNames();
        const auto program = pointwiseProgram(code.constData(), names);
        QVERIFY2(program.ok(), program ? "" : program.refusal().message.c_str());
        QVERIFY(program->ok());
        QCOMPARE(*program->target, std::size_t{0});
        QCOMPARE(readSlot(program->root().value, 5).to<float>(), static_cast<float>(last));
        QCOMPARE(readSlot(program->operands[0].value.tensor, 5).toDouble(), 5.0);
        QCOMPARE(names.writes, 0);
    }

    /// Whatever writes element by element is drawn, and shows what the evaluator writes where the target lies.
    void everyWritingLineIsRead_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("target"); ///< code of what is written to
        QTest::addColumn<int>("operands");
        QTest::addColumn<bool>("reads"); ///< are the old elements inputs?
        const auto row = [](const char* code, const char* target, int operands, bool reads) {
            QTest::newRow(code) << QByteArray(code) << QByteArray(target) << operands << reads;
        };
        row("x += v", "x", 2, true);
        row("x.add_(v)", "x", 2, true);
        row("x.add_(v, alpha=2)", "x", 2, true);
        row("x.add_(other=v)", "x", 2, true);
        row("x.sub_(v * 2, alpha=3)", "x", 2, true);
        row("x.div_(v, rounding_mode='floor')", "x", 2, true);
        row("x.round_(decimals=1)", "x", 1, true);
        row("x[:, 1] += v[:2]", "x[:, 1]", 2, true);
        row("x[1].mul_(v)", "x[1]", 2, true);
        row("x.t()[1:] -= 2", "x.t()[1:]", 1, true);
        row("x.copy_(v)", "x", 2, false);
        row("x.copy_(v * 2 + 1)", "x", 2, false);
        row("x.copy_(src=v)", "x", 2, false);
        row("x.copy_(7)", "x", 1, false);
        row("x.fill_(3)", "x", 1, false);
        row("x.fill_(v[1])", "x", 2, false);
        row("x.zero_()", "x", 1, false);
        row("x[0] = v", "x[0]", 2, false);
        row("x[0] = x[1]", "x[0]", 2, false);
        row("x[:, 1] = 9", "x[:, 1]", 1, false);
        row("x[...] = v.view(1, 3)", "x[...]", 2, false);
        row("x[1, 2] = v[0] * 2", "x[1, 2]", 2, false);
        row("x[0] = v.sum()", "x[0]", 2, false);
        row("torch.add(x, v, out=x)", "x", 2, true);
        row("torch.mul(x, v, out=y)", "y", 3, false);
        row("torch.sqrt(x, out=y)", "y", 2, false);
        row("torch.add(x, v, alpha=2, out=y)", "y", 3, false);
        row("torch.where(x > 2, x, 0., out=y)", "y", 2, false);
        row("torch.clamp(x, 1, 3, out=y)", "y", 2, false);
        row("w = x.exp_()", "x", 1, true);
        row("x[x > 2] = 0", "x", 1, true);
        row("x[v.view(1, 3).expand(2, 3) > 1] = 2.5", "x", 2, true);
        row("x[:, 1:][x[:, 1:] > 2] = 7", "x[:, 1:]", 1, true);
    }
    void everyWritingLineIsRead() {
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, target);
        QFETCH(int, operands);
        QFETCH(bool, reads);
        Names names = someNames();
        run(names, "y = torch.zeros(2, 3)");
        const auto program = pointwiseProgram(code.constData(), names);
        QVERIFY2(program.ok(), program ? "" : program.refusal().message.c_str());
        QVERIFY2(program->ok(), program->ok() ? "" : program->refusal->message.c_str());
        QCOMPARE(static_cast<int>(program->operands.size()), operands);
        QVERIFY(program->target.has_value());
        QCOMPARE(QByteArray::fromStdString(program->operands[*program->target].code), target);
        QCOMPARE(!program->written.has_value(), reads);
        QCOMPARE(names.writes, 0);
        const Tensor found = program->root().value;
        const Tensor before = evaluated(names, target.constData());
        QVERIFY(found.view() == before.view());
        QVERIFY(found.storage() != before.storage());
        run(names, code.constData());
        for (Index slot = 0; slot < before.storageNumel(); ++slot) {
            const Tensor cell = before.withView(View{{}, {}, slot});
            QVERIFY(readSlot(found, slot) == readSlot(cell, slot));
        }
    }

    /// What cannot be drawn says why, and not something else.
    void whatIsNotDrawnSaysWhy_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char* code, const char* why) {
            QTest::newRow(code) << QByteArray(code) << QByteArray(why);
        };
        row("x[x > 2] = v[:1]", "'x[x > 2]' is picked by a mask or by indices");
        row("x[[0, 1], [1, 2]] = 5", "'x[[0, 1], [1, 2]]' is picked by a mask or by indices");
        row("x[v - 1 > 1] += 1", "'x[v - 1 > 1]' is picked by a mask or by indices");
        row("x[0] = v.view(1, 3)", "the shape (1, 3) has more dims than (3,)");
        row("torch.add(x, v, out=v)", "add(): out has the shape (3,), the result (2, 3)");
        row("torch.add(x, v, out=torch.zeros(2, 3).long())", "result type Float can't be cast to the desired output "
                                                             "type Long");
        row("x[0].copy_(x[0])[1:].mul_(2)", "only the last operation of a line can write here");
        row("x.view(6)[1:].add_(x.view(6)[:-1])", "unsupported operation: some elements of the input tensor and the "
                                                  "written-to tensor refer to a single memory location");
        row("x.fill_(v)", "fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.");
        row("x.no_such_(v)", "this picture does not know 'no_such_'");
        row("c, d = x", "several names on the left: a picture has one result");
        row("x[0, 0, 0] = 1", "too many indices for tensor of dimension 2");
    }
    void whatIsNotDrawnSaysWhy() {
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, why);
        Names names = someNames();
        const auto program = pointwiseProgram(code.constData(), names);
        QVERIFY(!program.ok());
        QVERIFY2(QByteArray::fromStdString(program.refusal().message).startsWith(why),
                 program.refusal().message.c_str());
        QCOMPARE(names.writes, 0);
    }

    void whatIsWrittenMustFit() {
        Names names = someNames();
        for (const char* code : {"v.copy_(x)", "v[...] = x"}) {
            const auto program = pointwiseProgram(code, names);
            QVERIFY2(program.ok() && !program->ok(), code);
            QCOMPARE(QString::fromStdString(program->refusal->message),
                     QStringLiteral("output with shape [3] doesn't match the broadcast shape [2, 3]"));
        }
        const auto conflict = pointwiseProgram("x[0] = b", names);
        QVERIFY(conflict.ok() && !conflict->ok());
    }

    void outputsDoNotGrow() {
        Names names = someNames();
        const auto program = pointwiseProgram("v += v.view(3, 1)", names);
        QVERIFY(program.ok() && !program->ok());
        QCOMPARE(QString::fromStdString(program->refusal->message),
                 QStringLiteral("output with shape [3] doesn't match the broadcast shape [3, 3]"));
    }

    void otherRefusalsAreRefusals() {
        Names names = someNames();
        for (const char* code : {"", "a +", "q + 1", "1 + 2", "del a", "a + 'x'", "v += 0.5", "a < b < x",
                                 "(a > 1) - (a > 2)", "a + None", "x & 1", "~x", "v ** -1", "v // 0", "v.sqrt_()",
                                 "torch.maximum(x, 2)", "x.isnan_()", "(2).exp() + x", "x.logical_and_(2)"})
            QVERIFY2(!pointwiseProgram(code, names).ok(), code);
    }

    void largeOnesHaveLayoutsOnly() {
        Names names = someNames();
        const auto program = pointwiseProgram("torch.zeros(100000, 1) + torch.zeros(100000)", names);
        QVERIFY(program.ok() && program->ok() && !program->computed);
        QVERIFY(program->root().value.shape() == Dims({100000, 100000}));
        // What fails early does not make what stands behind it.
        const auto failing = pointwiseProgram("a + x + torch.zeros(1000000, 100000)", names);
        QVERIFY(failing.ok() && !failing->ok() && !failing->computed);
    }
};

QTEST_APPLESS_MAIN(TestPointwiseProgram)
#include "tst_pointwise_program.moc"
