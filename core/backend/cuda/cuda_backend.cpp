#include "core/backend/cuda/cuda_backend.h"

#include <algorithm>
#include <array>
#include <unistd.h>

namespace stridescope::cuda {

namespace {

class CudaAllocator final : public Allocator {
public:
    CudaAllocator(const Api& api, int index, int process) : m_api(api), m_index(index), m_process(process) {}
    Device device() const override { return {DeviceType::Cuda, static_cast<std::int8_t>(m_index)}; }
    void* allocate(std::size_t bytes) override { return m_api.allocate(m_index, bytes); }
    void* allocateZeroed(std::size_t bytes) override {
        void* const data = allocate(bytes);
        if (bytes != 0) m_api.setZero(m_index, data, bytes);
        return data;
    }
    void deallocate(void* data, std::size_t bytes) noexcept override {
        if (getpid() == m_process) m_api.deallocate(m_index, data, bytes); // a child has no context
    }
    const char* kind() const override { return "cuda"; }

private:
    const Api& m_api;
    int m_index, m_process;
};

class PinnedAllocator final : public Allocator {
public:
    PinnedAllocator(const Api& api, int process) : m_api(api), m_process(process) {}
    Device device() const override { return {}; }
    void* allocate(std::size_t bytes) override { return m_api.allocatePinned(bytes); }
    void deallocate(void* data, std::size_t) noexcept override {
        if (data && getpid() == m_process) m_api.deallocatePinned(data);
    }
    const char* kind() const override { return "pinned"; }

private:
    const Api& m_api;
    int m_process;
};

class CudaEvent final : public DeviceEvent {
public:
    CudaEvent(const Api& api, int device) : m_api(api), m_event(api.newEvent(device)) {}
    ~CudaEvent() override { m_api.deleteEvent(m_event); }
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;
    void record(StreamId stream) override {
        m_api.recordEvent(m_event, stream);
        m_recorded = true;
    }
    void wait(StreamId stream) override {
        if (m_recorded) m_api.waitEvent(m_event, stream);
    }
    bool query() const override { return !m_recorded || m_api.queryEvent(m_event); }
    void synchronize() override {
        if (m_recorded) m_api.synchronizeEvent(m_event);
    }
    bool isRecorded() const override { return m_recorded; }
    double millisecondsTo(const DeviceEvent& end) const override {
        return m_api.millisecondsBetween(m_event, static_cast<const CudaEvent&>(end).m_event);
    }

private:
    const Api& m_api;
    void* m_event;
    bool m_recorded = false;
};

/// After these nothing works in the process any more. Source: CUDA Runtime API, cudaError_t: "the process must be
/// terminated and relaunched".
constexpr std::array kStickyCodes{214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721};

} // namespace

CudaBackend::CudaBackend(const Api& api, int count)
    : m_api(api), m_process(getpid()), m_pinned(std::make_unique<PinnedAllocator>(api, m_process)) {
    for (int i = 0; i < count; ++i) m_allocators.push_back(std::make_unique<CudaAllocator>(api, i, m_process));
}

CudaBackend::~CudaBackend() = default;

void CudaBackend::requireSameProcess() const {
    if (getpid() == m_process) return;
    throwRefusal(
        {ErrorKind::Device,
         "DEV-08",
         "Cannot re-initialize CUDA in forked subprocess",
         "Use CUDA in the parent or in the child alone; multiprocessing can start its children with \"spawn\".",
         {}});
}

int CudaBackend::deviceCount() const {
    return static_cast<int>(m_allocators.size());
}
Allocator& CudaBackend::allocator(Device device) {
    requireSameProcess();
    return *m_allocators[static_cast<std::size_t>(device.index)];
}
const KernelTable& CudaBackend::kernels(Device device) {
    requireSameProcess();
    m_api.useDevice(device.index);
    return *m_api.table;
}
void CudaBackend::copyFromHost(Device device, void* destination, const void* source, std::size_t bytes, bool early) {
    requireSameProcess();
    if (bytes) m_api.copyFromHost(device.index, destination, source, bytes, early);
}
void CudaBackend::copyToHost(Device device, void* destination, const void* source, std::size_t bytes, bool early) {
    requireSameProcess();
    if (bytes) m_api.copyToHost(device.index, destination, source, bytes, early);
}
void CudaBackend::copyBetween(Device to, void* destination, Device from, const void* source, std::size_t bytes) {
    requireSameProcess();
    if (bytes) m_api.copyPeer(to.index, destination, from.index, source, bytes);
}
void CudaBackend::synchronize(Device device) {
    requireSameProcess();
    m_api.synchronize(device.index);
}
DeviceAbout CudaBackend::about(Device device) {
    DeviceProperties found;
    m_api.properties(device.index, &found);
    return {found.name, false, found.memoryBytes, found.major, found.minor, found.multiprocessors};
}
DeviceMemory CudaBackend::memory(Device device) {
    requireSameProcess();
    MemoryFigures found;
    m_api.memory(device.index, &found);
    return {found.allocated, found.peak, found.free, found.total, found.allocations};
}
void CudaBackend::resetPeak(Device device) {
    requireSameProcess();
    m_api.resetPeak(device.index);
}
bool CudaBackend::canAccessPeer(Device from, Device to) {
    return from != to && m_api.canAccessPeer(from.index, to.index);
}
Allocator* CudaBackend::pinnedAllocator() {
    return m_pinned.get();
}
StreamId CudaBackend::newStream(Device device) {
    requireSameProcess();
    return m_api.newStream(device.index);
}
StreamId CudaBackend::currentStream(Device device) {
    return m_api.currentStream(device.index);
}
void CudaBackend::setCurrentStream(Device device, StreamId stream) {
    m_api.setCurrentStream(device.index, stream);
}
void CudaBackend::synchronizeStream(Device device, StreamId stream) {
    requireSameProcess();
    m_api.synchronizeStream(device.index, stream);
}
bool CudaBackend::isStreamDone(Device device, StreamId stream) {
    return m_api.isStreamDone(device.index, stream);
}
std::unique_ptr<DeviceEvent> CudaBackend::newEvent(Device device) {
    requireSameProcess();
    return std::make_unique<CudaEvent>(m_api, device.index);
}

Refusal refusalOf(const Failure& failure) {
    const std::string device = "cuda:" + std::to_string(failure.device);
    if (failure.complexAsked)
        return {ErrorKind::NotImplemented,
                "DTYPE-07",
                "not implemented for complex numbers on " + device,
                "Move the tensor to the cpu.",
                {}};
    if (failure.missingLibrary)
        return {ErrorKind::NotImplemented,
                "DEV-14",
                std::string(failure.missingLibrary) + " cannot be used on " + device + ": " + failure.text,
                "Install it with the CUDA Toolkit 13, or move the tensor to the cpu. Nothing was changed.",
                {}};
    if (failure.outOfMemory)
        return {ErrorKind::Memory, "DEV-05",
                "CUDA out of memory on " + device + ": needs " + std::to_string(failure.wanted) + " bytes, free " +
                    std::to_string(failure.free) + " of " + std::to_string(failure.total),
                "Delete tensors on that device, or use a smaller size. Nothing was changed.",
                BytesExceeded{static_cast<Index>(failure.wanted), static_cast<Index>(failure.free)}};
    const bool sticky = std::find(kStickyCodes.begin(), kStickyCodes.end(), failure.code) != kStickyCodes.end();
    return {ErrorKind::Device,
            "DEV-04",
            "CUDA error on " + device + ": " + failure.text + " (" + failure.call + ", code " +
                std::to_string(failure.code) + ")",
            sticky ? "Nothing works on that device any more in this process: restart Python. Tensors of the cpu stay, "
                     "those on the device are lost."
                   : "If the next call fails as well, the device must be given up: restart Python.",
            {}};
}

void throwFailure(const Failure& failure) {
    throwRefusal(refusalOf(failure));
}

} // namespace stridescope::cuda
