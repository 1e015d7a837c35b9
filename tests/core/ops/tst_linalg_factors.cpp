// Factors in LAPACK's packed forms: reflectors and L D L^T multiply to the matrix they came from, what is solved with
// them solves the system, on every layout; what would lead LAPACK out of a matrix is refused.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/linalg.h"
#include "core/ops/matmul.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

using namespace stridescope;
using stridescope::test::elementsOf;

namespace {

const DType kDTypes[] = {DType::Float32, DType::Float64, DType::Complex64, DType::Complex128};
const Dims kSquares[] = {{1, 1}, {4, 4}, {2, 3, 3}, {70, 70}, {0, 0}, {0, 2, 2}};

Tensor noise(const Dims& shape, DType dtype, std::uint64_t seed = 3) {
    Generator generator(seed);
    const TensorOptions part{realPartDType(dtype), Device{}};
    const Tensor t = randn(shape, part, generator);
    return isComplex(dtype) ? complex(t, randn(shape, part, generator)) : t;
}

bool near(const Tensor& a, const Tensor& b) {
    const double tolerance = realPartDType(a.dtype()) == DType::Float32 ? 5e-4 : 1e-9;
    return a.dtype() == b.dtype() && a.shape() == b.shape() && allclose(a, b, tolerance, tolerance);
}

Tensor adjoint(const Tensor& t) {
    return conj(transpose(t, -1, -2));
}

Dims withLast(Dims shape, Index last) {
    shape.back() = last;
    return shape;
}

} // namespace

class TestLinalgFactors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reflectors();
    void reflectorsOfViews();
    void ldl();
    void ldlTellsOfZeros();
    void triangles();
    void powers();
    void refuses();
};

void TestLinalgFactors::reflectors() {
    for (const DType dtype : kDTypes)
        for (const Dims& shape : {Dims{4, 4}, Dims{5, 3}, Dims{2, 4, 2}, Dims{70, 70}, Dims{3, 0}, Dims{0, 3, 2}}) {
            const Tensor a = noise(shape, dtype);
            const Index m = a.size(-2), n = a.size(-1);
            const Reflectors packed = geqrf(a);
            QCOMPARE(packed.tau.size(-1), n);
            const Tensor r = triu(packed.a), q = householderProduct(packed.a, packed.tau);
            QVERIFY(near(matmul(q, narrow(r, -2, 0, n)), a));
            // All of Q, m by m, times R, and its adjoint times A.
            QVERIFY(near(ormqr(packed.a, packed.tau, r), a));
            QVERIFY(near(ormqr(packed.a, packed.tau, a, true, true), r));
            const Tensor left = adjoint(a); // A^H = R^H Q^H
            QVERIFY(near(ormqr(packed.a, packed.tau, adjoint(r), false, true), left));
            QVERIFY(near(ormqr(packed.a, packed.tau, left, false), adjoint(r)));
            if (m == n && m > 0)
                QVERIFY(near(matmul(q, adjoint(q)), expand(eye(m, {dtype, Device{}}), withLast(shape, m))));
        }
    // More columns than rows.
    const Tensor wide = noise({2, 5}, DType::Float64);
    const Reflectors packed = geqrf(wide);
    QVERIFY(near(ormqr(packed.a, packed.tau, triu(packed.a)), wide));
}

void TestLinalgFactors::reflectorsOfViews() {
    const Tensor base = noise({4, 6, 5}, DType::Float64);
    const Tensor views[] = {transpose(base, 0, 2), slice(base, 1, 0, std::nullopt, 2), select(base, 0, 1),
                            expand(select(base, 0, 0), {3, 6, 5}), transpose(select(base, 2, 1), 0, 1)};
    for (const Tensor& t : views) {
        const Reflectors packed = geqrf(t), plain = geqrf(contiguous(t));
        QCOMPARE(elementsOf(packed.a), elementsOf(plain.a));
        QCOMPARE(elementsOf(packed.tau), elementsOf(plain.tau));
        QCOMPARE(elementsOf(ormqr(packed.a, packed.tau, t, true, true)),
                 elementsOf(ormqr(contiguous(packed.a), contiguous(packed.tau), contiguous(t), true, true)));
    }
}

void TestLinalgFactors::ldl() {
    for (const DType dtype : kDTypes)
        for (const Dims& shape : kSquares)
            for (const bool hermitian : {false, true}) {
                const Tensor t = noise(shape, dtype);
                const Tensor a = add(t, hermitian ? adjoint(t) : transpose(t, -1, -2));
                const Tensor b = noise(withLast(shape, 2), dtype, 5);
                const LdlFactor factors = ldlFactor(a, hermitian);
                QVERIFY(equal(factors.ld, tril(factors.ld)));
                const Tensor x = ldlSolve(factors.ld, factors.pivots, b, hermitian);
                QVERIFY(near(matmul(a, x), b));
                // The upper triangle is not read; a transposed view of one that holds it gives the same.
                const Tensor lower = contiguous(transpose(tril(a), -1, -2));
                const LdlFactor again = ldlFactor(transpose(lower, -1, -2), hermitian);
                QVERIFY(equal(again.ld, factors.ld) && equal(again.pivots, factors.pivots));
            }
    // Batches broadcast to either side.
    const Tensor t = noise({2, 3, 4, 4}, DType::Float64), a = add(t, transpose(t, -1, -2));
    const LdlFactor factors = ldlFactor(a);
    const Tensor b = noise({2, 3, 4, 2}, DType::Float64, 5), one = select(select(b, 0, 0), 0, 0);
    QVERIFY(near(matmul(a, ldlSolve(factors.ld, factors.pivots, one)), expand(one, b.shape())));
    const Tensor first = narrow(narrow(factors.ld, 0, 0, 1), 1, 0, 1);
    const Tensor pivots = narrow(narrow(factors.pivots, 0, 0, 1), 1, 0, 1);
    QVERIFY(near(matmul(narrow(narrow(a, 0, 0, 1), 1, 0, 1), ldlSolve(first, pivots, b)), b));
}

void TestLinalgFactors::ldlTellsOfZeros() {
    const Tensor two = noise({3, 2, 2}, DType::Float32);
    fill_(select(two, 0, 1), 0);
    const LdlFactorInfo found = ldlFactorEx(two);
    QCOMPARE(elementsOf(found.info), (std::vector<Scalar>{0, 1, 0}));
    QVERIFY(near(select(found.ld, 0, 2), ldlFactor(select(two, 0, 2)).ld));
    QVERIFY(refusalText([&] {
                ldlFactor(two);
            }).starts_with("LINALG-13 torch.linalg.ldl_factor: (Batch element 1): D[1,1] is zero"));
    QCOMPARE(refusalOf([&] { ldlFactorEx(two, false, true); })->id, std::string("LINALG-13"));
    // A block of 2 by 2.
    const LdlFactor block = ldlFactor(tensorFrom({{0.0, 1.0}, {1.0, 0.0}}));
    QCOMPARE(elementsOf(block.pivots), (std::vector<Scalar>{-2, -2}));
}

void TestLinalgFactors::triangles() {
    for (const DType dtype : kDTypes)
        for (const Dims& shape : kSquares)
            for (const bool upper : {false, true})
                for (const bool turned : {false, true})
                    for (const bool unit : {false, true}) {
                        const Index n = shape.back();
                        const Tensor one = eye(n, {dtype, Device{}});
                        const Tensor a = add(mul(noise(shape, dtype), 0.2), mul(one, 3));
                        const Tensor b = noise(withLast(shape, 2), dtype, 5);
                        const TriangularSolution found = triangularSolve(b, a, upper, turned, unit);
                        Tensor triangle = upper ? triu(a, unit ? 1 : 0) : tril(a, unit ? -1 : 0);
                        if (unit) triangle = add(triangle, one);
                        if (turned) triangle = transpose(triangle, -1, -2);
                        if (!unit || n < 10) QVERIFY(near(matmul(triangle, found.solution), b));
                        QVERIFY(equal(found.coefficient, a) && found.coefficient.storage() != a.storage());
                    }
    const Tensor a = add(noise({3, 3}, DType::Float64), eye(3, {DType::Float64, Device{}}));
    QCOMPARE(triangularSolve(noise({4, 3, 2}, DType::Float64), a).coefficient.shape(), (Dims{4, 3, 3}));
}

void TestLinalgFactors::powers() {
    QCOMPARE(elementsOf(linalgVander(tensorFrom({1, 2, 3}))), (std::vector<Scalar>{1, 1, 1, 1, 2, 4, 1, 3, 9}));
    const Tensor batch = linalgVander(transpose(view(arange(4), {2, 2}), 0, 1), 3);
    QCOMPARE(batch.shape(), (Dims{2, 2, 3}));
    QCOMPARE(elementsOf(batch), (std::vector<Scalar>{1, 0, 0, 1, 2, 4, 1, 1, 1, 1, 3, 9}));
    QCOMPARE(linalgVander(tensorFrom({1, 2}, {DType::Int8, {}})).dtype(), DType::Int64);
    QCOMPARE(linalgVander(ones({}), 4).shape(), (Dims{1, 4}));
    for (const Index n : {-1, 0, 1})
        QCOMPARE(refusalText([&] { linalgVander(ones({3}), n); }), std::string("PATTERN-07 N must be greater than 1."));
    QCOMPARE(refusalOf([] { linalgVander(ones({3}, {DType::Bool, {}})); })->id, std::string("PATTERN-09"));
}

void TestLinalgFactors::refuses() {
    const Tensor a = tensorFrom({{4.0, 1.0}, {1.0, 3.0}}), line = ones({2}), tau = ones({2});
    const Tensor whole = ones({2, 2}, {DType::Int64, {}}), doubles = to(a, DType::Float64);
    const auto pivots = [](Index x, Index y) { return to(tensorFrom({x, y}), DType::Int32); };
    const auto id = [](auto action) {
        const auto refusal = refusalOf(action);
        return refusal ? refusal->id : std::string();
    };
    QCOMPARE(refusalText([&] { geqrf(line); }),
             std::string("LINALG-01 torch.geqrf: input must have at least 2 dimensions."));
    QCOMPARE(refusalText([&] { geqrf(whole); }), std::string("LINALG-03 \"geqrf_cpu\" not implemented for 'Long'"));
    QCOMPARE(id([&] { geqrf(Tensor()); }), std::string("TENSOR-02"));
    QCOMPARE(id([&] { householderProduct(ones({2, 3}), tau); }), std::string("LINALG-05"));
    QCOMPARE(id([&] { householderProduct(a, ones({3})); }), std::string("LINALG-05"));
    QCOMPARE(id([&] { householderProduct(a, ones({})); }), std::string("LINALG-05"));
    QCOMPARE(id([&] { householderProduct(ones({3, 2, 2}), ones({2, 2})); }), std::string("LINALG-05"));
    QCOMPARE(id([&] { householderProduct(a, to(tau, DType::Float64)); }), std::string("LINALG-06"));
    QCOMPARE(refusalText([&] {
                 ormqr(ones({3, 1}), tau, ones({3, 3}));
             }),
             std::string("LINALG-05 torch.ormqr: input.shape[-1] must be greater than or equal to tau.shape[-1]"));
    QCOMPARE(id([&] { ormqr(a, tau, ones({3, 2})); }), std::string("LINALG-05"));
    QCOMPARE(id([&] { ormqr(a, tau, ones({2, 3}), false); }), std::string("LINALG-05"));
    QCOMPARE(id([&] { ormqr(a, tau, ones({2, 2, 2})); }), std::string("LINALG-05"));
    QCOMPARE(id([&] { ormqr(a, tau, doubles); }), std::string("LINALG-06"));
    QCOMPARE(id([&] { ldlFactor(ones({2, 3})); }), std::string("LINALG-02"));
    QCOMPARE(id([&] { ldlFactor(whole); }), std::string("LINALG-03"));
    QCOMPARE(id([&] { ldlSolve(a, pivots(1, 2), doubles); }), std::string("LINALG-06"));
    QCOMPARE(id([&] { ldlSolve(a, pivots(1, 2), ones({3, 1})); }), std::string("LINALG-05"));
    QCOMPARE(id([&] { ldlSolve(a, pivots(1, 2), line); }), std::string("LINALG-01"));
    QCOMPARE(id([&] { ldlSolve(a, tau, a); }), std::string("LINALG-11"));
    for (const Tensor& wrong :
         {pivots(0, 2), pivots(1, 3), pivots(-1, 2), pivots(1, -2), pivots(-3, -3), pivots(-1, -2)})
        QCOMPARE(id([&] { ldlSolve(a, wrong, a); }), std::string("LINALG-11"));
    QCOMPARE(id([&] { triangularSolve(line, a); }), std::string("LINALG-01"));
    QCOMPARE(id([&] { triangularSolve(a, ones({2, 3})); }), std::string("LINALG-02"));
    QCOMPARE(id([&] { triangularSolve(ones({3, 2}), a); }), std::string("LINALG-05"));
    QCOMPARE(id([&] { triangularSolve(doubles, a); }), std::string("LINALG-06"));
    QCOMPARE(id([&] { triangularSolve(whole, whole); }), std::string("LINALG-03"));
}

QTEST_APPLESS_MAIN(TestLinalgFactors)
#include "tst_linalg_factors.moc"
