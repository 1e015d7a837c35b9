// Copies, fills, index tensors, masks and order.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

namespace stridescope::cuda {

void bindMoves(KernelTable& table) {
    grid::bindMoves<CudaQueue>(table);
}

} // namespace stridescope::cuda
