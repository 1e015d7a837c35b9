#pragma once
// Every CUDA call of the module goes through `check`, which names the call when it fails.

#include "core/backend/cuda/cuda_api.h"

#include <cuda_runtime_api.h>

namespace stridescope::cuda {

/// Reports to the program (which throws).
[[noreturn]] void report(const Failure& failure);
/// The same for an error of the runtime. Clears the runtime's last error first, so that the next call starts clean
/// unless the error is a sticky one.
[[noreturn]] void fail(cudaError_t error, const char* call);

inline void check(cudaError_t error, const char* call) {
    if (error != cudaSuccess) fail(error, call);
}

} // namespace stridescope::cuda
