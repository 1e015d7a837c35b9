// Comparisons.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

namespace stridescope::cuda {

void bindComparisons(KernelTable& table) {
    grid::bindBinary<CudaQueue>(table, OpList<Eq, Ne, Lt, Le, Gt, Ge>{});
}

} // namespace stridescope::cuda
