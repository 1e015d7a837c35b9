#pragma once
// Parts of the host's table of grid kernels, compiled side by side.

#include "core/backend/grid/table.h"
#include "tests/support/host_grid/host_queue.h"

namespace stridescope::test {

void bindHostArithmetic(KernelTable& table);
void bindHostMathematics(KernelTable& table);
void bindHostSpecial(KernelTable& table);
void bindHostFolds(KernelTable& table);
void bindHostAlgebra(KernelTable& table);

} // namespace stridescope::test
