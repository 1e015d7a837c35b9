// Creation: dtypes inferred, sizes checked before anything is allocated, values as PyTorch's.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/storage/memory_budget.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace stridescope;
using stridescope::test::elementsOf;

namespace {

/// "int64 (3,): 0 1 2", "float32 (): nan".
QString describe(const Tensor& t) {
    std::string text = std::string(name(t.dtype())) + " " + toString(std::span<const Index>(t.shape())) + ":";
    for (const Scalar value : elementsOf(t)) text += " " + toString(value);
    return QString::fromStdString(text);
}

TensorOptions as(DType dtype) {
    return {dtype, Device{}};
}

constexpr double kInf = std::numeric_limits<double>::infinity();

} // namespace

class TestCreation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { setDefaultDType(DType::Float32); }

    void makes_data();
    void makes();
    void refuses_data();
    void refuses();
    void emptyKeepsShapeAndLayout();
    void onlyEmptyMemoryIsUnwritten();
    void nothingIsAllocatedOnRefusal();
    void defaultDTypeIsUsed();
    void denseLikeKeepsOrder_data();
    void denseLikeKeepsOrder();
    void likeKeepsShapeDTypeAndOrder();
    void emptyStridedHoldsTheHighestSlot();
    void allocationFailureLeavesNothing();
    void publishesCode_data();
    void publishesCode();
};

void TestCreation::makes_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const Tensor& t, const char* expected) {
        QTest::newRow(name) << describe(t) << QString(expected);
    };
    row("zeros", zeros({2, 2}), "float32 (2, 2): 0.0 0.0 0.0 0.0");
    row("zeros 0-d", zeros({}), "float32 (): 0.0");
    row("zeros empty", zeros({0, 3}), "float32 (0, 3):");
    row("ones int8", ones({3}, as(DType::Int8)), "int8 (3,): 1 1 1");
    row("ones bool", ones({2}, as(DType::Bool)), "bool (2,): True True");
    row("full int", full({2}, 5), "int64 (2,): 5 5");
    row("full bool", full({2}, true), "bool (2,): True True");
    row("full float", full({2}, 1.5), "float32 (2,): 1.5 1.5");
    row("full cut off", full({1}, 1.9, as(DType::Int32)), "int32 (1,): 1");
    row("full half", full({1}, 0.1, as(DType::Float16)), "float16 (1,): 0.0999755859375");

    row("arange", arange(4), "int64 (4,): 0 1 2 3");
    row("arange 0", arange(0), "int64 (0,):");
    row("arange bool", arange(true), "int64 (1,): 0");
    row("arange float end", arange(2.5), "float32 (3,): 0.0 1.0 2.0");
    row("arange half steps", arange(1, 3, 0.5), "float32 (4,): 1.0 1.5 2.0 2.5");
    row("arange down", arange(5, 0, -2), "int64 (3,): 5 3 1");
    row("arange up by 3", arange(0, 10, 3), "int64 (4,): 0 3 6 9");
    row("arange tenth", arange(0, 0.3, 0.1, as(DType::Float64)), "float64 (3,): 0.0 0.1 0.2");
    row("arange int32 from 1.5", arange(0, 3, 1.5, as(DType::Int32)), "int32 (2,): 0 1");
    row("arange half", arange(3, as(DType::Float16)), "float16 (3,): 0.0 1.0 2.0");
    row("arange extremes", arange(Index{INT64_MAX} - 2, INT64_MAX),
        "int64 (2,): 9223372036854775805 9223372036854775806");
    row("arange whole range", arange(INT64_MIN, INT64_MAX, INT64_MAX),
        "int64 (3,): -9223372036854775808 -1 9223372036854775806");
    row("arange uint8 wraps", slice(arange(258, as(DType::UInt8)), 0, 254, std::nullopt), "uint8 (4,): 254 255 0 1");

    row("tensor 0-d", tensorFrom(7), "int64 (): 7");
    row("tensor of ints", tensorFrom({1, -2}), "int64 (2,): 1 -2");
    row("tensor of bools", tensorFrom({true, false}), "bool (2,): True False");
    row("bool and int", tensorFrom({true, 2}), "int64 (2,): 1 2");
    row("bool and float", tensorFrom({true, 2.5}), "float32 (2,): 1.0 2.5");
    row("nested", tensorFrom({{1, 2, 3}, {4, 5, 6}}), "int64 (2, 3): 1 2 3 4 5 6");
    row("deep", tensorFrom({{{1}}, {{2}}}), "int64 (2, 1, 1): 1 2");
    row("empty list", tensorFrom(NestedList::list({})), "float32 (0,):");
    row("list of empty", tensorFrom(NestedList::list({NestedList::list({}), NestedList::list({})})), "float32 (2, 0):");
    row("to float16", tensorFrom({1e10, 0.1}, as(DType::Float16)), "float16 (2,): inf 0.0999755859375");
    row("float to int", tensorFrom({1.5, -1.5}, as(DType::Int64)), "int64 (2,): 1 -1");
    row("to bool", tensorFrom({0.0, 0.5}, as(DType::Bool)), "bool (2,): False True");
}

void TestCreation::makes() {
    QFETCH(QString, made);
    QFETCH(QString, expected);
    QCOMPARE(made, expected);
}

void TestCreation::refuses_data() {
    QTest::addColumn<std::function<void()>>("action");
    QTest::addColumn<QString>("id");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* id, ErrorKind kind, const char* words,
                        std::function<void()> action) {
        QTest::newRow(name) << std::move(action) << id << kind << words;
    };
    constexpr ErrorKind Runtime = ErrorKind::Runtime, Memory = ErrorKind::Memory, Type = ErrorKind::Type,
                        NotImplemented = ErrorKind::NotImplemented, Value = ErrorKind::Value;
    row("bytes overflow", "CREATE-01", Runtime, "Storage size calculation overflowed with sizes=[2305843009213693952]",
        [] { (void)empty({Index{1} << 61}); });
    row("petabytes", "MEM-01", Memory, "4.00 PB wanted", [] { (void)ones({1'000'000'000'000'000}); });
    row("petabytes like", "MEM-01", Memory, "8.00 PB wanted", [] {
        (void)emptyLike(zeros({1}).withView({{1'000'000'000'000'000}, {0}, 0}), {DType::Int64, std::nullopt});
    });
    row("full overflow", "FILL-01", Runtime, "without overflow", [] { (void)full({2}, 300, as(DType::UInt8)); });
    row("default dtype", "CREATE-02", Type, "only floating-point types", [] { setDefaultDType(DType::Int32); });
    row("step 0", "CREATE-04", Runtime, "step must be nonzero", [] { (void)arange(1, 5, 0); });
    row("step becomes 0", "CREATE-04", Runtime, "step must be nonzero",
        [] { (void)arange(0, 3, 0.5, as(DType::Int64)); });
    row("step NaN", "CREATE-04", Runtime, "step must be nonzero", [] { (void)arange(0.0, 3.0, std::nan("")); });
    row("wrong way", "CREATE-05", Runtime, "inconsistent with step sign: 5 to 1 by 1", [] { (void)arange(5, 1); });
    row("wrong way down", "CREATE-05", Runtime, "inconsistent with step sign", [] { (void)arange(0, 5, -1); });
    row("to infinity", "CREATE-06", Runtime, "unsupported range: 0 -> inf", [] { (void)arange(0, kInf); });
    row("to NaN", "CREATE-06", Runtime, "unsupported range: 0 -> nan", [] { (void)arange(0, std::nan("")); });
    row("too many", "CREATE-07", Runtime, "possible overflow", [] { (void)arange(0.0, 1e20, 1.0); });
    row("too many ints", "CREATE-07", Runtime, "possible overflow", [] { (void)arange(INT64_MIN, INT64_MAX); });
    row("arange bool", "CREATE-08", NotImplemented, "not implemented for 'Bool'",
        [] { (void)arange(3, as(DType::Bool)); });
    row("ragged", "CREATE-09", Value, "expected sequence of length 2 at dim 1 (got 1)", [] {
        (void)tensorFrom({{1, 2}, NestedList::list({3})});
    });
    row("ragged deep", "CREATE-09", Value, "expected sequence of length 2 at dim 2 (got 1)", [] {
        (void)tensorFrom({{{1, 2}, {3, 4}}, {{1, 2}, NestedList::list({3})}});
    });
    row("ragged empty", "CREATE-09", Value, "expected sequence of length 0 at dim 1 (got 1)", [] {
        (void)tensorFrom(NestedList::list({NestedList::list({}), NestedList::list({1})}));
    });
    row("number among lists", "CREATE-10", Type, "not a sequence: 3 stands where dim 1 needs a list of 2", [] {
        (void)tensorFrom({{1, 2}, 3, {4, 5}});
    });
    row("list among numbers", "CREATE-10", Type, "'list' object cannot be interpreted", [] {
        (void)tensorFrom({1, NestedList::list({2})});
    });
    row("list overflow", "CREATE-03", Runtime, "uint8 without overflow: 300",
        [] { (void)tensorFrom({300}, as(DType::UInt8)); });
    row("list nan to int", "CREATE-03", Runtime, "without overflow: nan",
        [] { (void)tensorFrom({std::nan("")}, as(DType::Int32)); });
    row("too deep", "CREATE-11", Value, "64 deep", [] {
        NestedList deep(1);
        for (int i = 0; i < 65; ++i) deep = NestedList::list({deep});
        (void)tensorFrom(deep);
    });
    row("too deep aside", "CREATE-11", Value, "64 deep", [] {
        NestedList deep(1);
        for (int i = 0; i < 65; ++i) deep = NestedList::list({deep});
        (void)tensorFrom(NestedList::list({NestedList(1), deep}));
    });
    row("layout below 0", "CREATE-12", Runtime, "slot -2", [] { (void)emptyStrided({{3}, {-1}, 0}); });
    row("like nothing", "TENSOR-02", Value, "undefined", [] { (void)zerosLike(Tensor()); });
}

void TestCreation::refuses() {
    QFETCH(std::function<void()>, action);
    QFETCH(QString, id);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, words);
    const auto refusal = refusalOf(action);
    QVERIFY(refusal);
    QCOMPARE(QString::fromStdString(refusal->id), id);
    QCOMPARE(refusal->kind, kind);
    QVERIFY2(QString::fromStdString(refusal->message).contains(words), refusal->message.c_str());
    QVERIFY(refusal->message.size() <= 140);
}

void TestCreation::onlyEmptyMemoryIsUnwritten() {
    const Tensor made = empty({2, 3});
    QVERIFY(made.storage()->isUnwritten());
    QVERIFY(emptyLike(made).storage()->isUnwritten());
    QVERIFY(emptyStrided({{2}, {3}, 0}).storage()->isUnwritten());
    for (const Tensor& t : {zeros({2}), ones({2}), full({2}, 7), arange(3), tensorFrom(NestedList::list({1, 2})),
                            zerosLike(made), onesLike(made), add(zeros({2}), 1)})
        QVERIFY(!t.storage()->isUnwritten());
    fill_(narrow(made, 0, 0, 1), 5);
    QVERIFY(!made.storage()->isUnwritten()); // who wrote what is not known cell by cell
}

void TestCreation::emptyKeepsShapeAndLayout() {
    for (const DType dtype : kRealDTypes) {
        const Tensor t = empty({2, 0, 3}, as(dtype));
        QCOMPARE(t.dtype(), dtype);
        QVERIFY(t.stride() == Dims({3, 3, 1}));
        QCOMPARE(t.storage()->bytes(), std::size_t{0});
        const Tensor u = empty({2, 3}, as(dtype));
        QVERIFY(u.stride() == Dims({3, 1}));
        QCOMPARE(u.storage()->bytes(), 6 * itemSize(dtype));
        QVERIFY(u.device().isCpu());
    }
}

void TestCreation::nothingIsAllocatedOnRefusal() {
    const AllocationFailure watch(
        1000); // counts down without firing: an allocation would be visible as happened() later
    for (const Dims& shape : {Dims{-1}, Dims{2, -3}, Dims{Index{1} << 40, Index{1} << 40}}) {
        const auto refusal = refusalOf([&] { (void)empty(shape); });
        QVERIFY(refusal);
        QCOMPARE(refusal->kind, ErrorKind::Runtime);
    }
    const auto negative = refusalOf([] { (void)empty({2, -3}); });
    QVERIFY2(negative->message.find("-3") != std::string::npos, negative->message.c_str());
    QVERIFY(!watch.happened());
}

void TestCreation::defaultDTypeIsUsed() {
    setDefaultDType(DType::Float64);
    QCOMPARE(defaultDType(), DType::Float64);
    QCOMPARE(zeros({1}).dtype(), DType::Float64);
    QCOMPARE(tensorFrom({0.1}).dtype(), DType::Float64);
    QCOMPARE(arange(0.5).dtype(), DType::Float64);
    QCOMPARE(full({1}, 2).dtype(), DType::Int64);
    QCOMPARE(describe(tensorFrom({0.1})), QString("float64 (1,): 0.1"));
}

void TestCreation::denseLikeKeepsOrder_data() {
    // Strides from torch.empty_like of the same layout.
    QTest::addColumn<View>("view");
    QTest::addColumn<Dims>("stride");
    const auto row = [](const char* name, View v, Dims stride) { QTest::newRow(name) << v << stride; };
    row("contiguous", {{2, 3}, {3, 1}, 5}, {3, 1});
    row("transposed", {{3, 2}, {1, 3}, 0}, {1, 3});
    row("rows with gaps", {{3, 4}, {8, 1}, 0}, {4, 1});
    row("columns with gaps", {{4, 3}, {1, 8}, 0}, {1, 4});
    row("permuted with gaps", {{2, 3, 4}, {2, 100, 9}, 0}, {1, 8, 2});
    row("expanded rows", {{4, 3}, {0, 1}, 0}, {3, 1});
    row("expanded columns", {{4, 3}, {1, 0}, 0}, {3, 1});
    row("expanded middle", {{2, 5, 3}, {3, 0, 1}, 0}, {15, 3, 1});
    row("expanded, transposed", {{3, 5, 2}, {1, 0, 3}, 0}, {1, 3, 15});
    row("0-d", {{}, {}, 3}, {});
    row("empty with gaps", {{0, 3}, {7, 2}, 0}, {7, 2});
    row("step 2", {{5}, {2}, 0}, {1});
    row("windows", {{5, 3}, {1, 1}, 0}, {3, 1});
    row("windows, short first", {{3, 5}, {1, 1}, 0}, {1, 3});
}

void TestCreation::denseLikeKeepsOrder() {
    QFETCH(View, view);
    QFETCH(Dims, stride);
    const View dense = denseLike(view);
    QCOMPARE(toString(std::span<const Index>(dense.stride)), toString(std::span<const Index>(stride)));
    QVERIFY(dense.shape == view.shape);
    QCOMPARE(dense.offset, Index{0});
}

void TestCreation::likeKeepsShapeDTypeAndOrder() {
    for (const test::ZooView& layout : test::zooViews()) {
        for (const DType dtype : kRealDTypes) {
            const Tensor source = test::zooTensor(layout, dtype);
            const Tensor t = zerosLike(source);
            QVERIFY2(t.shape() == source.shape(), layout.name.c_str());
            QCOMPARE(t.dtype(), dtype);
            QVERIFY2(t.view().isDense(), layout.name.c_str());
            QVERIFY(t.storage() != source.storage());
            QVERIFY2(layout.negative || t.view() == clone(source).view(), layout.name.c_str()); // one rule for both
            QCOMPARE(t.storage()->bytes(), static_cast<std::size_t>(source.nbytes()));
            for (const Scalar value : elementsOf(t)) QVERIFY(!value.toBool());
            const Tensor other = fullLike(source, 3, {DType::Int16, std::nullopt});
            QCOMPARE(other.dtype(), DType::Int16);
            for (const Scalar value : elementsOf(other)) QVERIFY(value == Scalar(3));
            for (const Scalar value : elementsOf(onesLike(source))) QVERIFY(value.toDouble() == 1.0);
        }
    }
}

void TestCreation::emptyStridedHoldsTheHighestSlot() {
    const Tensor t = emptyStrided({{3, 2}, {1, 5}, 2}, as(DType::Int32));
    QCOMPARE(t.storageNumel(), Index{2 + 2 + 5 + 1});
    QVERIFY(t.stride() == Dims({1, 5}));
    QCOMPARE(emptyStrided({{0, 3}, {3, 1}, 7}).storage()->bytes(), std::size_t{0});
    QCOMPARE(emptyStrided({{3}, {-1}, 2}).storageNumel(), Index{3});
}

void TestCreation::allocationFailureLeavesNothing() {
    const Tensor source = zeros({4});
    const auto check = [&](auto make) {
        const AllocationFailure failure(1);
        const auto refusal = refusalOf(make);
        return refusal && refusal->id == "MEM-02" && failure.happened();
    };
    QVERIFY(check([] { (void)zeros({4}); }));
    QVERIFY(check([] { (void)full({4}, 1); }));
    QVERIFY(check([] { (void)arange(4); }));
    QVERIFY(check([] { (void)tensorFrom({1, 2}); }));
    QVERIFY(check([&] { (void)onesLike(source); }));
    QCOMPARE(source.storage()->useCount(), 1U);
}

void TestCreation::publishesCode_data() {
    QTest::addColumn<std::function<void()>>("action");
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("allocated");
    const auto row = [](const char* line, int allocated, std::function<void()> action) {
        QTest::newRow(line) << std::move(action) << line << allocated;
    };
    row("torch.zeros(2, 3)", 24, [] { (void)zeros({2, 3}); });
    row("torch.zeros(())", 4, [] { (void)zeros({}); });
    row("torch.empty(2, dtype=torch.int64)", 16, [] { (void)empty({2}, as(DType::Int64)); });
    row("torch.ones(2, dtype=torch.bool)", 2, [] { (void)ones({2}, as(DType::Bool)); });
    row("torch.full((2,), 1.5)", 8, [] { (void)full({2}, 1.5); });
    row("torch.arange(5)", 40, [] { (void)arange(5); });
    row("torch.arange(1, 5)", 32, [] { (void)arange(1, 5); });
    row("torch.arange(0, 5, 2)", 24, [] { (void)arange(0, 5, 2); });
    row("torch.tensor([[1, 2], [3, 4]], dtype=torch.int8)", 4, [] {
        (void)tensorFrom({{1, 2}, {3, 4}}, as(DType::Int8));
    });
    row("torch.empty_strided((2, 2), (1, 2))", 16, [] { (void)emptyStrided({{2, 2}, {1, 2}, 0}); });
}

void TestCreation::publishesCode() {
    QFETCH(std::function<void()>, action);
    QFETCH(QString, line);
    QFETCH(int, allocated);
    std::vector<OpRecord> records;
    {
        const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
        action();
    }
    QCOMPARE(records.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(code::expression(records[0], {})), line);
    QCOMPARE(records[0].effect, OpEffect::Alloc);
    QCOMPARE(int(records[0].bytesAllocated), allocated);
    QCOMPARE(records[0].outputs.size(), std::size_t{1});
}

QTEST_GUILESS_MAIN(TestCreation)
#include "tst_creation.moc"
