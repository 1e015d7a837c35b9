// Norms of vectors and matrices against sums written out and eigenvalues of products, PyTorch's numbers and refusals.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/linalg.h"
#include "core/ops/matmul.h"
#include "core/ops/norms.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <cmath>
#include <functional>

using namespace stridescope;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

using Make = std::function<Tensor()>;

TensorOptions of(DType dtype) {
    return {dtype, Device{}};
}

Tensor smallMatrix() {
    return tensorFrom({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
}
Tensor block() {
    return reshape(arange(24.0), {2, 3, 4});
}
Tensor complexMatrix() {
    return tensorFrom({{Scalar(Complex<double>{1, 2}), Scalar(3.0)}, {Scalar(0.0), Scalar(Complex<double>{0, 1})}});
}
Tensor regular() {
    return tensorFrom({{2.0, 1.0}, {1.0, 3.0}});
}

/// sqrt of the eigenvalues of Aᴴ A, ascending: the singular values found in another way.
std::vector<double> singularBySquares(const Tensor& a) {
    const Tensor values = eigvalsh(matmul(conj(transpose(a, -1, -2)), a));
    std::vector<double> roots;
    for (Index i = 0; i < values.numel(); ++i)
        roots.push_back(std::sqrt(std::max(0.0, readElement(values, Dims{i}).toDouble())));
    return roots;
}

} // namespace

class TestNorms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreesWithDefinitions();
    void agreesWithPyTorch_data();
    void agreesWithPyTorch();
    void shapes();
    void refuses_data();
    void refuses();
};

void TestNorms::agreesWithDefinitions() {
    Generator generator(7);
    for (const auto& [m, n] : {std::pair<Index, Index>{1, 1}, {2, 5}, {5, 2}, {4, 4}, {7, 3}}) {
        for (const bool isComplex : {false, true}) {
            Tensor a = randn({m, n}, of(DType::Float64), generator);
            if (isComplex) a = complex(a, randn({m, n}, of(DType::Float64), generator));
            double squares = 0, largestRow = 0, largestColumn = 0, smallestRow = kInf, smallestColumn = kInf;
            std::vector<double> rows(static_cast<std::size_t>(m)), columns(static_cast<std::size_t>(n));
            for (Index i = 0; i < m; ++i)
                for (Index j = 0; j < n; ++j) {
                    const Scalar x = readElement(a, Dims{i, j});
                    const double size = std::hypot(x.toDouble(), x.imag());
                    squares += size * size;
                    rows[static_cast<std::size_t>(i)] += size;
                    columns[static_cast<std::size_t>(j)] += size;
                }
            for (const double r : rows) largestRow = std::max(largestRow, r), smallestRow = std::min(smallestRow, r);
            for (const double c : columns)
                largestColumn = std::max(largestColumn, c), smallestColumn = std::min(smallestColumn, c);
            const std::vector<double> values = singularBySquares(m >= n ? a : conj(transpose(a, 0, 1)));
            double total = 0;
            for (const double v : values) total += v;
            const std::pair<NormOrder, double> expected[] = {
                {"fro", std::sqrt(squares)}, {kInf, largestRow}, {-kInf, smallestRow}, {1, largestColumn},
                {-1, smallestColumn},        {2, values.back()}, {-2, values.front()}, {"nuc", total}};
            for (const auto& [order, value] : expected) {
                const double found = item(matrixNorm(a, order)).toDouble();
                QVERIFY2(std::abs(found - value) < 1e-7 * std::max(1.0, value), order.text().c_str());
                QCOMPARE(item(linalgNorm(a, order)).toDouble(), found);
                // The same through a transposed view: rows and columns change places.
                QVERIFY(std::abs(item(matrixNorm(transpose(a, 0, 1), order, {1, 0})).toDouble() - value) <
                        1e-7 * std::max(1.0, value));
            }
            if (m != n) continue;
            for (const NormOrder& order : {NormOrder("fro"), NormOrder(1), NormOrder(kInf)}) {
                const double wanted =
                    item(matrixNorm(a, order)).toDouble() * item(matrixNorm(inv(a), order)).toDouble();
                QVERIFY(std::abs(item(cond(a, order)).toDouble() - wanted) < 1e-9 * wanted);
            }
        }
    }
}

void TestNorms::agreesWithPyTorch_data() {
    QTest::addColumn<Make>("make");
    QTest::addColumn<QString>("expected"); // six digits of each element
    const auto row = [](const char* name, Make make, const char* expected) {
        QTest::newRow(name) << std::move(make) << expected;
    };
    row(
        "all", [] { return linalgNorm(block()); }, "65.7571");
    row(
        "vector, 3", [] { return linalgNorm(arange(3.0), 3); }, "2.08008");
    row(
        "matrix, 2", [] { return linalgNorm(smallMatrix(), 2); }, "9.50803");
    row(
        "dims",
        [] {
            return linalgNorm(block(), 1, Dims{0, 1});
        },
        "28 30 32 34");
    row(
        "one dim", [] { return vectorNorm(block(), kInf, 2); }, "3 7 11 15 19 23");
    row(
        "zeros counted", [] { return vectorNorm(block(), 0); }, "23");
    row(
        "smallest", [] { return vectorNorm(block(), -kInf); }, "0");
    row(
        "empty",
        [] {
            return vectorNorm(empty({0, 3}), 0.5, 0);
        },
        "0 0 0");
    row(
        "nuclear",
        [] {
            return matrixNorm(block(), "nuc", {2, 0});
        },
        "29.246 38.2535 48.2424");
    row(
        "columns",
        [] {
            return matrixNorm(block(), 1, {2, 0});
        },
        "54 70 86");
    row(
        "rows",
        [] {
            return matrixNorm(block(), kInf, {2, 0});
        },
        "18 26 34");
    row(
        "smallest row", [] { return matrixNorm(block(), -kInf); }, "6 54");
    row(
        "smallest column", [] { return matrixNorm(block(), -1); }, "12 48");
    row(
        "complex, 2", [] { return linalgNorm(complexMatrix(), 2); }, "3.8287");
    row(
        "complex, 1", [] { return linalgNorm(complexMatrix(), 1); }, "4");
    row(
        "complex, nuc", [] { return linalgNorm(complexMatrix(), "nuc"); }, "4.41272");
    row(
        "complex, 3", [] { return vectorNorm(complexMatrix(), 3); }, "3.39643");
    row(
        "old nuc", [] { return normByName(smallMatrix(), "nuc"); }, "10.2809");
    row(
        "old nuc, dims",
        [] {
            return normByName(block(), "nuc", {0, 1});
        },
        "33.3939 35.23 37.1369 39.1044");
    row(
        "cond", [] { return cond(regular()); }, "2.61803");
    row(
        "cond, wide", [] { return cond(smallMatrix()); }, "12.3022");
    row(
        "cond, -2", [] { return cond(regular(), -2); }, "0.381966");
    row(
        "cond, 1", [] { return cond(regular(), 1); }, "3.2");
    row(
        "cond, -inf", [] { return cond(regular(), -kInf); }, "1.8");
    row(
        "cond, fro", [] { return cond(regular(), "fro"); }, "3");
    row(
        "cond, nuc", [] { return cond(regular(), "nuc"); }, "5");
    row(
        "cond, complex", [] { return cond(complexMatrix(), 1); }, "9.36656");
    row(
        "cond, singular",
        [] {
            return cond(ones({2, 2}), 1);
        },
        "inf");
    row(
        "cond, one of two",
        [] {
            return cond(tensorFrom({{{2.0, 1.0}, {1.0, 3.0}}, {{1.0, 1.0}, {1.0, 1.0}}}), kInf);
        },
        "3.2 inf");
    row(
        "cond, zeros",
        [] {
            return cond(zeros({2, 2}));
        },
        "nan");
    row(
        "cond, empty",
        [] {
            return cond(empty({3, 0, 0}), 1);
        },
        "0 0 0");
}

void TestNorms::agreesWithPyTorch() {
    QFETCH(Make, make);
    QFETCH(QString, expected);
    const Tensor result = contiguous(make());
    QVERIFY(result.dtype() == DType::Float32);
    QStringList found;
    for (Index i = 0; i < result.numel(); ++i)
        found << QString::number(std::abs(readSlot(result, i).toDouble()), 'g', 6); // NaN without its sign
    QCOMPARE(found.join(' '), expected);
}

void TestNorms::shapes() {
    const Tensor b = block();
    QCOMPARE(matrixNorm(b, "nuc", {2, 0}, true).shape(), (Dims{1, 3, 1}));
    QCOMPARE(matrixNorm(b, 1, {0, -1}, true).shape(), (Dims{1, 3, 1}));
    QCOMPARE(matrixNorm(b, "fro", {-2, -1}, true).shape(), (Dims{2, 1, 1}));
    QCOMPARE(normByName(smallMatrix(), "nuc", {}, true).shape(), (Dims{1, 1}));
    QCOMPARE(vectorNorm(b, 2, {0, 2}).shape(), Dims{3});
    QCOMPARE(linalgNorm(b, std::nullopt, Dims{1}, true).shape(), (Dims{2, 1, 4}));
    QVERIFY(linalgNorm(b, std::nullopt, std::nullopt, false, DType::Float64).dtype() == DType::Float64);
    QVERIFY(vectorNorm(to(complexMatrix(), DType::Complex64), 2, {}, false, DType::Complex128).dtype() ==
            DType::Float64);
    QVERIFY(matrixNorm(smallMatrix(), 2, {0, 1}, false, DType::Float64).dtype() == DType::Float64);
    QVERIFY(linalgNorm(ones({2, 2}, of(DType::Float16))).dtype() == DType::Float16);
    QVERIFY(matrixNorm(ones({2, 2}, of(DType::Float16)), 1).dtype() == DType::Float16);
}

void TestNorms::refuses_data() {
    QTest::addColumn<Make>("make");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* expected, Make make) { QTest::newRow(expected) << std::move(make) << expected; };
    row("NORM-02 linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got 3D.",
        [] { return linalgNorm(block(), 2); });
    row("NORM-02 linalg.norm: If dim is specified, it must be of length 1 or 2. Got [0, 1, 2]", [] {
        return linalgNorm(block(), std::nullopt, Dims{0, 1, 2});
    });
    row("NORM-01 linalg.matrix_norm: Order 3 not supported.", [] { return linalgNorm(smallMatrix(), 3); });
    row("NORM-01 linalg.matrix_norm: Order bad not supported.", [] { return matrixNorm(smallMatrix(), "bad"); });
    row("NORM-02 linalg.matrix_norm: The input tensor A must have at least 2 dimensions.",
        [] { return linalgNorm(arange(3.0), "fro"); });
    row("NORM-02 linalg.matrix_norm: dim must be a 2-tuple. Got 0", [] { return linalgNorm(block(), "fro", Dims{0}); });
    row("NORM-02 linalg.matrix_norm: dims must be different. Got (0, 0)", [] {
        return matrixNorm(block(), "fro", {0, 0});
    });
    row("VIEW-01 Dimension out of range (expected to be in range of [-3, 2], but got 5)", [] {
        return matrixNorm(block(), "fro", {0, 5});
    });
    row("RED-02 linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long", [] {
        return linalgNorm(ones({2, 2}, of(DType::Int64)));
    });
    row("RED-02 linalg.vector_norm: dtype should be floating point or complex, but got Long",
        [] { return vectorNorm(smallMatrix(), 2, {}, false, DType::Int64); });
    row("RED-02 linalg.vector_norm: dtype should be real for real inputs, but got ComplexFloat",
        [] { return vectorNorm(smallMatrix(), 2, {}, false, DType::Complex64); });
    row("RED-02 linalg.matrix_norm: dtype should be complex for complex inputs, but got Float", [] {
        return matrixNorm(complexMatrix(), 2, {0, 1}, false, DType::Float32);
    });
    row("RED-02 linalg.vector_norm: the dtype of the input (Float) should be convertible without narrowing to the "
        "specified dtype (Half)",
        [] { return vectorNorm(smallMatrix(), 2, {}, false, DType::Float16); });
    row("LINALG-04 linalg.matrix_norm: Low precision dtypes not supported. Got Half", [] {
        return matrixNorm(ones({2, 2}, of(DType::Float16)), 2);
    });
    row("NORM-03 linalg.vector_norm cannot compute the inf norm on an empty tensor because the operation does not have "
        "an identity",
        [] {
            return vectorNorm(empty({0, 3}), kInf);
        });
    row("NORM-03 linalg.vector_norm cannot compute the -1 norm on the dimension 0 because this dimension is empty and "
        "the operation does not have an identity",
        [] {
            return vectorNorm(empty({0, 3}), -1, 0);
        });
    row("RED-01 dim 0 appears multiple times in the list of dims", [] { return vectorNorm(smallMatrix(), 2, {0, 0}); });
    row("RED-05 nuclear norm requires a 'dim' argument of size 2", [] { return normByName(block(), "nuc", 0); });
    row("RED-05 Expected a tensor with 2 dimensions, but got a tensor with 3 dimensions instead.",
        [] { return normByName(block(), "nuc"); });
    row("RED-05 Expected a tensor with 2 dimensions, but got a tensor with 1 dimension instead.",
        [] { return normByName(arange(3.0), "nuc"); });
    row("RED-05 dtype argument is not supported in nuclear norm",
        [] { return normByName(smallMatrix(), "nuc", {}, false, DType::Float64); });
    row("RED-05 only valid string values are 'fro' and 'nuc', found bad",
        [] { return normByName(smallMatrix(), "bad"); });
    row("NORM-01 linalg.cond got an invalid norm type: 3", [] { return cond(regular(), 3); });
    row("NORM-01 linalg.cond got an invalid norm type: bad", [] { return cond(regular(), "bad"); });
    row("LINALG-02 linalg.cond(ord=1): A must be batches of square matrices, but they are 2 by 3 matrices",
        [] { return cond(smallMatrix(), 1); });
    row("LINALG-01 linalg.cond: The input tensor A must have at least 2 dimensions.", [] { return cond(arange(3.0)); });
}

void TestNorms::refuses() {
    QFETCH(Make, make);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(refusalText([&] { (void)make(); })), expected);
}

QTEST_APPLESS_MAIN(TestNorms)
#include "tst_norms.moc"
