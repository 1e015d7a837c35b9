// Sweeps: text forms and refusals, running on the CPU and on the simulated device, stopping.

#include "core/backend/cpu/thread_pool.h"
#include "core/backend/sim/sim.h"
#include "core/timing/crossover.h"
#include "core/timing/report.h"
#include "core/timing/sweep.h"
#include "tests/core/timing/fake_instruments.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>

using namespace stridescope;
using namespace stridescope::timing;

namespace {

SweepRequest shortSweep() {
    SweepRequest request;
    request.operations = {"mm"};
    request.sizes = {8, 16};
    request.ceilings = false;
    request.measure.maxSeconds = 0.02;
    request.measure.minSeconds = 0;
    request.measure.warmUpSeconds = 0.01;
    return request;
}

std::vector<Measurement> partsOf(const Run& run, Part part) {
    std::vector<Measurement> found;
    for (const Measurement& m : run.measurements)
        if (m.part == part) found.push_back(m);
    return found;
}

} // namespace

class TestTimingSweep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sizes_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("read"); // "": refused
        const auto row = [](const char* text, const char* read) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(read);
        };
        row("64:8192:x2", "64:8192:x2");
        row("64:1000:x2", "64:512:x2");
        row("100:500:+100", "100:500:+100");
        row("5", "5");
        row("7,5,7", "5,7");
        row("1:8:x2,100", "1,2,4,8,100");
        row("3:3:x2", "3");
        for (const char* bad :
             {"", "0", "-1", "64:", "64:128", "64:128:2", "64:128:x1", "64:128:+0", "128:64:x2", "a", "1e3",
              "64:128:x2x", "64,,128", "1:2000000000000:x2", "1:100000:+1", "99999999999999999999"})
            row(bad, "");
    }
    void sizes() {
        QFETCH(QString, text);
        QFETCH(QString, read);
        const auto found = sizesFromText(text.toStdString());
        QCOMPARE(found.ok(), !read.isEmpty());
        if (found)
            QCOMPARE(QString::fromStdString(textOfSizes(*found)), read);
        else
            QCOMPARE(found.refusal().id, std::string("BENCH-01"));
    }

    void otherTexts() {
        QCOMPARE(*operationsFromText("mm,add"), (std::vector<std::string>{"mm", "add"}));
        const auto id = [](const auto& result) { return result ? std::string() : result.refusal().id; };
        QCOMPARE(id(operationsFromText("mn")), std::string("BENCH-02"));
        QVERIFY(operationsFromText("mn").refusal().message.find("near: ") != std::string::npos);
        QVERIFY(operationsFromText("mn").refusal().message.find("mm") != std::string::npos);
        QVERIFY(operationsFromText("stft").refusal().message.find("--stmt") != std::string::npos);
        QCOMPARE(*dtypesFromText("float64,int32"), (std::vector<DType>{DType::Float64, DType::Int32}));
        QCOMPARE(id(dtypesFromText("float")), std::string("BENCH-03"));
        QCOMPARE(layoutsFromText("stepped")->size(), std::size_t{1});
        QCOMPARE(id(layoutsFromText("diagonal")), std::string("BENCH-04"));
        QCOMPARE(id(devicesFromText("gpu")), std::string("BENCH-05"));
        QCOMPARE(id(devicesFromText("sim:0")), std::string("BENCH-06")); // never offered as a result
        QCOMPARE(devicesFromText("cpu,cuda:1")->size(), std::size_t{2});
        QCOMPARE(*threadsFromText("1,2,2"), (std::vector<int>{1, 2}));
        for (const char* bad : {"", "0", "1025", "two", "1,"})
            QCOMPARE(id(threadsFromText(bad)), std::string("BENCH-07"));
    }

    void whatCannotBeRun_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("words");
        QTest::newRow("operation") << "BENCH-02"
                                   << "no 'nothing'";
        QTest::newRow("points") << "BENCH-08"
                                << "20000 points, at most 10000";
        QTest::newRow("dtype") << "BENCH-09"
                               << "linalg.inv does not take int64";
        QTest::newRow("layout") << "BENCH-10"
                                << "dot: its operands cannot be transposed";
        QTest::newRow("cuda") << "BENCH-11"
                              << "cuda:7 is not";
        QTest::newRow("simulated") << "BENCH-06"
                                   << "says nothing";
        QTest::newRow("memory") << "BENCH-12"
                                << "a quarter of the memory";
        QTest::newRow("threads") << "BENCH-07"
                                 << "threads";
        QTest::newRow("sizes") << "BENCH-01"
                               << "sizes";
        QTest::newRow("devices") << "BENCH-05"
                                 << "devices";
    }
    void whatCannotBeRun() {
        QFETCH(QString, id);
        QFETCH(QString, words);
        SweepRequest request = shortSweep();
        const std::string what = QTest::currentDataTag();
        enableSim({});
        if (what == "operation") request.operations = {"nothing"};
        if (what == "points") request.sizes.assign(20000, 5);
        if (what == "dtype") request.operations = {"linalg.inv"}, request.dtypes = {DType::Int64};
        if (what == "layout") request.operations = {"dot"}, request.layouts = {Layout::Transposed};
        if (what == "cuda") request.devices = {{DeviceType::Cuda, 7}};
        if (what == "simulated") request.devices = {{DeviceType::Sim, 0}};
        if (what == "memory") request.sizes = {Index{1} << 30};
        if (what == "threads") request.threads = {0};
        if (what == "sizes") request.sizes = {};
        if (what == "devices") request.devices = {};
        const auto problem = problemOf(request);
        Job job;
        const auto thrown = refusalOf([&] { runSweep(request, job); });
        disableSim();
        QVERIFY(problem.has_value());
        QCOMPARE(QString::fromStdString(problem->id), id);
        if (what != "simulated")
            QVERIFY2(problem->message.find(words.toStdString()) != std::string::npos, problem->message.c_str());
        QVERIFY(thrown && thrown->id == problem->id);
        QVERIFY(!problemOf(shortSweep()));
    }

    void commands() {
        SweepRequest request = shortSweep();
        request.measure = {};
        request.ceilings = true;
        QCOMPARE(
            QString::fromStdString(commandOf(request)),
            QStringLiteral("stridescope bench --op mm --sizes 8,16 --dtype float32 --layout contiguous --devices cpu "
                           "--threads 1"));
        request.cache = Cache::Cold;
        request.transfers = request.ceilings = false;
        request.measure.maxSeconds = 0.5;
        request.measure.seed = 9;
        request.setRounds(5);
        request.setWarmUp(0);
        QVERIFY(!request.measure.warmUp && request.measure.minRounds == 5);
        QVERIFY(commandOf(request).ends_with(
            " --cache cold --no-transfers --no-peaks --max-time 0.5 --rounds 5 --warm-up 0 --seed 9"));
    }

    void measuresOnTheCpu() {
        SweepRequest request = shortSweep();
        request.operations = {"mm", "add", "rand"};
        request.threads = {1, 2};
        const int threads = numThreads();
        std::vector<SweepProgress> progress;
        std::size_t handedOver = 0;
        SweepWatch watch;
        watch.progress = [&](const SweepProgress& p) { progress.push_back(p); };
        watch.measured = [&](const std::vector<Measurement>& m, const std::vector<Comparison>& c) {
            handedOver += m.size();
            QCOMPARE(c.size(), std::size_t{1});
        };
        Job job;
        const Run run = runSweep(request, job, watch);
        QCOMPARE(numThreads(), threads);
        QVERIFY(run.refused.empty());
        QCOMPARE(run.measurements.size(), std::size_t{12});
        QCOMPARE(handedOver, std::size_t{12});
        QCOMPARE(run.comparisons.size(), std::size_t{6});
        QVERIFY(!progress.empty() && progress.back().points == 6);
        const Measurement& m = run.measurements[0];
        QCOMPARE(m.operation, std::string("mm"));
        QCOMPARE(m.statement, std::string("torch.mm(A, B)"));
        QCOMPARE(m.n, Index{8});
        QCOMPARE(m.shapes, std::string("{8, 8} {8, 8}"));
        QCOMPARE(m.flops, 1024.0);
        QCOMPARE(m.bytes, 3 * 256.0);
        QCOMPARE(static_cast<int>(m.cache), static_cast<int>(Cache::Warm)); // a product; sums of matrices are cold
        QCOMPARE(static_cast<int>(run.measurements[4].cache), static_cast<int>(Cache::Cold));
        QVERIFY(m.host.median > 0 && m.measured.samples.size() >= 7 && m.host.count >= 5 && m.measured.firstCall > 0 &&
                !m.measured.warmUp.empty());
        QVERIFY(!m.onDevice && !m.launch);
        QCOMPARE(m.threads, 1);
        QCOMPARE(run.measurements[1].threads, 2);
        QCOMPARE(run.measurements[1].relativeError, 0.0);
        QCOMPARE(run.measurements[1].comparedWith, std::string("CPU, 1 thread"));
        QVERIFY(std::isnan(run.measurements[9].relativeError)); // random numbers are never the same
        for (const Comparison& c : run.comparisons) {
            QCOMPARE(run.measurements[c.first].group, run.measurements[c.second].group);
            QVERIFY(c.verdict.pairs > 0);
        }
        QVERIFY(!run.conditions.processor.empty() && !run.conditions.blasKernels.empty() &&
                !run.conditions.date.empty());
        QVERIFY(run.label().find(run.conditions.date.substr(0, 10)) != std::string::npos);
        for (const Measurement& one : run.measurements) QVERIFY(tableRow(run, one).size() > 100);
        QVERIFY(conclusionsText(run).find("results differ by") != std::string::npos);
    }

    void peaks() {
        SweepRequest request = shortSweep();
        request.sizes = {64};
        request.ceilings = true;
        Job job;
        std::size_t told = 0;
        SweepWatch watch;
        watch.ceilings = [&](const std::vector<Ceiling>& list) { told = list.size(); };
        const Run run = runSweep(request, job, watch);
        QCOMPARE(run.ceilings.size(), std::size_t{2});
        QCOMPARE(told, std::size_t{2});
        QVERIFY(run.copyCeiling(run.measurements[0]) && run.gemmCeiling(run.measurements[0]));
        QVERIFY(run.gemmCeiling(run.measurements[0])->perSecond > 1e9);
        // The share of whichever bounds it.
        Run known = run;
        const Measurement& m = known.measurements[0];
        for (Ceiling& c : known.ceilings)
            c.perSecond = c.what == "gemm" ? 2 * m.flopsPerSecond() : 4 * m.bytesPerSecond();
        auto share = shareOfPeak(known, m);
        QVERIFY(share && share->ofGemm && std::abs(share->share - 0.5) < 1e-9);
        for (Ceiling& c : known.ceilings)
            if (c.what == "copy") c.perSecond = 1.25 * m.bytesPerSecond();
        // What is warm comes out of a cache, which copying does not bound.
        share = shareOfPeak(known, m);
        QVERIFY(share && share->ofGemm);
        known.measurements[0].cache = Cache::Cold;
        share = shareOfPeak(known, m);
        QVERIFY(share && !share->ofGemm && std::abs(share->share - 0.8) < 1e-9);
        QVERIFY(share->isTrusted() && tableRow(known, m).find(" 80 %") != std::string::npos);
        // Above the peak: that is told, and no share.
        for (Ceiling& c : known.ceilings)
            if (c.what == "copy") c.perSecond = 0.4 * m.bytesPerSecond();
        share = shareOfPeak(known, m);
        QVERIFY(share && !share->isTrusted());
        const std::string row = tableRow(known, m);
        QVERIFY2(row.find("250 %") == std::string::npos && row.find("above the measured peak") != std::string::npos,
                 row.c_str());
        Measurement other = run.measurements[0];
        other.threads = 3; // measured with 1
        QVERIFY(!shareOfPeak(run, other));
    }

    /// Peaks that were measured while something else was busy are measured again next to the row that beats them.
    void peaksThatWereTooLow() {
        struct HurriedClock : Clock {
            Clock& real = systemInstruments().clock;
            double factor = 3, last = real.now(), shown = last;
            double now() override {
                const double time = real.now();
                shown += (time - last) * factor;
                last = time;
                return shown;
            }
            double processorSeconds(bool whole) override { return real.processorSeconds(whole); }
            std::int64_t involuntarySwitches(bool whole) override { return real.involuntarySwitches(whole); }
        } clock;
        SweepRequest request = shortSweep();
        request.ceilings = true;
        request.sizes = {768, 1024};
        request.measure.maxSeconds = 0.3;
        std::vector<double> peaks; // of products, each time that peaks are told
        SweepWatch watch;
        watch.ceilings = [&](const std::vector<Ceiling>& list) {
            clock.factor = 1;
            for (const Ceiling& c : list)
                if (c.what == "gemm") peaks.push_back(c.perSecond);
        };
        Job job;
        const Run run = runSweep(request, job, watch, {clock, systemInstruments().probe});
        QVERIFY(peaks.size() >= 2);
        QVERIFY2(peaks.back() > 1.8 * peaks.front(), qPrintable(QString::number(peaks.back() / peaks.front())));
        QCOMPARE(run.ceilings.size(), std::size_t{2}); // put in, not beside
        const auto share = shareOfPeak(run, run.measurements.back());
        QVERIFY2(share && share->isTrusted(), qPrintable(QString::number(share ? share->share : -1)));
    }

    void devicesHaveTransfersAndTimesOfTheirOwn() {
        SimOptions sim;
        sim.linkBytesPerSecond = 200e6;
        sim.launchDelay = std::chrono::microseconds(200);
        enableSim(sim);
        SweepRequest request = shortSweep();
        request.operations = {"mm"};
        request.sizes = {64};
        request.devices = {Device{}, {DeviceType::Sim, 0}};
        request.allowSimulated = true;
        request.measure.maxSeconds = 0.1;
        Job job;
        const Run run = runSweep(request, job);
        disableSim();
        QVERIFY2(run.refused.empty(), run.refused.empty() ? "" : run.refused[0].c_str());
        QCOMPARE(run.measurements.size(), std::size_t{5});
        const auto upload = partsOf(run, Part::Upload), download = partsOf(run, Part::Download),
                   whole = partsOf(run, Part::RoundTrip), compute = partsOf(run, Part::Compute);
        QCOMPARE(compute.size(), std::size_t{2});
        QVERIFY(compute[1].onDevice && compute[1].launch);
        QCOMPARE(compute[1].threads, 0);
        QCOMPARE(compute[1].relativeError, 0.0);
        QVERIFY(compute[1].onDevice->median > 150e-6); // what the device's queue does, not the call
        QVERIFY(compute[1].launch->median < compute[1].host.median);
        QCOMPARE(upload[0].bytes, 2 * 64 * 64 * 4.0);
        QCOMPARE(download[0].bytes, 64 * 64 * 4.0);
        QVERIFY(upload[0].host.median > 32768 / 200e6); // as the link allows
        QVERIFY(whole[0].host.median > upload[0].host.median && whole[0].host.median > compute[1].onDevice->median);
        QVERIFY(!whole[0].byDevice() && compute[1].byDevice());
        bool firstUse = false;
        for (const std::string& note : compute[1].notes)
            firstUse = firstUse || note.rfind("first use of sim:0", 0) == 0;
        QVERIFY(firstUse);
        // CPU beside the device, alone and with transfers.
        QCOMPARE(run.comparisons.size(), std::size_t{2});
        QCOMPARE(run.measurements[run.comparisons[1].second].label(), std::string("sim:0 with transfers"));
    }

    void whatADeviceLacksCostsTheOthersNothing() {
        SimOptions options;
        options.memoryBytes = 4096; // no matrix of 64 rows has room
        enableSim(options);
        SweepRequest request = shortSweep();
        request.sizes = {64, 128};
        request.operations = {"linalg.inv"};
        request.devices = {{DeviceType::Sim, 0}, Device{}};
        request.allowSimulated = true;
        Job job;
        const Run run = runSweep(request, job);
        disableSim();
        QCOMPARE(run.refused.size(), std::size_t{2});
        QVERIFY2(run.refused[0].find("linalg.inv, n = 64, float32, sim:0: ") == 0, run.refused[0].c_str());
        QCOMPARE(run.measurements.size(), std::size_t{2});
        QCOMPARE(run.measurements[0].device, std::string("cpu"));
    }

    void stopsWithin200Milliseconds() {
        double best = 1e9;
        std::size_t measured = 0;
        for (int attempt = 0; attempt < 3 && best > 0.2; ++attempt) {
            SweepRequest request = shortSweep();
            request.operations = {"exp"};
            request.sizes = {64, 4000};
            request.measure.maxSeconds = 20;
            request.measure.precision = 1e-6;
            request.measure.maxRounds = 20;
            Job job;
            // In the midst of the second point, however long the first one takes on this machine.
            std::atomic<bool> firstDone = false;
            SweepWatch watch;
            watch.measured = [&](const auto&, const auto&) { firstDone = true; };
            std::chrono::steady_clock::time_point asked;
            std::thread stopper([&] {
                using namespace std::chrono_literals;
                for (int waits = 0; waits < 6000 && !firstDone; ++waits) std::this_thread::sleep_for(10ms);
                std::this_thread::sleep_for(100ms);
                asked = std::chrono::steady_clock::now();
                job.cancel();
            });
            const Run run = runSweep(request, job, watch);
            const auto ended = std::chrono::steady_clock::now();
            stopper.join();
            best = std::min(best, std::chrono::duration<double>(ended - asked).count());
            measured = run.measurements.size();
        }
        QVERIFY2(best < 0.2, qPrintable(QString::number(best)));
        QCOMPARE(measured, std::size_t{1}); // what was measured comes back
    }

    void crossovers() {
        const auto curve = [](double start, double slope) {
            std::vector<CurvePoint> points;
            for (Index n = 8; n <= 4096; n *= 2) {
                const double median = start + slope * std::pow(static_cast<double>(n), 2);
                points.push_back({n, median, {0.98 * median, 1.02 * median}});
            }
            return points;
        };
        // 1 us + n² ns against 30 us + n² / 10 ns: equal at n² = 32,222, n = 179.5.
        const auto slow = curve(1e-6, 1e-9), fast = curve(30e-6, 1e-10);
        const auto x = crossoverOf(slow, fast);
        QVERIFY(x.has_value());
        QCOMPARE(x->below, Index{128});
        QCOMPARE(x->above, Index{256});
        QVERIFY2(x->estimate > 165 && x->estimate < 195, qPrintable(QString::number(x->estimate)));
        QVERIFY(!crossoverOf(fast, slow)); // the other never wins at the end
        QVERIFY(!crossoverOf(slow, slow));
        QVERIFY(!crossoverOf({}, fast));
        // Points at which nothing is sure widen the interval.
        auto unsure = fast;
        for (CurvePoint& p : unsure)
            if (p.n == 128 || p.n == 256) p.interval = {0, 1};
        const auto wide = crossoverOf(slow, unsure);
        QVERIFY(wide && wide->below == 64 && wide->above == 512);
    }

    void timesAsText() {
        const std::pair<double, const char*> known[] = {
            {0, "0.00 ns"},        {5.2e-10, "0.52 ns"}, {1.234e-8, "12.3 ns"},
            {5.214e-6, "5.21 us"}, {1.73e-4, "173 us"},  {9.996e-4, "1.00 ms"},
            {0.563, "563 ms"},     {0.9996, "1.00 s"},   {12.34, "12.3 s"}};
        for (const auto& [seconds, text] : known)
            QCOMPARE(QString::fromStdString(timeText(seconds)), QLatin1String(text));
        QCOMPARE(QString::fromStdString(rateText(2.753e12, "FLOP/s")), QStringLiteral("2753 GFLOP/s"));
        QCOMPARE(QString::fromStdString(rateText(9.4e9, "B/s")), QStringLiteral("9.40 GB/s"));
        QCOMPARE(QString::fromStdString(shortened("Größe = 1", 8)), QStringLiteral("Grö..."));
        QCOMPARE(QString::fromStdString(shortened("a\nb", 8)), QStringLiteral("a..."));
    }
};

QTEST_APPLESS_MAIN(TestTimingSweep)
#include "tst_timing_sweep.moc"
