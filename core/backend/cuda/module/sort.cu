// Sorting of keys with values, by the toolkit's CUB: stable, by radix.

#include "core/backend/cuda/module/queue.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace stridescope::cuda {

void CudaQueue::sortPairsByKey(CudaQueue& queue, cudaStream_t stream, const std::uint64_t* keys,
                               std::uint64_t* sortedKeys, const Index* values, Index* sortedValues, Index n, int bits) {
    if (n == 0) return;
    std::size_t bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, sortedKeys, values, sortedValues, n, 0, bits, stream),
          "DeviceRadixSort");
    const grid::Room<CudaQueue> room(queue, bytes);
    check(
        cub::DeviceRadixSort::SortPairs(room.data(), bytes, keys, sortedKeys, values, sortedValues, n, 0, bits, stream),
        "DeviceRadixSort");
}

} // namespace stridescope::cuda
