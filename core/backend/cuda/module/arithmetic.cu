// Arithmetic of two elements, and of one.

#include "core/backend/cuda/module/queue.cuh"
#include "core/backend/cuda/module/tables.h"
#include "core/backend/grid/table.h"

namespace stridescope::cuda {

void bindArithmetic(KernelTable& table) {
    grid::bindBinary<CudaQueue>(table, OpList<Add, Sub, Mul, Div, Maximum, Minimum>{});
    grid::bindUnary<CudaQueue>(table, UnaryOps{});
    grid::bindMath<CudaQueue>(table, TernaryOps{});
}

} // namespace stridescope::cuda
