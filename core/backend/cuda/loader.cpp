#include "core/backend/cuda/loader.h"

#include "core/backend/backend.h"

#include <dlfcn.h>
#include <memory>
#include <vector>

namespace stridescope {

namespace {

class CudaAllocator final : public Allocator {
public:
    CudaAllocator(const cuda::Api& api, int index) : m_api(api), m_index(index) {}
    Device device() const override { return {DeviceType::Cuda, static_cast<std::int8_t>(m_index)}; }
    void* allocate(std::size_t bytes) override { return m_api.allocate(m_index, bytes); }
    void* allocateZeroed(std::size_t bytes) override {
        void* const data = allocate(bytes);
        if (bytes != 0) m_api.setZero(m_index, data, bytes);
        return data;
    }
    void deallocate(void* data, std::size_t) noexcept override { m_api.deallocate(m_index, data); }
    const char* kind() const override { return "cuda"; }

private:
    const cuda::Api& m_api;
    int m_index;
};

class CudaBackend final : public Backend {
public:
    CudaBackend(const cuda::Api& api, int count) : m_api(api) {
        for (int i = 0; i < count; ++i) m_allocators.push_back(std::make_unique<CudaAllocator>(api, i));
    }
    const cuda::Api& api() const { return m_api; }
    const char* name() const override { return "cuda"; }
    int deviceCount() const override { return static_cast<int>(m_allocators.size()); }
    Allocator& allocator(Device device) override { return *m_allocators[static_cast<std::size_t>(device.index)]; }
    const KernelTable& kernels(Device device) override {
        m_api.useDevice(device.index);
        return *m_api.table;
    }
    void copyFromHost(Device device, void* destination, const void* source, std::size_t bytes, bool) override {
        if (bytes) m_api.copyFromHost(device.index, destination, source, bytes);
    }
    void copyToHost(Device device, void* destination, const void* source, std::size_t bytes, bool) override {
        if (bytes) m_api.copyToHost(device.index, destination, source, bytes);
    }
    void copyBetween(Device to, void* destination, Device from, const void* source, std::size_t bytes) override {
        if (bytes) m_api.copyPeer(to.index, destination, from.index, source, bytes);
    }
    DeviceAbout about(Device device) override {
        cuda::DeviceProperties found;
        m_api.properties(device.index, &found);
        return {found.name, false, found.memoryBytes, found.major, found.minor, found.multiprocessors};
    }
    bool canAccessPeer(Device from, Device to) override {
        return from != to && m_api.canAccessPeer(from.index, to.index);
    }
    void synchronize(Device device) override { m_api.synchronize(device.index); }

private:
    const cuda::Api& m_api;
    std::vector<std::unique_ptr<CudaAllocator>> m_allocators;
};

struct Loaded {
    CudaProbe probe;
    CudaBackend* backend = nullptr; // never destroyed: storages may outlive main()
};

[[noreturn]] void throwFailure(const cuda::Failure& failure) {
    throwRefusal(cuda::refusalOf(failure));
}

void refuseModule(CudaProbe& probe, CudaState state, const std::string& found, const char* remedy) {
    probe.state = state;
    probe.reason = "the CUDA module cannot be used: " + found;
    probe.remedy = remedy;
    probe.checks.push_back({"CUDA module", false, found});
}

Loaded load() {
    Loaded loaded;
    CudaProbe& probe = loaded.probe;
    probe = probeCuda();
    if (probe.state != CudaState::Ready) return loaded;
    void* library = dlopen(probe.modulePath.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* why = dlerror();
        refuseModule(probe, CudaState::ModuleMissing, why ? why : "it cannot be loaded",
                     "Install the libraries that the message names.");
        return loaded;
    }
    const auto entry = reinterpret_cast<cuda::EntryPoint>(dlsym(library, cuda::kEntryPoint));
    static const cuda::HostCallbacks callbacks{throwFailure};
    const cuda::Api* api = entry ? entry(cuda::kApiVersion, &callbacks) : nullptr;
    if (!api) {
        refuseModule(probe, CudaState::ModuleRefused, "it was built for another version of Stridescope",
                     "Install program and module of the same build.");
        return loaded;
    }
    const char* why = nullptr;
    const int count = api->deviceCount(&why);
    if (count == 0) {
        refuseModule(probe, CudaState::ModuleRefused, why ? why : "the CUDA runtime finds no device",
                     "Check with `nvidia-smi` that driver and GPU work.");
        return loaded;
    }
    probe.deviceCount = count;
    loaded.backend = new CudaBackend(*api, count);
    return loaded;
}

const Loaded& loaded() {
    static const Loaded once = load();
    return once;
}

} // namespace

const CudaProbe& cudaProbe() {
    return loaded().probe;
}

Backend* cudaBackend() {
    return loaded().backend;
}

std::string cudaUnavailableReason() {
    return loaded().probe.reason;
}

cuda::DeviceProperties cudaDeviceProperties(int index) {
    cuda::DeviceProperties properties;
    if (const CudaBackend* backend = loaded().backend) backend->api().properties(index, &properties);
    return properties;
}

namespace cuda {

Refusal refusalOf(const Failure& failure) {
    const std::string device = "cuda:" + std::to_string(failure.device);
    if (failure.outOfMemory) {
        Refusal refusal;
        refusal.kind = ErrorKind::Memory;
        refusal.id = "DEV-05";
        refusal.message = "CUDA out of memory on " + device + ": needs " + std::to_string(failure.wanted) +
                          " bytes, free " + std::to_string(failure.free) + " of " + std::to_string(failure.total);
        refusal.hint = "Delete tensors on that device, or use a smaller size. Nothing was changed.";
        refusal.detail = BytesExceeded{static_cast<Index>(failure.wanted), static_cast<Index>(failure.free)};
        return refusal;
    }
    Refusal refusal;
    refusal.kind = ErrorKind::Device;
    refusal.id = "DEV-04";
    refusal.message = "CUDA error on " + device + ": " + failure.text + " (" + failure.call + ", code " +
                      std::to_string(failure.code) + ")";
    refusal.hint = "If the next call fails as well, the device must be given up: start the program again.";
    return refusal;
}

} // namespace cuda

} // namespace stridescope
