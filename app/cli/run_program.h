#pragma once
// The program as a function: main() only calls it.

namespace stridescope {

/// Exit code: 0 done, 1 refused, 2 wrong arguments, 3 no display. `run` ends with its script's, or 127.
int runProgram(int argc, char** argv);

} // namespace stridescope
