// Cheap operations on elements of any type.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

namespace stridescope::cuda {

void bindCheap(KernelTable& table) {
    grid::bindMath<CudaQueue>(table, CheapUnaryOps{});
    grid::bindMath<CudaQueue>(table, CheapBinaryOps{});
}

} // namespace stridescope::cuda
