#pragma once
// DeviceRecord: what happens on devices, as it happens: memory taken and given back, work queued, begun and done, what
// the host waited for. The pictures of devices listen; with nobody listening each of these costs one branch.

#include "core/device/device.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace stridescope {

enum class DeviceHappening : std::uint8_t {
    Appeared,  ///< switched on, or anew: what was on it is gone
    Gone,      ///< switched off
    Allocated, ///< memory
    Freed,
    OutOfMemory, ///< `bytes` were wanted
    Queued,      ///< a piece of work was given to the device
    Started,     ///< it begins
    Done,        ///< that piece, with all its times
    Dropped,     ///< it was never begun: the device had failed
    Waited,      ///< the host stood still from startedAt to endedAt
    Failed,      ///< nothing works on it any more
};
enum class DeviceWork : std::uint8_t { None, Kernel, HostToDevice, DeviceToHost, OnDevice, Peer };

struct DeviceRecord {
    DeviceHappening what = DeviceHappening::Appeared;
    DeviceWork work = DeviceWork::None;
    Device device;
    Device other; ///< of Peer: where the bytes go to
    bool simulated = false;
    std::uint32_t stream = 0;
    std::uint64_t number = 0;               ///< of the piece of work, from 1 in this process
    std::uint64_t bytes = 0;                ///< moved, taken, given back, or wanted
    std::uint64_t allocated = 0, total = 0; ///< of Appeared, Allocated, Freed, OutOfMemory: the memory afterwards
    /// Nanoseconds of the steady clock, which all processes share; 0: not that far.
    std::int64_t queuedAt = 0, startedAt = 0, endedAt = 0;
    double linkBytesPerSecond = 0; ///< of Appeared; 0: no limit
    std::int64_t launchDelay = 0;  ///< of Appeared; nanoseconds
    std::string name;              ///< of work the kernel, of Waited what for, of Failed why, of Appeared the device
};

/// Takes what devices tell, on the threads that it happens on; must not call a device.
class DeviceSink {
public:
    virtual void take(const DeviceRecord& record) = 0;

protected:
    ~DeviceSink() = default;
};

namespace trace {
extern std::atomic<DeviceSink*> g_deviceSink;
/// The one branch.
inline bool devicesObserved() {
    return g_deviceSink.load(std::memory_order_relaxed) != nullptr;
}
/// All that devices tell goes there from now on; null: nobody listens. It lives until the process ends, as a device may
/// still bring its record afterwards.
void setDeviceSink(DeviceSink* sink);
void publish(const DeviceRecord& record);
/// The next piece of work.
std::uint64_t nextDeviceWork();
/// The clock of DeviceRecord.
inline std::int64_t deviceTime() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}
} // namespace trace

/// Room for any record as bytes; longer names are cut.
inline constexpr std::size_t kMostDeviceRecord = 384;
/// How many bytes of `to` it takes.
std::size_t packDeviceRecord(const DeviceRecord& record, std::span<std::byte, kMostDeviceRecord> to);
/// Nothing when they are none: whatever they hold, this reads inside them.
std::optional<DeviceRecord> unpackDeviceRecord(std::span<const std::byte> bytes);

} // namespace stridescope
