// What devices tell those who listen: every piece of work with its three times, memory, waits, refusals and failures;
// and the same through the ring of another process.

#include "core/backend/sim/sim.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/trace/device_record.h"
#include "core/trace/record_ring.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <mutex>

using namespace stridescope;

namespace {

constexpr Device kSim{DeviceType::Sim, 0}, kSecond{DeviceType::Sim, 1};

class Listener final : public DeviceSink {
public:
    Listener() { trace::setDeviceSink(this); }
    ~Listener() { trace::setDeviceSink(nullptr); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    void take(const DeviceRecord& record) override {
        const std::lock_guard lock(m_mutex);
        m_records.push_back(record);
    }
    std::vector<DeviceRecord> of(DeviceHappening what) const {
        const std::lock_guard lock(m_mutex);
        std::vector<DeviceRecord> found;
        std::copy_if(m_records.begin(), m_records.end(), std::back_inserter(found),
                     [what](const DeviceRecord& record) { return record.what == what; });
        return found;
    }
    std::size_t size() const {
        const std::lock_guard lock(m_mutex);
        return m_records.size();
    }

private:
    mutable std::mutex m_mutex;
    std::vector<DeviceRecord> m_records;
};

SimOptions options(int devices = 1) {
    SimOptions wanted;
    wanted.devices = devices;
    wanted.memoryBytes = 1 << 20;
    return wanted;
}

bool same(const DeviceRecord& a, const DeviceRecord& b) {
    return a.what == b.what && a.work == b.work && a.device == b.device && a.other == b.other &&
           a.simulated == b.simulated && a.stream == b.stream && a.number == b.number && a.bytes == b.bytes &&
           a.allocated == b.allocated && a.total == b.total && a.queuedAt == b.queuedAt && a.startedAt == b.startedAt &&
           a.endedAt == b.endedAt && a.linkBytesPerSecond == b.linkBytesPerSecond && a.launchDelay == b.launchDelay &&
           a.name == b.name;
}

DeviceRecord sample(int i) {
    DeviceRecord record;
    record.what = DeviceHappening::Done;
    record.work = DeviceWork::Peer;
    record.device = kSecond;
    record.other = {DeviceType::Cuda, 3};
    record.simulated = i % 2 == 0;
    record.stream = 7;
    record.number = static_cast<std::uint64_t>(i);
    record.bytes = std::uint64_t{1} << 40;
    record.allocated = 3;
    record.total = 4;
    record.queuedAt = 5;
    record.startedAt = 6;
    record.endedAt = 7;
    record.linkBytesPerSecond = 1e9;
    record.launchDelay = 9;
    record.name = std::string(static_cast<std::size_t>(i % 50), 'k') + "ä";
    return record;
}

} // namespace

class TestDeviceRecords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        trace::setDeviceSink(nullptr);
        disableSim();
    }

    void nobodyListens() {
        // No piece of work gets a number, so nothing of it is told later either.
        enableSim(options());
        const std::uint64_t before = trace::nextDeviceWork();
        const Tensor x = ones({4}, {DType::Float32, kSim});
        static_cast<void>(add(x, x));
        backendFor(kSim).synchronize(kSim);
        QCOMPARE(trace::nextDeviceWork(), before + 1);
    }

    void workIsQueuedThenDone() {
        const Listener listener;
        SimOptions wanted = options();
        wanted.launchDelay = std::chrono::milliseconds(5);
        enableSim(wanted);
        const Tensor x = ones({4}, {DType::Float32, kSim});
        const Tensor y = add(x, x);
        backendFor(kSim).synchronize(kSim);
        const auto queued = listener.of(DeviceHappening::Queued), done = listener.of(DeviceHappening::Done);
        QCOMPARE(queued.size(), std::size_t{2});
        QCOMPARE(done.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(done[i].number, queued[i].number);
            QCOMPARE(done[i].queuedAt, queued[i].queuedAt);
            QCOMPARE(done[i].name, queued[i].name);
            QVERIFY(done[i].device == kSim);
            QVERIFY(done[i].simulated);
            QVERIFY(done[i].work == DeviceWork::Kernel);
            // The device is 5 ms late: the call was over long before.
            QVERIFY(done[i].startedAt - done[i].queuedAt >= 5'000'000);
            QVERIFY(done[i].endedAt >= done[i].startedAt);
        }
        const auto started = listener.of(DeviceHappening::Started);
        QCOMPARE(started.size(), std::size_t{2});
        QCOMPARE(started[1].startedAt, done[1].startedAt);
        QCOMPARE(started[1].endedAt, std::int64_t{0});
        QCOMPARE(done[1].name, std::string("add"));
        QVERIFY(done[1].startedAt >= done[0].endedAt);
        QVERIFY(queued[1].queuedAt < done[0].startedAt); // queued while the first one waited
        const auto waits = listener.of(DeviceHappening::Waited);
        QCOMPARE(waits.size(), std::size_t{1});
        QCOMPARE(waits[0].name, std::string("synchronize"));
        QVERIFY(waits[0].endedAt >= done[1].endedAt);
    }

    void copiesTellTheirWayAndTheTimeOfTheLink() {
        const Listener listener;
        SimOptions wanted = options(2);
        wanted.linkBytesPerSecond = 1e6;
        enableSim(wanted);
        const Tensor x = ones({2000}, {DType::Float32, {}});
        const Tensor there = to(x, kSim), further = to(there, kSecond), back = to(further, Device{});
        const Tensor beside = clone(further);
        backendFor(kSecond).synchronize(kSecond);
        std::vector<DeviceRecord> copies;
        for (const DeviceRecord& record : listener.of(DeviceHappening::Done))
            if (record.work != DeviceWork::Kernel) copies.push_back(record);
        QVERIFY(copies.size() >= 3);
        const auto one = [&](DeviceWork way) {
            return *std::find_if(copies.begin(), copies.end(),
                                 [way](const DeviceRecord& record) { return record.work == way; });
        };
        for (const DeviceWork way : {DeviceWork::HostToDevice, DeviceWork::Peer, DeviceWork::DeviceToHost}) {
            const DeviceRecord record = one(way);
            QCOMPARE(record.bytes, std::uint64_t{8000});
            QVERIFY(record.endedAt - record.startedAt >= 8'000'000); // 8 000 bytes at 1 MB/s
        }
        QVERIFY(one(DeviceWork::HostToDevice).device == kSim);
        QVERIFY(one(DeviceWork::Peer).device == kSim);
        QVERIFY(one(DeviceWork::Peer).other == kSecond);
        QVERIFY(one(DeviceWork::DeviceToHost).device == kSecond);
    }

    void memory() {
        const Listener listener;
        enableSim(options());
        const auto appeared = listener.of(DeviceHappening::Appeared);
        QCOMPARE(appeared.size(), std::size_t{1});
        QCOMPARE(appeared[0].total, std::uint64_t{1} << 20);
        {
            const Tensor x = ones({100}, {DType::Float32, kSim});
            QCOMPARE(listener.of(DeviceHappening::Allocated).back().bytes, std::uint64_t{400});
            QCOMPARE(listener.of(DeviceHappening::Allocated).back().allocated, std::uint64_t{400});
            QVERIFY(refusalOf([] { static_cast<void>(ones({1 << 20}, {DType::Float32, kSim})); }));
        }
        const auto refused = listener.of(DeviceHappening::OutOfMemory);
        QCOMPARE(refused.size(), std::size_t{1});
        QCOMPARE(refused[0].bytes, std::uint64_t{4} << 20);
        QCOMPARE(refused[0].allocated, std::uint64_t{400});
        QCOMPARE(listener.of(DeviceHappening::Freed).back().bytes, std::uint64_t{400});
        QCOMPARE(listener.of(DeviceHappening::Freed).back().allocated, std::uint64_t{0});
        disableSim();
        QCOMPARE(listener.of(DeviceHappening::Gone).size(), std::size_t{1});
    }

    void stickyErrorsAndWhatIsDropped() {
        const Listener listener;
        SimOptions wanted = options();
        wanted.failLaunch = 2;
        wanted.launchDelay = std::chrono::milliseconds(20);
        enableSim(wanted);
        const Tensor x = ones({4}, {DType::Float32, kSim}), y = add(x, x), z = mul(x, x); // the second one fails
        QVERIFY(refusalOf([] { backendFor(kSim).synchronize(kSim); }));
        QCOMPARE(listener.of(DeviceHappening::Done).size(), std::size_t{2});
        const auto dropped = listener.of(DeviceHappening::Dropped);
        QCOMPARE(dropped.size(), std::size_t{1});
        QCOMPARE(dropped[0].name, std::string("mul"));
        QCOMPARE(dropped[0].startedAt, std::int64_t{0});
        const auto failed = listener.of(DeviceHappening::Failed);
        QCOMPARE(failed.size(), std::size_t{1});
        QVERIFY(failed[0].name.find("illegal memory access") != std::string::npos);
        QVERIFY(!isLostOnSim(kSim, x.storage()->data()));
        restartSim(kSim);
        QCOMPARE(listener.of(DeviceHappening::Appeared).size(), std::size_t{2});
        QVERIFY(isLostOnSim(kSim, x.storage()->data()));
    }

    void packedAndBack() {
        for (int i = 0; i < 100; ++i) {
            std::array<std::byte, kMostDeviceRecord> bytes;
            const std::size_t size = packDeviceRecord(sample(i), bytes);
            const auto back = unpackDeviceRecord(std::span(bytes).first(size));
            QVERIFY(back && same(*back, sample(i)));
            // No shorter and no longer piece is one, and whatever the bytes hold they are read inside.
            for (std::size_t n = 0; n < size; ++n) QVERIFY(!unpackDeviceRecord(std::span(bytes).first(n)));
            QVERIFY(!unpackDeviceRecord(std::span(bytes).first(size + 1)));
        }
        DeviceRecord longName;
        longName.name = std::string(253, 'x') + "ää";
        std::array<std::byte, kMostDeviceRecord> bytes;
        const auto back = unpackDeviceRecord(std::span(bytes).first(packDeviceRecord(longName, bytes)));
        QVERIFY(back);
        QCOMPARE(back->name, std::string(253, 'x') + "ä"); // cut between characters
    }

    void throughTheRingBesideOperations() {
        auto writer = RecordRing::create().valueOrThrow();
        auto reader = RecordRing::open(writer->descriptor()).valueOrThrow();
        OpRecord operation;
        operation.name = "add";
        int told = 0;
        // Often enough to go round its end several times.
        for (int i = 0; i < 40'000; ++i) {
            QVERIFY(writer->write(operation));
            QVERIFY(writer->write(sample(i)));
            if (i % 1000 != 999) continue;
            PackedRecords records;
            std::vector<DeviceRecord> devices;
            QCOMPARE(reader->read(records, SIZE_MAX, &devices), std::size_t{1000});
            QVERIFY(records.isGapless()); // those of devices have no numbers of theirs
            QCOMPARE(devices.size(), std::size_t{1000});
            for (const DeviceRecord& record : devices) QVERIFY(same(record, sample(told++)));
        }
        QCOMPARE(writer->written(), std::uint64_t{40'000});
        // Who does not ask for them gets operations alone.
        writer->write(sample(1));
        writer->write(operation);
        PackedRecords records;
        QCOMPARE(reader->read(records), std::size_t{1});
        QCOMPARE(reader->devicesLost(), std::uint64_t{0});
    }

    void fullRingsKeepRoomForOperations() {
        auto writer = RecordRing::create().valueOrThrow();
        int fitted = 0;
        while (writer->write(sample(fitted))) ++fitted;
        QVERIFY(fitted > 1000);
        QCOMPARE(writer->devicesLost(), std::uint64_t{1});
        OpRecord operation;
        operation.name = "add";
        for (int i = 0; i < 1000; ++i) QVERIFY(writer->write(operation));
    }
};

QTEST_GUILESS_MAIN(TestDeviceRecords)
#include "tst_device_records.moc"
