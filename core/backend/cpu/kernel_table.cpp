#include "core/backend/kernel_table.h"

#include "core/backend/cpu/cpu_kernels.h"

namespace stridescope {

const KernelTable& cpuKernels() {
    static const KernelTable table = [] {
        KernelTable t;
        t.backend = "cpu";
        cpu::bindElementwise(t);
        t.copy = cpu::copyKernel;
        t.fill = cpu::fillKernel;
        return t;
    }();
    return table;
}

} // namespace stridescope
