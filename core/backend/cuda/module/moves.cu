// Copies, fills, index tensors, masks and order.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

template void stridescope::grid::convertElements<stridescope::cuda::CudaQueue>(stridescope::cuda::CudaQueue&,
                                                                               const Loops<2>&, std::byte*, DType,
                                                                               const std::byte*, DType);

namespace stridescope::cuda {

void bindMoves(KernelTable& table) {
    grid::bindMoves<CudaQueue>(table);
}

} // namespace stridescope::cuda
