#include "tests/support/host_grid/host_grid.h"

namespace stridescope::test {

void bindHostMathematics(KernelTable& table) {
    grid::bindMath<HostQueue>(table, FloatUnaryOps{});
    grid::bindMath<HostQueue>(table, CheapFloatOps{});
    grid::bindMath<HostQueue>(table, CheapUnaryOps{});
}

} // namespace stridescope::test
