#include "core/backend/cuda/module/devices.h"

#include <deque>
#include <map>
#include <memory>

namespace stridescope::cuda {

namespace {

struct Slot {
    std::once_flag once;
    DeviceState state;
    std::atomic<bool> isOpen{false};
};

std::deque<Slot>& slots() {
    static auto* list = [] {
        int count = 0;
        if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
        auto* all = new std::deque<Slot>; // never destroyed: storages may outlive main()
        for (int i = 0; i < count; ++i) all->emplace_back();
        return all;
    }();
    return *list;
}

thread_local int t_device = 0;
/// Which stream of which device this thread's work goes to; absent: 0.
thread_local std::map<int, StreamNumber> t_current;

} // namespace

int countDevices(const char** why) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess) return count;
    cudaGetLastError();
    if (why) *why = cudaGetErrorString(error);
    return 0;
}

DeviceState& use(int device) {
    check(cudaSetDevice(device), "cudaSetDevice");
    t_device = device;
    Slot& slot = slots()[static_cast<std::size_t>(device)];
    std::call_once(slot.once, [&slot, device] {
        slot.state.open(device);
        slot.isOpen = true;
    });
    return slot.state;
}

DeviceState& target() {
    return use(t_device);
}

DeviceState* openDevice(int device) {
    Slot& slot = slots()[static_cast<std::size_t>(device)];
    return slot.isOpen ? &slot.state : nullptr;
}

std::vector<DeviceState*> openDevices() {
    std::vector<DeviceState*> open;
    for (Slot& slot : slots())
        if (slot.isOpen) open.push_back(&slot.state);
    return open;
}

void DeviceState::open(int index) {
    m_index = index;
    check(cudaDeviceGetAttribute(&m_multiprocessors, cudaDevAttrMultiProcessorCount, index), "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&m_threadsEach, cudaDevAttrMaxThreadsPerMultiProcessor, index),
          "cudaDeviceGetAttribute");
    int pools = 0;
    check(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, index), "cudaDeviceGetAttribute");
    cudaStream_t first = nullptr;
    check(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    m_streams.assign(1, first);
    if (!pools) return;
    check(cudaDeviceGetDefaultMemPool(&m_pool, index), "cudaDeviceGetDefaultMemPool");
    // Freed blocks stay in the pool: after warm-up an allocation asks the driver for nothing.
    std::uint64_t keep = UINT64_MAX;
    check(cudaMemPoolSetAttribute(m_pool, cudaMemPoolAttrReleaseThreshold, &keep), "cudaMemPoolSetAttribute");
    // Devices that can reach one another's memory may: copies then need no detour over the host.
    for (int peer = 0; peer < static_cast<int>(slots().size()); ++peer) {
        int can = 0;
        if (peer == index || cudaDeviceCanAccessPeer(&can, peer, index) != cudaSuccess || !can) continue;
        cudaMemAccessDesc access{};
        access.location.type = cudaMemLocationTypeDevice;
        access.location.id = peer;
        access.flags = cudaMemAccessFlagsProtReadWrite;
        check(cudaMemPoolSetAccess(m_pool, &access, 1), "cudaMemPoolSetAccess");
    }
}

// --- Streams ------------------------------------------------------------------------------------------------------

StreamNumber DeviceState::addStream() {
    cudaStream_t fresh = nullptr;
    check(cudaStreamCreateWithFlags(&fresh, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    const std::lock_guard lock(m_mutex);
    if (!m_freeing) check(cudaStreamCreateWithFlags(&m_freeing, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    m_streams.push_back(fresh);
    while (m_marks.size() < m_streams.size()) {
        cudaEvent_t mark = nullptr;
        check(cudaEventCreateWithFlags(&mark, cudaEventDisableTiming), "cudaEventCreateWithFlags");
        m_marks.push_back(mark);
    }
    return static_cast<StreamNumber>(m_streams.size() - 1);
}

cudaStream_t DeviceState::stream(StreamNumber number) const {
    const std::lock_guard lock(m_mutex);
    if (number >= m_streams.size()) fail(cudaErrorInvalidResourceHandle, "stream");
    return m_streams[number];
}

std::vector<cudaStream_t> DeviceState::streams() const {
    const std::lock_guard lock(m_mutex);
    return m_streams;
}

StreamNumber DeviceState::currentNumber() const {
    const auto found = t_current.find(m_index);
    return found == t_current.end() ? 0 : found->second;
}

void DeviceState::setCurrent(StreamNumber number) {
    (void)stream(number);
    t_current[m_index] = number;
}

void DeviceState::synchronize() const {
    for (cudaStream_t stream : streams()) check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

// --- Memory -------------------------------------------------------------------------------------------------------

void* DeviceState::take(std::size_t bytes, cudaError_t& error) const {
    void* data = nullptr;
    error = m_pool ? cudaMallocAsync(&data, bytes, current()) : cudaMalloc(&data, bytes);
    if (error == cudaSuccess) return data;
    if (error != cudaErrorMemoryAllocation) fail(error, m_pool ? "cudaMallocAsync" : "cudaMalloc");
    cudaGetLastError();
    return nullptr;
}

void* DeviceState::allocate(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    cudaError_t error = cudaSuccess;
    void* data = take(bytes, error);
    if (!data && m_pool) { // what is freed but waits for a stream, and what the pool keeps in pieces that are too small
        synchronize();
        if (m_freeing) check(cudaStreamSynchronize(m_freeing), "cudaStreamSynchronize");
        check(cudaMemPoolTrimTo(m_pool, 0), "cudaMemPoolTrimTo");
        data = take(bytes, error);
    }
    if (!data) {
        MemoryFigures now;
        figures(now);
        Failure failure;
        failure.code = static_cast<int>(error);
        failure.call = m_pool ? "cudaMallocAsync" : "cudaMalloc";
        failure.text = cudaGetErrorString(error);
        failure.device = m_index;
        failure.outOfMemory = true;
        failure.wanted = bytes;
        failure.free = now.free;
        failure.total = now.total;
        report(failure);
    }
    const std::size_t allocated = m_allocated += bytes;
    std::size_t peak = m_peak;
    while (allocated > peak && !m_peak.compare_exchange_weak(peak, allocated)) {
    }
    ++m_allocations;
    return data;
}

void DeviceState::deallocate(void* data, std::size_t bytes) {
    // Runs in destructors, so a failure (a dead device) is left to the next call that can report it.
    m_allocated -= bytes;
    if (cudaSetDevice(m_index) != cudaSuccess) return;
    if (!m_pool) {
        cudaFree(data); // waits by itself
        return;
    }
    const std::lock_guard lock(m_mutex);
    cudaStream_t last = m_streams[0];
    if (m_freeing) { // another stream may still use it: all of them come before
        last = m_freeing;
        for (std::size_t i = 0; i < m_streams.size(); ++i)
            if (cudaEventRecord(m_marks[i], m_streams[i]) == cudaSuccess) cudaStreamWaitEvent(last, m_marks[i], 0);
    }
    cudaFreeAsync(data, last);
}

void DeviceState::figures(MemoryFigures& out) const {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    if (m_pool) { // what the pool has taken and does not use is as good as free
        std::uint64_t reserved = 0, used = 0;
        check(cudaMemPoolGetAttribute(m_pool, cudaMemPoolAttrReservedMemCurrent, &reserved), "cudaMemPoolGetAttribute");
        check(cudaMemPoolGetAttribute(m_pool, cudaMemPoolAttrUsedMemCurrent, &used), "cudaMemPoolGetAttribute");
        free += static_cast<std::size_t>(reserved - used);
    }
    out = {m_allocated, m_peak, free, total, m_allocations};
}

void DeviceState::resetPeak() {
    m_peak = m_allocated.load();
}

} // namespace stridescope::cuda
