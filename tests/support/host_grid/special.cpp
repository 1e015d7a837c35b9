#include "tests/support/host_grid/host_grid.h"

namespace stridescope::test {

void bindHostSpecial(KernelTable& table) {
    grid::bindMath<HostQueue>(table, SpecialUnaryOps{});
    grid::bindMath<HostQueue>(table, BesselOps{});
    grid::bindMath<HostQueue>(table, DistributionOps{});
    grid::bindMath<HostQueue>(table, SlowBinaryOps{});
    grid::bindMath<HostQueue>(table, DivisionOps{});
    grid::bindMath<HostQueue>(table, FloatBinaryOps{});
    grid::bindMath<HostQueue>(table, PolynomialOps{});
}

} // namespace stridescope::test
