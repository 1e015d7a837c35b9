// The measuring loop on a clock that a test moves, and on this machine where only it can be asked.

#include "core/backend/cpu/thread_pool.h"
#include "core/error.h"
#include "tests/core/timing/fake_instruments.h"

#include <QTest>

#include <atomic>
#include <thread>

using namespace stridescope;
using namespace stridescope::timing;
using namespace stridescope::timing::test;

namespace {

MeasureOptions quick() {
    MeasureOptions options;
    options.maxSeconds = 0.5;
    return options;
}

double medianOf(const Measured& m) {
    return summaryOf(keptTimes(m.samples)).median;
}

} // namespace

class TestTimingMeasure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksAreLongEnough_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<double>("reading");
        for (const double seconds : {3e-9, 1e-6, 4e-4, 5e-3})
            for (const double reading : {20e-9, 5e-6})
                QTest::addRow("%g s, %g s", seconds, reading) << seconds << reading;
    }
    void blocksAreLongEnough() {
        QFETCH(double, seconds);
        QFETCH(double, reading);
        Fake fake;
        fake.clock.reading = reading;
        const Subject s = fake.subject("work", seconds);
        const MeasuredTogether m = measureTogether(std::span(&s, 1), quick(), fake.instruments());
        QVERIFY(std::abs(m.clockCost - reading) < 0.01 * reading);
        const double least = std::max(1e-3, 1000 * reading);
        for (const Sample& sample : m.subjects[0].samples) QVERIFY(sample.times.host >= least);
        QVERIFY(static_cast<double>(m.subjects[0].callsPerBlock) * seconds <
                3 * std::max(least, seconds)); // and not much longer
        QVERIFY(std::abs(medianOf(m.subjects[0]) - 1.01 * seconds) < 0.02 * seconds);
    }

    void whatIsThrownAwayIsKept() {
        Fake fake;
        int calls = 0;
        Subject s;
        s.label = "slow to start";
        s.block = [&](std::int64_t count) {
            const double start = fake.clock.now();
            for (std::int64_t i = 0; i < count; ++i)
                fake.clock.work(calls++ == 0 ? 0.3 : 2e-3 * (calls < 9 ? 10.0 / calls : 1));
            return BlockTimes{fake.clock.now() - start};
        };
        const MeasuredTogether m = measureTogether(std::span(&s, 1), quick(), fake.instruments());
        const Measured& one = m.subjects[0];
        QVERIFY(std::abs(one.firstCall - 0.3) < 1e-6);
        QCOMPARE(one.warmUp.front().times.host, one.firstCall);
        QVERIFY(one.warm);
        QVERIFY(one.warmUp.size() >= 9);
        const double last = one.warmUp.back().perCall(), before = one.warmUp[one.warmUp.size() - 2].perCall();
        QVERIFY(std::abs(last - before) <= 0.05 * std::max(last, before));
        QVERIFY(std::abs(medianOf(one) - 2e-3) < 1e-6);
        MeasureOptions never = quick();
        never.warmUp = false;
        calls = 0;
        QVERIFY(!measureTogether(std::span(&s, 1), never, fake.instruments()).subjects[0].warm);
    }

    void whatNeverAgreesStopsByTime() {
        Fake fake;
        int block = 0;
        Subject s;
        s.block = [&](std::int64_t) {
            fake.clock.work(++block % 2 ? 2e-3 : 4e-3);
            return BlockTimes{block % 2 ? 2e-3 : 4e-3};
        };
        const MeasuredTogether m = measureTogether(std::span(&s, 1), quick(), fake.instruments());
        QVERIFY(!m.subjects[0].warm);
        double warming = 0;
        for (const Sample& sample : m.subjects[0].warmUp) warming += sample.times.host;
        QVERIFY(warming >= 1 && warming < 1.01);
        QCOMPARE(m.stop, Stop::Time);
        QCOMPARE(QString::fromLatin1(name(m.stop)), QStringLiteral("time"));
    }

    void differencesAreTold() {
        Fake fake;
        const std::array<Subject, 2> two{fake.subject("a", 1e-5), fake.subject("b", 1.03e-5)};
        const MeasuredTogether m = measureTogether(two, quick(), fake.instruments());
        QCOMPARE(m.stop, Stop::Precise);
        QCOMPARE(m.subjects[0].samples.size(), m.subjects[1].samples.size());
        const Verdict v = compareRounds(m.subjects[0].samples, m.subjects[1].samples, m.busy);
        QCOMPARE(v.answer, Answer::FirstFaster);
        QVERIFY(v.interval.holds(1.03));
        QVERIFY((v.interval.high - v.interval.low) / 2 <= 0.02 * v.ratio);
        // In turns: neither always comes first.
        int firstFirst = 0;
        for (std::size_t i = 0; i < m.subjects[0].samples.size(); ++i)
            firstFirst += m.subjects[0].samples[i].started < m.subjects[1].samples[i].started;
        QVERIFY(firstFirst > 0 && firstFirst < static_cast<int>(m.subjects[0].samples.size()));
    }

    void aAgainstAIsNotTold() {
        int apart = 0;
        Fake fake;
        for (int i = 0; i < 200; ++i) {
            const std::array<Subject, 2> two{fake.subject("a", 1e-5, 0.1), fake.subject("a", 1e-5, 0.1)};
            MeasureOptions options = quick();
            options.seed = static_cast<std::uint64_t>(i);
            const MeasuredTogether m = measureTogether(two, options, fake.instruments());
            apart += compareRounds(m.subjects[0].samples, m.subjects[1].samples, m.busy).answer != Answer::CannotTell;
        }
        QVERIFY2(apart <= 10, qPrintable(QString::number(apart)));
    }

    void noisyBlocksAreDropped_data() {
        QTest::addColumn<int>("kind"); // 0 probe, 1 switches, 2 processor time
        QTest::addColumn<int>("every");
        for (const int kind : {0, 1, 2})
            for (const int every : {10, 2}) QTest::addRow("kind %d, 1 in %d", kind, every) << kind << every;
    }
    void noisyBlocksAreDropped() {
        QFETCH(int, kind);
        QFETCH(int, every);
        Fake fake;
        bool noisy = false;
        int blocks = 0;
        Subject s;
        s.prepare = [&] { noisy = ++blocks > 100 && blocks % every == 0; };
        s.block = [&](std::int64_t calls) {
            const double start = fake.clock.now();
            fake.clock.work(static_cast<double>(calls) * 2e-3);
            if (noisy && kind == 1) fake.clock.takeAway(1e-5);
            if (noisy && kind != 1) fake.clock.wait(1e-3);
            return BlockTimes{fake.clock.now() - start};
        };
        fake.probe.factor = [&] { return noisy && kind == 0 ? 2.0 : fake.uniform(1, 1.1); };
        MeasureOptions options = quick();
        options.minSeconds = 2;
        options.maxSeconds = 2;
        const MeasuredTogether m = measureTogether(std::span(&s, 1), options, fake.instruments());
        const auto expected = static_cast<std::size_t>((blocks - 100) / every);
        QVERIFY(m.dropped + 1 >= expected && m.dropped <= expected + 1);
        QCOMPARE(m.busy, static_cast<double>(m.dropped) > 0.3 * static_cast<double>(m.taken));
        QVERIFY(std::abs(medianOf(m.subjects[0]) - 2e-3) < 1e-6); // what is dropped moves nothing
        for (const Sample& sample : m.subjects[0].samples)
            if (sample.dropped != Dropped::No)
                QCOMPARE(static_cast<int>(sample.dropped), static_cast<int>(kind == 0   ? Dropped::Probe
                                                                            : kind == 1 ? Dropped::Switched
                                                                                        : Dropped::Processor));
        if (every == 2)
            QVERIFY(!m.busy ||
                    compareRounds(m.subjects[0].samples, m.subjects[0].samples, m.busy).why == "this machine is busy");
    }

    void whatWaitsIsNotNoisy() {
        Fake fake;
        Subject s;
        s.mayWait = true;
        s.block = [&](std::int64_t calls) {
            fake.clock.wait(1e-2 * static_cast<double>(calls));
            return BlockTimes{1e-2 * static_cast<double>(calls)};
        };
        QCOMPARE(measureTogether(std::span(&s, 1), quick(), fake.instruments()).dropped, std::size_t{0});
        s.mayWait = false;
        QVERIFY(measureTogether(std::span(&s, 1), quick(), fake.instruments()).busy);
    }

    void aFewSwitchesInALongBlockAreNoNoise() {
        std::vector<Sample> samples(2);
        samples[0].times.host = samples[1].times.host = 0.12;
        samples[0].switches = 2;
        samples[1].switches = 3;
        markNoise(samples, 0, {}, false);
        QCOMPARE(static_cast<int>(samples[0].dropped), static_cast<int>(Dropped::No));
        QCOMPARE(static_cast<int>(samples[1].dropped), static_cast<int>(Dropped::Switched));
    }

    void stopsWhenAsked() {
        Fake fake;
        Job job;
        int blocks = 0;
        Subject s;
        s.block = [&](std::int64_t calls) {
            if (++blocks == 40) job.cancel();
            fake.clock.work(2e-3 * static_cast<double>(calls) * fake.uniform(1, 1.5));
            if (blocks == 40) throwIfCancelled(); // as kernels do
            return BlockTimes{2e-3 * static_cast<double>(calls) * fake.uniform(1, 1.5)};
        };
        const MeasuredTogether m = measureTogether(std::span(&s, 1), quick(), fake.instruments(), &job);
        QCOMPARE(m.stop, Stop::Cancelled);
        QCOMPARE(blocks, 40);
        QVERIFY(!m.subjects[0].samples.empty() && m.subjects[0].samples.size() < 40);
        const MeasuredTogether none = measureTogether(std::span(&s, 1), quick(), fake.instruments(), &job);
        QVERIFY(none.subjects[0].samples.empty() && none.subjects[0].warmUp.empty());
    }

    void timeThatASubjectDoesNotTellCounts() {
        Fake fake;
        Subject s; // stops its clock early, as one that does not synchronise
        s.block = [&](std::int64_t calls) {
            fake.clock.work(2e-2 * static_cast<double>(calls));
            return BlockTimes{1e-6 * static_cast<double>(calls)};
        };
        MeasureOptions options = quick();
        options.precision = 0;
        const double start = fake.clock.now();
        const MeasuredTogether m = measureTogether(std::span(&s, 1), options, fake.instruments());
        QCOMPARE(m.subjects[0].callsPerBlock, std::int64_t{1});
        QVERIFY(fake.clock.now() - start < 2);
    }

    void refusalsPass() {
        Fake fake;
        Subject s;
        s.block = [](std::int64_t) -> BlockTimes { throwRefusal({ErrorKind::Value, "X-01", "no", "", {}}); };
        QVERIFY_EXCEPTION_THROWN(measureTogether(std::span(&s, 1), quick(), fake.instruments()), ValueError);
    }

    void tellsAtMostTenTimesASecond() {
        Fake fake;
        const Subject s = fake.subject("work", 1e-3, 0.5);
        int told = 0;
        double last = 0, greatest = 0;
        MeasureOptions options = quick();
        options.precision = 0; // to the end
        measureTogether(std::span(&s, 1), options, fake.instruments(), nullptr, [&](const MeasureProgress& p) {
            const double now = fake.clock.now();
            QVERIFY(now - last > 0.0999);
            last = now;
            ++told;
            greatest = std::max(greatest, p.share);
        });
        QVERIFY(told >= 4 && greatest <= 1);
    }

    void blockSizes() {
        std::vector<std::int64_t> tried;
        const auto run = [&](std::int64_t calls) -> std::optional<double> {
            tried.push_back(calls);
            return 1e-6 * static_cast<double>(calls);
        };
        QCOMPARE(blockSize(run, 1e-3, true), std::optional<std::int64_t>(1000));
        QCOMPARE(tried, (std::vector<std::int64_t>{1, 10, 100, 1000}));
        const auto grown = blockSize(run, 1.5e-3);
        QVERIFY(grown && *grown >= 1500 && *grown < 3000);
        QCOMPARE(blockSize(run, 0), std::optional<std::int64_t>(1));
        QVERIFY(!blockSize([](std::int64_t) { return std::nullopt; }, 1));
    }

    void blocksOneAfterTheOther() {
        Fake fake;
        const Subject s = fake.subject("work", 1e-5);
        int told = 0;
        const Measured m = measureBlocks(s, {0.2, 0.2, 2e-4, 0}, [&](const Sample&) { ++told; });
        QCOMPARE(m.callsPerBlock, std::int64_t{100});
        double sum = 0;
        for (const Sample& sample : m.samples) sum += sample.times.host;
        QVERIFY(sum >= 0.2 && sum < 0.203);
        QCOMPARE(told, static_cast<int>(m.samples.size()));
        QCOMPARE(measureBlocks(s, {0.01, 10, 5e-5, 0.1}).samples.size() < 20, true); // quiet: ends early
        const Subject wild = fake.subject("wild", 1e-5, 5);
        const Measured w = measureBlocks(wild, {0.01, 0.3, 5e-5, 0.01});
        sum = 0;
        for (const Sample& sample : w.samples) sum += sample.times.host;
        QVERIFY(sum >= 0.3); // never quiet enough: the time ends it
    }

    // --- This machine
    // -------------------------------------------------------------------------------------------------
    void theSystemsClockIsSane() {
        Clock& clock = systemClock();
        const double cost = readingCost(clock);
        QVERIFY(cost > 1e-9 && cost < 1e-4);
        const double before = clock.now(), processor = clock.processorSeconds(false);
        QVERIFY(spinProbe().seconds(1) > 1e-6);
        QVERIFY(spinProbe().seconds(2) > 1e-6);
        QVERIFY(clock.now() > before && clock.processorSeconds(false) > processor);
        QVERIFY(clock.involuntarySwitches(true) >= clock.involuntarySwitches(false));
    }

    void busyNeighboursAreNoticed() {
        std::atomic<bool> stop{false};
        std::vector<std::thread> neighbours;
        for (unsigned i = 0; i < 3 * std::thread::hardware_concurrency(); ++i)
            neighbours.emplace_back([&] {
                while (!stop) {
                }
            });
        const auto work = [] {
            std::uint64_t x = 1;
            for (int i = 0; i < 2'000'000; ++i) x = x * 6364136223846793005u + 1;
            asm volatile("" : : "r"(x));
        };
        const Subject s = hostSubject("work", work, systemClock());
        MeasureOptions options;
        options.maxSeconds = 0.5;
        const MeasuredTogether m = measureTogether(std::span(&s, 1), options, systemInstruments());
        stop = true;
        for (std::thread& t : neighbours) t.join();
        QVERIFY2(m.busy, qPrintable(QStringLiteral("%1 of %2 dropped").arg(m.dropped).arg(m.taken)));
    }
};

QTEST_APPLESS_MAIN(TestTimingMeasure)
#include "tst_timing_measure.moc"
