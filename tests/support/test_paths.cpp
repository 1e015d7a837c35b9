#include "tests/support/test_paths.h"

namespace stridescope::test {

std::string sourcePath(const char* relative) {
    return std::string(STRIDESCOPE_SOURCE_DIR "/") + relative;
}
std::string buildPath(const char* relative) {
    return std::string(STRIDESCOPE_BINARY_DIR "/") + relative;
}

} // namespace stridescope::test
