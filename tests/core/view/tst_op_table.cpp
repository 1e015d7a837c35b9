// The table of operations: names, arguments, code and legal values. What the operations do is tst_view_ops' matter.

#include "core/view/op_table.h"

#include <QTest>

#include <random>
#include <set>

using namespace stridescope;

namespace {

const OpArg kNone = std::monostate{};
const View kView{{2, 3, 4}, {12, 4, 1}, 0};
constexpr Index kStorage = 24;

/// Some legal arguments of every operation on `kView`.
OpArgs exampleArgs(const std::string& name) {
    static const std::vector<std::pair<std::string, OpArgs>> examples = {
        {"select", {Index{1}, Index{2}}},
        {"narrow", {Index{1}, Index{1}, Index{2}}},
        {"slice", {Index{2}, Index{0}, kNone, Index{2}}},
        {"unfold", {Index{2}, Index{2}, Index{1}}},
        {"transpose", {Index{0}, Index{1}}},
        {"swapaxes", {Index{0}, Index{1}}},
        {"swapdims", {Index{0}, Index{1}}},
        {"permute", {Dims{2, 0, 1}}},
        {"movedim", {Dims{0}, Dims{2}}},
        {"unsqueeze", {Index{0}}},
        {"view", {Dims{4, 6}}},
        {"reshape", {Dims{4, 6}}},
        {"unflatten", {Index{2}, Dims{2, 2}}},
        {"expand", {Dims{5, 2, 3, 4}}},
        {"as_strided", {Dims{2}, Dims{1}}},
        {"split", {Index{1}}},
        {"chunk", {Index{2}}},
        {"flip", {Dims{0}}},
    };
    for (const auto& [key, args] : examples)
        if (key == name) return args;
    return {};
}

} // namespace

Q_DECLARE_METATYPE(stridescope::OpArgs)

class TestOpTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyOperationRuns();
    void theTableIsComplete();
    void wrongArgumentsAreRefused_data();
    void wrongArgumentsAreRefused();
    void code_data();
    void code();
    void legalRanges_data();
    void legalRanges();
    void legalRangesOfLists();
    void legalRangesAreExact();
    void copiesAreTold();
};

void TestOpTable::everyOperationRuns() {
    for (const ViewOp& op : viewOps()) {
        const View operand = std::string(op.name) == "t" ? View{{3, 4}, {4, 1}, 0} : kView;
        const OpArgs args = exampleArgs(op.name);
        const auto result = applyViewOp(op.name, args, operand, kStorage);
        QVERIFY2(result.ok(), op.name);
        QVERIFY2(op.manyResults || result->views.size() == 1, op.name);
        QVERIFY2(op.cost != OpCost::View || !result->copies, op.name);
        QVERIFY2(op.cost != OpCost::Copy || result->copies, op.name);
        for (const View& v : result->views) QVERIFY2(result->copies || checkInBounds(v, kStorage).ok(), op.name);
    }
}

void TestOpTable::theTableIsComplete() {
    const std::set<std::string> wanted = {"narrow",  "select",   "slice",     "transpose",  "t",          "permute",
                                          "movedim", "swapaxes", "view",      "reshape",    "flatten",    "unflatten",
                                          "expand",  "squeeze",  "unsqueeze", "as_strided", "diagonal",   "unfold",
                                          "split",   "chunk",    "unbind",    "flip",       "contiguous", "clone"};
    std::set<std::string> names;
    for (const ViewOp& op : viewOps()) {
        QVERIFY2(names.insert(op.name).second, op.name);
        QVERIFY2(std::string(op.doc).size() > 10 && std::string(op.doc).size() <= 100, op.name);
        QVERIFY(findViewOp(op.name) != nullptr);
        bool optionalSeen = false;
        for (const OpParam& param : op.params) {
            QVERIFY2(std::string(param.doc).size() > 2, param.name);
            QVERIFY2(!param.required || !optionalSeen, op.name); // Python's order: required ones first
            optionalSeen = optionalSeen || !param.required;
        }
    }
    for (const std::string& name : wanted) QVERIFY2(names.count(name) == 1, name.c_str());
    QVERIFY(findViewOp("add_") == nullptr);
    QVERIFY(findViewOp("") == nullptr);
}

void TestOpTable::wrongArgumentsAreRefused_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<OpArgs>("args");
    QTest::addColumn<QByteArray>("id");
    const auto row = [](const char* name, const char* op, const OpArgs& args, const char* id) {
        QTest::newRow(name) << QByteArray(op) << args << QByteArray(id);
    };
    row("unknown", "sum", {}, "VIEW-50");
    row("missing", "narrow", {Index{1}, Index{1}}, "VIEW-51");
    row("too many", "t", {Index{1}}, "VIEW-51");
    row("list for a number", "select", {Dims{1}, Index{1}}, "VIEW-51");
    row("number for a list", "view", {Index{24}}, "VIEW-51");
    row("nothing for a number", "select", {Index{1}, kNone}, "VIEW-51");
    row("list for an end", "slice", {Index{1}, Dims{1}}, "VIEW-51");
    row("nothing to split by", "split", {}, "VIEW-51");
}

void TestOpTable::wrongArgumentsAreRefused() {
    QFETCH(QByteArray, op);
    QFETCH(OpArgs, args);
    QFETCH(QByteArray, id);
    const auto result = applyViewOp(op.toStdString(), args, kView, kStorage);
    QVERIFY(!result.ok());
    QCOMPARE(QByteArray::fromStdString(result.refusal().id), id);
    QVERIFY(result.refusal().kind == ErrorKind::Type);
    QVERIFY(!result.refusal().hint.empty());
}

void TestOpTable::code_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<OpArgs>("args");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* op, const OpArgs& args, const char* expected) {
        QTest::newRow(expected) << QByteArray(op) << args << QByteArray(expected);
    };
    row("narrow", {Index{1}, Index{1}, Index{2}}, "x.narrow(1, 1, 2)");
    row("select", {Index{-1}, Index{0}}, "x.select(-1, 0)");
    row("slice", {Index{0}, Index{1}, Index{5}, Index{2}}, "x[1:5:2]");
    row("slice", {Index{1}, Index{1}, Index{5}, Index{2}}, "x[:, 1:5:2]");
    row("slice", {Index{2}, kNone, Index{-1}}, "x[:, :, :-1]");
    row("slice", {Index{0}, kNone, kNone, Index{2}}, "x[::2]");
    row("slice", {Index{-1}, Index{1}}, "x[..., 1:]");
    row("slice", {Index{-3}, Index{1}, kNone}, "x[..., 1:, :, :]");
    row("slice", {}, "x[:]");
    row("t", {}, "x.t()");
    row("view", {Dims{2, 6}}, "x.view(2, 6)");
    row("view", {Dims{}}, "x.view(())");
    row("view", {Dims{-1}}, "x.view(-1)");
    row("permute", {Dims{2, 0, 1}}, "x.permute(2, 0, 1)");
    row("expand", {Dims{3, -1}}, "x.expand(3, -1)");
    row("flip", {Dims{0}}, "x.flip(0)");
    row("movedim", {Dims{0}, Dims{2}}, "x.movedim(0, 2)");
    row("movedim", {Dims{0, 1}, Dims{1, 2}}, "x.movedim((0, 1), (1, 2))");
    row("unflatten", {Index{2}, Dims{2, 2}}, "x.unflatten(2, (2, 2))");
    row("unflatten", {Index{2}, Dims{4}}, "x.unflatten(2, (4,))");
    row("as_strided", {Dims{4, 2}, Dims{5, 1}, Index{1}}, "x.as_strided((4, 2), (5, 1), 1)");
    row("as_strided", {Dims{4}, Dims{5}, kNone}, "x.as_strided((4,), (5,))");
    row("flatten", {}, "x.flatten()");
    row("flatten", {Index{0}, Index{-1}}, "x.flatten()");
    row("flatten", {Index{1}, Index{-1}}, "x.flatten(1)");
    row("flatten", {kNone, Index{1}}, "x.flatten(0, 1)");
    row("diagonal", {Index{0}, Index{0}, Index{1}}, "x.diagonal()");
    row("diagonal", {Index{0}, Index{1}, Index{2}}, "x.diagonal(0, 1, 2)");
    row("squeeze", {kNone}, "x.squeeze()");
    row("squeeze", {Index{0}}, "x.squeeze(0)");
    row("split", {Index{2}, Index{0}}, "x.split(2)");
    row("split", {Dims{1, 2}, Index{1}}, "x.split((1, 2), 1)");
    row("chunk", {Index{3}, Index{1}}, "x.chunk(3, 1)");
    row("contiguous", {}, "x.contiguous()");
}

void TestOpTable::code() {
    QFETCH(QByteArray, op);
    QFETCH(OpArgs, args);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(toCode("x", op.toStdString(), args)), expected);
    const QByteArray call = expected.mid(expected.at(1) == '[' ? 1 : 2);
    QCOMPARE(QByteArray::fromStdString(toCode(op.toStdString(), args)), call);
}

void TestOpTable::legalRanges_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<int>("param");
    QTest::addColumn<OpArgs>("args");
    QTest::addColumn<Index>("lowest");
    QTest::addColumn<Index>("highest");
    const auto row = [](const char* name, const char* op, int param, const OpArgs& args, Index lowest, Index highest) {
        QTest::newRow(name) << QByteArray(op) << param << args << lowest << highest;
    };
    constexpr Index kMax = std::numeric_limits<Index>::max();
    row("narrow dim", "narrow", 0, {}, -3, 2);
    row("narrow start", "narrow", 1, {Index{1}}, 0, 3);
    row("narrow length", "narrow", 2, {Index{1}, Index{1}}, 0, 2);
    row("narrow length from -1", "narrow", 2, {Index{1}, Index{-1}}, 0, 1);
    row("narrow length after a wrong start", "narrow", 2, {Index{1}, Index{9}}, 0, -1);
    row("narrow start of a wrong dim", "narrow", 1, {Index{9}}, 0, -1);
    row("select index", "select", 1, {Index{2}}, -4, 3);
    row("slice step", "slice", 3, {Index{0}}, 1, kMax);
    row("unfold size", "unfold", 1, {Index{2}}, 0, 4);
    row("unfold step", "unfold", 2, {Index{2}, Index{2}}, 1, kMax);
    row("unsqueeze", "unsqueeze", 0, {}, -4, 3);
    row("flatten end", "flatten", 1, {Index{1}}, 1, 2);
    row("chunk", "chunk", 0, {}, 1, kMax);
    row("split", "split", 0, {}, 1, kMax);
    row("offset", "as_strided", 2, {Dims{4, 2}, Dims{5, 1}}, 0, 7);
    row("offset of a wrong size", "as_strided", 2, {Dims{4, 2}, Dims{5}}, 0, -1);
}

void TestOpTable::legalRanges() {
    QFETCH(QByteArray, op);
    QFETCH(int, param);
    QFETCH(OpArgs, args);
    QFETCH(Index, lowest);
    QFETCH(Index, highest);
    const auto range = legalRange(op.toStdString(), static_cast<std::size_t>(param), args, kView, kStorage);
    QVERIFY(range.has_value());
    QCOMPARE(range->lowest, lowest);
    QCOMPARE(range->highest, highest);
    QVERIFY(!legalRange("view", 0, {}, kView).has_value());
    QVERIFY(!legalRange("nothing", 0, {}, kView).has_value());
    QVERIFY(!legalRange("t", 0, {}, kView).has_value());
}

void TestOpTable::legalRangesOfLists() {
    const OpArgs args{Dims{4, 2}, Dims{5, 1}, Index{1}};
    const std::vector<LegalRange> size{{0, 4}, {0, 4}}, stride{{0, 5}, {0, 3}};
    QCOMPARE(legalRangesOfList("as_strided", 0, args, 20), size);
    QCOMPARE(legalRangesOfList("as_strided", 1, args, 20), stride);
    // What is not a view says nothing, nor do lists of other operations.
    for (const OpArgs& other : {OpArgs{Dims{4, 2}, Dims{5}, Index{1}}, OpArgs{Dims{4, 2}}, OpArgs{Dims{2}, Dims{-1}}})
        QVERIFY(legalRangesOfList("as_strided", 0, other, 20).empty());
    QVERIFY(legalRangesOfList("view", 0, OpArgs{Dims{4, 5}}, 20).empty());
}

void TestOpTable::legalRangesAreExact() {
    // The last number of a call: in the range means accepted, outside means refused.
    std::mt19937_64 random(6);
    const auto between = [&](Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(random); };
    const std::vector<std::string> names = {"select",    "narrow",  "unfold", "transpose",
                                            "unsqueeze", "squeeze", "unbind"};
    int inside = 0;
    int outside = 0;
    for (int i = 0; i < 20'000; ++i) {
        Dims shape;
        for (Index d = between(0, 3); d > 0; --d) shape.push_back(between(0, 4));
        const View v = *contiguousView(shape);
        const ViewOp& op =
            *findViewOp(names[static_cast<std::size_t>(between(0, static_cast<Index>(names.size()) - 1))]);
        OpArgs args;
        bool possible = true;
        for (std::size_t p = 0; p + 1 < op.params.size(); ++p) {
            const auto range = legalRange(op.name, p, args, v);
            QVERIFY(range.has_value());
            possible = possible && !range->empty();
            if (!possible) break;
            args.push_back(between(range->lowest, std::min<Index>(range->highest, 5)));
        }
        if (!possible) continue;
        const auto range = legalRange(op.name, op.params.size() - 1, args, v);
        QVERIFY(range.has_value());
        const Index value = between(-6, 7);
        args.push_back(value);
        const bool accepted = applyViewOp(op.name, args, v, v.numel()).ok();
        if (accepted != range->contains(value))
            QFAIL(QByteArray::fromStdString(toCode(op.name, args) + " on " + toString(shape)));
        (accepted ? inside : outside) += 1;
    }
    QVERIFY(inside > 2000 && outside > 2000);
}

void TestOpTable::copiesAreTold() {
    const View column{{4, 3}, {1, 4}, 0};
    const OpArgs row = {Dims{12}};
    const auto reshaped = applyViewOp("reshape", row, column, 12);
    QVERIFY(reshaped.ok() && reshaped->copies);
    QVERIFY(reshaped->views.front() == (View{{12}, {1}, 0}));
    const auto contiguous = applyViewOp("contiguous", {}, column, 12);
    QVERIFY(contiguous.ok() && contiguous->copies);
    QVERIFY(contiguous->views.front() == (View{{4, 3}, {3, 1}, 0}));
    const auto clone = applyViewOp("clone", {}, column, 12);
    QVERIFY(clone.ok() && clone->copies);
    QVERIFY(clone->views.front() == column);
    const auto flip = applyViewOp("flip", OpArgs{Dims{1}}, column, 12);
    QVERIFY(flip.ok() && flip->copies);
}

QTEST_GUILESS_MAIN(TestOpTable)
#include "tst_op_table.moc"
