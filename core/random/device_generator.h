#pragma once
// DeviceGenerator: where the random numbers of a device come from: a seed, and how far its stream has gone.

#include "core/device/device.h"

#include <cstdint>
#include <mutex>

namespace stridescope {

class DeviceGenerator {
public:
    /// Operations hold it while they draw.
    std::mutex& mutex() { return m_mutex; }
    std::uint64_t seed() const { return m_seed; }
    std::uint64_t offset() const { return m_offset; }
    void advance(std::uint64_t by) { m_offset += by; }
    /// Starts the stream of `seed`.
    void restart(std::uint64_t seed);

private:
    std::mutex m_mutex;
    std::uint64_t m_seed = 0, m_offset = 0;
};

/// The one of a device. Starts with the seed that the default generator was last given, as PyTorch's do.
DeviceGenerator& deviceGenerator(Device device);
/// Those of all devices start the stream of `seed`.
void seedDeviceGenerators(std::uint64_t seed);

} // namespace stridescope
