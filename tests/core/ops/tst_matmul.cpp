// Products of matrices and vectors against a plain model, on transposed, sliced, expanded and batched operands.

#include "core/job.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/matmul.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <chrono>
#include <complex>
#include <thread>

using namespace stridescope;
using namespace stridescope::test;

namespace {

using Number = std::complex<double>;

Number at(const Tensor& t, const Dims& coord) {
    const Scalar value = readElement(t, coord);
    return {value.toDouble(), value.imag()};
}

/// Small whole numbers, different in every slot: sums of their products are exact in every dtype.
Tensor numbers(const Dims& shape, DType dtype, Index seed = 0) {
    const Tensor t = zeros(shape, {dtype, Device{}});
    for (Index i = 0; i < t.numel(); ++i) {
        const double re = static_cast<double>((i * 7 + seed) % 5 - (dtype == DType::UInt8 ? 0 : 2));
        writeSlot(t, i,
                  isComplex(dtype) ? Scalar(Complex<double>{re, static_cast<double>((i + seed) % 3 - 1)}) : Scalar(re));
    }
    return t;
}

/// `t` (..., rows, cols) in layouts that the product must read without help: as made, transposed, with gaps, expanded.
std::vector<std::pair<const char*, Tensor>> layouts(const Tensor& t) {
    const Tensor turned = transpose(contiguous(transpose(t, -1, -2)), -1, -2);
    Dims wide = t.shape();
    wide.back() *= 2;
    const Tensor gaps = slice(zeros(wide, {t.dtype(), Device{}}), -1, std::nullopt, std::nullopt, 2);
    copy_(gaps, t);
    Dims rows = t.shape();
    rows[rows.size() - 2] += 3;
    const Tensor inside = narrow(zeros(rows, {t.dtype(), Device{}}), -2, 2, t.size(-2));
    copy_(inside, t);
    return {{"contiguous", t}, {"transposed", turned}, {"gaps", gaps}, {"inside a larger one", inside}};
}

/// The model: batch dims broadcast, one multiplication after the other.
void compareProduct(const Tensor& a, const Tensor& b, const Tensor& got, const char* what) {
    const std::size_t rank = got.shape().size();
    Dims coord(rank, 0);
    for (Index flat = 0; flat < got.numel(); ++flat) {
        Index rest = flat;
        for (std::size_t d = rank; d-- > 0;) {
            coord[d] = rest % got.shape()[d];
            rest /= got.shape()[d];
        }
        const auto part = [&](const Tensor& t, Index row, Index col) {
            Dims own;
            const std::size_t dims = t.shape().size(), ahead = rank - dims;
            for (std::size_t d = 0; d + 2 < dims; ++d) own.push_back(t.shape()[d] == 1 ? 0 : coord[ahead + d]);
            own.push_back(row);
            own.push_back(col);
            return at(t, own);
        };
        Number sum = 0;
        for (Index p = 0; p < a.size(-1); ++p) sum += part(a, coord[rank - 2], p) * part(b, p, coord[rank - 1]);
        if (a.dtype() == DType::UInt8)
            sum = static_cast<double>(static_cast<std::uint8_t>(static_cast<Index>(sum.real())));
        if (a.dtype() == DType::Int8)
            sum = static_cast<double>(static_cast<std::int8_t>(static_cast<Index>(sum.real())));
        QVERIFY2(at(got, coord) == sum, what);
    }
}

const std::vector<DType>& productDTypes() {
    static const std::vector<DType> dtypes{DType::UInt8,   DType::Int8,      DType::Int16,
                                           DType::Int32,   DType::Int64,     DType::Float32,
                                           DType::Float64, DType::Complex64, DType::Complex128};
    return dtypes;
}

std::vector<double> doublesOf(const Tensor& t) {
    std::vector<double> values;
    for (const Scalar value : elementsOf(t)) values.push_back(value.toDouble());
    return values;
}

} // namespace

class TestMatmul : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void matrices();
    void batches();
    void shapesOfMatmul_data();
    void shapesOfMatmul();
    void copiesNothingThatBlasCanRead();
    void addsProducts();
    void otherProducts();
    void chains();
    void refuses_data();
    void refuses();
    void longProductsAreCut();
    void longProductsStop();
    void publishesOneRecord();
};

void TestMatmul::matrices() {
    // Both sides of the size from which BLAS takes over, single rows and columns, and sums over nothing.
    const Dims sizes[]{{2, 3, 4}, {1, 5, 1},    {7, 1, 3},    {1, 1, 1},   {3, 0, 2},
                       {0, 3, 2}, {17, 19, 23}, {40, 1, 200}, {1, 300, 40}};
    for (const DType dtype : productDTypes()) {
        for (const Dims& s : sizes) {
            const Tensor a = numbers({s[0], s[1]}, dtype), b = numbers({s[1], s[2]}, dtype, 3);
            for (const auto& [nameA, x] : layouts(a)) {
                for (const auto& [nameB, y] : layouts(b)) {
                    const Tensor got = mm(x, y);
                    QCOMPARE(got.shape(), (Dims{s[0], s[2]}));
                    QVERIFY(got.isContiguous());
                    compareProduct(a, b, got, nameA);
                }
            }
            QVERIFY(
                doublesOf(mv(a, select(b, 1, 0).numel() ? select(b, 1, 0) : zeros({s[1]}, {dtype, Device{}}))).size() ==
                static_cast<std::size_t>(s[0]));
        }
        // Stride 0 in both dims of an operand: no run for BLAS.
        const Tensor one = expand(numbers({1, 1}, dtype, 4), {6, 5});
        compareProduct(one, numbers({5, 3}, dtype), mm(one, numbers({5, 3}, dtype)), "expanded");
    }
}

void TestMatmul::batches() {
    for (const DType dtype : productDTypes()) {
        const Tensor a = numbers({2, 1, 3, 4}, dtype), b = numbers({5, 4, 2}, dtype, 1);
        for (const auto& [nameA, x] : layouts(a))
            for (const auto& [nameB, y] : layouts(b)) compareProduct(a, b, matmul(x, y), nameB);
        const Tensor same = expand(numbers({1, 3, 4}, dtype), {6, 3, 4});
        compareProduct(same, numbers({6, 4, 2}, dtype), bmm(same, numbers({6, 4, 2}, dtype)), "expanded batch");
        compareProduct(transpose(numbers({3, 6, 4}, dtype), 0, 1), numbers({6, 4, 2}, dtype),
                       bmm(transpose(numbers({3, 6, 4}, dtype), 0, 1), numbers({6, 4, 2}, dtype)), "batch inside");
    }
    // Large enough for BLAS and for threads over the batch.
    const Tensor many = numbers({40, 20, 20}, DType::Float64), others = numbers({40, 20, 20}, DType::Float64, 2);
    compareProduct(many, others, bmm(many, others), "many");
}

void TestMatmul::shapesOfMatmul_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const Dims& a, const Dims& b, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(toString(matmul(ones(a), ones(b)).shape())) << expected;
    };
    row("1 and 1", {3}, {3}, "()");
    row("2 and 1", {2, 3}, {3}, "(2,)");
    row("1 and 2", {2}, {2, 5}, "(5,)");
    row("2 and 2", {2, 3}, {3, 4}, "(2, 4)");
    row("1 and 3", {3}, {2, 3, 4}, "(2, 4)");
    row("3 and 1", {2, 3, 4}, {4}, "(2, 3)");
    row("4 and 3", {2, 1, 2, 3}, {5, 3, 4}, "(2, 5, 2, 4)");
    row("nothing", {3, 0}, {0, 4}, "(3, 4)");
    row("no batch", {0, 2, 3}, {3, 4}, "(0, 2, 4)");
}

void TestMatmul::shapesOfMatmul() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

void TestMatmul::copiesNothingThatBlasCanRead() {
    const Tensor a = numbers({64, 64}, DType::Float32), out = zeros({64, 64});
    Index allocated = 0;
    const auto count = [&](const Tensor& x, const Tensor& y) {
        const std::uint64_t before = zeros({1}).storage()->id();
        (void)mm(x, y);
        allocated = static_cast<Index>(zeros({1}).storage()->id() - before) - 1;
    };
    count(a, a);
    QCOMPARE(allocated, Index{1}); // the result
    count(t(a), t(a));
    QCOMPARE(allocated, Index{1});
    count(narrow(a, 0, 3, 20), narrow(a, 1, 5, 40));
    QCOMPARE(allocated, Index{1});
    count(slice(a, 1, std::nullopt, std::nullopt, 2), narrow(a, 0, 0, 32));
    QCOMPARE(allocated, Index{2}); // every second column is no run
    (void)out;
}

void TestMatmul::addsProducts() {
    const Tensor a = numbers({2, 3}, DType::Float32), b = numbers({3, 4}, DType::Float32, 1),
                 plus = numbers({4}, DType::Float32, 2);
    const std::vector<double> expected = doublesOf(add(mul(plus, 2.0), mul(mm(a, b), 3.0)));
    QCOMPARE(doublesOf(addmm(plus, a, b, 2, 3)), expected);
    const Tensor bad = full({2, 4}, std::numeric_limits<double>::quiet_NaN());
    QCOMPARE(doublesOf(addmm(bad, a, b, 0)), doublesOf(mm(a, b))); // not read when beta is 0
    QCOMPARE(doublesOf(addmv(ones({2}), a, ones({3}))), doublesOf(add(mv(a, ones({3})), 1)));
    QCOMPARE(baddbmm(zeros({2, 3, 5}), ones({2, 3, 4}), ones({2, 4, 5})).shape(), (Dims{2, 3, 5}));
}

void TestMatmul::otherProducts() {
    const Tensor v = tensorFrom({1, 2, 3}), w = tensorFrom({4, 5, 6});
    QCOMPARE(item(dot(v, w)).toDouble(), 32.0);
    QCOMPARE(doublesOf(outer(v, tensorFrom({1.0, 10.0}))), (std::vector<double>{1, 10, 2, 20, 3, 30}));
    QCOMPARE(doublesOf(cross(v, w)), (std::vector<double>{-3, 6, -3}));
    QCOMPARE(doublesOf(cross(tensorFrom({{1, 0}, {0, 1}, {0, 0}}), tensorFrom({{0, 0}, {1, 0}, {0, 1}}))),
             (std::vector<double>{0, 1, 0, 0, 1, 0}));
    QCOMPARE(item(matrixTrace(tensorFrom({{1, 2, 3}, {4, 5, 6}}))).toDouble(), 6.0);
    QCOMPARE(matrixTrace(zeros({2, 2}, {DType::Int8, Device{}})).dtype(), DType::Int64);
    QCOMPARE(doublesOf(kron(tensorFrom({1, 10}), tensorFrom({{1, 2}, {3, 4}}))),
             (std::vector<double>{1, 2, 10, 20, 3, 4, 30, 40}));
    QCOMPARE(doublesOf(inner(tensorFrom({{1, 2}, {3, 4}}), tensorFrom({1, 1}))), (std::vector<double>{3, 7}));
    QCOMPARE(tensordot(ones({2, 3, 4}), ones({3, 4, 5})).shape(), (Dims{2, 5}));
    QCOMPARE(tensordot(ones({2, 3, 4}), ones({4, 2}), Dims{0, 2}, Dims{1, 0}).shape(), (Dims{3}));
    QCOMPARE(item(tensordot(ones({2, 3}), ones({2, 3}))).toDouble(), 6.0);
    QCOMPARE(tensordot(ones({2}), ones({3}), 0).shape(), (Dims{2, 3}));
    // Size 1 broadcasts against what it is summed with.
    const Tensor narrow1 = tensorFrom({{2}, {3}}), wide = tensorFrom({{1, 2}, {3, 4}, {5, 6}});
    QCOMPARE(doublesOf(tensordot(narrow1, wide, Dims{1}, Dims{0})), (std::vector<double>{18, 24, 27, 36}));
    QCOMPARE(doublesOf(tensordot(wide, narrow1, Dims{0}, Dims{1})), (std::vector<double>{18, 27, 24, 36}));
    const Tensor z = numbers({5}, DType::Complex128);
    const Scalar length = item(vdot(z, z));
    QVERIFY(length.imag() == 0 && length.toDouble() > 0);
}

void TestMatmul::chains() {
    const Tensor a = numbers({10, 2}, DType::Float64), b = numbers({2, 30}, DType::Float64, 1),
                 c = numbers({30, 3}, DType::Float64, 2);
    QCOMPARE(doublesOf(multiDot({a, b, c})), doublesOf(mm(mm(a, b), c)));
    QCOMPARE(multiDot({ones({2}), ones({2, 3}), ones({3})}).dim(), Index{0});
}

void TestMatmul::refuses_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, auto action, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(refusalText(action)) << expected;
    };
    const auto f = [](const Dims& shape, DType dtype = DType::Float32) { return zeros(shape, {dtype, Device{}}); };
    row(
        "inner sizes",
        [&] {
            (void)mm(f({2, 3}), f({2, 3}));
        },
        "MM-01 mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)");
    row(
        "matmul inner sizes",
        [&] {
            (void)matmul(f({2}), f({3, 2}));
        },
        "MM-01 mat1 and mat2 shapes cannot be multiplied (1x2 and 3x2)");
    row(
        "not a matrix",
        [&] {
            (void)mm(f({2}), f({2, 3}));
        },
        "MM-02 self must be a matrix");
    row(
        "dtypes",
        [&] {
            (void)mm(f({2, 3}), f({3, 1}, DType::Float64));
        },
        "MM-03 expected scalar type Float but found Double");
    row(
        "half",
        [&] {
            (void)mm(f({2, 3}, DType::Float16), f({3, 2}, DType::Float16));
        },
        "MM-04 \"addmm_impl_cpu_\" not implemented for 'Half'");
    row(
        "bool", [&] { (void)dot(f({2}, DType::Bool), f({2}, DType::Bool)); },
        "MM-04 \"dot\" not implemented for 'Bool'");
    row(
        "mv",
        [&] {
            (void)mv(f({2, 3}), f({2}));
        },
        "MM-01 size mismatch, got 2, 2x3,2");
    row(
        "mv of a number", [&] { (void)mv(f({}), f({2})); },
        "VIEW-02 Dimension specified as 0 but tensor has no dimensions");
    row(
        "addmv",
        [&] {
            (void)addmv(f({3}), f({2, 2}), f({2}));
        },
        "MM-01 size mismatch, got 3, 2x2,2");
    row(
        "dot sizes", [&] { (void)matmul(f({2}), f({3})); },
        "MM-01 inconsistent tensor size, expected tensor [2] and src [3] to have the same number of elements, but got "
        "2 "
        "and 3 elements respectively");
    row(
        "bmm",
        [&] {
            (void)bmm(f({2, 3, 4}), f({3, 4, 5}));
        },
        "MM-01 Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [3, 4].");
    row(
        "0-d", [&] { (void)matmul(f({}), f({2})); },
        "MM-02 both arguments to matmul need to be at least 1D, but they are 0D and 1D");
    row(
        "cross",
        [&] {
            (void)cross(f({2, 4}), f({2, 4}));
        },
        "MM-01 no dimension of size 3 in input");
    row(
        "outer",
        [&] {
            (void)outer(f({2, 2}), f({3}));
        },
        "MM-02 outer: Expected 1-D argument self, but got 2-D");
    row(
        "tensordot",
        [&] {
            (void)tensordot(f({2, 3}), f({4, 2}), Dims{0}, Dims{1, 0});
        },
        "MM-05 both dimension lists should have same length");
    for (const Index dims : {Index{3}, Index{1} << 62, kIndexMax})
        row(("tensordot of " + std::to_string(dims) + " dims").c_str(), // without a list of them
            [=] {
                (void)tensordot(f({2, 3}), f({2, 3}), dims);
            },
            ("VIEW-01 Dimension out of range (expected to be in range of [-2, 1], but got " + std::to_string(-dims) +
             ")")
                .c_str());
    row(
        "trace", [&] { (void)matrixTrace(f({2})); }, "MM-02 trace: expected a matrix, but got tensor with dim 1");
}

void TestMatmul::refuses() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

void TestMatmul::longProductsAreCut() {
    // More than one call of BLAS takes at a time. Whole numbers: every sum is exact, in whatever order.
    const Index n = 1100, k = 9000;
    const Tensor a = sub(randint(5, {n, k}, {DType::Float32, Device{}}), Scalar(2));
    const Tensor b = sub(randint(5, {k, n}, {DType::Float32, Device{}}), Scalar(2));
    const Tensor v = sub(randint(5, {n}, {DType::Float64, Device{}}), Scalar(2));
    const Tensor want = mv(to(a, DType::Float64), mv(to(b, DType::Float64), v));
    for (const auto& [layout, left] : layouts(a)) {
        const Tensor turned = transpose(contiguous(transpose(b, 0, 1)), 0, 1);
        for (const Tensor& right : {b, turned})
            QVERIFY2(equal(mv(to(mm(left, right), DType::Float64), v), want), layout);
    }
    const Tensor wide = to(a, DType::Float64);
    QVERIFY(equal(mv(mm(wide, to(b, DType::Float64)), v), want));
    const Tensor both = complex(a, a); // (1 + i) a b
    const Tensor product = mm(both, complex(b, zerosLike(b)));
    for (const Tensor& part : {real(product), imag(product)}) QVERIFY(equal(mv(to(part, DType::Float64), v), want));
}

void TestMatmul::longProductsStop() {
    const Tensor a = rand({3000, 3000});
    const Tensor unwatched = mm(a, a);
    Job job;
    const JobScope scope(job);
    QVERIFY(equal(mm(a, a), unwatched)); // to the last bit
    std::thread stopper([&job] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        job.cancel();
    });
    const auto refusal = refusalOf([&] { mm(a, a); });
    stopper.join();
    QVERIFY(refusal && refusal->id == "JOB-01");
}

void TestMatmul::publishesOneRecord() {
    std::vector<OpRecord> records;
    const Tensor a = numbers({2, 3}, DType::Float32), b = numbers({3}, DType::Float32);
    {
        const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
        (void)matmul(a, b);
        (void)multiDot({a, b});
        (void)addmm(ones({2, 2}), a, t(a), 2);
    }
    QCOMPARE(records.size(), std::size_t{5}); // matmul, multi_dot, ones, t, addmm
    QCOMPARE(records[1].name, std::string("linalg.multi_dot"));
    QCOMPARE(records.front().name, std::string("matmul"));
    QCOMPARE(records.front().inputs.size(), std::size_t{2});
    QCOMPARE(records.front().bytesAllocated, Index{8});
    QCOMPARE(records.back().name, std::string("addmm"));
    QCOMPARE(records.back().arguments, std::string("beta=2"));
}

QTEST_APPLESS_MAIN(TestMatmul)
#include "tst_matmul.moc"
