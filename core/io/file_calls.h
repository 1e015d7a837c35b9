#pragma once
// The system calls of saveAtomically, so that tests can make the n-th of them fail. Nothing else includes this.

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace stridescope::io::calls {

/// What a test wants of one call: `error` != 0 makes it fail with that errno; a write may be cut to `atMost` bytes.
struct Verdict {
    int error = 0;
    std::size_t atMost = SIZE_MAX;
};
/// Asked before each call with its name ("create", "write", "fsync", "close", "open", "read", "rename"); null normally.
/// Set only while nothing is being saved.
using Hook = Verdict (*)(const char* call);
void setHookForTesting(Hook hook);

/// Opens a file for writing that did not exist before.
int create(const char* path, mode_t mode);
ssize_t write(int descriptor, const void* data, std::size_t count);
int fsync(int descriptor);
int close(int descriptor);
int openForReading(const char* path);
ssize_t read(int descriptor, void* data, std::size_t count);
int rename(const char* from, const char* to);

} // namespace stridescope::io::calls
