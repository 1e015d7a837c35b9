// LU and Cholesky factors, what is solved with them, and what is made of them; batches in which one matrix is singular.

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
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/print/repr.h"
#include "core/tensor/element.h"
#include "core/trace/warning.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace stridescope;
using stridescope::test::elementsOf;

namespace {

using Make = std::function<void()>;

const DType kDTypes[] = {DType::Float32, DType::Float64, DType::Complex64, DType::Complex128};

TensorOptions of(DType dtype) {
    return {dtype, Device{}};
}

Tensor noise(const Dims& shape, DType dtype, std::uint64_t seed = 3) {
    Generator generator(seed);
    const DType part = realPartDType(dtype);
    const Tensor t = randn(shape, of(part), generator);
    return isComplex(dtype) ? complex(t, randn(shape, of(part), generator)) : t;
}

bool near(const Tensor& a, const Tensor& b) {
    const double tolerance = realPartDType(a.dtype()) == DType::Float32 ? 2e-4 : 1e-9;
    return a.dtype() == b.dtype() && a.shape() == b.shape() && allclose(a, b, tolerance, tolerance);
}

QString text(const Tensor& t) {
    return QString::fromStdString(repr(t));
}

Tensor adjoint(const Tensor& t) {
    return conj(transpose(t, -1, -2));
}

/// The id of what `action` refuses; "" when it refuses nothing.
template <class Action>
std::string idOf(Action action) {
    const auto refusal = refusalOf(action);
    return refusal ? refusal->id : std::string();
}

/// Two regular matrices with a singular one between them.
Tensor oneSingular(DType dtype) {
    const Tensor t = noise({3, 4, 4}, dtype);
    const Tensor middle = select(t, 0, 1);
    copy_(select(middle, 0, 2), mul(select(middle, 0, 0), 2));
    return t;
}

} // namespace

class TestLinalgLu : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsMultiplyToTheMatrix();
    void unpacksFactors();
    void solvesWithFactors();
    void batchesGoOnBehindASingularMatrix();
    void zerosOnATrianglesDiagonal();
    void choleskyFactors();
    void warnsOfIllConditionedMatrices();
    void tellsWhatHasNoResult();
    void exponentials();
    void logarithmsOfDeterminants();
    void vectorProducts();
    void refuses_data();
    void refuses();
};

void TestLinalgLu::partsMultiplyToTheMatrix() {
    for (const DType dtype : kDTypes) {
        for (const Dims& shape : {Dims{1, 1}, Dims{4, 4}, Dims{5, 3}, Dims{3, 5}, Dims{2, 3, 4, 3}, Dims{70, 70}}) {
            const Tensor a = noise(shape, dtype);
            const LuParts parts = lu(a);
            const Index m = a.size(-2), least = std::min(m, a.size(-1));
            QVERIFY(near(matmul(parts.p, matmul(parts.l, parts.u)), a));
            QCOMPARE(parts.l.size(-1), least);
            QVERIFY(equal(parts.l, add(tril(parts.l, -1), eye(m, least, of(dtype)))));
            QVERIFY(equal(parts.u, triu(parts.u)));
            QVERIFY(near(matmul(parts.p, adjoint(parts.p)), expand(eye(m, of(dtype)), parts.p.shape())));
            // From a transposed view, too.
            const LuParts turned = lu(transpose(a, -1, -2));
            QVERIFY(near(matmul(turned.p, matmul(turned.l, turned.u)), transpose(a, -1, -2)));
        }
    }
    const LuParts parts = lu(tensorFrom({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}));
    QCOMPARE(text(parts.p), QStringLiteral("tensor([[0., 1.],\n        [1., 0.]])"));
    QCOMPARE(text(parts.l), QStringLiteral("tensor([[1.0000, 0.0000],\n        [0.2500, 1.0000]])"));
    QCOMPARE(text(parts.u), QStringLiteral("tensor([[4.0000, 5.0000, 6.0000],\n        [0.0000, 0.7500, 1.5000]])"));
    QCOMPARE(lu(empty({0, 3})).u.shape(), (Dims{0, 3}));
    QCOMPARE(lu(empty({0, 3})).p.shape(), (Dims{0, 0}));
}

void TestLinalgLu::unpacksFactors() {
    for (const DType dtype : kDTypes) {
        for (const Dims& shape : {Dims{4, 4}, Dims{5, 3}, Dims{3, 5}, Dims{2, 3, 4, 3}, Dims{2, 0, 3}, Dims{2, 0}}) {
            const Tensor a = noise(shape, dtype);
            const LuFactorInfo packed = luFactorEx(a);
            const LuParts parts = luUnpack(packed.lu, packed.pivots), whole = lu(a);
            QVERIFY(equal(parts.p, whole.p) && equal(parts.l, whole.l) && equal(parts.u, whole.u));
            // The other layout of both gives the same.
            const Tensor turned = transpose(contiguous(transpose(packed.lu, -1, -2)), -1, -2);
            QVERIFY(equal(luUnpack(turned, packed.pivots).l, whole.l));
            const LuParts rest = luUnpack(packed.lu, packed.pivots, false), data = luUnpack(packed.lu, {}, true, false);
            QVERIFY(rest.l.shape() == Dims{0} && rest.u.shape() == Dims{0} && equal(rest.p, whole.p));
            QVERIFY(data.p.shape() == Dims{0} && equal(data.u, whole.u));
        }
    }
    // Integers are unpacked like anything, and one row of pivots serves a batch.
    const Tensor pivots = tensorFrom({2, 3, 3}, of(DType::Int32)), ones3 = ones({2, 3, 3}, of(DType::Int16));
    QCOMPARE(text(select(luUnpack(ones3, pivots).p, 0, 1)),
             QStringLiteral("tensor([[0, 0, 1],\n        [1, 0, 0],\n        [0, 1, 0]], dtype=torch.int16)"));
    for (const Tensor& wrong : {tensorFrom({1, 2}, of(DType::Int32)), tensorFrom({1, 2, 4}, of(DType::Int32)),
                                tensorFrom({0, 2, 3}, of(DType::Int32)), tensorFrom({1, 2, 3})})
        QCOMPARE(idOf([&] { (void)luUnpack(ones3, wrong); }), std::string("LINALG-11"));
    QCOMPARE(idOf([&] { (void)luUnpack(zeros({3}), pivots); }), std::string("LINALG-01"));
}

void TestLinalgLu::solvesWithFactors() {
    for (const DType dtype : kDTypes) {
        for (const Dims& shape : {Dims{1, 1}, Dims{4, 4}, Dims{2, 3, 3}, Dims{0, 0}}) {
            const Tensor a = noise(shape, dtype, 5);
            const LuFactor factors = luFactor(a);
            Dims tall = shape, wide = shape;
            tall.back() = 2;
            wide[wide.size() - 2] = 3;
            const Tensor b = noise(tall, dtype, 6), c = noise(wide, dtype, 7);
            QVERIFY(near(matmul(a, luSolve(factors.lu, factors.pivots, b)), b));
            QVERIFY(near(matmul(luSolve(factors.lu, factors.pivots, c, false), a), c));
            const Tensor turned = adjoint(a);
            QVERIFY(near(matmul(turned, luSolve(factors.lu, factors.pivots, b, true, true)), b));
            QVERIFY(near(matmul(luSolve(factors.lu, factors.pivots, c, false, true), turned), c));
        }
        // One set of factors for a batch of right sides.
        const Tensor a = noise({3, 3}, dtype, 8), b = noise({4, 3, 2}, dtype, 9);
        const LuFactor factors = luFactor(a);
        QVERIFY(near(matmul(a, luSolve(factors.lu, factors.pivots, b)), b));
    }
}

void TestLinalgLu::batchesGoOnBehindASingularMatrix() {
    for (const DType dtype : kDTypes) {
        const Tensor a = oneSingular(dtype);
        const LuFactorInfo factors = luFactorEx(a);
        const LuParts parts = lu(a);
        QVERIFY(near(matmul(parts.p, matmul(parts.l, parts.u)), a));
        for (const Index i : {Index{0}, Index{2}}) {
            const Tensor one = select(a, 0, i);
            QVERIFY(near(select(det(a), 0, i), det(one)));
            QVERIFY(near(select(slogdet(a).logabsdet, 0, i), slogdet(one).logabsdet));
            QVERIFY(near(select(slogdet(a).sign, 0, i), slogdet(one).sign));
            QVERIFY(equal(select(factors.pivots, 0, i), luFactor(one).pivots));
        }
        QVERIFY(near(select(det(a), 0, 1), zeros({}, of(dtype))));
    }
    const LuFactorInfo factors = luFactorEx(tensorFrom({{{1.0, 0.0}, {0.0, 1.0}}, {{1.0, 1.0}, {1.0, 1.0}}}));
    QCOMPARE(text(factors.info), QStringLiteral("tensor([0, 2], dtype=torch.int32)"));
    QCOMPARE(text(det(tensorFrom({{{1.0, 1.0}, {1.0, 1.0}}, {{2.0, 0.0}, {0.0, 3.0}}}))),
             QStringLiteral("tensor([0., 6.])"));
}

void TestLinalgLu::zerosOnATrianglesDiagonal() {
    const Tensor a = tensorFrom({{1.0, 2.0}, {0.0, 0.0}}), b = ones({2, 1});
    QCOMPARE(text(solveTriangular(a, b, true)), QStringLiteral("tensor([[-inf],\n        [inf]])"));
    // The other matrix of the batch is not touched by it.
    const Tensor both = tensorFrom({{{1.0, 2.0}, {0.0, 0.0}}, {{1.0, 0.0}, {0.0, 1.0}}});
    QCOMPARE(text(select(solveTriangular(both, ones({2, 2, 1}), true), 0, 1)),
             QStringLiteral("tensor([[1.],\n        [1.]])"));
    QCOMPARE(text(solveTriangular(a, b, true, true, true)), QStringLiteral("tensor([[-1.],\n        [ 1.]])"));
    QCOMPARE(solveTriangular(eye(2), ones({2, 0}), true).shape(), (Dims{2, 0}));
}

void TestLinalgLu::warnsOfIllConditionedMatrices() {
    std::vector<std::string> warnings;
    const WarningSubscription subscription([&](const std::string& message) { warnings.push_back(message); });
    const auto hilbert = [](Index n, DType dtype) {
        const Tensor i = arange(n, of(DType::Float64));
        return to(reciprocal(add(add(unsqueeze(i, 1), i), 1)), dtype);
    };
    for (const DType dtype : kDTypes) {
        const bool wide = realPartDType(dtype) == DType::Float64;
        const Tensor good = hilbert(wide ? 8 : 4, dtype), bad = hilbert(wide ? 14 : 8, dtype); // cond 1e10, 1e18
        (void)inv(good);
        (void)solve(good, ones({good.size(0)}, of(dtype)));
        QCOMPARE(warnings.size(), std::size_t{0});
        (void)inv(bad);
        (void)solve(bad, ones({bad.size(0)}, of(dtype)));
        QCOMPARE(warnings.size(), std::size_t{2});
        QVERIFY2(warnings[0].starts_with("linalg.inv: the matrix is ill-conditioned: "), warnings[0].c_str());
        QVERIFY2(warnings[1].starts_with("linalg.solve: the matrix is ill-conditioned: "), warnings[1].c_str());
        (void)inv(stack({hilbert(bad.size(0), dtype), mul(bad, 2)}));
        QVERIFY2(warnings[2].starts_with("linalg.inv: matrix 0 of the batch is ill-conditioned: "),
                 warnings[2].c_str());
        warnings.clear();
    }
    (void)inv(eye(3, of(DType::Float64)));
    (void)inv(zeros({0, 3, 3}));
    (void)inv(zeros({2, 0, 0}));
    (void)inv(full({2, 2}, std::numeric_limits<double>::quiet_NaN(), of(DType::Float64)));
    QCOMPARE(warnings.size(), std::size_t{0});
}

void TestLinalgLu::tellsWhatHasNoResult() {
    for (const DType dtype : kDTypes) {
        const Tensor t = noise({3, 4, 4}, dtype);
        fill_(select(select(t, 0, 1), 0, 2), 0);
        const ResultAndInfo inverse = invEx(t);
        QCOMPARE(elementsOf(ne(inverse.info, 0)), (std::vector<Scalar>{false, true, false}));
        QVERIFY(near(select(inverse.result, 0, 2), inv(select(t, 0, 2))));
        QVERIFY(item(all(isnan(select(inverse.result, 0, 1)))).toBool());
        const Tensor right = noise({4, 2}, dtype, 5);
        const ResultAndInfo solution = solveEx(t, right);
        QCOMPARE(elementsOf(ne(solution.info, 0)), (std::vector<Scalar>{false, true, false}));
        QVERIFY(near(select(solution.result, 0, 0), solve(select(t, 0, 0), right)));
        QCOMPARE(idOf([&] { (void)solveEx(t, right, true, true); }), std::string("LINALG-07"));
        QCOMPARE(idOf([&] { (void)invEx(t, true); }), std::string("LINALG-07"));
        // X A = B.
        const Tensor a = select(t, 0, 0), b = noise({3, 4}, dtype, 7);
        QVERIFY(near(matmul(solve(a, b, false), a), b));
        const Tensor positive = add(matmul(a, adjoint(a)), eye(4, of(dtype)));
        const ResultAndInfo factor = choleskyEx(stack({positive, neg(positive)}));
        QCOMPARE(elementsOf(factor.info), (std::vector<Scalar>{0, 1}));
        QVERIFY(near(select(factor.result, 0, 0), cholesky(positive)));
        QCOMPARE(idOf([&] { (void)choleskyEx(neg(positive), false, true); }), std::string("LINALG-07"));
    }
}

void TestLinalgLu::choleskyFactors() {
    for (const DType dtype : kDTypes) {
        const Tensor root = noise({2, 4, 4}, dtype, 11);
        const Tensor a = add(matmul(root, adjoint(root)), eye(4, of(dtype))), b = noise({2, 4, 3}, dtype, 12);
        const Tensor identity = expand(eye(4, of(dtype)), a.shape());
        for (const bool upper : {false, true}) {
            const Tensor factor = cholesky(a, upper);
            QVERIFY(near(matmul(a, choleskySolve(b, factor, upper)), b));
            QVERIFY(near(matmul(a, choleskyInverse(factor, upper)), identity));
        }
    }
}

void TestLinalgLu::exponentials() {
    QCOMPARE(text(matrixExp(tensorFrom({{0.0, 1.0}, {1.0, 0.0}}))),
             QStringLiteral("tensor([[1.5431, 1.1752],\n        [1.1752, 1.5431]])"));
    const double infinity = std::numeric_limits<double>::infinity();
    QCOMPARE(text(matrixExp(tensorFrom({{{infinity, 0.0}, {0.0, 1.0}}, {{0.0, 1.0}, {0.0, 0.0}}}))),
             text(tensorFrom({{{NAN, NAN}, {NAN, NAN}}, {{1.0, 1.0}, {0.0, 1.0}}})));
    QVERIFY(equal(matrixExp(zeros({2, 3, 3})), contiguous(expand(eye(3), {2, 3, 3}))));
    for (const DType dtype : kDTypes) {
        // exp(V D V^-1) = V exp(D) V^-1, and exp(-A) is the inverse of exp(A).
        const Tensor a = noise({3, 4, 4}, dtype, 13);
        const Eigen found = eig(a);
        const Tensor wide = to(matrixExp(a), complexDType(dtype));
        QVERIFY(near(wide, matmul(mul(found.vectors, unsqueeze(exp(found.values), -2)), inv(found.vectors))));
        QVERIFY(near(matmul(matrixExp(a), matrixExp(neg(a))), expand(eye(4, of(dtype)), a.shape())));
    }
    const Tensor turn = tensorFrom({{0.0, -1.0}, {1.0, 0.0}}); // its exponential turns by one radian
    QVERIFY(near(select(matrixExp(mul(turn, 100)), 0, 0), tensorFrom({std::cos(100.0), -std::sin(100.0)})));
    QCOMPARE(matrixExp(empty({0, 0})).shape(), (Dims{0, 0}));
}

void TestLinalgLu::logarithmsOfDeterminants() {
    QCOMPARE(text(logdet(tensorFrom({{2.0, 1.0}, {1.0, 3.0}}))), QStringLiteral("tensor(1.6094)"));
    QCOMPARE(text(logdet(tensorFrom({{{-1.0}}, {{0.0}}, {{1.0}}}))), QStringLiteral("tensor([nan, -inf, 0.])"));
    const Tensor z = noise({3, 3}, DType::Complex128, 14);
    QVERIFY(near(exp(logdet(z)), det(z)));
}

void TestLinalgLu::vectorProducts() {
    const Tensor a = tensorFrom({{2.0, 1.0}, {1.0, 3.0}});
    QCOMPARE(text(vecdot(a, a)), QStringLiteral("tensor([ 5., 10.])"));
    QCOMPARE(text(vecdot(a, ones({2, 1}), 0)), QStringLiteral("tensor([3., 4.])"));
    const Tensor z = noise({5}, DType::Complex128, 15), w = noise({5}, DType::Complex128, 16);
    QVERIFY(near(vecdot(z, w), vdot(z, w)));
}

void TestLinalgLu::refuses_data() {
    QTest::addColumn<Make>("make");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* expected, Make make) { QTest::newRow(expected) << std::move(make) << expected; };
    static const Tensor s = tensorFrom({{2.0, 1.0}, {1.0, 3.0}}), flat = tensorFrom({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
    static const LuFactor factors = luFactor(s);
    static const Tensor whole = ones({2, 2}, of(DType::Int64));
    row("LINALG-13 torch.linalg.lu_factor: (Batch element 1): U[2,2] is zero and using it on lu_solve would result in "
        "a "
        "division by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or "
        "linalg.lu_factor_ex(A, pivot)",
        [] {
            (void)luFactor(tensorFrom({{{1.0, 0.0}, {0.0, 1.0}}, {{1.0, 1.0}, {1.0, 1.0}}}));
        });
    row("LINALG-01 linalg.lu_solve: The input tensor B must have at least 2 dimensions.",
        [] { (void)luSolve(factors.lu, factors.pivots, ones({2})); });
    row("LINALG-05 linalg.lu_solve: Incompatible shapes of A and B for the equation AX = B (2x2 and 3x1)", [] {
        (void)luSolve(factors.lu, factors.pivots, ones({3, 1}));
    });
    row("LINALG-05 linalg.lu_solve: Incompatible shapes of A and B for the equation XA = B (2x2 and 1x3)", [] {
        (void)luSolve(factors.lu, factors.pivots, ones({1, 3}), false);
    });
    row("LINALG-06 linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type Float and B of type "
        "Double instead",
        [] {
            (void)luSolve(factors.lu, factors.pivots, ones({2, 1}, of(DType::Float64)));
        });
    row("LINALG-11 linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32", [] {
        (void)luSolve(factors.lu, ones({2}), ones({2, 1}));
    });
    row("LINALG-11 linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix, but they "
        "are of size [3] for factors of size [2, 2]",
        [] {
            (void)luSolve(factors.lu, ones({3}, of(DType::Int32)), ones({2, 1}));
        });
    row("LINALG-11 linalg.lu_solve: Pivots given to lu_solve must all be greater or equal to 1 and at most 2. Did you "
        "properly pass the result of lu_factor?",
        [] {
            (void)luSolve(factors.lu, full({2}, 7, of(DType::Int32)), ones({2, 1}));
        });
    row("LINALG-02 cholesky_inverse: A must be batches of square matrices, but they are 2 by 3 matrices",
        [] { (void)choleskyInverse(flat); });
    row("LINALG-02 linalg.matrix_exp: A must be batches of square matrices, but they are 2 by 3 matrices",
        [] { (void)matrixExp(flat); });
    row("LINALG-03 linalg.vecdot: Expected a floating point or complex tensor as input. Got Long",
        [] { (void)vecdot(whole, whole); });
    row("LINALG-06 linalg.vecdot: Expected x and y to have the same dtype, but found x of type Float and y of type "
        "Double instead",
        [] { (void)vecdot(s, ones({2}, of(DType::Float64))); });
    row("VIEW-01 Dimension out of range (expected to be in range of [-2, 1], but got 2)",
        [] { (void)vecdot(s, s, 2); });
}

void TestLinalgLu::refuses() {
    QFETCH(Make, make);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(refusalText(make)), expected);
}

QTEST_APPLESS_MAIN(TestLinalgLu)
#include "tst_linalg_lu.moc"
