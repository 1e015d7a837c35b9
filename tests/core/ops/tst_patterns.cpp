// Ranges, triangles, diagonals, grids and choices against the definition of each element.

#include "core/ops/creation.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/trace/code.h"
#include "tests/core/ops/operation_checks.h"
#include "tests/support/expect_elements.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace stridescope;
using namespace stridescope::test;

namespace {

std::vector<double> doublesOf(const Tensor& t) {
    std::vector<double> values;
    for (const Scalar& value : elementsOf(t)) values.push_back(value.toDouble());
    return values;
}

} // namespace

class TestPatterns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void evenlySpaced();
    void spacedPowers();
    void countedToTheEnd();
    void identity();
    void trianglesOverTheZoo();
    void diagonalsOverTheZoo();
    void triangleIndices();
    void grids();
    void choices();
    void inTheImageOfAnother();
    void refuses_data();
    void refuses();
    void publishes();
};

void TestPatterns::evenlySpaced() {
    // Values as PyTorch gives them, bit for bit.
    QCOMPARE(doublesOf(linspace(2, 10, 4)), (std::vector<double>{2, 4.6666669845581055, 7.3333330154418945, 10}));
    QCOMPARE(
        doublesOf(linspace(2, 10, 7, {DType::Float64, {}})),
        (std::vector<double>{2, 3.333333333333333, 4.666666666666666, 6, 7.333333333333334, 8.666666666666666, 10}));
    QCOMPARE(elementsOf(linspace(0, 10, 5, {DType::Int64, {}})), (std::vector<Scalar>{0, 2, 5, 7, 10}));
    QCOMPARE(elementsOf(linspace(-5, 5, 7, {DType::Int8, {}})), (std::vector<Scalar>{-5, -3, -1, 0, 1, 3, 5}));
    QCOMPARE(elementsOf(linspace(3, 9, 1)), (std::vector<Scalar>{3.0}));
    QCOMPARE(linspace(0, 1, 0).shape(), (Dims{0}));
    QCOMPARE(linspace(Scalar(0), Scalar(Complex<double>{0, 1}), 3).dtype(), DType::Complex64);
    for (const DType dtype : {DType::Float16, DType::Float32, DType::Float64}) {
        const Tensor many = linspace(-3, 8, 1000, {dtype, {}});
        const double close = dtype == DType::Float16 ? 0.06 : 1e-5;
        for (Index i = 0; i < 1000; ++i)
            QVERIFY(std::abs(readElement(many, Dims{i}).toDouble() - (-3 + 11.0 * double(i) / 999)) < close);
        QVERIFY(readElement(many, Dims{999}).toDouble() == 8);
    }
}

void TestPatterns::countedToTheEnd() {
    QCOMPARE(doublesOf(range(0, 3)), (std::vector<double>{0, 1, 2, 3}));
    QCOMPARE(range(0, 3).dtype(), DType::Float32);
    QCOMPARE(doublesOf(range(1, 2, 0.25, {DType::Float64, {}})), (std::vector<double>{1, 1.25, 1.5, 1.75, 2}));
    QCOMPARE(elementsOf(range(5, 0, -2, {DType::Int32, {}})), (std::vector<Scalar>{5, 3, 1}));
    QCOMPARE(elementsOf(range(0.9, 2.9, 1.5, {DType::Int64, {}})), (std::vector<Scalar>{0, 1, 2}));
    QCOMPARE(elementsOf(range(0, 300, 100, {DType::UInt8, {}})), (std::vector<Scalar>{0, 100, 200, 44}));
    const std::int64_t far = std::numeric_limits<std::int64_t>::max();
    QCOMPARE(elementsOf(range(-far, far, far, {DType::Int64, {}})), (std::vector<Scalar>{-far, 0, far}));
    const Tensor many = range(0, 100000, 1, {DType::Int64, {}});
    QCOMPARE(many.numel(), Index{100001});
    QVERIFY(readElement(many, Dims{100000}) == Scalar(100000));
    std::vector<OpRecord> records;
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    range(0, 3, 1, {DType::Int64, {}});
    QCOMPARE(records.size(), 1U);
    QCOMPARE(code::expression(records[0], std::vector<std::string>()),
             std::string("torch.range(0, 3, dtype=torch.int64)"));
}

void TestPatterns::spacedPowers() {
    const std::vector<double> values = doublesOf(logspace(2, 10, 4, 10, {DType::Float64, {}}));
    for (std::size_t i = 0; i < 4; ++i)
        QVERIFY(std::abs(values[i] / std::pow(10, 2 + 8.0 * double(i) / 3) - 1) < 1e-14);
    QCOMPARE(elementsOf(logspace(0, 5, 6, 3, {DType::Int32, {}})), (std::vector<Scalar>{1, 3, 9, 27, 81, 243}));
    QCOMPARE(doublesOf(logspace(2, 10, 4)), (std::vector<double>{100, 46415.88671875, 21544346, 10000000000}));
}

void TestPatterns::identity() {
    for (const DType dtype : kAllDTypes) {
        verify(
            differenceFrom(eye(3, 5, {dtype, {}}), {3, 5}, [](const Sizes& c) { return Scalar(c[0] == c[1] ? 1 : 0); }),
            "eye");
    }
    QCOMPARE(eye(0).shape(), (Dims{0, 0}));
    QCOMPARE(eye(2).dtype(), DType::Float32);
}

void TestPatterns::trianglesOverTheZoo() {
    for (const ZooView& layout : zooViews()) {
        if (layout.view.dim() < 2) continue;
        for (const DType dtype : kAllDTypes) {
            if (layout.view.numel() > 1000 && dtype != DType::Float32) continue;
            for (const Index k : {-100, -1, 0, 2, 100}) {
                const Tensor t = zooTensor(layout, dtype);
                const auto keeps = [&](const Sizes& c, bool lower) {
                    const Index row = c[c.size() - 2], column = c.back();
                    return lower ? column <= row + k : column >= row + k;
                };
                for (const bool lower : {false, true}) {
                    const auto wanted = [&](const Sizes& c) { return keeps(c, lower) ? readElement(t, c) : Scalar(0); };
                    const Tensor got = lower ? tril(t, k) : triu(t, k);
                    QVERIFY(got.isContiguous());
                    verify(differenceFrom(got, sizesOf(t), wanted), layout.name);
                    if (layout.overlaps) continue;
                    const Tensor written = zooTensor(layout, dtype);
                    lower ? tril_(written, k) : triu_(written, k);
                    verify(differenceFrom(written, sizesOf(t), wanted), layout.name);
                }
            }
        }
    }
}

void TestPatterns::diagonalsOverTheZoo() {
    for (const ZooView& layout : zooViews()) {
        for (const DType dtype : kAllDTypes) {
            const Tensor t = zooTensor(layout, dtype);
            if (t.numel() > 200) continue;
            for (const Index k : {-2, 0, 1}) {
                const Index shift = std::abs(k);
                if (t.dim() == 1) {
                    const Index n = t.size(0) + shift;
                    verify(differenceFrom(diag(t, k), {n, n},
                                          [&](const Sizes& c) {
                                              return c[1] - c[0] == k ? readElement(t, Dims{std::min(c[0], c[1])})
                                                                      : Scalar(0);
                                          }),
                           layout.name);
                }
                if (t.dim() == 2 && t.numel() != 0) {
                    const Tensor line = diag(t, k);
                    QVERIFY(line.storage() != t.storage());
                    verify(
                        differenceFrom(line, sizesOf(diagonal(t, k)),
                                       [&](const Sizes& c) {
                                           return readElement(t, Dims{c[0] + (k < 0 ? -k : 0), c[0] + (k > 0 ? k : 0)});
                                       }),
                        layout.name);
                }
                if (t.dim() >= 1 && t.dim() <= 3) {
                    Sizes shape = sizesOf(t);
                    shape.back() += shift;
                    shape.insert(shape.begin(), shape.back());
                    verify(differenceFrom(diagEmbed(t, k, 0, -1), shape,
                                          [&](Sizes c) {
                                              const Index row = c[0], column = c.back();
                                              c.erase(c.begin());
                                              c.back() = std::min(row, column);
                                              return column - row == k ? readElement(t, c) : Scalar(0);
                                          }),
                           layout.name);
                }
            }
            const Index n = t.numel() + 1;
            QCOMPARE(diagflat(t, 1).shape(), (Dims{n, n}));
        }
    }
}

void TestPatterns::triangleIndices() {
    for (const bool lower : {false, true}) {
        for (const Index k : {-3, -1, 0, 1, 4}) {
            std::vector<Scalar> rows, columns;
            for (Index r = 0; r < 3; ++r)
                for (Index c = 0; c < 4; ++c)
                    if (lower ? c <= r + k : c >= r + k) {
                        rows.push_back(r);
                        columns.push_back(c);
                    }
            const Tensor got = lower ? trilIndices(3, 4, k) : triuIndices(3, 4, k);
            QCOMPARE(elementsOf(select(got, 0, 0)), rows);
            QCOMPARE(elementsOf(select(got, 0, 1)), columns);
        }
    }
    QCOMPARE(trilIndices(2, 2, 0, {DType::Int32, {}}).dtype(), DType::Int32);
}

void TestPatterns::grids() {
    const Tensor a = arange(2), b = slice(arange(6), 0, 0, 6, 2);
    const std::vector<Tensor> ij = meshgrid({a, b}), xy = meshgrid({a, b}, GridIndexing::Xy);
    verify(differenceFrom(ij[0], {2, 3}, [&](const Sizes& c) { return readElement(a, Dims{c[0]}); }), "ij 0");
    verify(differenceFrom(ij[1], {2, 3}, [&](const Sizes& c) { return readElement(b, Dims{c[1]}); }), "ij 1");
    verify(differenceFrom(xy[0], {3, 2}, [&](const Sizes& c) { return readElement(a, Dims{c[1]}); }), "xy 0");
    verify(differenceFrom(xy[1], {3, 2}, [&](const Sizes& c) { return readElement(b, Dims{c[0]}); }), "xy 1");
    QVERIFY(ij[1].storage() == b.storage());
    QCOMPARE(ij[1].stride(), (Dims{0, 2}));
    QCOMPARE(meshgrid({tensorFrom(1), a})[0].shape(), (Dims{1, 2}));
    QCOMPARE(elementsOf(cartesianProd({a, b})), (std::vector<Scalar>{0, 0, 0, 2, 0, 4, 1, 0, 1, 2, 1, 4}));
    QCOMPARE(cartesianProd({a}).shape(), (Dims{2}));
}

void TestPatterns::choices() {
    const Tensor t = tensorFrom({5, 6, 7});
    QCOMPARE(elementsOf(combinations(t)), (std::vector<Scalar>{5, 6, 5, 7, 6, 7}));
    QCOMPARE(elementsOf(combinations(t, 2, true)), (std::vector<Scalar>{5, 5, 5, 6, 5, 7, 6, 6, 6, 7, 7, 7}));
    QCOMPARE(combinations(t, 4).shape(), (Dims{0, 4}));
    QCOMPARE(combinations(t, 0).shape(), (Dims{0}));
    QCOMPARE(combinations(arange(100), 99).shape(), (Dims{100, 99}));
    QCOMPARE(combinations(arange(2), 60, true).shape(), (Dims{61, 60}));
    QCOMPARE(combinations(arange(0), Index{1} << 40).shape(), (Dims{0, Index{1} << 40}));
    // Sizes are known before any of them is made: these would run without end, or not fit.
    const auto id = [](auto action) {
        const auto refusal = refusalOf(action);
        return refusal ? refusal->id : std::string("none");
    };
    QCOMPARE(id([] { (void)combinations(arange(100000), 3); }), std::string("MEM-01"));
    QVERIFY(id([] { (void)combinations(arange(100), 50); }) != "none");
    QVERIFY(id([] { (void)combinations(arange(3), Index{1} << 62, true); }) != "none");
    QCOMPARE(id([] { (void)trilIndices(Index{1} << 62, Index{1} << 62); }), std::string("VIEW-26"));
    QCOMPARE(id([] { (void)triuIndices(Index{1} << 30, Index{1} << 20); }), std::string("MEM-01"));
    QCOMPARE(trilIndices(Index{1} << 62, 0).shape(), (Dims{2, 0}));
    QCOMPARE(trilIndices(Index{1} << 62, 1, -(Index{1} << 62)).shape(), (Dims{2, 0}));
    QCOMPARE(elementsOf(triuIndices(Index{1} << 62, 1)), (std::vector<Scalar>{0, 0}));
    QCOMPARE(elementsOf(vander(tensorFrom({1, 2, 3}))), (std::vector<Scalar>{1, 1, 1, 4, 2, 1, 9, 3, 1}));
    QCOMPARE(elementsOf(vander(tensorFrom({2, 3}), 3, true)), (std::vector<Scalar>{1, 2, 4, 1, 3, 9}));
}

void TestPatterns::inTheImageOfAnother() {
    const Tensor t = zeros({2}, {DType::Int16, {}});
    QCOMPARE(newZeros(t, {2, 3}).dtype(), DType::Int16);
    QCOMPARE(newEmpty(t, {4}).shape(), (Dims{4}));
    QVERIFY(newEmpty(t, {4}).storage()->isUnwritten());
    QCOMPARE(elementsOf(newOnes(t, {2}, {DType::Float64, {}})), (std::vector<Scalar>{1.0, 1.0}));
    QCOMPARE(elementsOf(newFull(t, {2}, Scalar(7))), (std::vector<Scalar>{7, 7}));
    QCOMPARE(newTensor(t, {1, 2}).dtype(), DType::Int16);
    const auto refusal = refusalOf([&] { newFull(t, {1}, Scalar(70000)); });
    QVERIFY(refusal && refusal->id == "FILL-01");
    const auto undefined = refusalOf([] { newZeros(Tensor(), {1}); });
    QVERIFY(undefined && undefined->id == "TENSOR-02");
}

void TestPatterns::refuses_data() {
    addRefusalColumns();
    const auto row = addRefusal;
    row(
        "linspace", [] { linspace(0, 1, -1); }, "PATTERN-01", "number of steps must be non-negative");
    row(
        "range of nothing", [] { range(3, 1); }, "CREATE-05",
        "upper bound and lower bound inconsistent with step sign");
    row(
        "range standing still", [] { range(1, 3, 0); }, "CREATE-04", "step must be nonzero");
    row(
        "range without an end", [] { range(0, std::numeric_limits<double>::infinity()); }, "CREATE-06",
        "unsupported range: 0 -> inf");
    row(
        "range too long", [] { range(0, 9.3e18); }, "CREATE-07",
        "invalid size, possible overflow? 0 to 9.3e+18 by 1 has 2^63 elements or more");
    row(
        "range of halves",
        [] {
            range(0, 1, 1, {DType::Float16, {}});
        },
        "CREATE-08", "\"range_cpu\" not implemented for 'Half'");
    row(
        "linspace of bools",
        [] {
            linspace(0, 1, 3, {DType::Bool, {}});
        },
        "PATTERN-02", "\"linspace_cpu\" not implemented for 'Bool'");
    row(
        "linspace too far",
        [] {
            linspace(0, 1000, 3, {DType::Int8, {}});
        },
        "FILL-01", "value cannot be converted to type int8_t without overflow");
    row(
        "logspace", [] { logspace(0, 1, -2); }, "PATTERN-01", "number of steps must be non-negative");
    row(
        "eye", [] { eye(-1); }, "PATTERN-01", "n must be greater or equal to 0, got -1");
    row(
        "eye too large", [] { eye(3, Index{1} << 62); }, "VIEW-26", "");
    row(
        "tril of a vector", [] { tril(arange(3)); }, "VIEW-01",
        "Dimension out of range (expected to be in range of [-1, 0], but got -2)");
    row(
        "tril_ twice",
        [] {
            tril_(expand(zeros({1, 3}), {3, 3}));
        },
        "OVERLAP-01", "");
    row(
        "diag of a cube",
        [] {
            diag(zeros({2, 2, 2}));
        },
        "PATTERN-03", "matrix or a vector expected");
    row(
        "diag_embed in one dim",
        [] {
            diagEmbed(zeros({2, 3}), 0, 1, 1);
        },
        "PATTERN-04", "diagonal dimensions cannot be identical 1, 1");
    row(
        "tril_indices", [] { trilIndices(-1, 2); }, "PATTERN-01", "row must be non-negative, got-1");
    row(
        "triu_indices of floats",
        [] {
            triuIndices(3, 3, 0, {DType::Float32, {}});
        },
        "PATTERN-02", "\"triu_indices\" not implemented for 'Float'");
    row(
        "meshgrid of nothing", [] { meshgrid({}); }, "PATTERN-05", "meshgrid expects a non-empty TensorList");
    row(
        "meshgrid of two dtypes",
        [] {
            meshgrid({arange(2), zeros({2})});
        },
        "PATTERN-05", "meshgrid expects all tensors to have the same dtype");
    row(
        "meshgrid of a matrix",
        [] {
            meshgrid({zeros({2, 2})});
        },
        "PATTERN-05", "");
    row(
        "cartesian_prod of a matrix",
        [] {
            cartesianProd({zeros({2, 3})});
        },
        "PATTERN-06", "Expect a 1D vector, but got shape [2, 3]");
    row(
        "combinations", [] { combinations(arange(3), -1); }, "PATTERN-07", "Expect a non-negative number, but got -1");
    row(
        "vander",
        [] {
            vander(zeros({2, 2}));
        },
        "PATTERN-06", "x must be a one-dimensional tensor.");
}

void TestPatterns::refuses() {
    checkRefusal();
}

void TestPatterns::publishes() {
    std::vector<OpRecord> records;
    const Tensor t = arange(2);
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    linspace(0, 1, 3);
    eye(2, 3);
    meshgrid({t, t});
    newZeros(t, {2, 3});
    QCOMPARE(records.size(), std::size_t{4});
    const std::vector<std::string> names{"a", "b"};
    QCOMPARE(code::expression(records[0], names), std::string("torch.linspace(0, 1, 3)"));
    QCOMPARE(code::expression(records[1], names), std::string("torch.eye(2, 3)"));
    QCOMPARE(code::expression(records[2], names), std::string("torch.meshgrid(a, b, indexing='ij')"));
    QCOMPARE(records[2].effect, OpEffect::View);
    QCOMPARE(code::expression(records[3], names), std::string("a.new_zeros((2, 3))"));
}

QTEST_GUILESS_MAIN(TestPatterns)
#include "tst_patterns.moc"
