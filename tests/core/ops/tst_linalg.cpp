// Linear algebra: every result is put back into the equation that it solves; known answers; refusals.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/joining.h"
#include "core/ops/linalg.h"
#include "core/ops/matmul.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "core/print/repr.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "core/trace/warning.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// Numbers in [-1, 1), the same in every run.
Tensor noise(const Dims& shape, DType dtype, unsigned seed = 1) {
    std::mt19937 random(seed);
    const auto next = [&] { return static_cast<double>(random()) / 2147483648.0 - 1; };
    const Tensor t = zeros(shape, {dtype, Device{}});
    for (Index i = 0; i < t.numel(); ++i) {
        const double re = next();
        writeSlot(t, i, isComplex(dtype) ? Scalar(Complex<double>{re, next()}) : Scalar(re));
    }
    return t;
}

double largest(const Tensor& t) {
    double result = 0;
    for (const Scalar value : elementsOf(t)) result = std::max(result, std::hypot(value.toDouble(), value.imag()));
    return result;
}

double tolerance(DType dtype) {
    return realPartDType(dtype) == DType::Float64 ? 1e-11 : 2e-4;
}

bool near(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && (a.numel() == 0 || largest(sub(a, b)) < tolerance(a.dtype()));
}

Tensor adjoint(const Tensor& t) {
    return conj(transpose(t, -1, -2));
}

Tensor identity(const Tensor& like) {
    Dims shape = like.shape();
    shape.back() = shape[shape.size() - 2] = std::min(like.size(-1), like.size(-2));
    const Tensor t = zeros(shape, {like.dtype(), Device{}});
    fill_(diagonal(t, 0, -2, -1), 1);
    return t;
}

const DType kDTypes[] = {DType::Float32, DType::Float64, DType::Complex64, DType::Complex128};

/// Square matrices of several orders and batches (beyond 64 nothing is widened), as made and as transposed views.
std::vector<Tensor> squares(DType dtype) {
    std::vector<Tensor> list;
    for (const Dims& shape : {Dims{1, 1}, Dims{3, 3}, Dims{2, 3, 4, 4}, Dims{0, 3, 3}, Dims{0, 0}, Dims{70, 70}}) {
        const Tensor t = noise(shape, dtype);
        if (t.numel() > 0) add_(diagonal(t, 0, -2, -1), 3); // far from singular
        list.push_back(t);
        list.push_back(transpose(t, -1, -2));
    }
    return list;
}

std::vector<Tensor> rectangles(DType dtype) {
    std::vector<Tensor> list;
    for (const Dims& shape : {Dims{5, 2}, Dims{2, 5}, Dims{3, 4, 3}, Dims{4, 4}, Dims{80, 3}, Dims{0, 3}, Dims{3, 0}})
        list.push_back(noise(shape, dtype, 5));
    return list;
}

QString text(const Tensor& t) {
    return QString::fromStdString(repr(t));
}

} // namespace

class TestLinalg : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void systemsAndInverses();
    void triangularSystems();
    void factors();
    void eigenvalues();
    void leastSquares();
    void largeInverses();
    void exactLeastSquares();
    void exactSystems();
    void warnsOfDeficientRank();
    void numbers();
    void derived();
    void exactAnswersPrintExactly();
    void olderNames();
    void refuses_data();
    void refuses();
    void publishesOneRecord();
};

/// They come from another routine than small ones.
void TestLinalg::largeInverses() {
    for (const DType dtype : kDTypes) {
        const Tensor a = noise({2, 100, 100}, dtype, 11);
        add_(diagonal(a, 0, -2, -1), Scalar(100));
        QVERIFY(near(matmul(inv(a), a), identity(a)));
        const Tensor negative = zeros({100, 100}, {dtype, Device{}});
        fill_(diagonal(negative), Scalar(-4));
        for (const Scalar value : elementsOf(inv(negative)))
            QVERIFY(value.toDouble() == -0.25 || (value.toDouble() == 0 && !std::signbit(value.toDouble())));
    }
}

void TestLinalg::systemsAndInverses() {
    for (const DType dtype : kDTypes) {
        for (const Tensor& a : squares(dtype)) {
            const Index n = a.size(-1);
            QVERIFY(near(matmul(inv(a), a), identity(a)));
            Dims many = a.shape();
            many.back() = 5;
            const Tensor b = noise(many, dtype, 9);
            QVERIFY(near(matmul(a, solve(a, b)), b));
            const Tensor v = noise({n}, dtype, 4);
            const Tensor x = solve(a, v);
            QCOMPARE(x.dim(), a.dim() - 1);
            if (n > 0) QVERIFY(near(matmul(a, unsqueeze(x, -1)), expand(unsqueeze(v, -1), unsqueeze(x, -1).shape())));
        }
    }
    // A batch of matrices against one right side, and one matrix against a batch.
    const Tensor a = squares(DType::Float64)[4], b = noise({4, 2}, DType::Float64);
    QVERIFY(near(matmul(a, solve(a, b)), expand(b, {2, 3, 4, 2})));
    const Tensor one = squares(DType::Float64)[2], others = noise({5, 3, 2}, DType::Float64);
    QVERIFY(near(matmul(one, solve(one, others)), others));
}

void TestLinalg::triangularSystems() {
    for (const DType dtype : kDTypes) {
        for (const bool upper : {false, true}) {
            const Tensor a = squares(dtype)[4], b = noise({2, 3, 4, 2}, dtype, 3);
            // Only one triangle is read: what a full product sees must be cleared first.
            const Tensor triangle = clone(a);
            for (Index i = 0; i < 4; ++i)
                for (Index j = 0; j < 4; ++j)
                    if (upper ? i > j : i < j) fill_(select(select(triangle, -2, i), -1, j), 0);
            QVERIFY(near(matmul(triangle, solveTriangular(a, b, upper)), b));
            const Tensor row = transpose(b, -1, -2);
            QVERIFY(near(matmul(solveTriangular(a, row, upper, false), triangle), row));
            const Tensor unit = clone(triangle);
            fill_(diagonal(unit, 0, -2, -1), 1);
            QVERIFY(near(matmul(unit, solveTriangular(a, b, upper, true, true)), b));
        }
    }
}

void TestLinalg::factors() {
    for (const DType dtype : kDTypes) {
        for (const Tensor& a : rectangles(dtype)) {
            for (const char* mode : {"reduced", "complete"}) {
                const Qr parts = qr(a, mode);
                QVERIFY(near(matmul(parts.q, parts.r), a));
                QVERIFY(near(matmul(adjoint(parts.q), parts.q), identity(matmul(adjoint(parts.q), parts.q))));
                for (const bool full : {true, false}) {
                    const Svd s = svd(a, full);
                    const Index least = std::min(a.size(-1), a.size(-2));
                    QCOMPARE(s.s.dtype(), realPartDType(dtype));
                    const Tensor u = narrow(s.u, -1, 0, least), vh = narrow(s.vh, -2, 0, least);
                    QVERIFY(near(matmul(mul(u, to(unsqueeze(s.s, -2), dtype)), vh), a));
                    QVERIFY(near(matmul(adjoint(s.u), s.u), identity(matmul(adjoint(s.u), s.u))));
                }
            }
            QVERIFY(near(qr(a, "r").r, qr(a).r));
            QCOMPARE(qr(a, "r").q.shape(), (Dims{0}));
            QVERIFY(near(svdvals(a), svd(a).s));
        }
        for (const Tensor& a : squares(dtype)) {
            const Tensor positive = add(matmul(a, adjoint(a)), identity(a));
            const Tensor lower = cholesky(positive), upper = cholesky(positive, true);
            QVERIFY(near(matmul(lower, adjoint(lower)), positive));
            QVERIFY(near(matmul(adjoint(upper), upper), positive));
        }
    }
    const LuFactor lu = stridescope::luFactor(tensorFrom({{1.0, 2.0}, {3.0, 4.0}}));
    QCOMPARE(text(lu.lu), QStringLiteral("tensor([[3.0000, 4.0000],\n        [0.3333, 0.6667]])"));
    QCOMPARE(text(lu.pivots), QStringLiteral("tensor([2, 2], dtype=torch.int32)"));
}

void TestLinalg::eigenvalues() {
    for (const DType dtype : kDTypes) {
        for (const Tensor& a : squares(dtype)) {
            const Eigen all = eig(a);
            const Tensor wide = to(a, complexDType(dtype));
            QCOMPARE(all.values.dtype(), complexDType(dtype));
            QVERIFY(near(matmul(wide, all.vectors), mul(all.vectors, unsqueeze(all.values, -2))));
            QCOMPARE(eigvals(a).shape(), all.values.shape());
            const Tensor hermitian = add(a, adjoint(a));
            for (const char* triangle : {"L", "u"}) {
                const Eigen real = eigh(hermitian, triangle);
                QCOMPARE(real.values.dtype(), realPartDType(dtype));
                QVERIFY(
                    near(matmul(hermitian, real.vectors), mul(real.vectors, to(unsqueeze(real.values, -2), dtype))));
                QVERIFY(near(eigvalsh(hermitian, triangle), real.values));
            }
        }
    }
}

void TestLinalg::leastSquares() {
    for (const DType dtype : kDTypes) {
        for (const Dims& shape : {Dims{6, 3}, Dims{3, 6}, Dims{2, 5, 3}, Dims{90, 4}}) {
            const Tensor a = noise(shape, dtype, 7);
            Dims right = shape;
            right.back() = 2;
            const Tensor b = noise(right, dtype, 8);
            for (const char* driver : {"gelsy", "gels", "gelsd", "gelss"}) {
                const LeastSquares found = lstsq(a, b, std::nullopt, driver);
                // The rest is orthogonal to the columns.
                const Tensor rest = sub(matmul(a, found.solution), b);
                QVERIFY2(largest(matmul(adjoint(a), rest)) < tolerance(dtype) * 10, driver);
                const bool tall = shape[shape.size() - 2] > shape.back();
                QCOMPARE(found.residuals.numel() > 0, tall && std::string_view(driver) != "gelsy");
                QCOMPARE(found.rank.numel() > 0, std::string_view(driver) != "gels");
                if (tall && found.residuals.numel() > 0) {
                    const Tensor squares = mul(abs(rest), abs(rest));
                    const Tensor sums =
                        squeeze(matmul(ones({1, squares.size(-2)}, {squares.dtype(), Device{}}), squares), -2);
                    QVERIFY(near(found.residuals, sums));
                }
            }
        }
    }
    QCOMPARE(text(lstsq(tensorFrom({{1.0, 1.0}, {1.0, 2.0}, {1.0, 3.0}}), tensorFrom({{1.0}, {2.0}, {2.0}})).solution),
             QStringLiteral("tensor([[0.6667],\n        [0.5000]])"));
}

/// What is exact on paper is exact, whatever the driver and with residuals too.
void TestLinalg::exactLeastSquares() {
    for (const DType dtype : {DType::Float32, DType::Float64}) {
        const TensorOptions options{dtype, Device{}};
        const Tensor a = tensorFrom({{1.0, 1.0}, {2.0, 1.0}, {3.0, 1.0}}, options);
        const Tensor onLine = tensorFrom({{1.0, 2.0}, {2.0, 0.0}, {3.0, 4.0}}, options); // and (1, 0) + (1, -2, 1)
        for (const char* driver : {"gelsy", "gels", "gelsd", "gelss"}) {
            const LeastSquares found = lstsq(a, onLine, std::nullopt, driver);
            QCOMPARE(elementsOf(found.solution), (std::vector<Scalar>{1.0, 1.0, 0.0, 0.0}));
            if (found.residuals.numel() > 0) QCOMPARE(elementsOf(found.residuals), (std::vector<Scalar>{0.0, 6.0}));
        }
        QCOMPARE(elementsOf(narrow(gels(onLine, a).first, 0, 0, 2)), (std::vector<Scalar>{1.0, 1.0, 0.0, 0.0}));
    }
    // Small beside the others is not 0.
    const Tensor far = tensorFrom({{1.0, 0.0}, {0.0, 1e10}, {0.0, 0.0}}, {DType::Float64, Device{}});
    QCOMPARE(elementsOf(lstsq(far, tensorFrom({{1.0}, {1.0}, {0.0}}, {DType::Float64, Device{}})).solution),
             (std::vector<Scalar>{1.0, 1e-10}));
}

// Whole numbers come back from systems that are made of them, to the last bit.
void TestLinalg::exactSystems() {
    Generator generator(7);
    for (const DType dtype : {DType::Float32, DType::Float64})
        for (Index n = 1; n <= 8; ++n)
            for (int round = 0; round < 20; ++round) {
                const TensorOptions options{dtype, Device{}};
                const Tensor x = randint(-3, 4, {2, n, 2}, options, generator);
                Tensor a = randint(-5, 6, {2, n, n}, options, generator);
                add_(a, eye(n, options), 11); // not singular, mostly
                const Tensor found = solve(a, matmul(a, x));
                QVERIFY2(equal(found, x), repr(found).c_str());
                // Of triangles with a diagonal of ones the inverse is whole, too; turned rows keep it so.
                Tensor whole = add(tril(randint(-1, 2, {n, n}, options, generator), -1), eye(n, options));
                whole =
                    matmul(flip(whole, {0}), add(triu(randint(-1, 2, {n, n}, options, generator), 1), eye(n, options)));
                const Tensor inverse = inv(whole);
                QVERIFY2(equal(matmul(whole, inverse), eye(n, options)), repr(inverse).c_str());
            }
    // Where a matrix is singular but for the last digit, an answer is not thrown away.
    const TensorOptions doubles{DType::Float64, Device{}};
    const Tensor nearly = tensorFrom({{1.0, 2.0}, {2.0, 4.0 + 1e-15}}, doubles), b = tensorFrom({3.0, 6.0}, doubles);
    QVERIFY(near(matmul(nearly, solve(nearly, b)), b));
}

void TestLinalg::warnsOfDeficientRank() {
    std::vector<std::string> warnings;
    const WarningSubscription listening([&](const std::string& message) { warnings.push_back(message); });
    const Tensor a = tensorFrom({{1.0, 1.0}, {1.0, 1.0}, {1.0, 1.0}}), b = tensorFrom({{1.0}, {2.0}, {3.0}});
    std::size_t said = 0;
    // Rounding decides whether LAPACK sees the 0 on the diagonal: it refuses, or there is a warning.
    if (!refusalOf([&] { (void)lstsq(a, b, std::nullopt, "gels"); })) QCOMPARE(warnings.size(), ++said);
    if (!refusalOf([&] { (void)gels(b, a); })) QCOMPARE(warnings.size(), ++said);
    for (const std::string& message : warnings)
        QVERIFY(QString::fromStdString(message).contains(QStringLiteral("ill-conditioned")));
    (void)lstsq(a, b);
    (void)gels(b, tensorFrom({{1.0, 1.0}, {2.0, 1.0}, {3.0, 1.0}}));
    QCOMPARE(warnings.size(), said);
}

void TestLinalg::numbers() {
    QCOMPARE(item(det(tensorFrom({{1.0, 2.0}, {3.0, 4.0}}))).toDouble(), -2.0);
    QCOMPARE(item(det(zeros({0, 0}))).toDouble(), 1.0);
    QCOMPARE(text(det(tensorFrom({{{1.0, 0.0}, {0.0, 1.0}}, {{0.0, 1.0}, {1.0, 0.0}}}))),
             QStringLiteral("tensor([ 1., -1.])"));
    const SignLogDet none = slogdet(zeros({2, 2}));
    QCOMPARE(item(none.sign).toDouble(), 0.0);
    QVERIFY(std::isinf(item(none.logabsdet).toDouble()));
    for (const DType dtype : kDTypes) {
        for (const Tensor& a : squares(dtype)) {
            if (a.numel() == 0 || a.size(-1) > 10) continue;
            const SignLogDet parts = slogdet(a);
            const Tensor d = det(a);
            const std::vector<Scalar> whole = elementsOf(d), sign = elementsOf(parts.sign),
                                      logarithm = elementsOf(parts.logabsdet);
            for (std::size_t i = 0; i < whole.size(); ++i) {
                const double length = std::exp(logarithm[i].toDouble());
                QVERIFY(std::abs(sign[i].toDouble() * length - whole[i].toDouble()) < 1e-3 * length);
                QVERIFY(std::abs(sign[i].imag() * length - whole[i].imag()) < 1e-3 * length);
            }
        }
    }
    QCOMPARE(item(matrixRank(tensorFrom({{1.0, 2.0}, {2.0, 4.0}}))).toInt(), Index{1});
    QCOMPARE(item(matrixRank(zeros({3, 2}))).toInt(), Index{0});
    QCOMPARE(item(matrixRank(tensorFrom({{1.0, 0.0}, {0.0, 0.01}}), {0.1})).toInt(), Index{1});
    // Bounds that are tensors broadcast with the batch; magnitudes of eigenvalues for symmetric matrices.
    const Tensor both = tensorFrom({{1.0, 0.0}, {0.0, -0.01}}), bounds = tensorFrom({0.1, 0.0});
    QVERIFY(equal(matrixRank(both, {.atol = MathInput(bounds)}), tensorFrom({1, 2})));
    QVERIFY(equal(matrixRank(both, {.atol = MathInput(bounds), .hermitian = true}), tensorFrom({1, 2})));
    QVERIFY(allclose(pinv(both, {.hermitian = true}), tensorFrom({{1.0, 0.0}, {0.0, -100.0}})));
    QVERIFY(allclose(pinv(both, {.rtol = MathInput(0.5), .hermitian = true}), tensorFrom({{1.0, 0.0}, {0.0, 0.0}})));
    QCOMPARE(pinv(both, {.atol = MathInput(bounds)}).shape(), (Dims{2, 2, 2}));
    const Tensor imaginary = ones({1}, {DType::Complex64, Device{}});
    QCOMPARE(refusalOf([&] { (void)pinv(both, {.rtol = MathInput(imaginary)}); })->id, std::string("LINALG-12"));
}

void TestLinalg::derived() {
    for (const DType dtype : kDTypes) {
        for (const Tensor& a : rectangles(dtype)) {
            const Tensor p = pinv(a);
            QVERIFY(near(matmul(matmul(a, p), a), a));
            QVERIFY(near(matmul(matmul(p, a), p), p));
        }
        const Tensor a = squares(dtype)[4];
        QVERIFY(near(matrixPower(a, 3), matmul(matmul(a, a), a)));
        QVERIFY(near(matrixPower(a, -2), matmul(inv(a), inv(a))));
        QVERIFY(near(matrixPower(a, 0), identity(a)));
        QVERIFY(matrixPower(a, 1).storage() != a.storage());
    }
    const Tensor a = noise({2, 3, 6}, DType::Float64), b = noise({2, 3}, DType::Float64, 2);
    QVERIFY(near(tensordot(a, tensorsolve(a, b), 1), b));
    const Tensor big = noise({4, 6, 8, 3}, DType::Float64);
    const Tensor turned = tensorinv(big);
    QCOMPARE(turned.shape(), (Dims{8, 3, 4, 6}));
    const Tensor both = tensordot(turned, big, 2);
    QVERIFY(near(reshape(both, {24, 24}), identity(zeros({24, 24}, {DType::Float64, Device{}}))));
}

void TestLinalg::exactAnswersPrintExactly() {
    const Tensor a = tensorFrom({{1.0, 1.0, 1.0}, {0.0, 2.0, 5.0}, {2.0, 5.0, -1.0}}), b = tensorFrom({6.0, 19.0, 9.0});
    QCOMPARE(text(solve(a, b)), QStringLiteral("tensor([1., 2., 3.])"));
    QCOMPARE(text(inv(tensorFrom({{2.0, 0.0}, {0.0, 4.0}}))),
             QStringLiteral("tensor([[0.5000, 0.0000],\n        [0.0000, 0.2500]])"));
    QCOMPARE(text(eigvals(tensorFrom({{2.0, 0.0}, {0.0, 3.0}}))), QStringLiteral("tensor([2.+0.j, 3.+0.j])"));
}

void TestLinalg::olderNames() {
    const Tensor a = tensorFrom({{1.0, 1.0}, {2.0, 1.0}, {3.0, 1.0}}), b = tensorFrom({{3.0}, {5.0}, {7.0}});
    const auto [x, factors] = gels(b, a);
    QCOMPARE(x.shape(), (Dims{3, 1}));
    QVERIFY(near(narrow(x, 0, 0, 2), tensorFrom({{2.0}, {1.0}})));
    QCOMPARE(factors.shape(), a.shape());
    const Eigen turn = oldEig(tensorFrom({{0.0, -1.0}, {1.0, 0.0}}), true);
    QCOMPARE(text(turn.values), QStringLiteral("tensor([[ 0.,  1.],\n        [ 0., -1.]])"));
    QCOMPARE(turn.vectors.shape(), (Dims{2, 2}));
    QCOMPARE(oldEig(ones({2, 2})).vectors.shape(), (Dims{0}));
}

void TestLinalg::refuses_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, auto action, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(refusalText(action)) << expected;
    };
    const auto f = [](const Dims& shape, DType dtype = DType::Float32) { return zeros(shape, {dtype, Device{}}); };
    row(
        "one dim", [&] { (void)inv(f({3})); },
        "LINALG-01 linalg.inv: The input tensor A must have at least 2 dimensions.");
    row(
        "not square",
        [&] {
            (void)solve(f({2, 3}), f({2}));
        },
        "LINALG-02 linalg.solve: A must be batches of square matrices, but they are 2 by 3 matrices");
    row(
        "integers",
        [&] {
            (void)inv(f({2, 2}, DType::Int64));
        },
        "LINALG-03 linalg.inv: Expected a floating point or complex tensor as input. Got Long");
    row(
        "half",
        [&] {
            (void)det(f({2, 2}, DType::Float16));
        },
        "LINALG-04 \"linalg.det\" not implemented for 'Half'");
    row(
        "rows",
        [&] {
            (void)solve(f({3, 3}), f({4}));
        },
        "LINALG-05 linalg.solve: Incompatible shapes of A and B for the equation AX = B (3x3 and 4x1)");
    row(
        "dtypes",
        [&] {
            (void)solve(f({3, 3}), f({3}, DType::Float64));
        },
        "LINALG-06 linalg.solve: Expected A and B to have the same dtype, but found A of type Float and B of type "
        "Double "
        "instead");
    row(
        "singular",
        [&] {
            (void)solve(f({3, 3}), f({3}));
        },
        "LINALG-07 torch.linalg.solve: The solver failed because the input matrix is singular.");
    row(
        "singular in a batch",
        [&] {
            (void)inv(f({2, 2, 2}));
        },
        "LINALG-07 linalg.inv: (Batch element 0): The diagonal element 1 is zero, the inversion could not be completed "
        "because the input matrix is singular.");
    row(
        "not positive",
        [&] {
            (void)cholesky(tensorFrom({{1.0, 0.0}, {0.0, -1.0}}));
        },
        "LINALG-07 linalg.cholesky: The factorization could not be completed because the input is not "
        "positive-definite "
        "(the leading minor of order 2 is not positive-definite).");
    row(
        "mode",
        [&] {
            (void)qr(f({2, 2}), "x");
        },
        "LINALG-08 qr received unrecognized mode 'x' but expected one of 'reduced' (default), 'r', or 'complete'");
    row(
        "driver",
        [&] {
            (void)lstsq(f({2, 2}), f({2}), std::nullopt, "x");
        },
        "LINALG-08 torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)");
    row(
        "lstsq, batch of right sides",
        [&] {
            (void)lstsq(f({3, 3}), f({2, 3, 1}));
        },
        "LINALG-05 torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - "
        "other.dim()) <= 1");
    row(
        "lstsq, batch of matrices",
        [&] {
            (void)lstsq(f({2, 3, 3}), f({3, 1}));
        },
        "LINALG-05 torch.linalg.lstsq: input.size(-2) should match other.size(-1)");
    row(
        "gels of a vector",
        [&] {
            (void)gels(f({3}), f({3, 3}));
        },
        "LINALG-05 gels: expected two matrices of as many rows, but got sizes [3] and [3, 3]");
    row(
        "triangle",
        [&] {
            (void)eigh(f({2, 2}), "X");
        },
        "LINALG-08 Expected UPLO argument to be 'L' or 'U', but got X");
    row(
        "ind",
        [&] {
            (void)tensorinv(f({4, 4}), 0);
        },
        "LINALG-09 Expected a strictly positive integer for 'ind', but got 0");
    row(
        "tensorsolve",
        [&] {
            (void)tensorsolve(f({2, 3}), f({2}));
        },
        "LINALG-05 Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
        "prod(self.shape[:other.ndim]), but got 3 != 2");
    row(
        "nan",
        [&] {
            (void)eig(full({2, 2}, std::numeric_limits<double>::quiet_NaN()));
        },
        "LINALG-10 torch.linalg.eig: input tensor should not contain infs or NaNs.");
    row(
        "nan for svd",
        [&] {
            (void)svd(full({2, 2}, HUGE_VAL));
        },
        "LINALG-07 linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values.");
}

void TestLinalg::refuses() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

void TestLinalg::publishesOneRecord() {
    std::vector<std::string> names;
    const Tensor a = squares(DType::Float32)[2];
    {
        const OpSubscription subscription([&](const OpRecord& record) { names.push_back(record.name); });
        (void)inv(a);
        (void)solve(a, ones({3}));
        (void)svd(a);
        (void)pinv(a);
        (void)eig(a);
    }
    QCOMPARE(names, (std::vector<std::string>{"linalg.inv", "ones", "linalg.solve", "linalg.svd", "linalg.pinv",
                                              "linalg.eig"}));
}

QTEST_APPLESS_MAIN(TestLinalg)
#include "tst_linalg.moc"
