// The rules of devices, on simulated ones: order, waiting, memory, errors.

#include "core/backend/sim/sim.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/tensor/element.h"
#include "tests/support/check_refusal.h"
#include "tests/support/instrumented.h"

#include <QTest>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace stridescope;
using namespace std::chrono_literals;

namespace {

constexpr Device kSim{DeviceType::Sim, 0}, kSecond{DeviceType::Sim, 1};

std::string idOf(const std::optional<Refusal>& refusal) {
    return refusal ? refusal->id : std::string("none");
}

/// Seconds that `action` takes.
template <class Action>
double seconds(Action action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Tensor ones(const Dims& shape, Device device) {
    return full(shape, Scalar(1.0), {DType::Float32, device});
}

} // namespace

#ifdef STRIDESCOPE_TEST_ASAN
// In a forked child nothing refers any longer to what GLib keeps for the parent's threads.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libglib-2.0\n";
}
#endif

class TestSimDevice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { disableSim(); }

    void offByDefault() {
        QVERIFY(!simBackend(DeviceType::Sim) && !kernelsFor(kSim));
        const std::optional<Refusal> refusal = refusalOf([] { ones({2}, kSim); });
        QCOMPARE(idOf(refusal), std::string("DEV-01"));
        QVERIFY(refusal->hint.find("sim.enable") != std::string::npos);
    }

    void namesAreRead() {
        QCOMPARE(toString(deviceFromString("sim:3").valueOrThrow()), std::string("sim:3"));
        QVERIFY(!deviceFromString("simulated"));
        QVERIFY(!deviceFromString("sim:-1"));
        setCurrentDevice(kSecond);
        QVERIFY(deviceFromString("sim").valueOrThrow() == kSecond);
        QVERIFY(deviceFromString("sim:0").valueOrThrow() == kSim);
        setCurrentDevice(kSim);
    }

    void optionsAreLookedAt() {
        SimOptions options;
        options.devices = 0;
        QCOMPARE(idOf(refusalOf([&] { enableSim(options); })), std::string("SIM-01"));
        options.devices = 1;
        options.linkBytesPerSecond = -1;
        QCOMPARE(idOf(refusalOf([&] { enableSim(options); })), std::string("SIM-01"));
        QVERIFY(!simBackend(DeviceType::Sim));
    }

    void workIsQueuedAndItemWaits() {
        SimOptions options;
        options.launchDelay = 50ms;
        enableSim(options);
        Tensor sum;
        const double launch = seconds([&] { sum = stridescope::sum(add(ones({8}, kSim), Scalar(1.0))); });
        QVERIFY2(launch < 0.1, "the caller waited"); // three kernels take 0.15 s
        double number = 0;
        const double wait = seconds([&] { number = item(sum).toDouble(); });
        QCOMPARE(number, 16.0);
        QVERIFY(launch + wait > 0.15);
        QVERIFY(seconds([&] { backendFor(kSim).synchronize(kSim); }) < 0.05);
    }

    void launchBlockingWaits() {
        setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
        SimOptions options;
        options.launchDelay = 40ms;
        enableSim(options);
        unsetenv("CUDA_LAUNCH_BLOCKING");
        QVERIFY(seconds([&] { ones({8}, kSim); }) > 0.035);
    }

    void linkTakesItsTime() {
        SimOptions options;
        options.linkBytesPerSecond = 4e6;
        enableSim(options);
        const Tensor t = full({50000}, Scalar(1.0), {DType::Float32, Device{}}); // 0.05 s
        Tensor there;
        QVERIFY(seconds([&] { there = to(t, kSim); }) > 0.045);
        QVERIFY(seconds([&] { to(there, Device{}); }) > 0.045);
    }

    void pinnedCopiesNeedNotBeWaitedFor() {
        SimOptions options;
        options.linkBytesPerSecond = 4e6;
        enableSim(options);
        const Tensor plain = full({50000}, Scalar(3.0), {DType::Float32, Device{}});
        const Tensor pinned = pinMemory(plain);
        QVERIFY(isPinned(pinned) && !isPinned(plain) && pinMemory(pinned).storage() == pinned.storage());
        const NonBlockingCopies nonBlocking;
        Tensor there, back;
        QVERIFY(seconds([&] { to(plain, kSim); }) > 0.045); // not pinned: waits all the same
        QVERIFY(seconds([&] {
                    there = to(pinned, kSim);
                    back = to(there, Device{});
                }) < 0.045);
        QVERIFY(isPinned(back));
        backendFor(kSim).synchronize(kSim);
        QCOMPARE(item(stridescope::sum(back)).toDouble(), 150000.0);
    }

    void pinnedMemoryOutlivesItsCopies() {
        SimOptions options;
        options.linkBytesPerSecond = 4e6;
        enableSim(options);
        Tensor there;
        {
            const Tensor pinned = pinMemory(full({50000}, Scalar(3.0), {DType::Float32, Device{}}));
            const NonBlockingCopies nonBlocking;
            there = to(pinned, kSim);
        }
        QCOMPARE(item(stridescope::sum(there)).toDouble(), 150000.0);
    }

    void outOfMemoryTellsBothNumbersAndTheNextCallWorks() {
        SimOptions options;
        options.memoryBytes = 1 << 20;
        enableSim(options);
        const Tensor kept = ones({1000}, kSim);
        const std::optional<Refusal> refusal = refusalOf([] { ones({1 << 20}, kSim); });
        QCOMPARE(idOf(refusal), std::string("DEV-05"));
        QCOMPARE(int(refusal->kind), int(ErrorKind::Memory));
        QCOMPARE(refusal->message,
                 std::string("out of memory on sim:0: needs 4194304 bytes, free 1044480 of 1048576 (simulated)"));
        QCOMPARE(std::get<BytesExceeded>(refusal->detail).wanted, Index{1} << 22);
        QCOMPARE(item(stridescope::sum(kept)).toDouble(), 1000.0);
        QVERIFY(!refusalOf([] { ones({200000}, kSim); }));
    }

    void freedMemoryIsUsedAgainInOrder() {
        SimOptions options;
        options.memoryBytes = 1 << 20;
        options.launchDelay = 2ms;
        enableSim(options);
        Tensor last;
        for (int i = 0; i < 20; ++i) last = add(ones({80000}, kSim), Scalar(double(i))); // each fills a third
        QCOMPARE(item(stridescope::sum(last)).toDouble(), 1600000.0);
        QCOMPARE(backendFor(kSim).memory(kSim).allocated, std::size_t{320000});
    }

    void memoryIsCounted() {
        enableSim({});
        Backend& backend = backendFor(kSim);
        QCOMPARE(backend.memory(kSim).allocated, std::size_t{0});
        {
            const Tensor a = ones({1000}, kSim), b = ones({500}, kSim);
            QCOMPARE(backend.memory(kSim).allocated, std::size_t{6000});
        }
        QCOMPARE(backend.memory(kSim).allocated, std::size_t{0});
        QCOMPARE(backend.memory(kSim).peak, std::size_t{6000});
        backend.resetPeak(kSim);
        QCOMPARE(backend.memory(kSim).peak, std::size_t{0});
        QCOMPARE(backend.memory(kSim).total, std::size_t{256} << 20);
    }

    void anAllocationCanBeMadeToFail() {
        SimOptions options;
        options.failAllocation = 2;
        enableSim(options);
        const Tensor first = ones({4}, kSim);
        QCOMPARE(idOf(refusalOf([&] { add(first, first); })), std::string("DEV-05"));
        QCOMPARE(item(stridescope::sum(add(first, first))).toDouble(), 8.0);
    }

    void aStickyErrorStaysUntilRestart() {
        SimOptions options;
        options.failLaunch = 2;
        enableSim(options);
        const Tensor host = ones({4}, Device{}), a = to(host, kSim);
        const Tensor b = add(a, a), c = add(b, b);
        backendFor(kSim).about(kSim);
        for (int i = 0; i < 3; ++i) {
            const std::optional<Refusal> refusal = refusalOf([&] { item(stridescope::sum(c)); });
            QCOMPARE(idOf(refusal), std::string("DEV-04"));
            QVERIFY(refusal->message.find("kernel 2") != std::string::npos && refusal->hint.find("restart") > 0);
        }
        QCOMPARE(idOf(refusalOf([] { ones({1}, kSim); })), std::string("DEV-04"));
        QCOMPARE(item(stridescope::sum(host)).toDouble(), 4.0);
        restartSim(kSim);
        for (const Tensor& lost : {a, b, c}) {
            QCOMPARE(idOf(refusalOf([&] { add(lost, lost); })), std::string("DEV-06"));
            QCOMPARE(idOf(refusalOf([&] { to(lost, Device{}); })), std::string("DEV-06"));
        }
        QCOMPARE(item(stridescope::sum(to(host, kSim))).toDouble(), 4.0);
        QCOMPARE(backendFor(kSim).memory(kSim).allocated, std::size_t{0});
    }

    void tensorsOfADeviceThatWasSwitchedOffAreLost() {
        enableSim({});
        const Tensor a = ones({4}, kSim);
        disableSim();
        QCOMPARE(idOf(refusalOf([&] { add(a, a); })), std::string("DEV-01"));
        enableSim({});
        QCOMPARE(idOf(refusalOf([&] { add(a, a); })), std::string("DEV-06"));
    }

    void mixedDevicesAreRefusedWithBothNames() {
        SimOptions options;
        options.devices = 2;
        enableSim(options);
        const Tensor a = ones({3}, kSim), b = ones({3}, kSecond), c = ones({3}, Device{});
        const std::string words =
            "DEV-03 Expected all tensors to be on the same device, but found at least two devices, ";
        QCOMPARE(refusalText([&] { add(a, b); }), words + "sim:0 and sim:1!");
        QCOMPARE(refusalText([&] { add(a, c); }), words + "sim:0 and cpu!");
        QCOMPARE(item(stridescope::sum(add(a, ones({}, Device{})))).toDouble(), 6.0); // a number of the CPU goes
        QCOMPARE(idOf(refusalOf([] { ones({1}, Device{DeviceType::Sim, 2}); })), std::string("DEV-01"));
    }

    void peersCopyInTheOrderOfBothQueues() {
        SimOptions options;
        options.devices = 2;
        options.launchDelay = 3ms;
        enableSim(options);
        const Tensor a = zeros({1000}, {DType::Float32, kSim});
        for (int i = 0; i < 5; ++i) add_(a, Scalar(1.0));
        Tensor b = to(a, kSecond);
        add_(a, Scalar(100.0)); // after the copy
        add_(b, Scalar(1.0));   // after the copy as well
        QVERIFY(b.device() == kSecond);
        QCOMPARE(item(stridescope::sum(b)).toDouble(), 6000.0);
        copy_(b, a);
        zero_(a);
        QCOMPARE(item(stridescope::sum(b)).toDouble(), 105000.0);
        QVERIFY(b.stride() == to(to(b, Device{}), kSim).stride());
    }

    void streamsGoOnTheirOwnAndEventsOrderThem() {
        SimOptions options;
        options.launchDelay = 30ms;
        enableSim(options);
        Backend& backend = backendFor(kSim);
        const Tensor a = ones({4}, kSim);
        backend.synchronize(kSim);
        const StreamId side = backend.newStream(kSim);
        backend.setCurrentStream(kSim, side);
        add_(a, Scalar(1.0));
        const std::unique_ptr<DeviceEvent> done = backend.newEvent(kSim);
        QVERIFY(done->query() && !done->isRecorded());
        done->record(side);
        backend.setCurrentStream(kSim, 0);
        QVERIFY(!done->query() && !backend.isStreamDone(kSim, side) && backend.isStreamDone(kSim, 0));
        done->wait(0);
        add_(a, Scalar(10.0));
        QCOMPARE(item(stridescope::sum(a)).toDouble(), 48.0);
        QVERIFY(done->query() && backend.isStreamDone(kSim, side));
        const std::unique_ptr<DeviceEvent> end = backend.newEvent(kSim);
        end->record(0);
        end->synchronize();
        QVERIFY(done->millisecondsTo(*end) > 29);
        QCOMPARE(idOf(refusalOf([&] { backend.setCurrentStream(kSim, 9); })), std::string("DEV-11"));
    }

    void anotherThreadHasItsOwnStreamAndDevice() {
        SimOptions options;
        options.devices = 2;
        enableSim(options);
        setCurrentDevice(kSecond);
        backendFor(kSim).setCurrentStream(kSim, backendFor(kSim).newStream(kSim));
        std::thread([&] {
            QVERIFY(currentDevice(DeviceType::Sim) == kSim);
            QCOMPARE(backendFor(kSim).currentStream(kSim), StreamId{0});
            QCOMPARE(item(stridescope::sum(ones({5}, kSecond))).toDouble(), 5.0);
        }).join();
        QVERIFY(currentDevice(DeviceType::Sim) == kSecond);
        backendFor(kSim).setCurrentStream(kSim, 0);
    }

    void mappedToCudaItIsCalledSoAndSaysWhatItIs() {
        if (cudaBackend()) QSKIP("this machine has a CUDA device");
        SimOptions options;
        options.asCuda = true;
        enableSim(options);
        const Tensor a = ones({3}, Device{DeviceType::Cuda, 0});
        QCOMPARE(toString(a.device()), std::string("cuda:0"));
        QCOMPARE(item(stridescope::sum(a)).toDouble(), 3.0);
        const DeviceAbout about = backendFor(a.device()).about(a.device());
        QVERIFY(about.simulated && about.name.find("simulated") != std::string::npos);
        QVERIFY(!simBackend(DeviceType::Sim));
        disableSim();
        QVERIFY(!backendOf(DeviceType::Cuda));
    }

    void aForkedChildIsRefused() {
        enableSim({});
        const Tensor a = ones({3}, kSim);
        const pid_t child = fork();
        if (child == 0) {
            const std::string id = idOf(refusalOf([&] { add(a, a); }));
            _exit(id == "DEV-08" ? 0 : 1);
        }
        int status = 1;
        waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        QCOMPARE(item(stridescope::sum(add(a, a))).toDouble(), 6.0);
    }

    void memoryIsOutOfTheHostsReach() {
        SimOptions options;
        options.guard = true;
        enableSim(options);
        const Tensor a = ones({3}, kSim);
        backendFor(kSim).synchronize(kSim);
        const pid_t child = fork();
        if (child == 0) {
            std::signal(SIGSEGV, SIG_DFL);
            _exit(static_cast<int>(*a.storage()->data()));
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    }

    void theProgramEndsWithWorkQueued() {
        if (test::kThreadSanitizer) QSKIP("ThreadSanitizer starts no threads in a child");
        const pid_t child = fork();
        if (child == 0) {
            SimOptions options;
            options.launchDelay = 10s;
            enableSim(options);
            static const Tensor kept = ones({3}, kSim);
            std::exit(kept.defined() ? 0 : 1);
        }
        int status = 1;
        QVERIFY(seconds([&] { waitpid(child, &status, 0); }) < 2);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
};

QTEST_APPLESS_MAIN(TestSimDevice)
#include "tst_sim_device.moc"
