// Medians, intervals and verdicts against known answers.

#include "core/timing/statistics.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stridescope::timing;

class TestTimingStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quantiles() {
        // numpy.quantile([1, 2, 4, 8], [0, .25, .5, .75, 1])
        const std::vector<double> x{1, 2, 4, 8};
        QCOMPARE(quantileOf(x, 0), 1.0);
        QCOMPARE(quantileOf(x, 0.25), 1.75);
        QCOMPARE(quantileOf(x, 0.5), 3.0);
        QCOMPARE(quantileOf(x, 0.75), 5.0);
        QCOMPARE(quantileOf(x, 1), 8.0);
        QCOMPARE(quantileOf(std::vector<double>{3}, 0.7), 3.0);
        const Summary s = summaryOf(std::vector<double>{8, 1, 4, 2});
        QCOMPARE(s.median, 3.0);
        QCOMPARE(s.iqr(), 3.25);
        QCOMPARE(s.least, 1.0);
        QCOMPARE(s.greatest, 8.0);
        QCOMPARE(s.count, std::size_t{4});
        QCOMPARE(summaryOf({}).count, std::size_t{0});
        QCOMPARE(summaryOf({}).spread(), 0.0);
    }

    void intervals_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("place"); // of the order statistic, from 1; 0: none. Tables of the sign test, 95 %.
        const std::pair<int, int> known[] = {{0, 0},  {1, 0},  {5, 0},  {6, 1},   {8, 1},   {9, 2},   {12, 3},
                                             {15, 4}, {20, 6}, {25, 8}, {31, 10}, {50, 18}, {100, 40}};
        for (const auto& [count, place] : known) QTest::addRow("%d samples", count) << count << place;
    }
    void intervals() {
        QFETCH(int, count);
        QFETCH(int, place);
        std::vector<double> x;
        for (int i = count; i >= 1; --i) x.push_back(i); // the k-th lowest is k
        const auto interval = medianInterval(x);
        QCOMPARE(interval.has_value(), place > 0);
        if (!interval) return;
        QCOMPARE(interval->low, static_cast<double>(place));
        QCOMPARE(interval->high, static_cast<double>(count + 1 - place));
    }

    void intervalsHoldTheMedianAsOftenAsPromised() {
        // A skewed distribution, as times have: the median of an exponential one is ln 2.
        std::mt19937 random(3);
        std::exponential_distribution<double> draw(1);
        for (const int n : {7, 15, 40}) {
            int held = 0;
            constexpr int kTries = 4000;
            for (int i = 0; i < kTries; ++i) {
                std::vector<double> x(static_cast<std::size_t>(n));
                std::generate(x.begin(), x.end(), [&] { return draw(random); });
                held += medianInterval(x)->holds(std::log(2.0));
            }
            QVERIFY2(held >= kTries * 0.945, qPrintable(QString::number(held)));
        }
    }

    void digits() {
        // As torch.utils.benchmark tells them.
        QCOMPARE(significantFigures(std::vector<double>{2e-5, 2.02e-5, 2.1e-5, 2.04e-5, 2.03e-5}), 2);
        QCOMPARE(significantFigures(std::vector<double>{9e-4, 9.1e-4, 8.8e-4, 1.9e-3, 2.5e-3}), 1);
        QCOMPARE(significantFigures(std::vector<double>{0.16, 0.161}), 2);
        QCOMPARE(significantFigures(std::vector<double>{1, 1, 1, 1}), 4);
        QCOMPARE(significantFigures({}), 1);
    }

    void verdicts() {
        const std::vector<double> one(10, 1.0);
        std::vector<double> slower, mixed;
        for (int i = 0; i < 10; ++i) {
            slower.push_back(3 + 0.01 * i);
            mixed.push_back(i % 2 ? 0.9 : 1.1);
        }
        Verdict v = compare(one, slower);
        QCOMPARE(v.answer, Answer::FirstFaster);
        QVERIFY(v.interval.holds(v.ratio) && v.ratio > 3 && v.ratio < 3.1);
        QCOMPARE(QString::fromStdString(textOf(v, "CPU", "GPU")), QStringLiteral("CPU faster 3.0x (3.0 to 3.1)"));
        v = compare(slower, one);
        QCOMPARE(v.answer, Answer::SecondFaster);
        QVERIFY(
            QString::fromStdString(textOf(v, "CPU", "GPU")).startsWith(QStringLiteral("GPU faster 3.0x (3.0 to 3.1)")));
        v = compare(one, mixed);
        QCOMPARE(v.answer, Answer::CannotTell);
        QCOMPARE(v.why, std::string("the interval holds 1"));
        QVERIFY(textOf(v, "CPU", "GPU").rfind("cannot tell: the interval holds 1; GPU takes", 0) == 0);
        v = compare(one, slower, true);
        QCOMPARE(v.answer, Answer::CannotTell);
        QCOMPARE(v.why, std::string("this machine is busy"));
        v = compare(std::vector<double>{1, 1}, std::vector<double>{2, 2});
        QCOMPARE(v.answer, Answer::CannotTell);
        QCOMPARE(v.why, std::string("only 2 pairs, 95 % needs 6"));
        QCOMPARE(compare({}, {}).answer, Answer::CannotTell);
        // Pairs count, not the two medians: a slow minute hits both.
        std::vector<double> a, b;
        for (int i = 0; i < 20; ++i) {
            a.push_back(i % 3 ? 1.0 : 2.0);
            b.push_back(a.back() * 1.02);
        }
        QCOMPARE(compare(a, b).answer, Answer::FirstFaster);
    }
};

QTEST_APPLESS_MAIN(TestTimingStatistics)
#include "tst_timing_statistics.moc"
