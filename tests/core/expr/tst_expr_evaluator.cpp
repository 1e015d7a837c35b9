// Lines of tensor code carried out: what they print (as PyTorch 1.13 prints it), what they refuse and with which words,
// and that a dry run makes and changes nothing.

#include "core/expr/evaluator.h"
#include "core/expr/parser.h"
#include "core/expr/pointwise_calls.h"
#include "core/io/save_atomically.h"
#include "core/ops/creation.h"
#include "core/ops/operation_table.h"
#include "tests/core/expr/exercise_lines.h"
#include "tests/fuzz/line_seeds.h"

#include <QTest>

#include <map>

using namespace stridescope;
using namespace stridescope::expr;

namespace {

/// Names in a map; counts what is written.
class Names : public Environment {
public:
    std::optional<Value> lookup(const std::string& name) override {
        const auto it = values.find(name);
        if (it == values.end()) return std::nullopt;
        Value value = it->second;
        if (auto* tensor = value.as<TensorValue>()) {
            tensor->lineage = Lineage::Alias;
            tensor->source = 1 + static_cast<std::uint64_t>(std::distance(values.begin(), it));
        }
        return value;
    }
    void assign(const std::string& name, Value value, const std::string& code) override {
        values[name] = std::move(value);
        codes[name] = code;
    }
    void remove(const std::string& name) override { values.erase(name); }
    void aboutToWrite(const Tensor& target) override {
        ++writes;
        elements += target.numel();
    }

    Value load(FileCall call, const std::string& path, bool dryRun) override {
        if (path == "none") return Environment::load(call, path, dryRun);
        const Value ones(TensorValue{stridescope::ones({2, 3}), Lineage::Fresh, 0});
        if (call == FileCall::PictureOpen || path != "two.npz") return ones;
        return Archive{"NpzFile", {"a", "b"}, {ones, Value(TensorValue{arange(0, 4), Lineage::Fresh, 0})}};
    }

    std::map<std::string, Value> values;
    std::map<std::string, std::string> codes;
    int writes = 0;
    Index elements = 0;
};

struct Answer {
    std::string text; ///< repr of the last expression, after what print() printed
    std::optional<Refusal> refusal;
    Value value;
};

Answer evaluate(Names& names, const std::string& line, bool dryRun = false) {
    Answer answer;
    const auto program = parseProgram(line);
    if (!program) {
        answer.refusal = program.refusal();
        return answer;
    }
    Evaluator evaluator(names, {dryRun, 1000});
    try {
        for (const Statement& statement : program->statements) {
            answer.value = evaluator.execute(statement, line);
            answer.text += evaluator.takeOutput();
            const bool shown = statement.kind == StatementKind::Expression && !answer.value.isNone();
            if (shown && !dryRun) answer.text += repr(answer.value);
        }
    } catch (const Error& error) {
        answer.refusal = error.refusal();
    }
    return answer;
}

/// x: 0 … 11 as (3, 4); v: 0 … 4; f: floats; s: no dims.
void prepare(Names& names) {
    const Answer made = evaluate(names, "x = torch.arange(12).view(3, 4); v = torch.arange(5); "
                                        "f = torch.tensor([[0.5, 1.5], [2.5, 3.5]]); s = torch.tensor(7)");
    QVERIFY2(!made.refusal, made.refusal ? made.refusal->message.c_str() : "");
}

std::uint64_t bytesHash(Names& names) {
    Fingerprint hash;
    for (const auto& [name, value] : names.values) {
        const auto* tensor = value.as<TensorValue>();
        if (!tensor) continue;
        const Storage& storage = *tensor->tensor.storage();
        hash.add(std::span(storage.data(), storage.bytes()));
        hash.add(std::as_bytes(std::span(name.data(), name.size())));
    }
    return hash.value();
}

} // namespace

class TestExprEvaluator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsWhatWasRefused_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("operation"); // its text
        QTest::addColumn<QStringList>("given"); // the operands that are no literals
        const auto row = [](const char* line, const char* operation, const char* given) {
            QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(operation)
                                << QString::fromUtf8(given).split(QLatin1Char('|'));
        };
        row("x.view(5)", "x.view(5)", "x");
        row("y = x.t().view(12)", "x.t().view(12)", "x.t()");
        row("n = 5; (x + 1).view(n).sum()", "(x + 1).view(n)", "(x + 1)|n");
        row("torch.cat([x, v[1:]], 0)", "torch.cat([x, v[1:]], 0)", "x|v[1:]");
        row("v + x * v", "x * v", "x|v");
        row("x[v.numel(), 1:s.item() + 2]", "x[v.numel(), 1:s.item() + 2]", "x|v.numel()|s.item() + 2");
        row("x[:2] = v", "x[:2] = v", "x|v");
        row("x += v", "x += v", "x|v");
        row("x[0] *= v", "x[0] *= v", "x[0]|v");
        row("-(x > 3)", "-(x > 3)", "(x > 3)");
        row("len(x.view(7))", "x.view(7)", "x");
    }
    void keepsWhatWasRefused() {
        QFETCH(QString, line);
        QFETCH(QString, operation);
        QFETCH(QStringList, given);
        Names names;
        prepare(names);
        const std::string source = line.toStdString();
        const auto program = parseProgram(source);
        QVERIFY(program);
        Evaluator evaluator(names);
        bool refused = false;
        try {
            for (const Statement& statement : program->statements) {
                evaluator.execute(statement, source);
                QVERIFY(!evaluator.refusedCall());
            }
        } catch (const Error&) {
            refused = true;
        }
        QVERIFY(refused && evaluator.refusedCall());
        const RefusedCall& call = *evaluator.refusedCall();
        const auto text = [&line](Index begin, Index end) {
            return line.mid(static_cast<qsizetype>(begin), static_cast<qsizetype>(end - begin));
        };
        QCOMPARE(text(call.begin, call.end), operation);
        QStringList operands;
        for (const RefusedCall::Operand& each : call.operands) operands << text(each.begin, each.end);
        QCOMPARE(operands, given);
    }
    void prints_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("printed");
        const auto row = [](const char* line, const char* printed) {
            QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(printed);
        };
        // A reversed tensor is a copy of the elements, whatever they lie like.
        row("v.flip(0)", "tensor([4, 3, 2, 1, 0])");
        row("x.t().flip(0)",
            "tensor([[ 3,  7, 11],\n        [ 2,  6, 10],\n        [ 1,  5,  9],\n        [ 0,  4,  8]])");
        row("x[1:].flip(0)", "tensor([[ 8,  9, 10, 11],\n        [ 4,  5,  6,  7]])");
        row("x[:2].flip(0, 1)", "tensor([[7, 6, 5, 4],\n        [3, 2, 1, 0]])");
        row("x[:2].flip([1])", "tensor([[3, 2, 1, 0],\n        [7, 6, 5, 4]])");
        row("v.flip(0).data_ptr() == v.data_ptr()", "False");
        // Masks and index tensors pick copies; written to, they are places.
        row("x[[0, 2]]", "tensor([[ 0,  1,  2,  3],\n        [ 8,  9, 10, 11]])");
        row("x[[0, 2], [1, -1]]", "tensor([ 1, 11])");
        row("x[x > 8]", "tensor([ 9, 10, 11])");
        row("x[:, [True, False, False, True]]", "tensor([[ 0,  3],\n        [ 4,  7],\n        [ 8, 11]])");
        row("x[[]].shape, x[True].shape, x[False].shape",
            "(torch.Size([0, 4]), torch.Size([1, 3, 4]), torch.Size([0, 3, 4]))");
        row("v[[0, 1]].data_ptr() == v.data_ptr()", "False");
        row("v[v > 2] = 9; v[[0, 1]] = torch.tensor([7, 8]); v", "tensor([7, 8, 2, 9, 9])");
        row("f[f > 1] = 0; f", "tensor([[0.5000, 0.0000],\n        [0.0000, 0.0000]])");
        // Products, systems, joining.
        row("x @ x.t()", "tensor([[ 14,  38,  62],\n        [ 38, 126, 214],\n        [ 62, 214, 366]])");
        row("x.t() @ torch.ones(3, dtype=torch.int64)", "tensor([12, 15, 18, 21])");
        row("v @ v, v.dot(v), torch.dot(v, other=v)", "(tensor(30), tensor(30), tensor(30))");
        row("2 * v @ v", "tensor(60)");
        row("torch.zeros(10, 1, 2, 3).matmul(torch.zeros(5, 3, 4)).shape", "torch.Size([10, 5, 2, 4])");
        row("torch.outer(v[1:3], v[2:4])", "tensor([[2, 3],\n        [4, 6]])");
        row("torch.linalg.solve(f, torch.tensor([2., 6.]))", "tensor([1., 1.])");
        row("f @ torch.linalg.inv(f)", "tensor([[1., 0.],\n        [0., 1.]])");
        row("torch.cat([x, x[:1]]).shape, torch.cat((x, x), dim=1).shape, torch.cat([x, x], -1).shape",
            "(torch.Size([4, 4]), torch.Size([3, 8]), torch.Size([3, 8]))");
        row("torch.stack([v, v + 1], 1).shape, torch.stack((v, v)).tolist()[1][0]", "(torch.Size([5, 2]), 0)");
        // Numbers and sequences, as Python.
        row("1 + 2 * 3", "7");
        row("7 / 2", "3.5");
        row("7 // 2, -7 // 2, 7 % 3, -7 % 3", "(3, -4, 1, 2)");
        row("-9223372036854775807 % 7, 9223372036854775807 % -7, 7 % -7, -9223372036854775807 % -1", "(0, 0, 0, 0)");
        row("(-9223372036854775807 - 1) % 7, (-9223372036854775807 - 1) % 1000000007", "(6, 708828003)");
        row("7.5 // 2", "3.0");
        row("-5.5 % 2", "0.5");
        row("True + True", "2");
        row("-2**2, (-2)**2, 2**-1, 2**3**2, -2**-2", "(-4, 4, 0.5, 512, -0.25)");
        row("7 // 2, 1 // 0.1, 1 % 0.1, -1 // 0.3, 5 // float('inf'), -5 // float('inf'), -5 % float('inf')",
            "(3, 9.0, 0.09999999999999995, -4.0, 0.0, -1.0, inf)");
        row("5 % -3.5, -0.0 % 3, 4.0 % -2", "(-2.0, 0.0, -0.0)");
        row("~5, ~-1, ~True, -True, +True", "(-6, 0, -2, -1, 1)");
        row("6 & 3, 6 | 3, 6 ^ 3, True & False, True | 1, True ^ True", "(2, 7, 5, False, 1, False)");
        row("1 << 10, -1 >> 100, -5 >> 1, 0 << 1000, 1 << 62, -1 << 63, 5 >> 70, True << True",
            "(1024, -1, -3, 0, 4611686018427387904, -9223372036854775808, 0, 2)");
        row("1 | 2 ^ 3 & 4 << 1 + 2 * 3 ** 2", "3");
        row("1 << 2 << 3, 256 >> 2 >> 1", "(32, 32)");
        row("2 ** 62, (-2) ** 63, 1 ** 99999999999, (-1) ** 9999999999, 0 ** 0, True ** False",
            "(4611686018427387904, -9223372036854775808, 1, -1, 1, 1)");
        row("4 ** 0.5, 2 ** 0.5, (-8) ** 3.0, 10 ** -2", "(2.0, 1.4142135623730951, -512.0, 0.01)");
        row("5 & 3 == 1, 1 < 2 | 4", "(True, True)");
        row("3 < 4, 3 == 3.0, 1 != 1", "(True, True, False)");
        row("(1, 2) + (3,)", "(1, 2, 3)");
        row("[1, 2][-1]", "2");
        row("None", "");
        row("'float32'", "'float32'");
        row("float('inf'), int(2.9), bool(0), abs(-3)", "(inf, 2, False, 3)");
        row("float('nan'), float(\"inf\"), float('-inf'), float('1e-3')", "(nan, inf, -inf, 0.001)");
        row("float(' +1_000.5 '), float('-.5e1'), float('3.'), float('NaN'), float('-Infinity')",
            "(1000.5, -5.0, 3.0, nan, -inf)");
        row("float('1e400'), float('-1e-400')", "(inf, -0.0)");
        row("f = torch.zeros(2); f[0] = float('nan'); f[1] = float('-inf'); f", "tensor([nan, -inf])");
        row("n = 3; n += 2; n", "5");
        row("print('a', 1, x.shape)", "a 1 torch.Size([3, 4])\n");
        // Attributes and values.
        row("x.shape", "torch.Size([3, 4])");
        row("x.shape[0]", "3");
        row("x.shape + (1,)", "torch.Size([3, 4, 1])");
        row("x.shape + ('a',)", "(3, 4, 'a')");
        row("x.shape == (3, 4)", "True");
        row("x.shape.numel()", "12");
        row("x.size(), x.size(-1), x.stride(), x.stride(0)", "(torch.Size([3, 4]), 4, (4, 1), 4)");
        row("x[1:].storage_offset()", "4");
        row("x.dim(), x.ndim, x.numel(), x.element_size(), x.nbytes", "(2, 2, 12, 8, 96)");
        row("x.dtype, x.device", "(torch.int64, device(type='cpu'))");
        row("x.is_contiguous(), x.t().is_contiguous()", "(True, False)");
        row("x[1, 2].item()", "6");
        row("x.tolist()", "[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]");
        row("s.tolist()", "7");
        row("f.tolist()", "[[0.5, 1.5], [2.5, 3.5]]");
        row("torch.zeros(0, 3).tolist()", "[]");
        row("len(x)", "3");
        row("x.contiguous().data_ptr() == x.data_ptr()", "True");
        row("x[1].data_ptr() - x.data_ptr()", "32");
        // Tensors, as PyTorch.
        row("x", "tensor([[ 0,  1,  2,  3],\n        [ 4,  5,  6,  7],\n        [ 8,  9, 10, 11]])");
        row("x.T", "tensor([[ 0,  4,  8],\n        [ 1,  5,  9],\n        [ 2,  6, 10],\n        [ 3,  7, 11]])");
        row("x[1]", "tensor([4, 5, 6, 7])");
        row("x[1, ::2]", "tensor([4, 6])");
        row("x[-1, -1]", "tensor(11)");
        row("x[..., 0]", "tensor([0, 4, 8])");
        row("x[None, 1, ..., 1:3].shape", "torch.Size([1, 2])");
        row("x[(1, 2)]", "tensor(6)");
        row("x[()].shape", "torch.Size([3, 4])");
        row("s[()]", "tensor(7)");
        row("s[...]", "tensor(7)");
        row("s[None]", "tensor([7])");
        row("x[5:2].shape", "torch.Size([0, 4])");
        row("x[:, -2:].stride()", "(4, 1)");
        row("x.narrow(1, 1, 2)", "tensor([[ 1,  2],\n        [ 5,  6],\n        [ 9, 10]])");
        row("x.narrow(dim=1, start=0, length=2).shape", "torch.Size([3, 2])");
        row("x.select(0, 1)", "tensor([4, 5, 6, 7])");
        row("x.permute(1, 0).stride(), x.permute((1, 0)).stride()", "((1, 4), (1, 4))");
        row("x.view(2, 6).shape, x.view((2, 6)).shape, x.view(-1).shape",
            "(torch.Size([2, 6]), torch.Size([2, 6]), torch.Size([12]))");
        row("x.reshape(4, 3).stride(), x.t().reshape(12).stride()", "((3, 1), (1,))");
        row("x.t().reshape(12)", "tensor([ 0,  4,  8,  1,  5,  9,  2,  6, 10,  3,  7, 11])");
        row("x.flatten()", "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11])");
        row("x.unsqueeze(1).shape, x.unsqueeze(-1).squeeze().shape", "(torch.Size([3, 1, 4]), torch.Size([3, 4]))");
        row("v.expand(2, 5).stride(), v.expand(2, -1).shape", "((0, 1), torch.Size([2, 5]))");
        row("v.expand_as(torch.zeros(2, 5)).stride()", "(0, 1)");
        row("v.broadcast_to((2, 5)).stride()", "(0, 1)");
        row("x.diagonal()", "tensor([ 0,  5, 10])");
        row("v.unfold(0, 2, 1).shape", "torch.Size([4, 2])");
        row("x.as_strided((2, 2), (1, 1), 1)", "tensor([[1, 2],\n        [2, 3]])");
        row("x.as_strided(size=(2,), stride=(5,))", "tensor([0, 5])");
        row("x.movedim(0, 1).shape, x.swapaxes(0, 1).shape", "(torch.Size([4, 3]), torch.Size([4, 3]))");
        row("v.unflatten(0, (5, 1)).shape", "torch.Size([5, 1])");
        row("torch.transpose(x, 0, 1).stride()", "(1, 4)");
        row("torch.t(x).stride(), torch.narrow(x, 1, 1, 2).shape", "((1, 4), torch.Size([3, 2]))");
        row("torch.reshape(x, (6, 2)).shape", "torch.Size([6, 2])");
        row("x.mT.stride()", "(1, 4)");
        row("numpy.load('one.npy')", "tensor([[1., 1., 1.],\n        [1., 1., 1.]])");
        row("torch.from_numpy(np.load('two.npz')['b'])", "tensor([0, 1, 2, 3])");
        row("torch.from_numpy(numpy.array(PIL.Image.open('a\\\\b.png'))).shape", "torch.Size([2, 3])");
        row("torch.from_numpy(numpy.array(PIL.Image.open('a\\\\b.png').convert('L'))).shape", "torch.Size([2, 3])");
        row("numpy.load('two.npz')", "NpzFile with keys: a, b");
        row("v.split(2)", "(tensor([0, 1]), tensor([2, 3]), tensor([4]))");
        row("v.chunk(2)[1]", "tensor([3, 4])");
        row("x.split([1, 2])[1].shape", "torch.Size([2, 4])");
        row("a, b = v.split(3); b", "tensor([3, 4])");
        row("a, b, c = x; c", "tensor([ 8,  9, 10, 11])");
        row("x.view(torch.int32).shape", "torch.Size([3, 8])");
        // New tensors.
        row("torch.zeros(2, 3)", "tensor([[0., 0., 0.],\n        [0., 0., 0.]])");
        row("torch.zeros((2,), dtype=torch.int8)", "tensor([0, 0], dtype=torch.int8)");
        row("torch.ones(())", "tensor(1.)");
        row("torch.full((2,), 3)", "tensor([3, 3])");
        row("torch.full((2,), 3.5)", "tensor([3.5000, 3.5000])");
        row("torch.arange(3.)", "tensor([0., 1., 2.])");
        row("torch.arange(10, 2, -3)", "tensor([10,  7,  4])");
        row("torch.arange(start=1, end=4)", "tensor([1, 2, 3])");
        row("torch.arange(0, 1, 0.25)", "tensor([0.0000, 0.2500, 0.5000, 0.7500])");
        row("torch.tensor([[1, 2], [3, 4]])", "tensor([[1, 2],\n        [3, 4]])");
        row("torch.tensor([1, 2.5])", "tensor([1.0000, 2.5000])");
        row("torch.tensor([True, False])", "tensor([ True, False])");
        row("torch.tensor([1, 2], dtype=torch.float64)", "tensor([1., 2.], dtype=torch.float64)");
        row("torch.zeros_like(x)[0], torch.ones_like(f)[0]", "(tensor([0, 0, 0, 0]), tensor([1., 1.]))");
        row("torch.full_like(x, 9)[0]", "tensor([9, 9, 9, 9])");
        row("torch.empty(2, 3).shape", "torch.Size([2, 3])");
        row("torch.manual_seed(0); torch.rand(2)", "tensor([0.4963, 0.7682])");
        row("torch.manual_seed(0); torch.randn(2, 2)", "tensor([[ 1.5410, -0.2934],\n        [-2.1788,  0.5684]])");
        row("torch.manual_seed(0); torch.rand(2, dtype=torch.float64)",
            "tensor([0.9701, 0.7078], dtype=torch.float64)");
        row("torch.manual_seed(0); torch.randint(10, (4,))", "tensor([4, 9, 3, 0])");
        row("torch.manual_seed(0); torch.randint(-3, 3, (2, 2))", "tensor([[-1,  0],\n        [ 2, -3]])");
        row("torch.manual_seed(0); torch.randint(low=5, high=7, size=(3,), dtype=torch.int8)",
            "tensor([5, 6, 6], dtype=torch.int8)");
        row("torch.manual_seed(-1); torch.randperm(4)", "tensor([3, 1, 2, 0])");
        // Dtypes.
        row("x.float()[0]", "tensor([0., 1., 2., 3.])");
        row("x.to(torch.float64).dtype, x.to('cpu').dtype", "(torch.float64, torch.int64)");
        row("f.int()", "tensor([[0, 1],\n        [2, 3]], dtype=torch.int32)");
        row("x.type(torch.uint8).dtype, x.half().dtype, x.bool()[0]",
            "(torch.uint8, torch.float16, tensor([False,  True,  True,  True]))");
        // Arithmetic.
        row("(x + 1)[0]", "tensor([1, 2, 3, 4])");
        row("(1 - x)[0]", "tensor([ 1,  0, -1, -2])");
        row("(x / 2)[0]", "tensor([0.0000, 0.5000, 1.0000, 1.5000])");
        row("(x * x)[2]", "tensor([ 64,  81, 100, 121])");
        row("(x + x[0])[1]", "tensor([ 4,  6,  8, 10])");
        row("(x < 5)[1]", "tensor([ True, False, False, False])");
        row("(5 > x)[1]", "tensor([ True, False, False, False])");
        row("(-x)[0]", "tensor([ 0, -1, -2, -3])");
        row("abs(-x)[0], torch.abs(-x)[0]", "(tensor([0, 1, 2, 3]), tensor([0, 1, 2, 3]))");
        row("torch.add(x, x)[0], x.mul(2)[0]", "(tensor([0, 2, 4, 6]), tensor([0, 2, 4, 6]))");
        row("torch.maximum(v, torch.full((5,), 2))", "tensor([2, 2, 2, 3, 4])");
        row("(x == x.clone()).shape", "torch.Size([3, 4])");
        // Element by element.
        row("+v", "tensor([0, 1, 2, 3, 4])");
        row("(x ** 2)[1]", "tensor([16, 25, 36, 49])");
        row("torch.pow(2, x.t()).stride(), (2 ** x.t()).stride()", "((3, 1), (1, 4))");
        row("(2 ** v)", "tensor([ 1,  2,  4,  8, 16])");
        row("v ** v", "tensor([  1,   1,   4,  27, 256])");
        row("(f ** 0.5)[0]", "tensor([0.7071, 1.2247])");
        row("(f ** -1)[1]", "tensor([0.4000, 0.2857])");
        row("v ** 0.5", "tensor([0.0000, 1.0000, 1.4142, 1.7321, 2.0000])");
        row("(x // 3)[1]", "tensor([1, 1, 2, 2])");
        row("-7 // (v + 1)", "tensor([-7, -4, -3, -2, -2])");
        row("(x % 3)[1]", "tensor([1, 2, 0, 1])");
        row("-v % 3", "tensor([0, 2, 1, 0, 2])");
        row("(f // 0.4)[0]", "tensor([1., 3.])");
        row("(f % 0.4)[1]", "tensor([0.1000, 0.3000])");
        row("v & 3", "tensor([0, 1, 2, 3, 0])");
        row("v | 8", "tensor([ 8,  9, 10, 11, 12])");
        row("v ^ 1", "tensor([1, 0, 3, 2, 5])");
        row("6 & v", "tensor([0, 0, 2, 2, 4])");
        row("~v", "tensor([-1, -2, -3, -4, -5])");
        row("~(v > 2)", "tensor([ True,  True,  True, False, False])");
        row("(v > 1) & (v < 4)", "tensor([False, False,  True,  True, False])");
        row("(v > 1) | True", "tensor([True, True, True, True, True])");
        row("(v > 1) ^ (v > 2)", "tensor([False, False,  True, False, False])");
        row("v << 2", "tensor([ 0,  4,  8, 12, 16])");
        row("1 << v", "tensor([ 1,  2,  4,  8, 16])");
        row("x[2] >> 1", "tensor([4, 4, 5, 5])");
        row("-x[2] >> 1", "tensor([-4, -5, -5, -6])");
        row("v << v << 1", "tensor([  0,   4,  16,  48, 128])");
        row("-v ** 2", "tensor([  0,  -1,  -4,  -9, -16])");
        row("(-v) ** 2", "tensor([ 0,  1,  4,  9, 16])");
        row("2 ** -f", "tensor([[0.7071, 0.3536],\n        [0.1768, 0.0884]])");
        row("torch.exp(f)", "tensor([[ 1.6487,  4.4817],\n        [12.1825, 33.1155]])");
        row("f.sqrt()[0]", "tensor([0.7071, 1.2247])");
        row("torch.sqrt(v)", "tensor([0.0000, 1.0000, 1.4142, 1.7321, 2.0000])");
        row("f.log().dtype, v.sqrt().dtype, (v > 2).isnan().dtype", "(torch.float32, torch.float32, torch.bool)");
        row("torch.maximum(v, torch.full((5,), 2))", "tensor([2, 2, 2, 3, 4])");
        row("torch.atan2(f, f.t())", "tensor([[0.7854, 0.5404],\n        [1.0304, 0.7854]])");
        row("f.atan2(f.t()).stride(), torch.exp(f.t()).stride()", "((2, 1), (1, 2))");
        row("torch.floor(-f)", "tensor([[-1., -2.],\n        [-3., -4.]])");
        row("f.round()", "tensor([[0., 2.],\n        [2., 4.]])");
        row("torch.round(f * 1.234, decimals=1)", "tensor([[0.6000, 1.9000],\n        [3.1000, 4.3000]])");
        row("torch.pow(2, v)", "tensor([ 1,  2,  4,  8, 16])");
        row("v.pow(3)", "tensor([ 0,  1,  8, 27, 64])");
        row("torch.remainder(-5, v + 1)", "tensor([0, 1, 1, 3, 0])");
        row("torch.fmod(-v, 3)", "tensor([ 0, -1, -2,  0, -1])");
        row("torch.logical_and(v, v > 2)", "tensor([False, False, False,  True,  True])");
        row("v.bitwise_and(5)", "tensor([0, 1, 0, 1, 4])");
        row("v.add(v, alpha=10)", "tensor([ 0, 11, 22, 33, 44])");
        row("torch.sub(v, 1, alpha=3)", "tensor([-3, -2, -1,  0,  1])");
        row("torch.div(v, 2, rounding_mode='floor')", "tensor([0, 0, 1, 1, 2])");
        row("f.div(-0.7, rounding_mode='trunc')", "tensor([[-0., -2.],\n        [-3., -5.]])");
        row("torch.isnan(torch.log(-f[0]))", "tensor([True, True])");
        row("f.frac(), f.square()", "(tensor([[0.5000, 0.5000],\n        [0.5000, 0.5000]]), tensor([[ 0.2500,  "
                                    "2.2500],\n        [ 6.2500, 12.2500]]))");
        row("torch.isclose(f, f + 1e-9)", "tensor([[True, True],\n        [True, True]])");
        row("torch.sigmoid(s), torch.sign(-v), torch.nan_to_num(torch.log(v - 1.), nan=9.)",
            "(tensor(0.9991), tensor([ 0, -1, -1, -1, -1]), tensor([ 9.0000e+00, -3.4028e+38,  0.0000e+00,  "
            "6.9315e-01,  1.0986e+00]))");
        row("torch.logit(f / 4, 1e-3)", "tensor([[-1.9459, -0.5108],\n        [ 0.5108,  1.9459]])");
        row("f.exp_()", "tensor([[ 1.6487,  4.4817],\n        [12.1825, 33.1155]])");
        row("f.sqrt_().add_(1)", "tensor([[1.7071, 2.2247],\n        [2.5811, 2.8708]])");
        row("v.pow_(2)", "tensor([ 0,  1,  4,  9, 16])");
        row("x **= 2; x[1]", "tensor([16, 25, 36, 49])");
        row("v //= 2; v", "tensor([0, 0, 1, 1, 2])");
        row("v %= 3; v", "tensor([0, 1, 2, 0, 1])");
        row("v &= 6; v", "tensor([0, 0, 2, 2, 4])");
        row("v |= 1; v", "tensor([1, 1, 3, 3, 5])");
        row("v ^= 3; v", "tensor([3, 2, 1, 0, 7])");
        row("v <<= 2; v", "tensor([ 0,  4,  8, 12, 16])");
        row("v >>= 1; v", "tensor([0, 0, 1, 1, 2])");
        row("f **= 0.5; f[0]", "tensor([0.7071, 1.2247])");
        row("v.bitwise_left_shift_(1)", "tensor([0, 2, 4, 6, 8])");
        row("v.logical_not_()", "tensor([1, 0, 0, 0, 0])");
        row("torch.exp_(f)[0]", "tensor([1.6487, 4.4817])");
        row("torch.gcd(v, s), torch.hypot(f, f)",
            "(tensor([7, 1, 1, 1, 1]), tensor([[0.7071, 2.1213],\n        [3.5355, 4.9497]]))");
        row("f.copysign(-1)[0]", "tensor([-0.5000, -1.5000])");
        row("torch.heaviside(f - 1.5, f)", "tensor([[0.0000, 1.5000],\n        [1.0000, 1.0000]])");
        row("torch.xlogy(v, 2)", "tensor([0.0000, 0.6931, 1.3863, 2.0794, 2.7726])");
        row("torch.rsub(v, 10)", "tensor([10,  9,  8,  7,  6])");
        row("torch.float_power(v, 2).dtype", "torch.float64");
        row("torch.ldexp(f, v[:2])", "tensor([[0.5000, 3.0000],\n        [2.5000, 7.0000]])");
        row("v.eq(2), v.gt_(2)", "(tensor([False, False,  True, False, False]), tensor([0, 0, 0, 1, 1]))");
        row("n = 3; n **= 2; n <<= 1; n |= 1; n", "19");
        // Writing.
        row("x[1, 2] = 70; x[1]", "tensor([ 4,  5, 70,  7])");
        row("x[:, 0] = torch.tensor([7, 8, 9]); x.T[0]", "tensor([7, 8, 9])");
        row("x[1:] = 0; x[2]", "tensor([0, 0, 0, 0])");
        row("x[0] = 2.9; x[0]", "tensor([2, 2, 2, 2])");
        row("x[0] += 10; x[0]", "tensor([10, 11, 12, 13])");
        row("x *= 2; x[0]", "tensor([0, 2, 4, 6])");
        row("x.t().fill_(5)[0]", "tensor([5, 5, 5])");
        row("x.zero_().shape", "torch.Size([3, 4])");
        row("x[0].copy_(x[1]); x[0]", "tensor([4, 5, 6, 7])tensor([4, 5, 6, 7])");
        row("v.add_(1)", "tensor([1, 2, 3, 4, 5])");
        row("v.expand(2, 5).fill_(3)[0]", "tensor([3, 3, 3, 3, 3])");
        row("y = x; y[0, 0] = 9; x[0, 0].item()", "9");
        row("del v; 1", "1");
        row("import torch; 1", "1");
    }
    void prints() {
        QFETCH(QString, line);
        QFETCH(QString, printed);
        Names names;
        prepare(names);
        const Answer answer = evaluate(names, line.toStdString());
        QVERIFY2(!answer.refusal, answer.refusal ? answer.refusal->message.c_str() : "");
        QCOMPARE(QString::fromStdString(answer.text), printed);
    }

    /// The same lines, pretended: accepted, the result has the same layout, and no byte changes.
    void dryRunRefusesTooManyBytesWithNumbers() {
        Names names;
        const Answer answer = evaluate(names, "torch.zeros(9223372036854775807)", true);
        QVERIFY(answer.refusal.has_value());
        const auto words = QString::fromStdString(answer.refusal->message);
        QVERIFY2(words.contains("9223372036854775807 elements of 4 bytes"), qPrintable(words));
    }
    void dryRunAgrees_data() { prints_data(); }
    void dryRunAgrees() {
        QFETCH(QString, line);
        Names real, dry;
        prepare(real);
        prepare(dry);
        const auto before = bytesHash(dry);
        const Answer wanted = evaluate(real, line.toStdString());
        Names scratch = dry; // a dry run gives names, too
        const Answer answer = evaluate(scratch, line.toStdString(), true);
        QCOMPARE(bytesHash(dry), before);
        QCOMPARE(scratch.writes, 0);
        if (answer.refusal) {
            QCOMPARE(answer.refusal->id, std::string("EXPR-30"));
            return;
        }
        const auto* a = wanted.value.as<TensorValue>();
        const auto* b = answer.value.as<TensorValue>();
        QCOMPARE(a != nullptr, b != nullptr);
        if (!a) return;
        QCOMPARE(toString(b->tensor.shape()), toString(a->tensor.shape()));
        QCOMPARE(toString(b->tensor.stride()), toString(a->tensor.stride()));
        QVERIFY(b->tensor.dtype() == a->tensor.dtype());
        QCOMPARE(static_cast<int>(b->lineage), static_cast<int>(a->lineage));
    }

    /// Every function of the table on every dtype and some layouts: pretending and carrying out refuse with the same
    /// words or give the same layout.
    void dryRunAgreesForEveryFunction_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : pointwiseNames()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void dryRunAgreesForEveryFunction() {
        QFETCH(QString, name);
        const PointwiseCall& call = *findPointwise(name.toStdString());
        int carriedOut = 0;
        for (const char* dtype : {"bool", "uint8", "int64", "float16", "float32", "float64", "complex64"}) {
            for (const char* a : {"torch.ones(2, 3)", "torch.ones(3, 2).t()", "torch.ones(3).expand(2, 3)",
                                  "torch.ones(())", "torch.ones(0, 3)"}) {
                for (const char* b : {"b", "b.to(torch.int32)", "b[0].float()", "2", "0.5"}) {
                    for (const char* form : {"torch.%1(a, %2)", "a.%1_(%2)", "torch.%1(3, a)"}) {
                        if (form[9] == '3' && (call.numbers != TakesNumbers::Either || b != std::string("b"))) continue;
                        if (call.inputs == 1 && b != std::string("b")) continue;
                        const QString setUp = QStringLiteral("a = %1.to(torch.%2); b = torch.ones(2, 3).to(torch.%2)")
                                                  .arg(QLatin1String(a), QLatin1String(dtype));
                        QString code = form[9] == '3' ? QString::fromLatin1(form).arg(name)
                                                      : QString::fromLatin1(form).arg(name, QLatin1String(b));
                        if (call.inputs == 1)
                            code.replace(QLatin1String("a, b"), QLatin1String("a"))
                                .replace(QLatin1String("(b)"), QLatin1String("()"));
                        Names names;
                        QVERIFY(!evaluate(names, setUp.toStdString()).refusal);
                        const Answer dry = evaluate(names, code.toStdString(), true);
                        const Answer real = evaluate(names, code.toStdString());
                        const auto text = [](const Answer& answer) {
                            if (answer.refusal) return answer.refusal->id + " " + answer.refusal->message;
                            const Tensor& t = answer.value.as<TensorValue>()->tensor;
                            return std::string(stridescope::name(t.dtype())) + toString(t.shape()) +
                                   toString(t.stride());
                        };
                        QVERIFY2(text(dry) == text(real),
                                 qPrintable(setUp + QStringLiteral("; ") + code + QStringLiteral(": ") +
                                            QString::fromStdString(text(dry) + " / " + text(real))));
                        carriedOut += !real.refusal;
                    }
                }
            }
        }
        QVERIFY(carriedOut > 0);
    }

    /// Core's table of operations has no function of one or two inputs that lines lack.
    void knowsEveryFunctionOfCore() {
        const QStringList others{"polygamma", "frexp",    "clamp", "lerp",      "addcmul",
                                 "addcdiv",   "allclose", "equal", "threshold", "prelu"};
        int found = 0;
        for (const auto& operations : {operation_table::pointwise(), operation_table::mathematics()}) {
            for (const Operation& operation : operations) {
                const QString name =
                    QString::fromUtf8(operation.name.data(), static_cast<qsizetype>(operation.name.size()));
                if (others.contains(name) || name.contains(QLatin1Char('.'))) continue;
                QVERIFY2(findPointwise(operation.name), qPrintable(name));
                ++found;
            }
        }
        QVERIFY(found > 80);
    }

    void tellsWhereItWasRefused() {
        Names names;
        prepare(names);
        const Answer answer = evaluate(names, "v + (f & 1)");
        QVERIFY(answer.refusal.has_value());
        const auto* place = std::get_if<InputPosition>(&answer.refusal->detail);
        QVERIFY(place != nullptr);
        QCOMPARE(place->position, Index{4});
    }

    void refuses_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("exception");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* line, const char* exception, const char* words) {
            QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(exception) << QString::fromUtf8(words);
        };
        row("q", "NameError", "name 'q' is not defined");
        row("del q", "NameError", "name 'q' is not defined");
        row("del v, v", "NameError", "name 'v' is not defined");
        row("zeros(3)", "NameError", "name 'zeros' is not defined");
        row("x.foo", "AttributeError", "'Tensor' object has no attribute 'foo'");
        row("x.foo()", "AttributeError", "'Tensor' object has no attribute 'foo'");
        row("x.convert('L')", "AttributeError", "'Tensor' object has no attribute 'convert'");
        row("PIL.Image.open('a\\\\b.png').convert('RGB')", "ValueError", "the picture is L here, not 'RGB'");
        row("PIL.Image.open('a\\\\b.png').convert(3)", "TypeError", "argument 'mode' must be str, not int");
        row("torch.foo", "AttributeError", "module 'torch' has no attribute 'foo'");
        row("torch.foo(1)", "AttributeError", "module 'torch' has no attribute 'foo'");
        row("n = 3; n.shape", "AttributeError", "'int' object has no attribute 'shape'");
        row("x.t", "TypeError", "'t' is a method");
        row("x.shape()", "TypeError", "'torch.Size' object is not callable");
        row("x(3)", "TypeError", "'Tensor' object is not callable");
        row("len", "TypeError", "'len' is a function");
        row("float('abc')", "ValueError", "could not convert string to float: 'abc'");
        row("float('')", "ValueError", "could not convert string to float: ''");
        row("float('1__0')", "ValueError", "could not convert string to float: '1__0'");
        row("float('a\tb')", "ValueError", "could not convert string to float: 'a\\tb'");
        row("float('--1')", "ValueError", "could not convert string to float: '--1'");
        row("float('0x1p3')", "ValueError", "could not convert string to float: '0x1p3'");
        row("float('nan(1)')", "ValueError", "could not convert string to float: 'nan(1)'");
        row("float('1e')", "ValueError", "could not convert string to float: '1e'");
        row("x[0, 0] = float('nan')", "RuntimeError", "converted to type int64");
        row("x + 'a'", "TypeError", "unsupported operand type(s) for +: 'Tensor' and 'str'");
        row("x + None", "TypeError", "unsupported operand type(s) for +: 'Tensor' and 'NoneType'");
        row("x + [1]", "TypeError", "unsupported operand type(s) for +: 'Tensor' and 'list'");
        row("~f", "TypeError", "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
        row("f & 1", "RuntimeError", "\"bitwise_and_cpu\" not implemented for 'Float'");
        row("f << f", "RuntimeError", "\"lshift_cpu\" not implemented for 'Float'");
        row("torch.maximum(v, 2)", "TypeError", "maximum(): argument 'other' (position 2) must be Tensor, not int");
        row("v.atan2(1)", "TypeError", "atan2(): argument 'other' (position 1) must be Tensor, not int");
        row("torch.exp(2)", "TypeError", "exp(): argument 'input' (position 1) must be Tensor, not int");
        row("torch.pow(2, 3)", "TypeError", "pow() needs tensors or a tensor and a number");
        row("v ** -1", "RuntimeError", "Integers to negative integer powers are not allowed.");
        row("v **= -1", "RuntimeError", "Integers to negative integer powers are not allowed.");
        row("x //= 0", "RuntimeError", "ZeroDivisionError");
        row("v % 0", "RuntimeError", "ZeroDivisionError");
        row("f &= 1", "RuntimeError", "\"bitwise_and_cpu\" not implemented for 'Float'");
        row("v.sqrt_()", "RuntimeError", "result type Float can't be cast to the desired output type Long");
        row("v.maximum_(v)", "AttributeError", "'Tensor' object has no attribute 'maximum_'");
        row("v.isnan_()", "AttributeError", "'Tensor' object has no attribute 'isnan_'");
        row("torch.pow_(v, 2)", "AttributeError", "module 'torch' has no attribute 'pow_'");
        row("torch.exp(v, 1)", "TypeError", "exp() takes 1 positional arguments but 2 were given");
        row("torch.round(v, 2)", "TypeError", "round() takes 1 positional arguments but 2 were given");
        row("torch.div(v, 2, rounding_mode='up')", "RuntimeError",
            "to be one of None, 'trunc', or 'floor' but found 'up'");
        row("torch.div(v, 2, rounding_mode='fl\x01oor')", "RuntimeError", R"(but found 'fl\x01oor')");
        row("torch.div(v, 2, rounding_mode=1)", "TypeError",
            "argument 'rounding_mode' (position 3) must be str, not int");
        row("x ** torch.zeros(3)", "RuntimeError", "The size of tensor a (4) must match the size of tensor b (3)");
        row("+(v > 1)", "RuntimeError", "The `+` operator, on a bool tensor is not supported.");
        row("-(v > 1)", "RuntimeError", "");
        row("torch.bitwise_not(f)", "RuntimeError", "\"bitwise_not_cpu\" not implemented for 'Float'");
        row("~2.0", "TypeError", "bad operand type for unary ~: 'float'");
        row("~None", "TypeError", "bad operand type for unary ~: 'NoneType'");
        row("2.0 & 1", "TypeError", "unsupported operand type(s) for &: 'float' and 'int'");
        row("2.0 << 1", "TypeError", "unsupported operand type(s) for <<: 'float' and 'int'");
        row("'a' ** 2", "TypeError", "unsupported operand type(s) for ** or pow(): 'str' and 'int'");
        row("v <<= None", "TypeError", "unsupported operand type(s) for <<=: 'Tensor' and 'NoneType'");
        row("1 << -1", "ValueError", "negative shift count");
        row("1 >> -1", "ValueError", "negative shift count");
        row("1 << 63", "ValueError", "1 << 63 does not fit 64 bits");
        row("-2 << 63", "ValueError", "-2 << 63 does not fit 64 bits");
        row("3 << 1000", "ValueError", "3 << 1000 does not fit 64 bits");
        row("2 ** 63", "ValueError", "2 ** 63 does not fit 64 bits");
        row("3 ** 9223372036854775807", "ValueError", "does not fit 64 bits");
        row("0 ** -1", "ZeroDivisionError", "0.0 cannot be raised to a negative power");
        row("0.0 ** -1", "ZeroDivisionError", "0.0 cannot be raised to a negative power");
        row("1e300 ** 2", "ValueError", "Numerical result out of range");
        row("(-8) ** 0.5", "ValueError", "a negative number to a fractional power is complex");
        row("1 / 0", "ZeroDivisionError", "division by zero");
        row("9223372036854775807 + 1", "ValueError", "does not fit 64 bits");
        row("x[1.0]", "IndexError", "(got float)");
        row("x['a']", "IndexError", "(got str)");
        row("x[[0, 3]]", "IndexError", "index 3 is out of bounds");
        row("x[torch.tensor([0.5])]", "IndexError", "tensors used as indices must be");
        row("x[v > 3]", "IndexError", "mask");
        row("x[[True, 'a']]", "TypeError", "found str");
        row("x[v > 3] = 1", "IndexError", "mask");
        row("x[x > 3] = 'a'", "TypeError", "can't assign a str");
        row("x @ 2", "TypeError", "unsupported operand type(s) for @: 'Tensor' and 'int'");
        row("2 @ 2", "TypeError", "unsupported operand type(s) for @: 'int' and 'int'");
        row("torch.mm(x, x)", "RuntimeError", "shapes cannot be multiplied (3x4 and 3x4)");
        row("torch.cat([])", "RuntimeError", "non-empty list");
        row("torch.cat([x, 1])", "TypeError", "expected Tensor as element 1");
        row("torch.cat(x)", "TypeError", "must be tuple of Tensors");
        row("torch.linalg.svd", "AttributeError", "has no attribute 'svd'");
        row("torch.linalg.solve", "TypeError", "is a function");
        row("x[0, 0, 0]", "IndexError", "too many indices for tensor of dimension 2");
        row("s[0]", "IndexError", "invalid index of a 0-dim tensor");
        row("x[5]", "IndexError", "index 5 is out of bounds for dimension 0 with size 3");
        row("x[0, -5]", "IndexError", "index -5 is out of bounds for dimension 1 with size 4");
        row("x[::0]", "ValueError", "slice step cannot be zero");
        row("x[::-1]", "ValueError", "step must be greater than zero");
        row("x['a':]", "TypeError", "slice indices must be integers or None");
        row("(1, 2)[5]", "IndexError", "tuple index out of range");
        row("n = 3; n[0]", "TypeError", "'int' object is not subscriptable");
        row("n = 3; n[0] = 1", "TypeError", "does not support item assignment");
        row("x.narrow()", "TypeError", "narrow() missing required argument 'dim' (position 1)");
        row("x.narrow(1, 2, 3, 4)", "TypeError", "narrow() takes 3 positional arguments but 4 were given");
        row("x.narrow(1, 2, foo=3)", "TypeError", "narrow() got an unexpected keyword argument 'foo'");
        row("x.narrow(1, 2, dim=3)", "TypeError", "narrow() got multiple values for argument 'dim'");
        row("x.narrow(1.5, 2, 3)", "TypeError", "argument 'dim' (position 1) must be int, not float");
        row("x.t(1)", "TypeError", "t() takes 0 positional arguments but 1 were given");
        row("x.view('a')", "TypeError", "must be int or tuple of ints, not str");
        row("torch.zeros('a')", "TypeError", "must be int or tuple of ints, not str");
        row("torch.transpose(0, 1)", "TypeError", "argument 'input' (position 1) must be Tensor, not int");
        row("x.narrow(1, 3, 4)", "RuntimeError", "");
        row("x.t().view(12)", "RuntimeError", "view size is not compatible with input tensor's size and stride");
        row("x.view(5)", "RuntimeError", "shape '[5]' is invalid for input of size 12");
        row("x.transpose(0, 2)", "IndexError",
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
        row("x.expand(5, 4)", "RuntimeError", "must match the existing size (3) at non-singleton dimension 0");
        row("x.as_strided((4, 4), (4, 1))", "RuntimeError", "");
        row("x.item()", "ValueError", "only one element tensors can be converted to Python scalars");
        row("x + torch.zeros(5)", "RuntimeError", "The size of tensor a (4) must match the size of tensor b (5)");
        row("x[0] = torch.zeros(3)", "RuntimeError", "");
        row("x[0] = [1, 2]", "TypeError", "can't assign a list to elements of a tensor");
        row("x += torch.zeros(2, 3, 4)", "RuntimeError", "doesn't match the broadcast shape [2, 3, 4]");
        row("v.expand(2, 5).add_(1)", "RuntimeError", "more than one element of the written-to tensor");
        row("v[1:] += v[:-1]", "RuntimeError", "some elements of the input tensor and the written-to tensor");
        row("x += 0.5", "RuntimeError", "can't be cast to the desired output type Long");
        row("torch.tensor([[1], [2, 3]])", "ValueError", "expected sequence of length 1 at dim 1 (got 2)");
        row("torch.zeros(-1)", "RuntimeError", "");
        row("torch.arange(0, 1, 0)", "RuntimeError", "step must be nonzero");
        row("a, b = v", "ValueError", "too many values to unpack (expected 2, got 5)");
        row("a, b = (1,)", "ValueError", "not enough values to unpack (expected 2, got 1)");
        row("a, b = 3", "TypeError", "cannot unpack non-iterable int object");
        row("torch.zeros(50, 50).tolist()", "MemoryError", "a list of 2500 values; the limit is 1000");
        row("x.to('foo')", "", "");
        row("(x.shape + ('a',)).numel()", "AttributeError", "'tuple' object has no attribute 'numel'");
        row("torch.Size((4611686018427387904, 4)).numel()", "ValueError", "does not fit 64 bits");
        row("a = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10); a = (a, a, a, a, a); a = (a, a, a, a, a); (a, a, a, a, a, a)",
            "MemoryError", "more than 1000 items");
        std::string nested = "a = (1,)";
        for (int i = 0; i < 100; ++i) nested += "; a = (a,)";
        row(nested.c_str(), "MemoryError", "nested more than 100 deep");
        row("x @ x", "RuntimeError", "shapes cannot be multiplied (3x4 and 3x4)");
        row("numpy.load('two.npz')['c']", "ValueError", "'c' is not a name in the archive");
        row("numpy.load('two.npz')[0]", "ValueError", "indexed with the name of one array");
        row("numpy.load(3)", "TypeError", "argument 'file' must be str, not int");
        row("numpy.load('none')", "", "no files can be opened here");
        row("numpy.save('x')", "AttributeError", "module 'numpy' has no attribute 'save'");
        row("z = numpy.load('two.npz')", "TypeError", "NpzFile is not given a name");
        row("t = torch", "TypeError", "module is not given a name");
    }
    void refuses() {
        QFETCH(QString, line);
        QFETCH(QString, exception);
        QFETCH(QString, words);
        Names names;
        prepare(names);
        const auto before = bytesHash(names);
        const Answer answer = evaluate(names, line.toStdString());
        QVERIFY(answer.refusal.has_value());
        const QString message = QString::fromStdString(answer.refusal->message);
        if (!exception.isEmpty()) QCOMPARE(QString::fromStdString(exceptionName(*answer.refusal)), exception);
        QVERIFY2(message.contains(words), qPrintable(message));
        QVERIFY(!answer.refusal->id.empty());
        if (!line.startsWith(QLatin1String("del"))) QCOMPARE(bytesHash(names), before);
    }

    /// What the fuzzer does with its seeds, and with what it once found.
    void exercised_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("id");
        const auto seeds = fuzz::lineSeeds();
        for (std::size_t i = 0; i < seeds.size(); ++i)
            QTest::addRow("seed %zu", i) << QByteArray::fromStdString(seeds[i]) << QByteArray("any");
        QTest::newRow("device with control characters")
            << QByteArray("torch.device('cp\0\x1b[31mu')", 25) << QByteArray("DEV-10");
    }
    void exercised() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, id);
        const std::string refused = exercise::lines(line.toStdString());
        if (id != "any") QCOMPARE(QByteArray::fromStdString(refused), id);
        QVERIFY(refused.rfind("EXPR-0", 0) != 0 || !expr::parseProgram(line.toStdString()).ok());
    }

    void tellsHowTensorsAreRelated_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("lineage");
        const auto row = [](const char* line, Lineage lineage) {
            QTest::newRow(line) << QString::fromUtf8(line) << static_cast<int>(lineage);
        };
        row("x", Lineage::Alias);
        row("x.contiguous()", Lineage::Alias);
        row("x.to(torch.int64)", Lineage::Alias);
        row("x.fill_(1)", Lineage::Alias);
        row("x.t()", Lineage::View);
        row("x[1]", Lineage::View);
        row("x.t()[1]", Lineage::View);
        row("x.reshape(12)", Lineage::View);
        row("x.view(torch.int32)", Lineage::View);
        row("x.clone()", Lineage::Copy);
        row("x.t().contiguous()", Lineage::Copy);
        row("x.t().contiguous().view(12)", Lineage::Copy);
        row("x.t().reshape(12)", Lineage::Copy);
        row("x.float()", Lineage::Copy);
        row("x + 1", Lineage::Fresh);
        row("torch.zeros(3)", Lineage::Fresh);
        row("torch.zeros(3).view(3, 1)", Lineage::Fresh);
        row("(x + 1).t()", Lineage::Fresh);
    }
    void tellsHowTensorsAreRelated() {
        QFETCH(QString, line);
        QFETCH(int, lineage);
        Names names;
        prepare(names);
        const Answer answer = evaluate(names, line.toStdString());
        QVERIFY(!answer.refusal);
        const auto* tensor = answer.value.as<TensorValue>();
        QVERIFY(tensor != nullptr);
        QCOMPARE(static_cast<int>(tensor->lineage), lineage);
        QCOMPARE(tensor->source != 0, tensor->lineage != Lineage::Fresh);
    }

    void remembersWhatWasWanted() {
        Names names;
        prepare(names);
        const std::string line = "x.as_strided((4, 4), (4, 1), 2)";
        const auto program = parseProgram(line);
        Evaluator evaluator(names, {true, 10});
        bool refused = false;
        try {
            evaluator.execute(program->statements[0], line);
        } catch (const Error&) {
            refused = true;
        }
        QVERIFY(refused);
        QVERIFY(evaluator.wanted().has_value());
        QCOMPARE(evaluator.wanted()->view.offset, Index{2});
        QCOMPARE(toString(evaluator.wanted()->view.shape), std::string("(4, 4)"));
    }

    void keepsTheCodeOfNames() {
        Names names;
        prepare(names);
        const Answer answer = evaluate(names, "y = x.t() ; a, b = v.split(3)");
        QVERIFY(!answer.refusal);
        QCOMPARE(names.codes["y"], std::string("x.t()"));
        QCOMPARE(names.codes["b"], std::string("v.split(3)[1]"));
    }

    void allocatesNothingInADryRun() {
        Names names;
        prepare(names);
        const Answer answer = evaluate(names, "big = torch.zeros(1000000, 1000000); big.t().contiguous()", true);
        QVERIFY2(!answer.refusal, answer.refusal ? answer.refusal->message.c_str() : "");
        const auto* tensor = answer.value.as<TensorValue>();
        QVERIFY(tensor != nullptr);
        QCOMPARE(tensor->tensor.numel(), Index{1'000'000'000'000});
        QVERIFY(tensor->tensor.storage()->data() == nullptr);
    }
};

QTEST_GUILESS_MAIN(TestExprEvaluator)
#include "tst_expr_evaluator.moc"
