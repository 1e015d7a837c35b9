#pragma once
// Backend: everything that the library needs of one kind of device.

#include "core/backend/kernel_table.h"
#include "core/storage/storage.h"

#include <string>

namespace stridescope {

class Backend {
public:
    virtual ~Backend() = default;
    virtual const char* name() const = 0;
    virtual int deviceCount() const = 0;
    /// Precondition for all below: 0 <= device.index < deviceCount().
    virtual Allocator& allocator(Device device) = 0;
    virtual const KernelTable& kernels(Device device) = 0;
    /// Copies bytes between host and device or within the device; `device` names the device side. Returns when the
    /// bytes have arrived.
    virtual void copyFromHost(Device device, void* destination, const void* source, std::size_t bytes) = 0;
    virtual void copyToHost(Device device, void* destination, const void* source, std::size_t bytes) = 0;
    virtual void copyBetween(Device to, void* destination, Device from, const void* source, std::size_t bytes) = 0;
    /// Returns when all work given to the device is done.
    virtual void synchronize(Device device) = 0;
};

/// The CPU, always there.
Backend& cpuBackend();
/// The CUDA module, loaded at the first call; nullptr when there is none or it has no device, and
/// `cudaUnavailableReason()` says why in words. Defined by the loader (core/backend/cuda/loader.cpp).
Backend* cudaBackend();
std::string cudaUnavailableReason();

/// The backend of `device`. @throws DeviceError (DEV-01) naming the device and the reason why it is missing.
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
/// @throws NotImplementedError (DEV-02) naming operation, dtype and device.
[[noreturn]] void throwNoKernel(const char* operation, DType dtype, Device device);

} // namespace stridescope
