#pragma once
// CudaBackend: the CUDA module as a Backend. Knows the module only by its Api, so that tests can stand in for it.

#include "core/backend/backend.h"
#include "core/backend/cuda/cuda_api.h"

#include <memory>
#include <vector>

namespace stridescope::cuda {

class CudaBackend final : public Backend {
public:
    /// `api` must live as long as this.
    CudaBackend(const Api& api, int count);
    ~CudaBackend() override;

    const Api& api() const { return m_api; }
    const char* name() const override { return "cuda"; }
    int deviceCount() const override;
    Allocator& allocator(Device device) override;
    const KernelTable& kernels(Device device) override;
    void copyFromHost(Device device, void* destination, const void* source, std::size_t bytes,
                      bool mayReturnEarly) override;
    void copyToHost(Device device, void* destination, const void* source, std::size_t bytes,
                    bool mayReturnEarly) override;
    void copyBetween(Device to, void* destination, Device from, const void* source, std::size_t bytes) override;
    void synchronize(Device device) override;
    DeviceAbout about(Device device) override;
    DeviceMemory memory(Device device) override;
    void resetPeak(Device device) override;
    bool canAccessPeer(Device from, Device to) override;
    Allocator* pinnedAllocator() override;
    StreamId newStream(Device device) override;
    StreamId currentStream(Device device) override;
    void setCurrentStream(Device device, StreamId stream) override;
    void synchronizeStream(Device device, StreamId stream) override;
    bool isStreamDone(Device device, StreamId stream) override;
    std::unique_ptr<DeviceEvent> newEvent(Device device) override;

private:
    /// @throws DeviceError (DEV-08) in a child of the process that loaded the module.
    void requireSameProcess() const;

    const Api& m_api;
    int m_process;
    std::vector<std::unique_ptr<Allocator>> m_allocators;
    std::unique_ptr<Allocator> m_pinned;
};

/// The refusal that belongs to a failure on a device: out of memory carries BytesExceeded (DEV-05), a missing library
/// is DEV-14, the rest DEV-04; whether the device can still be used is said.
Refusal refusalOf(const Failure& failure);
/// What the module calls.
[[noreturn]] void throwFailure(const Failure& failure);

} // namespace stridescope::cuda
