// The picture of devices: who lives where, what travels, what was refused, and two lanes that are a function of t.

#include "tests/widgets/card/card_fixture.h"
#include "tests/widgets/devices/devices_fixture.h"
#include "tests/widgets/stage/scene_geometry.h"
#include "widgets/devices/devices_page.h"
#include "widgets/devices/devices_view.h"
#include "widgets/scene/export.h"
#include "widgets/shared/time_player.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace stridescope;
using namespace stridescope::test;

namespace {

QStringList wordsOf(const Scene& scene) {
    QStringList words;
    for (const SceneNode& node : scene.nodes)
        if (const auto* text = std::get_if<TextItem>(&node.item)) words << text->text;
    return words;
}
bool says(const DevicesPicture& picture, const char* words) {
    return wordsOf(picture.scene).join(QLatin1Char('\n')).contains(QString::fromUtf8(words));
}
std::vector<DevicesSpot> spotsOf(const DevicesPicture& picture, DevicesSpotKind kind) {
    std::vector<DevicesSpot> found;
    for (const DevicesSpot& spot : picture.spots)
        if (spot.kind == kind) found.push_back(spot);
    return found;
}
DevicesModel offModel() {
    DevicesModel model = devicesModel(DeviceLog());
    return model;
}
DevicesModel refusedModel(const DevicesRefusal& refusal) {
    DevicesModel model = devicesModel();
    model.refusal = refusal;
    return model;
}
DevicesPicture pictureOf(const DevicesModel& model, qreal t = 1, qreal width = 988) {
    DevicesLook look;
    look.size = QSizeF(width, 0);
    look.t = t;
    return devicesPicture(model, look);
}

} // namespace

class TestDevicesScene : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goldens_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<qreal>("t");
        QTest::newRow("devices_done") << 0 << 1.0;
        QTest::newRow("devices_running") << 0 << 0.45;
        QTest::newRow("devices_mixed") << 1 << 1.0;
        QTest::newRow("devices_memory") << 2 << 1.0;
        QTest::newRow("devices_off") << 3 << 1.0;
    }
    void goldens() {
        QFETCH(int, which);
        QFETCH(qreal, t);
        const DevicesModel model = which == 1   ? refusedModel(mixedRefusal())
                                   : which == 2 ? refusedModel(memoryRefusal())
                                   : which == 3 ? offModel()
                                                : devicesModel();
        const QString difference =
            compareGolden(QString::fromLatin1(QTest::currentDataTag()), pictureOf(model, t).scene);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void noWordsOverOthers_data() {
        QTest::addColumn<qreal>("width");
        for (const qreal width : {780.0, 900.0, 988.0, 1300.0, 1628.0})
            QTest::addRow("%d", static_cast<int>(width)) << width;
    }
    void noWordsOverOthers() {
        QFETCH(qreal, width);
        for (const DevicesModel& model :
             {devicesModel(), refusedModel(mixedRefusal()), refusedModel(memoryRefusal()), offModel()}) {
            for (const qreal t : {0.0, 0.03, 0.45, 1.0}) {
                const DevicesPicture picture = pictureOf(model, t, width);
                std::vector<std::pair<QRectF, QString>> inks;
                for (const SceneNode& node : picture.scene.nodes) {
                    const auto* text = std::get_if<TextItem>(&node.item);
                    if (!text || text->text.isEmpty()) continue;
                    const QRectF ink = stage_test::inkOf(*text);
                    QVERIFY2(QRectF(QPointF(), picture.scene.size).contains(ink), qPrintable(text->text));
                    for (const auto& [other, words] : inks)
                        QVERIFY2(!ink.intersects(other), qPrintable(text->text + QStringLiteral(" over ") + words));
                    inks.emplace_back(ink, text->text);
                }
            }
        }
    }

    void everyTensorAndDeviceIsTold() {
        const DevicesPicture picture = pictureOf(devicesModel());
        const auto devices = spotsOf(picture, DevicesSpotKind::Device);
        QCOMPARE(devices.size(), std::size_t{3});
        for (std::size_t i = 1; i < 3; ++i) QVERIFY(devices[i].told.contains(QStringLiteral("simulated")));
        const auto tensors = spotsOf(picture, DevicesSpotKind::Tensor);
        QCOMPARE(tensors.size(), std::size_t{3});
        QCOMPARE(tensors[1].told, QStringLiteral("y: float32, size (2, 3), 24 B, on sim:0"));
        QVERIFY(devices[0].rect.contains(tensors[0].rect) && devices[1].rect.contains(tensors[1].rect));
        // The CPU left, devices right.
        QVERIFY(devices[0].rect.right() < devices[1].rect.left());
        QVERIFY(says(picture, "in use"));
        QVERIFY(says(picture, "24 B moved"));
        QVERIFY(says(picture, "18.0 µs, measured")); // 12 to 30
        QVERIFY(says(picture, "100 MB/s"));
    }

    void simulatedIsSaidOfEach() {
        // In the box, in the lane and in what the clock saw; a real one is not called so.
        DevicesModel model = devicesModel();
        QVERIFY(wordsOf(pictureOf(model).scene).count(QStringLiteral("simulated")) >= 3);
        for (ShownDevice& each : model.devices) each.simulated = false;
        QVERIFY(!says(pictureOf(model), "simulated") || says(pictureOf(model), "Simulated device: off"));
        QCOMPARE(wordsOf(pictureOf(model).scene).count(QStringLiteral("simulated")), 0);
    }

    void lanesAreAFunctionOfT() {
        const DevicesModel model = devicesModel();
        const DevicesRun& run = model.run;
        const qint64 length = run.end() - run.begin();
        QCOMPARE(length, qint64{1'260'000});
        const DevicesPicture end = pictureOf(model);
        const auto work = spotsOf(end, DevicesSpotKind::Work);
        QCOMPARE(work.size(), std::size_t{5});
        for (std::size_t i = 0; i < 5; ++i) {
            const auto x = [&](qint64 time) {
                return end.timeline.left() +
                       end.timeline.width() * static_cast<qreal>(time - run.begin()) / static_cast<qreal>(length);
            };
            QVERIFY(std::abs(work[i].rect.left() + 1 - x(run.work[i].startedAt)) < 0.01);
        }
        QCOMPARE(spotsOf(end, DevicesSpotKind::Call).size(), std::size_t{5});
        QCOMPARE(spotsOf(end, DevicesSpotKind::Wait).size(), std::size_t{1});
        // At the beginning nothing was called but the copy; the same t gives the same picture.
        QCOMPARE(spotsOf(pictureOf(model, 0), DevicesSpotKind::Call).size(), std::size_t{1});
        const qreal before = 65.0 / 1260; // three products were called, none runs
        QCOMPARE(spotsOf(pictureOf(model, before), DevicesSpotKind::Call).size(), std::size_t{4});
        QVERIFY(devicesCaption(model, 5.0 / 1260).contains(QStringLiteral("sim:0 has not begun, 1 in its queue")));
        QVERIFY(devicesCaption(model, before).contains(QStringLiteral("is about to begin the next")));
        QVERIFY(devicesCaption(model, before).contains(QStringLiteral("3 in its queue")));
        QVERIFY(devicesCaption(model, 0.5).contains(QStringLiteral("sim:0 runs matmul")));
        QVERIFY(devicesCaption(model, 0.5).contains(QStringLiteral("the CPU waits: synchronize")));
        QCOMPARE(wordsOf(pictureOf(model, 0.3).scene), wordsOf(pictureOf(model, 0.3).scene));
        // The brackets stand when all is over.
        QVERIFY(says(end, "the calls only") && says(end, "stop after synchronize"));
        QVERIFY(!says(pictureOf(model, 0.5), "the calls only"));
    }

    void momentsCoverEverything() {
        const DevicesMoments moments = devicesMoments(fourProducts().run());
        QCOMPARE(moments.times.stops.front(), 0.0);
        QCOMPARE(moments.times.stops.back(), 1.0);
        QVERIFY(std::is_sorted(moments.times.stops.begin(), moments.times.stops.end()));
        QCOMPARE(moments.times.stageEnds.back(), 1.0);
        QCOMPARE(moments.times.stageEnds.size(), static_cast<std::size_t>(moments.stageNames.size()));
        QCOMPARE(moments.stageNames.first(), QStringLiteral("copy in"));
        QVERIFY(devicesMoments({}).times.stops.empty());
    }

    void theLogAddsUp() {
        DeviceLog log = fourProducts();
        QCOMPARE(log.devices().size(), std::size_t{2});
        QCOMPARE(log.devices()[0].allocated, quint64{1'280'024});
        // The run stays until other code gives work.
        log.begin(QStringLiteral("1 + 1"));
        QCOMPARE(log.run().work.size(), std::size_t{5});
        tellWork(log, 10, DeviceWork::Kernel, "add", 0, 2000, -1, -1);
        QCOMPARE(log.run().work.size(), std::size_t{1});
        QCOMPARE(log.run().code, QStringLiteral("1 + 1"));
        QCOMPARE(log.run().work[0].startedAt, qint64{0});
        // A device that fails, is started anew, and goes.
        DeviceRecord failed = deviceRecord(DeviceHappening::Failed);
        failed.name = "an illegal memory access";
        log.take({failed});
        QCOMPARE(log.devices()[0].failure, QStringLiteral("an illegal memory access"));
        DeviceRecord dropped = deviceRecord(DeviceHappening::Dropped);
        dropped.number = 10;
        log.take({dropped});
        QVERIFY(log.run().work[0].dropped);
        log.take({deviceRecord(DeviceHappening::Appeared)});
        QVERIFY(log.devices()[0].failure.isEmpty());
        QCOMPARE(log.devices()[0].allocated, quint64{0});
        log.take({deviceRecord(DeviceHappening::Gone)});
        QCOMPARE(log.devices().size(), std::size_t{1});
        // More work than is drawn is counted.
        log.begin(QStringLiteral("loop"));
        for (std::uint64_t i = 0; i < DeviceLog::kMostWork + 5; ++i)
            tellWork(log, 100 + i, DeviceWork::Kernel, "add", 0, 3000, 3001, 3002, kSecond);
        QCOMPARE(log.run().work.size(), DeviceLog::kMostWork);
        QCOMPARE(log.run().more, 5);
    }

    void whatIsMissingSaysWhy() {
        const DevicesPicture off = pictureOf(offModel());
        QVERIFY(says(off, "Simulated device: off"));
        QVERIFY(says(off, "No GPU found"));
        QVERIFY(says(off, "no NVIDIA driver is installed"));
        QVERIFY(says(off, "driver: libcuda.so.1 not found"));
        QCOMPARE(spotsOf(off, DevicesSpotKind::Way).size(), std::size_t{1});
        DevicesModel withoutPython = offModel();
        withoutPython.pythonMissing = QStringLiteral("no Python with NumPy was found");
        const DevicesPicture none = pictureOf(withoutPython);
        QVERIFY(spotsOf(none, DevicesSpotKind::Missing)[0].told.contains(withoutPython.pythonMissing));
        QVERIFY(spotsOf(none, DevicesSpotKind::Way).empty());
        DevicesModel real = offModel();
        real.gpuMissing.clear();
        QVERIFY(!says(pictureOf(real), "No GPU found"));
    }

    void refusalsOfferLines() {
        for (const auto& [refusal, count] : {std::pair(mixedRefusal(), 2), std::pair(memoryRefusal(), 1)}) {
            const DevicesModel model = refusedModel(refusal);
            const DevicesPicture picture = pictureOf(model);
            const auto ways = spotsOf(picture, DevicesSpotKind::Way);
            QCOMPARE(ways.size(), static_cast<std::size_t>(count));
            for (std::size_t i = 0; i < ways.size(); ++i) {
                QCOMPARE(ways[i].index, static_cast<int>(i));
                QVERIFY(ways[i].told.contains(model.ways()[i].line));
            }
        }
        const DevicesPicture memory = pictureOf(refusedModel(memoryRefusal()));
        QVERIFY(says(memory, "needs 4"));
        QVERIFY(says(memory, "free "));
        QVERIFY(says(pictureOf(refusedModel(mixedRefusal())), "found at least two devices"));
        // Without any simulated device its own line is the first one.
        DevicesModel off = offModel();
        off.refusal = mixedRefusal();
        const auto ways = spotsOf(pictureOf(off), DevicesSpotKind::Way);
        QCOMPARE(ways.size(), std::size_t{3});
        QVERIFY(ways[2].told.contains(off.ways()[2].line));
    }

    void lostTensorsAndFailures() {
        DevicesModel model = devicesModel();
        model.devices[1].tensors[0].lost = true;
        model.devices[1].failure = QStringLiteral("an illegal memory access was encountered after kernel 2, mul");
        const DevicesPicture picture = pictureOf(model);
        QVERIFY(says(picture, "lost: sim:0 was started anew"));
        QVERIFY(says(picture, "illegal memory access"));
        QVERIFY(spotsOf(picture, DevicesSpotKind::Tensor)[1].told.contains(QStringLiteral("lost")));
    }

    void presentedPartsStayInTheirRoom() {
        // As a room has it: 1280 x 720 in letters of 3 %.
        for (const QSizeF room : {QSizeF(474, 266), QSizeF(711, 400)}) {
            for (const DevicesModel& model :
                 {refusedModel(mixedRefusal()), refusedModel(memoryRefusal()), offModel()}) {
                for (const auto section : {DevicesSection::Boxes, DevicesSection::Refusal, DevicesSection::Lanes}) {
                    for (int device = 0; device < devicesBoxes(model); ++device) {
                        DevicesLook look;
                        look.size = room;
                        look.only = section;
                        look.device = device;
                        const DevicesPicture picture = devicesPicture(model, look);
                        for (const SceneNode& node : picture.scene.nodes) {
                            const auto* text = std::get_if<TextItem>(&node.item);
                            if (!text || text->text.isEmpty()) continue;
                            QVERIFY2(QRectF(QPointF(), room).contains(stage_test::inkOf(*text)),
                                     qPrintable(text->text));
                        }
                    }
                }
            }
        }
    }

    void deviceValuesAreDots() {
        // Memory of a device is not even there; what is drawn never asks for it.
        const DevicesPicture picture = pictureOf(devicesModel());
        int grids = 0;
        for (const SceneNode& node : picture.scene.nodes)
            if (const auto* grid = std::get_if<GridItem>(&node.item)) {
                ++grids;
                QCOMPARE(grid->source.storage()->data() == nullptr, !grid->source.device().isCpu());
            }
        QCOMPARE(grids, 2);
        QVERIFY(!renderImage(picture.scene, Theme(ThemeKind::Light)).isNull());
        QVERIFY(!renderImage(picture.scene, Theme(ThemeKind::Dark)).isNull());
    }

    void keysAndButtons() {
        DevicesView view;
        view.resize(988, 800);
        view.show();
        view.setFocus();
        view.setModel(std::make_shared<const DevicesModel>(refusedModel(mixedRefusal())));
        QSignalSpy wanted(&view, &DevicesView::lineWanted), told(&view, &DevicesView::told);
        QTest::keyClick(&view, Qt::Key_Tab);
        QCOMPARE(view.way(), 0);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("x.to(\"sim:0\") + y"));
        QTest::keyClick(&view, Qt::Key_Escape);
        QCOMPARE(view.way(), -1);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.spot(), 0);
        QVERIFY(!told.isEmpty() && !told.last()[0].toString().isEmpty());
        const auto ways = spotsOf(view.picture(), DevicesSpotKind::Way);
        QTest::mouseClick(&view, Qt::LeftButton, {}, ways[1].rect.center().toPoint());
        QCOMPARE(wanted.size(), 2);
        QCOMPARE(wanted[1][0].toString(), QStringLiteral("x + y.cpu()"));
        QSignalSpy sought(&view, &DevicesView::seekRequested);
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.picture().timeline.center().toPoint());
        QCOMPARE(sought.size(), 1);
        QVERIFY(std::abs(sought[0][0].toDouble() - 0.5) < 0.01);
    }

    void screenReadersHearEveryPart() {
        DevicesView view;
        view.resize(988, 800);
        view.setModel(std::make_shared<const DevicesModel>(refusedModel(mixedRefusal())));
        QAccessibleInterface* whole = QAccessible::queryAccessibleInterface(&view);
        QVERIFY(whole);
        QCOMPARE(whole->childCount(), static_cast<int>(view.picture().spots.size()));
        int buttons = 0;
        for (int i = 0; i < whole->childCount(); ++i) {
            QAccessibleInterface* part = whole->child(i);
            QVERIFY(!part->text(QAccessible::Name).isEmpty());
            QCOMPARE(whole->indexOfChild(part), i);
            if (part->role() != QAccessible::Button) continue;
            ++buttons;
            QSignalSpy wanted(&view, &DevicesView::lineWanted);
            part->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
            QCOMPARE(wanted.size(), 1);
        }
        QCOMPARE(buttons, 2);
    }

    void presentedStageByStage() {
        DevicesView view;
        TransportBar bar;
        TimePlayer player(&bar);
        const auto model = std::make_shared<const DevicesModel>(refusedModel(mixedRefusal()));
        view.setModel(model);
        DevicesMoments moments = devicesMoments(model->run);
        const StageTimes times = moments.times;
        player.setTimes(times, moments.stageNames);
        player.setReducedMotion(true);
        player.seek(1);
        connect(&player, &TimePlayer::timeChanged, &view, &DevicesView::setTime);
        DevicesPage page(&view, &player);
        page.resize(1280, 720);
        page.setLook(Theme(ThemeKind::Light, true), 2);
        // Two devices, the missing GPU, what was refused, and the lanes moment by moment.
        QCOMPARE(page.stages(), 4 + static_cast<int>(times.stageEnds.size()));
        QCOMPARE(page.stage(), 1);
        for (int stage = 2; stage <= 4; ++stage) {
            QVERIFY(page.goOn(1));
            QCOMPARE(page.stage(), stage);
        }
        QCOMPARE(page.line(), QStringLiteral("x + y"));
        page.goOn(1);
        QCOMPARE(page.stage(), 5);
        QCOMPARE(player.time(), 0.0);
        page.goOn(-1);
        QCOMPARE(page.stage(), 4);
    }
};

QTEST_MAIN(TestDevicesScene)
#include "tst_devices_scene.moc"
