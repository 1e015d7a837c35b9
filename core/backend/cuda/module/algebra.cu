// Linear algebra and Fourier transforms: what surrounds cuSOLVER and cuFFT.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

namespace stridescope::cuda {

void bindAlgebra(KernelTable& table) {
    grid::bindAlgebra<CudaQueue>(table);
}

} // namespace stridescope::cuda
