#pragma once
// Where the project and its build are. The one place that knows: a path in the command line of every test would keep a
// compiler cache from serving two checkouts.
#include <string>

namespace stridescope::test {

/// "docs/operations.md" -> that file in the project's folder.
std::string sourcePath(const char* relative);
/// "bin/stridescope" -> that file in the folder of this build.
std::string buildPath(const char* relative);

} // namespace stridescope::test
