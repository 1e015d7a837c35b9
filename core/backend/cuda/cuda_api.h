#pragma once
// The border between the program and the CUDA module: one exported function, plain structs, one version number.
//
// The module is compiled apart and loaded at run time, so nothing but this file and the headers that it names may be
// shared. The module never throws by itself: it calls `fail`, which throws on the program's side of the border.

#include "core/backend/kernel_table.h"

#include <cstddef>

namespace stridescope::cuda {

/// Grows whenever anything below, the kernel table, its arguments or the operation lists change.
inline constexpr int kApiVersion = 3;

/// What went wrong on a device.
struct Failure {
    int code = 0;          ///< cudaError_t
    const char* call = ""; ///< "cudaMallocAsync"
    const char* text = ""; ///< the runtime's own words
    int device = 0;
    bool outOfMemory = false;
    std::size_t wanted = 0, free = 0, total = 0; ///< bytes; set when outOfMemory
};

struct DeviceProperties {
    char name[256] = {};
    int major = 0, minor = 0; ///< compute capability
    int multiprocessors = 0;
    std::size_t memoryBytes = 0;
};

struct HostCallbacks {
    void (*fail)(const Failure& failure); ///< does not return
};

struct Api {
    int version;
    int runtimeVersion;                   ///< 13000 for 13.0
    int (*deviceCount)(const char** why); ///< 0 and words when there is none
    void (*properties)(int device, DeviceProperties* out);
    void* (*allocate)(int device, std::size_t bytes); ///< stream-ordered, cached by the driver's pool
    void (*deallocate)(int device, void* data);
    void (*copyFromHost)(int device, void* to, const void* from, std::size_t bytes);
    void (*copyToHost)(int device, void* to, const void* from, std::size_t bytes);
    void (*copyPeer)(int toDevice, void* to, int fromDevice, const void* from, std::size_t bytes);
    bool (*canAccessPeer)(int device, int peer);
    void (*setZero)(int device, void* data, std::size_t bytes);
    void (*synchronize)(int device);
    void (*useDevice)(int device); ///< kernels of `table` then run on it
    const KernelTable* table;
};

/// Name and type of the exported function. Returns nullptr when the versions differ.
inline constexpr const char* kEntryPoint = "stridescope_cuda_api";
using EntryPoint = const Api* (*)(int version, const HostCallbacks* callbacks);

} // namespace stridescope::cuda
