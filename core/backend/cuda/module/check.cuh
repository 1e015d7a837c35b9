#pragma once
// Every CUDA call of the module goes through `check`, which names the call when it fails.

#include "core/backend/cuda/cuda_api.h"

#include <cuda_runtime.h>

namespace stridescope::cuda {

/// Reports to the program (which throws). Clears the runtime's last error first, so that the next call starts clean
/// unless the error is a sticky one.
[[noreturn]] void fail(cudaError_t error, const char* call, std::size_t wantedBytes = 0);

inline void check(cudaError_t error, const char* call) {
    if (error != cudaSuccess) fail(error, call);
}

/// The stream in which all work of the current device is queued.
cudaStream_t currentStream();
/// Multiprocessors of the current device.
int currentMultiprocessors();

} // namespace stridescope::cuda
