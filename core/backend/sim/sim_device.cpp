#include "core/backend/sim/sim_device.h"

#include "core/error.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace stridescope::sim {

namespace {

/// Which stream of which device this thread's work goes to; absent: 0.
thread_local std::map<const SimDevice*, StreamId> t_current;

/// Tells when a piece of work begins and when it is over; nothing where it has no number because nobody listened.
class Telling {
public:
    explicit Telling(const DeviceRecord& queued) : m_record(queued) {
        if (m_record.number != 0) tell(DeviceHappening::Started, m_record.startedAt);
    }
    ~Telling() {
        if (m_record.number != 0) tell(DeviceHappening::Done, m_record.endedAt);
    }
    Telling(const Telling&) = delete;
    Telling& operator=(const Telling&) = delete;
    static void dropped(DeviceRecord record) {
        record.what = DeviceHappening::Dropped;
        record.endedAt = trace::deviceTime();
        if (record.number != 0) trace::publish(record);
    }

private:
    void tell(DeviceHappening what, std::int64_t& when) {
        m_record.what = what;
        when = trace::deviceTime();
        trace::publish(m_record);
    }
    DeviceRecord m_record;
};

bool launchesBlock() {
    const char* text = std::getenv("CUDA_LAUNCH_BLOCKING");
    return text && std::strcmp(text, "1") == 0;
}

} // namespace

SimDevice::SimDevice(Device device, const SimOptions& options)
    : m_device(device), m_options(options), m_blocking(launchesBlock()), m_process(getpid()),
      m_memory(std::make_unique<Memory>(options.memoryBytes, options.guard)) {
    m_queues.push_back(std::make_shared<Queue>());
}

// --- What is told -------------------------------------------------------------------------------------------------

DeviceRecord SimDevice::told(DeviceHappening what) const {
    DeviceRecord record;
    record.what = what;
    record.device = m_device;
    record.simulated = true;
    return record;
}

void SimDevice::tellMemory(DeviceHappening what, std::size_t bytes) const {
    if (!trace::devicesObserved()) return;
    DeviceRecord record = told(what);
    record.bytes = bytes;
    record.allocated = m_figures.allocated;
    record.total = m_memory->total();
    record.endedAt = trace::deviceTime();
    trace::publish(record);
}

void SimDevice::tellAppeared() const {
    if (!trace::devicesObserved()) return;
    DeviceRecord record = told(DeviceHappening::Appeared);
    record.total = m_memory->total();
    record.linkBytesPerSecond = m_options.linkBytesPerSecond;
    record.launchDelay = std::chrono::nanoseconds(m_options.launchDelay).count();
    record.endedAt = trace::deviceTime();
    record.name = kName;
    trace::publish(record);
}

DeviceRecord SimDevice::tellQueued(const char* name, DeviceWork work, std::size_t bytes, Device to) const {
    DeviceRecord record = told(DeviceHappening::Queued);
    record.work = work;
    if (!trace::devicesObserved()) return record;
    record.other = to;
    record.stream = current();
    record.number = trace::nextDeviceWork();
    record.bytes = bytes;
    record.name = name;
    record.queuedAt = trace::deviceTime();
    trace::publish(record);
    return record;
}

template <class Wait>
void SimDevice::tellWait(const char* what, Wait wait) const {
    if (!trace::devicesObserved()) return wait();
    DeviceRecord record = told(DeviceHappening::Waited);
    record.stream = current();
    record.name = what;
    record.startedAt = trace::deviceTime();
    wait();
    record.endedAt = trace::deviceTime();
    trace::publish(record);
}

// --- Memory -------------------------------------------------------------------------------------------------------

void SimDevice::refuseMemory(std::size_t bytes) {
    {
        const std::lock_guard lock(m_mutex);
        tellMemory(DeviceHappening::OutOfMemory, bytes);
    }
    const std::size_t free = m_memory->total() - m_memory->taken();
    throwRefusal({ErrorKind::Memory, "DEV-05",
                  "out of memory on " + toString(m_device) + ": needs " + std::to_string(bytes) + " bytes, free " +
                      std::to_string(free) + " of " + std::to_string(m_memory->total()) + " (simulated)",
                  "Delete tensors on that device, or use a smaller size. Nothing was changed.",
                  BytesExceeded{static_cast<Index>(bytes), static_cast<Index>(free)}});
}

void SimDevice::sweep() {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_freed, [&](const Freed& freed) {
        for (std::size_t q = 0; q < freed.after.size(); ++q)
            if (!m_queues[q]->isDone(freed.after[q])) return false;
        m_memory->giveBack(freed.data);
        return true;
    });
}

void* SimDevice::allocate(std::size_t bytes) {
    requireSameProcess();
    throwIfFailed();
    if (bytes == 0) return nullptr;
    sweep();
    bool fails = false;
    {
        const std::lock_guard lock(m_mutex);
        fails = ++m_allocations == m_options.failAllocation;
    }
    std::byte* data = fails ? nullptr : m_memory->take(bytes);
    if (!data && !fails) { // what is freed but waits for its queue
        for (const std::shared_ptr<Queue>& queue : queues()) queue->waitFor(queue->last());
        sweep();
        data = m_memory->take(bytes);
    }
    if (!data) refuseMemory(bytes);
    const std::lock_guard lock(m_mutex);
    m_alive[data] = bytes;
    m_figures.allocated += bytes;
    m_figures.peak = std::max(m_figures.peak, m_figures.allocated);
    ++m_figures.allocations;
    tellMemory(DeviceHappening::Allocated, bytes);
    return data;
}

void* SimDevice::allocateZeroed(std::size_t bytes) {
    void* const data = allocate(bytes);
    if (data) launch("zeros", {data}, [data, bytes] { std::memset(data, 0, bytes); });
    return data;
}

void SimDevice::deallocate(void* data, std::size_t) noexcept {
    if (!data || getpid() != m_process) return;
    const std::lock_guard lock(m_mutex);
    const auto alive = m_alive.find(data);
    if (alive == m_alive.end()) return; // lost
    m_figures.allocated -= alive->second;
    tellMemory(DeviceHappening::Freed, alive->second);
    m_alive.erase(alive);
    Freed freed{data, {}};
    for (const std::shared_ptr<Queue>& queue : m_queues) freed.after.push_back(queue->last());
    m_freed.push_back(std::move(freed));
}

DeviceMemory SimDevice::figures() const {
    const std::lock_guard lock(m_mutex);
    DeviceMemory figures = m_figures;
    figures.total = m_memory->total();
    figures.free = figures.total - m_memory->taken();
    return figures;
}

void SimDevice::resetPeak() {
    const std::lock_guard lock(m_mutex);
    m_figures.peak = m_figures.allocated;
}

bool SimDevice::ownsOrOwned(const void* data) const {
    return m_memory->holds(data) ||
           std::any_of(m_lost.begin(), m_lost.end(), [&](const auto& lost) { return lost->holds(data); });
}

// --- Refusals -----------------------------------------------------------------------------------------------------

void SimDevice::requireSameProcess() const {
    if (getpid() == m_process) return;
    throwRefusal({ErrorKind::Device,
                  "DEV-08",
                  "Cannot re-initialize " + std::string(name(m_device.type)) + " in forked subprocess",
                  "Its queues are threads of the other process; switch the device on in the child alone.",
                  {}});
}

void SimDevice::throwIfFailed() const {
    if (!m_failed.load(std::memory_order_acquire)) return;
    std::string words;
    {
        const std::lock_guard lock(m_mutex);
        words = m_failure;
    }
    throwRefusal({ErrorKind::Device,
                  "DEV-04",
                  "device error on " + toString(m_device) + ": " + words + " (simulated)",
                  "Nothing works on that device any more. stridescope.sim.restart() starts it anew; tensors of the cpu "
                  "stay, those on the device are lost.",
                  {}});
}

void SimDevice::requireOperand(const void* data) const {
    if (!data || m_memory->holds(data)) return;
    const auto isLost = [&](const SimDevice* device) { return device->ownsOrOwned(data); };
    if (isLost(this) || std::any_of(formerDevices().begin(), formerDevices().end(), isLost))
        throwRefusal({ErrorKind::Device,
                      "DEV-06",
                      "the tensor is lost: it was on " + toString(m_device) + " when that was started anew",
                      "Make it again from what is on the cpu.",
                      {}});
    throwRefusal({ErrorKind::Device,
                  "DEV-07",
                  "a kernel on " + toString(m_device) + " was given memory that is not the device's",
                  "Move the tensor with to().",
                  {}});
}

void SimDevice::requireOperands(std::initializer_list<const void*> operands) const {
    for (const void* operand : operands) requireOperand(operand);
}

void SimDevice::fail(std::string words) {
    const std::lock_guard lock(m_mutex);
    if (m_failure.empty()) {
        m_failure = std::move(words);
        DeviceRecord record = told(DeviceHappening::Failed);
        record.name = m_failure;
        record.endedAt = trace::deviceTime();
        trace::publish(record);
    }
    m_failed.store(true, std::memory_order_release);
}

// --- Queues -------------------------------------------------------------------------------------------------------

Queue& SimDevice::queue(StreamId stream) const {
    return *sharedQueue(stream);
}

std::shared_ptr<Queue> SimDevice::sharedQueue(StreamId stream) const {
    const std::lock_guard lock(m_mutex);
    if (stream >= m_queues.size())
        throwRefusal({ErrorKind::Value,
                      "DEV-11",
                      toString(m_device) + " has no stream " + std::to_string(stream) + "; it has " +
                          std::to_string(m_queues.size()),
                      "Streams belong to one device.",
                      {}});
    return m_queues[stream];
}

std::vector<std::shared_ptr<Queue>> SimDevice::queues() const {
    const std::lock_guard lock(m_mutex);
    return m_queues;
}

StreamId SimDevice::current() const {
    const auto found = t_current.find(this);
    return found == t_current.end() ? 0 : found->second;
}

void SimDevice::setCurrent(StreamId stream) {
    (void)sharedQueue(stream);
    t_current[this] = stream;
}

StreamId SimDevice::addQueue() {
    requireSameProcess();
    auto queue = std::make_shared<Queue>();
    const std::lock_guard lock(m_mutex);
    m_queues.push_back(std::move(queue));
    return static_cast<StreamId>(m_queues.size() - 1);
}

/// `task` with the memory open, after the launch delay; not at all once something has failed.
Queue::Task SimDevice::guarded(const char* name, Queue::Task task, DeviceRecord queued) {
    Queue* const queue = &this->queue(current());
    const bool isKernel = queued.work == DeviceWork::Kernel;
    return [this, queue, name, task = std::move(task), isKernel, memory = m_memory.get(), queued = std::move(queued)] {
        if (m_options.launchDelay.count() > 0) queue->sleep(m_options.launchDelay);
        if (m_failed.load(std::memory_order_acquire)) return Telling::dropped(queued);
        const Telling telling(queued);
        try {
            const Memory::Access access(*memory);
            task();
        } catch (const std::exception& error) {
            fail(std::string(name) + ": " + error.what());
        }
        if (!isKernel) return;
        Index launches = 0;
        {
            const std::lock_guard lock(m_mutex);
            launches = ++m_launches;
        }
        if (launches == m_options.failLaunch)
            fail("an illegal memory access was encountered after kernel " + std::to_string(launches) + ", " + name);
    };
}

void SimDevice::launch(const char* name, std::initializer_list<const void*> operands, Queue::Task kernel) {
    requireSameProcess();
    throwIfFailed();
    requireOperands(operands);
    Queue& queue = this->queue(current());
    const Queue::Ticket ticket = queue.submit(guarded(name, std::move(kernel), tellQueued(name, DeviceWork::Kernel)));
    if (!m_blocking) return;
    tellWait("CUDA_LAUNCH_BLOCKING", [&] { queue.waitFor(ticket); });
    throwIfFailed();
}

void SimDevice::launchAndWait(const char* name, std::initializer_list<const void*> operands, Queue::Task kernel) {
    launch(name, operands, std::move(kernel));
    waitFor(queue(current()).last(), name);
}

Queue::Ticket SimDevice::copy(std::initializer_list<const void*> operands, std::size_t bytes, DeviceWork way,
                              Queue::Task move, Device to) {
    requireSameProcess();
    throwIfFailed();
    requireOperands(operands);
    Queue& queue = this->queue(current());
    const double speed = m_options.linkBytesPerSecond;
    const std::chrono::nanoseconds time(speed > 0 ? static_cast<std::int64_t>(static_cast<double>(bytes) / speed * 1e9)
                                                  : 0);
    return queue.submit(guarded(
        "copy",
        [&queue, time, move = std::move(move)] {
            if (time.count() > 0) queue.sleep(time);
            move();
        },
        tellQueued("copy", way, bytes, to)));
}

Queue::Ticket SimDevice::mark(StreamId stream, Queue::Task task) {
    requireSameProcess();
    return queue(stream).submit(std::move(task));
}

void SimDevice::waitFor(Queue::Ticket ticket, const char* what) {
    tellWait(what, [&] { queue(current()).waitFor(ticket); });
    throwIfFailed();
}

void SimDevice::synchronizeStream(StreamId stream) {
    requireSameProcess();
    Queue& queue = this->queue(stream);
    tellWait("synchronize", [&] { queue.waitFor(queue.last()); });
    throwIfFailed();
}

void SimDevice::synchronize() {
    requireSameProcess();
    tellWait("synchronize", [&] {
        for (const std::shared_ptr<Queue>& queue : queues()) queue->waitFor(queue->last());
    });
    throwIfFailed();
}

bool SimDevice::isIdle() const {
    for (const std::shared_ptr<Queue>& queue : queues())
        if (!queue->isDone(queue->last())) return false;
    return true;
}

void SimDevice::end() {
    if (getpid() != m_process) return; // the threads are those of the parent
    fail("it was switched off");
    for (const std::shared_ptr<Queue>& queue : queues()) queue->end();
    m_memory->drop();
    if (trace::devicesObserved()) trace::publish(told(DeviceHappening::Gone));
}

void SimDevice::restart() {
    requireSameProcess();
    m_failed.store(true, std::memory_order_release); // what is still queued does nothing
    for (const std::shared_ptr<Queue>& queue : queues()) queue->waitFor(queue->last());
    auto fresh = std::make_unique<Memory>(m_options.memoryBytes, m_options.guard);
    const std::lock_guard lock(m_mutex);
    m_memory->drop();
    m_lost.push_back(std::move(m_memory));
    m_memory = std::move(fresh);
    m_freed.clear();
    m_alive.clear();
    m_figures = {};
    m_failure.clear();
    m_options.failLaunch = m_options.failAllocation = 0; // the fault that was asked for has been
    m_failed.store(false, std::memory_order_release);
    tellAppeared();
}

} // namespace stridescope::sim
