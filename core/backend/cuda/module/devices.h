#pragma once
// What the module keeps of each device: streams, the memory pool, figures.

#include "core/backend/cuda/module/check.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace stridescope::cuda {

using StreamNumber = std::uint32_t;

class DeviceState {
public:
    /// Makes the first stream and asks what the device can.
    void open(int index);

    int index() const { return m_index; }
    int multiprocessors() const { return m_multiprocessors; }
    Index residentThreads() const { return static_cast<Index>(m_multiprocessors) * m_threadsEach; }
    bool hasPool() const { return m_pool != nullptr; }
    cudaMemPool_t pool() const { return m_pool; }

    StreamNumber addStream();
    cudaStream_t stream(StreamNumber number) const;
    std::vector<cudaStream_t> streams() const;
    /// The one that this thread's work goes to.
    StreamNumber currentNumber() const;
    void setCurrent(StreamNumber number);
    cudaStream_t current() const { return stream(currentNumber()); }

    void* allocate(std::size_t bytes);
    /// Not before every stream has done what it was given so far.
    void deallocate(void* data, std::size_t bytes);
    void figures(MemoryFigures& out) const;
    void resetPeak();
    void synchronize() const;

private:
    /// Null when there is no memory.
    void* take(std::size_t bytes, cudaError_t& error) const;

    int m_index = 0;
    int m_multiprocessors = 1, m_threadsEach = 1024;
    cudaMemPool_t m_pool = nullptr; ///< null where the driver has none: then memory is taken and given back at once
    mutable std::mutex m_mutex;     ///< of the streams
    std::vector<cudaStream_t> m_streams;
    cudaStream_t m_freeing = nullptr; ///< waits for all others where there are several
    std::vector<cudaEvent_t> m_marks; ///< one for each stream, for that waiting
    std::atomic<std::size_t> m_allocated{0}, m_peak{0};
    std::atomic<std::uint64_t> m_allocations{0};
};

int countDevices(const char** why);
/// Makes `device` the thread's and opens it at the first time.
DeviceState& use(int device);
/// The one that `use` was last called for on this thread.
DeviceState& target();
/// Those that have been used.
std::vector<DeviceState*> openDevices();
/// Null unless it has been used; does not fail.
DeviceState* openDevice(int device);

} // namespace stridescope::cuda
