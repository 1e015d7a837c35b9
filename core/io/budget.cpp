#include "core/io/budget.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace stridescope {

std::uint64_t freeMemoryBytes() {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/meminfo", "re"), &std::fclose);
    if (!file) return 0;
    char line[128];
    while (std::fgets(line, sizeof line, file.get())) {
        unsigned long long kibibytes = 0;
        if (std::sscanf(line, "MemAvailable: %llu kB", &kibibytes) == 1) return kibibytes * 1024;
    }
    return 0;
}

Budget Budget::standard() {
    Budget budget;
    if (const std::uint64_t half = freeMemoryBytes() / 2; half > 0) {
        budget.maxBytes = std::min(budget.maxBytes, half);
        budget.maxArchiveBytes = std::min(budget.maxArchiveBytes, half);
    }
    return budget;
}

} // namespace stridescope
