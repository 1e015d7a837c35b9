// Extrema and their positions against a search through each line, over the view zoo and every choice of dims.

#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "tests/support/check_refusal.h"
#include "tests/support/reduce_model.h"
#include "tests/support/slow_model.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Position of the extremum: the first NaN, else the first of the best.
std::size_t search(const std::vector<Scalar>& group, bool maximum) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
        const double x = group[i].toDouble(), y = group[best].toDouble();
        if (std::isnan(y)) break;
        if (std::isnan(x) || (maximum ? x > y : x < y)) best = i;
    }
    return best;
}

void compare(const Tensor& t, const std::vector<Index>& dims, const Tensor& values, const Tensor& positions,
             bool maximum, const std::string& what) {
    const std::vector<std::vector<Scalar>> groups = groupsOf(t, dims);
    const std::vector<Scalar> v = values.defined() ? elementsOf(values) : std::vector<Scalar>();
    const std::vector<Scalar> p = positions.defined() ? elementsOf(positions) : std::vector<Scalar>();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::size_t expected = search(groups[i], maximum);
        if (!v.empty()) QVERIFY2(sameElement(v[i], groups[i][expected]), what.c_str());
        if (!p.empty()) QVERIFY2(p[i].toInt() == static_cast<Index>(expected), what.c_str());
    }
}

std::vector<double> doublesOf(const Tensor& t) {
    std::vector<double> values;
    for (const Scalar value : elementsOf(t)) values.push_back(value.toDouble());
    return values;
}

} // namespace

class TestExtrema : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void zoo_data();
    void zoo();
    void largeShapes();
    void ties();
    void notANumber();
    void zeroDim();
    void refuses_data();
    void refuses();
    void publishesOneRecord();
};

void TestExtrema::zoo_data() {
    QTest::addColumn<int>("dtype");
    for (const DType dtype : kRealDTypes) QTest::newRow(std::string(name(dtype)).c_str()) << static_cast<int>(dtype);
}

void TestExtrema::zoo() {
    QFETCH(int, dtype);
    const auto type = static_cast<DType>(dtype);
    for (const ZooView& layout : zooViews()) {
        const Tensor t = zooTensor(layout, type);
        if (t.numel() == 0) continue;
        for (const bool maximum : {false, true}) {
            const std::vector<Index> every = namedDims(t, {});
            compare(t, every, maximum ? max(t) : min(t),
                    type == DType::Bool ? Tensor()
                    : maximum           ? argmax(t)
                                        : argmin(t),
                    maximum, layout.name);
            for (const std::vector<Index>& dims : dimChoices(t.dim())) {
                const Dims chosen{std::span<const Index>(dims)};
                const Tensor values = maximum ? amax(t, chosen, true) : amin(t, chosen, true);
                QCOMPARE(values.dtype(), type);
                QCOMPARE(values.shape(), reducedShape(t, namedDims(t, dims), true));
                compare(t, namedDims(t, dims), values, Tensor(), maximum, layout.name);
            }
            for (Index d = 0; d < t.dim(); ++d) {
                const ValuesAndIndices got = maximum ? max(t, d) : min(t, d - t.dim());
                QCOMPARE(got.values.dtype(), type);
                QCOMPARE(got.indices.dtype(), DType::Int64);
                QCOMPARE(got.indices.shape(), reducedShape(t, {d}, false));
                QVERIFY(got.values.isContiguous());
                compare(t, {d}, got.values, got.indices, maximum, layout.name);
                if (type != DType::Bool)
                    compare(t, {d}, Tensor(), maximum ? argmax(t, d, true) : argmin(t, d, true), maximum, layout.name);
            }
        }
        if (type == DType::Float16) continue;
        const MinAndMax both = aminmax(t);
        QVERIFY(sameElement(item(both.min), item(min(t))) && sameElement(item(both.max), item(max(t))));
    }
}

void TestExtrema::largeShapes() {
    // Strips, short rows, blocks of long rows, parts and threads, on every instruction set.
    const int threads = numThreads();
    const cpu::IsaTable& chosen = cpu::isa();
    for (const char* set : {"plain", "avx2", "avx512"}) {
        const cpu::IsaTable* table = cpu::isaByName(set);
        if (!table) continue;
        cpu::forceIsa(*table);
        setNumThreads(2);
        for (const Dims& shape : {Dims{70, 1100}, Dims{9000, 7}, Dims{7, 9000}, Dims{140000}, Dims{20, 30, 70}}) {
            for (const DType dtype : {DType::Float32, DType::Int64, DType::Float16}) {
                const Tensor t = empty(shape, {dtype, Device{}});
                for (Index i = 0; i < t.numel(); ++i)
                    writeSlot(t, i, Scalar(static_cast<double>((i * 7919) % 1009 % 127)));
                if (dtype == DType::Float32) writeSlot(t, t.numel() / 2, Scalar(kNan));
                const Tensor turned = t.dim() == 1 ? t : transpose(t, 0, -1);
                for (const Tensor& x : {t, turned}) {
                    compare(x, namedDims(x, {}), max(x), argmax(x), true, set);
                    for (Index d = 0; d < x.dim(); ++d) {
                        const ValuesAndIndices got = min(x, d);
                        compare(x, {d}, got.values, got.indices, false, set);
                        compare(x, {d}, amax(x, d), argmax(x, d), true, set);
                    }
                }
            }
        }
    }
    cpu::forceIsa(chosen);
    setNumThreads(threads);
}

void TestExtrema::ties() {
    const Tensor t = tensorFrom({1.0, 3.0, 3.0, 1.0});
    QCOMPARE(item(argmax(t)).toInt(), Index{1});
    QCOMPARE(item(argmin(t)).toInt(), Index{0});
    QCOMPARE(item(max(t, 0).indices).toInt(), Index{1});
    QCOMPARE(item(argmax(expand(tensorFrom({5.0}), {100000}))).toInt(), Index{0});
}

void TestExtrema::notANumber() {
    const Tensor t = tensorFrom({{1.0, kNan, 3.0, kNan}, {4.0, 2.0, 9.0, 0.0}});
    QVERIFY(std::isnan(item(max(t)).toDouble()));
    QCOMPARE(item(argmin(t)).toInt(), Index{1});
    QCOMPARE(doublesOf(max(t, 1).indices), (std::vector<double>{1, 2}));
    QCOMPARE(doublesOf(min(t, 0).indices), (std::vector<double>{0, 0, 0, 0}));
    QVERIFY(std::isnan(doublesOf(amin(t, 0))[3]));
}

void TestExtrema::zeroDim() {
    const Tensor t = full({}, 3.0);
    QCOMPARE(item(max(t, -1).values).toDouble(), 3.0);
    QCOMPARE(item(max(t, 0, true).indices).toInt(), Index{0});
    QCOMPARE(argmax(t, 0, true).dim(), Index{0});
    QCOMPARE(argmax(zeros({2, 3}), std::nullopt, true).shape(), (Dims{1, 1}));
    QCOMPARE(max(zeros({2, 0}), 0).indices.shape(), (Dims{0}));
}

void TestExtrema::refuses_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, auto action, const char* expected) {
        const std::optional<Refusal> refusal = refusalOf(action);
        QTest::newRow(name) << (refusal ? QString::fromStdString(refusal->id + " " + refusal->message) : QString())
                            << expected;
    };
    const Tensor e = empty({2, 0}), x = zeros({2, 3}), z = zeros({2}, {DType::Complex64, Device{}});
    row(
        "max of nothing", [&] { (void)max(e); },
        "RED-03 max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
        "the 'dim' argument.");
    row(
        "amin of nothing", [&] { (void)amin(e); },
        "RED-03 amin(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
        "the 'dim' argument.");
    row(
        "argmax of nothing", [&] { (void)argmax(e); },
        "RED-03 argmax(): Expected reduction dim to be specified for input.numel() == 0.");
    row(
        "aminmax of nothing", [&] { (void)aminmax(e); },
        "RED-03 aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
    row(
        "empty dim", [&] { (void)max(e, 1); }, "RED-04 max(): Expected reduction dim 1 to have non-zero size.");
    row(
        "aminmax, empty dim", [&] { (void)aminmax(e, 1); },
        "RED-04 aminmax: Expected reduction dim 1 to have non-zero size.");
    row(
        "dim", [&] { (void)argmin(x, -3); },
        "VIEW-01 Dimension out of range (expected to be in range of [-2, 1], but got -3)");
    row(
        "dim twice",
        [&] {
            (void)amax(x, {1, 1});
        },
        "RED-01 dim 1 appears multiple times in the list of dims");
    row(
        "complex", [&] { (void)max(z); }, "RED-07 \"max_all\" not implemented for 'ComplexFloat'");
    row(
        "complex, dim", [&] { (void)min(z, 0); }, "RED-07 min(): does not support complex input");
    row(
        "argmax of bool",
        [&] {
            (void)argmax(zeros({2}, {DType::Bool, Device{}}));
        },
        "RED-07 \"argmax_cpu\" not implemented for 'Bool'");
    row(
        "aminmax of half",
        [&] {
            (void)aminmax(zeros({2}, {DType::Float16, Device{}}));
        },
        "RED-07 \"aminmax_cpu\" not implemented for 'Half'");
    row(
        "undefined", [&] { (void)amax(Tensor()); }, "TENSOR-02 amax: the tensor is undefined");
}

void TestExtrema::refuses() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

void TestExtrema::publishesOneRecord() {
    std::vector<OpRecord> records;
    const Tensor x = zeros({4, 6});
    {
        const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
        (void)max(x, 1, true);
        (void)aminmax(x, 0);
        (void)argmax(expand(zeros({1, 6}), {4, 6}), 1);
    }
    QCOMPARE(records.size(), std::size_t{5}); // and zeros, expand
    QCOMPARE(records[0].name + "(" + records[0].arguments + ")", std::string("max(1, keepdim=True)"));
    QCOMPARE(records[0].outputs.size(), std::size_t{2});
    QCOMPARE(records[0].bytesAllocated, Index{4 * 4 + 4 * 8});
    QCOMPARE(records[1].arguments, std::string("dim=0"));
    QCOMPARE(records[4].name, std::string("argmax"));
}

QTEST_APPLESS_MAIN(TestExtrema)
#include "tst_extrema.moc"
