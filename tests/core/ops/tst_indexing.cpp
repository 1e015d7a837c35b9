// index_select, gather, scatter and their relatives against the definition of each element, over the zoo, every dtype.

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/trace/code.h"
#include "core/trace/warning.h"
#include "tests/core/ops/operation_checks.h"
#include "tests/support/expect_elements.h"

#include <QTest>

#include <map>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// Numbers below `size`, as a tensor of every second element of a larger one.
Tensor indices(const Dims& shape, Index size, DType dtype = DType::Int64) {
    Dims wide = shape;
    wide.push_back(2);
    const Tensor base = zeros(wide, {dtype, {}});
    const Tensor index = select(base, -1, 1);
    Index i = 0;
    forEachCoord(Sizes(shape.begin(), shape.end()), [&](const Sizes& coord) {
        writeElement(index, coord, Scalar((i++ * 5 + 3) % std::max<Index>(size, 1)));
    });
    return index;
}

Index numberAt(const Tensor& index, const Sizes& coord) {
    return readElement(index, coord).toInt();
}

/// Elements by coord: a model that is written to one element after the other.
struct Model {
    std::map<Sizes, Scalar> values;
    explicit Model(const Tensor& t) {
        forEachCoord(sizesOf(t), [&](const Sizes& coord) { values[coord] = readElement(t, coord); });
    }
};

Scalar combined(const Scalar& a, const Scalar& b, DType dtype, bool adds) {
    if (isComplex(dtype)) {
        const double x = a.toDouble(), y = a.imag(), u = b.toDouble(), v = b.imag();
        return adds ? Scalar(Complex<double>{x + u, y + v}) : Scalar(Complex<double>{x * u - y * v, x * v + y * u});
    }
    return slowBinary(adds ? "add" : "mul", a, b, dtype);
}

} // namespace

class TestIndexing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void selectsSlices();
    void gathers();
    void takes();
    void scatters();
    void putsAtFlatPlaces();
    void writesSlices();
    void lastWriteStays();
    void largeOnManyThreads();
    void refuses_data();
    void refuses();
    void refusesOverlap();
    void changesNothingOnRefusal();
    void publishes();
};

void TestIndexing::selectsSlices() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        for (Index dim = 0; dim < t.dim(); ++dim) {
            if (t.size(dim) == 0) continue;
            const auto d = static_cast<std::size_t>(dim);
            for (const DType indexType : {DType::Int64, DType::Int32}) {
                const Tensor index = indices({5}, t.size(dim), indexType);
                Sizes shape = sizesOf(t);
                shape[d] = 5;
                const Tensor got = indexSelect(t, dim - t.dim(), index);
                QVERIFY(got.isContiguous());
                verify(differenceFrom(got, shape,
                                      [&](Sizes coord) {
                                          coord[d] = numberAt(index, {coord[d]});
                                          return readElement(t, coord);
                                      }),
                       what);
            }
        }
    });
    QCOMPARE(indexSelect(tensorFrom(5), 0, tensorFrom({0})).shape(), Dims{});
}

void TestIndexing::gathers() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        if (t.dim() > 5) return;
        for (Index dim = 0; dim < t.dim(); ++dim) {
            if (t.numel() == 0) continue;
            const auto d = static_cast<std::size_t>(dim);
            Dims shape = t.shape();
            shape[d] += 2;
            const std::size_t other = d == 0 ? shape.size() - 1 : 0;
            if (other != d && shape[other] > 1) --shape[other];
            const Tensor index = indices(shape, t.size(dim));
            verify(differenceFrom(gather(t, dim, index), sizesOf(index),
                                  [&](Sizes coord) {
                                      const Index number = numberAt(index, coord);
                                      coord[d] = number;
                                      return readElement(t, coord);
                                  }),
                   what);
        }
    });
    QCOMPARE(elementsOf(gather(tensorFrom(3), 0, tensorFrom({0, 0}))), (std::vector<Scalar>{3, 3}));
}

void TestIndexing::takes() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        if (t.numel() == 0) return;
        const std::vector<Scalar> flat = elementsOf(t);
        const Tensor index = indices({2, 4}, t.numel());
        writeElement(index, Dims{1, 1}, Scalar(-1));
        verify(differenceFrom(take(t, index), {2, 4},
                              [&](const Sizes& coord) {
                                  const Index i = numberAt(index, coord);
                                  return flat[static_cast<std::size_t>(i < 0 ? i + t.numel() : i)];
                              }),
               what);
    });
}

void TestIndexing::scatters() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        if (layout.overlaps || layout.view.dim() > 5 || layout.view.numel() == 0) return;
        for (Index dim = 0; dim < layout.view.dim(); ++dim) {
            const auto d = static_cast<std::size_t>(dim);
            Dims shape = layout.view.shape;
            const Index size = shape[d];
            shape[d] += 1;
            const Tensor index = indices(shape, size);
            const View spread = contiguousView(shape).valueOrThrow();
            const Tensor src(zooStorage(dtype, spread.numel() + 1), View{shape, spread.stride, 1}, dtype);
            for (const int mode : {0, 1, 2, 3}) { // write, add, multiply, write a number
                const Tensor t = zooTensor(layout, dtype);
                Model model(t);
                forEachCoord(sizesOf(index), [&](const Sizes& coord) {
                    Sizes target = coord;
                    target[d] = numberAt(index, coord);
                    Scalar& cell = model.values[target];
                    const Scalar value = readElement(src, coord);
                    cell = mode == 0 ? value : mode == 3 ? Scalar(1) : combined(cell, value, dtype, mode == 1);
                });
                if (mode == 0)
                    scatter_(t, dim, index, src);
                else if (mode == 1)
                    scatterAdd_(t, dim, index, src);
                else if (mode == 2)
                    scatter_(t, dim, index, src, ScatterReduce::Multiply);
                else
                    scatter_(t, dim, index, Scalar(1));
                const bool rounds = dtype == DType::Float16 && mode != 0; // order of rounding is the model's, too
                if (!rounds || t.numel() < 1000)
                    verify(differenceFrom(t, sizesOf(t), [&](const Sizes& c) { return model.values[c]; }), what);
            }
        }
    });
    const Tensor before = ints({3});
    const Tensor after = scatter(before, 0, tensorFrom({0}), Scalar(9));
    QCOMPARE(elementsOf(before), (std::vector<Scalar>{0, 1, 2}));
    QCOMPARE(elementsOf(after), (std::vector<Scalar>{9, 1, 2}));
    QCOMPARE(elementsOf(scatter(before, 0, tensorFrom({2}), tensorFrom({7}))), (std::vector<Scalar>{0, 1, 7}));
    QCOMPARE(elementsOf(scatterAdd(before, 0, tensorFrom({2}), tensorFrom({7}))), (std::vector<Scalar>{0, 1, 9}));
}

void TestIndexing::putsAtFlatPlaces() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        if (layout.overlaps || layout.view.numel() == 0) return;
        const Tensor index = indices({7}, layout.view.numel());
        writeElement(index, Dims{0}, Scalar(-1));
        const Tensor source(zooStorage(dtype, 8), View{{7}, {1}, 1}, dtype);
        for (const bool accumulate : {false, true}) {
            const Tensor t = zooTensor(layout, dtype);
            std::vector<Scalar> flat = elementsOf(t);
            for (Index i = 0; i < 7; ++i) {
                Index at = numberAt(index, {i});
                if (at < 0) at += t.numel();
                Scalar& cell = flat[static_cast<std::size_t>(at)];
                const Scalar value = readElement(source, Dims{i});
                cell = accumulate ? combined(cell, value, dtype, true) : value;
            }
            put_(t, index, source, accumulate);
            std::size_t position = 0;
            verify(differenceFrom(t, sizesOf(t), [&](const Sizes&) { return flat[position++]; }), what);
        }
    });
}

void TestIndexing::writesSlices() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        if (layout.overlaps || layout.view.numel() == 0 || layout.view.dim() > 5) return;
        for (Index dim = 0; dim < layout.view.dim(); ++dim) {
            const auto d = static_cast<std::size_t>(dim);
            const Tensor index = indices({3}, layout.view.shape[d]);
            Dims shape = layout.view.shape;
            shape[d] = 3;
            const View spread = contiguousView(shape).valueOrThrow();
            const Tensor source(zooStorage(dtype, spread.numel() + 2), View{shape, spread.stride, 2}, dtype);
            for (const int mode : {0, 1, 2}) { // copy, add, fill
                const Tensor t = zooTensor(layout, dtype);
                Model model(t);
                forEachCoord(sizesOf(source), [&](const Sizes& coord) {
                    Sizes target = coord;
                    target[d] = numberAt(index, {coord[d]});
                    Scalar& cell = model.values[target];
                    const Scalar value = readElement(source, coord);
                    cell = mode == 0 ? value : mode == 1 ? combined(cell, value, dtype, true) : Scalar(1);
                });
                if (mode == 0)
                    indexCopy_(t, dim, index, source);
                else if (mode == 1)
                    indexAdd_(t, dim, index, source);
                else
                    indexFill_(t, dim, index, Scalar(1));
                verify(differenceFrom(t, sizesOf(t), [&](const Sizes& c) { return model.values[c]; }), what);
            }
        }
    });
    const Tensor t = zeros({3});
    indexAdd_(t, 0, tensorFrom({1, 1}), tensorFrom({1.0, 2.0}), Scalar(0.5));
    QCOMPARE(elementsOf(t), (std::vector<Scalar>{0.0, 1.5, 0.0}));
    indexFill_(t, 0, tensorFrom({-1}), tensorFrom(4.0));
    QCOMPARE(elementsOf(t), (std::vector<Scalar>{0.0, 1.5, 4.0}));
}

void TestIndexing::lastWriteStays() {
    const Tensor t = zeros({2, 3}, {DType::Int64, {}});
    scatter_(t, 1, tensorFrom({{0, 0, 0}, {2, 1, 2}}), ints({2, 3}));
    QCOMPARE(elementsOf(t), (std::vector<Scalar>{2, 0, 0, 0, 4, 5}));
}

void TestIndexing::largeOnManyThreads() {
    const int before = numThreads();
    setNumThreads(4);
    const Tensor t = ints({600, 700});
    const Tensor rows = indices({900}, 600), columns = indices({900}, 700);
    const Tensor byRow = indexSelect(t, 0, rows), byColumn = indexSelect(t, 1, columns);
    bool right = true;
    for (Index i = 0; i < 900; ++i)
        for (Index j = 0; j < 600; ++j)
            right &= byRow.data<Index>()[i * 700 + j] == numberAt(rows, {i}) * 700 + j &&
                     byColumn.data<Index>()[j * 900 + i] == j * 700 + numberAt(columns, {i});
    QVERIFY(right);
    // Every cell gets several writes: the last one must stay on any number of threads.
    const Tensor target = zeros({10, 3000}, {DType::Int64, {}});
    const Tensor index = indices({200, 3000}, 10);
    scatter_(target, 0, index, ints({200, 3000}));
    const Tensor again = zeros({10, 3000}, {DType::Int64, {}});
    setNumThreads(1);
    scatter_(again, 0, index, ints({200, 3000}));
    QCOMPARE(bytesOf(target), bytesOf(again));
    setNumThreads(before);
}

void TestIndexing::refuses_data() {
    addRefusalColumns();
    const auto row = addRefusal;
    const auto i64 = [](std::initializer_list<NestedList> values) { return tensorFrom(NestedList(values)); };
    row(
        "index_select outside",
        [=] {
            indexSelect(ints({2, 3}), 0, i64({2}));
        },
        "INDEX-01", "index out of range in self");
    row(
        "index_select negative",
        [=] {
            indexSelect(ints({2, 3}), 0, i64({-1}));
        },
        "INDEX-01", "index out of range in self");
    row(
        "index_select by floats", [] { indexSelect(ints({2}), 0, tensorFrom({1.0})); }, "INDEX-02",
        "index_select(): Expected dtype int32 or int64 for index");
    row(
        "index_select by a matrix",
        [] {
            indexSelect(ints({2}), 0, ints({1, 1}));
        },
        "INDEX-03", "index_select(): Index is supposed to be a vector");
    row(
        "index_select along no dim", [=] { indexSelect(ints({2}), 1, i64({0})); }, "VIEW-01", "");
    row(
        "gather outside",
        [=] {
            gather(ints({2, 3}), 1, i64({{3}}));
        },
        "INDEX-01", "index 3 is out of bounds for dimension 1 with size 3");
    row(
        "gather other dims",
        [=] {
            gather(ints({2, 3}), 1, i64({3}));
        },
        "INDEX-03", "Index tensor must have the same number of dimensions as input tensor");
    row(
        "gather too wide",
        [] {
            gather(ints({2, 3}), 0, zeros({1, 4}, {DType::Int64, {}}));
        },
        "INDEX-04",
        "Size does not match at dimension 1 expected index [1, 4] to be smaller than self [2, 3] apart from dimension "
        "0");
    row(
        "gather by int32",
        [] {
            gather(ints({2}), 0, zeros({1}, {DType::Int32, {}}));
        },
        "INDEX-02", "gather(): Expected dtype int64 for index");
    row(
        "scatter other dtype", [=] { scatter_(ints({2}), 0, i64({0}), tensorFrom({1.0})); }, "INDEX-05",
        "scatter(): Expected self.dtype to be equal to src.dtype");
    row(
        "scatter too few values",
        [=] {
            scatter_(ints({2, 3}), 0, i64({{1, 0}}), ints({1, 1}));
        },
        "INDEX-04",
        "Expected index [1, 2] to be smaller than self [2, 3] apart from dimension 0 and to be smaller size than src "
        "[1, 1]");
    row(
        "scatter a number that does not fit",
        [=] {
            scatter_(zeros({2}, {DType::UInt8, {}}), 0, i64({0}), Scalar(300));
        },
        "FILL-01", "value cannot be converted to type uint8_t without overflow");
    row(
        "take outside",
        [=] {
            take(ints({2, 3}), i64({6}));
        },
        "INDEX-01", "out of range: tried to access index 6 on a tensor of 6 elements.");
    row(
        "take from nothing", [=] { take(ints({0}), i64({0})); }, "INDEX-08",
        "take(): tried to take from an empty tensor");
    row(
        "put of other number",
        [=] {
            put_(ints({3}), i64({0, 1}), i64({5}));
        },
        "INDEX-06",
        "put_(): Expected source and index to have the same number of elements, but got source.numel() = 1, "
        "index.numel() = 2");
    row(
        "index_fill outside",
        [=] {
            indexFill_(ints({2, 3}), 1, i64({3}), Scalar(7));
        },
        "INDEX-01", "index 3 is out of bounds for dimension 1 with size 3");
    row(
        "index_fill with a vector", [=] { indexFill_(ints({3}), 0, i64({0}), i64({1})); }, "INDEX-07",
        "index_fill_ only supports a 0-dimensional value tensor, but got tensor with 1 dimension(s).");
    row(
        "index_copy other slice",
        [=] {
            indexCopy_(ints({2, 3}), 0, i64({1}), ints({1, 2}));
        },
        "INDEX-04", "");
    row(
        "index_copy outside",
        [=] {
            indexCopy_(ints({2, 3}), 0, i64({2}), ints({1, 3}));
        },
        "INDEX-01", "index_copy_(): index 2 is out of bounds for dimension 0 with size 2");
    row(
        "index_add of other dtype", [=] { indexAdd_(ints({2}), 0, i64({1}), tensorFrom({1.0})); }, "INDEX-05",
        "index_add_(): self (Long) and source (Float) must have the same scalar type");
    row(
        "index_add of other number",
        [=] {
            indexAdd_(ints({2}), 0, i64({1, 0}), ints({1}));
        },
        "INDEX-04", "index_add_(): Number of indices (2) should be equal to source.size(dim): (1), for dim: 0");
    row(
        "undefined", [=] { gather(Tensor(), 0, i64({1})); }, "TENSOR-02", "gather: the tensor is undefined");
}

void TestIndexing::refuses() {
    checkRefusal();
}

void TestIndexing::refusesOverlap() {
    const Tensor twice = expand(zeros({1, 3}, {DType::Int64, {}}), {2, 3}), index = tensorFrom({{1, 0, 1}});
    const auto id = [](auto action) {
        const auto refusal = refusalOf(action);
        return refusal ? refusal->id : std::string("none");
    };
    QCOMPARE(id([&] { scatter_(twice, 0, index, Scalar(1)); }), std::string("OVERLAP-01"));
    // One value everywhere is fine; see docs/decisions/0003-filling-repeated-elements.md.
    std::vector<std::string> warnings;
    const WarningSubscription listening([&](const std::string& message) { warnings.push_back(message); });
    QCOMPARE(id([&] { indexFill_(twice, 0, tensorFrom({0}), Scalar(7)); }), std::string("none"));
    QCOMPARE(elementsOf(twice), (std::vector<Scalar>{7, 7, 7, 7, 7, 7}));
    QCOMPARE(id([&] { maskedFill_(twice, eq(twice, 7), Scalar(8)); }), std::string("none"));
    QCOMPARE(elementsOf(twice), (std::vector<Scalar>{8, 8, 8, 8, 8, 8}));
    QCOMPARE(warnings.size(), std::size_t{2});
    QVERIFY(QString::fromStdString(warnings[0]).startsWith(QStringLiteral("Use of index_fill_ on expanded tensors")));
    QVERIFY(QString::fromStdString(warnings[1]).startsWith(QStringLiteral("Use of masked_fill_ on expanded tensors")));
    QCOMPARE(id([&] {
                 indexFill_(zeros({3}), 0, tensorFrom({0}), Scalar(Complex<double>{0, 1}));
             }),
             std::string("INDEX-05"));
    QCOMPARE(id([&] { put_(twice, tensorFrom({0}), tensorFrom({1})); }), std::string("OVERLAP-01"));
    const Tensor t = ints({4, 3});
    QCOMPARE(id([&] { scatter_(t, 0, narrow(t, 0, 0, 1), narrow(t, 0, 1, 1)); }), std::string("OVERLAP-03"));
    QCOMPARE(id([&] { indexCopy_(t, 0, tensorFrom({0}), narrow(t, 0, 1, 1)); }), std::string("OVERLAP-03"));
}

void TestIndexing::changesNothingOnRefusal() {
    const Tensor t = ints({2, 3});
    const auto before = bytesOf(t);
    const std::uint64_t version = t.storage()->version();
    QVERIFY(refusalOf([&] { scatter_(t, 1, tensorFrom({{0, 1, 7}}), ints({1, 3})); }));
    QVERIFY(refusalOf([&] { indexFill_(t, 0, tensorFrom({0, 5}), Scalar(9)); }));
    QVERIFY(refusalOf([&] { indexAdd_(t, 0, tensorFrom({0, 5}), ints({2, 3})); }));
    QVERIFY(refusalOf([&] { put_(t, tensorFrom({0, 6}), tensorFrom({9, 9})); }));
    QCOMPARE(bytesOf(t), before);
    QCOMPARE(t.storage()->version(), version);
}

void TestIndexing::publishes() {
    std::vector<OpRecord> records;
    const Tensor t = ints({2, 3}), index = tensorFrom({1});
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    indexSelect(t, 0, index);
    indexFill_(t, 1, index, Scalar(5));
    QCOMPARE(records.size(), std::size_t{2});
    const std::vector<std::string> names{"a", "i"};
    QCOMPARE(code::expression(records[0], names), std::string("a.index_select(0, i)"));
    QCOMPARE(code::expression(records[1], names), std::string("a.index_fill_(1, i, 5)"));
    QCOMPARE(records[0].effect, OpEffect::Alloc);
    QCOMPARE(records[1].effect, OpEffect::InPlace);
}

QTEST_GUILESS_MAIN(TestIndexing)
#include "tst_indexing.moc"
