#include "core/random/device_generator.h"

#include "core/random/generator.h"

#include <map>
#include <memory>

namespace stridescope {

namespace {

struct All {
    std::mutex mutex;
    std::map<std::pair<DeviceType, int>, std::unique_ptr<DeviceGenerator>> of;
};

All& all() {
    static auto* generators = new All; // threads may draw after main()
    return *generators;
}

} // namespace

void DeviceGenerator::restart(std::uint64_t seed) {
    const std::lock_guard lock(m_mutex);
    m_seed = seed;
    m_offset = 0;
}

DeviceGenerator& deviceGenerator(Device device) {
    const std::lock_guard lock(all().mutex);
    std::unique_ptr<DeviceGenerator>& found = all().of[{device.type, device.index}];
    if (!found) {
        found = std::make_unique<DeviceGenerator>();
        found->restart(defaultGenerator().initialSeed());
    }
    return *found;
}

void seedDeviceGenerators(std::uint64_t seed) {
    const std::lock_guard lock(all().mutex);
    for (auto& [device, generator] : all().of) generator->restart(seed);
}

} // namespace stridescope
