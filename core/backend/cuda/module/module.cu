// The module's entry point: devices, memory, streams, and the table of kernels.

#include "core/backend/cuda/module/bind.cuh"
#include "core/backend/cuda/module/check.cuh"

#include <mutex>
#include <vector>

namespace stridescope::cuda {

namespace {

HostCallbacks g_callbacks{};

/// What is kept for each device once it has been used.
struct DeviceState {
    std::once_flag once;
    cudaStream_t stream = nullptr;
    int multiprocessors = 1;
};

std::vector<DeviceState>& states() {
    static auto* list = [] {
        int count = 0;
        if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
        return new std::vector<DeviceState>(
            static_cast<std::size_t>(count)); // never destroyed: storages may outlive main()
    }();
    return *list;
}

DeviceState& use(int device) {
    check(cudaSetDevice(device), "cudaSetDevice");
    DeviceState& state = states()[static_cast<std::size_t>(device)];
    std::call_once(state.once, [&state, device] {
        check(cudaStreamCreateWithFlags(&state.stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        check(cudaDeviceGetAttribute(&state.multiprocessors, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
        // Freed blocks stay in the pool: after warm-up an allocation asks the driver for nothing.
        cudaMemPool_t pool = nullptr;
        check(cudaDeviceGetDefaultMemPool(&pool, device), "cudaDeviceGetDefaultMemPool");
        std::uint64_t keep = UINT64_MAX;
        check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "cudaMemPoolSetAttribute");
    });
    return state;
}

int deviceCount(const char** why) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess) return count;
    cudaGetLastError();
    if (why) *why = cudaGetErrorString(error);
    return 0;
}

void properties(int device, DeviceProperties* out) {
    cudaDeviceProp known{};
    check(cudaGetDeviceProperties(&known, device), "cudaGetDeviceProperties");
    std::size_t length = 0;
    while (length + 1 < sizeof(out->name) && known.name[length]) {
        out->name[length] = known.name[length];
        ++length;
    }
    out->name[length] = '\0';
    out->major = known.major;
    out->minor = known.minor;
    out->multiprocessors = known.multiProcessorCount;
    out->memoryBytes = known.totalGlobalMem;
}

void* allocate(int device, std::size_t bytes) {
    if (bytes == 0) return nullptr;
    const DeviceState& state = use(device);
    void* data = nullptr;
    const cudaError_t error = cudaMallocAsync(&data, bytes, state.stream);
    if (error != cudaSuccess) fail(error, "cudaMallocAsync", bytes);
    return data;
}

void deallocate(int device, void* data) {
    // Runs in destructors, so a failure (a dead device) is left to the next call that can report it.
    if (data && cudaSetDevice(device) == cudaSuccess) {
        cudaFreeAsync(data, states()[static_cast<std::size_t>(device)].stream);
    }
}

void copyFromHost(int device, void* to, const void* from, std::size_t bytes) {
    const DeviceState& state = use(device);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, state.stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(state.stream), "cudaStreamSynchronize");
}

void copyToHost(int device, void* to, const void* from, std::size_t bytes) {
    const DeviceState& state = use(device);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, state.stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(state.stream), "cudaStreamSynchronize");
}

void copyPeer(int toDevice, void* to, int fromDevice, const void* from, std::size_t bytes) {
    const DeviceState& source = use(fromDevice);
    check(cudaStreamSynchronize(source.stream), "cudaStreamSynchronize");
    const DeviceState& target = use(toDevice);
    check(cudaMemcpyPeerAsync(to, toDevice, from, fromDevice, bytes, target.stream), "cudaMemcpyPeerAsync");
    check(cudaStreamSynchronize(target.stream), "cudaStreamSynchronize");
}

bool canAccessPeer(int device, int peer) {
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, device, peer), "cudaDeviceCanAccessPeer");
    return can != 0;
}

void setZero(int device, void* data, std::size_t bytes) {
    check(cudaMemsetAsync(data, 0, bytes, use(device).stream), "cudaMemsetAsync");
}

void synchronize(int device) {
    check(cudaStreamSynchronize(use(device).stream), "cudaStreamSynchronize");
}

void useDevice(int device) {
    use(device);
}

int currentDevice() {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    return device;
}

const KernelTable& kernels() {
    static const KernelTable table = [] {
        KernelTable t;
        t.backend = "cuda";
        bindArithmetic(t);
        bindComparison(t);
        bindUnaryAndCopies(t);
        return t;
    }();
    return table;
}

} // namespace

void fail(cudaError_t error, const char* call, std::size_t wantedBytes) {
    Failure failure;
    failure.code = static_cast<int>(error);
    failure.call = call;
    failure.text = cudaGetErrorString(error);
    cudaGetLastError();
    if (cudaGetDevice(&failure.device) != cudaSuccess) failure.device = 0;
    if (error == cudaErrorMemoryAllocation) {
        failure.outOfMemory = true;
        failure.wanted = wantedBytes;
        if (cudaMemGetInfo(&failure.free, &failure.total) != cudaSuccess) cudaGetLastError();
    }
    g_callbacks.fail(failure);
    __builtin_unreachable();
}

cudaStream_t currentStream() {
    return use(currentDevice()).stream;
}
int currentMultiprocessors() {
    return use(currentDevice()).multiprocessors;
}

} // namespace stridescope::cuda

extern "C" __attribute__((visibility("default"))) const stridescope::cuda::Api*
stridescope_cuda_api(int version, const stridescope::cuda::HostCallbacks* callbacks) {
    using namespace stridescope::cuda;
    if (version != kApiVersion || !callbacks) return nullptr;
    g_callbacks = *callbacks;
    static const Api api{kApiVersion, CUDART_VERSION, deviceCount,   properties, allocate,    deallocate, copyFromHost,
                         copyToHost,  copyPeer,       canAccessPeer, setZero,    synchronize, useDevice,  &kernels()};
    return &api;
}
