// Running sums, products and extrema, and softmax, against a loop along each line.

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/scans.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "tests/support/check_refusal.h"
#include "tests/support/reduce_model.h"
#include "tests/support/slow_model.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Line = std::vector<Scalar>;

/// The lines of `got` along `dim` beside those that `expected` makes of the lines of `t`.
void compareLines(const Tensor& t, Index dim, const Tensor& got, const std::function<Line(const Line&)>& expected,
                  double tolerance, const std::string& what) {
    QVERIFY2(got.shape() == t.shape() && got.isContiguous(), what.c_str());
    const std::vector<Line> lines = groupsOf(t, {dim}), results = groupsOf(got, {dim});
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Line wanted = expected(lines[i]);
        for (std::size_t k = 0; k < wanted.size(); ++k)
            QVERIFY2(tolerance == 0 ? sameElement(results[i][k], wanted[k])
                                    : near(results[i][k].toDouble(), wanted[k].toDouble(), tolerance),
                     (what + ": " + show(results[i][k]) + ", not " + show(wanted[k])).c_str());
    }
}

/// Running sums or products of a line, as elements of `dtype`.
std::function<Line(const Line&)> running(bool product, DType dtype) {
    return [product, dtype](const Line& line) {
        Line result;
        double real = product ? 1 : 0;
        std::uint64_t whole = product ? 1 : 0;
        for (const Scalar s : line) {
            if (isFloating(dtype)) {
                real = product ? real * s.toDouble() : real + s.toDouble();
                result.push_back(slowConvert(Scalar(real), dtype));
            } else {
                const auto x = static_cast<std::uint64_t>(s.toInt());
                whole = product ? whole * x : whole + x;
                result.push_back(slowConvert(Scalar(static_cast<Index>(whole)), dtype));
            }
        }
        return result;
    };
}

std::vector<double> doublesOf(const Tensor& t) {
    std::vector<double> values;
    for (const Scalar value : elementsOf(t)) values.push_back(value.toDouble());
    return values;
}

/// Every dim of every zoo view with elements.
template <class F>
void forZoo(DType dtype, F f) {
    for (const ZooView& layout : zooViews()) {
        const Tensor t = zooTensor(layout, dtype);
        for (Index d = 0; d < t.dim(); ++d) f(t, d, layout.name + ", " + std::string(name(dtype)));
    }
}

} // namespace

class TestScans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sumsAndProducts();
    void largeShapes();
    void convertsFirst();
    void inPlace();
    void runningExtrema();
    void softmaxes();
    void logarithms();
    void complexNumbers();
    void zeroDim();
    void refuses_data();
    void refuses();
    void publishesOneRecord();
};

void TestScans::sumsAndProducts() {
    for (const DType dtype : kRealDTypes) {
        if (dtype == DType::Float16) continue;
        const DType result = isFloating(dtype) ? dtype : DType::Int64;
        forZoo(dtype, [&](const Tensor& t, Index d, const std::string& what) {
            const Tensor sums = cumsum(t, d - t.dim());
            QCOMPARE(sums.dtype(), result);
            compareLines(t, d, sums, running(false, result), 0, what);
            compareLines(t, d, cumprod(t, d), running(true, result), 0, what);
        });
    }
}

void TestScans::largeShapes() {
    const int threads = numThreads();
    for (const int count : {1, 3}) {
        setNumThreads(count);
        for (const Dims& shape : {Dims{100, 300}, Dims{20, 40, 30}, Dims{70000}, Dims{400, 200}}) {
            for (const DType dtype : {DType::Float32, DType::Int16}) {
                const Tensor t = empty(shape, {dtype, Device{}});
                for (Index i = 0; i < t.numel(); ++i) writeSlot(t, i, Scalar(static_cast<double>((i * 31) % 17 - 8)));
                const DType result = dtype == DType::Float32 ? dtype : DType::Int64;
                for (Index d = 0; d < t.dim(); ++d) {
                    compareLines(t, d, cumsum(t, d), running(false, result), 0, "as it lies");
                    const Tensor turned = t.dim() == 1 ? t : transpose(t, 0, -1);
                    compareLines(turned, d, cumsum(turned, d), running(false, result), 0, "turned");
                }
            }
        }
    }
    setNumThreads(threads);
}

void TestScans::convertsFirst() {
    QCOMPARE(doublesOf(cumsum(tensorFrom({0.5, 1.5, 2.5}), 0, DType::Int32)), (std::vector<double>{0, 1, 3}));
    QCOMPARE(doublesOf(cumsum(full({3}, 200, {DType::UInt8, Device{}}), 0, DType::UInt8)),
             (std::vector<double>{200, 144, 88}));
    QCOMPARE(cumprod(tensorFrom({true, false}), 0).dtype(), DType::Int64);
}

void TestScans::inPlace() {
    const Tensor t = tensorFrom({{1, 2, 3}, {4, 5, 6}}, {DType::Int32, Device{}});
    QVERIFY(&cumsum_(t, 0) == &t);
    QCOMPARE(doublesOf(t), (std::vector<double>{1, 2, 3, 5, 7, 9}));
    cumprod_(transpose(t, 0, 1), 0);
    QCOMPARE(doublesOf(t), (std::vector<double>{1, 2, 6, 5, 35, 315}));
    const Tensor out = zeros({2, 3}, {DType::Float64, Device{}});
    QCOMPARE(doublesOf(cumsumOut(tensorFrom({{1, 2, 3}, {4, 5, 6}}), 1, out)),
             (std::vector<double>{1, 3, 6, 4, 9, 15}));
    QCOMPARE(doublesOf(cumprodOut(out, 0, out)), (std::vector<double>{1, 3, 6, 4, 27, 90}));
    const Tensor repeats = expand(ones({3}), {2, 3});
    const auto refusal = refusalOf([&] { cumsum_(repeats, 0); });
    QVERIFY(refusal && refusal->id == "OVERLAP-01");
    QCOMPARE(doublesOf(repeats), std::vector<double>(6, 1.0));
}

void TestScans::runningExtrema() {
    for (const DType dtype : kRealDTypes) {
        if (dtype == DType::Float16) continue;
        forZoo(dtype, [&](const Tensor& t, Index d, const std::string& what) {
            for (const bool maximum : {false, true}) {
                const ValuesAndIndices got = maximum ? cummax(t, d) : cummin(t, d);
                const auto positions = [maximum](const Line& line) {
                    Line result;
                    std::size_t best = 0;
                    for (std::size_t i = 0; i < line.size(); ++i) {
                        const double x = line[i].toDouble(), y = line[best].toDouble();
                        if (maximum ? x >= y : x <= y) best = i;
                        result.push_back(Scalar(static_cast<Index>(best)));
                    }
                    return result;
                };
                compareLines(t, d, got.indices, positions, 0, what);
                compareLines(
                    t, d, got.values,
                    [&](const Line& line) {
                        Line result;
                        for (const Scalar at : positions(line))
                            result.push_back(line[static_cast<std::size_t>(at.toInt())]);
                        return result;
                    },
                    0, what);
            }
        });
    }
    const ValuesAndIndices withNan = cummax(tensorFrom({1.0, 3.0, 3.0, kNan, 2.0, kNan, 5.0}), 0);
    QCOMPARE(doublesOf(withNan.indices), (std::vector<double>{0, 1, 2, 3, 3, 5, 5}));
    QVERIFY(std::isnan(doublesOf(withNan.values)[6]));
}

void TestScans::softmaxes() {
    for (const DType dtype : {DType::Float32, DType::Float64}) {
        forZoo(dtype, [&](const Tensor& t, Index d, const std::string& what) {
            const auto shares = [](const Line& line) {
                double total = 0;
                for (const Scalar s : line) total += std::exp(s.toDouble());
                Line result;
                for (const Scalar s : line) result.push_back(Scalar(std::exp(s.toDouble()) / total));
                return result;
            };
            compareLines(t, d, softmax(t, d), shares, toleranceOf(dtype) * 4, what);
            compareLines(
                t, d, logSoftmax(t, d),
                [&](const Line& line) {
                    Line result = shares(line);
                    for (Scalar& s : result) s = Scalar(std::log(s.toDouble()));
                    return result;
                },
                toleranceOf(dtype) * 4, what);
        });
    }
    QCOMPARE(doublesOf(softmax(tensorFrom({1000.0, 1000.0}), 0)), (std::vector<double>{0.5, 0.5}));
    QCOMPARE(doublesOf(softmax(tensorFrom({1, 1}), 0, DType::Float64)), (std::vector<double>{0.5, 0.5}));
    QVERIFY(std::isnan(doublesOf(softmax(tensorFrom({-kInf, -kInf}), 0))[0]));
}

void TestScans::logarithms() {
    for (const DType dtype : {DType::Float32, DType::Float64}) {
        forZoo(dtype, [&](const Tensor& t, Index d, const std::string& what) {
            compareLines(
                t, d, logcumsumexp(t, d),
                [](const Line& line) {
                    Line result;
                    double total = 0;
                    for (const Scalar s : line) result.push_back(Scalar(std::log(total += std::exp(s.toDouble()))));
                    return result;
                },
                toleranceOf(dtype) * 4, what);
        });
    }
    QCOMPARE(doublesOf(logcumsumexp(tensorFrom({-kInf, -kInf, kInf, 1.0}), 0)),
             (std::vector<double>{-kInf, -kInf, kInf, kInf}));
    QVERIFY(std::isnan(doublesOf(logcumsumexp(tensorFrom({1.0, kNan, 2.0}), 0))[2]));
}

void TestScans::complexNumbers() {
    const Tensor z = complex(tensorFrom({{1.0, 2.0}, {0.0, 1.0}}), tensorFrom({{2.0, 0.0}, {1.0, 1.0}}));
    QCOMPARE(doublesOf(viewAsReal(cumsum(z, 0))), (std::vector<double>{1, 2, 2, 0, 1, 3, 3, 1}));
    QCOMPARE(doublesOf(viewAsReal(cumsum(t(z), 0))), (std::vector<double>{1, 2, 0, 1, 3, 2, 1, 2}));
    QCOMPARE(doublesOf(viewAsReal(cumprod(z, 1))), (std::vector<double>{1, 2, 2, 4, 0, 1, -1, 1}));
    QCOMPARE(doublesOf(viewAsReal(cumsum(select(select(z, 0, 0), 0, 0), 0))), (std::vector<double>{1, 2}));
}

void TestScans::zeroDim() {
    const Tensor t = full({}, 3.0);
    QCOMPARE(doublesOf(cumsum(t, 0)), (std::vector<double>{3}));
    QCOMPARE(doublesOf(softmax(t, -1)), (std::vector<double>{1}));
    QCOMPARE(doublesOf(cummax(t, 0).indices), (std::vector<double>{0}));
    QCOMPARE(cumsum(empty({2, 0}), 1).shape(), (Dims{2, 0}));
    QCOMPARE(cummin(empty({0, 2}), 0).indices.shape(), (Dims{0, 2}));
}

void TestScans::refuses_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, auto action, const char* expected) {
        const std::optional<Refusal> refusal = refusalOf(action);
        QTest::newRow(name) << (refusal ? QString::fromStdString(refusal->id + " " + refusal->message) : QString())
                            << expected;
    };
    const auto of = [](DType dtype) { return zeros({2, 2}, {dtype, Device{}}); };
    row(
        "dim", [&] { (void)cumsum(of(DType::Float32), 2); },
        "VIEW-01 Dimension out of range (expected to be in range of [-2, 1], but got 2)");
    row(
        "half", [&] { (void)cumsum(of(DType::Float16), 0); }, "RED-07 \"cumsum_out_cpu\" not implemented for 'Half'");
    row(
        "to bool", [&] { (void)cumprod(of(DType::Float32), 0, DType::Bool); },
        "RED-07 \"cumprod_out_cpu\" not implemented for 'Bool'");
    row(
        "bool in place", [&] { cumsum_(of(DType::Bool), 0); }, "RED-07 \"cumsum_out_cpu\" not implemented for 'Bool'");
    row(
        "cummax", [&] { (void)cummax(of(DType::Complex64), 0); },
        "RED-07 \"cummax_cpu\" not implemented for 'ComplexFloat'");
    row(
        "softmax", [&] { (void)softmax(of(DType::Int64), 1); },
        "RED-07 \"softmax_lastdim_kernel_impl\" not implemented for 'Long'");
    row(
        "log_softmax", [&] { (void)logSoftmax(of(DType::Int64), -1); },
        "RED-07 \"log_softmax_lastdim_kernel_impl\" not implemented for 'Long'");
    row(
        "softmax over rows", [&] { (void)softmax(of(DType::Int32), 0); },
        "RED-07 \"softmax_kernel_impl\" not implemented for 'Int'");
    row(
        "logcumsumexp", [&] { (void)logcumsumexp(of(DType::UInt8), 0); },
        "RED-07 \"logcumsumexp_out_cpu\" not implemented for 'Byte'");
    row(
        "undefined", [&] { (void)cumsum(Tensor(), 0); }, "TENSOR-02 cumsum: the tensor is undefined");
}

void TestScans::refuses() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

void TestScans::publishesOneRecord() {
    std::vector<OpRecord> records;
    const Tensor x = zeros({4, 6});
    {
        const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
        (void)cumsum(x, 1, DType::Float64);
        (void)cummax(x, 0);
        cumprod_(x, 0);
        (void)softmax(x, -1);
    }
    QCOMPARE(records.size(), std::size_t{4});
    QCOMPARE(records[0].arguments, std::string("1, dtype=torch.float64"));
    QCOMPARE(records[1].outputs.size(), std::size_t{2});
    QCOMPARE(records[2].name, std::string("cumprod_"));
    QVERIFY(records[2].effect == OpEffect::InPlace);
    QCOMPARE(records[3].arguments, std::string("-1"));
}

QTEST_APPLESS_MAIN(TestScans)
#include "tst_scans.moc"
