// x[...] for reading and writing: views, and index tensors against a walk through all coords.

#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/subscript.h"
#include "core/ops/views.h"
#include "core/trace/code.h"
#include "tests/core/ops/operation_checks.h"
#include "tests/support/expect_elements.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

using Item = IndexItem;

std::vector<Scalar> numbers(std::initializer_list<Index> values) {
    return std::vector<Scalar>(values.begin(), values.end());
}

} // namespace

class TestSubscript : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void viewsOfNumbersAndSlices();
    void indexTensorsOverTheZoo();
    void masksOverTheZoo();
    void placesOfIndexDims_data();
    void placesOfIndexDims();
    void bools();
    void keepsLayout();
    void assigns();
    void assignsOverTheZoo();
    void refuses_data();
    void refuses();
    void changesNothingOnRefusal();
    void fillsRepeatedElements();
    void publishes();
};

void TestSubscript::viewsOfNumbersAndSlices() {
    const Tensor t = ints({2, 3, 4});
    const Tensor part = index(t, {1, Item::slice(0, 3, 2), Item::newDim(), -1});
    QVERIFY(part.storage() == t.storage());
    QCOMPARE(part.shape(), (Dims{2, 1}));
    QCOMPARE(elementsOf(part), numbers({15, 23}));
    QCOMPARE(elementsOf(index(t, {Item::ellipsis(), 0})), numbers({0, 4, 8, 12, 16, 20}));
    QCOMPARE(index(t, {tensorFrom(1), 2}).storageOffset(), Index{20}); // a 0-d index is a number
    QCOMPARE(index(t, {}).view(), t.view());
    QCOMPARE(index(tensorFrom(3), {Item::newDim()}).shape(), (Dims{1}));
    QCOMPARE(index(t, {Item::ellipsis(), Item::newDim(), Item::slice(1)}).shape(), (Dims{2, 3, 1, 3}));
    QCOMPARE(index(t, {Item::ellipsis(), Item::ellipsis()}).shape(), (Dims{2, 3, 4}));
    QCOMPARE(elementsOf(index(t, {0, Item::ellipsis(), 1, Item::ellipsis()})), numbers({1, 5, 9}));
    QCOMPARE(index(t, {Item::ellipsis(), tensorFrom({0}), Item::ellipsis()}).shape(), (Dims{2, 3, 1}));
}

void TestSubscript::indexTensorsOverTheZoo() {
    for (const ZooView& layout : zooViews()) {
        for (const DType dtype : kAllDTypes) {
            const Tensor t = zooTensor(layout, dtype);
            if (t.numel() == 0 || t.dim() == 0 || t.numel() > 1000) continue;
            const std::size_t last = t.shape().size() - 1;
            const Tensor rows = tensorFrom({{0, -1, 0}, {t.size(0) - 1, 0, -t.size(0)}});
            const auto row = [&](Index i, Index j) {
                const Index given = readElement(rows, Dims{i, j}).toInt();
                return given < 0 ? given + t.size(0) : given;
            };
            Sizes shape = sizesOf(t);
            shape.erase(shape.begin());
            shape.insert(shape.begin(), {2, 3});
            verify(differenceFrom(index(t, {rows}), shape,
                                  [&](Sizes coord) {
                                      Sizes own(coord.begin() + 1, coord.end());
                                      own[0] = row(coord[0], coord[1]);
                                      return readElement(t, own);
                                  }),
                   layout.name + ", first dim");
            // The first and the last dim together, slices between: the index dims come first.
            if (last == 0) continue;
            const Tensor columns = tensorFrom({t.size(-1) - 1});
            Sizes between(shape.begin() + 2, shape.end() - 1);
            between.insert(between.begin(), {2, 3});
            verify(differenceFrom(index(t, {rows, Item::ellipsis(), columns}), between,
                                  [&](const Sizes& coord) {
                                      Sizes own(coord.begin() + 1, coord.end());
                                      own[0] = row(coord[0], coord[1]);
                                      own.push_back(t.size(-1) - 1);
                                      return readElement(t, own);
                                  }),
                   layout.name + ", first and last dim");
        }
    }
}

void TestSubscript::masksOverTheZoo() {
    for (const ZooView& layout : zooViews()) {
        const Tensor t = zooTensor(layout, DType::Int32);
        if (t.numel() == 0 || t.dim() == 0) continue;
        const Tensor mask = gt(t, Scalar(0));
        std::vector<Scalar> wanted;
        for (const Scalar& value : elementsOf(t))
            if (value.toInt() > 0) wanted.push_back(value);
        QVERIFY2(elementsOf(index(t, {mask})) == wanted, layout.name.c_str());
        // A mask for the first dim only.
        const Tensor first = ge(arange(t.size(0)), Scalar(1));
        const Tensor got = index(t, {first});
        QCOMPARE(elementsOf(got), elementsOf(narrow(t, 0, 1, t.size(0) - 1)));
    }
    const Tensor t = ints({2, 3, 4});
    const Tensor mask = tensorFrom({{true, false, false}, {false, false, true}});
    QCOMPARE(index(t, {mask}).shape(), (Dims{2, 4}));
    QCOMPARE(elementsOf(index(t, {mask, 1})), numbers({1, 21}));
    QCOMPARE(elementsOf(index(t, {mask, tensorFrom({0, 3})})), numbers({0, 23}));
    QCOMPARE(elementsOf(index(ints({3}), {tensorFrom({1, 0, 1}, {DType::UInt8, {}})})), numbers({0, 2}));
}

void TestSubscript::placesOfIndexDims_data() {
    QTest::addColumn<std::vector<IndexItem>>("items");
    QTest::addColumn<std::vector<Index>>("shape");
    const Tensor two = tensorFrom({0, 1}), row = tensorFrom({{0, 1, 1}}), column = tensorFrom({{0}, {1}});
    const Item all = Item::slice();
    using Items = std::vector<IndexItem>;
    using Shape = std::vector<Index>;
    QTest::newRow("first") << Items{two} << Shape{2, 3, 4, 5};
    QTest::newRow("second") << Items{all, two} << Shape{2, 2, 4, 5};
    QTest::newRow("apart") << Items{two, all, two} << Shape{2, 3, 5};
    QTest::newRow("together") << Items{all, two, two} << Shape{2, 2, 5};
    QTest::newRow("broadcast") << Items{all, row, column} << Shape{2, 2, 3, 5};
    QTest::newRow("number and tensor apart") << Items{all, 0, all, two} << Shape{2, 4, 2};
    QTest::newRow("new dim between") << Items{all, two, Item::newDim(), two} << Shape{2, 2, 1, 5};
    QTest::newRow("ellipsis between") << Items{two, Item::ellipsis(), two} << Shape{2, 3, 4};
    QTest::newRow("none") << Items{tensorFrom({0}), tensorFrom({false, false, false})} << Shape{0, 4, 5};
}

void TestSubscript::placesOfIndexDims() {
    QFETCH(std::vector<IndexItem>, items);
    QFETCH(std::vector<Index>, shape);
    const Dims got = index(ints({2, 3, 4, 5}), items).shape();
    QCOMPARE(std::vector<Index>(got.begin(), got.end()), shape);
}

void TestSubscript::bools() {
    const Tensor t = ints({2, 3});
    QCOMPARE(index(t, {true}).shape(), (Dims{1, 2, 3}));
    QCOMPARE(index(t, {false}).shape(), (Dims{0, 2, 3}));
    QCOMPARE(index(t, {true, false}).shape(), (Dims{0, 2, 3}));
    QCOMPARE(index(t, {Item::slice(), true}).shape(), (Dims{2, 1, 3}));
    QVERIFY(index(t, {true}).storage() != t.storage());
    QCOMPARE(elementsOf(index(tensorFrom(3), {tensorFrom(true)})), numbers({3}));
    QCOMPARE(index(tensorFrom(3), {tensorFrom(false)}).shape(), (Dims{0}));
}

void TestSubscript::keepsLayout() {
    const Tensor turned = transpose(ints({2, 3, 4}), 0, 2);
    const Tensor two = tensorFrom({0, 1});
    QCOMPARE(index(turned, {two}).stride(), (Dims{6, 1, 3}));
    QCOMPARE(index(turned, {Item::slice(), two}).stride(), (Dims{1, 4, 8}));
}

void TestSubscript::assigns() {
    Tensor t = zeros({2, 3}, {DType::Int64, {}});
    setIndex(t, {0}, tensorFrom({1, 2, 3}));
    setIndex(t, {1, Item::slice(0, 2)}, Scalar(7));
    QCOMPARE(elementsOf(t), numbers({1, 2, 3, 7, 7, 0}));
    setIndex(t, {0, 0}, tensorFrom(5.7)); // converted as copy_ converts
    setIndex(t, {1}, tensorFrom({{{4, 5, 6}}}));
    QCOMPARE(elementsOf(t), numbers({5, 2, 3, 4, 5, 6}));
    setIndex(t, {gt(t, Scalar(4))}, Scalar(0));
    QCOMPARE(elementsOf(t), numbers({0, 2, 3, 4, 0, 0}));
    setIndex(t, {eq(t, Scalar(0))}, tensorFrom({7, 8, 9}));
    QCOMPARE(elementsOf(t), numbers({7, 2, 3, 4, 8, 9}));
    setIndex(t, {Item::slice(), tensorFrom({0, 2})}, tensorFrom({{1}, {6}}));
    QCOMPARE(elementsOf(t), numbers({1, 2, 1, 6, 8, 6}));
    setIndex(t, {tensorFrom({0, 0}), tensorFrom({1, 1})}, tensorFrom({5, 6})); // the last one stays
    QCOMPARE(readElement(t, Dims{0, 1}).toInt(), Index{6});
    setIndex(t, {false}, Scalar(99));
    setIndex(t, {true, 1}, Scalar(3));
    QCOMPARE(elementsOf(t), numbers({1, 6, 1, 3, 3, 3}));
    setIndex(t, {gt(t, Scalar(3))}, tensorFrom(2.5)); // one number through a mask may have any dtype
    QCOMPARE(readElement(t, Dims{0, 1}).toInt(), Index{2});
}

void TestSubscript::assignsOverTheZoo() {
    for (const ZooView& layout : zooViews()) {
        for (const DType dtype : kAllDTypes) {
            if (layout.overlaps || layout.view.numel() == 0 || layout.view.dim() == 0 || layout.view.numel() > 1000)
                continue;
            const Tensor t = zooTensor(layout, dtype), before = zooTensor(layout, dtype);
            Dims shape = t.shape();
            shape[0] = 2;
            const View spread = contiguousView(shape).valueOrThrow();
            const Tensor value(zooStorage(dtype, spread.numel() + 1), View{shape, spread.stride, 1}, dtype);
            setIndex(t, {tensorFrom({-1, 0})}, value);
            verify(differenceFrom(t, sizesOf(t),
                                  [&](Sizes coord) {
                                      const Index row = coord[0];
                                      if (row != 0 && row != t.size(0) - 1) return readElement(before, coord);
                                      coord[0] = row == 0 ? 1 : 0;
                                      return readElement(value, coord);
                                  }),
                   layout.name);
        }
    }
}

void TestSubscript::refuses_data() {
    QTest::addColumn<std::vector<IndexItem>>("items");
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("message");
    const Item all = Item::slice();
    const auto row = [](const char* name, std::vector<IndexItem> items, const char* id, const char* message) {
        QTest::newRow(name) << std::move(items) << QString::fromLatin1(id) << QString::fromLatin1(message);
    };
    row("number outside", {5}, "INDEX-01", "index 5 is out of bounds for dimension 0 with size 2");
    row("negative outside", {0, -4}, "INDEX-01", "index -4 is out of bounds for dimension 1 with size 3");
    row("too many", {0, 0, 0}, "INDEX-10", "too many indices for tensor of dimension 2");
    const Item dots = Item::ellipsis();
    row("number past two ellipses", {dots, dots, 0}, "INDEX-01",
        "index 0 is out of bounds for dimension 2 with size 0");
    row("slice past two ellipses", {dots, dots, Item::slice(0, 1)}, "VIEW-01", "");
    row("None past two ellipses", {dots, dots, Item::newDim()}, "VIEW-01", "");
    row("True past two ellipses", {dots, dots, true}, "VIEW-01", "");
    row("tensor past two ellipses", {dots, dots, tensorFrom({0})}, "INDEX-10",
        "too many indices for tensor of dimension 2 (got 3)");
    row("mask past two ellipses", {dots, dots, tensorFrom({true, true})}, "INDEX-10",
        "too many indices for tensor of dimension 2 (got 3)");
    row("step 0", {Item::slice(0, 2, 0)}, "VIEW-05", "");
    row("tensor outside", {tensorFrom({0, 5})}, "INDEX-01", "index 5 is out of bounds for dimension 0 with size 2");
    row("tensor outside dim 1", {all, tensorFrom({-4})}, "INDEX-01",
        "index -4 is out of bounds for dimension 1 with size 3");
    row("0-d tensor outside", {tensorFrom(5)}, "INDEX-01", "index 5 is out of bounds for dimension 0 with size 2");
    row("floats", {tensorFrom({1.0})}, "INDEX-11", "tensors used as indices must be long, byte or bool tensors");
    row("int32", {tensorFrom({1}, {DType::Int32, {}})}, "INDEX-11",
        "tensors used as indices must be long, byte or bool tensors");
    row("mask of another size", {tensorFrom({true, false, true})}, "INDEX-12",
        "The shape of the mask [3] at index 0 does not match the shape of the indexed tensor [2, 3] at index 0");
    row("no broadcast", {tensorFrom({0, 1}), tensorFrom({0, 1, 2})}, "INDEX-13",
        "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]");
    row("undefined", {Tensor()}, "TENSOR-02", "");
}

void TestSubscript::refuses() {
    QFETCH(std::vector<IndexItem>, items);
    QFETCH(QString, id);
    QFETCH(QString, message);
    const Tensor t = ints({2, 3});
    const auto before = bytesOf(t);
    for (const bool writes : {false, true}) {
        const auto refusal = refusalOf([&] { writes ? (void)setIndex(t, items, Scalar(1)) : (void)index(t, items); });
        QVERIFY(refusal);
        QCOMPARE(QString::fromStdString(refusal->id), id);
        if (!message.isEmpty()) QCOMPARE(QString::fromStdString(refusal->message), message);
    }
    QCOMPARE(bytesOf(t), before);
    const auto number = refusalOf([] { index(tensorFrom(3), {0}); });
    QVERIFY(number && number->id == "INDEX-10");
}

void TestSubscript::changesNothingOnRefusal() {
    const Tensor t = ints({2, 3});
    const auto before = bytesOf(t);
    const auto id = [](auto action) {
        const auto refusal = refusalOf(action);
        return refusal ? refusal->id : std::string("none");
    };
    QCOMPARE(id([&] { setIndex(t, {0}, tensorFrom({1, 2})); }), std::string("VIEW-20"));
    QCOMPARE(id([&] { setIndex(t, {tensorFrom({0})}, tensorFrom({1, 2})); }), std::string("INDEX-15"));
    QCOMPARE(id([&] { setIndex(t, {tensorFrom({0})}, tensorFrom({1.0})); }), std::string("INDEX-05"));
    QCOMPARE(id([&] { setIndex(t, {tensorFrom({0, 7})}, Scalar(1)); }), std::string("INDEX-01"));
    QCOMPARE(id([&] { setIndex(t, {0}, Scalar(Complex<double>{0, 1})); }), std::string("FILL-01"));
    QCOMPARE(id([&] { setIndex(t, {tensorFrom({0})}, select(t, 0, 0)); }), std::string("OVERLAP-03"));
    QCOMPARE(id([&] { setIndex(t, {tensorFrom({0})}, tensorFrom({1.0, 2.0})); }), std::string("INDEX-15"));
    QCOMPARE(bytesOf(t), before);
    const Tensor repeated = expand(zeros({1}), {3});
    const auto several = [&] { setIndex(repeated, {tensorFrom({0, 1})}, tensorFrom({1.0, 2.0})); };
    QCOMPARE(id(several), std::string("OVERLAP-01"));
    QCOMPARE(id([&] {
                 setIndex(repeated, {Item::ellipsis()}, tensorFrom({1.0, 2.0, 3.0}));
             }),
             std::string("OVERLAP-01"));
    QCOMPARE(elementsOf(repeated), (std::vector<Scalar>{0.0, 0.0, 0.0}));
}

/// Every order of the writes gives the same: docs/decisions/0003-filling-repeated-elements.md.
void TestSubscript::fillsRepeatedElements() {
    const Tensor t = expand(zeros({1}), {3});
    const auto all = [&] { return elementsOf(t); };
    setIndex(t, {Item::ellipsis()}, tensorFrom(5.0));
    QCOMPARE(all(), (std::vector<Scalar>{5.0, 5.0, 5.0}));
    setIndex(t, {Item::slice(0, 2)}, Scalar(6));
    QCOMPARE(all(), (std::vector<Scalar>{6.0, 6.0, 6.0}));
    setIndex(t, {tensorFrom({0, 2})}, Scalar(7));
    QCOMPARE(all(), (std::vector<Scalar>{7.0, 7.0, 7.0}));
    setIndex(t, {tensorFrom({true, false, true})}, Scalar(8));
    QCOMPARE(all(), (std::vector<Scalar>{8.0, 8.0, 8.0}));
}

void TestSubscript::publishes() {
    std::vector<OpRecord> records;
    const Tensor t = ints({2, 3}), rows = tensorFrom({1}), value = tensorFrom({7, 8, 9});
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    index(t, {0, Item::slice(1, std::nullopt, 2)});
    index(t, {rows, Item::newDim(), Item::ellipsis(), true});
    setIndex(t, {rows}, value);
    setIndex(t, {Item::slice(), 0}, Scalar(4));
    QCOMPARE(records.size(), std::size_t{4});
    const std::vector<std::string> names{"t", "i", "v"};
    QCOMPARE(code::expression(records[0], names), std::string("t[0, 1::2]"));
    QCOMPARE(code::expression(records[1], names), std::string("t[i, None, ..., True]"));
    QCOMPARE(code::expression(records[2], names), std::string("t[i] = v"));
    QCOMPARE(code::expression(records[3], names), std::string("t[:, 0] = 4"));
    QCOMPARE(records[0].effect, OpEffect::View);
    QCOMPARE(records[1].effect, OpEffect::Alloc);
    QCOMPARE(records[2].effect, OpEffect::InPlace);
}

QTEST_GUILESS_MAIN(TestSubscript)
#include "tst_subscript.moc"
