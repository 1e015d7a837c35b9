#pragma once
// `stridescope bench`: times without a window.

#include "app/cli/command_line.h"

namespace stridescope {

/// Table on stdout, progress on stderr where that is a terminal. Gives the exit code. For statements of Python this
/// process becomes Python and does not return.
int runBench(const BenchRequest& request);

} // namespace stridescope
