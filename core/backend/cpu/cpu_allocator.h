#pragma once
// The memory of CPU tensors: freed blocks are kept and given out again, so that a steady stream of results costs no
// system calls and no page faults.
//
// Note [Three kinds of block]
// - small  (<= 32 KiB): cut from slabs, kept per size class (up to 4 KiB first per thread, without a lock); slabs are
//   never given back.
// - medium (< 1 MiB):   from the C library, kept per size class.
// - large:              mapped 2 MiB-aligned with huge pages; fresh ones are zero already.
// Medium and large blocks that are kept count against cacheLimit(); the oldest go first.

#include "core/storage/storage.h"

#include <cstddef>
#include <cstdint>

namespace stridescope {

class SharedArena;

/// Exact counts since the program started (or since resetCounters), summed over all threads.
struct AllocatorStatistics {
    std::uint64_t allocations = 0; ///< calls of allocate and allocateZeroed for more than 0 bytes
    std::uint64_t deallocations = 0;
    std::uint64_t cacheHits = 0;   ///< allocations served from kept blocks
    std::uint64_t systemCalls = 0; ///< mmap, munmap, and calls of the C library's allocator
    std::uint64_t bytesInUse = 0;  ///< capacity of the blocks that are out now
    std::uint64_t bytesCached = 0; ///< capacity of the blocks that are kept now
};

class CpuAllocator final : public Allocator {
public:
    Device device() const override { return {}; }
    /// 64-byte aligned. @throws MemoryError (MEM-03) when the system has no such memory even after trim().
    void* allocate(std::size_t bytes) override;
    /// As allocate; bytes that come zeroed from the system are not written again.
    void* allocateZeroed(std::size_t bytes) override;
    void deallocate(void* data, std::size_t bytes) noexcept override;
    const char* kind() const override { return "heap"; }

    /// Gives kept medium and large blocks back to the system until at most `keep` bytes of them are left.
    void trim(std::size_t keep = 0) noexcept;
    /// Takes all fresh memory from `arena` from now on, once in a process. Blocks that are out, and those that other
    /// threads keep, stay where they are.
    void useArena(SharedArena& arena) noexcept;
    /// Most bytes of medium and large blocks that are kept. Starts as an eighth of the memory, at most 4 GiB.
    std::size_t cacheLimit() const;
    void setCacheLimit(std::size_t bytes) noexcept;

    AllocatorStatistics statistics() const;
    /// Sets the four counters of events to 0; bytesInUse and bytesCached stay. Exact when no other thread allocates
    /// meanwhile.
    void resetCounters() noexcept;

    /// Bytes that a request really takes: the size of its class.
    static std::size_t capacityFor(std::size_t bytes);

    CpuAllocator(const CpuAllocator&) = delete;
    CpuAllocator& operator=(const CpuAllocator&) = delete;

private:
    friend CpuAllocator& cpuAllocator();
    CpuAllocator();
    void* take(std::size_t bytes, bool& zeroed);
};

/// The one CPU allocator; lives as long as the process.
CpuAllocator& cpuAllocator();

} // namespace stridescope
