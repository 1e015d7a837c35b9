#pragma once
// Device: where bytes live. A plain value that exists whether or not there is such a device.

#include "core/result.h"

#include <string>
#include <string_view>

namespace stridescope {

enum class DeviceType : std::uint8_t {
    Cpu,
    Cuda,
    Sim, ///< simulated on the CPU: core/backend/sim/sim.h
};

struct Device {
    DeviceType type = DeviceType::Cpu;
    std::int8_t index = 0; ///< always 0 for the CPU

    bool isCpu() const { return type == DeviceType::Cpu; }
    friend bool operator==(const Device&, const Device&) = default;
};

/// "cpu", "cuda", "sim".
const char* name(DeviceType type);
/// "cpu", "cuda:0".
std::string toString(Device d);
/// The device that a type without a number means on this thread: number 0, or what setCurrentDevice said.
Device currentDevice(DeviceType type);
/// @throws nothing; whether there is such a device is not looked at.
void setCurrentDevice(Device device);
/// "cpu", "cpu:0", "cuda", "cuda:1", "sim:0"; the CPU is one whatever its number. Anything else is refused with the
/// text found and the forms known.
Result<Device> deviceFromString(std::string_view text);

} // namespace stridescope
