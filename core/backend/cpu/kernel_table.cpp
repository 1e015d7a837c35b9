#include "core/backend/kernel_table.h"

#include "core/backend/cpu/cpu_kernels.h"
#include "core/backend/cpu/fourier_kernel.h"
#include "core/backend/cpu/gemm.h"
#include "core/backend/cpu/index_kernels.h"
#include "core/backend/cpu/lapack.h"
#include "core/backend/cpu/mask_kernels.h"
#include "core/backend/cpu/philox_kernel.h"
#include "core/backend/cpu/reduce_kernels.h"
#include "core/backend/cpu/sort_kernels.h"

namespace stridescope {

const KernelTable& cpuKernels() {
    static const KernelTable table = [] {
        KernelTable t;
        t.backend = "cpu";
        cpu::bindElementwise(t);
        t.copy = cpu::copyKernel;
        t.fill = cpu::fillKernel;
        t.fold = cpu::foldKernel;
        t.extremum = cpu::extremumKernel;
        t.scan = cpu::scanKernel;
        t.indexed = cpu::indexed;
        t.mask = {cpu::countMask, cpu::selectMasked, cpu::scatterMasked, cpu::fillMasked,
                  cpu::choose,    cpu::countNonzero, cpu::findNonzero,   cpu::holdsOnlyBits};
        t.order = cpu::orderKernel;
        t.place = cpu::placeKernel;
        t.products = cpu::products;
        t.random = cpu::philoxKernel;
        cpu::bindLinalg(t);
        t.fourier = cpu::fourier;
        return t;
    }();
    return table;
}

} // namespace stridescope
