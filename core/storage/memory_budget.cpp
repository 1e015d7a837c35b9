#include "core/storage/memory_budget.h"

#include "core/io/text.h"
#include "core/storage/scratch.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace stridescope {

namespace {

/// Smaller storages are not checked: asking the system costs tens of microseconds.
constexpr std::size_t kCheckedFrom = std::size_t{64} << 20;
constexpr Index kNoLimit = -1;

std::atomic<Index> g_limit{kNoLimit};

// The test switch: -1 is off, n > 0 counts down, 0 has fired.
std::atomic<Index> g_failCountdown{-1};
std::atomic<bool> g_failLater{false};
std::atomic<bool> g_failHappened{false};

/// First `buffer.size() - 1` bytes of a small file as text; empty when it cannot be read.
template <std::size_t N>
std::string_view readSmallFile(const char* path, std::array<char, N>& buffer) {
    std::FILE* file = std::fopen(path, "re");
    if (!file) return {};
    const std::size_t count = std::fread(buffer.data(), 1, buffer.size() - 1, file);
    std::fclose(file);
    return {buffer.data(), count};
}

std::optional<Index> leadingNumber(std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) return std::nullopt;
    Index value = 0;
    const auto [end, code] = std::from_chars(text.data() + start, text.data() + text.size(), value);
    if (code != std::errc()) return std::nullopt; // also the word "max"
    return value;
}

std::optional<Index> systemAvailable() {
    std::array<char, 2048> buffer{};
    const std::string_view text = readSmallFile("/proc/meminfo", buffer);
    constexpr std::string_view kKey = "MemAvailable:";
    const std::size_t at = text.find(kKey);
    if (at == std::string_view::npos) return std::nullopt;
    const auto kilobytes = leadingNumber(text.substr(at + kKey.size()));
    if (!kilobytes) return std::nullopt;
    return *kilobytes * 1024;
}

std::optional<Index> groupAvailable() {
    std::array<char, 64> limitText{}, usedText{};
    const auto limit = leadingNumber(readSmallFile("/sys/fs/cgroup/memory.max", limitText));
    const auto used = leadingNumber(readSmallFile("/sys/fs/cgroup/memory.current", usedText));
    if (!limit || !used) return std::nullopt;
    return std::max<Index>(0, *limit - *used);
}

/// True when the test switch wants this allocation to fail.
bool switchedToFail() {
    Index left = g_failCountdown.load(std::memory_order_relaxed);
    while (left >= 0) {
        if (left == 0) return g_failLater.load(std::memory_order_relaxed);
        if (g_failCountdown.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) return left == 1;
    }
    return false;
}

} // namespace

Index availableMemory() {
    const Index system = systemAvailable().value_or(std::numeric_limits<Index>::max());
    return std::min(system, groupAvailable().value_or(std::numeric_limits<Index>::max()));
}

void setMemoryLimit(std::optional<Index> bytes) {
    g_limit.store(bytes.value_or(kNoLimit), std::memory_order_relaxed);
}

std::optional<Index> memoryLimit() {
    const Index limit = g_limit.load(std::memory_order_relaxed);
    return limit == kNoLimit ? std::nullopt : std::optional<Index>(limit);
}

std::string formatBytes(Index bytes) {
    return bytesText(static_cast<std::uint64_t>(std::max<Index>(0, bytes)));
}

std::optional<Refusal> allocationRefusal(std::size_t bytes, Device device) {
    if (!device.isCpu() || bytes < kCheckedFrom) return std::nullopt;
    const Index free = availableMemory();
    const Index limit = memoryLimit().value_or(free / 2);
    if (bytes <= static_cast<std::size_t>(limit)) return std::nullopt;
    const auto wanted =
        static_cast<Index>(std::min(bytes, static_cast<std::size_t>(std::numeric_limits<Index>::max())));
    return Refusal{ErrorKind::Memory, "MEM-01",
                   "not enough memory: " + formatBytes(wanted) + " wanted, " + formatBytes(free) + " free, limit " +
                       formatBytes(limit) + " for one tensor",
                   "Make it smaller, use a smaller dtype, or open a file as a mapped tensor.",
                   BytesExceeded{wanted, limit}};
}

void throwOutOfMemory(std::size_t bytes) {
    const auto wanted = static_cast<Index>(std::min(bytes, static_cast<std::size_t>(PTRDIFF_MAX)));
    const Index free = availableMemory();
    throwRefusal({ErrorKind::Memory, "MEM-03",
                  "not enough memory: " + formatBytes(wanted) + " wanted, " + formatBytes(free) +
                      " free, and the system refused",
                  "Make it smaller, or close tensors that are not needed.", BytesExceeded{wanted, free}});
}

void checkAllocation(std::size_t bytes, Device device) {
    const bool switched = g_failCountdown.load(std::memory_order_relaxed) >= 0;
    if (!switched && bytes < kCheckedFrom) [[likely]]
        return;
    if (switched && switchedToFail()) {
        g_failHappened.store(true, std::memory_order_relaxed);
        throwRefusal({ErrorKind::Memory, "MEM-02",
                      "allocating " + formatBytes(static_cast<Index>(bytes)) + " failed: out of memory",
                      "Close tensors that are not needed.", BytesExceeded{static_cast<Index>(bytes), 0}});
    }
    if (auto refusal = allocationRefusal(bytes, device)) throwRefusal(std::move(*refusal));
}

AllocationFailure::AllocationFailure(Index nth, bool andAllLater) {
    g_failHappened.store(false, std::memory_order_relaxed);
    g_failLater.store(andAllLater, std::memory_order_relaxed);
    g_failCountdown.store(nth, std::memory_order_relaxed);
}

AllocationFailure::~AllocationFailure() {
    g_failCountdown.store(-1, std::memory_order_relaxed);
}

bool AllocationFailure::happened() const {
    return g_failHappened.load(std::memory_order_relaxed);
}

} // namespace stridescope
