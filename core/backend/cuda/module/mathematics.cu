// Mathematical functions of one float.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

namespace stridescope::cuda {

void bindMathematics(KernelTable& table) {
    grid::bindMath<CudaQueue>(table, FloatUnaryOps{});
    grid::bindMath<CudaQueue>(table, CheapFloatOps{});
}

} // namespace stridescope::cuda
