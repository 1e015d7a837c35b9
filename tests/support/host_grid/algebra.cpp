#include "tests/support/host_grid/host_grid.h"

namespace stridescope::test {

void bindHostAlgebra(KernelTable& table) {
    grid::bindAlgebra<HostQueue>(table);
}

} // namespace stridescope::test
