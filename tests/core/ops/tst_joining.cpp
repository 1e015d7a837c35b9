// Joining, repeating, rolling and flipping against the definition of each element, over the zoo and every dtype.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/joining.h"
#include "core/ops/views.h"
#include "core/trace/code.h"
#include "tests/core/ops/operation_checks.h"
#include "tests/support/expect_elements.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

Scalar at(const Tensor& t, const Sizes& coord) {
    return readElement(t, coord);
}

/// Calls `check(tensor)` for every layout and dtype.
} // namespace

class TestJoining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void catAlongEveryDim();
    void catPromotes();
    void catSkipsEmptyVectors();
    void catIntoOutput();
    void stacks();
    void stacksAsNumPy();
    void repeats();
    void repeatsElements();
    void rolls();
    void flips();
    void turns();
    void splits();
    void refuses_data();
    void refuses();
    void publishes();
};

void TestJoining::catAlongEveryDim() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        for (Index dim = 0; dim < t.dim(); ++dim) {
            const auto d = static_cast<std::size_t>(dim);
            if (t.dim() == 1 && t.numel() == 0) continue; // skipped by cat, tested below
            const Tensor part = narrow(t, dim, 0, (t.size(dim) + 1) / 2);
            const Tensor got = cat({part, t}, dim - t.dim());
            Sizes shape = sizesOf(t);
            shape[d] += part.size(dim);
            verify(differenceFrom(got, shape,
                                  [&](Sizes coord) {
                                      if (coord[d] < part.size(dim)) return at(part, coord);
                                      coord[d] -= part.size(dim);
                                      return at(t, coord);
                                  }),
                   what);
            QVERIFY(got.isContiguous());
        }
    });
}

void TestJoining::catPromotes() {
    const Tensor bytes = tensorFrom({1, 2}, {DType::UInt8, {}}), signedBytes = tensorFrom({-1}, {DType::Int8, {}});
    const Tensor joined = cat({bytes, signedBytes});
    QCOMPARE(joined.dtype(), DType::Int16);
    QCOMPARE(elementsOf(joined), (std::vector<Scalar>{1, 2, -1}));
    QCOMPARE(cat({tensorFrom({1}), tensorFrom({true})}).dtype(), DType::Int64);
    QCOMPARE(cat({tensorFrom({1.5}), tensorFrom({2})}).dtype(), DType::Float32);
    const Tensor complex = cat({zeros({1}, {DType::Complex64, {}}), tensorFrom({2.5}, {DType::Float64, {}})});
    QCOMPARE(complex.dtype(), DType::Complex128);
    QCOMPARE(readElement(complex, Dims{1}).toDouble(), 2.5);
}

void TestJoining::catSkipsEmptyVectors() {
    const Tensor nothing = zeros({0}, {DType::Float64, {}});
    const Tensor got = cat({nothing, ints({2, 3}), nothing}, 1);
    QCOMPARE(got.shape(), (Dims{2, 3}));
    QCOMPARE(got.dtype(), DType::Float64); // its dtype counts
    QCOMPARE(cat({nothing, nothing}, 5).shape(), (Dims{0}));
}

void TestJoining::catIntoOutput() {
    const Tensor wide = zeros({4, 6}, {DType::Float64, {}});
    const Tensor out = slice(wide, 1, 0, 6, 2);
    catOut({ints({1, 3}), ints({3, 3})}, 0, out);
    QVERIFY(readElement(out, Dims{3, 2}) == Scalar(8.0));
    QVERIFY(readElement(wide, Dims{3, 1}) == Scalar(0.0));
    const Tensor base = ints({2, 3});
    const auto before = bytesOf(base);
    const auto overlap = refusalOf([&] { catOut({narrow(base, 0, 0, 1), narrow(base, 0, 0, 1)}, 0, base); });
    QVERIFY(overlap && overlap->id == "OVERLAP-03");
    const auto shape = refusalOf([&] { catOut({base}, 0, zeros({3, 3}, {DType::Int64, {}})); });
    QVERIFY(shape && shape->id == "SHAPE-OUT");
    const auto cast = refusalOf([&] { catOut({tensorFrom({1.5})}, 0, zeros({1}, {DType::Int64, {}})); });
    QVERIFY(cast && cast->id == "CAST-01");
    const auto twice = refusalOf([&] { catOut({ints({1, 3}), ints({1, 3})}, 0, expand(zeros({1, 3}), {2, 3})); });
    QVERIFY(twice && twice->id == "OVERLAP-01");
    QCOMPARE(bytesOf(base), before);
}

void TestJoining::stacks() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        for (Index dim = 0; dim <= t.dim(); ++dim) {
            Sizes shape = sizesOf(t);
            shape.insert(shape.begin() + dim, 3);
            const Tensor got = stack({t, t, t}, dim);
            verify(differenceFrom(got, shape,
                                  [&](Sizes coord) {
                                      coord.erase(coord.begin() + dim);
                                      return at(t, coord);
                                  }),
                   what);
        }
    });
}

void TestJoining::stacksAsNumPy() {
    const Tensor number = tensorFrom(7), row = tensorFrom({1, 2});
    QCOMPARE(hstack({number, row}).shape(), (Dims{3}));
    QCOMPARE(vstack({row, row}).shape(), (Dims{2, 2}));
    QCOMPARE(dstack({row, row}).shape(), (Dims{1, 2, 2}));
    QCOMPARE(columnStack({row, row}).shape(), (Dims{2, 2}));
    QCOMPARE(elementsOf(columnStack({row, tensorFrom({3, 4})})), (std::vector<Scalar>{1, 3, 2, 4}));
    QCOMPARE(hstack({ints({2, 2}), ints({2, 1})}).shape(), (Dims{2, 3}));
}

void TestJoining::repeats() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        if (t.dim() > 4 || t.numel() > 1000) return;
        Dims times{2};
        for (Index d = 0; d < t.dim(); ++d) times.push_back(d % 2 == 0 ? 3 : 1);
        Sizes shape;
        for (std::size_t d = 0; d < times.size(); ++d) shape.push_back(times[d] * (d == 0 ? 1 : t.shape()[d - 1]));
        const auto wanted = [&](const Sizes& coord) {
            Sizes own;
            for (std::size_t d = 1; d < coord.size(); ++d) own.push_back(coord[d] % t.shape()[d - 1]);
            return at(t, own);
        };
        verify(differenceFrom(repeat(t, times), shape, wanted), what);
        verify(differenceFrom(tile(t, times), shape, wanted), what);
    });
    QCOMPARE(tile(ints({2, 3}), {2}).shape(), (Dims{2, 6}));
    QCOMPARE(repeat(ints({2, 3}), {0, 2}).shape(), (Dims{0, 6}));
}

void TestJoining::repeatsElements() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        for (Index dim = 0; dim < t.dim(); ++dim) {
            const auto d = static_cast<std::size_t>(dim);
            Sizes shape = sizesOf(t);
            shape[d] *= 3;
            verify(differenceFrom(repeatInterleave(t, 3, dim), shape,
                                  [&](Sizes coord) {
                                      coord[d] /= 3;
                                      return at(t, coord);
                                  }),
                   what);
        }
        QCOMPARE(repeatInterleave(t, 2).shape(), (Dims{2 * t.numel()}));
    });
    const Tensor counts = tensorFrom({2, 0, 1});
    QCOMPARE(elementsOf(repeatInterleave(counts)), (std::vector<Scalar>{0, 0, 2}));
    QCOMPARE(elementsOf(repeatInterleave(tensorFrom({5, 6, 7}), counts)), (std::vector<Scalar>{5, 5, 7}));
    QCOMPARE(elementsOf(repeatInterleave(ints({2, 3}), counts, 1)), (std::vector<Scalar>{0, 0, 2, 3, 3, 5}));
    QCOMPARE(elementsOf(repeatInterleave(ints({2}), tensorFrom({2}), 0)), (std::vector<Scalar>{0, 0, 1, 1}));
}

void TestJoining::rolls() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        const Sizes shape = sizesOf(t);
        for (const Index shift : {1, -2, 7}) {
            for (Index dim = 0; dim < t.dim(); ++dim) {
                const auto d = static_cast<std::size_t>(dim);
                verify(differenceFrom(roll(t, {shift, shift}, {dim, 0}), shape,
                                      [&](Sizes coord) {
                                          for (const std::size_t e : {d, std::size_t{0}})
                                              coord[e] = ((coord[e] - shift) % shape[e] + shape[e]) % shape[e];
                                          return at(t, coord);
                                      }),
                       what);
            }
            const std::vector<Scalar> flat = elementsOf(t), got = elementsOf(roll(t, {shift}));
            const auto n = static_cast<Index>(flat.size());
            for (Index i = 0; i < n; ++i)
                QVERIFY(got[static_cast<std::size_t>(i)] == flat[static_cast<std::size_t>(((i - shift) % n + n) % n)]);
        }
    });
}

void TestJoining::flips() {
    overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        const Sizes shape = sizesOf(t);
        for (Index dim = 0; dim < t.dim(); ++dim) {
            const auto d = static_cast<std::size_t>(dim);
            const bool other = t.dim() > 1;
            const std::size_t e = d == 0 ? 1 : 0;
            const Dims dims = other ? Dims{dim, static_cast<Index>(e) - t.dim()} : Dims{dim};
            verify(differenceFrom(flip(t, dims), shape,
                                  [&](Sizes coord) {
                                      coord[d] = shape[d] - 1 - coord[d];
                                      if (other) coord[e] = shape[e] - 1 - coord[e];
                                      return at(t, coord);
                                  }),
                   what);
        }
    });
    const Tensor turned = transpose(ints({2, 3}), 0, 1);
    QCOMPARE(flip(turned, {0}).stride(), (Dims{1, 3})); // laid out as it was
    QCOMPARE(elementsOf(fliplr(ints({2, 2}))), (std::vector<Scalar>{1, 0, 3, 2}));
    QCOMPARE(elementsOf(flipud(ints({2, 2}))), (std::vector<Scalar>{2, 3, 0, 1}));
}

void TestJoining::turns() {
    const Tensor t = ints({2, 3});
    QCOMPARE(elementsOf(rot90(t)), (std::vector<Scalar>{2, 5, 1, 4, 0, 3}));
    QCOMPARE(rot90(t).stride(), (Dims{1, 3}));
    QCOMPARE(elementsOf(rot90(t, 2)), (std::vector<Scalar>{5, 4, 3, 2, 1, 0}));
    QCOMPARE(elementsOf(rot90(t, -1)), (std::vector<Scalar>{3, 0, 4, 1, 5, 2}));
    QCOMPARE(elementsOf(rot90(t, 4)), elementsOf(t));
    QVERIFY(rot90(t, 4).storage() != t.storage());
}

void TestJoining::splits() {
    const Tensor t = ints({7});
    std::vector<Index> sizes;
    for (const Tensor& part : tensorSplit(t, 3)) {
        sizes.push_back(part.numel());
        QVERIFY(part.storage() == t.storage());
    }
    QCOMPARE(sizes, (std::vector<Index>{3, 2, 2}));
    const std::vector<Tensor> cut = tensorSplit(t, Dims{1, 3, 20});
    QCOMPARE(cut.size(), std::size_t{4});
    QCOMPARE(elementsOf(cut[1]), (std::vector<Scalar>{1, 2}));
    QCOMPARE(cut[3].numel(), Index{0});
}

void TestJoining::refuses_data() {
    addRefusalColumns();
    const auto row = addRefusal;
    row(
        "cat of nothing", [] { cat({}); }, "JOIN-01", "torch.cat(): expected a non-empty list of Tensors");
    row(
        "cat of a number",
        [] {
            cat({tensorFrom(1), ints({2})});
        },
        "JOIN-02", "zero-dimensional tensor (at position 0) cannot be concatenated");
    row(
        "cat of other dims",
        [] {
            cat({ints({2}), ints({2, 3})});
        },
        "JOIN-03", "Tensors must have same number of dimensions: got 1 and 2");
    row(
        "cat of other sizes",
        [] {
            cat({ints({2, 3}), ints({3, 4})});
        },
        "JOIN-04",
        "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in "
        "the list.");
    row(
        "cat along no dim", [] { cat({ints({2})}, 1); }, "VIEW-01",
        "Dimension out of range (expected to be in range of [-1, 0], but got 1)");
    row(
        "cat of undefined", [] { cat({Tensor()}); }, "TENSOR-02", "cat: the tensor is undefined");
    row(
        "stack of other shapes",
        [] {
            stack({ints({2}), ints({3})});
        },
        "JOIN-05", "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1");
    row(
        "hstack of nothing", [] { hstack({}); }, "JOIN-01", "hstack expects a non-empty TensorList");
    row(
        "repeat too few",
        [] {
            repeat(ints({2, 3}), {2});
        },
        "JOIN-06", "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
    row(
        "repeat negative",
        [] {
            repeat(ints({2, 3}), {-1, 2});
        },
        "JOIN-07", "Trying to create tensor with negative dimension -2: [-2, 6]");
    row(
        "repeat too often", [] { repeat(ints({4}), {Index{1} << 62}); }, "JOIN-07", "");
    row(
        "repeat_interleave negative", [] { repeatInterleave(ints({3}), -1); }, "JOIN-07",
        "repeats can not be negative");
    row(
        "repeat_interleave other size",
        [] {
            repeatInterleave(ints({3}), tensorFrom({1, 2}));
        },
        "JOIN-08", "repeats must have the same size as input along dim");
    row(
        "repeat_interleave of floats", [] { repeatInterleave(ints({1}), tensorFrom({1.0})); }, "JOIN-08",
        "\"repeat_interleave_cpu\" not implemented for 'Float'");
    row(
        "roll without shifts", [] { roll(ints({3}), {}, {}); }, "JOIN-09", "`shifts` required");
    row(
        "roll out of step",
        [] {
            roll(ints({3}), {1, 2}, {0});
        },
        "JOIN-09", "shifts and dimensions must align. shifts: 2, dims:1");
    row(
        "roll along no dim", [] { roll(ints({3}), {1}, {1}); }, "VIEW-01", "");
    row(
        "flip a dim twice",
        [] {
            flip(ints({3}), {0, -1});
        },
        "VIEW-10", "dim 0 appears multiple times in the list of dims");
    row(
        "fliplr of a vector", [] { fliplr(ints({3})); }, "JOIN-11", "Input must be >= 2-d.");
    row(
        "rot90 of a vector", [] { rot90(ints({3})); }, "JOIN-10", "expected total dims >= 2, but got total dims = 1");
    row(
        "rot90 in one dim",
        [] {
            rot90(ints({2, 3}), 1, {0, -2});
        },
        "JOIN-10", "expected rotation dims to be different, but got dim0 = 0 and dim1 = -2");
    row(
        "tensor_split into very many", [] { tensorSplit(ints({3}), Index{1} << 62); }, "JOIN-12",
        "tensor_split makes at most 100000000 sections, got 4611686018427387904");
    row(
        "tensor_split into none", [] { tensorSplit(ints({3}), 0); }, "JOIN-12",
        "number of sections must be larger than 0, got 0");
}

void TestJoining::refuses() {
    checkRefusal();
}

void TestJoining::publishes() {
    std::vector<OpRecord> records;
    const Tensor t = ints({2, 3});
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    cat({t, t}, 1);
    flip(t, {0});
    rot90(t, 2);
    roll(t, {1}, {0});
    QCOMPARE(records.size(), std::size_t{4});
    const std::vector<std::string> names{"a", "b"};
    QCOMPARE(code::expression(records[0], names), std::string("torch.cat((a, b), 1)"));
    QCOMPARE(code::expression(records[1], names), std::string("a.flip((0,))"));
    QCOMPARE(code::expression(records[2], names), std::string("torch.rot90(a, 2)"));
    QCOMPARE(code::expression(records[3], names), std::string("a.roll(1, 0)"));
    QCOMPARE(records[0].effect, OpEffect::Alloc);
    QCOMPARE(records[0].bytesAllocated, Index{96});
    QCOMPARE(records[0].bytesRead, Index{96});
}

QTEST_GUILESS_MAIN(TestJoining)
#include "tst_joining.moc"
