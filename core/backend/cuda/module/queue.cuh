#pragma once
// CudaQueue: launches the grid kernels in the current stream of the thread's device.

#include "core/backend/cuda/module/devices.h"
#include "core/backend/cuda/module/libraries.h"
#include "core/backend/grid/copy.h"

namespace stridescope::cuda {

/// At least so many blocks a multiprocessor: left to itself the compiler saves registers for more of them, and spills.
inline constexpr int kPlainBlocks = 3, kPhasedBlocks = 4;

template <class Body>
__global__ void __launch_bounds__(grid::kThreads, kPlainBlocks) plainKernel(const __grid_constant__ Body body) {
    body(grid::Lane{static_cast<Index>(blockIdx.x), static_cast<Index>(gridDim.x), static_cast<int>(threadIdx.x)});
}

template <class Body>
__global__ void __launch_bounds__(grid::kThreads, kPhasedBlocks) phasedKernel(const __grid_constant__ Body body) {
    alignas(16) __shared__ std::byte room[sizeof(typename Body::Shared)];
    auto& shared = *reinterpret_cast<typename Body::Shared*>(room);
    const grid::Lane lane{static_cast<Index>(blockIdx.x), static_cast<Index>(gridDim.x), static_cast<int>(threadIdx.x)};
    typename Body::Local local{};
    const int phases = body.phases(lane.block);
    for (int phase = 0; phase < phases; ++phase) {
        body(phase, lane, local, shared);
        __syncthreads();
    }
}

class CudaQueue {
public:
    CudaQueue() : m_device(target()), m_stream(m_device.current()) {}

    int multiprocessors() const { return m_device.multiprocessors(); }
    Index residentThreads() const { return m_device.residentThreads(); }

    template <class Body>
    void launch(const char* name, Index blocks, const Body& body) {
        static_assert(sizeof(Body) <= 4096, "arguments of a launch are at most 4 KB");
        if (blocks == 0) return;
        const auto count = static_cast<unsigned>(blocks);
        if constexpr (grid::Phased<Body>)
            phasedKernel<<<count, grid::kThreads, 0, m_stream>>>(body);
        else
            plainKernel<<<count, grid::kThreads, 0, m_stream>>>(body);
        check(cudaGetLastError(), name);
    }

    std::byte* allocate(std::size_t bytes) { return static_cast<std::byte*>(m_device.allocate(bytes)); }
    void release(std::byte* data, std::size_t bytes) { m_device.deallocate(data, bytes); }
    /// Pageable memory of the host is read before this returns.
    void upload(void* there, const void* here, std::size_t bytes) {
        if (bytes) check(cudaMemcpyAsync(there, here, bytes, cudaMemcpyHostToDevice, m_stream), "cudaMemcpyAsync");
    }
    void download(void* here, const void* there, std::size_t bytes) {
        if (bytes) check(cudaMemcpyAsync(here, there, bytes, cudaMemcpyDeviceToHost, m_stream), "cudaMemcpyAsync");
        check(cudaStreamSynchronize(m_stream), "cudaStreamSynchronize");
    }
    void move(void* to, const void* from, std::size_t bytes) {
        if (bytes) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, m_stream), "cudaMemcpyAsync");
    }
    void sortPairs(const std::uint64_t* keys, std::uint64_t* sortedKeys, const Index* values, Index* sortedValues,
                   Index n, int bits) {
        sortPairsByKey(*this, m_stream, keys, sortedKeys, values, sortedValues, n, bits);
    }
    void floatProducts(const ProductArgs& args) { blasProducts(m_device, m_stream, args); }
    static constexpr bool hasLinalg(LinalgRoutine routine) { return solverHas(routine); }
    void linalg(const LinalgArgs& args) { solve(m_device, m_stream, args); }
    void fourierRows(const FourierArgs& args) { cuda::fourierRows(m_device, m_stream, args); }

private:
    static void sortPairsByKey(CudaQueue& queue, cudaStream_t stream, const std::uint64_t* keys,
                               std::uint64_t* sortedKeys, const Index* values, Index* sortedValues, Index n, int bits);

    DeviceState& m_device;
    cudaStream_t m_stream;
};

} // namespace stridescope::cuda

// Compiled in moves.cu, for all who bring operands into another dtype.
extern template void stridescope::grid::convertElements<stridescope::cuda::CudaQueue>(stridescope::cuda::CudaQueue&,
                                                                                      const Loops<2>&, std::byte*,
                                                                                      DType, const std::byte*, DType);
