#include "core/io/file_calls.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace stridescope::io::calls {
namespace {

std::atomic<Hook> g_hook{nullptr};

Verdict ask(const char* call) {
    const Hook hook = g_hook.load(std::memory_order_relaxed);
    const Verdict verdict = hook ? hook(call) : Verdict{};
    if (verdict.error) errno = verdict.error;
    return verdict;
}

} // namespace

void setHookForTesting(Hook hook) {
    g_hook.store(hook);
}

int create(const char* path, mode_t mode) {
    return ask("create").error ? -1 : ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

ssize_t write(int descriptor, const void* data, std::size_t count) {
    const Verdict verdict = ask("write");
    return verdict.error ? -1 : ::write(descriptor, data, std::min(count, verdict.atMost));
}

int fsync(int descriptor) {
    return ask("fsync").error ? -1 : ::fsync(descriptor);
}

int close(int descriptor) {
    const Verdict verdict = ask("close");
    const int result = ::close(descriptor); // a failed close has closed all the same
    if (verdict.error) errno = verdict.error;
    return verdict.error ? -1 : result;
}

int openForReading(const char* path) {
    return ask("open").error ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
}

ssize_t read(int descriptor, void* data, std::size_t count) {
    return ask("read").error ? -1 : ::read(descriptor, data, count);
}

int rename(const char* from, const char* to) {
    return ask("rename").error ? -1 : std::rename(from, to);
}

} // namespace stridescope::io::calls
