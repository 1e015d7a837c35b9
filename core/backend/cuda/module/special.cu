// Special functions.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

namespace stridescope::cuda {

void bindSpecial(KernelTable& table) {
    grid::bindMath<CudaQueue>(table, SpecialUnaryOps{});
    grid::bindMath<CudaQueue>(table, BesselOps{});
    grid::bindMath<CudaQueue>(table, DistributionOps{});
    grid::bindMath<CudaQueue>(table, PolynomialOps{});
}

} // namespace stridescope::cuda
