// Masks, where and nonzero against the definition of each element, over the zoo and every dtype.

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/trace/code.h"
#include "tests/core/ops/operation_checks.h"
#include "tests/support/expect_elements.h"

#include <QTest>

#include <array>
#include <limits>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// Masks for a shape: one of its own layout, and one with a dim less that broadcasts.
std::vector<Tensor> masksFor(const ZooView& layout) {
    std::vector<Tensor> masks{zooTensor(layout, DType::Bool)};
    if (layout.view.dim() > 0) {
        masks.push_back(zooTensor(layout, DType::Bool));
        masks[1] = select(masks[1], 0, 0);
    }
    return masks;
}

bool truthAt(const Tensor& mask, const Sizes& coord) {
    Sizes own(coord.end() - static_cast<std::ptrdiff_t>(mask.dim()), coord.end());
    for (std::size_t d = 0; d < own.size(); ++d)
        if (mask.shape()[d] == 1) own[d] = 0;
    return readElement(mask, own).toBool();
}

bool isZero(const Scalar& value) {
    return value.toDouble() == 0 && value.imag() == 0;
}

} // namespace

class TestMasking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void selectsFillsAndScatters();
    void masksThemselves();
    void choosesBetween();
    void choosesTypeAndLayout();
    void findsNonzero();
    void largeOnManyThreads();
    void refuses_data();
    void refuses();
    void publishes();
};

void TestMasking::selectsFillsAndScatters() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        if (layout.view.numel() == 0) return;
        for (const Tensor& mask : masksFor(layout)) {
            const Tensor t = zooTensor(layout, dtype);
            std::vector<Scalar> selected;
            forEachCoord(sizesOf(t), [&](const Sizes& coord) {
                if (truthAt(mask, coord)) selected.push_back(readElement(t, coord));
            });
            QVERIFY2(elementsOf(maskedSelect(t, mask)) == selected, what.c_str());
            verify(differenceFrom(maskedFill(t, mask, Scalar(1)), sizesOf(t),
                                  [&](const Sizes& c) { return truthAt(mask, c) ? Scalar(1) : readElement(t, c); }),
                   what);
            if (layout.overlaps) continue;
            const Tensor filled = zooTensor(layout, dtype);
            maskedFill_(filled, mask, Scalar(1));
            verify(differenceFrom(filled, sizesOf(t),
                                  [&](const Sizes& c) { return truthAt(mask, c) ? Scalar(1) : readElement(t, c); }),
                   what);
            const Tensor source(zooStorage(dtype, t.numel() + 3), View{{t.numel()}, {1}, 3}, dtype);
            const Tensor scattered = zooTensor(layout, dtype);
            maskedScatter_(scattered, mask, source);
            Index next = 0;
            verify(differenceFrom(scattered, sizesOf(t),
                                  [&](const Sizes& c) {
                                      return truthAt(mask, c) ? readElement(source, Dims{next++}) : readElement(t, c);
                                  }),
                   what);
            next = 0;
            verify(differenceFrom(maskedScatter(t, mask, source), sizesOf(t),
                                  [&](const Sizes& c) {
                                      return truthAt(mask, c) ? readElement(source, Dims{next++}) : readElement(t, c);
                                  }),
                   what);
            const std::vector<std::byte> all = bytesOf(scattered);
            QCOMPARE(all.size(), bytesOf(t).size());
        }
    });
    const Tensor numbers = tensorFrom({1, 2, 3}), bytes = tensorFrom({0, 1, 1}, {DType::UInt8, {}});
    QCOMPARE(elementsOf(maskedSelect(numbers, bytes)), (std::vector<Scalar>{2, 3}));
    QCOMPARE(maskedSelect(zeros({2, 0}), zeros({2, 0}, {DType::Bool, {}})).shape(), (Dims{0}));
}

void TestMasking::masksThemselves() {
    overTheZoo(std::array{DType::Bool, DType::UInt8}, [](const ZooView& layout, DType dtype, const std::string& what) {
        if (layout.overlaps) return;
        const Tensor pattern = to(gt(zooTensor(layout, DType::Int32), 3), dtype), t = zooTensor(layout, dtype);
        copy_(t, pattern);
        maskedFill_(t, t, Scalar(0));
        QVERIFY2(!item(any(t)).toBool(), what.c_str());
        copy_(t, pattern);
        maskedScatter_(t, t, zeros({t.numel()}, {dtype, Device{}}));
        QVERIFY2(!item(any(t)).toBool(), what.c_str());
    });
    const Tensor t = ones({2, 2}, {DType::Bool, Device{}});
    const auto across = refusalOf([&] { maskedFill_(t, transpose(t, 0, 1), Scalar(0)); });
    QVERIFY(across && across->id == "OVERLAP-03");
    QVERIFY(refusalOf([&] { maskedScatter_(t, ones({2, 2}, {DType::Bool, Device{}}), t); }));
}

void TestMasking::choosesBetween() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        if (layout.view.numel() == 0) return;
        for (const Tensor& mask : masksFor(layout)) {
            const Tensor a = zooTensor(layout, dtype);
            const Tensor b(zooStorage(dtype, a.storageNumel() + 1), View{a.shape(), a.stride(), a.storageOffset() + 1},
                           dtype);
            const Tensor got = where(mask, a, b);
            QCOMPARE(got.dtype(), dtype);
            verify(differenceFrom(
                       got, sizesOf(a),
                       [&](const Sizes& c) { return truthAt(mask, c) ? readElement(a, c) : readElement(b, c); }),
                   what);
            verify(differenceFrom(where(mask, Scalar(true), a), sizesOf(a),
                                  [&](const Sizes& c) { return truthAt(mask, c) ? Scalar(1) : readElement(a, c); }),
                   what);
        }
    });
}

void TestMasking::choosesTypeAndLayout() {
    const Tensor mask = tensorFrom({{true, false, true}, {false, true, false}});
    const Tensor whole = view(arange(6), {2, 3});
    QCOMPARE(where(mask, whole, Scalar(2.5)).dtype(), DType::Float32);
    QCOMPARE(elementsOf(where(mask, whole, Scalar(0.5))), (std::vector<Scalar>{0.0, 0.5, 2.0, 0.5, 4.0, 0.5}));
    QCOMPARE(where(mask, Scalar(1), Scalar(2)).dtype(), DType::Int64);
    QCOMPARE(elementsOf(where(mask, Scalar(1), Scalar(2))), (std::vector<Scalar>{1, 2, 1, 2, 1, 2}));
    QCOMPARE(where(mask, to(whole, DType::Int16), to(whole, DType::UInt8)).dtype(), DType::Int16);
    const Tensor turned = transpose(whole, 0, 1);
    QCOMPARE(where(transpose(mask, 0, 1), turned, turned).stride(), (Dims{1, 3}));
    QCOMPARE(where(tensorFrom({true}), whole, tensorFrom(7)).shape(), (Dims{2, 3}));
}

void TestMasking::findsNonzero() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        std::vector<Sizes> coords;
        forEachCoord(sizesOf(t), [&](const Sizes& coord) {
            if (!isZero(readElement(t, coord))) coords.push_back(coord);
        });
        const Tensor got = nonzero(t);
        verify(differenceFrom(got, {static_cast<Index>(coords.size()), t.dim()},
                              [&](const Sizes& c) {
                                  return Scalar(coords[static_cast<std::size_t>(c[0])][static_cast<std::size_t>(c[1])]);
                              }),
               what);
        QCOMPARE(elementsOf(argwhere(t)), elementsOf(got));
        if (t.dim() == 0) return;
        const std::vector<Tensor> tuple = nonzeroTuple(t);
        QCOMPARE(static_cast<Index>(tuple.size()), t.dim());
        for (Index d = 0; d < t.dim(); ++d)
            QCOMPARE(elementsOf(tuple[static_cast<std::size_t>(d)]), elementsOf(select(got, 1, d)));
    });
    QCOMPARE(nonzero(tensorFrom({{0, 1}, {2, 3}})).stride(), (Dims{1, 3}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(elementsOf(nonzero(tensorFrom({nan, 0.0, -0.0}))), (std::vector<Scalar>{0}));
    QCOMPARE(nonzero(tensorFrom(3)).shape(), (Dims{1, 0}));
    QCOMPARE(elementsOf(where(tensorFrom(true))[0]), (std::vector<Scalar>{0}));
}

void TestMasking::largeOnManyThreads() {
    const int before = numThreads();
    setNumThreads(4);
    const Tensor t = view(arange(700000), {700, 1000});
    const Tensor mask = gt(t, Scalar(123456));
    const Tensor selected = maskedSelect(t, mask);
    QCOMPARE(selected.numel(), Index{700000 - 123457});
    bool right = true;
    for (Index i = 0; i < selected.numel(); ++i) right &= selected.data<Index>()[i] == 123457 + i;
    QVERIFY(right);
    const Tensor found = nonzero(mask);
    right = found.size(0) == selected.numel();
    for (Index i = 0; i < found.size(0); ++i) {
        const Index flat = 123457 + i;
        right &= found.data<Index>()[i] == flat / 1000 && found.data<Index>()[found.size(0) + i] == flat % 1000;
    }
    QVERIFY(right);
    const Tensor target = zeros({700, 1000}, {DType::Int64, {}});
    maskedScatter_(target, mask, selected);
    const Tensor chosen = where(mask, t, Scalar(0));
    QCOMPARE(bytesOf(target), bytesOf(chosen));
    setNumThreads(before);
}

void TestMasking::refuses_data() {
    addRefusalColumns();
    const auto row = addRefusal;
    const Tensor mask = tensorFrom({true, false, true});
    row(
        "select by numbers", [] { maskedSelect(arange(3), arange(3)); }, "MASK-01",
        "masked_select: expected BoolTensor or ByteTensor for mask");
    row(
        "select other size", [=] { maskedSelect(arange(2), mask); }, "VIEW-34",
        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0");
    row(
        "fill by numbers", [] { maskedFill_(arange(3), arange(3), Scalar(1)); }, "MASK-01",
        "Mask tensor can take 0 and 1 values only");
    row(
        "fill by fractions", [] { maskedFill_(arange(3), zeros({3}), Scalar(1)); }, "MASK-01",
        "masked_fill_ only supports boolean masks, but got mask with dtype Float");
    row(
        "fill by large bytes",
        [] {
            maskedFill_(arange(1), tensorFrom({7}, {DType::UInt8, {}}), Scalar(1));
        },
        "MASK-01", "Mask tensor can take 0 and 1 values only");
    row(
        "fill with a vector", [=] { maskedFill_(arange(3), mask, arange(3)); }, "MASK-02",
        "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with 1 dimension(s).");
    row(
        "fill what does not fit",
        [=] {
            maskedFill_(zeros({3}, {DType::UInt8, {}}), mask, Scalar(300));
        },
        "FILL-01", "value cannot be converted to type uint8_t without overflow");
    row(
        "fill by a larger mask", [=] { maskedFill_(tensorFrom(1), mask, Scalar(1)); }, "SHAPE-OUT", "");
    row(
        "select by other bytes than 0 and 1",
        [] {
            (void)maskedSelect(arange(3), tensorFrom({0, 2, 1}, {DType::UInt8, {}}));
        },
        "MASK-01", "Mask tensor can take 0 and 1 values only");
    row(
        "fill by its own bytes",
        [] {
            const Tensor t = zeros({4}, {DType::Bool, {}});
            maskedFill_(narrow(t, 0, 0, 3), narrow(t, 0, 1, 3), Scalar(1));
        },
        "OVERLAP-03", "");
    row(
        "scatter too few", [=] { maskedScatter_(arange(3), mask, arange(1)); }, "MASK-03",
        "Number of elements of source < number of ones in mask");
    row(
        "scatter other dtype", [=] { maskedScatter_(arange(3), mask, zeros({3})); }, "MASK-04",
        "masked_scatter: expected self and source to have same dtypes but gotLong and Float");
    row(
        "where by numbers", [] { where(arange(3), arange(3), arange(3)); }, "MASK-01",
        "where expected condition to be a boolean tensor, but got a tensor with dtype Long");
    row(
        "where of other sizes", [=] { where(mask, arange(3), arange(2)); }, "VIEW-34", "");
    row(
        "nonzero of undefined", [] { nonzero(Tensor()); }, "TENSOR-02", "nonzero: the tensor is undefined");
}

void TestMasking::refuses() {
    checkRefusal();
}

void TestMasking::publishes() {
    std::vector<OpRecord> records;
    const Tensor t = arange(3), mask = tensorFrom({true, false, true});
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    where(mask, t, Scalar(0));
    where(mask, Scalar(1), t);
    maskedFill_(t, mask, Scalar(5));
    where(mask);
    QCOMPARE(records.size(), std::size_t{4});
    const std::vector<std::string> names{"m", "t"};
    QCOMPARE(code::expression(records[0], names), std::string("torch.where(m, t, 0)"));
    QCOMPARE(code::expression(records[1], names), std::string("torch.where(m, 1, t)"));
    QCOMPARE(code::expression(records[2], std::vector<std::string>{"t", "m"}), std::string("t.masked_fill_(m, 5)"));
    QCOMPARE(code::expression(records[3], names), std::string("torch.where(m)"));
}

QTEST_GUILESS_MAIN(TestMasking)
#include "tst_masking.moc"
