#include "tests/support/host_grid/host_grid.h"

namespace stridescope::test {

void bindHostArithmetic(KernelTable& table) {
    grid::bindBinary<HostQueue>(table, BinaryOps{});
    grid::bindUnary<HostQueue>(table, UnaryOps{});
    grid::bindMath<HostQueue>(table, TernaryOps{});
    grid::bindMath<HostQueue>(table, CheapBinaryOps{});
}

} // namespace stridescope::test
