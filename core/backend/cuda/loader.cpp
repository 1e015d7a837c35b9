#include "core/backend/cuda/loader.h"

#include "core/backend/cuda/cuda_backend.h"

#include <dlfcn.h>

namespace stridescope {

namespace {

struct Loaded {
    CudaProbe probe;
    cuda::CudaBackend* backend = nullptr; // never destroyed: storages may outlive main()
};

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
    static const cuda::HostCallbacks callbacks{cuda::throwFailure};
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
    loaded.backend = new cuda::CudaBackend(*api, count);
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
    if (const cuda::CudaBackend* backend = loaded().backend) backend->api().properties(index, &properties);
    return properties;
}

} // namespace stridescope
