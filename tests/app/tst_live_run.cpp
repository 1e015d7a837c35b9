// What a sweep in a process of its own writes while it measures, read at the other end: whole, in pieces, and damaged.

#include "app/timing/live_run.h"
#include "core/timing/run_file.h"
#include "tests/widgets/timing/timing_fixture.h"

#include <QFile>
#include <QTemporaryFile>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// What is written by a sweep that finds `run` point by point.
QByteArray written(const timing::Run& run) {
    std::FILE* file = std::tmpfile();
    const timing::SweepWatch watch = liveWatch(file);
    timing::Run piece;
    piece.conditions = run.conditions;
    writeLive(file, piece);
    watch.ceilings(run.ceilings);
    for (std::size_t i = 0; i < run.measurements.size();) {
        std::vector<timing::Measurement> point;
        const std::size_t group = run.measurements[i].group;
        while (i < run.measurements.size() && run.measurements[i].group == group)
            point.push_back(run.measurements[i++]);
        timing::SweepProgress progress;
        progress.share = static_cast<double>(i) / static_cast<double>(run.measurements.size());
        progress.label = "mm, n = " + std::to_string(point.front().n) + "\nand a line";
        watch.progress(progress);
        watch.measured(point, {});
    }
    watch.refused("too large");
    QByteArray bytes(static_cast<qsizetype>(std::ftell(file)), '\0');
    std::rewind(file);
    if (std::fread(bytes.data(), 1, static_cast<std::size_t>(bytes.size()), file) !=
        static_cast<std::size_t>(bytes.size()))
        qFatal("not read");
    std::fclose(file);
    return bytes;
}

} // namespace

class TestLiveRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comesAsItIsWritten_data() {
        QTest::addColumn<int>("block");
        for (const int block : {1, 7, 1000, 1 << 30}) QTest::newRow(qPrintable(QString::number(block))) << block;
    }
    void comesAsItIsWritten() {
        QFETCH(int, block);
        const auto run = madeUpRun(true);
        run->refused = {"too large"};
        const QByteArray bytes = written(*run);
        LiveRun live;
        live.begin(run->command);
        std::size_t changes = 0, told = 0;
        for (qsizetype at = 0; at < bytes.size(); at += block) {
            changes += live.take(bytes.mid(at, block));
            if (const auto progress = live.takeProgress()) {
                ++told;
                QVERIFY(progress->share > 0 && progress->share <= 1);
                QVERIFY2(progress->label.startsWith(QStringLiteral("mm, n = ")) &&
                             !progress->label.contains(QLatin1Char('\n')),
                         qPrintable(progress->label));
            }
        }
        QVERIFY(!live.isBroken());
        if (block == 1) {
            QCOMPARE(told, std::size_t{6});
            QCOMPARE(changes, std::size_t{9});
        }
        // To the last digit, comparisons with their places among all of them.
        QCOMPARE(QString::fromStdString(timing::jsonOf(*live.run())), QString::fromStdString(timing::jsonOf(*run)));
    }

    void whatIsDamagedEndsIt_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("words") << QByteArray("hello\n");
        QTest::newRow("a line without end") << QByteArray(100'000, 'x');
        QTest::newRow("no number") << QByteArray("run x\n{}");
        QTest::newRow("below 0") << QByteArray("run -5\n{}");
        QTest::newRow("too many bytes") << QByteArray("run 99999999999999\n{}");
        QTest::newRow("no JSON") << QByteArray("run 5\nhello");
        QTest::newRow("another JSON") << QByteArray("run 2\n{}");
        QTest::newRow("progress above 1") << QByteArray("progress 2 mm\n");
        QTest::newRow("progress of nothing") << QByteArray("progress nan mm\n");
        QTest::newRow("progress without words") << QByteArray("progress 0.5\n");
    }
    void whatIsDamagedEndsIt() {
        QFETCH(QByteArray, bytes);
        const QByteArray good = written(*madeUpRun());
        LiveRun live;
        live.begin("stridescope bench");
        QVERIFY(live.take(good));
        const auto before = live.run();
        QVERIFY(!live.take(bytes));
        QVERIFY(live.isBroken());
        QVERIFY(!live.take(good));
        QVERIFY(live.run() == before); // what came before stays
    }
};

QTEST_GUILESS_MAIN(TestLiveRun)
#include "tst_live_run.moc"
