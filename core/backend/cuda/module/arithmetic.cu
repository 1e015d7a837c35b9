// Arithmetic kernels. Two files share the binary operations so that they compile side by side.

#include "core/backend/cuda/module/bind.cuh"
#include "core/backend/cuda/module/elementwise.cuh"

namespace stridescope::cuda {

void bindArithmetic(KernelTable& table) {
    bindBinary<Add, Sub, Mul, Div, Maximum, Minimum>(table);
}

} // namespace stridescope::cuda
