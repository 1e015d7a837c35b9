#include "app/window/startup_trace.h"

#include <QCoreApplication>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace stridescope::startup_trace {

namespace {

std::chrono::steady_clock::time_point g_begin;
bool g_done = false;

long residentKiB() {
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line)) {
        if (line.rfind("VmRSS:", 0) == 0) return std::strtol(line.c_str() + 6, nullptr, 10);
    }
    return 0;
}

} // namespace

void begin() {
    g_begin = std::chrono::steady_clock::now();
}

void firstPaint() {
    const char* wish = std::getenv("STRIDESCOPE_STARTUP_TRACE");
    if (!wish || g_done) return;
    g_done = true;
    using namespace std::chrono;
    const double ms = duration<double, std::milli>(steady_clock::now() - g_begin).count();
    const auto wall = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
    std::fprintf(stderr, "first-paint %.1f ms, at %lld ns, resident %ld KiB\n", ms, static_cast<long long>(wall),
                 residentKiB());
    if (std::strcmp(wish, "exit") == 0) QCoreApplication::exit(0);
}

} // namespace stridescope::startup_trace
