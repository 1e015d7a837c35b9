// The Devices screen with Python's devices behind it: switched on by a click, work and copies with their times,
// refusals with ways out, and values that stay on the device until code asks for them.

#include "app/cli/script_tensors.h"
#include "app/devices/devices_screen.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/devices/devices_setup.h"
#include "widgets/devices/devices_view.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

class TestDevicesScreen : public QObject, private PythonWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!preparePython()) QSKIP("the Python module is not built");
        QApplication::setStyle(QStringLiteral("Fusion"));
        openWindow(QSize(1280, 720));
        m_window->showScreen(QStringLiteral("devices"));
        QVERIFY(screen());
        screen()->finishLooking();
    }
    void cleanupTestCase() { closeWindow(); }

    void offExplainsItself() {
        const DevicesModel& model = *screen()->view()->model();
        QVERIFY(model.devices[0].device.isCpu());
        QVERIFY(!model.hasSimulated());
        QVERIFY(model.gpuKnown);
        QVERIFY(!model.ways().empty());
        QVERIFY(model.ways()[0].line.startsWith(QStringLiteral("torch.sim.enable(devices=2, memory=64 << 20")));
        QVERIFY(screen()->picture());
    }

    void aClickSwitchesItOn() {
        button("devicesOn")->click();
        QTRY_VERIFY_WITH_TIMEOUT(model().hasSimulated(), 30000);
        QVERIFY(sim(0) && sim(1) && !sim(2));
        QCOMPARE(sim(0)->name(), QStringLiteral("sim:0"));
        QCOMPARE(sim(0)->total, quint64{64} << 20);
        QCOMPARE(sim(0)->link, 100e6);
        QCOMPARE(sim(1)->name(), QStringLiteral("sim:1"));
        QVERIFY(button("devicesOff")->isVisible());
    }

    void copiesAndTensors() {
        run("x = torch.arange(6.).view(2, 3)");
        run("y = x.to('sim:0')");
        QVERIFY(sim(0));
        QCOMPARE(sim(0)->tensors.size(), std::size_t{1});
        QCOMPARE(sim(0)->tensors[0].name, QStringLiteral("y"));
        QCOMPARE(sim(0)->tensors[0].bytes, quint64{24});
        QVERIFY(sim(0)->tensors[0].tensor.shape() == (Dims{2, 3}));
        QCOMPARE(sim(0)->allocated, quint64{24});
        QCOMPARE(model().run.code, QStringLiteral("y = x.to('sim:0')"));
        // The listing of names copied nothing back: this is all that the link saw.
        QCOMPARE(model().run.work.size(), std::size_t{1});
        const ShownWork& copy = model().run.work[0];
        QVERIFY(copy.kind == DeviceWork::HostToDevice);
        QCOMPARE(copy.bytes, quint64{24});
        QVERIFY(copy.startedAt >= copy.queuedAt && copy.endedAt > copy.startedAt);
        // And the window's own state has no copy of it under that name, which would be on the CPU.
        QVERIFY(!entry("y"));
        QVERIFY(entry("x"));
        run("z = y.cpu()");
        QVERIFY(entry("z"));
        QVERIFY(model().run.work.back().kind == DeviceWork::DeviceToHost);
    }

    void workGoesOnAfterTheCode() {
        run("torch.sim.enable(devices=2, memory=64 << 20, launch_delay=0.2)");
        run("a = torch.ones(8, device='sim:0')", false);
        run("for i in range(4): b = a + i", false);
        // The code has ended; the device has 1 s of work left, and the lanes show it.
        const std::size_t queued = model().run.work.size();
        QVERIFY(queued >= 4);
        QVERIFY(std::any_of(model().run.work.begin(), model().run.work.end(),
                            [](const ShownWork& each) { return each.endedAt == 0; }));
        QTRY_VERIFY_WITH_TIMEOUT(std::all_of(model().run.work.begin(), model().run.work.end(),
                                             [](const ShownWork& each) { return each.endedAt != 0; }),
                                 10000);
        QVERIFY(model().run.waits.empty());
        run("torch.sim.synchronize()");
    }

    void mixedDevicesAreDrawnWithWaysOut() {
        run("torch.sim.enable(devices=2, memory=64 << 20)");
        run("y = x.to('sim:0')");
        run("x + y");
        QVERIFY(model().refusal);
        QVERIFY(model().refusal->kind == DevicesRefusal::Kind::Mixed);
        QVERIFY2(model().refusal->text.contains(QStringLiteral("Expected all tensors to be on the same device")),
                 qPrintable(model().refusal->text));
        QCOMPARE(model().refusal->sign, QStringLiteral("+"));
        QCOMPARE(model().refusal->operands.size(), std::size_t{2});
        QCOMPARE(model().refusal->ways[0].line, QStringLiteral("x.to(\"sim:0\") + y"));
        QCOMPARE(model().refusal->ways[1].line, QStringLiteral("x + y.cpu()"));
        // The first way out, pressed, is carried out.
        Q_EMIT screen()->view()->lineWanted(model().refusal->ways[0].line);
        QTRY_VERIFY_WITH_TIMEOUT(!model().refusal && isIdle(), 10000);
        QTRY_COMPARE(model().run.code, QStringLiteral("x.to(\"sim:0\") + y"));
    }

    void outOfMemoryHasBothNumbers() {
        run("big = torch.ones(1 << 22, device='sim:0')");
        run("torch.ones(13 << 20, device='sim:0')");
        QVERIFY(model().refusal);
        QVERIFY(model().refusal->kind == DevicesRefusal::Kind::OutOfMemory);
        QCOMPARE(model().refusal->wanted, quint64{52} << 20);
        QCOMPARE(model().refusal->total, quint64{64} << 20);
        QVERIFY(model().refusal->used >= (quint64{16} << 20));
        QCOMPARE(model().refusal->ways[0].line, QStringLiteral("del big"));
        Q_EMIT screen()->view()->lineWanted(model().refusal->ways[0].line);
        QTRY_VERIFY_WITH_TIMEOUT(!model().refusal && isIdle(), 10000);
        // Nobody else held it.
        QTRY_VERIFY(sim(0)->allocated < (quint64{1} << 20));
    }

    void nothingIsOfferedThatDoesNotHelp() {
        run("torch.ones(1 << 30, device='sim:0')");
        QVERIFY(model().refusal && model().refusal->kind == DevicesRefusal::Kind::OutOfMemory);
        QVERIFY(model().refusal->ways.empty());
    }

    void stickyErrorsRestartAndLoss() {
        run("torch.sim.enable(devices=1, memory=64 << 20, fail_launch=2)");
        run("p = torch.ones(4, device='sim:0'); q = p + p; torch.sim.synchronize()");
        QVERIFY(model().refusal);
        QVERIFY(model().refusal->kind == DevicesRefusal::Kind::Sticky);
        QVERIFY(!sim(0)->failure.isEmpty());
        QVERIFY(button("devicesAgain")->isVisible());
        QCOMPARE(model().refusal->ways[0].line, QStringLiteral("torch.sim.restart(\"sim:0\")"));
        Q_EMIT screen()->view()->lineWanted(model().refusal->ways[0].line);
        QTRY_VERIFY_WITH_TIMEOUT(!model().refusal && isIdle() && sim(0)->failure.isEmpty(), 10000);
        QTRY_VERIFY(!sim(0)->tensors.empty());
        for (const ShownTensor& each : sim(0)->tensors) QVERIFY(each.lost);
        run("p + p");
        QVERIFY(model().refusal && model().refusal->kind == DevicesRefusal::Kind::Lost);
    }

    void stepsThroughTheRun() {
        run("torch.sim.enable(devices=2, memory=64 << 20, launch_delay=0.01)");
        run("c = torch.ones(8, device='sim:0'); d = c + c; torch.sim.synchronize()");
        QTRY_COMPARE(screen()->player()->time(), 1.0);
        screen()->view()->setFocus();
        QTest::keyClick(screen()->view(), Qt::Key_Home);
        QCOMPARE(screen()->view()->time(), 0.0);
        QTest::keyClick(screen()->view(), Qt::Key_Right);
        QTRY_VERIFY(screen()->view()->time() > 0 && screen()->view()->time() < 1);
        QTest::keyClick(screen()->view(), Qt::Key_End);
        QCOMPARE(screen()->view()->time(), 1.0);
    }

    void switchedOffIsGone() {
        button("devicesOff")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!model().hasSimulated(), 10000);
    }

    void numbersMakeTheLine() {
        screen()->keep({{QStringLiteral("devices"), 3},
                        {QStringLiteral("memory"), 8},
                        {QStringLiteral("link"), 0},
                        {QStringLiteral("delay"), 0}});
        QCOMPARE(screen()->setup()->enableLine(), QStringLiteral("torch.sim.enable(devices=3, memory=8 << 20)"));
        // What is not legal is passed over.
        screen()->keep({{QStringLiteral("devices"), 99}});
        QCOMPARE(screen()->setup()->enableLine(), QStringLiteral("torch.sim.enable(devices=3, memory=8 << 20)"));
        QCOMPARE(screen()->kept().value(QStringLiteral("devices")).toInt(), 3);
    }

    void scriptsAreDrawnWithoutAWindow() {
        WorkspaceModel model;
        Workspace workspace(&model);
        const ScriptEnd end = runIntoWorkspace(workspace,
                                               QStringLiteral("import torch\n"
                                                              "torch.sim.enable(launch_delay=0.05)\n"
                                                              "x = torch.ones(3)\n"
                                                              "y = torch.ones(3, device='sim')\n"
                                                              "for i in range(3): z = y + i\n"
                                                              "x + y\n"),
                                               QStringLiteral("two.py"), std::chrono::seconds(30));
        QVERIFY(!end.error.isEmpty());
        QCOMPARE(end.devices.devices.size(), std::size_t{2});
        QCOMPARE(end.devices.run.code, QStringLiteral("two.py"));
        QVERIFY(end.devices.run.work.size() >= 4);
        // What the script had queued was waited for.
        for (const ShownWork& each : end.devices.run.work) QVERIFY(each.endedAt > 0);
        QVERIFY(end.devices.refusal && end.devices.refusal->kind == DevicesRefusal::Kind::Mixed);
        QCOMPARE(end.devices.refusal->line, QStringLiteral("x + y"));
    }

private:
    DevicesScreen* screen() const { return qobject_cast<DevicesScreen*>(m_window->currentScreen()); }
    const DevicesModel& model() const { return *screen()->view()->model(); }
    const ShownDevice* sim(int index) const { return model().find({DeviceType::Sim, static_cast<std::int8_t>(index)}); }
    QPushButton* button(const char* name) const { return screen()->findChild<QPushButton*>(QString::fromLatin1(name)); }
    bool isIdle() const { return !workspace()->isBusy(); }
    /// Runs a line, and waits for its end; with `settle` until what devices do is over, too.
    void run(const char* line, bool settle = true) {
        Q_EMIT screen()->pythonRequested(QString::fromUtf8(line));
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), 30000);
        if (settle)
            QTRY_VERIFY_WITH_TIMEOUT(std::all_of(model().run.work.begin(), model().run.work.end(),
                                                 [](const ShownWork& each) { return each.endedAt || each.dropped; }),
                                     10000);
        QTest::qWait(150); // pictures come together
    }
};

QTEST_MAIN(TestDevicesScreen)
#include "tst_devices_screen.moc"
