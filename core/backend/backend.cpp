#include "core/backend/backend.h"

#include "core/backend/cpu/cpu_allocator.h"

#include <atomic>
#include <cstring>

namespace stridescope {

namespace {

std::atomic<Allocator*> g_cpuAllocator{nullptr};

class CpuBackend final : public Backend {
public:
    const char* name() const override { return "cpu"; }
    int deviceCount() const override { return 1; }
    Allocator& allocator(Device device) override { return allocatorFor(device); }
    const KernelTable& kernels(Device) override { return cpuKernels(); }
    void copyFromHost(Device, void* destination, const void* source, std::size_t bytes) override {
        copy(destination, source, bytes);
    }
    void copyToHost(Device, void* destination, const void* source, std::size_t bytes) override {
        copy(destination, source, bytes);
    }
    void copyBetween(Device, void* destination, Device, const void* source, std::size_t bytes) override {
        copy(destination, source, bytes);
    }
    void synchronize(Device) override {}

private:
    static void copy(void* destination, const void* source, std::size_t bytes) {
        if (bytes != 0) std::memmove(destination, source, bytes);
    }
};

} // namespace

Backend& cpuBackend() {
    static CpuBackend* backend = new CpuBackend; // never destroyed: storages may outlive main()
    return *backend;
}

Backend& backendFor(Device device) {
    if (device.isCpu()) return cpuBackend();
    Backend* backend = cudaBackend();
    if (!backend)
        throwRefusal({ErrorKind::Device,
                      "DEV-01",
                      toString(device) + " cannot be used: " + cudaUnavailableReason(),
                      "Use the cpu, or see `stridescope devices`.",
                      {}});
    if (device.index >= backend->deviceCount())
        throwRefusal({ErrorKind::Device,
                      "DEV-01",
                      toString(device) + " cannot be used: there are " + std::to_string(backend->deviceCount()) +
                          " CUDA devices, counted from 0",
                      "See `stridescope devices`.",
                      {}});
    return *backend;
}

Allocator& allocatorFor(Device device) {
    if (!device.isCpu()) return backendFor(device).allocator(device);
    Allocator* chosen = g_cpuAllocator.load(std::memory_order_acquire);
    return chosen ? *chosen : cpuAllocator();
}

void setCpuAllocator(Allocator* allocator) {
    g_cpuAllocator.store(allocator, std::memory_order_release);
}

const KernelTable* kernelsFor(Device device) {
    if (device.isCpu()) return &cpuKernels();
    Backend* backend = cudaBackend();
    return backend && device.index < backend->deviceCount() ? &backend->kernels(device) : nullptr;
}

void throwNoKernel(const char* operation, DType dtype, Device device) {
    throwRefusal({ErrorKind::NotImplemented,
                  "DEV-02",
                  "\"" + std::string(operation) + "\" not implemented for '" + std::string(name(dtype)) + "' on " +
                      toString(device),
                  "Move the tensor to the cpu, or convert it to another dtype.",
                  {}});
}

} // namespace stridescope
