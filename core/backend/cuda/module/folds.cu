// Reductions.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

namespace stridescope::cuda {

void bindFolds(KernelTable& table) {
    grid::bindFolds<CudaQueue>(table);
}

} // namespace stridescope::cuda
