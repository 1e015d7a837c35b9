// Differences, areas, covariances, distances: PyTorch's numbers, strided inputs against plain ones, refusals.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/differences.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/views.h"
#include "core/print/repr.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <functional>

using namespace stridescope;

namespace {

using Make = std::function<Tensor()>;

TensorOptions of(DType dtype) {
    return {dtype, Device{}};
}
Tensor squares() {
    return tensorFrom({1.0, 4.0, 9.0, 16.0});
}
Tensor table() {
    return tensorFrom({{1.0, 2.0, 4.0}, {3.0, 1.0, 0.0}});
}

} // namespace

class TestDifferences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void prints_data();
    void prints();
    void layoutDoesNotMatter();
    void refuses_data();
    void refuses();
};

void TestDifferences::prints_data() {
    QTest::addColumn<Make>("make");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, Make make, const char* expected) {
        QTest::newRow(name) << std::move(make) << expected;
    };
    row(
        "diff", [] { return diff(squares()); }, "tensor([3., 5., 7.])");
    row(
        "twice", [] { return diff(squares(), 2); }, "tensor([2., 2.])");
    row(
        "too often", [] { return diff(table(), 5); }, "tensor([], size=(2, 0))");
    row(
        "not at all", [] { return diff(squares(), 0); }, "tensor([ 1.,  4.,  9., 16.])");
    row(
        "rows", [] { return diff(table(), 1, 0); }, "tensor([[ 2., -1., -4.]])");
    row(
        "bool",
        [] {
            return diff(tensorFrom({true, false, true, true}));
        },
        "tensor([ True,  True, False])");
    row(
        "more", [] { return diff(ones({3}), 1, -1, zeros({1}), ones({2})); }, "tensor([1., 0., 0., 0., 0.])");
    row(
        "area",
        [] {
            return trapezoid(tensorFrom({1.0, 2.0, 4.0}));
        },
        "tensor(4.5000)");
    row(
        "area over x",
        [] {
            return trapezoid(tensorFrom({1.0, 2.0, 4.0}), tensorFrom({0.0, 1.0, 3.0}));
        },
        "tensor(7.5000)");
    row(
        "areas of columns",
        [] {
            return trapezoid(table(), tensorFrom({0.0, 2.0}), 0);
        },
        "tensor([4., 3., 4.])");
    row(
        "wider", [] { return trapezoid(table(), 2.0); }, "tensor([9., 5.])");
    row(
        "of integers",
        [] {
            return trapezoid(tensorFrom({1, 2}));
        },
        "tensor(1.5000)");
    row(
        "running", [] { return cumulativeTrapezoid(table()); },
        "tensor([[1.5000, 4.5000],\n        [2.0000, 2.5000]])");
    row(
        "running over x",
        [] {
            return cumulativeTrapezoid(squares(), tensorFrom({0.0, 2.0, 3.0, 3.0}));
        },
        "tensor([ 5.0000, 11.5000, 11.5000])");
    row(
        "cov", [] { return cov(table()); }, "tensor([[ 2.3333, -2.1667],\n        [-2.1667,  2.3333]])");
    row(
        "cov of all", [] { return cov(table(), 0); }, "tensor([[ 1.5556, -1.4444],\n        [-1.4444,  1.5556]])");
    row(
        "cov of one row",
        [] {
            return cov(tensorFrom({{1, 2, 6}}));
        },
        "tensor(7.)");
    row(
        "cov of a vector",
        [] {
            return cov(tensorFrom({1, 2, 6}));
        },
        "tensor(7.)");
    row(
        "corrcoef", [] { return corrcoef(table()); }, "tensor([[ 1.0000, -0.9286],\n        [-0.9286,  1.0000]])");
    row(
        "corrcoef of a vector", [] { return corrcoef(squares()); }, "tensor(1.)");
    row(
        "cdist",
        [] {
            return cdist(table(), zeros({1, 3}));
        },
        "tensor([[4.5826],\n        [3.1623]])");
    row(
        "cdist, p = 1", [] { return cdist(table(), table(), 1); }, "tensor([[0., 7.],\n        [7., 0.]])");
}

void TestDifferences::prints() {
    QFETCH(Make, make);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(repr(make())), expected);
}

void TestDifferences::layoutDoesNotMatter() {
    const Tensor base = div(reshape(arange(60.0), {3, 4, 5}), 7), turned = permute(base, {2, 0, 1});
    const Tensor plain = contiguous(turned);
    for (Index dim = -3; dim < 3; ++dim) {
        QVERIFY(equal(diff(turned, 1, dim), diff(plain, 1, dim)));
        QVERIFY(equal(trapezoid(turned, 1, dim), trapezoid(plain, 1, dim)));
        QVERIFY(equal(cumulativeTrapezoid(turned, 2, dim), cumulativeTrapezoid(plain, 2, dim)));
    }
    const Tensor matrix = select(base, 2, 1);
    QVERIFY(allclose(cov(matrix), cov(contiguous(matrix))));
    QVERIFY(allclose(cdist(turned, turned), cdist(plain, plain)));
    const Tensor z = complex(select(base, 0, 0), select(base, 0, 1));
    QVERIFY(allclose(cov(z), conj(transpose(cov(z), 0, 1)))); // Hermitian
}

void TestDifferences::refuses_data() {
    QTest::addColumn<Make>("make");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* expected, Make make) { QTest::newRow(expected) << std::move(make) << expected; };
    row("DIFF-01 diff expects input to be at least one-dimensional", [] { return diff(ones({})); });
    row("VIEW-02 Dimension specified as -1 but tensor has no dimensions", [] { return trapezoid(ones({})); });
    row("VIEW-02 Dimension specified as 5 but tensor has no dimensions", [] { return trapezoid(ones({}), 1, 5); });
    row("VIEW-02 Dimension specified as 0 but tensor has no dimensions", [] { return trapezoid(ones({}), ones({3})); });
    row("VIEW-01 Dimension out of range (expected to be in range of [-1, 0], but got 5)",
        [] { return trapezoid(ones({}), ones({}), 5); });
    row("VIEW-02 slice() cannot be applied to a 0-dim tensor.", [] { return cumulativeTrapezoid(ones({})); });
    row("DIFF-04 diff expects prepend or append to be the same dimension as input",
        [] { return diff(ones({3}), 1, -1, ones({})); });
    row("DIFF-04 diff expects the shape of tensor to prepend or append to match that of input except along the "
        "differencing dimension; input.size(0) = 2, but got tensor.size(0) = 1",
        [] {
            return diff(ones({2, 3}), 1, -1, ones({1, 3}));
        });
    row("DIFF-03 trapezoid: received a bool input for `y`, but bool is not supported",
        [] { return trapezoid(ones({3}, of(DType::Bool))); });
    row("DIFF-03 cumulative_trapezoid: received a bool input for `x` or `y`, but bool is not supported",
        [] { return cumulativeTrapezoid(squares(), ones({3}, of(DType::Bool)), 0); });
    row("VIEW-01 Dimension out of range (expected to be in range of [-1, 0], but got 1)",
        [] { return diff(squares(), 1, 1); });
    row("DIFF-04 trapezoid: There must be one `x` value for each sample point", [] {
        return trapezoid(tensorFrom({1.0, 2.0}), ones({3}));
    });
    row("DIFF-04 cumulative_trapezoid: There must be one `x` value for each sample point", [] {
        return cumulativeTrapezoid(table(), tensorFrom({1.0, 2.0}), 1);
    });
    row("DIFF-03 cov(): expected input to have two or fewer dimensions but got an input with 3 dimensions", [] {
        return cov(ones({2, 2, 2}));
    });
    row("DIFF-02 cov(): bool dtype is not supported for input", [] { return cov(ones({2, 2}, of(DType::Bool))); });
    row("DIFF-03 corrcoef(): expected input to have two or fewer dimensions but got an input with 3 dimensions", [] {
        return corrcoef(ones({2, 2, 2}));
    });
    row("DIFF-02 cdist only supports at least 2D tensors, X1 got: 1D", [] { return cdist(squares(), table()); });
    row("DIFF-02 cdist only supports floating-point dtypes, X2 got: Long", [] {
        return cdist(table(), ones({2, 3}, of(DType::Int64)));
    });
    row("DIFF-04 X1 and X2 must have the same number of columns. X1: 3 X2: 2", [] {
        return cdist(table(), ones({2, 2}));
    });
    row("TENSOR-02 diff: the tensor is undefined", [] { return diff(Tensor()); });
}

void TestDifferences::refuses() {
    QFETCH(Make, make);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(refusalText([&] { (void)make(); })), expected);
}

QTEST_APPLESS_MAIN(TestDifferences)
#include "tst_differences.moc"
