// The mistakes as runnable cases, the cache-line model, and the engine's test of itself.

#include "core/backend/sim/sim.h"
#include "core/timing/mistakes.h"
#include "core/timing/self_test.h"
#include "tests/core/timing/fake_instruments.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <list>
#include <set>

using namespace stridescope;
using namespace stridescope::timing;

namespace {

/// Cache lines that a walk fetches, step by step, through a cache that forgets the line used longest ago.
double walked(Index n, std::size_t item, bool byColumns, std::size_t line, std::size_t cache) {
    std::list<std::size_t> lines;
    double fetched = 0;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            const std::size_t at = static_cast<std::size_t>(byColumns ? j * n + i : i * n + j) * item / line;
            const auto found = std::find(lines.begin(), lines.end(), at);
            if (found != lines.end())
                lines.erase(found);
            else
                ++fetched;
            lines.push_front(at);
            if (lines.size() > cache / line) lines.pop_back();
        }
    return fetched;
}

} // namespace

class TestTimingMistakes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cacheLines_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("item");
        for (const int n : {4, 16, 32, 64, 96})
            for (const int item : {4, 8}) QTest::addRow("%d, %d bytes", n, item) << n << item;
    }
    void cacheLines() {
        QFETCH(int, n);
        QFETCH(int, item);
        const auto bytes = static_cast<std::size_t>(item);
        for (const bool byColumns : {false, true})
            for (const std::size_t cache : {std::size_t{1024}, std::size_t{4096}}) { // 16 and 64 lines
                const LineTally tally = lineTally(n, bytes, byColumns, 64, cache);
                QCOMPARE(tally.loads, static_cast<double>(n) * n);
                QCOMPARE(tally.linesNeeded, std::ceil(static_cast<double>(n) * n * item / 64));
                QCOMPARE(tally.linesFetched, walked(n, bytes, byColumns, 64, cache));
            }
    }

    void casesAreWhole() {
        std::set<std::string_view> ids;
        for (const MistakeCase& one : mistakeCases()) {
            QVERIFY(ids.insert(one.id).second);
            QVERIFY(!one.title.empty() && !one.wrong.empty() && !one.right.empty() && !one.says.empty());
            QCOMPARE(findMistake(one.id), &one);
        }
        QCOMPARE(ids.size(), std::size_t{8});
        QVERIFY(!findMistake("none"));
        Job job;
        const auto unknown = refusalOf([&] { runMistake("none", 0, job); });
        QVERIFY(unknown && unknown->id == "BENCH-30" && unknown->hint.find("columns") != std::string::npos);
        const auto python = refusalOf([&] { runMistake("python-loop", 0, job); });
        QVERIFY(python && python->message.find("Python") != std::string::npos);
    }

    void onTheCpu_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("n");
        QTest::newRow("inverse") << "inverse" << 150;
        QTest::newRow("columns") << "columns" << 1024;
        QTest::newRow("too few runs") << "too-few-runs" << 32;
        QTest::newRow("no warm-up") << "no-warm-up" << 200;
    }
    void onTheCpu() {
        QFETCH(QString, id);
        QFETCH(int, n);
        Job job;
        const MistakeRecord record = runMistake(id.toStdString(), n, job);
        QVERIFY(record.missing.empty());
        QCOMPARE(record.n, Index{n});
        QVERIFY(record.wrongAnswer > 0 && record.rightAnswer > 0);
        QVERIFY(!record.right.measured.samples.empty() && !record.wrong.measured.samples.empty());
        QVERIFY(!record.found.empty());
        if (id == QLatin1String("inverse")) QVERIFY(record.wrongAnswer > record.rightAnswer);
        if (id == QLatin1String("columns")) {
            QCOMPARE(record.wrongLines.linesFetched, 1024.0 * 1024);
            QCOMPARE(record.rightLines.linesFetched, 1024.0 * 1024 / 16);
        }
        const Run run = runOf(record);
        QCOMPARE(run.measurements.size(), std::size_t{2});
        QCOMPARE(run.measurements[0].notes.front(), std::string("the mistake"));
    }

    void withoutADeviceItSaysWhatIsMissing() {
        if (cudaBackend()) QSKIP("there is a GPU");
        Job job;
        for (const char* id : {"no-synchronise", "transfer-in", "transfer-out"}) {
            const MistakeRecord record = runMistake(id, 0, job);
            QVERIFY(record.missing.rfind("needs a GPU: ", 0) == 0 && record.missing.size() > 20);
            QVERIFY(record.wrong.measured.samples.empty());
            QCOMPARE(runOf(record).refused.size(), std::size_t{1});
        }
    }

    void onADevice_data() {
        QTest::addColumn<QString>("id");
        for (const char* id : {"no-synchronise", "transfer-in", "transfer-out", "no-warm-up"}) QTest::newRow(id) << id;
    }
    void onADevice() {
        QFETCH(QString, id);
        SimOptions sim;
        sim.launchDelay = std::chrono::milliseconds(3);
        sim.linkBytesPerSecond = 50e6;
        enableSim(sim);
        Job job;
        const MistakeRecord record = runMistake(id.toStdString(), 128, job, systemInstruments(), true);
        disableSim();
        QVERIFY(record.missing.empty());
        QCOMPARE(record.device, std::string("sim:0"));
        QVERIFY(record.right.device == "sim:0");
        // 3 ms for each task, 50 MB/s for 2 * 64 KiB to the device and 64 KiB back.
        if (id == QLatin1String("no-synchronise")) {
            QVERIFY2(record.wrongAnswer < 0.5 * record.rightAnswer, record.found.c_str());
            QVERIFY(record.rightAnswer > 2.9e-3);
            QCOMPARE(record.verdict.answer == Answer::SecondFaster, false);
            double deviceEnd = 0;
            for (const Stretch& s : record.wrongLanes.stretches)
                if (s.onDevice) deviceEnd = std::max(deviceEnd, s.end);
            QVERIFY(record.wrongLanes.clockStop < deviceEnd); // the clock was stopped before the work was done
        }
        const auto lengthOf = [](const Lanes& lanes) { return lanes.clockStop - lanes.clockStart; };
        if (id == QLatin1String("transfer-in")) {
            QVERIFY(record.wrongAnswer > record.rightAnswer + 2e-3);
            QVERIFY(lengthOf(record.wrongLanes) > lengthOf(record.rightLanes));
        }
        if (id == QLatin1String("transfer-out")) {
            QVERIFY(record.wrongAnswer + 2e-3 < record.rightAnswer);
            QVERIFY(lengthOf(record.wrongLanes) < lengthOf(record.rightLanes));
        }
        if (id.startsWith(QLatin1String("transfer"))) {
            std::set<std::string> labels;
            for (const Stretch& s : record.rightLanes.stretches) {
                labels.insert(s.label);
                QVERIFY(s.end >= s.start);
            }
            for (const char* label : {"H2D", "mm", "D2H", "wait", "launch"}) QVERIFY2(labels.count(label), label);
        }
    }

    void knownTimesAreMeasured() {
        Job job;
        const auto results = selfTest(job, 20);
        QCOMPARE(results.size(), std::size_t{3});
        QVERIFY2(results[0].found > 9.9e-3, results[0].text.c_str()); // later where the machine is busy, never earlier
        QVERIFY2(results[1].found > 0 && results[1].found < 300e-9, results[1].text.c_str());
        QVERIFY2(results[2].found <= 0.25, results[2].text.c_str());
        job.cancel();
        QVERIFY(selfTest(job, 20).size() < 3);
    }
};

QTEST_APPLESS_MAIN(TestTimingMistakes)
#include "tst_timing_mistakes.moc"
