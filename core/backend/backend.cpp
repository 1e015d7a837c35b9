#include "core/backend/backend.h"

#include "core/backend/cpu/cpu_allocator.h"
#include "core/backend/sim/sim.h"

#include <atomic>
#include <chrono>
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
    void copyFromHost(Device, void* destination, const void* source, std::size_t bytes, bool) override {
        copy(destination, source, bytes);
    }
    void copyToHost(Device, void* destination, const void* source, std::size_t bytes, bool) override {
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

namespace {

[[noreturn]] void refuseWithout(const Backend& backend, const char* what) {
    throwRefusal({ErrorKind::NotImplemented,
                  "DEV-09",
                  std::string(what) + " not implemented for " + backend.name() + " devices",
                  "The simulated device has them: see docs/devices.md.",
                  {}});
}

std::string reasonWithout(DeviceType type) {
    return type == DeviceType::Sim ? "no simulated device is switched on" : cudaUnavailableReason();
}

} // namespace

DeviceAbout Backend::about(Device) {
    refuseWithout(*this, "device properties");
}
DeviceMemory Backend::memory(Device) {
    refuseWithout(*this, "memory figures");
}
void Backend::resetPeak(Device) {
    refuseWithout(*this, "memory figures");
}
void Backend::setCurrentStream(Device, StreamId stream) {
    if (stream != 0) refuseWithout(*this, "streams besides the first");
}
void Backend::synchronizeStream(Device device, StreamId) {
    synchronize(device);
}
bool Backend::isStreamDone(Device device, StreamId) {
    synchronize(device);
    return true;
}

namespace {

/// Of a device with one queue: waits when it is recorded.
class WaitingEvent final : public DeviceEvent {
public:
    WaitingEvent(Backend& backend, Device device) : m_backend(backend), m_device(device) {}
    void record(StreamId) override {
        m_backend.synchronize(m_device);
        m_time = std::chrono::steady_clock::now();
    }
    void wait(StreamId) override {}
    bool query() const override { return true; }
    void synchronize() override {}
    bool isRecorded() const override { return m_time != std::chrono::steady_clock::time_point(); }
    double millisecondsTo(const DeviceEvent& end) const override {
        const auto& other = static_cast<const WaitingEvent&>(end);
        return std::chrono::duration<double, std::milli>(other.m_time - m_time).count();
    }

private:
    Backend& m_backend;
    Device m_device;
    std::chrono::steady_clock::time_point m_time;
};

} // namespace

std::unique_ptr<DeviceEvent> Backend::newEvent(Device device) {
    return std::make_unique<WaitingEvent>(*this, device);
}

Backend* backendOf(DeviceType type) {
    if (type == DeviceType::Cpu) return &cpuBackend();
    if (Backend* simulated = simBackend(type)) return simulated;
    return type == DeviceType::Cuda ? cudaBackend() : nullptr;
}

Backend& backendFor(Device device) {
    if (device.isCpu()) return cpuBackend();
    Backend* backend = backendOf(device.type);
    if (!backend) {
        const bool simulated = device.type == DeviceType::Sim;
        throwRefusal({ErrorKind::Device,
                      simulated ? "DEV-01" : "DEV-13", // an AssertionError in Python: no CUDA at all
                      toString(device) + " cannot be used: " + reasonWithout(device.type),
                      simulated ? "stridescope.sim.enable() switches it on: see docs/devices.md."
                                : "Use the cpu, or see `stridescope devices`.",
                      {}});
    }
    if (device.index >= backend->deviceCount())
        throwRefusal({ErrorKind::Device,
                      "DEV-01",
                      toString(device) + " cannot be used: there are " + std::to_string(backend->deviceCount()) + " " +
                          (device.type == DeviceType::Cuda ? "CUDA" : "simulated") + " devices, counted from 0",
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
    Backend* backend = backendOf(device.type);
    return backend && device.index < backend->deviceCount() ? &backend->kernels(device) : nullptr;
}

void throwNoKernel(const char* operation, DType dtype, Device device) {
    (void)backendFor(device); // a device that is not there is refused as such, whatever is asked of it
    throwRefusal({ErrorKind::NotImplemented,
                  "DEV-02",
                  "\"" + std::string(operation) + "\" not implemented for '" + std::string(name(dtype)) + "' on " +
                      toString(device),
                  "Move the tensor to the cpu, or convert it to another dtype.",
                  {}});
}

} // namespace stridescope
