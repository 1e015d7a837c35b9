#pragma once
// The parts of the CPU's kernel table.

#include "core/backend/kernel_table.h"

namespace stridescope::cpu {

inline Index item(DType t) {
    return static_cast<Index>(itemSize(t));
}

void bindElementwise(KernelTable& table);
void copyKernel(const ElementwiseArgs& args);
void fillKernel(const ElementwiseArgs& args, const void* value);

} // namespace stridescope::cpu
