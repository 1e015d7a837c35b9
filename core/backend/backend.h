#pragma once
// Backend: everything that the library needs of one kind of device.

#include "core/backend/kernel_table.h"
#include "core/storage/storage.h"

#include <cstdint>
#include <memory>
#include <string>

namespace stridescope {

/// A queue of a device, whose work is done in the order in which it was given. 0 is always there.
using StreamId = std::uint32_t;

struct DeviceMemory {
    std::size_t allocated = 0; ///< bytes of storages that are alive
    std::size_t peak = 0;      ///< the most so far, or since the last resetPeak
    std::size_t free = 0, total = 0;
    std::uint64_t allocations = 0;
};

struct DeviceAbout {
    std::string name;
    bool simulated = false;
    std::size_t memoryBytes = 0;
    int major = 0, minor = 0; ///< compute capability
    int multiprocessors = 0;
};

/// A mark between what a queue was given before and after it.
class DeviceEvent {
public:
    virtual ~DeviceEvent() = default;
    virtual void record(StreamId stream) = 0;
    /// What `stream` is given from now on waits for the mark; the caller does not.
    virtual void wait(StreamId stream) = 0;
    /// Is what was given before the mark done? True before record().
    virtual bool query() const = 0;
    virtual void synchronize() = 0;
    virtual bool isRecorded() const = 0;
    /// From this mark to that one. Precondition: both are recorded and done.
    virtual double millisecondsTo(const DeviceEvent& end) const = 0;
};

class Backend {
public:
    virtual ~Backend() = default;
    virtual const char* name() const = 0;
    virtual int deviceCount() const = 0;
    /// Precondition for all below: 0 <= device.index < deviceCount().
    virtual Allocator& allocator(Device device) = 0;
    virtual const KernelTable& kernels(Device device) = 0;
    /// Copies bytes between host and device or within the device; `device` names the device side. Returns when the
    /// bytes have arrived; `mayReturnEarly`: at once, if the host's side is pinned memory.
    virtual void copyFromHost(Device device, void* destination, const void* source, std::size_t bytes,
                              bool mayReturnEarly) = 0;
    virtual void copyToHost(Device device, void* destination, const void* source, std::size_t bytes,
                            bool mayReturnEarly) = 0;
    /// In the order of both devices' queues; does not wait.
    virtual void copyBetween(Device to, void* destination, Device from, const void* source, std::size_t bytes) = 0;
    /// Returns when all work given to the device is done.
    virtual void synchronize(Device device) = 0;

    // A backend that does not have what follows refuses it (DEV-09), or has one queue: every stream is that one.
    virtual DeviceAbout about(Device device);
    virtual DeviceMemory memory(Device device);
    virtual void resetPeak(Device device);
    /// Can `from` read and write the memory of `to`, another device, by itself? Copies between them work either way.
    virtual bool canAccessPeer(Device, Device) { return false; }
    /// Host memory that copies need not be waited for; nullptr: none.
    virtual Allocator* pinnedAllocator() { return nullptr; }
    virtual StreamId newStream(Device) { return 0; }
    /// The queue that this thread's work on the device goes to.
    virtual StreamId currentStream(Device) { return 0; }
    virtual void setCurrentStream(Device device, StreamId stream);
    virtual void synchronizeStream(Device device, StreamId stream);
    virtual bool isStreamDone(Device device, StreamId stream);
    virtual std::unique_ptr<DeviceEvent> newEvent(Device device);
};

/// The CPU, always there.
Backend& cpuBackend();
/// The CUDA module, loaded at the first call; nullptr when there is none or it has no device, and
/// `cudaUnavailableReason()` says why in words. Defined by the loader (core/backend/cuda/loader.cpp).
Backend* cudaBackend();
std::string cudaUnavailableReason();

/// That of a kind of device; nullptr when there is none. Cuda is the simulated one while a lesson maps it so.
Backend* backendOf(DeviceType type);
/// The backend of `device`. @throws DeviceError (DEV-01; DEV-13 without any CUDA) naming it and why it is missing.
Backend& backendFor(Device device);
/// Where the bytes of new tensors on `device` come from. @throws as backendFor.
Allocator& allocatorFor(Device device);
/// Takes new CPU tensors from `allocator` (a shared memory segment, say); nullptr: from the caching one again.
void setCpuAllocator(Allocator* allocator);
/// The kernels of `device`, or nullptr when there is no such device. Never those of another device.
const KernelTable* kernelsFor(Device device);
/// The same for a device that has tensors. What is called next on this thread goes to it. @throws as backendFor.
inline const KernelTable& kernelTable(Device device) {
    return device.isCpu() ? cpuKernels() : backendFor(device).kernels(device);
}
/// @throws NotImplementedError (DEV-02) naming operation, dtype and device; as backendFor for one that is not there.
[[noreturn]] void throwNoKernel(const char* operation, DType dtype, Device device);

} // namespace stridescope
