#pragma once
// The border between the program and the CUDA module: one exported function, plain structs, one version number.
//
// The module is compiled apart and loaded at run time, so nothing but this file and the headers that it names may be
// shared. The module never throws by itself: it calls `fail`, which throws on the program's side of the border.

#include "core/backend/kernel_table.h"

#include <cstddef>
#include <cstdint>

namespace stridescope::cuda {

/// Grows whenever anything below, the kernel table, its arguments or the operation lists change.
inline constexpr int kApiVersion = 5;

/// What went wrong on a device.
struct Failure {
    int code = 0;          ///< cudaError_t, or the library's own status
    const char* call = ""; ///< "cudaMallocAsync"
    const char* text = ""; ///< the runtime's own words
    int device = 0;
    bool outOfMemory = false;
    std::size_t wanted = 0, free = 0, total = 0; ///< bytes; set when outOfMemory
    const char* missingLibrary = nullptr;        ///< a file of NVIDIA's that cannot be loaded; `text` says why
    bool complexAsked = false;                   ///< something for real numbers was asked of a complex dtype
};

struct DeviceProperties {
    char name[256] = {};
    int major = 0, minor = 0; ///< compute capability
    int multiprocessors = 0;
    std::size_t memoryBytes = 0;
};

struct MemoryFigures {
    std::size_t allocated = 0, peak = 0, free = 0, total = 0;
    std::uint64_t allocations = 0;
};

struct HostCallbacks {
    void (*fail)(const Failure& failure); ///< does not return
};

/// Streams are numbers of a device, 0 being there always; events are the module's own.
struct Api {
    int version;
    int runtimeVersion;                   ///< 13000 for 13.0
    int (*deviceCount)(const char** why); ///< 0 and words when there is none
    void (*properties)(int device, DeviceProperties* out);

    void* (*allocate)(int device, std::size_t bytes); ///< in the order of the current stream
    void (*deallocate)(int device, void* data, std::size_t bytes);
    void (*setZero)(int device, void* data, std::size_t bytes);
    void (*memory)(int device, MemoryFigures* out);
    void (*resetPeak)(int device);
    void* (*allocatePinned)(std::size_t bytes);
    void (*deallocatePinned)(void* data); ///< waits for what is queued on all devices

    /// `early`: returns at once where the host's side is pinned.
    void (*copyFromHost)(int device, void* to, const void* from, std::size_t bytes, bool early);
    void (*copyToHost)(int device, void* to, const void* from, std::size_t bytes, bool early);
    void (*copyPeer)(int toDevice, void* to, int fromDevice, const void* from, std::size_t bytes);
    bool (*canAccessPeer)(int device, int peer);

    void (*synchronize)(int device);
    std::uint32_t (*newStream)(int device);
    std::uint32_t (*currentStream)(int device);
    void (*setCurrentStream)(int device, std::uint32_t stream);
    void (*synchronizeStream)(int device, std::uint32_t stream);
    bool (*isStreamDone)(int device, std::uint32_t stream);

    void* (*newEvent)(int device);
    void (*deleteEvent)(void* event);
    void (*recordEvent)(void* event, std::uint32_t stream);
    void (*waitEvent)(void* event, std::uint32_t stream);
    bool (*queryEvent)(void* event);
    void (*synchronizeEvent)(void* event);
    double (*millisecondsBetween)(void* begin, void* end);

    void (*useDevice)(int device); ///< kernels of `table` then run on it, in the current stream of the thread
    const KernelTable* table;
};

/// Name and type of the exported function. Returns nullptr when the versions differ.
inline constexpr const char* kEntryPoint = "stridescope_cuda_api";
using EntryPoint = const Api* (*)(int version, const HostCallbacks* callbacks);

} // namespace stridescope::cuda
