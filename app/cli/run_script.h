#pragma once
// `stridescope run`: this process becomes Python.

#include "app/cli/command_line.h"

namespace stridescope {

/// Replaces this process by the interpreter, with the package first on its path: output, exit code, signals and
/// terminal are that Python's own. Returns only when it cannot, with exit code 127 after saying why on stderr.
int runScript(const RunRequest& request);

} // namespace stridescope
