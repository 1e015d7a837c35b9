// Recorded runs written and read back, and files that are none.

#include "core/timing/run_file.h"
#include "tests/core/timing/run_example.h"
#include "tests/support/check_refusal.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace stridescope;
using namespace stridescope::timing;
using stridescope::timing::test::example;

class TestTimingFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comesBackAsItWas_data() {
        QTest::addColumn<bool>("json");
        QTest::newRow("json") << true;
        QTest::newRow("csv") << false;
    }
    void comesBackAsItWas() {
        QFETCH(bool, json);
        const Run run = example();
        const std::string text = json ? jsonOf(run) : csvOf(run);
        const auto read = json ? runFromJson(text) : runFromCsv(text);
        QVERIFY2(read, read ? "" : read.refusal().message.c_str());
        QCOMPARE(json ? jsonOf(*read) : csvOf(*read), text); // every field that is written
        QCOMPARE(read->measurements.size(), std::size_t{3});
        const Measurement &was = run.measurements[1], &is = read->measurements[1];
        QCOMPARE(is.measured.firstCall, was.measured.firstCall);
        QCOMPARE(is.measured.callsPerBlock, was.measured.callsPerBlock);
        QCOMPARE(is.measured.bestProbe, was.measured.bestProbe);
        QVERIFY(is.measured.warm && is.stop == Stop::Time && is.dtype == DType::Float64);
        QVERIFY(is.layout == Layout::Stepped && is.cache == Cache::Cold && is.device == "cuda:0" && is.threads == 0);
        QCOMPARE(is.notes, was.notes);
        QVERIFY(is.bytes == was.bytes && is.flops == was.flops && is.clockCost == was.clockCost);
        QCOMPARE(read->conditions.devices, run.conditions.devices);
        QCOMPARE(read->conditions.megahertzBefore, run.conditions.megahertzBefore);
        const Sample &wasOne = was.measured.samples[1], &isOne = is.measured.samples[1];
        QVERIFY(isOne.dropped == Dropped::Switched && isOne.switches == 1 && isOne.started == wasOne.started);
        QVERIFY(isOne.times.device == wasOne.times.device && isOne.probeAfter == wasOne.probeAfter);
        QCOMPARE(read->measurements[1].measured.samples.size(), std::size_t{7});
        QCOMPARE(read->measurements[1].measured.samples[4].times.host,
                 run.measurements[1].measured.samples[4].times.host);
        QCOMPARE(read->measurements[0].host.median, run.measurements[0].host.median);
        QCOMPARE(read->measurements[0].dropped, std::size_t{1});
        QVERIFY(read->measurements[1].byDevice() && read->measurements[1].launch);
        QVERIFY(!read->measurements[0].onDevice);
        QCOMPARE(read->measurements[2].statement, run.measurements[2].statement);
        QCOMPARE(read->comparisons.size(), std::size_t{1});
        QCOMPARE(read->comparisons[0].verdict.ratio, run.comparisons[0].verdict.ratio);
        QCOMPARE(read->label(), run.label());
        QCOMPARE(read->refused, run.refused);
        QCOMPARE(read->ceilings.size(), std::size_t{2});
    }

    void cutFilesAreRefused() {
        const std::string json = jsonOf(example()), csv = csvOf(example());
        for (std::size_t length = 0; length + 3 < json.size(); length += 37) {
            const auto read = runFromJson(std::string_view(json).substr(0, length));
            QVERIFY(!read && read.refusal().id == "BENCH-20");
        }
        for (std::size_t length = 0; length < csv.size(); length += 37) {
            const auto read = runFromCsv(std::string_view(csv).substr(0, length)); // whole lines are a run
            if (!read) QVERIFY(read.refusal().id == "BENCH-24" || read.refusal().id == "BENCH-22");
        }
    }

    void damagedBytesDoNoHarm() {
        std::string json = jsonOf(example()), csv = csvOf(example());
        for (std::string* text : {&json, &csv})
            for (std::size_t at = 0; at < text->size(); at += 11)
                for (const char c : {'"', '9', ']', '\n', '\0', '-', '\xff'}) {
                    const char kept = (*text)[at];
                    (*text)[at] = c;
                    const auto read = text == &json ? runFromJson(*text) : runFromCsv(*text);
                    if (read) jsonOf(*read);
                    (*text)[at] = kept;
                }
    }

    void hostileFiles_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* from, const char* to, const char* id, const char* words) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString::fromLatin1(id)
                                << QString::fromLatin1(words);
        };
        row("another format", "stridescope timing", "something else", "BENCH-20", "format is 'something else'");
        row("a later version", "\"version\": 1", "\"version\": 2", "BENCH-21", "version 2, this program reads up to 1");
        row("no version", "\"version\": 1,", "", "BENCH-20", "version is missing");
        row("threads", "\"threads\": 2,\n     \"part\"", "\"threads\": 5000,\n     \"part\"", "BENCH-22",
            "measurement 0: threads is 5000, wanted 0 to 1024");
        row("too many threads for a number", "\"threads\": 2,\n     \"part\"",
            "\"threads\": 5000000000,\n     \"part\"", "BENCH-20", "too large: 5000000000");
        row("no calls", "[400, ", "[0, ", "BENCH-22", "a sample has 0 calls");
        row("negative time", "[400, 0", "[400, -0", "BENCH-22", "calls and -0.001 s");
        row("negative bytes", "\"bytes\": 49152", "\"bytes\": -1", "BENCH-22", "bytes or flops");
        row("another dtype", "\"float64\"", "\"float65\"", "BENCH-20", "\"float65\" is no value");
        row("too large a number", "\"flops\": 524288", "\"flops\": 1e999", "BENCH-20", "beyond what 64 bits hold");
        row("inf", "\"flops\": 524288", "\"flops\": inf", "BENCH-20", "a number is missing");
        row("a short row", ", \"switched\"]", "]", "BENCH-20", "',' is missing");
        row("more behind", "\"refused\"", "\"refused\": [] } { \"refused\"", "BENCH-20", "behind the end");
        row("deep", "\"title\": \"A \\\"quoted\\\", title\"", "\"unknown\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
            "BENCH-20", "nested too deep");
    }
    void hostileFiles() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, id);
        QFETCH(QString, words);
        QByteArray text = QByteArray::fromStdString(jsonOf(example()));
        const auto at = text.indexOf(from);
        QVERIFY(at >= 0);
        text.replace(at, from.size(), to);
        const auto read = runFromJson(text.toStdString());
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.refusal().message).contains(words), read.refusal().message.c_str());
        QCOMPARE(QString::fromStdString(read.refusal().id), id);
        QVERIFY(!read.refusal().hint.empty() || id == "BENCH-23");
    }

    void unknownKeysAreSteppedOver() {
        QByteArray text = QByteArray::fromStdString(jsonOf(example()));
        text.replace("\"bytes\": 49152",
                     "\"new\": {\"a\": [1, -2.5e3, null, true, {\"b\": \"x\"}], \"c\": {}}, \"bytes\": 49152");
        const auto read = runFromJson(text.toStdString());
        QVERIFY2(read, read ? "" : read.refusal().message.c_str());
        QCOMPARE(jsonOf(*read), jsonOf(example()));
    }

    void wrongLinesAreNamed() {
        QByteArray text = QByteArray::fromStdString(csvOf(example()));
        QVERIFY(!runFromCsv("n,median\n1,2\n"));
        const auto lines = text.split('\n');
        QByteArray damaged = text;
        damaged.replace("float64", "float65");
        const auto read = runFromCsv(damaged.toStdString());
        QVERIFY(!read && read.refusal().id == "BENCH-24");
        qsizetype line = 0;
        while (!lines[line].contains("float64")) ++line;
        // The statement of two lines comes later; until then lines of the file are lines of the table.
        QVERIFY2(read.refusal().message.find("line ") != std::string::npos &&
                     read.refusal().message.find("float65") != std::string::npos,
                 read.refusal().message.c_str());
        damaged = text;
        damaged.replace(",warm-up,", ",warm-up,9,");
        QVERIFY(!runFromCsv(damaged.toStdString()));
        QVERIFY(!runFromCsv("# stridescope timing, version 1\n"));
    }

    void filesByTheirEnding() {
        QTemporaryDir folder;
        const std::string base = folder.filePath(QStringLiteral("run")).toStdString();
        for (const char* ending : {".json", ".csv"}) {
            writeRun(example(), base + ending);
            const auto read = readRun(base + ending);
            QVERIFY(read && read->measurements.size() == 3);
        }
        const auto other = refusalOf([&] { writeRun(example(), base + ".txt"); });
        QVERIFY(other && other->id == "BENCH-25");
        QCOMPARE(readRun(base + ".txt").refusal().id, std::string("BENCH-25"));
        QCOMPARE(readRun(base + "not there.json").refusal().id, std::string("BENCH-26"));
        QVERIFY(refusalOf([&] { writeRun(example(), base + "/no folder/x.json"); }).has_value());
    }
};

QTEST_APPLESS_MAIN(TestTimingFiles)
#include "tst_timing_files.moc"
