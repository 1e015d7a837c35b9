#pragma once
// The program as a function: main() only calls it.

namespace stridescope {

/// Exit code: 0 done, 1 refused, 2 wrong arguments, 3 no display.
int runProgram(int argc, char** argv);

} // namespace stridescope
