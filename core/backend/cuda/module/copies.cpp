#include "core/backend/cuda/module/copies.h"

#include "core/backend/cuda/module/devices.h"
#include "core/backend/cuda/module/pinned.h"

namespace stridescope::cuda {

namespace {

void waitUnless(bool early, cudaStream_t stream) {
    if (!early) check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

/// A mark of one use. Destroying it is allowed while it is waited for.
class Mark {
public:
    Mark() { check(cudaEventCreateWithFlags(&m_event, cudaEventDisableTiming), "cudaEventCreateWithFlags"); }
    ~Mark() { cudaEventDestroy(m_event); }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;
    void record(cudaStream_t stream) { check(cudaEventRecord(m_event, stream), "cudaEventRecord"); }
    void holdUp(cudaStream_t stream) { check(cudaStreamWaitEvent(stream, m_event, 0), "cudaStreamWaitEvent"); }

private:
    cudaEvent_t m_event = nullptr;
};

} // namespace

void copyFromHost(int device, void* to, const void* from, std::size_t bytes, bool early) {
    const cudaStream_t stream = use(device).current();
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
    waitUnless(early && isPinned(from), stream);
}

void copyToHost(int device, void* to, const void* from, std::size_t bytes, bool early) {
    const cudaStream_t stream = use(device).current();
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    waitUnless(early && isPinned(to), stream);
}

void copyPeer(int toDevice, void* to, int fromDevice, const void* from, std::size_t bytes) {
    if (toDevice == fromDevice) {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, use(toDevice).current()), "cudaMemcpyAsync");
        return;
    }
    // After what the receiver was given before, and before what it is given next.
    const cudaStream_t receiving = use(toDevice).current();
    Mark before;
    before.record(receiving);
    const cudaStream_t sending = use(fromDevice).current();
    before.holdUp(sending);
    check(cudaMemcpyPeerAsync(to, toDevice, from, fromDevice, bytes, sending), "cudaMemcpyPeerAsync");
    Mark after;
    after.record(sending);
    (void)use(toDevice);
    after.holdUp(receiving);
}

} // namespace stridescope::cuda
