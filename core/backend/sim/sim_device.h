#pragma once
// One simulated device: memory, queues, and what has gone wrong on it.

#include "core/backend/sim/sim.h"
#include "core/backend/sim/sim_memory.h"
#include "core/backend/sim/sim_queue.h"
#include "core/trace/device_record.h"

#include <atomic>
#include <string>
#include <vector>

namespace stridescope::sim {

class SimDevice final : public Allocator {
public:
    static constexpr const char* kName = "Stridescope simulated device (CPU threads)";

    SimDevice(Device device, const SimOptions& options);

    // Allocator
    Device device() const override { return m_device; }
    /// @throws MemoryError (DEV-05) with both numbers; the next call works.
    void* allocate(std::size_t bytes) override;
    void* allocateZeroed(std::size_t bytes) override;
    /// In the order of the queues: what was given before may still use it.
    void deallocate(void* data, std::size_t bytes) noexcept override;
    const char* kind() const override { return "simulated device"; }

    /// Queues a kernel on this thread's stream; `operands` are what it touches. @throws DeviceError: DEV-04 after a
    /// sticky error, DEV-06 for lost memory, DEV-07 for memory that is not the device's.
    void launch(const char* name, std::initializer_list<const void*> operands, Queue::Task kernel);
    /// The same, and waits.
    void launchAndWait(const char* name, std::initializer_list<const void*> operands, Queue::Task kernel);
    /// Queues a copy of so many bytes, which takes the time of the link; gives back its ticket. `way` is told to those
    /// who listen, and `to` of one to another device.
    Queue::Ticket copy(std::initializer_list<const void*> operands, std::size_t bytes, DeviceWork way, Queue::Task move,
                       Device to = {});
    /// Queues what is no work of the device's.
    Queue::Ticket mark(StreamId stream, Queue::Task task);
    /// @throws DeviceError (DEV-04) after a sticky error.
    void throwIfFailed() const;
    /// `what` the host waits for is told to those who listen.
    void waitFor(Queue::Ticket ticket, const char* what);
    /// @throws as launch.
    void requireOperands(std::initializer_list<const void*> operands) const;
    /// Drops what is queued and ends the threads; nothing can be given to it any more.
    void end();
    /// Says that it is there, to those who listen.
    void tellAppeared() const;

    Queue& queue(StreamId stream) const;
    std::shared_ptr<Queue> sharedQueue(StreamId stream) const;
    StreamId current() const;
    void setCurrent(StreamId stream);
    StreamId addQueue();
    void synchronize();
    bool isIdle() const;
    void synchronizeStream(StreamId stream);
    DeviceMemory figures() const;
    void resetPeak();
    Memory& memory() { return *m_memory; }
    /// Everything on it is lost.
    void restart();
    bool ownsOrOwned(const void* data) const;

private:
    struct Freed {
        void* data;
        std::vector<Queue::Ticket> after; ///< of every queue
    };
    void requireOperand(const void* data) const;
    void requireSameProcess() const;
    [[noreturn]] void refuseMemory(std::size_t bytes);
    /// Gives back what no queue needs any more.
    void sweep();
    void fail(std::string words);
    Queue::Task guarded(const char* name, Queue::Task task, DeviceRecord queued);
    DeviceRecord told(DeviceHappening what) const;
    /// The caller holds the mutex.
    void tellMemory(DeviceHappening what, std::size_t bytes) const;
    /// Gives `work` its number and says that it was queued. Nothing when nobody listens.
    DeviceRecord tellQueued(const char* name, DeviceWork work, std::size_t bytes = 0, Device to = {}) const;
    /// Calls `wait` and tells how long that took.
    template <class Wait>
    void tellWait(const char* what, Wait wait) const;
    std::vector<std::shared_ptr<Queue>> queues() const;

    Device m_device;
    SimOptions m_options;
    bool m_blocking; ///< CUDA_LAUNCH_BLOCKING=1
    int m_process;
    std::unique_ptr<Memory> m_memory;
    std::vector<std::unique_ptr<Memory>> m_lost;
    mutable std::mutex m_mutex; ///< of all below
    std::vector<std::shared_ptr<Queue>> m_queues;
    std::vector<Freed> m_freed;
    std::map<void*, std::size_t> m_alive;
    DeviceMemory m_figures;
    Index m_allocations = 0, m_launches = 0;
    std::string m_failure; ///< words of the sticky error
    std::atomic<bool> m_failed{false};
};

/// Host memory that the device copies without being waited for.
Allocator& pinnedAllocator();
bool isPinned(const void* data);

/// Those that are switched on, or empty. They are never destroyed: storages may outlive them.
const std::vector<SimDevice*>& devices();
/// Those that were switched off.
const std::vector<SimDevice*>& formerDevices();
/// The device that the kernels of the table are given to on this thread.
SimDevice& target();
void setTarget(SimDevice& device);
const KernelTable& simKernels();
/// The table whose kernels are queued.
const KernelTable& queuedKernels();

} // namespace stridescope::sim
