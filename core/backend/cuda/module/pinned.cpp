#include "core/backend/cuda/module/pinned.h"

#include "core/backend/cuda/module/devices.h"

#include <algorithm>
#include <bit>
#include <map>

namespace stridescope::cuda {

namespace {

constexpr std::size_t kLeast = 4096, kMostKept = std::size_t{256} << 20;

struct Blocks {
    std::mutex mutex;
    std::map<const std::byte*, std::size_t> used; ///< first address -> bytes
    std::multimap<std::size_t, std::byte*> kept;  ///< bytes -> block
    std::size_t keptBytes = 0;
};

Blocks& blocks() {
    static auto* all = new Blocks; // never destroyed: storages may outlive main()
    return *all;
}

} // namespace

void* allocatePinned(std::size_t wanted) {
    if (wanted == 0) return nullptr;
    // Powers of two: registering memory takes long, so that a block should fit the next one that asks.
    const std::size_t bytes = std::bit_ceil(std::max(wanted, kLeast));
    {
        const std::lock_guard lock(blocks().mutex);
        if (const auto found = blocks().kept.find(bytes); found != blocks().kept.end()) {
            std::byte* const data = found->second;
            blocks().kept.erase(found);
            blocks().keptBytes -= bytes;
            blocks().used[data] = bytes;
            return data;
        }
    }
    void* data = nullptr;
    check(cudaHostAlloc(&data, bytes, cudaHostAllocPortable), "cudaHostAlloc");
    const std::lock_guard lock(blocks().mutex);
    blocks().used[static_cast<std::byte*>(data)] = bytes;
    return data;
}

void deallocatePinned(void* data) {
    // As in DeviceState::deallocate failures wait for a call that can report them.
    for (DeviceState* device : openDevices())
        for (cudaStream_t stream : device->streams()) cudaStreamSynchronize(stream);
    std::size_t bytes = 0;
    {
        const std::lock_guard lock(blocks().mutex);
        const auto found = blocks().used.find(static_cast<const std::byte*>(data));
        if (found == blocks().used.end()) return;
        bytes = found->second;
        blocks().used.erase(found);
        if (blocks().keptBytes + bytes <= kMostKept) {
            blocks().kept.emplace(bytes, static_cast<std::byte*>(data));
            blocks().keptBytes += bytes;
            return;
        }
    }
    cudaFreeHost(data);
}

bool isPinned(const void* data) {
    const auto* const at = static_cast<const std::byte*>(data);
    const std::lock_guard lock(blocks().mutex);
    auto block = blocks().used.upper_bound(at);
    if (block == blocks().used.begin()) return false;
    --block;
    return at < block->first + block->second;
}

} // namespace stridescope::cuda
