#pragma once
// Loads the CUDA module when a device is first asked for.

#include "core/backend/cuda/cuda_api.h"
#include "core/backend/cuda/probe.h"

namespace stridescope {

/// The probe of this process, made at the first call together with the attempt to load the module. Thread-safe.
const CudaProbe& cudaProbe();

/// Properties of a device. Precondition: cudaProbe().state is Ready and 0 <= index < its deviceCount.
cuda::DeviceProperties cudaDeviceProperties(int index);

} // namespace stridescope
