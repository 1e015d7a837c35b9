// What can be timed by name: all of the operation table that has operands for one size, on every dtype and layout.

#include "core/ops/creation.h"
#include "core/ops/operation_table.h"
#include "core/timing/timed_case.h"
#include "core/timing/timed_operation.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <set>

using namespace stridescope;
using namespace stridescope::timing;

class TestTimedOperations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOperationIsTimedOrTellsWhy();
    void eachRuns_data();
    void eachRuns();
    void operandsAreAsAskedFor();
    void bytesAreCounted();
    void coldCasesRotate();
    void sameWorkIsCompared();
};

/// Those that no size alone gives operands to. A new operation of the table belongs into timed_*.cpp, or here.
static const std::set<std::string_view> kAsStatements{"empty_strided",
                                                      "tensor",
                                                      "as_tensor",
                                                      "range",
                                                      "Tensor.new_tensor",
                                                      "binomial",
                                                      "split_with_sizes",
                                                      "broadcast_to",
                                                      "view_as_complex",
                                                      "Tensor.resize_",
                                                      "Tensor.set_",
                                                      "Tensor.t_",
                                                      "Tensor.transpose_",
                                                      "Tensor.squeeze_",
                                                      "Tensor.unsqueeze_",
                                                      "Tensor.as_strided_",
                                                      "pixel_unshuffle",
                                                      "tensor_split",
                                                      "hsplit",
                                                      "vsplit",
                                                      "dsplit",
                                                      "atleast_1d",
                                                      "atleast_2d",
                                                      "atleast_3d",
                                                      "broadcast_tensors",
                                                      "Tensor.__getitem__",
                                                      "Tensor.__setitem__",
                                                      "index_fill",
                                                      "index_copy",
                                                      "index_add",
                                                      "put",
                                                      "Tensor.scatter_",
                                                      "Tensor.scatter_add_",
                                                      "Tensor.scatter_reduce_",
                                                      "index_reduce",
                                                      "Tensor.index_reduce_",
                                                      "index_put_",
                                                      "index_put",
                                                      "Tensor.put_",
                                                      "Tensor.index_copy_",
                                                      "Tensor.index_add_",
                                                      "slice_scatter",
                                                      "as_strided_scatter",
                                                      "Tensor.masked_scatter_",
                                                      "masked_scatter",
                                                      "prelu",
                                                      "Tensor.float_power_",
                                                      "histogramdd",
                                                      "lu_unpack",
                                                      "linalg.lu_solve",
                                                      "lu_solve",
                                                      "linalg.householder_product",
                                                      "ormqr",
                                                      "linalg.ldl_solve",
                                                      "eig",
                                                      "pinverse",
                                                      "linalg.tensorsolve",
                                                      "linalg.tensorinv",
                                                      "stft",
                                                      "istft"};

/// The table's dtypes are those of all forms of an operation; the form that is timed refuses these, which a sweep
/// tells.
static const std::set<std::pair<std::string_view, DType>> kRefused{{"randint", DType::Bool},
                                                                   {"randint_like", DType::Bool},
                                                                   {"bernoulli", DType::Float16},
                                                                   {"scatter_reduce", DType::Complex64},
                                                                   {"scatter_reduce", DType::Complex128},
                                                                   {"floor_divide", DType::Bool},
                                                                   {"remainder", DType::Bool},
                                                                   {"fmod", DType::Bool},
                                                                   {"pairwise_distance", DType::Bool},
                                                                   {"einsum", DType::Float16},
                                                                   {"einsum", DType::Bool}};

void TestTimedOperations::everyOperationIsTimedOrTellsWhy() {
    std::size_t timed = 0;
    QString missing;
    for (const Operation& operation : operations()) {
        const std::string why = whyNotTimed(operation.name);
        const TimedOperation* one = findTimedOperation(operation.name);
        timed += one != nullptr;
        QCOMPARE(one == nullptr, !why.empty());
        if (one) {
            QVERIFY(!one->statement.empty());
            QVERIFY2(!kAsStatements.count(operation.name), operation.name.data());
            continue;
        }
        QVERIFY(why.find("--stmt") != std::string::npos);
        if (!isOfTheModule(operation.family) && !kAsStatements.count(operation.name))
            missing += QString::fromStdString(std::string(operation.name) + " ");
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing));
    // None of the tables' entries is lost because of a name that the operation table does not have.
    QCOMPARE(timed, timedOperations().size());
    QCOMPARE(timedOperations().size(), timedCallsInTables());
    QVERIFY(whyNotTimed("no such thing").empty());
    QVERIFY(!findTimedOperation("no such thing"));
    for (const std::string_view name : courseOperations()) QVERIFY2(findTimedOperation(name), name.data());
}

void TestTimedOperations::eachRuns_data() {
    QTest::addColumn<QString>("name");
    for (const TimedOperation& operation : timedOperations()) {
        const std::string name(operation.name);
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
}

void TestTimedOperations::eachRuns() {
    QFETCH(QString, name);
    const TimedOperation& operation = *findTimedOperation(name.toStdString());
    bool ran = false;
    for (const DType dtype : kAllDTypes) {
        if (!operation.dtypes.has(dtype)) continue;
        for (const Layout layout : {Layout::Contiguous, Layout::Transposed, Layout::Stepped, Layout::Expanded}) {
            if (!canHave(operation.operands, layout)) continue;
            for (const Index n : {1, 8}) {
                std::vector<Tensor> operands, results;
                const auto made = refusalOf([&] { operands = operandsFor(operation, n, dtype, layout, 1); });
                QVERIFY2(!made, made ? made->message.c_str() : "");
                const auto refusal = refusalOf([&] { results = operation.call(operands); });
                // What writes in place, what needs numbers that a layout or size does not have.
                const bool mayRefuse = layout == Layout::Expanded || n == 1 || layout != Layout::Contiguous ||
                                       kRefused.count({operation.name, dtype}) > 0;
                const std::string where = std::string(stridescope::name(dtype)) + ", " + timing::name(layout) +
                                          ", n = " + std::to_string(n) + (refusal ? ": " + refusal->message : "");
                QVERIFY2(!refusal || mayRefuse, where.c_str());
                if (refusal) continue;
                ran = true;
                QVERIFY2(bytesOf(operands, results) > 0, where.c_str());
            }
        }
    }
    QVERIFY(ran);
    if (operation.flops) QVERIFY(operation.flops(64) > 0);
}

void TestTimedOperations::operandsAreAsAskedFor() {
    const TimedOperation& mm = *findTimedOperation("mm");
    const auto strides = [&](Layout layout) {
        const auto list = operandsFor(mm, 6, DType::Float32, layout, 3);
        return std::pair(list[0].stride()[0], list[0].stride()[1]);
    };
    QCOMPARE(strides(Layout::Contiguous), (std::pair<Index, Index>{6, 1}));
    QCOMPARE(strides(Layout::Transposed), (std::pair<Index, Index>{1, 6}));
    QCOMPARE(strides(Layout::Stepped), (std::pair<Index, Index>{12, 2}));
    QCOMPARE(strides(Layout::Expanded), (std::pair<Index, Index>{0, 1}));
    const auto list = operandsFor(mm, 6, DType::Float32, Layout::Contiguous, 3);
    // Layouts change places, not values; seeds change values.
    for (const Layout layout : {Layout::Transposed, Layout::Stepped})
        QCOMPARE(relativeError(list, operandsFor(mm, 6, DType::Float32, layout, 3)), 0.0);
    QVERIFY(relativeError(list, operandsFor(mm, 6, DType::Float32, Layout::Contiguous, 4)) > 0.01);
    QVERIFY(relativeError(std::span(list).first(1), std::span(list).last(1)) > 0.01);
    QCOMPARE(QString::fromStdString(shapesText(list)), QStringLiteral("{6, 6} {6, 6}"));
    const auto refusal =
        refusalOf([] { operandsFor(*findTimedOperation("linalg.inv"), 4, DType::Float32, Layout::Expanded, 1); });
    QVERIFY(refusal && refusal->id == "BENCH-10");
    QVERIFY(!canHave(Operands::Vector, Layout::Transposed) && canHave(Operands::Vector, Layout::Stepped));
}

void TestTimedOperations::bytesAreCounted() {
    const auto bytes = [](const char* name, Layout layout) {
        const TimedOperation& operation = *findTimedOperation(name);
        const auto operands = operandsFor(operation, 10, DType::Float32, layout, 1);
        return bytesOf(operands, operation.call(operands));
    };
    QCOMPARE(bytes("add", Layout::Contiguous), 3 * 400.0);
    QCOMPARE(bytes("add", Layout::Stepped), 3 * 400.0);
    QCOMPARE(bytes("add", Layout::Expanded), 40.0 + 40.0 + 400.0); // a repeated row is read once
    QCOMPARE(bytes("sum", Layout::Contiguous), 400.0 + 4);
    QCOMPARE(bytes("zeros", Layout::Contiguous), 4.0 + 400);
    QCOMPARE(bytes("transpose", Layout::Contiguous), 400.0); // a view moves nothing
    QCOMPARE(operandBytes(Operands::TwoMatrices, 10, DType::Float64), 1600.0);
    QCOMPARE(operandBytes(Operands::MatrixIndex, 10, DType::Float32), 480.0);
}

void TestTimedOperations::coldCasesRotate() {
    const TimedOperation& add = *findTimedOperation("add");
    TimedCase warm(add, 100, DType::Float32, Layout::Contiguous, false, 1e6, 1, Device{});
    QCOMPARE(warm.sets(), std::size_t{1});
    TimedCase cold(add, 100, DType::Float32, Layout::Contiguous, true, 1e6, 1, Device{});
    QCOMPARE(cold.sets(), std::size_t{50}); // four times the cache, 80,000 bytes each
    for (int i = 0; i < 120; ++i) cold.call();
    QVERIFY(relativeError(warm.result(), cold.result()) == 0); // the first set is the same in both
}

void TestTimedOperations::sameWorkIsCompared() {
    const auto list = [](std::initializer_list<double> values) {
        NestedList::List items(values.begin(), values.end());
        return std::vector<Tensor>{tensorFrom(NestedList::list(items), {DType::Float64, Device{}})};
    };
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    QCOMPARE(relativeError(list({1, 2}), list({1, 2})), 0.0);
    QCOMPARE(relativeError(list({1, -4}), list({1, -5})), 0.25);
    QCOMPARE(relativeError(list({inf, nan}), list({inf, nan})), 0.0);
    QCOMPARE(relativeError(list({1, nan}), list({1, 2})), inf);
    QCOMPARE(relativeError(list({1}), list({1, 2})), inf);
    QCOMPARE(relativeError(list({1}), {}), inf);
    QCOMPARE(relativeError(list({0}), list({1})), inf);
}

QTEST_APPLESS_MAIN(TestTimedOperations)
#include "tst_timed_operations.moc"
