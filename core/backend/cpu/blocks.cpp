#include "core/backend/cpu/blocks.h"

#include <algorithm>
#include <atomic>
#include <unistd.h>

namespace stridescope::cpu {

namespace {

// A virtual machine may report a last-level cache that it shares with many neighbours; no more than this is believed.
constexpr long kBelievedCache = 32L << 20;

std::atomic<std::size_t> g_streamThreshold{0};

} // namespace

std::size_t streamThreshold() {
    std::size_t bytes = g_streamThreshold.load(std::memory_order_relaxed);
    if (bytes == 0) {
        const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
        bytes = static_cast<std::size_t>(std::clamp(cache, 8L << 20, kBelievedCache)) / 4;
        g_streamThreshold.store(bytes, std::memory_order_relaxed);
    }
    return bytes;
}

void setStreamThreshold(std::size_t bytes) {
    g_streamThreshold.store(bytes, std::memory_order_relaxed);
}

int transposedLevel(const LoopSpace& space, int operand, Index itemSize) {
    constexpr Index kWorthIt = 8;
    if (space.stride[0][operand] == itemSize || space.stride[0][operand] == 0 || space.size[0] < kWorthIt) return -1;
    for (int level = 1; level < space.levels; ++level)
        if (space.stride[level][operand] == itemSize && space.size[level] >= kWorthIt) return level;
    return -1;
}

} // namespace stridescope::cpu
