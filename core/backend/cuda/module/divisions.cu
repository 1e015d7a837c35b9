// Divisions, powers and functions of two floats.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

namespace stridescope::cuda {

void bindDivisions(KernelTable& table) {
    grid::bindMath<CudaQueue>(table, SlowBinaryOps{});
    grid::bindMath<CudaQueue>(table, DivisionOps{});
    grid::bindMath<CudaQueue>(table, FloatBinaryOps{});
}

} // namespace stridescope::cuda
