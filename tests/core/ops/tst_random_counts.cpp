// Numbers of events: PyTorch's own for its seeds, the moments of the distributions, refusals that draw nothing.

#include "core/ops/copy.h"
#include "core/ops/pointwise.h"
#include "core/ops/random.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cmath>
#include <functional>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr TensorOptions kWide{DType::Float64, Device{}};

Tensor wide(const NestedList& values) {
    return tensorFrom(values, kWide);
}
std::vector<double> valuesOf(const Tensor& t) {
    std::vector<double> values;
    for (const Scalar s : elementsOf(t)) values.push_back(s.toDouble());
    return values;
}
using V = std::vector<double>;

/// Mean and variance of a large sample are within five standard errors.
void checkMoments(const Tensor& sample, double mean, double variance) {
    const auto n = static_cast<double>(sample.numel());
    const double got = valuesOf(stridescope::mean(sample))[0], spread = valuesOf(var(sample))[0];
    QVERIFY2(std::fabs(got - mean) < 5 * std::sqrt(variance / n), qPrintable(QString::number(got)));
    // Of a sum of many events the fourth moment is about 3 variance^2, plus the variance itself.
    QVERIFY2(std::fabs(spread - variance) < 5 * std::sqrt((2 * variance * variance + variance) / n),
             qPrintable(QString::number(spread)));
}

} // namespace

class TestRandomCounts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Drawn by PyTorch 1.13.1 on the CPU after manual_seed(0); the uniform number behind them tells how many were
    /// drawn.
    void sameNumbersAsPyTorch() {
        Generator generator(0);
        const Tensor rates = wide({0.0, 0.5, 3.0, 9.9, 10.0, 25.0, 1000.0, 1e6});
        QCOMPARE(valuesOf(poisson(rates, generator)), (V{0, 2, 4, 10, 13, 28, 1002, 1000164}));
        QCOMPARE(valuesOf(rand({1}, kWide, generator))[0], 0.6819456856802084);
        Generator another(0);
        const Tensor counts = wide({0.0, 5.0, 50.0, 50.0, 1000.0, 1000.0, 1e6, 30.0});
        const Tensor p = wide({0.5, 0.5, 0.1, 0.9, 0.3, 0.7, 0.5, 1.0});
        QCOMPARE(valuesOf(binomial(counts, p, another)), (V{0, 4, 5, 45, 286, 687, 500258, 30}));
        QCOMPARE(valuesOf(rand({1}, kWide, another))[0], 0.5237520594022435);
        QVERIFY(std::isnan(valuesOf(binomial(wide({std::nan("")}), wide({0.5}), another))[0]));
        QVERIFY(std::isnan(valuesOf(binomial(wide({3.0}), wide({std::nan("")}), another))[0]));
    }

    void moments() {
        Generator generator(5);
        for (const double rate : {0.3, 4.0, 9.99, 10.0, 37.5, 2000.0})
            checkMoments(poisson(full({20000}, rate, kWide), generator), rate, rate);
        for (const double count : {7.0, 40.0, 3000.0})
            for (const double p : {0.02, 0.5, 0.8}) {
                const Tensor sample = binomial(full({20000}, count, kWide), full({}, p, kWide), generator);
                checkMoments(sample, count * p, count * p * (1 - p));
                QVERIFY(valuesOf(sample).size() == 20000);
                for (const double k : valuesOf(sample)) QVERIFY(k >= 0 && k <= count && k == std::floor(k));
            }
    }

    /// Each element has its own rate, wherever it lies; results are new and row by row.
    void layouts() {
        for (const ZooView& layout : zooViews()) {
            if (layout.view.numel() > 1000) continue;
            const Tensor rates = abs(zooTensor(layout, DType::Float32)); // another layout, perhaps
            Generator generator(9), again(9);
            const Tensor got = poisson(rates, generator), plain = poisson(contiguous(rates), again);
            QCOMPARE(got.shape(), rates.shape());
            QVERIFY2(valuesOf(got) == valuesOf(plain), layout.name.c_str());
            QVERIFY(got.isContiguous());
            const std::vector<double> rate = valuesOf(rates), events = valuesOf(got);
            for (std::size_t i = 0; i < rate.size(); ++i) QVERIFY(rate[i] != 0 || events[i] == 0);
        }
        Generator generator(9), again(9);
        const Tensor table = transpose(view(full({6}, 50, kWide), {2, 3}), 0, 1);
        const Tensor chances = wide({0.1, 0.9});
        const std::vector<double> some = valuesOf(binomial(table, chances, generator));
        const std::vector<double> plain =
            valuesOf(binomial(contiguous(table), contiguous(expand(chances, {3, 2})), again));
        QCOMPARE(some, plain);
    }

    void refuses_data() {
        QTest::addColumn<std::function<void(Generator&)>>("action");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, std::function<void(Generator&)> action, const char* id,
                            const char* message) {
            QTest::newRow(name) << std::move(action) << QString::fromLatin1(id) << QString::fromLatin1(message);
        };
        const char* negative = "invalid Poisson rate, expected rate to be non-negative";
        row(
            "below 0",
            [](Generator& g) {
                (void)poisson(wide({1.0, -1.0}), g);
            },
            "RNG-26", negative);
        row(
            "nan", [](Generator& g) { (void)poisson(wide({std::nan("")}), g); }, "RNG-26", negative);
        row(
            "integers", [](Generator& g) { (void)poisson(arange(3), g); }, "RNG-13",
            "\"poisson_cpu\" not implemented for 'Long'");
        row(
            "half",
            [](Generator& g) {
                (void)poisson(zeros({3}, {DType::Float16, Device{}}), g);
            },
            "RNG-13", "\"poisson_cpu\" not implemented for 'Half'");
        row(
            "two dtypes", [](Generator& g) { (void)binomial(arange(3), zeros({3}), g); }, "RNG-27",
            "Found dtype Float but expected Long");
        row(
            "counts of integers", [](Generator& g) { (void)binomial(arange(3), arange(3), g); }, "RNG-13",
            "\"binomial_cpu\" not implemented for 'Long'");
    }
    void refuses() {
        QFETCH(std::function<void(Generator&)>, action);
        QFETCH(QString, id);
        QFETCH(QString, message);
        Generator generator(2);
        const Generator::State before = generator.state();
        const std::optional<Refusal> refusal = refusalOf([&] { action(generator); });
        QVERIFY(refusal);
        QCOMPARE(QString::fromStdString(refusal->id), id);
        QCOMPARE(QString::fromStdString(refusal->message), message);
        QVERIFY(generator.state() == before);
    }
};

QTEST_APPLESS_MAIN(TestRandomCounts)
#include "tst_random_counts.moc"
