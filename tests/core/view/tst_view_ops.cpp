// Tables of accepted and refused calls. Expected shapes, strides and offsets are those of PyTorch.

#include "core/view/op_table.h"
#include "core/view/view_ops.h"

#include <QTest>

#include <limits>

using namespace stridescope;

namespace {

constexpr Index kMax = std::numeric_limits<Index>::max();
const OpArg kNone = std::monostate{};

View viewOf(const Dims& shape, const Dims& stride, Index offset = 0) {
    return View{shape, stride, offset};
}
View contiguous(const Dims& shape) {
    return contiguousView(shape).valueOrThrow();
}

QByteArray words(const View& v) {
    return QByteArray::fromStdString(toString(v.shape) + " " + toString(v.stride) + " + " + std::to_string(v.offset));
}

/// The storage of all rows: 24 elements, and the operand (2, 3, 4) over all of them unless a row says otherwise.
constexpr Index kStorage = 24;

} // namespace

Q_DECLARE_METATYPE(stridescope::View)
Q_DECLARE_METATYPE(stridescope::OpArgs)

class TestViewOps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void accepted_data();
    void accepted();
    void pieces_data();
    void pieces();
    void refused_data();
    void refused();
    void reshapeCopiesOnlyWhereItMust();
    void viewFailureTellsTheStep_data();
    void viewFailureTellsTheStep();
    void contiguousViewCountsZeroAsOne();
    void makeViewRefusals_data();
    void makeViewRefusals();
    void reachAndBounds();
    void hugeOffsetsAreRefusedNotRead();
    void negativeStridesAreLegalInViews();
    void hugeRepetitionIsAView();
    void sixtyFourDims();
    void predicates_data();
    void predicates();
    void cloneLayoutKeepsTheOrderOfStrides_data();
    void cloneLayoutKeepsTheOrderOfStrides();
    void stepsThatOverflowAreRefused();
    void exceptionsBelongToKinds();
    void tuplesPrintAsInPython();
};

void TestViewOps::accepted_data() {
    QTest::addColumn<View>("operand");
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<OpArgs>("args");
    QTest::addColumn<View>("expected");
    const View x = contiguous({2, 3, 4});
    const View xt = viewOf({3, 2, 4}, {4, 12, 1});
    const View scalar = contiguous({});
    const View empty = contiguous({0, 3});
    const auto row = [](const char* name, const View& operand, const char* op, const OpArgs& args,
                        const View& expected) { QTest::newRow(name) << operand << QByteArray(op) << args << expected; };
    row("select first", x, "select", {Index{0}, Index{1}}, viewOf({3, 4}, {4, 1}, 12));
    row("select negative", x, "select", {Index{-1}, Index{-1}}, viewOf({2, 3}, {12, 4}, 3));
    row("narrow", x, "narrow", {Index{1}, Index{1}, Index{2}}, viewOf({2, 2, 4}, {12, 4, 1}, 4));
    row("narrow negative start", x, "narrow", {Index{0}, Index{-1}, Index{1}}, viewOf({1, 3, 4}, {12, 4, 1}, 12));
    row("narrow to nothing at the end", x, "narrow", {Index{0}, Index{2}, Index{0}}, viewOf({0, 3, 4}, {12, 4, 1}, 24));
    row("narrow empty dim from -1", empty, "narrow", {Index{0}, Index{-1}, Index{0}}, viewOf({0, 3}, {3, 1}, 0));
    row("slice past the end", x, "slice", {Index{0}, Index{5}, Index{10}}, viewOf({0, 3, 4}, {12, 4, 1}, 24));
    row("slice backwards is empty", x, "slice", {Index{0}, Index{1}, Index{0}}, viewOf({0, 3, 4}, {12, 4, 1}, 12));
    row("slice clamps both ends", x, "slice", {Index{0}, Index{-100}, Index{100}, Index{3}},
        viewOf({1, 3, 4}, {36, 4, 1}));
    row("slice steps", x, "slice", {Index{2}, Index{1}, kNone, Index{2}}, viewOf({2, 3, 2}, {12, 4, 2}, 1));
    row("diagonal", x, "diagonal", {}, viewOf({4, 2}, {1, 16}));
    row("diagonal below", x, "diagonal", {Index{-1}}, viewOf({4, 1}, {1, 16}, 12));
    row("diagonal outside", x, "diagonal", {Index{5}}, viewOf({4, 0}, {1, 16}));
    row("diagonal of swapped dims", x, "diagonal", {Index{1}, Index{2}, Index{0}}, viewOf({3, 1}, {4, 13}, 12));
    row("diagonal far below", x, "diagonal", {std::numeric_limits<Index>::min(), Index{1}, Index{2}},
        viewOf({2, 0}, {12, 5}));
    row("unfold", x, "unfold", {Index{2}, Index{2}, Index{1}}, viewOf({2, 3, 3, 2}, {12, 4, 1, 1}));
    row("unfold empty windows", x, "unfold", {Index{2}, Index{0}, Index{1}}, viewOf({2, 3, 5, 0}, {12, 4, 1, 1}));
    row("unfold long step", x, "unfold", {Index{2}, Index{2}, Index{3}}, viewOf({2, 3, 1, 2}, {12, 4, 3, 1}));
    row("unfold scalar", scalar, "unfold", {Index{0}, Index{1}, Index{1}}, viewOf({1}, {1}));
    row("unfold scalar to nothing", scalar, "unfold", {Index{0}, Index{0}, Index{1}}, viewOf({0}, {1}));
    row("t", contiguous({3, 4}), "t", {}, viewOf({4, 3}, {1, 4}));
    row("t of a vector", contiguous({3}), "t", {}, viewOf({3}, {1}));
    row("t of a scalar", scalar, "t", {}, scalar);
    row("transpose", x, "transpose", {Index{0}, Index{-1}}, viewOf({4, 3, 2}, {1, 4, 12}));
    row("transpose scalar", scalar, "transpose", {Index{0}, Index{-1}}, scalar);
    row("swapaxes", x, "swapaxes", {Index{0}, Index{1}}, xt);
    row("permute", x, "permute", {Dims{2, 0, 1}}, viewOf({4, 2, 3}, {1, 12, 4}));
    row("movedim one", x, "movedim", {Dims{0}, Dims{2}}, viewOf({3, 4, 2}, {4, 1, 12}));
    row("movedim two", x, "movedim", {Dims{0, 1}, Dims{-1, 0}}, viewOf({3, 4, 2}, {4, 1, 12}));
    row("movedim none", x, "movedim", {Dims{}, Dims{}}, x);
    row("movedim scalar", scalar, "movedim", {Dims{0}, Dims{0}}, scalar);
    row("unsqueeze front", x, "unsqueeze", {Index{-4}}, viewOf({1, 2, 3, 4}, {24, 12, 4, 1}));
    row("unsqueeze back", x, "unsqueeze", {Index{3}}, viewOf({2, 3, 4, 1}, {12, 4, 1, 1}));
    row("unsqueeze between", x, "unsqueeze", {Index{1}}, viewOf({2, 1, 3, 4}, {12, 12, 4, 1}));
    row("unsqueeze scalar", scalar, "unsqueeze", {Index{-1}}, viewOf({1}, {1}));
    row("squeeze all", viewOf({1, 3, 1}, {7, 2, 9}, 1), "squeeze", {}, viewOf({3}, {2}, 1));
    row("squeeze one", viewOf({1, 3, 1}, {7, 2, 9}), "squeeze", {Index{-1}}, viewOf({1, 3}, {7, 2}));
    row("squeeze a longer dim", x, "squeeze", {Index{0}}, x);
    row("squeeze scalar", scalar, "squeeze", {Index{0}}, scalar);
    row("view infers", x, "view", {Dims{4, -1}}, viewOf({4, 6}, {6, 1}));
    row("view splits a column", viewOf({4, 3}, {1, 4}), "view", {Dims{2, 2, 3}}, viewOf({2, 2, 3}, {2, 1, 4}));
    row("view puts in 1", viewOf({4, 3}, {1, 4}), "view", {Dims{4, 1, 3}}, viewOf({4, 1, 3}, {1, 12, 4}));
    row("view puts 1 in front", viewOf({4, 3}, {1, 4}), "view", {Dims{1, 4, 3}}, viewOf({1, 4, 3}, {4, 1, 4}));
    row("view of a scalar", scalar, "view", {Dims{1, 1}}, viewOf({1, 1}, {1, 1}));
    row("view to a scalar", contiguous({1, 1}), "view", {Dims{}}, scalar);
    row("view ignores strides of size 1", viewOf({3, 1}, {5, 77}), "view", {Dims{3}}, viewOf({3}, {5}));
    row("view of nothing, same shape", viewOf({0, 3}, {9, 5}, 2), "view", {Dims{0, 3}}, viewOf({0, 3}, {9, 5}, 2));
    row("view of nothing, other shape", empty, "view", {Dims{3, 0}}, viewOf({3, 0}, {1, 1}));
    row("view of nothing infers", empty, "view", {Dims{-1, 5}}, viewOf({0, 5}, {5, 1}));
    row("flatten all", x, "flatten", {}, viewOf({24}, {1}));
    row("flatten some", x, "flatten", {Index{0}, Index{1}}, viewOf({6, 4}, {4, 1}));
    row("flatten one dim", xt, "flatten", {Index{1}, Index{1}}, xt);
    row("flatten a scalar", scalar, "flatten", {}, viewOf({1}, {1}));
    row("unflatten", x, "unflatten", {Index{-1}, Dims{2, -1}}, viewOf({2, 3, 2, 2}, {12, 4, 2, 1}));
    row("unflatten transposed", xt, "unflatten", {Index{1}, Dims{2, 1}}, viewOf({3, 2, 1, 4}, {4, 12, 4, 1}));
    row("expand in front", x, "expand", {Dims{5, 2, 3, 4}}, viewOf({5, 2, 3, 4}, {0, 12, 4, 1}));
    row("expand size 1", viewOf({1, 3}, {3, 1}), "expand", {Dims{7, 3}}, viewOf({7, 3}, {0, 1}));
    row("expand keeps by -1", x, "expand", {Dims{2, -1, 4}}, x);
    row("expand by a new 1", viewOf({3}, {2}), "expand", {Dims{1, 3}}, viewOf({1, 3}, {6, 2}));
    row("expand a scalar", scalar, "expand", {Dims{3}}, viewOf({3}, {0}));
    row("expand a scalar to 1", scalar, "expand", {Dims{1}}, viewOf({1}, {0}));
    row("expand to nothing", viewOf({1, 3}, {3, 1}), "expand", {Dims{0, 3}}, viewOf({0, 3}, {0, 1}));
    row("as_strided", x, "as_strided", {Dims{4, 2}, Dims{5, 1}, Index{1}}, viewOf({4, 2}, {5, 1}, 1));
    row("as_strided keeps the offset", viewOf({3, 4}, {4, 1}, 12), "as_strided", {Dims{2}, Dims{1}},
        viewOf({2}, {1}, 12));
    row("as_strided to the last element", x, "as_strided", {Dims{24}, Dims{1}}, viewOf({24}, {1}));
    row("as_strided of nothing reaches nothing", x, "as_strided", {Dims{0}, Dims{1}, Index{100}},
        viewOf({0}, {1}, 100));
    row("as_strided scalar", x, "as_strided", {Dims{}, Dims{}, Index{23}}, viewOf({}, {}, 23));
    row("contiguous keeps", x, "contiguous", {}, x);
}

void TestViewOps::accepted() {
    QFETCH(View, operand);
    QFETCH(QByteArray, op);
    QFETCH(OpArgs, args);
    QFETCH(View, expected);
    const auto result = applyViewOp(op.toStdString(), args, operand, kStorage);
    QVERIFY2(result.ok(), result.ok() ? "" : result.refusal().message.c_str());
    QCOMPARE(result->views.size(), std::size_t{1});
    QVERIFY(!result->copies);
    QCOMPARE(words(result->views.front()), words(expected));
}

void TestViewOps::pieces_data() {
    QTest::addColumn<View>("operand");
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<OpArgs>("args");
    QTest::addColumn<QByteArrayList>("expected");
    const View x = contiguous({2, 3, 4});
    const View empty = contiguous({0, 3});
    const auto row = [](const char* name, const View& operand, const char* op, const OpArgs& args,
                        const QList<View>& expected) {
        QByteArrayList texts;
        for (const View& v : expected) texts.append(words(v));
        QTest::newRow(name) << operand << QByteArray(op) << args << texts;
    };
    const Dims s = {12, 4, 1};
    row("split", x, "split", {Index{2}, Index{1}}, {viewOf({2, 2, 4}, s), viewOf({2, 1, 4}, s, 8)});
    row("split longer than the dim", x, "split", {Index{9}}, {x});
    row("split nothing by 0", empty, "split", {Index{0}}, {empty});
    row("split nothing by 2", empty, "split", {Index{2}}, {empty});
    row("split by sizes", x, "split", {Dims{1, 0, 2}, Index{1}},
        {viewOf({2, 1, 4}, s), viewOf({2, 0, 4}, s, 4), viewOf({2, 2, 4}, s, 4)});
    row("split nothing by no sizes", empty, "split", {Dims{}, Index{0}}, {});
    row("chunk", x, "chunk", {Index{2}, Index{1}}, {viewOf({2, 2, 4}, s), viewOf({2, 1, 4}, s, 8)});
    row("chunk gives fewer", x, "chunk", {Index{3}, Index{2}}, {viewOf({2, 3, 2}, s), viewOf({2, 3, 2}, s, 2)});
    row("chunk nothing gives all", empty, "chunk", {Index{3}}, {empty, empty, empty});
    row("unbind", x, "unbind", {Index{1}},
        {viewOf({2, 4}, {12, 1}), viewOf({2, 4}, {12, 1}, 4), viewOf({2, 4}, {12, 1}, 8)});
    row("unbind nothing", empty, "unbind", {}, {});
    row("unbind beside nothing", empty, "unbind", {Index{1}},
        {viewOf({0}, {3}), viewOf({0}, {3}, 1), viewOf({0}, {3}, 2)});
}

void TestViewOps::pieces() {
    QFETCH(View, operand);
    QFETCH(QByteArray, op);
    QFETCH(OpArgs, args);
    QFETCH(QByteArrayList, expected);
    const auto result = applyViewOp(op.toStdString(), args, operand, kStorage);
    QVERIFY2(result.ok(), result.ok() ? "" : result.refusal().message.c_str());
    QByteArrayList actual;
    for (const View& v : result->views) actual.append(words(v));
    QCOMPARE(actual, expected);
    QVERIFY(findViewOp(op.toStdString())->manyResults);
}

void TestViewOps::refused_data() {
    QTest::addColumn<View>("operand");
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<OpArgs>("args");
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("contains");
    const View x = contiguous({2, 3, 4});
    const View scalar = contiguous({});
    const View empty = contiguous({0, 3});
    const auto row = [](const char* name, const View& operand, const char* op, const OpArgs& args, const char* id,
                        ErrorKind kind, const char* contains) {
        QTest::newRow(name) << operand << QByteArray(op) << args << QByteArray(id) << static_cast<int>(kind)
                            << QByteArray(contains);
    };
    constexpr auto kRuntime = ErrorKind::Runtime;
    constexpr auto kIndex = ErrorKind::Index;
    row("select dim", x, "select", {Index{3}, Index{0}}, "VIEW-01", kIndex,
        "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
    row("select index", x, "select", {Index{0}, Index{2}}, "VIEW-03", kIndex,
        "select(): index 2 out of range for tensor of size [2, 3, 4] at dimension 0");
    row("select index below", x, "select", {Index{0}, Index{-3}}, "VIEW-03", kIndex, "index -3 out of range");
    row("select lowest", x, "select", {Index{0}, std::numeric_limits<Index>::min()}, "VIEW-03", kIndex, "index -9");
    row("select from nothing", empty, "select", {Index{0}, Index{0}}, "VIEW-03", kIndex, "size [0, 3]");
    row("select scalar", scalar, "select", {Index{0}, Index{0}}, "VIEW-02", kIndex,
        "select() cannot be applied to a 0-dim tensor.");
    row("narrow length", x, "narrow", {Index{0}, Index{1}, Index{2}}, "VIEW-04", kRuntime,
        "start (1) + length (2) exceeds dimension size (2).");
    row("narrow huge length", x, "narrow", {Index{0}, Index{1}, kMax}, "VIEW-04", kRuntime,
        "exceeds dimension size (2)");
    row("narrow negative length", x, "narrow", {Index{0}, Index{0}, Index{-1}}, "VIEW-04", kRuntime, "length -1");
    row("narrow start", x, "narrow", {Index{0}, Index{3}, Index{0}}, "VIEW-04", kIndex, "start 3 out of range");
    row("narrow scalar", scalar, "narrow", {Index{0}, Index{0}, Index{0}}, "VIEW-02", kRuntime, "narrow() cannot");
    row("slice step 0", x, "slice", {Index{0}, kNone, kNone, Index{0}}, "VIEW-05", ErrorKind::Value,
        "slice step cannot be zero");
    row("slice backwards", x, "slice", {Index{0}, kNone, kNone, Index{-1}}, "VIEW-05", ErrorKind::Value,
        "step must be greater than zero");
    row("slice scalar", scalar, "slice", {}, "VIEW-02", kIndex, "slice() cannot be applied to a 0-dim tensor.");
    row("diagonal same dims", x, "diagonal", {Index{0}, Index{0}, Index{-3}}, "VIEW-06", kRuntime,
        "diagonal dimensions cannot be identical 0, -3");
    row("diagonal of a vector", contiguous({3}), "diagonal", {}, "VIEW-01", kIndex, "[-1, 0], but got 1");
    row("unfold size", x, "unfold", {Index{0}, Index{3}, Index{1}}, "VIEW-07", kRuntime,
        "maximum size for tensor at dimension 0 is 2 but size is 3");
    row("unfold negative size", x, "unfold", {Index{0}, Index{-1}, Index{1}}, "VIEW-07", kRuntime, "size is -1");
    row("unfold step", x, "unfold", {Index{0}, Index{2}, Index{0}}, "VIEW-07", kRuntime, "step is 0 but must be > 0");
    row("t of three dims", x, "t", {}, "VIEW-08", kRuntime,
        "t() expects a tensor with <= 2 dimensions, but self is 3D");
    row("transpose dim", x, "transpose", {Index{0}, Index{3}}, "VIEW-01", kIndex, "but got 3");
    row("permute count", x, "permute", {Dims{0, 1}}, "VIEW-09", kRuntime,
        "input.dim() = 3 is not equal to len(dims) = 2");
    row("permute twice", x, "permute", {Dims{0, 1, -2}}, "VIEW-10", kRuntime, "duplicate dims are not allowed");
    row("permute range", x, "permute", {Dims{0, 1, 3}}, "VIEW-01", kIndex, "but got 3");
    row("movedim counts", x, "movedim", {Dims{0, 1}, Dims{2}}, "VIEW-11", kRuntime, "source ([0, 1] dims)");
    row("movedim source twice", x, "movedim", {Dims{0, 0}, Dims{1, 2}}, "VIEW-10", kRuntime,
        "movedim: repeated dim in `source` ([0, 0])");
    row("movedim destination twice", x, "movedim", {Dims{0, 1}, Dims{2, 2}}, "VIEW-10", kRuntime,
        "movedim: repeated dim in `destination` ([2, 2])");
    row("unsqueeze dim", x, "unsqueeze", {Index{4}}, "VIEW-01", kIndex, "[-4, 3], but got 4");
    row("squeeze dim", x, "squeeze", {Index{5}}, "VIEW-01", kIndex, "but got 5");
    row("view size", x, "view", {Dims{5}}, "VIEW-14", kRuntime, "shape '[5]' is invalid for input of size 24");
    row("view cannot infer", x, "view", {Dims{-1, 5}}, "VIEW-14", kRuntime, "shape '[-1, 5]' is invalid");
    row("view infers beside 0", x, "view", {Dims{-1, 0}}, "VIEW-14", kRuntime, "shape '[-1, 0]' is invalid");
    row("view two unknown", x, "view", {Dims{-1, -1}}, "VIEW-13", kRuntime, "only one dimension can be inferred");
    row("view negative", x, "view", {Dims{-2, 3}}, "VIEW-12", kRuntime, "invalid shape dimension -2");
    row("view ambiguous", empty, "view", {Dims{0, -1}}, "VIEW-15", kRuntime,
        "cannot reshape tensor of 0 elements into shape [0, -1]");
    row("view beyond 64 bits", x, "view", {Dims{Index{1} << 32, Index{1} << 32}}, "VIEW-26", kRuntime,
        "18446744073709551616 elements, more than 2^63 - 1");
    row("view merges what cannot", viewOf({4, 3}, {1, 4}), "view", {Dims{12}}, "VIEW-16", kRuntime,
        "view size is not compatible with input tensor's size and stride");
    row("flatten order", x, "flatten", {Index{2}, Index{1}}, "VIEW-17", kRuntime,
        "start_dim cannot come after end_dim");
    row("flatten dim of a scalar", scalar, "flatten", {Index{0}, Index{1}}, "VIEW-01", kIndex, "[-1, 0], but got 1");
    row("unflatten nothing", x, "unflatten", {Index{2}, Dims{}}, "VIEW-18", kRuntime, "sizes must be non-empty");
    row("unflatten product", x, "unflatten", {Index{2}, Dims{2, 3}}, "VIEW-18", kRuntime,
        "Provided sizes [2, 3] don't multiply up to the size of dim 2 (4)");
    row("unflatten scalar", scalar, "unflatten", {Index{0}, Dims{1}}, "VIEW-02", kIndex, "tensor has no dimensions");
    row("expand too few", x, "expand", {Dims{2, 3}}, "VIEW-19", kRuntime, "number of sizes provided (2)");
    row("expand size", x, "expand", {Dims{2, 3, 5}}, "VIEW-20", kRuntime,
        "The expanded size of the tensor (5) must match the existing size (4) at non-singleton dimension 2.");
    row("expand new -1", x, "expand", {Dims{-1, 2, 3, 4}}, "VIEW-21", kRuntime, "non-existing dimension 0");
    row("expand scalar by -1", scalar, "expand", {Dims{-1}}, "VIEW-21", kRuntime, "non-existing dimension 0");
    row("expand negative", viewOf({1}, {1}), "expand", {Dims{-2}}, "VIEW-12", kRuntime, "-2");
    row("expand beyond 64 bits", viewOf({1, 1}, {1, 1}), "expand", {Dims{Index{1} << 40, Index{1} << 40}}, "VIEW-26",
        kRuntime, "more than 2^63 - 1");
    row("as_strided ranks", x, "as_strided", {Dims{2, 3}, Dims{1}}, "VIEW-22", kRuntime, "2 sizes but 1 stride");
    row("as_strided no stride", x, "as_strided", {Dims{1}, Dims{}}, "VIEW-22", kRuntime, "1 size but 0 strides");
    row("as_strided negative stride", x, "as_strided", {Dims{2, 3}, Dims{1, -1}}, "VIEW-23", kRuntime,
        "Negative strides are not supported at the moment, got strides: [1, -1]");
    row("as_strided negative size", x, "as_strided", {Dims{-1}, Dims{1}}, "VIEW-12", kRuntime, "size of dim 0 is -1");
    row("as_strided negative offset", x, "as_strided", {Dims{1}, Dims{1}, Index{-1}}, "VIEW-24", kRuntime,
        "invalid storage offset -1");
    row("as_strided one past", x, "as_strided", {Dims{24}, Dims{1}, Index{1}}, "VIEW-25", kRuntime,
        "needs 25 elements, storage has 24");
    row("as_strided scalar outside", x, "as_strided", {Dims{}, Dims{}, Index{24}}, "VIEW-25", kRuntime, "needs 25");
    row("flip", x, "flip", {Dims{5}}, "VIEW-01", kIndex, "but got 5");
    row("flip twice", x, "flip", {Dims{0, 0}}, "VIEW-10", kRuntime, "[0, 0]");
    row("split by 0", x, "split", {Index{0}, Index{1}}, "VIEW-30", kRuntime,
        "split_size can only be 0 if dimension size is 0, but got dimension size of 3");
    row("split by less", x, "split", {Index{-1}, Index{1}}, "VIEW-30", kRuntime, "but got split_size=-1");
    row("split sum", x, "split", {Dims{1, 1}, Index{1}}, "VIEW-31", kRuntime,
        "split_sizes to sum exactly to 3 (input tensor's size at dimension 1), but got split_sizes=[1, 1]");
    row("split negative size", x, "split", {Dims{-1, 4}, Index{1}}, "VIEW-31", kRuntime, "only non-negative entries");
    row("split scalar", scalar, "split", {Index{1}}, "VIEW-02", kRuntime, "split expects at least a 1-dimensional");
    row("split repeated cells", viewOf({kMax}, {0}), "split", {Index{1}}, "VIEW-33", ErrorKind::Memory,
        "views would be made");
    row("chunk none", x, "chunk", {Index{0}}, "VIEW-32", kRuntime, "greater than 0, got: 0");
    row("chunk nothing endlessly", empty, "chunk", {kMax}, "VIEW-33", ErrorKind::Memory, "views would be made");
    row("chunk scalar", scalar, "chunk", {Index{1}}, "VIEW-02", kRuntime, "chunk expects at least a 1-dimensional");
    row("unbind scalar", scalar, "unbind", {}, "VIEW-02", kIndex, "tensor has no dimensions");
    row("unbind repeated cells", viewOf({kMax}, {0}), "unbind", {}, "VIEW-33", ErrorKind::Memory,
        "views would be made");
}

void TestViewOps::refused() {
    QFETCH(View, operand);
    QFETCH(QByteArray, op);
    QFETCH(OpArgs, args);
    QFETCH(QByteArray, id);
    QFETCH(int, kind);
    QFETCH(QByteArray, contains);
    const View before = operand;
    const auto result = applyViewOp(op.toStdString(), args, operand, kStorage);
    QVERIFY(!result.ok());
    const Refusal& why = result.refusal();
    QCOMPARE(QByteArray::fromStdString(why.id), id);
    QCOMPARE(static_cast<int>(why.kind), kind);
    const QByteArray message = QByteArray::fromStdString(why.message);
    QVERIFY2(message.contains(contains), message.constData());
    QVERIFY2(message.split('\n').first().size() <= 140, message.constData());
    QVERIFY2(!why.hint.empty(), "every refusal says what to do");
    QVERIFY(operand == before);
}

void TestViewOps::reshapeCopiesOnlyWhereItMust() {
    const View y = viewOf({4, 3}, {1, 4}, 2);
    const auto kept = reshape(y, Dims{2, 2, -1});
    QVERIFY(kept.ok());
    QVERIFY(kept->isView);
    QCOMPARE(words(kept->view), words(viewOf({2, 2, 3}, {2, 1, 4}, 2)));
    const auto copied = reshape(y, Dims{2, 6});
    QVERIFY(copied.ok());
    QVERIFY(!copied->isView);
    QCOMPARE(words(copied->view), words(viewOf({2, 6}, {6, 1})));
    const auto flat = flatten(viewOf({3, 2, 4}, {4, 12, 1}, 5), 1);
    QVERIFY(flat.ok());
    QVERIFY(!flat->isView);
    QCOMPARE(words(flat->view), words(viewOf({3, 8}, {8, 1})));
}

void TestViewOps::viewFailureTellsTheStep_data() {
    QTest::addColumn<View>("operand");
    QTest::addColumn<QList<Index>>("shape");
    QTest::addColumn<QList<Index>>("expected"); // dim, stride, wantedStride, position, stepSoFar, stepNeeded
    const View y = viewOf({4, 3}, {1, 4});
    QTest::newRow("a column as one row") << y << QList<Index>{12} << QList<Index>{0, 1, 12, 3, 4, -7};
    QTest::newRow("in pairs") << y << QList<Index>{6, 2} << QList<Index>{0, 1, 12, 3, 4, -7};
    QTest::newRow("longer rows") << y << QList<Index>{2, 6} << QList<Index>{0, 1, 12, 3, 4, -7};
    QTest::newRow("narrowed rows") << viewOf({3, 2}, {4, 1}) << QList<Index>{6} << QList<Index>{0, 4, 2, 2, 1, 3};
    QTest::newRow("inner dim fits") << viewOf({3, 2, 4}, {4, 12, 1}) << QList<Index>{6, 4}
                                    << QList<Index>{0, 4, 24, 8, 9, -11};
    QTest::newRow("repeated cells") << viewOf({3, 4}, {1, 0}) << QList<Index>{12} << QList<Index>{0, 1, 0, 4, 0, 1};
    QTest::newRow("across a size 1") << viewOf({3, 1, 4}, {1, 77, 3}) << QList<Index>{12}
                                     << QList<Index>{0, 1, 12, 4, 3, -8};
}

void TestViewOps::viewFailureTellsTheStep() {
    QFETCH(View, operand);
    QFETCH(QList<Index>, shape);
    QFETCH(QList<Index>, expected);
    const auto result =
        viewAs(operand, std::span<const Index>(shape.constData(), static_cast<std::size_t>(shape.size())));
    QVERIFY(!result.ok());
    const auto* why = std::get_if<ViewMergeFailure>(&result.refusal().detail);
    QVERIFY(why != nullptr);
    const QList<Index> actual = {why->dim,      why->stride,    why->wantedStride,
                                 why->position, why->stepSoFar, why->stepNeeded};
    QCOMPARE(actual, expected);
}

void TestViewOps::contiguousViewCountsZeroAsOne() {
    QCOMPARE(words(contiguous({2, 3, 4})), words(viewOf({2, 3, 4}, {12, 4, 1})));
    QCOMPARE(words(contiguous({0, 3})), words(viewOf({0, 3}, {3, 1})));
    QCOMPARE(words(contiguous({2, 0, 4})), words(viewOf({2, 0, 4}, {4, 4, 1})));
    QCOMPARE(words(contiguous({})), words(viewOf({}, {})));
}

void TestViewOps::makeViewRefusals_data() {
    QTest::addColumn<QList<Index>>("shape");
    QTest::addColumn<QList<Index>>("stride");
    QTest::addColumn<Index>("offset");
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QByteArray>("contains");
    const auto row = [](const char* name, const QList<Index>& shape, const QList<Index>& stride, Index offset,
                        const char* id, const char* contains) {
        QTest::newRow(name) << shape << stride << offset << QByteArray(id) << QByteArray(contains);
    };
    row("negative size", {-5}, {1}, 0, "VIEW-12", "size of dim 0 is -5; sizes are 0 or more");
    row("ranks", {2, 3}, {1}, 0, "VIEW-22", "2 sizes but 1 stride");
    row("offset", {1}, {1}, -1, "VIEW-24", "-1");
    row("2^62 x 4", {Index{1} << 62, 4}, {0, 0}, 0, "VIEW-26", "18446744073709551616 elements");
    row("2^32 x 2^32", {Index{1} << 32, Index{1} << 32}, {0, 0}, 0, "VIEW-26", "18446744073709551616 elements");
    row("overflow beside 0", {0, Index{1} << 32, Index{1} << 32}, {0, 0, 0}, 0, "VIEW-26", "more than 2^63 - 1");
    row("far stride", {Index{1} << 62}, {Index{1} << 62}, 0, "VIEW-27", "beyond 64-bit addresses");
    row("far offset", {2}, {1}, kMax, "VIEW-27", "beyond 64-bit addresses");
    row("far below", {3}, {std::numeric_limits<Index>::min()}, 0, "VIEW-27", "beyond 64-bit addresses");
    row("65 dims", QList<Index>(65, 1), QList<Index>(65, 1), 0, "VIEW-28", "65 dims; limit 64");
    row("1000 dims", QList<Index>(1000, 1), QList<Index>(1000, 1), 0, "VIEW-28", "1000 dims; limit 64");
}

void TestViewOps::makeViewRefusals() {
    QFETCH(QList<Index>, shape);
    QFETCH(QList<Index>, stride);
    QFETCH(Index, offset);
    QFETCH(QByteArray, id);
    QFETCH(QByteArray, contains);
    const auto result =
        makeView(std::span<const Index>(shape.constData(), static_cast<std::size_t>(shape.size())),
                 std::span<const Index>(stride.constData(), static_cast<std::size_t>(stride.size())), offset);
    QVERIFY(!result.ok());
    QCOMPARE(QByteArray::fromStdString(result.refusal().id), id);
    const QByteArray message = QByteArray::fromStdString(result.refusal().message);
    QVERIFY2(message.contains(contains), message.constData());
    QVERIFY2(message.split('\n').first().size() <= 140, message.constData());
}

void TestViewOps::reachAndBounds() {
    const View v = viewOf({4, 2}, {5, 1}, 1);
    QVERIFY(*reach(v) == (Reach{1, 17}));
    QVERIFY(reach(viewOf({4, 0}, {5, 1}, 1))->empty());
    QVERIFY(*reach(viewOf({}, {}, 7)) == (Reach{7, 7}));
    QVERIFY(checkInBounds(v, 18).ok());
    const auto refused = checkInBounds(v, 17);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.refusal().id, std::string("VIEW-25"));
    const auto* why = std::get_if<StorageOutOfBounds>(&refused.refusal().detail);
    QVERIFY(why != nullptr);
    QCOMPARE(why->lowest, Index{1});
    QCOMPARE(why->highest, Index{17});
    QCOMPARE(why->needed, Index{18});
    QCOMPARE(why->has, Index{17});
    QVERIFY(checkInBounds(viewOf({0}, {1}, 100), 0).ok());
}

void TestViewOps::hugeOffsetsAreRefusedNotRead() {
    const View v = contiguous({10});
    for (const Index offset : {Index{8170450533120000000}, kMax - 9999, kMax}) {
        const auto result = asStrided(v, Dims{5}, Dims{2}, offset, 10);
        QVERIFY(!result.ok());
        const std::string& id = result.refusal().id;
        QVERIFY(id == "VIEW-25" || id == "VIEW-27");
    }
    const auto result = asStrided(v, Dims{4096}, Dims{0}, kMax, 10);
    QVERIFY(!result.ok());
    QCOMPARE(result.refusal().id, std::string("VIEW-25"));
    QVERIFY(result.refusal().message.find("needs 9223372036854775808 elements, storage has 10") != std::string::npos);
}

void TestViewOps::negativeStridesAreLegalInViews() {
    const auto made = makeView(Dims{4}, Dims{-1}, 3);
    QVERIFY(made.ok());
    QVERIFY(*reach(*made) == (Reach{0, 3}));
    QVERIFY(checkInBounds(*made, 4).ok());
    const auto before = makeView(Dims{4}, Dims{-1}, 2);
    QVERIFY(before.ok());
    const auto refused = checkInBounds(*before, 4);
    QVERIFY(!refused.ok());
    QVERIFY(refused.refusal().message.find("slot -1") != std::string::npos);
    QVERIFY(refused.refusal().hint.find("at least 3") != std::string::npos);
    QCOMPARE(words(*narrow(*made, 0, 1, 2)), words(viewOf({2}, {-1}, 2)));
    QCOMPARE(words(*viewAs(*made, Dims{2, 2})), words(viewOf({2, 2}, {-2, -1}, 3)));
    QVERIFY(!made->isContiguous());
    QVERIFY(made->isDense());
    const auto flipped = flip(contiguous({4}), Dims{0});
    QVERIFY(!flipped.ok());
    QCOMPARE(flipped.refusal().id, std::string("VIEW-29"));
}

void TestViewOps::hugeRepetitionIsAView() {
    const auto v = expand(contiguous({1, 3}), Dims{1'000'000'000'000'000, 3});
    QVERIFY(v.ok());
    QCOMPARE(v->numel(), Index{3'000'000'000'000'000});
    QVERIFY(*reach(*v) == (Reach{0, 2}));
    QVERIFY(checkInBounds(*v, 3).ok());
}

void TestViewOps::sixtyFourDims() {
    const View v = contiguous(Dims(64, 1));
    QCOMPARE(v.dim(), kMaxDims);
    QVERIFY(v.isDense());
    QVERIFY(v.isContiguous());
    QCOMPARE(unsqueeze(v, 0).refusal().id, std::string("VIEW-28"));
    QCOMPARE(unfold(v, 0, 1, 1).refusal().id, std::string("VIEW-28"));
    QCOMPARE(expand(v, Dims(65, 1)).refusal().id, std::string("VIEW-28"));
    QCOMPARE(viewAs(v, Dims(65, 1)).refusal().id, std::string("VIEW-28"));
    QCOMPARE(unflatten(v, 0, Dims{1, 1}).refusal().id, std::string("VIEW-28"));
    QCOMPARE(squeeze(v)->dim(), Index{0});
    const auto refused = viewAs(v, Dims(64, 2));
    QVERIFY(refused.refusal().message.size() <= 140);
}

void TestViewOps::predicates_data() {
    QTest::addColumn<View>("v");
    QTest::addColumn<bool>("isContiguous");
    QTest::addColumn<bool>("isDense");
    QTest::newRow("row-major") << viewOf({2, 3}, {3, 1}) << true << true;
    QTest::newRow("transposed") << viewOf({3, 2}, {1, 3}) << false << true;
    QTest::newRow("size 1 with any stride") << viewOf({2, 1, 3}, {3, 99, 1}, 5) << true << true;
    QTest::newRow("gap") << viewOf({2, 3}, {4, 1}) << false << false;
    QTest::newRow("step") << viewOf({3}, {2}) << false << false;
    QTest::newRow("repeated") << viewOf({3, 2}, {0, 1}) << false << false;
    QTest::newRow("overlap") << viewOf({2, 2}, {1, 1}) << false << false;
    QTest::newRow("empty") << viewOf({0, 3}, {7, 5}) << true << true;
    QTest::newRow("scalar") << viewOf({}, {}, 3) << true << true;
    QTest::newRow("backwards") << viewOf({2, 3}, {3, -1}, 2) << false << true;
}

void TestViewOps::predicates() {
    QFETCH(View, v);
    QFETCH(bool, isContiguous);
    QFETCH(bool, isDense);
    QCOMPARE(v.isContiguous(), isContiguous);
    QCOMPARE(v.isDense(), isDense);
}

void TestViewOps::cloneLayoutKeepsTheOrderOfStrides_data() {
    QTest::addColumn<View>("v");
    QTest::addColumn<QByteArray>("strides");
    QTest::newRow("dense stays") << viewOf({4, 3, 2}, {1, 4, 12}, 3) << QByteArray("(1, 4, 12)");
    QTest::newRow("gap closes") << viewOf({2, 2, 4}, {12, 8, 1}) << QByteArray("(8, 4, 1)");
    QTest::newRow("repeats are written out") << viewOf({5, 2, 3, 4}, {0, 12, 4, 1}) << QByteArray("(24, 12, 4, 1)");
    QTest::newRow("diagonal") << viewOf({4, 2}, {1, 16}) << QByteArray("(1, 4)");
    QTest::newRow("size 1 outside") << viewOf({1, 2, 3}, {1, 12, 4}) << QByteArray("(1, 3, 1)");
    QTest::newRow("size 1 between") << viewOf({1, 2, 1}, {5, 7, 9}) << QByteArray("(1, 1, 2)");
    QTest::newRow("backwards turns round") << viewOf({2, 3}, {-3, 1}, 3) << QByteArray("(3, 1)");
}

void TestViewOps::cloneLayoutKeepsTheOrderOfStrides() {
    QFETCH(View, v);
    QFETCH(QByteArray, strides);
    const auto layout = cloneLayout(v);
    QVERIFY(layout.ok());
    QCOMPARE(QByteArray::fromStdString(toString(layout->stride)), strides);
    QCOMPARE(layout->offset, Index{0});
    QVERIFY(layout->shape == v.shape);
}

void TestViewOps::stepsThatOverflowAreRefused() {
    const View v = contiguous({2, 3});
    QCOMPARE(slice(v, 0, std::nullopt, std::nullopt, kMax).refusal().id, std::string("VIEW-27"));
    QCOMPARE(unfold(v, 0, 1, kMax).refusal().id, std::string("VIEW-27"));
    const View far = viewOf({0, 2}, {kMax, kMax});
    QCOMPARE(diagonal(far).refusal().id, std::string("VIEW-27"));
    QCOMPARE(unsqueeze(far, 1).refusal().id, std::string("VIEW-27"));
    QCOMPARE(select(viewOf({3, 0}, {kMax, 1}), 0, 2).refusal().id, std::string("VIEW-27"));
    QCOMPARE(narrow(viewOf({3, 0}, {kMax, 1}), 0, 2, 1).refusal().id, std::string("VIEW-27"));
}

void TestViewOps::exceptionsBelongToKinds() {
    const View v = contiguous({2, 3});
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(select(v, 5, 0).valueOrThrow()), IndexError);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(viewAs(v, Dims{5}).valueOrThrow()), ShapeError);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(slice(v, 0, {}, {}, 0).valueOrThrow()), ValueError);
    QCOMPARE(select(v, 0, 1).valueOrThrow().offset, Index{3});
}

void TestViewOps::tuplesPrintAsInPython() {
    QCOMPARE(toString(Dims{}), std::string("()"));
    QCOMPARE(toString(Dims{2}), std::string("(2,)"));
    QCOMPARE(toString(Dims{2, -3}), std::string("(2, -3)"));
    QCOMPARE(toListString(Dims{2}), std::string("[2]"));
    QCOMPARE(toListString(Dims{}), std::string("[]"));
}

QTEST_GUILESS_MAIN(TestViewOps)
#include "tst_view_ops.moc"
