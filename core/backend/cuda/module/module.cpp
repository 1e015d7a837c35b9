// The module's entry point: devices, memory, streams, and the table of kernels.

#include "core/backend/cuda/module/copies.h"
#include "core/backend/cuda/module/devices.h"
#include "core/backend/cuda/module/events.h"
#include "core/backend/cuda/module/pinned.h"
#include "core/backend/cuda/module/tables.h"

#include <cstdlib>

namespace stridescope {

void throwComplexNotImplemented(DType) {
    cuda::Failure failure;
    failure.complexAsked = true;
    cuda::report(failure);
}

namespace cuda {

namespace {

HostCallbacks g_callbacks{};

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
    return use(device).allocate(bytes);
}

void deallocate(int device, void* data, std::size_t bytes) {
    if (DeviceState* state = data ? openDevice(device) : nullptr) state->deallocate(data, bytes);
}

void setZero(int device, void* data, std::size_t bytes) {
    check(cudaMemsetAsync(data, 0, bytes, use(device).current()), "cudaMemsetAsync");
}

void memory(int device, MemoryFigures* out) {
    use(device).figures(*out);
}

void resetPeak(int device) {
    use(device).resetPeak();
}

bool canAccessPeer(int device, int peer) {
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, device, peer), "cudaDeviceCanAccessPeer");
    return can != 0;
}

void synchronize(int device) {
    use(device).synchronize();
}

StreamNumber newStream(int device) {
    return use(device).addStream();
}

StreamNumber currentStream(int device) {
    return use(device).currentNumber();
}

void setCurrentStream(int device, StreamNumber stream) {
    use(device).setCurrent(stream);
}

void synchronizeStream(int device, StreamNumber stream) {
    check(cudaStreamSynchronize(use(device).stream(stream)), "cudaStreamSynchronize");
}

bool isStreamDone(int device, StreamNumber stream) {
    const cudaError_t error = cudaStreamQuery(use(device).stream(stream));
    if (error == cudaErrorNotReady) {
        cudaGetLastError();
        return false;
    }
    check(error, "cudaStreamQuery");
    return true;
}

void useDevice(int device) {
    (void)use(device);
}

const KernelTable& kernels() {
    static const KernelTable table = [] {
        KernelTable t;
        t.backend = "cuda";
        bindArithmetic(t);
        bindComparisons(t);
        bindMathematics(t);
        bindCheap(t);
        bindSpecial(t);
        bindDivisions(t);
        bindMoves(t);
        bindFolds(t);
        bindScans(t);
        bindAlgebra(t);
        return t;
    }();
    return table;
}

} // namespace

void report(const Failure& failure) {
    g_callbacks.fail(failure);
    std::abort(); // not reached: `fail` throws
}

void fail(cudaError_t error, const char* call) {
    Failure failure;
    failure.code = static_cast<int>(error);
    failure.call = call;
    failure.text = cudaGetErrorString(error);
    cudaGetLastError();
    if (cudaGetDevice(&failure.device) != cudaSuccess) failure.device = 0;
    if (error == cudaErrorMemoryAllocation) {
        failure.outOfMemory = true;
        if (cudaMemGetInfo(&failure.free, &failure.total) != cudaSuccess) cudaGetLastError();
    }
    report(failure);
}

} // namespace cuda

} // namespace stridescope

extern "C" __attribute__((visibility("default"))) const stridescope::cuda::Api*
stridescope_cuda_api(int version, const stridescope::cuda::HostCallbacks* callbacks) {
    using namespace stridescope::cuda;
    if (version != kApiVersion || !callbacks) return nullptr;
    g_callbacks = *callbacks;
    static const Api api{kApiVersion,  CUDART_VERSION, countDevices,     properties,
                         allocate,     deallocate,     setZero,          memory,
                         resetPeak,    allocatePinned, deallocatePinned, copyFromHost,
                         copyToHost,   copyPeer,       canAccessPeer,    synchronize,
                         newStream,    currentStream,  setCurrentStream, synchronizeStream,
                         isStreamDone, newEvent,       deleteEvent,      recordEvent,
                         waitEvent,    queryEvent,     synchronizeEvent, millisecondsBetween,
                         useDevice,    &kernels()};
    return &api;
}
