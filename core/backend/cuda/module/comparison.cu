// Comparison kernels. Two files share the binary operations so that they compile side by side.

#include "core/backend/cuda/module/bind.cuh"
#include "core/backend/cuda/module/elementwise.cuh"

namespace stridescope::cuda {

void bindComparison(KernelTable& table) {
    bindBinary<Eq, Ne, Lt, Le, Gt, Ge>(table);
}

} // namespace stridescope::cuda
