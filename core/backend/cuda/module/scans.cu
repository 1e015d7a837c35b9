// Scans, softmax, products of integers, random numbers.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

namespace stridescope::cuda {

void bindScans(KernelTable& table) {
    grid::bindScans<CudaQueue>(table);
}

} // namespace stridescope::cuda
