// The line language: what is read, as trees, and what is refused, with positions.

#include "core/expr/parser.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::expr;

namespace {

/// The tree as text, with every grouping made visible: "A.narrow(1, 1)" -> "call(attr(A,narrow),1,1)".
QString shown(const Node& node) {
    QStringList parts;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        QString part = shown(node.children[i]);
        if (node.kind == NodeKind::Call && i > 0 && !node.keywords[i - 1].empty())
            part = QString::fromStdString(node.keywords[i - 1]) + QStringLiteral("=") + part;
        parts << part;
    }
    const QString inside = parts.join(QLatin1Char(','));
    const QString text = QString::fromStdString(node.text);
    switch (node.kind) {
    case NodeKind::Name:
        return text;
    case NodeKind::Integer:
        return QString::number(node.integer);
    case NodeKind::Float:
        return QStringLiteral("f") + QString::number(node.number);
    case NodeKind::Bool:
        return node.integer != 0 ? QStringLiteral("True") : QStringLiteral("False");
    case NodeKind::None:
        return QStringLiteral("None");
    case NodeKind::Text:
        return QStringLiteral("'") + text + QStringLiteral("'");
    case NodeKind::Ellipsis:
        return QStringLiteral("...");
    case NodeKind::Missing:
        return QStringLiteral("_");
    case NodeKind::Tuple:
        return QStringLiteral("tuple(") + inside + QStringLiteral(")");
    case NodeKind::List:
        return QStringLiteral("list(") + inside + QStringLiteral(")");
    case NodeKind::Slice:
        return QStringLiteral("slice(") + inside + QStringLiteral(")");
    case NodeKind::Attribute:
        return QStringLiteral("attr(") + inside + QStringLiteral(",") + text + QStringLiteral(")");
    case NodeKind::Call:
        return QStringLiteral("call(") + inside + QStringLiteral(")");
    case NodeKind::Subscript:
        return QStringLiteral("at(") + inside + QStringLiteral(")");
    case NodeKind::Unary:
        return QStringLiteral("un") + text + QStringLiteral("(") + inside + QStringLiteral(")");
    case NodeKind::Binary:
        return QStringLiteral("(") + parts.join(text) + QStringLiteral(")");
    }
    return {};
}

QString shown(const Program& program) {
    QStringList lines;
    for (const Statement& s : program.statements) {
        QStringList targets;
        for (const Node& target : s.targets) targets << shown(target);
        const QString left = targets.join(QLatin1Char(',')) + (s.unpack ? QStringLiteral(",") : QString());
        switch (s.kind) {
        case StatementKind::Expression:
            lines << shown(s.value);
            break;
        case StatementKind::Assign:
            lines << left + QStringLiteral(" = ") + shown(s.value);
            break;
        case StatementKind::Augment:
            lines << left + QStringLiteral(" ") + QString::fromStdString(s.op) + QStringLiteral("= ") + shown(s.value);
            break;
        case StatementKind::Delete:
            lines << QStringLiteral("del ") + left;
            break;
        case StatementKind::Import:
            lines << QStringLiteral("import");
            break;
        }
    }
    return lines.join(QStringLiteral(" ; "));
}

} // namespace

class TestExprParser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tree");
        const auto row = [](const char* text, const char* tree) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(tree);
        };
        row("", "");
        row("  # only a comment", "");
        row("A", "A");
        row("A;", "A");
        row(";;A ; B", "A ; B");
        row("A # comment ; B", "A");
        row("-1", "-1");
        row("- 1", "-1");
        row("--1", "un-(-1)");
        row("-9223372036854775808", "-9223372036854775808");
        row("9223372036854775807", "9223372036854775807");
        row("1.5", "f1.5");
        row("1e9", "f1e+09");
        row(".5", "f0.5");
        row("5.", "f5");
        row("1e400", "finf");
        row("1e-400", "f0");
        row("-2.5", "un-(f2.5)");
        row("'float32'", "'float32'");
        row("\"cpu\"", "'cpu'");
        row("True", "True");
        row("None", "None");
        row("()", "tuple()");
        row("(1)", "1");
        row("(1,)", "tuple(1)");
        row("1, 2", "tuple(1,2)");
        row("1,", "tuple(1)");
        row("[]", "list()");
        row("[[1, 2], [3, 4]]", "list(list(1,2),list(3,4))");
        row("A.narrow(1, 1, 2)", "call(attr(A,narrow),1,1,2)");
        row("A.narrow(dim=1, start=1, length=2,)", "call(attr(A,narrow),dim=1,start=1,length=2)");
        row("A.t().T.shape", "attr(attr(call(attr(A,t)),T),shape)");
        row("torch.zeros((2, 3), dtype=torch.int64)", "call(attr(torch,zeros),tuple(2,3),dtype=attr(torch,int64))");
        row("x[1]", "at(x,1)");
        row("x[1, ::2, None, ..., -1]", "at(x,1,slice(_,_,2),None,...,-1)");
        row("x[:]", "at(x,slice(_,_,_))");
        row("x[::]", "at(x,slice(_,_,_))");
        row("x[1:]", "at(x,slice(1,_,_))");
        row("x[:-1]", "at(x,slice(_,-1,_))");
        row("x[1:5:2]", "at(x,slice(1,5,2))");
        row("x[1:5:]", "at(x,slice(1,5,_))");
        row("x[()]", "at(x,tuple())");
        row("x[1,]", "at(x,1)");
        row("1 + 2 * 3", "(1+(2*3))");
        row("1 - 2 - 3", "((1-2)-3)");
        row("(1 + 2) * 3", "((1+2)*3)");
        row("-A + B", "(un-(A)+B)");
        row("-A.t()", "un-(call(attr(A,t)))");
        row("A < B + 1", "(A<(B+1))");
        row("A == B", "(A==B)");
        row("7 // 2 % 3", "((7//2)%3)");
        row("2 ** 3", "(2**3)");
        row("2 ** 3 ** 2", "(2**(3**2))");
        row("-2 ** 2", "un-((2**2))");
        row("- 2 ** 2 + 1", "(un-((2**2))+1)");
        row("-A ** 2", "un-((A**2))");
        row("2 ** -1", "(2**-1)");
        row("2 ** -A ** 3", "(2**un-((A**3)))");
        row("A.t() ** x[0]", "(call(attr(A,t))**at(x,0))");
        row("a * b ** c", "(a*(b**c))");
        row("~A", "un~(A)");
        row("~-~A", "un~(un-(un~(A)))");
        row("~A ** 2", "un~((A**2))");
        row("a << 1 << 2 >> 3", "(((a<<1)<<2)>>3)");
        row("a | b ^ c & d << e + f * g ** h", "(a|(b^(c&(d<<(e+(f*(g**h)))))))");
        row("a ** b * c + d << e & f ^ g | h", "(((((((a**b)*c)+d)<<e)&f)^g)|h)");
        row("a & b & c | d", "(((a&b)&c)|d)");
        row("a & 3 == 1", "((a&3)==1)");
        row("a <b<< 1", "(a<(b<<1))");
        row("a >> -1", "(a>>-1)");
        row("x **= 2", "x **= 2");
        row("x //= 2; x %= 2", "x //= 2 ; x %= 2");
        row("x &= 1; x |= 1; x ^= 1", "x &= 1 ; x |= 1 ; x ^= 1");
        row("x <<= 1; x[0] >>= 1", "x <<= 1 ; at(x,0) >>= 1");
        row("B = A.t()", "B = call(attr(A,t))");
        row("B = 1, 2", "B = tuple(1,2)");
        row("a, b = A.split(2)", "a,b, = call(attr(A,split),2)");
        row("a, = A.split(2)", "a, = call(attr(A,split),2)");
        row("x[1, 2] = 7", "at(x,1,2) = 7");
        row("x[1:] = 0", "at(x,slice(1,_,_)) = 0");
        row("x[1:] += z[:-1]", "at(x,slice(1,_,_)) += at(z,slice(_,-1,_))");
        row("x *= 2", "x *= 2");
        row("del A", "del A");
        row("del A, B", "del A,B");
        row("import torch", "import");
        row(">>> x = 1\n>>> x", "x = 1 ; x");
        row("torch.tensor([[1, 2],\n              [3, 4]])", "call(attr(torch,tensor),list(list(1,2),list(3,4)))");
        row(">>> f(1,\n...   2)", "call(f,1,2)");
        row("x=1\r\ny=2", "x = 1 ; y = 2");
    }
    void reads() {
        QFETCH(QString, text);
        QFETCH(QString, tree);
        const auto program = parseProgram(text.toStdString());
        QVERIFY2(program.ok(), program ? "" : program.refusal().message.c_str());
        QCOMPARE(shown(*program), tree);
    }

    void refuses_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("position");
        const auto row = [](const char* text, const char* id, int position) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(id) << position;
        };
        row("2,3,,4", "EXPR-05", 4);
        row("A.", "EXPR-05", 2);
        row("A..b", "EXPR-05", 2);
        row("A.view(2,,3)", "EXPR-05", 9);
        row("A.view(2 3)", "EXPR-05", 9);
        row("(2, 3", "EXPR-08", 0);
        row("x[1", "EXPR-08", 1);
        row("A.view((2, 3)", "EXPR-08", 6);
        row("x[1)", "EXPR-05", 3);
        row("x)", "EXPR-05", 1);
        row("x[]", "EXPR-05", 2);
        row("A B", "EXPR-05", 2);
        row("= 3", "EXPR-05", 0);
        row("1 +", "EXPR-05", 3);
        for (const char* numeral : {"0x10", "0XaF", "0b101", "0o17", "0x_10", "1_000", "2j", "2.5J", "1_0j", "1e-3j"})
            row(numeral, "EXPR-06", 0);
        for (const char* wrong : {"0x", "0b2", "1_", "1__0", "0o8", "2jj", "0xj"}) row(wrong, "EXPR-03", 0);
        row("012", "EXPR-03", 0);
        row("99999999999999999999", "EXPR-03", 0);
        row("9223372036854775808", "EXPR-03", 0);
        row("x = 9223372036854775808", "EXPR-03", 4);
        row("2x", "EXPR-03", 0);
        row("'abc", "EXPR-04", 0);
        row("'a\\n'", "EXPR-04", 2);
        row("x = ٣", "EXPR-02", 4);
        row("x = ３", "EXPR-02", 4);
        row("x $ y", "EXPR-02", 2);
        row("x\x01y", "EXPR-02", 1);
        row("for i in x: pass", "EXPR-06", 0);
        row("while True: pass", "EXPR-06", 0);
        row("import os", "EXPR-06", 0);
        row("import torch, numpy", "EXPR-06", 0);
        row("import torch.nn", "EXPR-06", 0);
        row("import torch as t", "EXPR-06", 0);
        row("__import__('os').system('x')[lambda: 1]", "EXPR-06", 29);
        row("x = [i for i in y]", "EXPR-06", 7);
        row("x if y else z", "EXPR-06", 2);
        row("not x", "EXPR-06", 0);
        row("x and y", "EXPR-06", 2);
        row("a = b = 1", "EXPR-06", 6);
        row("2 **", "EXPR-05", 4);
        row("** 2", "EXPR-05", 0);
        row("2 ** ** 3", "EXPR-05", 5);
        row("2 * * 3", "EXPR-05", 4);
        row("a ~ b", "EXPR-05", 2);
        row("a << < b", "EXPR-05", 5);
        row("-9223372036854775808 ** 2", "EXPR-03", 1);
        row("a @= b", "EXPR-05", 3);
        row("2 **= 3", "EXPR-09", 0);
        row("a **= b **= c", "EXPR-05", 8);
        row("f(*x)", "EXPR-06", 2);
        row("1 < 2 < 3", "EXPR-06", 6);
        row("3 = x", "EXPR-09", 0);
        row("A.t() = x", "EXPR-09", 0);
        row("A.shape = x", "EXPR-09", 0);
        row("torch = 3", "EXPR-09", 0);
        row((std::string(240, 'n') + "=7x").c_str(), "EXPR-09", 0);
        row("a, x[0] = y", "EXPR-09", 3);
        row("f(a=1, 2)", "EXPR-10", 7);
        row("f(a=1, a=2)", "EXPR-10", 7);
        row("f(1=2)", "EXPR-10", 2);
        row("del 3", "EXPR-05", 4);
        row("del for", "EXPR-06", 4);
    }
    void refuses() {
        QFETCH(QString, text);
        QFETCH(QString, id);
        QFETCH(int, position);
        const auto program = parseProgram(text.toStdString());
        QVERIFY(!program.ok());
        const Refusal& refusal = program.refusal();
        QVERIFY2(refusal.id == id.toStdString(), refusal.message.c_str());
        const auto* where = std::get_if<InputPosition>(&refusal.detail);
        QVERIFY(where != nullptr);
        QCOMPARE(where->position, Index{position});
        QVERIFY(!refusal.message.empty());
        QVERIFY(refusal.message.size() <= 140);
        QVERIFY2(refusal.message.find("position " + std::to_string(position + 1)) != std::string::npos,
                 refusal.message.c_str());
    }

    void boundsDepthAndLength() {
        const auto nested = [](int depth) {
            return std::string(static_cast<std::size_t>(depth), '[') + "1" +
                   std::string(static_cast<std::size_t>(depth), ']');
        };
        QVERIFY(parseProgram(nested(64)).ok());
        for (const int depth : {100, 199, 201, 40000}) {
            const auto refused = parseProgram(nested(depth));
            QVERIFY(!refused.ok());
            QCOMPARE(refused.refusal().id, std::string("EXPR-07"));
        }
        const auto minuses = parseProgram(std::string(50000, '-') + "1");
        QCOMPARE(minuses.refusal().id, std::string("EXPR-07"));
        std::string powers = "1";
        for (int i = 0; i < 5000; ++i) powers += "**1";
        QCOMPARE(parseProgram(powers).refusal().id, std::string("EXPR-07"));
        std::string chain = "A";
        for (int i = 0; i < 5000; ++i) chain += ".t()";
        QCOMPARE(parseProgram(chain).refusal().id, std::string("EXPR-07"));
        std::string sum = "A";
        for (int i = 0; i < 5000; ++i) sum += "+A";
        QCOMPARE(parseProgram(sum).refusal().id, std::string("EXPR-07"));
        QCOMPARE(parseProgram(std::string(100'001, ' ')).refusal().id, std::string("EXPR-01"));
        std::string many = "[";
        for (int i = 0; i < 49'900; ++i) many += "1,";
        QVERIFY(parseProgram(many + "1]").ok());
        std::string tooMany = "[";
        for (int i = 0; i < 2; ++i) tooMany += many.substr(1, 49'990);
        QVERIFY(parseProgram(tooMany + "]", {200'000, 100, 40'000}).refusal().id == "EXPR-01");
    }

    void knowsUnfinishedLines() {
        QVERIFY(isIncomplete("f(1,"));
        QVERIFY(isIncomplete("[[1, 2],\n"));
        QVERIFY(!isIncomplete("f(1)"));
        QVERIFY(!isIncomplete("f(1]"));
        QVERIFY(!isIncomplete(""));
    }

    void knowsNames() {
        for (const char* good : {"A", "x_1", "_", "print", "None2"}) QVERIFY(isIdentifier(good));
        for (const char* bad : {"", "1a", "a b", "for", "None", "torch", "ä", "a.b", "A\n"})
            QVERIFY(!isIdentifier(bad));
    }
};

QTEST_GUILESS_MAIN(TestExprParser)
#include "tst_expr_parser.moc"
