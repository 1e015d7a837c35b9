// Medians, modes and quantiles against sorted lines.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/order_statistics.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "tests/support/check_refusal.h"
#include "tests/support/reduce_model.h"
#include "tests/support/slow_model.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> doublesOf(const Tensor& t) {
    std::vector<double> values;
    for (const Scalar value : elementsOf(t)) values.push_back(value.toDouble());
    return values;
}
double number(const Tensor& t) {
    return item(t).toDouble();
}

std::vector<double> sortedLine(const std::vector<Scalar>& line) {
    std::vector<double> values;
    for (const Scalar s : line) values.push_back(s.toDouble());
    std::sort(values.begin(), values.end());
    return values;
}

bool hasMedian(DType dtype) {
    return dtype != DType::Float16 && dtype != DType::Bool;
}

} // namespace

class TestOrderStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void medians();
    void mediansWithNan();
    void modes();
    void quantiles();
    void quantilesWithNan();
    void interpolations_data();
    void interpolations();
    void refuses_data();
    void refuses();
    void publishesOneRecord();
};

void TestOrderStatistics::medians() {
    for (const DType dtype : kRealDTypes) {
        if (!hasMedian(dtype)) continue;
        for (const ZooView& layout : zooViews()) {
            const Tensor t = zooTensor(layout, dtype);
            if (t.numel() == 0) continue;
            const std::vector<double> all = sortedLine(elementsOf(t));
            QCOMPARE(number(median(t)), all[(all.size() - 1) / 2]);
            QCOMPARE(number(nanmedian(t)), all[(all.size() - 1) / 2]);
            for (Index d = 0; d < t.dim(); ++d) {
                const ValuesAndIndices got = median(t, d, true);
                QCOMPARE(got.values.dtype(), dtype);
                QCOMPARE(got.indices.shape(), reducedShape(t, {d}, true));
                const std::vector<double> values = doublesOf(got.values), positions = doublesOf(got.indices);
                const auto lines = groupsOf(t, {d});
                for (std::size_t i = 0; i < lines.size(); ++i) {
                    const std::vector<double> sorted = sortedLine(lines[i]);
                    QVERIFY2(values[i] == sorted[(sorted.size() - 1) / 2], layout.name.c_str());
                    // Where it would stand if equal elements kept their order.
                    const auto at = static_cast<std::size_t>(positions[i]);
                    std::size_t ahead = 0;
                    for (std::size_t k = 0; k < lines[i].size(); ++k) {
                        const double x = lines[i][k].toDouble();
                        ahead += x < values[i] || (x == values[i] && k < at) ? 1 : 0;
                    }
                    QVERIFY2(lines[i][at].toDouble() == values[i] && ahead == (sorted.size() - 1) / 2,
                             layout.name.c_str());
                }
            }
        }
    }
    QCOMPARE(number(median(tensorFrom({3, 1, 2, 4}))), 2.0);
    QVERIFY(std::isnan(number(median(empty({0})))));
    QCOMPARE(item(median(empty({0}, {DType::Int64, Device{}}))).toInt(), std::numeric_limits<Index>::min());
}

void TestOrderStatistics::mediansWithNan() {
    const Tensor t = tensorFrom({{1.0, kNan, 3.0}, {kNan, kNan, kNan}, {5.0, 6.0, 7.0}});
    QVERIFY(std::isnan(number(median(t))));
    QCOMPARE(number(nanmedian(t)), 5.0);
    QCOMPARE(doublesOf(median(t, 1).indices), (std::vector<double>{1, 0, 1}));
    const ValuesAndIndices got = nanmedian(t, 1);
    QCOMPARE(doublesOf(got.indices), (std::vector<double>{0, 0, 1}));
    QCOMPARE(doublesOf(got.values)[0], 1.0);
    QVERIFY(std::isnan(doublesOf(got.values)[1]));
}

void TestOrderStatistics::modes() {
    for (const DType dtype : kRealDTypes) {
        for (const ZooView& layout : zooViews()) {
            const Tensor t = zooTensor(layout, dtype);
            if (t.numel() == 0) continue;
            for (Index d = 0; d < t.dim(); ++d) {
                const ValuesAndIndices got = mode(t, d);
                QCOMPARE(got.values.dtype(), dtype);
                const std::vector<double> values = doublesOf(got.values), positions = doublesOf(got.indices);
                const auto lines = groupsOf(t, {d});
                for (std::size_t i = 0; i < lines.size(); ++i) {
                    std::map<double, int> counts;
                    for (const Scalar s : lines[i]) ++counts[s.toDouble()];
                    const auto most = std::max_element(
                        counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
                    QVERIFY2(values[i] == most->first, layout.name.c_str());
                    QVERIFY2(lines[i][static_cast<std::size_t>(positions[i])].toDouble() == most->first,
                             layout.name.c_str());
                }
            }
        }
    }
    QCOMPARE(item(mode(tensorFrom({1, 2, 2, 1})).indices).toInt(), Index{3}); // the least of the most frequent
}

void TestOrderStatistics::quantiles() {
    for (const DType dtype : {DType::Float32, DType::Float64}) {
        for (const ZooView& layout : zooViews()) {
            const Tensor t = zooTensor(layout, dtype);
            if (t.numel() == 0) continue;
            for (Index d = 0; d < t.dim(); ++d) {
                for (const double q : {0.0, 0.25, 0.5, 0.9, 1.0}) {
                    const Tensor got = quantile(t, q, d, true);
                    QCOMPARE(got.shape(), reducedShape(t, {d}, true));
                    const std::vector<double> values = doublesOf(got);
                    const auto lines = groupsOf(t, {d});
                    for (std::size_t i = 0; i < lines.size(); ++i) {
                        const std::vector<double> sorted = sortedLine(lines[i]);
                        const double rank = q * static_cast<double>(sorted.size() - 1);
                        const auto low = static_cast<std::size_t>(rank);
                        const std::size_t high = std::min(low + 1, sorted.size() - 1);
                        const double expected =
                            sorted[low] + (rank - static_cast<double>(low)) * (sorted[high] - sorted[low]);
                        QVERIFY2(near(values[i], expected, toleranceOf(dtype) * 100), layout.name.c_str());
                    }
                }
            }
        }
    }
    const Tensor x = tensorFrom({{0.0, 1.0, 2.0}, {3.0, 4.0, 5.0}});
    const Tensor several = quantile(x, tensorFrom({0.0, 0.5, 1.0}), 1);
    QCOMPARE(several.shape(), (Dims{3, 2}));
    QCOMPARE(several.stride(), (Dims{1, 3}));
    QCOMPARE(doublesOf(several), (std::vector<double>{0, 3, 1, 4, 2, 5}));
    QCOMPARE(number(quantile(t(x), 0.5)), 2.5);
    QCOMPARE(quantile(x, 0.5, std::nullopt, true).shape(), (Dims{1, 1}));
    QCOMPARE(quantile(x, full({}, 0.5), 0).shape(), (Dims{3}));
}

void TestOrderStatistics::quantilesWithNan() {
    const Tensor x = tensorFrom({{1.0, kNan, 2.0, 5.0}, {1.0, 2.0, 3.0, 4.0}, {kNan, kNan, kNan, kNan}});
    const std::vector<double> plain = doublesOf(quantile(x, 0.5, 1)), without = doublesOf(nanquantile(x, 0.5, 1));
    QVERIFY(std::isnan(plain[0]) && plain[1] == 2.5 && std::isnan(plain[2]));
    QVERIFY(without[0] == 2.0 && without[1] == 2.5 && std::isnan(without[2]));
    QVERIFY(std::isnan(number(quantile(x, 0.0))));
    QCOMPARE(doublesOf(nanquantile(x, tensorFrom({0.0, 1.0}))), (std::vector<double>{1, 5}));
}

void TestOrderStatistics::interpolations_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("expected");
    QTest::newRow("linear") << "linear" << 14.0;
    QTest::newRow("lower") << "lower" << 10.0;
    QTest::newRow("higher") << "higher" << 20.0;
    QTest::newRow("midpoint") << "midpoint" << 15.0;
    QTest::newRow("nearest") << "nearest" << 10.0;
}

void TestOrderStatistics::interpolations() {
    QFETCH(QString, name);
    QFETCH(double, expected);
    const Tensor x = tensorFrom({20.0, 0.0, 10.0, 30.0, 40.0, 50.0, 60.0, 70.0}, {DType::Float64, Device{}});
    QVERIFY(near(number(quantile(x, 0.2, 0, false, interpolationFromName(name.toStdString()))), expected, 1e-12));
}

void TestOrderStatistics::refuses_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, auto action, const char* expected) {
        const std::optional<Refusal> refusal = refusalOf(action);
        QTest::newRow(name) << (refusal ? QString::fromStdString(refusal->id + " " + refusal->message) : QString())
                            << expected;
    };
    const Tensor x = zeros({2, 3}), e = empty({2, 0});
    const auto of = [](DType dtype) { return zeros({2}, {dtype, Device{}}); };
    row(
        "dim", [&] { (void)median(x, 2); },
        "VIEW-01 Dimension out of range (expected to be in range of [-2, 1], but got 2)");
    row(
        "empty dim", [&] { (void)median(e, 1); }, "RED-04 median(): Expected reduction dim 1 to have non-zero size.");
    row(
        "mode of an empty dim", [&] { (void)mode(e); },
        "RED-04 mode(): Expected reduction dim 1 to have non-zero size.");
    row(
        "median of half", [&] { (void)median(of(DType::Float16)); },
        "RED-07 \"median_cpu\" not implemented for 'Half'");
    row(
        "median of bool", [&] { (void)median(of(DType::Bool), 0); },
        "RED-07 \"median_out\" not implemented for 'Bool'");
    row(
        "mode of complex", [&] { (void)mode(of(DType::Complex64)); },
        "RED-07 \"mode_cpu\" not implemented for 'ComplexFloat'");
    row(
        "q", [&] { (void)quantile(x, 1.5); }, "RED-08 quantile() q must be in the range [0, 1] but got 1.5");
    row(
        "several q",
        [&] {
            (void)quantile(x, tensorFrom({0.1, 2.0}));
        },
        "RED-08 quantile() q values must be in the range [0, 1]");
    row(
        "q of another dtype", [&] { (void)quantile(x, of(DType::Float64)); },
        "RED-08 quantile() q tensor must be same dtype as the input tensor");
    row(
        "q of two dims", [&] { (void)quantile(x, x); }, "RED-08 quantile() q must be a scalar or 1D tensor");
    row(
        "integers", [&] { (void)quantile(of(DType::Int64), 0.5); },
        "RED-08 quantile() input tensor must be either float or double dtype");
    row(
        "nothing", [&] { (void)quantile(e, 0.5, 1); }, "RED-08 quantile() input tensor must be non-empty");
    row(
        "interpolation", [&] { (void)interpolationFromName("x"); },
        "RED-08 quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got x");
    row(
        "undefined", [&] { (void)mode(Tensor()); }, "TENSOR-02 mode: the tensor is undefined");
}

void TestOrderStatistics::refuses() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

void TestOrderStatistics::publishesOneRecord() {
    std::vector<OpRecord> records;
    const Tensor x = zeros({4, 6}), turned = t(x);
    {
        const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
        (void)median(turned);
        (void)mode(x, 1, true);
        (void)quantile(x, 0.25, 0);
    }
    std::vector<std::string> lines;
    for (const OpRecord& r : records) lines.push_back(r.name + "(" + r.arguments + ")");
    QCOMPARE(lines, (std::vector<std::string>{"median()", "mode(1, keepdim=True)", "quantile(0.25, dim=0)"}));
}

QTEST_APPLESS_MAIN(TestOrderStatistics)
#include "tst_order_statistics.moc"
