// The picture of times: places of points, bands and crossovers, what the table says, and that no words lie over others.

#include "tests/widgets/stage/scene_geometry.h"
#include "tests/widgets/timing/timing_fixture.h"
#include "widgets/scene/export.h"
#include "widgets/timing/timing_scene.h"
#include "widgets/timing/timing_words.h"

#include <QTest>

#include <cmath>

using namespace stridescope;
using namespace stridescope::test;

namespace {

TimingModel modelOf(bool gpu, bool recorded = false, TimingNotes notes = {}) {
    return timingModel({{madeUpRun(gpu), recorded}}, std::move(notes));
}

QStringList wordsOf(const Scene& scene) {
    QStringList words;
    for (const SceneNode& node : scene.nodes)
        if (const auto* text = std::get_if<TextItem>(&node.item)) words << text->text;
    return words;
}

bool says(const Scene& scene, const char* words) {
    return wordsOf(scene).join(QLatin1Char('\n')).contains(QString::fromUtf8(words));
}

const TimingSpot* spotOf(const TimingPicture& picture, SpotKind kind, Index n, int index = -1) {
    for (const TimingSpot& spot : picture.spots)
        if (spot.kind == kind && spot.n == n && (index < 0 || spot.index == index)) return &spot;
    return nullptr;
}

} // namespace

class TestTimingScene : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void words() {
        QCOMPARE(secondsText(5.21e-6), QStringLiteral("5.21 µs"));
        QCOMPARE(secondsText(0.0269), QStringLiteral("26.9 ms"));
        QCOMPARE(secondsText(0.9996e-3), QStringLiteral("1.00 ms")); // not 1000 µs
        QCOMPARE(secondsText(3e-11), QStringLiteral("0.03 ns"));
        QCOMPARE(secondsText(std::nan("")), QStringLiteral("–"));
        QCOMPARE(secondsRange(8.32e-3, 9.19e-3), QStringLiteral("8.32 – 9.19 ms"));
        QCOMPARE(secondsRange(999e-6, 1.5e-3), QStringLiteral("999 µs – 1.50 ms"));
        QCOMPARE(gigaText(0), QStringLiteral("–"));
        QCOMPARE(shareText(0.004), QStringLiteral("< 1 %"));
        QCOMPARE(factorText(3.14159), QStringLiteral("×3.14"));
    }

    void series() {
        const TimingModel cpu = modelOf(false);
        QCOMPARE(cpu.series.size(), std::size_t{2});
        QCOMPARE(cpu.series[0].label, QStringLiteral("CPU, 1 thread"));
        QCOMPARE(cpu.series[1].label, QStringLiteral("CPU, 2 threads"));
        QVERIFY(cpu.series[0].sign != cpu.series[1].sign);
        const TimingModel gpu = modelOf(true);
        QCOMPARE(gpu.series.size(), std::size_t{4}); // transfers have bars, not curves
        QCOMPARE(gpu.bars.size(), std::size_t{6});
        QCOMPARE(gpu.series[2].label, QStringLiteral("GPU, kernel only"));
        QCOMPARE(gpu.series[3].label, QStringLiteral("GPU with transfers"));
        // Two runs of one machine: signs, dashes or filling differ.
        const TimingModel two = timingModel({{madeUpRun(), false}, {madeUpRun(), true}}, {});
        QCOMPARE(two.series.size(), std::size_t{4});
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t k = i + 1; k < 4; ++k)
                QVERIFY(std::tuple(two.series[i].sign, two.series[i].filled, two.series[i].dash) !=
                        std::tuple(two.series[k].sign, two.series[k].filled, two.series[k].dash));
        QVERIFY(two.series[2].origin.contains(QStringLiteral("made up")));
    }

    void axesGoRound() {
        const TimingPicture picture = timingPicture(modelOf(true), {QSizeF(1300, 0), 256, -1, -1, {}});
        const ChartAxes& axes = picture.axes;
        for (const double n : {32.0, 77.0, 1024.0}) QVERIFY(std::abs(axes.nAt(axes.x(n)) / n - 1) < 1e-9);
        for (const double s : {1e-6, 3e-4, 0.02}) QVERIFY(std::abs(axes.secondsAt(axes.y(s)) / s - 1) < 1e-9);
        // Equal factors are equal distances.
        QVERIFY(std::abs((axes.x(64) - axes.x(32)) - (axes.x(1024) - axes.x(512))) < 1e-9);
    }

    void pointsStandWhereTheyBelong() {
        const TimingModel model = modelOf(true);
        const TimingPicture picture = timingPicture(model, {QSizeF(1300, 0), 256, -1, -1, {}});
        for (std::size_t s = 0; s < model.series.size(); ++s) {
            for (const SeriesPoint& point : model.series[s].points) {
                const TimingSpot* spot = spotOf(picture, SpotKind::Point, point.n, static_cast<int>(s));
                QVERIFY(spot);
                const QPointF at = spot->rect.center();
                QVERIFY(picture.axes.plot.contains(at));
                QVERIFY(std::abs(at.x() - picture.axes.x(static_cast<double>(point.n))) < 0.01);
                QVERIFY(std::abs(at.y() - picture.axes.y(point.measurement->times().median)) < 0.01);
                QCOMPARE(picture.at(at)->n, point.n);
            }
        }
    }

    void bandsLieBetweenTheQuartiles() {
        const TimingModel model = modelOf(false);
        const TimingPicture picture = timingPicture(model, {QSizeF(1300, 0), 256, -1, -1, {}});
        int bands = 0;
        for (const SceneNode& node : picture.scene.nodes) {
            const auto* path = std::get_if<PathItem>(&node.item);
            if (!path || path->fill != Tone::Selected) continue;
            const ShownSeries& series = model.series[static_cast<std::size_t>(bands++)];
            const timing::Summary& last = series.points.back().measurement->times();
            QCOMPARE(last.count, std::size_t{21});
            const QRectF box = path->path.boundingRect();
            QVERIFY(std::abs(box.top() - picture.axes.y(last.upperQuartile)) < 0.01);
            QVERIFY(std::abs(box.right() - picture.axes.x(1024)) < 0.01);
            // A tenth below and above the median.
            QVERIFY(std::abs(last.upperQuartile / last.median - 1.1) < 1e-9);
        }
        QCOMPARE(bands, 2);
    }

    void everyBlockIsADot() {
        const TimingModel model = modelOf(false);
        const TimingPicture picture = timingPicture(model, {QSizeF(1300, 0), 256, -1, -1, {}});
        std::size_t kept = 0;
        for (const SceneNode& node : picture.scene.nodes)
            if (const auto* bars = std::get_if<BarsItem>(&node.item); bars && bars->fill == Tone::Control)
                kept += bars->bars.size();
        QCOMPARE(kept, std::size_t{2 * 6 * 21});
    }

    void crossoversAreMarkedWithTheirSizes() {
        const TimingModel model = modelOf(true);
        QVERIFY(model.crossovers.size() >= 2);
        const TimingPicture picture = timingPicture(model, {QSizeF(1300, 0), 256, -1, -1, {}});
        for (const ShownCrossover& cross : model.crossovers) {
            QVERIFY(static_cast<double>(cross.where.below) < cross.where.estimate);
            QVERIFY(cross.where.estimate < static_cast<double>(cross.where.above));
            QVERIFY2(says(picture.scene, cross.size.toUtf8().constData()), qPrintable(cross.size));
            const TimingSpot* spot = spotOf(picture, SpotKind::Crossover, cross.where.above);
            QVERIFY(spot);
            QVERIFY(picture.axes.plot.contains(spot->rect.center()));
        }
        // Below a crossover the first is faster, above it the second.
        const ShownCrossover& cross = model.crossovers.front();
        const auto time = [&](std::size_t series, Index n) { return model.series[series].at(n)->times().median; };
        QVERIFY(time(cross.first, cross.where.below) < time(cross.second, cross.where.below));
        QVERIFY(time(cross.first, cross.where.above) > time(cross.second, cross.where.above));
    }

    void busyMachinesTellNoCrossover() {
        auto run = madeUpRun(true);
        for (timing::Measurement& m : run->measurements) m.busy = true;
        QVERIFY(timingModel({{run, false}}, {}).crossovers.empty());
    }

    void factorsComeWithTheirIntervals() {
        const TimingModel model = modelOf(false);
        QCOMPARE(model.speedLines.size(), std::size_t{1});
        const SpeedLine& line = model.speedLines.front();
        QCOMPARE(line.points.size(), std::size_t{6});
        QVERIFY(line.points.back().verdict.ratio > 1.5);  // two threads are faster
        QVERIFY(line.points.front().verdict.ratio < 0.5); // and slower for little work
        const TimingPicture picture = timingPicture(model, {QSizeF(1300, 0), 1024, -1, -1, {}});
        QVERIFY(says(picture.scene, "Speed-up: CPU, 2 threads against CPU, 1 thread"));
        QVERIFY(says(picture.scene, factorText(line.points.back().verdict.interval.low).toUtf8().constData()));
    }

    /// Two runs have no pairs: what their intervals leave open is not told.
    void runsAreComparedByTheirIntervals() {
        auto faster = madeUpRun();
        for (timing::Measurement& m : faster->measurements) {
            if (m.threads != 1) continue;
            for (timing::Sample& sample : m.measured.samples) sample.times.host /= m.n >= 256 ? 2 : 1.01;
            timing::judge(m);
        }
        faster->measurements[0].busy = true;
        const TimingModel model = timingModel({{madeUpRun(), false}, {faster, true}}, {});
        const auto line = std::find_if(model.speedLines.begin(), model.speedLines.end(), [](const SpeedLine& l) {
            return l.label.contains(QStringLiteral("1 thread against now"));
        });
        QVERIFY(line != model.speedLines.end());
        for (const SpeedLine::Point& point : line->points) {
            const timing::Verdict& v = point.verdict;
            if (point.n >= 256) {
                QVERIFY(v.answer == timing::Answer::FirstFaster);
                QVERIFY(std::abs(v.ratio - 2) < 1e-9);
                QVERIFY(v.interval.low < 2 && v.interval.low > 1 && v.interval.high > 2);
            } else {
                QVERIFY(v.answer == timing::Answer::CannotTell);
                QVERIFY(!v.why.empty());
            }
        }
    }

    void barsShareTheWidth() {
        const TimingModel model = modelOf(true);
        const TimingPicture picture = timingPicture(model, {QSizeF(1300, 0), 1024, -1, -1, {}});
        QVERIFY(spotOf(picture, SpotKind::Bar, 1024));
        QVERIFY(says(picture.scene, "copy in (H2D)"));
        QVERIFY(says(picture.scene, "One call at n = 1024, on two lanes"));
        const TransferBar& bar = model.bars.back();
        QVERIFY(says(picture.scene, shareText(bar.upload / bar.sum()).toUtf8().constData()));
        QVERIFY(says(picture.scene, secondsText(bar.sum()).toUtf8().constData()));
    }

    void withoutAGpuItIsSaidWhy() {
        TimingNotes notes;
        notes.gpuMissing = QStringLiteral("libcuda.so.1 was not found");
        notes.remedy = QStringLiteral("Install the driver.");
        const TimingPicture picture = timingPicture(modelOf(false, false, notes), {QSizeF(1300, 0), 1024, -1, -1, {}});
        QVERIFY(says(picture.scene, "GPU: none found"));
        QVERIFY(says(picture.scene, "libcuda.so.1 was not found"));
        QVERIFY(!spotOf(picture, SpotKind::Bar, 1024));
    }

    void theTableSaysWhatWasMeasured() {
        const TimingModel model = modelOf(false);
        const auto rows = timingRows(model);
        QCOMPARE(rows.size(), std::size_t{12});
        QCOMPARE(rows.back().cells[0], QStringLiteral("1024"));
        QCOMPARE(rows.back().cells[2], secondsText(model.series[1].at(1024)->times().median));
        QCOMPARE(rows.back().cells[5], QStringLiteral("21"));
        QCOMPARE(rows.back().cells.size(), timingColumns().size());
        // 2e11 operations a second are all that two threads can do here.
        const timing::Measurement& m = *model.series[1].at(1024);
        QCOMPARE(rows.back().cells[8], shareText(m.flopsPerSecond() / 2e11));
        QCOMPARE(timingTableText(model).count(QLatin1Char('\n')), 13);
    }

    void recordedOnesSayWhereTheyAreFrom() {
        const TimingPicture picture = timingPicture(modelOf(true, true), {QSizeF(1300, 0), 256, -1, -1, {}});
        QVERIFY(says(picture.scene, "recorded: made up"));
        QVERIFY(says(picture.scene, "2026-01-02"));
        const auto rows = timingRows(modelOf(true, true));
        for (const TimingRow& row : rows) QVERIFY(row.cells[1].contains(QStringLiteral("made up")));
    }

    void anEmptyModelSaysWhatToDo() {
        const TimingPicture picture = timingPicture(TimingModel(), {QSizeF(1300, 900), {}, -1, -1, {}});
        QVERIFY(says(picture.scene, "Nothing has been timed yet"));
        QVERIFY(picture.spots.empty());
    }

    void hoverIsTold() {
        const TimingPicture picture = timingPicture(modelOf(false), {QSizeF(1300, 0), 1024, 1, -1, {}});
        QVERIFY(says(picture.scene, "true median within"));
        QVERIFY(says(picture.scene, "21 blocks of 10 calls, 0 dropped as noisy"));
    }

    void noWordsLieOverOthers_data() {
        QTest::addColumn<qreal>("width");
        QTest::addColumn<bool>("gpu");
        QTest::addColumn<bool>("two");
        for (const qreal width : {988.0, 1300.0, 1628.0}) {
            QTest::addRow("%g, CPU", width) << width << false << false;
            QTest::addRow("%g, GPU", width) << width << true << false;
            QTest::addRow("%g, GPU and recorded", width) << width << true << true;
        }
    }
    void noWordsLieOverOthers() {
        QFETCH(qreal, width);
        QFETCH(bool, gpu);
        QFETCH(bool, two);
        TimingNotes notes;
        notes.gpuMissing =
            gpu ? QString()
                : QStringLiteral("this build has no CUDA module: it was built on a machine without the toolkit");
        notes.remedy = gpu ? QString() : QStringLiteral("Install a build that has one, and a driver.");
        notes.stale = QStringLiteral("of other settings: Run sweep");
        notes.ways = madeUpWays();
        std::vector<ShownRun> runs{{madeUpRun(gpu), false}};
        if (two) runs.push_back({madeUpRun(true, {64, 256, 1024, 4096}), true});
        const TimingModel model = timingModel(runs, notes);
        for (const Index n : model.sizes) {
            const TimingPicture picture = timingPicture(model, {QSizeF(width, 0), n, -1, -1, {}});
            std::vector<std::pair<QRectF, QString>> texts;
            const QRectF room(QPointF(), picture.scene.size);
            for (const SceneNode& node : picture.scene.nodes) {
                const auto* text = std::get_if<TextItem>(&node.item);
                if (!text || text->text.isEmpty()) continue;
                const QRectF ink = stage_test::inkOf(*text);
                QVERIFY2(room.contains(ink), qPrintable(text->text));
                for (const auto& [other, words] : texts)
                    QVERIFY2(!other.adjusted(0.5, 0.5, -0.5, -0.5).intersects(ink.adjusted(0.5, 0.5, -0.5, -0.5)),
                             qPrintable(QStringLiteral("n = %1: \"%2\" and \"%3\"").arg(n).arg(text->text, words)));
                texts.emplace_back(ink, text->text);
            }
        }
    }

    void sectionsStandAlone() {
        TimingNotes notes;
        notes.ways = madeUpWays();
        const TimingModel model = modelOf(true, false, notes);
        for (int s = 0; s < kTimingSections; ++s) {
            for (const QSizeF size : {QSizeF(640, 360), QSizeF(960, 500)}) {
                TimingLook look{size, 256, -1, 0, static_cast<TimingSection>(s)};
                const TimingPicture picture = timingPicture(model, look);
                QCOMPARE(picture.scene.size, size);
                QVERIFY(!picture.scene.nodes.empty());
            }
        }
    }

    void isExported() {
        TimingNotes notes;
        notes.ways = madeUpWays();
        const Scene scene = timingPicture(modelOf(true, false, notes), {QSizeF(1300, 0), 256, -1, -1, {}}).scene;
        for (const ExportFormat format :
             {ExportFormat::Svg, ExportFormat::Pdf, ExportFormat::Png, ExportFormat::Tikz}) {
            const auto bytes = exportScene(scene, Theme(ThemeKind::Light), format);
            QVERIFY(bytes && bytes->size() > 2000);
        }
        const auto svg = exportScene(scene, Theme(ThemeKind::Dark), ExportFormat::Svg);
        QVERIFY(svg && svg->contains("Where the GPU time goes"));
        QVERIFY(!scene.title.isEmpty());
    }
};

QTEST_MAIN(TestTimingScene)
#include "tst_timing_scene.moc"
