#include "core/backend/sim/sim.h"

#include "core/backend/cpu/cpu_allocator.h"
#include "core/backend/sim/sim_device.h"
#include "core/error.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>

namespace stridescope {

namespace sim {

namespace {

/// Host memory whose copies may be queued: giving it back waits for all of them.
class PinnedAllocator final : public Allocator {
public:
    Device device() const override { return {}; }
    void* allocate(std::size_t bytes) override {
        void* const data = cpuAllocator().allocate(bytes);
        const std::lock_guard lock(m_mutex);
        if (data) m_blocks[static_cast<std::byte*>(data)] = bytes;
        return data;
    }
    void deallocate(void* data, std::size_t bytes) noexcept override {
        for (SimDevice* device : devices()) try {
                device->synchronize();
            } catch (const std::exception&) { // it has failed: nothing runs there any more
            }
        {
            const std::lock_guard lock(m_mutex);
            m_blocks.erase(static_cast<std::byte*>(data));
        }
        cpuAllocator().deallocate(data, bytes);
    }
    const char* kind() const override { return "pinned"; }
    bool holds(const void* data) const {
        const std::lock_guard lock(m_mutex);
        auto block = m_blocks.upper_bound(static_cast<std::byte*>(const_cast<void*>(data)));
        if (block == m_blocks.begin()) return false;
        --block;
        return data < block->first + block->second;
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::byte*, std::size_t> m_blocks;
};

PinnedAllocator& pinned() {
    static auto* allocator = new PinnedAllocator;
    return *allocator;
}

using Clock = std::chrono::steady_clock;

class SimEvent final : public DeviceEvent {
public:
    explicit SimEvent(SimDevice& device) : m_device(device), m_mark(std::make_shared<Mark>()) {}
    void record(StreamId stream) override {
        m_mark = std::make_shared<Mark>(); // an earlier one may still be waited for
        m_mark->queue = m_device.sharedQueue(stream);
        m_mark->ticket = m_device.mark(stream, [mark = m_mark] { mark->time = Clock::now(); });
    }
    void wait(StreamId stream) override {
        if (!isRecorded()) return;
        m_device.mark(stream, [mark = m_mark] { mark->queue->waitFor(mark->ticket); });
    }
    /// As wait, for the queue that this thread uses on another device.
    void waitOn(SimDevice& device) {
        device.mark(device.current(), [mark = m_mark] { mark->queue->waitFor(mark->ticket); });
    }
    bool query() const override { return !isRecorded() || m_mark->queue->isDone(m_mark->ticket); }
    void synchronize() override {
        if (isRecorded()) m_mark->queue->waitFor(m_mark->ticket);
        m_device.throwIfFailed();
    }
    bool isRecorded() const override { return m_mark->queue != nullptr; }
    double millisecondsTo(const DeviceEvent& end) const override {
        const auto& other = static_cast<const SimEvent&>(end);
        return std::chrono::duration<double, std::milli>(other.m_mark->time - m_mark->time).count();
    }

private:
    struct Mark {
        std::shared_ptr<Queue> queue;
        Queue::Ticket ticket = 0;
        Clock::time_point time;
    };
    SimDevice& m_device;
    std::shared_ptr<Mark> m_mark;
};

thread_local SimDevice* t_target = nullptr;

std::vector<SimDevice*>& switchedOn() {
    static auto* all = new std::vector<SimDevice*>;
    return *all;
}

std::vector<SimDevice*>& switchedOff() {
    static auto* all = new std::vector<SimDevice*>;
    return *all;
}

} // namespace

Allocator& pinnedAllocator() {
    return pinned();
}
bool isPinned(const void* data) {
    return pinned().holds(data);
}
const std::vector<SimDevice*>& devices() {
    return switchedOn();
}
const std::vector<SimDevice*>& formerDevices() {
    return switchedOff();
}
SimDevice& target() {
    return *t_target;
}
namespace {
std::atomic<const KernelTable*> g_queued{nullptr};
} // namespace
const KernelTable& queuedKernels() {
    const KernelTable* const chosen = g_queued.load(std::memory_order_acquire);
    return chosen ? *chosen : cpuKernels();
}
void setTarget(SimDevice& device) {
    t_target = &device;
}

namespace {

class SimBackend final : public Backend {
public:
    DeviceType type = DeviceType::Sim;

    const char* name() const override { return "simulated"; }
    int deviceCount() const override { return static_cast<int>(devices().size()); }
    Allocator& allocator(Device device) override { return at(device); }
    const KernelTable& kernels(Device device) override {
        setTarget(at(device));
        return simKernels();
    }
    void copyFromHost(Device device, void* to, const void* from, std::size_t bytes, bool mayReturnEarly) override {
        if (bytes == 0) return;
        finish(device, at(device).copy({to}, bytes, DeviceWork::HostToDevice, [=] { std::memcpy(to, from, bytes); }),
               mayReturnEarly && isPinned(from));
    }
    void copyToHost(Device device, void* to, const void* from, std::size_t bytes, bool mayReturnEarly) override {
        if (bytes == 0) return;
        finish(device, at(device).copy({from}, bytes, DeviceWork::DeviceToHost, [=] { std::memcpy(to, from, bytes); }),
               mayReturnEarly && isPinned(to));
    }
    void copyBetween(Device to, void* destination, Device from, const void* source, std::size_t bytes) override {
        if (bytes == 0) return;
        SimDevice &sender = at(from), &receiver = at(to);
        if (&sender == &receiver) {
            sender.copy({destination, source}, bytes, DeviceWork::OnDevice,
                        [=] { std::memmove(destination, source, bytes); });
            return;
        }
        // After what the receiver was given before, and before what it is given next.
        receiver.throwIfFailed();
        receiver.requireOperands({destination});
        SimEvent before(receiver), after(sender);
        before.record(receiver.current());
        before.waitOn(sender);
        sender.copy(
            {source}, bytes, DeviceWork::Peer,
            [=, &receiver] {
                const Memory::Access access(receiver.memory());
                std::memcpy(destination, source, bytes);
            },
            to);
        after.record(sender.current());
        after.waitOn(receiver);
    }
    void synchronize(Device device) override { at(device).synchronize(); }

    DeviceAbout about(Device device) override { return {SimDevice::kName, true, at(device).memory().total(), 0, 0, 1}; }
    DeviceMemory memory(Device device) override { return at(device).figures(); }
    bool canAccessPeer(Device from, Device to) override { return from != to; }
    void resetPeak(Device device) override { at(device).resetPeak(); }
    Allocator* pinnedAllocator() override { return &pinned(); }
    StreamId newStream(Device device) override { return at(device).addQueue(); }
    StreamId currentStream(Device device) override { return at(device).current(); }
    void setCurrentStream(Device device, StreamId stream) override { at(device).setCurrent(stream); }
    void synchronizeStream(Device device, StreamId stream) override { at(device).synchronizeStream(stream); }
    bool isStreamDone(Device device, StreamId stream) override {
        const Queue& queue = at(device).queue(stream);
        return queue.isDone(queue.last());
    }
    std::unique_ptr<DeviceEvent> newEvent(Device device) override { return std::make_unique<SimEvent>(at(device)); }

private:
    static SimDevice& at(Device device) { return *devices()[static_cast<std::size_t>(device.index)]; }
    static void finish(Device device, Queue::Ticket ticket, bool early) {
        if (!early) at(device).waitFor(ticket, "copy");
    }
};

SimBackend& theBackend() {
    static auto* backend = new SimBackend;
    return *backend;
}

void require(bool holds, const char* what) {
    if (holds) return;
    throwRefusal({ErrorKind::Value, "SIM-01", std::string("sim.enable: ") + what, "See docs/devices.md.", {}});
}

/// At the program's end nothing may run that uses what is destroyed then.
void endQueues() {
    for (SimDevice* device : devices()) device->end();
}

} // namespace

} // namespace sim

void enableSim(const SimOptions& options) {
    constexpr int kMost = 8;
    sim::require(options.devices >= 1 && options.devices <= kMost, "devices must be 1 to 8");
    sim::require(options.memoryBytes >= 4096 && options.memoryBytes <= std::size_t{1} << 40,
                 "memory must be 4096 bytes to 2^40");
    sim::require(options.linkBytesPerSecond >= 0, "the link speed must not be negative");
    sim::require(options.launchDelay.count() >= 0, "the launch delay must not be negative");
    sim::require(options.failAllocation >= 0 && options.failLaunch >= 0, "a fault must be counted from 1; 0 is none");
    if (options.asCuda && cudaBackend())
        throwRefusal({ErrorKind::Device,
                      "SIM-02",
                      "sim.enable: as_cuda is for machines without a GPU; this one has " +
                          std::to_string(cudaBackend()->deviceCount()),
                      "Use the name sim:0.",
                      {}});
    static const bool ends = std::atexit(sim::endQueues) == 0;
    (void)ends;
    const DeviceType type = options.asCuda ? DeviceType::Cuda : DeviceType::Sim;
    std::vector<sim::SimDevice*> fresh;
    for (int i = 0; i < options.devices; ++i)
        fresh.push_back(new sim::SimDevice({type, static_cast<std::int8_t>(i)}, options));
    disableSim();
    sim::g_queued.store(options.kernels, std::memory_order_release);
    sim::theBackend().type = type;
    sim::switchedOn() = std::move(fresh);
    for (const sim::SimDevice* device : sim::devices()) device->tellAppeared();
}

void disableSim() {
    for (sim::SimDevice* device : sim::devices()) {
        device->end();
        sim::switchedOff().push_back(device);
    }
    sim::switchedOn().clear();
    setCurrentDevice({DeviceType::Sim, 0});
}

Backend* simBackend(DeviceType type) {
    return sim::devices().empty() || sim::theBackend().type != type ? nullptr : &sim::theBackend();
}

void restartSim(Device device) {
    (void)backendFor(device);
    if (!simBackend(device.type))
        throwRefusal({ErrorKind::Value,
                      "SIM-04",
                      "sim.restart: " + toString(device) + " is not a simulated device",
                      "Name one: sim:0.",
                      {}});
    sim::devices()[static_cast<std::size_t>(device.index)]->restart();
}

bool isLostOnSim(Device device, const void* data) {
    if (!data || device.isCpu()) return false;
    const auto& now = sim::devices();
    const auto& former = sim::formerDevices();
    const auto has = [&](sim::SimDevice* each) { return each->memory().holds(data); };
    if (std::any_of(now.begin(), now.end(), has)) return false;
    const auto had = [&](const sim::SimDevice* each) { return each->ownsOrOwned(data); };
    return std::any_of(now.begin(), now.end(), had) || std::any_of(former.begin(), former.end(), had);
}

} // namespace stridescope
