#include "tests/support/host_grid/host_grid.h"

namespace stridescope::test {

void bindHostFolds(KernelTable& table) {
    grid::bindFolds<HostQueue>(table);
    grid::bindScans<HostQueue>(table);
}

} // namespace stridescope::test
